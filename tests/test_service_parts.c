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
        wend__paths_free(&paths, first, last, (uint32_t)wend__paths_blocks(steps));
        if (both) wend__paths_free(&paths, other_first, other_last, (uint32_t)wend__paths_blocks(other));
        cr_assert_eq(paths.free_count, BLOCKS);
    }
}

/* Entries 1 to 40 by number, some taken out and put back at any place, with and without a place to begin at. */
Test(chain, an_insertion_finds_its_place_from_anywhere) {
    enum { COUNT = 40 };
    static wend__entry entries[COUNT];
    static wend_service service;
    service.entries = entries;
    uint64_t seed = 4;
    for (int trial = 0; trial < 2000; trial++) {
        wend__chain chain = {WEND__NONE, WEND__NONE};
        bool in[COUNT];
        for (uint32_t i = 0; i < COUNT; i++) {
            entries[i].number = 100 + i;
            in[i] = draw(&seed, 3) > 0;
            if (in[i]) wend__chain_append(&service, &chain, i);
        }
        uint32_t behind = WEND__NONE;
        for (uint32_t i = 0; i < COUNT; i++) {
            if (in[i] || draw(&seed, 2)) continue;
            wend__chain_insert(&service, &chain, i, draw(&seed, 2) ? behind : WEND__NONE);
            in[i] = true;
            behind = i;
        }
        uint32_t at_index = chain.first, previous = WEND__NONE;
        for (uint32_t i = 0; i < COUNT; i++) {
            if (!in[i]) continue;
            cr_assert_eq(at_index, i);
            cr_assert_eq(entries[i].previous, previous);
            previous = i;
            at_index = entries[i].next;
        }
        cr_assert_eq(at_index, WEND__NONE);
        cr_assert_eq(chain.last, previous);
    }
}
