/* SPDX-License-Identifier: MIT */
/* The table of scenarios. `wend stress --help` describes them. */
#include <string.h>

#include "loads/scenarios.h"

#define USUAL_WAITS .wait_min = 20, .wait_max = 60
#define SHORT_WAITS .wait_min = 1, .wait_max = 20

static const stress_scenario scenarios[] = {
    {.name = "even", USUAL_WAITS, .far_percent = 1, .queue_part = 1},
    {.name = "bursts", .beat = 100, .far_percent = 1, .queue_part = 1},
    {.name = "urgent-stream", USUAL_WAITS, .urgent_wait = 1, .far_percent = 1, .queue_part = 1},
    {.name = "crowded", .beat = 100, .far_percent = 1, .queue_part = 4},
    {.name = "far", USUAL_WAITS, .far_percent = 100, .queue_part = 1},
    {.name = "tight", USUAL_WAITS, .far_percent = 20, .queue_part = 1, .tight = true},
    {.name = "walls",
     USUAL_WAITS,
     .far_percent = 10,
     .queue_part = 1,
     .walls = true,
     .edits = 10,
     .versions = 3,
     .restarts = 2},
    {.name = "rivals", SHORT_WAITS, .far_percent = 20, .queue_part = 1, .rivals = true},
    {.name = "crowd", USUAL_WAITS, .far_percent = 1, .queue_part = 1, .crowd = true, .agents = 2000},
    {.name = "burst", .beat = 100, .far_percent = 100, .queue_part = 1, .load = LOAD_BURST, .frames = 1},
    {.name = "horde", .beat = 100, .far_percent = 100, .queue_part = 1, .load = LOAD_HORDE, .same_goal = 100},
    {.name = "siege",
     SHORT_WAITS,
     .far_percent = 100,
     .queue_part = 1,
     .load = LOAD_SIEGE,
     .walls = true,
     .edits = 400,
     .edit_beat = 20},
    {.name = "islands", SHORT_WAITS, .far_percent = 100, .queue_part = 1, .load = LOAD_ISLANDS, .unreachable = 30},
    {.name = "clicks", .far_percent = 100, .queue_part = 1, .load = LOAD_CLICKS, .click_frames = 10, .hide_frame = 100},
    {.name = "pursuit", SHORT_WAITS, .far_percent = 100, .queue_part = 1, .load = LOAD_PURSUIT, .move_frames = 5},
    {.name = "overload",
     .far_percent = 100,
     .queue_part = 10,
     .load = LOAD_OVERLOAD,
     .agents = 10000,
     .frames = 3600,
     .rush = 601,
     .times_served = 10},
};

const char stress_scenario_names[] = "even, bursts, urgent-stream, crowded, far, tight, walls, rivals, crowd, burst, "
                                     "horde, siege, islands, clicks, pursuit, overload";

const stress_scenario *stress_scenario_find(const char *name) {
    for (size_t i = 0; i < sizeof scenarios / sizeof scenarios[0]; i++) {
        if (strcmp(scenarios[i].name, name) == 0) return &scenarios[i];
    }
    return NULL;
}
