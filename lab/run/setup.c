/* SPDX-License-Identifier: MIT */
/* Sets up a run: a copy of the map and the service in counted memory, the figures, what the driver needs. */
#include <stdlib.h>
#include <string.h>

#include <wend/acceleration.h>
#include <wend/record.h>
#include <wend/graph.h>
#include <wend/host.h>
#include <wend/search.h>

#include "base/hash.h"
#include "run/lab.h"
#include "shared/array.h"
#include "shared/messages.h"

enum { RECORDS_MAX = 1 << 27, PATH_CELLS_MAX = 1 << 20, PREFAULT_BYTES = 1 << 28 };

/* ---- counted memory ---- */

static void *counted_alloc(void *context, size_t bytes, size_t alignment) {
    lab_memory *memory = context;
    wend_allocator plain = wend_allocator_default();
    void *block = plain.alloc(plain.context, bytes, alignment);
    memory->allocations++;
    if (!block) return NULL;
    memory->bytes += bytes;
    return block;
}

static void counted_free(void *context, void *pointer, size_t bytes) {
    lab_memory *memory = context;
    wend_allocator plain = wend_allocator_default();
    if (pointer) memory->bytes -= bytes;
    plain.free(plain.context, pointer, bytes);
}

wend_allocator lab_counted(lab_memory *memory) {
    return (wend_allocator){.context = memory, .alloc = counted_alloc, .free = counted_free};
}

/* ---- the map ---- */

/* The nodes and edges of a graph. */
static wend_error copy_nodes(const wend_map *from, const wend_map_info *info, wend_graph_def *def) {
    const size_t nodes = (size_t)info->width;
    uint8_t *present = calloc(nodes, 1);
    wend_cell *coordinates = calloc(nodes, sizeof *coordinates);
    wend_edge *edges = malloc(((size_t)info->edges + 1) * sizeof *edges);
    def->present = present, def->coordinates = coordinates, def->edges = edges;
    if (!present || !coordinates || !edges) return WEND_OUT_OF_MEMORY;
    for (uint32_t node = 0; node < nodes; node++) {
        size_t count = 0;
        const size_t room = (size_t)(info->edges - def->edge_count);
        present[node] = wend_map_get_edges(from, node, edges + def->edge_count, room, &count) == WEND_OK;
        def->edge_count += count;
        if (present[node]) wend_map_get_coordinates(from, node, &coordinates[node]);
    }
    if (!info->has_coordinates) def->coordinates = NULL, free(coordinates);
    return WEND_OK;
}

static wend_error create_graph(const wend_map *from, const wend_map_info *info, const wend_map_def *like,
                               wend_map **out) {
    wend_graph_def def;
    wend_graph_def_init(&def, sizeof def);
    def.node_count = (uint32_t)info->width;
    def.max_versions = like->max_versions;
    def.allocator = like->allocator;
    memcpy(def.factors, like->rules->factors, sizeof def.factors);
    wend_error error = copy_nodes(from, info, &def);
    if (error == WEND_OK) error = wend_graph_create(&def, out);
    free((void *)(uintptr_t)def.present);
    free((void *)(uintptr_t)def.coordinates);
    free((void *)(uintptr_t)def.edges);
    return error;
}

static wend_error copy_terrain(const wend_map *from, const wend_map_info *info, wend_edit *edit) {
    enum { ROWS = 64 };
    const int32_t rows = info->height < ROWS ? info->height : ROWS;
    uint8_t *classes = malloc((size_t)info->width * (size_t)rows);
    wend_error error = classes ? WEND_OK : WEND_OUT_OF_MEMORY;
    for (int32_t z = 0; z < info->depth; z++)
        for (int32_t y = 0; y < info->height && error == WEND_OK; y += ROWS) {
            const int32_t last = info->height - y < ROWS ? info->height - 1 : y + ROWS - 1;
            const wend_box box = {{0, y, z}, {info->width - 1, last, z}};
            error = wend_map_get_terrain_box(from, box, classes, (size_t)info->width);
            if (error == WEND_OK) error = wend_edit_set_box(edit, box, classes, (size_t)info->width);
        }
    free(classes);
    return error;
}

/* An edit keeps its first error, and publishing returns it. */
static wend_error copy_links_and_steps(const wend_map *from, const wend_map_info *info, wend_edit *edit) {
    size_t links = (size_t)info->links, steps = (size_t)info->closed_steps;
    wend_link *link = malloc((links + 1) * sizeof *link);
    wend_step *step = malloc((steps + 1) * sizeof *step);
    const bool good = link && step;
    if (good) wend_map_get_links(from, link, links, &links);
    if (good) wend_map_get_closed_steps(from, step, steps, &steps);
    for (size_t i = 0; good && i < links; i++) /* the copy has the default mover alone */
        if (link[i].movers == 0 || link[i].movers & 1)
            wend_edit_add_link(edit, &(wend_link){link[i].from, link[i].to, link[i].cost, 0});
    for (size_t i = 0; good && i < steps; i++) wend_edit_set_step(edit, step[i].from, step[i].to, false);
    free(link);
    free(step);
    return good ? WEND_OK : WEND_OUT_OF_MEMORY;
}

/* Makes a second map like the first, with all its allocations counted. */
static wend_error copy_map(const wend_map *from, const wend_map_rules *rules, uint32_t versions, lab_memory *memory,
                           wend_map **out) {
    wend_map_info info = {.struct_bytes = sizeof info};
    wend_map_get_info(from, &info);
    wend_map_def def;
    wend_map_def_init(&def, sizeof def);
    def.kind = info.kind;
    def.width = info.width;
    def.height = info.height;
    def.depth = info.depth;
    def.rules = rules;
    def.max_versions = (int32_t)versions;
    def.allocator = lab_counted(memory);
    wend_sheet *sheets = malloc((info.sheets + 1) * sizeof *sheets);
    if (!sheets) return WEND_OUT_OF_MEMORY;
    wend_map_get_sheets(from, sheets, info.sheets, NULL);
    def.sheets = sheets;
    def.sheet_count = info.sheets;
    wend_map *map = NULL;
    wend_edit *edit = NULL;
    wend_error error =
        info.kind == WEND_KIND_GRAPH ? create_graph(from, &info, &def, &map) : wend_map_create(&def, &map);
    free(sheets);
    if (error == WEND_OK) error = wend_edit_begin(map, &edit);
    if (error == WEND_OK) error = copy_terrain(from, &info, edit);
    if (error == WEND_OK) error = copy_links_and_steps(from, &info, edit);
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
   tables and stops if it has them, and landmarks while they are made. What links, closed steps, voxels and edges take
   is not computed: the map as it is, and for each chunk what a full one takes. */
static uint64_t version_bytes(const terrain_copy *land, const wend_map_info *info, uint64_t landmarks) {
    const uint64_t chunk_bytes = UINT64_C(64) << 10;
    const bool jumps = info->jumps != 0;
    if (land->kind != WEND_KIND_GRID || land->one_way)
        return 2 * info->bytes + terrain_chunks(land) * (jumps ? 3 : 1) * chunk_bytes;
    uint64_t columns = ((uint64_t)land->width + 63) / 64, rows = ((uint64_t)land->height + 63) / 64;
    uint64_t blocks = ((columns + 15) / 16) * ((rows + 15) / 16);
    uint64_t bytes = 4096 + columns * rows * (2 * 4096 + 64) + blocks * 16384 + label_bytes(land, columns * rows);
    if (landmarks > 0) bytes += columns * rows * 4096 * (4 * landmarks + 22);
    return jumps ? bytes + jump_bytes(columns, rows) + stop_bytes(columns * rows, blocks) : bytes;
}

static uint32_t default_versions(void) {
    wend_map_def def;
    wend_map_def_init(&def, sizeof def);
    return (uint32_t)def.max_versions;
}

/* Jump tables of maps of up to this many cells, unless A* is wanted; and landmarks, where there is memory for them. */
static bool accelerate(lab_run *run) {
    enum { AUTO_CELLS = 1 << 24 };
    const int32_t engine = run->settings->engine;
    const wend_map_rules *rules = &run->settings->rules;
    const bool right = rules->neighbours == 4 || (rules->neighbours != 6 && rules->corners == WEND_CORNERS_NEVER);
    const bool serves = run->land.kind == WEND_KIND_GRID && right;
    if (!serves || engine == WEND_ENGINE_ASTAR || (engine == WEND_ENGINE_AUTO && run->land.cells > AUTO_CELLS))
        return true;
    wend_acceleration def;
    wend_acceleration_init(&def, sizeof def);
    def.far = 0;
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

/* A frame prunes up to 4 chunks, about 0.1 ms each; or it repairs this many cells of each incomplete landmark. */
bool lab_upkeep(lab_run *run) {
    const wend_error error = wend_map_maintain(run->map, WEND_MAINTAIN_ALL, 4 * WEND_PRUNE_EFFORT, NULL);
    return error == WEND_OK || lab_fail("jump tables and landmarks: %s", wend_error_detail(error));
}

static bool open_map(lab_run *run, const wend_map *map) {
    const lab_settings *settings = run->settings;
    wend_map_info info = {.struct_bytes = sizeof info};
    wend_map_get_info(map, &info);
    if (info.wrap) return lab_fail_at(settings->map_name, "the map wraps, which the checker does not know");
    run->versions = settings->scenario->versions > 0 ? settings->scenario->versions : default_versions();
    wend_error error = copy_map(map, &settings->rules, run->versions, &run->map_memory, &run->map);
    if (error == WEND_OK) error = terrain_read(run->map, &run->land);
    if (error != WEND_OK) return lab_fail_at(settings->map_name, "%s", wend_error_detail(error));
    if (!accelerate(run)) return false;
    wend_map_get_info(run->map, &info);
    run->version_bytes = version_bytes(&run->land, &info, settings->landmarks);
    if (run->land.open == 0) return lab_fail_at(settings->map_name, "no cell is open: there is no place for an agent");
    if (settings->unreachable > 0 && !agents_unreachable_exists(&run->land))
        return lab_fail_at(settings->map_name, "--unreachable: every cell can be reached from every other");
    return true;
}

/* ---- the service ---- */

/* The pool holds one and a quarter complete searches of the map for each lane, and for at least two lanes; a tight pool
   holds one complete search and a page for each lane. */
static uint64_t pool_nodes(lab_run *run, uint64_t complete) {
    uint64_t lanes = run->tuning.lanes, page = WEND_PAGE_NODES;
    uint64_t nodes = (lanes < 2 ? 2 : lanes) * (complete + complete / 4 + 4 * page);
    if (run->settings->scenario->tight) nodes = complete + lanes * page;
    if (!run->settings->scenario->tight && nodes < run->def.nodes) nodes = run->def.nodes;
    if (nodes > RECORDS_MAX) nodes = RECORDS_MAX;
    run->nodes_suffice = nodes >= 2 * complete + 8 * page;
    return nodes;
}

static bool open_service(lab_run *run) {
    const lab_settings *settings = run->settings;
    const uint64_t chunks = terrain_chunks(&run->land);
    const uint64_t queue = run->driver->queue(settings);
    wend_service_def_init(&run->def, sizeof run->def);
    wend_service_tuning_init(&run->tuning, sizeof run->tuning);
    run->def.tuning = &run->tuning;
    run->def.queue = queue > 0 ? (uint32_t)queue : 1;
    if (settings->lanes > 0) run->tuning.lanes = (uint32_t)settings->lanes;
    if (settings->scenario->load == LOAD_HORDE) run->def.share = 1;
    if (run->def.share && run->tuning.share_cells < chunks * WEND_PAGE_NODES)
        run->tuning.share_cells = chunks * WEND_PAGE_NODES;
    if (settings->slice > 0) run->tuning.slice = settings->slice;
    run->def.workers = (uint32_t)settings->workers;
    if (run->tuning.searches < run->tuning.lanes) run->tuning.searches = run->tuning.lanes;
    run->def.nodes = pool_nodes(run, chunks * WEND_PAGE_NODES);
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
                     .driver = settings->walk ? &lab_crowd : &lab_requests,
                     .promises.keeper = settings->walk ? PROMISE_WALK : PROMISE_CHECKER,
                     .hash = WEND__HASH_START};
    if (!open_map(run, map) || !open_service(run) || !open_figures(run) || !open_tracks(run)) return false;
    lab_log_heads(run);
    if (!begin_recording(run) || !run->driver->open(run)) return false;
    run->allocations_before = lab_allocations(run);
    return true;
}

void lab_close(lab_run *run) {
    series *const all[] = {&run->frame_ns,
                           &run->frame_cpu_ns,
                           &run->tick_ns,
                           &run->tick_cpu_ns,
                           &run->step_ns,
                           &run->step_cpu_ns,
                           &run->edit_ns,
                           &run->frame_expansions,
                           &run->wait,
                           &run->latency,
                           &run->urgent_wait,
                           &run->urgent_latency,
                           &run->times,
                           &run->ways,
                           &run->stuck,
                           &run->found_cells,
                           &run->found_expansions,
                           &run->frame_answers};
    wend_crowd_destroy(run->crowd);
    wend_service_destroy(run->service); /* completes what is pending: the driver's memory outlives it */
    run->driver->close(run);
    wend_figures_destroy(run->figures);
    wend_map_release(run->map);
    terrain_free(&run->land);
    for (size_t i = 0; i < run->track_count && run->tracks; i++) free(run->tracks[i].cells);
    free(run->tracks);
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) series_free(all[i]);
}
