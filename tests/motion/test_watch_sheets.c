/* SPDX-License-Identifier: MIT */
/* Watched paths over seams: an update finds the paths that cannot be walked any more, by single steps. */
#include "models/floors.h"
#include "models/more.h"

#include <wend/query.h>
#include <wend/watch.h>

enum { PATHS = 40, ROUNDS = 60, LONGEST = 600 };

typedef struct watched {
    wend_cell cells[LONGEST];
    size_t count;
    int32_t mover;
    wend_watch_id id;
    bool broken;
} watched;

static void find_path(const floors *f, wend_map *map, wend_search *search, watched *path, uint64_t *seed) {
    path->count = 0;
    for (path->mover = (int32_t)draw(seed, 2); path->count < 2;) {
        wend_request request = path_request(map, floors_cell(f, (int32_t)draw(seed, FLOORS_CELLS)),
                                            floors_cell(f, (int32_t)draw(seed, FLOORS_CELLS)));
        request.mover = path->mover;
        cr_assert_eq(wend_search_begin(search, &request), WEND_OK);
        if (wend_search_step(search, UINT64_MAX, NULL) == WEND_STATUS_FOUND)
            wend_search_get_path(search, path->cells, LONGEST, &path->count);
        if (path->count > LONGEST) path->count = 0;
    }
}

/* -1: its start is blocked, which watchers do not mind. */
static int can_be_walked(wend_map *map, const watched *path) {
    size_t walkable;
    uint64_t cost;
    cr_assert_eq(wend_map_path_cost(map, path->mover, path->cells, path->count, &walkable, &cost), WEND_OK);
    return walkable == 0 ? -1 : walkable == path->count;
}

static void keep(wend_map *map, wend_watcher *watcher, watched *path) {
    wend_watch watch = default_watch();
    cr_assert_eq(can_be_walked(map, path), 1);
    watch.mover = path->mover, watch.cells = path->cells, watch.cell_count = path->count, watch.context = path;
    cr_assert_eq(wend_watcher_add(watcher, &watch, &path->id), WEND_OK);
    path->broken = false;
}

static void note_broken(void *context, const wend_watch_event *event) {
    watched *path = event->context;
    cr_assert(context == NULL && !path->broken);
    path->broken = true;
}

/* Removes seams next to a path's cells, blocks one of them, or changes cells anywhere. */
static void edit_near(floors *f, wend_map *map, const watched *path, uint64_t *seed) {
    const wend_cell at = path->cells[draw(seed, (uint32_t)path->count)];
    static wend_link links[FLOORS_CELLS * 4];
    size_t count;
    if (draw(seed, 3) == 0) {
        floors_edit(f, map, seed, false);
        return;
    }
    wend_map_get_links(map, links, FLOORS_CELLS * 4, &count);
    cr_assert_leq(count, FLOORS_CELLS * 4);
    wend_edit *edit = begin_edit(map);
    for (size_t i = 0; i < count; i++) {
        const int32_t x = links[i].from.x - at.x, y = links[i].from.y - at.y;
        const bool near = abs(x) <= 3 && abs(y) <= 3, straight = links[i].to.y == links[i].from.y;
        if (near && (straight || draw(seed, 3) == 0) && draw(seed, 3) == 0)
            cr_assert_eq(wend_edit_remove_link(edit, links[i].from, links[i].to), WEND_OK);
    }
    cr_assert_eq(wend_edit_publish(edit, NULL), WEND_OK);
}

Test(watch_sheets, an_update_finds_what_steps_do) {
    static floors f;
    static watched paths[PATHS];
    wend_search_def search_def = default_search();
    wend_watcher_def def = default_watcher();
    wend_watcher *watcher;
    wend_search *search;
    uint64_t seed = 6;
    uint32_t broken = 0, kept = 0;
    search_def.nodes = 1 << 17;
    cr_assert_eq(wend_search_create(&search_def, &search), WEND_OK);
    for (int corners = WEND_CORNERS_NEVER; corners <= WEND_CORNERS_ALWAYS; corners++) {
        floors_draw(&f, &seed, false);
        f.corners = corners;
        wend_map *map = floors_map(&f);
        def.map = map, def.on_broken = note_broken;
        cr_assert_eq(wend_watcher_create(&def, &watcher), WEND_OK);
        for (int i = 0; i < PATHS; i++) find_path(&f, map, search, &paths[i], &seed), keep(map, watcher, &paths[i]);
        for (int round = 0; round < ROUNDS; round++) {
            edit_near(&f, map, &paths[draw(&seed, PATHS)], &seed);
            cr_assert_eq(wend_watcher_update(watcher, NULL), WEND_OK);
            for (int i = 0; i < PATHS; i++) {
                const int walkable = can_be_walked(map, &paths[i]);
                if (walkable >= 0)
                    cr_assert_eq(paths[i].broken, !walkable, "rule %d, round %d, path %d", corners, round, i);
                broken += paths[i].broken, kept += !paths[i].broken;
                if (walkable > 0) continue;
                if (!paths[i].broken) cr_assert_eq(wend_watcher_remove(watcher, paths[i].id), WEND_OK);
                find_path(&f, map, search, &paths[i], &seed);
                keep(map, watcher, &paths[i]);
            }
        }
        wend_watcher_destroy(watcher);
        wend_map_release(map);
    }
    cr_assert(broken > 100 && kept > 1000, "%u broke", broken);
    wend_search_destroy(search);
}
