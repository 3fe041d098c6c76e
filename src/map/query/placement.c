/* SPDX-License-Identifier: MIT */
/* World coordinates of cells, and cells of world coordinates. */
#include <wend/query.h>

#include <float.h>
#include <stdbool.h>

static bool is_size(double size) {
    return size > 0 && size <= DBL_MAX;
}

static bool is_valid(const wend_placement *p) {
    const bool flags = (p->y_up == 0 || p->y_up == 1) && (p->isometric == 0 || p->isometric == 1);
    return flags && is_size(p->cell_width) && is_size(p->cell_height);
}

wend_error wend_placement_get_world(const wend_placement *placement, wend_cell cell, double *x, double *y) {
    if (!is_valid(placement)) return WEND_BAD_ARGUMENT;
    const double column = cell.x + 0.5, row = cell.y + 0.5;
    double right = column * placement->cell_width, down = row * placement->cell_height;
    if (placement->isometric) {
        right = (column - row) * placement->cell_width / 2;
        down = (column + row) * placement->cell_height / 2;
    }
    if (x) *x = placement->origin_x + right;
    if (y) *y = placement->y_up ? placement->origin_y - down : placement->origin_y + down;
    return WEND_OK;
}

/* Rounds down. False: NaN, or outside int32_t. */
static bool round_down(double value, int32_t *out) {
    if (!(value >= INT32_MIN && value < (double)INT32_MAX + 1)) return false;
    const int64_t whole = (int64_t)value;
    *out = (int32_t)(whole - (value < (double)whole));
    return true;
}

wend_error wend_placement_get_cell(const wend_placement *placement, double x, double y, wend_cell *out) {
    if (!is_valid(placement)) return WEND_BAD_ARGUMENT;
    const double down = placement->y_up ? placement->origin_y - y : y - placement->origin_y;
    double column = (x - placement->origin_x) / placement->cell_width, row = down / placement->cell_height;
    if (placement->isometric) {
        const double across = column;
        column = row + across;
        row = row - across;
    }
    wend_cell cell = {0, 0, 0};
    if (!round_down(column, &cell.x) || !round_down(row, &cell.y)) return WEND_OUT_OF_RANGE;
    if (out) *out = cell;
    return WEND_OK;
}
