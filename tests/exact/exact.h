/* SPDX-License-Identifier: MIT */
/* The exactness suite: random worlds with every feature mixed. It asks the library through public calls only, and
 * compares each answer with that of the model (models/worlds.h). */
#ifndef WEND_TESTS_EXACT_H
#define WEND_TESTS_EXACT_H

#include "models/worlds.h"
#include <wend/layers.h>
#include <wend/movers.h>
#include <wend/ways.h>

enum {
    EXACT_VARIANTS = 4, ///< requests with the same start and the same meaning of units
    EXACT_BATCH = 24    ///< requests submitted to a service at a time
};

/* ---- maps and changes: exact_change.c ---- */

/// A map of the world, units included, accelerated in one of many ways; the caller releases it.
/// @param landmarks   receives how many landmarks it asked for
wend_map *exact_map(world *w, oracle_random *random, int *landmarks);
/// Change terrain, closed steps and links on both, in a few batches; then derive. Maintains the map at times.
void exact_edit(world *w, wend_map *map, oracle_random *random);
/// Change the rules of both, and add a mover at times; then derive.
void exact_change_rules(world *w, wend_map *map, oracle_random *random);
/// Move, add and remove units on both.
void exact_move(world *w, wend_map *map, oracle_random *random);

/* ---- costs by place: exact_layers.c. They have random numbers of their own ---- */

/// Give layers and profiles to both, in some worlds.
void exact_layers_make(world *w, wend_map *map);
/// Change values of layers on both. The tolls stay the old ones, which searches in flight see.
void exact_layers_disturb(const world *w, wend_map *map, oracle_random *random);
/// Work out the tolls of now.
void exact_layers_derive(world *w);
/// Change values on both, then derive.
void exact_layers_change(world *w, wend_map *map);
/// A profile for a request; 0: none. Does not change `random`.
int32_t exact_layers_profile(const oracle_random *random);

/// Pages of nodes that are enough for any search of the world.
uint64_t exact_pages(const world *w);

/* ---- requests: exact_requests.c ---- */

/// Start, mover and units of a request. Its goals are exact_aim()'s.
wend_request exact_begin(const world *w, oracle_random *random);
/// Goals, reach, mode, heuristic, weight, engine.
/// @param goals   room for WEND_MAX_GOALS, which the request points to
void exact_aim(const world *w, oracle_random *random, wend_request *request, wend_cell *goals);

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
    uint64_t wrapped;                    ///< worlds that wrap
    uint64_t stirred[WEND_STATUS_COUNT]; ///< searched while units came and went
    uint64_t tolled;                     ///< paths found whose steps pay for layers
    uint64_t limited;                    ///< searched again with just enough expansions, and with one fewer
} exact_tally;
extern exact_tally exact_total;

/// The place of a mismatch, for the message that names it.
typedef struct exact_place {
    uint64_t seed, number;
    uint64_t most_wrong; ///< the program ends there
    const world *world;
    int landmarks;
    bool draw; ///< also print the world
} exact_place;
extern exact_place exact_here;

/// How many times the cheapest cost a request may pay: its weight, or more where the estimate may be too large.
double exact_bound(const world *w, const wend_request *request);
/// Compare a completion with an answer. Counts and prints a mismatch.
/// @param by   name of the answering part, for the message
void exact_compare(const world *w, const wend_request *request, const world_answer *expected,
                   const wend_completion *got, const wend_cell *cells, const char *by);
/// Count and print a mismatch of any other kind.
void exact_complain(const world *w, const wend_request *request, const char *what);

/// Count a mismatch; end the program where there are too many.
void exact_count_wrong(void);

/// A world of voxels or a graph: make it, ask, edit, ask again.
void exact_other_kinds(oracle_random *random);
/// Ask a phase's questions by bare searches.
void exact_by_search(const world *w, wend_map *map, oracle_random *random);
/// Ask some by a service, and move some goals meanwhile.
void exact_by_service(const world *w, wend_map *map, oracle_random *random);
/// Ask some by a search and by a service while units come and go.
void exact_while_moving(world *w, wend_map *map, oracle_random *random);

#define REQUIRE(condition) exact_require((condition), #condition, __FILE__, __LINE__)
/// End the program where the library refuses a call that it must accept.
void exact_require(bool holds, const char *condition, const char *file, int line);

#endif
