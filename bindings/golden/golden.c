/* SPDX-License-Identifier: MIT */
/* The work that each binding does in its own language, and each machine: golden MAP. Prints two hashes; they are the
 * same everywhere. bindings/README.md says in words what is done. */
#include <stdio.h>
#include <stdlib.h>
#include <wend/wend.h>
#include <wend/agents.h>

enum { REQUESTS = 300, AGENTS = 200, FRAMES = 200, BUDGET = 20000, SPEED = 1000 };

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
    need(wend_service_destroy(service));
    wend_map_release(map);
}
