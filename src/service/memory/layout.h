/* SPDX-License-Identifier: MIT */
/* Internal: where everything lies in the one allocation. */
#ifndef WEND_SRC_SERVICE_LAYOUT_H
#define WEND_SRC_SERVICE_LAYOUT_H

#include "service/state/service_state.h"

/// Offsets of all parts. WEND_OK or WEND_BAD_ARGUMENT.
typedef struct wend__layout {
    size_t bytes, mutex, crew, slices, tickets, agents, entries, slots, pool, lanes, lists, stage, blocks, cells, goals,
        rooms;
    size_t items[7];  ///< runnable, due, finished far off, parked, returned, the shelf, left over
    size_t places[4]; ///< the last three share those of the third
    size_t lines, links, words, ids, came, went;
    size_t bonds, groups, field; ///< only with sharing
    size_t lesser, takers;       ///< only with displacement and without a backlog
    size_t waiters, waiter_items, waiter_places, waiter_lines, wheel, held; ///< only with a backlog
    uint32_t queue_places;       ///< of the queue, those beyond its limit too
    uint32_t entry_count, polls; ///< entries, and those of them that may wait for a poll
    uint32_t numbers_room;
    uint64_t pages;
    uint32_t block_count, poll_blocks, room;
} wend__layout;
/// @param def   its tuning is not NULL
wend_error wend__service_layout(const wend_service_def *def, wend__layout *out);

#endif
