/* SPDX-License-Identifier: MIT */
/* Internal: a far layer as derived data of versions: made, shared, marked as stale, made again in slices. */
#ifndef WEND_SRC_FAST_FAR_FAR_LAYER_H
#define WEND_SRC_FAST_FAR_FAR_LAYER_H

#include "fast/far/far_make.h"

/// Returns true if a version can have a far layer: a flat grid with 8 neighbours and uncut corners.
bool wend__far_serves(const wend__version *version);

/// A layer of a version, all of it stale; NULL: out of memory.
/// @param levels   2 or 3; 0: by the map's size
wend__far *wend__far_create(wend_map *map, const wend__version *view, int32_t levels);
/// Returns a copy, to be changed; NULL: out of memory.
wend__far *wend__far_copy(wend_map *map, const wend__far *far);
/// Marks an object as stale, in an unpublished layer. False: out of memory.
bool wend__far_mark_stale(wend_map *map, wend__far *far, wend__far_area area);
/// Puts an object into such a layer in place of a stale one. Its reference passes to the layer; without memory it is
/// released. NULL: the stale object stays in use.
bool wend__far_put(wend_map *map, wend__far *far, wend__far_area area, const void *object);
static inline bool wend__far_is_stale(const wend__far *far, wend__far_area area) {
    const uint32_t slot = wend__far_slot(far, area);
    return far->sheets[wend__far_sheet_of(far, area)]->stale[slot / 64] >> slot % 64 & 1;
}
/// The first stale area of the lowest level that has one. False: there is none.
bool wend__far_first_stale(const wend__far *far, wend__far_area *out);

/// Makes all that is stale in the layer of a draft. WEND_OK, WEND_OUT_OF_MEMORY.
wend_error wend__far_repair(wend_edit *edit);

/// Makes a record of level 0 again in an unpublished layer, from the version's cells. WEND_OK, WEND_OUT_OF_MEMORY.
wend_error wend__far_remake_from(wend_map *map, wend__far *far, const wend__version *view, wend__far_area area);

/* ---- far_known.c: known land, as saves store it ---- */

/// Returns the record of a chunk that is known and not loaded, stale or not, as its gates and costs stay; NULL: no way
/// leads through it.
const wend__far_record *wend__far_told(const wend__version *view, int32_t column, int32_t row);
/// Sets such a record in an unpublished layer of a draft.
/// @param maker   has the record's draft
/// @param known   false: there is none
/// @return WEND_OK, WEND_OUT_OF_MEMORY
wend_error wend__far_learn(wend_edit *edit, wend__far *far, int32_t column, int32_t row, wend__far_maker *maker,
                           bool known);
/// An area has no record until it is made again, in an unpublished layer. False: out of memory.
bool wend__far_lose(wend_map *map, wend__far *far, wend__far_area area);

/* ---- far_landmarks.c ---- */

/// Gives the new record of an area the numbers that its gates had in the last one (NULL: none). False: out of memory.
bool wend__far_numbers_move(wend_map *map, wend__far *far, wend__far_area area, const wend__far_record *before);
/// Returns whether all numbers keep the invariant: for tests.
bool wend__far_numbers_hold(const wend__far *far);

/* ---- made and discarded for a map: far_prepare.c ---- */

/// Makes a layer for an edit's draft, or completes it. WEND_OK, WEND_OUT_OF_MEMORY.
/// @param later   a new one stays stale
wend_error wend__far_make(wend_edit *edit, bool later);
/// Makes a layer of `levels` levels in the newest version, for a mover: for tests.
wend_error wend__map_prepare_far(wend_map *map, int32_t mover, int32_t levels);
/// Bytes of a layer, what it shares with others included. Cost: O(chunks).
uint64_t wend__far_bytes(const wend__far *far);
/// Stale objects of a version's layers, of all movers.
uint64_t wend__far_stale(const wend__version *version);
/// Makes stale objects of the newest version's layers again, of all movers, for about so much effort (see
/// wend_map_maintain()). Unfinished work continues in the next call.
/// @param left   receives how many are still stale; may be NULL
/// @return WEND_OK, WEND_IN_USE (a batch is open), WEND_OUT_OF_MEMORY
wend_error wend__map_repair_far(wend_map *map, uint64_t effort, uint64_t *left);
/// Discard unfinished work: see version/derivation.h.
void wend__far_drop_job(wend_map *map);

/* ---- as derived data: see version/derivation.h ---- */

void wend__far_share(wend__version *version, const wend__version *from);
void wend__far_drop(wend__version *version);
wend_error wend__far_rebuild(wend_edit *edit, uint32_t changes);

#endif
