/* SPDX-License-Identifier: MIT */
/* Random operations on a crowd in random worlds, checked after each update by the models' rules. */
#ifndef WEND_TESTS_CHECK_CROWD_H
#define WEND_TESTS_CHECK_CROWD_H

#include "models/worlds.h"

#include <stdio.h>
#include <stdlib.h>

enum { ACTORS = 24, SERIALS = 1024, ROUTES = 6, BOXES = 4 };

/// The checker's model of an agent.
typedef struct actor {
    wend_agent_id id;
    bool present, ghost, placed; ///< placed: since the last update, so that it made no step
    int mover;
    uint32_t serial, speed;
    wend_cell cell; ///< cell after the last update
    wend_cell goal; ///< goal cell of its last goal, if that has only one
    int32_t reach;
    bool aims; ///< the goal has only one cell
    bool ends; ///< the goal ends by itself
    bool steered;
    bool stepping;  ///< a step to `step` is ordered; it counts as a goal until it begins
    wend_cell step; ///< target of the ordered step
    bool waits_for_group;
    uint32_t waits; ///< waiting updates, except those with long steps under way
} actor;

/// A box that is being cleared.
typedef struct cleared {
    wend_box box;
    bool present, told; ///< told: its event arrived
} cleared;

typedef struct trial {
    uint64_t seed;
    oracle_random random;
    world w;
    wend_map *map;
    wend_service *service;
    wend_crowd *crowd;
    bool polls;
    uint64_t updates, operations, steps;
    actor actors[ACTORS];
    uint32_t routes[ROUTES], route_count;
    bool once[ROUTES];
    uint32_t serials;                        ///< agents added so far
    uint32_t begun[SERIALS], ended[SERIALS]; ///< goals
    uint8_t foreign[WORLD_CELLS];            ///< units of the host
    cleared boxes[BOXES];
    uint32_t boxes_told;  ///< events of this update
    uint32_t last_serial; ///< serial of the last event of this update
    uint64_t endings[16]; ///< events of all trials
    uint64_t waits[16];   ///< agents and updates, by reason of waiting, in all trials
    uint64_t field_goals; ///< goals led by fields, in all trials
    uint64_t far_routes;  ///< far routes taken, in all trials
    uint64_t hash;        ///< hash of all agents' moves in all trials
    bool far;             ///< the map has far layers
} trial;

#define CHECK(condition, ...)                                                                                          \
    do {                                                                                                               \
        if (!(condition)) {                                                                                            \
            fprintf(stderr, "seed %llu, update %llu: ", (unsigned long long)t->seed, (unsigned long long)t->updates);  \
            fprintf(stderr, __VA_ARGS__);                                                                              \
            fprintf(stderr, " (%s:%d)\n", __FILE__, __LINE__);                                                         \
            exit(1);                                                                                                   \
        }                                                                                                              \
    } while (0)

static inline void trial_hash(uint64_t *hash, uint64_t word) {
    *hash = (*hash ^ word) * UINT64_C(1099511628211); /* FNV-1a by words (Fowler, Noll, Vo 1991) */
    *hash ^= *hash >> 29;
}

static inline bool is_same(wend_cell a, wend_cell b) {
    return a.x == b.x && a.y == b.y && a.z == b.z;
}

/// Open a trial in a world of its own, and close it.
void trial_open(trial *t, uint64_t seed);
void trial_close(trial *t);
/// A tick and an update, and everything that must hold afterwards.
void trial_update(trial *t);
/// An event: in order, and no goal ends twice.
void trial_event(void *context, const wend_agent_event *event);
/// An order to step was replaced, or its step has begun: there is no event.
void trial_forget_step(trial *t, actor *a);
/// Fill the world with agents.
void trial_crowd(trial *t);
/// Returns how many boxes that are being cleared have a cell, and how many of these contain an agent at another cell.
unsigned trial_boxes_at(const trial *t, wend_cell cell);
unsigned trial_boxes_left(const trial *t, wend_cell at, int size, wend_cell cell);
/// Returns whether a part of an agent is in a box.
bool trial_is_in_box(const trial *t, wend_cell at, int size);
/// Release a box, if it is being cleared.
void trial_release(trial *t, int number);
/// Makes a random operation.
void trial_operate(trial *t);
/// Ends goals that have no end of their own; then all others must end.
void trial_finish(trial *t);

#endif
