/* SPDX-License-Identifier: MIT */
/* The ground cut into sheets, and where these lie in the map. */
#ifndef WEND_GROUND_SHEETS_H
#define WEND_GROUND_SHEETS_H

#include "spans.h"

/// A part of the ground with at most one span above each column.
typedef struct ground_sheet {
    int32_t x, y, width, height; ///< columns
    int32_t map_x, map_y;        ///< cell of the first one: on a chunk's corner
} ground_sheet;

typedef struct ground_layout {
    uint32_t count;
    ground_sheet sheets[WEND_MAX_GROUND_SHEETS];
    int32_t width, height; ///< of the map
    uint8_t *sheet_of;     ///< of each span
} ground_layout;

/// @return false: `trouble` has the reason
bool wend__ground_cut(const ground_spans *spans, ground_layout *out, ground_trouble *trouble);

/// Returns the cell of a span, and the span of a cell (-1: none).
wend_cell wend__ground_cell_of(const ground_spans *spans, const ground_layout *layout, int32_t span);
int32_t wend__ground_span_of(const ground_spans *spans, const ground_layout *layout, wend_cell cell);

/// Returns true if the step to a neighbour (see wend__ground_neighbour()) leads over a seam: to another sheet, or past
/// a corner of one.
bool wend__ground_is_seam(const ground_spans *spans, const ground_layout *layout, int32_t span, int32_t k, int32_t to);

#endif
