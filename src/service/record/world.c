/* SPDX-License-Identifier: MIT */
/* The head of a map's script: the limits of the service, and the map as it is, whole. */
#include "map/jumps/jumps.h"
#include "map/kinds/graph.h"
#include "map/landmarks/landmarks.h"
#include "map/links/links.h"
#include "map/stops/stop_prepare.h"
#include "map/stops/table_job.h"
#include "map/units/units.h"
#include "map/version/version.h"
#include "service/record/recorder.h"

enum { PART_CELLS = 4096, MOST_NODE = (1 << 27) - 1, LINE_BYTES = 256 };

/// The script that is being written.
typedef struct writer {
    wend__recorded_map *map;
    const wend__version *version;
    int32_t axes;
    uint64_t lines;
} writer;

static void put(writer *w, const char *text, size_t size) {
    wend__recorder *recorder = w->map->recorder;
    wend__mutex_lock(recorder->mutex);
    wend__stream_put(recorder, w->map->file, text, size);
    wend__mutex_unlock(recorder->mutex);
    w->lines++;
}

static void put_line(writer *w, char *text, wend__phrase *line) {
    *line->at++ = '\n';
    put(w, text, (size_t)(line->at - text));
}

static void put_number(writer *w, const char *key, uint64_t number) {
    char text[LINE_BYTES];
    wend__phrase line = {text};
    wend__phrase_option(&line, key, number);
    put_line(w, text, &line);
}

/* ---- kind, rules, movers ---- */

static void put_kind(writer *w) {
    const wend__version *v = w->version;
    char text[LINE_BYTES];
    wend__phrase line = {text};
    if (v->kind == WEND_KIND_GRAPH) {
        wend__phrase_text(&line, "graph");
    } else {
        wend__phrase_option(&line, v->kind == WEND_KIND_GRID ? "grid " : "voxels ", (uint64_t)v->width);
        wend__phrase_option(&line, " ", (uint64_t)v->height);
        if (v->kind == WEND_KIND_VOXEL) wend__phrase_option(&line, " ", (uint64_t)v->depth);
    }
    put_line(w, text, &line);
}

static void put_rules(writer *w) {
    static const char *const corners[] = {"corners never", "corners one", "corners always"};
    const wend_map_rules *rules = &w->version->rules;
    char text[LINE_BYTES];
    wend__phrase line = {text};
    if (w->version->kind == WEND_KIND_GRAPH) return;
    put_number(w, "neighbours ", (uint64_t)rules->neighbours);
    wend__phrase_text(&line, corners[rules->corners]);
    put_line(w, text, &line);
    line.at = text;
    wend__phrase_option(&line, "cost ", (uint64_t)rules->cost_straight);
    wend__phrase_option(&line, " ", (uint64_t)rules->cost_diagonal);
    wend__phrase_option(&line, " ", (uint64_t)rules->cost_space); /* fields have buckets as wide as it says */
    put_line(w, text, &line);
}

static wend_error put_movers(writer *w) {
    wend_map_rules usual;
    char text[WEND__MOVER_LINE_BYTES];
    wend_map_rules_init(&usual, sizeof usual);
    for (int32_t id = 0; id < wend__version_movers(w->version); id++) {
        wend_mover mover = {.struct_bytes = sizeof mover};
        wend_map_get_mover(w->map->map, id, &mover);
        const uint8_t *base = id == WEND_MOVER_DEFAULT ? usual.factors : w->version->rules.factors;
        const size_t size = wend__mover_line(text, &mover, id, base);
        if (size == 0) return wend__refuse(WEND_UNSUPPORTED, "a script cannot say the factors of mover %d", id);
        put(w, text, size);
    }
    return WEND_OK;
}

/* ---- limits ---- */

static void put_limits(writer *w) {
    const wend_service_def *def = &w->map->recorder->service->def;
    const wend_tuning *tuning = &w->map->recorder->service->tuning;
    put_number(w, "limit queue ", def->queue);
    put_number(w, "limit reserve ", def->reserve);
    put_number(w, "limit displace ", def->displace);
    put_number(w, "limit share ", def->share);
    put_number(w, "limit searches ", def->searches);
    put_number(w, "limit lanes ", def->lanes);
    put_number(w, "limit nodes ", def->nodes);
    put_number(w, "limit cells ", def->max_path_cells);
    put_number(w, "limit paths ", def->path_bytes);
    put_number(w, "limit list ", tuning->list);
    put_number(w, "limit fair ", tuning->fair);
    put_number(w, "limit evictions ", tuning->evictions);
    put_number(w, "limit restarts ", tuning->restarts);
    put_number(w, "limit goals ", tuning->goals);
    put_number(w, "limit horizon ", tuning->horizon);
    put_number(w, "limit polls ", tuning->polls);
    put_number(w, "limit sharecells ", tuning->share_cells);
    put_number(w, "limit slice ", tuning->slice);
    put_number(w, "limit quantum ", tuning->quantum);
    put_number(w, "limit rush ", tuning->rush);
    put_number(w, "limit versions ", w->map->map->max_versions);
}

/* ---- nodes, terrain, steps, links, units ---- */

static wend_error put_graph(writer *w) {
    const wend__graph *graph = w->version->graph;
    char text[LINE_BYTES];
    if (graph->nodes > MOST_NODE) return wend__refuse(WEND_UNSUPPORTED, "a script has nodes up to %d", MOST_NODE);
    for (uint32_t node = 0; node < graph->nodes; node++) {
        wend__phrase line = {text};
        if (!wend__graph_has(graph, node)) continue;
        wend__phrase_option(&line, "node ", node);
        if (graph->coordinates) {
            const int32_t at[3] = {graph->coordinates[node].x, graph->coordinates[node].y, graph->coordinates[node].z};
            for (int i = 0; i < 3; i++) wend__phrase_text(&line, " "), wend__phrase_signed(&line, at[i]);
        }
        put_line(w, text, &line);
    }
    for (uint32_t node = 0; node < graph->nodes; node++)
        for (uint32_t i = graph->first[node]; i < graph->first[node + 1]; i++) {
            wend__phrase line = {text};
            wend__phrase_option(&line, "edge ", node);
            wend__phrase_option(&line, " ", graph->arcs[i].to);
            wend__phrase_option(&line, " ", graph->arcs[i].cost);
            put_line(w, text, &line);
        }
    return WEND_OK;
}

static void put_run(writer *w, wend_cell first, int32_t count, uint8_t terrain) {
    const wend_cell last = {first.x + count - 1, first.y, first.z};
    char text[LINE_BYTES];
    wend__phrase line = {text};
    wend__phrase_text(&line, count > 1 ? "fill " : "set ");
    wend__phrase_cell(&line, w->axes, first);
    if (count > 1) wend__phrase_text(&line, " "), wend__phrase_cell(&line, w->axes, last);
    wend__phrase_option(&line, " ", terrain);
    put_line(w, text, &line);
}

/* Where all cells of a run are open, nothing is written: so a map begins. */
static void put_part(writer *w, wend_cell first, int32_t count) {
    const wend__graph *graph = w->version->graph;
    uint8_t classes[PART_CELLS];
    const wend_box box = {first, {first.x + count - 1, first.y, first.z}};
    wend_map_get_terrain_box(w->map->map, box, classes, PART_CELLS);
    for (int32_t x = 0, end; x < count; x = end) {
        for (end = x + 1; end < count && classes[end] == classes[x];) end++;
        if (classes[x] == WEND_CLASS_OPEN) continue;
        if (!graph) put_run(w, (wend_cell){first.x + x, first.y, first.z}, end - x, classes[x]);
        for (int32_t node = first.x + x; graph && node < first.x + end; node++)
            if (wend__graph_has(graph, node)) put_run(w, (wend_cell){node, 0, 0}, 1, classes[x]);
    }
}

static void put_terrain(writer *w) {
    const wend__version *v = w->version;
    for (int32_t z = 0; z < v->depth; z++)
        for (int32_t y = 0; y < v->height; y++)
            for (int32_t x = 0; x < v->width; x += PART_CELLS)
                put_part(w, (wend_cell){x, y, z}, v->width - x < PART_CELLS ? v->width - x : PART_CELLS);
}

static void put_two(writer *w, const char *verb, wend_cell a, wend_cell b, const char *then, uint64_t number) {
    char text[LINE_BYTES];
    wend__phrase line = {text};
    wend__phrase_text(&line, verb);
    wend__phrase_cell(&line, w->axes, a);
    wend__phrase_text(&line, " ");
    wend__phrase_cell(&line, w->axes, b);
    wend__phrase_text(&line, then);
    if (number > 0) wend__phrase_number(&line, number);
    put_line(w, text, &line);
}

static wend_error put_steps(writer *w) {
    const size_t bytes = (size_t)w->version->closed_steps * sizeof(wend_step);
    size_t count;
    if (bytes == 0) return WEND_OK;
    wend_allocator allocator = w->map->recorder->service->def.allocator;
    wend_step *steps = wend__allocate(&allocator, bytes, _Alignof(wend_step));
    if (!steps) return WEND_OUT_OF_MEMORY;
    wend_map_get_closed_steps(w->map->map, steps, (size_t)w->version->closed_steps, &count);
    for (size_t i = 0; i < count; i++) put_two(w, "step ", steps[i].from, steps[i].to, " blocked", 0);
    allocator.free(allocator.context, steps, bytes);
    return WEND_OK;
}

static void put_links(writer *w) {
    const wend__links *links = w->version->links;
    for (uint32_t i = 0; links && i < links->count; i++) {
        const wend__link *link = &links->sorted[i];
        put_two(w, "link ", wend__cell_of_number(w->version, link->from), wend__cell_of_number(w->version, link->to),
                " ", link->cost);
    }
}

static wend_cell cell_at(const wend__version *v, size_t chunk, int32_t local) {
    const int32_t column = (int32_t)(chunk % (size_t)v->chunk_columns),
                  row = (int32_t)(chunk / (size_t)v->chunk_columns);
    if (v->kind == WEND_KIND_GRID)
        return (wend_cell){column << WEND__CHUNK_SHIFT | (local & 63), row << WEND__CHUNK_SHIFT | local >> 6, 0};
    if (v->kind == WEND_KIND_GRAPH) return (wend_cell){column << 12 | local, 0, 0};
    return (wend_cell){column << WEND__VOXEL_SHIFT | (local & 15),
                       (row % v->chunk_y) << WEND__VOXEL_SHIFT | (local >> 4 & 15),
                       (row / v->chunk_y) << WEND__VOXEL_SHIFT | local >> 8};
}

static void put_unit(writer *w, const char *verb, size_t chunk, int32_t local) {
    char text[LINE_BYTES];
    wend__phrase line = {text};
    wend__phrase_text(&line, verb);
    wend__phrase_cell(&line, w->axes, cell_at(w->version, chunk, local));
    put_line(w, text, &line);
}

/* Searches count their expansions otherwise where there were ever units: in a chunk that they left, one comes and
 * goes. */
static void put_past_unit(writer *w, size_t chunk) {
    int32_t local = 0;
    while (!wend__map_has(w->map->map, cell_at(w->version, chunk, local))) local++;
    put_unit(w, "occupy ", chunk, local);
    put_unit(w, "vacate ", chunk, local);
}

static void put_units(writer *w) {
    const wend__occupancy *occupancy = w->map->map->occupancy;
    for (size_t chunk = 0; occupancy && chunk < occupancy->chunks; chunk++) {
        bool any = false;
        for (int32_t local = 0; occupancy->planes[chunk] && local < WEND__CHUNK_CELLS; local++)
            for (uint8_t units = occupancy->planes[chunk][local]; units > 0; units--, any = true)
                put_unit(w, "occupy ", chunk, local);
        if (!any && occupancy->planes[chunk]) put_past_unit(w, chunk);
    }
}

/* ---- tables and landmarks ---- */

wend_acceleration wend__record_acceleration(wend_map *map, int32_t mover) {
    wend_acceleration def;
    wend_acceleration_init(&def, sizeof def);
    def.mover = mover;
    def.tables = wend__map_has_jumps(map, mover) || wend__map_lacks_tables(map, mover);
    wend__mutex_lock(map->mutex);
    def.landmarks = map->wanted[mover].landmarks;
    wend__mutex_unlock(map->mutex);
    def.publish_effort = atomic_load_explicit(&map->landmark_effort, memory_order_relaxed);
    return def;
}

static void put_acceleration(writer *w) {
    for (int32_t mover = 0; mover < wend__version_movers(w->version); mover++) {
        const wend_acceleration def = wend__record_acceleration(w->map->map, mover);
        char text[WEND__ACCELERATE_LINE_BYTES];
        if (def.tables || def.landmarks) put(w, text, wend__accelerate_line(text, &def));
    }
}

/* ---- all of it ---- */

static wend_error put_map(writer *w) {
    static const char recording[] = "recording\n", publish[] = "publish\n";
    put_kind(w);
    put(w, recording, sizeof recording - 1);
    put_rules(w);
    wend_error error = put_movers(w);
    put_limits(w);
    if (!error && w->version->graph) error = put_graph(w);
    put_terrain(w);
    if (!error) error = put_steps(w);
    put_links(w);
    put(w, publish, sizeof publish - 1);
    put_units(w);
    put_acceleration(w);
    wend__mutex_lock(w->map->recorder->mutex);
    const uint64_t frames = w->map->recorder->frames;
    wend__mutex_unlock(w->map->recorder->mutex);
    if (frames > 0) put_number(w, "frame ", frames);
    return error;
}

wend_error wend__record_world(wend__recorded_map *map) {
    writer w = {.map = map, .axes = wend__map_axes(map->map)};
    wend__version *version = wend__map_acquire(map->map, false);
    w.version = version;
    wend__recorder *recorder = map->recorder;
    wend__mutex_lock(recorder->mutex);
    wend__stream_new_script(recorder, map->file);
    wend__mutex_unlock(recorder->mutex);
    const wend_error error = put_map(&w);
    wend__mutex_lock(recorder->mutex);
    wend__stream_count(recorder, map->file, w.lines);
    wend__mutex_unlock(recorder->mutex);
    wend__map_release(version, false);
    return error;
}
