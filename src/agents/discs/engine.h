/* SPDX-License-Identifier: MIT */
/* Internal: the engine of bodies: discs that go from place to place on a flat grid and never overlap. It has no access
 * to agents: the owner of the bodies grants their places.
 *
 * After each update, exactly: no two discs overlap, none covers a blocked cell, a closed step or the map's rim, and
 * none is faster than its top speed. Bodies move one after another, by index, and only where the way is free, so errors
 * in steering do no harm. */
#ifndef WEND_SRC_AGENTS_DISCS_ENGINE_H
#define WEND_SRC_AGENTS_DISCS_ENGINE_H

#include "agents/floor/floor.h"

typedef struct wend__bodies wend__bodies;

/// A disc without a body: at rest, or on a straight way to another point.
typedef struct wend__other {
    int32_t x, y, to_x, to_y;
    int32_t radius;
    int32_t goes_x, goes_y; ///< where its step leads
    int32_t step;           ///< number of the step; INT32_MAX: the disc stands
} wend__other;

/// The engine's question to the owner of the bodies.
typedef struct wend__body_world {
    void *context;
    /// Writes the discs that may reach into a square round a point. Returns how many.
    uint32_t (*others)(void *context, int32_t x, int32_t y, int32_t reach, wend__other *out, uint32_t capacity);
} wend__body_world;

/// The definition of a body. In 1/16384 of a cell, a unit of time.
typedef struct wend__body_def {
    wend__vec at;
    int32_t radius, speed;
    int32_t accel;   ///< most gain of speed in a unit of time; 0: WEND__BODY_GAINS
    int32_t turn;    ///< degrees at most in a unit of time; 0: smooth
    int32_t turning; ///< the least circle it turns on; 0: none
    int32_t mover;
    bool parked; ///< the host has parked it
} wend__body_def;

/// States of a body.
enum { WEND__BODY_NONE, WEND__BODY_RESTS, WEND__BODY_GOES };
/// Most distance along an axis between the middle of a place and the point of it to which a disc goes.
enum { WEND__BODY_LEANS = WEND__BODY_ONE * 48 / 100 };

/// Eighteenths of its top speed that a body gains in a unit of time at most, if its definition says nothing else.
enum { WEND__BODY_GAINS = 7 };

/// All of a body: numbers only, so that a copy is a save.
typedef struct wend__body {
    wend__vec at, velocity;
    int32_t radius, speed;
    int32_t accel;  ///< of its definition; 0: none
    int32_t offset; ///< from the middle of its own cell to its centre, along each axis
    int32_t next;   ///< body of the same bin; −1: none
    uint8_t state, parked;
    uint8_t in_wall;     ///< it covers a wall, which was built over it: it comes out
    uint8_t pressed;     ///< the host put the body so that it overlaps another one
    uint8_t at_via;      ///< the disc has passed the middle of the cell before
    uint8_t strict;      ///< it was blocked in this step, and goes over the middles of its places
    uint8_t swaps;       ///< a small disc that changes places with another one
    uint8_t goes_on;     ///< a vehicle: it does not stop at its aim
    uint8_t backs;       ///< a vehicle: it backs
    uint8_t halted;      ///< a vehicle: it can go no farther toward its aim within its places
    int32_t blocked;     ///< thousandths of a unit of time without progress
    int32_t via_step;    ///< number of the step before
    int32_t step;        ///< number of its last granted step
    wend__vec via, post; ///< the points of the place before, and of its agent's
    int16_t turn;
    int32_t turning, mover;
    wend__vec facing; ///< unit vector of its last direction, of a vehicle its front; 0, 0: none
    wend__vec aim;    ///< a vehicle: where it goes next; beyond the rim of a map that wraps where it goes over that
} wend__body;

/// Returns the own cell of a body whose centre is at a point: the lowest covered cell along both axes.
static inline wend_cell wend__body_cell_at(const wend__body *body, wend__vec at) {
    return wend__cell_at((wend__vec){at.x - body->offset, at.y - body->offset});
}

static inline wend_cell wend__body_cell(const wend__body *body) {
    return wend__body_cell_at(body, body->at);
}

/// Returns the centre of a body that stands in the middle of the cells that it covers, with that own cell.
static inline wend__vec wend__body_middle(const wend__body *body, wend_cell cell) {
    const wend__vec middle = wend__middle_of(cell);
    return (wend__vec){middle.x + body->offset, middle.y + body->offset};
}

static inline int32_t wend__body_size(const wend__body *body) {
    return 1 + 2 * body->offset / WEND__BODY_ONE;
}

/// Returns how much a body gains in a unit of time, at most.
static inline int32_t wend__body_gain(const wend__body *body) {
    return body->accel > 0 ? body->accel : wend__most(1, body->speed * WEND__BODY_GAINS / 18);
}

/// Returns how far a disc may be off the middle of its place without reaching into another one; may be below 0.
static inline int32_t wend__body_slack(const wend__body *body) {
    return WEND__BODY_ONE / 2 + body->offset - body->radius;
}

/// Returns the bytes of an engine. @param capacity   most bodies
size_t wend__bodies_bytes(const wend_map *map, uint32_t capacity);
/// Makes an engine in memory of that size, aligned to 64. Tables of the floor come from the allocator.
wend__bodies *wend__bodies_init(void *memory, const wend_map *map, uint32_t capacity, const wend_allocator *allocator,
                                const wend__body_world *world);
/// Frees the tables of the floor.
void wend__bodies_end(wend__bodies *bodies);

/// Sets the version that all later calls use. Must precede any other call that reads the floor.
void wend__bodies_follow(wend__bodies *bodies, const wend__version *version);
/// Switches to the newest version of the map, for a call outside an update. @return the version, to be released
wend__version *wend__bodies_follow_newest(wend__bodies *bodies, const wend_map *map);

/// Makes the tables of a mover's floor, unless they are there. @return false: out of memory
bool wend__bodies_open_floor(wend__bodies *bodies, int32_t mover);
/// Lets a body move as another mover of its size from now on. @return false: no memory
bool wend__bodies_become(wend__bodies *bodies, uint32_t index, int32_t mover);
/// Removes all bodies and resets all counts.
/// @param slots   indices from there on never had a body
void wend__bodies_clear(wend__bodies *bodies, uint32_t slots);

/// Puts a body there. @return WEND_OK, WEND_BUSY (another disc is in the way), WEND_BLOCKED (a wall is),
///         WEND_OUT_OF_MEMORY
wend_error wend__bodies_put(wend__bodies *bodies, uint32_t index, const wend__body_def *def);
void wend__bodies_take(wend__bodies *bodies, uint32_t index);
/// Returns how many bodies cover a cell.
uint32_t wend__bodies_on_cell(const wend__bodies *bodies, wend_cell cell);
/// Sets where a body is, and how fast, as the host sets it. Bodies may overlap by a twentieth then, and part again.
/// @return WEND_OK, WEND_BUSY, WEND_BLOCKED: nothing has changed
wend_error wend__bodies_moved(wend__bodies *bodies, uint32_t index, wend__vec at, wend__vec velocity);
/// Returns the cell of the disc or wall for which one of these two calls last refused a body.
wend_cell wend__bodies_in_way(const wend__bodies *bodies);
/// Swaps the places of two bodies at rest, of equal radius and mover. Returns whether it did.
bool wend__bodies_swap(wend__bodies *bodies, uint32_t a, uint32_t b);
void wend__bodies_set_speed(wend__bodies *bodies, uint32_t index, int32_t speed);
void wend__bodies_set_parked(wend__bodies *bodies, uint32_t index, bool parked);

/// Moves all bodies. Cost: some 1 us a body that goes (`bench_bodies`).
/// @param elapsed_milli   more than 64 units of time are lost
void wend__bodies_update(wend__bodies *bodies, uint32_t elapsed_milli);

/// Returns whether any body is on the map.
bool wend__bodies_any(const wend__bodies *bodies);
const wend__body *wend__bodies_get(const wend__bodies *bodies, uint32_t index);
/// Returns whether a disc would touch no other and no wall with its own cell there.
/// @param self   ignored; UINT32_MAX: none
bool wend__bodies_fit(wend__bodies *bodies, uint32_t self, int32_t mover, wend_cell cell, int32_t radius);
/// Returns whether the disc of any other body touches a disc on its way.
bool wend__bodies_touch(const wend__bodies *bodies, uint32_t self, const wend__other *other);
/// Returns whether any body's disc reaches into a box of cells.
bool wend__bodies_reach(const wend__bodies *bodies, wend_cell low, wend_cell high);

/* ---- grants.c, gait.c, ground_needed.c: from place to place ---- */

/// Gives a body a place, wherever its disc is: it goes to a point of that first, before all others.
void wend__bodies_set_place(wend__bodies *bodies, uint32_t index, wend__vec post);
/// Sets whether the agent of a body is in a step, or wants to go on.
void wend__bodies_set_going(wend__bodies *bodies, uint32_t index, bool goes);
/// Gives a body the point of the place that its agent was granted, and the number of the step.
void wend__bodies_grant(wend__bodies *bodies, uint32_t index, wend__vec post, uint32_t step);
/// Gives a small body its place in a swap with another one: it passes on the right.
/// @param way   its step
void wend__bodies_swap_places(wend__bodies *bodies, uint32_t index, wend_cell from, wend_cell to, wend_cell way,
                              uint32_t step);
/// Returns whether a body is so small that two have room side by side in a place.
static inline bool wend__body_is_small(const wend__body *body) {
    return body->radius * 4 <= WEND__BODY_ONE && body->turning == 0;
}
/// Returns whether a body is so near to the middle of its agent's cell that it may be granted the next one.
bool wend__bodies_stepped(const wend__bodies *bodies, uint32_t index);
/// Returns whether a body stands in the middle of its agent's cell.
bool wend__bodies_stand(const wend__bodies *bodies, uint32_t index);
/// Returns whether a disc, and the way to it, in the middle of a cell is off the ways of all others.
bool wend__bodies_post_is_free(wend__bodies *bodies, uint32_t index, wend_cell cell);
/// Returns how far a point of the map lies from another one, over a rim or a seam where that is shorter.
wend__vec wend__bodies_off(const wend__bodies *bodies, wend__vec from, wend__vec to);
/// Returns whether no wall is on the straight way by a vector of a body's centre.
bool wend__bodies_sees(wend__bodies *bodies, uint32_t index, wend__vec way);
/// Finds the first disc that a body would meet on a straight way, and a point past which the way leads round it.
/// @return false: it meets none
/// @param side    1: the side on which it passes; −1: the other one
/// @param point   receives how far the point is from the centre
bool wend__bodies_bend(const wend__bodies *bodies, uint32_t index, wend__vec way, int32_t side, wend__vec *point);
/// Returns whether no wall is near a body: its line may bend. In yet more room its places lie off their middles.
bool wend__bodies_in_open(wend__bodies *bodies, uint32_t index);
bool wend__bodies_lean(wend__bodies *bodies, uint32_t index);

/* ---- vehicle.c, drive.c: bodies with a least circle ---- */

/// The most cells of a drive, and the points of a vehicle's way ahead.
enum { WEND__DRIVE_CELLS = 64, WEND__WAY_POINTS = 7 };

/// A request for a drive to a point in sight.
typedef struct wend__drive_request {
    void *context;
    /// Returns whether the body may step from a cell to the next one, as it sees them.
    bool (*opens)(void *context, wend_cell from, wend_cell to);
    wend__vec to;     ///< as the body sees it
    bool others_stay; ///< bodies that stand are as walls
} wend__drive_request;

/// A drive: arcs to a pose from which it goes straight to the point.
typedef struct wend__drive {
    wend_cell cells[WEND__DRIVE_CELLS]; ///< of the arcs, as the body sees them, that of its place first
    uint32_t count;
    wend__vec straight_from;
    wend__vec aim; ///< the end of the first arc, or the point itself
    bool backs;    ///< on the way to its aim
    bool goes_on;  ///< it does not turn back there, nor stop
} wend__drive;

/// Finds a drive. @return false: none within reach
bool wend__bodies_drive(wend__bodies *bodies, uint32_t index, const wend__drive_request *request, wend__drive *drive);
/// Sets to where a vehicle goes, whether it backs on the way, and whether it goes on there.
void wend__vehicle_aim(wend__bodies *bodies, uint32_t index, wend__vec aim, bool backs, bool goes_on);
/// Sends a vehicle to the middle of its place, as near as it gets.
void wend__vehicle_rest(wend__bodies *bodies, uint32_t index);
/// Returns whether the arc on which a vehicle is ends in its place.
bool wend__vehicle_stays(wend__bodies *bodies, uint32_t index);
/// Returns whether an arc leads a vehicle, forward or back, from its place into another one.
bool wend__vehicle_leads(wend__bodies *bodies, uint32_t index, wend_cell to);
/// Writes the points of its way, as far as it gets within its place and another one. One in its place is on none.
void wend__vehicle_way(wend__bodies *bodies, uint32_t index, wend_cell to, wend__vec way[WEND__WAY_POINTS]);
bool wend__bodies_is_vehicle(const wend__bodies *bodies, uint32_t index);
/// Returns the cell of the map for a cell as a body sees it.
wend_cell wend__bodies_seen_cell(wend__bodies *bodies, uint32_t index, wend_cell cell);
bool wend__bodies_any_vehicle(const wend__bodies *bodies);

/// Checks all that must hold; debug builds, after each update.
void wend__bodies_validate(wend__bodies *bodies);

#endif
