/* SPDX-License-Identifier: MIT */
/* The random numbers of the models. */
#ifndef WEND_TESTS_ORACLE_H
#define WEND_TESTS_ORACLE_H

#include "models/defaults.h"

#include <wend/wend.h>

/// A small generator with the same numbers everywhere (SplitMix, models/random.h).
typedef struct oracle_random {
    uint64_t state;
} oracle_random;
uint64_t oracle_next(oracle_random *random);
/// From 0 to below - 1.
int oracle_below(oracle_random *random, int below);

#endif
