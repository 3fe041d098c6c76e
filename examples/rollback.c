/* SPDX-License-Identifier: MIT */
/* Rollback: a client gets orders eight frames late. In each frame it goes back and plays those frames again. Its world
 * is in an arena, so it goes back exactly, with the searches that a budget of 600 expansions leaves unfinished. */
#include <stdio.h>
#include <string.h>
#include <wend/agents.h>
#include <wend/mark.h>
#include <wend/wend.h>

enum { SIDE = 48, AGENTS = 100, LATE = 8, KEPT = LATE + 1, FRAMES = 300 };

typedef struct game {
    wend_arena *arena;
    wend_map *map;
    wend_service *service;
    wend_crowd *crowd;
    wend_agent_id ids[AGENTS];
    wend_point points[KEPT][AGENTS]; /* as each of the last frames began */
} game;

static int open_game(game *g) {
    wend_map_def map;
    wend_service_def service;
    wend_crowd_def crowd;
    wend_agent_def agent;
    wend_map_def_init(&map, sizeof map), wend_service_def_init(&service, sizeof service);
    wend_crowd_def_init(&crowd, sizeof crowd), wend_agent_def_init(&agent, sizeof agent);
    int bad = wend_arena_create(NULL, &g->arena);
    if (bad) return bad;
    map.allocator = service.allocator = crowd.allocator = wend_arena_allocator(g->arena);
    map.width = map.height = SIDE;
    bad = wend_map_create(&map, &g->map) || wend_service_create(&service, &g->service);
    crowd.agents = AGENTS, crowd.map = g->map, crowd.service = g->service;
    bad = bad || wend_crowd_create(&crowd, &g->crowd);
    for (int i = 0; i < AGENTS && !bad; i++) {
        agent.cell = (wend_cell){i % 10 * 4, i / 10 * 4, 0};
        bad = wend_crowd_add(g->crowd, &agent, &g->ids[i]);
    }
    return bad;
}

/* Gives the five orders of a frame. A client that has not received them guesses that there are none. */
static int play(game *g, int frame, int has_orders) {
    wend_crowd_view view = {.struct_bytes = sizeof view};
    wend_agent_event event = {.struct_bytes = sizeof event};
    wend_crowd_goal goal;
    wend_budget budget;
    wend_crowd_goal_init(&goal, sizeof goal), wend_budget_init(&budget, sizeof budget);
    budget.expansions = 600;
    int bad = wend_arena_mark(g->arena, (uint32_t)frame % KEPT) || wend_crowd_get_view(g->crowd, &view);
    if (!bad) memcpy(g->points[frame % KEPT], view.points, sizeof g->points[0]);
    for (int i = 0; i < 5 && has_orders && !bad; i++) {
        goal.cell = (wend_cell){(frame * 7 + i * 19) % SIDE, (frame * 11 + i * 23) % SIDE, 0};
        bad = wend_crowd_go(g->crowd, &g->ids[(frame * 13 + i) % AGENTS], 1, &goal);
    }
    bad = bad || wend_service_tick(g->service, &budget, NULL) || wend_crowd_update(g->crowd, 1000, NULL, NULL);
    while (!bad && !wend_crowd_poll(g->crowd, &event)) continue; /* a game would show them */
    return bad;
}

int main(void) {
    static game server, client;
    int same = 0, unfinished = 0, bad = open_game(&server) || open_game(&client);
    for (int now = 0; now < FRAMES && !bad; now++) {
        const int late = now < LATE ? 0 : now - LATE; /* the frame for which the orders arrive now */
        bad = play(&server, now, 1) || (now > 0 && wend_arena_rewind(client.arena, (uint32_t)late % KEPT));
        for (int f = late; f <= now && !bad; f++) bad = play(&client, f, f <= now - LATE);
        same += memcmp(server.points[late % KEPT], client.points[late % KEPT], sizeof *server.points) == 0;
        unfinished += wend_service_get_pending(server.service) > 0;
    }
    printf("%d frames were played with %d back: %d as on the server; %d left searches unfinished\n", FRAMES, LATE, same,
           unfinished);
    return same < FRAMES;
}
