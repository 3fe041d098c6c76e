/* SPDX-License-Identifier: MIT */
/* The rules of a crowd's discs after each update, by all pairs and all cells, without code of the library but its
 * public functions. */
#ifndef WEND_TESTS_DISCS_H
#define WEND_TESTS_DISCS_H

#include <stdbool.h>
#include <wend/body.h>
#include <wend/wend.h>

enum { DISCS = 1024, DISC_MOVERS = 8 };

/// A disc in 1/16384 of a cell; a cell's middle is at x × 16384.
typedef struct disc {
    bool there, body;
    int64_t x, y, radius;
    int32_t size;         ///< size of its mover
    int64_t vx, vy, most; ///< a body's velocity, and its top speed in the update
    wend_cell cell;       ///< lowest cell that its agent covers
    wend_cell before;     ///< the one before that; the same: none
    wend_cell here;       ///< of a body: the lowest cell that it would cover where it is; else the same
    bool pressed;  ///< in: the host put it where it may overlap other bodies by a twentieth, until they are apart
    bool overlaps; ///< overlaps another body now
    bool inside;   ///< an edit put a wall on it, or the host put it there: walls do not count until it is out
    bool placed;   ///< the host has put it elsewhere since the last update
} disc;

/// The ground of a map with sheets, known without the library.
typedef struct discs_ground {
    void *context;
    /// Returns how far the sheet of a cell lies from its place on the ground, in cells.
    wend_cell (*shift)(void *context, wend_cell cell);
    /// Returns whether two straight steps or fewer lead from a cell to another, blocked or not.
    bool (*joined)(void *context, wend_cell a, wend_cell b);
    /// Returns whether a wall, or no ground, is next to a cell in a direction.
    bool (*blocked)(void *context, wend_cell cell, int32_t dx, int32_t dy);
} discs_ground;

typedef struct discs {
    disc of[DISCS];             ///< by index of the agent
    int32_t sizes[DISC_MOVERS]; ///< in: by mover; 0: one cell
    int32_t around_x, around_y; ///< in: cells of an axis that wraps; or 0
    const discs_ground *ground; ///< in: ground of a map with sheets; else NULL
    bool links;                 ///< in: a disc may leap from a place to one that is not next to it
    uint32_t count;
    uint64_t pairs, walls; ///< checked so far
    char text[256];        ///< pairs and walls checked so far
} discs;

/// Read all agents of a crowd, and check them. Without time, as after orders, nothing may have moved.
/// @param blocked   returns whether a cell is no ground
/// @return false: a rule is broken, see text
bool discs_check(discs *d, wend_crowd *crowd, uint32_t elapsed_milli,
                 bool (*blocked)(void *context, int32_t x, int32_t y), void *context);

#endif
