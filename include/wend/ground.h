/* SPDX-License-Identifier: MIT */
/* Growing: settings may be added; triangles may give other cells. See docs/stability.md. */
/* libwend-ground: maps from triangles, or from heights, as a level editor or a game engine has them.
 *
 * The level is voxelised by Recast (Mononen, 2009). Places where an agent can stand become cells of a flat grid: the
 * ground is cut into sheets, parts without two floors above each other, which lie side by side in the map. Steps from
 * one sheet to another are seams (wend_sheet, WEND_LINK_SEAM). */
#ifndef WEND_GROUND_H
#define WEND_GROUND_H

#include <wend/wend.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct wend_ground wend_ground;

/// Most vertices and triangles of a level: 2^26. Most columns on a side of its grid: 16,384. Most levels: 8,190.
#define WEND_MAX_GROUND_TRIANGLES 67108864
#define WEND_MAX_GROUND_SIDE 16384
#define WEND_MAX_GROUND_LEVELS 8190
/// Most terrain classes that a level uses, most sheets of its ground, and most floors above each other.
#define WEND_MAX_GROUND_CLASSES 62
#define WEND_MAX_GROUND_SHEETS 64
#define WEND_MAX_GROUND_FLOORS 63

/// Returns the height of a corner of a terrain of heights, in metres.
typedef float wend_height_fn(void *context, int32_t x, int32_t y);

/// A level, and who walks on it. Lengths are metres, or whatever unit all of them have.
typedef struct wend_ground_def {
    uint32_t struct_bytes;
    float cell, level; ///< side of a cell, and height of a level: above 0. Defaults .3 and .2
    float radius;      ///< of the agent, 0 to 255 cells: its centre keeps this distance from walls. Default .6
    float height;      ///< room that the agent needs above the ground, above 0. Default 2
    float climb;       ///< highest step, 0 to 255 levels. Default .9
    float slope;       ///< steepest ground, in degrees, 0 to 89. Default 45
    bool y_up;         ///< true: y is up, as in glTF, Unity and Godot; false: z is up. Default true
    /// Links from a rim of the ground straight ahead: down to ground at most `drop` lower, one way, and across gaps at
    /// most `jump` wide, measured between places where the agent's centre can stand. 0: none. Defaults 0
    float drop, jump;
    const float *vertices; ///< x, y, z in sequence. All are read during the call
    size_t vertex_count;
    const uint32_t *triangles; ///< three vertices each, counter-clockwise seen from above
    size_t triangle_count;
    const uint8_t *classes;  ///< terrain class of each triangle, 0: never walkable; NULL: all WEND_CLASS_OPEN
    wend_height_fn *heights; ///< in place of triangles: heights of (columns + 1) × (rows + 1) corners; else NULL
    void *heights_context;
    int32_t columns, rows; ///< squares of `heights`, from (0, 0), each of `square` by `square`
    float square;          ///< above 0. Default 1
    const wend_map_def
        *map;     ///< rules (neighbours 8, corners NEVER), limits, acceleration; its size is filled in; NULL:
                  ///< the defaults
    bool changes; ///< true: the triangles are kept for wend_ground_set_triangles(), and each sheet is as large as the
                  ///< level. Default false
    int32_t spare_sheets; ///< with `changes`: empty sheets for floors set later, 0 to 63. Default 0
    float least[3],
        most[3]; ///< box that the ground is made in; what triangles have outside is cut off. Both (0, 0, 0):
                 ///< the box of the triangles, which is the default
} wend_ground_def;

/// Set the defaults.
/// @param bytes   sizeof *def
/// Threads: any. Cost: O(1).
WEND_API void wend_ground_def_init(wend_ground_def *def, size_t bytes);

/// Make a map of a level. The same level gives the same map, byte for byte, on each machine where Recast is built with
/// -ffp-contract=off. Compilers for aarch64 fuse multiplication and addition by default, and a few spans differ: let
/// one machine make the maps then.
/// @param out     receives the ground, for wend_ground_destroy()
/// @param map     receives the map, of which the caller holds a reference; it may outlive the ground
/// @param error   receives the reason on an error, with the number of the vertex or triangle; may be NULL
/// @return WEND_OK, WEND_BAD_ARGUMENT (a vertex that is no number, an index out of range, a parameter), WEND_EMPTY
///         (nowhere to stand), WEND_UNSUPPORTED (a limit above, rules), WEND_OUT_OF_MEMORY
/// Threads: any. Cost: O(triangles + columns + spans × sheets).
WEND_API wend_error wend_ground_create(const wend_ground_def *def, wend_ground **out, wend_map **map,
                                       wend_file_error *error);

/// Set triangles of a ground that changes: others in place of those from number `first` on, or more of them, or none.
/// Triangles are numbered as in the definition; those of heights two by two, row by row. Marks the tiles of 64 x 64
/// columns that old and new ones touch, for wend_ground_update().
/// @param first     0 to the count of triangles; those added at the end follow the last one
/// @param corners   x, y, z of three corners for each; NULL: they are taken away, and their numbers stay free
/// @param classes   terrain class of each, as in the definition; NULL: all WEND_CLASS_OPEN
/// @param error     receives the reason on an error, with the number of the triangle; may be NULL
/// @return WEND_OK, WEND_UNSUPPORTED (made without `changes`, or a limit above), WEND_OUT_OF_RANGE (`first`, or the end
///         of what is taken away), WEND_BAD_ARGUMENT (a corner that is no number), WEND_OUT_OF_MEMORY; on an error
///         nothing has changed
/// Threads: one, and no other call on the ground meanwhile. Cost: O(count × tiles touched × log of their triangles).
WEND_API wend_error wend_ground_set_triangles(wend_ground *ground, size_t first, size_t count, const float *corners,
                                              const uint8_t *classes, wend_file_error *error);

/// Make marked tiles again, and put what differs into an edit: cells, closed steps, links. A tile's new ground takes
/// cells of the sheets that are there. What the ground answers is new at once, the map when the edit is published.
/// An edit that is not published must be followed by wend_ground_undo().
/// @param edit    of the ground's map, with nothing else that touches its cells
/// @param tiles   most tiles
/// @param left    receives how many are still marked; may be NULL
/// @return WEND_OK, WEND_UNSUPPORTED (made without `changes`, or more than WEND_MAX_GROUND_FLOORS in a column of the
///         tile or of its neighbours within the radius), WEND_BUSY (no sheet has a free cell for a new floor: see
///         spare_sheets), WEND_OUT_OF_MEMORY; the tile that failed stays as it was and is marked, and the next call
///         begins with others. Where the edit cannot be published then, undo
/// Threads: one, and no other call on the ground meanwhile. Cost for each tile: O(its triangles, columns and spans).
WEND_API wend_error wend_ground_update(wend_ground *ground, wend_edit *edit, uint32_t tiles, uint32_t *left);

/// Undo the updates since the map's newest version, and mark their tiles again: at once after an edit was discarded or
/// could not be published.
/// Threads: one, and no other call on the ground meanwhile. Cost: O(columns and spans of the tiles).
WEND_API void wend_ground_undo(wend_ground *ground);

/// Get the cell on the ground nearest to a point.
/// @param within   farthest distance from the point, in the level's unit, 0 or more
/// @return WEND_OK, WEND_BAD_ARGUMENT (not a number), WEND_EMPTY (no ground within)
/// Threads: any. Cost: O((within / cell)^2).
WEND_API wend_error wend_ground_get_cell(const wend_ground *ground, const float at[3], float within, wend_cell *out);

/// Get the point on the ground in the middle of a cell. Its height is right within half a level.
/// @return WEND_OK, WEND_OUT_OF_RANGE (off the map), WEND_EMPTY (the cell is not ground)
/// Threads: any. Cost: O(sheets).
WEND_API wend_error wend_ground_get_world(const wend_ground *ground, wend_cell cell, float out[3]);

/// A description of a ground.
typedef struct wend_ground_info {
    uint32_t struct_bytes;
    int32_t columns, rows; ///< of the grid over the level
    uint32_t spans;        ///< places where the agent can stand
    uint32_t sheets;
    uint32_t seams;     ///< steps from one sheet to another, each direction for itself
    uint32_t leaps;     ///< links for drops and jumps
    uint32_t triangles; ///< of a ground that changes, with those taken away; else 0
    uint32_t marked;    ///< tiles that wait for wend_ground_update()
} wend_ground_info;
/// @return WEND_OK, WEND_BAD_ARGUMENT (struct_bytes)
/// Threads: any. Cost: O(1).
WEND_API wend_error wend_ground_get_info(const wend_ground *ground, wend_ground_info *out);

/// Free the ground. The map lives on. NULL is ignored.
/// Threads: any. Cost: O(1).
WEND_API void wend_ground_destroy(wend_ground *ground);

#ifdef __cplusplus
}
#endif
#endif
