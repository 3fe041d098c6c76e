/* SPDX-License-Identifier: MIT */
/* Measures edits: single cells, batches, forks. CSV: a figure a line, with the worst of the runs. */
#include "bench_map.h"

enum { SIDE = 2048, REPEATS = 7, CELLS = 1000, FORKS = 500, FORK_EDITS = 100, DUNGEON = 1024, LARGE = 16384 };

static void report(const char *figure, const char *ground, double value, double worst, const char *unit) {
    printf("%s,%s,%.3f,%.3f,%s\n", figure, ground, value, worst, unit);
}

/* Flip `cells` cells of a box in each of `publishes` batches; the time of all. */
static double edit_box(wend_map *map, int32_t left, int32_t side, int cells, int publishes, uint64_t *seed) {
    const double begun = wall_us();
    for (int i = 0; i < publishes; i++) {
        wend_edit *edit = begin_edit(map);
        for (int j = 0; j < cells; j++) {
            const wend_cell cell = draw_cell(side, side, seed);
            flip_cell(edit, map, (wend_cell){left + cell.x, left + cell.y, 0});
        }
        publish(edit);
    }
    return wall_us() - begun;
}

static double edits(const char *figure, const char *ground, wend_map *map, int32_t left, int32_t side, int cells,
                    int publishes, double unit_us, const char *unit) {
    double us[REPEATS];
    uint64_t seed = 1;
    edit_box(map, left, side, cells, publishes, &seed);
    for (int i = 0; i < REPEATS; i++) us[i] = edit_box(map, left, side, cells, publishes, &seed);
    const double middle = median(us, REPEATS);
    report(figure, ground, middle / unit_us, us[REPEATS - 1] / unit_us, unit);
    return middle;
}

static void bench_edits(const char *ground, ground_fn *fill, uint8_t *cells) {
    double us[REPEATS];
    fill(cells, SIDE);
    for (int i = 0; i < REPEATS; i++) {
        const double begun = wall_us();
        wend_map *map = grid_of(cells, SIDE, SIDE);
        us[i] = wall_us() - begun;
        wend_map_release(map);
    }
    double rebuild = median(us, REPEATS);
    report("rebuild", ground, rebuild / 1000, us[REPEATS - 1] / 1e3, "ms");
    wend_map *map = grid_of(cells, SIDE, SIDE);
    double single = edits("1000 publishes of one cell", ground, map, 0, SIDE, 1, CELLS, 1000, "ms");
    report("publishes of one cell", ground, CELLS / single * 1e6, 0, "/s");
    edits("batch of 1000 cells", ground, map, 0, SIDE, CELLS, 1, 1000, "ms");
    double chunk = edits("20 batches of 50 cells in one chunk", ground, map, 640, 64, 50, 20, 20, "us each");
    report("rebuild against batch in one chunk", ground, rebuild / (chunk / 20), 0, "times");
    wend_map_release(map);
}

/* The time of a fork of an empty map, or of a map where every block of chunks has been written to. */
static void bench_fork(int32_t side, int edited) {
    double us[REPEATS];
    wend_map *map = grid_of(NULL, side, side), *fork;
    wend_edit *edit = begin_edit(map);
    for (int32_t y = 0; y < side && edited; y += 512)
        for (int32_t x = 0; x < side; x += 512) check(wend_edit_set_cell(edit, (wend_cell){x, y, 0}, 0));
    publish(edit);
    uint64_t before = info_now(map).bytes;
    for (int i = 0; i < REPEATS; i++) {
        const double begun = wall_us();
        for (int j = 0; j < 100; j++) {
            check(wend_map_fork(map, &fork));
            wend_map_release(fork);
        }
        us[i] = wall_us() - begun;
    }
    const double middle = median(us, REPEATS) / 100;
    char ground[64];
    snprintf(ground, sizeof ground, "%d%s", (int)side, edited ? " edited" : " empty");
    report("fork and release", ground, middle, us[REPEATS - 1] / 100, "us");
    check(wend_map_fork(map, &fork));
    report("fork", ground, (double)(info_now(map).bytes - before), 0, "bytes");
    wend_map_release(fork);
    wend_map_release(map);
}

/* Instances of a dungeon, each with edits of its own. */
static void bench_instances(const char *ground, ground_fn *fill, uint8_t *cells) {
    static wend_map *forks[FORKS];
    uint64_t seed = 1;
    fill(cells, DUNGEON);
    wend_map *map = grid_of(cells, DUNGEON, DUNGEON);
    const uint64_t alone = info_now(map).bytes;
    const double begun = wall_us();
    for (int i = 0; i < FORKS; i++) {
        check(wend_map_fork(map, &forks[i]));
        edit_box(forks[i], 0, DUNGEON, FORK_EDITS, 1, &seed);
    }
    const double us = wall_us() - begun;
    const uint64_t all = info_now(map).bytes;
    report("500 forks with 100 edits each", ground, (double)all / 1e6, 0, "MB");
    report("one of them", ground, (double)(all - alone) / FORKS / 1e3, 0, "kB");
    report("one of them", ground, us / FORKS, 0, "us");
    for (int i = 0; i < FORKS; i++) wend_map_release(forks[i]);
    wend_map_release(map);
}

void bench_changes(void) {
    uint8_t *cells = malloc((size_t)SIDE * SIDE);
    puts("figure,ground,median,worst,unit");
    for (int i = 0; i < GROUNDS; i++) bench_edits(grounds[i].name, grounds[i].fill, cells);
    for (int edited = 0; edited <= 1; edited++) {
        bench_fork(DUNGEON, edited);
        bench_fork(LARGE, edited);
    }
    bench_instances("rooms", fill_rooms, cells);
    bench_instances("caves", fill_caves, cells);
    free(cells);
}
