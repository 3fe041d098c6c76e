/* SPDX-License-Identifier: MIT */
/* Calls of fuzz_calls on what needs no service: walks, pulled and rounded lines, far requests; and on figures. */
#include "calls.h"
#include "motion/walk/points.h"
#include "service/frame_log/frame_log.h"
#include "field/field_state.h"

enum { TURNS = 64, POINTS = 256 };

/* The last path found, or cells of the input that are none. */
static size_t any_path(calls_world *w, wend_cell cells[CALLS_CELLS]) {
    const uint8_t byte = calls_byte(w);
    size_t count = w->path_count;
    if (byte % 4 != 0) {
        memcpy(cells, w->path, count * sizeof *cells);
        if (byte % 4 == 1 && count > 0) cells[byte % count] = calls_cell(w);
        return count;
    }
    count = byte / 4 % 9u;
    for (size_t i = 0; i < count; i++) cells[i] = i == 0 ? calls_cell(w) : calls_neighbour(w, cells[i - 1]);
    return count;
}

static void join(calls_world *w) {
    static wend_cell other[CALLS_CELLS], out[CALLS_CELLS];
    const size_t count = any_path(w, other);
    size_t made = 0, walked = w->path_count > 0 ? 1 + calls_byte(w) % w->path_count : 0;
    (void)wend__path_join(w->map, calls_number(w, 2), w->path, walked, other, count, out, CALLS_CELLS, &made);
}

static void round_line(calls_world *w, const wend_turn *turns, size_t turn_count) {
    static wend_point points[POINTS];
    wend_round_def def;
    size_t count = 0, index = 0;
    uint32_t clearance;
    wend_round_def_init(&def, sizeof def);
    const uint8_t byte = calls_byte(w);
    def.kind = calls_number(w, 1), def.mover = calls_number(w, 2);
    if (byte & 1) def.radius_milli = calls_count(w, 3000);
    if (byte & 2) def.spacing_milli = calls_count(w, 1000);
    if (byte & 4) def.clearance_milli = calls_count(w, 900);
    if (byte & 8) def.turning_milli = calls_count(w, 3000), def.heading_x = calls_number(w, 9);
    if (wend_path_round(w->map, &def, turns, turn_count, points, POINTS, &count) || count == 0) return;
    if (count > POINTS) count = POINTS;
    (void)wend_line_clearance(w->map, def.mover, points, count, &clearance);
    index = calls_byte(w) % count;
    if (!wend_waypoint_next(w->map, def.mover, points, count, points[0], calls_count(w, 2000), &index))
        FUZZ_CHECK(index < count);
}

static void pull(calls_world *w) {
    static wend_cell cells[CALLS_CELLS];
    wend_pull_def def;
    wend_turn turns[TURNS];
    size_t turn_count = 0, count = any_path(w, cells);
    wend_pull_def_init(&def, sizeof def);
    const uint8_t byte = calls_byte(w);
    def.mover = calls_number(w, 2), def.units = calls_count(w, 1), def.search = calls_count(w, 1);
    if (byte & 1) def.radius_milli = byte & 2 ? calls_count(w, WEND_MAX_CLEARANCE) : calls_byte(w) * 6u;
    if (wend_path_pull(w->map, &def, cells, count, turns, TURNS, &turn_count)) return;
    FUZZ_CHECK(turn_count > 0 && (def.radius_milli > 0 || turn_count <= count));
    if (turn_count > TURNS) return;
    for (size_t i = 0; i < turn_count; i++) FUZZ_CHECK(turns[i].index < count);
    if (byte & 4) turns[byte % turn_count].cell = calls_cell(w);
    round_line(w, turns, turn_count);
}

static wend_point any_point(calls_world *w) {
    return (wend_point){calls_number(w, w->size.x * 1000), calls_number(w, w->size.y * 1000), calls_number(w, 0)};
}

static void look(calls_world *w) {
    bool visible = 77;
    const wend_point from = any_point(w), to = any_point(w);
    if (!wend_point_line_of_sight(w->map, calls_number(w, 2), from, to, &visible))
        FUZZ_CHECK(visible == 0 || visible == 1);
}

/* A far request by hand. */
static void travel(calls_world *w) {
    static wend_cell crossings[CALLS_CELLS];
    wend_request request;
    wend_completion result = {.struct_bytes = sizeof result};
    wend_request_init(&request, sizeof request);
    request.map = w->map, request.mode = WEND_MODE_FAR, request.start = calls_cell(w), request.goal = calls_cell(w);
    calls_need_search(w);
    if (wend_search_begin(w->search, &request)) return;
    if (wend_search_step(w->search, 20000, NULL) != WEND_STATUS_FOUND) return;
    size_t count = 0;
    FUZZ_CHECK(!wend_search_get_result(w->search, &result));
    FUZZ_CHECK(!wend_search_get_crossings(w->search, crossings, CALLS_CELLS, &count));
    FUZZ_CHECK(!wend_search_get_path(w->search, w->path, CALLS_CELLS, &w->path_count));
}

static void ask_figures(calls_world *w) {
    wend_histogram histogram = {.struct_bytes = sizeof histogram};
    wend_figures_stats stats = {.struct_bytes = sizeof stats};
    wend_frame_record frames[4];
    wend_slice_record slices[4];
    wend_done_record done[4];
    wend_update_record updates[4];
    wend_lane_record lanes[4];
    if (!w->figures) {
        wend_figures_def def;
        wend_figures_def_init(&def, sizeof def);
        def.frames = calls_byte(w) % 9, def.slices = calls_byte(w) % 9, def.completions = calls_byte(w) % 9;
        def.updates = calls_byte(w) % 9;
        if (wend_figures_create(&def, &w->figures)) w->figures = NULL;
        FUZZ_MUST(wend_service_set_figures(w->service, w->figures));
        FUZZ_CHECK(wend_service_get_figures(w->service) == w->figures);
        return;
    }
    const uint64_t from = calls_large(w, 20);
    FUZZ_MUST(wend_figures_get_stats(w->figures, &stats));
    FUZZ_CHECK(wend_figures_get_frames(w->figures, from, frames, sizeof *frames, 4) <= 4);
    FUZZ_CHECK(wend_figures_get_slices(w->figures, from, slices, sizeof *slices, 4) <= 4);
    FUZZ_CHECK(wend_figures_get_completions(w->figures, from, done, sizeof *done, 4) <= 4);
    FUZZ_CHECK(wend_figures_get_updates(w->figures, from, updates, sizeof *updates, 4) <= 4);
    (void)wend_service_get_lanes(w->service, lanes, sizeof *lanes, calls_byte(w) % 5u);
    const int32_t kind = calls_number(w, WEND_HISTOGRAM_COUNT), band = calls_number(w, WEND_BAND_COUNT);
    if (!wend_figures_get_histogram(w->figures, kind, band, &histogram))
        FUZZ_CHECK(wend_histogram_percentile(&histogram, calls_count(w, 1000)) <= histogram.max);
    (void)wend_figures_get_recent(w->figures, kind, band, calls_count(w, 9), &histogram);
    FUZZ_CHECK(wend__urgency_band(calls_number(w, WEND_URGENCY_MAX)) < WEND_BAND_COUNT);
}

static void ask_names(calls_world *w) {
    const int32_t number = calls_number(w, 20);
    const char *const names[] = {
        wend_agent_state_name(number), wend_agent_event_name(number), wend_agent_why_name(number),
        wend_agent_wait_name(number),  wend_general_name(number),     wend_general_text(number),
        wend_progress_name(number),    wend_status_name(number),      wend_error_text(number)};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) FUZZ_CHECK(names[i] && names[i][0]);
    FUZZ_CHECK(wend_agent_event_ends_goal(number) == 0 || number == WEND_AGENT_EVENT_ARRIVED ||
               number == WEND_AGENT_EVENT_PARTIAL || number == WEND_AGENT_EVENT_GAVE_UP ||
               number == WEND_AGENT_EVENT_REPLACED);
    (void)wend_histogram_top(calls_count(w, WEND_HISTOGRAM_BUCKETS - 1) % WEND_HISTOGRAM_BUCKETS);
}

/* Definitions with any numbers: their bytes are known, or they are refused. */
static void ask_bytes(calls_world *w) {
    wend_service_def service;
    wend_service_tuning tuning;
    wend_service_def_init(&service, sizeof service);
    wend_service_tuning_init(&tuning, sizeof tuning);
    service.queue = calls_count(w, 1 << 24), service.workers = calls_count(w, WEND_MAX_WORKERS);
    service.nodes = calls_large(w, 1 << 20), service.max_path_cells = calls_large(w, 1 << 20);
    service.path_bytes = calls_large(w, 1 << 20), service.reserve = calls_count(w, 60);
    tuning.lanes = calls_count(w, 64), tuning.searches = calls_count(w, 65536), tuning.goals = calls_count(w, 1 << 24);
    service.tuning = &tuning;
    (void)wend_service_bytes(&service);
    wend_crowd_def crowd;
    wend_crowd_def_init(&crowd, sizeof crowd);
    crowd.map = w->map, crowd.service = w->service, crowd.agents = calls_count(w, WEND_MAX_AGENTS);
    crowd.path_bytes = calls_large(w, 1 << 30);
    (void)wend_crowd_bytes(&crowd);
    wend_search_def search;
    wend_search_def_init(&search, sizeof search);
    search.nodes = calls_large(w, 1 << 20), search.far_nodes = calls_count(w, WEND_MAX_FAR_NODES);
    wend_field_def field;
    wend_field_def_init(&field, sizeof field);
    field.map = w->map, field.most_goals = calls_count(w, WEND_FIELD_MAX_GOALS);
    wend_figures_def figures;
    wend_figures_def_init(&figures, sizeof figures);
    figures.frames = calls_count(w, 1 << 24), figures.slices = calls_count(w, 1 << 24);
    FUZZ_CHECK(!w->field || wend__field_epoch(w->field) <= wend_map_get_epoch(w->map));
    (void)wend_service_get_wait(w->service);
    (void)wend_service_get_slices(w->service, 0);
    FUZZ_CHECK(wend_service_get_work(w->service) <= 2 * CALLS_REQUESTS);
}

static calls_fn *const paths[] = {join, pull, pull, look, travel, ask_figures, ask_names, ask_bytes};

size_t calls_of_paths(calls_fn *const **table) {
    *table = paths;
    return sizeof paths / sizeof *paths;
}
