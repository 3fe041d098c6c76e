/* SPDX-License-Identifier: MIT */
/* Checks agents that walk, from outside: by its own copy of the terrain, and by where each agent is in each frame. */
#ifndef WEND_LAB_PROMISES_WALK_CHECKER_H
#define WEND_LAB_PROMISES_WALK_CHECKER_H

#include "oracle/terrain_copy.h"
#include "promises/promises.h"
#include <wend/crowd.h>

typedef struct walk_checker walk_checker;

/// @param land     the newest terrain between calls; must outlive the checker
/// @param ledger   counts what is checked; must outlive it, too
/// @return NULL where memory ran out
walk_checker *walk_checker_create(const terrain_copy *land, uint32_t agents, promises *ledger);
void walk_checker_free(walk_checker *watch);

/// An agent stands there now, with that speed; it is number `agent` of all.
void walk_checker_added(walk_checker *watch, uint32_t agent, wend_cell cell, uint32_t speed_milli);
/// An agent got a goal, to which it walks for so many frames when it is alone; 0: not known, or doors close. Frames in
/// which another agent is within three cells, that is within two of its next cell, are not counted.
void walk_checker_set_goal(walk_checker *watch, uint32_t agent, wend_cell goal, uint64_t lone_frames);
/// This frame is not counted: the agent waits for a search.
void walk_checker_searches(walk_checker *watch, uint32_t agent);
/// An event came; `cell` is the agent's cell in it.
void walk_checker_heard(walk_checker *watch, uint32_t agent, int32_t event, wend_cell cell);
/// After a frame: the cell that an agent holds, and where it is. Then the end of the frame.
void walk_checker_saw(walk_checker *watch, uint32_t agent, wend_cell cell, wend_point point);
/// The same of an agent with a body, of which disc_checker.h checks the rest.
void walk_checker_saw_body(walk_checker *watch, uint32_t agent, wend_cell cell);
void walk_checker_frame_ends(walk_checker *watch, uint64_t allocations);
/// All is over; this many goals have no end.
void walk_checker_finish(walk_checker *watch, uint64_t unfinished);

/// Length of the steps that an agent began since its last goal, as costs; and the longest time, in frames, that it held
/// one cell since then, with another as goal.
uint64_t walk_checker_way(const walk_checker *watch, uint32_t agent);
uint64_t walk_checker_stuck(const walk_checker *watch, uint32_t agent);
/// Steps that all agents began.
uint64_t walk_checker_steps(const walk_checker *watch);

#endif
