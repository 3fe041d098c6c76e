/* SPDX-License-Identifier: MIT */
/* Internal to this room: how landmarks are stored, shared by versions, and repaired after new steps. */
#ifndef WEND_SRC_FAST_LANDMARKS_LANDMARK_TABLES_H
#define WEND_SRC_FAST_LANDMARKS_LANDMARK_TABLES_H

#include "map/edit/edit.h"
#include "map/ground/ground.h"
#include "map/kinds/walkers.h"
#include "fast/landmarks/landmarks.h"
#include "map/store/directions.h"
#include "map/version/accelerator.h"

/// Landmarks with one reference, `count` valid slots, and no numbers; NULL: out of memory. Cost: O(cells / 1024).
wend__landmarks *wend__landmarks_create(wend_map *map, const wend__version *view, uint32_t count);
/// A copy that shares its parent's strips, to be repaired. It has one reference and holds one to `parent`. NULL: out of
/// memory. Cost: O(cells / 1024), for a table of 8 bytes each.
wend__landmarks *wend__landmarks_repair_begin(wend_map *map, wend__landmarks *parent);
typedef enum wend__landmark_fit { WEND__LANDMARK_FITS, WEND__LANDMARK_TOO_FAR, WEND__LANDMARK_FULL } wend__landmark_fit;
/// Sets a cell's number, in unpublished landmarks. A strip with numbers too far apart becomes paged.
/// @param cell   its index in the strip
/// @return WEND__LANDMARK_TOO_FAR: numbers differ too much even for pages; WEND__LANDMARK_FULL: out of memory
/// Cost: O(1); in a paged strip O(pages), and for each new page O(1024).
wend__landmark_fit wend__landmark_set(wend_map *map, wend__landmarks *landmarks, size_t strip, uint32_t cell,
                                      unsigned slot, uint32_t number);
/// Clears all numbers of a slot in a strip; later ones are mostly base + 1 to base + 65,535. False: out of memory.
bool wend__landmark_set_base(wend_map *map, wend__landmarks *landmarks, size_t strip, unsigned slot, uint32_t base);
/// Returns true if the strip was copied.
bool wend__landmark_is_own(const wend__landmarks *landmarks, size_t strip);
/// Removes a reference; NULL is ignored.
void wend__landmarks_release(wend_map *map, wend__landmarks *landmarks);
/// The bytes of their numbers, shared or not.
size_t wend__landmarks_bytes(const wend__landmarks *landmarks);

/* ---- in a file ---- */

/// Save a version's landmarks as memory has them: a head, a byte for each strip (how it is stored), zeros up to a
/// multiple of 64 bytes, the strips.
void wend__landmarks_put(const wend__version *version, wend__put_bytes_fn *put, void *context);
/// Landmarks from a file, with one reference, and their age.
typedef struct wend__restored_landmarks {
    wend__landmarks *landmarks;
    uint32_t age, changes; ///< as a version counts them
} wend__restored_landmarks;
/// Makes a view's landmarks from such bytes, which stay where they are: they begin at a multiple of 64 and outlive the
/// map and its forks.
/// @return WEND_OK, WEND_BAD_FORMAT (with its detail), WEND_OUT_OF_MEMORY
/// Cost: O(strips): the numbers themselves are not checked.
wend_error wend__landmarks_restore(wend_map *map, const wend__version *view, const void *bytes, size_t size,
                                   wend__restored_landmarks *out);
/// Gives the default mover the landmarks from such bytes. The newest version has none. See map/version/accelerator.h.
wend_error wend__map_restore_landmarks(wend_map *map, const void *bytes, size_t size);

/// Returns the finest scale under which costs that differ by `range` fit into codes; else the coarsest. Cost: O(1).
wend__landmark_scale wend__landmark_scale_for(const wend__version *view, uint64_t range);
/// Finds the scale of a grid or of voxels that splits a straight step so. False: there is no such scale.
bool wend__landmark_scale_of_parts(const wend__version *view, uint32_t parts, wend__landmark_scale *out);
#define WEND__LANDMARK_FAR (UINT32_C(1) << 29) /* the greatest weight of an edge or a link, and distance of a cell */
static inline uint32_t wend__landmark_weight(const wend__landmark_scale *scale, uint64_t cost) {
    const uint64_t weight = (cost << WEND__LANDMARK_FRACTION) / (scale->rate + 1);
    return weight < WEND__LANDMARK_FAR ? (uint32_t)weight : WEND__LANDMARK_FAR;
}

/// Returns whether the landmarks of a view count a link. On a graph all movers share them, so each link counts.
static inline bool wend__landmark_counts_link(const wend__version *view, const wend__link *link) {
    return view->kind == WEND_KIND_GRAPH || wend__link_serves(view, link);
}

/// A step or a link between two cells, in either direction.
typedef struct wend__landmark_edge {
    wend_cell to;
    uint32_t weight;
} wend__landmark_edge;
/// Most steps of a cell plus some links; for a walker's steps to other levels, out of a cell and into it.
enum { WEND__LANDMARK_LEVELS = 2 * WEND__LEVEL_STEPS, WEND__LANDMARK_EDGES = 64 + WEND__LANDMARK_LEVELS };

/// The steps and links that lead out of an open cell or into it.
/// @param out   receives up to WEND__LANDMARK_EDGES
/// @return how many there are; more than WEND__LANDMARK_EDGES: not all were written
uint32_t wend__landmark_edges(const wend__version *view, const wend__landmark_scale *scale, wend_cell cell,
                              wend__landmark_edge *out);

/// Cells that may have new steps or links.
typedef struct wend__changed_cells {
    wend_cell *cells;
    size_t count, room;
    size_t most;      ///< with more cells repair does not pay
    bool many, full;  ///< whether there are more cells; whether memory was lacking
    uint64_t changes; ///< cells that differ; a change of links counts as one
} wend__changed_cells;

/// Gives a draft (of a version or of a view) the landmarks of `before`: unchanged, or repaired with this effort, or
/// none if the rules differ. The draft's old ones are released.
/// @param changes   receives how many cells differ
/// @return WEND_OK, WEND_OUT_OF_MEMORY (the draft has none)
/// Cost: O(blocks), O(chunk) for each chunk that differs, and the repair.
wend_error wend__landmarks_carry(wend_map *map, wend__landmarks *landmarks, const wend__version *before,
                                 wend__version *draft, const wend__link_changes *links, uint64_t *changes);
/// Sets the age of a draft's landmarks: that of `before`, plus these changes.
static inline void wend__landmarks_set_age(wend__version *draft, uint32_t age, uint32_t before, uint64_t changes) {
    draft->landmarks_age = age + (changes > 0);
    draft->landmarks_changes = changes < UINT32_MAX - before ? before + (uint32_t)changes : UINT32_MAX;
}

/* ---- as derived data: see version/derivation.h ---- */

void wend__landmarks_share(wend__version *version, const wend__version *from);
void wend__landmarks_drop(wend__version *version);
wend_error wend__landmarks_rebuild(wend_edit *edit, uint32_t changes);
void wend__landmarks_end(wend_map *map);

/* ---- made and discarded for a map ---- */

/// Returns WEND_OK if the map can have `count` landmarks, WEND_BAD_ARGUMENT, WEND_UNSUPPORTED.
wend_error wend__check_landmarks(wend_map *map, int32_t count);
/// Returns whether a view has this number of landmarks, and no cell changed since.
bool wend__landmarks_fresh(const wend__version *view, uint32_t count);

/// Landmarks, and the version that they are made for. On a graph all movers share the default mover's.
typedef struct wend__landmark_job wend__landmark_job;
/// Makes landmarks of a mover for the newest version, of which edits may be published meanwhile.
/// @param out   receives the job, or NULL if the first allocation failed; end it in any case
/// @return WEND_OK, WEND_OUT_OF_MEMORY
wend_error wend__landmarks_make(wend_map *map, int32_t mover, uint32_t count, wend__landmark_job **out);
/// Gives an edit's draft these landmarks, repaired if edits were published meanwhile. If none of them is
/// valid any more, and some of the old ones are, the draft keeps the old ones.
/// @param context   the job; NULL: discard the landmarks
wend_error wend__landmarks_adopt(wend_edit *edit, void *context);
void wend__landmark_job_end(wend_map *map, wend__landmark_job *job); ///< NULL is ignored

/// Makes `count` landmarks of the default mover for the newest version; 0: discards them. From now on the map has
/// as many: wend__map_continue_landmarks() makes new ones if edits left fewer. For tests.
/// @return WEND_OK, WEND_BAD_ARGUMENT, WEND_UNSUPPORTED, WEND_OUT_OF_MEMORY
wend_error wend__map_prepare_landmarks(wend_map *map, int32_t count);
/// How many cells a publish relaxes for each landmark.
void wend__map_set_landmark_effort(wend_map *map, uint64_t cells);
/// Makes lacking landmarks, for about `cells` cells. Only one thread at a time does; a concurrent call does nothing.
/// @return WEND_OK, WEND_OUT_OF_MEMORY (the next call begins again)
wend_error wend__map_continue_landmarks(wend_map *map, uint64_t cells);
/// About how many cells remain; 0: no landmarks are lacking.
uint64_t wend__map_landmarks_left(wend_map *map);

#endif
