/* SPDX-License-Identifier: MIT */
/* Sets up a run: a copy of the map and the service in counted memory, the figures, what the driver needs. */
#include <stdlib.h>
#include <string.h>

#include <wend/acceleration.h>
#include <wend/record.h>

#include "base/hash.h"
#include "lab/run/lab.h"
#include "lab/shared/array.h"
#include "lab/shared/host.h"

enum { RECORDS_MAX = 1 << 27, PATH_CELLS_MAX = 1 << 20, PREFAULT_BYTES = 1 << 28 };

/* ---- counted memory ---- */

static void *counted_alloc(void *context, size_t bytes, size_t alignment) {
    lab_memory *memory = context;
    wend_allocator plain = wend_allocator_default();
    void *block = plain.alloc(plain.context, bytes, alignment);
    memory->allocations++;
    if (block == NULL) return NULL;
    memory->bytes += bytes;
    return block;
}

static void counted_free(void *context, void *pointer, size_t bytes) {
    lab_memory *memory = context;
    wend_allocator plain = wend_allocator_default();
    if (pointer != NULL) memory->bytes -= bytes;
    plain.free(plain.context, pointer, bytes);
}

wend_allocator lab_counted(lab_memory *memory) {
    return (wend_allocator){.context = memory, .alloc = counted_alloc, .free = counted_free};
}

/* ---- the map ---- */

/* A second map of the same terrain, whose every allocation is counted. */
static wend_error copy_map(const wend_map *from, const wend_map_rules *rules, uint32_t versions, lab_memory *memory,
                           wend_map **out) {
    wend_map_info info = {.struct_bytes = sizeof info};
    wend_map_get_info(from, &info);
    wend_map_def def;
    wend_map_def_init(&def, sizeof def);
    def.width = info.width;
    def.height = info.height;
    def.rules = rules;
    def.max_versions = (int32_t)versions;
    def.allocator = lab_counted(memory);
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
static bool check_world(const char *name, const wend_map_info *info) {
    const char *what = info->kind == WEND_KIND_GRAPH   ? "this is a graph"
                       : info->kind == WEND_KIND_VOXEL ? "this is in space"
                       : info->links > 0               ? "this has links"
                       : info->closed_steps > 0        ? "this has closed steps"
                                                       : NULL;
    return !what || lab_fail_at(name, "stress is for flat grids without links and closed steps; %s", what);
}

static uint32_t default_versions(void) {
    wend_map_def def;
    wend_map_def_init(&def, sizeof def);
    return (uint32_t)def.max_versions;
}

/* Jump tables of maps of up to so many cells, unless A* is asked for; and landmarks, where there is memory for them. */
static bool accelerate(lab_run *run) {
    enum { AUTO_CELLS = 1 << 24 };
    const int32_t engine = run->settings->engine;
    const wend_map_rules *rules = &run->settings->rules;
    const bool serves = rules->neighbours == 8 && rules->corners == WEND_CORNERS_NEVER;
    if (!serves || engine == WEND_ENGINE_ASTAR || (engine == WEND_ENGINE_AUTO && run->land.cells > AUTO_CELLS))
        return true;
    wend_acceleration def;
    wend_acceleration_init(&def, sizeof def);
    def.landmarks = (int32_t)run->settings->landmarks;
    wend_error error = wend_map_accelerate(run->map, &def);
    if (def.landmarks > 0 && (error == WEND_UNSUPPORTED || error == WEND_OUT_OF_MEMORY)) {
        def.landmarks = 0;
        error = wend_map_accelerate(run->map, &def);
    }
    const bool without = error == WEND_OUT_OF_MEMORY && engine == WEND_ENGINE_AUTO; /* A* answers */
    return error == WEND_OK || error == WEND_UNSUPPORTED || without ||
           lab_fail("jump tables: %s", wend_error_detail(error));
}

/* A frame prunes up to 4 chunks, about 0.1 ms each; or it repairs so many cells of each incomplete landmark. */
bool lab_upkeep(lab_run *run) {
    const wend_error error = wend_map_maintain(run->map, 4 * WEND_PRUNE_EFFORT, NULL);
    return error == WEND_OK || lab_fail("jump tables and landmarks: %s", wend_error_detail(error));
}

static bool open_map(lab_run *run, const wend_map *map) {
    const lab_settings *settings = run->settings;
    wend_map_info info = {.struct_bytes = sizeof info};
    wend_map_get_info(map, &info);
    if (!check_world(settings->map_name, &info)) return false;
    run->versions = settings->scenario->versions > 0 ? settings->scenario->versions : default_versions();
    wend_error error = copy_map(map, &settings->rules, run->versions, &run->map_memory, &run->map);
    if (error == WEND_OK) error = terrain_read(run->map, &run->land);
    if (error != WEND_OK) return lab_fail_at(settings->map_name, "%s", wend_error_detail(error));
    if (!accelerate(run)) return false;
    wend_map_get_info(run->map, &info);
    run->version_bytes = version_bytes(&run->land, info.jumps != 0, settings->landmarks);
    if (run->land.open == 0) return lab_fail_at(settings->map_name, "no cell is open: there is no place for an agent");
    if (settings->unreachable > 0 && !agents_unreachable_exists(&run->land))
        return lab_fail_at(settings->map_name, "--unreachable: every cell can be reached from every other");
    return true;
}

/* ---- the service ---- */

/* The pool holds one and a quarter complete searches of the map for each lane, and for at least two lanes; a tight pool
   holds one complete search and a page for each lane. */
static uint64_t pool_nodes(lab_run *run, uint64_t complete) {
    uint64_t lanes = run->def.lanes, page = WEND_PAGE_NODES;
    uint64_t nodes = (lanes < 2 ? 2 : lanes) * (complete + complete / 4 + 4 * page);
    if (run->settings->scenario->tight) nodes = complete + lanes * page;
    if (!run->settings->scenario->tight && nodes < run->def.nodes) nodes = run->def.nodes;
    if (nodes > RECORDS_MAX) nodes = RECORDS_MAX;
    run->nodes_suffice = nodes >= 2 * complete + 8 * page;
    return nodes;
}

static bool open_service(lab_run *run) {
    const lab_settings *settings = run->settings;
    uint64_t columns = ((uint64_t)run->land.width + 63) / 64, rows = ((uint64_t)run->land.height + 63) / 64;
    const uint64_t queue = run->driver->queue(settings);
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
    run->def.nodes = pool_nodes(run, columns * rows * WEND_PAGE_NODES);
    uint64_t longest = settings->edits > 0 ? run->land.cells : run->land.open;
    run->def.max_path_cells = longest < PATH_CELLS_MAX ? longest : PATH_CELLS_MAX;
    run->tuning.rush = settings->scenario->rush;
    if (settings->scenario->restarts > 0) run->tuning.restarts = settings->scenario->restarts;
    run->def.path_bytes += 2 * run->def.max_path_cells;
    run->tuning.prefault = wend_service_bytes(&run->def) <= PREFAULT_BYTES;
    run->def.allocator = lab_counted(&run->service_memory);
    wend_budget_init(&run->budget, sizeof run->budget);
    if (settings->budget > 0) run->budget.expansions = settings->budget;
    if (settings->budget_us > 0) run->budget.us = settings->budget_us;
    wend_error error = wend_service_create(&run->def, &run->service);
    return error == WEND_OK || lab_fail("a service for %u requests (%zu bytes): %s", (unsigned)run->def.queue,
                                        wend_service_bytes(&run->def), wend_error_detail(error));
}

/* The service notes its frames, and for --trace its slices and completions. */
static bool open_figures(lab_run *run) {
    wend_figures_def def;
    wend_figures_def_init(&def, sizeof def);
    def.frames = LAB_FRAMES_MAX;
    if (run->settings->trace) def.slices = def.completions = TRACE_RECORDS;
    const bool good = wend_figures_create(&def, &run->figures) == WEND_OK &&
                      wend_service_set_figures(run->service, run->figures) == WEND_OK;
    return good || lab_fail("out of memory for figures");
}

/* ---- tracks ---- */

static bool open_tracks(lab_run *run) {
    const size_t most = run->settings->tracks;
    run->track_count = run->settings->agents < most ? (size_t)run->settings->agents : most;
    run->tracks = calloc(run->track_count + 1, sizeof *run->tracks);
    return run->tracks || lab_fail("out of memory for the tracks");
}

bool lab_track_add(lab_run *run, uint32_t agent, const wend_cell *cells, size_t count, bool restart) {
    if (agent >= run->track_count) return true;
    lab_track *track = &run->tracks[agent];
    if (restart) track->count = 0;
    if (!ARRAY_ROOM(track->cells, track->capacity, track->count + count)) return false;
    memcpy(track->cells + track->count, cells, count * sizeof *cells);
    track->count += count;
    return true;
}

/* ---- all of it ---- */

/* The script of one map suffices; file 0 would run the scripts of all. */
static wend_error write_script(void *file, uint32_t number, const void *bytes, size_t size) {
    return number == 0 || fwrite(bytes, 1, size, file) == size ? WEND_OK : WEND_IO;
}

static bool begin_recording(lab_run *run) {
    if (!run->settings->record) return true;
    wend_error error = wend_service_record(run->service, write_script, run->settings->record);
    if (error == WEND_OK) error = wend_service_record_map(run->service, run->map);
    return error == WEND_OK || lab_fail("no recording: %s", wend_error_detail(error));
}

uint64_t lab_allocations(const lab_run *run) {
    return run->service_memory.allocations + run->map_memory.allocations + run->crowd_memory.allocations -
           run->allocations_before - run->allocations_edits;
}

bool lab_open(lab_run *run, const lab_settings *settings, const wend_map *map) {
    *run = (lab_run){.settings = settings,
                     .driver = settings->walk ? &lab_walkers : &lab_requests,
                     .promises.keeper = settings->walk ? PROMISE_WALK : PROMISE_CHECKER,
                     .hash = WEND__HASH_START};
    if (!open_map(run, map) || !open_service(run) || !open_figures(run) || !open_tracks(run)) return false;
    lab_log_heads(run);
    if (!begin_recording(run) || !run->driver->open(run)) return false;
    run->allocations_before = lab_allocations(run);
    return true;
}

void lab_close(lab_run *run) {
    series *const all[] = {&run->frame_ns,     &run->frame_cpu_ns,
                           &run->tick_ns,      &run->tick_cpu_ns,
                           &run->step_ns,      &run->step_cpu_ns,
                           &run->edit_ns,      &run->frame_expansions,
                           &run->wait,         &run->latency,
                           &run->urgent_wait,  &run->urgent_latency,
                           &run->times,        &run->ways,
                           &run->stuck,        &run->wishing,
                           &run->found_cells,  &run->found_expansions,
                           &run->frame_answers};
    run->driver->close(run);
    wend_service_destroy(run->service);
    wend_figures_destroy(run->figures);
    wend_map_release(run->map);
    terrain_free(&run->land);
    for (size_t i = 0; i < run->track_count && run->tracks; i++) free(run->tracks[i].cells);
    free(run->tracks);
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) series_free(all[i]);
}
