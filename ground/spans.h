/* SPDX-License-Identifier: MIT */
/* The ground of a level: spans, places where an agent can stand, each above one column of a grid.
 *
 * Columns are numbered by rows. The spans of a column are in sequence, the lowest first. */
#ifndef WEND_GROUND_SPANS_H
#define WEND_GROUND_SPANS_H

#include <stdbool.h>
#include <stdint.h>

#include <wend/ground.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Directions of ground_span.next: x − 1, y + 1, x + 1, y − 1. A quarter turn adds one.
enum { GROUND_DIRECTIONS = 4 };
static const int32_t ground_dx[GROUND_DIRECTIONS] = {-1, 0, 1, 0}, ground_dy[GROUND_DIRECTIONS] = {0, 1, 0, -1};

typedef struct ground_span {
    int32_t x, y;
    int32_t floor;                   ///< in levels above the lowest point
    int32_t next[GROUND_DIRECTIONS]; ///< span that one can step to; -1: none
    uint8_t terrain;                 ///< class
} ground_span;

typedef struct ground_spans {
    int32_t width, height; ///< columns
    float least[3];        ///< corner of the first column, in the level's coordinates turned with y up
    float cell, level;
    uint32_t count;
    uint32_t *columns; ///< first span of each column, and the count; width × height + 1
    ground_span *spans;
} ground_spans;

/// The free room above each column, whether one can stand below it or not: from a floor up to a ceiling, in levels.
typedef struct ground_room {
    int32_t floor, ceiling;
    int32_t span; ///< on the floor; -1: one cannot stand there
} ground_room;

typedef struct ground_air {
    uint32_t *columns; ///< first room of each column, and the count
    ground_room *rooms;
} ground_air;

/// A problem of a level, in words.
typedef struct ground_trouble {
    wend_error code;
    char text[160];
} ground_trouble;

/// Sets a problem. @return false
bool wend__ground_fail(ground_trouble *trouble, wend_error code, const char *text);

/// Compute the spans of a level by Recast, after wend__ground_check().
/// @param y_up   vertices with y up, x, y, z in sequence
/// @return false: `trouble` has the reason
/// @param air   receives the rooms; NULL: they are not needed
bool wend__ground_voxelise(const wend_ground_def *def, const float *y_up, ground_spans *out, ground_air *air,
                           ground_trouble *trouble);
void wend__ground_drop_spans(ground_spans *spans);
void wend__ground_drop_air(ground_air *air);

/// Returns the neighbour in direction k of 8: even ones are straight (k / 2), odd ones lie between k / 2 and the next.
/// Both ways round a corner must meet in one span. -1: there is none.
int32_t wend__ground_neighbour(const ground_spans *spans, int32_t span, int32_t k);

#ifdef __cplusplus
}
#endif
#endif
