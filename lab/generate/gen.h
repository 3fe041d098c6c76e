/* SPDX-License-Identifier: MIT */
/* Map generators: each fills a grid from a seed, with the same bytes on every machine (whole numbers only). */
#ifndef WEND_LAB_GENERATE_GEN_H
#define WEND_LAB_GENERATE_GEN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <wend/map.h>
#include <wend/graph.h>

typedef struct gen_grid {
    int32_t width, height;
    uint8_t *cells; ///< row by row, layer by layer: 1 open, 0 blocked; all blocked at first
    void (*progress)(const char *what, uint64_t done, uint64_t total); ///< called with the rows done; may be NULL
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
/// Sets a box, both corners in, clipped to the grid.
void gen_fill(gen_grid *grid, int32_t x0, int32_t y0, int32_t x1, int32_t y1, uint8_t value);

/// Sets a box in space.
void gen_fill_space(gen_grid *grid, const int32_t low[3], const int32_t high[3], uint8_t value);

/// Reports progress by rows, or by layers.
void gen_progress(const gen_grid *grid, const char *what, int32_t row);
void gen_progress_space(const gen_grid *grid, const char *what, int32_t layer);

/// Gives the value `to` to all cells of value `from` that are connected with `first` by straight steps.
/// @return how many, 0 where memory ran out
size_t gen_flood(gen_grid *grid, size_t first, uint8_t from, uint8_t to);
/// Block all open cells outside the largest connected part. @return false where memory ran out
/// @param left   receives the number of cells that stay open
bool gen_keep_largest(gen_grid *grid, size_t *left);
/// Open ways between all open parts, or one cell where none is open. @return false where memory ran out
bool gen_join(gen_grid *grid, gen_random *random);
/// Grow one open part from a random cell of a map without open cells. @return false where memory ran out
/// @param density_milli   share of the cells that stay blocked; at least one opens
bool gen_grow(gen_grid *grid, gen_random *random, int32_t density_milli);

/// A generator. Each makes a map with open cells, all connected by straight steps, of any size from 1 x 1 on.
/// @param density_milli   0 to 1,000; its meaning depends on the generator
/// @return false where memory ran out
typedef bool gen_make(gen_grid *grid, gen_random *random, int32_t density_milli);

gen_make gen_empty;     ///< density has no meaning
gen_make gen_noise;     ///< cells blocked; the open ones may be several parts, or none: for other generators only
gen_make gen_scattered; ///< cells blocked, before ways are opened between parts
/// Share of blocked cells in a map that is too small for its kind, which gets scattered blocks.
enum { GEN_SMALL_MAP_MILLI = 250, GEN_SMALLEST_CITY = 10 };
gen_make gen_maze;  ///< walls kept of a maze without loops (1000: exactly one way between any two cells)
gen_make gen_rooms; ///< doors left out beyond those needed to reach every room
gen_make gen_caves; ///< rock before it is worn smooth
gen_make gen_city;  ///< blocks with houses; the others are parks

/* The same in space. */
gen_make gen_space_empty;
gen_make gen_space_noise;
gen_make gen_space_scattered;
gen_make gen_space_maze;  ///< storeys of corridors, with shafts
gen_make gen_space_rooms; ///< storeys of rooms, with hatches
gen_make gen_space_caves;
gen_make gen_space_city; ///< houses of many heights, open air above

/* gen_roads.c */

/// Nodes are 1 to `nodes`; at[0] is not used.
typedef struct gen_roads {
    uint32_t nodes;
    wend_cell *at;
    wend_edge *edges;
    uint64_t edge_count;
} gen_roads;

/// Crossings on a bent grid, connected by lanes, main roads and a few fast roads; every node can be reached from
/// every other.
/// @param density_milli   streets left out beyond those needed to reach every node
/// @return false where memory ran out; free `at` and `edges` with free() in any case
bool gen_roads_make(gen_roads *roads, gen_random *random, int32_t density_milli);

#endif
