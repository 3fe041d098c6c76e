/* SPDX-License-Identifier: MIT */
/* Times a watcher: 100,000 paths of 100 cells on caves of 1024 x 1024, and a batch of 100 edits a frame. CSV: the
 * median and the worst of the frames. Paths that broke are replaced between the frames. */
#include "scenery.h"
#include <wend/query.h>

enum { SIDE = 1024, PATHS = 100000, POOL = 180000, CELLS = 100, EDITS = 100, FRAMES = 61, FAR = 100 };

static uint16_t pool[POOL][CELLS][2]; /* paths, from which the watched ones come */
static int pool_count, pool_next;
static wend_cell room[CELLS];

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
    wend_map *fast;
    check(wend_map_fork(map, &fast)); /* the searches' map is accelerated, the measured one is not */
    check(wend_map_accelerate(fast, NULL));
    wend_service *service = open_service(NULL);
    while (pool_count < POOL) {
        for (int i = 0; i < 10000; i++) {
            wend_request request = default_request();
            request.map = fast, request.on_done = keep_path;
            const wend_cell from = draw_cell(SIDE, SIDE, seed);
            request.start = request.goal = from;
            request.goal.x += (int32_t)draw(seed, 2 * FAR) - FAR, request.goal.y += i & 1 ? FAR : -FAR;
            if (request.goal.x >= 0 && request.goal.y >= 0 && request.goal.x < SIDE && request.goal.y < SIDE)
                submit(service, &request);
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
    wend_watch watch = default_watch();
    watch.cells = room, watch.cell_count = CELLS;
    check(wend_watcher_add(watcher, &watch, NULL));
}

static void publish_edits(wend_map *map, uint64_t *seed) {
    wend_edit *edit = begin_edit(map);
    for (int i = 0; i < EDITS; i++) {
        flip_cell(edit, map, draw_cell(SIDE, SIDE, seed));
    }
    publish(edit);
}

static void report(const char *figure, double *values, size_t count, double unit, const char *name) {
    printf("%s,%.2f,%.2f,%s\n", figure, median(values, count) / unit, percentile(values, count, 1000) / unit, name);
}

int main(void) {
    static double publish_us[FRAMES], update_us[FRAMES], broken[FRAMES], add_us[PATHS];
    uint64_t seed = 1;
    wend_map *map = make_ground(fill_caves, SIDE);
    fill_pool(map, &seed);
    wend_watcher_def def = default_watcher();
    def.map = map, def.paths = PATHS, def.cells = (uint64_t)PATHS * CELLS;
    wend_watcher *watcher;
    check(wend_watcher_create(&def, &watcher));
    for (int i = 0; i < PATHS; i++) {
        take_path(map);
        double begun = cpu_us();
        add_path(watcher);
        add_us[i] = cpu_us() - begun;
    }
    for (int frame = 0; frame < FRAMES; frame++) {
        double begun = cpu_us();
        publish_edits(map, &seed);
        publish_us[frame] = cpu_us() - begun;
        begun = cpu_us();
        size_t told;
        check(wend_watcher_update(watcher, &told));
        update_us[frame] = cpu_us() - begun;
        wend_watch_event event = {.struct_bytes = sizeof event};
        while (wend_watcher_poll(watcher, &event) == WEND_OK)
            ;
        broken[frame] = (double)told;
        for (size_t i = 0; i < told; i++) {
            take_path(map);
            add_path(watcher);
        }
    }
    puts("figure,median,worst,unit");
    report("add a path", add_us, PATHS, 1, "us");
    report("publish 100 edits", publish_us, FRAMES, 1e3, "ms");
    report("update", update_us, FRAMES, 1e3, "ms");
    report("paths broken in a frame", broken, FRAMES, 1, "paths");
    printf("bytes a path,%.0f,,bytes\n", (double)wend_watcher_bytes(&def) / PATHS);
    wend_watcher_destroy(watcher);
    wend_map_release(map);
}
