/* SPDX-License-Identifier: MIT */
/* World coordinates of cells, and cells of world coordinates. */
#include "base/base.h"
#include <wend/geometry.h>

#include <float.h>
#include <stdbool.h>

static bool is_size(double size) {
    return size > 0 && size <= DBL_MAX;
}

static wend_error check(const wend_placement *p) {
    if (is_size(p->cell_width) && is_size(p->cell_height)) return WEND_OK;
    return wend__refuse(WEND_BAD_ARGUMENT,
                        "placement.cell_width and cell_height are %g and %g, but must be above 0 and finite",
                        p->cell_width, p->cell_height);
}

wend_error wend_placement_get_world(const wend_placement *placement, wend_cell cell, double *x, double *y) {
    wend_error error = check(placement);
    if (error) return error;
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
    wend_error error = check(placement);
    if (error) return error;
    const double down = placement->y_up ? placement->origin_y - y : y - placement->origin_y;
    double column = (x - placement->origin_x) / placement->cell_width, row = down / placement->cell_height;
    if (placement->isometric) {
        const double across = column;
        column = row + across;
        row = row - across;
    }
    wend_cell cell = {0, 0, 0};
    if (!round_down(column, &cell.x) || !round_down(row, &cell.y))
        return wend__refuse(WEND_OUT_OF_RANGE,
                            "the point %g,%g is not finite, or in a cell that an int32_t cannot name", x, y);
    if (out) *out = cell;
    return WEND_OK;
}
