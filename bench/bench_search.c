/* SPDX-License-Identifier: MIT */
/* Measures a search: time and bytes an expansion, and the open list's share of the pool, on maps made here.
 * With the word short: what queries for near cells take with jump tables, where fixed cost counts. Prints CSV. */
#include "bare.h"
#include "scenery.h"
#include "../tests/models/kept.h"

/* Entries that there was room for, to a record that there was room for. */
static double open_share(const wend__search *search) {
    return (double)search->open_pages.count * 992 / ((double)search->pages.count * WEND_PAGE_NODES);
}

static void row(const char *name, wend_map *map, int straight, int diagonal) {
    enum { QUERIES = 100, LARGE = 16 };
    wend_map_rules rules = rules_now(map);
    rules.cost_straight = straight, rules.cost_diagonal = diagonal;
    check(wend_map_set_rules(map, &rules));
    wend__version *version = wend__map_acquire(map, true);
    bare b;
    bare_open(&b, 4096);
    uint64_t state = 3, expansions = 0, bytes = 0;
    double worst = 0, us = 0;
    for (int i = 0; i < QUERIES; i++) {
        const wend_cell start = random_place(version->width, version->height, &state);
        const wend_request request = path_request(map, start, random_place(version->width, version->height, &state));
        const double begun = cpu_us();
        wend__search_begin(b.search, version, KEPT(&request));
        bare_step(&b, WEND_NO_LIMIT, 1000);
        us += cpu_us() - begun;
        expansions += b.search->expansions;
        bytes += bare_bytes(&b);
        if (b.search->pages.count >= LARGE && open_share(b.search) > worst) worst = open_share(b.search);
        wend__search_drop(b.search);
    }
    printf("%s,%d/%d,%.0f,%.1f,%.1f,%.3f\n", name, straight, diagonal, (double)expansions / QUERIES,
           us * 1e3 / (double)expansions, (double)bytes / (double)expansions, worst);
    wend__map_release(version, true);
    bare_close(&b);
}

/* Prints the time of a whole query, with reading its path: many in a row, so that no clock is in it. */
static void short_row(wend_map *map, wend_search *search, int32_t away) {
    enum { QUERIES = 200000, SIDE = 1024 };
    wend_cell cells[SIDE];
    size_t count = 0;
    const wend_cell start = open_near(map, (wend_cell){SIDE / 2 + 8, SIDE / 2 + 8, 0});
    const wend_cell goal = open_near(map, (wend_cell){start.x + away, start.y, 0});
    const wend_request request = path_request(map, start, goal);
    wend_completion result = {.struct_bytes = sizeof result};
    const double begun = cpu_us();
    for (int i = 0; i < QUERIES; i++) {
        check(wend_search_begin(search, &request));
        wend_search_step(search, WEND_NO_LIMIT, NULL);
        check(wend_search_get_path(search, cells, SIDE, &count));
    }
    const double us = cpu_us() - begun;
    check(wend_search_get_result(search, &result));
    printf("%zu,%" PRIu64 ",%.0f\n", count, result.expansions, us * 1e3 / QUERIES);
}

static int short_queries(void) {
    wend_map *map = bench_map_rooms(1024, 32);
    wend_acceleration acceleration = default_acceleration();
    check(wend_map_accelerate(map, &acceleration));
    wend_search *search = open_search(0);
    puts("cells,expansions,ns_a_query");
    for (int32_t away = 0; away <= 16; away = away ? 2 * away : 1) short_row(map, search, away);
    wend_search_destroy(search);
    wend_map_release(map);
    return 0;
}

int main(int argc, char **argv) {
    if (argc > 1 && strcmp(argv[1], "short") == 0) return short_queries();
    wend_map *open = grid_of(NULL, 1024, 1024), *rooms = bench_map_rooms(1024, 32);
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
