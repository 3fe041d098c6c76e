/* SPDX-License-Identifier: MIT */
/* Movers: what adding one takes by its size, and what each adds to publishing a cell. CSV. */
#include "grounds.h"

#include <wend/wend.h>

#include <stdio.h>
#include <stdlib.h>

enum { LARGE = 2048, SIDE = 1024, REPEATS = 5, EDITS = 500, MOST = 32, MOST_LINKS = 1000000 };

static wend_map *map_of(const uint8_t *cells, int32_t side) {
    wend_map_def def;
    wend_map_def_init(&def, sizeof def);
    wend_map *map;
    wend_edit *edit;
    def.width = def.height = side;
    check(wend_map_create(&def, &map));
    check(wend_edit_begin(map, &edit));
    check(wend_edit_set_box(edit, (wend_box){{0, 0, 0}, {side - 1, side - 1, 0}}, cells, (size_t)side));
    check(wend_edit_publish(edit, NULL));
    return map;
}

static uint64_t bytes_of(const wend_map *map) {
    wend_map_info info = {.struct_bytes = sizeof info};
    wend_map_get_info(map, &info);
    return info.bytes;
}

static uint64_t add_ns(wend_map *map, int32_t size) {
    wend_mover mover;
    wend_mover_init(&mover, sizeof mover);
    int32_t id;
    mover.size = size;
    uint64_t begun = now_ns();
    check(wend_map_add_mover(map, &mover, &id));
    return now_ns() - begun;
}

static void report_adding(const char *ground, ground_fn *fill, uint8_t *cells, int32_t size) {
    uint64_t ns[REPEATS], bytes = 0;
    fill(cells, LARGE);
    wend_map *map = map_of(cells, LARGE);
    for (int i = 0; i < REPEATS; i++) {
        uint64_t before = bytes_of(map);
        ns[i] = add_ns(map, size);
        bytes = bytes_of(map) - before;
    }
    wend_map_release(map);
    printf("%s,%d,%d,%.2f,%.3f\n", ground, LARGE, size, median_us(ns, REPEATS) / 1000, (double)bytes / LARGE / LARGE);
}

static void add_links(wend_map *map, int32_t links) {
    wend_edit *edit;
    uint64_t seed = 5;
    check(wend_edit_begin(map, &edit));
    for (int32_t i = 0; i < links; i++) {
        wend_cell from = {(int32_t)draw(&seed, SIDE), (int32_t)draw(&seed, SIDE), 0};
        wend_cell to = {(int32_t)draw(&seed, SIDE), (int32_t)draw(&seed, SIDE), 0};
        if (from.x != to.x || from.y != to.y) check(wend_edit_add_link(edit, from, to, 10));
    }
    check(wend_edit_publish(edit, NULL));
}

/* Flip one cell in each publish. */
static double publish_us(wend_map *map) {
    static uint64_t ns[EDITS];
    uint64_t seed = 3;
    for (int i = 0; i < EDITS; i++) {
        wend_cell cell = {(int32_t)draw(&seed, SIDE), (int32_t)draw(&seed, SIDE), 0};
        uint8_t class;
        check(wend_map_get_terrain(map, cell, &class));
        uint64_t begun = now_ns();
        wend_edit *edit;
        check(wend_edit_begin(map, &edit));
        check(wend_edit_set_cell(edit, cell, class ? 0 : 1));
        check(wend_edit_publish(edit, NULL));
        ns[i] = now_ns() - begun;
    }
    return median_us(ns, EDITS);
}

/* @param size   of all; 0: from 1 to 4 by turns */
static void report_publishing(const uint8_t *cells, int32_t movers, int32_t size) {
    wend_map *map = map_of(cells, SIDE);
    for (int32_t i = 0; i < movers; i++) add_ns(map, size ? size : 1 + i % 4);
    printf("caves,%d,%d,%d,%.1f\n", SIDE, movers, size, publish_us(map));
    wend_map_release(map);
}

static void report_links(const uint8_t *cells, int32_t movers, int32_t links) {
    wend_map *map = map_of(cells, SIDE);
    add_links(map, links);
    for (int32_t i = 0; i < movers; i++) add_ns(map, 1 + i % 4);
    printf("caves,%d,%d,%d,%.1f\n", SIDE, movers, links, publish_us(map));
    wend_map_release(map);
}

void bench_movers(void) {
    static const int32_t sizes[] = {1, 2, 3, 4, 8, 16};
    uint8_t *cells = malloc((size_t)LARGE * LARGE);
    if (!cells) exit(1);
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
