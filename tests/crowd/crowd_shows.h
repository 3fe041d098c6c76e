/* SPDX-License-Identifier: MIT */
/* Shows of a crowd, by public headers only: doors, a ring, full boards, a funnel, and a town of pedestrians; each frame
 * is checked from outside. */
#ifndef WEND_TESTS_CROWD_SHOWS_H
#define WEND_TESTS_CROWD_SHOWS_H

#include <stdbool.h>
#include <wend/wend.h>

typedef struct show_agent {
    wend_agent_id id;
    int32_t speed_milli;
    wend_cell cell, from; ///< cells after the last frame, and before
    wend_cell goal;
    bool wants;            ///< the goal has not ended
    bool met;              ///< the last goal ended at its goal cell
    uint64_t began, ended; ///< frames of its goal
    uint64_t lone_frames;  ///< frames of the goal without other agents
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
    uint32_t goals, met, partial;
    const char *fault; ///< first error that the checker found; NULL: none
    wend_cell *doors;  ///< doors of a town
    uint32_t door_count;
} show;

enum { SHOW_SPEED = 250, SHOW_STEP_FRAMES = 4 };

/// @param open   width x height bytes, 1: open
void show_open(show *s, int32_t width, int32_t height, const uint8_t *open, uint32_t agents);
void show_close(show *s);
uint32_t show_add(show *s, int32_t x, int32_t y, int32_t speed_milli);
void show_go(show *s, uint32_t agent, int32_t x, int32_t y);
/// Runs a frame: a tick of 400,000 expansions, so that a thousand goals at once wait for few frames; and an update.
/// Returns false if there is a fault.
bool show_frame(show *s);
/// Runs frames until all goals have ended, or `most`. Returns how many goals have not ended, or not been met.
uint32_t show_run(show *s, uint64_t most);
uint64_t show_longest_walk(const show *s);

/// 200 a side cross rooms in a row through doors of one cell; agents of both sides alternate.
void show_doors(show *s, int32_t rooms, int32_t doors);
/// The bar: 3 x (longest lone walk + crossings of a wall / its doors x frames a step).
uint64_t show_doors_bar(const show *s, int32_t doors);
/// A hundred on a ring go to the other side.
void show_ring(show *s);
/// Agents on all cells that are not '#' but `spare` ones, each with another's cell as its goal.
void show_board(show *s, const char *const *rows, int32_t count, uint32_t spare, uint64_t seed);
/// At most a thousand go through a gate.
void show_funnel(show *s, int32_t agents);
/// Returns how many agents are through the gate.
uint32_t show_funnel_through(const show *s);
/// Pedestrians in rooms, or in caves, with random speeds; goals come later.
void show_town(show *s, int32_t side, uint32_t agents, bool caves);
/// Runs a frame of a town: doors open and close. With `another`, agents whose goal has ended get a new one.
bool show_town_frame(show *s, bool another);

#endif
