/* SPDX-License-Identifier: MIT */
/* Internal: jump tables: for every cell of a flat grid, the length and the end of a straight run.
 *
 * They serve the rule "no corner cut" with 8 neighbours. A *jump point* (Harabor and Grastien 2011) is a cell reached
 * by a straight step past a corner: it has canonical successors that do not lie straight on. The table of a chunk
 * follows from the chunk's masks alone. Runs that reach the chunk's rim continue in *lanes*, which are linked from
 * chunk to chunk inside a block and end at the block's rim. So a changed cell changes only tables of its block, however
 * large the map.
 *
 * Straight directions d are 0 N, 1 E, 2 S, 3 W. A *quadrant* k is one of the diagonals NW, NE, SW, SE; in it p = x ^
 * flip_x and q = y ^ flip_y grow along the diagonal (x, y inside the chunk). The cells of one diagonal have equal p -
 * q. A *line* holds the two diagonals (p - q) & 63, which use different bits p of its words.
 *
 * A jump point entered in a direction is *live* if a canonical path from it can leave the chunk; else it is dead: only
 * a goal in the same chunk can be reached through it. In a chunk that is not pruned all jump points count as live,
 * which is always valid. docs/design/ has the argument. */

/* Tried: tables made by the first search that comes there. A publish takes half of the time, but ten queries after it
 * 1.01 to 1.24, and a frame would overrun its budget by up to 32 tables of 15 µs. */
#ifndef WEND_SRC_FAST_TABLES_JUMPS_H
#define WEND_SRC_FAST_TABLES_JUMPS_H

#include "map/store/directions.h"
#include "map/store/map_layout.h"

enum { WEND__QUADRANT_NW, WEND__QUADRANT_NE, WEND__QUADRANT_SW, WEND__QUADRANT_SE, WEND__QUADRANTS };
extern const uint8_t wend__flip_x[WEND__QUADRANTS], wend__flip_y[WEND__QUADRANTS]; ///< 63 or 0
extern const uint8_t wend__quadrant_h[WEND__QUADRANTS],
    wend__quadrant_v[WEND__QUADRANTS]; ///< its two straight directions

/// Ends of a run from a cell; n is the number of cells that it passes.
enum {
    WEND__RUN_WALL, ///< wall after n cells
    WEND__RUN_LIVE, ///< live jump point, n + 1 cells on
    WEND__RUN_RIM,  ///< the chunk's border cell, n cells on; no jump point up to and including it
    WEND__RUN_DEAD  ///< dead jump point, n + 1 cells on
};

/// Two diagonals of a quadrant: bit p of each word is the cell at p. 64-byte aligned.
typedef struct wend__jump_line {
    _Alignas(64) uint64_t legal; ///< the diagonal step out of the cell is legal
    union {
        struct {
            uint64_t live_h, live_v; ///< a live jump point ends the horizontal (vertical) run from the cell
            uint64_t rim_h, rim_v;   ///< the same run reaches the chunk's rim
            uint64_t any_h, any_v;   ///< a jump point, live or dead, ends it
        };
        uint64_t sides[3][2]; ///< the same, to be chosen by an index instead of a branch
    };
    uint64_t live; ///< no part of the diagonals: see wend__jump_table.ends
} wend__jump_line;

/// The jump points of a chunk, for all directions, numbered row by row in each half (rows 0 to 31, 32 to 63). Searches
/// store their nodes by these numbers.
typedef struct wend__jump_points {
    uint16_t before[512]; ///< by y << 3 | x >> 3: how many precede these eight cells in their half
    uint8_t cells[512];   ///< bit for each of the eight cells that is a jump point
    uint16_t count[2];    ///< number of jump points in each half
} wend__jump_points;

/// The table of one chunk. It never changes once searches can see a version with it. 64-byte aligned.
typedef struct wend__jump_table {
    wend__shared shared;
    wend__jump_line lines[WEND__QUADRANTS][64];
    /// Ends of runs, by direction and lane: a row (column) of cells. Bit p is the cell at p = x (y), which is flipped
    /// for W (N), so that p grows along the run. A run ends at the first set bit: the step out of that cell leads to a
    /// wall or a jump point, or p is 63, the chunk's border. The same bit of lines[d][lane].live: the step leads to a
    /// live jump point.
    uint64_t ends[4][WEND__CHUNK_SIDE];
    wend__jump_points points;
    uint64_t leaves[4]; ///< by side d: border cells (by y, or x) from which step d leads out of the chunk
    uint16_t counts[WEND__JUMP_COUNTS];
    bool pruned; ///< false: all its jump points count as live
} wend__jump_table;

/// Where the runs of one axis end that leave a chunk: H: d = E, W; V: d = N, S; index d >> 1, and the border cell's y
/// (x).
///   n > 0, below WEND__JUMP_LANE_RIM: a jump point, n cells beyond the border cell
///   WEND__JUMP_LANE_RIM + n: the block's border cell is n cells on, no jump point up to and including it, and the step
///   out of
///                       the block is open
///   n <= 0: wall after -n cells
typedef struct wend__jump_lanes {
    int16_t reach[2][64];
    /// Lanes that end at a live jump point (or at the block's rim); and at any (or the rim). For quadrant k the
    /// direction is frame_h[k] (frame_v[k]), and the bits are by q = y ^ flip_y[k] (p = x ^ flip_x[k]).
    union {
        struct {
            uint64_t live[WEND__QUADRANTS], any[WEND__QUADRANTS];
        };
        uint64_t ends[2][WEND__QUADRANTS]; ///< live, any
    };
} wend__jump_lanes;
enum { WEND__JUMP_LANE_RIM = 0x4000 };

/// A row of chunks in a block: their tables, and the lanes to east and west.
typedef struct wend__jump_row {
    wend__shared shared;
    wend__jump_lanes lanes[WEND__BLOCK_SIDE];
    const wend__jump_table *tables[WEND__BLOCK_SIDE]; ///< held; NULL: beyond the map's table of chunks
} wend__jump_row;

/// A column of chunks in a block: the lanes to north and south.
typedef struct wend__jump_column {
    wend__shared shared;
    wend__jump_lanes lanes[WEND__BLOCK_SIDE];
} wend__jump_column;

/// The tables of a block (wend__block.jumps). Only versions with `jumps` set may read them: older versions without
/// tables may share the block.
typedef struct wend__jump_block {
    wend__shared shared;
    uint32_t unpruned;                                  ///< chunks that are not pruned
    uint32_t counts[WEND__JUMP_COUNTS];                 ///< sums over its tables
    const wend__jump_row *rows[WEND__BLOCK_SIDE];       ///< held; NULL: beyond the map
    const wend__jump_column *columns[WEND__BLOCK_SIDE]; ///< likewise
} wend__jump_block;

/// The word with its bits in the opposite order.
uint64_t wend__reversed(uint64_t word);

/// Number of bits set in a byte.
extern const uint8_t wend__jump_bits[256];

/// Returns the number of the jump point (x, y), in coordinates of its chunk, in its half.
static inline uint32_t wend__jump_number(const wend__jump_points *points, uint32_t x, uint32_t y) {
    const uint32_t eight = y << 3 | x >> 3;
    return points->before[eight] + wend__jump_bits[points->cells[eight] & ((1u << (x & 7)) - 1)];
}

static inline bool wend__jump_is_point(const wend__jump_points *points, uint32_t x, uint32_t y) {
    return points->cells[y << 3 | x >> 3] >> (x & 7) & 1;
}

/// The end of a straight step in direction d, by the mask of its first cell: 0 a wall, 1 a jump point, 2 another cell.
extern const uint8_t wend__jump_class[4][256];

/// Directions to expand at a cell: low 4 bits straight ones, high 4 bits diagonals (quadrants); by the set of
/// directions in which it was entered as a jump point (bit d), and its mask. 15: the start, with all legal directions.
extern const uint8_t wend__jump_exits[16][256];

/// The place of a cell along a run in direction d.
static inline unsigned wend__jump_along(unsigned x, unsigned y, unsigned d) {
    return ((d & 1 ? x : y) ^ ((d + 1) & 2 ? 0 : 63u)) & 63;
}

/// Returns how many cells the run from a cell in direction d passes. x and y count modulo 64.
static inline unsigned wend__jump_cells(const wend__jump_table *table, unsigned x, unsigned y, unsigned d) {
    return wend__ctz64(table->ends[d][(d & 1 ? y : x) & 63] >> wend__jump_along(x, y, d));
}

/// Returns how the run from a cell ends that passes `cells`.
static inline unsigned wend__jump_end(const wend__jump_table *table, unsigned x, unsigned y, unsigned d,
                                      unsigned cells) {
    const unsigned end = wend__jump_along(x, y, d) + cells;
    if (end == 63) return WEND__RUN_RIM;
    if (table->lines[d][(d & 1 ? y : x) & 63].live >> end & 1) return WEND__RUN_LIVE;
    x += (cells + 1) * (unsigned)wend__dx[d], y += (cells + 1) * (unsigned)wend__dy[d];
    return wend__jump_is_point(&table->points, x & 63, y & 63) ? WEND__RUN_DEAD : WEND__RUN_WALL;
}

static inline const wend__jump_block *wend__jumps_of(const wend__version *v, int32_t column, int32_t row) {
    return v->blocks[wend__block_index(v, column, row)]->jumps;
}

static inline const wend__jump_table *wend__jump_table_at(const wend__version *v, int32_t column, int32_t row) {
    return wend__jumps_of(v, column, row)->rows[row & (WEND__BLOCK_SIDE - 1)]->tables[column & (WEND__BLOCK_SIDE - 1)];
}

#endif
