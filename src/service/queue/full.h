/* SPDX-License-Identifier: MIT */
/* Internal: a full queue: places for the urgent, and requests that may take the places of others. */
#ifndef WEND_SRC_SERVICE_FULL_H
#define WEND_SRC_SERVICE_FULL_H

#include "service/state/service_state.h"

/// Most requests that a full queue takes in place of others between two frames.
enum { WEND__MOST_OWED = 4096 };

/// Words of a binary indexed tree (Fenwick 1994) that counts requests by urgency, from the least on.
enum { WEND__LESSER_WORDS = WEND_URGENCY_MAX - WEND_URGENCY_MIN + 2 };

/// Places of the queue beyond its limit, for requests that were taken in place of others.
static inline uint32_t wend__full_beyond(const wend_service_def *def) {
    if (!def->displace) return 0;
    return def->queue < WEND__MOST_OWED ? def->queue : WEND__MOST_OWED;
}

/// Cost of both: O(log urgencies).
void wend__full_add(uint32_t *tree, int32_t urgency, int32_t by);
uint32_t wend__full_below(const uint32_t *tree, int32_t urgency);
/// May a request of this urgency be accepted? Where it takes the place of another, `*owes` is set. The inbox is locked.
/// Cost: O(1).
bool wend__full_admits(const wend__inbox *inbox, int32_t urgency, bool *owes);
/// A request was accepted; the inbox is locked.
void wend__full_accepted(wend__inbox *inbox, int32_t urgency, bool owes);
/// The owner: a request without a search in flight came up (1) or ended or got a slot (-1).
void wend__full_count(wend_service *service, int32_t urgency, int32_t by);

#endif
