/* SPDX-License-Identifier: MIT */
/* Jump tables: making them, their bytes, bringing them up to date when one cell changes, pruning. CSV, a ground a line; of
 * the map files named, or of grounds made here. */
#define _POSIX_C_SOURCE 200809L
#include "grounds.h"

#include "map/jump_tables.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <wend/io.h>

enum { EDITS = 2000, TIMES = 5, REPEATS = 5 };

static uint64_t seed = 1;

/* Of this thread's own time: the machine may have other work. */
static uint64_t cpu_ns(void) {
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

/* A cell becomes open, or blocked. In nanoseconds: repairing the tables, and publishing as a whole. */
static void flip(wend_map *map, wend_cell cell, uint64_t *repair, uint64_t *publish) {
    uint8_t class;
    wend_edit *edit;
    uint64_t begun = cpu_ns();
    check(wend_map_terrain(map, cell, &class));
    check(wend_edit_begin(map, &edit));
    check(wend_edit_set(edit, cell, class == WEND_CLASS_OPEN ? WEND_CLASS_BLOCKED : WEND_CLASS_OPEN));
    wend__mutex_lock(map->writer);
    check(wend__edit_derive(edit, &map->newest->rules));
    uint64_t before = cpu_ns();
    check(wend__jumps_repair(edit));
    *repair = cpu_ns() - before;
    check(wend__edit_install(edit, edit->base->epoch + 1, false));
    wend__mutex_unlock(map->writer);
    wend__edit_free(edit);
    *publish = cpu_ns() - begun;
}

typedef struct figures {
    double mean_us, worst_us; ///< worst: of the edits; each the best of several times, so that it is not the machine's
    double publish_us;        ///< in the mean, as a whole
} figures;

/* One cell after another, each in forks of its own: always the first edit of chunks that are pruned. */
static figures measure_edits(wend_map *map) {
    figures f = {0};
    wend_map_info info;
    wend_map_describe(map, &info);
    for (int i = 0; i < EDITS; i++) {
        wend_cell cell = {(int32_t)draw(&seed, (uint32_t)info.width), (int32_t)draw(&seed, (uint32_t)info.height), 0};
        uint64_t least = UINT64_MAX;
        for (int j = 0; j < TIMES; j++) {
            wend_map *fork;
            uint64_t repair, publish;
            check(wend_map_fork(map, &fork));
            flip(fork, cell, &repair, &publish);
            wend_map_release(fork);
            if (j == 0) f.mean_us += (double)repair / 1000 / EDITS, f.publish_us += (double)publish / 1000 / EDITS;
            if (repair < least) least = repair;
        }
        if ((double)least / 1000 > f.worst_us) f.worst_us = (double)least / 1000;
    }
    return f;
}

/* All over the map, one after another; then pruned. */
static double measure_pruning(wend_map *map, double *steady_us) {
    wend_map_info info;
    wend_map_describe(map, &info);
    *steady_us = 0;
    for (int i = 0; i < EDITS; i++) {
        wend_cell cell = {(int32_t)draw(&seed, (uint32_t)info.width), (int32_t)draw(&seed, (uint32_t)info.height), 0};
        uint64_t repair, publish;
        flip(map, cell, &repair, &publish);
        *steady_us += (double)repair / 1000 / EDITS;
    }
    wend_map_describe(map, &info);
    uint64_t begun = cpu_ns();
    check(wend_map_prune_jumps(map, UINT32_MAX, NULL));
    return (double)(cpu_ns() - begun) / 1000 / (double)(info.jump_unpruned ? info.jump_unpruned : 1);
}

static double measure_making(wend_map *map) {
    uint64_t ns[REPEATS];
    for (int i = 0; i < REPEATS; i++) {
        check(wend_map_drop_jumps(map));
        uint64_t begun = cpu_ns();
        check(wend_map_prepare_jumps(map));
        ns[i] = cpu_ns() - begun;
    }
    return median_us(ns, REPEATS) / 1000;
}

static void measure(const char *name, wend_map *map) {
    wend_map_info info;
    double steady;
    figures without = measure_edits(map);
    double making = measure_making(map);
    wend_map_describe(map, &info);
    figures with = measure_edits(map);
    double pruning = measure_pruning(map, &steady);
    printf("%s,%d,%d,%.2f,%.3f,%.2f,%.2f,%.2f,%.2f,%.2f,%.1f\n", name, info.width, info.height, making,
           (double)info.jump_bytes / (double)info.cells, with.mean_us, with.worst_us, steady, without.publish_us,
           with.publish_us, pruning);
    fflush(stdout);
    wend_map_release(map);
}

static wend_map *make(int32_t side, ground_fn *fill) {
    wend_map_def def = wend_map_default();
    wend_map *map;
    wend_edit *edit;
    def.width = def.height = side;
    check(wend_map_create(&def, &map));
    if (!fill) return map;
    uint8_t *cells = malloc((size_t)side * (size_t)side);
    if (!cells) exit(2);
    fill(cells, side);
    check(wend_edit_begin(map, &edit));
    check(wend_edit_write(edit, (wend_box){{0, 0, 0}, {side - 1, side - 1, 0}}, cells, (size_t)side));
    check(wend_edit_publish(edit, NULL));
    free(cells);
    return map;
}

static void measure_file(const char *path) {
    wend_map *map;
    wend_file_error error;
    const char *name = strrchr(path, '/');
    if (wend_map_load(path, NULL, &map, NULL, &error) != WEND_OK) {
        fprintf(stderr, "bench_jumps: %s: no map\n", path);
        exit(2);
    }
    measure(name ? name + 1 : path, map);
}

int main(int argc, char **argv) {
    puts("map,width,height,making_ms,bytes_per_cell,repair_us,repair_worst_us,repair_steady_us,publish_without_us,"
         "publish_with_us,pruning_us_per_chunk");
    for (int i = 1; i < argc; i++) measure_file(argv[i]);
    if (argc > 1) return 0;
    measure("open", make(1024, NULL));
    measure("rooms", make(1024, fill_rooms));
    measure("caves", make(1024, fill_caves));
    measure("city", make(1024, fill_city));
    measure("noise-20", make(512, fill_noise_20));
    measure("open", make(16384, NULL));
    return 0;
}
