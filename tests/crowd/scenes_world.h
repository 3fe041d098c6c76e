/* SPDX-License-Identifier: MIT */
/* A map with a service and a crowd, as scenes begin and end. */
#ifndef WEND_TESTS_SCENES_WORLD_H
#define WEND_TESTS_SCENES_WORLD_H

#include "crowd/scenes.h"
#include "models/defaults.h"

#include <stdlib.h>

typedef struct scene_world {
    wend_map *map;
    wend_service *service;
    wend_crowd *crowd;
} scene_world;

static inline void check(wend_error error) {
    if (error) abort();
}

/// Makes all but the map, which is there.
static inline void scene_world_open(scene_world *world, uint32_t agents, wend_agent_event_fn *on_event, void *context) {
    const wend_service_def service = default_service();
    check(wend_service_create(&service, &world->service));
    wend_crowd_def crowd = default_crowd();
    crowd.agents = agents, crowd.service = world->service, crowd.map = world->map;
    crowd.on_event = on_event, crowd.context = context;
    check(wend_crowd_create(&crowd, &world->crowd));
}

static inline void scene_world_close(scene_world *world) {
    check(wend_crowd_destroy(world->crowd));
    check(wend_service_destroy(world->service));
    wend_map_release(world->map);
}

#endif
