/* SPDX-License-Identifier: MIT */
/* Objects in and out of arenas: each public function that connects two objects refuses those of two sides. */
#include <criterion/criterion.h>

#include "agents/state/bodies.h"
#include "mark/arenas.h"
#include "mark/beside.h"
#include "models/defaults.h"

#include <stdio.h>
#include <string.h>
#include <wend/agents.h>
#include <wend/control.h>
#include <wend/host.h>
#include <wend/record.h>
#include <wend/save.h>
#include <wend/stream.h>
#include <wend/units.h>

enum { SAVE_BYTES = 1 << 16 };

/// All objects by one allocator.
typedef struct side {
    wend_arena *arena; ///< NULL: outside
    wend_allocator allocator;
    wend_map *map;
    wend_service *service;
    wend_crowd *crowd;
    wend_field *field;
    wend_figures *figures;
    wend_search *search;
} side;

static const wend_cell goal = {1, 1, 0};

static side make_side(wend_arena *arena, wend_allocator allocator) {
    side s = {.arena = arena, .allocator = allocator};
    wend_map_def map = default_map();
    wend_service_def service = default_service();
    wend_field_def field = default_field();
    wend_figures_def figures = default_figures();
    wend_search_def search = default_search();
    wend_crowd_def crowd = default_crowd();
    map.width = map.height = 32;
    map.allocator = service.allocator = field.allocator = figures.allocator = search.allocator = crowd.allocator =
        allocator;
    s.map = made_map(&map), s.service = made_service(&service);
    field.map = s.map, field.goals = &goal, field.goal_count = 1;
    crowd.map = s.map, crowd.service = s.service, crowd.agents = 4;
    s.field = made_field(&field), s.figures = made_figures(&figures), s.search = made_search(&search);
    s.crowd = made_crowd(&crowd);
    return s;
}

static void free_side(side *s) {
    cr_assert_eq(wend_crowd_destroy(s->crowd), WEND_OK);
    wend_search_destroy(s->search);
    wend_field_destroy(s->field);
    cr_assert_eq(wend_service_destroy(s->service), WEND_OK);
    wend_figures_destroy(s->figures);
    wend_map_release(s->map);
}

/* ---- calls that connect an object of `a` with one of `b`, and part them again ---- */

static void ignore(void *context, const wend_completion *done) {
    (void)context, (void)done;
}

static wend_error write_nothing(void *context, uint32_t file, const void *bytes, size_t count) {
    (void)context, (void)file, (void)bytes, (void)count;
    return WEND_OK;
}

static wend_error submit(const side *a, const side *b) {
    wend_request request = path_request(b->map, (wend_cell){0}, goal);
    request.on_done = ignore;
    const wend_error error = wend_service_submit(a->service, &request, NULL);
    return error ? error : wend_service_tick(a->service, NULL, NULL);
}

static wend_error begin_search(const side *a, const side *b) {
    const wend_request request = path_request(b->map, (wend_cell){0}, goal);
    return wend_search_begin(a->search, &request);
}

static wend_error make_field(const side *a, const side *b) {
    wend_field_def def = default_field();
    wend_field *field = NULL;
    def.map = b->map, def.goals = &goal, def.goal_count = 1, def.allocator = a->allocator;
    const wend_error error = wend_field_create(&def, &field);
    wend_field_destroy(field);
    return error;
}

static wend_error add_field(const side *a, const side *b) {
    const wend_error error = wend_service_add_field(a->service, b->field);
    return error ? error : wend_service_remove_field(a->service, b->field);
}

static wend_error set_figures(const side *a, const side *b) {
    const wend_error error = wend_service_set_figures(a->service, b->figures);
    return error ? error : wend_service_set_figures(a->service, NULL);
}

static wend_error make_crowd(wend_map *map, wend_service *service, wend_allocator allocator) {
    wend_crowd_def def = default_crowd();
    wend_crowd *crowd = NULL;
    def.map = map, def.service = service, def.agents = 4, def.allocator = allocator;
    const wend_error error = wend_crowd_create(&def, &crowd);
    return error ? error : wend_crowd_destroy(crowd);
}

static wend_error make_crowd_on_map(const side *a, const side *b) {
    return make_crowd(b->map, a->service, a->allocator);
}

static wend_error make_crowd_of_service(const side *a, const side *b) {
    return make_crowd(a->map, b->service, a->allocator);
}

static wend_error make_crowd_in_memory(const side *a, const side *b) {
    return make_crowd(a->map, a->service, b->allocator);
}

static wend_error record_map(const side *a, const side *b) {
    must_do(wend_service_record(a->service, write_nothing, NULL), "wend_service_record");
    const wend_error error = wend_service_record_map(a->service, b->map);
    char text[200];
    snprintf(text, sizeof text, "%s", wend_error_detail(error));
    must_do(wend_service_end_recording(a->service), "wend_service_end_recording");
    return error ? wend__refuse(error, "%s", text) : WEND_OK;
}

static wend_error record_state(const side *a, const side *b) {
    const wend_error error = wend_service_record_state(a->service, b->map, NULL, write_nothing, NULL);
    return error ? error : wend_service_end_recording(a->service);
}

static wend_save_host host_with(wend_map *const *map) {
    wend_save_host host;
    wend_save_host_init(&host, sizeof host);
    host.maps = map, host.map_count = 1;
    return host;
}

static wend_error save_state(const side *a, const side *b) {
    static uint8_t save[SAVE_BYTES];
    const wend_save_host host = host_with(&b->map);
    return wend_service_save_state(a->service, &host, save, sizeof save, NULL);
}

static wend_error restore_state(const side *a, const side *b) {
    static uint8_t save[SAVE_BYTES];
    size_t bytes;
    const wend_save_host own = host_with(&a->map), theirs = host_with(&b->map);
    must_do(wend_service_save_state(a->service, &own, save, sizeof save, &bytes), "wend_service_save_state");
    return wend_service_restore_state(a->service, &theirs, save, bytes);
}

static wend_error adopt(const side *a, const side *b) {
    const wend_save_host host = host_with(&b->map);
    return wend_service_adopt(a->service, &host);
}

static const struct {
    const char *name;
    wend_error (*connect)(const side *a, const side *b);
} calls[] = {{"wend_service_submit", submit},
             {"wend_search_begin", begin_search},
             {"wend_field_create", make_field},
             {"wend_service_add_field", add_field},
             {"wend_service_set_figures", set_figures},
             {"wend_crowd_create", make_crowd_on_map},
             {"wend_crowd_create", make_crowd_of_service},
             {"wend_crowd_create", make_crowd_in_memory},
             {"wend_service_record_map", record_map},
             {"wend_service_record_state", record_state},
             {"wend_service_save_state", save_state},
             {"wend_service_restore_state", restore_state},
             {"wend_service_adopt", adopt}};

enum { CALLS = sizeof calls / sizeof calls[0] };

bool is_tried(const char *function) {
    int call = 0;
    while (call < CALLS && strcmp(calls[call].name, function) != 0) call++;
    return call < CALLS;
}

/* ---- every pair ---- */

/* A host's own allocator over that of an arena. */
static void *pass_alloc(void *context, size_t bytes, size_t alignment) {
    const wend_allocator *inner = context;
    return inner->alloc(inner->context, bytes, alignment);
}

static void pass_free(void *context, void *pointer, size_t bytes) {
    const wend_allocator *inner = context;
    inner->free(inner->context, pointer, bytes);
}

Test(sides, each_function_that_connects_two_objects_refuses_those_of_two_sides) {
    wend_arena *first = open_large(1, FOR_OBJECTS, 0, NULL), *second = open_large(1, FOR_OBJECTS, 0, NULL);
    wend_allocator inner = wend_arena_allocator(first);
    side sides[] = {make_side(NULL, wend_allocator_default()), make_side(first, inner),
                    make_side(first, (wend_allocator){&inner, pass_alloc, pass_free}),
                    make_side(second, wend_arena_allocator(second))};
    enum { SIDES = sizeof sides / sizeof sides[0] };
    for (int call = 0; call < CALLS; call++)
        for (int pair = 0; pair < SIDES * SIDES; pair++) {
            const side *a = &sides[pair / SIDES], *b = &sides[pair % SIDES];
            const bool same = a->arena == b->arena;
            const wend_error error = calls[call].connect(a, b);
            cr_expect_eq(error, same ? WEND_OK : WEND_BAD_ARGUMENT, "%s, pair %d: %s", calls[call].name, pair,
                         wend_error_name(error));
            if (!same)
                cr_expect_str_eq(
                    wend_error_detail(error),
                    "an object of an arena uses only objects of that arena: give all of them its allocator");
        }
    for (int i = 0; i < SIDES; i++) free_side(&sides[i]);
    cr_assert_eq(wend_arena_destroy(first), WEND_OK);
    cr_assert_eq(wend_arena_destroy(second), WEND_OK);
}

Test(sides, an_arena_lies_in_no_other) {
    wend_arena *arena = open_arena(1, 0, NULL), *inside = NULL;
    wend_arena_def def;
    wend_arena_def_init(&def, sizeof def);
    wend_allocator inner = wend_arena_allocator(arena);
    const wend_allocator both[] = {inner, {&inner, pass_alloc, pass_free}};
    for (int i = 0; i < 2; i++) {
        def.allocator = both[i];
        cr_assert_eq(wend_arena_create(&def, &inside), WEND_BAD_ARGUMENT);
        cr_assert_str_eq(wend_error_detail(WEND_BAD_ARGUMENT),
                         "the memory for marks is in an arena, and would go back with it: give another allocator");
    }
    cr_assert_eq(wend_arena_destroy(arena), WEND_OK, "it gave back its memory");
}

Test(sides, what_an_object_makes_of_itself_is_on_its_side) {
    wend_arena *arena = open_large(1, FOR_OBJECTS, 0, NULL);
    side inside = make_side(arena, wend_arena_allocator(arena)), outside = make_side(NULL, wend_allocator_default());
    const side *both[] = {&inside, &outside};
    for (int i = 0; i < 2; i++) {
        wend_edit *edit = begin_edit(both[i]->map);
        wend_map *fork = forked(both[i]->map);
        const wend_agent_def agent = default_agent();
        wend_agent_id id;
        cr_assert_eq(wend__arena_of(edit), both[i]->arena);
        cr_assert_eq(wend__arena_of(fork), both[i]->arena);
        cr_assert_eq(wend_crowd_add(both[i]->crowd, &agent, &id), WEND_OK);
        cr_assert_eq(give_disc(both[i]->crowd, id), WEND_OK);
        cr_assert_eq(wend__arena_of(both[i]->crowd->bodies), both[i]->arena);
        wend_map_release(fork);
        wend_edit_discard(edit);
    }
    free_side(&inside), free_side(&outside);
    cr_assert_eq(wend_arena_destroy(arena), WEND_OK);
}

Test(sides, what_only_reads_an_object_may_read_one_of_another_side) {
    wend_arena *arena = open_large(1, FOR_OBJECTS, 0, NULL);
    side inside = make_side(arena, wend_arena_allocator(arena)), outside = make_side(NULL, wend_allocator_default());
    const side *both[] = {&inside, &outside};
    for (int i = 0; i < 2; i++) {
        const side *a = both[i], *b = both[!i];
        size_t count = 7;
        uint64_t hash;
        cr_assert_eq(wend_service_cancel_map(a->service, b->map, &count), WEND_OK);
        cr_assert_eq(count, 0);
        cr_assert_eq(wend_service_get_wanted(a->service, b->map, NULL, 0, &count), WEND_BAD_ARGUMENT, "not streamed");
        cr_assert_eq(wend_world_hash(b->map, a->service, a->crowd, &hash), WEND_OK);
        cr_assert_eq(wend_service_remove_field(a->service, b->field), WEND_BAD_ARGUMENT, "it has none of them");
    }
    free_side(&inside), free_side(&outside);
    cr_assert_eq(wend_arena_destroy(arena), WEND_OK);
}
