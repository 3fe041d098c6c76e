/* SPDX-License-Identifier: MIT */
/* The beginning of a path before its request is delivered: for requests at every stage, also inside callbacks, for any
 * number of workers, with answers as without these calls. */
#include "models/fast.h"
#include "service/service_support.h"

#include <criterion/criterion.h>
#include <string.h>

enum { SIDE = 300, AGENTS = 40, ROOM = 4096 };

static wend_cell cells[ROOM];
static wend_prefix prefix;

static void begin(void) {
    prefix = (wend_prefix){.struct_bytes = sizeof prefix};
}

static void end(void) {
    seen_hook = NULL;
    seen_clear();
}

TestSuite(head_start, .init = begin, .fini = end);

static wend_error ask(wend_service *service, wend_ticket ticket) {
    return wend_service_get_prefix(service, ticket, cells, ROOM, &prefix);
}

static void check_walkable(const wend_map *map, wend_cell start) {
    size_t walkable;
    uint64_t cost;
    cr_assert(cells[0].x == start.x && cells[0].y == start.y);
    cr_assert_eq(wend_map_path_cost(map, WEND_MOVER_DEFAULT, cells, prefix.cell_count, &walkable, &cost), WEND_OK);
    cr_assert_eq(walkable, prefix.cell_count);
    cr_assert_leq((int64_t)cost, prefix.cost);
    if (prefix.whole) cr_assert_eq((int64_t)cost, prefix.cost);
}

/* ---- stages ---- */

Test(head_start, a_request_in_the_inbox_or_the_queue_has_none) {
    wend_service_def def = small_def();
    tuning.lanes = tuning.searches = 1;
    wend_service *service = service_of(&def);
    OWNED_MAP *moat = moat_map(100);
    const wend_ticket first = submit_from_to(service, moat, at(0, 0), moat_goal(100), 1);
    const wend_ticket second = submit_from_to(service, moat, at(0, 0), moat_goal(100), 0);
    cr_assert_eq(ask(service, first), WEND_EMPTY);
    frame_of(service, 100);
    cr_assert_eq(ask(service, first), WEND_OK);
    cr_assert(!prefix.whole && prefix.expansions == 100 && prefix.left > 0 && prefix.cell_count > 1);
    check_walkable(moat, at(0, 0));
    cr_assert_eq(ask(service, second), WEND_EMPTY);
    cr_assert_eq(wend_service_destroy(service), WEND_OK);
}

/* A frame delivers one answer at least; with deliveries of 0 it leaves the others to the next. */
Test(head_start, a_finished_request_gives_its_path_until_it_is_delivered) {
    wend_service_def def = small_def();
    wend_service *service = service_of(&def);
    OWNED_MAP *map = rough_map(60, 60, 20, 5);
    submit_from_to(service, map, at(0, 0), at(0, 0), 9);
    const wend_ticket ticket = submit_from_to(service, map, at(0, 0), at(59, 59), 0);
    frame_delivering(service, 0);
    cr_assert_eq(ask(service, ticket), WEND_OK);
    cr_assert(prefix.whole && prefix.left == 0);
    check_walkable(map, at(0, 0));
    const size_t count = prefix.cell_count;
    static wend_cell few[3];
    few[2].x = -7;
    cr_assert_eq(wend_service_get_prefix(service, ticket, few, 2, &prefix), WEND_OK);
    cr_assert(prefix.cell_count == count && few[2].x == -7 && memcmp(few, cells, 2 * sizeof *few) == 0);
    cr_assert_eq(wend_service_get_prefix(service, ticket, NULL, 0, NULL), WEND_OK);
    frame_of(service, 0);
    const seen *one = seen_number(1);
    cr_assert_eq(one->completion.cell_count, count);
    cr_assert_eq(memcmp(one->cells, cells, count * sizeof *cells), 0);
    cr_assert_eq(ask(service, ticket), WEND_STALE_TICKET);
    cr_assert_eq(wend_service_destroy(service), WEND_OK);
}

Test(head_start, a_request_without_a_path_has_none) {
    wend_service_def def = small_def();
    wend_service *service = service_of(&def);
    OWNED_MAP *map = closed_map(40);
    submit_from_to(service, map, at(0, 0), at(0, 0), 9);
    const wend_ticket ticket = submit_from_to(service, map, at(0, 0), closed_goal(40), 0);
    frame_delivering(service, 0);
    cr_assert_eq(ask(service, ticket), WEND_EMPTY);
    cr_assert_eq(wend_service_destroy(service), WEND_OK);
}

Test(head_start, tickets_and_arguments_that_are_not_good) {
    wend_service_def def = small_def();
    wend_service *service = service_of(&def);
    OWNED_MAP *moat = moat_map(100);
    const wend_ticket ticket = submit_from_to(service, moat, at(0, 0), moat_goal(100), 0);
    frame_of(service, 100);
    cr_assert_eq(ask(service, (wend_ticket){0, 0}), WEND_STALE_TICKET);
    cr_assert_eq(ask(service, (wend_ticket){ticket.index, ticket.generation + 1}), WEND_STALE_TICKET);
    cr_assert_eq(ask(service, (wend_ticket){UINT32_MAX, 1}), WEND_STALE_TICKET);
    cr_assert_eq(wend_service_get_prefix(service, ticket, NULL, 1, &prefix), WEND_BAD_ARGUMENT);
    prefix.struct_bytes = 8;
    cr_assert_eq(ask(service, ticket), WEND_BAD_ARGUMENT);
    prefix.struct_bytes = sizeof prefix;
    cr_assert_eq(wend_service_cancel(service, ticket), WEND_OK);
    frame_of(service, 100);
    cr_assert_eq(ask(service, ticket), WEND_STALE_TICKET);
    cr_assert_eq(wend_service_destroy(service), WEND_OK);
}

Test(head_start, an_edit_leaves_the_version_searched_in_the_answer) {
    wend_service_def def = small_def();
    wend_service *service = service_of(&def);
    OWNED_MAP *moat = moat_map(100);
    const wend_ticket ticket = submit_from_to(service, moat, at(0, 0), moat_goal(100), 0);
    frame_of(service, 300);
    cr_assert_eq(ask(service, ticket), WEND_OK);
    const uint64_t epoch = prefix.epoch;
    const wend_cell second = cells[1];
    cr_assert_eq(wend_map_set_cell(moat, second, 0, NULL), WEND_OK);
    cr_assert_eq(ask(service, ticket), WEND_OK);
    cr_assert_eq(prefix.epoch, epoch, "the search goes on in its version");
    size_t walkable;
    cr_assert_eq(wend_map_path_cost(moat, WEND_MOVER_DEFAULT, cells, prefix.cell_count, &walkable, NULL), WEND_OK);
    cr_assert_eq(walkable, 1, "the caller sees what is still true");
    cr_assert_eq(wend_service_destroy(service), WEND_OK);
}

/* ---- callbacks ---- */

static wend_service *asked_service;
static wend_ticket asked_ticket;
static int asked_count;

static void ask_in_callback(const seen *last) {
    (void)last;
    cr_assert_eq(ask(asked_service, asked_ticket), WEND_OK);
    cr_assert(!prefix.whole);
    asked_count++;
}

Test(head_start, may_be_asked_for_inside_a_callback) {
    wend_service_def def = small_def();
    asked_service = service_of(&def);
    OWNED_MAP *moat = moat_map(100);
    asked_ticket = submit_from_to(asked_service, moat, at(0, 0), moat_goal(100), 0);
    frame_of(asked_service, 100);
    submit_from_to(asked_service, moat, at(0, 0), at(3, 0), 5);
    seen_hook = ask_in_callback;
    frame_of(asked_service, 100);
    cr_assert_eq(asked_count, 1);
    seen_hook = NULL;
    cr_assert_eq(wend_service_destroy(asked_service), WEND_OK);
}

/* ---- any number of workers, and no calls ---- */

static uint64_t mix(uint64_t hash, uint64_t value) {
    return (hash ^ value) * UINT64_C(1099511628211);
}

static uint64_t ask_all(wend_service *service, const wend_map *map, const wend_ticket *tickets, const wend_cell *starts,
                        uint64_t hash, long *given) {
    for (int i = 0; i < AGENTS; i++) {
        const wend_error error = ask(service, tickets[i]);
        hash = mix(hash, (uint64_t)(int64_t)error);
        if (error != WEND_OK) continue;
        check_walkable(map, starts[i]);
        for (size_t j = 0; j < prefix.cell_count; j++)
            hash = mix(hash, (uint64_t)(uint32_t)cells[j].x << 32 | (uint32_t)cells[j].y);
        *given += !prefix.whole;
    }
    return hash;
}

/* Frames of few expansions and few pages, so that searches are parked and evicted. */
static uint64_t run(wend_map *map, uint32_t workers, bool asks, uint64_t *answers) {
    wend_service_def def = small_def();
    def.workers = workers, tuning.lanes = 4;
    wend_service *service = service_of(&def);
    wend_ticket tickets[AGENTS];
    wend_cell starts[AGENTS];
    uint64_t state = 3, hash = 0;
    long given = 0;
    for (int i = 0; i < AGENTS; i++) {
        const int32_t x = (int32_t)draw(&state, SIDE), y = (int32_t)draw(&state, SIDE);
        const int32_t to_x = (int32_t)draw(&state, SIDE), to_y = (int32_t)draw(&state, SIDE);
        starts[i] = at(x, y);
        tickets[i] = submit_from_to(service, map, starts[i], at(to_x, to_y), i % 3);
    }
    while (wend_service_get_pending(service) > 0) {
        frame_of(service, 3000);
        if (asks) hash = ask_all(service, map, tickets, starts, hash, &given);
    }
    cr_assert(!asks || given > 20, "%ld", given);
    *answers = seen_hash();
    cr_assert_eq(wend_service_destroy(service), WEND_OK);
    seen_clear();
    return hash;
}

Test(head_start, s2_is_the_same_for_any_number_of_workers_and_changes_no_answer) {
    OWNED_MAP *map = rough_map(SIDE, SIDE, 25, 9);
    for (int accelerated = 0; accelerated < 2; accelerated++) {
        if (accelerated) cr_assert_eq(wend_map_accelerate(map, NULL), ACCELERATED);
        uint64_t answers, others;
        const uint64_t hash = run(map, 0, true, &answers);
        for (uint32_t workers = 1; workers < 4; workers += 2) {
            cr_assert_eq(run(map, workers, true, &others), hash);
            cr_assert_eq(others, answers);
        }
        (void)run(map, 0, false, &others);
        cr_assert_eq(others, answers, "asking changes nothing");
    }
}
