/* SPDX-License-Identifier: MIT */
/* Growing: kinds of curves may be added; points of a line may move within its distance. See docs/stability.md. */
/* Geometry: lines pulled straight, and rounded corners.
 *
 * Lengths are in thousandths of a cell (_milli). These functions read the newest version of the map. They allocate
 * nothing. */
#ifndef WEND_GEOMETRY_H
#define WEND_GEOMETRY_H

#include <wend/map.h>

#ifdef __cplusplus
extern "C" {
#endif

/// A turn of a pulled line.
typedef struct wend_turn {
    wend_cell cell;
    uint32_t index; ///< the cell of the path that this turn stands for: cells[index] is `cell` itself, or near it where
                    ///< the line leaves the path. Never less than that of the turn before
    /// The turn's point, from the centre of `cell`: thousandths of a cell, -500 to 499. 0 unless a line keeps a
    /// distance.
    int32_t offset_x, offset_y;
} wend_turn;

/// Largest distance that a line can keep, in thousandths of a cell.
#define WEND_MAX_CLEARANCE 16000

typedef struct wend_pull_def {
    uint32_t struct_bytes;
    int32_t mover;         ///< WEND_MOVER_DEFAULT, or an added one
    bool units;            ///< no piece leads through a cell where units stand, but for those the mover covers at the
                           ///< start of the path
    bool search;           ///< with a radius, on even ground: also look for shorter ways on other sides of what blocks,
                           ///< 32 cells of the line at a time
    uint32_t radius_milli; ///< distance that the line keeps from all that blocks: thousandths of a cell, 0 to
                           ///< WEND_MAX_CLEARANCE. 0: it turns at centres of cells. More only on flat grids
} wend_pull_def;

/// Set the defaults: the default mover, no units, no search, no distance.
/// @param bytes   sizeof *def
/// Threads: any. Cost: O(1).
WEND_API void wend_pull_def_init(wend_pull_def *def, size_t bytes);

/// Pull a path straight: find the turns of a shorter line with any angles. The mover can walk each of its pieces, as
/// wend_map_line_of_sight() has it. Links are kept, with a turn at both ends.
///
/// - Cost: a part of a line costs its length × the factor of the cell that it is in, and so does a step from centre to
///   centre. By that the line never costs more than the path. A step that the map does not allow is kept as it is.
/// - No turn is left that could be dropped: the line past it is blocked, or more expensive. A path that goes back along
///   itself may keep some.
/// - With a radius the line is that of a disc: no point of it is nearer to a blocked cell, to a step that is closed in
///   either direction, or to the rim of the map. With `units` occupied cells block, too.
/// - Where the path itself is narrower the line keeps half the mover's size, or stays on the path;
///   wend_line_clearance() computes the least distance.
/// - Round corners the line of a disc has a turn for each 11.25 degrees.
/// - The centre of a larger mover's disc is that of its cells, so it lies (size − 1) / 2 cells right and down of each
///   point; its corners may cut corners.
/// @param def      NULL: the defaults
/// @param cells    the path: from each cell a step or link to the next
/// @param turns    receives the first `capacity` turns, both ends of the path included; NULL with capacity 0
/// @param count    receives the number of turns, also when that is more than capacity; without a radius at most the
///                 number of cells
/// @return WEND_OK, WEND_BAD_ARGUMENT (no cells, no such mover), WEND_OUT_OF_RANGE (a cell),
///         WEND_UNSUPPORTED (a graph, hexagons; a radius on voxels)
/// Threads: any; with `units` as wend_map_occupy(). Cost: O(cells + turns × length of a piece); with a radius
/// O(cells + area between the path and the line); with `search` up to 256 lines of sight a cell; 20 KiB of stack.
WEND_API wend_error wend_path_pull(const wend_map *map, const wend_pull_def *def, const wend_cell *cells,
                                   size_t cell_count, wend_turn *turns, size_t capacity, size_t *count);

/// Compute the least distance of a line from all that blocks, as wend_path_pull() with a radius has it. Pieces between
/// two cells that a link connects do not count.
/// @param points   of the line: the points of turns, or as wend_path_round() returned them
/// @param out      receives the distance in thousandths of a cell, rounded down; 0: a piece touches what blocks
/// @return WEND_OK, WEND_BAD_ARGUMENT (no points, no such mover), WEND_OUT_OF_RANGE (a point off the map),
///         WEND_UNSUPPORTED (no flat grid)
/// Threads: any. Cost: O(length of the line × distance).
WEND_API wend_error wend_line_clearance(const wend_map *map, int32_t mover, const wend_point *points, size_t count,
                                        uint32_t *out);

/// Test many lines as wend_map_line_of_sight() does, all on one version of the map, in less time for each.
/// @param from, to  the cells at both ends of each line
/// @param count     of lines, at least 1
/// @param visible   receives for each line whether the mover can walk it; may be NULL
/// @param last      receives the last cell reached on each line; may be NULL, and may be `to` or `from`
/// @return WEND_OK, WEND_OUT_OF_RANGE, WEND_BAD_ARGUMENT, WEND_UNSUPPORTED (a graph); on an error nothing is written
/// Threads: any. Cost: O(sum of distances).
WEND_API wend_error wend_map_see_many(const wend_map *map, int32_t mover, const wend_cell *from, const wend_cell *to,
                                      size_t count, bool *visible, wend_cell *last);

/// Test whether a mover can walk the straight line between two points, as wend_map_line_of_sight() has it between
/// centres of cells. A line that runs along the border of two cells is refused.
/// @param mover     WEND_MOVER_DEFAULT, or an added one
/// @param visible   receives whether it can; false also where a point is off the map
/// @return WEND_OK, WEND_BAD_ARGUMENT (no such mover), WEND_UNSUPPORTED (a graph)
/// Threads: any. Cost: O(distance).
WEND_API wend_error wend_point_line_of_sight(const wend_map *map, int32_t mover, wend_point from, wend_point to,
                                             bool *visible);

/// How a pulled line is rounded.
enum {
    WEND_ROUND_ARC = 0,   ///< each corner becomes an arc of a circle
    WEND_ROUND_SPLINE = 1 ///< a centripetal Catmull-Rom spline through all turns
};

/// Largest radius and spacing, in thousandths of a cell.
#define WEND_MAX_ROUND 1000000
/// Largest least radius of turning, in thousandths of a cell.
#define WEND_MAX_TURNING 64000

typedef struct wend_round_def {
    uint32_t struct_bytes;
    int32_t kind;  ///< WEND_ROUND_…
    int32_t mover; ///< WEND_MOVER_DEFAULT, or an added one
    uint32_t
        radius_milli; ///< ARC: thousandths of a cell, 0 to WEND_MAX_ROUND; smaller where lines are short. Default 1000
    uint32_t spacing_milli; ///< of samples, about, on curves: thousandths of a cell, 1 to WEND_MAX_ROUND. Default 250
    /// No curve is nearer to what blocks, as wend_path_pull() with a radius has it: thousandths of a cell, 0 to
    /// WEND_MAX_CLEARANCE. Default 0: curves only keep to where the mover can walk. More only on flat grids.
    uint32_t clearance_milli;
    /// ARC: the least radius of turning of a vehicle: thousandths of a cell, 0 to WEND_MAX_TURNING. Default 0: none.
    /// More only on flat grids.
    uint32_t turning_milli;
    /// The direction in which a vehicle begins, of any length up to WEND_MAX_ROUND along x and y. Default 0, 0: any.
    int32_t heading_x, heading_y;
} wend_round_def;

/// Set the defaults: arcs of one cell's radius, four samples a cell.
/// @param bytes   sizeof *def
/// Threads: any. Cost: O(1).
WEND_API void wend_round_def_init(wend_round_def *def, size_t bytes);

/// Round a pulled line: find points of a curve along it. The mover can walk the straight line from each point to the
/// next, links apart. Where a curve would clip a wall, an arc of half, a quarter, an eighth of the radius is tried;
/// then the line stays as it is. Units and slow terrain do not matter. The points are the same bytes on every machine.
///
/// With turning_milli the whole line becomes a curve that a vehicle can drive: arcs of that radius and straight pieces
/// that go on in their direction. It never turns on the spot, keeps clearance_milli everywhere, and swings out before
/// a corner where it has to. Where the room does not allow that, the answer is WEND_BLOCKED.
/// @param def      NULL: the defaults
/// @param turns    as wend_path_pull() returned them
/// @param points   receives the first `capacity` points, both ends included; NULL with capacity 0
/// @param count    receives the number of points, also when that is more than capacity
/// @return WEND_OK, WEND_BAD_ARGUMENT, WEND_OUT_OF_RANGE (a cell), WEND_UNSUPPORTED (a graph; turning_milli: a link,
///         or more than 500 turns), WEND_BLOCKED (no room for a vehicle; count is untouched)
/// Threads: any. Cost: O(length of the line + points); for a vehicle times the corners at which it swings out, and
/// 48 KiB of stack.
WEND_API wend_error wend_path_round(const wend_map *map, const wend_round_def *def, const wend_turn *turns,
                                    size_t turn_count, wend_point *points, size_t capacity, size_t *count);

/// Choose the point that an agent heads for. As soon as it is within a radius of one, the next takes over, if a
/// straight line leads there from where the agent is.
/// @param points         as wend_path_round() returned them
/// @param at             where the agent is
/// @param radius_milli   thousandths of a cell
/// @param index          the point that it headed for; receives the one to head for now
/// @return WEND_OK, WEND_BAD_ARGUMENT (no points, index, no such mover), WEND_UNSUPPORTED (a graph)
/// Threads: any. Cost: O(points passed × distance).
WEND_API wend_error wend_waypoint_next(const wend_map *map, int32_t mover, const wend_point *points, size_t count,
                                       wend_point at, uint32_t radius_milli, size_t *index);

#ifdef __cplusplus
}
#endif
#endif
