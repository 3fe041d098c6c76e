/* SPDX-License-Identifier: MIT */
/* The layers of a Tiled map: the map's box, and the class of each cell. */
#ifndef WEND_SRC_EXTRA_TILED_CELLS_H
#define WEND_SRC_EXTRA_TILED_CELLS_H

#include "extra/tiled/tiled.h"

/// Find the map's box and the class of each cell in it.
wend_error wend__tiled_cells(wend__tiled *t);

/// Visit all layers of a type in order, also those in groups. @return the first error
typedef int32_t wend__layer_fn(wend__tiled *t, const json_t *layer, void *context);
wend_error wend__tiled_layers(wend__tiled *t, const char *type, wend__layer_fn *visit, void *context);

#endif
