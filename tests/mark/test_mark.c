/* SPDX-License-Identifier: MIT */
/* Arenas and marks: blocks, slots, what is refused, memory that is lacking. check_rewind has worlds that go back. */
#include <criterion/criterion.h>

#include "models/counting.h"
#include "models/defaults.h"
#include "models/random.h"

#include <string.h>
#include <wend/figures.h>
#include <wend/field.h>
#include <wend/host.h>
#include <wend/jams.h>
#include <wend/mark.h>
#include <wend/record.h>
#include <wend/search.h>
#include <wend/watch.h>

enum { ROOM = 1 << 22, FOR_OBJECTS = 1 << 28 };

static wend_arena *open_large(uint32_t marks, uint64_t bytes, uint64_t mark_bytes, counting *counts) {
    wend_arena_def def;
    wend_arena *arena = NULL;
    wend_arena_def_init(&def, sizeof def);
    def.marks = marks, def.bytes = bytes, def.mark_bytes = mark_bytes;
    if (counts) def.allocator = counting_allocator(counts);
    cr_assert_eq(wend_arena_create(&def, &arena), WEND_OK, "%s", wend_error_detail(WEND_BAD_ARGUMENT));
    return arena;
}

static wend_arena *open_arena(uint32_t marks, uint64_t mark_bytes, counting *counts) {
    return open_large(marks, ROOM, mark_bytes, counts);
}

static uint8_t *take(wend_arena *arena, size_t bytes) {
    const wend_allocator allocator = wend_arena_allocator(arena);
    uint8_t *block = allocator.alloc(allocator.context, bytes, 64);
    cr_assert_not_null(block, "%zu bytes", bytes);
    cr_assert_eq((uintptr_t)block % 64, 0);
    return block;
}

static void give(wend_arena *arena, void *block, size_t bytes) {
    const wend_allocator allocator = wend_arena_allocator(arena);
    allocator.free(allocator.context, block, bytes);
}

static wend_arena_info info_of(const wend_arena *arena) {
    wend_arena_info info = {.struct_bytes = sizeof info};
    cr_assert_eq(wend_arena_get_info(arena, &info), WEND_OK);
    return info;
}

static wend_map *make_map(const wend_allocator *allocator) {
    wend_map_def def = default_map();
    wend_map *map = NULL;
    def.width = def.height = 32;
    if (allocator) def.allocator = *allocator;
    cr_assert_eq(wend_map_create(&def, &map), WEND_OK);
    return map;
}

static wend_service *make_service(const wend_allocator *allocator, uint32_t workers) {
    wend_service_def def = default_service();
    wend_service *service = NULL;
    if (allocator) def.allocator = *allocator;
    def.workers = workers;
    cr_assert_eq(wend_service_create(&def, &service), WEND_OK);
    return service;
}

/* ---- blocks ---- */

Test(arena, gives_blocks_of_every_size_and_takes_them_again) {
    wend_arena *arena = open_arena(1, 0, NULL);
    enum { COUNT = 400 };
    uint8_t *blocks[COUNT];
    size_t sizes[COUNT];
    for (size_t i = 0; i < COUNT; i++) {
        sizes[i] = i < 300 ? i : i * 37 % 9000;
        blocks[i] = take(arena, sizes[i]);
        memset(blocks[i], (int)i & 255, sizes[i]);
    }
    for (size_t i = 0; i < COUNT; i++)
        for (size_t k = 0; k < sizes[i]; k++) cr_assert_eq(blocks[i][k], i & 255, "block %zu, byte %zu", i, k);
    const uint64_t used = info_of(arena).used_bytes, top = info_of(arena).top_bytes;
    for (size_t i = 0; i < COUNT; i++) give(arena, blocks[i], sizes[i]);
    cr_assert_eq(info_of(arena).used_bytes, 0);
    for (size_t i = 0; i < COUNT; i++) blocks[i] = take(arena, sizes[i]);
    cr_assert_eq(info_of(arena).used_bytes, used);
    cr_assert_eq(info_of(arena).top_bytes, top, "blocks that were freed are used again");
    for (size_t i = 0; i < COUNT; i++) give(arena, blocks[i], sizes[i]);
    give(arena, NULL, 7);
    cr_assert_eq(wend_arena_destroy(arena), WEND_OK);
}

Test(arena, has_no_room_beyond_its_bytes) {
    wend_arena *arena = open_arena(1, 0, NULL);
    const wend_allocator allocator = wend_arena_allocator(arena);
    cr_assert_null(allocator.alloc(allocator.context, ROOM, 64));
    cr_assert_null(allocator.alloc(allocator.context, SIZE_MAX, 64));
    uint8_t *half = take(arena, ROOM / 2);
    cr_assert_null(allocator.alloc(allocator.context, ROOM / 2, 64));
    give(arena, take(arena, ROOM / 4), ROOM / 4);
    cr_assert_eq(wend_arena_destroy(arena), WEND_IN_USE);
    give(arena, half, ROOM / 2);
    cr_assert_eq(wend_arena_destroy(arena), WEND_OK);
    cr_assert_eq(wend_arena_destroy(NULL), WEND_OK);
}

Test(arena, refuses_definitions_beyond_its_limits) {
    wend_arena_def def;
    wend_arena *arena = NULL;
    const uint64_t most = SIZE_MAX / 4 < WEND_MAX_ARENA_BYTES ? SIZE_MAX / 4 : WEND_MAX_ARENA_BYTES;
    const struct {
        uint32_t marks;
        uint64_t bytes;
        wend_error error;
    } cases[] = {{0, ROOM, WEND_BAD_ARGUMENT},    {WEND_MAX_MARKS + 1, ROOM, WEND_BAD_ARGUMENT},
                 {1, 65535, WEND_BAD_ARGUMENT},   {1, most + 1, WEND_BAD_ARGUMENT},
                 {WEND_MAX_MARKS, ROOM, WEND_OK}, {1, 65536, WEND_OK}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        wend_arena_def_init(&def, sizeof def);
        def.marks = cases[i].marks, def.bytes = cases[i].bytes;
        cr_assert_eq(wend_arena_create(&def, &arena), cases[i].error, "case %zu", i);
        if (!cases[i].error) cr_assert_eq(wend_arena_destroy(arena), WEND_OK);
    }
    cr_assert_eq(wend_arena_create(NULL, NULL), WEND_BAD_ARGUMENT);
    wend_arena_def_init(&def, sizeof def);
    def.struct_bytes = 4;
    cr_assert_eq(wend_arena_create(&def, &arena), WEND_BAD_ARGUMENT);
    cr_assert_eq(wend_arena_create(NULL, &arena), WEND_OK);
    cr_assert_eq(wend_arena_destroy(arena), WEND_OK);
}

/* ---- marks ---- */

Test(marks, go_back_and_forth_on_every_course) {
    enum { SLOTS = 7, BYTES = 300000, STEPS = 600 };
    wend_arena *arena = open_arena(SLOTS, 0, NULL);
    static uint8_t kept[SLOTS][BYTES];
    bool used[SLOTS] = {false};
    uint64_t random = 11;
    uint8_t *block = take(arena, BYTES);
    memset(block, 0, BYTES);
    for (int step = 0; step < STEPS; step++) {
        const uint32_t slot = draw(&random, SLOTS);
        for (int i = 0; i < 40; i++) block[draw(&random, BYTES)] = (uint8_t)draw(&random, 256);
        if (draw(&random, 2) || !used[slot]) {
            cr_assert_eq(wend_arena_mark(arena, slot), WEND_OK);
            memcpy(kept[slot], block, BYTES);
            used[slot] = true;
        } else {
            cr_assert_eq(wend_arena_rewind(arena, slot), WEND_OK);
            cr_assert_arr_eq(block, kept[slot], BYTES, "step %d", step);
        }
    }
    for (uint32_t slot = 0; slot < SLOTS; slot++) {
        cr_assert_eq(wend_arena_rewind(arena, slot), WEND_OK);
        cr_assert_arr_eq(block, kept[slot], BYTES, "slot %u", slot);
    }
    give(arena, block, BYTES);
    cr_assert_eq(wend_arena_destroy(arena), WEND_OK);
}

Test(marks, bring_back_what_was_freed_and_forget_what_was_made) {
    wend_arena *arena = open_arena(2, 0, NULL);
    uint8_t *first = take(arena, 100);
    memset(first, 1, 100);
    cr_assert_eq(wend_arena_mark(arena, 0), WEND_OK);
    const uint64_t used = info_of(arena).used_bytes;
    give(arena, first, 100);
    uint8_t *second = take(arena, 5000);
    memset(second, 2, 5000);
    cr_assert_eq(wend_arena_rewind(arena, 0), WEND_OK);
    cr_assert_eq(info_of(arena).used_bytes, used);
    for (int i = 0; i < 100; i++) cr_assert_eq(first[i], 1);
    cr_assert_eq(take(arena, 5000), second, "its room is free again");
    give(arena, second, 5000);
    give(arena, first, 100);
    cr_assert_eq(wend_arena_destroy(arena), WEND_OK);
}

Test(marks, refuse_slots_that_are_empty_or_not_there) {
    wend_arena *arena = open_arena(3, 0, NULL);
    cr_assert_eq(wend_arena_rewind(arena, 0), WEND_EMPTY);
    cr_assert_eq(wend_arena_mark(arena, 3), WEND_OUT_OF_RANGE);
    cr_assert_eq(wend_arena_mark(arena, 2), WEND_OK);
    cr_assert_eq(wend_arena_rewind(arena, 3), WEND_OUT_OF_RANGE);
    cr_assert_eq(wend_arena_rewind(arena, 1), WEND_EMPTY);
    cr_assert_eq(wend_arena_rewind(arena, 2), WEND_OK);
    cr_assert_eq(info_of(arena).marks, 1);
    cr_assert_eq(wend_arena_destroy(arena), WEND_OK);
}

Test(marks, change_nothing_where_memory_is_lacking) {
    enum { BYTES = 1 << 20 };
    counting counts = {0};
    wend_arena *arena = open_arena(4, 0, &counts);
    uint8_t *block = take(arena, BYTES);
    memset(block, 0, BYTES);
    cr_assert_eq(wend_arena_mark(arena, 0), WEND_OK);
    for (size_t fail = 1; fail < 60; fail++) {
        counts.fail_at = 0;
        cr_assert_eq(wend_arena_mark(arena, 1), WEND_OK);
        memset(block, (int)fail, BYTES);
        counts.fail_at = counts.calls + fail;
        const wend_error error = wend_arena_mark(arena, 2);
        cr_assert(error == WEND_OK || error == WEND_OUT_OF_MEMORY);
        counts.fail_at = counts.calls + fail / 2 + 1;
        wend_error back = wend_arena_rewind(arena, 1);
        cr_assert(back == WEND_OK || back == WEND_OUT_OF_MEMORY);
        if (back) cr_assert_eq(block[77], fail);
        counts.fail_at = 0;
        cr_assert_eq(wend_arena_rewind(arena, 1), WEND_OK);
        for (size_t i = 0; i < BYTES; i += 512) cr_assert_eq(block[i], 0, "%zu", fail);
        if (!error) {
            cr_assert_eq(wend_arena_rewind(arena, 2), WEND_OK);
            for (size_t i = 0; i < BYTES; i += 512) cr_assert_eq(block[i], fail);
        }
        cr_assert_eq(wend_arena_rewind(arena, 0), WEND_OK);
    }
    give(arena, block, BYTES);
    cr_assert_eq(wend_arena_destroy(arena), WEND_OK);
    cr_assert_eq(counts.bytes, 0);
}

Test(marks, keep_to_their_limit_of_bytes) {
    enum { BYTES = 1 << 20, MOST = 1 << 18 };
    wend_arena *arena = open_arena(4, MOST, NULL);
    uint8_t *block = take(arena, BYTES);
    memset(block, 0, BYTES);
    cr_assert_eq(wend_arena_mark(arena, 0), WEND_OK);
    memset(block, 1, MOST / 2);
    cr_assert_eq(wend_arena_mark(arena, 1), WEND_OK);
    memset(block, 2, BYTES);
    cr_assert_eq(wend_arena_mark(arena, 2), WEND_OUT_OF_MEMORY);
    cr_assert_eq(block[BYTES - 1], 2);
    cr_assert_eq(wend_arena_rewind(arena, 1), WEND_OK);
    cr_assert(block[0] == 1 && block[BYTES - 1] == 0);
    give(arena, block, BYTES);
    cr_assert_eq(wend_arena_destroy(arena), WEND_OK);
}

/* ---- objects ---- */

static wend_arena *busy_arena;
static wend_error in_callback;

static void mark_inside(void *context, const wend_completion *done) {
    (void)context, (void)done;
    in_callback = wend_arena_mark(busy_arena, 0);
    if (in_callback == WEND_IN_CALLBACK) in_callback = wend_arena_rewind(busy_arena, 1);
}

Test(marks, are_refused_inside_a_frame) {
    wend_arena *arena = busy_arena = open_large(2, FOR_OBJECTS, 0, NULL);
    const wend_allocator allocator = wend_arena_allocator(arena);
    wend_map *map = make_map(&allocator);
    wend_service *service = make_service(&allocator, 0);
    wend_request request = default_request();
    request.map = map, request.goal.x = 9, request.on_done = mark_inside;
    cr_assert_eq(wend_arena_mark(arena, 1), WEND_OK);
    cr_assert_eq(wend_service_submit(service, &request, NULL), WEND_OK);
    cr_assert_eq(wend_service_tick(service, NULL, NULL), WEND_OK);
    cr_assert_eq(in_callback, WEND_IN_CALLBACK);
    cr_assert_eq(wend_arena_mark(arena, 0), WEND_OK);
    cr_assert_eq(wend_service_destroy(service), WEND_OK);
    wend_map_release(map);
    cr_assert_eq(wend_arena_destroy(arena), WEND_OK);
}

static wend_error write_nothing(void *context, uint32_t file, const void *bytes, size_t count) {
    (void)context, (void)file, (void)bytes, (void)count;
    return WEND_OK;
}

Test(marks, do_not_go_back_over_what_no_memory_holds) {
    wend_arena *arena = open_large(3, FOR_OBJECTS, 0, NULL);
    const wend_allocator allocator = wend_arena_allocator(arena);
    wend_service *service = make_service(&allocator, 0);
    cr_assert_eq(wend_arena_mark(arena, 0), WEND_OK);
    cr_assert_eq(wend_service_record(service, write_nothing, NULL), WEND_OK);
    cr_assert_eq(wend_arena_mark(arena, 1), WEND_OK);
    cr_assert_eq(wend_arena_rewind(arena, 1), WEND_IN_USE, "a recording is open");
    cr_assert_eq(wend_service_end_recording(service), WEND_OK);
    cr_assert_eq(wend_arena_rewind(arena, 0), WEND_IN_USE, "one was opened and ended");
    cr_assert_eq(wend_arena_mark(arena, 0), WEND_OK);
    cr_assert_eq(wend_arena_rewind(arena, 0), WEND_OK);
    wend_service *threaded = make_service(&allocator, 2);
    cr_assert_eq(wend_arena_rewind(arena, 0), WEND_IN_USE, "threads began");
    cr_assert_eq(wend_arena_mark(arena, 0), WEND_OK);
    cr_assert_eq(wend_arena_rewind(arena, 0), WEND_OK);
    cr_assert_eq(wend_service_destroy(threaded), WEND_OK);
    cr_assert_eq(wend_arena_rewind(arena, 0), WEND_IN_USE, "they ended");
    cr_assert_eq(wend_service_destroy(service), WEND_OK);
    cr_assert_eq(wend_arena_destroy(arena), WEND_OK);
}

static void ignore(void *context, const wend_completion *done) {
    (void)context, (void)done;
}

/* A host's own allocator over that of an arena. */
static void *pass_alloc(void *context, size_t bytes, size_t alignment) {
    const wend_allocator *inner = context;
    return inner->alloc(inner->context, bytes, alignment);
}

static void pass_free(void *context, void *pointer, size_t bytes) {
    const wend_allocator *inner = context;
    inner->free(inner->context, pointer, bytes);
}

Test(arena, shares_no_object_with_what_is_outside) {
    wend_arena *arena = open_large(1, FOR_OBJECTS, 0, NULL);
    wend_allocator inner = wend_arena_allocator(arena), none = wend_allocator_default();
    wend_allocator passing = {&inner, pass_alloc, pass_free};
    for (int i = 0; i < 4; i++) {
        const wend_allocator *of_map = i & 1 ? &inner : &none, *of_others = i & 2 ? &passing : &none;
        const wend_error expected = (i & 1) == i >> 1 ? WEND_OK : WEND_BAD_ARGUMENT;
        wend_map *map = make_map(of_map);
        wend_service *service = make_service(of_others, 0), *beside = make_service(of_map, 0);
        wend_request request = default_request();
        wend_field_def field_def = default_field();
        wend_crowd_def crowd_def = default_crowd();
        wend_watcher_def watcher_def = default_watcher();
        wend_search_def search_def = default_search();
        wend_jams_def jams_def;
        const wend_cell goal = {1, 1, 0};
        wend_field *field = NULL;
        wend_crowd *crowd = NULL, *own = NULL;
        wend_watcher *watcher = NULL;
        wend_search *search = NULL;
        wend_jams *jams = NULL;
        wend_jams_def_init(&jams_def, sizeof jams_def);
        request.map = map, request.goal.x = 9, request.on_done = ignore;
        field_def.map = map, field_def.goals = &goal, field_def.goal_count = 1, field_def.allocator = *of_others;
        crowd_def.map = map, crowd_def.service = beside, crowd_def.allocator = *of_others;
        watcher_def.map = map, watcher_def.allocator = *of_others;
        search_def.allocator = jams_def.allocator = *of_others;
        cr_assert_eq(wend_service_submit(service, &request, NULL), expected, "%d", i);
        cr_assert_eq(wend_field_create(&field_def, &field), expected, "%d", i);
        cr_assert_eq(wend_crowd_create(&crowd_def, &crowd), expected, "%d", i);
        cr_assert_eq(wend_watcher_create(&watcher_def, &watcher), expected, "%d", i);
        cr_assert_eq(wend_search_create(&search_def, &search), WEND_OK);
        cr_assert_eq(wend_search_begin(search, &request), expected, "%d", i);
        crowd_def.allocator = *of_map;
        cr_assert_eq(wend_crowd_create(&crowd_def, &own), WEND_OK);
        cr_assert_eq(wend_jams_create(&jams_def, &jams), WEND_OK);
        cr_assert_eq(wend_crowd_set_jams(own, jams), expected, "%d", i);
        wend_jams_destroy(jams);
        wend_search_destroy(search);
        wend_watcher_destroy(watcher);
        wend_field_destroy(field);
        cr_assert(!wend_crowd_destroy(crowd) && !wend_crowd_destroy(own));
        cr_assert(!wend_service_destroy(service) && !wend_service_destroy(beside));
        wend_map_release(map);
    }
    cr_assert_eq(wend_arena_destroy(arena), WEND_OK);
}
