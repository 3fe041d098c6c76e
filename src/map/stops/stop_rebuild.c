/* SPDX-License-Identifier: MIT */
/* Stops of a draft, from those of its base: which cells of which chunks may have others than before. What a cell has
 * depends on its 3 x 3 and on the links that begin there; so it is worked out again within one cell of a change. */
#include "map/edit/edit_links.h"
#include "map/links/links.h"
#include "map/stops/stop_tables.h"
#include "map/store/directions.h"
#include "map/store/terrain.h"

enum { SIDE = WEND__CHUNK_SIDE, FEW_LINKS = 64 };

/* ---- which cells of a chunk changed ---- */

static bool same_cells(const wend__chunk *a, const wend__chunk *b) {
    return a->terrain == b->terrain && a->bits == b->bits && a->uniform == b->uniform;
}

/* Cells of a row whose factors differ. */
static uint64_t other_factors(const uint8_t factors[256], const wend__chunk *a, const wend__chunk *b, unsigned y) {
    uint8_t one[SIDE], other[SIDE];
    uint64_t changed = 0;
    wend__chunk_row(a, y, one);
    wend__chunk_row(b, y, other);
    for (unsigned x = 0; x < SIDE; x++) changed |= (uint64_t)(factors[one[x]] != factors[other[x]]) << x;
    return changed;
}

/* Cells of a row out of which other steps are closed. */
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

/* Add the cells of a chunk within one cell of those that changed in the chunk at (dx, dy) from it. */
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

/* ---- chunks ---- */

static bool was_or_may_be(const wend_edit *edit, int32_t column, int32_t row) {
    return wend__stop_chunk_at(edit->draft, column, row) || wend__stop_chunk_possible(edit->draft, column, row);
}

static wend_error rebuild_chunk(wend_edit *edit, int32_t column, int32_t row) {
    uint64_t cells[SIDE] = {0};
    if (!was_or_may_be(edit, column, row)) return WEND_OK;
    for (int32_t i = 0; i < 9; i++) add_near(edit, column, row, i % 3 - 1, i / 3 - 1, cells);
    return wend__stop_draft_rebuild(edit, column, row, cells);
}

static bool is_written(const wend_edit *edit, int32_t column, int32_t row) {
    return wend__on_table(edit->draft, column, row) && wend__dirty_rows(edit->draft, edit->dirty, column, row);
}

/* Is this chunk the first, by direction, of those around one that the batch wrote to? */
static bool is_first_beside(const wend_edit *edit, int32_t column, int32_t row, unsigned direction) {
    for (unsigned d = 0; d < direction; d++)
        if (is_written(edit, column + wend__dx[d], row + wend__dy[d])) return false;
    return true;
}

/* A chunk that the batch wrote to, and those around it that it did not write to, each once. */
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
    if (wend__stop_is_so(draft, cell)) return WEND_OK;
    cells[cell.y & 63] = UINT64_C(1) << (cell.x & 63);
    if (many) memset(cells, 255, sizeof cells);
    return wend__stop_draft_rebuild(edit, p.column, p.row, cells);
}

/* Where links begin that only one of two sets has. */
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
    if (!changes) { /* they are not known */
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
