/* SPDX-License-Identifier: MIT */
/* Jump tables from a plain grid, by walking cell by cell: slow, and made of other parts than the library's. */
#ifndef WEND_TESTS_JUMPS_MODEL_H
#define WEND_TESTS_JUMPS_MODEL_H

#include "map/map_support.h"

#include "map/store/map_layout.h"

/// Compares all tables and lanes of a version that has them with the model. The version lists the pruned chunks.
void jumps_check(const model *m, const wend__version *v);
void jumps_check_map(const model *m, wend_map *map);
/// The same by the library's own full build: every byte, quickly. With closed steps too, where tables mean nothing.
void jumps_check_fresh(const wend__version *v);
/// A number that changes with anything in a version's tables.
uint64_t jumps_checksum(const wend__version *v);

#endif
