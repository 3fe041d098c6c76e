/* SPDX-License-Identifier: MIT */
/* Requests on streamed land: answers that could change with land that is not loaded. */
#include "models/fast.h"
#include "models/few_or_many.h"
#include "models/options.h"
#include "service/suite.h"

#include "search/request/request_land.h"

#include <string.h>
#include <wend/stream.h>
#include <wend/ways.h>

static void begin(int32_t width, int32_t height, uint32_t share) {
    wend_service_def def = small_def();
    wend_map_def land = default_map();
    def.share = share;
    service = service_of(&def);
    land.width = width, land.height = height, land.streamed = 1;
    cr_assert_eq(wend_map_create(&land, &map), WEND_OK);
}

TestSuite(service_land, .fini = end);

static void load(int32_t x, int32_t y, const wend_box *wall) {
    wend_edit *edit = begin_edit(map);
    cr_assert_eq(wend_edit_load(edit, x, y, NULL, 0), WEND_OK);
    if (wall) cr_assert_eq(wend_edit_fill_box(edit, *wall, WEND_CLASS_BLOCKED), WEND_OK);
    cr_assert_eq(wend_edit_publish(edit, NULL), WEND_OK);
}

static void unload(int32_t x, int32_t y) {
    IN_BATCH(map, cr_assert_eq(wend_edit_unload(edit, x, y, WEND_LAND_ABSENT), WEND_OK));
}

/* Two halves of a chunk, and a link that leads back: only a search finds that there is no way. */
static void load_halves(void) {
    load(0, 0, &(wend_box){at(0, 32), at(63, 32)});
    IN_BATCH(map, cr_assert_eq(wend_edit_add_link(edit, &(wend_link){at(0, 63), at(0, 0), 10, 0}), WEND_OK));
}

Test(service_land, an_unknown_answer_is_never_shared) {
    begin(128, 64, 1);
    load_halves();
    for (int i = 0; i < 3; i++) submit_from_to(service, map, at(5, 5), at(40, 40), 0);
    drain(service, 1000);
    cr_assert_eq(seen_status(WEND_STATUS_NO_PATH), 3u);
    for (size_t i = 0; i < 3; i++) {
        cr_assert_eq(seen_log[i].completion.unknown, 1);
        cr_assert_eq(seen_log[i].completion.shared, 0);
        cr_assert_gt(seen_log[i].completion.expansions, 1000u);
    }
}

Test(service_land, a_certain_answer_is_shared) {
    begin(64, 64, 1);
    load_halves();
    for (int i = 0; i < 3; i++) submit_from_to(service, map, at(5, 5), at(40, 40), 0);
    drain(service, 1000);
    for (size_t i = 0; i < 3; i++) {
        cr_assert_eq(seen_log[i].completion.unknown, 0);
        cr_assert_eq(seen_log[i].completion.shared, 1);
    }
}

/* Three chunks side by side, all loaded; a wall closes the middle one. */
static void begin_walled(void) {
    begin(192, 64, 0);
    load(0, 0, NULL);
    load(1, 0, &(wend_box){at(64, 0), at(64, 63)});
    load(2, 0, NULL);
}

static void unload_middle(const seen *last) {
    if (last->completion.number == 0) unload(1, 0);
}

Test(service_land, an_answer_is_of_the_land_at_delivery) {
    begin_walled();
    submit_from_to(service, map, at(5, 5), at(6, 6), 0);
    submit_from_to(service, map, at(5, 5), at(140, 5), 0);
    seen_hook = unload_middle; /* in the first callback, after the second is answered */
    frame_of(service, 100000);
    cr_assert_eq(seen_number(1)->completion.status, WEND_STATUS_NO_PATH);
    cr_assert_eq(seen_number(1)->completion.unknown, 1);
}

/* ---- wanted chunks ---- */

static size_t wanted(wend_cell chunks[WEND_MAX_WANTED]) {
    size_t count = 0;
    cr_assert_eq(wend_service_get_wanted(service, map, chunks, WEND_MAX_WANTED, &count), WEND_OK);
    return count;
}

static void expect_wanted(size_t count, const wend_cell *expected) {
    wend_cell chunks[WEND_MAX_WANTED];
    cr_assert_eq(wanted(chunks), count);
    for (size_t i = 0; i < count; i++)
        cr_assert(chunks[i].x == expected[i].x && chunks[i].y == expected[i].y, "%zu: %d,%d", i, chunks[i].x,
                  chunks[i].y);
}

Test(service_land, wants_the_nearest_way_first) {
    begin(320, 320, 0);
    load(2, 2, NULL);
    load(4, 2, NULL);
    submit_from_to(service, map, at(160, 160), at(300, 160), 0);
    frame_of(service, 1000);
    expect_wanted(4, (wend_cell[]){at(3, 2), at(2, 3), at(2, 1), at(1, 2)});
    wend_cell one;
    size_t count;
    cr_assert_eq(wend_service_get_wanted(service, map, &one, 1, &count), WEND_OK);
    cr_assert(count == 4 && one.x == 3);
    load(3, 2, NULL);
    expect_wanted(3, (wend_cell[]){at(2, 3), at(2, 1), at(1, 2)});
}

Test(service_land, keeps_a_bounded_number) {
    enum { SIDE = 20 };
    begin(SIDE * 64, SIDE * 64, 0);
    load(0, 0, NULL);
    for (int32_t i = 1; i < SIDE * SIDE; i++) {
        submit_from_to(service, map, at(1, 1), at(i % SIDE * 64, i / SIDE * 64), i - 1);
        if (i % 50 == 0) frame_of(service, 100000);
    }
    frame_of(service, 100000);
    wend_cell chunks[WEND_MAX_WANTED];
    cr_assert_eq(wanted(chunks), WEND_MAX_WANTED);
    for (int32_t i = 0; i < WEND_MAX_WANTED; i++) {
        const int32_t chunk = SIDE * SIDE - 1 - i;
        cr_assert(chunks[i].x == chunk % SIDE && chunks[i].y == chunk / SIDE);
    }
}

Test(service_land, forgets_goals_after_some_frames) {
    begin(192, 64, 0);
    load(0, 0, NULL);
    submit_from_to(service, map, at(1, 1), at(140, 1), 0);
    for (int i = 0; i <= WEND_WANTED_FRAMES; i++) {
        frame_of(service, 1000);
        expect_wanted(1, (wend_cell[]){at(2, 0)});
    }
    frame_of(service, 1000);
    expect_wanted(0, NULL);
}

Test(service_land, knows_a_map_from_one_that_was_there_before) {
    begin(192, 64, 0);
    load(0, 0, NULL);
    submit_from_to(service, map, at(1, 1), at(140, 1), 0);
    frame_of(service, 1000);
    for (int i = 0; i < 8; i++) { /* a new map may get the old address */
        wend_map_release(map);
        wend_map_def land = default_map();
        land.width = 192, land.height = 64, land.streamed = 1;
        cr_assert_eq(wend_map_create(&land, &map), WEND_OK);
        expect_wanted(0, NULL);
    }
}

/* ---- requests that wait for land ---- */

/* ---- ways through known land ---- */

static void unload_as(int32_t x, int32_t y, int32_t land) {
    IN_BATCH(map, cr_assert_eq(wend_edit_unload(edit, x, y, land), WEND_OK));
}

static void maintain(void) {
    cr_assert_eq(wend_map_maintain(map, WEND_MAINTAIN_FAR, WEND_NO_LIMIT, NULL), WEND_OK);
}

/* Six chunks in a row with a far layer; the third and the fourth are known. */
static void begin_known(void) {
    NEEDS_FAST();
    begin(384, 64, 1);
    wend_acceleration with = default_acceleration();
    with.far = 1;
    cr_assert_eq(wend_map_accelerate(map, &with), WEND_OK);
    for (int32_t x = 0; x < 6; x++) load(x, 0, NULL);
    maintain();
    unload_as(2, 0, WEND_LAND_KNOWN);
    unload_as(3, 0, WEND_LAND_KNOWN);
}

static wend_request known_request(wend_cell start, wend_cell goal) {
    wend_request request = request_on(service, map, start, goal);
    options_of(&request)->unloaded = WEND_UNLOADED_KNOWN;
    return request;
}

Test(service_land, a_way_through_known_land_ends_before_it_and_wants_it) {
    begin_known();
    wend_request request = known_request(at(100, 8), at(300, 8));
    submit(service, &request);
    frame_of(service, 100000);
    const wend_completion *done = &seen_number(0)->completion;
    cr_assert_eq(done->status, WEND_STATUS_FOUND);
    cr_assert(done->cell_count == 28 && done->crossing_count == 3 && done->first_unloaded == 0 && !done->exact);
    expect_wanted(1, (wend_cell[]){at(2, 0)});
    load(2, 0, NULL);
    maintain();
    submit(service, &request);
    request.mode = WEND_MODE_FAR;
    submit(service, &request);
    frame_of(service, 100000);
    for (size_t i = 1; i <= 2; i++) cr_assert_eq(seen_number(i)->completion.cell_count, 92u);
    expect_wanted(1, (wend_cell[]){at(3, 0)});
}

/* Six chunks in a row, and no call for a far layer; the third is unloaded as known. */
static void begin_plain(bool refused) {
    NEEDS_FAST();
    begin(384, 64, 1);
    wend_acceleration none = default_acceleration();
    none.tables = false, none.landmarks = none.far = 0;
    if (refused) cr_assert_eq(wend_map_accelerate(map, &none), WEND_OK);
    for (int32_t x = 0; x < 6; x++) load(x, 0, NULL);
    unload_as(2, 0, WEND_LAND_KNOWN);
}

static const char *explained(const wend_request *request) {
    const char *why;
    cr_assert_eq(wend_request_explain(request, NULL, &why), WEND_OK);
    return why ? why : "";
}

Test(service_land, frames_alone_make_what_a_way_through_known_land_needs) {
    begin_plain(false);
    wend_request request = known_request(at(100, 8), at(300, 8));
    cr_assert(strstr(explained(&request), "wend_map_maintain()"));
    submit(service, &request);
    frame_of(service, 100000);
    cr_assert_eq(seen_count, 0u, "it waits for the layer");
    cr_assert_eq(wend_service_get_work(service), 1u, "and frames can end that");
    drain(service, 1000);
    const wend_completion *done = &seen_number(0)->completion;
    cr_assert(done->status == WEND_STATUS_FOUND && done->crossing_count > 0 && done->first_unloaded == 0);
    cr_assert_not(strstr(explained(&request), "far"));
    load(2, 0, NULL); /* and again, as the land changes */
    unload_as(3, 0, WEND_LAND_KNOWN);
    submit(service, &request);
    drain(service, 1000);
    cr_assert(seen_number(1)->completion.status == WEND_STATUS_FOUND);
}

Test(service_land, a_layer_that_is_refused_is_not_made_and_the_request_says_so) {
    begin_plain(true);
    wend_request request = known_request(at(100, 8), at(300, 8));
    cr_assert(strstr(explained(&request), "no far layer: see wend_map_accelerate()"));
    submit(service, &request);
    frame_of(service, 100000);
    cr_assert(seen_number(0)->completion.status == WEND_STATUS_NO_PATH && seen_number(0)->completion.unknown);
}

/* An open batch keeps the layer stale for as long as it is open. */
Test(service_land, the_wait_for_a_layer_has_an_end) {
    begin_plain(false);
    wend_edit *edit = begin_edit(map);
    const wend_request request = known_request(at(100, 8), at(300, 8));
    submit(service, &request);
    for (int i = 0; i < 512; i++) frame_of(service, 1000);
    cr_assert_eq(seen_count, 0u);
    for (int i = 0; i < 2; i++) frame_of(service, 1000);
    cr_assert(seen_number(0)->completion.status == WEND_STATUS_NO_PATH && seen_number(0)->completion.unknown);
    wend_edit_discard(edit);
}

Test(service_land, only_those_who_say_so_pass_known_land) {
    begin_known();
    wend_request request = request_on(service, map, at(100, 8), at(300, 8));
    for (int32_t mode = WEND_MODE_EXACT; mode <= WEND_MODE_FAR; mode++) {
        request.mode = mode;
        submit(service, &request);
    }
    request = known_request(at(100, 8), at(300, 8));
    request.mode = WEND_MODE_NEAREST;
    submit(service, &request);
    frame_of(service, 100000);
    cr_assert_eq(seen_status(WEND_STATUS_NO_PATH), 2u);
    cr_assert_eq(seen_status(WEND_STATUS_PARTIAL), 2u);
}

Test(service_land, nothing_is_known_of_forgotten_land_or_of_a_chunk_edited_as_it_went) {
    begin_known();
    load(2, 0, NULL);
    maintain();
    IN_BATCH(map, cr_assert_eq(wend_edit_set_cell(edit, at(130, 8), WEND_CLASS_BLOCKED), WEND_OK);
             cr_assert_eq(wend_edit_unload(edit, 2, 0, WEND_LAND_KNOWN), WEND_OK));
    maintain();
    wend_request request = known_request(at(100, 8), at(300, 8));
    submit(service, &request);
    frame_of(service, 100000);
    cr_assert_eq(seen_number(0)->completion.status, WEND_STATUS_NO_PATH);
    load(2, 0, NULL);
    maintain();
    unload_as(2, 0, WEND_LAND_KNOWN); /* as it was published: so it is known */
    submit(service, &request);
    frame_of(service, 100000);
    cr_assert_eq(seen_number(1)->completion.status, WEND_STATUS_FOUND);
    load(3, 0, NULL);
    unload_as(3, 0, WEND_LAND_ABSENT);
    maintain();
    submit(service, &request);
    frame_of(service, 100000);
    cr_assert_eq(seen_number(2)->completion.status, WEND_STATUS_NO_PATH);
}

/* A step from the rim is closed by an edit while the land beyond is known. */
Test(service_land, gates_of_known_land_follow_the_loaded_side) {
    begin_known();
    wend_request request = known_request(at(100, 8), at(200, 8));
    submit(service, &request);
    frame_of(service, 100000);
    wend_edit *edit = begin_edit(map);
    cr_assert_eq(wend_edit_fill_box(edit, (wend_box){at(127, 0), at(127, 63)}, WEND_CLASS_BLOCKED), WEND_OK);
    cr_assert_eq(wend_edit_publish(edit, NULL), WEND_OK);
    maintain();
    submit(service, &request);
    frame_of(service, 100000);
    edit = begin_edit(map);
    cr_assert_eq(wend_edit_fill_box(edit, (wend_box){at(127, 0), at(127, 63)}, WEND_CLASS_OPEN), WEND_OK);
    cr_assert_eq(wend_edit_publish(edit, NULL), WEND_OK);
    maintain();
    submit(service, &request);
    frame_of(service, 100000);
    cr_assert_eq(seen_number(0)->completion.status, WEND_STATUS_FOUND);
    cr_assert_eq(seen_number(1)->completion.status, WEND_STATUS_GOAL_BLOCKED);
    cr_assert_eq(seen_number(2)->completion.cost, seen_number(0)->completion.cost);
}

/* ---- looking at land is counted ---- */

static wend_ticket submit_waiting(wend_cell start, wend_cell goal) {
    wend_request request = request_on(service, map, start, goal);
    options_of(&request)->unloaded = WEND_UNLOADED_WAIT;
    return submit(service, &request);
}

/* Chunks in a row, with a way through their middle; the row below is not loaded, but nothing leads there. */
static void load_row(int32_t y, int32_t count) {
    wend_edit *edit = begin_edit(map);
    for (int32_t x = 0; x < count; x++) {
        const int32_t left = x * WEND_CHUNK_SIDE, top = y * WEND_CHUNK_SIDE;
        const wend_box way = {at(left, top + 32), at(left + 63, top + 32)};
        cr_assert_eq(wend_edit_load(edit, x, y, NULL, 0), WEND_OK);
        cr_assert_eq(wend_edit_fill_box(edit, (wend_box){at(left, top), at(left + 63, top + 63)}, WEND_CLASS_BLOCKED),
                     WEND_OK);
        cr_assert_eq(wend_edit_fill_box(edit, way, WEND_CLASS_OPEN), WEND_OK);
    }
    cr_assert_eq(wend_edit_publish(edit, NULL), WEND_OK);
}

static wend_frame tell_no_path(int32_t chunks, uint64_t expansions) {
    begin(chunks * WEND_CHUNK_SIDE, 3 * WEND_CHUNK_SIDE, 0);
    load_row(0, chunks);
    load_row(2, chunks);
    submit_from_to(service, map, at(5, 32), at(5, 160), 0);
    return frame_of(service, expansions);
}

/* 16 chunks next to land that is not loaded, 64 expansions each, and 31 areas, 2 each. */
Test(service_land, counts_what_it_looks_at) {
    const wend_frame frame = tell_no_path(16, 100000);
    const wend_completion *done = &seen_number(0)->completion;
    cr_assert(done->status == WEND_STATUS_NO_PATH && done->unknown == 0);
    cr_assert_eq(done->expansions, 16 * 64u + 31 * 2u);
    cr_assert_eq(frame.expansions, done->expansions);
    cr_assert_eq(frame.work_expansions[WEND_WORK_GENERAL_ASTAR], done->expansions);
}

Test(service_land, counts_it_against_no_limit_of_the_request) {
    begin(64, 192, 0);
    load_row(0, 1);
    load_row(2, 1);
    wend_request request = request_on(service, map, at(5, 32), at(5, 160));
    options_of(&request)->max_expansions = 1;
    submit(service, &request);
    frame_of(service, 1000);
    cr_assert_eq(seen_number(0)->completion.status, WEND_STATUS_NO_PATH);
    cr_assert_gt(seen_number(0)->completion.expansions, 1u);
}

Test(service_land, counts_the_rest_in_the_next_frames) {
    wend_frame frame = tell_no_path(16, 1000);
    const uint64_t all = seen_number(0)->completion.expansions;
    cr_assert(frame.expansions == 1000 && all > 1000);
    frame = frame_of(service, 1000);
    cr_assert_eq(frame.expansions, all - 1000);
}

Test(service_land, looks_so_far_and_then_says_that_it_does_not_know) {
    tell_no_path(400, 100000000);
    const wend_completion *done = &seen_number(0)->completion;
    cr_assert(done->status == WEND_STATUS_NO_PATH && done->unknown == 1);
    cr_assert_leq(done->expansions, 3u * (WEND__RIM_MOST + 64));
}

/* Land far from all unloaded land takes a few looks, whatever its size. */
Test(service_land, passes_over_land_that_is_all_there) {
    enum { SIDE = 64 };
    begin(SIDE * WEND_CHUNK_SIDE, SIDE * WEND_CHUNK_SIDE, 0);
    wend_edit *edit = begin_edit(map);
    for (int32_t i = 1; i < SIDE * SIDE; i++) cr_assert_eq(wend_edit_load(edit, i % SIDE, i / SIDE, NULL, 0), WEND_OK);
    cr_assert_eq(wend_edit_fill_box(edit, (wend_box){at(65, 0), at(65, 65)}, WEND_CLASS_BLOCKED), WEND_OK);
    cr_assert_eq(wend_edit_fill_box(edit, (wend_box){at(0, 65), at(65, 65)}, WEND_CLASS_BLOCKED), WEND_OK);
    cr_assert_eq(wend_edit_publish(edit, NULL), WEND_OK);
    submit_from_to(service, map, at(4000, 4000), at(64, 64), 0);
    frame_of(service, 100000);
    const wend_completion *done = &seen_number(0)->completion;
    cr_assert(done->status == WEND_STATUS_NO_PATH && done->unknown == 0);
    cr_assert_lt(done->expansions, 1000u);
}

/* ---- requests that wait ---- */

/* Two questions, whether the start and the goal lie at land that is not there, and which chunks are wanted. */
enum { LOOK = 3 * 2 + 64 + 1 };

Test(service_land, those_who_wait_are_woken_in_turns) {
    enum { WAITING = 3000, TURN = 1024 };
    wend_service_def def = small_def();
    wend_map_def land = default_map();
    def.queue = WAITING;
    service = service_of(&def);
    land.width = 192, land.height = 64, land.streamed = 1;
    cr_assert_eq(wend_map_create(&land, &map), WEND_OK);
    load(0, 0, NULL);
    for (int i = 0; i < WAITING; i++) submit_waiting(at(1, 1), at(140, 1));
    frame_of(service, 100000000);
    load(1, 0, NULL);
    load(2, 0, NULL);
    for (uint64_t left = WAITING; left > 0;) {
        const uint64_t woken = left < TURN ? left : TURN;
        cr_assert_eq(frame_of(service, 1000000).intakes, woken);
        left -= woken;
    }
    drain(service, 1000000);
    cr_assert_eq(seen_status(WEND_STATUS_FOUND), (size_t)WAITING);
}

Test(service_land, waits_without_a_lane_and_without_work) {
    begin(192, 64, 0);
    load(0, 0, NULL);
    submit_waiting(at(1, 1), at(100, 1));
    wend_frame frame = frame_of(service, 1000);
    cr_assert_eq(frame.expansions, LOOK);
    cr_assert(frame.running == 0 && frame.waiting == 1 && frame.deliveries == 0);
    cr_assert(wend_service_get_pending(service) == 1 && wend_service_get_work(service) == 0);
    frame = frame_of(service, 1000);
    cr_assert(frame.intakes == 0 && frame.rounds == 0, "its map is as it was");
    load(1, 0, NULL);
    frame = frame_of(service, 1000);
    cr_assert(frame.intakes == 1 && frame.deliveries == 1);
    cr_assert(seen_number(0)->completion.status == WEND_STATUS_FOUND && seen_number(0)->completion.frames == 3);
}

Test(service_land, wants_its_chunk_as_long_as_it_waits) {
    begin(192, 64, 0);
    load(0, 0, NULL);
    const wend_ticket ticket = submit_waiting(at(1, 1), at(140, 1));
    for (int i = 0; i < 3 * WEND_WANTED_FRAMES; i++) frame_of(service, 0);
    expect_wanted(1, (wend_cell[]){at(2, 0)});
    cr_assert_eq(wend_service_cancel(service, ticket), WEND_OK);
    for (int i = 0; i <= WEND_WANTED_FRAMES + 1; i++) frame_of(service, 0);
    expect_wanted(0, NULL);
    cr_assert_eq(seen_status(WEND_STATUS_CANCELLED), 1u);
}

Test(service_land, ends_by_its_deadline_or_a_newer_request) {
    begin(192, 64, 0);
    load(0, 0, NULL);
    wend_request request = request_on(service, map, at(1, 1), at(140, 1));
    options_of(&request)->unloaded = WEND_UNLOADED_WAIT;
    request.deadline_frames = 3;
    submit(service, &request);
    request.deadline_frames = WEND_NO_LIMIT, request.agent = 7;
    submit(service, &request);
    frame_of(service, 1000);
    cr_assert_eq(wend_service_get_work(service), 1u, "a frame can end the first");
    options_of(&request)->unloaded = WEND_UNLOADED_BLOCK;
    submit(service, &request);
    frame_of(service, 1000);
    cr_assert(seen_number(1)->completion.status == WEND_STATUS_REPLACED && !seen_number(0));
    cr_assert_eq(seen_number(2)->completion.status, WEND_STATUS_GOAL_BLOCKED);
    frame_of(service, 1000);
    cr_assert_eq(seen_number(0)->completion.status, WEND_STATUS_EXPIRED);
}

Test(service_land, goes_on_when_its_goal_moves) {
    begin(192, 64, 0);
    load(0, 0, NULL);
    const wend_ticket ticket = submit_waiting(at(1, 1), at(140, 1));
    frame_of(service, 1000);
    cr_assert_eq(wend_service_set_urgency(service, ticket, 9), WEND_OK);
    cr_assert_eq(wend_service_set_goal(service, ticket, at(5, 1)), WEND_OK);
    frame_of(service, 1000);
    cr_assert_eq(seen_number(0)->completion.cost, 40);
}

Test(service_land, gives_its_place_in_a_full_queue) {
    wend_service_def def = small_def();
    wend_map_def land = default_map();
    def.queue = 2, def.displace = 1;
    service = service_of(&def);
    land.width = 192, land.height = 64, land.streamed = 1;
    cr_assert_eq(wend_map_create(&land, &map), WEND_OK);
    load(0, 0, NULL);
    submit_waiting(at(1, 1), at(140, 1));
    submit_waiting(at(1, 1), at(150, 1));
    frame_of(service, 1000);
    submit_from_to(service, map, at(1, 1), at(9, 1), 5);
    frame_of(service, 1000);
    cr_assert_eq(seen_number(1)->completion.status, WEND_STATUS_DISPLACED);
    cr_assert_eq(seen_number(2)->completion.status, WEND_STATUS_FOUND);
}

Test(service_land, is_cancelled_with_its_service) {
    begin(192, 64, 0);
    load(0, 0, NULL);
    submit_waiting(at(1, 1), at(140, 1));
    wend_request request = request_on(service, map, at(1, 1), at(140, 1));
    options_of(&request)->unloaded = WEND_UNLOADED_WAIT;
    submit(service, &request);
    frame_of(service, 1000);
    wend_service_close(service);
    cr_assert_eq(wend_service_get_work(service), 2u);
    frame_of(service, 1000);
    cr_assert_eq(seen_status(WEND_STATUS_CANCELLED), 2u);
}

Test(service_land, leaves_entries_of_a_long_queue_to_others) {
    enum { WAITING = WEND__BACKLOG_ENTRIES / 4 };
    wend_service_def def = small_def();
    wend_map_def land = default_map();
    def.queue = WEND__BACKLOG_FROM + 1;
    service = service_of(&def);
    land.width = 192, land.height = 64, land.streamed = 1;
    cr_assert_eq(wend_map_create(&land, &map), WEND_OK);
    load(0, 0, NULL);
    for (int i = 0; i < WAITING + 5; i++) submit_waiting(at(1, 1), at(140, 1));
    submit_from_to(service, map, at(1, 1), at(9, 1), -5);
    frame_of(service, 100000000);
    cr_assert_eq(seen_status(WEND_STATUS_GOAL_BLOCKED), 5u);
    cr_assert_eq(seen_status(WEND_STATUS_FOUND), 1u);
    cr_assert_eq(wend_service_get_pending(service), (uint64_t)WAITING);
    load(1, 0, NULL);
    load(2, 0, NULL);
    while (wend_service_get_pending(service) > 0) frame_of(service, 1000000);
    cr_assert_eq(seen_status(WEND_STATUS_FOUND), WAITING + 1u);
}

Test(service_land, waits_where_land_goes_before_the_delivery) {
    begin_walled();
    submit_from_to(service, map, at(5, 5), at(6, 6), 0);
    submit_waiting(at(5, 5), at(140, 5));
    seen_hook = unload_middle;
    frame_of(service, 100000);
    frame_of(service, 100000);
    cr_assert_null(seen_number(1), "it is not certain any more");
    load(1, 0, NULL);
    frame_of(service, 100000);
    cr_assert_eq(seen_number(1)->completion.status, WEND_STATUS_FOUND);
}

/* ---- random loads, against plain costs on land that is open where it is not loaded ---- */

enum { WIDE = 192, HIGH = 128, LAND = WIDE * HIGH, ASKED = 16 };

typedef struct country {
    uint8_t open[LAND];
    bool loaded[6];
    wend_cell starts[ASKED], goals[ASKED];
} country;

static bool hopes(const country *c, int32_t x, int32_t y) {
    if (x < 0 || y < 0 || x >= WIDE || y >= HIGH) return false;
    return !c->loaded[y / 64 * 3 + x / 64] || c->open[y * WIDE + x];
}

/* The least cost from a cell to all others; a queue that relaxes cells again as they get cheaper. */
static void hope_costs(const country *c, wend_cell from, int32_t *costs) {
    static int32_t queue[LAND];
    static bool queued[LAND];
    uint32_t first = 0, count = 1;
    for (int32_t i = 0; i < LAND; i++) costs[i] = INT32_MAX, queued[i] = false;
    if (!hopes(c, from.x, from.y)) return;
    queue[0] = from.y * WIDE + from.x;
    costs[queue[0]] = 0;
    while (count > 0) {
        const int32_t cell = queue[first], x = cell % WIDE, y = cell / WIDE;
        first = (first + 1) % LAND, count--, queued[cell] = false;
        for (int32_t i = 0; i < 9; i++) {
            const int32_t dx = i % 3 - 1, dy = i / 3 - 1, to = cell + dy * WIDE + dx;
            const int32_t cost = costs[cell] + (dx != 0 && dy != 0 ? 14 : 10);
            if (!hopes(c, x + dx, y + dy) || !hopes(c, x + dx, y) || !hopes(c, x, y + dy) || cost >= costs[to])
                continue;
            costs[to] = cost;
            if (!queued[to]) queue[(first + count++) % LAND] = to;
            queued[to] = true;
        }
    }
}

/* Checks answers against the best land that could come. Returns how many paths were found. */
static uint32_t check_ends(const country *c, size_t before) {
    static int32_t costs[LAND];
    uint32_t found = 0;
    for (size_t i = before; i < seen_count; i++) {
        const wend_completion *done = &seen_log[i].completion;
        const wend_cell goal = c->goals[done->number];
        hope_costs(c, c->starts[done->number], costs);
        const int32_t least = costs[goal.y * WIDE + goal.x];
        cr_assert_eq(done->unknown, 0);
        if (done->status == WEND_STATUS_FOUND) {
            cr_assert_eq(done->cost, least);
            found++;
        } else {
            cr_assert_eq(least, INT32_MAX, "%s", wend_status_name(done->status));
        }
    }
    return found;
}

static void load_part(const country *c, int32_t part) {
    wend_edit *edit = begin_edit(map);
    const uint8_t *cells = c->open + part / 3 * 64 * WIDE + part % 3 * 64;
    cr_assert_eq(wend_edit_load(edit, part % 3, part / 3, cells, WIDE), WEND_OK);
    cr_assert_eq(wend_edit_publish(edit, NULL), WEND_OK);
}

Test(service_land, ends_when_no_land_can_matter_any_more) {
    static country c;
    const uint64_t seeds = (uint64_t)enough_or_many(8, 300);
    uint32_t early = 0;
    for (uint64_t seed = 1; seed <= seeds; seed++) {
        uint64_t random = seed;
        const uint32_t blocked = (uint32_t)draw(&random, 45);
        begin(WIDE, HIGH, 0);
        memset(c.loaded, 0, sizeof c.loaded);
        for (int32_t i = 0; i < LAND; i++) c.open[i] = draw(&random, 100) >= blocked;
        for (int32_t i = 0; i < ASKED; i++) {
            c.starts[i] = at((int32_t)draw(&random, WIDE), (int32_t)draw(&random, HIGH));
            c.goals[i] = at((int32_t)draw(&random, WIDE), (int32_t)draw(&random, HIGH));
            submit_waiting(c.starts[i], c.goals[i]);
        }
        for (int32_t left = 6; left > 0;) {
            int32_t part = (int32_t)draw(&random, 6);
            if (c.loaded[part] && draw(&random, 4) == 0) { /* unloads a loaded part again */
                unload(part % 3, part / 3);
                c.loaded[part] = false, left++;
            } else if (!c.loaded[part]) {
                load_part(&c, part);
                c.loaded[part] = true, left--;
            }
            const size_t before = seen_count;
            frame_of(service, 1000000);
            const uint32_t found = check_ends(&c, before);
            if (left > 0) early += found;
        }
        cr_assert_eq(seen_count, (size_t)ASKED, "all land is there, so nothing waits");
        if (seed < seeds) end();
    }
    cr_assert_gt(early, seeds * 2 / 3);
}
