/* SPDX-License-Identifier: MIT */
/* Streamed land: chunks are loaded and unloaded. The map is compared with one that was never streamed, in which all
 * cells of chunks that are not loaded are blocked. */
#include "map/map_support.h"
#include "models/both.h"

#include <criterion/criterion.h>
#include <string.h>
#include <wend/stream.h>
#include <wend/ways.h>

enum { SIDE = WEND_CHUNK_SIDE };

static wend_map *streamed_map(int32_t width, int32_t height) {
    wend_map_def def = default_map();
    def.width = width, def.height = height, def.streamed = 1;
    return made_map(&def);
}

static int32_t land_of(const wend_map *map, int32_t x, int32_t y) {
    int32_t land = -1;
    cr_assert_eq(wend_map_get_land(map, x, y, &land), WEND_OK);
    return land;
}

static void publish_load(wend_map *map, int32_t x, int32_t y, const uint8_t *terrain) {
    IN_BATCH(map, cr_assert_eq(wend_edit_load(edit, x, y, terrain, SIDE), WEND_OK));
}

static void publish_unload(wend_map *map, int32_t x, int32_t y, int32_t land) {
    IN_BATCH(map, cr_assert_eq(wend_edit_unload(edit, x, y, land), WEND_OK));
}

Test(map_land, begins_without_any) {
    OWNED_MAP *map = streamed_map(130, 70);
    wend_map_info info = info_now(map);
    cr_assert(info.streamed == 1 && info.loaded_chunks == 0 && info.known_chunks == 0 && info.components == 0);
    for (int32_t i = 0; i < 6; i++) cr_assert_eq(land_of(map, i % 3, i / 3), WEND_LAND_ABSENT);
    OWNED(model_free) model m = model_create(130, 70, NULL);
    memset(m.classes, 0, 130 * 70);
    model_check_map(&m, map);
    OWNED_MAP *other = map_of_size(64, 64);
    cr_assert_eq(info_now(other).streamed, 0);
}

Test(map_land, a_chunk_comes_and_goes) {
    OWNED_MAP *map = streamed_map(128, 64);
    publish_load(map, 0, 0, NULL);
    cr_assert_eq(land_of(map, 0, 0), WEND_LAND_LOADED);
    cr_assert(info_now(map).components == 1 && info_now(map).loaded_chunks == 1);
    bool reachable;
    publish_load(map, 1, 0, NULL);
    cr_assert_eq(wend_map_reachable(map, WEND_MOVER_DEFAULT, at(0, 0), at(127, 63), &reachable), WEND_OK);
    cr_assert_eq(reachable, 1);
    publish_unload(map, 1, 0, WEND_LAND_KNOWN);
    cr_assert_eq(land_of(map, 1, 0), WEND_LAND_KNOWN);
    cr_assert(info_now(map).loaded_chunks == 1 && info_now(map).known_chunks == 1);
    publish_load(map, 1, 0, NULL);
    publish_unload(map, 1, 0, WEND_LAND_ABSENT);
    cr_assert_eq(land_of(map, 1, 0), WEND_LAND_ABSENT);
    cr_assert(info_now(map).loaded_chunks == 1 && info_now(map).known_chunks == 0);
}

/* The map's own batch keeps its first error, so each refusal has a batch of its own. */
static void expect_refused(wend_map *map, wend_error wanted, const char *detail, wend_error (*act)(wend_edit *edit)) {
    wend_edit *edit = begin_edit(map);
    cr_assert_eq(act(edit), wanted);
    cr_assert_not_null(strstr(wend_error_detail(wanted), detail), "%s", wend_error_detail(wanted));
    cr_assert_eq(wend_edit_publish(edit, NULL), wanted);
}

static wend_error set_there(wend_edit *edit) {
    return wend_edit_set_cell(edit, at(64, 0), 1);
}
static wend_error fill_there(wend_edit *edit) {
    return wend_edit_fill_box(edit, box_of(60, 0, 64, 0), 1);
}
static wend_error write_there(wend_edit *edit) {
    return wend_edit_set_box(edit, box_of(64, 0, 64, 0), (const uint8_t[]){1}, 1);
}
static wend_error close_there(wend_edit *edit) {
    return wend_edit_set_step(edit, at(64, 0), at(65, 0), false);
}
static wend_error unload_there(wend_edit *edit) {
    return wend_edit_unload(edit, 1, 0, WEND_LAND_KNOWN);
}
static wend_error unload_as_loaded(wend_edit *edit) {
    return wend_edit_unload(edit, 0, 0, WEND_LAND_LOADED);
}
static wend_error unload_beyond(wend_edit *edit) {
    return wend_edit_unload(edit, 0, 0, WEND_LAND_ABSENT + 1);
}
static wend_error load_east(wend_edit *edit) {
    return wend_edit_load(edit, 2, 0, NULL, 0);
}
static wend_error load_north(wend_edit *edit) {
    return wend_edit_load(edit, 0, -1, NULL, 0);
}
static wend_error load_narrow(wend_edit *edit) {
    static const uint8_t cells[SIDE * SIDE];
    return wend_edit_load(edit, 0, 0, cells, SIDE - 1);
}

Test(map_land, what_is_not_there_cannot_be_changed) {
    OWNED_MAP *map = streamed_map(128, 64);
    publish_load(map, 0, 0, NULL);
    const uint64_t epoch = map_epoch(map);
    expect_refused(map, WEND_BAD_ARGUMENT, "chunk 1,0 is not loaded", set_there);
    expect_refused(map, WEND_BAD_ARGUMENT, "chunk 1,0 is not loaded", fill_there);
    expect_refused(map, WEND_BAD_ARGUMENT, "chunk 1,0 is not loaded", write_there);
    expect_refused(map, WEND_BAD_ARGUMENT, "chunk 1,0 is not loaded", close_there);
    expect_refused(map, WEND_BAD_ARGUMENT, "chunk 1,0 is not loaded", unload_there);
    expect_refused(map, WEND_BAD_ARGUMENT, "land", unload_as_loaded);
    expect_refused(map, WEND_BAD_ARGUMENT, "land", unload_beyond);
    expect_refused(map, WEND_OUT_OF_RANGE, "chunk 2,0 is off the map", load_east);
    expect_refused(map, WEND_OUT_OF_RANGE, "chunk 0,-1 is off the map", load_north);
    expect_refused(map, WEND_BAD_ARGUMENT, "stride_bytes", load_narrow);
    OWNED_MAP *whole = map_of_size(128, 64);
    expect_refused(whole, WEND_BAD_ARGUMENT, "not streamed", unload_there);
    int32_t land;
    cr_assert_eq(wend_map_get_land(whole, 0, 0, &land), WEND_BAD_ARGUMENT);
    cr_assert_eq(wend_map_get_land(map, 0, 1, &land), WEND_OUT_OF_RANGE);
    cr_assert_eq(map_epoch(map), epoch);
}

Test(map_land, is_of_grids_whose_class_0_is_blocked) {
    wend_map_def def = default_map();
    wend_map *map = NULL;
    def.width = def.height = def.depth = 64, def.kind = WEND_KIND_VOXEL, def.streamed = 1;
    cr_assert_eq(wend_map_create(&def, &map), WEND_BAD_ARGUMENT);
    def.kind = WEND_KIND_GRID, def.depth = 1;
    wend_map_rules rules = default_rules();
    rules.factors[0] = 1;
    def.streamed = 1, def.rules = &rules;
    cr_assert_eq(wend_map_create(&def, &map), WEND_BAD_ARGUMENT);
    OWNED_MAP *fine = streamed_map(64, 64);
    cr_assert_eq(wend_map_set_rules(fine, &rules), WEND_BAD_ARGUMENT);
    wend_mover mover = {.struct_bytes = sizeof mover};
    cr_assert_eq(wend_map_get_mover(fine, WEND_MOVER_DEFAULT, &mover), WEND_OK);
    mover.factors[0] = 1;
    int32_t id;
    cr_assert_eq(wend_map_add_mover(fine, &mover, &id), WEND_BAD_ARGUMENT);
}

/* ---- any order of loads, unloads and edits ---- */

typedef struct world {
    wend_map *map;
    model m;
    int32_t columns, rows;
    int32_t land[16];
} world;

static void forget_chunk(world *w, int32_t x, int32_t y) {
    for (int32_t row = y * SIDE; row < (y + 1) * SIDE && row < w->m.height; row++)
        for (int32_t column = x * SIDE; column < (x + 1) * SIDE && column < w->m.width; column++)
            w->m.classes[row * w->m.width + column] = 0;
}

static void load_some(world *w, wend_edit *edit, int32_t x, int32_t y, uint64_t *seed) {
    uint8_t cells[SIDE * SIDE];
    const uint32_t kinds = (uint32_t)draw(seed, 4) + 1;
    const bool all = draw(seed, 8) == 0;
    for (int32_t i = 0; i < SIDE * SIDE; i++) cells[i] = (uint8_t)(all ? WEND_CLASS_OPEN : draw(seed, kinds));
    for (int32_t i = 0; i < SIDE * SIDE; i++) {
        const int32_t column = x * SIDE + i % SIDE, row = y * SIDE + i / SIDE;
        if (column < w->m.width && row < w->m.height) w->m.classes[row * w->m.width + column] = cells[i];
    }
    cr_assert_eq(wend_edit_load(edit, x, y, all ? NULL : cells, SIDE), WEND_OK);
    w->land[y * w->columns + x] = WEND_LAND_LOADED;
}

static void change_some(world *w, wend_edit *edit, uint64_t *seed) {
    const int32_t x = (int32_t)draw(seed, (uint32_t)w->columns), y = (int32_t)draw(seed, (uint32_t)w->rows);
    int32_t *land = &w->land[y * w->columns + x];
    if (draw(seed, 3) == 0 || *land != WEND_LAND_LOADED) {
        load_some(w, edit, x, y, seed);
    } else if (draw(seed, 2)) {
        *land = draw(seed, 2) ? WEND_LAND_KNOWN : WEND_LAND_ABSENT;
        cr_assert_eq(wend_edit_unload(edit, x, y, *land), WEND_OK);
        forget_chunk(w, x, y);
    } else {
        const int32_t column = x * SIDE, row = y * SIDE + (int32_t)draw(seed, 6);
        const uint8_t class = (uint8_t)draw(seed, 3);
        cr_assert_eq(wend_edit_set_cell(edit, at(column, row), class), WEND_OK);
        w->m.classes[row * w->m.width + column] = class;
    }
}

static void check_land(const world *w) {
    uint64_t counts[3] = {0};
    for (int32_t i = 0; i < w->columns * w->rows; i++) {
        counts[w->land[i]]++;
        cr_assert_eq(land_of(w->map, i % w->columns, i / w->columns), w->land[i]);
    }
    const wend_map_info info = info_now(w->map);
    cr_assert(info.loaded_chunks == counts[WEND_LAND_LOADED] && info.known_chunks == counts[WEND_LAND_KNOWN]);
}

Test(map_land, is_blocked_where_it_is_not_loaded) {
    for (uint64_t seed = 1; seed <= 12; seed++) {
        uint64_t random = seed;
        OWNED(model_free) model m = model_create(200, 134, NULL);
        memset(m.classes, 0, 200 * 134);
        OWNED_MAP *map = streamed_map(m.width, m.height);
        world w = {.map = map, .m = m, .columns = 4, .rows = 3};
        for (int32_t i = 0; i < 12; i++) w.land[i] = WEND_LAND_ABSENT;
        for (int round = 0; round < 12; round++) {
            wend_edit *edit = begin_edit(map);
            for (uint64_t n = draw(&random, 4) + 1; n > 0; n--) change_some(&w, edit, &random);
            if (draw(&random, 4)) {
                cr_assert_eq(wend_edit_publish(edit, NULL), WEND_OK);
            } else { /* a discarded batch has no effect: a different batch follows at once */
                wend_edit_discard(edit);
                for (int32_t i = 0; i < 12; i++) w.land[i] = land_of(map, i % 4, i / 4);
                wend_map_get_terrain_box(map, box_of(0, 0, 199, 133), m.classes, 200);
            }
            model_check_map(&m, map);
            check_land(&w);
        }
        OWNED_MAP *fork = forked(map);
        model_check_map(&m, fork);
        cr_assert_eq(info_now(fork).loaded_chunks, info_now(map).loaded_chunks);
    }
}

Test(map_land, closed_steps_go_with_their_chunk) {
    OWNED_MAP *map = streamed_map(128, 64);
    publish_load(map, 0, 0, NULL);
    publish_load(map, 1, 0, NULL);
    wend_edit *edit = begin_edit(map);
    for (int32_t y = 0; y < 64; y++) {
        cr_assert_eq(set_step_both(edit, at(63, y), at(64, y), 0), WEND_OK);
        if (y > 0) cr_assert_eq(set_step_both(edit, at(63, y), at(64, y - 1), 0), WEND_OK);
        if (y < 63) cr_assert_eq(set_step_both(edit, at(63, y), at(64, y + 1), 0), WEND_OK);
    }
    cr_assert_eq(wend_edit_publish(edit, NULL), WEND_OK);
    cr_assert(info_now(map).components == 2 && info_now(map).closed_steps == 2 * (64 + 63 + 63));
    publish_unload(map, 1, 0, WEND_LAND_KNOWN);
    cr_assert_eq(info_now(map).closed_steps, 64u + 63 + 63);
    publish_load(map, 1, 0, NULL);
    cr_assert_eq(info_now(map).components, 1u, "the steps back are open again");
}

static wend_error load_once(wend_map *map) {
    uint8_t cells[SIDE * SIDE];
    wend_edit *edit;
    for (int32_t i = 0; i < SIDE * SIDE; i++) cells[i] = (uint8_t)(i % 3);
    wend_error error = wend_edit_begin(map, &edit);
    if (error) return error;
    wend_edit_load(edit, 0, 0, cells, SIDE);
    wend_edit_unload(edit, 1, 0, WEND_LAND_KNOWN);
    return wend_edit_publish(edit, NULL);
}

static uint64_t lands(wend_map *map) {
    const wend_map_info info = info_now(map);
    return info.loaded_chunks * 1000 + info.known_chunks;
}

Test(map_land, a_chunk_that_does_not_fit_changes_nothing) {
    counting counts = {0};
    wend_map_def def = default_map();
    def.width = 128, def.height = 64, def.streamed = 1, def.allocator = counting_allocator(&counts);
    wend_map *map = made_map(&def);
    publish_load(map, 1, 0, NULL);
    fail_everywhere(map, &counts, load_once, lands);
    wend_map_release(map);
    cr_assert_eq(counts.blocks, 0u);
}

Test(map_land, a_large_world_costs_what_is_loaded) {
    OWNED_MAP *map = streamed_map(WEND_MAX_SIDE, WEND_MAX_SIDE);
    cr_assert_lt(map_bytes(map), UINT64_C(4) << 20);
    const uint64_t before = map_bytes(map);
    for (int32_t i = 0; i < 16; i++) publish_load(map, 500 + i, 700, NULL);
    for (int32_t i = 0; i < 16; i++) publish_unload(map, 500 + i, 700, WEND_LAND_ABSENT);
    cr_assert_lt(map_bytes(map) - before, UINT64_C(128) << 10);
}
