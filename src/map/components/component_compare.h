/* SPDX-License-Identifier: MIT */
/* Internal: compares the components of a version with those of the version that a batch began from. */
#ifndef WEND_SRC_MAP_COMPONENTS_COMPONENT_COMPARE_H
#define WEND_SRC_MAP_COMPONENTS_COMPONENT_COMPARE_H

#include "map/edit/edit.h"
#include "map/store/map_layout.h"

/// Cells of untouched chunks that are in one component before a batch, and in one after it.
typedef struct wend__same_cells {
    uint64_t before, now;                     ///< the components, as wend__component_of() names them
    uint64_t weight;                          ///< about how many they are
    int32_t column, row, end_column, end_row; ///< the chunks of the table in which they all lie; the ends are not in
} wend__same_cells;

typedef wend_error wend__same_cells_fn(void *context, const wend__same_cells *cells);

/// Call for all such sets of cells, until one call fails; for none where all untouched cells have the components that
/// they had. Both versions have their labels; `dirty` are those of the batch between them. Components that lie in one
/// untouched chunk alone need not be among them.
/// @return WEND_OK, WEND_OUT_OF_MEMORY, or what a call returned
/// Cost: as relabelling after the batch.
wend_error wend__components_compare(const wend__version *now, const wend__version *before, wend__dirty *const *dirty,
                                    wend__same_cells_fn *fn, void *context);

#endif
