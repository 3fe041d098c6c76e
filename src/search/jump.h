/* SPDX-License-Identifier: MIT */
/* Internal: jump search (Harabor and Grastien 2011, 2014) on the tables of map/jumps.h. docs/jump.md tells how it works. */
#ifndef WEND_SRC_JUMP_H
#define WEND_SRC_JUMP_H

#include "search/search_internal.h"

/// Does it serve this request on this version? Even ground, exact rules, a plain request; and the tables are there.
bool wend__jump_serves(const wend__version *version, const wend_request *request);

/// As wend__search_begin() and the rest, which share out the work. `begin` finds status, version, start and goal set.
void wend__jump_begin(wend__search *search);
/// Where `is_jump` is false afterwards the search outgrew what jump search can hold, and is to begin anew with A*.
uint64_t wend__jump_step(wend__search *search, wend__stock *stock, uint64_t budget);
void wend__jump_conclude(wend__search *search, wend__stock *stock);
void wend__jump_expanded(const wend__search *search, wend__cell_list *list);
void wend__jump_cells(const wend__search *search, wend_cell *out, uint64_t count);
void wend__jump_directions(const wend__search *search, uint8_t *out);

/// A cell of a map at most 65,536 cells wide and high.
static inline uint32_t wend__jump_cell(int32_t x, int32_t y) {
    return (uint32_t)x << 16 | (uint32_t)y;
}

static inline int32_t wend__jump_x(uint32_t cell) {
    return (int32_t)(cell >> 16);
}

static inline int32_t wend__jump_y(uint32_t cell) {
    return (int32_t)(cell & 0xffff);
}

#endif
