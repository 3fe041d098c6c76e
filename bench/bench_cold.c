/* SPDX-License-Identifier: MIT */
/* A cold service against cold bare searches: each query is asked once, in the same order. Prints CSV, a line a map,
 * and the geometric mean over the maps.
 *
 *   bench_cold [--frame EXPANSIONS] [--prefault 0|1] [--turns N] [MAP SCENARIO]...
 *   bench_cold --measure bare|served EXPANSIONS PREFAULT MAP SCENARIO
 *
 * Without maps: rooms and noise of its own. Each measurement is a process of its own: it makes the map with tables and
 * four landmarks, runs the code once on another map, then queries. What is timed are the queries (processor time, the
 * system's part in it too), not the creation. Bare and service take turns; the figures are medians. A fault is a page
 * of memory that the system had to hand out meanwhile. */
#define _POSIX_C_SOURCE 200809L
#include "scenery.h"
#include <math.h>
#include <sys/resource.h>
#include <wend/control.h>
#include <wend/scen.h>

enum { SIDE = 512, OWN_QUERIES = 100, MOST_CELLS = 1 << 20, MOST_TURNS = 101, MODES = 2, COMMAND = 8192 };

typedef struct figure {
    double us, faults, create_us;
} figure;

typedef struct work {
    wend_map *map;
    wend_scen_query *queries;
    size_t count;
} work;

static uint64_t frame_expansions = WEND_NO_LIMIT;
static int turns = 9;
static int prefault = -1; /* the default */
static wend_cell cells[MOST_CELLS];
static uint64_t answered; /* keeps the compiler from leaving anything out */

static double faults_so_far(void) {
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return (double)usage.ru_minflt;
}

static wend_request request_of(const work *w, size_t query) {
    return path_request(w->map, w->queries[query].start, w->queries[query].goal);
}

/* ---- what is timed ---- */

static void answer_bare(const work *w, wend_search *search) {
    for (size_t i = 0; i < w->count; i++) {
        const wend_request request = request_of(w, i);
        size_t count = 0;
        check(wend_search_begin(search, &request));
        while (wend_search_step(search, WEND_NO_LIMIT, NULL) == WEND_STATUS_PENDING) continue;
        wend_search_get_path(search, cells, MOST_CELLS, &count);
        answered += count;
    }
}

static void count_cells(void *context, const wend_completion *done) {
    (void)context;
    answered += done->cell_count;
}

static void answer_served(const work *w, wend_service *service) {
    for (size_t i = 0; i < w->count; i++) {
        wend_request request = request_of(w, i);
        request.on_done = count_cells;
        submit(service, &request);
    }
    const wend_budget budget = budget_of(frame_expansions);
    while (wend_service_get_work(service) > 0) wend_service_tick(service, &budget, NULL);
}

/* ---- one measurement ---- */

static figure measure_bare(const work *w) {
    figure f = {.create_us = cpu_us()};
    wend_search *search = open_search(0);
    f.create_us = cpu_us() - f.create_us;
    f.faults = faults_so_far();
    const double begun = cpu_us();
    answer_bare(w, search);
    f.us = cpu_us() - begun;
    f.faults = faults_so_far() - f.faults;
    wend_search_destroy(search);
    return f;
}

static figure measure_served(const work *w) {
    wend_service_def def = default_service();
    wend_service_tuning tuning = default_tuning();
    if (prefault >= 0) tuning.prefault = (uint32_t)prefault;
    def.tuning = &tuning;
    figure f = {.create_us = cpu_us()};
    wend_service *service = open_service(&def);
    f.create_us = cpu_us() - f.create_us;
    f.faults = faults_so_far();
    const double begun = cpu_us();
    answer_served(w, service);
    f.us = cpu_us() - begun;
    f.faults = faults_so_far() - f.faults;
    wend_service_destroy(service);
    return f;
}

/* The same code on a map that is not measured: a program's code is read from its file when it first runs. */
static void run_code_once(const work *other) {
    memset(cells, 0, sizeof cells);
    measure_bare(other);
    measure_served(other);
}

/* ---- maps ---- */

static work load_work(const char *map_name, const char *scen_name) {
    wend_file_error error = {.struct_bytes = sizeof error};
    wend_scen *scen;
    work w = {.map = load_map(map_name, 1000, 1414)};
    need(wend_scen_load(scen_name, &scen, &error) == WEND_OK, error.text);
    const wend_scen_query *given = wend_scen_get_queries(scen, &w.count);
    w.queries = calloc(w.count + 1, sizeof *w.queries);
    need(w.queries, "out of memory");
    if (w.count > 0) memcpy(w.queries, given, w.count * sizeof *w.queries);
    wend_scen_free(scen);
    return w;
}

static work own_work(wend_map *map, int side, size_t count) {
    work w = {.map = map, .queries = calloc(count, sizeof *w.queries)};
    uint64_t state = 9;
    need(w.queries, "out of memory");
    while (w.count < count) {
        const wend_cell start = random_place(side, side, &state), goal = random_place(side, side, &state);
        if (!is_connected(map, WEND_MOVER_DEFAULT, start, goal)) continue;
        w.queries[w.count].start = start;
        w.queries[w.count++].goal = goal;
    }
    return w;
}

static void work_free(work *w) {
    free(w->queries);
    wend_map_release(w->map);
}

/* Loads a map and a scenario by their names, or makes a map of this program's own. */
static work work_of(const char *map_name, const char *scen_name) {
    int room = 0, blocked = 0;
    if (sscanf(map_name, "own:rooms:%d", &room) == 1) return own_work(bench_map_rooms(SIDE, room), SIDE, OWN_QUERIES);
    if (sscanf(map_name, "own:noise:%d", &blocked) == 1)
        return own_work(bench_map_random(SIDE, SIDE, blocked, 0), SIDE, OWN_QUERIES);
    return load_work(map_name, scen_name);
}

static int measure_here(const char *mode, const char *map_name, const char *scen_name) {
    work other = own_work(bench_map_rooms(64, 8), 64, 10), w = work_of(map_name, scen_name);
    need(w.count > 0, "no queries");
    check(wend_map_accelerate(other.map, NULL));
    check(wend_map_accelerate(w.map, NULL));
    run_code_once(&other);
    const figure f = strcmp(mode, "served") == 0 ? measure_served(&w) : measure_bare(&w);
    printf("%zu %.3f %.0f %.0f\n", w.count, f.us / (double)w.count, f.faults, f.create_us);
    work_free(&other);
    work_free(&w);
    return 0;
}

/* ---- figures ---- */

static size_t measure(const char *program, bool served, const char *map_name, const char *scen_name, figure *out) {
    char command[COMMAND];
    size_t count = 0;
    snprintf(command, sizeof command, "'%s' --measure %s %" PRIu64 " %d '%s' '%s'", program, served ? "served" : "bare",
             frame_expansions, prefault, map_name, scen_name);
    FILE *child = popen(command, "r");
    need(child, "no process");
    need(fscanf(child, "%zu %lf %lf %lf", &count, &out->us, &out->faults, &out->create_us) == 4, "no figures");
    need(pclose(child) == 0, "a measurement failed");
    return count;
}

/* Returns service / bare. */
static double compare(const char *program, const char *map_name, const char *scen_name) {
    static double us[MODES][MOST_TURNS], faults[MODES][MOST_TURNS], created[MODES][MOST_TURNS], ratios[MOST_TURNS];
    size_t count = 0;
    for (int turn = 0; turn < turns; turn++) {
        for (int mode = 0; mode < MODES; mode++) {
            figure f;
            count = measure(program, mode, map_name, scen_name, &f);
            us[mode][turn] = f.us;
            faults[mode][turn] = f.faults;
            created[mode][turn] = f.create_us;
        }
        ratios[turn] = us[1][turn] / us[0][turn];
    }
    const double ratio = median(ratios, (size_t)turns);
    printf("%s,%zu,%.2f,%.2f,%.3f,%.0f,%.0f,%.0f,%.0f\n", base_name(map_name), count, median(us[0], (size_t)turns),
           median(us[1], (size_t)turns), ratio, median(faults[0], (size_t)turns), median(faults[1], (size_t)turns),
           median(created[0], (size_t)turns), median(created[1], (size_t)turns));
    return ratio;
}

static int take_options(int argc, char **argv) {
    int at = 1;
    for (; at + 1 < argc && strncmp(argv[at], "--", 2) == 0; at += 2) {
        if (strcmp(argv[at], "--frame") == 0)
            frame_expansions = strtoull(argv[at + 1], NULL, 10);
        else if (strcmp(argv[at], "--prefault") == 0)
            prefault = atoi(argv[at + 1]);
        else if (strcmp(argv[at], "--turns") == 0)
            turns = atoi(argv[at + 1]);
        else
            need(false, "unknown option");
    }
    need(frame_expansions > 0 && turns >= 1 && turns <= MOST_TURNS && (argc - at) % 2 == 0,
         "usage: bench_cold [--frame EXPANSIONS] [--prefault 0|1] [--turns N] [MAP SCENARIO]...");
    return at;
}

int main(int argc, char **argv) {
    static char *own[] = {"own:rooms:8", "", "own:rooms:32", "", "own:noise:100", "", "own:noise:250", ""};
    if (argc == 7 && strcmp(argv[1], "--measure") == 0) {
        frame_expansions = strtoull(argv[3], NULL, 10);
        prefault = atoi(argv[4]);
        return measure_here(argv[2], argv[5], argv[6]);
    }
    const int at = take_options(argc, argv), given = argc - at, count = given ? given : (int)(sizeof own / sizeof *own);
    char **const names = given ? argv + at : own;
    setvbuf(stdout, NULL, _IOLBF, 0);
    puts("map,queries,bare_us,service_us,ratio,bare_faults,service_faults,bare_create_us,service_create_us");
    double logs = 0;
    for (int i = 0; i < count; i += 2) logs += log(compare(argv[0], names[i], names[i + 1]));
    printf("geometric mean,,,,%.3f,,,,\n", exp(2 * logs / count));
    return 0;
}
