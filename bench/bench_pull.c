/* SPDX-License-Identifier: MIT */
/* Compares pulled paths with shortest ways at any angle, on maps with open and blocked cells. Prints CSV.
 *
 *   bench_pull PATHS MAP...
 *
 * The paths are cheapest ones between random cells, SHORTEST to LONGEST cells long when pulled. Each ratio is the mean
 * of length of the pulled path / length of a shortest way: a way that turns at centres of cells, and a point's, which
 * touches walls and turns at their corners. The last line is of all paths. */
#include "harness.h"
#include "models/any_angle.h"

#include <math.h>
#include <wend/geometry.h>

enum { SPAN = 120, SHORTEST = 20, LONGEST = 160, TRIES = 1000, REPEATS = 20, MOST_CELLS = 1 << 18 };

typedef struct ground {
    wend_map *map;
    uint8_t *open; ///< a byte a cell
    int32_t width, height;
} ground;

typedef struct tally {
    double cells, points;  ///< sums of ratios
    double us, path_cells; ///< time of pulls, and the cells that they were given
    uint32_t paths;
} tally;

/* A byte a cell: 0 where the default mover cannot stand. */
static uint8_t *read_open(const wend_map *map, int32_t width, int32_t height) {
    const wend_map_rules rules = rules_now(map);
    const size_t cells = (size_t)width * (size_t)height;
    uint8_t *open = malloc(cells);
    check(wend_map_get_terrain_box(map, (wend_box){{0, 0, 0}, {width - 1, height - 1, 0}}, open, (size_t)width));
    for (size_t i = 0; i < cells; i++) open[i] = rules.factors[open[i]] != 0;
    return open;
}

static int32_t draw_near(uint64_t *state, int32_t near, int32_t side) {
    int32_t low = near < SPAN ? 0 : near - SPAN, high = near > side - 1 - SPAN ? side - 1 : near + SPAN;
    return low + (int32_t)bench_random(state, (uint32_t)(high - low + 1));
}

static double length_of(const wend_turn *turns, size_t count) {
    double sum = 0;
    for (size_t i = 1; i < count; i++)
        sum += hypot(turns[i].cell.x - turns[i - 1].cell.x, turns[i].cell.y - turns[i - 1].cell.y);
    return sum;
}

/* The length of a shortest way between two cells that is shorter than `limit`, or `limit`. Such ways lie within an
 * ellipse with these cells as foci; the planner is given the part of the map around it, so that it ends soon. */
static double shortest(const ground *g, int32_t turns, wend_cell a, wend_cell b, double limit) {
    const double dx = a.x - b.x, dy = a.y - b.y;
    const double wide = sqrt(limit * limit - dy * dy) / 2 + 2, high = sqrt(limit * limit - dx * dx) / 2 + 2;
    const int32_t x0 = (int32_t)fmax(0, (a.x + b.x) / 2.0 - wide), y0 = (int32_t)fmax(0, (a.y + b.y) / 2.0 - high);
    const int32_t x1 = (int32_t)fmin(g->width, (a.x + b.x) / 2.0 + wide + 1);
    const int32_t y1 = (int32_t)fmin(g->height, (a.y + b.y) / 2.0 + high + 1);
    uint8_t *part = malloc((size_t)(x1 - x0) * (size_t)(y1 - y0)), *to = part;
    for (int32_t y = y0; y < y1; y++, to += x1 - x0)
        memcpy(to, g->open + (size_t)y * (size_t)g->width + x0, (size_t)(x1 - x0));
    any_angle *plan = any_angle_create(part, x1 - x0, y1 - y0, turns);
    const double length = any_angle_length(plan, a.x - x0, a.y - y0, b.x - x0, b.y - y0, limit);
    any_angle_free(plan);
    free(part);
    return length;
}

static void compare(const ground *g, const wend_cell *cells, size_t count, tally *sum) {
    static wend_turn turns[MOST_CELLS];
    size_t found = 0;
    const wend_cell a = cells[0], b = cells[count - 1];
    const double begun = cpu_us();
    for (int i = 0; i < REPEATS; i++) check(wend_path_pull(g->map, NULL, cells, count, turns, MOST_CELLS, &found));
    const double us = (cpu_us() - begun) / REPEATS, pulled = length_of(turns, found);
    if (pulled < SHORTEST || pulled > LONGEST) return;
    sum->us += us, sum->path_cells += (double)count;
    sum->cells += pulled / shortest(g, ANY_ANGLE_CELLS, a, b, pulled * (1 + 1e-9));
    sum->points += pulled / shortest(g, ANY_ANGLE_POINTS, a, b, pulled * (1 + 1e-9));
    sum->paths++;
}

static void print(const char *name, const tally *t) {
    printf("%s,%u,%.4f,%.4f,%.3f\n", name, (unsigned)t->paths, t->cells / t->paths, t->points / t->paths,
           t->us / t->path_cells);
    fflush(stdout);
}

static tally measure(const char *path, uint32_t paths) {
    static wend_cell cells[MOST_CELLS];
    ground g = {.map = load_map(path, 0, 0)};
    const wend_map_info info = info_now(g.map);
    tally sum = {0};
    uint64_t state = 9;
    g.width = info.width, g.height = info.height, g.open = read_open(g.map, info.width, info.height);
    for (uint32_t tries = 0; sum.paths < paths && tries < paths * TRIES; tries++) {
        const wend_cell a = random_place(g.width, g.height, &state);
        wend_cell b = a;
        size_t count = 0;
        b.x = draw_near(&state, a.x, g.width), b.y = draw_near(&state, a.y, g.height);
        if (!g.open[a.y * g.width + a.x] || !g.open[b.y * g.width + b.x]) continue;
        check(wend_find_path(g.map, a, b, cells, MOST_CELLS, &count, NULL));
        if (count > 0 && count <= MOST_CELLS) compare(&g, cells, count, &sum);
    }
    free(g.open);
    wend_map_release(g.map);
    return sum;
}

int main(int argc, char **argv) {
    tally all = {0};
    const uint32_t paths = argc > 2 ? (uint32_t)strtoul(argv[1], NULL, 10) : 0;
    if (!paths) {
        fputs("usage: bench_pull PATHS MAP...\n", stderr);
        return 2;
    }
    puts("map,paths,ratio_cells,ratio_point,pull_us_per_cell");
    for (int i = 2; i < argc; i++) {
        const tally t = measure(argv[i], paths);
        if (t.paths) print(base_name(argv[i]), &t);
        all.cells += t.cells, all.points += t.points, all.us += t.us, all.path_cells += t.path_cells;
        all.paths += t.paths;
    }
    if (all.paths) print("all", &all);
    return 0;
}
