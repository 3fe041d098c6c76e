/* SPDX-License-Identifier: MIT */
/* Internal: the arena of the agents' paths, in chained blocks. */
#ifndef WEND_SRC_AGENTS_STATE_STORED_PATH_H
#define WEND_SRC_AGENTS_STATE_STORED_PATH_H

#include "map/store/directions.h"
#include "map/store/map_layout.h"

enum { WEND__BLOCK_DIRECTIONS = 112, WEND__BLOCK_CELLS = 14 };
#define WEND__NO_PATH_BLOCK UINT32_MAX

/// Steps of a path: directions to neighbours on a plane, two a byte; or, for other steps, the numbers of the cells.
typedef struct wend__stored_block {
    uint32_t next;
    uint8_t wide, count, unused[2];
    union {
        uint8_t steps[WEND__BLOCK_DIRECTIONS / 2];
        uint32_t numbers[WEND__BLOCK_CELLS];
    };
} wend__stored_block;

/// A path in the arena. The agent has its first cell.
typedef struct wend__stored_path {
    uint32_t first, last; ///< blocks; WEND__NO_PATH_BLOCK: none
    uint32_t taken;       ///< steps of the first block that were taken
    uint32_t steps;       ///< steps left
} wend__stored_path;

/// Each agent can always have one block: `bare` of the free ones are reserved for agents that have none.
typedef struct wend__path_arena {
    wend__stored_block *blocks;
    uint32_t fresh, free_first, free_count, bare;
    uint32_t width, height; ///< width and height of the map
} wend__path_arena;

/// Returns the number of a cell, and the cell of a number.
static inline uint32_t wend__path_number(const wend__path_arena *keep, wend_cell cell) {
    return ((uint32_t)cell.z * keep->height + (uint32_t)cell.y) * keep->width + (uint32_t)cell.x;
}
static inline wend_cell wend__path_cell(const wend__path_arena *keep, uint32_t number) {
    const uint32_t row = number / keep->width;
    return (wend_cell){(int32_t)(number % keep->width), (int32_t)(row % keep->height), (int32_t)(row / keep->height)};
}

/// @param blocks   at least one for each agent
void wend__path_arena_init(wend__path_arena *keep, void *memory, uint32_t blocks, uint32_t agents, const wend_map *map);

static inline wend__stored_path wend__stored_path_none(void) {
    return (wend__stored_path){WEND__NO_PATH_BLOCK, WEND__NO_PATH_BLOCK, 0, 0};
}

/// Appends the step from a cell to another. Returns false if there is no room; nothing is appended.
bool wend__stored_path_append(wend__path_arena *keep, wend__stored_path *path, wend_cell from, wend_cell to);
/// Takes the first step. The path is not empty.
void wend__stored_path_pop(wend__path_arena *keep, wend__stored_path *path);
/// Keeps the first `steps` steps only.
void wend__stored_path_truncate(wend__path_arena *keep, wend__stored_path *path, uint32_t steps);
/// Returns whether steps can be put before a path, or before what is left of it.
bool wend__stored_path_has_room(const wend__path_arena *keep, const wend__stored_path *path, const wend_cell *cells,
                                uint32_t steps);
/// Puts up to WEND__BLOCK_DIRECTIONS steps before the first step.
/// @param cells   one more than steps; the last is the path's first cell
/// @return false: there is no room; nothing has changed
bool wend__stored_path_lead(wend__path_arena *keep, wend__stored_path *path, const wend_cell *cells, uint32_t steps);
void wend__stored_path_clear(wend__path_arena *keep, wend__stored_path *path);

/// Reads a path from its beginning on.
typedef struct wend__path_reader {
    const wend__path_arena *keep;
    uint32_t block, at, left;
    wend_cell cell;
} wend__path_reader;

static inline wend__path_reader wend__path_read(const wend__path_arena *keep, const wend__stored_path *path,
                                                wend_cell start) {
    return (wend__path_reader){keep, path->first, path->taken, path->steps, start};
}

/// Reads one step. Returns false at the end.
static inline bool wend__path_reader_next(wend__path_reader *reader) {
    if (reader->left == 0) return false;
    reader->left--;
    const wend__stored_block *block = &reader->keep->blocks[reader->block];
    const unsigned d = block->steps[reader->at / 2] >> (reader->at % 2 * 4) & 15;
    if (block->wide)
        reader->cell = wend__path_cell(reader->keep, block->numbers[reader->at]);
    else
        reader->cell.x += wend__dx[d], reader->cell.y += wend__dy[d];
    if (++reader->at == block->count) {
        reader->block = block->next;
        reader->at = 0;
    }
    return true;
}

#endif
