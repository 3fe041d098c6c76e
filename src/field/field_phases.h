/* SPDX-License-Identifier: MIT */
/* Internal: the phases of a field, and what moves it from one to another. */
#ifndef WEND_SRC_FIELD_FIELD_PHASES_H
#define WEND_SRC_FIELD_FIELD_PHASES_H

#include "field/field_state.h"

/// Make the field again from its goals. Cost: O(1); clearing is done by the steps.
void wend__field_begin(wend_field *f);

/// The same of a field away from its goals.
void wend__field_begin_away(wend_field *f);

/// Away: what staying on a cell costs; FAR: its distance is none, or not known yet.
uint32_t wend__field_stay(const wend_field *f, uint32_t id);

/// Away: work on the distances for up to `most` expansions, and return how many were spent; go over the next chunk.
/// Each moves on to the next phase.
uint64_t wend__field_measure(wend_field *f, uint64_t most);
void wend__field_range(wend_field *f);
void wend__field_compare(wend_field *f);
void wend__field_turn(wend_field *f);

/// Look at a cell whose steps, links, edges or factor may have changed, or those that lead to it.
void wend__field_look(wend_field *f, uint32_t id);

/// Decide about cells in doubt, for up to `most` expansions; then give the lost ones new ways. Both return how many
/// were spent, and move on to the next phase.
uint64_t wend__field_doubt(wend_field *f, uint64_t most);
uint64_t wend__field_reach(wend_field *f, uint64_t most);

/// Reopen settled cells of the next chunk that a fresh field may have left out successors of. Only cells that are not
/// settled lack a successor's cost, and those cost no less than the bucket in work.
void wend__field_reopen(wend_field *f);

/// Settle open cells in order of cost, for up to `most` expansions. Returns how many were spent. Where no cell is open,
/// the field is complete.
uint64_t wend__field_settle(wend_field *f, uint64_t most);

#endif
