/* SPDX-License-Identifier: MIT */
/* How far has each agent gone in the last update? A step that goes on tells its part of it; the parts of steps that
 * ended in the update are added up. Agents with bodies are not here: their discs have velocities. */
#include "agents/update/agents.h"
#include "motion/walk/points.h"

enum { MILLI = 1000 };

static int32_t clamped(int64_t number) {
    return number > INT32_MAX ? INT32_MAX : number < -INT32_MAX ? -INT32_MAX : (int32_t)number;
}

/* Returns the way from one part of the present step to another, as points of the view differ. */
static wend_point part_of_step(const wend_crowd *crowd, uint32_t index, int64_t from, int64_t to) {
    const wend__traffic_agent *in_traffic = &crowd->in_traffic[index];
    const int64_t length = crowd->agents[index].length;
    const wend_point a = wend__point_in_step(crowd->def.map, in_traffic->from, in_traffic->at, from, length),
                     b = wend__point_in_step(crowd->def.map, in_traffic->from, in_traffic->at, to, length);
    return (wend_point){b.x - a.x, b.y - a.y, b.z - a.z};
}

static wend_point earlier_way(const wend_crowd *crowd, uint32_t index) {
    const wend__travel *travel = &crowd->travel[index];
    return travel->update == crowd->timed ? travel->earlier : (wend_point){0, 0, 0};
}

static wend_point sum_of(wend_point a, wend_point b) {
    return (wend_point){clamped((int64_t)a.x + b.x), clamped((int64_t)a.y + b.y), clamped((int64_t)a.z + b.z)};
}

void wend__travel_end_step(wend_crowd *crowd, uint32_t index) {
    wend__travel *travel = &crowd->travel[index];
    const int64_t length = crowd->agents[index].length;
    const int64_t done = length - (crowd->remaining[index] + travel->progress);
    travel->earlier = sum_of(earlier_way(crowd, index), part_of_step(crowd, index, done > 0 ? done : 0, length));
    travel->update = crowd->timed;
    travel->progress = 0;
}

void wend__travel_forget(wend_crowd *crowd, uint32_t index) {
    crowd->travel[index] = (wend__travel){.update = crowd->timed};
}

static int32_t in_a_unit(int32_t way, uint32_t milli) {
    const int64_t half = way < 0 ? -(int64_t)milli / 2 : milli / 2;
    return milli == 0 ? 0 : clamped(((int64_t)way * MILLI + half) / milli);
}

wend_point wend__travel_velocity(const wend_crowd *crowd, uint32_t index) {
    wend_point way = earlier_way(crowd, index);
    if (crowd->phase[index] <= WEND__PHASE_AWAY) return (wend_point){0, 0, 0};
    if (crowd->phase[index] == WEND__PHASE_STEPPING && crowd->travel[index].progress > 0) {
        const int64_t done = crowd->agents[index].length - crowd->remaining[index];
        way = sum_of(way, part_of_step(crowd, index, done - crowd->travel[index].progress, done));
    }
    const uint32_t milli = crowd->timed_milli;
    return (wend_point){in_a_unit(way.x, milli), in_a_unit(way.y, milli), in_a_unit(way.z, milli)};
}

void wend__travel_restore(wend_crowd *crowd, uint32_t index, wend_point velocity) {
    crowd->timed_milli = MILLI;
    crowd->travel[index] = (wend__travel){.earlier = velocity, .update = crowd->timed};
}
