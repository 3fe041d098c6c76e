/* SPDX-License-Identifier: MIT */
/* Arenas for tests, and their blocks. */
#ifndef WEND_TESTS_MARK_ARENAS_H
#define WEND_TESTS_MARK_ARENAS_H

#include "models/counting.h"

#include <criterion/criterion.h>
#include <wend/mark.h>

enum { ROOM = 1 << 22, FOR_OBJECTS = 1 << 28 };

static inline wend_arena *open_large(uint32_t marks, uint64_t bytes, uint64_t mark_bytes, counting *counts) {
    wend_arena_def def;
    wend_arena *arena = NULL;
    wend_arena_def_init(&def, sizeof def);
    def.marks = marks, def.bytes = bytes, def.mark_bytes = mark_bytes;
    if (counts) def.allocator = counting_allocator(counts);
    const wend_error error = wend_arena_create(&def, &arena);
    cr_assert_eq(error, WEND_OK, "%s", wend_error_detail(error));
    return arena;
}

static inline wend_arena *open_arena(uint32_t marks, uint64_t mark_bytes, counting *counts) {
    return open_large(marks, ROOM, mark_bytes, counts);
}

static inline uint8_t *take(wend_arena *arena, size_t bytes) {
    const wend_allocator allocator = wend_arena_allocator(arena);
    uint8_t *block = allocator.alloc(allocator.context, bytes, 64);
    cr_assert_not_null(block, "%zu bytes", bytes);
    cr_assert_eq((uintptr_t)block % 64, 0);
    return block;
}

static inline void give(wend_arena *arena, void *block, size_t bytes) {
    const wend_allocator allocator = wend_arena_allocator(arena);
    allocator.free(allocator.context, block, bytes);
}

static inline wend_arena_info info_of(const wend_arena *arena) {
    wend_arena_info info = {.struct_bytes = sizeof info};
    cr_assert_eq(wend_arena_get_info(arena, &info), WEND_OK);
    return info;
}

/// Returns whether test_mark_sides.c tries a function with each pair of sides.
bool is_tried(const char *function);

#endif
