/* SPDX-License-Identifier: MIT */
/* A copy of a map's terrain with its own step rules. The checker judges by it, so the only library code it trusts is
   the reading of terrain classes. The copy follows the map's edits and can go back to earlier epochs. */
#ifndef WEND_SRC_LAB_ORACLE_TERRAIN_COPY_H
#define WEND_SRC_LAB_ORACLE_TERRAIN_COPY_H

#include <stdbool.h>

#include <wend/map.h>

/// The connected parts of the open cells.
typedef struct terrain_parts {
    uint32_t *labels; ///< for each cell, the number of its part from 1; 0: blocked
    uint32_t count;
    uint32_t first[2]; ///< a cell of each of the first two parts
    uint64_t epoch;    ///< of the terrain that they were found on
} terrain_parts;

/// A change of one cell.
typedef struct terrain_change {
    uint64_t epoch; ///< the first that has it
    uint32_t cell;
    uint8_t
        factor; ///< the cell's other factor: the old one where the change is in force, the new one where it is undone
} terrain_change;

typedef struct terrain_copy {
    int32_t width, height;
    uint64_t cells;
    wend_map_rules rules;
    uint8_t *factors;      ///< row by row; 0: blocked
    terrain_parts home;    ///< the parts of the map as it was read
    uint64_t open;         ///< cells of the map as it was read
    uint32_t blocked_cell; ///< the first cell blocked there, where open < cells

    uint64_t epoch;  ///< the newest
    uint64_t oldest; ///< epoch that the log leads back to
    terrain_change *log;
    size_t log_count, log_capacity;
    size_t log_at; ///< changes before it are in force: all, unless the copy is at an earlier epoch
} terrain_copy;

/// Copy a map's terrain and find its parts. @return WEND_OK, WEND_OUT_OF_MEMORY, or an error of the map
wend_error terrain_read(const wend_map *map, terrain_copy *out);
void terrain_free(terrain_copy *land);

/* Follow an edit of the map: first the new epoch, then the new factor of each cell. */
void terrain_begin_epoch(terrain_copy *land, uint64_t epoch);
/// @return false where memory ran out
bool terrain_set(terrain_copy *land, uint32_t cell, uint8_t factor);

/// Take the copy to an epoch. @return false where the epoch is too old or still to come: nothing changes then
bool terrain_go_to(terrain_copy *land, uint64_t epoch);

/// Find the parts at the present epoch; *out is zero, or from an earlier call. @return false where memory ran out
bool terrain_find_parts(const terrain_copy *land, terrain_parts *out);
void terrain_free_parts(terrain_parts *parts);

/// The number of cells that differ from the map; UINT64_MAX where it cannot be read.
uint64_t terrain_compare(const terrain_copy *land, const wend_map *map);

static inline bool terrain_on_map(const terrain_copy *land, int32_t x, int32_t y) {
    return x >= 0 && y >= 0 && x < land->width && y < land->height;
}

/// Index of a cell that is on the map.
static inline uint32_t terrain_index(const terrain_copy *land, wend_cell cell) {
    return (uint32_t)((uint64_t)cell.y * (uint64_t)land->width + (uint64_t)cell.x);
}

static inline wend_cell terrain_cell(const terrain_copy *land, uint32_t index) {
    uint32_t width = (uint32_t)land->width;
    return (wend_cell){(int32_t)(index % width), (int32_t)(index / width), 0};
}

static inline uint8_t terrain_factor(const terrain_copy *land, int32_t x, int32_t y) {
    return terrain_on_map(land, x, y) ? land->factors[(uint64_t)y * (uint64_t)land->width + (uint64_t)x] : 0;
}

/// Cost of one step from a cell, dx and dy from −1 to 1; 0: the rules do not allow it.
uint64_t terrain_step(const terrain_copy *land, wend_cell from, int32_t dx, int32_t dy);

/// Walk a path by these rules. @return how many of its first cells can be walked; *cost receives their cost
size_t terrain_walk(const terrain_copy *land, const wend_cell *path, size_t count, uint64_t *cost);

#endif
