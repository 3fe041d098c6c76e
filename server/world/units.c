/* SPDX-License-Identifier: MIT */
/* Units that orders put on cells. */
#include <stdlib.h>

#include "cli/output/cells.h"
#include "cli/world/heap.h"
#include "live/must/must.h"
#include "world/rows.h"
#include <wend/units.h>

/* ---- a table by cell ---- */

static struct cli_unit *find_place(const cli_units *units, wend_cell cell) {
    size_t at = (size_t)cli_hash_cell(0, cell) & (units->capacity - 1);
    for (;; at = (at + 1) & (units->capacity - 1)) {
        struct cli_unit *place = &units->places[at];
        if (!place->used || cli_same_cell(place->cell, cell)) return place;
    }
}

static bool has_units(const struct cli_unit *place) {
    return place->used && (place->count > 0 || place->will > 0);
}

/* Places without units are dropped, so units that come and go do not enlarge the table. */
static bool grow(cli_units *units) {
    size_t count = 0;
    for (size_t i = 0; i < units->capacity; i++) count += has_units(&units->places[i]);
    cli_units larger = {.capacity = units->capacity == 0          ? 64
                                    : 4 * count < units->capacity ? units->capacity
                                                                  : units->capacity * 2};
    larger.places = cli_alloc_zero(larger.capacity, sizeof *larger.places);
    if (!larger.places) return false;
    for (size_t i = 0; i < units->capacity; i++) {
        if (!has_units(&units->places[i])) continue;
        *find_place(&larger, units->places[i].cell) = units->places[i];
        larger.used++;
    }
    cli_free(units->places);
    *units = larger;
    MUST(2 * (units->used + 1) <= units->capacity); /* or a search would not end */
    return true;
}

static struct cli_unit *make_place(cli_units *units, wend_cell cell) {
    if (2 * (units->used + 1) > units->capacity && !grow(units)) return NULL;
    struct cli_unit *place = find_place(units, cell);
    if (!place->used) *place = (struct cli_unit){.cell = cell, .used = true}, units->used++;
    return place;
}

/* Only explicitly placed units count: units that are agents stay. */
static struct cli_unit *place_of(const world_state *w, wend_cell cell) {
    struct cli_unit *place = w->units->capacity > 0 ? find_place(w->units, cell) : NULL;
    return place && place->used ? place : NULL;
}

bool world_units_begin(world_state *w, const cli_units *file) {
    for (size_t i = 0; i < file->capacity; i++) {
        const uint32_t count = has_units(&file->places[i]) ? file->places[i].count : 0;
        struct cli_unit *place = count > 0 ? make_place(w->units, file->places[i].cell) : NULL;
        if (count > 0 && !place) return false;
        for (uint32_t k = 0; k < count; k++, place->count++, place->will++)
            if (wend_map_occupy(w->map, place->cell)) return false;
    }
    return true;
}

bool world_units_know(world_state *w, wend_cell cell, uint32_t count) {
    struct cli_unit *place = make_place(w->units, cell);
    if (place) place->count = place->will = count;
    return place;
}

size_t world_units_list(const cli_units *units, wend_cell *out) {
    size_t count = 0;
    for (size_t i = 0; i < units->capacity; i++)
        for (uint32_t k = 0; units->places[i].used && k < units->places[i].count; k++) {
            if (out) out[count] = units->places[i].cell;
            count++;
        }
    return count;
}

/* ---- orders: all cells or none ---- */

/* Counts an agent of a client as well, so that a unit can be put there again wherever agents are. */
static uint32_t most_units(const world_state *w) {
    return w->has_clients ? WEND_MAX_OCCUPANTS - 1 : WEND_MAX_OCCUPANTS;
}

/* Refuses if no unit can come to cell `index` of the order, or none is there to go. */
static bool refuse_unit(const world_state *w, const wend_order *order, size_t index, world_error *error) {
    const cli_cell_words words = cli_cell_text(w->kind, order->cells.items[index]);
    error->index = index;
    if (order->kind == WEND_ORDER_VACATE)
        return world_refuse(error, WORLD_BAD_ARGUMENT, &order->cells, "no unit is on %s", words.text);
    return world_refuse(error, WORLD_BUSY, &order->cells, "%u units are on %s already, which is the most",
                        (unsigned)most_units(w), words.text);
}

static bool expect_unit(world_state *w, const wend_order *order, size_t index, world_error *error) {
    const bool vacate = order->kind == WEND_ORDER_VACATE;
    const wend_cell cell = order->cells.items[index];
    struct cli_unit *place = vacate ? place_of(w, cell) : make_place(w->units, cell);
    if (vacate && (!place || place->will == 0)) return w->recorded || refuse_unit(w, order, index, error);
    if (!place) return world_no_memory(error);
    if (!vacate && place->will >= most_units(w)) return refuse_unit(w, order, index, error);
    place->will += vacate ? -1u : 1;
    return true;
}

static void expect_back(world_state *w, const wend_order *order, size_t count) {
    for (size_t i = 0; i < count; i++) {
        struct cli_unit *place = place_of(w, order->cells.items[i]);
        if (place) place->will += order->kind == WEND_ORDER_VACATE ? 1 : -1u;
    }
}

bool world_check_units(world_state *w, const world_client *who, const wend_order *order, world_error *error) {
    (void)who;
    for (size_t i = 0; i < order->cells.count; i++) {
        const wend_cell cell = order->cells.items[i];
        const bool anywhere = w->recorded || order->kind == WEND_ORDER_VACATE;
        if ((anywhere || world_check_loaded(w, (wend_box){cell, cell}, &order->cells, error)) &&
            expect_unit(w, order, i, error))
            continue;
        expect_back(w, order, i);
        return false;
    }
    return true;
}

void world_forget_units(world_state *w, const wend_order *order) {
    expect_back(w, order, order->cells.count);
}

/* For clients a cell has room for its units and an agent, and its count exists since the crowd was made: nothing
 * fails. */
bool world_do_units(world_state *w, const world_client *who, const wend_order *order, world_error *error) {
    const bool vacate = order->kind == WEND_ORDER_VACATE;
    (void)who;
    for (size_t i = 0; i < order->cells.count; i++) {
        const wend_cell cell = order->cells.items[i];
        struct cli_unit *place = place_of(w, cell);
        const wend_error refused = vacate ? wend_map_vacate(w->map, cell) : wend_map_occupy(w->map, cell);
        if (refused == WEND_BUSY || refused == WEND_EMPTY) return refuse_unit(w, order, i, error);
        if (!world_refuse_error(error, refused, NULL)) return false;
        if (place && !(vacate && place->count == 0)) place->count += vacate ? -1u : 1;
    }
    return true;
}

/* ---- cells of a new agent ---- */

/* Visits the cells that an agent would hold: those of its size from `at` on. */
static wend_cell cell_of(wend_cell at, int32_t size, int32_t index) {
    return (wend_cell){at.x + index % size, at.y + index / size % size, at.z + index / (size * size)};
}

static int32_t count_cells(const world_state *w, int32_t size) {
    return w->kind == WEND_KIND_VOXEL ? size * size * size : size * size;
}

void world_free_place(world_state *w, world_agent *agent) {
    for (int32_t i = 0; agent->kept_size > 0 && i < count_cells(w, agent->kept_size); i++)
        (void)wend_map_vacate(w->map, cell_of(agent->kept, agent->kept_size, i));
    agent->kept_size = 0;
}

/* A size-one unit on each cell: agents go round it. */
wend_error world_keep_place(const world_state *w, world_agent *agent, wend_cell at, int32_t size) {
    wend_error error = WEND_OK;
    int32_t i = 0;
    for (; !error && i < count_cells(w, size); i++) error = wend_map_occupy(w->map, cell_of(at, size, i));
    for (i--; error && i-- > 0;) (void)wend_map_vacate(w->map, cell_of(at, size, i));
    agent->kept = at;
    agent->kept_size = error ? 0 : (uint8_t)size;
    return error;
}
