/* SPDX-License-Identifier: MIT */
/* Details of save.h and mark.h. */
#include "detail/refused.h"
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

    FAILS(OUT_OF_MEMORY, SMALL, wend_map_save_state(map, save, 8, &bytes));
    FAILS(BAD_FORMAT, NO_SAVE, wend_map_restore_state(map, "no", 2));
    cr_assert_eq(wend_map_save_state(map, save, sizeof save, &bytes), WEND_OK);
    BAD("the save is of a map, not of a crowd", wend_crowd_restore_state(crowd, NULL, save, bytes));

    FAILS(OUT_OF_MEMORY, SMALL, wend_service_save_state(service, NULL, save, 8, &bytes));
    FAILS(BAD_FORMAT, NO_SAVE, wend_service_restore_state(service, NULL, "no", 2));
    FAILS(OUT_OF_MEMORY, SMALL, wend_crowd_save_state(crowd, save, 8, &bytes));

    wend_agent_id id;
    wend_agent_def agent = default_agent();
    uint64_t hash;
    BAD("the crowd is of another service...", wend_service_record_state(service, other, crowd, write_nothing, NULL));
    BAD("service is NULL", wend_service_adopt(NULL, NULL));
    BAD("hash is NULL", wend_world_hash(map, service, crowd, NULL));
    cr_assert_eq(wend_crowd_add(crowd, &agent, &id), WEND_OK);
    cr_assert_eq(wend_crowd_remove(crowd, id), WEND_OK);
    FAILS(STALE_TICKET, "the agent #,# (index, generation) is removed...", wend_crowd_hash_agent(crowd, id, &hash));

    cr_assert_eq(wend_crowd_destroy(crowd), WEND_OK);
    cr_assert_eq(wend_service_destroy(service), WEND_OK);
}

Test(detail, of_marks) {
    wend_arena_def def;
    wend_arena *arena = NULL;
    wend_arena_info info = {.struct_bytes = 2};
    wend_arena_def_init(&def, sizeof def);
    BAD("marks is 0, but must be from 1 to 4096", def.marks = 0, wend_arena_create(&def, &arena));
    def.marks = 2, def.bytes = 1 << 20;
    cr_assert_eq(wend_arena_create(&def, &arena), WEND_OK);
    FAILS(OUT_OF_RANGE, "slot 2: the arena has 2", wend_arena_mark(arena, 2));
    FAILS(OUT_OF_RANGE, "slot 3: the arena has 2", wend_arena_rewind(arena, 3));
    FAILS(OUT_OF_RANGE, "slot 2: the arena has 2", wend_arena_forget(arena, 2));
    cr_assert_eq(wend_arena_get_info(arena, &info), WEND_BAD_ARGUMENT);
    const wend_allocator allocator = wend_arena_allocator(arena);
    void *block = allocator.alloc(allocator.context, 100, 64);
    FAILS(IN_USE, "objects in the arena have 1 blocks of it: destroy them first", wend_arena_destroy(arena));
    allocator.free(allocator.context, block, 100);
    cr_assert_eq(wend_arena_destroy(arena), WEND_OK);
}
