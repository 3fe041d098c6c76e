/* SPDX-License-Identifier: MIT */
/* Generators of maps. */
#include "scenery.h"

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
    if (!before) exit(2);
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

wend_map *make_ground(ground_fn *fill, int32_t side) {
    uint8_t *cells = malloc((size_t)side * (size_t)side);
    need(cells, "out of memory");
    fill(cells, side);
    wend_map *map = grid_of(cells, side, side);
    free(cells);
    return map;
}

wend_map *make_caves(int32_t side) {
    wend_map *map = make_ground(fill_caves, side);
    wend_acceleration def = default_acceleration();
    def.far = 0;
    check(wend_map_accelerate(map, &def));
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
    wend_map *map = grid_of(terrain, side, side);
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
    wend_map *map = grid_of(terrain, width, height);
    free(terrain);
    return map;
}
