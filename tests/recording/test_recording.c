/* SPDX-License-Identifier: MIT */
/* Beginning and ending a recording, its refusals, and errors that end it. */
#include "models/defaults.h"

#include <wend/agents.h>
#include <wend/body.h>
#include <wend/record.h>
#include <wend/wend.h>

#include <criterion/criterion.h>
#include <string.h>

typedef struct sink {
    size_t bytes;
    uint64_t calls_left; ///< until it fails
    bool path;           ///< a character that file names have
} sink;

static wend_error take(void *context, uint32_t file, const void *bytes, size_t size) {
    sink *s = context;
    (void)file;
    if (s->calls_left-- == 0) return WEND_IO;
    s->bytes += size;
    s->path = s->path || memchr(bytes, '/', size) != NULL;
    return WEND_OK;
}

static wend_service *service;
static wend_map *map;

static void nothing(void *context, const wend_completion *done) {
    (void)context, (void)done;
}

static void open_all(void) {
    wend_service_def def = default_service();
    def.queue = 16, def.nodes = 8 * WEND_PAGE_NODES;
    wend_map_def land = default_map();
    land.width = land.height = 20;
    cr_assert_eq(wend_service_create(&def, &service), WEND_OK);
    cr_assert_eq(wend_map_create(&land, &map), WEND_OK);
}

static void close_all(void) {
    cr_assert_eq(wend_service_destroy(service), WEND_OK);
    wend_map_release(map);
}

static void ask(wend_done_fn *on_done) {
    wend_request request = default_request();
    request.map = map, request.goal = (wend_cell){9, 9, 0}, request.on_done = on_done;
    cr_assert_eq(wend_service_submit(service, &request, NULL), WEND_OK);
}

TestSuite(recording, .init = open_all, .fini = close_all);

Test(recording, says_whether_a_recording_is_under_way) {
    static sink s = {.calls_left = UINT64_MAX}; /* close_all() may write to it */
    wend_recording recording = {.struct_bytes = sizeof recording}, bad = {.struct_bytes = 3};
    cr_assert_eq(wend_service_get_recording(service, &recording), WEND_EMPTY);
    cr_assert_eq(wend_service_end_recording(service), WEND_EMPTY);
    cr_assert_eq(wend_service_record_map(service, map), WEND_EMPTY);
    cr_assert_eq(wend_service_record(service, take, &s), WEND_OK);
    cr_assert_eq(wend_service_record(service, take, &s), WEND_IN_USE);
    cr_assert_eq(wend_service_record_map(service, NULL), WEND_BAD_ARGUMENT);
    cr_assert_eq(wend_service_record_map(service, map), WEND_OK);
    cr_assert_eq(wend_service_tick(service, NULL, NULL), WEND_OK);
    cr_assert_eq(wend_service_get_recording(service, &bad), WEND_BAD_ARGUMENT);
    cr_assert_eq(wend_service_get_recording(service, NULL), WEND_BAD_ARGUMENT);
    cr_assert_eq(wend_service_get_recording(service, &recording), WEND_OK);
    cr_assert_eq(recording.maps, 1);
    cr_assert_eq(recording.frames, 1);
    cr_assert_eq(recording.bytes, s.bytes);
    cr_assert_eq(wend_service_end_recording(service), WEND_OK);
    cr_assert_not(s.path);
}

Test(recording, begins_only_where_nothing_is_pending) {
    static sink s = {.calls_left = UINT64_MAX}; /* close_all() may write to it */
    ask(nothing);
    cr_assert_eq(wend_service_record(service, take, &s), WEND_BUSY);
    cr_assert_eq(wend_service_tick(service, NULL, NULL), WEND_OK);
    cr_assert_eq(wend_service_record(service, take, &s), WEND_OK);
    cr_assert_eq(wend_service_end_recording(service), WEND_OK); /* before the sink is gone */
}

static void record_inside(void *context, const wend_completion *done) {
    (void)done;
    cr_assert_eq(wend_service_end_recording(service), WEND_IN_CALLBACK);
    *(bool *)context = true;
}

Test(recording, neither_begins_nor_ends_in_a_callback) {
    static sink s = {.calls_left = UINT64_MAX}; /* close_all() may write to it */
    bool called = false;
    cr_assert_eq(wend_service_record(service, take, &s), WEND_OK);
    wend_request request = default_request();
    request.map = map, request.goal = (wend_cell){9, 9, 0};
    request.on_done = record_inside, request.context = &called;
    cr_assert_eq(wend_service_submit(service, &request, NULL), WEND_OK);
    cr_assert_eq(wend_service_tick(service, NULL, NULL), WEND_OK);
    cr_assert(called);
    cr_assert_eq(wend_service_end_recording(service), WEND_OK);
}

Test(recording, ends_where_nothing_can_be_written) {
    static sink s = {.calls_left = 2}; /* close_all() may write to it */
    wend_recording recording = {.struct_bytes = sizeof recording};
    cr_assert_eq(wend_service_record(service, take, &s), WEND_OK);
    for (int i = 0; i < 5; i++) {
        ask(nothing);
        cr_assert_eq(wend_service_tick(service, NULL, NULL), WEND_OK);
    }
    cr_assert_eq(wend_service_get_recording(service, &recording), WEND_OK);
    cr_assert_eq(recording.error, WEND_IO);
    cr_assert_eq(recording.bytes, s.bytes);
    cr_assert_eq(wend_service_end_recording(service), WEND_IO);
    cr_assert_eq(wend_service_end_recording(service), WEND_EMPTY);
}

Test(recording, ends_with_other_rules) {
    static sink s = {.calls_left = UINT64_MAX}; /* close_all() may write to it */
    wend_map_rules rules = default_rules();
    rules.neighbours = 4;
    cr_assert_eq(wend_service_record(service, take, &s), WEND_OK);
    cr_assert_eq(wend_service_record_map(service, map), WEND_OK);
    cr_assert_eq(wend_map_set_rules(map, &rules), WEND_OK);
    cr_assert_eq(wend_service_end_recording(service), WEND_UNSUPPORTED);
}

Test(recording, refuses_a_map_that_another_service_records) {
    static sink s = {.calls_left = UINT64_MAX}; /* close_all() may write to it */
    wend_service *first = service;
    wend_service_def def = default_service();
    def.queue = 4, def.nodes = 4 * WEND_PAGE_NODES;
    cr_assert_eq(wend_service_record(first, take, &s), WEND_OK);
    cr_assert_eq(wend_service_record_map(first, map), WEND_OK);
    cr_assert_eq(wend_service_create(&def, &service), WEND_OK);
    cr_assert_eq(wend_service_record(service, take, &s), WEND_OK);
    cr_assert_eq(wend_service_record_map(service, map), WEND_IN_USE);
    cr_assert_eq(wend_service_destroy(service), WEND_OK);
    service = first;
    cr_assert_eq(wend_service_end_recording(service), WEND_OK);
}

/* ---- bodies ---- */

static char text[1 << 16];
static size_t text_size;

static wend_error take_text(void *context, uint32_t file, const void *bytes, size_t size) {
    (void)context;
    (void)file;
    cr_assert_lt(text_size + size, sizeof text);
    memcpy(text + text_size, bytes, size);
    text_size += size;
    return WEND_OK;
}

static uint32_t count_orders(const char *name) {
    uint32_t count = 0;
    for (const char *at = text; (at = strstr(at, name)) != NULL; at++) count += at > text && at[-1] == '\n';
    return count;
}

/* An order that was refused is not in the recording, nor one after its end. */
Test(recording, has_the_places_in_which_bodies_were_put) {
    wend_crowd_def def = default_crowd();
    wend_agent_def agent = default_agent();
    wend_agent_id id;
    const wend_body_vector still = {0, 0}, near = {4 * WEND_BODY_UNITS, 3 * WEND_BODY_UNITS}, off = {-9999999, 0};
    def.agents = 4, def.service = service, def.map = map;
    agent.cell = (wend_cell){3, 3, 0};
    cr_assert_eq(wend_service_record(service, take_text, NULL), WEND_OK);
    cr_assert_eq(wend_service_record_map(service, map), WEND_OK);
    wend_crowd *crowd = made_crowd(&def);
    cr_assert_eq(wend_crowd_add(crowd, &agent, &id), WEND_OK);
    cr_assert_eq(give_disc(crowd, id), WEND_OK);
    cr_assert_eq(give_disc(crowd, id), WEND_IN_USE);
    cr_assert_eq(place_rounded(crowd, id, near, still), WEND_OK);
    cr_assert_eq(place_rounded(crowd, id, off, still), WEND_OUT_OF_RANGE);
    cr_assert_eq(wend_service_end_recording(service), WEND_OK);
    cr_assert_eq(place_rounded(crowd, id, near, still), WEND_OK);
    cr_assert_eq(count_orders("place "), 1, "%s", text);
    cr_assert_eq(count_orders("body "), 1, "%s", text);
    cr_assert_eq(wend_crowd_destroy(crowd), WEND_OK);
}
