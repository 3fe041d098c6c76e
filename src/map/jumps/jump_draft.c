/* SPDX-License-Identifier: MIT */
/* Changing the jump tables of a draft's block: rows, columns and tables are copied before they are written to. */
#include "map/jumps/jump_tables.h"
#include "map/jumps/jumps.h"
#include "map/store/directions.h"
#include "map/store/map_layout.h"

static wend__jump_row *own_row(wend__jump_draft *draft, unsigned row) {
    const wend__jump_row *shared = draft->jumps->rows[row];
    if (draft->rows >> row & 1) return (wend__jump_row *)shared;
    wend__jump_row *own = wend__jump_row_copy(draft->map, shared);
    if (!own) return NULL;
    wend__jump_row_release(draft->map, shared);
    draft->jumps->rows[row] = own;
    draft->rows |= 1u << row;
    return own;
}

static wend__jump_column *own_column(wend__jump_draft *draft, unsigned column) {
    const wend__jump_column *shared = draft->jumps->columns[column];
    if (draft->columns >> column & 1) return (wend__jump_column *)shared;
    wend__jump_column *own = wend__jump_column_copy(draft->map, shared);
    if (!own) return NULL;
    wend__jump_column_release(draft->map, shared);
    draft->jumps->columns[column] = own;
    draft->columns |= 1u << column;
    return own;
}

wend_error wend__jump_draft_put(wend__jump_draft *draft, unsigned column, unsigned row, const wend__jump_table *table) {
    wend__jump_row *own = own_row(draft, row);
    wend__jump_table_release(draft->map, own ? own->tables[column] : table);
    if (own) own->tables[column] = table;
    return own ? WEND_OK : WEND_OUT_OF_MEMORY;
}

wend__jump_table *wend__jump_draft_table(wend__jump_draft *draft, unsigned column, unsigned row) {
    const wend__jump_table *from = draft->jumps->rows[row]->tables[column];
    wend__jump_table *table = wend__jump_table_create(draft->map);
    if (!table) return NULL;
    memcpy(table->lines, from->lines, sizeof table->lines);
    memcpy(table->runs, from->runs, sizeof table->runs);
    memcpy(table->leaves, from->leaves, sizeof table->leaves);
    memcpy(table->counts, from->counts, sizeof table->counts);
    table->points = from->points;
    table->pruned = from->pruned;
    return wend__jump_draft_put(draft, column, row, table) ? NULL : table;
}

static wend__jump_lanes *own_lanes(wend__jump_draft *draft, unsigned column, unsigned row, unsigned direction) {
    if (wend__is_vertical(direction)) {
        wend__jump_column *own = own_column(draft, column);
        return own ? &own->lanes[row] : NULL;
    }
    wend__jump_row *own = own_row(draft, row);
    return own ? &own->lanes[column] : NULL;
}

wend_error wend__jump_lane_update(wend__jump_draft *draft, unsigned column, unsigned row, unsigned direction,
                                  unsigned l, bool *changed) {
    const wend__jump_block *jumps = draft->jumps;
    wend__jump_lane_end lane = wend__jump_lane_of(&draft->ground, jumps, column, row, direction, l);
    wend__jump_lane_end old = wend__jump_lane_read(wend__is_vertical(direction) ? &jumps->columns[column]->lanes[row]
                                                                                : &jumps->rows[row]->lanes[column],
                                                   direction, l);
    *changed = lane.reach != old.reach || lane.live != old.live || lane.any != old.any;
    if (!*changed) return WEND_OK;
    wend__jump_lanes *own = own_lanes(draft, column, row, direction);
    if (!own) return WEND_OUT_OF_MEMORY;
    wend__jump_lane_write(own, direction, l, lane);
    return WEND_OK;
}

wend_error wend__jump_lanes_update_before(wend__jump_draft *draft, unsigned column, unsigned row, unsigned direction,
                                          unsigned l) {
    bool changed = true;
    wend_error error = WEND_OK;
    while (changed && !error) {
        column -= (unsigned)wend__dx[direction];
        row -= (unsigned)wend__dy[direction];
        if (column >= WEND__BLOCK_SIDE || row >= WEND__BLOCK_SIDE) return WEND_OK;
        if (!draft->jumps->rows[row] || !draft->jumps->rows[row]->tables[column]) return WEND_OK;
        error = wend__jump_lane_update(draft, column, row, direction, l, &changed);
    }
    return error;
}
