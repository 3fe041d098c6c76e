/* SPDX-License-Identifier: MIT */
/* A crowd with bodies on a map: how the tests of this folder open and end it. */
#ifndef WEND_TESTS_BODY_WITH_BODIES_H
#define WEND_TESTS_BODY_WITH_BODIES_H

#include "models/defaults.h"

#include <criterion/criterion.h>
#include <wend/agents.h>

/// A service, and a crowd of the definition.
static inline void open_with_bodies(wend_crowd_def def, wend_service **service, wend_crowd **crowd) {
    const wend_service_def plain = default_service();
    def.service = *service = made_service(&plain);
    *crowd = made_crowd(&def);
}

static inline void end_with_bodies(wend_map *map, wend_service *service, wend_crowd *crowd) {
    cr_assert_eq(wend_crowd_destroy(crowd), WEND_OK);
    cr_assert_eq(wend_service_destroy(service), WEND_OK);
    wend_map_release(map);
}

#endif
