/* SPDX-License-Identifier: MIT */
/* A table of refusals: each row is a call, its error and its detail. */
#ifndef WEND_TESTS_DETAIL_REFUSED_H
#define WEND_TESTS_DETAIL_REFUSED_H

#include "models/defaults.h"

#include <criterion/criterion.h>
#include <wend/wend.h>

/// The call fails with that error, and its detail is that text; a # in it stands for any digits.
#define REFUSED(error, detail, call) check_refusal(__FILE__, __LINE__, error, detail, call)
void check_refusal(const char *file, int line, wend_error expected, const char *detail, wend_error error);

/// A grid of 10 x 8 cells, 10 x 8 x 4 voxels, or a graph of three nodes without coordinates.
wend_map *make_grid(void);
wend_map *make_space(void);
wend_map *make_graph(void);

/// An allocator without memory.
extern const wend_allocator no_memory;

#define CELL(x, y) ((wend_cell){x, y, 0})

#endif
