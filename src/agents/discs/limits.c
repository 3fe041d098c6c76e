/* SPDX-License-Identifier: MIT */
/* Limits of acceleration and turning. A body turns by less the faster it is, so that its velocity changes by no more
 * than some part of its top speed in a unit of time; it brakes while it wants to turn by more, and turns as it likes
 * once it is slow. So a goal inside its turning circle makes it slow: it never circles round it. */
#include "agents/discs/state.h"

enum {
    ONE = WEND__BODY_ONE,
    SMOOTH = 38,     ///< degrees by which a body that is not slow turns at most
    MOST_CHANGE = 39 ///< hundredths of its top speed, of turning and braking together
};

/* Cosines of 0 to 90 degrees. */
static const int16_t cosines[] = {
    16384, 16382, 16374, 16362, 16344, 16322, 16294, 16262, 16225, 16182, 16135, 16083, 16026, 15964, 15897, 15826,
    15749, 15668, 15582, 15491, 15396, 15296, 15191, 15082, 14968, 14849, 14726, 14598, 14466, 14330, 14189, 14044,
    13894, 13741, 13583, 13421, 13255, 13085, 12911, 12733, 12551, 12365, 12176, 11982, 11786, 11585, 11381, 11174,
    10963, 10749, 10531, 10311, 10087, 9860,  9630,  9397,  9162,  8923,  8682,  8438,  8192,  7943,  7692,  7438,
    7182,  6924,  6664,  6402,  6138,  5872,  5604,  5334,  5063,  4790,  4516,  4240,  3964,  3686,  3406,  3126,
    2845,  2563,  2280,  1997,  1713,  1428,  1143,  857,   572,   286,   0};

static int32_t cosine_of(int32_t degrees) {
    return degrees <= 90 ? cosines[degrees] : -cosines[180 - degrees];
}

static int32_t sine_of(int32_t cosine) {
    return (int32_t)wend__root((uint64_t)((int64_t)ONE * ONE - (int64_t)cosine * cosine));
}

/* Returns a vector turned towards another by some degrees at most.
 * @param all   whether that was enough */
static wend__vec turn_towards(wend__vec from, wend__vec to, int32_t degrees, bool *all) {
    const int32_t cosine = cosine_of(degrees), sine = sine_of(cosine);
    *all = wend__vec_dot(from, to) * ONE >= (int64_t)cosine * wend__length(from) * wend__length(to);
    return *all ? to : wend__turned(from, cosine, wend__vec_cross(from, to) < 0 ? -sine : sine);
}

/* Limits how much a body gains, brakes and turns. */
static wend__vec limit_each(const wend__body *body, wend__vec want, bool open, uint32_t elapsed) {
    const int32_t was = wend__length(body->velocity), wanted = wend__length(want);
    const int32_t gain = wend__most(1, (int32_t)((int64_t)wend__body_gain(body) * elapsed / 1000));
    if (body->turning > 0) return wend__vehicle_limit(body, want, gain, elapsed);
    if (was <= body->speed / WEND__BODY_SLOW) return wend__scaled(want, wend__least(wanted, was + gain), wanted);
    const int32_t degrees = wend__most(1, (int32_t)((int64_t)(body->turn > 0 ? body->turn : SMOOTH) * elapsed / 1000));
    const int32_t least = wend__most(0, was - gain * (open ? 1 : WEND__BODY_BRAKES));
    if (wanted == 0) return wend__scaled(body->velocity, least, was); /* the body brakes straight on */
    bool all;
    const wend__vec way = turn_towards(body->velocity, want, degrees, &all);
    if (all) return wend__scaled(want, wend__most(wend__least(wanted, was + gain), least), wanted);
    const int32_t slow =
        wend__vec_dot(body->velocity, want) <= 0 ? 0 : wanted / 2; /* brakes for the rest of the turn */
    return wend__scaled(way, wend__most(wend__least(slow, was + gain), least), wend__length(way));
}

wend__vec wend__body_limit(wend__bodies *bodies, const wend__body *body, wend__vec want) {
    const bool open = wend__gait_in_open(bodies, body);
    const uint32_t elapsed = bodies->elapsed;
    const wend__vec to = limit_each(body, want, open, elapsed);
    if (body->turning > 0 || !open) return to;
    const wend__vec by = wend__minus(to, body->velocity);
    const int32_t length = wend__length(by);
    const int32_t change = wend__most(body->speed * MOST_CHANGE / 100, body->accel);
    const int32_t most = wend__most(2, (int32_t)((int64_t)change * elapsed / 1000));
    return length <= most ? to : wend__plus(body->velocity, wend__scaled(by, most, length));
}
