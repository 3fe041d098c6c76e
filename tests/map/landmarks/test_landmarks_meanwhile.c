/* SPDX-License-Identifier: MIT */
/* Landmarks made while a batch is open, and edits that come while they are made, from this thread or another. */
#define _POSIX_C_SOURCE 200809L
#include "map/version/version.h"
#include "models/landmarks_model.h"
#include "map/acceleration.h"

#include <criterion/criterion.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>

/* ---- while a batch is open ---- */

static void set_class(world *w, int32_t x, int32_t y, uint8_t class) {
    w->w.m.classes[y * w->w.m.width + x] = class;
}

/* A map of its classes as they are now, in place of the one that it has. */
static wend_map *remade(world *w) {
    wend_map_release(w->map);
    return map_of(&w->w.m);
}

Test(landmarks, are_made_while_a_batch_is_open) {
    world w = world_create(130, 70, 200, 3, NULL);
    set_class(&w, 7, 7, OPEN);
    set_class(&w, 9, 9, WALL);
    wend_map *map = w.map = remade(&w);
    wend_edit *edit = edit_begin(map);
    set_cell(&w, edit, 7, 7, WALL);
    cr_assert_eq(wend__map_prepare_landmarks(map, 4), WEND_OK);
    cr_assert_eq(info_of(map).landmarks, 4);
    edit_publish(edit); /* the batch began before there were any */
    cr_assert(info_of(map).landmarks == 4 && info_of(map).landmark_age == 1);
    check_left(&w.w, map);
    edit = edit_begin(map);
    cr_assert_eq(wend__map_prepare_landmarks(map, 3), WEND_OK);
    check_fresh_map(&w.w, map, 3);
    set_cell(&w, edit, 7, 7, OPEN); /* blocked when these were made */
    wend__version *before = wend__map_acquire(map, false);
    edit_publish(edit);
    wend__version *now = wend__map_acquire(map, false);
    cr_assert(info_of(map).landmarks == 3 && info_of(map).landmark_age == 1);
    check_mended(&w.w, before->landmarks, now->landmarks);
    check_left(&w.w, map);
    wend__map_release(now, false);
    wend__map_release(before, false);
    cr_assert_eq(wend__map_prepare_landmarks(map, 2), WEND_OK);
    edit = edit_begin(map);
    set_cell(&w, edit, 7, 7, WALL);
    cr_assert_eq(wend__map_prepare_landmarks(map, 0), WEND_OK);
    edit_publish(edit);
    cr_assert_eq(info_of(map).landmarks, 0); /* dropped meanwhile */
    world_free(&w);
}

/* The rules may change while a batch is open. */
Test(landmarks, of_a_batch_go_when_costs_changed_since_it_began) {
    world w = world_create(130, 70, 200, 3, NULL);
    cr_assert_eq(wend__map_prepare_landmarks(w.map, 4), WEND_OK);
    wend_edit *edit = edit_begin(w.map);
    set_cell(&w, edit, 5, 5, WALL);
    w.w.m.rules = rules_of_costs(5, 6);
    cr_assert_eq(wend_map_set_rules(w.map, &w.w.m.rules), WEND_OK);
    edit_publish(edit);
    cr_assert_eq(info_of(w.map).landmarks, 0);
    check_left(&w.w, w.map);
    world_free(&w);
}

/* ---- edits that come while they are made ---- */

/* An allocator that has something done, once, before it gives memory: makers of landmarks ask when they have begun. */
typedef struct meddler {
    void (*act)(void *context);
    void *context;
} meddler;

static void *meddling_alloc(void *context, size_t bytes, size_t alignment) {
    meddler *m = context;
    void (*fn)(void *) = m->act;
    (void)alignment;
    m->act = NULL;
    if (fn) fn(m->context);
    return malloc(bytes);
}

static void meddle_dig(void *context) {
    publish_cell(context, 0, 50, OPEN);
}

static void meddle_wall(void *context) {
    publish_cell(context, 150, 20, WALL);
}

static void meddle_mud(void *context) {
    publish_cell(context, 150, 20, WEND_CLASS_SWAMP);
}

static void meddle_costs(void *context) {
    world *w = context;
    w->w.m.rules = rules_of_costs(5, 6);
    cr_assert_eq(wend_map_set_rules(w->map, &w->w.m.rules), WEND_OK);
}

static void meddle_twice(void *context) {
    meddle_dig(context);
    publish_cell(context, 0, 50, WALL);
}

static uint64_t newest_sum(wend_map *map) {
    wend__version *v = wend__map_acquire(map, false);
    const uint64_t sum = landmarks_sum(v);
    wend__map_release(v, false);
    return sum;
}

/* What there would be, had the landmarks been made before. */
static uint64_t sum_of_made_before(void (*fn)(void *), uint64_t effort) {
    world w = world_with_wall(2);
    wend__map_set_landmark_effort(w.map, effort);
    fn(&w);
    const uint64_t sum = newest_sum(w.map);
    world_free(&w);
    return sum;
}

static void check_meddled(void (*fn)(void *), uint64_t effort, int32_t left, uint64_t age) {
    world w = world_with_wall(0);
    meddler m = {0};
    const wend_allocator allocator = {.context = &m, .alloc = meddling_alloc, .free = plain_free};
    wend_map_release(w.map);
    w.map = map_with(&w.w.m, allocator, WEND_NO_LIMIT);
    wend__map_set_landmark_effort(w.map, effort);
    m.act = fn, m.context = &w;
    cr_assert_eq(wend__map_prepare_landmarks(w.map, 2), WEND_OK);
    cr_assert_null(m.act);
    cr_assert_eq(info_of(w.map).landmarks, left);
    cr_assert_eq(info_of(w.map).landmark_age, age);
    check_left(&w.w, w.map);
    if (age == 1) cr_assert_eq(newest_sum(w.map), sum_of_made_before(fn, effort));
    cr_assert_eq(wend__map_prepare_landmarks(w.map, 2), WEND_OK);
    check_fresh_map(&w.w, w.map, 2);
    world_free(&w);
}

Test(landmarks, are_held_against_edits_that_came_while_they_were_made) {
    static const uint64_t efforts[] = {0, 20000, WEND_NO_LIMIT};
    for (int i = 0; i < 3; i++) {
        check_meddled(meddle_dig, efforts[i], i ? 2 : 0, 1);
        check_meddled(meddle_wall, efforts[i], 2, 1);
        check_meddled(meddle_mud, efforts[i], 2, 0);
        check_meddled(meddle_costs, efforts[i], 0, 0);
        check_meddled(meddle_twice, efforts[i], 2, 0);
    }
}

static void meddle_open(void *context) {
    publish_cell(context, 150, 20, OPEN);
}

/* A door shuts, and opens while new ones are made, for which it is a wall. */
static void check_door(int32_t had, uint64_t effort) {
    world w = world_with_wall(0);
    meddler m = {0};
    wend_map_release(w.map);
    w.map =
        map_with(&w.w.m, (wend_allocator){.context = &m, .alloc = meddling_alloc, .free = plain_free}, WEND_NO_LIMIT);
    wend__map_set_landmark_effort(w.map, effort);
    cr_assert_eq(wend__map_prepare_landmarks(w.map, had), WEND_OK);
    publish_cell(&w, 150, 20, WALL);
    m = (meddler){meddle_open, &w};
    cr_assert_eq(wend__map_prepare_landmarks(w.map, 5), WEND_OK);
    cr_assert_null(m.act);
    const uint64_t age = effort || !had ? 1 : 2;
    cr_assert_eq(info_of(w.map).landmarks, effort ? 5 : had);
    cr_assert_eq(info_of(w.map).landmark_age, age);
    check_left(&w.w, w.map);
    world_free(&w);
}

/* Where the new ones rest those from before, which are still right, stay. */
Test(landmarks, of_before_stay_where_those_made_meanwhile_rest) {
    for (int32_t had = 0; had <= 4; had += 4) {
        check_door(had, 0);
        check_door(had, WEND_LANDMARK_EFFORT);
    }
}

typedef struct editing {
    wend_map *map;
    _Atomic int32_t wanted; ///< publishes still to be made; below 0: it is over
    bool failed;
} editing;

/* Boxes open and close: often more in all than there is time for while landmarks are made. */
static void publish_box(editing *e, uint64_t *seed) {
    wend_edit *edit;
    if (wend_edit_begin(e->map, &edit) == WEND_IN_USE) return;
    const int32_t x = (int32_t)draw(seed, 120), y = (int32_t)draw(seed, 60), more = draw(seed, 4) ? 0 : 9;
    wend_edit_fill_box(edit, box_of(x, y, x + more, y + more), draw(seed, 4) ? WALL : OPEN);
    e->failed = wend_edit_publish(edit, NULL) || e->failed;
}

static void *keep_editing(void *context) {
    editing *e = context;
    uint64_t seed = 11;
    for (int32_t wanted; (wanted = atomic_load(&e->wanted)) >= 0;) {
        if (wanted == 0) {
            sched_yield();
            continue;
        }
        publish_box(e, &seed);
        atomic_fetch_sub(&e->wanted, 1);
    }
    return NULL;
}

/* A version as it is now, by its classes alone. */
static void check_newest(wend_map *map) {
    wend__version *v = wend__map_acquire(map, false);
    walled w = walled_create(v->width, v->height, &v->rules);
    for (int32_t i = 0; i < cells_of(&w); i++) w.m.classes[i] = wend__version_class(v, i % v->width, i / v->width);
    if (v->landmarks) cr_assert_eq(belied(&w, v->landmarks, false), 0u);
    wend__map_release(v, false);
    walled_free(&w);
}

Test(landmarks, are_belied_by_no_step_where_another_thread_edits) {
    world w = world_create(130, 70, 50, 3, NULL);
    editing e = {.map = w.map};
    pthread_t thread;
    int32_t made = 0, kept = 0, meanwhile = 0;
    cr_assert_eq(pthread_create(&thread, NULL, keep_editing, &e), 0);
    for (int i = 0; i < 400; i++) {
        const uint64_t epoch = map_epoch(w.map);
        atomic_store(&e.wanted, 1 + i % 3);
        const wend_error error = wend__map_prepare_landmarks(w.map, 1 + i % 8);
        cr_assert(error == WEND_OK || error == WEND_IN_USE);
        made += error == WEND_OK, meanwhile += map_epoch(w.map) != epoch, kept += info_of(w.map).landmark_age > 0;
        check_newest(w.map);
        while (atomic_load(&e.wanted) > 0) sched_yield();
        check_newest(w.map);
    }
    atomic_store(&e.wanted, -1);
    cr_assert_eq(pthread_join(thread, NULL), 0);
    cr_log_info("%d of 400 made, %d while edits came, of these %d kept", (int)made, (int)meanwhile, (int)kept);
    cr_assert(!e.failed && made > 0);
    world_free(&w);
}
