/* SPDX-License-Identifier: MIT */
/* The cost of other kinds of world: expansions a second on voxels and graphs, searches with links, and the
 * plain grid by the same engine next to them. Prints CSV. */
#include "bare.h"
#include "../tests/models/both.h"
#include "scenery.h"
#include "../tests/models/options.h"
#include "../tests/models/kept.h"
#include <wend/ways.h>

typedef struct tally {
    uint64_t queries, expansions, found;
    double us, begin_us;
} tally;

static void run(wend_search *search, const wend_request *request, tally *t) {
    double begun = cpu_us();
    check(wend_search_begin(search, request));
    t->begin_us += cpu_us() - begun;
    uint64_t used;
    wend_status status = wend_search_step(search, WEND_NO_LIMIT, &used);
    t->us += cpu_us() - begun;
    t->expansions += used;
    t->queries++;
    t->found += status == WEND_STATUS_FOUND;
}

/* A graph has no node 0. */
static wend_cell any_cell(const wend_map_info *info, uint64_t *state) {
    if (info->kind == WEND_KIND_GRAPH)
        return (wend_cell){1 + (int)bench_random(state, (uint32_t)info->width - 1), 0, 0};
    return random_cell(info, state);
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
    wend_map_info info = info_now(map);
    wend_search *search = open_search(UINT64_C(1) << 25);
    uint64_t state = 5;
    tally t = {0}, warm = {0};
    for (int i = -queries / 10; i < queries; i++) {
        wend_request request = default_request();
        request.map = map;
        options_of(&request)->engine = WEND_ENGINE_ASTAR;
        request.start = any_cell(&info, &state), request.goal = any_cell(&info, &state);
        options_of(&request)->occupied = occupied;
        request.mover = mover;
        run(search, &request, i < 0 ? &warm : &t);
    }
    print_row(name, &info, &t);
    wend_search_destroy(search);
    return t.us * 1e3 / (double)t.expansions;
}

/* The same of a grid, where all legal steps are taken everywhere: the measure of other kinds of world. */
static double plain_row(const char *name, wend_map *map, int queries) {
    wend_map_info info = info_now(map);
    bare b;
    bare_open(&b, 1024);
    uint64_t state = 5;
    tally t = {0};
    for (int i = -queries / 10; i < queries; i++) {
        if (i == 0) t = (tally){0};
        wend_request request = default_request();
        request.map = map;
        options_of(&request)->engine = WEND_ENGINE_ASTAR;
        request.start = any_cell(&info, &state), request.goal = any_cell(&info, &state);
        wend__version *version = wend__map_acquire(map, true);
        const double begun = cpu_us();
        wend__search_begin(b.search, version, KEPT(&request));
        wend__grid_of(b.search)->canonical = NULL;
        bare_step(&b, WEND_NO_LIMIT, WEND_NO_LIMIT);
        t.us += cpu_us() - begun;
        t.expansions += b.search->expansions, t.queries++, t.found += b.search->status == WEND_STATUS_FOUND;
        wend__search_drop(b.search);
        wend__map_release(version, true);
    }
    print_row(name, &info, &t);
    bare_close(&b);
    return t.us * 1e3 / (double)t.expansions;
}

static void print_ratio(const char *name, double ns, double to_ns) {
    printf("ratio,%s to grid_noise_all_steps: %.2f\n", name, ns / to_ns);
}

/* ---- voxels ---- */

static wend_map *voxels(int side, int blocked_milli) {
    wend_map_def def = default_map();
    def.kind = WEND_KIND_VOXEL;
    def.width = def.height = def.depth = side;
    wend_map *map;
    check(wend_map_create(&def, &map));
    wend_edit *edit = begin_edit(map);
    uint8_t *layer = malloc((size_t)side * (size_t)side);
    uint64_t state = 7;
    for (int z = 0; z < side && layer; z++) {
        for (int i = 0; i < side * side; i++) layer[i] = bench_random(&state, 1000) >= (uint32_t)blocked_milli;
        wend_edit_set_box(edit, (wend_box){{0, 0, z}, {side - 1, side - 1, z}}, layer, (size_t)side);
    }
    free(layer);
    publish(edit);
    return map;
}

/* Floors of 8 layers with pillars, joined by holes: as buildings and caves are, mostly solid or open. */
static wend_map *floors(int side) {
    wend_map *map = voxels(side, 0);
    uint64_t state = 9;
    wend_edit *edit = begin_edit(map);
    for (int z = 7; z < side; z += 8) {
        wend_edit_fill_box(edit, (wend_box){{0, 0, z}, {side - 1, side - 1, z}}, 0);
        for (int i = 0; i < side / 8; i++) {
            int x = (int)bench_random(&state, (uint32_t)side - 4), y = (int)bench_random(&state, (uint32_t)side - 4);
            wend_edit_fill_box(edit, (wend_box){{x, y, z}, {x + 3, y + 3, z}}, 1);
        }
    }
    publish(edit);
    return map;
}

static void print_bytes(const char *name, wend_map *map) {
    wend_map_info info = info_now(map);
    fprintf(stderr, "%s: %.5f bytes a cell, %.0f kB\n", name, (double)info.bytes / (double)info.cells,
            (double)info.bytes / 1e3);
}

/* Median µs of publishing one changed cell, on a fork. */
static void publish_row(const char *name, wend_map *of) {
    enum { TIMES = 200 };
    double us[TIMES];
    wend_map *map;
    check(wend_map_fork(of, &map));
    const wend_map_info info = info_now(map);
    uint64_t state = 21;
    for (int i = 0; i < TIMES; i++) {
        const wend_cell cell = any_cell(&info, &state);
        const double begun = cpu_us();
        flip_one(map, cell);
        us[i] = cpu_us() - begun;
    }
    printf("publish_a_cell,%s,median %.1f us,95 %% %.1f us\n", name, median(us, TIMES), percentile(us, TIMES, 950));
    wend_map_release(map);
}

/* Air, and half of it rock. */
static void large(void) {
    wend_map_def def = default_map();
    wend_map *map;
    def.kind = WEND_KIND_VOXEL;
    def.width = def.height = def.depth = 1024;
    check(wend_map_create(&def, &map));
    print_bytes("voxels_1024_empty", map);
    wend_edit *edit = begin_edit(map);
    wend_edit_fill_box(edit, (wend_box){{0, 0, 0}, {1023, 1023, 511}}, 0);
    publish(edit);
    print_bytes("voxels_1024_half_solid", map);
    wend_map_release(map);
}

/* ---- graphs ---- */

/* A net of roads: side x side crossings, four ways each, some of them expensive. Nodes count from 1, as in files. */
static wend_map *roads(int side) {
    uint32_t nodes = (uint32_t)side * (uint32_t)side;
    wend_edge *edges = malloc(sizeof *edges * nodes * 4);
    wend_cell *places = calloc(nodes + 1, sizeof *places);
    uint8_t *present = malloc(nodes + 1);
    need(edges && places && present, "no memory for a graph");
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
    wend_graph_def def = default_graph();
    def.node_count = nodes + 1, def.present = present, def.coordinates = places;
    def.edges = edges, def.edge_count = count;
    wend_map *map;
    double begun = cpu_us();
    check(wend_graph_create(&def, &map));
    fprintf(stderr, "graph of %u nodes and %llu edges made in %.0f ms\n", nodes, (unsigned long long)count,
            (cpu_us() - begun) / 1e3);
    free(edges);
    free(places);
    free(present);
    return map;
}

/* From files: .gr, with its .co next to it. */
static void load_row(const char *name, const wend_map *map) {
    static const char arcs[] = "bench_worlds.gr", places[] = "bench_worlds.co";
    wend_map *loaded;
    check(wend_map_save(map, arcs, WEND_FORMAT_DIMACS, NULL, NULL));
    double begun = cpu_us();
    check(wend_map_load(arcs, NULL, &loaded, NULL, NULL));
    printf("load,%s: %.2f s\n", name, (cpu_us() - begun) / 1e6);
    wend_map_release(loaded);
    remove(arcs);
    remove(places);
}

/* ---- links ---- */

static void add_links(wend_map *map, int pairs) {
    wend_map_info info = info_now(map);
    uint64_t state = 13;
    wend_edit *edit = begin_edit(map);
    for (int i = 0; i < pairs; i++) {
        wend_cell a = any_cell(&info, &state), b = any_cell(&info, &state);
        if (a.x == b.x && a.y == b.y) continue;
        check(add_link_both(edit, a, b, 10));
    }
    publish(edit);
}

/* ---- the estimate with links ---- */

/* Returns the expansions of a search, and its cost; `ignorant`: with an estimate that does not count links. */
static uint64_t answer(bare *b, const wend_request *request, bool ignorant, uint64_t *cost) {
    wend__search *search = b->search;
    wend__version *version = wend__map_acquire(request->map, true);
    wend__search_begin(search, version, KEPT(request));
    if (ignorant && search->status == WEND_STATUS_PENDING) wend__general_of(search)->heuristic.shortcut_count = 0;
    bare_step(b, WEND_NO_LIMIT, 1000);
    *cost = search->status == WEND_STATUS_FOUND ? search->cost : UINT64_MAX;
    wend__search_drop(search);
    wend__map_release(version, true);
    return search->expansions;
}

static wend_map *teleport_map(uint64_t *state) {
    wend_map *map = grid_of(NULL, 40, 40);
    wend_edit *edit = begin_edit(map);
    for (int cell = 0; cell < 1600; cell++)
        wend_edit_set_cell(edit, (wend_cell){cell % 40, cell / 40, 0}, bench_random(state, 100) >= 25);
    for (int pair = 0; pair < 4; pair++) {
        wend_cell ends[2];
        for (int end = 0; end < 2; end++) {
            ends[end] = random_place(40, 40, state);
            wend_edit_set_cell(edit, ends[end], 1);
        }
        if (ends[0].x == ends[1].x && ends[0].y == ends[1].y) continue;
        check(add_link_both(edit, ends[0], ends[1], 10));
    }
    publish(edit);
    return map;
}

/* 390 random maps of 40 x 40 with four pairs of teleports: expansions relative to those with an estimate without links,
 * as plain A* has it, and how often that one is wrong. */
static void teleports(void) {
    enum { MAPS = 390 };
    bare b;
    bare_open(&b, 64);
    uint64_t informed = 0, ignorant = 0, wrong = 0, found = 0, state = 17;
    for (int i = 0; i < MAPS; i++) {
        wend_request request = default_request();
        request.map = teleport_map(&state);
        uint64_t cost, other, more, less;
        do {
            request.start = random_place(40, 40, &state);
            request.goal = random_place(40, 40, &state);
            less = answer(&b, &request, false, &cost);
        } while (cost == UINT64_MAX);
        more = answer(&b, &request, true, &other);
        found++, wrong += other != cost;
        informed += less, ignorant += more;
        wend_map_release(request.map);
    }
    printf("teleports,%llu queries: %.1f expansions; by the estimate without links %.1f and %llu wrong; ratio %.3f\n",
           (unsigned long long)found, (double)informed / MAPS, (double)ignorant / MAPS, (unsigned long long)wrong,
           (double)informed / (double)ignorant);
    bare_close(&b);
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
    wend_mover big = default_mover();
    grid = bench_map_random(1024, 1024, 50, 0);
    big.size = 2;
    check(wend_map_add_mover(grid, &big, &mover));
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
    teleports();
    return 0;
}
