/* SPDX-License-Identifier: MIT */
/* The agents of `wend stress`: their cells, goals and urgencies, and the frames in which they ask. */
#ifndef WEND_LAB_LOADS_AGENTS_H
#define WEND_LAB_LOADS_AGENTS_H

#include <wend/service.h>

#include "oracle/terrain_copy.h"
#include "loads/scenarios.h"

#define AGENTS_NONE UINT32_MAX

enum { AGENTS_WAIT_MAX = 120, AGENTS_NEAR = 24 };

typedef struct agents_def {
    const terrain_copy *land; ///< with an open cell; must outlive the agents
    const stress_scenario *scenario;
    uint32_t count;
    uint32_t unreachable_percent, same_goal_percent;
    uint64_t seed;
    uint64_t frames;  ///< frames with requests; each agent has at least one
    bool track_cells; ///< count the agents on each cell, for agents_on()
} agents_def;

typedef struct agents agents;

/// @return NULL where memory ran out. All agents ask for the first time in the first frames.
agents *agents_create(const agents_def *def);
void agents_free(agents *all);

/// Draws a cell of the map, open or not.
wend_cell agents_random_cell(const terrain_copy *land, uint64_t *random);
/// Draws a cell of the square or cube around another, on the map or not. On a graph it is where this many random steps
/// lead.
wend_cell agents_near_cell(const terrain_copy *land, wend_cell from, int32_t reach, uint64_t *random);

/// Returns true if some cell is unreachable, so that --unreachable has goals.
bool agents_unreachable_exists(const terrain_copy *land);

/// Takes the list of agents that ask before this frame's tick: its first agent, or AGENTS_NONE.
uint32_t agents_take_due(agents *all, uint64_t frame);
uint32_t agents_next_due(const agents *all, uint32_t agent);

/// Fills in an agent's request: start, goal, urgency. An agent on the shared goal goes home first.
void agents_fill_request(agents *all, uint32_t agent, wend_request *request, wend_search_options *options);
/// The request was accepted; or refused before that frame: the agent submits it again before the next one.
void agents_accepted(agents *all, uint32_t agent, wend_ticket ticket);
void agents_refused(agents *all, uint32_t agent, uint64_t frame);
/// The request was answered in that frame: the agent moves to the end of the path, and submits the next one some frames
/// later.
void agents_answered(agents *all, uint32_t agent, uint64_t frame, const wend_completion *completion);

/// Picks an agent with an uncancelled pending request, and marks it as cancelled. @return AGENTS_NONE if chance found
/// none
uint32_t agents_pick_to_cancel(agents *all, wend_ticket *ticket);

/// Agents with a pending request, in no order, by their index below the count.
uint32_t agents_pending_count(const agents *all);
uint32_t agents_pending_at(const agents *all, uint32_t index);
bool agents_is_pending(const agents *all, uint32_t agent);
/// Marks an agent's request as cancelled. @return false where none is pending, or it is marked already
bool agents_cancel(agents *all, uint32_t agent, wend_ticket *ticket);

/// The next agent in turn without a pending request, of the urgent ones or of the others; AGENTS_NONE: there is none.
uint32_t agents_next_free(agents *all, bool urgent);
/// The agent submits in that frame, whatever became of its older request (scenario `clicks`).
void agents_ask_in(agents *all, uint32_t agent, uint64_t frame);
/// Two agents are the two hands of one player in scenario `clicks`: one cancels the other's request, then asks.
uint32_t agents_other_hand(uint32_t agent);
/// Moves the goal of a pending request by a few steps. @return false where the request is cancelled
bool agents_move_goal(agents *all, uint32_t agent, wend_ticket *ticket, wend_cell *goal);
/// The goal that same-goal agents have.
wend_cell agents_shared_goal(const agents *all);

/// Returns true if an agent is on that cell. Its last request starts there.
bool agents_on(const agents *all, uint32_t cell);

/// Is the agent among the most urgent 1 %? At least one is.
bool agents_is_urgent(uint32_t agent);
int32_t agents_urgency(const agents *all, uint32_t agent);

#endif
