/* SPDX-License-Identifier: MIT */
/* When a search goes behind its peers: the rule at its limits and one past them, and its effects. */
#include "service/service_support.h"

#include <criterion/criterion.h>

enum { LANES = 2, SEARCHES = 8, PAGES = 64, QUANTUM = 100 };

static wend_service_def two_lanes(void) {
    wend_service_def def = small_def();
    tuning.lanes = LANES, tuning.searches = SEARCHES;
    def.nodes = PAGES * WEND_PAGE_NODES;
    tuning.quantum = QUANTUM, tuning.fair = 0;
    return def;
}

/* Returns whether a search of this cost is postponed, after searches like these. */
static bool is_postponed(wend_service *service, uint64_t taken, wend__ended ended) {
    wend__entry entry = {.slot = 0};
    service->quantum = QUANTUM, service->ended = ended, service->slots[0].search.expansions = taken;
    wend__postpone_decide(service, &entry);
    return entry.postponed;
}

Test(postponed, after_its_first_quantum_where_none_has_ended) {
    wend_service_def def = two_lanes();
    OWNED_SERVICE *service = service_of(&def);
    cr_assert_not(is_postponed(service, QUANTUM - 1, service->ended));
    cr_assert(is_postponed(service, QUANTUM, service->ended));
    cr_assert(is_postponed(service, UINT64_MAX, service->ended));
}

Test(postponed, after_a_quantum_and_four_times_the_mean) {
    wend_service_def def = two_lanes();
    OWNED_SERVICE *service = service_of(&def);
    const wend__ended quarter_each = {.count = 3, .spent = 3 * QUANTUM / 4},
                      two_quanta_each = {.count = 10, .spent = 20 * QUANTUM};
    cr_assert_not(is_postponed(service, QUANTUM - 1, quarter_each));
    cr_assert(is_postponed(service, QUANTUM, quarter_each));
    cr_assert_not(is_postponed(service, QUANTUM, (wend__ended){.count = 3, .spent = 3 * (QUANTUM / 4 + 1)}));
    cr_assert_not(is_postponed(service, 8 * QUANTUM - 1, two_quanta_each));
    cr_assert(is_postponed(service, 8 * QUANTUM, two_quanta_each));
}

Test(postponed, after_a_quantum_where_the_mean_is_four) {
    wend_service_def def = two_lanes();
    OWNED_SERVICE *service = service_of(&def);
    const wend__ended nearly = {.count = 2, .spent = 8 * QUANTUM - 1}, four_each = {.count = 2, .spent = 8 * QUANTUM};
    cr_assert_not(is_postponed(service, QUANTUM, nearly));
    cr_assert_not(is_postponed(service, QUANTUM - 1, four_each));
    cr_assert(is_postponed(service, QUANTUM, four_each));
}

/* The pages freed for it have to reach it. */
Test(postponed, but_not_while_it_starves) {
    wend_service_def def = two_lanes();
    OWNED_SERVICE *service = service_of(&def);
    wend__entry entry = {.slot = 0, .starved = true};
    service->quantum = QUANTUM, service->slots[0].search.expansions = QUANTUM;
    wend__postpone_decide(service, &entry);
    cr_assert_not(entry.postponed);
    entry.starved = false;
    wend__postpone_decide(service, &entry);
    cr_assert(entry.postponed);
}

/* A restarted search is not long because of earlier expansions of its request. */
Test(postponed, by_what_its_search_has_taken_since_it_began_again) {
    wend_service_def def = two_lanes();
    OWNED_SERVICE *service = service_of(&def);
    wend__entry entry = {.spent = 10 * QUANTUM, .slot = 0};
    service->quantum = QUANTUM, service->slots[0].search.expansions = QUANTUM - 1;
    wend__postpone_decide(service, &entry);
    cr_assert_not(entry.postponed);
}

Test(postponed, the_mean_is_of_the_last_searches) {
    wend_service_def def = two_lanes();
    OWNED_SERVICE *service = service_of(&def);
    const wend__ended long_one = {1, 100}, two_short = {2, 8};
    for (int i = 0; i < 1000; i++) wend__postpone_learn(service, &long_one);
    cr_assert(service->ended.count >= 32 && service->ended.count < 64);
    cr_assert_eq(service->ended.spent / service->ended.count, 100);
    for (int i = 0; i < 200; i++) wend__postpone_learn(service, &two_short);
    cr_assert_leq(service->ended.spent / service->ended.count, 5, "those before are forgotten");
    wend__postpone_learn(service, &(wend__ended){.count = 100000});
    cr_assert_lt(service->ended.count, 64);
}

/* Each search that ends is counted once, wherever its path goes: buffered by its lane, or kept in its slot. */
Test(postponed, every_search_that_ends_is_learnt_from) {
    wend_service_def def = two_lanes();
    OWNED_SERVICE *service = service_of(&def);
    OWNED_MAP *open = open_map(30, 30), *moat = moat_map(20);
    uint64_t spent = 0;
    for (int i = 0; i < 5; i++) submit_from_to(service, open, at(0, i), at(29, 29), 0);
    submit_from_to(service, moat, at(0, 0), moat_goal(20), 0);
    submit_from_to(service, open, at(3, 3), at(3, 3), 0); /* no search */
    drain(service, 1000);
    for (size_t i = 0; i < seen_count; i++) spent += seen_log[i].completion.expansions;
    cr_assert_eq(service->ended.count, 6);
    cr_assert_eq(service->ended.spent, spent);
}

/* Forty searches of equal length end; then three more are submitted, and two quanta spent on them. */
static wend_service *after_forty(wend_map *moat, uint64_t quantum, wend_ticket *first) {
    wend_service_def def = two_lanes();
    tuning.lanes = 1, tuning.slice = tuning.quantum = quantum;
    wend_service *service = service_of(&def);
    for (int i = 0; i < 40; i++) submit_from_to(service, moat, at(0, 0), moat_goal(60), 0);
    drain(service, 1000);
    *first = submit_from_to(service, moat, at(0, 0), moat_goal(60), 0);
    for (int i = 0; i < 2; i++) submit_from_to(service, moat, at(0, 0), moat_goal(60), 0);
    frame_of(service, 2 * quantum);
    return service;
}

Test(postponed, once) {
    wend_service_def def = two_lanes();
    tuning.lanes = 1, tuning.slice = tuning.quantum;
    OWNED_SERVICE *service = service_of(&def);
    OWNED_MAP *moat = moat_map(60);
    for (int i = 0; i < 3; i++) submit_from_to(service, moat, at(0, 0), moat_goal(60), 0);
    frame_of(service, 3 * QUANTUM);
    for (int i = 0; i < 3; i++) cr_assert_eq(service->entries[i].spent, QUANTUM, "each was postponed");
    while (seen_count == 0) frame_of(service, QUANTUM);
    cr_assert(seen_number(0));
    cr_assert_eq(service->entries[2].spent, QUANTUM, "none did again");
    drain(service, 1000);
}

Test(postponed, none_among_its_likes_that_take_under_four) {
    OWNED_MAP *moat = moat_map(60);
    wend_ticket first;
    const uint64_t quantum = cost_of_flood(moat, 60) / 3;
    OWNED_SERVICE *service = after_forty(moat, quantum, &first);
    cr_assert_eq(entry_of(service, first)->spent, 2 * quantum, "it was not postponed");
    drain(service, 1000);
    for (uint64_t i = 41; i < 43; i++) cr_assert(seen_number(i - 1) < seen_number(i), "in order");
}

Test(postponed, all_that_take_four_and_more_to_whoever_comes_later) {
    OWNED_MAP *moat = moat_map(60), *open = open_map(30, 30);
    wend_ticket first;
    const uint64_t quantum = cost_of_flood(moat, 60) / 5;
    OWNED_SERVICE *service = after_forty(moat, quantum, &first);
    cr_assert_eq(entry_of(service, first)->spent, quantum, "it was postponed");
    submit_from_to(service, open, at(0, 0), at(29, 29), 0);
    for (int i = 0; i < 2; i++) frame_of(service, quantum);
    cr_assert(seen_number(43) && !seen_number(40));
    drain(service, 1000);
}
