/* SPDX-License-Identifier: MIT */
/* Even ground of many kinds, and the distances on it. */
#include "models/lands.h"

#include <stdlib.h>

const char *const land_kinds[LAND_KINDS] = {"noise",     "dense noise", "rooms",         "maze",
                                            "few boxes", "stripes",     "lone corridor", "diagonal walls"};

/* ---- ground ---- */

static void put(land *l, int x, int y, int open) {
    if (x < 0 || y < 0 || x >= l->grid.width || y >= l->grid.height) return;
    l->terrain[y * l->grid.width + x] = (uint8_t)open;
}

static void put_box(land *l, int x, int y, int width, int height, int open) {
    for (int j = y; j < y + height; j++)
        for (int i = x; i < x + width; i++) put(l, i, j, open);
}

static void make_noise(land *l, oracle_random *random, int per_mille) {
    int cells = l->grid.width * l->grid.height;
    for (int i = 0; i < cells; i++) l->terrain[i] = oracle_below(random, 1000) >= per_mille;
}

static void make_rooms(land *l, oracle_random *random) {
    int side = 4 + oracle_below(random, 16);
    for (int y = 0; y < l->grid.height; y++)
        for (int x = 0; x < l->grid.width; x++) {
            bool wall = x % side == side - 1 || y % side == side - 1;
            put(l, x, y, !wall || oracle_below(random, side) == 0);
        }
}

/* Corridors as wide as the walls between them: a tree that is cut from solid ground, in any order. */
static void make_maze(land *l, oracle_random *random) {
    static const int dx[] = {0, 1, 0, -1}, dy[] = {-1, 0, 1, 0};
    static int stack[LAND_CELLS];
    int width = 1 + oracle_below(random, 3), columns = (l->grid.width + width) / (2 * width);
    int rows = (l->grid.height + width) / (2 * width), depth = 0;
    make_noise(l, random, 1000);
    if (columns < 1 || rows < 1) return;
    stack[depth++] = 0;
    put_box(l, 0, 0, width, width, 1);
    while (depth > 0) {
        int cell = stack[depth - 1], first = oracle_below(random, 4), i = 0;
        for (; i < 4; i++) {
            int d = (first + i) & 3, x = cell % columns + dx[d], y = cell / columns + dy[d];
            if (x < 0 || y < 0 || x >= columns || y >= rows) continue;
            if (l->terrain[2 * width * y * l->grid.width + 2 * width * x]) continue;
            put_box(l, 2 * width * x - (dx[d] > 0) * width, 2 * width * y - (dy[d] > 0) * width,
                    width * (1 + (dx[d] != 0)), width * (1 + (dy[d] != 0)), 1);
            stack[depth++] = y * columns + x;
            break;
        }
        if (i == 4) depth--;
    }
}

static void make_boxes(land *l, oracle_random *random, int count) {
    make_noise(l, random, 0);
    for (; count > 0; count--) {
        int x = oracle_below(random, l->grid.width), y = oracle_below(random, l->grid.height);
        put_box(l, x, y, 1 + oracle_below(random, 30), 1 + oracle_below(random, 30), 0);
    }
}

/* Walls across, each with a gap at one end or anywhere. */
static void make_stripes(land *l, oracle_random *random) {
    bool upright = oracle_below(random, 2);
    int across = upright ? l->grid.width : l->grid.height, along = upright ? l->grid.height : l->grid.width;
    make_noise(l, random, oracle_below(random, 20));
    for (int a = 1 + oracle_below(random, 5); a < across; a += 2 + oracle_below(random, 9)) {
        int gap = oracle_below(random, 3) ? oracle_below(random, along) : oracle_below(random, 2) * (along - 1);
        for (int i = 0; i < along; i++)
            if (i != gap) put(l, upright ? a : i, upright ? i : a, 0);
    }
}

/* Makes a bent way through solid ground, and pockets next to it. */
static void make_corridor(land *l, oracle_random *random) {
    int x = oracle_below(random, l->grid.width), y = oracle_below(random, l->grid.height);
    make_noise(l, random, 985);
    for (int turns = (l->grid.width + l->grid.height) / 2; turns > 0; turns--) {
        int length = 1 + oracle_below(random, 40), dx = oracle_below(random, 3) - 1, dy = oracle_below(random, 3) - 1;
        for (; length > 0; length--) {
            if (x + dx < 0 || y + dy < 0 || x + dx >= l->grid.width || y + dy >= l->grid.height) break;
            put(l, x, y, 1), put(l, x + dx, y, 1);
            put(l, x += dx, y += dy, 1);
        }
    }
}

/* Thin ones, some of which only seem closed. */
static void make_diagonals(land *l, oracle_random *random) {
    make_noise(l, random, oracle_below(random, 40));
    for (int count = 2 + oracle_below(random, 30); count > 0; count--) {
        int x = oracle_below(random, l->grid.width), y = oracle_below(random, l->grid.height);
        int dx = oracle_below(random, 2) ? 1 : -1;
        for (int length = oracle_below(random, 60); length > 0; length--, x += dx, y++)
            if (oracle_below(random, 12)) put(l, x, y, 0);
    }
}

static void choose_size(land *l, oracle_random *random) {
    int what = oracle_below(random, 40), width, height;
    if (what < 20)
        width = 1 + oracle_below(random, 40), height = 1 + oracle_below(random, 40);
    else if (what < 34)
        width = 40 + oracle_below(random, 70), height = 30 + oracle_below(random, 80);
    else if (what < 37)
        width = 100 + oracle_below(random, 93), height = 100 + oracle_below(random, 93);
    else
        width = 1025 + oracle_below(random, 140), height = 1 + oracle_below(random, 35);
    bool turned = oracle_below(random, 2);
    l->grid.width = turned ? height : width, l->grid.height = turned ? width : height;
}

void land_make(land *l, oracle_random *random) {
    l->grid.terrain = l->terrain;
    choose_size(l, random);
    l->kind = oracle_below(random, LAND_KINDS);
    switch (l->kind) {
    case 0: make_noise(l, random, oracle_below(random, 300)); return;
    case 1: make_noise(l, random, 300 + oracle_below(random, 301)); return;
    case 2: make_rooms(l, random); return;
    case 3: make_maze(l, random); return;
    case 4: make_boxes(l, random, oracle_below(random, 12)); return;
    case 5: make_stripes(l, random); return;
    case 6: make_corridor(l, random); return;
    default: make_diagonals(l, random);
    }
}

/* ---- edits ---- */

static void set(land *l, wend_edit *edit, wend_cell cell, int open) {
    l->terrain[land_index(l, cell)] = (uint8_t)open;
    if (wend_edit_set_cell(edit, cell, (uint8_t)open) != WEND_OK) abort();
}

void land_edit(land *l, oracle_random *random, wend_edit *edit) {
    wend_cell at = oracle_cell(&l->grid, random);
    if (oracle_below(random, 4) == 0) {
        wend_box box = {at, at};
        int open = oracle_below(random, 2);
        box.max.x += oracle_below(random, 20), box.max.y += oracle_below(random, 20);
        if (box.max.x >= l->grid.width) box.max.x = l->grid.width - 1;
        if (box.max.y >= l->grid.height) box.max.y = l->grid.height - 1;
        put_box(l, at.x, at.y, box.max.x - at.x + 1, box.max.y - at.y + 1, open);
        if (wend_edit_fill_box(edit, box, (uint8_t)open) != WEND_OK) abort();
        return;
    }
    for (int count = 1 + oracle_below(random, 12); count > 0; count--) {
        at = land_cell(l, random, at);
        set(l, edit, at, !l->terrain[land_index(l, at)]);
    }
}

/* ---- distances ---- */

void land_measure(land *l, wend_cell start) {
    int node;
    dijkstra open;
    dijkstra_begin(&open, l->distances, LAND_CELLS);
    dijkstra_reach(&open, (int)land_index(l, start), 0);
    while (dijkstra_next(&open, &node)) oracle_expand(&l->grid, &open, node);
    dijkstra_end(&open);
}

/* ---- places ---- */

static int within(int value, int size) {
    return value < 0 ? 0 : value >= size ? size - 1 : value;
}

wend_cell land_cell(const land *l, oracle_random *random, wend_cell near) {
    wend_cell cell = oracle_cell(&l->grid, random);
    int run = oracle_below(random, 200) - 100;
    switch (oracle_below(random, 8)) {
    case 0: cell = (wend_cell){near.x + oracle_below(random, 7) - 3, near.y + oracle_below(random, 7) - 3, 0}; break;
    case 1: cell.y = near.y; break;
    case 2: cell.x = near.x; break;
    case 3: cell = (wend_cell){near.x + run, near.y + run, 0}; break;
    case 4: cell = (wend_cell){near.x + run, near.y - run, 0}; break;
    case 5: /* next to where chunks meet */
        cell.x = (cell.x | 63) + oracle_below(random, 2);
        cell.y = (cell.y | 63) + oracle_below(random, 2);
        break;
    default: break;
    }
    return (wend_cell){within(cell.x, l->grid.width), within(cell.y, l->grid.height), 0};
}

/* ---- counts of a version ---- */

static bool is_open(const land *l, int x, int y) {
    const bool inside = x >= 0 && y >= 0 && x < l->grid.width && y < l->grid.height;
    return inside && l->terrain[(size_t)y * (size_t)l->grid.width + (size_t)x] != 0;
}

/* Returns whether the step from a cell by (dx, dy), to an open cell, has a corner on one side. */
static bool passes_corner(const land *l, int x, int y, int dx, int dy) {
    for (int side = -1; side <= 1; side += 2) {
        const int sx = x + side * dy, sy = y + side * dx;
        if (!is_open(l, sx, sy) && is_open(l, sx + dx, sy + dy)) return true;
    }
    return false;
}

/* Returns where the cell's straight run ends: at a wall (0), at a corner (1), or not in its chunk (-1). */
static int end_of(const land *l, int x, int y, int dx, int dy) {
    bool point = false;
    for (; !point && x >> 6 == (x + dx) >> 6 && y >> 6 == (y + dy) >> 6; x += dx, y += dy) {
        if (!is_open(l, x + dx, y + dy)) return 0;
        point = passes_corner(l, x, y, dx, dy);
    }
    return point ? 1 : -1;
}

void land_count(const land *l, uint64_t counts[3]) {
    static const int8_t sx[4] = {0, 1, 0, -1}, sy[4] = {-1, 0, 1, 0};
    counts[0] = counts[1] = counts[2] = 0;
    for (int cell = 0; cell < l->grid.width * l->grid.height; cell++) {
        const int x = cell % l->grid.width, y = cell / l->grid.width;
        for (int d = 0; d < 4 && is_open(l, x, y); d++) {
            const int end = end_of(l, x, y, sx[d], sy[d]), dx = d & 1 ? 1 : -1, dy = d & 2 ? 1 : -1;
            if (end >= 0) counts[end]++;
            counts[2] += is_open(l, x + dx, y) && is_open(l, x, y + dy) && is_open(l, x + dx, y + dy);
        }
    }
}
