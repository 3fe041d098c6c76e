/* SPDX-License-Identifier: MIT */
/* Shows of the traffic: doors, a ring, corridors, a funnel, and pedestrians, each decision checked. */
#include "crowd/traffic_world.h"
#include "models/few_or_many.h"
#include "models/random.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <wend/units.h>

static wend_cell at(int32_t x, int32_t y) {
    return (wend_cell){x, y, 0};
}

static uint64_t longest_walk(const traffic_world *w) {
    uint64_t longest = 0;
    for (uint32_t i = 0; i < w->count; i++)
        if (w->drivers[i].lone_frames > longest) longest = w->drivers[i].lone_frames;
    return longest;
}

/* ---- doors ---- */

enum { ROOM = 24, SPEED = 250, STEP_FRAMES = 4 };

/* Rooms in a row; the walls between them have some doors of one cell. Agents of both sides alternate, so
   that no side has the rank. */
static void doors(traffic_world *w, int32_t rooms, int32_t doors, int32_t side, bool paths) {
    int32_t width = rooms * (ROOM + 1) - 1;
    uint8_t *open = malloc((size_t)width * ROOM);
    memset(open, 1, (size_t)width * ROOM);
    for (int32_t x = ROOM; x < width; x += ROOM + 1) {
        for (int32_t y = 0; y < ROOM; y++) open[y * width + x] = 0;
        for (int32_t d = 0; d < doors; d++) open[ROOM * (2 * d + 1) / (2 * doors) * width + x] = 1;
    }
    traffic_world_create(w, width, ROOM, open, 2 * (uint32_t)side);
    free(open);
    w->paths = paths;
    for (int pass = 0; pass < 2; pass++)
        for (int32_t i = 0; i < 2 * side; i++) {
            int32_t x = i / 2 % 10, y = i / 20 + 2;
            wend_cell left = at(x, y), right = at(width - 1 - x, y);
            if (pass)
                traffic_world_go(w, (uint32_t)i, i % 2 ? left : right);
            else
                traffic_world_add(w, i % 2 ? right : left, SPEED);
        }
}

static void check_doors(int32_t rooms, int32_t count, bool paths) {
    const int32_t side = count == 1 ? enough_or_many(80, 200) : 200; /* they stand before all doors */
    OWNED(traffic_world_destroy) traffic_world w;
    doors(&w, rooms, count, side, paths);
    uint64_t bar = 3 * (longest_walk(&w) + 2 * (uint64_t)side * STEP_FRAMES / (uint64_t)count);
    uint32_t left = traffic_world_run(&w, bar);
    cr_assert(!w.fault, "%s", w.fault);
    cr_assert(left == 0, "%u of %d are on their way after %lu frames", left, 2 * side, (unsigned long)bar);
}

Test(traffic_shows, all_cross_through_doors_both_ways) {
    check_doors(2, 1, true);
    check_doors(2, 2, true);
    check_doors(2, 4, true);
    check_doors(3, 4, true);
    check_doors(4, 1, true);
}

Test(traffic_shows, all_cross_through_doors_by_distance_fields) {
    check_doors(2, 1, false);
    check_doors(3, 4, false);
}

/* ---- ring ---- */

Test(traffic_shows, a_hundred_on_a_ring_change_places) {
    enum { COUNT = 100, WIDTH = 64 };
    uint8_t open[WIDTH * WIDTH];
    memset(open, 1, sizeof open);
    for (int paths = 0; paths < 2; paths++) {
        OWNED(traffic_world_destroy) traffic_world w;
        traffic_world_create(&w, WIDTH, WIDTH, open, COUNT);
        w.paths = paths;
        wend_cell ring[COUNT];
        for (int i = 0; i < COUNT; i++) {
            double angle = i * 6.283185307179586 / COUNT;
            ring[i] = at((int32_t)lround(31.5 + 28 * cos(angle)), (int32_t)lround(31.5 + 28 * sin(angle)));
            traffic_world_add(&w, ring[i], SPEED);
        }
        for (uint32_t i = 0; i < COUNT; i++) traffic_world_go(&w, i, ring[(i + COUNT / 2) % COUNT]);
        cr_assert_eq(traffic_world_run(&w, 3 * longest_walk(&w)), 0u);
        /* Agents that were pushed off their goals come back. */
        for (int f = 0; f < 200; f++) cr_assert(traffic_world_step(&w), "%s", w.fault);
        for (uint32_t i = 0; i < COUNT; i++) cr_assert(is_same_cell(w.agents[i].at, w.drivers[i].goal));
    }
}

/* ---- corridors ---- */

/* Small letters go to their capitals. */
static void check_corridor(const char *const *rows, int32_t count) {
    for (int paths = 0; paths < 2; paths++) {
        OWNED(traffic_world_destroy) traffic_world w;
        wend_cell goals[26];
        traffic_world_of_text(&w, rows, count, 16);
        w.paths = paths;
        for (char c = 'a'; c <= 'z'; c++)
            for (int32_t y = 0; y < count; y++)
                for (int32_t x = 0; rows[y][x]; x++) {
                    if (rows[y][x] == c) traffic_world_add(&w, at(x, y), SPEED);
                    if (rows[y][x] == c - 'a' + 'A') goals[c - 'a'] = at(x, y);
                }
        for (uint32_t i = 0; i < w.count; i++) traffic_world_go(&w, i, goals[i]);
        uint32_t left = traffic_world_run(&w, 600);
        cr_assert(!w.fault && left == 0, "%u never arrive in: %s %s", left, rows[1], w.fault ? w.fault : "");
    }
}

Test(traffic_shows, two_pass_in_a_corridor_with_a_niche) {
    check_corridor((const char *[]){"####################", "#aB..............bA#", "##########.#########"}, 3);
    check_corridor((const char *[]){"####################", "#aB..............bA#", "###############.####"}, 3);
    check_corridor((const char *[]){"####################", "#aB..............bA#", "###.################"}, 3);
}

Test(traffic_shows, one_backs_out_of_a_dead_end) {
    check_corridor((const char *[]){"####################", "#.....B.....a....bA#", "#.....#####.########"}, 3);
    check_corridor((const char *[]){"####################", "#..B..........a..bA#", "#.....######.#######"}, 3);
    check_corridor((const char *[]){"####################", "#.aC....b........cB#", "#A....######.#######"}, 3);
}

Test(traffic_shows, groups_pass_in_a_corridor_between_rooms) {
    check_corridor((const char *[]){"######################", "#ab..............dc..#", "#CD..............AB..#",
                                    "#....###########.....#", "######################"},
                   5);
    check_corridor((const char *[]){"########################", "#Cab.######.#######dcB.#", "#DDe.................A.#",
                                    "#...E################..#", "########################"},
                   5);
}

/* ---- the promise ---- */

/* Walkers on all cells but `spare` ones, each with another's cell as its goal: all arrive at some time. */
static void check_promise(const char *const *rows, int32_t count, uint32_t spare, uint64_t seed, bool paths) {
    OWNED(traffic_world_destroy) traffic_world w;
    wend_cell cells[256];
    uint32_t found = 0;
    traffic_world_of_text(&w, rows, count, 256);
    w.paths = paths;
    for (int32_t i = 0; i < w.width * w.height; i++)
        if (w.open[i]) cells[found++] = at(i % w.width, i / w.width);
    for (uint32_t i = found; i-- > 1;) {
        uint32_t k = draw(&seed, i + 1);
        wend_cell other = cells[k];
        cells[k] = cells[i], cells[i] = other;
    }
    for (uint32_t i = 0; i < found - spare; i++) traffic_world_add(&w, cells[i], 150 + (int32_t)draw(&seed, 200));
    for (uint32_t i = 0; i < w.count; i++) traffic_world_go(&w, i, cells[(i + 1) % w.count]);
    uint32_t left = traffic_world_run(&w, 20000);
    cr_assert(!w.fault && left == 0, "%u of %u on the way: %s", left, w.count, w.fault ? w.fault : rows[0]);
}

Test(traffic_shows, everybody_arrives_on_a_full_board) {
    for (uint64_t seed = 1; seed <= 20; seed++)
        for (int paths = 0; paths < 2; paths++) {
            check_promise((const char *[]){"......", "......", "......", "......", "......", "......"}, 6, 0, seed,
                          paths);
            check_promise((const char *[]){"........", ".######.", ".######.", "........"}, 4, 0, seed, paths);
            check_promise((const char *[]){"....", "....", "..##", "..##"}, 4, 1, seed, paths);
        }
}

Test(traffic_shows, everybody_arrives_where_rooms_are_not_full) {
    for (uint64_t seed = 1; seed <= 20; seed++)
        for (int paths = 0; paths < 2; paths++) {
            check_promise((const char *[]){"....#....", "....#....", ".........", "....#...."}, 4, 17, seed, paths);
            check_promise((const char *[]){"...###...", "...###...", ".........", "...###..."}, 4, 15, seed, paths);
        }
}

/* ---- funnel ---- */

Test(traffic_shows, hundreds_stream_through_a_gate) {
    const int32_t count = enough_or_many(300, 1000);
    enum { WIDTH = 100, HEIGHT = 60, GATE = 50 };
    static uint8_t open[WIDTH * HEIGHT];
    memset(open, 1, sizeof open);
    for (int32_t y = 0; y < HEIGHT; y++) open[y * WIDTH + GATE] = y == 30;
    OWNED(traffic_world_destroy) traffic_world w;
    traffic_world_create(&w, WIDTH, HEIGHT, open, (uint32_t)count);
    w.paths = true;
    for (int32_t i = 0; i < count; i++) traffic_world_add(&w, at(i % 25, i / 25 + 10), SPEED);
    for (int32_t i = 0; i < count; i++) traffic_world_go(&w, (uint32_t)i, at(WIDTH - 1 - i % 25, i / 25 + 10));
    uint64_t first = 0,
             last = 0; /* frames in which a tenth and nine tenths are through: there is a queue between them */
    while (!last) {
        cr_assert(traffic_world_step(&w), "%s", w.fault);
        uint32_t through = 0;
        for (uint32_t i = 0; i < (uint32_t)count; i++) through += w.agents[i].at.x > GATE;
        if (!first && through >= (uint32_t)count / 10) first = w.frame;
        if (through >= (uint32_t)count * 9 / 10) last = w.frame;
        cr_assert_lt(w.frame, 20000u);
    }
    double rate = count * 8 / 10 * (double)STEP_FRAMES / (double)(last - first);
    cr_assert(rate >= 0.7, "%.3f agents a step's time", rate);
    cr_assert_eq(traffic_world_run(&w, w.frame + 2000), 0u);
}

/* ---- pedestrians ---- */

enum { BLOCK = 16 };

/* Rooms with a door in each wall, and agents with goals that are free when they get them; doors open and close. */
typedef struct town {
    traffic_world world;
    int32_t side;
    uint64_t random;
    wend_cell doors[1024];
    uint32_t door_count;
    double *ratios;
    uint32_t goals, met;
} town;

static void found_town(town *t, int32_t side, uint32_t agents) {
    *t = (town){.side = side, .random = 7};
    t->ratios = malloc(100000 * sizeof *t->ratios);
    uint8_t *open = calloc((size_t)side * (size_t)side, 1);
    for (int32_t y = 0; y < side; y++)
        for (int32_t x = 0; x < side; x++) open[y * side + x] = x % BLOCK && y % BLOCK;
    for (int32_t y = 0; y + BLOCK <= side; y += BLOCK)
        for (int32_t x = 0; x + BLOCK <= side; x += BLOCK) {
            wend_cell west = at(x, y + 4 + (int32_t)draw(&t->random, 8));
            wend_cell north = at(x + 4 + (int32_t)draw(&t->random, 8), y);
            if (x) t->doors[t->door_count++] = west, open[west.y * side + west.x] = 1;
            if (y) t->doors[t->door_count++] = north, open[north.y * side + north.x] = 1;
        }
    traffic_world_create(&t->world, side, side, open, agents);
    t->world.paths = true;
    free(open);
}

static wend_cell free_cell(town *t) {
    for (;;) {
        wend_cell cell = at((int32_t)draw(&t->random, (uint32_t)t->side), (int32_t)draw(&t->random, (uint32_t)t->side));
        if (!(cell.x % BLOCK && cell.y % BLOCK)) continue;
        if (!wend__traffic_is_held(t->world.traffic, cell, 1, WEND__NO_AGENT)) return cell;
    }
}

static void work_doors(town *t) {
    wend_cell door = t->doors[draw(&t->random, t->door_count)];
    uint32_t units = 0;
    wend_map_get_occupants(t->world.map, door, &units);
    if (!traffic_world_is_open(&t->world, door.x, door.y))
        traffic_world_set_open(&t->world, door, true);
    else if (!units && draw(&t->random, 4) == 0)
        traffic_world_set_open(&t->world, door, false);
}

static void take_goal(town *t, uint32_t i, bool another) {
    traffic_driver *driver = &t->world.drivers[i];
    if (driver->wants || driver->length) return;
    if (driver->ended > driver->began) {
        t->ratios[t->met++] = (double)(driver->ended - driver->began) / (double)driver->lone_frames;
        driver->ended = driver->began;
    }
    if (!another) return;
    do traffic_world_go(&t->world, i, free_cell(t));
    while (driver->path_count < 2);
    t->goals++;
}

static int by_size(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

Test(traffic_shows, pedestrians_meet_their_goals) {
    enum { FRAMES = 1200, AFTER = 2400 };
    const uint32_t count = (uint32_t)few_or_many(500, 2000);
    static town t;
    found_town(&t, 257, count);
    for (uint32_t i = 0; i < count; i++)
        traffic_world_add(&t.world, free_cell(&t), 200 + (int32_t)draw(&t.random, 100));
    for (int f = 0; f < FRAMES + AFTER; f++) {
        if (f < FRAMES && f % 5 == 0) work_doors(&t);
        for (uint32_t i = 0; i < count; i++) take_goal(&t, i, f < FRAMES);
        if (f >= FRAMES && t.met == t.goals) break;
        cr_assert(traffic_world_step(&t.world), "%s", t.world.fault);
    }
    qsort(t.ratios, t.met, sizeof *t.ratios, by_size);
    cr_assert_geq(t.met * 100, t.goals * 99, "%u of %u wishes met", t.met, t.goals);
    cr_assert_leq(t.ratios[t.met / 2], 1.5, "%.3f times the lone walk", t.ratios[t.met / 2]);
    traffic_world_destroy(&t.world);
    free(t.ratios);
}

/* ---- the same everywhere ---- */

Test(traffic_shows, decisions_are_the_same_everywhere) {
    OWNED(traffic_world_destroy) traffic_world w;
    doors(&w, 3, 2, 200, true);
    traffic_world_run(&w, 400);
    cr_assert_null(w.fault);
    cr_assert_eq(w.hash, UINT64_C(0x3b14ed49f009216f), "hash %llx", (unsigned long long)w.hash);
}
