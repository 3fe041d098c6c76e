/* SPDX-License-Identifier: MIT */
/* Pulled lines that keep a distance from all that blocks: by samples, and next to shortest ways of a disc. */
#include "models/any_angle.h"
#include "models/both.h"
#include "models/clear_shortest.h"
#include "models/few_or_many.h"
#include "motion/motion_support.h"
#include "motion/unpull.h"

#include <criterion/criterion.h>
#include <math.h>
#include <wend/geometry.h>
#include <wend/movers.h>
#include <wend/query.h>
#include <wend/units.h>
#include <wend/ways.h>

enum { SIDE = 48, CELLS = SIDE * SIDE, ROOM = 8192 };

/// A map, and its data for a sampler.
typedef struct land {
    wend_map *map;
    uint8_t open[CELLS];
    bool walls[CELLS][2]; ///< between a cell and the next one, right and down
    clear_ground ground;
    int32_t mover;
    double shift;
} land;

/* Two calls as arguments of one would come in any order. */
static wend_cell random_cell(oracle_random *random) {
    const int x = oracle_below(random, SIDE), y = oracle_below(random, SIDE);
    return cell_of(x, y);
}

static bool is_walled(const clear_ground *ground, int32_t x, int32_t y, int32_t dx, int32_t dy) {
    const land *l = ground->context;
    (void)dy;
    return x >= 0 && y >= 0 && x < SIDE && y < SIDE && l->walls[y * SIDE + x][dx ? 0 : 1];
}

static void add_walls(land *l, wend_edit *edit, oracle_random *random, int count) {
    for (int i = 0; i < count; i++) {
        const wend_cell a = random_cell(random);
        const int down = oracle_below(random, 2), both = oracle_below(random, 4) > 0;
        const wend_cell b = cell_of(a.x + !down, a.y + down);
        if (b.x >= SIDE || b.y >= SIDE) continue;
        l->walls[a.y * SIDE + a.x][down] = true;
        cr_assert_eq(both ? set_step_both(edit, a, b, 0) : wend_edit_set_step(edit, a, b, false), WEND_OK);
    }
}

/* Noise, rooms or open ground. */
static void fill(uint8_t *open, oracle_random *random, int kind, int percent) {
    for (int i = 0; i < CELLS; i++) open[i] = oracle_below(random, 100) >= percent;
    for (int i = 0; i < CELLS && kind == 1; i++) open[i] = i % SIDE % 8 != 7 && i / SIDE % 8 != 7;
    for (int i = 0; i < 60 && kind == 1; i++) {
        const int x = oracle_below(random, SIDE), y = oracle_below(random, SIDE);
        open[i % 2 ? y * SIDE + x / 8 * 8 + 7 : (y / 8 * 8 + 7) * SIDE + x] = 1;
    }
}

static void make_land(land *l, oracle_random *random, int kind, int percent, int walls, int32_t corners) {
    wend_map_def def = default_map();
    wend_map_rules rules = default_rules();
    memset(l, 0, sizeof *l);
    rules.corners = corners;
    def.kind = WEND_KIND_GRID, def.width = SIDE, def.height = SIDE, def.rules = &rules;
    cr_assert_eq(wend_map_create(&def, &l->map), WEND_OK);
    fill(l->open, random, kind, percent);
    IN_BATCH(
        l->map,
        cr_assert_eq(wend_edit_set_box(edit, (wend_box){{0, 0, 0}, {SIDE - 1, SIDE - 1, 0}}, l->open, SIDE), WEND_OK);
        add_walls(l, edit, random, walls));
    l->ground = (clear_ground){.open = l->open, .width = SIDE, .height = SIDE, .walled = is_walled, .context = l};
}

static void set_size(land *l, int32_t size) {
    wend_mover mover = default_mover();
    mover.size = size;
    cr_assert_eq(wend_map_add_mover(l->map, &mover, &l->mover), WEND_OK);
    l->shift = (size - 1) / 2.0;
}

static size_t find_cells(const land *l, wend_cell a, wend_cell b, wend_cell *cells) {
    const wend_search_def def = default_search();
    wend_request request = default_request();
    size_t count = 0;
    request.map = l->map, request.mover = l->mover, request.start = a, request.goal = b;
    wend_search *search = made_search(&def);
    cr_assert_eq(wend_search_begin(search, &request), WEND_OK);
    if (wend_search_step(search, UINT64_MAX, NULL) == WEND_STATUS_FOUND)
        cr_assert_eq(wend_search_get_path(search, cells, CELLS, &count), WEND_OK);
    wend_search_destroy(search);
    return count;
}

static size_t points_of(const wend_turn *turns, size_t count, wend_point *points) {
    cr_assert(count <= ROOM);
    for (size_t i = 0; i < count; i++) {
        const wend_turn *t = &turns[i];
        cr_assert(t->offset_x >= -500 && t->offset_x < 500 && t->offset_y >= -500 && t->offset_y < 500);
        points[i] = (wend_point){1000 * t->cell.x + t->offset_x, 1000 * t->cell.y + t->offset_y, 0};
    }
    return count;
}

static size_t pull_with(const land *l, bool search, uint32_t radius, const wend_cell *cells, size_t count,
                        wend_turn *turns) {
    size_t found;
    wend_pull_def def;
    wend_pull_def_init(&def, sizeof def);
    def.mover = l->mover, def.radius_milli = radius, def.search = search;
    cr_assert_eq(wend_path_pull(l->map, &def, cells, count, turns, ROOM, &found), WEND_OK);
    return found;
}

static size_t pull_turns(const land *l, uint32_t radius, const wend_cell *cells, size_t count, wend_turn *turns) {
    return pull_with(l, 0, radius, cells, count, turns);
}

/* The points of the cells of a path. */
static size_t points_of_cells(const wend_cell *cells, size_t count, wend_point *points) {
    for (size_t i = 0; i < count; i++) points[i] = (wend_point){1000 * cells[i].x, 1000 * cells[i].y, 0};
    return count;
}

static double sampled(const land *l, const wend_point *points, size_t count, double most) {
    return clear_sampled(&l->ground, points, count, l->shift, .02, most);
}

static uint32_t clearance_of(const land *l, const wend_point *points, size_t count) {
    uint32_t clearance;
    cr_assert_eq(wend_line_clearance(l->map, l->mover, points, count, &clearance), WEND_OK);
    return clearance;
}

/* ---- the distance ---- */

/// Results for the lines of one kind of land.
typedef struct tally {
    int paths, narrow, turns;
} tally;

/* No sample of the line is nearer than the radius; where the path is narrower, than that or half the mover. */
static void check_line(const land *l, bool search, uint32_t radius, const wend_cell *cells, size_t count, tally *t) {
    static wend_turn turns[ROOM];
    static wend_point points[ROOM], path[CELLS];
    const size_t found = pull_with(l, search, radius, cells, count, turns);
    points_of(turns, found, points);
    const double wide = sampled(l, path, points_of_cells(cells, count, path), radius / 1000.0);
    const double line = sampled(l, points, found, 3);
    const uint32_t clearance = clearance_of(l, points, found);
    const bool narrow = wide < radius / 1000.0; /* then samples miss the nearest point, by half their spacing at most */
    cr_assert(line >= (narrow ? fmin(wide, l->shift + .5) - .01 : wide - 1e-9), "radius %u: %f, path %f",
              (unsigned)radius, line, wide);
    cr_assert(clearance / 1000.0 <= line + 1e-9 || line == 3, "%u, sampled %f", (unsigned)clearance, line);
    cr_assert(line == 3 || clearance / 1000.0 >= line - .01, "%u, sampled %f", (unsigned)clearance, line);
    cr_assert(clear_length(points, found) <= clear_length(path, count) + 1e-9);
    cr_assert(same_cell(turns[0].cell, cells[0]) && same_cell(turns[found - 1].cell, cells[count - 1]));
    cr_assert(turns[0].index == 0 && turns[found - 1].index == count - 1);
    for (size_t i = 1; i < found; i++) cr_assert(turns[i].index >= turns[i - 1].index);
    t->paths++, t->narrow += narrow, t->turns += (int)found;
}

static void check_lines(land *l, oracle_random *random, const uint32_t *radii, int radius_count, tally *t) {
    for (int i = 0; i < 12; i++) {
        static wend_cell cells[CELLS];
        const wend_cell a = random_cell(random);
        const wend_cell b = random_cell(random);
        const size_t count = find_cells(l, a, b, cells);
        for (int k = 0; k < radius_count && count > 0; k++) check_line(l, i % 2 != 0, radii[k], cells, count, t);
    }
}

static const uint32_t radii[] = {1, 7, 250, 400, 499, 500, 501, 707, 1000, 1300, 2500};
enum { RADII = sizeof radii / sizeof *radii };

Test(clear, no_point_of_a_line_is_nearer_than_the_radius) {
    oracle_random random = {11};
    tally t = {0};
    int lands = 0;
    for (int round = 0; round < 60; round += few_or_many(11, 1), lands++) {
        land l;
        make_land(&l, &random, round % 2, round % 2 ? 0 : round / 2, 0, round % 3);
        check_lines(&l, &random, radii, RADII, &t);
        wend_map_release(l.map);
    }
    cr_assert(t.paths > 16 * lands && t.narrow > 3 * lands / 2 && t.turns > 5 * t.paths, "%d %d %d", t.paths, t.narrow,
              t.turns);
}

Test(clear, thin_walls_keep_lines_away) {
    oracle_random random = {12};
    tally t = {0};
    int lands = 0;
    for (int round = 0; round < 40; round += few_or_many(8, 1), lands++) {
        land l;
        make_land(&l, &random, 0, round % 10, 40 + 10 * round, round % 3);
        check_lines(&l, &random, radii, RADII, &t);
        wend_map_release(l.map);
    }
    cr_assert(t.paths > 25 * lands && t.narrow > lands, "%d %d", t.paths, t.narrow);
}

Test(clear, larger_movers_are_discs_round_the_middle_of_their_cells) {
    static const uint32_t wide[] = {400, 900, 1000, 1400, 1500};
    oracle_random random = {13};
    tally t = {0};
    int lands = 0;
    for (int round = 0; round < 40; round += few_or_many(5, 1), lands++) {
        land l;
        make_land(&l, &random, 0, round % 6, 0, 0);
        set_size(&l, 2 + round % 2);
        check_lines(&l, &random, wide, 5, &t);
        wend_map_release(l.map);
    }
    cr_assert(t.paths > 12 * lands, "%d", t.paths);
}

/* ---- the length ---- */

/// Ratios of lines to a shortest way of the disc; of a point where the radius is 1.
typedef struct ratios {
    double sum, most;
    int paths, over; ///< over: more than 1.01
} ratios;

static double shortest(const land *l, uint32_t radius, wend_cell a, wend_cell b, double limit) {
    if (radius > 1) return clear_shortest(&l->ground, radius / 1000.0, a, b, limit);
    any_angle *plan = any_angle_create(l->open, SIDE, SIDE, ANY_ANGLE_POINTS);
    const double exact = any_angle_length(plan, a.x, a.y, b.x, b.y, limit);
    any_angle_free(plan);
    return exact;
}

static ratios measure(int kind, int percent, uint32_t radius, bool search) {
    oracle_random random = {5};
    ratios r = {0};
    const int rounds = enough_or_many(4, 12);
    for (int round = 0; round < rounds; round++) {
        static wend_turn turns[ROOM];
        static wend_point points[ROOM];
        static wend_cell cells[CELLS];
        land l;
        make_land(&l, &random, kind, percent, 0, 0);
        l.ground.walled = NULL;
        for (int i = 0; i < 8; i++) {
            const wend_cell a = random_cell(&random);
            const wend_cell b = random_cell(&random);
            const size_t count = find_cells(&l, a, b, cells);
            if (count < 2) continue;
            const size_t found = pull_with(&l, search, radius, cells, count, turns);
            const double length = clear_length(points, points_of(turns, found, points));
            const double exact = shortest(&l, radius, a, b, length + .01), ratio = length / exact;
            cr_assert(ratio > .999, "shorter than the shortest: %f, %f", length, exact);
            r.sum += ratio, r.most = fmax(r.most, ratio), r.over += ratio > 1.01, r.paths++;
        }
        wend_map_release(l.map);
    }
    cr_assert(r.paths > 2 * rounds);
    return r;
}

static const uint32_t judged[] = {1, 200, 400, 500};

Test(clear, lines_are_within_a_percent_of_the_shortest_in_the_mean) {
    for (int i = 0; i < 4; i++) {
        const ratios open = measure(0, 0, judged[i], 0), noise = measure(0, 20, judged[i], 0);
        const ratios rooms = measure(1, 0, judged[i], 0);
        cr_assert(open.most < 1.0001 && rooms.most < 1.01, "%f %f", open.most, rooms.most);
        cr_assert(noise.sum / noise.paths < 1.01, "radius %u: %f", (unsigned)judged[i], noise.sum / noise.paths);
    }
}

Test(clear, searches_make_nearly_all_of_them_so_short) {
    int over = 0, paths = 0;
    for (int i = 0; i < 4; i++) {
        const ratios noise = measure(0, 20, judged[i], true);
        cr_assert(noise.sum / noise.paths < 1.0025, "radius %u: %f", (unsigned)judged[i], noise.sum / noise.paths);
        cr_assert(noise.most < 1.025, "radius %u: %f", (unsigned)judged[i], noise.most);
        over += noise.over, paths += noise.paths;
    }
    cr_assert(20 * over < paths, "%d of %d", over, paths);
}

/* ---- with other things ---- */

Test(clear, unpulled_lines_are_paths) {
    oracle_random random = {14};
    int paths = 0;
    for (int round = 0; round < 40; round++) {
        static wend_turn turns[ROOM];
        static wend_cell cells[CELLS], back[CELLS];
        land l;
        make_land(&l, &random, round % 2, round % 2 ? 0 : round / 2, 0, 0);
        for (int i = 0; i < 10; i++) {
            const wend_cell a = random_cell(&random);
            const wend_cell b = random_cell(&random);
            const size_t count = find_cells(&l, a, b, cells),
                         found = count ? pull_turns(&l, 400, cells, count, turns) : 0;
            size_t length, walked;
            uint64_t cost;
            if (count == 0) continue;
            cr_assert(unpull(l.map, l.mover, turns, found, back, CELLS, &length));
            cr_assert(same_cell(back[0], a) && same_cell(back[length - 1], b));
            cr_assert_eq(wend_map_path_cost(l.map, l.mover, back, length, &walked, &cost), WEND_OK);
            cr_assert_eq(walked, length);
            paths++;
        }
        wend_map_release(l.map);
    }
    cr_assert(paths > 100);
}

Test(clear, curves_keep_the_distance) {
    oracle_random random = {15};
    int curves = 0, longer = 0;
    for (int round = 0; round < 40; round++) {
        static wend_turn turns[ROOM];
        static wend_point points[ROOM];
        static wend_cell cells[CELLS];
        land l;
        make_land(&l, &random, round % 2, round % 2 ? 0 : round / 2, 0, 0);
        for (int i = 0; i < 10; i++) {
            const wend_cell a = random_cell(&random);
            const wend_cell b = random_cell(&random);
            const size_t count = find_cells(&l, a, b, cells),
                         found = count ? pull_turns(&l, 400, cells, count, turns) : 0;
            for (int32_t kind = WEND_ROUND_ARC; kind <= WEND_ROUND_SPLINE && count > 0; kind++) {
                wend_round_def def;
                size_t n;
                wend_round_def_init(&def, sizeof def);
                def.kind = kind, def.clearance_milli = 400;
                cr_assert_eq(wend_path_round(l.map, &def, turns, found, points, ROOM, &n), WEND_OK);
                cr_assert(n <= ROOM && sampled(&l, points, n, 1) >= .4 - 1e-9);
                curves++, longer += n > found;
            }
        }
        wend_map_release(l.map);
    }
    cr_assert(curves > 200 && longer > 100, "%d %d", curves, longer);
}

/* A unit blocks like a cell, if requested. */
Test(clear, units_keep_lines_away) {
    OWNED_MAP *map = open_map(9, 9);
    const wend_cell cells[] = {{0, 2, 0}, {1, 3, 0}, {2, 3, 0}, {3, 3, 0}, {4, 3, 0},
                               {5, 3, 0}, {6, 3, 0}, {7, 3, 0}, {8, 2, 0}};
    uint8_t open[81];
    wend_turn turns[16];
    wend_point points[16];
    size_t count;
    wend_pull_def def;
    wend_pull_def_init(&def, sizeof def);
    def.radius_milli = 400;
    memset(open, 1, sizeof open);
    open[2 * 9 + 4] = 0;
    const clear_ground ground = {.open = open, .width = 9, .height = 9};
    cr_assert_eq(wend_map_occupy(map, cell_of(4, 2)), WEND_OK);
    cr_assert_eq(wend_map_occupy(map, cell_of(0, 2)), WEND_OK); /* the mover's own */
    cr_assert_eq(wend_path_pull(map, &def, cells, 9, turns, 16, &count), WEND_OK);
    cr_assert_eq(count, 2);
    def.units = true;
    cr_assert_eq(wend_path_pull(map, &def, cells, 9, turns, 16, &count), WEND_OK);
    cr_assert(count > 2 && count <= 16);
    points_of(turns, count, points);
    cr_assert(clear_sampled(&ground, points, count, 0, .02, 1) >= .4 - 1e-9);
}

Test(clear, links_are_kept) {
    OWNED_MAP *map = open_map(30, 8);
    IN_BATCH(map, cr_assert_eq(wend_edit_add_link(edit, &(wend_link){cell_of(5, 5), cell_of(20, 2), 10, 0}), WEND_OK);
             cr_assert_eq(wend_edit_fill_box(edit, (wend_box){{12, 0, 0}, {12, 7, 0}}, 0), WEND_OK));
    const wend_cell cells[] = {{3, 3, 0}, {4, 4, 0}, {5, 5, 0}, {20, 2, 0}, {21, 2, 0}, {22, 3, 0}};
    wend_turn turns[8];
    wend_point points[8];
    wend_pull_def def;
    size_t count;
    uint32_t clearance;
    wend_pull_def_init(&def, sizeof def);
    def.radius_milli = 300;
    cr_assert_eq(wend_path_pull(map, &def, cells, 6, turns, 8, &count), WEND_OK);
    cr_assert_eq(count, 4);
    cr_assert(same_cell(turns[1].cell, cells[2]) && same_cell(turns[2].cell, cells[3]));
    points_of(turns, count, points);
    cr_assert_eq(wend_line_clearance(map, WEND_MOVER_DEFAULT, points, count, &clearance), WEND_OK);
    cr_assert_eq(clearance, 2500, "%u", (unsigned)clearance);
}

/* Slow ground: a line is not pulled into it. */
Test(clear, lines_do_not_cut_through_slow_ground) {
    const char *const rows[] = {".........", ".........", "..99999..", "..99999..", "..99999..", "........."};
    OWNED_MAP *map = text_map(rows, 6);
    const wend_cell cells[] = {{0, 5, 0}, {1, 4, 0}, {1, 3, 0}, {1, 2, 0}, {2, 1, 0}, {3, 1, 0},
                               {4, 1, 0}, {5, 1, 0}, {6, 1, 0}, {7, 1, 0}, {8, 2, 0}};
    wend_map_rules rules = rules_now(map);
    wend_turn turns[16];
    wend_pull_def def;
    size_t count;
    rules.factors[9] = 9;
    cr_assert_eq(wend_map_set_rules(map, &rules), WEND_OK);
    wend_pull_def_init(&def, sizeof def);
    def.radius_milli = 400;
    cr_assert_eq(wend_path_pull(map, &def, cells, 11, turns, 16, &count), WEND_OK);
    cr_assert(count > 3, "%zu", count);
    wend_cell back[32];
    size_t length;
    uint64_t cost, path_cost;
    cr_assert(unpull(map, 0, turns, count, back, 32, &length));
    cr_assert_eq(wend_map_path_cost(map, 0, back, length, NULL, &cost), WEND_OK);
    cr_assert_eq(wend_map_path_cost(map, 0, cells, 11, NULL, &path_cost), WEND_OK);
    cr_assert(cost <= path_cost, "%d %d", (int)cost, (int)path_cost);
}

Test(clear, limits) {
    OWNED_MAP *map = open_map(64, 64);
    const wend_cell cells[] = {{31, 31, 0}, {32, 31, 0}};
    const wend_point off[] = {{-501, 0, 0}}, rim[] = {{-500, 0, 0}, {500, 0, 0}};
    wend_turn turns[4];
    size_t count;
    uint32_t clearance = 7;
    wend_pull_def def;
    wend_pull_def_init(&def, sizeof def);
    cr_assert_eq(def.radius_milli, 0);
    def.radius_milli = WEND_MAX_CLEARANCE;
    cr_assert_eq(wend_path_pull(map, &def, cells, 2, turns, 4, &count), WEND_OK);
    cr_assert_eq(count, 2);
    def.radius_milli++;
    cr_assert_eq(wend_path_pull(map, &def, cells, 2, turns, 4, &count), WEND_BAD_ARGUMENT);
    cr_assert_eq(wend_line_clearance(map, 0, off, 1, &clearance), WEND_OUT_OF_RANGE);
    cr_assert_eq(wend_line_clearance(map, 1, rim, 2, &clearance), WEND_BAD_ARGUMENT);
    cr_assert_eq(wend_line_clearance(map, 0, rim, 0, &clearance), WEND_BAD_ARGUMENT);
    cr_assert_eq(clearance, 7);
    cr_assert_eq(wend_line_clearance(map, 0, rim, 2, &clearance), WEND_OK);
    cr_assert_eq(clearance, 0);
    wend_map_def space = default_map();
    space.kind = WEND_KIND_VOXEL, space.width = space.height = space.depth = 4;
    OWNED_MAP *voxels = made_map(&space);
    const wend_cell there[] = {{1, 1, 1}, {2, 1, 1}};
    def.radius_milli = 1;
    cr_assert_eq(wend_path_pull(voxels, &def, there, 2, turns, 4, &count), WEND_UNSUPPORTED);
    def.radius_milli = 0;
    cr_assert_eq(wend_path_pull(voxels, &def, there, 2, turns, 4, &count), WEND_OK);
    cr_assert_eq(wend_line_clearance(voxels, 0, rim + 1, 1, &clearance), WEND_UNSUPPORTED);
}

static uint64_t hash_points(uint64_t hash, const wend_point *points, size_t count) {
    for (size_t i = 0; i < count; i++) {
        hash = (hash ^ (uint32_t)points[i].x) * UINT64_C(0x100000001b3);
        hash = (hash ^ (uint32_t)points[i].y) * UINT64_C(0x100000001b3);
    }
    return hash;
}

/* The bytes of lines and of curves for vehicles must not depend on the compiler or its options. */
Test(clear, bytes_are_the_same_everywhere) {
    oracle_random random = {16};
    uint64_t lines = UINT64_C(0xcbf29ce484222325), curves = lines;
    for (int round = 0; round < 20; round++) {
        static wend_turn turns[ROOM];
        static wend_point points[ROOM];
        static wend_cell cells[CELLS];
        land l;
        make_land(&l, &random, 0, round, 0, 0);
        for (int i = 0; i < 6; i++) {
            const wend_cell a = random_cell(&random);
            const wend_cell b = random_cell(&random);
            const size_t count = find_cells(&l, a, b, cells);
            wend_round_def def;
            size_t n = 0;
            if (count == 0) continue;
            const size_t found = pull_with(&l, i % 2 != 0, 300 + 50 * (uint32_t)i, cells, count, turns);
            lines = hash_points(lines, points, points_of(turns, found, points));
            wend_round_def_init(&def, sizeof def);
            def.clearance_milli = 300, def.turning_milli = 900, def.heading_x = i % 3, def.heading_y = -1;
            if (wend_path_round(l.map, &def, turns, found, points, ROOM, &n) == WEND_OK)
                curves = hash_points(curves, points, n);
        }
        wend_map_release(l.map);
    }
    cr_assert_eq(lines, UINT64_C(0x472aab1d696e09d8), "%016llx", (unsigned long long)lines);
    cr_assert_eq(curves, UINT64_C(0x834ceba09f3b22b1), "%016llx", (unsigned long long)curves);
}
