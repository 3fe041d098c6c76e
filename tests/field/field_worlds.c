/* SPDX-License-Identifier: MIT */
/* Costs to goals by relaxing all ways until nothing changes (Ford 1956, Bellman 1958): slow and simple. */
#include "field/field_worlds.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>
#include <wend/field.h>

enum { MOST_WAYS = WORLD_CELLS * 30 };

static int chance(field_world *w, int percent) {
    return oracle_below(&w->random, 100) < percent;
}

static wend_cell any_cell(field_world *w) {
    return world_cell(&w->now, oracle_below(&w->random, w->now.cells));
}

/* ---- worlds ---- */

/* Longer than a chunk, where that fits. */
static void stretch(field_world *w) {
    world *now = &w->now;
    const bool flat = now->kind == WEND_KIND_GRID;
    const int width = flat ? 66 + oracle_below(&w->random, 70) : 17 + oracle_below(&w->random, 4);
    const int height = flat ? 3 + oracle_below(&w->random, 11) : 17;
    world_resize(now, width, height, flat ? 1 : 1 + oracle_below(&w->random, 5));
    for (int i = 0; i < now->cells; i++) {
        const bool blocked = oracle_below(&w->random, 100) < 25;
        now->terrain[i] = (uint8_t)(blocked ? 0 : now->terrain[oracle_below(&w->random, 16)]);
        if (now->terrain[i] == 0 && !blocked) now->terrain[i] = 1;
    }
    memset(now->closed, 0, (size_t)now->cells * sizeof *now->closed);
    const int links = now->link_count;
    now->link_count = 0;
    for (int i = 0; i < links; i++) {
        wend_link link = now->links[i];
        link.from = any_cell(w), link.to = any_cell(w);
        world_put_link(now, NULL, link);
    }
}

void field_world_open(field_world *w, int kind, uint64_t seed) {
    w->random.state = seed;
    memset(w->tolls, 0, sizeof w->tolls);
    const bool slow = chance(w, 60), links = chance(w, 60), steps = chance(w, 50), movers = chance(w, 60);
    const world_options options = {kind, slow, links, steps, movers, false};
    const bool wraps = kind == WEND_KIND_GRID && chance(w, 30);
    (wraps ? world_fill_wrapping : world_fill)(&w->now, &w->random, &options);
    if (kind != WEND_KIND_GRAPH && chance(w, 60)) stretch(w);
    w->map = world_map(&w->now), w->mover = oracle_below(&w->random, w->now.mover_count);
    w->ways = malloc(MOST_WAYS * sizeof *w->ways);
    field_world_set_goals(w);
}

void field_world_close(field_world *w) {
    wend_map_release(w->map);
    world_free(&w->now);
    free(w->ways);
}

void field_world_set_goals(field_world *w) {
    w->goal_count = 1 + (uint32_t)oracle_below(&w->random, chance(w, 50) ? 1 : WORLD_GOALS);
    for (uint32_t i = 0; i < w->goal_count; i++) {
        w->goals[i] = any_cell(w);
        for (int tries = 0; tries < 20 && !world_factor(&w->now, w->mover, w->goals[i]); tries++)
            w->goals[i] = any_cell(w);
    }
}

wend_field_def field_world_def(const field_world *w) {
    wend_field_def def = default_field();
    def.map = w->map, def.mover = w->mover, def.goals = w->goals, def.goal_count = w->goal_count;
    return def;
}

/* ---- edits ---- */

static void edit_cell(field_world *w, wend_edit *edit) {
    const wend_cell cell = any_cell(w);
    world_set_cell(&w->now, edit, cell,
                   (uint8_t)(chance(w, 45)   ? 0
                             : chance(w, 70) ? 1
                                             : 1 + oracle_below(&w->random, 6)));
}

static void edit_step(field_world *w, wend_edit *edit) {
    const wend_cell from = any_cell(w);
    const int step = oracle_below(&w->random, 27);
    world_set_step(&w->now, edit, from, step, chance(w, 40));
}

static void edit_link(field_world *w, wend_edit *edit) {
    if (w->now.link_count > 0 && chance(w, 40)) {
        world_drop_link(&w->now, edit, oracle_below(&w->random, w->now.link_count));
        return;
    }
    wend_link link = {.from = any_cell(w)};
    link.to = any_cell(w), link.cost = 1 + oracle_below(&w->random, chance(w, 20) ? 100000 : 60);
    link.movers = world_takers(link.cost);
    world_put_link(&w->now, edit, link);
}

void field_world_edit(field_world *w) {
    wend_edit *edit = begin_edit(w->map);
    const int changes = 1 + oracle_below(&w->random, chance(w, 70) ? 1 : 6);
    for (int i = 0; i < changes; i++) {
        const int which = oracle_below(&w->random, 6);
        if (which < 4)
            edit_cell(w, edit);
        else if (which == 4)
            edit_step(w, edit);
        else
            edit_link(w, edit);
    }
    cr_assert_eq(wend_edit_publish(edit, NULL), WEND_OK);
}

/* ---- costs ---- */

static void add_way(field_world *w, const wend_request *request, int from, wend_cell to) {
    const uint64_t cost = world_step(&w->now, request, world_cell(&w->now, from), to);
    if (cost == UINT64_MAX) return;
    cr_assert_lt(w->way_count, MOST_WAYS);
    w->ways[w->way_count++] = (field_way){from, world_number(&w->now, to), cost + w->tolls[world_number(&w->now, to)]};
}

static void list_ways(field_world *w) {
    wend_request request = default_request();
    request.mover = w->mover;
    w->way_count = 0;
    for (int from = 0; from < w->now.cells; from++) {
        if (!world_factor(&w->now, w->mover, world_cell(&w->now, from))) continue;
        for (int i = 0; i < 27 && w->now.kind != WEND_KIND_GRAPH; i++) {
            wend_cell to;
            if (world_neighbour(&w->now, world_cell(&w->now, from), i, &to)) add_way(w, &request, from, to);
        }
        for (int i = 0; i < 4 * w->now.depth && w->now.movers[w->mover].walker; i++) {
            wend_cell to;
            if (world_level(&w->now, world_cell(&w->now, from), i, &to)) add_way(w, &request, from, to);
        }
        for (int i = 0; i < w->now.edge_count && w->now.kind == WEND_KIND_GRAPH; i++)
            if ((int)w->now.edges[i].from == from)
                add_way(w, &request, from, (wend_cell){(int32_t)w->now.edges[i].to, 0, 0});
        for (int i = 0; i < w->now.link_count; i++)
            if (world_number(&w->now, w->now.links[i].from) == from) add_way(w, &request, from, w->now.links[i].to);
    }
}

/* Lower costs along ways until nothing changes. */
static void relax_all(const field_world *w, int64_t *costs) {
    for (bool changed = true; changed;) {
        changed = false;
        for (int i = w->way_count - 1; i >= 0; i--) {
            const field_way *way = &w->ways[i];
            if (costs[way->to] < 0) continue;
            const int64_t cost = costs[way->to] + (int64_t)way->cost;
            if (costs[way->from] >= 0 && costs[way->from] <= cost) continue;
            costs[way->from] = cost;
            changed = true;
        }
    }
}

void field_world_measure(field_world *w) {
    list_ways(w);
    for (int i = 0; i < w->now.cells; i++) w->costs[i] = -1;
    for (uint32_t i = 0; i < w->goal_count; i++)
        if (world_factor(&w->now, w->mover, w->goals[i])) w->costs[world_number(&w->now, w->goals[i])] = 0;
    relax_all(w, w->costs);
}

void field_world_measure_away(field_world *w, int64_t largest, int64_t fear_milli) {
    int64_t worst = 0;
    field_world_measure(w);
    for (int i = 0; i < w->now.cells; i++) {
        w->worths[i] = w->costs[i] < 0 || w->costs[i] > largest ? -1 : w->costs[i] * fear_milli / 1000;
        if (w->worths[i] > worst) worst = w->worths[i];
    }
    for (int i = 0; i < w->way_count; i++) /* ways outside the field are none */
        if (w->worths[w->ways[i].from] < 0 || w->worths[w->ways[i].to] < 0) w->ways[i--] = w->ways[--w->way_count];
    for (int i = 0; i < w->now.cells; i++) w->away[i] = w->worths[i] < 0 ? -1 : worst - w->worths[i];
    relax_all(w, w->away);
}

/* ---- comparing ---- */

static void check_step(const field_world *w, const wend_field *field, int from, wend_cell next, uint64_t cost,
                       const int64_t *costs) {
    if (world_number(&w->now, next) == from) {
        const bool toward = costs == w->costs;
        if (toward) cr_assert_eq(cost, 0, "a way ends away from a goal");
        return;
    }
    uint64_t step = UINT64_MAX, left = 0;
    for (int i = 0; i < w->way_count; i++) {
        const field_way *way = &w->ways[i];
        if (way->from == from && way->to == world_number(&w->now, next) && way->cost < step) step = way->cost;
    }
    cr_assert_neq(step, UINT64_MAX, "the field says a step that there is not");
    cr_assert_eq(wend_field_next(field, next, NULL, &left), WEND_STATUS_FOUND, "the next cell is not known");
    cr_assert_eq(cost, left + step, "a step of %d from %d to %d", (int)step, (int)cost, (int)left);
}

int field_world_check(const field_world *w, const wend_field *field, const int64_t *costs, bool complete) {
    int known = 0;
    for (int i = 0; i < w->now.cells; i++) {
        const wend_cell cell = world_cell(&w->now, i);
        wend_cell next = {-1, -1, -1};
        uint64_t cost = 77;
        const wend_status status = wend_field_next(field, cell, &next, &cost);
        if (!world_factor(&w->now, w->mover, cell)) {
            cr_assert_eq(status, WEND_STATUS_START_BLOCKED);
            continue;
        }
        cr_assert(!complete || status != WEND_STATUS_PENDING);
        if (status == WEND_STATUS_PENDING) continue;
        known++;
        cr_assert_eq(status == WEND_STATUS_FOUND, costs[i] >= 0, "cell %d: %s, cost %d", i, wend_status_name(status),
                     (int)costs[i]);
        if (status != WEND_STATUS_FOUND) continue;
        cr_assert_eq((int64_t)cost, costs[i], "cell %d costs %d, not %d", i, (int)costs[i], (int)cost);
        check_step(w, field, i, next, cost, costs);
    }
    return known;
}
