/* SPDX-License-Identifier: MIT */
/* A search's route, and the crossings behind its first leg. */
#include "search/far/far_leg.h"

#include "map/far/far_layer.h"
#include "search/far/far_route.h"

/* A crossing in a page: the cell entered. Layers are for sides up to 65,536 cells. */
typedef struct packed_cell {
    uint16_t x, y;
} packed_cell;

_Static_assert(WEND__FAR_ROOM * sizeof(packed_cell) <= WEND__PAGE_RECORD_BYTES, "a page has room for a route");

/* Ends that lie in one chunk or in chunks next to each other: an ordinary search is mostly faster there. */
static bool are_near(wend_cell a, wend_cell b) {
    const int32_t x = (a.x >> WEND__CHUNK_SHIFT) - (b.x >> WEND__CHUNK_SHIFT);
    const int32_t y = (a.y >> WEND__CHUNK_SHIFT) - (b.y >> WEND__CHUNK_SHIFT);
    return x >= -1 && x <= 1 && y >= -1 && y <= 1;
}

bool wend__far_leg_serves(const wend__version *view, const wend_request *request) {
    return request->mode == WEND_MODE_FAR && view->far && view->far->stale == 0 && request->more_goal_count == 0 &&
           !are_near(request->start, request->goal) && wend__cell_factor(view, request->start) > 0 &&
           wend__cell_factor(view, request->goal) > 0;
}

/* A page of the search that holds nothing yet, or of the stock. */
static bool take_page(wend__search *s, wend__stock *stock) {
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

void wend__far_leg_find(wend__search *s, wend__stock *stock) {
    wend__far_route route;
    if (stock->finder && !take_page(s, stock)) return;
    s->far.waits = false;
    if (!stock->finder) return;
    const uint32_t least = s->request.flags & WEND_REQUEST_FAR_BEGIN ? WEND__FAR_BEGIN : UINT32_MAX;
    wend__far_find_all(stock->finder, s->view, s->start, s->request.goal, least, &route);
    s->owed += route.effort;
    s->far.aimed = route.found && route.count > WEND__FAR_LEG_AHEAD;
    if (!s->far.aimed) {
        wend__far_leg_forget(s);
        return;
    }
    packed_cell *kept = wend__page_records(s->pool, s->far.page);
    s->far.target = wend__far_cell_of(route.crossings[WEND__FAR_LEG_AHEAD - 1]);
    s->far.cost = route.cost;
    s->far.count = route.count - WEND__FAR_LEG_AHEAD;
    for (uint32_t i = 0; i < s->far.count; i++) {
        const wend__far_crossing_at c = route.crossings[WEND__FAR_LEG_AHEAD + i];
        kept[i] = (packed_cell){(uint16_t)c.x, (uint16_t)c.y};
    }
}

void wend__far_leg_forget(wend__search *s) {
    const uint32_t page = s->far.page;
    s->far = (wend__far_leg){.page = WEND__NONE};
    if (page != WEND__NONE) wend__pages_keep(s, page);
}

void wend__far_leg_crossings(const wend__search *s, wend_cell *out, uint32_t count) {
    if (count == 0) return; /* there may be no page */
    const packed_cell *kept = wend__page_records(s->pool, s->far.page);
    for (uint32_t i = 0; i < count; i++) out[i] = (wend_cell){kept[i].x, kept[i].y, 0};
}
