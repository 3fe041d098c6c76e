/* SPDX-License-Identifier: MIT */
/* Blocks with their size in front, from an arena or from the C library. */
#include "cli/world/heap.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/// In front of each block.
typedef union head {
    struct {
        size_t bytes;
        bool of_arena;
    } of;
    max_align_t alignment;
} head;

static wend_arena *arena; /* NULL: not open */

wend_error cli_heap_open(uint32_t marks) {
    wend_arena_def def;
    wend_arena_def_init(&def, sizeof def);
    def.marks = marks;
    if (sizeof(void *) > 4)
        def.bytes = UINT64_C(1) << 35; /* by default a service has room for a search of all the map */
    return wend_arena_create(&def, &arena);
}

wend_error cli_heap_close(void) {
    const wend_error error = wend_arena_destroy(arena);
    arena = NULL;
    return error;
}

wend_arena *cli_heap_arena(void) {
    return arena;
}

wend_allocator cli_heap_allocator(void) {
    return arena ? wend_arena_allocator(arena) : (wend_allocator){0};
}

void *cli_alloc(size_t bytes) {
    if (bytes > SIZE_MAX / 2) return NULL;
    const wend_allocator own = cli_heap_allocator();
    head *made = arena ? own.alloc(own.context, sizeof *made + bytes, sizeof *made) : malloc(sizeof *made + bytes);
    if (!made) return NULL;
    made->of.bytes = bytes, made->of.of_arena = arena;
    return made + 1;
}

void *cli_alloc_zero(size_t count, size_t bytes) {
    void *made = bytes > 0 && count > SIZE_MAX / 2 / bytes ? NULL : cli_alloc(count * bytes);
    return made ? memset(made, 0, count * bytes) : NULL;
}

void cli_free(void *memory) {
    if (!memory) return;
    head *made = (head *)memory - 1;
    const wend_allocator own = cli_heap_allocator();
    if (made->of.of_arena)
        own.free(own.context, made, sizeof *made + made->of.bytes);
    else
        free(made);
}

void *cli_grow(void *memory, size_t bytes) {
    void *made = cli_alloc(bytes);
    const size_t before = memory ? ((head *)memory)[-1].of.bytes : 0;
    if (!made) return NULL;
    if (memory) memcpy(made, memory, before < bytes ? before : bytes);
    cli_free(memory);
    return made;
}

char *cli_copy_text(const char *text, size_t length) {
    char *copy = cli_alloc(length + 1);
    if (!copy) return NULL;
    memcpy(copy, text, length);
    copy[length] = '\0';
    return copy;
}
