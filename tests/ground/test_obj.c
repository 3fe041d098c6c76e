/* SPDX-License-Identifier: MIT */
/* Wavefront .obj files: accepted files, refused files with the place of the mistake, and how faces are cut. */
#include "limits/limits.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ground/program/obj.h"
#include "ground/program/polygon.h"
#include <wend/ground.h>

static level_file level;
static wend_file_error where;

static wend_error parse_within(const char *text, size_t size, const obj_limits *limits) {
    level_free(&level);
    memset(&where, 0, sizeof where);
    where.struct_bytes = sizeof where;
    char *bytes = malloc(size + 1); /* exactly as long, for AddressSanitizer */
    memcpy(bytes, text, size);
    bytes = realloc(bytes, size ? size : 1);
    const wend_error error = obj_parse(bytes, size, limits, &level, &where);
    free(bytes);
    return error;
}

static wend_error parse(const char *text) {
    return parse_within(text, strlen(text), &obj_default_limits);
}

static void expect_vertex(size_t at, double x, double y, double z) {
    cr_assert_lt(at, level.vertex_count);
    const float *v = &level.vertices[3 * at];
    cr_expect(v[0] == (float)x && v[1] == (float)y && v[2] == (float)z, "vertex %zu is %g %g %g", at, (double)v[0],
              (double)v[1], (double)v[2]);
}

/* The triangles as digits, from 1: "123 134". */
static void expect_triangles(const char *wanted) {
    char text[200] = "";
    size_t used = 0;
    for (size_t i = 0; i < 3 * level.triangle_count && used < sizeof text - 3; i++) {
        if (i > 0 && i % 3 == 0) text[used++] = ' ';
        text[used++] = (char)('1' + level.triangles[i]);
    }
    text[used] = '\0';
    cr_expect_str_eq(text, wanted);
}

#define SQUARE "v 0 0 0\nv 0 0 1\nv 1 0 1\nv 1 0 0\n"

/* ---- accepted files ---- */

Test(obj, reads_numbers_in_every_form) {
    cr_assert_eq(parse("v 1e-3 +.5 -2.\nv 1E+2 -0 00012.50\n\tv\t7 8e0 .25e1\t \n"), WEND_OK, "%s", where.text);
    cr_assert_eq(level.vertex_count, 3);
    expect_vertex(0, 1e-3, .5, -2);
    expect_vertex(1, 100, 0, 12.5);
    expect_vertex(2, 7, 8, 2.5);
    cr_expect_eq(parse("v 3.4028234e38 1e-400 -3.4028234e38"), WEND_OK);
}

Test(obj, reads_weights_and_colours) {
    cr_assert_eq(parse("v 2 4 6 2\nv 1 2 3 .1 .2 .3\nv 4 5 6 1 1 1 1\n"), WEND_OK, "%s", where.text);
    expect_vertex(0, 1, 2, 3);
    expect_vertex(1, 1, 2, 3);
    expect_vertex(2, 4, 5, 6);
}

Test(obj, reads_corners_in_every_form) {
    cr_assert_eq(parse(SQUARE "f 1 2 3\nf 1/1 2/2 3/3\nf 1//1 2//1 3//-1\nf 1/1/1 2/-2/2 3/3/3\nf 1/ 2// 3/4/\n"),
                 WEND_OK, "%s", where.text);
    expect_triangles("123 123 123 123 123");
}

Test(obj, counts_back_from_the_line_and_ahead_in_the_file) {
    cr_assert_eq(parse("f 1 2 3\n" SQUARE "f -4 -3 -2\nv 9 9 9\nf -1 -2 -3\n"), WEND_OK, "%s", where.text);
    expect_triangles("123 123 543");
}

Test(obj, skips_comments_and_other_keywords) {
    cr_assert_eq(
        parse("# v 1\nmtllib a b\no x\ng\nvt 0\nvn x\nvp\nV 1\nF 1\nfo 1\ns off\nl 1 2\np 1\nusemtl \xFF\n\n" SQUARE
              "f 1 2 3 # 4 x\nf 1 2 3#4\n"),
        WEND_BAD_FORMAT);
    cr_expect_str_eq(where.text, "expected a corner: v, v/vt, v//vn or v/vt/vn, found '3#4'");
    cr_assert_eq(parse("# v 1\nvt 0\nvn x\n" SQUARE "f 1 2 3 # 4 x\n#f 1"), WEND_OK, "%s", where.text);
    expect_triangles("123");
}

Test(obj, joins_lines_after_a_backslash) {
    cr_assert_eq(
        parse("v 0 0 \\\n0\nv 0 \\\r\n\\\n 0 1\r\nv 1\\\n0 1\n# here, too \\\nv x\nvt \\\r\nv x\nf 1 2 \\\n3\\"),
        WEND_BAD_FORMAT);
    cr_expect_str_eq(where.text, "expected a corner: v, v/vt, v//vn or v/vt/vn, found '3\\x5c'");
    cr_expect(where.line == 13 && where.column == 1, "%d:%d", where.line, where.column);
    cr_assert_eq(
        parse("v 0 0 \\\n0\nv 0 \\\r\n\\\n 0 1\r\nv 1\\\n0 1\n# here, too \\\nv x\nvt \\\r\nv x\nf 1 2 \\\n3\\\n"),
        WEND_OK, "%s", where.text);
    cr_expect_eq(level.vertex_count, 3);
    expect_vertex(2, 1, 0, 1);
    expect_triangles("123");
}

Test(obj, reads_crlf_and_a_byte_order_mark) {
    cr_assert_eq(parse("\xEF\xBB\xBFv 0 0 0\r\nv 0 0 1\r\nv 1 0 1\r\nf 1 2 3\r\n\r\n"), WEND_OK, "%s", where.text);
    expect_vertex(0, 0, 0, 0);
    expect_triangles("123");
}

Test(obj, reads_an_empty_file) {
    cr_expect_eq(parse_within("", 0, &obj_default_limits), WEND_OK);
    cr_expect_eq(parse("\\"), WEND_OK);
    cr_expect_eq(parse("\r"), WEND_OK);
    cr_expect(level.vertex_count == 0 && level.triangle_count == 0);
}

/* ---- refused files ---- */

Test(obj, refuses_with_line_and_column) {
    static const struct {
        const char *text, *wanted;
        int line, column;
    } rows[] = {
        {"v", "expected x, a number, found the end of the file", 1, 2},
        {"v 1 2\nv", "expected z, a number, found the end of the line", 1, 6},
        {"v 1 2 # 3\n", "expected z, a number, found the end of the line", 1, 7},
        {"\n\r\n  v  nan 0 0", "expected x, a number, found 'nan'", 3, 6},
        {"v 0 inf 0", "expected y, a number, found 'inf'", 1, 5},
        {"v 0 -Infinity 0", "expected y, a number, found '-Infinity'", 1, 5},
        {"v 0 1e39 0", "expected y, a number, found '1e39'", 1, 5},
        {"v 0 0x1 0", "expected y, a number, found '0x1'", 1, 5},
        {"v 0 . 0", "expected y, a number, found '.'", 1, 5},
        {"v 0 +-1 0", "expected y, a number, found '+-1'", 1, 5},
        {"v 0 1e 0", "expected y, a number, found '1e'", 1, 5},
        {"v 0 1,5 0", "expected y, a number, found '1,5'", 1, 5},
        {"v 0 0 \x01'\\\xFF", "expected z, a number, found '\\x01\\x27\\x5c\\xff'", 1, 7},
        {"v 0 0 aaaaaaaaaaaaaaaaaaaaaaaaaaaa", "expected z, a number, found 'aaaaaaaaaaaaaaaaaaaaaaaa'...", 1, 7},
        {"v 0 0 0 x", "expected a number or the end of the line, found 'x'", 1, 9},
        {"v 0 0 0 1 2", "expected a colour of three numbers, found the end of the file", 1, 12},
        {"v 1 2 3 4 5 6 7 8", "expected the end of the line, found '8'", 1, 17},
        {"v 0 0 1 0", "divided by its weight, x is no number", 1, 1},
        {"v 0 \\\n  x", "expected y, a number, found 'x'", 2, 3},
        {SQUARE "f", "expected a corner: v, v/vt, v//vn or v/vt/vn, found the end of the file", 5, 2},
        {SQUARE "f 1 2\n", "expected a corner: v, v/vt, v//vn or v/vt/vn, found the end of the line", 5, 6},
        {SQUARE "f 1 2 x", "expected a corner: v, v/vt, v//vn or v/vt/vn, found 'x'", 5, 7},
        {SQUARE "f 1 2 3/1/1/1", "expected a corner: v, v/vt, v//vn or v/vt/vn, found '3/1/1/1'", 5, 7},
        {SQUARE "f 1 2 +3", "expected a corner: v, v/vt, v//vn or v/vt/vn, found '+3'", 5, 7},
        {SQUARE "f 1 2 /3", "expected a corner: v, v/vt, v//vn or v/vt/vn, found '/3'", 5, 7},
        {SQUARE "f 1 2 3/x", "expected a corner: v, v/vt, v//vn or v/vt/vn, found '3/x'", 5, 7},
        {SQUARE "f 1 2 3.0", "expected a corner: v, v/vt, v//vn or v/vt/vn, found '3.0'", 5, 7},
        {SQUARE "f 1 0 3", "vertices count from 1", 5, 5},
        {SQUARE "f 1 2 5", "no such vertex: there are 4", 5, 7},
        {SQUARE "f 1 2 -5\nv 0 0 0", "no such vertex: there are 4 above", 5, 7},
        {SQUARE "f 1 2 4294967297", "no such vertex: there are 4", 5, 7},
        {SQUARE "f 1 2 18446744073709551617", "no such vertex: there are 4", 5, 7},
        {SQUARE "f 1 2 -9223372036854775808", "no such vertex: there are 4 above", 5, 7},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        cr_expect_eq(parse(rows[i].text), WEND_BAD_FORMAT, "%s", rows[i].text);
        cr_expect_str_eq(where.text, rows[i].wanted);
        cr_expect(where.line == rows[i].line && where.column == rows[i].column, "%s: %d:%d", rows[i].text, where.line,
                  where.column);
        cr_expect(!level.vertices && !level.triangles);
    }
    cr_expect_eq(obj_parse("v", 1, &obj_default_limits, &level, NULL), WEND_BAD_FORMAT);
}

/* ---- limits ---- */

static char many[65536];

static wend_error try_face(int64_t corners) {
    size_t used = (size_t)sprintf(many, SQUARE "f");
    for (int64_t i = 0; i < corners; i++) used += (size_t)sprintf(many + used, " %d", (int)(i % 4) + 1);
    const wend_error error = parse(many);
    cr_expect_eq(level.triangle_count, error ? 0 : (size_t)corners - 2);
    if (error) cr_expect_str_eq(where.text, "more than 1024 corners of a face");
    return error;
}

static wend_error try_number(int64_t bytes) {
    snprintf(many, sizeof many, "v 0 0 %0*d", (int)bytes, 1);
    return parse(many);
}

static const obj_limits small = {.vertices = 5, .triangles = 6};

static wend_error try_vertices(int64_t count) {
    size_t used = 0;
    for (int64_t i = 0; i < count; i++) used += (size_t)sprintf(many + used, "v 0 0 0\n");
    const wend_error error = parse_within(many, used, &small);
    if (error) cr_expect(where.line == 6 && where.column == 1 && !strcmp(where.text, "more than 5 vertices"));
    return error;
}

static wend_error try_triangles(int64_t count) {
    size_t used = (size_t)sprintf(many, SQUARE "f 1 2 3 4 1\nf");
    for (int64_t i = 0; i < count - 1; i++) used += (size_t)sprintf(many + used, " %d", (int)(i % 4) + 1);
    const wend_error error = parse_within(many, used, &small);
    if (error) cr_expect(where.line == 6 && where.column == 1 && !strcmp(where.text, "more than 6 triangles"));
    return error;
}

Test(obj, has_limits) {
    AT_MOST(LEVEL_MAX_CORNERS, WEND_UNSUPPORTED, try_face(value));
    AT_MOST(OBJ_MAX_NUMBER, WEND_BAD_FORMAT, try_number(value));
    AT_MOST(small.vertices, WEND_UNSUPPORTED, try_vertices(value));
    AT_MOST(small.triangles, WEND_UNSUPPORTED, try_triangles(value));
    cr_expect_eq(obj_default_limits.vertices, WEND_MAX_GROUND_TRIANGLES);
    cr_expect_eq(obj_default_limits.triangles, WEND_MAX_GROUND_TRIANGLES);
}

/* ---- faces ---- */

Test(obj, cuts_convex_faces_into_a_fan) {
    cr_assert_eq(parse(SQUARE "f 1 2 3 4\nf 4 3 2 1\nv -1 0 .5\nf 5 1 4 3 2\nf 2 3 4 1 5\n"), WEND_OK, "%s",
                 where.text);
    expect_triangles("123 134 432 421 514 543 532 234 241 215");
}

Test(obj, cuts_four_corners_from_the_concave_one) {
    const char *const faces[] = {"f 1 2 3 4", "f 2 3 4 1", "f 3 4 1 2", "f 4 1 2 3"};
    for (int i = 0; i < 4; i++) {
        snprintf(many, sizeof many, "v 0 0 0\nv 0 0 7\nv 2 0 2\nv 7 0 0\n%s\n", faces[i]);
        cr_assert_eq(parse(many), WEND_OK);
        expect_triangles("341 312");
    }
}

static double cross_of(const float *a, const float *b, const float *c) {
    return ((double)b[0] - a[0]) * ((double)c[2] - a[2]) - ((double)b[2] - a[2]) * ((double)c[0] - a[0]);
}

/* Checks that triangles of the polygon's orientation with its total area cover each point once. */
static void expect_covered(const float *vertices, uint32_t count) {
    static uint32_t corners[LEVEL_MAX_CORNERS], triangles[3 * LEVEL_MAX_CORNERS];
    double whole = 0, parts = 0, size = 0;
    for (uint32_t i = 0; i < count; i++) corners[i] = i;
    for (uint32_t i = 1; i + 1 < count; i++) whole += cross_of(vertices, &vertices[3 * i], &vertices[3 * i + 3]);
    polygon_cut(vertices, corners, count, triangles);
    for (uint32_t i = 0; i < count - 2; i++) {
        const uint32_t *t = &triangles[3 * i];
        const double area = cross_of(&vertices[3 * t[0]], &vertices[3 * t[1]], &vertices[3 * t[2]]);
        parts += area;
        size += fabs(area);
    }
    cr_expect_float_eq(parts, whole, 1e-6 * fabs(whole));
    cr_expect_float_eq(size, fabs(whole), 1e-6 * fabs(whole));
}

static float place[3 * LEVEL_MAX_CORNERS];

static void put_place(uint32_t at, double x, double z) {
    place[3 * at] = (float)x, place[3 * at + 1] = 4, place[3 * at + 2] = (float)z;
}

Test(obj, cuts_stars_spirals_and_combs) {
    for (uint32_t count = 5; count <= LEVEL_MAX_CORNERS; count = count < 20 ? count + 1 : 2 * count - 16) {
        for (int sense = -1; sense <= 1; sense += 2) {
            for (uint32_t i = 0; i < count; i++) {
                const double angle = sense * 6.283185307 * i / count, radius = i % 2 ? 3 + i * 31 % 17 : 20;
                put_place(i, radius * cos(angle), radius * sin(angle));
            }
            expect_covered(place, count);
        }
    }
    for (uint32_t i = 0; i < 512; i++) {
        const double angle = .1 * i, radius = 3 + .12 * i;
        put_place(i, (radius + 1) * cos(angle), (radius + 1) * sin(angle));
        put_place(1023 - i, (radius - .5) * cos(angle), (radius - .5) * sin(angle));
    }
    expect_covered(place, 1024);
    for (uint32_t i = 0; i < 1022; i++) put_place(i, i / 2, i % 4 == 1 || i % 4 == 2 ? 30 : 1);
    put_place(1022, 511, 0), put_place(1023, 0, 0);
    expect_covered(place, 1024);
}

/* A slit joins the rim and the hole, and its two corners come twice. */
Test(obj, cuts_faces_with_a_hole) {
    static const double at[][2] = {{0, 0}, {9, 0}, {9, 9}, {0, 9}, {0, 0}, {3, 3}, {3, 6}, {6, 6}, {6, 3}, {3, 3}};
    for (uint32_t i = 0; i < 10; i++) put_place(i, at[i][0], at[i][1]);
    expect_covered(place, 10);
}

/* Faces that are no simple polygons still give as many triangles, in a bounded time. */
Test(obj, cuts_anything, .timeout = 60) {
    static uint32_t corners[LEVEL_MAX_CORNERS], triangles[3 * LEVEL_MAX_CORNERS];
    uint32_t random = 1;
    for (int times = 0; times < 300; times++) {
        const uint32_t count = times < 20 ? LEVEL_MAX_CORNERS : 3 + (uint32_t)times % 60;
        for (uint32_t i = 0; i < count; i++) {
            corners[i] = i;
            for (uint32_t k = 0; k < 3; k++) {
                random = random * 1664525 + 1013904223;
                place[3 * i + k] = times % 3 ? (float)(random >> 28) : (float)(random >> 8) * 1e31F;
            }
        }
        memset(triangles, 0xFF, sizeof triangles);
        polygon_cut(place, corners, count, triangles);
        for (uint32_t i = 0; i < 3 * (count - 2); i++) cr_assert_lt(triangles[i], count);
        cr_assert_eq(triangles[3 * (count - 2)], UINT32_MAX);
    }
}
