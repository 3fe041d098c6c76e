/* SPDX-License-Identifier: MIT */
/* Units that orders put on cells. */
#include <stdlib.h>

#include "cli/output/cells.h"
#include "world/rows.h"
#include <wend/units.h>

/* ---- a table by cell ---- */

static struct host_unit *find_place(const host_units *units, wend_cell cell) {
    size_t at = (size_t)host_hash_cell(0, cell) & (units->capacity - 1);
    for (;; at = (at + 1) & (units->capacity - 1)) {
        struct host_unit *place = &units->places[at];
        if (!place->used || host_same_cell(place->cell, cell)) return place;
    }
}

static bool has_units(const struct host_unit *place) {
    return place->used && (place->count > 0 || place->will > 0);
}

/* Places without units are left out, so units that come and go make it no larger. */
static bool grow(host_units *units) {
    size_t count = 0;
    for (size_t i = 0; i < units->capacity; i++) count += has_units(&units->places[i]);
    host_units larger = {.capacity = units->capacity == 0          ? 64
                                     : 4 * count < units->capacity ? units->capacity
                                                                   : units->capacity * 2};
    larger.places = calloc(larger.capacity, sizeof *larger.places);
    if (!larger.places) return false;
    for (size_t i = 0; i < units->capacity; i++) {
        if (!has_units(&units->places[i])) continue;
        *find_place(&larger, units->places[i].cell) = units->places[i];
        larger.used++;
    }
    free(units->places);
    *units = larger;
    return true;
}

static struct host_unit *make_place(host_units *units, wend_cell cell) {
    if (2 * (units->used + 1) > units->capacity && !grow(units)) return NULL;
    struct host_unit *place = find_place(units, cell);
    if (!place->used) *place = (struct host_unit){.cell = cell, .used = true}, units->used++;
    return place;
}

/* Only units that were put there count: those that are agents stay. */
static struct host_unit *place_of(const host *h, wend_cell cell) {
    struct host_unit *place = h->units->capacity > 0 ? find_place(h->units, cell) : NULL;
    return place && place->used ? place : NULL;
}

bool host_units_begin(host *h, const host_units *file) {
    for (size_t i = 0; i < file->capacity; i++) {
        const uint32_t count = has_units(&file->places[i]) ? file->places[i].count : 0;
        struct host_unit *place = count > 0 ? make_place(h->units, file->places[i].cell) : NULL;
        if (count > 0 && !place) return false;
        for (uint32_t k = 0; k < count; k++, place->count++, place->will++)
            if (wend_map_occupy(h->map, place->cell)) return false;
    }
    return true;
}

size_t host_units_list(const host_units *units, wend_cell *out) {
    size_t count = 0;
    for (size_t i = 0; i < units->capacity; i++)
        for (uint32_t k = 0; units->places[i].used && k < units->places[i].count; k++) {
            if (out) out[count] = units->places[i].cell;
            count++;
        }
    return count;
}

/* ---- orders: all of the cells or none ---- */

/* An agent of a client always has room, too, so that a unit can be put there again wherever agents are. */
static uint32_t most_units(const host *h) {
    return h->has_clients ? WEND_MAX_OCCUPANTS - 1 : WEND_MAX_OCCUPANTS;
}

/* No unit can come to cell `index` of the order, or none is there to go. */
static bool refuse_unit(const host *h, const wend_order *order, size_t index, host_error *error) {
    const host_cell_words words = host_cell_text(h->kind, order->cells.items[index]);
    error->index = index;
    if (order->kind == WEND_ORDER_VACATE)
        return host_refuse(error, HOST_BAD_ARGUMENT, &order->cells, "no unit is on %s", words.text);
    return host_refuse(error, HOST_BUSY, &order->cells, "%u units are on %s already, which is the most",
                       (unsigned)most_units(h), words.text);
}

static bool expect_unit(host *h, const wend_order *order, size_t index, host_error *error) {
    const bool vacate = order->kind == WEND_ORDER_VACATE;
    const wend_cell cell = order->cells.items[index];
    struct host_unit *place = vacate ? place_of(h, cell) : make_place(h->units, cell);
    if (vacate && (!place || place->will == 0)) return h->recorded || refuse_unit(h, order, index, error);
    if (!place) return host_no_memory(error);
    if (!vacate && place->will >= most_units(h)) return refuse_unit(h, order, index, error);
    place->will += vacate ? -1u : 1;
    return true;
}

static void expect_back(host *h, const wend_order *order, size_t count) {
    for (size_t i = 0; i < count; i++) {
        struct host_unit *place = place_of(h, order->cells.items[i]);
        if (place) place->will += order->kind == WEND_ORDER_VACATE ? 1 : -1u;
    }
}

bool host_check_units(host *h, const host_client *who, const wend_order *order, host_error *error) {
    (void)who;
    for (size_t i = 0; i < order->cells.count; i++) {
        const wend_cell cell = order->cells.items[i];
        const bool anywhere = h->recorded || order->kind == WEND_ORDER_VACATE;
        if ((anywhere || host_check_loaded(h, (wend_box){cell, cell}, &order->cells, error)) &&
            expect_unit(h, order, i, error))
            continue;
        expect_back(h, order, i);
        return false;
    }
    return true;
}

void host_forget_units(host *h, const wend_order *order) {
    expect_back(h, order, order->cells.count);
}

/* For clients a cell has room for its units and an agent, and its count is there since the crowd was made: nothing
 * fails. */
bool host_do_units(host *h, const host_client *who, const wend_order *order, host_error *error) {
    const bool vacate = order->kind == WEND_ORDER_VACATE;
    (void)who;
    for (size_t i = 0; i < order->cells.count; i++) {
        const wend_cell cell = order->cells.items[i];
        struct host_unit *place = place_of(h, cell);
        const wend_error refused = vacate ? wend_map_vacate(h->map, cell) : wend_map_occupy(h->map, cell);
        if (refused == WEND_BUSY || refused == WEND_EMPTY) return refuse_unit(h, order, i, error);
        if (!host_refuse_error(error, refused, NULL)) return false;
        if (place && !(vacate && place->count == 0)) place->count += vacate ? -1u : 1;
    }
    return true;
}
