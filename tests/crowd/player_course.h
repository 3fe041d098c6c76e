/* SPDX-License-Identifier: MIT */
/* A player who walks about among her own followers, moved by the host in one of three ways; counts how often her way is
 * barred. */
#ifndef WEND_TESTS_PLAYER_COURSE_H
#define WEND_TESTS_PLAYER_COURSE_H

#include "models/defaults.h"

#include <stdint.h>
#include <wend/wend.h>

/// Corridors of one cell that meet every four cells, without dead ends; rooms of 5 x 5 cells with a door of one cell
/// to each neighbour; an open field with pillars.
enum { COURSE_CORRIDORS, COURSE_ROOMS, COURSE_PILLARS, COURSE_MAPS };

/// STEERED: by wend_crowd_step(). AGENT: by wend_crowd_go() to the next cell. GHOST: a ghost that the host moves, with
/// a unit on its cell.
enum { COURSE_STEERED, COURSE_AGENT, COURSE_GHOST, COURSE_WAYS };

typedef struct course_result {
    uint32_t turns;   ///< frames in which she stood and wanted to step
    uint32_t blocked; ///< blocked: without a step to the cell that she wanted
    uint32_t longest; ///< most blocked turns in a row
    uint32_t pushed;  ///< times that she was found on another cell than her last target
    uint32_t targets; ///< random cells that she reached
} course_result;

extern const char *const course_map_names[COURSE_MAPS];
extern const char *const course_way_names[COURSE_WAYS];

/// Makes the player walk from random cell to random cell. Exits the program on an error of the library.
course_result course_run(int map, int way, uint32_t followers, uint32_t turns, uint64_t seed);

#endif
