/* SPDX-License-Identifier: MIT */
/* Steers a disc that the host moves itself: its next velocity, and its next corner. */
#include "agents/update/agents.h"

#include "map/version/map.h"

enum { DEFAULT_SPEED = 250, MILLI = 1000, HALF = WEND_BODY_UNITS / 2 };

void wend_steer_def_init(wend_steer_def *def, size_t bytes) {
    wend_steer_def own = {.struct_bytes = sizeof own, .speed_milli = DEFAULT_SPEED};
    wend_body_def_init(&own.body, sizeof own.body);
    wend__sized_init(def, bytes, &own, sizeof own);
}

static wend_error check_steer(const wend_bodies *bodies, const wend_steer_def *def) {
    const wend_cell at = wend__bodies_cell(def->at, 1);
    wend_error error = wend__bodies_check_def(&def->body, wend__version_mover_size(bodies->version, def->mover));
    if (!error) error = wend__check_range("speed_milli", def->speed_milli, 1, WEND_MAX_BODY_SPEED_MILLI);
    if (!error) error = wend__check_room("way", def->way, def->way_count);
    if (!error) error = wend__check_cell(bodies->crowd->def.map, "the cell of at", at);
    if (!error) error = wend__check_each_cell(bodies->crowd->def.map, "way", def->way, def->way_count);
    return error;
}

/* Returns the disc, as a body. A vehicle faces its velocity; a standing one that is a body faces its last direction. */
static wend__body disc_of_host(const wend_bodies *bodies, const wend_steer_def *def) {
    const wend__vec velocity = {def->velocity.x, def->velocity.y};
    wend__vec facing = wend__scaled(velocity, WEND_BODY_UNITS, wend__length(velocity));
    if (!facing.x && !facing.y && wend__bodies_has(bodies, def->own))
        facing = wend__bodies_get(bodies->engine, def->own.index)->facing;
    const int32_t speed = (int32_t)(def->speed_milli * WEND_BODY_UNITS / MILLI);
    return (wend__body){.at = {def->at.x + HALF, def->at.y + HALF},
                        .velocity = velocity,
                        .facing = facing,
                        .radius = (int32_t)wend__bodies_radius(def->body.radius_milli),
                        .offset = (wend__version_mover_size(bodies->version, def->mover) - 1) * HALF,
                        .speed = speed,
                        .accel = wend__bodies_acceleration(&def->body, speed),
                        .turn = (int16_t)def->body.turn_degrees,
                        .turning = (int32_t)(def->body.turning_radius_milli * WEND_BODY_UNITS / MILLI),
                        .mover = def->mover};
}

wend_error wend_steer(wend_bodies *bodies, const wend_steer_def *theirs, wend_body_vector *velocity,
                      wend_body_vector *corner) {
    wend_steer_def def;
    wend_steer_def_init(&def, sizeof def);
    WEND__ASSERT(bodies->crowd); /* destroyed */
    WEND__CROWD_CALL(bodies->crowd);
    if (!WEND__READ_STRUCT(wend_steer_def, own, &def, theirs)) return WEND_BAD_ARGUMENT;
    wend__version *version = wend__bodies_begin_call(bodies);
    wend_error error = wend__check_mover_below(wend__version_movers(version), def.mover);
    if (!error) error = check_steer(bodies, &def);
    if (!error) {
        const wend__body disc = disc_of_host(bodies, &def);
        const uint32_t count = def.way_count < WEND_MAX_STEER_CELLS ? def.way_count : WEND_MAX_STEER_CELLS;
        const bool own = wend__bodies_has(bodies, def.own);
        wend__vec aim = {def.to.x + HALF, def.to.y + HALF};
        if (count > 0) aim = wend__bodies_see(bodies->engine, &disc, def.way, count);
        const wend__vec next = wend__bodies_steer(bodies->engine, own ? def.own.index : UINT32_MAX, &disc, aim);
        if (velocity) *velocity = (wend_body_vector){next.x, next.y};
        if (corner) *corner = (wend_body_vector){aim.x - HALF, aim.y - HALF};
    }
    wend__bodies_end_call(version);
    return error;
}
