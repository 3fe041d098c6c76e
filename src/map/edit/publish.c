/* SPDX-License-Identifier: MIT */
/* Making a batch the newest version: its chunks collapsed, masks derived, and the draft put in the newest's place. */
#include "map/components/labels.h"
#include "map/components/link_components.h"
#include "map/components/regions.h"
#include "map/edit/edit.h"
#include "map/edit/edit_links.h"
#include "map/edit/publish.h"
#include "map/jumps/jump_tables.h"
#include "map/kinds/masks.h"
#include "map/kinds/voxels.h"
#include "map/landmarks/landmark_tables.h"
#include "map/links/links.h"
#include "map/movers/views.h"
#include "map/store/directions.h"
#include "map/store/map_layout.h"
#include "map/version/version.h"

/* ---- which masks are no longer true ---- */

/* The rows of a chunk that the batch wrote to; off the table: none. */
static uint64_t written_rows(const wend_edit *edit, int32_t column, int32_t row) {
    if (!wend__on_table(edit->draft, column, row)) return 0;
    return wend__rows_written(edit->draft, edit->marks, column, row);
}

static uint64_t and_next(uint64_t rows) {
    return rows | rows << 1 | rows >> 1;
}

/* The rows of a chunk that look at a cell which the batch wrote to, there or in a neighbour. */
static uint64_t stale_rows(const wend_edit *edit, int32_t column, int32_t row) {
    uint64_t stale = and_next(written_rows(edit, column, row));
    for (unsigned d = 0; d < WEND__DIRECTIONS; d++) {
        int32_t x = column + wend__dx[d], y = row + wend__dy[d];
        uint64_t written = written_rows(edit, x, y);
        if (!written) continue;
        unsigned around = wend__edit_marks(edit, x, y)->around[wend__chunk_index(x, y)];
        if (!(around >> wend__opposite(d) & 1)) continue;
        stale |= wend__dy[d] < 0 ? 1 : wend__dy[d] > 0 ? UINT64_C(1) << 63 : and_next(written);
    }
    return stale;
}

/* ---- deriving them anew ---- */

/* Voxels and graphs: a chunk looks at no other. */
static wend_error derive_alone(wend_edit *edit, wend__deriver *deriver, int32_t column, int32_t row) {
    const wend__version *draft = edit->draft;
    if (draft->kind == WEND_KIND_VOXEL &&
        wend__voxels_derived(draft, wend__version_chunk(draft, column, row), column, row))
        return WEND_OK;
    if (wend__edit_own_block(edit, column, row)) return WEND_OUT_OF_MEMORY;
    return wend__chunk_derive(deriver, wend__edit_chunk(edit, column, row), column, row);
}

static wend_error refresh(wend_edit *edit, wend__deriver *deriver, int32_t column, int32_t row, uint64_t rows) {
    wend__version *draft = edit->draft;
    if (draft->kind != WEND_KIND_GRID) return derive_alone(edit, deriver, column, row);
    const wend__chunk *chunk = wend__version_chunk(draft, column, row);
    uint8_t max_factor;
    int32_t key;
    const wend__plane *masks = wend__derive(deriver, column, row, rows, &max_factor, &key);
    bool changed = wend__derived_anew(deriver, chunk, masks, max_factor);
    if (changed && wend__edit_own_block(edit, column, row)) return WEND_OUT_OF_MEMORY;
    return wend__derive_store(deriver, wend__edit_chunk(edit, column, row), masks, max_factor, key);
}

typedef int32_t chunk_fn(wend_edit *edit, wend__deriver *deriver, int32_t column, int32_t row);

/* Call for each chunk that the batch touched. */
static wend_error for_touched(wend_edit *edit, wend__deriver *deriver, chunk_fn *fn) {
    const wend__version *draft = edit->draft;
    size_t blocks = wend__version_blocks(draft);
    for (size_t b = 0; b < blocks; b++)
        for (unsigned i = 0; edit->marks[b] && i < WEND__BLOCK_CHUNKS; i++) {
            if (!edit->marks[b]->rows[i]) continue;
            const wend__place p = wend__chunk_place(draft, b, i);
            wend_error error = fn(edit, deriver, p.column, p.row);
            if (error) return error;
        }
    return WEND_OK;
}

static wend_error settle(wend_edit *edit, wend__deriver *deriver, int32_t column, int32_t row) {
    (void)deriver;
    return wend__edit_settle(edit, column, row);
}

/* The chunk itself, and the neighbours that see cells which changed and do not get their own turn. */
static wend_error refresh_around(wend_edit *edit, wend__deriver *deriver, int32_t column, int32_t row) {
    wend_error error = refresh(edit, deriver, column, row, stale_rows(edit, column, row));
    unsigned around = wend__edit_marks(edit, column, row)->around[wend__chunk_index(column, row)];
    for (; around && !error; around &= around - 1) {
        unsigned d = wend__ctz32(around);
        int32_t x = column + wend__dx[d], y = row + wend__dy[d];
        if (!wend__on_table(edit->draft, x, y) || written_rows(edit, x, y)) continue;
        error = refresh(edit, deriver, x, y, stale_rows(edit, x, y));
    }
    return error;
}

static wend_error refresh_whole(wend_edit *edit, wend__deriver *deriver, int32_t column, int32_t row) {
    return refresh(edit, deriver, column, row, UINT64_MAX);
}

/* Where closed steps bear on a chunk its masks hold what the rules made of them. */
static wend_error refresh_settled(wend_edit *edit, wend__deriver *deriver, int32_t column, int32_t row) {
    if (!wend__version_chunk(edit->draft, column, row)->settled) return WEND_OK;
    return refresh(edit, deriver, column, row, UINT64_MAX);
}

static wend_error for_all(wend_edit *edit, wend__deriver *deriver, chunk_fn *fn) {
    wend_error error = WEND_OK;
    for (int32_t row = 0; row < edit->draft->chunk_rows && !error; row++)
        for (int32_t column = 0; column < edit->draft->chunk_columns && !error; column++)
            error = fn(edit, deriver, column, row);
    return error;
}

/* Largest factors of the blocks that changed, and of all. */
static void sum_up(wend_edit *edit) {
    size_t blocks = wend__version_blocks(edit->draft);
    for (size_t b = 0; b < blocks; b++)
        if (edit->marks[b]) wend__block_sum(edit->draft->blocks[b]);
    wend__version_sum(edit->draft);
}

static wend_error relabel_regions(wend_edit *edit, bool everywhere) {
    wend__regions *old = edit->draft->regions;
    wend_error error = wend__regions_renew(edit->draft, everywhere ? NULL : old, everywhere ? NULL : edit->marks,
                                           &edit->draft->regions);
    if (!error) wend__regions_release(edit->map, old);
    return error;
}

static wend_error relabel(wend_edit *edit, bool everywhere) {
    if (edit->draft->kind != WEND_KIND_GRID) return relabel_regions(edit, everywhere);
    wend__area *old = edit->draft->labels;
    wend_error error = everywhere ? wend__labels_renew(edit->draft, NULL, NULL, &edit->draft->labels)
                                  : wend__labels_renew(edit->draft, old, edit->marks, &edit->draft->labels);
    if (!error) wend__area_release(edit->map, old);
    return error;
}

static wend_error relink(wend_edit *edit) {
    const wend__links *old = edit->draft->links;
    wend_error error = wend__edit_links(edit, &edit->draft->links);
    if (!error) wend__links_release(edit->map, old);
    return error;
}

/* The draft has what its base joined. */
static wend_error rejoin(wend_edit *edit, bool everywhere) {
    if (!everywhere && edit->base && wend__joined_stands(edit->draft, edit->base, edit->marks)) return WEND_OK;
    wend__joined *old = edit->draft->joined;
    wend_error error = wend__links_join(edit->draft, &edit->draft->joined);
    if (!error) wend__joined_release(edit->map, old);
    return error;
}

wend_error wend__edit_derive(wend_edit *edit, const wend_map_rules *rules) {
    const wend_map_rules *before = &edit->draft->rules;
    bool everywhere = memcmp(before->factors, rules->factors, sizeof before->factors) != 0;
    bool unlike = everywhere || wend__labels_diagonal(before) != wend__labels_diagonal(rules) ||
                  wend__region_directions(before) != wend__region_directions(rules);
    bool resettle = edit->draft->kind == WEND_KIND_GRID && edit->draft->closed_steps > 0 && !everywhere &&
                    (before->neighbours != rules->neighbours || before->corners != rules->corners);
    if (memcmp(before, rules, sizeof *rules) != 0) wend__version_set_rules(edit->draft, rules);
    wend__deriver deriver;
    wend__deriver_init(&deriver, edit->draft);
    wend_error error = everywhere ? for_all(edit, &deriver, settle) : for_touched(edit, &deriver, settle);
    if (!error)
        error = everywhere ? for_all(edit, &deriver, refresh_whole) : for_touched(edit, &deriver, refresh_around);
    if (!error && resettle) error = for_all(edit, &deriver, refresh_settled);
    if (!error) sum_up(edit);
    if (!error) error = relabel(edit, unlike);
    if (!error) error = rejoin(edit, unlike);
    return error;
}

wend_error wend__edit_finish(wend_edit *edit, const wend_map_rules *rules) {
    wend_error error = relink(edit);
    if (!error) error = wend__edit_derive(edit, rules);
    if (!error) error = wend__jumps_repair(edit);
    if (!error) error = wend__landmarks_renew(edit, edit->map->landmark_effort);
    if (!error) error = wend__grounds_renew(edit);
    return error;
}

/* The mutex is held. Every version but the newest is only kept alive by its pins (and, for a moment, by questions). */
static bool any_pinned(const wend_map *map) {
    for (const wend__version *v = map->newest; v; v = v->older)
        if (v->pins > 0) return true;
    return false;
}

/* The newest counts, pinned or not: it may be at any moment. */
void wend__map_retire_excess(wend_map *map) {
    uint32_t live = 1;
    for (wend__version *v = map->newest->older; v; v = v->older) {
        if (v->pins == 0) continue;
        if (++live > map->max_versions) v->retired = true;
    }
}

wend_error wend__edit_install(wend_edit *edit, uint64_t epoch, bool alone) {
    wend_map *map = edit->map;
    wend__mutex_lock(map->mutex);
    wend__version *old = map->newest;
    bool refused = alone && any_pinned(map);
    if (!refused) {
        edit->draft->epoch = epoch;
        edit->draft->revision = old->revision + !edit->same;
        edit->draft->serial = old->serial + 1;
        edit->draft->older = old;
        old->newer = edit->draft;
        map->newest = edit->draft;
        atomic_store_explicit(&map->serial, map->newest->serial, memory_order_release);
        edit->draft = NULL;
        wend__map_retire_excess(map);
    }
    wend__mutex_unlock(map->mutex);
    if (refused) return WEND_IN_USE;
    wend__map_release(old, false);
    return WEND_OK;
}

static wend_error publish(wend_edit *edit, uint64_t epoch_step, uint64_t *epoch) {
    wend_map *map = edit->map;
    wend_error error = edit->error;
    uint64_t number = edit->base->epoch + epoch_step;
    wend__mutex_lock(map->writer);
    /* The rules may have changed since the batch began. */
    if (!error) error = wend__edit_finish(edit, &map->newest->rules);
    if (!error) error = wend__edit_install(edit, number, false);
    wend__mutex_unlock(map->writer);
    wend__edit_free(edit);
    if (!error && epoch) *epoch = number;
    return error;
}

wend_error wend_edit_publish(wend_edit *edit, uint64_t *epoch) {
    return publish(edit, 1, epoch);
}

wend_error wend__edit_publish_first(wend_edit *edit) {
    WEND__ASSERT(edit->base->epoch == 0);
    return publish(edit, 0, NULL);
}

wend_error wend__map_change(wend_map *map, bool counted, int32_t (*fn)(wend_edit *edit, void *context), void *context) {
    wend_edit *edit;
    wend__mutex_lock(map->writer);
    wend_error error = wend__edit_create(map, counted, &edit);
    if (!error) {
        error = fn(edit, context);
        edit->same = true;
        if (!error) error = wend__edit_install(edit, edit->base->epoch, false);
        wend__edit_free(edit);
    }
    wend__mutex_unlock(map->writer);
    return error;
}
