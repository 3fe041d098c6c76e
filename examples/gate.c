/* SPDX-License-Identifier: MIT */
/* A save game: 500 agents walk to a wall with two gates. One closes. All is saved, and what follows is played twice. */
#include <stdio.h>
#include <stdlib.h>
#include <wend/save.h>
#include <wend/units.h>
#include <wend/wend.h>

enum { WIDTH = 96, HEIGHT = 64, AGENTS = 500, CLOSES = 100, SAVED = 150, FRAMES = 300, SCOUT = 7, ROOM = 1 << 18 };

static wend_map *map;
static wend_service *service;
static wend_crowd *crowd;
static uint32_t hash;

static void check(wend_error error) {
    if (error) fprintf(stderr, "gate: %s\n", wend_error_detail(error)), exit(1);
}

static void put(int64_t value) {
    hash = (hash ^ (uint32_t)value) * 16777619;
}

static void take_answer(void *context, const wend_completion *done) {
    (void)context, put(done->cost);
}

/* Reconnects a restored request, as a save holds no pointers. The host identifies it by its agent's number. */
static void resume(void *context, wend_ticket ticket, wend_request *request) {
    (void)context, (void)ticket;
    if (request->agent == SCOUT) request->on_done = take_answer;
}

/* Closes cells of the wall that no agent occupies. */
static void close_wall(int32_t first, int32_t last) {
    wend_edit *edit;
    check(wend_edit_begin(map, &edit));
    for (wend_cell cell = {48, first, 0}; cell.y <= last; cell.y++) {
        uint32_t occupants;
        check(wend_map_get_occupants(map, cell, &occupants));
        if (!occupants) check(wend_edit_set_cell(edit, cell, WEND_CLASS_BLOCKED));
    }
    check(wend_edit_publish(edit, NULL));
}

static void open_game(void) {
    wend_map_def land;
    wend_service_def queue;
    wend_crowd_def def;
    wend_agent_def body;
    wend_crowd_goal goal;
    wend_map_def_init(&land, sizeof land), wend_service_def_init(&queue, sizeof queue);
    wend_crowd_def_init(&def, sizeof def);
    wend_agent_def_init(&body, sizeof body), wend_crowd_goal_init(&goal, sizeof goal);
    land.width = WIDTH, land.height = HEIGHT;
    check(wend_map_create(&land, &map));
    check(wend_service_create(&queue, &service));
    close_wall(0, 11), close_wall(16, 47), close_wall(52, HEIGHT - 1);
    def.service = service, def.map = map, def.agents = AGENTS;
    check(wend_crowd_create(&def, &crowd));
    for (int32_t i = 0; i < AGENTS; i++) {
        wend_agent_id agent;
        body.cell = (wend_cell){i % 20 * 2, i / 20 * 2, 0};
        goal.cell = (wend_cell){WIDTH - 1 - body.cell.x, body.cell.y, 0};
        check(wend_crowd_add(crowd, &body, &agent));
        check(wend_crowd_go(crowd, &agent, 1, &goal));
    }
}

static void run(int frame, int last) {
    wend_crowd_view view = {.struct_bytes = sizeof view};
    for (hash = 2166136261; frame < last; frame++) {
        if (frame >= CLOSES) close_wall(12, 15);
        check(wend_service_tick(service, NULL, NULL));
        check(wend_crowd_update(crowd, 1000, NULL, NULL));
        check(wend_crowd_get_view(crowd, &view));
        for (uint32_t i = 0; i < view.count; i++) put(view.points[i].x), put(view.points[i].y);
    }
}

int main(void) {
    static char saves[3][ROOM];
    size_t bytes[3];
    open_game();
    const wend_save_host host = {.struct_bytes = sizeof host, .map_count = 1, .maps = &map, .request = resume};
    run(0, SAVED);
    wend_request scout;
    wend_request_init(&scout, sizeof scout);
    scout.map = map, scout.goal = (wend_cell){WIDTH - 1, 0, 0}, scout.agent = SCOUT, scout.on_done = take_answer;
    check(wend_service_submit(service, &scout, NULL));
    check(wend_map_save_state(map, saves[0], ROOM, &bytes[0]));
    check(wend_service_save_state(service, &host, saves[1], ROOM, &bytes[1]));
    check(wend_crowd_save_state(crowd, saves[2], ROOM, &bytes[2]));
    run(SAVED, FRAMES);
    const uint32_t first = hash;
    check(wend_map_restore_state(map, saves[0], bytes[0]));
    check(wend_service_restore_state(service, &host, saves[1], bytes[1]));
    check(wend_crowd_restore_state(crowd, &host, saves[2], bytes[2]));
    run(SAVED, FRAMES);
    printf("%d agents, saved in frame %d: %08x, and after a restore %08x\n", AGENTS, SAVED, first, hash);
    wend_crowd_destroy(crowd), wend_service_destroy(service), wend_map_release(map);
    return first != hash;
}
