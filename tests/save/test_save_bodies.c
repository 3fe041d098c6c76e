/* SPDX-License-Identifier: MIT */
/* Saves of bodies: two sizes of movers before doors, in corridors and dead ends, edited and moved by the host. */
#include "agents/discs/state.h"
#include "agents/state/bodies.h"
#include "base/hash.h"
#include "models/few_or_many.h"
#include "models/random.h"
#include "save/save_town.h"

#include <criterion/criterion.h>
#include <wend/agents.h>
#include <wend/save.h>

enum { WIDE = 20, HIGH = 20, BODIES = 26, FRAMES = 1400, EACH = 20, AFTER = 60, LONG = 1000, ROOM = 1 << 16 };

typedef struct arena {
    wend_map *map;
    wend_service *service;
    wend_crowd *crowd;
    wend_agent_id ids[BODIES];
} arena;

typedef struct arena_save {
    uint8_t bytes[3][ROOM];
    size_t of[3];
} arena_save;

/* A corridor with a pocket, one without, a dead end; below them a hall with a wall and two doors. */
static const char *const rows[HIGH] = {
    "####################", "....................", "#########.##########", "####################",
    "....................", "####################", "###.................", "...##...............",
    "####................", "####################", "..........#.........", "..........#.........",
    "....................", "..........#.........", "..........#.........", "....................",
    "....................", "..........#.........", "..........#.........", "..........#........."};

/* @param large   it has a mover of 2 x 2 cells */
static void open_arena_for(arena *a, int32_t wrap, bool large) {
    wend_map_def map = default_map();
    map.width = WIDE, map.height = HIGH, map.wrap = wrap;
    cr_assert_eq(wend_map_create(&map, &a->map), WEND_OK);
    if (large) add_mover_of_size(a->map, 2);
    for (int32_t i = 0; i < WIDE * HIGH; i++)
        if (rows[i / WIDE][i % WIDE] == '#')
            cr_assert_eq(wend_map_set_cell(a->map, (wend_cell){i % WIDE, i / WIDE, 0}, 0, NULL), WEND_OK);
    wend_service_def service = default_service();
    cr_assert_eq(wend_service_create(&service, &a->service), WEND_OK);
    wend_crowd_def crowd = default_crowd();
    crowd.agents = BODIES + 4, crowd.map = a->map, crowd.service = a->service;
    cr_assert_eq(wend_crowd_create(&crowd, &a->crowd), WEND_OK);
}

static void open_arena(arena *a, int32_t wrap) {
    open_arena_for(a, wrap, true);
}

static void close_arena(arena *a) {
    cr_assert_eq(wend_crowd_destroy(a->crowd), WEND_OK);
    cr_assert_eq(wend_service_destroy(a->service), WEND_OK);
    wend_map_release(a->map);
}

static void add(arena *a, int number, int32_t mover, wend_cell cell, uint32_t radius, wend_cell to) {
    wend_agent_def agent = default_agent();
    wend_crowd_goal goal = default_crowd_goal();
    wend_body_def body = default_body();
    agent.cell = cell, agent.mover = mover;
    goal.cell = to;
    body.radius_milli = radius;
    cr_assert_eq(wend_crowd_add(a->crowd, &agent, &a->ids[number]), WEND_OK, "%d", number);
    if (radius > 0) cr_assert_eq(wend_crowd_set_body(a->crowd, a->ids[number], &body), WEND_OK, "%d", number);
    cr_assert_eq(wend_crowd_go(a->crowd, &a->ids[number], 1, &goal), WEND_OK);
}

/* @param mixed   every second agent in the hall has no body */
static void fill_arena(arena *a, bool mixed) {
    add(a, 0, 0, (wend_cell){0, 1, 0}, 499, (wend_cell){19, 1, 0});
    add(a, 1, 0, (wend_cell){19, 1, 0}, 499, (wend_cell){0, 1, 0});
    add(a, 2, 0, (wend_cell){0, 4, 0}, 300, (wend_cell){19, 4, 0});
    add(a, 3, 0, (wend_cell){19, 4, 0}, 450, (wend_cell){0, 4, 0});
    add(a, 4, 0, (wend_cell){0, 7, 0}, 400, (wend_cell){2, 7, 0});
    add(a, 5, 0, (wend_cell){1, 7, 0}, 400, (wend_cell){0, 7, 0});
    for (int32_t i = 0; i < 9; i++) {
        add(a, 6 + i, 0, (wend_cell){i % 3 * 2, 10 + i / 3, 0}, mixed && i % 2 ? 0 : 400, (wend_cell){18, 11, 0});
        add(a, 15 + i, 0, (wend_cell){19 - i % 3 * 2, 10 + i / 3, 0}, mixed && i % 2 ? 0 : 350, (wend_cell){1, 11, 0});
    }
    add(a, 24, 1, (wend_cell){1, 15, 0}, 900, (wend_cell){17, 16, 0});
    add(a, 25, 1, (wend_cell){17, 15, 0}, 900, (wend_cell){1, 16, 0});
}

/* Returns a hash of all bodies after the frame of that number, which has orders of its own. */
static uint64_t play(arena *a, int frame) {
    uint64_t hash = WEND__HASH_START;
    const wend_agent_id id = a->ids[6 + frame * 7 % (BODIES - 6)];
    wend_crowd_goal goal = default_crowd_goal();
    wend_body_state body = {.struct_bytes = sizeof body};
    goal.cell = (wend_cell){frame * 5 % 9 + (frame / 9 % 2 ? 10 : 1), 10 + frame % 9, 0};
    if (frame % 12 == 0) (void)wend_crowd_go(a->crowd, &id, 1, &goal);
    if (frame % 45 == 44 && wend_crowd_get_body(a->crowd, id, &body) == WEND_OK) {
        body.exact_at.x += WEND_BODY_UNITS / 8;
        (void)place_rounded(a->crowd, id, body.exact_at, (wend_body_vector){0, 0});
    }
    if (frame % 150 == 149) (void)wend_map_set_cell(a->map, (wend_cell){10, 12, 0}, (uint8_t)(frame / 150 % 2), NULL);
    cr_assert_eq(wend_service_tick(a->service, NULL, NULL), WEND_OK);
    cr_assert_eq(wend_crowd_update(a->crowd, 1000, NULL, NULL), WEND_OK);
    for (int i = 0; i < BODIES; i++) {
        wend_agent_state agent = {.struct_bytes = sizeof agent};
        cr_assert_eq(wend_crowd_get_agent(a->crowd, a->ids[i], &agent), WEND_OK);
        if (wend_crowd_get_body(a->crowd, a->ids[i], &body))
            body = (wend_body_state){.exact_at = {agent.point.x, agent.point.y}};
        const int32_t all[] = {body.exact_at.x, body.exact_at.y,      body.exact_velocity.x, body.exact_velocity.y,
                               body.state,      (int32_t)body.waited, agent.cell.x,          agent.cell.y};
        for (int k = 0; k < 8; k++) hash = wend__hash_u32(hash, (uint32_t)all[k]);
    }
    return hash;
}

static void store(arena *a, arena_save *s) {
    const wend_save_host host = {.struct_bytes = sizeof host, .maps = &a->map, .map_count = 1};
    cr_assert_eq(wend_map_save_state(a->map, s->bytes[0], ROOM, &s->of[0]), WEND_OK);
    cr_assert_eq(wend_service_save_state(a->service, &host, s->bytes[1], ROOM, &s->of[1]), WEND_OK);
    cr_assert_eq(wend_crowd_save_state(a->crowd, s->bytes[2], ROOM, &s->of[2]), WEND_OK);
}

static void go_back(arena *a, const arena_save *s) {
    const wend_save_host host = {.struct_bytes = sizeof host, .maps = &a->map, .map_count = 1};
    cr_assert_eq(wend_map_restore_state(a->map, s->bytes[0], s->of[0]), WEND_OK);
    cr_assert_eq(wend_service_restore_state(a->service, &host, s->bytes[1], s->of[1]), WEND_OK);
    cr_assert_eq(wend_crowd_restore_state(a->crowd, &host, s->bytes[2], s->of[2]), WEND_OK, "%s",
                 wend_error_detail(WEND_BAD_FORMAT));
}

static void compare_frames(int32_t wrap, int frames, bool mixed) {
    static arena_save saves[FRAMES / EACH], again;
    static uint64_t hashes[FRAMES];
    arena own, other;
    open_arena(&own, wrap), open_arena(&other, wrap);
    fill_arena(&own, mixed);
    memcpy(other.ids, own.ids, sizeof own.ids);
    for (int frame = 0; frame < frames; frame++) {
        if (frame % EACH == 0) store(&own, &saves[frame / EACH]);
        hashes[frame] = play(&own, frame);
    }
    for (int k = 0; k < frames / EACH; k++) {
        const int after = k == 3 ? LONG : AFTER;
        go_back(&other, &saves[k]);
        for (int frame = k * EACH; frame < frames && frame < k * EACH + after; frame++) {
            if (frame % EACH == 0) store(&other, &again);
            cr_assert_eq(play(&other, frame), hashes[frame], "frame %d after a restore of %d", frame, k * EACH);
        }
    }
    close_arena(&own), close_arena(&other);
}

Test(save_bodies, frames_are_equal_after_a_restore_at_any_frame) {
    compare_frames(0, FRAMES, false);
    compare_frames(WEND_WRAP_X, FRAMES, false);
}

Test(save_bodies, frames_of_mixed_crowds_are_equal) {
    compare_frames(0, FRAMES, true);
}

Test(save_bodies, frames_are_equal_on_a_map_that_wraps) {
    compare_frames(WEND_WRAP_X | WEND_WRAP_Y, FRAMES / 2, false);
}

/* An agent without a body steps over the rim, and asks a body for room: its disc begins beyond the rim. */
Test(save_bodies, one_that_asks_over_the_rim_is_restored) {
    static arena_save save;
    OWNED(close_arena) arena a;
    open_arena(&a, WEND_WRAP_X);
    add(&a, 0, 0, (wend_cell){19, 4, 0}, 450, (wend_cell){19, 4, 0});
    wend_agent_def agent = default_agent();
    wend_crowd_goal goal = default_crowd_goal();
    agent.cell = (wend_cell){0, 4, 0}, goal.cell = (wend_cell){13, 4, 0};
    cr_assert_eq(wend_crowd_add(a.crowd, &agent, &a.ids[1]), WEND_OK);
    cr_assert_eq(wend_crowd_go(a.crowd, &a.ids[1], 1, &goal), WEND_OK);
    for (int frame = 0; frame < 20; frame++) {
        cr_assert_eq(wend_service_tick(a.service, NULL, NULL), WEND_OK);
        cr_assert_eq(wend_crowd_update(a.crowd, 1000, NULL, NULL), WEND_OK);
        store(&a, &save);
        go_back(&a, &save);
    }
}

/* Runs updates in which the host holds two parked discs off the middles of their cells, so that none gets through
 * between them, until the third one's goal has ended. @return how many, up to `most` */
static int play_before_gap(arena *a, uint32_t elapsed_milli, int most) {
    wend_agent_state state = {.struct_bytes = sizeof state, .has_goal = true};
    int count = 0;
    for (; count < most && state.has_goal; count++) {
        for (int k = 0; k < 2; k++) {
            const int32_t off = WEND_BODY_UNITS * 9 / 20, y = (6 + 2 * k) * WEND_BODY_UNITS + (k ? -off : off);
            const wend_body_vector at = {10 * WEND_BODY_UNITS, y};
            cr_assert_eq(place_rounded(a->crowd, a->ids[k], at, (wend_body_vector){0, 0}), WEND_OK);
        }
        cr_assert_eq(wend_service_tick(a->service, NULL, NULL), WEND_OK);
        cr_assert_eq(wend_crowd_update(a->crowd, elapsed_milli, NULL, NULL), WEND_OK);
        cr_assert_eq(wend_crowd_get_agent(a->crowd, a->ids[2], &state), WEND_OK);
    }
    return count;
}

static void park(arena *a, int number, wend_cell cell) {
    wend_agent_def agent = default_agent();
    wend_body_def body = default_body();
    agent.cell = cell, agent.parked = true;
    body.radius_milli = 400;
    body.accel_milli = 28; /* also near walls */
    cr_assert_eq(wend_crowd_add(a->crowd, &agent, &a->ids[number]), WEND_OK);
    cr_assert_eq(wend_crowd_set_body(a->crowd, a->ids[number], &body), WEND_OK);
}

Test(save_bodies, patience_goes_on_after_a_restore) {
    static arena_save save;
    static const uint32_t lengths[] = {1000, 400};
    for (int k = 0; k < 2; k++) {
        const int before = (int)(300 * 1000 / lengths[k]), most = 6 * before;
        OWNED(close_arena) arena a;
        open_arena(&a, 0);
        park(&a, 0, (wend_cell){10, 6, 0}), park(&a, 1, (wend_cell){10, 8, 0});
        add(&a, 2, 0, (wend_cell){6, 7, 0}, 400, (wend_cell){18, 7, 0});
        cr_assert_eq(play_before_gap(&a, lengths[k], before), before);
        store(&a, &save);
        const int after = play_before_gap(&a, lengths[k], most);
        go_back(&a, &save);
        cr_expect_lt(after, most);
        cr_expect_eq(play_before_gap(&a, lengths[k], most), after);
    }
}

/* Returns a hash of where a body is after each of some frames. */
static uint64_t follow_body(arena *a, int number, int frames) {
    uint64_t hash = WEND__HASH_START;
    wend_body_state body = {.struct_bytes = sizeof body};
    for (; frames > 0; frames--) {
        cr_assert_eq(wend_service_tick(a->service, NULL, NULL), WEND_OK);
        cr_assert_eq(wend_crowd_update(a->crowd, 1000, NULL, NULL), WEND_OK);
        cr_assert_eq(wend_crowd_get_body(a->crowd, a->ids[number], &body), WEND_OK);
        hash = wend__hash_u32(wend__hash_u32(hash, (uint32_t)body.exact_at.x), (uint32_t)body.exact_at.y);
    }
    return hash;
}

/* Two columns of parked discs meet at a corner; the third goes round the lower one. */
Test(save_bodies, a_way_round_a_gap_goes_on_after_a_restore) {
    enum { ALL = 160, STEP = 8 };
    static arena_save save;
    arena a, other;
    open_arena(&a, 0), open_arena(&other, 0);
    for (int k = 0; k < 8; k++) park(&a, k, (wend_cell){4 + k / 4, 10 + k, 0});
    add(&a, 8, 0, (wend_cell){1, 13, 0}, 400, (wend_cell){8, 13, 0});
    memcpy(other.ids, a.ids, sizeof a.ids);
    for (int frame = 0; frame < ALL; frame += STEP) {
        store(&a, &save);
        go_back(&other, &save);
        cr_expect_eq(follow_body(&other, 8, STEP), follow_body(&a, 8, STEP), "from frame %d", frame);
    }
    wend_agent_state state = {.struct_bytes = sizeof state};
    cr_assert_eq(wend_crowd_get_agent(a.crowd, a.ids[8], &state), WEND_OK);
    cr_expect(!state.has_goal && state.cell.x == 8 && state.cell.y == 13, "at %d,%d", state.cell.x, state.cell.y);
    close_arena(&a), close_arena(&other);
}

static wend_error restore_crowd(arena *a, const uint8_t *bytes, size_t count) {
    const wend_save_host host = {.struct_bytes = sizeof host, .maps = &a->map, .map_count = 1};
    return wend_crowd_restore_state(a->crowd, &host, bytes, count);
}

/* Returns a save of bodies that have walked for some frames. */
static void save_walk(arena *a, arena_save *save, int frames) {
    open_arena(a, WEND_WRAP_X);
    fill_arena(a, false);
    for (int frame = 0; frame < frames; frame++) play(a, frame);
    store(a, save);
}

/* Most flipped bytes are refused. Other flips make a save of another state, which does no harm. */
Test(save_bodies, flipped_bytes_harm_nobody) {
    static arena_save save, bad;
    const int times = few_or_many(400, 1500);
    uint64_t random = 5;
    int refused = 0;
    for (int frames = 40; frames <= 160; frames += 120) {
        OWNED(close_arena) arena a;
        save_walk(&a, &save, frames);
        for (int i = 0; i < times; i++) {
            bad = save;
            const size_t last = i % 2 ? save.of[2] - 32 : save.of[2] / 2;
            for (uint32_t k = draw(&random, 3); k < 3; k++)
                bad.bytes[2][save.of[2] - 1 - draw(&random, (uint32_t)last)] ^= (uint8_t)(1 + draw(&random, 255));
            town_sum(bad.bytes[2], save.of[2]);
            go_back(&a, &save);
            const wend_error error = restore_crowd(&a, bad.bytes[2], save.of[2]);
            cr_assert(error == WEND_OK || error == WEND_BAD_FORMAT || error == WEND_BAD_ARGUMENT, "%d", error);
            refused += error != WEND_OK;
            for (int k = 0; k < 3 && !error; k++) {
                cr_assert_eq(wend_service_tick(a.service, NULL, NULL), WEND_OK);
                cr_assert_eq(wend_crowd_update(a.crowd, 1000, NULL, NULL), WEND_OK);
            }
        }
        go_back(&a, &save);
    }
    cr_assert(refused > times / 4, "%d of %d were refused", refused, 2 * times);
}

Test(save_bodies, a_crowd_without_bodies_gets_those) {
    static arena_save save;
    OWNED(close_arena) arena a;
    save_walk(&a, &save, 40);
    wend_crowd_def def = default_crowd();
    def.agents = BODIES + 4, def.map = a.map, def.service = a.service;
    cr_assert_eq(wend_crowd_destroy(a.crowd), WEND_OK);
    cr_assert_eq(wend_crowd_create(&def, &a.crowd), WEND_OK);
    go_back(&a, &save);
    cr_assert_gt(a.crowd->body_count, 0);
}

/* ---- crowds whose bodies are gone ---- */

static uint64_t hash_of(const arena *a) {
    uint64_t hash = 0;
    cr_assert_eq(wend_world_hash(a->map, a->service, a->crowd, &hash), WEND_OK);
    return hash;
}

static void expect_equal_frames(arena *a, arena *b, int frames, const char *what) {
    for (int frame = 0; frame < frames; frame++) {
        arena *const both[] = {a, b};
        for (int k = 0; k < 2; k++) {
            cr_assert_eq(wend_service_tick(both[k]->service, NULL, NULL), WEND_OK);
            cr_assert_eq(wend_crowd_update(both[k]->crowd, 1000, NULL, NULL), WEND_OK);
        }
        cr_assert_eq(hash_of(a), hash_of(b), "%s, frame %d", what, frame);
    }
}

/* The refused body takes memory all the same. */
Test(save_bodies, a_refused_body_changes_no_later_frame) {
    static arena_save save;
    const wend_body_def body = default_body();
    OWNED(close_arena) arena a;
    OWNED(close_arena) arena other;
    open_arena(&a, 0), open_arena(&other, 0);
    add(&a, 0, 0, (wend_cell){0, 12, 0}, 0, (wend_cell){18, 12, 0});
    while (a.crowd->phase[0] != WEND__PHASE_STEPPING) {
        cr_assert_eq(wend_service_tick(a.service, NULL, NULL), WEND_OK);
        cr_assert_eq(wend_crowd_update(a.crowd, 500, NULL, NULL), WEND_OK);
    }
    cr_assert_eq(wend_crowd_set_body(a.crowd, a.ids[0], &body), WEND_BUSY);
    store(&a, &save);
    go_back(&other, &save);
    expect_equal_frames(&a, &other, 10, "after a refused body");
}

/* The large body is gone before any update. The restored crowd had bodies of its own. */
Test(save_bodies, a_body_that_is_gone_counts_in_a_restored_crowd) {
    static arena_save save;
    for (int k = 0; k < 2; k++) {
        const char *what = k == 0 ? "after a large body" : "without bodies";
        OWNED(close_arena) arena a;
        OWNED(close_arena) arena other;
        open_arena(&a, 0), open_arena(&other, 0);
        fill_arena(&other, false);
        if (k == 0) {
            add(&a, 25, 1, (wend_cell){17, 15, 0}, 900, (wend_cell){1, 16, 0});
            cr_assert_eq(wend_crowd_remove(a.crowd, a.ids[25]), WEND_OK);
        }
        store(&a, &save);
        go_back(&other, &save);
        for (int i = 0; i < 2; i++) {
            arena *to = i == 0 ? &a : &other;
            add(to, 0, 0, (wend_cell){0, 12, 0}, 400, (wend_cell){18, 12, 0});
            add(to, 1, 0, (wend_cell){18, 12, 0}, 400, (wend_cell){0, 12, 0});
            add(to, 2, 0, (wend_cell){2, 11, 0}, 0, (wend_cell){18, 11, 0});
        }
        expect_equal_frames(&a, &other, 40, what);
    }
}

/* Bodies stay where rules make hexagons of the squares, and none is added. */
Test(save_bodies, bodies_are_restored_among_hexagons) {
    static arena_save save;
    const wend_body_def body = default_body();
    wend_map_rules rules = default_rules();
    OWNED(close_arena) arena a;
    OWNED(close_arena) arena other;
    open_arena_for(&a, 0, false), open_arena_for(&other, 0, false);
    add(&a, 0, 0, (wend_cell){0, 12, 0}, 400, (wend_cell){18, 12, 0});
    add(&a, 1, 0, (wend_cell){18, 12, 0}, 0, (wend_cell){0, 12, 0});
    rules.neighbours = 6;
    cr_assert_eq(wend_map_set_rules(a.map, &rules), WEND_OK);
    cr_expect_eq(wend_crowd_set_body(a.crowd, a.ids[1], &body), WEND_UNSUPPORTED);
    store(&a, &save);
    go_back(&other, &save);
    expect_equal_frames(&a, &other, 40, "among hexagons");
}
