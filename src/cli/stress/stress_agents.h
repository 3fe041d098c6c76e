/* SPDX-License-Identifier: MIT */
/* The agents of `wend stress`: their cells, goals and urgencies, and the frames in which they ask. */
#ifndef WEND_SRC_CLI_STRESS_STRESS_AGENTS_H
#define WEND_SRC_CLI_STRESS_STRESS_AGENTS_H

#include <wend/service.h>

#include "cli/checker/terrain_copy.h"

#define AGENTS_NONE UINT32_MAX

/// How agents behave, and how much room the service gets. By name: `--scenario`.
typedef struct stress_scenario {
    const char *name;
    uint32_t wait_min, wait_max; ///< frames from an answer to the next asking, up to AGENTS_WAIT_MAX
    uint32_t urgent_wait;        ///< the same for urgent agents; 0: as for all
    uint32_t beat;               ///< all ask in the same frame, every `beat` frames; 0: each at its own time
    uint32_t far_percent;        ///< share of goals that lie anywhere; the others are nearby
    uint32_t queue_part;         ///< the queue has room for one agent in `queue_part`
    bool tight;                  ///< the pool has memory for little more than one complete search
    bool walls;                  ///< edits are whole walls
    uint32_t edits;              ///< cells changed in a frame where --edits is not given
    uint32_t versions, restarts; ///< of the map and of the service; 0: their defaults
    bool crowd;                  ///< agents walk, as with --walk; 2,000 of them where --agents is not given
    bool rivals;                 ///< two agents share a number (wend_request.agent): they replace each other's requests
} stress_scenario;

enum { AGENTS_WAIT_MAX = 120, AGENTS_NEAR = 24 };

/// NULL where there is none of that name.
const stress_scenario *stress_scenario_find(const char *name);
/// "even, burst, …"
extern const char stress_scenario_names[];

typedef struct agents_def {
    const terrain_copy *land; ///< with an open cell; must outlive the agents
    const stress_scenario *scenario;
    uint32_t count;
    uint32_t unreachable_percent, same_goal_percent;
    uint64_t seed;
    uint64_t frames;  ///< frames in which they ask; each agent asks at least once
    bool track_cells; ///< count the agents on each cell, for agents_on()
} agents_def;

typedef struct agents agents;

/// @return NULL where memory ran out. All agents ask for the first time in the first frames.
agents *agents_create(const agents_def *def);
void agents_free(agents *all);

/// Is some cell unreachable, so that --unreachable has goals?
bool agents_unreachable_exists(const terrain_copy *land);

/// Take the list of agents that ask before this frame's tick: its first agent, or AGENTS_NONE.
uint32_t agents_take_due(agents *all, uint64_t frame);
uint32_t agents_next_due(const agents *all, uint32_t agent);

/// Fill in an agent's request: start, goal, urgency. An agent on the shared goal goes home first.
void agents_wish(agents *all, uint32_t agent, wend_request *request);
/// The request was accepted; or refused before that frame: the agent asks again before the next one.
void agents_accepted(agents *all, uint32_t agent, wend_ticket ticket);
void agents_refused(agents *all, uint32_t agent, uint64_t frame);
/// The request was answered in that frame: the agent moves to the end of the path, and asks again some frames later.
void agents_answered(agents *all, uint32_t agent, uint64_t frame, const wend_completion *completion);

/// Pick an agent whose pending request is not cancelled yet, and mark it as cancelled. @return AGENTS_NONE where chance
/// found none
uint32_t agents_pick_to_cancel(agents *all, wend_ticket *ticket);

/// Is an agent on that cell? Its last request starts there.
bool agents_on(const agents *all, uint32_t cell);

/// One agent in ten takes what is left of a path where the map has changed (on_stale).
bool agents_takes_what_is_left(uint32_t agent);
/// Is the agent among the most urgent 1 %? At least one is.
bool agents_is_urgent(uint32_t agent);
int32_t agents_urgency(const agents *all, uint32_t agent);

#endif
