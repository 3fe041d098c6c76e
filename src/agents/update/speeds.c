/* SPDX-License-Identifier: MIT */
/* How fast a body may go, and by how much it gains speed in a unit of time. */
#include "agents/update/agents.h"

#include "map/movers/views.h"
#include "map/version/version.h"

enum {
    ONE = WEND_BODY_UNITS,
    MILLI = 1000,
    UNITS_TO_SPEED = 9, ///< units of time in which a body reaches its top speed by default
    GAINS = 35,         ///< acceleration between places, in tenths of that
    MOST_GAIN = 39      ///< most such acceleration, in hundredths of its top speed
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

int32_t wend__bodies_gain(const wend_bodies *bodies, uint32_t i, int32_t speed) {
    const int32_t gain = wend__bodies_acceleration(&bodies->agents[i].def, speed);
    return wend__least(gain * GAINS / 10, wend__most(gain, speed * MOST_GAIN / 100));
}
