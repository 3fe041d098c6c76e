/* SPDX-License-Identifier: MIT */
/* Internal: requests in their orders: lists, the order of service, ages, places, further goals, agents. */
#ifndef WEND_SRC_SERVICE_QUEUE_QUEUE_H
#define WEND_SRC_SERVICE_QUEUE_QUEUE_H

#include "service/state/service_state.h"

/* ---- lists of requests ---- */

void wend__chain_append(wend_service *service, wend__chain *chain, uint32_t entry);
void wend__chain_remove(wend_service *service, wend__chain *chain, uint32_t entry);

/* ---- order.c: the order in which waiting requests are served ---- */

static inline uint64_t wend__order_key(const wend__entry *entry) {
    return wend__line_key(entry->request.urgency, entry->postponed, entry->number);
}

/// Returns a request's key as if it were not postponed.
static inline uint64_t wend__order_place(const wend__entry *entry) {
    return wend__line_key(entry->request.urgency, false, entry->number);
}

void wend__order_push(wend_service *service, uint32_t entry);
void wend__order_remove(wend_service *service, uint32_t entry);
/// Returns the first waiting request, or WEND__NONE.
static inline uint32_t wend__order_first(const wend_service *service) {
    return wend__lines_first(&service->lines);
}

/// Returns the last request without a slot that waits, also for land or to be taken in; or WEND__NONE. Cost: O(slots +
/// requests that are in no line).
/// @param visited   rises by the number of those
uint32_t wend__order_last(const wend_service *service, uint64_t *visited);
/// Returns whether a goes before b.
bool wend__order_before(const wend_service *service, uint32_t a, uint32_t b);

/* ---- ages.c: requests that were taken in and have not finished, the oldest first ---- */

void wend__ages_add(wend_service *service, uint32_t entry);
void wend__ages_remove(wend_service *service, uint32_t entry);
static inline uint32_t wend__ages_older(const wend_service *service, uint32_t a, uint32_t b) {
    if (a == WEND__NONE || b == WEND__NONE) return a == WEND__NONE ? b : a;
    return service->entries[a].number < service->entries[b].number ? a : b;
}

/// Returns WEND__NONE if there is none.
static inline uint32_t wend__ages_oldest(const wend_service *service) {
    const wend__heap *returned = &service->ages.returned;
    const uint32_t first = service->ages.chain.first;
    return returned->count == 0 ? first : wend__ages_older(service, first, returned->items[0].id);
}

/// Returns the oldest request, or the leader of its group; WEND__NONE: there is none.
static inline uint32_t wend__ages_first(const wend_service *service) {
    return wend__searched_for(service, wend__ages_oldest(service));
}

/// Returns the oldest request that waits to be scheduled, or the leader of its group; or WEND__NONE. A request that
/// leaves that state in a round must not return to it before wend__ages_begin_round().
uint32_t wend__ages_oldest_waiting(wend_service *service);
void wend__ages_begin_round(wend_service *service);

/* ---- full.c: a full queue: reserved places for urgent requests, and displaced requests ---- */

/// Most requests that a full queue takes in place of others between two frames.
enum { WEND__MOST_OWED = 4096 };

/// Words of a binary indexed tree (Fenwick 1994) that counts requests by urgency, from the least on.
enum { WEND__LESSER_WORDS = WEND_URGENCY_MAX - WEND_URGENCY_MIN + 2 };

/// Returns places of the queue beyond its limit, for requests that were taken in place of others.
static inline uint32_t wend__full_beyond(const wend_service_def *def) {
    if (!def->displace) return 0;
    return def->queue < WEND__MOST_OWED ? def->queue : WEND__MOST_OWED;
}

/// Cost of both: O(log urgencies).
void wend__full_add(uint32_t *tree, int32_t urgency, int32_t by);
uint32_t wend__full_below(const uint32_t *tree, int32_t urgency);
/// Returns whether a request of this urgency may be accepted. If it takes the place of another, sets `*owes`. The
/// inbox is locked.
/// Cost: O(1).
bool wend__full_admits(const wend__inbox *inbox, int32_t urgency, bool *owes);
/// Counts an accepted request; the inbox is locked.
void wend__full_accepted(wend__inbox *inbox, int32_t urgency, bool owes);
/// Counts that a request without a search in flight got another urgency; the inbox is locked.
void wend__full_move(wend__inbox *inbox, int32_t from, int32_t to);
/// The owner: counts a new request without a search in flight (1), or one that ended or got a slot (-1).
void wend__full_count(wend_service *service, int32_t urgency, int32_t by);

/* ---- goal_store.c: room for further goals ---- */

/// Takes room for some goals; the inbox is locked. Returns false, without taking any, if there is too little.
bool wend__goal_store_keep(wend__goal_store *goals, const wend_cell *cells, uint32_t count, uint32_t *first,
                           uint32_t *last);
/// Frees a chain of `count` goals, which is empty then; the inbox is locked.
void wend__goal_store_give(wend__goal_store *goals, uint32_t *first, uint32_t *last, uint32_t count);
/// Frees the goals of an entry; the inbox is locked.
void wend__goal_store_free(wend__goal_store *goals, wend__entry *entry);
/// Returns the entry's request, with its further goals side by side: with a slot, for as long as the entry has it;
/// without one until the next call.
const wend__request *wend__goal_store_ready(wend_service *service, wend__entry *entry);

/* ---- agent_table.c ---- */

/* The pending request of each agent, by linear hashing. The inbox is locked in each of these calls. */

/// Adds a bucket to the table, as the count of tickets ever opened rose by one. Cost: expected O(1).
void wend__agents_grow(wend_service *service);
/// Makes a request with an agent the agent's pending one. Returns the previous one, which leaves the table, or
/// WEND__NONE. Cost: expected O(1).
uint32_t wend__agents_put(wend_service *service, uint32_t entry);
/// Removes a request with an agent from the table, if it is there. Cost: expected O(1).
void wend__agents_remove(wend_service *service, uint32_t entry);

#endif
