/* SPDX-License-Identifier: MIT */
/* Internal: the engine of bodies: discs that follow their ways over a flat grid, avoid each other and never overlap.
 * It has no access to agents: the owner of the bodies sets their goals and ways.
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

/// The engine's questions to the owner of the bodies. Calls come in an update only, but `others` in any.
typedef struct wend__body_world {
    void *context;
    /// Writes the cells of a body's way after its own, from the `skip`-th on. Returns how many, up to capacity.
    uint32_t (*way)(void *context, uint32_t body, uint32_t skip, wend_cell *cells, uint32_t capacity);
    /// Returns whether a body may cover a cell, which `bodies` others cover.
    bool (*may_enter)(void *context, uint32_t body, wend_cell cell, uint32_t bodies);
    /// Reports that a body's own cell has changed. `stops`: the body has no goal.
    void (*entered)(void *context, uint32_t body, wend_cell cell, bool stops);
    /// Writes the discs that may reach into a square round a point. Returns how many.
    uint32_t (*others)(void *context, int32_t x, int32_t y, int32_t reach, wend__other *out, uint32_t capacity);
    /// Returns whether a body must not push another one. NULL: each may push all.
    /// @param pressed   another body pushes this one
    bool (*spares)(void *context, uint32_t body, uint32_t other, bool pressed);
} wend__body_world;

/// The definition of a body. In 1/16384 of a cell, a unit of time.
typedef struct wend__body_def {
    wend__vec at;
    int32_t radius, speed, accel;
    int32_t turn;    ///< degrees at most in a unit of time; 0: smooth
    int32_t turning; ///< the least circle it turns on; 0: none
    int32_t mover;
    bool parked; ///< the body makes no room for others
} wend__body_def;

/// States of a body.
enum { WEND__BODY_NONE, WEND__BODY_RESTS, WEND__BODY_STOPS, WEND__BODY_GOES, WEND__BODY_RETURNS };
/// States of a body before narrow cells: none ahead, asking for entry, let in, inside.
enum { WEND__PASS_NONE, WEND__PASS_ASKS, WEND__PASS_LET, WEND__PASS_IN };

/// Reasons why no steps of a body can help: a search with all bodies that it could ever meet found no way, or it has
/// long stood before an obstacle that stays.
enum { WEND__HOPELESS_JOINT = 1, WEND__HOPELESS_STUCK = 2 };

/// Most distance along an axis between the middle of a place and the point of it to which a disc goes.
enum { WEND__BODY_LEANS = WEND__BODY_ONE * 48 / 100 };

/// The most discs near a body that are listed.
enum { WEND__BODY_LISTED = 12 };

/// The most cells of a narrow way that a body reserves.
enum { WEND__NARROW_CELLS = 96 };

/// All of a body: numbers only, so that a copy is a save.
typedef struct wend__body {
    wend__vec at, velocity;
    int32_t radius, speed, accel;
    int32_t offset;              ///< from the middle of its own cell to its centre, along each axis
    int32_t next, previous, bin; ///< bodies of one bin; −1: none
    uint8_t state, pass, parked;
    uint8_t goes_on;     ///< 1: the body passes its goal without braking
    uint8_t in_wall;     ///< a wall was built over it: it comes out
    uint8_t pauses;      ///< number of long rests away from its place after failed returns
    uint8_t member;      ///< number in a joint search, from 1; 0: not a member
    uint8_t fails;       ///< joint searches begun for it that failed
    uint8_t stuck;       ///< how often the body was stuck and became meek
    uint8_t helped;      ///< the owner requests a joint search
    uint8_t hopeless;    ///< WEND__HOPELESS_…; 0: it is not
    uint8_t returns;     ///< times that it has come back to its place, off which others pushed it
    uint8_t pressed;     ///< the host put the body so that it overlaps another one
    uint8_t asks;        ///< the body needs room at the end of a link, or this index belongs to a disc without a body
    uint8_t tight;       ///< its disc follows the cells that its agent is granted
    uint8_t near_tight;  ///< a tight body is near; valid within one update
    uint8_t at_via;      ///< tight: the disc has passed the middle of the cell before
    uint8_t strict;      ///< tight: it was blocked in this step, and goes over the middles of its places
    uint8_t swaps;       ///< tight: a small disc that changes places with another one
    uint8_t in_open;     ///< tight: no wall is near; valid within one update
    uint8_t halted;      ///< a vehicle: it can go no farther toward its aim within its places
    int32_t blocked;     ///< tight: thousandths of a unit of time without progress
    int32_t via_step;    ///< tight: number of the step before
    int32_t step;        ///< tight: number of its last granted step
    wend__vec via, post; ///< tight: the points of the place before, and of its agent's
    int16_t turn;
    int32_t turning, mover;
    wend__vec facing;             ///< unit vector of its last direction, of a vehicle its front; 0, 0: none
    wend__vec goal, aim, old_aim; ///< the goal; the farthest point of the way in sight, now and when `nearest` began;
                                  ///< beyond the rim of a map that wraps where it goes over that
    int32_t nearest;              ///< least distance to that
    int32_t aim_age;              ///< updates until the body checks its way again
    int32_t waited, late;         ///< updates without progress: recently, and since its order
    uint32_t rank, under;         ///< number of its order; number of the order that it acts for
    int32_t under_for, from; ///< updates for which `under` stays valid; the body that it makes room for, −1: none
    int32_t made_room, meek; ///< whether it has made room; updates for which it is meek
    wend__vec want, to;      ///< wanted direction as a unit vector; wanted point
    int32_t side;            ///< +1 or −1: the side of its last way round another
    uint32_t let;            ///< order of entry among those inside and let in
    int32_t asked;           ///< updates since it asked, or was let in
    wend_cell mouth, first;  ///< the cell before the narrow ones, and the first narrow cell
    uint32_t joint_due;      ///< update from which a joint search may begin for it
    uint8_t reserved;        ///< number of reserved cells from `first` on
    uint8_t passed;          ///< number of reserved cells behind it
    uint8_t backs;           ///< a vehicle: it backs
    uint8_t ways[WEND__NARROW_CELLS]; ///< direction in which it leaves each reserved cell
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
/// Removes all bodies and resets all counts and the flows of narrow cells.
/// @param slots   indices from there on never had a body, and never asked
void wend__bodies_clear(wend__bodies *bodies, uint32_t slots);

/// Puts a body there. @return WEND_OK, WEND_BUSY (another disc is in the way), WEND_BLOCKED (a wall is),
///         WEND_OUT_OF_MEMORY
wend_error wend__bodies_put(wend__bodies *bodies, uint32_t index, const wend__body_def *def);
void wend__bodies_take(wend__bodies *bodies, uint32_t index);
/// Sends a body. @param goes_on   it does not brake before the goal
void wend__bodies_go(wend__bodies *bodies, uint32_t index, wend__vec goal, bool goes_on);
/// Moves the goal of a body along the same way; its rank and patience stay.
void wend__bodies_retarget(wend__bodies *bodies, uint32_t index, wend__vec goal, bool goes_on);
/// Sends a resting body back to a point, with a rank below bodies that go.
void wend__bodies_return(wend__bodies *bodies, uint32_t index, wend__vec post);
/// Stops a body: it brakes, and rests where it comes to a stand.
void wend__bodies_stop(wend__bodies *bodies, uint32_t index);
/// Writes the bodies that cover a cell, up to capacity. Returns how many there are.
uint32_t wend__bodies_list_cell(const wend__bodies *bodies, wend_cell cell, uint32_t *out, uint32_t capacity);
/// Returns whether a body's own cell may be that one.
bool wend__bodies_may_enter(wend__bodies *bodies, uint32_t index, wend_cell cell);
/// Sets where a body is, and how fast, as the host sets it. Bodies may overlap by a twentieth then, and part again.
/// @return WEND_OK, WEND_BUSY, WEND_BLOCKED: nothing has changed
wend_error wend__bodies_moved(wend__bodies *bodies, uint32_t index, wend__vec at, wend__vec velocity);
/// Returns the cell of the disc or wall for which one of these two calls last refused a body.
wend_cell wend__bodies_in_way(const wend__bodies *bodies);
/// Swaps the places of two bodies at rest, of equal radius and mover. Returns whether it did.
bool wend__bodies_swap(wend__bodies *bodies, uint32_t a, uint32_t b);
/// Reports that the way of a body has changed.
void wend__bodies_look_again(wend__bodies *bodies, uint32_t index);
/// Reports that a body is stuck on its way: a joint search may begin for it in the next update.
void wend__bodies_help(wend__bodies *bodies, uint32_t index);
/// Lists what is within two cells of a body's disc: bodies by index, −1: another disc, with the cell of its middle.
/// @return how many
uint32_t wend__bodies_list_near(wend__bodies *bodies, uint32_t index, int32_t others[WEND__BODY_LISTED],
                                wend_cell cells[WEND__BODY_LISTED]);
/// Returns whether a body is let in through the first narrow cell before another one.
bool wend__bodies_goes_before(const wend__bodies *bodies, uint32_t index, uint32_t other);
/// Sets whether a body has long stood before what stays.
void wend__bodies_set_stuck(wend__bodies *bodies, uint32_t index, bool stuck);
void wend__bodies_set_speed(wend__bodies *bodies, uint32_t index, int32_t speed, int32_t accel);
void wend__bodies_set_parked(wend__bodies *bodies, uint32_t index, bool parked);

/// Moves all bodies. Cost: some 0.5 us a body that goes.
/// @param elapsed_milli   more than 64 units of time are lost
void wend__bodies_update(wend__bodies *bodies, uint32_t elapsed_milli);

/// Returns whether any body is on the map.
bool wend__bodies_any(const wend__bodies *bodies);
const wend__body *wend__bodies_get(const wend__bodies *bodies, uint32_t index);
/// Returns the own cell of a body that is at its goal.
wend_cell wend__bodies_goal_cell(const wend__bodies *bodies, uint32_t index);
/// Returns whether a disc would touch no other and no wall with its own cell there.
/// @param self   ignored; UINT32_MAX: none
bool wend__bodies_fit(wend__bodies *bodies, uint32_t self, int32_t mover, wend_cell cell, int32_t radius);
/// Returns whether the disc of any other body touches a disc on its way.
/// @param stays     only bodies that make no room for it count
/// @param pressed   another body pushes the disc
bool wend__bodies_touch(const wend__bodies *bodies, uint32_t self, const wend__other *other, bool stays, bool pressed);
/// Makes a body push those in a cell to which it leaps, by its order, until the next such call.
/// @param cell   NULL: it pushes none
void wend__bodies_ask_afar(wend__bodies *bodies, uint32_t asker, const wend_cell *cell);
/// Pushes the bodies in the way or in the target cell of another disc, before all orders.
/// @param asker   an index without a body
void wend__bodies_ask(wend__bodies *bodies, uint32_t asker, const wend__other *other);
/// Returns whether any body's disc reaches into a box of cells.
bool wend__bodies_reach(const wend__bodies *bodies, wend_cell low, wend_cell high);

/* ---- tight.c, gait.c, ground_needed.c: bodies that go from place to place ---- */

/// A body is tight from now on, and goes to the middle of its agent's cell first, before all others.
void wend__bodies_tighten(wend__bodies *bodies, uint32_t index, wend__vec post);
/// Sets whether the agent of a tight body is in a step, or wants to go on.
void wend__bodies_set_going(wend__bodies *bodies, uint32_t index, bool goes);
/// Gives a tight body the point of the place that its agent was granted, and the number of the step.
void wend__bodies_grant(wend__bodies *bodies, uint32_t index, wend__vec post, uint32_t step);
/// Gives a small tight body its place in a swap with another one: it passes on the right.
/// @param way   its step
void wend__bodies_swap_places(wend__bodies *bodies, uint32_t index, wend_cell from, wend_cell to, wend_cell way,
                              uint32_t step);
/// Returns whether a body is so small that two have room side by side in a place.
static inline bool wend__body_is_small(const wend__body *body) {
    return body->radius * 4 <= WEND__BODY_ONE && body->turning == 0;
}
/// Returns whether a tight body is so near to the middle of its agent's cell that it may be granted the next one.
bool wend__bodies_stepped(const wend__bodies *bodies, uint32_t index);
/// Returns whether a tight body stands in the middle of its agent's cell.
bool wend__bodies_stand_tight(const wend__bodies *bodies, uint32_t index);
/// Returns whether a disc, and the way to it, in the middle of a cell is off the ways of all tight ones.
bool wend__bodies_post_is_free(wend__bodies *bodies, uint32_t index, wend_cell cell);
/// Returns how far a point of the map lies from another one, over a rim or a seam where that is shorter.
wend__vec wend__bodies_off(const wend__bodies *bodies, wend__vec from, wend__vec to);
/// Returns whether no wall is on the straight way by a vector of a body's centre.
bool wend__bodies_sees(wend__bodies *bodies, uint32_t index, wend__vec way);
/// Finds the point beside the first disc that a body would meet on a straight way from its centre. @return false: none
/// @param side    1: the side on which it passes; −1: the other one
/// @param point   receives how far the point is from the centre
bool wend__bodies_bend(const wend__bodies *bodies, uint32_t index, wend__vec way, int32_t side, wend__vec *point);
/// Returns whether no wall is near a body: its line may bend. In yet more room its places lie off their middles.
bool wend__bodies_in_open(wend__bodies *bodies, uint32_t index);
bool wend__bodies_lean(wend__bodies *bodies, uint32_t index);
/// Returns the clearance of a body's place, in cells.
int32_t wend__bodies_clearance(wend__bodies *bodies, uint32_t index);

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
/// Writes the points of its way, as far as it gets within its place and another one.
void wend__vehicle_way(wend__bodies *bodies, uint32_t index, wend_cell to, wend__vec way[WEND__WAY_POINTS]);
bool wend__bodies_is_vehicle(const wend__bodies *bodies, uint32_t index);
/// Returns the cell of the map for a cell as a body sees it.
wend_cell wend__bodies_seen_cell(wend__bodies *bodies, uint32_t index, wend_cell cell);
bool wend__bodies_any_vehicle(const wend__bodies *bodies);

/// Checks all that must hold; debug builds, after each update.
void wend__bodies_validate(wend__bodies *bodies);

#endif
