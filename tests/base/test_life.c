/* SPDX-License-Identifier: MIT */
/* Errors that only a debug build finds: objects used after their end, and a second thread. Tests need that build. */
#include "models/defaults.h"
#include "base/base.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wend/field.h>
#include <wend/figures.h>
#include <wend/wend.h>
#include <wend/control.h>
#include <wend/crowd_tuning.h>
#include <wend/host.h>

#if defined(WEND_DEBUG) && defined(__GNUC__)

#include <pthread.h>

enum { SAID = 42 };
static const char *wanted;

/* Exits without the sanitizers' check for leaks. */
static void leave_if_said(const char *sentence, const char *file, int line) {
    if (strcmp(sentence, wanted) == 0 && !file[0] && line == 0) _Exit(SAID);
    fprintf(stderr, "says     %s\nexpected %s\n", sentence, wanted);
}

static void expect_sentence(const char *sentence) {
    wanted = sentence;
    wend_set_assert_handler(leave_if_said);
}

static wend_map *make_map(void) {
    wend_map *map;
    map = grid_map(8, 8);
    return map;
}

static wend_service *make_service(void) {
    wend_service_def def = default_service();
    return made_service(&def);
}

static wend_crowd *make_crowd(wend_service *service, wend_map *map) {
    wend_crowd_def def = default_crowd();
    def.service = service, def.map = map;
    return made_crowd(&def);
}

Test(life, a_service_is_destroyed_once, .exit_code = SAID) {
    wend_service *service = make_service();
    wend_service_destroy(service);
    expect_sentence("wend_service_destroy(): the service is destroyed already, or never was one");
    wend_service_destroy(service);
}

Test(life, a_service_that_never_was, .exit_code = SAID) {
    void *memory[64] = {NULL};
    expect_sentence("wend_service_tick(): the service is destroyed already, or never was one");
    wend_service_tick((wend_service *)(void *)memory, NULL, NULL);
}

Test(life, a_destroyed_service_takes_no_request, .exit_code = SAID) {
    wend_service *service = make_service();
    wend_service_destroy(service);
    expect_sentence("wend_service_submit(): the service is destroyed already, or never was one");
    wend_request request = default_request();
    wend_service_submit(service, &request, NULL);
}

Test(life, a_crowd_is_destroyed_once, .exit_code = SAID) {
    wend_service *service = make_service();
    wend_map *map = make_map();
    wend_crowd *crowd = make_crowd(service, map);
    wend_crowd_destroy(crowd);
    expect_sentence("wend_crowd_destroy(): the crowd is destroyed already, or never was one");
    wend_crowd_destroy(crowd);
}

Test(life, a_map_has_as_many_releases_as_references, .exit_code = SAID) {
    wend_map *map = make_map();
    wend_map_release(map);
    expect_sentence("wend_map_release(): the map is destroyed already, or never was one");
    wend_map_release(map);
}

Test(life, a_batch_is_published_once, .exit_code = SAID) {
    wend_map *map = make_map();
    wend_edit *edit = begin_edit(map);
    cr_assert_eq(wend_edit_publish(edit, NULL), WEND_OK);
    expect_sentence("wend_edit_discard(): the batch is destroyed already, or never was one");
    wend_edit_discard(edit);
}

Test(life, a_search_is_destroyed_once, .exit_code = SAID) {
    wend_search_def def = default_search();
    wend_search *search = made_search(&def);
    wend_search_destroy(search);
    expect_sentence("wend_search_destroy(): the search is destroyed already, or never was one");
    wend_search_destroy(search);
}

Test(life, fields_and_figures_are_destroyed_once) {
    OWNED_MAP *map = make_map();
    wend_field_def field_def = default_field();
    field_def.map = map;
    wend_field *field = made_field(&field_def);
    wend__life_check(field, "the field", __func__);
    wend_field_destroy(field);
    wend_figures_def figures_def = default_figures();
    wend_figures *figures = made_figures(&figures_def);
    wend__life_check(figures, "the figures", __func__);
    wend_figures_destroy(figures);
}

/* ---- a second thread ---- */

static wend_service *shared;

static void *tick_shared(void *context) {
    (void)context;
    wend_service_tick(shared, NULL, NULL);
    return NULL;
}

/* The frame of the first thread is under way while the second one ticks. */
static void tick_on_another_thread(void *context, const wend_completion *done) {
    pthread_t other;
    (void)context, (void)done;
    expect_sentence(
        "wend_service_tick(): the service is in wend_service_tick() on another thread: one thread at a time "
        "may call it");
    pthread_create(&other, NULL, tick_shared, NULL);
    pthread_join(other, NULL);
}

static void ignore_answer(void *context, const wend_completion *done) {
    (void)context, (void)done;
}

static void ask_for_path(wend_map *map, wend_done_fn *on_done) {
    wend_request request = default_request();
    request.map = map, request.goal = (wend_cell){7, 7, 0}, request.on_done = on_done;
    cr_assert_eq(wend_service_submit(shared, &request, NULL), WEND_OK);
}

Test(life, two_threads_tick_one_service, .exit_code = SAID) {
    shared = make_service();
    ask_for_path(make_map(), tick_on_another_thread);
    wend_service_tick(shared, NULL, NULL);
}

/* Another thread may have the service after this one, and may always submit. */
static void *submit_and_tick(void *context) {
    ask_for_path(context, ignore_answer);
    cr_expect_eq(wend_service_tick(shared, NULL, NULL), WEND_OK);
    return NULL;
}

Test(life, a_service_may_be_handed_over) {
    OWNED_MAP *map = make_map();
    pthread_t other;
    shared = make_service();
    cr_expect_eq(wend_service_tick(shared, NULL, NULL), WEND_OK);
    pthread_create(&other, NULL, submit_and_tick, map);
    pthread_join(other, NULL);
    cr_expect_eq(wend_service_tick(shared, NULL, NULL), WEND_OK);
    wend_service_destroy(shared);
}

/* More objects than one set of the table holds, again and again. */
Test(life, many_objects_come_and_go) {
    enum { MANY = 300, ROUNDS = 20 };
    wend_map *maps[MANY];
    for (int round = 0; round < ROUNDS; round++) {
        for (int i = 0; i < MANY; i++) maps[i] = make_map();
        for (int i = 0; i < MANY; i++) wend_map_release(maps[i]);
    }
}

#else

Test(life, is_looked_at_in_debug_builds_only) {
    WEND__BORN(NULL, "nothing");
    WEND__GONE(NULL, "nothing");
}

#endif
