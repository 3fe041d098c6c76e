/* SPDX-License-Identifier: MIT */
/* MovingAI maps: reading, the error of each mistake, and errors for other formats. */
#include "io/io_help.h"

#include <string.h>
#include <wend/formats.h>

Test(movingai, reads_every_way_of_writing_the_same) {
    static const char *const same[] = {
        "type octile\nheight 2\nwidth 4\nmap\n.G@O\nTSW.\n",
        "type octile\nwidth 4\nheight 2\nmap\n.G@O\nTSW.",
        "type octile\r\nheight 2\r\nwidth 4\r\nmap\r\n.G@O\r\nTSW.\r\n",
        "\xEF\xBB\xBFtype octile\nheight 2\nwidth 4\nmap\n.G@O\nTSW.\n\n \t\r\n\n",
        "height 2\nwidth 4\n\n type  octile \nmap\n.G@O\nTSW.\n",
    };
    for (size_t i = 0; i < COUNT_OF(same); i++) {
        wend_map_markers markers = {.struct_bytes = sizeof markers};
        OWNED_MAP *map = good_map(same[i], &markers);
        expect_classes(map, 4, 2, "11000sw1");
        cr_expect_eq(markers.format, WEND_FORMAT_MOVINGAI);
        cr_expect_not(markers.has_start || markers.has_goal);
    }
}

#define SIZE(what) "expected the " what ", a whole number from 1 to 65536, found "
#define KEYS "expected type, height, width or map, found "

Test(movingai, refuses_headers_that_are_wrong) {
    static const bad_file bad[] = {
        {"type\n", WEND_BAD_FORMAT, 1, 5, "expected octile, found the end of the line"},
        {"type tile\n", WEND_BAD_FORMAT, 1, 6, "expected octile, found 'tile'"},
        {"type octile x\n", WEND_BAD_FORMAT, 1, 13, "expected the end of the line, found 'x'"},
        {"type octile\ntype octile\n", WEND_BAD_FORMAT, 2, 1, "a second 'type' line"},
        {"type octile\nheight 0\n", WEND_BAD_FORMAT, 2, 8, SIZE("height") "'0'"},
        {"type octile\nheight 65537\n", WEND_BAD_FORMAT, 2, 8, SIZE("height") "'65537'"},
        {"type octile\nwidth 2147483648\n", WEND_BAD_FORMAT, 2, 7, SIZE("width") "'2147483648'"},
        {"type octile\nwidth\n", WEND_BAD_FORMAT, 2, 6, SIZE("width") "the end of the line"},
        {"type octile\nwidth 3\nwidth 3\n", WEND_BAD_FORMAT, 3, 1, "a second 'width' line"},
        {"type octile\nheight 3\nheight 3\n", WEND_BAD_FORMAT, 3, 1, "a second 'height' line"},
        {"type octile\nwidth 3\nmap\n", WEND_BAD_FORMAT, 3, 1, "expected a 'height' line before 'map', found 'map'"},
        {"type octile\nheight 3\nmap\n", WEND_BAD_FORMAT, 3, 1, "expected a 'width' line before 'map', found 'map'"},
        {"type tile\nheight 1\nwidth 1\nmap\n.\n", WEND_BAD_FORMAT, 1, 6, "expected octile, found 'tile'"},
        {"type octile\nheight 1\nwidth 1\nmap x\n.\n", WEND_BAD_FORMAT, 4, 5,
         "expected the end of the line, found 'x'"},
        {"type octile\ndepth 1\n", WEND_BAD_FORMAT, 2, 1, KEYS "'depth'"},
        {"#\ntype octile\n", WEND_BAD_FORMAT, 1, 1, KEYS "'#'"},
        {"type octile\nheight 1\nwidth 1\n", WEND_BAD_FORMAT, 4, 1, KEYS "the end of the file"},
    };
    for (size_t i = 0; i < COUNT_OF(bad); i++) expect_bad_map(&bad[i]);
}

#define TWO_BY_TWO "type octile\nheight 2\nwidth 2\nmap\n"

Test(movingai, refuses_rows_that_are_wrong) {
    static const bad_file bad[] = {
        {TWO_BY_TWO, WEND_BAD_FORMAT, 5, 1, "expected row 1 of 2, found the end of the file"},
        {TWO_BY_TWO "..\n", WEND_BAD_FORMAT, 6, 1, "expected row 2 of 2, found the end of the file"},
        {TWO_BY_TWO "..\n.", WEND_BAD_FORMAT, 6, 2, "expected cell 2 of 2 in row 2, found the end of the line"},
        {TWO_BY_TWO ".\n..\n", WEND_BAD_FORMAT, 5, 2, "expected cell 2 of 2 in row 1, found the end of the line"},
        {TWO_BY_TWO "\n..\n..\n", WEND_BAD_FORMAT, 5, 1, "expected cell 1 of 2 in row 1, found the end of the line"},
        {TWO_BY_TWO "..\n..x\n", WEND_BAD_FORMAT, 6, 3, "expected the end of row 2 after 2 cells, found 'x'"},
        {TWO_BY_TWO ".. \n..\n", WEND_BAD_FORMAT, 5, 3, "expected the end of row 1 after 2 cells, found ' '"},
        {TWO_BY_TWO "..\n.x\n", WEND_BAD_FORMAT, 6, 2, "expected one of . G @ O T S W, found 'x'"},
        {TWO_BY_TWO "..\n.\x80\n", WEND_BAD_FORMAT, 6, 2, "expected one of . G @ O T S W, found '\\x80'"},
        {TWO_BY_TWO "..\r\r\n..\n", WEND_BAD_FORMAT, 5, 3, "expected the end of row 1 after 2 cells, found '\\x0d'"},
        {TWO_BY_TWO "..\n..\n\n ..\n", WEND_BAD_FORMAT, 8, 2, "expected the end of the file after 2 rows, found '..'"},
    };
    for (size_t i = 0; i < COUNT_OF(bad); i++) expect_bad_map(&bad[i]);
}

#define NO_MAP                                                                                                         \
    "not a map file: expected 'Rows', 'Columns', 'Layers' (grid text), 'type' (MovingAI), 'voxel' or 'p sp' "          \
    "(DIMACS), found "

Test(movingai, other_formats_are_told_apart_by_content) {
    static const bad_file bad[] = {
        {"", WEND_BAD_FORMAT, 1, 1, NO_MAP "the end of the file"},
        {"\n \n# nothing\n", WEND_BAD_FORMAT, 4, 1, NO_MAP "the end of the file"},
        {"\nhello\n", WEND_BAD_FORMAT, 2, 1, NO_MAP "'hello'"},
        {"\x89PNG\r\n", WEND_BAD_FORMAT, 1, 1, NO_MAP "'\\x89PNG'"},
        {"Rowsx 1\n", WEND_BAD_FORMAT, 1, 1, NO_MAP "'Rowsx'"},
        {"version 1\n", WEND_BAD_FORMAT, 1, 1, "not a map file: a scenario"},
        {"a b c\n", WEND_BAD_FORMAT, 1, 1, NO_MAP "'a'"},
        {"p cnf 3 4\n", WEND_BAD_FORMAT, 1, 1, NO_MAP "'p'"},
        {"c x\nhello\n", WEND_BAD_FORMAT, 1, 1, NO_MAP "'c'"},
        {"\n{ \"width\": 3 }\n", WEND_UNSUPPORTED, 2, 1, "Tiled maps are read by libwend-extra"},
        {"<?xml version='1.0'?>\n<map>", WEND_UNSUPPORTED, 1, 1, "Tiled maps are read by libwend-extra"},
    };
    for (size_t i = 0; i < COUNT_OF(bad); i++) {
        expect_bad_map(&bad[i]);
        cr_expect_eq(wend_format_detect(bad[i].bytes, strlen(bad[i].bytes)), WEND_FORMAT_UNKNOWN);
    }
    cr_expect_eq(wend_format_detect(NULL, 0), WEND_FORMAT_UNKNOWN);
    cr_expect_eq(wend_format_detect("#\nColumns 3", 11), WEND_FORMAT_GRID_TEXT);
    static const char *const dimacs[] = {"c roads\nc\np sp 3", "p sp 3 4\n", "p aux sp co 3\n", "a 1 2 3", "c only"};
    for (size_t i = 0; i < COUNT_OF(dimacs); i++)
        cr_expect_eq(wend_format_detect(dimacs[i], strlen(dimacs[i])), WEND_FORMAT_DIMACS, "%s", dimacs[i]);
    cr_expect_eq(wend_format_detect("\xEF\xBB\xBF\n voxel 5\r\n", 13), WEND_FORMAT_VOXEL);
    cr_expect_eq(wend_format_detect("Layers", 6), WEND_FORMAT_GRID_TEXT);
    cr_expect_eq(wend_format_detect("type octile", 11), WEND_FORMAT_MOVINGAI);
    cr_expect_eq(wend_format_detect("width", 5), WEND_FORMAT_MOVINGAI);
}

Test(movingai, needs_no_type_and_says_what_it_assumed) {
    wend_map_markers markers = {.struct_bytes = sizeof markers};
    OWNED_MAP *map = good_map("height 2\nwidth 3\nmap\n..@\n.T.\n", &markers);
    expect_classes(map, 3, 2, "110101");
    cr_expect_str_eq(markers.assumed, "no 'type' line: read as octile");
    OWNED_MAP *typed = good_map("type octile\nheight 1\nwidth 1\nmap\n.\n", &markers);
    expect_classes(typed, 1, 1, "1");
    cr_expect_str_eq(markers.assumed, "");
}
