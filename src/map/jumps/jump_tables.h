/* SPDX-License-Identifier: MIT */
/* Internal to this room: how jump tables are made, shared and kept up to date. */
#ifndef WEND_SRC_JUMP_TABLES_H
#define WEND_SRC_JUMP_TABLES_H

#include "map/edit/edit.h"
#include "map/jumps/jumps.h"
#include "map/store/directions.h"
#include "map/store/map_layout.h"

/* jump_constants.c */
/// The two quadrants that have a straight direction.
extern const uint8_t wend__quadrants_of[4][2];
/// Of chunks whose cells all have open neighbours, or none: shared by all maps, and counted by nobody.
extern const wend__jump_table wend__jumps_open, wend__jumps_closed;

/// The words of a chunk by rows (bit x of word y) from which its table is made, for each direction.
typedef struct wend__jump_planes {
    uint64_t open[WEND__DIRECTIONS][WEND__CHUNK_SIDE]; ///< the neighbour in the direction is open
    uint64_t pass[4][WEND__CHUNK_SIDE];                ///< the step leads to a cell that is no jump point
    uint64_t point[4][WEND__CHUNK_SIDE];               ///< to a jump point
    uint64_t legal[4][WEND__CHUNK_SIDE];               ///< the diagonal step of each quadrant is one
    uint64_t any[4][WEND__CHUNK_SIDE];                 ///< the run ends at a jump point
    uint64_t rim[4][WEND__CHUNK_SIDE];                 ///< it reaches the chunk's border
} wend__jump_planes;

static inline bool wend__is_vertical(unsigned direction) {
    return !(direction & 1);
}

/// Where direction d's border cell of lane l lies in a chunk.
static inline unsigned wend__border_cell(unsigned d, unsigned l) {
    static const uint16_t first[4] = {0, 63, 63 << 6, 0};
    return first[d] + (wend__is_vertical(d) ? l : l << 6);
}

/// Its kind of run from a cell, and how long it says it is.
static inline unsigned wend__run_of(const wend__jump_table *table, unsigned cell, unsigned direction) {
    return table->runs[cell] >> 8 * direction & 255;
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

/// The word with its bits in the opposite order.
uint64_t wend__reversed(uint64_t word);

/* jump_build.c */
/// Make a chunk's table from its masks; not pruned. `references` is the caller's.
void wend__jump_build(wend__jump_table *table, const uint8_t *masks, wend__jump_planes *planes);
/// The planes alone.
void wend__jump_planes_of(const uint8_t *masks, wend__jump_planes *planes);
/// For each direction, of which cells of a row the neighbour there is open.
void wend__open_words(const uint8_t *masks, uint64_t open[WEND__DIRECTIONS]);
/// The open cells of a row, as the cells beside them know it, from the words of those whose neighbour is open.
static inline uint64_t wend__open_cells(uint64_t open_east, uint64_t open_west) {
    return open_east << 1 | (open_west >> 1 & 1);
}
/// The same for one cell, from the chunk's masks.
static inline bool wend__is_open_cell(const uint8_t *masks, unsigned cell) {
    return cell & 63 ? masks[cell - 1] >> WEND__E & 1 : masks[cell + 1] >> WEND__W & 1;
}

/* jump_points.c */
/// Tell jump points from other cells, and number them.
void wend__jump_points_fill(wend__jump_points *points, const wend__jump_planes *planes);
/// The same where only these rows of masks (not none) are new.
void wend__jump_points_renew(wend__jump_points *points, const uint8_t *masks, uint64_t rows);

/* jump_live.c */
/// Tell dead jump points of a table from live ones. It is not pruned yet; planes are its own.
void wend__jump_prune(wend__jump_table *table, const uint8_t *masks, const wend__jump_planes *planes);
/// Is a jump point entered in direction d live? It may be one that only lanes of other chunks lead to.
bool wend__jump_lives(const wend__jump_table *table, uint8_t mask, unsigned cell, unsigned direction);

/* jump_lanes.c */
/// Where the lane of chunk (column, row) of a block ends. The lanes behind it are known.
typedef struct wend__jump_lane_end {
    int16_t reach;
    bool live, any;
} wend__jump_lane_end;
wend__jump_lane_end wend__jump_lane_of(const wend__block *block, const wend__jump_block *jumps, unsigned column,
                                       unsigned row, unsigned direction, unsigned l);
wend__jump_lane_end wend__jump_lane_read(const wend__jump_lanes *lanes, unsigned direction, unsigned l);
void wend__jump_lane_write(wend__jump_lanes *lanes, unsigned direction, unsigned l, wend__jump_lane_end lane);
/// Which lanes of a direction end at dead points: by l.
uint64_t wend__jump_lanes_dead(const wend__jump_lanes *lanes, unsigned direction);
/// The lanes that lead to a chunk from the one before it in a direction; NULL: there is none in the block.
const wend__jump_lanes *wend__jump_lanes_before(const wend__jump_block *jumps, unsigned column, unsigned row,
                                                unsigned direction);
/// All lanes of a block, whose tables are there. Rows and columns are nobody else's yet.
void wend__jump_lanes_build(const wend__block *block, wend__jump_block *jumps);

/* jump_blocks.c */
/// Memory that counts as jump tables', for cache lines; NULL: no room.
void *wend__jump_alloc(wend_map *map, size_t bytes);
wend__jump_table *wend__jump_table_create(wend_map *map); ///< one reference, to be written
void wend__jump_table_release(wend_map *map, const wend__jump_table *table);
wend__jump_row *wend__jump_row_copy(wend_map *map, const wend__jump_row *from);
wend__jump_column *wend__jump_column_copy(wend_map *map, const wend__jump_column *from);
void wend__jump_row_release(wend_map *map, const wend__jump_row *row);
void wend__jump_column_release(wend_map *map, const wend__jump_column *column);
/// Tables of a block of the version, all pruned; no one else knows them.
wend_error wend__jump_block_create(const wend__version *version, size_t index, wend__jump_block **out);
/// A block's tables once more, rows and columns shared.
wend__jump_block *wend__jump_block_copy(wend_map *map, const wend__jump_block *from);
void wend__jump_block_free(wend_map *map, wend__jump_block *jumps); ///< NULL is ignored

/* jump_draft.c: a draft's own block, whose tables are changed: what is shared is copied first, once. */
typedef struct wend__jump_draft {
    wend_map *map;
    const wend__block *block; ///< the draft's, masks final
    wend__jump_block *jumps;  ///< its
    uint32_t rows, columns;   ///< bits of those that are nobody else's
} wend__jump_draft;

/// A copy of a chunk's table in the place of the table, to be written to; NULL: no room.
wend__jump_table *wend__jump_draft_table(wend__jump_draft *draft, unsigned column, unsigned row);
/// Put another table there, whose reference it takes (and lets go where there is no room).
wend_error wend__jump_draft_put(wend__jump_draft *draft, unsigned column, unsigned row, const wend__jump_table *table);
/// Bring a lane of a chunk up to date.
wend_error wend__jump_lane_update(wend__jump_draft *draft, unsigned column, unsigned row, unsigned direction,
                                  unsigned l, bool *changed);
/// The lanes that lead to a chunk: the last one, and those before it as long as they change.
wend_error wend__jump_lanes_update_before(wend__jump_draft *draft, unsigned column, unsigned row, unsigned direction,
                                          unsigned l);

/* jump_users.c */
/// Only the first blocks of the version had tables yet.
void wend__jumps_drop_first(wend__version *version, size_t count);

/// A version that has just been copied from another has its tables too, if it has any.
void wend__jumps_share(wend__version *version, const wend__version *from);
/// It has them no more; blocks that no other version has tables of lose theirs.
void wend__jumps_drop(wend__version *version);
/// A draft gets the tables of its base; its own blocks get copies, still to be repaired. On failure some have none.
wend_error wend__jumps_inherit(wend_edit *edit);
/// Make a block with tables the draft's own. The draft has tables.
wend_error wend__jumps_own_block(wend_edit *edit, size_t index);
/// jump_repair.c: bring the draft's tables up to date, where it has any.
wend_error wend__jumps_renew(wend_edit *edit, uint32_t changes);

#endif
