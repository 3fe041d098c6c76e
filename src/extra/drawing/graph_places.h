/* SPDX-License-Identifier: MIT */
/* Places the nodes of a graph in a picture. */
#ifndef WEND_SRC_EXTRA_DRAWING_GRAPH_PLACES_H
#define WEND_SRC_EXTRA_DRAWING_GRAPH_PLACES_H

#include "extra/drawing/drawing.h"

/// Place the nodes, and set the picture's measures. @return WEND_OK, WEND_OUT_OF_MEMORY
wend_error wend__nodes_place(wend__drawing *drawing);

#endif
