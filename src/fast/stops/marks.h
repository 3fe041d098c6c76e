/* SPDX-License-Identifier: MIT */
/* Internal: marks: bits next to the jump tables at which runs and diagonals of a search check single cells.
 *
 * A mark belongs to a cell and an axis: a run to east or west sees the marks `across`, a run to north or south those
 * `down`, and a diagonal those of its quadrant. A search ends its run at the first mark, and checks the cell there. So
 * an extra mark costs time, and a missing one costs the cheapest path. The owner of the marks gives their meaning:
 * the terrain's are those of stops/, which never change; the units' change with every move.
 *
 * Quadrants, p, q and lines are those of fast/tables/jumps.h. */
#ifndef WEND_SRC_FAST_STOPS_MARKS_H
#define WEND_SRC_FAST_STOPS_MARKS_H

#include "fast/tables/jumps.h"

/// The two axes of `here` and `ahead`.
enum { WEND__MARKS_ACROSS, WEND__MARKS_DOWN, WEND__MARKS_AXES };

typedef struct wend__marks {
    _Alignas(64) uint64_t across[WEND__CHUNK_SIDE];       ///< row y, bit x
    uint64_t down[WEND__CHUNK_SIDE];                      ///< column x, bit y
    uint64_t diagonal[WEND__QUADRANTS][WEND__CHUNK_SIDE]; ///< line (p - q) & 63, bit p
    /// In the frame of each quadrant: rows with a mark across (bit q); columns with one down (bit p).
    uint64_t here[WEND__MARKS_AXES][WEND__QUADRANTS];
} wend__marks;

/// The marks of a block of chunks, from one source. Bit i of a word of 16 is chunk column (or row) i.
typedef struct wend__mark_block {
    const wend__marks *chunks[WEND__BLOCK_CHUNKS]; ///< NULL: none
    /// For each chunk, as `here`, but of all chunks of the block strictly ahead, in the quadrant's horizontal direction
    /// (across) or in its vertical one (down).
    uint64_t ahead[WEND__BLOCK_CHUNKS][WEND__MARKS_AXES][WEND__QUADRANTS];
    uint16_t across[WEND__BLOCK_SIDE][WEND__CHUNK_SIDE]; ///< by chunk row and row of cells in it
    uint16_t down[WEND__BLOCK_SIDE][WEND__CHUNK_SIDE];   ///< by chunk column and column of cells in it
    uint16_t special_rows[WEND__BLOCK_SIDE];             ///< by chunk row: chunks where dead jump points count as live
    uint16_t special_columns[WEND__BLOCK_SIDE];          ///< the same by chunk column
    uint16_t any_rows, any_columns;                      ///< rows (columns) of chunks with such a chunk
} wend__mark_block;

/// Marks a cell (y << 6 | x) for a set of directions, bit d each, in a chunk that is in no block.
void wend__marks_add(wend__marks *marks, unsigned cell, unsigned directions);

/// Removes all marks of a cell, in a chunk that is in no block.
void wend__marks_clear(wend__marks *marks, unsigned cell);

/// Makes a block's `across`, `down` and `ahead` from `here` of its chunks. `special` is the caller's.
void wend__mark_block_sum(wend__mark_block *block);

/// Replaces the marks of a chunk: updates the summaries from one `here` to the other; NULL: none.
/// `chunks` and `special` are the caller's.
void wend__mark_block_change(wend__mark_block *block, unsigned chunk, const wend__marks *before,
                             const wend__marks *now);

/// Changes the marks of a cell of a chunk, which the block has, on the axes of these directions (east and west are one,
/// so are north and south): set marks are cleared, the others set. Keeps all summaries right. `special` is the
/// caller's.
/// Cost: O(1), at most 30 words a row or column that gets its first mark or loses its last.
void wend__mark_block_flip(wend__mark_block *block, unsigned chunk, unsigned cell, unsigned directions);

void wend__mark_block_special(wend__mark_block *block, unsigned chunk, bool special);

static inline bool wend__marked(const wend__marks *marks, unsigned cell, unsigned d) {
    static const uint8_t quadrants[4] = {WEND__QUADRANT_NE, WEND__QUADRANT_SE, WEND__QUADRANT_SW, WEND__QUADRANT_NW};
    if (d < 4) return d & 1 ? marks->across[cell >> 6] >> (cell & 63) & 1 : marks->down[cell & 63] >> (cell >> 6) & 1;
    const unsigned k = quadrants[d & 3], p = (cell & 63) ^ wend__flip_x[k], q = cell >> 6 ^ wend__flip_y[k];
    return marks->diagonal[k][(p - q) & 63] >> p & 1;
}

#endif
