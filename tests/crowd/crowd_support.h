/* SPDX-License-Identifier: MIT */
/* Shared by the crowd's tests: a town of a map, a service and a crowd. The town's own code checks each frame. */
#ifndef WEND_TESTS_CROWD_SUPPORT_H
#define WEND_TESTS_CROWD_SUPPORT_H

#include "models/defaults.h"

#include <stdbool.h>
#include <wend/wend.h>

enum { TOWN_AGENTS = 512, TOWN_EVENTS = 4096 };

/// The checker's model of an agent.
typedef struct town_agent {
    wend_agent_id id;
    bool present, ghost;
    int32_t mover, size;
    wend_cell cell;        ///< cell after the last frame
    uint32_t begun, ended; ///< goals
} town_agent;

typedef struct town {
    wend_map *map;
    wend_service *service;
    wend_crowd *crowd;
    uint64_t frame;
    town_agent agents[TOWN_AGENTS]; ///< in the order of adding
    uint32_t agent_count;
    wend_agent_event events[TOWN_EVENTS]; ///< all, but the oldest ones where there are too many
    uint32_t event_count;
    uint32_t clear_count; ///< events of boxes that are clear
    uint64_t hash;        ///< over all events and positions
    uint64_t budget;
} town;

/// From rows of '.', '#' and digits (terrain classes).
void town_open(town *t, const char *const *rows, int32_t count, const wend_crowd_def *def);
/// On a map of the caller's, which the town releases. def: NULL, or settings; service, map and events are the town's.
void town_open_on(town *t, wend_map *map, const wend_crowd_def *def, uint32_t workers);
/// Opens a town whose service has a queue of this capacity.
void town_open_queue(town *t, wend_map *map, uint32_t queue);
void town_close(town *t);

/// Adds an agent of the default mover. Returns its number.
uint32_t town_add(town *t, int32_t x, int32_t y, uint32_t speed_milli);
uint32_t town_add_def(town *t, const wend_agent_def *def);
void town_remove(town *t, uint32_t agent);
void town_go(town *t, uint32_t agent, int32_t x, int32_t y);
void town_go_all(town *t, const uint32_t *agents, uint32_t count, wend_cell cell, int32_t reach);
void town_halt(town *t, uint32_t agent);
/// Runs a frame, a tick and an update, and checks all rules that hold after each frame.
void town_frame(town *t);
void town_frames(town *t, uint32_t count);
/// Runs frames until all agents are at rest; fails the test after `most`. Returns their number.
uint32_t town_walk(town *t, uint32_t most);

wend_cell town_cell(const town *t, uint32_t agent);
wend_agent_state town_state(const town *t, uint32_t agent);
/// The agent's last event but DISPLACED; 0: none.
int32_t town_last(const town *t, uint32_t agent);
int32_t town_why(const town *t, uint32_t agent);
uint32_t town_count(const town *t, uint32_t agent, int32_t event);
wend_crowd_stats town_counts(const town *t);
bool town_is_at(const town *t, uint32_t agent, int32_t x, int32_t y);
void town_set(town *t, int32_t x, int32_t y, uint8_t class);

#endif
