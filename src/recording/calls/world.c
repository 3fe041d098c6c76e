/* SPDX-License-Identifier: MIT */
/* The head of a map's script: the limits of the service, and the whole present map. */
#include "fast/tables/jumps.h"
#include "map/links/sheet_table.h"
#include "map/kinds/graph.h"
#include "fast/landmarks/landmarks.h"
#include "map/links/links.h"
#include "map/movers/views.h"
#include "fast/stops/stop_tables.h"
#include "fast/stops/units.h"
#include "map/version/layers.h"
#include "map/version/version.h"
#include "recording/calls/recording_state.h"
#include <wend/ways.h>

enum { PART_CELLS = 4096, MOST_NODE = (1 << 27) - 1 };

/// The script that is being written.
typedef struct writer {
    wend__recorded_map *map;
    const wend__version *version;
    uint64_t lines;
} writer;

static void put(writer *w, const wend_order *order) {
    wend__recording *recording = w->map->recording;
    wend__mutex_lock(recording->mutex);
    wend__stream_put_order(w->map, order);
    wend__stream_put(recording, w->map->file, "\n", 1);
    wend__mutex_unlock(recording->mutex);
    w->lines++;
}

static void put_word(writer *w, int32_t kind) {
    const wend_order order = {.kind = kind};
    put(w, &order);
}

/* ---- kind, rules, movers ---- */

static wend_error put_kind(writer *w) {
    static const int32_t kinds[] = {[WEND_KIND_GRID] = WEND_ORDER_GRID,
                                    [WEND_KIND_VOXEL] = WEND_ORDER_VOXELS,
                                    [WEND_KIND_GRAPH] = WEND_ORDER_GRAPH};
    const wend__version *v = w->version;
    wend_order order = {.kind = kinds[v->kind],
                        .size = {v->width, v->height, v->depth, v->map->streamed, v->map->wrap, {NULL, 0}}};
    const size_t sheets = v->sheets ? v->sheets->count : 0, bytes = 3 * sheets * sizeof(wend_cell);
    wend_allocator allocator = w->map->recording->service->def.allocator;
    wend_cell *cells = sheets > 0 ? wend__allocate(&allocator, bytes, _Alignof(wend_cell)) : NULL;
    if (sheets > 0 && !cells) return WEND_OUT_OF_MEMORY;
    for (size_t i = 0; i < sheets; i++) {
        const wend_sheet *sheet = &v->sheets->list[i];
        cells[3 * i] = sheet->box.min, cells[3 * i + 1] = sheet->box.max, cells[3 * i + 2] = sheet->ground;
    }
    order.size.sheets = (wend_cells){cells, 3 * sheets};
    put(w, &order);
    if (cells) allocator.free(allocator.context, cells, bytes);
    return WEND_OK;
}

static void put_rules(writer *w) {
    wend_order order = {.kind = WEND_ORDER_NEIGHBOURS, .rules = w->version->rules};
    if (w->version->kind == WEND_KIND_GRAPH) return;
    put(w, &order);
    order.kind = WEND_ORDER_CORNERS;
    put(w, &order);
    order.kind = WEND_ORDER_COST;
    wend__order_give(&order, &order.rules.cost_space); /* the width of fields' buckets */
    put(w, &order);
}

static wend_error put_movers(writer *w) {
    wend_map_rules usual;
    wend_map_rules_init(&usual, sizeof usual);
    for (int32_t id = 0; id < wend__version_movers(w->version); id++) {
        wend_mover mover = {.struct_bytes = sizeof mover};
        wend_order order;
        wend_map_get_mover(w->map->map, id, &mover);
        const uint8_t *base = id == WEND_MOVER_DEFAULT ? usual.factors : w->version->rules.factors;
        if (!wend__mover_order(&mover, id, base, &order))
            return wend__refuse(WEND_UNSUPPORTED, "a script cannot say the factors of mover %d", id);
        put(w, &order);
        id += wend__version_bolder(w->version, id) > 0; /* the line makes both */
    }
    return WEND_OK;
}

static void put_limits(writer *w) {
    const wend_service *service = w->map->recording->service;
    for (int32_t what = 0; what < WEND__LIMIT_COUNT; what++) {
        const uint64_t value = what == WEND__LIMIT_VERSIONS ? w->map->map->max_versions
                                                            : wend__limit_get(what, &service->def, &service->tuning);
        const wend_order order = {.kind = WEND_ORDER_LIMIT, .limit = {what, value}};
        put(w, &order);
    }
}

/* ---- nodes, terrain, steps, links, units ---- */

static void put_change(writer *w, int32_t kind, wend_cell from, wend_cell to, int32_t value) {
    const wend_order order = {.kind = kind, .change = {.from = from, .to = to, .value = value}};
    put(w, &order);
}

static void put_node(writer *w, uint32_t node) {
    const wend__graph *graph = w->version->graph;
    wend_change_item item = {WEND_ORDER_NODE, {.from = {(int32_t)node, 0, 0}, .value = graph->coordinates != NULL}};
    if (graph->coordinates) item.change.to = graph->coordinates[node];
    const wend_order order = wend__change_order(&item);
    put(w, &order);
}

static wend_error put_graph(writer *w) {
    const wend__graph *graph = w->version->graph;
    enum { LINE_BYTES = 7 }; /* of a node, at least */
    if (graph->nodes > MOST_NODE) return wend__refuse(WEND_UNSUPPORTED, "a script has nodes up to %d", MOST_NODE);
    if (graph->nodes > wend__script_nodes(LINE_BYTES * (uint64_t)graph->present_count))
        return wend__refuse(WEND_UNSUPPORTED, "a script with so few nodes as this graph has none above %u",
                            (unsigned)wend__script_nodes(LINE_BYTES * (uint64_t)graph->present_count) - 1);
    for (uint32_t node = 0; node < graph->nodes; node++)
        if (wend__graph_has(graph, node)) put_node(w, node);
    for (uint32_t node = 0; node < graph->nodes; node++)
        for (wend__arcs arcs = wend__graph_arcs(graph, node); arcs.first != arcs.end; arcs.first++) {
            const wend_cell from = {(int32_t)node, 0, 0}, to = {(int32_t)arcs.first->to, 0, 0};
            put_change(w, WEND_ORDER_EDGE, from, to, (int32_t)arcs.first->cost);
        }
    return WEND_OK;
}

static void put_run(writer *w, wend_cell first, int32_t count, uint8_t terrain) {
    WEND__DEBUG_ASSERT(count > 0);
    const wend_cell last = {first.x + count - 1, first.y, first.z};
    put_change(w, count > 1 ? WEND_ORDER_FILL : WEND_ORDER_SET, first, last, terrain);
}

/* A run of open cells is not written, as a map begins with open cells. */
static void put_part(writer *w, wend_cell first, int32_t count) {
    WEND__DEBUG_ASSERT(count > 0 && count <= PART_CELLS);
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

/* Writes a chunk of a streamed map. Knowledge about an unloaded one is in no script. */
static void put_chunk(writer *w, int32_t x, int32_t y) {
    const wend__version *v = w->version;
    const wend_cell chunk = {x, y, 0};
    const int32_t land = wend__version_chunk(v, x, y)->land, ends = (y + 1) * WEND_CHUNK_SIDE;
    if (land == WEND_LAND_ABSENT) return;
    put_change(w, WEND_ORDER_LOAD, chunk, chunk, WEND_CLASS_OPEN);
    if (land == WEND_LAND_KNOWN) put_change(w, WEND_ORDER_UNLOAD, chunk, chunk, 0);
    for (int32_t row = y * WEND_CHUNK_SIDE; land == WEND_LAND_LOADED && row < ends && row < v->height; row++)
        put_part(w, (wend_cell){x * WEND_CHUNK_SIDE, row, 0}, (int32_t)wend__chunk_extent(v->width, x));
}

static void put_land(writer *w) {
    for (int32_t y = 0; y < w->version->chunk_rows; y++)
        for (int32_t x = 0; x < w->version->chunk_columns; x++) put_chunk(w, x, y);
}

static void put_terrain(writer *w) {
    const wend__version *v = w->version;
    if (v->map->streamed) return put_land(w);
    for (int32_t z = 0; z < v->depth; z++)
        for (int32_t y = 0; y < v->height; y++)
            for (int32_t x = 0; x < v->width; x += PART_CELLS)
                put_part(w, (wend_cell){x, y, z}, v->width - x < PART_CELLS ? v->width - x : PART_CELLS);
}

static wend_error put_steps(writer *w) {
    const size_t bytes = (size_t)w->version->closed_steps * sizeof(wend_step);
    size_t count;
    if (bytes == 0) return WEND_OK;
    wend_allocator allocator = w->map->recording->service->def.allocator;
    wend_step *steps = wend__allocate(&allocator, bytes, _Alignof(wend_step));
    if (!steps) return WEND_OUT_OF_MEMORY;
    wend_map_get_closed_steps(w->map->map, steps, (size_t)w->version->closed_steps, &count);
    WEND__DEBUG_ASSERT(count <= (size_t)w->version->closed_steps);
    for (size_t i = 0; i < count; i++) put_change(w, WEND_ORDER_STEP, steps[i].from, steps[i].to, 0);
    allocator.free(allocator.context, steps, bytes);
    return WEND_OK;
}

static void put_links(writer *w) {
    const wend__links *links = w->version->links;
    for (uint32_t i = 0; links && i < links->count; i++) {
        const wend__link *link = &links->sorted[i];
        if (link->cost == WEND__SEAM) continue; /* the map makes its own seams */
        const wend_order order = {.kind = WEND_ORDER_LINK,
                                  .change = {.from = wend__cell_of_number(w->version, link->from),
                                             .to = wend__cell_of_number(w->version, link->to),
                                             .value = wend__link_cost_said(link),
                                             .movers = wend__movers_of(link->movers)}};
        put(w, &order);
    }
}

static wend_cell cell_at(const wend__version *v, size_t chunk, int32_t local) {
    WEND__DEBUG_ASSERT(local >= 0 && local < WEND__CHUNK_CELLS);
    const int32_t column = (int32_t)(chunk % (size_t)v->chunk_columns),
                  row = (int32_t)(chunk / (size_t)v->chunk_columns);
    if (v->kind == WEND_KIND_GRID)
        return (wend_cell){column << WEND__CHUNK_SHIFT | (local & 63), row << WEND__CHUNK_SHIFT | local >> 6, 0};
    if (v->kind == WEND_KIND_GRAPH) return (wend_cell){column << 12 | local, 0, 0};
    return (wend_cell){column << WEND__VOXEL_SHIFT | (local & 15),
                       (row % v->chunk_y) << WEND__VOXEL_SHIFT | (local >> 4 & 15),
                       (row / v->chunk_y) << WEND__VOXEL_SHIFT | local >> 8};
}

static void put_unit(writer *w, size_t chunk, int32_t local) {
    const wend_cell cell = cell_at(w->version, chunk, local);
    const wend_order order = {.kind = WEND_ORDER_OCCUPY, .cells = {&cell, 1}};
    put(w, &order);
}

static void put_units(writer *w) {
    const wend__occupancy *occupancy = w->map->map->occupancy;
    for (size_t chunk = 0; occupancy && chunk < occupancy->chunks; chunk++)
        for (int32_t local = 0; occupancy->planes[chunk] && local < WEND__CHUNK_CELLS; local++)
            for (uint8_t units = occupancy->planes[chunk][local]; units > 0; units--) put_unit(w, chunk, local);
}

/* ---- costs by place ---- */

static void put_values(writer *w, int32_t layer, wend_cell first, int32_t count) {
    WEND__DEBUG_ASSERT(count > 0 && count <= PART_CELLS);
    const wend_box box = {first, {first.x + count - 1, first.y, first.z}};
    uint8_t values[PART_CELLS];
    (void)wend_map_get_layer_box(w->map->map, layer, box, values, PART_CELLS);
    for (int32_t x = 0, end; x < count; x = end) {
        for (end = x + 1; end < count && values[end] == values[x];) end++;
        const wend_cell corners[] = {{first.x + x, first.y, first.z}, {first.x + end - 1, first.y, first.z}};
        wend_order order = {.kind = WEND_ORDER_PAINT,
                            .paint = {.layer = wend__numbered('l', layer), .cells = {corners, 2}, .value = values[x]}};
        wend__order_give(&order, &order.paint.value);
        if (values[x] > 0) put(w, &order);
    }
}

/* Writes the passed time first, as it decides when values halve. */
static void put_layers(writer *w) {
    const wend__version *v = w->version;
    wend_layer_info info = {.struct_bytes = sizeof info};
    for (int32_t layer = 0; w->map->map->tolls && !wend_map_get_layer(w->map->map, layer, &info); layer++) {
        const wend_order order = {.kind = WEND_ORDER_LAYER,
                                  .layer = {.name = wend__numbered('l', layer),
                                            .kind = info.within > 0,
                                            .half_life = info.half_life,
                                            .within = info.within}};
        put(w, &order);
        if (layer + 1 < info.layers) continue;
        const wend_order passed = {.kind = WEND_ORDER_FADE, .fade = {info.updates}};
        if (info.updates > 0) put(w, &passed);
    }
    for (int32_t layer = 0; layer < info.layers && !wend_map_get_layer(w->map->map, layer, &info); layer++)
        for (int32_t z = 0; z < v->depth && info.within == 0; z++)
            for (int32_t y = 0; y < v->height; y++)
                for (int32_t x = 0; x < v->width; x += PART_CELLS)
                    put_values(w, layer, (wend_cell){x, y, z}, v->width - x < PART_CELLS ? v->width - x : PART_CELLS);
}

/* ---- tables, landmarks, far layers ---- */

wend_acceleration wend__record_acceleration(wend_map *map, int32_t mover) {
    wend_acceleration def;
    wend_acceleration_init(&def, sizeof def);
    def.mover = mover;
    wend__version *newest = wend__map_newest(map);
    def.far = wend__version_view(newest, mover)->far != NULL;
    wend__map_release(newest, false);
    def.tables = wend__map_has_jumps(map, mover) || wend__map_lacks_tables(map, mover);
    wend__mutex_lock(map->mutex);
    def.landmarks = map->wanted[mover].landmarks;
    wend__mutex_unlock(map->mutex);
    def.publish_effort = atomic_load_explicit(&map->landmark_effort, memory_order_relaxed);
    return def;
}

bool wend__record_prepares(const wend__version *version, int32_t mover, wend_order *out) {
    const wend_acceleration def = wend__record_acceleration(version->map, mover);
    const bool streamed = version->map->streamed;
    const bool large = streamed || version->width > WEND_FAR_SIDE || version->height > WEND_FAR_SIDE;
    const bool refused = streamed && atomic_load_explicit(&version->map->no_far, memory_order_relaxed);
    *out = wend__acceleration_order(&def);
    if (def.far == large) out->accelerate.def.far = WEND_FAR_LARGE; /* lines omit this value */
    return def.tables || def.landmarks || def.far || refused;
}

static void put_acceleration(writer *w) {
    wend_order order;
    for (int32_t mover = 0; mover < wend__version_movers(w->version); mover++)
        if (wend__record_prepares(w->version, mover, &order)) put(w, &order);
}

/* ---- all of it ---- */

static wend_error put_map(writer *w) {
    if (put_kind(w)) return WEND_OUT_OF_MEMORY;
    put_word(w, WEND_ORDER_RECORDING);
    put_rules(w);
    wend_error error = put_movers(w);
    put_limits(w);
    if (!error && w->version->graph) error = put_graph(w);
    put_terrain(w);
    if (!error) error = put_steps(w);
    put_links(w);
    put_word(w, WEND_ORDER_PUBLISH);
    put_units(w);
    put_layers(w);
    if (w->map->map != w->map->recording->saved_map) put_acceleration(w);
    wend__mutex_lock(w->map->recording->mutex);
    const uint64_t frames = w->map->recording->frames;
    wend__mutex_unlock(w->map->recording->mutex);
    wend_order order;
    wend__order_init(&order, WEND_ORDER_FRAME);
    order.frame.count = frames;
    wend__order_give(&order, &order.frame.count);
    if (frames > 0) put(w, &order);
    return error;
}

wend_error wend__record_world(wend__recorded_map *map) {
    writer w = {.map = map};
    wend__version *version = wend__map_acquire(map->map, false);
    w.version = version;
    wend__recording *recording = map->recording;
    wend__mutex_lock(recording->mutex);
    wend__stream_new_script(recording, map->file);
    wend__mutex_unlock(recording->mutex);
    const wend_error error = put_map(&w);
    wend__mutex_lock(recording->mutex);
    wend__stream_count(recording, map->file, w.lines);
    wend__mutex_unlock(recording->mutex);
    wend__map_release(version, false);
    return error;
}
