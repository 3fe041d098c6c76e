/* SPDX-License-Identifier: MIT */
/* Internal: the memory of a service: its one allocation, slots and pages of searches, versions of maps. */
#ifndef WEND_SRC_SERVICE_MEMORY_MEMORY_H
#define WEND_SRC_SERVICE_MEMORY_MEMORY_H

#include "service/state/service_state.h"

/* ---- layout.c: the layout of the one allocation ---- */

/// Offsets of the parts of a wend__lines.
typedef struct wend__lines_layout {
    size_t of, places, items, heap_places;
} wend__lines_layout;

/// Offsets of all parts. WEND_OK or WEND_BAD_ARGUMENT.
typedef struct wend__layout {
    size_t bytes, mutex, crew, slices, changes, agents, entries, slots, pool, lanes, lists, buffers, finders, blocks;
    size_t cells, goals, rooms;
    size_t items[5];  ///< due, finished far off, parked, returned, left over
    size_t places[3]; ///< the last two share those of the second
    wend__lines_layout lines, waiter_lines;
    size_t words, ids, came, went;
    size_t members, groups, field; ///< only with sharing
    size_t lesser, takers;         ///< only with displacement
    size_t waiters, wheel, promoted;
    uint32_t queue_places; ///< places of the queue, with those beyond its limit
    uint32_t entry_count;
    uint32_t numbers_room;
    uint64_t pages;
    uint32_t block_count, room;
} wend__layout;
/// @param def   its tuning is not NULL
wend_error wend__service_layout(const wend_service_def *def, wend__layout *out);
/// Returns how many memories for far routes a service has. A search needs one for a single step, so all lanes of one
/// thread share it.
uint32_t wend__service_finders(const wend_service_def *def);

/* ---- create.c ---- */

/// Drops all requests without a callback, with their searches: the service is as a new one, except its counts and
/// fields. No frame runs. The caller restores the requests of a save.
void wend__service_forget(wend_service *service);

/* ---- search_memory.c: slots and pages of searches: how they are granted and evicted ---- */

bool wend__memory_take_slot(wend_service *service, uint32_t entry, bool evict);
void wend__memory_free_slot(wend_service *service, uint32_t entry);
/// Drops the search of a waiting request; it begins again later. The request leaves the order of service: the caller
/// puts it back.
void wend__memory_lose_search(wend_service *service, uint32_t entry);
void wend__memory_grant(wend_service *service);
void wend__memory_return(wend_service *service);
/// Outcome of wend__memory_relieve(). NONE: the frame has to end first. TOO_LARGE: the first lane's
/// search does not fit, and no other holds pages.
typedef enum wend__relief { WEND__RELIEF_NONE, WEND__RELIEF_MADE, WEND__RELIEF_TOO_LARGE } wend__relief;
/// Makes progress possible after a round without any.
wend__relief wend__memory_relieve(wend_service *service);

/* ---- version_pins.c: versions that a service holds ---- */

/// Pins the newest version of a map, in place of the one pinned before. The pin stays valid until it is unpinned.
const wend__version *wend__version_pin(wend_service *service, wend_map *map);
void wend__version_unpin(wend_service *service);
/// Takes a pin on the newest version; and returns it.
wend__version *wend__pins_take(wend_service *service, wend_map *map);
void wend__pins_return(wend_service *service, wend__version *version);
/// Drops unused pins: between frames, and while callbacks run, nothing is pinned that no search uses.
void wend__pins_drop(wend_service *service);

#endif
