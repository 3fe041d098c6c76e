/* SPDX-License-Identifier: MIT */
/* Watched paths: one event each, in order, with the first cell; capacity, callbacks, and agents that walk on. */
#include "models/counting.h"
#include "motion/motion_support.h"

#include <criterion/criterion.h>
#include <wend/watch.h>
#include <wend/units.h>

static wend_watcher *watcher_of(wend_map *map, uint32_t paths, wend_watch_fn *fn, void *context) {
    wend_watcher_def def = default_watcher();
    def.map = map, def.paths = paths, def.on_broken = fn, def.context = context;
    wend_watcher *watcher;
    cr_assert_eq(wend_watcher_create(&def, &watcher), WEND_OK);
    return watcher;
}

/* Watch the row from x0 to x1. */
static wend_error watch_row(wend_watcher *watcher, int32_t y, int32_t x0, int32_t x1, void *context,
                            wend_watch_id *id) {
    wend_cell cells[256];
    wend_watch watch = default_watch();
    for (int32_t x = x0; x <= x1; x++) cells[watch.cell_count++] = cell_of(x, y);
    watch.cells = cells, watch.context = context;
    return wend_watcher_add(watcher, &watch, id);
}

static size_t update(wend_watcher *watcher) {
    size_t broken = 99;
    cr_assert_eq(wend_watcher_update(watcher, &broken), WEND_OK);
    return broken;
}

static wend_watch_event poll(wend_watcher *watcher) {
    wend_watch_event event = {.struct_bytes = sizeof event};
    cr_assert_eq(wend_watcher_poll(watcher, &event), WEND_OK);
    return event;
}

Test(watch, tells_once_with_the_first_cell_that_cannot_be_entered) {
    OWNED_MAP *map = open_map(100, 20);
    wend_watcher *watcher = watcher_of(map, 4, NULL, NULL);
    wend_watch_id id;
    int mine;
    cr_assert_eq(watch_row(watcher, 5, 2, 90, &mine, &id), WEND_OK);
    cr_assert_eq(update(watcher), 0);
    set_cell(map, cell_of(80, 5), 0);
    set_cell(map, cell_of(30, 5), 0);
    cr_assert_eq(update(watcher), 1);
    wend_watch_event event = poll(watcher);
    cr_assert(event.cell.x == 30 && event.cell.y == 5 && event.index == 28 && event.context == &mine);
    cr_assert(event.id.index == id.index && event.id.generation == id.generation && event.epoch == 2);
    cr_assert_eq(wend_watcher_poll(watcher, &event), WEND_EMPTY);
    set_cell(map, cell_of(31, 5), 0);
    cr_assert_eq(update(watcher), 0);
    cr_assert_eq(wend_watcher_remove(watcher, id), WEND_STALE_TICKET);
    wend_watcher_destroy(watcher);
}

Test(watch, ignores_units_slow_ground_and_edits_beside_the_path) {
    OWNED_MAP *map = open_map(40, 20);
    wend_watcher *watcher = watcher_of(map, 4, NULL, NULL);
    cr_assert_eq(watch_row(watcher, 5, 0, 39, NULL, NULL), WEND_OK);
    cr_assert_eq(wend_map_occupy(map, cell_of(10, 5)), WEND_OK);
    set_cell(map, cell_of(11, 5), 9);
    for (int32_t x = 0; x < 40; x++) set_cell(map, cell_of(x, 4), 0), set_cell(map, cell_of(x, 6), 0);
    cr_assert_eq(update(watcher), 0);
    cr_assert_eq(wend_watcher_get_count(watcher), 1);
    wend_watcher_destroy(watcher);
}

Test(watch, sees_a_diagonal_step_that_a_corner_closes) {
    OWNED_MAP *map = open_map(40, 40);
    wend_watcher *watcher = watcher_of(map, 4, NULL, NULL);
    const wend_cell cells[3] = {cell_of(7, 7), cell_of(8, 8), cell_of(9, 9)}; /* across the corner of four tiles */
    const wend_watch watch = {.struct_bytes = sizeof watch, .cells = cells, .cell_count = 3};
    cr_assert_eq(wend_watcher_add(watcher, &watch, NULL), WEND_OK);
    set_cell(map, cell_of(8, 7), 0);
    cr_assert_eq(update(watcher), 1);
    const wend_watch_event event = poll(watcher);
    cr_assert(event.cell.x == 8 && event.index == 1);
    wend_watcher_destroy(watcher);
}

Test(watch, does_not_tell_of_what_an_agent_has_behind_it) {
    OWNED_MAP *map = open_map(100, 20);
    wend_watcher *watcher = watcher_of(map, 4, NULL, NULL);
    wend_watch_id id;
    cr_assert_eq(watch_row(watcher, 5, 0, 90, NULL, &id), WEND_OK);
    cr_assert_eq(wend_watcher_advance(watcher, id, 91), WEND_OUT_OF_RANGE);
    cr_assert_eq(wend_watcher_advance(watcher, id, 40), WEND_OK);
    cr_assert_eq(wend_watcher_advance(watcher, id, 20), WEND_OK); /* an agent never walks back */
    set_cell(map, cell_of(39, 5), 0);
    cr_assert_eq(update(watcher), 0);
    set_cell(map, cell_of(45, 5), 0);
    set_cell(map, cell_of(60, 5), 0);
    /* The watcher learns of both in this add, before the agent has passed the first. */
    cr_assert_eq(watch_row(watcher, 7, 0, 9, NULL, NULL), WEND_OK);
    cr_assert_eq(wend_watcher_advance(watcher, id, 50), WEND_OK);
    cr_assert_eq(update(watcher), 1);
    cr_assert_eq(poll(watcher).cell.x, 60);
    wend_watcher_destroy(watcher);
}

Test(watch, does_not_tell_of_what_was_mended_before_the_update) {
    OWNED_MAP *map = open_map(100, 20);
    wend_watcher *watcher = watcher_of(map, 4, NULL, NULL);
    cr_assert_eq(watch_row(watcher, 5, 0, 90, NULL, NULL), WEND_OK);
    set_cell(map, cell_of(39, 5), 0);
    cr_assert_eq(watch_row(watcher, 7, 0, 9, NULL, NULL), WEND_OK);
    set_cell(map, cell_of(39, 5), 1);
    cr_assert_eq(update(watcher), 0);
    set_cell(map, cell_of(39, 5), 0);
    cr_assert_eq(update(watcher), 1);
    wend_watcher_destroy(watcher);
}

Test(watch, of_a_path_that_is_broken_already_tells_in_the_next_update) {
    OWNED_MAP *map = open_map(100, 20);
    set_cell(map, cell_of(3, 5), 0);
    wend_watcher *watcher = watcher_of(map, 4, NULL, NULL);
    cr_assert_eq(watch_row(watcher, 5, 0, 9, NULL, NULL), WEND_OK);
    cr_assert_eq(watch_row(watcher, 5, 3, 9, NULL, NULL), WEND_OK);
    set_cell(map, cell_of(0, 5), 0); /* under the agent: it may walk out */
    cr_assert_eq(update(watcher), 1);
    cr_assert_eq(poll(watcher).index, 3);
    wend_watcher_destroy(watcher);
}

Test(watch, judges_all_paths_again_after_a_change_of_rules) {
    OWNED_MAP *map = open_map(40, 40);
    wend_watcher *watcher = watcher_of(map, 4, NULL, NULL);
    const wend_cell cells[2] = {cell_of(7, 7), cell_of(8, 8)};
    const wend_watch watch = {.struct_bytes = sizeof watch, .cells = cells, .cell_count = 2};
    cr_assert_eq(wend_watcher_add(watcher, &watch, NULL), WEND_OK);
    cr_assert_eq(watch_row(watcher, 5, 0, 9, NULL, NULL), WEND_OK);
    wend_map_rules rules = rules_now(map);
    rules.neighbours = 4;
    cr_assert_eq(wend_map_set_rules(map, &rules), WEND_OK);
    cr_assert_eq(update(watcher), 1);
    cr_assert_eq(poll(watcher).index, 1);
    wend_watcher_destroy(watcher);
}

/* ---- callbacks ---- */

typedef struct told {
    wend_watcher *watcher;
    wend_map *map;
    int count, order[8];
} told;

static void note(void *context, const wend_watch_event *event) {
    told *t = context;
    t->order[t->count++] = *(const int *)event->context;
    cr_assert_eq(wend_watcher_update(t->watcher, NULL), WEND_IN_CALLBACK);
    cr_assert_eq(wend_watcher_remove(t->watcher, event->id), WEND_STALE_TICKET);
    if (t->count == 1) set_cell(t->map, cell_of(20, 9), 0);
    cr_assert_eq(watch_row(t->watcher, 9, 10, 30, (void *)(uintptr_t)event->context, NULL), WEND_OK);
}

Test(watch, calls_in_the_order_of_adding_and_allows_adding_meanwhile) {
    OWNED_MAP *map = open_map(64, 64);
    static const int names[4] = {0, 1, 2, 3};
    told t = {.map = map};
    wend_watch_id ids[4];
    t.watcher = watcher_of(map, 4, note, &t);
    for (int i = 0; i < 4; i++)
        cr_assert_eq(watch_row(t.watcher, 40 - i * 10, 0, 60, (void *)(uintptr_t)&names[i], &ids[i]), WEND_OK);
    cr_assert_eq(watch_row(t.watcher, 3, 0, 60, NULL, NULL), WEND_BUSY);
    cr_assert_eq(wend_watcher_remove(t.watcher, ids[1]), WEND_OK);
    for (int32_t y = 0; y < 64; y++) set_cell(map, cell_of(33, y), 0);
    cr_assert_eq(update(t.watcher), 3);
    cr_assert(t.count == 3 && t.order[0] == 0 && t.order[1] == 2 && t.order[2] == 3);
    cr_assert_eq(update(t.watcher), 3); /* the new ones cross a cell that was closed in the first call */
    cr_assert(t.count == 6 && t.order[3] == 0 && t.order[5] == 3);
    wend_watcher_destroy(t.watcher);
}

/* ---- memory ---- */

Test(watch, takes_one_piece_of_memory_and_refuses_what_does_not_fit) {
    OWNED_MAP *map = open_map(128, 128);
    counting counts = {0};
    wend_watcher_def def = default_watcher();
    def.map = map, def.paths = 8, def.cells = 400, def.allocator = counting_allocator(&counts);
    wend_watcher *watcher;
    cr_assert_eq(wend_watcher_create(&def, &watcher), WEND_OK);
    cr_assert(counts.calls == 1 && counts.bytes == wend_watcher_bytes(&def));
    wend_watch_id ids[8];
    for (int round = 0; round < 50; round++) {
        for (int32_t i = 0; i < 8; i++)
            cr_assert_eq(watch_row(watcher, i * 9, round, round + 49, NULL, &ids[i]), WEND_OK);
        cr_assert_eq(watch_row(watcher, 3, 0, 1, NULL, NULL), WEND_BUSY);
        for (int32_t i = 0; i < 8; i++) cr_assert_eq(wend_watcher_remove(watcher, ids[i]), WEND_OK);
    }
    int accepted = 0;
    while (watch_row(watcher, accepted, 0, 127, NULL, NULL) == WEND_OK) accepted++;
    cr_assert(accepted >= 3 && accepted < 8);
    cr_assert_eq(counts.calls, 1);
    wend_watcher_destroy(watcher);
    cr_assert_eq(counts.bytes, 0);
}

Test(watch, refuses_bad_arguments) {
    OWNED_MAP *map = open_map(20, 20);
    wend_watcher *watcher = watcher_of(map, 4, NULL, NULL);
    const wend_cell cells[2] = {cell_of(7, 7), cell_of(20, 8)};
    wend_watch watch = {.struct_bytes = sizeof watch, .cells = cells, .cell_count = 2};
    wend_watch_event event = {.struct_bytes = 3};
    wend_watcher_def def = default_watcher();
    cr_assert_eq(wend_watcher_bytes(&def), 0); /* no map */
    cr_assert_eq(wend_watcher_create(&def, &watcher), WEND_BAD_ARGUMENT);
    def.map = map, def.paths = 0;
    cr_assert_eq(wend_watcher_create(&def, &watcher), WEND_BAD_ARGUMENT);
    cr_assert_eq(wend_watcher_add(watcher, &watch, NULL), WEND_OUT_OF_RANGE);
    watch.cell_count = 0;
    cr_assert_eq(wend_watcher_add(watcher, &watch, NULL), WEND_BAD_ARGUMENT);
    watch.cell_count = 1, watch.mover = 1;
    cr_assert_eq(wend_watcher_add(watcher, &watch, NULL), WEND_BAD_ARGUMENT);
    cr_assert_eq(wend_watcher_poll(watcher, &event), WEND_BAD_ARGUMENT);
    cr_assert_eq(wend_watcher_remove(watcher, (wend_watch_id){0, 0}), WEND_STALE_TICKET);
    cr_assert_eq(wend_watcher_remove(watcher, (wend_watch_id){9, 1}), WEND_STALE_TICKET);
    wend_watcher_destroy(watcher);
    wend_watcher_destroy(NULL);
}
