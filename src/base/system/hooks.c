/* SPDX-License-Identifier: MIT */
/* The default hooks: the C library's memory, with huge pages for it, and the system's monotonic clock. */
#define _DEFAULT_SOURCE
#include "base/base.h"

#include <stdlib.h>
#include <time.h>
#include <wend/host.h>
#if defined(_WIN32)
#include <malloc.h>
#elif !defined(__wasm__)
#include <sys/mman.h>
#include <unistd.h>
#endif

/* ---- memory ---- */

static void *system_alloc(void *context, size_t bytes, size_t alignment) {
    (void)context;
    size_t rounded = (bytes + alignment - 1) / alignment * alignment; /* aligned_alloc needs whole multiples */
    if (rounded < bytes) return NULL;
#if defined(_WIN32)
    return _aligned_malloc(rounded, alignment); /* for _aligned_free() alone */
#else
    if (alignment <= _Alignof(max_align_t)) return malloc(rounded);
    return aligned_alloc(alignment, rounded);
#endif
}

static void system_free(void *context, void *pointer, size_t bytes) {
    (void)context;
    (void)bytes;
#if defined(_WIN32)
    _aligned_free(pointer);
#else
    free(pointer);
#endif
}

wend_allocator wend_allocator_default(void) {
    return (wend_allocator){.context = NULL, .alloc = system_alloc, .free = system_free};
}

wend_allocator wend__allocator_or_default(wend_allocator allocator) {
    return allocator.alloc ? allocator : wend_allocator_default();
}

void *wend__allocate(const wend_allocator *allocator, size_t bytes, size_t alignment) {
    void *memory = allocator->alloc(allocator->context, bytes, alignment);
    if (!memory) wend__refuse_memory(bytes);
    return memory;
}

/* The whole pages of a piece of memory. */
#ifdef MADV_DONTNEED
static void advise(void *memory, size_t bytes, size_t page, int advice) {
    const uintptr_t first = ((uintptr_t)memory + page - 1) & ~(uintptr_t)(page - 1);
    const uintptr_t end = ((uintptr_t)memory + bytes) & ~(uintptr_t)(page - 1);
    if (end > first) (void)madvise((uint8_t *)memory + (first - (uintptr_t)memory), end - first, advice);
}
#endif

void wend__allocator_use_huge_pages(const wend_allocator *allocator, void *memory, size_t bytes) {
#ifdef MADV_HUGEPAGE
    enum { HUGE_PAGE = 1 << 21 };
    if (allocator->alloc == system_alloc) advise(memory, bytes, HUGE_PAGE, MADV_HUGEPAGE);
#else
    (void)allocator, (void)memory, (void)bytes;
#endif
}

void wend__allocator_discard(const wend_allocator *allocator, void *memory, size_t bytes) {
#ifdef MADV_DONTNEED
    if (allocator->alloc == system_alloc) advise(memory, bytes, (size_t)sysconf(_SC_PAGESIZE), MADV_DONTNEED);
#else
    (void)allocator, (void)memory, (void)bytes;
#endif
}

/* ---- the clock ---- */

static uint64_t system_now_ns(void *context) {
    (void)context;
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * UINT64_C(1000000000) + (uint64_t)now.tv_nsec;
}

wend_clock wend__clock_default(void) {
    return (wend_clock){.context = NULL, .now_ns = system_now_ns};
}

wend_clock wend__clock_or_default(wend_clock clock) {
    return clock.now_ns ? clock : wend__clock_default();
}
