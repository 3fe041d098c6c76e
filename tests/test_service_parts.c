/* SPDX-License-Identifier: MIT */
/* The heap, and the buckets of the histograms, by themselves. */
#include "service_support.h"

#include <criterion/criterion.h>

Test(heap, agrees_with_a_sorted_list_under_random_changes) {
    enum { IDS = 60 };
    wend__heap_item items[IDS];
    uint32_t places[IDS];
    wend__heap heap = {items, places, 0};
    wend__heap_item key[IDS];
    bool in[IDS] = {false};
    uint64_t seed = 8;
    for (int step = 0; step < 50000; step++) {
        uint32_t id = draw(&seed, IDS);
        if (in[id]) wend__heap_remove(&heap, id);
        in[id] = !in[id];
        if (in[id]) {
            key[id] = (wend__heap_item){draw(&seed, 5), (uint64_t)step, id};
            wend__heap_push(&heap, key[id].major, key[id].minor, id);
        }
        const wend__heap_item *first = NULL;
        uint32_t count = 0;
        for (uint32_t i = 0; i < IDS; i++) {
            if (!in[i]) continue;
            count++;
            cr_assert_eq(items[places[i]].id, i);
            if (!first || wend__heap_before(&key[i], first)) first = &key[i];
        }
        cr_assert_eq(heap.count, count);
        if (first) cr_assert_eq(items[0].id, first->id);
        if (first && draw(&seed, 4) == 0) {
            cr_assert_eq(wend__heap_pop(&heap), first->id);
            in[first->id] = false;
        }
    }
}

Test(paths, blocks_are_given_back_and_used_again) {
    enum { BLOCKS = 10 };
    static _Alignas(64) uint8_t memory[BLOCKS * WEND__PATH_BLOCK];
    wend__paths paths;
    wend__paths_init(&paths, memory, BLOCKS);
    uint8_t directions[BLOCKS * WEND__PATH_BLOCK_STEPS];
    uint64_t seed = 2;
    for (size_t i = 0; i < sizeof directions; i++) directions[i] = (uint8_t)draw(&seed, 8);
    cr_assert(wend__paths_fit(&paths, sizeof directions));
    cr_assert_not(wend__paths_fit(&paths, sizeof directions + 1));
    for (uint64_t steps = 0; steps <= sizeof directions; steps++) {
        uint32_t first, last, other_first, other_last;
        uint64_t other = draw(&seed, 100);
        bool both = wend__paths_blocks(steps) + wend__paths_blocks(other) <= BLOCKS;
        if (both) wend__paths_store(&paths, directions, other, &other_first, &other_last);
        wend__paths_store(&paths, directions, steps, &first, &last);
        static wend_cell expected[sizeof directions], cells[sizeof directions];
        wend__paths_walk(at(7, 7), directions, steps, expected);
        wend__paths_spread(&paths, first, at(7, 7), steps, cells);
        for (uint64_t i = 0; i < steps; i++) cr_assert(cells[i].x == expected[i].x && cells[i].y == expected[i].y);
        wend__paths_free(&paths, first, last, steps);
        if (both) wend__paths_free(&paths, other_first, other_last, other);
        cr_assert_eq(paths.free_count, BLOCKS);
    }
}
