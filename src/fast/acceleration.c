/* SPDX-License-Identifier: MIT */
/* Acceleration of a map as a whole: makes, discards and maintains jump tables, landmarks and far layers. */
#include "fast/acceleration.h"
#include "fast/far/far_layer.h"
#include "map/movers/views.h"
#include "fast/stops/units.h"
#include "map/version/map.h"
#include "map/version/version.h"

#include <inttypes.h>

enum { BLOCK_SIDE = 1024, MOST_BLOCKS = 1024, MOST_SIDE = 65535 };

void wend_acceleration_init(wend_acceleration *acceleration, size_t bytes) {
    const wend_acceleration own = wend__default_acceleration();
    wend__sized_init(acceleration, bytes, &own, sizeof own);
}

/* Returns true if the map can have jump tables. */
static bool tables_fit(const wend_map *map) {
    if (map->kind != WEND_KIND_GRID || map->width > MOST_SIDE || map->height > MOST_SIDE) return false;
    const int64_t columns = (map->width - 1) / BLOCK_SIDE + 1, rows = (map->height - 1) / BLOCK_SIDE + 1;
    if (columns * rows > MOST_BLOCKS) return false;
    wend_map_rules rules = {.struct_bytes = sizeof rules};
    wend_map_get_rules(map, &rules);
    return rules.neighbours == 4 || rules.corners == WEND_CORNERS_NEVER;
}

static wend_error check(wend_map *map, const wend_acceleration *def) {
    wend_error error = wend__check_range("reserved", def->reserved, 0, 0);
    if (!error) error = wend__check_landmarks(map, def->landmarks);
    if (!error) error = wend__check_mover(map, def->mover);
    if (!error) error = wend__check_range("far", def->far, WEND_FAR_LARGE, 1);
    if (!error && def->far == 1 && (map->wrap || map->sheets))
        return wend__refuse(WEND_UNSUPPORTED, "far is 1, but a map that wraps, or has sheets, has no far layer");
    if (error || (!def->tables && def->landmarks == 0)) return error;
    if (tables_fit(map) || def->landmarks > 0) return WEND_OK;
    if (wend__map_hexagons(map)) return wend__refuse(WEND_UNSUPPORTED, "hexagons have no jump tables");
    return wend__refuse(WEND_UNSUPPORTED,
                        "jump tables need a flat grid with 4 neighbours, or 8 and corners that are never cut, "
                        "sides up to 65,535, and at most 1,024 blocks of 1,024 x 1,024 cells");
}

static wend_map_info info_of(const wend_map *map) {
    wend_map_info info = {.struct_bytes = sizeof info};
    wend_map_get_info(map, &info);
    return info;
}

static bool asks_far(const wend_map *map, const wend_acceleration *def) {
    const bool large = map->streamed || map->width > WEND_FAR_SIDE || map->height > WEND_FAR_SIDE;
    return map->wrap == 0 && !map->sheets && (def->far == WEND_FAR_LARGE ? large : def->far == 1);
}

/* Returns whether what is made later will keep to max_bytes; see `later` for what counts. */
static bool later_fits(const wend_map *map, const wend_acceleration *def) {
    enum { TABLE_BYTES = 6 * WEND__CHUNK_CELLS, FAR_BYTES = 1024 };
    const uint64_t cells = (uint64_t)map->width * (uint64_t)map->height * (uint64_t)map->depth;
    const uint64_t slots = (uint64_t)def->landmarks << !wend__map_symmetric(map);
    const uint64_t columns = (uint64_t)(map->width - 1) / WEND__CHUNK_SIDE + 1;
    const uint64_t rows = (uint64_t)(map->height - 1) / WEND__CHUNK_SIDE + 1;
    const uint64_t table_bytes = def->tables && tables_fit(map) ? columns * rows * TABLE_BYTES : 0;
    const uint64_t far_bytes = asks_far(map, def) && tables_fit(map) ? columns * rows * FAR_BYTES : 0;
    return !def->later || cells * slots * 2 + table_bytes + far_bytes <= def->max_bytes;
}

static wend_error refuse_bytes(const wend_acceleration *def) {
    return wend__refuse(WEND_OUT_OF_MEMORY,
                        "max_bytes of the acceleration, %" PRIu64 ", is too few: ask for fewer "
                        "landmarks, or for more bytes",
                        def->max_bytes);
}

/* ---- a call: all that can fail happens in one draft ---- */

typedef struct call {
    const wend_acceleration *def;
    int32_t mover;                        ///< on a graph the default one: its landmarks serve all movers
    bool tables, far;                     ///< the mover is to have tables, a far layer
    bool change_tables, change_landmarks; ///< at once, instead of later
    bool change_far;                      ///< make, complete or discard the far layer
    wend__landmark_job *landmarks;        ///< the new ones; NULL: none
} call;

/* With `later` the bytes were compared before. */
static wend_error check_bytes(const call *c, const wend__version *view, uint64_t jump_bytes) {
    const uint64_t landmark_bytes = view->landmarks ? wend__landmarks_bytes(view->landmarks) : 0;
    const uint64_t far_bytes = view->far ? wend__far_bytes(view->far) : 0;
    const uint64_t bytes = (c->tables ? jump_bytes : 0) + landmark_bytes + far_bytes;
    return c->def->later || bytes <= c->def->max_bytes ? WEND_OK : refuse_bytes(c->def);
}

/* Finds the required changes. */
static wend_error compare(const wend_map *map, call *c) {
    const wend_acceleration *def = c->def;
    wend__version *now = wend__map_newest(map);
    const wend__version *view = wend__version_view(now, c->mover);
    c->change_tables = c->tables ? !def->later && (!view->jumps || view->jumps_unpruned) : view->jumps;
    c->change_landmarks =
        (!def->later || def->landmarks == 0) && !wend__landmarks_fresh(view, (uint32_t)def->landmarks);
    c->far = c->far && wend__far_serves(view);
    c->change_far = c->far ? !view->far || (view->far->stale > 0 && !def->later) : view->far != NULL;
    const bool change = c->change_tables || c->change_landmarks || c->change_far;
    const wend_error error = change ? WEND_OK : check_bytes(c, view, info_of(map).jump_bytes);
    wend__map_release(now, false);
    return error;
}

/* Makes tables last, as searches read them most and so find them in the caches. Pruned tables take as many bytes as
 * before, but the base still has the others. */
static wend_error derive(wend_edit *edit, void *context) {
    const call *c = context;
    const bool had = edit->draft->jumps;
    const uint64_t before = info_of(edit->map).jump_bytes;
    wend_error error = c->change_landmarks ? wend__landmarks_adopt(edit, c->landmarks) : WEND_OK;
    if (!error && c->change_tables && c->tables) error = wend__tables_make(edit);
    if (!error && c->change_tables && !c->tables) wend__tables_drop(edit->draft);
    if (!error && c->change_far && c->far) error = wend__far_make(edit, c->def->later);
    if (!error && c->change_far && !c->far) wend__far_drop(edit->draft);
    return error ? error : check_bytes(c, edit->draft, had ? before : info_of(edit->map).jump_bytes);
}

static wend_error derive_in(wend_edit *edit, void *context) {
    const call *c = context;
    return wend__view_change(edit, c->mover, derive, context);
}

static wend_error change(wend_map *map, call *c) {
    const uint32_t count = (uint32_t)c->def->landmarks;
    wend_error error = compare(map, c);
    if (!error && c->change_landmarks && count > 0) error = wend__landmarks_make(map, c->mover, count, &c->landmarks);
    if (!error && (c->change_tables || c->change_landmarks || c->change_far))
        error = wend__map_change(map, c->change_tables || c->change_far, derive_in, c);
    wend__landmark_job_end(map, c->landmarks);
    return error;
}

/* Drops unfinished work made in slices, which has no use now; tables of other movers begin again. */
static void settle(wend_map *map, const call *c) {
    wend_map_rules rules = {.struct_bytes = sizeof rules};
    wend_map_get_rules(map, &rules);
    wend__mutex_lock(map->mutex);
    map->wanted[c->mover] = (wend__wanted){.tables = c->tables, .landmarks = (unsigned)c->def->landmarks & 127};
    wend__mutex_unlock(map->mutex);
    if (c->tables && rules.neighbours == 8) wend__units_want(map); /* with 4, no search uses them */
    if (!c->def->later) wend__tables_end(map), wend__far_drop_job(map);
    if (!c->def->later || c->def->landmarks == 0) wend__landmarks_end(map);
    wend__map_set_landmark_effort(map, c->def->publish_effort);
    atomic_store_explicit(&map->no_far, c->def->far == 0, memory_order_relaxed);
}

wend_error wend_map_accelerate(wend_map *map, const wend_acceleration *def) {
    WEND__ALIVE(map, "the map");
    wend_acceleration own = wend__default_acceleration();
    if (def && !WEND__READ_STRUCT(wend_acceleration, publish_effort, &own, def)) return WEND_BAD_ARGUMENT;
    wend_error error = check(map, &own);
    if (error) return error;
    if (!later_fits(map, &own)) return refuse_bytes(&own);
    call c = {.def = &own, .mover = map->kind == WEND_KIND_GRAPH ? WEND_MOVER_DEFAULT : own.mover};
    c.tables = own.tables && tables_fit(map);
    c.far = asks_far(map, &own);
    error = change(map, &c);
    if (error) return error;
    settle(map, &c);
    if (wend__map_tap(map)) {
        const wend_order order = wend__acceleration_order(&own);
        wend__tap_report(map, &order);
    }
    return WEND_OK;
}

static wend_error restore(wend_map *map, uint32_t tables, uint32_t landmarks, uint64_t publish_effort) {
    wend__map_set_landmark_effort(map, publish_effort);
    if (!tables && landmarks == 0) return WEND_OK;
    wend_acceleration def = wend__default_acceleration();
    if (tables > 1) return wend__refuse_range("tables", tables, 0, 1);
    def.tables = tables;
    def.landmarks = landmarks <= INT32_MAX ? (int32_t)landmarks : -1;
    def.publish_effort = publish_effort;
    wend_error error = check(map, &def);
    call c = {.def = &def, .mover = WEND_MOVER_DEFAULT, .tables = def.tables && tables_fit(map)};
    c.change_tables = c.tables;
    if (!error && c.change_tables) error = wend__map_change(map, false, derive_in, &c);
    if (!error) settle(map, &c);
    return error;
}

static void describe(const wend__version *v, wend_map_info *out) {
    out->far_stale = wend__far_stale(v);
    out->far_levels = v->far ? v->far->levels : 0;
    out->landmarks = v->landmarks ? (int32_t)wend__popcount64(v->landmarks->valid) >> v->landmarks->directed : 0;
    out->landmark_age = v->landmarks_age;
    out->landmark_bytes = v->landmarks ? wend__landmarks_bytes(v->landmarks) : 0;
}

static void put_landmarks(const wend__version *v, wend__put_bytes_fn *put, void *context) {
    if (v->landmarks) wend__landmarks_put(v, put, context);
}

const wend__accelerating wend__accelerator = {
    .accelerate = wend_map_accelerate,
    .make_units = wend__units_make,
    .follow_units = wend__units_follow,
    .set_unit_reader = wend__units_set_reader,
    .describe = describe,
    .landmarks_left = wend__map_landmarks_left,
    .put_landmarks = put_landmarks,
    .take_landmarks = wend__map_restore_landmarks,
    .restore = restore,
};

/* Remaining effort of each kind of work. */
typedef struct backlog {
    uint64_t prune, tables, far, landmarks;
} backlog;

static backlog backlog_of(wend_map *map, uint32_t work) {
    const wend_map_info info = info_of(map);
    return (backlog){.prune = work & WEND_MAINTAIN_PRUNE ? info.jump_unpruned * WEND_PRUNE_EFFORT : 0,
                     .tables = work & WEND_MAINTAIN_TABLES ? wend__map_tables_left(map) : 0,
                     .far = work & WEND_MAINTAIN_FAR ? info.far_stale * WEND_FAR_EFFORT : 0,
                     .landmarks = work & WEND_MAINTAIN_LANDMARKS ? info.landmark_left : 0};
}

/* Returns the units of work that an effort allows: at least one, unless it is 0. */
static uint64_t units_of(uint64_t effort, uint64_t each) {
    return effort / each + (effort > 0 && effort < each);
}

static wend_error make_lacking(wend_map *map, uint32_t work, uint64_t effort) {
    bool any = false;
    const wend_error error = work & WEND_MAINTAIN_TABLES ? wend__map_continue_tables(map, effort, &any) : WEND_OK;
    if (error || any) return error;
    if (backlog_of(map, work & WEND_MAINTAIN_FAR).far > 0) return wend__map_repair_far(map, effort, NULL);
    if (work & WEND_MAINTAIN_FAR) wend__far_drop_job(map); /* its layer may be gone */
    return work & WEND_MAINTAIN_LANDMARKS ? wend__map_continue_landmarks(map, effort) : WEND_OK;
}

wend_error wend_map_maintain(wend_map *map, uint32_t work, uint64_t effort, uint64_t *left) {
    WEND__ALIVE(map, "the map");
    const uint64_t chunks = units_of(effort, WEND_PRUNE_EFFORT);
    wend_error error = wend__check_range("work", work, 1, WEND_MAINTAIN_ALL);
    if (error) return error;
    if (backlog_of(map, work & WEND_MAINTAIN_PRUNE).prune > 0)
        error = wend__map_prune_jumps(map, chunks < UINT32_MAX ? (uint32_t)chunks : UINT32_MAX, NULL);
    else
        error = make_lacking(map, work, effort);
    if (error) return error;
    const backlog now = backlog_of(map, work);
    if (left) *left = now.prune + now.tables + now.far + now.landmarks;
    const uint32_t named = work < WEND_MAINTAIN_ALL ? work : 0; /* work on all kinds names none */
    const wend_order order = {.kind = WEND_ORDER_MAINTAIN,
                              .maintain = {.effort = effort,
                                           .prune = (named & WEND_MAINTAIN_PRUNE) > 0,
                                           .tables = (named & WEND_MAINTAIN_TABLES) > 0,
                                           .landmarks = (named & WEND_MAINTAIN_LANDMARKS) > 0,
                                           .far = (named & WEND_MAINTAIN_FAR) > 0}};
    wend__tap_report(map, &order);
    return WEND_OK;
}
