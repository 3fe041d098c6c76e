/* SPDX-License-Identifier: MIT */
/* Levels that change: after any sequence of updates the spans are those of a new ground, costs are those of the spans,
 * and the map has no cell, link or closed step that they do not ask for. */
#include "ground_rig.h"
#include "models/few_or_many.h"

#include <float.h>
#include <math.h>
#include <wend/edit.h>
#include <wend/query.h>
#include <wend/ways.h>

static test_level level;

/* ---- a level as wend_ground_set_triangles() has it ---- */

typedef struct changing_level {
    float corners[9 * 4000];
    uint8_t classes[4000];
    bool gone[4000];
    size_t count;
} changing_level;

static void copy_corners(const test_level *from, changing_level *to) {
    for (size_t i = 0; i < 3 * from->triangle_count; i++)
        memcpy(&to->corners[3 * i], &from->vertices[3 * from->triangles[i]], 3 * sizeof *to->corners);
    memcpy(to->classes, from->classes, from->triangle_count);
    memset(to->gone, 0, sizeof to->gone);
    to->count = from->triangle_count;
}

/* Copies the triangles that are not removed. */
static void copy_level(const changing_level *from, test_level *to) {
    to->vertex_count = to->triangle_count = 0;
    for (size_t i = 0; i < from->count; i++) {
        if (from->gone[i]) continue;
        to->terrain = from->classes[i];
        add_triangle(to, &from->corners[9 * i], &from->corners[9 * i + 3], &from->corners[9 * i + 6]);
    }
}

static wend_ground_def changing_def(bool leaps) {
    wend_ground_def def = level_def(&level);
    def.changes = 1, def.spare_sheets = 4;
    def.least[0] = def.least[2] = -8; /* four tiles meet in the middle of the level */
    def.least[1] = -1, def.most[0] = def.most[2] = 25, def.most[1] = 14;
    if (leaps) def.drop = 4, def.jump = 2;
    return def;
}

static void set(wend_ground *ground, changing_level *l, size_t first, size_t count, const float *corners,
                const uint8_t *classes) {
    wend_file_error error = {.struct_bytes = sizeof error};
    cr_assert_eq(wend_ground_set_triangles(ground, first, count, corners, classes, &error), WEND_OK, "%s", error.text);
    for (size_t i = 0; i < count; i++) {
        l->gone[first + i] = !corners;
        if (corners) l->classes[first + i] = classes ? classes[i] : WEND_CLASS_OPEN;
    }
    if (corners) memcpy(&l->corners[9 * first], corners, 9 * count * sizeof *corners);
    if (first + count > l->count) l->count = first + count;
}

/* A block or a ramp is added, triangles in sequence are moved, or taken away. */
static void change(wend_ground *ground, changing_level *l, uint64_t *seed) {
    static test_level part;
    static changing_level piece;
    const uint32_t what = draw(seed, 4);
    if (what < 2) {
        const float x = (float)draw(seed, 20), z = (float)draw(seed, 20), y = (float)draw(seed, 8);
        part.vertex_count = part.triangle_count = 0, part.terrain = (uint8_t)(1 + draw(seed, 4));
        if (what == 0)
            add_block(&part, x, z, x + 1 + (float)draw(seed, 6), z + 1 + (float)draw(seed, 6), y,
                      y + .3f * (float)draw(seed, 9));
        else
            add_ramp(&part, x, z, x + 4 + (float)draw(seed, 4), z + 2, y, y + (float)draw(seed, 4));
        copy_corners(&part, &piece);
        set(ground, l, l->count, piece.count, piece.corners, piece.classes);
        return;
    }
    const size_t first = draw(seed, (uint32_t)l->count);
    size_t count = 1 + draw(seed, 8);
    if (first + count > l->count) count = l->count - first;
    if (what == 3) {
        set(ground, l, first, count, NULL, NULL);
        return;
    }
    const float x = (float)draw(seed, 5) - 2, z = (float)draw(seed, 5) - 2;
    memcpy(piece.corners, &l->corners[9 * first], 9 * count * sizeof *piece.corners);
    memcpy(piece.classes, &l->classes[first], count);
    for (size_t i = 0; i < 3 * count; i++) piece.corners[3 * i] += x, piece.corners[3 * i + 2] += z;
    set(ground, l, first, count, piece.corners, piece.classes);
}

static uint32_t update(wend_ground *ground, wend_map *map, uint32_t tiles, bool publish) {
    uint32_t left = 0;
    wend_edit *edit = begin_edit(map);
    cr_assert_eq(wend_ground_update(ground, edit, tiles, &left), WEND_OK);
    if (publish) {
        cr_assert_eq(wend_edit_publish(edit, NULL), WEND_OK);
    } else {
        wend_edit_discard(edit);
        wend_ground_undo(ground);
    }
    return left;
}

/* ---- the oracles ---- */

static uint32_t place_in_column(const ground_spans *g, int32_t span) {
    return (uint32_t)span - g->columns[ground_column(g, g->spans[span].x, g->spans[span].y)];
}

static void expect_same_spans(const ground_spans *a, const ground_spans *b) {
    cr_assert_eq(a->count, b->count);
    cr_assert(a->width == b->width && a->height == b->height);
    for (int32_t y = 0; y < a->height; y++) {
        for (int32_t x = 0; x < a->width; x++) {
            const size_t column = ground_column(a, x, y);
            const uint32_t count = a->columns[column + 1] - a->columns[column];
            cr_assert_eq(count, b->columns[column + 1] - b->columns[column], "column %d,%d", x, y);
            for (uint32_t i = 0; i < count; i++) {
                const ground_span *s = &a->spans[a->columns[column] + i], *t = &b->spans[b->columns[column] + i];
                cr_assert(s->x == x && s->y == y && s->floor == t->floor && s->terrain == t->terrain);
                for (int d = 0; d < GROUND_DIRECTIONS; d++) {
                    cr_assert_eq(s->next[d] < 0, t->next[d] < 0, "column %d,%d", x, y);
                    if (s->next[d] >= 0) cr_assert_eq(place_in_column(a, s->next[d]), place_in_column(b, t->next[d]));
                }
            }
        }
    }
}

/* Checks that cells, links and closed steps match the spans. */
static void expect_fitting_map(const wend_ground *ground, const wend_map *map) {
    uint64_t counts[256], open = 0;
    const wend_map_info info = info_now(map);
    wend_map_get_class_counts(map, counts);
    for (int c = 1; c < 256; c++) open += counts[c];
    cr_assert_eq(open, ground->spans.count);
    cr_assert_eq(info.links, info_of(ground).seams + info_of(ground).leaps);
    uint64_t closed = 0, links = 0;
    const ground_spans *g = &ground->spans;
    for (size_t tile = 0; tile < (size_t)(g->tiles_x * g->tiles_y); tile++) {
        for (uint32_t i = 0; i < g->tiles[tile].count; i++) {
            ground_way ways[GROUND_MOST_WAYS];
            const int32_t span = (int32_t)(g->tiles[tile].first + i);
            const uint32_t count = wend__ground_find_ways(&ground->ways, span, ways);
            for (uint32_t k = 0; k < count; k++) closed += ways[k].kind == GROUND_CLOSED;
            for (uint32_t k = 0; k < count; k++) links += ways[k].kind != GROUND_CLOSED;
            uint8_t terrain;
            wend_map_get_terrain(map, wend__ground_cell_of(&ground->layout, &g->spans[span]), &terrain);
            cr_assert_eq(terrain, g->spans[span].terrain);
        }
    }
    cr_assert_eq(info.links, links);
    cr_assert_eq(info.closed_steps, closed, "%d, not %d", (int)info.closed_steps, (int)closed);
}

/* The same places on both grounds are as far apart, also with leaps. */
static void expect_same_costs(const wend_ground *a, wend_map *map_a, const wend_ground *b, wend_map *map_b,
                              uint64_t *seed) {
    for (int i = 0; i < 20; i++) {
        wend_cell cells[2][2];
        for (int end = 0; end < 2; end++) {
            const ground_span *s = &a->spans.spans[draw_span(&a->spans, seed)];
            float point[3];
            cells[0][end] = wend__ground_cell_of(&a->layout, s);
            cr_assert_eq(wend_ground_get_world(a, cells[0][end], point), WEND_OK);
            cr_assert_eq(wend_ground_get_cell(b, point, .05f, &cells[1][end]), WEND_OK);
        }
        if (same_cell(cells[0][0], cells[0][1])) continue;
        cr_assert_eq(cost_between(map_a, cells[0][0], cells[0][1]), cost_between(map_b, cells[1][0], cells[1][1]));
    }
}

static void expect_as_new(const wend_ground *ground, wend_map *map, const changing_level *l, bool leaps,
                          uint64_t *seed) {
    copy_level(l, &level);
    const wend_ground_def def = changing_def(leaps);
    wend_map *fresh_map;
    wend_ground *fresh = make_ground(&def, &fresh_map);
    expect_same_spans(&ground->spans, &fresh->spans);
    expect_fitting_map(ground, map);
    expect_same_costs(ground, map, fresh, fresh_map, seed);
    cr_expect_eq(info_of(ground).leaps, info_of(fresh).leaps);
    wend_ground_destroy(fresh);
    wend_map_release(fresh_map);
}

static changing_level changing;

/* Lengths that floats hold exactly, so that ground can differ only by the neighbours that a tile reads. */
static wend_ground *make_shifted(float shift, wend_map **map) {
    wend_ground_def def = level_def(&level);
    def.cell = def.level = .25f, def.radius = .75f, def.climb = .75f;
    def.drop = 4, def.least[0] = def.least[2] = -16 - shift, def.most[0] = def.most[2] = 40 - shift;
    def.most[1] = 14;
    return make_ground(&def, map);
}

Test(ground_tiles, may_begin_anywhere) {
    uint64_t seed = 5;
    for (int round = 0; round < 10; round++) {
        random_level(&level, &seed);
        const int32_t shift = 1 + (int32_t)draw(&seed, 30);
        wend_map *maps[2];
        wend_ground *a = make_shifted(0, &maps[0]), *b = make_shifted(.25f * (float)shift, &maps[1]);
        cr_assert_eq(a->spans.count, b->spans.count);
        for (uint32_t i = 0; i < a->spans.count; i++) {
            const ground_span *s = &a->spans.spans[i];
            const size_t column = ground_column(&b->spans, s->x + shift, s->y + shift);
            const ground_span *t = &b->spans.spans[b->spans.columns[column] + place_in_column(&a->spans, (int32_t)i)];
            cr_assert(s->x + shift == t->x && s->y + shift == t->y && s->floor == t->floor);
            for (int d = 0; d < GROUND_DIRECTIONS; d++)
                cr_assert_eq(s->next[d] < 0, t->next[d] < 0, "column %d,%d", s->x, s->y);
        }
        for (int i = 0; i < 2; i++) {
            wend_ground_destroy(i ? b : a);
            wend_map_release(maps[i]);
        }
    }
}

Test(ground_change, gives_the_ground_that_a_new_one_would_be) {
    uint64_t seed = 11;
    uint32_t seams = 0;
    const uint32_t rounds = (uint32_t)enough_or_many(4, 12);
    for (uint32_t round = 0; round < rounds; round++) {
        random_level(&level, &seed);
        copy_corners(&level, &changing);
        const bool leaps = round % 2;
        const wend_ground_def def = changing_def(leaps);
        OWNED_MAP *map = NULL;
        wend_ground *ground = make_ground(&def, &map);
        if (round % 4 > 1) {
            const wend_acceleration tables = default_acceleration();
            cr_assert_eq(wend_map_accelerate(map, &tables), WEND_OK);
        }
        for (int i = 0; i < 5; i++) {
            for (uint32_t k = 1 + draw(&seed, 3); k > 0; k--) change(ground, &changing, &seed);
            if (draw(&seed, 3) == 0) {
                const uint32_t marked = info_of(ground).marked;
                update(ground, map, 1 + draw(&seed, 3), false);
                cr_assert_eq(info_of(ground).marked, marked);
                expect_fitting_map(ground, map);
            }
            while (update(ground, map, 1 + draw(&seed, 3), true) > 0) expect_fitting_map(ground, map);
            if (ground->spans.count < 100) continue;
            expect_as_new(ground, map, &changing, leaps, &seed);
            if (!leaps) check_costs(ground, map, &seed);
        }
        seams += info_of(ground).seams;
        wend_ground_destroy(ground);
    }
    cr_expect(seams > 8 * rounds, "%u seams", (unsigned)seams);
}

/* ---- refusals ---- */

static void expect_no_change(wend_ground *ground, size_t first, size_t count, const float *corners,
                             const uint8_t *classes, wend_error code, const char *text) {
    wend_file_error error = {.struct_bytes = sizeof error};
    const wend_ground_info before = info_of(ground);
    cr_expect_eq(wend_ground_set_triangles(ground, first, count, corners, classes, &error), code, "%s", text);
    cr_expect_str_eq(error.text, text);
    cr_expect_eq(wend_ground_set_triangles(ground, first, count, corners, classes, NULL), code);
    const wend_ground_info after = info_of(ground);
    cr_expect(memcmp(&before, &after, sizeof before) == 0);
}

static void begin_floor(void) {
    level.vertex_count = level.triangle_count = 0, level.terrain = WEND_CLASS_OPEN;
    add_floor(&level, 0, 0, 9, 9, 0);
}

Test(ground_change, that_is_wrong_is_refused_with_its_place) {
    begin_floor();
    wend_ground_def def = level_def(&level);
    wend_map *map;
    float corners[18] = {0};
    wend_ground *fixed = make_ground(&def, &map);
    expect_no_change(fixed, 0, 1, corners, NULL, WEND_UNSUPPORTED, "the ground was made without changes");
    cr_expect_eq(wend_ground_update(fixed, NULL, 1, NULL), WEND_UNSUPPORTED);
    wend_ground_undo(fixed);
    wend_ground_destroy(fixed);
    wend_map_release(map);
    def.changes = 1;
    wend_ground *ground = make_ground(&def, &map);
    expect_no_change(ground, 3, 1, corners, NULL, WEND_OUT_OF_RANGE, "triangle 3 of 2");
    expect_no_change(ground, 1, 2, NULL, NULL, WEND_OUT_OF_RANGE, "triangle 2 of 2");
    expect_no_change(ground, INT32_MAX, 2, NULL, NULL, WEND_OUT_OF_RANGE, "triangle 2147483647 of 2");
    expect_no_change(ground, 2, SIZE_MAX, corners, NULL, WEND_UNSUPPORTED, "more than 67,108,864 triangles");
    corners[13] = NAN;
    expect_no_change(ground, 1, 2, corners, NULL, WEND_BAD_ARGUMENT, "triangle 2, corner 1: y is no number");
    corners[13] = INFINITY;
    expect_no_change(ground, 1, 2, corners, NULL, WEND_BAD_ARGUMENT, "triangle 2, corner 1: y is no number");
    cr_expect_eq(wend_ground_set_triangles(ground, 2, 0, NULL, NULL, NULL), WEND_OK);
    corners[13] = FLT_MAX;
    cr_expect_eq(wend_ground_set_triangles(ground, 2, 2, corners, NULL, NULL), WEND_OK, "outside, and no matter");
    cr_expect_eq(info_of(ground).triangles, 4);
    cr_expect_eq(update(ground, map, 9, true), 0);
    expect_fitting_map(ground, map);
    uint8_t classes[62];
    static float many[62 * 9];
    for (int i = 0; i < 62; i++) classes[i] = (uint8_t)(i + 2);
    expect_no_change(ground, 2, 62, many, classes, WEND_UNSUPPORTED, "more than 62 terrain classes");
    cr_expect_eq(wend_ground_set_triangles(ground, 2, 61, many, classes, NULL), WEND_OK);
    wend_ground_destroy(ground);
    wend_map_release(map);
}

Test(ground_change, needs_a_sheet_for_each_floor) {
    begin_floor();
    static test_level upper;
    static changing_level corners, far_corners;
    upper.terrain = WEND_CLASS_OPEN;
    add_floor(&upper, 2, 2, 7, 7, 3);
    add_floor(&upper, 2, 2, 7, 7, 6);
    copy_corners(&upper, &corners);
    upper.triangle_count = upper.vertex_count = 0;
    add_floor(&upper, 30, 30, 33, 33, 1);
    copy_corners(&upper, &far_corners);
    wend_ground_def def = level_def(&level);
    def.changes = 1, def.spare_sheets = 1, def.most[0] = def.most[1] = def.most[2] = 35;
    wend_map *map;
    uint32_t left = 77;
    wend_ground *ground = make_ground(&def, &map);
    cr_assert_eq(wend_ground_set_triangles(ground, 2, 4, corners.corners, NULL, NULL), WEND_OK);
    wend_edit *edit = begin_edit(map);
    cr_expect_eq(wend_ground_update(ground, edit, 1, &left), WEND_BUSY);
    cr_expect_eq(left, 77);
    cr_expect_eq(wend_edit_publish(edit, NULL), WEND_OK);
    cr_expect_eq(info_of(ground).marked, 1);
    expect_fitting_map(ground, map);
    cr_assert_eq(wend_ground_set_triangles(ground, 6, 2, far_corners.corners, NULL, NULL), WEND_OK);
    const uint32_t marked = info_of(ground).marked;
    cr_assert_eq(wend_edit_begin(map, &edit), WEND_OK);
    for (uint32_t i = 0; i + 1 < marked; i++)
        cr_expect_eq(wend_ground_update(ground, edit, 1, &left), WEND_OK, "the others are made");
    cr_expect(marked > 1 && left == 1);
    cr_expect_eq(wend_ground_update(ground, edit, 9, &left), WEND_BUSY);
    cr_expect_eq(wend_edit_publish(edit, NULL), WEND_OK);
    wend_cell cell;
    cr_expect_eq(wend_ground_get_cell(ground, (float[]){4, 3, 4}, .2f, &cell), WEND_EMPTY);
    cr_assert_eq(wend_ground_set_triangles(ground, 4, 2, NULL, NULL, NULL), WEND_OK);
    cr_expect_eq(update(ground, map, 1, true), 0);
    expect_fitting_map(ground, map);
    cr_expect_eq(wend_ground_get_cell(ground, (float[]){4, 3, 4}, .2f, &cell), WEND_OK);
    wend_ground_destroy(ground);
    wend_map_release(map);
    for (int i = 0; i < 3; i++) {
        wend_ground_def wrong = def;
        if (i == 0) wrong.changes = 0;
        if (i == 1) wrong.spare_sheets = 64;
        if (i == 2) wrong.most[1] = -1;
        cr_expect_eq(wend_ground_create(&wrong, &ground, &map, NULL), WEND_BAD_ARGUMENT);
    }
}

/* A door is shut and opened, also where z is up. */
Test(ground_change, shuts_doors) {
    begin_floor();
    add_block(&level, 4, 0, 5, 3, 0, 3);
    add_block(&level, 4, 6, 5, 9, 0, 3);
    float door[18] = {4.5f, 3, 3, 4.5f, 3, 6, 4.5f, 0, 6, 4.5f, 3, 3, 4.5f, 0, 6, 4.5f, 0, 3};
    for (int y_up = 1; y_up >= 0; y_up--) {
        wend_ground_def def = level_def(&level);
        def.changes = 1, def.y_up = y_up;
        for (size_t i = 0; i < level.vertex_count && !y_up; i++) {
            float *v = &level.vertices[3 * i];
            const float y = v[1];
            v[1] = -v[2], v[2] = y;
        }
        for (int i = 0; i < 6 && !y_up; i++) {
            const float y = door[3 * i + 1];
            door[3 * i + 1] = -door[3 * i + 2], door[3 * i + 2] = y;
        }
        OWNED_MAP *map = NULL;
        wend_ground *ground = make_ground(&def, &map);
        wend_cell west, east;
        const float ends[2][3] = {{2, y_up ? 0 : -4.5f, y_up ? 4.5f : 0}, {7, y_up ? 0 : -4.5f, y_up ? 4.5f : 0}};
        cr_assert_eq(wend_ground_get_cell(ground, ends[0], .5f, &west), WEND_OK);
        cr_assert_eq(wend_ground_get_cell(ground, ends[1], .5f, &east), WEND_OK);
        const int64_t open = cost_between(map, west, east);
        cr_expect(open > 0);
        const size_t first = info_of(ground).triangles;
        for (int i = 0; i < 3; i++) {
            cr_assert_eq(wend_ground_set_triangles(ground, first, 2, door, NULL, NULL), WEND_OK);
            update(ground, map, 99, true);
            cr_expect_eq(cost_between(map, west, east), -1);
            cr_assert_eq(wend_ground_set_triangles(ground, first, 2, NULL, NULL, NULL), WEND_OK);
            update(ground, map, 99, true);
            cr_expect_eq(cost_between(map, west, east), open);
        }
        wend_ground_destroy(ground);
    }
}
