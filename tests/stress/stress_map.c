/* SPDX-License-Identifier: MIT */
/* Readers, an editor, a thread that changes rules and two that fork, edit their forks and fork those, on one map at
 * once: no thread sees half a batch, nor changes of others' forks. Then two threads accelerate maps, while others
 * search among units, or move them. Meant for TSan as well. */
#define _POSIX_C_SOURCE 200809L
#include "map/components/components.h"
#include "models/defaults.h"
#include "map/components/labels.h"
#include "map/query/step_cost.h"
#include "map/store/map_layout.h"
#include "map/version/version.h"
#include "models/options.h"

#include <wend/acceleration.h>
#include <wend/search.h>
#include <wend/units.h>

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SIDE = 200, ROUNDS = 200, READERS = 3, FORKERS = 2, THREADS = 2 + FORKERS + READERS };

#define CHECK(condition)                                                                                               \
    do {                                                                                                               \
        if (!(condition)) {                                                                                            \
            fprintf(stderr, "stress_map: line %d: %s\n", __LINE__, #condition);                                        \
            exit(1);                                                                                                   \
        }                                                                                                              \
    } while (0)

static wend_map *map;
static pthread_barrier_t start;

static const wend_cell outside = {0, 0, 0}, opposite = {SIDE - 1, SIDE - 1, 0}, amid = {SIDE / 2, SIDE / 2, 0};
static const wend_box whole = {{3, 3, 0}, {SIDE - 4, SIDE - 4, 0}};

/* Every batch makes the whole box one class. */
static void *edit(void *unused) {
    pthread_barrier_wait(&start);
    for (int32_t i = 0; i < ROUNDS; i++) {
        wend_edit *batch;
        CHECK(wend_edit_begin(map, &batch) == WEND_OK);
        wend_box left = whole, right = whole; /* in two parts, so that there is a half */
        left.max.x = right.min.x = whole.min.x + i % (whole.max.x - whole.min.x);
        CHECK(wend_edit_fill_box(batch, left, (uint8_t)(i % 5)) == WEND_OK);
        CHECK(wend_edit_fill_box(batch, right, (uint8_t)(i % 5)) == WEND_OK);
        bool disconnects; /* the box from the ground around it, which stays; rules may change meanwhile */
        CHECK(wend_edit_would_disconnect(batch, 0, outside, amid, &disconnects) == WEND_OK);
        CHECK(wend_edit_would_disconnect(batch, 0, outside, opposite, &disconnects) == WEND_OK && !disconnects);
        CHECK(wend_edit_publish(batch, NULL) == WEND_OK);
    }
    return unused;
}

static void *change_rules(void *unused) {
    pthread_barrier_wait(&start);
    for (int32_t i = 0; i < ROUNDS; i++) {
        wend_map_rules rules = default_rules();
        rules.factors[2] = (uint8_t)(i % 16 ? 2 : i / 16 % 3);
        rules.factors[9] = (uint8_t)(i % 7); /* no cell has this class: all cells are scanned, and nothing changes */
        rules.corners = i % 2;
        wend_error error = wend_map_set_rules(map, &rules);
        CHECK(error == WEND_OK || error == WEND_IN_USE);
    }
    return unused;
}

static void check_one_class(const wend_map *of) {
    static _Thread_local uint8_t cells[SIDE * SIDE];
    memset(cells, 9, sizeof cells);
    CHECK(wend_map_get_terrain_box(of, whole, cells, SIDE) == WEND_OK);
    for (int32_t y = 0; y < SIDE - 6; y++) CHECK(memcmp(cells, cells + y * SIDE, SIDE - 6) == 0);
    for (int32_t x = 1; x < SIDE - 6; x++) CHECK(cells[x] == cells[0]);
}

/* Amid the box all neighbours are open, or none is. */
static void check_steps(const wend__version *v) {
    for (int32_t x = 10; x < SIDE - 10; x += 9) {
        uint8_t steps = wend__version_steps(v, x, x);
        CHECK(steps == (wend__version_factor(v, x, x) ? 255 : 0));
        CHECK(wend__version_chunk(v, x >> 6, x >> 6)->max_factor >= wend__version_factor(v, x, x));
    }
}

/* The ground around the box is one component, and the box belongs to it where it is open. */
static void check_components(const wend__version *v) {
    CHECK(wend__version_components(v) == 1);
    CHECK(wend__version_connected(v, WEND_MOVER_DEFAULT, outside, opposite));
    if (wend__version_factor(v, amid.x, amid.y)) CHECK(wend__version_connected(v, WEND_MOVER_DEFAULT, outside, amid));
}

/* Checks that a pinned version stays the same while others publish; rules do not change under it. */
static void check_version(bool pin) {
    wend__version *v = wend__map_acquire(map, pin);
    uint8_t class = wend__version_class(v, 100, 100);
    uint64_t epoch = v->epoch;
    wend_map_info info = {.struct_bytes = sizeof info};
    check_steps(v);
    wend_map_get_info(map, &info);
    wend_map_rules info_rules = rules_now(map);
    CHECK(info.epoch >= epoch);
    if (pin) CHECK(memcmp(&info_rules, &v->rules, sizeof info_rules) == 0);
    (void)wend__version_retired(v);
    check_steps(v);
    check_components(v);
    CHECK(v->epoch == epoch && wend__version_class(v, 100, 100) == class);
    wend__map_release(v, pin);
}

static void *look(void *unused) {
    pthread_barrier_wait(&start);
    for (int32_t i = 0; i < ROUNDS; i++) {
        bool visible;
        bool reachable;
        if (i % 8 == 0) check_one_class(map);
        check_version(i % 16 == 1);
        CHECK(wend_map_reachable(map, 0, outside, amid, &reachable) == WEND_OK);
        CHECK(wend_map_reachable(map, 0, outside, opposite, &reachable) == WEND_OK && reachable);
        CHECK(wend_map_line_of_sight(map, WEND_MOVER_DEFAULT, (wend_cell){1, 1, 0}, (wend_cell){SIDE - 1, 9, 0},
                                     &visible, NULL) == WEND_OK);
    }
    return unused;
}

/* Changes the class of a cell of the box and changes it back. */
static void edit_fork(wend_map *fork, int32_t at) {
    wend_cell cell = {whole.min.x + at % (SIDE - 6), 70, 0};
    uint8_t before, after;
    wend_edit *batch;
    CHECK(wend_map_get_terrain(fork, cell, &before) == WEND_OK);
    for (int back = 0; back < 2; back++) {
        CHECK(wend_edit_begin(fork, &batch) == WEND_OK);
        CHECK(wend_edit_set_cell(batch, cell, back ? before : 7) == WEND_OK);
        CHECK(wend_edit_publish(batch, NULL) == WEND_OK);
        CHECK(wend_map_get_terrain(fork, cell, &after) == WEND_OK && after == (back ? before : 7));
        bool reachable;
        CHECK(wend_map_reachable(fork, 0, outside, opposite, &reachable) == WEND_OK && reachable);
        CHECK(wend_map_reachable(fork, 0, cell, cell, &reachable) == WEND_OK);
        CHECK(back || reachable);
    }
}

static void *fork_maps(void *unused) {
    wend_map *fork = NULL;
    pthread_barrier_wait(&start);
    for (int32_t i = 0; i < ROUNDS; i++) {
        wend_map *next;
        CHECK(wend_map_fork(fork && i % 3 ? fork : map, &next) == WEND_OK);
        CHECK(wend_map_set_max_versions(map, 1 + i % 8) == WEND_OK);
        check_one_class(next);
        edit_fork(next, i);
        check_one_class(next);
        wend_map_release(fork); /* the original of a fork may go first */
        fork = next;
    }
    wend_map_release(fork);
    return unused;
}

static void *accelerate(void *unused) {
    pthread_barrier_wait(&start);
    CHECK(wend_map_accelerate(map, NULL) == WEND_OK);
    return unused;
}

/* The way leads past the last unit of the wall. */
static void *search_units(void *unused) {
    enum { HALF = SIDE / 2, AROUND = 14 * HALF + 10 * (SIDE - 1 - HALF) + 10 * (SIDE - 1 - HALF) };
    wend_search_def def = default_search();
    OWNED_SEARCH *search = NULL;
    wend_request request = default_request();
    wend_completion done = {.struct_bytes = sizeof done};
    request.map = map, request.goal = opposite, options_of(&request)->occupied = WEND_OCCUPIED_BLOCK;
    pthread_barrier_wait(&start);
    CHECK(wend_search_create(&def, &search) == WEND_OK);
    for (int i = 0; i < 20; i++) {
        CHECK(wend_search_begin(search, &request) == WEND_OK);
        CHECK(wend_search_step(search, WEND_NO_LIMIT, NULL) == WEND_STATUS_FOUND);
        CHECK(wend_search_get_result(search, &done) == WEND_OK);
        CHECK(done.cost == AROUND);
    }
    return unused;
}

static void *move_units(void *unused) {
    pthread_barrier_wait(&start);
    for (int32_t i = 0; i < SIDE; i++) CHECK(wend_map_occupy(map, (wend_cell){i, i, 0}) == WEND_OK);
    for (int32_t i = 0; i < SIDE; i += 2) CHECK(wend_map_vacate(map, (wend_cell){i, i, 0}) == WEND_OK);
    return unused;
}

/* Units stand in a wall with one gap at its end. */
static void accelerate_at_once(bool searching) {
    enum { FOUR = 4 };
    pthread_t threads[FOUR];
    wend_map_def def = default_map();
    def.width = def.height = SIDE;
    CHECK(wend_map_create(&def, &map) == WEND_OK);
    for (int32_t i = 0; i + 1 < SIDE; i++) CHECK(wend_map_occupy(map, (wend_cell){SIDE / 2, i, 0}) == WEND_OK);
    const int count = searching ? FOUR : FOUR - 1;
    CHECK(pthread_barrier_init(&start, NULL, (unsigned)count) == 0);
    for (int i = 0; i < count; i++)
        CHECK(pthread_create(&threads[i], NULL, i < 2 ? accelerate : searching ? search_units : move_units, NULL) == 0);
    for (int i = 0; i < count; i++) CHECK(pthread_join(threads[i], NULL) == 0);
    pthread_barrier_destroy(&start);
    wend_map_release(map);
}

int main(void) {
    pthread_t threads[THREADS];
    wend_map_def def = default_map();
    def.width = def.height = SIDE;
    CHECK(wend_map_create(&def, &map) == WEND_OK);
    CHECK(pthread_barrier_init(&start, NULL, THREADS) == 0);
    for (int i = 0; i < THREADS; i++)
        CHECK(pthread_create(&threads[i], NULL,
                             i == 0            ? edit
                             : i == 1          ? change_rules
                             : i < 2 + FORKERS ? fork_maps
                                               : look,
                             NULL) == 0);
    for (int i = 0; i < THREADS; i++) CHECK(pthread_join(threads[i], NULL) == 0);
    pthread_barrier_destroy(&start);
    wend_map_release(map);
    for (int i = 0; i < 10; i++) accelerate_at_once(i % 2);
    return 0;
}
