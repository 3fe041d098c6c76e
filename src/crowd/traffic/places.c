/* SPDX-License-Identifier: MIT */
/* A table of places: a hash of coarse cells with chains. */
#include "crowd/traffic/places.h"

static uint32_t heads_of(uint32_t agents) {
    uint32_t heads = 16;
    while (heads < 2 * agents) heads *= 2;
    return heads;
}

static int32_t nodes_of(int32_t kind) {
    return kind == WEND_KIND_VOXEL ? 8 : 4;
}

size_t wend__places_bytes(int32_t kind, uint32_t agents) {
    return agents * (sizeof(wend__held) + (size_t)nodes_of(kind) * sizeof(int32_t)) +
           heads_of(agents) * sizeof(int32_t);
}

void wend__places_init(wend__places *places, void *memory, int32_t kind, uint32_t agents) {
    *places = (wend__places){.of = memory, .mask = heads_of(agents) - 1, .nodes = nodes_of(kind)};
    places->next = (int32_t *)(places->of + agents);
    places->heads = places->next + (size_t)agents * (size_t)places->nodes;
    for (uint32_t i = 0; i < agents; i++) places->of[i] = (wend__held){.size = 0};
    for (uint32_t i = 0; i <= places->mask; i++) places->heads[i] = -1;
}

static int class_of(int32_t size) {
    int class = 0;
    while (1 << class < size) class ++;
    return class;
}

static wend_cell coarse_of(wend_cell cell, int class) {
    return (wend_cell){cell.x >> class, cell.y >> class, cell.z >> class};
}

/* The coarse cells that a place lies in: from `low` to `high`. */
static void span_of(const wend__places *places, const wend__held *held, wend_cell *low, wend_cell *high) {
    int class = class_of(held->size);
    int32_t more = held->size - 1, up = places->nodes == 8 ? more : 0;
    *low = coarse_of(held->cell, class);
    *high = coarse_of((wend_cell){held->cell.x + more, held->cell.y + more, held->cell.z + up}, class);
}

void wend__places_put(wend__places *places, int32_t traveller, wend_cell cell, int32_t size) {
    wend__held *held = &places->of[traveller];
    *held = (wend__held){cell, size};
    places->count[class_of(size)]++;
    wend_cell low, high;
    span_of(places, held, &low, &high);
    int32_t node = traveller * places->nodes;
    for (int32_t z = low.z; z <= high.z; z++)
        for (int32_t y = low.y; y <= high.y; y++)
            for (int32_t x = low.x; x <= high.x; x++) {
                int32_t *head = &places->heads[wend__places_hash(places, (wend_cell){x, y, z})];
                places->next[node] = *head;
                *head = node++;
            }
}

void wend__places_take(wend__places *places, int32_t traveller) {
    wend__held *held = &places->of[traveller];
    wend_cell low, high;
    span_of(places, held, &low, &high);
    for (int32_t z = low.z; z <= high.z; z++)
        for (int32_t y = low.y; y <= high.y; y++)
            for (int32_t x = low.x; x <= high.x; x++) {
                int32_t *link = &places->heads[wend__places_hash(places, (wend_cell){x, y, z})];
                while (*link / places->nodes != traveller) link = &places->next[*link];
                *link = places->next[*link];
            }
    places->count[class_of(held->size)]--;
    held->size = 0;
}

static bool covers(const wend__places *places, const wend__held *held, wend_cell cell) {
    int32_t x = cell.x - held->cell.x, y = cell.y - held->cell.y, z = cell.z - held->cell.z;
    int32_t up = places->nodes == 8 ? held->size : 1;
    return x >= 0 && x < held->size && y >= 0 && y < held->size && z >= 0 && z < up;
}

int32_t wend__places_at_any(const wend__places *places, wend_cell cell) {
    for (int class = 0; class < WEND__HELD_CLASSES; class ++) {
        if (!places->count[class]) continue;
        int32_t n = places->heads[wend__places_hash(places, coarse_of(cell, class))];
        for (; n >= 0; n = places->next[n])
            if (covers(places, &places->of[n / places->nodes], cell)) return n / places->nodes;
    }
    return -1;
}
