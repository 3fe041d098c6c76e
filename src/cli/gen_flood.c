/* SPDX-License-Identifier: MIT */
/* Parts of a map that hang together, for the generators. */
#include <stdlib.h>

#include "gen.h"

enum { OPEN = 1, SEEN = 2, KEPT = 3 };

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

/* The cells beside a cell; the cell itself stands in for those beyond the rim. */
static void look_around(const gen_grid *grid, size_t at, size_t beside[6]) {
    size_t width = (size_t)grid->width, layer = width * (size_t)grid->height;
    size_t cells = layer * (grid->depth > 1 ? (size_t)grid->depth : 1), x = at % width, in_layer = at % layer;
    beside[0] = x > 0 ? at - 1 : at;
    beside[1] = x + 1 < width ? at + 1 : at;
    beside[2] = in_layer >= width ? at - width : at;
    beside[3] = in_layer + width < layer ? at + width : at;
    beside[4] = at >= layer ? at - layer : at;
    beside[5] = at + layer < cells ? at + layer : at;
}

static size_t flood(gen_grid *grid, stack *open, size_t first, uint8_t from, uint8_t to) {
    size_t size = 0, beside[6];
    open->count = 0;
    grid->cells[first] = to;
    if (!push(open, first)) return 0;
    while (open->count > 0) {
        size_t at = open->items[--open->count];
        size++;
        look_around(grid, at, beside);
        for (int i = 0; i < 6; i++) {
            if (grid->cells[beside[i]] != from) continue;
            grid->cells[beside[i]] = to;
            if (!push(open, beside[i])) return 0;
        }
    }
    return size;
}

size_t gen_flood(gen_grid *grid, size_t first, uint8_t from, uint8_t to) {
    stack open = {NULL, 0, 0};
    size_t size = flood(grid, &open, first, from, to);
    free(open.items);
    return size;
}

bool gen_keep_largest(gen_grid *grid) {
    stack open = {NULL, 0, 0};
    size_t cells = (size_t)grid->width * (size_t)grid->height * (grid->depth > 1 ? (size_t)grid->depth : 1);
    size_t best = 0, best_size = 0;
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
