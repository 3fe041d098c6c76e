/* SPDX-License-Identifier: MIT */
/* A search on a pool of its own, inside of the library: bare loops measure it. */
#ifndef WEND_BENCH_BARE_H
#define WEND_BENCH_BARE_H

#include "harness.h"
#include "search/engines.h"

typedef struct bare {
    wend__pool pool;
    wend__search *search;
    wend__stock stock;
    void *memory;
} bare;

/// Pages that no search takes are never touched.
void bare_open(bare *b, uint64_t pages);
void bare_close(bare *b);
/// Steps in slices, until the search ends or has made that number of expansions.
void bare_step(bare *b, uint64_t expansions, uint64_t slice);
/// Returns the bytes of the pages that the search holds: records, and entries of its open list.
uint64_t bare_bytes(const bare *b);

#endif
