/* SPDX-License-Identifier: MIT */
/* Jump tables: making them, their bytes, bringing them up to date when one cell changes, pruning. Landmarks:
 * making four, their bytes, what keeping them adds to a publish, and how many stand after each of many edits.
 * CSV, a ground a line; of the map files named, or of grounds made here. No landmarks on the largest. */
#include "scenery.h"
#include <math.h>
#include "map/edit/edit.h"
#include "fast/tables/jump_tables.h"
#include "fast/landmarks/landmark_tables.h"
#include "fast/acceleration.h"
#include <wend/host.h>

enum {
    EDITS = 2000,
    TIMES = 5,
    REPEATS = 5,
    LANDMARKS = 4,
    LANDMARK_REPEATS = 3,
    LANDMARK_CELLS = 1 << 22, ///< larger maps get none here
    LIFE = 1000,              ///< edits, one after another
    LOOKS = 1 << 12           ///< tries to find a cell of the wanted kind
};

static uint64_t seed = 1;

/* Time since then, less a reading of the clock; in microseconds. */
static double cpu_since(double begun) {
    static double clock_us = 0;
    const double now = cpu_us();
    while (clock_us == 0) {
        const double from = cpu_us();
        for (int i = 0; i < 1000; i++) cpu_us();
        clock_us = (cpu_us() - from) / 1001;
    }
    return fmax(now - begun - clock_us, 0);
}

/* ---- memory of the process: the system's time to give it pages is not the tables' ---- */

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

/* In microseconds. */
typedef struct took {
    double repair;  ///< bringing tables up to date
    double mend;    ///< looking at steps that are new to landmarks, and mending these
    double publish; ///< as a whole
} took;

/* A cell becomes open, or blocked. */
static took flip(wend_map *map, wend_cell cell) {
    took t;
    const double begun = cpu_us();
    wend_edit *edit = begin_edit(map);
    flip_cell(edit, map, cell);
    wend__mutex_lock(map->writer);
    check(wend__edit_finish_view(edit, &map->newest->rules));
    double before = cpu_us();
    check(wend__jumps_rebuild(edit, 0));
    t.repair = cpu_since(before);
    before = cpu_us();
    check(wend__landmarks_rebuild(edit, 0));
    t.mend = cpu_since(before);
    check(wend__edit_install(edit, edit->base->epoch + 1, false));
    wend__mutex_unlock(map->writer);
    wend__edit_free(edit);
    t.publish = cpu_since(begun);
    return t;
}

static wend_cell any_cell(const wend_map_info *info) {
    return draw_cell(info->width, info->height, &seed);
}

typedef struct figure {
    double mean_us, worst_us; ///< worst: of the edits; each the best of several times, to exclude other load
} figure;

typedef struct figures {
    figure repair, mend, publish;
} figures;

static void count(figure *f, const double *us) {
    double least = us[0];
    for (int i = 1; i < TIMES; i++)
        if (us[i] < least) least = us[i];
    f->mean_us += us[0] / EDITS;
    f->worst_us = fmax(f->worst_us, least);
}

/* Edits cell after cell, each in new forks: always the first edit of pruned chunks. */
static figures measure_edits(wend_map *map) {
    figures f = {0};
    wend_map_info info = info_now(map);
    for (int i = 0; i < EDITS; i++) {
        const wend_cell cell = any_cell(&info);
        double repair[TIMES], mend[TIMES], publish[TIMES];
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
    wend_map_info info = info_now(map);
    *steady_us = 0;
    for (int i = 0; i < EDITS; i++) *steady_us += flip(map, any_cell(&info)).repair / EDITS;
    wend_map_get_info(map, &info);
    const double begun = cpu_us();
    check(wend__map_prune_jumps(map, UINT32_MAX, NULL));
    return cpu_since(begun) / (double)(info.jump_unpruned ? info.jump_unpruned : 1);
}

static double measure_making(wend_map *map) {
    double us[REPEATS];
    for (int i = 0; i < REPEATS; i++) {
        check(wend__map_drop_jumps(map));
        const double begun = cpu_us();
        check(wend__map_prepare_jumps(map));
        us[i] = cpu_since(begun);
    }
    return median(us, REPEATS) / 1000;
}

/* ---- landmarks ---- */

/* Figures of many edits, one after another. */
typedef struct life {
    double mean_us, worst_us; ///< keeping landmarks, for each edit
    double standing;          ///< how many of them stood after an edit, in the mean
} life;

typedef struct aims {
    double making_ms, cell_ns; ///< cell_ns: for each cell and landmark
    double bytes;              ///< a cell
    figures edits;
    life bounded, free; ///< with a map's default effort, and with unlimited effort
} aims;

/* An open cell, or a blocked one; any cell if none is found soon. */
static wend_cell some_cell(wend_map *map, const wend_map_info *info, bool blocked) {
    wend_cell cell = any_cell(info);
    wend_map_rules rules = rules_now(map);
    for (int looks = 0; looks < LOOKS; looks++, cell = any_cell(info)) {
        uint8_t class;
        check(wend_map_get_terrain(map, cell, &class));
        if ((rules.factors[class] == 0) == blocked) return cell;
    }
    return cell;
}

/* By turns an open cell is blocked and a blocked one opened. */
static life live(wend_map *map, uint64_t effort) {
    life l = {0};
    wend_map *fork;
    check(wend_map_fork(map, &fork));
    wend_map_info info = info_now(fork);
    wend__map_set_landmark_effort(fork, effort);
    for (int i = 0; i < LIFE; i++) {
        const double us = flip(fork, some_cell(fork, &info, i % 2 == 1)).mend;
        wend_map_get_info(fork, &info);
        l.mean_us += us / LIFE;
        l.standing += (double)info.landmarks / LIFE;
        l.worst_us = fmax(l.worst_us, us);
    }
    wend_map_release(fork);
    return l;
}

static aims measure_landmarks(wend_map *map) {
    aims a = {0};
    double us[LANDMARK_REPEATS];
    for (int i = 0; i < LANDMARK_REPEATS; i++) {
        check(wend__map_prepare_landmarks(map, 0));
        const double begun = cpu_us();
        check(wend__map_prepare_landmarks(map, LANDMARKS));
        us[i] = cpu_since(begun);
    }
    wend_map_info info = info_now(map);
    a.making_ms = median(us, LANDMARK_REPEATS) / 1000;
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
    wend_map_def def = default_map();
    if (!system) def.allocator = arena_anew();
    wend_map *map;
    def.width = def.height = side;
    check(wend_map_create(&def, &map));
    if (!fill) return map;
    uint8_t *cells = malloc((size_t)side * (size_t)side);
    if (!cells) exit(2);
    fill(cells, side);
    wend_edit *edit = begin_edit(map);
    check(wend_edit_set_box(edit, (wend_box){{0, 0, 0}, {side - 1, side - 1, 0}}, cells, (size_t)side));
    publish(edit);
    free(cells);
    return map;
}

static wend_map *load(const char *path, bool system) {
    wend_map_def def = default_map();
    wend_map *map;
    if (!system) def.allocator = arena_anew();
    wend_file_error error = {.struct_bytes = sizeof error};
    need(wend_map_load(path, &def, &map, NULL, &error) == WEND_OK, error.text);
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
    double steady;
    figures without = measure_edits(map);
    double making = measure_making(map);
    wend_map_info info = info_now(map);
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
    wend_map *other = load(path, true);
    measure(base_name(path), load(path, false), other);
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
