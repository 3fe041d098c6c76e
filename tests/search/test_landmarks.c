/* SPDX-License-Identifier: MIT */
/* Jump search by landmarks against Dijkstra: with any landmarks, also stale ones, and with the search cut into slices,
 * starved, sifted and begun again. */
#include "models/few_or_many.h"
#include "models/kept.h"
#include "models/worlds.h"
#include "models/options.h"
#include "search/search_rig.h"

#include "fast/acceleration.h"
#include "fast/jump/grid_jump.h"
#include "fast/landmarks/landmarks.h"
#include "map/store/map_layout.h"
#include "map/version/version.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>
#include <wend/ways.h>

enum { POOL_PAGES = 256, GOALS = 8, ROUNDS = 5, DOORS = 32 };
/* Kinds of world_grounds. */
enum { MAZE = 6, CAVES = 7, STRIPES = 8, ROOMS = 11 };

/* How it is driven. */
typedef struct pace {
    uint64_t slice;
    uint32_t pages; ///< granted at a time
    int sifts;      ///< mean number of slices between two sifts; 0: never
    bool evicted;   ///< evicted once, so that it begins again
} pace;

typedef struct outcome {
    wend_status status;
    int64_t cost;
    uint64_t expansions;
    size_t count;
    bool jumps, led; ///< led: by landmarks
    wend_cell cells[WORLD_EVEN];
} outcome;

typedef struct tally {
    int cases, found, none, jumps, led, dropped, renewed, kept, mended;
} tally;

static const pace whole = {.slice = UINT64_MAX, .pages = WEND__STOCK};
static const uint64_t slices[] = {1, 7, 64};

/* Too large for a stack. */
static world ground;
static int64_t distances[WORLD_EVEN];
static outcome first, other;
static rig lane;
static wend_cell shut[DOORS];
static int shut_count;

static void note(const wend__search *s, outcome *out) {
    out->status = s->status, out->cost = (int64_t)s->cost, out->expansions = s->expansions;
    out->jumps = s->engine == &wend__grid_jump;
    out->led = s->engine == &wend__grid_jump && s->begun && wend__jump_of(s)->landmark_bounds.landmarks;
    out->count = 0;
    if (s->status != WEND_STATUS_FOUND || s->steps == 0) return;
    out->count = s->steps + 1;
    cr_assert_leq(out->count, WORLD_EVEN);
    wend__search_cells(s, out->cells, out->count);
}

static void solve(rig *r, const wend_request *request, const pace *how, outcome *out) {
    oracle_random random = {how->slice + (uint64_t)how->sifts};
    wend__version *version = wend__map_acquire(request->map, true);
    wend__search *s = r->search;
    bool evict = how->evicted;
    wend__search_begin(s, version, KEPT(request));
    while (s->status == WEND_STATUS_PENDING) {
        if (how->sifts && s->engine == &wend__grid_jump && s->begun && oracle_below(&random, how->sifts) == 0)
            wend__search_compact(s);
        wend__search_step(s, &r->stock, how->slice);
        if (s->starved)
            wend__pool_grant(&r->pool, &r->stock, s->wants_pages ? how->pages : 0, s->wants_open ? how->pages : 0);
        if (!evict || s->status != WEND_STATUS_PENDING || oracle_below(&random, 8)) continue;
        evict = false;
        wend__search_drop(s);
        wend__search_begin(s, version, KEPT(request));
    }
    note(s, out);
    wend__search_drop(s);
    wend__pool_return(&r->pool, &r->stock);
    wend__map_release(version, true);
}

/* ---- ground and landmarks ---- */

/* With a common divisor and without, diagonals from hardly more than a straight step to hardly less than two. */
static void make_ground(oracle_random *random) {
    static const int costs[][2] = {{10, 14}, {1000, 1414}, {5, 7}, {999, 1000}, {1000, 1999}, {70, 99}, {2, 3}};
    const int pair = oracle_below(random, 7);
    wend_map_rules rules = default_rules();
    rules.cost_straight = costs[pair][0], rules.cost_diagonal = costs[pair][1];
    world_fill_even(&ground, random, &rules);
}

static uint32_t left_of(const wend_map *map) {
    wend_map_info info = info_now(map);
    return (uint32_t)info.landmarks;
}

static void turn_cell(wend_edit *batch, wend_cell cell) {
    world_set_cell(&ground, batch, cell, !ground.terrain[world_number(&ground, cell)]);
}

/* Turns doors: some close, and some of the closed ones open again. */
static void turn_doors(wend_edit *batch, oracle_random *random) {
    for (int count = 1 + oracle_below(random, 8); count > 0; count--) {
        const wend_cell cell = world_any_cell(&ground, random);
        if (shut_count > 0 && (oracle_below(random, 2) || shut_count == DOORS)) {
            const wend_cell door = shut[--shut_count];
            if (!ground.terrain[world_number(&ground, door)]) turn_cell(batch, door);
        } else if (ground.terrain[world_number(&ground, cell)]) {
            shut[shut_count++] = cell;
            turn_cell(batch, cell);
        }
    }
}

static void choose_effort(wend_map *map, oracle_random *random) {
    static const uint64_t efforts[] = {0, 1, 50, WEND_LANDMARK_EFFORT, WEND_NO_LIMIT};
    wend__map_set_landmark_effort(map, efforts[oracle_below(random, 5)]);
}

/* Counts landmarks after an edit: repaired (perhaps except some), dropped, made again, or left as they were. */
static void count_landmarks(const wend__version *before, wend_map *map, tally *sum) {
    wend__version *now = wend__map_acquire(map, false);
    const uint32_t had = before->landmarks ? before->landmarks->valid : 0;
    const uint32_t has = now->landmarks ? now->landmarks->valid : 0;
    sum->dropped += (had & ~has) != 0;
    sum->renewed += (has & ~had) != 0;
    sum->mended += has && now->landmarks != before->landmarks;
    sum->kept += has && now->landmarks == before->landmarks;
    wend__map_release(now, false);
}

static void edit(wend_map *map, oracle_random *random, tally *sum) {
    wend__version *before = wend__map_acquire(map, false);
    choose_effort(map, random);
    wend_edit *batch = begin_edit(map);
    const int what = oracle_below(random, 4);
    if (what < 2)
        turn_doors(batch, random);
    else if (what == 2)
        turn_cell(batch, world_any_cell(&ground, random));
    else
        world_edit_even(&ground, random, batch);
    cr_assert_eq(wend_edit_publish(batch, NULL), WEND_OK);
    if (oracle_below(random, 3) == 0)
        cr_assert_eq(wend__map_continue_landmarks(map, (uint64_t)oracle_below(random, 20000)), WEND_OK);
    count_landmarks(before, map, sum);
    wend__map_release(before, false);
}

/* Edited, and perhaps a fork that goes on where it was, or with other tables or landmarks. */
static wend_map *change(wend_map *map, oracle_random *random, tally *sum) {
    wend_map *fork;
    edit(map, random, sum);
    switch (oracle_below(random, left_of(map) ? 6 : 2)) {
    case 0: cr_assert_eq(wend__map_prepare_landmarks(map, oracle_below(random, 9)), WEND_OK); return map;
    case 1: cr_assert_eq(wend__map_prune_jumps(map, UINT32_MAX, NULL), WEND_OK); return map;
    case 2:
        cr_assert_eq(wend_map_fork(map, &fork), WEND_OK);
        cr_assert_eq(wend__map_prepare_landmarks(map, oracle_below(random, 9)), WEND_OK);
        wend_map_release(map);
        return fork;
    default: return map;
    }
}

/* ---- answers ---- */

static const char *words_for(const wend_request *request) {
    static char text[256];
    const wend_map_rules *rules = &ground.rules;
    snprintf(text, sizeof text, "%s, %d x %d, costs %d and %d, from %d,%d to %d,%d, %u landmarks",
             world_grounds[ground.ground], ground.width, ground.height, rules->cost_straight, rules->cost_diagonal,
             request->start.x, request->start.y, request->goal.x, request->goal.y, left_of(request->map));
    return text;
}

static bool is_open(wend_cell cell) {
    return ground.terrain[world_number(&ground, cell)] != 0;
}

static wend_status expected_status(const wend_request *request) {
    if (!is_open(request->start)) return WEND_STATUS_START_BLOCKED;
    if (same_cell(request->start, request->goal)) return WEND_STATUS_FOUND;
    if (!is_open(request->goal)) return WEND_STATUS_GOAL_BLOCKED;
    return distances[world_number(&ground, request->goal)] < 0 ? WEND_STATUS_NO_PATH : WEND_STATUS_FOUND;
}

static void check_answer(const wend_request *request, const outcome *got) {
    const wend_status status = expected_status(request);
    cr_assert_eq(got->status, status, "%s instead of %s: %s", wend_status_name(got->status), wend_status_name(status),
                 words_for(request));
    if (status != WEND_STATUS_FOUND || same_cell(request->start, request->goal)) return;
    const int64_t optimum = distances[world_number(&ground, request->goal)];
    cr_assert_eq(got->cost, optimum, "cost %ld, optimum %ld: %s", (long)got->cost, (long)optimum, words_for(request));
    cr_assert_eq(world_path(&ground, request->start, request->goal, got->cells, got->count), optimum,
                 "the path is no way of that cost: %s", words_for(request));
}

static void check_alike(const wend_request *request, const pace *how) {
    cr_assert(first.status == other.status && first.expansions == other.expansions && first.led == other.led,
              "%s after %lu, in slices of %lu %s after %lu: %s", wend_status_name(first.status),
              (unsigned long)first.expansions, (unsigned long)how->slice, wend_status_name(other.status),
              (unsigned long)other.expansions, words_for(request));
    cr_assert(first.count == other.count && memcmp(first.cells, other.cells, first.count * sizeof *first.cells) == 0,
              "another path in slices of %lu: %s", (unsigned long)how->slice, words_for(request));
}

static pace any_pace(oracle_random *random) {
    return (pace){.slice = slices[oracle_below(random, 3)],
                  .pages = 1 + (uint32_t)oracle_below(random, 2),
                  .sifts = oracle_below(random, 4),
                  .evicted = oracle_below(random, 3) == 0};
}

static void ask(wend_map *map, oracle_random *random, wend_request *request, tally *sum) {
    request->map = map;
    options_of(request)->engine = WEND_ENGINE_JUMP;
    solve(&lane, request, &whole, &first);
    check_answer(request, &first);
    const pace how = any_pace(random);
    solve(&lane, request, &how, &other);
    check_alike(request, &how);
    sum->cases++;
    sum->found += first.status == WEND_STATUS_FOUND && first.count > 1;
    sum->none += first.status == WEND_STATUS_NO_PATH;
    sum->jumps += first.jumps;
    sum->led += first.led;
}

/* Mostly open. */
static wend_cell place(oracle_random *random) {
    wend_cell cell = world_any_cell(&ground, random);
    for (int tries = 0; tries < 6 && !is_open(cell); tries++) cell = world_any_cell(&ground, random);
    return cell;
}

static void ask_some(wend_map *map, oracle_random *random, tally *sum) {
    wend_request request = default_request();
    request.start = place(random);
    world_flood(&ground, &request, request.start, distances);
    for (int i = 0; i < GOALS; i++) {
        request.goal = i % 4 ? place(random) : world_cell_near(&ground, random, request.start);
        ask(map, random, &request, sum);
    }
}

Test(search_landmarks, agrees_with_dijkstra_whatever_landmarks_are_left) {
    oracle_random random = {21};
    const int cases = enough_or_many(250, 12000);
    tally sum = {0};
    rig_make(&lane, POOL_PAGES, 0xa5);
    while (sum.cases < cases) {
        make_ground(&random);
        shut_count = 0;
        if (ground.width * ground.height < 900 && oracle_below(&random, 4)) continue;
        if (oracle_below(&random, 5) == 0) world_fill_ground(&ground, &random, CAVES);
        OWNED_MAP *map = world_map(&ground);
        cr_assert_eq(wend__map_prepare_jumps(map), WEND_OK);
        cr_assert_eq(wend__map_prepare_landmarks(map, oracle_below(&random, 9)), WEND_OK);
        ask_some(map, &random, &sum);
        for (int i = 0; i < ROUNDS; i++) {
            map = change(map, &random, &sum);
            ask_some(map, &random, &sum);
        }
    }
    rig_free(&lane);
    cr_log_info("%d cases: %d found, %d no path, %d by jumps, %d led; %d times some were dropped, %d times made again, "
                "%d mended, %d untouched",
                sum.cases, sum.found, sum.none, sum.jumps, sum.led, sum.dropped, sum.renewed, sum.mended, sum.kept);
    cr_assert(sum.found > sum.cases / 2 && sum.none > sum.cases / 50 && sum.jumps > sum.cases / 2);
    cr_assert(sum.led > sum.cases / 10 && sum.dropped > sum.cases / 200 && sum.renewed > 0);
    cr_assert(sum.mended > sum.cases / 100 && sum.kept > sum.cases / 100);
}

/* ---- their effect ---- */

static uint64_t sum_of_expansions(wend_map *map, oracle_random random, int count, int64_t *cost) {
    uint64_t sum = 0;
    cr_assert_eq(wend__map_prepare_landmarks(map, count), WEND_OK);
    *cost = 0;
    for (int i = 0; i < 20; i++) {
        wend_request request = default_request();
        request.map = map;
        options_of(&request)->engine = WEND_ENGINE_JUMP;
        request.start = world_any_cell(&ground, &random), request.goal = world_any_cell(&ground, &random);
        solve(&lane, &request, &whole, &first);
        sum += first.expansions;
        *cost += first.cost;
    }
    return sum;
}

/* In rooms, mazes and stripes. */
Test(search_landmarks, save_a_fifth_of_the_expansions_and_more_between_walls) {
    oracle_random random = {5};
    uint64_t plain[WORLD_GROUNDS] = {0}, led[WORLD_GROUNDS] = {0};
    rig_make(&lane, POOL_PAGES, 0xa5);
    for (int lands = 0; lands < 60;) {
        make_ground(&random);
        if (ground.width < 60 || ground.height < 60) continue;
        if (ground.ground != ROOMS && ground.ground != MAZE && ground.ground != STRIPES) continue;
        wend_map *map = world_map(&ground);
        int64_t cost, led_cost;
        cr_assert_eq(wend__map_prepare_jumps(map), WEND_OK);
        plain[ground.ground] += sum_of_expansions(map, random, 0, &cost);
        led[ground.ground] += sum_of_expansions(map, random, 4, &led_cost);
        cr_assert_eq(cost, led_cost);
        wend_map_release(map);
        lands++;
    }
    rig_free(&lane);
    for (int kind = 0; kind < WORLD_GROUNDS; kind++) {
        if (kind != ROOMS && kind != MAZE && kind != STRIPES) continue;
        cr_log_info("%s: %lu expansions, %lu by landmarks", world_grounds[kind], (unsigned long)plain[kind],
                    (unsigned long)led[kind]);
        cr_assert_gt(plain[kind], 10000);
        cr_assert_leq(10 * led[kind], 8 * plain[kind], "%s: %lu instead of %lu", world_grounds[kind],
                      (unsigned long)led[kind], (unsigned long)plain[kind]);
    }
}

/* ---- ends, and the ground between them ---- */

/* A wall down the middle with nothing in it, and a closed chamber in a corner. */
static wend_map *halved(int width, int height) {
    world_begin(&ground, WEND_KIND_GRID, width, height, 1);
    for (int i = 0; i < width * height; i++) {
        const int x = i % width, y = i / width;
        const bool chamber = (x == 4 && y <= 4) || (y == 4 && x <= 4);
        ground.terrain[i] = x != width / 2 && !chamber;
    }
    wend_map *map = world_map(&ground);
    cr_assert_eq(wend__map_prepare_jumps(map), WEND_OK);
    return map;
}

static void set(wend_map *map, wend_cell cell, uint8_t class) {
    IN_BATCH(map, world_set_cell(&ground, edit, cell, class));
}

static void check_from(wend_map *map, wend_cell start, const wend_cell *goals, size_t count) {
    oracle_random random = {1};
    tally sum = {0};
    wend_request request = default_request();
    request.start = start;
    world_flood(&ground, &request, start, distances);
    for (size_t i = 0; i < count; i++) {
        request.goal = goals[i];
        ask(map, &random, &request, &sum);
    }
}

/* Sizes on both sides of a chunk's, and of several. */
Test(search_landmarks, answer_for_ends_of_every_kind) {
    static const int sizes[][2] = {{63, 65}, {64, 64}, {65, 63}, {129, 127}, {200, 66}};
    rig_make(&lane, POOL_PAGES, 0xa5);
    for (int i = 0; i < 5; i++) {
        const int w = sizes[i][0], h = sizes[i][1];
        OWNED_MAP *map = halved(w, h);
        const wend_cell goals[] = {{10, 10, 0},           {11, 10, 0},   {11, 11, 0},       {9, 11, 0},
                                   {w / 2, 3, 0},         {1, 1, 0},     {w - 1, h - 1, 0}, {w / 2 + 1, 0, 0},
                                   {w / 2 - 1, h - 1, 0}, {0, h - 1, 0}, {w / 2 - 1, 0, 0}, {4, 4, 0}};
        const size_t count = sizeof goals / sizeof *goals;
        for (int landmarks = 8; landmarks >= 0; landmarks--) {
            cr_assert_eq(wend__map_prepare_landmarks(map, landmarks), WEND_OK);
            check_from(map, (wend_cell){10, 10, 0}, goals, count);
            check_from(map, (wend_cell){w - 1, 0, 0}, goals, count);
            check_from(map, (wend_cell){4, 0, 0}, goals, count);
        }
    }
    rig_free(&lane);
}

/* Two components become one, by a door at one end: landmarks of two components have no bounds for each other. */
/* ---- searches without them ---- */

/* Begins a search, and returns whether it uses landmarks. */
static bool is_led(wend_map *map, int32_t engine, wend_cell start, wend_cell goal) {
    wend_request request = default_request();
    request.map = map, options_of(&request)->engine = engine, request.start = start, request.goal = goal;
    wend__version *version = wend__map_acquire(map, true);
    wend__search *s = lane.search;
    wend__search_begin(s, version, KEPT(&request));
    wend__pool_grant(&lane.pool, &lane.stock, WEND__STOCK, WEND__STOCK);
    do wend__search_step(s, &lane.stock, 1);
    while (s->engine == &wend__grid_jump && !s->begun && s->status == WEND_STATUS_PENDING);
    cr_assert_eq(s->status, WEND_STATUS_PENDING);
    const wend__landmarks *jumps = wend__jump_of(s)->landmark_bounds.landmarks;
    const bool led = s->engine == &wend__grid_jump ? jumps : wend__grid_of(s)->landmark_bounds.landmarks;
    wend__search_drop(s);
    wend__map_release(version, true);
    return led;
}

/* A long wall with a gap at its end is a detour that landmarks show. Pillars on the way they show hardly. */
Test(search_landmarks, are_asked_only_where_they_say_more_of_the_start) {
    rig_make(&lane, POOL_PAGES, 0xa5);
    OWNED_MAP *map = halved(300, 100);
    wend_map_set_cell(map, (wend_cell){150, 99, 0}, WEND_CLASS_OPEN, NULL);
    wend_map_set_cell(map, (wend_cell){60, 50, 0}, WEND_CLASS_BLOCKED, NULL);
    wend_map_set_cell(map, (wend_cell){30, 80, 0}, WEND_CLASS_BLOCKED, NULL);
    cr_assert_eq(wend__map_prepare_landmarks(map, 4), WEND_OK);
    const wend_cell far = {290, 20, 0}, left = {10, 50, 0}, right = {140, 50, 0};
    cr_assert(is_led(map, WEND_ENGINE_ASTAR, left, far));
    cr_assert(is_led(map, WEND_ENGINE_JUMP, left, far));
    cr_assert_not(is_led(map, WEND_ENGINE_ASTAR, left, right));
    cr_assert_not(is_led(map, WEND_ENGINE_JUMP, (wend_cell){10, 60, 0}, (wend_cell){120, 90, 0}));
    rig_free(&lane);
}

Test(search_landmarks, answer_where_edits_join_components) {
    rig_make(&lane, POOL_PAGES, 0xa5);
    for (int landmarks = 1; landmarks <= 8; landmarks++) {
        OWNED_MAP *map = halved(150, 70);
        const wend_cell goals[] = {{149, 0, 0}, {149, 69, 0}, {76, 68, 0}, {1, 1, 0}, {75, 69, 0}, {0, 69, 0}};
        cr_assert_eq(wend__map_prepare_landmarks(map, landmarks), WEND_OK);
        const wend_cell doors[] = {{75, 69, 0}, {4, 2, 0}, {75, 0, 0}};
        for (int i = 0; i < 6; i++) {
            set(map, doors[i % 3], i < 3);
            check_from(map, (wend_cell){74, 0, 0}, goals, 6);
            check_from(map, (wend_cell){2, 2, 0}, goals, 6);
            if (i == 2) cr_assert_eq(wend__map_prepare_landmarks(map, landmarks), WEND_OK);
        }
    }
    rig_free(&lane);
}

/* No cell is open, so none has numbers; then all are open, and still none has. */
Test(search_landmarks, may_be_made_where_nothing_is_open) {
    const wend_cell goals[] = {{69, 69, 0}, {1, 0, 0}, {30, 69, 0}, {0, 0, 0}};
    rig_make(&lane, POOL_PAGES, 0xa5);
    OWNED_MAP *map = halved(70, 70);
    wend_edit *batch;
    for (uint8_t class = 0; class < 2; class++) {
        cr_assert_eq(wend_edit_begin(map, &batch), WEND_OK);
        cr_assert_eq(wend_edit_fill_box(batch, (wend_box){{0, 0, 0}, {69, 69, 0}}, class), WEND_OK);
        cr_assert_eq(wend_edit_publish(batch, NULL), WEND_OK);
        memset(ground.terrain, class, 70 * 70);
        if (class == 0) cr_assert_eq(wend__map_prepare_landmarks(map, 3), WEND_OK);
        check_from(map, (wend_cell){0, 0, 0}, goals, 4);
    }
    set(map, (wend_cell){0, 1, 0}, WEND_CLASS_BLOCKED);
    set(map, (wend_cell){1, 1, 0}, WEND_CLASS_BLOCKED);
    check_from(map, (wend_cell){0, 0, 0}, goals, 4);
    rig_free(&lane);
}

/* ---- rules, and versions that are freed ---- */

/* Numbers count in units of the costs that they were made for, but 5 and 7 are not in the ratio of 10 and 14. */
Test(search_landmarks, are_given_up_where_costs_change) {
    static const int costs[][2] = {{20, 28}, {5, 9}, {10, 19}, {11, 19}, {11, 14}};
    const wend_cell goals[] = {{74, 69, 0}, {70, 3, 0}, {30, 69, 0}};
    rig_make(&lane, POOL_PAGES, 0xa5);
    OWNED_MAP *map = halved(150, 70);
    for (int y = 0; y < 69; y++) set(map, (wend_cell){40, y, 0}, WEND_CLASS_BLOCKED);
    for (int i = 0; i < 5; i++) {
        cr_assert_eq(wend__map_prepare_landmarks(map, 4), WEND_OK);
        cr_assert_eq(left_of(map), 4);
        ground.rules.cost_straight = costs[i][0], ground.rules.cost_diagonal = costs[i][1];
        cr_assert_eq(wend_map_set_rules(map, &ground.rules), WEND_OK);
        cr_assert_eq(left_of(map), 0);
        check_from(map, (wend_cell){0, 10, 0}, goals, 3);
    }
    rig_free(&lane);
}

static void set_steps(wend_map *map, const wend_step *steps, size_t count, int32_t open) {
    wend_edit *batch = begin_edit(map);
    for (size_t i = 0; i < count; i++)
        cr_assert_eq(wend_edit_set_step(batch, steps[i].from, steps[i].to, open), WEND_OK);
    cr_assert_eq(wend_edit_publish(batch, NULL), WEND_OK);
}

/* Landmarks do not account for steps that were closed, one way or both, when they were made, and open later. */
Test(search_landmarks, answer_where_closed_steps_open_again) {
    enum { STEPS = 400 };
    static wend_step steps[STEPS];
    oracle_random random = {17};
    tally sum = {0};
    rig_make(&lane, POOL_PAGES, 0xa5);
    for (int lands = enough_or_many(35, 100); lands > 0; lands--) {
        size_t count = 0;
        make_ground(&random);
        OWNED_MAP *map = world_map(&ground);
        cr_assert_eq(wend__map_prepare_jumps(map), WEND_OK);
        for (int i = 0; i < STEPS; i++) {
            const wend_cell from = world_any_cell(&ground, &random);
            const wend_cell to = {from.x + oracle_below(&random, 3) - 1, from.y + oracle_below(&random, 3) - 1, 0};
            if (to.x < 0 || to.y < 0 || to.x >= ground.width || to.y >= ground.height || same_cell(from, to)) continue;
            steps[count++] = (wend_step){from, to};
        }
        set_steps(map, steps, count, 0);
        cr_assert_eq(wend__map_prepare_landmarks(map, 1 + oracle_below(&random, 8)), WEND_OK);
        choose_effort(map, &random);
        wend__version *before = wend__map_acquire(map, false);
        set_steps(map, steps, count / 2, 1);
        set_steps(map, steps, count, 1);
        count_landmarks(before, map, &sum);
        wend__map_release(before, false);
        ask_some(map, &random, &sum);
    }
    rig_free(&lane);
    cr_assert(sum.jumps > sum.cases / 2);
    cr_assert(sum.kept > 0 && sum.mended > 10 && sum.dropped > 10, "%d, %d, %d", sum.kept, sum.mended, sum.dropped);
}

static void overwrite(wend_map *map, oracle_random *random) {
    wend_edit *batch = begin_edit(map);
    for (int i = 0; i < 40; i++)
        cr_assert_eq(wend_edit_set_cell(batch, world_any_cell(&ground, random), (uint8_t)oracle_below(random, 2)),
                     WEND_OK);
    cr_assert_eq(wend_edit_publish(batch, NULL), WEND_OK);
    cr_assert_eq(wend__map_prepare_landmarks(map, oracle_below(random, 9)), WEND_OK);
}

/* A search holds its version with its landmarks, whatever edits the map gets meanwhile. */
Test(search_landmarks, hold_still_under_a_search_while_versions_come_and_go) {
    oracle_random random = {8};
    wend_search_def def = default_search();
    int found = 0;
    rig_make(&lane, POOL_PAGES, 0xa5);
    wend_search *search = made_search(&def);
    for (int lands = enough_or_many(20, 60); lands > 0; lands--) {
        make_ground(&random);
        OWNED_MAP *map = world_map(&ground);
        cr_assert_eq(wend_map_set_max_versions(map, 1), WEND_OK);
        cr_assert_eq(wend__map_prepare_jumps(map), WEND_OK);
        cr_assert_eq(wend__map_prepare_landmarks(map, 1 + oracle_below(&random, 8)), WEND_OK);
        wend_request request = default_request();
        request.map = map;
        options_of(&request)->engine = WEND_ENGINE_JUMP;
        request.start = place(&random), request.goal = place(&random);
        world_flood(&ground, &request, request.start, distances);
        solve(&lane, &request, &whole, &first);
        check_answer(&request, &first);
        cr_assert_eq(wend_search_begin(search, &request), WEND_OK);
        while (wend_search_step(search, 15, NULL) == WEND_STATUS_PENDING) overwrite(map, &random);
        wend_completion got = result_now(search);
        cr_assert_eq(got.status, first.status);
        cr_assert_eq(got.expansions, first.expansions, "%lu, alone %lu: %s", (unsigned long)got.expansions,
                     (unsigned long)first.expansions, words_for(&request));
        if (got.status == WEND_STATUS_FOUND) cr_assert_eq(got.cost, first.cost);
        found += got.status == WEND_STATUS_FOUND && first.led;
    }
    wend_search_destroy(search);
    rig_free(&lane);
    cr_assert_gt(found, 5, "%d", found);
}
