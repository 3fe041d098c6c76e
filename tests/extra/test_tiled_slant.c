/* SPDX-License-Identifier: MIT */
/* Hexagonal and staggered maps of Tiled. An independent reader knows only where tiles lie on the screen: neighbours are
 * tiles whose middles are as far apart as those of touching tiles. Steps must lead only between neighbours. */
#include "extra/tiled_help.h"
#include "models/random.h"
#include <stdlib.h>
#include <wend/query.h>

enum { SIDE = 64, TILES_A_MAP = SIDE * SIDE, TEXT_BYTES = 1 << 20 };

typedef struct shape {
    const char *orientation;
    bool flat, even;
    int wide, high, side; ///< pixels
} shape;

/* The middle of a tile on the screen, in half pixels. */
static void middle_of(const shape *s, int column, int row, int *x, int *y) {
    const bool shifted = ((s->flat ? column : row) & 1) != s->even;
    *x = column * (s->flat ? s->wide + s->side : 2 * s->wide) + s->wide + (shifted && !s->flat ? s->wide : 0);
    *y = row * (s->flat ? 2 * s->high : s->high + s->side) + s->high + (shifted && s->flat ? s->high : 0);
}

/* The hexagon of a column and row: odd (layout 0, 2) or even (1, 3) rows (0, 1) or columns are shifted. */
static wend_cell axial_cell(int32_t layout, int32_t column, int32_t row) {
    const int32_t line = layout >= 2 ? column : row, shift = layout & 1 ? -(line & 1) : line & 1;
    const int32_t by = (shift - line) / 2;
    return layout >= 2 ? (wend_cell){column, row + by, 0} : (wend_cell){column + by, row, 0};
}

/* Returns whether two tiles touch along a side. */
static bool touch(const shape *s, int x, int y) {
    const bool straight = s->flat ? x == 0 && abs(y) == 2 * s->high : y == 0 && abs(x) == 2 * s->wide;
    const int across = s->flat ? s->wide + s->side : s->wide, down = s->flat ? s->high : s->high + s->side;
    return (strcmp(s->orientation, "hexagonal") == 0 && straight) || (abs(x) == across && abs(y) == down);
}

/* ---- shapes that block: corners at fifths of a pixel, where no middle lies ---- */

enum { WALLS = 12 };

typedef struct wall {
    int kind; /* 0 rectangle, 1 ellipse, 2 triangle */
    double x, y, width, height;
} wall;

static void draw_walls(const shape *s, wall *walls, uint64_t *random) {
    const int right = SIDE * (s->flat ? s->wide + s->side : 2 * s->wide) / 2;
    const int bottom = SIDE * (s->flat ? 2 * s->high : s->high + s->side) / 2;
    for (int i = 0; i < WALLS; i++) {
        walls[i].kind = (int)draw(random, 3);
        walls[i].x = (double)draw(random, (uint32_t)right) - 50 + .2;
        walls[i].y = (double)draw(random, (uint32_t)bottom) - 50 + .2;
        walls[i].width = 10 + draw(random, (uint32_t)(6 * s->wide)) + .2;
        walls[i].height = 10 + draw(random, (uint32_t)(6 * s->high)) + .2;
    }
}

static bool holds(const wall *w, double x, double y) {
    const double u = (x - w->x) / w->width, v = (y - w->y) / w->height;
    switch (w->kind) {
    case 0: return u > 0 && u < 1 && v > 0 && v < 1;
    case 1: return (u - .5) * (u - .5) + (v - .5) * (v - .5) < .25;
    default: return u > 0 && v > 0 && u + v < 1;
    }
}

static char *write_walls(const wall *walls, char *at) {
    static const char *const more[] = {"", ",'ellipse':true", ""};
    at += sprintf(at, "]},{'name':'walls','type':'objectgroup','objects':[");
    for (int i = 0; i < WALLS; i++) {
        at += sprintf(at, "%s{'id':%d,'x':%.1f,'y':%.1f,'width':%.1f,'height':%.1f%s", i ? "," : "", 5000 + i,
                      walls[i].x, walls[i].y, walls[i].width, walls[i].height, more[walls[i].kind]);
        if (walls[i].kind == 2)
            at += sprintf(at, ",'polygon':[{'x':0,'y':0},{'x':%.1f,'y':0},{'x':0,'y':%.1f}]", walls[i].width,
                          walls[i].height);
        at += sprintf(at, "}");
    }
    return at;
}

/* Writes a map with a named point in the middle of each tile. */
static char *write_map(const shape *s, const uint8_t *blocked, const wall *walls) {
    char *text = malloc(TEXT_BYTES), *at = text;
    at += sprintf(at,
                  "{'type':'map','orientation':'%s','staggeraxis':'%s','staggerindex':'%s','hexsidelength':%d,"
                  "'tilewidth':%d,'tileheight':%d,'width':%d,'height':%d," TILES
                  "'layers':[{'name':'a','type':'tilelayer','width':%d,'height':%d,'data':[",
                  s->orientation, s->flat ? "x" : "y", s->even ? "even" : "odd", s->side, s->wide, s->high, SIDE, SIDE,
                  SIDE, SIDE);
    for (int i = 0; i < TILES_A_MAP; i++) at += sprintf(at, "%s%d", i ? "," : "", blocked[i] ? 2 : 1);
    at += sprintf(at, "]},{'name':'b','type':'objectgroup','objects':[");
    for (int i = 0; i < TILES_A_MAP; i++) {
        int x, y;
        middle_of(s, i % SIDE, i / SIDE, &x, &y);
        at += sprintf(at, "%s{'id':%d,'name':'t','x':%d,'y':%d.5}", i ? "," : "", i + 1, x / 2, y / 2);
    }
    sprintf(write_walls(walls, at), "]}]}");
    straight_quotes(text);
    return text;
}

/* Blocks tiles with their middle in a wall. @return how many there are */
static int block_walls(const shape *s, const wall *walls, uint8_t *blocked) {
    int count = 0;
    for (int i = 0; i < TILES_A_MAP; i++) {
        int x, y;
        bool held = false;
        middle_of(s, i % SIDE, i / SIDE, &x, &y);
        for (int k = 0; k < WALLS; k++) held = held || holds(&walls[k], x / 2.0, y / 2.0);
        blocked[i] = blocked[i] || held;
        count += held;
    }
    return count;
}

static void check_steps(const shape *s, const wend_map *map, const wend_tiled *beside, const uint8_t *blocked, int i) {
    int x, y, other_x, other_y;
    middle_of(s, i % SIDE, i / SIDE, &x, &y);
    for (int k = 0; k < TILES_A_MAP; k++) {
        const wend_cell from = beside->objects[i].cell, to = beside->objects[k].cell;
        const bool near = abs(k % SIDE - i % SIDE) <= 2 && abs(k / SIDE - i / SIDE) <= 2;
        if (!near || i == k) continue;
        bool legal;
        middle_of(s, k % SIDE, k / SIDE, &other_x, &other_y);
        cr_assert_eq(wend_map_step_legal(map, 0, from, to, &legal, NULL), WEND_OK);
        const bool expected = !blocked[i] && !blocked[k] && touch(s, other_x - x, other_y - y);
        cr_assert_eq(legal, expected, "%s: %d,%d to %d,%d", s->orientation, i % SIDE, i / SIDE, k % SIDE, k / SIDE);
    }
}

static void check_shape(const shape *s, uint64_t *random) {
    static uint8_t blocked[TILES_A_MAP];
    uint64_t open = 0, count = 0;
    wend_map *map;
    wend_tiled *beside;
    wall walls[WALLS];
    draw_walls(s, walls, random);
    for (int i = 0; i < TILES_A_MAP; i++) blocked[i] = draw(random, 4) == 0;
    char *text = write_map(s, blocked, walls);
    cr_assert_gt(block_walls(s, walls, blocked), 20);
    for (int i = 0; i < TILES_A_MAP; i++) open += !blocked[i];
    wend_map_rules rules = default_rules();
    rules.neighbours = 4; /* staggered maps: steps half a tile right or left, and up or down */
    wend_map_def def = default_map();
    def.rules = &rules;
    wend_file_error error = {.struct_bytes = sizeof error};
    cr_assert_eq(wend_tiled_parse(text, strlen(text), NULL, NULL, &def, &map, &beside, &error), WEND_OK, "%s",
                 error.text);
    const wend_map_info info = info_now(map);
    cr_assert_eq(beside->object_count, (size_t)TILES_A_MAP); /* shapes that block are no objects */
    for (int i = 0; i < TILES_A_MAP; i++) {
        uint8_t class;
        cr_assert_eq(wend_map_get_terrain(map, beside->objects[i].cell, &class), WEND_OK);
        cr_assert_eq(class, !blocked[i]);
        const wend_cell hex = axial_cell(beside->layout, i % SIDE, i / SIDE);
        const wend_cell flat = {s->flat ? -hex.y : hex.x, hex.x + hex.y, 0};
        const wend_cell cell = beside->orientation == WEND_TILED_HEXAGONAL ? hex : flat;
        cr_assert(beside->objects[i].cell.x == cell.x - beside->first.x);
        cr_assert(beside->objects[i].cell.y == cell.y - beside->first.y);
        if (i % 7 == 0) check_steps(s, map, beside, blocked, i);
    }
    for (int32_t y = 0; y < info.height; y++)
        for (int32_t x = 0; x < info.width; x++) {
            uint8_t class;
            cr_assert_eq(wend_map_get_terrain(map, (wend_cell){x, y, 0}, &class), WEND_OK);
            count += class != 0;
        }
    cr_assert_eq(count, open);
    wend_tiled_free(beside);
    wend_map_release(map);
    free(text);
}

Test(extra_tiled_slant, has_the_tiles_and_neighbours_of_the_screen) {
    uint64_t random = 21;
    for (int i = 0; i < 4; i++) {
        const shape hexagonal = {"hexagonal", i & 1, i & 2, i & 1 ? 32 : 28, i & 1 ? 28 : 32, 16};
        const shape staggered = {"staggered", i & 1, i & 2, 64, 32, 0};
        check_shape(&hexagonal, &random);
        check_shape(&staggered, &random);
    }
}

#define HEXAGONAL(more)                                                                                                \
    "{'type':'map','orientation':'hexagonal','tilewidth':28,'tileheight':32,'width':3,'height':2," more

Test(extra_tiled_slant, reads_old_heads_and_refuses_wrong_ones) {
    tiled_result r =
        expect_classes(read_tiled(HEXAGONAL(TILES "'layers':[" LAYER("a", "[1,2,3,1,1,4]") "]}")), "103/110");
    cr_expect_eq(r.beside->orientation, WEND_TILED_HEXAGONAL);
    cr_expect_eq(rules_now(r.map).neighbours, 6);
    drop_tiled(&r);
    expect_error(read_tiled(HEXAGONAL("'staggeraxis':'z'," TILES "'layers':[]}")), WEND_BAD_FORMAT,
                 "the map: 'staggeraxis' must be \"x\" or \"y\"");
    expect_error(read_tiled(HEXAGONAL("'staggerindex':'none'," TILES "'layers':[]}")), WEND_BAD_FORMAT,
                 "the map: 'staggerindex' must be \"odd\" or \"even\"");
}

static wend_error drop_all(void *context, const void *data, size_t size) {
    (void)context, (void)data, (void)size;
    return WEND_OK;
}

Test(extra_tiled_slant, is_not_written) {
    static const char *const shapes[] = {"hexagonal", "staggered"};
    for (int i = 0; i < 2; i++) {
        OWNED(drop_tiled)
        tiled_result r = read_tiled("{'type':'map','orientation':'%s','tilewidth':28,'tileheight':32,'width':3,"
                                    "'height':2," TILES "'layers':[" LAYER("a", OPEN) "]}",
                                    shapes[i]);
        cr_assert_eq(r.code, WEND_OK, "%s", r.error.text);
        cr_expect_eq(wend_tiled_write(r.map, r.beside, drop_all, NULL, &r.error), WEND_UNSUPPORTED);
        cr_expect_str_eq(r.error.text, "hexagonal and staggered maps of Tiled are only read");
    }
}
