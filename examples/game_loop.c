/* SPDX-License-Identifier: MIT */
/* A small game server: a crowd wanders about a map at 60 Hz, and agents near the player get their paths first.
   game_loop [FRAMES]: stops after FRAMES frames of the game, 120 by default. */
#define _GNU_SOURCE 1 /* uv.h needs POSIX, which -std=c11 alone hides */
#include <stdio.h>
#include <stdlib.h>
#include <wend/uv.h>
#include <wend/agents.h>
#include <wend/crowd_tuning.h>
#include <wend/query.h>

enum { SIDE = 192, AGENTS = 300, WALLS = 300, FRAME_MS = 16, FIRST_FRAMES = 30, UPDATE_US = 4000 };

typedef struct game {
    wend_map *map;
    wend_service *service;
    wend_crowd *crowd;
    wend_uv *paths;
    uv_timer_t timer;
    wend_cell player;
    uint64_t seed;
    long frame, frames;
    wend_agent_id agents[AGENTS];
    wend_update_budget update; ///< of the crowd: microseconds
} game;

static int32_t dice(game *g, int32_t sides) {
    g->seed = g->seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (int32_t)((g->seed >> 33) % (uint64_t)sides);
}

static void wander(game *g, wend_agent_id id, wend_cell from) {
    wend_crowd_goal goal;
    wend_crowd_goal_init(&goal, sizeof goal);
    if (wend_map_random_cell(g->map, WEND_MOVER_DEFAULT, from, g->seed++, &goal.cell) == WEND_OK)
        wend_crowd_go(g->crowd, &id, 1, &goal);
}

/* Sends the agent to its next goal, however the last one ended. */
static void on_event(void *context, const wend_agent_event *event) {
    if (event->event != WEND_AGENT_EVENT_REROUTED) wander(context, event->agent, event->cell);
}

/* Makes agents close to the player more urgent: 450 next to the player, 0 from 150 cells on. */
static void set_urgency(game *g, wend_agent_id id) {
    wend_agent_state state = {.struct_bytes = sizeof state};
    wend_crowd_get_agent(g->crowd, id, &state);
    int32_t dx = abs(state.cell.x - g->player.x), dy = abs(state.cell.y - g->player.y), far = dx > dy ? dx : dy;
    wend_crowd_set_urgency(g->crowd, id, far < 150 ? 450 - 3 * far : 0);
}

/* Sets how much of each frame searches get, in expansions. */
static void set_searches(game *g, uint64_t expansions) {
    wend_budget budget;
    wend_budget_init(&budget, sizeof budget);
    budget.expansions = expansions;
    wend_uv_set_budget(g->paths, &budget);
}

static void report(const game *g) {
    wend_crowd_stats counts = {.struct_bytes = sizeof counts};
    wend_uv_stats pace = {.struct_bytes = sizeof pace};
    wend_crowd_get_stats(g->crowd, &counts);
    wend_uv_get_stats(g->paths, &pace);
    printf("frames %ld, %llu steps, %llu searches, %u of %d agents walking\n", g->frame,
           (unsigned long long)counts.steps, (unsigned long long)counts.searches_begun,
           (unsigned)counts.states[WEND_AGENT_WALKING], AGENTS);
    printf("paths were searched in %llu frames, the latest %.1f ms late\n", (unsigned long long)pace.frames,
           (double)pace.late_ns_max / 1e6);
}

/* Runs a frame of the game. Between frames the adapter searches paths while requests wait. */
static void game_step(uv_timer_t *timer) {
    game *g = timer->data;
    g->player.x = SIDE / 6 + (int32_t)(g->frame % (SIDE * 2 / 3));
    for (int i = (int)(g->frame % 8); i < AGENTS; i += 8) set_urgency(g, g->agents[i]);
    wend_crowd_update(g->crowd, 1000, &g->update, NULL);
    if (g->frame == FIRST_FRAMES) set_searches(g, 2000);
    if (++g->frame < g->frames) return;
    report(g);
    uv_close((uv_handle_t *)timer, NULL);
    wend_uv_detach(g->paths, NULL, NULL);
}

static wend_error make_map(game *g) {
    wend_edit *edit;
    wend_map_def def;
    wend_map_def_init(&def, sizeof def);
    def.width = def.height = SIDE;
    wend_error error = wend_map_create(&def, &g->map);
    if (error || (error = wend_edit_begin(g->map, &edit))) return error;
    for (int i = 0; i < WALLS; i++) {
        int32_t upright = dice(g, 2), length = 2 + dice(g, 12);
        wend_cell min = {dice(g, SIDE - 16), dice(g, SIDE - 16), 0};
        wend_box wall = {min, {min.x + (upright ? 1 : length), min.y + (upright ? length : 1), 0}};
        wend_edit_fill_box(edit, wall, WEND_CLASS_BLOCKED); /* an error would stick until publish */
    }
    if ((error = wend_edit_publish(edit, NULL))) return error;
    return wend_map_accelerate(g->map, NULL);
}

static wend_error make_crowd(game *g) {
    wend_service_def service;
    wend_service_def_init(&service, sizeof service);
    wend_error error = wend_service_create(&service, &g->service);
    if (error) return error;
    wend_crowd_def def;
    wend_crowd_def_init(&def, sizeof def);
    def.service = g->service, def.map = g->map, def.on_event = on_event, def.context = g;
    if ((error = wend_crowd_create(&def, &g->crowd))) return error;
    for (int i = 0; i < AGENTS; i++) {
        wend_agent_def agent;
        wend_agent_def_init(&agent, sizeof agent);
        do agent.cell = (wend_cell){dice(g, SIDE), dice(g, SIDE), 0};
        while (wend_crowd_add(g->crowd, &agent, &g->agents[i])); /* a wall or another agent is there */
        wander(g, g->agents[i], agent.cell);
    }
    return WEND_OK;
}

int main(int argc, char **argv) {
    static game g = {.seed = 42, .player = {SIDE / 6, SIDE / 2, 0}};
    g.frames = argc > 1 ? strtol(argv[1], NULL, 10) : 120;
    if (g.frames < 1) return fprintf(stderr, "usage: game_loop [FRAMES]\n"), 2;
    wend_update_budget_init(&g.update, sizeof g.update);
    g.update.us = UPDATE_US;
    wend_error failed = make_map(&g);
    if (failed || (failed = make_crowd(&g))) return fprintf(stderr, "game_loop: %s\n", wend_error_detail(failed)), 1;

    uv_loop_t *loop = uv_default_loop();
    wend_budget budget;
    wend_budget_init(&budget, sizeof budget);
    budget.expansions = 4000; /* too few for all agents at once: the urgent ones go first */
    wend_uv_def def;
    wend_uv_def_init(&def, sizeof def); /* 60 Hz */
    def.budget = &budget;
    failed = wend_uv_attach(loop, g.service, &def, &g.paths);
    if (failed) return fprintf(stderr, "game_loop: %s\n", wend_error_name(failed)), 1;
    uv_timer_init(loop, &g.timer);
    g.timer.data = &g;
    uv_timer_start(&g.timer, game_step, 0, FRAME_MS);
    uv_run(loop, UV_RUN_DEFAULT);
    wend_crowd_destroy(g.crowd);
    wend_service_destroy(g.service);
    wend_map_release(g.map);
    return uv_loop_close(loop) == 0 ? 0 : 1;
}
