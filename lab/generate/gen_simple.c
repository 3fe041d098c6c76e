/* SPDX-License-Identifier: MIT */
/* Empty maps and scattered blocks, and the box with which all generators draw. */
#include <string.h>

#include "generate/gen.h"

void gen_fill(gen_grid *grid, int32_t x0, int32_t y0, int32_t x1, int32_t y1, uint8_t value) {
    if (x0 < 0) x0 = 0;
    if (y0 < 0) y0 = 0;
    if (x1 >= grid->width) x1 = grid->width - 1;
    if (y1 >= grid->height) y1 = grid->height - 1;
    if (x1 < x0) return;
    for (int32_t y = y0; y <= y1; y++) memset(grid->cells + gen_at(grid, x0, y), value, (size_t)(x1 - x0 + 1));
}

void gen_progress(const gen_grid *grid, const char *what, int32_t row) {
    if (grid->progress) grid->progress(what, (uint64_t)row, (uint64_t)grid->height);
}

bool gen_empty(gen_grid *grid, gen_random *random, int32_t density_milli) {
    (void)random, (void)density_milli;
    gen_fill(grid, 0, 0, grid->width - 1, grid->height - 1, 1);
    return true;
}

bool gen_noise(gen_grid *grid, gen_random *random, int32_t density_milli) {
    for (int32_t y = 0; y < grid->height; y++) {
        uint8_t *row = grid->cells + gen_at(grid, 0, y);
        for (int32_t x = 0; x < grid->width; x++) row[x] = !gen_chance(random, density_milli);
        gen_progress(grid, "scattering", y);
    }
    return true;
}

bool gen_scattered(gen_grid *grid, gen_random *random, int32_t density_milli) {
    return gen_noise(grid, random, density_milli) && gen_join(grid, random);
}
