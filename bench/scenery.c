/* SPDX-License-Identifier: MIT */
/* Maps, numbers and a clock for the benches. */
#define _POSIX_C_SOURCE 200809L
#include "scenery.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

uint32_t bench_random(uint64_t *state, uint32_t below) {
    uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return (uint32_t)((z ^ z >> 31) % below);
}

double bench_cpu_us(void) {
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (double)now.tv_sec * 1e6 + (double)now.tv_nsec * 1e-3;
}

static void check(wend_error error) {
    if (error == WEND_OK) return;
    fprintf(stderr, "bench: %s\n", wend_error_detail(error));
    exit(2);
}

wend_map *bench_map_open(int width, int height) {
    wend_map_def def;
    wend_map_def_init(&def, sizeof def);
    def.width = width, def.height = height;
    wend_map *map;
    check(wend_map_create(&def, &map));
    return map;
}

static wend_map *from_terrain(int width, int height, const uint8_t *terrain) {
    wend_map *map = bench_map_open(width, height);
    wend_edit *edit;
    check(wend_edit_begin(map, &edit));
    check(wend_edit_set_box(edit, (wend_box){{0, 0, 0}, {width - 1, height - 1, 0}}, terrain, (size_t)width));
    check(wend_edit_publish(edit, NULL));
    return map;
}

static int between_walls(uint64_t *state, int room) {
    return 1 + (int)bench_random(state, (uint32_t)room - 1);
}

wend_map *bench_map_rooms(int side, int room) {
    uint8_t *terrain = malloc((size_t)side * (size_t)side);
    uint64_t state = 1;
    for (int y = 0; y < side; y++)
        for (int x = 0; x < side; x++) terrain[y * side + x] = x % room != 0 && y % room != 0;
    for (int y = 0; y < side; y += room)
        for (int x = 0; x < side; x += room) {
            int door_y = y + between_walls(&state, room), door_x = x + between_walls(&state, room);
            if (x > 0 && door_y < side) terrain[door_y * side + x] = 1;
            if (y > 0 && door_x < side) terrain[y * side + door_x] = 1;
        }
    wend_map *map = from_terrain(side, side, terrain);
    free(terrain);
    return map;
}

wend_map *bench_map_random(int width, int height, int blocked_milli, int slow_milli) {
    size_t cells = (size_t)width * (size_t)height;
    uint8_t *terrain = malloc(cells);
    uint64_t state = 2;
    for (size_t i = 0; i < cells; i++) {
        int roll = (int)bench_random(&state, 1000);
        bool slow = roll < blocked_milli + slow_milli;
        terrain[i] = roll < blocked_milli ? 0 : slow ? (uint8_t)(2 + bench_random(&state, 8)) : 1;
    }
    wend_map *map = from_terrain(width, height, terrain);
    free(terrain);
    return map;
}
