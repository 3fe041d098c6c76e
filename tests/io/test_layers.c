/* SPDX-License-Identifier: MIT */
/* Grid text in space, and its teleports: accepted texts, the refusal of mistakes, and written texts. */
#include "io/io_help.h"
#include "models/defaults.h"

#include <stdio.h>
#include <stdlib.h>
#include <wend/query.h>
#include <wend/ways.h>
#include <wend/formats.h>

static uint8_t class_at(const wend_map *map, int32_t x, int32_t y, int32_t z) {
    uint8_t terrain = 77;
    cr_assert_eq(wend_map_get_terrain(map, (wend_cell){x, y, z}, &terrain), WEND_OK);
    return terrain;
}

static bool is_cell(wend_cell cell, int32_t x, int32_t y, int32_t z) {
    return cell.x == x && cell.y == y && cell.z == z;
}

static bool has_link(const wend_map *map, wend_cell from, wend_cell to, int32_t cost) {
    wend_link links[16];
    size_t count;
    wend_map_get_links(map, links, COUNT_OF(links), &count);
    cr_assert_leq(count, COUNT_OF(links));
    for (size_t i = 0; i < count; i++)
        if (is_cell(links[i].from, from.x, from.y, from.z) && is_cell(links[i].to, to.x, to.y, to.z))
            return links[i].cost == cost;
    return false;
}

Test(layers, reads_every_way_of_writing_the_same) {
    static const char *const same[] = {
        "Layers 2\nRows 2\nColumns 3\n0 1 2\nA 9 3\n0 0 4\n5 B 0\n",
        "Rows 2\nColumns 3\nLayers 2\n0 1 2\nA 9 3\n0 0 4\n5 B 0",
        "\xEF\xBB\xBFRows 2\r\nLayers 2\r\nColumns 3\r\n0 1 2\r\nA 9 3\r\n\r\n# up\r\n0 0 4\r\n5 B 0\r\n",
    };
    for (size_t i = 0; i < COUNT_OF(same); i++) {
        wend_map_markers markers = {.struct_bytes = sizeof markers};
        OWNED_MAP *map = good_map(same[i], &markers);
        wend_map_info info = info_now(map);
        wend_map_rules info_rules = rules_now(map);
        cr_assert(info.kind == WEND_KIND_VOXEL && info.width == 3 && info.height == 2 && info.depth == 2);
        cr_expect_eq(info.epoch, 0);
        cr_expect_eq(info_rules.neighbours, 26);
        static const uint8_t classes[] = {1, 0, 2, 1, 9, 3, 1, 1, 4, 5, 1, 1};
        for (int32_t c = 0; c < 12; c++) cr_expect_eq(class_at(map, c % 3, c / 3 % 2, c / 6), classes[c], "%d", (int)c);
        cr_expect(markers.has_start && is_cell(markers.start, 0, 1, 0));
        cr_expect(markers.has_goal && is_cell(markers.goal, 1, 1, 1));
    }
}

Test(layers, one_layer_is_space_and_none_is_flat) {
    OWNED_MAP *one = good_map("Layers 1\nRows 1\nColumns 2\n0 0\n", NULL);
    OWNED_MAP *none = good_map("Rows 1\nColumns 2\n0 0\n", NULL);
    wend_map_info info = info_now(one);
    cr_expect(info.kind == WEND_KIND_VOXEL && info.depth == 1);
    wend_map_get_info(none, &info);
    cr_expect(info.kind == WEND_KIND_GRID && info.depth == 1);
}

Test(layers, teleports_are_two_links_of_a_straight_step) {
    wend_map_def def = default_map();
    wend_map_rules def_rules = default_rules();
    def.rules = &def_rules;
    OWNED_MAP *map = NULL;
    static const char text[] = "Rows 2\nColumns 4\nt1 0 a07 t2\n0 t2 t1 a07\n";
    def_rules.cost_straight = 7;
    cr_assert_eq(parse_map(text, sizeof text - 1, &def, &map, NULL, NULL), WEND_OK);
    wend_map_info info = info_now(map);
    cr_expect_eq(info.links, 6);
    cr_expect_eq(info.epoch, 0);
    expect_classes(map, 4, 2, "11111111");
    wend_cell ends[3][2] = {{{0, 0, 0}, {2, 1, 0}}, {{2, 0, 0}, {3, 1, 0}}, {{3, 0, 0}, {1, 1, 0}}};
    for (size_t i = 0; i < 3; i++) {
        cr_expect(has_link(map, ends[i][0], ends[i][1], 7), "%zu", i);
        cr_expect(has_link(map, ends[i][1], ends[i][0], 7), "%zu", i);
    }
}

Test(layers, the_house_has_its_stairs) {
    OWNED_MAP *map = NULL;
    wend_map_markers markers = {.struct_bytes = sizeof markers};
    bool reachable = false;
    cr_assert_eq(wend_map_load(TEST_DATA "/layers.txt", NULL, &map, &markers, NULL), WEND_OK);
    cr_expect(has_link(map, (wend_cell){4, 1, 0}, (wend_cell){0, 1, 2}, 10));
    cr_expect(has_link(map, (wend_cell){3, 2, 4}, (wend_cell){2, 3, 2}, 10));
    cr_assert_eq(wend_map_reachable(map, WEND_MOVER_DEFAULT, markers.start, markers.goal, &reachable), WEND_OK);
    cr_expect_eq(reachable, 1);
}

#define CUBE "Layers 2\nRows 1\nColumns 2\n"

Test(layers, refuses_what_is_wrong) {
    static const bad_file bad[] = {
        {CUBE "Layers 2\n0 0\n0 0\n", WEND_BAD_FORMAT, 4, 1, "a second 'Layers' line"},
        {CUBE "0 0\n", WEND_BAD_FORMAT, 5, 1, "expected row 1 of 1 in layer 2 of 2, found the end of the file"},
        {CUBE "0 0\n0\n", WEND_BAD_FORMAT, 5, 2, "expected cell 2 of 2 in row 1 in layer 2, found the end of the line"},
        {CUBE "0 0\n0 0 1\n", WEND_BAD_FORMAT, 5, 5, "expected the end of row 1 in layer 2 after 2 cells, found '1'"},
        {CUBE "0 0\n0 0\n0 0\n", WEND_BAD_FORMAT, 6, 1,
         "expected the end of the file after 2 layers of 1 rows, found '0'"},
        {CUBE "0 0\nLayers 2\n", WEND_BAD_FORMAT, 5, 1, "'Layers' after the first row"},
        {CUBE "0 0\n0 A\nx", WEND_BAD_FORMAT, 6, 1, "expected the end of the file after 2 layers of 1 rows, found 'x'"},
        {CUBE "0 A\n0 A\n", WEND_BAD_FORMAT, 5, 3, "a second 'A'; the first is at line 4, column 3"},
        {"Layers 65537\n", WEND_BAD_FORMAT, 1, 8,
         "expected the number of layers, a whole number from 1 to 65536, found '65537'"},
        {"Layers 2\nRows 65536\nColumns 65536\n0 0\n", WEND_BAD_FORMAT, 4, 1,
         "65536 rows of 65536 columns in 2 layers are more than 4294967296 cells"},
        {CUBE "t1 0\n0 0\n", WEND_BAD_FORMAT, 4, 1, "'t1' stands here only: a teleport's name marks its two ends"},
        {CUBE "t1 t1\n0 t1\n", WEND_BAD_FORMAT, 5, 3,
         "a third 't1'; the first two are at line 4, column 1 and line 4, column 4"},
        {CUBE "t1 t1\nt1 t1\n", WEND_BAD_FORMAT, 5, 1,
         "a third 't1'; the first two are at line 4, column 1 and line 4, column 4"},
        {CUBE "t1 t01\n0 0\n", WEND_BAD_FORMAT, 4, 1, "'t1' stands here only: a teleport's name marks its two ends"},
        {"Rows 1\nColumns 6\nb1 c1 b1 b1 c1 a1\n", WEND_BAD_FORMAT, 3, 10,
         "a third 'b1'; the first two are at line 3, column 1 and line 3, column 7"},
        {"Rows 1\nColumns 6\na1 b1 b2 b1 b1 b2\n", WEND_BAD_FORMAT, 3, 1,
         "'a1' stands here only: a teleport's name marks its two ends"},
    };
    for (size_t i = 0; i < COUNT_OF(bad); i++) expect_bad_map(&bad[i]);
}

static char *teleport_text(int32_t pairs, size_t *size) {
    size_t room = 100 + (size_t)pairs * 20;
    char *text = malloc(room);
    cr_assert_not_null(text);
    int32_t rows = (pairs + 1023) / 1024;
    size_t used = (size_t)snprintf(text, room, "Rows %d\nColumns 2048\n", (int)rows);
    for (int32_t i = 0; i < rows * 2048; i++) {
        const char *end = i % 2048 == 2047 ? "\n" : " ";
        if (i < 2 * pairs)
            used += (size_t)snprintf(text + used, room - used, "t%d%s", (int)(i < pairs ? i : 2 * pairs - 1 - i), end);
        else
            used += (size_t)snprintf(text + used, room - used, "0%s", end);
        if (room - used < 64) text = realloc(text, room *= 2);
    }
    *size = used;
    return text;
}

Test(layers, takes_as_many_teleports_as_a_map_can_have) {
    for (int32_t pairs = WEND_MAX_LINKS / 2; pairs <= WEND_MAX_LINKS / 2 + 1; pairs++) {
        size_t size;
        char *text = teleport_text(pairs, &size);
        wend_map *map = NULL;
        wend_map_info info = {.struct_bytes = sizeof info};
        wend_file_error error = {.struct_bytes = sizeof error};
        int32_t code = wend_map_parse(text, size, NULL, &map, NULL, &error);
        if (pairs > WEND_MAX_LINKS / 2) {
            cr_assert_eq(code, WEND_BAD_FORMAT);
            cr_expect_str_eq(error.text, "more than 524288 teleports");
            cr_expect(error.line == 515 && error.column == 1, "%d:%d", (int)error.line, (int)error.column);
        } else {
            cr_assert_eq(code, WEND_OK, "%d:%d: %s", (int)error.line, (int)error.column, error.text);
            wend_map_get_info(map, &info);
            cr_expect_eq(info.links, WEND_MAX_LINKS);
        }
        wend_map_release(map);
        free(text);
    }
}

Test(layers, is_written_as_its_reader_expects) {
    static const char text[] = "Layers 2\nRows 2\nColumns 3\n0 t1 A\n1 t2 0\n\nB t2 0\n2 9 t1\n";
    wend_map_markers markers = {.struct_bytes = sizeof markers};
    wend_map *map = good_map(text, &markers);
    written out = {0};
    cr_assert_eq(wend_map_write(map, WEND_FORMAT_GRID_TEXT, &markers, write_memory, &out, NULL), WEND_OK);
    expect_written(&out, text);
    wend_map_release(map);
    free(out.bytes);
}

static void round_trip(wend_map *map) {
    written out = {0};
    wend_map *back = NULL;
    wend_map_markers markers = {.struct_bytes = sizeof markers};
    wend_file_error error = {.struct_bytes = sizeof error};
    cr_assert_eq(wend_map_write(map, WEND_FORMAT_GRID_TEXT, NULL, write_memory, &out, &error), WEND_OK, "%s",
                 error.text);
    cr_assert_eq(parse_map(out.bytes, out.size, NULL, &back, &markers, &error), WEND_OK, "%d:%d: %s", (int)error.line,
                 (int)error.column, error.text);
    cr_assert_eq(markers.format, WEND_FORMAT_GRID_TEXT);
    cr_assert(same_map(map, back));
    wend_map_release(map);
    wend_map_release(back);
    free(out.bytes);
}

static const uint8_t classes[] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 1, 1, 1};

Test(layers, space_reads_back_the_same) {
    static const wend_cell sizes[] = {{1, 1, 1},    {1, 1, 65},   {17, 16, 15}, {16, 16, 16},
                                      {33, 70, 18}, {4097, 2, 3}, {2, 130, 2},  {3, 3, 100}};
    uint32_t seed = 11;
    for (size_t i = 0; i < COUNT_OF(sizes); i++) round_trip(random_space(&seed, sizes[i], classes, COUNT_OF(classes)));
}

Test(layers, teleports_read_back_the_same) {
    uint32_t seed = 12;
    for (int i = 0; i < 60; i++) {
        wend_cell size = {8 + (int32_t)(next_random(&seed) % 60), 8 + (int32_t)(next_random(&seed) % 60),
                          1 + (int32_t)(next_random(&seed) % 4)};
        wend_map *map = i % 2 ? random_space(&seed, size, classes, COUNT_OF(classes))
                              : random_map(&seed, size.x, size.y, classes, COUNT_OF(classes));
        add_teleports(&seed, map, (int32_t)(next_random(&seed) % 9), 10);
        round_trip(map);
    }
}

Test(layers, very_many_teleports_read_back_the_same) {
    size_t size;
    char *text = teleport_text(5000, &size); /* more than are counted */
    wend_map *map = NULL;
    cr_assert_eq(wend_map_parse(text, size, NULL, &map, NULL, NULL), WEND_OK);
    round_trip(map);
    free(text);
}
