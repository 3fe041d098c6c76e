/* SPDX-License-Identifier: MIT */
/* A search's route, and its first leg. */
#include "fast/routes/far_leg.h"

#include "fast/far/far_layer.h"
#include "fast/routes/far_route.h"
#include "search/request/request.h"
#include "search/request/request_land.h"

_Static_assert(WEND__FAR_ROOM * sizeof(wend__leg_cell) <= WEND__PAGE_RECORD_BYTES, "a page has room for a route");

/* Ends in one chunk or in neighbouring chunks: an ordinary search is mostly faster there. */
static bool are_near(wend_cell a, wend_cell b) {
    const int32_t x = (a.x >> WEND__CHUNK_SHIFT) - (b.x >> WEND__CHUNK_SHIFT);
    const int32_t y = (a.y >> WEND__CHUNK_SHIFT) - (b.y >> WEND__CHUNK_SHIFT);
    return x >= -1 && x <= 1 && y >= -1 && y <= 1;
}

bool wend__far_leg_serves(const wend__version *view, const wend__request *request) {
    if (wend__request_passes_known(view, request)) return true;
    return request->mode == WEND_MODE_FAR && view->far && view->far->stale == 0 && request->more_goal_count == 0 &&
           !are_near(request->start, request->goal) && wend__cell_factor(view, request->start) > 0 &&
           wend__cell_factor(view, request->goal) > 0;
}

/* Allocates a page: an unused one of the search, or one of the stock. */
static bool allocate_page(wend__search *s, wend__stock *stock) {
    if (s->far.page != WEND__NONE) return true;
    if (s->pages.count > 0) {
        s->far.page = s->pages.first;
        s->pages.first = s->pool->pages[s->far.page].next;
        if (--s->pages.count == 0) s->pages.last = WEND__NONE;
    } else if (stock->page_count > 0) {
        s->far.page = stock->pages[--stock->page_count];
    } else {
        wend__pages_starve(s, 1, 0);
    }
    return s->far.page != WEND__NONE;
}

/* Returns the first crossing into a chunk that is not loaded, or the number of crossings. */
static uint32_t first_unloaded(const wend__search *s, const wend__far_route *route) {
    uint32_t i = 0;
    if (s->version->known == 0) return route->count;
    while (i < route->count && wend__is_loaded(s->version, wend__far_cell_of(route->crossings[i]))) i++;
    return i;
}

/* Returns how many crossings the leg leads to or over; NONE: the search goes to its goal. */
static uint32_t leg_of(const wend__search *s, const wend__far_route *route) {
    if (!route->found) return WEND__NONE;
    const bool far = s->request.mode == WEND_MODE_FAR;
    const uint32_t first = first_unloaded(s, route);
    if (first < route->count && !wend__request_passes_known(s->view, &s->request)) return WEND__NONE;
    if (first < route->count && (first < WEND__FAR_LEG_AHEAD || !far)) return first;
    return far && route->count > WEND__FAR_LEG_AHEAD ? WEND__FAR_LEG_AHEAD : WEND__NONE;
}

/* Finds a route. To keep to loaded land it needs all its crossings: between rough ones land could be unloaded. */
static void find(wend__search *s, wend__far_finder *finder, wend__far_route *route) {
    const bool begin = s->request.flags & WEND__REQUEST_FAR_BEGIN && s->version->known == 0;
    wend__far_find_all(finder, s->view, s->start, s->request.goal, begin ? WEND__FAR_BEGIN : UINT32_MAX, route);
    s->owed += route->effort;
    if (s->version->known > 0 && !route->whole && !wend__request_passes_known(s->view, &s->request))
        route->found = false;
}

static void find_leg(wend__search *s, wend__stock *stock) {
    wend__far_route route;
    if (stock->finder && !allocate_page(s, stock)) return;
    s->far.waits = false;
    if (!stock->finder) return;
    find(s, stock->finder, &route);
    const uint32_t passed = leg_of(s, &route);
    s->far.aimed = passed != WEND__NONE;
    if (!s->far.aimed) {
        wend__leg_forget(s);
        return;
    }
    wend__leg_cell *kept = wend__page_records(s->pool, s->far.page);
    const wend__far_crossing_at next = route.crossings[passed];
    const bool stops = !wend__is_loaded(s->version, wend__far_cell_of(next));
    s->far.target = stops ? wend__far_cell_before(next) : wend__far_cell_of(route.crossings[passed - 1]);
    s->far.cost = route.cost;
    s->far.count = route.count - passed;
    for (uint32_t i = 0; i < s->far.count; i++) {
        const wend__far_crossing_at c = route.crossings[passed + i];
        kept[i] = (wend__leg_cell){(uint16_t)c.x, (uint16_t)c.y};
    }
}

static bool is_stale(const wend__far *layer) {
    return layer->stale > 0;
}

static void repair_layers(wend_map *map, uint64_t effort) {
    (void)wend__map_repair_far(map, effort, NULL);
}

const wend__leg_finding wend__leg_hooks = {
    .finder_bytes = wend__far_finder_bytes,
    .finder_init = wend__far_finder_init,
    .serves = wend__far_leg_serves,
    .find = find_leg,
    .is_stale = is_stale,
    .repair = repair_layers,
};
