/* SPDX-License-Identifier: MIT */
/* Visits the cells from which a step, an edge or a link leads to a cell. */
#include "search/enclosed/enclosure.h"

#include "map/ground/ground.h"
#include "map/kinds/graph.h"
#include "map/kinds/voxels.h"
#include "map/kinds/walkers.h"
#include "map/links/links.h"
#include "map/store/directions.h"

/* Most links, or edges, visited for one cell. */
enum { MOST_LINKS = 256 };

static bool is_on_map(const wend__version *v, wend_cell c) {
    return wend__on_map(v, c.x, c.y) && (uint32_t)c.z < (uint32_t)v->depth;
}

/* ---- steps ---- */

static bool take_flat(wend__search *s, wend_cell cell, wend__predecessor_fn *take) {
    for (unsigned d = 0; d < WEND__DIRECTIONS; d++) {
        const wend_cell from = {cell.x - wend__dx[d], cell.y - wend__dy[d], 0};
        if (!is_on_map(s->view, from) || !(wend__version_steps(s->view, from.x, from.y) >> d & 1)) continue;
        if (!take(s, from)) return false;
    }
    return true;
}

/* Without closed steps the rules are the same in both directions, for open cells: only the start may be blocked. */
static bool take_mirrored(wend__search *s, wend_cell cell, wend__predecessor_fn *take) {
    for (uint32_t steps = wend__voxel_steps(s->view, cell); steps; steps &= steps - 1) {
        const unsigned d = wend__ctz32(steps);
        if (!take(s, (wend_cell){cell.x + wend__sx[d], cell.y + wend__sy[d], cell.z + wend__sz[d]})) return false;
    }
    const int32_t d = wend__space_direction(cell.x - s->start.x, cell.y - s->start.y, cell.z - s->start.z);
    if (d < 0 || !(wend__voxel_steps(s->view, s->start) >> d & 1)) return true;
    return take(s, s->start);
}

static bool take_space(wend__search *s, wend_cell cell, wend__predecessor_fn *take) {
    if (s->version->closed_steps == 0) return take_mirrored(s, cell, take);
    for (unsigned d = 0; d < WEND__SPACE_DIRECTIONS; d++) {
        const wend_cell from = {cell.x - wend__sx[d], cell.y - wend__sy[d], cell.z - wend__sz[d]};
        if (!is_on_map(s->view, from) || !(wend__voxel_steps(s->view, from) >> d & 1)) continue;
        if (!take(s, from)) return false;
    }
    return true;
}

/* A walker's steps from other levels. A blocked start can be left downwards only. */
static bool take_levels(wend__search *s, wend_cell cell, wend__predecessor_fn *take) {
    wend__level_step levels[WEND__LEVEL_STEPS];
    const uint32_t count = wend__level_steps(s->view, cell, true, levels);
    for (uint32_t i = 0; i < count; i++)
        if (!take(s, levels[i].cell)) return false;
    if (wend__cell_factor(s->view, s->start) > 0 || wend__level_step_cost(s->view, s->start, cell) == UINT64_MAX)
        return true;
    return take(s, s->start);
}

/* ---- links ---- */

static bool take_links(wend__search *s, wend_cell cell, wend__predecessor_fn *take) {
    const wend__version *v = s->version;
    const wend__place place = wend__place_of(v, cell);
    const uint64_t chunk = (uint64_t)place.row * (uint64_t)v->chunk_columns + (uint64_t)place.column;
    const wend__link_list list = wend__links_of_chunks(v, v->links, true, chunk, 1);
    const uint32_t number = wend__cell_number(v, cell);
    if (list.count > MOST_LINKS) return false;
    for (uint32_t i = 0; i < list.count; i++) {
        const wend__link *link = &v->links->sorted[list.links[i]];
        if (link->to == number && wend__link_cost(s->view, link) && !take(s, wend__cell_of_number(v, link->from)))
            return false;
    }
    return true;
}

/* ---- edges ---- */

/* Edges into a node are the reverse of those out of it, and those without an edge back. */
static bool take_edges(wend__search *s, wend_cell cell, wend__predecessor_fn *take) {
    const wend__graph *graph = s->version->graph;
    const uint32_t node = (uint32_t)cell.x;
    const wend__arcs arcs = wend__graph_arcs(graph, node);
    uint32_t count;
    (void)wend__graph_sources_of(graph, node, &count);
    if (count > 0 || arcs.end - arcs.first > MOST_LINKS) return false;
    for (const wend__arc *arc = arcs.first; arc != arcs.end; arc++) {
        const uint32_t from = arc->to;
        if (wend__graph_leads(graph, from, node) && !take(s, (wend_cell){(int32_t)from, 0, 0})) return false;
    }
    return true;
}

static bool take_steps(wend__search *s, wend_cell cell, wend__predecessor_fn *take) {
    if (s->view->kind == WEND_KIND_GRAPH) return take_edges(s, cell, take);
    if (s->view->kind == WEND_KIND_GRID) return take_flat(s, cell, take);
    return take_space(s, cell, take) && (!wend__is_walker(s->view) || take_levels(s, cell, take));
}

bool wend__predecessors(wend__search *s, wend_cell cell, wend__predecessor_fn *take) {
    const bool more = take_steps(s, cell, take);
    return more && (!s->version->links || take_links(s, cell, take));
}
