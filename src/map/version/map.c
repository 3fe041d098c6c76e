/* SPDX-License-Identifier: MIT */
/* The map object: creates (also of a graph), forks, retains and frees it. */
#include "map/links/sheet_table.h"
#include "map/version/layers.h"
#include "map/store/memory.h"
#include "map/store/rules.h"
#include "map/store/sweep.h"
#include "mark/beside.h"
#include "recording/tap/tap.h"
#include "map/version/accelerator.h"
#include "map/version/map.h"
#include "map/version/occupancy.h"
#include "map/version/version.h"

#include <inttypes.h>
#include <stdio.h>
#include <wend/host.h>

static wend_map_def default_def(void) {
    return (wend_map_def){.struct_bytes = sizeof(wend_map_def),
                          .kind = WEND_KIND_GRID,
                          .depth = 1,
                          .max_versions = 8,
                          .max_bytes = WEND_NO_LIMIT,
                          .allocator = wend_allocator_default()};
}

void wend_map_def_init(wend_map_def *def, size_t bytes) {
    const wend_map_def own = default_def();
    wend__sized_init(def, bytes, &own, sizeof own);
}

wend_error wend__map_def_read(const wend_map_def *theirs, wend_map_def *out, wend_map_rules *rules) {
    *out = default_def();
    if (theirs && !WEND__READ_STRUCT(wend_map_def, allocator, out, theirs)) return WEND_BAD_ARGUMENT;
    wend_error error = wend__rules_read(out->rules, rules);
    out->rules = rules;
    return error;
}

wend_error wend__check_blocked_class(const uint8_t factors[256]) {
    return wend__check_range("on a streamed map the factor of class 0", factors[WEND_CLASS_BLOCKED], 0, 0);
}

wend_error wend__check_wrapped_rules(int32_t wrap, const wend_map_rules *rules) {
    if (wrap == 0 || rules->neighbours != 6) return WEND_OK;
    return wend__refuse(WEND_UNSUPPORTED, "a map of hexagons does not wrap");
}

wend_error wend__check_sheet_rules(const wend_map *map, const wend_map_rules *rules) {
    if (!map->sheets || rules->neighbours != 6) return WEND_OK;
    return wend__refuse(WEND_UNSUPPORTED, "a map of hexagons has no sheets");
}

static wend_error check_wrap(const wend_map_def *def) {
    if (def->wrap == 0) return WEND_OK;
    wend_error error = wend__check_range("wrap", def->wrap, 0, WEND_WRAP_X | WEND_WRAP_Y);
    if (!error && def->kind != WEND_KIND_GRID) return wend__refuse(WEND_UNSUPPORTED, "only flat grids wrap");
    if (!error && def->streamed) return wend__refuse(WEND_UNSUPPORTED, "a streamed map does not wrap");
    if (!error) error = wend__check_wrapped_rules(def->wrap, def->rules);
    if (!error && def->wrap & WEND_WRAP_X)
        error = wend__check_range("on a map that wraps width", def->width, WEND_MIN_WRAPPED, WEND_MAX_SIDE);
    if (!error && def->wrap & WEND_WRAP_Y)
        error = wend__check_range("on a map that wraps height", def->height, WEND_MIN_WRAPPED, WEND_MAX_SIDE);
    return error;
}

static wend_error check(const wend_map_def *def) {
    const bool grid = def->kind == WEND_KIND_GRID;
    if (!grid && def->kind != WEND_KIND_VOXEL)
        return wend__refuse(WEND_BAD_ARGUMENT,
                            "kind is %d, but must be WEND_KIND_GRID or WEND_KIND_VOXEL: "
                            "wend_graph_create() makes graphs",
                            def->kind);
    wend_error error = wend__check_range("width", def->width, 1, WEND_MAX_SIDE);
    if (!error) error = wend__check_range("height", def->height, 1, WEND_MAX_SIDE);
    if (!error) error = wend__check_range("depth", def->depth, 1, grid ? 1 : WEND_MAX_SIDE);
    if (error) return error;
    const uint64_t plane = (uint64_t)def->width * (uint64_t)def->height;
    if (plane > WEND_MAX_CELLS / (uint64_t)def->depth)
        return wend__refuse(WEND_BAD_ARGUMENT, "%d x %d x %d cells are more than WEND_MAX_CELLS, %" PRIu64, def->width,
                            def->height, def->depth, (uint64_t)WEND_MAX_CELLS);
    error = wend__check_range("max_versions", def->max_versions, 1, WEND_MAX_VERSIONS);
    if (!error) error = wend__check_allocator(&def->allocator);
    if (!error) error = wend__rules_check(def->rules, def->kind);
    if (!error) error = wend__check_range("streamed", def->streamed, 0, grid);
    if (!error) error = check_wrap(def);
    if (!error) error = wend__sheets_check(def);
    return error || !def->streamed ? error : wend__check_blocked_class(def->rules->factors);
}

static size_t rounded(size_t bytes) {
    const size_t unit = _Alignof(max_align_t);
    return (bytes + unit - 1) / unit * unit;
}

static wend__family *create_family(const wend_map_def *def) {
    size_t head = rounded(sizeof(wend__family)), lock = rounded(wend__mutex_bytes()), bytes = head + 2 * lock;
    if (bytes > def->max_bytes) {
        wend__refuse(WEND_OUT_OF_MEMORY, "max_bytes, %" PRIu64 ", has no room for a map", def->max_bytes);
        return NULL;
    }
    wend_allocator allocator = wend__allocator_or_default(def->allocator);
    wend__family *family = wend__allocate(&allocator, bytes, _Alignof(max_align_t));
    if (!family) return NULL;
    *family = (wend__family){.allocator = allocator,
                             .max_bytes = def->max_bytes,
                             .object_bytes = bytes,
                             .mutex = (wend__mutex *)((char *)family + head),
                             .unit_maker = (wend__mutex *)((char *)family + head + lock),
                             .bytes = bytes,
                             .bytes_peak = bytes,
                             .free_left_over = wend__sweep_all};
    wend__mutex_init(family->mutex);
    wend__mutex_init(family->unit_maker);
    return family;
}

static void free_family(wend__family *family) {
    wend__family_forget_file(family);
    WEND__ASSERT(family->bytes == family->object_bytes);
    wend_allocator allocator = family->allocator;
    wend__mutex_destroy(family->unit_maker);
    wend__mutex_destroy(family->mutex);
    allocator.free(allocator.context, family, family->object_bytes);
}

/* Bytes of a map's object with its writers' lock. */
static size_t map_bytes(void) {
    return rounded(sizeof(wend_map)) + rounded(wend__mutex_bytes());
}

/* The object with its writers' lock, in one piece, a member of the family, without a version. */
static wend_map *create_object(wend__family *family, const wend_map_def *def) {
    static _Atomic uint64_t maps;
    wend_map *map = wend__family_alloc(family, map_bytes());
    if (!map) return NULL;
    *map = (wend_map){.family = family,
                      .arena = wend__arena_of(family),
                      .kind = def->kind,
                      .width = def->width,
                      .height = def->height,
                      .depth = def->depth,
                      .wrap = def->wrap,
                      .streamed = def->streamed,
                      .identity = atomic_fetch_add_explicit(&maps, 1, memory_order_relaxed),
                      .max_versions = (uint32_t)def->max_versions,
                      .landmark_effort = WEND_LANDMARK_EFFORT,
                      .revision = WEND__FIRST_REVISION,
                      .mutex = family->mutex,
                      .writer = (wend__mutex *)((char *)map + rounded(sizeof *map)),
                      .references = 1};
    wend__mutex_init(map->writer);
    WEND__BORN(map, "the map");
    wend__mutex_lock(family->mutex);
    family->members++;
    wend__mutex_unlock(family->mutex);
    return map;
}

void *wend__map_take_spare(wend_map *map, size_t *bytes) {
    wend__mutex_lock(map->mutex);
    void *memory = map->spare;
    *bytes = map->spare_bytes;
    map->spare = NULL;
    wend__mutex_unlock(map->mutex);
    return memory;
}

static void free_spare(void *memory, size_t bytes) {
    const wend_allocator allocator = wend_allocator_default();
    if (memory) allocator.free(allocator.context, memory, bytes);
}

void wend__map_leave_spare(wend_map *map, void *memory, size_t bytes) {
    wend__mutex_lock(map->mutex);
    const bool wanted = !map->spare && !map->arena; /* it would not be returned */
    if (wanted) map->spare = memory, map->spare_bytes = bytes;
    wend__mutex_unlock(map->mutex);
    if (!wanted) free_spare(memory, bytes);
}

static void free_map(wend_map *map) {
    WEND__GONE(map, "the map");
    free_spare(map->spare, map->spare_bytes);
    wend__family *family = map->family;
    wend__derivations_end(map);
    if (map->newest) {
        WEND__ASSERT(map->newest->references == 1 && !map->newest->older);
        wend__version_free(map->newest);
    }
    wend__derivations_forget_units(map);
    wend__occupancy_free(map);
    wend__layers_free(map);
    wend__change_log_free(map);
    wend__shared_release(map, map->sheets);
    wend__sweep_all(family);
    wend__mutex_destroy(map->writer);
    wend__family_free(family, map, map_bytes());
    wend__mutex_lock(family->mutex);
    bool last = --family->members == 0;
    wend__mutex_unlock(family->mutex);
    if (last) free_family(family);
}

/* Makes a map of a checked definition; then its first version, all open, which owns that graph, or NULL. On failure the
 * map is freed. */
static wend_error found_map(const wend_map_def *def, wend_map **out) {
    wend__family *family = create_family(def);
    if (!family) return WEND_OUT_OF_MEMORY;
    wend_map *map = create_object(family, def);
    if (!map) {
        free_family(family);
        return WEND_OUT_OF_MEMORY;
    }
    if (def->sheet_count > 0 && !(map->sheets = wend__sheets_create(map, def))) {
        free_map(map);
        return WEND_OUT_OF_MEMORY;
    }
    *out = map;
    return WEND_OK;
}

static wend_error open_map(wend_map *map, const wend_map_rules *rules, const wend__graph *graph) {
    const wend_map_rules complete = wend__rules_complete(rules, map->kind);
    map->newest = wend__version_create(map);
    if (map->newest) map->newest->graph = graph;
    if (map->newest) wend__version_set_rules(map->newest, &complete);
    if (!map->newest && graph) wend__graph_release(map, graph);
    wend_error error = map->newest ? wend__version_open(map->newest) : WEND_OUT_OF_MEMORY;
    if (error) free_map(map);
    return error;
}

wend_error wend_map_create(const wend_map_def *def, wend_map **out) {
    wend_map_def own;
    wend_map_rules rules;
    wend_map *map;
    if (!out) return wend__refuse_null("out");
    if (!def) return wend__refuse_null("def");
    wend_error error = wend__map_def_read(def, &own, &rules);
    if (!error) error = check(&own);
    if (!error) error = found_map(&own, &map);
    if (!error) error = open_map(map, &rules, NULL);
    if (error) return error;
    if (own.acceleration) error = wend__accelerator.accelerate(map, own.acceleration);
    if (error)
        wend_map_release(map);
    else
        *out = map;
    return error;
}

wend_error wend_map_fork(wend_map *map, wend_map **out) {
    WEND__ALIVE(map, "the map");
    wend_map_def def = {.kind = map->kind,
                        .width = map->width,
                        .height = map->height,
                        .depth = map->depth,
                        .wrap = map->wrap,
                        .streamed = map->streamed};
    wend__mutex_lock(map->mutex);
    def.max_versions = (int32_t)map->max_versions;
    wend__mutex_unlock(map->mutex);
    wend_map *fork = create_object(map->family, &def);
    if (!fork) return WEND_OUT_OF_MEMORY;
    atomic_store_explicit(&fork->landmark_effort, map->landmark_effort, memory_order_relaxed);
    atomic_store_explicit(&fork->no_far, map->no_far, memory_order_relaxed);
    const bool marks = atomic_load_explicit(&map->unit_state, memory_order_acquire) != WEND__UNITS_NONE;
    atomic_store_explicit(&fork->unit_state, marks ? WEND__UNITS_WANTED : WEND__UNITS_NONE, memory_order_relaxed);
    wend__mutex_lock(map->mutex);
    memcpy(fork->wanted, map->wanted, sizeof fork->wanted);
    wend__mutex_unlock(map->mutex);
    fork->placed = map->placed;
    fork->sheets = wend__shared_retain(map, map->sheets);
    wend__version *from = wend__map_acquire(map, false);
    wend__mutex_lock(map->mutex);
    if (map->placed) from->graph->places->owner = 0; /* both copy it before they write */
    wend__mutex_unlock(map->mutex);
    fork->newest = wend__version_copy(from, fork, WEND__ROWS_ALL);
    wend__map_release(from, false);
    if (!fork->newest || wend__layers_fork(map, fork)) {
        free_map(fork);
        return WEND_OUT_OF_MEMORY;
    }
    *out = fork;
    return WEND_OK;
}

void wend_map_retain(wend_map *map) {
    if (!map) return;
    WEND__ALIVE(map, "the map");
    atomic_fetch_add_explicit(&map->references, 1, memory_order_relaxed);
}

void wend_map_release(wend_map *map) {
    if (!map) return;
    WEND__ALIVE(map, "the map");
    uint32_t before = atomic_fetch_sub_explicit(&map->references, 1, memory_order_acq_rel);
    WEND__ASSERT(before > 0);
    if (before == 1) free_map(map);
}

wend_error wend_map_set_max_versions(wend_map *map, int32_t max_versions) {
    WEND__ALIVE(map, "the map");
    wend_error error = wend__check_range("max_versions", max_versions, 1, WEND_MAX_VERSIONS);
    if (error) return error;
    wend__mutex_lock(map->mutex);
    map->max_versions = (uint32_t)max_versions;
    wend__map_retire_excess(map);
    wend__mutex_unlock(map->mutex);
    wend__tap_unsupported(map, "the map's max_versions changed, which a script has before the first frame");
    return WEND_OK;
}

int32_t wend__map_kind(const wend_map *map) {
    return map->kind;
}

void wend__map_size(const wend_map *map, int32_t *width, int32_t *height, int32_t *depth) {
    *width = map->width;
    *height = map->height;
    *depth = map->depth;
}

bool wend__map_placed(const wend_map *map) {
    return map->placed;
}

bool wend__map_symmetric(const wend_map *map) {
    wend__mutex_lock(map->mutex);
    const wend__graph *graph = map->newest->graph;
    const bool symmetric = !graph || graph->symmetric;
    wend__mutex_unlock(map->mutex);
    return symmetric;
}

bool wend__map_has_node(const wend_map *map, int32_t node) {
    wend__mutex_lock(map->mutex);
    const bool there = wend__graph_has(map->newest->graph, node);
    wend__mutex_unlock(map->mutex);
    return there;
}

/* ---- checking arguments ---- */

wend_error wend__refuse_cell(const wend_map *map, const char *name, wend_cell cell) {
    if (map->kind == WEND_KIND_GRAPH)
        return wend__refuse(WEND_OUT_OF_RANGE,
                            "%s is %d,%d,%d, but the graph has no such node: they are 0,0,0 to %d,0,0", name, cell.x,
                            cell.y, cell.z, map->width - 1);
    return wend__refuse(WEND_OUT_OF_RANGE, "%s is %d,%d,%d, off the map: x is 0 to %d, y 0 to %d, z 0 to %d", name,
                        cell.x, cell.y, cell.z, map->width - 1, map->height - 1, map->depth - 1);
}

wend_error wend__check_each_cell(const wend_map *map, const char *name, const wend_cell *cells, size_t count) {
    for (size_t i = 0; i < count; i++) {
        if (wend__map_has(map, cells[i])) continue;
        char number[48];
        snprintf(number, sizeof number, "%.20s[%zu]", name, i);
        return wend__refuse_cell(map, number, cells[i]);
    }
    return WEND_OK;
}

bool wend__map_hexagons(const wend_map *map) {
    if (map->kind != WEND_KIND_GRID) return false;
    wend__mutex_lock(map->mutex);
    const bool hexagons = wend__is_hex(map->newest);
    wend__mutex_unlock(map->mutex);
    return hexagons;
}

wend_error wend__check_squares(const wend_map *map, const char *what) {
    if (!wend__map_hexagons(map)) return WEND_OK;
    return wend__refuse(WEND_UNSUPPORTED, "the map's cells are hexagons, for which there are no %s", what);
}

wend_error wend__check_lines(const wend_map *map) {
    if (map->kind != WEND_KIND_GRAPH) return wend__check_squares(map, "straight lines");
    return wend__refuse(WEND_UNSUPPORTED, "the map is a graph, which has no straight lines");
}

wend_error wend__box_check(const wend_map *map, wend_box box) {
    if (box.max.x < box.min.x || box.max.y < box.min.y || box.max.z < box.min.z)
        return wend__refuse(WEND_BAD_ARGUMENT, "box.max is %d,%d,%d, before box.min, %d,%d,%d", box.max.x, box.max.y,
                            box.max.z, box.min.x, box.min.y, box.min.z);
    const bool from = box.min.x >= 0 && box.min.y >= 0 && box.min.z >= 0;
    const bool to = box.max.x < map->width && box.max.y < map->height && box.max.z < map->depth;
    if (from && to) return WEND_OK;
    return from ? wend__refuse_cell(map, "box.max", box.max) : wend__refuse_cell(map, "box.min", box.min);
}

wend_error wend__check_stride(wend_box box, size_t stride_bytes) {
    const size_t width = (size_t)(box.max.x - box.min.x) + 1;
    if (stride_bytes >= width) return WEND_OK;
    return wend__refuse(WEND_BAD_ARGUMENT, "stride_bytes is %zu, but a row of the box has %zu cells", stride_bytes,
                        width);
}

/* ---- a map of a graph ---- */

static wend_graph_def default_graph(void) {
    wend_graph_def def = {.struct_bytes = sizeof def,
                          .max_versions = 8,
                          .max_bytes = WEND_NO_LIMIT,
                          .allocator = wend_allocator_default()};
    const wend_map_rules rules = wend__rules_default();
    memcpy(def.factors, rules.factors, sizeof def.factors);
    return def;
}

void wend_graph_def_init(wend_graph_def *def, size_t bytes) {
    const wend_graph_def own = default_graph();
    wend__sized_init(def, bytes, &own, sizeof own);
}

/* ---- queries ---- */

static wend_error check_edges(const wend_graph_def *def) {
    for (uint64_t i = 0; i < def->edge_count; i++) {
        const wend_edge *edge = &def->edges[i];
        if (edge->cost < 1 || edge->cost > WEND_MAX_COST)
            return wend__refuse(WEND_BAD_ARGUMENT, "edges[%" PRIu64 "].cost is %d, but must be from 1 to %d", i,
                                edge->cost, WEND_MAX_COST);
        if (!wend__graph_def_has(def, edge->from) || !wend__graph_def_has(def, edge->to))
            return wend__refuse(WEND_OUT_OF_RANGE, "edges[%" PRIu64 "] leads from %u to %u, and one of them is no node",
                                i, edge->from, edge->to);
    }
    return WEND_OK;
}

/* Returns the highest id + 1; 0: there is none. */
static uint32_t count_nodes(const wend_graph_def *def) {
    uint32_t nodes = def->node_count;
    while (nodes > 0 && def->present && !def->present[nodes - 1]) nodes--;
    return nodes;
}

static wend_error check_graph(const wend_graph_def *def) {
    wend_error error = wend__check_range("node_count", def->node_count, 1, WEND_MAX_NODES);
    if (!error) error = wend__check_range("node_capacity", def->node_capacity, 0, WEND_MAX_NODES);
    if (!error && count_nodes(def) == 0)
        error = wend__refuse(WEND_BAD_ARGUMENT, "present marks no node: a graph has at least one");
    if (!error) error = wend__check_size("edge_count", def->edge_count, 0, WEND_MAX_EDGES);
    if (!error && def->edge_count && !def->edges) error = wend__refuse_null("edges");
    if (!error) error = wend__check_range("max_versions", def->max_versions, 1, WEND_MAX_VERSIONS);
    if (!error) error = wend__check_allocator(&def->allocator);
    return error ? error : check_edges(def);
}

static wend_error create(const wend_graph_def *def, wend_map **out) {
    wend_error error = check_graph(def);
    if (error) return error;
    wend_map_rules rules = wend__rules_default();
    memcpy(rules.factors, def->factors, sizeof def->factors);
    wend_map_def shape = {.kind = WEND_KIND_GRAPH,
                          .width =
                              (int32_t)(def->node_capacity > count_nodes(def) ? def->node_capacity : count_nodes(def)),
                          .height = 1,
                          .depth = 1,
                          .max_versions = def->max_versions,
                          .max_bytes = def->max_bytes,
                          .allocator = def->allocator};
    wend_map *map;
    error = found_map(&shape, &map);
    if (error) return error;
    map->placed = def->coordinates != NULL;
    const wend__graph *graph = wend__graph_build(map, def);
    if (!graph) {
        wend_map_release(map);
        return WEND_OUT_OF_MEMORY;
    }
    error = open_map(map, &rules, graph);
    if (!error) *out = map;
    return error;
}

wend_error wend_graph_create(const wend_graph_def *def, wend_map **out) {
    wend_graph_def own = default_graph();
    if (!out) return wend__refuse_null("out");
    return WEND__READ_STRUCT(wend_graph_def, allocator, &own, def) ? create(&own, out) : WEND_BAD_ARGUMENT;
}
