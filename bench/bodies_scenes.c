/* SPDX-License-Identifier: MIT */
/* The scenes of bodies: open ground, doors, streets, crossing streams, rooms, noise. */
#include "bodies.h"
#include "harness.h"

#include <math.h>

unsigned scene_seed = 1;
const int8_t scene_dx[8] = {1, 0, -1, 0, 1, -1, -1, 1}, scene_dy[8] = {0, 1, 0, -1, 1, 1, -1, -1};

unsigned scene_random(void) { /* xorshift */
    scene_seed ^= scene_seed << 13;
    scene_seed ^= scene_seed >> 17;
    scene_seed ^= scene_seed << 5;
    return scene_seed;
}

static int draw_below(int below) {
    return (int)(scene_random() % (unsigned)below);
}

bool scene_open(const body_scene *s, int32_t x, int32_t y) {
    return x >= 0 && y >= 0 && x < s->width && y < s->height && !s->wall[y][x];
}

wend_map *scene_map(const body_scene *s) {
    wend_map *map;
    wend_map_def def;
    wend_edit *edit;
    wend_map_def_init(&def, sizeof def);
    def.width = s->width, def.height = s->height;
    check(wend_map_create(&def, &map));
    check(wend_edit_begin(map, &edit));
    for (int32_t y = 0; y < s->height; y++)
        for (int32_t x = 0; x < s->width; x++)
            if (s->wall[y][x]) check(wend_edit_set_cell(edit, (wend_cell){x, y, 0}, WEND_CLASS_BLOCKED));
    check(wend_edit_publish(edit, NULL));
    return map;
}

static bool is_step(const body_scene *s, int x, int y, int d) {
    const int ax = x + scene_dx[d], ay = y + scene_dy[d];
    return scene_open(s, ax, ay) && (d < 4 || (scene_open(s, ax, y) && scene_open(s, x, ay)));
}

void scene_field(const body_scene *s, int32_t gx, int32_t gy, int8_t field[MOST_SIDE][MOST_SIDE]) {
    enum { CELLS = MOST_SIDE * MOST_SIDE, RING = 8 };
    static int cost[MOST_SIDE][MOST_SIDE], ring[RING][CELLS * RING], count[RING];
    memset(field, -1, CELLS);
    memset(count, 0, sizeof count);
    for (int k = 0; k < CELLS; k++) cost[k / MOST_SIDE][k % MOST_SIDE] = 1 << 30;
    cost[gy][gx] = 0;
    ring[0][count[0]++] = gy * MOST_SIDE + gx;
    for (int c = 0, idle = 0; idle < RING; c++) {
        const int b = c % RING;
        idle = count[b] > 0 ? 0 : idle + 1;
        for (int k = 0; k < count[b]; k++) {
            const int x = ring[b][k] % MOST_SIDE, y = ring[b][k] / MOST_SIDE;
            for (int d = 0; d < 8 && cost[y][x] == c; d++) {
                const int ax = x + scene_dx[d], ay = y + scene_dy[d], to = c + (d < 4 ? 5 : 7);
                if (!is_step(s, x, y, d) || cost[ay][ax] <= to) continue;
                cost[ay][ax] = to;
                field[ay][ax] = (int8_t)(d < 4 ? (d + 2) % 4 : 4 + (d - 2) % 4);
                ring[to % RING][count[to % RING]++] = ay * MOST_SIDE + ax;
            }
        }
        count[b] = 0;
    }
}

/* ---- building ---- */

static void begin(body_scene *s, const char *name, int w, int h, int updates) {
    memset(s, 0, sizeof *s);
    s->name = name, s->width = w, s->height = h, s->updates = updates;
}

static bool is_free_for(const body_scene *s, double x, double y, double r) {
    for (int k = 0; k < s->count; k++)
        if (hypot(s->of[k].x - x, s->of[k].y - y) < s->of[k].radius + r + 0.001) return false;
    for (int cy = (int)floor(y - r); cy <= (int)floor(y + r); cy++)
        for (int cx = (int)floor(x - r); cx <= (int)floor(x + r); cx++) {
            const double dx = fmax(fmax(cx - x, x - cx - 1), 0), dy = fmax(fmax(cy - y, y - cy - 1), 0);
            if (!scene_open(s, cx, cy) && hypot(dx, dy) < r + 0.001) return false;
        }
    return true;
}

static void put(body_scene *s, double x, double y, double radius, double speed, int gx, int gy) {
    s->of[s->count++] = (body_start){x, y, radius, speed, gx, gy};
}

static void put_usual(body_scene *s, double x, double y, int gx, int gy) {
    put(s, x, y, .4, .25, gx, gy);
}

static void make_open(body_scene *s, int count) {
    char from[64][64] = {{0}}, to[64][64] = {{0}};
    begin(s, "open", 64, 64, 2000);
    for (int i = 0; i < count; i++) {
        int x, y, p, q;
        do x = draw_below(64), y = draw_below(64);
        while (from[y][x]);
        from[y][x] = 1;
        do p = draw_below(64), q = draw_below(64);
        while (to[q][p]);
        to[q][p] = 1;
        put_usual(s, x + .5, y + .5, p, q);
    }
}

static void make_door(body_scene *s, bool both) { /* two rooms, a door of one cell; 30 each way, or one way */
    begin(s, both ? "door" : "door1", 41, 20, 3000);
    for (int y = 0; y < 20; y++) s->wall[y][20] = y != 10;
    const bool moved = scene_seed != 1; /* other seeds: not all start in the middles of their cells */
    for (int i = 0; i < 30; i++) {
        const int x = 3 + 2 * (i % 5), y = 4 + 2 * (i / 5);
        const double by = moved ? draw_below(80) / 100. - .4 : 0, there = moved ? draw_below(80) / 100. - .4 : 0;
        put_usual(s, x + .5 + by, y + .5, 40 - x, y);
        if (both) put_usual(s, 40 - x + .5 + there, y + .5, x, y);
    }
}

static void make_street(body_scene *s) { /* two wide, head on */
    begin(s, "street2", 30, 2, 2000);
    for (int i = 0; i < 5; i++) {
        put_usual(s, 1.5 + 1.2 * i, 1, 28 - i, i & 1);
        put_usual(s, 28.5 - 1.2 * i, 1, 1 + i, i & 1);
    }
}

static void make_overtake(body_scene *s) { /* three wide: three slow ones, a fast one behind */
    begin(s, "overtake", 60, 3, 2000);
    put(s, 1.5, 1.5, .4, .5, 50, 1);
    for (int i = 0; i < 3; i++) put(s, 6.5 + 2 * i, 1.5, .4, .05, 52 + 2 * i, 1);
}

static void make_column(body_scene *s) { /* ten in a row, through two gates */
    static const char *const rows[] = {"#########################", "#.......#...............#",
                                       "#.......#.......#.......#", "#...............#.......#",
                                       "#.......#...............#", "#.......#.......#.......#",
                                       "#########################"};
    begin(s, "column", 25, 7, 2000);
    for (int k = 0; k < 25 * 7; k++) s->wall[k / 25][k % 25] = rows[k / 25][k % 25] == '#';
    for (int i = 0; i < 10; i++) put_usual(s, 1.5 + i % 5, 2.5 + i / 5, 22 - i % 5, 2 + i / 5);
}

static void make_player(body_scene *s) { /* a body through a resting crowd */
    begin(s, "player", 20, 20, 2000);
    for (int i = 0; i < 100; i++) put_usual(s, 5.5 + i % 10, 5.5 + i / 10, -1, -1);
    put_usual(s, 1.5, 10.2, 18, 10);
}

static void make_big(body_scene *s) { /* two of radius .9 head on in a street four wide */
    begin(s, "big", 30, 4, 2000);
    put(s, 2.5, 2, .9, .25, 27, 2);
    put(s, 27.5, 2, .9, .25, 2, 2);
}

static void make_crossing(body_scene *s, bool pack) { /* two streams at right angles; packing: to one cell each */
    begin(s, pack ? "packing" : "crossing", 64, 64, 3000);
    for (int i = 0; i < 100; i++) {
        const int a = i % 10, c = i / 10, along = pack ? 48 + a : 46 + 3 * a / 2,
                  across = pack ? 27 + c : 25 + 7 * c / 5;
        put_usual(s, 2.5 + 1.5 * a, 25.5 + 1.4 * c, along, across);
        put_usual(s, 25.5 + 1.4 * c, 2.5 + 1.5 * a, across, along);
    }
}

static bool is_taken(const char to[64][64], int p, int q, int reach) {
    for (int k = 0; k < 9; k++)
        if ((reach || k == 4) && to[q + k / 3 - 1][p + k % 3 - 1]) return true;
    return false;
}

static void make_mixed(body_scene *s) { /* radii .1 to .5 and some .9, speeds .05 to .4 */
    char to[64][64] = {{0}};
    begin(s, "mixed", 64, 64, 4000);
    while (s->count < 400) {
        const double r = draw_below(20) ? .1 + draw_below(41) / 100. : .9, v = .05 + draw_below(36) / 100.;
        const int p = 1 + draw_below(62), q = 1 + draw_below(62);
        const double x = 1 + draw_below(6200) / 100., y = 1 + draw_below(6200) / 100.;
        if (is_taken((const char(*)[64])to, p, q, r > .5) || !is_free_for(s, x, y, r)) continue;
        for (int k = 0; k < 9; k++)
            if (r > .5 || k == 4) to[q + k / 3 - 1][p + k % 3 - 1] = 1;
        put(s, x, y, r, v, p, q);
    }
}

/* ---- rooms and noise ---- */

enum { SIDE = 48 };

/* Halves a room by a wall with a door of one cell; long walls have two. */
static void halve(body_scene *s, int x0, int y0, int x1, int y1) {
    const int w = x1 - x0 + 1, h = y1 - y0 + 1;
    const bool across = w > h || (w == h && scene_random() % 2);
    const int room = across ? w : h;
    if (room < 10 || (room < 14 && scene_random() % 3 == 0)) return;
    for (int tries = 0; tries < 20; tries++) {
        const int k = 4 + draw_below(room - 8), span = across ? h : w;
        const char a = across ? s->wall[y0 - 1][x0 + k] : s->wall[y0 + k][x0 - 1];
        const char c = across ? s->wall[y1 + 1][x0 + k] : s->wall[y0 + k][x1 + 1];
        if (!a || !c) continue; /* the wall would end at a door */
        for (int m = 0; m < span; m++) *(across ? &s->wall[y0 + m][x0 + k] : &s->wall[y0 + k][x0 + m]) = 1;
        for (int m = 0; m < (span > 11 ? 2 : 1); m++) {
            const int q = draw_below(span);
            *(across ? &s->wall[y0 + q][x0 + k] : &s->wall[y0 + k][x0 + q]) = 0;
        }
        if (across)
            halve(s, x0, y0, x0 + k - 1, y1), halve(s, x0 + k + 1, y0, x1, y1);
        else
            halve(s, x0, y0, x1, y0 + k - 1), halve(s, x0, y0 + k + 1, x1, y1);
        return;
    }
}

void scene_wander(body_scene *s, unsigned seed, int32_t count, int32_t noise) {
    static int8_t field[MOST_SIDE][MOST_SIDE];
    char used[SIDE][SIDE] = {{0}};
    begin(s, noise ? "random" : "rooms", SIDE, SIDE, 4000);
    scene_seed = 77U * seed + 1;
    for (int k = 0; k < 9; k++) (void)scene_random();
    for (int y = 0; y < SIDE; y++)
        for (int x = 0; x < SIDE; x++)
            s->wall[y][x] = x == 0 || y == 0 || x == SIDE - 1 || y == SIDE - 1 || (noise && draw_below(100) < noise);
    if (!noise) halve(s, 1, 1, SIDE - 2, SIDE - 2);
    while (s->count < count) {
        const int x = 1 + draw_below(SIDE - 2), y = 1 + draw_below(SIDE - 2), p = 1 + draw_below(SIDE - 2),
                  q = 1 + draw_below(SIDE - 2);
        if (s->wall[y][x] || s->wall[q][p] || used[q][p] & 2 || used[y][x] & 1) continue;
        scene_field(s, p, q, field);
        if (field[y][x] < 0) continue;
        used[y][x] |= 1;
        used[q][p] |= 2;
        put_usual(s, x + .5, y + .5, p, q);
    }
}

bool scene_make(body_scene *s, const char *name, int32_t count) {
    if (!strcmp(name, "open")) return make_open(s, count), true;
    if (!strcmp(name, "door") || !strcmp(name, "door1")) return make_door(s, !name[4]), true;
    if (!strcmp(name, "street2")) return make_street(s), true;
    if (!strcmp(name, "overtake")) return make_overtake(s), true;
    if (!strcmp(name, "column")) return make_column(s), true;
    if (!strcmp(name, "player")) return make_player(s), true;
    if (!strcmp(name, "big")) return make_big(s), true;
    if (!strcmp(name, "crossing") || !strcmp(name, "packing")) return make_crossing(s, !strcmp(name, "packing")), true;
    if (!strcmp(name, "mixed")) return make_mixed(s), true;
    return false;
}
