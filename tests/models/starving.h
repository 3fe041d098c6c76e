/* SPDX-License-Identifier: MIT */
/* The C library's allocator, which fails where a test wants it to, once or for good, and counts live blocks. For plain
 * programs of one file, as it defines malloc(); STARVING is 0 where that cannot be done. */
#ifndef WEND_TESTS_STARVING_H
#define WEND_TESTS_STARVING_H

#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#if defined(__has_feature)
#define INSTRUMENTED (__has_feature(address_sanitizer) || __has_feature(thread_sanitizer))
#elif defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define INSTRUMENTED 1
#else
#define INSTRUMENTED 0
#endif

#if !defined(__GLIBC__) || INSTRUMENTED
#define STARVING 0
#else
#define STARVING 1

void *__libc_malloc(size_t bytes);
void *__libc_calloc(size_t count, size_t bytes);
void *__libc_realloc(void *memory, size_t bytes);
void *__libc_memalign(size_t alignment, size_t bytes);
void __libc_free(void *memory);
int posix_memalign(void **memory, size_t alignment, size_t bytes);

static _Atomic size_t starving_calls, starving_live; ///< requested since starving_begin(); blocks that are not freed
static size_t starving_at;                           ///< the call that fails, counted from 1; 0: none does
static bool starving_for_good;                       ///< all calls after it fail, too
static size_t starving_above;                        ///< calls for more bytes fail; 0: none does

static bool starving_fails(size_t bytes) {
    if (starving_above && bytes > starving_above) return true;
    if (!starving_at) return false;
    const size_t call = ++starving_calls;
    return starving_for_good ? call >= starving_at : call == starving_at;
}

static void *starving_count(void *memory) {
    if (memory) starving_live++;
    return memory;
}

/* Shared libraries call them only if they can be seen. They leave errno alone, as an allocator of a host may. */
#define STARVING_CALL __attribute__((visibility("default")))
STARVING_CALL void *malloc(size_t bytes) {
    return starving_fails(bytes) ? NULL : starving_count(__libc_malloc(bytes));
}

STARVING_CALL void *calloc(size_t count, size_t bytes) {
    return starving_fails(count * bytes) ? NULL : starving_count(__libc_calloc(count, bytes));
}

STARVING_CALL void *aligned_alloc(size_t alignment, size_t bytes) {
    return starving_fails(bytes) ? NULL : starving_count(__libc_memalign(alignment, bytes));
}

STARVING_CALL int posix_memalign(void **memory, size_t alignment, size_t bytes) {
    void *taken = starving_fails(bytes) ? NULL : starving_count(__libc_memalign(alignment, bytes));
    if (taken) *memory = taken;
    return taken ? 0 : ENOMEM;
}

STARVING_CALL void *realloc(void *memory, size_t bytes) {
    if (starving_fails(bytes)) return NULL;
    void *moved = __libc_realloc(memory, bytes);
    if (!memory && moved) starving_live++;
    if (memory && bytes == 0 && !moved) starving_live--;
    return moved;
}

STARVING_CALL void free(void *memory) {
    if (memory) starving_live--;
    __libc_free(memory);
}

/// From now on call number `at` fails, or all from it on.
static inline void starving_begin(size_t at, bool for_good) {
    starving_calls = 0;
    starving_for_good = for_good;
    starving_at = at;
}

/// Ends it. Returns how many allocations were requested.
static inline size_t starving_end(void) {
    starving_at = 0;
    return starving_calls;
}

#endif
#endif
