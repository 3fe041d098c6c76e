/* SPDX-License-Identifier: MIT */
/* Cities: streets divide the map again and again, each generation narrower; the blocks between them become houses with
   yards and alleys, or parks; two diagonal avenues cross large cities. */
#include "generate/gen.h"

enum { WALL = 4, DOOR = 2, TREES_MILLI = 25, AVENUE_SIDE = 128 };

typedef struct box {
    int32_t x0, y0, x1, y1; /* both corners in */
} box;

typedef struct city {
    gen_grid *grid;
    gen_random *random;
    int32_t built_milli;
    int32_t block;  /* a shorter side is not divided again */
    int32_t widest; /* street */
} city;

static int32_t wide(const box *area) {
    return area->x1 - area->x0 + 1;
}
static int32_t high(const box *area) {
    return area->y1 - area->y0 + 1;
}

static void fill(const city *town, box area, uint8_t value) {
    gen_fill(town->grid, area.x0, area.y0, area.x1, area.y1, value);
}

static void park(const city *town, box area) {
    for (int32_t y = area.y0 + 1; y < area.y1; y++) {
        for (int32_t x = area.x0 + 1; x < area.x1; x++) {
            if (gen_chance(town->random, TREES_MILLI)) town->grid->cells[gen_at(town->grid, x, y)] = 0;
        }
    }
}

/* A yard inside the house, with gates to the street. */
static void yard(const city *town, box area) {
    int32_t wall = gen_between(town->random, WALL, WALL + 3);
    box inner = {area.x0 + wall, area.y0 + wall, area.x1 - wall, area.y1 - wall};
    if (wide(&inner) < 3 || high(&inner) < 3) return;
    fill(town, inner, 1);
    int32_t middle_x = gen_between(town->random, inner.x0, inner.x1 - 1);
    int32_t middle_y = gen_between(town->random, inner.y0, inner.y1 - 1);
    box gate = {middle_x, area.y0, middle_x + DOOR - 1, inner.y0};
    switch (gen_below(town->random, 4)) {
    case 0: break;
    case 1: gate = (box){middle_x, inner.y1, middle_x + DOOR - 1, area.y1}; break;
    case 2: gate = (box){area.x0, middle_y, inner.x0, middle_y + DOOR - 1}; break;
    default: gate = (box){inner.x1, middle_y, area.x1, middle_y + DOOR - 1}; break;
    }
    fill(town, gate, 1);
}

/* Houses side by side, with alleys between some of them and uneven fronts. */
static void terrace(const city *town, box area) {
    bool along_x = wide(&area) >= high(&area);
    int32_t first = along_x ? area.x0 : area.y0, last = along_x ? area.x1 : area.y1;
    while (first <= last) {
        int32_t end = first + gen_between(town->random, 5, 12) - 1;
        if (end > last - 4) end = last;
        int32_t back = gen_between(town->random, 0, 2), alley = gen_chance(town->random, 350) ? 1 : 0;
        if (alley > 0 && end < last)
            fill(town, along_x ? (box){end, area.y0, end, area.y1} : (box){area.x0, end, area.x1, end}, 1);
        fill(town,
             along_x ? (box){first, area.y0, end, area.y0 + back - 1} : (box){area.x0, first, area.x0 + back - 1, end},
             1);
        first = end + 1;
    }
}

static void block(const city *town, box area) {
    bool built = gen_chance(town->random, town->built_milli);
    if (!built) {
        park(town, area);
        return;
    }
    fill(town, area, 0);
    if (wide(&area) < 6 || high(&area) < 6) return;
    if (gen_chance(town->random, 550))
        yard(town, area);
    else
        terrace(town, area);
}

/* Divide an area into blocks. The map begins open, so streets are the cells that no block covers. */
static void part(const city *town, box area, int depth) {
    int32_t street = town->widest - 2 * depth;
    if (street < 2) street = 2;
    bool by_x = wide(&area) >= high(&area);
    int32_t length = by_x ? wide(&area) : high(&area);
    if (length < 2 * town->block + street || (length < 4 * town->block && depth > 3 && gen_chance(town->random, 120))) {
        if (wide(&area) > 0 && high(&area) > 0) block(town, area);
        return;
    }
    int32_t cut = length * gen_between(town->random, 36, 64) / 100 - street / 2;
    if (cut < town->block) cut = town->block;
    if (cut > length - town->block - street) cut = length - town->block - street;
    box one = area, two = area;
    if (by_x) {
        one.x1 = area.x0 + cut - 1;
        two.x0 = one.x1 + street + 1;
    } else {
        one.y1 = area.y0 + cut - 1;
        two.y0 = one.y1 + street + 1;
    }
    part(town, one, depth + 1);
    part(town, two, depth + 1);
}

/* A straight street between two points on opposite sides: the top and the bottom, or the left and the right. */
static void avenue(const city *town, bool down) {
    int32_t last = (down ? town->grid->height : town->grid->width) - 1, half = town->widest / 2;
    int32_t side = (down ? town->grid->width : town->grid->height) - 1;
    int32_t from = gen_between(town->random, 0, side), to = gen_between(town->random, 0, side);
    for (int32_t i = 0; i <= last; i++) {
        int32_t at = from + (int32_t)((int64_t)(to - from) * i / last);
        if (down)
            gen_fill(town->grid, at - half, i, at + half, i, 1);
        else
            gen_fill(town->grid, i, at - half, i, at + half, 1);
    }
}

bool gen_city(gen_grid *grid, gen_random *random, int32_t density_milli) {
    int32_t side = grid->width < grid->height ? grid->width : grid->height;
    if (side < GEN_SMALLEST_CITY) return gen_scattered(grid, random, GEN_SMALL_MAP_MILLI);
    city town = {grid, random, density_milli, 12, side / 48};
    if (side >= 256) town.block = 18;
    if (town.widest < 3) town.widest = 3;
    if (town.widest > 14) town.widest = 14;
    gen_empty(grid, random, 0);
    part(&town, (box){2, 2, grid->width - 3, grid->height - 3}, 0);
    for (int i = 0; side >= AVENUE_SIDE && i < 2; i++) avenue(&town, i == 0);
    return gen_join(grid, random); /* trees may enclose a cell */
}
