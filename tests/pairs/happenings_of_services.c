/* SPDX-License-Identifier: MIT */
/* Happenings of requests and of their service: calls, callbacks that call, queries, fields, saves, ends. */
#include "pairs/pairs.h"

#include <stdlib.h>
#include <wend/field.h>
#include <wend/geometry.h>
#include <wend/search.h>

/* ---- calls ---- */

static wend_error cancelled(pair_world *w) {
    const wend_error error = wend_service_cancel(w->service, w->main->ticket);
    if (!error) w->main->cancelled = true;
    return error;
}

static wend_error map_cancelled(pair_world *w) {
    for (int i = 0; i < w->asked_count; i++)
        if (!w->asked[i].answers && w->asked[i].request.map == w->map) w->asked[i].cancelled = true;
    return wend_service_cancel_map(w->service, w->map, NULL);
}

/* Submits a request; where the queue is full, it cancels the main one for that. */
static asked *submit_or_make_room(pair_world *w, asked *own) {
    asked *made = world_submit(w, own);
    if (made || w->main->answers || w->main->cancelled) return made;
    CLAIM(!wend_service_cancel(w->service, w->main->ticket), "cancel");
    w->main->cancelled = true;
    world_frame(w, 0, WEND_NO_LIMIT, NULL);
    const bool taken = own != &w->asked[w->asked_count]; /* a callback submitted in its place */
    return taken ? NULL : world_submit(w, own);
}

/* Replaces a request. Unless the world's option gives the main request an agent, another one is made first. */
static wend_error replaced(pair_world *w) {
    asked *first = w->main;
    if (first->request.agent == WEND_NO_AGENT) {
        first = world_new_asked(w);
        world_ask(w, first);
        first->request.agent = 77;
        first = submit_or_make_room(w, first);
        if (!first) return WEND_EMPTY;
        world_frame(w, 1, draw(&w->random, 2) ? 0 : WEND_NO_LIMIT, NULL);
    }
    asked *next = world_new_asked(w);
    world_ask(w, next);
    next->request.agent = first->request.agent;
    if (!world_submit(w, next)) return WEND_EMPTY;
    if (!first->answers) first->replaced = true;
    return WEND_OK;
}

static wend_error goal_moved(pair_world *w) {
    const wend_cell goal = world_open_place(w);
    const wend_error error = wend_service_set_goal(w->service, w->main->ticket, goal);
    if (error) return error;
    w->main->request.goal = goal, w->main->options.more_goal_count = 0, w->main->goal_moved = true;
    return WEND_OK;
}

static wend_error urgency_set(pair_world *w) {
    return wend_service_set_urgency(w->service, w->main->ticket, -500);
}

static wend_error deadline_passed(pair_world *w) {
    asked *own = world_new_asked(w);
    world_ask(w, own);
    own->request.deadline_frames = 1;
    if (!submit_or_make_room(w, own)) return WEND_EMPTY;
    for (int i = 0; i < 3; i++) world_frame(w, 0, WEND_NO_LIMIT, NULL);
    return WEND_OK;
}

static wend_error more_submitted(pair_world *w) {
    for (int i = 0; i < 10; i++) {
        asked *own = world_new_asked(w);
        world_ask(w, own);
        own->request.urgency = (int32_t)draw(&w->random, 200) - 100;
        if (i % 3 == 0) own->request.goal = w->main->request.goal; /* alike, for sharing */
        (void)world_submit(w, own);
    }
    return WEND_OK;
}

static wend_error prefix_asked(pair_world *w) {
    wend_cell cells[16];
    wend_prefix prefix = {.struct_bytes = sizeof prefix};
    const wend_error error = wend_service_get_prefix(w->service, w->main->ticket, cells, 16, &prefix);
    return error == WEND_EMPTY ? WEND_OK : error;
}

static wend_error explained(pair_world *w) {
    int32_t engine = 0;
    const char *why = NULL;
    w->main->request.options = &w->main->options;
    return wend_request_explain(&w->main->request, &engine, &why);
}

static wend_error counted(pair_world *w) {
    wend_stats stats = {.struct_bytes = sizeof stats};
    size_t count = 0;
    (void)wend_service_get_wait(w->service), (void)wend_service_get_work(w->service);
    if (world_is(w, GROUND, BIT(STREAMED)))
        CLAIM(!wend_service_get_wanted(w->service, w->map, NULL, 0, &count), "wanted");
    return wend_service_get_stats(w->service, &stats);
}

/* ---- callbacks that call ---- */

static wend_error with_callback(pair_world *w, void (*on_answer)(asked *own)) {
    w->main->on_answer = on_answer;
    asked *own = world_new_asked(w);
    world_ask(w, own);
    own->on_answer = on_answer;
    (void)world_submit(w, own);
    return WEND_OK;
}

static void submit_more(asked *own) {
    own->on_answer = NULL;
    asked *more = world_new_asked(own->world);
    world_ask(own->world, more);
    (void)world_submit(own->world, more);
}

static void cancel_all(asked *own) {
    pair_world *w = own->world;
    for (int i = 0; i < w->asked_count; i++)
        if (!w->asked[i].answers && !wend_service_cancel(w->service, w->asked[i].ticket)) w->asked[i].cancelled = true;
}

static void edit_map(asked *own) {
    if (own->world->ending) return;
    own->world->main = NULL;
    (void)world_edit(own->world);
}

static void close_service(asked *own) {
    if (!own->world->closed) wend_service_close(own->world->service);
    own->world->closed = true;
}

static wend_error callback_submits(pair_world *w) {
    return with_callback(w, submit_more);
}

static wend_error callback_cancels(pair_world *w) {
    return with_callback(w, cancel_all);
}

static wend_error callback_edits(pair_world *w) {
    return with_callback(w, edit_map);
}

static wend_error callback_closes(pair_world *w) {
    const wend_error error = with_callback(w, close_service);
    world_finish(w);
    return error;
}

/* ---- queries, searches, fields ---- */

static wend_error path_found(pair_world *w) {
    wend_cell cells[64];
    size_t count = 0;
    wend_status status = 0;
    return wend_find_path(w->map, world_place(w), world_place(w), cells, 64, &count, &status);
}

/* The line of a path that an edit may have closed, with a distance from walls and without. */
static wend_error line_pulled(pair_world *w) {
    enum { MOST = 256 };
    wend_cell cells[MOST];
    wend_turn turns[MOST];
    wend_pull_def def;
    size_t count = 0, turned = 0;
    if (wend_find_path(w->map, world_open_place(w), world_place(w), cells, MOST, &count, NULL)) return WEND_OK;
    if (count == 0 || count > MOST) return WEND_OK;
    (void)world_edit(w);
    wend_pull_def_init(&def, sizeof def);
    const wend_error error = wend_path_pull(w->map, &def, cells, count, turns, MOST, &turned);
    if (error) return error;
    CLAIM(turned >= 1 && turned <= count, "turns");
    CLAIM(turns[0].index == 0 && turns[turned - 1].index == count - 1, "ends");
    def.radius_milli = 400, def.units = true;
    (void)wend_path_pull(w->map, &def, cells, count, turns, MOST, &turned);
    return WEND_OK;
}

static wend_error nearest_found(pair_world *w) {
    wend_nearest_def def = default_nearest();
    wend_hit hits[3];
    wend_cell cells[4];
    size_t count = 0;
    for (int i = 0; i < 4; i++) cells[i] = world_place(w);
    def.map = w->map, def.mover = w->mover, def.start = world_open_place(w), def.profile = w->profile;
    def.cells = cells, def.cell_count = 4, def.occupied = w->main->options.occupied, def.free_only = 1;
    def.score = w->profile;
    const wend_error error = wend_find_nearest(&def, hits, 3, &count);
    return error == WEND_BLOCKED ? WEND_OK : error;
}

static wend_error places_asked(pair_world *w) {
    wend_places_def def;
    wend_cell cells[6], nearest;
    bool found = false;
    bool visible = false;
    size_t count = 0;
    wend_places_def_init(&def, sizeof def);
    def.mover = w->mover, def.goal = world_place(w), def.from = world_open_place(w);
    (void)wend_map_see_many(w->map, w->mover, &def.from, &def.goal, 1, &visible, NULL);
    (void)wend_map_nearest_open(w->map, w->mover, def.goal, 8, &found, &nearest);
    return wend_map_free_places(w->map, &def, cells, 6, &count);
}

static wend_error searched_alone(pair_world *w) {
    wend_search_def def = default_search();
    wend_search *search = NULL;
    asked *own = world_new_asked(w);
    def.nodes = 64 * WEND_PAGE_NODES, def.allocator = w->allocator;
    CLAIM(!wend_search_create(&def, &search), "search");
    world_ask(w, own);
    own->request.options = &own->options;
    wend_error error = wend_search_begin(search, &own->request);
    for (int i = 0; i < 4 && !error; i++) {
        (void)wend_search_step(search, 9, NULL);
        if (i == 1) (void)world_edit(w);
    }
    wend_search_destroy(search);
    return error;
}

static wend_error field_made(pair_world *w) {
    wend_field_def def = default_field();
    wend_field *field = NULL;
    const wend_cell goal = world_open_place(w);
    wend_cell next;
    uint64_t cost = 0;
    def.map = w->map, def.mover = w->mover, def.goals = &goal, def.goal_count = 1, def.profile = w->profile;
    def.purpose = draw(&w->random, 4) ? WEND_FIELD_TOWARD : WEND_FIELD_AWAY;
    def.allocator = w->allocator;
    wend_error error = wend_field_create(&def, &field);
    if (error) return error;
    error = wend_service_add_field(w->service, field);
    world_frame(w, 30, WEND_NO_LIMIT, NULL);
    if (!error && draw(&w->random, 2)) (void)world_edit(w);
    world_frame(w, 30, WEND_NO_LIMIT, NULL);
    (void)wend_field_next(field, world_place(w), &next, &cost);
    if (!error && draw(&w->random, 2)) error = wend_service_remove_field(w->service, field);
    if (!error && draw(&w->random, 2)) (void)wend_field_repair(field, true);
    if (!error) error = wend_field_repair(field, false), (void)wend_field_step(field, 50, NULL);
    wend_field_destroy(field);
    return error;
}

/* ---- saves ---- */

static void give_back_callbacks(void *context, wend_ticket ticket, wend_request *request) {
    pair_world *w = context;
    for (int i = 0; i < w->asked_count; i++)
        if (w->asked[i].ticket.index == ticket.index && w->asked[i].ticket.generation == ticket.generation)
            request->on_done = w->asked[i].request.on_done, request->context = &w->asked[i];
}

static wend_save_host host_of(pair_world *w) {
    wend_save_host host;
    wend_save_host_init(&host, sizeof host);
    host.maps = &w->map, host.map_count = 1, host.context = w, host.request = give_back_callbacks;
    return host;
}

static wend_error save_part(pair_world *w, int part, const wend_save_host *host, world_saves *out, size_t *bytes) {
    if (part == 0) return wend_map_save_state(w->map, out->bytes[0], out->count[0], bytes);
    if (part == 1) return wend_service_save_state(w->service, host, out->bytes[1], out->count[1], bytes);
    return wend_crowd_save_state(w->crowd, out->bytes[2], out->count[2], bytes);
}

wend_error world_save(pair_world *w, world_saves *out) {
    const wend_save_host host = host_of(w);
    wend_error error = WEND_OK;
    for (int i = 0; i < w->asked_count; i++)
        if (w->asked[i].request.map != w->map && !w->asked[i].answers) return WEND_EMPTY;
    for (int part = 0; part < (w->crowd ? 3 : 2) && !error; part++) {
        size_t bytes = 0;
        (void)save_part(w, part, &host, out, &bytes); /* counts them */
        out->bytes[part] = malloc(bytes), out->count[part] = bytes;
        CLAIM(out->bytes[part], "memory");
        error = save_part(w, part, &host, out, &bytes);
    }
    return error;
}

wend_error world_load(pair_world *w, const world_saves *saves) {
    const wend_save_host host = host_of(w);
    wend_error error = wend_map_restore_state(w->map, saves->bytes[0], saves->count[0]);
    if (!error) error = wend_service_restore_state(w->service, &host, saves->bytes[1], saves->count[1]);
    if (!error && w->crowd) error = wend_crowd_restore_state(w->crowd, &host, saves->bytes[2], saves->count[2]);
    return error;
}

void world_saves_free(world_saves *saves) {
    for (int i = 0; i < 3; i++) free(saves->bytes[i]);
    *saves = (world_saves){0};
}

/* Saves and restores the world; sometimes frames pass between, so that requests answered in them are answered again. */
static wend_error world_restored(pair_world *w) {
    world_saves saves = {0};
    w->changes++, w->unit_moves++;
    wend_error error = world_save(w, &saves);
    int answers[MOST_ASKED];
    const int count = w->asked_count;
    for (int i = 0; i < count; i++) answers[i] = w->asked[i].answers;
    if (!error && draw(&w->random, 2))
        for (int i = 0; i < 3; i++) {
            world_frame(w, 20, WEND_NO_LIMIT, NULL);
            if (w->crowd) error = wend_crowd_update(w->crowd, 1000, NULL, NULL);
        }
    if (!error) error = world_load(w, &saves);
    if (error != WEND_EMPTY) {
        for (int i = 0; i < count; i++) w->asked[i].answers = answers[i];
        w->asked_count = count; /* requests of callbacks since then are gone */
    }
    world_saves_free(&saves);
    return error;
}

/* ---- ends ---- */

static wend_error service_closed(pair_world *w) {
    wend_service_close(w->service);
    w->closed = true;
    world_finish(w);
    return WEND_OK;
}

static wend_error service_destroyed(pair_world *w) {
    w->ending = true;
    if (w->crowd) CLAIM(!wend_crowd_destroy(w->crowd), "crowd");
    w->crowd = NULL;
    CLAIM(!wend_service_destroy(w->service), "service");
    w->service = NULL;
    return WEND_OK;
}

/* Requests hold references; the world releases its own first. */
static wend_error map_released_first(pair_world *w) {
    wend_map_release(w->map);
    w->ending = true;
    if (w->crowd) CLAIM(!wend_crowd_destroy(w->crowd), "crowd");
    w->crowd = NULL;
    /* the oracle uses the map that the last request holds */
    CLAIM(!wend_service_destroy(w->service), "service");
    w->service = NULL, w->map = NULL;
    return WEND_OK;
}

const happening_row happenings_of_services[] = {
    {"cancelled", cancelled, 0},
    {"map cancelled", map_cancelled, 0},
    {"replaced", replaced, 0},
    {"goal moved", goal_moved, 0},
    {"urgency set", urgency_set, 0},
    {"deadline passed", deadline_passed, 0},
    {"more submitted", more_submitted, 0},
    {"prefix asked", prefix_asked, 0},
    {"explained", explained, 0},
    {"counted", counted, 0},
    {"callback submits", callback_submits, 0},
    {"callback cancels", callback_cancels, 0},
    {"callback edits", callback_edits, 0},
    {"callback closes", callback_closes, ENDS},
    {"path found", path_found, 0},
    {"line pulled", line_pulled, 0},
    {"nearest found", nearest_found, 0},
    {"places asked", places_asked, 0},
    {"searched alone", searched_alone, 0},
    {"field made", field_made, 0},
    {"world restored", world_restored, 0},
    {"service closed", service_closed, ENDS},
    {"service destroyed", service_destroyed, ENDS},
    {"map released first", map_released_first, ENDS},
    {NULL, NULL, 0},
};
