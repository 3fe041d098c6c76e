/* SPDX-License-Identifier: MIT */
/* Keeps the cells that the first agents walked for their last wish: --draw and --report show them. */
#include <stdlib.h>

#include "lab/run/walk.h"

/* Room for the cells doubles whenever their number is a power of two. */
static bool add_cell(stress_track *track, wend_cell cell) {
    if ((track->count & (track->count - 1)) == 0) {
        const size_t capacity = track->count == 0 ? 1 : track->count * 2;
        wend_cell *larger = realloc(track->cells, capacity * sizeof *larger);
        if (larger == NULL) return false;
        track->cells = larger;
    }
    track->cells[track->count++] = cell;
    return true;
}

bool walk_track(walk_run *run, uint32_t agent, wend_cell cell, bool restart) {
    if (agent >= run->base.track_count) return true;
    stress_track *track = &run->base.tracks[agent];
    if (restart) track->count = 0;
    if (track->count > 0) {
        const wend_cell last = track->cells[track->count - 1];
        if (last.x == cell.x && last.y == cell.y) return true;
    }
    return add_cell(track, cell);
}
