/* SPDX-License-Identifier: MIT */
#include "search/search_rig.h"
#include "models/kept.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

void rig_make(rig *r, uint32_t pages, int garbage) {
    const size_t bytes = wend__pool_bytes(pages, 1);
    r->memory = aligned_alloc(64, (bytes + 63) / 64 * 64);
    r->search = malloc(sizeof(wend__search_memory));
    cr_assert(r->memory && r->search);
    memset(r->memory, garbage, bytes);
    memset(r->search, garbage, sizeof(wend__search_memory));
    wend__pool_init(&r->pool, r->memory, pages, 1);
    r->stock.page_count = r->stock.open_count = 0;
    wend__search_init(r->search, &r->pool);
}

void rig_free(rig *r) {
    free(r->memory);
    free(r->search);
}

/* An engine that may spend 1 expands one node. */
uint64_t rig_count_nodes(rig *r, const wend_request *request, size_t *closed) {
    wend__version *version = wend__map_acquire(request->map, true);
    wend__search *s = r->search;
    uint64_t nodes = 0;
    wend__search_begin(s, version, KEPT(request));
    /* The search may look for the nearest cell first, which may be the start. */
    while (s->status == WEND_STATUS_PENDING &&
           (s->enclosure.state > WEND__ENCLOSURE_WAITS || s->ended != WEND_STATUS_PENDING))
        wend__search_step(s, &r->stock, 1);
    while (s->status == WEND_STATUS_PENDING) {
        s->starved = false;
        nodes += s->engine->step(s, &r->stock, 1) > 0;
        s->owed = 0;
        if (s->starved) wend__pool_grant(&r->pool, &r->stock, WEND__STOCK, WEND__STOCK);
    }
    wend__cell_list list = {.cells = NULL};
    wend__search_expanded(s, &list);
    *closed = list.count;
    wend__search_drop(s);
    wend__pool_return(&r->pool, &r->stock);
    wend__map_release(version, true);
    return nodes;
}
