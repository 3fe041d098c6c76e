/* SPDX-License-Identifier: MIT */
/* Boxes of a crowd: is a place free of agents, and how they leave it. */
#ifndef WEND_BOXES_H
#define WEND_BOXES_H

#include <wend/crowd.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Most boxes that a crowd clears at once, and cells of one.
#define WEND_MAX_CLEARED_BOXES 64
#define WEND_MAX_CLEARED_CELLS 4096

/// Find out whether a box is clear of bodies: no agent of the crowd holds a cell of it or is still leaving one, and no
/// unit of the host or of another crowd stands there. wend_map_get_occupants() counts cells held alone: it is 0 as soon
/// as a step out of a cell begins. Ghosts do not count, nor does what wend_crowd_clear_box() adds.
/// @param clear   receives whether it is
/// @return WEND_OK, WEND_OUT_OF_RANGE, WEND_BAD_ARGUMENT (min above max)
/// Threads: owner. Cost: O(agents + cells of the box).
WEND_API wend_error wend_crowd_is_clear(const wend_crowd *crowd, wend_box box, bool *clear);

/// Clear a box, to build there or to close a door: agents that stand in it leave it by the shortest way, before all
/// others but steered ones, and no agent enters it until it is released. An agent on a path out of the box goes on
/// along it. The event CLEAR comes in the first update that ends when no body is in the box, as wend_crowd_is_clear()
/// has it; also in the next one, if none is now. Goals stay: an agent that is sent into the box stops as near as it
/// gets; one that has arrived there comes back once the box is released, any other stays where it left it. The host
/// moves steered agents, also out of the box. Each cell of the box counts one unit more, so that searches that see
/// units find ways round it.
/// @param box   at most WEND_MAX_CLEARED_CELLS cells; of a graph, the nodes of these numbers. It may overlap others
/// @return WEND_OK, WEND_OUT_OF_RANGE, WEND_BAD_ARGUMENT (min above max, too many cells), WEND_IN_USE (this box is
///         being cleared), WEND_BUSY (WEND_MAX_CLEARED_BOXES are; events; a cell has no room for a unit),
///         WEND_OUT_OF_MEMORY (the counts of units, on a streamed map)
/// Threads: owner. Cost: O(cells of the box); updates until the event O(agents + cells of the box), and for each agent
/// in it wend_crowd_tuning.work.
WEND_API wend_error wend_crowd_clear_box(wend_crowd *crowd, wend_box box);

/// End the clearing of a box, with or without its event.
/// @return WEND_OK, WEND_EMPTY (the box is not being cleared)
/// Threads: owner. Cost: O(cells of the box).
WEND_API wend_error wend_crowd_release_box(wend_crowd *crowd, wend_box box);

/// Get the boxes that are being cleared or kept clear, in the order of the calls.
/// @param boxes   receives the first `capacity` boxes; may be NULL with capacity 0, to count only
/// @param count   receives the number of boxes, also when that is more than capacity
/// @return WEND_OK, WEND_BAD_ARGUMENT
/// Threads: owner. Cost: O(boxes).
WEND_API wend_error wend_crowd_get_boxes(const wend_crowd *crowd, wend_box *boxes, size_t capacity, size_t *count);

#ifdef __cplusplus
}
#endif
#endif
