/* SPDX-License-Identifier: MIT */
/* Internal: pulling a path to a line that keeps a distance from all obstacles. */
#ifndef WEND_SRC_MOTION_CLEAR_CLEAR_LINE_H
#define WEND_SRC_MOTION_CLEAR_CLEAR_LINE_H

#include "motion/clear/taut.h"
#include <wend/geometry.h>

/// Bends that are not final. When the window is full, the line is made taut and its first part is output.
enum { WEND__CLEAR_WINDOW = 384 };

/// Discs that a line is pulled round: of the radius; of half the mover where the path is narrower; none where it is
/// narrower than that, and stays as it is.
enum { WEND__WIDE, WEND__HALF_WIDE, WEND__NARROW };

typedef struct wend__clear_line {
    wend__obstacles ground;
    const wend__version *view; ///< the mover's view of the version
    bool even;                 ///< all open cells have factor 1
    uint32_t effort;           ///< pieces that searches may still check
    bool searches;             ///< whether to search for shorter ways on other sides of obstacles
    bool fits;                 ///< the disc has room on every step that the map allows
    wend__disc disc[WEND__NARROW];
    const wend_cell *cells; ///< the path
    wend_turn *out;
    size_t capacity, given;
    uint32_t last_index; ///< path index of the last turn that was output
    uint32_t count;      ///< bends in the window
    uint32_t first;      ///< bend where the present run begins: those before it are taut, for a disc of their own
    wend__milli_point bend[WEND__CLEAR_WINDOW];
    wend__milli_point round[WEND__CLEAR_WINDOW]; ///< the corner that the bend goes round; none: the bend itself
    uint32_t index[WEND__CLEAR_WINDOW];
    bool settled[WEND__CLEAR_WINDOW]; ///< the bend does not change while its neighbours do not
} wend__clear_line;

/// Begins a line; cells, out and capacity are set by the caller.
void wend__clear_line_begin(wend__clear_line *line, const wend_map *map, const wend__version *version,
                            const wend_pull_def *def, const wend_cell *cells);
/// Pulls the steps from cells[begin] to cells[end], and outputs their turns, both ends included. There are no links
/// among them.
void wend__clear_line_pull(wend__clear_line *line, uint32_t begin, uint32_t end);

#endif
