/* SPDX-License-Identifier: MIT */
/* What maps take: bytes a cell by what lies on them, and the time to make, publish and edit them. CSV. */
#include <wend/map.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SIDE = 2048, LARGE = 16384, REPEATS = 7, EDITS = 2000 };

static uint64_t now_ns(void) {
    wend_clock clock = wend_clock_default();
    return clock.now_ns(clock.context);
}

static uint32_t draw(uint64_t *state, uint32_t below) {
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)((*state >> 33) * below >> 31);
}

static void check(int32_t error) {
    if (!error) return;
    fprintf(stderr, "bench_map: %s\n", wend_error_name(error));
    exit(1);
}

/* ---- what lies on the maps ---- */

static void fill_noise(uint8_t *cells, int32_t side, uint32_t closed_percent) {
    uint64_t seed = 1;
    for (size_t i = 0; i < (size_t)side * (size_t)side; i++) cells[i] = draw(&seed, 100) >= closed_percent;
}

static void fill_box(uint8_t *cells, int32_t side, int32_t x, int32_t y, int32_t width, int32_t height, uint8_t class) {
    for (int32_t j = y; j < y + height; j++) memset(cells + (size_t)j * (size_t)side + (size_t)x, class, (size_t)width);
}

/* Rooms of 100 to 228 cells a side with walls one cell thick and doors in them. */
static void fill_rooms(uint8_t *cells, int32_t side) {
    uint64_t seed = 2;
    memset(cells, 1, (size_t)side * (size_t)side);
    for (int32_t x = 0; x < side; x += 100 + (int32_t)draw(&seed, 128)) fill_box(cells, side, x, 0, 1, side, 0);
    for (int32_t y = 0; y < side; y += 100 + (int32_t)draw(&seed, 128)) fill_box(cells, side, 0, y, side, 1, 0);
    for (int32_t i = 0; i < side / 2; i++) {
        int32_t x = (int32_t)draw(&seed, (uint32_t)side - 3), y = (int32_t)draw(&seed, (uint32_t)side - 3);
        fill_box(cells, side, x, y, 3, 3, 1);
    }
}

/* Noise of 45 %, smoothed five times: each cell does as most of the nine around it do. */
static void fill_caves(uint8_t *cells, int32_t side) {
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

/* Blocks of houses, 40 to 103 cells a side, solid, between streets 8 cells wide. */
static void fill_city(uint8_t *cells, int32_t side) {
    uint64_t seed = 4;
    memset(cells, 1, (size_t)side * (size_t)side);
    for (int32_t y = 8; y + 112 < side; y += 112)
        for (int32_t x = 8; x + 112 < side; x += 112)
            fill_box(cells, side, x, y, 40 + (int32_t)draw(&seed, 64), 40 + (int32_t)draw(&seed, 64), 0);
}

static void fill_noise_20(uint8_t *cells, int32_t side) {
    fill_noise(cells, side, 20);
}
static void fill_open(uint8_t *cells, int32_t side) {
    memset(cells, 1, (size_t)side * (size_t)side);
}

/* ---- measuring ---- */

static int by_size(const void *a, const void *b) {
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return x < y ? -1 : x > y;
}

static double median_us(uint64_t *ns) {
    qsort(ns, REPEATS, sizeof *ns, by_size);
    return (double)ns[REPEATS / 2] / 1000;
}

typedef struct figures {
    double bytes, create_us, publish_us, edit_us;
} figures;

static double edit_us(wend_map *map, int32_t side) {
    uint64_t seed = 3, begun = now_ns();
    for (int32_t i = 0; i < EDITS; i++) {
        wend_edit *edit;
        wend_cell cell = {(int32_t)draw(&seed, (uint32_t)side), (int32_t)draw(&seed, (uint32_t)side), 0};
        check(wend_edit_begin(map, &edit));
        check(wend_edit_set(edit, cell, (uint8_t)draw(&seed, 2)));
        check(wend_edit_publish(edit, NULL));
    }
    return (double)(now_ns() - begun) / 1000 / EDITS;
}

static figures measure(const uint8_t *cells, int32_t side) {
    figures f = {0};
    uint64_t create[REPEATS], publish[REPEATS];
    for (int i = 0; i < REPEATS; i++) {
        wend_map_def def = wend_map_default();
        wend_map *map;
        wend_edit *edit;
        wend_map_info info;
        def.width = def.height = side;
        uint64_t begun = now_ns();
        check(wend_map_create(&def, &map));
        create[i] = now_ns() - begun;
        if (cells) {
            check(wend_edit_begin(map, &edit));
            check(wend_edit_write(edit, (wend_box){{0, 0, 0}, {side - 1, side - 1, 0}}, cells, (size_t)side));
            begun = now_ns();
            check(wend_edit_publish(edit, NULL));
            publish[i] = now_ns() - begun;
        }
        wend_map_describe(map, &info);
        f.bytes = (double)info.bytes;
        if (i == 0) f.edit_us = edit_us(map, side);
        wend_map_release(map);
    }
    f.create_us = median_us(create);
    f.publish_us = cells ? median_us(publish) : 0;
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
        void (*fill)(uint8_t *cells, int32_t side);
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
    return 0;
}
