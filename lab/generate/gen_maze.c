/* SPDX-License-Identifier: MIT */
/* Mazes: walls of one cell between corridors that are wider on larger maps, carved by a walk that backtracks out of
 * dead ends. */
#include <stdlib.h>

#include "generate/gen.h"

enum { WIDEST = 32, CORRIDORS = 128, UNSEEN = 4, ENTRANCE = 5 };

static const int32_t step_x[4] = {0, 1, 0, -1}, step_y[4] = {-1, 0, 1, 0};

/* The maze as a grid of junctions. `came` is the direction in which a junction was entered. It is also the way back, so
   the walk needs no stack. */
typedef struct maze {
    gen_grid *grid;
    int32_t width, height, corridor;
    uint8_t *came;
} maze;

static uint8_t *came(const maze *plan, int32_t x, int32_t y) {
    return plan->came + (size_t)y * (size_t)plan->width + (size_t)x;
}

static void open_junction(const maze *plan, int32_t x, int32_t y) {
    int32_t pitch = plan->corridor + 1, left = x * pitch + 1, top = y * pitch + 1;
    gen_fill(plan->grid, left, top, left + plan->corridor - 1, top + plan->corridor - 1, 1);
}

/* Removes the wall towards a neighbour. */
static void open_wall(const maze *plan, int32_t x, int32_t y, int direction) {
    int32_t pitch = plan->corridor + 1, size = plan->corridor, left = x * pitch + 1, top = y * pitch + 1;
    switch (direction) {
    case 0: gen_fill(plan->grid, left, top - 1, left + size - 1, top - 1, 1); break;
    case 1: gen_fill(plan->grid, left + size, top, left + size, top + size - 1, 1); break;
    case 2: gen_fill(plan->grid, left, top + size, left + size - 1, top + size, 1); break;
    default: gen_fill(plan->grid, left - 1, top, left - 1, top + size - 1, 1); break;
    }
}

static bool inside(const maze *plan, int32_t x, int32_t y) {
    return x >= 0 && y >= 0 && x < plan->width && y < plan->height;
}

/* A random direction to a junction that was not visited, or −1. */
static int pick_way(const maze *plan, gen_random *random, int32_t x, int32_t y) {
    int ways[4], count = 0;
    for (int i = 0; i < 4; i++) {
        int32_t to_x = x + step_x[i], to_y = y + step_y[i];
        if (inside(plan, to_x, to_y) && *came(plan, to_x, to_y) == UNSEEN) ways[count++] = i;
    }
    return count == 0 ? -1 : ways[gen_below(random, (uint32_t)count)];
}

static void carve(const maze *plan, gen_random *random) {
    int32_t x = 0, y = 0;
    *came(plan, x, y) = ENTRANCE;
    open_junction(plan, x, y);
    for (;;) {
        int way = pick_way(plan, random, x, y);
        if (way < 0) {
            int back = *came(plan, x, y);
            if (back == ENTRANCE) return;
            x -= step_x[back];
            y -= step_y[back];
            continue;
        }
        open_wall(plan, x, y, way);
        x += step_x[way];
        y += step_y[way];
        *came(plan, x, y) = (uint8_t)way;
        open_junction(plan, x, y);
    }
}

/* Removes walls between corridors, so that there are loops. */
static void thin_out(const maze *plan, gen_random *random, int32_t kept_milli) {
    for (int32_t y = 0; y < plan->height; y++) {
        for (int32_t x = 0; x < plan->width; x++) {
            for (int way = 1; way <= 2; way++) {
                int32_t to_x = x + step_x[way], to_y = y + step_y[way];
                bool passage =
                    inside(plan, to_x, to_y) && (*came(plan, to_x, to_y) == way || *came(plan, x, y) == (way + 2) % 4);
                if (inside(plan, to_x, to_y) && !passage && !gen_chance(random, kept_milli)) open_wall(plan, x, y, way);
            }
        }
    }
}

bool gen_maze(gen_grid *grid, gen_random *random, int32_t density_milli) {
    int32_t side = grid->width < grid->height ? grid->width : grid->height, corridor = side / CORRIDORS;
    if (corridor < 1) corridor = 1;
    if (corridor > WIDEST) corridor = WIDEST;
    maze plan = {grid, (grid->width - 1) / (corridor + 1), (grid->height - 1) / (corridor + 1), corridor, NULL};
    if (plan.width < 2 || plan.height < 2) return gen_scattered(grid, random, GEN_SMALL_MAP_MILLI);
    size_t count = (size_t)plan.width * (size_t)plan.height;
    plan.came = malloc(count);
    if (!plan.came) return false;
    for (size_t i = 0; i < count; i++) plan.came[i] = UNSEEN;
    carve(&plan, random);
    thin_out(&plan, random, density_milli);
    free(plan.came);
    return true;
}
