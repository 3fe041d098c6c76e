/* SPDX-License-Identifier: MIT */
/* The open cell nearest to a cell: rings around it, until no further ring can hold a nearer one. */
#include "map/components/components.h"
#include "map/kinds/graph.h"
#include "map/movers/views.h"
#include "map/query/nearest.h"
#include "map/store/map_layout.h"
#include "map/store/planes.h"
#include "map/version/map.h"
#include "map/version/version.h"

typedef struct nearest {
    const wend__version *version; ///< the mover's view
    wend_cell from, best;
    uint64_t cost;     ///< of best; UINT64_MAX: none yet
    bool in_component; ///< only cells of this one count
    uint64_t component;
} nearest;

/* A diagonal step costs no less than a straight one, nor more than two, and one in space no more than a diagonal and
   what that saves; so the longest axis alone says how many steps there are, and the others how many of them can be
   diagonal. */
uint64_t wend__empty_way(const wend_map_rules *rules, uint32_t a, uint32_t b, uint32_t c) {
    uint64_t straight = (uint32_t)rules->cost_straight, diagonal = (uint32_t)rules->cost_diagonal;
    uint64_t space = (uint32_t)rules->cost_space, sum = (uint64_t)a + b + c;
    uint32_t most = a > b ? a : b, least = a < b ? a : b;
    if (c > most) most = c;
    if (c < least) least = c;
    uint64_t middle = sum - most - least;
    if (rules->neighbours == 4 || rules->neighbours == 6) return straight * sum;
    if (rules->neighbours == 26) return space * least + diagonal * (middle - least) + straight * (most - middle);
    /* Flat diagonals each shorten two axes, as long as two are left. */
    uint64_t pairs = most >= middle + least ? middle + least : sum / 2;
    return diagonal * pairs + straight * (sum - 2 * pairs);
}

wend__nearness wend__square_distance(wend_cell a, wend_cell b) {
    const uint64_t parts[3] = {wend__distance(a.x, b.x), wend__distance(a.y, b.y), wend__distance(a.z, b.z)};
    wend__nearness sum = {0, 0};
    for (unsigned i = 0; i < 3; i++) {
        uint64_t square = parts[i] * parts[i];
        sum.low += square;
        sum.high += sum.low < square;
    }
    return sum;
}

/* An open cell. */
static void consider(nearest *n, wend_cell c) {
    uint64_t cost = wend__empty_way(&n->version->rules, wend__distance(c.x, n->from.x), wend__distance(c.y, n->from.y),
                                    wend__distance(c.z, n->from.z));
    if (cost > n->cost || (cost == n->cost && !wend__earlier(c, n->best))) return;
    if (n->in_component && wend__component_of(n->version, c) != n->component) return;
    n->cost = cost;
    n->best = c;
}

/* ---- flat grids ---- */

static void look_at(nearest *n, int32_t x, int32_t y) {
    if (wend__version_factor(n->version, x, y)) consider(n, (wend_cell){x, y, 0});
}

/* All cells whose larger distance, in x or y, is r. */
static void look_at_ring(nearest *n, int32_t r) {
    const wend__version *v = n->version;
    int32_t left = n->from.x - r, right = n->from.x + r, top = n->from.y - r, bottom = n->from.y + r;
    for (int32_t x = wend__most(left, 0); x <= wend__least(right, v->width - 1); x++) {
        if (top >= 0) look_at(n, x, top);
        if (bottom < v->height && r > 0) look_at(n, x, bottom);
    }
    for (int32_t y = wend__most(top + 1, 0); y <= wend__least(bottom - 1, v->height - 1); y++) {
        if (left >= 0) look_at(n, left, y);
        if (right < v->width) look_at(n, right, y);
    }
}

/* ---- voxels ---- */

/* The cells of a box that are in one chunk, row by row. */
static void look_in_chunk(nearest *n, const wend__bits *open, const wend_box *box) {
    uint64_t columns = wend__low_bits((unsigned)(box->max.x & 15) + 1) & ~wend__low_bits((unsigned)(box->min.x & 15));
    for (int32_t z = box->min.z; z <= box->max.z; z++)
        for (int32_t y = box->min.y; y <= box->max.y; y++) {
            uint64_t row = open->rows[(z & 15) << 2 | (y & 15) >> 2] >> ((y & 3) << 4) & columns;
            for (; row; row &= row - 1) consider(n, (wend_cell){(box->min.x & ~15) + (int32_t)wend__ctz64(row), y, z});
        }
}

static void look_in_box(nearest *n, const wend_box *box) {
    const wend__version *v = n->version;
    wend_box in;
    for (in.min.z = box->min.z; in.min.z <= box->max.z; in.min.z = in.max.z + 1) {
        in.max.z = wend__least(in.min.z | 15, box->max.z);
        for (in.min.y = box->min.y; in.min.y <= box->max.y; in.min.y = in.max.y + 1) {
            in.max.y = wend__least(in.min.y | 15, box->max.y);
            for (in.min.x = box->min.x; in.min.x <= box->max.x; in.min.x = in.max.x + 1) {
                in.max.x = wend__least(in.min.x | 15, box->max.x);
                wend__place p = wend__place_of(v, in.min);
                const wend__bits *open = wend__version_chunk(v, p.column, p.row)->open;
                if (open != &wend__voxels_blocked) look_in_chunk(n, open, &in);
            }
        }
    }
}

/* All cells whose largest distance, in x, y or z, is r: the six sides of a cube, each without what others have. */
static void look_at_shell(nearest *n, int32_t r) {
    const wend_cell low = {n->from.x - r, n->from.y - r, n->from.z - r};
    const wend_cell high = {n->from.x + r, n->from.y + r, n->from.z + r};
    const wend_box sides[6] = {
        {low, {high.x, high.y, low.z}},
        {{low.x, low.y, high.z}, high},
        {{low.x, low.y, low.z + 1}, {high.x, low.y, high.z - 1}},
        {{low.x, high.y, low.z + 1}, {high.x, high.y, high.z - 1}},
        {{low.x, low.y + 1, low.z + 1}, {low.x, high.y - 1, high.z - 1}},
        {{high.x, low.y + 1, low.z + 1}, {high.x, high.y - 1, high.z - 1}},
    };
    const wend__version *v = n->version;
    for (unsigned i = 0; i < (r ? 6u : 1u); i++) {
        wend_box b = sides[i];
        b.min = (wend_cell){wend__most(b.min.x, 0), wend__most(b.min.y, 0), wend__most(b.min.z, 0)};
        b.max.x = wend__least(b.max.x, v->width - 1);
        b.max.y = wend__least(b.max.y, v->height - 1);
        b.max.z = wend__least(b.max.z, v->depth - 1);
        look_in_box(n, &b);
    }
}

/* The cheapest cell of ring r costs r straight steps, while a corner of an earlier ring may cost more than that: go on
   as long as a ring may hold a cheaper cell, or one as cheap that comes first. And as long as it touches the map. */
static void look_around(nearest *n, int32_t max_cells) {
    const wend__version *v = n->version;
    int32_t sides[3] = {v->width, v->height, v->depth}, at[3] = {n->from.x, n->from.y, n->from.z}, farthest = 0;
    for (unsigned i = 0; i < 3; i++) farthest = wend__most(farthest, wend__most(at[i], sides[i] - 1 - at[i]));
    for (int32_t r = 0; r <= wend__least(max_cells, farthest); r++) {
        if ((uint64_t)r * (uint32_t)v->rules.cost_straight > n->cost) return;
        if (v->kind == WEND_KIND_GRID)
            look_at_ring(n, r);
        else
            look_at_shell(n, r);
    }
}

bool wend__nearest_connected(const wend__version *version, int32_t mover, wend_cell start, wend_cell goal,
                             int32_t max_cells, wend_cell *out) {
    const wend__version *view = wend__version_view(version, mover);
    nearest n = {.version = view, .from = goal, .cost = UINT64_MAX, .in_component = true};
    n.component = wend__component_of(view, start);
    look_around(&n, max_cells);
    /* Beyond the last ring something as cheap may lie: a corner of it costs more than a straight way farther out. */
    bool sure = n.cost != UINT64_MAX && n.cost < ((uint64_t)max_cells + 1) * (uint32_t)version->rules.cost_straight;
    if (sure) *out = n.best;
    return sure;
}

/* ---- graphs ---- */

static void look_at_nodes(nearest *n) {
    const wend__version *v = n->version;
    const wend__graph *graph = v->graph;
    wend__nearness best = {UINT64_MAX, UINT64_MAX};
    for (int32_t node = 0; node < v->width; node++) {
        if (!wend__graph_has(graph, node) || !wend__cell_factor(v, (wend_cell){node, 0, 0})) continue;
        wend__nearness d = wend__square_distance(graph->coordinates[node], graph->coordinates[n->from.x]);
        if (!wend__nearer(d, best)) continue;
        best = d;
        n->best = (wend_cell){node, 0, 0};
        n->cost = 0;
    }
}

wend_error wend_map_nearest_open(const wend_map *map, int32_t mover, wend_cell cell, int32_t max_cells, int32_t *found,
                                 wend_cell *out) {
    wend_error error = wend__check_range("max_cells", max_cells, 0, WEND_MAX_NEAREST);
    if (!error) error = wend__check_mover(map, mover);
    if (!error) error = wend__check_cell(map, "cell", cell);
    if (error) return error;
    if (map->graph && !map->graph->coordinates)
        return wend__refuse(WEND_UNSUPPORTED, "the graph's nodes have no coordinates, so none is nearest");
    wend__version *v = wend__map_newest(map);
    nearest n = {.version = wend__version_view(v, mover), .from = cell, .cost = UINT64_MAX};
    if (map->graph)
        look_at_nodes(&n);
    else
        look_around(&n, max_cells);
    wend__map_release(v, false);
    if (found) *found = n.cost != UINT64_MAX;
    if (out && n.cost != UINT64_MAX) *out = n.best;
    return WEND_OK;
}
