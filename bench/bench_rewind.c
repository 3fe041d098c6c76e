/* SPDX-License-Identifier: MIT */
/* bench_rewind [FRAMES [AGENTS [BUDGET]]]: going back by marks (wend/mark.h) and by saves in the same game. Agents
 * wander on a dusty map of 512 x 512, preset SERVER, with requests and an edit in each seventh frame. CSV, a row for
 * marks and one for saves; times are medians of processor time in ms: of a mark (or save); of a frame with one; of a
 * hash of the world; of going back one frame, and eight; of eight frames played on; of going back eight and playing
 * them again; the ratio of these two. Then the megabytes of nine marks besides the game's own, the frames that were
 * played again, and how many of them differ from a game that never went back. Exit status 1: marks differ. */
#include "harness.h"

#include <wend/agents.h>
#include <wend/control.h>
#include <wend/crowd_tuning.h>
#include <wend/mark.h>
#include <wend/save.h>
#include <wend/service_tuning.h>

enum { SIDE = 512, BACK = 8, KEPT = BACK + 1, WARM = 60, ROOM = 16 << 20, REQUESTS = 6 };

typedef struct game {
    wend_arena *arena; ///< NULL: the game is saved
    wend_map *map;
    wend_service *service;
    wend_crowd *crowd;
    wend_agent_id *ids;
    uint32_t agents;
    uint64_t budget, hash;
    uint8_t *saves[KEPT];
    size_t bytes[KEPT][3];
} game;

static void tell(game *g, uint64_t value) {
    g->hash = (g->hash ^ value) * UINT64_C(1099511628211);
}

static void done(void *context, const wend_completion *completion) {
    game *g = context;
    tell(g, (uint64_t)completion->status), tell(g, (uint64_t)completion->cost), tell(g, completion->expansions);
}

/* ---- the game ---- */

static void open_map(game *g, wend_allocator allocator) {
    wend_map_def def = default_map();
    wend_edit *edit;
    uint64_t random = 1;
    def.width = def.height = SIDE, def.allocator = allocator;
    check(wend_map_create(&def, &g->map));
    check(wend_edit_begin(g->map, &edit));
    for (int i = 0; i < SIDE * SIDE / 10; i++)
        check(wend_edit_set_cell(edit, draw_cell(SIDE, SIDE, &random), WEND_CLASS_BLOCKED));
    check(wend_edit_publish(edit, NULL));
    check(wend_map_accelerate(g->map, NULL));
}

static void open_game(game *g, uint32_t agents, uint64_t budget, bool marked) {
    wend_service_def service;
    wend_crowd_def crowd;
    wend_agent_def agent = default_agent();
    wend_allocator allocator = {0};
    uint64_t random = 2;
    *g = (game){.agents = agents, .budget = budget};
    if (marked) check(wend_arena_create(NULL, &g->arena)), allocator = wend_arena_allocator(g->arena);
    for (int i = 0; i < KEPT && !marked; i++) g->saves[i] = malloc(3 * (size_t)ROOM);
    open_map(g, allocator);
    wend_service_def_preset(&service, sizeof service, WEND_PRESET_SERVER);
    wend_crowd_def_preset(&crowd, sizeof crowd, WEND_PRESET_SERVER);
    service.allocator = crowd.allocator = allocator;
    check(wend_service_create(&service, &g->service));
    crowd.agents = agents, crowd.map = g->map, crowd.service = g->service;
    check(wend_crowd_create(&crowd, &g->crowd));
    g->ids = malloc(agents * sizeof *g->ids);
    for (uint32_t i = 0; i < agents;) {
        agent.cell = draw_cell(SIDE, SIDE, &random);
        i += wend_crowd_add(g->crowd, &agent, &g->ids[i]) == WEND_OK;
    }
}

static void close_game(game *g) {
    check(wend_crowd_destroy(g->crowd)), check(wend_service_destroy(g->service));
    wend_map_release(g->map);
    check(wend_arena_destroy(g->arena));
    for (int i = 0; i < KEPT; i++) free(g->saves[i]);
    free(g->ids);
}

static void send_agents(game *g, uint64_t *random) {
    wend_crowd_goal goal = default_crowd_goal();
    wend_agent_state state = {.struct_bytes = sizeof state};
    for (uint32_t i = 0; i < g->agents / 250 + 1; i++) {
        const wend_agent_id id = g->ids[draw(random, g->agents)];
        check(wend_crowd_get_agent(g->crowd, id, &state));
        goal.cell.x = (state.cell.x + (int32_t)draw(random, 121) + SIDE - 60) % SIDE;
        goal.cell.y = (state.cell.y + (int32_t)draw(random, 121) + SIDE - 60) % SIDE;
        check(wend_crowd_go(g->crowd, &id, 1, &goal));
    }
}

/* Runs a frame whose calls follow from its number and the game alone. @return a hash of all answers and events */
static uint64_t run_frame(game *g, int frame) {
    uint64_t random = (uint64_t)frame * 1009 + 7;
    wend_request request = default_request();
    wend_budget budget;
    wend_agent_event event = {.struct_bytes = sizeof event};
    wend_crowd_view view = {.struct_bytes = sizeof view};
    g->hash = UINT64_C(14695981039346656037);
    request.map = g->map, request.on_done = done, request.context = g;
    for (int i = 0; i < REQUESTS; i++) {
        request.start = draw_cell(SIDE, SIDE, &random), request.goal = draw_cell(SIDE, SIDE, &random);
        const wend_error error = wend_service_submit(g->service, &request, NULL);
        if (error != WEND_BUSY) check(error);
    }
    send_agents(g, &random);
    if (frame % 7 == 3) check(wend_map_set_cell(g->map, draw_cell(SIDE, SIDE, &random), (uint8_t)(frame % 2), NULL));
    wend_budget_init(&budget, sizeof budget);
    budget.expansions = g->budget;
    check(wend_service_tick(g->service, &budget, NULL));
    check(wend_crowd_update(g->crowd, 200, NULL, NULL));
    while (wend_crowd_poll(g->crowd, &event) == WEND_OK) tell(g, (uint64_t)event.event << 32 | event.agent.index);
    check(wend_crowd_get_view(g->crowd, &view));
    for (uint32_t i = 0; i < view.count; i++) tell(g, (uint64_t)view.points[i].x << 32 ^ (uint64_t)view.points[i].y);
    tell(g, wend_service_get_pending(g->service));
    return g->hash;
}

/* ---- back ---- */

static void hold(game *g, int frame) {
    const wend_save_host host = {.struct_bytes = sizeof host, .map_count = 1, .maps = &g->map};
    uint8_t *save = g->saves[frame % KEPT];
    size_t *bytes = g->bytes[frame % KEPT];
    if (g->arena) {
        check(wend_arena_mark(g->arena, (uint32_t)frame % KEPT));
        return;
    }
    check(wend_map_save_state(g->map, save, ROOM, &bytes[0]));
    check(wend_service_save_state(g->service, &host, save + ROOM, ROOM, &bytes[1]));
    check(wend_crowd_save_state(g->crowd, save + 2 * ROOM, ROOM, &bytes[2]));
}

static void give_owner(void *context, wend_ticket ticket, wend_request *request) {
    (void)ticket;
    request->on_done = done, request->context = context;
}

static void go_back(game *g, int frame) {
    const wend_save_host host = {
        .struct_bytes = sizeof host, .map_count = 1, .maps = &g->map, .context = g, .request = give_owner};
    const uint8_t *save = g->saves[frame % KEPT];
    const size_t *bytes = g->bytes[frame % KEPT];
    if (g->arena) {
        check(wend_arena_rewind(g->arena, (uint32_t)frame % KEPT));
        return;
    }
    check(wend_map_restore_state(g->map, save, bytes[0]));
    check(wend_service_restore_state(g->service, &host, save + ROOM, bytes[1]));
    check(wend_crowd_restore_state(g->crowd, &host, save + 2 * ROOM, bytes[2]));
}

static double bytes_of(const game *g) {
    wend_arena_info info = {.struct_bytes = sizeof info};
    double bytes = 0;
    for (int i = 0; i < KEPT; i++) bytes += (double)(g->bytes[i][0] + g->bytes[i][1] + g->bytes[i][2]);
    if (g->arena) check(wend_arena_get_info(g->arena, &info));
    return g->arena ? (double)info.mark_bytes : bytes;
}

/* ---- measuring ---- */

enum { HOLD, FRAME, HASH, BACK_ONE, BACK_EIGHT, ON_EIGHT, AGAIN_EIGHT, TIMES };

/* Plays and marks eight frames, from a frame that has a mark. @return how many differ from the straight game */
static int play_eight(game *g, int first, const uint64_t *straight, samples *held, samples *framed, samples *hashed) {
    int differ = 0;
    uint64_t hash;
    for (int f = first; f < first + BACK; f++) {
        const double from = cpu_us();
        if (f > first) hold(g, f);
        const double between = cpu_us();
        differ += run_frame(g, f) != straight[f];
        if (f > first) note(held, (between - from) / 1000);
        const double played = cpu_us();
        note(framed, (played - between) / 1000);
        if (!hashed) continue;
        check(wend_world_hash(g->map, g->service, g->crowd, &hash));
        note(hashed, (cpu_us() - played) / 1000);
    }
    return differ;
}

static int measure(game *g, const char *kind, int frames, const uint64_t *straight) {
    samples all[TIMES] = {{0}}, none[2] = {{0}};
    int differ = 0, again = 0;
    double most = 0;
    for (int f = 0; f < WARM; f++) hold(g, f), run_frame(g, f);
    for (int first = WARM; first + BACK < frames; first += BACK) {
        hold(g, first);
        const double from = cpu_us();
        play_eight(g, first, straight, &all[HOLD], &all[FRAME], NULL);
        const double played = cpu_us();
        hold(g, first + BACK);
        run_frame(g, first + BACK);
        const double one = cpu_us();
        go_back(g, first + BACK);
        const double back = cpu_us();
        if (bytes_of(g) > most) most = bytes_of(g);
        const double eight = cpu_us();
        go_back(g, first);
        const double arrived = cpu_us();
        differ += play_eight(g, first, straight, &none[0], &none[1], NULL), again += BACK;
        note(&all[ON_EIGHT], (played - from) / 1000), note(&all[BACK_ONE], (back - one) / 1000);
        note(&all[BACK_EIGHT], (arrived - eight) / 1000), note(&all[AGAIN_EIGHT], (cpu_us() - eight) / 1000);
        go_back(g, first);
        play_eight(g, first, straight, &none[0], &none[1], &all[HASH]);
    }
    double times[TIMES];
    for (int i = 0; i < TIMES; i++) times[i] = median(all[i].values, all[i].count), clear(&all[i]);
    clear(&none[0]), clear(&none[1]);
    printf("%s,%u,%" PRIu64 ",%.3f,%.3f,%.3f,%.3f,%.3f,%.3f,%.3f,%.2f,%.2f,%d,%d\n", kind, g->agents, g->budget,
           times[HOLD], times[FRAME], times[HASH], times[BACK_ONE], times[BACK_EIGHT], times[ON_EIGHT],
           times[AGAIN_EIGHT], times[AGAIN_EIGHT] / times[ON_EIGHT], most / 1e6, again, differ);
    return differ;
}

int main(int argc, char **argv) {
    const int frames = argc > 1 ? atoi(argv[1]) : 600;
    const uint32_t agents = argc > 2 ? (uint32_t)strtoul(argv[2], NULL, 10) : 1000;
    const uint64_t budgets[2] = {argc > 3 ? strtoull(argv[3], NULL, 10) : 3000, 600};
    uint64_t *straight = malloc((size_t)frames * sizeof *straight);
    int differ = 0;
    printf(
        "kind,agents,budget,hold_ms,frame_ms,hash_ms,back_one_ms,back_eight_ms,eight_on_ms,eight_again_ms,again_to_on,"
        "nine_mb,played_again,differ\n");
    for (int i = 0; i < (argc > 3 ? 1 : 2); i++) {
        game g;
        open_game(&g, agents, budgets[i], false);
        for (int f = 0; f < frames; f++) straight[f] = run_frame(&g, f);
        close_game(&g);
        open_game(&g, agents, budgets[i], true);
        differ += measure(&g, "marks", frames, straight);
        close_game(&g);
        open_game(&g, agents, budgets[i], false);
        measure(&g, "saves", frames, straight);
        close_game(&g);
    }
    free(straight);
    return differ > 0;
}
