/* SPDX-License-Identifier: MIT */
/* Limits of levels. */
#include "ground_rig.h"
#include "limits/limits.h"

#include <math.h>

static test_level level;

static void begin_level(void) {
    level.vertex_count = level.triangle_count = 0, level.terrain = WEND_CLASS_OPEN;
}

static wend_error create(const wend_ground_def *def) {
    wend_ground *ground = NULL;
    wend_map *map = NULL;
    const wend_error error = wend_ground_create(def, &ground, &map, NULL);
    wend_ground_destroy(ground);
    wend_map_release(map);
    return error;
}

/* ---- triangles ---- */

/* Within the limits the level is bad for another reason: the first vertex is no number, the first triangle has none. */
static wend_error try_triangles(int64_t vertices, int64_t triangles) {
    static const float bad_vertices[] = {NAN, 0, 0}, good_vertices[] = {0, 0, 0};
    static const uint32_t bad_triangles[] = {UINT32_MAX, 0, 0};
    wend_ground_def def;
    wend_ground_def_init(&def, sizeof def);
    def.vertices = vertices > 1 ? bad_vertices : good_vertices, def.vertex_count = (size_t)vertices;
    def.triangles = bad_triangles, def.triangle_count = (size_t)triangles;
    return create(&def);
}

static float flat(void *context, int32_t x, int32_t y) {
    (void)context, (void)x, (void)y;
    return 0;
}

/* Two triangles for each square; the squares have no size. */
static wend_error try_squares(int64_t columns, int64_t rows) {
    wend_ground_def def;
    wend_ground_def_init(&def, sizeof def);
    def.heights = flat, def.columns = (int32_t)columns, def.rows = (int32_t)rows, def.square = 0;
    return create(&def);
}

Test(ground_limits, of_triangles) {
    AT_MOST_GIVES(WEND_MAX_GROUND_TRIANGLES, WEND_BAD_ARGUMENT, WEND_UNSUPPORTED, try_triangles(value, 1));
    AT_MOST_GIVES(WEND_MAX_GROUND_TRIANGLES, WEND_BAD_ARGUMENT, WEND_UNSUPPORTED, try_triangles(1, value));
    AT_MOST_GIVES(WEND_MAX_GROUND_TRIANGLES / 2, WEND_BAD_ARGUMENT, WEND_UNSUPPORTED, try_squares(value, 1));
    AT_MOST_GIVES(WEND_MAX_GROUND_TRIANGLES / 2, WEND_BAD_ARGUMENT, WEND_UNSUPPORTED, try_squares(1, value));
}

Test(ground_limits, of_triangles_of_a_ground_that_changes) {
    static const float corners[9] = {NAN};
    begin_level();
    add_floor(&level, 0, 0, 9, 6, 0);
    wend_ground_def def = level_def(&level);
    def.changes = 1;
    OWNED_MAP *map = NULL;
    wend_ground *ground = make_ground(&def, &map);
    for (size_t first = 0; first <= level.triangle_count; first++)
        AT_MOST_GIVES(WEND_MAX_GROUND_TRIANGLES - (int64_t)first, WEND_BAD_ARGUMENT, WEND_UNSUPPORTED,
                      wend_ground_set_triangles(ground, first, (size_t)value, corners, NULL, NULL));
    wend_ground_destroy(ground);
}

/* ---- the grid ---- */

static wend_error try_size(int64_t columns, int64_t rows, int64_t levels) {
    begin_level();
    add_floor(&level, 0, 0, (float)(columns - 1), (float)(rows - 1), 0);
    add_floor(&level, 0, 0, 5, 5, .25f * (float)levels);
    wend_ground_def def = level_def(&level);
    def.cell = 1, def.level = .25f, def.radius = 0;
    return create(&def);
}

Test(ground_limits, of_the_grid) {
    AT_MOST(WEND_MAX_GROUND_SIDE, WEND_UNSUPPORTED, try_size(value, 6, 10));
    AT_MOST(WEND_MAX_GROUND_SIDE, WEND_UNSUPPORTED, try_size(6, value, 10));
    AT_MOST(WEND_MAX_GROUND_LEVELS, WEND_UNSUPPORTED, try_size(6, 6, value));
}

/* ---- classes and sheets ---- */

static wend_error try_classes(int64_t classes) {
    begin_level();
    for (int32_t i = 1; i <= classes; i++) {
        level.terrain = (uint8_t)i;
        add_floor(&level, 4 * (float)i, 0, 4 * (float)i + 4, 6, 0);
    }
    wend_ground_def def = level_def(&level);
    return create(&def);
}

/* Creates a ground with `floors` floors above each other, and with spare sheets. */
static wend_error try_sheets(int64_t floors, int64_t spare) {
    begin_level();
    for (int32_t i = 0; i < floors; i++) add_floor(&level, 0, 0, 6, 6, 3 * (float)i);
    wend_ground_def def = level_def(&level);
    def.changes = spare > 0, def.spare_sheets = (int32_t)spare;
    return create(&def);
}

/* Each floor can be stood on. */
Test(ground_limits, of_floors_are_those_that_have_steps) {
    cr_assert_eq(try_sheets(WEND_MAX_GROUND_FLOORS, 0), WEND_OK);
    const wend_ground_def def = level_def(&level);
    OWNED_MAP *map = NULL;
    wend_ground *ground = make_ground(&def, &map);
    cr_expect_eq(info_of(ground).sheets, WEND_MAX_GROUND_FLOORS);
    for (int32_t i = 0; i < WEND_MAX_GROUND_FLOORS; i++) cell_at(ground, 3, 3 * (float)i, 3);
    wend_ground_destroy(ground);
}

/* An update that exceeds the limit of floors leaves the ground as it was. */
Test(ground_limits, of_floors_hold_for_updates) {
    cr_assert_eq(try_sheets(WEND_MAX_GROUND_FLOORS, 1), WEND_OK);
    level.terrain = WEND_CLASS_BLOCKED; /* a roof, so that there is room for another floor */
    add_floor(&level, 0, 0, 6, 6, 3 * WEND_MAX_GROUND_FLOORS + 3);
    wend_ground_def def = level_def(&level);
    def.changes = 1, def.spare_sheets = 1;
    OWNED_MAP *map = NULL;
    wend_ground *ground = make_ground(&def, &map);
    const float y = 3 * WEND_MAX_GROUND_FLOORS, one_more[] = {0, y, 0, 0, y, 6, 6, y, 6};
    const wend_ground_info before = info_of(ground);
    uint32_t left = 0;
    cr_assert_eq(wend_ground_set_triangles(ground, level.triangle_count, 1, one_more, NULL, NULL), WEND_OK);
    wend_edit *edit = begin_edit(map);
    cr_expect_eq(wend_ground_update(ground, edit, 9, &left), WEND_UNSUPPORTED);
    cr_expect_eq(info_of(ground).spans, before.spans);
    cr_expect_eq(info_of(ground).marked, 1);
    wend_edit_discard(edit);
    wend_ground_undo(ground);
    cr_assert_eq(wend_ground_set_triangles(ground, level.triangle_count, 1, NULL, NULL, NULL), WEND_OK);
    edit = begin_edit(map);
    cr_expect_eq(wend_ground_update(ground, edit, 9, &left), WEND_OK);
    cr_assert_eq(wend_edit_publish(edit, NULL), WEND_OK);
    cr_expect_eq(info_of(ground).spans, before.spans);
    wend_ground_destroy(ground);
}

/* Exceeds the limit of floors by a floor below the others, up to a column: no number is left for steps to the top
 * floor. Returns the result of the update of the second tile. */
static wend_error try_second_tile(int32_t radius, int32_t last) {
    enum { WIDE = GROUND_TILE + 8, DEEP = 12 };
    const float x0 = GROUND_TILE - 12, x1 = (float)last + 1;
    const float one_more[] = {x0, 0, 0, x0, 0, DEEP, x1, 0, DEEP, x0, 0, 0, x1, 0, DEEP, x1, 0, 0};
    begin_level();
    for (int32_t i = 1; i <= WEND_MAX_GROUND_FLOORS; i++) add_floor(&level, 0, 0, WIDE, DEEP, 3 * (float)i);
    level.terrain = WEND_CLASS_BLOCKED;
    add_floor(&level, 0, 0, WIDE, DEEP, 0);
    wend_ground_def def = level_def(&level);
    def.cell = 1, def.radius = (float)radius, def.changes = 1, def.spare_sheets = 1;
    wend_map *map;
    wend_ground *ground = make_ground(&def, &map);
    const uint32_t spans = ground->spans.tiles[1].count;
    cr_assert_eq(wend_ground_set_triangles(ground, level.triangle_count, 2, one_more, NULL, NULL), WEND_OK);
    cr_assert_eq(info_of(ground).marked, 2);
    wend_edit *edit = begin_edit(map);
    cr_expect_eq(wend_ground_update(ground, edit, 1, NULL), WEND_UNSUPPORTED, "the first tile");
    const wend_error error = wend_ground_update(ground, edit, 1, NULL);
    cr_expect_eq(info_of(ground).marked, error ? 2 : 1);
    cr_expect_eq(ground->spans.tiles[1].count, spans);
    wend_edit_discard(edit);
    wend_ground_undo(ground);
    wend_ground_destroy(ground);
    wend_map_release(map);
    return error;
}

/* A tile reads the columns around it, too, but only columns within the agent's radius count for its floors. */
Test(ground_limits, of_floors_are_those_of_a_tile_and_within_the_radius) {
    for (int32_t radius = 0; radius < 4; radius += 1 + radius) {
        const int32_t within = GROUND_TILE - radius; /* first column of the second tile within the radius */
        cr_expect_eq(try_second_tile(radius, within - 1), WEND_OK, "radius %d", radius);
        cr_expect_eq(try_second_tile(radius, within), WEND_UNSUPPORTED, "radius %d", radius);
    }
}

Test(ground_limits, of_classes_and_sheets) {
    AT_MOST(WEND_MAX_GROUND_CLASSES, WEND_UNSUPPORTED, try_classes(value));
    AT_MOST(WEND_MAX_GROUND_FLOORS, WEND_UNSUPPORTED, try_sheets(value, 0));
    AT_MOST(WEND_MAX_GROUND_SHEETS - 3, WEND_UNSUPPORTED, try_sheets(3, value));
    AT_MOST(WEND_MAX_GROUND_SHEETS - 1, WEND_BAD_ARGUMENT, try_sheets(1, value));
}
