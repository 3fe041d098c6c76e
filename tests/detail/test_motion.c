/* SPDX-License-Identifier: MIT */
/* Details of geometry.h. */
#include "detail/refused.h"

#include <wend/geometry.h>

static wend_map *map, *graph;
static const wend_cell way[] = {{0, 0, 0}, {1, 0, 0}, {2, 0, 0}};

static void set_up(void) {
    map = make_grid(), graph = make_graph();
}

static void tear_down(void) {
    wend_map_release(map), wend_map_release(graph);
}

Test(detail, of_straight_lines, .init = set_up, .fini = tear_down) {
    const wend_turn turns[] = {{.cell = {0, 0, 0}}, {.cell = {2, 1, 0}}};
    wend_point points[16] = {{0, 0, 0}};
    size_t count, index = 16;
    bool yes;
    BAD(ABSENT("turns"), wend_path_pull(map, NULL, way, 3, NULL, 4, &count));
    BAD(ABSENT("points"), wend_path_round(map, NULL, turns, 2, NULL, 16, &count));
    uint32_t clearance;
    FAILS(UNSUPPORTED, "the distance of a line is known on...", wend_line_clearance(graph, 0, points, 2, &clearance));
    FAILS(UNSUPPORTED, "the map is a graph, which has no straight lines",
          wend_point_line_of_sight(graph, 0, points[0], points[1], &yes));
    BAD("index is 16, but must be from 0 to 15", wend_waypoint_next(map, 0, points, 16, points[0], 100, &index));
}
