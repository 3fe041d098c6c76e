/* SPDX-License-Identifier: MIT */
/* Two floors above each other with stairs, cut at random into sheets; their costs by Dijkstra's algorithm on the
 * floors, without sheets. */
#ifndef WEND_TESTS_MODELS_FLOORS_H
#define WEND_TESTS_MODELS_FLOORS_H

#include "models/defaults.h"
#include "models/random.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>
#include <wend/ways.h>

enum {
    FLOORS = 2,
    FLOOR_WIDTH = 50,
    FLOOR_HEIGHT = 36,
    FLOOR_CELLS = FLOOR_WIDTH * FLOOR_HEIGHT,
    FLOORS_CELLS = FLOORS * FLOOR_CELLS,
    FLOORS_SHEETS = 4, ///< two a floor, each in a box of 64 x 64 cells
    FLOORS_SIDE = 64,
    FLOORS_LINKS = 8
};

typedef struct floors {
    int32_t corners, neighbours;
    uint8_t classes[FLOORS_CELLS];
    uint8_t sheets[FLOORS_CELLS];
    int32_t next[FLOORS_CELLS][4]; ///< north, east, south, west; -1: none
    int32_t tolls[FLOORS_CELLS];   ///< additional cost of a step into a cell, 0 to 50; -1: it cannot be entered
    struct {
        int32_t from, to, cost;
        uint32_t movers; ///< as in wend_link
    } links[FLOORS_LINKS];
    int32_t link_count; ///< 0 after floors_draw()
} floors;

static const int32_t floors_dx[4] = {0, 1, 0, -1}, floors_dy[4] = {-1, 0, 1, 0};

/* A mover for which class 2 is blocked and class 3 costs 5. */
static inline int64_t floors_factor(const floors *f, int32_t mover, int32_t cell) {
    const uint8_t class = f->classes[cell];
    return mover == 0 ? class : class == 2 ? 0 : class == 3 ? 5 : class;
}

static inline int32_t floors_x(int32_t cell) {
    return cell % FLOOR_CELLS % FLOOR_WIDTH;
}

static inline int32_t floors_y(int32_t cell) {
    return cell % FLOOR_CELLS / FLOOR_WIDTH;
}

static inline wend_cell floors_cell(const floors *f, int32_t cell) {
    return (wend_cell){f->sheets[cell] * FLOORS_SIDE + floors_x(cell), floors_y(cell), 0};
}

/* The cell between north and east (k = 0), and so on: both ways round the corner meet there. */
static inline int32_t floors_diagonal(const floors *f, int32_t cell, int k) {
    const int32_t a = f->next[cell][k], b = f->next[cell][(k + 1) % 4];
    if (a < 0 || b < 0) return -1;
    const int32_t end = f->next[a][(k + 1) % 4];
    return end >= 0 && end == f->next[b][k] ? end : -1;
}

static inline int64_t floors_diagonal_cost(const floors *f, int32_t mover, int32_t cell, int k) {
    const int32_t to = floors_diagonal(f, cell, k);
    if (to < 0 || f->neighbours == 4) return 0;
    const int open =
        (floors_factor(f, mover, f->next[cell][k]) > 0) + (floors_factor(f, mover, f->next[cell][(k + 1) % 4]) > 0);
    const int least = f->corners == WEND_CORNERS_NEVER ? 2 : f->corners == WEND_CORNERS_ONE;
    return open >= least ? 14 * floors_factor(f, mover, to) : 0;
}

/* The second mover is like the first. */
static inline bool floors_takes(const floors *f, int32_t link, int32_t mover) {
    const uint32_t movers = f->links[link].movers;
    return !movers || (movers & (mover == 0 ? 1u : 3u));
}

/* Dijkstra's algorithm with a queue of costs below 128. */
static inline void floors_measure(const floors *f, int32_t mover, int32_t start, bool backwards, int64_t *out) {
    enum { COSTS = 128, ROOM = FLOORS_CELLS * 8 };
    static int32_t queue[COSTS][ROOM];
    static int32_t counts[COSTS];
    memset(counts, 0, sizeof counts);
    for (int32_t i = 0; i < FLOORS_CELLS; i++) out[i] = -1;
    queue[0][counts[0]++] = start;
    int64_t left = 1;
    out[start] = 0;
    for (int64_t g = 0; left > 0; g++)
        for (; counts[g % COSTS] > 0;) {
            const int32_t at = queue[g % COSTS][--counts[g % COSTS]];
            left--;
            if (out[at] != g) continue;
            for (int k = 0; k < 8 + f->link_count; k++) {
                const int32_t i = k - 8; /* a link */
                int32_t to = k < 4 ? f->next[at][k] : k < 8 ? floors_diagonal(f, at, k - 4) : -1;
                if (i >= 0 && f->links[i].cost > 0 && floors_takes(f, i, mover) &&
                    at == (backwards ? f->links[i].to : f->links[i].from))
                    to = backwards ? f->links[i].from : f->links[i].to;
                if (to < 0) continue;
                const int32_t from = backwards ? to : at, end = backwards ? at : to;
                int64_t cost = 10 * floors_factor(f, mover, end);
                if (i >= 0 && cost > 0) cost = f->links[i].cost;
                /* the way back from a diagonal's end goes two quarters on */
                if (k >= 4 && i < 0) cost = floors_diagonal_cost(f, mover, from, backwards ? (k - 2) % 4 : k - 4);
                if (cost == 0 || !floors_factor(f, mover, from) || f->tolls[end] < 0) continue;
                cost += f->tolls[end];
                if (out[to] >= 0 && out[to] <= g + cost) continue;
                out[to] = g + cost;
                queue[(g + cost) % COSTS][counts[(g + cost) % COSTS]++] = to;
                left++;
            }
        }
}

/* ---- within reach ---- */

static inline bool floors_near(int32_t a, int32_t b, int32_t reach) {
    return abs(floors_x(a) - floors_x(b)) <= reach && abs(floors_y(a) - floors_y(b)) <= reach;
}

/* Finds the cells within reach of a goal, as in S37, sheet by sheet until no other joins. */
static inline void floors_find_within(const floors *f, int32_t goal, int32_t reach, bool *within) {
    bool joined[FLOORS_SHEETS] = {false};
    joined[f->sheets[goal]] = true;
    for (bool more = true; more;) {
        more = false;
        for (int32_t i = 0; i < FLOORS_CELLS; i++)
            for (int k = 0; k < 8 && floors_near(i, goal, reach) && !joined[f->sheets[i]]; k++) {
                const int32_t to = k < 4 ? f->next[i][k] : floors_diagonal(f, i, k - 4);
                if (to < 0 || !joined[f->sheets[to]] || !floors_near(to, goal, reach)) continue;
                joined[f->sheets[i]] = more = true;
            }
    }
    for (int32_t i = 0; i < FLOORS_CELLS; i++) within[i] = joined[f->sheets[i]] && floors_near(i, goal, reach);
}

/* ---- drawing one ---- */

static inline uint8_t floors_draw_class(uint64_t *seed, uint32_t blocked) {
    if (draw(seed, 100) < blocked) return 0;
    return draw(seed, 6) ? 1 : (uint8_t)(2 + draw(seed, 2));
}

static inline void floors_draw(floors *f, uint64_t *seed, bool even) {
    const uint32_t blocked = 5 + draw(seed, 30);
    memset(f->tolls, 0, sizeof f->tolls);
    f->link_count = 0;
    for (int32_t i = 0; i < FLOORS_CELLS; i++) {
        const int32_t x = floors_x(i), y = floors_y(i), floor = i / FLOOR_CELLS;
        f->classes[i] = floors_draw_class(seed, blocked);
        if (even && f->classes[i] > 1) f->classes[i] = 1;
        const int32_t cut = 25 + (y * 7 + floor * 11) % 13 - 6;
        f->sheets[i] = (uint8_t)(2 * floor + ((x > cut) != (draw(seed, 60) == 0)));
        for (int k = 0; k < 4; k++) {
            const int32_t to_x = x + floors_dx[k], to_y = y + floors_dy[k];
            const bool on = to_x >= 0 && to_y >= 0 && to_x < FLOOR_WIDTH && to_y < FLOOR_HEIGHT;
            f->next[i][k] = on ? floor * FLOOR_CELLS + to_y * FLOOR_WIDTH + to_x : -1;
        }
    }
    f->neighbours = 8, f->corners = WEND_CORNERS_NEVER;
    for (int i = 0; i < 12; i++) { /* stairs, some three cells wide */
        const int32_t x = 1 + (int32_t)draw(seed, FLOOR_WIDTH - 3), y = (int32_t)draw(seed, FLOOR_HEIGHT - 3);
        for (int32_t wide = 0; wide < 1 + 2 * (i % 2); wide++) {
            const int32_t low = (y + wide) * FLOOR_WIDTH + x, high = FLOOR_CELLS + low;
            if (f->next[low][1] != low + 1 || f->next[high][1] != high + 1) continue;
            f->next[low][1] = high + 1, f->next[high + 1][3] = low;
            f->next[low + 1][3] = -1, f->next[high][1] = -1;
        }
    }
}

/* Without stairs. */
static inline void floors_join_plane(floors *f) {
    for (int32_t i = 0; i < FLOORS_CELLS; i++)
        for (int k = 0; k < 4; k++) {
            const int32_t x = floors_x(i) + floors_dx[k], y = floors_y(i) + floors_dy[k];
            const bool on = x >= 0 && y >= 0 && x < FLOOR_WIDTH && y < FLOOR_HEIGHT;
            f->next[i][k] = on ? i + floors_dx[k] + floors_dy[k] * FLOOR_WIDTH : -1;
        }
}

/* ---- the map ---- */

static inline void floors_close(const floors *f, wend_edit *edit, int32_t cell, int k) {
    const int32_t x = floors_x(cell) + floors_dx[k], y = floors_y(cell) + floors_dy[k];
    if (x < 0 || y < 0 || x >= FLOOR_WIDTH || y >= FLOOR_HEIGHT) return;
    const int32_t beside = cell / FLOOR_CELLS * FLOOR_CELLS + y * FLOOR_WIDTH + x;
    if (f->next[cell][k] == beside || f->sheets[beside] != f->sheets[cell]) return;
    cr_assert_eq(wend_edit_set_step(edit, floors_cell(f, cell), floors_cell(f, beside), false), WEND_OK);
}

static inline void floors_join(const floors *f, wend_edit *edit, int32_t cell) {
    for (int k = 0; k < 4; k++) {
        const int32_t to = f->next[cell][k], end = floors_diagonal(f, cell, k);
        floors_close(f, edit, cell, k);
        if (to >= 0 && f->sheets[to] != f->sheets[cell])
            cr_assert_eq(
                wend_edit_add_link(edit, &(wend_link){floors_cell(f, cell), floors_cell(f, to), WEND_LINK_SEAM, 0}),
                WEND_OK);
        if (end < 0) continue;
        const uint8_t own = f->sheets[cell];
        if (f->sheets[end] == own && f->sheets[to] == own && f->sheets[f->next[cell][(k + 1) % 4]] == own) continue;
        cr_assert_eq(
            wend_edit_add_link(edit, &(wend_link){floors_cell(f, cell), floors_cell(f, end), WEND_LINK_SEAM, 0}),
            WEND_OK);
    }
}

/* Where sheet i lies. */
static inline wend_sheet floors_sheet(int32_t i) {
    const wend_cell low = {i * FLOORS_SIDE, 0, 0};
    return (wend_sheet){{low, {low.x + FLOORS_SIDE - 1, FLOORS_SIDE - 1, 0}}, {0, 0, 0}};
}

/* Without the second mover. */
static inline wend_map *floors_plain_map(const floors *f) {
    wend_map_def def = default_map();
    wend_sheet sheets[FLOORS_SHEETS];
    wend_map *map;
    wend_map_rules rules;
    wend_map_rules_init(&rules, sizeof rules);
    rules.corners = f->corners, rules.neighbours = f->neighbours;
    for (int32_t i = 0; i < FLOORS_SHEETS; i++) sheets[i] = floors_sheet(i);
    def.width = FLOORS_SHEETS * FLOORS_SIDE, def.height = FLOORS_SIDE;
    def.sheets = sheets, def.sheet_count = FLOORS_SHEETS, def.rules = &rules;
    cr_assert_eq(wend_map_create(&def, &map), WEND_OK, "%s", wend_error_detail(wend_map_create(&def, &map)));
    wend_edit *edit = begin_edit(map);
    cr_assert_eq(wend_edit_fill_box(edit, (wend_box){{0, 0, 0}, {def.width - 1, def.height - 1, 0}}, 0), WEND_OK);
    for (int32_t i = 0; i < FLOORS_CELLS; i++)
        cr_assert_eq(wend_edit_set_cell(edit, floors_cell(f, i), f->classes[i]), WEND_OK);
    for (int32_t i = 0; i < FLOORS_CELLS; i++) floors_join(f, edit, i);
    cr_assert_eq(wend_edit_publish(edit, NULL), WEND_OK);
    return map;
}

/* The mover of number 1: see floors_factor(). */
static inline void floors_add_mover(wend_map *map) {
    wend_map_rules rules;
    wend_map_rules_init(&rules, sizeof rules);
    wend_mover mover = {.struct_bytes = sizeof mover, .size = 1};
    memcpy(mover.factors, rules.factors, sizeof mover.factors);
    mover.factors[2] = 0, mover.factors[3] = 5;
    int32_t id;
    cr_assert_eq(wend_map_add_mover(map, &mover, &id), WEND_OK);
    cr_assert_eq(id, 1);
}

static inline wend_map *floors_map(const floors *f) {
    wend_map *map = floors_plain_map(f);
    floors_add_mover(map);
    return map;
}

/* A link gets another cost, and others movers; or it goes. Links lead further than to a neighbour. */
static inline void floors_edit_link(floors *f, wend_map *map, uint64_t *seed) {
    const int32_t i = f->link_count < FLOORS_LINKS ? f->link_count : (int32_t)draw(seed, FLOORS_LINKS);
    if (f->link_count < FLOORS_LINKS) {
        do f->links[i].from = (int32_t)draw(seed, FLOORS_CELLS), f->links[i].to = (int32_t)draw(seed, FLOORS_CELLS);
        while (abs(floors_x(f->links[i].from) - floors_x(f->links[i].to)) < 2);
        for (int32_t k = 0; k < f->link_count; k++)
            if (f->links[k].from == f->links[i].from && f->links[k].to == f->links[i].to) return;
        f->link_count++;
    }
    const wend_cell from = floors_cell(f, f->links[i].from), to = floors_cell(f, f->links[i].to);
    f->links[i].cost = draw(seed, 5) ? 1 + (int32_t)draw(seed, 100) : 0, f->links[i].movers = draw(seed, 4);
    wend_edit *edit = begin_edit(map);
    if (f->links[i].cost > 0)
        cr_assert_eq(wend_edit_add_link(edit, &(wend_link){from, to, f->links[i].cost, f->links[i].movers}), WEND_OK);
    else
        wend_edit_remove_link(edit, from, to);
    cr_assert_eq(wend_edit_publish(edit, NULL), WEND_OK);
}

/* Other classes for some cells, most of them near one another. */
static inline void floors_edit(floors *f, wend_map *map, uint64_t *seed, bool even) {
    wend_edit *edit = begin_edit(map);
    const int32_t near = (int32_t)draw(seed, FLOORS_CELLS);
    for (int i = 0; i < 40; i++) {
        const int32_t cell =
            i < 10 ? (int32_t)draw(seed, FLOORS_CELLS)
                   : (near + (int32_t)draw(seed, 6) + FLOOR_WIDTH * (int32_t)draw(seed, 6)) % FLOORS_CELLS;
        f->classes[cell] = floors_draw_class(seed, 30);
        if (even && f->classes[cell] > 1) f->classes[cell] = 1;
        cr_assert_eq(wend_edit_set_cell(edit, floors_cell(f, cell), f->classes[cell]), WEND_OK);
    }
    cr_assert_eq(wend_edit_publish(edit, NULL), WEND_OK);
}

#endif
