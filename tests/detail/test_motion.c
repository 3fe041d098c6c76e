/* SPDX-License-Identifier: MIT */
/* Details of motion.h and watch.h. */
#include "detail/refused.h"

#include <wend/geometry.h>
#include <wend/motion.h>
#include <wend/watch.h>

#define NO_LINES "the map is a graph, which has no straight lines"

static wend_map *map, *graph;
static const wend_cell way[] = {{0, 0, 0}, {1, 0, 0}, {2, 0, 0}}, off[] = {{10, 0, 0}};

static void set_up(void) {
    map = make_grid(), graph = make_graph();
}

static void tear_down(void) {
    wend_map_release(map), wend_map_release(graph);
}

Test(detail, of_walks, .init = set_up, .fini = tear_down) {
    wend_walk walk;
    uint64_t left;
    uint32_t steps;
    int32_t event;
    BAD("cells is NULL", wend_walk_begin(map, NULL, 1, 0, 1000, 0, &walk));
    BAD("cells has 0 items, but must have from 1 to 4294967295", wend_walk_begin(map, way, 0, 0, 1000, 0, &walk));
    BAD(NO_MOVER, wend_walk_begin(map, way, 3, 1, 1000, 0, &walk));
    BAD("flags is 0x4, but only the bits of 0x3 mean anything", wend_walk_begin(map, way, 3, 0, 1000, 4, &walk));
    FAILS(OUT_OF_RANGE, "cells[0]" OFF_GRID, wend_walk_begin(map, off, 1, 0, 1000, 0, &walk));
    cr_assert_eq(wend_walk_begin(map, way, 3, 0, 1000, 0, &walk), WEND_OK);
    BAD("cells is NULL", wend_walk_redirect(&walk, NULL, 1, 0));
    BAD("partial is 2, but must be from 0 to 1", wend_walk_redirect(&walk, way, 3, 2));
    BAD("cells lacks 0,0,0, which the walk holds", wend_walk_redirect(&walk, way + 1, 2, 0));
    walk.mover = 1;
    BAD(NO_MOVER, wend_walk_advance(map, &walk, 1000, &event));
    BAD(NO_MOVER, wend_walk_advance_many(map, &walk, 1, 1000, &event));
    BAD(NO_MOVER, wend_walk_get_left(map, &walk, &left, &steps));
    wend_walk_place place = {.struct_bytes = 1};
    BAD(SIZED("wend_walk_place", 1), wend_walk_get_place(map, &walk, &place));
}

Test(detail, of_joints, .init = set_up, .fini = tear_down) {
    wend_cell out[4];
    size_t count;
    BAD("map is NULL", wend_path_join(NULL, 0, way, 1, way, 3, out, 4, &count));
    BAD("walked is NULL", wend_path_join(map, 0, NULL, 1, way, 3, out, 4, &count));
    BAD("path has 0 items, but must have from 1 to 4294967295", wend_path_join(map, 0, way, 1, way, 0, out, 4, &count));
    BAD(NO_MOVER, wend_path_join(map, 1, way, 1, way, 3, out, 4, &count));
    FAILS(OUT_OF_RANGE, "path[0]" OFF_GRID, wend_path_join(map, 0, way, 1, off, 1, out, 4, &count));
    BAD("walked and path begin with different cells", wend_path_join(map, 0, way, 1, way + 1, 2, out, 4, &count));
    BAD(ABSENT("out"), wend_path_join(map, 0, way, 1, way, 3, NULL, 4, &count));
    FAILS(EMPTY, "no way leads back along the cells...", wend_path_join(graph, 0, way, 2, way, 1, out, 4, &count));
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
    BAD(ABSENT("turns"), wend_path_pull(map, NULL, way, 3, NULL, 4, &count));
    BAD("cells is NULL", wend_path_pull(map, NULL, NULL, 3, turn, 4, &count));
    FAILS(OUT_OF_RANGE, "cells[0]" OFF_GRID, wend_path_pull(map, NULL, off, 1, turn, 4, &count));
    FAILS(UNSUPPORTED, NO_LINES, wend_path_pull(graph, NULL, way, 3, turn, 4, &count));
    pull.flags = 4;
    BAD("flags is 0x4, but only the bits of 0x3 mean anything", wend_path_pull(map, &pull, way, 3, turn, 4, &count));
    pull.flags = 0, pull.mover = 1;
    BAD(NO_MOVER, wend_path_pull(map, &pull, way, 3, turn, 4, &count));
    pull.struct_bytes = 1;
    BAD(SIZED("wend_pull_def", 1), wend_path_pull(map, &pull, way, 3, turn, 4, &count));
    BAD(ABSENT("out"), wend_path_unpull(map, 0, turns, 2, NULL, 4, &count));
    BAD("turns has 0 items, but must have from 1 to 4294967295", wend_path_unpull(map, 0, turns, 0, cells, 16, &count));
    BAD(NO_MOVER, wend_path_unpull(map, 1, turns, 2, cells, 16, &count));
    FAILS(UNSUPPORTED, NO_LINES, wend_path_unpull(graph, 0, turns, 2, cells, 16, &count));
    FAILS(OUT_OF_RANGE, "the cell of a turn" OFF_GRID, wend_path_unpull(map, 0, gone, 1, cells, 16, &count));
    cr_assert_eq(wend_map_set_cell(map, CELL(1, 0), 0, NULL), WEND_OK);
    cr_assert_eq(wend_map_set_cell(map, CELL(1, 1), 0, NULL), WEND_OK);
    BAD("the mover cannot walk from turns[0] to turns[1]", wend_path_unpull(map, 0, turns, 2, cells, 16, &count));
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

static wend_watcher_def watcher_def;

static wend_error create(void) {
    wend_watcher *watcher;
    const wend_error error = wend_watcher_create(&watcher_def, &watcher);
    wend_watcher_def_init(&watcher_def, sizeof watcher_def);
    watcher_def.map = map;
    return error;
}

static wend_watcher *watcher;

static void update_again(void *context, const wend_watch_event *event) {
    (void)context, (void)event;
    FAILS(IN_CALLBACK, "the watcher's callback runs: update it after that", wend_watcher_update(watcher, NULL));
}

Test(detail, of_watchers, .init = set_up, .fini = tear_down) {
    wend_watch_id id;
    wend_watch_event event = {.struct_bytes = 1};
    create();
    BAD("out is NULL", wend_watcher_create(&watcher_def, NULL));
    BAD("the wend_watcher_def is NULL", wend_watcher_create(NULL, &watcher));
    BAD("map is NULL", watcher_def.map = NULL, create());
    BAD("paths is 0, but must be from 1 to 1048576", watcher_def.paths = 0, create());
    BAD("cells is 2147483649, but must be from 0 to 2147483648", watcher_def.cells = (UINT64_C(1) << 31) + 1, create());
    FAILS(OUT_OF_MEMORY, "the allocator has no # bytes", watcher_def.allocator = no_memory, create());
    watcher_def.paths = 1, watcher_def.cells = 3, watcher_def.on_broken = update_again;
    cr_assert_eq(wend_watcher_create(&watcher_def, &watcher), WEND_OK);
    wend_watch watch = default_watch();
    BAD("the wend_watch is NULL", wend_watcher_add(watcher, NULL, &id));
    BAD("cells is NULL", wend_watcher_add(watcher, &watch, &id));
    watch.cells = way;
    BAD("cell_count is 0, but must be at least 1", wend_watcher_add(watcher, &watch, &id));
    watch.cell_count = 4;
    FAILS(BUSY, "no room for another path...", wend_watcher_add(watcher, &watch, &id));
    watch.cell_count = 3, watch.mover = 1;
    BAD(NO_MOVER, wend_watcher_add(watcher, &watch, &id));
    watch.mover = 0, watch.cells = off, watch.cell_count = 1;
    FAILS(OUT_OF_RANGE, "cells[0]" OFF_GRID, wend_watcher_add(watcher, &watch, &id));
    watch.cells = way, watch.cell_count = 3;
    cr_assert_eq(wend_watcher_add(watcher, &watch, &id), WEND_OK);
    FAILS(BUSY, "no room for another path...", wend_watcher_add(watcher, &watch, NULL));
    FAILS(OUT_OF_RANGE, "index is 3, but the path has 3 cells", wend_watcher_advance(watcher, id, 3));
    BAD(SIZED("wend_watch_event", 1), wend_watcher_poll(watcher, &event));
    event.struct_bytes = sizeof event;
    FAILS(EMPTY, "no event waits for a poll", wend_watcher_poll(watcher, &event));
    cr_assert_eq(wend_map_set_cell(map, CELL(1, 0), 0, NULL), WEND_OK);
    cr_assert_eq(wend_watcher_update(watcher, NULL), WEND_OK);
    FAILS(STALE_TICKET, "the path is removed or broken, or was never watched", wend_watcher_remove(watcher, id));
    FAILS(STALE_TICKET, "the path is removed or broken, or was never watched", wend_watcher_advance(watcher, id, 1));
    wend_watcher_destroy(watcher);
}
