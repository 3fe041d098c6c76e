/* SPDX-License-Identifier: MIT */
/* Jump search on maps larger than the caches, where successors wait for memory: it does the same as without, to the
 * last expansion, also where it is interrupted anywhere. */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "fast/acceleration.h"
#include "fast/jump/grid_jump.h"
#include "models/worlds.h"
#include "models/options.h"
#include "models/kept.h"
#include "search/search_rig.h"

enum { POOL_PAGES = 256, LANDS = 300, QUERIES = 6, WIDE = 1088, HIGH = 1024 };

typedef struct outcome {
    wend_status status;
    uint64_t cost, steps, expansions;
    bool jumps, large;
    int dried; ///< times that the open list had next to no room left
    wend_cell cells[WORLD_EVEN];
} outcome;

static world ground;
static rig searcher;
static outcome at_once, waited, cut;

/* Entries are lost, so that scans find no room for all successors. */
static void dry_up(wend__search *s, oracle_random *random) {
    const uint32_t left = WEND__OPEN_PAGE_WORDS / 8 + (uint32_t)oracle_below(random, 24);
    while (s->open.spare > left) {
        const uint32_t at = s->open.free_block;
        if (at == 0) s->open.fresh += 4;
        if (at != 0) s->open.free_block = s->open.entries[at + 3];
        s->open.spare--;
    }
}

/* @param large   whether successors wait; -1: as the map's size has it */
static void solve(const wend_request *request, int large, uint64_t slice, bool dries, outcome *out) {
    wend__version *version = wend__map_acquire(request->map, true);
    wend__search *s = searcher.search;
    oracle_random random = {slice};
    memset(out, 0, sizeof *out);
    wend__search_begin(s, version, KEPT(request));
    out->jumps = s->engine == &wend__grid_jump;
    if (out->jumps && large >= 0) wend__grid_jump_of(s)->is_large = large;
    out->large = out->jumps && wend__grid_jump_of(s)->is_large;
    while (s->status == WEND_STATUS_PENDING) {
        wend__search_step(s, &searcher.stock, slice);
        if (out->jumps) cr_assert_eq(wend__grid_jump_of(s)->waiting_count, 0, "nothing waits between steps");
        if (dries && out->jumps && s->begun && oracle_below(&random, 2)) dry_up(s, &random), out->dried++;
        if (s->starved)
            wend__pool_grant(&searcher.pool, &searcher.stock, s->wants_pages ? 1 : 0, s->wants_open ? 1 : 0);
    }
    out->status = s->status, out->cost = s->cost, out->steps = s->steps, out->expansions = s->expansions;
    if (s->status == WEND_STATUS_FOUND && s->steps < WORLD_EVEN) wend__search_cells(s, out->cells, s->steps + 1);
    wend__search_drop(s);
    wend__pool_return(&searcher.pool, &searcher.stock);
    wend__map_release(version, true);
}

static bool same(const outcome *a, const outcome *b) {
    return a->status == b->status && a->cost == b->cost && a->steps == b->steps && a->expansions == b->expansions &&
           memcmp(a->cells, b->cells, sizeof a->cells) == 0;
}

static wend_request request_between(wend_map *map, wend_cell start, wend_cell goal) {
    wend_request request = path_request(map, start, goal);
    options_of(&request)->engine = WEND_ENGINE_JUMP;
    return request;
}

Test(grid_jump_large, does_the_same_where_successors_wait) {
    oracle_random random = {29};
    int found = 0, dried = 0;
    rig_make(&searcher, POOL_PAGES, 0x5a);
    for (int i = 0; i < LANDS; i++) {
        const wend_map_rules rules = default_rules();
        world_fill_even(&ground, &random, &rules);
        OWNED_MAP *map = world_map(&ground);
        cr_assert_eq(wend__map_prepare_jumps(map), WEND_OK);
        if (i % 2) cr_assert_eq(wend__map_prepare_landmarks(map, 3), WEND_OK);
        for (int j = 0; j < QUERIES; j++) {
            const wend_cell start = world_any_cell(&ground, &random), goal = world_cell_near(&ground, &random, start);
            const wend_request request = request_between(map, start, goal);
            solve(&request, 0, UINT64_MAX, false, &at_once);
            solve(&request, 1, UINT64_MAX, false, &waited);
            cr_assert(same(&at_once, &waited), "land %d, from %d,%d to %d,%d", i, start.x, start.y, goal.x, goal.y);
            solve(&request, 1, 1 + (uint64_t)oracle_below(&random, 40), true, &cut);
            cr_assert(same(&at_once, &cut), "land %d, from %d,%d to %d,%d, cut", i, start.x, start.y, goal.x, goal.y);
            found += at_once.jumps && at_once.status == WEND_STATUS_FOUND;
            dried += cut.dried;
        }
    }
    rig_free(&searcher);
    cr_assert_gt(found, LANDS);
    cr_assert_gt(dried, LANDS);
}

/* Noise, as every fifth cell is blocked. */
static wend_map *make_large(oracle_random *random) {
    wend_map_def def = default_map();
    def.width = WIDE, def.height = HIGH;
    wend_map *map;
    uint8_t *cells = malloc((size_t)WIDE * HIGH);
    cr_assert(cells && wend_map_create(&def, &map) == WEND_OK);
    for (size_t i = 0; i < (size_t)WIDE * HIGH; i++) cells[i] = oracle_below(random, 5) > 0;
    IN_BATCH(map, cr_assert_eq(wend_edit_set_box(edit, (wend_box){{0, 0, 0}, {WIDE - 1, HIGH - 1, 0}}, cells, WIDE),
                               WEND_OK));
    free(cells);
    cr_assert_eq(wend__map_prepare_jumps(map), WEND_OK);
    return map;
}

Test(grid_jump_large, waits_where_the_map_is_large) {
    oracle_random random = {31};
    wend_map *map = make_large(&random);
    int found = 0;
    rig_make(&searcher, POOL_PAGES * 16, 0x5a);
    for (int i = 0; i < 20; i++) {
        const wend_cell start = {oracle_below(&random, WIDE), oracle_below(&random, HIGH), 0};
        const wend_cell goal = {oracle_below(&random, WIDE), oracle_below(&random, HIGH), 0};
        wend_request request = request_between(map, start, goal);
        solve(&request, -1, UINT64_MAX, false, &waited);
        solve(&request, 0, UINT64_MAX, false, &at_once);
        cr_assert(waited.large || !waited.jumps);
        cr_assert(same(&at_once, &waited), "from %d,%d to %d,%d", start.x, start.y, goal.x, goal.y);
        options_of(&request)->engine = WEND_ENGINE_ASTAR;
        solve(&request, -1, UINT64_MAX, false, &cut);
        cr_assert(cut.status == waited.status && cut.cost == waited.cost);
        found += waited.large && waited.status == WEND_STATUS_FOUND;
    }
    rig_free(&searcher);
    wend_map_release(map);
    cr_assert_gt(found, 5);
}
