/* SPDX-License-Identifier: MIT */
/* When a search goes behind its peers: the rule at its limits and one past them, and what comes of it. */
#include "service_support.h"

#include <criterion/criterion.h>

enum { LANES = 2, SEARCHES = 8, PAGES = 64, QUANTUM = 100 };

static wend_service_def two_lanes(void) {
    wend_service_def def = small_def();
    def.lanes = LANES;
    def.searches = SEARCHES;
    def.nodes = PAGES * WEND_PAGE_NODES;
    def.quantum = QUANTUM;
    def.fair = 0;
    return def;
}

/* Quanta counted for a request that spent so much, after such searches, whose own holds so many pages. */
static uint32_t counted_with(wend_service *service, uint64_t spent, wend__ended ended, uint64_t pages, uint64_t open) {
    wend__entry entry = {.spent = spent, .slot = 0};
    service->slots[0].search.pages.count = (uint32_t)pages;
    service->slots[0].search.open_pages.count = (uint32_t)open;
    service->ended = ended;
    wend__yield_count(service, &entry);
    return entry.quanta;
}

static uint32_t counted(wend_service *service, uint64_t spent, wend__ended ended) {
    return counted_with(service, spent, ended, 1, 1);
}

Test(yields, who_has_spent_a_quantum_and_over_four_times_what_others_do) {
    wend_service_def def = two_lanes();
    wend_service *service = service_of(&def);
    const wend__ended none = {0}, short_ones = {.count = 10, .spent = 999, .pages = 10, .open = 10}; /* 99 each */
    cr_assert_eq(counted(service, QUANTUM - 1, none), 0);
    cr_assert_eq(counted(service, QUANTUM, none), 1);
    cr_assert_eq(counted(service, 5 * QUANTUM + 99, none), 5);
    cr_assert_eq(counted(service, 399, short_ones), 0);
    cr_assert_eq(counted(service, 400, short_ones), 4);
    cr_assert_eq(counted(service, UINT64_MAX, short_ones), UINT32_MAX);
    wend_service_destroy(service);
}

Test(yields, who_leaves_pages_for_every_lane_and_one_more) {
    wend_service_def def = two_lanes();
    wend_service *service = service_of(&def);
    const uint64_t free = wend__pool_free_pages(&service->pool), open = wend__pool_free_open(&service->pool);
    const uint64_t third = free / (LANES + 1), third_open = open / (LANES + 1);
    cr_assert_eq(counted(service, 500, (wend__ended){3, 3, free, open}), 5, "of three searches");
    cr_assert_eq(counted(service, 500, (wend__ended){3, 3, free + 1, open}), 0);
    cr_assert_eq(counted(service, 500, (wend__ended){3, 3, free, open + 1}), 0);
    cr_assert_eq(counted_with(service, 500, (wend__ended){0}, third, third_open), 5, "none has ended yet");
    cr_assert_eq(counted_with(service, 500, (wend__ended){0}, third + 1, 0), 0);
    cr_assert_eq(counted_with(service, 500, (wend__ended){0}, 0, third_open + 1), 0);
    wend_service_destroy(service);
}

Test(yields, who_leaves_a_slot_for_every_lane) {
    wend_service_def def = two_lanes();
    wend_service *service = service_of(&def);
    service->running = SEARCHES - LANES - 1, service->holding = 1;
    cr_assert_eq(counted(service, QUANTUM, (wend__ended){0}), 1);
    service->holding = 2;
    cr_assert_eq(counted(service, QUANTUM, (wend__ended){0}), 0);
    service->running = service->holding = 0;
    wend_service_destroy(service);
}

/* What is freed for it has to reach it. */
Test(yields, who_does_not_starve) {
    wend_service_def def = two_lanes();
    wend_service *service = service_of(&def);
    wend__entry entry = {.spent = QUANTUM, .slot = 0, .starved = true};
    wend__yield_count(service, &entry);
    cr_assert_eq(entry.quanta, 0);
    entry.starved = false;
    wend__yield_count(service, &entry);
    cr_assert_eq(entry.quanta, 1);
    wend_service_destroy(service);
}

Test(yields, the_rule_is_what_the_last_searches_took) {
    wend_service_def def = two_lanes();
    wend_service *service = service_of(&def);
    for (int i = 0; i < 1000; i++) wend__yield_learn(service, &(wend__ended){1, 100, 10, 20});
    cr_assert(service->ended.count >= 32 && service->ended.count < 64);
    cr_assert_eq(service->ended.spent / service->ended.count, 100);
    for (int i = 0; i < 200; i++) wend__yield_learn(service, &(wend__ended){2, 8, 4, 6});
    cr_assert_leq(service->ended.spent / service->ended.count, 5, "those before are forgotten");
    cr_assert_leq(service->ended.pages / service->ended.count, 2);
    cr_assert_leq(service->ended.open / service->ended.count, 3);
    wend__yield_learn(service, &(wend__ended){100000, 100000, 0, 0});
    cr_assert_lt(service->ended.count, 64);
    wend_service_destroy(service);
}

/* Each search that ends is counted once, wherever its path goes: staged by its lane, or kept in its slot. */
Test(yields, every_search_that_ends_is_learnt_from) {
    wend_service_def def = two_lanes();
    wend_service *service = service_of(&def);
    wend_map *open = open_map(30, 30), *moat = moat_map(20);
    const uint64_t flood = cost_of_flood(moat, 20);
    uint64_t spent = 0;
    for (int i = 0; i < 5; i++) submit_from_to(service, open, at(0, i), at(29, 29), 0);
    submit_from_to(service, moat, at(0, 0), moat_goal(20), 0);
    submit_from_to(service, open, at(3, 3), at(3, 3), 0); /* no search */
    drain(service, 1000);
    for (size_t i = 0; i < seen_count; i++) spent += seen_log[i].completion.expansions;
    cr_assert_eq(service->ended.count, 6);
    cr_assert_eq(service->ended.spent, spent);
    cr_assert_gt(spent, flood);
    cr_assert_eq(service->ended.pages, 6);
    wend_service_destroy(service);
    wend_map_release(open);
    wend_map_release(moat);
}

/* Among searches as long as itself, once that is known, nobody gains: they end one after another, in order. */
Test(yields, among_its_likes_no_search_does) {
    wend_service_def def = two_lanes();
    def.lanes = 1;
    wend_service *service = service_of(&def);
    wend_map *moat = moat_map(60);
    submit_from_to(service, moat, at(0, 0), moat_goal(60), 0);
    drain(service, 1000);
    wend_ticket tickets[3];
    for (int i = 0; i < 3; i++) tickets[i] = submit_from_to(service, moat, at(0, 0), moat_goal(60), 0);
    for (uint64_t done = 1; done < 3; done = seen_count) {
        frame_of(service, 200);
        const wend__entry *next = &service->entries[tickets[2].index];
        if (!seen_number(2)) cr_assert_eq(next->spent, 0, "the last has not begun");
    }
    drain(service, 1000);
    for (uint64_t i = 0; i < 4; i++) cr_assert_eq(seen_log[i].completion.number, i);
    wend_service_destroy(service);
    wend_map_release(moat);
}
