/* SPDX-License-Identifier: MIT */
/* In a debug build, every public function that takes an object says what is wrong with one that is destroyed, NULL or
 * of another kind, before it reads it. */
#include "base/life_table.h"
#include "models/defaults.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>
#include <wend/acceleration.h>
#include <wend/agents.h>
#include <wend/body.h>
#include <wend/boxes.h>
#include <wend/control.h>
#include <wend/formats.h>
#include <wend/geometry.h>
#include <wend/host.h>
#include <wend/mark.h>
#include <wend/query.h>
#include <wend/record.h>
#include <wend/save.h>
#include <wend/stream.h>
#include <wend/units.h>
#include <wend/ways.h>

#if defined(WEND_DEBUG) && defined(__GNUC__)

#include <sys/wait.h>
#include <unistd.h>

/// An object of each kind.
typedef struct objects {
    wend_arena *arena;
    wend_map *map;
    wend_edit *edit;
    wend_search *search;
    wend_service *service;
    wend_crowd *crowd;
    wend_field *field;
    wend_figures *figures;
} objects;

static void make_all(objects *o) {
    wend_arena_def arena;
    wend_arena_def_init(&arena, sizeof arena);
    arena.bytes = 1 << 20;
    must_do(wend_arena_create(&arena, &o->arena), "wend_arena_create");
    o->map = grid_map(8, 8);
    o->edit = begin_edit(o->map);
    wend_search_def search = default_search();
    search.nodes = 4 * WEND_PAGE_NODES;
    o->search = made_search(&search);
    wend_service_def service = default_service();
    service.nodes = 16 * WEND_PAGE_NODES, service.queue = 16;
    o->service = made_service(&service);
    wend_crowd_def crowd = default_crowd();
    crowd.service = o->service, crowd.map = o->map, crowd.agents = 4;
    o->crowd = made_crowd(&crowd);
    wend_field_def field = default_field();
    field.map = o->map;
    o->field = made_field(&field);
    wend_figures_def figures = default_figures();
    o->figures = made_figures(&figures);
}

static void destroy_all(const objects *o) {
    wend_figures_destroy(o->figures);
    wend_field_destroy(o->field);
    must_do(wend_crowd_destroy(o->crowd), "wend_crowd_destroy");
    must_do(wend_service_destroy(o->service), "wend_service_destroy");
    wend_search_destroy(o->search);
    wend_edit_discard(o->edit);
    wend_map_release(o->map);
    must_do(wend_arena_destroy(o->arena), "wend_arena_destroy");
}

/* ---- a call that must not go on ---- */

enum { SAID = 42, SAID_ELSE = 43, RETURNED = 44 };
static const char *expected;

static void compare_sentence(const char *sentence, const char *file, int line) {
    const bool same = strcmp(sentence, expected) == 0 && !file[0] && line == 0;
    if (!same) fprintf(stderr, "says     %s\nexpected %s\n", sentence, expected);
    _Exit(same ? SAID : SAID_ELSE);
}

/* Some functions take fewer arguments: they say the sentence before they read any other than the first one. */
typedef uintptr_t any_call(const void *object, uintptr_t b, uintptr_t c, uintptr_t d, uintptr_t e, uintptr_t f);

/* Returns what a call in a process of its own ended with. */
static int outcome_of(any_call *call, const void *object, const char *sentence) {
    int status = 0;
    const pid_t child = fork();
    if (child == 0) {
        expected = sentence;
        wend_set_assert_handler(compare_sentence);
        (void)call(object, 0, 0, 0, 0, 0);
        _Exit(RETURNED);
    }
    cr_assert_gt(child, 0);
    waitpid(child, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/* ---- the table ---- */

typedef struct row {
    const char *name, *what;
    any_call *call;
    const void *dead, *other; ///< a destroyed object, a living one of another kind
    const char *other_kind;
} row;

/* It returns a struct, so it has another first argument for the machine. */
static void call_allocator(wend_arena *arena) {
    (void)wend_arena_allocator(arena);
}
#define wend_arena_allocator call_allocator

static const char *const words[] = {"edit", "the batch", "scen", "the scenario", NULL};

static const char *what_of(const char *kind) {
    static char text[32];
    for (int i = 0; words[i]; i += 2)
        if (strcmp(kind, words[i]) == 0) return words[i + 1];
    snprintf(text, sizeof text, "the %s", kind);
    return text;
}

static void check_row(const row *r) {
    char sentence[256];
    snprintf(sentence, sizeof sentence, "%s(): %s is destroyed already, or never was one", r->name, r->what);
    cr_expect_eq(outcome_of(r->call, r->dead, sentence), SAID, "%s of a destroyed object", r->name);
    snprintf(sentence, sizeof sentence, "%s(): %s is an object of another kind: %s", r->name, r->what, r->other_kind);
    cr_expect_eq(outcome_of(r->call, r->other, sentence), SAID, "%s of another kind", r->name);
    snprintf(sentence, sizeof sentence, "%s(): %s is NULL", r->name, r->what);
    const int outcome = outcome_of(r->call, NULL, sentence);
    cr_expect(outcome == SAID || outcome == RETURNED, "%s of NULL: %d", r->name, outcome);
}

Test(life_calls, each_says_what_is_wrong) {
    objects alive, dead;
    make_all(&alive);
    make_all(&dead);
    destroy_all(&dead);
    const void *const service = alive.service, *const map = alive.map;
    uint32_t rows = 0;
#define CHECK(kind, function)                                                                                          \
    check_row(&(row){#function, what_of(#kind), (any_call *)(void (*)(void))function, dead.kind,                       \
                     strcmp(#kind, "service") ? service : map, strcmp(#kind, "service") ? "the service" : "the map"}); \
    rows++;
    LIFE_CALLS(CHECK)
    cr_expect_gt(rows, 150);
    destroy_all(&alive);
}

/* ---- objects that are not the first argument ---- */

static objects alive_now, dead_now;

static uintptr_t second(const void *which, uintptr_t b, uintptr_t c, uintptr_t d, uintptr_t e, uintptr_t f) {
    wend_crowd_def crowd = default_crowd();
    wend_field_def field = default_field();
    wend_request request = default_request();
    wend_crowd *made;
    wend_field *other;
    uint64_t hash;
    (void)b, (void)c, (void)d, (void)e, (void)f;
    request.map = dead_now.map;
    switch (*(const char *)which) {
    case 'b': return (uintptr_t)wend_service_set_figures(alive_now.service, dead_now.figures);
    case 'c': return (uintptr_t)wend_service_add_field(alive_now.service, dead_now.field);
    case 'd': return (uintptr_t)wend_service_remove_field(alive_now.service, dead_now.field);
    case 'e': return (uintptr_t)wend_service_cancel_map(alive_now.service, dead_now.map, NULL);
    case 'f': return (uintptr_t)wend_service_get_wanted(alive_now.service, dead_now.map, NULL, 0, NULL);
    case 'g': return (uintptr_t)wend_service_record_map(alive_now.service, dead_now.map);
    case 'h': return (uintptr_t)wend_world_hash(alive_now.map, dead_now.service, alive_now.crowd, &hash);
    case 'i': return (uintptr_t)wend_world_hash(alive_now.map, alive_now.service, dead_now.crowd, &hash);
    case 'j': return (uintptr_t)wend_service_submit(alive_now.service, &request, NULL);
    case 'k': return (uintptr_t)wend_search_begin(alive_now.search, &request);
    case 'l': crowd.service = dead_now.service, crowd.map = alive_now.map; break;
    case 'm': crowd.service = alive_now.service, crowd.map = dead_now.map; break;
    default: field.map = dead_now.map; return (uintptr_t)wend_field_create(&field, &other);
    }
    return (uintptr_t)wend_crowd_create(&crowd, &made);
}

Test(life_calls, a_second_object_that_is_destroyed) {
    static const char *const calls[][2] = {{"b", "wend_service_set_figures(): the figures"},
                                           {"c", "wend_service_add_field(): the field"},
                                           {"d", "wend_service_remove_field(): the field"},
                                           {"e", "wend_service_cancel_map(): the map"},
                                           {"f", "wend_service_get_wanted(): the map"},
                                           {"g", "wend_service_record_map(): the map"},
                                           {"h", "wend_world_hash(): the service"},
                                           {"i", "wend_world_hash(): the crowd"},
                                           {"j", "wend_service_submit(): the map"},
                                           {"k", "wend_search_begin(): the map"},
                                           {"l", "wend_crowd_create(): the service"},
                                           {"m", "wend_crowd_create(): the map"},
                                           {"n", "wend_field_create(): the map"}};
    make_all(&alive_now);
    make_all(&dead_now);
    destroy_all(&dead_now);
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++) {
        char sentence[256];
        snprintf(sentence, sizeof sentence, "%s is destroyed already, or never was one", calls[i][1]);
        cr_expect_eq(outcome_of(second, calls[i][0], sentence), SAID, "%s", calls[i][1]);
    }
    destroy_all(&alive_now);
}

#else

Test(life_calls, are_checked_in_debug_builds_only) {
#define COUNT(kind, function) +(sizeof(#kind #function) > 0)
    cr_expect_gt(0 LIFE_CALLS(COUNT), 150);
}

#endif
