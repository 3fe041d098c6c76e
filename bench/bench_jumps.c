/* SPDX-License-Identifier: MIT */
/* Jump tables: making them, their bytes, bringing them up to date when one cell changes, pruning. Landmarks:
 * making four, their bytes, what keeping them adds to a publish, and how many stand after each of many edits.
 * CSV, a ground a line; of the map files named, or of grounds made here. No landmarks on the largest. */
#define _POSIX_C_SOURCE 200809L
#include "grounds.h"

#include "map/edit/edit.h"
#include "map/edit/publish.h"
#include "map/jumps/jump_tables.h"
#include "map/landmarks/landmark_tables.h"
#include "map/acceleration.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <wend/wend.h>

enum {
    EDITS = 2000,
    TIMES = 5,
    REPEATS = 5,
    LANDMARKS = 4,
    LANDMARK_REPEATS = 3,
    LANDMARK_CELLS = 1 << 22, ///< on larger maps none are made here
    LIFE = 1000,              ///< edits, one after another
    LOOKS = 1 << 12           ///< for a cell of the kind that is wanted
};

static uint64_t seed = 1;

/* Of this thread's own time: the machine may have other work. */
static uint64_t cpu_ns(void) {
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

/* Since then, less what looking at the clock takes. */
static uint64_t cpu_since(uint64_t begun) {
    static uint64_t clock_ns = 0;
    const uint64_t now = cpu_ns();
    while (!clock_ns) {
        const uint64_t from = cpu_ns();
        for (int i = 0; i < 1000; i++) cpu_ns();
        clock_ns = (cpu_ns() - from) / 1001;
    }
    return now - begun > clock_ns ? now - begun - clock_ns : 0;
}

/* ---- memory that the process has already: what the system takes to give it pages is not the tables' ---- */

enum { CLASSES = 1024, UNIT = 64 };
static const size_t arena_bytes = (size_t)256 << 20;
static char *arena;
static size_t arena_used;
static struct hole { struct hole *next; } * holes[CLASSES]; ///< by size in units

static void *arena_alloc(void *context, size_t bytes, size_t alignment) {
    const wend_allocator system = wend_allocator_default();
    const size_t units = (bytes + UNIT - 1) / UNIT;
    (void)context;
    if (units >= CLASSES) return system.alloc(system.context, bytes, alignment);
    struct hole *hole = holes[units];
    if (hole) {
        holes[units] = hole->next;
        return hole;
    }
    if (units * UNIT > arena_bytes - arena_used) exit(3);
    arena_used += units * UNIT;
    return arena + arena_used - units * UNIT;
}

static void arena_free(void *context, void *pointer, size_t bytes) {
    const wend_allocator system = wend_allocator_default();
    const size_t units = (bytes + UNIT - 1) / UNIT;
    (void)context;
    if (units >= CLASSES) {
        system.free(system.context, pointer, bytes);
        return;
    }
    struct hole *hole = pointer;
    hole->next = holes[units];
    holes[units] = hole;
}

static wend_allocator arena_anew(void) {
    if (!arena) arena = aligned_alloc(UNIT, arena_bytes);
    if (!arena) exit(2);
    memset(arena, 1, arena_bytes);
    memset(holes, 0, sizeof holes);
    arena_used = 0;
    return (wend_allocator){.alloc = arena_alloc, .free = arena_free};
}

/* ---- */

/* In nanoseconds. */
typedef struct took {
    uint64_t repair;  ///< bringing tables up to date
    uint64_t mend;    ///< looking at steps that are new to landmarks, and mending these
    uint64_t publish; ///< as a whole
} took;

/* A cell becomes open, or blocked. */
static took flip(wend_map *map, wend_cell cell) {
    took t;
    uint8_t class;
    wend_edit *edit;
    uint64_t begun = cpu_ns();
    check(wend_map_get_terrain(map, cell, &class));
    check(wend_edit_begin(map, &edit));
    check(wend_edit_set_cell(edit, cell, class == WEND_CLASS_OPEN ? WEND_CLASS_BLOCKED : WEND_CLASS_OPEN));
    wend__mutex_lock(map->writer);
    check(wend__edit_finish_view(edit, &map->newest->rules));
    uint64_t before = cpu_ns();
    check(wend__jumps_renew(edit, 0));
    t.repair = cpu_since(before);
    before = cpu_ns();
    check(wend__landmarks_renew(edit, 0));
    t.mend = cpu_since(before);
    check(wend__edit_install(edit, edit->base->epoch + 1, false));
    wend__mutex_unlock(map->writer);
    wend__edit_free(edit);
    t.publish = cpu_since(begun);
    return t;
}

static wend_cell any_cell(const wend_map_info *info) {
    const int32_t x = (int32_t)draw(&seed, (uint32_t)info->width);
    return (wend_cell){x, (int32_t)draw(&seed, (uint32_t)info->height), 0};
}

typedef struct figure {
    double mean_us, worst_us; ///< worst: of the edits; each the best of several times, so that it is not the machine's
} figure;

typedef struct figures {
    figure repair, mend, publish;
} figures;

static void count(figure *f, const uint64_t *ns) {
    uint64_t least = ns[0];
    for (int i = 1; i < TIMES; i++)
        if (ns[i] < least) least = ns[i];
    f->mean_us += (double)ns[0] / 1000 / EDITS;
    if ((double)least / 1000 > f->worst_us) f->worst_us = (double)least / 1000;
}

/* One cell after another, each in forks of its own: always the first edit of chunks that are pruned. */
static figures measure_edits(wend_map *map) {
    figures f = {0};
    wend_map_info info = {.struct_bytes = sizeof info};
    wend_map_get_info(map, &info);
    for (int i = 0; i < EDITS; i++) {
        const wend_cell cell = any_cell(&info);
        uint64_t repair[TIMES], mend[TIMES], publish[TIMES];
        for (int j = 0; j < TIMES; j++) {
            wend_map *fork;
            check(wend_map_fork(map, &fork));
            const took t = flip(fork, cell);
            wend_map_release(fork);
            repair[j] = t.repair, mend[j] = t.mend, publish[j] = t.publish;
        }
        count(&f.repair, repair);
        count(&f.mend, mend);
        count(&f.publish, publish);
    }
    return f;
}

/* All over the map, one after another; then pruned. */
static double measure_pruning(wend_map *map, double *steady_us) {
    wend_map_info info = {.struct_bytes = sizeof info};
    wend_map_get_info(map, &info);
    *steady_us = 0;
    for (int i = 0; i < EDITS; i++) {
        *steady_us += (double)flip(map, any_cell(&info)).repair / 1000 / EDITS;
    }
    wend_map_get_info(map, &info);
    uint64_t begun = cpu_ns();
    check(wend__map_prune_jumps(map, UINT32_MAX, NULL));
    return (double)cpu_since(begun) / 1000 / (double)(info.jump_unpruned ? info.jump_unpruned : 1);
}

static double measure_making(wend_map *map) {
    uint64_t ns[REPEATS];
    for (int i = 0; i < REPEATS; i++) {
        check(wend__map_drop_jumps(map));
        uint64_t begun = cpu_ns();
        check(wend__map_prepare_jumps(map));
        ns[i] = cpu_since(begun);
    }
    return median_us(ns, REPEATS) / 1000;
}

/* ---- landmarks ---- */

/* Of many edits, one after another. */
typedef struct life {
    double mean_us, worst_us; ///< keeping landmarks, for each edit
    double standing;          ///< how many of them stood after an edit, in the mean
} life;

typedef struct aims {
    double making_ms, cell_ns; ///< cell_ns: for each cell and landmark
    double bytes;              ///< a cell
    figures edits;
    life bounded, free; ///< with the effort that a map has by itself, and with all that it takes
} aims;

/* One that is open, or blocked; any where none is found soon. */
static wend_cell some_cell(wend_map *map, const wend_map_info *info, bool blocked) {
    wend_cell cell = any_cell(info);
    wend_map_rules rules = {.struct_bytes = sizeof rules};
    wend_map_get_rules(map, &rules);
    for (int looks = 0; looks < LOOKS; looks++, cell = any_cell(info)) {
        uint8_t class;
        check(wend_map_get_terrain(map, cell, &class));
        if ((rules.factors[class] == 0) == blocked) return cell;
    }
    return cell;
}

/* By turns a cell is blocked and one that is blocked opened. */
static life live(wend_map *map, uint64_t effort) {
    life l = {0};
    wend_map *fork;
    wend_map_info info = {.struct_bytes = sizeof info};
    check(wend_map_fork(map, &fork));
    wend_map_get_info(fork, &info);
    wend__map_set_landmark_effort(fork, effort);
    for (int i = 0; i < LIFE; i++) {
        const double us = (double)flip(fork, some_cell(fork, &info, i % 2 == 1)).mend / 1000;
        wend_map_get_info(fork, &info);
        l.mean_us += us / LIFE;
        l.standing += (double)info.landmarks / LIFE;
        if (us > l.worst_us) l.worst_us = us;
    }
    wend_map_release(fork);
    return l;
}

static aims measure_landmarks(wend_map *map) {
    aims a = {0};
    wend_map_info info = {.struct_bytes = sizeof info};
    uint64_t ns[LANDMARK_REPEATS];
    for (int i = 0; i < LANDMARK_REPEATS; i++) {
        check(wend__map_prepare_landmarks(map, 0));
        uint64_t begun = cpu_ns();
        check(wend__map_prepare_landmarks(map, LANDMARKS));
        ns[i] = cpu_since(begun);
    }
    wend_map_get_info(map, &info);
    a.making_ms = median_us(ns, LANDMARK_REPEATS) / 1000;
    a.cell_ns = a.making_ms * 1e6 / (double)info.cells / LANDMARKS;
    a.bytes = (double)info.landmark_bytes / (double)info.cells;
    a.edits = measure_edits(map);
    const uint64_t before = seed;
    a.bounded = live(map, WEND_LANDMARK_EFFORT);
    seed = before;
    a.free = live(map, WEND_NO_LIMIT);
    check(wend__map_prepare_landmarks(map, 0));
    return a;
}

/* ---- grounds ---- */

static wend_map *make(int32_t side, ground_fn *fill, bool system) {
    wend_map_def def;
    wend_map_def_init(&def, sizeof def);
    if (!system) def.allocator = arena_anew();
    wend_map *map;
    wend_edit *edit;
    def.width = def.height = side;
    check(wend_map_create(&def, &map));
    if (!fill) return map;
    uint8_t *cells = malloc((size_t)side * (size_t)side);
    if (!cells) exit(2);
    fill(cells, side);
    check(wend_edit_begin(map, &edit));
    check(wend_edit_set_box(edit, (wend_box){{0, 0, 0}, {side - 1, side - 1, 0}}, cells, (size_t)side));
    check(wend_edit_publish(edit, NULL));
    free(cells);
    return map;
}

static wend_map *load(const char *path, bool system) {
    wend_map_def def;
    wend_map_def_init(&def, sizeof def);
    wend_map *map;
    if (!system) def.allocator = arena_anew();
    wend_file_error error = {.struct_bytes = sizeof error};
    if (wend_map_load(path, &def, &map, NULL, &error) != WEND_OK) {
        fprintf(stderr, "bench_jumps: %s: no map\n", path);
        exit(2);
    }
    return map;
}

/* The steady figure once more, with the C library's memory. */
static double steady_with_system(wend_map *map) {
    double steady;
    check(wend__map_prepare_jumps(map));
    measure_pruning(map, &steady);
    wend_map_release(map);
    return steady;
}

static void measure(const char *name, wend_map *map, wend_map *other) {
    wend_map_info info = {.struct_bytes = sizeof info};
    double steady;
    figures without = measure_edits(map);
    double making = measure_making(map);
    wend_map_get_info(map, &info);
    figures with = measure_edits(map);
    const bool small = info.cells <= LANDMARK_CELLS;
    aims a = {0};
    if (small) a = measure_landmarks(map);
    double pruning = measure_pruning(map, &steady);
    printf("%s,%d,%d,%.2f,%.3f,%.2f,%.2f,%.2f,%.2f,%.2f,%.2f,%.1f,%.2f", name, info.width, info.height, making,
           (double)info.jump_bytes / (double)info.cells, with.repair.mean_us, with.repair.worst_us, steady,
           steady_with_system(other), without.publish.mean_us, with.publish.mean_us, pruning, with.publish.worst_us);
    if (small)
        printf(",%.1f,%.1f,%.2f,%.2f,%.2f,%.1f,%.0f,%.2f,%.1f,%.0f\n", a.making_ms, a.cell_ns, a.bytes,
               a.edits.publish.mean_us, a.edits.mend.mean_us, a.bounded.mean_us, a.bounded.worst_us, a.bounded.standing,
               a.free.mean_us, a.free.worst_us);
    else
        puts(",,,,,,,,,,");
    fflush(stdout);
    wend_map_release(map);
}

static void measure_ground(const char *name, int32_t side, ground_fn *fill) {
    wend_map *other = make(side, fill, true);
    measure(name, make(side, fill, false), other);
}

static void measure_file(const char *path) {
    const char *name = strrchr(path, '/');
    wend_map *other = load(path, true);
    measure(name ? name + 1 : path, load(path, false), other);
}

int main(int argc, char **argv) {
    puts("map,width,height,making_ms,bytes_per_cell,repair_us,repair_worst_us,repair_steady_us,repair_system_us,"
         "publish_without_us,publish_with_us,pruning_us_per_chunk,publish_with_worst_us,landmarks_ms,"
         "landmarks_ns_per_cell,landmark_bytes_per_cell,publish_landmarks_us,mend_us,life_us,life_worst_us,"
         "life_standing,free_us,free_worst_us");
    for (int i = 1; i < argc; i++) measure_file(argv[i]);
    if (argc > 1) return 0;
    measure_ground("open", 1024, NULL);
    measure_ground("rooms", 1024, fill_rooms);
    measure_ground("caves", 1024, fill_caves);
    measure_ground("city", 1024, fill_city);
    measure_ground("noise-20", 512, fill_noise_20);
    measure_ground("open", 16384, NULL);
    return 0;
}
