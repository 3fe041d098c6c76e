/* SPDX-License-Identifier: MIT */
/* Making, pruning and dropping jump tables, and with them stops, at the host's request. */
#include "map/edit/edit.h"
#include "map/edit/publish.h"
#include "map/jumps/jump_tables.h"
#include "map/stops/stop_prepare.h"
#include "map/stops/stop_tables.h"
#include "map/store/map_layout.h"
#include "map/version/version.h"

static void look(const wend_map *map, bool *jumps, uint64_t *unpruned) {
    wend__version *now = wend__map_newest(map);
    *jumps = now->jumps;
    *unpruned = now->jumps_unpruned;
    wend__map_release(now, false);
}

/* How much is to be pruned; and what is left then. */
typedef struct pruning {
    uint32_t room, left;
} pruning;

static uint32_t few(uint64_t count) {
    return count < UINT32_MAX ? (uint32_t)count : UINT32_MAX;
}

static wend_error prune_some(wend_edit *edit, void *context) {
    pruning *p = context;
    wend_error error = wend__jumps_prune(edit, p->room);
    p->left = few(edit->draft->jumps_unpruned);
    return error;
}

static wend_error prepare(wend_edit *edit, void *context) {
    (void)context;
    if (edit->draft->jumps) return wend__jumps_prune(edit, UINT32_MAX);
    wend_error error = wend__jumps_make(edit);
    return error ? error : wend__stops_make(edit->draft);
}

static wend_error drop(wend_edit *edit, void *context) {
    (void)context;
    wend__jumps_drop(edit->draft);
    wend__stops_drop(edit->draft);
    return WEND_OK;
}

wend_error wend__map_prepare_jumps(wend_map *map) {
    bool jumps;
    uint64_t unpruned;
    if (map->kind != WEND_KIND_GRID || map->width > 65535 || map->height > 65535) return WEND_UNSUPPORTED;
    look(map, &jumps, &unpruned);
    return jumps && !unpruned ? WEND_OK : wend__map_change(map, true, prepare, NULL);
}

wend_error wend__map_drop_jumps(wend_map *map) {
    bool jumps;
    uint64_t unpruned;
    look(map, &jumps, &unpruned);
    return jumps ? wend__map_change(map, true, drop, NULL) : WEND_OK;
}

wend_error wend__map_prune_jumps(wend_map *map, uint32_t max_chunks, uint32_t *left) {
    bool jumps;
    uint64_t unpruned;
    look(map, &jumps, &unpruned);
    pruning p = {.room = max_chunks, .left = few(unpruned)};
    wend_error error = unpruned && max_chunks ? wend__map_change(map, true, prune_some, &p) : WEND_OK;
    if (!error && left) *left = p.left;
    return error;
}
