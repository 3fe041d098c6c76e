/* SPDX-License-Identifier: MIT */
/* Pulls cheapest paths between random cells with a distance from all that blocks, and without. Prints CSV.
 *
 *   bench_clear PATHS RADIUS MAP...
 *
 * RADIUS is in thousandths of a cell; with an s behind it, wend_pull_def.search. A sampler that shares no code with
 * the library looks at each line: `broken` are lines with a sample nearer than the radius, where the path itself has
 * room; `length` is the length of the line / that of the line without a distance, `time` the time of the pull / that of
 * the pull without. The last line is of all. */
#include "harness.h"
#include "models/clear_model.h"

#include <math.h>
#include <wend/geometry.h>

enum { TRIES = 1000, REPEATS = 5, MOST_CELLS = 1 << 18 };

static bool sides; /* for pulls with a radius */

typedef struct tally {
    uint32_t paths, broken, narrow, differs;
    double length, free_length, us, free_us, cells;
} tally;

static size_t pull(const wend_map *map, uint32_t radius, const wend_cell *cells, size_t count, wend_point *points,
                   double *us) {
    static wend_turn turns[MOST_CELLS];
    size_t found = 0;
    wend_pull_def def;
    wend_pull_def_init(&def, sizeof def);
    def.radius_milli = radius;
    if (radius > 0) def.search = sides;
    const double begun = cpu_us();
    for (int i = 0; i < REPEATS; i++) check(wend_path_pull(map, &def, cells, count, turns, MOST_CELLS, &found));
    *us += (cpu_us() - begun) / REPEATS;
    for (size_t i = 0; i < found; i++)
        points[i] =
            (wend_point){1000 * turns[i].cell.x + turns[i].offset_x, 1000 * turns[i].cell.y + turns[i].offset_y, 0};
    return found;
}

static void compare(const wend_map *map, const clear_ground *g, uint32_t radius, const wend_cell *cells, size_t count,
                    tally *t) {
    static wend_point points[MOST_CELLS], path[MOST_CELLS];
    const double asked = radius / 1000.0;
    uint32_t clearance;
    for (size_t i = 0; i < count; i++) path[i] = (wend_point){1000 * cells[i].x, 1000 * cells[i].y, 0};
    t->free_length += clear_length(points, pull(map, 0, cells, count, points, &t->free_us));
    const size_t found = pull(map, radius, cells, count, points, &t->us);
    t->length += clear_length(points, found);
    const double line = clear_sampled(g, points, found, 0, .05, asked + 1);
    const bool narrow = clear_sampled(g, path, count, 0, .05, asked) < asked;
    check(wend_line_clearance(map, WEND_MOVER_DEFAULT, points, found, &clearance));
    t->differs += line < asked + 1 && clearance / 1000.0 > line + 1e-9;
    t->narrow += narrow, t->broken += line < asked - 1e-9 && !narrow;
    t->paths++, t->cells += (double)count;
}

static void print(const char *name, const tally *t) {
    printf("%s,%u,%u,%u,%u,%.4f,%.2f,%.3f\n", name, (unsigned)t->paths, (unsigned)t->broken, (unsigned)t->narrow,
           (unsigned)t->differs, t->length / t->free_length, t->us / t->free_us, t->us / t->cells);
    fflush(stdout);
}

static void add(tally *sum, const tally *t) {
    sum->paths += t->paths, sum->broken += t->broken, sum->narrow += t->narrow, sum->differs += t->differs;
    sum->length += t->length, sum->free_length += t->free_length;
    sum->us += t->us, sum->free_us += t->free_us, sum->cells += t->cells;
}

static tally measure(const char *file, uint32_t paths, uint32_t radius) {
    static wend_cell cells[MOST_CELLS];
    wend_map *map = load_map(file, 0, 0);
    const wend_map_info info = info_now(map);
    const wend_map_rules rules = rules_now(map);
    const size_t size = (size_t)info.width * (size_t)info.height;
    uint8_t *open = malloc(size);
    tally t = {0};
    uint64_t state = 9;
    check(wend_map_get_terrain_box(map, (wend_box){{0, 0, 0}, {info.width - 1, info.height - 1, 0}}, open,
                                   (size_t)info.width));
    for (size_t i = 0; i < size; i++) open[i] = rules.factors[open[i]] != 0;
    const clear_ground ground = {.open = open, .width = info.width, .height = info.height};
    for (uint32_t tries = 0; t.paths < paths && tries < paths * TRIES; tries++) {
        const wend_cell a = random_place(info.width, info.height, &state);
        const wend_cell b = random_place(info.width, info.height, &state);
        size_t count = 0;
        if (!open[a.y * info.width + a.x] || !open[b.y * info.width + b.x]) continue;
        check(wend_find_path(map, a, b, cells, MOST_CELLS, &count, NULL));
        if (count > 1 && count <= MOST_CELLS) compare(map, &ground, radius, cells, count, &t);
    }
    free(open);
    wend_map_release(map);
    return t;
}

int main(int argc, char **argv) {
    tally all = {0};
    if (argc < 4) {
        fputs("usage: bench_clear PATHS RADIUS MAP...\n", stderr);
        return 2;
    }
    if (strchr(argv[2], 's')) sides = true;
    puts("map,paths,broken,narrow,differs,length,time,us_per_cell");
    for (int i = 3; i < argc; i++) {
        const tally t = measure(argv[i], (uint32_t)strtoul(argv[1], NULL, 10), (uint32_t)strtoul(argv[2], NULL, 10));
        if (t.paths) print(base_name(argv[i]), &t);
        add(&all, &t);
    }
    if (all.paths) print("all", &all);
    return all.broken + all.differs > 0;
}
