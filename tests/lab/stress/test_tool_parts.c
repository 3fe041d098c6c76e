/* SPDX-License-Identifier: MIT */
/* The checks behind `wend stress`: its own step rules, its own Dijkstra, exact percentiles, the hash. */
#include <criterion/criterion.h>
#include <inttypes.h>

#include <wend/wend.h>
#include <wend/graph.h>
#include <wend/query.h>

#include "base/hash.h"
#include "oracle/terrain_copy.h"
#include "loads/edits.h"
#include "models/made.h"
#include "promises/checker.h"
#include "shared/array.h"

/* A map from rows of . and # and digits (terrain classes). */
static terrain_copy terrain_of(const char *const *rows, int32_t width, int32_t height, int32_t neighbours,
                               int32_t corners) {
    wend_map_def def = default_map();
    wend_map_rules def_rules = default_rules();
    def.rules = &def_rules, def.width = width, def.height = height;
    def_rules.neighbours = neighbours, def_rules.corners = corners;
    wend_map *map = made_map(&def);
    wend_edit *edit = begin_edit(map);
    for (int32_t y = 0; y < height; y++) {
        for (int32_t x = 0; x < width; x++) {
            char c = rows[y][x];
            uint8_t terrain = c == '#' ? 0 : c == '.' ? 1 : (uint8_t)(c - '0');
            cr_assert_eq(wend_edit_set_cell(edit, (wend_cell){x, y, 0}, terrain), WEND_OK);
        }
    }
    cr_assert_eq(wend_edit_publish(edit, NULL), WEND_OK);
    terrain_copy land;
    cr_assert_eq(terrain_read(map, &land), WEND_OK);
    wend_map_release(map);
    return land;
}

/* A map of open ground with a wall down the middle, if it is wider than a cell. */
static wend_map *walled_map(int32_t side) {
    wend_map *map = grid_map(side, side);
    wend_edit *edit = begin_edit(map);
    wend_box wall = {{side / 2, 1, 0}, {side / 2, side - 1, 0}};
    if (side > 1) cr_assert_eq(wend_edit_fill_box(edit, wall, WEND_CLASS_BLOCKED), WEND_OK);
    cr_assert_eq(wend_edit_publish(edit, NULL), WEND_OK);
    return map;
}

static int64_t cost(const terrain_copy *land, int32_t x0, int32_t y0, int32_t x1, int32_t y1) {
    dijkstra *search = dijkstra_create(land);
    cr_assert_not_null(search);
    int64_t result = dijkstra_cost(search, (wend_cell){x0, y0, 0}, (wend_cell){x1, y1, 0});
    /* The memory of a call must not change the result of the next call. */
    cr_assert_eq(dijkstra_cost(search, (wend_cell){x0, y0, 0}, (wend_cell){x1, y1, 0}), result);
    dijkstra_free(search);
    return result;
}

Test(stress_ground, allows_a_diagonal_by_corner_rule) {
    const char *const none[] = {"..", ".."}, *const one[] = {".#", ".."}, *const both[] = {".#", "#."};
    const char *const *const maps[] = {none, one, both};
    const uint64_t allowed[3][3] = {{14, 0, 0}, {14, 14, 0}, {14, 14, 14}}; /* by rule, then by walls */
    for (int32_t rule = 0; rule < 3; rule++) {
        for (int walls = 0; walls < 3; walls++) {
            OWNED(terrain_free) terrain_copy land = terrain_of(maps[walls], 2, 2, 8, rule);
            cr_expect_eq(terrain_step(&land, (wend_cell){0, 0, 0}, (wend_cell){1, 1, 0}), allowed[rule][walls],
                         "rule %d, %d walls", rule, walls);
            cr_expect_eq(terrain_step(&land, (wend_cell){1, 1, 0}, (wend_cell){0, 0, 0}), allowed[rule][walls]);
        }
    }
}

Test(stress_ground, knows_no_diagonal_with_four_neighbours) {
    const char *const rows[] = {"..", ".."};
    OWNED(terrain_free) terrain_copy land = terrain_of(rows, 2, 2, 4, WEND_CORNERS_ALWAYS);
    cr_expect_eq(terrain_step(&land, (wend_cell){0, 0, 0}, (wend_cell){1, 1, 0}), 0);
    cr_expect_eq(terrain_step(&land, (wend_cell){0, 0, 0}, (wend_cell){1, 0, 0}), 10);
    cr_expect_eq(terrain_step(&land, (wend_cell){1, 0, 0}, (wend_cell){2, 0, 0}), 0, "off the map");
    cr_expect_eq(terrain_step(&land, (wend_cell){0, 0, 0}, (wend_cell){0, 0, 0}), 0, "no step at all");
}

Test(stress_ground, walks_a_path_up_to_the_first_wrong_step) {
    const char *const rows[] = {"...#", "..3.", "...."};
    OWNED(terrain_free) terrain_copy land = terrain_of(rows, 4, 3, 8, WEND_CORNERS_NEVER);
    const wend_cell path[] = {{0, 0, 0}, {1, 1, 0}, {2, 1, 0}, {3, 0, 0}, {3, 1, 0}};
    uint64_t walked;
    cr_expect_eq(terrain_walk(&land, path, 5, &walked), 3);
    cr_expect_eq(walked, 14 + 30);
    const wend_cell leap[] = {{0, 0, 0}, {2, 0, 0}}, high[] = {{0, 0, 0}, {1, 0, 1}}, wall[] = {{3, 0, 0}};
    cr_expect_eq(terrain_walk(&land, leap, 2, &walked), 1);
    cr_expect_eq(terrain_walk(&land, high, 2, &walked), 1);
    cr_expect_eq(terrain_walk(&land, wall, 1, &walked), 0);
}

/* ---- all kinds of map: the copy's own rules agree with the library's answers to single steps ---- */

static wend_cell random_cell_of(uint64_t *seed, int32_t width, int32_t height, int32_t depth) {
    const uint64_t bits = wend__random(seed);
    return (wend_cell){(int32_t)(bits % (uint64_t)width), (int32_t)((bits >> 20) % (uint64_t)height),
                       (int32_t)((bits >> 40) % (uint64_t)depth)};
}

/* Random ground with links and closed steps, by rules. */
static wend_map *random_map(uint64_t seed, int32_t depth, int32_t neighbours, int32_t corners, bool closed) {
    enum { WIDTH = 9, HEIGHT = 7, LINKS = 8, CLOSED = 60 };
    wend_map_def def = default_map();
    wend_map_rules rules = default_rules();
    rules.neighbours = neighbours, rules.corners = corners;
    def.kind = depth > 1 ? WEND_KIND_VOXEL : WEND_KIND_GRID;
    def.width = WIDTH, def.height = HEIGHT, def.depth = depth, def.rules = &rules;
    wend_map *map = made_map(&def);
    wend_edit *edit = begin_edit(map);
    for (int i = 0; i < WIDTH * HEIGHT * depth / 3; i++)
        wend_edit_set_cell(edit, random_cell_of(&seed, WIDTH, HEIGHT, depth), i % 3 == 0 ? 3 : WEND_CLASS_BLOCKED);
    for (int i = 0; i < LINKS; i++) {
        const wend_cell from = random_cell_of(&seed, WIDTH, HEIGHT, depth);
        const wend_cell to = random_cell_of(&seed, WIDTH, HEIGHT, depth);
        if (!same_cell(from, to)) wend_edit_add_link(edit, &(wend_link){from, to, 1 + 7 * i, 0});
    }
    for (int i = 0; i < (closed ? CLOSED : 0); i++) {
        const wend_cell from = random_cell_of(&seed, WIDTH, HEIGHT, depth), by = random_cell_of(&seed, 3, 3, 3);
        const wend_cell to = {from.x + by.x - 1, from.y + by.y - 1, depth > 1 ? from.z + by.z - 1 : 0};
        const int axes = (by.x != 1) + (by.y != 1) + (depth > 1 && by.z != 1);
        const int most = neighbours == 26 ? 3 : neighbours == 8 || neighbours == 18 ? 2 : 1;
        if (to.x < 0 || to.y < 0 || to.z < 0 || to.x >= WIDTH || to.y >= HEIGHT || to.z >= depth) continue;
        if (axes >= 1 && axes <= most) wend_edit_set_step(edit, from, to, false);
    }
    cr_assert_eq(wend_edit_publish(edit, NULL), WEND_OK);
    return map;
}

/* Checks every pair of cells: the step and its cost. Lists of steps have exactly these, both ways. */
static void compare_steps(const wend_map *map, const terrain_copy *land) {
    uint64_t listed = 0, entered = 0, legal_steps = 0;
    for (uint32_t a = 0; a < land->cells; a++) {
        const terrain_next *nexts;
        if (land->factors[a] == 0) continue;
        listed += terrain_steps(land, a, false, &nexts);
        entered += terrain_steps(land, a, true, &nexts);
        for (uint32_t b = 0; b < land->cells; b++) {
            const wend_cell from = terrain_cell(land, a), to = terrain_cell(land, b);
            uint64_t expected = 0;
            wend_map_step_legal(map, WEND_MOVER_DEFAULT, from, to, NULL, &expected);
            legal_steps += expected > 0;
            cr_assert_eq(terrain_step(land, from, to), expected, "%d,%d,%d to %d,%d,%d: %" PRIu64, from.x, from.y,
                         from.z, to.x, to.y, to.z, expected);
        }
    }
    cr_expect_eq(listed, entered);
    cr_expect_geq(listed, legal_steps, "a link may stand beside a step");
    cr_expect_leq(listed, legal_steps + land->way_count);
}

Test(stress_ground, has_the_steps_of_all_kinds_of_grid) {
    static const struct { int32_t depth, neighbours; } kinds[] = {{1, 8}, {1, 4}, {5, 26}, {5, 18}, {5, 6}};
    for (size_t kind = 0; kind < sizeof kinds / sizeof kinds[0]; kind++)
        for (int32_t corners = WEND_CORNERS_NEVER; corners <= WEND_CORNERS_ALWAYS; corners++)
            for (uint64_t seed = 1; seed <= 3; seed++) {
                OWNED_MAP *map = random_map(seed, kinds[kind].depth, kinds[kind].neighbours, corners, seed > 1);
                OWNED(terrain_free) terrain_copy land;
                cr_assert_eq(terrain_read(map, &land), WEND_OK);
                cr_expect(land.one_way);
                cr_expect_eq(terrain_compare(&land, map), 0);
                compare_steps(map, &land);
            }
}

/* Node 3 does not exist; 4 leads nowhere. */
static wend_map *small_graph(void) {
    static const wend_edge edges[] = {{0, 1, 5}, {1, 2, 7}, {0, 2, 20}, {2, 0, 1}, {0, 2, 13}, {1, 4, 2}};
    static const uint8_t present[] = {1, 1, 1, 0, 1};
    wend_graph_def def = default_graph();
    def.node_count = 5, def.present = present, def.edges = edges;
    def.edge_count = sizeof edges / sizeof edges[0];
    return made_graph(&def);
}

Test(stress_ground, has_the_edges_of_a_graph) {
    OWNED_MAP *map = small_graph();
    OWNED(terrain_free) terrain_copy land;
    cr_assert_eq(terrain_read(map, &land), WEND_OK);
    cr_expect(!terrain_exists(&land, 3));
    cr_expect_eq(land.open, 4);
    cr_expect_eq(land.blocked, 0, "an absent node is not blocked");
    cr_expect_eq(land.home.count, 1);
    cr_expect_eq(terrain_step(&land, (wend_cell){0, 0, 0}, (wend_cell){2, 0, 0}), 13, "the cheapest of two");
    cr_expect_eq(terrain_step(&land, (wend_cell){1, 0, 0}, (wend_cell){0, 0, 0}), 0, "one way");
    cr_expect_eq(cost(&land, 0, 0, 2, 0), 12);
    cr_expect_eq(cost(&land, 0, 0, 4, 0), 7);
    cr_expect_eq(cost(&land, 4, 0, 0, 0), -1);
    compare_steps(map, &land);
    dijkstra *search = dijkstra_create(&land);
    cr_assert(dijkstra_flood(search, (wend_cell){2, 0, 0}));
    cr_expect_eq(dijkstra_flooded(search, (wend_cell){0, 0, 0}), 12);
    cr_expect_eq(dijkstra_flooded(search, (wend_cell){4, 0, 0}), -1, "no edge leaves it");
    dijkstra_free(search);
}

Test(stress_ground, follows_links_and_closed_steps) {
    OWNED_MAP *map = random_map(7, 1, 8, WEND_CORNERS_NEVER, true);
    OWNED(terrain_free) terrain_copy land;
    cr_assert_eq(terrain_read(map, &land), WEND_OK);
    cr_assert_gt(land.link_count, 0);
    cr_assert_gt(land.closed_count, 0);
    const terrain_way link = land.ways[0];
    const wend_step step = land.closed_steps[0];
    uint64_t epoch;
    wend_edit *edit = begin_edit(map);
    wend_edit_add_link(edit, &(wend_link){terrain_cell(&land, link.from), terrain_cell(&land, link.to), 99, 0});
    wend_edit_set_step(edit, step.from, step.to, true);
    cr_assert_eq(wend_edit_publish(edit, &epoch), WEND_OK);
    cr_expect_eq(terrain_compare(&land, map), 2, "one link, one step");
    terrain_begin_epoch(&land, epoch);
    cr_assert(terrain_set(&land, terrain_link_value(&land), 99));
    cr_assert(terrain_set(&land, terrain_step_value(&land), 0));
    cr_expect_eq(terrain_compare(&land, map), 0);
    compare_steps(map, &land);
    cr_assert(terrain_go_to(&land, epoch - 1));
    cr_expect_eq(terrain_get(&land, terrain_link_value(&land)), link.cost);
    cr_expect_eq(terrain_get(&land, terrain_step_value(&land)), 1);
}

/* ---- the checker on a map with one-way steps ---- */

/* Feeds one completion of a request from node 0 to node 2 of the small graph. Returns how many promises it breaks. */
static uint64_t judge(wend_status status, int64_t said, const wend_cell *cells, size_t count,
                      uint64_t *checked_optimum) {
    wend_map *map = small_graph();
    terrain_copy land;
    cr_assert_eq(terrain_read(map, &land), WEND_OK);
    promises ledger = {.keeper = PROMISE_CHECKER};
    const checker_def def = {.ledger = &ledger,
                             .land = &land,
                             .agents = 1,
                             .queue = 1,
                             .lanes = 1,
                             .slice = 1000,
                             .budget = 1000,
                             .max_path_cells = 5,
                             .nodes_suffice = true,
                             .sample_work = 1000,
                             .flood_work = 1000};
    checker *watch = checker_create(&def);
    wend_request request = default_request();
    request.goal.x = 2;
    wend_completion done = {.status = status,
                            .cost = said,
                            .cells = cells,
                            .cell_count = count,
                            .number = 1,
                            .expansions = 3,
                            .wait_frames = 1,
                            .frames = 1,
                            .exact = 1};
    checker_submitted(watch, 0, &request, WEND_OK, (wend_ticket){0, 0});
    checker_frame_begins(watch);
    checker_completed(watch, 0, &done);
    *checked_optimum = ledger.checked[CHECKER_optimum];
    const uint64_t broken = promises_broken(&ledger);
    checker_free(watch);
    terrain_free(&land);
    wend_map_release(map);
    return broken;
}

Test(stress_checker, finds_a_wrong_answer_on_a_graph) {
    const wend_cell best[] = {{0, 0, 0}, {1, 0, 0}, {2, 0, 0}}, direct[] = {{0, 0, 0}, {2, 0, 0}};
    const wend_cell back[] = {{0, 0, 0}, {4, 0, 0}, {2, 0, 0}};
    uint64_t compared = 0;
    cr_expect_eq(judge(WEND_STATUS_FOUND, 12, best, 3, &compared), 0);
    cr_expect_eq(compared, 1);
    cr_expect_eq(judge(WEND_STATUS_FOUND, 11, best, 3, &compared), 1, "a wrong cost");
    cr_expect_eq(judge(WEND_STATUS_FOUND, 13, direct, 2, &compared), 1, "not the cheapest");
    cr_expect_gt(judge(WEND_STATUS_FOUND, 12, back, 3, &compared), 0, "no such edge");
    cr_expect_eq(judge(WEND_STATUS_NO_PATH, -1, NULL, 0, &compared), 1, "there is one");
}

Test(stress_ground, tells_parts_apart) {
    const char *const rows[] = {".#.", ".#.", "#.#"};
    OWNED(terrain_free)
    terrain_copy apart = terrain_of(rows, 3, 3, 8, WEND_CORNERS_NEVER),
                 together = terrain_of(rows, 3, 3, 8, WEND_CORNERS_ALWAYS);
    cr_expect_eq(apart.home.count, 3);
    cr_expect_eq(apart.open, 5);
    cr_expect_eq(apart.home.labels[0], apart.home.labels[3]);
    cr_expect_neq(apart.home.labels[0], apart.home.labels[2]);
    cr_expect_eq(together.home.count, 1);
    cr_expect_eq(apart.blocked_cell, 1);
}

Test(stress_ground, goes_back_to_earlier_epochs_and_returns) {
    const char *const rows[] = {"...", "...", "..."};
    OWNED(terrain_free) terrain_copy land = terrain_of(rows, 3, 3, 8, WEND_CORNERS_NEVER);
    cr_assert_eq(land.epoch, 1);
    terrain_begin_epoch(&land, 2);
    cr_assert(terrain_set(&land, 4, 0));
    cr_assert(terrain_set(&land, 5, 7));
    terrain_begin_epoch(&land, 3); /* without a change */
    terrain_begin_epoch(&land, 4);
    cr_assert(terrain_set(&land, 4, 3));
    cr_assert(terrain_set(&land, 4, 9));                                     /* twice in a batch */
    const uint8_t expected[5][2] = {{0, 0}, {1, 1}, {0, 7}, {0, 7}, {9, 7}}; /* cells 4 and 5, by epoch */
    const uint64_t way[] = {1, 4, 3, 2, 1, 3, 4, 2, 4};
    for (size_t i = 0; i < sizeof way / sizeof way[0]; i++) {
        cr_assert(terrain_go_to(&land, way[i]));
        cr_expect_eq(land.factors[4], expected[way[i]][0], "epoch %d", (int)way[i]);
        cr_expect_eq(land.factors[5], expected[way[i]][1], "epoch %d", (int)way[i]);
    }
    cr_expect(!terrain_go_to(&land, 0) && !terrain_go_to(&land, 5));
    cr_assert(terrain_go_to(&land, 2));
    terrain_begin_epoch(&land, 5); /* from wherever it was */
    cr_expect_eq(land.factors[4], 9);
}

Test(stress_ground, forgets_what_is_too_long_ago_and_nothing_else) {
    const char *const rows[] = {".."};
    enum { EPOCHS = (1 << 20) + 1000, FIRST = 2 };
    OWNED(terrain_free) terrain_copy land = terrain_of(rows, 2, 1, 8, WEND_CORNERS_NEVER);
    for (uint64_t i = 0; i < EPOCHS; i++) {
        terrain_begin_epoch(&land, FIRST + i);
        cr_assert(terrain_set(&land, 1, (uint8_t)(i % 251)));
    }
    cr_expect(!terrain_go_to(&land, land.oldest - 1));
    cr_expect_gt(land.oldest, 1);
    cr_expect_lt(land.oldest, EPOCHS * 3 / 4);
    cr_assert(terrain_go_to(&land, land.oldest));
    cr_expect_eq(land.factors[1], (land.oldest - FIRST) % 251);
    cr_assert(terrain_go_to(&land, land.epoch));
    cr_expect_eq(land.factors[1], (EPOCHS - 1) % 251);
}

Test(stress_ground, finds_parts_anew_after_a_change) {
    const char *const rows[] = {".#.", ".#.", ".#."};
    OWNED(terrain_free) terrain_copy land = terrain_of(rows, 3, 3, 8, WEND_CORNERS_NEVER);
    terrain_parts parts = {0};
    terrain_begin_epoch(&land, 2);
    cr_assert(terrain_set(&land, 4, 1));
    cr_assert(terrain_find_parts(&land, &parts));
    cr_expect_eq(parts.count, 1);
    cr_expect_eq(parts.epoch, 2);
    cr_expect_eq(land.home.count, 2);
    terrain_begin_epoch(&land, 3);
    cr_assert(terrain_set(&land, 4, 0));
    cr_assert(terrain_find_parts(&land, &parts));
    cr_expect_eq(parts.count, 2);
    cr_expect_eq(parts.labels[4], 0);
    terrain_free_parts(&parts);
}

/* Frames of edits on a map with agents that stay where they are. */
static uint64_t edit_for(int32_t side, uint32_t crowd, uint64_t each, bool walls, uint64_t frames) {
    OWNED_MAP *map = walled_map(side);
    terrain_copy land;
    cr_assert_eq(terrain_read(map, &land), WEND_OK);
    agents_def people = {.land = &land,
                         .scenario = stress_scenario_find("even"),
                         .count = crowd,
                         .seed = 5,
                         .frames = frames,
                         .track_cells = true};
    agents *all = agents_create(&people);
    editor_def def = {.land = &land, .all = all, .each_frame = each, .walls = walls, .seed = 5};
    editor *hand = editor_create(&def);
    cr_assert(all != NULL && hand != NULL);
    uint64_t total = 0;
    for (uint64_t frame = 1; frame <= frames; frame++) {
        uint64_t cells = 0, before = land.epoch;
        cr_assert_eq(editor_go(hand, map, frame, &cells), WEND_OK);
        cr_expect_eq(land.epoch, before + (cells > 0));
        cr_expect(walls || cells <= each);
        cr_expect_eq(editor_compare(hand, map), 0);
        cr_expect_eq(terrain_compare(&land, map), 0);
        for (uint32_t i = 0; i < land.cells; i++) cr_assert(land.factors[i] > 0 || !agents_on(all, i));
        total += cells;
    }
    editor_free(hand);
    agents_free(all);
    terrain_free(&land);
    return total;
}

Test(stress_edits, make_as_many_as_asked_for) {
    cr_expect_eq(edit_for(80, 20, 7, false, 200), 7 * 200);
    uint64_t in_walls = edit_for(80, 20, 7, true, 200);
    cr_expect(in_walls > 6 * 200 && in_walls <= 7 * 200, "%d", (int)in_walls);
}

Test(stress_edits, leave_alone_where_agents_stand) {
    cr_expect_gt(edit_for(6, 12, 1000, false, 100), 100);
    cr_expect_eq(edit_for(1, 1, 1000, false, 100), 0);
}

Test(stress_edits, keep_the_character_of_the_map) {
    OWNED_MAP *map = walled_map(100);
    OWNED(terrain_free) terrain_copy land;
    cr_assert_eq(terrain_read(map, &land), WEND_OK);
    agents_def people = {.land = &land, .scenario = stress_scenario_find("walls"), .count = 1, .frames = 1};
    editor_def def = {.land = &land, .all = agents_create(&people), .each_frame = 10, .seed = 1};
    editor *hand = editor_create(&def);
    uint64_t cells;
    for (uint64_t frame = 1; frame <= 1000; frame++) cr_assert_eq(editor_go(hand, map, frame, &cells), WEND_OK);
    uint64_t changed = 0;
    cr_assert(terrain_go_to(&land, 1));
    for (uint64_t i = 0; i < land.cells; i++) {
        uint8_t before = land.factors[i];
        wend_cell cell = terrain_cell(&land, (uint32_t)i);
        uint8_t terrain;
        cr_assert_eq(wend_map_get_terrain(map, cell, &terrain), WEND_OK);
        changed += before != land.rules.factors[terrain];
    }
    cr_expect(changed > 50 && changed < 500, "%d of 10,000 after 10,000 edits", (int)changed);
    editor_free(hand);
    agents_free((agents *)def.all);
}

Test(stress_dijkstra, finds_what_can_be_counted_by_hand) {
    const char *const rows[] = {".....", ".###.", ".#...", "9...."};
    OWNED(terrain_free) terrain_copy land = terrain_of(rows, 5, 4, 8, WEND_CORNERS_NEVER);
    cr_expect_eq(cost(&land, 0, 0, 4, 0), 40);
    cr_expect_eq(cost(&land, 0, 0, 2, 2), 80, "round the wall: six straight steps, then two");
    cr_expect_eq(cost(&land, 0, 2, 0, 3), 90, "into slow ground");
    cr_expect_eq(cost(&land, 0, 3, 0, 2), 10, "out of slow ground");
    cr_expect_eq(cost(&land, 2, 2, 4, 3), 24);
    cr_expect_eq(cost(&land, 1, 1, 0, 0), -1, "from a blocked cell");
    cr_expect_eq(cost(&land, 0, 0, 1, 1), -1, "to a blocked cell");
    cr_expect_eq(cost(&land, 3, 3, 3, 3), 0);
}

Test(stress_series, gives_exact_percentiles) {
    series numbers = {0};
    wend_percentiles none = series_percentiles(&numbers);
    cr_expect(none.p50 == 0 && none.p99 == 0 && none.max == 0);
    for (uint64_t i = 1; i <= 1000; i++) cr_assert(series_add(&numbers, i));
    wend_percentiles p = series_percentiles(&numbers);
    cr_expect_eq(p.p50, 500);
    cr_expect_eq(p.p99, 990);
    cr_expect_eq(p.max, 1000);
    series_free(&numbers);
    cr_assert(series_add(&numbers, 7));
    p = series_percentiles(&numbers);
    cr_expect(p.p50 == 7 && p.p99 == 7 && p.max == 7);
    series_free(&numbers);
}

Test(stress_series, sorts_measurements) {
    OWNED(series_free) series values = {0};
    for (uint64_t i = 0; i < 1001; i++) cr_assert(series_add(&values, i * 7919 % 1001));
    wend_percentiles p = series_percentiles(&values);
    cr_expect_eq(p.p50, 500);
    cr_expect_eq(p.p99, 990);
    cr_expect_eq(p.max, 1000);
    cr_expect_eq(values.sum, 500500);
}

Test(stress_hash, is_fnv_over_little_endian_bytes) {
    cr_expect_eq(wend__hash_u32(WEND__HASH_START, 0x64636261), UINT64_C(0xFC179F83EE0724DD), "that of \"abcd\"");
    cr_expect_eq(wend__hash_u64(WEND__HASH_START, UINT64_C(0x0000000164636261)),
                 wend__hash_u32(wend__hash_u32(WEND__HASH_START, 0x64636261), 1));
}

static uint64_t hash_of(const wend_completion *c) {
    return wend__hash_answer(WEND__HASH_START, c->number, c->status, c->cost, c->cells, c->cell_count);
}

Test(stress_hash, hangs_on_all_that_makes_a_completion) {
    const wend_cell cells[] = {{1, 2, 0}, {2, 2, 0}}, others[] = {{1, 2, 0}, {2, 3, 0}};
    wend_completion c = {.status = WEND_STATUS_FOUND, .cost = 10, .cells = cells, .cell_count = 2, .number = 5};
    uint64_t all = hash_of(&c);
    wend_completion changed[5] = {c, c, c, c, c};
    changed[0].status = WEND_STATUS_PARTIAL;
    changed[1].cost = 11;
    changed[2].cells = others;
    changed[3].cell_count = 1;
    changed[4].number = 6;
    for (int i = 0; i < 5; i++) cr_expect_neq(hash_of(&changed[i]), all, "change %d", i);
    c.expansions = c.frames = 99;
    cr_expect_eq(hash_of(&c), all, "what it cost is not hashed");
}
