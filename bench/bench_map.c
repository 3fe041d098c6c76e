/* SPDX-License-Identifier: MIT */
/* Memory and time of maps: bytes a cell by their content, and the time to make, publish and edit them. CSV. */
#include "bench_map.h"

enum { SIDE = 2048, LARGE = 16384, REPEATS = 7, EDITS = 2000 };

const named_ground grounds[GROUNDS] = {{"open", fill_open},
                                       {"random-20", fill_noise_20},
                                       {"caves", fill_caves},
                                       {"rooms", fill_rooms},
                                       {"city", fill_city}};

typedef struct figures {
    double bytes, create_us, publish_us, edit_us;
} figures;

static double edit_us(wend_map *map, int32_t side) {
    uint64_t seed = 3;
    const double begun = wall_us();
    for (int32_t i = 0; i < EDITS; i++) {
        wend_cell cell = draw_cell(side, side, &seed);
        wend_edit *edit = begin_edit(map);
        check(wend_edit_set_cell(edit, cell, (uint8_t)draw(&seed, 2)));
        publish(edit);
    }
    return (wall_us() - begun) / EDITS;
}

static figures measure(const uint8_t *cells, int32_t side) {
    figures f = {0};
    double create[REPEATS], published[REPEATS];
    for (int i = 0; i < REPEATS; i++) {
        wend_map_def def = default_map();
        wend_map *map;
        wend_edit *edit;
        def.width = def.height = side;
        double begun = wall_us();
        check(wend_map_create(&def, &map));
        create[i] = wall_us() - begun;
        if (cells) {
            check(wend_edit_begin(map, &edit));
            check(wend_edit_set_box(edit, (wend_box){{0, 0, 0}, {side - 1, side - 1, 0}}, cells, (size_t)side));
            begun = wall_us();
            publish(edit);
            published[i] = wall_us() - begun;
        }
        f.bytes = (double)info_now(map).bytes;
        if (i == 0) f.edit_us = edit_us(map, side);
        wend_map_release(map);
    }
    f.create_us = median(create, REPEATS);
    f.publish_us = cells ? median(published, REPEATS) : 0;
    return f;
}

static void report(const char *name, int32_t side, figures f) {
    double chunks = (double)side / 64 * ((double)side / 64);
    printf("%s,%d,%.0f,%.6f,%.1f,%.3f,%.2f\n", name, (int)side, f.bytes, f.bytes / side / side, f.create_us,
           f.publish_us / chunks, f.edit_us);
}

int main(void) {
    uint8_t *cells = malloc((size_t)SIDE * SIDE);
    puts("ground,side,bytes,bytes_per_cell,create_us,publish_us_per_chunk,edit_us");
    report("empty", LARGE, measure(NULL, LARGE));
    for (size_t i = 0; i < GROUNDS; i++) {
        grounds[i].fill(cells, SIDE);
        report(grounds[i].name, SIDE, measure(cells, SIDE));
    }
    free(cells);
    bench_changes();
    bench_labels();
    bench_movers();
    return 0;
}
