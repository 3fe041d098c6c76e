/* SPDX-License-Identifier: MIT */
/* Internal: the engine's state, and the rules that share it. One file a rule. */
#ifndef WEND_SRC_AGENTS_DISCS_STATE_H
#define WEND_SRC_AGENTS_DISCS_STATE_H

#include "agents/discs/engine.h"
#include <wend/movers.h>

enum {
    WEND__BODY_NEAR = 12,                       ///< neighbours that a body sees
    WEND__BODY_FAR = 8 * WEND__BODY_ONE,        ///< distance within which these are searched
    WEND__BODY_FILLS = WEND__BODY_ONE * 9 / 20, ///< radius above which less than a twentieth of a cell is free
    WEND__BODY_THERE = WEND__BODY_ONE / 64,     ///< distance from a point at which a body has arrived
    WEND__BODY_BRAKES = 2,                      ///< near walls a body brakes by so many times what it gains
    WEND__BODY_SLOW = 8                         ///< with an eighth of its speed a body is slow
};

/// Thousandths of a unit of time; those without progress after which a disc counts as blocked.
enum { WEND__BODY_UNIT = 1000, WEND__BODY_BLOCKED = 2 * WEND__BODY_UNIT };

struct wend__bodies {
    wend__body_world world;
    wend_allocator allocator;
    uint32_t used; ///< indices from `used` on never had a body
    uint32_t count, vehicles;
    int32_t bin_columns, bin_rows; ///< number of bins of 2 x 2 cells along each axis
    uint32_t bin_mask;             ///< hash mask; 0: each bin has a place of its own
    wend__vec around;              ///< the map's sides along axes on which it wraps; or 0
    const wend__sheets *sheets;    ///< sheets of the map, or NULL
    wend__unfolded *sights;        ///< with sheets: WEND__UNFOLDED_KEPT entries, by hash of the cell; else NULL
    int32_t *bins;                 ///< first body of each bin, or −1
    wend__body *of;                ///< all bodies, by index
    wend__body_land floors[WEND_MAX_MOVERS];
    const wend__version *version;
    uint64_t fits_on; ///< serial of the version on which bodies were found in walls or out of them
    int32_t most_radius, most_offset;
    wend_cell in_way; ///< wend__bodies_in_way(), maybe beyond the rim
    int32_t posts;    ///< steps of bodies that were put on a place, counted down from 0: older than all others
    uint32_t elapsed; ///< time of the current update
};

/// A neighbour, as a body sees it.
typedef struct wend__near_body {
    wend__vec off, velocity; ///< from the body's centre
    int32_t radius;
    int32_t index;        ///< −1: no body
    int64_t apart;        ///< squared
    int64_t rank;         ///< unique; the nearer a neighbour is, the smaller; of equally near ones in the order met
    wend__vec from, goes; ///< without index: start of its step as the body sees it, and the step
    int32_t step;         ///< without index: number of the step
} wend__near_body;

typedef struct wend__near_bodies {
    uint32_t count;
    int32_t by; ///< way of the body, along each axis, up to which none is missing whose ground matters
    wend__near_body of[WEND__BODY_NEAR];
} wend__near_bodies;

static inline bool wend__body_is_going(const wend__body *body) {
    return body->state >= WEND__BODY_GOES;
}

/* ---- over_seams.c: over seams ---- */

/// Returns the view from a cell of the map; NULL: the map has no sheets, or no seam is near.
const wend__unfolded *wend__body_sight(const wend__bodies *bodies, wend_cell cell);
/// Returns how far a point of the map lies from another on the ground, on a map with sheets.
wend__vec wend__body_off_on_sheets(const wend__bodies *bodies, wend__vec from, wend__vec to);
/// Returns the steps from a cell to one next to it on its way, which a seam may lead to, on a map with sheets.
wend_cell wend__body_steps_on_sheets(const wend__bodies *bodies, wend_cell from, wend_cell to);
/// Moves a body that crossed a seam to its place on the map. Its stored points move with it.
/// @param sight   of the cell that it came from
void wend__body_go_over(wend__body *body, const wend__unfolded *sight);
/// Returns whether a body's disc reaches over a seam into a box of cells.
bool wend__bodies_reach_over(const wend__bodies *bodies, wend_cell low, wend_cell high);

/// Returns the floor of a mover as seen from a cell of the map. Movers larger than a cell see none over a seam.
static inline wend__body_land *wend__body_floor_from(wend__bodies *bodies, int32_t mover, wend_cell cell) {
    wend__body_land *floor = &bodies->floors[mover];
    if (WEND__UNLIKELY(bodies->sights != NULL)) floor->sight = floor->size == 1 ? wend__body_sight(bodies, cell) : NULL;
    return floor;
}

/// Returns a body's floor as it sees it.
static inline wend__body_land *wend__body_floor(wend__bodies *bodies, const wend__body *body) {
    return wend__body_floor_from(bodies, body->mover, wend__body_cell(body));
}

/// Returns how far a point is from another, over the rim where that is shorter. On a map with sheets both are points of
/// the map, and the distance is that of their places.
static inline wend__vec wend__body_off(const wend__bodies *bodies, wend__vec from, wend__vec to) {
    if (WEND__UNLIKELY(bodies->sheets != NULL)) return wend__body_off_on_sheets(bodies, from, to);
    return (wend__vec){wend__shorter_off(to.x - from.x, bodies->around.x),
                       wend__shorter_off(to.y - from.y, bodies->around.y)};
}

/// Returns a point as seen from another; the result may be beyond the rim.
static inline wend__vec wend__body_seen(const wend__bodies *bodies, wend__vec from, wend__vec point) {
    return wend__plus(from, wend__body_off(bodies, from, point));
}

/// Returns the cell of the map for one beyond the rim.
static inline wend_cell wend__body_on_map(const wend__bodies *bodies, wend_cell cell) {
    return (wend_cell){wend__wrapped(cell.x, wend__cell_along(bodies->around.x)),
                       wend__wrapped(cell.y, wend__cell_along(bodies->around.y)), 0};
}

/// Returns the cell of the map for a cell as a body sees it; a cell off the map if the body sees nothing there.
static inline wend_cell wend__body_cell_seen(wend__bodies *bodies, const wend__body *body, wend_cell cell) {
    if (WEND__LIKELY(!bodies->sheets)) return wend__body_on_map(bodies, cell);
    return wend__floor_cell(wend__body_floor(bodies, body), cell.x, cell.y);
}

/// Returns how many cells lie between two, over the rim where that is shorter.
static inline wend_cell wend__body_steps(const wend__bodies *bodies, wend_cell from, wend_cell to) {
    if (WEND__UNLIKELY(bodies->sheets != NULL)) return wend__body_steps_on_sheets(bodies, from, to);
    return (wend_cell){wend__shorter_way(to.x - from.x, wend__cell_along(bodies->around.x)),
                       wend__shorter_way(to.y - from.y, wend__cell_along(bodies->around.y)), 0};
}

/// The most room that a disc leaves to the ground that another needs, above both radii.
enum { WEND__GROUND_ROOM = WEND__BODY_ONE / 16 };

/// Returns whether a point is farther from the box round three others than a reach, and a quarter of that, as
/// wend__from_line() rounds.
static inline bool wend__box_is_far(wend__vec at, wend__vec a, wend__vec b, wend__vec c, int64_t reach) {
    const int64_t far = reach + reach / 4 + 2;
    return wend__least(a.x, wend__least(b.x, c.x)) - at.x > far || at.x - wend__most(a.x, wend__most(b.x, c.x)) > far ||
           wend__least(a.y, wend__least(b.y, c.y)) - at.y > far || at.y - wend__most(a.y, wend__most(b.y, c.y)) > far;
}

/// Returns whether a point is farther than a reach from all ground that a disc may need, which is between where that is
/// and the points of its two places: cheap, and of most neighbours true.
/// @param off   to the disc, from a body, as the point is
static inline bool wend__ground_is_far(const wend__bodies *bodies, const wend__body *other, wend__vec off, wend__vec at,
                                       int64_t reach) {
    if (WEND__UNLIKELY(other->turning > 0)) return false;
    const wend__vec post = wend__plus(off, wend__body_off(bodies, other->at, other->post));
    const wend__vec via = wend__plus(off, wend__body_off(bodies, other->at, other->via));
    return wend__box_is_far(at, off, via, post, reach);
}

/* ---- bins.c: neighbours ---- */

/// Returns how many bins the map needs.
uint32_t wend__body_bins(const wend_map *map, uint32_t capacity);
/// Puts a body into the bin of the point where it is, in the order of indices, or takes it out.
void wend__body_enter_bin(wend__bodies *bodies, uint32_t index);
void wend__body_leave_bin(wend__bodies *bodies, uint32_t index);
/// Finds the nearest bodies and other discs, in no order, within a distance of at most WEND__BODY_FAR.
void wend__body_gather(const wend__bodies *bodies, uint32_t self, wend__vec at, int32_t reach, wend__near_bodies *near);
/// The same, round a body, but of the bodies that it finds those alone whose ground may matter to one that moves by at
/// most so far: it is not WEND__GROUND_ROOM away from this one, as the box round that says.
void wend__body_gather_ground(const wend__bodies *bodies, uint32_t self, int32_t reach, int32_t by,
                              wend__near_bodies *near);
/// Returns whether a disc that is put somewhere overlaps another.
/// @param presses   bodies may overlap by a twentieth of both radii, and part from now on if it overlaps none by more
bool wend__body_overlaps(wend__bodies *bodies, uint32_t self, wend__vec at, int32_t radius, bool presses);

/* ---- hard_rule.c ---- */

/// Returns the first obstacle of a disc that goes from a point by v: a body's index, −2: no body's disc, −1: none.
int32_t wend__body_touches(const wend__bodies *bodies, uint32_t self, wend__vec at, wend__vec v, int32_t radius);
/// Returns the part of a velocity that a body may have in this update: it slides along obstacles.
wend__vec wend__body_shorten(wend__bodies *bodies, uint32_t index, wend__vec v);

/* ---- limits.c ---- */

/// Limits a wanted velocity by acceleration and turning. Returns the next velocity of the body.
wend__vec wend__body_limit(wend__bodies *bodies, const wend__body *body, wend__vec want);

/* ---- vehicle.c ---- */

/// Where a vehicle is, and its front.
typedef struct wend__pose {
    wend__vec at, front;
} wend__pose;

/// Returns a front turned towards a vector as far as a way allows.
wend__vec wend__arc_turned(wend__vec front, wend__vec to, int32_t way, int32_t turning);
/// Returns the pose of a vehicle. One that never moved may set out to any side.
wend__pose wend__vehicle_pose(const wend__body *body, wend__vec aim, bool backs);
/// Moves a pose a short way toward an aim, on which the vehicle turns as far as it can.
void wend__vehicle_move(const wend__body *body, wend__pose *pose, wend__vec aim, bool backs, int32_t way);
/// Returns whether an aim is inside the circle on which the vehicle would turn towards it: it would never get there.
bool wend__vehicle_circles(const wend__body *body, const wend__pose *pose, wend__vec aim);
/// Returns the wanted velocity of a vehicle: along the front that it wants, also where it backs.
wend__vec wend__vehicle_velocity(wend__bodies *bodies, uint32_t index);
/// Returns what wend__body_limit() does, for a vehicle: it turns by its way ÷ its least circle.
/// @param gain   of speed in this update; it brakes by twice as much
wend__vec wend__vehicle_limit(const wend__body *body, wend__vec want, int32_t gain, uint32_t elapsed);
/// Returns a velocity that was shortened, with a front that turned by as much less.
wend__vec wend__vehicle_slower(const wend__bodies *bodies, const wend__body *body, wend__vec want, wend__vec v);
/// Makes room in a direction as far as its places allow.
void wend__vehicle_leave(wend__bodies *bodies, uint32_t index, wend__vec out, wend__vec *wanted);

/* ---- gait.c ---- */

/// Returns the wanted velocity of a body.
wend__vec wend__gait_velocity(wend__bodies *bodies, uint32_t index);
/// Returns the greatest speed with which a body covers a way in whole units of time, if it brakes in each.
/// @param left     length of the way
/// @param brakes   loss of speed in a unit of time
/// @param end      most speed in the last unit
int32_t wend__gait_speed(const wend__bodies *bodies, int32_t left, int32_t brakes, int32_t end);
/// Returns whether a body has only to stand still. A disc that fills its cell stops as near as it needs.
bool wend__gait_stands(const wend__bodies *bodies, const wend__body *body);
/// Returns whether a disc that moves by a vector stays within its lane.
bool wend__gait_in_lane(const wend__bodies *bodies, const wend__body *body, wend__vec by);
/// Returns the part of a velocity with which the centre of a body stays in its place or on the way there: at most
/// half a cell along each axis from the line between the middles of the place before and its own.
wend__vec wend__gait_keep(const wend__bodies *bodies, const wend__body *body, wend__vec v);
/// Returns whether no wall is near a body: its clearance is above two cells.
bool wend__gait_in_open(wend__bodies *bodies, const wend__body *body);

/* ---- ground_needed.c ---- */

/// Returns the part of a velocity that keeps a body off the ground that older steps near it need.
wend__vec wend__ground_yield(wend__bodies *bodies, uint32_t index, wend__vec v, const wend__near_bodies *near);
/// Makes room if a body is in the way of an older step that waits for it.
void wend__ground_leave(wend__bodies *bodies, uint32_t index, const wend__near_bodies *near, wend__vec *wanted);

/* ---- grants.c ---- */

/// Counts for how long a body stands in the middle of a step: then it is strict.
void wend__body_count_blocked(wend__bodies *bodies, uint32_t index, wend__vec wanted);

/* ---- part.c ---- */

/// Finds the velocity away from the bodies onto which the host pressed this one. Returns false once they are apart.
bool wend__body_part(wend__bodies *bodies, uint32_t index, const wend__near_bodies *near, wend__vec *velocity);

#endif
