/* SPDX-License-Identifier: MIT */
/* Groups of links that begin near one another, so that a heuristic need not visit each link. */
#include "map/links/sheet_table.h"
#include "map/kinds/graph.h"
#include "map/links/links.h"
#include "map/store/sort.h"

/* The links' numbers lie in `order` group by group: the upper half of a word is free for the sort key. */
typedef struct grouping {
    const wend__version *version;
    wend__links *links;
    uint64_t *order, *scratch;
} grouping;

static wend_cell point_of(const wend__version *version, uint32_t number) {
    if (version->graph) return version->graph->coordinates[number];
    return wend__place_on_ground(version, wend__cell_of_number(version, number));
}

static int32_t along(wend_cell cell, int axis) {
    return axis == 0 ? cell.x : axis == 1 ? cell.y : cell.z;
}

static void include(wend_box *box, wend_cell c) {
    box->min = (wend_cell){wend__least(box->min.x, c.x), wend__least(box->min.y, c.y), wend__least(box->min.z, c.z)};
    box->max = (wend_cell){wend__most(box->max.x, c.x), wend__most(box->max.y, c.y), wend__most(box->max.z, c.z)};
}

/* Computes the boxes of a group from its links. */
static void bound(const grouping *g, wend__link_group *group) {
    for (uint32_t i = 0; i < group->count; i++) {
        const wend__link *way = &g->links->sorted[(uint32_t)g->order[group->first + i]];
        wend_cell entrance = point_of(g->version, way->from), exit = point_of(g->version, way->to);
        if (i == 0) group->entrances = (wend_box){entrance, entrance}, group->exits = (wend_box){exit, exit};
        include(&group->entrances, entrance);
        include(&group->exits, exit);
    }
}

/* Returns how far a group's entrances reach, and along which axis; the first of equal ones. */
static uint64_t extent(const wend__link_group *group, int *axis) {
    uint64_t largest = 0;
    *axis = 0;
    for (int i = 0; i < 3; i++) {
        uint64_t reach = (uint64_t)((int64_t)along(group->entrances.max, i) - along(group->entrances.min, i));
        if (reach > largest) largest = reach, *axis = i;
    }
    return largest;
}

/* Splits a group by where its links begin along an axis, then by number: the upper half becomes a new group. */
static void split(grouping *g, wend__link_group *group, int axis) {
    uint64_t *order = g->order + group->first;
    for (uint32_t i = 0; i < group->count; i++) {
        uint32_t link = (uint32_t)order[i];
        uint32_t place = (uint32_t)along(point_of(g->version, g->links->sorted[link].from), axis) ^ UINT32_C(1) << 31;
        order[i] = (uint64_t)place << 32 | link;
    }
    wend__sort_numbers(order, g->scratch, group->count);
    wend__link_group *upper = &g->links->groups[g->links->group_count++];
    uint32_t lower = (group->count + 1) / 2;
    upper->first = group->first + lower;
    upper->count = group->count - lower;
    group->count = lower;
    bound(g, group);
    bound(g, upper);
}

/* Splits the group that reaches farthest, the first of equal ones, until there are enough or each is at one cell. */
static void split_all(grouping *g) {
    wend__links *links = g->links;
    while (links->group_count < WEND__LINK_GROUPS) {
        uint64_t largest = 0;
        uint32_t which = 0;
        int axis, which_axis = 0;
        for (uint32_t i = 0; i < links->group_count; i++) {
            uint64_t reach = extent(&links->groups[i], &axis);
            if (reach > largest) largest = reach, which = i, which_axis = axis;
        }
        if (!largest) return;
        split(g, &links->groups[which], which_axis);
    }
}

static void one_group_each(const grouping *g) {
    g->links->group_count = wend__links_in_groups(g->links);
    for (uint32_t i = 0; i < g->links->group_count; i++) {
        g->links->groups[i].first = i, g->links->groups[i].count = 1;
        bound(g, &g->links->groups[i]);
    }
}

static void list_members(const grouping *g) {
    wend__link_member *members = (wend__link_member *)g->links->members;
    for (uint32_t i = 0; i < wend__links_in_groups(g->links); i++) {
        const wend__link *way = &g->links->sorted[(uint32_t)g->order[i]];
        members[i] = (wend__link_member){point_of(g->version, way->to), way->cost};
    }
    for (uint32_t i = 0; i < g->links->group_count; i++) {
        wend__link_group *group = &g->links->groups[i];
        group->cheapest = members[group->first].cost;
        for (uint32_t j = 1; j < group->count; j++)
            if (members[group->first + j].cost < group->cheapest) group->cheapest = members[group->first + j].cost;
    }
}

void wend__links_group(const wend__version *version, wend__links *links, uint64_t *room) {
    grouping g = {version, links, room, room + links->count};
    uint32_t count = 0;
    for (uint32_t i = 0; i < links->count; i++)
        if (!wend__link_is_seam(&links->sorted[i])) room[count++] = i;
    if (count <= WEND__LINK_GROUPS) {
        one_group_each(&g);
    } else {
        links->group_count = 1;
        links->groups[0].count = count;
        bound(&g, &links->groups[0]);
        split_all(&g);
    }
    list_members(&g);
}
