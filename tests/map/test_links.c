/* SPDX-License-Identifier: MIT */
/* Links: added, replaced and removed in batches, found, grouped, limited, shared, and joining components. */
#include "map/map_support.h"

#include "map/components/components.h"
#include "map/components/link_components.h"
#include "map/kinds/graph.h"
#include "map/kinds/voxels.h"
#include "map/links/links.h"
#include "map/movers/views.h"
#include "map/query/step_cost.h"
#include "map/store/directions.h"
#include "map/store/map_layout.h"
#include "map/version/version.h"
#include "map/store/memory.h"
#include "models/few_or_many.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <wend/ways.h>

enum { WIDTH = 12, HEIGHT = 9, CELLS = WIDTH * HEIGHT };

/* Cost of the link of each pair of cells; 0: there is none. */
typedef struct link_model {
    int32_t cost[CELLS][CELLS];
} link_model;

static wend_cell cell_of(int32_t number) {
    return at(number % WIDTH, number / WIDTH);
}

static int32_t number_of(wend_cell cell) {
    return cell.y * WIDTH + cell.x;
}

static size_t count_links(const wend_map *map) {
    size_t count;
    wend_map_get_links(map, NULL, 0, &count);
    return count;
}

static void check_from(const link_model *m, const wend__links *links, int32_t from) {
    uint32_t count = 0, expected = 0;
    const wend__link *ways = links ? wend__links_from(links, (uint32_t)from, &count) : NULL;
    for (int32_t to = 0; to < CELLS; to++) {
        cr_assert_eq(wend__links_cost(links, (uint32_t)from, (uint32_t)to), (uint32_t)m->cost[from][to]);
        if (!m->cost[from][to]) continue;
        cr_assert_lt(expected, count);
        cr_assert_eq(ways[expected].from, (uint32_t)from);
        cr_assert_eq(ways[expected].to, (uint32_t)to);
        cr_assert_eq(ways[expected].cost, (uint32_t)m->cost[from][to]);
        expected++;
    }
    cr_assert_eq(count, expected);
    cr_assert_eq(ways == NULL, expected == 0);
}

static void check_version(const link_model *m, const wend__version *v) {
    for (int32_t from = 0; from < CELLS; from++) check_from(m, v->links, from);
    cr_assert(!v->links || v->links->count > 0);
}

static void check_list(const link_model *m, const wend_map *map) {
    static wend_link list[CELLS * CELLS];
    size_t count, seen = 0;
    wend_map_get_links(map, list, CELLS * CELLS, &count);
    for (int32_t from = 0; from < CELLS; from++)
        for (int32_t to = 0; to < CELLS; to++) {
            if (!m->cost[from][to]) continue;
            cr_assert_lt(seen, count);
            cr_assert_eq(number_of(list[seen].from), from);
            cr_assert_eq(number_of(list[seen].to), to);
            cr_assert_eq(list[seen].cost, m->cost[from][to]);
            cr_assert_eq(list[seen].movers, 0u);
            seen++;
        }
    cr_assert_eq(seen, count);
    wend_map_info info = info_now(map);
    cr_assert_eq(info.links, count);
}

static void check_map(const link_model *m, wend_map *map) {
    wend__version *v = wend__map_acquire(map, false);
    check_version(m, v);
    wend__map_release(v, false);
    check_list(m, map);
}

/* A random change of links among the first `cells`, in the batch and in the model. */
static void change_one(wend_edit *edit, link_model *m, uint32_t cells, uint64_t *seed) {
    int32_t from = (int32_t)draw(seed, cells), to = (int32_t)draw(seed, cells);
    if (from == to) return;
    if (draw(seed, 3)) {
        int32_t cost = 1 + (int32_t)draw(seed, WEND_MAX_COST);
        cr_assert_eq(wend_edit_add_link(edit, &(wend_link){cell_of(from), cell_of(to), cost, 0}), WEND_OK);
        m->cost[from][to] = cost;
    } else {
        int32_t expected = m->cost[from][to] ? WEND_OK : WEND_EMPTY;
        cr_assert_eq(wend_edit_remove_link(edit, cell_of(from), cell_of(to)), expected);
        m->cost[from][to] = 0;
    }
}

static void change_many(wend_map *map, link_model *m, uint64_t *seed) {
    uint32_t cells = draw(seed, 2) ? CELLS : 5, count = draw(seed, 60);
    IN_BATCH(map, for (uint32_t i = 0; i < count; i++) change_one(edit, m, cells, seed));
}

Test(map_links, are_as_the_batches_say_in_versions_and_forks) {
    link_model *now = calloc(4, sizeof *now);
    link_model *fork_now = now + 1, *pinned_then = now + 2, *discarded = now + 3;
    uint64_t seed = 1;
    wend_map *map = map_of_size(WIDTH, HEIGHT), *fork = NULL;
    wend__version *pinned = wend__map_acquire(map, true);
    for (int32_t round = 0; round < 120; round++) {
        change_many(map, now, &seed);
        check_map(now, map);
        if (fork) change_many(fork, fork_now, &seed);
        if (fork) check_map(fork_now, fork);
        if (round % 20 == 10) {
            wend_map_release(fork);
            cr_assert_eq(wend_map_fork(map, &fork), WEND_OK);
            *fork_now = *now;
        }
        check_version(pinned_then, pinned);
        if (round % 7 == 0) {
            wend__map_release(pinned, true);
            pinned = wend__map_acquire(map, true);
            *pinned_then = *now;
        }
        wend_edit *edit = begin_edit(map);
        *discarded = *now;
        change_one(edit, discarded, CELLS, &seed);
        wend_edit_discard(edit);
    }
    wend__map_release(pinned, true);
    wend_map_release(map);
    check_map(fork_now, fork);
    wend_map_release(fork);
    free(now);
}

Test(map_links, that_are_all_removed_leave_nothing) {
    counting c = {0};
    wend_map_def def = default_map();
    def.width = def.height = 100, def.allocator = counting_allocator(&c);
    wend_map *map = made_map(&def);
    uint64_t before = map_bytes(map);
    wend_edit *edit = begin_edit(map);
    for (int32_t x = 0; x < 100; x++)
        cr_assert_eq(wend_edit_add_link(edit, &(wend_link){at(x, 0), at(99 - x, 9), 7, 0}), WEND_OK);
    cr_assert_eq(wend_edit_publish(edit, NULL), WEND_OK);
    cr_assert_gt(map_bytes(map), before);
    cr_assert_eq(count_links(map), 100u);
    cr_assert_eq(wend_edit_begin(map, &edit), WEND_OK);
    for (int32_t x = 0; x < 100; x++) cr_assert_eq(wend_edit_remove_link(edit, at(x, 0), at(99 - x, 9)), WEND_OK);
    cr_assert_eq(wend_edit_publish(edit, NULL), WEND_OK);
    cr_assert_eq(map_bytes(map), before);
    cr_assert_eq(count_links(map), 0u);
    wend_map_release(map);
    cr_assert_eq(c.blocks, 0u);
}

Test(map_links, are_listed_up_to_the_capacity_and_counted_beyond) {
    OWNED_MAP *map = map_of_size(WIDTH, HEIGHT);
    wend_link list[3];
    size_t count;
    IN_BATCH(map,
             for (int32_t i = 0; i < 5; i++) wend_edit_add_link(edit, &(wend_link){at(5 - i, 1), at(0, 0), 10 + i, 0}));
    memset(list, 0x77, sizeof list);
    wend_map_get_links(map, list, 2, &count);
    cr_assert_eq(count, 5u);
    cr_assert(list[0].from.x == 1 && list[0].cost == 14);
    cr_assert(list[1].from.x == 2 && list[1].cost == 13);
    cr_assert_eq(list[2].cost, 0x77777777);
}

/* ---- refusals ---- */

static wend_error add_once(wend_map *map, wend_cell from, wend_cell to, int32_t cost) {
    size_t before = count_links(map);
    wend_edit *edit = begin_edit(map);
    wend_error error = wend_edit_add_link(edit, &(wend_link){from, to, cost, 0});
    if (error) cr_assert_eq(wend_edit_add_link(edit, &(wend_link){at(0, 0), at(1, 1), 1, 0}), error);
    if (error) cr_assert_eq(wend_edit_remove_link(edit, at(7, 7), at(1, 1)), error);
    cr_assert_eq(wend_edit_publish(edit, NULL), error);
    if (error) cr_assert_eq(count_links(map), before);
    return error;
}

Test(map_links, of_bad_cost_or_place_are_refused_and_the_error_sticks) {
    OWNED_MAP *map = map_of_size(WIDTH, HEIGHT);
    cr_assert_eq(add_once(map, at(2, 2), at(3, 3), 0), WEND_BAD_ARGUMENT);
    cr_assert_eq(add_once(map, at(2, 2), at(3, 3), -1), WEND_BAD_ARGUMENT);
    cr_assert_eq(add_once(map, at(2, 2), at(3, 3), INT32_MIN), WEND_BAD_ARGUMENT);
    cr_assert_eq(add_once(map, at(2, 2), at(3, 3), WEND_MAX_COST + 1), WEND_BAD_ARGUMENT);
    cr_assert_eq(add_once(map, at(2, 2), at(2, 2), 5), WEND_BAD_ARGUMENT);
    cr_assert_eq(add_once(map, at(WIDTH, 2), at(2, 2), 5), WEND_OUT_OF_RANGE);
    cr_assert_eq(add_once(map, at(2, 2), at(2, HEIGHT), 5), WEND_OUT_OF_RANGE);
    cr_assert_eq(add_once(map, (wend_cell){2, 2, 1}, at(2, 3), 5), WEND_OUT_OF_RANGE);
    cr_assert_eq(add_once(map, at(2, 2), at(-1, 3), 5), WEND_OUT_OF_RANGE);
    cr_assert_eq(add_once(map, at(2, 2), at(3, 3), 1), WEND_OK);
    cr_assert_eq(add_once(map, at(2, 2), at(3, 4), WEND_MAX_COST), WEND_OK);
    cr_assert_eq(count_links(map), 2u);
}

Test(map_links, removing_none_is_empty_and_does_not_stick) {
    OWNED_MAP *map = map_of_size(WIDTH, HEIGHT);
    cr_assert_eq(add_once(map, at(1, 1), at(5, 5), 3), WEND_OK);
    wend_edit *edit = begin_edit(map);
    cr_assert_eq(wend_edit_remove_link(edit, at(5, 5), at(1, 1)), WEND_EMPTY); /* the other way */
    cr_assert_eq(wend_edit_remove_link(edit, at(1, 1), at(5, 5)), WEND_OK);
    cr_assert_eq(wend_edit_remove_link(edit, at(1, 1), at(5, 5)), WEND_EMPTY);
    cr_assert_eq(wend_edit_add_link(edit, &(wend_link){at(2, 1), at(5, 5), 9, 0}), WEND_OK);
    cr_assert_eq(wend_edit_remove_link(edit, at(2, 1), at(5, 5)), WEND_OK);
    cr_assert_eq(wend_edit_remove_link(edit, at(2, 1), at(5, 5)), WEND_EMPTY);
    cr_assert_eq(wend_edit_remove_link(edit, at(3, 3), at(3, 3)), WEND_EMPTY);
    cr_assert_eq(wend_edit_publish(edit, NULL), WEND_OK);
    cr_assert_eq(count_links(map), 0u);
    cr_assert_eq(wend_edit_begin(map, &edit), WEND_OK);
    cr_assert_eq(wend_edit_remove_link(edit, at(WIDTH, 1), at(5, 5)), WEND_OUT_OF_RANGE);
    cr_assert_eq(wend_edit_publish(edit, NULL), WEND_OUT_OF_RANGE);
}

static wend_cell on_large(uint32_t number) {
    return at((int32_t)(number % 1024), (int32_t)(number / 1024 % 1024));
}

Test(map_links, are_as_many_as_the_limit_says_and_not_one_more) {
    OWNED_MAP *map = map_of_size(1024, 1024);
    wend_edit *edit = begin_edit(map);
    for (uint32_t i = 0; i < WEND_MAX_LINKS; i++) /* neither in order nor backwards */
        cr_assert_eq(wend_edit_add_link(edit, &(wend_link){on_large(i * 7919), on_large(i * 7919 + 5), 3, 0}), WEND_OK);
    cr_assert_eq(wend_edit_publish(edit, NULL), WEND_OK);
    cr_assert_eq(count_links(map), (size_t)WEND_MAX_LINKS);
    cr_assert_eq(add_once(map, on_large(0), on_large(6), 3), WEND_BAD_ARGUMENT);
    cr_assert_eq(add_once(map, on_large(0), on_large(5), 4), WEND_OK); /* another cost */
    cr_assert_eq(wend_edit_begin(map, &edit), WEND_OK);
    cr_assert_eq(wend_edit_remove_link(edit, on_large(9), on_large(14)), WEND_OK);
    cr_assert_eq(wend_edit_add_link(edit, &(wend_link){on_large(0), on_large(6), 3, 0}), WEND_OK);
    cr_assert_eq(wend_edit_add_link(edit, &(wend_link){on_large(9), on_large(14), 3, 0}), WEND_BAD_ARGUMENT);
    wend_edit_discard(edit);
    OWNED_VERSION *v = wend__map_acquire(map, false);
    for (uint32_t i = 1; i < v->links->count; i++) cr_assert_lt(v->links->sorted[i - 1].from, v->links->sorted[i].from);
    cr_assert_eq(wend__links_cost(v->links, 0, 5), 4u);
}

/* ---- groups ---- */

static bool inside(const wend_box *box, wend_cell c) {
    return c.x >= box->min.x && c.x <= box->max.x && c.y >= box->min.y && c.y <= box->max.y && c.z >= box->min.z &&
           c.z <= box->max.z;
}

static wend_box with(wend_box box, wend_cell c) {
    if (c.x < box.min.x) box.min.x = c.x;
    if (c.y < box.min.y) box.min.y = c.y;
    if (c.z < box.min.z) box.min.z = c.z;
    if (c.x > box.max.x) box.max.x = c.x;
    if (c.y > box.max.y) box.max.y = c.y;
    if (c.z > box.max.z) box.max.z = c.z;
    return box;
}

static wend_cell place_of(const wend__version *v, uint32_t number) {
    return v->graph ? v->graph->coordinates[number] : wend__cell_of_number(v, number);
}

/* Checks a group. The links' costs are 1 to count, each once, so that members can be told apart. */
static void check_group(const wend__version *v, const wend__link_group *group, bool *seen) {
    const wend__links *links = v->links;
    wend_box entrances = {{0, 0, 0}, {0, 0, 0}}, exits = entrances;
    for (uint32_t i = 0; i < group->count; i++) {
        const wend__link_member *member = &links->members[group->first + i];
        const wend__link *way = links->sorted;
        while (way->cost != member->cost) way++;
        wend_cell from = place_of(v, way->from);
        cr_assert(same_cell(member->exit, place_of(v, way->to)));
        cr_assert_not(seen[member->cost]);
        seen[member->cost] = true;
        if (i == 0) entrances = (wend_box){from, from}, exits = (wend_box){member->exit, member->exit};
        entrances = with(entrances, from);
        exits = with(exits, member->exit);
        cr_assert(inside(&group->entrances, from));
    }
    cr_assert(same_cell(entrances.min, group->entrances.min) && same_cell(entrances.max, group->entrances.max));
    cr_assert(same_cell(exits.min, group->exits.min) && same_cell(exits.max, group->exits.max));
}

static uint32_t check_groups(wend_map *map) {
    wend__version *v = wend__map_acquire(map, false);
    const wend__links *links = v->links;
    bool *seen = calloc(links->count + 1, sizeof *seen);
    uint32_t first = 0, count = links->group_count, members = 0;
    cr_assert_leq(count, (uint32_t)WEND__LINK_GROUPS);
    for (uint32_t i = 0; i < count; i++) {
        cr_assert_gt(links->groups[i].count, 0u);
        check_group(v, &links->groups[i], seen);
        members += links->groups[i].count;
        if (links->groups[i].first == 0) first++;
        if (links->count <= WEND__LINK_GROUPS) cr_assert_eq(links->groups[i].count, 1u);
    }
    cr_assert_eq(first, 1u);
    cr_assert_eq(members, links->count); /* each once, as `seen` shows */
    free(seen);
    wend__map_release(v, false);
    return count;
}

static uint32_t groups_of(int32_t kind, uint32_t links, wend_cell size, wend_cell spread, uint64_t seed) {
    wend_map_def def = default_map();
    def.kind = kind, def.width = size.x, def.height = size.y, def.depth = size.z;
    OWNED_MAP *map = made_map(&def);
    wend_edit *edit = begin_edit(map);
    for (uint32_t i = 0; i < links; i++) {
        wend_cell from = {(int32_t)draw(&seed, (uint32_t)spread.x), (int32_t)draw(&seed, (uint32_t)spread.y),
                          (int32_t)draw(&seed, (uint32_t)spread.z)};
        wend_cell to = {(int32_t)i, size.y - 1, size.z - 1}; /* no pair comes twice */
        cr_assert_eq(wend_edit_add_link(edit, &(wend_link){from, to, (int32_t)i + 1, 0}), WEND_OK);
    }
    cr_assert_eq(wend_edit_publish(edit, NULL), WEND_OK);
    uint32_t groups = check_groups(map);
    return groups;
}

Test(map_links, are_grouped_by_where_they_begin) {
    wend_cell size = {2100, 200, 1}, all = {2100, 199, 1}, one = {1, 1, 1}, two = {2, 1, 1};
    for (uint32_t links = 1; links <= 16; links++)
        cr_assert_eq(groups_of(WEND_KIND_GRID, links, size, all, links), links);
    cr_assert_eq(groups_of(WEND_KIND_GRID, 17, size, all, 1), 16u);
    cr_assert_eq(groups_of(WEND_KIND_GRID, 100, size, all, 2), 16u);
    cr_assert_eq(groups_of(WEND_KIND_GRID, 2000, size, all, 3), 16u);
    cr_assert_eq(groups_of(WEND_KIND_GRID, 16, size, one, 4), 16u);
    cr_assert_eq(groups_of(WEND_KIND_GRID, 17, size, one, 4), 1u);
    cr_assert_geq(groups_of(WEND_KIND_GRID, 2000, size, two, 4), 2u);
    cr_assert_eq(groups_of(WEND_KIND_VOXEL, 300, (wend_cell){400, 20, 30}, (wend_cell){9, 19, 30}, 5), 16u);
}

/* Sixteen heaps of entrances far from one another are the groups. */
Test(map_links, that_lie_in_sixteen_heaps_are_grouped_by_heap) {
    OWNED_MAP *map = map_of_size(4000, 4000);
    wend_edit *edit = begin_edit(map);
    for (int32_t i = 0; i < 160; i++)
        wend_edit_add_link(edit,
                           &(wend_link){at(i % 4 * 1000 + i / 16, i / 4 % 4 * 1000), at(3999 - i, 3999), 1 + i, 0});
    cr_assert_eq(wend_edit_publish(edit, NULL), WEND_OK);
    cr_assert_eq(check_groups(map), 16u);
    OWNED_VERSION *v = wend__map_acquire(map, false);
    for (uint32_t i = 0; i < 16; i++) {
        const wend_box *box = &v->links->groups[i].entrances;
        cr_assert_eq(v->links->groups[i].count, 10u);
        cr_assert(box->max.x - box->min.x == 9 && box->max.y == box->min.y);
    }
}

/* ---- joined components ---- */

static void flood(const model *m, int32_t *label, int32_t x, int32_t y, int32_t name) {
    if (!model_open(m, x, y) || label[y * m->width + x] >= 0) return;
    label[y * m->width + x] = name;
    for (int32_t dy = -1; dy <= 1; dy++)
        for (int32_t dx = -1; dx <= 1; dx++)
            if ((dx || dy) && model_step(m, x, y, dx, dy)) flood(m, label, x + dx, y + dy, name);
}

/* Renames until no link changes anything: a plain union. */
static void join_labels(const model *m, const wend_link *links, size_t count, int32_t *label) {
    for (bool changed = true; changed;) {
        changed = false;
        for (size_t i = 0; i < count; i++) {
            int32_t a = label[links[i].from.y * m->width + links[i].from.x];
            int32_t b = label[links[i].to.y * m->width + links[i].to.x];
            if (a < 0 || b < 0 || a == b) continue;
            for (int32_t c = 0; c < m->width * m->height; c++)
                if (label[c] == b) label[c] = a;
            changed = true;
        }
    }
}

static void check_reachable(const model *m, wend_map *map, uint64_t *seed) {
    enum { MOST = 4096 };
    static wend_link links[MOST];
    size_t count;
    int32_t cells = m->width * m->height, *label = malloc((size_t)cells * sizeof *label);
    for (int32_t i = 0; i < cells; i++) label[i] = -1;
    for (int32_t i = 0; i < cells; i++) flood(m, label, i % m->width, i / m->width, i);
    wend_map_get_links(map, links, MOST, &count);
    cr_assert_leq(count, (size_t)MOST);
    join_labels(m, links, count, label);
    for (int32_t i = 0; i < 3000; i++) {
        int32_t a = (int32_t)draw(seed, (uint32_t)cells), b = (int32_t)draw(seed, (uint32_t)cells);
        bool reachable;
        wend_cell from = at(a % m->width, a / m->width), to = at(b % m->width, b / m->width);
        cr_assert_eq(wend_map_reachable(map, WEND_MOVER_DEFAULT, from, to, &reachable), WEND_OK);
        cr_assert_eq(reachable, label[a] >= 0 && label[a] == label[b], "%d,%d to %d,%d", from.x, from.y, to.x, to.y);
    }
    free(label);
}

static void change_ground_and_links(wend_map *map, model *m, uint32_t links, uint64_t *seed) {
    wend_edit *edit = begin_edit(map);
    for (uint32_t i = 0; i < 60; i++) {
        wend_cell c = at((int32_t)draw(seed, (uint32_t)m->width), (int32_t)draw(seed, (uint32_t)m->height));
        uint8_t class = (uint8_t)draw(seed, 2);
        cr_assert_eq(wend_edit_set_cell(edit, c, class), WEND_OK);
        m->classes[c.y * m->width + c.x] = class;
    }
    for (uint32_t i = 0; i < links; i++) {
        wend_cell a = at((int32_t)draw(seed, (uint32_t)m->width), (int32_t)draw(seed, (uint32_t)m->height));
        wend_cell b = at((int32_t)draw(seed, (uint32_t)m->width), (int32_t)draw(seed, (uint32_t)m->height));
        if (!same_cell(a, b))
            cr_assert_eq(wend_edit_add_link(edit, &(wend_link){a, b, 1 + (int32_t)draw(seed, 99), 0}), WEND_OK);
    }
    cr_assert_eq(wend_edit_publish(edit, NULL), WEND_OK);
}

Test(map_links, join_components) {
    uint64_t seed = 77;
    wend_map_rules rules = default_rules();
    for (int32_t round = 0; round < 12; round++) {
        OWNED(model_free)
        model m = model_create(90, 75, &rules); /* two chunks each way; half of it blocked: many components */
        for (int32_t i = 0; i < 90 * 75; i++) m.classes[i] = draw(&seed, 100) < 46 ? 0 : 1;
        OWNED_MAP *map = map_of(&m);
        uint32_t links = round < 6 ? 3 : round < 9 ? 100 : 300;
        for (int32_t i = 0; i < 4; i++) {
            change_ground_and_links(map, &m, links, &seed);
            check_reachable(&m, map, &seed);
        }
        m.rules.corners = m.rules.corners == WEND_CORNERS_ALWAYS ? WEND_CORNERS_NEVER : WEND_CORNERS_ALWAYS;
        cr_assert_eq(wend_map_set_rules(map, &m.rules), WEND_OK);
        check_reachable(&m, map, &seed);
        rules.corners = (rules.corners + 1) % 3;
    }
}

/* ---- joined components on every kind of map, for every mover ---- */

typedef struct sets {
    const wend__version *ground;
    int32_t *parents; ///< by number of the cell
} sets;

static int32_t root_of(const sets *s, int32_t i) {
    while (s->parents[i] != i) i = s->parents[i];
    return i;
}

static void unite(const sets *s, wend_cell a, wend_cell b) {
    if (!wend__cell_factor(s->ground, a) || !wend__cell_factor(s->ground, b)) return;
    int32_t from = root_of(s, (int32_t)wend__cell_number(s->ground, a));
    s->parents[from] = root_of(s, (int32_t)wend__cell_number(s->ground, b));
}

static void unite_steps(const sets *s, wend_cell a) {
    const wend__version *g = s->ground;
    for (int d = 0; g->kind == WEND_KIND_GRID && d < WEND__DIRECTIONS; d++)
        if (wend__version_steps(g, a.x, a.y) >> d & 1) unite(s, a, at(a.x + wend__dx[d], a.y + wend__dy[d]));
    for (int d = 0; g->kind == WEND_KIND_VOXEL && d < WEND__SPACE_DIRECTIONS; d++)
        if (wend__voxel_steps(g, a) >> d & 1)
            unite(s, a, (wend_cell){a.x + wend__sx[d], a.y + wend__sy[d], a.z + wend__sz[d]});
    if (g->kind != WEND_KIND_GRAPH) return;
    for (wend__arcs arcs = wend__graph_arcs(g->graph, (uint32_t)a.x); arcs.first != arcs.end; arcs.first++)
        unite(s, a, at((int32_t)arcs.first->to, 0));
}

static wend_cell draw_cell(const wend_map *map, uint64_t *seed) {
    return (wend_cell){(int32_t)draw(seed, (uint32_t)map->width), (int32_t)draw(seed, (uint32_t)map->height),
                       (int32_t)draw(seed, (uint32_t)map->depth)};
}

/* Returns a cell that is open before the batch, mostly. */
static wend_cell draw_open(const wend_map *map, uint64_t *seed) {
    wend_cell c = draw_cell(map, seed);
    uint8_t class = 0;
    for (int32_t tries = 0; tries < 6 && !class; tries++) {
        c = draw_cell(map, seed);
        cr_assert_eq(wend_map_get_terrain(map, c, &class), WEND_OK);
    }
    return c;
}

/* @return how many of the tested pairs are connected by links only */
static uint32_t check_joined(wend_map *map, int32_t mover, uint64_t *seed) {
    wend__version *v = wend__map_acquire(map, false);
    sets s = {.ground = wend__version_view(v, mover)};
    int32_t cells = map->width * map->height * map->depth;
    uint32_t by_links = 0;
    s.parents = malloc((size_t)cells * sizeof *s.parents);
    for (int32_t i = 0; i < cells; i++) s.parents[i] = i;
    for (int32_t i = 0; i < cells; i++) unite_steps(&s, wend__cell_of_number(v, (uint32_t)i));
    for (uint32_t i = 0; v->links && i < v->links->count; i++)
        unite(&s, wend__cell_of_number(v, v->links->sorted[i].from), wend__cell_of_number(v, v->links->sorted[i].to));
    for (int32_t i = 0; i < 2000; i++) {
        wend_cell a = draw_cell(map, seed), b = draw_cell(map, seed);
        if (v->links && i % 2) { /* the ends of links, of one or of two */
            a = wend__cell_of_number(v, v->links->sorted[draw(seed, v->links->count)].from);
            b = wend__cell_of_number(v, v->links->sorted[draw(seed, v->links->count)].to);
        }
        int32_t from = root_of(&s, (int32_t)wend__cell_number(v, a));
        bool reachable;
        bool open = wend__cell_factor(s.ground, a) && wend__cell_factor(s.ground, b);
        bool expected = open && from == root_of(&s, (int32_t)wend__cell_number(v, b));
        cr_assert_eq(wend_map_reachable(map, mover, a, b, &reachable), WEND_OK);
        cr_assert_eq(reachable, expected, "mover %d, %d,%d,%d to %d,%d,%d", (int)mover, a.x, a.y, a.z, b.x, b.y, b.z);
        by_links += expected && wend__component_of(s.ground, a) != wend__component_of(s.ground, b);
    }
    free(s.parents);
    wend__map_release(v, false);
    return by_links;
}

/* Cells of three classes, a part of them blocked, and links; again and again. Links come before and after movers. */
static void join_on(wend_map *map, uint32_t blocked, uint64_t seed) {
    uint32_t by_links[3] = {0};
    wend_mover mover = default_mover();
    int32_t movers = 1, id;
    for (int32_t round = 0; round < 6; round++) {
        wend_edit *edit = begin_edit(map);
        for (int32_t i = 0; i < (round ? 200 : 20000); i++) {
            uint8_t class = draw(&seed, 100) < blocked ? 0 : draw(&seed, 8) ? 1 : 2;
            cr_assert_eq(wend_edit_set_cell(edit, draw_cell(map, &seed), class), WEND_OK);
        }
        for (int32_t i = 0; round != 3 && i < 12; i++) {
            wend_cell a = draw_open(map, &seed), b = draw_open(map, &seed);
            if (!same_cell(a, b)) cr_assert_eq(wend_edit_add_link(edit, &(wend_link){a, b, 5, 0}), WEND_OK);
        }
        cr_assert_eq(wend_edit_publish(edit, NULL), WEND_OK);
        for (int32_t i = 0; i < movers; i++) by_links[i] += check_joined(map, i, &seed);
        if (movers == 3) continue;
        mover.size = map->kind == WEND_KIND_GRAPH ? 1 : movers;
        mover.factors[2] = 0; /* a mover for which more is blocked */
        cr_assert_eq(wend_map_add_mover(map, &mover, &id), WEND_OK);
        cr_assert_eq(id, movers);
        check_joined(map, movers++, &seed);
    }
    cr_assert(by_links[0] > 20 && by_links[1] > 20, "%u, %u", by_links[0], by_links[1]);
    wend_map_release(map);
}

static wend_map *map_of_kind(int32_t kind, int32_t width, int32_t height, int32_t depth, int32_t corners) {
    wend_map_def def = default_map();
    wend_map_rules def_rules = default_rules();
    def.rules = &def_rules, def.kind = kind;
    def.width = width, def.height = height, def.depth = depth;
    def_rules.corners = corners;
    return made_map(&def);
}

static wend_map *graph_of(uint32_t nodes, const wend_cell *coordinates, uint64_t seed) {
    wend_graph_def def = default_graph();
    wend_edge *edges = malloc(nodes * sizeof *edges);
    for (uint32_t i = 0; i < nodes; i++) edges[i] = (wend_edge){draw(&seed, nodes), draw(&seed, nodes), 50};
    def.node_count = nodes, def.edges = edges, def.edge_count = nodes;
    def.coordinates = coordinates;
    wend_map *map = made_graph(&def);
    free(edges);
    return map;
}

Test(map_links, join_components_for_movers_on_grids) {
    join_on(map_of_kind(WEND_KIND_GRID, 90, 75, 1, WEND_CORNERS_NEVER), 45, 1);
    join_on(map_of_kind(WEND_KIND_GRID, 70, 130, 1, WEND_CORNERS_ALWAYS), 65, 2);
}

Test(map_links, join_components_in_space) {
    join_on(map_of_kind(WEND_KIND_VOXEL, 20, 18, 17, WEND_CORNERS_NEVER), 75, 3);
    join_on(map_of_kind(WEND_KIND_VOXEL, 18, 33, 10, WEND_CORNERS_ONE), 75, 4);
}

Test(map_links, join_components_of_graphs) {
    join_on(graph_of(300, NULL, 5), 25, 5);
    join_on(graph_of(9000, NULL, 6), 25, 6);
}

/* Coordinates of any sign; and none. */
Test(map_links, of_graphs_are_grouped_by_coordinates) {
    enum { NODES = 500 };
    wend_cell *places = malloc(NODES * sizeof *places);
    uint64_t seed = 8;
    for (int32_t i = 0; i < NODES; i++)
        places[i] = (wend_cell){(int32_t)draw(&seed, 2000) - 1000, INT32_MIN + (int32_t)draw(&seed, 9), -i};
    for (int32_t round = 0; round < 2; round++) {
        OWNED_MAP *map = graph_of(NODES, round ? NULL : places, 9);
        wend_edit *edit = begin_edit(map);
        for (int32_t i = 0; i < 200; i++)
            cr_assert_eq(wend_edit_add_link(edit, &(wend_link){at((i * 7 + 1) % NODES, 0), at(i + 300, 0), 1 + i, 0}),
                         WEND_OK);
        cr_assert_eq(wend_edit_publish(edit, NULL), WEND_OK);
        OWNED_VERSION *v = wend__map_acquire(map, false);
        const wend__links *links = v->links;
        bool seen[201] = {false};
        cr_assert_eq(links->group_count, round ? 0u : 16u);
        for (uint32_t i = 0; i < links->group_count; i++) check_group(v, &links->groups[i], seen);
        for (int32_t cost = 1; cost <= 200 && !round; cost++) cr_assert(seen[cost]);
    }
    free(places);
}

/* A row of entrances, most of them on one side of 0, is cut into equal pieces. */
Test(map_links, of_graphs_are_grouped_across_the_origin) {
    enum { NODES = 200 };
    wend_cell places[NODES];
    for (int32_t i = 0; i < NODES; i++) places[i] = at(i - 60, 0);
    OWNED_MAP *map = graph_of(NODES, places, 1);
    wend_edit *edit = begin_edit(map);
    for (int32_t i = 0; i < NODES; i++)
        cr_assert_eq(wend_edit_add_link(edit, &(wend_link){at(i, 0), at(NODES - 1 - i, 0), 1 + i, 0}), WEND_OK);
    cr_assert_eq(wend_edit_publish(edit, NULL), WEND_OK);
    OWNED_VERSION *v = wend__map_acquire(map, false);
    cr_assert_eq(v->links->group_count, 16u);
    for (uint32_t i = 0; i < 16; i++) {
        const wend__link_group *group = &v->links->groups[i];
        cr_assert(group->count == 12 || group->count == 13);
        cr_assert_eq(group->entrances.max.x - group->entrances.min.x, (int32_t)group->count - 1);
    }
}

static bool reaches(wend_map *map, wend_cell a, wend_cell b) {
    bool reachable;
    cr_assert_eq(wend_map_reachable(map, WEND_MOVER_DEFAULT, a, b, &reachable), WEND_OK);
    return reachable;
}

Test(map_links, s11_with_a_blocked_end_lead_nowhere) {
    static const char *const rows[] = {"..#..", "..#..", "..#.."};
    OWNED(model_free) model m = model_of_text(rows, 3, NULL);
    OWNED_MAP *map = map_of(&m);
    cr_assert_eq(add_once(map, at(2, 1), at(4, 1), 1), WEND_OK); /* begins in the wall */
    cr_assert_eq(add_once(map, at(0, 0), at(2, 2), 1), WEND_OK); /* ends there */
    cr_assert_not(reaches(map, at(0, 0), at(4, 2)));
    cr_assert_eq(add_once(map, at(0, 0), at(4, 0), 1), WEND_OK);
    cr_assert(reaches(map, at(1, 2), at(3, 2)));
    cr_assert_eq(wend_map_set_cell(map, at(4, 0), 0, NULL), WEND_OK);
    cr_assert_not(reaches(map, at(1, 2), at(3, 2)));
    OWNED_VERSION *v = wend__map_acquire(map, false);
    cr_assert_null(v->link_components);
}

Test(map_links, of_the_batch_count_when_it_is_asked_what_it_would_disconnect) {
    static const char *const rows[] = {".....", ".....", "....."};
    OWNED(model_free) model m = model_of_text(rows, 3, NULL);
    OWNED_MAP *map = map_of(&m);
    bool parts;
    wend_edit *edit = begin_edit(map);
    wend_edit_fill_box(edit, box_of(2, 0, 2, 2), 0);
    cr_assert_eq(wend_edit_would_disconnect(edit, WEND_MOVER_DEFAULT, at(0, 0), at(4, 0), &parts), WEND_OK);
    cr_assert_eq(parts, 1);
    uint64_t bytes = map_bytes(map);
    cr_assert_eq(wend_edit_add_link(edit, &(wend_link){at(1, 0), at(3, 2), 5, 0}), WEND_OK);
    cr_assert_eq(wend_edit_would_disconnect(edit, WEND_MOVER_DEFAULT, at(0, 0), at(4, 0), &parts), WEND_OK);
    cr_assert_eq(parts, 0);
    cr_assert_eq(wend_edit_remove_link(edit, at(1, 0), at(3, 2)), WEND_OK);
    cr_assert_eq(wend_edit_would_disconnect(edit, WEND_MOVER_DEFAULT, at(0, 0), at(4, 0), &parts), WEND_OK);
    cr_assert_eq(parts, 1);
    cr_assert_gt(map_bytes(map), bytes);
    wend_edit_add_link(edit, &(wend_link){at(1, 0), at(3, 2), 5, 0});
    cr_assert_eq(wend_edit_publish(edit, NULL), WEND_OK);
    cr_assert_eq(wend_edit_begin(map, &edit), WEND_OK); /* only a link joins them now, and it goes */
    cr_assert_eq(wend_edit_remove_link(edit, at(1, 0), at(3, 2)), WEND_OK);
    cr_assert_eq(wend_edit_would_disconnect(edit, WEND_MOVER_DEFAULT, at(0, 0), at(4, 0), &parts), WEND_OK);
    cr_assert_eq(parts, 1);
    wend_edit_discard(edit);
}

/* ---- memory ---- */

Test(map_links, are_shared_by_forks_and_by_versions_that_do_not_change_them) {
    counting c = {0};
    wend_map_def def = default_map();
    wend_map *map, *fork;
    def.width = def.height = 300, def.allocator = counting_allocator(&c);
    cr_assert_eq(wend_map_create(&def, &map), WEND_OK);
    cr_assert_eq(wend_map_fork(map, &fork), WEND_OK);
    uint64_t fork_bytes = map_bytes(map);
    wend_map_release(fork);
    fork_bytes -= map_bytes(map);
    wend_edit *edit = begin_edit(map);
    for (int32_t i = 0; i < 300; i++) wend_edit_add_link(edit, &(wend_link){at(i, 7), at(299 - i, 200), 1 + i, 0});
    cr_assert_eq(wend_edit_publish(edit, NULL), WEND_OK);
    uint64_t bytes = map_bytes(map);
    cr_assert_eq(wend_map_fork(map, &fork), WEND_OK);
    cr_assert_eq(map_bytes(map), bytes + fork_bytes);
    wend__version *before = wend__map_acquire(map, true);
    cr_assert_eq(wend_edit_begin(map, &edit), WEND_OK);
    wend_edit_set_cell(edit, at(150, 150), 0);
    cr_assert_eq(wend_edit_publish(edit, NULL), WEND_OK);
    wend__version *after = wend__map_acquire(map, false), *forked = wend__map_acquire(fork, false);
    cr_assert_eq(before->links, after->links);
    cr_assert_eq(add_once(map, at(4, 7), at(295, 200), 5), WEND_OK); /* the link is there already */
    wend__map_release(after, false);
    after = wend__map_acquire(map, false);
    cr_assert_eq(before->links, after->links);
    cr_assert_eq(forked->links, after->links);
    cr_assert_eq(after->links->shared.references, 3u);
    wend__map_release(after, false);
    wend__map_release(before, true);
    wend_map_release(map);
    cr_assert_eq(forked->links->shared.references, 1u);
    wend__map_release(forked, false);
    wend_map_release(fork);
    cr_assert_eq(c.blocks, 0u);
}

/* A wall with doors of links: groups, joins and a table that grows. The first error of any call. */
static wend_error act(wend_map *map) {
    wend_edit *edit;
    bool parts;
    wend_error error = wend_edit_begin(map, &edit);
    if (error) return error;
    int32_t first = wend_edit_fill_box(edit, box_of(50, 0, 50, 99), 0);
    for (int32_t i = 0; i < 40 && !first; i++)
        first = wend_edit_add_link(edit, &(wend_link){at(i, i), at(99 - i, i), 1 + i, 0});
    if (!first) first = wend_edit_remove_link(edit, at(1, 2), at(3, 4));
    if (!first) first = wend_edit_would_disconnect(edit, WEND_MOVER_DEFAULT, at(0, 0), at(99, 0), &parts);
    if (first == WEND_OK) cr_assert_eq(parts, 0);
    error = wend_edit_publish(edit, NULL);
    return first ? first : error;
}

Test(map_links, change_nothing_when_any_allocation_fails) {
    counting c = {0};
    wend_map_def def = default_map();
    def.width = def.height = 100, def.allocator = counting_allocator(&c);
    wend_map *map = made_map(&def);
    cr_assert_eq(add_once(map, at(1, 2), at(3, 4), 5), WEND_OK);
    uint64_t bytes = map_bytes(map);
    size_t n = 1, unharmed = 0;
    for (;; n++) {
        uint64_t epoch = map_epoch(map);
        c.calls = 0, c.fail_at = n;
        wend_error error = act(map);
        c.fail_at = 0;
        if (!error) break;
        cr_assert_eq(error, WEND_OUT_OF_MEMORY);
        if (map_epoch(map) != epoch) { /* only the question failed: start over */
            unharmed++;
            cr_assert_eq(count_links(map), 40u);
            wend_edit *edit = begin_edit(map);
            wend_edit_fill_box(edit, box_of(0, 0, 99, 99), 1);
            for (int32_t i = 0; i < 40; i++) wend_edit_remove_link(edit, at(i, i), at(99 - i, i));
            wend_edit_add_link(edit, &(wend_link){at(1, 2), at(3, 4), 5, 0});
            cr_assert_eq(wend_edit_publish(edit, NULL), WEND_OK);
        }
        cr_assert_eq(map_bytes(map), bytes);
        cr_assert_eq(c.bytes, bytes);
        cr_assert_eq(count_links(map), 1u);
        cr_assert(reaches(map, at(0, 0), at(99, 0)));
    }
    cr_assert_gt(n, 12u);
    cr_assert_gt(unharmed, 2u);
    cr_assert_eq(count_links(map), 40u);
    wend_map_release(map);
    cr_assert_eq(c.blocks, 0u);
}

/* The draft holds the components that links joined before the batch: whatever fails, they are freed. The cart's ground
 * has its own. */
Test(map_links, that_joined_parts_leak_nothing_when_an_edit_fails) {
    counting c = {0};
    wend_map_def def = default_map();
    wend_edit *edit;
    int32_t cart;
    wend_mover mover = default_mover();
    def.width = def.height = 100, def.allocator = counting_allocator(&c);
    wend_map *map = made_map(&def);
    cr_assert_eq(wend_map_add_mover(map, &mover, &cart), WEND_OK);
    cr_assert_eq(add_once(map, at(1, 2), at(3, 4), 5), WEND_OK);
    cr_assert_eq(act(map), WEND_OK);
    uint64_t bytes = map_bytes(map), epoch = map_epoch(map);
    size_t n = 1;
    for (;; n++) {
        c.calls = 0, c.fail_at = n;
        wend_error error = wend_edit_begin(map, &edit), first = error;
        if (!error) first = wend_edit_set_cell(edit, at(70, 70), 0);
        if (!error) error = wend_edit_publish(edit, NULL);
        c.fail_at = 0;
        if (first) cr_assert_eq(error, first);
        if (!error) break;
        cr_assert_eq(error, WEND_OUT_OF_MEMORY);
        cr_assert_eq(map_bytes(map), bytes);
        cr_assert_eq(c.bytes, bytes);
        cr_assert_eq(map_epoch(map), epoch);
        cr_assert(reaches(map, at(0, 0), at(99, 0)));
    }
    cr_assert_gt(n, 15u);
    wend_map_release(map);
    cr_assert_eq(c.blocks, 0u);
}

/* ---- components after batches ---- */

/* Checks that the names of components at links' ends equal those of a complete new build, for a version or a ground. */
static void check_names(wend_map *map, const wend__version *version) {
    wend__version *mine = (wend__version *)version;
    wend__link_components *kept = mine->link_components, *fresh = NULL;
    wend_map *of = mine->map;
    mine->map = map;
    cr_assert_eq(wend__link_components_build(mine, &fresh), WEND_OK);
    mine->map = of;
    cr_assert_eq(!kept, !fresh);
    for (uint32_t i = 0; mine->links && i < 2 * mine->links->count; i++) {
        const wend__link *way = &mine->links->sorted[i / 2];
        wend_cell cell = wend__cell_of_number(mine, i % 2 ? way->to : way->from);
        if (!wend__cell_factor(mine, cell)) continue;
        uint64_t component = wend__component_of(mine, cell), name = wend__link_component_name(mine, component);
        mine->link_components = fresh;
        cr_assert_eq(wend__link_component_name(mine, component), name, "%d,%d,%d", cell.x, cell.y, cell.z);
        mine->link_components = kept;
    }
    wend__shared_release(map, fresh);
}

static wend_cell any_cell(const wend_map *map, uint64_t *seed) {
    return (wend_cell){(int32_t)draw(seed, (uint32_t)map->width), (int32_t)draw(seed, (uint32_t)map->height),
                       (int32_t)draw(seed, (uint32_t)map->depth)};
}

/* Makes a few changes of terrain, steps or links; mostly of one cell, often where a link ends. */
static void change_any(wend_map *map, wend_edit *edit, uint64_t *seed) {
    size_t count;
    wend_link links[64];
    wend_map_get_links(map, links, 64, &count);
    if (count > 64) count = 64;
    int32_t changes = draw(seed, 4) ? 1 : 30;
    uint8_t class = (uint8_t)draw(seed, 2);
    for (int32_t i = 0; i < changes; i++) {
        wend_cell cell = any_cell(map, seed), to = any_cell(map, seed);
        switch (draw(seed, 8)) {
        case 0:
            if (cell.x != to.x) wend_edit_add_link(edit, &(wend_link){cell, to, 9, 0});
            break;
        case 1:
        case 2:
            if (count) cell = draw(seed, 2) ? links[draw(seed, (uint32_t)count)].from : links[0].to;
            wend_edit_set_cell(edit, cell, class);
            break;
        case 3: /* a wall */
            to.y = cell.y, to.z = cell.z;
            if (to.x >= cell.x) wend_edit_fill_box(edit, (wend_box){cell, to}, class);
            break;
        case 4:
            to = cell, to.x++;
            if (to.x >= map->width) break;
            wend_edit_set_step(edit, cell, to, class), wend_edit_set_step(edit, to, cell, class);
            break;
        default: wend_edit_set_cell(edit, cell, class);
        }
    }
}

static void follow_names(int32_t kind, int32_t width, int32_t height, int32_t depth, uint64_t seed) {
    wend_map_def def = default_map();
    def.kind = kind, def.width = width, def.height = height, def.depth = depth;
    OWNED_MAP *map = made_map(&def);
    const int32_t id = add_mover_of_size(map, 2);
    wend_edit *edit = begin_edit(map);
    for (int32_t z = 0; z < depth; z++)
        for (int32_t i = 0; i < width * height; i++)
            wend_edit_set_cell(edit, (wend_cell){i % width, i / width, z}, draw(&seed, 100) >= 42);
    for (int i = 0; i < 30; i++) {
        wend_cell from = any_cell(map, &seed), to = any_cell(map, &seed);
        if (from.x != to.x) wend_edit_add_link(edit, &(wend_link){from, to, 5, 0});
    }
    cr_assert_eq(wend_edit_publish(edit, NULL), WEND_OK);
    unsigned kept = 0;
    for (int i = 0; i < 150; i++) {
        OWNED_VERSION *before = wend__map_acquire(map, false);
        cr_assert_eq(wend_edit_begin(map, &edit), WEND_OK);
        change_any(map, edit, &seed);
        cr_assert_eq(wend_edit_publish(edit, NULL), WEND_OK);
        OWNED_VERSION *v = wend__map_acquire(map, false);
        kept += v->link_components == before->link_components;
        check_names(map, v);
        check_names(map, wend__version_view(v, id));
    }
    cr_assert_gt(kept, 20u);
    cr_assert_lt(kept, 150u);
}

Test(map_links, join_after_every_batch_what_they_would_join_anew) {
    for (uint64_t seed = 0; seed < (uint64_t)few_or_many(1, 3); seed++) {
        follow_names(WEND_KIND_GRID, 200, 150, 1, seed);
        follow_names(WEND_KIND_GRID, 60, 60, 1, seed);
        follow_names(WEND_KIND_VOXEL, 40, 34, 20, seed);
    }
}

/* ---- the additional work of publishing a cell ---- */

static void *summing_alloc(void *context, size_t bytes, size_t alignment) {
    (void)alignment;
    *(uint64_t *)context += bytes;
    return malloc(bytes);
}

static void plain_free(void *context, void *pointer, size_t bytes) {
    (void)context, (void)bytes;
    free(pointer);
}

enum { ROOM_WALL = 40, FAR_SIDE = 128, WORLD_SIDE = 256 };

static void set_one(wend_map *map, wend_cell cell, uint8_t class) {
    cr_assert_eq(wend_map_set_cell(map, cell, class, NULL), WEND_OK);
}

/* A room with a door in the west, and one link out of it; all other links lie east of x = 128. */
static wend_map *world_with_links(uint32_t count, uint64_t *sum) {
    wend_map_def def = default_map();
    wend_mover mover = default_mover();
    uint64_t seed = 1;
    def.width = def.height = WORLD_SIDE;
    def.allocator = (wend_allocator){.context = sum, .alloc = summing_alloc, .free = plain_free};
    wend_map *map = made_map(&def);
    for (int32_t i = 0, id; i < 3; i++) cr_assert_eq(wend_map_add_mover(map, &mover, &id), WEND_OK);
    wend_edit *edit = begin_edit(map);
    wend_edit_fill_box(edit, box_of(ROOM_WALL, 0, ROOM_WALL, WORLD_SIDE - 1), 0);
    wend_edit_set_cell(edit, at(ROOM_WALL, 70), 1);
    wend_edit_add_link(edit, &(wend_link){at(5, 5), at(200, 200), 9, 0});
    while (count-- > 0) {
        wend_cell from = at(FAR_SIDE + (int32_t)draw(&seed, 128), (int32_t)draw(&seed, WORLD_SIDE));
        wend_cell to = at(FAR_SIDE + (int32_t)draw(&seed, 128), (int32_t)draw(&seed, WORLD_SIDE));
        if (from.x != to.x) wend_edit_add_link(edit, &(wend_link){from, to, 9, 0});
    }
    cr_assert_eq(wend_edit_publish(edit, NULL), WEND_OK);
    return map;
}

/* Measures work by requested memory: the far links are not read, whatever becomes of the room. */
Test(map_links, cost_nothing_where_a_publish_touches_none_of_them) {
    uint64_t few_sum = 0, many_sum = 0;
    OWNED_MAP *few = world_with_links(200, &few_sum), *many = world_with_links(20000, &many_sum);
    const struct {
        wend_cell cell;
        uint8_t class;
        bool reached; /* the room, from outside */
    } edits[] = {
        {at(20, 20), 0, true},        /* neither door nor link */
        {at(ROOM_WALL, 70), 0, true}, /* the door closes: the room is a component of its own */
        {at(5, 5), 0, false},         /* the end of its link closes */
        {at(5, 5), 1, true},          {at(ROOM_WALL, 70), 1, true},
    };
    for (size_t i = 0; i < sizeof edits / sizeof *edits; i++) {
        few_sum = many_sum = 0;
        set_one(few, edits[i].cell, edits[i].class);
        set_one(many, edits[i].cell, edits[i].class);
        cr_assert_eq(reaches(many, at(30, 30), at(250, 250)), edits[i].reached);
        cr_assert_eq(reaches(few, at(30, 30), at(250, 250)), edits[i].reached);
        cr_assert_lt(many_sum, few_sum + 4096, "edit %zu: %llu, %llu", i, (unsigned long long)many_sum,
                     (unsigned long long)few_sum);
    }
}
