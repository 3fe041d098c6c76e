/* SPDX-License-Identifier: MIT */
/* Groups that keep their formation on the way: in the open, through narrow places, and when members leave. */
#include "crowd/crowd_support.h"
#include "models/options.h"

#include <criterion/criterion.h>
#include <math.h>
#include <wend/agents.h>

static wend_map *field_of(int32_t width, int32_t height) {
    return grid_map(width, height);
}

static void block(town *t, int32_t x0, int32_t y0, int32_t x1, int32_t y1) {
    wend_edit *edit = begin_edit(t->map);
    for (int32_t y = y0; y <= y1; y++)
        for (int32_t x = x0; x <= x1; x++) wend_edit_set_cell(edit, (wend_cell){x, y, 0}, 0);
    cr_assert_eq(wend_edit_publish(edit, NULL), WEND_OK);
}

/// A group of a test, sent east.
typedef struct group {
    town *t;
    uint32_t agents[128], count;
} group;

static void send_group(group *g, town *t, uint32_t count, wend_cell first, uint32_t speed,
                       const wend_crowd_goal *goal) {
    wend_agent_id ids[128];
    const int32_t side = (int32_t)ceil(sqrt(count));
    *g = (group){.t = t, .count = count};
    for (uint32_t i = 0; i < count; i++) {
        g->agents[i] = town_add(t, first.x + (int32_t)i % side, first.y + (int32_t)i / side, speed);
        ids[i] = t->agents[g->agents[i]].id;
        t->agents[g->agents[i]].begun++;
    }
    cr_assert_eq(wend_crowd_go(t->crowd, ids, count, goal), WEND_OK);
}

static double middle(const group *g, const wend_cell *cells, bool y) {
    double sum = 0;
    for (uint32_t i = 0; i < g->count; i++) sum += y ? cells[i].y : cells[i].x;
    return sum / g->count;
}

/// Figures of a group on its way.
typedef struct seen {
    uint32_t frames; ///< frames until all had ended
    double straight; ///< frames of the farthest member on the straight way
    double off;      ///< cells of a member off its place in the formation, in the mean of members and frames
} seen;

/* Walks the group to its goal. Measures it while its middle is between two columns: each member against the place that
 * it takes in the end, the middles on each other. */
static seen walk(const group *g, int32_t from, int32_t to) {
    enum { FRAMES = 4000 };
    static wend_cell cells[FRAMES][128];
    wend_cell begin[128];
    seen s = {.frames = 0};
    uint32_t frames = 0, measured = 0;
    for (uint32_t i = 0; i < g->count; i++) begin[i] = town_cell(g->t, g->agents[i]);
    for (bool all = false; !all && frames < FRAMES; frames++) {
        town_frame(g->t);
        all = true;
        for (uint32_t i = 0; i < g->count; i++) {
            cells[frames][i] = town_cell(g->t, g->agents[i]);
            all = all && wend_agent_event_ends_goal(town_last(g->t, g->agents[i]));
        }
    }
    const wend_cell *ends = cells[frames - 1];
    for (uint32_t i = 0; i < g->count; i++) {
        const double x = abs(ends[i].x - begin[i].x), y = abs(ends[i].y - begin[i].y);
        s.straight = fmax(s.straight, fmax(x, y) + .4 * fmin(x, y));
    }
    for (uint32_t f = 0; f < frames; f++) {
        const double x = middle(g, cells[f], false), y = middle(g, cells[f], true);
        if (x < from || x > to) continue;
        measured++;
        for (uint32_t i = 0; i < g->count; i++)
            s.off += hypot(cells[f][i].x - x - ends[i].x + middle(g, ends, false),
                           cells[f][i].y - y - ends[i].y + middle(g, ends, true)) /
                     g->count;
    }
    s.frames = frames;
    s.off /= measured;
    return s;
}

static wend_crowd_goal formed(int32_t formation, uint32_t spacing, int32_t x, int32_t y) {
    wend_crowd_goal goal = default_crowd_goal();
    goal.cell = (wend_cell){x, y, 0}, goal.formation = formation, goal.spacing = spacing;
    return goal;
}

/* Sends a group through a wall with a lane `wide` cells wide. Behind it the group forms again, long before its goal. */
static void through_wall(int32_t formation, uint32_t count, uint32_t spacing, int32_t thick, int32_t wide) {
    enum { WIDTH = 160, HEIGHT = 32, WALL = 45, LANE = 15 };
    OWNED(town_close) town t;
    group g;
    town_open_on(&t, field_of(WIDTH, HEIGHT), NULL, 0);
    block(&t, WALL, 0, WALL + thick - 1, LANE - 1);
    block(&t, WALL, LANE + wide, WALL + thick - 1, HEIGHT - 1);
    const wend_crowd_goal goal = formed(formation, spacing, 150, LANE);
    send_group(&g, &t, count, (wend_cell){2, 12, 0}, 500, &goal);
    const seen s = walk(&g, WALL + thick + 30, 125);
    cr_expect_leq(s.off, 2, "formation %d of %u, a lane of %d x %d: %.1f cells off", (int)formation, count, (int)thick,
                  (int)wide, s.off);
    cr_expect_leq(s.frames, 2 * s.straight * 1.5, "formation %d of %u, %d x %d: %u frames, straight %.0f",
                  (int)formation, count, (int)thick, (int)wide, s.frames, 2 * s.straight);
    for (uint32_t i = 0; i < count; i++) cr_expect_eq(town_last(&t, g.agents[i]), WEND_AGENT_EVENT_ARRIVED);
}

Test(march, a_formation_forms_again_behind_a_narrow_place) {
    for (int32_t thick = 1; thick <= 21; thick += 10)
        for (int32_t wide = 1; wide <= 2; wide++) {
            through_wall(WEND_AS_BOX, 25, 2, thick, wide);
            through_wall(WEND_AS_WEDGE, 9, 2, thick, wide);
            through_wall(WEND_AS_LINE, 15, 1, thick, wide);
        }
}

Test(march, a_formation_keeps_its_places_in_the_open) {
    static const struct {
        int32_t formation;
        uint32_t count, spacing;
    } groups[] = {{WEND_AS_WEDGE, 15, 2}, {WEND_AS_COLUMN, 12, 2}, {WEND_AS_BOX, 49, 2}, {WEND_AS_LINE, 9, 3}};
    for (size_t k = 0; k < sizeof groups / sizeof *groups; k++) {
        OWNED(town_close) town t;
        group g;
        town_open_on(&t, field_of(140, 50), NULL, 0);
        const wend_crowd_goal goal = formed(groups[k].formation, groups[k].spacing, 130, 25);
        send_group(&g, &t, groups[k].count, (wend_cell){2, 22, 0}, 500, &goal);
        const seen s = walk(&g, 50, 110);
        cr_expect_leq(s.off, 1.8, "formation %d: %.1f cells off", (int)groups[k].formation, s.off);
        cr_expect_leq(s.frames, 2 * s.straight * 1.3, "formation %d: %u frames, straight %.0f",
                      (int)groups[k].formation, s.frames, 2 * s.straight);
    }
}

/* Sends members of which some, without slowing down, would be far ahead of the others. */
Test(march, fast_members_keep_their_places_too) {
    for (int32_t formation = WEND_AS_LINE; formation <= WEND_AS_BOX; formation++) {
        OWNED(town_close) town t;
        group g;
        town_open_on(&t, field_of(140, 50), NULL, 0);
        const wend_crowd_goal goal = formed(formation, 2, 130, 25);
        send_group(&g, &t, 9, (wend_cell){2, 22, 0}, 250, &goal);
        for (uint32_t i = 0; i < 9; i += 2) cr_assert_eq(wend_crowd_set_speed(t.crowd, t.agents[i].id, 750), WEND_OK);
        const seen s = walk(&g, 50, 110);
        cr_expect_leq(s.off, 3.5, "formation %d: %.1f cells off", (int)formation, s.off);
    }
}

/* Halts, removes and redirects members one by one, the leader included: the others still arrive. */
Test(march, the_others_go_on_where_members_leave) {
    for (uint32_t leaves = 0; leaves < 9; leaves++) {
        OWNED(town_close) town t;
        group g;
        town_open_on(&t, field_of(140, 40), NULL, 0);
        const wend_crowd_goal goal = formed(WEND_AS_WEDGE, 2, 130, 20);
        send_group(&g, &t, 9, (wend_cell){2, 18, 0}, 500, &goal);
        town_frames(&t, 60);
        for (uint32_t k = 0; k < 3; k++) {
            const uint32_t agent = g.agents[(leaves + k) % 9];
            if (k == 0) town_halt(&t, agent);
            if (k == 1) town_remove(&t, agent);
            if (k == 2) town_go(&t, agent, 10, 2);
            town_frames(&t, 20);
        }
        town_walk(&t, 2000);
        for (uint32_t k = 3; k < 9; k++) {
            const uint32_t agent = g.agents[(leaves + k) % 9];
            cr_expect_eq(town_last(&t, agent), WEND_AGENT_EVENT_ARRIVED, "%u leave", leaves);
            cr_expect_gt(town_cell(&t, agent).x, 110, "%u leave", leaves);
        }
    }
}

/* A wall across the way, with a door elsewhere, and then no way at all. */
Test(march, a_formation_goes_round_what_is_built_on_its_way) {
    for (int closed = 0; closed < 2; closed++) {
        OWNED(town_close) town t;
        group g;
        town_open_on(&t, field_of(140, 40), NULL, 0);
        const wend_crowd_goal goal = formed(WEND_AS_BOX, 2, 130, 20);
        send_group(&g, &t, 16, (wend_cell){2, 18, 0}, 500, &goal);
        town_frames(&t, 60);
        block(&t, 60, closed ? 0 : 3, 60, 39);
        town_walk(&t, 3000);
        for (uint32_t i = 0; i < 16; i++) {
            cr_expect_eq(town_last(&t, g.agents[i]), closed ? WEND_AGENT_EVENT_PARTIAL : WEND_AGENT_EVENT_ARRIVED);
            cr_expect_eq(town_cell(&t, g.agents[i]).x < 60, closed);
        }
    }
}

/* The goal that a host reads is the place at the end. */
Test(march, a_member_tells_its_place_at_the_end) {
    OWNED(town_close) town t;
    group g;
    town_open_on(&t, field_of(140, 40), NULL, 0);
    const wend_crowd_goal goal = formed(WEND_AS_LINE, 2, 130, 20);
    send_group(&g, &t, 9, (wend_cell){2, 18, 0}, 500, &goal);
    wend_cell told[9];
    for (uint32_t i = 0; i < 9; i++) told[i] = town_state(&t, g.agents[i]).goal_cell;
    town_frames(&t, 100);
    for (uint32_t i = 0; i < 9; i++) {
        const wend_cell now = town_state(&t, g.agents[i]).goal_cell;
        cr_expect(same_cell(now, told[i]) && now.x == 130);
    }
    town_walk(&t, 1000);
    for (uint32_t i = 0; i < 9; i++) cr_expect(town_is_at(&t, g.agents[i], told[i].x, told[i].y));
}

/* Returns whether an agent is on its way to a place on the way, not at the end of it. */
static bool is_on_leg(const wend_crowd *crowd, wend_agent_id id) {
    size_t count = 0;
    cr_assert_eq(wend_crowd_get_path(crowd, id, NULL, 0, &count), WEND_OK);
    return count < 100;
}

static bool keeps_formation(uint32_t members) {
    static wend_agent_id ids[WEND_MAX_MARCHING + 1];
    wend_service_def service_def = default_service();
    wend_crowd_def def = default_crowd();
    def.agents = WEND_MAX_MARCHING + 1, def.map = field_of(300, 66), tuning_of(&def)->fields = 0;
    cr_assert_eq(wend_service_create(&service_def, &def.service), WEND_OK);
    wend_crowd *crowd = made_crowd(&def);
    wend_agent_def agent = default_agent();
    for (uint32_t i = 0; i < members; i++) {
        agent.cell = (wend_cell){(int32_t)i / 64, 1 + (int32_t)i % 64, 0};
        cr_assert_eq(wend_crowd_add(crowd, &agent, &ids[i]), WEND_OK);
    }
    const wend_crowd_goal goal = formed(WEND_AS_BOX, 1, 290, 32);
    cr_assert_eq(wend_crowd_go(crowd, ids, members, &goal), WEND_OK);
    for (uint32_t frame = 0; frame < 40; frame++) {
        wend_budget budget = default_budget();
        wend_service_tick(def.service, &budget, NULL);
        cr_assert_eq(wend_crowd_update(crowd, 1000, NULL, NULL), WEND_OK);
    }
    uint32_t count = 0;
    for (uint32_t i = 0; i < members; i++) count += is_on_leg(crowd, ids[i]);
    wend_crowd_destroy(crowd);
    wend_service_destroy(def.service);
    wend_map_release(def.map);
    return count > members / 2;
}

Test(march, a_group_of_the_greatest_size_keeps_its_formation) {
    cr_expect(keeps_formation(WEND_MAX_MARCHING - 1));
    cr_expect(keeps_formation(WEND_MAX_MARCHING));
    cr_expect_not(keeps_formation(WEND_MAX_MARCHING + 1));
}

/* 32 groups keep their formations at once; the 33rd walks without. All arrive. */
Test(march, as_many_groups_as_there_are_keep_formation) {
    enum { GROUPS = WEND_MAX_MARCHES + 1 };
    OWNED(town_close) town t;
    static group g[GROUPS];
    town_open_on(&t, field_of(200, 5 * GROUPS), NULL, 0);
    for (int32_t k = 0; k < GROUPS; k++) {
        const wend_crowd_goal goal = formed(WEND_AS_COLUMN, 1, 190, 5 * k + 2);
        send_group(&g[k], &t, 3, (wend_cell){1, 5 * k + 1, 0}, 500, &goal);
    }
    town_frames(&t, 20);
    for (int32_t k = 0; k < GROUPS; k++) {
        uint32_t count = 0;
        for (int i = 0; i < 3; i++) count += is_on_leg(t.crowd, t.agents[g[k].agents[i]].id);
        cr_expect_eq(count, k < WEND_MAX_MARCHES ? 2 : 0, "group %d", (int)k);
    }
    town_walk(&t, 3000);
    for (int32_t k = 0; k < GROUPS; k++)
        for (int i = 0; i < 3; i++) cr_expect_eq(town_last(&t, g[k].agents[i]), WEND_AGENT_EVENT_ARRIVED);
}
