/* SPDX-License-Identifier: MIT */
/* Arcs of vehicles: how a pose moves toward an aim, turning by its way ÷ the least circle at most. */
#include "agents/discs/state.h"

enum {
    ONE = WEND__BODY_ONE,
    INSIDE_BY = 8,               ///< an aim is inside the circle if it is so by an eighth of its radius
    MOST_SINE = ONE * 985 / 1000 ///< of its turn in an update: less than a right angle, so that forward and back differ
};

wend__vec wend__arc_turned(wend__vec front, wend__vec to, int32_t way, int32_t turning) {
    const int32_t sine = (int32_t)wend__most(0, (int32_t)((int64_t)(way < turning ? way : turning) * ONE / turning));
    const int32_t most = wend__least(sine, MOST_SINE);
    const int32_t cosine = (int32_t)wend__root((uint64_t)((int64_t)ONE * ONE - (int64_t)most * most));
    const int32_t length = wend__length(to);
    if (length == 0) return front;
    if (wend__vec_dot(front, to) * ONE >= (int64_t)cosine * length * wend__length(front))
        return wend__scaled(to, ONE, length);
    front = wend__turned(front, cosine, wend__vec_cross(front, to) < 0 ? -most : most);
    return wend__scaled(front, ONE, wend__length(front));
}

wend__pose wend__vehicle_pose(const wend__body *body, wend__vec aim, bool backs) {
    const wend__vec to = wend__minus(aim, body->at);
    wend__pose pose = {body->at, body->facing};
    if (pose.front.x || pose.front.y) return pose;
    pose.front = wend__scaled(to, backs ? -ONE : ONE, wend__length(to)); /* it has yet to set out, whichever way */
    return pose;
}

void wend__vehicle_move(const wend__body *body, wend__pose *pose, wend__vec aim, bool backs, int32_t way) {
    wend__vec to = wend__minus(aim, pose->at);
    if (backs) to = (wend__vec){-to.x, -to.y};
    pose->front = wend__arc_turned(pose->front, to, way, body->turning);
    pose->at = wend__along(pose->at, pose->front, backs ? -way : way);
}

bool wend__vehicle_circles(const wend__body *body, const wend__pose *pose, wend__vec aim) {
    const wend__vec to = wend__minus(aim, pose->at), front = pose->front;
    const int32_t side = wend__vec_cross(front, to) < 0 ? -1 : 1, radius = body->turning - body->turning / INSIDE_BY;
    const wend__vec middle =
        wend__along((wend__vec){0, 0}, (wend__vec){-front.y * side, front.x * side}, body->turning);
    const wend__vec off = wend__minus(to, middle);
    return wend__vec_dot(off, off) < (int64_t)radius * radius;
}
