/* SPDX-License-Identifier: MIT */
/* check_save [TRIALS [SEED]]: random crowds in random worlds of every kind run for a while and are saved. Then the same
 * orders are given three times: as if nothing had been saved, after a restore into new objects, and after one into
 * the same. Each frame of all three must be the same, byte for byte. Exits 1 and prints the seed at
 * the first that is not. */
#include "agents/manners/traffic_state.h"
#include "agents/state/crowd_state.h"
#include "base/hash.h"
#include "crowd/check_crowd.h"
#include "map/version/layers.h"
#include "models/options.h"

#include <string.h>
#include <wend/agents.h>
#include <wend/body.h>
#include <wend/boxes.h>
#include <wend/layers.h>
#include <wend/save.h>
#include <wend/units.h>
#include <wend/ways.h>

enum { FRAMES = 120, SAVE_BYTES = 1 << 20 };

/// Three objects that are saved and restored together.
typedef struct game {
    wend_map *map;
    wend_service *service;
    wend_crowd *crowd;
    uint64_t events;   ///< a hash of all events and completions so far
    struct game *twin; ///< where frames are saved: restored into this one; NULL: into none
} game;

typedef struct save {
    uint8_t map[SAVE_BYTES], service[SAVE_BYTES], crowd[SAVE_BYTES];
    size_t map_bytes, service_bytes, crowd_bytes;
} save;

static uint64_t seed_now;
static uint32_t fields_now;
static bool budgets_now; ///< frames have budgets, and more requests
static bool saves_now;   ///< each frame is saved behind its orders
static uint64_t bodies_saved;

static void must(wend_error error, const char *what) {
    if (!error) return;
    fprintf(stderr, "seed %llu: %s: %s: %s\n", (unsigned long long)seed_now, what, wend_error_name(error),
            wend_error_detail(error));
    exit(1);
}

/* ---- the state of a frame ---- */

static void hear_event(void *context, const wend_agent_event *event) {
    game *g = context;
    const int32_t what[] = {event->event, event->why, event->cell.x, event->cell.y, event->cell.z};
    for (unsigned i = 0; i < 5; i++) g->events = wend__hash_u32(g->events, (uint32_t)what[i]);
    g->events = wend__hash_u64(g->events, (uint64_t)event->agent.index << 32 | event->agent.generation);
    g->events = wend__hash_u64(wend__hash_u64(g->events, event->update), (uint64_t)(uintptr_t)event->context);
}

static void hear_answer(void *context, const wend_completion *done) {
    game *g = context;
    g->events = wend__hash_answer(g->events, done->number, done->status, done->cost, done->cells, done->cell_count);
    g->events = wend__hash_u64(g->events, (uint64_t)done->ticket.index << 32 | done->ticket.generation);
}

/// The state of a frame, by parts, so that a report can name the parts that differ.
typedef struct shown {
    uint64_t events, agents, bodies, expansions, frame;
    wend_crowd_stats stats;
} shown;

static uint64_t show_bodies(const game *g) {
    uint64_t hash = WEND__HASH_START;
    for (uint32_t i = 0; i < g->crowd->used; i++) {
        wend_body_state body = {.struct_bytes = sizeof body};
        if (wend_crowd_get_body(g->crowd, (wend_agent_id){i, g->crowd->agents[i].generation}, &body)) continue;
        const int32_t what[] = {
            body.exact_at.x, body.exact_at.y, body.exact_velocity.x, body.exact_velocity.y,     body.facing.x,
            body.facing.y,   body.state,      (int32_t)body.waited,  (int32_t)body.radius_milli};
        for (unsigned k = 0; k < sizeof what / sizeof *what; k++) hash = wend__hash_u32(hash, (uint32_t)what[k]);
    }
    return hash;
}

static shown show_frame(const game *g, const wend_frame *frame) {
    wend_crowd_view view = {.struct_bytes = sizeof view};
    shown out = {.events = g->events, .agents = WEND__HASH_START, .stats = {.struct_bytes = sizeof out.stats}};
    wend_crowd_get_view(g->crowd, &view);
    wend_crowd_get_stats(g->crowd, &out.stats);
    for (uint32_t i = 0; i < view.count; i++) {
        const wend_cell cell = view.cells[i];
        const wend_point point = view.points[i];
        const int32_t what[] = {cell.x, cell.y, cell.z, point.x, point.y, point.z, view.states[i]};
        out.agents = wend__hash_u64(out.agents, (uint64_t)view.ids[i].index << 32 | view.ids[i].generation);
        for (unsigned k = 0; k < 7; k++) out.agents = wend__hash_u32(out.agents, (uint32_t)what[k]);
        out.agents = wend__hash_bytes(out.agents, view.facings + 3 * i, 3);
    }
    out.bodies = show_bodies(g);
    out.frame = wend__hash_u64(wend__hash_u64(WEND__HASH_START, frame->frame), frame->deliveries);
    out.frame = wend__hash_u64(wend__hash_u64(out.frame, frame->intakes), wend_map_get_epoch(g->map));
    out.expansions = wend__hash_u64(frame->expansions, frame->rounds);
    return out;
}

static void compare(const shown *a, const shown *b, int frame) {
    static const char *const parts[] = {"events",     "agents", "counts of the frame",
                                        "expansions", "bodies", "counts of the crowd"};
    const bool differs[] = {a->events != b->events, a->agents != b->agents,
                            a->frame != b->frame,   a->expansions != b->expansions,
                            a->bodies != b->bodies, memcmp(&a->stats, &b->stats, sizeof a->stats) != 0};
    bool any = false;
    for (int k = 0; k < 6; k++) {
        if (differs[k])
            fprintf(stderr, "seed %llu, frame %d: other %s (%u fields)\n", (unsigned long long)seed_now, frame,
                    parts[k], fields_now);
        any |= differs[k];
    }
    if (any) exit(1);
}

/* ---- orders, the same for all games in the same state ---- */

static wend_cell any_place(const trial *t, oracle_random *random) {
    return world_cell(&t->w, oracle_below(random, t->w.cells));
}

static bool any_agent(const game *g, oracle_random *random, wend_agent_id *id) {
    if (g->crowd->used == 0) return false;
    const uint32_t index = (uint32_t)oracle_below(random, (int)g->crowd->used);
    *id = (wend_agent_id){index, g->crowd->agents[index].generation};
    return g->crowd->phase[index] != WEND__PHASE_ABSENT;
}

static void ask(const trial *t, game *g, oracle_random *random) {
    wend_request request = default_request();
    request.map = g->map, request.start = any_place(t, random), request.goal = any_place(t, random);
    request.urgency = oracle_below(random, 5);
    request.agent = oracle_below(random, 2) ? (uint64_t)oracle_below(random, 3) : WEND_NO_AGENT;
    request.on_done = hear_answer, request.context = g;
    wend_ticket ticket;
    if (wend_service_submit(g->service, &request, &ticket)) return;
    if (oracle_below(random, 4) == 0) (void)wend_service_cancel(g->service, ticket);
}

/* Returns whether agents get bodies: where these can move, and in every second trial. */
static bool has_bodies(const game *g) {
    return seed_now % 2 == 1 && info_now(g->map).kind == WEND_KIND_GRID && !wend__map_hexagons(g->map);
}

/* Gives an agent a body, takes it away, or puts it elsewhere, as the host does that moves it. */
static void order_body(game *g, oracle_random *random, wend_agent_id id, int kind) {
    wend_body_state at = {.struct_bytes = sizeof at};
    wend_body_def def = default_body();
    if (oracle_below(random, 2)) def.radius_milli = WEND_MIN_RADIUS_MILLI + (uint32_t)oracle_below(random, 390);
    if (oracle_below(random, 2)) def.turn_degrees = 1 + (uint32_t)oracle_below(random, 180);
    if (oracle_below(random, 4) == 0) def.turning_radius_milli = (uint32_t)oracle_below(random, 2000);
    if (kind == 0) (void)wend_crowd_set_body(g->crowd, id, NULL);
    if (kind > 1) (void)wend_crowd_set_body(g->crowd, id, &def);
    if (kind != 1 || wend_crowd_get_body(g->crowd, id, &at)) return;
    at.exact_at.x += oracle_below(random, WEND_BODY_UNITS) - WEND_BODY_UNITS / 2;
    (void)place_rounded(g->crowd, id, at.exact_at, (wend_body_vector){0, 0});
}

/* ---- orders to agents ---- */

enum { ROUTES_HERE = 6, SOME = 6 };

static size_t some_agents(const game *g, oracle_random *random, wend_agent_id *ids) {
    size_t count = 0;
    for (uint32_t i = (uint32_t)oracle_below(random, (int)g->crowd->used + 1); i < g->crowd->used && count < SOME; i++)
        if (g->crowd->phase[i] != WEND__PHASE_ABSENT) ids[count++] = (wend_agent_id){i, g->crowd->agents[i].generation};
    return count;
}

static void send_agents(const trial *t, game *g, oracle_random *random, wend_agent_id id) {
    wend_agent_id ids[SOME], other;
    wend_crowd_goal goal = default_crowd_goal();
    goal.cell = any_place(t, random);
    goal.reach = oracle_below(random, 4) ? 0 : oracle_below(random, 4);
    if (t->w.kind == WEND_KIND_GRID && oracle_below(random, 2))
        goal.formation = oracle_below(random, 5), goal.pace = oracle_below(random, 2);
    const int kind = oracle_below(random, 4);
    if (kind == 0 && any_agent(g, random, &other)) {
        goal.kind = t->w.kind != WEND_KIND_GRAPH && oracle_below(random, 2) ? WEND_CROWD_FLEE : WEND_CROWD_FOLLOW;
        goal.target = other, goal.distance = 1 + oracle_below(random, 6), goal.keep = oracle_below(random, 2);
    }
    if (kind == 1)
        (void)wend_crowd_go(g->crowd, ids, some_agents(g, random, ids), &goal);
    else
        (void)wend_crowd_go(g->crowd, &id, 1, &goal);
}

/* Routes are added until there are some; an agent takes one, which has a copy for each mover. */
static void take_route(const trial *t, game *g, oracle_random *random, wend_agent_id id) {
    wend_cell corners[5];
    wend_route_def def = default_route();
    def.mode = oracle_below(random, 3);
    def.corners = corners, def.corner_count = 1 + (uint32_t)oracle_below(random, 5);
    for (uint32_t i = 0; i < def.corner_count; i++) corners[i] = any_place(t, random);
    if (g->crowd->routes.count < ROUTES_HERE) (void)wend_crowd_add_route(g->crowd, &def, NULL);
    if (g->crowd->routes.count > 0)
        (void)wend_crowd_patrol(g->crowd, id, (uint32_t)oracle_below(random, (int)g->crowd->routes.count));
}

static void change_agent(const trial *t, game *g, oracle_random *random, wend_agent_id id) {
    wend_agent_id ids[SOME];
    const size_t count = some_agents(g, random, ids);
    const int kind = oracle_below(random, 7), profiles = g->map->tolls ? (int)g->map->tolls->profile_count : 0;
    if (kind < 2) (void)wend_crowd_set_mover(g->crowd, &id, 1, oracle_below(random, t->w.mover_count));
    if (kind == 2) (void)wend_crowd_set_mover(g->crowd, ids, count, oracle_below(random, t->w.mover_count));
    if (kind == 3) (void)wend_crowd_set_speed(g->crowd, id, 100 + (uint32_t)oracle_below(random, 900));
    if (kind == 4) (void)wend_crowd_set_urgency(g->crowd, id, oracle_below(random, 21) - 10);
    if (kind == 5) (void)wend_crowd_wait_for(g->crowd, id, ids, count < WEND_MAX_WAITED_FOR ? count : 0);
    if (kind == 6) (void)wend_crowd_set_profile(g->crowd, ids, count, oracle_below(random, profiles + 1));
}

/* ---- orders to the world ---- */

static wend_box any_box(const trial *t, oracle_random *random) {
    const wend_cell a = any_place(t, random), b = oracle_below(random, 2) ? any_place(t, random) : a;
    return (wend_box){{a.x < b.x ? a.x : b.x, a.y < b.y ? a.y : b.y, a.z < b.z ? a.z : b.z},
                      {a.x > b.x ? a.x : b.x, a.y > b.y ? a.y : b.y, a.z > b.z ? a.z : b.z}};
}

/* Adds layers and profiles; no call removes any. */
static void add_layers(wend_map *map, oracle_random *random) {
    wend_layer_def def = {.struct_bytes = sizeof def};
    for (int32_t layer; oracle_below(random, 2);) {
        def.half_life = (uint32_t)oracle_below(random, 4);
        must(wend_map_add_layer(map, &def, &layer), "layer");
        const wend_layer_weight weight = {layer, 1 + oracle_below(random, 40)};
        must(wend_map_add_profile(map, &weight, 1, NULL), "profile");
    }
}

/* Values that fade leave planes of zeros behind. */
static void change_layer(const trial *t, game *g, oracle_random *random) {
    const int kind = oracle_below(random, 4), radius = t->w.kind == WEND_KIND_GRAPH ? 0 : oracle_below(random, 4);
    if (!g->map->tolls) return;
    const int32_t layer = oracle_below(random, (int)g->map->tolls->layers->count);
    const uint8_t value = (uint8_t)(oracle_below(random, 2) * oracle_below(random, 256));
    const wend_cell at = any_place(t, random);
    if (kind == 0) (void)wend_map_update_layers(g->map, 1 + (uint32_t)oracle_below(random, 9));
    if (kind == 1 || kind == 2) (void)wend_map_add_layer_disc(g->map, layer, at, radius, 1 + oracle_below(random, 255));
    if (kind == 3) (void)wend_map_set_layer_box(g->map, layer, (wend_box){at, at}, &value, 1);
}

static void change_ways(const trial *t, game *g, oracle_random *random) {
    const wend_cell from = any_place(t, random), to = any_place(t, random);
    const int kind = oracle_below(random, 4), open = oracle_below(random, 2);
    wend_cell near;
    wend_edit *edit;
    const bool step = t->w.kind != WEND_KIND_GRAPH && world_neighbour(&t->w, from, oracle_below(random, 27), &near);
    if (t->far || wend_edit_begin(g->map, &edit)) return;
    if (kind == 0) (void)wend_edit_add_link(edit, &(wend_link){from, to, 1 + oracle_below(random, 60), 0});
    if (kind == 1) (void)wend_edit_remove_link(edit, from, to);
    if (kind > 1 && step) (void)wend_edit_set_step(edit, from, near, open);
    (void)wend_edit_publish(edit, NULL);
}

static void change_world(const trial *t, game *g, oracle_random *random) {
    const wend_cell cell = any_place(t, random);
    const int kind = oracle_below(random, 8);
    uint32_t units = 0;
    wend_map_get_occupants(g->map, cell, &units);
    if (kind < 3)
        (void)wend_map_set_cell(g->map, cell, oracle_below(random, 3) ? WEND_CLASS_OPEN : WEND_CLASS_BLOCKED, NULL);
    else if (kind == 3 && units == 0)
        (void)wend_map_occupy(g->map, cell);
    else if (kind == 4)
        (void)wend_crowd_clear_box(g->crowd, any_box(t, random));
    else if (kind == 5 && g->crowd->traffic->boxes.count > 0)
        (void)wend_crowd_release_box(g->crowd, g->crowd->traffic->boxes.of[0]);
    else if (kind == 6)
        change_ways(t, g, random);
    else if (kind == 7)
        change_layer(t, g, random);
}

static void add_agent(const trial *t, game *g, oracle_random *random) {
    wend_agent_def def = default_agent();
    def.cell = any_place(t, random);
    def.mover = oracle_below(random, 2) * oracle_below(random, t->w.mover_count);
    def.context = (void *)(uintptr_t)7;
    (void)wend_crowd_add(g->crowd, &def, NULL);
}

static void order(const trial *t, game *g, oracle_random *random) {
    wend_agent_id id;
    const int kind = oracle_below(random, has_bodies(g) ? 22 : 19);
    if (kind < 3) {
        change_world(t, g, random);
    } else if (kind == 3) {
        ask(t, g, random);
    } else if (kind == 4) {
        add_agent(t, g, random);
    } else if (any_agent(g, random, &id)) {
        if (kind < 9) send_agents(t, g, random, id);
        if (kind == 9) (void)wend_crowd_step(g->crowd, id, any_place(t, random));
        if (kind > 9 && kind < 13) take_route(t, g, random, id);
        if (kind == 13) (void)wend_crowd_remove(g->crowd, id);
        if (kind == 14) (void)wend_crowd_halt(g->crowd, &id, 1);
        if (kind > 14 && kind < 18) change_agent(t, g, random, id);
        if (kind == 18) (void)wend_crowd_move(g->crowd, id, any_place(t, random));
        if (kind > 18) order_body(g, random, id, oracle_below(random, 5));
    }
}

/* ---- saving and restoring ---- */

static void *agent_context(void *context, wend_agent_id id) {
    (void)context;
    return (void *)(uintptr_t)(id.index + 1000 * id.generation);
}

static void answer_context(void *context, wend_ticket ticket, wend_request *request) {
    (void)ticket;
    request->on_done = hear_answer, request->context = context;
}

static wend_save_host host_of(game *g) {
    wend_save_host host;
    wend_save_host_init(&host, sizeof host);
    host.maps = &g->map, host.map_count = 1, host.context = g;
    host.request = answer_context, host.agent = agent_context;
    return host;
}

static void save_game(game *g, save *s) {
    const wend_save_host host = host_of(g);
    must(wend_map_save_state(g->map, s->map, sizeof s->map, &s->map_bytes), "save map");
    must(wend_service_save_state(g->service, &host, s->service, sizeof s->service, &s->service_bytes), "save service");
    must(wend_crowd_save_state(g->crowd, s->crowd, sizeof s->crowd, &s->crowd_bytes), "save crowd");
}

static void restore_game(game *g, const save *s) {
    const wend_save_host host = host_of(g);
    must(wend_map_restore_state(g->map, s->map, s->map_bytes), "restore map");
    must(wend_service_restore_state(g->service, &host, s->service, s->service_bytes), "restore service");
    must(wend_crowd_restore_state(g->crowd, &host, s->crowd, s->crowd_bytes), "restore crowd");
}

static void same_bytes(const char *what, const uint8_t *a, size_t a_bytes, const uint8_t *b, size_t b_bytes) {
    size_t at = 32; /* behind the checksum */
    while (at < a_bytes && at < b_bytes && a[at] == b[at]) at++;
    if (at == a_bytes && at == b_bytes) return;
    fprintf(stderr, "seed %llu: the %s is saved as other bytes from %zu of %zu, %zu on\n", (unsigned long long)seed_now,
            what, at, a_bytes, b_bytes);
    exit(1);
}

/* Checks that a save after a restore has the same bytes. */
static void check_saves(game *g, const save *s) {
    static save again;
    save_game(g, &again);
    same_bytes("map", s->map, s->map_bytes, again.map, again.map_bytes);
    same_bytes("service", s->service, s->service_bytes, again.service, again.service_bytes);
    same_bytes("crowd", s->crowd, s->crowd_bytes, again.crowd, again.crowd_bytes);
}

/* A restore takes any state that a world may be in. */
static void save_frame(game *g) {
    static save s;
    save_game(g, &s);
    if (!g->twin) return;
    restore_game(g->twin, &s);
    check_saves(g->twin, &s);
}

/* ---- frames ---- */

static shown run_frame(const trial *t, game *g, oracle_random *random) {
    wend_frame frame = {.struct_bytes = sizeof frame};
    for (int orders = oracle_below(random, 3); orders > 0; orders--) order(t, g, random);
    for (int asked = budgets_now ? oracle_below(random, 6) : 0; asked > 0; asked--) ask(t, g, random);
    if (saves_now) save_frame(g);
    wend_budget budget = default_budget();
    if (budgets_now) budget.expansions = 1 + (uint64_t)oracle_below(random, 500);
    must(wend_service_tick(g->service, &budget, &frame), "tick");
    must(wend_crowd_update(g->crowd, 200 + (uint32_t)oracle_below(random, 1000), NULL, NULL), "update");
    wend_agent_event event = {.struct_bytes = sizeof event};
    while (t->polls && wend_crowd_poll(g->crowd, &event) == WEND_OK) hear_event(g, &event);
    return show_frame(g, &frame);
}

/* Most agents get bodies, and go. */
static void fill_bodies(const trial *t, game *g, oracle_random *random) {
    for (uint32_t i = 0; i < g->crowd->used && has_bodies(g); i++)
        if (g->crowd->phase[i] != WEND__PHASE_ABSENT)
            order_body(g, random, (wend_agent_id){i, g->crowd->agents[i].generation}, oracle_below(random, 5));
    for (int frames = has_bodies(g) ? oracle_below(random, 200) : 0; frames > 0; frames--) run_frame(t, g, random);
}

/* Objects as the host of a trial makes them, with the world as it was at first. */
static game make_game(const trial *t, const world *first) {
    game g = {.map = world_map(first)};
    wend_acceleration fast = default_acceleration();
    fast.far = 1;
    for (; t->far && fast.mover < first->mover_count; fast.mover++)
        must(wend_map_accelerate(g.map, &fast), "accelerate");
    must(wend_service_create(&t->service->def, &g.service), "service");
    wend_crowd_def def = t->crowd->def;
    def.map = g.map, def.service = g.service;
    must(wend_crowd_create(&def, &g.crowd), "crowd");
    return g;
}

static void listen_to(const trial *t, game *g) {
    g->crowd->def.on_event = t->polls ? NULL : hear_event;
    g->crowd->def.context = g;
    wend__event_queue *events = &g->crowd->events;
    for (uint32_t i = 0; i < g->crowd->used; i++) /* as a restore sets them */
        wend__agent_touch(g->crowd, i)->context = agent_context(g, (wend_agent_id){i, g->crowd->agents[i].generation});
    for (uint32_t i = events->first; i < events->count; i++)
        if (events->of[i].event != WEND_AGENT_EVENT_CLEAR)
            events->of[i].context = agent_context(g, events->of[i].agent);
}

static void play(const trial *t, game *g, oracle_random random, shown *frames, bool first) {
    for (int i = 0; i < FRAMES; i++) {
        const shown now = run_frame(t, g, &random);
        if (first)
            frames[i] = now;
        else if (!t->far) /* landmarks are those of the target map */
            compare(&frames[i], &now, i);
    }
}

static void run_trial(trial *t, uint64_t seed) {
    static save s;
    static world first;
    static shown frames[FRAMES];
    seed_now = seed;
    trial_open(t, seed);
    world_copy(&first, &t->w);
    fields_now = t->crowd->tuning.fields;
    if (seed % 4 == 0) trial_crowd(t);
    add_layers(t->map, &t->random);
    const int operations = oracle_below(&t->random, 300);
    for (int i = 0; i < operations; i++) trial_operate(t);
    game own = {t->map, t->service, t->crowd, 0, NULL};
    listen_to(t, &own);
    fill_bodies(t, &own, &t->random);
    budgets_now = seed % 2 == 1; /* else no search is left unfinished */
    for (int i = 0; i < 2; i++) run_frame(t, &own, &t->random);
    budgets_now = false;
    for (int i = 0; i < 3; i++) order(t, &own, &t->random);
    listen_to(t, &own);
    own.events = 0;
    save_game(&own, &s);
    bodies_saved += own.crowd->body_count;
    game other = make_game(t, &first);
    listen_to(t, &other);
    restore_game(&other, &s);
    check_saves(&other, &s);
    oracle_random random = t->random;
    random.state ^= seed;
    budgets_now = seed % 3 == 0, saves_now = seed % 5 < 2;
    own.twin = &other;
    play(t, &own, random, frames, true);
    own.twin = NULL;
    restore_game(&other, &s);
    other.events = 0;
    play(t, &other, random, frames, false);
    own.events = 0;
    restore_game(&own, &s);
    check_saves(&own, &s);
    play(t, &own, random, frames, false);
    budgets_now = saves_now = false;
    must(wend_crowd_destroy(other.crowd), "destroy"), must(wend_service_destroy(other.service), "destroy");
    wend_map_release(other.map);
    trial_close(t);
}

int main(int argc, char **argv) {
    static trial t;
    const uint64_t trials = argc > 1 ? strtoull(argv[1], NULL, 10) : 60;
    uint64_t seed = argc > 2 ? strtoull(argv[2], NULL, 10) : 1;
    if (argc < 2) run_trial(&t, 2052); /* a route's copy for a second mover, made while agents waited at its end */
    for (uint64_t i = 0; i < trials; i++) run_trial(&t, seed + i);
    printf("%llu saves with %llu bodies, each restored into new objects and into its own: %d equal frames each\n",
           (unsigned long long)trials, (unsigned long long)bodies_saved, FRAMES);
    return trials >= 60 && bodies_saved == 0;
}
