/* SPDX-License-Identifier: MIT */
/* Maps of worlds, accelerated in many ways, and changes of both: edits, units that move. */
#include "exact/exact.h"

#include <string.h>
#include <wend/units.h>

static bool chance(oracle_random *random, int percent) {
    return oracle_below(random, 100) < percent;
}

/* ---- maps ---- */

static void write_world(const exact_world *w, wend_map *map) {
    wend_edit *edit = begin_edit(map);
    const wend_box all = {{0, 0, 0}, {w->width - 1, w->height - 1, 0}};
    REQUIRE(wend_edit_set_box(edit, all, w->terrain, (size_t)w->width) == WEND_OK);
    for (int i = 0; i < w->cells; i++)
        for (int d = 0; d < 8; d++) {
            const wend_cell from = exact_cell(w, i), to = {from.x + exact_dx[d], from.y + exact_dy[d], 0};
            if (w->closed[i] >> d & 1) REQUIRE(wend_edit_set_step(edit, from, to, false) == WEND_OK);
        }
    for (int i = 0; i < w->link_count; i++) REQUIRE(wend_edit_add_link(edit, &w->links[i]) == WEND_OK);
    REQUIRE(wend_edit_publish(edit, NULL) == WEND_OK);
}

static void write_units(const exact_world *w, wend_map *map) {
    for (int i = 0; i < w->cells; i++)
        for (int unit = 0; unit < w->occupants[i]; unit++) REQUIRE(wend_map_occupy(map, exact_cell(w, i)) == WEND_OK);
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

static int accelerate_all(const exact_world *w, wend_map *map, oracle_random *random) {
    int landmarks = chance(random, 85) ? accelerate(map, WEND_MOVER_DEFAULT, random) : 0;
    for (int mover = 1; mover < w->mover_count; mover++)
        if (chance(random, 70)) accelerate(map, mover, random);
    return landmarks;
}

/* Makes the map of a world; the contents are written before or after its tables are made. */
wend_map *exact_map(exact_world *w, oracle_random *random, int *landmarks) {
    wend_map *map;
    wend_map_def def = default_map();
    def.width = w->width, def.height = w->height, def.rules = &w->rules;
    REQUIRE(wend_map_create(&def, &map) == WEND_OK);
    const bool early = chance(random, 30), units_early = chance(random, 50);
    for (int i = 1; i < w->mover_count; i++) REQUIRE(wend_map_add_mover(map, &w->movers[i], NULL) == WEND_OK);
    if (units_early) write_units(w, map);
    if (early) *landmarks = accelerate_all(w, map, random);
    write_world(w, map);
    if (!early) *landmarks = accelerate_all(w, map, random);
    if (chance(random, 15)) {
        wend_map *fork;
        REQUIRE(wend_map_fork(map, &fork) == WEND_OK);
        wend_map_release(map);
        map = fork;
        write_units(w, map);
    } else if (!units_early) {
        write_units(w, map);
    }
    return map;
}

/* ---- edits ---- */

static void change_cell(exact_world *w, wend_edit *edit, oracle_random *random) {
    const wend_cell cell = chance(random, 50) && w->place_count > 0 ? w->places[oracle_below(random, w->place_count)]
                                                                    : exact_cell(w, oracle_below(random, w->cells));
    uint8_t *class = &w->terrain[exact_number(w, cell)];
    *class = (uint8_t)(*class == 0 || chance(random, 50) ? 1 : 0);
    if (chance(random, 25)) *class = (uint8_t)(1 + oracle_below(random, 5));
    REQUIRE(wend_edit_set_cell(edit, cell, *class) == WEND_OK);
}

static void change_box(exact_world *w, wend_edit *edit, oracle_random *random) {
    const wend_cell at = exact_cell(w, oracle_below(random, w->cells));
    wend_box box = {at, {at.x + oracle_below(random, 12), at.y + oracle_below(random, 12), 0}};
    const uint8_t class = (uint8_t)(oracle_below(random, 4));
    if (box.max.x >= w->width) box.max.x = w->width - 1;
    if (box.max.y >= w->height) box.max.y = w->height - 1;
    for (int y = box.min.y; y <= box.max.y; y++)
        for (int x = box.min.x; x <= box.max.x; x++) w->terrain[y * w->width + x] = class;
    REQUIRE(wend_edit_fill_box(edit, box, class) == WEND_OK);
}

static void change_step(exact_world *w, wend_edit *edit, oracle_random *random) {
    const int number = oracle_below(random, w->cells), d = exact_direction(w, random);
    const wend_cell from = exact_cell(w, number), to = {from.x + exact_dx[d], from.y + exact_dy[d], 0};
    const bool open = chance(random, 40);
    if (!exact_on(w, to.x, to.y)) return;
    w->closed[number] = (uint8_t)((w->closed[number] & ~(1u << d)) | (open ? 0 : 1u << d));
    REQUIRE(wend_edit_set_step(edit, from, to, open) == WEND_OK);
}

static void put_link(exact_world *w, wend_edit *edit, wend_link link) {
    int at = 0;
    while (at < w->link_count && (memcmp(&w->links[at].from, &link.from, sizeof link.from) != 0 ||
                                  memcmp(&w->links[at].to, &link.to, sizeof link.to) != 0))
        at++;
    if (memcmp(&link.from, &link.to, sizeof link.to) == 0 || at == EXACT_LINKS) return;
    w->links[at] = link;
    w->link_count += at == w->link_count;
    REQUIRE(wend_edit_add_link(edit, &link) == WEND_OK);
}

static void change_link(exact_world *w, wend_edit *edit, oracle_random *random) {
    if (w->link_count > 0 && chance(random, 50)) {
        wend_link *link = &w->links[oracle_below(random, w->link_count)];
        REQUIRE(wend_edit_remove_link(edit, link->from, link->to) == WEND_OK);
        *link = w->links[--w->link_count];
        return;
    }
    const int32_t cost =
        1 + oracle_below(random, 10 * w->rules.cost_straight < 1000000 ? 10 * w->rules.cost_straight : 9);
    put_link(w, edit, (wend_link){exact_pick(w, random, 0), exact_pick(w, random, 0), cost, world_takers(cost)});
}

void exact_edit(exact_world *w, wend_map *map, oracle_random *random) {
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
    exact_derive(w);
}

/* ---- rules ---- */

/* Costs and factors, rarely neighbours and corners: searches that jump need 8 and WEND_CORNERS_NEVER. */
static void change_rules(exact_world *w, oracle_random *random) {
    wend_map_rules *rules = &w->rules;
    if (chance(random, 80)) { /* not much less, too, so that links are still worth their cost */
        const int32_t before = rules->cost_straight;
        rules->cost_straight = 1 + oracle_below(random, chance(random, 50) ? before : 3000);
        rules->cost_diagonal = rules->cost_straight + oracle_below(random, rules->cost_straight + 1);
        if (rules->cost_diagonal > WEND_MAX_COST) rules->cost_diagonal = WEND_MAX_COST;
    }
    if (chance(random, 30)) rules->factors[2 + oracle_below(random, 4)] = (uint8_t)oracle_below(random, 9);
    rules->neighbours = chance(random, 93) ? 8 : chance(random, 50) ? 4 : 6;
    for (int i = 0; i < w->mover_count; i++)
        if (w->movers[i].size > 1 && rules->neighbours == 6) rules->neighbours = 8;
    rules->corners = chance(random, 95) ? WEND_CORNERS_NEVER : oracle_below(random, 3);
}

/* Cheap links in a row: a cheapest path takes several of them. */
static void add_row_of_links(exact_world *w, wend_edit *edit, oracle_random *random) {
    const bool upright = w->height > w->width;
    const int side = upright ? w->height : w->width, part = side / 8;
    for (int at = 0; at + part < side; at += part + part / 2 + 1) {
        wend_link link = {exact_cell(w, oracle_below(random, w->cells)), exact_cell(w, oracle_below(random, w->cells)),
                          1 + oracle_below(random, 9), 0};
        *(upright ? &link.from.y : &link.from.x) = at;
        *(upright ? &link.to.y : &link.to.x) = at + part;
        put_link(w, edit, link);
    }
}

static void add_mover(exact_world *w, wend_map *map, oracle_random *random) {
    wend_mover *mover = &w->movers[w->mover_count];
    wend_mover_init(mover, sizeof *mover);
    mover->size = chance(random, 50) || w->rules.neighbours == 6 ? 1 : 2;
    for (int class = 2; class < 7; class++) mover->factors[class] = (uint8_t)oracle_below(random, 4);
    REQUIRE(wend_map_add_mover(map, mover, NULL) == WEND_OK);
    if (chance(random, 70)) accelerate(map, w->mover_count, random);
    w->mover_count++;
}

/* At times a batch that was begun under the old rules is published under the new ones. */
void exact_change_rules(exact_world *w, wend_map *map, oracle_random *random) {
    const bool meanwhile = chance(random, 30);
    wend_edit *edit = begin_edit(map);
    for (int i = oracle_below(random, 4); i > 0; i--) change_cell(w, edit, random);
    if (chance(random, 50)) add_row_of_links(w, edit, random);
    if (!meanwhile) REQUIRE(wend_edit_publish(edit, NULL) == WEND_OK);
    change_rules(w, random);
    memcpy(w->movers[0].factors, w->rules.factors, sizeof w->rules.factors);
    REQUIRE(wend_map_set_rules(map, &w->rules) == WEND_OK);
    if (meanwhile) REQUIRE(wend_edit_publish(edit, NULL) == WEND_OK);
    if (w->mover_count < EXACT_MOVERS && chance(random, 30)) add_mover(w, map, random);
    if (chance(random, 30)) accelerate_all(w, map, random);
    if (chance(random, 30)) REQUIRE(wend_map_maintain(map, WEND_MAINTAIN_ALL, WEND_NO_LIMIT, NULL) == WEND_OK);
    exact_derive(w);
}

/* ---- units ---- */

static void vacate(exact_world *w, wend_map *map, wend_cell cell) {
    w->occupants[exact_number(w, cell)]--;
    REQUIRE(wend_map_vacate(map, cell) == WEND_OK);
}

/* Some leave, some come, and some go a step. */
void exact_move(exact_world *w, wend_map *map, oracle_random *random) {
    const int often = 1 + oracle_below(random, 20);
    for (int i = 0; i < w->cells; i++) {
        if (w->occupants[i] == 0 || oracle_below(random, often) > 0) continue;
        const wend_cell from = exact_cell(w, i);
        const int d = oracle_below(random, 8);
        const wend_cell to = {from.x + exact_dx[d], from.y + exact_dy[d], 0};
        vacate(w, map, from);
        if (chance(random, 70) && exact_on(w, to.x, to.y)) exact_occupy(w, map, to);
    }
    for (int come = chance(random, 50) ? oracle_below(random, 20) : 0; come > 0; come--)
        exact_occupy(w, map, exact_pick(w, random, 0));
}
