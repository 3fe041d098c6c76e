/* SPDX-License-Identifier: MIT */
/* Movers: what adding one takes by its size, and what each adds to publishing a cell. CSV. */
#include "bench_map.h"
#include <wend/ways.h>

enum {
    LARGE = 2048,
    SIDE = 1024,
    HILLS = 256,
    HILLS_DEPTH = 64,
    REPEATS = 5,
    EDITS = 500,
    MOST = 32,
    MOST_LINKS = 1000000
};

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

/* Hills of voxels; a cell at their surface is dug or built in each publish. */
static void report_walkers(int32_t walkers) {
    static double us[EDITS];
    wend_map_def def = default_map();
    def.kind = WEND_KIND_VOXEL, def.width = def.height = HILLS, def.depth = HILLS_DEPTH;
    wend_map *map = made_map(&def);
    wend_edit *edit = begin_edit(map);
    uint64_t seed = 3;
    for (int32_t i = 0; i < HILLS * HILLS; i++) {
        const int32_t x = i % HILLS, y = i / HILLS, top = 12 + (x / 7 * 13 + y / 5 * 7) % 9 / 3;
        check(wend_edit_fill_box(edit, (wend_box){{x, y, 0}, {x, y, top}}, WEND_CLASS_BLOCKED));
    }
    publish(edit);
    for (int32_t i = 0; i < walkers; i++) {
        wend_mover mover = default_mover();
        int32_t id;
        mover.walker = 1, mover.step_up = 1, mover.drop = 3, mover.headroom = 2;
        check(wend_map_add_mover(map, &mover, &id));
    }
    for (int i = 0; i < EDITS; i++) {
        wend_cell cell = draw_cell(HILLS, HILLS, &seed);
        cell.z = 10 + (int32_t)draw(&seed, 8);
        const double begun = cpu_us();
        flip_one(map, cell);
        us[i] = cpu_us() - begun;
    }
    printf("hills,%d,%d,%.1f\n", HILLS, walkers, median(us, EDITS));
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
    puts("ground,side,walkers,publish_one_cell_us");
    for (int32_t walkers = 0; walkers <= 4; walkers = walkers ? 2 * walkers : 1) report_walkers(walkers);
}
