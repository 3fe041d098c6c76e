/* SPDX-License-Identifier: MIT */
/* A min-max heap (Atkinson, Sack, Santoro and Strothotte 1986) with the place of each id. On levels 0, 2, 4 … an item
 * is before all below it, on the other levels behind them. */
#include "service/store/heap.h"

#include "base/base.h"

/* Returns whether the items of the place's level are before the items below. */
static bool is_low(uint32_t place) {
    return wend__top64((uint64_t)place + 1) % 2 == 0;
}

/* Returns whether `a` belongs above `b` on such a level. */
static bool belongs_above(bool low, const wend__heap_item *a, const wend__heap_item *b) {
    return low ? a->major < b->major : a->major > b->major;
}

static void put(wend__heap *heap, uint32_t place, wend__heap_item item) {
    heap->items[place] = item;
    heap->places[item.id] = place;
}

/* Moves an item through levels of its own kind. */
static void sift_up(wend__heap *heap, uint32_t place, wend__heap_item item) {
    const bool low = is_low(place);
    while (place > 2) {
        const uint32_t above = ((place - 1) / 2 - 1) / 2;
        if (!belongs_above(low, &item, &heap->items[above])) break;
        put(heap, place, heap->items[above]);
        place = above;
    }
    put(heap, place, item);
}

/* Returns the child or grandchild that belongs above the others; the place itself if there is none. */
static uint32_t best_below(const wend__heap *heap, bool low, uint32_t place) {
    const uint64_t below[] = {2 * (uint64_t)place + 1, 4 * (uint64_t)place + 3}; /* first children and grandchildren */
    uint32_t best = place;
    for (unsigned level = 0; level < 2; level++)
        for (uint64_t i = below[level]; i < below[level] + 2 + 2 * level && i < heap->count; i++)
            if (best == place || belongs_above(low, &heap->items[i], &heap->items[best])) best = (uint32_t)i;
    return best;
}

static void sift_down(wend__heap *heap, uint32_t place, wend__heap_item item) {
    const bool low = is_low(place);
    for (;;) {
        const uint32_t best = best_below(heap, low, place);
        if (best == place || !belongs_above(low, &heap->items[best], &item)) break;
        put(heap, place, heap->items[best]);
        const bool child = best <= 2 * (uint64_t)place + 2;
        place = best;
        if (child) break;
        const uint32_t parent = (best - 1) / 2;
        if (!belongs_above(low, &heap->items[parent], &item)) continue;
        const wend__heap_item other = heap->items[parent];
        put(heap, parent, item);
        item = other;
    }
    put(heap, place, item);
}

/* Returns whether an item is on the wrong side of its parent, which is on a level of the other kind. */
static bool passes_parent(const wend__heap *heap, uint32_t place, const wend__heap_item *item) {
    return place > 0 && belongs_above(!is_low(place), item, &heap->items[(place - 1) / 2]);
}

void wend__min_max_push(wend__heap *heap, uint64_t major, uint32_t id) {
    const wend__heap_item item = {major, 0, id};
    const uint32_t place = heap->count++;
    if (!passes_parent(heap, place, &item)) {
        sift_up(heap, place, item);
        return;
    }
    put(heap, place, heap->items[(place - 1) / 2]);
    sift_up(heap, (place - 1) / 2, item);
}

void wend__min_max_remove(wend__heap *heap, uint32_t id) {
    WEND__DEBUG_ASSERT(heap->places[id] < heap->count && heap->items[heap->places[id]].id == id);
    const uint32_t place = heap->places[id];
    const wend__heap_item last = heap->items[--heap->count];
    if (place == heap->count) return;
    if (passes_parent(heap, place, &last)) {
        const wend__heap_item parent = heap->items[(place - 1) / 2];
        sift_up(heap, (place - 1) / 2, last);
        sift_down(heap, place, parent);
    } else if (place > 2 && belongs_above(is_low(place), &last, &heap->items[((place - 1) / 2 - 1) / 2])) {
        sift_up(heap, place, last);
    } else {
        sift_down(heap, place, last);
    }
}
