/* SPDX-License-Identifier: MIT */
/* Internal to this room: how landmarks are made, shared by versions, and repaired where steps are new. */
#ifndef WEND_SRC_LANDMARK_TABLES_H
#define WEND_SRC_LANDMARK_TABLES_H

#include "map/edit/edit.h"
#include "map/jumps/jumps.h"
#include "map/landmarks/landmarks.h"
#include "map/store/directions.h"
#include "map/store/map_layout.h"

/// Landmarks with one reference, all valid, no cell reached from any; NULL: out of memory. Cost: O(cells x count).
wend__landmarks *wend__landmarks_create(const wend__version *version, uint32_t count);
/// A copy that shares its parent's strips, to be repaired: valid are those that were valid or in repair. It has one
/// reference and holds one to `parent`. NULL: out of memory. Cost: O(cells / 1024), for a table of 8 bytes each.
wend__landmarks *wend__landmarks_repair_begin(wend_map *map, wend__landmarks *parent);
/// A strip to write to, of landmarks that no version has yet: copied the first time. NULL: out of memory.
uint32_t *wend__landmark_write(wend_map *map, wend__landmarks *landmarks, size_t strip);
/// Was the strip copied?
bool wend__landmark_is_own(const wend__landmarks *landmarks, size_t strip);
/// Remove a reference; NULL is ignored.
void wend__landmarks_release(wend_map *map, wend__landmarks *landmarks);
/// How many cells are in repair queues; NULL: 0.
uint64_t wend__landmarks_queued(const wend__landmarks *landmarks);
/// The bytes of their numbers, shared or not.
size_t wend__landmarks_bytes(const wend__landmarks *landmarks);

/// WEND_OK, WEND_OUT_OF_MEMORY, WEND_UNSUPPORTED (a cell is too far away). Cost: O(cells x count).
wend_error wend__landmarks_build(const wend__version *version, uint32_t count, wend__landmarks **out);

/// A cell some steps out of which are new.
typedef struct wend__new_steps {
    int32_t x, y;
    uint32_t steps; ///< straight ones in bits 0 to 3, quadrants in 4 to 7: as wend__jump_exits has them
} wend__new_steps;

/// Most cells with new steps that a repair with this effort begins from.
static inline size_t wend__landmarks_most_new(uint64_t effort) {
    return effort >= SIZE_MAX / 2 ? SIZE_MAX
                                  : 2 * (size_t)(effort > WEND_MAX_UNREPAIRED ? effort : WEND_MAX_UNREPAIRED);
}

/// Repair landmarks after the given steps are new: lower distances until the two ends of each step differ by no more
/// than it costs. For each landmark at most `most` cells are relaxed; cells left over stay in its repair queue.
/// @param out   receives the copy, with one reference; NULL: no landmark is valid or in repair
/// @return WEND_OK, WEND_OUT_OF_MEMORY
/// Cost: O((most + steps) x count), O(cells in the queues), O(cells / 1024), and copying the strips written to.
wend_error wend__landmarks_repair(const wend__version *version, wend__landmarks *landmarks,
                                  const wend__new_steps *steps, size_t step_count, uint64_t most,
                                  wend__landmarks **out);

/// Give a draft the landmarks of the version `before`: unchanged, or repaired with this effort, or none where steps
/// cost something else. Those that the draft had are released.
/// @param changed   set where the steps of any cell differ
/// @return WEND_OK, WEND_OUT_OF_MEMORY (the draft has none)
/// Cost: O(blocks), O(chunk) for each chunk that differs, and the repair.
wend_error wend__landmarks_carry(wend__landmarks *landmarks, const wend__version *before, wend__version *draft,
                                 uint64_t effort, bool *changed);

/// Distances are relaxed from a ring of buckets no wider than a straight step: then no cell of a bucket lowers another
/// one in the same bucket (Denardo and Fox 1979).
enum { WEND__LANDMARK_BUCKETS = 8 };
static inline uint32_t wend__landmark_bucket_shift(const wend__landmarks *l) {
    uint32_t shift = 0;
    while (UINT32_C(2) << shift <= l->straight) shift++;
    return shift;
}

/// The steps out of an open cell, as wend__new_steps has them.
static inline unsigned wend__steps_from(const wend__version *v, int32_t x, int32_t y) {
    const wend__chunk *chunk = wend__version_chunk(v, x >> WEND__CHUNK_SHIFT, y >> WEND__CHUNK_SHIFT);
    return wend__jump_exits[15][chunk->masks->bytes[(unsigned)(y & 63) << WEND__CHUNK_SHIFT | (unsigned)(x & 63)]];
}

/// The offset of a step: bit 0 to 7 of such a set.
static inline wend_cell wend__step_offset(unsigned step) {
    if (step < 4) return (wend_cell){wend__dx[step], wend__dy[step], 0};
    return (wend_cell){wend__dx[wend__quadrant_h[step - 4]], wend__dy[wend__quadrant_v[step - 4]], 0};
}

/// The step that leads back.
static inline unsigned wend__step_back(unsigned step) {
    return step < 4 ? step ^ 2 : 11 - step;
}

/// Give a draft the landmarks of the map's newest version, repaired with this effort. The writer lock is held.
/// WEND_OK, WEND_OUT_OF_MEMORY.
wend_error wend__landmarks_repair_draft(wend_edit *edit, uint64_t effort);

/* ---- as derived data: see version/derivation.h ---- */

void wend__landmarks_share(wend__version *version, const wend__version *from);
void wend__landmarks_drop(wend__version *version);
wend_error wend__landmarks_renew(wend_edit *edit, uint32_t changes);

#endif
