/* SPDX-License-Identifier: MIT */
/* Landmarks of versions: sharing them, finding new steps, repairing them at each publish. */
#include "map/edit/edit.h"
#include "map/jumps/jumps.h"
#include "map/landmarks/landmark_tables.h"
#include "map/landmarks/landmarks.h"
#include "map/store/map_layout.h"
#include "map/store/memory.h"
#include "map/store/rules.h"

/* ---- references ---- */

void wend__landmarks_share(wend__version *version, const wend__version *from) {
    if (!from->landmarks) return;
    wend__reference_add(version->map, &from->landmarks->references);
    version->landmarks = from->landmarks;
    version->landmarks_age = from->landmarks_age;
}

void wend__landmarks_drop(wend__version *version) {
    wend__landmarks_release(version->map, version->landmarks);
    version->landmarks = NULL;
    version->landmarks_age = 0;
}

/* ---- new steps ---- */

enum { LOOKS = 4 }; ///< at cells with new steps, for each that may belie landmarks

/* Finds new steps whose ends' distances do not fit. */
typedef struct finder {
    const wend__landmarks *landmarks;
    uint32_t alive; ///< a bit for each landmark that is valid or in repair
    const wend__version *now;
    wend__new_steps *list;
    size_t count, room, most;
    size_t looks;    ///< at cells with new steps that are still allowed
    bool changed;    ///< some cell's steps are others
    bool many, full; ///< too much is new; there was no room
} finder;

/* Do the distances of a step's two ends differ by no more than the step costs? */
static bool suits(const finder *f, wend_cell at, unsigned step) {
    const wend__landmarks *l = f->landmarks;
    const wend_cell offset = wend__step_offset(step);
    const uint32_t *here = wend__landmark_numbers(l, at.x, at.y);
    const uint32_t *there = wend__landmark_numbers(l, at.x + offset.x, at.y + offset.y);
    const uint32_t cost = step < 4 ? l->straight : l->diagonal;
    for (unsigned i = 0; i < l->count; i++)
        if (f->alive >> i & 1 && wend__landmark_apart(here[i], there[i]) > cost) return false;
    return true;
}

static bool add(finder *f, wend_cell at, unsigned steps) {
    if (f->count == f->most) return !(f->many = true);
    wend__new_steps *list = wend__map_grown(f->now->map, f->list, f->count, &f->room, sizeof *list);
    if (!list) return !(f->full = true);
    f->list = list;
    list[f->count++] = (wend__new_steps){at.x, at.y, steps};
    return true;
}

static bool look_at(finder *f, wend_cell at, unsigned fresh) {
    unsigned misfits = 0;
    for (unsigned left = fresh; left; left &= left - 1)
        if (!suits(f, at, wend__ctz32(left))) misfits |= left & -left;
    return !misfits || add(f, at, misfits);
}

/* The masks of blocked cells have steps, too. They are skipped: when such a cell opens, the masks of its neighbours
   change. (A neighbour's closed step into it changes no mask; but as long as steps are closed no search uses
   landmarks.) False: out of memory, or too many new steps. */
static bool look_at_chunk(finder *f, wend__place chunk, const uint8_t *before, const uint8_t *now) {
    for (unsigned first = 0; first < WEND__CHUNK_CELLS; first += 8) {
        if (memcmp(before + first, now + first, 8) == 0) continue;
        f->changed = true;
        for (unsigned cell = first; cell < first + 8; cell++) {
            const unsigned fresh = wend__jump_exits[15][now[cell]] & ~(unsigned)wend__jump_exits[15][before[cell]];
            const wend_cell at = {chunk.column << WEND__CHUNK_SHIFT | (int32_t)(cell & 63),
                                  chunk.row << WEND__CHUNK_SHIFT | (int32_t)(cell >> WEND__CHUNK_SHIFT), 0};
            if (!fresh || !wend__on_map(f->now, at.x, at.y) || !wend__version_factor(f->now, at.x, at.y)) continue;
            if (f->looks == 0) return !(f->many = true);
            f->looks--;
            if (!look_at(f, at, fresh)) return false;
        }
    }
    return true;
}

static void look_at_all(finder *f, const wend__version *before) {
    const wend__version *now = f->now;
    const size_t count = wend__version_blocks(now);
    for (size_t b = 0; b < count; b++) {
        if (before->blocks[b] == now->blocks[b]) continue;
        for (unsigned i = 0; i < WEND__BLOCK_CHUNKS; i++) {
            const wend__plane *was = before->blocks[b]->chunks[i].masks, *is = now->blocks[b]->chunks[i].masks;
            if (was != is && !look_at_chunk(f, wend__chunk_place(now, b, i), was->bytes, is->bytes)) return;
        }
    }
}

/* ---- landmarks of a draft ---- */

/* Repair landmarks that the new steps made wrong. *out is NULL where none is left. */
static wend_error keep(const finder *f, wend__landmarks *landmarks, uint64_t effort, wend__landmarks **out) {
    const bool rest = wend__landmarks_in_repair(landmarks) != 0 && effort > 0;
    if (f->full) return WEND_OUT_OF_MEMORY;
    if (f->many) return WEND_OK;
    if (f->count > 0 || rest) return wend__landmarks_repair(f->now, landmarks, f->list, f->count, effort, out);
    wend__reference_add(f->now->map, &landmarks->references);
    *out = landmarks;
    return WEND_OK;
}

wend_error wend__landmarks_carry(wend__landmarks *landmarks, const wend__version *before, wend__version *draft,
                                 uint64_t effort, bool *changed) {
    wend__landmarks_drop(draft);
    if (!landmarks || !wend__rules_cost_alike(&before->rules, &draft->rules)) return WEND_OK;
    finder f = {.landmarks = landmarks, .now = draft, .most = wend__landmarks_most_new(effort)};
    f.looks = f.most > SIZE_MAX / LOOKS ? SIZE_MAX : LOOKS * f.most;
    f.alive = landmarks->valid | wend__landmarks_in_repair(landmarks);
    look_at_all(&f, before);
    wend_error error = keep(&f, landmarks, effort, &draft->landmarks);
    wend__map_free(draft->map, f.list, f.room * sizeof *f.list);
    *changed = f.changed;
    return error;
}

wend_error wend__landmarks_repair_draft(wend_edit *edit, uint64_t effort) {
    const wend__version *newest = edit->map->newest; /* landmarks may have been made since the batch began */
    bool changed = false;
    wend_error error = wend__landmarks_carry(newest->landmarks, newest, edit->draft, effort, &changed);
    if (edit->draft->landmarks) edit->draft->landmarks_age = newest->landmarks_age + changed;
    return error;
}

wend_error wend__landmarks_renew(wend_edit *edit, uint32_t changes) {
    if (!changes) return wend__landmarks_repair_draft(edit, edit->map->landmark_effort);
    wend__landmarks_drop(edit->draft);
    return WEND_OK;
}
