/* SPDX-License-Identifier: MIT */
/* Landmarks of versions: who holds them, and whether they still hold where steps are new. */
#include "map/landmark_tables.h"

/* ---- who holds them ---- */

void wend__landmarks_join(wend__version *version, const wend__version *from) {
    if (!from->landmarks) return;
    wend__hold(version->map, &from->landmarks->references);
    version->landmarks = from->landmarks;
    version->landmarks_age = from->landmarks_age;
}

void wend__landmarks_leave(wend__version *version) {
    wend__landmarks *l = version->landmarks;
    version->landmarks = NULL;
    version->landmarks_age = 0;
    if (!l || !wend__let_go(version->map, &l->references)) return;
    wend__map_free(version->map, l, l->bytes);
}

/* ---- steps that are new ---- */

/* Does a step between two cells cost no less than their numbers differ by? */
static bool suits(const wend__landmarks *l, wend_cell at, int32_t dx, int32_t dy) {
    const uint32_t *here = &l->from[wend__landmark_index(l, at.x, at.y)];
    const uint32_t *there = &l->from[wend__landmark_index(l, at.x + dx, at.y + dy)];
    const uint32_t cost = dx && dy ? l->diagonal : l->straight;
    for (unsigned i = 0; i < l->count; i++)
        if (here[i] == UINT32_MAX || wend__landmark_apart(here[i], there[i]) > cost) return false;
    return true;
}

/* `fresh`: as wend__jump_exits has directions. */
static bool suit_all(const wend__landmarks *l, wend_cell at, unsigned fresh) {
    for (unsigned d = 0; d < 4; d++)
        if (fresh >> d & 1 && !suits(l, at, wend__dx[d], wend__dy[d])) return false;
    for (unsigned k = 0; k < WEND__FRAMES; k++)
        if (fresh >> (4 + k) & 1 && !suits(l, at, wend__dx[wend__frame_h[k]], wend__dy[wend__frame_v[k]])) return false;
    return true;
}

/* Of a chunk. `changed` is set where the steps of any cell are others. Blocked cells have steps in their masks, too, that
   nobody takes: when one opens, the cells that it leads to say so. */
static bool chunk_suits(const wend__landmarks *l, const wend__version *v, wend__place chunk, const uint8_t *before,
                        const uint8_t *now, bool *changed) {
    for (unsigned first = 0; first < WEND__CHUNK_CELLS; first += 8) {
        if (memcmp(before + first, now + first, 8) == 0) continue;
        *changed = true;
        for (unsigned cell = first; cell < first + 8; cell++) {
            const unsigned fresh = wend__jump_exits[15][now[cell]] & ~(unsigned)wend__jump_exits[15][before[cell]];
            const wend_cell at = {chunk.column << WEND__CHUNK_SHIFT | (int32_t)(cell & 63),
                                  chunk.row << WEND__CHUNK_SHIFT | (int32_t)(cell >> WEND__CHUNK_SHIFT), 0};
            if (!fresh || !wend__on_map(v, at.x, at.y) || !wend__version_factor(v, at.x, at.y)) continue;
            if (!suit_all(l, at, fresh)) return false;
        }
    }
    return true;
}

bool wend__landmarks_suit(const wend__landmarks *l, const wend__version *before, const wend__version *now,
                          bool *changed) {
    const size_t count = wend__version_blocks(now);
    if (before->rules.cost_straight != now->rules.cost_straight ||
        before->rules.cost_diagonal != now->rules.cost_diagonal)
        return false;
    for (size_t b = 0; b < count; b++) {
        if (before->blocks[b] == now->blocks[b]) continue;
        for (unsigned i = 0; i < WEND__BLOCK_CHUNKS; i++) {
            const wend__plane *was = before->blocks[b]->chunks[i].masks, *is = now->blocks[b]->chunks[i].masks;
            const wend__place chunk = wend__chunk_place(now, b, i);
            if (was != is && !chunk_suits(l, now, chunk, was->bytes, is->bytes, changed)) return false;
        }
    }
    return true;
}

/* Since the batch began the map may have got others. */
void wend__landmarks_review(wend_edit *edit) {
    wend__version *draft = edit->draft;
    const wend__version *newest = edit->map->newest;
    bool changed = false;
    wend__landmarks_leave(draft);
    if (!newest->landmarks || !wend__landmarks_suit(newest->landmarks, newest, draft, &changed)) return;
    wend__landmarks_join(draft, newest);
    draft->landmarks_age += changed;
}
