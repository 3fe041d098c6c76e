/* SPDX-License-Identifier: MIT */
/* Internal: a min-max heap (Atkinson, Sack, Santoro, Strothotte 1986): its first and its last are both at hand. */
#ifndef WEND_SRC_SERVICE_STORE_MIN_MAX_HEAP_H
#define WEND_SRC_SERVICE_STORE_MIN_MAX_HEAP_H

#include "service/store/heap.h"

/// The id is not in the heap, its key is nobody else's, and there is room for it. Cost of this and of remove:
/// O(log count).
void wend__min_max_push(wend__heap *heap, uint64_t major, uint32_t id);
/// The id is in the heap.
void wend__min_max_remove(wend__heap *heap, uint32_t id);

/// NULL: the heap is empty.
static inline const wend__heap_item *wend__min_max_first(const wend__heap *heap) {
    return heap->count > 0 ? &heap->items[0] : NULL;
}

static inline const wend__heap_item *wend__min_max_last(const wend__heap *heap) {
    if (heap->count < 3) return heap->count > 0 ? &heap->items[heap->count - 1] : NULL;
    return &heap->items[heap->items[1].major > heap->items[2].major ? 1 : 2];
}

#endif
