/* SPDX-License-Identifier: MIT */
/* The parts of making a ground: what is refused, and the map of its sheets. */
#ifndef WEND_GROUND_GROUND_MAP_H
#define WEND_GROUND_GROUND_MAP_H

#include "leaps.h"
#include "sheets.h"

/// Check a definition, and its level if it has triangles. @return the code of `trouble`
wend_error wend__ground_check(const wend_ground_def *def, ground_trouble *trouble);
/// Check that vertices are numbers, as wend__ground_check() does for triangles.
wend_error wend__ground_check_vertices(const wend_ground_def *def, ground_trouble *trouble);

/// Make the map: cells of the spans, closed steps between neighbours that are not connected, seams as links.
/// @param air      NULL: there are no leaps
/// @param counts   receives seams and leaps
wend_error wend__ground_make_map(const wend_ground_def *def, const ground_spans *spans, const ground_air *air,
                                 const ground_layout *layout, wend_map **out, wend_ground_info *counts,
                                 ground_trouble *trouble);

#endif
