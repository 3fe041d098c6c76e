/* SPDX-License-Identifier: MIT */
/* Growing: layouts of offset coordinates may be added. See docs/stability.md. */
/* Hexagons: offset coordinates, and cells in a host's world.
 *
 * A flat grid with neighbours = 6 has hexagons in axial coordinates. From a cell x, y steps lead to x ± 1, y; x, y ± 1;
 * x + 1, y − 1 and x − 1, y + 1. Editors count columns and rows instead, in which every second row or column is shifted
 * by half a hexagon: offset coordinates. A rectangle of W × H of those becomes a map of W + H / 2 columns (or H + W / 2
 * rows) with blocked corners. */
#ifndef WEND_HEX_H
#define WEND_HEX_H

#include <wend/base.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Hexagons with a corner on top lie in rows, those with a flat top in columns.
enum {
    WEND_HEX_POINTY_ODD = 0,  ///< odd-r: odd rows are shifted to the right
    WEND_HEX_POINTY_EVEN = 1, ///< even-r: even rows are shifted to the right
    WEND_HEX_FLAT_ODD = 2,    ///< odd-q: odd columns are shifted down
    WEND_HEX_FLAT_EVEN = 3    ///< even-q: even columns are shifted down
};

/// Convert offset coordinates to a cell, and back; z is 0.
/// @param layout        WEND_HEX_…
/// @param column, row   −2^28 to 2^28
/// @param first         added to x (pointy) or y (flat); rows / 2 or columns / 2 keep it at 0 and above
/// Threads: any. Cost: O(1).
WEND_API wend_cell wend_hex_from_offset(int32_t layout, int32_t column, int32_t row, int32_t first);
WEND_API void wend_hex_to_offset(int32_t layout, wend_cell cell, int32_t first, int32_t *column, int32_t *row);

/// Position and size of hexagons in a host's world. A plain struct, which never grows.
typedef struct wend_hex_placement {
    double origin_x, origin_y; ///< world coordinates of the centre of column 0, row 0
    /// From a column to the next, and from a row to the next, in world units, above 0. Of regular hexagons with side s:
    /// pointy 1.732 s and 1.5 s, flat 1.5 s and 1.732 s.
    double column_width, row_height;
    int32_t layout;   ///< WEND_HEX_…
    int32_t first;    ///< as in wend_hex_from_offset()
    bool y_up;        ///< false: a larger row has a larger world y; true: a smaller one
    int32_t reserved; ///< 0
} wend_hex_placement;

/// Get the world coordinates of a cell's centre; z is ignored.
/// @param x, y   receive the coordinates, in world units; may be NULL
/// @return WEND_OK, WEND_BAD_ARGUMENT (a size that is not above 0 or not finite, layout)
/// Threads: any. Cost: O(1).
WEND_API wend_error wend_hex_get_world(const wend_hex_placement *placement, wend_cell cell, double *x, double *y);

/// Get the cell of the hexagon that holds a point, on the map or not. Points are taken in thousandths of columns and
/// rows.
/// @param x, y   coordinates, in world units
/// @param out    receives the cell, z 0; untouched on error
/// @return WEND_OK, WEND_BAD_ARGUMENT (as wend_hex_get_world()), WEND_OUT_OF_RANGE (2^28 columns or rows away, or not
///         finite)
/// Threads: any. Cost: O(1).
WEND_API wend_error wend_hex_get_cell(const wend_hex_placement *placement, double x, double y, wend_cell *out);

#ifdef __cplusplus
}
#endif
#endif
