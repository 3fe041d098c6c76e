/* SPDX-License-Identifier: MIT */
/* Late join in lockstep: two peers play the same frames, with a budget that leaves searches unfinished. At frame 200
 * both save. A save settles its world: unfinished searches begin again. So a third peer that restores the save of
 * one of them goes on as they do. Prints how many frames had one hash on all. */
#include <stdio.h>
#include <stdlib.h>
#include <wend/agents.h>
#include <wend/save.h>
#include <wend/wend.h>

enum { SIDE = 256, AGENTS = 200, PEERS = 3, JOINS = 200, FRAMES = 2000, ROOM = 1 << 20 };

typedef struct peer {
    wend_map *map;
    wend_service *service;
    wend_crowd *crowd;
    unsigned char *saves[3];
    size_t bytes[3];
} peer;

static void check(wend_error error) {
    if (error) fprintf(stderr, "%s\n", wend_error_detail(error)), exit(1);
}

static uint32_t number_of(uint32_t frame, uint32_t turn) { /* random, and the same on each peer */
    uint32_t bits = (frame * 64 + turn + 1) * 2654435761u;
    bits = (bits ^ bits >> 15) * 2246822519u;
    return bits ^ bits >> 13;
}

static wend_cell cell_of(uint32_t bits) {
    return (wend_cell){(int32_t)(bits % SIDE), (int32_t)(bits / SIDE % SIDE), 0};
}

static void open_peer(peer *p) {
    wend_map_def map;
    wend_service_def service;
    wend_crowd_def crowd;
    wend_map_def_init(&map, sizeof map), wend_service_def_init(&service, sizeof service);
    wend_crowd_def_init(&crowd, sizeof crowd);
    map.width = map.height = SIDE;
    check(wend_map_create(&map, &p->map));
    check(wend_service_create(&service, &p->service));
    crowd.agents = AGENTS, crowd.map = p->map, crowd.service = p->service;
    check(wend_crowd_create(&crowd, &p->crowd));
    for (int i = 0; i < 3; i++) p->saves[i] = malloc(ROOM);
}

static void add_agents(const peer *p) {
    wend_agent_def agent;
    wend_agent_def_init(&agent, sizeof agent);
    for (int i = 0; i < AGENTS; i++) {
        agent.cell = (wend_cell){i % 20 * 12, i / 20 * 24, 0};
        check(wend_crowd_add(p->crowd, &agent, NULL));
    }
}

/* Orders, a wall now and then, and 600 expansions for all searches. @return a hash of where all agents are */
static uint64_t play(const peer *p, uint32_t frame) {
    wend_crowd_view view = {.struct_bytes = sizeof view};
    wend_crowd_goal goal;
    wend_budget budget;
    wend_agent_event event = {.struct_bytes = sizeof event};
    uint64_t hash = wend_service_get_pending(p->service);
    wend_crowd_goal_init(&goal, sizeof goal), wend_budget_init(&budget, sizeof budget);
    check(wend_crowd_get_view(p->crowd, &view));
    for (uint32_t i = 0; i < 3; i++) {
        goal.cell = cell_of(number_of(frame, i));
        check(wend_crowd_go(p->crowd, &view.ids[number_of(frame, 8 + i) % AGENTS], 1, &goal));
    }
    check(wend_map_set_cell(p->map, cell_of(number_of(frame, 20)), frame % 2 ? WEND_CLASS_BLOCKED : WEND_CLASS_OPEN,
                            NULL));
    budget.expansions = 600;
    check(wend_service_tick(p->service, &budget, NULL));
    check(wend_crowd_update(p->crowd, 1000, NULL, NULL));
    while (!wend_crowd_poll(p->crowd, &event)) hash += (uint64_t)event.event << event.agent.index % 32;
    check(wend_crowd_get_view(p->crowd, &view));
    for (uint32_t i = 0; i < view.count; i++)
        hash = (hash ^ (uint64_t)view.points[i].x << 32 ^ (uint64_t)view.points[i].y) * UINT64_C(1099511628211);
    return hash;
}

static void save(peer *p) {
    wend_save_host host;
    wend_save_host_init(&host, sizeof host);
    host.maps = &p->map, host.map_count = 1;
    check(wend_map_save_state(p->map, p->saves[0], ROOM, &p->bytes[0]));
    check(wend_service_save_state(p->service, &host, p->saves[1], ROOM, &p->bytes[1]));
    check(wend_crowd_save_state(p->crowd, p->saves[2], ROOM, &p->bytes[2]));
}

static void join(const peer *p, const peer *from) {
    wend_save_host host;
    wend_save_host_init(&host, sizeof host);
    host.maps = &p->map, host.map_count = 1;
    check(wend_map_restore_state(p->map, from->saves[0], from->bytes[0]));
    check(wend_service_restore_state(p->service, &host, from->saves[1], from->bytes[1]));
    check(wend_crowd_restore_state(p->crowd, &host, from->saves[2], from->bytes[2]));
}

int main(void) {
    static peer peers[PEERS];
    int same = 0;
    uint64_t unfinished = 0;
    for (int i = 0; i < PEERS; i++) open_peer(&peers[i]);
    add_agents(&peers[0]), add_agents(&peers[1]);
    for (uint32_t frame = 0; frame < FRAMES; frame++) {
        const int here = frame < JOINS ? 2 : 3;
        uint64_t hashes[PEERS];
        if (frame == JOINS) save(&peers[0]), save(&peers[1]), join(&peers[2], &peers[0]);
        for (int i = 0; i < here; i++) hashes[i] = play(&peers[i], frame);
        same += hashes[0] == hashes[1] && hashes[0] == hashes[here - 1];
        unfinished += wend_service_get_pending(peers[0].service) > 0;
    }
    printf("%d frames, %d with one hash on all peers; %llu left searches unfinished\n", FRAMES, same,
           (unsigned long long)unfinished);
    return same < FRAMES;
}
