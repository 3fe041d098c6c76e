/* SPDX-License-Identifier: MIT */
/* Random worlds: size, rules, ground, slow terrain, links, closed steps, movers and units, each in several ways. */
#include "exact/exact.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wend/units.h>

static bool chance(oracle_random *random, int percent) {
    return oracle_below(random, 100) < percent;
}

static void note(exact_world *w, const char *word, int number) {
    const size_t used = strlen(w->kind);
    if (number < 0)
        snprintf(w->kind + used, sizeof w->kind - used, " %s", word);
    else
        snprintf(w->kind + used, sizeof w->kind - used, " %s %d", word, number);
}

static void add_place(exact_world *w, wend_cell cell) {
    if (w->place_count < EXACT_PLACES) w->places[w->place_count++] = cell;
}

/* Mostly less than two chunks of 64 x 64; some along the rims of chunks, some across 1,024 cells. */
static void make_size(exact_world *w, oracle_random *random) {
    const int what = oracle_below(random, 100);
    w->width = 2 + oracle_below(random, 100), w->height = 2 + oracle_below(random, 100);
    if (what < 25) w->width = 2 + oracle_below(random, 24), w->height = 2 + oracle_below(random, 24);
    if (what >= 55) w->width = 60 + oracle_below(random, 150), w->height = 20 + oracle_below(random, 190);
    if (what >= 90) w->width = 63 + oracle_below(random, 3), w->height = 126 + oracle_below(random, 5);
    if (what >= 96) w->width = 1020 + oracle_below(random, 40), w->height = 3 + oracle_below(random, 66);
    if (chance(random, 30)) {
        const int width = w->width;
        w->width = w->height, w->height = width;
    }
    w->cells = w->width * w->height;
}

/* Mostly the rules that fast engines need: 8 neighbours, and no corner cut. */
static void make_rules(exact_world *w, oracle_random *random) {
    static const int pairs[][2] = {{1000, 1414}, {1000, 1414},      {10, 14}, {10, 14}, {5, 7},   {1, 1}, {10, 10},
                                   {1, 2},       {10, 20},          {2, 3},   {7, 10},  {12, 17}, {3, 5}, {99, 100},
                                   {100, 199},   {1000000, 1000000}};
    const int pair = oracle_below(random, (int)(sizeof pairs / sizeof *pairs));
    wend_map_rules_init(&w->rules, sizeof w->rules);
    w->rules.neighbours = chance(random, 90) ? 8 : chance(random, 50) ? 4 : 6;
    w->rules.corners = chance(random, 93) ? WEND_CORNERS_NEVER : oracle_below(random, 3);
    w->rules.cost_straight = pairs[pair][0], w->rules.cost_diagonal = pairs[pair][1];
    if (chance(random, 15)) {
        w->rules.cost_straight = 1 + oracle_below(random, 3000);
        w->rules.cost_diagonal = w->rules.cost_straight + oracle_below(random, w->rules.cost_straight + 1);
    }
    if (chance(random, 10)) w->rules.factors[3] = 200;
    if (chance(random, 5)) w->rules.factors[2] = 0;
    note(w, "S", w->rules.cost_straight);
    note(w, "D", w->rules.cost_diagonal);
    if (w->rules.neighbours != 8) note(w, "neighbours", w->rules.neighbours);
    if (w->rules.corners != WEND_CORNERS_NEVER) note(w, "corners", w->rules.corners);
}

/* ---- slow terrain ---- */

static void make_patch(exact_world *w, oracle_random *random, int radius) {
    const wend_cell centre = exact_pick(w, random, 0);
    const int class = 2 + oracle_below(random, 4);
    add_place(w, centre);
    for (int y = centre.y - radius; y <= centre.y + radius; y++)
        for (int x = centre.x - radius; x <= centre.x + radius; x++) {
            const int across = x - centre.x, down = y - centre.y;
            if (!exact_on(w, x, y) || across * across + down * down > radius * radius) continue;
            uint8_t *cell = &w->terrain[y * w->width + x];
            if (*cell) *cell = (uint8_t)class;
        }
}

static void make_slow(exact_world *w, oracle_random *random) {
    switch (oracle_below(random, 8)) {
    case 0: make_patch(w, random, 0); break;
    case 1:
    case 2:
        for (int i = w->cells / 200 / (1 + oracle_below(random, 20)); i >= 0; i--)
            make_patch(w, random, 1 + oracle_below(random, 9));
        break;
    case 3:
    case 7:
        for (int i = 0, percent = 1 + oracle_below(random, 50); i < w->cells; i++)
            if (w->terrain[i] && chance(random, percent)) w->terrain[i] = (uint8_t)(1 + oracle_below(random, 5));
        break;
    case 4: /* half of the world */
        for (int i = 0, side = oracle_below(random, w->width); i < w->cells; i++)
            if (w->terrain[i] && i % w->width < side) w->terrain[i] = 2;
        break;
    default: return;
    }
    note(w, "slow", -1);
}

/* ---- links and closed steps ---- */

static void make_links(exact_world *w, oracle_random *random) {
    const int most = chance(random, 60) ? 1 + oracle_below(random, 3) : 1 + oracle_below(random, EXACT_LINKS / 2);
    const int dear = chance(random, 50) ? 30 : 1 + oracle_below(random, 4), s = w->rules.cost_straight;
    for (int i = 0; i < most; i++) {
        const int64_t cost = 1 + (int64_t)oracle_below(random, dear * 100) * s / 100;
        wend_link link = {exact_pick(w, random, 0), exact_pick(w, random, 0), (int32_t)(cost < 1000000 ? cost : 999999),
                          0};
        link.movers = world_takers(link.cost);
        for (int both = oracle_below(random, 2); both >= 0; both--) {
            bool known = memcmp(&link.from, &link.to, sizeof link.to) == 0;
            for (int j = 0; j < w->link_count; j++)
                known = known || (memcmp(&w->links[j].from, &link.from, sizeof link.from) == 0 &&
                                  memcmp(&w->links[j].to, &link.to, sizeof link.to) == 0);
            if (!known && w->link_count < EXACT_LINKS) w->links[w->link_count++] = link;
            if (!known) add_place(w, link.from);
            const wend_cell from = link.from;
            link.from = link.to, link.to = from;
        }
    }
    note(w, "links", w->link_count);
}

int exact_direction(const exact_world *w, oracle_random *random) {
    const int d = oracle_below(random, w->rules.neighbours);
    return w->rules.neighbours == 6 && d == 5 ? 6 : d;
}

static void close_step(exact_world *w, int x, int y, int d) {
    if (!exact_on(w, x, y) || !exact_on(w, x + exact_dx[d], y + exact_dy[d])) return;
    if (d < 4 || w->rules.neighbours == 8 || (w->rules.neighbours == 6 && d % 2 == 0))
        w->closed[y * w->width + x] |= (uint8_t)(1u << d);
}

/* Single steps anywhere; or thin walls and ledges: a line of cells that cannot be left, or entered, across it. */
static void make_closed(exact_world *w, oracle_random *random) {
    if (chance(random, 40)) {
        const int often = chance(random, 50) ? 2 : 100;
        for (int i = 0; i < w->cells; i++)
            if (oracle_below(random, often * 10) == 0)
                close_step(w, i % w->width, i / w->width, oracle_below(random, 8));
        note(w, "steps", -1);
        return;
    }
    for (int lines = 1 + oracle_below(random, 12); lines > 0; lines--) {
        const bool upright = oracle_below(random, 2), both = oracle_below(random, 2);
        const wend_cell at = exact_pick(w, random, 0);
        for (int i = 1 + oracle_below(random, 30); i > 0; i--) {
            const int x = at.x + (upright ? 0 : i), y = at.y + (upright ? i : 0), d = upright ? 1 : 2;
            close_step(w, x, y, d);
            if (both) close_step(w, x + exact_dx[d], y + exact_dy[d], (d + 2) & 3);
        }
        add_place(w, at);
    }
    note(w, "walls", -1);
}

/* ---- movers and units ---- */

static void make_movers(exact_world *w, oracle_random *random) {
    w->mover_count = chance(random, 60) ? 1 : 2 + oracle_below(random, EXACT_MOVERS - 1);
    for (int i = 0; i < w->mover_count; i++) {
        wend_mover *mover = &w->movers[i];
        wend_mover_init(mover, sizeof *mover);
        if (i == 0) {
            memcpy(mover->factors, w->rules.factors, sizeof mover->factors);
            continue;
        }
        mover->size = chance(random, 50) || w->rules.neighbours == 6 ? 1 : 1 + oracle_below(random, 4);
        for (int class = 1; class < 7; class++)
            if (chance(random, 40)) mover->factors[class] = (uint8_t)oracle_below(random, 4);
        if (chance(random, 20)) mover->factors[0] = 6; /* walks through walls */
    }
    if (w->mover_count > 1) note(w, "movers", w->mover_count);
}

void exact_occupy(exact_world *w, wend_map *map, wend_cell cell) {
    uint8_t *count = &w->occupants[exact_number(w, cell)];
    if (*count > 2) return;
    (*count)++;
    if (map) REQUIRE(wend_map_occupy(map, cell) == WEND_OK);
}

/* A closed ring of units round a cell. */
static void make_ring(exact_world *w, oracle_random *random) {
    const wend_cell centre = exact_pick(w, random, 0);
    const int radius = 1 + oracle_below(random, 6);
    for (int y = centre.y - radius; y <= centre.y + radius; y++)
        for (int x = centre.x - radius; x <= centre.x + radius; x++)
            if (exact_on(w, x, y) && (abs(x - centre.x) == radius || abs(y - centre.y) == radius))
                exact_occupy(w, NULL, (wend_cell){x, y, 0});
    add_place(w, centre);
    add_place(w, centre);
}

static void make_units(exact_world *w, oracle_random *random) {
    const int what = oracle_below(random, 4);
    int count = what == 0 ? 1 : what == 1 ? w->cells / 100 : w->cells / (4 + oracle_below(random, 60));
    for (; count >= 0; count--) {
        const wend_cell cell = exact_pick(w, random, 0);
        if (count < 3) add_place(w, cell);
        exact_occupy(w, NULL, cell);
    }
    for (int rings = chance(random, 40) ? 1 + oracle_below(random, 3) : 0; rings > 0; rings--) make_ring(w, random);
    note(w, "units", -1);
}

void exact_make(exact_world *w, oracle_random *random) {
    memset(w, 0, sizeof *w);
    make_size(w, random);
    snprintf(w->kind, sizeof w->kind, "%d x %d", w->width, w->height);
    note(w, exact_ground(w, random), -1);
    make_rules(w, random);
    make_movers(w, random);
    exact_derive(w);
    for (int i = 0; i < 8; i++) { /* across the border of a block, so that something lies there */
        const int at = 1022 + oracle_below(random, 4), along = oracle_below(random, 64);
        if (exact_on(w, at, along)) add_place(w, (wend_cell){at, along, 0});
        if (exact_on(w, along, at)) add_place(w, (wend_cell){along, at, 0});
    }
    w->even = chance(random, 25);
    if (!w->even && chance(random, 50)) make_slow(w, random);
    exact_derive(w);
    if (!w->even && chance(random, 30)) make_links(w, random);
    if (!w->even && chance(random, 25)) make_closed(w, random);
    if (chance(random, 50)) make_units(w, random);
    for (int i = 0; i < 4; i++) {
        const int x = 63 + oracle_below(random, 3) - 1, y = 63 + oracle_below(random, 3) - 1;
        if (exact_on(w, x, y)) add_place(w, (wend_cell){x, y, 0});
    }
    exact_derive(w);
}
