/* SPDX-License-Identifier: MIT */
/* The C library's memory behind the allocator hook. */
#include "base/base.h"

#include <stdlib.h>

static void *system_alloc(void *context, size_t bytes, size_t alignment) {
    (void)context;
    size_t rounded = (bytes + alignment - 1) / alignment * alignment; /* aligned_alloc asks for whole multiples */
    if (rounded < bytes) return NULL;
    if (alignment <= _Alignof(max_align_t)) return malloc(rounded);
    return aligned_alloc(alignment, rounded);
}

static void system_free(void *context, void *pointer, size_t bytes) {
    (void)context;
    (void)bytes;
    free(pointer);
}

wend_allocator wend_allocator_default(void) {
    return (wend_allocator){.context = NULL, .alloc = system_alloc, .free = system_free};
}

wend_allocator wend__allocator_or_default(wend_allocator allocator) {
    return allocator.alloc ? allocator : wend_allocator_default();
}
