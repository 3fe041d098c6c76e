/* SPDX-License-Identifier: MIT */
/* Shows of a crowd: doors, a ring, full boards, a funnel, and a town; each frame is checked from outside. */
#include "crowd/crowd_shows.h"
#include "models/few_or_many.h"

#include <criterion/criterion.h>
#include <stdlib.h>

static show s;

static void check_met(uint64_t most) {
    uint32_t unmet = show_run(&s, most);
    cr_assert(!s.fault, "%s in frame %lu", s.fault, (unsigned long)s.frame);
    cr_assert(unmet == 0, "%u of %u wishes are not met after %lu frames", unmet, s.goals, (unsigned long)s.frame);
    show_close(&s);
}

static void check_doors(int32_t rooms, int32_t doors) {
    show_doors(&s, rooms, doors);
    check_met(show_doors_bar(&s, doors));
}

Test(crowd_shows, all_cross_through_doors_both_ways) {
    check_doors(2, 1);
    check_doors(2, 2);
    check_doors(2, 4);
    check_doors(3, 4);
    if (few_or_many(0, 1)) check_doors(4, 1);
}

Test(crowd_shows, a_hundred_on_a_ring_change_places) {
    show_ring(&s);
    check_met(3 * show_longest_walk(&s));
}

static void check_board(const char *const *rows, int32_t count, uint32_t spare) {
    for (uint64_t seed = 1; seed <= 20; seed++) {
        show_board(&s, rows, count, spare, seed);
        check_met(20000);
    }
}

Test(crowd_shows, everybody_arrives_on_a_full_board) {
    check_board((const char *[]){"......", "......", "......", "......", "......", "......"}, 6, 0);
    check_board((const char *[]){"........", ".######.", ".######.", "........"}, 4, 0);
    check_board((const char *[]){"....", "....", "..##", "..##"}, 4, 1);
}

Test(crowd_shows, everybody_arrives_where_rooms_are_not_full) {
    check_board((const char *[]){"....#....", "....#....", ".........", "....#...."}, 4, 17);
    check_board((const char *[]){"...###...", "...###...", ".........", "...###..."}, 4, 15);
}

Test(crowd_shows, hundreds_stream_through_a_gate) {
    show_funnel(&s, few_or_many(400, 1000));
    uint64_t first = 0, last = 0; /* a tenth and nine tenths are through: there is a queue between them */
    while (!last) {
        cr_assert(show_frame(&s), "%s", s.fault);
        uint32_t through = show_funnel_through(&s);
        if (!first && through >= s.count / 10) first = s.frame;
        if (through >= s.count * 9 / 10) last = s.frame;
        cr_assert_lt(s.frame, 20000u);
    }
    double rate = s.count * 8 / 10 * (double)SHOW_STEP_FRAMES / (double)(last - first);
    cr_assert(rate >= 0.7, "%.3f agents a step's time", rate);
    show_run(&s, s.frame + 4000);
    cr_assert(!s.fault && s.met + s.partial == s.count, "%u met, %u near", s.met, s.partial);
    show_close(&s);
}

static int by_size(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

static void check_town(bool caves) {
    enum { FRAMES = 600, AFTER = 3000, MOST = 10000 };
    const uint32_t agents = (uint32_t)few_or_many(200, 500);
    static double ratios[MOST];
    uint32_t count = 0;
    show_town(&s, 129, agents, caves);
    for (int f = 0; f < FRAMES + AFTER && count < MOST; f++) {
        for (uint32_t i = 0; i < s.count; i++) {
            show_agent *a = &s.agents[i];
            if (a->wants || !a->met || a->ended <= a->began) continue;
            ratios[count++] = (double)(a->ended - a->began) / (double)a->lone_frames;
            a->ended = a->began;
        }
        cr_assert(show_town_frame(&s, f < FRAMES), "%s", s.fault);
    }
    qsort(ratios, count, sizeof *ratios, by_size);
    cr_assert(s.met * 100 >= s.goals * 99, "%u of %u wishes met", s.met, s.goals);
    cr_assert(count > agents && ratios[count / 2] <= 1.5, "%.3f times the lone walk", ratios[count / 2]);
    show_close(&s);
}

Test(crowd_shows, pedestrians_in_rooms_meet_their_goals) {
    check_town(false);
}

Test(crowd_shows, pedestrians_in_caves_meet_their_goals) {
    check_town(true);
}
