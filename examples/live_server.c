/* SPDX-License-Identifier: MIT */
/* A game server with a loop of its own that lets people look on: agents wander, and the page shows and sends them. */
#define _GNU_SOURCE

#include <stdio.h>
#include <string.h>
#include <wend/live.h>
#include <wend/query.h>

enum { AGENTS = 200, RATE = 20 };
typedef struct game {
    wend_map *map;
    wend_service *service;
    wend_crowd *crowd;
    wend_live *live;
    const char *names[AGENTS]; /* by the index of the agent */
    char texts[AGENTS][16];
    wend_agent_id ids[AGENTS];
    uint64_t seed;
} game;
static void wander(game *g, wend_agent_id id, wend_cell from) {
    wend_crowd_goal goal;
    wend_crowd_goal_init(&goal, sizeof goal);
    wend_map_random_cell(g->map, WEND_MOVER_DEFAULT, from, g->seed++, &goal.cell);
    wend_crowd_go(g->crowd, &id, 1, &goal);
}
static void on_event(void *context, const wend_agent_event *event) {
    if (event->event != WEND_AGENT_EVENT_REROUTED) wander(context, event->agent, event->cell);
}
static void show_agents(void *context, wend_live_positions *out) { /* called only while a client watches */
    game *g = context;
    wend_crowd_view view = {.struct_bytes = sizeof view};
    wend_crowd_get_view(g->crowd, &view);
    out->count = view.count, out->names = g->names, out->cells = view.cells;
    out->points = view.points, out->states = view.states;
}
static void take_order(void *context, uint64_t reference, const wend_live_sender *sender, const wend_order *order) {
    game *g = context;
    wend_live_reply reply = {.struct_bytes = sizeof reply};
    wend_agent_id ids[AGENTS];
    size_t count = 0;
    (void)sender; /* all clients may send agents */
    if (order->kind != WEND_ORDER_GO) reply.error = WEND_LIVE_DENIED, reply.text = "agents can be sent, no more";
    for (size_t i = 0; !reply.error && i < order->go.names.count; i++)
        for (int j = 0; j < AGENTS && count < AGENTS; j++)
            if (strcmp(order->go.names.items[i].text, g->texts[j]) == 0) ids[count++] = g->ids[j];
    if (!reply.error && count == 0) reply.error = WEND_LIVE_UNKNOWN, reply.text = "there are no such agents";
    const wend_error error = reply.error ? WEND_OK : wend_crowd_go(g->crowd, ids, count, &order->go.def);
    if (error) reply.error = WEND_LIVE_BAD_ARGUMENT, reply.text = wend_error_detail(error);
    wend_live_answer(g->live, reference, &reply);
}
static void on_frame(uv_timer_t *timer) { /* the game's frame; the page costs it one call */
    game *g = timer->data;
    wend_budget budget;
    wend_frame frame = {.struct_bytes = sizeof frame};
    wend_budget_init(&budget, sizeof budget);
    budget.us = 12500; /* a quarter of the frame's time */
    wend_service_tick(g->service, &budget, &frame);
    wend_crowd_update(g->crowd, 1000, NULL, NULL);
    wend_live_send_frame(g->live, &frame, NULL);
}
static wend_error open_game(game *g, const char *file) {
    wend_service_def service;
    wend_crowd_def crowd;
    wend_service_def_init(&service, sizeof service), wend_crowd_def_init(&crowd, sizeof crowd);
    wend_error error = wend_map_load(file, NULL, &g->map, NULL, NULL);
    if (!error) error = wend_map_accelerate(g->map, NULL);
    if (!error) error = wend_service_create(&service, &g->service);
    if (error) return error;
    crowd.agents = AGENTS, crowd.map = g->map, crowd.service = g->service, crowd.on_event = on_event, crowd.context = g;
    return wend_crowd_create(&crowd, &g->crowd);
}
int main(int argc, char **argv) {
    static game g;
    static uv_timer_t timer;
    const char *why;
    wend_live_def live;
    wend_agent_def agent;
    wend_agent_id id;
    const wend_error error = open_game(&g, argc > 1 ? argv[1] : "data/caves512.map");
    if (error) return fprintf(stderr, "live_server: %s\n", wend_error_detail(error)), 1;
    wend_agent_def_init(&agent, sizeof agent);
    for (int i = 0; i < AGENTS; i++) {
        wend_map_random_cell(g.map, WEND_MOVER_DEFAULT, (wend_cell){256, 256, 0}, g.seed++, &agent.cell);
        if (wend_crowd_add(g.crowd, &agent, &id)) continue;
        snprintf(g.texts[i], sizeof g.texts[i], "a%d", i);
        g.names[id.index] = g.texts[i], g.ids[i] = id;
        wander(&g, id, agent.cell);
    }
    wend_live_def_init(&live, sizeof live);
    live.on_order = take_order, live.get_positions = show_agents, live.context = &g;
    if (wend_live_open(uv_default_loop(), &live, &g.live, &why)) return fprintf(stderr, "live_server: %s\n", why), 1;
    wend_live_set_map(g.live, g.map, NULL, 0);
    wend_live_set_service(g.live, g.service); /* without it, people may look but not ask for paths */
    printf("open http://127.0.0.1:%d/\n", wend_live_get_port(g.live));
    uv_timer_init(uv_default_loop(), &timer);
    timer.data = &g;
    uv_timer_start(&timer, on_frame, 0, 1000 / RATE);
    return uv_run(uv_default_loop(), UV_RUN_DEFAULT);
}
