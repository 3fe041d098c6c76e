/* SPDX-License-Identifier: MIT */
/* Generators of units, slow ground, links and goals. */
#include "harness.h"
#include "real_scenery.h"
#include <wend/units.h>

enum { LINK_COST = 3000, SLOW_CELL = 5, SLOWEST = 5 };

static void *room(size_t count, size_t size) {
    void *memory = calloc(count ? count : 1, size);
    need(memory != NULL, "out of memory");
    return memory;
}

void real_read(real_world *w, wend_map *map) {
    wend_map_info info = info_now(map);
    wend_map_rules rules = rules_now(map);
    const size_t cells = (size_t)info.cells;
    *w = (real_world){
        .ground = {info.width, info.height, rules.cost_straight, rules.cost_diagonal, NULL, NULL, NULL, 0}};
    w->ground.factors = room(cells, 1);
    w->ground.units = room(cells, 1);
    w->ground.links = room(512, sizeof *w->ground.links);
    w->terrain = room(cells, 1);
    w->taken = room(cells, 1);
    w->open = room(cells, sizeof *w->open);
    const wend_box all = {{0, 0, 0}, {info.width - 1, info.height - 1, 0}};
    need(wend_map_get_terrain_box(map, all, w->terrain, (size_t)info.width) == WEND_OK, "no terrain");
    for (size_t i = 0; i < cells; i++) {
        w->terrain[i] = rules.factors[w->terrain[i]] ? WEND_CLASS_OPEN : WEND_CLASS_BLOCKED;
        if (w->terrain[i]) w->open[w->open_count++] = (int)i;
    }
    memcpy(w->ground.factors, w->terrain, cells);
}

void real_free(real_world *w) {
    free(w->ground.factors);
    free(w->ground.units);
    free(w->ground.links);
    free(w->terrain);
    free(w->taken);
    free(w->open);
}

static int any_open(const real_world *w, uint64_t *state) {
    return w->open[bench_random(state, (uint32_t)w->open_count)];
}

static wend_cell cell_of(const real_world *w, int number) {
    return (wend_cell){number % w->ground.width, number / w->ground.width, 0};
}

/* Discs, until enough cells are slow. */
static void add_patches(real_world *w, int permille, uint64_t *state) {
    const int64_t wanted = (int64_t)w->open_count * permille / 1000;
    for (int64_t slow = 0; slow < wanted;) {
        const wend_cell at = cell_of(w, any_open(w, state));
        const int radius = 2 + (int)bench_random(state, 9);
        const uint8_t factor = (uint8_t)(2 + bench_random(state, SLOWEST - 1));
        for (int y = at.y - radius; y <= at.y + radius; y++)
            for (int x = at.x - radius; x <= at.x + radius; x++) {
                const int across = x - at.x, down = y - at.y;
                if (x < 0 || y < 0 || x >= w->ground.width || y >= w->ground.height) continue;
                uint8_t *cell = &w->ground.factors[y * w->ground.width + x];
                if (*cell == 0 || across * across + down * down > radius * radius) continue;
                slow += *cell == 1;
                *cell = factor;
            }
    }
}

static void add_link(real_world *w, int from, int to) {
    for (int i = 0; i < w->ground.link_count; i++) {
        const wend_link *link = &w->ground.links[i];
        if (link->from.y * w->ground.width + link->from.x == from && link->to.y * w->ground.width + link->to.x == to)
            return;
    }
    if (from != to)
        w->ground.links[w->ground.link_count++] = (wend_link){cell_of(w, from), cell_of(w, to), LINK_COST, 0};
}

void real_furnish(real_world *w, const real_row *row, uint64_t seed) {
    const size_t cells = (size_t)w->ground.width * (size_t)w->ground.height;
    uint64_t state = seed;
    memcpy(w->ground.factors, w->terrain, cells);
    memset(w->ground.units, 0, cells);
    w->ground.link_count = 0;
    for (int i = 0; i < row->units; i++) {
        const int cell = any_open(w, &state);
        if (!w->taken[cell]) w->ground.units[cell] = 1;
    }
    if (row->slow_permille < 0) w->ground.factors[any_open(w, &state)] = SLOW_CELL;
    if (row->slow_permille > 0) add_patches(w, row->slow_permille, &state);
    for (int i = 0; i < row->links; i++) {
        const int a = any_open(w, &state), b = any_open(w, &state);
        add_link(w, a, b);
        if (row->links > 1) add_link(w, b, a);
    }
}

void real_write(const real_world *w, wend_map *map) {
    const plain_ground *g = &w->ground;
    const wend_box all = {{0, 0, 0}, {g->width - 1, g->height - 1, 0}};
    wend_edit *edit = begin_edit(map);
    need(wend_edit_set_box(edit, all, g->factors, (size_t)g->width) == WEND_OK, "no terrain");
    for (int i = 0; i < g->link_count; i++)
        wend_edit_add_link(edit, &(wend_link){g->links[i].from, g->links[i].to, g->links[i].cost, 0});
    publish(edit);
    for (int i = 0; i < g->width * g->height; i++)
        if (g->units[i]) check(wend_map_occupy(map, cell_of(w, i)));
}

int real_goals(const real_world *w, const real_row *row, wend_cell start, wend_cell goal, uint64_t *state,
               wend_cell goals[PLAIN_GOALS]) {
    const int away = abs(goal.x - start.x) + abs(goal.y - start.y);
    int count = 1;
    goals[0] = goal;
    while (count < row->goals) {
        const wend_cell other = cell_of(w, any_open(w, state));
        const bool far = 2 * (abs(other.x - start.x) + abs(other.y - start.y)) >= away;
        if (far || bench_random(state, 64) == 0) goals[count++] = other;
    }
    return count;
}
