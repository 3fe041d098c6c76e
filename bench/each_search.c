/* SPDX-License-Identifier: MIT */
/* Rows of searches, services, flow fields and figures. Each search is that of the world's path. */
#include "each.h"

#include <wend/control.h>
#include <wend/field.h>
#include <wend/figures.h>
#include <wend/journey.h>
#include <wend/record.h>
#include <wend/save.h>
#include <wend/service_tuning.h>

static wend_cell cells[EACH_PATH];
static wend_search_node nodes[EACH_PATH];

static void begin_and_step(world *w, wend_search *search, uint64_t expansions) {
    check(wend_search_begin(search, &w->request));
    (void)wend_search_step(search, expansions, NULL);
}

static void ask_requests(world *w) {
    wend_request request;
    wend_search_options options;
    int32_t engine;
    const char *why;
    ROW(wend_request_init, "", wend_request_init(&request, sizeof request));
    ROW(wend_search_options_init, "", wend_search_options_init(&options, sizeof options));
    ROW(wend_request_explain, "", check(wend_request_explain(&w->request, &engine, &why)));
    ROW(wend_general_name, "", wend_general_name(1));
    ROW(wend_general_text, "", wend_general_text(1));
}

/* The three rows that are compared are next to each other, as the machine is not always equally fast. */
static void find(world *w) {
    wend_nearest_def def;
    wend_hit hits[5];
    wend_status status;
    wend_ticket ticket;
    size_t count;
    ROW(wend_find_path, "", check(wend_find_path(w->map, w->from, w->to, cells, EACH_PATH, &count, &status)));
    ROW(wend_search_step, "begin to path", begin_and_step(w, w->search, WEND_NO_LIMIT);
        check(wend_search_get_path(w->search, cells, EACH_PATH, &count)));
    ROW(wend_service_tick, "submit to answer", check(wend_service_submit(w->service, &w->request, &ticket));
        check(wend_service_tick(w->service, &w->budget, NULL)));
    ROW(wend_nearest_def_init, "", wend_nearest_def_init(&def, sizeof def));
    def.map = w->map, def.start = w->from, def.cells = &w->to, def.cell_count = 1;
    ROW(wend_find_nearest, "of one cell", check(wend_find_nearest(&def, hits, 5, &count)));
    def.cell_count = 0, def.classes[0] = 1u << WEND_CLASS_OPEN;
    ROW(wend_find_nearest, "5 open ones", check(wend_find_nearest(&def, hits, 5, &count)));
}

static void search(world *w) {
    wend_search_def def;
    wend_search *one = NULL;
    wend_completion result = {.struct_bytes = sizeof result};
    wend_prefix prefix = {.struct_bytes = sizeof prefix};
    wend_search_options options;
    size_t count;
    ROW(wend_search_def_init, "", wend_search_def_init(&def, sizeof def));
    ROW_ONCE(wend_search_create, "", , check(wend_search_create(&def, &one)), wend_search_destroy(one));
    ROW_ONCE(wend_search_destroy, "", check(wend_search_create(&def, &one)), wend_search_destroy(one), );
    ROW(wend_search_begin, "", check(wend_search_begin(w->search, &w->request)));
    ROW_ONCE(wend_search_step, "", check(wend_search_begin(w->search, &w->request)),
             wend_search_step(w->search, WEND_NO_LIMIT, NULL), );
    ROW(wend_search_get_result, "", check(wend_search_get_result(w->search, &result)));
    ROW(wend_search_get_path, "", check(wend_search_get_path(w->search, cells, EACH_PATH, &count)));
    ROW(wend_search_get_crossings, "none", check(wend_search_get_crossings(w->search, cells, EACH_PATH, &count)));
    ROW(wend_search_get_prefix, "", check(wend_search_get_prefix(w->search, cells, EACH_PATH, &prefix)));
    ROW(wend_search_get_expanded, "", check(wend_search_get_expanded(w->search, cells, EACH_PATH, &count)));
    wend_search_options_init(&options, sizeof options);
    options.engine = WEND_ENGINE_ASTAR;
    w->request.options = &options;
    begin_and_step(w, w->search, 2);
    ROW(wend_search_get_open, "", check(wend_search_get_open(w->search, nodes, EACH_PATH, &count)));
    w->request.options = NULL;
    check(wend_search_begin(w->search, &w->request));
}

static void far_away(world *w) {
    wend_journey journey = {.struct_bytes = sizeof journey};
    wend_request next;
    wend_search_options options;
    wend_completion done = {.struct_bytes = sizeof done};
    done.status = WEND_STATUS_FOUND, done.cells = w->path, done.cell_count = w->count;
    ROW(wend_journey_begin, "", check(wend_journey_begin(&w->request, &done, cells, EACH_PATH, &journey)));
    ROW(wend_journey_walk, "", wend_journey_walk(&journey, w->path, w->count));
    ROW(wend_journey_next, "", (void)wend_journey_next(&journey, w->to, &next, &options));
}

void each_search(world *w) {
    ask_requests(w);
    find(w);
    search(w);
    far_away(w);
}

/* ---- services ---- */

static void make_service(void) {
    wend_service_def def;
    wend_service_tuning tuning;
    wend_service *one = NULL;
    wend_budget budget;
    wend_frame_limits limits;
    ROW(wend_service_def_init, "", wend_service_def_init(&def, sizeof def));
    ROW(wend_service_tuning_init, "", wend_service_tuning_init(&tuning, sizeof tuning));
    ROW(wend_budget_init, "", wend_budget_init(&budget, sizeof budget));
    ROW(wend_frame_limits_init, "", wend_frame_limits_init(&limits, sizeof limits));
    static const char *const names[] = {"", "SMALL", "SERVER", "MMO"};
    for (int32_t preset = WEND_PRESET_SMALL; preset <= WEND_PRESET_MMO; preset++) {
        ROW(wend_service_def_preset, names[preset], check(wend_service_def_preset(&def, sizeof def, preset)));
        ROW(wend_service_bytes, names[preset], wend_service_bytes(&def));
        ROW_ONCE(wend_service_create, names[preset], , check(wend_service_create(&def, &one)),
                 wend_service_destroy(one));
        ROW_ONCE(wend_service_destroy, names[preset], check(wend_service_create(&def, &one)),
                 wend_service_destroy(one), );
    }
}

static void submit_requests(world *w) {
    wend_ticket ticket;
    size_t count;
    wend_prefix prefix = {.struct_bytes = sizeof prefix};
    wend_progress progress = {.struct_bytes = sizeof progress};
#define PENDING(function, tag, call)                                                                                   \
    ROW_ONCE(function, tag, check(wend_service_submit(w->service, &w->request, &ticket)), call,                        \
             check(wend_service_tick(w->service, &w->budget, NULL)))
    ROW_ONCE(wend_service_submit, "", , check(wend_service_submit(w->service, &w->request, &ticket)),
             check(wend_service_tick(w->service, &w->budget, NULL)));
    PENDING(wend_service_cancel, "", check(wend_service_cancel(w->service, ticket)));
    PENDING(wend_service_set_urgency, "", check(wend_service_set_urgency(w->service, ticket, 5)));
    PENDING(wend_service_set_goal, "", check(wend_service_set_goal(w->service, ticket, w->from)));
    PENDING(wend_service_cancel_map, "one", check(wend_service_cancel_map(w->service, w->map, &count)));
    PENDING(wend_service_get_progress, "", check(wend_service_get_progress(w->service, ticket, &progress)));
    PENDING(wend_service_get_prefix, "not begun",
            (void)wend_service_get_prefix(w->service, ticket, cells, EACH_PATH, &prefix));
    PENDING(wend_service_get_expanded, "not begun",
            (void)wend_service_get_expanded(w->service, ticket, cells, EACH_PATH, &count));
    ROW_ONCE(wend_service_tick, "one search", check(wend_service_submit(w->service, &w->request, &ticket)),
             check(wend_service_tick(w->service, &w->budget, NULL)), );
    ROW(wend_service_tick, "nothing to do", check(wend_service_tick(w->service, &w->budget, NULL)));
}

static void ask_service(world *w) {
    wend_stats stats = {.struct_bytes = sizeof stats};
    wend_queue queue = {.struct_bytes = sizeof queue};
    wend_lane_record lanes[8];
    size_t count;
    ROW(wend_service_get_stats, "", check(wend_service_get_stats(w->service, &stats)));
    ROW(wend_service_get_pending, "", wend_service_get_pending(w->service));
    ROW(wend_service_get_wait, "", wend_service_get_wait(w->service));
    ROW(wend_service_get_work, "", wend_service_get_work(w->service));
    wend_map_def def = default_map();
    wend_map *streamed;
    def.width = def.height = w->side, def.streamed = 1;
    check(wend_map_create(&def, &streamed));
    ROW(wend_service_get_wanted, "none", check(wend_service_get_wanted(w->service, streamed, cells, 64, &count)));
    wend_map_release(streamed);
    ROW(wend_service_get_slices, "", wend_service_get_slices(w->service, 0));
    ROW(wend_service_get_queue, "", check(wend_service_get_queue(w->service, &queue)));
    ROW(wend_service_get_lanes, "", wend_service_get_lanes(w->service, lanes, sizeof *lanes, 8));
    ROW(wend_service_set_wake, "", wend_service_set_wake(w->service, NULL, NULL));
    ROW(wend_progress_name, "", wend_progress_name(0));
    ROW_ONCE(wend_service_close, "", wend_service *one = open_service(NULL), wend_service_close(one),
             wend_service_destroy(one));
}

static void use_figures(world *w) {
    wend_figures_def def;
    wend_figures *figures = NULL;
    wend_figures_stats stats = {.struct_bytes = sizeof stats};
    wend_frame_record frames[4];
    wend_slice_record slices[4];
    wend_done_record done[4];
    wend_update_record updates[4];
    wend_histogram histogram = {.struct_bytes = sizeof histogram};
    ROW(wend_figures_def_init, "", wend_figures_def_init(&def, sizeof def));
    ROW_ONCE(wend_figures_create, "", , check(wend_figures_create(&def, &figures)), wend_figures_destroy(figures));
    ROW_ONCE(wend_figures_destroy, "", check(wend_figures_create(&def, &figures)), wend_figures_destroy(figures), );
    check(wend_figures_create(&def, &figures));
    ROW(wend_service_set_figures, "", check(wend_service_set_figures(w->service, figures)));
    for (int i = 0; i < 100; i++) check(wend_service_tick(w->service, &w->budget, NULL));
    ROW(wend_service_get_figures, "", wend_service_get_figures(w->service));
    ROW(wend_figures_get_stats, "", check(wend_figures_get_stats(figures, &stats)));
    ROW(wend_figures_get_frames, "4", wend_figures_get_frames(figures, 0, frames, sizeof *frames, 4));
    ROW(wend_figures_get_slices, "4", wend_figures_get_slices(figures, 0, slices, sizeof *slices, 4));
    ROW(wend_figures_get_completions, "4", wend_figures_get_completions(figures, 0, done, sizeof *done, 4));
    ROW(wend_figures_get_updates, "4", wend_figures_get_updates(figures, 0, updates, sizeof *updates, 4));
    ROW(wend_figures_get_histogram, "", check(wend_figures_get_histogram(figures, 0, WEND_BAND_ALL, &histogram)));
    ROW(wend_figures_get_recent, "64 frames",
        check(wend_figures_get_recent(figures, 0, WEND_BAND_ALL, 64, &histogram)));
    ROW(wend_histogram_top, "", wend_histogram_top(7));
    ROW(wend_histogram_percentile, "", wend_histogram_percentile(&histogram, 500));
    check(wend_service_set_figures(w->service, NULL));
    wend_figures_destroy(figures);
}

static void use_field(world *w) {
    wend_field_def def;
    wend_field *field = NULL;
    wend_cell next;
    uint64_t cost;
    ROW(wend_field_def_init, "", wend_field_def_init(&def, sizeof def));
    def.map = w->map, def.goals = &w->to, def.goal_count = 1;
    ROW_ONCE(wend_field_create, "", , check(wend_field_create(&def, &field)), wend_field_destroy(field));
    ROW_ONCE(wend_field_destroy, "", check(wend_field_create(&def, &field)), wend_field_destroy(field), );
    check(wend_field_create(&def, &field));
    ROW_ONCE(wend_field_step, "all", (void)wend_field_repair(field, true),
             wend_field_step(field, WEND_NO_LIMIT, NULL), );
    ROW(wend_field_repair, "nothing", check(wend_field_repair(field, false)));
    ROW(wend_field_next, "", wend_field_next(field, w->from, &next, &cost));
    ROW_ONCE(wend_field_set_goals, "one", wend_field_step(field, WEND_NO_LIMIT, NULL),
             check(wend_field_set_goals(field, &w->to, 1)), );
    ROW_ONCE(wend_service_add_field, "", , check(wend_service_add_field(w->service, field)),
             check(wend_service_remove_field(w->service, field)));
    ROW_ONCE(wend_service_remove_field, "", check(wend_service_add_field(w->service, field)),
             check(wend_service_remove_field(w->service, field)), );
    wend_field_destroy(field);
}

static wend_error skip_record(void *context, uint32_t file, const void *bytes, size_t size) {
    (void)context, (void)file, (void)bytes, (void)size;
    return WEND_OK;
}

static void record(world *w) {
    wend_recording recording = {.struct_bytes = sizeof recording};
    ROW_ONCE(wend_service_record, "", wend_service *one = open_service(NULL),
             check(wend_service_record(one, skip_record, NULL)), wend_service_destroy(one));
    ROW_ONCE(wend_service_record_map, "", wend_service *one = open_service(NULL);
             check(wend_service_record(one, skip_record, NULL)), check(wend_service_record_map(one, w->map)),
             wend_service_destroy(one));
    ROW_ONCE(wend_service_get_recording, "", wend_service *one = open_service(NULL);
             check(wend_service_record(one, skip_record, NULL)), check(wend_service_get_recording(one, &recording)),
             wend_service_destroy(one));
    ROW_ONCE(wend_service_end_recording, "", wend_service *one = open_service(NULL);
             check(wend_service_record(one, skip_record, NULL)), check(wend_service_end_recording(one)),
             wend_service_destroy(one));
    ROW_ONCE(wend_service_record_state, "", wend_service *one = open_service(NULL),
             check(wend_service_record_state(one, w->map, NULL, skip_record, NULL)), wend_service_destroy(one));
}

static void save(world *w) {
    wend_save_host host;
    size_t bytes = 0, service_bytes = 0;
    wend_map *map;
    wend_map *maps[1];
    uint64_t hash;
    ROW(wend_save_host_init, "", wend_save_host_init(&host, sizeof host));
    check(wend_map_fork(w->map, &map));
    maps[0] = map;
    host.maps = maps, host.map_count = 1;
    (void)wend_map_save_state(map, NULL, 0, &bytes);
    (void)wend_service_save_state(w->service, &host, NULL, 0, &service_bytes);
    void *buffer = malloc(bytes), *saved = malloc(service_bytes);
    need(buffer && saved, "memory");
    ROW(wend_map_save_state, "", check(wend_map_save_state(map, buffer, bytes, &bytes)));
    ROW(wend_map_restore_state, "", check(wend_map_restore_state(map, buffer, bytes)));
    ROW(wend_service_save_state, "",
        check(wend_service_save_state(w->service, &host, saved, service_bytes, &service_bytes)));
    ROW(wend_service_restore_state, "", check(wend_service_restore_state(w->service, &host, saved, service_bytes)));
    ROW(wend_service_adopt, "", check(wend_service_adopt(w->service, &host)));
    ROW(wend_world_hash, "no crowd", check(wend_world_hash(map, w->service, NULL, &hash)));
    free(buffer);
    free(saved);
    wend_map_release(map);
}

void each_service(world *w) {
    make_service();
    submit_requests(w);
    ask_service(w);
    use_figures(w);
    use_field(w);
    record(w);
    save(w);
}
