/* SPDX-License-Identifier: MIT */
/* Marks of units: every word after moves, against the definition of each mark, applied to each cell. */
#include "map/map_support.h"
#include "map/store/directions.h"
#include "fast/stops/units.h"
#include "models/few_or_many.h"
#include "models/options.h"
#include <wend/search.h>
#include <wend/units.h>

#include <criterion/criterion.h>
#include <stdlib.h>

typedef struct world {
    wend_map *map;
    int32_t width, height;
    uint8_t *counts; /* units on each cell */
} world;

static void keep(wend_map *map) {
    wend__units_want(map);
    wend__units_make(map);
}

static wend_map *create(int32_t kind, int32_t width, int32_t height, int32_t depth) {
    wend_map_def def = default_map();
    def.kind = kind, def.width = width, def.height = height, def.depth = depth;
    return made_map(&def);
}

static world world_of(wend_map *map) {
    world w = {.map = map, .width = map->width, .height = map->height};
    w.counts = calloc((size_t)w.width * (size_t)w.height, 1);
    return w;
}

static void world_free(world *w) {
    wend_map_release(w->map);
    free(w->counts);
}

static bool held(const world *w, int32_t x, int32_t y) {
    return x >= 0 && y >= 0 && x < w->width && y < w->height && w->counts[y * w->width + x];
}

static void change(world *w, int32_t x, int32_t y, bool come) {
    uint8_t *count = &w->counts[y * w->width + x];
    if (come) {
        cr_assert_eq(wend_map_occupy(w->map, (wend_cell){x, y, 0}), WEND_OK);
        ++*count;
    } else {
        cr_assert_eq(wend_map_vacate(w->map, (wend_cell){x, y, 0}), *count ? WEND_OK : WEND_EMPTY);
        *count = *count ? *count - 1 : 0;
    }
}

/* By the words of units.h. */
static bool wants_mark(const world *w, int32_t x, int32_t y, unsigned d) {
    const int32_t h = wend__dx[d], v = wend__dy[d];
    if (held(w, x, y)) return true;
    if (v == 0) return held(w, x, y - 1) || held(w, x, y + 1);
    if (h == 0) return held(w, x - 1, y) || held(w, x + 1, y);
    return held(w, x - h, y) || held(w, x, y - v);
}

static const wend__unit_chunk *chunk_at(const world *w, int32_t column, int32_t row) {
    const size_t columns = (size_t)(w->width - 1) / 1024 + 1,
                 block = (size_t)(row / 16) * columns + (size_t)column / 16;
    const wend__mark_block *marks = wend__unit_block(w->map, block);
    return marks ? wend__unit_chunk_of(marks, (unsigned)(row % 16 * 16 + column % 16)) : NULL;
}

static bool has_bits(const void *memory, size_t bytes) {
    const uint8_t *at = memory;
    for (size_t i = 0; i < bytes; i++)
        if (at[i]) return true;
    return false;
}

static void check_cell(const world *w, const wend__unit_chunk *chunk, int32_t x, int32_t y) {
    const unsigned local = (unsigned)(y & 63) << 6 | (unsigned)(x & 63);
    unsigned near = 0;
    for (unsigned d = 0; d < WEND__DIRECTIONS; d++) {
        near |= (unsigned)held(w, x + wend__dx[d], y + wend__dy[d]) << d;
        const bool marked = chunk && wend__marked(&chunk->marks, local, d);
        cr_assert_eq(marked, wants_mark(w, x, y, d), "%d,%d to %u", x, y, d);
    }
    cr_assert_eq(chunk ? chunk->near[local] : 0, near, "%d,%d", x, y);
    cr_assert_eq(chunk ? chunk->held[y & 63] >> (x & 63) & 1 : 0, held(w, x, y), "%d,%d", x, y);
}

/* Checks that a chunk without units in it or around it has only zeros, and that all other chunks are special. */
static void check_chunk(const world *w, int32_t column, int32_t row) {
    const wend__unit_chunk *chunk = chunk_at(w, column, row);
    uint32_t units = 0;
    bool near = false;
    for (int32_t y = row * 64; y < row * 64 + 64 && y < w->height; y++)
        for (int32_t x = column * 64; x < column * 64 + 64 && x < w->width; x++) {
            check_cell(w, chunk, x, y);
            units += held(w, x, y);
            for (int32_t i = 0; i < 9; i++) near = near || held(w, x + i % 3 - 1, y + i / 3 - 1);
        }
    if (!chunk) return;
    cr_assert_eq(chunk->units, units);
    cr_assert_eq(chunk->touched > 0, near);
    if (!near) cr_assert_not(has_bits(chunk, sizeof *chunk));
    const size_t columns = (size_t)(w->width - 1) / 1024 + 1,
                 block = (size_t)(row / 16) * columns + (size_t)column / 16;
    const wend__mark_block *marks = wend__unit_block(w->map, block);
    cr_assert_eq(marks->special_rows[row % 16] >> column % 16 & 1, near);
    cr_assert_eq(marks->special_columns[column % 16] >> row % 16 & 1, near);
}

/* Checks that the summaries equal a complete new sum of the cells' marks. */
static void check_block(const wend__mark_block *block) {
    static wend__mark_block own;
    own = *block;
    memset(own.ahead, 0xab, sizeof own.ahead);
    wend__mark_block_sum(&own);
    cr_assert_arr_eq(&own, block, sizeof own);
    for (unsigned i = 0; i < WEND__BLOCK_CHUNKS; i++) {
        static wend__marks again;
        if (!block->chunks[i]) continue;
        memset(&again, 0, sizeof again);
        for (unsigned cell = 0; cell < WEND__CHUNK_CELLS; cell++)
            for (unsigned d = 0; d < WEND__DIRECTIONS; d++)
                if (wend__marked(block->chunks[i], cell, d)) wend__marks_add(&again, cell, 1u << d);
        cr_assert_arr_eq(&again, block->chunks[i], sizeof again);
    }
}

static void check_world(const world *w) {
    for (int32_t row = 0; row * 64 < w->height; row++)
        for (int32_t column = 0; column * 64 < w->width; column++) check_chunk(w, column, row);
    for (size_t i = 0; w->map->units && i < w->map->units->block_count; i++)
        if (w->map->units->blocks[i]) check_block(w->map->units->blocks[i]);
}

/* Most moves are near borders of chunks, and in crowds. */
static int32_t any_place(uint64_t *seed, int32_t side) {
    const int32_t border = (int32_t)draw(seed, (uint32_t)side / 64 + 1) * 64 + (int32_t)draw(seed, 6) - 3;
    const int32_t place = draw(seed, 4) ? border : (int32_t)draw(seed, (uint32_t)side);
    return place < 0 ? 0 : place < side ? place : side - 1;
}

static void move_units(world *w, uint64_t *seed, int moves, uint32_t coming) {
    for (int i = 0; i < moves; i++) {
        const int32_t x = any_place(seed, w->width), y = any_place(seed, w->height);
        change(w, x, y, draw(seed, 10) < coming);
    }
}

static void try_size(int32_t width, int32_t height, uint64_t seed) {
    OWNED(world_free) world w = world_of(create(WEND_KIND_GRID, width, height, 1));
    keep(w.map);
    check_world(&w);
    for (int round = 0; round < few_or_many(4, 12); round++) {
        move_units(&w, &seed, 150, round % 4 == 3 ? 1 : 6);
        check_world(&w);
    }
    for (int32_t i = 0; i < width * height; i++)
        while (w.counts[i]) change(&w, i % width, i / width, false);
    check_world(&w);
}

Test(unit_marks, are_what_the_definition_says_after_every_move) {
    try_size(150, 140, 1);
    try_size(64, 64, 2);
    try_size(1, 130, 3);
    try_size(65, 1, 4);
    try_size(1, 1, 5);
}

Test(unit_marks, cross_the_borders_of_blocks) {
    try_size(1090, 70, 6);
    try_size(66, 1026, 7);
}

Test(unit_marks, are_made_for_units_that_stand_already) {
    OWNED(world_free) world w = world_of(create(WEND_KIND_GRID, 200, 130, 1));
    uint64_t seed = 8;
    move_units(&w, &seed, 400, 8);
    wend_map_info info = info_now(w.map);
    const uint64_t bytes = info.bytes;
    cr_assert_null(w.map->units);
    for (int again = 0; again < 2; again++) {
        keep(w.map);
        check_world(&w);
        wend_map_get_info(w.map, &info);
        cr_assert_eq(info.marks_units, 1);
        if (!again) cr_assert_eq(info.bytes, bytes + info.unit_bytes);
        move_units(&w, &seed, 100, 5);
        check_world(&w);
    }
}

static wend_map_info info_of(const wend_map *map) {
    wend_map_info info = info_now(map);
    return info;
}

static void accelerate(wend_map *map) {
    cr_assert_eq(wend_map_accelerate(map, NULL), WEND_OK);
}

static wend_error find_among_units(wend_map *map) {
    wend_search_def def = default_search();
    wend_request request = default_request();
    request.map = map, request.goal = (wend_cell){map->width - 1, map->height - 1, 0};
    options_of(&request)->occupied = WEND_OCCUPIED_BLOCK;
    OWNED_SEARCH *search = made_search(&def);
    const wend_error error = wend_search_begin(search, &request);
    return error;
}

Test(unit_marks, come_with_the_first_unit_after_tables) {
    OWNED(world_free) world w = world_of(create(WEND_KIND_GRID, 100, 100, 1));
    change(&w, 5, 5, true);
    cr_assert_eq(info_of(w.map).marks_units, 0, "no tables yet");
    accelerate(w.map);
    cr_assert_eq(info_of(w.map).marks_units, 0, "nobody asked");
    change(&w, 5, 5, false);
    cr_assert_eq(info_of(w.map).marks_units, 0, "none came");
    change(&w, 63, 64, true);
    cr_assert_eq(info_of(w.map).marks_units, 1);
    check_world(&w);
}

Test(unit_marks, come_with_the_first_search_that_sees_units) {
    OWNED(world_free) world w = world_of(create(WEND_KIND_GRID, 100, 100, 1));
    change(&w, 63, 64, true);
    accelerate(w.map);
    cr_assert_eq(find_among_units(w.map), WEND_OK);
    cr_assert_eq(info_of(w.map).marks_units, 1);
    check_world(&w);
}

Test(unit_marks, a_fork_keeps_its_own_from_none) {
    OWNED(world_free) world w = world_of(create(WEND_KIND_GRID, 100, 100, 1)), fork;
    uint64_t seed = 9;
    wend_map *map;
    keep(w.map);
    move_units(&w, &seed, 100, 7);
    cr_assert_eq(wend_map_fork(w.map, &map), WEND_OK);
    fork = world_of(map);
    check_world(&fork);
    move_units(&fork, &seed, 100, 7);
    move_units(&w, &seed, 100, 3);
    check_world(&fork);
    cr_assert_eq(info_of(fork.map).marks_units, 1);
}

Test(unit_marks, are_on_flat_grids_only) {
    OWNED_MAP *voxels = create(WEND_KIND_VOXEL, 20, 20, 20);
    accelerate(voxels);
    cr_assert_eq(wend_map_occupy(voxels, (wend_cell){1, 1, 1}), WEND_OK);
    cr_assert_eq(find_among_units(voxels), WEND_OK);
    cr_assert_eq(info_of(voxels).marks_units, 0);
}

/* ---- marks that follow a reader's searches ---- */

static void check_some(const world *w, wend_box chunks) {
    for (int32_t row = chunks.min.y; row <= chunks.max.y; row++)
        for (int32_t column = chunks.min.x; column <= chunks.max.x; column++)
            if (column * 64 < w->width && row * 64 < w->height) check_chunk(w, column, row);
}

static void follow_a_reader(int32_t width, int32_t height, uint64_t seed) {
    OWNED(world_free) world w = world_of(create(WEND_KIND_GRID, width, height, 1));
    const int reader = 0;
    keep(w.map);
    move_units(&w, &seed, 100, 6);
    wend__units_set_reader(w.map, &reader);
    for (int round = 0; round < few_or_many(12, 40); round++) {
        move_units(&w, &seed, 60, round % 4 == 3 ? 1 : 6);
        const int32_t x = (int32_t)draw(&seed, (uint32_t)width / 64 + 1),
                      y = (int32_t)draw(&seed, (uint32_t)height / 64 + 1);
        const wend_box chunks = {{x, y, 0}, {x + (int32_t)draw(&seed, 2), y + (int32_t)draw(&seed, 2), 0}};
        wend__units_follow(w.map, chunks);
        check_some(&w, chunks);
        wend__units_follow(w.map, chunks);
        check_some(&w, chunks);
    }
    wend__units_set_reader(w.map, NULL);
    check_world(&w);
    move_units(&w, &seed, 60, 5);
    check_world(&w);
}

Test(unit_marks, of_a_reader_are_right_in_the_chunks_that_it_asks_for) {
    follow_a_reader(150, 140, 21);
    follow_a_reader(400, 70, 22);
    follow_a_reader(1090, 70, 23);
    follow_a_reader(66, 1026, 24);
    follow_a_reader(1, 130, 25);
}

Test(unit_marks, of_a_reader_are_for_all_from_the_next_move_on_once_another_one_looks) {
    for (int32_t came = 0; came < 2; came++) {
        OWNED(world_free) world w = world_of(create(WEND_KIND_GRID, 200, 130, 1));
        const int reader = 0, other = 0;
        uint64_t seed = 26;
        keep(w.map);
        wend__units_set_reader(w.map, &reader);
        move_units(&w, &seed, 100, 7);
        while (w.counts[64 * w.width + 63]) change(&w, 63, 64, false);
        if (!came) change(&w, 63, 64, true);
        cr_assert(wend__units_show(w.map, &reader));
        cr_assert_not(wend__units_show(w.map, &other));
        change(&w, 63, 64, came);
        cr_assert(wend__units_show(w.map, &other));
        check_world(&w);
        move_units(&w, &seed, 100, 4);
        check_world(&w);
    }
}

/* Every allocation fails once, as the first marks are made and as they grow. The unit has its place, or the call fails
 * and changes nothing; where marks are lacking, there are none any more, and searches do without. */
static bool lacks_memory(uint64_t fail, bool search_first) {
    const wend_cell cells[] = {{63, 63, 0}, {64, 64, 0}, {1023, 63, 0}, {5, 5, 0}};
    counting c = {0};
    wend_map_def def = default_map();
    def.width = 1100, def.height = 130, def.allocator = counting_allocator(&c);
    wend_map *map = made_map(&def);
    OWNED(world_free) world w = world_of(map);
    change(&w, 700, 64, true);
    accelerate(map);
    const uint64_t last = c.fail_at = c.calls + fail;
    if (search_first) cr_assert_eq(find_among_units(map), WEND_OK);
    for (size_t i = 0; i < sizeof cells / sizeof cells[0]; i++) {
        const uint64_t bytes = info_of(map).bytes;
        const wend_error error = wend_map_occupy(map, cells[i]);
        if (error == WEND_OK) w.counts[cells[i].y * w.width + cells[i].x]++;
        if (error) cr_assert_eq(error, WEND_OUT_OF_MEMORY);
        if (error) cr_assert_eq(info_of(map).bytes, bytes);
    }
    const bool failed = c.calls >= last;
    c.fail_at = 0;
    cr_assert_eq(find_among_units(map), WEND_OK);
    for (int32_t i = 0; i < w.width * w.height; i++) {
        uint32_t count;
        wend_map_get_occupants(map, (wend_cell){i % w.width, i / w.width, 0}, &count);
        cr_assert_eq(count, w.counts[i]);
    }
    change(&w, 5, 5, true);
    if (info_of(map).marks_units) check_world(&w);
    return failed;
}

Test(unit_marks, lack_of_memory_is_no_error) {
    for (int search_first = 0; search_first < 2; search_first++) {
        uint64_t fail = 1;
        while (lacks_memory(fail, search_first)) fail++;
        cr_assert_gt(fail, 10, "%d", (int)fail);
    }
}
