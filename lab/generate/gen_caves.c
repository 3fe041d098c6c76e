/* SPDX-License-Identifier: MIT */
/* Caves: scattered rock, worn smooth by a cellular automaton from coarse to fine; only the largest cave stays. */
#include <stdlib.h>
#include <string.h>

#include "generate/gen.h"

enum { FIRST_PASSES = 4, LATER_PASSES = 2, FINEST_SIDE = 160, MOST_DOUBLINGS = 3 };

/* The number of open cells among three in a row around x; cells off the map are rock. */
static int open_of_three(const uint8_t *row, int32_t x, int32_t width) {
    if (!row) return 0;
    return (x > 0 ? row[x - 1] : 0) + row[x] + (x + 1 < width ? row[x + 1] : 0);
}

/* A cell becomes like most of the nine cells around it. */
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

bool gen_caves(gen_grid *grid, gen_random *random, int32_t density_milli) {
    int32_t side = grid->width < grid->height ? grid->width : grid->height;
    int doublings = 0;
    while (doublings < MOST_DOUBLINGS && side >> doublings > FINEST_SIDE) doublings++;
    size_t bytes = (size_t)(grid->width + 16) * (size_t)(grid->height + 16);
    gen_grid rough = {0, 0, malloc(bytes), grid->progress, 1}, spare = {0, 0, malloc(bytes), NULL, 1};
    size_t left = 0;
    bool done = rough.cells != NULL && spare.cells != NULL;
    for (int level = doublings; done && level >= 0; level--) {
        gen_grid coarse = {rough.width, rough.height, rough.cells, NULL, 1};
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
        done = gen_keep_largest(grid, &left);
        if (done && left == 0)
            done = gen_grow(grid, random, density_milli); /* wear leaves no open cell on small maps */
    }
    free(rough.cells);
    free(spare.cells);
    return done;
}
