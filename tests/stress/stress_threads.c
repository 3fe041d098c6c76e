/* SPDX-License-Identifier: MIT */
/* Race test, a plain program: four threads submit, cancel and re-prioritise, a fifth publishes edits, and a sixth
 * runs frames, with workers. Every path is walked on the version it was checked on. Build it with
 * --enable-sanitizer=thread. Exits non-zero where a promise is broken.
 *
 *   stress_threads [SECONDS [WORKERS]]     2 seconds and 3 workers by default */
#define _POSIX_C_SOURCE 200809L
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <wend/service_tuning.h>
#include <wend/wend.h>
#include <wend/control.h>
#include <wend/versions.h>

#include "models/defaults.h"
#include "stress/promise.h"
#include "models/options.h"

enum { THREADS = 4, SIDE = 96, CELLS = SIDE * SIDE, PLACES = 1 << 22, RING = 64, KEPT = 1024 };

/* A request and its answers. */
typedef struct asked {
    wend_cell start, goal;
    atomic_int answers;
    atomic_bool cancel_accepted; ///< cancel returned OK
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

/* Contents of the last versions; each is stored before it is published. */
static struct {
    uint64_t epoch;
    uint8_t terrain[CELLS];
} kept[KEPT];
static pthread_mutex_t keeping = PTHREAD_MUTEX_INITIALIZER; ///< guards kept
static uint8_t terrain[CELLS];                              ///< the editing thread's own
static _Atomic uint64_t edits;
static uint64_t walked, flooded, pieces, outlived;

static bool copy_of(uint64_t epoch, uint8_t *out) {
    pthread_mutex_lock(&keeping);
    bool there = kept[epoch % KEPT].epoch == epoch;
    if (there) memcpy(out, kept[epoch % KEPT].terrain, CELLS);
    pthread_mutex_unlock(&keeping);
    return there;
}

static int class_at(const uint8_t *ground, int x, int y) {
    return x < 0 || y < 0 || x >= SIDE || y >= SIDE ? 0 : ground[y * SIDE + x];
}

/* Corners never, 10 and 14. */
static int64_t step_cost(const uint8_t *ground, wend_cell a, wend_cell b) {
    int dx = b.x - a.x, dy = b.y - a.y;
    bool near = dx >= -1 && dx <= 1 && dy >= -1 && dy <= 1 && (dx || dy);
    if (!near || !class_at(ground, b.x, b.y)) return -1;
    if (dx && dy && (!class_at(ground, b.x, a.y) || !class_at(ground, a.x, b.y))) return -1;
    return (dx && dy ? 14 : 10) * class_at(ground, b.x, b.y);
}

static void walk(const uint8_t *ground, const wend_completion *completion) {
    int64_t cost = 0;
    PROMISE(class_at(ground, completion->cells[0].x, completion->cells[0].y));
    for (size_t i = 1; i < completion->cell_count; i++) {
        int64_t step = step_cost(ground, completion->cells[i - 1], completion->cells[i]);
        PROMISE(step > 0);
        cost += step;
    }
    PROMISE(cost == completion->cost);
}

/* Straight steps lead wherever diagonal ones do. */
static bool reachable(const uint8_t *ground, wend_cell from, wend_cell to) {
    static bool reached[CELLS];
    static int queue[CELLS];
    static const int dx[] = {0, 1, 0, -1}, dy[] = {-1, 0, 1, 0};
    memset(reached, 0, sizeof reached);
    size_t head = 0, tail = 0;
    queue[tail++] = from.y * SIDE + from.x;
    reached[queue[0]] = true;
    while (head < tail) {
        int cell = queue[head++];
        for (int d = 0; d < 4; d++) {
            int x = cell % SIDE + dx[d], y = cell / SIDE + dy[d];
            if (!class_at(ground, x, y) || reached[y * SIDE + x]) continue;
            reached[y * SIDE + x] = true;
            queue[tail++] = y * SIDE + x;
        }
    }
    return reached[to.y * SIDE + to.x];
}

/* Checks that the answer is true on its checked version. */
static void check_answer(const asked *own, const wend_completion *completion) {
    static uint8_t ground[CELLS];
    bool no_path = completion->status == WEND_STATUS_NO_PATH;
    PROMISE(completion->epoch <= completion->checked);
    PROMISE(completion->status != WEND_STATUS_NO_PATH || completion->epoch == completion->checked);
    if (completion->cell_count == 0 && !no_path) return;
    if (!copy_of(completion->checked, ground)) return;
    if (no_path) {
        PROMISE(!reachable(ground, own->start, own->goal));
        flooded++;
        return;
    }
    walk(ground, completion);
    walked++;
    pieces += completion->status == WEND_STATUS_STALE;
    outlived += completion->status == WEND_STATUS_FOUND && completion->epoch < completion->checked;
}

static void on_done(void *context, const wend_completion *completion) {
    asked *own = context;
    PROMISE(pthread_equal(owner, pthread_self()));
    PROMISE(atomic_fetch_add(&own->answers, 1) == 0);
    PROMISE(frame_first || completion->number > last_number);
    frame_first = 0;
    last_number = completion->number;
    if (atomic_load(&own->cancel_accepted)) PROMISE(completion->status == WEND_STATUS_CANCELLED);
    check_answer(own, completion);
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
    wend_request request = default_request();
    request.map = map;
    request.start = (wend_cell){(int32_t)draw(seed, SIDE), (int32_t)draw(seed, SIDE), 0};
    request.goal = (wend_cell){(int32_t)draw(seed, SIDE), (int32_t)draw(seed, SIDE), 0};
    request.urgency = (int32_t)draw(seed, 10);
    if (draw(seed, 4) == 0) request.deadline_frames = 1 + draw(seed, 20);
    if (draw(seed, 4) == 0) options_of(&request)->on_stale = WEND_ON_STALE_DELIVER;
    request.on_done = on_done, request.context = own;
    own->start = request.start, own->goal = request.goal;
    return request;
}

static void cancel(wend_ticket ticket, asked *own) {
    wend_error error = wend_service_cancel(service, ticket);
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
        wend_error error = wend_service_submit(service, &request, &tickets[slot]);
        PROMISE(error == WEND_OK || error == WEND_BUSY || error == WEND_CLOSED);
        if (error == WEND_OK) owners[slot] = &all[place];
        atomic_fetch_add(error == WEND_OK ? &accepted : error == WEND_BUSY ? &busy : &closed, 1);
        uint32_t other = draw(&seed, RING);
        if (draw(&seed, 3) == 0 && owners[other]) cancel(tickets[other], owners[other]);
        if (draw(&seed, 3) == 0)
            wend_service_set_urgency(service, tickets[draw(&seed, RING)], (int32_t)draw(&seed, 10));
        if (draw(&seed, 50) == 0) wend_service_get_pending(service), wend_service_get_work(service);
        if (error != WEND_OK) sched_yield();
    }
    return NULL;
}

static void note_version(uint64_t epoch) {
    pthread_mutex_lock(&keeping);
    kept[epoch % KEPT].epoch = epoch;
    memcpy(kept[epoch % KEPT].terrain, terrain, CELLS);
    pthread_mutex_unlock(&keeping);
}

/* A batch of a few cells. */
static void publish(uint64_t epoch, uint64_t *seed, int cells) {
    wend_edit *edit;
    uint64_t published = 0;
    PROMISE(wend_edit_begin(map, &edit) == WEND_OK);
    for (int i = 0; i < cells; i++) {
        int x = (int)draw(seed, SIDE), y = (int)draw(seed, SIDE);
        terrain[y * SIDE + x] = draw(seed, 5) < 2 ? WEND_CLASS_BLOCKED : (uint8_t)(1 + draw(seed, 3));
        PROMISE(wend_edit_set_cell(edit, (wend_cell){x, y, 0}, terrain[y * SIDE + x]) == WEND_OK);
    }
    note_version(epoch);
    PROMISE(wend_edit_publish(edit, &published) == WEND_OK);
    PROMISE(published == epoch);
}

/* As fast as it can at times, and then pausing, so that some searches see no change. */
static void *editor(void *argument) {
    uint64_t seed = 99;
    (void)argument;
    for (uint64_t epoch = 2; !atomic_load(&stop); epoch++) {
        publish(epoch, &seed, 1 + (int)draw(&seed, 8));
        if (draw(&seed, 100) == 0) PROMISE(wend_map_set_max_versions(map, 1 + (int32_t)draw(&seed, 4)) == WEND_OK);
        struct timespec pause = {0, (long)draw(&seed, 8) * 200000};
        if (draw(&seed, 4) == 0) nanosleep(&pause, NULL);
        atomic_fetch_add(&edits, 1);
    }
    return NULL;
}

static void make_world(uint32_t workers) {
    uint64_t seed = 1;
    wend_map_def map_def = default_map();
    map_def.width = map_def.height = SIDE;
    PROMISE(wend_map_create(&map_def, &map) == WEND_OK);
    memset(terrain, WEND_CLASS_OPEN, CELLS);
    publish(1, &seed, CELLS * 3 / 4);
    wend_service_def def = default_service();
    wend_service_tuning tuning = default_tuning();
    def.queue = 500, def.tuning = &tuning, tuning.searches = 16, def.nodes = 20 * WEND_PAGE_NODES;
    def.workers = workers;
    PROMISE(wend_service_create(&def, &service) == WEND_OK);
    wend_service_set_wake(service, on_wake, &wakes);
}

static void frames_for(double seconds) {
    struct timespec begun, now;
    clock_gettime(CLOCK_MONOTONIC, &begun);
    wend_budget budget = default_budget();
    budget.expansions = 20000;
    do {
        wend_frame frame = {.struct_bytes = sizeof frame};
        frame_first = 1;
        PROMISE(wend_service_tick(service, &budget, &frame) == WEND_OK);
        PROMISE(frame.expansions <= budget.expansions);
        if (wend_service_get_work(service) == 0) sched_yield();
        clock_gettime(CLOCK_MONOTONIC, &now);
    } while ((double)(now.tv_sec - begun.tv_sec) + (double)(now.tv_nsec - begun.tv_nsec) / 1e9 < seconds);
}

int main(int argc, char **argv) {
    double seconds = argc > 1 ? atof(argv[1]) : 2;
    pthread_t threads[THREADS + 1];
    all = calloc(PLACES, sizeof *all);
    PROMISE(all);
    owner = pthread_self();
    make_world(argc > 2 ? (uint32_t)atoi(argv[2]) : 3);
    for (uintptr_t i = 0; i < THREADS; i++) PROMISE(pthread_create(&threads[i], NULL, submitter, (void *)(i + 1)) == 0);
    PROMISE(pthread_create(&threads[THREADS], NULL, editor, NULL) == 0);
    frames_for(seconds * 0.8);
    wend_service_close(service); /* with the others still at it */
    frames_for(seconds * 0.2);
    PROMISE(wend_service_get_pending(service) == 0);
    atomic_store(&stop, true);
    for (int i = 0; i <= THREADS; i++) pthread_join(threads[i], NULL);
    wend_stats stats = {.struct_bytes = sizeof stats};
    wend_service_get_stats(service, &stats);
    PROMISE(stats.submitted == accepted && stats.completed == accepted && completed == accepted);
    PROMISE(stats.refused_busy == busy);
    PROMISE(found > 0 && cancelled > 0 && closed > 0 && cancels > 0 && stale > 0 && wakes > 0);
    PROMISE(edits > 0 && walked > 0 && outlived > 0);
    PROMISE(stats.checks > 0 && stats.outdated > 0);
    uint64_t slices = 0;
    for (uint32_t i = 1; i <= WEND_MAX_WORKERS; i++) slices += wend_service_get_slices(service, i);
    PROMISE(wend_service_destroy(service) == WEND_OK);
    wend_map_release(map);
    printf("%zu accepted, %zu busy, %zu found, %zu cancelled, %zu stale tickets, %zu frames\n", (size_t)accepted,
           (size_t)busy, (size_t)found, (size_t)cancelled, (size_t)stale, (size_t)stats.frames);
    printf("%zu edits, %zu paths walked (%zu pieces, %zu on a later version than searched), %zu floods, %zu checks, "
           "%zu outdated, %zu of the workers' slices\n",
           (size_t)edits, (size_t)walked, (size_t)pieces, (size_t)outlived, (size_t)flooded, (size_t)stats.checks,
           (size_t)stats.outdated, (size_t)slices);
    free(all);
    return 0;
}
