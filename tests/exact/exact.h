/* SPDX-License-Identifier: MIT */
/* The exactness suite: random worlds with every feature mixed, as plain arrays, and their rules.
 *
 * A world is a flat grid of up to a few chunks a side. The suite asks the library through public calls only, and
 * compares each answer with a plain Dijkstra over the arrays. It shares no code with the library. */
#ifndef WEND_TESTS_EXACT_H
#define WEND_TESTS_EXACT_H

#include "models/worlds.h"
#include <wend/layers.h>
#include <wend/movers.h>
#include <wend/ways.h>

enum {
    EXACT_CELLS = 75000, ///< most cells of a world
    EXACT_LINKS = 200,   ///< most links
    EXACT_MOVERS = 3,    ///< most movers, the default one included
    EXACT_PLACES = 64,   ///< most cells worth a visit
    EXACT_VARIANTS = 4,  ///< requests with the same start and the same meaning of units
    EXACT_BATCH = 24,    ///< requests submitted to a service at a time
    EXACT_LAYERS = 4,    ///< layers of a world that has any
    EXACT_PROFILES = 4,  ///< profiles of a world that has layers
    EXACT_WORDS = 160    ///< room for a description
};

typedef struct exact_world {
    int width, height, cells;
    wend_map_rules rules;
    uint8_t terrain[EXACT_CELLS];
    uint8_t closed[EXACT_CELLS];    ///< bit d: the step in direction d is closed, see exact_dx
    uint8_t occupants[EXACT_CELLS]; ///< units
    wend_link links[EXACT_LINKS];
    int link_count;
    wend_mover movers[EXACT_MOVERS]; ///< the default one first
    int mover_count;
    wend_cell places[EXACT_PLACES]; ///< starts and goals are often here: ends of links, units, rims of chunks
    int place_count;
    int layer_count;                           ///< 0: the map has no layers
    uint32_t half_life[EXACT_LAYERS], updates; ///< updates that have passed
    int within;                                ///< bound of the last layer, a layer of walls
    uint8_t values[EXACT_LAYERS][EXACT_CELLS];
    wend_layer_weight weights[EXACT_PROFILES][EXACT_LAYERS];
    int weight_count[EXACT_PROFILES];
    oracle_random layer_random;
    bool even;              ///< made without slow terrain, links and closed steps
    char kind[EXACT_WORDS]; ///< how it was made, for messages
    /* Derived from the fields above, for each mover: exact_derive(). */
    uint8_t factor[EXACT_MOVERS][EXACT_CELLS]; ///< 0: the mover does not fit
    uint8_t legal[EXACT_MOVERS][EXACT_CELLS];  ///< bit d: the step in direction d is allowed, units apart
    uint8_t entrance[EXACT_CELLS];             ///< 1: a link begins here
    /* Derived from the layers, for each profile; [0]: all 0, for requests without one. */
    uint32_t tolls[EXACT_PROFILES + 1][EXACT_CELLS]; ///< additional cost of a step into the cell
} exact_world;

/* Directions: north, east, south, west, then northeast, southeast, southwest, northwest. */
extern const int exact_dx[8], exact_dy[8];

wend_cell exact_cell(const exact_world *w, int number);
int exact_number(const exact_world *w, wend_cell cell);
bool exact_on(const exact_world *w, int x, int y);

/* ---- making: exact_ground.c, exact_make.c, exact_change.c ---- */

/// Fill the terrain with open and blocked cells. Names the kind of ground.
const char *exact_ground(exact_world *w, oracle_random *random);
/// Make a world, derived data included.
void exact_make(exact_world *w, oracle_random *random);
/// Compute the data that follow from terrain, closed steps, links and movers.
void exact_derive(exact_world *w);
/// A direction in which the rules have steps.
int exact_direction(const exact_world *w, oracle_random *random);
/// A map of the world, units included, accelerated in one of many ways; the caller releases it.
/// @param landmarks   receives how many landmarks it asked for
wend_map *exact_map(exact_world *w, oracle_random *random, int *landmarks);
/// Change terrain, closed steps and links on both, in a few batches; then derive. Maintains the map at times.
void exact_edit(exact_world *w, wend_map *map, oracle_random *random);
/// Change the rules of both, and add a mover at times; then derive.
void exact_change_rules(exact_world *w, wend_map *map, oracle_random *random);
/// Move, add and remove units on both.
void exact_move(exact_world *w, wend_map *map, oracle_random *random);
/// Put units on one cell of both. `map` may be NULL.
void exact_occupy(exact_world *w, wend_map *map, wend_cell cell);

/* ---- costs by place: exact_layers.c. They have random numbers of their own ---- */

/// Give layers and profiles to both, in some worlds.
void exact_layers_make(exact_world *w, wend_map *map);
/// Change values of layers on both. The tolls stay the old ones, which searches in flight see.
void exact_layers_disturb(exact_world *w, wend_map *map, oracle_random *random);
/// Work out the tolls of now.
void exact_layers_derive(exact_world *w);
/// Change values on both, then derive.
void exact_layers_change(exact_world *w, wend_map *map);
/// A profile for a request; 0: none. Does not change `random`.
int32_t exact_layers_profile(const exact_world *w, const oracle_random *random);

/// Pages of nodes that are enough for any search of the world.
uint64_t exact_pages(const exact_world *w);

/* ---- the rules: exact_rules.c ---- */

/// A cell that some unit makes more expensive or blocks for the request.
bool exact_crowded(const exact_world *w, const wend_request *request, wend_cell cell);
/// Cheapest single step or link from a to b for the request, -1: there is none.
int64_t exact_price(const exact_world *w, const wend_request *request, wend_cell a, wend_cell b);
/// The cost of a path; -1 where it cannot be walked.
int64_t exact_walk(const exact_world *w, const wend_request *request, const wend_cell *cells, size_t count);
/// A cell where a path of the request may end as found.
bool exact_target(const exact_world *w, const wend_request *request, wend_cell cell);

/* ---- answers: exact_dijkstra.c ---- */

/// Distances from the request's start, by its mover, with its units. Goals do not count.
typedef struct exact_flood {
    int64_t distance[EXACT_CELLS]; ///< -1: not reached
    uint8_t crowded[EXACT_CELLS];
} exact_flood;

typedef struct exact_answer {
    wend_status status;
    int64_t cost;  ///< -1: no path
    wend_cell end; ///< where partial
} exact_answer;

void exact_measure(const exact_world *w, const wend_request *request, exact_flood *flood);
/// The expected answer of the request's completion, by a flood with the same start, mover and units.
exact_answer exact_ask(const exact_world *w, const wend_request *request, const exact_flood *flood);

/// How far a cell is from the nearest goal, as S5 measures it.
int64_t exact_nearness(const exact_world *w, const wend_request *request, wend_cell cell);

/* ---- requests: exact_requests.c ---- */

/// Start, mover and units of a request. Its goals are exact_aim()'s.
wend_request exact_begin(const exact_world *w, oracle_random *random);
/// Goals, reach, mode, heuristic, weight, engine.
/// @param goals   room for WEND_MAX_GOALS, which the request points to
void exact_aim(const exact_world *w, oracle_random *random, wend_request *request, wend_cell *goals);
/// A cell: in a place worth it, or anywhere; mostly one where the mover fits.
wend_cell exact_pick(const exact_world *w, oracle_random *random, int mover);

/* ---- comparing: exact_check.c ---- */

typedef struct exact_tally {
    uint64_t worlds, queries, wrong;
    uint64_t statuses[WEND_STATUS_COUNT];
    uint64_t jumped;                     ///< answered by WEND_ENGINE_JUMP
    uint64_t weighted;                   ///< with a weight above 1
    uint64_t serviced;                   ///< answered by a service
    uint64_t moved;                      ///< goals moved meanwhile
    uint64_t accelerated;                ///< worlds with tables
    uint64_t marked;                     ///< worlds with landmarks
    uint64_t repeated;                   ///< requested again, with other slices
    uint64_t kinds;                      ///< on voxels and graphs
    uint64_t ruled;                      ///< changes of a world's rules
    uint64_t stirred[WEND_STATUS_COUNT]; ///< searched while units came and went
    uint64_t tolled;                     ///< paths found whose steps pay for layers
    uint64_t limited;                    ///< searched again with just enough expansions, and with one fewer
} exact_tally;
extern exact_tally exact_total;

/// The place of a mismatch, for the message that names it.
typedef struct exact_place {
    uint64_t seed, number;
    uint64_t most_wrong; ///< the program ends there
    const exact_world *world;
    int landmarks;
    bool draw; ///< also print the world
} exact_place;
extern exact_place exact_here;

/// How many times the cheapest cost a request may pay: its weight, or more where the estimate may be too large.
double exact_bound(const exact_world *w, const wend_request *request);
/// Compare a completion with an answer. Counts and prints a mismatch.
/// @param by   name of the answering part, for the message
void exact_compare(const exact_world *w, const wend_request *request, const exact_answer *expected,
                   const wend_completion *got, const wend_cell *cells, const char *by);
/// Count and print a mismatch of any other kind.
void exact_complain(const exact_world *w, const wend_request *request, const char *what);

/// Count a mismatch; end the program where there are too many.
void exact_count_wrong(void);

/// A world of voxels or a graph: make it, ask, edit, ask again.
void exact_other_kinds(oracle_random *random);
/// Ask a phase's questions by bare searches.
void exact_by_search(const exact_world *w, wend_map *map, oracle_random *random);
/// Ask some by a service, and move some goals meanwhile.
void exact_by_service(const exact_world *w, wend_map *map, oracle_random *random);
/// Ask some by a search and by a service while units come and go.
void exact_while_moving(exact_world *w, wend_map *map, oracle_random *random);

#define REQUIRE(condition) exact_require((condition), #condition, __FILE__, __LINE__)
/// End the program where the library refuses a call that it must accept.
void exact_require(bool holds, const char *condition, const char *file, int line);

#endif
