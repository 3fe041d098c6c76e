/* SPDX-License-Identifier: MIT */
/* A service and a map for the suites of one file. */
#ifndef WEND_TESTS_SERVICE_SUITE_H
#define WEND_TESTS_SERVICE_SUITE_H

#include "service/service_support.h"

#include <criterion/criterion.h>

static wend_service *service;
static wend_map *map;

static inline void begin_small(void) {
    wend_service_def def = small_def();
    service = service_of(&def);
}

/// Another service instead, on the same map.
static inline void service_anew(const wend_service_def *def) {
    wend_service_destroy(service);
    service = service_of(def);
}

static inline void end(void) {
    end_service(service, map, NULL);
    map = NULL;
}

static inline const wend_completion *last(void) {
    cr_assert_gt(seen_count, 0);
    return &seen_log[seen_count - 1].completion;
}

#endif
