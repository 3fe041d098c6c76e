/* SPDX-License-Identifier: MIT */
#include "models/apart.h"
#include "models/defaults.h"

#include <stdio.h>
#include <stdlib.h>
#include <wend/agents.h>
#include <wend/query.h>

stand stand_of(const wend_map_info *map, wend_cell from, wend_cell cell, int32_t size) {
    return (stand){from, cell, size, map->kind == WEND_KIND_VOXEL ? size : 1};
}

/* Half cells, so that the middle of a step is a number; `around` cells of an axis that wraps, or 0. */
static bool overlap_along(int32_t a, int32_t a_size, int32_t b, int32_t b_size, int32_t around, int32_t slack) {
    for (int32_t turn = -around; turn <= around; turn += around ? around : 1) {
        const int32_t at = b + 2 * turn;
        const int32_t low = a > at ? a : at;
        const int32_t high = a + 2 * a_size < at + 2 * b_size ? a + 2 * a_size : at + 2 * b_size;
        if (high - low > slack) return true;
    }
    return false;
}

static int32_t round_x(const wend_map_info *map) {
    return map->wrap & WEND_WRAP_X ? map->width : 0;
}

static int32_t round_y(const wend_map_info *map) {
    return map->wrap & WEND_WRAP_Y ? map->height : 0;
}

static bool overlap_at(const wend_map_info *map, const stand *a, wend_cell at, const stand *b, wend_cell b_at,
                       int32_t slack) {
    return overlap_along(at.x, a->size, b_at.x, b->size, round_x(map), slack) &&
           overlap_along(at.y, a->size, b_at.y, b->size, round_y(map), slack) &&
           overlap_along(at.z, a->layers, b_at.z, b->layers, 0, slack);
}

static wend_cell doubled(wend_cell cell) {
    return (wend_cell){2 * cell.x, 2 * cell.y, 2 * cell.z};
}

bool stands_overlap(const wend_map_info *map, const stand *a, const stand *b) {
    return overlap_at(map, a, doubled(a->cell), b, doubled(b->cell), 0);
}

/* Returns the distance to a neighbour, over the rim too; 2: it is none. */
static int32_t step_along(int32_t from, int32_t to, int32_t around) {
    const int32_t by = to - from;
    if (around && abs(by) == around - 1) return by > 0 ? -1 : 1;
    return abs(by) > 1 ? 2 : by;
}

/* Computes the middle of a step in half cells. Returns false where it has none. */
static bool find_middle(const wend_map_info *map, const stand *s, wend_cell *out) {
    const int32_t x = step_along(s->from.x, s->cell.x, round_x(map)),
                  y = step_along(s->from.y, s->cell.y, round_y(map));
    const int32_t z = step_along(s->from.z, s->cell.z, 0);
    if ((!x && !y && !z) || x == 2 || y == 2 || z == 2 || map->kind == WEND_KIND_GRAPH) return false;
    *out = (wend_cell){2 * s->from.x + x, 2 * s->from.y + y, 2 * s->from.z + z};
    return true;
}

bool stands_cross(const wend_map_info *map, const stand *a, const stand *b) {
    wend_cell middle, other;
    return find_middle(map, a, &middle) && find_middle(map, b, &other) && overlap_at(map, a, middle, b, other, 1);
}

/* ---- a crowd ---- */

typedef struct walker {
    stand at;
    uint32_t index;
    bool body;
} walker;

static uint32_t read_walkers(const wend_map_info *info, wend_map *map, wend_crowd *crowd, const wend_crowd_view *view,
                             walker *out) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < view->count; i++) {
        wend_agent_state state = {.struct_bytes = sizeof state};
        wend_body_state body = {.struct_bytes = sizeof body};
        wend_mover mover = {.struct_bytes = sizeof mover};
        if (view->states[i] == WEND_AGENT_NONE || view->states[i] == WEND_AGENT_AWAY) continue;
        must_do(wend_crowd_get_agent(crowd, view->ids[i], &state), "wend_crowd_get_agent");
        if (state.ghost) continue;
        must_do(wend_map_get_mover(map, state.mover, &mover), "wend_map_get_mover");
        out[count++] = (walker){stand_of(info, state.from, state.cell, mover.size), i,
                                !wend_crowd_get_body(crowd, view->ids[i], &body)};
    }
    return count;
}

static int compare_by_x(const void *one, const void *other) {
    const walker *a = one, *b = other;
    if (a->at.cell.x != b->at.cell.x) return a->at.cell.x < b->at.cell.x ? -1 : 1;
    return a->index < b->index ? -1 : 1;
}

static const char *fault_of_two(const wend_map_info *info, const walker *a, const walker *b) {
    if (!(a->body && b->body) && stands_overlap(info, &a->at, &b->at)) return "share a cell";
    return !a->body && !b->body && stands_cross(info, &a->at, &b->at) ? "cross" : NULL;
}

const char *crowd_fault(wend_map *map, wend_crowd *crowd) {
    static char text[128];
    const wend_map_info info = info_now(map);
    wend_crowd_view view = {.struct_bytes = sizeof view};
    const char *fault = NULL;
    must_do(wend_crowd_get_view(crowd, &view), "wend_crowd_get_view");
    walker *all = malloc((view.count + 1) * sizeof *all);
    if (!all) abort();
    const uint32_t count = read_walkers(&info, map, crowd, &view, all);
    qsort(all, count, sizeof *all, compare_by_x);
    for (uint32_t i = 0; i < count && !fault; i++)
        for (uint32_t k = i + 1; k < count && !fault; k++) {
            const wend_cell at = all[k].at.cell;
            if (!round_x(&info) && at.x > all[i].at.cell.x + all[i].at.size + 1) break;
            fault = fault_of_two(&info, &all[i], &all[k]);
            if (fault)
                snprintf(text, sizeof text, "agents %u and %u %s at %d,%d,%d", all[i].index, all[k].index, fault, at.x,
                         at.y, at.z);
        }
    free(all);
    return fault ? text : NULL;
}
