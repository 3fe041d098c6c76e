/* SPDX-License-Identifier: MIT */
/* Growing: settings and figures of discs may be added; what a disc does may change. See docs/stability.md. */
/* Bodies of a crowd: agents that are discs and move in continuous space.
 *
 * A crowd has bodies: wend_crowd_set_body() gives an agent one, or takes it. The agent keeps its goals, searches and
 * events, and the steps from cell to cell that others grant it; its disc carries them out in straight lines where it
 * sees ahead. All agents are drawn alike, from wend_crowd_get_view().
 *
 * After each update no two discs overlap, unless the host put them so, no disc covers a blocked cell, and none is
 * faster than its agent's speed. In this an agent without a body is a disc as wide as its cells, on the rest of the
 * way of its step. An agent holds one place, where its body stands or to which it was granted a step. The centre is in
 * it, or on the way there: at most half a cell, along each axis, from the straight line between the middles of the last
 * place and of this one; before a link in the last one. The centre of a mover of more cells is in the middle of all that
 * it covers.
 *
 * Lengths are in thousandths of a cell (_milli), times in units of time, as in crowd.h. All is integers: the same calls
 * give the same positions, with any number of workers.
 *
 * Threads: all functions belong to the thread that ticks the crowd's service. */
#ifndef WEND_BODY_H
#define WEND_BODY_H

#include <wend/crowd.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Limits of a body: the least and the greatest radius (500 more for each further cell of the mover's side), turns in
/// degrees in a unit of time, and the greatest acceleration and radius of turning.
#define WEND_MIN_RADIUS_MILLI 100
#define WEND_MAX_RADIUS_MILLI 499
#define WEND_MAX_TURN_DEGREES 180
#define WEND_MAX_ACCEL_MILLI 1000000
#define WEND_MAX_TURNING_MILLI 64000
/// The fastest speed of an agent with a body.
#define WEND_MAX_BODY_SPEED_MILLI 1000

/// A body. Its top speed is its agent's: at most WEND_MAX_BODY_SPEED_MILLI, faster agents go so fast.
typedef struct wend_body_def {
    uint32_t struct_bytes;
    uint32_t radius_milli; ///< WEND_MIN_RADIUS_MILLI to WEND_MAX_RADIUS_MILLI, of a larger mover less than
                           ///< half its side. Default 400
    uint32_t accel_milli;  ///< most gain of speed in a unit of time, up to WEND_MAX_ACCEL_MILLI. It brakes by as
                           ///< much, near walls and as a vehicle by twice as much, and stops at once where
                           ///< something is in its way. 0: it reaches its top speed in 3 units
    uint32_t turn_degrees; ///< most turn in a unit of time, up to WEND_MAX_TURN_DEGREES. Below an eighth of its
                           ///< top speed it turns as it likes. 0: smooth. Default 0
    uint32_t turning_radius_milli; ///< the least circle it turns on, up to WEND_MAX_TURNING_MILLI: with more than 0
                                   ///< it never turns on the spot. Default 0
} wend_body_def;

/// Set the defaults of a body.
/// @param bytes   sizeof *def
/// Threads: any. Cost: O(1).
WEND_API void wend_body_def_init(wend_body_def *def, size_t bytes);

/// Give an agent a body, in the middle of what it covers, or take its body away: from then on it steps from cell to
/// cell. It keeps its goal, and with a body searches again. wend_crowd_remove() removes both.
/// - The first body takes memory from the crowd's allocator, until wend_crowd_destroy(): about 150 bytes for each agent
///   of the definition and 3 for each cell of the map; the first of each further mover 2 for each cell. Memory of
///   chunks to which no body comes is not touched. Updates allocate nothing, but on a streamed map where bodies first
///   come to a chunk.
/// @param def   copied; NULL: no body
/// @return WEND_OK, WEND_UNSUPPORTED (voxels, graphs, hexagons), WEND_STALE_TICKET (no such agent; no body to take),
///         WEND_IN_USE (it has one), WEND_BAD_ARGUMENT (a number out of its range; a ghost), WEND_BUSY (it is away; to
///         give: it is in the middle of a step, or another disc is in the way; to take: another agent holds a cell of
///         its place, or another disc reaches into its cell or its step), WEND_OUT_OF_MEMORY. On an error nothing
///         changed
/// Threads: owner. Cost: O(size²); of the first body, and of the first of a mover, O(agents + chunks of the map).
WEND_API wend_error wend_crowd_set_body(wend_crowd *crowd, wend_agent_id agent, const wend_body_def *def);

/// States of a body. RESTS: it stands, and comes back where it is pushed away. GOES: it is on its way. WAITS: it was
/// refused its next place, also before a narrow way, for its turn. RETURNS: it is on its way back to its place. ASIDE:
/// others push it to another one. AWAY: its land is not loaded.
enum {
    WEND_BODY_RESTS = 0,
    WEND_BODY_GOES = 1,
    WEND_BODY_WAITS = 2,
    WEND_BODY_RETURNS = 3,
    WEND_BODY_ASIDE = 4,
    WEND_BODY_AWAY = 5
};

/// An exact point or velocity, in 1/WEND_BODY_UNITS of a cell.
typedef struct wend_body_vector {
    int32_t x, y;
} wend_body_vector;

#define WEND_BODY_UNITS 16384

typedef struct wend_body_state {
    uint32_t struct_bytes;
    int32_t state;       ///< WEND_BODY_…
    wend_point at;       ///< its centre
    wend_point velocity; ///< of the last update, in a unit of time
    wend_point facing; ///< where it last went, of a vehicle its front, also where it backs; 1000 long; all 0: it never
                       ///< moved
    uint32_t radius_milli;
    uint32_t speed_milli; ///< the length of the velocity
    uint32_t waited;      ///< updates that its agent has waited for its next cell
    /// The same as `at` and `velocity`, not rounded: for checks of distances.
    wend_body_vector exact_at, exact_velocity;
} wend_body_state;

/// Get the state of a body.
/// @param out   receives the state
/// @return WEND_OK, WEND_STALE_TICKET (no such agent, or no body), WEND_BAD_ARGUMENT (struct_bytes)
/// Threads: owner. Cost: O(1).
WEND_API wend_error wend_crowd_get_body(const wend_crowd *crowd, wend_agent_id agent, wend_body_state *out);

/// Put a body where the host's physics or animation has moved it. Its agent keeps its goal; without one it stays there.
/// An agent that the host moves in each frame is steered (wend_agent_def.steered, wend_crowd_step() to its own cell):
/// then nothing else moves it, and no agent pushes it. Other steps of a steered agent that are blocked end with the
/// update, with a body as without.
/// @param at         its centre; z is 0
/// @param velocity   no faster than its speed; z is 0
/// @return WEND_OK, WEND_STALE_TICKET (no such agent, or no body), WEND_OUT_OF_RANGE (one of its cells is off the map),
///         WEND_BAD_ARGUMENT (too fast), WEND_BLOCKED (a wall is there), WEND_BUSY (another disc is, or another agent,
///         also with a body, or a unit holds the cell; the agent is away), WEND_OUT_OF_MEMORY (tables of the floor); on an error nothing
///         changed. Bodies may overlap down to .95 of their radii's sum: they part again
/// Threads: owner. Cost: O(1).
WEND_API wend_error wend_crowd_place_body(wend_crowd *crowd, wend_agent_id agent, wend_point at, wend_point velocity);

#ifdef __cplusplus
}
#endif
#endif
