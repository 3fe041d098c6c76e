/* SPDX-License-Identifier: MIT */
/* Hard cases for jump search: costs that no record holds, open lists discarded in the middle of long leaps, memory that
 * comes page by page and full of garbage. */
#include "models/few_or_many.h"
#include "models/worlds.h"
#include "models/kept.h"
#include "search/search_rig.h"
#include "fast/acceleration.h"
#include "fast/jump/grid_jump.h"

#include <criterion/criterion.h>
#include <string.h>

enum { POOL_PAGES = 64 };

static wend_map *make_map(int width, int height, int straight, int diagonal) {
    wend_map_def def = default_map();
    wend_map_rules def_rules = default_rules();
    def.rules = &def_rules, def.width = width, def.height = height;
    def_rules.cost_straight = straight, def_rules.cost_diagonal = diagonal;
    wend_map *map = made_map(&def);
    cr_assert_eq(wend__map_prepare_jumps(map), WEND_OK);
    return map;
}

static void fill(wend_map *map, int x, int y, int to_x, int to_y, uint8_t terrain) {
    IN_BATCH(map, cr_assert_eq(wend_edit_fill_box(edit, (wend_box){{x, y, 0}, {to_x, to_y, 0}}, terrain), WEND_OK));
}

static wend_request request_on(wend_map *map, int x, int y, int to_x, int to_y) {
    wend_request request = path_request(map, (wend_cell){x, y, 0}, (wend_cell){to_x, to_y, 0});
    return request;
}

/* ---- expensive ways ---- */

static wend_completion solve(const wend_request *request) {
    wend_search_def def = default_search();
    OWNED_SEARCH *search = made_search(&def);
    cr_assert_eq(wend_search_begin(search, request), WEND_OK);
    cr_assert_eq(wend_search_step(search, WEND_NO_LIMIT, NULL), WEND_STATUS_FOUND);
    wend_completion completion = result_now(search);
    return completion;
}

/* From one end to the other, once round a wall with a gap in the last row. */
static void check_ways(int width, int height, int straight, int diagonal, int32_t engine) {
    OWNED_MAP *map = make_map(width, height, straight, diagonal);
    const wend_request request = request_on(map, 0, 0, width - 1, 0);
    const int64_t step = straight, bend = diagonal - straight;
    wend_completion clear = solve(&request);
    cr_assert_eq(clear.cost, (width - 1) * step, "%d x %d at %d and %d: %ld", width, height, straight, diagonal,
                 (long)clear.cost);
    cr_assert_eq(clear.engine, engine, "%d x %d at %d and %d: engine %d", width, height, straight, diagonal,
                 (int)clear.engine);
    fill(map, width / 2, 0, width / 2, height - 2, 0);
    /* No corner is cut: two steps through the gap are straight. */
    wend_completion round = solve(&request);
    cr_assert_eq(round.cost, (width - 1) * step + 2 * (height - 1) * bend, "%d x %d at %d and %d: %ld", width, height,
                 straight, diagonal, (long)round.cost);
    cr_assert_eq(round.engine, engine);
}

Test(grid_jump_attack, leaves_to_a_star_what_its_records_cannot_hold) {
    check_ways(200, 20, 10, 14, WEND_ENGINE_JUMP);
    check_ways(6000, 20, 100, 199, WEND_ENGINE_JUMP);
    check_ways(200, 20, 999999, 1000000, WEND_ENGINE_JUMP);   /* stops: records hold 31 bits */
    check_ways(6000, 20, 999999, 1000000, WEND_ENGINE_ASTAR); /* more than 32 bits */
    check_ways(6000, 20, 500001, 1000000, WEND_ENGINE_ASTAR);
    check_ways(6000, 20, 500000, 700000, WEND_ENGINE_JUMP); /* 5 and 7, in units */
}

/* 20 x 1000000 + width x 999999, and 2000000 for a link and a unit, is below 2^30 - 1 up to a width of 1051. */
Test(grid_jump_attack, serves_up_to_the_dearest_jump_that_a_record_holds) {
    OWNED_MAP *at = make_map(1051, 20, 999999, 1000000), *past = make_map(1052, 20, 999999, 1000000);
    const wend_request near = request_on(at, 0, 0, 9, 3), far = request_on(past, 0, 0, 9, 3);
    wend_completion by_jumps = solve(&near), by_a_star = solve(&far);
    cr_assert_eq(by_jumps.engine, WEND_ENGINE_JUMP);
    cr_assert_eq(by_a_star.engine, WEND_ENGINE_ASTAR);
    cr_assert_eq(by_jumps.cost, by_a_star.cost);
}

/* ---- sifted at any moment ---- */

typedef struct outcome {
    wend_status status;
    uint64_t cost, steps, expansions;
    bool jumps;
    int sifted; ///< sifted with entries beyond the ring
} outcome;

/* `sift`: sifts before every sift-th slice, on average; 0: never. `pages`: granted at a time. */
static outcome rig_solve(rig *r, const wend_request *request, uint64_t slice, int sift, uint32_t pages) {
    oracle_random random = {slice};
    wend__version *version = wend__map_acquire(request->map, true);
    wend__search *s = r->search;
    outcome out = {0};
    wend__search_begin(s, version, KEPT(request));
    while (s->status == WEND_STATUS_PENDING) {
        if (sift && s->engine == &wend__grid_jump && s->begun && oracle_below(&random, sift) == 0) {
            out.sifted += wend__jump_of(s)->far != 0;
            wend__search_compact(s);
        }
        wend__search_step(s, &r->stock, slice);
        if (s->starved) wend__pool_grant(&r->pool, &r->stock, s->wants_pages ? pages : 0, s->wants_open ? pages : 0);
    }
    out.status = s->status, out.cost = s->cost, out.steps = s->steps, out.expansions = s->expansions;
    out.jumps = s->engine == &wend__grid_jump;
    wend__search_drop(s);
    wend__pool_return(&r->pool, &r->stock);
    wend__map_release(version, true);
    return out;
}

enum { LONG = 9000, ROWS = 16 };

/* Long and mostly empty: leaps away from the goal, longer than the ring is wide. */
static void make_long(world *grid, oracle_random *random) {
    static const int costs[][2] = {{10, 14}, {100, 101}, {100, 199}, {7, 10}};
    const int pair = oracle_below(random, 4);
    world_begin(grid, WEND_KIND_GRID, LONG, ROWS, 1);
    grid->rules.cost_straight = costs[pair][0], grid->rules.cost_diagonal = costs[pair][1];
    for (int left = 10 + oracle_below(random, 40); left > 0; left--) {
        const int x = oracle_below(random, LONG), y = oracle_below(random, ROWS), wall = oracle_below(random, 3) == 0;
        const int wide = wall ? 1 + oracle_below(random, 4) : 1 + oracle_below(random, LONG / 4);
        const int high = wall ? 1 + oracle_below(random, ROWS) : 1;
        world_set_box(grid, NULL, (wend_box){{x, y, 0}, {x + wide - 1, y + high - 1, 0}}, 0);
    }
}

Test(grid_jump_attack, may_be_sifted_while_entries_wait_beyond_the_ring) {
    static rig r;
    static world grid;
    oracle_random random = {13};
    int sifted = 0, found = 0;
    rig_make(&r, POOL_PAGES, 0xa5);
    const int maps = few_or_many(30, 100);
    for (int i = 0; i < maps; i++) {
        make_long(&grid, &random);
        OWNED_MAP *map = world_map(&grid);
        cr_assert_eq(wend__map_prepare_jumps(map), WEND_OK);
        for (int j = 0; j < 4; j++) {
            const wend_cell a = world_any_cell(&grid, &random), b = world_any_cell(&grid, &random);
            const wend_request request = request_on(map, a.x, a.y, b.x, b.y);
            const outcome whole = rig_solve(&r, &request, UINT64_MAX, 0, WEND__STOCK);
            for (int sift = 1; sift <= 3; sift++) {
                const outcome cut = rig_solve(&r, &request, (uint64_t)sift, sift, 1);
                cr_assert(cut.status == whole.status && cut.cost == whole.cost && cut.steps == whole.steps &&
                              cut.expansions == whole.expansions,
                          "from %d,%d to %d,%d, map %d: %s at %lu after %lu, sifted %s at %lu after %lu", a.x, a.y, b.x,
                          b.y, i, wend_status_name(whole.status), (unsigned long)whole.cost,
                          (unsigned long)whole.expansions, wend_status_name(cut.status), (unsigned long)cut.cost,
                          (unsigned long)cut.expansions);
                sifted += cut.sifted;
            }
            found += whole.status == WEND_STATUS_FOUND && whole.jumps;
        }
    }
    rig_free(&r);
    cr_assert_gt(found, 2 * maps);
    cr_assert_gt(sifted, 10 * maps);
}
