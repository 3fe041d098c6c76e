/* SPDX-License-Identifier: MIT */
/* Internal: the arena in which paths wait for their delivery, in chained blocks of 64 bytes. */
#ifndef WEND_SRC_SERVICE_PATH_ARENA_H
#define WEND_SRC_SERVICE_PATH_ARENA_H

#include "map/store/directions.h"
#include "map/version/map.h"
#include "search/open/bucket_queue.h"

/// A path in the arena.
typedef struct wend__path {
    uint32_t first, last; ///< blocks; WEND__NONE: none
    uint32_t blocks;      ///< number of blocks
    bool wide;            ///< cell numbers, not steps
} wend__path;

enum {
    WEND__PATH_BLOCK = 64,
    WEND__PATH_BLOCK_STEPS = 2 * (WEND__PATH_BLOCK - 4), ///< 4 bits each
    WEND__PATH_BLOCK_NUMBERS = (WEND__PATH_BLOCK - 4) / 4
};

/// Part of a path: steps to neighbours on a plane, or the numbers of its cells.
typedef struct wend__path_block {
    uint32_t next;
    union {
        uint8_t steps[WEND__PATH_BLOCK - 4]; ///< two directions a byte, the low half first
        uint32_t numbers[WEND__PATH_BLOCK_NUMBERS];
    };
} wend__path_block;

/// The size of a map, to turn cells into numbers and back.
typedef struct wend__size {
    uint32_t width, height;
} wend__size;

typedef struct wend__paths {
    wend__path_block *blocks;
    uint32_t count, fresh, free_first, free_count;
    uint32_t promised; ///< free blocks reserved for buffered paths
} wend__paths;

void wend__paths_init(wend__paths *paths, void *memory, uint32_t count);
/// Number of blocks of a path; the wide form is the longer one.
uint64_t wend__paths_blocks(uint64_t steps, bool wide);
/// Returns whether there is room for that many steps in the smaller form, apart from reserved blocks.
bool wend__paths_may_fit(const wend__paths *paths, uint64_t steps);
bool wend__paths_is_wide(const wend_cell *cells, uint64_t steps);
/// Stores the steps from cells[0] to cells[steps]. Returns false, without a change, if there is no room.
bool wend__paths_store(wend__paths *paths, wend__size size, const wend_cell *cells, uint64_t steps, wend__path *out);
/// Stores a path of these steps to neighbours on a plane.
bool wend__paths_store_directions(wend__paths *paths, const uint8_t *directions, uint64_t steps, wend__path *out);
/// Frees the blocks of a path, which is empty then.
void wend__paths_free(wend__paths *paths, wend__path *path);
/// Reads the first `steps` cells after `start`.
void wend__paths_spread(const wend__paths *paths, wend__size size, const wend__path *path, wend_cell start,
                        uint64_t steps, wend_cell *out);
static inline wend__path wend__no_path(void) {
    return (wend__path){WEND__NONE, WEND__NONE, 0, false};
}

static inline wend__size wend__size_of(const wend_map *map) {
    int32_t width, height, depth;
    wend__map_size(map, &width, &height, &depth);
    return (wend__size){(uint32_t)width, (uint32_t)height};
}

#endif
