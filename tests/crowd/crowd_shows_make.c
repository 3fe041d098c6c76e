/* SPDX-License-Identifier: MIT */
/* Shows of a crowd: the grounds, the agents and their goals. */
#include "crowd/crowd_shows.h"
#include "models/random.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <wend/query.h>
#include <wend/units.h>

enum { ROOM = 24, SIDE = 200, RING = 100, GATE = 50, BLOCK = 16 };

void show_doors(show *s, int32_t rooms, int32_t doors) {
    int32_t width = rooms * (ROOM + 1) - 1;
    uint8_t *open = malloc((size_t)width * ROOM);
    memset(open, 1, (size_t)width * ROOM);
    for (int32_t x = ROOM; x < width; x += ROOM + 1) {
        for (int32_t y = 0; y < ROOM; y++) open[y * width + x] = 0;
        for (int32_t d = 0; d < doors; d++) open[ROOM * (2 * d + 1) / (2 * doors) * width + x] = 1;
    }
    show_open(s, width, ROOM, open, 2 * SIDE);
    free(open);
    for (int pass = 0; pass < 2; pass++)
        for (int32_t i = 0; i < 2 * SIDE; i++) {
            int32_t x = i / 2 % 10, y = i / 20 + 2;
            if (pass)
                show_go(s, (uint32_t)i, i % 2 ? x : width - 1 - x, y);
            else
                show_add(s, i % 2 ? width - 1 - x : x, y, SHOW_SPEED);
        }
}

uint64_t show_doors_bar(const show *s, int32_t doors) {
    return 3 * (show_longest_walk(s) + 2 * SIDE / (uint64_t)doors * SHOW_STEP_FRAMES);
}

void show_ring(show *s) {
    enum { WIDTH = 64 };
    uint8_t open[WIDTH * WIDTH];
    memset(open, 1, sizeof open);
    show_open(s, WIDTH, WIDTH, open, RING);
    for (int i = 0; i < RING; i++) {
        double angle = i * 6.283185307179586 / RING;
        show_add(s, (int32_t)lround(31.5 + 28 * cos(angle)), (int32_t)lround(31.5 + 28 * sin(angle)), SHOW_SPEED);
    }
    for (uint32_t i = 0; i < RING; i++) {
        wend_cell across = s->agents[(i + RING / 2) % RING].cell;
        show_go(s, i, across.x, across.y);
    }
}

void show_board(show *s, const char *const *rows, int32_t count, uint32_t spare, uint64_t seed) {
    enum { MOST = 64 };
    const int32_t width = (int32_t)strlen(rows[0]);
    wend_cell cells[MOST];
    uint8_t open[MOST];
    uint32_t found = 0;
    for (int32_t i = 0; i < width * count; i++) {
        open[i] = rows[i / width][i % width] != '#';
        if (open[i]) cells[found++] = (wend_cell){i % width, i / width, 0};
    }
    for (uint32_t i = found; i-- > 1;) {
        const uint32_t k = draw(&seed, i + 1);
        const wend_cell other = cells[k];
        cells[k] = cells[i], cells[i] = other;
    }
    show_open(s, width, count, open, found);
    for (uint32_t i = 0; i < found - spare; i++) show_add(s, cells[i].x, cells[i].y, 150 + (int32_t)draw(&seed, 200));
    for (uint32_t i = 0; i < s->count; i++) {
        const wend_cell next = cells[(i + 1) % s->count];
        show_go(s, i, next.x, next.y);
    }
}

void show_funnel(show *s, int32_t agents) {
    enum { WIDTH = 100, HEIGHT = 60 };
    static uint8_t open[WIDTH * HEIGHT];
    memset(open, 1, sizeof open);
    for (int32_t y = 0; y < HEIGHT; y++) open[y * WIDTH + GATE] = y == 30;
    show_open(s, WIDTH, HEIGHT, open, (uint32_t)agents);
    for (int32_t i = 0; i < agents; i++) show_add(s, i % 25, i / 25 + 10, SHOW_SPEED);
    for (int32_t i = 0; i < agents; i++) show_go(s, (uint32_t)i, WIDTH - 1 - i % 25, i / 25 + 10);
}

uint32_t show_funnel_through(const show *s) {
    uint32_t through = 0;
    for (uint32_t i = 0; i < s->count; i++) through += s->agents[i].cell.x > GATE;
    return through;
}

/* ---- towns ---- */

static void dig_rooms(show *s, uint8_t *open, int32_t side) {
    for (int32_t y = 0; y < side; y++)
        for (int32_t x = 0; x < side; x++) open[y * side + x] = x % BLOCK && y % BLOCK;
    for (int32_t y = 0; y + BLOCK <= side; y += BLOCK)
        for (int32_t x = 0; x + BLOCK <= side; x += BLOCK) {
            wend_cell west = {x, y + 4 + (int32_t)draw(&s->random, 8), 0},
                      north = {x + 4 + (int32_t)draw(&s->random, 8), y, 0};
            if (x) s->doors[s->door_count++] = west, open[west.y * side + west.x] = 1;
            if (y) s->doors[s->door_count++] = north, open[north.y * side + north.x] = 1;
        }
}

/* Noise of 45 %, smoothed five times. */
static void dig_caves(show *s, uint8_t *open, int32_t side) {
    size_t cells = (size_t)side * (size_t)side;
    uint8_t *before = malloc(cells);
    for (size_t i = 0; i < cells; i++) open[i] = draw(&s->random, 100) >= 45;
    for (int pass = 0; pass < 5; pass++) {
        memcpy(before, open, cells);
        for (int32_t y = 0; y < side; y++)
            for (int32_t x = 0; x < side; x++) {
                int near = 0;
                for (int32_t k = 0; k < 9; k++) {
                    int32_t i = x + k % 3 - 1, j = y + k / 3 - 1;
                    near += i >= 0 && j >= 0 && i < side && j < side && before[j * side + i];
                }
                open[y * side + x] = near >= 5;
            }
    }
    free(before);
}

static bool is_wanted(const show *s, wend_cell cell) {
    for (uint32_t i = 0; i < s->count; i++)
        if (s->agents[i].goal.x == cell.x && s->agents[i].goal.y == cell.y) return true;
    return false;
}

/* Neither a door, nor held, nor wanted by another; connected with `near`, if that is an open cell. */
static wend_cell free_cell(show *s, wend_cell near) {
    for (;;) {
        wend_cell cell = {(int32_t)draw(&s->random, (uint32_t)s->width), (int32_t)draw(&s->random, (uint32_t)s->height),
                          0};
        bool reachable = false;
        uint32_t units = 0;
        if (!s->open[cell.y * s->width + cell.x] || (s->doors && !(cell.x % BLOCK && cell.y % BLOCK))) continue;
        if (wend_map_get_occupants(s->map, cell, &units) || units || is_wanted(s, cell)) continue;
        if (near.x < 0) return cell;
        if (!wend_map_reachable(s->map, WEND_MOVER_DEFAULT, near, cell, &reachable) && reachable) return cell;
    }
}

void show_town(show *s, int32_t side, uint32_t agents, bool caves) {
    uint8_t *open = malloc((size_t)side * (size_t)side);
    show plan = {.random = 7};
    plan.doors = caves ? NULL : malloc((size_t)side * (size_t)side / BLOCK * sizeof *plan.doors);
    if (caves)
        dig_caves(&plan, open, side);
    else
        dig_rooms(&plan, open, side);
    show_open(s, side, side, open, agents);
    free(open);
    s->doors = plan.doors, s->door_count = plan.door_count;
    wend_cell first = {-1, 0, 0};
    for (uint32_t i = 0; i < agents; i++) {
        wend_cell cell = free_cell(s, first);
        show_add(s, cell.x, cell.y, 200 + (int32_t)draw(&s->random, 100));
        if (i == 0) first = cell;
    }
}

static void work_doors(show *s) {
    wend_cell door = s->doors[draw(&s->random, s->door_count)];
    uint8_t *open = &s->open[door.y * s->width + door.x];
    uint32_t units = 0;
    if (wend_map_get_occupants(s->map, door, &units)) abort();
    if (*open && (units || draw(&s->random, 4))) return;
    *open = !*open;
    if (wend_map_set_cell(s->map, door, *open ? WEND_CLASS_OPEN : WEND_CLASS_BLOCKED, NULL)) abort();
}

bool show_town_frame(show *s, bool another) {
    if (s->doors && another && s->frame % 5 == 0) work_doors(s);
    for (uint32_t i = 0; i < s->count && another; i++) {
        if (s->agents[i].wants) continue;
        wend_cell goal = free_cell(s, s->agents[i].cell);
        show_go(s, i, goal.x, goal.y);
    }
    return show_frame(s);
}
