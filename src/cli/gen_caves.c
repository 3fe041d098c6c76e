/* SPDX-License-Identifier: MIT */
/* Caves: scattered rock worn smooth by a cellular automaton, first coarse and then finer; only the largest cave stays.
 */
#include <stdlib.h>
#include <string.h>

#include "gen.h"

enum { FIRST_PASSES = 4, LATER_PASSES = 2, FINEST_SIDE = 160, MOST_DOUBLINGS = 3 };
enum { ROCK = 0, OPEN = 1, SEEN = 2, KEPT = 3 };

/* Open cells among three in a row around x; beyond the rim all is rock. */
static int open_of_three(const uint8_t *row, int32_t x, int32_t width) {
    if (row == NULL) return 0;
    return (x > 0 ? row[x - 1] : 0) + row[x] + (x + 1 < width ? row[x + 1] : 0);
}

/* A cell becomes what most of the nine around it are. */
static void wear(const gen_grid *from, gen_grid *to) {
    for (int32_t y = 0; y < from->height; y++) {
        const uint8_t *here = from->cells + gen_at(from, 0, y);
        const uint8_t *above = y > 0 ? here - from->width : NULL;
        const uint8_t *below = y + 1 < from->height ? here + from->width : NULL;
        for (int32_t x = 0; x < from->width; x++) {
            int open = open_of_three(above, x, from->width) + open_of_three(here, x, from->width) +
                       open_of_three(below, x, from->width);
            to->cells[gen_at(to, x, y)] = open >= 5;
        }
        gen_progress(from, "wearing", y);
    }
}

static void wear_often(gen_grid *grid, gen_grid *spare, int passes) {
    for (int i = 0; i < passes; i++) {
        wear(grid, spare);
        uint8_t *cells = grid->cells;
        grid->cells = spare->cells;
        spare->cells = cells;
    }
}

static void enlarge(const gen_grid *from, gen_grid *to) {
    for (int32_t y = 0; y < to->height; y++) {
        for (int32_t x = 0; x < to->width; x++) to->cells[gen_at(to, x, y)] = from->cells[gen_at(from, x / 2, y / 2)];
    }
}

typedef struct stack {
    size_t *items;
    size_t count, capacity;
} stack;

static bool push(stack *open, size_t at) {
    if (open->count == open->capacity) {
        size_t capacity = open->capacity == 0 ? 1024 : open->capacity * 2;
        size_t *items = realloc(open->items, capacity * sizeof *items);
        if (items == NULL) return false;
        open->items = items;
        open->capacity = capacity;
    }
    open->items[open->count++] = at;
    return true;
}

/* Turn all cells of one value that hang together into another. @return how many, 0 where memory ran out */
static size_t flood(gen_grid *grid, stack *open, size_t first, uint8_t from, uint8_t to) {
    size_t width = (size_t)grid->width, last = width * (size_t)grid->height, size = 0;
    open->count = 0;
    grid->cells[first] = to;
    if (!push(open, first)) return 0;
    while (open->count > 0) {
        size_t at = open->items[--open->count], x = at % width;
        size_t beside[4] = {x > 0 ? at - 1 : at, x + 1 < width ? at + 1 : at, at >= width ? at - width : at,
                            at + width < last ? at + width : at};
        size++;
        for (int i = 0; i < 4; i++) {
            if (grid->cells[beside[i]] != from) continue;
            grid->cells[beside[i]] = to;
            if (!push(open, beside[i])) return 0;
        }
    }
    return size;
}

static bool keep_largest(gen_grid *grid) {
    stack open = {NULL, 0, 0};
    size_t cells = (size_t)grid->width * (size_t)grid->height, best = 0, best_size = 0;
    bool done = true;
    for (size_t at = 0; at < cells && done; at++) {
        if (grid->cells[at] != OPEN) continue;
        size_t size = flood(grid, &open, at, OPEN, SEEN);
        done = size > 0;
        if (size > best_size) {
            best_size = size;
            best = at;
        }
    }
    if (done && best_size > 0) done = flood(grid, &open, best, SEEN, KEPT) > 0;
    for (size_t at = 0; at < cells; at++) grid->cells[at] = grid->cells[at] == KEPT;
    free(open.items);
    return done;
}

bool gen_caves(gen_grid *grid, gen_random *random, int32_t density_milli) {
    int32_t side = grid->width < grid->height ? grid->width : grid->height;
    int doublings = 0;
    while (doublings < MOST_DOUBLINGS && side >> doublings > FINEST_SIDE) doublings++;
    size_t bytes = (size_t)(grid->width + 16) * (size_t)(grid->height + 16);
    gen_grid rough = {0, 0, malloc(bytes), grid->progress}, spare = {0, 0, malloc(bytes), NULL};
    bool done = rough.cells != NULL && spare.cells != NULL;
    for (int level = doublings; done && level >= 0; level--) {
        gen_grid coarse = {rough.width, rough.height, rough.cells, NULL};
        int32_t round_up = (1 << level) - 1;
        rough.width = spare.width = (grid->width + round_up) >> level;
        rough.height = spare.height = (grid->height + round_up) >> level;
        if (level == doublings) {
            gen_noise(&rough, random, density_milli);
        } else {
            enlarge(&coarse, &spare);
            rough.cells = spare.cells;
            spare.cells = coarse.cells;
        }
        wear_often(&rough, &spare, level == doublings ? FIRST_PASSES : LATER_PASSES);
    }
    if (done) {
        memcpy(grid->cells, rough.cells, (size_t)grid->width * (size_t)grid->height);
        done = keep_largest(grid);
    }
    free(rough.cells);
    free(spare.cells);
    return done;
}
