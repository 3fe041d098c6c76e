/* SPDX-License-Identifier: MIT */
/* Grid text: accepted texts, and the refusal of each mistake. */
#include "io/io_help.h"

#include <stdio.h>
#include <stdlib.h>
#include <wend/ways.h>

Test(grid_text, reads_the_tutorials_first_problem) {
    OWNED_MAP *map = NULL;
    wend_map_markers markers = {.struct_bytes = sizeof markers};
    wend_file_error error = {.struct_bytes = sizeof error};
    cr_assert_eq(wend_map_load(TEST_DATA "/problem1.txt", NULL, &map, &markers, &error), WEND_OK);
    expect_classes(map, 5, 5, "1111111011110011111111111");
    cr_expect_eq(markers.struct_bytes, sizeof markers);
    cr_expect_eq(markers.format, WEND_FORMAT_GRID_TEXT);
    cr_expect(markers.has_start && markers.start.x == 3 && markers.start.y == 1 && markers.start.z == 0);
    cr_expect(markers.has_goal && markers.goal.x == 0 && markers.goal.y == 3 && markers.goal.z == 0);
}

Test(grid_text, reads_every_way_of_writing_the_same) {
    static const char *const same[] = {
        "Rows 2\nColumns 3\n0 1 2\nA 9 B\n",
        "Columns 3\nRows 2\n0 1 2\nA 9 B",
        "Rows 2\r\nColumns 3\r\n0 1 2\r\nA 9 B\r\n",
        "\xEF\xBB\xBFRows 2\nColumns 3\n0 1 2\nA 9 B\n",
        "\xEF\xBB\xBF# by hand\r\n\r\n  Rows\t2 # of two\nColumns 3\n\n0  1\t2  #x\n# y\n\n\tA 9 B \n\n#z",
        "Rows 0002\nColumns 3\n0 1 2\nA 9 B\r",
    };
    for (size_t i = 0; i < COUNT_OF(same); i++) {
        wend_map_markers markers = {.struct_bytes = sizeof markers};
        OWNED_MAP *map = good_map(same[i], &markers);
        expect_classes(map, 3, 2, "102191");
        cr_expect(markers.has_start && markers.start.x == 0 && markers.start.y == 1, "%s", same[i]);
        cr_expect(markers.has_goal && markers.goal.x == 2 && markers.goal.y == 1, "%s", same[i]);
    }
}

Test(grid_text, knows_every_class) {
    wend_map_markers markers = {.struct_bytes = sizeof markers};
    OWNED_MAP *map = good_map("Rows 1\nColumns 10\n0 1 2 3 4 5 6 7 8 9\n", &markers);
    expect_classes(map, 10, 1, "1023456789");
    cr_expect_not(markers.has_start || markers.has_goal);
}

#define NUMBER(what) "expected the number of " what ", a whole number from 1 to 65536, found "

Test(grid_text, refuses_headers_that_are_wrong) {
    static const bad_file bad[] = {
        {"Rows\n", WEND_BAD_FORMAT, 1, 5, NUMBER("rows") "the end of the line"},
        {"Rows 0\n", WEND_BAD_FORMAT, 1, 6, NUMBER("rows") "'0'"},
        {"Rows -3\n", WEND_BAD_FORMAT, 1, 6, NUMBER("rows") "'-3'"},
        {"\nRows  2x\n", WEND_BAD_FORMAT, 2, 7, NUMBER("rows") "'2x'"},
        {"Columns 65537\n", WEND_BAD_FORMAT, 1, 9, NUMBER("columns") "'65537'"},
        {"Columns 4294967297\n", WEND_BAD_FORMAT, 1, 9, NUMBER("columns") "'4294967297'"},
        {"Layers 0\n", WEND_BAD_FORMAT, 1, 8, NUMBER("layers") "'0'"},
        {"Rows 1 2\n", WEND_BAD_FORMAT, 1, 8, "expected the end of the line, found '2'"},
        {"Rows 1\nRows 1\n", WEND_BAD_FORMAT, 2, 1, "a second 'Rows' line"},
        {"Rows 1\nColumns 1\n Columns 1\n", WEND_BAD_FORMAT, 3, 2, "a second 'Columns' line"},
        {"Layers 1\nLayers 1\n", WEND_BAD_FORMAT, 2, 1, "a second 'Layers' line"},
        {"Rows 1\n0\n", WEND_BAD_FORMAT, 2, 1, "expected a 'Columns' line before the first row, found '0'"},
        {"Columns 1\n0\n", WEND_BAD_FORMAT, 2, 1, "expected a 'Rows' line before the first row, found '0'"},
        {"Rows 1\n", WEND_BAD_FORMAT, 2, 1,
         "expected a 'Columns' line before the first row, found the end of the file"},
        {"Rows 1\nColumns 1", WEND_BAD_FORMAT, 2, 10, "expected row 1 of 1, found the end of the file"},
        {"Rows 1\nColumns 1\nrows 1\n0\n", WEND_BAD_FORMAT, 3, 1, "a second 'rows' line"},
        {"Rows 65536\nColumns 65536\n0 0\n", WEND_BAD_FORMAT, 3, 4, /* as many cells as a map may have */
         "expected cell 3 of 65536 in row 1, found the end of the line"},
        {"0 5\n0\n", WEND_BAD_FORMAT, 1, 1, NUMBER("rows") "'0'"},
        {"5 65537\n0\n", WEND_BAD_FORMAT, 1, 3, NUMBER("columns") "'65537'"},
        {"1 2\n3 4\n0 0\n", WEND_BAD_FORMAT, 3, 1, "expected the end of the file after 1 rows, found '0'"},
        {"1 3\n0,1\n", WEND_BAD_FORMAT, 2, 4, "expected cell 3 of 3 in row 1, found the end of the line"},
        {"1 3\n0,1,2,3\n", WEND_BAD_FORMAT, 2, 7, "expected the end of row 1 after 3 cells, found '3'"},
        {"1 3\n0120\n", WEND_BAD_FORMAT, 2, 1, "expected 0 to 9, A, B or a teleport such as t1, found '0120'"},
    };
    for (size_t i = 0; i < COUNT_OF(bad); i++) expect_bad_map(&bad[i]);
}

#define TWO_BY_TWO "Rows 2\nColumns 2\n"

Test(grid_text, refuses_rows_that_are_wrong) {
    static const bad_file bad[] = {
        {TWO_BY_TWO "0 0\n", WEND_BAD_FORMAT, 4, 1, "expected row 2 of 2, found the end of the file"},
        {TWO_BY_TWO "0 0\n\n#", WEND_BAD_FORMAT, 5, 2, "expected row 2 of 2, found the end of the file"},
        {TWO_BY_TWO "0\n0 0\n", WEND_BAD_FORMAT, 3, 2, "expected cell 2 of 2 in row 1, found the end of the line"},
        {TWO_BY_TWO "0 0\n0  # 0\n", WEND_BAD_FORMAT, 4, 4, "expected cell 2 of 2 in row 2, found the end of the line"},
        {TWO_BY_TWO "0 0 0\n0 0\n", WEND_BAD_FORMAT, 3, 5, "expected the end of row 1 after 2 cells, found '0'"},
        {TWO_BY_TWO "0 0\n0 0\n\n 1 1\n", WEND_BAD_FORMAT, 6, 2,
         "expected the end of the file after 2 rows, found '1'"},
        {TWO_BY_TWO "0 0\n0 0\nRows 2\n", WEND_BAD_FORMAT, 5, 1,
         "expected the end of the file after 2 rows, found 'Rows'"},
        {TWO_BY_TWO "0 0\nRows 2\n0 0\n", WEND_BAD_FORMAT, 4, 1, "'Rows' after the first row"},
        {TWO_BY_TWO "0 x\n0 0\n", WEND_BAD_FORMAT, 3, 3, "expected 0 to 9, A, B or a teleport such as t1, found 'x'"},
        {TWO_BY_TWO "0 00\n0 0\n", WEND_BAD_FORMAT, 3, 3, "expected 0 to 9, A, B or a teleport such as t1, found '00'"},
        {TWO_BY_TWO "0#0 0\n0 0\n", WEND_BAD_FORMAT, 3, 1,
         "expected 0 to 9, A, B or a teleport such as t1, found '0#0'"},
        {TWO_BY_TWO "0 \xC3\xA4\n0 0\n", WEND_BAD_FORMAT, 3, 3,
         "expected 0 to 9, A, B or a teleport such as t1, found '\\xc3\\xa4'"},
        {TWO_BY_TWO "a 0\n0 0\n", WEND_BAD_FORMAT, 3, 1, "expected 0 to 9, A, B or a teleport such as t1, found 'a'"},
        {TWO_BY_TWO "T1 0\n0 0\n", WEND_BAD_FORMAT, 3, 1, "expected 0 to 9, A, B or a teleport such as t1, found 'T1'"},
        {TWO_BY_TWO "t1x 0\n0 0\n", WEND_BAD_FORMAT, 3, 1,
         "expected 0 to 9, A, B or a teleport such as t1, found 't1x'"},
        {TWO_BY_TWO "0 A\n\nA 0\n", WEND_BAD_FORMAT, 5, 1, "a second 'A'; the first is at line 3, column 3"},
        {TWO_BY_TWO "0 B\nA B\n", WEND_BAD_FORMAT, 4, 3, "a second 'B'; the first is at line 3, column 3"},
    };
    for (size_t i = 0; i < COUNT_OF(bad); i++) expect_bad_map(&bad[i]);
}

Test(grid_text, takes_a_row_of_the_longest_side_and_none_longer) {
    for (int32_t side = WEND_MAX_SIDE; side <= WEND_MAX_SIDE + 1; side++) {
        for (int tall = 0; tall <= 1; tall++) {
            size_t room = 64 + 2 * (size_t)side;
            char *text = malloc(room);
            int used = snprintf(text, room, "Rows %d\nColumns %d\n", tall ? (int)side : 1, tall ? 1 : (int)side);
            for (int32_t i = 0; i < side; i++) text[used++] = '0', text[used++] = tall || i + 1 == side ? '\n' : ' ';
            wend_map *map = NULL;
            wend_map_info info = {.struct_bytes = sizeof info};
            int32_t code = parse_map(text, (size_t)used, NULL, &map, NULL, NULL);
            cr_assert_eq(code, side == WEND_MAX_SIDE ? WEND_OK : WEND_BAD_FORMAT);
            if (!code) wend_map_get_info(map, &info);
            cr_assert(code || (tall ? info.height : info.width) == WEND_MAX_SIDE);
            wend_map_release(map);
            free(text);
        }
    }
}

#define ASSUMED_SIZE "'2 3' read as 2 rows of 3 columns"
#define ASSUMED_LETTERS "rows without blanks: a letter a cell"

Test(grid_text, reads_it_as_people_write_it_and_says_what_it_assumed) {
    static const struct {
        const char *text, *assumed;
    } same[] = {
        {"rows 2\ncolumns 3\n0 1 2\nA 9 B\n", ""},
        {"ROWS 2\ncolumns 3\n0 1 2\nA 9 B\n", ""},
        {"2 3\n0 1 2\nA 9 B\n", ASSUMED_SIZE},
        {"# by hand\n\n 2\t3 # size\n0 1 2\nA 9 B\n", ASSUMED_SIZE},
        {"3 2\n0 1 2\nA 9 B\n", "'3 2' read as 2 rows of 3 columns"},
        {"Rows 2\nColumns 3\n012\nA9B", ASSUMED_LETTERS},
        {"Rows 2\nColumns 3\n012\nA 9 B", ASSUMED_LETTERS},
        {"3 2\n012\nA9B\n", "'3 2' read as 2 rows of 3 columns; " ASSUMED_LETTERS},
        {"Rows 2\nColumns 3\n0,1,2\nA, 9 ,B,\n", "commas between cells"},
        {"2 3\n0,1,2,\nA9B\n", ASSUMED_SIZE "; commas between cells; " ASSUMED_LETTERS},
        {"3 2\n0,1,2\nA 9 B\n", "'3 2' read as 2 rows of 3 columns; commas between cells"},
    };
    for (size_t i = 0; i < COUNT_OF(same); i++) {
        wend_map_markers markers = {.struct_bytes = sizeof markers};
        OWNED_MAP *map = good_map(same[i].text, &markers);
        expect_classes(map, 3, 2, "102191");
        cr_expect_str_eq(markers.assumed, same[i].assumed, "%s", same[i].text);
        cr_expect(markers.has_start && markers.start.x == 0 && markers.start.y == 1, "%s", same[i].text);
        cr_expect(markers.has_goal && markers.goal.x == 2 && markers.goal.y == 1, "%s", same[i].text);
    }
}

Test(grid_text, takes_teleports_between_commas) {
    OWNED_MAP *map = good_map("Rows 1\nColumns 4\nt1,1,1,t1\n", NULL);
    size_t count;
    wend_map_get_links(map, NULL, 0, &count);
    cr_expect_eq(count, 2);
}
