/* SPDX-License-Identifier: MIT */
/* Makes jump tables and stops in slices. A job makes them for a copy of the newest version, or of a mover's view of it;
 * only the job reads that copy. Edits may be published meanwhile. The finished tables are given to a draft of the
 * newest version as if that draft were an edit of the copy: publishing's repairs bring them up to date. */
#include "fast/tables/jump_tables.h"
#include "map/movers/views.h"
#include "fast/stops/stop_tables.h"
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

/* The effort of one step: a chunk's table, or a row and a column of lanes; a chunk's stops, and each of its special
 * cells; a chunk without stops. */
enum { TABLE_EFFORT = 2048, STOPS_EFFORT = 1024, CELL_EFFORT = 8, NONE_EFFORT = 128 };

typedef struct wend__table_job {
    int32_t mover;
    wend_edit *edit;                ///< its draft is the copy
    bool stops;                     ///< all blocks have jump tables, and the job makes stops
    size_t block;                   ///< the job's current block
    uint32_t step;                  ///< the next step of that block
    wend__jump_block *making;       ///< jump tables of that block; NULL: not begun
    wend__stop_block *making_stops; ///< stops of that block; NULL: none so far
} wend__table_job;

/* ---- movers that lack tables ---- */

/* Returns the movers without tables in their views of the newest version, a bit each. */
static uint64_t lacking(wend_map *map) {
    uint64_t wanted = 0;
    wend__mutex_lock(map->mutex);
    for (int32_t i = 0; i < WEND_MAX_MOVERS; i++) wanted |= (uint64_t)map->wanted[i].tables << i;
    wend__mutex_unlock(map->mutex);
    if (!wanted) return 0;
    wend__version *now = wend__map_acquire(map, false);
    const int32_t movers = wend__stops_serve(&now->rules) ? wend__version_movers(now) : 0;
    uint64_t lack = 0;
    for (int32_t i = 0; i < movers; i++)
        if (wanted >> i & 1 && !wend__version_view(now, i)->jumps) lack |= UINT64_C(1) << i;
    wend__map_release(now, false);
    return lack;
}

bool wend__map_lacks_tables(wend_map *map, int32_t mover) {
    return lacking(map) >> mover & 1;
}

uint64_t wend__map_tables_left(wend_map *map) {
    const uint64_t side = WEND__CHUNK_SIDE, lack = lacking(map);
    const uint64_t chunks = ((uint64_t)map->width + side - 1) / side * (((uint64_t)map->height + side - 1) / side);
    uint64_t left = wend__popcount64(lack) * chunks * TABLE_EFFORT;
    wend__mutex_lock(map->mutex);
    const wend__table_job *job = map->jobs_taken ? NULL : map->table_job;
    if (left > 0 && job) {
        const uint64_t made = (job->block * WEND__BLOCK_CHUNKS + job->step) * TABLE_EFFORT;
        left = job->stops ? left - chunks * TABLE_EFFORT + 1 : made < left ? left - made : 1;
    }
    wend__mutex_unlock(map->mutex);
    return left;
}

/* ---- making them ---- */

static void end_job(wend_map *map, wend__table_job *job) {
    if (!job) return;
    wend__shared_release(map, job->making);
    wend__shared_release(map, job->making_stops);
    if (job->edit && !job->edit->draft->jumps)
        wend__jumps_drop_first(job->edit->draft, job->stops ? wend__version_blocks(job->edit->draft) : job->block);
    wend__scratch_edit_free(job->edit);
    wend__map_free(map, job, sizeof *job);
}

void wend__tables_end(wend_map *map) {
    if (!wend__map_jobs_claim(map)) return;
    end_job(map, map->table_job);
    map->table_job = NULL;
    wend__map_jobs_put(map);
}

static wend_error begin_job(wend_map *map, int32_t mover, wend__table_job **out) {
    wend__table_job *job = wend__map_alloc(map, sizeof *job);
    if (!job) return WEND_OUT_OF_MEMORY;
    *job = (wend__table_job){.mover = mover};
    wend__version *now = wend__map_acquire(map, false);
    wend__version *draft = wend__version_copy(wend__version_view(now, mover), map, WEND__ROWS_IN_VIEWS);
    wend__map_release(now, false);
    job->edit = wend__scratch_edit_create(map, draft);
    if (job->edit)
        *out = job;
    else
        end_job(map, job);
    return *out ? WEND_OK : WEND_OUT_OF_MEMORY;
}

static void spend(uint64_t *effort, uint64_t by) {
    *effort -= by < *effort ? by : *effort;
}

static void next_block(wend__table_job *job) {
    job->block++;
    job->step = 0;
    job->making = NULL;
    job->making_stops = NULL;
}

static wend_error make_tables(wend__table_job *job, uint64_t *effort) {
    bool done = false;
    if (!job->making) {
        wend_error error = wend__jumps_join(job->edit, job->block, &done);
        if (done) next_block(job);
        if (error || done) return error;
        return wend__jump_block_begin(job->edit->draft, job->block, &job->making);
    }
    wend_error error = wend__jump_block_continue(job->edit->draft, job->block, job->making, job->step++, &done);
    spend(effort, TABLE_EFFORT);
    if (!done || error) return error;
    wend__jumps_attach(job->edit, job->block, job->making);
    next_block(job);
    return WEND_OK;
}

static wend_error make_stops(wend__table_job *job, uint64_t *effort) {
    wend__version *draft = job->edit->draft;
    const uint32_t before = job->making_stops ? job->making_stops->special : 0;
    if (job->step < WEND__BLOCK_CHUNKS) {
        wend_error error = wend__stop_block_continue(draft, job->block, job->step++, &job->making_stops);
        const uint32_t cells = (job->making_stops ? job->making_stops->special : 0) - before;
        spend(effort, cells > 0 ? STOPS_EFFORT + cells * CELL_EFFORT : NONE_EFFORT);
        return error;
    }
    wend__stop_block *made = job->making_stops;
    job->making_stops = NULL;
    wend_error error = wend__stops_attach(draft, job->block, made);
    next_block(job);
    return error;
}

static bool is_made(const wend__table_job *job) {
    return job->stops && job->block == wend__version_blocks(job->edit->draft);
}

static wend_error run_job(wend__table_job *job, uint64_t effort) {
    const size_t count = wend__version_blocks(job->edit->draft);
    wend_error error = WEND_OK;
    while (effort > 0 && !error && !is_made(job)) {
        error = job->stops ? make_stops(job, &effort) : make_tables(job, &effort);
        if (!error && !job->stops && job->block == count) job->stops = true, job->block = 0;
    }
    if (!error && is_made(job)) wend__jumps_complete(job->edit->draft);
    return error;
}

/* ---- publishing the result ---- */

static bool same_chunk(const wend__chunk *a, const wend__chunk *b) {
    return a->terrain == b->terrain && a->bits == b->bits && a->uniform == b->uniform && a->masks == b->masks &&
           a->closed == b->closed && a->closed_near == b->closed_near;
}

/* Marks chunks in which the edit's draft differs from its base as changed, and copies their blocks for the draft. */
static wend_error mark_changes(wend_edit *edit) {
    const size_t count = wend__version_blocks(edit->draft);
    for (size_t b = 0; b < count; b++) {
        const wend__block *was = edit->base->blocks[b], *now = edit->draft->blocks[b];
        const wend__place p = wend__chunk_place(edit->draft, b, 0);
        if (was == now) continue;
        if (wend__edit_own_block(edit, p.column, p.row)) return WEND_OUT_OF_MEMORY;
        for (unsigned i = 0; i < WEND__BLOCK_CHUNKS; i++) {
            if (same_chunk(&was->chunks[i], &now->chunks[i])) continue;
            edit->dirty[b]->rows[i] = UINT64_MAX;
            edit->dirty[b]->around[i] = UINT8_MAX;
        }
    }
    return WEND_OK;
}

/* Nothing changes if the draft has other rules, or has tables by now. */
static wend_error adopt(wend_edit *view, void *context) {
    const wend__table_job *job = context;
    wend__version *draft = view->draft, *made = job->edit->draft;
    if (draft->jumps || memcmp(&draft->rules, &made->rules, sizeof made->rules) != 0) return WEND_OK;
    wend_edit *edit = wend__scratch_edit_of(view->map, draft);
    if (!edit) return WEND_OUT_OF_MEMORY;
    edit->base = made;
    wend_error error = mark_changes(edit);
    if (!error) error = wend__jumps_rebuild(edit, 0);
    if (!error) error = wend__stops_rebuild(edit, 0);
    edit->draft = NULL; /* the draft stays the caller's */
    wend__scratch_edit_free(edit);
    return error;
}

static wend_error adopt_in(wend_edit *edit, void *context) {
    const wend__table_job *job = context;
    return wend__view_change(edit, job->mover, adopt, context);
}

/* ---- slices ---- */

/* Runs the map's job, or begins one for the first mover that lacks tables. A finished or failed job ends. */
static wend_error run_slice(wend_map *map, uint64_t lack, uint64_t effort) {
    wend__table_job *job = map->table_job;
    wend_error error = WEND_OK;
    if (job && !(lack >> job->mover & 1)) end_job(map, job), job = NULL;
    if (!job) error = begin_job(map, (int32_t)wend__ctz64(lack), &job);
    const bool made = !error && is_made(job);
    if (!error) error = made ? wend__map_change(map, true, adopt_in, job) : run_job(job, effort);
    if (error ? error != WEND_IN_USE : made) end_job(map, job), job = NULL;
    map->table_job = job;
    return error;
}

wend_error wend__map_continue_tables(wend_map *map, uint64_t effort, bool *any) {
    const uint64_t lack = lacking(map);
    *any = lack > 0;
    if (effort == 0 || !lack || !wend__map_jobs_claim(map)) return WEND_OK;
    wend_error error = run_slice(map, lack, effort);
    wend__map_jobs_put(map);
    return error;
}
