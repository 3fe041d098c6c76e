/* SPDX-License-Identifier: MIT */
/* Generators in space: empty, scattered blocks, caves, and cities with houses of different heights. */
#include <stdlib.h>
#include <string.h>

#include "generate/gen.h"

enum { PASSES = 4, TREE = 4, TREE_HEIGHT = 3 };

void gen_fill_space(gen_grid *grid, const int32_t low[3], const int32_t high[3], uint8_t value) {
    gen_grid layer = *grid;
    size_t cells = (size_t)grid->width * (size_t)grid->height;
    for (int32_t z = low[2] > 0 ? low[2] : 0; z <= high[2] && z < grid->depth; z++) {
        layer.cells = grid->cells + (size_t)z * cells;
        gen_fill(&layer, low[0], low[1], high[0], high[1], value);
    }
}

void gen_progress_space(const gen_grid *grid, const char *what, int32_t layer) {
    if (grid->progress) grid->progress(what, (uint64_t)layer, (uint64_t)grid->depth);
}

static size_t layer_cells(const gen_grid *grid) {
    return (size_t)grid->width * (size_t)grid->height;
}

bool gen_space_empty(gen_grid *grid, gen_random *random, int32_t density_milli) {
    (void)random, (void)density_milli;
    memset(grid->cells, 1, layer_cells(grid) * (size_t)grid->depth);
    return true;
}

bool gen_space_noise(gen_grid *grid, gen_random *random, int32_t density_milli) {
    gen_grid layer = *grid;
    layer.progress = NULL;
    for (int32_t z = 0; z < grid->depth; z++) {
        layer.cells = grid->cells + (size_t)z * layer_cells(grid);
        gen_noise(&layer, random, density_milli);
        gen_progress_space(grid, "scattering", z);
    }
    return true;
}

bool gen_space_scattered(gen_grid *grid, gen_random *random, int32_t density_milli) {
    return gen_space_noise(grid, random, density_milli) && gen_join(grid, random);
}

/* ---- caves ---- */

/* For each x of a row, the number of open cells among the nine with that x; cells off the map are rock. */
static void sum_columns(const gen_grid *grid, int32_t y, int32_t z, uint8_t *sums) {
    memset(sums, 0, (size_t)grid->width);
    for (int32_t k = z - 1; k <= z + 1; k++) {
        for (int32_t j = y - 1; j <= y + 1; j++) {
            if (k < 0 || k >= grid->depth || j < 0 || j >= grid->height) continue;
            const uint8_t *row = grid->cells + (size_t)k * layer_cells(grid) + gen_at(grid, 0, j);
            for (int32_t x = 0; x < grid->width; x++) sums[x] = (uint8_t)(sums[x] + row[x]);
        }
    }
}

/* A cell becomes like most of the 27 cells around it. */
static void wear(const gen_grid *from, uint8_t *to, uint8_t *sums) {
    for (int32_t z = 0; z < from->depth; z++) {
        for (int32_t y = 0; y < from->height; y++) {
            uint8_t *row = to + (size_t)z * layer_cells(from) + gen_at(from, 0, y);
            sum_columns(from, y, z, sums);
            for (int32_t x = 0; x < from->width; x++) {
                int open = sums[x] + (x > 0 ? sums[x - 1] : 0) + (x + 1 < from->width ? sums[x + 1] : 0);
                row[x] = open >= 14;
            }
        }
        gen_progress_space(from, "wearing", z);
    }
}

bool gen_space_caves(gen_grid *grid, gen_random *random, int32_t density_milli) {
    size_t cells = layer_cells(grid) * (size_t)grid->depth;
    uint8_t *worn = malloc(cells), *sums = malloc((size_t)grid->width);
    bool done = worn != NULL && sums != NULL;
    if (done) gen_space_noise(grid, random, density_milli);
    for (int i = 0; i < PASSES && done; i++) {
        wear(grid, worn, sums);
        memcpy(grid->cells, worn, cells);
    }
    free(worn);
    free(sums);
    size_t left = 0;
    done = done && gen_keep_largest(grid, &left);
    return done && (left > 0 || gen_grow(grid, random, density_milli));
}

/* ---- a city ---- */

/* Small parts are trees, the others houses. */
static int32_t height_of(gen_random *random, size_t cells, int32_t depth) {
    if (cells <= TREE) return gen_between(random, 1, depth < TREE_HEIGHT ? depth : TREE_HEIGHT);
    return gen_between(random, depth / 4 > 0 ? depth / 4 : 1, depth);
}

/* The blocked cells of the lowest layer become walls as high as their house; the cells above are open. */
static bool raise_houses(gen_grid *grid, gen_random *random) {
    enum { HOUSE = 0, STREET = 1, HERE = 2, BUILT = 3 };
    size_t cells = layer_cells(grid);
    gen_grid plan = {grid->width, grid->height, malloc(cells), NULL, 1};
    bool done = plan.cells != NULL;
    if (done) memcpy(plan.cells, grid->cells, cells);
    if (done) gen_space_empty(grid, random, 0);
    for (size_t first = 0; first < cells && done; first++) {
        if (plan.cells[first] != HOUSE) continue;
        size_t size = gen_flood(&plan, first, HOUSE, HERE);
        int32_t height = height_of(random, size, grid->depth);
        done = size > 0;
        /* The whole house comes after `first`: scan cells in order until all of it was seen. */
        for (size_t at = first; size > 0; at++) {
            if (plan.cells[at] != HERE) continue;
            for (int32_t z = 0; z < height; z++) grid->cells[(size_t)z * cells + at] = 0;
            plan.cells[at] = BUILT;
            size--;
        }
    }
    free(plan.cells);
    return done;
}

bool gen_space_city(gen_grid *grid, gen_random *random, int32_t density_milli) {
    if (grid->width < GEN_SMALLEST_CITY || grid->height < GEN_SMALLEST_CITY)
        return gen_space_scattered(grid, random, GEN_SMALL_MAP_MILLI);
    gen_grid ground_plan = *grid; /* the lowest layer */
    ground_plan.depth = 1;
    return gen_city(&ground_plan, random, density_milli) && raise_houses(grid, random);
}
