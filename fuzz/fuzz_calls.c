/* SPDX-License-Identifier: MIT */
/* Sequences of public calls on a small world: the first bytes choose its kind and limits, then each call takes its
 * number and its arguments from the input, in range, next to a limit and past it. Errors are fine; what must hold:
 * every accepted request is answered once, a frame keeps its budget, figures add up, no two agents hold one cell, a
 * save that is restored saves to the same bytes, a refused publish changes nothing. */
#include "calls.h"

enum { MOST_CALLS = 400 };

static wend_map *make_graph(calls_world *w, uint8_t byte) {
    static wend_edge edges[40];
    static wend_cell places[16];
    wend_graph_def def;
    wend_map *map;
    wend_graph_def_init(&def, sizeof def);
    for (int32_t i = 0; i < 16; i++) places[i] = (wend_cell){i % 4 * 10, i / 4 * 10, 0};
    for (uint32_t i = 0; i < 40; i++) edges[i] = (wend_edge){i % 16, (i * 7 + 3) % 16, 5 + (int32_t)i};
    w->size = (wend_cell){24, 1, 1}, w->graph = true;
    def.node_count = 16, def.node_capacity = 24, def.edges = edges, def.edge_count = 40;
    def.coordinates = byte & 8 ? places : NULL;
    def.max_bytes = CALLS_BYTES;
    FUZZ_MUST(wend_graph_create(&def, &map));
    return map;
}

static wend_map *make_map(calls_world *w) {
    static const wend_cell sizes[] = {{20, 14, 1}, {70, 40, 1}, {130, 70, 1}, {9, 9, 1}, {10, 8, 5}, {1, 30, 1}};
    static const int32_t neighbours[] = {8, 4, 6, 8}, spatial[] = {26, 18, 6, 26};
    const uint8_t byte = calls_byte(w);
    if (byte % 8 == 7) return make_graph(w, byte);
    w->size = byte % 8 == 6 ? sizes[2] : sizes[byte % 8];
    w->streamed = byte % 8 == 6;
    wend_map_rules rules;
    wend_map_rules_init(&rules, sizeof rules);
    rules.neighbours = (w->size.z > 1 ? spatial : neighbours)[byte / 8 % 4];
    rules.corners = byte / 32 % 3;
    wend_map_def def;
    wend_map_def_init(&def, sizeof def);
    def.kind = w->size.z > 1 ? WEND_KIND_VOXEL : WEND_KIND_GRID;
    def.width = w->size.x, def.height = w->size.y, def.depth = w->size.z;
    def.streamed = w->streamed, def.rules = &rules, def.max_bytes = CALLS_BYTES;
    def.max_versions = 1 + calls_byte(w) % 5;
    if (byte % 8 == 3 && rules.neighbours != 6) def.wrap = calls_byte(w) % 4;
    const wend_sheet sheets[2] = {{{{0, 0, 0}, {63, w->size.y - 1, 0}}, {0, 0, 0}},
                                  {{{64, 0, 0}, {127, w->size.y - 1, 0}}, {CALLS_SHEET_AT, 0, 0}}};
    if (byte % 8 == 2 && rules.neighbours != 6) def.sheets = sheets, def.sheet_count = 2;
    wend_map *map;
    FUZZ_MUST(wend_map_create(&def, &map));
    return map;
}

static void make_service(calls_world *w) {
    wend_service_def def;
    wend_service_tuning tuning;
    wend_service_def_init(&def, sizeof def);
    wend_service_tuning_init(&tuning, sizeof tuning);
    const uint8_t byte = calls_byte(w);
    def.queue = 8 + byte % 64u, def.reserve = byte % 4, def.displace = byte >> 6 & 1, def.share = byte >> 7;
    def.nodes = (4 + byte % 3u * 8) * WEND_PAGE_NODES, def.max_path_cells = byte % 5 == 0 ? 12 : 4096;
    def.path_bytes = 4096;
    tuning.lanes = 1 + byte % 4u, tuning.searches = 6, tuning.slice = 20 + byte % 90u, tuning.far_nodes = 512;
    tuning.goals = 6;
    def.tuning = &tuning;
    FUZZ_MUST(wend_service_create(&def, &w->service));
}

static void make_crowd(calls_world *w) {
    wend_crowd_def def;
    wend_crowd_tuning tuning;
    wend_crowd_def_init(&def, sizeof def);
    wend_crowd_tuning_init(&tuning, sizeof tuning);
    const uint8_t byte = calls_byte(w);
    def.agents = CALLS_AGENTS, def.service = w->service, def.map = w->map;
    tuning.events = byte & 1 ? CALLS_AGENTS : 0, tuning.tries = 1 + byte % 3u, tuning.retry_updates = 1 + byte % 5u;
    tuning.head_start = byte & 2 ? 6 : 0, tuning.field_agents = byte & 4 ? 4 : 0, tuning.routes = 4;
    tuning.route_cells = byte & 8 ? 40 : 4096, tuning.patience_updates = byte & 16 ? 5 : 0;
    tuning.far_beyond = byte & 32 ? 40 : 512, tuning.link_events = byte >> 7;
    def.tuning = &tuning;
    FUZZ_MUST(wend_crowd_create(&def, &w->crowd));
    wend_bodies_def bodies;
    wend_bodies_def_init(&bodies, sizeof bodies);
    bodies.crowd = w->crowd;
    if (byte & 64 && wend_bodies_create(&bodies, &w->bodies)) w->bodies = NULL;
}

static void make_call(calls_world *w) {
    static size_t (*const tables[])(calls_fn *const **) = {calls_of_maps,     calls_of_land,   calls_of_services,
                                                           calls_of_services, calls_of_crowds, calls_of_crowds,
                                                           calls_of_paths};
    calls_fn *const *table;
    const uint8_t byte = calls_byte(w);
    const size_t rows = tables[byte % 7](&table);
    table[byte / 7 % rows](w);
}

static void close_world(calls_world *w) {
    wend_edit_discard(w->edit);
    wend_field_destroy(w->field);
    wend_search_destroy(w->search);
    FUZZ_MUST(wend_crowd_destroy(w->crowd));
    FUZZ_MUST(wend_bodies_destroy(w->bodies));
    FUZZ_MUST(wend_service_destroy(w->service));
    wend_figures_destroy(w->figures);
    wend_map_release(w->map);
    for (uint32_t i = 0; i < w->requested; i++) FUZZ_CHECK(w->requests[i].answers == (int)w->requests[i].accepted);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static calls_world world;
    calls_world *w = &world;
    memset(w, 0, sizeof *w);
    w->at = data, w->end = data + size;
    w->map = make_map(w);
    make_service(w);
    make_crowd(w);
    for (int calls = 0; calls < MOST_CALLS && w->at < w->end; calls++) {
        make_call(w);
        if (calls % 4 == 0) calls_check_service(w);
        calls_check_crowd(w);
    }
    calls_check_service(w);
    close_world(w);
    return 0;
}
