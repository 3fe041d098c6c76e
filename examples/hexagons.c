/* SPDX-License-Identifier: MIT */
/* Hexagons: offset coordinates, and cells in a game's world. Copy what you need.
 *
 * A flat grid with neighbours = 6 has hexagons in axial coordinates. From a cell x, y steps lead to x ± 1, y; x, y ± 1;
 * x + 1, y − 1 and x − 1, y + 1. Editors count columns and rows instead, in which every second row or column is shifted
 * by half a hexagon: offset coordinates. A rectangle of W × H of those becomes a map of W + H / 2 columns (or H + W / 2
 * rows) with blocked corners. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <wend/wend.h>

enum { COLUMNS = 9, ROWS = 7, FIRST = ROWS / 2 }; /* FIRST keeps x at 0 and above */

/* Hexagons with a corner on top lie in rows, those with a flat top in columns. Odd or even ones are shifted. */
enum { POINTY_ODD, POINTY_EVEN, FLAT_ODD, FLAT_EVEN };

/* ---- offset coordinates ---- */

/* By how many half hexagons a row or column is shifted. Even ones shifted forwards are odd ones shifted back. */
static int shift_of(int layout, int line) {
    return layout & 1 ? -(line & 1) : line & 1;
}

static wend_cell from_offset(int layout, int column, int row, int first) {
    if (layout >= FLAT_ODD) return (wend_cell){column, row + (shift_of(layout, column) - column) / 2 + first, 0};
    return (wend_cell){column + (shift_of(layout, row) - row) / 2 + first, row, 0};
}

static void to_offset(int layout, wend_cell cell, int first, int *column, int *row) {
    const bool flat = layout >= FLAT_ODD;
    *column = flat ? cell.x : cell.x - first - (shift_of(layout, cell.y) - cell.y) / 2;
    *row = flat ? cell.y - first - (shift_of(layout, cell.x) - cell.x) / 2 : cell.y;
}

/* ---- the world ---- */

/* From a column to the next, and from a row to the next. Regular hexagons with side s: pointy 1.732 s and 1.5 s, flat
 * 1.5 s and 1.732 s. The centre of column 0, row 0 is at 0,0. */
typedef struct board {
    double column_width, row_height;
    int layout, first;
} board;

/* The centre of a cell. */
static void get_world(const board *b, wend_cell cell, double *x, double *y) {
    const bool flat = b->layout >= FLAT_ODD;
    const double across = cell.x - (flat ? 0 : b->first), along = cell.y - (flat ? b->first : 0);
    *x = (flat ? across : across + along / 2) * b->column_width;
    *y = (flat ? along + across / 2 : along) * b->row_height;
}

/* The cell of the hexagon that holds a point. The three axes of a hexagon add up to 0: each is rounded, and the one
 * farthest off then follows from the others. */
static wend_cell get_cell(const board *b, double x, double y) {
    const bool flat = b->layout >= FLAT_ODD;
    const double column = x / b->column_width, row = y / b->row_height;
    const double across = flat ? column : column - row / 2, along = flat ? row - column / 2 : row;
    double ax = round(across), ay = round(along);
    const double az = round(-across - along);
    const double off_x = fabs(ax - across), off_y = fabs(ay - along), off_z = fabs(az + across + along);
    if (off_x > off_y && off_x > off_z)
        ax = -ay - az;
    else if (off_y > off_z)
        ay = -ax - az;
    return (wend_cell){(int)ax + (flat ? 0 : b->first), (int)ay + (flat ? b->first : 0), 0};
}

static void check(wend_error error) {
    if (!error) return;
    fprintf(stderr, "hexagons: %s\n", wend_error_detail(error));
    exit(1);
}

/* A rectangle of open hexagons; the corners around it stay blocked. */
static wend_map *make_board(int layout) {
    wend_map *map;
    wend_edit *edit;
    wend_map_def def;
    wend_map_rules rules;
    wend_map_def_init(&def, sizeof def);
    wend_map_rules_init(&rules, sizeof rules);
    rules.neighbours = 6;
    def.width = COLUMNS + FIRST, def.height = ROWS, def.rules = &rules;
    check(wend_map_create(&def, &map));
    check(wend_edit_begin(map, &edit));
    const wend_box all = {{0, 0, 0}, {def.width - 1, def.height - 1, 0}};
    check(wend_edit_fill_box(edit, all, WEND_CLASS_BLOCKED));
    for (int row = 0; row < ROWS; row++)
        for (int column = 0; column < COLUMNS; column++)
            check(wend_edit_set_cell(edit, from_offset(layout, column, row, FIRST), WEND_CLASS_OPEN));
    check(wend_edit_publish(edit, NULL));
    return map;
}

int main(void) {
    const board b = {.column_width = 55.4, .row_height = 48, .layout = POINTY_ODD, .first = FIRST};
    wend_map *map = make_board(b.layout);
    wend_cell cells[COLUMNS * ROWS];
    wend_status status;
    size_t count;
    const wend_cell goal = get_cell(&b, 300, 280); /* where the player clicks */
    check(wend_find_path(map, from_offset(b.layout, 0, 0, FIRST), goal, cells, COLUMNS * ROWS, &count, &status));
    for (size_t i = 0; i < count; i++) {
        int column, row;
        double x, y;
        to_offset(b.layout, cells[i], FIRST, &column, &row);
        get_world(&b, cells[i], &x, &y);
        printf("column %d, row %d, its middle at %.1f,%.1f\n", column, row, x, y);
    }
    printf("%s: %d steps\n", wend_status_name(status), (int)count - 1);
    wend_map_release(map);
    return 0;
}
