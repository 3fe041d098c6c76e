/* SPDX-License-Identifier: MIT */
/* Random wide grids: size, rules, ground, slow terrain, links, closed steps, movers and units, each in several ways. */
#include "models/worlds.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool chance(oracle_random *random, int percent) {
    return oracle_below(random, 100) < percent;
}

static void note(world *w, const char *word, int number) {
    const size_t used = strlen(w->how);
    if (number < 0)
        snprintf(w->how + used, sizeof w->how - used, " %s", word);
    else
        snprintf(w->how + used, sizeof w->how - used, " %s %d", word, number);
}

static void add_spot(world *w, wend_cell cell) {
    if (w->spot_count < WORLD_SPOTS) w->spots[w->spot_count++] = cell;
}

/* A cell anywhere, or in or near a spot. */
static wend_cell draw_cell(const world *w, oracle_random *random) {
    wend_cell cell = world_cell(w, oracle_below(random, w->cells));
    if (w->spot_count == 0 || chance(random, 75)) return cell;
    cell = w->spots[oracle_below(random, w->spot_count)];
    if (chance(random, 50)) return cell;
    const wend_cell near = {cell.x + oracle_below(random, 5) - 2, cell.y + oracle_below(random, 5) - 2, 0};
    return world_has(w, near) ? near : cell;
}

wend_cell world_pick(const world *w, oracle_random *random, int mover) {
    wend_cell cell = draw_cell(w, random);
    if (chance(random, 4)) return cell;
    for (int looks = 0; looks < 20 && world_factor(w, mover, cell) == 0; looks++) cell = draw_cell(w, random);
    return cell;
}

/* Mostly less than two chunks of 64 x 64; some along the rims of chunks, some across 1,024 cells. */
static void draw_size(oracle_random *random, int *across, int *down) {
    const int what = oracle_below(random, 100);
    int width = 2 + oracle_below(random, 100), height = 2 + oracle_below(random, 100);
    if (what < 25) width = 2 + oracle_below(random, 24), height = 2 + oracle_below(random, 24);
    if (what >= 55) width = 60 + oracle_below(random, 150), height = 20 + oracle_below(random, 190);
    if (what >= 90) width = 63 + oracle_below(random, 3), height = 126 + oracle_below(random, 5);
    if (what >= 96) width = 1020 + oracle_below(random, 40), height = 3 + oracle_below(random, 66);
    const bool turned = chance(random, 30);
    *across = turned ? height : width, *down = turned ? width : height;
}

/* Mostly the rules that fast engines need: 8 neighbours, and no corner cut. */
static void make_rules(world *w, oracle_random *random) {
    static const int pairs[][2] = {{1000, 1414}, {1000, 1414},      {10, 14}, {10, 14}, {5, 7},   {1, 1}, {10, 10},
                                   {1, 2},       {10, 20},          {2, 3},   {7, 10},  {12, 17}, {3, 5}, {99, 100},
                                   {100, 199},   {1000000, 1000000}};
    const int pair = oracle_below(random, (int)(sizeof pairs / sizeof *pairs));
    wend_map_rules_init(&w->rules, sizeof w->rules);
    w->rules.neighbours = chance(random, 90) ? 8 : chance(random, 50) ? 4 : 6;
    if (w->wrap && w->rules.neighbours == 6) w->rules.neighbours = 8; /* hexagons do not wrap */
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

static void make_patch(world *w, oracle_random *random, int radius) {
    const wend_cell centre = world_pick(w, random, 0);
    const int class = 2 + oracle_below(random, 4);
    add_spot(w, centre);
    for (int y = centre.y - radius; y <= centre.y + radius; y++)
        for (int x = centre.x - radius; x <= centre.x + radius; x++) {
            const int across = x - centre.x, down = y - centre.y;
            if (!world_has(w, (wend_cell){x, y, 0}) || across * across + down * down > radius * radius) continue;
            uint8_t *cell = &w->terrain[y * w->width + x];
            if (*cell) *cell = (uint8_t)class;
        }
}

static void make_slow(world *w, oracle_random *random) {
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

static void make_links(world *w, oracle_random *random) {
    const int most = chance(random, 60) ? 1 + oracle_below(random, 3) : 1 + oracle_below(random, WORLD_LINKS / 2);
    const int dear = chance(random, 50) ? 30 : 1 + oracle_below(random, 4), s = w->rules.cost_straight;
    for (int i = 0; i < most; i++) {
        const int64_t cost = 1 + (int64_t)oracle_below(random, dear * 100) * s / 100;
        wend_link link = {world_pick(w, random, 0), world_pick(w, random, 0), (int32_t)(cost < 1000000 ? cost : 999999),
                          0};
        link.movers = world_takers(link.cost);
        for (int both = oracle_below(random, 2); both >= 0; both--) {
            const bool known = world_find_link(w, link.from, link.to) < w->link_count;
            if (!known && world_put_link(w, NULL, link)) add_spot(w, link.from);
            const wend_cell from = link.from;
            link.from = link.to, link.to = from;
        }
    }
    note(w, "links", w->link_count);
}

static void close_step(world *w, wend_cell from, int d) {
    if (world_has(w, from)) world_set_step(w, NULL, from, world_step_number(world_dx[d], world_dy[d], 0), false);
}

/* Single steps anywhere; or thin walls and ledges: a line of cells that cannot be left, or entered, across it. */
static void make_closed(world *w, oracle_random *random) {
    if (chance(random, 40)) {
        const int often = chance(random, 50) ? 2 : 100;
        for (int i = 0; i < w->cells; i++)
            if (oracle_below(random, often * 10) == 0) close_step(w, world_cell(w, i), oracle_below(random, 8));
        note(w, "steps", -1);
        return;
    }
    for (int lines = 1 + oracle_below(random, 12); lines > 0; lines--) {
        const bool upright = oracle_below(random, 2), both = oracle_below(random, 2);
        const wend_cell at = world_pick(w, random, 0);
        for (int i = 1 + oracle_below(random, 30); i > 0; i--) {
            const wend_cell cell = {at.x + (upright ? 0 : i), at.y + (upright ? i : 0), 0};
            const int d = upright ? 1 : 2;
            close_step(w, cell, d);
            if (both) close_step(w, (wend_cell){cell.x + world_dx[d], cell.y + world_dy[d], 0}, (d + 2) & 3);
        }
        add_spot(w, at);
    }
    note(w, "walls", -1);
}

/* ---- movers and units ---- */

static void make_movers(world *w, oracle_random *random) {
    w->mover_count = chance(random, 60) ? 1 : 2 + oracle_below(random, WORLD_WIDE_MOVERS - 1);
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
    if (w->mover_count == 1 || w->cells % 3 == 0) return; /* without a draw: known seeds make the same worlds */
    world_make_avoiding(w);
    note(w, "avoiding", -1);
}

void world_occupy_few(world *w, wend_map *map, wend_cell cell) {
    if (w->occupants[world_number(w, cell)] <= 2) world_occupy(w, map, cell);
}

/* A closed ring of units round a cell. */
static void make_ring(world *w, oracle_random *random) {
    const wend_cell centre = world_pick(w, random, 0);
    const int radius = 1 + oracle_below(random, 6);
    for (int y = centre.y - radius; y <= centre.y + radius; y++)
        for (int x = centre.x - radius; x <= centre.x + radius; x++)
            if (world_has(w, (wend_cell){x, y, 0}) && (abs(x - centre.x) == radius || abs(y - centre.y) == radius))
                world_occupy_few(w, NULL, (wend_cell){x, y, 0});
    add_spot(w, centre);
    add_spot(w, centre);
}

static void make_units(world *w, oracle_random *random) {
    const int what = oracle_below(random, 4);
    int count = what == 0 ? 1 : what == 1 ? w->cells / 100 : w->cells / (4 + oracle_below(random, 60));
    for (; count >= 0; count--) {
        const wend_cell cell = world_pick(w, random, 0);
        if (count < 3) add_spot(w, cell);
        world_occupy_few(w, NULL, cell);
    }
    for (int rings = chance(random, 40) ? 1 + oracle_below(random, 3) : 0; rings > 0; rings--) make_ring(w, random);
    note(w, "units", -1);
}

/* On each side, by random numbers of their own: what else follows from a seed stays. */
static void add_rim_spots(world *w, oracle_random own) {
    own.state ^= UINT64_C(0x5bd1e9955bd1e995);
    for (int i = 0; i < 16; i++) {
        wend_cell cell = world_any_cell(w, &own);
        *(i % 2 ? &cell.x : &cell.y) = i & 2 ? (i % 2 ? w->width : w->height) - 1 : 0;
        if (w->spot_count == WORLD_SPOTS)
            w->spots[oracle_below(&own, WORLD_SPOTS)] = cell;
        else
            add_spot(w, cell);
    }
}

void world_fill_wide(world *w, oracle_random *random, int wrap) {
    int width, height;
    draw_size(random, &width, &height);
    world_fill_sized(w, random, width, height, wrap);
}

void world_fill_sized(world *w, oracle_random *random, int width, int height, int wrap) {
    static const int grounds[] = {WORLD_OPEN,  WORLD_NOISE, WORLD_DUST,  WORLD_WALLS,  WORLD_BOXES,
                                  WORLD_ROOMS, WORLD_MAZE,  WORLD_CAVES, WORLD_STRIPES};
    world_free(w);
    w->kind = WEND_KIND_GRID;
    world_resize(w, width, height, 1);
    snprintf(w->how, sizeof w->how, "%d x %d", w->width, w->height);
    if (w->width >= WEND_MIN_WRAPPED && w->height >= WEND_MIN_WRAPPED) w->wrap = wrap;
    if (w->wrap) note(w, "wrap", w->wrap);
    world_fill_ground(w, random, grounds[oracle_below(random, (int)(sizeof grounds / sizeof *grounds))]);
    note(w, world_grounds[w->ground], -1);
    make_rules(w, random);
    make_movers(w, random);
    world_derive(w);
    for (int i = 0; i < 8; i++) { /* across the border of a block, so that something lies there */
        const int at = 1022 + oracle_below(random, 4), along = oracle_below(random, 64);
        if (world_has(w, (wend_cell){at, along, 0})) add_spot(w, (wend_cell){at, along, 0});
        if (world_has(w, (wend_cell){along, at, 0})) add_spot(w, (wend_cell){along, at, 0});
    }
    w->even = chance(random, 25);
    if (!w->even && chance(random, 50)) make_slow(w, random);
    world_derive(w);
    if (!w->even && chance(random, 30)) make_links(w, random);
    if (!w->even && chance(random, 25)) make_closed(w, random);
    if (chance(random, 50)) make_units(w, random);
    for (int i = 0; i < 4; i++) {
        const int x = 63 + oracle_below(random, 3) - 1, y = 63 + oracle_below(random, 3) - 1;
        if (world_has(w, (wend_cell){x, y, 0})) add_spot(w, (wend_cell){x, y, 0});
    }
    if (w->wrap) add_rim_spots(w, *random);
    world_derive(w);
}
