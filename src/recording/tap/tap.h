/* SPDX-License-Identifier: MIT */
/* Internal: a tap reports changes of a map to a recording, as orders. Without a tap this costs a branch. */
#ifndef WEND_SRC_RECORDING_TAP_TAP_H
#define WEND_SRC_RECORDING_TAP_TAP_H

#include "base/base.h"
#include "orders/orders.h"
#include <wend/edit.h>
#include <wend/movers.h>

/// The functions of a recording. They may be called from any thread.
typedef struct wend__tap {
    void *context;
    void (*shut)(void *context); ///< waits until no frame is running, or it is in a callback; until open() none begins
    void (*open)(void *context);
    void (*note)(void *context, const wend_order *order);
    void (*fail)(void *context, wend_error error); ///< reports a change that no script can express
} wend__tap;

/// The changes of an open batch, in memory of the map's.
typedef struct wend__edit_log {
    bool kept;   ///< the map had a tap when the batch began
    bool lost;   ///< no memory for a change
    bool unsaid; ///< the batch removed a node, or an edge next to a link
    wend_change_item *items;
    size_t count, capacity;
} wend__edit_log;

/// Returns the map's tap; NULL: none. Threads: any.
wend__tap *wend__map_tap(const wend_map *map);
/// Threads: any; with the writer's lock held.
void wend__map_set_tap(wend_map *map, wend__tap *tap);

/// Adds a change to a batch's log, if that is kept. A box of one cell is written as WEND_ORDER_SET.
void wend__log_change(wend_map *map, wend__edit_log *log, wend_change_item item);
void wend__log_free(wend_map *map, wend__edit_log *log);

void wend__tap_report(const wend_map *map, const wend_order *order);
/// Reports a published batch; the writer's lock is held, and the tap is shut.
void wend__tap_published(wend__tap *tap, const wend__edit_log *log);
/// Reports that a unit came to a cell, or left one.
void wend__tap_moved(const wend_map *map, wend_cell cell, bool came);
void wend__tap_mover(const wend_map *map, const wend_mover *mover, int32_t id, const wend_map_rules *rules);
/// Reports a change that no script can express at that place: `why` is a sentence.
void wend__tap_unsupported(const wend_map *map, const char *why);

/// Makes the order that adds a mover: the factors that differ from the rules'. @return false: no script can express it
bool wend__mover_order(const wend_mover *mover, int32_t id, const uint8_t factors[256], wend_order *out);
wend_order wend__acceleration_order(const wend_acceleration *def);

#endif
