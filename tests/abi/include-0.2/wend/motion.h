/* SPDX-License-Identifier: MIT */
/* Motion along a path: walking it at a speed, pulling it straight, rounding its corners.
 *
 * Lengths are in thousandths of a straight step (_milli). A step of cost c has the length 1000 × c / S, where S is the
 * map's cost of a straight step, 1000 on a graph. So slow terrain, links and diagonal steps take longer.
 * These functions read the newest version of the map. They allocate nothing. */
#ifndef WEND_MOTION_H
#define WEND_MOTION_H

#include <wend/map.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Largest coordinate of a point, and the smallest with a minus sign; about 2^30.
#define WEND_MAX_POINT 1073741000

/// A point, in thousandths of a cell: the centre of the cell x,y,z is 1000 x, 1000 y, 1000 z. On a graph it is the
/// node's coordinates × 1000. Where there are none, or they exceed WEND_MAX_POINT, it is the node's number × 1000 in x,
/// and INT32_MAX where that exceeds it.
typedef struct wend_point {
    int32_t x, y, z;
} wend_point;

/// Result of advancing a walk: X(name, number, text).
/// ON: it can go on. ARRIVED: it stands on the last cell of its path. PATH_ENDED: the same, and the path was marked as
/// partial. UNIT_AHEAD: units stand where its next step leads. BROKEN: the map does not allow its next step.
#define WEND_WALK_EVENTS(X)                                                                                            \
    X(ON, 0, "on")                                                                                                     \
    X(ARRIVED, 1, "arrived")                                                                                           \
    X(PATH_ENDED, 2, "path_ended")                                                                                     \
    X(UNIT_AHEAD, 3, "unit_ahead")                                                                                     \
    X(BROKEN, 4, "broken")

enum {
#define WEND_X(name, number, text) WEND_WALK_##name = number,
    WEND_WALK_EVENTS(WEND_X)
#undef WEND_X
};

enum {
    WEND_WALK_PARTIAL = 1u << 0, ///< the path ends short of its goal: its end is PATH_ENDED, not ARRIVED
    WEND_WALK_UNITS = 1u << 1    ///< begin no step onto occupied cells, those it covers already apart
};

/// A path being walked. A plain struct, which never grows; set by wend_walk_begin(). The caller may change speed_milli
/// and flags at any time.
///
/// The walk holds the cell cells[index]: it stands there, or is on its way there from `from`. A step that has begun is
/// finished, even if an edit closes it meanwhile.
typedef struct wend_walk {
    const wend_cell *cells; ///< the path; the caller keeps it until the walk ends, or is redirected
    uint32_t cell_count;
    uint32_t index;       ///< of the cell it holds
    wend_cell from;       ///< where its last step began; at the start of the path the cell itself
    int32_t mover;        ///< WEND_MOVER_DEFAULT, or an added one
    int64_t done;         ///< of the step under way, in millionths of a cost
    int64_t length;       ///< of that step: its cost × 1,000,000; 0: it stands
    uint32_t speed_milli; ///< thousandths of a straight step in a unit of time
    uint32_t flags;       ///< WEND_WALK_…
} wend_walk;

/// Begin to walk a path. The walk stands on its first cell.
/// @param cells   as a search returned them; not copied
/// @param mover   WEND_MOVER_DEFAULT, or an added one
/// @param speed_milli   thousandths of a straight step in a unit of time
/// @param flags   WEND_WALK_PARTIAL, WEND_WALK_UNITS
/// @param out     receives the walk
/// @return WEND_OK, WEND_BAD_ARGUMENT (no cells, no such mover, a flag), WEND_OUT_OF_RANGE (the first cell)
/// Threads: any. Cost: O(1).
WEND_API wend_error wend_walk_begin(const wend_map *map, const wend_cell *cells, size_t cell_count, int32_t mover,
                                    uint32_t speed_milli, uint32_t flags, wend_walk *out);

/// Give a walk another path, without a jump: a step under way goes on. The path must contain the cell that the walk
/// holds; cells before it are skipped. The old path is not used any more.
/// @param partial   1: it ends short of its goal; else 0
/// @return WEND_OK, WEND_BAD_ARGUMENT (no cells; it does not contain the cell held; partial)
/// Threads: any. Cost: O(cells before the one held).
WEND_API wend_error wend_walk_redirect(wend_walk *walk, const wend_cell *cells, size_t cell_count, int32_t partial);

/// Lead an agent from a path that it walks onto a newer one from the same start: as later prefixes of a search do, and
/// the path that it finds (see wend_search_get_prefix()). It leaves the way walked at its last cell that is on the
/// newer path. Where it costs less, it goes straight across to a later cell of that path instead: diagonally and then
/// along, or the other way round, up to 64 steps; not on a graph. Each step of this joint is legal on the newest
/// version; those of the newer path are not looked at. Units do not matter.
/// @param mover    WEND_MOVER_DEFAULT, or an added one
/// @param walked   the cells from the start to where the agent stands; all of them, or from any cell on that is on the
///                 newer path if that is cut there, too
/// @param path     the newer path
/// @param out      receives the first `capacity` cells from where the agent stands to the end of the newer path; NULL
///                 with capacity 0; not one of the others
/// @param count    receives the number of cells, also when that is more than capacity; may be NULL
/// @return WEND_OK, WEND_EMPTY (no such joint: a step back is not legal), WEND_OUT_OF_RANGE (a cell),
///         WEND_BAD_ARGUMENT (no cells, no such mover, other starts)
/// Threads: any. Cost: O(cells); up to 256 × path where the ways part early.
WEND_API wend_error wend_path_join(const wend_map *map, int32_t mover, const wend_cell *walked, size_t walked_count,
                                   const wend_cell *path, size_t path_count, wend_cell *out, size_t capacity,
                                   size_t *count);

/// Advance a walk by a distance. Each step is asked for on the newest version when it begins. Progress is exact: a path
/// of length L is walked after ceil(L / distance) calls. Where a step cannot begin, the rest of the distance is lost,
/// and the next call tries again.
/// @param distance_milli   thousandths of a straight step
/// @param event            receives what it stopped at: WEND_WALK_ON while there is way left; may be NULL
/// @return WEND_OK, WEND_BAD_ARGUMENT (no such mover)
/// Threads: any; with WEND_WALK_UNITS as wend_map_occupy(). Cost: O(steps begun).
WEND_API wend_error wend_walk_advance(const wend_map *map, wend_walk *walk, uint32_t distance_milli, int32_t *event);

/// Advance many walks on one map by their speeds. All of them see the same version.
/// @param elapsed_milli   thousandths of a unit of time
/// @param events          receives a WEND_WALK_… for each walk; may be NULL
/// @return WEND_OK, WEND_BAD_ARGUMENT (a walk's mover; no walk has moved)
/// Threads: as wend_walk_advance(). Cost: O(walks + steps begun).
WEND_API wend_error wend_walk_advance_many(const wend_map *map, wend_walk *walks, size_t count, uint32_t elapsed_milli,
                                           int32_t *events);

/// The position of a walk.
typedef struct wend_walk_place {
    uint32_t struct_bytes;
    uint32_t steps_left; ///< steps that have not begun
    wend_cell cell;      ///< the cell it holds
    wend_point point;    ///< where it is; on the way, on the straight line between both cells
    wend_point offset;   ///< from the centre of `cell` to `point`
    wend_cell facing;    ///< -1, 0 or 1 along each axis: along its last step; at the start along its first
} wend_walk_place;

/// Get the position of a walk. On a graph without coordinates it stays at its last node until the step ends, and has no
/// facing.
/// @param out   receives the position
/// @return WEND_OK, WEND_BAD_ARGUMENT (struct_bytes)
/// Threads: any. Cost: O(1).
WEND_API wend_error wend_walk_get_place(const wend_map *map, const wend_walk *walk, wend_walk_place *out);

/// Compute the length that a walk has left, on the newest version.
/// @param left_milli   receives the length, rounded up, as far as its steps are allowed
/// @param steps        receives how many of the steps that have not begun are allowed, one after another
/// @return WEND_OK, WEND_BAD_ARGUMENT (no such mover)
/// Threads: any. Cost: O(steps left).
WEND_API wend_error wend_walk_get_left(const wend_map *map, const wend_walk *walk, uint64_t *left_milli,
                                       uint32_t *steps);

/// Get the name of a walk's event.
/// @return "on", "arrived", …; "unknown" for another number
/// Threads: any. Cost: O(1).
WEND_API const char *wend_walk_event_name(int32_t event);

/// A turn of a pulled line.
typedef struct wend_turn {
    wend_cell cell;
    uint32_t index; ///< the cell of the path that this turn stands for: cells[index] is `cell` itself, or near it where
                    ///< the line leaves the path. Never less than that of the turn before
} wend_turn;

enum {
    WEND_PULL_UNITS = 1u << 0 ///< no piece leads through a cell where units stand, but for those the mover covers at
                              ///< the start of the path
};

typedef struct wend_pull_def {
    uint32_t struct_bytes;
    int32_t mover;  ///< WEND_MOVER_DEFAULT, or an added one
    uint32_t flags; ///< WEND_PULL_…
} wend_pull_def;

/// Set the defaults: the default mover, no flags.
/// @param bytes   sizeof *def
/// Threads: any. Cost: O(1).
WEND_API void wend_pull_def_init(wend_pull_def *def, size_t bytes);

/// Pull a path straight: find the turns of a shorter line with any angles. The mover can walk each of its pieces, as
/// wend_map_line_of_sight() has it. Links are kept, with a turn at both ends.
///
/// A part of a line costs its length × the factor of the cell that it is in, and so does a step from centre to centre.
/// By that the line is never dearer than the path. A step that the map does not allow is kept as it is.
/// @param def      NULL: the defaults
/// @param cells    the path: from each cell a step or link to the next
/// @param turns    receives the first `capacity` turns, both ends of the path included; NULL with capacity 0
/// @param count    receives the number of turns, at most the number of cells, also when that is more than capacity
/// @return WEND_OK, WEND_BAD_ARGUMENT (no cells, no such mover, a flag), WEND_OUT_OF_RANGE (a cell),
///         WEND_UNSUPPORTED (a graph)
/// Threads: any; with WEND_PULL_UNITS as wend_map_occupy(). Cost: O(cells + turns × length of a piece); 4 KiB of stack.
WEND_API wend_error wend_path_pull(const wend_map *map, const wend_pull_def *def, const wend_cell *cells,
                                   size_t cell_count, wend_turn *turns, size_t capacity, size_t *count);

/// Turn a pulled line back into cells: steps and links that the mover can take, along the line. They may cost more than
/// the path that was pulled. To go back to that path itself, follow its cells from a turn's index on.
/// @param turns    as wend_path_pull() returned them
/// @param out      receives the first `capacity` cells; NULL with capacity 0
/// @param count    receives the number of cells, also when that is more than capacity
/// @return WEND_OK, WEND_BAD_ARGUMENT (no turns, no such mover; between two turns there is no line of sight, no step
///         and no link), WEND_OUT_OF_RANGE (a cell), WEND_UNSUPPORTED (a graph)
/// Threads: any. Cost: O(cells).
WEND_API wend_error wend_path_unpull(const wend_map *map, int32_t mover, const wend_turn *turns, size_t turn_count,
                                     wend_cell *out, size_t capacity, size_t *count);

/// Test whether a mover can walk the straight line between two points, as wend_map_line_of_sight() has it between
/// centres of cells. A line that runs along the border of two cells is refused.
/// @param mover     WEND_MOVER_DEFAULT, or an added one
/// @param visible   receives 1 or 0; 0 also where a point is off the map
/// @return WEND_OK, WEND_BAD_ARGUMENT (no such mover), WEND_UNSUPPORTED (a graph)
/// Threads: any. Cost: O(distance).
WEND_API wend_error wend_point_line_of_sight(const wend_map *map, int32_t mover, wend_point from, wend_point to,
                                             int32_t *visible);

/// How a pulled line is rounded. ARC: each corner becomes an arc of a circle. SPLINE: a centripetal Catmull-Rom spline
/// through all turns.
enum { WEND_ROUND_ARC = 0, WEND_ROUND_SPLINE = 1 };

/// Largest radius and spacing, in thousandths of a cell.
#define WEND_MAX_ROUND 1000000

typedef struct wend_round_def {
    uint32_t struct_bytes;
    int32_t kind;  ///< WEND_ROUND_…
    int32_t mover; ///< WEND_MOVER_DEFAULT, or an added one
    uint32_t
        radius_milli; ///< ARC: thousandths of a cell, 0 to WEND_MAX_ROUND; smaller where lines are short. Default 1000
    uint32_t spacing_milli; ///< of samples, about, on curves: thousandths of a cell, 1 to WEND_MAX_ROUND. Default 250
} wend_round_def;

/// Set the defaults: arcs of one cell's radius, four samples a cell.
/// @param bytes   sizeof *def
/// Threads: any. Cost: O(1).
WEND_API void wend_round_def_init(wend_round_def *def, size_t bytes);

/// Round a pulled line: find points of a curve along it. The mover can walk the straight line from each point to the
/// next, links apart. Where a curve would clip a wall, an arc of half, a quarter, an eighth of the radius is tried;
/// then the line stays as it is. Units and slow terrain do not matter. The points are the same bytes on every machine.
/// @param def      NULL: the defaults
/// @param turns    as wend_path_pull() returned them
/// @param points   receives the first `capacity` points, both ends included; NULL with capacity 0
/// @param count    receives the number of points, also when that is more than capacity
/// @return WEND_OK, WEND_BAD_ARGUMENT, WEND_OUT_OF_RANGE (a cell), WEND_UNSUPPORTED (a graph)
/// Threads: any. Cost: O(length of the line + points).
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
