/* SPDX-License-Identifier: MIT */
/* Repairs a draft's jump tables: in each chunk with changed masks, the words that differ; then the lanes that may end
 * elsewhere, backwards as long as they change.
 *
 * Any point of such a chunk may have become live, or dead: it is pruned again, unless that takes long. */
#include "fast/tables/jump_tables.h"
#include "map/store/planes.h"

enum { SIDE = WEND__CHUNK_SIDE };

/* The change of a chunk, and the affected lanes. */
typedef struct change {
    uint8_t column, row;
    uint64_t rows, columns; ///< changed rows and columns of its masks
    uint64_t steps[4];      ///< by direction: lanes with a changed step out of the chunk
    uint64_t entries[4];    ///< lanes that come into the chunk and end elsewhere, or run through it and did not before
    uint64_t live[4];       ///< lanes with ends that became live, or dead
    bool closed;            ///< all its lanes end at once
} change;

/* A row of masks at a time, eight cells a word. */
WEND__CLONED static void compare(const uint8_t *before, const uint8_t *now, change *out) {
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

/* ---- a table ---- */

static bool is_closed(const wend__jump_table *table) {
    return table == &wend__jumps_closed;
}

/* Makes the table of other masks: a copy, in which the words that differ are changed. */
static void rebuild(wend__jump_table *table, const wend__jump_table *from, const uint8_t *was,
                    const wend__jump_planes *planes, uint64_t rows) {
    wend__jump_differences found;
    if (is_closed(from)) {
        wend__jump_fill(table, planes);
        return;
    }
    wend__jump_differ(was, rows, planes, &found);
    memcpy(table->lines, from->lines, sizeof table->lines);
    memcpy(table->ends, from->ends, sizeof table->ends);
    table->points = from->points;
    wend__jump_patch(table, planes, &found);
}

static const wend__jump_table *repaired(wend_map *map, const wend__jump_table *from, const uint8_t *was,
                                        const uint8_t *masks, change *c) {
    for (unsigned d = 0; d < 4; d++) c->live[d] = UINT64_MAX;
    if (masks == wend__masks_open.bytes) return &wend__jumps_open;
    if (masks == wend__masks_closed.bytes) return &wend__jumps_closed;
    wend__jump_table *table = wend__shared_alloc(map, sizeof *table, true);
    wend__jump_planes planes;
    if (!table) return NULL;
    wend__jump_planes_of(masks, &planes);
    rebuild(table, from, was, &planes, c->rows);
    wend__jump_prune(table, masks, &planes, false, c->live);
    return table;
}

/* The lanes that the new table, and the new masks, may change. If a chunk opens or closes, so does each step into it:
   a lane that came in, or comes in now, is among the steps of the previous chunk. */
static void find_lanes(change *c, const wend__jump_table *from, const wend__jump_table *to, const uint8_t *was,
                       const uint8_t *masks) {
    const bool turned = is_closed(from) || is_closed(to);
    c->closed = is_closed(to);
    for (unsigned d = 0; d < 4 && !c->closed; d++) {
        const uint8_t *class = wend__jump_class[d];
        const uint64_t touched = wend__is_vertical(d) ? c->columns : c->rows;
        for (uint64_t left = turned ? UINT64_MAX : touched | c->live[d]; left; left &= left - 1) {
            const unsigned l = wend__ctz64(left), border = wend__border_cell(d, l), entry = wend__border_cell(d ^ 2, l);
            if (turned) {
                c->steps[d] |= (uint64_t)(class[masks[border]] != 0) << l;
                continue;
            }
            const wend__jump_run before = wend__run_of(from, entry, d), now = wend__run_of(to, entry, d);
            c->steps[d] |= (uint64_t)(class[was[border]] != class[masks[border]]) << l;
            c->entries[d] |= (uint64_t)(before.kind != now.kind || before.cells != now.cells) << l;
        }
    }
}

static wend_error repair_chunk(wend__jump_draft *draft, const uint8_t *was, const uint8_t *masks, change *c) {
    const wend__jump_table *from = draft->jumps->rows[c->row]->tables[c->column];
    const wend__jump_table *table = repaired(draft->map, from, was, masks, c);
    if (!table) return WEND_OUT_OF_MEMORY;
    find_lanes(c, from, table, was, masks);
    draft->jumps->unpruned = draft->jumps->unpruned + from->pruned - table->pruned;
    for (unsigned i = 0; i < WEND__JUMP_COUNTS; i++)
        draft->jumps->counts[i] = draft->jumps->counts[i] + table->counts[i] - from->counts[i];
    return wend__jump_draft_put(draft, c->column, c->row, table);
}

/* ---- lanes ---- */

/* Updates lanes that end at the cell where they enter the chunk: any point there may have become live, or dead. */
WEND__CLONED static uint64_t ends_at_border(const wend__jump_lanes *lanes, unsigned d) {
    uint64_t ends = 0;
    for (unsigned l = 0; lanes && l < SIDE; l++) ends |= (uint64_t)(lanes->reach[d >> 1][l] == 1) << l;
    return ends;
}

static wend_error mend_lanes(wend__jump_draft *draft, const change *c) {
    wend_error error = c->closed ? wend__jump_lanes_close(draft, c->column, c->row) : WEND_OK;
    for (unsigned d = 0; d < 4; d++) {
        const wend__jump_lanes *before = wend__jump_lanes_before(draft->jumps, c->column, c->row, d);
        uint64_t lead_here = c->entries[d] | ends_at_border(before, d);
        for (uint64_t left = c->steps[d]; left && !error; left &= left - 1) {
            bool changed;
            error = wend__jump_lane_update(draft, c->column, c->row, d, wend__ctz64(left), &changed);
            if (changed) lead_here |= left & (0 - left);
        }
        for (uint64_t left = before ? lead_here : 0; left && !error; left &= left - 1)
            error = wend__jump_lanes_update_before(draft, c->column, c->row, d, wend__ctz64(left));
    }
    return error;
}

/* ---- a block ---- */

static void account(wend__version *version, const wend__jump_block *was, const wend__jump_block *now) {
    version->jumps_unpruned = version->jumps_unpruned - was->unpruned + now->unpruned;
    for (unsigned i = 0; i < WEND__JUMP_COUNTS; i++)
        version->jump_counts[i] = version->jump_counts[i] - was->counts[i] + now->counts[i];
}

/* Closed steps hide changes, as masks there do not show the open neighbours. */
static inline bool may_differ(const wend_edit *edit, size_t index, unsigned i) {
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

/* Returns true if a block and all those around it are shared with the base. */
static bool all_shared(const wend_edit *edit, size_t index) {
    const int32_t columns = edit->draft->block_columns, rows = edit->draft->block_rows;
    const int32_t column = (int32_t)index % columns, row = (int32_t)index / columns;
    for (int32_t r = wend__most(row - 1, 0); r <= wend__least(row + 1, rows - 1); r++)
        for (int32_t c = wend__most(column - 1, 0); c <= wend__least(column + 1, columns - 1); c++)
            if (!is_shared(edit, (size_t)r * (size_t)columns + (size_t)c)) return false;
    return true;
}

/* Closed steps hide an opened cell behind them from masks: the draft may share the block of a rim chunk that
 * changes. */
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
    (void)changes; /* masks show what is new */
    size_t count = wend__version_blocks(edit->draft);
    if (!edit->base || !edit->base->jumps) return WEND_OK; /* a new mover's view has no base */
    if (edit->draft->closed_steps > 0 && own_hidden(edit)) return WEND_OUT_OF_MEMORY;
    wend_error error = wend__jumps_inherit(edit);
    for (size_t i = 0; i < count && !error; i++)
        if (edit->draft->blocks[i] != edit->base->blocks[i]) error = repair_block(edit, i);
    return error;
}
