/* SPDX-License-Identifier: MIT */
/* Internal: the arena of the paths that agents keep: chained blocks, taken from the front as the agent walks. */
#ifndef WEND_SRC_CROWD_STORE_KEPT_PATH_H
#define WEND_SRC_CROWD_STORE_KEPT_PATH_H

#include "map/store/map_layout.h"

enum { WEND__KEPT_NARROW = 112, WEND__KEPT_WIDE = 14 };
#define WEND__NO_BLOCK UINT32_MAX

/// Steps of a path: directions to neighbours on a plane, two a byte; or, for any other step, the numbers of the cells.
typedef struct wend__kept_block {
    uint32_t next;
    uint8_t wide, count, unused[2];
    union {
        uint8_t steps[WEND__KEPT_NARROW / 2];
        uint32_t numbers[WEND__KEPT_WIDE];
    };
} wend__kept_block;

/// The rest of a path. The cell where it begins is the agent's business.
typedef struct wend__kept {
    uint32_t first, last; ///< blocks; WEND__NO_BLOCK: none
    uint32_t taken;       ///< steps of the first block that are gone
    uint32_t steps;       ///< that are left
} wend__kept;

/// Each agent can always have one block: `bare` of the free ones are kept for agents that have none.
typedef struct wend__keep {
    wend__kept_block *blocks;
    uint32_t fresh, free_first, free_count, bare;
    uint32_t width, height; ///< of the map
} wend__keep;

/// @param blocks   at least one for each agent
void wend__keep_init(wend__keep *keep, void *memory, uint32_t blocks, uint32_t agents, const wend_map *map);

static inline wend__kept wend__kept_none(void) {
    return (wend__kept){WEND__NO_BLOCK, WEND__NO_BLOCK, 0, 0};
}

/// Add the step from a cell to another at the end. False: there is no room, and nothing is added.
bool wend__kept_add(wend__keep *keep, wend__kept *path, wend_cell from, wend_cell to);
/// Take the first step; the path is not empty.
void wend__kept_take(wend__keep *keep, wend__kept *path);
/// Keep the first `steps` steps only.
void wend__kept_cut(wend__keep *keep, wend__kept *path, uint32_t steps);
void wend__kept_clear(wend__keep *keep, wend__kept *path);

/// A reader of a path, from its beginning on.
typedef struct wend__kept_reader {
    const wend__keep *keep;
    uint32_t block, at, left;
    wend_cell cell;
} wend__kept_reader;

static inline wend__kept_reader wend__kept_read(const wend__keep *keep, const wend__kept *path, wend_cell start) {
    return (wend__kept_reader){keep, path->first, path->taken, path->steps, start};
}

/// The cell after the first step of a path that is not empty.
wend_cell wend__kept_second(const wend__keep *keep, const wend__kept *path, wend_cell start);
/// Go one step; false at the end.
bool wend__kept_next(wend__kept_reader *reader);

#endif
