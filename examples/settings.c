/* SPDX-License-Identifier: MIT */
/* Measures the figures behind docs/settings.md on your machine: the time of an expansion, the expansions of a path, and
 * the memory of the two servers' services. */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <wend/service_tuning.h>
#include <wend/wend.h>

enum { SIDE = 512, PATHS = 1000 };

static uint64_t state;

static int32_t dice(int32_t sides) {
    state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (int32_t)((state >> 33) % (uint64_t)sides);
}

static void fail_if(wend_error error) {
    if (!error) return;
    fprintf(stderr, "settings: %s\n", wend_error_detail(error));
    exit(1);
}

static void put_walls(wend_edit *edit) { /* short walls, as in game_loop.c */
    for (int i = 0; i < SIDE * SIDE / 120; i++) {
        bool upright = dice(2);
        wend_cell min = {dice(SIDE - 16), dice(SIDE - 16), 0};
        wend_box wall = {min, {min.x + (upright ? 1 : 2 + dice(12)), min.y + (upright ? 2 + dice(12) : 1), 0}};
        wend_edit_fill_box(edit, wall, WEND_CLASS_BLOCKED);
    }
}

static void put_rooms(wend_edit *edit) { /* 32 x 32 rooms with a door of 4 cells in most walls */
    for (int32_t at = 31; at < SIDE; at += 32) {
        wend_edit_fill_box(edit, (wend_box){{at, 0, 0}, {at, SIDE - 1, 0}}, WEND_CLASS_BLOCKED);
        wend_edit_fill_box(edit, (wend_box){{0, at, 0}, {SIDE - 1, at, 0}}, WEND_CLASS_BLOCKED);
    }
    for (int32_t at = 31; at < SIDE; at += 32)
        for (int32_t room = 0; room < SIDE; room += 32) {
            int32_t door = room + 2 + dice(24);
            if (dice(8)) wend_edit_fill_box(edit, (wend_box){{at, door, 0}, {at, door + 3, 0}}, WEND_CLASS_OPEN);
            if (dice(8)) wend_edit_fill_box(edit, (wend_box){{door, at, 0}, {door + 3, at, 0}}, WEND_CLASS_OPEN);
        }
}

static void put_dust(wend_edit *edit) { /* every fifth cell */
    for (int32_t y = 0; y < SIDE; y++)
        for (int32_t x = 0; x < SIDE; x++)
            if (dice(5) == 0) wend_edit_set_cell(edit, (wend_cell){x, y, 0}, WEND_CLASS_BLOCKED);
}

static wend_map *make_map(void (*put)(wend_edit *edit)) {
    wend_map *map;
    wend_edit *edit;
    wend_map_def def;
    wend_map_def_init(&def, sizeof def);
    def.width = def.height = SIDE;
    state = 1;
    fail_if(wend_map_create(&def, &map));
    fail_if(wend_edit_begin(map, &edit));
    put(edit);
    fail_if(wend_edit_publish(edit, NULL));
    return map;
}

/* Open, and at most so far from another in x and y. */
static wend_cell open_cell(const wend_map *map, wend_cell middle, int32_t reach) {
    uint8_t terrain = WEND_CLASS_BLOCKED;
    wend_cell c = middle;
    while (terrain == WEND_CLASS_BLOCKED) {
        c.x = middle.x + dice(2 * reach + 1) - reach;
        c.y = middle.y + dice(2 * reach + 1) - reach;
        if (wend_map_get_terrain(map, c, &terrain) != WEND_OK) terrain = WEND_CLASS_BLOCKED; /* off the map */
    }
    return c;
}

static int by_size(const void *a, const void *b) {
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return x < y ? -1 : x > y;
}

typedef struct answers {
    uint64_t expansions[PATHS];
    int count;
} answers;

static void note_answer(void *context, const wend_completion *done) {
    answers *a = context;
    a->expansions[a->count++] = done->expansions;
}

/* All paths through a service in frames of 20,000 expansions: by A*, or on an accelerated map by the default engine. */
static void measure(const char *name, void (*put)(wend_edit *edit), int32_t reach, bool accelerated) {
    static answers a;
    wend_map *map = make_map(put);
    if (accelerated) fail_if(wend_map_accelerate(map, NULL));
    wend_service *service;
    wend_service_def def;
    wend_service_def_init(&def, sizeof def);
    fail_if(wend_service_create(&def, &service));
    wend_request request;
    wend_request_init(&request, sizeof request);
    request.map = map, request.on_done = note_answer, request.context = &a;
    a.count = 0;
    for (int i = 0; i < PATHS; i++) {
        request.start = open_cell(map, (wend_cell){SIDE / 2, SIDE / 2, 0}, SIDE / 2);
        request.goal = open_cell(map, request.start, reach);
        fail_if(wend_service_submit(service, &request, NULL));
    }
    wend_budget budget;
    wend_budget_init(&budget, sizeof budget);
    budget.expansions = 20000;
    clock_t begun = clock();
    while (wend_service_get_pending(service)) fail_if(wend_service_tick(service, &budget, NULL));
    double ns = (double)(clock() - begun) * 1e9 / CLOCKS_PER_SEC;
    wend_stats stats = {.struct_bytes = sizeof stats};
    wend_service_get_stats(service, &stats);
    qsort(a.expansions, PATHS, sizeof *a.expansions, by_size);
    printf("%-6s %6d %8.1f %8llu %8llu %8llu %10llu\n", name, (int)reach, ns / (double)stats.expansions,
           (unsigned long long)(stats.expansions / PATHS), (unsigned long long)a.expansions[PATHS / 2],
           (unsigned long long)a.expansions[PATHS * 99 / 100], (unsigned long long)stats.nodes_in_use_peak);
    wend_service_destroy(service);
    wend_map_release(map);
}

/* The two of docs/settings.md. */
static void weigh(const char *name, wend_service_def def) {
    printf("%-28s %12zu bytes\n", name, wend_service_bytes(&def));
}

static void weigh_services(void) {
    wend_service_def base;
    wend_service_def_init(&base, sizeof base);
    wend_service_def def = base;
    weigh("default", base);
    def.queue /= 2;
    printf("  a place in the queue       %12.1f bytes\n",
           (double)(wend_service_bytes(&base) - wend_service_bytes(&def)) / def.queue);
    wend_service_def few = base, many = base;
    few.queue = 1000, many.queue = 1000000;
    printf("  a place in a long queue    %12.1f bytes\n",
           (double)(wend_service_bytes(&many) - wend_service_bytes(&few)) / (many.queue - few.queue));
    def = base, def.nodes *= 2;
    printf("  a node                     %12.2f bytes\n",
           (double)(wend_service_bytes(&def) - wend_service_bytes(&base)) / (double)base.nodes);
    wend_service_tuning usual;
    wend_service_tuning_init(&usual, sizeof usual);
    wend_service_tuning tuning = usual;
    def = base, def.tuning = &tuning, tuning.searches *= 2;
    printf("  a search in flight         %12.1f bytes\n",
           (double)(wend_service_bytes(&def) - wend_service_bytes(&base)) / usual.searches);
    tuning = usual, tuning.goals *= 2;
    printf("  room for a further goal    %12.1f bytes\n",
           (double)(wend_service_bytes(&def) - wend_service_bytes(&base)) / usual.goals);
    def = base, def.max_path_cells *= 2, def.path_bytes *= 2;
    printf("  a cell of the longest path %12.2f bytes, its arena doubled too\n",
           (double)(wend_service_bytes(&def) - wend_service_bytes(&base)) / (double)base.max_path_cells);
}

enum { PRESETS = 3 };

static void print_row(const char *name, const uint64_t values[PRESETS]) {
    printf("preset %-16s %12llu %12llu %12llu\n", name, (unsigned long long)values[0], (unsigned long long)values[1],
           (unsigned long long)values[2]);
}

/* The table of presets: each crowd's bytes are those on a map of its size. */
static void weigh_presets(void) {
    static const int32_t sides[PRESETS] = {256, 512, 2048};
    uint64_t agents[PRESETS], queue[PRESETS], nodes[PRESETS], cells[PRESETS], own[PRESETS], paths[PRESETS],
        crowds[PRESETS];
    for (int i = 0; i < PRESETS; i++) {
        wend_service_def def;
        wend_crowd_def crowd;
        wend_map_def map_def;
        wend_map *map;
        wend_service *service;
        fail_if(wend_service_def_preset(&def, sizeof def, WEND_PRESET_SMALL + i));
        fail_if(wend_crowd_def_preset(&crowd, sizeof crowd, WEND_PRESET_SMALL + i));
        wend_map_def_init(&map_def, sizeof map_def);
        map_def.width = map_def.height = sides[i];
        fail_if(wend_map_create(&map_def, &map));
        fail_if(wend_service_create(&def, &service));
        crowd.map = map, crowd.service = service;
        agents[i] = crowd.agents, queue[i] = def.queue, nodes[i] = def.nodes;
        cells[i] = def.max_path_cells, own[i] = wend_service_bytes(&def);
        paths[i] = crowd.path_bytes, crowds[i] = wend_crowd_bytes(&crowd);
        wend_service_destroy(service);
        wend_map_release(map);
    }
    print_row("agents", agents);
    print_row("path_bytes", paths);
    print_row("queue", queue);
    print_row("nodes", nodes);
    print_row("max_path_cells", cells);
    print_row("service", own);
    print_row("crowd", crowds);
}

int main(void) {
    printf("%d paths on maps of %d x %d: CPU time of an expansion; expansions a path; most nodes held\n", PATHS, SIDE,
           SIDE);
    printf("%-6s %6s %8s %8s %8s %8s %10s\n", "map", "within", "ns", "mean", "median", "99 %", "nodes");
    for (int accelerated = 0; accelerated < 2; accelerated++) {
        if (accelerated) printf("accelerated\n");
        for (int32_t reach = SIDE; reach >= 64; reach /= 8) {
            measure("walls", put_walls, reach, accelerated);
            measure("rooms", put_rooms, reach, accelerated);
            measure("dust", put_dust, reach, accelerated);
        }
    }
    weigh_services();
    weigh_presets();
    return 0;
}
