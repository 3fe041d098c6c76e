/* SPDX-License-Identifier: MIT */
/* A plain simulator of agents on a flat grid, around the traffic; and a checker of every decision that shares no code
 * with it. The agents know a distance field of their goal, or only a path that they plan again when pushed off it. */
#ifndef WEND_TESTS_TRAFFIC_WORLD_H
#define WEND_TESTS_TRAFFIC_WORLD_H

#include "agents/manners/traffic.h"
#include "models/defaults.h"
#include <wend/wend.h>
#include <wend/search.h>

typedef struct traffic_driver {
    wend_cell start, goal;
    int32_t speed_milli;    ///< thousandths of a straight step, a frame
    int64_t done, length;   ///< step under way: cost x 1000
    int64_t budget;         ///< left of this frame
    bool wants;             ///< has not reached its goal so far
    bool stays_away;        ///< stays where it is pushed, once off its goal
    uint64_t began, ended;  ///< frames of its goal
    uint64_t lone_frames;   ///< frames of its goal without other agents
    uint32_t plans, pushes; ///< path requests, steps made for others
    wend_cell *path;        ///< with paths: from its start to the goal
    uint32_t path_count, path_capacity, path_at;
    uint32_t plan_wait; ///< frames until the requested path is there
    const uint32_t *field;
} traffic_driver;

static inline bool is_same_cell(wend_cell a, wend_cell b) {
    return a.x == b.x && a.y == b.y && a.z == b.z;
}

typedef struct traffic_world {
    int32_t width, height;
    uint8_t *open; ///< the checker's own terrain
    wend_map *map;
    wend__traffic *traffic;
    void *memory;
    wend__traffic_agent *agents;
    traffic_driver *drivers;
    uint32_t capacity, count;
    uint32_t *asking;     ///< resting agents that are asked in a decision
    bool paths;           ///< agents know a path; else a distance field
    uint32_t plan_frames; ///< frames that a path takes to come
    uint64_t frame;
    wend_search *search;
    struct traffic_field *fields;
    uint32_t *holder, *middle; ///< the checker's: by cell, by twice the middle of a step
    uint32_t stamp;
    uint64_t hash;     ///< hash of all decisions
    const char *fault; ///< first error that the checker found; NULL: none
    uint64_t decide_ns, decisions, steps, pushed_steps;
} traffic_world;

/// @param open   width x height bytes, 1: open
void traffic_world_create(traffic_world *world, int32_t width, int32_t height, const uint8_t *open, uint32_t agents);
/// From rows of '.' and '#' of equal length.
void traffic_world_of_text(traffic_world *world, const char *const *rows, int32_t count, uint32_t agents);
void traffic_world_destroy(traffic_world *world);
/// @return its index
uint32_t traffic_world_add(traffic_world *world, wend_cell cell, int32_t speed_milli);
void traffic_world_go(traffic_world *world, uint32_t agent, wend_cell goal);
/// Runs a frame. Returns false if the checker found a fault, here or before.
bool traffic_world_step(traffic_world *world);
/// Runs frames until all agents have arrived, `most` at most. Returns how many have not.
uint32_t traffic_world_run(traffic_world *world, uint64_t most);
void traffic_world_set_open(traffic_world *world, wend_cell cell, bool open);
bool traffic_world_is_open(const traffic_world *world, int32_t x, int32_t y);
/// Returns the frames that a lone driver takes from its place.
uint64_t traffic_world_lone_frames(traffic_world *world, uint32_t agent);
void traffic_world_print(const traffic_world *world);

#endif
