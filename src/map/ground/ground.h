/* SPDX-License-Identifier: MIT */
/* Internal: distances on the ground, which goes on over the rim of a map that wraps; and seams, the steps between
 * cells that lie apart in the map and side by side on the ground. */
#ifndef WEND_SRC_MAP_GROUND_GROUND_H
#define WEND_SRC_MAP_GROUND_GROUND_H

#include "map/links/sheet_table.h"
#include "map/links/links.h"
#include "map/store/directions.h"

/// Returns a difference along an axis, by the shorter way round. `around`: length of that way; 0: it does not wrap.
static inline int32_t wend__shorter_way(int32_t difference, int32_t around) {
    if (2 * difference > around && around) return difference - around;
    return 2 * difference < -around && around ? difference + around : difference;
}

/// Returns the place of a coordinate that may lie beyond the rim of an axis that wraps, by less than the axis is long.
static inline int32_t wend__wrapped(int32_t place, int32_t around) {
    if (place < 0) return place + around;
    return around && place >= around ? place - around : place;
}

static inline wend_cell wend__wrapped_cell(const wend__version *v, wend_cell cell) {
    return (wend_cell){wend__wrapped(cell.x, v->around_x), wend__wrapped(cell.y, v->around_y), cell.z};
}

static inline bool wend__wraps(const wend__version *v) {
    return v->around_x || v->around_y;
}

/// A distance along an axis, by the shorter way round.
WEND__INLINE uint32_t wend__way_round(uint32_t distance, int32_t around) {
    const uint32_t other = (uint32_t)around - distance; /* without wrapping 0, or more than any distance */
    return other < distance ? other : distance;
}

/// How far two ranges of an axis are apart.
static inline uint32_t wend__ranges_apart(int32_t low, int32_t high, int32_t other_low, int32_t other_high,
                                          int32_t around) {
    const int32_t apart = wend__most(other_low - high, low - other_high);
    if (apart <= 0) return 0;
    const int32_t round = around - (wend__most(high, other_high) - wend__least(low, other_low));
    return (uint32_t)(around ? wend__most(wend__least(apart, round), 0) : apart);
}

/// How far `b` lies from `a` on the ground, along each axis.
static inline wend_cell wend__ground_difference(const wend__version *v, wend_cell a, wend_cell b) {
    return (wend_cell){wend__shorter_way(b.x - a.x, v->around_x), wend__shorter_way(b.y - a.y, v->around_y), b.z - a.z};
}

/// The same, by the map.
static inline wend_cell wend__map_difference(const wend_map *map, wend_cell a, wend_cell b) {
    return (wend_cell){wend__shorter_way(b.x - a.x, map->wrap & WEND_WRAP_X ? map->width : 0),
                       wend__shorter_way(b.y - a.y, map->wrap & WEND_WRAP_Y ? map->height : 0), b.z - a.z};
}

/// Returns how far two cells lie apart on the ground: by the map, for callers without a version.
static inline wend_cell wend__map_apart(const wend_map *map, wend_cell a, wend_cell b) {
    const wend__sheets *sheets = map->sheets;
    if (WEND__LIKELY(!sheets)) return wend__map_difference(map, a, b);
    const wend__sheet_part *own = wend__sheets_part(sheets, a), *other = wend__sheets_part(sheets, b);
    return (wend_cell){b.x + other->x - a.x - own->x, b.y + other->y - a.y - own->y, b.z - a.z};
}

/// How far the place of `b` lies from that of `a`.
static inline wend_cell wend__place_difference(const wend__version *v, wend_cell a, wend_cell b) {
    return wend__ground_difference(v, wend__place_on_ground(v, a), wend__place_on_ground(v, b));
}

/// Returns whether a seam may lead from a cell to another: they are neighbours on the ground, and no straight step of
/// one sheet joins them.
static inline bool wend__may_be_seam(const wend__version *v, wend_cell a, wend_cell b) {
    const wend_cell d = wend__place_difference(v, a, b);
    if (d.x < -1 || d.x > 1 || d.y < -1 || d.y > 1 || (d.x == 0 && d.y == 0)) return false;
    return !wend__one_sheet(v, a, b) || (d.x && d.y);
}

/// Returns whether seams between sheets lead from a cell to another and back. Cost: O(log links).
static inline bool wend__is_seam_both_ways(const wend__version *v, wend_cell a, wend_cell b) {
    if (WEND__LIKELY(!v->sheets)) return false;
    const uint32_t from = wend__cell_number(v, a), to = wend__cell_number(v, b);
    return wend__links_cost(v->links, from, to) == WEND__SHEET_SEAM &&
           wend__links_cost(v->links, to, from) == WEND__SHEET_SEAM;
}

/// Returns whether two cells are neighbours over the rim.
static inline bool wend__is_seam(const wend__version *v, wend_cell a, wend_cell b) {
    const wend_cell d = wend__ground_difference(v, a, b);
    const bool near = d.x >= -1 && d.x <= 1 && d.y >= -1 && d.y <= 1;
    return near && (d.x != b.x - a.x || d.y != b.y - a.y);
}

/// Returns the cost of the step over a seam in a mover's view; 0: there is none, as an end is blocked or the corner
/// rule forbids it.
uint32_t wend__seam_cost(const wend__version *view, wend_cell from, wend_cell to);

/// Returns the steps out of a cell of a grid, a bit each, also over the rim and over seams.
/// @param ends   receives the cell in each direction: the end of a step, else the neighbour in the map
uint32_t wend__steps_round(const wend__version *view, wend_cell cell, wend_cell ends[WEND__DIRECTIONS]);

/// Finds the end of a step to a place next to a cell, on a map with sheets: in the map, or over a seam. With four
/// neighbours a diagonal leads where both ways round its corner meet.
/// @return false: there is no such step
bool wend__step_over(const wend__version *view, wend_cell from, int32_t dx, int32_t dy, wend_cell *to);

/// Finds the cell next to another one. On a map with sheets a step must lead there. @return false: none is there
static inline bool wend__find_beside(const wend__version *view, wend_cell from, int32_t dx, int32_t dy, wend_cell *to) {
    if (WEND__UNLIKELY(view->sheets != NULL)) return wend__step_over(view, from, dx, dy, to);
    *to = wend__wrapped_cell(view, (wend_cell){from.x + dx, from.y + dy, 0});
    return wend__on_map(view, to->x, to->y);
}

/// Finds the cell at which a diagonal step would turn, of two straight ones instead: along x first, or y first.
/// @return false: no such steps lead there on a map with sheets
static inline bool wend__find_corner(const wend__version *view, wend_cell from, wend_cell to, bool y_first,
                                     wend_cell *corner) {
    if (WEND__LIKELY(!view->sheets)) {
        *corner = y_first ? (wend_cell){from.x, to.y, 0} : (wend_cell){to.x, from.y, 0};
        return true;
    }
    const wend_cell way = wend__place_difference(view, from, to);
    const wend_cell along_x = {way.x, 0, 0}, along_y = {0, way.y, 0};
    const wend_cell first = y_first ? along_y : along_x, second = y_first ? along_x : along_y;
    wend_cell end;
    return wend__step_over(view, from, first.x, first.y, corner) &&
           wend__step_over(view, *corner, second.x, second.y, &end) && end.x == to.x && end.y == to.y;
}

/// Returns whether a link is for a view's mover.
static inline bool wend__link_serves(const wend__version *view, const wend__link *link) {
    return WEND__LIKELY(link->movers == 0) || (link->movers & view->link_movers) != 0;
}

/// Returns the cost of a link now; 0: it is for other movers, or a seam that cannot be crossed.
static inline uint32_t wend__link_cost(const wend__version *view, const wend__link *link) {
    if (WEND__LIKELY(!wend__link_is_seam(link))) return wend__link_serves(view, link) ? link->cost : 0;
    return wend__seam_cost(view, wend__cell_of_number(view, link->from), wend__cell_of_number(view, link->to));
}

/// Returns whether a seam connects components: a diagonal step with a way round its corner adds nothing.
bool wend__seam_connects(const wend__version *view, wend_cell from, wend_cell to);

/// Calls `take` for each cell from which seams between sheets lead into a cell. Cost: O(links of its chunk).
typedef void wend__seam_taker(void *context, wend_cell from);
void wend__seams_into(const wend__version *v, wend_cell to, wend__seam_taker *take, void *context);

/// Makes the seams over the rim of a version that wraps; its set of links is empty. WEND_OK, WEND_OUT_OF_MEMORY.
wend_error wend__rim_seams(wend__version *version);

#endif
