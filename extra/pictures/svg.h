/* SPDX-License-Identifier: MIT */
/* Shared parts of the SVG writer. One unit of an SVG is a cell; of a graph's, a pixel. */
#ifndef WEND_EXTRA_PICTURES_SVG_H
#define WEND_EXTRA_PICTURES_SVG_H

#include "base/text/svg.h"
#include "drawing/colours.h"
#include "drawing/legend.h"
#include "drawing/outlet.h"

/// Gets a colour as 0xrrggbb.
static inline unsigned wend__svg_hex(int32_t ink) {
    wend__rgb c = wend__ink_colour(ink);
    return (unsigned)c.r << 16 | (unsigned)c.g << 8 | c.b;
}

/// Convert pixels to thousandths of a cell.
static inline int32_t wend__svg_milli(const wend__drawing *d, int32_t pixels) {
    return (int32_t)((int64_t)pixels * 1000 / d->scale);
}

/// Writes links, paths, units, markers and changes of floor.
void wend__svg_marks(const wend__drawing *drawing, wend__outlet *outlet);
/// Writes the legend below the map.
void wend__svg_legend(const wend__drawing *drawing, const wend__legend *legend, wend__outlet *outlet);

#endif
