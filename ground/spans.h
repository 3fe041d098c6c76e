/* SPDX-License-Identifier: MIT */
/* The ground of a level: spans, places where an agent can stand, each above one column of a grid.
 *
 * The grid is cut into tiles of 64 x 64 columns. Each is voxelised by itself, with columns around it, so that a tile
 * that is made again is as it would be in a new ground. The spans of a column are in sequence, the lowest first; those
 * of a tile lie together, column by column. */
#ifndef WEND_GROUND_SPANS_H
#define WEND_GROUND_SPANS_H

#include <stdbool.h>
#include <stdint.h>

#include <wend/ground.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Directions of ground_span.next: x − 1, y + 1, x + 1, y − 1. A quarter turn adds one.
enum { GROUND_DIRECTIONS = 4, GROUND_TILE = 64, GROUND_TILE_COLUMNS = GROUND_TILE * GROUND_TILE };
static const int32_t ground_dx[GROUND_DIRECTIONS] = {-1, 0, 1, 0}, ground_dy[GROUND_DIRECTIONS] = {0, 1, 0, -1};

typedef struct ground_span {
    int32_t x, y;
    int32_t floor;                   ///< in levels above the lowest point
    int32_t next[GROUND_DIRECTIONS]; ///< span that one can step to; -1: none
    uint8_t terrain;                 ///< class
    uint8_t sheet;
    uint8_t free_levels; ///< above the floor; 255: that many or more
} ground_span;

/// The free room above a column, whether one can stand below it or not: from a floor up to a ceiling, in levels.
typedef struct ground_room {
    int32_t floor, ceiling;
    int32_t span; ///< on the floor; -1: one cannot stand there
} ground_room;

/// Where the spans and rooms of a tile lie, and how many fit there.
typedef struct ground_tile {
    uint32_t first, count, capacity;
    uint32_t room_first, room_count, room_capacity;
} ground_tile;

typedef struct ground_spans {
    int32_t width, height; ///< columns
    int32_t tiles_x, tiles_y;
    float least[3]; ///< corner of the first column, in the level's coordinates turned with y up
    float top;      ///< highest point
    float cell, level;
    int32_t tall, climb; ///< size and climb of the agent, in levels
    int32_t radius;      ///< radius in columns
    uint32_t count;      ///< spans of all tiles
    ground_tile *tiles;
    uint32_t *columns; ///< first span of each column, see ground_column(); that of the next one ends it
    ground_span *spans;
    uint32_t span_end, span_capacity;
    uint32_t *room_columns; ///< as columns; NULL: rooms are not needed
    ground_room *rooms;
    uint32_t room_end, room_capacity;
} ground_spans;

/// A tile by itself: its columns row by row, `next` and `span` counted within it.
typedef struct ground_piece {
    uint32_t columns[GROUND_TILE_COLUMNS + 1], room_columns[GROUND_TILE_COLUMNS + 1];
    uint32_t count, capacity, room_count, room_capacity;
    ground_span *spans;
    ground_room *rooms;
} ground_piece;

/// A problem of a level, in words.
typedef struct ground_trouble {
    wend_error code;
    char text[160];
} ground_trouble;

/// Sets a problem. @return false
bool wend__ground_fail(ground_trouble *trouble, wend_error code, const char *text);

static inline uint32_t ground_tile_of(const ground_spans *spans, int32_t x, int32_t y) {
    return (uint32_t)(y / GROUND_TILE * spans->tiles_x + x / GROUND_TILE);
}

/// Index of a column on the grid. The columns of a tile lie together.
static inline size_t ground_column(const ground_spans *spans, int32_t x, int32_t y) {
    return (size_t)ground_tile_of(spans, x, y) * (GROUND_TILE_COLUMNS + 1) +
           (size_t)(y % GROUND_TILE * GROUND_TILE + x % GROUND_TILE);
}

static inline bool ground_has_column(const ground_spans *spans, int32_t x, int32_t y) {
    return x >= 0 && y >= 0 && x < spans->width && y < spans->height;
}

/// Makes room for the tables of a grid that has its measures. @param rooms   they are needed
/// @return false: no memory; wend__ground_drop_spans() frees what there is
bool wend__ground_open_spans(ground_spans *spans, bool rooms);
void wend__ground_drop_spans(ground_spans *spans);

/// Makes sure that wend__ground_put_tile() has room for a piece. @return false: no memory, nothing has changed
bool wend__ground_reserve_tile(ground_spans *spans, uint32_t tile, const ground_piece *piece);
/// Puts a piece in place of a tile, and joins it with its neighbours.
void wend__ground_put_tile(ground_spans *spans, uint32_t tile, const ground_piece *piece);
/// Copies a tile. @return false: no memory
bool wend__ground_copy_tile(const ground_spans *spans, uint32_t tile, ground_piece *out);

/// Makes room in a piece. @return false: no memory
bool wend__ground_reserve_piece(ground_piece *piece, uint32_t spans, uint32_t rooms);
void wend__ground_drop_piece(ground_piece *piece);

/// Returns the span above a column that one can step to from another; -1: none. Recast's rule.
int32_t wend__ground_find_joined(const ground_spans *spans, const ground_span *from, int32_t x, int32_t y);

/// Returns the neighbour in direction k of 8: even ones are straight (k / 2), odd ones lie between k / 2 and the next.
/// Both ways round a corner must meet in one span. -1: there is none.
int32_t wend__ground_neighbour(const ground_spans *spans, int32_t span, int32_t k);

#ifdef __cplusplus
}
#endif
#endif
