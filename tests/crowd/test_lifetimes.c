/* SPDX-License-Identifier: MIT */
/* What happens to each object that is destroyed while others use it: between frames, in a callback of a request and in
 * an event of a crowd. It is refused with a text, or everything else goes on without it. */
#include "detail/refused.h"
#include "models/defaults.h"

#include <criterion/criterion.h>
#include <string.h>
#include <wend/body.h>
#include <wend/host.h>
#include <wend/mark.h>
#include <wend/record.h>
#include <wend/save.h>

/// One object of each kind, all of them in use.
typedef struct world {
    wend_arena *arena; ///< NULL: the objects are in no arena
    wend_map *map;
    wend_service *service;
    wend_crowd *crowd, *second;
    wend_field *field;
    wend_figures *figures;
    wend_search *search;
    wend_edit *edit;
    wend_agent_id walker, with_body;
    uint32_t answers, events;
} world;

/// Where an object is destroyed.
typedef enum place { BETWEEN, IN_ANSWER, IN_EVENT, PLACES } place;

/// What an attempt does. It sets the object to NULL if that is gone.
typedef void attempt_fn(world *w, place where);

static world w;
static place asked;
static attempt_fn *attempt;

static void try_in(place where) {
    attempt_fn *now = attempt;
    if (where != asked || !now) return;
    attempt = NULL;
    now(&w, where);
}

static void on_answer(void *context, const wend_completion *done) {
    (void)context, (void)done;
    w.answers++;
    try_in(IN_ANSWER);
}

static void on_event(void *context, const wend_agent_event *event) {
    (void)context, (void)event;
    w.events++;
    try_in(IN_EVENT);
}

static wend_allocator allocator_now(void) {
    return w.arena ? wend_arena_allocator(w.arena) : wend_allocator_default();
}

static void ask_for_paths(uint32_t count) {
    wend_request request = path_request(w.map, (wend_cell){0, 0, 0}, (wend_cell){60, 60, 0});
    request.on_done = on_answer;
    while (count-- > 0) must_do(wend_service_submit(w.service, &request, NULL), "submit");
}

static wend_agent_id add_walker(wend_crowd *crowd, int32_t y) {
    wend_agent_def def = default_agent();
    wend_agent_id id;
    def.cell.y = y, def.speed_milli = 1000;
    must_do(wend_crowd_add(crowd, &def, &id), "wend_crowd_add");
    return id;
}

static void send(wend_agent_id id, int32_t x) {
    wend_crowd_goal goal = default_crowd_goal();
    goal.cell = (wend_cell){x, 40, 0};
    must_do(wend_crowd_go(w.crowd, &id, 1, &goal), "wend_crowd_go");
}

static wend_crowd *make_crowd(void) {
    wend_crowd_def def = default_crowd();
    def.service = w.service, def.map = w.map, def.agents = 8, def.on_event = on_event, def.allocator = allocator_now();
    return made_crowd(&def);
}

static void open_users(void) {
    wend_field_def field = default_field();
    field.map = w.map, field.allocator = allocator_now();
    w.field = made_field(&field);
    must_do(wend_field_set_goals(w.field, &(wend_cell){30, 30, 0}, 1), "wend_field_set_goals");
    must_do(wend_service_add_field(w.service, w.field), "wend_service_add_field");
    wend_figures_def figures = default_figures();
    figures.slices = figures.completions = 64, figures.allocator = allocator_now();
    w.figures = made_figures(&figures);
    must_do(wend_service_set_figures(w.service, w.figures), "wend_service_set_figures");
    wend_search_def search = default_search();
    search.nodes = 4 * WEND_PAGE_NODES;
    w.search = made_search(&search);
    const wend_request request = path_request(w.map, (wend_cell){0, 0, 0}, (wend_cell){60, 60, 0});
    if (!w.arena) must_do(wend_search_begin(w.search, &request), "wend_search_begin");
}

static void open_world(bool in_arena) {
    w = (world){0};
    if (in_arena) {
        wend_arena_def arena;
        wend_arena_def_init(&arena, sizeof arena);
        arena.bytes = 64 << 20;
        must_do(wend_arena_create(&arena, &w.arena), "wend_arena_create");
    }
    wend_map_def map = default_map();
    map.width = map.height = 64, map.allocator = allocator_now();
    w.map = made_map(&map);
    wend_service_def service = default_service();
    service.nodes = 16 * WEND_PAGE_NODES, service.queue = 64, service.workers = 1, service.allocator = allocator_now();
    w.service = made_service(&service);
    w.crowd = make_crowd();
    open_users();
    w.walker = add_walker(w.crowd, 3), w.with_body = add_walker(w.crowd, 9);
    const wend_body_def body = default_body();
    must_do(wend_crowd_set_body(w.crowd, w.with_body, &body), "wend_crowd_set_body");
    send(w.walker, 20), send(w.walker, 30), send(w.with_body, 50); /* an event: the first goal is replaced */
    ask_for_paths(3);
}

static void run_frames(uint32_t count) {
    const wend_budget budget = budget_of(200);
    for (uint32_t i = 0; i < count; i++) {
        must_do(wend_service_tick(w.service, &budget, NULL), "wend_service_tick");
        if (w.crowd) must_do(wend_crowd_update(w.crowd, 1000, NULL, NULL), "wend_crowd_update");
    }
}

static void close_world(void) {
    wend_field_destroy(w.field);
    wend_search_destroy(w.search);
    wend_edit_discard(w.edit);
    cr_expect_eq(wend_crowd_destroy(w.second), WEND_OK);
    cr_expect_eq(wend_crowd_destroy(w.crowd), WEND_OK);
    cr_expect_eq(wend_service_destroy(w.service), WEND_OK);
    wend_figures_destroy(w.figures);
    wend_map_release(w.map);
    cr_expect_eq(wend_arena_destroy(w.arena), WEND_OK);
}

/* ---- attempts ---- */

#define IN_FRAME "a frame or an update runs: call it after that, not inside a callback"
#define IN_CROWD "a callback of the crowd or of its service runs: call it after that"

static void destroy_service(world *in, place where) {
    if (where == BETWEEN)
        FAILS(IN_USE, "1 crowds use the service: destroy them first", wend_service_destroy(in->service));
    else
        FAILS(IN_CALLBACK, IN_FRAME, wend_service_destroy(in->service));
}

static void destroy_service_of_two_crowds(world *in, place where) {
    in->second = make_crowd();
    if (where != BETWEEN) return;
    FAILS(IN_USE, "2 crowds use the service: destroy them first", wend_service_destroy(in->service));
}

/* A frame cannot run inside an update. */
static void tick_service(world *in, place where) {
    if (where == BETWEEN) return;
    FAILS(IN_CALLBACK, IN_FRAME, wend_service_tick(in->service, NULL, NULL));
}

static void save_and_restore_service(world *in, place where) {
    uint64_t hash;
    size_t bytes;
    if (where == BETWEEN) return;
    FAILS(IN_CALLBACK, IN_FRAME, wend_service_save_state(in->service, NULL, NULL, 0, &bytes));
    FAILS(IN_CALLBACK, IN_FRAME, wend_service_restore_state(in->service, NULL, NULL, 0));
    FAILS(IN_CALLBACK, IN_FRAME, wend_service_adopt(in->service, NULL));
    FAILS(IN_CALLBACK, IN_FRAME, wend_world_hash(in->map, in->service, NULL, &hash));
}

static void destroy_crowd(world *in, place where) {
    if (where != BETWEEN) {
        FAILS(IN_CALLBACK, IN_CROWD, wend_crowd_destroy(in->crowd));
        return;
    }
    send(in->walker, 5); /* its search is pending when the crowd goes */
    cr_expect_eq(wend_crowd_destroy(in->crowd), WEND_OK);
    in->crowd = NULL;
}

/* A crowd may go in an event of another one. */
static void destroy_second_crowd(world *in, place where) {
    in->second = make_crowd();
    (void)add_walker(in->second, 60);
    if (where == IN_ANSWER) {
        FAILS(IN_CALLBACK, IN_CROWD, wend_crowd_destroy(in->second));
        return;
    }
    cr_expect_eq(wend_crowd_destroy(in->second), WEND_OK);
    in->second = NULL;
}

static void remove_body(world *in, place where) {
    (void)where;
    cr_expect_eq(wend_crowd_remove(in->crowd, in->with_body), WEND_OK);
}

static void destroy_field(world *in, place where) {
    (void)where;
    wend_field_destroy(in->field);
    in->field = NULL;
}

static void destroy_figures(world *in, place where) {
    (void)where;
    wend_figures_destroy(in->figures);
    cr_expect_null(wend_service_get_figures(in->service));
    in->figures = NULL;
}

static void destroy_search(world *in, place where) {
    (void)where;
    wend_search_destroy(in->search);
    in->search = NULL;
}

/* The crowd, the requests, the field, the search and the batch have the map: it goes with the last of them. */
static void release_map(world *in, place where) {
    (void)where;
    in->edit = begin_edit(in->map);
    wend_map_release(in->map);
    in->map = NULL;
}

static void destroy_arena(world *in, place where) {
    (void)where;
    if (in->arena)
        FAILS(IN_USE, "objects in the arena have # blocks of it: destroy them first", wend_arena_destroy(in->arena));
}

static attempt_fn *const attempts[] = {destroy_service, destroy_service_of_two_crowds,
                                       tick_service,    save_and_restore_service,
                                       destroy_crowd,   destroy_second_crowd,
                                       remove_body,     destroy_field,
                                       destroy_figures, destroy_search,
                                       release_map,     destroy_arena};

static void try_each(bool in_arena) {
    for (size_t i = 0; i < sizeof attempts / sizeof *attempts; i++)
        for (int where = BETWEEN; where < PLACES; where++) {
            open_world(in_arena);
            run_frames(2);
            attempt = attempts[i], asked = (place)where;
            try_in(BETWEEN);
            if (w.crowd) send(w.walker, 10), send(w.walker, 40);
            run_frames(40);
            cr_expect_null(attempt, "attempt %zu was not made at place %d", i, where);
            cr_expect(w.answers > 0 && w.events > 0);
            close_world();
        }
}

Test(lifetimes, each_object_under_its_users) {
    try_each(false);
}

Test(lifetimes, each_object_under_its_users_in_an_arena) {
    try_each(true);
}

/* ---- the counts of users ---- */

/* A rewind brings back users that were destroyed, and takes away those made since. */
Test(lifetimes, a_rewind_restores_the_users) {
    open_world(true);
    cr_assert_eq(wend_arena_mark(w.arena, 0), WEND_OK);
    const world marked = w;
    destroy_service_of_two_crowds(&w, BETWEEN);
    cr_assert_eq(wend_arena_rewind(w.arena, 0), WEND_OK);
    w = marked;
    destroy_service(&w, BETWEEN);
    destroy_crowd(&w, BETWEEN);
    wend_figures_destroy(w.figures);
    cr_assert_eq(wend_arena_rewind(w.arena, 0), WEND_OK);
    w = marked;
    destroy_service(&w, BETWEEN);
    cr_expect_eq(wend_service_get_figures(w.service), w.figures);
    run_frames(40);
    close_world();
}

/* A restore keeps the users that the service has. */
Test(lifetimes, a_restore_keeps_the_users) {
    open_world(false);
    wend_save_host host;
    wend_save_host_init(&host, sizeof host);
    wend_map *maps[] = {w.map};
    host.maps = maps, host.map_count = 1;
    size_t bytes;
    (void)wend_service_save_state(w.service, &host, NULL, 0, &bytes);
    void *saved = malloc(bytes);
    cr_assert_eq(wend_service_save_state(w.service, &host, saved, bytes, &bytes), WEND_OK);
    w.second = make_crowd();
    cr_expect_eq(wend_service_restore_state(w.service, &host, saved, bytes), WEND_OK);
    free(saved);
    FAILS(IN_USE, "2 crowds use the service: destroy them first", wend_service_destroy(w.service));
    close_world();
}

Test(lifetimes, figures_have_one_service) {
    open_world(false);
    wend_service_def def = default_service();
    wend_service *other = made_service(&def);
    FAILS(IN_USE, "another service has the figures", wend_service_set_figures(other, w.figures));
    cr_expect_eq(wend_service_set_figures(w.service, NULL), WEND_OK);
    cr_expect_eq(wend_service_set_figures(other, w.figures), WEND_OK);
    cr_expect_eq(wend_service_destroy(other), WEND_OK);
    cr_expect_eq(wend_service_set_figures(w.service, w.figures), WEND_OK, "the other service is gone");
    close_world();
}

/* ---- the last callbacks ---- */

static void use_ending_service(world *in, place where) {
    wend_crowd_def def = default_crowd();
    (void)where;
    def.service = in->service, def.map = in->map;
    FAILS(CLOSED, "the service is being destroyed", wend_crowd_create(&def, &in->second));
    FAILS(IN_CALLBACK, IN_FRAME, wend_service_destroy(in->service));
    FAILS(IN_CALLBACK, IN_FRAME, wend_service_add_field(in->service, in->field));
}

Test(lifetimes, a_service_takes_no_users_while_it_is_destroyed) {
    open_world(false);
    destroy_crowd(&w, BETWEEN);
    attempt = use_ending_service, asked = IN_ANSWER;
    cr_expect_eq(wend_service_destroy(w.service), WEND_OK);
    cr_expect_null(attempt);
    cr_expect_eq(w.answers, 3);
    w.service = NULL;
    close_world();
}
