/* SPDX-License-Identifier: MIT */
/* Making far layers at the host's request, and making in slices what publishes left stale: of any mover. */
#include "fast/far/far_layer.h"
#include "map/movers/views.h"
#include "map/version/version.h"

wend_error wend__far_make(wend_edit *edit, bool later) {
    wend__version *draft = edit->draft;
    if (!draft->far) draft->far = wend__far_create(edit->map, draft, 0);
    if (!draft->far) return WEND_OUT_OF_MEMORY;
    return later ? WEND_OK : wend__far_repair(edit, UINT64_MAX);
}

uint64_t wend__far_bytes(const wend__far *far) {
    uint64_t bytes = far->shared.bytes;
    for (uint32_t i = 0; i < far->sheet_count; i++) {
        bytes += far->sheets[i]->shared.bytes;
        for (unsigned k = 0; k < WEND__FAR_SLOTS; k++) {
            const wend__shared *object = far->sheets[i]->of[k];
            bytes += object ? object->bytes : 0;
        }
    }
    return bytes;
}

typedef struct preparation {
    int32_t mover, levels;
} preparation;

static wend_error prepare(wend_edit *edit, void *context) {
    const preparation *p = context;
    wend__far_drop(edit->draft);
    edit->draft->far = wend__far_create(edit->map, edit->draft, p->levels);
    return edit->draft->far ? wend__far_repair(edit, UINT64_MAX) : WEND_OUT_OF_MEMORY;
}

static wend_error prepare_in(wend_edit *edit, void *context) {
    const preparation *p = context;
    return wend__view_change(edit, p->mover, prepare, context);
}

wend_error wend__map_prepare_far(wend_map *map, int32_t mover, int32_t levels) {
    preparation p = {mover, levels};
    return wend__map_change(map, true, prepare_in, &p);
}

/* How many objects may be made, and how many are left. */
typedef struct repairs {
    uint64_t room, left;
} repairs;

uint64_t wend__far_stale(const wend__version *v) {
    uint64_t stale = 0;
    for (int32_t i = 0; i < wend__version_movers(v); i++)
        if (wend__version_view(v, i)->far) stale += wend__version_view(v, i)->far->stale;
    return stale;
}

static wend_error repair(wend_edit *edit, void *context) {
    const repairs *r = context;
    return wend__far_repair(edit, r->room);
}

static wend_error repair_all(wend_edit *edit, void *context) {
    repairs *r = context;
    wend_error error = WEND_OK;
    for (int32_t i = 0; i < wend__version_movers(edit->draft) && !error; i++) {
        const wend__far *far = wend__version_view(edit->draft, i)->far;
        if (far && far->stale > 0) error = wend__view_change(edit, i, repair, r);
    }
    r->left = wend__far_stale(edit->draft);
    return error;
}

wend_error wend__map_repair_far(wend_map *map, uint64_t objects, uint64_t *left) {
    wend__version *now = wend__map_newest(map);
    repairs r = {.room = objects, .left = wend__far_stale(now)};
    wend__map_release(now, false);
    const wend_error error = r.left > 0 && objects > 0 ? wend__map_change(map, true, repair_all, &r) : WEND_OK;
    if (!error && left) *left = r.left;
    return error;
}
