/* SPDX-License-Identifier: MIT */
/* Times stops: making them with jump tables, their bytes, publishing single cells, exits of one cell. CSV: one
 * figure a line, the worst of the runs next to it. */
#include "scenery.h"
#include "../tests/models/both.h"
#include "fast/acceleration.h"
#include "fast/stops/exits.h"
#include "fast/stops/stops.h"
#include "map/store/map_layout.h"
#include "map/version/version.h"
#include <wend/ways.h>

enum { SIDE = 1024, REPEATS = 7, PUBLISHES = 200, CALLS = 200000 };

static void report(const char *figure, const char *ground, double value, double worst, const char *unit) {
    printf("%s,%s,%.3f,%.3f,%s\n", figure, ground, value, worst, unit);
}

/* Begins patches of slow ground, 3 to 9 cells a side, in `patches` of 100,000 open cells; 1000: each cell is slow or
 * not. */
static void add_slow(uint8_t *cells, uint32_t patches, uint64_t *seed) {
    for (int32_t i = 0; i < SIDE * SIDE; i++) {
        if (patches == 1000 && cells[i] && draw(seed, 2)) cells[i] = (uint8_t)(2 + draw(seed, 4));
        if (patches == 1000 || draw(seed, 100000) >= patches) continue;
        const int32_t size = 3 + (int32_t)draw(seed, 7), x0 = i % SIDE, y0 = i / SIDE;
        const uint8_t class = (uint8_t)(2 + draw(seed, 4));
        for (int32_t y = y0; y < y0 + size && y < SIDE; y++)
            for (int32_t x = x0; x < x0 + size && x < SIDE; x++)
                if (cells[y * SIDE + x]) cells[y * SIDE + x] = class;
    }
}

static void add_doors(wend_edit *edit, int32_t count, uint64_t *seed) {
    while (count--) {
        const wend_cell a = {(int32_t)draw(seed, SIDE - 1), (int32_t)draw(seed, SIDE), 0};
        check(set_step_both(edit, a, (wend_cell){a.x + 1, a.y, 0}, 0));
    }
}

static wend_map *build(ground_fn *fill, uint32_t patches, int32_t doors) {
    wend_map *map;
    uint64_t seed = 3;
    uint8_t *cells = malloc((size_t)SIDE * SIDE);
    fill(cells, SIDE);
    add_slow(cells, patches, &seed);
    wend_map_def def = default_map();
    def.width = def.height = SIDE;
    check(wend_map_create(&def, &map));
    wend_edit *edit = begin_edit(map);
    check(wend_edit_set_box(edit, (wend_box){{0, 0, 0}, {SIDE - 1, SIDE - 1, 0}}, cells, SIDE));
    add_doors(edit, doors, &seed);
    publish(edit);
    free(cells);
    return map;
}

static void time_making(const char *ground, wend_map *map) {
    double us[REPEATS];
    for (int i = 0; i < REPEATS; i++) {
        check(wend__map_drop_jumps(map));
        const double begun = wall_us();
        check(wend__map_prepare_jumps(map));
        us[i] = wall_us() - begun;
    }
    const double middle = median(us, REPEATS);
    report("make tables and stops", ground, middle / 1000, us[REPEATS - 1] / 1e3, "ms");
    wend_map_info info = info_now(map);
    report("bytes of tables and stops", ground, (double)info.jump_bytes / SIDE / SIDE, 0, "bytes a cell");
}

/* Walls come and go, so that tables change, too. */
static double publish_cells(wend_map *map, uint64_t *seed) {
    const double begun = wall_us();
    for (int i = 0; i < PUBLISHES; i++) {
        const wend_cell cell = draw_cell(SIDE, SIDE, seed);
        uint8_t class;
        check(wend_map_get_terrain(map, cell, &class));
        check(wend_map_set_cell(map, cell, class ? 0 : 1, NULL));
    }
    return wall_us() - begun;
}

static void time_publishing(const char *figure, const char *ground, wend_map *map) {
    double us[REPEATS];
    uint64_t seed = 1;
    publish_cells(map, &seed);
    for (int i = 0; i < REPEATS; i++) us[i] = publish_cells(map, &seed);
    const double middle = median(us, REPEATS);
    report(figure, ground, middle / PUBLISHES, us[REPEATS - 1] / PUBLISHES, "us");
}

static void time_exits(const char *ground, wend_map *map) {
    wend__version *v = wend__map_acquire(map, false);
    double us[REPEATS];
    uint64_t seed = 1;
    volatile uint32_t sum = 0;
    for (int i = 0; i < REPEATS; i++) {
        const double begun = wall_us();
        for (int k = 0; k < CALLS; k++) {
            const uint32_t at = draw(&seed, SIDE * SIDE);
            sum += wend__stops_exits_now(v, (int32_t)(at % SIDE), (int32_t)(at / SIDE), at & 7, at >> 3 & 255);
        }
        us[i] = wall_us() - begun;
    }
    const double middle = median(us, REPEATS);
    report("exits on the spot", ground, middle * 1000 / CALLS, (double)us[REPEATS - 1] / CALLS, "ns");
    wend__map_release(v, false);
}

static void measure(const char *ground, ground_fn *fill, uint32_t patches, int32_t doors) {
    wend_map *map = build(fill, patches, doors);
    time_publishing("publish a cell without tables", ground, map);
    time_making(ground, map);
    time_publishing("publish a cell", ground, map);
    time_exits(ground, map);
    wend_map_release(map);
}

int main(void) {
    puts("figure,ground,median,worst,unit");
    measure("open", fill_open, 0, 0);
    measure("noise", fill_noise_20, 0, 0);
    measure("caves", fill_caves, 0, 0);
    measure("caves and a slow patch", fill_caves, 1, 0);
    measure("caves and slow patches", fill_caves, 300, 0);
    measure("caves and 1000 doors", fill_caves, 0, 1000);
    measure("noise of slow cells", fill_noise_20, 1000, 0);
    return 0;
}
