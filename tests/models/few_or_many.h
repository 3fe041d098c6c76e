/* SPDX-License-Identifier: MIT */
/* How much a test tries: `few` in `make check`, `many` in `make check-long`, which sets WEND_LONG; a quarter of `few`
 * in `make check-touched`, which sets WEND_SHORT. Where `many` is less than `few` they are strides. */
#ifndef WEND_TESTS_FEW_OR_MANY_H
#define WEND_TESTS_FEW_OR_MANY_H

#include <stdlib.h>

#include "models/owned.h"

static inline int few_or_many(int few, int many) {
    if (getenv("WEND_LONG")) return many;
    return getenv("WEND_SHORT") && few < many ? (few + 3) / 4 : few;
}

/* For tests that also require that each case came up: `few` is the least that suffices. */
static inline int enough_or_many(int few, int many) {
    return getenv("WEND_LONG") ? many : few;
}

#endif
