/* SPDX-License-Identifier: MIT */
/* Lack of memory at every allocation of every call on a world: maps, services, crowds, bodies, fields, watchers, saves.
 * For each step and each k, a world is made, allocation k of the step fails, once or with all after it, and the call
 * succeeds or returns OUT_OF_MEMORY. Then the map is as it was, the same step works, the world runs on, and nothing is
 * left when it is gone. A plain program, as it defines malloc(). */
#include "models/defaults.h"
#include "models/both.h"
#include "models/starving.h"

#include <wend/acceleration.h>
#include <wend/agents.h>
#include <wend/body.h>
#include <wend/boxes.h>
#include <wend/control.h>
#include <wend/crowd_tuning.h>
#include <wend/query.h>
#include <wend/record.h>
#include <wend/search_options.h>
#include <wend/save.h>
#include <wend/stream.h>
#include <wend/units.h>
#include <wend/ways.h>

#include <stdio.h>
#include <string.h>

#if !STARVING
int main(void) {
    return 77;
}
#else

enum { SIDE = 130, PEOPLE = 12, SAVE_BYTES = 1 << 18 };

typedef struct world {
    wend_map *map;
    wend_service *service;
    wend_crowd *crowd;
    wend_agent_id ids[PEOPLE];
    int answers; ///< answers of the world's only request
    bool keeps;  ///< a refused step leaves the map as it was
} world;

static uint8_t saved_map[SAVE_BYTES], saved_service[SAVE_BYTES], saved_crowd[SAVE_BYTES];

static void must(wend_error error, int line) {
    if (!error) return;
    printf("line %d: %s: %s\n", line, wend_error_name(error), wend_error_detail(error));
    exit(1);
}
#define MUST(call) must(call, __LINE__)

static void count_answer(void *context, const wend_completion *completion) {
    (void)completion;
    ++*(int *)context;
}

/* ---- a world: streamed land of 3 x 3 chunks with a wall, people, one of them with a body ---- */

static void load_land(world *w) {
    wend_edit *edit;
    MUST(wend_edit_begin(w->map, &edit));
    for (int32_t chunk = 0; chunk < 9; chunk++)
        if (chunk != 5 && chunk != 8) MUST(wend_edit_load(edit, chunk % 3, chunk / 3, NULL, 0));
    MUST(wend_edit_fill_box(edit, (wend_box){{30, 4, 0}, {30, 60, 0}}, WEND_CLASS_BLOCKED));
    MUST(wend_edit_add_link(edit, &(wend_link){{2, 2, 0}, {90, 90, 0}, 12, 0}));
    MUST(wend_edit_publish(edit, NULL));
}

static void add_people(world *w) {
    wend_crowd_goal goal = default_crowd_goal();
    for (int32_t i = 0; i < PEOPLE; i++) {
        wend_agent_def agent = default_agent();
        agent.cell = (wend_cell){3 + 2 * i, 8, 0};
        MUST(wend_crowd_add(w->crowd, &agent, &w->ids[i]));
    }
    goal.cell = (wend_cell){70, 20, 0};
    MUST(wend_crowd_go(w->crowd, w->ids, PEOPLE / 2, &goal));
}

static void open_world(world *w) {
    *w = (world){.keeps = true};
    wend_map_def map = default_map();
    map.width = map.height = SIDE, map.streamed = 1;
    MUST(wend_map_create(&map, &w->map));
    load_land(w);
    wend_service_def service = default_service();
    service.queue = 64, service.nodes = 40 * WEND_PAGE_NODES;
    MUST(wend_service_create(&service, &w->service));
    wend_crowd_def crowd = default_crowd();
    crowd.agents = PEOPLE + 4, crowd.map = w->map, crowd.service = w->service;
    MUST(wend_crowd_create(&crowd, &w->crowd));
    add_people(w);
    wend_request request = path_request(w->map, (wend_cell){1, 1, 0}, (wend_cell){60, 100, 0});
    request.on_done = count_answer, request.context = &w->answers;
    MUST(wend_service_submit(w->service, &request, NULL));
}

static void run_on(world *w) {
    for (int frame = 0; frame < 4; frame++) {
        MUST(wend_service_tick(w->service, NULL, NULL));
        MUST(wend_crowd_update(w->crowd, 1000, NULL, NULL));
    }
}

static void close_world(world *w) {
    MUST(wend_crowd_destroy(w->crowd));
    MUST(wend_service_destroy(w->service));
    wend_map_release(w->map);
    if (w->answers != 1) printf("%d answers of one request\n", w->answers), exit(1);
}

/* ---- steps: each returns its first error, and undoes nothing ---- */

static wend_error edit_land(world *w) {
    wend_edit *edit;
    wend_error error = wend_edit_begin(w->map, &edit);
    if (error) return error;
    (void)wend_edit_load(edit, 2, 1, NULL, 0);
    (void)wend_edit_unload(edit, 1, 1, WEND_LAND_KNOWN);
    (void)wend_edit_set_cell(edit, (wend_cell){5, 40, 0}, WEND_CLASS_BLOCKED);
    (void)set_step_both(edit, (wend_cell){9, 9, 0}, (wend_cell){10, 9, 0}, 0);
    (void)add_link_both(edit, (wend_cell){4, 4, 0}, (wend_cell){100, 20, 0}, 9);
    (void)wend_edit_remove_link(edit, (wend_cell){2, 2, 0}, (wend_cell){90, 90, 0});
    return wend_edit_publish(edit, NULL);
}

static wend_error ask_of_edit(world *w) {
    wend_edit *edit;
    bool disconnects;
    wend_error error = wend_edit_begin(w->map, &edit);
    if (error) return error;
    error = wend_edit_fill_box(edit, (wend_box){{0, 30, 0}, {63, 30, 0}}, WEND_CLASS_BLOCKED);
    if (!error)
        error = wend_edit_would_disconnect(edit, WEND_MOVER_DEFAULT, (wend_cell){3, 3, 0}, (wend_cell){3, 50, 0},
                                           &disconnects);
    wend_edit_discard(edit);
    return error;
}

static wend_error add_movers(world *w) {
    wend_mover mover = default_mover();
    mover.size = 2, mover.factors[WEND_CLASS_OPEN] = 3;
    return wend_map_add_mover(w->map, &mover, NULL);
}

static wend_error set_rules(world *w) {
    wend_map_rules rules = rules_now(w->map);
    rules.corners = WEND_CORNERS_ONE, rules.factors[WEND_CLASS_OPEN] = 2;
    return wend_map_set_rules(w->map, &rules);
}

static wend_error accelerate(world *w) {
    wend_acceleration def = default_acceleration();
    def.landmarks = 2, def.far = 1;
    const wend_error error = wend_map_accelerate(w->map, &def);
    return error ? error : wend_map_maintain(w->map, 7, WEND_NO_LIMIT, NULL);
}

static wend_error accelerate_later(world *w) {
    wend_acceleration def = default_acceleration();
    uint64_t left = 1;
    def.landmarks = 1, def.far = 1, def.later = 1;
    wend_error error = wend_map_accelerate(w->map, &def);
    for (int i = 0; !error && left > 0 && i < 10000; i++) error = wend_map_maintain(w->map, 7, 4000, &left);
    return error;
}

static wend_error make_layers(world *w) {
    static uint8_t values[64];
    wend_layer_def def = default_layer(), walls = default_layer();
    int32_t layer;
    def.half_life = 9, walls.within = 3;
    wend_error error = wend_map_add_layer(w->map, &def, &layer);
    if (!error) error = wend_map_add_layer(w->map, &walls, NULL);
    if (!error) error = wend_map_add_layer_disc(w->map, 0, (wend_cell){64, 64, 0}, 20, 200);
    if (!error) error = wend_map_set_layer_box(w->map, 0, (wend_box){{3, 3, 0}, {10, 10, 0}}, values, 8);
    if (!error) error = wend_map_update_layers(w->map, 3);
    const wend_layer_weight weight = {0, 5};
    if (!error) error = wend_map_add_profile(w->map, &weight, 1, NULL);
    w->keeps = false; /* changes before the first error stay */
    return error;
}

static wend_error fork_map(world *w) {
    wend_map *fork;
    wend_error error = wend_map_fork(w->map, &fork);
    if (error) return error;
    error = wend_map_set_cell(fork, (wend_cell){20, 20, 0}, 7, NULL);
    wend_map_release(fork);
    return error;
}

static wend_error put_units(world *w) {
    wend_error error = WEND_OK;
    for (int32_t x = 0; !error && x < SIDE; x += 40) error = wend_map_occupy(w->map, (wend_cell){x, 125, 0});
    w->keeps = false;
    return error;
}

static wend_error find_paths(world *w) {
    wend_cell cells[400];
    size_t count;
    wend_error error = wend_find_path(w->map, (wend_cell){3, 3, 0}, (wend_cell){50, 120, 0}, cells, 400, &count, NULL);
    if (error) return error;
    wend_nearest_def nearest = default_nearest();
    wend_hit hits[4];
    nearest.map = w->map, nearest.start = (wend_cell){3, 3, 0}, nearest.cells = cells,
    nearest.cell_count = (uint32_t)count;
    error = wend_find_nearest(&nearest, hits, 4, &count);
    if (error) return error;
    wend_places_def places;
    wend_places_def_init(&places, sizeof places);
    places.goal = (wend_cell){30, 30, 0}, places.from = (wend_cell){3, 3, 0};
    return wend_map_free_places(w->map, &places, cells, 50, &count);
}

static wend_error make_search(world *w) {
    wend_search_def def = default_search();
    wend_search *search;
    const wend_request request = path_request(w->map, (wend_cell){3, 3, 0}, (wend_cell){50, 120, 0});
    def.nodes = 30 * WEND_PAGE_NODES;
    wend_error error = wend_search_create(&def, &search);
    if (error) return error;
    error = wend_search_begin(search, &request);
    if (!error && wend_search_step(search, 100000, NULL) != WEND_STATUS_FOUND) error = WEND_EMPTY;
    wend_search_destroy(search);
    return error;
}

static wend_error make_field(world *w) {
    static const wend_cell goals[] = {{3, 3, 0}};
    wend_field_def def = default_field();
    wend_field *field;
    def.map = w->map, def.goals = goals, def.goal_count = 1;
    wend_error error = wend_field_create(&def, &field);
    if (error) return error;
    error = wend_service_add_field(w->service, field);
    if (!error) error = wend_service_tick(w->service, NULL, NULL);
    wend_field_destroy(field);
    return error;
}

static wend_error make_figures(world *w) {
    wend_figures_def def = default_figures();
    wend_figures *figures;
    wend_error error = wend_figures_create(&def, &figures);
    if (error) return error;
    error = wend_service_set_figures(w->service, figures);
    if (!error) error = wend_service_tick(w->service, NULL, NULL);
    (void)wend_service_set_figures(w->service, NULL);
    wend_figures_destroy(figures);
    return error;
}

static wend_error make_service(world *w) {
    wend_service_def def = default_service();
    wend_service *service;
    def.queue = 8, def.nodes = 4 * WEND_PAGE_NODES, def.workers = 2;
    const wend_error error = wend_service_create(&def, &service);
    (void)w;
    return error ? error : wend_service_destroy(service);
}

static wend_error make_crowd(world *w) {
    wend_crowd_def def = default_crowd();
    wend_crowd *crowd;
    wend_agent_def agent = default_agent();
    wend_body_def body = default_body();
    wend_agent_id id;
    def.agents = 5, def.map = w->map, def.service = w->service;
    wend_error error = wend_crowd_create(&def, &crowd);
    if (error) return error;
    agent.cell = (wend_cell){20, 50, 0};
    error = wend_crowd_add(crowd, &agent, &id);
    if (!error) error = wend_crowd_set_body(crowd, id, &body);
    if (!error) error = wend_crowd_update(crowd, 1000, NULL, NULL);
    MUST(wend_crowd_destroy(crowd));
    return error;
}

/* Bodies come one after another, and walk into land where none was. */
static wend_error walk_bodies(world *w) {
    wend_body_def def = default_body();
    wend_crowd_goal goal = default_crowd_goal();
    def.radius_milli = 300;
    w->keeps = false;
    for (int i = 0; i < 6; i++) {
        const wend_error error = wend_crowd_set_body(w->crowd, w->ids[PEOPLE - 1 - i], &def);
        if (error == WEND_OUT_OF_MEMORY) return error;
    }
    goal.cell = (wend_cell){80, 30, 0};
    wend_error error = wend_crowd_go(w->crowd, w->ids + PEOPLE - 6, 6, &goal);
    for (int i = 0; !error && i < 60; i++) {
        error = wend_service_tick(w->service, NULL, NULL);
        if (!error) error = wend_crowd_update(w->crowd, 8000, NULL, NULL);
    }
    return error;
}

static wend_error clear_box(world *w) {
    const wend_box box = {{100, 100, 0}, {110, 110, 0}};
    w->keeps = false; /* counts of units are made */
    const wend_error error = wend_crowd_clear_box(w->crowd, box);
    return error ? error : wend_crowd_release_box(w->crowd, box);
}

static wend_error discard_bytes(void *context, uint32_t file, const void *bytes, size_t size) {
    (void)context, (void)file, (void)bytes, (void)size;
    return WEND_OK;
}

static void end_requests(world *w) {
    MUST(wend_service_tick(w->service, NULL, NULL));
    MUST(wend_crowd_halt(w->crowd, w->ids, PEOPLE));
    MUST(wend_service_tick(w->service, NULL, NULL));
}

static wend_error record_service(world *w) {
    w->keeps = false;
    wend_error error = wend_service_record(w->service, discard_bytes, NULL);
    if (error) return error;
    error = wend_service_record_map(w->service, w->map);
    if (!error) error = wend_map_set_cell(w->map, (wend_cell){7, 7, 0}, 3, NULL);
    const wend_error ended = wend_service_end_recording(w->service);
    return error ? error : ended;
}

static void name_answer(void *context, wend_ticket ticket, wend_request *request) {
    (void)ticket;
    request->on_done = count_answer, request->context = &((world *)context)->answers;
}

static wend_save_host save_host(world *w) {
    wend_save_host host;
    wend_save_host_init(&host, sizeof host);
    host.maps = &w->map, host.map_count = 1, host.context = w, host.request = name_answer;
    return host;
}

static size_t saved_bytes[3];

/* Saves the world, and goes on until much has changed. */
static void save_all(world *w) {
    const wend_save_host host = save_host(w);
    MUST(walk_bodies(w));
    MUST(wend_map_save_state(w->map, saved_map, SAVE_BYTES, &saved_bytes[0]));
    MUST(wend_service_save_state(w->service, &host, saved_service, SAVE_BYTES, &saved_bytes[1]));
    MUST(wend_crowd_save_state(w->crowd, saved_crowd, SAVE_BYTES, &saved_bytes[2]));
    MUST(edit_land(w));
    MUST(make_layers(w));
    MUST(wend_crowd_remove(w->crowd, w->ids[0]));
    MUST(wend_crowd_update(w->crowd, 1000, NULL, NULL));
}

static wend_error restore_all(world *w) {
    const wend_save_host host = save_host(w);
    w->keeps = false;
    wend_error error = wend_map_restore_state(w->map, saved_map, saved_bytes[0]);
    if (!error) error = wend_service_restore_state(w->service, &host, saved_service, saved_bytes[1]);
    if (!error) error = wend_crowd_restore_state(w->crowd, &host, saved_crowd, saved_bytes[2]);
    return error;
}

typedef struct step {
    const char *name;
    wend_error (*call)(world *w);
    void (*prepare)(world *w); ///< before memory lacks; NULL: nothing
    size_t least;              ///< least number of its allocations, so that the test cannot become empty
} step;

static const step steps[] = {{"edits of land", edit_land, NULL, 10},
                             {"a question of an edit", ask_of_edit, NULL, 3},
                             {"a mover", add_movers, NULL, 5},
                             {"rules", set_rules, NULL, 2},
                             {"acceleration", accelerate, NULL, 20},
                             {"acceleration in slices", accelerate_later, NULL, 20},
                             {"layers", make_layers, NULL, 4},
                             {"a fork", fork_map, NULL, 3},
                             {"units", put_units, NULL, 1},
                             {"paths in one call", find_paths, NULL, 3},
                             {"a search", make_search, NULL, 1},
                             {"a field", make_field, NULL, 1},
                             {"figures", make_figures, NULL, 1},
                             {"a service with workers", make_service, NULL, 1},
                             {"a crowd with bodies", make_crowd, NULL, 3},
                             {"bodies that walk", walk_bodies, NULL, 1},
                             {"a box that is cleared", clear_box, NULL, 1},
                             {"a recording", record_service, end_requests, 1},
                             {"restored saves", restore_all, save_all, 9}};

/* ---- each allocation of a step fails ---- */

static uint64_t map_bytes(const world *w, uint8_t *to, size_t *bytes) {
    MUST(wend_map_save_state(w->map, to, SAVE_BYTES, bytes));
    return wend_map_get_epoch(w->map);
}

typedef struct counts {
    size_t sites, refused, bad;
} counts;

static void complain(counts *count, const step *s, size_t at, const char *what) {
    printf("%s, allocation %zu: %s\n", s->name, at, what);
    count->bad++;
}

/* Lets allocation number `at` of a step fail. Returns true if the step came so far. */
static bool starve_step(const step *s, size_t at, bool for_good, counts *count) {
    static uint8_t before[SAVE_BYTES], after[SAVE_BYTES];
    static world w;
    size_t bytes, bytes_after;
    const size_t live = starving_live;
    open_world(&w);
    if (s->prepare) s->prepare(&w);
    const uint64_t epoch = map_bytes(&w, before, &bytes);
    starving_begin(at, for_good);
    const wend_error error = s->call(&w);
    const size_t calls = starving_end();
    if (error && error != WEND_OUT_OF_MEMORY) complain(count, s, at, wend_error_name(error));
    if (error) count->refused++;
    if (error && w.keeps) {
        const uint64_t now = map_bytes(&w, after, &bytes_after);
        if (now != epoch || bytes_after != bytes || memcmp(before, after, bytes) != 0)
            complain(count, s, at, "the map is another");
    }
    if (error && s->call(&w)) complain(count, s, at, wend_error_detail(s->call(&w)));
    run_on(&w);
    close_world(&w);
    if (starving_live != live) complain(count, s, at, "blocks are left");
    return calls >= at;
}

int main(void) {
    counts count = {0};
    world warm;
    open_world(&warm);
    MUST(make_service(&warm)); /* the C library keeps its data for threads */
    run_on(&warm);
    close_world(&warm);
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
        for (int for_good = 0; for_good < 2; for_good++) {
            size_t failed = 0;
            while (starve_step(&steps[i], failed + 1, for_good, &count)) failed++;
            if (failed < steps[i].least) printf("%s: only %zu allocations\n", steps[i].name, failed), count.bad++;
            count.sites += failed;
        }
    }
    printf("%zu sites failed, %zu refusals, %zu wrong answers\n", count.sites, count.refused, count.bad);
    return count.bad > 0;
}
#endif
