/* SPDX-License-Identifier: MIT */
/* MovingAI .3dmap and .3dscen: accepted files, the refusal of mistakes, and written files. */
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

/* ---- scenarios ---- */

static void expect_query(const wend_scen_query *q, double length) {
    cr_expect(q->bucket == 0 && q->width == 0 && q->height == 0 && q->depth == 0);
    cr_expect_str_eq(q->map, "a b.3dmap");
    cr_expect(q->start.x == 1 && q->start.y == 2 && q->start.z == 3);
    cr_expect(q->goal.x == 4 && q->goal.y == 5 && q->goal.z == 65535);
    cr_expect(q->length >= length && q->length <= length);
}

Test(voxel_scen, reads_every_way_of_writing_the_same) {
    static const char *const same[] = {
        "version 1\na b.3dmap\n1 2 3 4 5 65535 7.5 1.25\n1 2 3 4 5 65535 0 1\n",
        "\xEF\xBB\xBFversion 1.0\r\na b.3dmap\r\n1 2 3 4 5 65535 7.5 1.25\r\n1 2 3 4 5 65535 0 0\r\n",
        " a b.3dmap\t \n\n 1\t2 3 4 5 65535  75e-1 9\n1 2 3 4 5 65535 0.0 1.",
    };
    for (size_t i = 0; i < COUNT_OF(same); i++) {
        wend_scen *scen = NULL;
        wend_file_error error = {.struct_bytes = sizeof error};
        size_t count;
        cr_assert_eq(parse_scen(same[i], strlen(same[i]), &scen, &error), WEND_OK, "%d:%d: %s", (int)error.line,
                     (int)error.column, error.text);
        const wend_scen_query *queries = wend_scen_get_queries(scen, &count);
        cr_assert_eq(count, 2);
        expect_query(&queries[0], 7.5);
        expect_query(&queries[1], 0);
        wend_scen_free(scen);
    }
}

#define CELL(what) "expected " what ", a whole number from 0 to 65535, found "

Test(voxel_scen, refuses_what_is_wrong) {
    static const bad_file bad[] = {
        {"version 1\nm\x01.3dmap\n", WEND_BAD_FORMAT, 2, 1, "expected a map's name, found 'm\\x01.3dmap'"},
        {"m.3dmap\n65536 2 3 4 5 6 7 1\n", WEND_BAD_FORMAT, 2, 1, CELL("the start's x") "'65536'"},
        {"m.3dmap\n1 -2 3 4 5 6 7 1\n", WEND_BAD_FORMAT, 2, 3, CELL("the start's y") "'-2'"},
        {"m.3dmap\n1 2 x 4 5 6 7 1\n", WEND_BAD_FORMAT, 2, 5, CELL("the start's z") "'x'"},
        {"m.3dmap\n1 2 3 65536 5 6 7 1\n", WEND_BAD_FORMAT, 2, 7, CELL("the goal's x") "'65536'"},
        {"m.3dmap\n1 2 3 4 1.5 6 7 1\n", WEND_BAD_FORMAT, 2, 9, CELL("the goal's y") "'1.5'"},
        {"m.3dmap\n1 2 3 4 5\n", WEND_BAD_FORMAT, 2, 10, CELL("the goal's z") "the end of the line"},
        {"m.3dmap\n1 2 3 4 5 6 -7 1\n", WEND_BAD_FORMAT, 2, 13,
         "expected a path's length, a decimal number from 0 on, found '-7'"},
        {"m.3dmap\n1 2 3 4 5 6 7\n", WEND_BAD_FORMAT, 2, 14,
         "expected length over distance, a decimal number from 0 on, found the end of the line"},
        {"m.3dmap\n1 2 3 4 5 6 7 1 2\n", WEND_BAD_FORMAT, 2, 17, "expected the end of the line, found '2'"},
        {"m.3dmap\nm.3dmap\n", WEND_BAD_FORMAT, 2, 1, CELL("the start's x") "'m.3dmap'"},
    };
    for (size_t i = 0; i < COUNT_OF(bad); i++) expect_bad_scen(&bad[i]);
}

Test(voxel_scen, what_is_written_reads_back_the_same) {
    wend_scen_query queries[300];
    uint32_t seed = 22;
    written out = {0};
    for (size_t i = 0; i < COUNT_OF(queries); i++) {
        wend_scen_query q = {.map = "a b.3dmap", .length = (double)next_random(&seed) / 7777};
        int32_t *all[] = {&q.start.x, &q.start.y, &q.start.z, &q.goal.x, &q.goal.y, &q.goal.z};
        for (size_t k = 0; k < COUNT_OF(all); k++) *all[k] = (int32_t)(next_random(&seed) % WEND_MAX_SIDE);
        queries[i] = q;
    }
    cr_assert_eq(wend_scen_write(queries, COUNT_OF(queries), write_memory, &out), WEND_OK);
    wend_scen *scen = NULL;
    size_t count = 0;
    cr_assert_eq(parse_scen(out.bytes, out.size, &scen, NULL), WEND_OK);
    const wend_scen_query *back = wend_scen_get_queries(scen, &count);
    cr_assert_eq(count, COUNT_OF(queries));
    for (size_t i = 0; i < count; i++) {
        const wend_scen_query *a = &queries[i], *b = &back[i];
        cr_assert_str_eq(a->map, b->map);
        cr_assert(memcmp(&a->start, &b->start, sizeof a->start) == 0 &&
                  memcmp(&a->goal, &b->goal, sizeof a->goal) == 0);
        cr_assert(a->length >= b->length && a->length <= b->length && b->depth == 0);
    }
    wend_scen_free(scen);
    free(out.bytes);
}

Test(voxel_scen, is_written_as_the_benchmarks_are) {
    wend_scen *scen = NULL;
    written out = {0};
    size_t count;
    static const char text[] = "version 1\ntiny.3dmap\n0 0 0 8 5 0 10.07106781 1\n3 0 0 5 0 0 6 3\n"
                               "1 1 1 7 4 3 7.97469149 1.012\n8 5 4 8 5 4 0 1\n";
    cr_assert_eq(parse_scen(text, sizeof text - 1, &scen, NULL), WEND_OK);
    const wend_scen_query *queries = wend_scen_get_queries(scen, &count);
    cr_assert_eq(wend_scen_write(queries, count, write_memory, &out), WEND_OK);
    expect_written(&out, text);
    wend_scen_free(scen);
    free(out.bytes);
}

Test(voxel_scen, writes_nothing_that_would_not_read_back) {
    const wend_scen_query good = {.map = "m.3dmap", .length = 1},
                          flat = {.width = 2, .height = 2, .depth = 1, .map = "m.3dmap", .length = 1};
    wend_scen_query bad[11];
    size_t n = 0;
    written out = {0};
    for (size_t i = 0; i < COUNT_OF(bad); i++) bad[i] = good;
    bad[n++].bucket = 1;
    bad[n++].width = 1;
    bad[n++].height = 1;
    bad[n++].depth = 1;
    bad[n++].map = "n.3dmap";
    bad[n++].start.z = -1;
    bad[n++].start.x = WEND_MAX_SIDE;
    bad[n++].goal.y = WEND_MAX_SIDE;
    bad[n++].length = -1;
    bad[n++].length = (double)INFINITY;
    bad[n++] = flat;
    cr_assert_eq(n, COUNT_OF(bad));
    for (size_t i = 0; i < n; i++) {
        wend_scen_query two[2] = {good, bad[i]};
        cr_expect_eq(wend_scen_write(two, 2, write_memory, &out), WEND_BAD_ARGUMENT, "%zu", i);
    }
    wend_scen_query two[2] = {flat, good}, other = good;
    cr_expect_eq(wend_scen_write(two, 2, write_memory, &out), WEND_BAD_ARGUMENT);
    other.map = "m.map";
    cr_expect_eq(wend_scen_write(&other, 1, write_memory, &out), WEND_BAD_ARGUMENT);
    cr_assert_eq(out.calls, 0);
}

Test(voxel_scen, the_sample_fits_its_map) {
    wend_scen *scen = NULL;
    OWNED_MAP *map = NULL;
    size_t count;
    cr_assert_eq(wend_scen_load(TEST_DATA "/tiny.3dmap.3dscen", &scen, NULL), WEND_OK);
    cr_assert_eq(wend_map_load(TEST_DATA "/tiny.3dmap", NULL, &map, NULL, NULL), WEND_OK);
    const wend_scen_query *queries = wend_scen_get_queries(scen, &count);
    cr_assert_eq(count, 6);
    for (size_t i = 0; i < count; i++) {
        cr_expect_not(is_blocked(map, queries[i].start.x, queries[i].start.y, queries[i].start.z));
        cr_expect_not(is_blocked(map, queries[i].goal.x, queries[i].goal.y, queries[i].goal.z));
        cr_expect_str_eq(queries[i].map, "tiny.3dmap");
    }
    wend_scen_free(scen);
}
