/* SPDX-License-Identifier: MIT */
/* Replaces this room in libwend-core: the core's own engines and derived data, without acceleration. */
#include "map/chains/link_chains.h"
#include "map/components/components.h"
#include "map/components/link_components.h"
#include "map/movers/views.h"
#include "map/version/accelerator.h"
#include "map/version/derivation.h"
#include "search/engines.h"
#include "search/request/leg.h"

/* Engines and derived data, in the order of engine_table.c and derivations.c. */
const wend__engine *const wend__engines[] = {
    &wend__voxel_astar,
    &wend__graph_astar,
    &wend__grid_astar,
    &wend__general_astar,
};

const wend__derivation wend__derivations[] = {
    {.name = "components",
     .rebuilt_by = WEND__CHANGED_FACTORS | WEND__CHANGED_CONTACT,
     .in_views = true,
     .share = wend__components_share,
     .drop = wend__components_drop,
     .create = wend__components_create,
     .rebuild = wend__components_rebuild},
    {.name = "link components",
     .rebuilt_by = WEND__CHANGED_FACTORS | WEND__CHANGED_CONTACT,
     .in_views = true,
     .share = wend__link_components_share,
     .drop = wend__link_components_drop,
     .rebuild = wend__link_components_rebuild},
    {.name = "chains of links",
     .share = wend__link_chains_share,
     .drop = wend__link_chains_drop,
     .rebuild = wend__link_chains_rebuild},
    {.name = "movers' views", .share = wend__views_share, .drop = wend__views_drop, .rebuild = wend__views_rebuild},
    {.name = NULL},
};

/* Without landmarks or a far layer, no bounds are set up and no legs are found. */
const wend__bound_setup wend__bound_hooks;

static size_t finder_bytes(uint32_t nodes) {
    (void)nodes;
    return 0;
}
static void repair_nothing(wend_map *map, uint64_t effort) {
    (void)map, (void)effort;
}
const wend__leg_finding wend__leg_hooks = {.finder_bytes = finder_bytes, .repair = repair_nothing};

/* ---- maps ---- */

void wend_acceleration_init(wend_acceleration *acceleration, size_t bytes) {
    const wend_acceleration own = wend__default_acceleration();
    wend__sized_init(acceleration, bytes, &own, sizeof own);
}

wend_error wend_map_accelerate(wend_map *map, const wend_acceleration *def) {
    WEND__ALIVE(map, "the map");
    (void)map, (void)def;
    return wend__refuse(WEND_UNSUPPORTED, "libwend-core has no acceleration");
}

wend_error wend_map_maintain(wend_map *map, uint32_t work, uint64_t effort, uint64_t *left) {
    WEND__ALIVE(map, "the map");
    (void)map, (void)effort;
    const wend_error error = wend__check_range("work", work, 1, WEND_MAINTAIN_ALL);
    if (!error && left) *left = 0;
    return error;
}

static void make_no_units(wend_map *map) {
    (void)map;
}

static void follow_no_units(wend_map *map, wend_box chunks) {
    (void)map, (void)chunks;
}

static void set_no_reader(wend_map *map, const void *pool) {
    (void)map, (void)pool;
}

static void describe_nothing(const wend__version *version, wend_map_info *out) {
    (void)version, (void)out;
}
static uint64_t none_left(wend_map *map) {
    (void)map;
    return 0;
}
static void put_nothing(const wend__version *version, wend__put_bytes_fn *put, void *context) {
    (void)version, (void)put, (void)context;
}
/* Ignores the acceleration of a baked map. */
static wend_error skip_landmarks(wend_map *map, const void *bytes, size_t size) {
    (void)map, (void)bytes, (void)size;
    return WEND_OK;
}
static wend_error skip_acceleration(wend_map *map, uint32_t tables, uint32_t landmarks, uint64_t publish_effort) {
    (void)map, (void)tables, (void)landmarks, (void)publish_effort;
    return WEND_OK;
}

const wend__accelerating wend__accelerator = {
    .accelerate = wend_map_accelerate,
    .make_units = make_no_units,
    .follow_units = follow_no_units,
    .set_unit_reader = set_no_reader,
    .describe = describe_nothing,
    .landmarks_left = none_left,
    .put_landmarks = put_nothing,
    .take_landmarks = skip_landmarks,
    .restore = skip_acceleration,
};
