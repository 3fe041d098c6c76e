/* SPDX-License-Identifier: MIT */
/* Details of save.h and mark.h. */
#include "detail/refused.h"
#include <wend/field.h>
#include <wend/mark.h>
#include <wend/save.h>

#define NO_SAVE "these bytes are no save of wend"
#define SMALL "the save takes # bytes, but there is room for 8"

static wend_error write_nothing(void *context, uint32_t file, const void *bytes, size_t size) {
    (void)context, (void)file, (void)bytes, (void)size;
    return WEND_OK;
}

Test(detail, of_saves) {
    static uint8_t save[1 << 16];
    size_t bytes;
    OWNED_MAP *map = make_grid(), *other = make_space();
    wend_service *service;
    wend_crowd *crowd;
    wend_service_def service_def = default_service();
    service_def.queue = 4, service_def.nodes = 4 * WEND_PAGE_NODES;
    cr_assert_eq(wend_service_create(&service_def, &service), WEND_OK);
    wend_crowd_def crowd_def = default_crowd();
    crowd_def.map = map, crowd_def.service = service, crowd_def.agents = 3;
    cr_assert_eq(wend_crowd_create(&crowd_def, &crowd), WEND_OK);

    BAD("map is NULL", wend_map_save_state(NULL, save, sizeof save, &bytes));
    FAILS(OUT_OF_MEMORY, SMALL, wend_map_save_state(map, save, 8, &bytes));
    BAD("map is NULL", wend_map_restore_state(NULL, save, 8));
    BAD("buffer is NULL", wend_map_restore_state(map, NULL, 8));
    FAILS(BAD_FORMAT, NO_SAVE, wend_map_restore_state(map, "no", 2));
    cr_assert_eq(wend_map_save_state(map, save, sizeof save, &bytes), WEND_OK);
    FAILS(BAD_FORMAT, "the save is cut: it has # bytes, and had #", wend_map_restore_state(map, save, bytes - 1));
    BAD("the save is of another map: of kind #, with 10 x 8 x 1 cells", wend_map_restore_state(other, save, bytes));
    BAD("the save is of a map, not of a crowd", wend_crowd_restore_state(crowd, NULL, save, bytes));
    save[40] ^= 1;
    FAILS(BAD_FORMAT, "the save is damaged: its checksum is wrong", wend_map_restore_state(map, save, bytes));
    save[8] = 9;
    FAILS(UNSUPPORTED, "the save has format 9, this version reads up to 1", wend_map_restore_state(map, save, bytes));

    BAD("service is NULL", wend_service_save_state(NULL, NULL, save, sizeof save, &bytes));
    FAILS(OUT_OF_MEMORY, SMALL, wend_service_save_state(service, NULL, save, 8, &bytes));
    BAD("service is NULL", wend_service_restore_state(NULL, NULL, save, 8));
    FAILS(BAD_FORMAT, NO_SAVE, wend_service_restore_state(service, NULL, "no", 2));
    BAD("crowd is NULL", wend_crowd_save_state(NULL, save, sizeof save, &bytes));
    FAILS(OUT_OF_MEMORY, SMALL, wend_crowd_save_state(crowd, save, 8, &bytes));
    BAD("crowd is NULL", wend_crowd_restore_state(NULL, NULL, save, 8));
    FAILS(BAD_FORMAT, NO_SAVE, wend_crowd_restore_state(crowd, NULL, "no", 2));

    wend_crowd *second;
    wend_field *field;
    wend_agent_id id;
    wend_agent_def agent = default_agent();
    wend_crowd_goal goal = default_crowd_goal();
    wend_field_def field_def = default_field();
    const wend_cell end = {3, 3, 0};
    goal.cell = end;
    field_def.map = map, field_def.goals = &end, field_def.goal_count = 1;
    BAD("service is NULL", wend_service_record_state(NULL, map, NULL, write_nothing, NULL));
    BAD("map is NULL", wend_service_record_state(service, NULL, NULL, write_nothing, NULL));
    BAD("write is NULL", wend_service_record_state(service, map, NULL, NULL, NULL));
    BAD("the crowd is of another service...", wend_service_record_state(service, other, crowd, write_nothing, NULL));
    cr_assert_eq(wend_field_create(&field_def, &field), WEND_OK);
    cr_assert_eq(wend_service_add_field(service, field), WEND_OK);
    FAILS(UNSUPPORTED, "a recording cannot...", wend_service_record_state(service, map, crowd, write_nothing, NULL));
    cr_assert_eq(wend_service_remove_field(service, field), WEND_OK);
    wend_field_destroy(field);
    cr_assert_eq(wend_crowd_create(&crowd_def, &second), WEND_OK);
    cr_assert_eq(wend_crowd_add(second, &agent, &id), WEND_OK);
    cr_assert_eq(wend_crowd_go(second, &id, 1, &goal), WEND_OK);
    cr_assert_eq(wend_crowd_update(second, 1000, NULL, NULL), WEND_OK);
    BAD("agents of another crowd wait for...", wend_service_record_state(service, map, crowd, write_nothing, NULL));
    cr_assert_eq(wend_service_record_state(service, map, second, write_nothing, NULL), WEND_OK);
    FAILS(IN_USE, "the service records...", wend_service_record_state(service, map, second, write_nothing, NULL));
    wend_save_host host;
    wend_save_host_init(&host, sizeof host);
    BAD("service is NULL", wend_service_adopt(NULL, NULL));
    cr_assert_eq(wend_service_end_recording(service), WEND_OK);

    uint64_t hash;
    BAD("hash is NULL", wend_world_hash(map, service, second, NULL));
    BAD("hash is NULL", wend_crowd_hash_agent(second, id, NULL));
    BAD("crowd is NULL", wend_crowd_hash_agent(NULL, id, &hash));
    cr_assert_eq(wend_crowd_remove(second, id), WEND_OK);
    FAILS(STALE_TICKET, "the agent #,# (index, generation) is removed...", wend_crowd_hash_agent(second, id, &hash));
    cr_assert_eq(wend_crowd_destroy(second), WEND_OK);

    cr_assert_eq(wend_crowd_destroy(crowd), WEND_OK);
    cr_assert_eq(wend_service_destroy(service), WEND_OK);
}

Test(detail, of_marks) {
    wend_arena_def def;
    wend_arena *arena = NULL;
    wend_arena_info info = {.struct_bytes = 2};
    wend_arena_def_init(&def, sizeof def);
    BAD("out is NULL", wend_arena_create(&def, NULL));
    BAD("marks is 0, but must be from 1 to 4096", def.marks = 0, wend_arena_create(&def, &arena));
    BAD("bytes is 7, but must be from 65536 to #", def.marks = 2, def.bytes = 7, wend_arena_create(&def, &arena));
    def.bytes = 1 << 20;
    cr_assert_eq(wend_arena_create(&def, &arena), WEND_OK);
    FAILS(OUT_OF_RANGE, "slot 2: the arena has 2", wend_arena_mark(arena, 2));
    FAILS(OUT_OF_RANGE, "slot 3: the arena has 2", wend_arena_rewind(arena, 3));
    FAILS(OUT_OF_RANGE, "slot 2: the arena has 2", wend_arena_forget(arena, 2));
    FAILS(EMPTY, "slot 1 holds no mark", wend_arena_rewind(arena, 1));
    cr_assert_eq(wend_arena_get_info(arena, &info), WEND_BAD_ARGUMENT);
    cr_assert_eq(wend_arena_mark(arena, 1), WEND_OK);
    const wend_allocator allocator = wend_arena_allocator(arena);
    BAD("the memory for marks is in an arena...", def.allocator = allocator, wend_arena_create(&def, &arena));
    void *block = allocator.alloc(allocator.context, 100, 64);
    FAILS(IN_USE, "objects in the arena have 1 blocks of it: destroy them first", wend_arena_destroy(arena));
    allocator.free(allocator.context, block, 100);
    cr_assert_eq(wend_arena_destroy(arena), WEND_OK);
}
