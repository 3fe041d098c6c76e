/* SPDX-License-Identifier: MIT */
/* Edits of clients, each a batch and an epoch of its own, and units. */
#define _GNU_SOURCE

#include <stdlib.h>

#include "cli/serve/serve.h"

void serve_refuse(wend_live_reply *reply, int32_t error, const char *text) {
    reply->error = error;
    reply->text = text;
}

void serve_refuse_error(wend_live_reply *reply, wend_error error) {
    switch (error) {
    case WEND_OK: return;
    case WEND_OUT_OF_RANGE: reply->error = WEND_LIVE_OUT_OF_RANGE; break;
    case WEND_BUSY:
    case WEND_CLOSED:
    case WEND_IN_USE:
    case WEND_OUT_OF_MEMORY: reply->error = WEND_LIVE_BUSY; break;
    default: reply->error = WEND_LIVE_BAD_ARGUMENT;
    }
    reply->text = wend_error_detail(error);
}

/* ---- edits ---- */

static wend_error apply(const serve *server, wend_edit *batch, const wend_live_change *change) {
    uint8_t terrain;
    switch (change->what) {
    case WEND_LIVE_STEP: return wend_edit_set_step(batch, change->from, change->to, change->value);
    case WEND_LIVE_LINK: return wend_edit_add_link(batch, change->from, change->to, change->value);
    case WEND_LIVE_UNLINK: return wend_edit_remove_link(batch, change->from, change->to);
    default: break;
    }
    const wend_error error = wend_map_get_terrain(server->map, change->from, &terrain);
    if (error != WEND_OK) return error;
    return wend_edit_fill_box(batch, (wend_box){change->from, change->to}, (uint8_t)change->value);
}

bool serve_edit_change(serve *server, wend_edit *batch, const wend_live_change *change, wend_live_reply *reply) {
    const wend_error error = apply(server, batch, change);
    serve_refuse_error(reply, error);
    return error == WEND_OK;
}

bool serve_edit_changes(serve *server, wend_edit *batch, const wend_live_order *order, wend_live_reply *reply) {
    for (uint64_t i = 0; i < order->change_count; i++)
        if (!serve_edit_change(server, batch, &order->changes[i], reply)) return false;
    return true;
}

void serve_edit(serve *server, const wend_live_order *order, wend_live_reply *reply) {
    wend_edit *batch;
    const wend_error error = wend_edit_begin(server->map, &batch);
    serve_refuse_error(reply, error);
    if (error != WEND_OK) return;
    if (serve_edit_changes(server, batch, order, reply))
        serve_refuse_error(reply, wend_edit_publish(batch, &reply->epoch));
    else
        wend_edit_discard(batch);
}

/* ---- units ---- */

static size_t hash_cell(wend_cell cell) {
    uint64_t hash = (uint32_t)cell.x * UINT64_C(0x9E3779B97F4A7C15);
    hash = (hash ^ hash >> 29 ^ (uint32_t)cell.y) * UINT64_C(0xBF58476D1CE4E5B9);
    hash = (hash ^ hash >> 32 ^ (uint32_t)cell.z) * UINT64_C(0x94D049BB133111EB);
    return (size_t)(hash ^ hash >> 31);
}

static struct serve_unit *find_place(const serve_units *units, wend_cell cell) {
    size_t at = hash_cell(cell) & (units->capacity - 1);
    for (;; at = (at + 1) & (units->capacity - 1)) {
        struct serve_unit *place = &units->places[at];
        const wend_cell there = place->cell;
        if (!place->used || (there.x == cell.x && there.y == cell.y && there.z == cell.z)) return place;
    }
}

static bool has_units(const struct serve_unit *place) {
    return place->used && (place->count > 0 || place->will > 0);
}

/* Places without units are left out, so units that come and go make it no larger. */
static bool grow(serve_units *units) {
    size_t count = 0;
    for (size_t i = 0; i < units->capacity; i++) count += has_units(&units->places[i]);
    serve_units larger = {.capacity = units->capacity == 0          ? 64
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

static struct serve_unit *make_place(serve_units *units, wend_cell cell) {
    if (2 * (units->used + 1) > units->capacity && !grow(units)) return NULL;
    struct serve_unit *place = find_place(units, cell);
    if (!place->used) *place = (struct serve_unit){.cell = cell, .used = true}, units->used++;
    return place;
}

void serve_units_free(serve_units *units) {
    free(units->places);
    *units = (serve_units){0};
}

/* Only units that were put there count: those that are agents stay. */
static struct serve_unit *place_of(const serve *server, wend_cell cell) {
    struct serve_unit *place = server->placed.capacity > 0 ? find_place(&server->placed, cell) : NULL;
    return place != NULL && place->used ? place : NULL;
}

static wend_error expect_unit(serve *server, wend_cell cell) {
    uint32_t there;
    const wend_error error = wend_map_get_occupants(server->map, cell, &there);
    if (error != WEND_OK) return error; /* no place is kept for a cell that is off the map */
    struct serve_unit *place = make_place(&server->placed, cell);
    if (place == NULL) return WEND_OUT_OF_MEMORY;
    if (place->will >= SERVE_MOST_UNITS) return WEND_BUSY;
    place->will++;
    return WEND_OK;
}

static wend_error expect_no_unit(serve *server, wend_cell cell) {
    uint32_t there;
    const wend_error error = wend_map_get_occupants(server->map, cell, &there);
    struct serve_unit *place = place_of(server, cell);
    if (error != WEND_OK) return error;
    if (place == NULL || place->will == 0) return WEND_EMPTY;
    place->will--;
    return WEND_OK;
}

/* The file may have one more than clients. */
bool serve_units_add(serve *server, wend_cell cell) {
    struct serve_unit *place = make_place(&server->placed, cell);
    if (place == NULL || wend_map_occupy(server->map, cell) != WEND_OK) return false;
    place->count++;
    place->will++;
    return true;
}

void serve_units_list(void *context, wend_live_units *out) {
    serve *server = context;
    const serve_units *units = &server->placed;
    uint64_t count = 0;
    for (size_t i = 0; i < units->capacity; i++) count += units->places[i].used ? units->places[i].count : 0;
    wend_cell *list = realloc(server->unit_list, (size_t)(count + 1) * sizeof *list);
    if (list == NULL) return;
    server->unit_list = list;
    for (size_t i = 0; i < units->capacity; i++)
        for (uint32_t k = 0; units->places[i].used && k < units->places[i].count; k++)
            list[out->count++] = units->places[i].cell;
    out->cells = list;
}

/* ---- orders about units: all of the cells or none ---- */

static void expect_back(serve *server, const wend_live_order *order, uint64_t count) {
    for (uint64_t i = 0; i < count; i++) {
        struct serve_unit *place = place_of(server, order->cells[i]);
        if (place != NULL) place->will += order->order == WEND_LIVE_ORDER_VACATE ? 1 : -1u;
    }
}

bool serve_check_units(serve *server, const wend_live_order *order, wend_live_reply *reply) {
    const bool vacate = order->order == WEND_LIVE_ORDER_VACATE;
    for (uint64_t i = 0; i < order->cell_count; i++) {
        const wend_cell cell = order->cells[i];
        const wend_error error = vacate ? expect_no_unit(server, cell) : expect_unit(server, cell);
        if (error == WEND_OK) continue;
        expect_back(server, order, i);
        serve_refuse_error(reply, error);
        if (error == WEND_BUSY) reply->text = "a cell has the most units already";
        if (error == WEND_EMPTY) reply->text = "no unit is on a cell";
        return false;
    }
    return true;
}

void serve_unexpect_units(serve *server, const wend_live_order *order) {
    expect_back(server, order, order->cell_count);
}

/* A cell has room for its units and an agent, and its count is there since the crowd was made: nothing fails. */
void serve_set_units(serve *server, const wend_live_order *order, wend_live_reply *reply) {
    const bool vacate = order->order == WEND_LIVE_ORDER_VACATE;
    for (uint64_t i = 0; i < order->cell_count; i++) {
        const wend_cell cell = order->cells[i];
        struct serve_unit *place = place_of(server, cell);
        const wend_error error = vacate ? wend_map_vacate(server->map, cell) : wend_map_occupy(server->map, cell);
        serve_refuse_error(reply, error);
        if (error == WEND_OK && place != NULL) place->count += vacate ? -1u : 1;
    }
}
