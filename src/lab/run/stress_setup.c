/* SPDX-License-Identifier: MIT */
/* Sets up a stress run: the map in counted memory, the agents, the service, the checker. */
#include <stdlib.h>

#include "lab/shared/hash.h"
#include "cli/script/world.h"
#include "cli/shared/draw.h"
#include "cli/shared/engine.h"
#include "cli/shared/messages.h"
#include "cli/shared/rules.h"
#include "lab/run/stress.h"

enum { SAMPLE_WORK = 6000000, FLOOD_WORK = 1000000000, RECORDS_MAX = 1 << 27, PATH_CELLS_MAX = 1 << 20 };

/* ---- counted memory ---- */

static void *counted_alloc(void *context, size_t bytes, size_t alignment) {
    stress_memory *memory = context;
    wend_allocator plain = wend_allocator_default();
    void *block = plain.alloc(plain.context, bytes, alignment);
    memory->allocations++;
    if (block == NULL) return NULL;
    memory->bytes += bytes;
    if (memory->bytes > memory->bytes_peak) memory->bytes_peak = memory->bytes;
    return block;
}

static void counted_free(void *context, void *pointer, size_t bytes) {
    stress_memory *memory = context;
    wend_allocator plain = wend_allocator_default();
    if (pointer != NULL) memory->bytes -= bytes;
    plain.free(plain.context, pointer, bytes);
}

wend_allocator stress_counted(stress_memory *memory) {
    return (wend_allocator){.context = memory, .alloc = counted_alloc, .free = counted_free};
}

/* ---- the map ---- */

/* A second map of the same terrain, whose every allocation is counted. */
static wend_error copy_map(const wend_map *from, const wend_map_rules *rules, uint32_t versions, stress_memory *memory,
                           wend_map **out) {
    wend_map_info info = {.struct_bytes = sizeof info};
    wend_map_get_info(from, &info);
    wend_map_def def;
    wend_map_def_init(&def, sizeof def);
    def.width = info.width;
    def.height = info.height;
    def.rules = rules;
    def.max_versions = (int32_t)versions;
    def.allocator = stress_counted(memory);
    enum { ROWS = 64 };
    wend_map *map = NULL;
    wend_edit *edit = NULL;
    uint8_t *rows = malloc((size_t)info.width * ROWS);
    wend_error error = rows != NULL ? wend_map_create(&def, &map) : WEND_OUT_OF_MEMORY;
    if (error == WEND_OK) error = wend_edit_begin(map, &edit);
    for (int32_t y = 0; y < info.height && error == WEND_OK; y += ROWS) {
        int32_t last = info.height - y < ROWS ? info.height - 1 : y + ROWS - 1;
        wend_box box = {{0, y, 0}, {info.width - 1, last, 0}};
        error = wend_map_get_terrain_box(from, box, rows, (size_t)info.width);
        if (error == WEND_OK) error = wend_edit_set_box(edit, box, rows, (size_t)info.width);
    }
    free(rows);
    if (error == WEND_OK)
        error = wend_edit_publish(edit, NULL);
    else
        wend_edit_discard(edit);
    if (error == WEND_OK)
        *out = map;
    else
        wend_map_release(map);
    return error;
}

/* Bytes of component labels: 4,096 a chunk, and on each level of areas 512 an area and 12 a cell of its border. */
static uint64_t label_bytes(const terrain_copy *land, uint64_t chunks) {
    uint64_t bytes = chunks * 4096, width = (uint64_t)land->width, height = (uint64_t)land->height, columns, rows;
    for (uint64_t side = 64;; side *= 2) {
        columns = (width + side - 1) / side, rows = (height + side - 1) / side;
        bytes += columns * rows * 512 + 6 * 2 * (columns * height + rows * width);
        if (columns == 1 && rows == 1) return bytes;
    }
}

/* Bytes of jump tables: a part for each chunk, and one for each row and each column of 16 chunks. */
static uint64_t jump_bytes(uint64_t columns, uint64_t rows) {
    uint64_t lines = columns * ((rows + 15) / 16) + rows * ((columns + 15) / 16);
    return columns * rows * 34560 + lines * 5632;
}

/* Bytes of stops, where every cell may be one: nine a cell, and the marks of each chunk and block. */
static uint64_t stop_bytes(uint64_t chunks, uint64_t blocks) {
    return chunks * (9 * 4096 + 8192) + blocks * 32768;
}

/* Most bytes of a version: two for each cell in whole chunks of 64 x 64, a part for every 256 chunks, labels, jump
   tables and stops if it has them, and landmarks while they are made. */
static uint64_t version_bytes(const terrain_copy *land, bool jumps, uint64_t landmarks) {
    uint64_t columns = ((uint64_t)land->width + 63) / 64, rows = ((uint64_t)land->height + 63) / 64;
    uint64_t blocks = ((columns + 15) / 16) * ((rows + 15) / 16);
    uint64_t bytes = 4096 + columns * rows * (2 * 4096 + 64) + blocks * 16384 + label_bytes(land, columns * rows);
    if (landmarks > 0) bytes += columns * rows * 4096 * (4 * landmarks + 22);
    return jumps ? bytes + jump_bytes(columns, rows) + stop_bytes(columns * rows, blocks) : bytes;
}

/* The agents and the checker only know flat grids without links and closed steps. */
static int refuse_world(const char *name, const wend_map_info *info) {
    const char *what = info->kind != WEND_KIND_GRID
                           ? (info->kind == WEND_KIND_GRAPH ? "this is a graph" : "this is in space")
                       : info->links > 0        ? "this has links"
                       : info->closed_steps > 0 ? "this has closed steps"
                                                : NULL;
    if (what == NULL) return -1;
    return cli_fail_at(name, 0, 0, "stress is for flat grids without links and closed steps; %s", what);
}

static uint32_t default_versions(void) {
    wend_map_def def;
    wend_map_def_init(&def, sizeof def);
    return (uint32_t)def.max_versions;
}

static int open_map(stress_run *run) {
    const stress_settings *settings = run->settings;
    run->versions = settings->scenario->versions;
    if (run->versions == 0) run->versions = default_versions();
    cli_world world = {0};
    int status = cli_world_load(settings->map_name, &world);
    if (status != -1) return status;
    wend_map_info info = {.struct_bytes = sizeof info};
    wend_map_get_info(world.map, &info);
    status = refuse_world(settings->map_name, &info);
    wend_map_rules rules = cli_map_rules(world.map);
    if (status == -1) status = cli_rules_apply(&settings->rules, info.kind, &rules);
    wend_error error = WEND_OK;
    if (status == -1) error = copy_map(world.map, &rules, run->versions, &run->map_memory, &run->map);
    cli_world_free(&world);
    if (status != -1) return status;
    if (error == WEND_OK) error = terrain_read(run->map, &run->land);
    if (error != WEND_OK) return cli_fail_file(settings->map_name, error, NULL);
    status = cli_engine_prepare(run->map, settings->rules.engine, settings->landmarks);
    if (status != -1) return status;
    wend_map_get_info(run->map, &info);
    run->version_bytes = version_bytes(&run->land, info.jumps != 0, settings->landmarks);
    if (run->land.open == 0)
        return cli_fail_at(settings->map_name, 0, 0, "no cell is open: there is no place for an agent");
    if (settings->unreachable > 0 && !agents_unreachable_exists(&run->land))
        return cli_fail_at(settings->map_name, 0, 0, "--unreachable: every cell can be reached from every other");
    return -1;
}

/* ---- the service ---- */

/* In scenario `clicks` an agent is a player with two hands. */
static uint64_t players(const stress_settings *settings) {
    return settings->agents * (settings->scenario->click_frames > 0 ? 2 : 1);
}

/* The pool holds one and a quarter complete searches of the map for each lane, and for at least two lanes; a tight pool
   holds one complete search and a page for each lane. */
static uint64_t pool_nodes(const stress_run *run, uint64_t complete, bool *suffices) {
    uint64_t lanes = run->def.lanes, page = WEND_PAGE_NODES;
    uint64_t nodes = (lanes < 2 ? 2 : lanes) * (complete + complete / 4 + 4 * page);
    if (run->settings->scenario->tight) nodes = complete + lanes * page;
    if (!run->settings->scenario->tight && nodes < run->def.nodes) nodes = run->def.nodes;
    if (nodes > RECORDS_MAX) nodes = RECORDS_MAX;
    *suffices = nodes >= 2 * complete + 8 * page;
    return nodes;
}

static int open_service(stress_run *run, bool *nodes_suffice) {
    const stress_settings *settings = run->settings;
    uint64_t columns = ((uint64_t)run->land.width + 63) / 64, rows = ((uint64_t)run->land.height + 63) / 64;
    uint64_t queue = players(settings) / settings->scenario->queue_part;
    wend_service_def_init(&run->def, sizeof run->def);
    wend_tuning_init(&run->tuning, sizeof run->tuning);
    run->def.tuning = &run->tuning;
    run->def.queue = queue > 0 ? (uint32_t)queue : 1;
    if (settings->lanes > 0) run->def.lanes = (uint32_t)settings->lanes;
    if (settings->scenario->load == LOAD_HORDE) run->def.share = 1;
    if (run->def.share && run->tuning.share_cells < columns * rows * 4096)
        run->tuning.share_cells = columns * rows * 4096;
    if (settings->slice > 0) run->tuning.slice = settings->slice;
    run->def.workers = (uint32_t)settings->workers;
    if (run->def.searches < run->def.lanes) run->def.searches = run->def.lanes;
    run->def.nodes = pool_nodes(run, columns * rows * WEND_PAGE_NODES, nodes_suffice);
    uint64_t longest = settings->edits_each > 0 ? run->land.cells : run->land.open;
    run->def.max_path_cells = longest < PATH_CELLS_MAX ? longest : PATH_CELLS_MAX;
    run->tuning.rush = settings->scenario->rush;
    if (settings->scenario->restarts > 0) run->tuning.restarts = settings->scenario->restarts;
    run->def.path_bytes += 2 * run->def.max_path_cells;
    run->tuning.prefault = cli_prefault(&run->def);
    run->def.allocator = stress_counted(&run->service_memory);
    wend_budget_init(&run->budget, sizeof run->budget);
    if (settings->budget > 0) run->budget.expansions = settings->budget;
    if (settings->budget_us > 0) run->budget.us = settings->budget_us;
    wend_error error = wend_service_create(&run->def, &run->service);
    if (error != WEND_OK)
        return cli_fail("a service for %u requests (%zu bytes): %s", (unsigned)run->def.queue,
                        wend_service_bytes(&run->def), wend_error_detail(error));
    return -1;
}

/* ---- all of it ---- */

static bool open_load(stress_run *run) {
    const load_def def = {.watch = run->watch,
                          .land = &run->land,
                          .load = run->settings->scenario->load,
                          .edits = run->settings->edits_each > 0,
                          .agents = (uint32_t)players(run->settings),
                          .service = &run->def,
                          .budget = run->budget,
                          .shared_goal = agents_shared_goal(run->all)};
    run->load = load_create(&def);
    return run->load != NULL;
}

/* Room for the paths that a picture shows. */
enum { REPORT_TRACKS = 300 };

bool stress_tracks_open(stress_run *run) {
    const stress_settings *settings = run->settings;
    if (settings->draw == CLI_DRAW_NONE && settings->report_name == NULL) return true;
    const uint64_t most = settings->draw != CLI_DRAW_NONE ? STRESS_TRACKS_MAX : REPORT_TRACKS;
    run->track_count = settings->agents < most ? settings->agents : most;
    run->tracks = calloc(run->track_count, sizeof *run->tracks);
    return run->tracks != NULL;
}

bool stress_figures_open(stress_run *run) {
    wend_figures_def def;
    wend_figures_def_init(&def, sizeof def);
    def.frames = STRESS_FRAMES_MAX;
    if (run->settings->trace_name != NULL) def.slices = def.completions = TRACE_RECORDS;
    if (wend_figures_create(&def, &run->figures) != WEND_OK) return false;
    return wend_service_set_figures(run->service, run->figures) == WEND_OK;
}

static int open_watch(stress_run *run, bool nodes_suffice) {
    const stress_settings *settings = run->settings;
    wend_map_info info = {.struct_bytes = sizeof info};
    wend_map_get_info(run->map, &info);
    agents_def crowd = {.land = &run->land,
                        .scenario = settings->scenario,
                        .count = (uint32_t)players(settings),
                        .unreachable_percent = (uint32_t)settings->unreachable,
                        .same_goal_percent = (uint32_t)settings->same_goal,
                        .seed = settings->seed,
                        .frames = settings->frames,
                        .track_cells = settings->edits_each > 0};
    checker_def watch = {.land = &run->land,
                         .edits = settings->edits_each > 0,
                         .agents = crowd.count,
                         .queue = run->def.queue,
                         .lanes = run->def.lanes,
                         .slice = run->tuning.slice,
                         .budget = run->budget.expansions,
                         .max_path_cells = run->def.max_path_cells,
                         .nodes_suffice = nodes_suffice,
                         .restarts = run->tuning.restarts,
                         .sample_work = SAMPLE_WORK,
                         .flood_work = FLOOD_WORK,
                         .map_bytes = info.bytes,
                         .version_bytes = run->version_bytes,
                         .versions = run->versions,
                         .drafts = info.jumps != 0 ? 2 : 1};
    run->all = agents_create(&crowd);
    run->watch = checker_create(&watch);
    bool ok = run->all != NULL && run->watch != NULL && open_load(run);
    if (ok && settings->edits_each > 0) {
        editor_def edits = {.land = &run->land,
                            .all = run->all,
                            .each_frame = settings->edits_each,
                            .walls = settings->scenario->walls,
                            .beat = settings->scenario->edit_beat,
                            .seed = settings->seed};
        run->hand = editor_create(&edits);
        ok = run->hand != NULL;
    }
    ok = ok && stress_tracks_open(run) && stress_figures_open(run);
    return ok ? -1 : cli_fail("out of memory for %u agents", (unsigned)crowd.count);
}

static int open_world(stress_run *run, const stress_settings *settings, bool *nodes_suffice) {
    *run = (stress_run){.settings = settings, .hash = HASH64_START};
    const int status = open_map(run);
    return status == -1 ? open_service(run, nodes_suffice) : status;
}

int stress_open_world(stress_run *run, const stress_settings *settings) {
    bool nodes_suffice = false;
    return open_world(run, settings, &nodes_suffice);
}

int stress_open(stress_run *run, const stress_settings *settings) {
    bool nodes_suffice = false;
    int status = open_world(run, settings, &nodes_suffice);
    if (status == -1) status = open_watch(run, nodes_suffice);
    if (status == -1) status = stress_log_open(run);
    if (status == -1) status = cli_record_open(&run->record, settings->record_name, run->service, run->map);
    run->allocations_before = run->service_memory.allocations + run->map_memory.allocations;
    return status;
}

void stress_close(stress_run *run) {
    stress_take_into(NULL);
    cli_record_close(&run->record);
    wend_service_destroy(run->service);
    wend_figures_destroy(run->figures);
    wend_map_release(run->map);
    load_free(run->load);
    checker_free(run->watch);
    editor_free(run->hand);
    agents_free(run->all);
    terrain_free(&run->land);
    stress_inbox_free(&run->inbox);
    for (size_t i = 0; i < run->track_count && run->tracks != NULL; i++) free(run->tracks[i].cells);
    free(run->tracks);
    if (run->report != NULL) fclose(run->report);
    tally_free(&run->wait);
    tally_free(&run->latency);
    tally_free(&run->urgent_wait);
    tally_free(&run->urgent_latency);
    series_free(&run->frame_ns);
    series_free(&run->tick_ns);
    series_free(&run->frame_cpu_ns);
    series_free(&run->cpu_ns);
    series_free(&run->edit_ns);
    series_free(&run->found_cells);
    series_free(&run->found_expansions);
    series_free(&run->frame_expansions);
    series_free(&run->frame_answers);
}
