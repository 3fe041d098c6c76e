/* SPDX-License-Identifier: MIT */
/* Internal: the engine of bodies: discs that follow their ways over a flat grid, avoid each other and never overlap. It
 * knows nothing of agents: who owns the bodies gives them goals and ways.
 *
 * After each update, exactly: no two discs overlap, none covers a blocked cell, a closed step or the map's rim, and
 * none is faster than its top speed. Bodies move one after another, by index, and only where the way is free, so what
 * steers them may be wrong without any harm. */
#ifndef WEND_SRC_AGENTS_DISCS_ENGINE_H
#define WEND_SRC_AGENTS_DISCS_ENGINE_H

#include "agents/floor/floor.h"

typedef struct wend__bodies wend__bodies;

/// A disc that no body is: it stands, or goes straight to another point.
typedef struct wend__other {
    int32_t x, y, to_x, to_y;
    int32_t radius;
    int32_t goes_x, goes_y; ///< where its step leads
    int32_t step;           ///< number of that; INT32_MAX: it stands
} wend__other;

/// The engine's questions to the owner of the bodies. Calls come in an update only, but `others` in any.
typedef struct wend__body_world {
    void *context;
    /// Writes the cells of a body's way after its own, from the `skip`-th on. Returns how many, up to capacity.
    uint32_t (*way)(void *context, uint32_t body, uint32_t skip, wend_cell *cells, uint32_t capacity);
    /// Returns whether a body may cover a cell, which `bodies` others cover.
    bool (*may_enter)(void *context, uint32_t body, wend_cell cell, uint32_t bodies);
    /// Told when a body's own cell is another one. `stops`: it has no goal.
    void (*entered)(void *context, uint32_t body, wend_cell cell, bool stops);
    /// Writes the discs that may reach into a square round a point. Returns how many.
    uint32_t (*others)(void *context, int32_t x, int32_t y, int32_t reach, wend__other *out, uint32_t capacity);
    /// Returns whether a body never asks another one to make room. NULL: each asks all.
    /// @param pressed   it makes room itself
    bool (*spares)(void *context, uint32_t body, uint32_t other, bool pressed);
} wend__body_world;

/// A body as it is made. In 1/16384 of a cell, a unit of time.
typedef struct wend__body_def {
    wend__vec at;
    int32_t radius, speed, accel;
    int32_t turn;    ///< degrees at most in a unit of time; 0: smooth
    int32_t turning; ///< the least circle it turns on; 0: none
    int32_t mover;
    bool parked; ///< it makes room for nobody
} wend__body_def;

/// States of a body.
enum { WEND__BODY_NONE, WEND__BODY_RESTS, WEND__BODY_STOPS, WEND__BODY_GOES, WEND__BODY_RETURNS };
/// States of a body before narrow cells: none are there, it asks to be let in, it is let in, it is inside.
enum { WEND__PASS_NONE, WEND__PASS_ASKS, WEND__PASS_LET, WEND__PASS_IN };

/// Why no steps of a body lead it on: one search among all that it could ever meet found no way; it has long stood
/// before what stays.
enum { WEND__HOPELESS_JOINT = 1, WEND__HOPELESS_STUCK = 2 };

/// The most discs near a body that are listed.
enum { WEND__BODY_LISTED = 12 };

/// The most cells of a narrow way that a body reserves.
enum { WEND__NARROW_CELLS = 96 };

/// All of a body: numbers only, so that a copy is a save.
typedef struct wend__body {
    wend__vec at, velocity;
    int32_t radius, speed, accel;
    int32_t offset; ///< of its centre from the middle of its own cell, along each axis: half of its other cells
    int32_t next, previous, bin; ///< bodies of one bin; −1: none
    uint8_t state, pass, parked;
    uint8_t goes_on;     ///< it passes its goal, and does not brake
    uint8_t in_wall;     ///< a wall was built over it: it comes out
    uint8_t pauses;      ///< in which it rested off its place, having tried long to come back
    uint8_t member;      ///< of a joint search: 1 and more; 0: of none
    uint8_t fails;       ///< joint searches begun for it that failed
    uint8_t stuck;       ///< times that it has pressed in vain, and was the weakest for a while
    uint8_t helped;      ///< its owner asks for a joint search
    uint8_t hopeless;    ///< WEND__HOPELESS_…; 0: it is not
    uint8_t returns;     ///< times that it has come back to its place, off which others pushed it
    uint8_t pressed;     ///< the host put it so near to another body, or that one to it, that they overlap
    uint8_t asks;        ///< it needs room at the end of a link; or a disc of another kind does under this index
    uint8_t tight;       ///< its disc follows the cells that its agent is granted
    uint8_t near_tight;  ///< a tight one is near. It matters within an update only
    uint8_t at_via;      ///< tight: it has passed the middle of the cell before
    uint8_t wants_tight; ///< it is in the way of a tight one
    int32_t blocked;     ///< tight: thousandths of a unit of time for which it could not go on
    int32_t via_step;    ///< tight: number of the step before
    int32_t step;        ///< tight: number of its last granted step
    wend__vec via, post; ///< tight: middles of the cell before, and of its agent's
    int16_t turn;
    int32_t turning, mover;
    wend__vec facing;             ///< unit vector of where it last went, of a vehicle its front; 0, 0: nowhere yet
    wend__vec goal, aim, old_aim; ///< where to; the farthest point of the way in sight, now and when `nearest` began;
                                  ///< beyond the rim of a map that wraps where it goes over that
    int32_t nearest;              ///< least distance to that
    int32_t aim_age;              ///< updates until the way is looked at again
    int32_t waited, late;         ///< updates without coming nearer: recently, and since it was sent
    uint32_t rank, under;         ///< the number of its order; of the one in whose name it acts
    int32_t under_for, from;      ///< updates that it still does; whom it makes room for, −1: it goes on
    int32_t made_room, meek;      ///< it has; updates for which it is weaker than all, having been stuck
    wend__vec want, to;           ///< where it wants to go: unit vector, point
    int32_t side;                 ///< +1 or −1: the side on which it last went round
    uint32_t let;                 ///< those inside and let in go in this order
    int32_t asked;                ///< updates that it has asked, or that it has been let in
    wend_cell mouth, first;       ///< the cell before the narrow ones, and the first of those
    uint32_t joint_due;           ///< update from which a joint search may begin for it
    uint8_t reserved;             ///< cells from `first` on
    uint8_t passed;               ///< of those, that it has left behind
    uint8_t backs;                ///< a vehicle: updates for which it still backs; 0: it goes forward
    uint8_t ways[WEND__NARROW_CELLS]; ///< the direction in which each is left
} wend__body;

/// Returns the own cell of a body whose centre is at a point: of all that it covers there, the lowest along both axes.
static inline wend_cell wend__body_cell_at(const wend__body *body, wend__vec at) {
    return wend__cell_at((wend__vec){at.x - body->offset, at.y - body->offset});
}

static inline wend_cell wend__body_cell(const wend__body *body) {
    return wend__body_cell_at(body, body->at);
}

/// Returns where a body's centre is when it stands in the middle of a cell and all others that it covers from there.
static inline wend__vec wend__body_middle(const wend__body *body, wend_cell cell) {
    const wend__vec middle = wend__middle_of(cell);
    return (wend__vec){middle.x + body->offset, middle.y + body->offset};
}

static inline int32_t wend__body_size(const wend__body *body) {
    return 1 + 2 * body->offset / WEND__BODY_ONE;
}

/// Returns the bytes of an engine. @param capacity   most bodies
size_t wend__bodies_bytes(const wend_map *map, uint32_t capacity);
/// Makes an engine in memory of that size, aligned to 64. Tables of the floor come from the allocator.
wend__bodies *wend__bodies_init(void *memory, const wend_map *map, uint32_t capacity, const wend_allocator *allocator,
                                const wend__body_world *world);
/// Frees the tables of the floor.
void wend__bodies_end(wend__bodies *bodies);

/// Goes by a version from now on. Before any other call that looks at the floor.
void wend__bodies_follow(wend__bodies *bodies, const wend__version *version);
/// Goes by the newest version of the map, for a call outside an update. @return it, to be released
wend__version *wend__bodies_follow_newest(wend__bodies *bodies, const wend_map *map);

/// Makes the tables of a mover's floor, unless they are there. @return false: out of memory
bool wend__bodies_open_floor(wend__bodies *bodies, int32_t mover);
/// Takes all bodies away, and forgets all that the engine has counted, and the gates of narrow ways.
/// @param slots   indices from there on never had a body, and never asked
void wend__bodies_clear(wend__bodies *bodies, uint32_t slots);

/// Puts a body there. @return WEND_OK, WEND_BUSY (another disc is in the way), WEND_BLOCKED (a wall is),
///         WEND_OUT_OF_MEMORY
wend_error wend__bodies_put(wend__bodies *bodies, uint32_t index, const wend__body_def *def);
void wend__bodies_take(wend__bodies *bodies, uint32_t index);
/// Sends a body. @param goes_on   it does not brake before the goal
void wend__bodies_go(wend__bodies *bodies, uint32_t index, wend__vec goal, bool goes_on);
/// Its goal is elsewhere, on the same way: it keeps its rank and patience.
void wend__bodies_retarget(wend__bodies *bodies, uint32_t index, wend__vec goal, bool goes_on);
/// One at rest goes back to a point, weaker than those who go.
void wend__bodies_return(wend__bodies *bodies, uint32_t index, wend__vec post);
/// A body that goes brakes, and rests where it stands then.
void wend__bodies_stop(wend__bodies *bodies, uint32_t index);
/// Writes the bodies that cover a cell, up to capacity. Returns how many there are.
uint32_t wend__bodies_list_cell(const wend__bodies *bodies, wend_cell cell, uint32_t *out, uint32_t capacity);
/// Returns whether a body's own cell may be that one.
bool wend__bodies_may_enter(wend__bodies *bodies, uint32_t index, wend_cell cell);
/// Sets where a body is, and how fast, as the host sets it. Bodies may overlap by a twentieth then, and part again.
/// @return WEND_OK, WEND_BUSY, WEND_BLOCKED: nothing has changed
wend_error wend__bodies_moved(wend__bodies *bodies, uint32_t index, wend__vec at, wend__vec velocity);
/// Returns the cell of the disc or wall for which a body was last refused by these two.
wend_cell wend__bodies_in_way(const wend__bodies *bodies);
/// Two bodies change places, and stand there. Returns whether they have: both have the same radius and mover.
bool wend__bodies_swap(wend__bodies *bodies, uint32_t a, uint32_t b);
/// The way of a body is another one.
void wend__bodies_look_again(wend__bodies *bodies, uint32_t index);
/// A body gets no further on its way: a joint search may begin for it in the next update.
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

const wend__body *wend__bodies_get(const wend__bodies *bodies, uint32_t index);
/// Returns the own cell of a body that is at its goal.
wend_cell wend__bodies_goal_cell(const wend__bodies *bodies, uint32_t index);
/// Returns whether a disc would touch no other and no wall with its own cell there.
/// @param self   ignored; UINT32_MAX: none
bool wend__bodies_fit(wend__bodies *bodies, uint32_t self, int32_t mover, wend_cell cell, int32_t radius);
/// Returns whether the disc of any body but one touches another disc on its way.
/// @param stays     only those count that make no room for it
/// @param pressed   it makes room itself
bool wend__bodies_touch(const wend__bodies *bodies, uint32_t self, const wend__other *other, bool stays, bool pressed);
/// Makes a body press those in a cell to which it leaps, by its order, until another call.
/// @param cell   NULL: it presses none
void wend__bodies_ask_afar(wend__bodies *bodies, uint32_t asker, const wend_cell *cell);
/// Presses the bodies in the way of another disc, or where it is to stand, before all orders.
/// @param asker   an index without a body
void wend__bodies_ask(wend__bodies *bodies, uint32_t asker, const wend__other *other);
/// Returns whether any body's disc reaches into a box of cells.
bool wend__bodies_reach(const wend__bodies *bodies, wend_cell low, wend_cell high);
/// Finds the farthest point of a way that a disc of the host's sees, which need not be a body: its corner, or its end.
wend__vec wend__bodies_see(wend__bodies *bodies, const wend__body *host, const wend_cell *way, uint32_t count);
/// Returns the velocity that such a disc would take. @param aim   where it wants to be
wend__vec wend__bodies_steer(wend__bodies *bodies, uint32_t self, const wend__body *host, wend__vec aim);

/* ---- tight.c: bodies whose discs go from cell to cell ---- */

/// Returns whether a body may become tight: a disc within one cell, on a flat map that does not wrap, not parked, and
/// slow enough to stop within half a cell.
/// @param gain   of speed, that it will have
bool wend__bodies_may_tighten(const wend__bodies *bodies, uint32_t index, int32_t gain);
/// A body is tight from now on, and goes to the middle of its agent's cell first, before all others.
void wend__bodies_tighten(wend__bodies *bodies, uint32_t index, wend__vec post);
void wend__bodies_loosen(wend__bodies *bodies, uint32_t index);
/// Sets whether the agent of a tight body is in a step, or wants to go on.
void wend__bodies_set_going(wend__bodies *bodies, uint32_t index, bool goes);
/// Gives a tight body the middle of the next cell that its agent was granted, and the number of the step.
void wend__bodies_grant(wend__bodies *bodies, uint32_t index, wend__vec post, uint32_t step);
/// Returns whether a tight body is so near to the middle of its agent's cell that it may be granted the next one.
bool wend__bodies_stepped(const wend__bodies *bodies, uint32_t index);
/// Returns whether a tight body stands there.
bool wend__bodies_stand_tight(const wend__bodies *bodies, uint32_t index);
/// Returns whether a disc, and the way to it, in the middle of a cell is off the ways of all tight ones.
bool wend__bodies_post_is_free(wend__bodies *bodies, uint32_t index, wend_cell cell);
/// Returns whether no wall is on the straight way to the middle of a cell.
bool wend__bodies_sees_cell(wend__bodies *bodies, uint32_t index, wend_cell cell);
/// Returns whether any disc is within a distance.
bool wend__bodies_is_crowded(wend__bodies *bodies, uint32_t index, int32_t reach);
/// Returns whether a disc that no body is reaches into the square of a distance.
bool wend__bodies_is_among_cells(wend__bodies *bodies, uint32_t index, int32_t reach);
/// Returns the clearance of a body's cell, in cells.
int32_t wend__bodies_clearance(wend__bodies *bodies, uint32_t index);

/// Checks all that must hold; debug builds, after each update.
void wend__bodies_validate(wend__bodies *bodies);

#endif
