/* SPDX-License-Identifier: MIT */
/* Locks; and a crew of threads that help their caller with rounds of jobs. They spin briefly between two rounds, then
 * sleep. */
#define _GNU_SOURCE
#include "base/base.h"

#include <stdatomic.h>

#if defined(__wasm__)
/* In a build with a single thread, locks do nothing, and no other one starts, so a service with workers is refused. */
typedef int pthread_t;
typedef int pthread_mutex_t;
typedef int pthread_cond_t;

#define PTHREAD_MUTEX_INITIALIZER 0

#define pthread_mutex_init(mutex, attributes) (*(mutex) = 0)
#define pthread_mutex_destroy(mutex) ((void)(mutex))
#define pthread_mutex_lock(mutex) ((void)(mutex))
#define pthread_mutex_unlock(mutex) ((void)(mutex))
#define pthread_cond_init(condition, attributes) (*(condition) = 0)
#define pthread_cond_destroy(condition) ((void)(condition))
#define pthread_cond_wait(condition, mutex) ((void)(condition), (void)(mutex))
#define pthread_cond_signal(condition) ((void)(condition))
#define pthread_cond_broadcast(condition) ((void)(condition))
#define pthread_create(thread, attributes, run, argument) ((void)(thread), (void)(run), (void)(argument), 1)
#define pthread_join(thread, result) ((void)(thread))
#else
#include <pthread.h>
#endif
#if defined(_WIN32)
#include <windows.h>
#elif !defined(__wasm__)
#include <signal.h>
#include <unistd.h>
#endif
#include <wend/host.h>

/* ---- locks ---- */

struct wend__mutex {
    pthread_mutex_t handle;
};

size_t wend__mutex_bytes(void) {
    return sizeof(wend__mutex);
}

void wend__mutex_init(wend__mutex *mutex) {
    WEND__ASSERT(pthread_mutex_init(&mutex->handle, NULL) == 0);
}

void wend__mutex_destroy(wend__mutex *mutex) {
    pthread_mutex_destroy(&mutex->handle);
}

void wend__mutex_lock(wend__mutex *mutex) {
    pthread_mutex_lock(&mutex->handle);
}

void wend__mutex_unlock(wend__mutex *mutex) {
    pthread_mutex_unlock(&mutex->handle);
}

static pthread_mutex_t process_mutex = PTHREAD_MUTEX_INITIALIZER; /* guards the callers' lists */

void wend__process_lock(void) {
    pthread_mutex_lock(&process_mutex);
}

void wend__process_unlock(void) {
    pthread_mutex_unlock(&process_mutex);
}

static pthread_mutex_t once_mutex = PTHREAD_MUTEX_INITIALIZER; /* guards all of wend__once */

void wend__once_make(wend__once *once, void (*make)(int number), int number) {
    pthread_mutex_lock(&once_mutex);
    if (!atomic_load_explicit(&once->made, memory_order_relaxed)) make(number);
    atomic_store_explicit(&once->made, true, memory_order_release);
    pthread_mutex_unlock(&once_mutex);
}

enum { LINE = 64, SPIN_NS = 50000, LOOKS = 32 };

typedef struct helper {
    pthread_t handle;
    wend__crew *crew;
    uint32_t number; ///< from 1; the caller is 0
    uint64_t own;    ///< jobs that the thread takes before others
} helper;

struct wend__crew {
    /* Jobs of the round that no thread has taken, a bit each. A thread that takes one by an exchange is sure that its
     * round still runs, as a round ends when all its jobs are done. So the fields below belong to that round. */
    _Alignas(LINE) _Atomic uint64_t untaken;
    _Alignas(LINE) _Atomic uint32_t left; ///< jobs of the round that are not done
    _Atomic bool waiting;                 ///< the caller sleeps until all jobs are done
    _Atomic uint32_t asleep;              ///< helpers asleep, or about to read `untaken` for the last time before
    _Atomic bool stop;
    wend__job *job;
    void *context;
    uint64_t spin_ns;
    uint32_t count;   ///< number of started helpers
    uint32_t threads; ///< number of requested threads, with the caller
    pthread_mutex_t mutex;
    pthread_cond_t called, done;
    helper helpers[];
};

size_t wend__crew_bytes(uint32_t helpers) {
    return sizeof(wend__crew) + helpers * sizeof(helper);
}

/* ---- taking jobs ---- */

static bool jobs_wait(const wend__crew *crew) {
    return atomic_load(&crew->untaken) != 0;
}

/* Returns the next of these behind the last one; the first if there is none. */
static uint32_t next_of(uint64_t jobs, uint32_t last) {
    const uint64_t behind = jobs & ~(UINT64_MAX >> (WEND__CREW_JOBS - 1 - last));
    return wend__ctz64(behind ? behind : jobs);
}

/* Claims a job. In every round, first jobs fall to the thread in turn, as data of the last round may still be in its
 * caches. A thread that holds a job exchanges it only for the next of its own: other jobs' data would have to come from
 * another processor's caches. */
static bool claim_job(wend__crew *crew, uint64_t own, bool holds, uint32_t *job) {
    const uint64_t held = holds ? UINT64_C(1) << *job : 0;
    uint64_t untaken = atomic_load(&crew->untaken);
    while ((holds ? untaken & own : untaken) != 0) {
        const uint32_t taken = next_of(untaken & own ? untaken & own : untaken, *job);
        const uint64_t rest = (untaken & ~(UINT64_C(1) << taken)) | held;
        if (!atomic_compare_exchange_weak(&crew->untaken, &untaken, rest)) continue;
        *job = taken;
        return true;
    }
    return false;
}

/* The step between jobs of a thread, from its own number on. */
static uint64_t jobs_of(uint32_t thread, uint32_t threads) {
    uint64_t own = 0;
    for (uint32_t job = thread % threads; job < WEND__CREW_JOBS; job += threads) own |= UINT64_C(1) << job;
    return own;
}

static void wake_caller(wend__crew *crew) {
    if (!atomic_load(&crew->waiting)) return;
    pthread_mutex_lock(&crew->mutex); /* so that it either sees that nothing is left, or waits already */
    pthread_mutex_unlock(&crew->mutex);
    pthread_cond_signal(&crew->done);
}

/* If no other job is available, the thread continues the unfinished one. */
static void work(wend__crew *crew, uint32_t thread, uint64_t own) {
    uint32_t job = WEND__CREW_JOBS - 1;
    bool holds = claim_job(crew, own, false, &job);
    while (holds) {
        const bool goes_on = crew->job(crew->context, job, thread);
        if (!goes_on && atomic_fetch_sub(&crew->left, 1) == 1) {
            if (thread > 0) wake_caller(crew);
            return;
        }
        holds = claim_job(crew, own, goes_on, &job) || goes_on;
    }
}

/* ---- waiting ---- */

static void relax(void) {
#if defined(__GNUC__) && (defined(__x86_64__) || defined(__i386__))
    __builtin_ia32_pause();
#elif defined(__GNUC__) && defined(__aarch64__)
    __asm__ volatile("yield");
#endif
}

static bool jobs_wait_or_stop(const wend__crew *crew) {
    return jobs_wait(crew) || atomic_load(&crew->stop);
}

static bool all_done(const wend__crew *crew) {
    return atomic_load(&crew->left) == 0;
}

/* Spins for a while. */
static bool spin(const wend__crew *crew, bool (*come)(const wend__crew *crew)) {
    if (come(crew)) return true;
    const wend_clock clock = wend__clock_default();
    const uint64_t begun = crew->spin_ns ? clock.now_ns(clock.context) : 0;
    while (crew->spin_ns && clock.now_ns(clock.context) - begun < crew->spin_ns)
        for (int i = 0; i < LOOKS; i++) {
            relax();
            if (come(crew)) return true;
        }
    return false;
}

/* No thread is missed: a helper counts itself asleep before its last look for jobs, and the caller publishes jobs
 * before it counts the sleepers. */
static void sleep_until_called(wend__crew *crew) {
    pthread_mutex_lock(&crew->mutex);
    atomic_fetch_add(&crew->asleep, 1);
    while (!jobs_wait_or_stop(crew)) pthread_cond_wait(&crew->called, &crew->mutex);
    atomic_fetch_sub(&crew->asleep, 1);
    pthread_mutex_unlock(&crew->mutex);
}

static void *help(void *argument) {
    helper *self = argument;
    wend__crew *crew = self->crew;
    while (!atomic_load(&crew->stop)) {
        work(crew, self->number, self->own);
        if (!spin(crew, jobs_wait_or_stop)) sleep_until_called(crew);
    }
    return NULL;
}

/* ---- the caller's side ---- */

/* Wakes at most one helper for each job; threads that are awake look for jobs before they sleep. */
static void wake_helpers(wend__crew *crew, uint32_t wanted) {
    uint32_t asleep = atomic_load(&crew->asleep), awake = crew->count - asleep;
    if (asleep == 0 || awake >= wanted) return;
    wanted -= awake;
    pthread_mutex_lock(&crew->mutex);
    pthread_mutex_unlock(&crew->mutex);
    if (wanted >= asleep) {
        pthread_cond_broadcast(&crew->called);
        return;
    }
    while (wanted-- > 0) pthread_cond_signal(&crew->called);
}

static void wait_for_helpers(wend__crew *crew) {
    if (spin(crew, all_done)) return;
    pthread_mutex_lock(&crew->mutex);
    atomic_store(&crew->waiting, true);
    while (!all_done(crew)) pthread_cond_wait(&crew->done, &crew->mutex);
    atomic_store(&crew->waiting, false);
    pthread_mutex_unlock(&crew->mutex);
}

void wend__crew_run(wend__crew *crew, uint32_t jobs, wend__job *job, void *context) {
    if (jobs == 0) return;
    crew->job = job;
    crew->context = context;
    atomic_store(&crew->left, jobs);
    atomic_store(&crew->untaken, UINT64_MAX >> (WEND__CREW_JOBS - jobs));
    wake_helpers(crew, jobs - 1);
    work(crew, 0, jobs_of(0, crew->threads));
    wait_for_helpers(crew);
}

/* ---- beginning and end ---- */

static bool has_processors(void) {
#if defined(_WIN32)
    SYSTEM_INFO info;
    GetSystemInfo(&info);
    return info.dwNumberOfProcessors > 1;
#elif defined(__wasm__)
    return false;
#else
    return sysconf(_SC_NPROCESSORS_ONLN) > 1;
#endif
}

/* Signals of the host belong to the host's threads. */
static bool create(helper *one) {
#if defined(_WIN32) || defined(__wasm__)
    return pthread_create(&one->handle, NULL, help, one) == 0;
#else
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    const bool started = pthread_create(&one->handle, NULL, help, one) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
#ifdef __linux__
    if (started) pthread_setname_np(one->handle, "wend");
#endif
    return started;
#endif
}

static bool start(wend__crew *crew, uint32_t number) {
    helper *one = &crew->helpers[number - 1];
    one->crew = crew;
    one->number = number;
    one->own = jobs_of(number, crew->threads);
    return create(one);
}

wend__crew *wend__crew_start(void *memory, uint32_t helpers) {
    wend__crew *crew = memory;
    atomic_init(&crew->untaken, 0);
    atomic_init(&crew->left, 0);
    atomic_init(&crew->waiting, false);
    atomic_init(&crew->asleep, 0);
    atomic_init(&crew->stop, false);
    crew->spin_ns = has_processors() ? SPIN_NS : 0;
    crew->count = 0;
    crew->threads = helpers + 1;
    WEND__ASSERT(pthread_mutex_init(&crew->mutex, NULL) == 0);
    WEND__ASSERT(pthread_cond_init(&crew->called, NULL) == 0 && pthread_cond_init(&crew->done, NULL) == 0);
    while (crew->count < helpers && start(crew, crew->count + 1)) crew->count++;
    if (crew->count == helpers) return crew;
    wend__crew_stop(crew);
    return NULL;
}

void wend__crew_stop(wend__crew *crew) {
    atomic_store(&crew->stop, true);
    pthread_mutex_lock(&crew->mutex);
    pthread_mutex_unlock(&crew->mutex);
    pthread_cond_broadcast(&crew->called);
    for (uint32_t i = 0; i < crew->count; i++) pthread_join(crew->helpers[i].handle, NULL);
    pthread_cond_destroy(&crew->done);
    pthread_cond_destroy(&crew->called);
    pthread_mutex_destroy(&crew->mutex);
}
