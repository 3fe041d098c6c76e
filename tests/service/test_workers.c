/* SPDX-License-Identifier: MIT */
/* Threads that run lanes: they come and go, cost nothing while idle, and may be the host's own. */
#define _POSIX_C_SOURCE 200809L
#include "service/service_support.h"

#include <criterion/criterion.h>
#include <dirent.h>
#include <pthread.h>
#include <stdio.h>
#include <time.h>

/* Number of threads that can still be created. The linker puts this before pthread_create() (see Makefile.am). */
static unsigned threads_left = UINT32_MAX;
int __real_pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*run)(void *), void *argument);
int __wrap_pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*run)(void *), void *argument);
int __wrap_pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*run)(void *), void *argument) {
    if (threads_left == 0) return 11; /* EAGAIN, whatever its number */
    threads_left--;
    return __real_pthread_create(thread, attributes, run, argument);
}

/* Returns the threads of this process; 0: unknown. */
static size_t thread_count(void) {
    DIR *tasks = opendir("/proc/self/task");
    size_t count = 0;
    if (!tasks) return 0;
    for (struct dirent *one; (one = readdir(tasks));) count += one->d_name[0] != '.';
    closedir(tasks);
    return count;
}

/* A thread that was joined may be listed for another moment. */
static void expect_threads(size_t expected) {
    const struct timespec pause = {0, 1000000};
    for (int i = 0; i < 2000 && thread_count() != expected; i++) nanosleep(&pause, NULL);
    cr_assert_eq(thread_count(), expected);
}

static double seconds_of(clockid_t clock) {
    struct timespec now;
    clock_gettime(clock, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

/* CPU time of all threads but this one. */
static double others_seconds(void) {
    return seconds_of(CLOCK_PROCESS_CPUTIME_ID) - seconds_of(CLOCK_THREAD_CPUTIME_ID);
}

static wend_service_def shared_def(uint32_t workers) {
    wend_service_def def = small_def();
    tuning.lanes = 16, tuning.searches = 32;
    def.workers = workers;
    tuning.slice = 200;
    return def;
}

static void ask_some(wend_service *service, wend_map *map, uint64_t seed, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        wend_cell start = at((int32_t)draw(&seed, 200), (int32_t)draw(&seed, 200));
        submit_from_to(service, map, start, at((int32_t)draw(&seed, 200), (int32_t)draw(&seed, 200)), (int32_t)(i % 3));
    }
}

static uint64_t slices_of_workers(const wend_service *service) {
    uint64_t sum = 0;
    for (uint32_t i = 1; i <= service->def.workers; i++) sum += wend_service_get_slices(service, i);
    return sum;
}

/* Frames of a few rounds each; a hash of all that came. */
static uint64_t hash_with(const wend_service_def *def) {
    OWNED_MAP *map = rough_map(200, 200, 20, 5);
    OWNED_SERVICE *service = service_of(def);
    service->worth = 0;
    ask_some(service, map, 3, 60);
    drain(service, 5000);
    uint64_t hash = seen_hash();
    seen_clear();
    return hash;
}

Test(workers, are_started_at_creation_and_gone_after_destroy) {
    size_t before = thread_count();
    for (uint32_t workers = 0; workers <= 64; workers += 16) {
        wend_service_def def = shared_def(workers);
        wend_service *service = service_of(&def);
        if (before > 0) expect_threads(before + workers);
        wend_service_destroy(service);
        if (before > 0) expect_threads(before);
    }
}

Test(workers, of_any_number_give_the_same_with_slices_of_any_size) {
    static const uint64_t slices[] = {1, 37, 1000, UINT64_MAX};
    for (unsigned i = 0; i < 4; i++) {
        wend_service_def def = shared_def(0);
        tuning.slice = slices[i];
        uint64_t alone = hash_with(&def);
        for (uint32_t workers = 1; workers <= 64; workers *= 4) {
            def.workers = workers;
            cr_assert_eq(hash_with(&def), alone, "%u workers", workers);
        }
    }
}

/* Each slice in several pieces, which threads may share. */
Test(workers, of_any_number_give_the_same_with_slices_that_follow_the_budget) {
    for (uint64_t slice = 1; slice <= 64; slice *= 8) {
        wend_service_def def = shared_def(0);
        tuning.slice = slice, tuning.list = 4, tuning.lanes = 4;
        uint64_t alone = hash_with(&def);
        for (uint32_t workers = 1; workers <= 8; workers *= 2) {
            def.workers = workers;
            cr_assert_eq(hash_with(&def), alone, "%u workers", workers);
        }
    }
}

Test(workers, take_part) {
    wend_service_def def = shared_def(3);
    OWNED_MAP *map = rough_map(200, 200, 20, 5);
    OWNED_SERVICE *service = service_of(&def);
    for (uint64_t seed = 0; slices_of_workers(service) < 50; seed++) {
        cr_assert_lt(seed, 10000, "they never come");
        ask_some(service, map, seed, 60);
        drain(service, WEND_NO_LIMIT);
    }
    cr_assert_eq(wend_service_get_slices(service, 4), 0, "there is none");
    cr_assert_eq(wend_service_get_slices(service, UINT32_MAX), 0);
}

Test(workers, are_left_asleep_where_a_round_has_one_lane_or_little_work) {
    wend_service_def def = shared_def(3);
    tuning.slice = 31; /* x 16 lanes, as the frames: too little to be worth it */
    OWNED_MAP *map = rough_map(200, 200, 20, 5);
    wend_service *service = service_of(&def);
    ask_some(service, map, 1, 60);
    drain(service, 31 * 16);
    cr_assert_eq(slices_of_workers(service), 0);
    wend_service_destroy(service);
    tuning.lanes = 1, tuning.slice = 100000;
    service = service_of(&def);
    ask_some(service, map, 1, 60);
    drain(service, WEND_NO_LIMIT);
    cr_assert_eq(slices_of_workers(service), 0);
    cr_assert_gt(wend_service_get_slices(service, 0), 0);
    wend_service_destroy(service);
}

/* The workers have worked before, so they are awake when they become idle. */
Test(workers, cost_nothing_while_idle) {
    wend_service_def def = shared_def(8);
    OWNED_MAP *map = rough_map(200, 200, 20, 5);
    OWNED_SERVICE *service = service_of(&def);
    service->worth = 0;
    ask_some(service, map, 1, 60);
    drain(service, WEND_NO_LIMIT);
    const struct timespec pause = {0, 500000}, long_pause = {0, 50000000};
    nanosleep(&long_pause, NULL);
    double begun = others_seconds();
    for (int i = 0; i < 1000; i++) {
        frame_of(service, WEND_NO_LIMIT);
        if (i % 2) nanosleep(&pause, NULL);
    }
    double spent = others_seconds() - begun;
    printf("8 idle workers, 1,000 frames: %.6f s of CPU\n", spent);
    cr_assert_lt(spent, 0.005);
}

Test(workers, are_stopped_with_work_pending) {
    for (uint32_t round = 0; round < 20; round++) {
        counting counts = {0};
        wend_service_def def = shared_def(1 + round % 5);
        def.allocator = counting_allocator(&counts);
        OWNED_MAP *map = rough_map(200, 200, 20, 5);
        wend_service *service = service_of(&def);
        ask_some(service, map, round, 60);
        for (uint32_t i = 0; i < round % 4; i++) frame_of(service, 3000);
        cr_assert_gt(wend_service_get_pending(service), 0);
        wend_service_destroy(service);
        cr_assert_eq(seen_count, 60);
        cr_assert_eq(counts.blocks, 0);
        seen_clear();
    }
}

Test(workers, that_the_system_has_no_room_for_leave_nothing_behind) {
    size_t before = thread_count();
    counting counts = {0};
    wend_service_def def = shared_def(8);
    def.allocator = counting_allocator(&counts);
    OWNED_SERVICE *service = (wend_service *)&def;
    for (unsigned room = 0; room < 8; room++) {
        threads_left = room;
        cr_assert_eq(wend_service_create(&def, &service), WEND_OUT_OF_MEMORY);
        cr_assert_eq(service, (wend_service *)&def, "out is untouched");
        cr_assert_eq(counts.blocks, 0);
        if (before > 0) expect_threads(before);
    }
    threads_left = 8;
    cr_assert_eq(wend_service_create(&def, &service), WEND_OK);
    cr_assert_eq(threads_left, 0);
    threads_left = UINT32_MAX;
}

/* ---- the host's own threads ---- */

typedef struct host {
    uint64_t calls, jobs;
    uint32_t count, next;
    pthread_mutex_t lock;
    void (*job)(void *job_context, uint32_t index);
    void *job_context;
} host;

static void *take_jobs(void *argument) {
    host *own = argument;
    for (;;) {
        pthread_mutex_lock(&own->lock);
        uint32_t index = own->next++;
        pthread_mutex_unlock(&own->lock);
        if (index >= own->count) return NULL;
        own->job(own->job_context, own->count - 1 - index);
    }
}

/* Last first, on three threads that are made for it. */
static void run_jobs(void *context, uint32_t count, void (*job)(void *job_context, uint32_t index), void *job_context) {
    host *own = context;
    pthread_t threads[3];
    own->calls++;
    own->jobs += count;
    own->count = count, own->next = 0, own->job = job, own->job_context = job_context;
    cr_assert_gt(count, 1);
    for (int i = 0; i < 3; i++) cr_assert_eq(pthread_create(&threads[i], NULL, take_jobs, own), 0);
    for (int i = 0; i < 3; i++) pthread_join(threads[i], NULL);
}

Test(workers, may_be_the_hosts) {
    host own = {.lock = PTHREAD_MUTEX_INITIALIZER};
    wend_service_def def = shared_def(0);
    uint64_t alone = hash_with(&def);
    def.jobs = (wend_jobs){&own, run_jobs};
    cr_assert_eq(hash_with(&def), alone);
    cr_assert(own.calls > 0 && own.jobs > own.calls);
    wend_service *service = NULL;
    def.workers = 1;
    cr_assert_eq(wend_service_create(&def, &service), WEND_BAD_ARGUMENT, "one or the other");
    cr_assert_eq(wend_service_bytes(&def), 0);
}
