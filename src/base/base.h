/* SPDX-License-Identifier: MIT */
/* Internal: definitions that every room uses. Only src/base and src/uv depend on the system. */
#ifndef WEND_SRC_BASE_H
#define WEND_SRC_BASE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/life.h"
#include "base/refuse.h"

#if defined(__GNUC__)
#define WEND__LIKELY(x) __builtin_expect(!!(x), 1)
#define WEND__UNLIKELY(x) __builtin_expect(!!(x), 0)
/* A report of coverage counts the branches of each inlined copy, so a build for coverage has no copies. */
#ifdef WEND_COVERAGE
#define WEND__INLINE static inline
#else
#define WEND__INLINE static inline __attribute__((always_inline))
#endif
#define WEND__NOINLINE __attribute__((noinline))
#define WEND__PREFETCH(address) __builtin_prefetch(address)
#else
#define WEND__LIKELY(x) (x)
#define WEND__UNLIKELY(x) (x)
#define WEND__INLINE static inline
#define WEND__NOINLINE
#define WEND__PREFETCH(address) ((void)(address))
#endif
/* Index of an element to prefetch for. GCC drops calls of functions that only prefetch, unless they are inlined. */
#define WEND__AHEAD(k, by, count) ((k) + (by) < (count) ? (k) + (by) : (k))

/* A function of loops over words: compiled for wider registers, too. The loader chooses once, before sanitizers can
 * watch it. */
#if defined(__x86_64__) && defined(__GLIBC__) && defined(__GNUC__) && !defined(__SANITIZE_ADDRESS__) &&                \
    !defined(__SANITIZE_THREAD__) && !defined(__clang__)
#define WEND__CLONED __attribute__((target_clones("avx2", "default")))
#else
#define WEND__CLONED
#endif

/// Defines a function that returns the text of a constant from an X-list of names.h, or `unknown`.
#define WEND__DEFINE_TEXT(function, list, unknown)                                                                     \
    const char *function(int32_t number) {                                                                             \
        switch (number) { list(WEND__CASE_TEXT) }                                                                      \
        return unknown;                                                                                                \
    }
#define WEND__CASE_TEXT(constant, text)                                                                                \
    case constant: return text;

/// For our own mistakes and broken documented preconditions only; never for input.
#define WEND__ASSERT(condition) ((condition) ? (void)0 : wend__assert_failed(#condition, __FILE__, __LINE__))
_Noreturn void wend__assert_failed(const char *condition, const char *file, int line);

/// Checks in hot code, in debug builds (--enable-debug) only.
#ifdef WEND_DEBUG
#define WEND__DEBUG_ASSERT(condition) WEND__ASSERT(condition)
#else
#define WEND__DEBUG_ASSERT(condition) ((void)0)
#endif

/// NULL alloc in a definition means the C library's.
wend_allocator wend__allocator_or_default(wend_allocator allocator);
/// Asks the system for huge pages in memory that is about to be written as a whole. Only for the C library's memory: a
/// host's own allocations stay as they are. A hint: the system may have none.
void wend__allocator_use_huge_pages(const wend_allocator *allocator, void *memory, size_t bytes);
/// Discards pages whose contents are not needed, in memory that is freed soon. A hint, as above.
void wend__allocator_discard(const wend_allocator *allocator, void *memory, size_t bytes);
wend_clock wend__clock_or_default(wend_clock clock);
/// Allocate, and set the detail if there is no memory.
void *wend__allocate(const wend_allocator *allocator, size_t bytes, size_t alignment);

/// Maps a regular file that begins with these bytes, 16 at most, into memory for reading.
/// @param bytes   receives its size
/// @return its first byte, at the beginning of a page; NULL: it begins otherwise, or cannot be mapped. Reading it may
/// still work, or gives the reason
const void *wend__mapped_open(const char *path, const void *beginning, size_t beginning_bytes, size_t *bytes);
void wend__mapped_close(const void *mapped, size_t bytes);

/// A lock; src/base is the only room with pthreads.
typedef struct wend__mutex wend__mutex;
size_t wend__mutex_bytes(void);
void wend__mutex_init(wend__mutex *mutex);
void wend__mutex_destroy(wend__mutex *mutex);
void wend__mutex_lock(wend__mutex *mutex);
void wend__mutex_unlock(wend__mutex *mutex);

/// A lock of the whole process, for lists of objects.
void wend__process_lock(void);
void wend__process_unlock(void);

/// Continues a job of a round, on a thread of the crew: 0 is the caller's. Returns false when the job is done; until
/// then it is called again, later and on any thread.
typedef bool wend__job(void *context, uint32_t job, uint32_t thread);

/// Tells whether an object that a process makes once exists. Static: at first it does not.
typedef struct wend__once {
    atomic_bool made;
} wend__once;
void wend__once_make(wend__once *once, void (*make)(int number), int number);

/// Runs make(number) in the first call; after any call, it has run. Threads: any.
static inline void wend__once_run(wend__once *once, void (*make)(int number), int number) {
    if (!atomic_load_explicit(&once->made, memory_order_acquire)) wend__once_make(once, make, number);
}

/// Threads that help their caller. One thread at a time calls; between rounds they sleep.
typedef struct wend__crew wend__crew;
size_t wend__crew_bytes(uint32_t helpers);
/// @param memory   64-byte aligned, wend__crew_bytes() long
/// @return NULL if the system has no more threads: none is left behind
wend__crew *wend__crew_start(void *memory, uint32_t helpers);
enum { WEND__CREW_JOBS = 64 };
/// Runs job(context, 0 … jobs − 1, thread) until each is done, shared with the caller; 64 at most. All writes of the
/// jobs are visible when it returns, and earlier writes of a job when the job continues. A thread continues its jobs in
/// turn, so that all end at about the same time; it wakes no more threads than there are jobs.
void wend__crew_run(wend__crew *crew, uint32_t jobs, wend__job *job, void *context);
void wend__crew_stop(wend__crew *crew);

/// Index of the lowest set bit; x is not 0.
static inline unsigned wend__ctz64(uint64_t x) {
#if defined(__GNUC__)
    return (unsigned)__builtin_ctzll(x);
#else
    unsigned n = 0;
    while (!(x & 1)) x >>= 1, n++;
    return n;
#endif
}

/// Index of the highest set bit; x is not 0.
static inline unsigned wend__top64(uint64_t x) {
#if defined(__GNUC__)
    return 63 - (unsigned)__builtin_clzll(x);
#else
    unsigned n = 0;
    while (x >>= 1) n++;
    return n;
#endif
}

static inline unsigned wend__popcount64(uint64_t x) {
    x -= x >> 1 & UINT64_C(0x5555555555555555);
    x = (x & UINT64_C(0x3333333333333333)) + (x >> 2 & UINT64_C(0x3333333333333333));
    x = (x + (x >> 4)) & UINT64_C(0x0F0F0F0F0F0F0F0F);
    return (unsigned)(x * UINT64_C(0x0101010101010101) >> 56);
}

static inline unsigned wend__ctz32(uint32_t x) {
    return wend__ctz64(x);
}

static inline int32_t wend__least(int32_t a, int32_t b) {
    return a < b ? a : b;
}

static inline int32_t wend__most(int32_t a, int32_t b) {
    return a > b ? a : b;
}

static inline uint32_t wend__distance(int32_t a, int32_t b) {
    return a < b ? (uint32_t)b - (uint32_t)a : (uint32_t)a - (uint32_t)b;
}

/// Returns the monotonic clock of the system.
wend_clock wend__clock_default(void);

#endif
