/* SPDX-License-Identifier: MIT */
/* Units that clients put on cells. */
#include <stdlib.h>

#include "host/rows.h"

/* ---- a table by cell ---- */

static size_t hash_cell(wend_cell cell) {
    uint64_t hash = (uint32_t)cell.x * UINT64_C(0x9E3779B97F4A7C15);
    hash = (hash ^ hash >> 29 ^ (uint32_t)cell.y) * UINT64_C(0xBF58476D1CE4E5B9);
    hash = (hash ^ hash >> 32 ^ (uint32_t)cell.z) * UINT64_C(0x94D049BB133111EB);
    return (size_t)(hash ^ hash >> 31);
}

static struct host_unit *find_place(const host_units *units, wend_cell cell) {
    size_t at = hash_cell(cell) & (units->capacity - 1);
    for (;; at = (at + 1) & (units->capacity - 1)) {
        struct host_unit *place = &units->places[at];
        const wend_cell there = place->cell;
        if (!place->used || (there.x == cell.x && there.y == cell.y && there.z == cell.z)) return place;
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
    if (larger.places == NULL) return false;
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

void host_units_free(host_units *units) {
    free(units->places);
    *units = (host_units){0};
}

/* Only units that were put there count: those that are agents stay. */
static struct host_unit *place_of(const host *h, wend_cell cell) {
    struct host_unit *place = h->units.capacity > 0 ? find_place(&h->units, cell) : NULL;
    return place && place->used ? place : NULL;
}

/* The file may have one more than clients. */
bool host_units_add(host *h, wend_cell cell) {
    struct host_unit *place = make_place(&h->units, cell);
    if (!place || wend_map_occupy(h->map, cell)) return false;
    place->count++;
    place->will++;
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

static bool expect_unit(host *h, const wend_cell *cell, bool vacate, host_error *error) {
    struct host_unit *place = vacate ? place_of(h, *cell) : make_place(&h->units, *cell);
    if (vacate && (!place || place->will == 0))
        return host_refuse(error, HOST_BAD_ARGUMENT, NULL, "no unit is on a cell");
    if (!place) return host_no_memory(error);
    if (!vacate && place->will >= HOST_MOST_UNITS)
        return host_refuse(error, HOST_BUSY, NULL, "a cell has the most units already");
    place->will += vacate ? -1u : 1;
    return true;
}

static void expect_back(host *h, const wend__order *order, size_t count) {
    for (size_t i = 0; i < count; i++) {
        struct host_unit *place = place_of(h, order->cells.items[i]);
        if (place) place->will += order->kind == WEND__ORDER_VACATE ? 1 : -1u;
    }
}

bool host_check_units(host *h, const host_client *who, const wend__order *order, host_error *error) {
    (void)who;
    for (size_t i = 0; i < order->cells.count; i++) {
        const wend_cell *cell = &order->cells.items[i];
        /* no place is kept for a cell that is off the map */
        if (host_check_cell(h, cell, error) && expect_unit(h, cell, order->kind == WEND__ORDER_VACATE, error)) continue;
        expect_back(h, order, i);
        return false;
    }
    return true;
}

void host_forget_units(host *h, const wend__order *order) {
    expect_back(h, order, order->cells.count);
}

/* A cell has room for its units and an agent, and its count is there since the crowd was made: nothing fails. */
bool host_do_units(host *h, const host_client *who, const wend__order *order, host_error *error) {
    const bool vacate = order->kind == WEND__ORDER_VACATE;
    (void)who;
    for (size_t i = 0; i < order->cells.count; i++) {
        const wend_cell cell = order->cells.items[i];
        struct host_unit *place = place_of(h, cell);
        if (!host_refuse_error(error, vacate ? wend_map_vacate(h->map, cell) : wend_map_occupy(h->map, cell), NULL))
            return false;
        if (place) place->count += vacate ? -1u : 1;
    }
    return true;
}
