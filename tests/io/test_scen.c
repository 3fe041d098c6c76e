/* SPDX-License-Identifier: MIT */
/* Scenarios: accepted files, the refusal of each mistake, and written files. */
#include "io/io_help.h"
#include "io/scenarios/scenario.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static wend_scen *good_scen(const char *text) {
    wend_scen *scen = NULL;
    wend_file_error error = {.struct_bytes = sizeof error};
    int32_t code = parse_scen(text, strlen(text), &scen, &error);
    cr_assert_eq(code, WEND_OK, "%s\n%d:%d: %s", text, (int)error.line, (int)error.column, error.text);
    return scen;
}

static void expect_query(const wend_scen_query *q, int32_t bucket, const char *map, double length) {
    cr_expect_eq(q->bucket, bucket);
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
        wend_scen *scen = good_scen(same[i]);
        size_t count = 0;
        const wend_scen_query *queries = wend_scen_get_queries(scen, &count);
        cr_assert_eq(count, 2, "%s", same[i]);
        expect_query(&queries[0], 3, "a/b.map", 5.82843);
        expect_query(&queries[1], 0, "c", 0);
        wend_scen_free(scen);
    }
    wend_scen_free(NULL);
}

Test(scen, names_may_hold_blanks_between_tabs) {
    wend_scen *scen =
        good_scen("1\t my maps/a  b.map \t7\t5\t1\t2\t6\t4\t5\n2\tx y\t7 5 1 2 6 4 5\n3\tx y\t7\t5\t1\t2\t6\t4\t5");
    size_t count = 0;
    const wend_scen_query *queries = wend_scen_get_queries(scen, &count);
    cr_assert_eq(count, 3);
    expect_query(&queries[0], 1, "my maps/a  b.map", 5);
    expect_query(&queries[1], 2, "x y", 5);
    expect_query(&queries[2], 3, "x y", 5);
    cr_expect_eq(queries[1].map, queries[2].map, "kept once");
    wend_scen_free(scen);
}

Test(scen, a_version_alone_is_an_empty_scenario) {
    wend_scen *scen = good_scen("version 1");
    size_t count = 9;
    wend_scen_get_queries(scen, &count);
    cr_expect_eq(count, 0);
    wend_scen_free(scen);
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
    for (size_t i = 0; i < COUNT_OF(bad); i++) expect_bad_scen(&bad[i]);
}

Test(scen, limits_of_numbers_are_taken) {
    wend_scen *scen = good_scen("2147483647 m 65536 65536 65535 0 0 65535 1.7976931348623157e308\n");
    size_t count = 0;
    const wend_scen_query *q = wend_scen_get_queries(scen, &count);
    cr_assert_eq(count, 1);
    cr_expect(q->bucket == INT32_MAX && q->width == 65536 && q->start.x == 65535 && q->goal.y == 65535);
    wend_scen_free(scen);
}

Test(scen, every_allocation_may_fail) {
    static const char text[] = "version 1\n1 a 7 5 1 2 6 4 5\n1 b 7 5 1 2 6 4 5\n1 a 7 5 1 2 6 4 5\n";
    size_t fail_at = 1;
    for (;; fail_at++) {
        counting counts = {.fail_from = fail_at};
        wend_scen *scen = NULL;
        wend_file_error error = {.struct_bytes = sizeof error};
        int32_t code = wend__scen_parse(text, sizeof text - 1, counting_allocator(&counts), &scen, &error);
        cr_assert(code == WEND_OK || (code == WEND_OUT_OF_MEMORY && !scen && error.text[0] && error.line == 0));
        wend_scen_free(scen);
        cr_assert_eq(counts.bytes, 0);
        if (!code) break;
    }
    cr_expect_eq(fail_at, 2 + 3 + 1, "one for itself, one for the queries, three for names");
}

Test(scen, takes_memory_in_proportion_to_the_file) {
    size_t size = 1000000;
    char *text = malloc(size);
    memset(text, '\n', size);
    memcpy(text, "version 1", 9);
    counting counts = {0};
    wend_scen *scen = NULL;
    cr_assert_eq(wend__scen_parse(text, size, counting_allocator(&counts), &scen, NULL), WEND_OK);
    cr_expect_leq(counts.peak, 4 * size);
    wend_scen_free(scen);
    free(text);
}

Test(scen, what_is_written_reads_back_the_same) {
    wend_scen_query queries[1000];
    uint32_t seed = 3;
    written out = {0};
    for (size_t i = 0; i < COUNT_OF(queries); i++) {
        static const char *const names[] = {"m", "maps/a b.map", "x#y", "\xC3\xA4.map"};
        int32_t width = 1 + (int32_t)(next_random(&seed) % WEND_MAX_SIDE),
                height = 1 + (int32_t)(next_random(&seed) % 9);
        queries[i] =
            (wend_scen_query){.bucket = (int32_t)next_random(&seed),
                              .width = width,
                              .height = height,
                              .depth = 1,
                              .start = {(int32_t)next_random(&seed) % width, (int32_t)next_random(&seed) % height, 0},
                              .goal = {width - 1, height - 1, 0},
                              .map = names[next_random(&seed) % 4],
                              .length = (double)next_random(&seed) / (1 + (double)next_random(&seed) / 7)};
    }
    cr_assert_eq(wend_scen_write(queries, COUNT_OF(queries), write_memory, &out), WEND_OK);
    wend_scen *scen = NULL;
    size_t count = 0;
    cr_assert_eq(parse_scen(out.bytes, out.size, &scen, NULL), WEND_OK);
    const wend_scen_query *back = wend_scen_get_queries(scen, &count);
    cr_assert_eq(count, COUNT_OF(queries));
    for (size_t i = 0; i < count; i++) {
        const wend_scen_query *a = &queries[i], *b = &back[i];
        cr_assert(a->bucket == b->bucket && a->width == b->width && a->height == b->height &&
                  strcmp(a->map, b->map) == 0);
        cr_assert(a->start.x == b->start.x && a->start.y == b->start.y && a->goal.x == b->goal.x &&
                  a->goal.y == b->goal.y);
        cr_assert(a->length >= b->length && a->length <= b->length, "%.17g", a->length);
    }
    cr_expect_gt(out.calls, 1, "more than a buffer");
    for (size_t fail_at = 1; fail_at <= out.calls; fail_at++) {
        written cut = {.fail_at = fail_at};
        cr_assert_eq(wend_scen_write(queries, count, write_memory, &cut), WEND_BUSY);
        cr_assert(cut.size < out.size && memcmp(cut.bytes ? cut.bytes : "", out.bytes, cut.size) == 0);
        free(cut.bytes);
    }
    wend_scen_free(scen);
    free(out.bytes);
}

Test(scen, writes_nothing_that_would_not_read_back) {
    const wend_scen_query good = {.bucket = 1,
                                  .width = 7,
                                  .height = 5,
                                  .depth = 1,
                                  .start = {1, 2, 0},
                                  .goal = {6, 4, 0},
                                  .map = "m",
                                  .length = 5.5};
    wend_scen_query bad[17];
    size_t n = 0;
    for (size_t i = 0; i < COUNT_OF(bad); i++) bad[i] = good;
    bad[n++].bucket = -1;
    bad[n++].width = 0;
    bad[n++].width = 65537;
    bad[n++].height = 65537;
    bad[n++].depth = 0;
    bad[n++].start.x = 7;
    bad[n++].start.y = -1;
    bad[n++].goal.x = -1;
    bad[n++].goal.y = 5;
    bad[n++].goal.z = 1;
    bad[n++].map = NULL;
    bad[n++].map = "";
    bad[n++].map = "a\tb";
    bad[n++].map = "a ";
    bad[n++].map = "a\n";
    bad[n++].length = -1;
    bad[n++].length = (double)NAN;
    cr_assert_eq(n, COUNT_OF(bad));
    written out = {0};
    for (size_t i = 0; i < n; i++) {
        wend_scen_query two[2] = {good, bad[i]};
        cr_expect_eq(wend_scen_write(two, 2, write_memory, &out), WEND_BAD_ARGUMENT, "%zu", i);
    }
    cr_expect_eq(wend_scen_write(&good, 1, NULL, NULL), WEND_BAD_ARGUMENT);
    cr_expect_eq(wend_scen_write(NULL, 1, write_memory, &out), WEND_BAD_ARGUMENT);
    cr_assert_eq(out.calls, 0);
    cr_assert_eq(wend_scen_write(&good, 1, write_memory, &out), WEND_OK);
    expect_written(&out, "version 1\n1\tm\t7\t5\t1\t2\t6\t4\t5.5\n");
    free(out.bytes);
}

Test(scen, a_file_that_cannot_be_read_says_why) {
    wend_scen *scen = NULL;
    wend_file_error error = {.struct_bytes = sizeof error};
    cr_assert_eq(wend_scen_load("/nowhere/at.all", &scen, &error), WEND_IO);
    cr_expect_str_eq(error.text, "cannot be opened: No such file or directory");
    cr_assert_eq(wend_scen_load("/", &scen, &error), WEND_IO);
    cr_expect_str_eq(error.text, "cannot be read: Is a directory");
    cr_assert_eq(wend_scen_load(NULL, &scen, &error), WEND_BAD_ARGUMENT);
    cr_assert_eq(wend_scen_parse("", 0, NULL, &error), WEND_BAD_ARGUMENT);
}
