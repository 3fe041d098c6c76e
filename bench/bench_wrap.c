/* SPDX-License-Identifier: MIT */
/* Compares maps that wrap with the same ones that do not, by turns.
 *
 *   bench_wrap [QUERIES [SIDE]]
 *
 * CSV, a line a share of blocked cells and engine: expansions and CPU time of a mean query on the plain map and on the
 * torus, and the ratio of the times. Pairs that are connected on both count. Exits 1 where AUTO takes more than 1.5
 * times as long on the torus. */
#include "harness.h"
#include "../tests/models/options.h"

enum { ROUNDS = 5, BLOCKED_KINDS = 4 };
#define MOST_RATIO 1.5

typedef struct tally {
    double us;
    uint64_t expansions;
} tally;

static wend_map *make_map(int32_t side, uint32_t blocked, int32_t wrap) {
    wend_map_def def = default_map();
    uint64_t state = 11;
    wend_map *map;
    def.width = def.height = side, def.wrap = wrap;
    check(wend_map_create(&def, &map));
    wend_edit *edit = begin_edit(map);
    for (int32_t y = 0; y < side; y++)
        for (int32_t x = 0; x < side; x++)
            if (bench_random(&state, 100) < blocked) check(wend_edit_set_cell(edit, (wend_cell){x, y, 0}, 0));
    publish(edit);
    wend_acceleration fast = default_acceleration();
    check(wend_map_accelerate(map, &fast));
    return map;
}

/* Halls: walls every 32 cells, with a door in each. */
static void add_halls(wend_map *map, int32_t side) {
    uint64_t state = 5;
    wend_edit *edit = begin_edit(map);
    for (int32_t at = 16; at < side; at += 32) {
        check(wend_edit_fill_box(edit, (wend_box){{at, 0, 0}, {at, side - 1, 0}}, 0));
        check(wend_edit_fill_box(edit, (wend_box){{0, at, 0}, {side - 1, at, 0}}, 0));
    }
    for (int32_t at = 16; at < side; at += 32)
        for (int32_t from = 17; from < side; from += 32)
            for (int i = 0; i < 2; i++) {
                const int32_t door = (from + (int32_t)bench_random(&state, 31)) % side;
                check(wend_edit_set_cell(edit, i ? (wend_cell){at, door, 0} : (wend_cell){door, at, 0}, 1));
            }
    publish(edit);
}

static void solve_all(wend_map *map, wend_map *other, int32_t side, int32_t engine, int queries, wend_search *search,
                      tally *sum) {
    uint64_t state = 99;
    for (int i = 0; i < queries; i++) {
        wend_request request = path_request(map, random_place(side, side, &state), random_place(side, side, &state));
        wend_completion result;
        options_of(&request)->engine = engine;
        if (!is_connected(map, 0, request.start, request.goal) || !is_connected(other, 0, request.start, request.goal))
            continue;
        sum->us += solve(search, &request, &result);
        sum->expansions += result.expansions;
    }
}

int main(int argc, char **argv) {
    static const int32_t engines[] = {WEND_ENGINE_ASTAR, WEND_ENGINE_JUMP, WEND_ENGINE_AUTO};
    static const char *const names[] = {"astar", "jump", "auto"}, *const kinds[] = {"open", "10 %", "20 %", "halls"};
    static const uint32_t shares[BLOCKED_KINDS] = {0, 10, 20, 0};
    const int queries = argc > 1 ? atoi(argv[1]) : 1000;
    const int32_t side = argc > 2 ? atoi(argv[2]) : 256;
    wend_search *search = open_search(1 << 20);
    bool slow = false;
    printf("map,side,engine,plain_expansions,plain_us,torus_expansions,torus_us,ratio\n");
    for (int k = 0; k < BLOCKED_KINDS; k++) {
        wend_map *maps[2];
        for (int i = 0; i < 2; i++) {
            maps[i] = make_map(side, shares[k], i ? WEND_WRAP_X | WEND_WRAP_Y : 0);
            if (k == BLOCKED_KINDS - 1) add_halls(maps[i], side);
        }
        for (int e = 0; e < 3; e++) {
            tally sum[2] = {{0, 0}, {0, 0}};
            for (int round = 0; round < ROUNDS; round++)
                for (int i = 0; i < 2; i++) solve_all(maps[i], maps[!i], side, engines[e], queries, search, &sum[i]);
            const double ratio = sum[1].us / sum[0].us, each = (double)queries * ROUNDS;
            printf("%s,%d,%s,%.0f,%.2f,%.0f,%.2f,%.2f\n", kinds[k], side, names[e], (double)sum[0].expansions / each,
                   sum[0].us / each, (double)sum[1].expansions / each, sum[1].us / each, ratio);
            slow = slow || (engines[e] == WEND_ENGINE_AUTO && ratio > MOST_RATIO);
        }
        wend_map_release(maps[0]);
        wend_map_release(maps[1]);
    }
    wend_search_destroy(search);
    return slow;
}
