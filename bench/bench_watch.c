/* SPDX-License-Identifier: MIT */
/* Times a watcher: 100,000 paths of 100 cells on caves of 1024 x 1024, and a batch of 100 edits a frame. CSV: the
 * median and the worst of the frames. Paths that broke are replaced between the frames. */
#define _POSIX_C_SOURCE 200809L
#include "grounds.h"

#include <wend/wend.h>

#include <stdio.h>
#include <time.h>

enum { SIDE = 1024, PATHS = 100000, POOL = 180000, CELLS = 100, EDITS = 100, FRAMES = 61, FAR = 100 };

static uint16_t pool[POOL][CELLS][2]; /* paths, from which the watched ones come */
static int pool_count, pool_next;
static wend_cell room[CELLS];

/* Reads the clock of this thread, so that other work on the machine counts little. */
static uint64_t cpu_ns(void) {
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

static void keep_path(void *context, const wend_completion *done) {
    (void)context;
    if (done->cell_count < CELLS || pool_count == POOL) return;
    for (int i = 0; i < CELLS; i++) {
        pool[pool_count][i][0] = (uint16_t)done->cells[i].x;
        pool[pool_count][i][1] = (uint16_t)done->cells[i].y;
    }
    pool_count++;
}

/* Fills the pool with the beginnings of cheapest paths between cells that lie about FAR cells apart. */
static void fill_pool(wend_map *map, uint64_t *seed) {
    wend_service_def def;
    wend_service *service;
    wend_map *fast;
    check(wend_map_fork(map, &fast)); /* the searches' map is accelerated, the measured one is not */
    check(wend_map_accelerate(fast, NULL));
    wend_service_def_init(&def, sizeof def);
    check(wend_service_create(&def, &service));
    while (pool_count < POOL) {
        for (int i = 0; i < 10000; i++) {
            wend_request request;
            wend_request_init(&request, sizeof request);
            request.map = fast, request.on_done = keep_path;
            const wend_cell from = {(int32_t)draw(seed, SIDE), (int32_t)draw(seed, SIDE), 0};
            request.start = request.goal = from;
            request.goal.x += (int32_t)draw(seed, 2 * FAR) - FAR, request.goal.y += i & 1 ? FAR : -FAR;
            if (request.goal.x >= 0 && request.goal.y >= 0 && request.goal.x < SIDE && request.goal.y < SIDE)
                check(wend_service_submit(service, &request, NULL));
        }
        while (wend_service_get_pending(service)) check(wend_service_tick(service, NULL, NULL));
    }
    wend_service_destroy(service);
    wend_map_release(fast);
}

/* The pool's next path that can be walked now, into the room. */
static void take_path(const wend_map *map) {
    for (size_t walkable = 0; walkable < CELLS;) {
        const int path = pool_next++ % POOL;
        for (int i = 0; i < CELLS; i++) room[i] = (wend_cell){pool[path][i][0], pool[path][i][1], 0};
        check(wend_map_path_cost(map, 0, room, CELLS, &walkable, NULL));
    }
}

static void add_path(wend_watcher *watcher) {
    wend_watch watch;
    wend_watch_init(&watch, sizeof watch);
    watch.cells = room, watch.cell_count = CELLS;
    check(wend_watcher_add(watcher, &watch, NULL));
}

static void publish(wend_map *map, uint64_t *seed) {
    wend_edit *edit;
    check(wend_edit_begin(map, &edit));
    for (int i = 0; i < EDITS; i++) {
        const wend_cell cell = {(int32_t)draw(seed, SIDE), (int32_t)draw(seed, SIDE), 0};
        uint8_t class;
        check(wend_map_get_terrain(map, cell, &class));
        check(wend_edit_set_cell(edit, cell, class ? 0 : 1));
    }
    check(wend_edit_publish(edit, NULL));
}

static void report(const char *figure, uint64_t *ns, int count, double unit, const char *name) {
    const double median = median_us(ns, count) * 1000;
    printf("%s,%.2f,%.2f,%s\n", figure, median / unit, (double)ns[count - 1] / unit, name);
}

int main(void) {
    static uint64_t publish_ns[FRAMES], update_ns[FRAMES], broken[FRAMES], add_ns[PATHS];
    uint64_t seed = 1;
    wend_map *map = make_ground(fill_caves, SIDE);
    fill_pool(map, &seed);
    wend_watcher_def def;
    wend_watcher_def_init(&def, sizeof def);
    def.map = map, def.paths = PATHS, def.cells = (uint64_t)PATHS * CELLS;
    wend_watcher *watcher;
    check(wend_watcher_create(&def, &watcher));
    for (int i = 0; i < PATHS; i++) {
        take_path(map);
        const uint64_t begun = cpu_ns();
        add_path(watcher);
        add_ns[i] = cpu_ns() - begun;
    }
    for (int frame = 0; frame < FRAMES; frame++) {
        uint64_t begun = cpu_ns();
        publish(map, &seed);
        publish_ns[frame] = cpu_ns() - begun;
        begun = cpu_ns();
        size_t told;
        check(wend_watcher_update(watcher, &told));
        update_ns[frame] = cpu_ns() - begun;
        wend_watch_event event = {.struct_bytes = sizeof event};
        while (wend_watcher_poll(watcher, &event) == WEND_OK)
            ;
        broken[frame] = told;
        for (size_t i = 0; i < told; i++) {
            take_path(map);
            add_path(watcher);
        }
    }
    puts("figure,median,worst,unit");
    report("add a path", add_ns, PATHS, 1000, "us");
    report("publish 100 edits", publish_ns, FRAMES, 1e6, "ms");
    report("update", update_ns, FRAMES, 1e6, "ms");
    report("paths broken in a frame", broken, FRAMES, 1, "paths");
    printf("bytes a path,%.0f,,bytes\n", (double)wend_watcher_bytes(&def) / PATHS);
    wend_watcher_destroy(watcher);
    wend_map_release(map);
}
