/* SPDX-License-Identifier: MIT */
/* The scenes: open ground, a door, rooms, a town. */
#include "bodies.h"
#include "harness.h"

#define RADIUS .4
#define SPEED .25

int32_t scene_random(body_scene *s, int32_t below) {
    return (int32_t)bench_random(&s->draws, (uint32_t)below);
}

bool scene_open(const body_scene *s, int32_t x, int32_t y) {
    return x >= 0 && y >= 0 && x < s->width && y < s->height && !s->wall[y][x];
}

static bool is_place(const body_scene *s, int32_t x, int32_t y) {
    return scene_open(s, x, y) && !s->apart[y][x];
}

void scene_draw_place(body_scene *s, int32_t *x, int32_t *y) {
    do {
        const wend_cell cell = random_place(s->width, s->height, &s->draws);
        *x = cell.x, *y = cell.y;
    } while (!is_place(s, *x, *y));
}

void scene_set_kind(body_scene *s, const body_kind *kind) {
    s->every = kind->every;
    for (int32_t i = 0; i < s->count; i++) s->of[i].radius = kind->radius;
}

/* ---- building ---- */

static void begin(body_scene *s, int32_t width, int32_t height, int32_t updates) {
    memset(s, 0, sizeof *s);
    s->width = width, s->height = height, s->updates = updates;
}

static void put(body_scene *s, int32_t x, int32_t y, int32_t goal_x, int32_t goal_y) {
    s->of[s->count++] = (body_start){x + .5, y + .5, RADIUS, SPEED, goal_x, goal_y};
}

/* Puts agents on places of their own. */
static void put_wanderers(body_scene *s, int32_t count) {
    static char taken[MOST_SIDE][MOST_SIDE];
    memset(taken, 0, sizeof taken);
    while (s->count < count) {
        int32_t x, y, goal_x, goal_y;
        do scene_draw_place(s, &x, &y);
        while (taken[y][x]);
        taken[y][x] = 1;
        scene_draw_place(s, &goal_x, &goal_y);
        put(s, x, y, goal_x, goal_y);
    }
}

static int32_t draw_open(unsigned *state) { /* xorshift */
    *state ^= *state << 13;
    *state ^= *state >> 17;
    *state ^= *state << 5;
    return (int32_t)(*state % 64);
}

static void draw_free(unsigned *state, char taken[64][64], int32_t *x, int32_t *y) {
    do *x = draw_open(state), *y = draw_open(state);
    while (taken[*y][*x]);
    taken[*y][*x] = 1;
}

void scene_make_open(body_scene *s, unsigned seed, int32_t count) {
    char from[64][64] = {{0}}, to[64][64] = {{0}};
    begin(s, 64, 64, 2000);
    while (s->count < count) {
        int32_t x, y, goal_x, goal_y;
        draw_free(&seed, from, &x, &y), draw_free(&seed, to, &goal_x, &goal_y);
        put(s, x, y, goal_x, goal_y);
    }
}

void scene_make_door(body_scene *s) {
    begin(s, 41, 20, 3000);
    for (int32_t y = 0; y < 20; y++) s->wall[y][20] = y != 10;
    for (int32_t i = 0; i < 30; i++) {
        const int32_t x = 3 + 2 * (i % 5), y = 4 + 2 * (i / 5);
        put(s, x, y, 40 - x, y);
        put(s, 40 - x, y, x, y);
    }
}

/* ---- rooms ---- */

enum { ROOMS_SIDE = 48, ROOM = 8, ROOMS_CAPACITY = 120 };

static void build_rooms(body_scene *s) {
    for (int32_t k = 0; k < ROOMS_SIDE * ROOMS_SIDE; k++) {
        const int32_t x = k % ROOMS_SIDE, y = k / ROOMS_SIDE;
        s->wall[y][x] = x % ROOM == 0 || y % ROOM == 0 || x == ROOMS_SIDE - 1 || y == ROOMS_SIDE - 1;
    }
    for (int32_t k = 0; k < ROOMS_SIDE / ROOM * (ROOMS_SIDE / ROOM); k++) {
        const int32_t x = k % (ROOMS_SIDE / ROOM) * ROOM, y = k / (ROOMS_SIDE / ROOM) * ROOM;
        if (x > 0 && scene_random(s, 10) < 8) s->wall[y + 1 + scene_random(s, ROOM - 2)][x] = 0;
        if (y > 0 && scene_random(s, 10) < 8) s->wall[y][x + 1 + scene_random(s, ROOM - 2)] = 0;
    }
}

/* Marks the cells that no way joins to one as apart. Returns how many are joined to it. */
static int32_t flood(body_scene *s, int32_t x, int32_t y) {
    static wend_cell stack[4 * MOST_SIDE * MOST_SIDE];
    int32_t joined = 0, depth = 0;
    memset(s->apart, 1, sizeof s->apart);
    for (stack[depth++] = (wend_cell){x, y, 0}; depth > 0;) {
        const wend_cell at = stack[--depth];
        if (!scene_open(s, at.x, at.y) || !s->apart[at.y][at.x]) continue;
        s->apart[at.y][at.x] = 0;
        joined++;
        for (int32_t d = 0; d < 4; d++)
            stack[depth++] = (wend_cell){at.x + (d == 0) - (d == 1), at.y + (d == 2) - (d == 3), 0};
    }
    return joined;
}

void scene_make_rooms(body_scene *s, unsigned seed, int32_t count) {
    begin(s, ROOMS_SIDE, ROOMS_SIDE, 0);
    s->draws = seed, s->capacity = ROOMS_CAPACITY;
    do build_rooms(s);
    while (flood(s, ROOM / 2, ROOM / 2) < ROOMS_SIDE * ROOMS_SIDE / 2);
    put_wanderers(s, count);
}

/* ---- towns ---- */

enum { TOWN_SIDE = 128, BROAD = 8, NARROW = 6, BROAD_STREETS = 5, BLOCK = 4, LARGE_BLOCK = 17 };

/* Divides a part of the town by a street along its shorter side, or builds there. The first streets are broad. */
static void build_part(body_scene *s, int32_t x, int32_t y, int32_t width, int32_t height, int32_t streets) {
    const bool across = width > height;
    const int32_t longer = across ? width : height, street = streets < BROAD_STREETS ? BROAD : NARROW;
    if (longer <= LARGE_BLOCK) {
        const bool square = scene_random(s, 8) == 0;
        for (int32_t k = 0; k < width * height && !square; k++) s->wall[y + k / width][x + k % width] = 1;
        return;
    }
    const int32_t first = BLOCK + scene_random(s, longer - street - 2 * BLOCK + 1), rest = longer - first - street;
    build_part(s, x, y, across ? first : width, across ? height : first, streets + 1);
    build_part(s, across ? x + first + street : x, across ? y : y + first + street, across ? rest : width,
               across ? height : rest, streets + 1);
}

void scene_make_town(body_scene *s, unsigned seed, int32_t count) {
    begin(s, TOWN_SIDE, TOWN_SIDE, 0);
    s->draws = seed * UINT64_C(7919);
    build_part(s, BROAD, BROAD, TOWN_SIDE - 2 * BROAD, TOWN_SIDE - 2 * BROAD, 0);
    put_wanderers(s, count);
}
