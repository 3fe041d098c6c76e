/* SPDX-License-Identifier: MIT */
/* The cost of a step: factor of the entered cell, times the step's cost under the rules; or of an edge, or a link. And
 * the length of a path that can be walked. */
#include "map/ground/ground.h"
#include "map/kinds/graph.h"
#include "map/kinds/voxels.h"
#include "map/kinds/walkers.h"
#include "map/movers/views.h"
#include "map/query/step_cost.h"
#include "map/store/directions.h"

/* ---- a single step onto a cell of factor 1; UINT64_MAX: there is none ---- */

static uint64_t space_step(const wend__version *view, wend_cell a, wend_cell b) {
    int32_t d = wend__space_direction(b.x - a.x, b.y - a.y, b.z - a.z);
    if (wend__is_walker(view) && a.z != b.z && (a.x != b.x || a.y != b.y)) return wend__level_step_cost(view, a, b);
    if (d < 0 || !(wend__voxel_steps(view, a) >> d & 1)) return UINT64_MAX;
    if (d < WEND__SPACE_FLAT) return (uint64_t)view->rules.cost_straight;
    return (uint64_t)(d < WEND__SPACE_SPACE ? view->rules.cost_diagonal : view->rules.cost_space);
}

/* Arcs are sorted by their ends, the cheapest of parallel ones first. */
static uint64_t arc_step(const wend__graph *graph, wend_cell a, wend_cell b) {
    const uint32_t cost = wend__graph_cost(graph, (uint32_t)a.x, (uint32_t)b.x);
    return cost > 0 ? cost : UINT64_MAX;
}

static uint64_t view_step(const wend__version *view, wend_cell a, wend_cell b) {
    if (view->kind == WEND_KIND_GRID) return wend__plain_step_cost(view, a, b);
    if (view->kind == WEND_KIND_VOXEL) return space_step(view, a, b);
    return arc_step(view->graph, a, b);
}

/* Returns the cheaper of a step of that cost and a link, if there is one. */
static uint64_t or_link(const wend__version *view, const wend__version *version, wend_cell a, wend_cell b,
                        uint64_t cost) {
    const wend__link *link =
        wend__links_find(version->links, wend__cell_number(version, a), wend__cell_number(version, b));
    const uint32_t by_link = link ? wend__link_cost(view, link) : 0;
    return by_link && by_link < cost ? by_link : cost;
}

/* `view` is the mover's view of the version. */
static uint64_t step_cost(const wend__version *view, const wend__version *version, wend_cell a, wend_cell b) {
    if (wend__has_plain_steps(view, version)) return wend__plain_step_cost(view, a, b);
    uint8_t factor = wend__cell_factor(view, b);
    if (!factor) return UINT64_MAX;
    uint64_t cost = view_step(view, a, b);
    if (cost != UINT64_MAX) cost *= factor;
    return version->links ? or_link(view, version, a, b, cost) : cost;
}

uint64_t wend__step_cost(const wend__version *version, int32_t mover, wend_cell a, wend_cell b) {
    return step_cost(wend__version_view(version, mover), version, a, b);
}

bool wend__step_is_leap(const wend__version *version, int32_t mover, wend_cell a, wend_cell b) {
    const uint32_t from = wend__cell_number(version, a);
    if (!version->links || !wend__links_maybe(version->links, from)) return false;
    const wend__version *view = wend__version_view(version, mover);
    const wend__link *way = wend__links_find(version->links, from, wend__cell_number(version, b));
    const uint32_t link = way && !wend__link_is_seam(way) ? wend__link_cost(view, way) : 0;
    if (link == 0) return false;
    const uint64_t step = view_step(view, a, b), factor = wend__cell_factor(view, b);
    return factor > 0 && (step == UINT64_MAX || link < step * factor);
}

/* ---- many ---- */

static uint64_t walk_any(const wend__version *view, const wend__version *version, const wend_cell *cells,
                         uint64_t steps, uint64_t *cost) {
    for (uint64_t i = 0; i < steps; i++) {
        uint64_t step = step_cost(view, version, cells[i], cells[i + 1]);
        if (step == UINT64_MAX) return i;
        *cost += step;
    }
    return steps;
}

/* A fast path for grids, as in most deliveries: most steps stay in their chunk, and without slow ground a step that the
   mask allows need not read its target. Only where a link may begin is the full check needed. */
static uint64_t walk_flat(const wend__version *view, const wend__version *version, const wend_cell *cells,
                          uint64_t steps, uint64_t *cost) {
    const wend__links *links = version->links;
    const uint64_t straight = (uint64_t)view->rules.cost_straight, diagonal = (uint64_t)view->rules.cost_diagonal;
    wend__place p = wend__place_in(WEND_KIND_GRID, 0, cells[0]);
    const wend__chunk *chunk = wend__version_chunk(view, p.column, p.row);
    uint64_t sum = 0, i = 0;
    for (; i < steps; i++) {
        int32_t d = wend__flat_direction(cells[i + 1].x - cells[i].x, cells[i + 1].y - cells[i].y);
        uint64_t step = d < WEND__NE ? straight : diagonal;
        bool linked = links && wend__links_maybe(links, wend__cell_number(version, cells[i]));
        if (linked) {
            step = step_cost(view, version, cells[i], cells[i + 1]);
            if (step == UINT64_MAX) break;
        } else if (d < 0 || !(wend__chunk_steps(view, chunk, p.local) >> d & 1)) {
            break;
        }
        wend__place next = wend__place_in(WEND_KIND_GRID, 0, cells[i + 1]);
        if (next.column != p.column || next.row != p.row) chunk = wend__version_chunk(view, next.column, next.row);
        p = next;
        if (!linked && chunk->max_factor > 1) step *= view->rules.factors[wend__chunk_class(chunk, p.local)];
        sum += step;
    }
    *cost = sum;
    return i;
}

uint64_t wend__version_walk(const wend__version *version, int32_t mover, const wend_cell *cells, uint64_t steps,
                            uint64_t *cost) {
    const wend__version *view = wend__version_view(version, mover);
    *cost = 0;
    if (version->kind == WEND_KIND_GRID && steps) return walk_flat(view, version, cells, steps, cost);
    return walk_any(view, version, cells, steps, cost);
}
