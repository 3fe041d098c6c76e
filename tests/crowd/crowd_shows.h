/* SPDX-License-Identifier: MIT */
/* Shows of a crowd: doors, a ring, corridors, a funnel, and a town of pedestrians; each frame checked from outside.
 * Public headers only: the tests and a bench share them. */
#ifndef WEND_TESTS_CROWD_SHOWS_H
#define WEND_TESTS_CROWD_SHOWS_H

#include <stdbool.h>
#include <wend/wend.h>

typedef struct show_agent {
    wend_agent_id id;
    int32_t speed_milli;
    wend_cell cell, from; ///< that it held after the last frame, and where it came from
    wend_cell goal;
    bool wants;            ///< its goal has not ended
    bool met;              ///< its last goal ended where it was to end
    uint64_t began, ended; ///< frames of its goal
    uint64_t lone_frames;  ///< the same if nobody were in its way
} show_agent;

typedef struct show {
    int32_t width, height;
    uint8_t *open; ///< the checker's own terrain
    wend_map *map;
    wend_service *service;
    wend_crowd *crowd;
    show_agent *agents;
    uint32_t count, capacity;
    uint64_t frame, random;
    uint64_t tick_ns, update_ns; ///< of the thread's time
    uint32_t goals, met, partial, gave_up, rerouted;
    uint32_t *holder, *middle, stamp; ///< the checker's: by cell, by twice the middle of a step
    const char *fault;                ///< what the checker found; NULL: nothing
    wend_cell *doors;                 ///< of a town
    uint32_t door_count;
} show;

enum { SHOW_SPEED = 250, SHOW_STEP_FRAMES = 4 };

/// @param open   width x height bytes, 1: open
void show_open(show *s, int32_t width, int32_t height, const uint8_t *open, uint32_t agents);
void show_close(show *s);
uint32_t show_add(show *s, int32_t x, int32_t y, int32_t speed_milli);
void show_go(show *s, uint32_t agent, int32_t x, int32_t y);
/// One frame: a tick of 400,000 expansions, so that a thousand goals at once wait for few frames; and an update.
/// False: there is a fault.
bool show_frame(show *s);
/// Frames until all goals have ended, or `most`. Returns how many goals have not ended, or not been met.
uint32_t show_run(show *s, uint64_t most);
uint64_t show_longest_walk(const show *s);

/// `side` on each side cross rooms in a row through doors of one cell; those of either side alternate.
void show_doors(show *s, int32_t rooms, int32_t doors, int32_t side);
/// The bar: 3 x (longest lone walk + crossings of a wall / its doors x frames a step).
uint64_t show_doors_bar(const show *s, int32_t doors);
/// A hundred on a ring go to the other side.
void show_ring(show *s);
/// Small letters go to their capitals.
void show_corridor(show *s, const char *const *rows, int32_t count);
/// At most a thousand go through a gate.
void show_funnel(show *s, int32_t agents);
/// How many are through the gate.
uint32_t show_funnel_through(const show *s);
/// Pedestrians in rooms, or in caves, with random speeds and no goals yet.
void show_town(show *s, int32_t side, uint32_t agents, bool caves);
/// A frame of a town: doors open and close, and those whose goal has ended get another one, if `another`.
bool show_town_frame(show *s, bool another);

#endif
