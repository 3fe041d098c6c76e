/* SPDX-License-Identifier: MIT */
/* Details of service.h, field.h, figures.h and record.h. */
#include "detail/refused.h"

#include <wend/field.h>
#include <wend/figures.h>
#include <wend/record.h>
#include <wend/control.h>

#define IN_FRAME "a frame or an update runs: call it after that, not inside a callback"
#define STALE "the ticket's request is delivered or replaced, or there never was one"

Test(detail, of_making_a_service) {
    wend_service *made;
    wend_service_def def = default_service();
    def.queue = 0;
    BAD("queue is 0, but must be from 1 to 16777216", wend_service_create(&def, &made));
    BAD("preset is 4, but must be from 1 to 3", wend_service_def_preset(&(wend_service_def){0}, sizeof def, 4));
}

static wend_map *map;
static wend_service *service;
static wend_field *field;
static wend_request request;
static wend_ticket old, now; /* a delivered request's, a pending one's */

static wend_error write_nothing(void *context, uint32_t file, const void *bytes, size_t size) {
    (void)context, (void)file, (void)bytes, (void)size;
    return WEND_OK;
}

static void call_in_frame(void *context, const wend_completion *completion) {
    wend_queue queue = {.struct_bytes = sizeof queue};
    wend_progress progress = {.struct_bytes = sizeof progress};
    size_t count;
    (void)context, (void)completion;
    FAILS(IN_CALLBACK, IN_FRAME, wend_service_tick(service, NULL, NULL));
    FAILS(IN_CALLBACK, IN_FRAME, wend_service_destroy(service));
    FAILS(IN_CALLBACK, IN_FRAME, wend_service_get_queue(service, &queue));
    FAILS(IN_CALLBACK, IN_FRAME, wend_service_get_progress(service, old, &progress));
    FAILS(IN_CALLBACK, IN_FRAME, wend_service_get_expanded(service, old, NULL, 0, &count));
    FAILS(IN_CALLBACK, IN_FRAME, wend_service_set_figures(service, NULL));
    FAILS(IN_CALLBACK, IN_FRAME, wend_service_record(service, write_nothing, NULL));
    FAILS(IN_CALLBACK, IN_FRAME, wend_service_add_field(service, field));
    FAILS(IN_CALLBACK, IN_FRAME, wend_service_remove_field(service, field));
}

static void ignore_answer(void *context, const wend_completion *completion) {
    (void)context, (void)completion;
}

static void reset_request(void) {
    wend_request_init(&request, sizeof request);
    request.map = map, request.goal = CELL(5, 5), request.on_done = ignore_answer;
}

static void make_field(void) {
    wend_field_def all = default_field();
    all.map = map;
    cr_assert_eq(wend_field_create(&all, &field), WEND_OK);
}

/* A request that is delivered, and one that waits. */
static void set_up(void) {
    map = make_grid();
    make_field();
    wend_service_def def = default_service();
    cr_assert_eq(wend_service_create(&def, &service), WEND_OK);
    reset_request();
    request.on_done = call_in_frame;
    cr_assert_eq(wend_service_submit(service, &request, &old), WEND_OK);
    cr_assert_eq(wend_service_tick(service, NULL, NULL), WEND_OK);
    reset_request();
    cr_assert_eq(wend_service_submit(service, &request, &now), WEND_OK);
    reset_request();
}

static void tear_down(void) {
    wend_service_destroy(service);
    wend_field_destroy(field);
    wend_map_release(map);
}

Test(detail, of_submitting, .init = set_up, .fini = tear_down) {
    request.urgency = 1001;
    BAD("request.urgency is 1001, but must be from -1000 to 1000", wend_service_submit(service, &request, NULL));
}

Test(detail, of_changing_requests, .init = set_up, .fini = tear_down) {
    FAILS(STALE_TICKET, STALE, wend_service_cancel(service, old));
    BAD("map is NULL", wend_service_cancel_map(service, NULL, NULL));
    FAILS(STALE_TICKET, STALE, wend_service_set_urgency(service, old, 1));
    FAILS(STALE_TICKET, STALE, wend_service_set_goal(service, old, CELL(0, 0)));
    BAD(ABSENT("cells"), wend_service_get_prefix(service, now, NULL, 3, NULL));
    BAD(ABSENT("chunks"), wend_service_get_wanted(service, request.map, NULL, 1, NULL));
}

Test(detail, of_figures, .init = set_up, .fini = tear_down) {
    wend_figures *figures;
    wend_figures_def all = default_figures(), many = all;
    many.frames = 16777217;
    BAD("frames is 16777217, but must be from 0 to 16777216", wend_figures_create(&many, &figures));
    cr_assert_eq(wend_figures_create(&all, &figures), WEND_OK);
    wend_stats stats = {.struct_bytes = 1};
    wend_figures_stats counts = {.struct_bytes = 1};
    wend_histogram histogram = {.struct_bytes = 1};
    BAD(SIZED("wend_stats", 1), wend_service_get_stats(service, &stats));
    BAD(SIZED("wend_figures_stats", 1), wend_figures_get_stats(figures, &counts));
    BAD("kind is 8, but must be from 0 to 7", wend_figures_get_histogram(figures, 8, 0, &histogram));
    BAD("kind is 8, but must be from 0 to 7", wend_figures_get_recent(figures, 8, 0, 1, &histogram));
    wend_figures_destroy(figures);
}

Test(detail, of_recordings, .init = set_up, .fini = tear_down) {
    wend_recording recording = {.struct_bytes = sizeof recording};
    FAILS(EMPTY, "the service does not record", wend_service_end_recording(service));
    FAILS(EMPTY, "the service does not record", wend_service_record_map(service, map));
    FAILS(EMPTY, "the service does not record", wend_service_get_recording(service, &recording));
}

Test(detail, of_fields, .init = set_up, .fini = tear_down) {
    const wend_cell goal = CELL(1, 1);
    wend_field *made;
    wend_field_def def = default_field();
    def.map = map, def.purpose = 2;
    BAD("purpose is 2, but must be from 0 to 1", wend_field_create(&def, &made));
    BAD("count is 65, but must be from 0 to 64", wend_field_set_goals(field, &goal, 65));
}
