/* SPDX-License-Identifier: MIT */
/* Internal: a binary heap of ids with two-part keys, least first, that knows where each id is. */
#ifndef WEND_SRC_HEAP_H
#define WEND_SRC_HEAP_H

#include "base/base.h"

/// Keys stand beside the ids, so that sifting does not visit what the ids stand for.
typedef struct wend__heap_item {
    uint64_t major;
    uint32_t minor, id;
} wend__heap_item;

typedef struct wend__heap {
    wend__heap_item *items;
    uint32_t *places; ///< of each id that is in the heap
    uint32_t count;
} wend__heap;

/// The id is not in the heap, and there is room for it.
void wend__heap_push(wend__heap *heap, uint64_t major, uint32_t minor, uint32_t id);
/// The id is in the heap.
void wend__heap_remove(wend__heap *heap, uint32_t id);

static inline bool wend__heap_before(const wend__heap_item *a, const wend__heap_item *b) {
    return a->major != b->major ? a->major < b->major : a->minor < b->minor;
}

#endif
