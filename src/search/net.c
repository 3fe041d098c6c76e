/* SPDX-License-Identifier: MIT */
/* Resumable A* on graphs: the full engine's open list, with buckets of several keys, over nodes known by their numbers, which
 * remember their estimates.
 *
 * A bucket holds 2^shift keys, an eighth of what an edge costs on average, so that nearly all successors fall into the
 * lowest tier and are never moved. Its entries leave newest first, not in exact order; so a closed node that becomes
 * cheaper is opened again, and the goal's bucket is emptied before the search ends. What cannot beat the best way found is
 * passed over. No node on a cheapest way can be: its key is at most that way's cost, as the estimate is a lower bound; and
 * so it comes off the open list before the floor has passed the goal's bucket. */
#include "search/net.h"

#include "map/graph.h"
#include "search/full.h"
#include "search/pages.h"
#include "search/tiers.h"

#include <string.h>

/* Nodes below that many: what the directory of 64 open pages covers. */
#define MOST_NODES (UINT32_C(1) << (WEND__NET_TOP_SHIFT + 6))
enum { MOST_LEFT = INT32_MAX }; /* estimates end there */

bool wend__net_serves(const wend__version *version, const wend_request *request) {
    const bool exact = request->weight_milli == 1000 || request->heuristic == WEND_HEURISTIC_ZERO;
    return version->kind == WEND_KIND_GRAPH && version->graph->nodes <= MOST_NODES && !version->links &&
           request->more_goal_count == 0 && request->mode == WEND_MODE_EXACT &&
           request->occupied == WEND_OCCUPIED_IGNORE && !(request->flags & WEND__REQUEST_PURSUES) && exact;
}

/* ---- beginning ---- */

static uint32_t bucket_shift(uint32_t mean_cost) {
    uint32_t shift = 0;
    while (mean_cost >> shift >= 16) shift++;
    return shift;
}

void wend__net_begin(wend__search *s, const wend_request *request) {
    const wend__graph *graph = s->version->graph;
    wend__net *net = &s->net;
    s->weight_milli = 1000;
    s->heuristic = request->heuristic;
    s->begun = false;
    s->best = UINT64_MAX;
    net->shift = bucket_shift(graph->mean_cost);
    net->expanding = WEND__NONE;
    net->moving = false;
    net->mover = request->mover;
    net->blind = request->heuristic == WEND_HEURISTIC_ZERO || !graph->coordinates || graph->cost_per_unit == 0;
    if (!net->blind) net->goal = graph->coordinates[s->goal.x];
    wend__pages_reset(s);
    wend__open_reset(&s->open, s->pool->open_entries, 0);
}

/* Costs outgrew 32 bits: the full engine starts again, in the pages that are there. What was spent counts. */
static void outgrow(wend__search *s) {
    wend_request request = wend_request_default();
    request.map = s->version->map;
    request.start = s->start, request.goal = s->goal;
    request.mover = s->net.mover;
    request.heuristic = s->heuristic;
    s->is_net = false;
    s->is_full = true;
    wend__full_begin(s, &request);
}

/* ---- nodes ---- */

/* The page of a node, taken if need be. WEND__NONE where the stock is empty. */
static WEND__NOINLINE uint32_t make_page(wend__search *s, wend__stock *stock, uint32_t node) {
    if (!wend__net_page_of(s, node)) {
        const uint32_t directory = wend__pages_take_open(s, stock);
        if (directory == WEND__NONE) {
            wend__pages_starve(s, 0, 1);
            return WEND__NONE;
        }
        s->first_directory[node >> WEND__NET_TOP_SHIFT] = directory;
        const size_t entries = WEND__OPEN_PAGE_BLOCKS << WEND__OPEN_BLOCK_SHIFT;
        memset(s->pool->open_entries + directory * entries, 0xff, entries * sizeof(uint32_t));
    }
    const uint32_t page = wend__pages_take(s, stock);
    if (page == WEND__NONE) {
        wend__pages_starve(s, 1, 0);
        return WEND__NONE;
    }
    memset(wend__page_records(s->pool, page), 0xff, WEND__PAGE_RECORD_BYTES);
    s->active_pages++;
    return *wend__net_page_of(s, node) = page;
}

WEND__INLINE wend__net_node *node_at(wend__search *s, wend__stock *stock, uint32_t number) {
    const uint32_t *known = wend__net_page_of(s, number);
    uint32_t page = known ? *known : WEND__NONE;
    if (WEND__UNLIKELY(page == WEND__NONE)) page = make_page(s, stock, number);
    return page == WEND__NONE ? NULL : wend__net_node_on(s, page, number);
}

/* A node is come to for the first time. One where the mover cannot stand looks as if it could not be reached for less. */
static void touch(const wend__search *s, wend__net_node *node, uint32_t number) {
    const wend__chunk *chunk = wend__version_chunk(s->ground, (int32_t)(number >> 12), 0);
    const uint8_t factor = s->ground->rules.factors[wend__chunk_class(chunk, number & 4095)];
    uint64_t left = 0;
    WEND__PREFETCH(&s->version->graph->arcs[s->version->graph->first[number]]);
    if (!s->net.blind)
        left = wend__graph_estimate(s->version->graph, s->version->graph->coordinates[number], s->net.goal);
    node->left = left < MOST_LEFT ? (uint32_t)left : MOST_LEFT;
    node->state = (uint32_t)factor << 1;
    if (factor == 0) node->g = 0;
}

/* ---- the open list ---- */

WEND__INLINE uint64_t key_of(const wend__search *s, const wend__net_node *node) {
    return ((uint64_t)node->g + node->left) >> s->net.shift;
}

WEND__INLINE void push(wend__open *open, uint64_t floor, uint64_t key, uint32_t number) {
    wend__open_push_bucket(open, wend__tier_bucket(floor, key < floor ? floor : key), number);
}

WEND__INLINE bool spare_blocks(wend__search *s, wend__stock *stock) {
    if (WEND__LIKELY(s->open.spare >= WEND__DIRECTIONS) || wend__pages_spare(s, stock)) return true;
    wend__pages_starve(s, 0, 1);
    return false;
}

/* Empty the bucket of a higher tier into those below. False where it lacks pages; it goes on there the next time. */
static bool move_down(wend__search *s, wend__stock *stock) {
    while (s->open.top[s->open.current] != 0) {
        if (!spare_blocks(s, stock)) return false;
        const uint32_t number = wend__open_pop(&s->open);
        const wend__net_node *node = wend__net_node_of(s, number);
        if (node->state & 1) push(&s->open, s->floor_f, key_of(s, node), number);
    }
    s->net.moving = false;
    return true;
}

/* Find the lowest key. False where there is none, or where it lacks pages. */
WEND__INLINE bool advance(wend__search *s, wend__stock *stock) {
    for (;;) {
        if (WEND__UNLIKELY(s->net.moving) && !move_down(s, stock)) return false;
        const int found = wend__tiers_advance(&s->open, &s->floor_f);
        if (WEND__LIKELY(found != WEND__TIERS_MOVE)) return found == WEND__TIERS_READY;
        s->net.moving = true;
    }
}

/* ---- expanding ---- */

/* False where it lacks pages, or outgrew its records; else it is taken up again at the edge where it was broken off. */
WEND__INLINE bool expand(wend__search *s, wend__stock *stock) {
    const uint32_t number = s->net.expanding, shift = s->net.shift;
    const wend__graph *const graph = s->version->graph;
    const wend__arc *arc = graph->arcs + s->net.successor, *const end = graph->arcs + graph->first[number + 1];
    wend__open *const open = &s->open;
    const uint64_t g = wend__net_node_of(s, number)->g, floor = s->floor_f;
    for (; arc != end; arc++) {
        const uint32_t to = arc->to;
        wend__net_node *const node = node_at(s, stock, to);
        if (WEND__UNLIKELY(!node || !spare_blocks(s, stock))) {
            s->net.successor = (uint32_t)(arc - graph->arcs);
            return false;
        }
        if (node->state == UINT32_MAX) touch(s, node, to);
        const uint64_t way = g + (uint64_t)arc->cost * (node->state >> 1);
        if (way >= node->g) {
            if (WEND__LIKELY(node->g != UINT32_MAX)) continue;
            outgrow(s);
            return false;
        }
        node->g = (uint32_t)way;
        node->parent = number;
        node->state |= 1;
        push(open, floor, (way + node->left) >> shift, to);
    }
    s->net.expanding = WEND__NONE;
    return true;
}

/* What the entries below the bucket's top one will need, which lies far apart: have it on the way, a stage at each turn. */
WEND__INLINE void expect_entries(const wend__search *s) {
    enum { EDGES = 4 }; /* looked at whether they are its own or the next node's: that is quicker than to ask */
    const wend__open *const open = &s->open;
    const wend__graph *const graph = s->version->graph;
    const uint32_t at = open->top[open->current], place = at & 31;
    if (place < 3) return;
    const uint32_t first = graph->first[open->entries[at - 2]];
    if (WEND__UNLIKELY(graph->edges < (uint64_t)first + EDGES)) return;
    for (uint32_t i = 0; i < EDGES; i++) {
        const uint32_t to = graph->arcs[first + i].to, *page = wend__net_page_of(s, to);
        const uint32_t known = WEND__LIKELY(page != NULL) && *page != WEND__NONE ? *page : 0;
        WEND__PREFETCH(wend__net_node_on(s, known, to));
        if (!s->net.blind) WEND__PREFETCH(&graph->coordinates[to]);
        WEND__PREFETCH(&graph->first[to]);
    }
    if (place < 4) return;
    WEND__PREFETCH(&graph->arcs[graph->first[open->entries[at - 3]]]);
    if (place < 6) return;
    const uint32_t later = open->entries[at - 5];
    WEND__PREFETCH(wend__net_node_of(s, later));
    WEND__PREFETCH(&graph->first[later]);
}

/* ---- the path ---- */

/* A node on the way may have become cheaper without that having been carried on, so the way is added up. */
static void finish(wend__search *s) {
    s->status = s->best == UINT64_MAX ? WEND_STATUS_NO_PATH : WEND_STATUS_FOUND;
    s->cost = s->steps = 0;
    if (s->status != WEND_STATUS_FOUND) return;
    uint32_t node = (uint32_t)s->goal.x;
    for (uint32_t parent; (parent = wend__net_node_of(s, node)->parent) != node; node = parent, s->steps++)
        s->cost += wend__step_cost(s->version, s->net.mover, (wend_cell){(int32_t)parent, 0, 0},
                                   (wend_cell){(int32_t)node, 0, 0});
}

void wend__net_cells(const wend__search *s, wend_cell *out, uint64_t count) {
    if (s->steps == 0 && count > 0) *out = s->start; /* also where no search was needed */
    if (s->steps == 0) return;
    uint32_t node = (uint32_t)s->goal.x;
    for (uint64_t i = s->steps;; i--) {
        if (i < count) out[i] = (wend_cell){(int32_t)node, 0, 0};
        if (i == 0) break;
        node = wend__net_node_of(s, node)->parent;
    }
}

/* ---- the loop ---- */

/* Take the node with the lowest key. True where it is to be expanded, or was the goal. */
WEND__INLINE bool take_next(wend__search *s) {
    const uint32_t number = wend__open_pop(&s->open);
    wend__net_node *node = wend__net_node_of(s, number);
    expect_entries(s);
    if (!(node->state & 1)) return false; /* closed since it was pushed */
    node->state &= ~UINT32_C(1);
    if (WEND__UNLIKELY(s->best != UINT64_MAX) && (uint64_t)node->g + node->left >= s->best) return false;
    if (WEND__UNLIKELY(number == (uint32_t)s->goal.x)) {
        s->best = node->g;
        s->net.goal_floor = s->floor_f;
        return true;
    }
    s->net.expanding = number;
    s->net.successor = s->version->graph->first[number];
    return true;
}

static bool start(wend__search *s, wend__stock *stock) {
    const uint32_t number = (uint32_t)s->start.x;
    if (!spare_blocks(s, stock)) return false;
    wend__net_node *node = node_at(s, stock, number);
    if (!node) return false;
    touch(s, node, number);
    node->g = 0;
    node->parent = number;
    node->state |= 1;
    s->floor_f = key_of(s, node);
    push(&s->open, s->floor_f, s->floor_f, number);
    s->begun = true;
    return true;
}

static bool is_over(const wend__search *s) {
    return s->best != UINT64_MAX && s->floor_f > s->net.goal_floor;
}

uint64_t wend__net_step(wend__search *s, wend__stock *stock, uint64_t budget) {
    uint64_t used = 0;
    if (!s->begun && !start(s, stock)) return 0;
    for (;;) {
        if (s->net.expanding != WEND__NONE && !expand(s, stock)) break;
        if (used >= budget) break;
        const bool more = advance(s, stock);
        if (!more && s->starved) break;
        if (WEND__UNLIKELY(!more || is_over(s))) {
            finish(s);
            break;
        }
        used += take_next(s);
    }
    return used;
}
