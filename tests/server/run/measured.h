/* SPDX-License-Identifier: MIT */
/* The C library's allocator, which counts the bytes that are live, and the most there were. For plain programs of one
 * file, as it defines malloc(); MEASURED is 0 where that cannot be done. */
#ifndef TESTS_SERVER_RUN_MEASURED_H
#define TESTS_SERVER_RUN_MEASURED_H

#include <malloc.h>
#include <stddef.h>
#include <stdlib.h>

#if defined(__has_feature)
#define INSTRUMENTED (__has_feature(address_sanitizer) || __has_feature(thread_sanitizer))
#elif defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define INSTRUMENTED 1
#else
#define INSTRUMENTED 0
#endif

#if !defined(__GLIBC__) || INSTRUMENTED
#define MEASURED 0
#else
#define MEASURED 1

void *__libc_malloc(size_t bytes);
void *__libc_calloc(size_t count, size_t bytes);
void *__libc_realloc(void *memory, size_t bytes);
void *__libc_memalign(size_t alignment, size_t bytes);
void __libc_free(void *memory);

static size_t measured_live, measured_peak; ///< bytes; the most since measured_begin()

static void *measured_add(void *memory) {
    if (memory) measured_live += malloc_usable_size(memory);
    if (measured_live > measured_peak) measured_peak = measured_live;
    return memory;
}

/* Shared libraries call them only if they can be seen. */
#define MEASURED_CALL __attribute__((visibility("default")))
MEASURED_CALL void *malloc(size_t bytes) {
    return measured_add(__libc_malloc(bytes));
}

MEASURED_CALL void *calloc(size_t count, size_t bytes) {
    return measured_add(__libc_calloc(count, bytes));
}

MEASURED_CALL void *aligned_alloc(size_t alignment, size_t bytes) {
    return measured_add(__libc_memalign(alignment, bytes));
}

MEASURED_CALL void *realloc(void *memory, size_t bytes) {
    const size_t before = memory ? malloc_usable_size(memory) : 0;
    void *moved = __libc_realloc(memory, bytes);
    if (moved || bytes == 0) measured_live -= before;
    return moved ? measured_add(moved) : NULL;
}

MEASURED_CALL void free(void *memory) {
    if (memory) measured_live -= malloc_usable_size(memory);
    __libc_free(memory);
}

/// Begins to look for the most. Returns the bytes that are live.
static size_t measured_begin(void) {
    return measured_peak = measured_live;
}

#endif
#endif
