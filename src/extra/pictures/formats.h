/* SPDX-License-Identifier: MIT */
/* The writers of picture formats; each writes a whole picture. */
#ifndef WEND_SRC_EXTRA_PICTURES_FORMATS_H
#define WEND_SRC_EXTRA_PICTURES_FORMATS_H

#include "extra/drawing/legend.h"
#include "extra/drawing/outlet.h"

/// @return WEND_OK, WEND_OUT_OF_MEMORY, the map's error, or what the caller's write returned
wend_error wend__ansi_write(const wend__drawing *drawing, const wend__legend *legend, wend__outlet *outlet);
wend_error wend__svg_write(const wend__drawing *drawing, const wend__legend *legend, wend__outlet *outlet);
wend_error wend__png_write(const wend__drawing *drawing, const wend__legend *legend, wend__outlet *outlet);

#endif
