/* SPDX-License-Identifier: MIT */
/* Answers the queries of a scenario and measures the time: through the service, or each by its own search. */
#define _POSIX_C_SOURCE 200809L

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "scen/scen.h"
#include "cli/output/messages.h"
#include <wend/search.h>

enum { FIRST_CELLS = 1 << 16, MOST_TOUCHED = 1 << 24, MOST_IN_BATCH = 64, IDLE_FRAMES = 1000 };
/* A large budget, but small enough for a moving progress bar. */
static const uint64_t frame_expansions = 20 * 1000 * 1000;
/* At most 1 GiB for records, unless a single search needs more. */
static const uint64_t most_nodes = UINT64_C(1) << 28;
/* A pool has fewer than 2^20 pages. */
static const uint64_t nodes_limit = UINT64_C(1) << 31;
/* Shorter queries are timed in batches: reading the processor clock takes 0.4 µs and more. */
static const double batch_us = 100;

/* Processor time of all threads. */
static double now_us(void) {
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec * 1e6 + (double)now.tv_nsec * 1e-3;
}

/* Records for a complete search of the largest map. Flat grids need at most two pages a chunk here. */
static uint64_t largest_search(const scen_set *set) {
    uint64_t most = WEND_PAGE_NODES;
    for (size_t i = 0; i < set->map_count; i++) {
        const wend_map_info *info = &set->maps[i].info;
        uint64_t nodes = cli_search_nodes(info) / (info->kind == WEND_KIND_GRID ? 2 : 1);
        if (nodes > most) most = nodes;
    }
    return most < nodes_limit ? most : nodes_limit;
}

static uint64_t longest_path(const scen_set *set) {
    uint64_t most = 1;
    for (size_t i = 0; i < set->map_count; i++)
        if (set->maps[i].info.cells > most) most = set->maps[i].info.cells;
    return most < UINT32_MAX ? most : UINT32_MAX;
}

static wend_request make_request(const scen_set *set, size_t query, const scen_settings *settings,
                                 wend_search_options *options) {
    wend_request request;
    wend_request_init(&request, sizeof request);
    wend_search_options_init(options, sizeof *options);
    request.map = set->map_of[query]->world.map;
    request.start = set->queries[query].start;
    request.goal = set->queries[query].goal;
    request.options = options;
    options->engine = settings->rules.engine;
    return request;
}

static int fail_query(const scen_set *set, size_t query, wend_error error) {
    return cli_fail_at(set->path, scen_line(set, query), 0, "%s", wend_error_detail(error));
}

/* ---- through the service ---- */

typedef struct slot {
    scen_set *set;
    scen_result *result;
    bool *failed;
} slot;

/* The first run keeps all answers. */
static void on_done(void *context, const wend_completion *completion) {
    slot *mine = context;
    scen_set *set = mine->set;
    scen_result *result = mine->result;
    result->status = completion->status;
    result->cost = completion->cost;
    result->expansions = completion->expansions;
    result->us = -1;
    result->first = set->cell_count;
    result->count = completion->cell_count;
    if (completion->cell_count == 0) return;
    if (!scen_reserve(set, set->cell_count + completion->cell_count)) {
        *mine->failed = true;
        result->count = 0;
        return;
    }
    memcpy(set->cells + set->cell_count, completion->cells, completion->cell_count * sizeof *set->cells);
    set->cell_count += completion->cell_count;
}

/* Later runs give the same answers: storing them again would take as long as their delivery. */
static void on_done_again(void *context, const wend_completion *completion) {
    const slot *mine = context;
    scen_result *result = mine->result;
    if (completion->status != result->status || completion->cost != result->cost ||
        completion->expansions != result->expansions || completion->cell_count != result->count)
        result->wrong = "another answer when asked again";
}

/* All queries of a file wait in the queue; a search that begins runs to its end, so none is searched twice. */
static wend_error create_service(const scen_set *set, const scen_settings *settings, wend_service **out) {
    wend_service_def def;
    wend_service_def_init(&def, sizeof def);
    wend_service_tuning tuning;
    wend_service_tuning_init(&tuning, sizeof tuning);
    def.tuning = &tuning;
    uint64_t one = largest_search(set);
    def.queue = set->count > 0 ? (uint32_t)set->count : 1;
    def.workers = (uint32_t)settings->workers;
    if (settings->slice > 0) tuning.slice = settings->slice;
    tuning.quantum = WEND_NO_LIMIT;
    def.nodes = one * tuning.lanes;
    if (def.nodes > most_nodes) def.nodes = one > most_nodes ? one : most_nodes;
    def.max_path_cells = longest_path(set);
    if (def.path_bytes < def.max_path_cells + 4096) def.path_bytes = def.max_path_cells + 4096;
    tuning.prefault = cli_prefault(&def);
    return wend_service_create(&def, out);
}

static int submit_all(wend_service *service, const scen_set *set, const scen_settings *settings, slot *slots,
                      wend_done_fn *done) {
    for (size_t i = 0; i < set->count; i++) {
        wend_search_options options;
        wend_request request = make_request(set, i, settings, &options);
        request.on_done = done;
        request.context = &slots[i];
        wend_error error = wend_service_submit(service, &request, NULL);
        if (error) return fail_query(set, i, error);
    }
    return CLI_DONE;
}

/* Runs a frame; its time is added to *us. */
static void tick(wend_service *service, uint64_t expansions, uint64_t deliveries, wend_frame *frame, double *us) {
    wend_budget budget;
    wend_frame_limits limits;
    wend_budget_init(&budget, sizeof budget);
    wend_frame_limits_init(&limits, sizeof limits);
    budget.expansions = expansions;
    budget.limits = &limits;
    limits.deliveries = deliveries;
    frame->struct_bytes = sizeof *frame;
    double begin = now_us();
    wend_service_tick(service, &budget, frame);
    *us += now_us() - begin;
}

/* Two kinds of frames take turns: one searches and delivers a single path, the next delivers the others. This separates
   the time of searching from that of delivery without a clock inside the service. */
static int run_frames(wend_service *service, const scen_set *set, scen_figures *out) {
    double search_us = 0, other_us = 0;
    wend_frame frame = {.struct_bytes = sizeof frame};
    int idle = 0;
    tick(service, 0, WEND_NO_LIMIT, &frame, &other_us);
    out->frames++;
    while (wend_service_get_pending(service) > 0) {
        uint64_t before = wend_service_get_pending(service);
        tick(service, frame_expansions, 1, &frame, &search_us);
        uint64_t spent = frame.expansions;
        tick(service, 0, WEND_NO_LIMIT, &frame, &other_us);
        out->frames += 2;
        out->expansions += spent;
        idle = spent == 0 && wend_service_get_pending(service) == before ? idle + 1 : 0;
        if (idle > IDLE_FRAMES) return cli_fail("%s: the service makes no progress", set->path);
        cli_progress(set->path, set->count - wend_service_get_pending(service), set->count);
    }
    out->search_us = search_us;
    out->tick_us = search_us + other_us;
    return CLI_DONE;
}

static int run_once(wend_service *service, scen_set *set, const scen_settings *settings, slot *slots,
                    wend_done_fn *done, scen_figures *out) {
    bool failed = false;
    *out = (scen_figures){.queries = set->count};
    for (size_t i = 0; i < set->count; i++) slots[i] = (slot){set, &set->results[i], &failed};
    int status = submit_all(service, set, settings, slots, done);
    if (!status) status = run_frames(service, set, out);
    return !status && failed ? cli_fail("%s", wend_error_text(WEND_OUT_OF_MEMORY)) : status;
}

/* Room for the paths that the file's lengths promise, touched once so that page faults are not timed. */
static bool touch_cells(scen_set *set) {
    double cells = FIRST_CELLS;
    for (size_t i = 0; i < set->count; i++) cells += set->queries[i].length + 2;
    if (cells > MOST_TOUCHED) cells = MOST_TOUCHED;
    if (!scen_reserve(set, (size_t)cells)) return false;
    memset(set->cells, 0, (size_t)cells * sizeof *set->cells);
    return true;
}

/* The maps' tables are made last: touching the service's memory would evict them from the caches. */
static int run_service(scen_set *set, const scen_settings *settings, scen_figures *out) {
    wend_service *service = NULL;
    slot *slots = calloc(set->count + 1, sizeof *slots);
    wend_error error = slots && touch_cells(set) ? create_service(set, settings, &service) : WEND_OUT_OF_MEMORY;
    int status = !error ? scen_prepare(set, settings) : cli_fail("%s: %s", set->path, wend_error_detail(error));
    for (uint64_t i = 0; i < settings->repeat && !status; i++) {
        scen_figures once;
        status = run_once(service, set, settings, slots, i == 0 ? on_done : on_done_again, &once);
        if (i == 0 || once.tick_us < out->tick_us) *out = once;
    }
    if (!status) scen_check(set, out); /* after all runs: between them it would evict the caches */
    wend_service_destroy(service);     /* calls back where requests are pending, so the slots are freed after it */
    free(slots);
    return status;
}

/* ---- each query by a search of its own ---- */

/* Returns the time from begin to the path's cells. */
static wend_error answer(wend_search *search, const wend_request *request, uint64_t slice, scen_set *set,
                         scen_result *out) {
    wend_error error = wend_search_begin(search, request);
    if (error) return error;
    while (wend_search_step(search, slice, NULL) == WEND_STATUS_PENDING) {
    }
    wend_completion result = {.struct_bytes = sizeof result};
    wend_search_get_result(search, &result);
    *out = (scen_result){.status = result.status,
                         .cost = result.cost,
                         .expansions = result.expansions,
                         .us = out->us,
                         .first = set->cell_count,
                         .wrong = out->wrong};
    if (result.status != WEND_STATUS_FOUND) return WEND_OK;
    if (!scen_reserve(set, set->cell_count + result.cell_count)) return WEND_OUT_OF_MEMORY;
    return wend_search_get_path(search, set->cells + set->cell_count, result.cell_count, &out->count);
}

static wend_error answer_timed(wend_search *search, const wend_request *request, const scen_settings *settings,
                               scen_set *set, scen_result *out) {
    uint64_t slice = settings->slice > 0 ? settings->slice : WEND_NO_LIMIT;
    out->us = -1;
    for (uint64_t i = 0; i < settings->repeat; i++) {
        double begin = now_us();
        wend_error error = answer(search, request, slice, set, out);
        double us = now_us() - begin;
        int times = us < batch_us ? 1 + (int)(batch_us / (us > 0.3 ? us : 0.3)) : 1;
        if (times > MOST_IN_BATCH) times = MOST_IN_BATCH;
        begin = now_us();
        for (int k = 0; k < times && times > 1 && !error; k++) error = answer(search, request, slice, set, out);
        if (times > 1) us = (now_us() - begin) / times;
        if (error) return error;
        if (out->us < 0 || us < out->us) out->us = us;
    }
    set->cell_count += out->count;
    return WEND_OK;
}

static int run_bare(scen_set *set, const scen_settings *settings, scen_figures *out) {
    wend_search *search = NULL;
    wend_search_def def;
    wend_search_def_init(&def, sizeof def);
    def.nodes = largest_search(set);
    wend_error error = scen_reserve(set, FIRST_CELLS) ? wend_search_create(&def, &search) : WEND_OUT_OF_MEMORY;
    int status = !error ? scen_prepare(set, settings) : cli_fail("%s: %s", set->path, wend_error_detail(error));
    *out = (scen_figures){.queries = set->count};
    for (size_t i = 0; i < set->count && !status; i++) {
        wend_search_options options;
        wend_request request = make_request(set, i, settings, &options);
        error = answer_timed(search, &request, settings, set, &set->results[i]);
        if (error) status = fail_query(set, i, error);
        out->expansions += set->results[i].expansions;
        out->search_us += set->results[i].us;
        cli_progress(set->path, i, set->count);
    }
    out->tick_us = out->search_us;
    if (!status) scen_check(set, out);
    wend_search_destroy(search);
    return status;
}

int scen_run(scen_set *set, const scen_settings *settings, scen_figures *out) {
    int status = settings->bare ? run_bare(set, settings, out) : run_service(set, settings, out);
    cli_progress_end();
    return status;
}
