/* SPDX-License-Identifier: MIT */
/* Files cut short, altered, or with a wrong size in them; and memory that runs out. */
#include "io/io_help.h"
#include "io/readers/map_readers.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wend/formats.h>

static const char grid_file[] = "Rows 2 # two\r\nColumns 3\n\n0 1 2\nA 9 B\n";
static const char layers_file[] = "Rows 2\r\nColumns 3\nLayers 2\n\n0 t1 2\nA 9 B\n0 0 t2\nt1 t2 0\n";
static const char voxel_file[] = "voxel 12 3 20\r\n0 2 1\n11 0 19\n\n3 1 4\n";
static const char graph_file[] = "c c\np sp 3 3\r\na 1 2 10\na 3 3 999999\n\nc x\na  2 1 7\n";
static const char coordinates_file[] = "c c\np aux sp co 3\r\nv 1 -2 10\nv 3 3 999999\n\nc x\nv  2 1 7\n";
static const char movingai_file[] = "type octile\nheight 2\r\nwidth 4\nmap\n.G@O\nTSW.\n\n";

static void expect_place(int32_t code, const wend_file_error *error) {
    cr_assert(code == WEND_BAD_FORMAT || code == WEND_UNSUPPORTED, "%d", (int)code);
    cr_assert(error->line >= 1 && error->column >= 1 && error->text[0]);
    for (const char *at = error->text; *at; at++) cr_assert(*at >= 0x20 && *at < 0x7F, "not printable");
}

/* Reads a file: good or a clear error; a good one can be written and reads back the same. Returns whether good. */
static bool try_map(const char *bytes, size_t size) {
    counting counts = {0};
    wend_map_def def = default_map();
    wend_map *map = NULL, *back = NULL;
    wend_map_markers markers = {.struct_bytes = sizeof markers};
    wend_file_error error = {.struct_bytes = sizeof error};
    written out = {0};
    def.allocator = counting_allocator(&counts);
    int32_t code = parse_map(bytes, size, &def, &map, &markers, &error);
    if (code) {
        expect_place(code, &error);
    } else {
        cr_assert_eq(wend_map_write(map, markers.format, &markers, write_memory, &out, NULL), WEND_OK);
        cr_assert_eq(parse_map(out.bytes, out.size, NULL, &back, NULL, NULL), WEND_OK);
        cr_assert(same_map(map, back));
        wend_map_release(back);
        wend_map_release(map);
        free(out.bytes);
    }
    cr_assert_eq(counts.bytes, 0, "memory stayed behind");
    return code == WEND_OK;
}

/* Reads coordinates of a graph of three nodes. Mistakes have their place in the text. */
static bool try_coordinates(const char *bytes, size_t size) {
    wend_cell at[4];
    wend_file_error error = {.struct_bytes = sizeof error};
    char *copy = malloc(size ? size : 1);
    memcpy(copy, bytes, size);
    wend__coordinates_file file = {.bytes = copy, .size = size, .name = "x.co"};
    int32_t code = wend__coordinates_parse(&file, 3, at, &error);
    free(copy);
    if (!code) return true;
    cr_assert_eq(code, WEND_BAD_FORMAT);
    cr_assert(strncmp(error.text, "x.co:", 5) == 0 && error.line == 0 && error.column == 0);
    for (const char *c = error.text; *c; c++) cr_assert(*c >= 0x20 && *c < 0x7F, "not printable");
    return false;
}

typedef bool try_fn(const char *bytes, size_t size);

static size_t good_cuts(try_fn *try, const char *bytes, size_t size) {
    size_t good = 0;
    for (size_t cut = 0; cut <= size; cut++) good += try(bytes, cut);
    return good;
}

Test(robust, every_truncation_is_good_or_a_clear_error) {
    cr_expect_eq(good_cuts(try_map, grid_file, sizeof grid_file - 1), 2, "whole, and without the last line end");
    cr_expect_eq(good_cuts(try_map, layers_file, sizeof layers_file - 1), 2);
    /* the header from the first digit of its depth on; each voxel from the first digit of its z on */
    cr_expect_eq(good_cuts(try_map, voxel_file, sizeof voxel_file - 1), 4 + 2 + 4 + 2);
    cr_expect_eq(good_cuts(try_map, graph_file, sizeof graph_file - 1), 2);
    cr_expect_eq(good_cuts(try_coordinates, coordinates_file, sizeof coordinates_file - 1), 2);
    cr_expect_eq(good_cuts(try_map, movingai_file, sizeof movingai_file - 1), 3);
}

static size_t good_mutations(try_fn *try, const char *bytes, size_t size) {
    char *copy = malloc(size);
    size_t good = 0;
    memcpy(copy, bytes, size);
    for (size_t i = 0; i < size; i++) {
        for (int byte = 0; byte < 256; byte++) {
            copy[i] = (char)byte;
            good += try(copy, size);
        }
        copy[i] = bytes[i];
    }
    free(copy);
    return good;
}

static void every_mutation(try_fn *try, const char *bytes, size_t size) {
    size_t good = good_mutations(try, bytes, size);
    cr_expect_gt(good, size, "each byte as it was is good, and some others are");
    cr_expect_lt(good, 256 * size / 2, "most are found out");
}

Test(robust, every_changed_byte_of_grid_text_is_good_or_a_clear_error) {
    every_mutation(try_map, grid_file, sizeof grid_file - 1);
}

Test(robust, every_changed_byte_of_layers_and_teleports_is_good_or_a_clear_error) {
    every_mutation(try_map, layers_file, sizeof layers_file - 1);
}

Test(robust, every_changed_byte_of_a_voxel_map_is_good_or_a_clear_error) {
    every_mutation(try_map, voxel_file, sizeof voxel_file - 1);
}

Test(robust, every_changed_byte_of_a_graph_is_good_or_a_clear_error) {
    every_mutation(try_map, graph_file, sizeof graph_file - 1);
}

Test(robust, every_changed_byte_of_coordinates_is_good_or_a_clear_error) {
    every_mutation(try_coordinates, coordinates_file, sizeof coordinates_file - 1);
}

Test(robust, every_changed_byte_of_a_movingai_map_is_good_or_a_clear_error) {
    every_mutation(try_map, movingai_file, sizeof movingai_file - 1);
}

Test(robust, a_header_that_claims_too_much_takes_no_memory) {
    static const char *const sizes[] = {"2147483648",           "2147483647", "4294967296",
                                        "18446744073709551616", "65537",      "65536"};
    for (size_t i = 0; i < COUNT_OF(sizes); i++) {
        for (int form = 0; form < 4; form++) {
            counting counts = {0};
            wend_map_def def = default_map();
            wend_map *map = NULL;
            wend_file_error error = {.struct_bytes = sizeof error};
            char text[200];
            static const char *const forms[] = {"Rows %s\nColumns %s\n0 0 0\n",
                                                "type octile\nheight %s\nwidth %s\nmap\n...\n",
                                                "Layers %s\nRows 1\nColumns %s\n0 0\n0 0\n", "voxel %s 65536 %s\n"};
            int size = snprintf(text, sizeof text, forms[form], sizes[i], sizes[i]);
            def.allocator = counting_allocator(&counts);
            cr_assert_eq(parse_map(text, (size_t)size, &def, &map, NULL, &error), WEND_BAD_FORMAT);
            cr_assert_leq(counts.peak, sizeof text, "took %llu bytes", (unsigned long long)counts.peak);
            cr_assert_gt(error.line, 0);
        }
    }
}

static const char *band_file(size_t *size) {
    static char text[100000];
    int used = snprintf(text, sizeof text, "type octile\nheight 130\nwidth 130\nmap\n");
    for (int i = 0; i < 130 * 131; i++) text[used++] = i % 131 == 130 ? '\n' : (i * 7919) % 5 ? '.' : '@';
    *size = (size_t)used;
    return text;
}

static void every_allocation_may_fail(const char *text, size_t size) {
    size_t fail_at = 1;
    for (;; fail_at++) {
        counting counts = {.fail_from = fail_at};
        wend_map_def def = default_map();
        wend_map *map = NULL;
        wend_file_error error = {.struct_bytes = sizeof error};
        def.allocator = counting_allocator(&counts);
        int32_t code = parse_map(text, size, &def, &map, NULL, &error);
        cr_assert(code == WEND_OK || (code == WEND_OUT_OF_MEMORY && !map), "%d", (int)code);
        if (code) cr_assert_eq(strncmp(error.text, "the allocator has no ", 21), 0, "%s", error.text);
        wend_map_release(map);
        cr_assert_eq(counts.bytes, 0, "allocation %zu failed and %llu bytes stayed", fail_at,
                     (unsigned long long)counts.bytes);
        if (!code) break;
    }
    cr_expect_gt(fail_at, 5);
}

Test(robust, every_allocation_of_a_map_may_fail) {
    size_t size;
    const char *text = band_file(&size);
    every_allocation_may_fail(text, size);
    every_allocation_may_fail(layers_file, sizeof layers_file - 1);
    every_allocation_may_fail(voxel_file, sizeof voxel_file - 1);
    every_allocation_may_fail(graph_file, sizeof graph_file - 1);
}

Test(robust, a_map_that_outgrows_its_max_bytes_is_refused) {
    size_t size;
    const char *text = band_file(&size);
    wend_map_def def = default_map();
    wend_map *map = NULL;
    wend_file_error error = {.struct_bytes = sizeof error};
    cr_assert_eq(parse_map(text, size, &def, &map, NULL, NULL), WEND_OK);
    wend_map_info info = info_now(map);
    wend_map_release(map);
    map = NULL;
    def.max_bytes = info.bytes - 1;
    cr_assert_eq(parse_map(text, size, &def, &map, NULL, &error), WEND_OUT_OF_MEMORY);
    cr_assert(!map && error.line == 0 && error.text[0]);
}

Test(robust, memory_for_reading_a_file_may_fail) {
    for (size_t fail_at = 1;; fail_at++) {
        counting counts = {.fail_from = fail_at};
        wend_map_def def = default_map();
        wend_map *map = NULL;
        wend_file_error error = {.struct_bytes = sizeof error};
        def.allocator = counting_allocator(&counts);
        int32_t code = wend_map_load(TEST_DATA "/problem1.txt", &def, &map, NULL, &error);
        wend_map_release(map);
        cr_assert_eq(counts.bytes, 0);
        if (!code) break;
        cr_assert_eq(code, WEND_OUT_OF_MEMORY);
        cr_assert(error.text[0]);
    }
}

Test(robust, arguments_out_of_range_are_refused) {
    wend_map_def def = default_map();
    wend_map *map = NULL;
    wend_file_error error = {.struct_bytes = sizeof error};
    cr_expect_eq(wend_map_parse(grid_file, sizeof grid_file - 1, NULL, NULL, NULL, &error), WEND_BAD_ARGUMENT);
    cr_expect_str_eq(error.text, "out is NULL");
    cr_expect_eq(wend_map_parse(NULL, 1, NULL, &map, NULL, NULL), WEND_BAD_ARGUMENT);
    cr_expect_eq(wend_map_parse(NULL, 0, NULL, &map, NULL, NULL), WEND_BAD_FORMAT);
    def.struct_bytes = (uint32_t)offsetof(wend_map_def, streamed) - 1;
    cr_expect_eq(wend_map_parse(grid_file, sizeof grid_file - 1, &def, &map, NULL, NULL), WEND_BAD_ARGUMENT);
    wend_map_def_init(&def, sizeof def);
    wend_map_rules def_rules = default_rules();
    def.rules = &def_rules;
    def_rules.cost_straight = 0;
    cr_expect_eq(wend_map_parse(grid_file, sizeof grid_file - 1, &def, &map, NULL, &error), WEND_BAD_ARGUMENT);
    cr_expect_eq(wend_map_load(TEST_DATA "/problem1.txt", NULL, NULL, NULL, NULL), WEND_BAD_ARGUMENT);
    cr_expect_null(map);
}

Test(robust, kind_and_size_of_the_definition_are_the_files) {
    wend_map_def def = default_map();
    OWNED_MAP *map = NULL;
    def.kind = WEND_KIND_GRAPH, def.width = -1, def.height = 70000, def.depth = 9;
    cr_assert_eq(wend_map_parse(grid_file, sizeof grid_file - 1, &def, &map, NULL, NULL), WEND_OK);
    wend_map_info info = info_now(map);
    cr_expect(info.kind == WEND_KIND_GRID && info.width == 3 && info.height == 2 && info.depth == 1);
}
