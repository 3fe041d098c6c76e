/* SPDX-License-Identifier: MIT */
/* Internal: objects that no version of a map holds any more are freed in slices, so that the release of an old version
 * does not wait for as many frees as the map is large. */
#ifndef WEND_SRC_MAP_STORE_SWEEP_H
#define WEND_SRC_MAP_STORE_SWEEP_H

#include "map/store/map_layout.h"

/// Steps of one slice. A step is some 50 to 100 ns: a strip of landmarks, a small object, 8 references to blocks.
enum { WEND__SLICE_STEPS = 128 };

/// A shared object without references, still to be freed, and the others that it holds, still to be released. It
/// lies in the place of the object's wend__shared; fields behind that are read until the object is freed.
typedef struct wend__garbage {
    struct wend__garbage *next;
#if SIZE_MAX > UINT32_MAX
    uint64_t bytes : 47, held : 16, is_block : 1;
#else
    uint32_t bytes;
    uint16_t held;
    bool is_block;
#endif
} wend__garbage;
#if SIZE_MAX > UINT32_MAX
#define WEND__GARBAGE_BYTES ((UINT64_C(1) << 47) - 1)
#else
#define WEND__GARBAGE_BYTES UINT32_MAX
#endif
_Static_assert(sizeof(wend__garbage) <= sizeof(wend__shared), "it fits into the head of a shared object");

/// Hand over a version without references: its blocks are released, and its memory freed, in slices. It has no derived
/// data any more but the tables of its blocks.
void wend__sweep_version(wend__version *version);
/// Frees a slice.
void wend__sweep_slice(wend__family *family);
/// Frees as much as was allocated since the last call, at least: so garbage cannot grow with each edit.
void wend__sweep_as_allocated(wend__family *family);
/// Frees all. Returns true if there was something.
bool wend__sweep_all(wend__family *family);

#endif
