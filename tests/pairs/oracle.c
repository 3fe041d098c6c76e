/* SPDX-License-Identifier: MIT */
/* Judges answers by Dijkstra's algorithm over single steps (wend_map_step_legal()), with layers and units as they are
 * at delivery; it uses no engine, no derived data, no version and no service.
 * | Where nothing changed since the submission, a cost has to be the cheapest. Else a path has to be legal now. */
#include "pairs/pairs.h"

#include <stdlib.h>

enum { MOST_NODES = 2048, MOST_NEXT = 96 };

typedef struct oracle {
    pair_world *w;
    const asked *own;
    int32_t mover; ///< as which it was searched
    wend_map_info info;
    wend_link links[512];
    size_t link_count;
    wend_cell cells[MOST_NODES];
    uint64_t costs[MOST_NODES];
    bool closed[MOST_NODES];
    int count;
} oracle;

static oracle o;

static int node_of(wend_cell cell) {
    for (int i = 0; i < o.count; i++)
        if (same_cell(o.cells[i], cell)) return i;
    CLAIM(o.count < MOST_NODES, "more nodes than the oracle has room for");
    o.cells[o.count] = cell, o.costs[o.count] = UINT64_MAX, o.closed[o.count] = false;
    return o.count++;
}

static bool on_map(wend_cell cell) {
    return cell.x >= 0 && cell.y >= 0 && cell.z >= 0 && cell.x < o.info.width && cell.y < o.info.height &&
           cell.z < o.info.depth;
}

static int32_t wrapped(int32_t at, int32_t side, int axis) {
    if (!(o.info.wrap & axis)) return at;
    return (at % side + side) % side;
}

static int32_t apart(int32_t a, int32_t b, int32_t side, int axis) {
    const int32_t direct = abs(a - b);
    return o.info.wrap & axis && side - direct < direct ? side - direct : direct;
}

static int32_t king_moves(wend_cell a, wend_cell b) {
    int32_t most = apart(a.x, b.x, o.info.width, WEND_WRAP_X);
    const int32_t y = apart(a.y, b.y, o.info.height, WEND_WRAP_Y), z = abs(a.z - b.z);
    if (y > most) most = y;
    return z > most ? z : most;
}

/* ---- steps ---- */

static int size_of_mover(void) {
    return world_is(o.w, MOVER, BIT(LARGE)) ? 2 : 1;
}

static bool is_covered(wend_cell at, wend_cell cell) {
    const int size = size_of_mover();
    return cell.x >= at.x && cell.x < at.x + size && cell.y >= at.y && cell.y < at.y + size && cell.z >= at.z &&
           cell.z < at.z + size;
}

/* Returns whether units count on cells that the mover covers at `at`. */
static bool is_occupied(wend_cell at) {
    const int size = size_of_mover(), height = o.info.depth > 1 ? size : 1;
    const int32_t within = o.own->options.occupied_within;
    for (int i = 0; i < size * size * height; i++) {
        const wend_cell cell = {at.x + i % size, at.y + i / size % size, at.z + i / size / size};
        uint32_t units = 0;
        if (wend_map_get_occupants(o.w->map, cell, &units) || units == 0) continue;
        if (is_covered(o.own->request.start, cell)) continue;
        if (within == WEND_EVERYWHERE || king_moves(o.own->request.start, cell) <= within) return true;
    }
    return false;
}

static uint64_t toll_of(wend_cell cell) {
    uint64_t toll = 0;
    if (!o.own->options.profile) return 0;
    for (uint32_t i = 0; i < o.w->weight_count; i++) {
        uint8_t value = 0;
        CLAIM(!wend_map_get_layer_value(o.w->map, o.w->weights[i].layer, cell, &value), "layer");
        toll += (uint64_t)o.w->weights[i].weight * value / 16;
    }
    return toll;
}

/* Returns the cost of a step under all options of the request, or UINT64_MAX. */
static uint64_t step_cost(wend_cell from, wend_cell to) {
    bool legal = false;
    uint64_t cost = 0;
    if (!on_map(to)) return UINT64_MAX;
    CLAIM(!wend_map_step_legal(o.w->map, o.mover, from, to, &legal, &cost), "step");
    if (!legal) return UINT64_MAX;
    if (o.own->options.occupied != WEND_OCCUPIED_IGNORE && is_occupied(to)) {
        if (o.own->options.occupied == WEND_OCCUPIED_BLOCK) return UINT64_MAX;
        cost += (uint64_t)o.own->options.occupied;
    }
    return cost + toll_of(to);
}

static int list_next(wend_cell at, wend_cell out[MOST_NEXT]) {
    int count = 0;
    for (size_t i = 0; i < o.link_count && count < MOST_NEXT; i++)
        if (same_cell(o.links[i].from, at)) out[count++] = o.links[i].to;
    if (o.info.kind == WEND_KIND_GRAPH) {
        wend_edge edges[64];
        size_t edge_count = 0;
        if (wend_map_get_edges(o.w->map, (uint32_t)at.x, edges, 64, &edge_count)) return count;
        for (size_t i = 0; i < edge_count && i < 64 && count < MOST_NEXT; i++)
            out[count++] = (wend_cell){(int32_t)edges[i].to, 0, 0};
        return count;
    }
    const int levels = world_is(o.w, MOVER, BIT(WALKER)) ? 3 : o.info.depth > 1 ? 1 : 0;
    for (int dz = -levels; dz <= levels; dz++)
        for (int dy = -1; dy <= 1; dy++)
            for (int dx = -1; dx <= 1; dx++) {
                if (!dx && !dy && !dz) continue;
                const wend_cell to = {wrapped(at.x + dx, o.info.width, WEND_WRAP_X),
                                      wrapped(at.y + dy, o.info.height, WEND_WRAP_Y), at.z + dz};
                if (count < MOST_NEXT) out[count++] = to;
            }
    return count;
}

/* ---- goals ---- */

static bool is_goal(wend_cell cell) {
    const wend_request *request = &o.own->request;
    for (uint32_t i = 0; i <= o.own->options.more_goal_count; i++) {
        const wend_cell goal = i ? o.own->goals[i - 1] : request->goal;
        if (same_cell(goal, cell)) return true;
        if (request->reach && king_moves(goal, cell) <= request->reach) return true;
    }
    return false;
}

/* Returns the cost of the cheapest way, or UINT64_MAX. On sheets nearness is by place (S37), which this oracle does not
 * model, so it is not certain there (tests/search has models for it). */
static uint64_t cheapest(bool *certain) {
    o.count = 0;
    *certain = !o.info.sheets || (o.own->request.reach == 0 && o.own->options.occupied_within == WEND_EVERYWHERE);
    o.costs[node_of(o.own->request.start)] = 0;
    for (;;) {
        int best = -1;
        for (int i = 0; i < o.count; i++)
            if (!o.closed[i] && o.costs[i] != UINT64_MAX && (best < 0 || o.costs[i] < o.costs[best])) best = i;
        if (best < 0) return UINT64_MAX;
        if (is_goal(o.cells[best])) return o.costs[best];
        o.closed[best] = true;
        wend_cell next[MOST_NEXT];
        const int count = list_next(o.cells[best], next);
        for (int i = 0; i < count; i++) {
            const uint64_t cost = step_cost(o.cells[best], next[i]);
            if (cost == UINT64_MAX) continue;
            const int node = node_of(next[i]);
            if (o.costs[best] + cost < o.costs[node]) o.costs[node] = o.costs[best] + cost;
        }
    }
}

/* ---- an answer ---- */

static void judge_path(const wend_completion *c, bool unchanged, bool leaves) {
    uint64_t cost = 0;
    CLAIM(same_cell(c->cells[0], o.own->request.start), "the path does not begin at the start");
    for (size_t i = 1; i < c->cell_count; i++) {
        bool legal = false;
        uint64_t step = 0;
        if (leaves && i == 1) return; /* other tests check the step out of a blocked start */
        CLAIM(!wend_map_step_legal(o.w->map, o.mover, c->cells[i - 1], c->cells[i], &legal, &step), "step");
        CLAIM(legal, "step %zu of %zu, %d,%d,%d to %d,%d,%d, is not legal (%s)", i, c->cell_count, c->cells[i - 1].x,
              c->cells[i - 1].y, c->cells[i - 1].z, c->cells[i].x, c->cells[i].y, c->cells[i].z,
              wend_status_name(c->status));
        if (unchanged && !(o.info.sheets && o.own->options.occupied_within != WEND_EVERYWHERE)) {
            const uint64_t whole = step_cost(c->cells[i - 1], c->cells[i]);
            CLAIM(whole != UINT64_MAX, "a unit stands on step %zu", i);
            cost += whole;
        }
    }
    if (unchanged && c->crossing_count == 0 && !(o.info.sheets && o.own->options.occupied_within != WEND_EVERYWHERE))
        CLAIM((uint64_t)c->cost == cost, "its cells cost %llu, not %lld", (unsigned long long)cost, (long long)c->cost);
}

static void judge_cost(const wend_completion *c, bool unchanged, bool leaves) {
    bool certain = true;
    if (!unchanged || c->crossing_count || leaves || o.own->options.unloaded == WEND_UNLOADED_KNOWN) return;
    const uint64_t best = cheapest(&certain);
    if (!certain) return;
    CLAIM(best != UINT64_MAX, "found where there is no way");
    CLAIM((uint64_t)c->cost >= best, "%lld is cheaper than the cheapest, %llu", (long long)c->cost,
          (unsigned long long)best);
    if (c->exact)
        CLAIM((uint64_t)c->cost == best, "%lld is not the cheapest, %llu", (long long)c->cost,
              (unsigned long long)best);
    else if (c->bound_milli)
        CLAIM((uint64_t)c->cost * 1000 <= best * (uint64_t)c->bound_milli, "%lld is above the bound of %llu",
              (long long)c->cost, (unsigned long long)best);
}

static void judge_refusal(const wend_completion *c, bool unchanged) {
    bool certain = true;
    const bool units = o.own->options.occupied != WEND_OCCUPIED_IGNORE;
    if (c->unknown || (!unchanged && units)) return;
    if (!unchanged && c->status != WEND_STATUS_NO_PATH) return; /* the answer was true at some time */
    if (c->status == WEND_STATUS_NO_PATH && c->epoch != c->checked && !unchanged) return;
    if (c->status == WEND_STATUS_START_BLOCKED) {
        CLAIM(!world_is_open(o.w, o.mover, o.own->request.start), "the start is open");
        return;
    }
    const uint64_t best = cheapest(&certain);
    if (!certain) return;
    CLAIM(best == UINT64_MAX, "%s where a way costs %llu", wend_status_name(c->status), (unsigned long long)best);
}

static void judge_status(const wend_completion *c) {
    const asked *own = o.own;
    switch (c->status) {
    case WEND_STATUS_CANCELLED: CLAIM(own->cancelled || o.w->closed || o.w->ending, "nobody cancelled it"); break;
    case WEND_STATUS_REPLACED: CLAIM(own->replaced, "nothing replaced it"); break;
    case WEND_STATUS_EXPIRED: CLAIM(own->request.deadline_frames != WEND_NO_LIMIT, "it has no deadline"); break;
    case WEND_STATUS_LIMIT: CLAIM(own->options.max_expansions != WEND_NO_LIMIT, "it has no maximum"); break;
    case WEND_STATUS_DISPLACED: CLAIM(world_is(o.w, QUEUE, BIT(DISPLACE)), "nothing displaces"); break;
    case WEND_STATUS_OUT_OF_NODES: CLAIM(world_is(o.w, POOL, BIT(SMALL)), "the pool is ample"); break;
    case WEND_STATUS_TOO_LONG: CLAIM(false, "no path is as long"); break;
    case WEND_STATUS_STALE:
    case WEND_STATUS_PARTIAL: break;
    default: CLAIM(c->status > WEND_STATUS_PENDING && c->status < WEND_STATUS_COUNT, "status %d", c->status);
    }
}

/* A mover that shuns classes goes through them where nothing else leads to a goal, and only there. */
static void judge_daring(const wend_completion *c, bool unchanged) {
    bool certain = true;
    const int32_t own = o.own->request.mover;
    const bool dares = c->mover != own, none = c->status == WEND_STATUS_NO_PATH && !c->unknown;
    CLAIM(!dares || (world_is(o.w, MOVER, BIT(SHY)) && c->mover == own + 1), "it was searched as mover %d", c->mover);
    if (!unchanged || !world_is(o.w, MOVER, BIT(SHY)) || o.own->options.unloaded == WEND_UNLOADED_KNOWN) return;
    if (o.own->options.occupied == WEND_OCCUPIED_BLOCK || (!dares && !none)) return;
    if (o.own->options.max_expansions != WEND_NO_LIMIT) return;
    o.mover = dares ? own : own + 1;
    const bool stands = world_is_open(o.w, o.mover, o.own->request.start);
    const uint64_t best = stands ? cheapest(&certain) : UINT64_MAX;
    if (certain)
        CLAIM(best == UINT64_MAX, dares ? "a way round costs %llu" : "a way through costs %llu",
              (unsigned long long)best);
    o.mover = c->mover;
}

void judge(asked *own, const wend_completion *completion) {
    o.w = own->world, o.own = own, o.mover = completion->mover;
    judge_status(completion);
    if (completion->status == WEND_STATUS_CANCELLED || own->request.map != own->world->map) return;
    o.info = info_now(own->world->map);
    wend_map_get_links(own->world->map, o.links, 512, &o.link_count);
    CLAIM(o.link_count <= 512, "more links than the oracle has room for");
    const bool units = own->options.occupied != WEND_OCCUPIED_IGNORE;
    const bool unchanged = own->changes == own->world->changes &&
                           (!units || own->unit_moves == own->world->unit_moves) && !own->goal_moved;
    const bool leaves = (own->options.leave_blocked_start) && !world_is_open(own->world, o.mover, own->request.start);
    if (completion->status == WEND_STATUS_FOUND || completion->status == WEND_STATUS_NO_PATH)
        judge_daring(completion, unchanged && !leaves);
    if (completion->cell_count && completion->status != WEND_STATUS_LIMIT) judge_path(completion, unchanged, leaves);
    if (completion->status == WEND_STATUS_FOUND) judge_cost(completion, unchanged, leaves);
    if (completion->status == WEND_STATUS_NO_PATH || completion->status == WEND_STATUS_GOAL_BLOCKED ||
        completion->status == WEND_STATUS_START_BLOCKED)
        if (!leaves) judge_refusal(completion, unchanged);
}
