/* SPDX-License-Identifier: MIT */
/* bench_player [FOLLOWERS [TURNS]]: a player among her own followers, moved by the host in three ways. CSV: turns in
 * which her way was barred, the most of them in a row, and how often she was pushed off her cell; the worst of some
 * seeds, each number by itself. */
#include "harness.h"
#include "crowd/player_course.h"

enum { SEEDS = 4 };

static uint32_t larger(uint32_t a, uint32_t b) {
    return a > b ? a : b;
}

static void measure(int map, int way, uint32_t followers, uint32_t turns) {
    course_result worst = {0};
    uint32_t least = turns;
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        const course_result one = course_run(map, way, followers, turns, seed);
        worst.blocked = larger(worst.blocked, one.blocked);
        worst.longest = larger(worst.longest, one.longest);
        worst.pushed = larger(worst.pushed, one.pushed);
        if (one.blocked < least) least = one.blocked;
    }
    printf("%s,%s,%u,%u,%u,%u,%u,%u\n", course_map_names[map], course_way_names[way], (unsigned)followers,
           (unsigned)turns, (unsigned)least, (unsigned)worst.blocked, (unsigned)worst.longest, (unsigned)worst.pushed);
}

int main(int argc, char **argv) {
    const uint32_t followers = argc > 1 ? (uint32_t)strtoul(argv[1], NULL, 10) : 12;
    const uint32_t turns = argc > 2 ? (uint32_t)strtoul(argv[2], NULL, 10) : 1500;
    puts("map,player,followers,turns,blocked_least,blocked_most,longest,pushed_most");
    for (int map = 0; map < COURSE_MAPS; map++)
        for (int way = 0; way < COURSE_WAYS; way++) measure(map, way, followers, turns);
    return 0;
}
