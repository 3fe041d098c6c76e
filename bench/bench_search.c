/* SPDX-License-Identifier: MIT */
/* What one search takes: time and bytes an expansion, and the open list's share of the pool, on maps of its own making.
 * Prints CSV. */
#include <stdio.h>
#include <stdlib.h>

#include "scenery.h"
#include "search/engines.h"

typedef struct bench {
    wend__pool pool;
    wend__search *search;
    wend__stock stock;
    void *memory;
} bench;

static void bench_init(bench *b, uint64_t pages) {
    b->memory = aligned_alloc(64, (wend__pool_bytes(pages, 1) + 63) / 64 * 64);
    b->search = malloc(sizeof *b->search);
    if (!b->memory || !b->search) exit(2);
    wend__pool_init(&b->pool, b->memory, pages, 1);
    wend__search_init(b->search, &b->pool);
    b->stock = (wend__stock){.page_count = 0, .open_count = 0};
}

static void run(bench *b, const wend__version *version, const wend_request *request) {
    wend__search_begin(b->search, version, request);
    while (b->search->status == WEND_STATUS_PENDING) {
        wend__pool_grant(&b->pool, &b->stock, WEND__STOCK, WEND__STOCK);
        wend__search_step(b->search, &b->stock, 1000);
    }
}

/* Entries that there was room for, to a record that there was room for. */
static double open_share(const wend__search *search) {
    return (double)search->open_pages.count * 992 / ((double)search->pages.count * WEND_PAGE_NODES);
}

static wend_cell random_cell(const wend__version *version, uint64_t *state) {
    int x = (int)bench_random(state, (uint32_t)version->width);
    return (wend_cell){x, (int)bench_random(state, (uint32_t)version->height), 0};
}

static void row(const char *name, wend_map *map, int straight, int diagonal) {
    enum { QUERIES = 100, LARGE = 16 };
    wend_map_info info = {.struct_bytes = sizeof info};
    wend_map_get_info(map, &info);
    wend_map_rules rules = {.struct_bytes = sizeof rules};
    wend_map_get_rules(map, &rules);
    rules.cost_straight = straight, rules.cost_diagonal = diagonal;
    if (wend_map_set_rules(map, &rules) != WEND_OK) exit(2);
    wend__version *version = wend__map_acquire(map, true);
    bench b;
    bench_init(&b, 4096);
    uint64_t state = 3, expansions = 0, pages = 0, open = 0;
    double worst = 0, us = 0;
    for (int i = 0; i < QUERIES; i++) {
        wend_request request;
        wend_request_init(&request, sizeof request);
        request.map = map;
        request.start = random_cell(version, &state), request.goal = random_cell(version, &state);
        double begun = bench_cpu_us();
        run(&b, version, &request);
        us += bench_cpu_us() - begun;
        expansions += b.search->expansions;
        pages += b.search->pages.count, open += b.search->open_pages.count;
        if (b.search->pages.count >= LARGE && open_share(b.search) > worst) worst = open_share(b.search);
        wend__search_drop(b.search);
    }
    double bytes = (double)pages * WEND__PAGE_RECORD_BYTES + (double)open * 4096;
    printf("%s,%d/%d,%.0f,%.1f,%.1f,%.3f\n", name, straight, diagonal, (double)expansions / QUERIES,
           us * 1e3 / (double)expansions, bytes / (double)expansions, worst);
    wend__map_release(version, true);
    free(b.memory);
    free(b.search);
}

int main(void) {
    wend_map *open = bench_map_open(1024, 1024), *rooms = bench_map_rooms(1024, 32);
    wend_map *random = bench_map_random(1024, 1024, 200, 0), *slow = bench_map_random(1024, 1024, 100, 300);
    puts("map,costs,expansions_a_query,ns_an_expansion,bytes_an_expansion,open_entries_a_record_at_most");
    row("open", open, 10, 14);
    row("rooms", rooms, 10, 14);
    row("rooms", rooms, 1000, 1414);
    row("random 20 %", random, 10, 14);
    row("random 20 %", random, 1000, 1414);
    row("slow 30 %", slow, 10, 14);
    row("slow 30 %", slow, 1000, 1414);
    wend_map *maps[] = {open, rooms, random, slow};
    for (unsigned i = 0; i < 4; i++) wend_map_release(maps[i]);
    return 0;
}
