/* SPDX-License-Identifier: MIT */
/* Internal: the state of a joint search, for joint.c and for saves. */
#ifndef WEND_SRC_BODY_ENGINE_JOINT_H
#define WEND_SRC_BODY_ENGINE_JOINT_H

#include "body/engine/state.h"
#include "crowd/local/lacam.h"

enum { WEND__JOINT_MEMBERS = 24, WEND__JOINT_STEPS = 512, WEND__JOINT_FAILS = 6 };
enum { WEND__JOINT_CLOSED, WEND__JOINT_SEARCHING, WEND__JOINT_WALKING };

struct wend__joint {
    uint8_t stage;
    bool whole; ///< no step leads out of the cells
    uint32_t opener, stalled;
    uint64_t serial; ///< of the version whose floor was looked at
    uint32_t cell_count, member_count, most_members, steps;
    wend_cell cells[WEND__LACAM_CELLS]; ///< by number
    uint32_t members[WEND__JOINT_MEMBERS];
    uint32_t made[WEND__JOINT_MEMBERS];                   ///< steps
    uint8_t plan[WEND__JOINT_STEPS][WEND__JOINT_MEMBERS]; ///< cells after each step
    wend__window_cells numbers;
    wend__lacam *lacam;
};

/// Repeats a restored search for steps: the cells, the members and what LaCAM was asked are there.
/// @param searches, tries   of LaCAM so far
/// @return whether it still runs after these tries, as it did
bool wend__joint_repeat(wend__bodies *bodies, uint32_t searches, uint32_t tries);

#endif
