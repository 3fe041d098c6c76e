/* SPDX-License-Identifier: MIT */
/* What the map benches share: the clock, chance, and what lies on the maps. */
#include "grounds.h"

#include <wend/wend.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

uint64_t now_ns(void) {
    wend_clock clock = wend_clock_default();
    return clock.now_ns(clock.context);
}

uint32_t draw(uint64_t *state, uint32_t below) {
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)((*state >> 33) * below >> 31);
}

void check(wend_error error) {
    if (!error) return;
    fprintf(stderr, "bench_map: %s\n", wend_error_name(error));
    exit(1);
}

static void fill_noise(uint8_t *cells, int32_t side, uint32_t closed_percent) {
    uint64_t seed = 1;
    for (size_t i = 0; i < (size_t)side * (size_t)side; i++) cells[i] = draw(&seed, 100) >= closed_percent;
}

static void fill_box(uint8_t *cells, int32_t side, int32_t x, int32_t y, int32_t width, int32_t height, uint8_t class) {
    for (int32_t j = y; j < y + height; j++) memset(cells + (size_t)j * (size_t)side + (size_t)x, class, (size_t)width);
}

void fill_rooms(uint8_t *cells, int32_t side) {
    uint64_t seed = 2;
    memset(cells, 1, (size_t)side * (size_t)side);
    for (int32_t x = 0; x < side; x += 100 + (int32_t)draw(&seed, 128)) fill_box(cells, side, x, 0, 1, side, 0);
    for (int32_t y = 0; y < side; y += 100 + (int32_t)draw(&seed, 128)) fill_box(cells, side, 0, y, side, 1, 0);
    for (int32_t i = 0; i < side / 2; i++) {
        int32_t x = (int32_t)draw(&seed, (uint32_t)side - 3), y = (int32_t)draw(&seed, (uint32_t)side - 3);
        fill_box(cells, side, x, y, 3, 3, 1);
    }
}

void fill_caves(uint8_t *cells, int32_t side) {
    uint8_t *before = malloc((size_t)side * (size_t)side);
    if (!before) exit(1);
    fill_noise(cells, side, 45);
    for (int pass = 0; pass < 5; pass++) {
        memcpy(before, cells, (size_t)side * (size_t)side);
        for (int32_t y = 1; y + 1 < side; y++)
            for (int32_t x = 1; x + 1 < side; x++) {
                const uint8_t *at = before + (size_t)y * (size_t)side + (size_t)x, *up = at - side, *down = at + side;
                int open = up[-1] + up[0] + up[1] + at[-1] + at[0] + at[1] + down[-1] + down[0] + down[1];
                cells[(size_t)y * (size_t)side + (size_t)x] = open >= 5;
            }
    }
    free(before);
}

void fill_city(uint8_t *cells, int32_t side) {
    uint64_t seed = 4;
    memset(cells, 1, (size_t)side * (size_t)side);
    for (int32_t y = 8; y + 112 < side; y += 112)
        for (int32_t x = 8; x + 112 < side; x += 112)
            fill_box(cells, side, x, y, 40 + (int32_t)draw(&seed, 64), 40 + (int32_t)draw(&seed, 64), 0);
}

void fill_noise_20(uint8_t *cells, int32_t side) {
    fill_noise(cells, side, 20);
}
void fill_open(uint8_t *cells, int32_t side) {
    memset(cells, 1, (size_t)side * (size_t)side);
}

static int by_size(const void *a, const void *b) {
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return x < y ? -1 : x > y;
}

double median_us(uint64_t *ns, int count) {
    qsort(ns, (size_t)count, sizeof *ns, by_size);
    return (double)ns[count / 2] / 1000;
}

wend_map *make_ground(ground_fn *fill, int32_t side) {
    wend_map_def def;
    wend_map *map;
    wend_edit *edit;
    uint8_t *cells = malloc((size_t)side * (size_t)side);
    if (!cells) exit(1);
    fill(cells, side);
    wend_map_def_init(&def, sizeof def);
    def.width = def.height = side;
    check(wend_map_create(&def, &map));
    check(wend_edit_begin(map, &edit));
    check(wend_edit_set_box(edit, (wend_box){{0, 0, 0}, {side - 1, side - 1, 0}}, cells, (size_t)side));
    check(wend_edit_publish(edit, NULL));
    free(cells);
    return map;
}
