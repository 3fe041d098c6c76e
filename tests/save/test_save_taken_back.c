/* SPDX-License-Identifier: MIT */
/* Saves of states that only some calls, or some order of calls, lead to: each is restored, with the same hash. */
#include "agents/manners/traffic_state.h"
#include "agents/state/crowd_state.h"
#include "models/fast.h"
#include "models/options.h"
#include "save/save_town.h"

#include <criterion/criterion.h>
#include <wend/acceleration.h>
#include <wend/agents.h>
#include <wend/query.h>
#include <wend/ways.h>

enum { ROOM = 1 << 17, MOST_AGENTS = 8 };

/// A world with bodies.
typedef struct scene {
    wend_map *map;
    wend_service *service;
    wend_crowd *crowd;
} scene;

static scene open_scene(int32_t width, int32_t height) {
    scene s = {.map = grid_map(width, height)};
    wend_service_def service = default_service();
    service.nodes = 1 << 14;
    s.service = made_service(&service);
    wend_crowd_def crowd = default_crowd();
    crowd.map = s.map, crowd.service = s.service, crowd.agents = MOST_AGENTS;
    s.crowd = made_crowd(&crowd);
    return s;
}

static void close_scene(scene *s) {
    cr_assert_eq(wend_crowd_destroy(s->crowd), WEND_OK);
    cr_assert_eq(wend_service_destroy(s->service), WEND_OK);
    wend_map_release(s->map);
}

static void run_frame(scene *s) {
    cr_assert_eq(wend_service_tick(s->service, NULL, NULL), WEND_OK);
    cr_assert_eq(wend_crowd_update(s->crowd, 1000, NULL, NULL), WEND_OK);
}

static uint64_t hash_of(const scene *s) {
    uint64_t hash = 0;
    cr_assert_eq(wend_world_hash(s->map, s->service, s->crowd, &hash), WEND_OK);
    return hash;
}

/* Saves a scene and restores it into another one. */
static void expect_taken_back(scene *from, scene *into, const char *what) {
    static uint8_t bytes[3][ROOM];
    size_t count[3];
    wend_save_host host, other;
    wend_save_host_init(&host, sizeof host);
    other = host;
    host.maps = &from->map, other.maps = &into->map, host.map_count = other.map_count = 1;
    cr_assert_eq(wend_map_save_state(from->map, bytes[0], ROOM, &count[0]), WEND_OK);
    cr_assert_eq(wend_service_save_state(from->service, &host, bytes[1], ROOM, &count[1]), WEND_OK);
    cr_assert_eq(wend_crowd_save_state(from->crowd, bytes[2], ROOM, &count[2]), WEND_OK);
    const uint64_t hash = hash_of(from);
    cr_expect_eq(wend_map_restore_state(into->map, bytes[0], count[0]), WEND_OK, "%s", what);
    cr_expect_eq(wend_service_restore_state(into->service, &other, bytes[1], count[1]), WEND_OK, "%s", what);
    cr_expect_eq(wend_crowd_restore_state(into->crowd, &other, bytes[2], count[2]), WEND_OK, "%s: %s", what,
                 wend_error_detail(WEND_BAD_FORMAT));
    cr_expect_eq(hash_of(into), hash, "%s", what);
}

static wend_agent_id add(scene *s, int32_t x, int32_t y) {
    wend_agent_def def = default_agent();
    wend_agent_id id;
    def.cell = (wend_cell){x, y, 0};
    cr_assert_eq(wend_crowd_add(s->crowd, &def, &id), WEND_OK);
    return id;
}

static void send(scene *s, wend_agent_id id, int32_t x, int32_t y) {
    wend_crowd_goal goal = default_crowd_goal();
    goal.cell = (wend_cell){x, y, 0};
    cr_assert_eq(wend_crowd_go(s->crowd, &id, 1, &goal), WEND_OK);
}

/* ---- goals ---- */

/* A number of another kind is not checked, and not kept. */
Test(save_taken_back, a_goal_has_only_what_its_kind_has) {
    static const struct {
        int32_t kind, reach, distance, near_enough;   ///< as given
        int32_t kept_reach, kept_distance, kept_near; ///< as kept
    } rows[] = {{WEND_CROWD_FOLLOW, 1, 300, 0, 1, 0, 0},
                {WEND_CROWD_FOLLOW, 4, -1, 300, 4, 0, 0},
                {WEND_CROWD_FLEE, 0, 10, -1, 1, 10, 0},
                {WEND_CROWD_FLEE, 1000, 10, 9, 1, 10, 0},
                {WEND_CROWD_CELL, 3, INT32_MAX, 255, 3, 0, 255}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        scene s = open_scene(20, 9), other = open_scene(20, 9);
        const wend_agent_id id = add(&s, 3, 3), target = add(&s, 12, 3);
        wend_crowd_goal goal = default_crowd_goal(), kept = {.struct_bytes = sizeof kept};
        goal.kind = rows[i].kind, goal.target = target, goal.cell = (wend_cell){18, 3, 0};
        goal.reach = rows[i].reach, goal.distance = rows[i].distance, goal.near_enough = rows[i].near_enough;
        cr_assert_eq(wend_crowd_go(s.crowd, &id, 1, &goal), WEND_OK, "%zu", i);
        cr_assert_eq(wend_crowd_get_goal(s.crowd, id, &kept), WEND_OK);
        cr_expect(kept.reach == rows[i].kept_reach && kept.distance == rows[i].kept_distance &&
                      kept.near_enough == rows[i].kept_near,
                  "%zu: %d, %d, %d", i, kept.reach, kept.distance, kept.near_enough);
        expect_taken_back(&s, &other, "a goal");
        close_scene(&other), close_scene(&s);
    }
}

/* ---- steps that a disc holds ---- */

/* An agent without a body has a step to 2,1, into which a disc reaches. */
static scene open_held(wend_agent_id *id, wend_agent_id *disc) {
    scene s = open_scene(5, 3);
    wend_body_def def = default_body();
    add_mover_of_size(s.map, 1);
    *id = add(&s, 1, 1), *disc = add(&s, 2, 0);
    cr_assert_eq(wend_crowd_set_body(s.crowd, *disc, &def), WEND_OK);
    const wend_body_vector at = {5 * WEND_BODY_UNITS / 2, 9 * WEND_BODY_UNITS / 10};
    cr_assert_eq(place_rounded(s.crowd, *disc, at, (wend_body_vector){0, 0}), WEND_OK);
    send(&s, *id, 4, 1);
    for (int i = 0; i < 4 && !s.crowd->in_traffic[id->index].held; i++) run_frame(&s);
    cr_assert(s.crowd->in_traffic[id->index].held, "no step is held");
    cr_assert_eq(s.crowd->phase[id->index], WEND__PHASE_STEPPING);
    return s;
}

/* What ends a step, or the disc, ends the wait for the disc. */
Test(save_taken_back, what_ends_a_held_step_ends_its_wait) {
    enum { MOVER, MOVE, REMOVE, BODY_OFF, BODY_AGENT_REMOVED, BODY_AWAY, ENDS };
    static const char *const names[ENDS] = {
        "another mover", "moved", "removed", "the body taken off", "its agent removed", "the body elsewhere"};
    for (int how = 0; how < ENDS; how++) {
        wend_agent_id id, disc;
        scene s = open_held(&id, &disc), other = open_scene(5, 3);
        const wend__traffic_agent *in_traffic = &s.crowd->in_traffic[id.index];
        if (how == MOVER) cr_assert_eq(wend_crowd_set_mover(s.crowd, &id, 1, 1), WEND_BUSY, "the disc reaches into it");
        if (how == MOVER || how == BODY_AWAY)
            cr_assert_eq(wend_crowd_move(s.crowd, disc, (wend_cell){4, 2, 0}), WEND_OK);
        if (how == MOVER) cr_assert_eq(wend_crowd_set_mover(s.crowd, &id, 1, 1), WEND_OK);
        if (how == MOVE) cr_assert_eq(wend_crowd_move(s.crowd, id, (wend_cell){0, 2, 0}), WEND_OK);
        if (how == REMOVE) cr_assert_eq(wend_crowd_remove(s.crowd, id), WEND_OK);
        if (how == BODY_OFF) {
            cr_assert_eq(wend_crowd_move(s.crowd, disc, (wend_cell){4, 2, 0}), WEND_OK);
            cr_assert_eq(wend_crowd_set_body(s.crowd, disc, NULL), WEND_OK);
        }
        if (how == BODY_AGENT_REMOVED) cr_assert_eq(wend_crowd_remove(s.crowd, disc), WEND_OK);
        const bool steps = s.crowd->phase[id.index] == WEND__PHASE_STEPPING;
        if (how != REMOVE) cr_expect_eq(in_traffic->held, how == BODY_AWAY, "%s", names[how]);
        cr_expect_eq(steps, how >= BODY_OFF, "%s", names[how]);
        expect_taken_back(&s, &other, names[how]);
        run_frame(&s), run_frame(&other);
        if (how != REMOVE) cr_expect_eq(in_traffic->held, 0, "%s", names[how]);
        cr_expect_eq(hash_of(&s), hash_of(&other), "%s", names[how]);
        close_scene(&other), close_scene(&s);
    }
}

/* ---- maps ---- */

/* Under rules with fewer neighbours a closed step stays closed, for the day when the rules have it again. */
Test(save_taken_back, steps_that_the_rules_lack_stay_closed) {
    scene s = open_scene(8, 5), other = open_scene(8, 5);
    const wend_cell from = {2, 2, 0}, to = {3, 3, 0};
    wend_map_rules rules = rules_now(s.map);
    bool legal = true;
    IN_BATCH(s.map, cr_assert_eq(wend_edit_set_step(edit, from, to, false), WEND_OK));
    rules.neighbours = 4;
    cr_assert_eq(wend_map_set_rules(s.map, &rules), WEND_OK);
    expect_taken_back(&s, &other, "four neighbours");
    cr_expect_eq(info_now(other.map).closed_steps, 1);
    rules.neighbours = 8;
    cr_assert_eq(wend_map_set_rules(other.map, &rules), WEND_OK);
    cr_assert_eq(wend_map_step_legal(other.map, 0, from, to, &legal, NULL), WEND_OK);
    cr_expect(!legal);
    close_scene(&other), close_scene(&s);
}

/* Derived data of a map decides nothing: agents and requests go on alike with it and without. Each publish of derived
 * data is a new version of the same land. */
Test(save_taken_back, derived_data_changes_no_hash) {
    enum { FRAMES = 60, BUILT_AT = 7, OPENED_AT = 12 };
    NEEDS_FAST();
    scene s = open_scene(40, 20), other = open_scene(40, 20);
    scene *both[] = {&s, &other};
    wend_acceleration def = default_acceleration();
    def.tables = false, def.landmarks = 0;
    for (int k = 0; k < 2; k++)
        for (int i = 0; i < 6; i++) send(both[k], add(both[k], 2 + i, 3 + i), 37, 15 - i);
    for (int frame = 0; frame < FRAMES; frame++) {
        for (int k = 0; k < 2; k++)
            for (int y = 1; y < 19 && (frame == BUILT_AT || frame == OPENED_AT); y++)
                cr_assert_eq(
                    wend_map_set_cell(both[k]->map, (wend_cell){20, y, 0}, (uint8_t)(frame == OPENED_AT), NULL),
                    WEND_OK);
        def.far = frame % 2;
        cr_assert_eq(wend_map_accelerate(other.map, &def), WEND_OK);
        run_frame(&s), run_frame(&other);
        cr_assert_eq(hash_of(&s), hash_of(&other), "frame %d", frame);
    }
    close_scene(&other), close_scene(&s);
}
