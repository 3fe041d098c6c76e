/* SPDX-License-Identifier: MIT */
/* `bench_calls each [MAP]` times every public function on 5 x 5 open cells, and on a map: CSV of medians in
 * microseconds, then the 20 slowest of each map. tests/repo/calls.sh compares the rows with the headers. */
#include "each.h"

#include <wend/acceleration.h>
#include <wend/query.h>

enum { SAMPLES = 31, LEAST = 5, ROWS = 512, DEAREST = 20 };
static const double most_us = 100000; /* a row takes at most this */

typedef struct noted {
    const char *function, *tag;
    double median_us;
} noted;

static noted rows[ROWS];
static size_t row_count;
static const char *map_name;
static double clock_us; /* duration of two readings of the clock */

row row_of(const char *function, const char *tag, uint32_t batch) {
    return (row){.function = function, .tag = tag, .batch = batch};
}

bool row_goes_on(row *r) {
    if (r->all.count < SAMPLES && (r->all.count < LEAST || r->spent < most_us)) return true;
    const double us = median(r->all.values, r->all.count);
    need(row_count < ROWS, "room for rows");
    rows[row_count++] = (noted){r->function, r->tag, us};
    printf("%s,%s%s%s,%.3f\n", map_name, r->function, *r->tag ? " " : "", r->tag, us);
    clear(&r->all);
    return false;
}

void row_begin(row *r) {
    r->began = wall_us();
}

void row_end(row *r) {
    const double took = wall_us() - r->began - clock_us;
    r->spent += took;
    note(&r->all, (took > 0 ? took : 0) / r->batch);
}

void row_untimed(const char *function, const char *why) {
    printf("%s,%s,not timed: %s\n", map_name, function, why);
}

static int by_cost(const void *a, const void *b) {
    const noted *one = a, *other = b;
    return (one->median_us < other->median_us) - (one->median_us > other->median_us);
}

static void set_clock(void) {
    samples all = {0};
    for (int i = 0; i < 1001; i++) {
        const double began = wall_us();
        note(&all, wall_us() - began);
    }
    clock_us = median(all.values, all.count);
    clear(&all);
}

static void open_world(world *w, wend_map *map) {
    const wend_map_info info = info_now(map);
    *w = (world){.map = map, .side = info.width, .search = open_search(0), .service = open_service(NULL)};
    w->from = open_near(map, (wend_cell){info.width / 20, info.height / 20, 0});
    const wend_cell far = {w->from.x + (info.width < 20 ? 4 : 15), w->from.y + (info.width < 20 ? 4 : 15), 0};
    w->to = open_near(map, far);
    w->blocked = w->from;
    for (int32_t i = 0; i < info.width * info.height; i++) {
        uint8_t class;
        const wend_cell cell = {i % info.width, i / info.width, 0};
        check(wend_map_get_terrain(map, cell, &class));
        if (class == WEND_CLASS_BLOCKED) w->blocked = cell;
    }
    w->request = default_request();
    w->request.map = map, w->request.start = w->from, w->request.goal = w->to, w->request.on_done = ignore;
    w->budget = default_budget();
    w->budget.expansions = UINT64_C(1) << 30;
    check(wend_search_begin(w->search, &w->request));
    need(wend_search_step(w->search, WEND_NO_LIMIT, NULL) == WEND_STATUS_FOUND, "a path");
    check(wend_search_get_path(w->search, w->path, EACH_PATH, &w->count));
}

static void close_world(world *w) {
    wend_search_destroy(w->search);
    wend_service_destroy(w->service);
    wend_map_release(w->map);
}

static void time_world(const char *name, wend_map *map) {
    static world w;
    map_name = name, row_count = 0;
    open_world(&w, map);
    each_map(&w);
    each_map_changes(&w);
    each_search(&w);
    each_service(&w);
    each_path(&w);
    each_crowd(&w);
    each_file(&w);
    each_other_library();
    close_world(&w);
    qsort(rows, row_count, sizeof *rows, by_cost);
    for (size_t i = 0; i < DEAREST && i < row_count; i++)
        printf("%s dearest %zu,%s%s%s,%.1f\n", name, i + 1, rows[i].function, *rows[i].tag ? " " : "", rows[i].tag,
               rows[i].median_us);
}

int each_call(const char *file) {
    set_clock();
    printf("map,call,median_us\n");
    time_world("5x5", grid_of(NULL, 5, 5));
    if (!file) return 0;
    wend_map *map = load_map(file, 0, 0);
    const wend_acceleration def = default_acceleration();
    check(wend_map_accelerate(map, &def));
    time_world(base_name(file), map);
    return 0;
}
