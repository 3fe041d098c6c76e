/* SPDX-License-Identifier: MIT */
/* Internal to this room: how landmarks are made, shared by versions, and mended where steps are new. */
#ifndef WEND_SRC_LANDMARK_TABLES_H
#define WEND_SRC_LANDMARK_TABLES_H

#include "map/edit/edit.h"
#include "map/jumps/jumps.h"
#include "map/landmarks/landmarks.h"
#include "map/store/directions.h"
#include "map/store/map_layout.h"

/* landmark_strips.c */
/// One reference, all landmarks standing, no cell reached from any. NULL: no room. Cost: O(cells x count).
wend__landmarks *wend__landmarks_create(const wend__version *version, uint32_t count);
/// The same numbers, to be lowered here and there, so that those stand that did or rested: one reference, besides one to
/// `parent`. NULL: no room.
/// Cost: O(cells / 1024), for a table of 8 bytes each.
wend__landmarks *wend__landmarks_repair_begin(wend_map *map, wend__landmarks *parent);
/// A strip of landmarks that no version has yet, to be written to. NULL: no room. Cost: of copying it, the first time.
uint32_t *wend__landmark_write(wend_map *map, wend__landmarks *landmarks, size_t strip);
/// Has it been?
bool wend__landmark_is_own(const wend__landmarks *landmarks, size_t strip);
/// One less holds them; NULL is ignored.
void wend__landmarks_release(wend_map *map, wend__landmarks *landmarks);
/// How many cells are on the lists of those that rest; NULL: 0.
uint64_t wend__landmarks_queued(const wend__landmarks *landmarks);
/// What a version with them takes for their numbers, shared or not.
size_t wend__landmarks_bytes(const wend__landmarks *landmarks);

/* landmark_build.c */
/// WEND_OK, WEND_OUT_OF_MEMORY, WEND_UNSUPPORTED (a cell is too far away). Cost: O(cells x count).
wend_error wend__landmarks_build(const wend__version *version, uint32_t count, wend__landmarks **out);

/// A cell some steps out of which are new.
typedef struct wend__new_steps {
    int32_t x, y;
    uint32_t steps; ///< straight ones in bits 0 to 3, quadrants in 4 to 7: as wend__jump_exits has them
} wend__new_steps;

/// Most cells with new steps that a publish with so much effort goes by, and most for each landmark to begin with.
static inline size_t wend__landmarks_most_new(uint64_t effort) {
    return effort >= SIZE_MAX / 2 ? SIZE_MAX : 2 * (size_t)(effort > WEND_MAX_UNMENDED ? effort : WEND_MAX_UNMENDED);
}

/* landmark_mend.c */
/// Lower numbers until no step of the version belies them: those that suited before but for these steps, or rest. Of a
/// landmark so many cells at `most` are held against those beside them; then it rests. *out: with one reference; NULL: none
/// stands or rests. WEND_OK, WEND_OUT_OF_MEMORY. Cost: O((most + steps) x count), O(cells on their lists) whatever `most` is,
/// O(cells / 1024) for the table, and copying strips that are written to.
wend_error wend__landmarks_repair(const wend__version *version, wend__landmarks *landmarks,
                                  const wend__new_steps *steps, size_t step_count, uint64_t most,
                                  wend__landmarks **out);

/* landmarks.c */
/// Give a draft landmarks that suited the version `before`: as they are, or mended with so much effort, or none where costs are
/// others. `changed` is set where any cell's steps are. What the draft had is released.
/// WEND_OK, WEND_OUT_OF_MEMORY (the draft has none). Cost: O(blocks), O(chunk) for each that differs; mending.
wend_error wend__landmarks_carry(wend__landmarks *landmarks, const wend__version *before, wend__version *draft,
                                 uint64_t effort, bool *changed);

/// Numbers wait in a ring of buckets no wider than a straight step: then none in a bucket makes another in it any lower
/// (Denardo and Fox 1979).
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

/// Where a step leads: one of bits 0 to 7 of a set as above.
static inline wend_cell wend__step_offset(unsigned step) {
    if (step < 4) return (wend_cell){wend__dx[step], wend__dy[step], 0};
    return (wend_cell){wend__dx[wend__quadrant_h[step - 4]], wend__dy[wend__quadrant_v[step - 4]], 0};
}

/// The step that leads back.
static inline unsigned wend__step_back(unsigned step) {
    return step < 4 ? step ^ 2 : 11 - step;
}

/// Give a draft about to be the newest version the landmarks of that one, mended with so much effort where its steps are
/// new. The writer's lock is held. WEND_OK, WEND_OUT_OF_MEMORY.
wend_error wend__landmarks_repair_draft(wend_edit *edit, uint64_t effort);

/* ---- as derived data: see version/derivation.h ---- */

void wend__landmarks_share(wend__version *version, const wend__version *from);
void wend__landmarks_drop(wend__version *version);
wend_error wend__landmarks_renew(wend_edit *edit, uint32_t changes);

#endif
