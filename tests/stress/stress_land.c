/* SPDX-License-Identifier: MIT */
/* Two threads repair a far layer in slices while others load and unload its land, edit it, and search far ways over
 * it. Meant for TSan. */
#define _POSIX_C_SOURCE 200809L
#include "models/defaults.h"
#include "models/random.h"

#include <wend/acceleration.h>
#include <wend/search.h>
#include <wend/stream.h>

#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>

enum { CHUNKS = 4, SIDE = CHUNKS * 64, ROUNDS = 300, THREADS = 5 };

#define CHECK(condition)                                                                                               \
    do {                                                                                                               \
        if (!(condition)) {                                                                                            \
            fprintf(stderr, "stress_land: line %d: %s\n", __LINE__, #condition);                                       \
            exit(1);                                                                                                   \
        }                                                                                                              \
    } while (0)

static wend_map *map;
static pthread_barrier_t start;
static _Atomic int editing = 1;

/* Begins a batch. A slice that hands over its results has one of its own meanwhile. */
static wend_edit *begin(void) {
    wend_edit *edit;
    wend_error error;
    while ((error = wend_edit_begin(map, &edit)) == WEND_IN_USE) sched_yield();
    CHECK(error == WEND_OK);
    return edit;
}

static void load(uint64_t *random, int32_t column, int32_t row) {
    uint8_t cells[64 * 64];
    for (size_t i = 0; i < sizeof cells; i++) cells[i] = draw(random, 6) ? WEND_CLASS_OPEN : WEND_CLASS_BLOCKED;
    wend_edit *edit = begin();
    CHECK(wend_edit_load(edit, column, row, cells, 64) == WEND_OK);
    CHECK(wend_edit_publish(edit, NULL) == WEND_OK);
}

/* Unloads land, loads it, or changes one of its cells. */
static void *edit_land(void *unused) {
    uint64_t random = 7;
    pthread_barrier_wait(&start);
    for (int i = 0; i < ROUNDS; i++) {
        const int32_t column = (int32_t)draw(&random, CHUNKS), row = (int32_t)draw(&random, CHUNKS);
        int32_t land;
        CHECK(wend_map_get_land(map, column, row, &land) == WEND_OK);
        if (land != WEND_LAND_LOADED) {
            load(&random, column, row);
        } else if (draw(&random, 3)) {
            const wend_cell cell = {column * 64 + (int32_t)draw(&random, 64), row * 64 + 63, 0};
            wend_edit *edit = begin();
            CHECK(wend_edit_set_cell(edit, cell, (uint8_t)draw(&random, 2)) == WEND_OK);
            CHECK(wend_edit_publish(edit, NULL) == WEND_OK);
        } else {
            wend_edit *edit = begin();
            CHECK(wend_edit_unload(edit, column, row, draw(&random, 2) ? WEND_LAND_KNOWN : WEND_LAND_ABSENT) ==
                  WEND_OK);
            CHECK(wend_edit_publish(edit, NULL) == WEND_OK);
        }
    }
    editing = 0;
    return unused;
}

static void *maintain(void *unused) {
    uint64_t random = 11;
    pthread_barrier_wait(&start);
    while (editing) {
        const wend_error error = wend_map_maintain(map, WEND_MAINTAIN_ALL, 500 + draw(&random, 60000), NULL);
        CHECK(error == WEND_OK || error == WEND_IN_USE);
    }
    return unused;
}

static void *search(void *unused) {
    uint64_t random = 13;
    wend_search_def def = default_search();
    OWNED_SEARCH *own = NULL;
    wend_request request = default_request();
    request.map = map, request.mode = WEND_MODE_FAR;
    CHECK(wend_search_create(&def, &own) == WEND_OK);
    pthread_barrier_wait(&start);
    while (editing) {
        request.start = (wend_cell){(int32_t)draw(&random, SIDE), (int32_t)draw(&random, SIDE), 0};
        request.goal = (wend_cell){(int32_t)draw(&random, SIDE), (int32_t)draw(&random, SIDE), 0};
        CHECK(wend_search_begin(own, &request) == WEND_OK);
        CHECK(wend_search_step(own, WEND_NO_LIMIT, NULL) != WEND_STATUS_PENDING);
    }
    return unused;
}

int main(void) {
    static void *(*const roles[THREADS])(void *) = {edit_land, maintain, maintain, search, search};
    pthread_t threads[THREADS];
    uint64_t random = 5;
    wend_map_def def = default_map();
    wend_acceleration tables = default_acceleration();
    def.width = def.height = SIDE, def.streamed = 1;
    CHECK(wend_map_create(&def, &map) == WEND_OK);
    for (int32_t i = 0; i < CHUNKS * CHUNKS; i++) load(&random, i % CHUNKS, i / CHUNKS);
    tables.landmarks = 1, tables.far = 1, tables.later = 1;
    CHECK(wend_map_accelerate(map, &tables) == WEND_OK);
    CHECK(pthread_barrier_init(&start, NULL, THREADS) == 0);
    for (int i = 0; i < THREADS; i++) CHECK(pthread_create(&threads[i], NULL, roles[i], NULL) == 0);
    for (int i = 0; i < THREADS; i++) CHECK(pthread_join(threads[i], NULL) == 0);
    pthread_barrier_destroy(&start);
    wend_map_release(map);
    return 0;
}
