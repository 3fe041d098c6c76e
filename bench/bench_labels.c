/* SPDX-License-Identifier: MIT */
/* Components: what making them takes, asking them, and their bytes. CSV, a ground a line. */
#include "bench_map.h"
#include "map/components/labels.h"
#include "map/store/map_layout.h"
#include "map/version/version.h"

enum { SIDE = 2048, REPEATS = 7, QUESTIONS = 100000, BATCHES = 1000 };

/* Counts parts that areas share once for each area: only open ground has many of them. */
static uint64_t bytes_of(const wend__area *area) {
    if (!area) return 0;
    uint64_t bytes = sizeof *area + area->outline->shared.bytes + area->inside->shared.bytes;
    for (int i = 0; i < 4; i++)
        if (i == 0 || area->parts[i] != area->parts[0]) bytes += bytes_of(area->parts[i]);
    return bytes;
}

static double full_ms(wend_map *map) {
    double us[REPEATS];
    wend__version *v = wend__map_acquire(map, false);
    for (int i = 0; i < REPEATS; i++) {
        wend__area *area;
        const double begun = wall_us();
        check(wend__labels_rebuild(v, NULL, NULL, &area));
        us[i] = wall_us() - begun;
        wend__area_release(map, area);
    }
    wend__map_release(v, false);
    return median(us, REPEATS) / 1000;
}

static double question_ns(wend_map *map, int32_t *yes) {
    double us[REPEATS];
    uint64_t seed = 1;
    for (int i = 0; i < REPEATS; i++) {
        const double begun = wall_us();
        *yes = 0;
        for (int j = 0; j < QUESTIONS; j++) {
            const wend_cell from = draw_cell(SIDE, SIDE, &seed);
            *yes += is_connected(map, WEND_MOVER_DEFAULT, from, draw_cell(SIDE, SIDE, &seed));
        }
        us[i] = wall_us() - begun;
    }
    return median(us, REPEATS) * 1000 / QUESTIONS;
}

/* A changed cell: renewing the labels alone, as publishing does, and the question whether that would disconnect. */
static void one_cell_us(wend_map *map, double *renew, double *question) {
    static double renew_us[BATCHES], question_us[BATCHES];
    uint64_t seed = 2;
    for (int i = 0; i < BATCHES; i++) {
        wend__area *area;
        bool disconnects;
        wend_edit *edit = begin_edit(map);
        flip_cell(edit, map, draw_cell(SIDE, SIDE, &seed));
        double begun = wall_us();
        check(wend__labels_rebuild(edit->draft, edit->draft->labels, edit->dirty, &area));
        renew_us[i] = wall_us() - begun;
        wend__area_release(map, area);
        begun = wall_us();
        const wend_cell from = draw_cell(SIDE, SIDE, &seed), to = draw_cell(SIDE, SIDE, &seed);
        check(wend_edit_would_disconnect(edit, WEND_MOVER_DEFAULT, from, to, &disconnects));
        question_us[i] = wall_us() - begun;
        wend_edit_discard(edit);
    }
    *renew = median(renew_us, BATCHES);
    *question = median(question_us, BATCHES);
}

static void report(const char *ground, const uint8_t *cells) {
    wend_map *map = grid_of(cells, SIDE, SIDE);
    wend_map_info info = info_now(map);
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
    uint8_t *cells = malloc((size_t)SIDE * SIDE);
    puts("ground,side,components,label_bytes_per_cell,all_labels_ms,relabel_one_cell_us,would_disconnect_us,"
         "reachable_ns,reachable_percent");
    for (size_t i = 0; i < GROUNDS; i++) {
        grounds[i].fill(cells, SIDE);
        report(grounds[i].name, cells);
    }
    free(cells);
}
