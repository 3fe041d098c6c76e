/* SPDX-License-Identifier: MIT */
/* Details of geometry.h. */
#include "detail/refused.h"

#include <wend/geometry.h>

#define NO_LINES "the map is a graph, which has no straight lines"

static wend_map *map, *graph;
static const wend_cell way[] = {{0, 0, 0}, {1, 0, 0}, {2, 0, 0}}, off[] = {{10, 0, 0}};

static void set_up(void) {
    map = make_grid(), graph = make_graph();
}

static void tear_down(void) {
    wend_map_release(map), wend_map_release(graph);
}

Test(detail, of_straight_lines, .init = set_up, .fini = tear_down) {
    const wend_turn turns[] = {{.cell = {0, 0, 0}}, {.cell = {2, 1, 0}}}, gone[] = {{.cell = {10, 0, 0}}};
    wend_turn turn[4];
    wend_point points[16] = {{0, 0, 0}};
    size_t count, index = 16;
    bool yes;
    wend_pull_def pull;
    wend_round_def round;
    wend_pull_def_init(&pull, sizeof pull);
    wend_round_def_init(&round, sizeof round);
    BAD(ABSENT("turns"), wend_path_pull(map, NULL, way, 3, NULL, 4, &count));
    BAD("cells is NULL", wend_path_pull(map, NULL, NULL, 3, turn, 4, &count));
    FAILS(OUT_OF_RANGE, "cells[0]" OFF_GRID, wend_path_pull(map, NULL, off, 1, turn, 4, &count));
    FAILS(UNSUPPORTED, NO_LINES, wend_path_pull(graph, NULL, way, 3, turn, 4, &count));
    pull.mover = 1;
    BAD(NO_MOVER, wend_path_pull(map, &pull, way, 3, turn, 4, &count));
    pull.struct_bytes = 1;
    BAD(SIZED("wend_pull_def", 1), wend_path_pull(map, &pull, way, 3, turn, 4, &count));
    cr_assert_eq(wend_map_set_cell(map, CELL(1, 0), 0, NULL), WEND_OK);
    cr_assert_eq(wend_map_set_cell(map, CELL(1, 1), 0, NULL), WEND_OK);
    BAD(ABSENT("points"), wend_path_round(map, NULL, turns, 2, NULL, 16, &count));
    BAD("turns is NULL", wend_path_round(map, NULL, NULL, 2, points, 16, &count));
    FAILS(UNSUPPORTED, NO_LINES, wend_path_round(graph, NULL, turns, 2, points, 16, &count));
    FAILS(OUT_OF_RANGE, "the cell of a turn" OFF_GRID, wend_path_round(map, NULL, gone, 1, points, 16, &count));
    round.kind = 2;
    BAD("kind is 2, but must be from 0 to 1", wend_path_round(map, &round, turns, 2, points, 16, &count));
    round.turning_milli = 1000, round.kind = WEND_ROUND_SPLINE;
    BAD("turning_milli is 1000...", wend_path_round(map, &round, turns, 2, points, 16, &count));
    round.kind = WEND_ROUND_ARC;
    FAILS(UNSUPPORTED, "no line leads from turns[0] to...", wend_path_round(map, &round, turns, 2, points, 16, &count));
    uint32_t clearance;
    BAD(NO_MOVER, wend_line_clearance(map, 1, points, 2, &clearance));
    BAD("points is NULL", wend_line_clearance(map, 0, NULL, 2, &clearance));
    FAILS(UNSUPPORTED, "the distance of a line is known on...", wend_line_clearance(graph, 0, points, 2, &clearance));
    const wend_point outside[] = {{10000, 0, 0}};
    FAILS(OUT_OF_RANGE, "the cell of a point" OFF_GRID, wend_line_clearance(map, 0, outside, 1, &clearance));
    round.mover = 1;
    BAD(NO_MOVER, wend_path_round(map, &round, turns, 2, points, 16, &count));
    BAD(NO_MOVER, wend_point_line_of_sight(map, 1, points[0], points[1], &yes));
    FAILS(UNSUPPORTED, NO_LINES, wend_point_line_of_sight(graph, 0, points[0], points[1], &yes));
    BAD("points is NULL", wend_waypoint_next(map, 0, NULL, 2, points[0], 100, &index));
    BAD("index is NULL", wend_waypoint_next(map, 0, points, 2, points[0], 100, NULL));
    BAD("index is 16, but must be from 0 to 15", wend_waypoint_next(map, 0, points, 16, points[0], 100, &index));
    index = 0;
    BAD(NO_MOVER, wend_waypoint_next(map, 1, points, 16, points[0], 100, &index));
}
