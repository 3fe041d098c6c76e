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
    int32_t width, height; ///< size of the map
} ground_layout;

/// Cut a new ground: its spans have no gaps between them. Sets their sheets.
/// @param changes   the level will change: each sheet is as large as the grid
/// @param spare     sheets without ground
/// @return false: `trouble` has the reason
bool wend__ground_cut(ground_spans *spans, bool changes, int32_t spare, ground_layout *out, ground_trouble *trouble);

/// Choose sheets for the spans that are to replace a tile: those of the ground that stands there, those of neighbours
/// that one can step to, or any.
/// @return WEND_OK, WEND_BUSY (no sheet is free for a span), WEND_OUT_OF_MEMORY
wend_error wend__ground_choose_sheets(const ground_spans *spans, const ground_layout *layout, uint32_t tile,
                                      ground_piece *piece);

/// Returns the cell of a span, and the span of a cell (-1: none).
wend_cell wend__ground_cell_of(const ground_layout *layout, const ground_span *span);
int32_t wend__ground_span_of(const ground_spans *spans, const ground_layout *layout, wend_cell cell);

/// Returns true if the step to a neighbour (see wend__ground_neighbour()) leads over a seam: to another sheet, or past
/// a corner of one.
bool wend__ground_is_seam(const ground_spans *spans, int32_t span, int32_t k, int32_t to);

#endif
