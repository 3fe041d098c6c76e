/* SPDX-License-Identifier: MIT */
/* A journey: a world of 16,384 x 16,384 cells on disk, a few hundred chunks of it in memory. A player crosses it,
   and a train of carts follows; at its end she enters a house, a map of its own, and climbs to its upper floor.
   journey DIR [SIDE [PICTURE.svg]]: missing land is made in DIR. */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>
#include <wend/wend.h>
#include <wend/control.h>
#include <wend/movers.h>
#include <wend/query.h>
#include <wend/stream.h>

enum { CHUNK = WEND_CHUNK_SIDE, CARTS = 8, NEAR = 3, LEG = 96, A_FRAME = 4, LONGEST = 65536 };
static const char *folder;
static wend_map *world;
static wend_service *service;
static wend_budget budget;
static uint8_t *land; /* chunk by chunk: bit 0: it is loaded; bit 1: it was, once */
static int32_t chunks, loads, unloads;
static wend_cell path[LONGEST];
static size_t count;
static int status, arrived;

static void check(wend_error error) {
    if (error) fprintf(stderr, "journey: %s\n", wend_error_detail(error)), exit(1);
}

/* Towns of houses of any width, and streets between them that are 4 cells wide. */
static uint8_t ground(int32_t x, int32_t y) {
    const uint32_t mixed = ((uint32_t)(x / 24) * 0x9E3779B1u ^ (uint32_t)(y / 12) * 0x85EBCA77u) * 0xC2B2AE3Du;
    const bool street = x % 24 < 4 && mixed >> 30, built = mixed >> 29 > 1 && y % 12 > 3;
    return built && !street ? WEND_CLASS_BLOCKED : WEND_CLASS_OPEN;
}

/* A chunk is made when it is first seen, and kept in a file, here as MovingAI has them. */
static void make_file(const char *name, int32_t x, int32_t y) {
    FILE *out = fopen(name, "w");
    if (!out) perror(name), exit(1);
    fprintf(out, "type octile\nheight %d\nwidth %d\nmap", CHUNK, CHUNK);
    for (int32_t i = 0; i < CHUNK * CHUNK; i++)
        fprintf(out, i % CHUNK ? "%c" : "\n%c", ground(x * CHUNK + i % CHUNK, y * CHUNK + i / CHUNK) ? '.' : '@');
    fprintf(out, "\n"), fclose(out);
}

static void load(wend_edit *edit, int32_t x, int32_t y) {
    static const wend_box whole = {{0, 0, 0}, {CHUNK - 1, CHUNK - 1, 0}};
    uint8_t cells[CHUNK * CHUNK];
    char name[512];
    wend_map *map;
    if (x < 0 || y < 0 || x >= chunks || y >= chunks || land[y * chunks + x] & 1) return;
    snprintf(name, sizeof name, "%s/%d,%d.wend", folder, (int)x, (int)y);
    if (access(name, F_OK) != 0) make_file(name, x, y);
    check(wend_map_load(name, NULL, &map, NULL, NULL));
    check(wend_map_get_terrain_box(map, whole, cells, CHUNK));
    wend_map_release(map);
    check(wend_edit_load(edit, x, y, cells, CHUNK));
    land[y * chunks + x] = 3, loads++;
}

/* A few chunks come and go in each frame; the far layer remembers ways through those that are unloaded. */
static void stream(wend_cell here, wend_cell ahead) {
    wend_edit *edit;
    check(wend_edit_begin(world, &edit));
    for (int32_t i = 0; i < 9; i++) load(edit, ahead.x / CHUNK - 1 + i % 3, ahead.y / CHUNK - 1 + i / 3);
    for (int32_t i = 0, wide = 2 * NEAR + 1, end = loads + A_FRAME; i < wide * wide && loads < end; i++)
        load(edit, here.x / CHUNK - NEAR + i % wide, here.y / CHUNK - NEAR + i / wide);
    for (int32_t i = 0, end = unloads + A_FRAME; i < chunks * chunks && unloads < end; i++) {
        const int32_t dx = abs(i % chunks - here.x / CHUNK), dy = abs(i / chunks - here.y / CHUNK);
        if (!(land[i] & 1) || (dx <= NEAR + 2 && dy <= NEAR + 2)) continue;
        check(wend_edit_unload(edit, i % chunks, i / chunks, WEND_LAND_KNOWN));
        land[i] = 2, unloads++;
    }
    check(wend_edit_publish(edit, NULL));
}

static void on_path(void *context, const wend_completion *result) {
    (void)context;
    status = result->status, count = result->cell_count;
    for (size_t i = 0; i < count; i++) path[i] = result->cells[i];
}

static void ask(wend_map *map, int32_t mover, wend_cell start, wend_cell goal) {
    wend_request request;
    wend_request_init(&request, sizeof request);
    request.map = map, request.mover = mover, request.start = start, request.goal = goal, request.on_done = on_path;
    check(wend_service_submit(service, &request, NULL));
    for (status = -1; status < 0;) check(wend_service_tick(service, &budget, NULL));
}

/* Finds a way. A request that ends at unloaded land names the chunks that it needs. */
static bool find_way(wend_cell start, wend_cell goal) {
    wend_cell wanted[WEND_MAX_WANTED];
    wend_edit *edit;
    for (size_t n = 1; n > 0;) {
        ask(world, WEND_MOVER_DEFAULT, start, goal);
        if (status == WEND_STATUS_FOUND) return true;
        check(wend_service_get_wanted(service, world, wanted, WEND_MAX_WANTED, &n));
        check(wend_edit_begin(world, &edit));
        for (size_t i = 0; i < n; i++) load(edit, wanted[i].x, wanted[i].y);
        check(wend_edit_publish(edit, NULL));
    }
    return false;
}

static void on_event(void *context, const wend_agent_event *event) {
    arrived += event->event == WEND_AGENT_EVENT_ARRIVED && event->agent.index == ((wend_agent_id *)context)->index;
}

static void walk(void) {
    static wend_agent_id agents[1 + CARTS];
    wend_agent_state player = {.struct_bytes = sizeof player}, last = player;
    wend_crowd_goal goal = {.struct_bytes = sizeof goal};
    wend_crowd_def def;
    wend_crowd *crowd;
    wend_crowd_def_init(&def, sizeof def), def.on_event = on_event, def.context = agents;
    def.service = service, def.map = world, def.agents = 1 + CARTS;
    check(wend_crowd_create(&def, &crowd));
    for (int i = 0; i <= CARTS; i++) { /* the carts stand behind her on the path, and could go faster */
        const wend_agent_def agent = {sizeof agent, .cell = path[2 * (CARTS - i)], .speed_milli = i ? 1000 : 800};
        check(wend_crowd_add(crowd, &agent, &agents[i]));
        goal.kind = WEND_CROWD_FOLLOW, goal.target = agents[i > 0 ? i - 1 : 0];
        if (i > 0) check(wend_crowd_go(crowd, &agents[i], 1, &goal));
    }
    double longest = 0, all = 0, frames = 0;
    bool intact = true; /* land that came back as it was does not break the path */
    for (size_t at = 0, before = 0, open = 0; at < count - 1; arrived = 0) {
        before = at, at = at + LEG < count - 1 ? at + LEG : count - 1;
        for (bool sent = false; !arrived; frames++, sent = true) {
            const clock_t begun = clock();
            check(wend_crowd_get_agent(crowd, agents[0], &player));
            stream(player.cell, path[at]);
            goal.kind = WEND_CROWD_CELL, goal.cell = path[at];
            if (!sent) check(wend_crowd_go(crowd, agents, 1, &goal));
            check(wend_service_tick(service, &budget, NULL));
            check(wend_crowd_update(crowd, 1000, NULL, NULL));
            const double ms = (double)(clock() - begun) * 1e3 / CLOCKS_PER_SEC;
            all += ms, longest = ms > longest ? ms : longest;
        }
        check(wend_map_path_cost(world, WEND_MOVER_DEFAULT, path + before, at - before + 1, &open, NULL));
        intact &= open == at - before + 1;
    }
    check(wend_crowd_get_agent(crowd, agents[CARTS], &last));
    printf("walked %.0f frames of %.3f ms, the longest %.1f; %d loads, %d unloads; path %s; last cart %d cells away\n",
           frames, all / frames, longest, (int)loads, (int)unloads, intact ? "intact" : "broken",
           (int)(abs(last.cell.x - player.cell.x) + abs(last.cell.y - player.cell.y)));
    wend_crowd_destroy(crowd);
}

/* The house has 10 x 1 cells and five levels. Stairs of one step a level lead to the upper floor. */
static void enter_house(void) {
    static const char house[] = "Rows 1\nColumns 10\nLayers 5\nA 0 0 1 1 1 1 0 0 0\n0 0 0 0 1 1 1 0 0 0\n"
                                "0 0 0 0 0 1 1 1 1 1\n0 0 0 0 0 0 0 0 0 B\n0 0 0 0 0 0 0 0 0 0\n";
    wend_map_markers markers = {.struct_bytes = sizeof markers};
    wend_mover guest;
    wend_map *map;
    check(wend_map_parse(house, sizeof house - 1, NULL, &map, &markers, NULL));
    wend_mover_init(&guest, sizeof guest), guest.walker = 1;
    check(wend_map_add_mover(map, &guest, NULL)); /* the first mover that is added has number 1 */
    ask(map, 1, markers.start, markers.goal);
    printf("in the house: %s, %zu cells, up to level %d\n", wend_status_name(status), count, (int)markers.goal.z);
    wend_map_release(map);
}

/* All land that ever came, and the way across it. */
static void draw(const char *name) {
    FILE *out = fopen(name, "w");
    if (!out) perror(name), exit(1);
    fprintf(out, "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 %d %d'>", (int)chunks, (int)chunks);
    fprintf(out, "<path fill='#faf8f2' d='M0 0h999v999H0z'/><path fill='#88bee0' d='");
    for (int32_t i = 0; i < chunks * chunks; i++)
        if (land[i]) fprintf(out, "M%d %dh1v1h-1z", (int)(i % chunks), (int)(i / chunks));
    fprintf(out, "'/><path fill='none' stroke='#d54600' d='M");
    for (size_t i = 0; i < count; i += CHUNK) fprintf(out, "%d %d ", (int)path[i].x / CHUNK, (int)path[i].y / CHUNK);
    fprintf(out, "'/></svg>\n"), fclose(out);
}

int main(int argc, char **argv) {
    const int32_t side = argc > 2 ? atoi(argv[2]) : 16384;
    wend_service_def service_def;
    wend_map_def def;
    const wend_cell start = {40, 36, 0}, goal = {side - 40, side / 12 * 12 - 36, 0}; /* in streets */
    if (argc < 2) return fprintf(stderr, "usage: journey DIR [SIDE [PICTURE.svg]]\n"), 2;
    folder = argv[1], chunks = side / CHUNK, land = calloc((size_t)chunks * (size_t)chunks, 1), mkdir(folder, 0777);
    wend_map_def_init(&def, sizeof def), def.width = def.height = side, def.streamed = 1;
    check(wend_map_create(&def, &world));
    wend_service_def_init(&service_def, sizeof service_def), service_def.nodes = 1 << 27; /* the way is long */
    check(wend_service_create(&service_def, &service));
    wend_budget_init(&budget, sizeof budget), budget.us = 2000;
    if (!find_way(start, goal)) return fprintf(stderr, "journey: %s\n", wend_status_name(status)), 1;
    printf("a way of %zu cells, with %d chunks of %d loaded\n", count, (int)loads, (int)(chunks * chunks));
    walk();
    if (argc > 3) draw(argv[3]);
    enter_house(), wend_service_destroy(service), wend_map_release(world), free(land);
    return 0;
}
