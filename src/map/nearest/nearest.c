/* SPDX-License-Identifier: MIT */
/* Distances for `nearest`, and the common parts of the search for the nearest cell on all kinds of maps. */
#include "map/components/components.h"
#include "map/components/link_components.h"
#include "map/ground/ground.h"
#include "map/movers/views.h"
#include "map/nearest/nearest.h"
#include "map/store/directions.h"
#include "map/version/map.h"
#include "map/version/version.h"

/* Prices, in points. */
enum { CELL = 8, ACCEPT = 24 };

/* ---- distances ---- */

/* A diagonal step costs at least a straight one, and at most two; one in space at most a diagonal and what that saves.
 * So the longest axis alone gives the number of steps, and the others how many can be diagonal. */
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

/* Returns the cost on an empty map of the way to a cell, without the rim of the map. */
static uint64_t way_to(const wend__version *v, wend_cell goal, wend_cell cell) {
    const wend_map_rules *rules = &v->rules;
    if (wend__is_hex(v)) return (uint64_t)rules->cost_straight * wend__hexagons(cell.x - goal.x, cell.y - goal.y);
    return wend__empty_way(rules, wend__distance(cell.x, goal.x), wend__distance(cell.y, goal.y),
                           wend__distance(cell.z, goal.z));
}

wend__nearness wend__nearness_to(const wend__version *v, const wend_cell *goals, uint32_t count, wend_cell cell) {
    const wend_cell *places = v->graph ? v->graph->coordinates : NULL;
    wend__nearness least = {UINT64_MAX, UINT64_MAX};
    for (uint32_t i = 0; i < count; i++) {
        const wend_cell none = {0, 0, 0};
        const wend__nearness way =
            v->sheets ? wend__nearness_on_sheets(v, goals[i], cell)
            : places  ? wend__square_distance(places[cell.x], places[goals[i].x])
                      : (wend__nearness){0, way_to(v, none, wend__ground_difference(v, goals[i], cell))};
        if (wend__nearer(way, least)) least = way;
    }
    return least;
}

/* ---- cells that count ---- */

void wend__nearest_begin(wend__nearest *n, const wend__version *view, int32_t radius) {
    n->view = view;
    n->radius = radius;
    n->any = true;
    n->component_count = n->goal = n->words_done = 0;
    n->done = n->found = n->begun = n->again = n->joins = false;
    n->nearness = (wend__nearness){UINT64_MAX, UINT64_MAX};
    n->points = 0;
}

void wend__nearest_again(wend__nearest *n) {
    n->again = true;
    n->last = n->best;
    n->last_nearness = n->nearness;
    n->goal = n->words_done = 0;
    n->done = n->found = n->begun = n->joins = false;
    n->nearness = (wend__nearness){UINT64_MAX, UINT64_MAX};
}

bool wend__nearest_add(wend__nearest *n, uint64_t component) {
    n->any = false;
    for (uint32_t i = 0; i < n->component_count; i++)
        if (n->components[i] == component) return true;
    if (n->component_count == WEND__NEAREST_COMPONENTS) return false;
    n->components[n->component_count++] = component;
    return true;
}

bool wend__nearest_wants(const wend__nearest *n, uint64_t component) {
    if (n->any) return true;
    const uint64_t name = wend__link_component_name(n->view, component);
    for (uint32_t i = 0; i < n->component_count; i++)
        if (n->components[i] == name) return true;
    return false;
}

/* ---- the goals ---- */

/* On a map that wraps each goal counts once more beyond each side: the nearest of these is the shortest way round. */
static uint32_t images_of(const wend__version *v) {
    return (v->around_x ? 3u : 1u) * (v->around_y ? 3u : 1u);
}

wend_cell wend__nearest_goal(const wend__nearest *n, const wend__nearest_query *query) {
    const wend__version *v = n->view;
    if (v->sheets) return n->image;
    const uint32_t images = images_of(v), image = n->goal % images, across = v->around_x ? 3u : 1u;
    const wend_cell goal = query->goals[n->goal / images];
    return (wend_cell){goal.x + ((int32_t)((image % across + 1) % 3) - 1) * v->around_x,
                       goal.y + ((int32_t)((image / across + 1) % 3) - 1) * v->around_y, goal.z};
}

/* ---- the best cell so far ---- */

static bool is_before(wend__nearness a, wend_cell cell_a, wend__nearness b, wend_cell cell_b) {
    return wend__nearer(a, b) || (!wend__nearer(b, a) && wend__earlier(cell_a, cell_b));
}

static bool is_better(const wend__nearest *n, wend__nearness nearness, wend_cell cell) {
    return !n->found || is_before(nearness, cell, n->nearness, n->best);
}

void wend__nearest_consider(wend__nearest *n, const wend__nearest_query *query, wend__nearness nearness,
                            wend_cell cell) {
    if (!is_better(n, nearness, cell)) return;
    if (n->again && (n->view->sheets || query->goal_count * images_of(n->view) > 1))
        nearness = wend__nearness_to(n->view, query->goals, query->goal_count, cell); /* to any goal */
    if (n->again && !is_before(n->last_nearness, n->last, nearness, cell)) return;
    if (query->accept) n->points += ACCEPT;
    if (query->accept && !query->accept(query->context, cell)) return;
    n->found = true;
    n->nearness = nearness;
    n->best = cell;
}

static int32_t clamp_to(int32_t value, int32_t low, int32_t high) {
    return value < low ? low : value > high ? high : value;
}

/* Returns the distance of a cell from the goal, or from its image. */
static wend__nearness nearness_at(const wend__nearest *n, wend_cell goal, wend_cell cell) {
    const uint64_t way = way_to(n->view, goal, cell);
    return n->view->sheets ? wend__nearness_in_sheet(&n->joining, way) : (wend__nearness){0, way};
}

/* Returns the part of a box in the searched sheet. */
static wend_box in_sheet(const wend__nearest *n, const wend_box *box) {
    if (!n->view->sheets) return *box;
    const wend_box *part = &n->part;
    return (wend_box){{wend__most(box->min.x, part->min.x), wend__most(box->min.y, part->min.y), 0},
                      {wend__least(box->max.x, part->max.x), wend__least(box->max.y, part->max.y), 0}};
}

bool wend__nearest_may_hold(const wend__nearest *n, const wend__nearest_query *query, const wend_box *of) {
    const wend_cell goal = wend__nearest_goal(n, query);
    const wend_box cells = in_sheet(n, of), *box = &cells;
    if (box->min.x > box->max.x || box->min.y > box->max.y) return false;
    const wend_cell place = {clamp_to(goal.x, box->min.x, box->max.x), clamp_to(goal.y, box->min.y, box->max.y),
                             clamp_to(goal.z, box->min.z, box->max.z)};
    const int64_t radius = n->radius;
    if (wend__distance(place.x, goal.x) > radius || wend__distance(place.y, goal.y) > radius ||
        wend__distance(place.z, goal.z) > radius)
        return false;
    return is_better(n, nearness_at(n, goal, place), box->min);
}

/* Goes from the cell of the run that is nearest to the goal to both sides, the nearer one first; of two that are as
 * near, the one with the lower x. Ways do not become cheaper with the distance. */
void wend__nearest_try_run(wend__nearest *n, const wend__nearest_query *query, wend_cell first, int32_t last_x) {
    const wend_cell goal = wend__nearest_goal(n, query);
    const int32_t low = wend__most(first.x, goal.x - n->radius), high = wend__least(last_x, goal.x + n->radius);
    if (low > high) return;
    wend_cell left = first, right = first;
    left.x = clamp_to(goal.x, low, high), right.x = left.x + 1;
    for (;;) {
        const uint64_t to_left = left.x >= low ? way_to(n->view, goal, left) : UINT64_MAX;
        const uint64_t to_right = right.x <= high ? way_to(n->view, goal, right) : UINT64_MAX;
        const bool leftward = to_left <= to_right;
        const wend_cell cell = leftward ? left : right;
        n->points += CELL;
        if (left.x < low && right.x > high) return;
        const wend__nearness way = nearness_at(n, goal, cell);
        if (n->found && wend__nearer(n->nearness, way)) return;
        left.x -= leftward, right.x += !leftward;
        wend__nearest_consider(n, query, way, cell);
    }
}

/* ---- slices ---- */

uint64_t wend__nearest_step(wend__nearest *n, const wend__nearest_query *query, uint64_t points) {
    n->points = 0;
    if (n->view->kind == WEND_KIND_GRAPH) n->done = n->done || wend__nearest_of_nodes(n, query, points);
    while (!n->done && n->points < points) {
        const bool flat = n->view->kind == WEND_KIND_GRID, sheets = n->view->sheets != NULL;
        if (sheets && !n->begun && !wend__nearest_next_sheet(n, query)) {
            n->joins = false;
            n->done = ++n->goal == query->goal_count;
            continue;
        }
        if (!(flat ? wend__nearest_on_grid(n, query, points) : wend__nearest_in_space(n, query, points))) break;
        n->begun = false;
        if (!sheets) n->done = ++n->goal == query->goal_count * images_of(n->view);
    }
    return n->points;
}

/* ---- the open cell nearest to a cell, of any component or of a certain one ---- */

wend_error wend_map_nearest_open(const wend_map *map, int32_t mover, wend_cell cell, int32_t max_cells, bool *found,
                                 wend_cell *out) {
    WEND__ALIVE(map, "the map");
    wend_error error = wend__check_range("max_cells", max_cells, 0, WEND_MAX_NEAREST);
    if (!error) error = wend__check_mover(map, mover);
    if (!error) error = wend__check_cell(map, "cell", cell);
    if (error) return error;
    if (map->kind == WEND_KIND_GRAPH && !map->placed)
        return wend__refuse(WEND_UNSUPPORTED, "the graph's nodes have no coordinates, so none is nearest");
    wend__version *v = wend__map_newest(map);
    const wend__nearest_query query = {.goals = &cell, .goal_count = 1};
    wend__nearest nearest;
    wend__nearest_begin(&nearest, wend__version_view(v, mover), max_cells);
    (void)wend__nearest_step(&nearest, &query, UINT64_MAX);
    wend__map_release(v, false);
    if (found) *found = nearest.found;
    if (out && nearest.found) *out = nearest.best;
    return WEND_OK;
}

bool wend__nearest_connected(const wend__version *view, wend_cell start, wend_cell goal, wend_cell *out) {
    const wend__nearest_query query = {.goals = &goal, .goal_count = 1};
    wend__nearest nearest;
    wend__nearest_begin(&nearest, view, WEND__NEAREST_FAR);
    wend__nearest_add(&nearest, wend__component_name(view, start));
    (void)wend__nearest_step(&nearest, &query, UINT64_MAX);
    if (nearest.found) *out = nearest.best;
    return nearest.found;
}
