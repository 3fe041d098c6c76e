/* SPDX-License-Identifier: MIT */
/* Runs over more than a page: see voxel_runs.h. */
#include "search/voxel/voxel_runs.h"

/* Returns whether these chunks are all open. `low` and `high` are their first and last coordinates, in chunks. */
static bool are_open(const wend__version *v, const int32_t low[3], const int32_t high[3]) {
    for (int32_t z = low[2]; z <= high[2]; z++)
        for (int32_t y = low[1]; y <= high[1]; y++)
            for (int32_t x = low[0]; x <= high[0]; x++) {
                const bool on_map = x >= 0 && y >= 0 && z >= 0 && x < v->chunk_columns && y < v->chunk_y &&
                                    z < v->chunk_rows / v->chunk_y;
                if (!on_map || wend__version_chunk(v, x, z * v->chunk_y + y)->open != &wend__voxels_open) return false;
            }
    return true;
}

/* Returns whether a voxel is amid open ones: the chunks of all its neighbours are open. */
uint32_t wend__voxel_far_run(const wend__search *s, wend_cell from, uint32_t d, uint32_t most) {
    const wend__voxel_line line = wend__voxel_lines[d];
    const int32_t at[3] = {from.x, from.y, from.z}, axis = line.shift >> 2, sign = line.sign;
    int32_t low[3], high[3], reached = -1;
    for (int32_t i = 0; i < 3; i++) low[i] = (at[i] - 1) >> 4, high[i] = (at[i] + 1) >> 4;
    for (int32_t chunk = (at[axis] - sign) >> 4; reached < (int32_t)most; chunk += sign) {
        low[axis] = high[axis] = chunk;
        if (!are_open(s->view, low, high)) break;
        reached = sign > 0 ? (chunk << 4 | 15) - at[axis] : at[axis] - (chunk << 4);
    }
    if (reached <= 0) return 0;
    return (uint32_t)reached < most ? (uint32_t)reached : most;
}
