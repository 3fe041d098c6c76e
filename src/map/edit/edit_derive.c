/* SPDX-License-Identifier: MIT */
/* Derives the chunks of a batch again: masks, open bits and largest factors where it wrote, and next to that. */
#include "map/edit/edit.h"
#include "map/kinds/masks.h"
#include "map/kinds/voxels.h"
#include "map/links/sheet_table.h"
#include "map/store/directions.h"
#include "map/store/rules.h"
#include "map/version/version.h"

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

wend_error wend__edit_derive(wend_edit *edit, const wend_map_rules *rules, uint32_t *changes) {
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
