/* SPDX-License-Identifier: MIT */
/* A binary heap of ids with two-part keys, least first, with the place of each id. */
#include "service/store/heap.h"
#include "base/heap.h"

static void put(wend__heap *heap, wend__heap_item *items, size_t place, wend__heap_item item) {
    items[place] = item;
    heap->places[item.id] = (uint32_t)place;
}
#define IS_BEFORE(heap, a, b) wend__heap_before(&(a), &(b))
WEND__HEAP(heap_item, wend__heap *, wend__heap_item, IS_BEFORE, put)

void wend__heap_push(wend__heap *heap, uint64_t major, uint32_t minor, uint32_t id) {
    const uint32_t place = heap->count++;
    heap_item_up(heap, heap->items, place, (wend__heap_item){major, minor, id});
}

void wend__heap_remove(wend__heap *heap, uint32_t id) {
    WEND__DEBUG_ASSERT(heap->places[id] < heap->count && heap->items[heap->places[id]].id == id);
    uint32_t place = heap->places[id];
    wend__heap_item last = heap->items[--heap->count];
    if (place == heap->count) return;
    if (place > 0 && wend__heap_before(&last, &heap->items[(place - 1) / 2]))
        heap_item_up(heap, heap->items, place, last);
    else
        heap_item_down(heap, heap->items, heap->count, place, last);
}
