/* SPDX-License-Identifier: MIT */
/* The scenarios of `wend stress`: how agents behave, and how much room the service gets. */
#ifndef WEND_LAB_LOADS_SCENARIOS_H
#define WEND_LAB_LOADS_SCENARIOS_H

#include <stdbool.h>
#include <stdint.h>

/// The purpose of a scenario. The checker has promises for each (lab/promises/promises.h).
typedef enum stress_load {
    LOAD_NONE,
    LOAD_BURST,
    LOAD_HORDE,
    LOAD_SIEGE,
    LOAD_ISLANDS,
    LOAD_CLICKS,
    LOAD_PURSUIT,
    LOAD_OVERLOAD,
} stress_load;

/// By name: `--scenario`. A number of 0 means the default of the option or of the service.
typedef struct stress_scenario {
    const char *name;
    uint32_t wait_min, wait_max; ///< frames from an answer to the next asking, up to AGENTS_WAIT_MAX
    uint32_t urgent_wait;        ///< the same for urgent agents; 0: as for all
    uint32_t beat;               ///< all ask in the same frame, every `beat` frames; 0: each at its own time
    uint32_t far_percent;        ///< share of goals that lie anywhere; the others are nearby
    uint32_t queue_part;         ///< the queue has room for one agent in `queue_part`
    bool tight;                  ///< the pool has memory for little more than one complete search
    bool walls;                  ///< edits are whole walls
    uint32_t edits;              ///< cells changed in a frame where --edits is not given
    uint32_t edit_beat;          ///< edits come every this many frames, and are restored in such a frame; 0: always
    uint32_t versions, restarts; ///< limits of the map and of the service; 0: their defaults
    bool crowd;                  ///< agents walk, as with --walk; 2,000 of them where --agents is not given
    bool rivals;                 ///< two agents share a number (wend_request.agent): they replace each other's requests
    stress_load load;
    uint32_t agents, frames;           ///< where --agents and --frames are not given
    uint32_t unreachable, same_goal;   ///< percent, where the options are not given
    uint32_t click_frames, hide_frame; ///< each agent submits again after this many frames and cancels its older
                                       ///< request; every `hide_frame` frames all are cancelled and none comes
    uint32_t move_frames;              ///< the goal of a pending request moves every this many frames
    uint32_t rush;                     ///< rush of the service's tuning
    uint32_t times_served;             ///< requests to submit, as a multiple of those answered in a frame
} stress_scenario;

/// NULL where there is none of that name.
const stress_scenario *stress_scenario_find(const char *name);
/// "even, bursts, …"
extern const char stress_scenario_names[];

#endif
