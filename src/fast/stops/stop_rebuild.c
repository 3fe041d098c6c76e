/* SPDX-License-Identifier: MIT */
/* Updates the stops of a draft from those of its base where they may differ. The stops of a cell depend on its 3 x 3
 * and on the links that begin there, so they are computed again within one cell of a change. */
#include "map/kinds/masks.h"
#include "fast/stops/stop_tables.h"
#include "map/store/memory.h"
#include "map/store/terrain.h"

enum { SIDE = WEND__CHUNK_SIDE, MOST_CELLS = 48, FEW_LINKS = 64 };

/* ---- parts that only the draft owns: copied before they are changed ---- */

static wend_error own_stops(wend_edit *edit) {
    wend__version *draft = edit->draft;
    const wend__stops *shared = edit->base->stops;
    if (draft->stops && draft->stops != shared) return WEND_OK;
    wend__stops *own = shared ? wend__shared_copy(edit->map, shared) : wend__stops_create(draft);
    if (!own) return WEND_OUT_OF_MEMORY;
    wend__shared_release(edit->map, draft->stops);
    draft->stops = own;
    return WEND_OK;
}

static wend__stop_block *own_block(wend_edit *edit, size_t index) {
    if (own_stops(edit)) return NULL;
    const wend__stop_block *now = edit->draft->stops->blocks[index];
    const wend__stop_block *shared = edit->base->stops ? edit->base->stops->blocks[index] : NULL;
    if (now && now != shared) return (wend__stop_block *)now;
    wend__stop_block *own = now ? wend__shared_copy(edit->map, now) : wend__stop_block_create(edit->map);
    if (!own) return NULL;
    wend__shared_release(edit->map, now);
    edit->draft->stops->blocks[index] = own;
    return own;
}

/* Drops an object without stops, as a full build would not make it. */
static void drop_empty(wend_edit *edit, size_t index) {
    const wend__stop_block *block = edit->draft->stops->blocks[index];
    const wend__stops *stops = edit->draft->stops;
    for (unsigned i = 0; i < WEND__BLOCK_CHUNKS; i++)
        if (block->chunks[i]) return;
    wend__shared_release(edit->map, block);
    edit->draft->stops->blocks[index] = NULL;
    for (uint32_t i = 0; i < stops->count; i++)
        if (stops->blocks[i]) return;
    wend__stops_drop(edit->draft);
}

/* Puts a chunk's stops, or none, into the draft. The reference passes to the draft; without memory it is released. */
static wend_error put_chunk(wend_edit *edit, int32_t column, int32_t row, const wend__stop_chunk *chunk) {
    const size_t index = wend__block_index(edit->draft, column, row);
    const unsigned i = wend__chunk_index(column, row);
    wend__stop_block *block = own_block(edit, index);
    if (!block) {
        wend__shared_release(edit->map, chunk);
        return WEND_OUT_OF_MEMORY;
    }
    const wend__stop_chunk *before = block->chunks[i];
    wend__mark_block_change(&block->marks, i, before ? &before->loose : NULL, chunk ? &chunk->loose : NULL);
    wend__stop_block_put(block, i, chunk);
    wend__shared_release(edit->map, before);
    if (!chunk) drop_empty(edit, index);
    return WEND_OK;
}

/* ---- a few cells of a chunk ---- */

typedef struct few {
    uint64_t cells[SIDE];   ///< cells computed again
    uint64_t special[SIDE]; ///< special cells of the chunk, afterwards
    wend__stop stops[MOST_CELLS];
    uint8_t open[MOST_CELLS]; ///< open neighbours of the cells
    uint32_t count;           ///< special cells of the chunk
} few;

static bool is_entrance(const wend__version *v, wend_cell cell) {
    uint32_t count = 0;
    if (v->links) wend__links_from(v->links, wend__cell_number(v, cell), &count);
    return count > 0;
}

/* Computes a cell; false: it is not special. */
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

/* Returns true if the version has for this cell what its 3 x 3 and its links require. */
static bool is_as_asked(const wend__version *version, wend_cell cell) {
    const wend__place p = wend__place_of(version, cell);
    const wend__stop_chunk *chunk = wend__stop_chunk_at(version, p.column, p.row);
    const int32_t number = chunk ? wend__stop_number(chunk, p.local) : WEND__NO_STOP;
    wend__stop stop;
    uint8_t open;
    if (!stop_of_cell(version, cell, &stop, &open)) return number == WEND__NO_STOP;
    return number != WEND__NO_STOP && chunk->exits[number] == stop.exits &&
           wend__stop_arrivals(chunk)[number] == stop.arrivals;
}

/* Computes the cells again. False: all are as before. */
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

/* Writes the cells of a row, in order, from old and computed ones. Returns how many there are now. */
static uint32_t merge_row(const few *f, const wend__stop_chunk *before, wend__stop_chunk *chunk, unsigned y,
                          uint32_t to, uint32_t *next) {
    uint8_t *arrivals = (uint8_t *)wend__stop_arrivals(chunk);
    uint32_t from = before ? before->before[y] : 0;
    const uint64_t was = before ? before->special[y] : 0;
    for (uint64_t left = was | f->special[y]; left; left &= left - 1) {
        const uint64_t bit = left & (0 - left);
        const bool again = f->cells[y] & bit;
        if (f->special[y] & bit) {
            WEND__DEBUG_ASSERT(again || before);
            chunk->exits[to] = again ? f->stops[*next].exits : before->exits[from];
            arrivals[to++] = again ? f->stops[*next].arrivals : wend__stop_arrivals(before)[from];
            *next += again;
        }
        from += (was & bit) != 0;
    }
    return to;
}

/* Marks of the computed cells. */
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
    wend__lines_over_rim(edit->draft, column, row, chunk->over);
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

/* Returns true if the masks of open neighbours have to be added, removed or changed. */
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

/* Computes the data of some cells of a chunk (bit x of word y) again, in a draft that began with its base's stops. */
static wend_error rebuild_cells(wend_edit *edit, int32_t column, int32_t row, const uint64_t cells[SIDE]) {
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

/* ---- changed cells of a chunk ---- */

static bool same_cells(const wend__chunk *a, const wend__chunk *b) {
    return a->terrain == b->terrain && a->bits == b->bits && a->uniform == b->uniform;
}

/* Cells of a row with different factors. */
static uint64_t other_factors(const uint8_t factors[256], const wend__chunk *a, const wend__chunk *b, unsigned y) {
    uint8_t one[SIDE], other[SIDE];
    uint64_t changed = 0;
    wend__chunk_row(a, y, one);
    wend__chunk_row(b, y, other);
    for (unsigned x = 0; x < SIDE; x++) changed |= (uint64_t)(factors[one[x]] != factors[other[x]]) << x;
    return changed;
}

/* Returns the cells of a row with different closed steps. */
static uint64_t other_closed(const wend__closed *a, const wend__closed *b, unsigned y) {
    uint64_t changed = 0;
    for (unsigned x = 0; x < SIDE; x++) {
        const unsigned cell = y << WEND__CHUNK_SHIFT | x;
        changed |= (uint64_t)((a ? a->steps[cell] : 0) != (b ? b->steps[cell] : 0)) << x;
    }
    return changed;
}

static uint64_t changed_row(const wend_edit *edit, int32_t column, int32_t row, unsigned y) {
    const wend__version *draft = edit->draft;
    const wend__chunk *was = wend__version_chunk(edit->base, column, row);
    const wend__chunk *now = wend__version_chunk(draft, column, row);
    uint64_t changed = 0;
    if (y >= wend__chunk_extent(draft->height, row)) return 0;
    if (!same_cells(was, now)) changed = other_factors(draft->rules.factors, was, now, y);
    if (was->closed != now->closed) changed |= other_closed(was->closed, now->closed, y);
    return changed & wend__low_bits(wend__chunk_extent(draft->width, column));
}

/* Adds the cells of a chunk within one cell of the changed cells of the chunk at (dx, dy) from it. */
static void add_near(const wend_edit *edit, int32_t column, int32_t row, int32_t dx, int32_t dy, uint64_t cells[SIDE]) {
    if (!wend__on_table(edit->draft, column + dx, row + dy)) return;
    uint64_t rows = wend__dirty_rows(edit->draft, edit->dirty, column + dx, row + dy);
    if (dy) rows &= dy < 0 ? UINT64_C(1) << 63 : 1;
    for (; rows; rows &= rows - 1) {
        const int32_t y = (int32_t)wend__ctz64(rows) + dy * SIDE;
        uint64_t near = changed_row(edit, column + dx, row + dy, wend__ctz64(rows));
        near = dx < 0 ? near >> 63 : dx > 0 ? near << 63 : near | near << 1 | near >> 1;
        for (int32_t to = wend__most(y - 1, 0); near && to <= wend__least(y + 1, SIDE - 1); to++) cells[to] |= near;
    }
}

/* ---- rims ---- */

/* Computes again in which rows and columns of a chunk runs over the rim lead on. */
static wend_error rebuild_over(wend_edit *edit, int32_t column, int32_t row) {
    const wend__stop_chunk *before = wend__stop_chunk_at(edit->draft, column, row);
    uint64_t over[WEND__MARKS_AXES][WEND__QUADRANTS];
    if (!before) return WEND_OK;
    wend__lines_over_rim(edit->draft, column, row, over);
    if (memcmp(over, before->over, sizeof over) == 0) return WEND_OK;
    wend__stop_chunk *chunk = wend__shared_copy(edit->map, before);
    if (!chunk) return WEND_OUT_OF_MEMORY;
    if (before->open) chunk->open = (const uint8_t *)chunk + (before->open - (const uint8_t *)before);
    memcpy(chunk->over, over, sizeof over);
    return put_chunk(edit, column, row, chunk);
}

/* Returns whether runs over a rim may find other cells in a chunk than before. */
static bool is_other_ground(const wend_edit *edit, int32_t column, int32_t row) {
    const wend__chunk *was = wend__version_chunk(edit->base, column, row);
    const wend__chunk *now = wend__version_chunk(edit->draft, column, row);
    return !same_cells(was, now) || was->masks != now->masks;
}

/* The same of a chunk in or next to which cells were written, and of those beyond its rims. They may be computed again
 * later, from the same ground. */
static wend_error rebuild_rims(wend_edit *edit, int32_t column, int32_t row) {
    const wend__version *v = edit->draft;
    const int32_t last_column = v->chunk_columns - 1, last_row = v->chunk_rows - 1;
    const bool at_side = v->around_x && (column == 0 || column == last_column);
    const bool at_end = v->around_y && (row == 0 || row == last_row);
    if ((!at_side && !at_end) || !is_other_ground(edit, column, row)) return WEND_OK;
    wend_error error = rebuild_over(edit, column, row);
    if (at_side && !error) error = rebuild_over(edit, last_column - column, row);
    if (at_end && !error) error = rebuild_over(edit, column, last_row - row);
    return error;
}

/* ---- chunks ---- */

static bool was_or_may_be(const wend_edit *edit, int32_t column, int32_t row) {
    return wend__stop_chunk_at(edit->draft, column, row) || wend__stop_chunk_possible(edit->draft, column, row);
}

static wend_error rebuild_chunk(wend_edit *edit, int32_t column, int32_t row) {
    uint64_t cells[SIDE] = {0};
    if (!was_or_may_be(edit, column, row)) return WEND_OK;
    for (int32_t i = 0; i < 9; i++) add_near(edit, column, row, i % 3 - 1, i / 3 - 1, cells);
    wend_error error = rebuild_cells(edit, column, row, cells);
    return error ? error : rebuild_rims(edit, column, row);
}

static bool is_written(const wend_edit *edit, int32_t column, int32_t row) {
    return wend__on_table(edit->draft, column, row) && wend__dirty_rows(edit->draft, edit->dirty, column, row);
}

/* Returns true if this chunk is the first, by direction, of those around a chunk that the batch wrote to. */
static bool is_first_beside(const wend_edit *edit, int32_t column, int32_t row, unsigned direction) {
    for (unsigned d = 0; d < direction; d++)
        if (is_written(edit, column + wend__dx[d], row + wend__dy[d])) return false;
    return true;
}

/* Updates a chunk that the batch wrote to, and those around it that it did not write to, each once. */
static wend_error rebuild_around(wend_edit *edit, int32_t column, int32_t row) {
    wend_error error = rebuild_chunk(edit, column, row);
    for (unsigned d = 0; d < WEND__DIRECTIONS && !error; d++) {
        const int32_t x = column + wend__dx[d], y = row + wend__dy[d];
        if (!wend__on_table(edit->draft, x, y) || is_written(edit, x, y)) continue;
        if (is_first_beside(edit, x, y, wend__opposite(d))) error = rebuild_chunk(edit, x, y);
    }
    return error;
}

static wend_error rebuild_written(wend_edit *edit) {
    const size_t blocks = wend__version_blocks(edit->draft);
    for (size_t b = 0; b < blocks; b++)
        for (unsigned i = 0; edit->dirty[b] && i < WEND__BLOCK_CHUNKS; i++) {
            if (!edit->dirty[b]->rows[i]) continue;
            const wend__place p = wend__chunk_place(edit->draft, b, i);
            wend_error error = rebuild_around(edit, p.column, p.row);
            if (error) return error;
        }
    return WEND_OK;
}

/* ---- links ---- */

static wend_error rebuild_entrance(wend_edit *edit, uint32_t from, bool many) {
    const wend__version *draft = edit->draft;
    const wend_cell cell = wend__cell_of_number(draft, from);
    const wend__place p = wend__place_of(draft, cell);
    uint64_t cells[SIDE] = {0};
    if (is_as_asked(draft, cell)) return WEND_OK;
    cells[cell.y & 63] = UINT64_C(1) << (cell.x & 63);
    if (many) memset(cells, 255, sizeof cells);
    return rebuild_cells(edit, p.column, p.row, cells);
}

/* Finds the cells where links begin in only one of two sets. */
static wend_error rebuild_others(wend_edit *edit, const wend__links *links, const wend__links *others) {
    wend_error error = WEND_OK;
    for (uint32_t i = 0; links && i < links->count && !error; i++) {
        const wend__link *link = &links->sorted[i];
        if (wend__links_cost(others, link->from, link->to) > 0) continue;
        error = rebuild_entrance(edit, link->from, links->count > FEW_LINKS);
    }
    return error;
}

static wend_error rebuild_entrances(wend_edit *edit) {
    const wend__link_changes *changes = edit->changed_links;
    if (edit->draft->links == edit->base->links) return WEND_OK;
    if (!changes) { /* the changes are not known */
        wend_error error = rebuild_others(edit, edit->base->links, edit->draft->links);
        return error ? error : rebuild_others(edit, edit->draft->links, edit->base->links);
    }
    for (size_t i = 0; i < changes->capacity; i++) {
        if (changes->slots[i].from == changes->slots[i].to) continue;
        wend_error error = rebuild_entrance(edit, changes->slots[i].from, changes->used > FEW_LINKS);
        if (error) return error;
    }
    return WEND_OK;
}

/* ---- all ---- */

static bool may_have_stops(const wend__version *v) {
    return v->max_factor > 1 || v->closed_steps > 0 || v->links;
}

static bool same_rules(const wend_map_rules *a, const wend_map_rules *b) {
    return wend__stops_serve(a) && wend__stops_serve(b) && a->cost_straight == b->cost_straight &&
           a->cost_diagonal == b->cost_diagonal && memcmp(a->factors, b->factors, sizeof a->factors) == 0;
}

wend_error wend__stops_rebuild(wend_edit *edit, uint32_t changes) {
    wend__version *draft = edit->draft;
    (void)changes; /* the rules themselves are compared */
    if (!draft->jumps || !may_have_stops(draft)) return WEND_OK;
    if (!same_rules(&edit->base->rules, &draft->rules)) return wend__stops_make(draft);
    wend__stops_share(draft, edit->base);
    wend_error error = rebuild_written(edit);
    return error ? error : rebuild_entrances(edit);
}
