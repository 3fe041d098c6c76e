/* SPDX-License-Identifier: MIT */
/* Parts of bench_map; each prints CSV. */
#ifndef WEND_BENCH_MAP_H
#define WEND_BENCH_MAP_H

#include "scenery.h"

enum { GROUNDS = 5 };
typedef struct named_ground {
    const char *name;
    ground_fn *fill;
} named_ground;
extern const named_ground grounds[GROUNDS];

/// Measures edits: single cells, batches, forks.
void bench_changes(void);
/// Components.
void bench_labels(void);
/// Movers.
void bench_movers(void);

#endif
