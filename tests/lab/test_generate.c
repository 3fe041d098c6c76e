/* SPDX-License-Identifier: MIT */
/* Every generator makes open, connected maps on any size from one cell on, and other maps for other seeds. */
#include <criterion/criterion.h>

#include <stdlib.h>
#include <string.h>

#include "generate/gen.h"

enum { SEEDS = 16, FLAT_MOST = 13, SPACE_MOST = 7 };

typedef struct generator {
    const char *name;
    gen_make *make;
    int32_t density_milli;
    bool space;
} generator;

static const generator generators[] = {
    {"random", gen_scattered, 250, false}, {"random", gen_space_scattered, 250, true},
    {"maze", gen_maze, 1000, false},       {"maze", gen_space_maze, 1000, true},
    {"rooms", gen_rooms, 600, false},      {"rooms", gen_space_rooms, 600, true},
    {"caves", gen_caves, 475, false},      {"caves", gen_space_caves, 530, true},
    {"city", gen_city, 850, false},        {"city", gen_space_city, 850, true},
};
enum { GENERATORS = sizeof generators / sizeof generators[0] };

static gen_grid make(const generator *how, const int32_t sides[3], int32_t density_milli, uint64_t seed) {
    size_t cells = (size_t)sides[0] * (size_t)sides[1] * (size_t)sides[2];
    gen_grid grid = {.width = sides[0], .height = sides[1], .depth = sides[2], .cells = calloc(cells, 1)};
    gen_random random;
    gen_seed(&random, seed);
    cr_assert_not_null(grid.cells);
    cr_assert(how->make(&grid, &random, density_milli));
    return grid;
}

/* By straight steps, for which no corner rule matters. */
static void assert_connected(const char *name, gen_grid grid, uint64_t seed) {
    size_t cells = (size_t)grid.width * (size_t)grid.height * (size_t)grid.depth, open = 0, first = cells;
    for (size_t at = 0; at < cells; at++) {
        cr_assert_leq(grid.cells[at], 1);
        open += grid.cells[at];
        if (grid.cells[at] == 1 && first == cells) first = at;
    }
    cr_assert_gt(open, 0, "%s %dx%dx%d, seed %d: no open cell", name, grid.width, grid.height, grid.depth, (int)seed);
    /* Paint all cells that the first cell reaches until nothing changes: slow, and without the generators' code. */
    size_t width = (size_t)grid.width, layer = width * (size_t)grid.height, painted = 1;
    grid.cells[first] = 2;
    for (bool changed = true; changed;) {
        changed = false;
        for (size_t at = 0; at < cells; at++) {
            if (grid.cells[at] != 1) continue;
            size_t x = at % width, y = at % layer / width;
            bool beside =
                (x > 0 && grid.cells[at - 1] == 2) || (x + 1 < width && grid.cells[at + 1] == 2) ||
                (y > 0 && grid.cells[at - width] == 2) || (at % layer + width < layer && grid.cells[at + width] == 2) ||
                (at >= layer && grid.cells[at - layer] == 2) || (at + layer < cells && grid.cells[at + layer] == 2);
            if (!beside) continue;
            grid.cells[at] = 2;
            painted++;
            changed = true;
        }
    }
    cr_assert_eq(painted, open, "%s %dx%dx%d, seed %d: parts that are not connected", name, grid.width, grid.height,
                 grid.depth, (int)seed);
    for (size_t at = 0; at < cells; at++) grid.cells[at] = grid.cells[at] == 2;
}

static void check_size(const generator *how, const int32_t sides[3]) {
    size_t cells = (size_t)sides[0] * (size_t)sides[1] * (size_t)sides[2];
    uint8_t *made[SEEDS];
    int different = 0;
    for (uint64_t seed = 0; seed < SEEDS; seed++) {
        gen_grid grid = make(how, sides, how->density_milli, seed);
        assert_connected(how->name, grid, seed);
        made[seed] = grid.cells;
        different += memcmp(made[0], made[seed], cells) != 0;
    }
    if (cells > 1)
        cr_assert_gt(different, 0, "%s %dx%dx%d: the same map for every seed", how->name, sides[0], sides[1], sides[2]);
    for (int seed = 0; seed < SEEDS; seed++) free(made[seed]);
}

Test(generate, makes_open_connected_maps_of_any_size_that_differ_by_seed) {
    for (int i = 0; i < GENERATORS; i++) {
        int32_t most = generators[i].space ? SPACE_MOST : FLAT_MOST, sides[3];
        for (sides[0] = 1; sides[0] <= most; sides[0]++)
            for (sides[1] = 1; sides[1] <= most; sides[1]++)
                for (sides[2] = 1; sides[2] <= (generators[i].space ? most : 1); sides[2]++)
                    check_size(&generators[i], sides);
    }
}

Test(generate, makes_open_connected_maps_at_any_density) {
    static const int32_t densities[] = {0, 300, 450, 600, 900, 1000},
                         sizes[][3] = {{1, 9, 1}, {7, 5, 1}, {30, 41, 1}, {131, 20, 1}};
    for (int i = 0; i < GENERATORS; i++) {
        for (size_t size = 0; size < sizeof sizes / sizeof sizes[0]; size++) {
            for (size_t density = 0; density < sizeof densities / sizeof densities[0]; density++) {
                int32_t sides[3] = {sizes[size][0], sizes[size][1], generators[i].space ? 6 : 1};
                gen_grid grid = make(&generators[i], sides, densities[density], size + 1);
                assert_connected(generators[i].name, grid, size + 1);
                free(grid.cells);
            }
        }
    }
}

/* Follow edges from the first crossing, then backwards. */
static bool reaches_all(const gen_roads *roads, bool backwards) {
    bool *seen = calloc((size_t)roads->nodes + 1, sizeof *seen);
    uint32_t count = 1;
    cr_assert_not_null(seen);
    seen[1] = true;
    for (bool changed = true; changed;) {
        changed = false;
        for (size_t i = 0; i < roads->edge_count; i++) {
            uint32_t from = backwards ? roads->edges[i].to : roads->edges[i].from;
            uint32_t to = backwards ? roads->edges[i].from : roads->edges[i].to;
            if (!seen[from] || seen[to]) continue;
            seen[to] = changed = true;
            count++;
        }
    }
    free(seen);
    return count == roads->nodes;
}

Test(generate, makes_graphs_whose_nodes_all_reach_each_other) {
    for (uint32_t nodes = 1; nodes <= 60; nodes++) {
        wend_cell first = {0, 0, 0};
        bool differs = false;
        for (uint64_t seed = 0; seed < 8; seed++) {
            gen_roads roads = {.nodes = nodes};
            gen_random random;
            gen_seed(&random, seed);
            cr_assert(gen_roads_make(&roads, &random, (int32_t)(seed % 4) * 333));
            cr_assert(reaches_all(&roads, false) && reaches_all(&roads, true), "%u nodes", (unsigned)nodes);
            if (seed == 0) first = roads.at[1];
            differs = differs || roads.at[1].x != first.x || roads.at[1].y != first.y;
            free(roads.at);
            free(roads.edges);
        }
        cr_assert(differs, "%u nodes: the same for every seed", (unsigned)nodes);
    }
}
