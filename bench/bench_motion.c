/* SPDX-License-Identifier: MIT */
/* Times motion along paths through caves: a batch of walks. CSV: the median of the frames, and the slowest. */
#include "grounds.h"

#include <wend/wend.h>

#include <stdio.h>
#include <stdlib.h>

enum { SIDE = 512, WALKERS = 10000, CELLS = 4096, FRAMES = 200 };

typedef struct paths {
    wend_cell *cells;
    size_t first[WALKERS + 1];
} paths;

static wend_map *make_caves(void) {
    wend_map *map = make_ground(fill_caves, SIDE);
    check(wend_map_accelerate(map, NULL));
    return map;
}

static wend_cell draw_cell(uint64_t *seed, wend_cell near, int32_t within) {
    int32_t x = near.x - within + (int32_t)draw(seed, (uint32_t)(2 * within + 1));
    int32_t y = near.y - within + (int32_t)draw(seed, (uint32_t)(2 * within + 1));
    x = x < 0 ? 0 : x >= SIDE ? SIDE - 1 : x;
    y = y < 0 ? 0 : y >= SIDE ? SIDE - 1 : y;
    return (wend_cell){x, y, 0};
}

/* Paths of about a hundred cells, each in memory of its own. */
static void find_paths(wend_map *map, paths *p) {
    wend_cell *room = malloc(CELLS * sizeof *room);
    uint64_t seed = 5;
    size_t used = 0, capacity = 0;
    for (size_t i = 0; i < WALKERS;) {
        wend_cell from = draw_cell(&seed, (wend_cell){SIDE / 2, SIDE / 2, 0}, SIDE / 2),
                  to = draw_cell(&seed, from, 100);
        size_t count = 0;
        int32_t reachable = 0;
        check(wend_map_reachable(map, WEND_MOVER_DEFAULT, from, to, &reachable));
        if (!reachable) continue;
        check(wend_find_path(map, from, to, room, CELLS, &count, NULL));
        if (count < 20 || count > CELLS) continue;
        if (used + count > capacity) {
            capacity = 2 * capacity + CELLS;
            p->cells = realloc(p->cells, capacity * sizeof *p->cells);
        }
        for (size_t k = 0; k < count; k++) p->cells[used + k] = room[k];
        p->first[i++] = used;
        p->first[i] = used += count;
    }
    free(room);
}

static void begin_all(const wend_map *map, const paths *p, uint32_t speed, wend_walk *walks) {
    for (size_t i = 0; i < WALKERS; i++)
        check(wend_walk_begin(map, p->cells + p->first[i], p->first[i + 1] - p->first[i], WEND_MOVER_DEFAULT, speed, 0,
                              &walks[i]));
}

/* Frames in which all walk; who arrives begins again. */
static void time_walks(const wend_map *map, const paths *p, uint32_t speed, const char *name) {
    static wend_walk walks[WALKERS];
    static int32_t events[WALKERS];
    uint64_t ns[FRAMES];
    begin_all(map, p, speed, walks);
    for (int frame = 0; frame < FRAMES; frame++) {
        uint64_t begun = now_ns();
        check(wend_walk_advance_many(map, walks, WALKERS, 1000, events));
        ns[frame] = now_ns() - begun;
        for (size_t i = 0; i < WALKERS; i++)
            if (events[i]) walks[i].index = 0, walks[i].from = walks[i].cells[0];
    }
    double median = median_us(ns, FRAMES);
    printf("%s,%d,%.1f,%.1f\n", name, WALKERS, median, (double)ns[FRAMES - 1] / 1000);
}

int main(void) {
    static paths p;
    wend_map *map = make_caves();
    find_paths(map, &p);
    puts("what,count,median_us,worst_us");
    time_walks(map, &p, 250, "a frame of walks at a quarter of a step");
    time_walks(map, &p, 1000, "a frame of walks at a step");
    time_walks(map, &p, 4000, "a frame of walks at four steps");
    wend_map_release(map);
    free(p.cells);
    return 0;
}
