/* SPDX-License-Identifier: MIT */
/* Making a watcher, and adding and removing paths. */
#include "map/movers/views.h"
#include "map/query/step_cost.h"
#include "map/store/sort.h"
#include "map/version/map.h"
#include "map/version/version.h"
#include "mark/beside.h"
#include "motion/watch/watch_state.h"
#include <wend/host.h>

/* Telling the host of broken paths, once each, in the order of their adding. */

enum { PATH_BITS = 20 };

static uint64_t key_of(const wend_watcher *w, uint32_t path) {
    return w->paths[path].sequence << PATH_BITS | path;
}

static uint32_t path_of(uint64_t key) {
    return (uint32_t)key & ((UINT32_C(1) << PATH_BITS) - 1);
}

void wend__watch_break(wend_watcher *w, uint32_t number, uint32_t index, wend_cell cell) {
    wend__watched *path = &w->paths[number];
    if (path->state == WEND__WATCH_BROKEN) {
        if (index < path->broken_at && index > path->from) path->broken_at = index, path->cell = cell;
        return; /* with an older serial the next update checks the break again */
    }
    if (path->state != WEND__WATCH_WATCHED || index <= path->from) return;
    path->state = WEND__WATCH_BROKEN;
    path->broken_at = index;
    path->cell = cell;
    path->epoch = w->version->serial;
    w->broken[w->broken_count++] = key_of(w, number);
}

/* A BROKEN path is removed before it was reported. */
static void forget_break(wend_watcher *w, uint32_t number) {
    const uint64_t key = key_of(w, number);
    for (uint32_t i = 0; i < w->broken_count; i++)
        if (w->broken[i] == key) w->broken[i--] = w->broken[--w->broken_count];
}

static void enqueue_path(wend_watcher *w, wend__watch_queue *queue, uint32_t path) {
    w->paths[path].next = WEND__NO_WATCH;
    if (queue->first == WEND__NO_WATCH)
        queue->first = path;
    else
        w->paths[queue->last].next = path;
    queue->last = path;
}

/* Returns WEND__NO_WATCH from an empty queue. */
static uint32_t dequeue_path(wend_watcher *w, wend__watch_queue *queue) {
    const uint32_t path = queue->first;
    if (path != WEND__NO_WATCH) queue->first = w->paths[path].next;
    return path;
}

/* Makes its event ready, unless the agent has gone on beyond the break, or an edit has mended it. */
static bool queue_event(wend_watcher *w, uint32_t number) {
    wend__watched *path = &w->paths[number];
    if (path->broken_at <= path->from || path->epoch != w->version->serial) {
        path->broken_at = wend__watch_walk(w, path);
        if (path->broken_at == path->count) {
            path->state = WEND__WATCH_WATCHED;
            return false;
        }
        path->cell = wend__watched_cell(w, number, path->broken_at);
    }
    path->epoch = w->version->epoch;
    path->state = WEND__WATCH_TOLD;
    w->watched--;
    w->of_mover[path->mover]--;
    enqueue_path(w, &w->told, number);
    return true;
}

/* The next event. The path's cells and pieces are freed when their room is needed. */
static bool pop_event(wend_watcher *w, wend_watch_event *event) {
    const uint32_t number = dequeue_path(w, &w->told);
    if (number == WEND__NO_WATCH) return false;
    wend__watched *path = &w->paths[number];
    *event = (wend_watch_event){.struct_bytes = sizeof *event,
                                .id = {number, path->generation},
                                .cell = path->cell,
                                .index = path->broken_at,
                                .epoch = path->epoch,
                                .context = path->context};
    path->state = WEND__WATCH_DEAD;
    enqueue_path(w, &w->dead, number);
    return true;
}

static void call_host(wend_watcher *w) {
    wend_watch_event event;
    w->calling = true;
    while (pop_event(w, &event)) w->def.on_broken(w->def.context, &event);
    w->calling = false;
}

wend_error wend_watcher_update(wend_watcher *w, size_t *broken) {
    if (w->calling) return wend__refuse(WEND_IN_CALLBACK, "the watcher's callback runs: update it after that");
    wend__watch_sync(w);
    size_t told = 0;
    const uint32_t count = w->broken_count;
    wend__sort_numbers(w->broken, w->scratch, count);
    w->broken_count = 0;
    for (uint32_t i = 0; i < count; i++) told += queue_event(w, path_of(w->broken[i]));
    if (w->def.on_broken) call_host(w);
    if (broken) *broken = told;
    return WEND_OK;
}

wend_error wend_watcher_poll(wend_watcher *w, wend_watch_event *event) {
    wend_watch_event own;
    if (!WEND__FITS(wend_watch_event, context, event)) return WEND_BAD_ARGUMENT;
    if (!pop_event(w, &own)) return wend__refuse(WEND_EMPTY, "no event waits for a poll");
    (void)WEND__GIVE(wend_watch_event, context, event, &own);
    return WEND_OK;
}

enum { MOST_PATHS = 1 << 20, CELLS_A_PATH = 128 };
#define MOST_CELLS (UINT64_C(1) << 31)

/* ---- definition and memory ---- */

static wend_watcher_def default_def(void) {
    return (wend_watcher_def){
        .struct_bytes = sizeof(wend_watcher_def), .paths = 1024, .allocator = wend_allocator_default()};
}

void wend_watcher_def_init(wend_watcher_def *def, size_t bytes) {
    const wend_watcher_def own = default_def();
    wend__sized_init(def, bytes, &own, sizeof own);
}

void wend_watch_init(wend_watch *watch, size_t bytes) {
    const wend_watch own = {.struct_bytes = sizeof own};
    wend__sized_init(watch, bytes, &own, sizeof own);
}

static bool read_def(const wend_watcher_def *theirs, wend_watcher_def *out) {
    *out = default_def();
    if (!WEND__READ_STRUCT(wend_watcher_def, allocator, out, theirs)) return false;
    wend_error error = out->map ? WEND_OK : wend__refuse_null("map");
    if (!error) error = wend__check_range("paths", out->paths, 1, MOST_PATHS);
    if (!error) error = wend__check_size("cells", out->cells, 0, MOST_CELLS);
    if (!error) error = wend__check_allocator(&out->allocator);
    if (error) return false;
    if (!out->cells) out->cells = (uint64_t)out->paths * CELLS_A_PATH;
    return true;
}

/* Where each array begins in the one piece of memory, and how many things it holds. */
typedef struct layout {
    uint64_t tiles_x, tiles_y, tiles;
    uint64_t strands, slot_groups, buckets;
    uint64_t at_strands, at_slot_groups, at_paths, at_keys, at_buckets, bytes;
} layout;

static uint64_t tiles_along(int32_t cells, int32_t shift) {
    return ((uint64_t)cells + (UINT64_C(1) << shift) - 1) >> shift;
}

static int32_t shift_of(int32_t kind) {
    return kind == WEND_KIND_GRID ? 3 : kind == WEND_KIND_VOXEL ? 2 : 6;
}

/* Paths of steps have a piece for every four to eight cells. Each tile may have a slot group that is not full. */
static layout layout_of(const wend_watcher_def *def) {
    int32_t width, height, depth, shift = shift_of(wend__map_kind(def->map));
    wend__map_size(def->map, &width, &height, &depth);
    layout l = {.tiles_x = tiles_along(width, shift), .tiles_y = tiles_along(height, shift)};
    l.tiles = l.tiles_x * l.tiles_y * tiles_along(depth, shift);
    const uint64_t pieces = def->cells / 4 + def->paths;
    l.strands = (def->cells + pieces + 2 * (uint64_t)def->paths) / WEND__STRAND_WORDS + 2 * (uint64_t)def->paths;
    l.slot_groups = pieces / WEND__SLOT_GROUP_PIECES * 5 / 4 + (l.tiles < pieces ? l.tiles : pieces) + 1;
    for (l.buckets = 64; l.buckets < l.slot_groups;) l.buckets *= 2;
    l.at_strands = (sizeof(wend_watcher) + 127) / 128 * 128;
    l.at_slot_groups = l.at_strands + l.strands * sizeof(wend__strand);
    l.at_paths = l.at_slot_groups + l.slot_groups * sizeof(wend__slot_group);
    l.at_keys = l.at_paths + def->paths * sizeof(wend__watched);
    l.at_buckets = l.at_keys + 2 * (uint64_t)def->paths * sizeof(uint64_t);
    l.bytes = l.at_buckets + l.buckets * sizeof(uint32_t);
    return l;
}

size_t wend_watcher_bytes(const wend_watcher_def *def) {
    wend_watcher_def own;
    if (!read_def(def, &own)) return 0;
    const layout l = layout_of(&own);
    return l.bytes <= SIZE_MAX ? (size_t)l.bytes : 0;
}

/* ---- making and freeing ---- */

static void chain_free(wend_watcher *w, const layout *l) {
    for (uint32_t i = 0; i < l->strands; i++) w->strands[i].next = i + 1 < l->strands ? i + 1 : WEND__NO_WATCH;
    for (uint32_t i = 0; i < l->slot_groups; i++)
        w->slot_groups[i].next = i + 1 < l->slot_groups ? i + 1 : WEND__NO_WATCH;
    memset(w->paths, 0, w->def.paths * sizeof *w->paths);
    for (uint32_t i = 0; i < w->def.paths; i++) w->paths[i].next = i + 1 < w->def.paths ? i + 1 : WEND__NO_WATCH;
    memset(w->buckets, 0xFF, (size_t)l->buckets * sizeof *w->buckets);
}

static void place(wend_watcher *w, const wend_watcher_def *def, const layout *l) {
    uint8_t *memory = (uint8_t *)w;
    *w = (wend_watcher){.def = *def,
                        .bytes = (size_t)l->bytes,
                        .shift = shift_of(wend__map_kind(def->map)),
                        .tiles_x = (uint32_t)l->tiles_x,
                        .tiles_y = (uint32_t)l->tiles_y,
                        .told = {WEND__NO_WATCH, WEND__NO_WATCH},
                        .dead = {WEND__NO_WATCH, WEND__NO_WATCH},
                        .bucket_mask = (uint32_t)l->buckets - 1};
    w->shift_x = w->shift;
    w->code_bits = w->shift == 2 ? 5 : 4;
    w->strands = (wend__strand *)(void *)(memory + l->at_strands);
    w->slot_groups = (wend__slot_group *)(void *)(memory + l->at_slot_groups);
    w->paths = (wend__watched *)(void *)(memory + l->at_paths);
    w->broken = (uint64_t *)(void *)(memory + l->at_keys);
    w->scratch = w->broken + def->paths;
    w->buckets = (uint32_t *)(void *)(memory + l->at_buckets);
    chain_free(w, l);
}

wend_error wend_watcher_create(const wend_watcher_def *def, wend_watcher **out) {
    wend_watcher_def own;
    if (!out) return wend__refuse_null("out");
    if (!read_def(def, &own)) return WEND_BAD_ARGUMENT;
    const layout l = layout_of(&own);
    own.allocator = wend__allocator_or_default(own.allocator);
    if (l.bytes > SIZE_MAX || l.strands * WEND__STRAND_WORDS > UINT32_MAX ||
        l.slot_groups >= UINT32_MAX >> WEND__SLOT_GROUP_SHIFT)
        return wend__refuse(WEND_OUT_OF_MEMORY, "cells and paths together are more than a watcher can number");
    wend_watcher *w = wend__allocate(&own.allocator, (size_t)l.bytes, 64);
    if (!w) return WEND_OUT_OF_MEMORY;
    if (!wend__arena_shares(own.map->arena, w)) {
        own.allocator.free(own.allocator.context, w, (size_t)l.bytes);
        return wend__refuse_arenas();
    }
    place(w, &own, &l);
    wend_map_retain(own.map);
    w->version = wend__map_acquire(own.map, false);
    WEND__BORN(w);
    *out = w;
    return WEND_OK;
}

void wend_watcher_destroy(wend_watcher *w) {
    if (!w) return;
    WEND__GONE(w, "the watcher");
    wend_map *map = w->def.map;
    const wend_allocator allocator = w->def.allocator;
    wend__map_release(w->version, false);
    allocator.free(allocator.context, w, w->bytes);
    wend_map_release(map);
}

/* ---- paths ---- */

/* Free the room of a path with a collected event. */
static bool bury_one(wend_watcher *w) {
    const uint32_t number = dequeue_path(w, &w->dead);
    if (number == WEND__NO_WATCH) return false;
    wend__watch_unstore(w, number);
    w->paths[number].state = WEND__WATCH_FREE;
    w->paths[number].next = w->free_path;
    w->free_path = number;
    return true;
}

static wend_error refuse_full(void) {
    return wend__refuse(WEND_BUSY, "no room for another path: see paths and cells of wend_watcher_def");
}

static wend_error refuse_watch(void) {
    return wend__refuse(WEND_STALE_TICKET, "the path is removed or broken, or was never watched");
}

static wend_error check_watch(const wend_watcher *w, const wend_watch *watch) {
    wend_error error = watch->cells ? wend__check_count("cell_count", watch->cell_count) : wend__refuse_null("cells");
    if (!error) error = wend__check_mover_below(wend__version_movers(w->version), watch->mover);
    if (error) return error;
    if (watch->cell_count > w->def.cells) return refuse_full();
    return wend__check_each_cell(w->def.map, "cells", watch->cells, (size_t)watch->cell_count);
}

static bool store(wend_watcher *w, uint32_t number, const wend_watch *watch) {
    wend__watched *path = &w->paths[number];
    w->free_path = path->next;
    *path = (wend__watched){.sequence = ++w->sequence,
                            .context = watch->context,
                            .generation = path->generation + 1,
                            .count = (uint32_t)watch->cell_count,
                            .state = WEND__WATCH_WATCHED,
                            .mover = (uint8_t)watch->mover};
    while (!wend__watch_store(w, number, watch->cells))
        if (!bury_one(w)) {
            path->state = WEND__WATCH_FREE;
            path->next = w->free_path;
            w->free_path = number;
            return false;
        }
    return true;
}

/* The first cell that cannot be entered; the count: none. */
static uint64_t walk(const wend_watcher *w, const wend_watch *watch) {
    uint64_t cost;
    return wend__version_walk(w->version, watch->mover, watch->cells, watch->cell_count - 1, &cost) + 1;
}

wend_error wend_watcher_add(wend_watcher *w, const wend_watch *theirs, wend_watch_id *id) {
    wend_watch watch = {.struct_bytes = sizeof watch};
    if (!WEND__READ_STRUCT(wend_watch, context, &watch, theirs)) return WEND_BAD_ARGUMENT;
    wend__watch_sync(w);
    wend_error error = check_watch(w, &watch);
    if (error) return error;
    for (int i = 0; i < 2; i++) bury_one(w); /* more than one for each that comes: the dead become fewer */
    const uint32_t number = w->free_path;
    if (number == WEND__NO_WATCH || !store(w, number, &watch)) return refuse_full();
    w->watched++;
    w->of_mover[watch.mover]++;
    const uint64_t end = walk(w, &watch);
    if (end < watch.cell_count) wend__watch_break(w, number, (uint32_t)end, watch.cells[end]);
    if (id) *id = (wend_watch_id){number, w->paths[number].generation};
    return WEND_OK;
}

/* The path of an id; NULL: it is stale. */
static wend__watched *find(const wend_watcher *w, wend_watch_id id) {
    if (id.index >= w->def.paths) return NULL;
    wend__watched *path = &w->paths[id.index];
    bool live = path->state == WEND__WATCH_WATCHED || path->state == WEND__WATCH_BROKEN;
    return live && path->generation == id.generation ? path : NULL;
}

wend_error wend_watcher_remove(wend_watcher *w, wend_watch_id id) {
    wend__watched *path = find(w, id);
    if (!path) return refuse_watch();
    if (path->state == WEND__WATCH_BROKEN) forget_break(w, id.index);
    w->watched--;
    w->of_mover[path->mover]--;
    path->state = WEND__WATCH_DEAD;
    enqueue_path(w, &w->dead, id.index);
    return WEND_OK;
}

wend_error wend_watcher_advance(wend_watcher *w, wend_watch_id id, uint32_t index) {
    wend__watched *path = find(w, id);
    if (!path) return refuse_watch();
    if (index >= path->count)
        return wend__refuse(WEND_OUT_OF_RANGE, "index is %u, but the path has %u cells", index, path->count);
    if (index > path->from) path->from = index;
    return WEND_OK;
}

size_t wend_watcher_get_count(const wend_watcher *w) {
    return w->watched;
}
