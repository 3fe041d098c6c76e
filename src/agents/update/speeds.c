/* SPDX-License-Identifier: MIT */
/* How fast a body may go, and by how much it gains speed in a unit of time. */
#include "agents/update/agents.h"

#include "map/movers/views.h"
#include "map/version/version.h"

enum {
    ONE = WEND_BODY_UNITS,
    MILLI = 1000,
    GAINS = 7, ///< default acceleration: 7 eighteenths of the top speed
    OF = 18
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

int32_t wend__bodies_gain(const wend_body_def *def, int32_t speed) {
    const uint64_t gain = (uint64_t)def->accel_milli * ONE / MILLI;
    return wend__most(1, def->accel_milli ? (int32_t)gain : speed * GAINS / OF);
}
