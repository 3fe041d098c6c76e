/* SPDX-License-Identifier: MIT */
/* Components: what making them takes, asking them, and their bytes. CSV, a ground a line. */
#include "grounds.h"

#include "map/components/labels.h"
#include "map/store/map_layout.h"
#include "map/version/version.h"

#include <stdio.h>
#include <stdlib.h>

enum { SIDE = 2048, REPEATS = 7, QUESTIONS = 100000, BATCHES = 1000 };

/* Parts that areas share are counted once for each: grounds but the open one have none worth speaking of. */
static uint64_t bytes_of(const wend__area *area) {
    if (!area) return 0;
    uint64_t bytes = sizeof *area + area->outline->bytes + area->inside->bytes;
    for (int i = 0; i < 4; i++)
        if (i == 0 || area->parts[i] != area->parts[0]) bytes += bytes_of(area->parts[i]);
    return bytes;
}

static wend_cell any_cell(uint64_t *seed) {
    return (wend_cell){(int32_t)draw(seed, SIDE), (int32_t)draw(seed, SIDE), 0};
}

static double full_ms(wend_map *map) {
    uint64_t ns[REPEATS];
    wend__version *v = wend__map_acquire(map, false);
    for (int i = 0; i < REPEATS; i++) {
        wend__area *area;
        uint64_t begun = now_ns();
        check(wend__labels_renew(v, NULL, NULL, &area));
        ns[i] = now_ns() - begun;
        wend__area_release(map, area);
    }
    wend__map_release(v, false);
    return median_us(ns, REPEATS) / 1000;
}

static double question_ns(wend_map *map, int32_t *yes) {
    uint64_t ns[REPEATS], seed = 1;
    for (int i = 0; i < REPEATS; i++) {
        uint64_t begun = now_ns();
        *yes = 0;
        for (int j = 0; j < QUESTIONS; j++) {
            int32_t reachable;
            check(wend_map_reachable(map, WEND_MOVER_DEFAULT, any_cell(&seed), any_cell(&seed), &reachable));
            *yes += reachable;
        }
        ns[i] = now_ns() - begun;
    }
    return median_us(ns, REPEATS) * 1000 / QUESTIONS;
}

/* One cell changed: renewing the labels alone, as publishing does, and the question whether that would disconnect. */
static void one_cell_us(wend_map *map, double *renew, double *question) {
    static uint64_t renew_ns[BATCHES], question_ns[BATCHES];
    uint64_t seed = 2;
    for (int i = 0; i < BATCHES; i++) {
        wend_edit *edit;
        wend__area *area;
        int32_t disconnects;
        check(wend_edit_begin(map, &edit));
        wend_cell cell = any_cell(&seed);
        uint8_t class;
        check(wend_map_get_terrain(map, cell, &class));
        check(wend_edit_set_cell(edit, cell, class ? 0 : 1));
        uint64_t begun = now_ns();
        check(wend__labels_renew(edit->draft, edit->draft->labels, edit->dirty, &area));
        renew_ns[i] = now_ns() - begun;
        wend__area_release(map, area);
        begun = now_ns();
        check(wend_edit_would_disconnect(edit, WEND_MOVER_DEFAULT, any_cell(&seed), any_cell(&seed), &disconnects));
        question_ns[i] = now_ns() - begun;
        wend_edit_discard(edit);
    }
    *renew = median_us(renew_ns, BATCHES);
    *question = median_us(question_ns, BATCHES);
}

static void report(const char *ground, const uint8_t *cells) {
    wend_map_def def;
    wend_map_def_init(&def, sizeof def);
    wend_map *map;
    wend_edit *edit;
    wend_map_info info = {.struct_bytes = sizeof info};
    def.width = def.height = SIDE;
    check(wend_map_create(&def, &map));
    check(wend_edit_begin(map, &edit));
    check(wend_edit_set_box(edit, (wend_box){{0, 0, 0}, {SIDE - 1, SIDE - 1, 0}}, cells, SIDE));
    check(wend_edit_publish(edit, NULL));
    wend_map_get_info(map, &info);
    wend__version *v = wend__map_acquire(map, false);
    double bytes = (double)bytes_of(v->labels) / SIDE / SIDE, renew, disconnect;
    wend__map_release(v, false);
    int32_t yes;
    double full = full_ms(map), question = question_ns(map, &yes);
    one_cell_us(map, &renew, &disconnect);
    printf("%s,%d,%llu,%.4f,%.2f,%.2f,%.2f,%.0f,%.1f\n", ground, SIDE, (unsigned long long)info.components, bytes, full,
           renew, disconnect, question, 100.0 * yes / QUESTIONS);
    wend_map_release(map);
}

void bench_labels(void) {
    static const struct {
        const char *name;
        ground_fn *fill;
    } grounds[] = {{"open", fill_open},
                   {"rooms", fill_rooms},
                   {"city", fill_city},
                   {"caves", fill_caves},
                   {"random-20", fill_noise_20}};
    uint8_t *cells = malloc((size_t)SIDE * SIDE);
    if (!cells) exit(1);
    puts("ground,side,components,label_bytes_per_cell,all_labels_ms,relabel_one_cell_us,would_disconnect_us,"
         "reachable_ns,reachable_percent");
    for (size_t i = 0; i < sizeof grounds / sizeof *grounds; i++) {
        grounds[i].fill(cells, SIDE);
        report(grounds[i].name, cells);
    }
    free(cells);
}
