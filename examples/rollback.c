/* SPDX-License-Identifier: MIT */
/* Rollback: a client gets orders eight frames late. In each frame it goes back and plays those frames again. */
#include <stdio.h>
#include <string.h>
#include <wend/agents.h>
#include <wend/save.h>
#include <wend/wend.h>

enum { SIDE = 48, AGENTS = 100, LATE = 8, KEPT = LATE + 1, FRAMES = 300, ROOM = 1 << 16 };

typedef struct game {
    wend_map *map;
    wend_service *service;
    wend_crowd *crowd;
    wend_agent_id ids[AGENTS];
    unsigned char saves[KEPT][3 * ROOM]; /* of map, service and crowd as each of the last frames began */
    size_t bytes[KEPT][3];
    wend_point points[KEPT][AGENTS];
} game;

static int open_game(game *g) {
    wend_map_def map;
    wend_service_def service;
    wend_crowd_def crowd;
    wend_agent_def agent;
    wend_map_def_init(&map, sizeof map), wend_service_def_init(&service, sizeof service);
    wend_crowd_def_init(&crowd, sizeof crowd), wend_agent_def_init(&agent, sizeof agent);
    map.width = map.height = SIDE;
    int bad = wend_map_create(&map, &g->map) || wend_service_create(&service, &g->service);
    crowd.agents = AGENTS, crowd.map = g->map, crowd.service = g->service;
    bad = bad || wend_crowd_create(&crowd, &g->crowd);
    for (int i = 0; i < AGENTS && !bad; i++) {
        agent.cell = (wend_cell){i % 10 * 4, i / 10 * 4, 0};
        bad = wend_crowd_add(g->crowd, &agent, &g->ids[i]);
    }
    return bad;
}

static int keep(game *g, int at) {
    wend_crowd_view view = {.struct_bytes = sizeof view};
    wend_crowd_get_view(g->crowd, &view);
    memcpy(g->points[at], view.points, sizeof g->points[at]);
    const wend_save_host host = {.struct_bytes = sizeof host, .maps = &g->map, .map_count = 1};
    return wend_map_save_state(g->map, g->saves[at], ROOM, &g->bytes[at][0]) ||
           wend_service_save_state(g->service, &host, g->saves[at] + ROOM, ROOM, &g->bytes[at][1]) ||
           wend_crowd_save_state(g->crowd, g->saves[at] + 2 * ROOM, ROOM, &g->bytes[at][2]);
}

static int go_back(game *g, int at) {
    const wend_save_host host = {.struct_bytes = sizeof host, .maps = &g->map, .map_count = 1};
    return wend_map_restore_state(g->map, g->saves[at], g->bytes[at][0]) ||
           wend_service_restore_state(g->service, &host, g->saves[at] + ROOM, g->bytes[at][1]) ||
           wend_crowd_restore_state(g->crowd, &host, g->saves[at] + 2 * ROOM, g->bytes[at][2]);
}

/* Each frame has one order. A client that does not have it yet guesses that there is none. */
static int play(game *g, int frame, int has_order) {
    wend_crowd_goal goal;
    wend_crowd_goal_init(&goal, sizeof goal);
    goal.cell = (wend_cell){frame * 7 % SIDE, frame * 11 % SIDE, 0};
    return keep(g, frame % KEPT) || (has_order && wend_crowd_go(g->crowd, &g->ids[frame * 13 % AGENTS], 1, &goal)) ||
           wend_service_tick(g->service, NULL, NULL) || wend_crowd_update(g->crowd, 1000);
}

int main(void) {
    static game server, client;
    int same = 0, bad = open_game(&server) || open_game(&client);
    for (int now = 0; now < FRAMES && !bad; now++) {
        const int late = now < LATE ? 0 : now - LATE; /* the frame whose order comes in now */
        bad = play(&server, now, 1) || (now > 0 && go_back(&client, late % KEPT));
        for (int f = late; f <= now && !bad; f++) bad = play(&client, f, f <= now - LATE);
        same += memcmp(server.points[late % KEPT], client.points[late % KEPT], sizeof *server.points) == 0;
    }
    printf("%d frames were played with %d back: %d as on the server\n", FRAMES, LATE, same);
    return same < FRAMES;
}
