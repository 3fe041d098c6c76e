/* SPDX-License-Identifier: MIT */
/* Maps of worlds, accelerated in many ways, and changes of both: edits, units that move. */
#include "exact/exact.h"

#include <string.h>
#include <wend/units.h>

static bool chance(oracle_random *random, int percent) {
    return oracle_below(random, 100) < percent;
}

/* ---- maps ---- */

static void write_world(const world *w, wend_map *map) {
    wend_edit *edit = begin_edit(map);
    world_write(w, edit);
    must_do(wend_edit_publish(edit, NULL), "wend_edit_publish");
}

/* Accelerates a map, as far as its kind allows: without, its searches are slower, and as exact. */
static int accelerate(wend_map *map, int32_t mover, oracle_random *random) {
    static const int32_t counts[] = {0, 1, 4, 4, WEND_MAX_LANDMARKS};
    wend_acceleration def = default_acceleration();
    def.mover = mover, def.landmarks = counts[oracle_below(random, 5)];
    wend_error error = wend_map_accelerate(map, &def);
    if (error == WEND_UNSUPPORTED) def.landmarks = 0, error = wend_map_accelerate(map, &def);
    REQUIRE(error == WEND_OK || error == WEND_UNSUPPORTED);
    if (mover == WEND_MOVER_DEFAULT) {
        exact_total.accelerated += error == WEND_OK;
        exact_total.marked += error == WEND_OK && def.landmarks > 0;
    }
    return def.landmarks;
}

static int accelerate_all(const world *w, wend_map *map, oracle_random *random) {
    int landmarks = chance(random, 85) ? accelerate(map, WEND_MOVER_DEFAULT, random) : 0;
    for (int mover = 1; mover < w->mover_count; mover++)
        if (chance(random, 70)) accelerate(map, mover, random);
    return landmarks;
}

/* Makes the map of a world; the contents are written before or after its tables are made. */
wend_map *exact_map(world *w, oracle_random *random, int *landmarks) {
    wend_map *map;
    wend_map_def def = default_map();
    def.width = w->width, def.height = w->height, def.wrap = w->wrap, def.rules = &w->rules;
    REQUIRE(wend_map_create(&def, &map) == WEND_OK);
    const bool early = chance(random, 30), units_early = chance(random, 50);
    for (int i = 1; i < w->mover_count; i++) REQUIRE(wend_map_add_mover(map, &w->movers[i], NULL) == WEND_OK);
    if (units_early) world_write_units(w, map);
    if (early) *landmarks = accelerate_all(w, map, random);
    write_world(w, map);
    if (!early) *landmarks = accelerate_all(w, map, random);
    if (chance(random, 15)) {
        wend_map *fork;
        REQUIRE(wend_map_fork(map, &fork) == WEND_OK);
        wend_map_release(map);
        map = fork;
        world_write_units(w, map);
    } else if (!units_early) {
        world_write_units(w, map);
    }
    return map;
}

/* ---- edits ---- */

static void change_cell(world *w, wend_edit *edit, oracle_random *random) {
    const wend_cell cell = chance(random, 50) && w->spot_count > 0 ? w->spots[oracle_below(random, w->spot_count)]
                                                                   : world_cell(w, oracle_below(random, w->cells));
    int class = w->terrain[world_number(w, cell)] == 0 || chance(random, 50);
    if (chance(random, 25)) class = 1 + oracle_below(random, 5);
    world_set_cell(w, edit, cell, (uint8_t)class);
}

static void change_box(world *w, wend_edit *edit, oracle_random *random) {
    const wend_cell at = world_cell(w, oracle_below(random, w->cells));
    const wend_box box = {at, {at.x + oracle_below(random, 12), at.y + oracle_below(random, 12), 0}};
    world_set_box(w, edit, box, (uint8_t)oracle_below(random, 4));
}

static void change_step(world *w, wend_edit *edit, oracle_random *random) {
    const wend_cell from = world_cell(w, oracle_below(random, w->cells));
    const int number = oracle_below(random, w->rules.neighbours),
              d = w->rules.neighbours == 6 && number == 5 ? 6 : number;
    world_set_step(w, edit, from, world_step_number(world_dx[d], world_dy[d], 0), chance(random, 40));
}

static void change_link(world *w, wend_edit *edit, oracle_random *random) {
    if (w->link_count > 0 && chance(random, 50)) {
        world_drop_link(w, edit, oracle_below(random, w->link_count));
        return;
    }
    const int32_t cost =
        1 + oracle_below(random, 10 * w->rules.cost_straight < 1000000 ? 10 * w->rules.cost_straight : 9);
    world_put_link(w, edit, (wend_link){world_pick(w, random, 0), world_pick(w, random, 0), cost, world_takers(cost)});
}

void exact_edit(world *w, wend_map *map, oracle_random *random) {
    const int kinds = 1 + oracle_below(random, 15), most = chance(random, 50) ? 3 : 40;
    for (int batches = 1 + oracle_below(random, 4); batches > 0; batches--) {
        wend_edit *edit = begin_edit(map);
        for (int i = 1 + oracle_below(random, most); i > 0; i--) {
            const int what = oracle_below(random, 20);
            if (what < 12 && kinds & 1) change_cell(w, edit, random);
            if (what == 12 && kinds & 1) change_box(w, edit, random);
            if (what >= 13 && what < 16 && kinds & 2) change_step(w, edit, random);
            if (what >= 16 && kinds & 12) change_link(w, edit, random);
        }
        REQUIRE(wend_edit_publish(edit, NULL) == WEND_OK);
        if (chance(random, 20))
            REQUIRE(wend_map_maintain(map, WEND_MAINTAIN_ALL, (uint64_t)oracle_below(random, 5000), NULL) == WEND_OK);
    }
    if (chance(random, 10)) accelerate_all(w, map, random);
    world_derive(w);
}

/* ---- rules ---- */

/* Costs and factors, rarely neighbours and corners: searches that jump need 8 and WEND_CORNERS_NEVER. */
static void change_rules(world *w, oracle_random *random) {
    wend_map_rules *rules = &w->rules;
    if (chance(random, 80)) { /* not much less, too, so that links are still worth their cost */
        const int32_t before = rules->cost_straight;
        rules->cost_straight = 1 + oracle_below(random, chance(random, 50) ? before : 3000);
        rules->cost_diagonal = rules->cost_straight + oracle_below(random, rules->cost_straight + 1);
        if (rules->cost_diagonal > WEND_MAX_COST) rules->cost_diagonal = WEND_MAX_COST;
    }
    if (chance(random, 30)) rules->factors[2 + oracle_below(random, 4)] = (uint8_t)oracle_below(random, 9);
    rules->neighbours = chance(random, 93) ? 8 : chance(random, 50) ? 4 : 6;
    bool square = w->wrap != 0; /* hexagons do not wrap, nor have larger movers */
    for (int i = 0; i < w->mover_count; i++) square = square || w->movers[i].size > 1;
    if (square && rules->neighbours == 6) rules->neighbours = 8;
    rules->corners = chance(random, 95) ? WEND_CORNERS_NEVER : oracle_below(random, 3);
}

/* Cheap links in a row: a cheapest path takes several of them. */
static void add_row_of_links(world *w, wend_edit *edit, oracle_random *random) {
    const bool upright = w->height > w->width;
    const int side = upright ? w->height : w->width, part = side / 8;
    for (int at = 0; at + part < side; at += part + part / 2 + 1) {
        wend_link link = {world_cell(w, oracle_below(random, w->cells)), world_cell(w, oracle_below(random, w->cells)),
                          1 + oracle_below(random, 9), 0};
        *(upright ? &link.from.y : &link.from.x) = at;
        *(upright ? &link.to.y : &link.to.x) = at + part;
        world_put_link(w, edit, link);
    }
}

static void add_mover(world *w, wend_map *map, oracle_random *random) {
    wend_mover *mover = &w->movers[w->mover_count];
    wend_mover_init(mover, sizeof *mover);
    mover->size = chance(random, 50) || w->rules.neighbours == 6 ? 1 : 2;
    for (int class = 2; class < 7; class++) mover->factors[class] = (uint8_t)oracle_below(random, 4);
    REQUIRE(wend_map_add_mover(map, mover, NULL) == WEND_OK);
    if (chance(random, 70)) accelerate(map, w->mover_count, random);
    w->mover_count++;
}

/* At times a batch that was begun under the old rules is published under the new ones. */
void exact_change_rules(world *w, wend_map *map, oracle_random *random) {
    const bool meanwhile = chance(random, 30);
    wend_edit *edit = begin_edit(map);
    for (int i = oracle_below(random, 4); i > 0; i--) change_cell(w, edit, random);
    if (chance(random, 50)) add_row_of_links(w, edit, random);
    if (!meanwhile) REQUIRE(wend_edit_publish(edit, NULL) == WEND_OK);
    change_rules(w, random);
    memcpy(w->movers[0].factors, w->rules.factors, sizeof w->rules.factors);
    REQUIRE(wend_map_set_rules(map, &w->rules) == WEND_OK);
    if (meanwhile) REQUIRE(wend_edit_publish(edit, NULL) == WEND_OK);
    if (w->mover_count < WORLD_WIDE_MOVERS && chance(random, 30)) add_mover(w, map, random);
    if (chance(random, 30)) accelerate_all(w, map, random);
    if (chance(random, 30)) REQUIRE(wend_map_maintain(map, WEND_MAINTAIN_ALL, WEND_NO_LIMIT, NULL) == WEND_OK);
    world_derive(w);
}

/* ---- units ---- */

/* Some leave, some come, and some go a step. */
void exact_move(world *w, wend_map *map, oracle_random *random) {
    const int often = 1 + oracle_below(random, 20);
    for (int i = 0; i < w->cells; i++) {
        if (w->occupants[i] == 0 || oracle_below(random, often) > 0) continue;
        const wend_cell from = world_cell(w, i);
        const int d = oracle_below(random, 8);
        const wend_cell to = {from.x + world_dx[d], from.y + world_dy[d], 0};
        world_vacate(w, map, from);
        if (chance(random, 70) && world_has(w, to)) world_occupy_few(w, map, to);
    }
    for (int come = chance(random, 50) ? oracle_below(random, 20) : 0; come > 0; come--)
        world_occupy_few(w, map, world_pick(w, random, 0));
}
