/* SPDX-License-Identifier: MIT */
/* Shared by tests of searches: a search that is driven as a lane does it. */
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

/// Makes a search in a pool of `pages` pages; the memory of both is filled with this byte.
void rig_make(rig *rig, uint32_t pages, int garbage);
void rig_free(rig *rig);

/// Search, and count the nodes that are expanded, whatever each of them counts as. The request has no backward look.
/// @param closed   receives the number of different nodes
uint64_t rig_count_nodes(rig *rig, const wend_request *request, size_t *closed);

#endif
