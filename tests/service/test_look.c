/* SPDX-License-Identifier: MIT */
/* Looking at a service between frames: lanes, cells expanded and errors. */
#include "models/options.h"
#include "service/service_support.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <wend/figures.h>

enum { SIDE = 60, ROOM = SIDE * SIDE };

static wend_queue queue_of(const wend_service *service) {
    wend_queue queue = {.struct_bytes = sizeof queue};
    cr_assert_eq(wend_service_get_queue(service, &queue), WEND_OK);
    return queue;
}

static wend_progress progress_of(const wend_service *service, wend_ticket ticket) {
    wend_progress progress = {.struct_bytes = sizeof progress};
    cr_assert_eq(wend_service_get_progress(service, ticket, &progress), WEND_OK);
    return progress;
}

/* ---- lanes ---- */

static size_t lanes_of(const wend_service *service, wend_lane_record *out, size_t bytes, size_t capacity) {
    size_t count;
    cr_assert_eq(wend_service_get_lanes(service, out, bytes, capacity, &count), WEND_OK);
    return count;
}

Test(look, lanes_tell_their_searches_as_they_go_on) {
    const wend_service_def def = small_def();
    wend_service *service = service_of(&def);
    OWNED_MAP *map = moat_map(SIDE);
    wend_ticket tickets[2];
    tickets[0] = submit_from_to(service, map, at(0, 0), moat_goal(SIDE), 5);
    tickets[1] = submit_from_to(service, map, at(0, 1), moat_goal(SIDE), 5);
    uint64_t spent = 0;
    for (int frame = 1; frame <= 8; frame++) {
        wend_lane_record lanes[3];
        spent += frame_of(service, 100).expansions;
        cr_assert_eq(lanes_of(service, lanes, sizeof *lanes, 3), 2);
        cr_assert_eq(lanes[0].expansions + lanes[1].expansions, spent);
        for (uint32_t i = 0; i < 2; i++) {
            const wend_lane_record *lane = &lanes[i];
            cr_expect_eq(lane->lane, i);
            cr_expect_eq(lane->map, map);
            cr_expect(lane->since == 1 && lane->submitted_frame == 0);
            cr_expect_eq(lane->ticket.index, tickets[lane->number].index);
            cr_expect_eq(lane->engine, progress_of(service, lane->ticket).engine);
            cr_expect_eq(lane->expansions, progress_of(service, lane->ticket).expansions);
        }
        cr_assert_eq(lanes_of(service, lanes, sizeof *lanes, 1), 2, "one fits");
    }
    frame_of(service, 0); /* without rounds the figures stay the same */
    wend_lane_record lanes[2];
    cr_assert_eq(lanes_of(service, lanes, sizeof *lanes, 2), 2);
    drain(service, 5000);
    cr_assert_eq(lanes_of(service, lanes, sizeof *lanes, 2), 0);
    cr_assert_eq(wend_service_destroy(service), WEND_OK);
    seen_clear();
}

/* A record of an older caller is shorter, one of a newer caller is longer. */
Test(look, lanes_fill_records_of_any_size) {
    const wend_service_def def = small_def();
    wend_service *service = service_of(&def);
    OWNED_MAP *map = moat_map(SIDE);
    struct {
        wend_lane_record record;
        uint64_t more;
    } wide[2];
    submit_from_to(service, map, at(0, 0), moat_goal(SIDE), 7);
    frame_of(service, 100);
    wide[0].more = wide[1].more = 9;
    cr_assert_eq(lanes_of(service, &wide[0].record, sizeof *wide, 2), 1);
    cr_assert(wide[0].record.urgency == 7 && wide[0].more == 0 && wide[1].more == 9);
    int32_t narrow[3] = {-1, -1, -1};
    cr_assert_eq(lanes_of(service, (wend_lane_record *)(void *)narrow, 2 * sizeof *narrow, 1), 1);
    cr_assert(narrow[0] == 0 && narrow[1] == 7 && narrow[2] == -1);
    cr_assert_eq(wend_service_destroy(service), WEND_OK);
    seen_clear();
}

/* ---- cells ---- */

static int by_place(const void *a, const void *b) {
    const wend_cell *one = a, *two = b;
    return one->y != two->y ? one->y - two->y : one->x - two->x;
}

/* The cells that a lone search has closed after as many expansions. */
static size_t closed_alone(wend_map *map, uint64_t expansions, wend_cell *cells) {
    size_t count;
    wend_search_def def = default_search();
    wend_request request = path_request(map, at(0, 0), moat_goal(SIDE));
    OWNED_SEARCH *search = made_search(&def);
    cr_assert_eq(wend_search_begin(search, &request), WEND_OK);
    wend_search_step(search, expansions, NULL);
    cr_assert_eq(wend_search_get_expanded(search, cells, ROOM, &count), WEND_OK);
    return count;
}

Test(look, expanded_cells_are_those_of_a_search_as_far) {
    static wend_cell cells[ROOM], alone[ROOM];
    const wend_service_def def = small_def();
    wend_service *service = service_of(&def);
    OWNED_MAP *map = moat_map(SIDE);
    size_t count = 77, before = 0;
    const wend_ticket ticket = submit_from_to(service, map, at(0, 0), moat_goal(SIDE), 0);
    cr_assert_eq(wend_service_get_expanded(service, ticket, cells, ROOM, &count), WEND_EMPTY);
    cr_assert_eq(count, 77);
    for (uint64_t spent = 50; spent <= 1000; spent += 50) {
        frame_of(service, 50);
        cr_assert_eq(progress_of(service, ticket).expansions, spent);
        cr_assert_eq(wend_service_get_expanded(service, ticket, cells, ROOM, &count), WEND_OK);
        cr_assert_eq(count, closed_alone(map, spent, alone));
        qsort(cells, count, sizeof *cells, by_place);
        qsort(alone, count, sizeof *alone, by_place);
        for (size_t i = 0; i < count; i++) cr_assert(cells[i].x == alone[i].x && cells[i].y == alone[i].y);
        cr_assert_geq(count, before);
        before = count;
    }
    cr_assert_gt(before, 100, "the case occurred");
    cells[3] = at(-1, -1);
    cr_assert_eq(wend_service_get_expanded(service, ticket, cells, 3, &count), WEND_OK);
    cr_assert(count == before && cells[3].x == -1);
    drain(service, 5000);
    cr_assert_eq(wend_service_get_expanded(service, ticket, NULL, 0, &count), WEND_STALE_TICKET);
    cr_assert_eq(wend_service_destroy(service), WEND_OK);
    seen_clear();
}

/* Looking changes nothing: the same completions in the same frames. */
Test(look, looking_changes_no_answer) {
    OWNED_MAP *map = rough_map(SIDE, SIDE, 25, 3);
    uint64_t hashes[2];
    for (int looks = 0; looks < 2; looks++) {
        const wend_service_def def = small_def();
        wend_service *service = service_of(&def);
        wend_ticket tickets[40];
        uint64_t random = 9;
        for (int i = 0; i < 40; i++) {
            const wend_cell start = at((int32_t)draw(&random, SIDE), 0);
            tickets[i] = submit_from_to(service, map, start, at(SIDE - 1, SIDE - 1), i % 5 - 2);
        }
        while (wend_service_get_work(service) > 0) {
            frame_of(service, 70);
            for (int i = 0; looks && i < 40; i++) {
                wend_cell cells[64];
                wend_lane_record lanes[2];
                size_t count;
                (void)wend_service_get_expanded(service, tickets[i], cells, 64, &count);
                (void)wend_service_get_lanes(service, lanes, sizeof *lanes, 2, &count);
                queue_of(service);
            }
        }
        hashes[looks] = seen_hash();
        seen_clear();
        cr_assert_eq(wend_service_destroy(service), WEND_OK);
    }
    cr_assert_eq(hashes[0], hashes[1]);
}

/* ---- states ---- */

/* An urgency that changes while a finished request waits counts where it is searched again. */
Test(look, a_request_that_returns_counts_with_its_new_urgency) {
    const wend_service_def def = small_def();
    wend_service *service = service_of(&def);
    OWNED_MAP *map = open_map(30, 30);
    wend_budget budget = default_budget();
    limits_of(&budget)->deliveries = 0; /* a frame delivers one in any case */
    submit_from_to(service, map, at(3, 0), at(4, 0), 0);
    const wend_ticket ticket = submit_from_to(service, map, at(0, 0), at(29, 29), -900);
    cr_assert_eq(progress_of(service, ticket).state, WEND_PROGRESS_WAITING);
    wend_service_tick(service, &budget, NULL);
    cr_assert_eq(progress_of(service, ticket).state, WEND_PROGRESS_FINISHED);
    cr_assert_eq(queue_of(service).bands[0].waiting, 0);
    cr_assert_eq(wend_service_set_urgency(service, ticket, 900), WEND_OK);
    cr_assert_eq(wend_service_set_goal(service, ticket, at(29, 0)), WEND_OK);
    budget.expansions = 1;
    wend_service_tick(service, &budget, NULL);
    const wend_queue queue = queue_of(service);
    cr_assert_eq(queue.bands[0].waiting + queue.bands[0].running, 0);
    cr_assert_eq(queue.bands[4].running, 1);
    cr_assert_eq(progress_of(service, ticket).state, WEND_PROGRESS_RUNNING);
    drain(service, 5000);
    cr_assert_eq(queue_of(service).waiting + queue_of(service).running, 0);
    cr_assert_eq(wend_service_destroy(service), WEND_OK);
    seen_clear();
}

Test(look, states_have_names) {
    cr_assert_str_eq(wend_constant_name(WEND_NAME_PROGRESS, WEND_PROGRESS_WAITING), "waiting");
    cr_assert_str_eq(wend_constant_name(WEND_NAME_PROGRESS, WEND_PROGRESS_FINISHED), "finished");
    cr_assert_str_eq(wend_constant_name(WEND_NAME_PROGRESS, 4), "unknown");
    cr_assert_str_eq(wend_constant_name(WEND_NAME_PROGRESS, -1), "unknown");
}

/* ---- errors ---- */

static wend_service *looked_at;
static uint32_t refused;

static void look_inside(void *context, const wend_completion *completion) {
    wend_queue queue = {.struct_bytes = sizeof queue};
    wend_progress progress = {.struct_bytes = sizeof progress};
    wend_lane_record lane;
    size_t count;
    (void)context;
    refused += wend_service_get_queue(looked_at, &queue) == WEND_IN_CALLBACK;
    refused += wend_service_get_progress(looked_at, completion->ticket, &progress) == WEND_IN_CALLBACK;
    refused += wend_service_get_expanded(looked_at, completion->ticket, NULL, 0, &count) == WEND_IN_CALLBACK;
    refused += wend_service_get_lanes(looked_at, &lane, sizeof lane, 1, &count) == WEND_IN_CALLBACK;
}

Test(look, refuses_what_it_cannot_answer) {
    const wend_service_def def = small_def();
    wend_service *service = looked_at = service_of(&def);
    OWNED_MAP *map = open_map(9, 9);
    wend_queue queue = {.struct_bytes = sizeof queue - 1};
    wend_progress progress = {.struct_bytes = 3};
    size_t count;
    const wend_ticket ticket = submit_from_to(service, map, at(0, 0), at(8, 8), 0);
    cr_expect_eq(wend_service_get_queue(service, &queue), WEND_BAD_ARGUMENT);
    cr_expect_eq(wend_service_get_queue(service, NULL), WEND_BAD_ARGUMENT);
    cr_expect_eq(wend_service_get_progress(service, ticket, &progress), WEND_BAD_ARGUMENT);
    cr_expect_eq(wend_service_get_progress(service, (wend_ticket){3, 1}, &progress), WEND_STALE_TICKET);
    cr_expect_eq(wend_service_get_expanded(service, (wend_ticket){0, 0}, NULL, 0, &count), WEND_STALE_TICKET);
    cr_expect_eq(wend_service_get_expanded(service, ticket, NULL, 1, &count), WEND_BAD_ARGUMENT);
    cr_expect_eq(wend_service_get_expanded(service, ticket, NULL, 0, NULL), WEND_BAD_ARGUMENT);
    wend_request request = request_on(service, map, at(0, 0), at(5, 5));
    request.on_done = look_inside;
    submit(service, &request);
    drain(service, 1000);
    cr_expect_eq(refused, 4);
    cr_assert_eq(wend_service_destroy(service), WEND_OK);
    seen_clear();
}

/* A request of the backlog has no entry so far. */
Test(look, a_request_of_the_backlog_waits) {
    wend_service_def def = small_def();
    wend_service *service = service_of(&def);
    OWNED_MAP *map = open_map(9, 9);
    size_t count;
    submit_from_to(service, map, at(0, 0), at(8, 8), 3);
    const wend_ticket ticket = submit_from_to(service, map, at(0, 0), at(8, 8), 2);
    const wend_progress progress = progress_of(service, ticket);
    cr_assert(progress.state == WEND_PROGRESS_WAITING && progress.ahead == 1 && progress.peers == 0);
    cr_assert_eq(progress.urgency, 2);
    cr_assert_eq(wend_service_get_expanded(service, ticket, NULL, 0, &count), WEND_EMPTY);
    cr_assert_eq(wend_service_set_urgency(service, ticket, 4), WEND_OK); /* at once, as no frame tests it before */
    cr_assert_eq(progress_of(service, ticket).ahead, 0);
    cr_assert_eq(queue_of(service).waiting, 2);
    drain(service, 1000);
    cr_assert_eq(wend_service_destroy(service), WEND_OK);
    seen_clear();
}
