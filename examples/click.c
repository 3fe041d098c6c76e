/* SPDX-License-Identifier: MIT */
/* Click to move: a player clicks on a picture of a map, and a figure walks there in smooth curves.
 *
 *   click MAP FROM_X FROM_Y TO_X TO_Y     points of the picture, in pixels; a cell has 32 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <wend/wend.h>
#include <wend/geometry.h>
#include <wend/query.h>

enum { CELLS = 4096, POINTS = 4 * CELLS, CELL_PIXELS = 32, MILLI = 1000 };

static wend_map *map;

static void check(wend_error error) {
    if (!error) return;
    fprintf(stderr, "click: %s\n", wend_error_detail(error));
    exit(1);
}

/* The cell of a point. Rounded down, as casts round to 0. In an isometric picture, whose diamonds are W wide and H high,
 * the middle of a cell is at ((x − y) W / 2, (x + y + 1) H / 2), and a point is in x = floor(down / H + right / W),
 * y = floor(down / H − right / W). */
static wend_cell cell_at(double x, double y) {
    return (wend_cell){(int32_t)floor(x / CELL_PIXELS), (int32_t)floor(y / CELL_PIXELS), 0};
}

/* Thousandths of a cell, from the picture's pixels. */
static wend_point point_at(double x, double y) {
    return (wend_point){(int32_t)lround(x * MILLI / CELL_PIXELS) - MILLI / 2,
                        (int32_t)lround(y * MILLI / CELL_PIXELS) - MILLI / 2, 0};
}

/* Finds the curve that the figure walks. Returns the number of its points. */
static size_t find_curve(wend_cell from, wend_cell to, wend_point *points) {
    static wend_cell cells[CELLS];
    static wend_turn turns[CELLS];
    size_t count, turn_count, point_count;
    wend_pull_def pull;
    wend_round_def round;
    check(wend_find_path(map, from, to, cells, CELLS, &count, NULL));
    if (count == 0 || count > CELLS) return 0;
    wend_pull_def_init(&pull, sizeof pull);
    pull.radius_milli = 300, pull.search = true; /* the figure is 19 pixels wide */
    check(wend_path_pull(map, &pull, cells, count, turns, CELLS, &turn_count));
    wend_round_def_init(&round, sizeof round);
    check(wend_path_round(map, &round, turns, turn_count, points, POINTS, &point_count));
    printf("%d cells, %d turns of a line, %d points of a curve\n", (int)count, (int)turn_count, (int)point_count);
    return point_count;
}

/* Walks a tenth of a cell at a time. Returns the steps taken. */
static int walk(wend_point at, const wend_point *points, size_t count) {
    int steps = 0;
    for (size_t next = 0; steps < 100 * MILLI; steps++) {
        check(wend_waypoint_next(map, WEND_MOVER_DEFAULT, points, count, at, 150, &next));
        const double x = points[next].x - at.x, y = points[next].y - at.y, left = hypot(x, y), stride = 100;
        if (next == count - 1 && left <= stride) break;
        if (left > 0) at.x += (int32_t)lround(x * stride / left), at.y += (int32_t)lround(y * stride / left);
    }
    return steps;
}

int main(int argc, char **argv) {
    static wend_point points[POINTS];
    double click[4];
    wend_cell from, to;
    bool clear;
    bool straight;
    if (argc != 6) return fprintf(stderr, "usage: click MAP FROM_X FROM_Y TO_X TO_Y\n"), 2;
    for (int i = 0; i < 4; i++) click[i] = strtod(argv[i + 2], NULL);
    check(wend_map_load(argv[1], NULL, &map, NULL, NULL));
    from = cell_at(click[0], click[1]), to = cell_at(click[2], click[3]);
    printf("to cell %d,%d, its middle at %.0f,%.0f\n", (int)to.x, (int)to.y, (to.x + 0.5) * CELL_PIXELS,
           (to.y + 0.5) * CELL_PIXELS);
    check(wend_map_line_of_sight(map, WEND_MOVER_DEFAULT, from, to, &straight, NULL));
    check(wend_point_line_of_sight(map, WEND_MOVER_DEFAULT, point_at(click[0], click[1]), point_at(click[2], click[3]),
                                   &clear));
    printf("straight: %s between the middles, %s between the clicks\n", straight ? "yes" : "no", clear ? "yes" : "no");
    const size_t count = find_curve(from, to, points);
    if (count > 0)
        printf("there after %d strides\n", walk(point_at(click[0], click[1]), points, count));
    else
        printf("no way there\n");
    wend_map_release(map);
    return 0;
}
