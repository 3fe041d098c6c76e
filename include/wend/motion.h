/* SPDX-License-Identifier: MIT */
/* Motion along a path: walking it at a speed. geometry.h pulls it straight and rounds its corners.
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
    wend_point point;    ///< where it is; on the way, on the straight line between both cells; over a rim that wraps or
                         ///< a seam, half a step beyond the first cell and half a step to the other
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

#ifdef __cplusplus
}
#endif
#endif
