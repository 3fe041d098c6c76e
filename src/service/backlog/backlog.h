/* SPDX-License-Identifier: MIT */
/* Internal: requests that wait for an entry. The inbox is locked in each of these calls. */
#ifndef WEND_SRC_SERVICE_BACKLOG_H
#define WEND_SRC_SERVICE_BACKLOG_H

#include "service/state/service_state.h"

enum {
    WEND__BACKLOG_FROM = 65536,    ///< a longer queue has fewer entries than places
    WEND__BACKLOG_ENTRIES = 16384, ///< number of entries of such a queue
    WEND__BACKLOG_SPARE = 8192,    ///< entries of such a queue for urgent and ending requests
    WEND__WHEEL = 4096             ///< deadlines this many frames apart are in one list
};

/// Returns a pending request's submission number.
static inline uint64_t wend__backlog_number(const wend__backlog *backlog, uint32_t waiter) {
    return wend__line_number(backlog->lines.places[waiter].key);
}

/// Returns a free record. WEND__NONE: there is none.
uint32_t wend__backlog_open(wend__backlog *backlog);
/// Makes a record free again.
void wend__backlog_close(wend__backlog *backlog, uint32_t waiter);
/// Writes a request to a record, with the agent's number. Its goals are in the store already.
void wend__backlog_write(wend__waiter *waiter, const wend__request *request);
wend__request wend__backlog_read(const wend__waiter *waiter);
/// Adds a request to those that wait. Cost: O(1), or O(log waiting) if newer ones of its urgency wait.
void wend__backlog_add(wend__backlog *backlog, uint32_t waiter, uint64_t number);
/// Removes a request from those that wait. Cost: O(1), or O(log waiting) if its urgency was changed.
void wend__backlog_remove(wend__backlog *backlog, uint32_t waiter);
/// Moves a request to those to be completed with a status, before all others. Cost: as of remove.
void wend__backlog_end(wend__backlog *backlog, uint32_t waiter, wend_status status);
/// Cost: O(log waiting).
void wend__backlog_set_urgency(wend__backlog *backlog, uint32_t waiter, int32_t urgency);
/// Moves a request's goal; its further goals are removed.
void wend__backlog_set_goal(wend__waiter *waiter, wend_cell goal);
/// Returns a waiting request that is due in this frame or before; WEND__NONE: none. Cost: O(deadlines in a list of the
/// wheel).
uint32_t wend__backlog_due(wend__backlog *backlog, uint64_t frame);

#endif
