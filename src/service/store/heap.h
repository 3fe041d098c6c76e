/* SPDX-License-Identifier: MIT */
/* Internal: a binary heap of ids with two-part keys, least first, with the place of each id. */
#ifndef WEND_SRC_HEAP_H
#define WEND_SRC_HEAP_H

#include "base/base.h"

/// Keys are next to the ids, so that sifting does not read the objects of the ids.
typedef struct wend__heap_item {
    uint64_t major;
    uint32_t minor, id;
} wend__heap_item;

typedef struct wend__heap {
    wend__heap_item *items;
    uint32_t *places; ///< place of each id in the heap
    uint32_t count;
} wend__heap;

/// Adds an id. It must not be in the heap, and there is room for it.
void wend__heap_push(wend__heap *heap, uint64_t major, uint32_t minor, uint32_t id);
/// Removes an id, which is in the heap.
void wend__heap_remove(wend__heap *heap, uint32_t id);

static inline bool wend__heap_before(const wend__heap_item *a, const wend__heap_item *b) {
    return a->major != b->major ? a->major < b->major : a->minor < b->minor;
}

/* ---- min_max_heap.c ---- */

/* A min-max heap (Atkinson, Sack, Santoro, Strothotte 1986): finds both its first and its last at once. */

/// Adds an id. It is not in the heap, no other has its key, and there is room for it. Cost of this and of remove:
/// O(log count).
void wend__min_max_push(wend__heap *heap, uint64_t major, uint32_t id);
/// The id is in the heap.
void wend__min_max_remove(wend__heap *heap, uint32_t id);

/// Returns NULL if the heap is empty.
static inline const wend__heap_item *wend__min_max_first(const wend__heap *heap) {
    return heap->count > 0 ? &heap->items[0] : NULL;
}

static inline const wend__heap_item *wend__min_max_last(const wend__heap *heap) {
    if (heap->count < 3) return heap->count > 0 ? &heap->items[heap->count - 1] : NULL;
    return &heap->items[heap->items[1].major > heap->items[2].major ? 1 : 2];
}

#endif
