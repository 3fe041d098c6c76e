/* SPDX-License-Identifier: MIT */
/* Race test, a plain program: three threads submit, cancel, replace, move goals and publish edits while a service with
 * workers records. The recording then plays back to the same completions with 0, 1, 2 and 5 workers. Build it with
 * --enable-sanitizer=thread.
 *
 *   stress_record [CALLS [SEED]]     3,000 calls a thread by default */
#define _POSIX_C_SOURCE 200809L
#include "base/hash.h"
#include "script/script.h"
#include "models/oracle.h"
#include "models/options.h"

#include <inttypes.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <wend/record.h>
#include <wend/control.h>

#include "stress/promise.h"

enum { MOST_CALLS = 1 << 15, THREADS = 3, SIDE = 80, RING = 32, AGENTS = 20 };

static wend_service *service;
static wend_map *map;
static FILE *recording;
static uint64_t calls = 3000, completed, hash = WEND__HASH_START;
static atomic_int running;
static atomic_uint_least64_t frames;                        ///< frames that have ended
static pthread_mutex_t editing = PTHREAD_MUTEX_INITIALIZER; ///< held by the thread that has a batch

static wend_error take(void *context, uint32_t file, const void *bytes, size_t size) {
    (void)context;
    if (file == 1) PROMISE(fwrite(bytes, 1, size, recording) == size);
    return WEND_OK;
}

static void on_done(void *context, const wend_completion *done) {
    (void)context;
    hash = wend__hash_answer(hash, done->number, done->status, done->cost, done->cells, done->cell_count);
    completed++;
}

/* ---- threads ---- */

static wend_cell some_cell(oracle_random *random) {
    const int32_t x = oracle_below(random, SIDE), y = oracle_below(random, SIDE);
    return (wend_cell){x, y, 0};
}

static void submit(oracle_random *random, wend_ticket *ring, uint64_t at) {
    wend_request request = default_request();
    request.map = map, request.on_done = on_done, request.start = some_cell(random);
    request.goal = some_cell(random), request.urgency = oracle_below(random, 20);
    if (oracle_below(random, 4) == 0) request.agent = (uint64_t)oracle_below(random, AGENTS);
    if (oracle_below(random, 8) == 0) request.deadline_frames = (uint64_t)(1 + oracle_below(random, 9));
    if (oracle_below(random, 8) == 0) options_of(&request)->on_stale = WEND_ON_STALE_DELIVER;
    /* Waits for the next frame if the queue is full: else a machine short of processors would record nothing. */
    for (;;) {
        const uint64_t frame = atomic_load(&frames);
        const wend_error error = wend_service_submit(service, &request, &ring[at % RING]);
        PROMISE(error == WEND_OK || error == WEND_BUSY);
        if (error == WEND_OK) return;
        while (atomic_load(&frames) == frame) sched_yield();
    }
}

static void edit(oracle_random *random) {
    wend_edit *batch;
    const int changes = oracle_below(random, 4);
    pthread_mutex_lock(&editing);
    PROMISE(wend_edit_begin(map, &batch) == WEND_OK);
    for (int i = 0; i < changes; i++) {
        const wend_cell cell = some_cell(random);
        (void)wend_edit_set_cell(batch, cell, (uint8_t)oracle_below(random, 3));
    }
    PROMISE(wend_edit_publish(batch, NULL) == WEND_OK);
    pthread_mutex_unlock(&editing);
}

static void *call(void *context) {
    oracle_random random = {*(uint64_t *)context};
    wend_ticket ring[RING] = {{0}};
    for (uint64_t i = 0; i < calls; i++) {
        const int what = oracle_below(&random, 16);
        const wend_ticket old = ring[oracle_below(&random, RING)];
        if (what < 8)
            submit(&random, ring, i);
        else if (what < 10)
            (void)wend_service_cancel(service, old);
        else if (what < 12)
            (void)wend_service_set_urgency(service, old, oracle_below(&random, 40));
        else if (what < 14)
            (void)wend_service_set_goal(service, old, some_cell(&random));
        else
            edit(&random);
        if (i % 8 == 0) sched_yield();
    }
    atomic_fetch_sub(&running, 1);
    return NULL;
}

/* ---- the recording ---- */

static void open_all(uint64_t seed, uint32_t queue) {
    wend_map_def land = default_map();
    wend_service_def def;
    wend_edit *batch;
    oracle_random random = {seed};
    land.width = land.height = SIDE;
    PROMISE(wend_map_create(&land, &map) == WEND_OK && wend_edit_begin(map, &batch) == WEND_OK);
    for (int i = 0; i < SIDE * SIDE / 4; i++) {
        const wend_cell cell = some_cell(&random);
        (void)wend_edit_set_cell(batch, cell, (uint8_t)oracle_below(&random, 3));
    }
    PROMISE(wend_edit_publish(batch, NULL) == WEND_OK && wend_map_accelerate(map, NULL) == WEND_OK);
    wend_service_def_init(&def, sizeof def);
    def.workers = 2, def.queue = queue;
    PROMISE(wend_service_create(&def, &service) == WEND_OK);
}

static void run_frames(uint64_t seed) {
    oracle_random random = {seed};
    const struct timespec rest = {.tv_nsec = 50000}; /* others come to edit between two frames */
    wend_budget budget = default_budget();
    while (atomic_load(&running) > 0 || wend_service_get_pending(service) > 0) {
        budget.expansions = (uint64_t)(500 + oracle_below(&random, 20000)); /* else the clock ends it, in any phase */
        budget.us = oracle_below(&random, 3) == 0 ? (uint64_t)(1 + oracle_below(&random, 200)) : WEND_NO_LIMIT;
        PROMISE(wend_service_tick(service, &budget, NULL) == WEND_OK);
        atomic_fetch_add(&frames, 1);
        nanosleep(&rest, NULL);
    }
}

static void record(uint64_t seed, uint32_t queue) {
    pthread_t threads[THREADS];
    uint64_t seeds[THREADS];
    wend_recording said = {.struct_bytes = sizeof said};
    open_all(seed, queue);
    PROMISE(wend_service_record(service, take, NULL) == WEND_OK);
    PROMISE(wend_service_record_map(service, map) == WEND_OK);
    atomic_store(&running, THREADS);
    for (int i = 0; i < THREADS; i++) {
        seeds[i] = seed * 16 + (uint64_t)i + 1;
        PROMISE(pthread_create(&threads[i], NULL, call, &seeds[i]) == 0);
    }
    run_frames(seed);
    for (int i = 0; i < THREADS; i++) pthread_join(threads[i], NULL);
    PROMISE(wend_service_get_recording(service, &said) == WEND_OK && said.error == WEND_OK);
    PROMISE(wend_service_end_recording(service) == WEND_OK);
    PROMISE(wend_service_destroy(service) == WEND_OK);
    wend_map_release(map);
    printf("%" PRIu64 " completions in %" PRIu64 " frames, %" PRIu64 " bytes\n", completed, said.frames, said.bytes);
}

/* ---- the playback ---- */

/* Write the recording to a file, so that the reason can be found. */
static void keep(const char *text, size_t size) {
    FILE *file = fopen("stress_record.wend", "w");
    if (!file) return;
    fwrite(text, 1, size, file);
    fclose(file);
    fprintf(stderr, "the recording is in stress_record.wend; ");
}

static void play(const char *text, size_t size, uint64_t workers) {
    char *printed = NULL, wanted[128];
    size_t bytes = 0;
    FILE *out = open_memstream(&printed, &bytes);
    const script_options options = {.budget = SCRIPT_DEFAULT_BUDGET, .out = out, .hash = true, .workers = workers};
    script_state script;
    script_init(&script, "recording", text, size, &options);
    PROMISE(script_run(&script) == CLI_DONE);
    script_free(&script);
    cli_world_free(&script.built);
    fclose(out);
    snprintf(wanted, sizeof wanted, "\"completed\":%" PRIu64 ",\"hash\":\"%016" PRIx64 "\"}\n", completed, hash);
    const size_t length = strlen(wanted);
    const bool same = bytes > length && strcmp(printed + bytes - length, wanted) == 0;
    if (!same) keep(text, size), fprintf(stderr, "with %" PRIu64 " workers, not %s", workers, wanted);
    PROMISE(same);
    free(printed);
}

static void record_and_play(uint64_t seed, uint32_t queue) {
    static const uint64_t workers[] = {0, 1, 2, 5};
    char *text = NULL;
    size_t size = 0;
    completed = 0, hash = WEND__HASH_START;
    recording = open_memstream(&text, &size);
    PROMISE(recording != NULL);
    record(seed, queue);
    PROMISE(fclose(recording) == 0 && completed > calls / 4);
    for (size_t i = 0; i < sizeof workers / sizeof workers[0]; i++) play(text, size, workers[i]);
    free(text);
}

int main(int argc, char **argv) {
    enum { FULL = 6, SHORT = 1 << 16, BACKLOG = 1 << 20 };
    if (argc > 1) calls = strtoull(argv[1], NULL, 10);
    if (calls > MOST_CALLS) calls = MOST_CALLS;
    const uint64_t seed = argc > 2 ? strtoull(argv[2], NULL, 10) : 1;
    record_and_play(seed, FULL);
    record_and_play(seed, SHORT);
    record_and_play(seed, BACKLOG);
}
