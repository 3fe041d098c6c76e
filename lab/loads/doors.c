/* SPDX-License-Identifier: MIT */
/* Doors open and close: each batch closes some unneeded ones, and opens the due ones. */
#include "loads/edits.h"

#include <stdlib.h>

#include "shared/random.h"
#include <wend/query.h>
#include <wend/units.h>

enum { CLOSED_MIN = 40, CLOSED_MAX = 120, FEW = 16, MOST_CHOSEN = 256 };

typedef struct door {
    wend_cell cell, sides[2];
    uint64_t opens; ///< frame before which it opens; 0: it is open
} door;

struct walk_doors {
    terrain_copy *land;
    door *list;
    uint32_t *closed; ///< doors closed now
    uint32_t count, closed_count;
    uint64_t each_frame, random;
};

static wend_cell beside(wend_cell at, int32_t dx, int32_t dy) {
    return (wend_cell){at.x + dx, at.y + dy, at.z};
}

static bool is_open(const terrain_copy *land, wend_cell at, int32_t dx, int32_t dy) {
    return terrain_factor(land, beside(at, dx, dy)) != 0;
}

/* Doors of a graph are nodes with two ways out: they lead to its sides. */
static bool find_ends(const terrain_copy *land, uint32_t node, wend_cell sides[2]) {
    const terrain_next *nexts;
    if (land->factors[node] != 1 || terrain_steps(land, node, false, &nexts) != 2) return false;
    for (int i = 0; i < 2; i++) sides[i] = terrain_cell(land, nexts[i].place);
    return !same_cell(sides[0], sides[1]);
}

static bool find_sides(const terrain_copy *land, wend_cell at, wend_cell sides[2]) {
    if (land->kind == WEND_KIND_GRAPH) return find_ends(land, terrain_index(land, at), sides);
    const bool west = is_open(land, at, -1, 0), east = is_open(land, at, 1, 0);
    const bool north = is_open(land, at, 0, -1), south = is_open(land, at, 0, 1);
    if (terrain_factor(land, at) != 1) return false;
    const bool across = west && east && !north && !south, along = north && south && !west && !east;
    sides[0] = across ? beside(at, -1, 0) : beside(at, 0, -1);
    sides[1] = across ? beside(at, 1, 0) : beside(at, 0, 1);
    return across || along;
}

/* Where a map has hardly any doors: random cells with an open one on either side. */
static void choose_doors(walk_doors *doors) {
    const terrain_copy *land = doors->land;
    for (int i = 0; i < 64 * MOST_CHOSEN && doors->count < MOST_CHOSEN; i++) {
        const wend_cell at = terrain_cell(land, (uint32_t)random_below(&doors->random, land->cells));
        const door one = {.cell = at, .sides = {beside(at, -1, 0), beside(at, 1, 0)}};
        bool known = false;
        for (uint32_t j = 0; j < doors->count && !known; j++) known = same_cell(doors->list[j].cell, at);
        if (known || terrain_factor(land, at) != 1) continue;
        if (is_open(land, at, -1, 0) && is_open(land, at, 1, 0)) doors->list[doors->count++] = one;
    }
}

static uint32_t find_doors(const terrain_copy *land, door *out) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < land->cells; i++) {
        door one = {.cell = terrain_cell(land, i)};
        if (!find_sides(land, one.cell, one.sides)) continue;
        if (out) out[count] = one;
        count++;
    }
    return count;
}

walk_doors *walk_doors_create(terrain_copy *land, uint64_t each_frame, uint64_t seed) {
    walk_doors *doors = calloc(1, sizeof *doors);
    if (!doors) return NULL;
    doors->land = land;
    doors->each_frame = each_frame;
    doors->random = seed ^ UINT64_C(0xD0025);
    doors->count = find_doors(land, NULL);
    doors->list = calloc((size_t)doors->count + MOST_CHOSEN, sizeof *doors->list);
    doors->closed = calloc((size_t)doors->count + MOST_CHOSEN, sizeof *doors->closed);
    if (!doors->list || !doors->closed) {
        walk_doors_free(doors);
        return NULL;
    }
    find_doors(land, doors->list);
    if (doors->count < FEW) choose_doors(doors);
    return doors;
}

void walk_doors_free(walk_doors *doors) {
    if (!doors) return;
    free(doors->list);
    free(doors->closed);
    free(doors);
}

uint32_t walk_doors_count(const walk_doors *doors) {
    return doors->count;
}

static bool is_free(const wend_map *map, wend_cell cell) {
    uint32_t units = 0;
    return wend_map_get_occupants(map, cell, &units) == WEND_OK && units == 0;
}

/* Closes a door in the batch, unless that would part its sides: then the cell gets its ground back. */
static wend_error try_to_close(walk_doors *doors, wend_edit *batch, uint32_t index, uint64_t frame) {
    door *one = &doors->list[index];
    bool parts = false;
    wend_error error = wend_edit_set_cell(batch, one->cell, WEND_CLASS_BLOCKED);
    if (error == WEND_OK)
        error = wend_edit_would_disconnect(batch, WEND_MOVER_DEFAULT, one->sides[0], one->sides[1], &parts);
    if (error != WEND_OK || parts != 0)
        return error != WEND_OK ? error : wend_edit_set_cell(batch, one->cell, WEND_CLASS_OPEN);
    one->opens = frame + (uint64_t)random_between(&doors->random, CLOSED_MIN, CLOSED_MAX);
    doors->closed[doors->closed_count++] = index;
    return WEND_OK;
}

/* Opens the due doors; the others stay in the list. */
static uint64_t open_due(walk_doors *doors, wend_edit *batch, uint64_t frame) {
    uint32_t kept = 0;
    const uint32_t before = doors->closed_count;
    for (uint32_t i = 0; i < before; i++) {
        door *one = &doors->list[doors->closed[i]];
        if (one->opens > frame)
            doors->closed[kept++] = doors->closed[i];
        else
            wend_edit_set_cell(batch, one->cell, WEND_CLASS_OPEN), one->opens = 0;
    }
    doors->closed_count = kept;
    return before - kept;
}

/* The copy follows: each door that differs from it. */
static wend_error follow(walk_doors *doors, uint64_t epoch) {
    terrain_begin_epoch(doors->land, epoch);
    for (uint32_t i = 0; i < doors->count; i++) {
        const door *one = &doors->list[i];
        const uint8_t factor = one->opens == 0 ? 1 : 0;
        if (terrain_factor(doors->land, one->cell) == factor) continue;
        if (!terrain_set(doors->land, terrain_index(doors->land, one->cell), factor)) return WEND_OUT_OF_MEMORY;
    }
    return WEND_OK;
}

wend_error walk_doors_go(walk_doors *doors, wend_map *map, uint64_t frame, const uint8_t *wanted, uint64_t *changed) {
    wend_edit *batch;
    uint64_t epoch = 0;
    *changed = 0;
    if (doors->count == 0) return WEND_OK;
    wend_error error = wend_edit_begin(map, &batch);
    if (error != WEND_OK) return error;
    *changed = open_due(doors, batch, frame);
    const uint32_t before = doors->closed_count;
    for (uint64_t i = 0; error == WEND_OK && i < doors->each_frame; i++) {
        const uint32_t index = (uint32_t)random_below(&doors->random, doors->count);
        const wend_cell cell = doors->list[index].cell;
        if (doors->list[index].opens == 0 && !wanted[terrain_index(doors->land, cell)] && is_free(map, cell))
            error = try_to_close(doors, batch, index, frame);
    }
    *changed += doors->closed_count - before;
    if (error != WEND_OK || *changed == 0) {
        wend_edit_discard(batch);
        return error;
    }
    error = wend_edit_publish(batch, &epoch);
    return error == WEND_OK ? follow(doors, epoch) : error;
}
