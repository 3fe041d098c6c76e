/* SPDX-License-Identifier: MIT */
/* Internal to this room: how jump tables are made, shared and updated. */
#ifndef WEND_SRC_FAST_TABLES_JUMP_TABLES_H
#define WEND_SRC_FAST_TABLES_JUMP_TABLES_H

#include "map/edit/edit.h"
#include "fast/tables/jumps.h"
#include "map/store/directions.h"
#include "map/store/memory.h"

/// The two quadrants that have a straight direction.
extern const uint8_t wend__quadrants_of[4][2];
/// The tables of chunks in which all cells have open neighbours, or none has. All maps share them.
extern const wend__jump_table wend__jumps_open, wend__jumps_closed;

/// The words of a chunk by rows (bit x of word y) from which its table is made, for each direction.
typedef struct wend__jump_planes {
    uint64_t open[WEND__DIRECTIONS][WEND__CHUNK_SIDE]; ///< the neighbour in the direction is open
    uint64_t pass[4][WEND__CHUNK_SIDE];                ///< the step leads to a cell that is no jump point
    uint64_t point[4][WEND__CHUNK_SIDE];               ///< the step leads to a jump point
    uint64_t legal[4][WEND__CHUNK_SIDE];               ///< the diagonal step of each quadrant is legal
    uint64_t any[4][WEND__CHUNK_SIDE];                 ///< the run ends at a jump point
    uint64_t rim[4][WEND__CHUNK_SIDE];                 ///< the run reaches the chunk's border
} wend__jump_planes;

/// The bits in which a chunk's planes differ from those of its masks before a change. The words of other rows are 0.
typedef struct wend__jump_differences {
    uint64_t changed; ///< rows of the masks
    uint64_t rows[4]; ///< rows of `any` and `rim`
    uint64_t legal[4][WEND__CHUNK_SIDE], pass[4][WEND__CHUNK_SIDE];
    uint64_t any[4][WEND__CHUNK_SIDE], rim[4][WEND__CHUNK_SIDE];
} wend__jump_differences;

/// Propagates a run's end back along the run, in a row: bit x follows bit x + 1 if bit x of `pass` is set.
static inline uint64_t wend__carry_west(uint64_t ends, uint64_t pass) {
    for (unsigned n = 1; n < WEND__CHUNK_SIDE; n <<= 1) {
        ends |= pass & ends >> n;
        pass &= pass >> n;
    }
    return ends;
}

/// The same to the east, by the carries of one addition. No bit of `ends` is one of `pass`.
static inline uint64_t wend__carry_east(uint64_t ends, uint64_t pass) {
    const uint64_t begins = ends << 1 & pass, sum = pass + begins;
    return ends | begins | (pass & (sum ^ pass ^ begins));
}

static inline bool wend__is_vertical(unsigned direction) {
    return !(direction & 1);
}

/// Returns the position of direction d's border cell of lane l in a chunk.
static inline unsigned wend__border_cell(unsigned d, unsigned l) {
    static const uint16_t first[4] = {0, 63, 63 << 6, 0};
    return first[d] + (wend__is_vertical(d) ? l : l << 6);
}

typedef struct wend__jump_run {
    unsigned kind, cells; ///< WEND__RUN_…; number of cells passed
} wend__jump_run;

static inline wend__jump_run wend__run_of(const wend__jump_table *table, unsigned cell, unsigned direction) {
    const unsigned cells = wend__jump_cells(table, cell & 63, cell >> 6, direction);
    return (wend__jump_run){wend__jump_end(table, cell & 63, cell >> 6, direction, cells), cells};
}

/// The diagonal and place of a cell in a quadrant.
typedef struct wend__diagonal {
    unsigned p, q, line;
} wend__diagonal;

static inline wend__diagonal wend__diagonal_of(unsigned quadrant, unsigned cell) {
    unsigned p = (cell & 63) ^ wend__flip_x[quadrant], q = cell >> 6 ^ wend__flip_y[quadrant];
    return (wend__diagonal){p, q, (p - q) & 63};
}

static inline void wend__put_bit(uint64_t *word, unsigned bit, bool value) {
    *word = (*word & ~(UINT64_C(1) << bit)) | (uint64_t)value << bit;
}

/// A block of a version with final chunks, as jump tables see it: closed steps do not count.
typedef struct wend__jump_ground {
    const wend__version *version;
    const wend__block *block; ///< the version's block
    wend__place first;        ///< its first chunk
} wend__jump_ground;
wend__jump_ground wend__jump_ground_of(const wend__version *version, size_t index);
/// Returns the open neighbours of each cell of a chunk: its masks or, near closed steps, masks made in *room.
const uint8_t *wend__jump_masks(const wend__jump_ground *ground, unsigned column, unsigned row,
                                uint8_t room[WEND__CHUNK_CELLS]);
/// The same for one cell.
uint8_t wend__jump_mask(const wend__jump_ground *ground, unsigned column, unsigned row, unsigned cell);
/// Returns true if the cells in and around a chunk are those of the base, by the batch's marks.
bool wend__jump_ground_stays(const wend_edit *edit, int32_t column, int32_t row);

/// Makes a chunk's table from its masks; not pruned. `shared` is the caller's.
void wend__jump_build(wend__jump_table *table, const uint8_t *masks, wend__jump_planes *planes);
/// The planes alone; the table from them. wend__jump_prune() finds which ends are live.
void wend__jump_planes_of(const uint8_t *masks, wend__jump_planes *planes);
void wend__jump_fill(wend__jump_table *table, const wend__jump_planes *planes);
/// Compare planes with those of the earlier masks, of which these rows, at least one, changed.
void wend__jump_differ(const uint8_t *was, uint64_t rows, const wend__jump_planes *now, wend__jump_differences *found);
/// Turn a copy of the earlier table into that of these planes, except live ends, which wend__jump_prune() finds.
void wend__jump_patch(wend__jump_table *table, const wend__jump_planes *planes, const wend__jump_differences *found);
/// Marks the runs that end at live points: all that end at points, except those from the cells of `dead`, by rows for
/// each direction. NULL: no point is dead.
void wend__jump_bury(wend__jump_table *table, const uint64_t (*dead)[WEND__CHUNK_SIDE]);
/// Marks the live ends, by rows: steps in each direction from these cells lead to live points.
/// @param changed   NULL, or receives the lanes of each direction that differ from before
void wend__jump_set_live(wend__jump_table *table, const uint64_t steps[4][WEND__CHUNK_SIDE], uint64_t changed[4]);
/// The open cells of a row, computed from the words of cells with an open neighbour.
static inline uint64_t wend__open_cells(uint64_t open_east, uint64_t open_west) {
    return open_east << 1 | (open_west >> 1 & 1);
}

/// The numbers of jump points if only these rows of masks, at least one, changed.
void wend__jump_points_rebuild(wend__jump_points *points, const wend__jump_planes *planes, uint64_t rows);

/// Prune a table: separate its dead jump points from live ones. The planes are those of its chunk.
/// @param wholly   false: only if that does not take long; long corridors do
/// @param changed   as in wend__jump_set_live()
/// @return true: the table is pruned; false: all its points count as live
bool wend__jump_prune(wend__jump_table *table, const uint8_t *masks, const wend__jump_planes *planes, bool wholly,
                      uint64_t changed[4]);
/// Returns true if a jump point entered in direction d is live. Lanes of other chunks may lead to it.
bool wend__jump_lives(const wend__jump_table *table, uint8_t mask, unsigned cell, unsigned direction);

/// Finds the end of the lane of chunk (column, row) of a block. The lanes behind it are known.
typedef struct wend__jump_lane_end {
    int16_t reach;
    bool live, any;
} wend__jump_lane_end;
/// Returns the lanes that lead to a chunk from the previous one in a direction; NULL: there is none in the block.
const wend__jump_lanes *wend__jump_lanes_before(const wend__jump_block *jumps, unsigned column, unsigned row,
                                                unsigned direction);
/// Makes the lanes along one row and one column of chunks, 0 to WEND__BLOCK_SIDE - 1, of a block with made tables. Its
/// rows and columns have no other reference.
void wend__jump_lanes_build(const wend__jump_ground *ground, wend__jump_block *jumps, unsigned line);

/// New tables of a block of the version, all pruned.
wend_error wend__jump_block_create(const wend__version *version, size_t index, wend__jump_block **out);
/// The same in steps 0, 1, … until it is done: of one chunk each, and then of one row and one column of lanes.
wend_error wend__jump_block_begin(const wend__version *version, size_t index, wend__jump_block **out);
wend_error wend__jump_block_continue(const wend__version *version, size_t index, wend__jump_block *jumps, uint32_t step,
                                     bool *done);

/// Changes the tables of a draft's own block: shared rows and columns are copied first, once.
typedef struct wend__jump_draft {
    wend_map *map;
    wend__jump_ground ground; ///< ground of the draft's block, masks final
    wend__jump_block *jumps;  ///< the block's tables
    uint32_t rows, columns;   ///< a bit for each that is the draft's own
} wend__jump_draft;

/// Replaces a chunk's table by a copy for writing; NULL: out of memory.
wend__jump_table *wend__jump_draft_table(wend__jump_draft *draft, unsigned column, unsigned row);
/// Puts another table there. Its reference passes to the draft; without memory it is released.
wend_error wend__jump_draft_put(wend__jump_draft *draft, unsigned column, unsigned row, const wend__jump_table *table);
/// The lanes of a chunk in which no cell is open.
wend_error wend__jump_lanes_close(wend__jump_draft *draft, unsigned column, unsigned row);
/// Finds the end of a lane of a chunk again.
wend_error wend__jump_lane_update(wend__jump_draft *draft, unsigned column, unsigned row, unsigned direction,
                                  unsigned l, bool *changed);
/// The same for the lanes that lead to a chunk: the last one, and those before it as long as they change.
wend_error wend__jump_lanes_update_before(wend__jump_draft *draft, unsigned column, unsigned row, unsigned direction,
                                          unsigned l);

/// The same for a version of which only the first blocks have tables.
void wend__jumps_drop_first(wend__version *version, size_t count);

/// Become a user of the tables of a block of the draft, if they are usable. Tables that edits left unpruned belong to a
/// fork's versions, and stay theirs: the block becomes the draft's own. WEND_OK, WEND_OUT_OF_MEMORY.
wend_error wend__jumps_join(wend_edit *edit, size_t index, bool *joined);
/// Gives a block of the draft its tables, and becomes a user of them. Another thread may have made the same for a fork.
void wend__jumps_attach(wend_edit *edit, size_t index, wend__jump_block *jumps);
/// All blocks of the draft have tables: they are its own.
void wend__jumps_complete(wend__version *draft);
/// Makes the tables of a draft that has none.
wend_error wend__jumps_make(wend_edit *edit);
/// Prune up to `room` chunks of a draft with tables.
wend_error wend__jumps_prune(wend_edit *edit, uint32_t room);

/// See version/derivation.h.
void wend__jumps_share(wend__version *version, const wend__version *from);
void wend__jumps_drop(wend__version *version);
/// Gives a draft the tables of its base; its own blocks get copies, still to be repaired. On failure some have none.
wend_error wend__jumps_inherit(wend_edit *edit);
wend_error wend__jumps_rebuild(wend_edit *edit, uint32_t changes);

#endif
