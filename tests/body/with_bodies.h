/* SPDX-License-Identifier: MIT */
/* A crowd with bodies on a map: how the tests of this folder open and end it. */
#ifndef WEND_TESTS_BODY_WITH_BODIES_H
#define WEND_TESTS_BODY_WITH_BODIES_H

#include "models/defaults.h"

#include <criterion/criterion.h>
#include <wend/agents.h>

/// A service, a crowd of the definition that it is for, and bodies for the crowd.
static inline void open_with_bodies(wend_crowd_def def, wend_service **service, wend_crowd **crowd,
                                    wend_bodies **bodies) {
    const wend_service_def plain = default_service();
    wend_bodies_def own = default_bodies();
    def.service = *service = made_service(&plain);
    own.crowd = *crowd = made_crowd(&def);
    *bodies = made_bodies(&own);
}

static inline void end_with_bodies(wend_map *map, wend_service *service, wend_crowd *crowd, wend_bodies *bodies) {
    cr_assert_eq(wend_crowd_destroy(crowd), WEND_OK);
    cr_assert_eq(wend_bodies_destroy(bodies), WEND_OK);
    cr_assert_eq(wend_service_destroy(service), WEND_OK);
    wend_map_release(map);
}

#endif
