/* SPDX-License-Identifier: MIT */
/* Making, repairing and dropping landmarks at the host's request. */
#include "map/edit/edit.h"
#include "map/edit/publish.h"
#include "map/landmarks/landmark_tables.h"
#include "map/landmarks/landmarks.h"
#include "map/store/map_layout.h"
#include "map/version/version.h"
#include "map/landmarks/landmark_prepare.h"

/* New landmarks, and the version that they were made for. */
typedef struct fresh {
    wend__landmarks *landmarks;
    const wend__version *version;
} fresh;

/* Edits may have been published meanwhile: then the landmarks are repaired. Where none of them is valid yet, and some
   of the old ones are, the version keeps the old ones. */
static wend_error adopt(wend_edit *edit, void *context) {
    const fresh *f = context;
    wend__version *draft = edit->draft;
    bool changed = false;
    const wend_error error =
        wend__landmarks_carry(f->landmarks, f->version, draft, edit->map->landmark_effort, &changed);
    if (error) return error;
    if (draft->landmarks) draft->landmarks_age = changed;
    if (draft->landmarks && (wend__landmarks_usable(draft) || !wend__landmarks_usable(edit->base))) return WEND_OK;
    wend__landmarks_drop(draft);
    wend__landmarks_share(draft, edit->base);
    return WEND_OK;
}

static wend_error give_up(wend_edit *edit, void *context) {
    (void)context;
    wend__landmarks_drop(edit->draft);
    return WEND_OK;
}

/* Has it that many, and has no step changed since? */
static bool is_fresh(const wend__version *v, uint32_t count) {
    return v->landmarks && v->landmarks->count == count && v->landmarks_age == 0;
}

static wend_error make(wend_map *map, const wend__version *now, uint32_t count) {
    fresh f = {.version = now};
    if (is_fresh(now, count)) return WEND_OK;
    wend_error error = wend__landmarks_build(now, count, &f.landmarks);
    if (error) return error;
    error = wend__map_change(map, false, adopt, &f);
    wend__landmarks_release(map, f.landmarks);
    return error;
}

wend_error wend__map_prepare_landmarks(wend_map *map, int32_t count) {
    if (count < 0 || count > WEND_MAX_LANDMARKS) return WEND_BAD_ARGUMENT;
    wend__version *now = wend__map_acquire(map, false);
    wend_error error = WEND_UNSUPPORTED;
    if (count == 0)
        error = now->landmarks ? wend__map_change(map, false, give_up, NULL) : WEND_OK;
    else if (map->kind == WEND_KIND_GRID && wend__version_blocks(now) <= WEND__LANDMARK_BLOCKS)
        error = make(map, now, (uint32_t)count);
    wend__map_release(now, false);
    return error;
}

void wend__map_set_landmark_effort(wend_map *map, uint64_t cells) {
    atomic_store_explicit(&map->landmark_effort, cells, memory_order_relaxed);
}

static wend_error mend(wend_edit *edit, void *effort) {
    return wend__landmarks_repair_draft(edit, *(const uint64_t *)effort);
}

static uint64_t left_to_mend(wend_map *map) {
    wend__version *now = wend__map_acquire(map, false);
    const uint64_t left = wend__landmarks_queued(now->landmarks);
    wend__map_release(now, false);
    return left;
}

wend_error wend__map_mend_landmarks(wend_map *map, uint64_t cells, uint64_t *left) {
    wend_error error = cells > 0 && left_to_mend(map) > 0 ? wend__map_change(map, false, mend, &cells) : WEND_OK;
    if (left) *left = left_to_mend(map);
    return error;
}
