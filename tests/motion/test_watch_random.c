/* SPDX-License-Identifier: MIT */
/* Watched paths against the plain answer: after random edits of every kind, each path is walked from its beginning. */
#include "map/query/step_cost.h"
#include "map/version/version.h"
#include "models/few_or_many.h"
#include "motion/motion_support.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>
#include <wend/watch.h>

enum { PATHS = 60, CELLS = 120 };

typedef struct kept {
    bool used;
    wend_watch_id id;
    int32_t mover;
    uint32_t from;
    size_t count;
    wend_cell cells[CELLS];
} kept;

typedef struct rig {
    wend_map *map;
    wend_map_info info;
    wend_watcher *watcher;
    oracle_random random;
    kept paths[PATHS];
    wend_link links[WORLD_LINKS];
    size_t link_count;
    int told;
} rig;

static wend_cell any_cell(rig *r) {
    const wend_map_info *i = &r->info;
    return (wend_cell){oracle_below(&r->random, i->width), oracle_below(&r->random, i->height),
                       oracle_below(&r->random, i->depth)};
}

static bool legal(const rig *r, int32_t mover, wend_cell a, wend_cell b) {
    int32_t yes = 0;
    return wend_map_step_legal(r->map, mover, a, b, &yes, NULL) == WEND_OK && yes;
}

/* Returns a cell that a step, edge or link leads to; or another cell. */
static wend_cell step_from(rig *r, wend_cell a) {
    if (r->link_count && oracle_below(&r->random, 4) == 0)
        for (size_t i = 0; i < r->link_count; i++)
            if (memcmp(&r->links[i].from, &a, sizeof a) == 0) return r->links[i].to;
    if (r->info.kind == WEND_KIND_GRAPH) {
        wend_edge edges[32];
        size_t count = 0;
        wend_map_get_edges(r->map, (uint32_t)a.x, edges, 32, &count);
        if (count > 32) count = 32;
        return count ? (wend_cell){(int32_t)edges[oracle_below(&r->random, (int)count)].to, 0, 0} : a;
    }
    a.x += oracle_below(&r->random, 3) - 1, a.y += oracle_below(&r->random, 3) - 1;
    if (r->info.kind == WEND_KIND_VOXEL) a.z += oracle_below(&r->random, 3) - 1;
    return a;
}

static void wander(rig *r, kept *k) {
    k->mover = oracle_below(&r->random, r->info.movers);
    k->count = 1, k->from = 0;
    k->cells[0] = any_cell(r);
    const int length = 1 + oracle_below(&r->random, CELLS - 1);
    for (int tries = 0; tries < 20 * length && k->count < (size_t)length; tries++) {
        const wend_cell last = k->cells[k->count - 1], next = step_from(r, last);
        if (legal(r, k->mover, last, next)) k->cells[k->count++] = next;
    }
}

static void add_paths(rig *r) {
    for (int i = 0; i < PATHS; i++) {
        kept *k = &r->paths[i];
        if (k->used && oracle_below(&r->random, 12) == 0) {
            cr_assert_eq(wend_watcher_remove(r->watcher, k->id), WEND_OK);
            k->used = false;
        }
        if (k->used && oracle_below(&r->random, 6) == 0) {
            k->from += (uint32_t)oracle_below(&r->random, (int)(k->count - k->from));
            cr_assert_eq(wend_watcher_advance(r->watcher, k->id, k->from), WEND_OK);
        }
        if (k->used || oracle_below(&r->random, 2)) continue;
        wander(r, k);
        const wend_watch watch = {
            .struct_bytes = sizeof watch, .mover = k->mover, .cells = k->cells, .cell_count = k->count, .context = k};
        const wend_error error = wend_watcher_add(r->watcher, &watch, &k->id);
        if (error == WEND_OUT_OF_RANGE) continue; /* no node of the graph */
        cr_assert_eq(error, WEND_OK);
        k->used = true;
    }
}

static void edit(rig *r) {
    wend_edit *edit = begin_edit(r->map);
    const int changes = 1 + oracle_below(&r->random, 6);
    for (int i = 0; i < changes; i++) {
        const wend_cell a = any_cell(r);
        wend_cell b = step_from(r, a);
        uint8_t class = 0;
        if (wend_map_get_terrain(r->map, a, &class)) continue; /* errors would stay with the batch */
        switch (oracle_below(&r->random, r->info.kind == WEND_KIND_GRAPH ? 3 : 5)) {
        case 0: wend_edit_set_cell(edit, a, (uint8_t)oracle_below(&r->random, 4)); break;
        case 1: wend_edit_set_cell(edit, a, oracle_below(&r->random, 2) ? 0 : 1); break;
        case 2:
            if (r->link_count) {
                const wend_link *link = &r->links[oracle_below(&r->random, (int)r->link_count)];
                if (oracle_below(&r->random, 2))
                    wend_edit_remove_link(edit, link->from, link->to);
                else
                    wend_edit_add_link(edit, link->from, link->to, 1 + oracle_below(&r->random, 30));
            }
            break;
        case 3:
            if (legal(r, 0, a, b) && memcmp(&a, &b, sizeof a)) { /* perhaps by a link between far cells */
                const int32_t dx = abs(a.x - b.x), dy = abs(a.y - b.y), dz = abs(a.z - b.z);
                if (dx <= 1 && dy <= 1 && dz <= 1 && dx + dy + dz == 1)
                    wend_edit_set_step(edit, a, b, oracle_below(&r->random, 3) == 0);
            }
            break;
        default:
            b.x = a.x + oracle_below(&r->random, 3), b.y = a.y + oracle_below(&r->random, 3), b.z = a.z;
            if (b.x < r->info.width && b.y < r->info.height)
                wend_edit_fill_box(edit, (wend_box){a, b}, (uint8_t)oracle_below(&r->random, 2));
        }
    }
    cr_assert_eq(wend_edit_publish(edit, NULL), WEND_OK);
}

/* Where the rest of a path breaks; its count: nowhere. A blocked cell under the agent does not matter, and only the
   step out of it is asked of the library's own step. */
static size_t breaks_at(const rig *r, const kept *k) {
    size_t walkable = 0, from = k->from;
    const wend_cell *cells = k->cells + from;
    cr_assert_eq(wend_map_path_cost(r->map, k->mover, cells, k->count - from, &walkable, NULL), WEND_OK);
    if (walkable || k->count - from < 2) return walkable ? from + walkable : k->count;
    wend__version *v = wend__map_newest(r->map);
    const bool steps = wend__step_cost(v, k->mover, cells[0], cells[1]) != UINT64_MAX;
    wend__map_release(v, false);
    if (!steps) return from + 1;
    cr_assert_eq(wend_map_path_cost(r->map, k->mover, cells + 1, k->count - from - 1, &walkable, NULL), WEND_OK);
    return from + 1 + walkable;
}

static void check_update(rig *r) {
    size_t broken = 0, expected = 0;
    for (int i = 0; i < PATHS; i++) expected += r->paths[i].used && breaks_at(r, &r->paths[i]) < r->paths[i].count;
    cr_assert_eq(wend_watcher_update(r->watcher, &broken), WEND_OK);
    cr_assert_eq(broken, expected);
    wend_watch_event event = {.struct_bytes = sizeof event};
    while (wend_watcher_poll(r->watcher, &event) == WEND_OK) {
        kept *k = event.context;
        cr_assert(k->used && k->id.index == event.id.index && k->id.generation == event.id.generation);
        const size_t at = breaks_at(r, k);
        cr_assert(at < k->count && at == event.index, "breaks at %zu of %zu, not %u", at, k->count, event.index);
        cr_assert(memcmp(&event.cell, &k->cells[at], sizeof event.cell) == 0);
        k->used = false;
        r->told++;
    }
}

static int run(wend_map *map, uint64_t seed, int frames) {
    static rig r;
    memset(&r, 0, sizeof r);
    r.map = map, r.random.state = seed;
    r.info.struct_bytes = sizeof r.info;
    cr_assert_eq(wend_map_get_info(map, &r.info), WEND_OK);
    wend_map_get_links(map, r.links, WORLD_LINKS, &r.link_count);
    if (r.link_count > WORLD_LINKS) r.link_count = WORLD_LINKS;
    wend_watcher_def def = default_watcher();
    def.map = map, def.paths = PATHS, def.cells = 4 * PATHS * CELLS; /* paths here turn more than ways do */
    cr_assert_eq(wend_watcher_create(&def, &r.watcher), WEND_OK);
    for (int frame = 0; frame < frames; frame++) {
        add_paths(&r);
        if (oracle_below(&r.random, 8)) edit(&r);
        if (oracle_below(&r.random, 4) == 0) edit(&r);
        if (oracle_below(&r.random, 2)) add_paths(&r);
        check_update(&r);
    }
    wend_watcher_destroy(r.watcher);
    return r.told;
}

Test(watch_random, agrees_with_walking_each_path_on_small_worlds_of_every_kind) {
    oracle_random random = {1};
    static world w;
    int told[4] = {0};
    const int worlds = few_or_many(48, 240);
    for (int i = 0; i < worlds; i++) {
        const world_options options = {
            .kind = 1 + i % 3, .slow = i & 1, .links = i & 2, .steps = i & 4, .movers = i & 8};
        world_fill(&w, &random, &options);
        OWNED_MAP *map = world_map(&w);
        told[options.kind] += run(map, (uint64_t)i, 30);
    }
    const int enough = 12 * worlds;
    cr_assert(told[1] > enough && told[2] > enough && told[3] > enough, "%d, %d, %d", told[1], told[2], told[3]);
}

static wend_map *large_map(int32_t kind, int32_t width, int32_t height, int32_t depth, uint64_t seed) {
    oracle_random random = {seed};
    wend_map *map;
    wend_map_def def = default_map();
    def.kind = kind, def.width = width, def.height = height, def.depth = depth;
    cr_assert_eq(wend_map_create(&def, &map), WEND_OK);
    wend_mover mover = default_mover();
    mover.size = 3;
    cr_assert_eq(wend_map_add_mover(map, &mover, NULL), WEND_OK);
    wend_edit *edit = begin_edit(map);
    for (int i = 0; i < width * height * depth / 12; i++)
        wend_edit_set_cell(
            edit,
            (wend_cell){oracle_below(&random, width), oracle_below(&random, height), oracle_below(&random, depth)}, 0);
    for (int i = 0; i < 20; i++)
        wend_edit_add_link(edit, (wend_cell){oracle_below(&random, width), oracle_below(&random, height), 0},
                           (wend_cell){oracle_below(&random, width), oracle_below(&random, height), depth - 1}, 50);
    cr_assert_eq(wend_edit_publish(edit, NULL), WEND_OK);
    return map;
}

Test(watch_random, agrees_with_walking_each_path_on_maps_of_many_chunks) {
    int told = 0;
    for (uint64_t seed = 0; seed < (uint64_t)few_or_many(2, 6); seed++) {
        OWNED_MAP *map =
            seed % 2 ? large_map(WEND_KIND_VOXEL, 37, 34, 19, seed) : large_map(WEND_KIND_GRID, 190, 133, 1, seed);
        for (int i = 0; i < 4; i++) told += run(map, seed * 10 + (uint64_t)i, 100);
    }
    cr_assert_gt(told, few_or_many(30, 100), "%d", told);
}
