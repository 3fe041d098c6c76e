/* SPDX-License-Identifier: MIT */
/* The work that each binding does in its own language, and each machine: golden MAP. Prints three hashes; they are the
 * same everywhere. bindings/README.md says in words what is done. */
#include <stdio.h>
#include <stdlib.h>
#include <wend/wend.h>
#include <wend/agents.h>
#include <wend/body.h>
#include <wend/layers.h>
#include <wend/routes.h>

enum { REQUESTS = 300, AGENTS = 200, FRAMES = 200, BUDGET = 20000, SPEED = 1000 };
enum { WIDE = 48, HIGH = 32, WALL = 24, GROUP = 16, GROUP_FRAMES = 300 };

static uint32_t hash, random_state;
static wend_map *map;
static wend_map_info info;
static wend_crowd *crowd;

static void need(wend_error error) {
    if (!error) return;
    fprintf(stderr, "golden: %s\n", wend_error_detail(error));
    exit(1);
}

static void begin(void) {
    hash = 2166136261u, random_state = 1;
}

static void put(uint64_t value) {
    hash = (hash ^ (uint32_t)value) * 16777619u;
}

static uint32_t draw(void) { /* xorshift32: Marsaglia, 2003 */
    random_state ^= random_state << 13;
    random_state ^= random_state >> 17;
    random_state ^= random_state << 5;
    return random_state;
}

static wend_cell open_cell(void) {
    for (;;) {
        const uint32_t one = draw();
        const wend_cell cell = {(int32_t)(one % (uint32_t)info.width), (int32_t)((one >> 16) % (uint32_t)info.height),
                                0};
        uint8_t terrain;
        need(wend_map_get_terrain(map, cell, &terrain));
        if (terrain != WEND_CLASS_BLOCKED) return cell;
    }
}

static void on_done(void *context, const wend_completion *done) {
    (void)context;
    put(done->number), put((uint64_t)done->status), put((uint64_t)done->cost), put(done->expansions);
    put(done->frames), put(done->cell_count);
    for (size_t i = 0; i < done->cell_count; i++) put((uint64_t)done->cells[i].x), put((uint64_t)done->cells[i].y);
}

static void send(wend_agent_id id) {
    wend_crowd_goal goal;
    wend_crowd_goal_init(&goal, sizeof goal);
    goal.cell = open_cell();
    need(wend_crowd_go(crowd, &id, 1, &goal));
}

static void on_event(void *context, const wend_agent_event *event) {
    (void)context;
    put((uint64_t)event->event), put(event->agent.index), put((uint64_t)event->cell.x), put((uint64_t)event->cell.y);
    put(event->update);
    if (wend_agent_event_ends_goal(event->event) && event->event != WEND_AGENT_EVENT_REPLACED) send(event->agent);
}

static void requests(wend_service *service, const wend_budget *budget) {
    begin();
    for (int i = 0; i < REQUESTS; i++) {
        wend_request request;
        wend_request_init(&request, sizeof request);
        request.map = map, request.start = open_cell(), request.goal = open_cell();
        request.urgency = i % 7, request.on_done = on_done;
        need(wend_service_submit(service, &request, NULL));
    }
    while (wend_service_get_pending(service)) need(wend_service_tick(service, budget, NULL));
    printf("requests %08lx\n", (unsigned long)hash);
}

static void walks(wend_service *service, const wend_budget *budget) {
    wend_crowd_def def;
    wend_crowd_def_init(&def, sizeof def);
    def.service = service, def.map = map, def.agents = AGENTS, def.on_event = on_event;
    need(wend_crowd_create(&def, &crowd));
    begin();
    for (int i = 0; i < AGENTS; i++) {
        wend_agent_def agent;
        wend_agent_id id;
        wend_error error;
        wend_agent_def_init(&agent, sizeof agent);
        agent.speed_milli = SPEED;
        do agent.cell = open_cell(), error = wend_crowd_add(crowd, &agent, &id);
        while (error == WEND_BUSY); /* somebody stands there */
        need(error);
        send(id);
    }
    for (int frame = 0; frame < FRAMES; frame++) {
        wend_crowd_view view = {.struct_bytes = sizeof view};
        need(wend_service_tick(service, budget, NULL));
        need(wend_crowd_update(crowd, 1000, NULL, NULL));
        need(wend_crowd_get_view(crowd, &view));
        for (uint32_t i = 0; i < view.count; i++)
            put((uint64_t)view.points[i].x), put((uint64_t)view.points[i].y), put(view.states[i]);
    }
    printf("crowd %08lx\n", (unsigned long)hash);
    need(wend_crowd_destroy(crowd));
}

/* ---- a group with bodies passes a gate and a danger; a guard goes round, a hound follows it, a hare flees ---- */

static void on_group_event(void *context, const wend_agent_event *event) {
    (void)context;
    put((uint64_t)event->event), put(event->agent.index), put(event->update);
}

static wend_map *make_field(int32_t *profile) {
    wend_map_def def;
    wend_map *field;
    wend_layer_def layer_def;
    wend_layer_weight weight = {.weight = 16};
    wend_map_def_init(&def, sizeof def);
    wend_layer_def_init(&layer_def, sizeof layer_def);
    def.width = WIDE, def.height = HIGH, layer_def.half_life = 50;
    need(wend_map_create(&def, &field));
    for (int32_t y = 0; y < HIGH; y++)
        if (y < 14 || y > 17) need(wend_map_set_cell(field, (wend_cell){WALL, y, 0}, WEND_CLASS_BLOCKED, NULL));
    need(wend_map_add_layer(field, &layer_def, &weight.layer));
    need(wend_map_add_layer_disc(field, weight.layer, (wend_cell){WALL, 12, 0}, 8, 200));
    need(wend_map_add_profile(field, &weight, 1, profile));
    return field;
}

static wend_agent_id add_agent(wend_cell cell, int32_t profile) {
    wend_agent_def def;
    wend_agent_id id;
    wend_agent_def_init(&def, sizeof def);
    def.cell = cell, def.profile = profile;
    need(wend_crowd_add(crowd, &def, &id));
    return id;
}

static void send_group(int32_t profile) {
    wend_agent_id ids[GROUP];
    wend_body_def body;
    wend_crowd_goal goal;
    wend_body_def_init(&body, sizeof body);
    wend_crowd_goal_init(&goal, sizeof goal);
    for (int32_t i = 0; i < GROUP; i++) {
        ids[i] = add_agent((wend_cell){2 + i % 4 * 2, 8 + i / 4 * 4, 0}, i % 2 ? profile : 0);
        body.radius_milli = 300 + 10 * (uint32_t)i;
        if (i % 3) need(wend_crowd_set_body(crowd, ids[i], &body));
    }
    goal.cell = (wend_cell){38, 16, 0}, goal.formation = WEND_AS_WEDGE, goal.spacing = 2;
    need(wend_crowd_go(crowd, ids, GROUP, &goal));
}

static void send_guard(void) {
    static const wend_cell corners[] = {{46, 1, 0}, {46, 30, 0}, {30, 30, 0}, {30, 1, 0}};
    const wend_agent_id guard = add_agent(corners[0], 0), hound = add_agent((wend_cell){44, 1, 0}, 0),
                        hare = add_agent((wend_cell){34, 15, 0}, 0);
    wend_route_def route;
    wend_crowd_goal goal;
    uint32_t number;
    wend_route_def_init(&route, sizeof route);
    wend_crowd_goal_init(&goal, sizeof goal);
    route.corners = corners, route.corner_count = 4, route.mode = WEND_ROUTE_LOOP;
    need(wend_crowd_add_route(crowd, &route, &number));
    need(wend_crowd_patrol(crowd, guard, number));
    goal.kind = WEND_CROWD_FOLLOW, goal.target = guard, goal.reach = 2;
    need(wend_crowd_go(crowd, &hound, 1, &goal));
    goal.kind = WEND_CROWD_FLEE, goal.distance = 8, goal.keep = true;
    need(wend_crowd_go(crowd, &hare, 1, &goal));
}

static void group(wend_service *service, const wend_budget *budget) {
    wend_crowd_def def;
    int32_t profile;
    wend_map *field = make_field(&profile);
    wend_crowd_def_init(&def, sizeof def);
    def.service = service, def.map = field, def.agents = GROUP + 3, def.on_event = on_group_event;
    need(wend_crowd_create(&def, &crowd));
    begin();
    send_group(profile), send_guard();
    for (int frame = 0; frame < GROUP_FRAMES; frame++) {
        wend_crowd_view view = {.struct_bytes = sizeof view};
        need(wend_map_update_layers(field, 1));
        need(wend_service_tick(service, budget, NULL));
        need(wend_crowd_update(crowd, 1000, NULL, NULL));
        need(wend_crowd_get_view(crowd, &view));
        for (uint32_t i = 0; i < view.count; i++) {
            put((uint64_t)view.points[i].x), put((uint64_t)view.points[i].y), put(view.states[i]);
            put((uint64_t)view.velocities[i].x), put((uint64_t)view.velocities[i].y), put(view.radii[i]);
        }
    }
    printf("group %08lx\n", (unsigned long)hash);
    need(wend_crowd_destroy(crowd));
    wend_map_release(field);
}

int main(int argc, char **argv) {
    wend_service *service;
    wend_service_def def;
    wend_budget budget;
    wend_service_def_init(&def, sizeof def);
    wend_budget_init(&budget, sizeof budget);
    budget.expansions = BUDGET;
    info.struct_bytes = sizeof info;
    need(wend_map_load(argc > 1 ? argv[1] : "data/caves512.map", NULL, &map, NULL, NULL));
    need(wend_map_accelerate(map, NULL));
    need(wend_map_get_info(map, &info));
    need(wend_service_create(&def, &service));
    requests(service, &budget);
    walks(service, &budget);
    group(service, &budget);
    need(wend_service_destroy(service));
    wend_map_release(map);
}
