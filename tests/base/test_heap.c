/* SPDX-License-Identifier: MIT */
/* Heaps and the sort by one, against qsort(), with equal keys and of all small sizes. */
#include "base/heap.h"
#include "models/random.h"

#include <criterion/criterion.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 300 };

typedef struct item {
    uint32_t key, id;
} item;

typedef struct places {
    size_t of[MOST]; ///< by id
} places;

#define KEY_BEFORE(c, a, b) ((a).key < (b).key)
#define KEY_LESS(a, b) ((a).key < (b).key)
#define PUT(c, heap, at, item) ((heap)[at] = (item), (c)->of[(item).id] = (at))
WEND__HEAP(item, places *, item, KEY_BEFORE, PUT)
WEND__HEAP_SORT(sort_items, item, KEY_LESS)

static int compare(const void *a, const void *b) {
    const uint32_t x = ((const item *)a)->key, y = ((const item *)b)->key;
    return (x > y) - (x < y);
}

static size_t draw_items(uint64_t *seed, size_t count, item *out) {
    const uint32_t keys = 1 + draw(seed, 400);
    for (uint32_t i = 0; i < count; i++) out[i] = (item){draw(seed, keys), i};
    return count;
}

Test(heap, sorts_as_qsort_does) {
    uint64_t seed = 5;
    for (size_t count = 0; count <= MOST; count++) {
        item items[MOST], expected[MOST];
        memcpy(expected, items, draw_items(&seed, count, items) * sizeof *items);
        qsort(expected, count, sizeof *expected, compare);
        sort_items(items, count);
        for (size_t i = 0; i < count; i++) cr_assert_eq(items[i].key, expected[i].key);
    }
}

/* Pushes, pops and lowered keys by turns: the first is always a least one, and each item is where its place says. */
Test(heap, keeps_the_least_on_top_and_each_place) {
    uint64_t seed = 6;
    for (int round = 0; round < 200; round++) {
        item drawn[MOST], heap[MOST];
        places p;
        size_t pushed = 0, count = 0;
        draw_items(&seed, MOST, drawn);
        while (pushed < MOST || count > 0) {
            if (pushed < MOST && (count == 0 || draw(&seed, 5) > 1)) {
                item_up(&p, heap, count, drawn[pushed++]);
                count++;
            } else if (draw(&seed, 2)) {
                item lowered = heap[draw(&seed, (uint32_t)count)];
                lowered.key /= 2;
                item_up(&p, heap, p.of[lowered.id], lowered);
            } else {
                const item last = heap[--count];
                item_down(&p, heap, count, 0, last);
            }
            for (size_t i = 0; i < count; i++) {
                cr_assert_eq(p.of[heap[i].id], i);
                cr_assert_leq(heap[0].key, heap[i].key);
            }
        }
    }
}
