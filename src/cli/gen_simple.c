/* SPDX-License-Identifier: MIT */
/* Generators without a plan: empty ground and scattered blocks; and the box that all draw with. */
#include <string.h>

#include "gen.h"

void gen_fill(gen_grid *grid, int32_t x0, int32_t y0, int32_t x1, int32_t y1, uint8_t value) {
    if (x0 < 0) x0 = 0;
    if (y0 < 0) y0 = 0;
    if (x1 >= grid->width) x1 = grid->width - 1;
    if (y1 >= grid->height) y1 = grid->height - 1;
    if (x1 < x0) return;
    for (int32_t y = y0; y <= y1; y++) memset(grid->cells + gen_at(grid, x0, y), value, (size_t)(x1 - x0 + 1));
}

bool gen_empty(gen_grid *grid, gen_random *random, int32_t density_milli) {
    (void)random, (void)density_milli;
    gen_fill(grid, 0, 0, grid->width - 1, grid->height - 1, 1);
    return true;
}

bool gen_noise(gen_grid *grid, gen_random *random, int32_t density_milli) {
    size_t count = (size_t)grid->width * (size_t)grid->height;
    for (size_t i = 0; i < count; i++) grid->cells[i] = !gen_chance(random, density_milli);
    return true;
}
