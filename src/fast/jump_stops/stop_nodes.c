/* SPDX-License-Identifier: MIT */
/* Finds and makes the nodes of a jump search with stops. */
#include "fast/jump_stops/stop_nodes.h"
#include "fast/jump_stops/stop_ground.h"
#include "search/store/pages.h"

#include <string.h>

/* The directory of a block without nodes. */
#define NONE_8 WEND__NONE, WEND__NONE, WEND__NONE, WEND__NONE, WEND__NONE, WEND__NONE, WEND__NONE, WEND__NONE
#define NONE_64 NONE_8, NONE_8, NONE_8, NONE_8, NONE_8, NONE_8, NONE_8, NONE_8
#define NONE_512 NONE_64, NONE_64, NONE_64, NONE_64, NONE_64, NONE_64, NONE_64, NONE_64
static const uint32_t nowhere[WEND__STOP_DIRECTORY] = {NONE_512, NONE_512};

/* ---- the blocks ---- */

/* The bits of a block's columns (or rows) of chunks from `low` to `high`, which count from the map's first. */
static uint32_t span_in_block(int32_t low, int32_t high, int32_t block) {
    const int32_t first = wend__most(low - (block << WEND__BLOCK_SHIFT), 0);
    const int32_t last = wend__least(high - (block << WEND__BLOCK_SHIFT), WEND__BLOCK_SIDE - 1);
    return first > last ? 0 : (UINT32_C(2) << last) - (UINT32_C(1) << first);
}

/* Adds the chunks of the block in which units of some chunks of the map leave marks. */
static void add_unit_chunks(wend__stop_jump_search *j, wend_box chunks) {
    const uint32_t columns = span_in_block(chunks.min.x, chunks.max.x, j->jump.block_column);
    const uint32_t rows = span_in_block(chunks.min.y, chunks.max.y, j->jump.block_row);
    if (!columns || !rows) return;
    j->unit_columns |= columns, j->unit_rows |= rows;
}

/* The same for all sheets with units that count: columns and rows may meet in more chunks. */
static void add_sheets(wend__stop_jump_search *j, const wend__search *s) {
    for (uint32_t word = 0; word <= j->sheets->count / 64; word++)
        for (uint64_t left = s->seen.joined[word]; left; left &= left - 1) {
            const uint32_t sheet = word * 64 + wend__ctz64(left);
            wend_box box;
            if (wend__sheet_within(s->version->map, sheet, s->seen.start, s->seen.within, &box))
                add_unit_chunks(j, wend__chunks_marked_in(box));
        }
}

/* Marks the chunks of the window with units. Chunks outside may have marks of past moves. */
static void mark_in_window(wend__stop_jump_search *j) {
    for (uint32_t rows = j->unit_rows; rows; rows &= rows - 1) {
        const unsigned row = wend__ctz32(rows);
        const uint32_t columns = j->unit_block->special_rows[row] & j->unit_columns;
        j->marked_columns |= columns;
        j->marked_rows |= (uint32_t)(columns != 0) << row;
    }
}

/* Finds the block's units that the request sees, and marks their chunks. */
static void set_unit_block(wend__stop_jump_search *j, const wend__search *s, size_t index) {
    j->unit_block = NULL;
    if (s->request.occupied == WEND_OCCUPIED_IGNORE) return;
    j->unit_columns = j->unit_rows = 0;
    if (WEND__UNLIKELY(j->sheets))
        add_sheets(j, s);
    else
        add_unit_chunks(j, (wend_box){{j->window_left, j->window_top, 0}, {j->window_right, j->window_bottom, 0}});
    if (j->unit_columns && j->unit_rows) j->unit_block = wend__unit_block(s->version->map, index);
    if (!j->unit_block) return;
    if (j->windowed) {
        mark_in_window(j);
    } else {
        j->marked_columns |= j->unit_block->any_columns;
        j->marked_rows |= j->unit_block->any_rows;
    }
}

void wend__stop_enter_block(wend__search *s, int32_t column, int32_t row) {
    wend__stop_jump_search *j = wend__stop_of(s);
    const size_t index = wend__block_index(s->view, column, row);
    j->jump.block_column = column >> WEND__BLOCK_SHIFT;
    j->jump.block_row = row >> WEND__BLOCK_SHIFT;
    j->block = s->view->blocks[index];
    j->stop_block = wend__stop_block_at(s->view, index);
    j->directory = s->directory[index] == WEND__NONE ? nowhere : s->pool->open_entries + s->directory[index];
    j->marked_columns = j->stop_block ? j->stop_block->marks.any_columns : 0;
    j->marked_rows = j->stop_block ? j->stop_block->marks.any_rows : 0;
    set_unit_block(j, s, index);
}

/* ---- making nodes ---- */

/* Makes a block's directory. Only rows of chunks that the map has are cleared. */
static bool make_directory(wend__search *s, wend__stock *stock, size_t block, int32_t column, int32_t row) {
    const uint32_t page = wend__pages_demand_open(s, stock);
    if (page == WEND__NONE) return false;
    s->directory[block] = page * WEND__OPEN_PAGE_WORDS;
    const int32_t rows = wend__least(WEND__BLOCK_SIDE, s->view->chunk_rows - (row & -WEND__BLOCK_SIDE));
    memset(s->pool->open_entries + s->directory[block], 0xff,
           (size_t)rows * WEND__BLOCK_SIDE * WEND__STOP_PARTS * sizeof(uint32_t));
    wend__stop_enter_block(s, column, row);
    return true;
}

/* Returns a page with a slot for each cell of a part. */
static uint32_t make_whole(wend__search *s, wend__stock *stock) {
    const uint32_t page = wend__pages_demand(s, stock);
    if (page == WEND__NONE) return WEND__NONE;
    const uint32_t word = WEND__STOP_WHOLE | (page << 11) | WEND__STOP_FIRST;
    memset(wend__stop_bits(s, word), 0, WEND__STOP_PART_CELLS / 8);
    return word;
}

/* Nodes for the jump points of a half; the rest of the previous page stays unused. */
static uint32_t make_numbered(wend__search *s, wend__stock *stock, uint32_t count) {
    wend__stop_jump_search *j = wend__stop_of(s);
    if (j->jump.fresh_end - j->jump.fresh_node < count) {
        const uint32_t page = wend__pages_demand(s, stock);
        if (page == WEND__NONE) return WEND__NONE;
        j->jump.fresh_node = page << 11;
        j->jump.fresh_end = j->jump.fresh_node + WEND__STOP_SLOTS;
    }
    const uint32_t first = j->jump.fresh_node;
    j->jump.fresh_node += count;
    memset(wend__stop_node_at(s, first), 0xff, count * sizeof(wend__stop_node));
    return first;
}

/* Copies the numbered nodes of a row to slots of their own. */
static void spread_row(wend__search *s, const wend__jump_points *points, uint32_t y, uint32_t from, uint32_t to) {
    for (uint32_t eight = y << 3; eight < (y + 1) << 3; eight++)
        for (uint32_t bits = points->cells[eight]; bits; bits &= bits - 1) {
            const uint32_t x = (eight & 7) << 3 | wend__ctz32(bits);
            const wend__stop_node *node = wend__stop_node_at(s, from + wend__jump_number(points, x, y));
            if (node->g == UINT32_MAX) continue;
            *wend__stop_node_at(s, wend__stop_place_whole(s, to, (int32_t)x, (int32_t)y)) = *node;
        }
}

/* The same of a part. Most rows have no jump point. */
static void spread_nodes(wend__search *s, const wend__jump_points *points, unsigned part, uint32_t from, uint32_t to) {
    for (uint32_t y = part * 16; y < part * 16 + 16; y++) {
        uint64_t any;
        memcpy(&any, points->cells + (y << 3), sizeof any);
        if (any) spread_row(s, points, y, from, to);
    }
}

/* The first nodes of a part. */
static uint32_t make_part(wend__search *s, wend__stock *stock, const wend__stop_ground *at, unsigned part,
                          uint32_t *words, bool any_cell) {
    const unsigned half = part >> 1;
    const uint32_t count = at->table->points.count[half];
    if (any_cell || count > WEND__STOP_SLOTS) return words[part] = make_whole(s, stock);
    const uint32_t first = make_numbered(s, stock, count);
    if (first == WEND__NONE) return WEND__NONE;
    for (unsigned i = 2 * half; i < 2 * half + 2; i++)
        if (words[i] == WEND__NONE) words[i] = first;
    return words[part];
}

WEND__NOINLINE uint32_t wend__stop_nodes_make(wend__search *s, wend__stock *stock, const wend__stop_ground *at,
                                              int32_t x, int32_t y) {
    const size_t block = wend__block_index(s->view, at->column, at->row);
    if (s->directory[block] == WEND__NONE && !make_directory(s, stock, block, at->column, at->row)) return WEND__NONE;
    uint32_t *words = s->pool->open_entries + s->directory[block] + WEND__STOP_PARTS * at->index;
    const unsigned part = wend__stop_part(y);
    const wend__jump_points *points = &at->table->points;
    const bool point = wend__jump_is_point(points, (uint32_t)x & 63, (uint32_t)y & 63);
    const bool uneven = at->units || (at->stops && !wend__stop_of(s)->bare); /* else few nodes are no jump points */
    if (words[part] == WEND__NONE) return make_part(s, stock, at, part, words, !point || uneven);
    if (point || words[part] & WEND__STOP_WHOLE) return words[part]; /* the ground is older than the directory */
    const uint32_t whole = make_whole(s, stock);
    if (whole == WEND__NONE) return WEND__NONE;
    spread_nodes(s, points, part, words[part], whole);
    return words[part] = whole;
}

/* ---- reading ---- */

uint32_t wend__stop_place_find(const wend__search *s, uint32_t cell) {
    const int32_t x = wend__jump_x(cell), y = wend__jump_y(cell);
    const int32_t column = x >> WEND__CHUNK_SHIFT, row = y >> WEND__CHUNK_SHIFT;
    const uint32_t word = s->pool->open_entries[s->directory[wend__block_index(s->view, column, row)] +
                                                WEND__STOP_PARTS * wend__chunk_index(column, row) + wend__stop_part(y)];
    if (word & WEND__STOP_WHOLE) return (word & ~WEND__STOP_WHOLE) + wend__stop_slot(x, y);
    const wend__jump_points *points = &wend__jump_table_at(s->view, column, row)->points;
    return word + wend__jump_number(points, (uint32_t)x & 63, (uint32_t)y & 63);
}

static void list_whole(const wend__search *s, uint32_t word, int32_t x, int32_t y, wend__cell_list *list) {
    const uint64_t *bits = wend__stop_bits(s, word);
    for (int32_t row = 0; row < 16; row++)
        for (uint64_t left = bits[row]; left; left &= left - 1) {
            const int32_t column = (int32_t)wend__ctz64(left);
            const uint32_t place = (word & ~WEND__STOP_WHOLE) + (uint32_t)(row << 6 | column);
            if (wend__stop_node_at(s, place)->flags & WEND__STOP_CLOSED)
                wend__cell_list_add(list, (wend_cell){x + column, y + row, 0});
        }
}

static void list_numbered(const wend__search *s, const wend__jump_points *points, uint32_t first, unsigned part,
                          int32_t x, int32_t y, wend__cell_list *list) {
    for (unsigned eight = part * 128; eight < part * 128 + 128; eight++)
        for (uint32_t bits = points->cells[eight]; bits; bits &= bits - 1) {
            const uint32_t column = (eight & 7) << 3 | wend__ctz32(bits), row = eight >> 3;
            const wend__stop_node *node = wend__stop_node_at(s, first + wend__jump_number(points, column, row));
            if (node->g != UINT32_MAX && node->flags & WEND__STOP_CLOSED)
                wend__cell_list_add(list, (wend_cell){x + (int32_t)column, y + (int32_t)(row & 15), 0});
        }
}

static void list_chunk(const wend__search *s, const uint32_t *words, int32_t column, int32_t row,
                       wend__cell_list *list) {
    const wend__jump_points *points = &wend__jump_table_at(s->view, column, row)->points;
    for (unsigned part = 0; part < WEND__STOP_PARTS; part++) {
        const int32_t x = column << WEND__CHUNK_SHIFT, y = row << WEND__CHUNK_SHIFT | (int32_t)part << 4;
        if (words[part] == WEND__NONE) continue;
        if (words[part] & WEND__STOP_WHOLE)
            list_whole(s, words[part], x, y, list);
        else
            list_numbered(s, points, words[part], part, x, y, list);
    }
}

/* The chunks of a block. */
static void list_block(const wend__search *s, size_t block, wend__cell_list *list) {
    const uint32_t *words = s->pool->open_entries + s->directory[block];
    for (unsigned i = 0; i < WEND__BLOCK_CHUNKS; i++) {
        const wend__place place = wend__chunk_place(s->view, block, i);
        if (!wend__on_table(s->view, place.column, place.row)) continue;
        const wend_cell low = {place.column << WEND__CHUNK_SHIFT, place.row << WEND__CHUNK_SHIFT, 0};
        const wend_box box = {low, {low.x + WEND__CHUNK_SIDE - 1, low.y + WEND__CHUNK_SIDE - 1, 0}};
        if (!wend__cell_list_skips(list, box))
            list_chunk(s, words + WEND__STOP_PARTS * i, place.column, place.row, list);
    }
}

void wend__stop_nodes_expanded(const wend__search *s, wend__cell_list *list) {
    for (size_t block = 0; block < wend__version_blocks(s->view); block++)
        if (s->directory[block] != WEND__NONE) list_block(s, block, list);
}
