/* SPDX-License-Identifier: MIT */
/* Searches one at a time on a MovingAI map, every engine in turn, also after edits.
 *
 *   bench_table pairs MAP COUNT SCEN            write a scenario of random pairs that are connected, lengths by A*
 *   bench_table run MAP SCEN EDITS REPS [OUT]   EDITS: a number, or -N; thread CPU time of each query, the
 *     best of REPS; CSV, a line an engine
 *
 * "astar plain" takes all legal steps, "astar" prunes them; "jump" has no landmarks, "jump+4" four of them, and
 * "auto" has those, too. With EDITS, that number of random cells are opened or closed first, ten a batch, on a map that
 * was loaded and made ready for the jump engine: the tables are repaired, not made. "jump pruned" is the engine
 * after the idle time that pruning the changed chunks again takes. "jump+4 kept" has four landmarks from before the
 * edits, as many of them as the publishes keep with the effort that a map has by itself, and "jump+4 repaired" with
 * all the effort it takes; "jump+4 new" some made afterwards. "auto" has tables not pruned again and the landmarks
 * of "jump+4 kept". Queries with disconnected ends are left out, and OUT.map and OUT.map.scen (with
 * the lengths from before) are written, for programs that cannot edit. With -N, N random open cells are blocked,
 * which takes no landmarks away, and all tables are pruned afterwards: jump search without landmarks, with those
 * from before and with new ones. batch_us: what a batch of ten cells took to write and publish, with the landmarks
 * that the row has. */
#include "bare.h"
#include "scenario_file.h"
#include <math.h>

#include "fast/landmarks/landmarks.h"
#include "map/store/map_layout.h"
#include "map/version/version.h"
#include "fast/acceleration.h"
#include "../tests/models/options.h"
#include "../tests/models/kept.h"

enum { BATCH = 10, NAME = 4096 };

typedef struct bench {
    wend_map *map;
    wend_map_info info;
    wend_map_rules rules;
    bare bare;
    wend__search *search; ///< the search of `bare`
    wend_cell *cells;
    bool all_steps; ///< A* takes all legal ones, as where ground is not even
} bench;

typedef struct figures {
    double us;
    uint64_t expansions, cost, most_bytes;
} figures;

typedef struct work {
    scenario_query *queries;
    size_t count;
    int repeats;
    double batch_us;
    uint64_t cost; ///< sum over all answers of the first engine
    bool any, agree;
} work;

static void bench_open(bench *b, const char *path) {
    b->map = load_map(path, 1000, 1414);
    check(wend__map_prepare_jumps(b->map));
    b->rules = rules_now(b->map);
    b->info = info_now(b->map);
    bare_open(&b->bare, 2 * (uint64_t)((b->info.width + 63) / 64) * (uint64_t)((b->info.height + 63) / 64) + 64);
    b->search = b->bare.search;
    b->cells = malloc((size_t)b->info.cells * sizeof *b->cells);
    need(b->cells, "out of memory");
}

static void bench_close(bench *b) {
    wend_map_release(b->map);
    bare_close(&b->bare);
    free(b->cells);
}

/* From begin to the path's cells; the search is dropped by the caller. */
static void answer(bench *b, const wend__version *version, const wend_request *request) {
    wend__search_begin(b->search, version, KEPT(request));
    if (b->all_steps && b->search->engine == &wend__grid_astar) wend__grid_of(b->search)->canonical = NULL;
    bare_step(&b->bare, WEND_NO_LIMIT, WEND_NO_LIMIT);
    if (b->search->status == WEND_STATUS_FOUND) wend__search_cells(b->search, b->cells, b->search->steps + 1);
}

static wend_request request_of(const bench *b, const scenario_query *query, int32_t engine) {
    wend_request request = path_request(b->map, query->start, query->goal);
    options_of(&request)->engine = engine;
    return request;
}

/* ---- pairs ---- */

static double length_of(const bench *b) {
    double length = 0;
    for (uint64_t i = 1; i <= b->search->steps; i++)
        length += b->cells[i].x != b->cells[i - 1].x && b->cells[i].y != b->cells[i - 1].y ? sqrt(2) : 1;
    return length;
}

static void write_scen(const char *path, const scenario_query *queries, size_t count) {
    FILE *file = fopen(path, "w");
    need(file, path);
    fprintf(file, "version 1\n");
    for (const scenario_query *q = queries; q < queries + count; q++)
        fprintf(file, "0\t%s\t%d\t%d\t%d\t%d\t%d\t%d\t%.17g\n", q->map, (int)q->width, (int)q->height, (int)q->start.x,
                (int)q->start.y, (int)q->goal.x, (int)q->goal.y, q->length);
    need(fclose(file) == 0, path);
}

static void write_pairs(bench *b, const char *map, size_t count, const char *path) {
    scenario_query *queries = calloc(count + 1, sizeof *queries);
    need(queries, "out of memory");
    wend__version *version = wend__map_acquire(b->map, true);
    uint64_t state = 6;
    for (size_t i = 0, tries = 0; i < count; need(++tries < count * 10000, "hardly any two cells are connected")) {
        scenario_query query = {b->info.width,
                                b->info.height,
                                1,
                                random_place(b->info.width, b->info.height, &state),
                                random_place(b->info.width, b->info.height, &state),
                                base_name(map),
                                0};
        wend_request request = request_of(b, &query, WEND_ENGINE_ASTAR);
        answer(b, version, &request);
        if (b->search->status == WEND_STATUS_FOUND) {
            query.length = length_of(b);
            queries[i++] = query;
        }
        wend__search_drop(b->search);
    }
    wend__map_release(version, true);
    write_scen(path, queries, count);
    free(queries);
}

/* ---- edits ---- */

/* The same ones on each map that is the same. @return microseconds a batch */
static double edit_cells(const bench *b, wend_map *map, int edits, bool only_block) {
    uint64_t state = 8;
    double begun = cpu_us();
    for (int i = 0; i < edits;) {
        wend_edit *edit = begin_edit(map);
        for (int j = 0; j < BATCH && i < edits;) {
            wend_cell cell = random_place(b->info.width, b->info.height, &state);
            uint8_t class;
            wend_map_get_terrain(map, cell, &class);
            const bool open = b->rules.factors[class] > 0;
            if (!open && only_block) continue;
            wend_edit_set_cell(edit, cell, open ? WEND_CLASS_BLOCKED : WEND_CLASS_OPEN);
            j++, i++;
        }
        publish(edit);
    }
    return (cpu_us() - begun) * BATCH / edits;
}

static void write_edited(const bench *b, const char *out, const scenario_query *queries, size_t count) {
    char name[NAME];
    snprintf(name, sizeof name, "%s.map", out);
    wend_file_error error = {.struct_bytes = sizeof error};
    need(wend_map_save(b->map, name, WEND_FORMAT_MOVINGAI, NULL, &error) == WEND_OK, error.text);
    snprintf(name, sizeof name, "%s.map.scen", out);
    write_scen(name, queries, count);
}

/* ---- engines ---- */

static void one_query(bench *b, const wend__version *version, const wend_request *request, int repeats, figures *out) {
    double best = 1e18;
    for (int repeat = 0; repeat < repeats; repeat++) {
        wend__search_drop(b->search);
        double begun = cpu_us();
        answer(b, version, request);
        double us = cpu_us() - begun;
        if (us < best) best = us;
    }
    out->us += best;
    out->expansions += b->search->expansions;
    out->cost += b->search->status == WEND_STATUS_FOUND ? b->search->cost : 0;
    if (bare_bytes(&b->bare) > out->most_bytes) out->most_bytes = bare_bytes(&b->bare);
    wend__search_drop(b->search);
}

/* All queries by one engine, one after another, as the bare loops have them: no other memory is in the caches. */
static void measure(bench *b, const char *name, int32_t engine, const wend__version *version, work *w) {
    figures f = {0};
    for (size_t i = 0; i < w->count; i++) {
        wend_request request = request_of(b, &w->queries[i], engine);
        one_query(b, version, &request, w->repeats, &f);
    }
    double n = (double)(w->count > 0 ? w->count : 1);
    printf("%s,%zu,%.3f,%.1f,%" PRIu64 ",%.1f,%u\n", name, w->count, f.us / n, (double)f.expansions / n, f.most_bytes,
           w->batch_us, version->landmarks ? wend__popcount64(version->landmarks->valid) : 0);
    if (!w->any) w->cost = f.cost, w->any = w->agree = true;
    if (f.cost != w->cost) w->agree = false;
}

/* Moves queries with connected ends to the front. */
static size_t connected(const bench *b, scenario_query *queries, size_t count) {
    size_t kept = 0;
    for (size_t i = 0; i < count; i++) {
        if (is_connected(b->map, WEND_MOVER_DEFAULT, queries[i].start, queries[i].goal)) queries[kept++] = queries[i];
    }
    return kept;
}

/* The newest version, with a number of landmarks; to be released. */
static wend__version *with_landmarks(bench *b, int32_t count) {
    check(wend__map_prepare_landmarks(b->map, count));
    return wend__map_acquire(b->map, true);
}

static void measure_loaded(bench *b, work *w) {
    wend__version *four = with_landmarks(b, 4), *eight = with_landmarks(b, 8), *none = with_landmarks(b, 0);
    b->all_steps = true;
    measure(b, "astar plain", WEND_ENGINE_ASTAR, none, w);
    b->all_steps = false;
    measure(b, "astar", WEND_ENGINE_ASTAR, none, w);
    measure(b, "jump", WEND_ENGINE_JUMP, none, w);
    measure(b, "jump+4", WEND_ENGINE_JUMP, four, w);
    measure(b, "jump+8", WEND_ENGINE_JUMP, eight, w);
    measure(b, "auto", WEND_ENGINE_AUTO, four, w);
    wend__map_release(four, true);
    wend__map_release(eight, true);
    wend__map_release(none, true);
}

/* A fork that is edited as the map is, with a number of its landmarks, and all the effort that keeping them takes. */
static wend_map *edited_fork(bench *b, int32_t landmarks, int edits, double *batch_us) {
    wend_map *fork;
    check(wend_map_fork(b->map, &fork));
    if (!landmarks) check(wend__map_prepare_landmarks(fork, 0));
    wend__map_set_landmark_effort(fork, WEND_NO_LIMIT);
    *batch_us = edit_cells(b, fork, edits, false);
    return fork;
}

/* On the newest version of a map. */
static void measure_map(bench *b, const char *name, int32_t engine, wend_map *map, double batch_us, work *w) {
    wend__version *version = wend__map_acquire(map, true);
    w->batch_us = batch_us;
    measure(b, name, engine, version, w);
    wend__map_release(version, true);
}

static void measure_edited(bench *b, int edits, work *w) {
    double without, mending;
    wend_map *plain = edited_fork(b, 0, edits, &without), *mended = edited_fork(b, 4, edits, &mending);
    const double keeping = edit_cells(b, b->map, edits, false);
    w->count = connected(b, w->queries, w->count);
    measure_map(b, "astar", WEND_ENGINE_ASTAR, plain, without, w);
    measure_map(b, "jump", WEND_ENGINE_JUMP, plain, without, w);
    check(wend__map_prune_jumps(plain, UINT32_MAX, NULL));
    measure_map(b, "jump pruned", WEND_ENGINE_JUMP, plain, without, w);
    measure_map(b, "jump+4 kept", WEND_ENGINE_JUMP, b->map, keeping, w);
    measure_map(b, "jump+4 repaired", WEND_ENGINE_JUMP, mended, mending, w);
    check(wend__map_prepare_landmarks(plain, 4));
    measure_map(b, "jump+4 new", WEND_ENGINE_JUMP, plain, without, w);
    measure_map(b, "auto", WEND_ENGINE_AUTO, b->map, keeping, w);
    wend_map_release(plain);
    wend_map_release(mended);
}

static void measure_blocked(bench *b, int edits, work *w) {
    const double keeping = edit_cells(b, b->map, edits, true);
    w->count = connected(b, w->queries, w->count);
    check(wend__map_prune_jumps(b->map, UINT32_MAX, NULL));
    measure_map(b, "jump+4 kept", WEND_ENGINE_JUMP, b->map, keeping, w);
    check(wend__map_prepare_landmarks(b->map, 0));
    measure_map(b, "jump", WEND_ENGINE_JUMP, b->map, keeping, w);
    check(wend__map_prepare_landmarks(b->map, 4));
    measure_map(b, "jump+4 new", WEND_ENGINE_JUMP, b->map, keeping, w);
}

static int run(bench *b, const char *path, int edits, int repeats, const char *out) {
    scenario scen = read_scenario(path);
    work w = {.repeats = repeats, .queries = scen.queries, .count = scen.count};
    if (edits != 0) wend__map_release(with_landmarks(b, 4), true);
    puts("engine,queries,us_per_query,expansions_per_query,most_bytes,batch_us,landmarks");
    if (edits > 0)
        measure_edited(b, edits, &w);
    else if (edits < 0)
        measure_blocked(b, -edits, &w);
    else
        measure_loaded(b, &w);
    if (out) write_edited(b, out, w.queries, w.count);
    scenario_free(&scen);
    if (!w.agree) fprintf(stderr, "bench_table: %s: the engines do not agree\n", path);
    return !w.agree;
}

int main(int argc, char **argv) {
    static bench b;
    bool pairs = argc == 5 && strcmp(argv[1], "pairs") == 0;
    need(pairs || ((argc == 6 || argc == 7) && strcmp(argv[1], "run") == 0),
         "usage: bench_table pairs MAP COUNT SCEN | run MAP SCEN EDITS REPS [OUT]");
    bench_open(&b, argv[2]);
    int status = 0;
    if (pairs)
        write_pairs(&b, argv[2], strtoul(argv[3], NULL, 10), argv[4]);
    else
        status = run(&b, argv[3], atoi(argv[4]), atoi(argv[5]), argc == 7 ? argv[6] : NULL);
    bench_close(&b);
    return status;
}
