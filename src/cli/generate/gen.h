/* SPDX-License-Identifier: MIT */
/* Map generators: each fills a grid from a seed, the same bytes on every machine (whole numbers only). */
#ifndef WEND_SRC_CLI_GENERATE_GEN_H
#define WEND_SRC_CLI_GENERATE_GEN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct gen_grid {
    int32_t width, height;
    uint8_t *cells; ///< row by row, layer by layer: 1 open, 0 blocked; all blocked at first
    void (*progress)(const char *what, uint64_t done, uint64_t total); ///< told of rows done; may be NULL
    int32_t depth;                                                     ///< layers; 0 counts as 1
} gen_grid;

typedef struct gen_random {
    uint64_t state[4];
} gen_random;

void gen_seed(gen_random *random, uint64_t seed);
uint32_t gen_next(gen_random *random);
/// A number below n, n ≥ 1; and one from low to high, both in.
uint32_t gen_below(gen_random *random, uint32_t n);
int32_t gen_between(gen_random *random, int32_t low, int32_t high);
/// True `milli` times in 1,000.
bool gen_chance(gen_random *random, int32_t milli);

static inline size_t gen_at(const gen_grid *grid, int32_t x, int32_t y) {
    return (size_t)y * (size_t)grid->width + (size_t)x;
}
/// Set a box, both corners in, clipped to the grid.
void gen_fill(gen_grid *grid, int32_t x0, int32_t y0, int32_t x1, int32_t y1, uint8_t value);

/// The same in space.
void gen_fill_space(gen_grid *grid, const int32_t low[3], const int32_t high[3], uint8_t value);

/// Tell of a row; of a layer.
void gen_progress(const gen_grid *grid, const char *what, int32_t row);
void gen_progress_space(const gen_grid *grid, const char *what, int32_t layer);

/// Cells of value `from` that hang together with `first` by straight steps get value `to`. @return how many, 0 where
/// memory ran out.
size_t gen_flood(gen_grid *grid, size_t first, uint8_t from, uint8_t to);
/// Of all that is open, only the largest part stays. False where memory ran out.
/// @param left   receives how many cells stay open
bool gen_keep_largest(gen_grid *grid, size_t *left);
/// Open ways between all parts that are open, and one cell where none is. False where memory ran out.
bool gen_join(gen_grid *grid, gen_random *random);
/// Grow one open part from a random cell of a map that is blocked throughout. False where memory ran out.
/// @param density_milli   share of the cells that stay blocked; at least one opens
bool gen_grow(gen_grid *grid, gen_random *random, int32_t density_milli);

/// Each makes a map with open cells, all of them connected by straight steps, from 1 x 1 cells on.
/// @param density_milli   0 to 1,000; what it is the share of, each says
/// @return false where memory ran out
typedef bool gen_make(gen_grid *grid, gen_random *random, int32_t density_milli);

gen_make gen_empty;     ///< no meaning
gen_make gen_noise;     ///< cells blocked; what is open may fall into parts, or be nothing
gen_make gen_scattered; ///< cells blocked before ways are opened between the parts
/// The density that a map is scattered with where it is too small for what its kind is built of.
enum { GEN_SMALL_MAP_MILLI = 250, GEN_SMALLEST_CITY = 10 };
gen_make gen_maze;  ///< walls kept of a maze without loops (1000: exactly one way between any two cells)
gen_make gen_rooms; ///< doors left out of those not needed to reach every room
gen_make gen_caves; ///< rock to begin with, before it is worn smooth
gen_make gen_city;  ///< blocks built up, the others being parks

/* In space; density as above. */
gen_make gen_space_empty;
gen_make gen_space_noise;
gen_make gen_space_scattered;
gen_make gen_space_maze;  ///< storeys of corridors, with shafts
gen_make gen_space_rooms; ///< storeys of rooms, with hatches
gen_make gen_space_caves;
gen_make gen_space_city; ///< houses of many heights, open air above

#endif
