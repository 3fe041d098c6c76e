/* SPDX-License-Identifier: MIT */
/* Hexagons: offset coordinates, world coordinates of cells, and cells of world coordinates. */
#include "base/base.h"
#include <wend/hex.h>

#include <float.h>
#include <stdbool.h>

static bool is_flat(int32_t layout) {
    return layout >= WEND_HEX_FLAT_ODD;
}

/* By how many half hexagons a row or column is shifted. Even ones shifted forwards are odd ones shifted back. */
static int32_t shift_of(int32_t layout, int32_t line) {
    return layout & 1 ? -(line & 1) : line & 1;
}

wend_cell wend_hex_from_offset(int32_t layout, int32_t column, int32_t row, int32_t first) {
    if (is_flat(layout)) return (wend_cell){column, row + (shift_of(layout, column) - column) / 2 + first, 0};
    return (wend_cell){column + (shift_of(layout, row) - row) / 2 + first, row, 0};
}

void wend_hex_to_offset(int32_t layout, wend_cell cell, int32_t first, int32_t *column, int32_t *row) {
    const bool flat = is_flat(layout);
    if (column) *column = flat ? cell.x : cell.x - first - (shift_of(layout, cell.y) - cell.y) / 2;
    if (row) *row = flat ? cell.y - first - (shift_of(layout, cell.x) - cell.x) / 2 : cell.y;
}

static bool is_size(double size) {
    return size > 0 && size <= DBL_MAX;
}

static wend_error check(const wend_hex_placement *p) {
    wend_error error = wend__check_range("placement.layout", p->layout, WEND_HEX_POINTY_ODD, WEND_HEX_FLAT_EVEN);
    if (!error) error = wend__check_range("placement.reserved", p->reserved, 0, 0);
    if (error || (is_size(p->column_width) && is_size(p->row_height))) return error;
    return wend__refuse(WEND_BAD_ARGUMENT,
                        "placement.column_width and row_height are %g and %g, but must be above 0 and finite",
                        p->column_width, p->row_height);
}

wend_error wend_hex_get_world(const wend_hex_placement *placement, wend_cell cell, double *x, double *y) {
    const wend_error error = check(placement);
    if (error) return error;
    const bool flat = is_flat(placement->layout);
    const double across = (double)cell.x - (flat ? 0 : placement->first);
    const double along = (double)cell.y - (flat ? placement->first : 0);
    const double right = (flat ? across : across + along / 2) * placement->column_width;
    const double down = (flat ? along + across / 2 : along) * placement->row_height;
    if (x) *x = placement->origin_x + right;
    if (y) *y = placement->y_up ? placement->origin_y - down : placement->origin_y + down;
    return WEND_OK;
}

static int64_t nearest_whole(int64_t milli) {
    const int64_t whole = milli / 1000, rest = milli % 1000;
    return whole + (rest >= 500) - (rest < -500);
}

static int64_t distance(int64_t milli, int64_t whole) {
    const int64_t apart = milli - 1000 * whole;
    return apart < 0 ? -apart : apart;
}

/* The three axes of a hexagon add up to 0. Each is rounded; the one farthest off then follows from the others. */
static wend_cell round_axes(int64_t x, int64_t y) {
    const int64_t z = -x - y;
    int64_t column = nearest_whole(x), row = nearest_whole(y);
    const int64_t third = nearest_whole(z), off_x = distance(x, column), off_y = distance(y, row);
    const int64_t off_z = distance(z, third);
    if (off_x > off_y && off_x > off_z)
        column = -row - third;
    else if (off_y > off_z)
        row = -column - third;
    return (wend_cell){(int32_t)column, (int32_t)row, 0};
}

/* Thousandths, rounded to the nearest. False: NaN, or too far away. */
static bool to_milli(double value, int64_t *out) {
    const double most = 268435456;
    if (!(value >= -most && value <= most)) return false;
    *out = (int64_t)(value * 1000 + (value < 0 ? -.5 : .5));
    return true;
}

wend_error wend_hex_get_cell(const wend_hex_placement *placement, double x, double y, wend_cell *out) {
    const wend_error error = check(placement);
    if (error) return error;
    const bool flat = is_flat(placement->layout);
    const double down = placement->y_up ? placement->origin_y - y : y - placement->origin_y;
    const double column = (x - placement->origin_x) / placement->column_width, row = down / placement->row_height;
    int64_t across, along;
    if (!to_milli(flat ? column : column - row / 2, &across) || !to_milli(flat ? row - column / 2 : row, &along))
        return wend__refuse(WEND_OUT_OF_RANGE, "the point %g,%g is not finite, or too far away", x, y);
    wend_cell cell = round_axes(across, along);
    *(flat ? &cell.y : &cell.x) += placement->first;
    if (out) *out = cell;
    return WEND_OK;
}
