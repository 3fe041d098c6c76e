/* SPDX-License-Identifier: MIT */
/* Changes of a world, on the arrays and in a batch or on a map alike. */
#include "models/worlds.h"

#include <stdlib.h>
#include <wend/units.h>

void world_set_cell(world *w, wend_edit *edit, wend_cell cell, uint8_t class) {
    w->terrain[world_number(w, cell)] = class;
    if (edit) must_do(wend_edit_set_cell(edit, cell, class), "wend_edit_set_cell");
}

void world_set_box(world *w, wend_edit *edit, wend_box box, uint8_t class) {
    if (box.max.x >= w->width) box.max.x = w->width - 1;
    if (box.max.y >= w->height) box.max.y = w->height - 1;
    if (box.max.z >= w->depth) box.max.z = w->depth - 1;
    for (wend_cell c = box.min; c.z <= box.max.z; c.z++)
        for (c.y = box.min.y; c.y <= box.max.y; c.y++)
            for (c.x = box.min.x; c.x <= box.max.x; c.x++) w->terrain[world_number(w, c)] = class;
    if (edit) must_do(wend_edit_fill_box(edit, box, class), "wend_edit_fill_box");
}

/* Returns whether two cells are neighbours over the rim alone. */
static bool is_over_rim(const world *w, wend_cell a, wend_cell b) {
    const wend_cell way = world_apart(w, a, b);
    return way.x <= 1 && way.y <= 1 && (abs(a.x - b.x) > 1 || abs(a.y - b.y) > 1);
}

bool world_set_step(world *w, wend_edit *edit, wend_cell from, int step, bool open) {
    uint32_t *closed = &w->closed[world_number(w, from)];
    wend_cell to;
    if (w->kind == WEND_KIND_GRAPH || !world_neighbour(w, from, step, &to) || is_over_rim(w, from, to)) return false;
    *closed = (*closed & ~(UINT32_C(1) << step)) | (open ? 0 : UINT32_C(1) << step);
    if (edit) must_do(wend_edit_set_step(edit, from, to, open), "wend_edit_set_step");
    return true;
}

int world_find_link(const world *w, wend_cell from, wend_cell to) {
    int i = 0;
    while (i < w->link_count && !(same_cell(w->links[i].from, from) && same_cell(w->links[i].to, to))) i++;
    return i;
}

bool world_put_link(world *w, wend_edit *edit, wend_link link) {
    const int i = world_find_link(w, link.from, link.to);
    if (same_cell(link.from, link.to) || i == WORLD_LINKS) return false;
    if (w->wrap && is_over_rim(w, link.from, link.to)) return false;
    w->links[i] = link;
    w->link_count += i == w->link_count;
    if (edit) must_do(wend_edit_add_link(edit, &link), "wend_edit_add_link");
    return true;
}

void world_drop_link(world *w, wend_edit *edit, int i) {
    if (edit) must_do(wend_edit_remove_link(edit, w->links[i].from, w->links[i].to), "wend_edit_remove_link");
    w->links[i] = w->links[--w->link_count];
}

void world_occupy(world *w, wend_map *map, wend_cell cell) {
    w->occupants[world_number(w, cell)]++;
    if (map) must_do(wend_map_occupy(map, cell), "wend_map_occupy");
}

void world_vacate(world *w, wend_map *map, wend_cell cell) {
    w->occupants[world_number(w, cell)]--;
    if (map) must_do(wend_map_vacate(map, cell), "wend_map_vacate");
}
