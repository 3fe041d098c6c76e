/* SPDX-License-Identifier: MIT */
/* Internal: a table of places: which traveller covers a cell. Places in a table never share a cell. */
#ifndef WEND_SRC_CROWD_TRAFFIC_PLACES_H
#define WEND_SRC_CROWD_TRAFFIC_PLACES_H

#include "map/store/map_layout.h"

/// A place: size x size cells right and down of its own cell (x size upwards in space). Size 0: none.
typedef struct wend__held {
    wend_cell cell;
    int32_t size;
} wend__held;

enum { WEND__HELD_CLASSES = 5 };

/// Places are found by coarse cells: a size belongs to the class of the next power of two, and coarse cells have that
/// side. So a place lies in one coarse cell if its size is 1, and in 4 at most otherwise (8 in space).
typedef struct wend__places {
    wend__held *of;                     ///< by traveller
    int32_t *heads;                     ///< by hash: a node, or -1
    int32_t *next;                      ///< by node: traveller x nodes + 0, 1, …
    uint32_t mask;                      ///< of hashes
    int32_t nodes;                      ///< of a traveller: 4, in space 8
    uint32_t count[WEND__HELD_CLASSES]; ///< of places in each class
} wend__places;

size_t wend__places_bytes(int32_t kind, uint32_t agents);
void wend__places_init(wend__places *places, void *memory, int32_t kind, uint32_t agents);
/// The traveller has no place yet.
void wend__places_put(wend__places *places, int32_t traveller, wend_cell cell, int32_t size);
/// The traveller has a place.
void wend__places_take(wend__places *places, int32_t traveller);
/// The traveller that covers a cell, or -1.
int32_t wend__places_at_any(const wend__places *places, wend_cell cell);

static inline uint32_t wend__places_hash(const wend__places *places, wend_cell coarse) {
    uint64_t h = ((uint64_t)(uint32_t)coarse.y << 32 | (uint32_t)coarse.x) * UINT64_C(0x9E3779B97F4A7C15);
    h ^= (uint64_t)(uint32_t)coarse.z * UINT64_C(0xD6E8FEB86659FD93);
    return (uint32_t)(h >> 32) & places->mask;
}

static inline bool wend__is_cell(wend_cell a, wend_cell b) {
    return a.x == b.x && a.y == b.y && a.z == b.z;
}

/// The same as wend__places_at_any(), fast where all places have size 1.
static inline int32_t wend__places_at(const wend__places *places, wend_cell cell) {
    for (int32_t n = places->heads[wend__places_hash(places, cell)]; n >= 0; n = places->next[n]) {
        const wend__held *held = &places->of[n / places->nodes];
        if (held->size == 1 && wend__is_cell(held->cell, cell)) return n / places->nodes;
    }
    bool large = places->count[1] || places->count[2] || places->count[3] || places->count[4];
    return large ? wend__places_at_any(places, cell) : -1;
}

#endif
