/* SPDX-License-Identifier: MIT */
/* One decision: who wants a step, in which order they get it, and what follows for those who stand in the way. */
#include "crowd/traffic/traffic_state.h"
#include "map/store/sort.h"

/* ---- order ---- */

static int32_t urgency_of(const wend__traffic *t, int32_t i) {
    return wend__most(t->travellers[i].urgency, t->ranks[i].lent);
}

/* Lower goes first: urgency, then how long ago its wish began, then index (20 bits). */
static uint64_t order_of(const wend__traffic *t, int32_t i) {
    uint64_t calm = (uint64_t)(WEND__URGENCY_MOST - urgency_of(t, i));
    return calm << 52 | (uint64_t)t->ranks[i].since << 20 | (uint64_t)i;
}

static void begin_step(wend__traffic *t, int32_t i, wend_cell to) {
    wend__traveller *traveller = &t->travellers[i];
    traveller->pushed = !wend__is_cell(to, traveller->next);
    traveller->moved = 1;
    traveller->ready = 0;
    traveller->waited = 0;
    traveller->from = traveller->at;
    traveller->at = to;
}

/* Is it one that wants a step now? Its rank begins with its wish. */
static bool wants_step(wend__traffic *t, int32_t i) {
    wend__traveller *traveller = &t->travellers[i];
    traveller->moved = traveller->pushed = 0;
    if (!traveller->present || !traveller->ready) return false;
    wend__rank *rank = &t->ranks[i];
    if (wend__is_cell(traveller->next, traveller->at)) {
        if (!traveller->has_wish) rank->since = 0, rank->lent = -WEND__URGENCY_MOST;
        traveller->waited = 0;
        return false;
    }
    if (!rank->since) rank->since = t->decision;
    if (!traveller->ghost) return true;
    begin_step(t, i, traveller->next);
    return false;
}

static uint32_t put_in_order(wend__traffic *t) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < t->agents; i++)
        if (wants_step(t, (int32_t)i)) t->order[count++] = order_of(t, (int32_t)i);
    wend__sort_numbers(t->order, t->scratch, count);
    return count;
}

/* ---- claims ---- */

void wend__traffic_claim(wend__traffic *t, int32_t i, wend_cell to) {
    wend__places_put(&t->claims, i, to, t->travellers[i].size);
    t->claimed[t->claimed_count++] = i;
}

void wend__traffic_unclaim(wend__traffic *t, uint32_t count) {
    while (t->claimed_count > count) wend__places_take(&t->claims, t->claimed[--t->claimed_count]);
}

/* A large traveller may have several in its way: each is pushed out, or none. */
static bool clear_place(wend__traffic *t, int32_t i, wend_cell to) {
    const wend__held *place = &t->claims.of[i];
    int32_t size = place->size, layers = t->kind == WEND_KIND_VOXEL ? size : 1;
    wend_cell c;
    for (c.z = to.z; c.z < to.z + layers; c.z++)
        for (c.y = to.y; c.y < to.y + size; c.y++)
            for (c.x = to.x; c.x < to.x + size; c.x++) {
                int32_t j = wend__places_at(&t->holds, c);
                if (j < 0 || j == i || wend__traffic_moves(t, j)) continue;
                if (!wend__traffic_push(t, i, to, j)) return false;
            }
    return true;
}

/* Gives a traveller the step that it wants, if nobody of a higher rank is in the way. */
static bool grant(wend__traffic *t, int32_t i) {
    wend_cell to = t->travellers[i].next;
    int32_t blocker = wend__traffic_blocker(t, i, to);
    if (blocker == WEND__WAY_CLOSED) return false;
    uint32_t before = t->claimed_count;
    wend__traffic_claim(t, i, to);
    if (blocker == WEND__WAY_FREE || clear_place(t, i, to)) return true;
    wend__traffic_unclaim(t, before);
    return false;
}

/* All leave their places before any takes its new one. Places follow the claims, counts of units the places. */
static void carry_out(wend__traffic *t) {
    for (uint32_t k = 0; k < t->claimed_count; k++) {
        int32_t i = t->claimed[k];
        wend__traffic_discount(t, i, t->travellers[i].at);
        wend__places_take(&t->holds, i);
    }
    for (uint32_t k = 0; k < t->claimed_count; k++) {
        int32_t i = t->claimed[k];
        wend_cell to = t->claims.of[i].cell;
        wend__places_put(&t->holds, i, to, t->travellers[i].size);
        wend__traffic_count(t, i, to);
        begin_step(t, i, to);
    }
    wend__traffic_unclaim(t, 0);
}

void wend__traffic_decide(wend__traffic *t, const wend__version *version, wend__ahead_fn *ahead, void *context) {
    t->version = version;
    t->ahead = ahead;
    t->context = context;
    t->decision++;
    uint32_t count = put_in_order(t);
    for (uint32_t k = 0; k < count; k++) {
        int32_t i = (int32_t)(t->order[k] & 0xFFFFF);
        if (wend__traffic_moves(t, i)) continue;
        if (!grant(t, i)) {
            t->ranks[i].settled = t->decision;
            t->travellers[i].waited++;
        }
    }
    carry_out(t);
}
