/* SPDX-License-Identifier: MIT */
/* A far layer's memory, and the changes of a publish, which marks the chunks that it wrote to as stale. */
#include "fast/far/far_layer.h"
#include "map/store/memory.h"

bool wend__far_serves(const wend__version *v) {
    const bool corners = v->rules.neighbours == 8 && v->rules.corners == WEND_CORNERS_NEVER;
    return v->kind == WEND_KIND_GRID && corners && wend__version_blocks(v) <= 4096;
}

/* Returns the sheet of an area for writing: a copy if others hold the sheet, too. */
static wend__far_sheet *own_sheet(wend_map *map, wend__far *far, wend__far_area a) {
    wend__far_sheet **place = &far->sheets[wend__far_sheet_of(far, a)], *sheet = *place;
    wend__mutex_lock(map->mutex);
    const bool own = sheet->shared.references == 1;
    wend__mutex_unlock(map->mutex);
    if (own) return sheet;
    sheet = wend__shared_copy(map, *place);
    if (!sheet) return NULL;
    wend__shared_release(map, *place);
    return *place = sheet;
}

/* ---- changing a layer ---- */

static void set_stale(wend__far *far, wend__far_sheet *sheet, uint32_t slot, bool stale) {
    WEND__DEBUG_ASSERT(slot < WEND__FAR_SLOTS);
    uint64_t *word = &sheet->stale[slot / 64];
    const uint64_t bit = UINT64_C(1) << slot % 64;
    if (!(*word & bit) == !stale) return;
    *word ^= bit;
    WEND__DEBUG_ASSERT(stale || far->stale > 0);
    far->stale += stale ? 1 : UINT64_MAX;
}

bool wend__far_mark_stale(wend_map *map, wend__far *far, wend__far_area a) {
    if (wend__far_is_stale(far, a)) return true;
    wend__far_sheet *sheet = own_sheet(map, far, a);
    if (sheet) set_stale(far, sheet, wend__far_slot(far, a), true);
    return sheet;
}

bool wend__far_put(wend_map *map, wend__far *far, wend__far_area a, const void *object) {
    wend__far_sheet *sheet = own_sheet(map, far, a);
    const uint32_t slot = wend__far_slot(far, a);
    if (object) wend__shared_release(map, sheet ? sheet->of[slot] : object);
    if (!sheet) return false;
    if (object) sheet->of[slot] = object;
    set_stale(far, sheet, slot, false);
    return true;
}

bool wend__far_first_stale(const wend__far *far, wend__far_area *out) {
    for (int32_t level = 0; level <= WEND__FAR_NUMBERS && far->stale > 0; level++) {
        if (level >= far->levels && level < WEND__FAR_NUMBERS) continue;
        const int shift = wend__far_shift(far, level), mask = (1 << shift) - 1;
        const uint32_t begin = wend__far_slot(far, (wend__far_area){level, 0, 0}), end = begin + (1u << 2 * shift);
        for (uint32_t i = 0; i < far->sheet_count; i++)
            for (uint32_t slot = begin; slot < end; slot++) {
                const uint64_t word = far->sheets[i]->stale[slot / 64] >> slot % 64;
                if (word == 0) slot |= 63;
                if (!(word & 1)) continue;
                const int32_t column = (int32_t)i % far->sheet_columns, row = (int32_t)i / far->sheet_columns;
                const int32_t at = (int32_t)(slot - begin);
                *out = (wend__far_area){level, column << shift | (at & mask), row << shift | at >> shift};
                return true;
            }
    }
    return false;
}

/* ---- making one ---- */

static uint64_t next_identity(void) {
    static _Atomic uint64_t layers;
    return atomic_fetch_add_explicit(&layers, 1, memory_order_relaxed) + 1;
}

wend__far *wend__far_copy(wend_map *map, const wend__far *far) {
    wend__far *copy = wend__shared_copy(map, far);
    if (copy) copy->identity = next_identity();
    return copy;
}

static int32_t levels_for(const wend__version *v) {
    enum { TWO_LEVELS = 8192 };
    return v->width > TWO_LEVELS || v->height > TWO_LEVELS ? 3 : 2;
}

/* Marks all areas that hold a chunk; on a streamed map, a loaded chunk. */
static bool mark_all(wend_map *map, wend__far *far, const wend__version *view) {
    for (int32_t row = 0; row < view->chunk_rows; row++)
        for (int32_t column = 0; column < view->chunk_columns; column++) {
            if (map->streamed && wend__version_chunk(view, column, row)->land != WEND_LAND_LOADED) continue;
            for (wend__far_area a = {0, column, row}; a.level < far->levels; a = wend__far_above(a))
                if (!wend__far_mark_stale(map, far, a)) return false;
        }
    return true;
}

/* A sheet of land that is not loaded, which all blocks share until they are written to. */
static wend__far_sheet *sheet_of_nothing(wend_map *map) {
    wend__far_sheet *sheet = wend__table_create(map, sizeof *sheet, WEND__FAR_SLOTS);
    if (!sheet || !map->streamed) return sheet;
    const wend__far_record *empty = wend__shared_create(map, sizeof *empty + sizeof empty->words[0]);
    for (unsigned slot = 0; slot < WEND__FAR_RECORDS; slot++) sheet->of[slot] = wend__shared_retain(map, empty);
    wend__shared_release(map, empty);
    if (empty) return sheet;
    wend__shared_release(map, sheet);
    return NULL;
}

wend__far *wend__far_create(wend_map *map, const wend__version *view, int32_t levels) {
    const uint32_t count = (uint32_t)wend__version_blocks(view);
    wend__far *far = wend__table_create(map, sizeof *far + count * sizeof far->sheets[0], (uint16_t)count);
    if (!far) return NULL;
    far->identity = next_identity();
    far->levels = levels > 0 ? levels : levels_for(view);
    far->sheet_columns = view->block_columns;
    const wend_map_rules *rules = &view->rules;
    const uint32_t twice = 2 * (uint32_t)rules->cost_straight, diagonal = (uint32_t)rules->cost_diagonal;
    far->diagonal = (2 * WEND__FAR_STRAIGHT * diagonal + twice / 2) / twice;
    for (int32_t level = 0; level < far->levels; level++) {
        const int32_t all = (1 << 2 * level) - 1;
        far->columns[level] = (view->chunk_columns + all) >> 2 * level;
        far->rows[level] = (view->chunk_rows + all) >> 2 * level;
    }
    far->age = (uint64_t)far->columns[far->levels - 1] * (uint64_t)far->rows[far->levels - 1];
    wend__far_sheet *sheet = sheet_of_nothing(map);
    for (; sheet && far->sheet_count < count; far->sheet_count++)
        far->sheets[far->sheet_count] = (wend__far_sheet *)(uintptr_t)wend__shared_retain(map, sheet);
    wend__shared_release(map, sheet);
    if (sheet && mark_all(map, far, view)) return far;
    wend__shared_release(map, far);
    return NULL;
}

/* ---- as derived data ---- */

void wend__far_share(wend__version *version, const wend__version *from) {
    version->far = wend__shared_retain(version->map, from->far);
}

void wend__far_drop(wend__version *version) {
    wend__shared_release(version->map, version->far);
    version->far = NULL;
}

/* Drops the record of a chunk with unknown land, until it is made again. */
bool wend__far_lose(wend_map *map, wend__far *far, wend__far_area a) {
    wend__far_sheet *sheet = own_sheet(map, far, a);
    if (!sheet) return false;
    const uint32_t slot = wend__far_slot(far, a);
    wend__shared_release(map, sheet->of[slot]);
    sheet->of[slot] = NULL;
    set_stale(far, sheet, slot, true);
    return true;
}

/* Returns whether the batch unloaded a chunk with a record of its former cells. */
static bool keeps_record(const wend_edit *edit, wend__far_area a) {
    const wend__chunk *before = wend__version_chunk(edit->base, a.column, a.row);
    return before->land == WEND_LAND_LOADED && wend__version_chunk(edit->draft, a.column, a.row)->hash != 0;
}

/* The record of an unloaded chunk has the gates that its cells and those around it give in the base. A chunk beyond a
 * border may have changed since the record was made: its record is stale then. */
static bool mark_unloaded(wend_map *map, wend__far *far, wend__far_area a) {
    for (unsigned side = 0; side < 4; side++) {
        const wend__far_area beyond = wend__far_beyond(a, side);
        if (wend__far_has(far, beyond) && wend__far_is_stale(far, beyond)) return wend__far_mark_stale(map, far, a);
    }
    return true;
}

/* Keeps the record of a chunk with known land. */
static bool mark_known(wend_edit *edit, wend__far *far, wend__far_area a) {
    const wend__chunk *before = wend__version_chunk(edit->base, a.column, a.row);
    const bool as_before = before->land == WEND_LAND_KNOWN &&
                           before->hash == wend__version_chunk(edit->draft, a.column, a.row)->hash && before->hash != 0;
    if (as_before) return true;
    return keeps_record(edit, a) ? mark_unloaded(edit->map, far, a) : wend__far_lose(edit->map, far, a);
}

/* Makes the stale record of an unloaded chunk from the base, which still has its cells. If its border differs, it may
 * make another record stale that was already visited. */
static bool make_known(wend_edit *edit, wend__far *far, wend__far_area a, bool *again) {
    if (!keeps_record(edit, a) || !wend__far_is_stale(far, a)) return true;
    *again = true;
    return wend__far_remake_from(edit->map, far, edit->base, a) == WEND_OK;
}

static bool mark_written(wend_edit *edit, wend__far *far, bool making, bool *again) {
    bool enough = true;
    const size_t count = wend__version_blocks(edit->draft);
    for (size_t b = 0; b < count; b++)
        for (unsigned i = 0; edit->dirty[b] && i < WEND__BLOCK_CHUNKS && enough; i++) {
            if (!edit->dirty[b]->rows[i]) continue;
            const wend__place p = wend__chunk_place(edit->draft, b, i);
            const wend__far_area a = {0, p.column, p.row};
            const bool known = wend__version_chunk(edit->draft, p.column, p.row)->land == WEND_LAND_KNOWN;
            if (making)
                enough = !known || make_known(edit, far, a, again);
            else
                enough = known ? mark_known(edit, far, a) : wend__far_mark_stale(edit->map, far, a);
        }
    return enough;
}

static wend_error follow(wend_edit *edit, wend__far *far) {
    bool again = edit->map->streamed, enough = mark_written(edit, far, false, NULL);
    while (enough && again) {
        again = false;
        enough = mark_written(edit, far, true, &again);
    }
    return enough ? WEND_OK : WEND_OUT_OF_MEMORY;
}

/* Gives a map a layer when its first chunk is unloaded as known, unless the host refused one. */
wend_error wend__far_rebuild(wend_edit *edit, uint32_t changes) {
    (void)changes;
    const wend__version *base = edit->base;
    wend__version *draft = edit->draft;
    const bool refused = atomic_load_explicit(&edit->map->no_far, memory_order_relaxed);
    if (!base || !wend__far_serves(draft) || !(base->far || (draft->known > 0 && !refused))) return WEND_OK;
    const bool same = memcmp(&base->rules, &draft->rules, sizeof base->rules) == 0;
    const int32_t levels = base->far ? base->far->levels : 0;
    draft->far = same && base->far ? wend__far_copy(edit->map, base->far)
                                   : wend__far_create(edit->map, same ? base : draft, levels);
    if (!draft->far) return WEND_OUT_OF_MEMORY;
    return same ? follow(edit, draft->far) : WEND_OK;
}
