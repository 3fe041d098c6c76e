/* SPDX-License-Identifier: MIT */
/* Makes far layers at the host's request, and remakes in slices what publishes left stale, for any mover. */
#include "base/fault.h"
#include "fast/far/far_layer.h"
#include "map/movers/views.h"
#include "map/store/memory.h"
#include "map/version/version.h"

wend_error wend__far_make(wend_edit *edit, bool later) {
    wend__version *draft = edit->draft;
    if (!draft->far) draft->far = wend__far_create(edit->map, draft, 0);
    if (!draft->far) return WEND_OUT_OF_MEMORY;
    return later ? WEND_OK : wend__far_repair(edit);
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
    return edit->draft->far ? wend__far_repair(edit) : WEND_OUT_OF_MEMORY;
}

static wend_error prepare_in(wend_edit *edit, void *context) {
    const preparation *p = context;
    return wend__view_change(edit, p->mover, prepare, context);
}

wend_error wend__map_prepare_far(wend_map *map, int32_t mover, int32_t levels) {
    preparation p = {mover, levels};
    return wend__map_change(map, true, prepare_in, &p);
}

/* ---- in slices ---- */

/* The effort left of a call, and its current job. */
typedef struct repairs {
    wend__far_job *job;
    int32_t mover;
    uint64_t effort;
} repairs;

uint64_t wend__far_stale(const wend__version *v) {
    uint64_t stale = 0;
    for (int32_t i = 0; i < wend__version_movers(v); i++)
        if (wend__version_view(v, i)->far) stale += wend__version_view(v, i)->far->stale;
    return stale;
}

/* Adopts a finished job and goes on in the draft. */
static wend_error repair(wend_edit *edit, void *context) {
    repairs *r = context;
    wend_map *map = edit->map;
    wend__version *draft = edit->draft;
    wend__far *far = wend__far_copy(map, draft->far);
    wend_error error = far ? WEND_OK : WEND_OUT_OF_MEMORY;
    while (!error) {
        if (wend__far_job_is_done(r->job)) error = wend__far_job_adopt(map, r->job, draft, far, &r->effort);
        if (error || r->effort == 0 || far->stale == 0) break;
        if (!wend__far_job_is_busy(r->job)) error = wend__far_job_begin(map, r->job, r->mover, draft, far, &r->effort);
        if (!error) wend__far_job_continue(r->job, &r->effort);
    }
    wend__shared_release(map, error ? far : draft->far);
    if (!error) draft->far = far;
    return error;
}

wend_error wend__far_repair(wend_edit *edit) {
    repairs r = {.job = wend__far_job_create(edit->map), .effort = UINT64_MAX};
    const wend_error error = r.job ? repair(edit, &r) : WEND_OUT_OF_MEMORY;
    wend__far_job_free(edit->map, r.job);
    return error;
}

/* The job's mover comes first; if nothing in its layer is stale, the job is dropped. A job that is begun in the draft,
 * and unfinished when the effort is spent, reads the draft from then on. */
static wend_error repair_all(wend_edit *edit, void *context) {
    const bool fault = WEND__FAULT("far-job-version");
    repairs *r = context;
    wend__version *draft = edit->draft;
    const int32_t movers = wend__version_movers(draft), first = wend__far_job_mover(r->job);
    wend_error error = WEND_OK;
    for (int32_t i = 0; i < movers && !error && (r->effort > 0 || i == 0); i++) {
        r->mover = (first + i) % movers;
        const wend__far *far = wend__version_view(draft, r->mover)->far;
        const bool stale = far && far->stale > 0;
        if (stale) error = wend__view_change(edit, r->mover, repair, r);
        if (!stale && i == 0 && !fault) wend__far_job_drop(r->job);
        if (wend__far_job_is_busy(r->job)) break;
    }
    if (error || !wend__far_job_is_busy(r->job) || (wend__far_job_holds(r->job) && !fault)) return error;
    wend__mutex_lock(edit->map->mutex);
    draft->references++;
    wend__mutex_unlock(edit->map->mutex);
    wend__far_job_hold(r->job, draft);
    return WEND_OK;
}

/* Returns the first mover with stale objects in its layer; -1: none. */
static int32_t mover_to_repair(const wend__version *v) {
    for (int32_t i = 0; i < wend__version_movers(v); i++)
        if (wend__version_view(v, i)->far && wend__version_view(v, i)->far->stale > 0) return i;
    return -1;
}

/* Begins or continues one object, without a new version. */
static wend_error run_slice(wend_map *map, repairs *r) {
    wend_error error = WEND_OK;
    if (!wend__far_job_is_busy(r->job)) {
        wend__version *now = wend__map_acquire(map, false);
        const int32_t mover = mover_to_repair(now);
        const wend__version *view = mover >= 0 ? wend__version_view(now, mover) : NULL;
        if (view) error = wend__far_job_begin(map, r->job, mover, view, view->far, &r->effort);
        if (wend__far_job_is_busy(r->job))
            wend__far_job_hold(r->job, now);
        else
            wend__map_release(now, false);
    }
    if (wend__far_job_is_busy(r->job) && !wend__far_job_is_done(r->job)) wend__far_job_continue(r->job, &r->effort);
    return error;
}

static wend_error continue_job(wend_map *map, uint64_t effort) {
    repairs r = {.job = map->far_job ? map->far_job : wend__far_job_create(map), .effort = effort};
    wend_error error = r.job ? run_slice(map, &r) : WEND_OUT_OF_MEMORY;
    if (!error && wend__far_job_is_done(r.job)) error = wend__map_change(map, true, repair_all, &r);
    const bool keep = r.job && wend__far_job_is_busy(r.job) && (!error || error == WEND_IN_USE);
    if (!keep) wend__far_job_free(map, r.job);
    map->far_job = keep ? r.job : NULL;
    return error;
}

static uint64_t stale_now(wend_map *map) {
    wend__version *now = wend__map_newest(map);
    const uint64_t stale = wend__far_stale(now);
    wend__map_release(now, false);
    return stale;
}

wend_error wend__map_repair_far(wend_map *map, uint64_t effort, uint64_t *left) {
    const bool any = stale_now(map) > 0 && effort > 0;
    if (any && !wend__map_jobs_claim(map)) return WEND_OK;
    const wend_error error = any ? continue_job(map, effort) : WEND_OK;
    if (any) wend__map_jobs_put(map);
    if (!error && left) *left = stale_now(map);
    return error;
}

void wend__far_drop_job(wend_map *map) {
    if (!wend__map_jobs_claim(map)) return;
    wend__far_job_free(map, map->far_job);
    map->far_job = NULL;
    wend__map_jobs_put(map);
}
