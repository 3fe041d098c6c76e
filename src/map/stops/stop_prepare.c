/* SPDX-License-Identifier: MIT */
/* Making, pruning and dropping jump tables, and with them stops, at the host's request: of any mover. */
#include "map/edit/edit.h"
#include "map/edit/publish.h"
#include "map/jumps/jump_tables.h"
#include "map/movers/views.h"
#include "map/stops/stop_prepare.h"
#include "map/stops/stop_tables.h"
#include "map/store/map_layout.h"
#include "map/version/version.h"

/* ---- a draft, of the map or of a view ---- */

/* The work to do for a mover; how many chunks may be pruned, and how many are left. */
typedef struct job {
    int32_t mover;
    wend_error (*work)(wend_edit *edit, struct job *job);
    uint32_t room, left;
} job;

static uint32_t few(uint64_t count) {
    return count < UINT32_MAX ? (uint32_t)count : UINT32_MAX;
}

static wend_error prune(wend_edit *edit, job *j) {
    const uint64_t before = edit->draft->jumps_unpruned;
    wend_error error = wend__jumps_prune(edit, j->room);
    j->room -= few(before - edit->draft->jumps_unpruned);
    return error;
}

static wend_error prepare(wend_edit *edit, job *j) {
    if (edit->draft->jumps) return prune(edit, j);
    wend_error error = wend__jumps_make(edit);
    return error ? error : wend__stops_make(edit->draft);
}

static wend_error drop(wend_edit *edit, job *j) {
    (void)j;
    wend__jumps_drop(edit->draft);
    wend__stops_drop(edit->draft);
    return WEND_OK;
}

/* A view is changed by an edit of its own. */
static wend_error work_on_view(wend_map *map, wend__version *view, void *context) {
    job *j = context;
    wend_edit *edit = wend__scratch_edit_of(map, view);
    if (!edit) return WEND_OUT_OF_MEMORY;
    wend_error error = j->work(edit, j);
    edit->draft = NULL; /* it stays the caller's */
    wend__scratch_edit_free(edit);
    return error;
}

static wend_error work_on(wend_edit *edit, void *context) {
    job *j = context;
    if (j->mover == WEND_MOVER_DEFAULT) return j->work(edit, j);
    return wend__view_change(edit, j->mover, work_on_view, j);
}

/* ---- what the host calls ---- */

static void look(const wend_map *map, int32_t mover, bool *jumps, uint64_t *unpruned) {
    wend__version *now = wend__map_newest(map);
    const wend__version *view = wend__version_view(now, mover);
    *jumps = view->jumps;
    *unpruned = view->jumps_unpruned;
    wend__map_release(now, false);
}

bool wend__map_has_jumps(const wend_map *map, int32_t mover) {
    bool jumps;
    uint64_t unpruned;
    look(map, mover, &jumps, &unpruned);
    return jumps;
}

wend_error wend__map_prepare_jumps_of(wend_map *map, int32_t mover) {
    job j = {.mover = mover, .work = prepare, .room = UINT32_MAX};
    bool jumps;
    uint64_t unpruned;
    if (map->kind != WEND_KIND_GRID || map->width > 65535 || map->height > 65535) return WEND_UNSUPPORTED;
    look(map, mover, &jumps, &unpruned);
    return jumps && !unpruned ? WEND_OK : wend__map_change(map, true, work_on, &j);
}

wend_error wend__map_drop_jumps_of(wend_map *map, int32_t mover) {
    job j = {.mover = mover, .work = drop};
    return wend__map_has_jumps(map, mover) ? wend__map_change(map, true, work_on, &j) : WEND_OK;
}

wend_error wend__map_prepare_jumps(wend_map *map) {
    return wend__map_prepare_jumps_of(map, WEND_MOVER_DEFAULT);
}

wend_error wend__map_drop_jumps(wend_map *map) {
    return wend__map_drop_jumps_of(map, WEND_MOVER_DEFAULT);
}

static uint64_t unpruned_of_all(const wend__version *v) {
    uint64_t unpruned = 0;
    for (int32_t i = 0; i < wend__version_movers(v); i++) unpruned += wend__version_view(v, i)->jumps_unpruned;
    return unpruned;
}

static wend_error prune_all(wend_edit *edit, void *context) {
    job *j = context;
    wend_error error = WEND_OK;
    for (j->mover = 0; j->mover < wend__version_movers(edit->draft) && j->room && !error; j->mover++)
        if (wend__version_view(edit->draft, j->mover)->jumps_unpruned) error = work_on(edit, j);
    j->left = few(unpruned_of_all(edit->draft));
    return error;
}

wend_error wend__map_prune_jumps(wend_map *map, uint32_t max_chunks, uint32_t *left) {
    wend__version *now = wend__map_newest(map);
    const uint64_t unpruned = unpruned_of_all(now);
    wend__map_release(now, false);
    job j = {.work = prune, .room = max_chunks, .left = few(unpruned)};
    wend_error error = unpruned && max_chunks ? wend__map_change(map, true, prune_all, &j) : WEND_OK;
    if (!error && left) *left = j.left;
    return error;
}
