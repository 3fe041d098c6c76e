/* SPDX-License-Identifier: MIT */
/* The figures behind docs/settings.md, on your machine: what an expansion takes, how many a path asks for, and what the
   two servers' services weigh. */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <wend/tuning.h>
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

/* All paths through a service in frames of 20,000 expansions: by A*, or on an accelerated map by what a host gets. */
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
static wend_service_def server_20_hz(void) {
    wend_service_def def;
    wend_service_def_init(&def, sizeof def);
    def.queue = 1024;
    def.nodes = 4 * SIDE * SIDE;
    def.max_path_cells = 4096;
    return def;
}

static size_t crowd_of_500(void) {
    wend_crowd_def crowd;
    wend_service *service;
    wend_service_def def = server_20_hz();
    wend_map *map = make_map(put_dust);
    fail_if(wend_service_create(&def, &service));
    wend_crowd_def_init(&crowd, sizeof crowd);
    crowd.service = service, crowd.map = map;
    crowd.agents = 500;
    const size_t bytes = wend_crowd_bytes(&crowd);
    wend_service_destroy(service);
    wend_map_release(map);
    return bytes;
}

static wend_service_def server_60_hz(void) {
    wend_service_def def;
    wend_service_def_init(&def, sizeof def);
    static wend_tuning tuning;
    wend_tuning_init(&tuning, sizeof tuning);
    def.tuning = &tuning;
    def.queue = 2048;
    def.searches = 16;
    tuning.slice = 500;
    def.nodes = 2 * SIDE * SIDE;
    def.max_path_cells = 4096;
    return def;
}

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
    def = base, def.searches *= 2;
    printf("  a search in flight         %12.1f bytes\n",
           (double)(wend_service_bytes(&def) - wend_service_bytes(&base)) / base.searches);
    wend_tuning tuning;
    wend_tuning_init(&tuning, sizeof tuning);
    const uint32_t goals = tuning.goals;
    def = base, def.tuning = &tuning, tuning.goals *= 2;
    printf("  room for a further goal    %12.1f bytes\n",
           (double)(wend_service_bytes(&def) - wend_service_bytes(&base)) / goals);
    def = base, def.max_path_cells *= 2, def.path_bytes *= 2;
    printf("  a cell of the longest path %12.2f bytes, its arena doubled too\n",
           (double)(wend_service_bytes(&def) - wend_service_bytes(&base)) / (double)base.max_path_cells);

    weigh("20 Hz server", server_20_hz());
    printf("%-28s %12zu bytes\n", "  its crowd of 500", crowd_of_500());
    weigh("60 Hz server", server_60_hz());
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
    return 0;
}
