/* SPDX-License-Identifier: MIT */
/* Internal: the cells to which a step, a link or an edge leads from a cell, and those from which one leads there. */
#ifndef WEND_SRC_FIELD_FIELD_WAYS_H
#define WEND_SRC_FIELD_FIELD_WAYS_H

#include "field/field_state.h"
#include "map/kinds/voxels.h"
#include "map/kinds/walkers.h"

/// Returns whether a cell is next to the rim of the chunk, on a plane and in space.
static inline bool wend__field_inside(bool flat, uint32_t id) {
    const uint32_t local = id & 4095;
    return flat ? (local & 63) - 1 < 62 && (local >> 6) - 1 < 62 : wend__voxel_inside(local);
}

/// Returns the cell in a direction, on the map, of any chunk.
static inline uint32_t wend__field_beyond(const wend_field *f, bool flat, uint32_t id, unsigned d) {
    const uint32_t local = id & 4095, chunk = id >> 12;
    if (flat) {
        const int32_t x = (int32_t)(local & 63) + wend__dx[d], y = (int32_t)(local >> 6) + wend__dy[d];
        const int32_t to = (int32_t)chunk + (y >> 6) * (int32_t)f->columns + (x >> 6);
        return (uint32_t)to << 12 | (uint32_t)(y & 63) << 6 | (uint32_t)(x & 63);
    }
    const int32_t x = (int32_t)(local & 15) + wend__sx[d], y = (int32_t)(local >> 4 & 15) + wend__sy[d],
                  z = (int32_t)(local >> 8) + wend__sz[d];
    const int32_t to = (int32_t)chunk + (z >> 4) * (int32_t)f->layer + (y >> 4) * (int32_t)f->columns + (x >> 4);
    return (uint32_t)to << 12 | (uint32_t)(z & 15) << 8 | (uint32_t)(y & 15) << 4 | (uint32_t)(x & 15);
}

/// The steps out of an open cell of a grid, or of voxels.
static inline uint32_t wend__field_steps(const wend_field *f, bool flat, const wend__chunk *chunk, uint32_t id) {
    if (flat) return wend__chunk_steps(f->view, chunk, id & 4095);
    if (WEND__LIKELY(!chunk->closed_near && wend__voxel_inside(id & 4095)))
        return wend__voxel_steps_at(f->view, chunk, id & 4095, (wend_cell){0, 0, 0});
    return wend__voxel_steps(f->view, wend__field_cell(f, id));
}

/// The same, reversed, with closed steps: visits each cell around.
uint32_t wend__field_unclosed(const wend_field *f, uint32_t id);

/// Returns the directions of open cells with a step to this one, which is open. Without closed steps the rules are
/// the same in both directions.
static inline uint32_t wend__field_reverse(const wend_field *f, bool flat, const wend__chunk *chunk, uint32_t id) {
    if (WEND__UNLIKELY(f->version->closed_steps > 0)) return wend__field_unclosed(f, id);
    return wend__field_steps(f, flat, chunk, id);
}

/// Receives a link, an edge or a walker's step to another level between a cell and another, and its cost.
typedef void wend__field_leap(void *context, uint32_t other, uint32_t cost);
/// Visits the links, edges and steps to other levels out of an open cell to open cells.
/// Cost: O(edges of the node), O(links of the cell), O(step_up + drop).
void wend__field_leaps(const wend_field *f, uint32_t id, wend__field_leap *take, void *context);
/// Visits the links, edges and steps to other levels that lead to an open cell from open cells. Returns how many
/// were visited.
/// Cost: O(edges into the node), O(links that end in its chunk), O(step_up + drop).
uint32_t wend__field_leaps_into(const wend_field *f, uint32_t id, wend__field_leap *take, void *context);

/// Returns whether there are any. Cost: O(1).
static inline bool wend__field_may_leap_into(const wend_field *f, uint32_t id) {
    return f->view->kind == WEND_KIND_GRAPH || wend__is_walker(f->view) ||
           (f->version->links && wend__field_has_bit(f->ends, id));
}

/// Returns the cheapest cost of a cell by the costs around it, and its way.
/// @param without   cells with any of these marks do not count: at least WEND__FIELD_LOST
/// @return WEND__FIELD_FAR: there is no way, or none for the largest cost
uint32_t wend__field_best(const wend_field *f, uint32_t id, uint8_t without, uint8_t *way);

/// Returns the way of a cell with a known cost by the costs around it: the last of the equally cheap steps, so
/// a diagonal one, as in Dijkstra. An order of repairs does not show in it. Toward goals only.
unsigned wend__field_way_by_costs(const wend_field *f, uint32_t id);

/// The end of the link or edge that a cell's cost comes from; WEND__NONE: there is none.
uint32_t wend__field_find_leap(const wend_field *f, uint32_t id);

/// Records where the links of the field's version end, or end no more.
void wend__field_mark_link_ends(wend_field *f, const wend__version *version, bool set);

#endif
