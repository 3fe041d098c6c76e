/* SPDX-License-Identifier: MIT */
/* A search over the gates of one level: A* (Hart, Nilsson, Raphael 1968) with a weight and no second expansion of a
 * node, or Dijkstra's where it looks for nothing. */

/* Tried: rows of costs read without multiplications (1.02), estimates by landmarks without branches (1.00 to 1.04): no
 * gain. Of a route 75 % is this search, and no instruction of it stands out. */
#include "fast/far/far_gates.h"

void wend__far_search_init(wend__far_search *s, wend__far_node *nodes, uint32_t *open, uint32_t node_room,
                           wend__far_nodes *areas, uint32_t area_room) {
    s->nodes = nodes;
    s->open = open;
    s->node_room = node_room;
    s->areas = areas;
    s->area_room = area_room;
    s->stamp = 0;
    memset(areas, 0, area_room * sizeof *areas);
}

void wend__far_search_begin(wend__far_search *s) {
    s->stamp++;
    s->node_count = s->open_count = 0;
    s->expansions = 0;
    s->full = false;
}

/* ---- slots: numbers of the areas that the search may enter ---- */

/* WEND__FAR_NONE: the search may not enter the area. */
static uint32_t slot_of(const wend__far_search *s, wend__far_area a) {
    if (!wend__far_has(s->far, a)) return WEND__FAR_NONE;
    if (s->within_count == 0) return (uint32_t)(a.row * s->far->columns[s->level] + a.column);
    for (int32_t i = 0; i < s->within_count; i++)
        if (wend__far_same(s->within[i], wend__far_above(a)))
            return (uint32_t)(i << 4 | (a.row & 3) << 2 | (a.column & 3));
    return WEND__FAR_NONE;
}

wend__far_area wend__far_search_area(const wend__far_search *s, const wend__far_node *node) {
    WEND__DEBUG_ASSERT(s->level >= 0 && s->level < s->far->levels);
    const int32_t slot = (int32_t)(node->at >> 8), columns = s->far->columns[s->level];
    if (s->within_count == 0) return (wend__far_area){s->level, slot % columns, slot / columns};
    const wend__far_area in = s->within[slot >> 4];
    return (wend__far_area){s->level, in.column << 2 | (slot & 3), in.row << 2 | (slot >> 2 & 3)};
}

/* ---- nodes ---- */

/* An area has the nodes of its gates on the east and south side. Gates on the other sides belong to the areas beyond,
 * or to this one if the search may not enter those. A confined search therefore reserves nodes for all gates. */
static uint32_t first_owned(const wend__far_search *s, const wend__far_record *r) {
    WEND__DEBUG_ASSERT(r);
    return s->within_count > 0 ? 0 : r->first[WEND__FAR_EAST];
}

/* Returns the first node of an area, made when the search first enters the area. WEND__FAR_NONE: there is no room.
 * Below the top an unconfined search may enter more areas than there is room for. */
static uint32_t base_of(wend__far_search *s, uint32_t slot, const wend__far_record *r) {
    if (slot >= s->area_room) return WEND__FAR_NONE;
    wend__far_nodes *area = &s->areas[slot];
    if (area->stamp == s->stamp) return area->base;
    const uint32_t first = first_owned(s, r), count = wend__far_count(r) - first;
    if (s->node_room - s->node_count < count) return WEND__FAR_NONE;
    area->stamp = s->stamp;
    area->base = s->node_count;
    s->node_count += count;
    for (uint32_t i = 0; i < count; i++)
        s->nodes[area->base + i] =
            (wend__far_node){.g = WEND__FAR_NONE, .parent = WEND__FAR_NONE, .place = WEND__FAR_NONE};
    return area->base;
}

/* ---- the open list: a heap of four children each, ordered by f, then by g from the greatest, then by node ---- */

static bool before(const wend__far_search *s, uint32_t a, uint32_t b) {
    const wend__far_node *x = &s->nodes[a], *y = &s->nodes[b];
    const uint32_t fx = x->g + x->h, fy = y->g + y->h;
    if (fx != fy) return fx < fy;
    return x->g != y->g ? x->g > y->g : a < b;
}

static void put(wend__far_search *s, uint32_t place, uint32_t node) {
    WEND__DEBUG_ASSERT(place < s->open_count && node < s->node_count);
    s->open[place] = node;
    s->nodes[node].place = place;
}

static void sift_up(wend__far_search *s, uint32_t place, uint32_t node) {
    for (; place > 0; place = (place - 1) / 4) {
        const uint32_t parent = s->open[(place - 1) / 4];
        if (!before(s, node, parent)) break;
        put(s, place, parent);
    }
    put(s, place, node);
}

static uint32_t pop(wend__far_search *s) {
    WEND__DEBUG_ASSERT(s->open_count > 0);
    const uint32_t top = s->open[0], last = s->open[--s->open_count];
    uint32_t place = 0;
    s->nodes[top].place = WEND__FAR_NONE;
    if (s->open_count == 0) return top;
    for (;;) {
        const uint32_t first = 4 * place + 1, end = first + 4 < s->open_count ? first + 4 : s->open_count;
        uint32_t least = first;
        if (first >= s->open_count) break;
        for (uint32_t i = first + 1; i < end; i++)
            if (before(s, s->open[i], s->open[least])) least = i;
        if (!before(s, s->open[least], last)) break;
        put(s, place, s->open[least]);
        place = least;
    }
    put(s, place, last);
    return top;
}

/* ---- moves ---- */

/* Estimates the cost from the cell where a gate is entered, by distance and by landmarks. */
static uint32_t estimate(const wend__far_search *s, wend_cell cell, const uint32_t *numbers) {
    uint32_t h = wend__far_estimate(s->far, cell, s->goal);
    for (unsigned m = 0; numbers && m < WEND__FAR_LANDMARKS; m++) {
        const uint32_t a = numbers[m], b = s->goal_numbers[m];
        const uint32_t apart = a > b ? a - b : b - a;
        if (a != WEND__FAR_NONE && b != WEND__FAR_NONE && apart > h) h = apart;
    }
    return (uint32_t)((uint64_t)h * s->weight / 1000);
}

/* A side of an area, to be crossed. */
typedef struct border {
    wend__far_area there;
    unsigned side;   ///< side of the area left
    uint32_t slot;   ///< slot of `there`; WEND__FAR_NONE: the search may not enter that area
    uint32_t base;   ///< node of gate j of the area: base + j
    uint32_t number; ///< gate j has the number j + number there
} border;

/* Returns false if there is no room for nodes. */
static bool border_of(wend__far_search *s, wend__far_area a, const wend__far_record *r, uint32_t slot, unsigned side,
                      border *out) {
    *out = (border){.there = wend__far_beyond(a, side), .side = side};
    out->slot = slot_of(s, out->there);
    const bool own = side >= WEND__FAR_EAST || out->slot == WEND__FAR_NONE;
    const wend__far_record *beyond = out->slot == WEND__FAR_NONE ? NULL : wend__far_get(s->far, out->there);
    if (beyond) out->number = beyond->first[side ^ 2] - (uint32_t)r->first[side];
    const wend__far_record *owner = own ? r : beyond;
    const uint32_t base = base_of(s, own ? slot : out->slot, owner);
    out->base = base - first_owned(s, owner) + (own ? 0 : out->number);
    return base != WEND__FAR_NONE;
}

static void cross(wend__far_search *s, const border *b, const wend__far_record *r, uint32_t j, uint32_t g,
                  uint32_t parent) {
    const uint32_t number = b->base + j, factor = wend__far_crossing(r, j, s->backwards);
    wend__far_node *node = &s->nodes[number];
    if (b->slot == WEND__FAR_NONE) {
        if (g < node->g) node->g = g;
        return;
    }
    g += WEND__FAR_STRAIGHT * factor;
    const bool fresh = node->g == WEND__FAR_NONE;
    if (factor == 0 || g >= node->g || (!fresh && node->place == WEND__FAR_NONE)) return;
    if (fresh && s->aimed) {
        const uint32_t *numbers = s->goal_numbers ? wend__far_numbers_at(s->far, b->there, j + b->number) : NULL;
        node->h = estimate(s, wend__far_cell(b->there, b->side ^ 2, wend__far_places(r)[j]), numbers);
    }
    if (s->aimed && g + node->h >= s->best) return;
    node->g = g;
    node->parent = parent;
    node->at = b->slot << 8 | ((j + b->number) & 255);
    sift_up(s, fresh ? s->open_count++ : node->place, number);
}

/* Relax the gates of an area: costs[j] is the cost from the search's present place, at cost g, to gate j. */
static void relax(wend__far_search *s, wend__far_area a, uint32_t from, const uint32_t *costs, uint32_t g,
                  uint32_t parent) {
    const wend__far_record *r = wend__far_get(s->far, a);
    const uint32_t slot = slot_of(s, a);
    for (unsigned side = 0; side < 4; side++) {
        border b;
        if (r->first[side] == r->first[side + 1]) continue;
        s->full = !border_of(s, a, r, slot, side, &b);
        if (s->full) return;
        /* a way that costs more before the crossing costs more behind it */
        for (uint32_t j = r->first[side]; j < r->first[side + 1]; j++)
            if (costs[j] < WEND__FAR_NONE - g && g + costs[j] < s->nodes[b.base + j].g && j != from)
                cross(s, &b, r, j, g + costs[j], parent);
    }
}

void wend__far_search_enter(wend__far_search *s, wend__far_area area, const uint32_t *costs) {
    relax(s, area, WEND__FAR_NO_GATE, costs, 0, WEND__FAR_NONE);
}

bool wend__far_search_run(wend__far_search *s, uint64_t expansions) {
    uint32_t costs[WEND__FAR_GATES];
    for (; s->open_count > 0 && !s->full; expansions--) {
        const uint32_t f = s->nodes[s->open[0]].g + s->nodes[s->open[0]].h;
        if (s->aimed && f >= s->best) break;
        if (expansions == 0) return false;
        const uint32_t number = pop(s), gate = s->nodes[number].at & 255, g = s->nodes[number].g;
        const wend__far_area a = wend__far_search_area(s, &s->nodes[number]);
        s->expansions++;
        if (s->aimed && wend__far_same(a, s->goal_area) && s->to_goal[gate] != WEND__FAR_NONE &&
            g + s->to_goal[gate] < s->best)
            s->best = g + s->to_goal[gate], s->best_node = number;
        wend__far_row(wend__far_get(s->far, a), gate, s->backwards, costs);
        relax(s, a, gate, costs, g, number);
    }
    s->open_count = 0;
    return true;
}

uint32_t wend__far_search_cost(const wend__far_search *s, wend__far_area a, uint32_t gate) {
    const uint32_t slot = slot_of(s, a);
    WEND__DEBUG_ASSERT(slot < s->area_room);
    if (s->areas[slot].stamp != s->stamp) return WEND__FAR_NONE;
    return s->nodes[s->areas[slot].base + gate].g;
}
