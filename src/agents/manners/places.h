/* SPDX-License-Identifier: MIT */
/* Internal: a table of places: the agent that holds a cell, and the agent that will after this decision. */
#ifndef WEND_SRC_AGENTS_MANNERS_PLACES_H
#define WEND_SRC_AGENTS_MANNERS_PLACES_H

#include "map/store/map_layout.h"

/// A place: size × size cells right and down of its own cell (× size upwards in space). Size 0: none.
typedef struct wend__held_place {
    wend_cell cell;
    int32_t size;
} wend__held_place;

/// A loop over the cells of a box, in the order of their numbers.
#define WEND__EACH_CELL(c, low, high)                                                                                  \
    for ((c).z = (low).z; (c).z <= (high).z; (c).z++)                                                                  \
        for ((c).y = (low).y; (c).y <= (high).y; (c).y++)                                                              \
            for ((c).x = (low).x; (c).x <= (high).x; (c).x++)

enum { WEND__PLACE_CLASSES = 5 };

/// An agent has two places: a held one and a claimed one. No two agents hold, or claim, the same cell. The hash
/// finds places by coarse cells: a size belongs to the class of the next power of two, and coarse cells have that
/// side. So a place of size 1 lies in one coarse cell, and a larger one in 4 at most (8 in space).
typedef struct wend__places {
    wend__held_place *of;                ///< by agent × 2: the two swap roles as the place held
    uint8_t *now;                        ///< by agent: index of the held one of its two places
    int32_t *heads;                      ///< by hash: the first node, or -1
    int32_t *next;                       ///< by node: the next node; a node is place << shift, + 0, 1, …
    uint32_t mask;                       ///< hash mask
    int32_t shift;                       ///< log2 of the nodes of a place: 2, in space 3
    uint32_t large;                      ///< number of places of more than one cell
    uint32_t count[WEND__PLACE_CLASSES]; ///< number of places in each class
} wend__places;

size_t wend__places_bytes(int32_t kind, uint32_t agents);
void wend__places_init(wend__places *places, void *memory, int32_t kind, uint32_t agents);
/// Makes an agent hold its first place, or leave it. The agent claims no other one.
void wend__places_enter(wend__places *places, int32_t agent, wend_cell cell, int32_t size);
void wend__places_leave(wend__places *places, int32_t agent);
/// Claims a place next to the held one, of any size; drops the claim; or holds the claimed place instead.
void wend__places_claim(wend__places *places, int32_t agent, wend_cell cell);
void wend__places_claim_size(wend__places *places, int32_t agent, wend_cell cell, int32_t size);
void wend__places_unclaim(wend__places *places, int32_t agent);
void wend__places_settle(wend__places *places, int32_t agent);

static inline const wend__held_place *wend__places_held(const wend__places *places, int32_t agent) {
    return &places->of[2 * agent + places->now[agent]];
}

static inline const wend__held_place *wend__places_claimed(const wend__places *places, int32_t agent) {
    return &places->of[2 * agent + !places->now[agent]];
}

/// Return the agent that holds a cell, and the agent that claims it; -1: none.
typedef struct wend__cell_owners {
    int32_t holder, claimer;
} wend__cell_owners;

/// Adds the owners by places of more than one cell to those in *cover.
void wend__places_at_large(const wend__places *places, wend_cell cell, wend__cell_owners *cover);

static inline uint32_t wend__places_hash(const wend__places *places, wend_cell coarse) {
    uint64_t h = ((uint64_t)(uint32_t)coarse.y << 32 | (uint32_t)coarse.x) * UINT64_C(0x9E3779B97F4A7C15);
    h ^= (uint64_t)(uint32_t)coarse.z * UINT64_C(0xD6E8FEB86659FD93);
    return (uint32_t)(h >> 32) & places->mask;
}

/// Prefetches what wend__places_at() reads first.
WEND__INLINE void wend__places_prefetch(const wend__places *places, wend_cell cell) {
    WEND__PREFETCH(&places->heads[wend__places_hash(places, cell)]);
}

static inline bool wend__places_any_large(const wend__places *places) {
    return places->large != 0;
}

static inline wend__cell_owners wend__places_at(const wend__places *places, wend_cell cell) {
    wend__cell_owners cover = {-1, -1};
    for (int32_t n = places->heads[wend__places_hash(places, cell)]; n >= 0; n = places->next[n]) {
        int32_t place = n >> places->shift;
        if (places->of[place].size != 1 || !wend__same_cell(places->of[place].cell, cell)) continue;
        if (places->now[place / 2] == place % 2)
            cover.holder = place / 2;
        else
            cover.claimer = place / 2;
    }
    if (WEND__UNLIKELY(wend__places_any_large(places))) wend__places_at_large(places, cell, &cover);
    return cover;
}

#endif
