/* SPDX-License-Identifier: MIT */
/* Scenario files: accepted files, the refusal of each mistake, files that are cut or changed. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wend/base.h>

#include "scen/scenario.h"

#define COUNT_OF(a) (sizeof(a) / sizeof *(a))

/// A file that must be refused, and how.
typedef struct bad_file {
    const char *bytes;
    int32_t code, line, column;
    const char *text; ///< the whole text
} bad_file;

/* From a copy of exactly that size, so that a read past the end is found by the sanitizers. */
static wend_error parse(const char *bytes, size_t size, scenario *out, wend_file_error *error) {
    char *copy = malloc(size ? size : 1);
    cr_assert_not_null(copy);
    if (size) memcpy(copy, bytes, size);
    const wend_error code = scenario_parse(copy, size, out, error);
    free(copy);
    return code;
}

static scenario good(const char *text, size_t count) {
    scenario out;
    wend_file_error error;
    const wend_error code = parse(text, strlen(text), &out, &error);
    cr_assert_eq(code, WEND_OK, "%s\n%d:%d: %s", text, (int)error.line, (int)error.column, error.text);
    cr_assert_eq(out.count, count, "%s", text);
    return out;
}

static void expect_refused(const bad_file *file) {
    scenario out;
    wend_file_error error;
    const wend_error code = parse(file->bytes, strlen(file->bytes), &out, &error);
    const bool same = code == file->code && error.line == file->line && error.column == file->column;
    cr_assert(same && strcmp(error.text, file->text) == 0, "%s\nis %s at %d:%d: %s\nnot %s at %d:%d: %s", file->bytes,
              wend_error_name(code), (int)error.line, (int)error.column, error.text, wend_error_name(file->code),
              (int)file->line, (int)file->column, file->text);
    cr_assert(!out.queries && out.count == 0);
}

/* ---- flat maps ---- */

static void expect_query(const scenario_query *q, const char *map, double length) {
    cr_expect_str_eq(q->map, map);
    cr_expect(q->width == 7 && q->height == 5 && q->depth == 1, "%d %d", (int)q->width, (int)q->height);
    cr_expect(q->start.x == 1 && q->start.y == 2 && q->start.z == 0 && q->goal.x == 6 && q->goal.y == 4 &&
              q->goal.z == 0);
    cr_expect(q->length >= length && q->length <= length, "%.17g", q->length);
}

Test(scen, reads_every_way_of_writing_the_same) {
    static const char *const same[] = {
        "version 1\n3\ta/b.map\t7\t5\t1\t2\t6\t4\t5.82843\n0\tc\t7\t5\t1\t2\t6\t4\t0\n",
        "version 1.0\n3 a/b.map 7 5 1 2 6 4 5.82843\n0 c 7 5 1 2 6 4 0",
        "version 1\r\n3\ta/b.map\t7\t5\t1\t2\t6\t4\t5.82843\r\n0\tc\t7\t5\t1\t2\t6\t4\t0.000\r\n",
        "3 a/b.map 7 5 1 2 6 4 5.82843\n0 c 7 5 1 2 6 4 0\n",
        "\xEF\xBB\xBF\n version  1 \n\n  3 \t a/b.map \t7\t5 1 2\t6\t4\t5.82843 \n\n0\tc 7 5 1 2 6 4 0e3\n\n",
    };
    for (size_t i = 0; i < COUNT_OF(same); i++) {
        scenario scen = good(same[i], 2);
        const scenario_query *queries = scen.queries;
        expect_query(&queries[0], "a/b.map", 5.82843);
        expect_query(&queries[1], "c", 0);
        scenario_free(&scen);
    }
}

Test(scen, names_may_hold_blanks_between_tabs) {
    scenario scen =
        good("1\t my maps/a  b.map \t7\t5\t1\t2\t6\t4\t5\n2\tx y\t7 5 1 2 6 4 5\n3\tx y\t7\t5\t1\t2\t6\t4\t5", 3);
    const scenario_query *queries = scen.queries;
    expect_query(&queries[0], "my maps/a  b.map", 5);
    expect_query(&queries[1], "x y", 5);
    expect_query(&queries[2], "x y", 5);
    cr_expect_eq(queries[1].map, queries[2].map, "kept once");
    scenario_free(&scen);
}

Test(scen, a_version_alone_is_an_empty_scenario) {
    scenario scen = good("version 1", 0);
    scenario_free(&scen);
}

#define NUMBER(what, limits) "expected " what ", a whole number from " limits ", found "
#define LENGTH "expected a path's length, a decimal number from 0 on, found "

Test(scen, refuses_what_is_wrong) {
    static const bad_file bad[] = {
        {"", WEND_BAD_FORMAT, 1, 1, "expected a scenario ('version 1'), found the end of the file"},
        {"version\n", WEND_BAD_FORMAT, 1, 8, "expected version 1, found the end of the line"},
        {"version 2\n", WEND_UNSUPPORTED, 1, 9, "expected version 1, found '2'"},
        {"version 1 1\n", WEND_BAD_FORMAT, 1, 11, "expected the end of the line, found '1'"},
        {"version 1\nversion 1\n", WEND_BAD_FORMAT, 2, 1, NUMBER("the bucket", "0 to 2147483647") "'version'"},
        {"type octile\n", WEND_BAD_FORMAT, 1, 1, NUMBER("the bucket", "0 to 2147483647") "'type'"},
        {"-1 m 7 5 1 2 6 4 5\n", WEND_BAD_FORMAT, 1, 1, NUMBER("the bucket", "0 to 2147483647") "'-1'"},
        {"2147483648 m 7 5 1 2 6 4 5\n", WEND_BAD_FORMAT, 1, 1, NUMBER("the bucket", "0 to 2147483647") "'2147483648'"},
        {"1\n", WEND_BAD_FORMAT, 1, 2, "expected a map's name, found the end of the line"},
        {"1 m\x01n 7 5 1 2 6 4 5\n", WEND_BAD_FORMAT, 1, 3, "expected a map's name, found 'm\\x01n'"},
        {"1 m 0 5 1 2 6 4 5\n", WEND_BAD_FORMAT, 1, 5, NUMBER("the map's width", "1 to 65536") "'0'"},
        {"1 m 65537 5 1 2 6 4 5\n", WEND_BAD_FORMAT, 1, 5, NUMBER("the map's width", "1 to 65536") "'65537'"},
        {"1 m 7 65537 1 2 6 4 5\n", WEND_BAD_FORMAT, 1, 7, NUMBER("the map's height", "1 to 65536") "'65537'"},
        {"1 m 7 5 7 2 6 4 5\n", WEND_BAD_FORMAT, 1, 9, NUMBER("the start's x", "0 to 6") "'7'"},
        {"1 m 7 5 1 5 6 4 5\n", WEND_BAD_FORMAT, 1, 11, NUMBER("the start's y", "0 to 4") "'5'"},
        {"1 m 7 5 1 2 7 4 5\n", WEND_BAD_FORMAT, 1, 13, NUMBER("the goal's x", "0 to 6") "'7'"},
        {"\n1 m 7 5 1 2 6 -4 5\n", WEND_BAD_FORMAT, 2, 15, NUMBER("the goal's y", "0 to 4") "'-4'"},
        {"1 m 7 5 1 2 6 4\n", WEND_BAD_FORMAT, 1, 16, LENGTH "the end of the line"},
        {"1 m 7 5 1 2 6 4 -1\n", WEND_BAD_FORMAT, 1, 17, LENGTH "'-1'"},
        {"1 m 7 5 1 2 6 4 inf\n", WEND_BAD_FORMAT, 1, 17, LENGTH "'inf'"},
        {"1 m 7 5 1 2 6 4 1e999\n", WEND_BAD_FORMAT, 1, 17, LENGTH "'1e999'"},
        {"1 m 7 5 1 2 6 4 5 6\n", WEND_BAD_FORMAT, 1, 19, "expected the end of the line, found '6'"},
        {"1\tm\t7\t5\t1\t2\t6\t4\n", WEND_BAD_FORMAT, 1, 16, LENGTH "the end of the line"},
    };
    for (size_t i = 0; i < COUNT_OF(bad); i++) expect_refused(&bad[i]);
}

Test(scen, limits_of_numbers_are_taken) {
    scenario scen = good("2147483647 m 65536 65536 65535 0 0 65535 1.7976931348623157e308\n", 1);
    const scenario_query *q = scen.queries;
    cr_expect(q->width == 65536 && q->start.x == 65535 && q->goal.y == 65535);
    scenario_free(&scen);
}

Test(scen, lengths_are_finite_decimals_from_zero_on) {
    static const struct {
        const char *text;
        double value;
    } right[] = {{"0", 0},         {"6.65685425", 6.65685425},
                 {"1e3", 1000},    {"1.5E-2", 0.015},
                 {".5", 0.5},      {"5.", 5},
                 {"1e+02", 100},   {"0.1", 0.1},
                 {"1e-999", 0},    {"00012.50", 12.5},
                 {"1e308", 1e308}, {"123456789012345678", 123456789012345678.0}};
    static const char *const wrong[] = {".",  "-1",  "+1", "1,5",   "nan",  "inf",   "0x10",
                                        "1e", "1e+", "e5", "1.2.3", "1e5.", "1e999", "1.5x"};
    char line[100];
    scenario scen;
    wend_file_error error;
    for (size_t i = 0; i < COUNT_OF(right); i++) {
        snprintf(line, sizeof line, "1 m 7 5 1 2 6 4 %s", right[i].text);
        scen = good(line, 1);
        cr_expect(scen.queries[0].length >= right[i].value && scen.queries[0].length <= right[i].value, "%s", line);
        scenario_free(&scen);
    }
    for (size_t i = 0; i < COUNT_OF(wrong); i++) {
        snprintf(line, sizeof line, "1 m 7 5 1 2 6 4 %s", wrong[i]);
        cr_expect_eq(parse(line, strlen(line), &scen, &error), WEND_BAD_FORMAT, "%s", line);
    }
}

/* ---- voxels ---- */

static void expect_voxel_query(const scenario_query *q, double length) {
    cr_expect(q->width == 0 && q->height == 0 && q->depth == 0);
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
        scenario scen = good(same[i], 2);
        expect_voxel_query(&scen.queries[0], 7.5);
        expect_voxel_query(&scen.queries[1], 0);
        scenario_free(&scen);
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
    for (size_t i = 0; i < COUNT_OF(bad); i++) expect_refused(&bad[i]);
}

/* ---- any bytes ---- */

static const char flat_file[] = "version 1\n3\ta b\t7\t5\t1\t2\t6\t4\t5.8\r\n0 c 7 5 1 2 6 4 0\n";
static const char voxel_file[] = "version 1\na b.3dmap\r\n1 2 3 4 5 6 5.25 1.2\n1 2 3 4 5 6 0 1.2\n";

static bool is_good(const char *bytes, size_t size) {
    scenario out;
    wend_file_error error;
    const wend_error code = parse(bytes, size, &out, &error);
    if (!code) {
        scenario_free(&out);
        return true;
    }
    cr_assert(code == WEND_BAD_FORMAT || code == WEND_UNSUPPORTED, "%d", (int)code);
    cr_assert(error.line >= 1 && error.column >= 1 && error.text[0]);
    for (const char *at = error.text; *at; at++) cr_assert(*at >= 0x20 && *at < 0x7F, "not printable");
    return false;
}

static size_t good_cuts(const char *bytes, size_t size) {
    size_t good = 0;
    for (size_t i = 0; i <= size; i++) good += is_good(bytes, i);
    return good;
}

Test(scen, every_truncation_is_good_or_a_clear_error) {
    /* a version alone; the first query from one digit of its length on; the second */
    cr_expect_eq(good_cuts(flat_file, sizeof flat_file - 1), 2 + 5 + 2);
    /* a version alone; the map; the first query from one digit of its ratio on; the second */
    cr_expect_eq(good_cuts(voxel_file, sizeof voxel_file - 1), 2 + 3 + 4 + 4);
}

static void change_every_byte(const char *bytes, size_t size) {
    char *copy = malloc(size);
    size_t good = 0;
    memcpy(copy, bytes, size);
    for (size_t i = 0; i < size; i++) {
        for (int byte = 0; byte < 256; byte++) {
            copy[i] = (char)byte;
            good += is_good(copy, size);
        }
        copy[i] = bytes[i];
    }
    free(copy);
    cr_expect_gt(good, size, "each byte as it was is good, and some others are");
    cr_expect_lt(good, 256 * size / 2, "most are found out");
}

Test(scen, every_changed_byte_is_good_or_a_clear_error) {
    change_every_byte(flat_file, sizeof flat_file - 1);
    change_every_byte(voxel_file, sizeof voxel_file - 1);
}
