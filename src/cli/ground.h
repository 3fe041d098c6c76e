/* SPDX-License-Identifier: MIT */
/* A copy of a map's terrain with step rules of its own: what the checker judges by, so that it trusts no library code
   beyond reading the terrain classes. */
#ifndef WEND_SRC_CLI_GROUND_H
#define WEND_SRC_CLI_GROUND_H

#include <stdbool.h>

#include <wend/map.h>

typedef struct ground {
    int32_t width, height;
    uint64_t cells;
    wend_map_rules rules;
    uint8_t *factors; ///< row by row; 0: blocked
    uint32_t *labels; ///< of the connected part that a cell belongs to, from 1; 0: blocked
    uint64_t open;
    uint32_t parts;
    uint32_t part_cell[2]; ///< a cell of each of the first two parts
    uint32_t blocked_cell; ///< the first blocked cell, where open < cells
} ground;

/// Copy a map's terrain and find its parts. WEND_OK, WEND_OUT_OF_MEMORY, or what the map says.
int32_t ground_read(const wend_map *map, ground *out);
void ground_free(ground *land);

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
