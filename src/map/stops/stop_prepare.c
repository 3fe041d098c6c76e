/* SPDX-License-Identifier: MIT */
/* Making, pruning and discarding jump tables, and with them stops, at the host's request: of any mover. */
#include "map/edit/edit.h"
#include "map/edit/publish.h"
#include "map/jumps/jump_tables.h"
#include "map/movers/views.h"
#include "map/stops/stop_prepare.h"
#include "map/stops/stop_tables.h"
#include "map/store/map_layout.h"
#include "map/version/version.h"

/* ---- a draft, of the map or of a view ---- */

wend_error wend__tables_make(wend_edit *edit) {
    if (edit->draft->jumps) return wend__jumps_prune(edit, UINT32_MAX);
    wend_error error = wend__jumps_make(edit);
    return error ? error : wend__stops_make(edit->draft);
}

void wend__tables_drop(wend__version *draft) {
    wend__jumps_drop(draft);
    wend__stops_drop(draft);
}

/* ---- the newest version ---- */

bool wend__map_has_jumps(const wend_map *map, int32_t mover) {
    wend__version *now = wend__map_newest(map);
    const bool jumps = wend__version_view(now, mover)->jumps;
    wend__map_release(now, false);
    return jumps;
}

static wend_error prepare(wend_edit *edit, void *none) {
    (void)none;
    return wend__tables_make(edit);
}

wend_error wend__map_prepare_jumps(wend_map *map) {
    if (map->kind != WEND_KIND_GRID || map->width > 65535 || map->height > 65535) return WEND_UNSUPPORTED;
    wend__version *now = wend__map_newest(map);
    const bool made = now->jumps && !now->jumps_unpruned;
    wend__map_release(now, false);
    return made ? WEND_OK : wend__map_change(map, true, prepare, NULL);
}

static wend_error drop(wend_edit *edit, void *none) {
    (void)none;
    wend__tables_drop(edit->draft);
    return WEND_OK;
}

wend_error wend__map_drop_jumps(wend_map *map) {
    return wend__map_has_jumps(map, WEND_MOVER_DEFAULT) ? wend__map_change(map, true, drop, NULL) : WEND_OK;
}

/* ---- pruning ---- */

/* How many chunks may be pruned, and how many are left. */
typedef struct pruning {
    uint32_t room, left;
} pruning;

static uint32_t few(uint64_t count) {
    return count < UINT32_MAX ? (uint32_t)count : UINT32_MAX;
}

static uint64_t unpruned_of_all(const wend__version *v) {
    uint64_t unpruned = 0;
    for (int32_t i = 0; i < wend__version_movers(v); i++) unpruned += wend__version_view(v, i)->jumps_unpruned;
    return unpruned;
}

static wend_error prune(wend_edit *edit, void *context) {
    pruning *p = context;
    const uint64_t before = edit->draft->jumps_unpruned;
    wend_error error = wend__jumps_prune(edit, p->room);
    p->room -= few(before - edit->draft->jumps_unpruned);
    return error;
}

static wend_error prune_all(wend_edit *edit, void *context) {
    pruning *p = context;
    wend_error error = WEND_OK;
    for (int32_t i = 0; i < wend__version_movers(edit->draft) && p->room && !error; i++)
        if (wend__version_view(edit->draft, i)->jumps_unpruned) error = wend__view_change(edit, i, prune, p);
    p->left = few(unpruned_of_all(edit->draft));
    return error;
}

wend_error wend__map_prune_jumps(wend_map *map, uint32_t max_chunks, uint32_t *left) {
    wend__version *now = wend__map_newest(map);
    const uint64_t unpruned = unpruned_of_all(now);
    wend__map_release(now, false);
    pruning p = {.room = max_chunks, .left = few(unpruned)};
    wend_error error = unpruned && max_chunks ? wend__map_change(map, true, prune_all, &p) : WEND_OK;
    if (!error && left) *left = p.left;
    return error;
}
