/* SPDX-License-Identifier: MIT */
/* Publishing: makes links and chunks final, rebuilds derived data, and makes the draft the newest version. */
#include "map/edit/edit.h"
#include "map/kinds/graph.h"
#include "map/kinds/masks.h"
#include "map/kinds/voxels.h"
#include "map/links/sheet_table.h"
#include "map/store/directions.h"
#include "map/store/rules.h"
#include "map/version/map.h"
#include "map/version/validate.h"
#include "map/version/version.h"
#include "map/store/memory.h"

/* ---- masks, open bits and largest factors of chunks that a batch wrote to, and of their neighbours ---- */

/* Returns the rows of a chunk that the batch wrote to; off the table: none. */
static uint64_t written_rows(const wend_edit *edit, int32_t column, int32_t row) {
    if (!wend__on_table(edit->draft, column, row)) return 0;
    return wend__dirty_rows(edit->draft, edit->dirty, column, row);
}

static uint64_t and_next(uint64_t rows) {
    return rows | rows << 1 | rows >> 1;
}

/* Rows of a chunk with masks that depend on a written cell, in the chunk or next to it. */
static uint64_t stale_rows(const wend_edit *edit, int32_t column, int32_t row) {
    uint64_t stale = and_next(written_rows(edit, column, row));
    for (unsigned d = 0; d < WEND__DIRECTIONS; d++) {
        int32_t x = column + wend__dx[d], y = row + wend__dy[d];
        uint64_t written = written_rows(edit, x, y);
        if (!written) continue;
        unsigned around = wend__edit_dirty(edit, x, y)->around[wend__chunk_index(x, y)];
        if (!(around >> wend__opposite(d) & 1)) continue;
        stale |= wend__dy[d] < 0 ? 1 : wend__dy[d] > 0 ? UINT64_C(1) << 63 : and_next(written);
    }
    return stale;
}

/* ---- deriving chunks again ---- */

/* Chunks of voxels and graphs do not depend on their neighbours. */
static wend_error derive_alone(wend_edit *edit, wend__mask_deriver *deriver, int32_t column, int32_t row) {
    const wend__version *draft = edit->draft;
    if (draft->kind == WEND_KIND_VOXEL &&
        wend__voxels_derived(draft, wend__version_chunk(draft, column, row), column, row))
        return WEND_OK;
    if (wend__edit_own_block(edit, column, row)) return WEND_OUT_OF_MEMORY;
    return wend__chunk_derive(deriver, wend__edit_chunk(edit, column, row), column, row);
}

static wend_error refresh(wend_edit *edit, wend__mask_deriver *deriver, int32_t column, int32_t row, uint64_t rows) {
    wend__version *draft = edit->draft;
    if (draft->kind != WEND_KIND_GRID) return derive_alone(edit, deriver, column, row);
    const wend__chunk *chunk = wend__version_chunk(draft, column, row);
    uint8_t max_factor;
    int32_t key;
    const wend__plane *masks = wend__masks_derive(deriver, column, row, rows, &max_factor, &key);
    bool changed = wend__masks_differ(deriver, chunk, masks, max_factor);
    if (changed && wend__edit_own_block(edit, column, row)) return WEND_OUT_OF_MEMORY;
    return wend__masks_store(deriver, wend__edit_chunk(edit, column, row), masks, max_factor, key);
}

typedef int32_t chunk_fn(wend_edit *edit, wend__mask_deriver *deriver, int32_t column, int32_t row);

/* Calls for each chunk that the batch touched. */
static wend_error for_touched(wend_edit *edit, wend__mask_deriver *deriver, chunk_fn *fn) {
    const wend__version *draft = edit->draft;
    size_t blocks = wend__version_blocks(draft);
    for (size_t b = 0; b < blocks; b++)
        for (unsigned i = 0; edit->dirty[b] && i < WEND__BLOCK_CHUNKS; i++) {
            if (!edit->dirty[b]->rows[i]) continue;
            const wend__place p = wend__chunk_place(draft, b, i);
            wend_error error = fn(edit, deriver, p.column, p.row);
            if (error) return error;
        }
    return WEND_OK;
}

static wend_error compact(wend_edit *edit, wend__mask_deriver *deriver, int32_t column, int32_t row) {
    (void)deriver;
    return wend__edit_compact(edit, column, row);
}

/* Derives the chunk, and those of its neighbours that depend on changed cells and that the batch did not write to. */
static wend_error refresh_around(wend_edit *edit, wend__mask_deriver *deriver, int32_t column, int32_t row) {
    wend_error error = refresh(edit, deriver, column, row, stale_rows(edit, column, row));
    unsigned around = wend__edit_dirty(edit, column, row)->around[wend__chunk_index(column, row)];
    for (; around && !error; around &= around - 1) {
        unsigned d = wend__ctz32(around);
        int32_t x = column + wend__dx[d], y = row + wend__dy[d];
        if (!wend__on_table(edit->draft, x, y) || written_rows(edit, x, y)) continue;
        error = refresh(edit, deriver, x, y, stale_rows(edit, x, y));
    }
    return error;
}

static wend_error refresh_whole(wend_edit *edit, wend__mask_deriver *deriver, int32_t column, int32_t row) {
    return refresh(edit, deriver, column, row, UINT64_MAX);
}

/* Masks of chunks with closed steps depend on the rules. */
static wend_error refresh_closed_near(wend_edit *edit, wend__mask_deriver *deriver, int32_t column, int32_t row) {
    if (!wend__version_chunk(edit->draft, column, row)->closed_near) return WEND_OK;
    return refresh(edit, deriver, column, row, UINT64_MAX);
}

static wend_error for_all(wend_edit *edit, wend__mask_deriver *deriver, chunk_fn *fn) {
    wend_error error = WEND_OK;
    for (int32_t row = 0; row < edit->draft->chunk_rows && !error; row++)
        for (int32_t column = 0; column < edit->draft->chunk_columns && !error; column++)
            error = fn(edit, deriver, column, row);
    return error;
}

/* Updates the largest factors of the changed blocks, and of all. */
static void sum_up(wend_edit *edit) {
    size_t blocks = wend__version_blocks(edit->draft);
    for (size_t b = 0; b < blocks; b++)
        if (edit->dirty[b]) wend__block_sum(edit->draft->blocks[b]);
    wend__version_sum(edit->draft);
}

static wend_error find_torn(wend_edit *edit, wend__mask_deriver *deriver, int32_t column, int32_t row) {
    (void)deriver;
    edit->draft->torn = edit->draft->torn || wend__sheets_torn_near(edit->draft, column, row);
    return WEND_OK;
}

/* Finds whether a step leaves its sheet. If none did, only one near the writes may, unless the rules changed. */
static void look_for_torn(wend_edit *edit, wend__mask_deriver *deriver, bool other_rules) {
    if (edit->draft->torn || other_rules)
        edit->draft->torn = wend__sheets_torn(edit->draft);
    else if (edit->draft->sheets)
        (void)for_touched(edit, deriver, find_torn);
}

/* The changes that the draft's rules make. */
static uint32_t changes_of(const wend_edit *edit, const wend_map_rules *now) {
    const wend_map_rules *before = &edit->draft->rules;
    const int32_t kind = edit->draft->kind;
    uint32_t changes = 0;
    if (memcmp(before->factors, now->factors, sizeof before->factors) != 0) changes |= WEND__CHANGED_FACTORS;
    if (wend__contact_directions(before, kind) != wend__contact_directions(now, kind)) changes |= WEND__CHANGED_CONTACT;
    return changes;
}

/* Gives the draft its rules, and chunks to suit: derived again where the batch wrote, or all of them if the rules
 * require that.
 * @param changes   receives how the draft's rules changed: WEND__CHANGED_FACTORS, _CONTACT */
static wend_error derive_chunks(wend_edit *edit, const wend_map_rules *rules, uint32_t *changes) {
    const wend_map_rules *before = &edit->draft->rules;
    *changes = changes_of(edit, rules);
    bool everywhere = *changes & WEND__CHANGED_FACTORS;
    bool refresh_steps = edit->draft->kind == WEND_KIND_GRID && edit->draft->closed_steps > 0 && !everywhere &&
                         (before->neighbours != rules->neighbours || before->corners != rules->corners);
    const bool other_rules = memcmp(before, rules, sizeof *rules) != 0;
    if (other_rules) wend__version_set_rules(edit->draft, rules);
    wend__mask_deriver deriver;
    wend__mask_deriver_init(&deriver, edit->draft);
    wend_error error = everywhere ? for_all(edit, &deriver, compact) : for_touched(edit, &deriver, compact);
    if (!error)
        error = everywhere ? for_all(edit, &deriver, refresh_whole) : for_touched(edit, &deriver, refresh_around);
    if (!error && refresh_steps) error = for_all(edit, &deriver, refresh_closed_near);
    if (error) return error;
    sum_up(edit);
    look_for_torn(edit, &deriver, other_rules);
    return WEND_OK;
}

/* ---- boxes that contain all changes ---- */

typedef struct gathered {
    const wend__version *version;
    uint32_t count; ///< may exceed the capacity
    wend_box all;
    wend_box boxes[WEND_MAX_CHANGES_EACH];
} gathered;

static void widen(wend_box *all, const wend_box *box) {
    all->min.x = wend__least(all->min.x, box->min.x), all->max.x = wend__most(all->max.x, box->max.x);
    all->min.y = wend__least(all->min.y, box->min.y), all->max.y = wend__most(all->max.y, box->max.y);
    all->min.z = wend__least(all->min.z, box->min.z), all->max.z = wend__most(all->max.z, box->max.z);
}

static void gather(gathered *g, wend_box box) {
    const wend__version *v = g->version;
    box.max.x = wend__least(box.max.x, v->width - 1);
    box.max.y = wend__least(box.max.y, v->height - 1);
    box.max.z = wend__least(box.max.z, v->depth - 1);
    if (g->count < WEND_MAX_CHANGES_EACH) g->boxes[g->count] = box;
    if (g->count++)
        widen(&g->all, &box);
    else
        g->all = box;
}

/* Adds the box of some rows, each of 64 places, of a chunk. */
static wend_box box_of_rows(const wend__version *v, wend__place chunk, int32_t first, int32_t last) {
    if (v->kind == WEND_KIND_GRID) {
        int32_t x = chunk.column << WEND__CHUNK_SHIFT, y = chunk.row << WEND__CHUNK_SHIFT;
        return (wend_box){{x, y + first, 0}, {x + WEND__CHUNK_SIDE - 1, y + last, 0}};
    }
    if (v->kind == WEND_KIND_GRAPH) {
        int32_t x = chunk.column << 2 * WEND__CHUNK_SHIFT;
        return (wend_box){{x + (first << 6), 0, 0}, {x + (last << 6) + 63, 0, 0}};
    }
    const int32_t x = chunk.column << WEND__VOXEL_SHIFT, side = WEND__VOXEL_SIDE;
    const int32_t y = chunk.row % v->chunk_y << WEND__VOXEL_SHIFT, z = chunk.row / v->chunk_y << WEND__VOXEL_SHIFT;
    const bool layer = first >> 2 == last >> 2; /* four rows a layer */
    const int32_t south = layer ? (first & 3) << 2 : 0, north = layer ? ((last & 3) << 2) + 3 : side - 1;
    return (wend_box){{x, y + south, z + (first >> 2)}, {x + side - 1, y + north, z + (last >> 2)}};
}

static void gather_chunks(gathered *g, const wend_edit *edit) {
    const size_t blocks = wend__version_blocks(g->version);
    for (size_t b = 0; b < blocks; b++)
        for (unsigned i = 0; edit->dirty[b] && i < WEND__BLOCK_CHUNKS; i++) {
            const uint64_t rows = edit->dirty[b]->rows[i];
            const wend__place chunk = wend__chunk_place(g->version, b, i);
            if (!rows || !wend__on_table(g->version, chunk.column, chunk.row)) continue;
            gather(g, box_of_rows(g->version, chunk, (int32_t)wend__ctz64(rows), (int32_t)wend__top64(rows)));
        }
}

static bool gather_edge(void *context, uint32_t from, uint32_t to, uint32_t before, uint32_t now) {
    const wend_cell a = {(int32_t)from, 0, 0}, b = {(int32_t)to, 0, 0};
    (void)before, (void)now;
    gather(context, (wend_box){a, a});
    gather(context, (wend_box){b, b});
    return true;
}

static void gather_links(gathered *g, const wend__link_changes *changes) {
    for (size_t i = 0; i < changes->capacity; i++) {
        const wend__link *link = &changes->slots[i];
        if (link->from == link->to) continue; /* a free slot */
        const wend_cell from = wend__cell_of_number(g->version, link->from);
        const wend_cell to = wend__cell_of_number(g->version, link->to);
        gather(g, (wend_box){from, from});
        gather(g, (wend_box){to, to});
    }
}

/* Records the changes of a batch that becomes the newest version with that epoch. The writer lock is held. */
static void log_changes(const wend_edit *edit, uint64_t epoch) {
    gathered g;
    if (!wend__change_log_wanted(edit->map)) return;
    g.version = edit->base;
    g.count = 0;
    gather_chunks(&g, edit);
    gather_links(&g, &edit->links);
    if (edit->draft->graph) (void)wend__graph_compare(edit->base->graph, edit->draft->graph, gather_edge, &g);
    if (g.count > WEND_MAX_CHANGES_EACH)
        wend__change_log_add(edit->map, epoch, &g.all, 1);
    else
        wend__change_log_add(edit->map, epoch, g.boxes, g.count);
}

/* ---- making a draft final ---- */

static int32_t apply_links(wend_edit *edit) {
    const wend__links *old = edit->draft->links;
    wend_error error = wend__edit_links(edit, &edit->draft->links);
    if (!error) wend__shared_release(edit->map, old);
    return error;
}

wend_error wend__edit_finish_view(wend_edit *edit, const wend_map_rules *rules) {
    uint32_t changes;
    wend_error error = derive_chunks(edit, rules, &changes);
    return error ? error : wend__derivations_rebuild(edit, changes, WEND__ROWS_IN_VIEWS);
}

/* Makes a draft final: its links, its chunks, all derived data. The writer lock is held. */
static wend_error finish_edit(wend_edit *edit, const wend_map_rules *rules) {
    uint32_t changes;
    wend_error error = apply_links(edit);
    if (edit->draft->graph != edit->base->graph) wend__graph_sum((wend__graph *)edit->draft->graph);
    if (!error) error = derive_chunks(edit, rules, &changes);
    return error ? error : wend__derivations_rebuild(edit, changes, WEND__ROWS_ALL);
}

/* ---- making the draft the newest version ---- */

wend_error wend__edit_install(wend_edit *edit, uint64_t epoch, bool alone) {
    WEND__DEBUG_ASSERT(edit->draft);
    wend_map *map = edit->map;
    wend__mutex_lock(map->mutex);
    wend__version *old = map->newest;
    bool refused = alone && wend__map_any_pinned(map);
    if (!refused) {
        wend__version_check_seal(old);
        edit->draft->epoch = epoch;
        edit->draft->revision = old->revision + !edit->same;
        edit->draft->serial = old->serial + 1;
        edit->draft->older = old;
        old->newer = edit->draft;
        map->newest = edit->draft;
        wend__version_seal(map->newest);
        wend__version_validate(map->newest);
        atomic_store_explicit(&map->serial, map->newest->serial, memory_order_release);
        atomic_store_explicit(&map->revision, map->newest->revision, memory_order_release);
        edit->draft = NULL;
        wend__change_log_turn(map, old->epoch, alone);
        wend__map_retire_excess(map);
    }
    wend__mutex_unlock(map->mutex);
    if (refused)
        return wend__refuse(WEND_IN_USE, "searches, requests or fields hold a version of the map: end them first");
    wend__map_release(old, false);
    return WEND_OK;
}

static wend_error publish(wend_edit *edit, uint64_t number, uint64_t *epoch) {
    wend_map *map = edit->map;
    wend_error error = wend__edit_failed(edit);
    wend__mutex_lock(map->writer);
    /* The rules may have changed since the batch began. */
    if (!error) error = finish_edit(edit, &map->newest->rules);
    if (!error && number != edit->base->epoch) log_changes(edit, number);
    wend__tap *tap = error ? NULL : wend__map_tap(map);
    if (tap) tap->shut(tap->context);
    if (!error) error = wend__edit_install(edit, number, false);
    if (tap && !error) wend__tap_published(tap, &edit->log);
    if (tap) tap->open(tap->context);
    wend__mutex_unlock(map->writer);
    wend__edit_free(edit);
    if (!error && epoch) *epoch = number;
    return error;
}

wend_error wend_edit_publish(wend_edit *edit, uint64_t *epoch) {
    WEND__GONE(edit, "the batch");
    return publish(edit, edit->base->epoch + 1, epoch);
}

wend_error wend__edit_publish_as(wend_edit *edit, uint64_t epoch) {
    WEND__GONE(edit, "the batch");
    wend_map *map = edit->map;
    const wend_error error = publish(edit, epoch, NULL);
    if (error) return error;
    wend__mutex_lock(map->mutex);
    wend__change_log_turn(map, map->newest->epoch, true);
    wend__mutex_unlock(map->mutex);
    return WEND_OK;
}

wend_error wend__edit_publish_first(wend_edit *edit) {
    WEND__GONE(edit, "the batch");
    WEND__ASSERT(edit->base->epoch == 0);
    return publish(edit, 0, NULL);
}

wend_error wend__map_change(wend_map *map, bool counted, int32_t (*fn)(wend_edit *edit, void *context), void *context) {
    wend_edit *edit;
    wend__mutex_lock(map->writer);
    wend_error error = wend__edit_create(map, counted, &edit);
    if (!error) {
        wend__derivations_share(edit->draft, edit->base, WEND__ROWS_NOT_IN_VIEWS);
        error = fn(edit, context);
        edit->same = true;
        if (!error) error = wend__edit_install(edit, edit->base->epoch, false);
        wend__edit_free(edit);
    }
    wend__mutex_unlock(map->writer);
    return error;
}

/* ---- a map's rules: changing them is an edit that writes to no cell ---- */

wend_error wend_map_set_rules(wend_map *map, const wend_map_rules *rules) {
    WEND__ALIVE(map, "the map");
    wend_edit *edit;
    wend_map_rules own;
    wend_error error = rules ? wend__rules_read(rules, &own) : wend__refuse_null("rules");
    if (!error) error = wend__rules_check(&own, map->kind);
    if (!error && map->streamed) error = wend__check_blocked_class(own.factors);
    if (!error) error = wend__check_wrapped_rules(map->wrap, &own);
    if (!error) error = wend__check_sheet_rules(map, &own);
    if (error) return error;
    const wend_map_rules complete = wend__rules_complete(&own, map->kind);
    wend__mutex_lock(map->writer);
    error = wend__edit_create(map, false, &edit);
    if (!error) {
        error = finish_edit(edit, &complete);
        if (!error) error = wend__edit_install(edit, edit->base->epoch, true);
        if (!error) wend__tap_unsupported(map, "the map's rules changed, which a script has before the first frame");
        wend__edit_free(edit);
    }
    wend__mutex_unlock(map->writer);
    return error;
}
