/* SPDX-License-Identifier: MIT */
/* Even grids of many kinds and sizes: open and blocked cells alone. */
#include "models/worlds.h"

static void make_even(world *w, oracle_random *random) {
    int what = oracle_below(random, 40), width, height;
    if (what < 20)
        width = 1 + oracle_below(random, 40), height = 1 + oracle_below(random, 40);
    else if (what < 34)
        width = 40 + oracle_below(random, 70), height = 30 + oracle_below(random, 80);
    else if (what < 37)
        width = 100 + oracle_below(random, 93), height = 100 + oracle_below(random, 93);
    else
        width = 1025 + oracle_below(random, 140), height = 1 + oracle_below(random, 35);
    bool turned = oracle_below(random, 2);
    world_begin(w, WEND_KIND_GRID, turned ? height : width, turned ? width : height, 1);
}

void world_fill_even(world *w, oracle_random *random, const wend_map_rules *rules) {
    make_even(w, random);
    w->rules = *rules;
    if (w->rules.neighbours == 0) w->rules.neighbours = 8;
    world_fill_ground(w, random, 5 + oracle_below(random, WORLD_GROUNDS - 5));
    for (int i = 0, per_mille = oracle_below(random, 20); i < w->cells; i++)
        if (oracle_below(random, 1000) < per_mille) w->terrain[i] = 0;
}

void world_edit_even(world *w, oracle_random *random, wend_edit *edit) {
    wend_cell at = world_any_cell(w, random);
    if (oracle_below(random, 4) == 0) {
        wend_box box = {at, at};
        const int open = oracle_below(random, 2);
        box.max.x += oracle_below(random, 20), box.max.y += oracle_below(random, 20);
        world_set_box(w, edit, box, (uint8_t)open);
        return;
    }
    for (int count = 1 + oracle_below(random, 12); count > 0; count--) {
        at = world_cell_near(w, random, at);
        world_set_cell(w, edit, at, !w->terrain[world_number(w, at)]);
    }
}

static int within(int value, int size) {
    return value < 0 ? 0 : value >= size ? size - 1 : value;
}

wend_cell world_cell_near(const world *w, oracle_random *random, wend_cell near) {
    wend_cell cell = world_any_cell(w, random);
    int run = oracle_below(random, 200) - 100;
    switch (oracle_below(random, 8)) {
    case 0: cell = (wend_cell){near.x + oracle_below(random, 7) - 3, near.y + oracle_below(random, 7) - 3, 0}; break;
    case 1: cell.y = near.y; break;
    case 2: cell.x = near.x; break;
    case 3: cell = (wend_cell){near.x + run, near.y + run, 0}; break;
    case 4: cell = (wend_cell){near.x + run, near.y - run, 0}; break;
    case 5: /* next to where chunks meet */
        cell.x = (cell.x | 63) + oracle_below(random, 2);
        cell.y = (cell.y | 63) + oracle_below(random, 2);
        break;
    default: break;
    }
    return (wend_cell){within(cell.x, w->width), within(cell.y, w->height), 0};
}
