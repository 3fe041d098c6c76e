/* SPDX-License-Identifier: MIT */
/* Makes and discards landmarks at the host's request, and makes new ones in slices if edits left too few. */
#include "fast/landmarks/landmark_make.h"
#include "map/movers/views.h"
#include "map/store/memory.h"
#include "map/version/map.h"
#include "map/version/version.h"

/* Landmarks are made again after OLD publishes that changed cells, or after changes to one cell in OLD_SHARE: by then
 * many paths differ. Repairing for closed cells would take longer. */
enum { OLD = 1024, OLD_SHARE = 256 };

/* A job for landmarks, running or finished. */
struct wend__landmark_job {
    wend__landmark_build *build; ///< NULL: the job is finished
    wend__landmarks *landmarks;  ///< NULL: the job is running
    wend__version *version;      ///< a reference
    int32_t mover;
};

static bool stands(const wend__version *view, uint32_t count) {
    const wend__landmarks *l = view->landmarks;
    const uint32_t slots = wend__landmark_slots(view->graph, count);
    return l ? l->count == slots && l->valid == (1u << slots) - 1 : count == 0;
}

bool wend__landmarks_fresh(const wend__version *view, uint32_t count) {
    return stands(view, count) && view->landmarks_age == 0;
}

/* ---- jobs ---- */

void wend__landmark_job_end(wend_map *map, wend__landmark_job *job) {
    if (!job) return;
    if (job->build) wend__landmark_build_end(job->build, NULL);
    wend__landmarks_release(map, job->landmarks);
    wend__map_release(job->version, false);
    wend__map_free(map, job, sizeof *job);
}

void wend__landmarks_end(wend_map *map) {
    if (!wend__map_jobs_claim(map)) return;
    wend__landmark_job_end(map, map->landmark_job);
    map->landmark_job = NULL;
    wend__map_jobs_put(map);
}

/* A job for the mover's landmarks on the newest version. */
static wend_error begin_job(wend_map *map, int32_t mover, uint32_t count, wend__landmark_job **out) {
    wend__landmark_job *job = wend__map_alloc(map, sizeof *job);
    if (!job) return WEND_OUT_OF_MEMORY;
    *job = (wend__landmark_job){.version = wend__map_acquire(map, false), .mover = mover};
    job->build = wend__landmark_build_begin(map, wend__version_view(job->version, mover), count);
    *out = job->build ? job : NULL;
    if (!job->build) wend__landmark_job_end(map, job);
    return *out ? WEND_OK : WEND_OUT_OF_MEMORY;
}

/* Ends a finished or failed build: the job keeps only the landmarks. */
static wend_error complete_job(wend__landmark_job *job) {
    wend_error error = wend__landmark_build_end(job->build, &job->landmarks);
    job->build = NULL;
    return error;
}

wend_error wend__landmarks_make(wend_map *map, int32_t mover, uint32_t count, wend__landmark_job **out) {
    wend_error error = begin_job(map, mover, count, out);
    if (error) return error;
    wend__landmark_build_run((*out)->build, UINT64_MAX);
    return complete_job(*out);
}

/* ---- publishing the result ---- */

wend_error wend__landmarks_adopt(wend_edit *edit, void *context) {
    const wend__landmark_job *job = context;
    wend__version *draft = edit->draft;
    wend__landmarks *old = draft->landmarks;
    const wend__restored_landmarks before = {old, draft->landmarks_age, draft->landmarks_changes};
    uint64_t changes = 0;
    if (!job) {
        wend__landmarks_drop(draft);
        return WEND_OK;
    }
    wend__shared_retain(edit->map, old);
    const wend__version *made_for = wend__version_view(job->version, job->mover);
    wend_error error = wend__landmarks_carry(edit->map, job->landmarks, made_for, draft, NULL, &changes);
    if (!error && !draft->landmarks && old) {
        draft->landmarks = old, draft->landmarks_age = before.age, draft->landmarks_changes = before.changes;
        return WEND_OK;
    }
    if (!error && draft->landmarks) wend__landmarks_set_age(draft, 0, 0, changes);
    wend__landmarks_release(edit->map, old);
    return error;
}

static wend_error adopt_in(wend_edit *edit, void *context) {
    const wend__landmark_job *job = context;
    return wend__view_change(edit, job->mover, wend__landmarks_adopt, context);
}

/* ---- from a file ---- */

static wend_error restore(wend_edit *edit, void *context) {
    const wend__restored_landmarks *from = context;
    wend__landmarks_drop(edit->draft);
    edit->draft->landmarks = from->landmarks, edit->draft->landmarks_age = from->age;
    edit->draft->landmarks_changes = from->changes;
    wend__shared_retain(edit->map, from->landmarks);
    return WEND_OK;
}

/* ---- at once ---- */

wend_error wend__check_landmarks(wend_map *map, int32_t count) {
    wend_error error = wend__check_range("landmarks", count, 0, WEND_MAX_LANDMARKS);
    if (error) return error;
    wend__version *now = wend__map_acquire(map, false);
    const bool fits = wend__version_blocks(now) <= WEND__LANDMARK_BLOCKS;
    wend__map_release(now, false);
    if (fits || count == 0) return WEND_OK;
    return wend__refuse(WEND_UNSUPPORTED, "the map has more than 1,024 blocks of 1,024 x 1,024 cells, the most with "
                                          "landmarks");
}

wend_error wend__map_restore_landmarks(wend_map *map, const void *bytes, size_t size) {
    wend__restored_landmarks restored;
    wend__version *now = wend__map_newest(map);
    wend_error error = wend__check_landmarks(map, 1);
    if (!error) error = wend__landmarks_restore(map, now, bytes, size, &restored);
    wend__map_release(now, false);
    if (error) return error;
    error = wend__map_change(map, false, restore, &restored);
    wend__landmarks_release(map, restored.landmarks);
    return error;
}

wend_error wend__map_prepare_landmarks(wend_map *map, int32_t count) {
    wend__landmark_job *job = NULL;
    wend_error error = wend__check_landmarks(map, count);
    if (!error && count > 0) error = wend__landmarks_make(map, WEND_MOVER_DEFAULT, (uint32_t)count, &job);
    if (!error) error = wend__map_change(map, false, wend__landmarks_adopt, job);
    wend__landmark_job_end(map, job);
    if (error) return error;
    wend__mutex_lock(map->mutex);
    map->wanted[WEND_MOVER_DEFAULT].landmarks = (unsigned)count & 127;
    wend__mutex_unlock(map->mutex);
    wend__landmarks_end(map);
    return WEND_OK;
}

void wend__map_set_landmark_effort(wend_map *map, uint64_t cells) {
    atomic_store_explicit(&map->landmark_effort, cells, memory_order_relaxed);
}

/* ---- in slices ---- */

static uint32_t wanted_by(wend_map *map, int32_t mover) {
    wend__mutex_lock(map->mutex);
    const uint32_t count = map->wanted[mover].landmarks;
    wend__mutex_unlock(map->mutex);
    return count;
}

static bool is_old(const wend__version *view) {
    const uint64_t cells = (uint64_t)view->width * (uint64_t)view->height * (uint64_t)view->depth;
    const uint64_t most = cells / OLD_SHARE > OLD ? cells / OLD_SHARE : OLD;
    return view->landmarks_age >= OLD || view->landmarks_changes >= most;
}

/* Returns the first mover without landmarks; -1: none. */
static int32_t lacking(wend_map *map, uint32_t *count) {
    wend__version *now = wend__map_acquire(map, false);
    int32_t found = -1;
    for (int32_t mover = 0; mover < wend__version_movers(now) && found < 0; mover++) {
        *count = wanted_by(map, mover);
        const wend__version *view = wend__version_view(now, mover);
        if (*count > 0 && (!stands(view, *count) || is_old(view))) found = mover;
    }
    wend__map_release(now, false);
    return found;
}

/* Continues a job. Discards landmarks that are not wanted any more. */
static wend_error run_job(wend_map *map, wend__landmark_job **job, uint64_t cells) {
    if (!wend__landmark_build_run((*job)->build, cells)) return WEND_OK;
    wend__landmark_job *done = *job;
    *job = NULL;
    wend_error error = WEND_OK;
    if (wend__landmark_slots(done->version->graph, wanted_by(map, done->mover)) == done->build->count) {
        error = complete_job(done);
        if (!error) error = wend__map_change(map, false, adopt_in, done);
    }
    wend__landmark_job_end(map, done);
    return error;
}

wend_error wend__map_continue_landmarks(wend_map *map, uint64_t cells) {
    uint32_t count = 0;
    wend_error error = WEND_OK;
    if (cells == 0 || !wend__map_jobs_claim(map)) return WEND_OK;
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
