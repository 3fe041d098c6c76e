/* SPDX-License-Identifier: MIT */
#include "search/search_rig.h"

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
