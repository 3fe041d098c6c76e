/* SPDX-License-Identifier: MIT */
/* Repairing a draft's jump tables: in each chunk whose masks changed, the rows and columns of the changed cells; then
 * the lanes along these, backwards as long as they change.
 *
 * Any point of such a chunk may have become live, or dead: it is pruned again, unless that takes long. */
#include "map/jumps/jump_tables.h"
#include "map/store/planes.h"

enum {
    SIDE = WEND__CHUNK_SIDE,
    MOST_LINES = 32 ///< where more rows and columns changed, the table is made again: that is quicker
};

/* The rows and columns of a chunk whose masks changed. */
typedef struct change {
    uint8_t column, row;
    bool pruned; ///< its table was, or is now: lanes that end at its points may have become live, or dead
    uint64_t rows, columns;
} change;

/* A row of masks at a time, eight cells a word. */
static void compare(const uint8_t *before, const uint8_t *now, change *out) {
    uint64_t columns[8] = {0}, a[8], b[8];
    out->rows = out->columns = 0;
    for (unsigned y = 0; y < SIDE; y++) {
        uint64_t row = 0;
        memcpy(a, before + y * SIDE, SIDE);
        memcpy(b, now + y * SIDE, SIDE);
        for (unsigned i = 0; i < 8; i++) row |= a[i] ^ b[i], columns[i] |= a[i] ^ b[i];
        out->rows |= (uint64_t)(row != 0) << y;
    }
    uint8_t bytes[SIDE];
    memcpy(bytes, columns, SIDE);
    for (unsigned x = 0; x < SIDE; x++) out->columns |= (uint64_t)(bytes[x] != 0) << x;
}

static unsigned lowest(uint64_t bits) {
    return wend__ctz64(bits);
}

static unsigned highest(uint64_t bits) {
    return 63 - wend__ctz64(wend__reversed(bits));
}

/* ---- a table ---- */

/* A copy whose points all count as live. */
static void copy_unpruned(wend__jump_table *restrict to, const wend__jump_table *restrict from) {
    const uint32_t points = UINT32_C(0x40404040);
    const size_t head = offsetof(wend__jump_table, lines), rest = offsetof(wend__jump_table, points);
    if (!from->pruned) {
        memcpy((char *)to + head, (const char *)from + head, sizeof *to - head);
        return;
    }
    for (unsigned i = 0; i < WEND__QUADRANTS * SIDE; i++) {
        const wend__jump_line *line = &from->lines[i / SIDE][i % SIDE];
        wend__jump_line *copy = &to->lines[i / SIDE][i % SIDE];
        *copy = *line;
        copy->live_h = line->any_h, copy->live_v = line->any_v;
    }
    for (unsigned i = 0; i < WEND__CHUNK_CELLS; i++)
        to->runs[i] = from->runs[i] & ~((from->runs[i] & points) << 1); /* 0xC0 to 0x40 */
    memcpy((char *)to + rest, (const char *)from + rest, sizeof *to - rest);
    to->pruned = false;
}

/* The entry of a line for the run from its cell at p, where that starts or ceases to end at a jump point or the rim. */
WEND__INLINE void flip(wend__jump_line *line, unsigned p, bool vertical, uint64_t point, uint64_t rim) {
    uint64_t *any = vertical ? &line->any_v : &line->any_h;
    *any ^= point << p;
    *(vertical ? &line->live_v : &line->live_h) = *any; /* nothing is pruned */
    *(vertical ? &line->rim_v : &line->rim_h) ^= rim << p;
}

/* `kinds`: its kind before, exclusive-or its kind now. */
WEND__INLINE void flip_kind(wend__jump_table *table, unsigned cell, unsigned d, unsigned kinds) {
    static const struct {
        uint8_t quadrant, x, y; ///< as wend__quadrants_of, flip_x and flip_y have it: here the compiler knows them
    } of[4][2] = {{{WEND__QUADRANT_NW, 63, 63}, {WEND__QUADRANT_NE, 0, 63}},
                  {{WEND__QUADRANT_NE, 0, 63}, {WEND__QUADRANT_SE, 0, 0}},
                  {{WEND__QUADRANT_SW, 63, 0}, {WEND__QUADRANT_SE, 0, 0}},
                  {{WEND__QUADRANT_NW, 63, 63}, {WEND__QUADRANT_SW, 63, 0}}};
    for (unsigned i = 0; i < 2; i++) {
        const unsigned p = (cell & 63) ^ of[d][i].x, q = cell >> 6 ^ of[d][i].y;
        flip(&table->lines[of[d][i].quadrant][(p - q) & 63], p, wend__is_vertical(d), kinds & 1, kinds >> 1);
    }
}

static void count(wend__jump_table *table, unsigned what, int by) {
    table->counts[what] = (uint16_t)(table->counts[what] + by);
}

static void count_end(wend__jump_table *table, unsigned kind, int by) {
    if (kind != WEND__RUN_RIM) count(table, kind & 1 ? WEND__JUMP_CORNERS : WEND__JUMP_WALLS, by);
}

static int diagonals_of(uint8_t mask) {
    return wend__jump_bits[wend__jump_exits[15][mask] >> 4];
}

/* Cells that became open, or are not any more, with what is known of them as it still is. */
static void count_cells(wend__jump_table *table, const uint8_t *before, const uint8_t *masks, const change *c) {
    const uint64_t beside = wend__open_cells(c->columns, c->columns); /* of these cells masks beside them changed */
    for (uint64_t rows = c->rows; rows; rows &= rows - 1)
        for (uint64_t columns = beside; columns; columns &= columns - 1) {
            const unsigned cell = lowest(rows) << WEND__CHUNK_SHIFT | lowest(columns);
            const int by = wend__is_open_cell(masks, cell) - wend__is_open_cell(before, cell);
            if (by == 0) continue;
            for (unsigned d = 0; d < 4; d++) count_end(table, wend__run_of(table, cell, d) >> 6, by);
            count(table, WEND__JUMP_DIAGONALS, by * diagonals_of(before[cell]));
        }
}

/* The runs of a row or column whose cells first to last, counted from its border cell, changed: from the first back,
   until nothing changes any more. */
WEND__INLINE void redo_runs(wend__jump_table *table, const uint8_t *masks, unsigned d, unsigned l, unsigned first,
                            unsigned last) {
    static const int32_t back[4] = {SIDE, -1, -SIDE, 1};
    static const uint8_t passes[3] = {0, 0, 0xFF}, ends[3] = {0, 0x40, 0};
    if (first == 0) first = 1; /* the border cell's never changes */
    unsigned cell = (unsigned)((int32_t)wend__border_cell(d, l) + ((int32_t)first - 1) * back[d]);
    unsigned run = wend__run_of(table, cell, d);
    for (unsigned i = first; i < SIDE; i++) {
        cell = (unsigned)((int32_t)cell + back[d]);
        unsigned class = wend__jump_class[d][masks[cell]], old = wend__run_of(table, cell, d);
        run = ((run + 1) & passes[class]) | ends[class];
        if (run == old && i > last) return;
        if (run == old) continue;
        table->runs[cell] ^= (run ^ old) << 8 * d;
        if (!((run ^ old) >> 6)) continue;
        flip_kind(table, cell, d, (run ^ old) >> 6);
        if (!wend__is_open_cell(masks, cell)) continue;
        count_end(table, old >> 6, -1);
        count_end(table, run >> 6, 1);
    }
}

static void redo_leaf(wend__jump_table *table, const uint8_t *masks, unsigned d, unsigned l) {
    wend__put_bit(&table->leaves[d], l, masks[wend__border_cell(d, l)] >> d & 1);
}

/* The diagonal steps of the cells of a row that changed. */
static void redo_legal(wend__jump_table *table, const uint8_t *before, const uint8_t *masks, unsigned y,
                       uint64_t columns) {
    for (; columns; columns &= columns - 1) {
        unsigned cell = y << WEND__CHUNK_SHIFT | wend__ctz64(columns);
        if (wend__is_open_cell(masks, cell))
            count(table, WEND__JUMP_DIAGONALS, diagonals_of(masks[cell]) - diagonals_of(before[cell]));
        for (unsigned k = 0; k < WEND__QUADRANTS; k++) {
            const wend__diagonal at = wend__diagonal_of(k, cell);
            wend__put_bit(&table->lines[k][at.line].legal, at.p, wend__jump_exits[15][masks[cell]] >> (4 + k) & 1);
        }
    }
}

static void redo(wend__jump_table *table, const uint8_t *before, const uint8_t *masks, const wend__jump_planes *planes,
                 const change *c) {
    const unsigned west = lowest(c->columns), east = highest(c->columns);
    const unsigned north = lowest(c->rows), south = highest(c->rows);
    wend__jump_points_rebuild(&table->points, planes, c->rows);
    count_cells(table, before, masks, c);
    for (uint64_t rows = c->rows; rows; rows &= rows - 1) {
        unsigned y = lowest(rows);
        redo_legal(table, before, masks, y, c->columns);
        redo_runs(table, masks, WEND__E, y, 63 - east, 63 - west);
        redo_runs(table, masks, WEND__W, y, west, east);
        redo_leaf(table, masks, WEND__E, y);
        redo_leaf(table, masks, WEND__W, y);
    }
    for (uint64_t columns = c->columns; columns; columns &= columns - 1) {
        unsigned x = lowest(columns);
        redo_runs(table, masks, WEND__N, x, north, south);
        redo_runs(table, masks, WEND__S, x, 63 - south, 63 - north);
        redo_leaf(table, masks, WEND__N, x);
        redo_leaf(table, masks, WEND__S, x);
    }
}

static const wend__jump_table *repaired(wend_map *map, const wend__jump_table *from, const uint8_t *was,
                                        const uint8_t *masks, const change *c) {
    if (masks == wend__masks_open.bytes) return &wend__jumps_open;
    if (masks == wend__masks_closed.bytes) return &wend__jumps_closed;
    wend__jump_table *table = wend__shared_alloc(map, sizeof *table, true);
    wend__jump_planes planes;
    if (!table) return NULL;
    if (wend__popcount64(c->rows) + wend__popcount64(c->columns) > MOST_LINES) {
        wend__jump_build(table, masks, &planes);
    } else {
        wend__jump_planes_of(masks, &planes);
        copy_unpruned(table, from);
        redo(table, was, masks, &planes, c);
    }
    wend__jump_prune(table, masks, &planes, false);
    return table;
}

/* A chunk whose masks are other than they were. */
static wend_error repair_chunk(wend__jump_draft *draft, const uint8_t *was, const uint8_t *masks, change *c) {
    const wend__jump_table *from = draft->jumps->rows[c->row]->tables[c->column];
    const wend__jump_table *table = repaired(draft->map, from, was, masks, c);
    if (!table) return WEND_OUT_OF_MEMORY;
    c->pruned = from->pruned || table->pruned;
    draft->jumps->unpruned = draft->jumps->unpruned + from->pruned - table->pruned;
    for (unsigned i = 0; i < WEND__JUMP_COUNTS; i++)
        draft->jumps->counts[i] = draft->jumps->counts[i] + table->counts[i] - from->counts[i];
    return wend__jump_draft_put(draft, c->column, c->row, table);
}

/* ---- lanes ---- */

static int32_t mend_lane(wend__jump_draft *draft, const change *c, unsigned d, unsigned l) {
    bool changed;
    wend_error error = wend__jump_lane_update(draft, c->column, c->row, d, l, &changed);
    return error ? error : wend__jump_lanes_update_before(draft, c->column, c->row, d, l);
}

/* Lanes that lead to the chunk from outside. */
static wend_error mend_ends(wend__jump_draft *draft, const change *c, unsigned d) {
    const wend__jump_lanes *lanes = wend__jump_lanes_before(draft->jumps, c->column, c->row, d);
    wend_error error = WEND_OK;
    for (uint64_t ends = lanes ? wend__jump_lanes_ending(lanes, d) : 0; ends && !error; ends &= ends - 1)
        error = wend__jump_lanes_update_before(draft, c->column, c->row, d, wend__ctz64(ends));
    return error;
}

static wend_error mend_lanes(wend__jump_draft *draft, const change *c) {
    wend_error error = WEND_OK;
    for (uint64_t rows = c->rows; rows && !error; rows &= rows - 1) {
        error = mend_lane(draft, c, WEND__E, wend__ctz64(rows));
        if (!error) error = mend_lane(draft, c, WEND__W, wend__ctz64(rows));
    }
    for (uint64_t columns = c->columns; columns && !error; columns &= columns - 1) {
        error = mend_lane(draft, c, WEND__N, wend__ctz64(columns));
        if (!error) error = mend_lane(draft, c, WEND__S, wend__ctz64(columns));
    }
    for (unsigned d = 0; d < 4 && c->pruned && !error; d++) error = mend_ends(draft, c, d);
    return error;
}

/* ---- a block ---- */

static void account(wend__version *version, const wend__jump_block *was, const wend__jump_block *now) {
    version->jumps_unpruned = version->jumps_unpruned - was->unpruned + now->unpruned;
    for (unsigned i = 0; i < WEND__JUMP_COUNTS; i++)
        version->jump_counts[i] = version->jump_counts[i] - was->counts[i] + now->counts[i];
}

/* Closed steps hide what changed, as masks do not tell open neighbours there. */
static bool may_differ(const wend_edit *edit, size_t index, unsigned i) {
    const wend__chunk *was = &edit->base->blocks[index]->chunks[i], *now = &edit->draft->blocks[index]->chunks[i];
    if (!was->closed_near && !now->closed_near) return was->masks != now->masks;
    const wend__place p = wend__chunk_place(edit->draft, index, i);
    return wend__on_table(edit->draft, p.column, p.row) && !wend__jump_ground_stays(edit, p.column, p.row);
}

static wend_error repair_block(wend_edit *edit, size_t index) {
    const wend__jump_ground before = wend__jump_ground_of(edit->base, index);
    wend__jump_draft draft = {.map = edit->map, .ground = wend__jump_ground_of(edit->draft, index)};
    draft.jumps = edit->draft->blocks[index]->jumps;
    change changes[WEND__BLOCK_CHUNKS];
    unsigned count = 0;
    const wend__jump_block was_so = *draft.jumps;
    wend_error error = WEND_OK;
    for (unsigned i = 0; i < WEND__BLOCK_CHUNKS && !error; i++) {
        uint8_t room[2][WEND__CHUNK_CELLS];
        if (!may_differ(edit, index, i)) continue;
        const uint8_t *was = wend__jump_masks(&before, i % WEND__BLOCK_SIDE, i / WEND__BLOCK_SIDE, room[0]);
        const uint8_t *masks = wend__jump_masks(&draft.ground, i % WEND__BLOCK_SIDE, i / WEND__BLOCK_SIDE, room[1]);
        change *c = &changes[count];
        *c = (change){.column = (uint8_t)(i % WEND__BLOCK_SIDE), .row = (uint8_t)(i / WEND__BLOCK_SIDE)};
        compare(was, masks, c);
        if (!c->rows) continue;
        count++;
        error = repair_chunk(&draft, was, masks, c);
    }
    for (unsigned i = 0; i < count && !error; i++) error = mend_lanes(&draft, &changes[i]);
    account(edit->draft, &was_so, draft.jumps);
    return error;
}

static bool is_shared(const wend_edit *edit, size_t index) {
    return edit->draft->blocks[index] == edit->base->blocks[index];
}

/* Are a block and all those around it shared with the base? */
static bool all_shared(const wend_edit *edit, size_t index) {
    const int32_t columns = edit->draft->block_columns, rows = edit->draft->block_rows;
    const int32_t column = (int32_t)index % columns, row = (int32_t)index / columns;
    for (int32_t r = wend__most(row - 1, 0); r <= wend__least(row + 1, rows - 1); r++)
        for (int32_t c = wend__most(column - 1, 0); c <= wend__least(column + 1, columns - 1); c++)
            if (!is_shared(edit, (size_t)r * (size_t)columns + (size_t)c)) return false;
    return true;
}

/* Closed steps hide from a chunk's masks that a cell opened beyond them: the draft may still share the block of a chunk
   at the rim whose table changes. */
static wend_error own_hidden(wend_edit *edit) {
    const size_t count = wend__version_blocks(edit->draft);
    for (size_t b = 0; b < count; b++) {
        if (!is_shared(edit, b) || all_shared(edit, b)) continue;
        for (unsigned i = 0; i < WEND__BLOCK_CHUNKS && is_shared(edit, b); i++) {
            if (!edit->draft->blocks[b]->chunks[i].closed_near || !may_differ(edit, b, i)) continue;
            const wend__place p = wend__chunk_place(edit->draft, b, i);
            if (wend__edit_own_block(edit, p.column, p.row)) return WEND_OUT_OF_MEMORY;
        }
    }
    return WEND_OK;
}

wend_error wend__jumps_rebuild(wend_edit *edit, uint32_t changes) {
    (void)changes; /* masks say what is new */
    size_t count = wend__version_blocks(edit->draft);
    if (!edit->base || !edit->base->jumps) return WEND_OK; /* a new mover's view has no base */
    if (edit->draft->closed_steps > 0 && own_hidden(edit)) return WEND_OUT_OF_MEMORY;
    wend_error error = wend__jumps_inherit(edit);
    for (size_t i = 0; i < count && !error; i++)
        if (edit->draft->blocks[i] != edit->base->blocks[i]) error = repair_block(edit, i);
    return error;
}
