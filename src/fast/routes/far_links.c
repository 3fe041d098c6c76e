/* SPDX-License-Identifier: MIT */
/* Routes that use links. The layer covers the ground alone, so such a route is a chain of routes on the ground, from
 * the exit of one link to the entrance of the next. The chain is found by A* over the links. An edge is priced by a
 * route on the layer when it first comes up (Dellin, Srinivasa 2016: lazy shortest paths). So no edit makes anything
 * stale, and a map without links pays nothing. */
#include "map/components/components.h"
#include "map/ground/ground.h"
#include "map/links/links.h"
#include "fast/routes/far_route.h"

enum {
    MOST = WEND__FAR_LINKS, /* links considered for a route: those by which it could be cheapest */
    SEEN = 4096,            /* with more links in the map none is considered */
    PRICES = 12,         /* most routes on the ground to price edges; then the cheapest whole chain so far is taken */
    MOST_STRETCH = 1250, /* thousandths */
    LOOK_EFFORT = 16     /* links, or edges between them, that count as an expansion of a plain grid */
};
#define NONE UINT64_MAX ///< cost: no way

typedef wend__far_stop stop;
typedef wend__far_chain chain;

static uint64_t estimate(const wend__version *v, wend_cell a, wend_cell b) {
    const uint64_t dx = (uint64_t)(a.x > b.x ? a.x - b.x : b.x - a.x);
    const uint64_t dy = (uint64_t)(a.y > b.y ? a.y - b.y : b.y - a.y);
    const uint64_t less = dx < dy ? dx : dy, more = dx < dy ? dy : dx, straight = (uint64_t)v->rules.cost_straight;
    const uint64_t diagonal = (uint64_t)v->rules.cost_diagonal;
    return (more - less) * straight + less * (diagonal < 2 * straight ? diagonal : 2 * straight);
}

static uint64_t sum(uint64_t a, uint64_t b) {
    return a == NONE || b == NONE ? NONE : a + b;
}

/* ---- edges ---- */

static void price(chain *c, uint32_t from, uint32_t to) {
    wend__far_route route = {.crossings = c->finder->parts[0], .room = WEND__FAR_PART};
    wend__far_find(c->finder, c->view, c->stops[from].exit, c->stops[to].entrance, &route);
    c->effort += route.effort;
    c->costs[from][to] = route.found ? route.cost : NONE;
    c->priced[from][to] = true;
}

/* ---- choosing links ---- */

/* Keeps the links that a cheapest way from start to goal might use, among those open to a unit. */
static void choose(chain *c, wend_cell start, wend_cell goal) {
    const wend__links *links = c->view->links;
    uint64_t keys[MOST];
    for (uint32_t i = 0; i < links->count; i++) {
        const wend__link *link = &links->sorted[i];
        if (!wend__link_serves(c->view, link)) continue;
        const stop next = {.entrance = wend__cell_of_number(c->view, link->from),
                           .exit = wend__cell_of_number(c->view, link->to),
                           .cost = link->cost};
        const uint64_t key = estimate(c->view, start, next.entrance) + next.cost + estimate(c->view, next.exit, goal);
        if (c->count == MOST && key >= keys[MOST - 1]) continue;
        if (!wend__cell_factor(c->view, next.entrance) || !wend__cell_factor(c->view, next.exit)) continue;
        uint32_t at = c->count < MOST ? c->count++ : MOST - 1;
        for (; at > 0 && keys[at - 1] > key; at--) keys[at] = keys[at - 1], c->stops[at] = c->stops[at - 1];
        keys[at] = key;
        c->stops[at] = next;
    }
    c->effort += links->count / LOOK_EFFORT;
    for (uint32_t i = 0; i < c->count; i++) {
        c->stops[i].entrance_component = wend__component_of(c->view, c->stops[i].entrance);
        c->stops[i].exit_component = wend__component_of(c->view, c->stops[i].exit);
    }
}

/* Prices the way without links, so that one way is known. The ratio of its cost to its distance, up to a quarter more,
 * is expected of other ways on the ground. Returns that ratio in thousandths. */
static uint64_t price_ground(chain *c) {
    const uint32_t end = c->count;
    const uint64_t distance = estimate(c->view, c->stops[end].exit, c->stops[end].entrance);
    if (c->stops[end].exit_component != c->stops[end].entrance_component || distance == 0) return 1000;
    price(c, end, end);
    const uint64_t stretch = c->costs[end][end] == NONE ? 1000 : c->costs[end][end] * 1000 / distance;
    return stretch < MOST_STRETCH ? stretch : MOST_STRETCH;
}

/* Computes the expected costs of edges, and from each exit to the goal (Dijkstra 1959, on a dense graph). */
static void bound(chain *c, uint64_t stretch) {
    bool done[MOST + 1] = {false};
    for (uint32_t from = 0; from <= c->count; from++) {
        for (uint32_t to = 0; to <= c->count; to++)
            if (c->stops[from].exit_component != c->stops[to].entrance_component)
                c->costs[from][to] = NONE;
            else if (!c->priced[from][to])
                c->costs[from][to] = estimate(c->view, c->stops[from].exit, c->stops[to].entrance) * stretch / 1000;
        c->stops[from].bound = c->costs[from][c->count];
        c->stops[from].spent = NONE;
    }
    for (;;) {
        uint32_t best = c->count;
        for (uint32_t i = 0; i < c->count; i++)
            if (!done[i] && c->stops[i].bound != NONE && (best == c->count || c->stops[i].bound < c->stops[best].bound))
                best = i;
        if (best == c->count) break;
        done[best] = true;
        for (uint32_t i = 0; i <= c->count; i++) {
            const uint64_t by = sum(sum(c->costs[i][best], c->stops[best].cost), c->stops[best].bound);
            if (by < c->stops[i].bound) c->stops[i].bound = by;
        }
    }
    c->effort += c->count * c->count / LOOK_EFFORT;
}

/* ---- the chain ---- */

/* Returns a lower bound of the cost of a way that takes an edge from a settled exit. */
static uint64_t total(const chain *c, uint32_t from, uint32_t to) {
    const uint64_t there = sum(c->stops[from].spent, c->costs[from][to]);
    return to == c->count ? there : sum(there, sum(c->stops[to].cost, c->stops[to].bound));
}

/* Finds the best edge out of the settled exits; false: there is none. */
static bool best_edge(const chain *c, bool priced_to_goal, uint32_t *from, uint32_t *to) {
    uint64_t best = NONE;
    for (uint32_t i = 0; i <= c->count; i++) {
        if (!c->stops[i].settled) continue;
        for (uint32_t k = priced_to_goal ? c->count : 0; k <= c->count; k++) {
            if ((k < c->count && c->stops[k].settled) || (priced_to_goal && !c->priced[i][k])) continue;
            if (total(c, i, k) >= best) continue;
            best = total(c, i, k);
            *from = i, *to = k;
        }
    }
    return best != NONE;
}

/* Returns the last exit of the cheapest chain found; WEND__FAR_NONE: there is none. */
static uint32_t find_chain(chain *c) {
    const uint32_t end = c->count;
    uint32_t from = end, to = end;
    c->stops[end].settled = true;
    c->stops[end].spent = 0;
    for (int prices = 1; best_edge(c, false, &from, &to);) {
        if (!c->priced[from][to]) {
            if (prices++ == PRICES) break;
            price(c, from, to);
        } else if (to == end) {
            return from;
        } else {
            c->stops[to].spent = c->stops[from].spent + c->costs[from][to] + c->stops[to].cost;
            c->stops[to].parent = from;
            c->stops[to].settled = true;
        }
    }
    return best_edge(c, true, &from, &to) ? from : WEND__FAR_NONE;
}

/* ---- the route ---- */

static bool add(wend__far_route *route, const wend__far_crossing_at *crossings, uint32_t count) {
    if (route->room - route->count < count) return false;
    memcpy(route->crossings + route->count, crossings, count * sizeof *crossings);
    route->count += count;
    return true;
}

/* Adds the ends of the link behind a part on the ground. */
static bool add_link(wend__far_route *route, const stop *link) {
    const wend__far_crossing_at ends[2] = {{link->entrance.x, link->entrance.y, WEND__FAR_BY_LINK},
                                           {link->exit.x, link->exit.y, WEND__FAR_BY_LINK}};
    return add(route, ends, 2);
}

/* Finds the parts of a chain. After enough crossings only its links follow. */
static void join(chain *c, uint32_t last, uint32_t least, wend__far_route *route) {
    uint32_t order[MOST + 1], count = 1;
    order[0] = c->count;
    for (uint32_t at = last; at != c->count; at = c->stops[at].parent) order[count++] = at;
    *route = (wend__far_route){.found = true,
                               .whole = true,
                               .cost = c->stops[last].spent + c->costs[last][c->count],
                               .crossings = c->finder->joined,
                               .room = WEND__FAR_ROOM};
    for (uint32_t from = c->count; count-- > 0 && route->found; from = order[count]) {
        const uint32_t to = order[count];
        if (route->count < least) {
            wend__far_route part;
            wend__far_find_ground(c->finder, c->view, c->stops[from].exit, c->stops[to].entrance, least - route->count,
                                  &part);
            c->effort += part.effort;
            route->whole = route->whole && part.whole;
            route->found = part.found && add(route, part.crossings, part.count);
        } else {
            route->whole = false;
        }
        if (to < c->count) route->found = route->found && add_link(route, &c->stops[to]);
    }
}

static void find_by_links(wend__far_finder *f, const wend__version *view, wend_cell start, wend_cell goal,
                          uint32_t least, wend__far_route *route) {
    chain *c = &f->chain;
    memset(c, 0, sizeof *c);
    c->view = view;
    c->finder = f;
    choose(c, start, goal);
    c->stops[c->count] = (stop){.entrance = goal,
                                .exit = start,
                                .entrance_component = wend__component_of(view, goal),
                                .exit_component = wend__component_of(view, start)};
    bound(c, price_ground(c));
    const uint32_t last = find_chain(c);
    *route = (wend__far_route){.found = false};
    if (last == c->count)
        wend__far_find_ground(f, view, start, goal, least, route);
    else if (last != WEND__FAR_NONE)
        join(c, last, least, route);
    route->effort += c->effort;
}

void wend__far_find_all(wend__far_finder *f, const wend__version *view, wend_cell start, wend_cell goal, uint32_t least,
                        wend__far_route *route) {
    const bool by_links = view->links && view->links->count <= SEEN && wend__cell_factor(view, goal) > 0;
    (by_links ? find_by_links : wend__far_find_ground)(f, view, start, goal, least, route);
}
