/* SPDX-License-Identifier: MIT */
/* How much a test tries: `few` in `make check`, `many` in `make check-long`, which sets WEND_LONG. */
#ifndef WEND_TESTS_FEW_OR_MANY_H
#define WEND_TESTS_FEW_OR_MANY_H

#include <stdlib.h>

#include "models/owned.h"

static inline int few_or_many(int few, int many) {
    return getenv("WEND_LONG") ? many : few;
}

#endif
