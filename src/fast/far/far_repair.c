/* SPDX-License-Identifier: MIT */
/* Remakes stale objects of a layer, from the lowest level up. An area with an equal result changes nothing above it; an
 * area with a changed border makes the one beyond stale. So the repair ends where nothing differs any more. */
#include "base/fault.h"
#include "fast/far/far_layer.h"
#include "map/store/memory.h"
#include "map/version/version.h"

static bool same_record(const wend__far_record *a, const wend__far_record *b) {
    const size_t from = offsetof(wend__far_record, first);
    return a && a->shared.bytes == b->shared.bytes &&
           memcmp((const char *)a + from, (const char *)b + from, a->shared.bytes - from) == 0;
}

/* Returns whether two areas have the same gates on the border between them. */
static bool same_gates(const wend__far_record *here, unsigned side, const wend__far_record *there) {
    const unsigned opposite = side ^ 2;
    const int count = here->first[side + 1] - here->first[side];
    if (there->first[opposite + 1] - there->first[opposite] != count) return false;
    for (uint32_t i = here->first[side], j = there->first[opposite]; i < here->first[side + 1]; i++, j++)
        if (wend__far_places(here)[i] != wend__far_places(there)[j]) return false;
    return true;
}

/* Returns whether two areas agree on the gates of the border between them, and on what its crossings cost. */
static bool same_border(const wend__far_record *here, unsigned side, const wend__far_record *there) {
    if (!same_gates(here, side, there)) return false;
    for (uint32_t i = here->first[side], j = there->first[side ^ 2]; i < here->first[side + 1]; i++, j++)
        if (wend__far_crossing(here, i, false) != wend__far_crossing(there, j, true) ||
            wend__far_crossing(here, i, true) != wend__far_crossing(there, j, false))
            return false;
    return true;
}

/* Marks as stale what depends on a changed record: the record above or, at the top, its numbers; and areas beyond its
 * borders with other gates there. */
static bool mark_dependents(wend_map *map, wend__far *far, wend__far_area a) {
    const wend__far_record *here = wend__far_get(far, a);
    const bool top = a.level == far->levels - 1;
    const wend__far_area numbers = {WEND__FAR_NUMBERS, a.column, a.row};
    if (top) far->age++;
    if (!wend__far_mark_stale(map, far, top ? numbers : wend__far_above(a))) return false;
    for (unsigned side = 0; side < 4; side++) {
        const wend__far_area beyond = wend__far_beyond(a, side);
        if (!wend__far_has(far, beyond) || wend__far_is_stale(far, beyond)) continue;
        if (!same_border(here, side, wend__far_get(far, beyond)) && !wend__far_mark_stale(map, far, beyond))
            return false;
    }
    return true;
}

/* An unchanged record changes nothing above it. But the area may have had other cells while it was stale, and areas
 * around were made from these: they are stale if they have other gates. A chunk that is not loaded keeps its gates, and
 * the chunks around it are made from them. */
static bool keep_record(wend_map *map, wend__far *far, const wend__version *view, wend__far_area a) {
    if (!wend__far_put(map, far, a, NULL)) return false;
    for (unsigned side = 0; side < 4 && !WEND__FAULT("far-job-version"); side++) {
        const wend__far_area beyond = wend__far_beyond(a, side);
        if (!wend__far_has(far, beyond) || wend__far_is_stale(far, beyond)) continue;
        if (same_gates(wend__far_get(far, a), side, wend__far_get(far, beyond))) continue;
        if (a.level == 0 && wend__far_kept(view, far, beyond)) continue;
        if (!wend__far_mark_stale(map, far, beyond)) return false;
    }
    return true;
}

wend_error wend__far_put_made(wend_map *map, wend__far *far, wend__far_maker *maker, wend__far_area a) {
    const wend__far_record *before = wend__far_get(far, a);
    wend__far_record *now = wend__far_record_end(map, maker);
    if (!now) return WEND_OUT_OF_MEMORY;
    if (same_record(before, now)) {
        wend__shared_release(map, now);
        return keep_record(map, far, maker->view, a) ? WEND_OK : WEND_OUT_OF_MEMORY;
    }
    wend__shared_retain(map, before);
    bool enough = wend__far_put(map, far, a, now);
    if (enough && a.level == far->levels - 1) enough = wend__far_numbers_move(map, far, a, before);
    enough = enough && mark_dependents(map, far, a);
    wend__shared_release(map, before);
    return enough ? WEND_OK : WEND_OUT_OF_MEMORY;
}

wend_error wend__far_remake_from(wend_map *map, wend__far *far, const wend__version *view, wend__far_area a) {
    wend__far_maker *maker = wend__map_alloc(map, sizeof *maker);
    uint64_t effort = UINT64_MAX;
    if (!maker) return WEND_OUT_OF_MEMORY;
    wend__far_maker_init(maker, view, far);
    wend__far_record_begin(maker, a, &effort);
    wend__far_record_continue(maker, a, &effort);
    const wend_error error = wend__far_put_made(map, far, maker, a);
    wend__map_free(map, maker, sizeof *maker);
    return error;
}

/* ---- a job: one stale object under way ---- */

struct wend__far_job {
    int32_t mover;
    bool busy, done;
    wend__version *version; ///< a reference to the version of the job's view and layer; NULL: the caller holds one
    wend__far_area area;
    wend__far_ground *ground; ///< landmark numbers being made; NULL: none, or nothing is to be done
    wend__far_maker maker;
};

wend__far_job *wend__far_job_create(wend_map *map) {
    wend__far_job *job = wend__map_alloc(map, sizeof *job);
    if (job) job->busy = false, job->version = NULL, job->ground = NULL;
    return job;
}

static void let_go(wend__far_job *job) {
    wend__far_numbers_end(job->ground);
    if (job->version) wend__map_release(job->version, false);
    job->version = NULL;
    job->ground = NULL;
    job->busy = false;
}

void wend__far_job_free(wend_map *map, wend__far_job *job) {
    if (!job) return;
    let_go(job);
    wend__map_free(map, job, sizeof *job);
}

bool wend__far_job_is_busy(const wend__far_job *job) {
    return job->busy;
}

bool wend__far_job_is_done(const wend__far_job *job) {
    return job->busy && job->done;
}

int32_t wend__far_job_mover(const wend__far_job *job) {
    return job->busy ? job->mover : 0;
}

void wend__far_job_drop(wend__far_job *job) {
    let_go(job);
}

bool wend__far_job_holds(const wend__far_job *job) {
    return job->version;
}

/* Holds the version that a job was begun on for as long as the job is busy. */
void wend__far_job_hold(wend__far_job *job, wend__version *version) {
    WEND__DEBUG_ASSERT((job->busy && !job->version) || WEND__FAULT("far-job-version"));
    wend__version *before = job->version;
    job->version = version;
    if (before) wend__map_release(before, false);
}

wend_error wend__far_job_begin(wend_map *map, wend__far_job *job, int32_t mover, const wend__version *view,
                               const wend__far *far, uint64_t *effort) {
    if (!wend__far_first_stale(far, &job->area)) return WEND_OK;
    wend_error error = WEND_OK;
    job->mover = mover;
    job->ground = NULL;
    job->done = false;
    wend__far_maker_init(&job->maker, view, far);
    if (job->area.level == WEND__FAR_NUMBERS)
        error = wend__far_numbers_begin(map, far, job->area, &job->ground, effort);
    else
        wend__far_record_begin(&job->maker, job->area, effort);
    job->busy = error == WEND_OK;
    return error;
}

void wend__far_job_continue(wend__far_job *job, uint64_t *effort) {
    if (job->area.level == WEND__FAR_NUMBERS)
        job->done = !job->ground || wend__far_numbers_continue(job->ground, effort);
    else
        job->done = wend__far_record_continue(&job->maker, job->area, effort);
}

/* ---- adopting the result ---- */

static bool same_chunk(const wend__version *a, const wend__version *b, wend__far_area at) {
    if (!wend__on_table(b, at.column, at.row)) return true;
    const wend__chunk *x = wend__version_chunk(a, at.column, at.row), *y = wend__version_chunk(b, at.column, at.row);
    return x->terrain == y->terrain && x->bits == y->bits && x->uniform == y->uniform && x->masks == y->masks &&
           x->closed == y->closed && x->closed_near == y->closed_near && x->land == y->land;
}

static bool same_children(const wend__far *a, const wend__far *b, wend__far_area at) {
    bool same = true;
    for (int32_t i = 0; i < 16 && wend__far_has(b, at); i++) {
        const wend__far_area child = {at.level - 1, at.column << 2 | (i & 3), at.row << 2 | i >> 2};
        if (wend__far_has(b, child)) same &= wend__far_get(a, child) == wend__far_get(b, child);
    }
    return same;
}

/* Returns whether an area of the top level still has the record and the numbers that the job read. */
static bool same_top(const wend__far *a, const wend__far *b, wend__far_area at) {
    const wend__far_area record = {b->levels - 1, at.column, at.row}, numbers = {WEND__FAR_NUMBERS, at.column, at.row};
    if (!wend__far_has(b, record)) return true;
    return wend__far_get(a, record) == wend__far_get(b, record) && wend__far_at(a, numbers) == wend__far_at(b, numbers);
}

/* Returns whether all data that an area's record depends on is as the job read it. */
static bool same_area(const wend__far_job *job, const wend__version *view, const wend__far *far, wend__far_area at) {
    if (at.level == WEND__FAR_NUMBERS) return same_top(job->maker.far, far, at);
    if (at.level > 0) return same_children(job->maker.far, far, at);
    if (!same_chunk(job->maker.view, view, at)) return false;
    return !wend__far_has(far, at) ||
           wend__far_kept(view, far, at) == wend__far_kept(job->maker.view, job->maker.far, at);
}

static bool still_right(const wend__far_job *job, const wend__version *view, const wend__far *far) {
    if (far == job->maker.far) return true;
    if (far->levels != job->maker.far->levels || !wend__far_is_stale(far, job->area)) return false;
    if (memcmp(&view->rules, &job->maker.view->rules, sizeof view->rules) != 0) return false;
    if (job->area.level == WEND__FAR_NUMBERS && job->ground) return true; /* storing them compares all areas */
    bool right = same_area(job, view, far, job->area);
    for (unsigned side = 0; side < 4; side++) right &= same_area(job, view, far, wend__far_beyond(job->area, side));
    return right;
}

wend_error wend__far_job_adopt(wend_map *map, wend__far_job *job, const wend__version *view, wend__far *far,
                               uint64_t *effort) {
    bool enough = true;
    if (!still_right(job, view, far)) {
    } else if (job->area.level < WEND__FAR_NUMBERS) {
        enough = wend__far_put_made(map, far, &job->maker, job->area) == WEND_OK;
    } else if (job->ground) {
        enough = wend__far_numbers_store(job->ground, far, effort);
    } else {
        enough = wend__far_put(map, far, job->area, NULL);
    }
    let_go(job);
    return enough ? WEND_OK : WEND_OUT_OF_MEMORY;
}
