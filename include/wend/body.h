/* SPDX-License-Identifier: MIT */
/* Growing: settings and figures of discs may be added; what a disc does may change. See docs/stability.md. */
/* Bodies of a crowd: agents that are discs and move in continuous space.
 *
 * An agent with a body keeps its goals, searches, events and patience; only its motion is another one.
 * wend_crowd_update() moves its disc along its path, in straight lines where it sees ahead. Near agents without bodies
 * the disc goes from the middle of a cell to that of the next one instead, as its agent is granted steps.
 *
 * After each update no two discs overlap, unless the host put them so, no disc covers a blocked cell, and none is
 * faster than its agent's speed. In this an agent without a body is a disc as wide as its cells, on the rest of the
 * way of its step. The cell of an agent is that of its body's centre, or the one to which it was granted a step. The
 * centre of a mover of more cells is in the middle of all that it covers.
 *
 * Lengths are in thousandths of a straight step (_milli), times in units of time, as in crowd.h. All is integers: the
 * same calls give the same positions, with any number of workers.
 *
 * Threads: all functions belong to the thread that ticks the crowd's service. */
#ifndef WEND_BODY_H
#define WEND_BODY_H

#include <wend/crowd.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct wend_bodies wend_bodies;

/// Limits of a body: the least and the greatest radius (500 more for each further cell of the mover's side), turns in
/// degrees in a unit of time, and the greatest acceleration and radius of turning.
#define WEND_MIN_RADIUS_MILLI 100
#define WEND_MAX_RADIUS_MILLI 499
#define WEND_MAX_TURN_DEGREES 180
#define WEND_MAX_ACCEL_MILLI 1000000
#define WEND_MAX_TURNING_MILLI 64000
/// The fastest speed of an agent with a body.
#define WEND_MAX_BODY_SPEED_MILLI 1000

/// Bodies of a crowd. All memory is taken at creation, and for each further mover with its first body: updates allocate
/// nothing. Only on a streamed map they do, where bodies first come to a chunk.
typedef struct wend_bodies_def {
    uint32_t struct_bytes;
    uint32_t reserved; ///< 0
    wend_crowd *crowd; ///< on a flat grid; needed
} wend_bodies_def;

/// Set the defaults: no crowd.
/// @param bytes   sizeof *def
/// Threads: any. Cost: O(1).
WEND_API void wend_bodies_def_init(wend_bodies_def *def, size_t bytes);

/// Let agents of a crowd have bodies. Their memory comes from the crowd's allocator: about 450 bytes for each agent and
/// 12 for each cell of the map, 11 more for each further mover with bodies. Memory of chunks to which no body comes is
/// not touched.
/// @param def   copied
/// @param out   receives the bodies
/// @return WEND_OK, WEND_UNSUPPORTED (voxels, graphs), WEND_IN_USE (the crowd has bodies already), WEND_OUT_OF_MEMORY,
///         WEND_BAD_ARGUMENT
/// Threads: owner. Cost: O(agents of the crowd + chunks of the map).
WEND_API wend_error wend_bodies_create(const wend_bodies_def *def, wend_bodies **out);

/// Free the bodies. The crowd is destroyed before them, or none of its agents has a body.
/// @param bodies   NULL: nothing happens
/// @return WEND_OK, WEND_IN_USE (an agent has a body)
/// Threads: owner. Cost: O(1).
WEND_API wend_error wend_bodies_destroy(wend_bodies *bodies);

/// A body. Its top speed is its agent's: at most WEND_MAX_BODY_SPEED_MILLI, faster agents go so fast.
typedef struct wend_body_def {
    uint32_t struct_bytes;
    uint32_t radius_milli;         ///< WEND_MIN_RADIUS_MILLI to WEND_MAX_RADIUS_MILLI, of a larger mover less than
                                   ///< half its side. Default 400
    uint32_t accel_milli;          ///< most gain or half the loss of speed in a unit of time, up to
                                   ///< WEND_MAX_ACCEL_MILLI. 0: it reaches its top speed in 9 units, near
                                   ///< walls or among agents without bodies in 3 to 4
    uint32_t turn_degrees;         ///< most turn at speed in a unit of time, up to WEND_MAX_TURN_DEGREES. At rest it
                                   ///< turns as it likes. 0: smooth. Default 0
    uint32_t turning_radius_milli; ///< the least circle it turns on, up to WEND_MAX_TURNING_MILLI: with more than 0
                                   ///< it never turns on the spot. Default 0
} wend_body_def;

/// Set the defaults of a body.
/// @param bytes   sizeof *def
/// Threads: any. Cost: O(1).
WEND_API void wend_body_def_init(wend_body_def *def, size_t bytes);

/// Give an agent a body, in the middle of what it covers. It keeps its goal, and searches again.
/// @param def   copied
/// @return WEND_OK, WEND_STALE_TICKET, WEND_IN_USE (it has one), WEND_BAD_ARGUMENT (a number out of its range; a
///         ghost), WEND_BUSY (it is in the middle of a step, or away, or another disc is in the way),
///         WEND_OUT_OF_MEMORY (the mover's floor)
/// Threads: owner. Cost: O(1); of the first body of a mover O(chunks of the map).
WEND_API wend_error wend_body_add(wend_bodies *bodies, wend_agent_id agent, const wend_body_def *def);

/// Take the body of an agent away: from now on it steps from cell to cell. wend_crowd_remove() removes both.
/// @return WEND_OK, WEND_STALE_TICKET (no such agent, or no body), WEND_BUSY (it is in a step, or another agent holds a
///         cell of its place, or another body's place or disc reaches into it)
/// Threads: owner. Cost: O(size²).
WEND_API wend_error wend_body_remove(wend_bodies *bodies, wend_agent_id agent);

/// A point or a velocity: in 1/16384 of a cell, and in those in a unit of time. A cell's centre is at x × 16384, y ×
/// 16384.
typedef struct wend_body_vector {
    int32_t x, y;
} wend_body_vector;

#define WEND_BODY_UNITS 16384

/// States of a body. RESTS: it stands, and comes back where it is pushed away. GOES: it is on its way. WAITS: before a
/// narrow place, for its turn. RETURNS: it was pushed, and comes back. ASIDE: it makes room. AWAY: its land is not
/// loaded.
enum {
    WEND_BODY_RESTS = 0,
    WEND_BODY_GOES = 1,
    WEND_BODY_WAITS = 2,
    WEND_BODY_RETURNS = 3,
    WEND_BODY_ASIDE = 4,
    WEND_BODY_AWAY = 5
};

typedef struct wend_body_state {
    uint32_t struct_bytes;
    int32_t state;             ///< WEND_BODY_…
    wend_body_vector at;       ///< its centre
    wend_body_vector velocity; ///< of the last update
    wend_body_vector facing;   ///< where it last went, of a vehicle its front, also where it backs; WEND_BODY_UNITS
                               ///< long; 0, 0: it never moved
    uint32_t radius_milli;
    uint32_t speed_milli; ///< the length of the velocity
    uint32_t waited;      ///< updates in which it came no nearer to what it sees of its way
} wend_body_state;

/// Get the state of a body.
/// @param out   receives the state
/// @return WEND_OK, WEND_STALE_TICKET (no such agent, or no body), WEND_BAD_ARGUMENT (struct_bytes)
/// Threads: owner. Cost: O(1).
WEND_API wend_error wend_body_get(const wend_bodies *bodies, wend_agent_id agent, wend_body_state *out);

/// Put a body where the host's physics or animation has moved it. Its agent keeps its goal; without one it stays there.
/// An agent that the host moves in each frame is steered (wend_agent_def.steered, wend_crowd_step() to its own cell):
/// then nothing else moves it, and no agent pushes it.
/// @param at         its centre
/// @param velocity   no faster than its speed
/// @return WEND_OK, WEND_STALE_TICKET (no such agent, or no body), WEND_OUT_OF_RANGE (one of its cells is off the map),
///         WEND_BAD_ARGUMENT (too fast), WEND_BLOCKED (a wall is there), WEND_BUSY (another disc is, or an agent or
///         unit holds the cell; the agent is away), WEND_OUT_OF_MEMORY (tables of the floor); on an error nothing
///         changed. Bodies may overlap down to .95 of their radii's sum: they part again
/// Threads: owner. Cost: O(1).
WEND_API wend_error wend_body_set(wend_bodies *bodies, wend_agent_id agent, wend_body_vector at,
                                  wend_body_vector velocity);

/// All bodies, by index of their agents, for renderers: one call after each update, whatever the rate of the screen.
/// - Between updates: at the part t (0 to 1) of the time from this update to the next, draw a body at point − velocity
///   × (1 − t) × elapsed_milli ÷ 1000. With t = 0 that is its point before this update, with 1 its point.
/// - A leap over a link, and what the host puts with a velocity of 0, is shown at once. On a map that wraps, the point
///   drawn may lie off the map.
/// - The heading is that of the velocity; a body that stands keeps its last one. wend_body_get() has it, too (facing).
typedef struct wend_bodies_view {
    uint32_t struct_bytes;
    uint32_t count;                     ///< elements of each array
    const wend_body_vector *points;     ///< centres
    const wend_body_vector *velocities; ///< of the last update
    const uint32_t *radii;              ///< in WEND_BODY_UNITS; 0: no body, or it is away
} wend_bodies_view;

/// Get all bodies. The arrays belong to the bodies, and are valid until the next call that changes them or their crowd.
/// @param out   receives the view
/// @return WEND_OK, WEND_BAD_ARGUMENT (struct_bytes)
/// Threads: owner. Cost: O(agents).
WEND_API wend_error wend_bodies_get_view(wend_bodies *bodies, wend_bodies_view *out);

#ifdef __cplusplus
}
#endif
#endif
