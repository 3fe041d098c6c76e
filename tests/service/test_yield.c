/* SPDX-License-Identifier: MIT */
/* When a search goes behind its peers: the rule at its limits and one past them, and what comes of it. */
#include "service/service_support.h"

#include <criterion/criterion.h>

enum { LANES = 2, SEARCHES = 8, PAGES = 64, QUANTUM = 100 };

static wend_service_def two_lanes(void) {
    wend_service_def def = small_def();
    def.lanes = LANES;
    def.searches = SEARCHES;
    def.nodes = PAGES * WEND_PAGE_NODES;
    tuning.quantum = QUANTUM;
    tuning.fair = 0;
    return def;
}

/* Quanta counted for a request that has spent so much, of which `before` counted already, after such searches. */
static uint32_t counted(wend_service *service, uint64_t spent, uint32_t before, wend__ended ended) {
    wend__entry entry = {.spent = spent, .slot = 0, .quanta = before, .lengthy = before > 0};
    service->ended = ended;
    service->slots[0].search.expansions = spent;
    wend__yield_count(service, &entry);
    cr_assert_eq(entry.lengthy, spent >= QUANTUM);
    return entry.quanta;
}

/* So many pages of each kind held by the search that is asked about. */
static void hold(wend_service *service, uint64_t pages, uint64_t open) {
    service->slots[0].search.pages.count = (uint32_t)pages;
    service->slots[0].search.open_pages.count = (uint32_t)open;
}

/* As long as searches may be where one quantum is not yet little of them, and so long that those asked about are
 * not much longer. */
enum { RULE = 4 * QUANTUM - 1 };

Test(yields, after_its_first_quantum_where_short_searches_are_not_seldom) {
    wend_service_def def = two_lanes();
    wend_service *service = service_of(&def);
    const wend__ended at_first = service->ended;
    cr_assert_eq(counted(service, QUANTUM - 1, 0, at_first), 0);
    cr_assert_eq(counted(service, QUANTUM, 0, at_first), 1);
    cr_assert_eq(counted(service, 5 * QUANTUM + 99, 0, at_first), 5);
    cr_assert_eq(counted(service, UINT64_MAX, 0, at_first), UINT32_MAX);
    const wend__ended some = {.count = 1, .spent = RULE, .known = 31, .brief = 2}; /* it is one more itself */
    const wend__ended few = {.count = 1, .spent = RULE, .known = 32, .brief = 2};
    cr_assert_eq(counted(service, QUANTUM, 0, some), 1);
    cr_assert_eq(counted(service, QUANTUM, 0, few), 0);
    cr_assert_eq(counted(service, QUANTUM, 0, (wend__ended){.count = 1, .spent = RULE, .known = 1}), 0, "none was");
    wend_service_destroy(service);
}

Test(yields, after_its_first_quantum_where_short_searches_are_much_shorter) {
    wend_service_def def = two_lanes();
    wend_service *service = service_of(&def);
    const uint64_t open = service->pool.open_count / 4 / 4;
    const wend__ended thirty_each = {.count = 1, .spent = RULE, .known = 4, .brief = 2, .brief_spent = 60};
    cr_assert_eq(counted(service, 119, 0, thirty_each), 0);
    cr_assert_eq(counted(service, 120, 0, thirty_each), 1);
    service->running = 4;
    hold(service, PAGES / 4 / 4, open);
    cr_assert_eq(counted(service, 120, 0, thirty_each), 1, "each of the four may grow to four times that");
    hold(service, PAGES / 4 / 4 + 1, 0);
    cr_assert_eq(counted(service, 479, 0, thirty_each), 0);
    cr_assert_eq(counted(service, 480, 0, thirty_each), 4);
    hold(service, 0, open + 1);
    cr_assert_eq(counted(service, 479, 0, thirty_each), 0);
    cr_assert_eq(counted(service, 480, 0, thirty_each), 4);
    service->running = 0;
    wend_service_destroy(service);
}

Test(yields, after_its_first_quantum_where_searches_take_four) {
    wend_service_def def = two_lanes();
    wend_service *service = service_of(&def);
    cr_assert_eq(counted(service, QUANTUM, 0, (wend__ended){.count = 2, .spent = 8 * QUANTUM - 1}), 0);
    cr_assert_eq(counted(service, QUANTUM, 0, (wend__ended){.count = 2, .spent = 8 * QUANTUM}), 1);
    wend_service_destroy(service);
}

Test(yields, after_over_four_times_what_others_take) {
    wend_service_def def = two_lanes();
    wend_service *service = service_of(&def);
    const wend__ended two_quanta_each = {.count = 10, .spent = 20 * QUANTUM};
    cr_assert_eq(counted(service, 8 * QUANTUM + 3, 0, two_quanta_each), 0);
    cr_assert_eq(counted(service, 8 * QUANTUM + 4, 0, two_quanta_each), 8);
    wend_service_destroy(service);
}

Test(yields, further_on_after_over_four_times_what_others_take) {
    wend_service_def def = two_lanes();
    wend_service *service = service_of(&def);
    const wend__ended hundred_each = {.count = 10, .spent = 1000, .pages = 10, .open = 10};
    hold(service, 1, 1);
    cr_assert_eq(counted(service, 2 * QUANTUM, 1, (wend__ended){0}), 2, "none has ended yet");
    cr_assert_eq(counted(service, 2 * QUANTUM - 1, 1, (wend__ended){0}), 1);
    cr_assert_eq(counted(service, 403, 1, hundred_each), 1);
    cr_assert_eq(counted(service, 404, 1, hundred_each), 4);
    wend_service_destroy(service);
}

Test(yields, further_on_where_pages_are_free_for_every_lane_and_one_more) {
    wend_service_def def = two_lanes();
    wend_service *service = service_of(&def);
    const uint64_t free = wend__pool_free_pages(&service->pool), open = wend__pool_free_open(&service->pool);
    const uint64_t third = free / (LANES + 1), third_open = open / (LANES + 1);
    const wend__ended three = {.count = 3, .pages = free, .open = open};
    wend__ended more_pages = three, more_open = three;
    more_pages.pages++, more_open.open++;
    cr_assert_eq(counted(service, 500, 1, three), 5);
    cr_assert_eq(counted(service, 500, 1, more_pages), 1);
    cr_assert_eq(counted(service, 500, 1, more_open), 1);
    hold(service, third, third_open);
    cr_assert_eq(counted(service, 500, 1, (wend__ended){0}), 5, "none has ended yet");
    hold(service, third + 1, 0);
    cr_assert_eq(counted(service, 500, 1, (wend__ended){0}), 1);
    hold(service, 0, third_open + 1);
    cr_assert_eq(counted(service, 500, 1, (wend__ended){0}), 1);
    cr_assert_eq(counted(service, 500, 0, (wend__ended){.brief = 1}), 5, "the first takes no room");
    wend_service_destroy(service);
}

Test(yields, further_on_where_all_in_flight_may_grow) {
    wend_service_def def = two_lanes();
    wend_service *service = service_of(&def);
    const uint64_t open = service->pool.open_count / 4 / 4;
    const wend__ended short_ones = {.count = 10, .spent = 100};
    service->running = 4;
    hold(service, PAGES / 4 / 4, open);
    cr_assert_eq(counted(service, 500, 1, short_ones), 5);
    hold(service, PAGES / 4 / 4 + 1, open);
    cr_assert_eq(counted(service, 500, 1, short_ones), 1);
    hold(service, PAGES / 4 / 4, open + 1);
    cr_assert_eq(counted(service, 500, 1, short_ones), 1);
    hold(service, PAGES / 4 / 4, open);
    service->holding = SEARCHES - 4 - LANES;
    service->pool.fresh_page += PAGES / 2;
    cr_assert_eq(counted(service, 500, 1, short_ones), 5, "those that ended do not grow; pages in use may be its own");
    service->pool.fresh_page -= PAGES / 2;
    service->running = service->holding = 0;
    wend_service_destroy(service);
}

Test(yields, further_on_where_a_slot_is_free_for_every_lane) {
    wend_service_def def = two_lanes();
    wend_service *service = service_of(&def);
    service->running = SEARCHES - LANES - 1, service->holding = 1;
    cr_assert_eq(counted(service, 500, 1, (wend__ended){0}), 5);
    service->holding = 2;
    cr_assert_eq(counted(service, 500, 1, (wend__ended){0}), 1);
    service->running = service->holding = 0;
    wend_service_destroy(service);
}

/* What is freed for it has to reach it. */
Test(yields, but_not_while_it_starves) {
    wend_service_def def = two_lanes();
    wend_service *service = service_of(&def);
    wend__entry entry = {.spent = QUANTUM, .slot = 0, .starved = true};
    service->slots[0].search.expansions = QUANTUM;
    wend__yield_count(service, &entry);
    cr_assert_eq(entry.quanta, 0);
    entry.starved = false;
    wend__yield_count(service, &entry);
    cr_assert_eq(entry.quanta, 1);
    cr_assert_eq(service->ended.known, 3, "it is known once");
    wend_service_destroy(service);
}

Test(yields, the_rule_is_what_the_last_searches_took) {
    wend_service_def def = two_lanes();
    wend_service *service = service_of(&def);
    const wend__ended long_one = {1, 100, 10, 20, 1, 0, 0}, two_short = {2, 8, 4, 6, 2, 2, 8};
    for (int i = 0; i < 1000; i++) wend__yield_learn(service, &long_one);
    cr_assert(service->ended.count >= 32 && service->ended.count < 64);
    cr_assert(service->ended.known >= 32 && service->ended.known < 64);
    cr_assert_eq(service->ended.spent / service->ended.count, 100);
    cr_assert_eq(service->ended.brief, 0);
    for (int i = 0; i < 200; i++) wend__yield_learn(service, &two_short);
    cr_assert_leq(service->ended.spent / service->ended.count, 5, "those before are forgotten");
    cr_assert_leq(service->ended.pages / service->ended.count, 2);
    cr_assert_leq(service->ended.open / service->ended.count, 3);
    cr_assert_geq(service->ended.brief, service->ended.known - 2);
    cr_assert_leq(service->ended.brief_spent / service->ended.brief, 4);
    wend__yield_learn(service, &(wend__ended){.count = 100000, .known = 100000});
    cr_assert(service->ended.count < 64 && service->ended.known < 64);
    wend_service_destroy(service);
}

/* What a search that ended says, whatever its request lost before it began again. */
static wend__ended noted(const wend_service *service, uint64_t expansions, bool lengthy) {
    const wend__entry entry = {.spent = expansions + 10 * QUANTUM, .slot = 0, .lengthy = lengthy};
    wend__ended ended = {0};
    service->slots[0].search.expansions = expansions;
    wend__yield_note(service, &ended, &entry);
    cr_assert(ended.count == 1 && ended.spent == expansions);
    return ended;
}

Test(yields, a_search_was_short_if_it_took_less_than_a_quantum) {
    wend_service_def def = two_lanes();
    wend_service *service = service_of(&def);
    wend__ended ended = noted(service, QUANTUM - 1, false);
    cr_assert(ended.known == 1 && ended.brief == 1 && ended.brief_spent == QUANTUM - 1);
    ended = noted(service, QUANTUM, false);
    cr_assert(ended.known == 1 && ended.brief == 0 && ended.brief_spent == 0, "which is known only now");
    ended = noted(service, QUANTUM, true);
    cr_assert(ended.known == 0 && ended.brief == 0 && ended.brief_spent == 0, "it was known before");
    wend_service_destroy(service);
}

/* One that lost its nodes is not long for what it had spent before. */
Test(yields, a_search_is_long_if_it_has_taken_a_quantum) {
    wend_service_def def = two_lanes();
    wend_service *service = service_of(&def);
    wend__entry entry = {.spent = 10 * QUANTUM, .slot = 0};
    service->slots[0].search.expansions = QUANTUM - 1;
    wend__yield_count(service, &entry);
    cr_assert(!entry.lengthy && service->ended.known == 2);
    service->slots[0].search.expansions = QUANTUM;
    wend__yield_count(service, &entry);
    cr_assert(entry.lengthy && service->ended.known == 3);
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
    cr_assert_eq(service->ended.known, 2 + 6, "and two that it is made with");
    cr_assert_eq(service->ended.brief, 2 + 5);
    cr_assert_eq(service->ended.brief_spent, spent - flood);
    wend_service_destroy(service);
    wend_map_release(open);
    wend_map_release(moat);
}

/* Forty searches as long as one another end; then three more are asked for, and two quanta spent on them. */
static wend_service *after_forty(wend_map *moat, uint64_t quantum, wend_ticket *first) {
    wend_service_def def = two_lanes();
    def.lanes = 1;
    tuning.slice = tuning.quantum = quantum;
    wend_service *service = service_of(&def);
    for (int i = 0; i < 40; i++) submit_from_to(service, moat, at(0, 0), moat_goal(60), 0);
    drain(service, 1000);
    *first = submit_from_to(service, moat, at(0, 0), moat_goal(60), 0);
    for (int i = 0; i < 2; i++) submit_from_to(service, moat, at(0, 0), moat_goal(60), 0);
    frame_of(service, 2 * quantum);
    return service;
}

Test(yields, none_among_its_likes_that_take_under_four) {
    wend_map *moat = moat_map(60);
    wend_ticket first;
    const uint64_t quantum = cost_of_flood(moat, 60) / 3;
    wend_service *service = after_forty(moat, quantum, &first);
    cr_assert_eq(service->entries[first.index].spent, 2 * quantum, "it did not yield");
    drain(service, 1000);
    for (uint64_t i = 41; i < 43; i++) cr_assert(seen_number(i - 1) < seen_number(i), "in order");
    wend_service_destroy(service);
    wend_map_release(moat);
}

Test(yields, all_that_take_four_and_more_to_whoever_comes_later) {
    wend_map *moat = moat_map(60), *open = open_map(30, 30);
    wend_ticket first;
    const uint64_t quantum = cost_of_flood(moat, 60) / 5;
    wend_service *service = after_forty(moat, quantum, &first);
    cr_assert_eq(service->entries[first.index].spent, quantum, "it yielded");
    submit_from_to(service, open, at(0, 0), at(29, 29), 0);
    for (int i = 0; i < 2; i++) frame_of(service, quantum);
    cr_assert(seen_number(43) && !seen_number(40));
    drain(service, 1000);
    wend_service_destroy(service);
    wend_map_release(moat);
    wend_map_release(open);
}
