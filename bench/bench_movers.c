/* SPDX-License-Identifier: MIT */
/* Movers: what adding one takes by its size, and what each adds to publishing a cell. CSV. */
#include "bench_map.h"
#include <wend/ways.h>

enum { LARGE = 2048, SIDE = 1024, REPEATS = 5, EDITS = 500, MOST = 32, MOST_LINKS = 1000000 };

static double add_us(wend_map *map, int32_t size) {
    wend_mover mover = default_mover();
    int32_t id;
    mover.size = size;
    const double begun = wall_us();
    check(wend_map_add_mover(map, &mover, &id));
    return wall_us() - begun;
}

static void report_adding(const char *ground, ground_fn *fill, uint8_t *cells, int32_t size) {
    double us[REPEATS];
    uint64_t bytes = 0;
    fill(cells, LARGE);
    wend_map *map = grid_of(cells, LARGE, LARGE);
    for (int i = 0; i < REPEATS; i++) {
        uint64_t before = info_now(map).bytes;
        us[i] = add_us(map, size);
        bytes = info_now(map).bytes - before;
    }
    wend_map_release(map);
    printf("%s,%d,%d,%.2f,%.3f\n", ground, LARGE, size, median(us, REPEATS) / 1000, (double)bytes / LARGE / LARGE);
}

static void add_links(wend_map *map, int32_t links) {
    uint64_t seed = 5;
    wend_edit *edit = begin_edit(map);
    for (int32_t i = 0; i < links; i++) {
        const wend_cell from = draw_cell(SIDE, SIDE, &seed), to = draw_cell(SIDE, SIDE, &seed);
        if (from.x != to.x || from.y != to.y) check(wend_edit_add_link(edit, &(wend_link){from, to, 10, 0}));
    }
    publish(edit);
}

/* Flip one cell in each publish. */
static double publish_us(wend_map *map) {
    static double us[EDITS];
    uint64_t seed = 3;
    for (int i = 0; i < EDITS; i++) {
        const wend_cell cell = draw_cell(SIDE, SIDE, &seed);
        const double begun = wall_us();
        flip_one(map, cell);
        us[i] = wall_us() - begun;
    }
    return median(us, EDITS);
}

/* @param size   of all; 0: from 1 to 4 by turns */
static void report_publishing(const uint8_t *cells, int32_t movers, int32_t size) {
    wend_map *map = grid_of(cells, SIDE, SIDE);
    for (int32_t i = 0; i < movers; i++) add_us(map, size ? size : 1 + i % 4);
    printf("caves,%d,%d,%d,%.1f\n", SIDE, movers, size, publish_us(map));
    wend_map_release(map);
}

static void report_links(const uint8_t *cells, int32_t movers, int32_t links) {
    wend_map *map = grid_of(cells, SIDE, SIDE);
    add_links(map, links);
    for (int32_t i = 0; i < movers; i++) add_us(map, 1 + i % 4);
    printf("caves,%d,%d,%d,%.1f\n", SIDE, movers, links, publish_us(map));
    wend_map_release(map);
}

void bench_movers(void) {
    static const int32_t sizes[] = {1, 2, 3, 4, 8, 16};
    uint8_t *cells = malloc((size_t)LARGE * LARGE);
    puts("ground,side,mover_size,add_mover_ms,ground_bytes_per_cell");
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        report_adding("open", fill_open, cells, sizes[i]);
        report_adding("caves", fill_caves, cells, sizes[i]);
        report_adding("random-20", fill_noise_20, cells, sizes[i]);
    }
    puts("ground,side,movers,mover_size,publish_one_cell_us");
    fill_caves(cells, SIDE);
    for (int32_t movers = 0; movers <= MOST; movers = movers ? movers * 2 : 1) report_publishing(cells, movers, 1);
    for (int32_t movers = 1; movers <= MOST; movers *= 2) report_publishing(cells, movers, 0);
    for (int32_t movers = 1; movers <= MOST; movers *= 32) report_publishing(cells, movers, 16);
    puts("ground,side,movers,links,publish_one_cell_us");
    for (int32_t links = 0; links <= MOST_LINKS; links = links ? links * 10 : 1000)
        for (int32_t movers = 0; movers <= 8; movers += 8) report_links(cells, movers, links);
    free(cells);
}
