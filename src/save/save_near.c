/* SPDX-License-Identifier: MIT */
/* The near fields of a crowd, place by place. They contain an agent's way from its place at their making, and they
 * decide which agents get fields next. */
#include "agents/plan/path.h"
#include "save/save_crowd.h"

enum { NEAR_CELLS = WEND__NEAR_SIDE * WEND__NEAR_SIDE, NEAR_ROOM = (NEAR_CELLS + 8) / 8 * 8 };

/* Writes runs of cells with equal differences from the previous cell: the difference, and the length. The first loop
 * compares, as compilers turn it into vector code. */
static void save_runs(wend__crowd_save *c, const uint8_t left[NEAR_CELLS]) {
    uint8_t steps[NEAR_CELLS], begins[NEAR_ROOM] = {1}, bytes[3 * NEAR_CELLS], *to = bytes;
    uint32_t from = 0;
    steps[0] = left[0];
    for (uint32_t at = 1; at < NEAR_CELLS; at++) steps[at] = (uint8_t)(left[at] - left[at - 1]);
    for (uint32_t at = 1; at < NEAR_CELLS; at++) begins[at] = steps[at] != steps[at - 1];
    begins[NEAR_CELLS] = 1; /* the last run ends here */
    for (uint32_t eight = 0; eight < NEAR_ROOM; eight += 8)
        for (uint64_t flags = wend__gather_flags(begins + eight); flags; flags &= flags - 1) {
            const uint32_t at = eight + wend__ctz64(flags), run = at - from;
            if (at == 0) continue;
            *to++ = steps[from];
            if (run > 127) *to++ = (uint8_t)(run | 128);
            *to++ = (uint8_t)(run > 127 ? run >> 7 : run);
            from = at;
        }
    WEND__DEBUG_ASSERT(from == NEAR_CELLS && to <= bytes + sizeof bytes);
    wend__save_bytes(&c->save, bytes, (size_t)(to - bytes));
}

static void save_field(wend__crowd_save *c, wend__near_field *near) {
    uint64_t x = (uint32_t)near->x + WEND__NEAR_SIDE, y = (uint32_t)near->y + WEND__NEAR_SIDE;
    wend__save_number(&c->save, &x);
    wend__save_number(&c->save, &y);
    save_runs(c, near->left);
}

static void restore_field(wend__crowd_save *c, wend__near_field *near) {
    WEND__DEBUG_ASSERT(near->owner > 0 && near->owner <= c->crowd->used);
    uint8_t step = 0;
    uint64_t x = 0, y = 0, run = 0;
    wend__save_number(&c->save, &x);
    wend__save_number(&c->save, &y);
    if (!wend__save_check(&c->save, x < UINT32_C(1) << 24 && y < UINT32_C(1) << 24)) return;
    near->x = (int32_t)x - WEND__NEAR_SIDE, near->y = (int32_t)y - WEND__NEAR_SIDE;
    for (uint32_t at = 0; at < NEAR_CELLS && !c->save.bad;) {
        wend__save_byte(&c->save, &step);
        wend__save_number(&c->save, &run);
        if (!wend__save_check(&c->save, run > 0 && run <= NEAR_CELLS - at)) return;
        for (; run > 0; run--, at++) near->left[at] = (uint8_t)((at > 0 ? near->left[at - 1] : 0) + step);
    }
    near->revision = c->version->revision;
    near->changes = c->crowd->agents[near->owner - 1].path.changes;
}

/* Returns whether the field still leads its agent. */
static bool serves(const wend__crowd_save *c, const wend__near_field *near) {
    WEND__DEBUG_ASSERT(near->owner > 0 && near->owner <= c->crowd->used);
    const wend_crowd *crowd = c->crowd;
    const uint32_t index = near->owner - 1;
    if (near->revision != c->version->revision || crowd->phase[index] == WEND__PHASE_ABSENT) return false;
    return near->changes == crowd->agents[index].path.changes && crowd->agents[index].path.stored.steps > 0;
}

static void pass_place(wend__crowd_save *c, uint32_t place) {
    WEND__DEBUG_ASSERT(place < c->crowd->near_fields.count);
    wend__near_pool *pool = &c->crowd->near_fields;
    wend__near_field *near = &pool->of[place];
    wend__save_below(&c->save, &near->owner, c->crowd->used + UINT64_C(1));
    if (near->owner == 0 || c->save.bad) return;
    uint32_t age = (uint32_t)c->crowd->counts.updates - near->used;
    uint8_t led = !c->save.reads && serves(c, near);
    wend__save_below(&c->save, &age, UINT32_MAX + UINT64_C(1));
    wend__save_byte(&c->save, &led);
    if (c->save.reads) {
        near->used = (uint32_t)c->crowd->counts.updates - age;
        near->revision = UINT64_MAX;
        if (!wend__save_check(&c->save, led <= 1 && pool->slots[near->owner - 1] == 0)) return;
        pool->slots[near->owner - 1] = place + 1;
    }
    if (led) (c->save.reads ? restore_field : save_field)(c, near);
}

/* Places are taken one after the other, so the free ones are the last. They are in no hash, nor is the hand while it
 * is at the first of them, as it also is in a pool with a place for each agent: crowds of other sizes are equal. */
static void hash_places(wend__crowd_save *c) {
    const wend__near_pool *pool = &c->crowd->near_fields;
    uint32_t used = 0;
    while (used < pool->count && pool->of[used].owner > 0) pass_place(c, used++);
    uint64_t hand = used < pool->count && pool->hand == used ? 0 : pool->hand;
    wend__save_number(&c->save, &hand);
}

void wend__save_near(wend__crowd_save *c) {
    wend__near_pool *pool = &c->crowd->near_fields;
    if (c->save.hash) hash_places(c);
    if (pool->count == 0 || c->save.hash) return;
    wend__save_below(&c->save, &pool->hand, pool->count);
    for (uint32_t i = 0; i < pool->count && !c->save.bad; i++) pass_place(c, i);
}
