/* SPDX-License-Identifier: MIT */
/* Maps of all kinds with landmarks and without: A* on the same queries, and what making landmarks takes. Prints CSV.
 *
 *   bench_kinds LANDMARKS QUERIES REPEATS MAP...
 *
 * The queries are those of MAP.3dscen, else random pairs of cells that a path connects. Each is asked REPEATS times by
 * a search alone, and its best time counts. With 0 queries landmarks are only made. Exit status 1: costs differ. */
#include "harness.h"
#include "../tests/models/options.h"
#include <wend/scen.h>

enum { NODES = 40000000, MOST_TRIES = 100 };

typedef struct query {
    wend_cell start, goal;
    int64_t cost;
} query;

typedef struct tally {
    uint64_t expansions;
    double us;
} tally;

/* @return how many there are */
static size_t read_queries(const char *path, query *queries, size_t most) {
    char name[4096];
    wend_scen *scen;
    size_t count;
    snprintf(name, sizeof name, "%s.3dscen", path);
    if (wend_scen_load(name, &scen, NULL)) return 0;
    const wend_scen_query *found = wend_scen_get_queries(scen, &count);
    for (size_t i = 0; i < count && i < most; i++) queries[i] = (query){found[i].start, found[i].goal, -1};
    wend_scen_free(scen);
    return count < most ? count : most;
}

static size_t draw_queries(const wend_map *map, query *queries, size_t most) {
    const wend_map_info info = info_now(map);
    uint64_t state = 5;
    size_t count = 0;
    for (size_t tries = 0; count < most && tries < MOST_TRIES * most; tries++) {
        const query q = {random_cell(&info, &state), random_cell(&info, &state), -1};
        if (is_connected(map, WEND_MOVER_DEFAULT, q.start, q.goal)) queries[count++] = q;
    }
    return count;
}

/* The costs of the first call are kept; those of later ones must be the same. */
static tally run(wend_map *map, query *queries, size_t count, int repeats, bool *differs) {
    wend_search *search = open_search(NODES);
    tally sum = {0};
    for (size_t i = 0; i < count; i++) {
        wend_completion result;
        double best = 0;
        wend_request request = path_request(map, queries[i].start, queries[i].goal);
        options_of(&request)->engine = WEND_ENGINE_ASTAR;
        for (int k = 0; k < repeats; k++) {
            const double us = solve(search, &request, &result);
            if (k == 0 || us < best) best = us;
        }
        if (queries[i].cost >= 0 && queries[i].cost != result.cost) *differs = true;
        queries[i].cost = result.cost;
        sum.us += best;
        sum.expansions += result.expansions;
    }
    wend_search_destroy(search);
    return sum;
}

static double make_landmarks(wend_map *map, int32_t count) {
    wend_acceleration def = default_acceleration();
    def.tables = 0, def.landmarks = count;
    const double begun = cpu_us();
    check(wend_map_accelerate(map, &def));
    return cpu_us() - begun;
}

static bool measure(const char *path, int32_t landmarks, size_t queries, int repeats) {
    wend_map *map = load_map(path, 0, 0);
    bool differs = false;
    query *list = calloc(queries + 1, sizeof *list);
    need(list != NULL, "no memory for queries");
    size_t count = read_queries(path, list, queries);
    if (count == 0) count = draw_queries(map, list, queries);
    const tally without = run(map, list, count, repeats, &differs);
    const double making = make_landmarks(map, landmarks);
    const tally with = run(map, list, count, repeats, &differs);
    const wend_map_info info = info_now(map);
    const double cells = (double)info.cells, queries_asked = count > 0 ? (double)count : 1;
    printf("%s,%.0f,%d,%.1f,%.1f,%.2f,%zu,%.1f,%.0f,%.1f,%.0f,%.3f,%.3f\n", base_name(path), cells, (int)landmarks,
           making / 1e3, making * 1e3 / cells / landmarks, (double)info.landmark_bytes / cells, count,
           without.us / queries_asked, (double)without.expansions / queries_asked, with.us / queries_asked,
           (double)with.expansions / queries_asked, without.us > 0 ? with.us / without.us : 0,
           without.expansions > 0 ? (double)with.expansions / (double)without.expansions : 0);
    fflush(stdout);
    free(list);
    wend_map_release(map);
    if (differs) fprintf(stderr, "bench_kinds: %s: costs differ with landmarks\n", path);
    return !differs;
}

int main(int argc, char **argv) {
    const int landmarks = argc > 1 ? atoi(argv[1]) : 0, queries = argc > 2 ? atoi(argv[2]) : -1;
    const int repeats = argc > 3 ? atoi(argv[3]) : 0;
    bool good = true;
    if (argc < 5 || landmarks < 1 || landmarks > WEND_MAX_LANDMARKS || queries < 0 || repeats < 1) {
        fprintf(stderr, "usage: bench_kinds LANDMARKS QUERIES REPEATS MAP...\n");
        return 2;
    }
    printf("map,cells,landmarks,making_ms,making_ns_per_cell_and_landmark,bytes_per_cell,queries,us_without,"
           "expansions_without,us_with,expansions_with,time_ratio,expansion_ratio\n");
    for (int i = 4; i < argc; i++) good = measure(argv[i], landmarks, (size_t)queries, repeats) && good;
    return good ? 0 : 1;
}
