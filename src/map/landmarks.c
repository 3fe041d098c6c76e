/* SPDX-License-Identifier: MIT */
/* Landmarks of versions: who holds them, and which still count where steps are new. */
#include "map/landmark_tables.h"

/* ---- who holds them ---- */

void wend__landmarks_join(wend__version *version, const wend__version *from) {
    if (!from->landmarks) return;
    wend__hold(version->map, &from->landmarks->references);
    version->landmarks = from->landmarks;
    version->landmarks_valid = from->landmarks_valid;
    version->landmarks_age = from->landmarks_age;
}

void wend__landmarks_leave(wend__version *version) {
    wend__landmarks *l = version->landmarks;
    version->landmarks = NULL;
    version->landmarks_valid = 0;
    version->landmarks_age = 0;
    if (!l || !wend__let_go(version->map, &l->references)) return;
    wend__map_free(version->map, l, l->bytes);
}

/* ---- steps that are new ---- */

static uint32_t difference(uint32_t a, uint32_t b) {
    return a > b ? a - b : b - a;
}

/* A step between two cells must cost no less than the difference of their numbers. Returns the landmarks left. */
static uint32_t check_step(const wend__landmarks *l, uint32_t valid, wend_cell at, int32_t dx, int32_t dy) {
    const uint32_t *here = &l->from[wend__landmark_index(l, at.x, at.y)];
    const uint32_t *there = &l->from[wend__landmark_index(l, at.x + dx, at.y + dy)];
    const uint32_t cost = dx && dy ? l->diagonal : l->straight;
    for (unsigned i = 0; i < l->count; i++)
        if (difference(here[i], there[i]) > cost) valid &= ~(1u << i);
    return valid;
}

static uint32_t check_cell(const wend__landmarks *l, uint32_t valid, wend_cell at, unsigned fresh) {
    for (unsigned d = 0; d < 4; d++)
        if (fresh >> d & 1) valid = check_step(l, valid, at, wend__dx[d], wend__dy[d]);
    for (unsigned k = 0; k < WEND__FRAMES; k++)
        if (fresh >> (4 + k) & 1)
            valid = check_step(l, valid, at, wend__dx[wend__frame_h[k]], wend__dy[wend__frame_v[k]]);
    return valid;
}

/* What changed in a chunk: cells with other masks, and landmarks left. */
static uint32_t check_chunk(const wend__landmarks *l, uint32_t valid, wend__place chunk, const uint8_t *before,
                            const uint8_t *now, bool *changed) {
    for (unsigned first = 0; first < WEND__CHUNK_CELLS && valid; first += 8) {
        if (memcmp(before + first, now + first, 8) == 0) continue;
        *changed = true;
        for (unsigned cell = first; cell < first + 8; cell++) {
            const unsigned fresh = wend__jump_exits[15][now[cell]] & ~(unsigned)wend__jump_exits[15][before[cell]];
            const wend_cell at = {chunk.column << WEND__CHUNK_SHIFT | (int32_t)(cell & 63),
                                  chunk.row << WEND__CHUNK_SHIFT | (int32_t)(cell >> WEND__CHUNK_SHIFT), 0};
            if (fresh) valid = check_cell(l, valid, at, fresh);
        }
    }
    return valid;
}

uint32_t wend__landmarks_left(const wend__landmarks *l, uint32_t valid, const wend__version *before,
                              const wend__version *now, bool *changed) {
    const size_t count = wend__version_blocks(now);
    for (size_t b = 0; b < count; b++) {
        if (before->blocks[b] == now->blocks[b]) continue;
        for (unsigned i = 0; i < WEND__BLOCK_CHUNKS && valid; i++) {
            const wend__plane *was = before->blocks[b]->chunks[i].masks, *is = now->blocks[b]->chunks[i].masks;
            if (was != is)
                valid = check_chunk(l, valid, wend__chunk_place(now, b, i), was->bytes, is->bytes, changed);
        }
    }
    return valid;
}

void wend__landmarks_review(wend_edit *edit) {
    wend__version *draft = edit->draft;
    const wend_map_rules *was = &edit->base->rules, *rules = &draft->rules;
    bool changed = false;
    if (!draft->landmarks) return;
    if (was->cost_straight == rules->cost_straight && was->cost_diagonal == rules->cost_diagonal)
        draft->landmarks_valid =
            wend__landmarks_left(draft->landmarks, draft->landmarks_valid, edit->base, draft, &changed);
    else
        draft->landmarks_valid = 0;
    draft->landmarks_age += changed;
    if (!draft->landmarks_valid) wend__landmarks_leave(draft);
}
