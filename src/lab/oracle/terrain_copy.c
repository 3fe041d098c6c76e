/* SPDX-License-Identifier: MIT */
/* A copy of a map's terrain with its own step rules, and a log of its changes. */
#include <stdlib.h>
#include <string.h>

#include "lab/oracle/terrain_copy.h"
#include "lab/shared/array.h"

enum { LOG_MAX = 1 << 20 };

uint64_t terrain_step(const terrain_copy *land, wend_cell from, int32_t dx, int32_t dy) {
    uint64_t factor = terrain_factor(land, from.x + dx, from.y + dy);
    if (factor == 0 || (dx == 0 && dy == 0)) return 0;
    if (dx == 0 || dy == 0) return (uint64_t)land->rules.cost_straight * factor;
    if (land->rules.neighbours != 8) return 0;
    int open_sides =
        (terrain_factor(land, from.x + dx, from.y) != 0) + (terrain_factor(land, from.x, from.y + dy) != 0);
    if (land->rules.corners == WEND_CORNERS_NEVER && open_sides < 2) return 0;
    if (land->rules.corners == WEND_CORNERS_ONE && open_sides < 1) return 0;
    return (uint64_t)land->rules.cost_diagonal * factor;
}

size_t terrain_walk(const terrain_copy *land, const wend_cell *path, size_t count, uint64_t *cost) {
    *cost = 0;
    if (count == 0 || path[0].z != 0 || terrain_factor(land, path[0].x, path[0].y) == 0) return 0;
    for (size_t i = 1; i < count; i++) {
        int64_t dx = (int64_t)path[i].x - path[i - 1].x, dy = (int64_t)path[i].y - path[i - 1].y;
        if (path[i].z != 0 || dx < -1 || dx > 1 || dy < -1 || dy > 1) return i;
        uint64_t step = terrain_step(land, path[i - 1], (int32_t)dx, (int32_t)dy);
        if (step == 0) return i;
        *cost += step;
    }
    return count;
}

/* ---- parts ---- */

/* Cells that the flood has still to expand. */
typedef struct stack {
    uint32_t *cells;
    size_t count, capacity;
} stack;

static bool push(stack *todo, uint32_t cell) {
    if (!ARRAY_ROOM(todo->cells, todo->capacity, todo->count + 1)) return false;
    todo->cells[todo->count++] = cell;
    return true;
}

/* Every step is legal in both directions, so one flood finds a whole part. */
static bool flood(const terrain_copy *land, uint32_t *labels, uint32_t seed, uint32_t label, stack *todo) {
    labels[seed] = label;
    if (!push(todo, seed)) return false;
    while (todo->count > 0) {
        wend_cell cell = terrain_cell(land, todo->cells[--todo->count]);
        for (int32_t dy = -1; dy <= 1; dy++) {
            for (int32_t dx = -1; dx <= 1; dx++) {
                if (terrain_step(land, cell, dx, dy) == 0) continue;
                uint32_t next = terrain_index(land, (wend_cell){cell.x + dx, cell.y + dy, 0});
                if (labels[next] != 0) continue;
                labels[next] = label;
                if (!push(todo, next)) return false;
            }
        }
    }
    return true;
}

bool terrain_find_parts(const terrain_copy *land, terrain_parts *out) {
    size_t bytes = (size_t)land->cells * sizeof *out->labels;
    if (out->labels == NULL) out->labels = malloc(bytes);
    if (out->labels == NULL) return false;
    memset(out->labels, 0, bytes);
    out->count = 0;
    stack todo = {0};
    bool ok = true;
    for (uint64_t i = 0; i < land->cells && ok; i++) {
        if (land->factors[i] == 0 || out->labels[i] != 0) continue;
        if (out->count < 2) out->first[out->count] = (uint32_t)i;
        ok = flood(land, out->labels, (uint32_t)i, ++out->count, &todo);
    }
    free(todo.cells);
    out->epoch = land->epoch;
    return ok;
}

void terrain_free_parts(terrain_parts *parts) {
    free(parts->labels);
    *parts = (terrain_parts){0};
}

/* ---- from a map ---- */

static void count_open(terrain_copy *land) {
    for (uint64_t i = land->cells; i > 0; i--) {
        if (land->factors[i - 1] == 0)
            land->blocked_cell = (uint32_t)(i - 1);
        else
            land->open++;
    }
}

wend_error terrain_read(const wend_map *map, terrain_copy *out) {
    wend_map_info info = {.struct_bytes = sizeof info};
    wend_map_get_info(map, &info);
    terrain_copy land = {.width = info.width, .height = info.height, .rules = {.struct_bytes = sizeof land.rules}};
    wend_map_get_rules(map, &land.rules);
    land.epoch = land.oldest = info.epoch;
    land.cells = (uint64_t)info.width * (uint64_t)info.height;
    wend_error error = WEND_OUT_OF_MEMORY;
    if (land.cells > SIZE_MAX / sizeof *land.home.labels) return error;
    land.factors = malloc((size_t)land.cells);
    if (land.factors == NULL) goto fail;
    wend_box all = {{0, 0, 0}, {info.width - 1, info.height - 1, 0}};
    error = wend_map_get_terrain_box(map, all, land.factors, (size_t)info.width);
    if (error != WEND_OK) goto fail;
    for (uint64_t i = 0; i < land.cells; i++) land.factors[i] = land.rules.factors[land.factors[i]];
    count_open(&land);
    error = WEND_OUT_OF_MEMORY;
    if (!terrain_find_parts(&land, &land.home)) goto fail;
    *out = land;
    return WEND_OK;
fail:
    terrain_free(&land);
    return error;
}

uint64_t terrain_compare(const terrain_copy *land, const wend_map *map) {
    uint8_t *row = malloc((size_t)land->width);
    uint64_t differ = row == NULL ? UINT64_MAX : 0;
    for (int32_t y = 0; y < land->height && differ != UINT64_MAX; y++) {
        wend_box box = {{0, y, 0}, {land->width - 1, y, 0}};
        if (wend_map_get_terrain_box(map, box, row, (size_t)land->width) != WEND_OK) {
            differ = UINT64_MAX;
            break;
        }
        for (int32_t x = 0; x < land->width; x++) differ += land->rules.factors[row[x]] != terrain_factor(land, x, y);
    }
    free(row);
    return differ;
}

void terrain_free(terrain_copy *land) {
    free(land->factors);
    free(land->log);
    terrain_free_parts(&land->home);
    *land = (terrain_copy){0};
}

/* ---- edits ---- */

void terrain_begin_epoch(terrain_copy *land, uint64_t epoch) {
    terrain_go_to(land, land->epoch);
    land->epoch = epoch;
}

/* A full log drops its older half, and always whole epochs. */
static bool make_room(terrain_copy *land) {
    if (land->log_count < LOG_MAX) return ARRAY_ROOM(land->log, land->log_capacity, land->log_count + 1);
    size_t gone = land->log_count / 2;
    land->oldest = land->log[gone - 1].epoch;
    land->log_count -= gone;
    memmove(land->log, land->log + gone, land->log_count * sizeof *land->log);
    return true;
}

bool terrain_set(terrain_copy *land, uint32_t cell, uint8_t factor) {
    if (!make_room(land)) return false;
    land->log[land->log_count++] = (terrain_change){land->epoch, cell, land->factors[cell]};
    land->log_at = land->log_count;
    land->factors[cell] = factor;
    return true;
}

/* Undo and redo are the same operation: the cell's two factors change places. */
static void swap(terrain_copy *land, terrain_change *change) {
    uint8_t other = change->factor;
    change->factor = land->factors[change->cell];
    land->factors[change->cell] = other;
}

bool terrain_go_to(terrain_copy *land, uint64_t epoch) {
    if (epoch < land->oldest || epoch > land->epoch) return false;
    while (land->log_at > 0 && land->log[land->log_at - 1].epoch > epoch) swap(land, &land->log[--land->log_at]);
    while (land->log_at < land->log_count && land->log[land->log_at].epoch <= epoch)
        swap(land, &land->log[land->log_at++]);
    return true;
}
