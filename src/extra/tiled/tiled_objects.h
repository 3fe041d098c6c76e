/* SPDX-License-Identifier: MIT */
/* The objects of a Tiled map: start, goal, links and routes. */
#ifndef WEND_SRC_EXTRA_TILED_OBJECTS_H
#define WEND_SRC_EXTRA_TILED_OBJECTS_H

#include "extra/tiled/tiled.h"

/// Add the links to the batch, and fill in markers and routes. The caller frees what `beside` then has, also on error.
wend_error wend__tiled_objects(wend__tiled *t, wend_edit *edit, wend_tiled *beside);

#endif
