/* SPDX-License-Identifier: MIT */
/* Large agents that meet head on: they move apart sideways, a cell at a time, until one can go past the other. A
 * push alone would drive one of them back, as no step aside leaves all of the place that the other wants. */

/* Tried: swaps in corridors as in LaCAM2: the sum of costs falls from 1.40 to 1.25 of LaCAM3's, but dense sortation
 * does 5 % fewer tasks. Those who leave a link first: up to 2.3 times the frames. */
#include "agents/manners/traffic_state.h"

/// Two agents that meet, along an axis of the step that the first one wants.
typedef struct meeting {
    int32_t one, other;
    bool along_x;
} meeting;

static int32_t along(const meeting *m, wend_cell cell) {
    return m->along_x ? cell.x : cell.y;
}

static int32_t across(const meeting *m, wend_cell cell) {
    return m->along_x ? cell.y : cell.x;
}

static wend_cell moved(const meeting *m, wend_cell cell, int32_t ahead, int32_t aside) {
    const int32_t x = m->along_x ? ahead : aside, y = m->along_x ? aside : ahead;
    return (wend_cell){cell.x + x, cell.y + y, cell.z};
}

static int32_t sign_of(int32_t n) {
    return (n > 0) - (n < 0);
}

/* Begins a step that is legal, and for which no other agent has to make room. */
static bool begin(wend__traffic *t, int32_t i, wend_cell to) {
    wend_cell steps[WEND__MOST_STEPS];
    const wend__traffic_agent *in_traffic = &t->agents[i];
    if (wend__traffic_moves(t, i) || !in_traffic->ready || in_traffic->ghost) return false;
    uint32_t left = wend__traffic_steps(t, in_traffic, steps);
    while (left > 0 && !wend__same_cell(steps[left - 1], to)) left--;
    if (left == 0 || wend__traffic_blocker(t, i, to) != WEND__BLOCKER_NONE) return false;
    wend__traffic_claim(t, i, to);
    return true;
}

/* Returns twice the sideways distance of the other agent's middle. */
static int32_t offset_of(const wend__traffic *t, const meeting *m) {
    const wend__traffic_agent *one = &t->agents[m->one], *other = &t->agents[m->other];
    return 2 * (across(m, other->at) - across(m, one->at)) + other->size - one->size;
}

static bool are_abreast(const wend__traffic *t, const meeting *m) {
    const int32_t offset = offset_of(t, m), sizes = t->agents[m->one].size + t->agents[m->other].size;
    return offset < sizes && -offset < sizes;
}

/* Moves both agents away from each other, or only the movable one. */
static bool move_apart(wend__traffic *t, const meeting *m, int32_t side) {
    const bool one = begin(t, m->one, moved(m, t->agents[m->one].at, 0, side));
    const wend__traffic_agent *other = &t->agents[m->other];
    const bool stays = other->steered || other->parked || wend__traffic_spares(t, m->one, m->other);
    return (!stays && begin(t, m->other, moved(m, other->at, 0, -side))) || one;
}

static bool comes_nearer(const wend__traffic *t, const meeting *m, int32_t ahead) {
    const wend__traffic_agent *other = &t->agents[m->other];
    return (along(m, other->next) - along(m, other->at)) * ahead < 0;
}

/* Returns whether two agents take the same way from the place on that both want: they need not pass each other. */
static bool take_same_way(const wend__traffic *t, const meeting *m) {
    wend_cell one[2], other[2];
    if (!wend__same_cell(t->agents[m->one].next, t->agents[m->other].next)) return false;
    return t->ahead(t->context, (uint32_t)m->one, one, 2) == 2 &&
           t->ahead(t->context, (uint32_t)m->other, other, 2) == 2 && wend__same_cell(one[1], other[1]);
}

static bool meet(wend__traffic *t, const meeting *m) {
    const wend__traffic_agent *one = &t->agents[m->one];
    const int32_t ahead = sign_of(along(m, one->next) - along(m, one->at));
    if (ahead == 0) return false;
    if (!are_abreast(t, m)) return begin(t, m->one, moved(m, one->at, ahead, 0));
    if (!comes_nearer(t, m, ahead) || take_same_way(t, m)) return false;
    const int32_t offset = offset_of(t, m);
    if (offset != 0) return move_apart(t, m, -sign_of(offset));
    const int32_t first = m->one & 1 ? 1 : -1;
    return move_apart(t, m, first) || move_apart(t, m, -first);
}

/* Returns whether the y part of a diagonal step leads nearer to the end of the way than the x part. */
static bool is_nearer_along_y(const wend__traffic *t, int32_t i) {
    const wend__traffic_agent *one = &t->agents[i];
    const wend_cell parts[2] = {{one->next.x, one->at.y, one->at.z}, {one->at.x, one->next.y, one->at.z}};
    uint32_t ranks[2];
    return t->rank && t->rank(t->context, t->version, (uint32_t)i, parts, 2, ranks) && ranks[1] < ranks[0];
}

bool wend__traffic_pass(wend__traffic *t, int32_t i) {
    const wend__traffic_agent *one = &t->agents[i];
    if (!wend__places_any_large(&t->places) || t->kind != WEND_KIND_GRID) return false;
    if (t->version->rules.neighbours == 4) return false; /* without diagonal steps they would go to and fro for ever */
    if (one->steered || wend__traffic_jumps(t, one->at, one->next)) return false;
    bool several;
    const int32_t other = wend__traffic_other_holder(t, (uint32_t)i, one->next, &several);
    if (other < 0 || several || one->size + t->agents[other].size == 2) return false;
    const meeting along_x = {i, other, true}, along_y = {i, other, false};
    const bool y_first = is_nearer_along_y(t, i);
    return meet(t, y_first ? &along_y : &along_x) || meet(t, y_first ? &along_x : &along_y);
}
