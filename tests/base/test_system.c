/* SPDX-License-Identifier: MIT */
/* The C library's allocator and the system's clock behind their hooks, the lock, and the crew of threads. */
#define _POSIX_C_SOURCE 200809L
#include "base/base.h"

#include <criterion/criterion.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <wend/host.h>

Test(allocator, aligns_as_asked) {
    wend_allocator a = wend_allocator_default();
    for (size_t alignment = 1; alignment <= 64; alignment *= 2)
        for (size_t bytes = 1; bytes <= 200; bytes += 7) {
            void *memory = a.alloc(a.context, bytes, alignment);
            cr_assert_not_null(memory);
            cr_assert_eq((uintptr_t)memory % alignment, 0);
            memset(memory, 1, bytes);
            a.free(a.context, memory, bytes);
        }
}

Test(allocator, says_no_to_what_cannot_be) {
    wend_allocator a = wend_allocator_default();
    cr_assert_null(a.alloc(a.context, SIZE_MAX, 64), "rounding up must not wrap round");
    a.free(a.context, NULL, 0);
}

static void *other_alloc(void *context, size_t bytes, size_t alignment) {
    return (void)context, (void)bytes, (void)alignment, NULL;
}
static uint64_t other_now(void *context) {
    return (void)context, 7;
}

Test(allocator, default_stands_in_only_where_none_is_given) {
    int mine;
    wend_allocator none = {0}, other = {&mine, other_alloc, NULL};
    cr_assert_eq(wend__allocator_or_default(none).alloc, wend_allocator_default().alloc);
    cr_assert_eq(wend__allocator_or_default(other).alloc, other_alloc);
    cr_assert_eq(wend__allocator_or_default(other).context, (void *)&mine);
}

Test(clock, never_goes_back) {
    wend_clock clock = wend__clock_default();
    uint64_t first = clock.now_ns(clock.context), last = first;
    for (int i = 0; i < 1000; i++) {
        uint64_t now = clock.now_ns(clock.context);
        cr_assert(now >= last);
        last = now;
    }
    while (clock.now_ns(clock.context) < first + 1000000) {
    } /* checks that time goes on: else the test hangs here */
}

Test(clock, default_stands_in_only_where_none_is_given) {
    wend_clock none = {0}, other = {NULL, other_now};
    cr_assert_eq(wend__clock_or_default(none).now_ns, wend__clock_default().now_ns);
    cr_assert_eq(wend__clock_or_default(other).now_ns(NULL), 7);
}

enum { THREADS = 4, TURNS = 20000 };

typedef struct shared {
    wend__mutex *mutex;
    long count;
} shared;

static void *count_up(void *context) {
    shared *s = context;
    for (int i = 0; i < TURNS; i++) {
        wend__mutex_lock(s->mutex);
        s->count++;
        wend__mutex_unlock(s->mutex);
    }
    return NULL;
}

Test(mutex, keeps_threads_apart) {
    shared s = {malloc(wend__mutex_bytes()), 0};
    pthread_t threads[THREADS];
    wend__mutex_init(s.mutex);
    for (int i = 0; i < THREADS; i++) cr_assert_eq(pthread_create(&threads[i], NULL, count_up, &s), 0);
    for (int i = 0; i < THREADS; i++) pthread_join(threads[i], NULL);
    cr_assert_eq(s.count, (long)THREADS * TURNS);
    wend__mutex_destroy(s.mutex);
    free(s.mutex);
}

Test(bits, lowest_set_bit) {
    for (unsigned i = 0; i < 64; i++) {
        cr_assert_eq(wend__ctz64(UINT64_C(1) << i), i);
        cr_assert_eq(wend__ctz64(UINT64_MAX << i), i);
    }
    for (unsigned i = 0; i < 32; i++) cr_assert_eq(wend__ctz32(1u << i), i);
}

enum { JOBS = WEND__CREW_JOBS };
typedef struct chores {
    uint32_t helpers, done[JOBS], pieces; ///< done: how many pieces
} chores;

static uint32_t pieces_of(const chores *all, uint32_t job) {
    return 1 + job % all->pieces;
}

static bool chore(void *context, uint32_t job, uint32_t thread) {
    chores *all = context;
    const uint32_t done = all->done[job];
    volatile uint32_t busy = (job * 7919 + done * 31) % 300;
    cr_assert_leq(thread, all->helpers);
    while (busy > 0) busy--;
    cr_assert_eq(all->done[job], done, "by one thread at a time");
    cr_assert_lt(done, pieces_of(all, job), "not once more");
    all->done[job] = done + 1;
    return done + 1 < pieces_of(all, job);
}

/* Rounds of any length, at once or after a pause in which helpers fall asleep; jobs of one piece, or of several. */
Test(crew, does_each_piece_of_each_job_once) {
    for (uint32_t helpers = 0; helpers <= 9; helpers += 3) {
        void *memory = aligned_alloc(64, (wend__crew_bytes(helpers) + 63) / 64 * 64);
        wend__crew *crew = wend__crew_start(memory, helpers);
        cr_assert_not_null(crew);
        chores all = {.helpers = helpers};
        for (uint32_t round = 0; round < 2000; round++) {
            uint32_t jobs = round % 5 ? 1 + round * 31 % 12 : round * 31 % (JOBS + 1);
            memset(all.done, 0, sizeof all.done);
            all.pieces = 1 + round % 7;
            if (round % 40 == 0) nanosleep(&(struct timespec){0, 100000}, NULL);
            wend__crew_run(crew, jobs, chore, &all);
            for (uint32_t i = 0; i < JOBS; i++) cr_assert_eq(all.done[i], i < jobs ? pieces_of(&all, i) : 0);
        }
        wend__crew_stop(crew);
        free(memory);
    }
}
