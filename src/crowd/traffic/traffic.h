/* SPDX-License-Identifier: MIT */
/* Internal: who of a crowd holds which cells, and which steps begin. Knows nothing of wishes, searches and events.
 *
 * A step moves the holding at once: from the decision in which it begins, a traveller holds the next place only. Two
 * travellers never hold one cell, nor change places, nor cross on a diagonal, with steps under way either. Ghosts are
 * outside of all this. docs/design/traffic.md has the rules and what they promise. */
#ifndef WEND_SRC_CROWD_TRAFFIC_TRAFFIC_H
#define WEND_SRC_CROWD_TRAFFIC_TRAFFIC_H

#include "crowd/store/work.h"
#include "map/store/map_layout.h"

enum { WEND__NO_TRAVELLER = -1 };

/// One for each slot of the crowd. The crowd writes the fields marked "in" between decisions.
typedef struct wend__traveller {
    wend_cell at;     ///< its own cell; it holds size x size cells right and down of it (x size upwards in space)
    wend_cell from;   ///< where the step under way began; the crowd sets it to `at` when the step ends
    wend_cell next;   ///< in: the step that it wants now, legal on the map; equal to `at`: none
    int32_t mover;    ///< in
    int32_t urgency;  ///< in: -1000 to 1000
    uint32_t waited;  ///< decisions in a row in which it wanted a step and got none
    uint8_t size;     ///< cells, of its mover
    uint8_t present;  ///< between enter and leave
    uint8_t ghost;    ///< passes through others, and they through it
    uint8_t ready;    ///< in: at rest (`from` equal to `at`), and may begin a step. Those not ready are not pushed
    uint8_t steered;  ///< in: its step is decided before all others', and it is not pushed
    uint8_t has_wish; ///< in: it keeps its rank while it wants no step. Else its rank begins with its next want
    uint8_t moved;    ///< out: a step from `from` to `at` begins in this decision
    uint8_t pushed;   ///< out: with `moved`: the step is not the one that it wanted; it makes room for another
    int32_t root;     ///< out: with `moved`: the traveller for whom all those steps are made; it may be this one
} wend__traveller;

/// Write the next cells of a traveller's path after `at`, up to capacity. Asked only about travellers that want a step.
/// @return how many there are, up to capacity
typedef uint32_t wend__ahead_fn(void *context, uint32_t index, wend_cell *cells, uint32_t capacity);

typedef struct wend__traffic wend__traffic;

/// @param agents   1 to 2^20 slots
size_t wend__traffic_bytes(const wend_map *map, uint32_t agents);
/// @param memory   64-byte aligned, wend__traffic_bytes() long; the traffic is there
/// @param map      outlives it
wend__traffic *wend__traffic_init(void *memory, wend_map *map, uint32_t agents);
/// Does a recording hear of units that travellers are counted as? At first it does.
void wend__traffic_tell(wend__traffic *traffic, bool told);
/// The slots, all absent at first.
wend__traveller *wend__traffic_travellers(wend__traffic *traffic);

/// Put a traveller on a place, at rest: it holds the place and is counted as a unit there. Ghosts hold nothing.
/// @param version   the newest of the map
/// @return WEND_OK, WEND_OUT_OF_RANGE, WEND_BAD_ARGUMENT (no such mover, or it cannot stand there), WEND_BUSY (held, or
///         a unit stands there), WEND_OUT_OF_MEMORY (of the counts of units)
/// Note why nobody can stand on a cell: WEND_BUSY (somebody does), WEND_BAD_ARGUMENT (blocked). @return `error`
WEND__COLD wend_error wend__traffic_refuse(wend_error error, wend_cell cell);
wend_error wend__traffic_enter(wend__traffic *traffic, const wend__version *version, uint32_t index, wend_cell cell,
                               int32_t mover, bool ghost);
/// Take it away, at rest or not; nothing where it is absent.
void wend__traffic_leave(wend__traffic *traffic, uint32_t index);

/// Make travellers another mover where they are, all of them or none; each is at rest then. The cells that they come to
/// hold must have no other traveller and no unit of the host.
/// @param version   the newest of the map, on which each can stand at its cell as that mover
/// @param indices   each once
/// @return false: a cell is not free
bool wend__traffic_become(wend__traffic *traffic, const wend__version *version, const uint32_t *indices, size_t count,
                          int32_t mover);

/// Decide which steps begin now: those of steered travellers, then by urgency, then by who has waited longest for its
/// wish, then by index. The counts of units follow.
/// @param version   the newest of the map
/// @param asking    all that are ready and may want a step, by index; the others that are ready want none
/// @param work     for pushes: where it is used up, only steered travellers and the first in order push others
/// Cost: O(asking + cells that they push others to).
void wend__traffic_decide(wend__traffic *traffic, const wend__version *version, const uint32_t *asking, uint32_t count,
                          wend__work *work, wend__ahead_fn *ahead, void *context);

/// A wish of it has ended, or another one begins: it gives its rank back, and is the youngest of its urgency.
void wend__traffic_end_wish(wend__traffic *traffic, uint32_t index);

/// Those whose steps begin in the last decision, but ghosts. Valid until the next decision.
const int32_t *wend__traffic_moved(const wend__traffic *traffic, uint32_t *count);

/// Reserve a second place for a traveller, apart from the one that it holds, or take that back, if it has one. Between
/// decisions.
void wend__traffic_reserve(wend__traffic *traffic, uint32_t index, wend_cell cell);
void wend__traffic_unreserve(wend__traffic *traffic, uint32_t index);
/// Returns whether a cell belongs to a place that is reserved. `holder` receives what wend__traffic_holder() returns.
bool wend__traffic_is_reserved(const wend__traffic *traffic, wend_cell cell, int32_t *holder);

/// The traveller that holds a cell; WEND__NO_TRAVELLER.
int32_t wend__traffic_holder(const wend__traffic *traffic, wend_cell cell);
/// Would a traveller of that size at that cell share a cell with another, or with a unit of the host?
/// @param index   this one's own cells do not count; WEND__NO_TRAVELLER: all do
bool wend__traffic_is_held(const wend__traffic *traffic, wend_cell cell, int32_t size, int32_t index);

#endif
