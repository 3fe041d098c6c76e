/* SPDX-License-Identifier: MIT */
/* A game server at 20 Hz: guards walk their rounds, villagers go to and fro, a gate opens and closes, and the host
   moves a player among them. server [FRAMES]: 600 by default, without pauses; a real one waits between frames. */
#include <stdio.h>
#include <stdlib.h>
#include <wend/wend.h>
#include <wend/agents.h>
#include <wend/boxes.h>
#include <wend/routes.h>

static const char town[] = "type octile\nheight 7\nwidth 20\nmap\n"
                           "....................\n"
                           ".@@@@@@.@@@@@@@@@@@.\n"
                           ".@....@.@.........@.\n"
                           ".@................@.\n" /* the gate is the opening at 6,3 */
                           ".@....@.@.........@.\n"
                           ".@@@@@@.@@@@@@@@@@@.\n"
                           "....................\n";
static const wend_cell gate = {6, 3, 0}, yard = {2, 3, 0}, hall = {15, 3, 0};
static wend_map *map;
static wend_crowd *crowd;
static int arrivals;

static void check(wend_error error) {
    if (error) fprintf(stderr, "server: %s\n", wend_error_detail(error)), exit(1);
}

static wend_agent_id add(int32_t x, int32_t y) {
    wend_agent_def agent;
    wend_agent_id id;
    wend_agent_def_init(&agent, sizeof agent);
    agent.cell = (wend_cell){x, y, 0};
    check(wend_crowd_add(crowd, &agent, &id));
    return id;
}

static void send(wend_agent_id id, wend_cell cell) {
    wend_crowd_goal goal;
    wend_crowd_goal_init(&goal, sizeof goal);
    goal.cell = cell, goal.reach = 2;
    check(wend_crowd_go(crowd, &id, 1, &goal));
}

/* Villagers go to and fro. Where the closed gate stops one, it tries again. */
static void on_event(void *context, const wend_agent_event *event) {
    (void)context;
    arrivals += event->event == WEND_AGENT_EVENT_ARRIVED;
    if (event->event == WEND_AGENT_EVENT_ARRIVED || event->event == WEND_AGENT_EVENT_PARTIAL)
        send(event->agent, event->cell.x < gate.x ? hall : yard);
}

static void patrol(wend_agent_id guard) {
    static const wend_cell corners[] = {{0, 0, 0}, {19, 0, 0}, {19, 6, 0}, {0, 6, 0}};
    wend_route_def def;
    uint32_t route;
    wend_route_def_init(&def, sizeof def);
    def.mode = WEND_ROUTE_LOOP, def.corners = corners, def.corner_count = 4;
    check(wend_crowd_add_route(crowd, &def, &route));
    check(wend_crowd_patrol(crowd, guard, route));
}

static void set_gate(uint8_t terrain) {
    bool clear;
    wend_edit *edit;
    check(wend_crowd_is_clear(crowd, (wend_box){gate, gate}, &clear));
    if (!clear) return; /* the gate closes on no agent, and on none that is still leaving it */
    check(wend_edit_begin(map, &edit));
    check(wend_edit_set_cell(edit, gate, terrain));
    check(wend_edit_publish(edit, NULL));
}

int main(int argc, char **argv) {
    const int frames = argc > 1 ? atoi(argv[1]) : 600;
    wend_service_def service_def;
    wend_crowd_def crowd_def;
    wend_service *service;
    wend_budget budget;
    check(wend_map_parse(town, sizeof town - 1, NULL, &map, NULL, NULL));
    check(wend_map_accelerate(map, NULL)); /* faster searches */
    wend_service_def_init(&service_def, sizeof service_def);
    check(wend_service_create(&service_def, &service));
    wend_crowd_def_init(&crowd_def, sizeof crowd_def);
    crowd_def.service = service, crowd_def.map = map, crowd_def.on_event = on_event;
    check(wend_crowd_create(&crowd_def, &crowd));

    patrol(add(0, 0)), patrol(add(10, 6));
    send(add(3, 2), hall), send(add(3, 4), hall), send(add(12, 3), yard);
    wend_cell player = {7, 0, 0};
    const wend_agent_id hero = add(player.x, player.y);

    wend_budget_init(&budget, sizeof budget);
    budget.us = 12500; /* a quarter of the frame's time, seldom spent */
    for (int frame = 0; frame < frames; frame++) {
        if (frame % 100 == 50) set_gate(frame % 200 < 100 ? WEND_CLASS_BLOCKED : WEND_CLASS_OPEN);
        if (frame % 4 == 0 && player.y < 6) { /* the player's keys: down the street; others make way */
            wend_agent_state state = {.struct_bytes = sizeof state};
            check(wend_crowd_get_agent(crowd, hero, &state));
            player = (wend_cell){state.cell.x, state.cell.y + 1, 0};
            check(wend_crowd_step(crowd, hero, player));
        }
        check(wend_service_tick(service, &budget, NULL));  /* searches, at most the budget */
        check(wend_crowd_update(crowd, 1000, NULL, NULL)); /* all agents walk; events come */
    }
    wend_agent_state state = {.struct_bytes = sizeof state};
    check(wend_crowd_get_agent(crowd, hero, &state));
    printf("%d frames: %d arrivals; the player is at %d,%d\n", frames, arrivals, (int)state.cell.x, (int)state.cell.y);
    wend_crowd_destroy(crowd);
    wend_service_destroy(service);
    wend_map_release(map);
}
