/* SPDX-License-Identifier: MIT */
/* The jump search against Dijkstra: on lands of many kinds and sizes, under all rules and costs, before and
 * after edits, pruned or not, whole and in slices. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "models/few_or_many.h"
#include "models/worlds.h"
#include "models/options.h"
#include "fast/jump/grid_jump_choice.h"
#include "fast/acceleration.h"

enum { GOALS = 10, EDITS = 2 };
static const uint64_t slices[] = {1, 2, 3, 7, 20, 64, 1000};
enum { SLICES = sizeof slices / sizeof *slices };

typedef struct outcome {
    wend_status status;
    int32_t engine;
    int64_t cost;
    uint64_t expansions;
    size_t count;
    wend_cell cells[WORLD_EVEN];
} outcome;

typedef struct tally {
    int cases, found, none, jumps, pruned;
} tally;

/* All that a test needs; too large for a stack. */
static world ground;
static outcome first, other;
static wend_cell slow_cell;
static int64_t distances[WORLD_EVEN];
static uint64_t counts[3]; ///< see count_ends()

static bool is_slow(void) {
    return ground.terrain[world_number(&ground, slow_cell)] == 3;
}

static wend_search *make_search(void) {
    wend_search_def def = default_search();
    def.nodes = 64 * WEND_PAGE_NODES;
    return made_search(&def);
}

static void solve(wend_search *search, const wend_request *request, uint64_t slice, outcome *out) {
    cr_assert_eq(wend_search_begin(search, request), WEND_OK);
    wend_completion completion = {.struct_bytes = sizeof completion};
    uint64_t total = 0, used;
    do {
        out->status = wend_search_step(search, slice, &used);
        cr_assert_leq(used, slice);
        if (out->status == WEND_STATUS_PENDING) cr_assert_eq(used, slice, "a step that is not the last spends all");
        total += used;
    } while (out->status == WEND_STATUS_PENDING);
    wend_search_get_result(search, &completion);
    cr_assert_eq(completion.expansions, total);
    out->cost = completion.cost, out->engine = completion.engine, out->expansions = total;
    out->count = 0;
    if (out->status != WEND_STATUS_FOUND) return;
    cr_assert_eq(wend_search_get_path(search, out->cells, WORLD_EVEN, &out->count), WEND_OK);
    cr_assert_leq(out->count, WORLD_EVEN);
}

/* ---- requests ---- */

/* A few chunks, or all of them; some stay as they are. */
static int prune(wend_map *map, oracle_random *random) {
    uint32_t before, left;
    cr_assert_eq(wend__map_prune_jumps(map, 0, &before), WEND_OK);
    cr_assert_eq(wend__map_prune_jumps(map, oracle_below(random, 2) ? UINT32_MAX : 1, &left), WEND_OK);
    cr_assert_leq(left, before);
    return (int)(before - left);
}

/* 0 to 8 landmarks. */
static void mark(wend_map *map, oracle_random *random) {
    cr_assert_eq(wend__map_prepare_landmarks(map, oracle_below(random, 9)), WEND_OK);
}

static wend_map_rules draw_rules(oracle_random *random, bool served) {
    /* With the last two nothing can be pruned. */
    static const int costs[][2] = {{10, 14}, {70, 99}, {1000, 1414}, {5, 6}, {5, 9}, {3, 5}, {1, 1}, {1, 2}};
    int pair = oracle_below(random, served ? 6 : 8);
    wend_map_rules rules = default_rules();
    rules.cost_straight = costs[pair][0], rules.cost_diagonal = costs[pair][1];
    if (served) return rules;
    rules.corners = oracle_below(random, 3), rules.neighbours = oracle_below(random, 2) ? 8 : 4;
    return rules;
}

/* Mostly open. */
static wend_cell place(oracle_random *random, wend_cell near) {
    wend_cell cell = near;
    for (int tries = 0; tries < 4; tries++) {
        cell = world_cell_near(&ground, random, near);
        if (ground.terrain[world_number(&ground, cell)]) break;
    }
    return cell;
}

/* Adds or removes a cell of slow ground: while there is one, A* answers. */
static void slow_down(wend_edit *batch, oracle_random *random) {
    const uint8_t class = is_slow() ? WEND_CLASS_OPEN : 3;
    if (class == 3) slow_cell = world_any_cell(&ground, random);
    world_set_cell(&ground, batch, slow_cell, class);
}

static void edit(wend_map *map, oracle_random *random, tally *sum, bool served) {
    wend_edit *batch = begin_edit(map);
    if (is_slow() || (!served && oracle_below(random, 3) == 0)) slow_down(batch, random);
    for (int times = 1 + oracle_below(random, 3); times > 0; times--) world_edit_even(&ground, random, batch);
    cr_assert_eq(wend_edit_publish(batch, NULL), WEND_OK);
    if (oracle_below(random, 2)) sum->pruned += prune(map, random);
    if (oracle_below(random, 2)) mark(map, random);
}

/* ---- answers ---- */

/* Place and cause of a failure, for the log. */
static const char *words_for(const wend_request *request) {
    static char text[256];
    const wend_map_rules *rules = &ground.rules;
    snprintf(text, sizeof text, "%s, %d x %d, costs %d and %d, corners %d, %d neighbours, from %d,%d to %d,%d",
             world_grounds[ground.ground], ground.width, ground.height, rules->cost_straight, rules->cost_diagonal,
             rules->corners, rules->neighbours, request->start.x, request->start.y, request->goal.x, request->goal.y);
    return text;
}

static wend_status expected_status(const wend_request *request) {
    bool starts = ground.terrain[world_number(&ground, request->start)],
         leaves = read_options(request).leave_blocked_start;
    if (!starts && !leaves) return WEND_STATUS_START_BLOCKED;
    bool here = starts && memcmp(&request->start, &request->goal, sizeof request->start) == 0;
    if (here) return WEND_STATUS_FOUND;
    if (!ground.terrain[world_number(&ground, request->goal)]) return WEND_STATUS_GOAL_BLOCKED;
    return distances[world_number(&ground, request->goal)] < 0 ? WEND_STATUS_NO_PATH : WEND_STATUS_FOUND;
}

static bool has_landmarks(const wend_map *map) {
    wend_map_info info = info_now(map);
    return info.landmarks > 0;
}

static bool is_open(int x, int y) {
    const bool inside = x >= 0 && y >= 0 && x < ground.width && y < ground.height;
    return inside && ground.terrain[(size_t)y * (size_t)ground.width + (size_t)x] != 0;
}

/* Returns whether the step from a cell by (dx, dy), to an open cell, has a corner on one side. */
static bool passes_corner(int x, int y, int dx, int dy) {
    for (int side = -1; side <= 1; side += 2) {
        const int sx = x + side * dy, sy = y + side * dx;
        if (!is_open(sx, sy) && is_open(sx + dx, sy + dy)) return true;
    }
    return false;
}

/* Returns where the cell's straight run ends: at a wall (0), at a corner (1), or not in its chunk (-1). */
static int end_of(int x, int y, int dx, int dy) {
    bool point = false;
    for (; !point && x >> 6 == (x + dx) >> 6 && y >> 6 == (y + dy) >> 6; x += dx, y += dy) {
        if (!is_open(x + dx, y + dy)) return 0;
        point = passes_corner(x, y, dx, dy);
    }
    return point ? 1 : -1;
}

/* Counts over all open cells: straight runs that end at a wall in their chunk, or at a corner, and diagonal steps. */
static void count_ends(void) {
    static const int8_t sx[4] = {0, 1, 0, -1}, sy[4] = {-1, 0, 1, 0};
    counts[0] = counts[1] = counts[2] = 0;
    for (int cell = 0; cell < ground.width * ground.height; cell++) {
        const int x = cell % ground.width, y = cell / ground.width;
        for (int d = 0; d < 4 && is_open(x, y); d++) {
            const int end = end_of(x, y, sx[d], sy[d]), dx = d & 1 ? 1 : -1, dy = d & 2 ? 1 : -1;
            if (end >= 0) counts[end]++;
            counts[2] += is_open(x + dx, y) && is_open(x, y + dy) && is_open(x + dx, y + dy);
        }
    }
}

/* Returns the choice of auto if both engines serve; no land is large. */
static bool is_for_jumps(const wend_request *request) {
    const int dx = abs(request->goal.x - request->start.x), dy = abs(request->goal.y - request->start.y);
    const uint64_t cells = (uint64_t)ground.width * (uint64_t)ground.height, away = (uint64_t)(dx > dy ? dx : dy);
    const uint64_t ends = counts[0] + counts[1], most = WEND__CHOICE_CORNERS;
    if (ground.rules.neighbours == 4)
        return 100 * counts[1] <= WEND__CHOICE_CORNERS_FOUR * ends ||
               100 * counts[2] < WEND__CHOICE_DIAGONALS_FOUR * ends;
    const uint64_t fewest =
        has_landmarks(request->map) ? wend__choice_diagonals_led(cells, away) : WEND__CHOICE_DIAGONALS;
    return 100 * counts[1] <= most * ends || 100 * counts[2] < fewest * ends;
}

/* Returns the engine that answers: jump search with stops for slow ground with 8 neighbours, for 4 neighbours, and for
 * costs at either end of their range. */
static int32_t expected_engine(const wend_request *request) {
    const wend_map_rules *rules = &ground.rules;
    bool serves = rules->neighbours == 4 ? !is_slow() : rules->corners == WEND_CORNERS_NEVER;
    bool starts = ground.terrain[world_number(&ground, request->start)];
    bool taken = read_options(request).engine == WEND_ENGINE_JUMP ||
                 (read_options(request).engine == WEND_ENGINE_AUTO && is_for_jumps(request));
    return serves && starts && taken ? WEND_ENGINE_JUMP : WEND_ENGINE_ASTAR;
}

static void check_answer(const wend_request *request, const outcome *got) {
    wend_status status = expected_status(request);
    cr_assert_eq(got->engine, expected_engine(request), "%s by engine %d: %s", wend_status_name(got->status),
                 (int)got->engine, words_for(request));
    cr_assert_eq(got->status, status, "%s instead of %s: %s", wend_status_name(got->status), wend_status_name(status),
                 words_for(request));
    if (status != WEND_STATUS_FOUND) return;
    int64_t optimum = distances[world_number(&ground, request->goal)];
    cr_assert_eq(got->cost, optimum, "cost %ld, optimum %ld: %s", (long)got->cost, (long)optimum, words_for(request));
    cr_assert_eq(world_path(&ground, request->start, request->goal, got->cells, got->count), optimum,
                 "the path is no way of that cost: %s", words_for(request));
}

static void check_alike(const wend_request *request, uint64_t slice) {
    cr_assert(first.status == other.status && first.cost == other.cost && first.engine == other.engine,
              "%s at %ld by engine %d, in slices of %d %s at %ld by engine %d: %s", wend_status_name(first.status),
              (long)first.cost, (int)first.engine, (int)slice, wend_status_name(other.status), (long)other.cost,
              (int)other.engine, words_for(request));
    cr_assert_eq(first.expansions, other.expansions, "%d, in slices of %d %d expansions: %s", (int)first.expansions,
                 (int)slice, (int)other.expansions, words_for(request));
    cr_assert(first.count == other.count && memcmp(first.cells, other.cells, first.count * sizeof *first.cells) == 0,
              "another path in slices of %d: %s", (int)slice, words_for(request));
}

/* Checks limits: a lower one than needed is spent to the last expansion, a higher one changes nothing. At the exact
 * number the end may or may not have been seen, but always the same. */
static void check_limit(wend_search *search, const wend_request *request, oracle_random *random) {
    wend_request limited = *request;
    const uint64_t needed = first.expansions;
    options_of(&limited)->max_expansions = oracle_next(random) % (needed + 2);
    solve(search, &limited, slices[oracle_below(random, SLICES)], &other);
    if (read_options(&limited).max_expansions > needed) {
        check_alike(request, 0);
        return;
    }
    const wend_status status = other.status;
    if (read_options(&limited).max_expansions < needed)
        cr_assert_eq(status, WEND_STATUS_LIMIT, "%s at %d of %d: %s", wend_status_name(status),
                     (int)read_options(&limited).max_expansions, (int)needed, words_for(request));
    cr_assert_eq(other.expansions, read_options(&limited).max_expansions, "%s", words_for(request));
    solve(search, &limited, WEND_NO_LIMIT, &other);
    cr_assert_eq(status, other.status, "%s", words_for(request));
}

/* Asks for some goals from a start. */
static void ask(wend_search *search, wend_map *map, oracle_random *random, tally *sum, int32_t engine) {
    wend_request request = default_request();
    count_ends();
    request.map = map;
    options_of(&request)->engine = engine;
    request.start = place(random, world_any_cell(&ground, random));
    options_of(&request)->leave_blocked_start = oracle_below(random, 8) == 0;
    world_flood(&ground, &request, request.start, distances);
    for (int i = 0; i < GOALS; i++) {
        request.goal = place(random, request.start);
        solve(search, &request, WEND_NO_LIMIT, &first);
        check_answer(&request, &first);
        const uint64_t slice = slices[oracle_below(random, SLICES)];
        solve(search, &request, slice, &other);
        check_alike(&request, slice);
        if (oracle_below(random, 8) == 0) check_limit(search, &request, random);
        sum->cases++;
        sum->found += first.status == WEND_STATUS_FOUND && first.count > 1;
        sum->none += first.status == WEND_STATUS_NO_PATH;
        sum->jumps += first.engine == WEND_ENGINE_JUMP;
    }
}

/* Lands one after another, searched unchanged, and after edits. */
static tally run(uint64_t seed, int cases, int32_t engine, bool served) {
    oracle_random random = {seed};
    OWNED_SEARCH *search = make_search();
    tally sum = {0};
    while (sum.cases < cases) {
        const wend_map_rules rules = draw_rules(&random, served);
        world_fill_even(&ground, &random, &rules);
        slow_cell = (wend_cell){0, 0, 0};
        OWNED_MAP *map = world_map(&ground);
        cr_assert_eq(wend__map_prepare_jumps(map), WEND_OK);
        mark(map, &random);
        ask(search, map, &random, &sum, engine);
        for (int i = 0; i < EDITS; i++) {
            edit(map, &random, &sum, served);
            ask(search, map, &random, &sum, engine);
        }
    }
    return sum;
}

/* Enough of each kind of answer for the comparison to mean something. */
static void check_tally(const tally *sum) {
    cr_log_info("%d cases: %d found, %d no path, %d by jumps, %d chunks pruned", sum->cases, sum->found, sum->none,
                sum->jumps, sum->pruned);
    cr_assert_gt(sum->found, sum->cases / 2);
    cr_assert_gt(sum->none, sum->cases / 50);
    cr_assert_gt(sum->pruned, sum->cases / 100); /* mazes: a publish prunes the others */
}

Test(grid_jump, agrees_with_dijkstra_where_it_serves) {
    tally sum = run(11, enough_or_many(400, 50000), WEND_ENGINE_JUMP, true);
    check_tally(&sum);
    cr_assert_gt(sum.jumps, sum.cases * 3 / 4);
}

Test(grid_jump, agrees_with_dijkstra_when_asked_for_under_every_rule) {
    tally sum = run(12, enough_or_many(400, 25000), WEND_ENGINE_JUMP, false);
    check_tally(&sum);
    cr_assert(sum.jumps > sum.cases / 20 && sum.jumps < sum.cases * 3 / 4);
}

Test(grid_jump, agrees_with_dijkstra_where_the_engine_is_left_to_choose) {
    tally sum = run(23, enough_or_many(400, 25000), WEND_ENGINE_AUTO, false);
    check_tally(&sum);
    cr_assert(sum.jumps > sum.cases / 20 && sum.jumps < sum.cases * 3 / 4);
}

Test(grid_jump, is_not_taken_where_a_star_is_asked_for) {
    tally sum = run(4, 1000, WEND_ENGINE_ASTAR, true);
    check_tally(&sum);
    cr_assert_eq(sum.jumps, 0);
}
