/* SPDX-License-Identifier: MIT */
/* Internal: the floor as discs see it: how far it is to the nearest wall, and where that is. */
#ifndef WEND_SRC_AGENTS_FLOOR_FLOOR_H
#define WEND_SRC_AGENTS_FLOOR_FLOOR_H

#include "agents/floor/unfolded.h"
#include "agents/floor/vectors.h"

/// The greatest clearance that the tables contain, in cells.
enum { WEND__FLOOR_FAR = 9 };
/// Bits of wend__floor_chunk.walls: a closed step between two open cells is a wall on their edge.
enum { WEND__WALL_EAST = 1, WEND__WALL_SOUTH = 2 };
/// A ledge is a step between them that is closed in one direction alone; discs cross its edge the other way. The
/// closed direction: over the edge in the east, or in the south, out of this cell or into it.
enum { WEND__LEDGE_EAST_OUT = 16, WEND__LEDGE_EAST_IN = 32, WEND__LEDGE_SOUTH_OUT = 64, WEND__LEDGE_SOUTH_IN = 128 };
enum { WEND__LEDGES = 240 };
/// Others: a seam leads out of the cell, or out of one near it.
enum { WEND__FLOOR_SEAM = 4, WEND__FLOOR_NEAR_SEAM = 8 };
enum { WEND__FLOOR_SIDE = 64, WEND__FLOOR_CELLS = WEND__FLOOR_SIDE * WEND__FLOOR_SIDE };

typedef struct wend__floor_chunk {
    uint32_t hash;                    ///< hash of the chunk's source data
    bool has_walls;                   ///< anything in `walls`
    uint8_t clear[WEND__FLOOR_CELLS]; ///< cells to the nearest blocked one, 0: blocked, at most WEND__FLOOR_FAR
    uint8_t walls[WEND__FLOOR_CELLS]; ///< WEND__WALL_…
} wend__floor_chunk;

/// Tables of a mover's floor, made where bodies come. All have memory from the beginning; those of a streamed map get
/// it when they are made. A larger mover's own cell is the lowest of its cells. Its disc's centre lies in the middle of
/// all of them, and the disc meets the walls of single cells.
typedef struct wend__body_land {
    wend_allocator allocator;
    int32_t width, height, columns, rows;
    int32_t around_x, around_y;  ///< cells of an axis on which it goes on over the rim; 0: a larger mover does not
    int32_t mover, size;         ///< size: cells along a side
    int32_t offset;              ///< from the middle of its own cell to the middle of all its cells, along each axis
    const wend__version *ground; ///< in the current update: the view, or for a mover larger than a cell the version
    const wend__version *view;   ///< where its own cell may be
    const wend__unfolded *sight; ///< sight of the body being moved; NULL: no seam is near, and places are of the map
    uint64_t serial;             ///< serial of the version that all chunks were compared with
    wend__floor_chunk **chunks;  ///< chunks by row and column; NULL: not made
    wend__floor_chunk *block;    ///< memory of all chunks, by row and column; NULL: the map is streamed
    bool *stale;                 ///< by row and column: whether to compare the chunk with the version
    bool lacks_memory;           ///< a chunk got no memory since this was set to false
} wend__body_land;

/// Makes tables for a map's mover, at first without chunks, with memory for all chunks unless the map is streamed: none
/// is touched before a body comes there. @return false: out of memory
bool wend__floor_open(wend__body_land *floor, const wend_allocator *allocator, const wend__version *version,
                      int32_t mover);
void wend__floor_close(wend__body_land *floor);
/// Switches to another version. Chunks that an edit changed are made again when a body comes there.
void wend__floor_follow(wend__body_land *floor, const wend__version *version);
/// Returns the table of a chunk of the map, made from the version; NULL: there is no memory for it: all is blocked.
const wend__floor_chunk *wend__floor_chunk_at(wend__body_land *floor, int32_t column, int32_t row);

/// Returns the cell of the map for one up to a map's side beyond the rim.
static inline wend_cell wend__floor_on_map(const wend__body_land *floor, int32_t x, int32_t y) {
    return (wend_cell){wend__wrapped(x, floor->around_x), wend__wrapped(y, floor->around_y), 0};
}

/// The same for a place as the served body sees it, which may lie over a seam.
static inline wend_cell wend__floor_cell(const wend__body_land *floor, int32_t x, int32_t y) {
    if (WEND__UNLIKELY(floor->sight != NULL)) return wend__unfolded_cell(floor->sight, x, y);
    return wend__floor_on_map(floor, x, y);
}

static inline const wend__floor_chunk *wend__floor_of(wend__body_land *floor, int32_t x, int32_t y) {
    if (x < 0 || y < 0 || x >= floor->width || y >= floor->height) return NULL;
    const size_t at = (size_t)(y >> 6) * (size_t)floor->columns + (size_t)(x >> 6);
    if (WEND__UNLIKELY(!floor->chunks[at] || floor->stale[at])) return wend__floor_chunk_at(floor, x >> 6, y >> 6);
    return floor->chunks[at];
}

/// Returns the clearance of a cell: 0 where it is blocked or off the map.
static inline int32_t wend__floor_clear(wend__body_land *floor, int32_t x, int32_t y) {
    const wend_cell at = wend__floor_cell(floor, x, y);
    const wend__floor_chunk *chunk = wend__floor_of(floor, at.x, at.y);
    return chunk ? chunk->clear[(at.y & 63) << 6 | (at.x & 63)] : 0;
}

/// Returns whether the mover can stand with its own cell there.
static inline bool wend__floor_stands(wend__body_land *floor, wend_cell cell) {
    if (floor->size == 1) return wend__floor_clear(floor, cell.x, cell.y) > 0;
    return cell.x >= 0 && cell.y >= 0 && cell.x < floor->width && cell.y < floor->height &&
           wend__version_factor(floor->view, cell.x, cell.y) > 0;
}

/// Returns whether a seam is near a cell of the map.
static inline bool wend__floor_is_near_seam(wend__body_land *floor, wend_cell cell) {
    const wend__floor_chunk *chunk = wend__floor_of(floor, cell.x, cell.y);
    return chunk && chunk->walls[(cell.y & 63) << 6 | (cell.x & 63)] & WEND__FLOOR_NEAR_SEAM;
}

/// Returns the WEND__WALL_… and WEND__LEDGE_… of a place as the served body sees it.
static inline uint8_t wend__floor_walls(wend__body_land *floor, int32_t x, int32_t y) {
    if (WEND__UNLIKELY(floor->sight != NULL)) return wend__unfolded_walls(floor->sight, x, y);
    const wend_cell at = wend__floor_on_map(floor, x, y);
    const wend__floor_chunk *chunk = wend__floor_of(floor, at.x, at.y);
    return chunk && chunk->has_walls ? chunk->walls[(at.y & 63) << 6 | (at.x & 63)] : 0;
}

/// Returns the WEND__WALL_… or WEND__LEDGE_… that stop a straight step from a place to the next one.
static inline uint8_t wend__floor_holds_up(wend__body_land *floor, int32_t x, int32_t y, int32_t dx, int32_t dy) {
    const uint8_t walls = wend__floor_walls(floor, x - (dx < 0), y - (dy < 0));
    if (dx) return walls & (WEND__WALL_EAST | (dx > 0 ? WEND__LEDGE_EAST_OUT : WEND__LEDGE_EAST_IN));
    return walls & (WEND__WALL_SOUTH | (dy > 0 ? WEND__LEDGE_SOUTH_OUT : WEND__LEDGE_SOUTH_IN));
}

/* ---- walls.c: discs and walls ---- */

/// Returns whether a disc covers no wall.
bool wend__floor_fits(wend__body_land *floor, wend__vec p, int32_t radius);
/// Returns the cell of a wall that a disc covers; else the one where its centre is.
wend_cell wend__floor_wall(wend__body_land *floor, wend__vec p, int32_t radius);
/// Returns whether a disc can go straight from one point to another, with a little room.
bool wend__floor_sees(wend__body_land *floor, wend__vec from, wend__vec to, int32_t radius);
/// Returns whether a disc that goes from p to p + v covers a wall at the end, or at samples of its way at most a radius
/// apart: round a corner the way may cut in by .13 of the radius.
bool wend__floor_hits(wend__body_land *floor, wend__vec p, wend__vec v, int32_t radius);
/// Returns whether a disc over which a wall was built covers a wall deeper at the end, or at points on the way that are
/// an eighth of its radius apart at most; false where its middle is in a wall.
bool wend__floor_hits_more(wend__body_land *floor, wend__vec p, wend__vec v, int32_t radius);
/// Returns v turned along the walls that a disc would go into: its end is put back to the distance of the radius.
wend__vec wend__floor_slide(wend__body_land *floor, wend__vec p, wend__vec v, int32_t radius);

#endif
