/* SPDX-License-Identifier: MIT */
/* Shared by tests of searches: one that is driven as a lane does it. */
#ifndef WEND_TESTS_SEARCH_RIG_H
#define WEND_TESTS_SEARCH_RIG_H

#include "models/defaults.h"
#include "search/engines.h"

typedef struct rig {
    void *memory;
    wend__pool pool;
    wend__stock stock;
    wend__search *search;
} rig;

/// In a pool of so many pages that is full of somebody's garbage, as the search is: this byte.
void rig_make(rig *rig, uint32_t pages, int garbage);
void rig_free(rig *rig);

/// Search, and count the nodes that are expanded, whatever each of them counts as. The request has no backward look.
/// @param closed   receives how many different nodes they were
uint64_t rig_count_nodes(rig *rig, const wend_request *request, size_t *closed);

#endif
