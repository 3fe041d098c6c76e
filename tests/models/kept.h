/* SPDX-License-Identifier: MIT */
/* A request as the library keeps it, for tests of internal functions. */
#ifndef WEND_TESTS_MODELS_KEPT_H
#define WEND_TESTS_MODELS_KEPT_H

#include <stdlib.h>

#include "search/request/request.h"

static inline wend__request kept(const wend_request *request) {
    wend__request own;
    if (!wend__request_take(request, &own)) abort();
    return own;
}

/// A pointer to it that lives as long as the block.
#define KEPT(request) ((wend__request[1]){kept(request)})

#endif
