/* SPDX-License-Identifier: MIT */
/* Compares what requests with one goal took together with what lone searches take for them. */
#ifndef WEND_SRC_LAB_PROMISES_HORDE_H
#define WEND_SRC_LAB_PROMISES_HORDE_H

#include <stdbool.h>
#include <stdint.h>

#include <wend/service.h>

/// Expansions for requests with the goal.
typedef struct horde_sums {
    uint64_t asked; ///< requests
    uint64_t lone;  ///< that lone searches take
    uint64_t best;  ///< lone searches, or one flood for those that were asked in one frame, where that takes less
    uint64_t spent; ///< that the service spent
} horde_sums;

typedef struct horde horde;

/// @param flood   expansions of one flood from the goal
/// @param nodes   that a search may take
/// @return NULL where memory ran out
horde *horde_create(uint32_t agents, uint64_t flood, uint64_t nodes);
void horde_free(horde *all);

/// An agent asked before that frame. It is searched for alone here, if it did not ask from the same cell before.
/// @return false where memory ran out
bool horde_asked(horde *all, uint32_t agent, uint64_t frame, const wend_request *request);
/// The agent was answered. @return the cost by the lone search; −1: it found no path
int64_t horde_answered(horde *all, uint32_t agent, const wend_completion *completion);

/// Take the sums since the last call; or since the beginning, over all calls.
horde_sums horde_take(horde *all);
horde_sums horde_total(const horde *all);

#endif
