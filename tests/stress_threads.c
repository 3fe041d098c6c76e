/* SPDX-License-Identifier: MIT */
/* Race test, a plain program: four threads submit, cancel and re-prioritise while a fifth runs frames. Build it with
 * --enable-sanitizer=thread. Exits non-zero where a promise is broken.
 *
 *   stress_threads [SECONDS]     2 by default */
#define _POSIX_C_SOURCE 200809L
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include <wend/wend.h>

enum { THREADS = 4, SIDE = 96, PLACES = 1 << 22, RING = 64 };

#define PROMISE(condition)                                                                                             \
    do {                                                                                                               \
        if (!(condition)) {                                                                                            \
            fprintf(stderr, "%s:%d: broken: %s\n", __FILE__, __LINE__, #condition);                                    \
            exit(1);                                                                                                   \
        }                                                                                                              \
    } while (0)

/* One a request: who is told of it. */
typedef struct asked {
    atomic_int answers;
    atomic_bool cancel_accepted; ///< cancel said OK
} asked;

static wend_service *service;
static wend_map *map;
static asked *all;
static atomic_uint used;
static atomic_bool stop;
static atomic_uint wakes;
static _Atomic uint64_t accepted, busy, closed, cancels, stale;
static uint64_t completed, cancelled, found, last_number, frame_first;
static pthread_t owner;

static void on_done(void *context, const wend_completion *completion) {
    asked *own = context;
    PROMISE(pthread_equal(owner, pthread_self()));
    PROMISE(atomic_fetch_add(&own->answers, 1) == 0);
    PROMISE(frame_first || completion->number > last_number);
    frame_first = 0;
    last_number = completion->number;
    if (atomic_load(&own->cancel_accepted)) PROMISE(completion->status == WEND_STATUS_CANCELLED);
    completed++;
    cancelled += completion->status == WEND_STATUS_CANCELLED;
    found += completion->status == WEND_STATUS_FOUND;
}

static void on_wake(void *context) {
    atomic_fetch_add((atomic_uint *)context, 1);
}

static uint32_t draw(uint64_t *state, uint32_t below) {
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)((*state >> 33) % below);
}

static wend_request random_request(uint64_t *seed, asked *own) {
    wend_request request = wend_request_default();
    request.map = map;
    request.start = (wend_cell){(int32_t)draw(seed, SIDE), (int32_t)draw(seed, SIDE), 0};
    request.goal = (wend_cell){(int32_t)draw(seed, SIDE), (int32_t)draw(seed, SIDE), 0};
    request.urgency = (int32_t)draw(seed, 10);
    if (draw(seed, 4) == 0) request.deadline_frames = 1 + draw(seed, 20);
    request.on_done = on_done;
    request.context = own;
    return request;
}

static void cancel(wend_ticket ticket, asked *own) {
    int32_t error = wend_service_cancel(service, ticket);
    PROMISE(error == WEND_OK || error == WEND_STALE_TICKET);
    if (error == WEND_OK) atomic_store(&own->cancel_accepted, true);
    atomic_fetch_add(error == WEND_OK ? &cancels : &stale, 1);
}

static void *submitter(void *argument) {
    uint64_t seed = (uint64_t)(uintptr_t)argument;
    wend_ticket tickets[RING] = {{0, 0}};
    asked *owners[RING] = {NULL};
    while (!atomic_load(&stop)) {
        unsigned place = atomic_fetch_add(&used, 1);
        if (place >= PLACES) break;
        wend_request request = random_request(&seed, &all[place]);
        uint32_t slot = draw(&seed, RING);
        int32_t error = wend_service_submit(service, &request, &tickets[slot]);
        PROMISE(error == WEND_OK || error == WEND_BUSY || error == WEND_CLOSED);
        if (error == WEND_OK) owners[slot] = &all[place];
        atomic_fetch_add(error == WEND_OK ? &accepted : error == WEND_BUSY ? &busy : &closed, 1);
        uint32_t other = draw(&seed, RING);
        if (draw(&seed, 3) == 0 && owners[other]) cancel(tickets[other], owners[other]);
        if (draw(&seed, 3) == 0)
            wend_service_set_urgency(service, tickets[draw(&seed, RING)], (int32_t)draw(&seed, 10));
        if (draw(&seed, 50) == 0) wend_service_pending(service), wend_service_work(service);
        if (error != WEND_OK) sched_yield();
    }
    return NULL;
}

static void make_world(void) {
    uint64_t seed = 1;
    wend_map_def map_def = wend_map_default();
    map_def.width = map_def.height = SIDE;
    PROMISE(wend_map_create(&map_def, &map) == WEND_OK);
    wend_edit *edit;
    PROMISE(wend_edit_begin(map, &edit) == WEND_OK);
    for (int i = 0; i < SIDE * SIDE / 4; i++)
        wend_edit_set(edit, (wend_cell){(int32_t)draw(&seed, SIDE), (int32_t)draw(&seed, SIDE), 0}, WEND_CLASS_BLOCKED);
    PROMISE(wend_edit_publish(edit, NULL) == WEND_OK);
    wend_service_def def = wend_service_default();
    def.queue = 500;
    def.searches = 16;
    def.nodes = 20 * WEND_PAGE_NODES;
    PROMISE(wend_service_create(&def, &service) == WEND_OK);
    wend_service_set_wake(service, on_wake, &wakes);
}

static void frames_for(double seconds) {
    struct timespec begun, now;
    clock_gettime(CLOCK_MONOTONIC, &begun);
    wend_budget budget = wend_budget_default();
    budget.expansions = 20000;
    do {
        wend_frame frame;
        frame_first = 1;
        PROMISE(wend_service_tick(service, &budget, &frame) == WEND_OK);
        PROMISE(frame.expansions <= budget.expansions);
        clock_gettime(CLOCK_MONOTONIC, &now);
    } while ((double)(now.tv_sec - begun.tv_sec) + (double)(now.tv_nsec - begun.tv_nsec) / 1e9 < seconds);
}

int main(int argc, char **argv) {
    double seconds = argc > 1 ? atof(argv[1]) : 2;
    pthread_t threads[THREADS];
    all = calloc(PLACES, sizeof *all);
    PROMISE(all);
    owner = pthread_self();
    make_world();
    for (uintptr_t i = 0; i < THREADS; i++) PROMISE(pthread_create(&threads[i], NULL, submitter, (void *)(i + 1)) == 0);
    frames_for(seconds * 0.8);
    wend_service_close(service); /* with the others still at it */
    frames_for(seconds * 0.2);
    PROMISE(wend_service_pending(service) == 0);
    atomic_store(&stop, true);
    for (int i = 0; i < THREADS; i++) pthread_join(threads[i], NULL);
    wend_stats stats;
    wend_service_stats(service, &stats);
    PROMISE(stats.submitted == accepted && stats.completed == accepted && completed == accepted);
    PROMISE(stats.refused_busy == busy);
    PROMISE(found > 0 && cancelled > 0 && closed > 0 && cancels > 0 && stale > 0 && wakes > 0);
    PROMISE(wend_service_destroy(service) == WEND_OK);
    wend_map_release(map);
    printf("%zu accepted, %zu busy, %zu found, %zu cancelled, %zu stale tickets, %zu frames\n", (size_t)accepted,
           (size_t)busy, (size_t)found, (size_t)cancelled, (size_t)stale, (size_t)stats.frames);
    free(all);
    return 0;
}
