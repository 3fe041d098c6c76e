/* SPDX-License-Identifier: MIT */
/* A copy of a map's terrain with step rules of its own: what the checker judges by, so that it trusts no library code
   beyond reading the terrain classes. It moves with the map's edits, and back to earlier epochs. */
#ifndef WEND_SRC_CLI_CHECKER_GROUND_H
#define WEND_SRC_CLI_CHECKER_GROUND_H

#include <stdbool.h>

#include <wend/map.h>

/// The connected parts of the open ground.
typedef struct ground_parts {
    uint32_t *labels; ///< of the part that a cell belongs to, from 1; 0: blocked
    uint32_t count;
    uint32_t first[2]; ///< a cell of each of the first two parts
    uint64_t epoch;    ///< of the ground that they are those of
} ground_parts;

/// A change of one cell.
typedef struct ground_change {
    uint64_t epoch; ///< the first that has it
    uint32_t cell;
    uint8_t factor; ///< the cell's other one: from before where the change is in force, from after where it is undone
} ground_change;

typedef struct ground {
    int32_t width, height;
    uint64_t cells;
    wend_map_rules rules;
    uint8_t *factors;      ///< row by row; 0: blocked
    ground_parts home;     ///< the parts of the map as it was read
    uint64_t open;         ///< cells of the map as it was read
    uint32_t blocked_cell; ///< the first cell blocked there, where open < cells

    uint64_t epoch;  ///< the newest
    uint64_t oldest; ///< that the log leads back to
    ground_change *log;
    size_t log_count, log_capacity;
    size_t log_at; ///< those before it are in force: all but while the ground is back at an earlier epoch
} ground;

/// Copy a map's terrain and find its parts. WEND_OK, WEND_OUT_OF_MEMORY, or what the map says.
wend_error ground_read(const wend_map *map, ground *out);
void ground_free(ground *land);

/* The map has been edited: say the new epoch, then each cell's new factor. */
void ground_begin_epoch(ground *land, uint64_t epoch);
/// False where there is no memory.
bool ground_set(ground *land, uint32_t cell, uint8_t factor);

/// Take the ground to an epoch. False where that is too long ago, or yet to come: it stays where it is.
bool ground_go_to(ground *land, uint64_t epoch);

/// Find the parts of the ground as it is now; *out is zero, or from an earlier call. False where there is no memory.
bool ground_find_parts(const ground *land, ground_parts *out);
void ground_free_parts(ground_parts *parts);

/// How many cells are not what the map says; UINT64_MAX where it cannot be read.
uint64_t ground_compare(const ground *land, const wend_map *map);

static inline bool ground_on_map(const ground *land, int32_t x, int32_t y) {
    return x >= 0 && y >= 0 && x < land->width && y < land->height;
}

/// Index of a cell that is on the map.
static inline uint32_t ground_index(const ground *land, wend_cell cell) {
    return (uint32_t)((uint64_t)cell.y * (uint64_t)land->width + (uint64_t)cell.x);
}

static inline wend_cell ground_cell(const ground *land, uint32_t index) {
    uint32_t width = (uint32_t)land->width;
    return (wend_cell){(int32_t)(index % width), (int32_t)(index / width), 0};
}

static inline uint8_t ground_factor(const ground *land, int32_t x, int32_t y) {
    return ground_on_map(land, x, y) ? land->factors[(uint64_t)y * (uint64_t)land->width + (uint64_t)x] : 0;
}

/// What one step from a cell costs, dx and dy from −1 to 1; 0: it is no step that the rules allow.
uint64_t ground_step(const ground *land, wend_cell from, int32_t dx, int32_t dy);

/// Walk a path by these rules. @return how many cells, from the first on, can be walked; *cost is what they cost.
size_t ground_walk(const ground *land, const wend_cell *path, size_t count, uint64_t *cost);

#endif
