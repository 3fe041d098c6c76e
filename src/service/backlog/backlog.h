/* SPDX-License-Identifier: MIT */
/* Internal: requests that wait for an entry. The inbox is locked in each of these calls. */
#ifndef WEND_SRC_SERVICE_BACKLOG_H
#define WEND_SRC_SERVICE_BACKLOG_H

#include "service/state/service_state.h"

enum {
    WEND__BACKLOG_FROM = 65536,    ///< a longer queue has fewer entries than places
    WEND__BACKLOG_ENTRIES = 16384, ///< its entries
    WEND__BACKLOG_SPARE = 8192,    ///< its `spare`
    WEND__WHEEL = 4096             ///< deadlines this many frames apart are in one list
};

/// A pending request's submission number.
static inline uint64_t wend__backlog_number(const wend__backlog *backlog, uint32_t waiter) {
    return wend__line_number(backlog->lines.places[waiter].key);
}

/// A free record. WEND__NONE: there is none.
uint32_t wend__backlog_open(wend__backlog *backlog);
/// A record is free again.
void wend__backlog_close(wend__backlog *backlog, uint32_t waiter);
/// Write a request to a record; the agent's number too. Its goals are in the store already.
void wend__backlog_write(wend__waiter *waiter, const wend__request *request);
wend__request wend__backlog_read(const wend__waiter *waiter);
/// A request begins to wait. Cost: O(1), or O(log waiting) where newer ones of its urgency wait.
void wend__backlog_add(wend__backlog *backlog, uint32_t waiter, uint64_t number);
/// It does not wait here any more. Cost: O(1), or O(log waiting) where its urgency was changed.
void wend__backlog_remove(wend__backlog *backlog, uint32_t waiter);
/// It waits to be completed with a status, before all others. Cost: as of remove.
void wend__backlog_end(wend__backlog *backlog, uint32_t waiter, wend_status status);
/// Cost: O(log waiting).
void wend__backlog_set_urgency(wend__backlog *backlog, uint32_t waiter, int32_t urgency);
/// Move a request's goal; its further goals are none then.
void wend__backlog_set_goal(wend__waiter *waiter, wend_cell goal);
/// A waiting request that is due in this frame or was before; WEND__NONE: none. Cost: O(deadlines in a list of the
/// wheel).
uint32_t wend__backlog_due(wend__backlog *backlog, uint64_t frame);

#endif
