/* SPDX-License-Identifier: MIT */
/* Connected parts of a generated map: floods one, keeps the largest, joins all, or grows one. */
#include <stdlib.h>

#include "generate/gen.h"

enum { BLOCKED = 0, OPEN = 1, SEEN = 2, KEPT = 3 };

typedef struct cell_list {
    size_t *items;
    size_t count, capacity;
} cell_list;

static bool push(cell_list *list, size_t at) {
    if (list->count == list->capacity) {
        size_t capacity = list->capacity == 0 ? 1024 : list->capacity * 2;
        size_t *items = realloc(list->items, capacity * sizeof *items);
        if (!items) return false;
        list->items = items;
        list->capacity = capacity;
    }
    list->items[list->count++] = at;
    return true;
}

static size_t cell_count(const gen_grid *grid) {
    return (size_t)grid->width * (size_t)grid->height * (grid->depth > 1 ? (size_t)grid->depth : 1);
}

/* The cells next to a cell; the cell itself takes the place of cells off the map. */
static void list_beside(const gen_grid *grid, size_t at, size_t beside[6]) {
    size_t width = (size_t)grid->width, layer = width * (size_t)grid->height;
    size_t cells = cell_count(grid), x = at % width, in_layer = at % layer;
    beside[0] = x > 0 ? at - 1 : at;
    beside[1] = x + 1 < width ? at + 1 : at;
    beside[2] = in_layer >= width ? at - width : at;
    beside[3] = in_layer + width < layer ? at + width : at;
    beside[4] = at >= layer ? at - layer : at;
    beside[5] = at + layer < cells ? at + layer : at;
}

/* Breadth first: two frontiers take far less memory than a stack, which would hold most cells of an open map. */
typedef struct frontiers {
    cell_list now, next;
} frontiers;

static void free_frontiers(frontiers *both) {
    free(both->now.items);
    free(both->next.items);
}

static size_t flood(gen_grid *grid, frontiers *both, size_t first, uint8_t from, uint8_t to) {
    size_t size = 0, beside[6];
    both->now.count = both->next.count = 0;
    grid->cells[first] = to;
    if (!push(&both->now, first)) return 0;
    while (both->now.count > 0) {
        for (size_t i = 0; i < both->now.count; i++) {
            size++;
            list_beside(grid, both->now.items[i], beside);
            for (int side = 0; side < 6; side++) {
                if (grid->cells[beside[side]] != from) continue;
                grid->cells[beside[side]] = to;
                if (!push(&both->next, beside[side])) return 0;
            }
        }
        cell_list done = both->now;
        both->now = both->next;
        both->next = done;
        both->next.count = 0;
    }
    return size;
}

size_t gen_flood(gen_grid *grid, size_t first, uint8_t from, uint8_t to) {
    frontiers both = {{NULL, 0, 0}, {NULL, 0, 0}};
    size_t size = flood(grid, &both, first, from, to);
    free_frontiers(&both);
    return size;
}

bool gen_keep_largest(gen_grid *grid, size_t *left) {
    frontiers both = {{NULL, 0, 0}, {NULL, 0, 0}};
    size_t cells = cell_count(grid), best = 0, best_size = 0;
    bool done = true;
    for (size_t at = 0; at < cells && done; at++) {
        if (grid->cells[at] != OPEN) continue;
        size_t size = flood(grid, &both, at, OPEN, SEEN);
        done = size > 0;
        if (size > best_size) {
            best_size = size;
            best = at;
        }
    }
    if (done && best_size > 0) done = flood(grid, &both, best, SEEN, KEPT) > 0;
    for (size_t at = 0; at < cells; at++) grid->cells[at] = grid->cells[at] == KEPT;
    free_frontiers(&both);
    *left = best_size;
    return done;
}

static size_t random_cell(const gen_grid *grid, gen_random *random) {
    size_t x = gen_below(random, (uint32_t)grid->width), y = gen_below(random, (uint32_t)grid->height);
    size_t z = grid->depth > 1 ? gen_below(random, (uint32_t)grid->depth) : 0;
    return (z * (size_t)grid->height + y) * (size_t)grid->width + x;
}

/* Opens a way of straight steps from a cell towards another, up to the first cell that is joined already. */
static void dig_towards(gen_grid *grid, gen_random *random, size_t from, size_t to) {
    size_t stride[3] = {1, (size_t)grid->width, (size_t)grid->width * (size_t)grid->height};
    size_t side[3] = {(size_t)grid->width, (size_t)grid->height, (size_t)(grid->depth > 1 ? grid->depth : 1)};
    while (grid->cells[from] != SEEN) {
        int axes[3], count = 0;
        grid->cells[from] = OPEN;
        for (int i = 0; i < 3; i++)
            if (from / stride[i] % side[i] != to / stride[i] % side[i]) axes[count++] = i;
        int axis = axes[gen_below(random, (uint32_t)count)]; /* `to` is SEEN: some axis is left */
        bool up = from / stride[axis] % side[axis] < to / stride[axis] % side[axis];
        from = up ? from + stride[axis] : from - stride[axis];
    }
}

bool gen_join(gen_grid *grid, gen_random *random) {
    frontiers both = {{NULL, 0, 0}, {NULL, 0, 0}};
    size_t cells = cell_count(grid), first = cells;
    bool done = true;
    for (size_t at = 0; at < cells && done; at++) {
        if (grid->cells[at] != OPEN) continue;
        if (first < cells)
            dig_towards(grid, random, at, first);
        else
            first = at;
        done = flood(grid, &both, at, OPEN, SEEN) > 0;
    }
    if (first == cells) grid->cells[random_cell(grid, random)] = SEEN;
    for (size_t at = 0; at < cells; at++) grid->cells[at] = grid->cells[at] != BLOCKED;
    free_frontiers(&both);
    return done;
}

bool gen_grow(gen_grid *grid, gen_random *random, int32_t density_milli) {
    cell_list frontier = {NULL, 0, 0};
    size_t cells = cell_count(grid), wanted = cells / 1000 * (size_t)(1000 - density_milli), beside[6];
    wanted += cells % 1000 * (size_t)(1000 - density_milli) / 1000;
    if (wanted == 0) wanted = 1;
    bool done = push(&frontier, random_cell(grid, random));
    for (size_t grown = 0; grown < wanted && done; grown++) {
        size_t picked = gen_below(random, frontier.count < UINT32_MAX ? (uint32_t)frontier.count : UINT32_MAX);
        size_t at = frontier.items[picked];
        frontier.items[picked] = frontier.items[--frontier.count];
        grid->cells[at] = OPEN;
        list_beside(grid, at, beside);
        for (int side = 0; side < 6 && done; side++) {
            if (grid->cells[beside[side]] != BLOCKED) continue;
            grid->cells[beside[side]] = SEEN; /* in the list */
            done = push(&frontier, beside[side]);
        }
    }
    for (size_t at = 0; at < cells; at++) grid->cells[at] = grid->cells[at] == OPEN;
    free(frontier.items);
    return done;
}
