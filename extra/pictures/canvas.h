/* SPDX-License-Identifier: MIT */
/* Draws a picture into a raster: the map's part, and the legend below it. */
#ifndef WEND_EXTRA_PICTURES_CANVAS_H
#define WEND_EXTRA_PICTURES_CANVAS_H

#include "drawing/legend.h"
#include "drawing/roads.h"
#include "pictures/raster.h"
#include "drawing/outlet.h"

/// Draws what belongs into whole rows of cells. @return WEND_OK, WEND_OUT_OF_MEMORY, the map's error
wend_error wend__canvas_map(const wend__drawing *drawing, wend__raster *raster);
/// Draws the rows of the legend that the raster holds.
void wend__canvas_legend(const wend__drawing *drawing, const wend__legend *legend, wend__raster *raster);

/// @return WEND_OK, WEND_OUT_OF_MEMORY, the map's error, or what the caller's write returned
wend_error wend__ansi_write(const wend__drawing *drawing, const wend__legend *legend, wend__outlet *outlet);
wend_error wend__svg_write(const wend__drawing *drawing, const wend__legend *legend, wend__outlet *outlet);
wend_error wend__png_write(const wend__drawing *drawing, const wend__legend *legend, wend__outlet *outlet);

#endif
