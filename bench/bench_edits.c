/* SPDX-License-Identifier: MIT */
/* Measures publishes, for each chunk that they change, and the searches after them. Each batch flips small boxes in N
 * chunks: every open cell of a box becomes blocked, and the next batch but one opens it again. CSV, a
 * line a map and number of chunks, in microseconds of processor time: a publish for each changed chunk, without
 * tables, with them, and with landmarks, too; maintenance of what the publish left for later; a query on
 * new tables, the first ones after each publish, and those after maintenance.
 *
 * `mass`: one cell in 100 is blocked in a batch; a query on tables alone, with the landmarks of before, and with those
 * after maintenance, compared with one before the edit; and what maintenance took, in milliseconds.
 *
 *   bench_edits [mass] [MAP ...]   of grounds made here, or of these files */
#include "scenery.h"

enum { SIDE = 1024, BOX = 8, BATCHES = 60, QUERIES = 10, PAIRS = 200, CHUNK = 64 };

typedef struct figures {
    double publish_us, later_us;     ///< for each changed chunk
    double first_us, after_us;       ///< for each query
    double fresh_us;                 ///< for each query, before any edit
    uint64_t first_work, after_work; ///< expansions
} figures;

static wend_search *search;
static uint64_t seed;

static double query(wend_map *map, uint64_t *work) {
    const wend_map_info info = info_now(map);
    wend_request request = default_request();
    request.map = map;
    do {
        request.start = open_near(map, random_cell(&info, &seed));
        request.goal = open_near(map, random_cell(&info, &seed));
    } while (!is_connected(map, WEND_MOVER_DEFAULT, request.start, request.goal));
    wend_completion result;
    const double begun = cpu_us();
    check(wend_search_begin(search, &request));
    wend_search_step(search, WEND_NO_LIMIT, NULL);
    const double us = cpu_us() - begun;
    result.struct_bytes = sizeof result;
    check(wend_search_get_result(search, &result));
    if (work) *work += result.expansions;
    return us;
}

/* Turns a box of cells of a chunk round. */
static void turn_box(wend_edit *edit, wend_map *map, const wend_map_info *info, int32_t column, int32_t row) {
    const uint32_t x = bench_random(&seed, CHUNK - BOX), y = bench_random(&seed, CHUNK - BOX);
    for (int32_t i = 0; i < BOX * BOX; i++) {
        const wend_cell cell = {column * CHUNK + (int32_t)x + i % BOX, row * CHUNK + (int32_t)y + i / BOX, 0};
        if (cell.x < info->width && cell.y < info->height) flip_cell(edit, map, cell);
    }
}

/* A batch in which `chunks` chunks change; the box of each is the same as two batches ago. Returns its time. */
static double publish_batch(wend_map *map, int32_t chunks, uint64_t batch) {
    const wend_map_info info = info_now(map);
    const int32_t columns = (info.width + CHUNK - 1) / CHUNK, all = columns * ((info.height + CHUNK - 1) / CHUNK);
    const uint64_t before = seed;
    seed = batch / 4 * 2 + batch % 2 + 1;
    const int32_t first = (int32_t)bench_random(&seed, (uint32_t)all);
    wend_edit *edit = begin_edit(map);
    for (int32_t i = 0; i < chunks; i++) {
        const int32_t at = (first + i * 7) % all;
        turn_box(edit, map, &info, at % columns, at / columns);
    }
    const double begun = cpu_us();
    publish(edit);
    seed = before;
    return cpu_us() - begun;
}

static figures measure(wend_map *original, int32_t tables, int32_t landmarks, int32_t chunks) {
    figures f = {0};
    wend_map *map;
    check(wend_map_fork(original, &map));
    wend_acceleration def = default_acceleration();
    def.tables = tables, def.landmarks = landmarks;
    check(wend_map_accelerate(map, &def));
    seed = 1;
    for (int i = 0; i < PAIRS; i++) f.fresh_us += query(map, NULL) / PAIRS;
    for (uint64_t batch = 0; batch < BATCHES; batch++) {
        f.publish_us += publish_batch(map, chunks, batch) / BATCHES / chunks;
        const uint64_t before = seed;
        for (int i = 0; i < QUERIES; i++) f.first_us += query(map, &f.first_work) / BATCHES / QUERIES;
        if (landmarks > 0) continue;
        const double begun = cpu_us();
        check(wend_map_maintain(map, WEND_MAINTAIN_ALL, WEND_NO_LIMIT, NULL));
        f.later_us += (cpu_us() - begun) / BATCHES / chunks;
        seed = before;
        for (int i = 0; i < QUERIES; i++) f.after_us += query(map, &f.after_work) / BATCHES / QUERIES;
    }
    wend_map_release(map);
    return f;
}

static void measure_map(const char *name, wend_map *map) {
    static const int32_t counts[] = {1, 4, 16};
    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++) {
        const figures none = measure(map, 0, 0, counts[i]), tables = measure(map, 1, 0, counts[i]);
        const figures landmarks = measure(map, 1, 4, counts[i]);
        printf("%s,%d,%.1f,%.1f,%.1f,%.1f,%.1f,%.1f,%.1f,%.2f\n", name, counts[i], none.publish_us, tables.publish_us,
               landmarks.publish_us, tables.later_us, tables.fresh_us, tables.first_us, tables.after_us,
               (double)tables.first_work / (double)tables.after_work);
        fflush(stdout);
    }
    wend_map_release(map);
}

/* Mean of PAIRS queries, the same pairs each time. */
static double mean_query(wend_map *map) {
    double all = 0;
    seed = 1;
    for (int i = 0; i < PAIRS; i++) all += query(map, NULL) / PAIRS;
    return all;
}

static void measure_mass(const char *name, wend_map *map) {
    wend_acceleration def = default_acceleration();
    check(wend_map_accelerate(map, &def));
    const double fresh = mean_query(map);
    const wend_map_info info = info_now(map);
    wend_map *plain;
    wend_edit *edit = begin_edit(map);
    seed = 9;
    for (uint64_t i = 0; i < info.cells / 100; i++) wend_edit_set_cell(edit, random_cell(&info, &seed), 0);
    publish(edit);
    check(wend_map_fork(map, &plain));
    def.landmarks = 0;
    check(wend_map_accelerate(plain, &def));
    const double without = mean_query(plain), kept = mean_query(map), begun = cpu_us();
    uint64_t left = 1;
    while (left > 0) check(wend_map_maintain(map, WEND_MAINTAIN_ALL, 100000, &left));
    const double took = (cpu_us() - begun) / 1e3;
    printf("%s,%.1f,%.1f,%.1f,%.1f,%.1f\n", name, fresh, without, kept, mean_query(map), took);
    fflush(stdout);
    wend_map_release(plain);
    wend_map_release(map);
}

static int run_mass(int count, char **paths) {
    puts("map,query_before_us,query_without_us,query_kept_us,query_maintained_us,maintenance_ms");
    for (int i = 0; i < count; i++) measure_mass(base_name(paths[i]), load_map(paths[i], 1000, 1414));
    if (count > 0) return 0;
    measure_mass("rooms", make_ground(fill_rooms, SIDE));
    measure_mass("caves", make_ground(fill_caves, SIDE));
    measure_mass("city", make_ground(fill_city, SIDE));
    return 0;
}

int main(int argc, char **argv) {
    search = open_search(1 << 24);
    if (argc > 1 && strcmp(argv[1], "mass") == 0) return run_mass(argc - 2, argv + 2);
    puts("map,chunks,publish_without_us,publish_tables_us,publish_landmarks_us,later_us,query_fresh_us,query_first_us,"
         "query_after_us,expansions_first_after");
    for (int i = 1; i < argc; i++) measure_map(base_name(argv[i]), load_map(argv[i], 1000, 1414));
    if (argc > 1) return 0;
    measure_map("rooms", make_ground(fill_rooms, SIDE));
    measure_map("caves", make_ground(fill_caves, SIDE));
    measure_map("city", make_ground(fill_city, SIDE));
    return 0;
}
