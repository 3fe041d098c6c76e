/* SPDX-License-Identifier: MIT */
/* Checks agents with bodies, from outside: no two discs touch, none is on a blocked cell, none is too fast. */
#ifndef WEND_LAB_PROMISES_DISC_CHECKER_H
#define WEND_LAB_PROMISES_DISC_CHECKER_H

#include "oracle/terrain_copy.h"
#include "promises/promises.h"
#include <wend/body.h>

typedef struct disc_checker disc_checker;

/// @param land     a flat grid: the newest terrain between calls; must outlive the checker, as must the ledger
/// @return NULL where memory ran out
disc_checker *disc_checker_create(const terrain_copy *land, uint32_t agents, promises *ledger);
void disc_checker_free(disc_checker *watch);

/// After a frame: where an agent's disc is, how it goes, and the fastest that it may go in the frame. Then the end of
/// the frame. `cell` is the agent's.
void disc_checker_saw(disc_checker *watch, uint32_t agent, wend_cell cell, const wend_body_state *body,
                      uint32_t speed_milli);
/// Notes where an agent without a body is drawn. It counts as a disc of half a cell, and keeps apart from bodies alone.
void disc_checker_saw_walker(disc_checker *watch, uint32_t agent, wend_point point);
void disc_checker_frame_ends(disc_checker *watch);

#endif
