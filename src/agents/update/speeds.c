/* SPDX-License-Identifier: MIT */
/* How fast a body may go, and by how much it gains speed in a unit of time. */
#include "agents/update/agents.h"

#include "map/movers/views.h"
#include "map/version/version.h"

enum {
    ONE = WEND_BODY_UNITS,
    MILLI = 1000,
    UNITS_TO_SPEED = 9,   ///< units of time in which a body reaches its top speed by default
    UNITS_NEAR_WALLS = 4, ///< the same near walls
    NEAR_WALLS = 2,       ///< clearance in cells within which walls are near
    GAINS = 35,           ///< acceleration of a tight body, in tenths of a loose one's
    MOST_GAIN = 39        ///< most such acceleration, in hundredths of its top speed
};

/* Slows a body on slow ground. */
int32_t wend__bodies_top_speed(const wend_bodies *bodies, uint32_t index) {
    const wend_crowd *crowd = bodies->crowd;
    const wend__traffic_agent *in_traffic = &crowd->in_traffic[index];
    const uint32_t milli =
        crowd->speed[index] < WEND_MAX_BODY_SPEED_MILLI ? crowd->speed[index] : WEND_MAX_BODY_SPEED_MILLI;
    const uint32_t factor = wend__cell_factor(wend__version_view(bodies->version, in_traffic->mover), in_traffic->at);
    return wend__most(1, (int32_t)(milli * ONE / MILLI / (factor > 0 ? factor : 1)));
}

int32_t wend__bodies_acceleration(const wend_body_def *def, int32_t speed) {
    return wend__most(1,
                      def->accel_milli ? (int32_t)(def->accel_milli * (uint64_t)ONE / MILLI) : speed / UNITS_TO_SPEED);
}

/* Returns whether blocked cells are near. The rim of the map is no wall: a body there has free ground on one side. */
static bool is_near_walls(const wend_bodies *bodies, uint32_t i) {
    enum { SIDE = 2 * NEAR_WALLS + 1 };
    const wend_map *map = bodies->crowd->def.map;
    const wend__traffic_agent *in_traffic = &bodies->crowd->in_traffic[i];
    const wend_cell at = in_traffic->at;
    if (wend__bodies_clearance(bodies->engine, i) > NEAR_WALLS) return false;
    if (at.x >= NEAR_WALLS && at.y >= NEAR_WALLS && at.x < map->width - NEAR_WALLS && at.y < map->height - NEAR_WALLS)
        return true;
    const wend__version *view = wend__version_view(bodies->version, in_traffic->mover);
    for (int32_t k = 0; k < SIDE * SIDE; k++) {
        const wend_cell cell = {at.x + k % SIDE - NEAR_WALLS, at.y + k / SIDE - NEAR_WALLS, 0};
        if (wend__map_has(map, cell) && wend__cell_factor(view, cell) == 0) return true;
    }
    return false;
}

/* Near walls, where many meet in little room, a body has a higher default acceleration. */
int32_t wend__bodies_gain(const wend_bodies *bodies, uint32_t i, int32_t speed) {
    const bool own = bodies->agents[i].def.accel_milli > 0 || bodies->agents[i].def.turning_radius_milli > 0;
    if (own || !is_near_walls(bodies, i)) return wend__bodies_acceleration(&bodies->agents[i].def, speed);
    return wend__most(1, speed / UNITS_NEAR_WALLS);
}

/* Returns the acceleration of a tight body, which makes a cell take hardly longer than necessary. */
int32_t wend__bodies_tight_gain(const wend_bodies *bodies, uint32_t i, int32_t speed) {
    const int32_t gain = wend__bodies_acceleration(&bodies->agents[i].def, speed);
    return wend__least(gain * GAINS / 10, wend__most(gain, speed * MOST_GAIN / 100));
}
