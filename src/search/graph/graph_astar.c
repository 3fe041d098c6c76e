/* SPDX-License-Identifier: MIT */
/* Resumable A* on graphs, with multilevel buckets. Nodes are found by their numbers and store
 * their estimates.
 *
 * A bucket holds 2^shift keys, an eighth of an average edge's cost, so that nearly all
 * successors fall into level 0 and never move. Its entries come off newest first, not in exact
 * order; so a closed node that becomes cheaper is opened again, and the search empties the
 * goal's bucket before it ends. It skips nodes that cannot improve on the best path found. A
 * node on a cheapest path is never skipped: its key is at most that path's cost, as the estimate
 * is a lower bound. So it comes off before the floor passes the goal's bucket. */
#include "search/graph/graph_astar.h"

#include "map/kinds/graph.h"
#include "map/query/step_cost.h"
#include "search/graph/graph_astar_loop.h"
#include "search/general/general_astar.h"
#include "search/open/bucket_queue.h"
#include "search/request/request.h"
#include "search/store/candidate.h"
#include "search/store/pages.h"

/* Graphs of this engine have fewer nodes: as many as the directory of 64 open pages covers. */
#define MOST_NODES (UINT32_C(1) << (WEND__GRAPH_TOP_SHIFT + 6))
/* The number of a node's edges that count as one expansion more. */
enum { EDGES_AN_EXPANSION = 8 };
/* Nodes covered by one open page of the directory. */
#define SMALL_NODES (UINT32_C(1) << WEND__GRAPH_TOP_SHIFT)
/* The size of a graph and a search's nodes of it up to which reading ahead takes longer than it
 * saves. Measured on roads, with a second-level cache of 1 MB and a shared third-level one:
 * without it searches took a sixth less time at 6 MB and at 11 MB, and between a tenth less and
 * a tenth more at 23 MB. */
#define NEAR_BYTES (UINT64_C(1) << 24)
_Static_assert(NEAR_BYTES / sizeof(wend__graph_node) <= SMALL_NODES, "near graphs are small");

static bool serves_request(const wend__version *version, const wend__request *request) {
    const bool exact = request->weight_milli == 1000 || request->heuristic == WEND_HEURISTIC_ZERO;
    return version->kind == WEND_KIND_GRAPH && version->graph->nodes <= MOST_NODES && !version->links &&
           request->more_goal_count == 0 && request->occupied == WEND_OCCUPIED_IGNORE &&
           request->profile == WEND_PROFILE_NONE && !(request->flags & WEND__REQUEST_GOAL_MOVED) && exact;
}

/* ---- beginning ---- */

static uint32_t bucket_shift(uint32_t mean_cost) {
    uint32_t shift = 0;
    while (mean_cost >> shift >= 16) shift++;
    return shift;
}

/* If landmarks bound the start better than its place does, they mostly do so everywhere: places are not read. */
static void init_landmark_bounds(wend__search *s) {
    wend__graph_astar_search *graph_search = wend__graph_of(s);
    const wend__graph *graph = s->version->graph;
    graph_search->landmark_bounds.landmarks = NULL;
    if (s->heuristic == WEND_HEURISTIC_ZERO) return;
    const uint64_t known =
        wend__node_bounds_init(&graph_search->landmark_bounds, s->version, (uint32_t)s->start.x, (uint32_t)s->goal.x);
    if (graph_search->blind) return;
    WEND__DEBUG_ASSERT(graph->coordinates);
    const uint64_t plain = wend__graph_estimate(graph, graph->coordinates[s->start.x], graph_search->goal_place);
    if (known > plain) graph_search->blind = true;
}

static void begin_search(wend__search *s, const wend__request *request) {
    const wend__graph *graph = s->version->graph;
    wend__graph_astar_search *graph_search = wend__graph_of(s);
    s->weight_milli = 1000;
    s->price = 2;
    s->heuristic = request->heuristic;
    s->begun = false;
    s->best = UINT64_MAX;
    graph_search->shift = bucket_shift(graph->mean_cost);
    graph_search->expanding = WEND__NONE;
    graph_search->moving = false;
    graph_search->near_number = WEND__NONE;
    graph_search->blind = request->heuristic == WEND_HEURISTIC_ZERO || !graph->coordinates || graph->cost_per_unit == 0;
    if (!graph_search->blind) graph_search->goal_place = graph->coordinates[s->goal.x];
    init_landmark_bounds(s);
    wend__pages_reset(s);
    wend__open_reset(&s->open, s->pool->open_entries, 0);
}

/* ---- nodes ---- */

WEND__INLINE wend__graph_node unknown_node(uint32_t factor) {
    return (wend__graph_node){factor > 0 ? UINT32_MAX : 0, 0, 0, factor << 1};
}

/* Nodes of two classes, told apart by bits. `rows` begins with their bits. */
static void clear_bits(wend__graph_node *nodes, uint32_t count, const uint64_t *rows, const wend__graph_node *kinds) {
    for (uint32_t i = 0; i < count; i++) nodes[i] = kinds[rows[i >> 6] >> (i & 63) & 1];
}

/* Clears a page of nodes, up to the graph's last. They lie in one chunk. */
static void clear_page(const wend__search *s, uint32_t page, uint32_t number) {
    enum { MOST = 1 << WEND__GRAPH_PAGE_SHIFT };
    const wend__chunk *chunk = wend__version_chunk(s->view, (int32_t)(number >> 12), 0);
    const uint8_t *factors = s->view->rules.factors;
    const uint32_t base = number & ~(uint32_t)(MOST - 1), left = s->version->graph->nodes - base;
    const uint32_t count = left < MOST ? left : MOST, local = base & 4095;
    wend__graph_node *const nodes = wend__page_records(s->pool, page);
    if (chunk->bits) {
        const uint8_t *classes = chunk->bits->classes;
        const wend__graph_node kinds[2] = {unknown_node(factors[classes[0]]), unknown_node(factors[classes[1]])};
        clear_bits(nodes, count, chunk->bits->rows + (local >> 6), kinds);
    } else if (chunk->terrain) {
        const uint8_t *classes = chunk->terrain->bytes + local;
        for (uint32_t i = 0; i < count; i++) nodes[i] = unknown_node(factors[classes[i]]);
    } else {
        const wend__graph_node same = unknown_node(factors[chunk->uniform]);
        for (uint32_t i = 0; i < count; i++) nodes[i] = same;
    }
}

static void clear_directory(uint32_t *entries) {
    for (uint32_t i = 0; i < WEND__OPEN_PAGE_WORDS; i++) entries[i] = (uint32_t)WEND__GRAPH_NO_PAGE;
}

/* Takes a page for a node without one. Returns the directory's entry, WEND__GRAPH_NO_PAGE if the stock is empty. */
static WEND__NOINLINE int32_t make_page(wend__search *s, wend__stock *stock, uint32_t node) {
    uint32_t *entry = wend__graph_page_entry(s, node);
    if (!entry) {
        const uint32_t directory = wend__pages_take_open(s, stock);
        if (directory == WEND__NONE) {
            wend__pages_starve(s, 0, 1);
            return WEND__GRAPH_NO_PAGE;
        }
        s->first_directory[node >> WEND__GRAPH_TOP_SHIFT] = directory;
        entry = wend__graph_page_entry(s, node);
        clear_directory(entry - (node >> WEND__GRAPH_PAGE_SHIFT & (WEND__OPEN_PAGE_WORDS - 1)));
    }
    const uint32_t page = wend__pages_take(s, stock);
    if (page == WEND__NONE) {
        wend__pages_starve(s, 1, 0);
        return WEND__GRAPH_NO_PAGE;
    }
    clear_page(s, page, node);
    s->active_pages++;
    return (int32_t)(*entry = page - (node >> WEND__GRAPH_PAGE_SHIFT));
}

/* ---- the open list ---- */

WEND__INLINE uint64_t key_of(const wend__search *s, const wend__graph_node *node) {
    return ((uint64_t)node->g + node->left) >> wend__graph_of(s)->shift;
}

WEND__INLINE bool spare_blocks(wend__search *s, wend__stock *stock) {
    if (WEND__LIKELY(s->open.spare >= WEND__DIRECTIONS) || wend__pages_spare(s, stock)) return true;
    wend__pages_starve(s, 0, 1);
    return false;
}

/* Moves the entries of a higher level's bucket down. Returns false if pages are lacking; the next call resumes it. */
static bool move_down(wend__search *s, wend__stock *stock) {
    while (s->open.top[s->open.current] != 0) {
        if (!spare_blocks(s, stock)) return false;
        const uint32_t number = wend__open_pop(&s->open);
        const wend__graph_node *node = wend__graph_node_of(s, number);
        if (!(node->state & 1)) continue;
        const uint64_t key = key_of(s, node);
        wend__open_push_bucket(&s->open, wend__level_bucket(s->floor_f, key < s->floor_f ? s->floor_f : key), number);
    }
    wend__graph_of(s)->moving = false;
    return true;
}

/* Finds the lowest key. Returns false if there is none, or if pages are lacking. */
static bool advance_floor(wend__search *s, wend__stock *stock) {
    for (;;) {
        if (WEND__UNLIKELY(wend__graph_of(s)->moving) && !move_down(s, stock)) return false;
        const int found = wend__levels_advance(&s->open, &s->floor_f);
        if (WEND__LIKELY(found != WEND__LEVELS_MOVE)) return found == WEND__LEVELS_READY;
        wend__graph_of(s)->moving = true;
    }
}

/* ---- expanding ---- */

/* Push a node that was reached for the first time, or for less. */
WEND__INLINE void enter_node(wend__search *s, wend__graph_loop *l, wend__graph_node *node, uint32_t number, uint32_t g,
                             uint32_t parent) {
    if (node->g == UINT32_MAX) {
        WEND__PREFETCH(wend__graph_loop_first(wend__graph_loop_page(l, number), number));
        node->left = wend__graph_loop_estimate(l, number);
    }
    node->g = g;
    node->parent = parent;
    node->state |= 1;
    wend__graph_loop_push(&s->open, l, ((uint64_t)g + node->left) >> l->shift, number);
}

/* Expands a node from edge `from` on. Returns false if pages are lacking, or costs exceed the records; the next call
 * resumes it at that edge. */
WEND__INLINE bool expand_node(wend__search *s, wend__stock *stock, wend__graph_loop *l, uint32_t number, uint32_t g,
                              uint32_t from) {
    const wend__graph_page *const page = wend__graph_loop_page(l, number);
    const uint32_t *const first = wend__graph_loop_first(page, number);
    const wend__arc *arc = page->arcs + first[0] + from, *const end = page->arcs + first[1];
    for (; arc != end; arc++) {
        const uint32_t to = arc->to;
        int32_t entry = wend__graph_loop_entry(l, to);
        if (WEND__UNLIKELY(entry == WEND__GRAPH_NO_PAGE)) entry = make_page(s, stock, to);
        if (WEND__UNLIKELY(entry == WEND__GRAPH_NO_PAGE)) break;
        wend__graph_node *const node = wend__graph_node_at(l->records, entry, to);
        const uint32_t known = node->g;
        if ((uint64_t)g + arc->cost >= known && WEND__LIKELY(known != UINT32_MAX))
            continue; /* the factor is at least 1 */
        const uint64_t way = g + (uint64_t)arc->cost * (node->state >> 1);
        if (WEND__UNLIKELY(way >= known)) {
            if (WEND__LIKELY(known != UINT32_MAX)) continue;
            s->outgrown = true; /* 32 bits */
            return false;
        }
        if (WEND__UNLIKELY(!spare_blocks(s, stock))) break;
        enter_node(s, l, node, to, (uint32_t)way, number);
    }
    if (WEND__LIKELY(arc == end)) return true;
    wend__graph_of(s)->expanding = number;
    wend__graph_of(s)->successor = (uint32_t)(arc - page->arcs) - first[0];
    return false;
}

WEND__INLINE bool resume_expansion(wend__search *s, wend__stock *stock, wend__graph_loop *l) {
    const uint32_t number = wend__graph_of(s)->expanding;
    if (number == WEND__NONE) return true;
    wend__graph_of(s)->expanding = WEND__NONE;
    return expand_node(s, stock, l, number, wend__graph_node_of(s, number)->g, wend__graph_of(s)->successor);
}

/* ---- the path ---- */

/* Adds up the steps, as a node on the path may have become cheaper without the nodes after it being relaxed. */
static void measure_path(wend__search *s) {
    s->cost = s->steps = 0;
    uint32_t node = (uint32_t)s->goal.x;
    for (uint32_t parent; (parent = wend__graph_node_of(s, node)->parent) != node; node = parent, s->steps++)
        s->cost +=
            wend__step_cost(s->version, s->mover, (wend_cell){(int32_t)parent, 0, 0}, (wend_cell){(int32_t)node, 0, 0});
}

/* Puts the closed node nearest to the goals in the goal's place. */
static bool take_nearest(wend__search *s) {
    const uint32_t near = wend__graph_of(s)->near_number;
    if (s->best == UINT64_MAX && near == WEND__NONE) return false;
    if (s->best == UINT64_MAX) s->goal = (wend_cell){(int32_t)near, 0, 0};
    measure_path(s);
    return true;
}

static void finish_search(wend__search *s) {
    s->status = s->best == UINT64_MAX ? WEND_STATUS_NO_PATH : WEND_STATUS_FOUND;
    if (s->status == WEND_STATUS_FOUND) measure_path(s);
    if (s->status == WEND_STATUS_NO_PATH && take_nearest(s)) s->status = WEND_STATUS_PARTIAL;
}

static void read_cells(const wend__search *s, wend_cell *out, uint64_t count) {
    if (s->steps == 0 && count > 0) *out = s->start; /* also if no search was needed */
    if (s->steps == 0) return;
    uint32_t node = (uint32_t)s->goal.x;
    for (uint64_t i = s->steps;; i--) {
        if (i < count) out[i] = (wend_cell){(int32_t)node, 0, 0};
        if (i == 0) break;
        node = wend__graph_node_of(s, node)->parent;
    }
}

/* ---- the loop ---- */

static bool push_start(wend__search *s, wend__stock *stock) {
    const uint32_t number = (uint32_t)s->start.x;
    if (!spare_blocks(s, stock)) return false;
    const uint32_t *entry = wend__graph_page_entry(s, number);
    if ((!entry || (int32_t)*entry == WEND__GRAPH_NO_PAGE) && make_page(s, stock, number) == WEND__GRAPH_NO_PAGE)
        return false;
    wend__graph_node *node = wend__graph_node_of(s, number);
    const wend__graph *graph = s->version->graph;
    const wend__graph_astar_search *graph_search = wend__graph_of(s);
    uint64_t left =
        graph_search->blind ? 0 : wend__graph_estimate(graph, graph->coordinates[number], graph_search->goal_place);
    if (graph_search->landmark_bounds.landmarks) {
        const uint64_t known = wend__node_bound(&graph_search->landmark_bounds, number);
        if (known > left) left = known;
    }
    node->left = wend__graph_left(left);
    node->g = 0;
    node->parent = number;
    node->state |= 1;
    s->floor_f = key_of(s, node);
    wend__open_push_bucket(&s->open, wend__level_bucket(s->floor_f, s->floor_f), number);
    s->begun = true;
    return true;
}

/* Finds the next bucket. Returns false if pages are lacking, or the search has ended. */
static WEND__NOINLINE bool next_bucket(wend__search *s, wend__stock *stock) {
    const bool more = advance_floor(s, stock);
    if (!more && s->starved) return false;
    if (more && (s->best == UINT64_MAX || s->floor_f <= wend__graph_of(s)->goal_floor)) return true;
    finish_search(s);
    return false;
}

/* Records a closed node if it is the nearest so far. */
static WEND__NOINLINE void note_nearest(wend__search *s, uint32_t number) {
    wend__graph_astar_search *graph_search = wend__graph_of(s);
    const wend_cell cell = {(int32_t)number, 0, 0};
    const wend__nearness now = wend__nearness_to(s->version, s->goals, s->request.more_goal_count + 1, cell);
    if (graph_search->near_number != WEND__NONE) {
        if (wend__nearer(graph_search->nearness, now)) return;
        if (!wend__nearer(now, graph_search->nearness) && number > graph_search->near_number) return;
    }
    graph_search->near_number = number;
    graph_search->nearness = now;
}

/* Pops the newest node of the bucket. Returns true if it counts: it will be expanded, or is the goal. */
WEND__INLINE bool close_node(wend__search *s, wend__graph_loop *l, wend__graph_node *node, uint32_t number) {
    if (!(node->state & 1)) return false; /* closed since it was pushed */
    node->state &= ~UINT32_C(1);
    if (WEND__UNLIKELY((uint64_t)node->g + node->left >= l->best)) return false;
    if (WEND__UNLIKELY(number == l->goal_number)) {
        s->best = l->best = node->g;
        wend__graph_of(s)->goal_floor = l->floor;
    }
    return true;
}

WEND__INLINE uint64_t step_loop(wend__search *s, wend__stock *stock, uint64_t budget, bool small, bool near,
                                bool nearest) {
    uint64_t used = 0;
    wend__graph_loop l = wend__graph_loop_begin(s, small, near);
    bool more = resume_expansion(s, stock, &l);
    while (more && used < budget) {
        if (WEND__UNLIKELY(l.at == 0)) {
            more = next_bucket(s, stock);
            if (more) wend__graph_loop_turn_to(&l, s);
            continue;
        }
        if (!near) wend__graph_loop_expect(&s->open, &l);
        const uint32_t number = wend__graph_loop_pop(&s->open, &l);
        if (near) wend__graph_loop_meet_next(&l, number);
        wend__graph_node *const node = wend__graph_loop_node(&l, number);
        if (!close_node(s, &l, node, number)) continue;
        used++;
        if (nearest) note_nearest(s, number);
        if (WEND__UNLIKELY(number == l.goal_number)) continue;
        const uint32_t *const first = wend__graph_loop_first(wend__graph_loop_page(&l, number), number);
        const uint32_t edges = first[1] - first[0];
        if (WEND__UNLIKELY(edges >= EDGES_AN_EXPANSION)) used += edges / EDGES_AN_EXPANSION;
        more = expand_node(s, stock, &l, number, node->g, 0);
    }
    if (!s->outgrown) wend__graph_loop_end(s, &l);
    return used;
}

/* With one open page as the whole directory, each node needs one look-up less. */
static WEND__NOINLINE uint64_t step_near(wend__search *s, wend__stock *stock, uint64_t budget) {
    return step_loop(s, stock, budget, true, true, false);
}

static WEND__NOINLINE uint64_t step_small(wend__search *s, wend__stock *stock, uint64_t budget) {
    return step_loop(s, stock, budget, true, false, false);
}

static WEND__NOINLINE uint64_t step_large(wend__search *s, wend__stock *stock, uint64_t budget) {
    return step_loop(s, stock, budget, false, false, false);
}

static WEND__NOINLINE uint64_t step_nearest(wend__search *s, wend__stock *stock, uint64_t budget) {
    return step_loop(s, stock, budget, false, false, true);
}

/* Returns whether nodes, places and edges nearly fit in the caches. */
static bool is_near(const wend__graph *graph) {
    const uint64_t node_bytes = sizeof(wend__graph_node) + sizeof *graph->coordinates + sizeof(uint32_t);
    if (graph->nodes > SMALL_NODES) return false; /* few nodes, far apart */
    return graph->present_count * node_bytes + graph->edges * sizeof(wend__arc) <= NEAR_BYTES;
}

static uint64_t step_slice(wend__search *s, wend__stock *stock, uint64_t budget) {
    if (!s->begun && !push_start(s, stock)) return 0;
    const wend__graph *graph = s->version->graph;
    if (s->request.mode == WEND_MODE_NEAREST) return step_nearest(s, stock, budget);
    if (is_near(graph)) return step_near(s, stock, budget);
    if (graph->nodes <= SMALL_NODES) return step_small(s, stock, budget);
    return step_large(s, stock, budget);
}

/* Returns whether popping a node would count as an expansion. */
static bool is_live(const void *owner, uint32_t number) {
    const wend__search *s = owner;
    const wend__graph_node *node = wend__graph_node_of(s, number);
    if (!(node->state & 1)) return false;
    if (s->best == UINT64_MAX) return true;
    return (uint64_t)node->g + node->left < s->best && key_of(s, node) <= wend__graph_of(s)->goal_floor;
}

static void conclude_search(wend__search *s, wend__stock *stock) {
    if (!s->begun) return;
    wend__graph_loop l = wend__graph_loop_begin(s, false, true);
    const bool whole = resume_expansion(s, stock, &l);
    if (!s->outgrown) wend__graph_loop_end(s, &l);
    if (whole && !wend__open_any(&s->open, s, is_live)) finish_search(s);
}

static void list_expanded(const wend__search *s, wend__cell_list *list) {
    const uint32_t nodes = s->version->graph->nodes;
    for (uint32_t first = 0; first < nodes; first += 1u << WEND__GRAPH_PAGE_SHIFT) {
        const uint32_t *entry = wend__graph_page_entry(s, first);
        if (!entry || (int32_t)*entry == WEND__GRAPH_NO_PAGE) continue;
        for (uint32_t number = first; number < nodes && number - first < 1u << WEND__GRAPH_PAGE_SHIFT; number++) {
            const wend__graph_node *node = wend__graph_node_of(s, number);
            const bool reached = node->g != UINT32_MAX && (node->state > 1 || number == (uint32_t)s->start.x);
            if (reached && !(node->state & 1)) wend__cell_list_add(list, (wend_cell){(int32_t)number, 0, 0});
        }
    }
}

/* ---- its row ---- */

static bool is_open(const void *owner, uint32_t number) {
    return wend__graph_node_of(owner, number)->state & 1;
}

static void flip_open(const void *owner, uint32_t number) {
    wend__graph_node_of(owner, number)->state ^= 1;
}

static bool compact_open(wend__search *s) {
    const wend__open_nodes nodes = {s, is_open, flip_open};
    return wend__open_compact(&s->open, &nodes, s->open_pages.count, &s->floor_f) >= WEND__DIRECTIONS;
}

static bool read_candidate(const wend__search *s, uint32_t number, wend__candidate *out) {
    const wend__graph_node *node = wend__graph_node_of(s, number);
    if (!(node->state & 1) && number != (uint32_t)s->goal.x) return false;
    *out = (wend__candidate){{(int32_t)number, 0, 0}, number, node->g, node->left};
    return true;
}

static void offer_candidates(wend__search *s, wend__candidate_best *best) {
    wend__candidate goal;
    best->read = read_candidate;
    wend__candidate_offer_list(best);
    if (s->best != UINT64_MAX && read_candidate(s, (uint32_t)s->goal.x, &goal)) wend__candidate_offer(best, &goal);
}

static int go_back(const wend__search *s, wend__candidate *at) {
    const uint32_t parent = wend__graph_node_of(s, at->node)->parent;
    if (parent == at->node) return WEND__HOP_NONE;
    at->node = parent;
    at->cell.x = (int32_t)parent;
    return WEND__HOP_STEP;
}

const wend__engine wend__graph_astar = {
    .name = WEND_ENGINE_ASTAR,
    .work = WEND_WORK_GRAPH_ASTAR,
    .wider = &wend__general_astar,
    .serves = serves_request,
    .begin = begin_search,
    .step = step_slice,
    .conclude = conclude_search,
    .compact = compact_open,
    .cells = read_cells,
    .expanded = list_expanded,
    .take_nearest = take_nearest,
    .candidates = offer_candidates,
    .back = go_back,
};
