/* SPDX-License-Identifier: MIT */
/* Details of geometry.h. */
#include "detail/refused.h"

#include <wend/geometry.h>

#define OFF_GRID " is 10,0,0, off the map: x is 0 to 9, y 0 to 7, z 0 to 0"
#define NO_MOVER "mover is 1, but the map has movers 0 to 0: wend_map_add_mover() adds one"
#define NO_LINES "the map is a graph, which has no straight lines"
#define SIZED(type) type ".struct_bytes is 1, but the struct has # bytes: set it to sizeof, or by the _init function"

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
    wend_cell cells[16];
    wend_point points[16] = {{0, 0, 0}};
    size_t count, index = 16;
    int32_t yes;
    wend_pull_def pull;
    wend_round_def round;
    wend_pull_def_init(&pull, sizeof pull);
    wend_round_def_init(&round, sizeof round);
    REFUSED(WEND_BAD_ARGUMENT, "turns is NULL, but its length is 4: with NULL it must be 0",
            wend_path_pull(map, NULL, way, 3, NULL, 4, &count));
    REFUSED(WEND_BAD_ARGUMENT, "cells is NULL", wend_path_pull(map, NULL, NULL, 3, turn, 4, &count));
    REFUSED(WEND_OUT_OF_RANGE, "cells[0]" OFF_GRID, wend_path_pull(map, NULL, off, 1, turn, 4, &count));
    REFUSED(WEND_UNSUPPORTED, NO_LINES, wend_path_pull(graph, NULL, way, 3, turn, 4, &count));
    pull.flags = 4;
    REFUSED(WEND_BAD_ARGUMENT, "flags is 0x4, but only the bits of 0x3 mean anything",
            wend_path_pull(map, &pull, way, 3, turn, 4, &count));
    pull.flags = 0, pull.mover = 1;
    REFUSED(WEND_BAD_ARGUMENT, NO_MOVER, wend_path_pull(map, &pull, way, 3, turn, 4, &count));
    pull.mover = 0, pull.radius_milli = 16001;
    REFUSED(WEND_BAD_ARGUMENT, "radius_milli is 16001, but must be from 0 to 16000",
            wend_path_pull(map, &pull, way, 3, turn, 4, &count));
    pull.struct_bytes = 1;
    REFUSED(WEND_BAD_ARGUMENT, SIZED("wend_pull_def"), wend_path_pull(map, &pull, way, 3, turn, 4, &count));
    REFUSED(WEND_BAD_ARGUMENT, "out is NULL, but its length is 4: with NULL it must be 0",
            wend_path_unpull(map, 0, turns, 2, NULL, 4, &count));
    REFUSED(WEND_BAD_ARGUMENT, "turns has 0 items, but must have from 1 to 4294967295",
            wend_path_unpull(map, 0, turns, 0, cells, 16, &count));
    REFUSED(WEND_BAD_ARGUMENT, NO_MOVER, wend_path_unpull(map, 1, turns, 2, cells, 16, &count));
    REFUSED(WEND_UNSUPPORTED, NO_LINES, wend_path_unpull(graph, 0, turns, 2, cells, 16, &count));
    REFUSED(WEND_OUT_OF_RANGE, "the cell of a turn" OFF_GRID, wend_path_unpull(map, 0, gone, 1, cells, 16, &count));
    cr_assert_eq(wend_map_set_cell(map, CELL(1, 0), 0, NULL), WEND_OK);
    cr_assert_eq(wend_map_set_cell(map, CELL(1, 1), 0, NULL), WEND_OK);
    REFUSED(WEND_BAD_ARGUMENT, "the mover cannot walk from turns[0] to turns[1]",
            wend_path_unpull(map, 0, turns, 2, cells, 16, &count));
    REFUSED(WEND_BAD_ARGUMENT, "points is NULL, but its length is 16: with NULL it must be 0",
            wend_path_round(map, NULL, turns, 2, NULL, 16, &count));
    REFUSED(WEND_BAD_ARGUMENT, "turns is NULL", wend_path_round(map, NULL, NULL, 2, points, 16, &count));
    REFUSED(WEND_UNSUPPORTED, NO_LINES, wend_path_round(graph, NULL, turns, 2, points, 16, &count));
    REFUSED(WEND_OUT_OF_RANGE, "the cell of a turn" OFF_GRID, wend_path_round(map, NULL, gone, 1, points, 16, &count));
    round.kind = 2;
    REFUSED(WEND_BAD_ARGUMENT, "kind is 2, but must be from 0 to 1",
            wend_path_round(map, &round, turns, 2, points, 16, &count));
    round.kind = 0, round.radius_milli = 1000001;
    REFUSED(WEND_BAD_ARGUMENT, "radius_milli is 1000001, but must be from 0 to 1000000",
            wend_path_round(map, &round, turns, 2, points, 16, &count));
    round.radius_milli = 1, round.spacing_milli = 0;
    REFUSED(WEND_BAD_ARGUMENT, "spacing_milli is 0, but must be from 1 to 1000000",
            wend_path_round(map, &round, turns, 2, points, 16, &count));
    round.spacing_milli = 1, round.clearance_milli = 16001;
    REFUSED(WEND_BAD_ARGUMENT, "clearance_milli is 16001, but must be from 0 to 16000",
            wend_path_round(map, &round, turns, 2, points, 16, &count));
    round.clearance_milli = 0, round.turning_milli = 64001;
    REFUSED(WEND_BAD_ARGUMENT, "turning_milli is 64001, but must be from 0 to 64000",
            wend_path_round(map, &round, turns, 2, points, 16, &count));
    round.turning_milli = 1000, round.kind = WEND_ROUND_SPLINE;
    REFUSED(WEND_BAD_ARGUMENT, "turning_milli is 1000, but only arcs have a least radius of turning",
            wend_path_round(map, &round, turns, 2, points, 16, &count));
    round.kind = WEND_ROUND_ARC, round.heading_y = -1000001;
    REFUSED(WEND_BAD_ARGUMENT, "heading_y is -1000001, but must be from -1000000 to 1000000",
            wend_path_round(map, &round, turns, 2, points, 16, &count));
    round.heading_y = 0;
    REFUSED(WEND_UNSUPPORTED, "no line leads from turns[0] to the next",
            wend_path_round(map, &round, turns, 2, points, 16, &count));
    uint32_t clearance;
    REFUSED(WEND_BAD_ARGUMENT, NO_MOVER, wend_line_clearance(map, 1, points, 2, &clearance));
    REFUSED(WEND_BAD_ARGUMENT, "points is NULL", wend_line_clearance(map, 0, NULL, 2, &clearance));
    REFUSED(WEND_UNSUPPORTED, "the distance of a line is known on flat grids only",
            wend_line_clearance(graph, 0, points, 2, &clearance));
    const wend_point outside[] = {{10000, 0, 0}};
    REFUSED(WEND_OUT_OF_RANGE, "the cell of a point" OFF_GRID, wend_line_clearance(map, 0, outside, 1, &clearance));
    round.mover = 1;
    REFUSED(WEND_BAD_ARGUMENT, NO_MOVER, wend_path_round(map, &round, turns, 2, points, 16, &count));
    REFUSED(WEND_BAD_ARGUMENT, NO_MOVER, wend_point_line_of_sight(map, 1, points[0], points[1], &yes));
    REFUSED(WEND_UNSUPPORTED, NO_LINES, wend_point_line_of_sight(graph, 0, points[0], points[1], &yes));
    REFUSED(WEND_BAD_ARGUMENT, "points is NULL", wend_waypoint_next(map, 0, NULL, 2, points[0], 100, &index));
    REFUSED(WEND_BAD_ARGUMENT, "index is NULL", wend_waypoint_next(map, 0, points, 2, points[0], 100, NULL));
    REFUSED(WEND_BAD_ARGUMENT, "index is 16, but must be from 0 to 15",
            wend_waypoint_next(map, 0, points, 16, points[0], 100, &index));
    index = 0;
    REFUSED(WEND_BAD_ARGUMENT, NO_MOVER, wend_waypoint_next(map, 1, points, 16, points[0], 100, &index));
}
