/* SPDX-License-Identifier: MIT */
/* A binary heap of ids with two-part keys, least first, with the place of each id. */
#include "service/store/heap.h"

static void put(wend__heap *heap, uint32_t place, wend__heap_item item) {
    heap->items[place] = item;
    heap->places[item.id] = place;
}

static void sift_up(wend__heap *heap, uint32_t place, wend__heap_item item) {
    while (place > 0) {
        uint32_t parent = (place - 1) / 2;
        if (!wend__heap_before(&item, &heap->items[parent])) break;
        put(heap, place, heap->items[parent]);
        place = parent;
    }
    put(heap, place, item);
}

static void sift_down(wend__heap *heap, uint32_t place, wend__heap_item item) {
    for (uint32_t child; (child = 2 * place + 1) < heap->count; place = child) {
        if (child + 1 < heap->count && wend__heap_before(&heap->items[child + 1], &heap->items[child])) child++;
        if (!wend__heap_before(&heap->items[child], &item)) break;
        put(heap, place, heap->items[child]);
    }
    put(heap, place, item);
}

void wend__heap_push(wend__heap *heap, uint64_t major, uint32_t minor, uint32_t id) {
    sift_up(heap, heap->count++, (wend__heap_item){major, minor, id});
}

void wend__heap_remove(wend__heap *heap, uint32_t id) {
    WEND__DEBUG_ASSERT(heap->places[id] < heap->count && heap->items[heap->places[id]].id == id);
    uint32_t place = heap->places[id];
    wend__heap_item last = heap->items[--heap->count];
    if (place == heap->count) return;
    if (place > 0 && wend__heap_before(&last, &heap->items[(place - 1) / 2]))
        sift_up(heap, place, last);
    else
        sift_down(heap, place, last);
}
