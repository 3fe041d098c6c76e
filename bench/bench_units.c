/* SPDX-License-Identifier: MIT */
/* Times moves of a unit (vacate, and occupy a neighbour), without marks of units and with them;
 * requests with enclosed goals; and what one unit costs requests that see it: at most 1.6 times the expansions.
 * CSV. */
#include "harness.h"
#include "../tests/models/options.h"
#include <wend/query.h>
#include <wend/units.h>

enum { SIDE = 512, MOVES = 200000, REPEATS = 7, MOST = 10000 };

static wend_cell units[MOST];

static void accelerate(wend_map *map) {
    wend_acceleration def = default_acceleration();
    def.landmarks = 0;
    check(wend_map_accelerate(map, &def));
}

static wend_map *make_map(bool marks) {
    wend_map *map = grid_of(NULL, SIDE, SIDE);
    if (marks) accelerate(map);
    return map;
}

static void place_units(wend_map *map, int count, uint64_t *seed) {
    for (int i = 0; i < count; i++) {
        units[i] = draw_cell(SIDE, SIDE, seed);
        check(wend_map_occupy(map, units[i]));
    }
}

/* Units move in turn, each to a random neighbour; across the map's rim to the other side. */
static double move_ns(wend_map *map, int count, uint64_t *seed) {
    const double begun = cpu_us();
    for (int i = 0, unit = 0; i < MOVES; i++, unit = unit + 1 < count ? unit + 1 : 0) {
        const wend_cell from = units[unit];
        const int32_t way = (int32_t)draw(seed, 8),
                      i9 = way < 4 ? way : way + 1; /* a cell of the 8 around the middle */
        const wend_cell to = {(from.x + i9 % 3 - 1 + SIDE) % SIDE, (from.y + i9 / 3 - 1 + SIDE) % SIDE, 0};
        check(wend_map_vacate(map, from));
        check(wend_map_occupy(map, to));
        units[unit] = to;
    }
    return (cpu_us() - begun) * 1e3 / MOVES;
}

static double measure(int count, bool marks) {
    double ns[REPEATS];
    uint64_t seed = 7;
    wend_map *map = make_map(marks);
    place_units(map, count, &seed);
    move_ns(map, count, &seed); /* warm up */
    for (int i = 0; i < REPEATS; i++) ns[i] = move_ns(map, count, &seed);
    wend_map_release(map);
    return median(ns, REPEATS);
}

/* Units on the rim of a square around (x, y). */
static void put_ring(wend_map *map, int32_t x, int32_t y, int32_t far) {
    for (int32_t i = -far; i < far; i++) {
        check(wend_map_occupy(map, (wend_cell){x + i, y - far, 0}));
        check(wend_map_occupy(map, (wend_cell){x + far, y + i, 0}));
        check(wend_map_occupy(map, (wend_cell){x - i, y + far, 0}));
        check(wend_map_occupy(map, (wend_cell){x - far, y - i, 0}));
    }
}

/* A request across the map, to a goal in a ring `far` cells away from it; 0: there is no ring. */
static void report_ring(wend_search *search, int32_t far, int32_t mode) {
    wend_map *map = make_map(true);
    if (far > 0) put_ring(map, SIDE - 32, SIDE - 40, far);
    wend_request request = default_request();
    request.map = map;
    request.start = (wend_cell){20, 20, 0}, request.goal = (wend_cell){SIDE - 32, SIDE - 40, 0};
    options_of(&request)->occupied = WEND_OCCUPIED_BLOCK;
    request.mode = mode;
    double us[REPEATS];
    wend_completion done;
    for (int i = 0; i < REPEATS; i++) us[i] = solve(search, &request, &done);
    printf("%d,%d,%s,%s,%llu,%.1f\n", (int)far, far > 0 ? (2 * far - 1) * (2 * far - 1) : 0,
           mode == WEND_MODE_NEAREST ? "nearest" : "exact", wend_status_name(done.status),
           (unsigned long long)done.expansions, median(us, REPEATS));
    wend_map_release(map);
}

static void report_rings(void) {
    static const int32_t rings[] = {0, 1, 3, 7, 8};
    wend_search *search = open_search(0);
    puts("\nring,enclosed_cells,mode,status,expansions,us");
    for (size_t i = 0; i < sizeof rings / sizeof *rings; i++) {
        report_ring(search, rings[i], WEND_MODE_EXACT);
        report_ring(search, rings[i], WEND_MODE_NEAREST);
    }
    wend_search_destroy(search);
}

/* Solves random requests among walls. Returns the time, and the expansions of all. */
static double ask_all(wend_search *search, wend_map *map, int32_t occupied, uint64_t *expansions) {
    enum { REQUESTS = 100 };
    uint64_t seed = 5;
    const double begun = cpu_us();
    wend_request request = default_request();
    request.map = map, options_of(&request)->occupied = occupied;
    *expansions = 0;
    for (int i = 0; i < REQUESTS; i++) {
        wend_completion done;
        check(wend_map_random_cell(map, 0, (wend_cell){0, 0, 0}, draw(&seed, 1u << 30), &request.start));
        check(wend_map_random_cell(map, 0, request.start, draw(&seed, 1u << 30), &request.goal));
        solve(search, &request, &done);
        *expansions += done.expansions;
    }
    return cpu_us() - begun;
}

/* Fails where the requests that see the unit take more than 1.6 times the expansions of the others. */
static bool report_one_unit(void) {
    wend_search *search;
    double us[2][REPEATS];
    uint64_t seed = 11, expansions[2] = {0};
    wend_map *map = make_map(false);
    wend_edit *edit = begin_edit(map);
    for (int i = 0; i < 400; i++) {
        const wend_cell at = {(int32_t)draw(&seed, SIDE - 20), (int32_t)draw(&seed, SIDE - 20), 0};
        const wend_cell end = {at.x + 2 + (int32_t)draw(&seed, 16), at.y + 2 + (int32_t)draw(&seed, 16), 0};
        wend_edit_fill_box(edit, (wend_box){at, end}, WEND_CLASS_BLOCKED);
    }
    publish(edit);
    check(wend_map_occupy(map, (wend_cell){SIDE / 2, SIDE / 2, 0}));
    accelerate(map);
    wend_search_def def = default_search();
    check(wend_search_create(&def, &search));
    for (int i = 0; i < REPEATS; i++) {
        us[0][i] = ask_all(search, map, WEND_OCCUPIED_IGNORE, &expansions[0]);
        us[1][i] = ask_all(search, map, WEND_OCCUPIED_BLOCK, &expansions[1]);
    }
    const double ratio = (double)expansions[1] / (double)expansions[0];
    const double plain = median(us[0], REPEATS), seen = median(us[1], REPEATS);
    puts("\none_unit,plain_expansions,seen_expansions,ratio,plain_us,seen_us,time_ratio");
    printf("100 requests,%llu,%llu,%.2f,%.0f,%.0f,%.2f\n", (unsigned long long)expansions[0],
           (unsigned long long)expansions[1], ratio, plain, seen, seen / plain);
    wend_search_destroy(search);
    wend_map_release(map);
    return ratio <= 1.6;
}

int main(void) {
    static const int counts[] = {1, 100, 1000, 5000, 10000};
    puts("units,plain_ns,marked_ns");
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
        printf("%d,%.0f,%.0f\n", counts[i], measure(counts[i], false), measure(counts[i], true));
    report_rings();
    return report_one_unit() ? 0 : 1;
}
