/* SPDX-License-Identifier: MIT */
/* A table of refusals: each row is a call, its error and its detail. */
#ifndef WEND_TESTS_DETAIL_REFUSED_H
#define WEND_TESTS_DETAIL_REFUSED_H

#include "models/defaults.h"

#include <criterion/criterion.h>
#include <wend/wend.h>

/// The call, the last of the expressions, fails with WEND_error, and its detail is that text. A # in the text stands
/// for any digits, ... at its end for whatever follows.
#define FAILS(error, detail, ...) check_refusal(__FILE__, __LINE__, WEND_##error, detail, (__VA_ARGS__))
#define BAD(detail, ...) FAILS(BAD_ARGUMENT, detail, __VA_ARGS__)
void check_refusal(const char *file, int line, wend_error expected, const char *detail, wend_error error);

/* Details that many functions give. */
#define ABSENT(name) name " is NULL, but its length is #: with NULL it must be 0"
#define NO_MOVER "mover is 1, but the map has movers 0 to 0: wend_map_add_mover() adds one"
#define OFF_GRID " is 10,0,0, off the map: x is 0 to 9, y 0 to 7, z 0 to 0"
#define SIZED(type, bytes)                                                                                             \
    type ".struct_bytes is " #bytes ", but the struct has # bytes: set it to sizeof, or by the _init function"

/// A grid of 10 x 8 cells, 10 x 8 x 4 voxels, or a graph of three nodes without coordinates.
wend_map *make_grid(void);
wend_map *make_space(void);
wend_map *make_graph(void);

#define CELL(x, y) ((wend_cell){x, y, 0})

#endif
