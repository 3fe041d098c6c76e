/* SPDX-License-Identifier: MIT */
/* wend_search: one search with a pool of its own. It holds a version of its map while it is in
 * use. */
#include "search/engines.h"
#include "mark/beside.h"
#include "search/store/candidate.h"
#include "search/general/collect.h"
#include "search/request/leg.h"
#include "search/request/request_land.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <wend/host.h>
#include "map/movers/views.h"
#include "map/query/step_cost.h"
#include "map/store/memory.h"
#include "map/version/accelerator.h"
#include "map/version/layers.h"
#include "map/version/map.h"

struct wend_search {
    wend_allocator allocator;
    size_t bytes;
    wend__version *version; /* held; NULL before the first begin */
    wend__request request;
    wend_cell more_goals[WEND_MAX_GOALS - 1]; /* the request points to these */
    uint64_t epoch;
    wend__pool pool;
    wend__stock stock;
    union {
        wend__search core;
        wend__search_memory memory; /* the engine changes with each begin */
    };
};

enum { LINE = 64 };

static size_t head_bytes(void) {
    return (sizeof(wend_search) + LINE - 1) / LINE * LINE;
}

static wend_search_def default_def(void) {
    return (wend_search_def){
        .struct_bytes = sizeof(wend_search_def), .nodes = UINT64_C(1) << 20, .far_nodes = WEND__FAR_NODES};
}

void wend_search_def_init(wend_search_def *def, size_t bytes) {
    const wend_search_def own = default_def();
    wend__sized_init(def, bytes, &own, sizeof own);
}

/* Copies a definition. Returns the bytes of a search made from it; 0: it is not valid, for the reason in the detail. */
static size_t take_def(const wend_search_def *theirs, wend_search_def *out) {
    *out = default_def();
    if (!WEND__READ_STRUCT(wend_search_def, allocator, out, theirs)) return 0;
    if (wend__check_count("nodes", out->nodes) || wend__check_allocator(&out->allocator)) return 0;
    if (wend__check_range("far_nodes", out->far_nodes, 0, WEND_MAX_FAR_NODES)) return 0;
    const size_t pool = wend__pool_bytes(wend__pool_pages(out->nodes), 1);
    if (pool == 0) wend__refuse(WEND_BAD_ARGUMENT, "nodes is %" PRIu64 ", more than fit into memory", out->nodes);
    return pool == 0 ? 0 : head_bytes() + pool + wend__finder_bytes(out->far_nodes);
}

size_t wend__search_bytes(const wend_search_def *def) {
    wend_search_def own;
    return take_def(def, &own);
}

/* Lays out a search in memory of that many bytes, as take_def() returned them with `own`. */
static wend_search *place_search(void *memory, size_t bytes, const wend_search_def *own) {
    wend_search *search = memory;
    search->allocator = wend__allocator_or_default(own->allocator);
    search->bytes = bytes;
    search->version = NULL;
    search->request = wend__request_default();
    search->epoch = 0;
    wend__pool_init(&search->pool, (uint8_t *)search + head_bytes(), wend__pool_pages(own->nodes), 1);
    search->stock = (wend__stock){0};
    const size_t finder = wend__finder_bytes(own->far_nodes);
    if (finder > 0) {
        search->stock.finder = (struct wend__far_finder *)(void *)((uint8_t *)search + bytes - finder);
        wend__leg_hooks.finder_init(search->stock.finder, own->far_nodes);
    }
    wend__search_init(&search->core, &search->pool);
    WEND__BORN(search, "the search");
    return search;
}

wend_error wend_search_create(const wend_search_def *def, wend_search **out) {
    wend_search_def own;
    if (!out) return wend__refuse_null("out");
    const size_t bytes = take_def(def, &own);
    if (bytes == 0) return WEND_BAD_ARGUMENT;
    const wend_allocator allocator = wend__allocator_or_default(own.allocator);
    void *memory = wend__allocate(&allocator, bytes, LINE);
    if (!memory) return WEND_OUT_OF_MEMORY;
    *out = place_search(memory, bytes, &own);
    return WEND_OK;
}

static void forget_search(wend_search *search) {
    wend__search_drop(&search->core);
    wend__pool_return(&search->pool, &search->stock);
    search->core.status = WEND_STATUS_PENDING;
    if (!search->version) return;
    wend__map_release(search->version, true);
    wend_map_release(search->request.map);
    search->version = NULL;
}

static wend_error begin(wend_search *search, wend__request own) {
    wend_error error = wend__request_check(&own);
    if (error != WEND_OK) return error;
    wend_map_retain(own.map);
    forget_search(search);
    if (own.more_goal_count > 0) memcpy(search->more_goals, own.more_goals, own.more_goal_count * sizeof(wend_cell));
    own.more_goals = search->more_goals;
    search->request = own;
    search->version = wend__map_acquire(own.map, true);
    search->epoch = search->version->epoch;
    search->request.mover = wend__request_mover(search->version, &search->request);
    wend__search_begin(&search->core, search->version, &search->request);
    return WEND_OK;
}

wend_error wend_search_begin(wend_search *search, const wend_request *request) {
    WEND__ALIVE(search, "the search");
    wend__request own;
    if (!wend__request_take(request, &own)) return WEND_BAD_ARGUMENT;
    if (own.map) WEND__ALIVE(own.map, "the map");
    if (own.map && !wend__arena_shares(own.map->arena, search)) return wend__refuse_arenas();
    return begin(search, own);
}

wend_status wend_search_step(wend_search *search, uint64_t expansions, uint64_t *used) {
    WEND__ALIVE(search, "the search");
    wend__search *core = &search->core;
    uint64_t spent = 0, limit = search->request.max_expansions;
    while (search->version && core->status == WEND_STATUS_PENDING) {
        uint64_t left = expansions - spent, to_limit = limit - core->expansions;
        spent += wend__search_step(core, &search->stock, left < to_limit ? left : to_limit);
        if (core->status != WEND_STATUS_PENDING) break;
        if (!core->starved) { /* spent its whole budget */
            if (core->expansions < limit) break;
            if (wend__search_conclude(core, &search->stock)) {
                if (core->status == WEND_STATUS_PENDING) core->status = WEND_STATUS_LIMIT;
                break;
            }
        }
        uint32_t free =
            core->wants_pages > 0 ? wend__pool_free_pages(&search->pool) : wend__pool_free_open(&search->pool);
        if (free > 0)
            wend__pool_grant(&search->pool, &search->stock, WEND__STOCK, WEND__STOCK);
        else if (core->wants_pages > 0 || !wend__search_compact(core))
            core->status = WEND_STATUS_OUT_OF_NODES;
    }
    if (used) *used = spent;
    return core->status;
}

static void describe(const wend_search *search, wend_completion *out) {
    const wend__search *core = &search->core;
    *out = (wend_completion){.struct_bytes = sizeof *out};
    out->status = core->status;
    out->cost = -1;
    out->engine = core->engine->name;
    out->expansions = core->expansions;
    out->epoch = out->checked = search->epoch;
    out->context = search->request.context;
    out->mover = search->request.mover;
    out->bound_milli = 1000;
    if (search->version) wend__request_bound(search->version, &search->request, &out->exact, &out->bound_milli);
    uint64_t taken = 0; /* each call checks again, so the effort is not counted */
    if (core->status == WEND_STATUS_NO_PATH)
        out->unknown = wend__request_meets_unloaded(search->version, &search->request, &taken);
    if (core->status != WEND_STATUS_FOUND && core->status != WEND_STATUS_PARTIAL) return;
    out->cost = wend__search_cost(core);
    out->cell_count = (size_t)core->steps + 1;
    out->crossing_count = core->far.count;
    out->first_unloaded = wend__leg_unloaded(core);
    if (core->far.count > 0) out->exact = false, out->bound_milli = 0;
}

wend_error wend_search_get_result(const wend_search *search, wend_completion *out) {
    WEND__ALIVE(search, "the search");
    wend_completion own;
    describe(search, &own);
    return WEND__GIVE(wend_completion, context, out, &own) ? WEND_OK : WEND_BAD_ARGUMENT;
}

wend_error wend_search_get_path(const wend_search *search, wend_cell *cells, size_t capacity, size_t *count) {
    WEND__ALIVE(search, "the search");
    const wend__search *core = &search->core;
    wend_error error = wend__check_room("cells", cells, capacity);
    if (error) return error;
    if (core->status != WEND_STATUS_FOUND && core->status != WEND_STATUS_PARTIAL)
        return wend__refuse(WEND_EMPTY, "the search has no path: its status is %s", wend_status_name(core->status));
    const size_t length = (size_t)core->steps + 1;
    wend__search_cells(core, cells, length < capacity ? length : capacity);
    if (count) *count = length;
    return WEND_OK;
}

wend_error wend_search_get_crossings(const wend_search *search, wend_cell *crossings, size_t capacity, size_t *count) {
    WEND__ALIVE(search, "the search");
    const wend__search *core = &search->core;
    wend_error error = wend__check_room("crossings", crossings, capacity);
    if (error) return error;
    if (core->status != WEND_STATUS_FOUND)
        return wend__refuse(WEND_EMPTY, "the search has no path: its status is %s", wend_status_name(core->status));
    wend__leg_crossings(core, crossings, core->far.count < capacity ? core->far.count : (uint32_t)capacity);
    if (count) *count = core->far.count;
    return WEND_OK;
}

wend_error wend_search_get_prefix(wend_search *search, wend_cell *cells, size_t capacity, wend_prefix *prefix) {
    if (!search) return wend__refuse_null("search");
    WEND__ALIVE(search, "the search");
    wend_error error = wend__check_room("cells", cells, capacity);
    if (error) return error;
    wend_prefix own = {.struct_bytes = sizeof own};
    if (prefix && !WEND__FITS(wend_prefix, epoch, prefix)) return WEND_BAD_ARGUMENT;
    if (!search->version || !wend__search_prefix(&search->core, cells, capacity, &own))
        return wend__refuse(WEND_EMPTY, "nothing of a path is known yet, or there is none");
    own.epoch = search->epoch;
    if (prefix) (void)WEND__GIVE(wend_prefix, epoch, prefix, &own);
    return WEND_OK;
}

wend_error wend_search_get_expanded(const wend_search *search, wend_cell *cells, size_t capacity, size_t *count) {
    if (!search) return wend__refuse_null("search");
    WEND__ALIVE(search, "the search");
    wend_error error = wend__check_room("cells", cells, capacity);
    if (error) return error;
    wend__cell_list list = {.cells = cells, .capacity = capacity};
    wend__search_expanded(&search->core, &list);
    if (count) *count = list.count;
    return WEND_OK;
}

/* Puts the start on the open list, if it is not there yet: an engine does this at the begin of its first step. */
static bool has_open_list(wend_search *search) {
    wend__search *core = &search->core;
    if (!search->version || core->status != WEND_STATUS_PENDING || core->ended != WEND_STATUS_PENDING) return false;
    if (core->begun) return true;
    wend__pool_grant(&search->pool, &search->stock, WEND__STOCK, WEND__STOCK);
    (void)core->engine->step(core, &search->stock, 0);
    return core->begun;
}

wend_error wend_search_get_open(wend_search *search, wend_search_node *nodes, size_t capacity, size_t *count) {
    if (!search) return wend__refuse_null("search");
    WEND__ALIVE(search, "the search");
    wend_error error = wend__check_room("nodes", nodes, capacity);
    if (error) return error;
    wend__search *core = &search->core;
    if (search->version && core->engine != &wend__grid_astar)
        return wend__refuse(WEND_UNSUPPORTED, "plain A* does not serve the request, and other searches are not shown");
    if (!has_open_list(search))
        return wend__refuse(WEND_EMPTY, "the search has no open list: it has ended, or no query has begun");
    wend__open_nodes_list list = {nodes, capacity, 0};
    wend__candidate_best all = {.search = core, .left = UINT32_MAX, .list = &list};
    core->engine->candidates(core, &all);
    if (count) *count = list.count;
    return WEND_OK;
}

void wend_search_destroy(wend_search *search) {
    if (!search) return;
    WEND__GONE(search, "the search");
    forget_search(search);
    wend_allocator allocator = search->allocator;
    allocator.free(allocator.context, search, search->bytes);
}

/* ---- a path in a single call ---- */

/* The largest search, 8 MB, that a call leaves to the next one on its map: memory that is new to the process takes
 * longer than a short search. So a call begins with these nodes, and begins again with more if they are not enough. */
enum { SPARE_NODES = 256 * WEND_PAGE_NODES };

/* No engine needs more than four records a cell, and a page a chunk if costs by place count. */
static uint64_t most_nodes(const wend_map *map) {
    const int32_t side = map->kind == WEND_KIND_GRID ? 64 : map->kind == WEND_KIND_VOXEL ? 16 : 4096;
    uint64_t chunks = (uint64_t)((map->width - 1) / side + 1);
    if (map->kind != WEND_KIND_GRAPH) chunks *= (uint64_t)((map->height - 1) / side + 1);
    if (map->kind == WEND_KIND_VOXEL) chunks *= (uint64_t)((map->depth - 1) / side + 1);
    return 5 * WEND_PAGE_NODES * chunks;
}

static uint64_t first_nodes(const wend_map *map) {
    const uint64_t most = most_nodes(map);
    return most < SPARE_NODES ? most : SPARE_NODES;
}

/* Memory that is never touched costs nothing. If the allocator refuses this much, less has to do. */
static wend_error create_search(wend_search_def *def, wend_search **out) {
    wend_error error = wend_search_create(def, out);
    while (error && def->nodes > WEND_PAGE_NODES) {
        def->nodes /= 2;
        error = wend_search_create(def, out);
    }
    return error;
}

static wend_error borrow_search(wend_map *map, uint64_t nodes, wend_search **out) {
    wend_search_def def = default_def(), own;
    def.nodes = nodes;
    if (nodes > SPARE_NODES) return create_search(&def, out);
    size_t spare_bytes;
    void *spare = wend__map_take_spare(map, &spare_bytes);
    const size_t bytes = take_def(&def, &own);
    if (spare && spare_bytes == bytes) {
        *out = place_search(spare, bytes, &own);
        return WEND_OK;
    }
    const wend_allocator allocator = wend_allocator_default();
    if (spare) allocator.free(allocator.context, spare, spare_bytes); /* too small, as there was not enough memory */
    return create_search(&def, out);
}

static void return_search(wend_map *map, wend_search *search) {
    if (search->pool.page_count > SPARE_NODES / WEND_PAGE_NODES) {
        wend_search_destroy(search);
        return;
    }
    WEND__GONE(search, "the search");
    forget_search(search);
    wend__map_leave_spare(map, search, search->bytes);
}

/* With a search of this number of nodes. */
static wend_error find_path(const wend__request *request, uint64_t nodes, wend_cell *cells, size_t capacity,
                            size_t *length, wend_status *ended) {
    wend_search *search;
    wend_error error = borrow_search(request->map, nodes, &search);
    if (error) return error;
    error = begin(search, *request);
    if (!error) *ended = wend_search_step(search, WEND_NO_LIMIT, NULL);
    if (!error) wend_search_get_path(search, cells, capacity, length);
    return_search(request->map, search);
    return error;
}

wend_error wend_find_path(wend_map *map, wend_cell start, wend_cell goal, wend_cell *cells, size_t capacity,
                          size_t *count, wend_status *status) {
    if (!map) return wend__refuse_null("map");
    WEND__ALIVE(map, "the map");
    wend_error error = wend__check_room("cells", cells, capacity);
    if (error) return error;
    wend__request request = wend__request_default();
    request.map = map, request.start = start, request.goal = goal;
    error = wend__request_check(&request);
    if (error) return error;
    const uint64_t most = most_nodes(map), first = first_nodes(map);
    size_t length = 0;
    wend_status ended = WEND_STATUS_PENDING;
    error = find_path(&request, first, cells, capacity, &length, &ended);
    if (!error && ended == WEND_STATUS_OUT_OF_NODES && first < most)
        error = find_path(&request, most, cells, capacity, &length, &ended);
    if (error) return error;
    if (count) *count = length;
    if (status) *status = ended;
    return WEND_OK;
}

/* ---- the nearest places ---- */

static const wend_nearest_def default_nearest = {.struct_bytes = sizeof default_nearest, .most_cost = INT64_MAX};

void wend_nearest_def_init(wend_nearest_def *def, size_t bytes) {
    wend__sized_init(def, bytes, &default_nearest, sizeof default_nearest);
}

/* The search has no goal, and no estimate: so the general engine serves it, and takes cells by their cost. */
static wend_error collect_places(wend_search *search, const wend__request *request, wend__collector *collector) {
    wend__search *core = &search->core;
    wend_map_retain(request->map);
    search->request = *request;
    search->version = wend__map_acquire(request->map, true);
    collector->mover_size = wend__version_mover_size(search->version, request->mover);
    if (wend__cell_factor(wend__version_view(search->version, request->mover), request->start) == 0)
        return wend__refuse(WEND_BLOCKED, "the mover cannot stand on def.start");
    wend__search_begin_answered(core, search->version, &search->request, WEND_STATUS_PENDING);
    WEND__ASSERT(core->engine == &wend__general_astar);
    core->enclosure.state = WEND__ENCLOSURE_DONE;
    wend__general_of(core)->collect = collector;
    wend__general_of(core)->looks = true;
    wend__general_of(core)->heuristic.goal_count = 0;
    enum { PIECE = 64 };
    while (!collector->done && wend_search_step(search, PIECE, NULL) == WEND_STATUS_PENDING) {
    }
    return core->status == WEND_STATUS_OUT_OF_NODES && !collector->done ? WEND_OUT_OF_MEMORY : WEND_OK;
}

static int compare_numbers(const void *a, const void *b) {
    const uint32_t one = *(const uint32_t *)a, other = *(const uint32_t *)b;
    return (one > other) - (one < other);
}

/* Returns the numbers of the cells to choose from, sorted, each once. NULL: no memory. */
static uint32_t *sort_cells(const wend__version *version, wend_nearest_def *def) {
    wend_allocator allocator = wend_allocator_default();
    uint32_t *numbers = wend__allocate(&allocator, def->cell_count * sizeof *numbers, _Alignof(uint32_t)), count = 0;
    if (!numbers) return NULL;
    for (uint32_t i = 0; i < def->cell_count; i++) numbers[i] = wend__cell_number(version, def->cells[i]);
    qsort(numbers, def->cell_count, sizeof *numbers, compare_numbers);
    for (uint32_t i = 0; i < def->cell_count; i++)
        if (i == 0 || numbers[i] != numbers[count - 1]) numbers[count++] = numbers[i];
    def->cell_count = count;
    return numbers;
}

static wend_error check_nearest(const wend_nearest_def *def, const wend_hit *hits, size_t capacity,
                                const wend__request *request) {
    if (!def->map) return wend__refuse_null("def.map");
    wend_error error = hits ? WEND_OK : wend__refuse_null("hits");
    if (!error) error = wend__check_count("capacity", capacity);
    if (!error) error = wend__request_check(request);
    if (!error) error = wend__check_room("cells", def->cells, def->cell_count);
    if (!error) error = wend__check_profile(def->map, "def.score", def->score);
    return error ? error : wend__check_each_cell(def->map, "cells", def->cells, def->cell_count);
}

/* The same with a search of this number of nodes. */
static wend_error find_nearest(const wend__request *request, uint64_t nodes, wend__collector *collector) {
    wend_search *search;
    wend_error error = borrow_search(request->map, nodes, &search);
    if (error) return error;
    error = collect_places(search, request, collector);
    return_search(request->map, search);
    return error;
}

wend_error wend_find_nearest(const wend_nearest_def *theirs, wend_hit *hits, size_t capacity, size_t *count) {
    wend_nearest_def def = default_nearest;
    if (!WEND__READ_STRUCT(wend_nearest_def, most_cost, &def, theirs)) return WEND_BAD_ARGUMENT;
    wend__request request = wend__request_default();
    request.map = def.map, request.start = request.goal = def.start;
    request.mover = def.mover, request.occupied = def.occupied, request.profile = def.profile;
    request.heuristic = WEND_HEURISTIC_ZERO;
    wend_error error = check_nearest(&def, hits, capacity, &request);
    if (error) return error;
    request.flags = WEND__REQUEST_GOAL_MOVED;
    wend__version *version = wend__map_newest(def.map); /* numbers depend on the map's size alone */
    wend_allocator allocator = wend_allocator_default();
    const size_t bytes = def.cell_count * sizeof(uint32_t);
    uint32_t *numbers = def.cell_count > 0 ? sort_cells(version, &def) : NULL;
    wend__map_release(version, false);
    if (bytes > 0 && !numbers) return WEND_OUT_OF_MEMORY;
    wend__collector begun = {.def = &def, .numbers = numbers, .hits = hits, .capacity = capacity};
    if (def.score != WEND_PROFILE_NONE)
        begun.layers = wend__layers_acquire(def.map), begun.score = wend__profile_of(def.map, def.score);
    wend__collector collector = begun;
    const uint64_t most = most_nodes(def.map), first = first_nodes(def.map);
    error = find_nearest(&request, first, &collector);
    if (error == WEND_OUT_OF_MEMORY && first < most) {
        collector = begun;
        error = find_nearest(&request, most, &collector);
    }
    if (begun.layers) wend__shared_release(def.map, begun.layers);
    if (numbers) allocator.free(allocator.context, numbers, bytes);
    if (!error && count) *count = collector.count;
    return error;
}

/* ---- the choice of an engine, and its reason ---- */

static const char *why_map(const wend__version *v) {
    if (v->walker.headroom > 0) return "the mover is a walker: it goes without jump tables and landmarks";
    if (v->kind != WEND_KIND_GRID) return "jump search serves flat grids only";
    if (v->rules.neighbours == 6) return "the map's cells are hexagons, which have no jump tables";
    if (v->rules.neighbours == 8 && v->rules.corners != WEND_CORNERS_NEVER)
        return "the map's rules: jump search needs corners that are never cut";
    if (v->rules.neighbours == 4 && (v->max_factor > 1 || v->closed_steps > 0 || v->links))
        return "the map's rules: with 4 neighbours jump search needs even ground, without links and closed steps";
    return v->jumps ? NULL : "the map, or its view for the mover, has no jump tables: see wend_map_accelerate()";
}

static const char *why_request(const wend__version *v, const wend__request *request) {
    if (request->engine == WEND_ENGINE_ASTAR) return "the request asks for A*";
    if (request->profile != WEND_PROFILE_NONE) return "the request pays for costs by place";
    if (request->occupied != WEND_OCCUPIED_IGNORE && v->rules.neighbours == 4)
        return "the request sees units, and the map has 4 neighbours";
    if (request->occupied != WEND_OCCUPIED_IGNORE && !wend__units_serve(request->map))
        return "the request sees units, and the map had no memory for their marks";
    if (request->heuristic != WEND_HEURISTIC_EXACT) return "the request asks for another heuristic than exact";
    return NULL;
}

static const char *why_not(const wend__version *v, const wend__request *request) {
    const wend__version *view = wend__version_view(v, request->mover);
    const char *why = why_map(view);
    if (!why) why = why_request(v, request);
    if (!why && wend__cell_factor(view, request->start) == 0) why = "the start is blocked";
    if (!why && request->occupied != WEND_OCCUPIED_IGNORE && wend__version_mover_size(v, request->mover) > 1)
        why = "the mover has several cells, and the request sees units";
    if (!why && request->engine == WEND_ENGINE_AUTO)
        why = "A* is expected to be faster here, as obstacles are small and close together";
    return why ? why : "the costs of steps, or the size of the map, are not served by jump search";
}

/* Returns why an exact search answers a far request; NULL: a route does. */
static const char *why_exact(const wend__version *v, const wend__request *request) {
    const wend__version *view = wend__version_view(v, request->mover);
    if (!view->far)
        return "no far route: the map, or its view for the mover, has no far layer: see wend_map_accelerate()";
    if (wend__leg_hooks.is_stale(view->far)) return "no far route: the far layer is stale: see wend_map_maintain()";
    if (request->more_goal_count > 0) return "no far route: the request has several goals";
    return wend__leg_serves(view, request) ? NULL : "no far route: an end is blocked, or they lie near each other";
}

wend_error wend_request_explain(const wend_request *request, int32_t *engine, const char **why) {
    wend__request own;
    if (!wend__request_take(request, &own)) return WEND_BAD_ARGUMENT;
    wend_error error = wend__request_check(&own);
    if (error) return error;
    wend__version *v = wend__map_newest(own.map);
    const int32_t chosen = wend__request_engine(v, &own);
    if (engine) *engine = chosen;
    if (why) *why = chosen == WEND_ENGINE_JUMP ? NULL : why_not(v, &own);
    const bool far = own.mode == WEND_MODE_FAR || (own.unloaded == WEND_UNLOADED_KNOWN && own.map->streamed);
    if (why && far && why_exact(v, &own)) *why = why_exact(v, &own);
    wend__map_release(v, false);
    return WEND_OK;
}
