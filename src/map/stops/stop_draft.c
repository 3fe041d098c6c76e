/* SPDX-License-Identifier: MIT */
/* Changing the stops of a draft: the object, its blocks and chunks are copied before they are changed. */
#include "map/kinds/masks.h"
#include "map/links/links.h"
#include "map/stops/stop_tables.h"

enum { SIDE = WEND__CHUNK_SIDE, MOST_CELLS = 48 };

/* ---- what a draft owns: all that its base does not have ---- */

static wend_error own_stops(wend_edit *edit) {
    wend__version *draft = edit->draft;
    const wend__stops *shared = edit->base->stops;
    if (draft->stops && draft->stops != shared) return WEND_OK;
    wend__stops *own = wend__stops_create(draft);
    if (!own) return WEND_OUT_OF_MEMORY;
    wend__mutex_lock(edit->map->mutex);
    for (uint32_t i = 0; shared && i < own->count; i++) {
        own->blocks[i] = shared->blocks[i];
        if (own->blocks[i]) ((wend__stop_block *)own->blocks[i])->references++;
    }
    wend__mutex_unlock(edit->map->mutex);
    wend__stops_release(edit->map, draft->stops);
    draft->stops = own;
    return WEND_OK;
}

static wend__stop_block *own_block(wend_edit *edit, size_t index) {
    if (own_stops(edit)) return NULL;
    const wend__stop_block *now = edit->draft->stops->blocks[index];
    const wend__stop_block *shared = edit->base->stops ? edit->base->stops->blocks[index] : NULL;
    if (now && now != shared) return (wend__stop_block *)now;
    wend__stop_block *own = now ? wend__stop_block_copy(edit->map, now) : wend__stop_block_create(edit->map);
    if (!own) return NULL;
    wend__stop_block_release(edit->map, now);
    edit->draft->stops->blocks[index] = own;
    return own;
}

/* Nothing is kept where there are no stops, as a full build would not make it. */
static void drop_empty(wend_edit *edit, size_t index) {
    const wend__stop_block *block = edit->draft->stops->blocks[index];
    const wend__stops *stops = edit->draft->stops;
    for (unsigned i = 0; i < WEND__BLOCK_CHUNKS; i++)
        if (block->chunks[i]) return;
    wend__stop_block_release(edit->map, block);
    edit->draft->stops->blocks[index] = NULL;
    for (uint32_t i = 0; i < stops->count; i++)
        if (stops->blocks[i]) return;
    wend__stops_drop(edit->draft);
}

/* Put a chunk's stops, or none, into the draft. The reference passes to it; without memory it is released. */
static wend_error put_chunk(wend_edit *edit, int32_t column, int32_t row, const wend__stop_chunk *chunk) {
    const size_t index = wend__block_index(edit->draft, column, row);
    const unsigned i = wend__chunk_index(column, row);
    wend__stop_block *block = own_block(edit, index);
    if (!block) {
        wend__stop_chunk_release(edit->map, chunk);
        return WEND_OUT_OF_MEMORY;
    }
    const wend__stop_chunk *before = block->chunks[i];
    wend__mark_block_change(&block->marks, i, before ? &before->loose : NULL, chunk ? &chunk->loose : NULL);
    wend__stop_block_put(block, i, chunk);
    wend__stop_chunk_release(edit->map, before);
    if (!chunk) drop_empty(edit, index);
    return WEND_OK;
}

/* ---- a few cells of a chunk ---- */

typedef struct few {
    uint64_t cells[SIDE];   ///< those worked out again
    uint64_t special[SIDE]; ///< of the chunk, afterwards
    wend__stop stops[MOST_CELLS];
    uint8_t open[MOST_CELLS]; ///< open neighbours of the cells
    uint32_t count;           ///< special cells of the chunk
} few;

static bool is_entrance(const wend__version *v, wend_cell cell) {
    uint32_t count = 0;
    if (v->links) wend__links_from(v->links, wend__cell_number(v, cell), &count);
    return count > 0;
}

/* Works a cell out; false: it is not special. */
static bool stop_of_cell(const wend__version *v, wend_cell cell, wend__stop *out, uint8_t *open) {
    const wend__step_prices prices = wend__step_prices_of(&v->rules);
    const bool entrance = is_entrance(v, cell);
    wend__nine nine;
    wend__nine_of_cell(v, cell.x, cell.y, &nine);
    *open = wend__nine_open(&nine);
    if (!nine.factors[8] || (!entrance && !wend__nine_special(&nine))) return false;
    *out = wend__stop_of_nine(&nine, &prices, entrance);
    return true;
}

bool wend__stop_is_so(const wend__version *version, wend_cell cell) {
    const wend__place p = wend__place_of(version, cell);
    const wend__stop_chunk *chunk = wend__stop_chunk_at(version, p.column, p.row);
    const int32_t number = chunk ? wend__stop_number(chunk, p.local) : WEND__NO_STOP;
    wend__stop stop;
    uint8_t open;
    if (!stop_of_cell(version, cell, &stop, &open)) return number == WEND__NO_STOP;
    return number != WEND__NO_STOP && chunk->exits[number] == stop.exits &&
           wend__stop_arrivals(chunk)[number] == stop.arrivals;
}

/* Work the cells out again. False: none has anything else than before. */
static bool work_out(const wend__version *v, int32_t column, int32_t row, const wend__stop_chunk *before, few *f) {
    bool changed = false;
    uint32_t n = 0, worked = 0;
    f->count = 0;
    for (unsigned y = 0; y < SIDE; y++) {
        f->special[y] = before ? before->special[y] & ~f->cells[y] : 0;
        for (uint64_t left = f->cells[y]; left; left &= left - 1) {
            const unsigned x = wend__ctz64(left), local = y << WEND__CHUNK_SHIFT | x;
            const wend_cell cell = {column << WEND__CHUNK_SHIFT | (int32_t)x, row << WEND__CHUNK_SHIFT | (int32_t)y, 0};
            const int32_t number = before ? wend__stop_number(before, local) : WEND__NO_STOP;
            wend__stop *now = &f->stops[n];
            const bool special = stop_of_cell(v, cell, now, &f->open[worked++]);
            changed = changed || special != (number != WEND__NO_STOP);
            if (!special) continue;
            changed =
                changed || now->exits != before->exits[number] || now->arrivals != wend__stop_arrivals(before)[number];
            f->special[y] |= UINT64_C(1) << x;
            n++;
        }
        f->count += wend__popcount64(f->special[y]);
    }
    return changed;
}

/* The cells of a row, in order, from what was there and from what was worked out. Returns how many there are now. */
static uint32_t merge_row(const few *f, const wend__stop_chunk *before, wend__stop_chunk *chunk, unsigned y,
                          uint32_t to, uint32_t *next) {
    uint8_t *arrivals = (uint8_t *)wend__stop_arrivals(chunk);
    uint32_t from = before ? before->before[y] : 0;
    const uint64_t was = before ? before->special[y] : 0;
    for (uint64_t left = was | f->special[y]; left; left &= left - 1) {
        const uint64_t bit = left & (0 - left);
        const bool again = f->cells[y] & bit;
        if (f->special[y] & bit) {
            chunk->exits[to] = again ? f->stops[*next].exits : before->exits[from];
            arrivals[to++] = again ? f->stops[*next].arrivals : wend__stop_arrivals(before)[from];
            *next += again;
        }
        from += (was & bit) != 0;
    }
    return to;
}

/* Marks of the cells that were worked out. */
static void rebuild_marks(const few *f, wend__stop_chunk *chunk) {
    uint32_t next = 0;
    for (unsigned y = 0; y < SIDE; y++)
        for (uint64_t left = f->cells[y]; left; left &= left - 1) {
            const unsigned x = wend__ctz64(left), cell = y << WEND__CHUNK_SHIFT | x;
            wend__stop_lines_set(&chunk->tight, cell, 0);
            wend__marks_clear(&chunk->loose, cell);
            if (!(f->special[y] >> x & 1)) continue;
            wend__stop_lines_set(&chunk->tight, cell, f->stops[next++].arrivals);
            wend__marks_add(&chunk->loose, cell, UINT8_MAX);
        }
}

static void rebuild_open(const few *f, const uint8_t *before, uint8_t *masks) {
    uint32_t worked = 0;
    memcpy(masks, before, WEND__CHUNK_CELLS);
    for (unsigned y = 0; y < SIDE; y++)
        for (uint64_t left = f->cells[y]; left; left &= left - 1)
            masks[y << WEND__CHUNK_SHIFT | wend__ctz64(left)] = f->open[worked++];
}

static wend__stop_chunk *merged(wend_edit *edit, int32_t column, int32_t row, const few *f,
                                const wend__stop_chunk *before) {
    const bool open = wend__version_chunk(edit->draft, column, row)->closed_near;
    wend__stop_chunk *chunk = wend__stop_chunk_create(edit->map, f->count, open);
    uint32_t count = 0, next = 0;
    if (!chunk) return NULL;
    if (before) chunk->tight = before->tight, chunk->loose = before->loose;
    rebuild_marks(f, chunk);
    for (unsigned y = 0; y < SIDE; y++) {
        chunk->special[y] = f->special[y];
        chunk->before[y] = (uint16_t)count;
        count = merge_row(f, before, chunk, y, count, &next);
    }
    if (open && before && before->open)
        rebuild_open(f, before->open, (uint8_t *)chunk->open);
    else if (open)
        wend__masks_of_open(edit->draft, column, row, (uint8_t *)chunk->open);
    return chunk;
}

/* ---- a chunk ---- */

/* Do the masks of open neighbours have to be there, be away, or be others? */
static bool open_changed(const wend_edit *edit, int32_t column, int32_t row, const wend__stop_chunk *before,
                         const few *f) {
    const bool open = wend__version_chunk(edit->draft, column, row)->closed_near;
    uint32_t worked = 0;
    if (open != (before && before->open)) return true;
    for (unsigned y = 0; y < SIDE && open; y++)
        for (uint64_t left = f->cells[y]; left; left &= left - 1)
            if (before->open[y << WEND__CHUNK_SHIFT | wend__ctz64(left)] != f->open[worked++]) return true;
    return false;
}

static wend_error rebuild(wend_edit *edit, int32_t column, int32_t row, const wend__stop_chunk *before) {
    const wend__stop_chunk *chunk;
    wend_error error = wend__stop_chunk_build(edit->draft, column, row, &chunk);
    return error || (!chunk && !before) ? error : put_chunk(edit, column, row, chunk);
}

wend_error wend__stop_draft_rebuild(wend_edit *edit, int32_t column, int32_t row, const uint64_t cells[SIDE]) {
    const wend__stop_chunk *before = wend__stop_chunk_at(edit->draft, column, row);
    few f;
    uint32_t count = 0;
    for (unsigned y = 0; y < SIDE; y++) count += wend__popcount64(f.cells[y] = cells[y]);
    if (count > MOST_CELLS) return rebuild(edit, column, row, before);
    const bool changed = work_out(edit->draft, column, row, before, &f);
    if (!changed && !open_changed(edit, column, row, before, &f)) return WEND_OK;
    const bool none = f.count == 0 && !wend__version_chunk(edit->draft, column, row)->closed_near;
    wend__stop_chunk *chunk = none ? NULL : merged(edit, column, row, &f, before);
    return chunk || none ? put_chunk(edit, column, row, chunk) : WEND_OUT_OF_MEMORY;
}
