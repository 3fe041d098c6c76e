/* SPDX-License-Identifier: MIT */
/* What changing worlds takes: single cells, batches, forks. CSV: one figure a line, the worst of the runs beside it. */
#include "grounds.h"

#include <wend/wend.h>

#include <stdio.h>
#include <stdlib.h>

enum { SIDE = 2048, REPEATS = 7, CELLS = 1000, FORKS = 500, FORK_EDITS = 100, DUNGEON = 1024, LARGE = 16384 };

static void report(const char *figure, const char *ground, double value, double worst, const char *unit) {
    printf("%s,%s,%.3f,%.3f,%s\n", figure, ground, value, worst, unit);
}

static wend_map *create(int32_t side) {
    wend_map_def def;
    wend_map_def_init(&def, sizeof def);
    wend_map *map;
    def.width = def.height = side;
    check(wend_map_create(&def, &map));
    return map;
}

static wend_map *build(const uint8_t *cells, int32_t side) {
    wend_map *map = create(side);
    wend_edit *edit;
    check(wend_edit_begin(map, &edit));
    check(wend_edit_set_box(edit, (wend_box){{0, 0, 0}, {side - 1, side - 1, 0}}, cells, (size_t)side));
    check(wend_edit_publish(edit, NULL));
    return map;
}

/* Close what is open and open what is closed: every edit changes something. */
static void flip(const wend_map *map, wend_edit *edit, int32_t x, int32_t y) {
    uint8_t class;
    check(wend_map_get_terrain(map, (wend_cell){x, y, 0}, &class));
    check(wend_edit_set_cell(edit, (wend_cell){x, y, 0}, class ? 0 : 1));
}

/* Flip `cells` cells of a box in each of `publishes` batches; the time of all. */
static uint64_t edit_box(wend_map *map, int32_t left, int32_t side, int cells, int publishes, uint64_t *seed) {
    uint64_t begun = now_ns();
    for (int i = 0; i < publishes; i++) {
        wend_edit *edit;
        check(wend_edit_begin(map, &edit));
        for (int j = 0; j < cells; j++)
            flip(map, edit, left + (int32_t)draw(seed, (uint32_t)side), left + (int32_t)draw(seed, (uint32_t)side));
        check(wend_edit_publish(edit, NULL));
    }
    return now_ns() - begun;
}

static double edits(const char *figure, const char *ground, wend_map *map, int32_t left, int32_t side, int cells,
                    int publishes, double unit_us, const char *unit) {
    uint64_t ns[REPEATS], seed = 1;
    edit_box(map, left, side, cells, publishes, &seed);
    for (int i = 0; i < REPEATS; i++) ns[i] = edit_box(map, left, side, cells, publishes, &seed);
    double median = median_us(ns, REPEATS);
    report(figure, ground, median / unit_us, (double)ns[REPEATS - 1] / 1000 / unit_us, unit);
    return median;
}

static void bench_edits(const char *ground, ground_fn *fill, uint8_t *cells) {
    uint64_t ns[REPEATS];
    fill(cells, SIDE);
    for (int i = 0; i < REPEATS; i++) {
        uint64_t begun = now_ns();
        wend_map *map = build(cells, SIDE);
        ns[i] = now_ns() - begun;
        wend_map_release(map);
    }
    double rebuild = median_us(ns, REPEATS);
    report("rebuild", ground, rebuild / 1000, (double)ns[REPEATS - 1] / 1e6, "ms");
    wend_map *map = build(cells, SIDE);
    double single = edits("1000 publishes of one cell", ground, map, 0, SIDE, 1, CELLS, 1000, "ms");
    report("publishes of one cell", ground, CELLS / single * 1e6, 0, "/s");
    edits("batch of 1000 cells", ground, map, 0, SIDE, CELLS, 1, 1000, "ms");
    double chunk = edits("20 batches of 50 cells in one chunk", ground, map, 640, 64, 50, 20, 20, "us each");
    report("rebuild against batch in one chunk", ground, rebuild / (chunk / 20), 0, "times");
    wend_map_release(map);
}

static uint64_t bytes_of(const wend_map *map) {
    wend_map_info info = {.struct_bytes = sizeof info};
    wend_map_get_info(map, &info);
    return info.bytes;
}

/* What one fork takes, on an empty map or one where every block of chunks has been written to. */
static void bench_fork(int32_t side, int edited) {
    uint64_t ns[REPEATS];
    wend_map *map = create(side), *fork;
    wend_edit *edit;
    check(wend_edit_begin(map, &edit));
    for (int32_t y = 0; y < side && edited; y += 512)
        for (int32_t x = 0; x < side; x += 512) check(wend_edit_set_cell(edit, (wend_cell){x, y, 0}, 0));
    check(wend_edit_publish(edit, NULL));
    uint64_t before = bytes_of(map);
    for (int i = 0; i < REPEATS; i++) {
        uint64_t begun = now_ns();
        for (int j = 0; j < 100; j++) {
            check(wend_map_fork(map, &fork));
            wend_map_release(fork);
        }
        ns[i] = now_ns() - begun;
    }
    double median = median_us(ns, REPEATS) / 100;
    char ground[64];
    snprintf(ground, sizeof ground, "%d%s", (int)side, edited ? " edited" : " empty");
    report("fork and release", ground, median, (double)ns[REPEATS - 1] / 1e5, "us");
    check(wend_map_fork(map, &fork));
    report("fork", ground, (double)(bytes_of(map) - before), 0, "bytes");
    wend_map_release(fork);
    wend_map_release(map);
}

/* Instances of a dungeon, each with edits of its own. */
static void bench_instances(const char *ground, ground_fn *fill, uint8_t *cells) {
    static wend_map *forks[FORKS];
    uint64_t seed = 1;
    fill(cells, DUNGEON);
    wend_map *map = build(cells, DUNGEON);
    uint64_t alone = bytes_of(map), begun = now_ns();
    for (int i = 0; i < FORKS; i++) {
        check(wend_map_fork(map, &forks[i]));
        edit_box(forks[i], 0, DUNGEON, FORK_EDITS, 1, &seed);
    }
    uint64_t ns = now_ns() - begun, all = bytes_of(map);
    report("500 forks with 100 edits each", ground, (double)all / 1e6, 0, "MB");
    report("one of them", ground, (double)(all - alone) / FORKS / 1e3, 0, "kB");
    report("one of them", ground, (double)ns / FORKS / 1000, 0, "us");
    for (int i = 0; i < FORKS; i++) wend_map_release(forks[i]);
    wend_map_release(map);
}

void bench_changes(void) {
    uint8_t *cells = malloc((size_t)SIDE * SIDE);
    if (!cells) exit(1);
    puts("figure,ground,median,worst,unit");
    bench_edits("open", fill_open, cells);
    bench_edits("random-20", fill_noise_20, cells);
    bench_edits("caves", fill_caves, cells);
    bench_edits("rooms", fill_rooms, cells);
    bench_edits("city", fill_city, cells);
    for (int edited = 0; edited <= 1; edited++) {
        bench_fork(DUNGEON, edited);
        bench_fork(LARGE, edited);
    }
    bench_instances("rooms", fill_rooms, cells);
    bench_instances("caves", fill_caves, cells);
    free(cells);
}
