/* SPDX-License-Identifier: MIT */
/* Maps from levels: where one can go, what it costs, and which levels are refused. */
#include "levels.h"
#include "models/defaults.h"
#include "models/dijkstra.h"

#include <criterion/criterion.h>
#include <math.h>
#include <string.h>
#include <wend/acceleration.h>

#include "ground/sheets.h"

static test_level level;

static void begin_level(void) {
    level.vertex_count = level.triangle_count = 0;
    level.terrain = WEND_CLASS_OPEN;
}

static wend_ground *make_ground(const wend_ground_def *def, wend_map **map) {
    wend_ground *ground = NULL;
    wend_file_error error = {.struct_bytes = sizeof error};
    cr_assert_eq(wend_ground_create(def, &ground, map, &error), WEND_OK, "%s", error.text);
    return ground;
}

static wend_ground_info info_of(const wend_ground *ground) {
    wend_ground_info info = {.struct_bytes = sizeof info};
    cr_assert_eq(wend_ground_get_info(ground, &info), WEND_OK);
    return info;
}

static wend_cell cell_at(const wend_ground *ground, float x, float y, float z) {
    wend_cell cell = {-1, -1, -1};
    cr_assert_eq(wend_ground_get_cell(ground, (float[]){x, y, z}, .5f, &cell), WEND_OK, "%g,%g,%g", (double)x,
                 (double)y, (double)z);
    return cell;
}

static int64_t cost_between(wend_map *map, wend_cell from, wend_cell to) {
    const wend_request request = path_request(map, from, to);
    wend_search_def def = default_search();
    def.nodes = 1 << 20;
    wend_search *search;
    cr_assert_eq(wend_search_create(&def, &search), WEND_OK);
    cr_assert_eq(wend_search_begin(search, &request), WEND_OK);
    const wend_status status = wend_search_step(search, UINT64_MAX / 2, NULL);
    const int64_t cost = status == WEND_STATUS_FOUND ? result_now(search).cost : -1;
    cr_assert(status == WEND_STATUS_FOUND || status == WEND_STATUS_NO_PATH);
    wend_search_destroy(search);
    return cost;
}

Test(ground_level, a_floor_is_one_sheet_with_a_rim_as_wide_as_the_agent) {
    begin_level();
    add_floor(&level, 0, 0, 9, 6, 0);
    const wend_ground_def def = level_def(&level);
    wend_map *map;
    wend_ground *ground = make_ground(&def, &map);
    const wend_ground_info info = info_of(ground);
    cr_expect_eq(info.sheets, 1);
    cr_expect_eq(info.seams, 0);
    float point[3];
    const wend_cell left = cell_at(ground, 1, 0, 3), right = cell_at(ground, 8, 0, 3);
    cr_expect_eq(wend_ground_get_world(ground, left, point), WEND_OK);
    cr_expect(fabsf(point[0] - 1) <= .16f && fabsf(point[2] - 3) <= .16f && fabsf(point[1]) <= .11f);
    cr_expect_eq(cost_between(map, left, right), 10 * (right.x - left.x));
    wend_cell cell;
    cr_expect_eq(wend_ground_get_cell(ground, (float[]){.2f, 0, 3}, .3f, &cell), WEND_EMPTY, "beside the rim");
    cr_expect_eq(wend_ground_get_cell(ground, (float[]){.2f, 0, 3}, .8f, &cell), WEND_OK);
    cr_expect_eq(wend_ground_get_cell(ground, (float[]){4, 9, 3}, 2, &cell), WEND_EMPTY, "far above");
    wend_ground_destroy(ground);
    wend_map_release(map);
}

/* Two floors and a ramp between; a third floor that only those who fly would reach. */
static void build_house(void) {
    begin_level();
    add_floor(&level, 0, 0, 20, 20, 0);
    add_floor(&level, 10, 0, 20, 20, 3);
    add_ramp(&level, 2, 4, 10, 8, 0, 3);
    add_floor(&level, 0, 12, 8, 20, 9);
}

Test(ground_level, floors_above_each_other_are_reached_by_ramps_alone) {
    build_house();
    const wend_ground_def def = level_def(&level);
    wend_map *map;
    wend_ground *ground = make_ground(&def, &map);
    cr_expect(info_of(ground).sheets >= 2);
    cr_expect(info_of(ground).seams > 0);
    const wend_cell low = cell_at(ground, 15, 0, 15), high = cell_at(ground, 15, 3, 15),
                    roof = cell_at(ground, 4, 9, 16);
    cr_expect(!same_cell(low, high));
    float point[3];
    wend_ground_get_world(ground, high, point);
    cr_expect(fabsf(point[1] - 3) <= .11f);
    const int64_t down = cost_between(map, high, low);
    cr_expect(down > 10 * (int64_t)(8 / .3f), "by the ramp: %d", (int)down);
    cr_expect_eq(cost_between(map, low, high), down);
    cr_expect_eq(cost_between(map, low, roof), -1);
    wend_ground_destroy(ground);
    wend_map_release(map);
}

Test(ground_level, with_z_up_has_the_same_map) {
    build_house();
    const wend_ground_def def = level_def(&level);
    wend_map *maps[2];
    wend_ground *grounds[2];
    grounds[0] = make_ground(&def, &maps[0]);
    for (size_t i = 0; i < level.vertex_count; i++) {
        float *v = &level.vertices[3 * i];
        const float y = v[1];
        v[1] = -v[2];
        v[2] = y;
    }
    wend_ground_def turned = level_def(&level);
    turned.y_up = 0;
    grounds[1] = make_ground(&turned, &maps[1]);
    const wend_map_info a = info_now(maps[0]), b = info_now(maps[1]);
    cr_assert(a.width == b.width && a.height == b.height && a.links == b.links);
    for (int32_t y = 0; y < a.height; y++) {
        for (int32_t x = 0; x < a.width; x++) {
            uint8_t classes[2];
            float points[2][3];
            for (int i = 0; i < 2; i++) wend_map_get_terrain(maps[i], (wend_cell){x, y, 0}, &classes[i]);
            cr_assert_eq(classes[0], classes[1]);
            if (!classes[0]) continue;
            for (int i = 0; i < 2; i++) wend_ground_get_world(grounds[i], (wend_cell){x, y, 0}, points[i]);
            cr_assert(points[0][0] == points[1][0] && points[0][1] == points[1][2] && points[0][2] == -points[1][1]);
            wend_cell back;
            cr_assert_eq(wend_ground_get_cell(grounds[1], points[1], .05f, &back), WEND_OK);
            cr_assert(same_cell(back, (wend_cell){x, y, 0}));
        }
    }
    for (int i = 0; i < 2; i++) {
        wend_ground_destroy(grounds[i]);
        wend_map_release(maps[i]);
    }
}

static float hill(void *context, int32_t x, int32_t y) {
    (void)context;
    return x > 20 && x < 24 && y != 15 ? 40 : .2f * (float)x;
}

Test(ground_level, of_heights_has_walls_where_it_is_steep) {
    wend_ground_def def;
    wend_ground_def_init(&def, sizeof def);
    def.heights = hill;
    def.columns = 40;
    def.rows = 30;
    wend_map *map;
    wend_ground *ground = make_ground(&def, &map);
    const wend_cell west = cell_at(ground, 5, 1, 15), also_west = cell_at(ground, 15, 3, 2);
    cr_expect(cost_between(map, west, also_west) > 0);
    cr_expect_eq(cost_between(map, west, cell_at(ground, 30, 6, 15)), -1, "the ridge parts them");
    wend_ground_destroy(ground);
    wend_map_release(map);
}

/* Two floors with a gap of 1 m between, and a lower one beside the second, 2 m down. */
static void build_cliffs(void) {
    begin_level();
    add_block(&level, 0, 0, 8, 9, -6, 0);
    add_block(&level, 9, 0, 16, 9, -6, 0);
    add_block(&level, 16, 0, 24, 9, -6, -2);
}

static void expect_leaps(float drop, float jump, bool across, bool down) {
    wend_ground_def def = level_def(&level);
    def.drop = drop;
    def.jump = jump;
    wend_map *map;
    wend_ground *ground = make_ground(&def, &map);
    const wend_cell west = cell_at(ground, 4, 0, 4), middle = cell_at(ground, 12, 0, 4),
                    east = cell_at(ground, 20, -2, 4);
    cr_expect_eq(cost_between(map, west, middle) > 0, across, "drop %g, jump %g", (double)drop, (double)jump);
    cr_expect_eq(cost_between(map, middle, west) > 0, across);
    cr_expect_eq(cost_between(map, middle, east) > 0, down);
    cr_expect_eq(cost_between(map, east, middle), -1, "nobody leaps up");
    cr_expect_eq(info_of(ground).leaps > 0, across || down);
    cr_expect(info_of(ground).leaps < 40);
    wend_ground_destroy(ground);
    wend_map_release(map);
}

Test(ground_level, has_links_over_gaps_and_down) {
    build_cliffs();
    expect_leaps(0, 0, false, false);
    expect_leaps(1.5f, 2, false, false);
    expect_leaps(2.2f, 0, false, true);
    expect_leaps(0, 3, true, false);
    expect_leaps(2.2f, 3, true, true);
    /* A wall in the gap. */
    add_block(&level, 8.3f, 0, 8.7f, 9, -6, 1.5f);
    expect_leaps(2.2f, 3, false, true);
}

/* ---- costs, against Dijkstra over the spans ---- */

typedef struct judged {
    ground_spans spans;
    ground_layout layout;
    wend_map_rules rules;
    int64_t *distances;
} judged;

/* A neighbour by steps of Recast's, worked out again: a diagonal needs both ways round to meet. */
static int32_t step_to(const ground_spans *g, int32_t from, int32_t dx, int32_t dy) {
    const int32_t across = dx < 0 ? 0 : 2, along = dy < 0 ? 3 : 1;
    const int32_t *next = g->spans[from].next;
    if (dy == 0) return next[across];
    if (dx == 0) return next[along];
    if (next[across] < 0 || next[along] < 0) return -1;
    const int32_t one = g->spans[next[across]].next[along], two = g->spans[next[along]].next[across];
    return one >= 0 && one == two ? one : -1;
}

static void measure_from(judged *j, int32_t start) {
    dijkstra d;
    int at;
    dijkstra_begin(&d, j->distances, j->spans.count);
    dijkstra_reach(&d, start, 0);
    while (dijkstra_next(&d, &at)) {
        for (int32_t dy = -1; dy <= 1; dy++) {
            for (int32_t dx = -1; dx <= 1; dx++) {
                const int32_t to = dx || dy ? step_to(&j->spans, at, dx, dy) : -1;
                if (to < 0) continue;
                const int32_t factor = j->rules.factors[j->spans.spans[to].terrain];
                if (factor > 0) dijkstra_reach(&d, to, j->distances[at] + factor * (dx && dy ? 14 : 10));
            }
        }
    }
    dijkstra_end(&d);
}

static void check_costs(judged *j, wend_map *map, uint64_t *seed) {
    for (int i = 0; i < 4; i++) {
        const int32_t from = (int32_t)draw(seed, j->spans.count);
        measure_from(j, from);
        for (int k = 0; k < 25; k++) {
            const int32_t to = (int32_t)draw(seed, j->spans.count);
            if (to == from) continue;
            const wend_cell a = wend__ground_cell_of(&j->spans, &j->layout, from),
                            b = wend__ground_cell_of(&j->spans, &j->layout, to);
            cr_assert_eq(wend__ground_span_of(&j->spans, &j->layout, b), to);
            const int64_t cost = cost_between(map, a, b);
            cr_assert_eq(cost, j->distances[to], "%d,%d to %d,%d: %lld, not %lld", a.x, a.y, b.x, b.y, (long long)cost,
                         (long long)j->distances[to]);
        }
    }
}

Test(ground_level, costs_are_those_of_its_spans) {
    uint64_t seed = 7;
    uint32_t sheets = 0, seams = 0;
    for (int round = 0; round < 40; round++) {
        random_level(&level, &seed);
        const wend_ground_def def = level_def(&level);
        ground_trouble trouble;
        wend_map *map;
        wend_ground *ground = make_ground(&def, &map);
        judged j = {.rules = rules_now(map)};
        cr_assert(wend__ground_voxelise(&def, def.vertices, &j.spans, NULL, &trouble));
        cr_assert(wend__ground_cut(&j.spans, &j.layout, &trouble));
        j.distances = malloc(j.spans.count * sizeof *j.distances);
        if (round % 2) {
            const wend_acceleration tables = default_acceleration();
            cr_assert_eq(wend_map_accelerate(map, &tables), WEND_OK);
        }
        check_costs(&j, map, &seed);
        sheets += j.layout.count;
        seams += info_of(ground).seams;
        free(j.distances);
        free(j.layout.sheet_of);
        wend__ground_drop_spans(&j.spans);
        wend_ground_destroy(ground);
        wend_map_release(map);
    }
    cr_expect(sheets > 60 && seams > 500, "%u sheets, %u seams", (unsigned)sheets, (unsigned)seams);
}

/* ---- what is refused ---- */

static void expect_refused(const wend_ground_def *def, wend_error code, const char *text) {
    wend_ground *ground = NULL;
    wend_map *map = NULL;
    wend_file_error error = {.struct_bytes = sizeof error};
    cr_expect_eq(wend_ground_create(def, &ground, &map, &error), code, "%s", text);
    cr_expect_str_eq(error.text, text);
    cr_expect(!ground && !map);
    cr_expect_eq(wend_ground_create(def, &ground, &map, NULL), code);
}

Test(ground_level, that_is_wrong_is_refused_with_its_place) {
    begin_level();
    add_floor(&level, 0, 0, 9, 9, 0);
    wend_ground_def def = level_def(&level);
    level.vertices[3 * 4 + 1] = NAN;
    expect_refused(&def, WEND_BAD_ARGUMENT, "vertex 4: y is no number");
    level.vertices[3 * 4 + 1] = INFINITY;
    expect_refused(&def, WEND_BAD_ARGUMENT, "vertex 4: y is no number");
    level.vertices[3 * 4 + 1] = 0;
    level.triangles[5] = 6;
    expect_refused(&def, WEND_BAD_ARGUMENT, "triangle 1: vertex 6 of 6");
    level.triangles[5] = 5;
    def.triangle_count = 0;
    expect_refused(&def, WEND_BAD_ARGUMENT, "there are no triangles");
    def = level_def(&level);
    def.struct_bytes = 8;
    expect_refused(&def, WEND_BAD_ARGUMENT, "struct_bytes");
    def = level_def(&level);
    def.cell = 0;
    expect_refused(&def, WEND_BAD_ARGUMENT, "cell is 0, but must be above 0, and at most 1e+09");
    def = level_def(&level);
    def.radius = -1;
    expect_refused(&def, WEND_BAD_ARGUMENT, "radius is -1, but must be at least 0, and at most 76.5");
    def = level_def(&level);
    def.slope = 90;
    expect_refused(&def, WEND_BAD_ARGUMENT, "slope is 90, but must be at least 0, and at most 89");
    def = level_def(&level);
    def.cell = 9.f / WEND_MAX_GROUND_SIDE * .99f;
    def.radius = 0;
    expect_refused(&def, WEND_UNSUPPORTED, "more than 16,384 columns on a side: take larger cells");
    memset(level.classes, 0, sizeof level.classes);
    def = level_def(&level);
    expect_refused(&def, WEND_EMPTY,
                   "there is nowhere to stand (do triangles turn counter-clockwise, seen from above?)");
}

Test(ground_level, keeps_the_rules_of_its_definition) {
    begin_level();
    level.terrain = 4;
    add_floor(&level, 0, 0, 9, 9, 0);
    wend_ground_def def = level_def(&level);
    wend_map_def map_def = default_map();
    wend_map_rules rules = default_rules();
    rules.cost_straight = 1000;
    rules.cost_diagonal = 1414;
    map_def.rules = &rules;
    def.map = &map_def;
    wend_map *map;
    wend_ground *ground = make_ground(&def, &map);
    const wend_cell a = cell_at(ground, 2, 0, 4), b = cell_at(ground, 6, 0, 4);
    cr_expect_eq(cost_between(map, a, b), 4000 * (b.x - a.x));
    wend_ground_destroy(ground);
    wend_map_release(map);
    rules.corners = WEND_CORNERS_ALWAYS;
    expect_refused(&def, WEND_UNSUPPORTED, "the rules of a ground: neighbours 8, corners never");
}

Test(ground_level, may_have_62_classes) {
    begin_level();
    for (uint8_t i = 0; i < WEND_MAX_GROUND_CLASSES + 1; i++) {
        level.terrain = (uint8_t)(i + 1);
        add_floor(&level, 3.f * i, 0, 3.f * i + 3, 9, 0);
        if (i + 1 < WEND_MAX_GROUND_CLASSES) continue;
        const wend_ground_def def = level_def(&level);
        if (i == WEND_MAX_GROUND_CLASSES) {
            expect_refused(&def, WEND_UNSUPPORTED, "more than 62 terrain classes");
            continue;
        }
        wend_map *map;
        wend_ground *ground = make_ground(&def, &map);
        for (uint8_t c = 1; c <= WEND_MAX_GROUND_CLASSES; c++) {
            uint8_t found = 0;
            wend_map_get_terrain(map, cell_at(ground, 3.f * c - 1.5f, 0, 4.5f), &found);
            cr_expect_eq(found, c);
        }
        wend_ground_destroy(ground);
        wend_map_release(map);
    }
}
