/* SPDX-License-Identifier: MIT */
/* When two discs meet that go on as they do, compared with a walk along their ways in floating point. */
#include "agents/discs/state.h"
#include "models/random.h"

#include <criterion/criterion.h>
#include <math.h>

enum { ONE = WEND__BODY_ONE, UNTIL = 4096 };

static wend__near_body neighbour(wend__vec off, wend__vec velocity, int32_t radius) {
    return (wend__near_body){.off = off, .velocity = velocity, .radius = radius, .apart = wend__vec_dot(off, off)};
}

/* Returns how far the centres are apart after a time in 1/256. */
static double apart_at(const wend__near_body *n, wend__vec velocity, double time) {
    return hypot(n->off.x - (velocity.x - n->velocity.x) * time / 256,
                 n->off.y - (velocity.y - n->velocity.y) * time / 256);
}

/* Returns how near the centres come until a time. */
static double nearest_until(const wend__near_body *n, wend__vec velocity, double time) {
    const double ux = velocity.x - n->velocity.x, uy = velocity.y - n->velocity.y;
    const double at = (n->off.x * ux + n->off.y * uy) / (ux * ux + uy * uy) * 256;
    return apart_at(n, velocity, fmin(fmax(at, 0), time));
}

static int32_t part(uint64_t *seed, int32_t most) {
    return (int32_t)draw(seed, 2 * (uint32_t)most) - most;
}

/* Discs a skin apart, and more. Distances are rounded to 1/1024 of a cell, times to 1/256. */
Test(meets, when_the_discs_and_their_skin_touch_first) {
    uint64_t seed = 4;
    int met = 0, passed = 0;
    for (int i = 0; i < 200000; i++) {
        const int32_t radius = 1638 + (int32_t)draw(&seed, 9000);
        const wend__vec velocity = {part(&seed, 5000), part(&seed, 5000)};
        const wend__near_body n =
            neighbour((wend__vec){part(&seed, 4 * ONE), part(&seed, 4 * ONE)},
                      (wend__vec){part(&seed, 5000), part(&seed, 5000)}, 1638 + (int32_t)draw(&seed, 9000));
        const double reach = radius + n.radius + WEND__BODY_SKIN,
                     fast = hypot(velocity.x - n.velocity.x, velocity.y - n.velocity.y);
        const int32_t until = 1 + (int32_t)draw(&seed, UNTIL);
        if (fast < 200 || apart_at(&n, velocity, 0) < reach + 64) continue;
        const int32_t time = wend__body_meets(&n, radius, velocity, until);
        const double slack = 32 + fast / 256;
        cr_assert(time >= 0 && time <= until);
        cr_assert_geq(nearest_until(&n, velocity, time), reach - slack, "too late by %f",
                      reach - nearest_until(&n, velocity, time));
        met += time < until;
        passed += time == until;
        if (time < until)
            cr_assert_leq(apart_at(&n, velocity, time), reach + slack, "%f too early",
                          apart_at(&n, velocity, time) - reach);
    }
    cr_assert(met > 10000 && passed > 10000, "%d, %d", met, passed);
}

/* Past each other at exactly their radii and the skin they go on; a bit nearer, and they meet. */
Test(meets, not_where_they_only_touch_in_passing) {
    const int32_t radius = 160 * 16, reach = radius + radius + WEND__BODY_SKIN - (2 * radius + WEND__BODY_SKIN) % 16;
    for (int32_t side = -1; side <= 1; side += 2) {
        const wend__vec velocity = {1000, 0};
        const wend__near_body touching = neighbour((wend__vec){2 * ONE, side * reach}, (wend__vec){0, 0}, radius);
        cr_assert_eq(wend__body_meets(&touching, radius, velocity, 1 << 20), 1 << 20);
        const wend__near_body nearer = neighbour((wend__vec){2 * ONE, side * (reach - 16)}, (wend__vec){0, 0}, radius);
        cr_assert_lt(wend__body_meets(&nearer, radius, velocity, 1 << 20), 2 * ONE * 256 / 1000);
    }
}

Test(meets, not_where_they_part_or_stand) {
    for (int32_t apart = 0; apart <= 2 * ONE; apart += ONE / 4) {
        const wend__near_body ahead = neighbour((wend__vec){apart, 0}, (wend__vec){500, 0}, ONE / 4);
        cr_assert_eq(wend__body_meets(&ahead, ONE / 4, (wend__vec){500, 0}, UNTIL), UNTIL);
        cr_assert_eq(wend__body_meets(&ahead, ONE / 4, (wend__vec){400, 0}, UNTIL), UNTIL);
    }
}

/* Within the skin they may come nearer, until the discs touch. */
Test(meets, those_within_the_skin_when_the_discs_touch) {
    const int32_t radius = ONE / 4, speed = 256;
    for (int32_t gap = 16; gap <= WEND__BODY_SKIN; gap += 16) {
        const wend__near_body near = neighbour((wend__vec){2 * radius + gap, 0}, (wend__vec){0, 0}, radius);
        const int32_t time = wend__body_meets(&near, radius, (wend__vec){speed, 0}, UNTIL);
        cr_assert(time <= gap && time >= gap - 17, "gap %d: %d", gap, time);
    }
    for (int32_t overlap = 0; overlap < radius; overlap += 16) {
        const wend__near_body near = neighbour((wend__vec){2 * radius - overlap, 0}, (wend__vec){0, 0}, radius);
        cr_assert_leq(wend__body_meets(&near, radius, (wend__vec){speed, 0}, UNTIL), 33);
    }
}
