/* SPDX-License-Identifier: MIT */
/* Internal: the engine's state, and the rules that share it. One file a rule. */
#ifndef WEND_SRC_AGENTS_DISCS_STATE_H
#define WEND_SRC_AGENTS_DISCS_STATE_H

#include "agents/discs/engine.h"
#include "agents/floor/lacam.h"
#include "agents/floor/window_cells.h"
#include <wend/movers.h>

enum {
    WEND__BODY_NEAR = WEND__BODY_LISTED,               ///< neighbours used for steering
    WEND__BODY_FAR = 8 * WEND__BODY_ONE,               ///< distance within which these are searched
    WEND__BODY_FILLS = WEND__BODY_ONE * 9 / 20,        ///< radius above which less than a twentieth of a cell is free
    WEND__BODY_FILLS_ALL = WEND__BODY_ONE * 197 / 400, ///< radius above which steering among others jams
    WEND__BODY_AT_GOAL = WEND__BODY_ONE / 64,          ///< distance from its goal at which most bodies have arrived
    WEND__BODY_SKIN = WEND__BODY_ONE / 52              ///< distance that steering keeps between bodies
};

/// Thousandths of a unit of time; those without progress after which a tight disc counts as blocked.
enum { WEND__BODY_UNIT = 1000, WEND__BODY_BLOCKED = 2 * WEND__BODY_UNIT };

typedef struct wend__joint wend__joint;

struct wend__bodies {
    wend__body_world world;
    wend_allocator allocator;
    uint32_t capacity, used; ///< indices from `used` on never had a body
    uint32_t count, vehicles;
    int32_t bin_columns, bin_rows; ///< number of bins of 2 x 2 cells along each axis
    uint32_t bin_mask;             ///< hash mask; 0: each bin has a place of its own
    wend__vec around;              ///< the map's sides along axes on which it wraps; or 0
    const wend__sheets *sheets;    ///< sheets of the map, or NULL
    wend__unfolded *sights;        ///< with sheets: WEND__UNFOLDED_KEPT entries, by hash of the cell; else NULL
    int32_t *bins;                 ///< first body of each bin, or −1
    wend__body *of;                ///< all bodies, by index
    uint32_t *asking;              ///< bodies that ask to be let in, in this update
    uint32_t asking_count;
    wend__body_land floors[WEND_MAX_MOVERS];
    const wend__version *version;
    uint64_t fits_on; ///< serial of the version on which those at rest were found in walls or out of them
    wend__joint *joint;
    const wend__window_cells *closed; ///< cells reserved for members of the joint search; NULL: none
    int32_t most_radius, most_offset;
    wend_cell in_way; ///< wend__bodies_in_way(), maybe beyond the rim
    uint32_t orders, lets, updates;
    int32_t posts;    ///< steps of bodies that became tight, counted down from 0: older than all others
    uint32_t elapsed; ///< time of the current update
};

/// A neighbour, as a body sees it.
typedef struct wend__near_body {
    wend__vec off, velocity; ///< from the body's centre
    int32_t radius;
    int32_t index;        ///< −1: no body
    int64_t apart;        ///< squared
    wend__vec from, goes; ///< without index: start of its step as the body sees it, and the step
    int32_t step;         ///< without index: number of the step
} wend__near_body;

typedef struct wend__near_bodies {
    uint32_t count;
    wend__near_body of[WEND__BODY_NEAR];
} wend__near_bodies;

/// Ranks: 0 is the strongest. First bodies inside narrow ways or let in, in order of entry; then moving bodies, by
/// their orders; returning ones; those waiting before a narrow way; meek ones; resting ones.
enum { WEND__RANK_LATER = 1 << 30 };
#define WEND__RANK_WEAK (UINT32_C(1) << 31)
#define WEND__RANK_NOBODY UINT32_MAX

static inline bool wend__body_is_going(const wend__body *body) {
    return body->state >= WEND__BODY_GOES;
}

/// Returns how near to its goal a body counts as there: a disc that nearly fills its cells reaches into no others.
/// A vehicle can't come as near.
static inline int32_t wend__body_at_goal(const wend__body *body) {
    const int32_t slack = WEND__BODY_ONE / 2 + body->offset - body->radius;
    return body->turning > 0 ? WEND__BODY_AT_GOAL : wend__least(WEND__BODY_AT_GOAL, wend__most(1, slack));
}

/* ---- over_seams.c: over seams ---- */

/// Returns the view from a cell of the map; NULL: the map has no sheets, or no seam is near.
const wend__unfolded *wend__body_sight(const wend__bodies *bodies, wend_cell cell);
/// Returns how far a point of the map lies from another on the ground, on a map with sheets.
wend__vec wend__body_off_on_sheets(const wend__bodies *bodies, wend__vec from, wend__vec to);
/// Returns the steps from a cell to one next to it on its way, which a seam may lead to, on a map with sheets.
wend_cell wend__body_steps_on_sheets(const wend__bodies *bodies, wend_cell from, wend_cell to);
/// Returns the cell to which a direction of a way leads, on a map with sheets.
wend_cell wend__body_after_on_sheets(const wend__bodies *bodies, wend_cell cell, uint8_t way);
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

/// Returns a body's floor by cells of the map.
static inline wend__body_land *wend__body_map_floor(wend__bodies *bodies, const wend__body *body) {
    wend__body_land *floor = &bodies->floors[body->mover];
    floor->sight = NULL;
    return floor;
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

/// Returns a body's goal as it sees it. On a map with sheets the goal itself is a point of the map.
static inline wend__vec wend__body_goal(const wend__bodies *bodies, const wend__body *body) {
    return WEND__LIKELY(!bodies->sheets) ? body->goal : wend__body_seen(bodies, body->at, body->goal);
}

/// Returns how many cells lie between two, over the rim where that is shorter.
static inline wend_cell wend__body_steps(const wend__bodies *bodies, wend_cell from, wend_cell to) {
    if (WEND__UNLIKELY(bodies->sheets != NULL)) return wend__body_steps_on_sheets(bodies, from, to);
    return (wend_cell){wend__shorter_way(to.x - from.x, wend__cell_along(bodies->around.x)),
                       wend__shorter_way(to.y - from.y, wend__cell_along(bodies->around.y)), 0};
}

/// Returns whether only the members of the joint search come into a cell.
static inline bool wend__joint_closes(const wend__bodies *bodies, wend_cell cell) {
    return bodies->closed && wend__window_number(bodies->closed, cell) != WEND__WINDOW_NONE;
}

/* ---- bins.c: neighbours ---- */

/// Returns how many bins the map needs.
uint32_t wend__body_bins(const wend_map *map, uint32_t capacity);
void wend__body_enter_bin(wend__bodies *bodies, uint32_t index);
void wend__body_leave_bin(wend__bodies *bodies, uint32_t index);
/// Enters the first body of each bin, and checks all lists. Each body has its bin, a next and a previous one; the bins
/// are empty. @return whether each body is in one list, once
bool wend__body_link_bins(wend__bodies *bodies);
/// Returns the bin of a point.
int32_t wend__body_bin_at(const wend__bodies *bodies, wend__vec at);
/// Finds the nearest bodies and other discs, within a distance of at most WEND__BODY_FAR.
void wend__body_gather(const wend__bodies *bodies, uint32_t self, wend__vec at, int32_t reach, wend__near_bodies *near);
/// Returns whether a disc that is put somewhere overlaps another.
/// @param presses   bodies may overlap by a twentieth of both radii, and part from now on if it overlaps none by more
bool wend__body_overlaps(wend__bodies *bodies, uint32_t self, wend__vec at, int32_t radius, bool presses);

/* ---- hard_rule.c ---- */

/// Returns the first obstacle of a disc that goes from a point by v: a body's index, −2: no body's disc, −1: none.
int32_t wend__body_touches(const wend__bodies *bodies, uint32_t self, wend__vec at, wend__vec v, int32_t radius);
/// Returns the part of a velocity that a body may have in this update: it slides along obstacles.
wend__vec wend__body_shorten(wend__bodies *bodies, uint32_t index, wend__vec v);

/* ---- aim.c ---- */

/// Returns the last of these cells that a disc sees, or −1: the bends are tried one after another, from that cell on.
/// @param seen   its place, as the body sees it
int32_t wend__body_last_seen(wend__bodies *bodies, const wend__body *body, const wend_cell *cells, uint32_t count,
                             wend__vec *seen);
/// Returns whether a body's aim is its goal, and not a place above or below that.
bool wend__body_aims_at_goal(wend__bodies *bodies, const wend__body *body);
/// Returns whether a disc goes from middle to middle near walls, as it leaves hardly any slack in a lane. It
/// does so while no other is near; with no slack to steer past others, always.
static inline bool wend__body_follows_middles(const wend__body *body, const wend__near_bodies *near) {
    const int64_t far = 2 * (int64_t)WEND__BODY_ONE;
    if (WEND__LIKELY(body->radius <= WEND__BODY_FILLS) || body->offset > 0 || body->turning > 0) return false;
    return body->radius > WEND__BODY_FILLS_ALL || near->count == 0 || near->of[0].apart > far * far;
}
/// Returns whether a disc on middles has to stop exactly at its aim, because walls are next to it or to the aim.
bool wend__body_stops_at_aim(wend__bodies *bodies, const wend__body *body);
/// Sets the aim: the farthest point of the way that the disc sees; for a disc on middles, the next bend.
void wend__body_take_aim(wend__bodies *bodies, uint32_t index, bool middles);

/* ---- steer.c ---- */

/// Returns the velocity that leads nearest to a point at a distance along a unit vector, past the neighbours.
wend__vec wend__body_steer(wend__bodies *bodies, wend__body *body, wend__vec unit, int32_t left, int32_t speed,
                           const wend__near_bodies *near);
/// Returns the time, in 1/256 of a unit, until a disc that goes with a velocity meets a neighbour that goes on as it
/// does; or `until`.
int32_t wend__body_meets(const wend__near_body *neighbour, int32_t radius, wend__vec velocity, int32_t until);

/* ---- limits.c ---- */

/// Limits a wanted velocity by acceleration and turning. Returns the next velocity of the body.
wend__vec wend__body_limit(const wend__body *body, wend__vec want, uint32_t elapsed);
/// Returns a vector turned towards another by some degrees at most.
/// @param all   whether that was enough
wend__vec wend__body_turn_towards(wend__vec from, wend__vec to, int32_t degrees, bool *all);

/* ---- vehicle.c ---- */

/// The distance by which the centre of a vehicle may be outside of its places.
enum { WEND__VEHICLE_OVER = 0 };

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

/* ---- making_room.c ---- */

uint32_t wend__body_rank(const wend__bodies *bodies, const wend__body *body);
/// Pushes the bodies at rest close ahead: they make room, or go on in its name.
void wend__body_press(wend__bodies *bodies, uint32_t index, wend__vec unit, const wend__near_bodies *near,
                      uint32_t rank);
/// Returns the velocity with which a body makes room.
wend__vec wend__body_make_room(wend__bodies *bodies, uint32_t index, const wend__near_bodies *near);

/* ---- narrow.c ---- */

/// Finds the narrow cells on a body's way, or those around it.
void wend__body_find_narrow(wend__bodies *bodies, uint32_t index);
/// Releases the reserved cells of a body.
void wend__body_leave_narrow(wend__bodies *bodies, uint32_t index);
/// Releases the reserved cells behind a body.
void wend__body_pass_narrow(wend__bodies *bodies, uint32_t index);
void wend__body_ask_narrow(wend__bodies *bodies, uint32_t index);
/// Admits bodies to narrow ways, at the end of an update.
void wend__bodies_let_in(wend__bodies *bodies);
/// Sets where a waiting body wants to stand: next to the mouth, out of the lane before it. Returns 0 if it is far from
/// there, 2 if it is in the lane, else 1.
int32_t wend__body_wait_at(wend__bodies *bodies, uint32_t index, wend__vec *aim);

/* ---- joint.c: a search for all bodies that block each other ---- */

enum { WEND__JOINT_MEMBERS = 24, WEND__JOINT_STEPS = 512, WEND__JOINT_FAILS = 6 };
enum { WEND__JOINT_CLOSED, WEND__JOINT_SEARCHING, WEND__JOINT_WALKING };

struct wend__joint {
    uint8_t stage;
    bool whole; ///< no step leads out of the cells
    uint32_t opener, stalled;
    uint64_t revision; ///< revision of the search's floor
    uint32_t cell_count, member_count, most_members, steps;
    wend_cell cells[WEND__LACAM_CELLS]; ///< cells by number
    uint32_t members[WEND__JOINT_MEMBERS];
    uint32_t made[WEND__JOINT_MEMBERS];                   ///< steps of each member so far
    uint8_t plan[WEND__JOINT_STEPS][WEND__JOINT_MEMBERS]; ///< cells after each step
    wend__window_cells numbers;
    wend__lacam *lacam;
};

/// Ends the joint search, if there is one, and makes it as a new crowd's.
void wend__joint_drop(wend__bodies *bodies);

size_t wend__joint_bytes(void);
wend__joint *wend__joint_init(void *memory);
/// Begins a search round a stuck body, unless there is one, or its last one was not long ago.
/// @param closed   only if the search has all cells that the body could ever come to
void wend__joint_open(wend__bodies *bodies, uint32_t index, bool closed);
/// Continues the joint search, before the bodies move.
void wend__joint_update(wend__bodies *bodies);
/// Returns the wanted velocity of a member.
wend__vec wend__joint_velocity(wend__bodies *bodies, uint32_t index, const wend__near_bodies *near);

/* ---- gait.c ---- */

/// Returns the wanted velocity of a tight body.
wend__vec wend__gait_velocity(wend__bodies *bodies, uint32_t index);
/// Returns whether a tight body has only to stand still. A disc that fills its cell stops as near as it needs.
bool wend__gait_stands(const wend__bodies *bodies, const wend__body *body);
/// Returns whether a tight disc that moves by a vector stays within its lane.
bool wend__gait_in_lane(const wend__bodies *bodies, const wend__body *body, wend__vec by);
/// Returns the clearance of a body's place, in cells; above 0 where a wall is beside that.
int32_t wend__gait_clearance(wend__bodies *bodies, const wend__body *body);
/// Returns the part of a velocity with which the centre of a tight body stays in its place or on the way there: at most
/// half a cell along each axis from the line between the middles of the place before and its own.
wend__vec wend__gait_keep(const wend__bodies *bodies, const wend__body *body, wend__vec v);
/// Returns whether no wall is near a tight body.
bool wend__gait_in_open(wend__bodies *bodies, const wend__body *body);

/* ---- ground_needed.c ---- */

/// Returns the part of a velocity that keeps a body off the ground that older steps near it need.
wend__vec wend__ground_yield(wend__bodies *bodies, uint32_t index, wend__vec v, const wend__near_bodies *near);
/// Makes room if a body is in the way of an older step that waits for it.
void wend__ground_leave(wend__bodies *bodies, uint32_t index, const wend__near_bodies *near, wend__vec *wanted);
/// Returns whether a tight body that goes is near.
bool wend__tight_is_near(const wend__bodies *bodies, const wend__near_bodies *near);

/* ---- tight.c ---- */

/// Counts for how long a tight body stands in the middle of a step: then it is strict.
void wend__tight_look_back(wend__bodies *bodies, uint32_t index, wend__vec wanted, const wend__near_bodies *near);

/* ---- choose.c ---- */

/// Finds the velocity away from the bodies onto which the host pressed this one. Returns false once they are apart.
bool wend__body_part(wend__bodies *bodies, uint32_t index, const wend__near_bodies *near, wend__vec *velocity);

/// Returns the wanted velocity of a body.
wend__vec wend__body_choose(wend__bodies *bodies, uint32_t index, const wend__near_bodies *near);

#endif
