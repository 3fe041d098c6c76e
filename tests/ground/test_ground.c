/* SPDX-License-Identifier: MIT */
/* Maps from levels: reachable places, costs, and refused levels. */
#include "ground_rig.h"

#include <math.h>
#include <wend/acceleration.h>
#include <wend/ways.h>

static test_level level;

static void begin_level(void) {
    level.vertex_count = level.triangle_count = 0, level.terrain = WEND_CLASS_OPEN;
}

Test(ground_level, a_floor_is_one_sheet_with_a_rim_as_wide_as_the_agent) {
    begin_level();
    add_floor(&level, 0, 0, 9, 6, 0);
    const wend_ground_def def = level_def(&level);
    OWNED_MAP *map = NULL;
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
}

/* How many places there are on a floor, and on a ceiling over all of it, with levels of .2 and an agent 2 high. */
static uint32_t places_below(float ceiling, bool *below) {
    begin_level();
    add_floor(&level, 0, 0, 12, 12, 0);
    add_floor(&level, -3, -3, 15, 15, ceiling);
    wend_ground_def def = level_def(&level);
    def.radius = 0;
    wend_map *map;
    wend_ground *ground = make_ground(&def, &map);
    wend_cell cell;
    *below = wend_ground_get_cell(ground, (float[]){6, 0, 6}, .5f, &cell) == WEND_OK;
    const uint32_t places = info_of(ground).spans;
    wend_ground_destroy(ground);
    wend_map_release(map);
    return places;
}

/* A floor fills its level, so an agent of 2 needs 2.2. */
Test(ground_level, below_a_ceiling_just_high_enough_is_open_but_at_its_rim) {
    bool below;
    const uint32_t high = places_below(2.4f, &below);
    cr_expect(below);
    cr_expect_eq(places_below(2.2f, &below), high);
    cr_expect(below);
    cr_expect_lt(places_below(2, &below), high);
    cr_expect(!below);
}

/* Two floors and a ramp between; a third floor that only flying agents would reach. */
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
    OWNED_MAP *map = NULL;
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

static uint64_t hash_map(const wend_map *map) {
    static wend_link links[4000];
    static wend_step steps[4000];
    const wend_map_info info = info_now(map);
    size_t link_count, step_count;
    uint64_t hash = UINT64_C(14695981039346656037);
    for (int32_t i = 0; i < info.width * info.height; i++) {
        uint8_t terrain;
        wend_map_get_terrain(map, (wend_cell){i % info.width, i / info.width, 0}, &terrain);
        hash = (hash ^ terrain) * UINT64_C(1099511628211);
    }
    wend_map_get_links(map, links, 4000, &link_count);
    wend_map_get_closed_steps(map, steps, 4000, &step_count);
    cr_assert(link_count > 0 && link_count <= 4000 && step_count > 0 && step_count <= 4000);
    for (size_t i = 0; i < link_count; i++) {
        const int32_t parts[] = {links[i].from.x, links[i].from.y, links[i].to.x, links[i].to.y, links[i].cost};
        for (int k = 0; k < 5; k++) hash = (hash ^ (uint32_t)parts[k]) * UINT64_C(1099511628211);
    }
    for (size_t i = 0; i < step_count; i++) {
        const int32_t parts[] = {steps[i].from.x, steps[i].from.y, steps[i].to.x, steps[i].to.y};
        for (int k = 0; k < 4; k++) hash = (hash ^ (uint32_t)parts[k]) * UINT64_C(1099511628211);
    }
    return hash;
}

/* The same on every machine; Recast's floats decide. */
Test(ground_level, has_the_same_map_everywhere) {
    build_house();
    add_ramp(&level, .1f, 9.3f, 7.7f, 11.1f, 0, 2.9f);
    wend_ground_def def = level_def(&level);
    def.drop = 4, def.jump = 3;
    OWNED_MAP *map = NULL;
    wend_ground *ground = make_ground(&def, &map);
    cr_expect_eq(hash_map(map), UINT64_C(0x4c51bed52b451762), "%llx", (unsigned long long)hash_map(map));
    wend_ground_destroy(ground);
}

static float hill(void *context, int32_t x, int32_t y) {
    (void)context;
    return x > 20 && x < 24 && y != 15 ? 40 : .2f * (float)x;
}

Test(ground_level, of_heights_has_walls_where_it_is_steep) {
    wend_ground_def def;
    wend_ground_def_init(&def, sizeof def);
    def.heights = hill, def.columns = 40, def.rows = 30;
    OWNED_MAP *map = NULL;
    wend_ground *ground = make_ground(&def, &map);
    const wend_cell west = cell_at(ground, 5, 1, 15), also_west = cell_at(ground, 15, 3, 2);
    cr_expect(cost_between(map, west, also_west) > 0);
    cr_expect_eq(cost_between(map, west, cell_at(ground, 30, 6, 15)), -1, "the ridge parts them");
    wend_ground_destroy(ground);
}

/* Two floors with a gap of 1 m between, and a lower one next to the second, 2 m down. */
static void build_cliffs(void) {
    begin_level();
    add_block(&level, 0, 0, 8, 9, -6, 0);
    add_block(&level, 9, 0, 16, 9, -6, 0);
    add_block(&level, 16, 0, 24, 9, -6, -2);
}

static void expect_leaps(float drop, float jump, bool across, bool down) {
    wend_ground_def def = level_def(&level);
    def.drop = drop, def.jump = jump;
    OWNED_MAP *map = NULL;
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

Test(ground_level, costs_are_those_of_its_spans) {
    uint64_t seed = 7;
    uint32_t sheets = 0, seams = 0;
    for (int round = 0; round < 40; round++) {
        random_level(&level, &seed);
        const wend_ground_def def = level_def(&level);
        OWNED_MAP *map = NULL;
        wend_ground *ground = make_ground(&def, &map);
        if (round % 2) {
            const wend_acceleration tables = default_acceleration();
            cr_assert_eq(wend_map_accelerate(map, &tables), WEND_OK);
        }
        check_costs(ground, map, &seed);
        sheets += info_of(ground).sheets;
        seams += info_of(ground).seams;
        wend_ground_destroy(ground);
    }
    cr_expect(sheets > 60 && seams > 500, "%u sheets, %u seams", (unsigned)sheets, (unsigned)seams);
}

/* ---- refusals ---- */

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
    def.cell = 9.f / WEND_MAX_GROUND_SIDE * .99f, def.radius = 0;
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
    rules.cost_straight = 1000, rules.cost_diagonal = 1414;
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
        OWNED_MAP *map = NULL;
        wend_ground *ground = make_ground(&def, &map);
        for (uint8_t c = 1; c <= WEND_MAX_GROUND_CLASSES; c++) {
            uint8_t found = 0;
            wend_map_get_terrain(map, cell_at(ground, 3.f * c - 1.5f, 0, 4.5f), &found);
            cr_expect_eq(found, c);
        }
        wend_ground_destroy(ground);
    }
}
