/* SPDX-License-Identifier: MIT */
/* What maps take: bytes a cell by what lies on them, and the time to make, publish and edit them. CSV. */
#include "grounds.h"

#include <wend/wend.h>

#include <stdio.h>
#include <stdlib.h>

enum { SIDE = 2048, LARGE = 16384, REPEATS = 7, EDITS = 2000 };

typedef struct figures {
    double bytes, create_us, publish_us, edit_us;
} figures;

static double edit_us(wend_map *map, int32_t side) {
    uint64_t seed = 3, begun = now_ns();
    for (int32_t i = 0; i < EDITS; i++) {
        wend_edit *edit;
        wend_cell cell = {(int32_t)draw(&seed, (uint32_t)side), (int32_t)draw(&seed, (uint32_t)side), 0};
        check(wend_edit_begin(map, &edit));
        check(wend_edit_set_cell(edit, cell, (uint8_t)draw(&seed, 2)));
        check(wend_edit_publish(edit, NULL));
    }
    return (double)(now_ns() - begun) / 1000 / EDITS;
}

static figures measure(const uint8_t *cells, int32_t side) {
    figures f = {0};
    uint64_t create[REPEATS], publish[REPEATS];
    for (int i = 0; i < REPEATS; i++) {
        wend_map_def def;
        wend_map_def_init(&def, sizeof def);
        wend_map *map;
        wend_edit *edit;
        wend_map_info info = {.struct_bytes = sizeof info};
        def.width = def.height = side;
        uint64_t begun = now_ns();
        check(wend_map_create(&def, &map));
        create[i] = now_ns() - begun;
        if (cells) {
            check(wend_edit_begin(map, &edit));
            check(wend_edit_set_box(edit, (wend_box){{0, 0, 0}, {side - 1, side - 1, 0}}, cells, (size_t)side));
            begun = now_ns();
            check(wend_edit_publish(edit, NULL));
            publish[i] = now_ns() - begun;
        }
        wend_map_get_info(map, &info);
        f.bytes = (double)info.bytes;
        if (i == 0) f.edit_us = edit_us(map, side);
        wend_map_release(map);
    }
    f.create_us = median_us(create, REPEATS);
    f.publish_us = cells ? median_us(publish, REPEATS) : 0;
    return f;
}

static void report(const char *name, int32_t side, figures f) {
    double chunks = (double)side / 64 * ((double)side / 64);
    printf("%s,%d,%.0f,%.6f,%.1f,%.3f,%.2f\n", name, (int)side, f.bytes, f.bytes / side / side, f.create_us,
           f.publish_us / chunks, f.edit_us);
}

int main(void) {
    static const struct {
        const char *name;
        ground_fn *fill;
    } grounds[] = {{"open", fill_open},
                   {"random-20", fill_noise_20},
                   {"caves", fill_caves},
                   {"rooms", fill_rooms},
                   {"city", fill_city}};
    uint8_t *cells = malloc((size_t)SIDE * SIDE);
    if (!cells) return 1;
    puts("ground,side,bytes,bytes_per_cell,create_us,publish_us_per_chunk,edit_us");
    report("empty", LARGE, measure(NULL, LARGE));
    for (size_t i = 0; i < sizeof grounds / sizeof *grounds; i++) {
        grounds[i].fill(cells, SIDE);
        report(grounds[i].name, SIDE, measure(cells, SIDE));
    }
    free(cells);
    bench_changes();
    bench_labels();
    bench_movers();
    return 0;
}
