/* SPDX-License-Identifier: MIT */
/* Internal: what moves agents with bodies. The crowd finds their ways and ends their goals; these functions, of a room
 * above it, move their discs. */
#ifndef WEND_SRC_CROWD_STATE_BODY_HOOKS_H
#define WEND_SRC_CROWD_STATE_BODY_HOOKS_H

#include "base/base.h"
#include "map/store/map_layout.h"
#include <wend/motion.h>

/// An order to a body, as its agent's goal asks.
typedef struct wend__body_order {
    wend_cell to;  ///< the cell to whose centre it goes; where it rests: its home
    bool goes;     ///< false: it brakes, and rests where it comes to a stop
    bool stands;   ///< it stays at `to`; else it passes on
    uint64_t goal; ///< another number for each goal
} wend__body_order;

typedef struct wend__body_hooks {
    void *context;
    /// Moves all bodies. Calls wend__body_entered() for each whose centre came into another cell.
    void (*update)(void *context, const wend__version *version, uint32_t elapsed_milli);
    /// Returns whether a body stands: it is at the end of its way, or as near as it gets.
    bool (*rests)(void *context, uint32_t index);
    /// Returns whether no steps of a body and those round it can lead it on, or it has stood for 600 units of time
    /// before what stays.
    bool (*is_hopeless)(void *context, uint32_t index);
    /// Returns the position of a body and, as −1, 0 or 1 along each axis, where it faces.
    wend_point (*point)(void *context, uint32_t index, wend_cell *facing);
    /// Returns the radius of a body, in thousandths of a cell.
    uint32_t (*radius)(void *context, uint32_t index);
    /// Returns whether a disc would fit with its centre in the middle of a cell. `index` is ignored among the others.
    bool (*fits)(void *context, uint32_t index, wend_cell cell);
    /// Puts a body that left the map, or is elsewhere, in the middle of its agent's cell.
    void (*put)(void *context, uint32_t index);
    /// Takes a body off the map: its land is not loaded. It comes back by put(). `gone`: the agent is removed.
    void (*take)(void *context, uint32_t index, bool gone);
    /// Returns whether no disc reaches into a box.
    bool (*is_clear)(void *context, wend_cell low, wend_cell high);
    /// Returns whether a tight body is so near to the end of its step that it may have the next one.
    bool (*stepped)(void *context, uint32_t index);
    /// Told when the crowd is destroyed.
    void (*end)(void *context);
} wend__body_hooks;

#endif
