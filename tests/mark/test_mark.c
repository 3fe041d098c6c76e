/* SPDX-License-Identifier: MIT */
/* Arenas and marks: blocks, slots, what is refused. check_rewind has worlds that go back. */
#include <criterion/criterion.h>

#include "mark/arenas.h"
#include "models/defaults.h"
#include "models/random.h"

#include <string.h>
#include <sys/resource.h>
#include <wend/agents.h>
#include <wend/figures.h>
#include <wend/field.h>
#include <wend/host.h>
#include <wend/mark.h>
#include <wend/record.h>
#include <wend/save.h>
#include <wend/search.h>
#include <wend/units.h>

static wend_map *make_map(const wend_allocator *allocator) {
    wend_map_def def = default_map();
    def.width = def.height = 32;
    if (allocator) def.allocator = *allocator;
    return made_map(&def);
}

static wend_service *make_service(const wend_allocator *allocator, uint32_t workers) {
    wend_service_def def = default_service();
    if (allocator) def.allocator = *allocator;
    def.workers = workers;
    return made_service(&def);
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
    cr_assert_eq(wend_service_destroy(service), WEND_OK);
    cr_assert_eq(wend_arena_destroy(arena), WEND_OK);
}

static uint32_t answers;

static void count(void *context, const wend_completion *done) {
    (void)context;
    answers += done->status == WEND_STATUS_FOUND;
}

/* Enough for workers to be woken. */
static void ask_all(wend_service *service, wend_map *map) {
    wend_request request = default_request();
    request.map = map, request.on_done = count;
    answers = 0;
    for (int i = 0; i < 64; i++) {
        request.start.x = i % 32, request.goal = (wend_cell){31 - i % 32, 31, 0};
        cr_assert_eq(wend_service_submit(service, &request, NULL), WEND_OK);
    }
    cr_assert_eq(wend_service_tick(service, NULL, NULL), WEND_OK);
    cr_assert_eq(answers, 64);
}

Test(marks, start_and_stop_workers) {
    wend_arena *arena = open_large(4, FOR_OBJECTS, 0, NULL);
    const wend_allocator allocator = wend_arena_allocator(arena);
    wend_map *map = make_map(&allocator);
    cr_assert_eq(wend_arena_mark(arena, 0), WEND_OK);
    wend_service *first = make_service(&allocator, 2);
    ask_all(first, map);
    cr_assert_eq(wend_arena_mark(arena, 1), WEND_OK);
    cr_assert_eq(wend_service_destroy(first), WEND_OK);
    wend_service *second = make_service(&allocator, 2), *third = make_service(&allocator, 3);
    ask_all(second, map), ask_all(third, map);
    cr_assert_eq(wend_arena_mark(arena, 2), WEND_OK);
    for (int i = 0; i < 20; i++) {
        cr_assert_eq(wend_arena_rewind(arena, 1), WEND_OK, "%s", wend_error_detail(WEND_OK));
        ask_all(first, map);
        cr_assert_eq(wend_arena_rewind(arena, 0), WEND_OK);
        cr_assert_eq(wend_arena_rewind(arena, 2), WEND_OK);
        ask_all(second, map), ask_all(third, map);
    }
    cr_assert_eq(wend_service_destroy(second), WEND_OK);
    cr_assert_eq(wend_service_destroy(third), WEND_OK);
    wend_map_release(map);
    cr_assert_eq(wend_arena_destroy(arena), WEND_OK);
}

Test(marks, of_a_slot_that_is_forgotten_are_gone_and_others_stay) {
    wend_arena *arena = open_large(3, FOR_OBJECTS, 0, NULL);
    const wend_allocator allocator = wend_arena_allocator(arena);
    wend_arena_info info = {.struct_bytes = sizeof info};
    uint8_t *bytes = allocator.alloc(allocator.context, 1 << 16, 64);
    for (uint32_t slot = 0; slot < 3; slot++) {
        memset(bytes, (int)slot + 1, 1 << 16);
        cr_assert_eq(wend_arena_mark(arena, slot), WEND_OK);
    }
    cr_assert_eq(wend_arena_get_info(arena, &info), WEND_OK);
    const uint64_t before = info.mark_bytes;
    cr_assert_eq(wend_arena_forget(arena, 1), WEND_OK);
    cr_assert_eq(wend_arena_forget(arena, 1), WEND_OK, "it holds nothing already");
    cr_assert_eq(wend_arena_get_info(arena, &info), WEND_OK);
    cr_assert_eq(info.marks, 2);
    cr_assert_lt(info.mark_bytes, before);
    cr_assert_eq(wend_arena_rewind(arena, 1), WEND_EMPTY);
    cr_assert_eq(wend_arena_rewind(arena, 0), WEND_OK);
    for (int i = 0; i < 1 << 16; i++) cr_assert_eq(bytes[i], 1);
    cr_assert_eq(wend_arena_rewind(arena, 2), WEND_OK);
    for (int i = 0; i < 1 << 16; i++) cr_assert_eq(bytes[i], 3);
    allocator.free(allocator.context, bytes, 1 << 16);
    cr_assert_eq(wend_arena_destroy(arena), WEND_OK);
}

/* ---- owners, and hashes ---- */

static void count_other(void *context, const wend_completion *done) {
    (void)done;
    ++*(int *)context;
}

static void give_other(void *context, wend_ticket ticket, wend_request *request) {
    if (ticket.index % 2 == 0) request->on_done = count_other, request->context = context;
}

Test(marks, pending_requests_get_owners_again) {
    wend_arena *arena = open_large(2, FOR_OBJECTS, 0, NULL);
    const wend_allocator allocator = wend_arena_allocator(arena);
    wend_map *map = make_map(&allocator);
    wend_service *service = make_service(&allocator, 0);
    wend_request request = default_request();
    wend_save_host host;
    int others = 0;
    wend_save_host_init(&host, sizeof host);
    host.context = &others, host.request = give_other;
    request.map = map, request.on_done = count, answers = 0;
    for (int32_t i = 0; i < 10; i++) {
        request.start.x = i, request.goal = (wend_cell){31, 31 - i, 0};
        cr_assert_eq(wend_service_submit(service, &request, NULL), WEND_OK);
    }
    wend_budget budget = default_budget();
    budget.expansions = 5;
    cr_assert_eq(wend_service_tick(service, &budget, NULL), WEND_OK, "some have begun");
    const uint32_t early = answers, left = (uint32_t)wend_service_get_pending(service);
    cr_assert_eq(wend_arena_mark(arena, 0), WEND_OK);
    cr_assert_eq(wend_service_tick(service, NULL, NULL), WEND_OK);
    cr_assert_eq(answers, 10);
    cr_assert_eq(wend_arena_rewind(arena, 0), WEND_OK);
    cr_assert_eq(wend_service_adopt(service, &host), WEND_OK);
    cr_assert_eq(wend_service_tick(service, NULL, NULL), WEND_OK);
    cr_assert_eq(wend_service_get_pending(service), 0);
    cr_assert_eq(answers, 10, "the first owner hears nothing");
    cr_assert(others > 0 && (uint32_t)others < left, "%d of %u are taken, %u came early", others, left, early);
    cr_assert_eq(wend_service_destroy(service), WEND_OK);
    wend_map_release(map);
    cr_assert_eq(wend_arena_destroy(arena), WEND_OK);
}

static uint64_t hash_of(wend_map *map, wend_service *service, wend_crowd *crowd) {
    uint64_t hash = 0;
    cr_assert_eq(wend_world_hash(map, service, crowd, &hash), WEND_OK);
    return hash;
}

Test(hashes, are_those_of_a_twin_and_differ_by_one_value) {
    wend_map *maps[2];
    wend_service *services[2];
    wend_crowd *crowds[2];
    wend_agent_id ids[2][2];
    const wend_allocator none = wend_allocator_default();
    for (int i = 0; i < 2; i++) {
        wend_crowd_def def = default_crowd();
        wend_agent_def agent = default_agent();
        maps[i] = make_map(&none), services[i] = make_service(&none, i == 1 ? 2 : 0);
        def.map = maps[i], def.service = services[i], def.agents = 4;
        cr_assert_eq(wend_crowd_create(&def, &crowds[i]), WEND_OK);
        for (int k = 0; k < 2; k++) {
            agent.cell.x = k;
            cr_assert_eq(wend_crowd_add(crowds[i], &agent, &ids[i][k]), WEND_OK);
        }
    }
    for (int frame = 0; frame < 20; frame++) {
        wend_crowd_goal goal = default_crowd_goal();
        wend_agent_event event = {.struct_bytes = sizeof event};
        goal.cell = (wend_cell){frame, 31 - frame, 0};
        for (int i = 0; i < 2; i++) {
            cr_assert_eq(wend_crowd_go(crowds[i], &ids[i][frame % 2], 1, &goal), WEND_OK);
            cr_assert_eq(wend_map_set_cell(maps[i], (wend_cell){10, frame, 0}, WEND_CLASS_BLOCKED, NULL), WEND_OK);
            cr_assert_eq(wend_service_tick(services[i], NULL, NULL), WEND_OK);
            cr_assert_eq(wend_crowd_update(crowds[i], 300, NULL, NULL), WEND_OK);
            while (wend_crowd_poll(crowds[i], &event) == WEND_OK) continue;
        }
        cr_assert_eq(hash_of(maps[0], services[0], crowds[0]), hash_of(maps[1], services[1], crowds[1]), "%d", frame);
        cr_assert_eq(hash_of(maps[0], NULL, crowds[0]), hash_of(maps[1], NULL, crowds[1]));
    }
    const uint64_t map = hash_of(maps[0], NULL, NULL), crowd = hash_of(NULL, NULL, crowds[0]);
    cr_assert_neq(map, hash_of(NULL, services[0], NULL));
    cr_assert_eq(wend_crowd_set_urgency(crowds[0], ids[0][0], 9), WEND_OK);
    cr_assert_neq(hash_of(NULL, NULL, crowds[0]), crowd);
    cr_assert_eq(hash_of(maps[0], NULL, NULL), map);
    cr_assert_eq(wend_map_occupy(maps[0], (wend_cell){5, 5, 0}), WEND_OK);
    cr_assert_neq(hash_of(maps[0], NULL, NULL), map);
    cr_assert_eq(wend_map_vacate(maps[0], (wend_cell){5, 5, 0}), WEND_OK);
    cr_assert_eq(hash_of(maps[0], NULL, NULL), map);
    for (int k = 0; k < 2; k++) {
        uint64_t own[2];
        for (int i = 0; i < 2; i++) cr_assert_eq(wend_crowd_hash_agent(crowds[i], ids[i][k], &own[i]), WEND_OK);
        cr_assert_eq(own[0] == own[1], k == 1, "agent %d", k);
    }
    for (int i = 0; i < 2; i++) {
        cr_assert_eq(wend_crowd_destroy(crowds[i]), WEND_OK);
        cr_assert_eq(wend_service_destroy(services[i]), WEND_OK);
        wend_map_release(maps[i]);
    }
}

/* A file in memory counts, too: without it a mark is a copy, and no signal comes. */
Test(arena, is_marked_where_no_file_may_grow) {
    struct rlimit before, none;
    cr_assert_eq(getrlimit(RLIMIT_FSIZE, &before), 0);
    none = before;
    none.rlim_cur = 0;
    wend_arena *arena = open_arena(2, 0, NULL);
    uint8_t *block = take(arena, 100000);
    memset(block, 7, 100000);
    cr_assert_eq(setrlimit(RLIMIT_FSIZE, &none), 0);
    const wend_error marked = wend_arena_mark(arena, 0);
    memset(block, 8, 100000);
    const wend_error again = wend_arena_mark(arena, 1), back = wend_arena_rewind(arena, 0);
    setrlimit(RLIMIT_FSIZE, &before);
    cr_assert(!marked && !again && !back);
    for (size_t i = 0; i < 100000; i++) cr_assert_eq(block[i], 7);
    give(arena, block, 100000);
    cr_assert_eq(wend_arena_destroy(arena), WEND_OK);
}
