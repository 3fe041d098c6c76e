/* SPDX-License-Identifier: MIT */
/* Rooms and mazes in space: a grid of boxes with walls of one cell between them. Doors and hatches join all boxes,
   chosen by Kruskal (1956) on walls in random order. */
#include <stdlib.h>

#include "generate/gen.h"

enum { SMALLEST_ROOM = 4, LARGEST_ROOM = 32, ROOMS_A_SIDE = 12, WIDEST = 8, CORRIDORS = 48 };

typedef struct house {
    gen_grid *grid;
    gen_random *random;
    int32_t pitch;    /* from one box to the next */
    int32_t count[3]; /* boxes along x, y, z */
    bool doors;       /* cut small openings; else remove whole walls */
} house;

static int32_t at_most(int32_t value, int32_t limit) {
    return value < limit ? value : limit;
}

static int32_t side(const gen_grid *grid, int axis) {
    return axis == 0 ? grid->width : axis == 1 ? grid->height : grid->depth;
}

/* The inside of a box; the last box of a row may be smaller. */
static void box_of(const house *plan, uint32_t box, int32_t low[3], int32_t high[3]) {
    uint32_t rest = box;
    for (int axis = 0; axis < 3; axis++) {
        int32_t place = (int32_t)(rest % (uint32_t)plan->count[axis]);
        rest /= (uint32_t)plan->count[axis];
        low[axis] = place * plan->pitch + 1;
        high[axis] = at_most(low[axis] + plan->pitch - 2, side(plan->grid, axis) - 2);
    }
}

/* An opening in the wall between a box and the next one along an axis. */
static void open_wall(const house *plan, uint32_t box, int axis) {
    int32_t low[3], high[3];
    box_of(plan, box, low, high);
    low[axis] = high[axis] = low[axis] + plan->pitch - 1;
    for (int i = 0; i < 3 && plan->doors; i++) {
        if (i == axis) continue;
        int32_t size = gen_between(plan->random, 1, 2), last = high[i];
        low[i] = gen_between(plan->random, low[i], last);
        high[i] = at_most(low[i] + size - 1, last);
    }
    gen_fill_space(plan->grid, low, high, 1);
}

static uint32_t root(uint32_t *parent, uint32_t box) {
    while (parent[box] != box) box = parent[box] = parent[parent[box]];
    return box;
}

static void shuffle(gen_random *random, uint32_t *order, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        uint32_t other = gen_below(random, i + 1);
        order[i] = order[other];
        order[other] = i;
    }
}

static bool has_next(const house *plan, uint32_t box, int axis, uint32_t *next) {
    uint32_t stride = 1;
    for (int i = 0; i < axis; i++) stride *= (uint32_t)plan->count[i];
    if (box / stride % (uint32_t)plan->count[axis] + 1 == (uint32_t)plan->count[axis]) return false;
    *next = box + stride;
    return true;
}

/* Each box has three walls of its own: to the right, below, and above. */
static bool join(const house *plan, uint32_t boxes, int32_t closed_milli) {
    uint32_t *parent = malloc((size_t)boxes * 4 * sizeof *parent), next;
    if (!parent) return false;
    uint32_t *order = parent + boxes;
    for (uint32_t i = 0; i < boxes; i++) parent[i] = i;
    shuffle(plan->random, order, 3 * boxes);
    for (uint32_t i = 0; i < 3 * boxes; i++) {
        uint32_t box = order[i] / 3;
        int axis = (int)(order[i] % 3);
        if (!has_next(plan, box, axis, &next)) continue;
        uint32_t a = root(parent, box), b = root(parent, next);
        if (a == b && gen_chance(plan->random, closed_milli)) continue;
        parent[b] = a;
        open_wall(plan, box, axis);
    }
    free(parent);
    return true;
}

/* Needs two boxes or more along `least_sides` axes: with fewer every seed would make the same map. */
static bool build(house *plan, int least_sides, int32_t closed_milli) {
    uint32_t boxes = 1;
    int sides = 0;
    int32_t low[3], high[3];
    for (int axis = 0; axis < 3; axis++) {
        plan->count[axis] = (side(plan->grid, axis) - 2 + plan->pitch - 1) / plan->pitch;
        boxes *= (uint32_t)plan->count[axis]; /* fewer than 2^30: a box and its walls have at least 8 cells */
        sides += plan->count[axis] > 1;
    }
    if (sides < least_sides) return gen_space_scattered(plan->grid, plan->random, GEN_SMALL_MAP_MILLI);
    for (uint32_t box = 0; box < boxes; box++) {
        box_of(plan, box, low, high);
        gen_fill_space(plan->grid, low, high, 1);
    }
    return join(plan, boxes, closed_milli);
}

static int32_t shortest_side(const gen_grid *grid) {
    return at_most(at_most(grid->width, grid->height), grid->depth);
}

bool gen_space_rooms(gen_grid *grid, gen_random *random, int32_t density_milli) {
    int32_t shortest = shortest_side(grid), pitch = shortest / ROOMS_A_SIDE;
    if (shortest < 4) return gen_space_scattered(grid, random, GEN_SMALL_MAP_MILLI);
    house plan = {.grid = grid, .random = random, .doors = true};
    plan.pitch = pitch < SMALLEST_ROOM ? SMALLEST_ROOM : at_most(pitch, LARGEST_ROOM);
    return build(&plan, 1, density_milli);
}

bool gen_space_maze(gen_grid *grid, gen_random *random, int32_t density_milli) {
    int32_t shortest = shortest_side(grid), corridor = shortest / CORRIDORS;
    if (shortest < 3) return gen_space_scattered(grid, random, GEN_SMALL_MAP_MILLI);
    house plan = {.grid = grid, .random = random};
    plan.pitch = 1 + (corridor < 1 ? 1 : at_most(corridor, WIDEST));
    return build(&plan, 2, density_milli);
}
