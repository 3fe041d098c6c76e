/* SPDX-License-Identifier: MIT */
/* Internal: a map's rules: checks, and the steps that they allow. */
#ifndef WEND_SRC_MAP_STORE_RULES_H
#define WEND_SRC_MAP_STORE_RULES_H

#include "base/base.h"
#include <wend/map.h>

/// Returns the defaults that wend_map_rules_init() writes.
wend_map_rules wend__rules_default(void);
/// A caller's rules, of any size; NULL: the defaults.
/// @return WEND_OK, WEND_BAD_ARGUMENT (struct_bytes)
wend_error wend__rules_read(const wend_map_rules *theirs, wend_map_rules *out);
/// Checks rules. @return WEND_OK, WEND_BAD_ARGUMENT
wend_error wend__rules_check(const wend_map_rules *rules, int32_t kind);
/// Returns the rules with the neighbours that 0 stands for.
wend_map_rules wend__rules_complete(const wend_map_rules *rules, int32_t kind);

/// Fills in the steps that the rules allow, for each mask of open neighbours of a grid's cell (S7's truth table).
void wend__legal_table(const wend_map_rules *rules, uint8_t legal[256]);

/// Returns how many directions, the first ones, connect a cell with an open neighbour: the straight ones, or all if
/// corners do not matter. (If they do, a diagonal step always has a straight way round it.) 0: on graphs.
unsigned wend__contact_directions(const wend_map_rules *rules, int32_t kind);

/// Returns true if straight and diagonal steps cost the same under both.
bool wend__rules_cost_alike(const wend_map_rules *a, const wend_map_rules *b);

/// Returns the greatest common divisor of two costs.
static inline uint32_t wend__common_divisor(uint32_t a, uint32_t b) {
    while (b != 0) {
        uint32_t remainder = a % b;
        a = b, b = remainder;
    }
    return a;
}

#endif
