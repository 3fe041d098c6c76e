/* SPDX-License-Identifier: MIT */
/* Watched paths on streamed land: a chunk that is known breaks none, and is compared with itself when it comes back. */
#include "models/random.h"
#include "motion/motion_support.h"

#include <criterion/criterion.h>
#include <string.h>
#include <wend/watch.h>
#include <wend/stream.h>

enum { SIDE = WEND_CHUNK_SIDE, COLUMNS = 3, ROWS = 2, PATHS = 24, LONGEST = 160 };

/* A streamed map, and a map that always has all land: unloaded land keeps its cells there. */
typedef struct pair {
    wend_map *streamed, *whole;
    wend_watcher *of_streamed, *of_whole;
    int32_t land[COLUMNS * ROWS];
    uint8_t cells[ROWS * SIDE][COLUMNS * SIDE]; ///< cells of the whole map
    bool told[2][PATHS];
} pair;

static void tell(void *context, const wend_watch_event *event) {
    bool *told = context;
    (void)event;
    *told = true;
}

static wend_map *map_of_land(int32_t streamed) {
    wend_map_def def = default_map();
    wend_map *map;
    def.width = COLUMNS * SIDE, def.height = ROWS * SIDE, def.streamed = streamed;
    cr_assert_eq(wend_map_create(&def, &map), WEND_OK);
    return map;
}

static wend_watcher *watcher_on(wend_map *map) {
    wend_watcher_def def = default_watcher();
    wend_watcher *watcher;
    def.map = map, def.paths = PATHS, def.cells = 4 * PATHS * LONGEST;
    cr_assert_eq(wend_watcher_create(&def, &watcher), WEND_OK);
    return watcher;
}

static pair pair_make(void) {
    pair p = {.streamed = map_of_land(1), .whole = map_of_land(0)};
    p.of_streamed = watcher_on(p.streamed), p.of_whole = watcher_on(p.whole);
    for (int32_t i = 0; i < COLUMNS * ROWS; i++) p.land[i] = WEND_LAND_ABSENT;
    memset(p.cells, 0, sizeof p.cells);
    return p;
}

static void pair_free(pair *p) {
    wend_watcher_destroy(p->of_streamed), wend_watcher_destroy(p->of_whole);
    wend_map_release(p->streamed), wend_map_release(p->whole);
}

static wend_box box_of_chunk(int32_t x, int32_t y) {
    return (wend_box){cell_of(x * SIDE, y * SIDE), cell_of(x * SIDE + SIDE - 1, y * SIDE + SIDE - 1)};
}

/* Both maps get the model's cells of a chunk. */
static void load(pair *p, int32_t chunk) {
    const int32_t x = chunk % COLUMNS, y = chunk / COLUMNS;
    const uint8_t *first = &p->cells[y * SIDE][x * SIDE];
    wend_edit *edit = begin_edit(p->streamed);
    cr_assert_eq(wend_edit_load(edit, x, y, first, COLUMNS * SIDE), WEND_OK);
    cr_assert_eq(wend_edit_publish(edit, NULL), WEND_OK);
    edit = begin_edit(p->whole);
    cr_assert_eq(wend_edit_set_box(edit, box_of_chunk(x, y), first, COLUMNS * SIDE), WEND_OK);
    cr_assert_eq(wend_edit_publish(edit, NULL), WEND_OK);
    p->land[chunk] = WEND_LAND_LOADED;
}

static void unload(pair *p, int32_t chunk, int32_t land) {
    const int32_t x = chunk % COLUMNS, y = chunk / COLUMNS;
    wend_edit *edit = begin_edit(p->streamed);
    cr_assert_eq(wend_edit_unload(edit, x, y, land), WEND_OK);
    cr_assert_eq(wend_edit_publish(edit, NULL), WEND_OK);
    p->land[chunk] = land;
    if (land == WEND_LAND_KNOWN) return;
    for (int32_t row = y * SIDE; row < (y + 1) * SIDE; row++) memset(&p->cells[row][x * SIDE], 0, SIDE);
    edit = begin_edit(p->whole);
    cr_assert_eq(wend_edit_fill_box(edit, box_of_chunk(x, y), WEND_CLASS_BLOCKED), WEND_OK);
    cr_assert_eq(wend_edit_publish(edit, NULL), WEND_OK);
}

static void set_both(pair *p, int32_t x, int32_t y, uint8_t class) {
    p->cells[y][x] = class;
    set_cell(p->streamed, cell_of(x, y), class);
    set_cell(p->whole, cell_of(x, y), class);
}

static void watch_both(pair *p, int number, const wend_cell *cells, uint64_t count) {
    wend_watch watch = default_watch();
    watch.cells = cells, watch.cell_count = count;
    watch.context = &p->told[0][number];
    cr_assert_eq(wend_watcher_add(p->of_streamed, &watch, NULL), WEND_OK);
    watch.context = &p->told[1][number];
    cr_assert_eq(wend_watcher_add(p->of_whole, &watch, NULL), WEND_OK);
}

static void update_one(wend_watcher *watcher) {
    wend_watch_event event = {.struct_bytes = sizeof event};
    cr_assert_eq(wend_watcher_update(watcher, NULL), WEND_OK);
    while (wend_watcher_poll(watcher, &event) == WEND_OK) tell(event.context, &event);
}

static void update(pair *p) {
    update_one(p->of_streamed);
    update_one(p->of_whole);
}

/* ---- one path ---- */

static void open_all(pair *p) {
    memset(p->cells, WEND_CLASS_OPEN, sizeof p->cells);
    for (int32_t chunk = 0; chunk < COLUMNS * ROWS; chunk++) load(p, chunk);
}

/* Along a row through all three chunks, then down into the lower row of chunks by a diagonal at their corners. */
static void pair_with_path(pair *p) {
    *p = pair_make();
    wend_cell cells[LONGEST];
    uint64_t count = 0;
    open_all(p);
    for (int32_t x = 2; x < 2 * SIDE; x++) cells[count++] = cell_of(x, SIDE - 1);
    cells[count++] = cell_of(2 * SIDE, SIDE);
    watch_both(p, 0, cells, count);
    update(p);
    cr_assert(!p->told[0][0] && !p->told[1][0]);
}

Test(watch_land, keeps_a_path_whose_land_is_known_and_comes_back) {
    pair p;
    pair_with_path(&p);
    for (int32_t chunk = 0; chunk < 6; chunk++) {
        unload(&p, chunk, WEND_LAND_KNOWN);
        update(&p);
        load(&p, chunk);
        update(&p);
    }
    cr_assert(!p.told[0][0]);
    pair_free(&p);
}

Test(watch_land, tells_of_land_that_came_back_otherwise) {
    pair p;
    pair_with_path(&p);
    unload(&p, 1, WEND_LAND_KNOWN);
    update(&p);
    cr_assert(!p.told[0][0]);
    p.cells[0][SIDE] = WEND_CLASS_BLOCKED; /* far from the path */
    load(&p, 1);
    update(&p);
    cr_assert(!p.told[0][0] && !p.told[1][0]);
    unload(&p, 1, WEND_LAND_KNOWN);
    update(&p);
    p.cells[SIDE - 1][SIDE + 9] = WEND_CLASS_BLOCKED;
    load(&p, 1);
    update(&p);
    cr_assert(p.told[0][0] && p.told[1][0]);
    pair_free(&p);
}

Test(watch_land, tells_of_forgotten_land_at_once) {
    pair p;
    pair_with_path(&p);
    unload(&p, 1, WEND_LAND_ABSENT);
    update(&p);
    cr_assert(p.told[0][0]);
    pair_free(&p);
}

Test(watch_land, tells_of_a_corner_beside_known_land_when_that_comes_back) {
    pair p;
    pair_with_path(&p);
    unload(&p, 5, WEND_LAND_KNOWN); /* where the path ends */
    update(&p);
    set_both(&p, 2 * SIDE, SIDE - 1, WEND_CLASS_BLOCKED); /* next to the last step */
    update(&p);
    cr_assert(!p.told[0][0]);
    load(&p, 5);
    update(&p);
    cr_assert(p.told[0][0]);
    pair_free(&p);
}

static void link_on(wend_map *map, bool there) {
    wend_edit *edit = begin_edit(map);
    const wend_cell from = cell_of(20, 20), to = cell_of(30, 20);
    cr_assert_eq(there ? wend_edit_add_link(edit, from, to, 10) : wend_edit_remove_link(edit, from, to), WEND_OK);
    cr_assert_eq(wend_edit_publish(edit, NULL), WEND_OK);
}

Test(watch_land, tells_of_a_link_that_went_meanwhile) {
    pair p = pair_make();
    open_all(&p);
    link_on(p.streamed, true), link_on(p.whole, true);
    watch_both(&p, 0, (const wend_cell[]){cell_of(20, 20), cell_of(30, 20)}, 2);
    unload(&p, 0, WEND_LAND_KNOWN);
    update(&p);
    cr_assert(!p.told[0][0]);
    link_on(p.streamed, false);
    update(&p);
    load(&p, 0);
    update(&p);
    cr_assert(p.told[0][0]);
    pair_free(&p);
}

/* ---- any order ---- */

static void watch_any(pair *p, int number, uint64_t *random) {
    wend_cell cells[LONGEST] = {cell_of((int32_t)draw(random, COLUMNS * SIDE), (int32_t)draw(random, ROWS * SIDE))};
    uint64_t count = 1;
    const int32_t dx = (int32_t)draw(random, 3) - 1, dy = (int32_t)draw(random, 3) - 1;
    while (count < LONGEST) {
        wend_cell next = cells[count - 1];
        const bool aside = draw(random, 8) == 0;
        next.x += aside ? (int32_t)draw(random, 3) - 1 : dx, next.y += aside ? (int32_t)draw(random, 3) - 1 : dy;
        const bool stays = next.x == cells[count - 1].x && next.y == cells[count - 1].y;
        if (stays || next.x < 0 || next.y < 0 || next.x >= COLUMNS * SIDE || next.y >= ROWS * SIDE) break;
        cells[count++] = next;
    }
    watch_both(p, number, cells, count);
}

static void change_any(pair *p, uint64_t *random) {
    const int32_t chunk = (int32_t)draw(random, COLUMNS * ROWS);
    if (p->land[chunk] == WEND_LAND_LOADED && draw(random, 2)) {
        const int32_t rim[4] = {0, SIDE - 1, (int32_t)draw(random, SIDE), (int32_t)draw(random, SIDE)};
        set_both(p, chunk % COLUMNS * SIDE + rim[draw(random, 4)], chunk / COLUMNS * SIDE + rim[draw(random, 4)], 0);
    } else if (p->land[chunk] == WEND_LAND_LOADED) {
        unload(p, chunk, draw(random, 8) ? WEND_LAND_KNOWN : WEND_LAND_ABSENT);
    } else {
        const int32_t x = chunk % COLUMNS * SIDE, y = chunk / COLUMNS * SIDE;
        if (draw(random, 3) == 0)
            p->cells[y + (int32_t)draw(random, SIDE)][x + (int32_t)draw(random, SIDE)] = WEND_CLASS_BLOCKED;
        load(p, chunk);
    }
}

/* Checks that both watchers have had the same events once all land is loaded. */
Test(watch_land, comes_to_what_a_map_with_all_of_it_comes_to) {
    int broken = 0, kept = 0;
    for (uint64_t seed = 1; seed <= 40; seed++) {
        uint64_t random = seed;
        pair p = pair_make();
        open_all(&p);
        for (int i = 0; i < PATHS; i++) watch_any(&p, i, &random);
        for (int i = 0; i < 12; i++) {
            change_any(&p, &random);
            update(&p);
        }
        for (int32_t chunk = 0; chunk < COLUMNS * ROWS; chunk++)
            if (p.land[chunk] == WEND_LAND_KNOWN) load(&p, chunk);
        update(&p);
        for (int i = 0; i < PATHS; i++) {
            cr_assert_eq(p.told[0][i], p.told[1][i], "path %d of seed %d", i, (int)seed);
            broken += p.told[0][i], kept += !p.told[0][i];
        }
        pair_free(&p);
    }
    cr_assert(broken > 100 && kept > 100, "%d, %d", broken, kept);
}
