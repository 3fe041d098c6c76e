/* SPDX-License-Identifier: MIT */
/* Lower bounds of the remaining cost, with several goals and links. */
#include "search/general/heuristic.h"

#include "map/chains/link_chains.h"
#include "map/ground/within.h"
#include "map/kinds/walkers.h"
#include "map/movers/views.h"

#include "search/rules/distance.h"

typedef struct offsets {
    uint32_t x, y, z;
    bool across; ///< x and y have opposite signs: between hexagons a step goes along both
} offsets;

/* ---- distances ---- */

static uint64_t measure_offsets(const wend__heuristic *heuristic, offsets d) {
    if (WEND__LIKELY(heuristic->octile)) return wend__octile(d.x, d.y, heuristic->straight, heuristic->diagonal);
    if (heuristic->hexagons)
        return heuristic->straight * (d.across ? (uint64_t)(d.x > d.y ? d.x : d.y) : (uint64_t)d.x + d.y);
    if (heuristic->kind == WEND_HEURISTIC_EUCLID)
        return wend__scaled_root((uint64_t)d.x * d.x + (uint64_t)d.y * d.y + (uint64_t)d.z * d.z, heuristic->euclid, 6);
    if (heuristic->kind == WEND_HEURISTIC_MANHATTAN) return heuristic->straight * ((uint64_t)d.x + d.y + d.z);
    if (heuristic->levels) return wend__empty_way(heuristic->rules, d.x, d.y, 0) + (uint64_t)heuristic->straight * d.z;
    return wend__empty_way(heuristic->rules, d.x, d.y, d.z);
}

static uint32_t less_reach(uint32_t distance, int32_t reach) {
    return distance > (uint32_t)reach ? distance - (uint32_t)reach : 0;
}

static bool is_across(wend_cell from, wend_cell to) {
    return (from.x < to.x) != (from.y < to.y);
}

static uint64_t estimate_to_goal(const wend__heuristic *heuristic, wend_cell from, uint32_t goal) {
    const wend_cell to = heuristic->points[goal];
    if (heuristic->graph) return wend__graph_estimate(heuristic->graph, from, to);
    const uint32_t across = wend__way_round(wend__distance(from.x, to.x), heuristic->around_x);
    const uint32_t down = wend__way_round(wend__distance(from.y, to.y), heuristic->around_y);
    const offsets d = {less_reach(across, heuristic->reach), less_reach(down, heuristic->reach),
                       less_reach(wend__distance(from.z, to.z), heuristic->reach), is_across(from, to)};
    return measure_offsets(heuristic, d);
}

static uint64_t estimate_to_goals(const wend__heuristic *heuristic, wend_cell from) {
    uint64_t least = UINT64_MAX;
    for (uint32_t i = 0; i < heuristic->goal_count; i++) {
        uint64_t way = estimate_to_goal(heuristic, from, i);
        if (way < least) least = way;
    }
    return least;
}

static int32_t clamp_to(int32_t value, int32_t low, int32_t high) {
    return value < low ? low : value > high ? high : value;
}

static offsets boxes_apart(const wend__heuristic *heuristic, const wend_box *a, const wend_box *b) {
    const bool east = b->min.x > a->max.x, south = b->min.y > a->max.y;
    return (offsets){wend__ranges_apart(a->min.x, a->max.x, b->min.x, b->max.x, heuristic->around_x),
                     wend__ranges_apart(a->min.y, a->max.y, b->min.y, b->max.y, heuristic->around_y),
                     wend__ranges_apart(a->min.z, a->max.z, b->min.z, b->max.z, 0), east != south};
}

static uint64_t estimate_to_box(const wend__heuristic *heuristic, wend_cell from, const wend_box *box) {
    if (heuristic->graph) {
        const wend_cell to = {clamp_to(from.x, box->min.x, box->max.x), clamp_to(from.y, box->min.y, box->max.y),
                              clamp_to(from.z, box->min.z, box->max.z)};
        return wend__graph_estimate(heuristic->graph, from, to);
    }
    return measure_offsets(heuristic, boxes_apart(heuristic, &(wend_box){from, from}, box));
}

/* Returns the place of the first range that is nearest to the second. */
static int32_t nearest_of(int32_t low, int32_t high, int32_t other_low, int32_t other_high) {
    if (other_low > high) return high;
    if (other_high < low) return low;
    return other_low > low ? other_low : low;
}

static uint64_t between_boxes(const wend__heuristic *heuristic, const wend_box *from, const wend_box *to) {
    if (!heuristic->graph) return measure_offsets(heuristic, boxes_apart(heuristic, from, to));
    const wend_cell place = {nearest_of(from->min.x, from->max.x, to->min.x, to->max.x),
                             nearest_of(from->min.y, from->max.y, to->min.y, to->max.y),
                             nearest_of(from->min.z, from->max.z, to->min.z, to->max.z)};
    return estimate_to_box(heuristic, place, to);
}

/* Returns the coordinates of a cell that distances use. */
static wend_cell place_of(const wend__heuristic *heuristic, wend_cell cell) {
    if (heuristic->graph) return heuristic->graph->coordinates[cell.x];
    return heuristic->sheets ? wend__place_on_ground(heuristic->sheets, cell) : cell;
}

/* ---- links ---- */

/* The most estimates that are computed link by link. */
enum { MOST_LEGS = 2048 };

static wend_box widened(const wend_box *box, int32_t by) {
    return (wend_box){{box->min.x - by, box->min.y - by, box->min.z - by},
                      {box->max.x + by, box->max.y + by, box->max.z + by}};
}

/* A lower bound for paths to a goal that begin with a link of a group and use no other link:
 * computed link by link, or from the box of the exits if there are many links and goals. */
static uint64_t last_leg(const wend__heuristic *heuristic, const wend__links *links, const wend__link_group *group) {
    uint64_t least = UINT64_MAX;
    if ((uint64_t)wend__links_in_groups(links) * heuristic->goal_count > MOST_LEGS) {
        const wend_box exits = widened(&group->exits, heuristic->reach);
        for (uint32_t i = 0; i < heuristic->goal_count; i++) {
            uint64_t way = group->cheapest + estimate_to_box(heuristic, heuristic->points[i], &exits);
            if (way < least) least = way;
        }
        return least;
    }
    for (uint32_t i = group->first; i < group->first + group->count; i++) {
        const wend__link_member *member = &links->members[i];
        uint64_t way = member->cost + estimate_to_goals(heuristic, member->exit);
        if (way < least) least = way;
    }
    return least;
}

/* The chains of links are known: only the last leg depends on the goals. */
static void follow_chains(const wend__link_chains *chains, uint32_t groups, uint64_t bounds[WEND__LINK_GROUPS]) {
    uint64_t last[WEND__LINK_GROUPS];
    for (uint32_t g = 0; g < groups; g++) last[g] = bounds[g];
    for (uint32_t g = 0; g < groups; g++)
        for (uint32_t next = 0; next < groups; next++) {
            const uint64_t way = chains->costs[g][next] + last[next];
            if (way < bounds[g]) bounds[g] = way;
        }
}

/* Runs Dijkstra over the groups, backwards from the goals: a path may go from a group's exits to any group's
 * entrances. */
static void bound_groups(const wend__heuristic *heuristic, const wend__version *version,
                         uint64_t bounds[WEND__LINK_GROUPS]) {
    const wend__links *links = version->links;
    bool settled[WEND__LINK_GROUPS] = {false};
    for (uint32_t g = 0; g < links->group_count; g++) bounds[g] = last_leg(heuristic, links, &links->groups[g]);
    if (heuristic->octile) {
        follow_chains(version->link_chains, links->group_count, bounds);
        return;
    }
    for (uint32_t round = 0; round < links->group_count; round++) {
        uint32_t next = WEND__LINK_GROUPS;
        for (uint32_t g = 0; g < links->group_count; g++)
            if (!settled[g] && (next == WEND__LINK_GROUPS || bounds[g] < bounds[next])) next = g;
        settled[next] = true;
        for (uint32_t g = 0; g < links->group_count; g++) {
            if (settled[g]) continue;
            uint64_t way = links->groups[g].cheapest + bounds[next] +
                           between_boxes(heuristic, &links->groups[g].exits, &links->groups[next].entrances);
            if (way < bounds[g]) bounds[g] = way;
        }
    }
}

/* The greatest distance along an axis from a place of one range to another range. */
static uint32_t farthest_gap(int32_t low, int32_t high, int32_t to_low, int32_t to_high) {
    const int32_t below = to_low - low, beyond = high - to_high, most = below > beyond ? below : beyond;
    return most > 0 ? (uint32_t)most : 0;
}

/* The greatest estimate, without links, from any cell of a box to another. */
static uint64_t farthest_between(const wend__heuristic *heuristic, const wend_box *from, const wend_box *to) {
    const offsets d = {farthest_gap(from->min.x, from->max.x, to->min.x, to->max.x),
                       farthest_gap(from->min.y, from->max.y, to->min.y, to->max.y),
                       farthest_gap(from->min.z, from->max.z, to->min.z, to->max.z), false};
    return measure_offsets(heuristic, d);
}

/* Returns whether no path is shortened by a link of this group, compared with walking to a goal or to another group. By
 * the triangle inequality, which holds without rounding, such a group lowers no estimate. */
static bool is_idle(const wend__heuristic *heuristic, const wend_box *entrances, uint64_t bound) {
    if (heuristic->graph || heuristic->kind != WEND_HEURISTIC_EXACT) return false;
    for (uint32_t i = 0; i < heuristic->goal_count; i++) {
        const wend_box goal = {heuristic->points[i], heuristic->points[i]};
        const wend_box box = widened(&goal, heuristic->reach);
        if (bound >= farthest_between(heuristic, entrances, &box)) return true;
    }
    for (uint32_t i = 0; i < heuristic->shortcut_count; i++) {
        const wend__shortcut *other = &heuristic->shortcuts[i];
        if (bound >= other->bound + farthest_between(heuristic, entrances, &other->entrances)) return true;
    }
    return false;
}

/* The shortcuts are sorted by their bounds; shortcuts that lower no estimate are dropped. */
static void set_shortcuts(wend__heuristic *heuristic, const wend__version *version) {
    const wend__links *links = version->links;
    uint64_t bounds[WEND__LINK_GROUPS];
    uint32_t order[WEND__LINK_GROUPS];
    bound_groups(heuristic, version, bounds);
    for (uint32_t g = 0; g < links->group_count; g++) {
        uint32_t i = g;
        for (; i > 0 && bounds[order[i - 1]] > bounds[g]; i--) order[i] = order[i - 1];
        order[i] = g;
    }
    for (uint32_t i = 0; i < links->group_count; i++) {
        const uint32_t g = order[i];
        const wend_box *entrances = &links->groups[g].entrances;
        if (!is_idle(heuristic, entrances, bounds[g]))
            heuristic->shortcuts[heuristic->shortcut_count++] = (wend__shortcut){*entrances, bounds[g]};
    }
}

/* ---- preparing ---- */

static void set_costs(wend__heuristic *heuristic, const wend_map_rules *rules) {
    const uint64_t s = (uint32_t)rules->cost_straight, d = (uint32_t)rules->cost_diagonal,
                   t = (uint32_t)rules->cost_space;
    heuristic->straight = (uint32_t)s, heuristic->diagonal = (uint32_t)d, heuristic->space = (uint32_t)t;
    heuristic->euclid = 6 * s * s;
    const bool diagonals = rules->neighbours != 4 && rules->neighbours != 6;
    if (heuristic->hexagons && heuristic->kind == WEND_HEURISTIC_EUCLID) heuristic->kind = WEND_HEURISTIC_EXACT;
    if (diagonals && 3 * d * d < heuristic->euclid) heuristic->euclid = 3 * d * d;
    if (rules->neighbours == 26 && 2 * t * t < heuristic->euclid) heuristic->euclid = 2 * t * t;
    if (!diagonals && heuristic->kind == WEND_HEURISTIC_MANHATTAN) heuristic->kind = WEND_HEURISTIC_EXACT;
}

/* If the squares of `euclid` would exceed 64 bits the exact estimate takes its place, as `euclid` would lose bits and
 * be inconsistent. */
static bool squares_fit(const wend__version *v) {
    const int64_t longer = v->width > v->height ? v->width : v->height, side = longer > v->depth ? longer : v->depth;
    return side * v->rules.cost_straight < INT64_C(1) << 29;
}

static void add_goal(wend__heuristic *heuristic, wend_cell goal) {
    heuristic->goals[heuristic->goal_count] = goal;
    heuristic->points[heuristic->goal_count++] = place_of(heuristic, goal);
}

/* With a weight the estimate has to be consistent. */
static void init_landmark_bounds(wend__heuristic *heuristic, const wend__version *version,
                                 const wend__request *request) {
    const wend__version *view = version->graph ? version : wend__version_view(version, request->mover);
    const wend__landmark_goals goals = {heuristic->goals, heuristic->goal_count, heuristic->reach};
    heuristic->map_kind = version->kind, heuristic->layer_rows = version->chunk_y;
    if (request->heuristic == WEND_HEURISTIC_ZERO) return;
    wend__landmark_bounds_init(&heuristic->landmark_bounds, view, request->start, &goals, 1);
    if (request->weight_milli != 1000 && heuristic->landmark_bounds.landmarks && heuristic->landmark_bounds.slack > 0)
        heuristic->landmark_bounds.landmarks = NULL;
}

static bool add_part(void *context, wend_box box, uint32_t sheet) {
    wend__heuristic *heuristic = context;
    if (heuristic->part_count++ >= WEND__REACH_PARTS) return false;
    heuristic->parts[heuristic->part_count - 1] = (wend__reach_part){box, sheet};
    return true;
}

static void find_parts(wend__heuristic *heuristic) {
    heuristic->part_count = 0;
    if (!heuristic->sheets || heuristic->reach == 0) return;
    for (uint32_t i = 0; i < heuristic->goal_count && heuristic->part_count <= WEND__REACH_PARTS; i++)
        wend__parts_within(heuristic->sheets, heuristic->goals[i], heuristic->reach, add_part, heuristic);
}

/* Returns whether steps may lead between places that are not neighbours: out of a blocked start at a sheet's border, or
 * from sheet to sheet. */
static bool places_mislead(const wend__version *version, const wend__request *request) {
    const wend__version *view = wend__version_view(version, request->mover);
    return view->torn || wend__cell_factor(view, request->start) == 0;
}

void wend__heuristic_set_plain(wend__heuristic *heuristic, const wend__version *version, const wend__request *request) {
    const wend__graph *graph = version->graph;
    heuristic->graph = graph && graph->coordinates ? graph : NULL;
    heuristic->rules = &version->rules;
    heuristic->kind = graph ? WEND_HEURISTIC_EXACT : request->heuristic;
    heuristic->blind = request->heuristic == WEND_HEURISTIC_ZERO || (graph && graph->cost_per_unit == 0);
    heuristic->sheets = version->sheets ? version : NULL;
    heuristic->blind |= version->sheets && places_mislead(version, request);
    heuristic->reach = request->reach;
    heuristic->goal_count = heuristic->shortcut_count = 0;
    heuristic->around_x = version->around_x, heuristic->around_y = version->around_y;
    if (heuristic->kind == WEND_HEURISTIC_EUCLID && !squares_fit(version)) heuristic->kind = WEND_HEURISTIC_EXACT;
    heuristic->hexagons = wend__is_hex(version);
    set_costs(heuristic, heuristic->rules);
    heuristic->octile =
        version->kind == WEND_KIND_GRID && heuristic->rules->neighbours == 8 && heuristic->kind == WEND_HEURISTIC_EXACT;
    heuristic->levels = !graph && wend__is_walker(wend__version_view(version, request->mover));
    add_goal(heuristic, request->goal);
    for (uint32_t i = 0; i < request->more_goal_count; i++) add_goal(heuristic, request->more_goals[i]);
    find_parts(heuristic);
    if (!heuristic->blind && wend__links_in_groups(version->links)) set_shortcuts(heuristic, version);
    heuristic->landmark_bounds.landmarks = NULL;
    heuristic->quick = !graph && !heuristic->blind && heuristic->kind == WEND_HEURISTIC_EXACT &&
                       heuristic->goal_count == 1 && heuristic->shortcut_count == 0 && !wend__wraps(version) &&
                       !heuristic->sheets && heuristic->rules->neighbours != 18 && !heuristic->levels &&
                       !heuristic->hexagons;
    bool flat = heuristic->rules->neighbours == 4 || heuristic->rules->neighbours == 6;
    heuristic->quick_second = flat ? heuristic->straight : heuristic->diagonal - heuristic->straight;
    heuristic->quick_third = flat ? heuristic->straight : heuristic->space - heuristic->diagonal;
}

void wend__heuristic_set(wend__heuristic *heuristic, const wend__version *version, const wend__request *request) {
    wend__heuristic_set_plain(heuristic, version, request);
    init_landmark_bounds(heuristic, version, request);
}

/* ---- estimating ---- */

uint64_t wend__heuristic_estimate(const wend__heuristic *heuristic, wend_cell cell) {
    if (heuristic->blind) return 0;
    const wend_cell at = place_of(heuristic, cell);
    uint64_t least = estimate_to_goals(heuristic, at);
    for (uint32_t i = 0; i < heuristic->shortcut_count; i++) {
        const wend__shortcut *shortcut = &heuristic->shortcuts[i];
        if (shortcut->bound >= least) break;
        uint64_t way = shortcut->bound + estimate_to_box(heuristic, at, &shortcut->entrances);
        if (way < least) least = way;
    }
    return least;
}

/* The same on a map with sheets, with a reach. */
static bool is_in_part(const wend__heuristic *heuristic, wend_cell cell) {
    const wend__version *v = heuristic->sheets;
    const uint32_t sheet = wend__sheet_part_of(v, cell)->sheet, count = heuristic->part_count;
    for (uint32_t i = 0; i < count && count <= WEND__REACH_PARTS; i++) {
        const wend_box *box = &heuristic->parts[i].box;
        if (heuristic->parts[i].sheet == sheet && cell.x >= box->min.x && cell.y >= box->min.y &&
            cell.x <= box->max.x && cell.y <= box->max.y)
            return true;
    }
    for (uint32_t i = 0; i < heuristic->goal_count && count > WEND__REACH_PARTS; i++)
        if (wend__lies_within(v, heuristic->goals[i], heuristic->reach, cell)) return true;
    return false;
}

bool wend__heuristic_is_goal(const wend__heuristic *heuristic, wend_cell cell) {
    const uint32_t reach = (uint32_t)heuristic->reach;
    if (heuristic->part_count > 0) return is_in_part(heuristic, cell);
    for (uint32_t i = 0; i < heuristic->goal_count; i++) {
        const wend_cell goal = heuristic->goals[i];
        if (wend__way_round(wend__distance(cell.x, goal.x), heuristic->around_x) <= reach &&
            wend__way_round(wend__distance(cell.y, goal.y), heuristic->around_y) <= reach &&
            wend__distance(cell.z, goal.z) <= reach)
            return true;
    }
    return false;
}

/* ---- prices ---- */

/* Measured by bench_expansions. */
enum {
    OVER_ALL = 8,  ///< an estimate that has several goals or links
    TO_GOAL = 6,   ///< one of the goals
    ON_GRAPH = 20, ///< a goal on a graph: a root
    BY_EUCLID = 85,
    BY_LINKS = 5, ///< a group of links, on top of the distance to its box
    BY_MARKS = 16,
    MARKED_CELL = 10 ///< a goal cell, or one within reach of a goal, when landmark bounds are taken
};

static uint32_t distance_points(const wend__heuristic *heuristic) {
    if (heuristic->graph) return ON_GRAPH;
    return heuristic->kind == WEND_HEURISTIC_EUCLID ? BY_EUCLID : TO_GOAL;
}

uint32_t wend__heuristic_points(const wend__heuristic *heuristic) {
    const uint32_t marks = heuristic->landmark_bounds.landmarks ? BY_MARKS : 0;
    if (heuristic->quick || heuristic->blind) return TO_GOAL + marks;
    const uint32_t distance = distance_points(heuristic);
    return OVER_ALL + marks + heuristic->goal_count * distance + heuristic->shortcut_count * (distance + BY_LINKS);
}

uint64_t wend__heuristic_bounds_points(const wend__heuristic *heuristic, int32_t kind) {
    const uint64_t side = 2 * (uint64_t)heuristic->reach + 1, goals = heuristic->goal_count;
    const uint64_t cells = goals * side * side * (kind == WEND_KIND_VOXEL ? side : 1);
    return (cells < WEND__BOUND_GOAL_CELLS ? cells - 1 : WEND__BOUND_GOAL_CELLS) * MARKED_CELL;
}

uint64_t wend__heuristic_begin_points(const wend__heuristic *heuristic, const wend__version *version) {
    const uint64_t distance = distance_points(heuristic), goals = heuristic->goal_count;
    uint64_t points = (goals - 1) * TO_GOAL;
    if (!heuristic->blind && wend__links_in_groups(version->links)) {
        const uint64_t groups = version->links->group_count, legs = wend__links_in_groups(version->links) * goals;
        points += (legs < MOST_LEGS ? legs : goals * groups) * distance + groups * groups * (distance + BY_LINKS);
    }
    return points;
}
