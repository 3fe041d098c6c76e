/* SPDX-License-Identifier: MIT */
/* Internal: the last resort against a jam that pushing cannot solve. The cells around a stuck agent are closed to
 * others, LaCAM finds steps for all agents inside. Each goes on as soon as those that
 * come to its next cell before it have left that. One window at a time in a crowd. */
#ifndef WEND_SRC_AGENTS_PLAN_WINDOW_H
#define WEND_SRC_AGENTS_PLAN_WINDOW_H

#include "agents/floor/lacam.h"
#include "agents/state/crowd_state.h"

enum { WEND__WINDOW_CLOSED, WEND__WINDOW_GATHERING, WEND__WINDOW_SEARCHING, WEND__WINDOW_WALKING };

typedef struct wend__window {
    uint8_t stage;
    uint32_t opener;   ///< the stuck agent for which the window was opened
    int32_t mover;     ///< mover of all members
    uint64_t revision; ///< revision of the map on which the steps were found
    uint32_t denied;   ///< updates in a row in which all were at rest, and none had made a step
    uint32_t slices;   ///< updates of the search so far
    uint32_t late;     ///< updates in a row in which some body had not ended its step, and none had made one
    uint64_t due;      ///< update before which no window opens
    uint32_t cell_count, member_count, most_members;
    wend_cell cells[WEND__LACAM_CELLS];   ///< by number
    uint32_t members[WEND__LACAM_AGENTS]; ///< slots
    uint64_t serials[WEND__LACAM_AGENTS]; ///< serials of the members
    uint32_t made[WEND__LACAM_AGENTS];    ///< steps of the solution that each member has made
    uint32_t next[WEND__LACAM_AGENTS];    ///< the same after the next move of each; of this update
    uint32_t planned[WEND__LACAM_AGENTS]; ///< slots of the members that may move now
    wend__window_cells numbers;
    wend__lacam *lacam;
} wend__window;

/// Returns the bytes of a crowd's window; 0 if it has none: on voxels and graphs, and for one agent.
size_t wend__window_bytes(const wend_crowd_def *def);
wend__window *wend__window_init(void *memory, const wend_crowd_def *def);

/// Repeats the search of a restored window: its cells are the same, and lacam has its agents.
/// @param searches, tries   as they were
/// @return whether the search came as far as its stage requires
bool wend__window_repeat(wend_crowd *crowd, const wend__version *version, uint32_t searches, uint32_t tries);

/// Opens a window around an agent at rest that is stuck on its way, unless there is one, or the agent's last one was
/// not long ago. The agents in it finish their steps and begin no others.
/// @return whether a window was opened
bool wend__window_open(wend_crowd *crowd, const wend__version *version, uint32_t index);
/// Returns whether a cell is closed for as long as the window lasts.
bool wend__window_closes(const wend_crowd *crowd, wend_cell cell);
/// Returns whether the window moves an agent, so that it does not choose a step.
bool wend__window_holds(const wend_crowd *crowd, uint32_t index);
/// Continues the window, before each decision: searches, or plans the next steps. Within limits it searches less.
void wend__window_update(wend_crowd *crowd, const wend__version *version, bool limited);
/// Notes the planned steps that the decision has granted.
void wend__window_note_steps(wend_crowd *crowd);

#endif
