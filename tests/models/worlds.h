/* SPDX-License-Identifier: MIT */
/* Random worlds of every kind as plain arrays, and their rules: an independent answer to every query. */
#ifndef WEND_TESTS_WORLDS_H
#define WEND_TESTS_WORLDS_H

#include "models/dijkstra.h"
#include "models/oracle.h"
#include "models/owned.h"
#include <wend/ways.h>

enum {
    WORLD_CELLS = 2048, ///< most cells of a small world
    WORLD_WIDE = 75000, ///< most cells of a wide grid
    WORLD_WIDE_MOVERS = 3,
    WORLD_EVEN = 40960, ///< most cells of an even grid
    WORLD_LINKS = 200,
    WORLD_MANY_LINKS = 48, ///< most links of a random small world
    WORLD_MOVERS = 4,
    WORLD_EDGES = 2048,
    WORLD_GOALS = 8,
    WORLD_PROFILES = 16,
    WORLD_SPOTS = 64,
    WORLD_WORDS = 160
};

/// Kinds of ground. Even grids have those from WORLD_NOISE on.
enum {
    WORLD_OPEN,
    WORLD_DUST,
    WORLD_WALLS,
    WORLD_BOXES,
    WORLD_ROOMS,
    WORLD_NOISE,
    WORLD_MAZE,
    WORLD_CAVES,
    WORLD_STRIPES,
    WORLD_CORRIDOR,
    WORLD_DIAGONALS,
    WORLD_CHAMBERS,
    WORLD_DENSE_NOISE,
    WORLD_FEW_BOXES,
    WORLD_GROUNDS
};

/// A world. Its arrays have a place for each cell; one that is all 0 has no cells yet.
typedef struct world {
    int kind, width, height, depth, cells;
    int wrap;             ///< WEND_WRAP_…; of a flat grid of 3 cells or more a side
    wend_map_rules rules; ///< neighbours set
    uint8_t *terrain;
    uint32_t *closed; ///< bit i: world_neighbour()'s step i is closed
    uint8_t *occupants;
    uint32_t *tolls[WORLD_PROFILES]; ///< additional cost of a step into the cell, by profile; NULL: none
    wend_link links[WORLD_LINKS];
    int link_count;
    wend_edge edges[WORLD_EDGES];
    int edge_count;
    bool placed;                     ///< a graph with coordinates
    wend_cell *places;               ///< of a graph
    wend_mover movers[WORLD_MOVERS]; ///< the default one first
    int mover_count;
    /// Cells of a wide grid worth a visit: ends of links, units, rims of chunks; where it wraps, its rim.
    wend_cell spots[WORLD_SPOTS];
    int spot_count;
    bool even;             ///< a wide grid made without slow terrain, links and closed steps
    int ground;            ///< WORLD_OPEN to WORLD_GROUNDS - 1, of an even or a wide grid
    char how[WORLD_WORDS]; ///< how a wide grid was made, for messages
    /* Derived from the fields above by world_derive(), for speed: */
    bool derived;
    uint8_t *factors[WORLD_MOVERS]; ///< world_factor() of each cell
    uint32_t *steps[WORLD_MOVERS];  ///< bit i: step i is allowed, units apart
    uint8_t *entrances;             ///< 1: a link begins here
} world;

/// Makes a world of open cells, with the default rules of its kind and the default mover.
void world_begin(world *w, int kind, int width, int height, int depth);
/// Gives a world its size. Contents stay by the cells' numbers; new cells are 0.
void world_resize(world *w, int width, int height, int depth);
/// Frees the arrays. The world is all 0 then.
void world_free(world *w);
/// Copies what is not derived.
void world_copy(world *to, const world *from);
/// Returns the tolls of a profile, 0 at first.
uint32_t *world_tolls(world *w, int32_t profile);
/// Computes the derived fields, again after changes. Where they were never computed, the rules are asked each time.
void world_derive(world *w);

/// Options of a random world.
typedef struct world_options {
    int kind;
    bool slow, links, steps, movers, occupants;
} world_options;

void world_fill(world *w, oracle_random *random, const world_options *options);
/// The same with nearly as many cells as a small world can have.
void world_fill_large(world *w, oracle_random *random, const world_options *options);
/// The same, but a grid of some chunks in a row, by rules that far layers serve.
void world_fill_long(world *w, oracle_random *random, const world_options *options);
/// The same, but a grid that wraps.
void world_fill_wrapping(world *w, oracle_random *random, const world_options *options);
/// Makes a flat grid of up to a few chunks a side, with every feature in several ways, derived data included.
/// @param wrap   WEND_WRAP_…, where the grid has sides for it
void world_fill_wide(world *w, oracle_random *random, int wrap);
/// The same of a given size.
void world_fill_sized(world *w, oracle_random *random, int width, int height, int wrap);
/// Fills a flat grid with open and blocked cells.
/// @param kind   WORLD_OPEN to WORLD_GROUNDS - 1
void world_fill_ground(world *w, oracle_random *random, int kind);
extern const char *const world_grounds[WORLD_GROUNDS];
/// Makes an even grid of some ground and size, for jump search and landmarks: mostly less than two chunks of 64 x 64,
/// some of 3 x 3, some crossing 1,024 cells.
void world_fill_even(world *w, oracle_random *random, const wend_map_rules *rules);
/// Opens and closes a few cells, or a box.
void world_edit_even(world *w, oracle_random *random, wend_edit *edit);
/// Makes the last mover one that is like the mover before it, but avoids a class.
void world_make_avoiding(world *w);
/// Makes cells of a grid blocked or slow, by share, slow ones with classes 2 to 1 + slow_classes.
void world_scatter(world *w, oracle_random *random, double blocked, double slow, int slow_classes);
/// Returns a cell of a wide grid: in a spot or anywhere; mostly one where the mover fits.
wend_cell world_pick(const world *w, oracle_random *random, int mover);
/// A map of it; the caller releases it.
wend_map *world_map(const world *w);
/// Writes cells, closed steps and links, or units.
void world_write(const world *w, wend_edit *edit);
void world_write_units(const world *w, wend_map *map);
/// A random request on it, without a map: ends, mover, and with `special` reach, goals, nearest, occupied,
/// occupied_within.
/// @param goals   room for WORLD_GOALS, which the request points to
wend_request world_request(const world *w, oracle_random *random, bool special, wend_cell *goals);

/* Changes of a world, and of its map: with a NULL edit or map only the world changes. */

void world_set_cell(world *w, wend_edit *edit, wend_cell cell, uint8_t class);
/// Sets the part of a box that is in the world.
void world_set_box(world *w, wend_edit *edit, wend_box box, uint8_t class);
/// Changes some cells, most of them at the rim; closes or opens steps from there, where the grid is not even; gives a
/// link another cost, and so other movers.
void world_edit_rim(world *w, oracle_random *random, wend_edit *edit);
/// Opens or closes a step. False: there is no such step, or it leads over the rim.
bool world_set_step(world *w, wend_edit *edit, wend_cell from, int step, bool open);
/// Returns the number of a link, link_count if there is none.
int world_find_link(const world *w, wend_cell from, wend_cell to);
/// Adds a link, or replaces one. False: it would lead to where it begins or to a neighbour over the rim, or there is no
/// room.
bool world_put_link(world *w, wend_edit *edit, wend_link link);
void world_drop_link(world *w, wend_edit *edit, int link);
void world_occupy(world *w, wend_map *map, wend_cell cell);
/// The same where fewer than three units are.
void world_occupy_few(world *w, wend_map *map, wend_cell cell);
void world_vacate(world *w, wend_map *map, wend_cell cell);

/// Returns whether requests of the mover may leave a blocked start.
bool world_can_leave(const world *w, int mover);

wend_cell world_cell(const world *w, int number);
int world_number(const world *w, wend_cell cell);
wend_cell world_any_cell(const world *w, oracle_random *random);
/// Anywhere on a flat grid; or near a cell, in line with it, or in a corner of a chunk.
wend_cell world_cell_near(const world *w, oracle_random *random, wend_cell near);
bool world_has(const world *w, wend_cell cell);
/// Returns the number of the step by (dx, dy, dz), as world_neighbour() numbers them.
static inline int world_step_number(int dx, int dy, int dz) {
    return (dz + 1) * 9 + (dy + 1) * 3 + dx + 1;
}
/// North, east, south, west, then northeast, southeast, southwest, northwest.
extern const int world_dx[8], world_dy[8];
/// Returns whether the world has a cell at (dx, dy, dz) from another, over the rim where it wraps.
bool world_beside(const world *w, wend_cell from, int dx, int dy, int dz, wend_cell *to);
/// Returns how far two cells are apart along each axis, the shorter way round.
wend_cell world_apart(const world *w, wend_cell a, wend_cell b);
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

/// Returns whether a unit makes a cell more expensive, or blocks it, for the request.
bool world_crowded(const world *w, const wend_request *request, wend_cell cell);
/// Returns whether a path of the request may end here as found.
bool world_target(const world *w, const wend_request *request, wend_cell cell);

/// Computes the cost of the way from a cell to each cell; -1: there is none. Room for w->cells.
void world_flood(const world *w, const wend_request *request, wend_cell from, int64_t *distances);
/// Computes how far each cell is from the nearest goal, were the world empty. Room for w->cells.
void world_nearness(const world *w, const wend_request *request, double *out);

typedef struct world_answer {
    wend_status status;
    int64_t cost;  ///< -1: no path
    wend_cell end; ///< where partial
} world_answer;

/// Returns the expected completion of a request.
world_answer world_ask(const world *w, const wend_request *request);
/// The same, by a flood from the request's start with the same mover, units and profile.
world_answer world_ask_flooded(const world *w, const wend_request *request, const int64_t *distances);
/// Returns the cost of the cheapest way of the default mover, or -1. The start may be blocked.
int64_t world_cost(const world *w, wend_cell start, wend_cell goal);
/// Returns the cost of its path, or -1: it cannot be walked, or does not lead from start to goal.
int64_t world_path(const world *w, wend_cell start, wend_cell goal, const wend_cell *cells, size_t count);
/// Cost of a path walked step by step, -1 where it cannot be.
int64_t world_walk(const world *w, const wend_request *request, const wend_cell *cells, size_t count);

#endif
