/* SPDX-License-Identifier: MIT */
/* The ground that older steps need, and where lines bend round other discs: two discs, to the thousandth of a cell. */
#include "agents/discs/state.h"
#include "agents/state/bodies.h"
#include "body/with_bodies.h"
#include "map/version/map.h"

#include <math.h>

enum { ONE = WEND__BODY_ONE, SIDE = 40 };

/// Two discs of .4 in open ground: the first one asks, the second one is in its way.
typedef struct pair {
    wend_map *map;
    wend_service *service;
    wend_crowd *crowd;
    wend__bodies *engine;
    wend__version *version;
    wend__body *a, *b;
} pair;

static int32_t units(double cells) {
    return (int32_t)lround(cells * ONE);
}

/* The middle of the cell x,y is at x,y here. */
static wend__vec point(double x, double y) {
    return (wend__vec){units(x) + ONE / 2, units(y) + ONE / 2};
}

static void put(pair *p, uint32_t i, double x, double y, double vx, double vy) {
    wend__body *body = &p->engine->of[i];
    wend__body_leave_bin(p->engine, i);
    body->at = point(x, y), body->velocity = (wend__vec){units(vx), units(vy)};
    wend__body_enter_bin(p->engine, i);
}

static void open_pair(pair *p) {
    *p = (pair){.map = grid_map(SIDE, SIDE)};
    wend_crowd_def def = default_crowd();
    def.agents = 2, def.map = p->map;
    open_with_bodies(def, &p->service, &p->crowd);
    for (int32_t i = 0; i < 2; i++) {
        wend_agent_def agent = default_agent();
        const wend_body_def body = default_body();
        wend_agent_id id;
        agent.cell = (wend_cell){2, 4 * i, 0}, agent.speed_milli = 250;
        cr_assert_eq(wend_crowd_add(p->crowd, &agent, &id), WEND_OK);
        cr_assert_eq(wend_crowd_set_body(p->crowd, id, &body), WEND_OK);
    }
    p->engine = p->crowd->bodies->engine;
    p->version = wend__bodies_follow_newest(p->engine, p->map);
    p->engine->elapsed = WEND__BODY_UNIT;
    p->a = &p->engine->of[0], p->b = &p->engine->of[1];
}

static void close_pair(pair *p) {
    wend__map_release(p->version, false);
    end_with_bodies(p->map, p->service, p->crowd);
}

/* ---- bends ---- */

/* Returns how far the line of the first disc, from 10,10 along the row, bends to the right round the second one; 0: it
 * does not. */
static double bend(pair *p, double x, double y, double vx, double vy, double length) {
    wend__vec at;
    put(p, 0, 10, 10, 0, 0), put(p, 1, x, y, vx, vy);
    if (!wend__bodies_bend(p->engine, 0, (wend__vec){units(length), 0}, 1, &at)) return 0;
    return at.y / (double)ONE;
}

#define NEARLY(value, expected) cr_expect_lt(fabs((value) - (expected)), .004, "%.3f for %.3f", value, expected)

Test(bends, are_as_far_as_needed) {
    pair p;
    open_pair(&p);
    NEARLY(bend(&p, 14, 10, 0, 0, 20), .86); /* both radii and .06 */
    NEARLY(bend(&p, 14, 10.025, 0, 0, 20), .885);
    NEARLY(bend(&p, 14, 10.035, 0, 0, 20), -.825); /* on the side on which it passes */
    NEARLY(bend(&p, 14, 9.8, 0, 0, 20), .66);
    NEARLY(bend(&p, 14, 10.8, 0, 0, 20), -.06);
    NEARLY(bend(&p, 14, 10.84, 0, 0, 20), 0.); /* too little for a bend */
    NEARLY(bend(&p, 14, 10.87, 0, 0, 20), 0.);
    NEARLY(bend(&p, 14, 10, 0, 0, 3.9), 0.); /* it does not go so far */
    close_pair(&p);
}

Test(bends, are_half_as_far_round_one_that_goes) {
    pair p;
    open_pair(&p);
    NEARLY(bend(&p, 14, 10, -.25, 0, 20), .43);
    NEARLY(bend(&p, 14, 10, -.03, 0, 20), .86); /* an eighth of its speed is standing */
    NEARLY(bend(&p, 14, 10, -.034, 0, 20), .43);
    NEARLY(bend(&p, 11.2, 10, .15, 0, 20), .43);
    NEARLY(bend(&p, 11.2, 10, .17, 0, 20), .43);
    NEARLY(bend(&p, 11.2, 10, .18, 0, 20), 0.); /* it goes the same way, at more than .7 of its speed */
    close_pair(&p);
}

Test(bends, lead_behind_who_crosses) {
    pair p;
    open_pair(&p);
    cr_expect_lt(bend(&p, 13, 7, 0, .25, 20), -.1); /* to the left, where it came from */
    cr_expect_gt(bend(&p, 13, 13, 0, -.25, 20), .1);
    close_pair(&p);
}

Test(bends, are_for_meetings_within_20_units_that_leave_room) {
    pair p;
    open_pair(&p);
    NEARLY(bend(&p, 14.9, 10, 0, 0, 20), .86);
    NEARLY(bend(&p, 15.1, 10, 0, 0, 20), 0.);
    NEARLY(bend(&p, 12.2, 10, 0, 0, 20), .86); /* .4 of the way there */
    NEARLY(bend(&p, 12.1, 10, 0, 0, 20), 0.);
    close_pair(&p);
}

/* ---- ground ---- */

/* Puts a disc on its step from a cell to another one.
 * @param step   its number; the one before has `step` − 1 */
static void step(wend__body *body, double from_x, double from_y, double to_x, double to_y, int32_t number, bool past) {
    body->state = WEND__BODY_GOES, body->strict = 0, body->blocked = 0;
    body->via = point(from_x, from_y), body->post = point(to_x, to_y);
    body->step = number, body->via_step = number - 1, body->at_via = past;
}

/* Returns the part of a way of .2 down that the first disc may go, at 10.2 and a row. */
static double yields(pair *p, double y) {
    wend__near_bodies near;
    put(p, 0, 10.2, y, 0, 0);
    wend__body_gather(p->engine, 0, p->a->at, WEND__BODY_FAR, &near);
    return wend__ground_yield(p->engine, 0, (wend__vec){0, units(.2)}, &near).y / (double)ONE;
}

/* In open ground a disc beside its lane also needs the way back into that. */
Test(ground, is_the_hull_of_a_disc_beside_its_lane) {
    pair p;
    open_pair(&p);
    step(p.a, 10, 8, 10, 9, 20, true);
    step(p.b, 10, 10, 11, 10, 10, true);
    put(&p, 1, 10.2, 10.45, 0, 0); /* .45 below its lane: its foot is at 10.2,10 */
    NEARLY(yields(&p, 8.9), .2);
    NEARLY(yields(&p, 9.0), .1); /* both radii and a sixteenth, or less than a third of what is free */
    NEARLY(yields(&p, 9.15), 0.);
    put(&p, 1, 10.2, 10.09, 0, 0); /* within half a cell less its radius of its lane: only the way on */
    NEARLY(yields(&p, 8.98), .2);
    NEARLY(yields(&p, 9.1), .1);
    step(p.b, 10, 10, 11, 10, 30, true); /* a younger step needs nothing */
    NEARLY(yields(&p, 9.1), .2);
    close_pair(&p);
}

/* Who has not passed the middle of the place before needs the way there for that step, and on for the next one. */
Test(ground, of_two_steps_counts_by_the_older_one) {
    pair p;
    open_pair(&p);
    step(p.a, 10, 8, 10, 9, 20, true);
    put(&p, 1, 9.3, 11, 0, 0);
    step(p.b, 10, 11, 10, 10, 10, false);
    NEARLY(yields(&p, 9.15), 0.);
    step(p.b, 10, 11, 10, 10, 21, false); /* the step to 10,11 has the number 20: as young as this one */
    NEARLY(yields(&p, 9.15), .2);
    close_pair(&p);
}

/* Returns the way that the first disc wants, at a point. */
static wend__vec leaves(pair *p, double x, double y) {
    wend__near_bodies near;
    wend__vec wanted = {units(.25), 0};
    put(p, 0, x, y, 0, 0);
    wend__body_gather(p->engine, 0, p->a->at, WEND__BODY_FAR, &near);
    wend__ground_leave(p->engine, 0, &near, &wanted);
    return wanted;
}

Test(ground, is_left_for_who_waits_for_it) {
    pair p;
    open_pair(&p);
    step(p.a, 10, 9, 11, 9, 20, true);
    step(p.b, 10, 10, 11, 10, 10, true);
    put(&p, 1, 10, 10, 0, 0);
    cr_expect_eq(leaves(&p, 10.4, 9.215).x, units(.25)); /* it does not wait */
    p.b->blocked = WEND__BODY_BLOCKED;
    cr_expect_lt(leaves(&p, 10.4, 9.21).y, 0);
    cr_expect_lt(leaves(&p, 10.4, 9.19).x, units(.25)); /* within a 64th of a cell */
    cr_expect_eq(leaves(&p, 10.4, 9.17).x, units(.25)); /* not in the way */
    p.b->step = 30;
    cr_expect_eq(leaves(&p, 10.4, 9.21).x, units(.25)); /* a younger step */
    p.b->step = 10, p.b->blocked = 0, p.b->strict = 1;  /* in open ground strict ones count as waiting */
    cr_expect_lt(leaves(&p, 10.4, 9.21).y, 0);
    close_pair(&p);
}
