/* SPDX-License-Identifier: MIT */
/* Requests on streamed land: answers that land which is not loaded could change. */
#include "service/service_support.h"

#include <criterion/criterion.h>

static wend_service *service;
static wend_map *map;

static void begin(int32_t width, int32_t height, uint32_t share) {
    wend_service_def def = small_def();
    wend_map_def land = default_map();
    def.share = share;
    service = service_of(&def);
    land.width = width, land.height = height, land.streamed = 1;
    cr_assert_eq(wend_map_create(&land, &map), WEND_OK);
}

static void end(void) {
    end_service(service, map, NULL);
}

TestSuite(service_land, .fini = end);

static void load(int32_t x, int32_t y, const wend_box *wall) {
    wend_edit *edit = begin_edit(map);
    cr_assert_eq(wend_edit_load(edit, x, y, NULL, 0), WEND_OK);
    if (wall) cr_assert_eq(wend_edit_fill_box(edit, *wall, WEND_CLASS_BLOCKED), WEND_OK);
    cr_assert_eq(wend_edit_publish(edit, NULL), WEND_OK);
}

static void unload(int32_t x, int32_t y) {
    wend_edit *edit = begin_edit(map);
    cr_assert_eq(wend_edit_unload(edit, x, y, WEND_LAND_ABSENT), WEND_OK);
    cr_assert_eq(wend_edit_publish(edit, NULL), WEND_OK);
}

/* Two halves of a chunk, and a link that leads back: only a search finds that there is no way. */
static void load_halves(void) {
    load(0, 0, &(wend_box){at(0, 32), at(63, 32)});
    wend_edit *edit = begin_edit(map);
    cr_assert_eq(wend_edit_add_link(edit, at(0, 63), at(0, 0), 10), WEND_OK);
    cr_assert_eq(wend_edit_publish(edit, NULL), WEND_OK);
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

static void unload_middle(const seen *last) {
    if (last->completion.number == 0) unload(1, 0);
}

Test(service_land, an_answer_is_of_the_land_at_delivery) {
    begin(192, 64, 0);
    load(0, 0, NULL);
    load(1, 0, &(wend_box){at(64, 0), at(64, 63)});
    load(2, 0, NULL);
    submit_from_to(service, map, at(5, 5), at(6, 6), 0);
    submit_from_to(service, map, at(5, 5), at(140, 5), 0);
    seen_hook = unload_middle; /* in the first callback, after the second is answered */
    frame_of(service, 100000);
    cr_assert_eq(seen_number(1)->completion.status, WEND_STATUS_NO_PATH);
    cr_assert_eq(seen_number(1)->completion.unknown, 1);
}

Test(service_land, a_polled_answer_says_it_too) {
    begin(192, 64, 0);
    load(0, 0, NULL);
    load(2, 0, NULL);
    wend_request request = request_on(service, map, at(3, 3), at(140, 40));
    request.on_done = NULL;
    submit(service, &request);
    submit(service, &request);
    frame_of(service, 1000);
    wend_completion done = {.struct_bytes = sizeof done};
    cr_assert_eq(wend_service_poll(service, &done, NULL, 0), WEND_OK);
    cr_assert_eq(done.unknown, 1);
    load(1, 0, &(wend_box){at(64, 0), at(64, 63)});
    cr_assert_eq(wend_service_poll(service, &done, NULL, 0), WEND_OK);
    cr_assert(done.status == WEND_STATUS_NO_PATH && done.unknown == 0, "the land at the poll counts");
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
        if (i % 50 == 0) frame_of(service, 1000);
    }
    frame_of(service, 1000);
    wend_cell chunks[WEND_MAX_WANTED];
    cr_assert_eq(wanted(chunks), WEND_MAX_WANTED);
    for (int32_t i = 0; i < WEND_MAX_WANTED; i++) {
        const int32_t chunk = SIDE * SIDE - 1 - i;
        cr_assert(chunks[i].x == chunk % SIDE && chunks[i].y == chunk / SIDE);
    }
}

Test(service_land, forgets_wishes_after_some_frames) {
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
    for (int i = 0; i < 8; i++) { /* one of them may lie where the first lay */
        wend_map_release(map);
        wend_map_def land = default_map();
        land.width = 192, land.height = 64, land.streamed = 1;
        cr_assert_eq(wend_map_create(&land, &map), WEND_OK);
        expect_wanted(0, NULL);
    }
}
