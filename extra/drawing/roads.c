/* SPDX-License-Identifier: MIT */
/* Links, closed steps and a graph's edges as pictures show them, arrows, and where paths change floors. */
#include "drawing/roads.h"

#include <stdlib.h>
#include <wend/graph.h>

static int compare_cells(wend_cell a, wend_cell b) {
    if (a.z != b.z) return a.z < b.z ? -1 : 1;
    if (a.y != b.y) return a.y < b.y ? -1 : 1;
    return a.x == b.x ? 0 : a.x < b.x ? -1 : 1;
}

static int compare_links(const void *a, const void *b) {
    const wend_link *one = a, *two = b;
    int order = compare_cells(one->from, two->from);
    return order ? order : compare_cells(one->to, two->to);
}

static int compare_roads(const void *a, const void *b) {
    const wend__road *one = a, *two = b;
    if (one->from != two->from) return one->from < two->from ? -1 : 1;
    return one->to == two->to ? 0 : one->to < two->to ? -1 : 1;
}

static wend_error fetch_links(wend__drawing *d) {
    size_t count;
    wend_map_get_links(d->picture->map, NULL, 0, &d->link_count);
    if (!d->link_count) return WEND_OK;
    d->links = malloc(d->link_count * sizeof *d->links);
    if (!d->links) return WEND_OUT_OF_MEMORY;
    wend_map_get_links(d->picture->map, d->links, d->link_count, &count);
    qsort(d->links, d->link_count, sizeof *d->links, compare_links);
    return WEND_OK;
}

static wend_error fetch_steps(wend__drawing *d) {
    size_t count;
    wend_map_get_closed_steps(d->picture->map, NULL, 0, &d->step_count);
    if (!d->step_count) return WEND_OK;
    d->steps = malloc(d->step_count * sizeof *d->steps);
    if (!d->steps) return WEND_OUT_OF_MEMORY;
    wend_map_get_closed_steps(d->picture->map, d->steps, d->step_count, &count);
    return WEND_OK;
}

/// Edges come by their ends, so the list needs no sorting.
static wend_error fetch_edges(wend__drawing *d) {
    wend_edge *edges = NULL;
    size_t capacity = 0;
    wend_error error = WEND_OK;
    d->roads = malloc((size_t)(d->info.edges + 1) * sizeof *d->roads);
    if (!d->roads) return WEND_OUT_OF_MEMORY;
    for (uint32_t node = 0; node < (uint32_t)d->info.width; node++) {
        size_t count = 0;
        if (wend_map_get_edges(d->picture->map, node, edges, capacity, &count)) continue; /* no such node */
        if (count > capacity) {
            capacity = count < 64 ? 64 : count;
            wend_edge *grown = realloc(edges, capacity * sizeof *grown);
            if (!grown) {
                error = WEND_OUT_OF_MEMORY;
                break;
            }
            edges = grown;
            wend_map_get_edges(d->picture->map, node, edges, capacity, &count);
        }
        for (size_t i = 0; i < count; i++) d->roads[d->road_count++] = (wend__road){node, edges[i].to};
    }
    free(edges);
    return error;
}

wend_error wend__roads_fetch(wend__drawing *d) {
    wend_error error = fetch_links(d);
    if (error) return error;
    if (d->info.kind == WEND_KIND_GRAPH) return fetch_edges(d);
    return d->picture->format == WEND_PICTURE_ANSI ? WEND_OK : fetch_steps(d);
}

bool wend__road_is_one_way(const wend__drawing *d, const wend__road *road) {
    wend__road back = {road->to, road->from};
    return road->from != road->to && !bsearch(&back, d->roads, d->road_count, sizeof back, compare_roads);
}

bool wend__link_is_one_way(const wend__drawing *d, const wend_link *link) {
    wend_link back = {.from = link->to, .to = link->from};
    return !bsearch(&back, d->links, d->link_count, sizeof back, compare_links);
}

static bool apart(int32_t a, int32_t b) {
    return a > b + 1 || b > a + 1;
}

bool wend__takes_link(const wend__drawing *d, wend_cell from, wend_cell to) {
    wend_link link = {.from = from, .to = to};
    if (!apart(from.x, to.x) && !apart(from.y, to.y) && !apart(from.z, to.z)) return false;
    if (d->info.kind == WEND_KIND_GRAPH || !d->link_count) return false;
    return bsearch(&link, d->links, d->link_count, sizeof link, compare_links) != NULL;
}

static int32_t clamp_milli(int64_t milli, int32_t cells) {
    int64_t most = (int64_t)cells * 1000;
    return (int32_t)(milli < 0 ? 0 : milli > most ? most : milli);
}

wend__spot wend__link_bend(const wend__drawing *d, wend_cell from, wend_cell to) {
    wend__spot a = wend__spot_of(d, from), b = wend__spot_of(d, to);
    return (wend__spot){clamp_milli(((int64_t)a.x + b.x) * 500 + ((int64_t)b.y - a.y) * 250, d->width),
                        clamp_milli(((int64_t)a.y + b.y) * 500 - ((int64_t)b.x - a.x) * 250, d->height)};
}

/// The whole part of a square root (Newton's method).
static int64_t square_root(int64_t square) {
    int64_t root = square, next = (square + 1) / 2;
    while (next < root) root = next, next = (root + square / root) / 2;
    return root;
}

wend__arrow wend__arrow_at(wend__spot at, int32_t dx, int32_t dy, int32_t length) {
    int64_t way = square_root((int64_t)dx * dx + (int64_t)dy * dy);
    if (way == 0) way = 1;
    int32_t along_x = (int32_t)((int64_t)dx * length / (2 * way)),
            along_y = (int32_t)((int64_t)dy * length / (2 * way));
    int32_t aside_x = -along_y * 9 / 10, aside_y = along_x * 9 / 10;
    return (wend__arrow){{at.x + along_x, at.y + along_y},
                         {at.x - along_x + aside_x, at.y - along_y + aside_y},
                         {at.x - along_x - aside_x, at.y - along_y - aside_y}};
}

bool wend__road_arrow(const wend__drawing *d, const wend__road *road, wend__arrow *out) {
    enum { LEAST_WAY = 10, LONGEST = 14 };
    const wend__node_places *n = &d->nodes;
    int32_t dx = n->x[road->to] - n->x[road->from], dy = n->y[road->to] - n->y[road->from];
    int64_t way = square_root((int64_t)dx * dx + (int64_t)dy * dy) - n->dot;
    if (way < LEAST_WAY) return false;
    int32_t length = way > 2 * LONGEST ? LONGEST : (int32_t)way / 2;
    wend__spot at = {n->x[road->from] + dx * 6 / 10, n->y[road->from] + dy * 6 / 10};
    *out = wend__arrow_at(at, dx, dy, length);
    return true;
}

void wend__floors_visit(const wend_picture_path *path, wend__floor_fn *visit, void *context) {
    for (size_t i = 1; i < path->cell_count; i++) {
        wend_cell from = path->cells[i - 1], to = path->cells[i];
        if (from.z == to.z) continue;
        bool leaves_again = i + 1 < path->cell_count && path->cells[i + 1].z != to.z;
        visit(context, &(wend__floor){from, to.z > from.z, false, i == 1});
        if (!leaves_again) visit(context, &(wend__floor){to, to.z > from.z, true, i + 1 == path->cell_count});
    }
}

/* ---- footprints: a path cell by cell, also where its cells are apart ---- */

static int32_t sign(int32_t a) {
    return (a > 0) - (a < 0);
}

typedef struct track {
    wend__feet_fn *visit;
    void *context;
    int32_t dx, dy; ///< the last direction; up at first
} track;

/// Visits the cells from a to the one before b (Bresenham 1965).
static void walk_line(track *t, wend__spot a, wend__spot b) {
    int32_t dx = abs(b.x - a.x), dy = abs(b.y - a.y), sx = sign(b.x - a.x), sy = sign(b.y - a.y), rest = dx - dy;
    while (a.x != b.x || a.y != b.y) {
        int32_t twice = 2 * rest, to_x = twice >= -dy ? sx : 0, to_y = twice <= dx ? sy : 0;
        if (twice >= -dy) rest -= dy;
        if (twice <= dx) rest += dx;
        t->dx = to_x, t->dy = to_y;
        t->visit(t->context, a, to_x, to_y);
        a.x += to_x, a.y += to_y;
    }
}

void wend__feet_walk(const wend__drawing *d, const wend_picture_path *path, wend__feet_fn *visit, void *context) {
    track t = {visit, context, 0, -1};
    for (size_t i = 0; i < path->cell_count; i++) {
        wend__spot here = wend__spot_of(d, path->cells[i]);
        bool last = i + 1 == path->cell_count;
        bool goes_on = !last && path->cells[i + 1].z == path->cells[i].z &&
                       !wend__takes_link(d, path->cells[i], path->cells[i + 1]);
        const wend__spot next = wend__spot_of(d, path->cells[last ? i : i + 1]);
        const wend__spot shift = wend__rim_shift(d, here, next, 1);
        if (!goes_on || shift.x || shift.y)
            visit(context, here, t.dx, t.dy);
        else
            walk_line(&t, here, next);
    }
}
