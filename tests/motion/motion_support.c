/* SPDX-License-Identifier: MIT */
/* Small maps from text, and random paths through random worlds. */
#include "motion/motion_support.h"

#include <criterion/criterion.h>
#include <string.h>

wend_map *open_map(int32_t width, int32_t height) {
    wend_map_def def = default_map();
    def.kind = WEND_KIND_GRID, def.width = width, def.height = height;
    return made_map(&def);
}

void set_cell(wend_map *map, wend_cell cell, uint8_t class) {
    cr_assert_eq(wend_map_set_cell(map, cell, class, NULL), WEND_OK);
}

wend_map *text_map(const char *const *rows, int32_t count) {
    wend_map *map = open_map((int32_t)strlen(rows[0]), count);
    wend_edit *edit = begin_edit(map);
    for (int32_t y = 0; y < count; y++)
        for (int32_t x = 0; rows[y][x]; x++) {
            char c = rows[y][x];
            uint8_t class = c == '#' ? 0 : c == '.' ? 1 : (uint8_t)(c - '0');
            cr_assert_eq(wend_edit_set_cell(edit, cell_of(x, y), class), WEND_OK);
        }
    cr_assert_eq(wend_edit_publish(edit, NULL), WEND_OK);
    return map;
}

static wend_request plain_request(int32_t mover) {
    wend_request request = default_request();
    request.mover = mover;
    return request;
}

uint64_t model_step_cost(const world *w, int32_t mover, wend_cell a, wend_cell b) {
    wend_request request = plain_request(mover);
    return world_step(w, &request, a, b);
}

uint64_t model_straight(const world *w) {
    return w->kind == WEND_KIND_GRAPH ? 1000 : (uint64_t)w->rules.cost_straight;
}

/* Tries steps straight on first, so that paths get far. */
static bool next_cell(const world *w, oracle_random *random, int32_t mover, const wend_cell *cells, size_t count,
                      wend_cell *out) {
    wend_cell here = cells[count - 1];
    for (int i = 0; i < w->link_count; i++) {
        *out = w->links[i].to;
        if (memcmp(&w->links[i].from, &here, sizeof here) == 0 && oracle_below(random, 2) &&
            model_step_cost(w, mover, here, *out) != UINT64_MAX)
            return true;
    }
    if (w->kind == WEND_KIND_GRAPH) {
        int at = oracle_below(random, w->edge_count + 1);
        for (int i = 0; i < w->edge_count; i++) {
            const wend_edge *edge = &w->edges[(at + i) % w->edge_count];
            *out = (wend_cell){(int32_t)edge->to, 0, 0};
            if ((int32_t)edge->from == here.x && model_step_cost(w, mover, here, *out) != UINT64_MAX) return true;
        }
        return false;
    }
    wend_cell before = cells[count > 1 ? count - 2 : 0];
    *out = (wend_cell){2 * here.x - before.x, 2 * here.y - before.y, 2 * here.z - before.z};
    if (count > 1 && oracle_below(random, 4) && world_factor(w, mover, *out) > 0 &&
        model_step_cost(w, mover, here, *out) != UINT64_MAX)
        return true;
    int first = oracle_below(random, 27);
    for (int i = 0; i < 27; i++)
        if (world_neighbour(w, here, (first + i) % 27, out) && model_step_cost(w, mover, here, *out) != UINT64_MAX)
            return true;
    return false;
}

size_t random_path(const world *w, oracle_random *random, int32_t mover, wend_cell *cells) {
    size_t count = 1, wanted = 1 + (size_t)oracle_below(random, PATH_CELLS);
    int tries = 0;
    do cells[0] = world_cell(w, oracle_below(random, w->cells));
    while (world_factor(w, mover, cells[0]) == 0 && ++tries < 1000);
    if (world_factor(w, mover, cells[0]) == 0) return 0;
    while (count < wanted && next_cell(w, random, mover, cells, count, &cells[count])) count++;
    return count;
}
