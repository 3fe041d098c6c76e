/* SPDX-License-Identifier: MIT */
/* Random paths pulled straight, each piece checked by geometry: none is more expensive, none leads through a wall or a
 * unit, and all lead back to cells. */
#include "models/few_or_many.h"
#include "models/line_model.h"
#include "models/options.h"
#include "motion/motion_support.h"
#include "motion/unpull.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <wend/geometry.h>

enum { CASES_A_WORLD = 200, LINE_CELLS = 4 * PATH_CELLS };

typedef struct example {
    const world *w;
    const wend_map *map;
    int32_t mover;
    bool units, even; ///< whether all cells that the mover enters have factor 1
    wend_cell cells[PATH_CELLS];
    size_t count;
    wend_turn turns[PATH_CELLS];
    size_t turn_count;
} example;

static bool adjacent(wend_cell a, wend_cell b) {
    return abs(a.x - b.x) <= 1 && abs(a.y - b.y) <= 1 && abs(a.z - b.z) <= 1;
}

static bool is_link(const world *w, int mover, wend_cell a, wend_cell b) {
    for (int i = 0; i < w->link_count; i++)
        if (same_cell(w->links[i].from, a) && same_cell(w->links[i].to, b))
            return world_takes(w->movers, mover, &w->links[i]);
    return false;
}

/* A link, or a step of a walker to another level: no line. */
static bool is_leap(const example *e, wend_cell a, wend_cell b) {
    return is_link(e->w, e->mover, a, b) || (e->w->movers[e->mover].walker && a.z != b.z);
}

/* The price of a way along turns or cells. A leap, which both have, counts as 1. */
static double price_of(const example *e, bool pulled) {
    double sum = 0;
    for (size_t i = 1; i < (pulled ? e->turn_count : e->count); i++) {
        wend_cell a = pulled ? e->turns[i - 1].cell : e->cells[i - 1], b = pulled ? e->turns[i].cell : e->cells[i];
        sum += is_leap(e, a, b) ? 1 : line_price(e->w, e->mover, a, b);
    }
    return sum;
}

static bool is_even(const world *w, int32_t mover) {
    for (int i = 0; i < w->cells; i++)
        if (world_factor(w, mover, world_cell(w, i)) > 1) return false;
    return true;
}

static bool on_path(const example *e, wend_cell c) {
    for (size_t i = 0; i < e->count; i++)
        if (same_cell(e->cells[i], c)) return true;
    return false;
}

/* Returns whether a line meets a unit, except units that the mover covers at the start, or with `path` such that are on
 * the path itself. */
static bool meets_unit(const example *e, wend_cell a, wend_cell b, bool path) {
    line_part parts[WORLD_CELLS];
    int64_t whole;
    int count = line_parts(e->w, a, b, parts, &whole);
    wend_request request = default_request();
    request.mover = e->mover, request.start = e->cells[0];
    options_of(&request)->occupied = WEND_OCCUPIED_BLOCK;
    for (int i = 1; i < count; i++)
        if (!world_enters(e->w, &request, parts[i].cell) && !(path && on_path(e, parts[i].cell))) return true;
    return false;
}

/* Returns whether the line would lead past turn i, to the next one, and not be more expensive. Prices on slow ground
 * are rounded, so what is hardly cheaper there counts as equal. */
static bool is_needless(const example *e, size_t i) {
    const wend_cell a = e->turns[i - 1].cell, p = e->turns[i].cell, b = e->turns[i + 1].cell;
    if (is_leap(e, a, p) || is_leap(e, p, b) || (e->w->movers[e->mover].walker && a.z != b.z)) return false;
    if (!world_factor(e->w, e->mover, a)) return false; /* a blocked start sees nothing */
    if (!line_walkable(e->w, e->mover, a, b) || (e->units && meets_unit(e, a, b, false))) return false;
    const double with = line_price(e->w, e->mover, a, p) + line_price(e->w, e->mover, p, b);
    return line_price(e->w, e->mover, a, b) < with + (e->even ? 1e-9 : -1e-3);
}

static void check_line(const example *e) {
    cr_assert(e->turn_count <= e->count);
    cr_assert(same_cell(e->turns[0].cell, e->cells[0]) && e->turns[0].index == 0);
    wend_turn last = e->turns[e->turn_count - 1];
    cr_assert(same_cell(last.cell, e->cells[e->count - 1]) && last.index == e->count - 1);
    for (size_t i = 1; i < e->turn_count; i++) {
        wend_turn a = e->turns[i - 1], b = e->turns[i];
        cr_assert(a.index <= b.index);
        if (is_leap(e, a.cell, b.cell)) continue;
        cr_assert(line_walkable(e->w, e->mover, a.cell, b.cell), "through a wall");
        if (e->units) cr_assert_not(meets_unit(e, a.cell, b.cell, true), "through a unit");
    }
    for (size_t i = 1; i + 1 < e->turn_count; i++)
        cr_assert_not(is_needless(e, i), "turn %zu of %zu", i, e->turn_count);
    double before = price_of(e, false), after = price_of(e, true);
    cr_assert(after <= before * (1 + 1e-12), "%.12f instead of %.12f", after, before);
}

static void check_cells(const example *e) {
    static wend_cell cells[LINE_CELLS];
    size_t count;
    cr_assert(unpull(e->map, e->mover, e->turns, e->turn_count, cells, LINE_CELLS, &count));
    cr_assert(count <= LINE_CELLS && count > 0);
    cr_assert(same_cell(cells[0], e->cells[0]) && same_cell(cells[count - 1], e->cells[e->count - 1]));
    for (size_t i = 1; i < count; i++)
        cr_assert_neq(model_step_cost(e->w, e->mover, cells[i - 1], cells[i]), UINT64_MAX,
                      "%d,%d,%d to %d,%d,%d of mover %d", cells[i - 1].x, cells[i - 1].y, cells[i - 1].z, cells[i].x,
                      cells[i].y, cells[i].z, (int)e->mover);
}

/* Makes a cheapest path, or a wandering one. */
static void make_path(example *e, wend_map *map, wend_search *search, oracle_random *random) {
    wend_cell goals[WORLD_GOALS];
    wend_request request = world_request(e->w, random, false, goals);
    request.map = map;
    e->mover = request.mover, e->count = 0;
    if (oracle_below(random, 3)) {
        if (e->units) options_of(&request)->occupied = WEND_OCCUPIED_BLOCK;
        cr_assert_eq(wend_search_begin(search, &request), WEND_OK);
        while (wend_search_step(search, 100000, NULL) == WEND_STATUS_PENDING) {
        }
        wend_completion result = result_now(search);
        if (result.status == WEND_STATUS_FOUND && result.cell_count <= PATH_CELLS)
            cr_assert_eq(wend_search_get_path(search, e->cells, PATH_CELLS, &e->count), WEND_OK);
    }
    if (e->count == 0) e->count = random_path(e->w, random, e->mover, e->cells);
    if (e->count > 60 && oracle_below(random, 4)) e->count = 60; /* mostly short ones */
}

/* A link between neighbours is no step that a line could take. */
static void drop_short_links(world *w) {
    int kept = 0;
    for (int i = 0; i < w->link_count; i++)
        if (!adjacent(w->links[i].from, w->links[i].to)) w->links[kept++] = w->links[i];
    w->link_count = kept;
}

Test(pull_random, is_never_dearer_and_never_through_a_wall) {
    static world w;
    static example e;
    oracle_random random = {2016};
    const int cases = few_or_many(10000, 100000);
    int pulled = 0, shorter = 0;
    wend_search_def def = default_search();
    OWNED_SEARCH *search = made_search(&def);
    for (int i = 0; i < cases; i++) {
        static wend_map *map;
        if (i % CASES_A_WORLD == 0) {
            int k = i / CASES_A_WORLD;
            world_options options = {
                k % 3 ? WEND_KIND_GRID : WEND_KIND_VOXEL, k % 2, k / 2 % 2, k / 4 % 2, k / 8 % 2, true};
            if (map) wend_map_release(map);
            do world_fill(&w, &random, &options);
            while (w.kind == WEND_KIND_GRID && w.rules.neighbours == 6); /* hexagons have no lines */
            drop_short_links(&w);
            map = world_map(&w);
        }
        e.w = &w, e.map = map, e.units = i % 2;
        make_path(&e, map, search, &random);
        if (e.count == 0) continue;
        e.even = is_even(&w, e.mover);
        wend_pull_def pull;
        wend_pull_def_init(&pull, sizeof pull);
        pull.mover = e.mover, pull.units = e.units;
        cr_assert_eq(wend_path_pull(map, &pull, e.cells, e.count, e.turns, PATH_CELLS, &e.turn_count), WEND_OK);
        check_line(&e);
        check_cells(&e);
        pulled++;
        shorter += e.turn_count + 2 < e.count;
    }
    cr_assert(pulled > cases * 9 / 10 && shorter > cases / 3, "%d pulled, %d shorter", pulled, shorter);
}
