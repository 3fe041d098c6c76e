/* SPDX-License-Identifier: MIT */
/* Making and discarding landmarks at the host's request, and making new ones in slices where edits left too few. */
#include "map/landmarks/landmark_prepare.h"
#include "map/edit/edit.h"
#include "map/edit/publish.h"
#include "map/landmarks/landmark_make.h"
#include "map/landmarks/landmark_tables.h"
#include "map/movers/views.h"
#include "map/store/map_layout.h"
#include "map/store/memory.h"
#include "map/version/job.h"
#include "map/version/map.h"
#include "map/version/version.h"

enum { OLD = 1024 }; /* publishes that changed cells, after which landmarks are made again */

/* Landmarks that are being made in slices. */
typedef struct wend__landmark_job {
    wend__landmark_build *build;
    wend__version *version; ///< a reference
    int32_t mover;
} wend__landmark_job;

/* ---- which version has which ---- */

/* The view whose landmarks a mover's searches read. Those of a graph serve all movers. */
static const wend__version *view_of(const wend__version *v, int32_t mover) {
    return mover < wend__version_movers(v) ? wend__version_view(v, v->kind == WEND_KIND_GRAPH ? 0 : mover) : NULL;
}

static bool stands(const wend__version *view, uint32_t count) {
    const wend__landmarks *l = view->landmarks;
    const uint32_t slots = wend__landmark_slots(view->graph, count);
    return l ? l->count == slots && l->valid == (1u << slots) - 1 : count == 0;
}

/* ---- handing them over ---- */

/* New landmarks (NULL: none), and the view that they were made for. */
typedef struct fresh {
    wend__landmarks *landmarks;
    const wend__version *view;
    int32_t mover;
} fresh;

/* Edits may have been published meanwhile: then the landmarks are repaired. Where none of them is valid any more, and
   some of the old ones are, the view keeps the old ones. */
static wend_error adopt(wend_map *map, wend__version *draft, void *context) {
    const fresh *f = context;
    bool changed = false;
    wend__landmarks *old = f->landmarks ? draft->landmarks : NULL;
    const uint64_t age = draft->landmarks_age;
    if (old) wend__reference_add(map, &old->references);
    const wend_error error = wend__landmarks_carry(map, f->landmarks, f->view, draft, NULL, &changed);
    if (!error && !draft->landmarks && old) {
        draft->landmarks = old, draft->landmarks_age = age;
        return WEND_OK;
    }
    if (!error && draft->landmarks) draft->landmarks_age = changed;
    wend__landmarks_release(map, old);
    return error;
}

static wend_error adopt_in(wend_edit *edit, void *context) {
    const fresh *f = context;
    if (f->mover == WEND_MOVER_DEFAULT) return adopt(edit->map, edit->draft, context);
    return wend__view_change(edit, f->mover, adopt, context);
}

static wend_error hand_over(wend_map *map, fresh *f) {
    const wend_error error = wend__map_change(map, false, adopt_in, f);
    wend__landmarks_release(map, f->landmarks);
    return error;
}

/* ---- jobs ---- */

static void end_job(wend_map *map, wend__landmark_job *job) {
    if (!job) return;
    if (job->build) wend__landmark_build_end(job->build, NULL);
    if (job->version) wend__map_release(job->version, false);
    wend__map_free(map, job, sizeof *job);
}

void wend__landmarks_end(wend_map *map) {
    if (!wend__map_jobs_take(map)) return;
    end_job(map, map->landmark_job);
    map->landmark_job = NULL;
    wend__map_jobs_put(map);
}

/* A job for the mover's landmarks on the newest version. */
static wend_error begin_job(wend_map *map, int32_t mover, uint32_t count, wend__landmark_job **out) {
    wend__landmark_job *job = wend__map_alloc(map, sizeof *job);
    if (!job) return WEND_OUT_OF_MEMORY;
    *job = (wend__landmark_job){.version = wend__map_acquire(map, false), .mover = mover};
    const wend__version *view = view_of(job->version, mover);
    if (view) job->build = wend__landmark_build_begin(map, view, count);
    *out = job->build ? job : NULL;
    if (!job->build) end_job(map, job);
    return *out ? WEND_OK : WEND_OUT_OF_MEMORY;
}

/* Hand its landmarks over, and free it. */
static wend_error finish_job(wend_map *map, wend__landmark_job *job) {
    fresh f = {.view = view_of(job->version, job->mover), .mover = job->mover};
    if (map->kind == WEND_KIND_GRAPH) f.mover = WEND_MOVER_DEFAULT;
    wend_error error = wend__landmark_build_end(job->build, &f.landmarks);
    job->build = NULL;
    if (!error) error = hand_over(map, &f);
    end_job(map, job);
    return error;
}

/* ---- at once ---- */

static wend_error check(wend_map *map, int32_t mover, int32_t count) {
    wend_error error = wend__check_range("landmarks", count, 0, WEND_MAX_LANDMARKS);
    if (!error) error = wend__check_mover(map, mover);
    if (error) return error;
    wend__version *now = wend__map_acquire(map, false);
    const bool fits = wend__version_blocks(now) <= WEND__LANDMARK_BLOCKS;
    wend__map_release(now, false);
    if (fits || count == 0) return WEND_OK;
    return wend__refuse(WEND_UNSUPPORTED, "the map has more than 1,024 blocks of 1,024 x 1,024 cells, the most with "
                                          "landmarks");
}

static void want(wend_map *map, int32_t mover, int32_t count) {
    wend__mutex_lock(map->mutex);
    map->wanted[map->kind == WEND_KIND_GRAPH ? 0 : mover].landmarks = (unsigned)count & 127;
    wend__mutex_unlock(map->mutex);
}

/* Has it that many, and has no cell changed since? */
static bool is_fresh(wend_map *map, int32_t mover, uint32_t count) {
    wend__version *now = wend__map_acquire(map, false);
    const wend__version *view = view_of(now, mover);
    const bool fresh_ones = view && stands(view, count) && view->landmarks_age == 0;
    wend__map_release(now, false);
    return fresh_ones;
}

wend_error wend__map_prepare_landmarks_of(wend_map *map, int32_t mover, int32_t count) {
    wend_error error = check(map, mover, count);
    wend__landmark_job *job = NULL;
    if (error) return error;
    if (!is_fresh(map, mover, (uint32_t)count)) {
        fresh none = {.mover = map->kind == WEND_KIND_GRAPH ? WEND_MOVER_DEFAULT : mover};
        if (count == 0) error = wend__map_change(map, false, adopt_in, &none);
        if (count > 0) error = begin_job(map, mover, (uint32_t)count, &job);
        if (job) wend__landmark_build_run(job->build, UINT64_MAX);
        if (job) error = finish_job(map, job);
    }
    if (error) return error;
    want(map, mover, count);
    wend__landmarks_end(map); /* what was made in slices is of no use any more */
    return WEND_OK;
}

wend_error wend__map_prepare_landmarks(wend_map *map, int32_t count) {
    return wend__map_prepare_landmarks_of(map, WEND_MOVER_DEFAULT, count);
}

void wend__map_set_landmark_effort(wend_map *map, uint64_t cells) {
    atomic_store_explicit(&map->landmark_effort, cells, memory_order_relaxed);
}

/* ---- in slices ---- */

wend_error wend__map_want_landmarks(wend_map *map, int32_t mover, int32_t count) {
    const wend_error error = check(map, mover, count);
    if (!error) want(map, mover, count);
    return error;
}

static uint32_t wanted_by(wend_map *map, int32_t mover) {
    wend__mutex_lock(map->mutex);
    const uint32_t count = map->wanted[mover].landmarks;
    wend__mutex_unlock(map->mutex);
    return count;
}

/* The first mover that lacks landmarks; -1: none does. */
static int32_t lacking(wend_map *map, uint32_t *count) {
    wend__version *now = wend__map_acquire(map, false);
    int32_t found = -1;
    for (int32_t mover = 0; mover < wend__version_movers(now) && found < 0; mover++) {
        *count = wanted_by(map, mover);
        const wend__version *view = view_of(now, mover);
        if (*count > 0 && (!stands(view, *count) || view->landmarks_age >= OLD)) found = mover;
    }
    wend__map_release(now, false);
    return found;
}

/* Go on with a job. Landmarks that are not wanted any more are discarded. */
static wend_error run_job(wend_map *map, wend__landmark_job **job, uint64_t cells) {
    if (!wend__landmark_build_run((*job)->build, cells)) return WEND_OK;
    wend__landmark_job *done = *job;
    *job = NULL;
    const uint32_t wanted = wend__landmark_slots(done->version->graph, wanted_by(map, done->mover));
    if (wanted == done->build->count) return finish_job(map, done);
    end_job(map, done);
    return WEND_OK;
}

wend_error wend__map_continue_landmarks(wend_map *map, uint64_t cells) {
    uint32_t count = 0;
    wend_error error = WEND_OK;
    if (cells == 0 || !wend__map_jobs_take(map)) return WEND_OK;
    wend__landmark_job **job = &map->landmark_job;
    const int32_t mover = *job ? -1 : lacking(map, &count);
    if (mover >= 0) error = begin_job(map, mover, count, job);
    if (*job) error = run_job(map, job, cells);
    wend__map_jobs_put(map);
    return error;
}

uint64_t wend__map_landmarks_left(wend_map *map) {
    uint32_t count;
    wend__mutex_lock(map->mutex);
    const wend__landmark_job *job = map->jobs_taken ? NULL : map->landmark_job;
    const uint64_t left = job ? wend__landmark_build_left(job->build) : 0;
    wend__mutex_unlock(map->mutex);
    if (left > 0) return left;
    const uint64_t cells = (uint64_t)map->width * (uint64_t)map->height * (uint64_t)map->depth;
    return lacking(map, &count) >= 0 ? cells * count : 0;
}
