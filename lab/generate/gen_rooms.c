/* SPDX-License-Identifier: MIT */
/* Rooms: a grid of square rooms with walls of one cell, and doors by which every room can be reached. */
#include <stdlib.h>

#include "generate/gen.h"

enum { SMALLEST = 4, LARGEST = 64, ROOMS_A_SIDE = 32 };

typedef struct plan {
    gen_grid *grid;
    int32_t size; /* side of a room with one of its walls */
    int32_t columns, rows;
} plan;

static int32_t at_most(int32_t value, int32_t limit) {
    return value < limit ? value : limit;
}

/* A door, one or two cells wide, in the wall to the right of a room. */
static void door_right(const plan *house, gen_random *random, int32_t column, int32_t row) {
    int32_t x = (column + 1) * house->size, top = row * house->size + 1;
    int32_t bottom = at_most(top + house->size - 2, house->grid->height - 2);
    int32_t y = gen_between(random, top, bottom), wide = gen_between(random, 0, 1);
    gen_fill(house->grid, x, y, x, at_most(y + wide, bottom), 1);
}

static void door_down(const plan *house, gen_random *random, int32_t column, int32_t row) {
    int32_t y = (row + 1) * house->size, left = column * house->size + 1;
    int32_t right = at_most(left + house->size - 2, house->grid->width - 2);
    int32_t x = gen_between(random, left, right), wide = gen_between(random, 0, 1);
    gen_fill(house->grid, x, y, at_most(x + wide, right), y, 1);
}

static uint32_t root(uint32_t *parent, uint32_t room) {
    while (parent[room] != room) room = parent[room] = parent[parent[room]];
    return room;
}

/* Kruskal (1956) on walls in random order: a wall between parts that are not joined gets a door, any other wall
   gets one by chance. */
static bool cut_doors(const plan *house, gen_random *random, int32_t closed_milli) {
    size_t rooms = (size_t)house->columns * (size_t)house->rows, walls = 2 * rooms;
    uint32_t *parent = malloc((rooms + walls) * sizeof *parent);
    if (!parent) return false;
    uint32_t *order = parent + rooms;
    for (uint32_t i = 0; i < rooms; i++) parent[i] = i;
    for (uint32_t i = 0; i < walls; i++) {
        uint32_t other = gen_below(random, i + 1);
        order[i] = order[other];
        order[other] = i;
    }
    for (size_t i = 0; i < walls; i++) {
        uint32_t room = order[i] / 2;
        int32_t column = (int32_t)(room % (uint32_t)house->columns), row = (int32_t)(room / (uint32_t)house->columns);
        bool down = order[i] % 2 == 1;
        if (down ? row + 1 == house->rows : column + 1 == house->columns) continue;
        uint32_t a = root(parent, room), b = root(parent, room + (down ? (uint32_t)house->columns : 1));
        if (a == b && gen_chance(random, closed_milli)) continue;
        parent[b] = a;
        if (down)
            door_down(house, random, column, row);
        else
            door_right(house, random, column, row);
    }
    free(parent);
    return true;
}

bool gen_rooms(gen_grid *grid, gen_random *random, int32_t density_milli) {
    if (grid->width < 4 || grid->height < 4) return gen_scattered(grid, random, GEN_SMALL_MAP_MILLI);
    int32_t side = at_most(grid->width, grid->height), size = side / ROOMS_A_SIDE;
    if (size < SMALLEST) size = SMALLEST;
    if (size > LARGEST) size = LARGEST;
    /* A wall around the map; the last room of a row may be smaller, down to one cell. */
    plan house = {grid, size, (grid->width - 2 + size - 1) / size, (grid->height - 2 + size - 1) / size};
    if (house.columns * house.rows < 2) return gen_scattered(grid, random, GEN_SMALL_MAP_MILLI);
    for (int32_t row = 0; row < house.rows; row++) {
        for (int32_t column = 0; column < house.columns; column++) {
            int32_t x = column * size + 1, y = row * size + 1;
            gen_fill(grid, x, y, at_most(x + size - 2, grid->width - 2), at_most(y + size - 2, grid->height - 2), 1);
        }
    }
    return cut_doors(&house, random, density_milli);
}
