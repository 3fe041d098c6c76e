/* SPDX-License-Identifier: MIT */
/* A game server in small: agents wander about a map at 60 Hz, and those near the player get their paths first.
   game_loop [FRAMES]: stops after so many frames of the game, 120 if not said. */
#define _GNU_SOURCE 1 /* uv.h asks for POSIX, which -std=c11 alone hides */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wend/uv.h>

enum { SIDE = 192, AGENTS = 300, STEPS = 1024, NEAR = 32, WALLS = 300, FRAME_MS = 16 };

typedef struct game game;

typedef struct agent {
    game *game;
    wend_cell at;
    wend_cell path[STEPS]; /* a completion's cells last only until the callback returns, so agents keep their own */
    size_t length, next;
    bool waiting;
    wend_ticket ticket;
} agent;

typedef struct waits {
    uint64_t paths, frames, longest;
} waits;

struct game {
    wend_map *map;
    wend_service *service;
    wend_uv *paths;
    uv_timer_t timer;
    wend_cell player;
    long frame, frames;
    waits near, far;
    uint64_t unreachable;
    agent agents[AGENTS];
};

static int32_t dice(int32_t sides) {
    static uint64_t state = 42;
    state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (int32_t)((state >> 33) % (uint64_t)sides);
}

static int32_t distance(wend_cell a, wend_cell b) {
    int32_t dx = abs(a.x - b.x), dy = abs(a.y - b.y);
    return dx > dy ? dx : dy;
}

/* The closer, the more urgent: 450 beside the player, 0 from 150 cells on. Whom the player can see goes before all that
   he cannot. Sight is asked for only where it can matter, as it costs in proportion to the distance. */
static int32_t urgency_of(const wend_map *map, wend_cell player, wend_cell at) {
    int32_t cells = distance(player, at), visible = 0;
    int32_t urgency = cells < 150 ? 450 - 3 * cells : 0;
    if (cells <= 2 * NEAR) wend_map_line_of_sight(map, WEND_MOVER_DEFAULT, player, at, &visible, NULL);
    return visible ? urgency + 450 : urgency;
}

static wend_cell open_cell_near(const wend_map *map, wend_cell middle, int32_t reach) {
    int32_t found = 0;
    for (;;) {
        wend_cell c = {middle.x + dice(2 * reach + 1) - reach, middle.y + dice(2 * reach + 1) - reach, 0};
        wend_cell open;
        if (wend_map_nearest_open(map, WEND_MOVER_DEFAULT, c, 8, &found, &open) == WEND_OK && found) return open;
    }
}

static void path_arrived(void *context, const wend_completion *done) {
    agent *a = context;
    game *g = a->game;
    a->waiting = false;
    if (done->status == WEND_STATUS_CANCELLED) return; /* the game is over */
    if (done->status != WEND_STATUS_FOUND) g->unreachable++;
    a->length = done->cell_count < STEPS ? done->cell_count : STEPS;
    a->next = 1; /* the first cell is the one it stands on */
    if (a->length) memcpy(a->path, done->cells, a->length * sizeof *a->path);
    waits *w = distance(g->player, a->at) <= NEAR ? &g->near : &g->far;
    w->paths++;
    w->frames += done->frames;
    if (done->frames > w->longest) w->longest = done->frames;
}

static void ask_for_path(agent *a) {
    game *g = a->game;
    wend_request request;
    wend_request_init(&request, sizeof request);
    request.map = g->map;
    request.start = a->at;
    request.goal = open_cell_near(g->map, a->at, SIDE / 3);
    request.urgency = urgency_of(g->map, g->player, a->at);
    request.on_done = path_arrived;
    request.context = a;
    a->waiting = wend_service_submit(g->service, &request, &a->ticket) == WEND_OK; /* busy: next frame again */
}

static void agent_step(agent *a) {
    game *g = a->game;
    if (a->next < a->length)
        a->at = a->path[a->next++];
    else if (!a->waiting)
        ask_for_path(a);
    else if (g->frame % 8 == 0) /* the player moves: what was far may be near now */
        wend_service_set_urgency(g->service, a->ticket, urgency_of(g->map, g->player, a->at));
}

/* The game's own frame. Paths are searched by the adapter, in between and only while somebody waits for one. */
static void game_step(uv_timer_t *timer) {
    game *g = timer->data;
    g->player.x = SIDE / 6 + (int32_t)(g->frame % (SIDE * 2 / 3));
    for (int i = 0; i < AGENTS; i++) agent_step(&g->agents[i]);
    if (++g->frame < g->frames) return;
    wend_uv_stats stats = {.struct_bytes = sizeof stats};
    wend_uv_get_stats(g->paths, &stats);
    printf("frames %ld, of them searching %llu, skipped %llu\n", g->frame, (unsigned long long)stats.frames,
           (unsigned long long)stats.skipped);
    uv_close((uv_handle_t *)timer, NULL);
    wend_uv_detach(g->paths, NULL, NULL);
}

static wend_map *make_map(void) {
    wend_map *map;
    wend_edit *edit;
    wend_map_def def;
    wend_map_def_init(&def, sizeof def);
    def.width = def.height = SIDE;
    if (wend_map_create(&def, &map) != WEND_OK || wend_edit_begin(map, &edit) != WEND_OK) return NULL;
    for (int i = 0; i < WALLS; i++) {
        bool upright = dice(2);
        wend_cell min = {dice(SIDE - 16), dice(SIDE - 16), 0};
        wend_box wall = {min, {min.x + (upright ? 1 : 2 + dice(12)), min.y + (upright ? 2 + dice(12) : 1), 0}};
        wend_edit_fill_box(edit, wall, WEND_CLASS_BLOCKED); /* an error would stick until publish */
    }
    if (wend_edit_publish(edit, NULL) != WEND_OK) return NULL;
    wend_map_accelerate(map, NULL); /* faster searches; without memory for it A* finds paths just as short */
    return map;
}

static void print_waits(const char *who, const waits *w) {
    printf("%s the player: %llu paths, after %.1f frames on average, %llu at most\n", who, (unsigned long long)w->paths,
           w->paths ? (double)w->frames / (double)w->paths : 0.0, (unsigned long long)w->longest);
}

static int run(game *g) {
    uv_loop_t *loop = uv_default_loop();
    wend_uv_def def;
    wend_uv_def_init(&def, sizeof def); /* 60 Hz */
    wend_budget budget;
    wend_budget_init(&budget, sizeof budget);
    budget.expansions = 4000; /* far too few for everybody at once */
    def.budget = &budget;
    int error = wend_uv_attach(loop, g->service, &def, &g->paths);
    if (error) return fprintf(stderr, "game_loop: %s\n", uv_strerror(error)), 1;
    uv_timer_init(loop, &g->timer);
    g->timer.data = g;
    uv_timer_start(&g->timer, game_step, 0, FRAME_MS);
    uv_run(loop, UV_RUN_DEFAULT);
    print_waits("near", &g->near);
    print_waits("far from", &g->far);
    if (g->unreachable) printf("%llu goals could not be reached\n", (unsigned long long)g->unreachable);
    wend_service_destroy(g->service); /* who still waits is told: cancelled */
    wend_map_release(g->map);
    return uv_loop_close(loop) == 0 ? 0 : 1;
}

int main(int argc, char **argv) {
    static game g;
    g.frames = argc > 1 ? strtol(argv[1], NULL, 10) : 120;
    if (g.frames < 1) return fprintf(stderr, "usage: game_loop [FRAMES]\n"), 2;
    wend_service_def def;
    wend_service_def_init(&def, sizeof def);
    g.map = make_map();
    if (!g.map || wend_service_create(&def, &g.service) != WEND_OK) return fprintf(stderr, "game_loop: no memory\n"), 1;
    g.player = (wend_cell){SIDE / 6, SIDE / 2, 0};
    for (int i = 0; i < AGENTS; i++) {
        wend_cell middle = {SIDE / 2, SIDE / 2, 0};
        g.agents[i] = (agent){.game = &g, .at = open_cell_near(g.map, middle, SIDE / 2)};
    }
    return run(&g);
}
