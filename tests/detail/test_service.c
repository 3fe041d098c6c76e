/* SPDX-License-Identifier: MIT */
/* Details of service.h, field.h, figures.h and record.h. */
#include "detail/refused.h"
#include "models/options.h"

#include <wend/field.h>
#include <wend/figures.h>
#include <wend/record.h>
#include <wend/service_tuning.h>
#include <wend/control.h>

#define IN_FRAME "a frame runs: call it between two frames, not inside a callback"
#define STALE "the ticket's request is delivered or replaced, or there never was one"

static wend_service_def def;
static wend_service_tuning tuning;

static wend_error create(void) {
    wend_service *service;
    const wend_error error = wend_service_create(&def, &service);
    wend_service_def_init(&def, sizeof def);
    wend_service_tuning_init(&tuning, sizeof tuning);
    def.tuning = &tuning;
    return error;
}

static void run_nothing(void *context, uint32_t count, void (*job)(void *job_context, uint32_t index),
                        void *job_context) {
    (void)context, (void)count, (void)job, (void)job_context;
}

Test(detail, of_making_a_service) {
    wend_service *service;
    wend_service_def_init(&def, sizeof def);
    wend_service_tuning_init(&tuning, sizeof tuning);
    def.tuning = &tuning;
    BAD("out is NULL", wend_service_create(&def, NULL));
    BAD("the wend_service_def is NULL", wend_service_create(NULL, &service));
    BAD(SIZED("wend_service_tuning", 1), tuning.struct_bytes = 1, create());
    BAD("queue is 0, but must be from 1 to 16777216", def.queue = 0, create());
    BAD("tuning.searches is 3, but must be from 4 to 65536", tuning.searches = 3, create());
    BAD("reserve is 65537, but must be from 0 to 65536", def.reserve = 65537, create());
    BAD("allocator.alloc is given, but allocator.free is NULL: give both or none", def.allocator.free = NULL, create());
    BAD("workers is 1, but must be 0 where jobs.run is given", def.workers = 1, def.jobs.run = run_nothing, create());
    BAD("nodes is 18446744073709551615, more than fit into memory", def.nodes = UINT64_MAX, create());
    BAD("path_bytes is more than 256 GiB of blocks", def.path_bytes = UINT64_MAX, create());
    FAILS(OUT_OF_MEMORY, "the allocator has no # bytes", def.allocator = no_memory, create());
    BAD("tuning.goals is 16777217, but must be from 0 to 16777216", tuning.goals = 16777217, create());
    BAD("preset is 4, but must be from 1 to 3", wend_service_def_preset(&(wend_service_def){0}, sizeof def, 4));
    BAD("tuning.horizon is 65537, but must be from 0 to 65536", tuning.horizon = 65537, create());
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

static wend_error submit(void) {
    const wend_error error = wend_service_submit(service, &request, NULL);
    reset_request();
    return error;
}

static void make_field(void) {
    wend_field_def all = default_field();
    all.map = map;
    cr_assert_eq(wend_field_create(&all, &field), WEND_OK);
}

/* A queue of two, one of them taken. */
static void set_up(void) {
    map = make_grid();
    make_field();
    wend_service_def_init(&def, sizeof def);
    wend_service_tuning_init(&tuning, sizeof tuning);
    tuning.goals = 1;
    def.tuning = &tuning, def.queue = 2;
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
    const wend_cell goals[] = {CELL(1, 1), CELL(2, 2)};
    BAD("request is NULL", wend_service_submit(service, NULL, NULL));
    BAD("request.urgency is 1001, but must be from -1000 to 1000", request.urgency = 1001, submit());
    FAILS(BUSY, "the store of further goals is full: see wend_service_tuning.goals",
          options_of(&request)->more_goals = goals, options_of(&request)->more_goal_count = 2, submit());
    BAD("on_done is NULL", request.on_done = NULL, submit());
    cr_assert_eq(submit(), WEND_OK);
    FAILS(BUSY, "the queue is full: see wend_service_def.queue, reserve and displace", submit());
    wend_service_close(service);
    FAILS(CLOSED, "the service is closed: wend_service_close() was called", submit());
}

Test(detail, of_changing_requests, .init = set_up, .fini = tear_down) {
    FAILS(STALE_TICKET, STALE, wend_service_cancel(service, old));
    FAILS(STALE_TICKET, STALE, wend_service_cancel(service, (wend_ticket){77, 1}));
    BAD("map is NULL", wend_service_cancel_map(service, NULL, NULL));
    FAILS(STALE_TICKET, STALE, wend_service_set_urgency(service, old, 1));
    BAD("urgency is 1001, but must be from -1000 to 1000", wend_service_set_urgency(service, now, 1001));
    FAILS(STALE_TICKET, STALE, wend_service_set_goal(service, old, CELL(0, 0)));
    FAILS(OUT_OF_RANGE, "goal" OFF_GRID, wend_service_set_goal(service, now, CELL(10, 0)));
    wend_prefix prefix = {.struct_bytes = 1};
    BAD(SIZED("wend_prefix", 1), wend_service_get_prefix(service, now, NULL, 0, &prefix));
    BAD(ABSENT("cells"), wend_service_get_prefix(service, now, NULL, 3, NULL));
    FAILS(STALE_TICKET, STALE, wend_service_get_prefix(service, old, NULL, 0, NULL));
    FAILS(EMPTY, "nothing of a path is known yet...", wend_service_get_prefix(service, now, NULL, 0, NULL));
    BAD("map is NULL", wend_service_get_wanted(service, NULL, NULL, 0, NULL));
    BAD(ABSENT("chunks"), wend_service_get_wanted(service, request.map, NULL, 1, NULL));
    BAD("the map is not streamed: all of it is there", wend_service_get_wanted(service, request.map, NULL, 0, NULL));
}

Test(detail, of_frames, .init = set_up, .fini = tear_down) {
    wend_frame frame = {.struct_bytes = 1};
    wend_stats stats = {.struct_bytes = 1};
    wend_budget budget = default_budget();
    budget.reserved = 1;
    BAD("budget.reserved is 1, but must be 0", wend_service_tick(service, &budget, NULL));
    budget.struct_bytes = 1;
    BAD(SIZED("wend_budget", 1), wend_service_tick(service, &budget, NULL));
    BAD(SIZED("wend_frame", 1), wend_service_tick(service, NULL, &frame));
    BAD(SIZED("wend_stats", 1), wend_service_get_stats(service, &stats));
}

Test(detail, of_figures, .init = set_up, .fini = tear_down) {
    wend_figures *figures;
    wend_figures_def all = default_figures();
    BAD("out is NULL", wend_figures_create(&all, NULL));
    BAD("the wend_figures_def is NULL", wend_figures_create(NULL, &figures));
    all.frames = 16777217;
    BAD("frames is 16777217, but must be from 0 to 16777216", wend_figures_create(&all, &figures));
    all.frames = 1, all.slices = 16777217;
    BAD("slices is 16777217, but must be from 0 to 16777216", wend_figures_create(&all, &figures));
    all.slices = 0, all.completions = 16777217;
    BAD("completions is 16777217, but must be from 0 to 16777216", wend_figures_create(&all, &figures));
    all.completions = 0, all.updates = 16777217;
    BAD("updates is 16777217, but must be from 0 to 16777216", wend_figures_create(&all, &figures));
    all.updates = 0, all.reserved = 1;
    BAD("reserved is 1, but must be 0", wend_figures_create(&all, &figures));
    all.reserved = 0;
    const wend_allocator own = all.allocator;
    all.allocator = no_memory;
    FAILS(OUT_OF_MEMORY, "the allocator has no # bytes", wend_figures_create(&all, &figures));
    all.allocator = own;
    cr_assert_eq(wend_figures_create(&all, &figures), WEND_OK);
    wend_figures_stats counts = {.struct_bytes = 1};
    wend_histogram histogram = {.struct_bytes = 1};
    wend_queue queue = {.struct_bytes = 1};
    wend_progress progress = {.struct_bytes = 1};
    wend_cell cell;
    size_t count;
    BAD(SIZED("wend_figures_stats", 1), wend_figures_get_stats(figures, &counts));
    BAD("kind is 8, but must be from 0 to 7", wend_figures_get_histogram(figures, 8, 0, &histogram));
    BAD("kind is 8, but must be from 0 to 7", wend_figures_get_recent(figures, 8, 0, 1, &histogram));
    BAD("band is -2, but must be from -1 to 4", wend_figures_get_recent(figures, 0, -2, 1, &histogram));
    BAD("frames is 0, but must be from 1 to 16777216", wend_figures_get_recent(figures, 0, 0, 0, &histogram));
    BAD(SIZED("wend_histogram", 1), wend_figures_get_recent(figures, 0, 0, 1, &histogram));
    BAD("band is 5, but must be from -1 to 4", wend_figures_get_histogram(figures, 0, 5, &histogram));
    BAD(SIZED("wend_histogram", 1), wend_figures_get_histogram(figures, 0, 0, &histogram));
    BAD(SIZED("wend_queue", 1), wend_service_get_queue(service, &queue));
    BAD(SIZED("wend_progress", 1), wend_service_get_progress(service, now, &progress));
    progress.struct_bytes = sizeof progress;
    FAILS(STALE_TICKET, STALE, wend_service_get_progress(service, old, &progress));
    FAILS(STALE_TICKET, STALE, wend_service_get_expanded(service, old, &cell, 1, &count));
    BAD("count is NULL", wend_service_get_expanded(service, now, &cell, 1, NULL));
    BAD(ABSENT("cells"), wend_service_get_expanded(service, now, NULL, 1, &count));
    FAILS(EMPTY, "no search is in flight for the request", wend_service_get_expanded(service, now, &cell, 1, &count));
    wend_figures_destroy(figures);
}

static wend_error write_fails(void *context, uint32_t file, const void *bytes, size_t size) {
    (void)context, (void)file, (void)bytes, (void)size;
    return WEND_IO;
}

Test(detail, of_recordings, .init = set_up, .fini = tear_down) {
    wend_recording recording = {.struct_bytes = 1};
    FAILS(EMPTY, "the service does not record", wend_service_end_recording(service));
    FAILS(EMPTY, "the service does not record", wend_service_record_map(service, map));
    BAD("map is NULL", wend_service_record_map(service, NULL));
    BAD(SIZED("wend_recording", 1), wend_service_get_recording(service, &recording));
    recording.struct_bytes = sizeof recording;
    FAILS(EMPTY, "the service does not record", wend_service_get_recording(service, &recording));
    FAILS(BUSY, "requests are pending...", wend_service_record(service, write_nothing, NULL));
    cr_assert_eq(wend_service_cancel(service, now), WEND_OK);
    cr_assert_eq(wend_service_tick(service, NULL, NULL), WEND_OK);
    cr_assert_eq(wend_service_add_field(service, field), WEND_OK);
    FAILS(UNSUPPORTED, "a recording cannot hold flow fields...", wend_service_record(service, write_nothing, NULL));
    cr_assert_eq(wend_service_remove_field(service, field), WEND_OK);
    cr_assert_eq(wend_service_record(service, write_nothing, NULL), WEND_OK);
    FAILS(IN_USE, "the service records already...", wend_service_record(service, write_nothing, NULL));
    cr_assert_eq(wend_service_record_map(service, map), WEND_OK);
    cr_assert_eq(wend_map_set_max_versions(map, 4), WEND_OK);
    FAILS(UNSUPPORTED, "the recording has ended before...", wend_service_record_map(service, map));
    FAILS(UNSUPPORTED, "the recording has ended before...", wend_service_end_recording(service));
    cr_assert_eq(wend_service_record(service, write_fails, NULL), WEND_OK);
    FAILS(IO, "the recording has ended before...", wend_service_end_recording(service));
    wend_graph_def sparse = default_graph();
    wend_map *graph;
    sparse.node_count = 1, sparse.node_capacity = 1 << 21;
    cr_assert_eq(wend_graph_create(&sparse, &graph), WEND_OK);
    cr_assert_eq(wend_service_record(service, write_nothing, NULL), WEND_OK);
    FAILS(UNSUPPORTED, "the recording has ended before...", wend_service_record_map(service, graph));
    (void)wend_service_end_recording(service);
    wend_map_release(graph);
}

static wend_field_def field_def;

static wend_error create_field(void) {
    wend_field *made;
    const wend_error error = wend_field_create(&field_def, &made);
    wend_field_def_init(&field_def, sizeof field_def);
    field_def.map = map;
    return error;
}

Test(detail, of_fields, .init = set_up, .fini = tear_down) {
    const wend_cell off[] = {CELL(1, 1), CELL(0, 8)};
    wend_field *made;
    create_field();
    BAD("out is NULL", wend_field_create(&field_def, NULL));
    BAD("the wend_field_def is NULL", wend_field_create(NULL, &made));
    BAD("map is NULL", field_def.map = NULL, create_field());
    BAD("purpose is 2, but must be from 0 to 1", field_def.purpose = 2, create_field());
    BAD(ABSENT("goals"), field_def.goal_count = 1, create_field());
    BAD(NO_MOVER, field_def.mover = 1, create_field());
    BAD("profile is 1, but must be 0", field_def.profile = 1, create_field());
    FAILS(OUT_OF_RANGE, "goals[1] is 0,8,0...", field_def.goals = off, field_def.goal_count = 2, create_field());
    FAILS(OUT_OF_MEMORY, "the allocator has no # bytes", field_def.allocator = no_memory, create_field());
    BAD("count is 65, but must be from 0 to 64", wend_field_set_goals(field, off, 65));
    BAD(ABSENT("goals"), wend_field_set_goals(field, NULL, 2));
    FAILS(OUT_OF_RANGE, "goals[1] is 0,8,0, off the map: x is 0 to 9...", wend_field_set_goals(field, off, 2));
    BAD("the field is not in this service", wend_service_remove_field(service, field));
    cr_assert_eq(wend_service_add_field(service, field), WEND_OK);
    FAILS(IN_USE, "the field is in a service...", wend_service_add_field(service, field));
    FAILS(
        IN_USE, "searches, requests or fields hold a version of the map: end them first",
        wend_map_set_rules(
            map, &(wend_map_rules){.struct_bytes = sizeof(wend_map_rules), .cost_straight = 10, .cost_diagonal = 14}));
}
