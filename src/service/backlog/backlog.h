/* SPDX-License-Identifier: MIT */
/* Internal: requests that wait without an entry, where the queue is longer than a service has entries. The inbox is
 * locked in each of these calls. */
#ifndef WEND_SRC_SERVICE_BACKLOG_H
#define WEND_SRC_SERVICE_BACKLOG_H

#include "service/state/service_state.h"

enum {
    WEND__BACKLOG_FROM = 65536,    ///< a longer queue has a backlog
    WEND__BACKLOG_ENTRIES = 16384, ///< entries of a service that has one
    WEND__BACKLOG_SPARE = 8192,    ///< of those entries: for requests that ended, are due, or are urgent
    WEND__WHEEL = 4096             ///< deadlines that are so many frames apart share a list
};

static inline bool wend__has_backlog(const wend_service *service) {
    return service->inbox.backlog.waiters != NULL;
}

/// A free record. WEND__NONE: there is none.
uint32_t wend__backlog_open(wend__backlog *backlog);
/// A record is free again.
void wend__backlog_close(wend__backlog *backlog, uint32_t waiter);
/// Write a request to a record; the agent's number too. Its goals are in the store already.
void wend__backlog_write(wend__waiter *waiter, const wend__request *request);
wend__request wend__backlog_read(const wend__waiter *waiter);
/// A request begins to wait. Cost: O(1), or O(log waiting) where newer ones of its urgency wait.
void wend__backlog_add(wend__backlog *backlog, uint32_t waiter);
/// It does not wait here any more. Cost: O(1), or O(log waiting) where its urgency was changed.
void wend__backlog_remove(wend__backlog *backlog, uint32_t waiter);
/// It waits to be completed with a status, before all others. Cost: as of remove.
void wend__backlog_end(wend__backlog *backlog, uint32_t waiter, wend_status status);
/// Cost: O(log waiting).
void wend__backlog_set_urgency(wend__backlog *backlog, uint32_t waiter, int32_t urgency);
/// Move a request's goal; its further goals are none then.
void wend__backlog_set_goal(wend__waiter *waiter, wend_cell goal);
/// The first in order of service; WEND__NONE: none waits. Cost: O(1).
uint32_t wend__backlog_first(const wend__backlog *backlog);
/// The least urgent, and of those the newest. Cost: O(1).
uint32_t wend__backlog_last(const wend__backlog *backlog);
/// A waiting request that is due in this frame or was before; WEND__NONE: none. Cost: O(deadlines in a list of the
/// wheel).
uint32_t wend__backlog_due(wend__backlog *backlog, uint64_t frame);

#endif
