/* SPDX-License-Identifier: MIT */
/* Watched paths of walkers: a watch breaks exactly where the model cannot walk the path on the edited map. */
#include "models/defaults.h"
#include "models/few_or_many.h"
#include "models/owned.h"
#include "models/worlds.h"
#include "models/more.h"

#include <criterion/criterion.h>
#include <wend/watch.h>

/* Change some cells of both. */
static void edit_both(world *w, wend_map *map, oracle_random *random) {
    static const uint8_t classes[] = {WEND_CLASS_BLOCKED, WEND_CLASS_BLOCKED, WEND_CLASS_OPEN, WEND_CLASS_OPEN, 3,
                                      WEND_CLASS_STAIRS};
    wend_edit *edit = begin_edit(map);
    for (int i = oracle_below(random, 6); i >= 0; i--) {
        const int cell = oracle_below(random, w->cells);
        w->terrain[cell] = classes[oracle_below(random, 6)];
        cr_assert_eq(wend_edit_set_cell(edit, world_cell(w, cell), w->terrain[cell]), WEND_OK);
    }
    cr_assert_eq(wend_edit_publish(edit, NULL), WEND_OK);
}

static void check_watch(world *w, wend_map *map, wend_search *search, oracle_random *random) {
    static wend_cell cells[WORLD_CELLS], goals[WORLD_GOALS];
    wend_request request = world_request(w, random, true, goals);
    wend_watcher *watcher;
    wend_watcher_def def = default_watcher();
    wend_watch watch = default_watch();
    size_t broken = 0;
    def.map = request.map = map;
    def.cells = WORLD_CELLS;
    cr_assert_eq(wend_watcher_create(&def, &watcher), WEND_OK);
    watch.mover = request.mover, watch.cells = cells;
    cr_assert_eq(wend_search_begin(search, &request), WEND_OK);
    wend_search_step(search, WEND_NO_LIMIT, NULL);
    const bool found = wend_search_get_path(search, cells, WORLD_CELLS, &watch.cell_count) == WEND_OK;
    if (found) cr_assert_eq(wend_watcher_add(watcher, &watch, NULL), WEND_OK);
    edit_both(w, map, random);
    cr_assert_eq(wend_watcher_update(watcher, &broken), WEND_OK);
    more_of(&request)->occupied = WEND_OCCUPIED_IGNORE;
    if (found) cr_assert_eq(broken, world_walk(w, &request, cells, watch.cell_count) < 0);
    wend_watcher_destroy(watcher);
}

Test(watch_walkers, break_where_the_model_cannot_walk) {
    static world w;
    const world_options options = {WEND_KIND_VOXEL, true, true, true, true, true};
    oracle_random random = {2027};
    wend_search_def def = default_search();
    def.nodes = 1 << 16;
    OWNED_SEARCH *search = NULL;
    cr_assert_eq(wend_search_create(&def, &search), WEND_OK);
    for (int i = 0, worlds = few_or_many(300, 10000); i < worlds; i++) {
        do world_fill(&w, &random, &options);
        while (w.mover_count < 2 || !w.movers[1].walker);
        OWNED_MAP *map = world_map(&w);
        for (int edit = 0; edit < 3; edit++) check_watch(&w, map, search, &random);
    }
}
