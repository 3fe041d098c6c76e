/* SPDX-License-Identifier: MIT */
/* Jump tables from several threads: one edits and prunes a map, one makes its tables and landmarks and drops them, some
 * fork it, make the forks' tables at the same time (of blocks that all share) and edit them, one reads tables all the
 * time. No thread sees tables change, and in the end all tables are right. Meant for TSan as well. */
#define _POSIX_C_SOURCE 200809L
#include "fast/tables/jumps.h"
#include "fast/landmarks/landmarks.h"
#include "map/store/map_layout.h"
#include "map/version/version.h"
#include "fast/acceleration.h"
#include "models/defaults.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <wend/versions.h>

enum { WIDTH = 1100, HEIGHT = 70, ROUNDS = 60, FORKERS = 3, READERS = 1, THREADS = 2 + FORKERS + READERS };

#define CHECK(condition)                                                                                               \
    do {                                                                                                               \
        if (!(condition)) {                                                                                            \
            fprintf(stderr, "stress_jumps: line %d: %s\n", __LINE__, #condition);                                      \
            exit(1);                                                                                                   \
        }                                                                                                              \
    } while (0)

static wend_map *map;
static pthread_barrier_t start;
static const int32_t numbers[THREADS] = {0, 1, 2, 3, 4, 5};

static uint32_t draw(uint32_t *state, uint32_t below) {
    *state = *state * 1664525u + 1013904223u;
    return (*state >> 8) % below;
}

static bool fine(wend_error error) {
    return error == WEND_OK || error == WEND_IN_USE;
}

/* Landmarks are kept at any price, as far as is usual, hardly or never. */
static void choose_effort(wend_map *of, uint32_t *seed) {
    static const uint64_t efforts[] = {0, 20, WEND_LANDMARK_EFFORT, WEND_NO_LIMIT};
    wend__map_set_landmark_effort(of, efforts[draw(seed, 4)]);
}

static void edit_cell(wend_map *of, uint32_t *seed) {
    wend_edit *edit;
    wend_error error = wend_edit_begin(of, &edit);
    CHECK(fine(error));
    if (error) return;
    wend_cell cell = {(int32_t)draw(seed, WIDTH), (int32_t)draw(seed, HEIGHT), 0};
    CHECK(wend_edit_set_cell(edit, cell, (uint8_t)draw(seed, 2)) == WEND_OK);
    CHECK(wend_edit_publish(edit, NULL) == WEND_OK);
}

static uint64_t sum_of_landmarks(const wend__version *v) {
    const wend__landmarks *l = v->landmarks;
    uint64_t sum = 0;
    if (!l) return 0;
    for (int32_t x = 0; x < WIDTH; x += 5)
        for (uint32_t i = 0; i < l->count; i++)
            sum = sum * 31 + wend__landmark_at(l, wend__place_of(v, (wend_cell){x, HEIGHT / 2, 0})).codes[i];
    return sum;
}

static uint64_t sum_of(const wend__version *v) {
    uint64_t sum = 1;
    for (int32_t column = 0; column < v->chunk_columns; column++)
        for (int32_t row = 0; row < v->chunk_rows; row++) {
            const wend__jump_table *table = wend__jump_table_at(v, column, row);
            const wend__jump_row *lanes = wend__jumps_of(v, column, row)->rows[row];
            for (uint32_t i = 0; i < 4 * 64; i += 7) sum = sum * 31 + table->ends[i / 64][i % 64];
            for (uint32_t i = 0; i < WEND__QUADRANTS; i++) sum = sum * 31 + lanes->lanes[column & 15].live[i];
        }
    return sum + sum_of_landmarks(v);
}

static void look(wend_map *of) {
    wend__version *v = wend__map_acquire(of, true);
    if (v->jumps) {
        uint64_t sum = sum_of(v);
        CHECK(sum_of(v) == sum);
    }
    wend__map_release(v, true);
}

static void *edit(void *number) {
    uint32_t seed = (uint32_t) * (const int32_t *)number, left;
    pthread_barrier_wait(&start);
    for (int32_t i = 0; i < 4 * ROUNDS; i++) {
        if (i % 5 == 0) choose_effort(map, &seed);
        edit_cell(map, &seed);
        CHECK(fine(wend__map_prune_jumps(map, 2, &left)));
    }
    return NULL;
}

static void *make_and_drop(void *number) {
    (void)number;
    pthread_barrier_wait(&start);
    for (int32_t i = 0; i < ROUNDS; i++) {
        CHECK(fine(wend__map_prepare_jumps(map)));
        CHECK(fine(i % 8 < 4 ? wend__map_prepare_landmarks(map, i % 4) : wend__map_continue_landmarks(map, 5)));
        look(map);
        if (i % 3 == 2) CHECK(fine(wend__map_drop_jumps(map)));
    }
    return NULL;
}

static void *fork_it(void *number) {
    uint32_t seed = (uint32_t) * (const int32_t *)number;
    pthread_barrier_wait(&start);
    for (int32_t i = 0; i < ROUNDS; i++) {
        OWNED_MAP *fork = NULL, *second = NULL;
        CHECK(wend_map_fork(map, &fork) == WEND_OK);
        CHECK(wend__map_prepare_jumps(fork) == WEND_OK);
        if (i % 8 == 0) CHECK(wend__map_prepare_landmarks(fork, 2) == WEND_OK);
        if (i % 2) choose_effort(fork, &seed);
        for (int32_t j = 0; j < 4; j++) edit_cell(fork, &seed);
        CHECK(wend_map_fork(fork, &second) == WEND_OK);
        CHECK(wend__map_drop_jumps(fork) == WEND_OK);
        look(second);
        CHECK(wend__map_prepare_jumps(fork) == WEND_OK);
        CHECK(wend__map_prune_jumps(second, UINT32_MAX, NULL) == WEND_OK);
        wend__version *a = wend__map_acquire(fork, false), *b = wend__map_acquire(second, false);
        CHECK(a->jumps && b->jumps && a->jumps_unpruned == 0 && b->jumps_unpruned == 0);
        CHECK(sum_of(a) == sum_of(b));
        wend__map_release(a, false);
        wend__map_release(b, false);
    }
    return NULL;
}

static void *read_all(void *number) {
    (void)number;
    pthread_barrier_wait(&start);
    for (int32_t i = 0; i < 4 * ROUNDS; i++) look(map);
    return NULL;
}

static void *(*const work[THREADS])(void *) = {edit, make_and_drop, fork_it, fork_it, fork_it, read_all};

static void create(void) {
    wend_map_def def = default_map();
    uint32_t seed = 9;
    wend_edit *batch;
    def.width = WIDTH, def.height = HEIGHT;
    CHECK(wend_map_create(&def, &map) == WEND_OK);
    CHECK(wend_edit_begin(map, &batch) == WEND_OK);
    for (int32_t i = 0; i < 3000; i++) {
        wend_cell cell = {(int32_t)draw(&seed, WIDTH), (int32_t)draw(&seed, HEIGHT), 0};
        CHECK(wend_edit_set_cell(batch, cell, WEND_CLASS_BLOCKED) == WEND_OK);
    }
    CHECK(wend_edit_publish(batch, NULL) == WEND_OK);
}

int main(void) {
    pthread_t threads[THREADS];
    wend_map_info info = {.struct_bytes = sizeof info};
    create();
    CHECK(pthread_barrier_init(&start, NULL, THREADS) == 0);
    for (int32_t i = 0; i < THREADS; i++)
        CHECK(pthread_create(&threads[i], NULL, work[i], (void *)(uintptr_t)&numbers[i]) == 0);
    for (int32_t i = 0; i < THREADS; i++) CHECK(pthread_join(threads[i], NULL) == 0);
    CHECK(pthread_barrier_destroy(&start) == 0);
    CHECK(wend__map_drop_jumps(map) == WEND_OK);
    CHECK(wend__map_prepare_landmarks(map, 0) == WEND_OK);
    wend_map_get_info(map, &info);
    CHECK(info.jump_bytes == 0 && info.landmark_bytes == 0);
    wend_map_release(map);
    puts("stress_jumps: ok");
    return 0;
}
