/* SPDX-License-Identifier: MIT */
/* Finds and makes the nodes of a jump search. */

/* Tried: huge pages for a map: 0.90 to 0.94 of the time, but tables take 0.8 to 1.6 times as long to make. For a
 * service that is not prefaulted: short queries from cold memory take 1.4 to 2.3 times as long. */
#include "fast/jump/grid_jump_nodes.h"
#include "search/store/pages.h"

#include <string.h>

/* The directory of a block without nodes. */
#define NONE_8 WEND__NONE, WEND__NONE, WEND__NONE, WEND__NONE, WEND__NONE, WEND__NONE, WEND__NONE, WEND__NONE
#define NONE_64 NONE_8, NONE_8, NONE_8, NONE_8, NONE_8, NONE_8, NONE_8, NONE_8
static const uint32_t nowhere[WEND__JUMP_HALVES] = {NONE_64, NONE_64, NONE_64, NONE_64,
                                                    NONE_64, NONE_64, NONE_64, NONE_64};

void wend__jump_enter_block(wend__search *s, int32_t column, int32_t row) {
    const size_t index = wend__block_index(s->version, column, row);
    wend__jump_of(s)->block_column = column >> WEND__BLOCK_SHIFT;
    wend__jump_of(s)->block_row = row >> WEND__BLOCK_SHIFT;
    wend__grid_jump_of(s)->chunks = s->version->blocks[index]->chunks;
    wend__grid_jump_of(s)->block = s->version->blocks[index]->jumps;
    wend__grid_jump_of(s)->halves =
        s->directory[index] == WEND__NONE ? nowhere : s->pool->open_entries + s->directory[index];
}

/* Makes a block's directory: half an open page. Only rows of chunks that the map has are cleared. */
static bool make_directory(wend__search *s, wend__stock *stock, size_t block, int32_t column, int32_t row) {
    uint32_t at = wend__grid_jump_of(s)->spare_directory;
    wend__grid_jump_of(s)->spare_directory = WEND__NONE;
    if (at == WEND__NONE) {
        const uint32_t page = wend__pages_demand_open(s, stock);
        if (page == WEND__NONE) return false;
        at = page * 2 * WEND__JUMP_HALVES;
        wend__grid_jump_of(s)->spare_directory = at + WEND__JUMP_HALVES;
    }
    const int32_t rows = wend__least(WEND__BLOCK_SIDE, s->version->chunk_rows - (row & -WEND__BLOCK_SIDE));
    memset(s->pool->open_entries + at, 0xff, (size_t)rows * 2 * WEND__BLOCK_SIDE * sizeof(uint32_t));
    s->directory[block] = at;
    wend__jump_enter_block(s, column, row);
    return true;
}

/* Allocates `count` nodes in a row; the rest of the previous page stays unused. */
static uint32_t allocate_nodes(wend__search *s, wend__stock *stock, uint32_t count) {
    if (wend__jump_of(s)->fresh_end - wend__jump_of(s)->fresh_node < count) {
        const uint32_t page = wend__pages_demand(s, stock);
        if (page == WEND__NONE) return WEND__NONE;
        wend__jump_of(s)->fresh_node = page * WEND__JUMP_PAGE_NODES;
        wend__jump_of(s)->fresh_end = wend__jump_of(s)->fresh_node + WEND__JUMP_PAGE_NODES;
    }
    const uint32_t first = wend__jump_of(s)->fresh_node;
    wend__jump_of(s)->fresh_node += count;
    memset((wend__jump_node *)(void *)s->pool->records + first, 0xff, count * sizeof(wend__jump_node));
    return first;
}

WEND__NOINLINE uint32_t wend__jump_nodes_make(wend__search *s, wend__stock *stock, int32_t x, int32_t y) {
    const int32_t column = x >> WEND__CHUNK_SHIFT, row = y >> WEND__CHUNK_SHIFT;
    const size_t block = wend__block_index(s->version, column, row);
    const unsigned half = (unsigned)y >> 5 & 1;
    if (s->directory[block] == WEND__NONE && !make_directory(s, stock, block, column, row)) return WEND__NONE;
    uint32_t *place = s->pool->open_entries + s->directory[block] + 2 * wend__chunk_index(column, row) + half;
    if (*place == WEND__NONE) /* the view may be older than the directory */
        *place = allocate_nodes(s, stock, wend__jump_table_at(s->version, column, row)->points.count[half]);
    return *place;
}

wend__jump_node *wend__jump_node_find(const wend__search *s, uint32_t cell) {
    const int32_t x = wend__jump_x(cell), y = wend__jump_y(cell);
    const int32_t column = x >> WEND__CHUNK_SHIFT, row = y >> WEND__CHUNK_SHIFT;
    const uint32_t *halves = s->pool->open_entries + s->directory[wend__block_index(s->version, column, row)] +
                             2 * wend__chunk_index(column, row);
    const wend__jump_points *points = &wend__jump_table_at(s->version, column, row)->points;
    const uint32_t number = wend__jump_number(points, (uint32_t)x & 63, (uint32_t)y & 63);
    return (wend__jump_node *)(void *)s->pool->records + halves[y >> 5 & 1] + number;
}

/* List the expanded nodes of a half, in the order of their numbers: row by row. */
static void list_half(const wend__jump_node *node, const wend__jump_points *points, unsigned half, int32_t x, int32_t y,
                      wend__cell_list *list) {
    for (unsigned eight = half * 256; eight < half * 256 + 256; eight++)
        for (uint32_t bits = points->cells[eight]; bits; bits &= bits - 1, node++) {
            if (node->record == UINT32_MAX || !(node->record & WEND__JUMP_CLOSED)) continue;
            const int32_t column = (int32_t)((eight & 7) << 3 | wend__ctz32(bits));
            wend__cell_list_add(list, (wend_cell){x + column, y + (int32_t)(eight >> 3), 0});
        }
}

void wend__jump_nodes_expanded(const wend__search *s, wend__cell_list *list) {
    const wend__version *v = s->version;
    const wend__jump_node *nodes = (const wend__jump_node *)(void *)s->pool->records;
    for (int32_t row = 0; row < v->chunk_rows; row++)
        for (int32_t column = 0; column < v->chunk_columns; column++) {
            const uint32_t directory = s->directory[wend__block_index(v, column, row)];
            if (directory == WEND__NONE) continue;
            const uint32_t *halves = s->pool->open_entries + directory + 2 * wend__chunk_index(column, row);
            for (unsigned half = 0; half < 2; half++)
                if (halves[half] != WEND__NONE)
                    list_half(nodes + halves[half], &wend__jump_table_at(v, column, row)->points, half,
                              column << WEND__CHUNK_SHIFT, row << WEND__CHUNK_SHIFT, list);
        }
}
