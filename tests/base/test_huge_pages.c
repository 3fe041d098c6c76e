/* SPDX-License-Identifier: MIT */
/* Huge pages are requested for memory of the C library only, and the contents of the memory stay. */
#include "base/base.h"

#include <criterion/criterion.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wend/host.h>

enum { BYTES = 8 << 20, LINE_LENGTH = 512 };

/* Returns 1 if the system lists huge pages for the middle page of some memory, 0 if not; -1: unknown. */
static int asked_for(const uint8_t *memory) {
    const uintptr_t middle = (uintptr_t)(memory + BYTES / 2);
    char line[LINE_LENGTH];
    FILE *maps = fopen("/proc/self/smaps", "r");
    if (!maps) return -1;
    int answer = -1;
    for (bool inside = false; answer < 0 && fgets(line, sizeof line, maps);) {
        uintptr_t first, end;
        if (sscanf(line, "%" SCNxPTR "-%" SCNxPTR " ", &first, &end) == 2) inside = first <= middle && middle < end;
        if (inside && strncmp(line, "VmFlags:", 8) == 0) answer = strstr(line, " hg") != NULL;
    }
    fclose(maps);
    return answer;
}

static bool system_has_them(void) {
    FILE *setting = fopen("/sys/kernel/mm/transparent_hugepage/enabled", "r");
    if (setting) fclose(setting);
    return setting != NULL;
}

static void *host_alloc(void *context, size_t bytes, size_t alignment) {
    (void)context;
    return aligned_alloc(alignment, bytes);
}

static void host_free(void *context, void *memory, size_t bytes) {
    (void)context, (void)bytes;
    free(memory);
}

static int try_allocator(const wend_allocator *allocator) {
    uint8_t *memory = allocator->alloc(allocator->context, BYTES, 64);
    cr_assert_not_null(memory);
    for (size_t i = 0; i < BYTES; i += 1000) memory[i] = (uint8_t)(i / 1000);
    wend__allocator_use_huge_pages(allocator, memory, BYTES);
    const int asked = asked_for(memory);
    for (size_t i = 0; i < BYTES; i += 1000) cr_assert_eq(memory[i], (uint8_t)(i / 1000));
    allocator->free(allocator->context, memory, BYTES);
    return asked;
}

Test(huge_pages, are_asked_for_in_memory_of_the_c_library_only) {
    const wend_allocator own = wend_allocator_default(), host = {.alloc = host_alloc, .free = host_free};
    cr_assert_neq(try_allocator(&host), 1);
    const int asked = try_allocator(&own);
    if (asked >= 0 && system_has_them()) cr_assert_eq(asked, 1);
}

Test(huge_pages, blocks_too_small_for_one_are_left_alone) {
    const wend_allocator own = wend_allocator_default();
    for (size_t bytes = 1; bytes < 4 << 20; bytes = bytes * 3 + 1) {
        uint8_t *memory = own.alloc(own.context, bytes, 64);
        cr_assert_not_null(memory);
        memory[bytes - 1] = 7;
        wend__allocator_use_huge_pages(&own, memory, bytes);
        cr_assert_eq(memory[bytes - 1], 7);
        own.free(own.context, memory, bytes);
    }
}
