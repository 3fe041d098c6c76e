/* SPDX-License-Identifier: MIT */
/* The cost of other kinds of world: expansions a second on voxels and graphs, searches with links, and the
 * plain grid by the same engine beside them. Prints CSV. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "scenery.h"
#include "search/engines.h"

static void require(bool condition, const char *what) {
    if (condition) return;
    fprintf(stderr, "bench_worlds: %s\n", what);
    exit(2);
}

typedef struct tally {
    uint64_t queries, expansions, found;
    double us, begin_us;
} tally;

static wend_search *make_search(void) {
    wend_search_def def;
    wend_search_def_init(&def, sizeof def);
    def.nodes = UINT64_C(1) << 25;
    wend_search *search;
    require(wend_search_create(&def, &search) == WEND_OK, "no memory for a search");
    return search;
}

static void run(wend_search *search, const wend_request *request, tally *t) {
    double begun = bench_cpu_us();
    require(wend_search_begin(search, request) == WEND_OK, "a request is refused");
    t->begin_us += bench_cpu_us() - begun;
    uint64_t used;
    wend_status status = wend_search_step(search, WEND_NO_LIMIT, &used);
    t->us += bench_cpu_us() - begun;
    t->expansions += used;
    t->queries++;
    t->found += status == WEND_STATUS_FOUND;
}

/* A graph has no node 0. */
static wend_cell random_cell(const wend_map_info *info, uint64_t *state) {
    if (info->kind == WEND_KIND_GRAPH)
        return (wend_cell){1 + (int)bench_random(state, (uint32_t)info->width - 1), 0, 0};
    int x = (int)bench_random(state, (uint32_t)info->width), y = (int)bench_random(state, (uint32_t)info->height);
    return (wend_cell){x, y, (int)bench_random(state, (uint32_t)info->depth)};
}

static void print_row(const char *name, const wend_map_info *info, const tally *t) {
    printf("%s,%llu,%llu,%.1f,%.1f,%.2f,%.1f,%.2f\n", name, (unsigned long long)info->cells,
           (unsigned long long)t->found, (double)t->expansions / (double)t->queries, t->us / (double)t->queries,
           t->begin_us / (double)t->queries, t->us * 1e3 / (double)t->expansions, (double)t->expansions / t->us);
    fflush(stdout);
}

/// @param occupied   a price for occupied cells, of which there are none: sends a plain request to the general engine
/// @return ns an expansion
static double row(const char *name, wend_map *map, int queries, int32_t occupied, int32_t mover) {
    wend_map_info info = {.struct_bytes = sizeof info};
    wend_map_get_info(map, &info);
    wend_search *search = make_search();
    uint64_t state = 5;
    tally t = {0}, warm = {0};
    for (int i = -queries / 10; i < queries; i++) {
        wend_request request;
        wend_request_init(&request, sizeof request);
        request.map = map;
        request.engine = WEND_ENGINE_ASTAR;
        request.start = random_cell(&info, &state), request.goal = random_cell(&info, &state);
        request.occupied = occupied;
        request.mover = mover;
        run(search, &request, i < 0 ? &warm : &t);
    }
    print_row(name, &info, &t);
    wend_search_destroy(search);
    return t.us * 1e3 / (double)t.expansions;
}

/* The same of a grid, where all legal steps are taken everywhere: what other kinds of world are measured by. */
static double plain_row(const char *name, wend_map *map, int queries) {
    enum { PAGES = 1024 };
    wend_map_info info = {.struct_bytes = sizeof info};
    wend_map_get_info(map, &info);
    wend__pool pool;
    wend__stock stock = {.page_count = 0, .open_count = 0};
    void *memory = aligned_alloc(64, (wend__pool_bytes(PAGES, 1) + 63) / 64 * 64);
    wend__search *search = malloc(sizeof(wend__search_memory));
    require(memory && search, "no memory");
    wend__pool_init(&pool, memory, PAGES, 1);
    wend__search_init(search, &pool);
    uint64_t state = 5;
    tally t = {0};
    for (int i = -queries / 10; i < queries; i++) {
        if (i == 0) t = (tally){0};
        wend_request request;
        wend_request_init(&request, sizeof request);
        request.map = map;
        request.engine = WEND_ENGINE_ASTAR;
        request.start = random_cell(&info, &state), request.goal = random_cell(&info, &state);
        wend__version *version = wend__map_acquire(map, true);
        const double begun = bench_cpu_us();
        wend__search_begin(search, version, &request);
        wend__grid_of(search)->canonical = NULL;
        while (search->status == WEND_STATUS_PENDING) {
            wend__pool_grant(&pool, &stock, WEND__STOCK, WEND__STOCK);
            wend__search_step(search, &stock, WEND_NO_LIMIT);
        }
        t.us += bench_cpu_us() - begun;
        t.expansions += search->expansions, t.queries++, t.found += search->status == WEND_STATUS_FOUND;
        wend__search_drop(search);
        wend__pool_return(&pool, &stock);
        wend__map_release(version, true);
    }
    print_row(name, &info, &t);
    free(memory);
    free(search);
    return t.us * 1e3 / (double)t.expansions;
}

static void print_ratio(const char *name, double ns, double to_ns) {
    printf("ratio,%s to grid_noise_all_steps: %.2f\n", name, ns / to_ns);
}

/* ---- voxels ---- */

static wend_map *voxels(int side, int blocked_milli) {
    wend_map_def def;
    wend_map_def_init(&def, sizeof def);
    def.kind = WEND_KIND_VOXEL;
    def.width = def.height = def.depth = side;
    wend_map *map;
    wend_edit *edit;
    require(wend_map_create(&def, &map) == WEND_OK && wend_edit_begin(map, &edit) == WEND_OK, "no memory for voxels");
    uint8_t *layer = malloc((size_t)side * (size_t)side);
    uint64_t state = 7;
    for (int z = 0; z < side && layer; z++) {
        for (int i = 0; i < side * side; i++) layer[i] = bench_random(&state, 1000) >= (uint32_t)blocked_milli;
        wend_edit_set_box(edit, (wend_box){{0, 0, z}, {side - 1, side - 1, z}}, layer, (size_t)side);
    }
    free(layer);
    require(wend_edit_publish(edit, NULL) == WEND_OK, "no memory for voxels");
    return map;
}

/* Floors of 8 layers with pillars, joined by holes: as buildings and caves are, mostly solid or open. */
static wend_map *floors(int side) {
    wend_map *map = voxels(side, 0);
    wend_edit *edit;
    uint64_t state = 9;
    require(wend_edit_begin(map, &edit) == WEND_OK, "no memory for voxels");
    for (int z = 7; z < side; z += 8) {
        wend_edit_fill_box(edit, (wend_box){{0, 0, z}, {side - 1, side - 1, z}}, 0);
        for (int i = 0; i < side / 8; i++) {
            int x = (int)bench_random(&state, (uint32_t)side - 4), y = (int)bench_random(&state, (uint32_t)side - 4);
            wend_edit_fill_box(edit, (wend_box){{x, y, z}, {x + 3, y + 3, z}}, 1);
        }
    }
    require(wend_edit_publish(edit, NULL) == WEND_OK, "no memory for voxels");
    return map;
}

static void print_bytes(const char *name, wend_map *map) {
    wend_map_info info = {.struct_bytes = sizeof info};
    wend_map_get_info(map, &info);
    fprintf(stderr, "%s: %.5f bytes a cell, %.0f kB\n", name, (double)info.bytes / (double)info.cells,
            (double)info.bytes / 1e3);
}

/* Median µs of publishing one changed cell, on a fork. */
static void publish_row(const char *name, wend_map *of) {
    enum { TIMES = 200 };
    double took[TIMES];
    wend_map_info info = {.struct_bytes = sizeof info};
    wend_map *map;
    require(wend_map_fork(of, &map) == WEND_OK, "no memory for a fork");
    wend_map_get_info(map, &info);
    uint64_t state = 21;
    for (int i = 0; i < TIMES; i++) {
        wend_cell cell = random_cell(&info, &state);
        uint8_t was;
        wend_edit *edit;
        require(wend_map_get_terrain(map, cell, &was) == WEND_OK, "a cell is off the map");
        double begun = bench_cpu_us();
        require(wend_edit_begin(map, &edit) == WEND_OK, "no memory for an edit");
        wend_edit_set_cell(edit, cell, !was);
        require(wend_edit_publish(edit, NULL) == WEND_OK, "no memory for an edit");
        took[i] = bench_cpu_us() - begun;
        for (int j = i; j > 0 && took[j] < took[j - 1]; j--) {
            double other = took[j];
            took[j] = took[j - 1], took[j - 1] = other;
        }
    }
    printf("publish_a_cell,%s,median %.1f us,95 %% %.1f us\n", name, took[TIMES / 2], took[TIMES * 95 / 100]);
    wend_map_release(map);
}

/* 10,000 units that each move one cell in a frame. */
static void units(void) {
    enum { UNITS = 10000, FRAMES = 20 };
    static wend_cell at[UNITS];
    wend_map *map = bench_map_open(512, 512);
    uint64_t state = 23;
    double us = 0;
    for (int i = 0; i < UNITS; i++) {
        at[i] = (wend_cell){(int)bench_random(&state, 512), (int)bench_random(&state, 512), 0};
        require(wend_map_occupy(map, at[i]) == WEND_OK, "no room for a unit");
    }
    for (int frame = 0; frame < FRAMES; frame++) {
        double begun = bench_cpu_us();
        for (int i = 0; i < UNITS; i++) {
            wend_map_vacate(map, at[i]);
            at[i].x = (at[i].x + 1) % 512;
            wend_map_occupy(map, at[i]);
        }
        us += bench_cpu_us() - begun;
    }
    printf("units,10000 move one cell: %.3f ms a frame\n", us / FRAMES / 1e3);
    wend_map_release(map);
}

/* Air, and half of it rock. */
static void large(void) {
    wend_map_def def;
    wend_map_def_init(&def, sizeof def);
    wend_map *map;
    wend_edit *edit;
    def.kind = WEND_KIND_VOXEL;
    def.width = def.height = def.depth = 1024;
    require(wend_map_create(&def, &map) == WEND_OK, "no memory for voxels");
    print_bytes("voxels_1024_empty", map);
    require(wend_edit_begin(map, &edit) == WEND_OK, "no memory for voxels");
    wend_edit_fill_box(edit, (wend_box){{0, 0, 0}, {1023, 1023, 511}}, 0);
    require(wend_edit_publish(edit, NULL) == WEND_OK, "no memory for voxels");
    print_bytes("voxels_1024_half_solid", map);
    wend_map_release(map);
}

/* ---- graphs ---- */

/* A net of roads: side x side crossings, four ways each, some of them dear. Nodes count from 1, as in files. */
static wend_map *roads(int side) {
    uint32_t nodes = (uint32_t)side * (uint32_t)side;
    wend_edge *edges = malloc(sizeof *edges * nodes * 4);
    wend_cell *places = calloc(nodes + 1, sizeof *places);
    uint8_t *present = malloc(nodes + 1);
    require(edges && places && present, "no memory for a graph");
    memset(present, 1, nodes + 1);
    present[0] = 0;
    static const int dx[4] = {0, 1, 0, -1}, dy[4] = {-1, 0, 1, 0};
    uint64_t count = 0, state = 11;
    for (uint32_t node = 0; node < nodes; node++) {
        int x = (int)node % side, y = (int)node / side;
        places[node + 1] =
            (wend_cell){x * 100 + (int)bench_random(&state, 60), y * 100 + (int)bench_random(&state, 60), 0};
    }
    for (uint32_t node = 0; node < nodes; node++)
        for (int d = 0; d < 4; d++) {
            int x = (int)node % side + dx[d], y = (int)node / side + dy[d];
            if (x < 0 || y < 0 || x >= side || y >= side) continue;
            edges[count++] = (wend_edge){node + 1, (uint32_t)(y * side + x) + 1, 180 + (int)bench_random(&state, 200)};
        }
    wend_graph_def def;
    wend_graph_def_init(&def, sizeof def);
    def.node_count = nodes + 1, def.present = present, def.coordinates = places;
    def.edges = edges, def.edge_count = count;
    wend_map *map;
    double begun = bench_cpu_us();
    require(wend_graph_create(&def, &map) == WEND_OK, "no memory for a graph");
    fprintf(stderr, "graph of %u nodes and %llu edges made in %.0f ms\n", nodes, (unsigned long long)count,
            (bench_cpu_us() - begun) / 1e3);
    free(edges);
    free(places);
    free(present);
    return map;
}

/* From files: .gr, with its .co beside it. */
static void load_row(const char *name, const wend_map *map) {
    static const char arcs[] = "bench_worlds.gr", places[] = "bench_worlds.co";
    wend_map *loaded;
    require(wend_map_save(map, arcs, WEND_FORMAT_DIMACS, NULL, NULL) == WEND_OK, "a graph cannot be saved");
    double begun = bench_cpu_us();
    require(wend_map_load(arcs, NULL, &loaded, NULL, NULL) == WEND_OK, "a graph cannot be loaded");
    printf("load,%s: %.2f s\n", name, (bench_cpu_us() - begun) / 1e6);
    wend_map_release(loaded);
    remove(arcs);
    remove(places);
}

/* ---- links ---- */

static void add_links(wend_map *map, int pairs) {
    wend_map_info info = {.struct_bytes = sizeof info};
    wend_map_get_info(map, &info);
    wend_edit *edit;
    uint64_t state = 13;
    require(wend_edit_begin(map, &edit) == WEND_OK, "no memory for links");
    for (int i = 0; i < pairs; i++) {
        wend_cell a = random_cell(&info, &state), b = random_cell(&info, &state);
        if (a.x == b.x && a.y == b.y) continue;
        wend_edit_add_link(edit, a, b, 10);
        wend_edit_add_link(edit, b, a, 10);
    }
    require(wend_edit_publish(edit, NULL) == WEND_OK, "no memory for links");
}

/* ---- the estimate with links ---- */

/* What the search costs, and its expansions; with links' shortcuts left out of the estimate, as if it knew none. */
static uint64_t solve(wend__search *search, wend__pool *pool, const wend_request *request, bool ignorant,
                      uint64_t *cost) {
    wend__stock stock = {.page_count = 0, .open_count = 0};
    wend__version *version = wend__map_acquire(request->map, true);
    wend__search_begin(search, version, request);
    if (ignorant && search->status == WEND_STATUS_PENDING) wend__general_of(search)->heuristic.shortcut_count = 0;
    while (search->status == WEND_STATUS_PENDING) {
        wend__pool_grant(pool, &stock, WEND__STOCK, WEND__STOCK);
        wend__search_step(search, &stock, 1000);
    }
    uint64_t expansions = search->expansions;
    *cost = search->status == WEND_STATUS_FOUND ? search->cost : UINT64_MAX;
    wend__search_drop(search);
    wend__pool_return(pool, &stock);
    wend__map_release(version, true);
    return expansions;
}

static wend_map *teleport_map(uint64_t *state) {
    wend_map *map = bench_map_open(40, 40);
    wend_edit *edit;
    require(wend_edit_begin(map, &edit) == WEND_OK, "no memory");
    for (int cell = 0; cell < 1600; cell++)
        wend_edit_set_cell(edit, (wend_cell){cell % 40, cell / 40, 0}, bench_random(state, 100) >= 25);
    for (int pair = 0; pair < 4; pair++) {
        wend_cell ends[2];
        for (int end = 0; end < 2; end++) {
            ends[end] = (wend_cell){(int)bench_random(state, 40), (int)bench_random(state, 40), 0};
            wend_edit_set_cell(edit, ends[end], 1);
        }
        if (ends[0].x == ends[1].x && ends[0].y == ends[1].y) continue;
        wend_edit_add_link(edit, ends[0], ends[1], 10);
        wend_edit_add_link(edit, ends[1], ends[0], 10);
    }
    require(wend_edit_publish(edit, NULL) == WEND_OK, "no memory");
    return map;
}

/* 390 random maps of 40 x 40 with four pairs of teleports: expansions against those with the estimate that knows
 * no links, as plain A* has it, and how often that one is wrong. */
static void teleports(void) {
    enum { MAPS = 390 };
    wend__pool pool;
    void *memory = aligned_alloc(64, (wend__pool_bytes(64, 1) + 63) / 64 * 64);
    wend__search *search = malloc(sizeof(wend__search_memory));
    require(memory && search, "no memory");
    wend__pool_init(&pool, memory, 64, 1);
    wend__search_init(search, &pool);
    uint64_t informed = 0, ignorant = 0, wrong = 0, found = 0, state = 17;
    for (int i = 0; i < MAPS; i++) {
        wend_request request;
        wend_request_init(&request, sizeof request);
        request.map = teleport_map(&state);
        uint64_t cost, other, more, less;
        do {
            request.start = (wend_cell){(int)bench_random(&state, 40), (int)bench_random(&state, 40), 0};
            request.goal = (wend_cell){(int)bench_random(&state, 40), (int)bench_random(&state, 40), 0};
            less = solve(search, &pool, &request, false, &cost);
        } while (cost == UINT64_MAX);
        more = solve(search, &pool, &request, true, &other);
        found++, wrong += other != cost;
        informed += less, ignorant += more;
        wend_map_release(request.map);
    }
    printf("teleports,%llu queries: %.1f expansions; by the estimate without links %.1f and %llu wrong; ratio %.3f\n",
           (unsigned long long)found, (double)informed / MAPS, (double)ignorant / MAPS, (unsigned long long)wrong,
           (double)informed / (double)ignorant);
    free(memory);
    free(search);
}

int main(void) {
    puts("world,cells,found,expansions_a_query,us_a_query,us_to_begin,ns_an_expansion,expansions_a_us");
    wend_map *grid = bench_map_random(1024, 1024, 200, 0);
    row("grid_noise", grid, 100, 0, 0);
    const double plain = plain_row("grid_noise_all_steps", grid, 100);
    row("grid_noise_by_the_general_engine", grid, 100, 1, 0);
    publish_row("grid_noise", grid);
    add_links(grid, 4);
    row("grid_noise_4_pairs_of_links", grid, 100, 0, 0);
    publish_row("grid_noise_4_pairs_of_links", grid);
    add_links(grid, 500);
    row("grid_noise_1000_links", grid, 100, 0, 0);
    publish_row("grid_noise_1000_links", grid);
    wend_map_release(grid);
    int32_t mover;
    wend_mover big;
    wend_mover_init(&big, sizeof big);
    grid = bench_map_random(1024, 1024, 50, 0);
    big.size = 2;
    require(wend_map_add_mover(grid, &big, &mover) == WEND_OK, "no memory for a mover");
    row("grid_sparse", grid, 100, 0, 0);
    row("grid_sparse_mover_of_2", grid, 100, 0, mover);
    wend_map_release(grid);
    wend_map *space = voxels(128, 200);
    print_ratio("voxels_noise", row("voxels_noise", space, 100, 0, 0), plain);
    row("voxels_noise_by_the_general_engine", space, 100, 1, 0);
    print_bytes("voxels_noise", space);
    publish_row("voxels_noise", space);
    wend_map_release(space);
    space = floors(256);
    print_ratio("voxels_floors", row("voxels_floors", space, 50, 0, 0), plain);
    print_bytes("voxels_floors", space);
    publish_row("voxels_floors", space);
    wend_map_release(space);
    large();
    wend_map *graph = roads(1000);
    row("graph_roads", graph, 50, 0, 0);
    print_bytes("graph_roads", graph);
    publish_row("graph_roads", graph);
    load_row("graph_roads", graph);
    wend_map_release(graph);
    units();
    teleports();
    return 0;
}
