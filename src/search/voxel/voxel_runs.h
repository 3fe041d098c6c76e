/* SPDX-License-Identifier: MIT */
/* Internal: the steps worth taking out of a voxel, and runs of straight steps that a search takes at once.
 *
 * After a straight step amid open voxels only the same step is worth taking. A run passes over such voxels: they get no
 * entry in the open list and no record. The proof of canonical successors (rules/voxel_canonical.c) holds
 * for a voxel that was passed over as for one that was expanded at once.
 *
 * If the map is even, a run towards the goal goes on over pages as long as f stays the same. It reads chunks and
 * takes only the page of its end. */
#ifndef WEND_SRC_SEARCH_VOXEL_VOXEL_RUNS_H
#define WEND_SRC_SEARCH_VOXEL_VOXEL_RUNS_H

#include "map/kinds/voxels.h"
#include "map/canonical/canonical.h"
#include "search/voxel/voxel_astar.h"

/// Returns the steps worth taking out of a voxel, by the cells around it, if no step is closed.
WEND__INLINE uint32_t wend__voxel_worth(const wend__search *s, const wend__page *header, uint32_t near,
                                        uint32_t arrival) {
    const wend__voxel_canonical *const ways = header->ways, *const legal = wend__voxel_of(s)->legal;
    if (near == WEND__VOXEL_ALL_NEAR) return ways ? ways->kept[arrival][0][7] : wend__voxel_every_step(s->view);
    const uint32_t steps =
        legal ? ~wend__voxel_canonical_rows(legal->illegal, near) : wend__voxel_rule_steps(s->view, near);
    return ways ? steps & wend__voxel_canonical_rows(ways->kept[arrival], near) : steps;
}

/// A straight direction: its axis and which way.
typedef struct wend__voxel_line {
    uint8_t shift; ///< shift of its coordinate in a place of a page
    int8_t sign;
} wend__voxel_line;
static const wend__voxel_line wend__voxel_lines[WEND__SPACE_FLAT] = {{4, -1}, {0, 1}, {4, 1}, {0, -1}, {8, 1}, {8, -1}};

/// Returns how many more steps a run takes on a page whose chunk is open, from a place that a straight step leads to.
/// @param layers   of the page
WEND__INLINE uint32_t wend__voxel_run(const wend__search *s, const wend__page *header, uint32_t page, uint32_t local,
                                      uint32_t d, uint32_t layers) {
    if (!header->ways) return 0;
    if (!header->amid_air && !wend__voxel_inside(local | (layers == 8 ? (uint32_t)header->part << 11 : 0))) return 0;
    const wend__voxel_line line = wend__voxel_lines[d];
    const uint32_t last = line.shift == 8 ? layers - 1 : 15, at = local >> line.shift & 15;
    const uint32_t room = line.sign > 0 ? last - at : at;
    if (WEND__LIKELY(page != s->goal_id >> 12)) return room;
    const int32_t ahead = line.sign * ((int32_t)(s->goal_id & 4095) - (int32_t)local);
    const bool on_line = ahead >= 0 && ahead >> line.shift <= (int32_t)room && (ahead & ((1 << line.shift) - 1)) == 0;
    return on_line ? (uint32_t)ahead >> line.shift : room;
}

/// Steps from a voxel, seen from the goal, by which f stays the same in a straight direction.
WEND__INLINE int32_t wend__voxel_level_steps(int32_t x, int32_t y, int32_t z, uint32_t d) {
    const wend__voxel_line line = wend__voxel_lines[d];
    const int32_t a = x < 0 ? -x : x, b = y < 0 ? -y : y, c = z < 0 ? -z : z;
    if (line.shift == 0) return -line.sign * x - (b > c ? b : c);
    if (line.shift == 4) return -line.sign * y - (a > c ? a : c);
    return -line.sign * z - (a > b ? a : b);
}

/// Returns how many more steps, `most` at most, a run takes from a voxel over chunks that are all open. 0 also if the
/// previous chunk is not. Cost: O(chunks).
uint32_t wend__voxel_far_run(const wend__search *s, wend_cell from, uint32_t d, uint32_t most);

#endif
