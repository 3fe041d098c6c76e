/* SPDX-License-Identifier: MIT */
/* The agents of `wend stress`: where they stand, where they want to go, how urgently, and when they ask again. */
#ifndef WEND_SRC_CLI_STRESS_STRESS_AGENTS_H
#define WEND_SRC_CLI_STRESS_STRESS_AGENTS_H

#include <wend/service.h>

#include "cli/checker/ground.h"

#define AGENTS_NONE UINT32_MAX

/// How agents behave, and how much room the service gets. By name: `--scenario`.
typedef struct stress_scenario {
    const char *name;
    uint32_t wait_min, wait_max; ///< frames from an answer to the next asking, up to AGENTS_WAIT_MAX
    uint32_t urgent_wait;        ///< the same for urgent agents; 0: as for all
    uint32_t beat;               ///< all ask together, every so many frames; 0: each at its own time
    uint32_t far_percent;        ///< of the goals lie anywhere, the others nearby
    uint32_t queue_part;         ///< the queue holds one agent in so many
    bool tight;                  ///< the pool holds little more than one complete search
    bool walls;                  ///< edits come as whole walls
    uint32_t edits;              ///< cells changed a frame, where nothing else is asked for
    uint32_t versions, restarts; ///< of the map and of the service; 0: their defaults
} stress_scenario;

enum { AGENTS_WAIT_MAX = 120, AGENTS_NEAR = 24 };

/// NULL where there is none of that name.
const stress_scenario *stress_scenario_find(const char *name);
/// "even, burst, …"
extern const char stress_scenario_names[];

typedef struct agents_def {
    const ground *land; ///< with an open cell; must outlive the agents
    const stress_scenario *scenario;
    uint32_t count;
    uint32_t unreachable_percent, same_goal_percent;
    uint64_t seed;
    uint64_t frames;    ///< in which they may ask: each asks at least once
    bool keep_standing; ///< remember on which cells agents stand
} agents_def;

typedef struct agents agents;

/// NULL where there is no memory. All ask for the first time in the scenario's first frames.
agents *agents_create(const agents_def *def);
void agents_free(agents *all);

/// Some cell of another part or a blocked one exists, so that --unreachable can be had.
bool agents_unreachable_exists(const ground *land);

/// The first of those that ask before this frame's tick, AGENTS_NONE: nobody. They are no longer due then.
uint32_t agents_take_due(agents *all, uint64_t frame);
uint32_t agents_next_due(const agents *all, uint32_t agent);

/// Make up an agent's wish: start, goal, urgency. An agent on the goal that several share goes home first.
void agents_wish(agents *all, uint32_t agent, wend_request *request);
/// The wish was accepted before that frame; or refused: it asks again before the next one.
void agents_accepted(agents *all, uint32_t agent, wend_ticket ticket);
void agents_refused(agents *all, uint32_t agent, uint64_t frame);
/// The wish was answered in that frame: the agent goes where the path leads, and asks again some frames later.
void agents_answered(agents *all, uint32_t agent, uint64_t frame, const wend_completion *completion);

/// One of those with a request pending that is not yet cancelled; AGENTS_NONE where none was hit. It counts as
/// cancelled.
uint32_t agents_pick_to_cancel(agents *all, wend_ticket *ticket);

/// Does any agent stand on that cell? What it asked for last starts there.
bool agents_stand_on(const agents *all, uint32_t cell);

/// One in ten: where the map changes meanwhile, it takes what is left of its path (on_stale).
bool agents_takes_what_is_left(uint32_t agent);
/// Among the top 1 % by urgency (at least one agent is).
bool agents_is_urgent(uint32_t agent);
int32_t agents_urgency(const agents *all, uint32_t agent);

#endif
