/* SPDX-License-Identifier: MIT */
/* MovingAI .3dmap: accepted files, the refusal of mistakes, and written files. */
#include "io/io_help.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <wend/formats.h>

static bool is_blocked(const wend_map *map, int32_t x, int32_t y, int32_t z) {
    uint8_t terrain = 77;
    cr_assert_eq(wend_map_get_terrain(map, (wend_cell){x, y, z}, &terrain), WEND_OK);
    cr_assert_leq(terrain, 1);
    return terrain == WEND_CLASS_BLOCKED;
}

Test(voxel, reads_every_way_of_writing_the_same) {
    static const char *const same[] = {
        "voxel 4 3 2\n0 1 1\n3 2 0\n",
        "voxel 4 3 2\n3 2 0\n0 1 1",
        "\xEF\xBB\xBFvoxel 4 3 2\r\n0 1 1\r\n3 2 0\r\n\r\n",
        "\n voxel\t4  3 2 \n\n  3\t2 0\n0 1 1\n3 2 0\n",
    };
    for (size_t i = 0; i < COUNT_OF(same); i++) {
        wend_map_markers markers = {.struct_bytes = sizeof markers};
        OWNED_MAP *map = good_map(same[i], &markers);
        wend_map_info info = info_now(map);
        cr_assert(info.kind == WEND_KIND_VOXEL && info.width == 4 && info.height == 3 && info.depth == 2);
        cr_expect_eq(info.epoch, 0);
        cr_expect_eq(markers.format, WEND_FORMAT_VOXEL);
        for (int32_t c = 0; c < 24; c++) {
            int32_t x = c % 4, y = c / 4 % 3, z = c / 12;
            bool blocked = (x == 0 && y == 1 && z == 1) || (x == 3 && y == 2 && z == 0);
            cr_expect_eq(is_blocked(map, x, y, z), blocked, "%d,%d,%d", (int)x, (int)y, (int)z);
        }
    }
}

#define SIDE(what) "expected the " what ", a whole number from 1 to 65536, found "

Test(voxel, refuses_what_is_wrong) {
    static const bad_file bad[] = {
        {"voxel", WEND_BAD_FORMAT, 1, 6, SIDE("width") "the end of the line"},
        {"voxel 0 1 1\n", WEND_BAD_FORMAT, 1, 7, SIDE("width") "'0'"},
        {"voxel 1 65537 1\n", WEND_BAD_FORMAT, 1, 9, SIDE("height") "'65537'"},
        {"voxel 1 1 -1\n", WEND_BAD_FORMAT, 1, 11, SIDE("depth") "'-1'"},
        {"voxel 1 1 1 1\n", WEND_BAD_FORMAT, 1, 13, "expected the end of the line, found '1'"},
        {"voxel 65536 65536 2\n", WEND_BAD_FORMAT, 1, 1, "65536 x 65536 x 2 are more than 4294967296 voxels"},
        {"# no comments here\nvoxel 1 1 1\n", WEND_BAD_FORMAT, 1, 1, "expected voxel and the map's size, found '#'"},
        {"voxel 4 3 2\n4 0 0\n", WEND_BAD_FORMAT, 2, 1,
         "expected a blocked voxel's x, a whole number from 0 to 3, found '4'"},
        {"voxel 4 3 2\n3 3 0\n", WEND_BAD_FORMAT, 2, 3,
         "expected a blocked voxel's y, a whole number from 0 to 2, found '3'"},
        {"voxel 4 3 2\n\n3 2 2\n", WEND_BAD_FORMAT, 3, 5,
         "expected a blocked voxel's z, a whole number from 0 to 1, found '2'"},
        {"voxel 4 3 2\n-1 0 0\n", WEND_BAD_FORMAT, 2, 1,
         "expected a blocked voxel's x, a whole number from 0 to 3, found '-1'"},
        {"voxel 4 3 2\n1 1\n", WEND_BAD_FORMAT, 2, 4,
         "expected a blocked voxel's z, a whole number from 0 to 1, found the end of the line"},
        {"voxel 4 3 2\n1 1 1 1\n", WEND_BAD_FORMAT, 2, 7, "expected the end of the line, found '1'"},
        {"voxel 4 3 2\nvoxel 4 3 2\n", WEND_BAD_FORMAT, 2, 1,
         "expected a blocked voxel's x, a whole number from 0 to 3, found 'voxel'"},
    };
    for (size_t i = 0; i < COUNT_OF(bad); i++) expect_bad_map(&bad[i]);
}

Test(voxel, reads_back_the_same) {
    static const wend_cell sizes[] = {{1, 1, 1}, {16, 16, 16}, {17, 33, 5}, {200, 3, 40}, {5000, 2, 2}};
    static const uint8_t classes[] = {0, 1, 1, 1};
    uint32_t seed = 21;
    for (size_t i = 0; i < COUNT_OF(sizes); i++) {
        wend_map *map = random_space(&seed, sizes[i], classes, COUNT_OF(classes)), *back = NULL;
        written out = {0};
        cr_assert_eq(wend_map_write(map, WEND_FORMAT_VOXEL, NULL, write_memory, &out, NULL), WEND_OK);
        cr_assert_eq(wend_format_detect(out.bytes, out.size), WEND_FORMAT_VOXEL);
        cr_assert_eq(parse_map(out.bytes, out.size, NULL, &back, NULL, NULL), WEND_OK);
        cr_assert(same_map(map, back));
        wend_map_release(map);
        wend_map_release(back);
        free(out.bytes);
    }
}

Test(voxel, is_written_as_its_reader_expects) {
    wend_map *map = good_map("voxel 4 3 2\n0 1 1\n3 2 0\n0 2 0", NULL);
    written out = {0};
    cr_assert_eq(wend_map_write(map, WEND_FORMAT_VOXEL, NULL, write_memory, &out, NULL), WEND_OK);
    expect_written(&out, "voxel 4 3 2\n0 2 0\n3 2 0\n0 1 1\n");
    wend_map_release(map);
    free(out.bytes);
}

Test(voxel, rules_for_flat_grids_are_refused_and_those_for_space_taken) {
    static const char text[] = "voxel 2 2 2\n";
    wend_map_def def = default_map();
    wend_map_rules def_rules = default_rules();
    def.rules = &def_rules;
    OWNED_MAP *map = NULL;
    def_rules.neighbours = 8;
    cr_expect_eq(parse_map(text, sizeof text - 1, &def, &map, NULL, NULL), WEND_BAD_ARGUMENT);
    def_rules.neighbours = 18;
    cr_assert_eq(parse_map(text, sizeof text - 1, &def, &map, NULL, NULL), WEND_OK);
}
