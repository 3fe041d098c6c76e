/* SPDX-License-Identifier: MIT */
/* The crossings behind a search's first leg, in a page of its own. */
#include "search/request/leg.h"

#include "search/request/request_land.h"

void wend__leg_forget(wend__search *s) {
    const uint32_t page = s->far.page;
    s->far = (wend__far_leg){.page = WEND__NONE};
    if (page != WEND__NONE) wend__pages_keep(s, page);
}

void wend__leg_crossings(const wend__search *s, wend_cell *out, uint32_t count) {
    if (count == 0) return; /* maybe there is no page */
    const wend__leg_cell *kept = wend__page_records(s->pool, s->far.page);
    for (uint32_t i = 0; i < count; i++) out[i] = (wend_cell){kept[i].x, kept[i].y, 0};
}

uint32_t wend__leg_unloaded(const wend__search *s) {
    if (s->far.count == 0) return 0;
    const wend__leg_cell *kept = wend__page_records(s->pool, s->far.page);
    uint32_t i = 0;
    while (i < s->far.count && wend__is_loaded(s->version, (wend_cell){kept[i].x, kept[i].y, 0})) i++;
    return i;
}
