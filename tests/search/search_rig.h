/* SPDX-License-Identifier: MIT */
/* Shared by tests of searches: one that is driven as a lane does it. */
#ifndef WEND_TESTS_SEARCH_RIG_H
#define WEND_TESTS_SEARCH_RIG_H

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

#endif
