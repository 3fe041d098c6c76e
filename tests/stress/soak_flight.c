/* SPDX-License-Identifier: MIT */
/* Searches kept in flight over a thousand versions: the map holds no more than its limit of them, and the one
 * being made. */
#define MORE_SLOTS 262144 /* requests wait while many thousands come */
#include "stress/soak_flight.h"

#include "stress/soak.h"
#include "models/options.h"

#include <inttypes.h>
#include <wend/service_tuning.h>

enum { PUBLISHES = 1000, NODES = 20000, EDGES = 80000, FLIGHTS = 3 };

static uint64_t ended[WEND_STATUS_COUNT];

static void on_end(void *context, const wend_completion *completion) {
    (void)context;
    ended[completion->status]++;
}

static wend_map *big_graph(oracle_random *random) {
    static wend_edge edges[EDGES];
    for (uint32_t i = 0; i < EDGES; i++)
        edges[i] = (wend_edge){i % NODES, i < NODES ? (i + 1) % NODES : (uint32_t)oracle_below(random, NODES),
                               1 + oracle_below(random, 100)};
    wend_graph_def def = default_graph();
    def.node_count = NODES, def.edges = edges, def.edge_count = EDGES;
    wend_map *map;
    PROMISE(wend_graph_create(&def, &map) == WEND_OK);
    return map;
}

static wend_map *big_map(int kind, oracle_random *random) {
    if (kind == WEND_KIND_GRAPH) return big_graph(random);
    bool space = kind == WEND_KIND_VOXEL;
    wend_map_def def = default_map();
    def.kind = kind, def.width = def.height = space ? 48 : 256, def.depth = space ? 48 : 1;
    wend_map *map;
    PROMISE(wend_map_create(&def, &map) == WEND_OK);
    return map;
}

static wend_map_info describe(const wend_map *map) {
    wend_map_info info = {.struct_bytes = sizeof info};
    wend_map_get_info(map, &info);
    return info;
}

static wend_cell any_cell(const wend_map_info *info, oracle_random *random) {
    wend_cell cell = {oracle_below(random, info->width), oracle_below(random, info->height),
                      oracle_below(random, info->depth)};
    return cell;
}

/* Some cells and a link; never the first cell and the last, between which the flights are. */
static void publish(wend_map *map, const wend_map_info *info, oracle_random *random, int cells) {
    wend_edit *edit;
    PROMISE(wend_edit_begin(map, &edit) == WEND_OK);
    for (int i = 0; i < cells; i++) {
        wend_cell cell = any_cell(info, random);
        bool first = cell.x + cell.y + cell.z == 0;
        bool last = cell.x == info->width - 1 && cell.y == info->height - 1 && cell.z == info->depth - 1;
        uint8_t class = (uint8_t)(oracle_below(random, 10) ? 1 + oracle_below(random, 3) : 0);
        if (!first && !last) PROMISE(wend_edit_set_cell(edit, cell, class) == WEND_OK);
    }
    wend_cell from = any_cell(info, random), to = {from.x ? 0 : 1, 0, 0};
    if (describe(map).links < 50)
        PROMISE(wend_edit_add_link(edit, &(wend_link){from, to, WEND_MAX_COST, 0}) == WEND_OK);
    else if (oracle_below(random, 2))
        PROMISE(wend_edit_fill_box(edit, (wend_box){to, to}, 1) == WEND_OK);
    PROMISE(wend_edit_publish(edit, NULL) == WEND_OK);
}

static wend_service *tower(void) {
    wend_service_def def = default_service();
    wend_service_tuning tuning = default_tuning();
    def.tuning = &tuning, def.queue = FLIGHTS;
    tuning.searches = FLIGHTS + 1, tuning.lanes = FLIGHTS, tuning.fair = 0;
    tuning.slice = 1, tuning.restarts = 1000000;
    wend_service *service;
    PROMISE(wend_service_create(&def, &service) == WEND_OK);
    return service;
}

static void take_off(wend_service *service, wend_map *map, const wend_map_info *info) {
    wend_request request = default_request();
    request.map = map;
    request.goal = (wend_cell){info->width - 1, info->height - 1, info->depth - 1};
    options_of(&request)->heuristic = WEND_HEURISTIC_ZERO;
    request.on_done = on_end;
    PROMISE(wend_service_submit(service, &request, NULL) == WEND_OK);
}

static void fly(int kind, int32_t max_versions) {
    oracle_random random = {(uint64_t)kind * 100 + (uint64_t)max_versions};
    OWNED_MAP *map = big_map(kind, &random);
    const wend_map_info shape = describe(map);
    publish(map, &shape, &random, 20000);
    PROMISE(wend_map_set_max_versions(map, max_versions) == WEND_OK);
    wend_service *service = tower();
    wend_budget budget = default_budget();
    budget.expansions = 3;
    uint64_t quarter = 0, outdated = 0, one = describe(map).bytes;
    for (int i = 0; i < PUBLISHES; i++) {
        if (i % 5 == 0 && i < 5 * FLIGHTS) take_off(service, map, &shape);
        wend_frame frame = {.struct_bytes = sizeof frame};
        PROMISE(wend_service_tick(service, &budget, &frame) == WEND_OK);
        publish(map, &shape, &random, 5);
        outdated += frame.outdated;
        if (i == PUBLISHES / 4) quarter = describe(map).bytes_peak;
    }
    wend_map_info held = describe(map);
    PROMISE(wend_service_get_pending(service) == FLIGHTS);
    PROMISE(max_versions > FLIGHTS || outdated > 0);
    PROMISE(wend_service_destroy(service) == WEND_OK); /* and with it the flights' versions go */
    wend_map_info last = describe(map);
    printf("kind %d, %d versions: %d publishes over %d searches in flight, %" PRIu64 " started again; %" PRIu64
           " bytes before, %" PRIu64 " at most after a quarter, %" PRIu64 " at most, %" PRIu64 " held then, %" PRIu64
           " after\n",
           kind, max_versions, PUBLISHES, FLIGHTS, outdated, one, quarter, held.bytes_peak, held.bytes, last.bytes);
    uint64_t least = one < last.bytes ? one : last.bytes;
    PROMISE(held.bytes_peak <= least * (uint64_t)(max_versions + 2));
    PROMISE(held.bytes_peak <= quarter + quarter / 4);
    PROMISE(last.bytes <= one + one / 4);
}

void soak_flights(void) {
    const int kinds[] = {WEND_KIND_GRID, WEND_KIND_VOXEL, WEND_KIND_GRAPH};
    for (int i = 0; i < 3; i++)
        for (int32_t versions = 1; versions <= 4; versions++) fly(kinds[i], versions);
}
