/* SPDX-License-Identifier: MIT */
/* Acceleration of a map as a whole: makes, discards and maintains jump tables and landmarks. */
#include "map/acceleration.h"
#include "map/landmarks/landmarks.h"
#include "map/movers/views.h"
#include "map/stops/table_job.h"
#include "map/store/map_layout.h"
#include "map/tap/tap.h"
#include "map/units/units.h"
#include "map/version/map.h"
#include "map/version/version.h"

#include <inttypes.h>

enum { BLOCK_SIDE = 1024, MOST_BLOCKS = 1024, MOST_SIDE = 65535 };

static wend_acceleration default_acceleration(void) {
    return (wend_acceleration){.struct_bytes = sizeof(wend_acceleration),
                               .mover = WEND_MOVER_DEFAULT,
                               .tables = 1,
                               .landmarks = 4,
                               .max_bytes = WEND_NO_LIMIT,
                               .publish_effort = WEND_LANDMARK_EFFORT};
}

void wend_acceleration_init(wend_acceleration *acceleration, size_t bytes) {
    const wend_acceleration own = default_acceleration();
    wend__sized_init(acceleration, bytes, &own, sizeof own);
}

/* Can the map have jump tables? */
static bool tables_fit(const wend_map *map) {
    if (map->kind != WEND_KIND_GRID || map->width > MOST_SIDE || map->height > MOST_SIDE) return false;
    const int64_t columns = (map->width - 1) / BLOCK_SIDE + 1, rows = (map->height - 1) / BLOCK_SIDE + 1;
    if (columns * rows > MOST_BLOCKS) return false;
    wend_map_rules rules = {.struct_bytes = sizeof rules};
    wend_map_get_rules(map, &rules);
    return rules.neighbours == 8 && rules.corners == WEND_CORNERS_NEVER;
}

static wend_error check(const wend_map *map, const wend_acceleration *def) {
    wend_error error = wend__check_range("units", def->units, 0, 1);
    if (!error) error = wend__check_range("tables", def->tables, 0, 1);
    if (!error) error = wend__check_range("reserved", def->reserved, 0, 0);
    if (!error) error = wend__check_range("landmarks", def->landmarks, 0, WEND_MAX_LANDMARKS);
    if (!error) error = wend__check_mover(map, def->mover);
    if (error || (!def->tables && def->landmarks == 0)) return error;
    error = wend__check_range("later", def->later, 0, 1);
    if (!error) error = wend__check_range("reserved_later", def->reserved_later, 0, 0);
    if (error) return error;
    if (tables_fit(map) || def->landmarks > 0) return WEND_OK;
    return wend__refuse(WEND_UNSUPPORTED, "jump tables need a flat grid with 8 neighbours, corners that are never cut, "
                                          "sides up to 65,535, and at most 1,024 blocks of 1,024 x 1,024 cells");
}

static wend_map_info info_of(const wend_map *map) {
    wend_map_info info = {.struct_bytes = sizeof info};
    wend_map_get_info(map, &info);
    return info;
}

static wend_error set_tables(wend_map *map, const wend_acceleration *def) {
    const bool tables = def->tables && tables_fit(map);
    wend_error error = WEND_OK;
    if (tables) wend__units_want(map);
    if (!tables) error = wend__map_drop_jumps_of(map, def->mover);
    if (tables && !def->later) error = wend__map_prepare_jumps_of(map, def->mover);
    if (error) return error;
    wend__map_want_tables(map, def->mover, tables);
    if (!def->later) wend__tables_end(map); /* those of all movers that lack some are begun again */
    return WEND_OK;
}

static wend_error set_landmarks(wend_map *map, const wend_acceleration *def) {
    if (def->later && def->landmarks > 0) return wend__map_want_landmarks(map, def->mover, def->landmarks);
    return wend__map_prepare_landmarks_of(map, def->mover, def->landmarks);
}

/* Returns whether tables and landmarks that are made later will keep to max_bytes; see `later` for what counts. */
static bool later_fits(const wend_map *map, const wend_acceleration *def) {
    enum { TABLE_BYTES = 9 * WEND__CHUNK_CELLS };
    const uint64_t cells = (uint64_t)map->width * (uint64_t)map->height * (uint64_t)map->depth;
    const uint64_t slots = wend__landmark_slots(map->graph, (uint32_t)def->landmarks);
    const uint64_t columns = (uint64_t)(map->width - 1) / WEND__CHUNK_SIDE + 1;
    const uint64_t rows = (uint64_t)(map->height - 1) / WEND__CHUNK_SIDE + 1;
    const uint64_t table_bytes = def->tables && tables_fit(map) ? columns * rows * TABLE_BYTES : 0;
    return !def->later || cells * slots * 2 + table_bytes <= def->max_bytes;
}

static wend_error refuse_bytes(const wend_acceleration *def) {
    return wend__refuse(WEND_OUT_OF_MEMORY,
                        "max_bytes of the acceleration, %" PRIu64 ", is too few: ask for fewer "
                        "landmarks, or for more bytes",
                        def->max_bytes);
}

/* The reversible work comes first: parts that the map did not have before are discarded again. Tables are made last
 * where both are new, as searches read them most and so find them in the caches. */
static wend_error make_parts(wend_map *map, const wend_acceleration *def) {
    const wend_map_info before = info_of(map);
    const bool landmarks_first = before.landmarks == 0;
    wend_error error = landmarks_first ? set_landmarks(map, def) : set_tables(map, def);
    if (error) return error;
    error = landmarks_first ? set_tables(map, def) : set_landmarks(map, def);
    const wend_map_info after = info_of(map);
    if (!error && after.jump_bytes + after.landmark_bytes > def->max_bytes) error = refuse_bytes(def);
    if (error && landmarks_first) wend__map_prepare_landmarks_of(map, def->mover, 0);
    if (error && !before.jumps) wend__map_drop_jumps(map);
    return error;
}

static wend_error make_for_mover(wend_map *map, const wend_acceleration *def) {
    const bool had = wend__map_has_jumps(map, def->mover);
    wend_error error = set_tables(map, def);
    if (!error) error = set_landmarks(map, def);
    const wend_map_info after = info_of(map);
    if (!error && after.jump_bytes + after.landmark_bytes > def->max_bytes) error = refuse_bytes(def);
    if (error && !had) wend__map_drop_jumps_of(map, def->mover);
    return error;
}

/* What `later` asked for survives a call that fails. On a graph all movers share the default mover's entry. */
static wend_error make_or_keep(wend_map *map, const wend_acceleration *def) {
    wend__wanted *wanted = &map->wanted[map->kind == WEND_KIND_GRAPH ? WEND_MOVER_DEFAULT : def->mover];
    wend__mutex_lock(map->mutex);
    const wend__wanted before = *wanted;
    wend__mutex_unlock(map->mutex);
    wend_error error = def->mover == WEND_MOVER_DEFAULT ? make_parts(map, def) : make_for_mover(map, def);
    if (!error) return WEND_OK;
    wend__mutex_lock(map->mutex);
    *wanted = before;
    wend__mutex_unlock(map->mutex);
    return error;
}

wend_error wend_map_accelerate(wend_map *map, const wend_acceleration *def) {
    wend_acceleration own = default_acceleration();
    if (def && !WEND__TAKE(wend_acceleration, publish_effort, &own, def)) return WEND_BAD_ARGUMENT;
    wend_error error = check(map, &own);
    if (error) return error;
    if (!later_fits(map, &own)) return refuse_bytes(&own);
    error = make_or_keep(map, &own);
    if (!error) wend__map_set_landmark_effort(map, own.publish_effort);
    if (!error && wend__map_tap(map)) {
        const wend__order order = wend__acceleration_order(&own);
        wend__tap_note(map, &order);
    }
    return error;
}

wend_error wend_map_create(const wend_map_def *def, wend_map **out) {
    const wend_acceleration *acceleration;
    wend_map *map;
    if (!out) return wend__refuse_null("out");
    wend_error error = wend__map_create(def, &acceleration, &map);
    if (error) return error;
    if (acceleration) error = wend_map_accelerate(map, acceleration);
    if (error)
        wend_map_release(map);
    else
        *out = map;
    return error;
}

static uint64_t left_to_do(const wend_map *map) {
    const wend_map_info info = info_of(map);
    return info.jump_unpruned * WEND_PRUNE_EFFORT + wend__map_tables_left((wend_map *)map) + info.landmark_left;
}

static wend_error make_lacking(wend_map *map, uint64_t effort) {
    bool any;
    const wend_error error = wend__map_continue_tables(map, effort, &any);
    return error || any ? error : wend__map_continue_landmarks(map, effort);
}

wend_error wend_map_maintain(wend_map *map, uint64_t effort, uint64_t *left) {
    const uint64_t chunks = effort / WEND_PRUNE_EFFORT + (effort > 0 && effort < WEND_PRUNE_EFFORT);
    wend_error error = WEND_OK;
    if (info_of(map).jump_unpruned > 0)
        error = wend__map_prune_jumps(map, chunks < UINT32_MAX ? (uint32_t)chunks : UINT32_MAX, NULL);
    else
        error = make_lacking(map, effort);
    if (!error && left) *left = left_to_do(map);
    const wend__order order = {.kind = WEND__ORDER_MAINTAIN, .maintain = {effort}};
    if (!error) wend__tap_note(map, &order);
    return error;
}
