/* SPDX-License-Identifier: MIT */
/* Scenes of manners, a row of data each, and small ones at random. Each runs for agents that are cells, for discs, and
 * for both in turns. */
#ifndef WEND_TESTS_SCENES_H
#define WEND_TESTS_SCENES_H

#include <stdbool.h>
#include <wend/ways.h>
#include <wend/wend.h>

/// Kinds of agents. In MIXED every second agent is a disc.
enum { SCENE_CELLS, SCENE_DISCS, SCENE_MIXED, SCENE_MIXES };
/// Orders of a group. GO: each agent goes to a cell of its own. FORM: all, with one order. FOLLOW: they go near the
/// first agent of another letter. STEER: they go straight to their cells, and none is pushed. STAND: they have no goal,
/// and must end where they began. HOME: the same, with that cell as their goal.
enum { SCENE_GO, SCENE_FORM, SCENE_FOLLOW, SCENE_STEER, SCENE_STAND, SCENE_HOME };
enum { SCENE_GROUPS = 5, SCENE_LINKS = 2, SCENE_AGENTS = 64, SCENE_MOST = 3000 };

typedef struct scene_group {
    char of;           ///< letter of the group on the map. 0: the scene has no more groups
    int act;           ///< SCENE_…
    char to;           ///< letter of its goals, the k-th for the k-th agent, the last for all after it; for FOLLOW the
                       ///< letter of the target. 0: its capital
    int32_t near;      ///< cells: GO also ends at this distance if others are on its goal; FOLLOW ends at this distance
    int32_t reach;     ///< radius of the goal
    int32_t formation; ///< formation for FORM, with gaps of two cells
    uint32_t speed_milli; ///< 0: 250
    uint32_t begins;      ///< updates before its order
    bool free;            ///< the scene ends without it
} scene_group;

typedef struct scene {
    const char *name, *rows; ///< '#': a wall; a letter: an agent or goals; a line feed ends a row
    scene_group groups[SCENE_GROUPS];
    struct {
        uint32_t best; ///< updates that the better of cells and discs took when the row was written
        uint8_t open;  ///< bits by mix: mixes that exceed the limit, 1.5 x best
    } limit;
    wend_link links[SCENE_LINKS]; ///< in both directions
    wend_box box;                 ///< box to clear; the scene ends when it is clear. max.x 0: none
} scene;

typedef struct scene_result {
    uint32_t updates;        ///< updates until the end; 0: not within SCENE_MOST
    uint32_t there, awaited; ///< agents
    uint32_t gave_up;
    char fault[288]; ///< discs that overlap; empty: none do
} scene_result;

extern const scene scene_table[];
extern const size_t scene_count;
extern const char *const scene_mixes[SCENE_MIXES];

/// Returns the most updates that the scene may take.
uint32_t scene_limit(const scene *s);
scene_result scene_run(const scene *s, int mix);
/// Returns whether the scene ended within the limit without an agent that gave up.
bool scene_is_met(const scene *s, const scene_result *result);

/// Runs a small scene at random. Returns how many goals have no end after 6,000 updates.
uint32_t scene_random_without_end(uint32_t seed, int mix);

#endif
