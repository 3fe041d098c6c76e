/* SPDX-License-Identifier: MIT */
/* Small random worlds of every kind as plain arrays, and their rules: an independent answer to
 * every query. */
#ifndef WEND_TESTS_WORLDS_H
#define WEND_TESTS_WORLDS_H

#include "models/oracle.h"
#include "models/owned.h"
#include <wend/ways.h>

enum { WORLD_CELLS = 2048, WORLD_LINKS = 48, WORLD_MOVERS = 4, WORLD_EDGES = 2048, WORLD_GOALS = 8 };

typedef struct world {
    int kind, width, height, depth, cells;
    wend_map_rules rules; ///< neighbours set
    uint8_t terrain[WORLD_CELLS];
    bool closed[WORLD_CELLS][27]; ///< step to the neighbour (dz + 1) * 9 + (dy + 1) * 3 + dx + 1
    uint8_t occupants[WORLD_CELLS];
    uint32_t tolls[WORLD_CELLS]; ///< additional cost of a step into the cell
    wend_link links[WORLD_LINKS];
    int link_count;
    wend_edge edges[WORLD_EDGES];
    int edge_count;
    bool placed; ///< a graph with coordinates
    wend_cell places[WORLD_CELLS];
    wend_mover movers[WORLD_MOVERS]; ///< the default one first
    int mover_count;
} world;

/// Options of a random world.
typedef struct world_options {
    int kind;
    bool slow, links, steps, movers, occupants;
} world_options;

void world_fill(world *w, oracle_random *random, const world_options *options);
/// The same with nearly as many cells as a world can have.
void world_fill_large(world *w, oracle_random *random, const world_options *options);
/// The same, but a grid of some chunks in a row, by rules that far layers serve.
void world_fill_long(world *w, oracle_random *random, const world_options *options);
/// A map of it; the caller releases it.
wend_map *world_map(const world *w);
/// A random request on it, without a map: ends, mover, and with `special` reach, goals, nearest, occupied,
/// occupied_within.
/// @param goals   room for WORLD_GOALS, which the request points to
wend_request world_request(const world *w, oracle_random *random, bool special, wend_cell *goals);

wend_cell world_cell(const world *w, int number);
int world_number(const world *w, wend_cell cell);
/// Where step i of 27 leads: (dz + 1) * 9 + (dy + 1) * 3 + dx + 1. False: off the world, or no step of its rules.
bool world_neighbour(const world *w, wend_cell from, int i, wend_cell *to);

/// Place i, of 4 times the depth, to which a walker might step up or down. False: off the world, or on this level.
bool world_level(const world *w, wend_cell from, int i, wend_cell *to);

/// Returns the factor of a mover in a cell; 0: it cannot stand there.
int world_factor(const world *w, int mover, wend_cell cell);
/// Returns whether the request's mover can be in a cell, with its terrain and the units that count.
bool world_enters(const world *w, const wend_request *request, wend_cell cell);
/// Returns whether a mover takes a link, itself or as the mover that it is like.
bool world_takes(const wend_mover *movers, int mover, const wend_link *link);
/// The movers of a random link, by its cost: a third of all links are for some movers.
uint32_t world_takers(int32_t cost);
/// Cheapest single step of the request's mover from a to b, UINT64_MAX if there is none. `occupied` is counted.
uint64_t world_step(const world *w, const wend_request *request, wend_cell a, wend_cell b);

/// Computes the cost of the way from a cell to each cell; -1: there is none. Room for WORLD_CELLS.
void world_flood(const world *w, const wend_request *request, wend_cell from, int64_t *distances);

typedef struct world_answer {
    wend_status status;
    int64_t cost;  ///< -1: no path
    wend_cell end; ///< where partial
} world_answer;

/// Returns the expected completion of a request.
world_answer world_ask(const world *w, const wend_request *request);
/// Cost of a path walked step by step, -1 where it cannot be.
int64_t world_walk(const world *w, const wend_request *request, const wend_cell *cells, size_t count);

#endif
