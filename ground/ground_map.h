/* SPDX-License-Identifier: MIT */
/* The parts of making a ground: what is refused, and the map of its sheets. */
#ifndef WEND_GROUND_GROUND_MAP_H
#define WEND_GROUND_GROUND_MAP_H

#include "leaps.h"
#include "sheets.h"
#include "triangles.h"

/// Reports a problem to the caller. @return its code
wend_error wend__ground_tell(const ground_trouble *trouble, wend_file_error *error);

/// Checks a definition, and its level if it has triangles. @return the code of `trouble`
wend_error wend__ground_check(const wend_ground_def *def, ground_trouble *trouble);
/// Checks that vertices are numbers, as wend__ground_check() does for triangles.
wend_error wend__ground_check_vertices(const float *vertices, size_t count, ground_trouble *trouble);
/// Checks triangles for wend_ground_set_triangles().
/// @param corners   may be NULL
wend_error wend__ground_check_change(const ground_triangles *triangles, size_t first, size_t count,
                                     const float *corners, const uint8_t *classes, ground_trouble *trouble);

/// A step that the cells of the map alone do not tell.
typedef struct ground_way {
    wend_cell from, to;
    int32_t cost; ///< cost of a link
    enum { GROUND_CLOSED, GROUND_SEAM, GROUND_LEAP } kind;
} ground_way;

/// Most ways that begin at a span: to neighbours, closed steps, leaps.
enum { GROUND_MOST_WAYS = 16 };

/// Spans, sheets and rules: ways follow from them.
typedef struct ground_ways {
    const ground_spans *spans;
    const ground_layout *layout;
    wend_map_rules rules;
    ground_leaper leaper; ///< no drop, no jump: there are no leaps
} ground_ways;

/// Finds the ways that begin at a span. They depend on spans at most one column away, and on what leaps do.
/// @param out   room for GROUND_MOST_WAYS
/// @return how many
uint32_t wend__ground_find_ways(const ground_ways *ways, int32_t span, ground_way *out);

/// Puts a way into an edit, and counts it, or takes it out.
wend_error wend__ground_add_way(wend_edit *edit, const ground_way *way, wend_ground_info *counts);
wend_error wend__ground_remove_way(wend_edit *edit, const ground_way *way, wend_ground_info *counts);

/// Makes the map: cells of the spans, closed steps between neighbours that are not connected, seams as links.
/// @param ways     receives the rules of the map
/// @param counts   receives seams and leaps
wend_error wend__ground_make_map(const wend_ground_def *def, ground_ways *ways, wend_map **out,
                                 wend_ground_info *counts, ground_trouble *trouble);

#endif
