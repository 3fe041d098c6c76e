/* SPDX-License-Identifier: MIT */
/* Lower bounds of what is left, with many goals and links. */
#include "search/aim.h"

#include "search/estimate.h"

typedef struct offsets {
    uint32_t x, y, z;
} offsets;

/* ---- distances ---- */

static uint64_t measured(const wend__aim *aim, offsets d) {
    if (aim->heuristic == WEND_HEURISTIC_EUCLID)
        return wend__scaled_root((uint64_t)d.x * d.x + (uint64_t)d.y * d.y + (uint64_t)d.z * d.z, aim->euclid, 6);
    if (aim->heuristic == WEND_HEURISTIC_MANHATTAN) return aim->straight * ((uint64_t)d.x + d.y + d.z);
    return wend__empty_way(aim->rules, d.x, d.y, d.z);
}

static uint32_t less_reach(uint32_t distance, int32_t reach) {
    return distance > (uint32_t)reach ? distance - (uint32_t)reach : 0;
}

static uint64_t to_goal(const wend__aim *aim, wend_cell from, uint32_t goal) {
    const wend_cell to = aim->points[goal];
    if (aim->graph) return wend__graph_estimate(aim->graph, from, to);
    const offsets d = {less_reach(wend__distance(from.x, to.x), aim->reach),
                       less_reach(wend__distance(from.y, to.y), aim->reach),
                       less_reach(wend__distance(from.z, to.z), aim->reach)};
    return measured(aim, d);
}

static uint64_t to_any_goal(const wend__aim *aim, wend_cell from) {
    uint64_t least = UINT64_MAX;
    for (uint32_t i = 0; i < aim->goal_count; i++) {
        uint64_t way = to_goal(aim, from, i);
        if (way < least) least = way;
    }
    return least;
}

static int32_t clamp(int32_t value, int32_t low, int32_t high) {
    return value < low ? low : value > high ? high : value;
}

static uint64_t to_box(const wend__aim *aim, wend_cell from, const wend_box *box) {
    const wend_cell to = {clamp(from.x, box->min.x, box->max.x), clamp(from.y, box->min.y, box->max.y),
                          clamp(from.z, box->min.z, box->max.z)};
    if (aim->graph) return wend__graph_estimate(aim->graph, from, to);
    return measured(
        aim, (offsets){wend__distance(from.x, to.x), wend__distance(from.y, to.y), wend__distance(from.z, to.z)});
}

/* Where two ranges are nearest to one another: a place of the first. */
static int32_t nearest_of(int32_t low, int32_t high, int32_t other_low, int32_t other_high) {
    if (other_low > high) return high;
    if (other_high < low) return low;
    return other_low > low ? other_low : low;
}

static uint64_t between_boxes(const wend__aim *aim, const wend_box *from, const wend_box *to) {
    const wend_cell place = {nearest_of(from->min.x, from->max.x, to->min.x, to->max.x),
                             nearest_of(from->min.y, from->max.y, to->min.y, to->max.y),
                             nearest_of(from->min.z, from->max.z, to->min.z, to->max.z)};
    return to_box(aim, place, to);
}

/* ---- links ---- */

/* No more than so many estimates are made of links one by one. */
enum { MOST_LEGS = 2048 };

static wend_box widened(const wend_box *box, int32_t by) {
    return (wend_box){{box->min.x - by, box->min.y - by, box->min.z - by},
                      {box->max.x + by, box->max.y + by, box->max.z + by}};
}

/* What the way to a goal costs at least that begins with a link of a group and uses no other: link by link, or where there
 * are many links and goals by the box of their ends. */
static uint64_t last_leg(const wend__aim *aim, const wend__links *links, const wend__link_group *group) {
    uint64_t least = UINT64_MAX;
    if ((uint64_t)links->count * aim->goal_count > MOST_LEGS) {
        const wend_box exits = widened(&group->exits, aim->reach);
        for (uint32_t i = 0; i < aim->goal_count; i++) {
            uint64_t way = group->cheapest + to_box(aim, aim->points[i], &exits);
            if (way < least) least = way;
        }
        return least;
    }
    for (uint32_t i = group->first; i < group->first + group->count; i++) {
        const wend__link_member *member = &links->members[i];
        uint64_t way = member->cost + to_any_goal(aim, member->exit);
        if (way < least) least = way;
    }
    return least;
}

/* Dijkstra over the groups, from the goals backwards: from a group's exits one may go on to any group's entrances. */
static void bound_groups(const wend__aim *aim, const wend__links *links, uint64_t bounds[WEND__LINK_GROUPS]) {
    bool settled[WEND__LINK_GROUPS] = {false};
    for (uint32_t g = 0; g < links->group_count; g++) bounds[g] = last_leg(aim, links, &links->groups[g]);
    for (uint32_t round = 0; round < links->group_count; round++) {
        uint32_t next = WEND__LINK_GROUPS;
        for (uint32_t g = 0; g < links->group_count; g++)
            if (!settled[g] && (next == WEND__LINK_GROUPS || bounds[g] < bounds[next])) next = g;
        settled[next] = true;
        for (uint32_t g = 0; g < links->group_count; g++) {
            if (settled[g]) continue;
            uint64_t way = links->groups[g].cheapest + bounds[next] +
                           between_boxes(aim, &links->groups[g].exits, &links->groups[next].entrances);
            if (way < bounds[g]) bounds[g] = way;
        }
    }
}

/* From no entrance of the group is the goal farther than this, as estimates go without links: the estimate is convex, so
 * it is greatest at a corner of the box. */
static uint64_t farthest_entrance(const wend__aim *aim, const wend_box *box) {
    uint64_t most = 0;
    for (unsigned corner = 0; corner < 8; corner++) {
        const wend_cell at = {corner & 1 ? box->max.x : box->min.x, corner & 2 ? box->max.y : box->min.y,
                              corner & 4 ? box->max.z : box->min.z};
        uint64_t way = to_goal(aim, at, 0);
        if (way > most) most = way;
    }
    return most;
}

/* A group whose links are no better than walking is left out: by the triangle inequality, which holds where nothing is
 * rounded, it would lower no estimate. */
static void set_shortcuts(wend__aim *aim, const wend__links *links) {
    uint64_t bounds[WEND__LINK_GROUPS];
    bool exact = !aim->graph && aim->heuristic == WEND_HEURISTIC_EXACT;
    bound_groups(aim, links, bounds);
    for (uint32_t g = 0; g < links->group_count; g++) {
        const wend_box *box = &links->groups[g].entrances;
        if (exact && bounds[g] >= farthest_entrance(aim, box)) continue;
        aim->shortcuts[aim->shortcut_count++] = (wend__shortcut){*box, bounds[g]};
    }
}

/* ---- taking aim ---- */

static void set_costs(wend__aim *aim, const wend_map_rules *rules) {
    const uint64_t s = (uint32_t)rules->cost_straight, d = (uint32_t)rules->cost_diagonal,
                   t = (uint32_t)rules->cost_space;
    aim->straight = (uint32_t)s, aim->diagonal = (uint32_t)d, aim->space = (uint32_t)t;
    aim->euclid = 6 * s * s;
    bool diagonals = rules->neighbours != 4 && rules->neighbours != 6;
    if (diagonals && 3 * d * d < aim->euclid) aim->euclid = 3 * d * d;
    if (rules->neighbours == 26 && 2 * t * t < aim->euclid) aim->euclid = 2 * t * t;
    if (!diagonals && aim->heuristic == WEND_HEURISTIC_MANHATTAN) aim->heuristic = WEND_HEURISTIC_EXACT;
}

static void add_goal(wend__aim *aim, wend_cell goal) {
    aim->goals[aim->goal_count] = goal;
    aim->points[aim->goal_count++] = aim->graph ? aim->graph->coordinates[goal.x] : goal;
}

void wend__aim_set(wend__aim *aim, const wend__version *version, const wend_request *request) {
    const wend__graph *graph = version->graph;
    aim->graph = graph && graph->coordinates ? graph : NULL;
    aim->rules = &version->rules;
    aim->heuristic = graph ? WEND_HEURISTIC_EXACT : request->heuristic;
    aim->blind = request->heuristic == WEND_HEURISTIC_ZERO || (graph && graph->cost_per_unit == 0);
    aim->reach = request->reach;
    aim->goal_count = aim->shortcut_count = 0;
    aim->substitute = false;
    set_costs(aim, aim->rules);
    add_goal(aim, request->goal);
    for (uint32_t i = 0; i < request->more_goal_count; i++) add_goal(aim, request->more_goals[i]);
    if (!aim->blind && version->links) set_shortcuts(aim, version->links);
    aim->quick = !graph && !aim->blind && aim->heuristic == WEND_HEURISTIC_EXACT && aim->goal_count == 1 &&
                 aim->shortcut_count == 0 && aim->rules->neighbours != 18;
    bool flat = aim->rules->neighbours == 4 || aim->rules->neighbours == 6;
    aim->quick_second = flat ? aim->straight : aim->diagonal - aim->straight;
    aim->quick_third = flat ? aim->straight : aim->space - aim->diagonal;
}

void wend__aim_substitute(wend__aim *aim, const wend__version *version, const wend_request *request, wend_cell cell) {
    wend_request instead = *request;
    instead.goal = cell;
    instead.reach = 0;
    wend__aim_set(aim, version, &instead);
    aim->substitute = true;
    aim->wanted = request->goal;
}

/* ---- asking ---- */

uint64_t wend__aim_estimate(const wend__aim *aim, wend_cell cell) {
    if (aim->blind) return 0;
    const wend_cell at = aim->graph ? aim->graph->coordinates[cell.x] : cell;
    uint64_t least = to_any_goal(aim, at);
    for (uint32_t i = 0; i < aim->shortcut_count; i++) {
        const wend__shortcut *shortcut = &aim->shortcuts[i];
        if (shortcut->bound >= least) continue;
        uint64_t way = shortcut->bound + to_box(aim, at, &shortcut->entrances);
        if (way < least) least = way;
    }
    return least;
}

bool wend__aim_hit(const wend__aim *aim, wend_cell cell) {
    const uint32_t reach = (uint32_t)aim->reach;
    for (uint32_t i = 0; i < aim->goal_count; i++) {
        const wend_cell goal = aim->goals[i];
        if (wend__distance(cell.x, goal.x) <= reach && wend__distance(cell.y, goal.y) <= reach &&
            wend__distance(cell.z, goal.z) <= reach)
            return true;
    }
    return false;
}

wend__nearness wend__aim_nearness(const wend__aim *aim, wend_cell cell) {
    wend__nearness least = {UINT64_MAX, UINT64_MAX};
    for (uint32_t i = 0; i < aim->goal_count; i++) {
        const wend_cell goal = aim->substitute ? aim->wanted : aim->points[i];
        wend__nearness way;
        if (aim->graph)
            way = wend__square_distance(aim->graph->coordinates[cell.x], goal);
        else
            way = (wend__nearness){0, wend__empty_way(aim->rules, wend__distance(cell.x, goal.x),
                                                      wend__distance(cell.y, goal.y), wend__distance(cell.z, goal.z))};
        if (wend__nearer(way, least)) least = way;
    }
    return least;
}
