/* SPDX-License-Identifier: MIT */
/* Links for some movers, and movers that avoid classes, against maps that have only the links and the open classes of
 * one mover: both must answer alike, by A* and jump search, in fields and in questions, while edits change who takes a
 * link. */
#include <criterion/criterion.h>
#include <string.h>

#include "models/fast.h"
#include "models/random.h"
#include <wend/wend.h>
#include <wend/field.h>
#include <wend/movers.h>
#include <wend/query.h>
#include <wend/search.h>
#include <wend/ways.h>

enum { SIDE = 70, MOVERS = 4, LINKS = 24, WATER = 2, MUD = 3, ROUNDS = 12, QUERIES = 12 };

/// A map, and for each of its movers one with the mover's links alone and with its factors.
typedef struct worlds {
    wend_map *all, *own[MOVERS];
    wend_map_rules rules;
    wend_cell ends[LINKS][2];
    int32_t costs[LINKS];
    uint32_t movers[LINKS]; ///< as in wend_link; of costs 0: no link
    uint64_t random;
} worlds;

static wend_map *make_map(const wend_map_rules *rules) {
    wend_map_def def;
    wend_map *map = NULL;
    wend_map_def_init(&def, sizeof def);
    def.width = def.height = SIDE, def.rules = rules;
    cr_assert_eq(wend_map_create(&def, &map), WEND_OK);
    return map;
}

static void avoid(uint64_t avoided[4], unsigned class) {
    memset(avoided, 0, 4 * sizeof *avoided);
    avoided[class / 64] |= UINT64_C(1) << class % 64;
}

/* Mover 0 is the default one, mover 1 a cart that pays more for mud. Movers 2 and 3 are like them, and avoid water. */
static void add_movers(worlds *w) {
    wend_mover cart;
    uint64_t water[4];
    int32_t id;
    wend_mover_init(&cart, sizeof cart);
    memcpy(cart.factors, w->rules.factors, sizeof cart.factors);
    cart.factors[MUD] = 5;
    cr_assert_eq(wend_map_add_mover(w->all, &cart, &id), WEND_OK);
    cr_assert_eq(id, 1);
    avoid(water, WATER);
    for (int32_t like = 0; like < 2; like++) {
        cr_assert_eq(wend_map_mover_avoiding(w->all, like, water, &id), WEND_OK);
        cr_assert_eq(id, 2 + like);
    }
}

static wend_map *make_own(const worlds *w, int32_t mover) {
    wend_map_rules rules = w->rules;
    if (mover % 2) rules.factors[MUD] = 5;
    if (mover / 2) rules.factors[WATER] = 0;
    return make_map(&rules);
}

static bool serves(uint32_t movers, int32_t mover) {
    return movers == 0 || (movers & (1u << mover | 1u << mover % 2)) != 0;
}

static wend_cell any_cell(worlds *w) {
    const int32_t x = (int32_t)draw(&w->random, SIDE);
    return (wend_cell){x, (int32_t)draw(&w->random, SIDE), 0};
}

static void put_cell(wend_map *map, wend_cell cell, uint8_t class) {
    wend_edit *edit;
    cr_assert_eq(wend_edit_begin(map, &edit), WEND_OK);
    wend_edit_set_cell(edit, cell, class);
    cr_assert_eq(wend_edit_publish(edit, NULL), WEND_OK);
}

static void put_link(worlds *w, int k) {
    for (int32_t i = -1; i < MOVERS; i++) {
        wend_map *map = i < 0 ? w->all : w->own[i];
        const bool there = w->costs[k] > 0 && (i < 0 || serves(w->movers[k], i));
        wend_edit *edit;
        cr_assert_eq(wend_edit_begin(map, &edit), WEND_OK);
        if (there)
            cr_assert_eq(wend_edit_add_link(
                             edit, &(wend_link){w->ends[k][0], w->ends[k][1], w->costs[k], i < 0 ? w->movers[k] : 0}),
                         WEND_OK);
        else
            wend_edit_remove_link(edit, w->ends[k][0], w->ends[k][1]);
        cr_assert_eq(wend_edit_publish(edit, NULL), WEND_OK);
    }
}

static void change_link(worlds *w, int k) {
    w->costs[k] = draw(&w->random, 5) ? 1 + (int32_t)draw(&w->random, 60) : 0;
    w->movers[k] = draw(&w->random, 4) ? draw(&w->random, 1 << MOVERS) : 0;
    put_link(w, k);
}

/* Walls with gaps cut the map in four, so that links alone join its parts where the gaps are closed. */
static void make_ground(worlds *w) {
    for (int32_t i = 0; i < SIDE * SIDE; i++) {
        const wend_cell cell = {i % SIDE, i / SIDE, 0};
        const uint32_t dice = draw(&w->random, 100);
        const bool wall = cell.x == SIDE / 2 || cell.y == SIDE / 2;
        const uint8_t class = wall || dice < 15 ? 0 : dice < 27 ? WATER : dice < 40 ? MUD : 1;
        if (class == 1) continue;
        for (int32_t k = -1; k < MOVERS; k++) put_cell(k < 0 ? w->all : w->own[k], cell, class);
    }
}

static void make_worlds(worlds *w, uint64_t seed, bool fast) {
    *w = (worlds){.random = seed};
    wend_map_rules_init(&w->rules, sizeof w->rules);
    w->rules.factors[WATER] = 2, w->rules.factors[MUD] = 3;
    w->all = make_map(&w->rules);
    add_movers(w);
    for (int32_t i = 0; i < MOVERS; i++) w->own[i] = make_own(w, i);
    make_ground(w);
    for (int k = 0; k < LINKS; k++) {
        w->ends[k][0] = any_cell(w), w->ends[k][1] = any_cell(w);
        if (w->ends[k][0].x == w->ends[k][1].x) w->ends[k][1].x = (w->ends[k][1].x + 1) % SIDE;
        change_link(w, k);
    }
    for (int32_t i = 0; fast && i < MOVERS; i++) {
        wend_acceleration def;
        wend_acceleration_init(&def, sizeof def);
        def.mover = i;
        cr_assert_eq(wend_map_accelerate(w->all, &def), WEND_OK);
    }
}

static void free_worlds(worlds *w) {
    wend_map_release(w->all);
    for (int32_t i = 0; i < MOVERS; i++) wend_map_release(w->own[i]);
}

static wend_status ask(wend_search *search, wend_map *map, int32_t mover, wend_cell start, wend_cell goal, int32_t mode,
                       wend_completion *out) {
    wend_request request;
    wend_request_init(&request, sizeof request);
    request.map = map, request.start = start, request.goal = goal, request.mover = mover, request.mode = mode;
    cr_assert_eq(wend_search_begin(search, &request), WEND_OK);
    const wend_status status = wend_search_step(search, WEND_NO_LIMIT, NULL);
    out->struct_bytes = sizeof *out;
    cr_assert_eq(wend_search_get_result(search, out), WEND_OK);
    return status;
}

static void compare_walks(wend_search *search, const worlds *w, int32_t mover) {
    static wend_cell cells[SIDE * SIDE];
    size_t count = 0;
    uint64_t cost = 0;
    if (wend_search_get_path(search, cells, SIDE * SIDE, &count)) return;
    for (int32_t i = 0; i < 2; i++) {
        size_t steps = 0;
        wend_map_path_cost(i ? w->own[mover] : w->all, i ? 0 : mover, cells, count, &steps, &cost);
        cr_assert_eq(steps, count, "mover %d walks %zu of %zu", (int)mover, steps, count);
    }
}

static void compare_queries(worlds *w, wend_search *search) {
    for (int q = 0; q < QUERIES; q++) {
        const wend_cell a = any_cell(w), b = any_cell(w);
        for (int32_t mover = 0; mover < MOVERS; mover++) {
            wend_completion all = {0}, own = {0};
            const int32_t mode = q % 4 == 3 ? WEND_MODE_NEAREST : WEND_MODE_EXACT;
            const wend_status expected = ask(search, w->own[mover], 0, a, b, mode, &own);
            const wend_status status = ask(search, w->all, mover, a, b, mode, &all);
            cr_assert_eq(status, expected, "mover %d: %s, not %s", (int)mover, wend_status_name(status),
                         wend_status_name(expected));
            cr_assert_eq(all.cost, own.cost, "mover %d from %d,%d to %d,%d: %lld, not %lld", (int)mover, a.x, a.y, b.x,
                         b.y, (long long)all.cost, (long long)own.cost);
            compare_walks(search, w, mover);
            bool reachable = false, too = false;
            if (wend_map_reachable(w->all, mover, a, b, &reachable) == WEND_OK) {
                cr_assert_eq(wend_map_reachable(w->own[mover], 0, a, b, &too), WEND_OK);
                cr_assert_eq(reachable, too);
            }
        }
    }
}

static wend_field *make_field(wend_map *map, int32_t mover, wend_cell goal) {
    wend_field_def def;
    wend_field *field = NULL;
    wend_field_def_init(&def, sizeof def);
    def.map = map, def.mover = mover, def.goals = &goal, def.goal_count = 1;
    cr_assert_eq(wend_field_create(&def, &field), WEND_OK);
    while (!wend_field_step(field, 100000, NULL)) {
    }
    return field;
}

static void compare_fields(worlds *w) {
    const wend_cell goal = any_cell(w);
    for (int32_t mover = 0; mover < MOVERS; mover++) {
        wend_field *all = make_field(w->all, mover, goal), *own = make_field(w->own[mover], 0, goal);
        for (int32_t i = 0; i < SIDE * SIDE; i += 7) {
            const wend_cell cell = {i % SIDE, i / SIDE, 0};
            wend_cell next;
            uint64_t costs[2] = {0, 0};
            const wend_status status = wend_field_next(all, cell, &next, &costs[0]);
            cr_assert_eq(status, wend_field_next(own, cell, &next, &costs[1]));
            cr_assert_eq(costs[0], costs[1], "mover %d at %d,%d", (int)mover, cell.x, cell.y);
        }
        wend_field_destroy(all);
        wend_field_destroy(own);
    }
}

static void run(uint64_t seed, bool fast) {
    worlds w;
    wend_search_def def;
    wend_search *search;
    make_worlds(&w, seed, fast);
    wend_search_def_init(&def, sizeof def);
    def.nodes = 4 * 4096 * 8;
    cr_assert_eq(wend_search_create(&def, &search), WEND_OK);
    for (int round = 0; round < ROUNDS; round++) {
        compare_queries(&w, search);
        if (round % 4 == 0) compare_fields(&w);
        change_link(&w, (int)draw(&w.random, LINKS));
        const wend_cell cell = any_cell(&w);
        const uint8_t class = (uint8_t)draw(&w.random, 4);
        for (int32_t k = -1; k < MOVERS; k++) put_cell(k < 0 ? w.all : w.own[k], cell, class);
    }
    wend_search_destroy(search);
    free_worlds(&w);
}

Test(link_movers, s11_answer_as_maps_of_their_own) {
    for (uint64_t seed = 1; seed <= 6; seed++) run(seed, false);
}

Test(link_movers, answer_so_on_accelerated_maps) {
    NEEDS_FAST();
    for (uint64_t seed = 11; seed <= 16; seed++) run(seed, true);
}
