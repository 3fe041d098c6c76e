/* SPDX-License-Identifier: MIT */
/* Steps a search as a lane does, without a service. */
#include "bare.h"

void bare_open(bare *b, uint64_t pages) {
    b->memory = aligned_alloc(64, (wend__pool_bytes(pages, 1) + 63) / 64 * 64);
    b->search = malloc(sizeof(wend__search_memory));
    need(b->memory && b->search, "out of memory");
    wend__pool_init(&b->pool, b->memory, pages, 1);
    wend__search_init(b->search, &b->pool);
    b->stock = (wend__stock){.page_count = 0, .open_count = 0};
}

void bare_close(bare *b) {
    free(b->memory);
    free(b->search);
}

void bare_step(bare *b, uint64_t expansions, uint64_t slice) {
    while (b->search->status == WEND_STATUS_PENDING && b->search->expansions < expansions) {
        const uint64_t left = expansions - b->search->expansions;
        wend__pool_grant(&b->pool, &b->stock, WEND__STOCK, WEND__STOCK);
        const uint64_t spent = wend__search_step(b->search, &b->stock, left < slice ? left : slice);
        need(spent > 0 || b->stock.page_count > 0 || b->search->status != WEND_STATUS_PENDING, "the pool is too small");
    }
}

uint64_t bare_bytes(const bare *b) {
    return b->search->pages.count * (uint64_t)WEND__PAGE_RECORD_BYTES + b->search->open_pages.count * UINT64_C(4096);
}
