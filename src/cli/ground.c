/* SPDX-License-Identifier: MIT */
/* A copy of a map's terrain with step rules of its own. */
#include <stdlib.h>

#include "ground.h"

uint64_t ground_step(const ground *land, wend_cell from, int32_t dx, int32_t dy) {
    uint64_t factor = ground_factor(land, from.x + dx, from.y + dy);
    if (factor == 0 || (dx == 0 && dy == 0)) return 0;
    if (dx == 0 || dy == 0) return (uint64_t)land->rules.cost_straight * factor;
    if (land->rules.neighbours != 8) return 0;
    int open_sides = (ground_factor(land, from.x + dx, from.y) != 0) + (ground_factor(land, from.x, from.y + dy) != 0);
    if (land->rules.corners == WEND_CORNERS_NEVER && open_sides < 2) return 0;
    if (land->rules.corners == WEND_CORNERS_ONE && open_sides < 1) return 0;
    return (uint64_t)land->rules.cost_diagonal * factor;
}

size_t ground_walk(const ground *land, const wend_cell *path, size_t count, uint64_t *cost) {
    *cost = 0;
    if (count == 0 || path[0].z != 0 || ground_factor(land, path[0].x, path[0].y) == 0) return 0;
    for (size_t i = 1; i < count; i++) {
        int64_t dx = (int64_t)path[i].x - path[i - 1].x, dy = (int64_t)path[i].y - path[i - 1].y;
        if (path[i].z != 0 || dx < -1 || dx > 1 || dy < -1 || dy > 1) return i;
        uint64_t step = ground_step(land, path[i - 1], (int32_t)dx, (int32_t)dy);
        if (step == 0) return i;
        *cost += step;
    }
    return count;
}

/* Cells still to be looked at by the flood. */
typedef struct stack {
    uint32_t *cells;
    size_t count, capacity;
} stack;

static bool push(stack *todo, uint32_t cell) {
    if (todo->count == todo->capacity) {
        size_t capacity = todo->capacity == 0 ? 1024 : todo->capacity * 2;
        uint32_t *larger = realloc(todo->cells, capacity * sizeof *larger);
        if (larger == NULL) return false;
        todo->cells = larger;
        todo->capacity = capacity;
    }
    todo->cells[todo->count++] = cell;
    return true;
}

/* Every step can also be walked back, so one flood finds a whole part. */
static bool flood(ground *land, uint32_t seed, uint32_t label, stack *todo) {
    land->labels[seed] = label;
    if (!push(todo, seed)) return false;
    while (todo->count > 0) {
        wend_cell cell = ground_cell(land, todo->cells[--todo->count]);
        for (int32_t dy = -1; dy <= 1; dy++) {
            for (int32_t dx = -1; dx <= 1; dx++) {
                if (ground_step(land, cell, dx, dy) == 0) continue;
                uint32_t next = ground_index(land, (wend_cell){cell.x + dx, cell.y + dy, 0});
                if (land->labels[next] != 0) continue;
                land->labels[next] = label;
                if (!push(todo, next)) return false;
            }
        }
    }
    return true;
}

static bool find_parts(ground *land) {
    stack todo = {0};
    bool ok = true;
    for (uint64_t i = 0; i < land->cells && ok; i++) {
        if (land->factors[i] == 0) {
            if (land->open == i) land->blocked_cell = (uint32_t)i;
            continue;
        }
        land->open++;
        if (land->labels[i] != 0) continue;
        if (land->parts < 2) land->part_cell[land->parts] = (uint32_t)i;
        ok = flood(land, (uint32_t)i, ++land->parts, &todo);
    }
    free(todo.cells);
    return ok;
}

int32_t ground_read(const wend_map *map, ground *out) {
    wend_map_info info = {.struct_bytes = sizeof info};
    wend_map_describe(map, &info);
    ground land = {.width = info.width, .height = info.height, .rules = info.rules};
    land.cells = (uint64_t)info.width * (uint64_t)info.height;
    int32_t error = WEND_OUT_OF_MEMORY;
    if (land.cells > SIZE_MAX / sizeof *land.labels) return error;
    land.factors = malloc((size_t)land.cells);
    land.labels = calloc((size_t)land.cells, sizeof *land.labels);
    if (land.factors == NULL || land.labels == NULL) goto fail;
    wend_box all = {{0, 0, 0}, {info.width - 1, info.height - 1, 0}};
    error = wend_map_read(map, all, land.factors, (size_t)info.width);
    if (error != WEND_OK) goto fail;
    for (uint64_t i = 0; i < land.cells; i++) land.factors[i] = info.rules.factors[land.factors[i]];
    error = WEND_OUT_OF_MEMORY;
    if (!find_parts(&land)) goto fail;
    *out = land;
    return WEND_OK;
fail:
    ground_free(&land);
    return error;
}

void ground_free(ground *land) {
    free(land->factors);
    free(land->labels);
    *land = (ground){0};
}
