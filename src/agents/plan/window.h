/* SPDX-License-Identifier: MIT */
/* Internal: the last resort against a jam that pushing cannot solve. The cells around an agent that is stuck are closed
 * to others, LaCAM finds steps for everybody in there, and they make them together. One window at a time in a crowd. */
#ifndef WEND_SRC_AGENTS_PLAN_WINDOW_H
#define WEND_SRC_AGENTS_PLAN_WINDOW_H

#include "agents/floor/lacam.h"
#include "agents/state/crowd_state.h"

enum { WEND__WINDOW_CLOSED, WEND__WINDOW_GATHERING, WEND__WINDOW_SEARCHING, WEND__WINDOW_WALKING };

typedef struct wend__window {
    uint8_t stage;
    uint32_t opener; ///< the agent for which it was opened
    int32_t mover;   ///< of all members
    uint64_t serial; ///< of the version on which the steps were found
    uint32_t step;   ///< steps made
    uint32_t denied; ///< decisions in a row that did not begin a step
    uint32_t slices; ///< of the search that did not end: updates
    uint32_t late;   ///< updates in a row in which some member had not ended its step, where there are bodies
    uint64_t due;    ///< none opens before that update
    uint32_t cell_count, member_count, most_members;
    wend_cell cells[WEND__LACAM_CELLS];   ///< by number
    uint32_t members[WEND__LACAM_AGENTS]; ///< slots
    uint64_t serials[WEND__LACAM_AGENTS]; ///< of the members
    uint32_t planned[WEND__LACAM_AGENTS]; ///< slots of the members that make the next step
    wend__window_cells numbers;
    wend__lacam *lacam;
} wend__window;

/// Returns the bytes of a crowd's window; 0 where it has none: on voxels and graphs, and for one agent.
size_t wend__window_bytes(const wend_crowd_def *def);
wend__window *wend__window_init(void *memory, const wend_crowd_def *def);

/// Makes the search of a restored window again: its cells are the same, and lacam has its agents.
/// @param searches, tries   as they were
/// @return whether it came as far as its stage says
bool wend__window_repeat(wend_crowd *crowd, const wend__version *version, uint32_t searches, uint32_t tries);

/// Opens a window around an agent at rest that is stuck on its way, unless there is one, or the agent's last one was
/// not long ago. The agents in it finish their steps and begin no others.
/// @return whether it was opened
bool wend__window_open(wend_crowd *crowd, const wend__version *version, uint32_t index);
/// Returns whether a cell is closed for as long as the window lasts.
bool wend__window_closes(const wend_crowd *crowd, wend_cell cell);
/// Returns whether the window moves an agent, so that it does not choose a step.
bool wend__window_holds(const wend_crowd *crowd, uint32_t index);
/// Goes on with the window, before each decision: searches, or plans the next steps. Within limits it searches less.
void wend__window_update(wend_crowd *crowd, const wend__version *version, bool limited);

#endif
