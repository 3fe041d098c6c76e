/* SPDX-License-Identifier: MIT */
/* A table of places: a hash of coarse cells with chains. */
#include "agents/manners/places.h"

static uint32_t heads_of(uint32_t agents) {
    uint32_t heads = 16;
    while (heads < 2 * agents) heads *= 2;
    return heads;
}

static int32_t shift_of(int32_t kind) {
    return kind == WEND_KIND_VOXEL ? 3 : 2;
}

size_t wend__places_bytes(int32_t kind, uint32_t agents) {
    return agents * (2 * sizeof(wend__held_place) + (2 * sizeof(int32_t) << shift_of(kind)) + sizeof(uint8_t)) +
           heads_of(agents) * sizeof(int32_t);
}

void wend__places_init(wend__places *places, void *memory, int32_t kind, uint32_t agents) {
    *places = (wend__places){.of = memory, .mask = heads_of(agents) - 1, .shift = shift_of(kind)};
    places->next = (int32_t *)(places->of + 2 * (size_t)agents);
    places->heads = places->next + ((size_t)2 * agents << places->shift);
    places->now = (uint8_t *)(places->heads + heads_of(agents));
    for (uint32_t i = 0; i < 2 * agents; i++) places->of[i] = (wend__held_place){.size = 0};
    for (uint32_t i = 0; i < agents; i++) places->now[i] = 0;
    for (uint32_t i = 0; i <= places->mask; i++) places->heads[i] = -1;
}

static int class_of(int32_t size) {
    int class = 0;
    while (1 << class < size) class++;
    return class;
}

static wend_cell coarse_of(wend_cell cell, int class) {
    return (wend_cell){cell.x >> class, cell.y >> class, cell.z >> class};
}

/* ---- a place in the hash ---- */

static void put_node(wend__places *places, int32_t node, wend_cell coarse) {
    int32_t *head = &places->heads[wend__places_hash(places, coarse)];
    places->next[node] = *head;
    *head = node;
}

static void unlink_node(wend__places *places, int32_t place, wend_cell coarse) {
    int32_t *link = &places->heads[wend__places_hash(places, coarse)];
    while (*link >> places->shift != place) link = &places->next[*link];
    *link = places->next[*link];
}

/* Puts a place into the hash, or takes it out, in each coarse cell that it lies in. */
WEND__INLINE void link_place(wend__places *places, int32_t place, bool in) {
    const wend__held_place *held = &places->of[place];
    const int class = class_of(held->size);
    const int32_t more = held->size - 1, up = places->shift == 3 ? more : 0;
    const wend_cell low = coarse_of(held->cell, class),
                    high = coarse_of((wend_cell){held->cell.x + more, held->cell.y + more, held->cell.z + up}, class);
    int32_t node = place << places->shift;
    wend_cell c;
    WEND__EACH_CELL(c, low, high)
        if (in)
            put_node(places, node++, c);
        else
            unlink_node(places, place, c);
    places->count[class] += in ? 1u : UINT32_MAX;
    if (held->size > 1) places->large += in ? 1u : UINT32_MAX;
}

static void put_place(wend__places *places, int32_t place, wend_cell cell, int32_t size) {
    places->of[place] = (wend__held_place){cell, size};
    link_place(places, place, true);
}

static void unlink_place(wend__places *places, int32_t place) {
    link_place(places, place, false);
    places->of[place].size = 0;
}

/* ---- agents ---- */

void wend__places_enter(wend__places *places, int32_t agent, wend_cell cell, int32_t size) {
    WEND__DEBUG_ASSERT(size > 0 && wend__places_held(places, agent)->size == 0);
    put_place(places, 2 * agent + places->now[agent], cell, size);
}

void wend__places_leave(wend__places *places, int32_t agent) {
    WEND__DEBUG_ASSERT(wend__places_held(places, agent)->size > 0);
    unlink_place(places, 2 * agent + places->now[agent]);
}

void wend__places_claim_size(wend__places *places, int32_t agent, wend_cell cell, int32_t size) {
    WEND__DEBUG_ASSERT(size > 0 && wend__places_claimed(places, agent)->size == 0);
    put_place(places, 2 * agent + !places->now[agent], cell, size);
}

void wend__places_claim(wend__places *places, int32_t agent, wend_cell cell) {
    wend__places_claim_size(places, agent, cell, wend__places_held(places, agent)->size);
}

void wend__places_unclaim(wend__places *places, int32_t agent) {
    WEND__DEBUG_ASSERT(wend__places_claimed(places, agent)->size > 0);
    unlink_place(places, 2 * agent + !places->now[agent]);
}

void wend__places_settle(wend__places *places, int32_t agent) {
    WEND__DEBUG_ASSERT(wend__places_claimed(places, agent)->size > 0);
    unlink_place(places, 2 * agent + places->now[agent]);
    places->now[agent] = !places->now[agent];
}

/* ---- cells ---- */

static bool covers(const wend__places *places, const wend__held_place *held, wend_cell cell) {
    int32_t x = cell.x - held->cell.x, y = cell.y - held->cell.y, z = cell.z - held->cell.z;
    int32_t up = places->shift == 3 ? held->size : 1;
    return x >= 0 && x < held->size && y >= 0 && y < held->size && z >= 0 && z < up;
}

void wend__places_at_large(const wend__places *places, wend_cell cell, wend__cell_owners *cover) {
    for (int class = 1; class < WEND__PLACE_CLASSES; class++) {
        if (!places->count[class]) continue;
        int32_t n = places->heads[wend__places_hash(places, coarse_of(cell, class))];
        for (; n >= 0; n = places->next[n]) {
            int32_t place = n >> places->shift;
            if (!covers(places, &places->of[place], cell)) continue;
            if (places->now[place / 2] == place % 2)
                cover->holder = place / 2;
            else
                cover->claimer = place / 2;
        }
    }
}
