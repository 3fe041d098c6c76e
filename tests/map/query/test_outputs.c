/* SPDX-License-Identifier: MIT */
/* Queries with some outputs NULL, and the count of cells by class. */
#include "map/map_support.h"

#include <criterion/criterion.h>
#include <wend/units.h>
#include <wend/ways.h>

static void write_noise(wend_map *map, wend_cell size, uint32_t classes, uint64_t seed) {
    wend_edit *edit = begin_edit(map);
    for (int32_t i = 0; i < size.x * size.y * size.z / 3; i++) {
        wend_cell cell = {(int32_t)draw(&seed, (uint32_t)size.x), (int32_t)draw(&seed, (uint32_t)size.y),
                          (int32_t)draw(&seed, (uint32_t)size.z)};
        cr_assert_eq(wend_edit_set_cell(edit, cell, (uint8_t)draw(&seed, classes)), WEND_OK);
    }
    cr_assert_eq(wend_edit_publish(edit, NULL), WEND_OK);
}

static wend_map *create(int32_t kind, wend_cell size) {
    wend_map_def def = default_map();
    def.kind = kind, def.width = size.x, def.height = size.y, def.depth = size.z;
    return made_map(&def);
}

/* ---- outputs that are NULL ---- */

Test(outputs, may_be_null_where_the_caller_does_not_want_them) {
    OWNED_MAP *map = create(WEND_KIND_GRID, (wend_cell){20, 20, 1});
    const wend_cell path[] = {at(1, 1), at(2, 1), at(3, 2)};
    wend_cell cell = at(9, 9);
    size_t walkable = 0;
    bool number = true;
    wend_mover mover = default_mover();
    cr_assert_eq(wend_map_add_mover(map, &mover, NULL), WEND_OK);
    wend_edit *edit = begin_edit(map);
    cr_assert_eq(wend_edit_add_link(edit, &(wend_link){at(0, 0), at(9, 9), 5, 0}), WEND_OK);
    cr_assert_eq(wend_edit_set_step(edit, at(4, 4), at(5, 4), false), WEND_OK);
    cr_assert_eq(wend_edit_publish(edit, NULL), WEND_OK);
    for (int32_t who = 0; who < 2; who++) {
        cr_assert_eq(wend_map_path_cost(map, who, path, 3, &walkable, NULL), WEND_OK);
        cr_assert_eq(walkable, 3u);
        cr_assert_eq(wend_map_path_cost(map, who, path, 3, NULL, NULL), WEND_OK);
        cr_assert_eq(wend_map_line_of_sight(map, who, at(5, 0), at(5, 3), NULL, &cell), WEND_OK);
        cr_assert(cell.x == 5 && cell.y == 3);
        cr_assert_eq(wend_map_nearest_open(map, who, at(3, 3), 5, NULL, &cell), WEND_OK);
        cr_assert(cell.x == 3 && cell.y == 3);
        cr_assert_eq(wend_map_nearest_open(map, who, at(3, 3), 5, &number, NULL), WEND_OK);
        cr_assert_eq(number, 1);
    }
    bool disconnects = true;
    cr_assert_eq(wend_edit_begin(map, &edit), WEND_OK);
    cr_assert_eq(wend_edit_would_disconnect(edit, 0, at(0, 0), at(9, 9), NULL), WEND_OK);
    cr_assert_eq(wend_edit_would_disconnect(edit, 0, at(0, 0), at(9, 9), &disconnects), WEND_OK);
    cr_assert_eq(disconnects, 0);
    wend_edit_discard(edit);
    cr_assert_eq(wend_map_reachable(map, 0, at(0, 0), at(9, 9), NULL), WEND_OK);
    cr_assert_eq(wend_map_get_terrain(map, at(1, 1), NULL), WEND_OK);
    cr_assert_eq(wend_map_get_occupants(map, at(1, 1), NULL), WEND_OK);
    wend_link link;
    wend_step step;
    wend_map_get_links(map, &link, 1, NULL);
    cr_assert_eq(link.cost, 5);
    wend_map_get_closed_steps(map, &step, 1, NULL);
    cr_assert_eq(step.to.x, 5);
}

Test(outputs, may_be_null_for_edges) {
    const wend_edge edges[] = {{0, 1, 7}};
    wend_graph_def def = default_graph();
    wend_edge edge;
    def.node_count = 2, def.edges = edges, def.edge_count = 1;
    OWNED_MAP *map = made_graph(&def);
    cr_assert_eq(wend_map_get_edges(map, 0, &edge, 1, NULL), WEND_OK);
    cr_assert_eq(edge.cost, 7);
}

/* ---- how many cells of each class there are ---- */

static void check_counts(const wend_map *map, wend_cell size, uint64_t cells) {
    uint64_t counts[256], sum = 0, expected[256] = {0};
    wend_map_get_class_counts(map, counts);
    for (int32_t z = 0; z < size.z; z++)
        for (int32_t y = 0; y < size.y; y++)
            for (int32_t x = 0; x < size.x; x++) {
                uint8_t class;
                if (wend_map_get_terrain(map, (wend_cell){x, y, z}, &class) == WEND_OK) expected[class]++;
            }
    for (int class = 0; class < 256; class++) {
        cr_assert_eq(counts[class], expected[class], "class %d: %llu, not %llu", class,
                     (unsigned long long)counts[class], (unsigned long long)expected[class]);
        sum += counts[class];
    }
    cr_assert_eq(sum, cells);
}

Test(outputs, count_the_cells_of_each_class) {
    static const wend_cell flat[] = {{1, 1, 1}, {64, 64, 1}, {65, 63, 1}, {200, 130, 1}};
    static const wend_cell space[] = {{1, 1, 1}, {16, 16, 16}, {17, 15, 18}, {40, 33, 21}, {3, 70, 2}};
    for (size_t i = 0; i < 4 + 5; i++) {
        wend_cell size = i < 4 ? flat[i] : space[i - 4];
        uint64_t cells = (uint64_t)size.x * (uint64_t)size.y * (uint64_t)size.z;
        OWNED_MAP *map = create(i < 4 ? WEND_KIND_GRID : WEND_KIND_VOXEL, size);
        check_counts(map, size, cells);
        write_noise(map, size, 2, i);
        check_counts(map, size, cells);
        write_noise(map, size, 5, i);
        check_counts(map, size, cells);
    }
}

Test(outputs, count_the_nodes_of_each_class) {
    enum { NODES = 9000 };
    static uint8_t present[NODES];
    wend_graph_def def = default_graph();
    uint64_t nodes = 0, seed = 3;
    for (int i = 0; i < NODES; i++) nodes += present[i] = draw(&seed, 3) != 0;
    def.node_count = NODES, def.present = present;
    OWNED_MAP *map = made_graph(&def);
    check_counts(map, (wend_cell){NODES, 1, 1}, nodes);
    wend_edit *edit = begin_edit(map);
    for (int32_t i = 0; i < NODES; i++)
        if (present[i]) cr_assert_eq(wend_edit_set_cell(edit, (wend_cell){i, 0, 0}, (uint8_t)draw(&seed, 4)), WEND_OK);
    cr_assert_eq(wend_edit_publish(edit, NULL), WEND_OK);
    check_counts(map, (wend_cell){NODES, 1, 1}, nodes);
}
