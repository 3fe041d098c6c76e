/* SPDX-License-Identifier: MIT */
/* Features of worlds, happenings and moments, each with each other: the tables, a world that has a value of each
 * factor, and the counts. */
#ifndef WEND_TESTS_PAIRS_H
#define WEND_TESTS_PAIRS_H

#include "models/counting.h"
#include "models/defaults.h"
#include "models/random.h"

#include <wend/agents.h>
#include <wend/body.h>
#include <wend/boxes.h>
#include <wend/control.h>
#include <wend/crowd_tuning.h>
#include <wend/mark.h>
#include <wend/query.h>
#include <wend/search_options.h>
#include <wend/save.h>
#include <wend/stream.h>
#include <wend/units.h>
#include <wend/ways.h>

/* ---- combinations ---- */

/// Factors of a world. A feature is a value of a factor; factor_names and value_names in features.c explain them.
enum {
    GROUND,
    CORNERS,
    TERRAIN,
    DERIVED,
    MOVER,
    WAYS,
    UNITS,
    LAYERS,
    MODE,
    GOALS,
    ENGINE,
    ESTIMATE,
    LAND,
    OPTION,
    THREADS,
    SHARING,
    POOL,
    QUEUE,
    CROWD,
    MEMORY,
    FACTORS
};
enum { GRID8, GRID4, HEX, ROUND, SHEETS, STREAMED, VOXELS, GRAPH, PLACED };
enum { EVEN, SLOW };
enum { UNDERIVED, TABLES, LANDMARKS, FAR, LATER };
enum { DEFAULT_MOVER, SWIMMER, LARGE, WALKER, SHY };
enum { NO_WAYS, LINKS, LEDGES, LINKS_AND_WALLS };
enum { UNITS_IGNORED, UNITS_BLOCK, UNITS_PRICE, UNITS_WITHIN };
enum { NO_LAYERS, VALUES, FADING, WALLS };
enum { EXACT, NEAREST, FAR_ROUTE };
enum { ONE_GOAL, SEVERAL, REACH, SEVERAL_REACH };
enum { AUTO, ASTAR, JUMP };
enum { EXACT_ESTIMATE, MANHATTAN, EUCLID, ZERO, WEIGHT };
enum { BLOCK, WAIT, KNOWN };
enum { NO_OPTION, AGENT, DEADLINE, MAXIMUM, LEAVES_START, DELIVERS_STALE };
enum { ONE_LANE, FOUR_LANES, WORKERS };
enum { ALONE, SHARE };
enum { AMPLE, SMALL, DISPLACE };
enum { NO_CROWD, CELLS, BODIES, GROUP, FIELD_GROUP, FORMATION, PATROL, FOLLOWERS };
enum { BLOCKS, ARENA };

/// Moments of a happening. BEFORE: nothing has been searched. UNDER_WAY: the search was seen to have begun and not to
/// have ended. FINISHED: its answer waits for delivery. EDITED: as BEFORE or UNDER_WAY, and an edit came after the last
/// frame.
enum { BEFORE, UNDER_WAY, FINISHED, EDITED, MOMENTS };

enum { MOST_VALUES = 9, MOST_HAPPENINGS = 112 };
extern const char *const factor_names[FACTORS];
extern const char *const value_names[FACTORS][MOST_VALUES]; ///< NULL after the last
extern const char *const moment_names[MOMENTS];
int value_count(int factor);

/// Features that no world has together: the call that refuses them, and its sentence.
typedef struct forbidden {
    struct {
        int factor;
        unsigned values; ///< bit set
    } has[3];            ///< unused ones have no values
    const char *call;
    wend_error error;
    const char *sentence;
} forbidden;
extern const forbidden forbidden_rows[];
extern const size_t forbidden_count;

/* ---- a world ---- */

enum { PEOPLE = 8, MOST_PLACES = 512, MOST_ASKED = 96, MOST_TOLD = 8 };

typedef struct pair_world pair_world;

/// A request, and the state at its submission.
typedef struct asked {
    pair_world *world;
    wend_request request; ///< has the goals in force
    wend_search_options options;
    wend_cell goals[MOST_TOLD];
    wend_ticket ticket;
    uint64_t changes; ///< world.changes when it was submitted
    uint64_t unit_moves;
    int answers;
    bool cancelled, replaced, goal_moved;
    void (*on_answer)(struct asked *own); ///< action of its callback, in addition
} asked;

struct pair_world {
    uint8_t values[FACTORS];
    uint64_t random;
    const uint8_t *input, *input_end; ///< bytes of a fuzzer, for hostile arguments
    wend_arena *arena;                ///< arena of the world, with this struct; NULL: each object has its own blocks
    wend_allocator allocator;
    counting memory;
    wend_map *map;
    wend_service *service;
    wend_crowd *crowd;
    int32_t mover, layer, profile;
    uint32_t route;
    wend_layer_weight weights[WEND_MAX_PROFILE_LAYERS];
    uint32_t weight_count;
    wend_cell places[MOST_PLACES]; ///< where something happens
    int place_count;
    wend_agent_id agents[PEOPLE];
    asked asked[MOST_ASKED];
    int asked_count;
    asked *main;              ///< the request of this happening
    uint64_t changes;         ///< counts changes of path costs, units apart
    uint64_t unit_moves;      ///< counts moves of the host's units and of agents
    uint64_t told;            ///< a hash of all answers and events
    bool unjudged;            ///< answers are not compared with the oracle's
    bool closed, ending;      ///< the service takes nothing more; it is being destroyed
    const char *refused_call; ///< call that ended the making of a world
};

/// Returns a world with these values, without any objects so far.
pair_world *world_new(const uint8_t values[FACTORS]);
/// After world_close().
void world_free(pair_world *w);
/// Makes a world with the values of *w. Returns an error where a call refuses it, and sets refused_call.
wend_error world_open(pair_world *w);
/// Frees the rest; fails where bytes or answers are missing.
void world_close(pair_world *w);
bool world_is(const pair_world *w, int factor, unsigned values);
#define BIT(value) (1u << (value))
wend_cell world_place(pair_world *w);
/// The same, of land that is loaded: elsewhere edits are refused.
wend_cell world_loaded_place(pair_world *w);
bool world_is_loaded(const pair_world *w, wend_cell cell);
/// Returns a place where the mover can stand, or any place where there is none after some tries.
wend_cell world_open_place(pair_world *w);
bool world_is_open(const pair_world *w, int32_t mover, wend_cell cell);
/// Returns whether the map takes a link between two places.
bool world_links(const pair_world *w, wend_cell from, wend_cell to);
/// Fills in a request with the world's features.
void world_ask(pair_world *w, asked *own);
/// Submits it. Returns NULL where the queue is full.
asked *world_submit(pair_world *w, asked *own);
asked *world_new_asked(pair_world *w);
/// Saves of map, service and crowd. {0}: none.
typedef struct world_saves {
    void *bytes[3];
    size_t count[3];
} world_saves;
/// Saves all of it, where no pending request is on another map (WEND_EMPTY).
wend_error world_save(pair_world *w, world_saves *out);
/// Restores it; callbacks are given back by their tickets.
wend_error world_load(pair_world *w, const world_saves *saves);
void world_saves_free(world_saves *saves);
/// Returns a hash of the visible world: answers, events, agents.
uint64_t world_seen(pair_world *w);
void world_frame(pair_world *w, uint64_t expansions, uint64_t deliveries, wend_frame *frame);
/// Runs frames until all requests are answered.
void world_finish(pair_world *w);
/// Blocks or opens one place near the current work.
wend_error world_edit(pair_world *w);
void world_send(pair_world *w);
/// Adds the agents that are lacking, where there is room.
void world_add_people(pair_world *w);

/// Ends the program with the world's state, where a claim does not hold.
void claim_at(bool holds, int line, const char *file, const char *format, ...) __attribute__((format(printf, 4, 5)));
#define CLAIM(holds, ...) claim_at(holds, __LINE__, __FILE__, __VA_ARGS__)

/* ---- happenings ---- */

/// Number of calls with hostile arguments that end a world.
enum { HOSTILE_CALLS = 60 };

/// Requirements of a happening; ENDS: nothing can happen to its world afterwards.
enum { NEEDS_NOTHING = 0, NEEDS_CROWD = 1, NEEDS_BODIES = 2, ENDS = 4, NEEDS_ARENA = 8 };

typedef struct happening_row {
    const char *name;
    wend_error (*happen)(pair_world *w); ///< WEND_EMPTY where it found nothing to do
    unsigned needs;
} happening_row;
/// The last of each has no name.
extern const happening_row happenings_of_maps[], happenings_of_services[], happenings_of_crowds[],
    happenings_of_marks[], hostile_happenings[];

/// A refused happening: where, its error, and its sentence.
typedef struct refusal {
    const char *happening;
    unsigned moments;
    int factor;
    unsigned values;
    bool may; ///< the happening may also be accepted
    wend_error error;
    const char *sentence;
} refusal;
extern const refusal refusals[];
extern const size_t refusal_count;

/// Prints factors, moments, happenings, forbidden and refused combinations; each a line of JSON.
void print_table(void);

/* ---- driving ---- */

enum { HAPPENINGS = 400 }; ///< most of a world
extern const happening_row *happenings[MOST_HAPPENINGS];
extern size_t happening_count;

/// Lists the happenings, and reports the world where the program dies.
void drive_init(void);
/// Reports are about this world.
void drive_watch(const pair_world *w);
/// Makes a world; its number and a seed give its random numbers.
pair_world *drive_begin(const uint8_t values[FACTORS], uint64_t seed, uint64_t number);
/// Lets something happen at a moment, then finishes all requests, unless it ends the world.
void drive_happening(pair_world *w, int happening, int moment);
/// Ends it by calls with hostile arguments at a moment.
void drive_hostile(pair_world *w, int moment);
void drive_end(pair_world *w);

/* ---- the oracle ---- */

/// Compares an answer with Dijkstra's algorithm over single steps of the newest version. Called in the callback.
void judge(asked *own, const wend_completion *completion);

/* ---- counts ---- */

void cover_begin(void);
/// Returns whether a world may have these values, those of the factors in the bit set `known`, and the happening then; -1:
/// none.
bool cover_can_meet(const uint8_t values[FACTORS], int known, int happening, int moment);
/// Draws values so that many new combinations are met.
void cover_draw(uint8_t values[FACTORS], uint64_t *random);
/// Begins the choices of a world: no choice is made twice in it.
void cover_begin_world(void);
/// Returns the happening and moment of most features that lack them; false: none does.
bool cover_choose(const uint8_t values[FACTORS], unsigned needs, uint64_t *random, int *happening, int *moment);
void cover_world(const uint8_t values[FACTORS]);
void cover_met(const uint8_t values[FACTORS], int happening, int moment, bool refused);
/// Prints the counts; returns whether all that is possible was met.
bool cover_report(bool whole);

#endif
