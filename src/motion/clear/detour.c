/* SPDX-License-Identifier: MIT */
/* A* over points near the corners of obstacles. Only corners within the ellipse of all ways below the limit matter: if
 * the line is nearly straight there are few. */
#include "motion/clear/detour.h"
#include "motion/clear/clearance.h"
#include "motion/clear/corners.h"

#include <stdlib.h>

typedef struct node {
    wend__milli_point at;
    uint32_t g, h; ///< h: the remaining straight length
    uint16_t parent;
    bool closed;
} node;

typedef struct search {
    const wend__obstacles *ground;
    const wend__disc *disc;
    uint32_t limit, count;
    uint32_t *effort; ///< pieces that the search may still check
    node node[WEND__DETOUR_NODES];
} search;

/* The nodes are corners of an octagon round the polygon: at the radius on one axis, and at this on the other. */
enum { SHORT = 4143, SHORT_WHOLE = 10000, SHORT_MORE = 3 };

/* From this radius on, discs go from centre to centre on tight ground. */
enum { TIGHT = 450 };

uint32_t wend__piece_length(wend__milli_point a, wend__milli_point b) {
    const int64_t x = (int64_t)b.x - a.x, y = (int64_t)b.y - a.y;
    return (uint32_t)wend__root_down((uint64_t)(x * x + y * y) << 8);
}

/* ---- nodes ---- */

static bool add_node(search *s, wend__milli_point at, wend__milli_point from, wend__milli_point to) {
    WEND__DEBUG_ASSERT(s->count >= 2 && s->count <= WEND__DETOUR_NODES);
    const uint32_t h = wend__piece_length(at, to);
    if (wend__piece_length(from, at) + (uint64_t)h >= s->limit) return true;
    if (s->count == WEND__DETOUR_NODES) return false;
    s->node[s->count++] = (node){.at = at, .g = UINT32_MAX, .h = h};
    return true;
}

/* Adds points in the open cells around a corner that lie across from an obstacle. */
static bool add_corner(search *s, int32_t x, int32_t y, uint32_t around, wend__milli_point from, wend__milli_point to) {
    const wend__milli_point corner = wend__corner_spot(x, y);
    const int32_t wide = s->disc->radius, narrow = wide * SHORT / SHORT_WHOLE + SHORT_MORE;
    const bool walls = around > WEND__CORNER_CELLS;
    for (int32_t i = 0; i < 4; i++) {
        if (around >> i & 1 || (!walls && !(around >> (3 - i) & 1))) continue;
        const int32_t right = i & 1 ? 1 : -1, down = i & 2 ? 1 : -1;
        const wend__milli_point first = {corner.x + right * wide, corner.y + down * narrow};
        const wend__milli_point second = {corner.x + right * narrow, corner.y + down * wide};
        const wend__milli_point third = {corner.x + right * wide, corner.y + down * wide};
        if (!add_node(s, first, from, to) || !add_node(s, second, from, to)) return false;
        if (wide >= TIGHT && !add_node(s, third, from, to)) return false;
    }
    return true;
}

static bool add_corners(search *s, wend__milli_point a, wend__milli_point b) {
    const int64_t length = wend__piece_length(a, b) / 16, most = s->limit / 16 + 1;
    WEND__DEBUG_ASSERT(most >= length);
    const int64_t reach = (int64_t)wend__root_down((uint64_t)(most * most - length * length)) / 2 + s->disc->extent;
    wend__corners c = wend__corners_near_piece(s->ground, a, b, reach);
    c.bends = true;
    while (wend__corners_next(&c))
        if (!add_corner(s, c.x, c.y, wend__corners_around(&c), a, b)) return false;
    return true;
}

/* ---- A* ---- */

static uint32_t best_open(const search *s) {
    uint32_t best = UINT32_MAX;
    uint64_t least = s->limit;
    for (uint32_t i = 0; i < s->count; i++) {
        const node *n = &s->node[i];
        if (n->closed || (uint64_t)n->g + n->h >= least) continue;
        least = (uint64_t)n->g + n->h, best = i;
    }
    return best;
}

/* No piece is shorter than its longer side, or seven tenths of both together. */
static uint64_t least_length(wend__milli_point a, wend__milli_point b) {
    const int64_t x = llabs((int64_t)b.x - a.x), y = llabs((int64_t)b.y - a.y), both = (x + y) * 7 / 10;
    const int64_t side = x > y ? x : y;
    return (uint64_t)(side > both ? side : both) * 16;
}

static void expand(search *s, uint32_t from) {
    WEND__DEBUG_ASSERT(from < s->count && !s->node[from].closed);
    node *here = &s->node[from];
    here->closed = true;
    for (uint32_t i = 1; i < s->count; i++) {
        node *n = &s->node[i];
        if (n->closed || here->g + least_length(here->at, n->at) + n->h >= s->limit) continue;
        const uint64_t g = (uint64_t)here->g + wend__piece_length(here->at, n->at);
        if (g >= n->g || g + n->h >= s->limit) continue;
        if (*s->effort == 0) return;
        --*s->effort;
        if (wend__piece_is_free(s->ground, s->disc, here->at, n->at)) n->g = (uint32_t)g, n->parent = (uint16_t)from;
    }
}

/* Returns the bends of the way to node 1, from the first on. */
static int32_t trace(const search *s, wend__milli_point *out) {
    WEND__DEBUG_ASSERT(s->node[1].g < s->limit);
    int32_t count = 0;
    for (uint32_t i = s->node[1].parent; i != 0; i = s->node[i].parent) count++;
    if (count > WEND__TAUT_MOST) return -1;
    int32_t place = count;
    for (uint32_t i = s->node[1].parent; i != 0; i = s->node[i].parent) out[--place] = s->node[i].at;
    return count;
}

int32_t wend__detour(const wend__obstacles *ground, const wend__disc *disc, wend__milli_point a, wend__milli_point b,
                     uint32_t limit, uint32_t *effort, wend__milli_point *out) {
    search s;
    s.ground = ground, s.disc = disc, s.limit = limit, s.effort = effort, s.count = 2;
    s.node[0] = (node){.at = a, .h = wend__piece_length(a, b)};
    s.node[1] = (node){.at = b, .g = UINT32_MAX};
    if (s.node[0].h >= limit) return -1;
    if (!add_corners(&s, a, b)) return WEND__DETOUR_CROWDED;
    for (uint32_t at; *effort > 0 && (at = best_open(&s)) != UINT32_MAX; expand(&s, at))
        if (at == 1) return trace(&s, out);
    return -1;
}
