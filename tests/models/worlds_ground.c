/* SPDX-License-Identifier: MIT */
/* Random ground: open and blocked cells of many kinds. */
#include "models/worlds.h"

#include <string.h>

static void put(world *w, int x, int y, int class) {
    if (world_has(w, (wend_cell){x, y, 0})) w->terrain[y * w->width + x] = (uint8_t)class;
}

static void put_box(world *w, int x, int y, int width, int height, int class) {
    for (int j = y; j < y + height; j++)
        for (int i = x; i < x + width; i++) put(w, i, j, class);
}

static void fill_noise(world *w, oracle_random *random, int percent) {
    for (int i = 0; i < w->cells; i++) w->terrain[i] = oracle_below(random, 100) >= percent;
}

static void fill_boxes(world *w, oracle_random *random, int cells_each, int longest, int thickest) {
    memset(w->terrain, 1, (size_t)w->cells);
    for (int i = w->cells / cells_each; i >= 0; i--) {
        const int a = 1 + oracle_below(random, longest), b = 1 + oracle_below(random, thickest);
        const bool upright = oracle_below(random, 2);
        put_box(w, oracle_below(random, w->width), oracle_below(random, w->height), upright ? b : a, upright ? a : b,
                0);
    }
}

static void fill_rooms(world *w, oracle_random *random) {
    const int side = 4 + oracle_below(random, 20), doors = 1 + oracle_below(random, 3);
    for (int y = 0; y < w->height; y++)
        for (int x = 0; x < w->width; x++) put(w, x, y, x % side != side - 1 && y % side != side - 1);
    for (int y = 0; y < w->height; y += side)
        for (int x = 0; x < w->width; x += side)
            for (int i = 0; i < doors; i++) {
                put(w, x + side - 1, y + oracle_below(random, side - 1), 1);
                put(w, x + oracle_below(random, side - 1), y + side - 1, 1);
            }
}

/* A tree of corridors as wide as the walls between them. */
static void fill_maze(world *w, oracle_random *random) {
    static int stack[WORLD_WIDE];
    const int wide = 1 + oracle_below(random, 3);
    const int columns = (w->width + wide) / (2 * wide), rows = (w->height + wide) / (2 * wide);
    int depth = 0;
    memset(w->terrain, 0, (size_t)w->cells);
    if (columns < 1 || rows < 1) return;
    put_box(w, 0, 0, wide, wide, 1);
    stack[depth++] = 0;
    while (depth > 0) {
        const int cell = stack[depth - 1], first = oracle_below(random, 4);
        int tried = 0;
        for (; tried < 4; tried++) {
            const int d = (first + tried) & 3, x = cell % columns + world_dx[d], y = cell / columns + world_dy[d];
            if (x < 0 || y < 0 || x >= columns || y >= rows) continue;
            if (w->terrain[2 * wide * y * w->width + 2 * wide * x]) continue;
            put_box(w, 2 * wide * x - (world_dx[d] > 0) * wide, 2 * wide * y - (world_dy[d] > 0) * wide,
                    wide * (1 + (world_dx[d] != 0)), wide * (1 + (world_dy[d] != 0)), 1);
            stack[depth++] = y * columns + x;
            break;
        }
        if (tried == 4) depth--;
    }
}

/* Noise, smoothed: each cell does as most of the nine around it do. */
static void fill_caves(world *w, oracle_random *random) {
    static uint8_t before[WORLD_WIDE];
    fill_noise(w, random, 40 + oracle_below(random, 8));
    for (int pass = 0; pass < 3; pass++) {
        memcpy(before, w->terrain, (size_t)w->cells);
        for (int i = 0; i < w->cells; i++) {
            int open = 0;
            for (int n = 0; n < 9; n++) {
                const int x = i % w->width + n % 3 - 1, y = i / w->width + n / 3 - 1;
                open += world_has(w, (wend_cell){x, y, 0}) && before[y * w->width + x];
            }
            w->terrain[i] = open >= 5;
        }
    }
}

/* Walls from side to side, each with a gap. */
static void fill_stripes(world *w, oracle_random *random) {
    const bool upright = oracle_below(random, 2);
    const int across = upright ? w->width : w->height, along = upright ? w->height : w->width;
    memset(w->terrain, 1, (size_t)w->cells);
    for (int a = 1 + oracle_below(random, 5); a < across; a += 2 + oracle_below(random, 12)) {
        const int gap = oracle_below(random, 2) ? oracle_below(random, along) : oracle_below(random, 2) * (along - 1);
        for (int i = 0; i < along; i++)
            if (i != gap) put(w, upright ? a : i, upright ? i : a, 0);
    }
}

/* Makes a bent way through solid ground, and pockets next to it. */
static void fill_corridor(world *w, oracle_random *random) {
    int x = oracle_below(random, w->width), y = oracle_below(random, w->height);
    for (int i = 0; i < w->cells; i++) w->terrain[i] = oracle_below(random, 1000) >= 985;
    for (int turns = (w->width + w->height) / 2; turns > 0; turns--) {
        int length = 1 + oracle_below(random, 40), dx = oracle_below(random, 3) - 1, dy = oracle_below(random, 3) - 1;
        for (; length > 0; length--) {
            if (x + dx < 0 || y + dy < 0 || x + dx >= w->width || y + dy >= w->height) break;
            put(w, x, y, 1), put(w, x + dx, y, 1);
            put(w, x += dx, y += dy, 1);
        }
    }
}

/* Thin ones, some of which only seem closed. */
static void fill_diagonals(world *w, oracle_random *random) {
    fill_noise(w, random, oracle_below(random, 4));
    for (int count = 2 + oracle_below(random, 30); count > 0; count--) {
        int x = oracle_below(random, w->width), y = oracle_below(random, w->height);
        int dx = oracle_below(random, 2) ? 1 : -1;
        for (int length = oracle_below(random, 60); length > 0; length--, x += dx, y++)
            if (oracle_below(random, 12)) put(w, x, y, 0);
    }
}

/* Rooms whose walls have doors by chance, or none. */
static void fill_chambers(world *w, oracle_random *random) {
    const int side = 4 + oracle_below(random, 16);
    for (int i = 0; i < w->cells; i++) {
        const bool wall = i % w->width % side == side - 1 || i / w->width % side == side - 1;
        w->terrain[i] = !wall || oracle_below(random, side) == 0;
    }
}

const char *const world_grounds[WORLD_GROUNDS] = {"open",           "dust",     "walls",      "boxes",   "rooms",
                                                  "noise",          "maze",     "caves",      "stripes", "corridor",
                                                  "diagonal walls", "chambers", "dense noise"};

void world_fill_ground(world *w, oracle_random *random, int kind) {
    w->ground = kind;
    switch (kind) {
    case 0: fill_noise(w, random, 0); return;
    case 1: fill_noise(w, random, 1 + oracle_below(random, 5)); return;
    case 2: fill_boxes(w, random, 150, 20, 3); return;
    case 3: fill_boxes(w, random, 60, 6, 6); return;
    case 4: fill_rooms(w, random); return;
    case 5: fill_noise(w, random, oracle_below(random, 45)); return;
    case 6: fill_maze(w, random); return;
    case 7: fill_caves(w, random); return;
    case 8: fill_stripes(w, random); return;
    case 9: fill_corridor(w, random); return;
    case 10: fill_diagonals(w, random); return;
    case 11: fill_chambers(w, random); return;
    default: fill_noise(w, random, 30 + oracle_below(random, 30));
    }
}
