/* SPDX-License-Identifier: MIT */
/* Velocities of agents without bodies: point - velocity x elapsed is the point before, whatever happened in between. */
#include "crowd/crowd_support.h"
#include "models/random.h"

#include <criterion/criterion.h>
#include <math.h>
#include <string.h>
#include <wend/agents.h>
#include <wend/crowd_tuning.h>
#include <wend/host.h>
#include <wend/save.h>
#include <wend/ways.h>

enum { MOST = 64, SIDE = 24 };

/// A crowd, and what its last view showed.
typedef struct walk {
    town t;
    uint64_t random;
    int32_t around_x, around_y; ///< cells of an axis that wraps; or 0
    wend_point before[MOST], velocities[MOST];
    uint64_t moved; ///< velocities that were not 0
} walk;

static wend_crowd_view view_of(const walk *w) {
    wend_crowd_view view = {.struct_bytes = sizeof view};
    cr_assert_eq(wend_crowd_get_view(w->t.crowd, &view), WEND_OK);
    cr_assert_leq(view.count, MOST);
    return view;
}

static void remember(walk *w) {
    const wend_crowd_view view = view_of(w);
    memcpy(w->before, view.points, view.count * sizeof *view.points);
    memcpy(w->velocities, view.velocities, view.count * sizeof *view.velocities);
}

/* Compares a coordinate with the one before, by the shorter way round. The velocity is rounded. */
static void check_along(int32_t before, int32_t now, int32_t velocity, uint32_t elapsed, int32_t around) {
    const double most = .5001 * elapsed / 1000 > .5001 ? .5001 * elapsed / 1000 : .5001;
    double off = now - velocity * (elapsed / 1000.) - before;
    if (around > 0) off = remainder(off, around * 1000.);
    cr_assert_leq(fabs(off), most, "from %d to %d in %u with %d", (int)before, (int)now, (unsigned)elapsed,
                  (int)velocity);
}

static void check_velocities(walk *w, uint32_t elapsed) {
    const wend_crowd_view view = view_of(w);
    for (uint32_t i = 0; i < view.count; i++) {
        const wend_point before = w->before[i], now = view.points[i], by = view.velocities[i];
        if (view.radii[i] > 0) continue;
        if (elapsed == 0) cr_assert_eq(memcmp(&by, &w->velocities[i], sizeof by), 0, "no time has passed");
        if (elapsed == 0) continue;
        check_along(before.x, now.x, by.x, elapsed, w->around_x);
        check_along(before.y, now.y, by.y, elapsed, w->around_y);
        check_along(before.z, now.z, by.z, elapsed, 0);
        w->moved += by.x || by.y || by.z;
    }
}

static void update(walk *w, uint32_t elapsed) {
    static const uint64_t choices[] = {WEND_NO_LIMIT, WEND_NO_LIMIT, 3};
    wend_update_budget budget;
    wend_update_budget_init(&budget, sizeof budget);
    budget.choices = choices[draw(&w->random, 3)];
    cr_assert_eq(wend_service_tick(w->t.service, NULL, NULL), WEND_OK);
    remember(w);
    w->t.frame++;
    cr_assert_eq(wend_crowd_update(w->t.crowd, elapsed, &budget, NULL), WEND_OK);
    if (draw(&w->random, 4) == 0) { /* the speed of the next update */
        const uint32_t agent = draw(&w->random, w->t.agent_count), speed = 100 + draw(&w->random, 900);
        cr_assert_eq(wend_crowd_set_speed(w->t.crowd, w->t.agents[agent].id, speed), WEND_OK);
    }
    check_velocities(w, elapsed);
}

static void open_walk(walk *w, wend_map *map, int32_t wrap, uint32_t agents) {
    *w = (walk){.random = 11, .around_x = wrap ? SIDE : 0, .around_y = wrap ? SIDE : 0};
    town_open_on(&w->t, map, NULL, 0);
    for (uint32_t i = 0; i < agents; i++) town_add(&w->t, (int32_t)(i % 8) * 2, (int32_t)(i / 8) * 2, 150 + 40 * i);
}

static wend_map *plain_map(int32_t wrap) {
    wend_map_def def = default_map();
    def.width = def.height = SIDE, def.wrap = wrap;
    return made_map(&def);
}

static void send_all(walk *w) {
    for (uint32_t i = 0; i < w->t.agent_count; i++)
        town_go(&w->t, i, (int32_t)draw(&w->random, SIDE), (int32_t)draw(&w->random, SIDE));
}

static void walk_on(walk *w, int frames) {
    static const uint32_t elapsed[] = {1000, 1000, 370, 2500, 16, 0};
    for (int frame = 0; frame < frames; frame++) {
        if (frame % 40 == 0) send_all(w);
        update(w, elapsed[draw(&w->random, 6)]);
    }
    cr_assert_gt(w->moved, (uint64_t)frames);
}

Test(velocities, lead_back_to_the_point_before) {
    static walk w;
    open_walk(&w, plain_map(0), 0, 40);
    walk_on(&w, 400);
    town_close(&w.t);
}

Test(velocities, lead_over_a_rim_that_wraps) {
    static walk w;
    open_walk(&w, plain_map(WEND_WRAP_X | WEND_WRAP_Y), 1, 30);
    walk_on(&w, 400);
    town_close(&w.t);
}

/* Agents among discs, which hold up their steps; some bodies come and go. */
Test(velocities, of_cells_among_bodies) {
    static walk w;
    open_walk(&w, plain_map(0), 0, 40);
    for (int k = 0; k < 12; k++) {
        const wend_agent_id id = w.t.agents[draw(&w.random, 40)].id;
        if (give_disc(w.t.crowd, id)) (void)wend_crowd_set_body(w.t.crowd, id, NULL);
        walk_on(&w, 40);
    }
    town_close(&w.t);
}

/* A link of more than a step is gone over in its time. */
Test(velocities, lead_over_links) {
    static walk w;
    wend_map *map = plain_map(0);
    for (int32_t y = 0; y < SIDE; y++) cr_assert_eq(wend_map_set_cell(map, (wend_cell){17, y, 0}, 0, NULL), WEND_OK);
    IN_BATCH(map, wend_edit_add_link(edit, &(wend_link){{9, 3, 0}, {20, 21, 0}, 45, 0}));
    IN_BATCH(map, wend_edit_add_link(edit, &(wend_link){{20, 20, 0}, {3, 3, 0}, 7, 0}));
    open_walk(&w, map, 0, 8);
    walk_on(&w, 400);
    town_close(&w.t);
}

Test(velocities, have_three_axes) {
    static walk w;
    wend_map_def def = default_map();
    def.kind = WEND_KIND_VOXEL, def.width = def.height = SIDE, def.depth = 8;
    wend_map *map = made_map(&def);
    open_walk(&w, map, 0, 8);
    for (uint32_t i = 0; i < 8; i++) {
        town_go_all(&w.t, &i, 1, (wend_cell){20, (int32_t)i * 3, 7}, 0);
    }
    bool rises = false;
    for (int frame = 0; frame < 60; frame++) {
        update(&w, frame % 3 ? 1000 : 700);
        for (uint32_t i = 0; i < 8; i++) rises |= view_of(&w).velocities[i].z > 0;
    }
    cr_assert(rises);
    town_close(&w.t);
}

/* One that the host puts elsewhere is shown there at once. */
Test(velocities, of_one_that_was_moved_are_none) {
    static walk w;
    open_walk(&w, plain_map(0), 0, 1);
    town_go(&w.t, 0, 20, 20);
    for (int frame = 0; frame < 5; frame++) update(&w, 1000);
    cr_assert_neq(view_of(&w).velocities[0].x, 0);
    cr_assert_eq(wend_crowd_move(w.t.crowd, w.t.agents[0].id, (wend_cell){2, 20, 0}), WEND_OK);
    const wend_point by = view_of(&w).velocities[0];
    cr_assert(by.x == 0 && by.y == 0 && by.z == 0);
    update(&w, 1000);
    town_close(&w.t);
}

/* An agent that lost its body, and one that came to the slot of another one, begin without. */
Test(velocities, begin_with_none) {
    static walk w;
    open_walk(&w, plain_map(0), 0, 2);
    cr_assert_eq(give_disc(w.t.crowd, w.t.agents[0].id), WEND_OK);
    town_go(&w.t, 0, 20, 20), town_go(&w.t, 1, 20, 2);
    for (int frame = 0; frame < 7; frame++) update(&w, 1000);
    (void)wend_crowd_set_body(w.t.crowd, w.t.agents[0].id, NULL);
    cr_assert_eq(view_of(&w).radii[0], 0);
    cr_assert_eq(view_of(&w).velocities[0].x, 0);
    cr_assert_eq(wend_crowd_remove(w.t.crowd, w.t.agents[1].id), WEND_OK);
    cr_assert_eq(view_of(&w).velocities[1].x, 0);
    wend_agent_def def = default_agent();
    wend_agent_id id;
    def.cell = (wend_cell){1, 20, 0};
    cr_assert_eq(wend_crowd_add(w.t.crowd, &def, &id), WEND_OK);
    cr_assert(id.index == 1 && view_of(&w).velocities[1].x == 0);
    town_close(&w.t);
}

/* A restored crowd is drawn as the saved one was. */
Test(velocities, are_in_saves) {
    static walk w, other;
    static uint8_t bytes[3][1 << 18];
    size_t sizes[3];
    open_walk(&w, plain_map(0), 0, 30);
    open_walk(&other, plain_map(0), 0, 0);
    send_all(&w);
    uint32_t turned = 0;
    for (int frame = 0; frame < 40; frame++) {
        update(&w, frame % 3 ? 1000 : 640);
        wend_map *maps[] = {w.t.map}, *others[] = {other.t.map};
        const wend_save_host saves = {.struct_bytes = sizeof saves, .maps = maps, .map_count = 1};
        cr_assert_eq(wend_map_save_state(w.t.map, bytes[0], sizeof bytes[0], &sizes[0]), WEND_OK);
        cr_assert_eq(wend_service_save_state(w.t.service, &saves, bytes[1], sizeof bytes[1], &sizes[1]), WEND_OK);
        cr_assert_eq(wend_crowd_save_state(w.t.crowd, bytes[2], sizeof bytes[2], &sizes[2]), WEND_OK);
        cr_assert_eq(wend_map_restore_state(other.t.map, bytes[0], sizes[0]), WEND_OK);
        const wend_save_host host = {.struct_bytes = sizeof host, .maps = others, .map_count = 1};
        cr_assert_eq(wend_service_restore_state(other.t.service, &host, bytes[1], sizes[1]), WEND_OK);
        cr_assert_eq(wend_crowd_restore_state(other.t.crowd, NULL, bytes[2], sizes[2]), WEND_OK);
        const wend_crowd_view own = view_of(&w), restored = view_of(&other);
        for (uint32_t i = 0; i < own.count; i++) {
            const wend_point a = own.velocities[i], b = restored.velocities[i];
            cr_assert(a.x == b.x && a.y == b.y && a.z == b.z, "agent %u: %d,%d, then %d,%d", (unsigned)i, (int)a.x,
                      (int)a.y, (int)b.x, (int)b.y);
            turned += a.x != 0 && a.y != 0 && abs(a.x) != abs(a.y);
        }
    }
    cr_assert_gt(turned, 10, "%u bent within an update", (unsigned)turned);
    town_close(&other.t);
    town_close(&w.t);
}
