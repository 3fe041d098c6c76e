/* SPDX-License-Identifier: MIT */
/* Internal: stops of the terrain: cells where a run of a search must end because the jump tables do not hold there.
 *
 * Jump tables cover open cells only. A cell is *special* if the factors of the open cells of its 3 x 3 differ, if a
 * step between two of them is closed that the rules allow on this terrain, or if a link begins there. A special cell
 * is a *stop* for an arrival in direction d if a link begins there; if its factor differs from that of the previous
 * cell; or if the jump tables do not cover all its exits, or one of these is closed. Everywhere else the tables hold.
 *
 * A version with jump tables under the rules "8 neighbours, no corner cut" has stops, and so have movers' views.
 * Searches read them; publishing makes new ones where cells, closed steps or links changed, and shares the rest. */
#ifndef WEND_SRC_FAST_STOPS_STOPS_H
#define WEND_SRC_FAST_STOPS_STOPS_H

#include "fast/stops/marks.h"

/// The stops of a chunk by direction: a run that arrives at a set bit must end.
typedef struct wend__stop_lines {
    _Alignas(64) uint64_t straight[4][WEND__CHUNK_SIDE];  ///< E, W: row y, bit x; N, S: column x, bit y
    uint64_t diagonal[WEND__QUADRANTS][WEND__CHUNK_SIDE]; ///< line (p - q) & 63, bit p
} wend__stop_lines;

typedef struct wend__stop_chunk {
    wend__shared shared;
    wend__stop_lines tight;
    wend__marks loose;    ///< all special cells, in all directions: for searches past units
    uint64_t special[64]; ///< row y, bit x
    /// At a rim that wraps, in the frame of each quadrant: rows in which a straight run over the rim leads on, to a node
    /// at the rim or beyond (bit q); such columns (bit p). It may have more. They hold without links, slow ground,
    /// closed steps and units.
    uint64_t over[WEND__MARKS_AXES][WEND__QUADRANTS];
    uint16_t before[64]; ///< special cells in the rows above
    /// If closed steps change the chunk's masks (wend__chunk.closed_near): the open neighbours of each cell,
    /// as the masks of other chunks have them. Else NULL.
    const uint8_t *open;
    uint32_t count;   ///< special cells
    uint64_t exits[]; ///< exits of each special cell: byte d has the exits after an arrival in direction d. Then a byte
                      ///< for each cell: bit d, it is a stop for that arrival
} wend__stop_chunk;

/// The stops of a block. `marks` points at the chunks' loose marks.
typedef struct wend__stop_block {
    wend__shared shared;
    wend__mark_block marks;
    uint32_t special;                                   ///< cells
    const wend__stop_chunk *chunks[WEND__BLOCK_CHUNKS]; ///< held; NULL: no special cell, nor closed steps near
} wend__stop_block;

/// The stops of a version.
typedef struct wend__stops {
    wend__shared shared;
    uint32_t count;                   ///< number of blocks
    const wend__stop_block *blocks[]; ///< held; NULL: no chunk has any
} wend__stops;

/// The stops of a block; NULL: there are none.
static inline const wend__stop_block *wend__stop_block_at(const wend__version *v, size_t block) {
    return v->stops ? v->stops->blocks[block] : NULL;
}

/// The stops of a chunk of the table; NULL: there are none.
static inline const wend__stop_chunk *wend__stop_chunk_at(const wend__version *v, int32_t column, int32_t row) {
    const wend__stop_block *block = wend__stop_block_at(v, wend__block_index(v, column, row));
    return block ? block->chunks[wend__chunk_index(column, row)] : NULL;
}

/// Returns the number of a special cell (y << 6 | x) among those of its chunk; WEND__NO_STOP: it is not special.
enum { WEND__NO_STOP = -1 };
static inline int32_t wend__stop_number(const wend__stop_chunk *chunk, uint32_t local) {
    const uint64_t row = chunk->special[local >> 6], bit = UINT64_C(1) << (local & 63);
    if (!(row & bit)) return WEND__NO_STOP;
    return (int32_t)(chunk->before[local >> 6] + wend__popcount64(row & (bit - 1)));
}

/// Returns the arrivals for which each special cell is a stop.
static inline const uint8_t *wend__stop_arrivals(const wend__stop_chunk *chunk) {
    return (const uint8_t *)(chunk->exits + chunk->count);
}

/// Returns the open neighbours of a cell of a chunk, whether or not there are closed steps.
/// @param stops   of the chunk; may be NULL
static inline uint8_t wend__open_mask(const wend__chunk *chunk, const wend__stop_chunk *stops, uint32_t local) {
    return stops && stops->open ? stops->open[local] : chunk->masks->bytes[local];
}

/// Computes the exits of a cell of the map after an arrival in direction d without tables: for cells next to units. 0
/// if there is no such arrival.
/// @param view       with stops (perhaps none)
/// @param occupied   neighbours that hold units: ways may end there, but do not lead over them
uint32_t wend__stops_exits_now(const wend__version *view, int32_t x, int32_t y, unsigned d, unsigned occupied);

#endif
