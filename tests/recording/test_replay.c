/* SPDX-License-Identifier: MIT */
/* Recordings play back to the same completions, byte for byte: random services in random worlds of every kind. */
#include "recording/live.h"
#include "models/few_or_many.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

/* The first line that differs, for the message. */
static void compare(const char *printed, const char *expected, uint64_t seed) {
    if (strcmp(printed, expected) == 0) return;
    size_t at = 0, line = 0;
    for (; printed[at] == expected[at]; at++)
        if (printed[at] == '\n') line = at + 1;
    cr_assert(false, "seed %llu:\nplayed   %.200s\nexpected %.200s", (unsigned long long)seed, printed + line,
              expected + line);
}

static void replay(const live_options *options, uint64_t first, int seeds) {
    size_t lines = 0;
    seeds = few_or_many((seeds + 11) / 12, seeds);
    for (int i = 0; i < seeds; i++) {
        OWNED(live_free) live l = {0};
        int status;
        live_run(&l, first + (uint64_t)i * 7919, options);
        if (l.files[1].bytes != NULL) {
            char *printed =
                options->maps > 1 ? live_play_maps(&l, &status) : live_play(l.files[1].bytes, l.files[1].size, &status);
            cr_assert_eq(status, 0, "seed %d: exit status %d", i, status);
            compare(printed, l.expected.bytes, first + (uint64_t)i * 7919);
            for (const char *at = printed; (at = strchr(at, '\n')) != NULL; at++) lines++;
            free(printed);
        }
    }
    cr_assert_gt(lines, (size_t)seeds * 20);
}

static const int kinds[] = {WEND_KIND_GRID, WEND_KIND_VOXEL, WEND_KIND_GRAPH};

Test(replay, gives_the_same_completions_on_every_kind) {
    for (int k = 0; k < 3; k++) replay(&(live_options){.kind = kinds[k], .frames = 60}, 100, 40);
}

Test(replay, repeats_calls_from_callbacks) {
    for (int k = 0; k < 3; k++) replay(&(live_options){.kind = kinds[k], .frames = 60, .callbacks = true}, 200, 40);
}

Test(replay, repeats_frames_of_microseconds) {
    for (int k = 0; k < 3; k++)
        replay(&(live_options){.kind = kinds[k], .frames = 60, .timed = true, .callbacks = true}, 300, 40);
}

Test(replay, does_not_depend_on_what_was_before_the_recording) {
    for (int k = 0; k < 3; k++)
        replay(&(live_options){.kind = kinds[k], .frames = 60, .callbacks = true, .past = true}, 500, 40);
}

Test(replay, repeats_several_maps_in_their_turns) {
    for (int maps = 2; maps <= LIVE_MAPS; maps++)
        replay(&(live_options){.kind = kinds[maps % 3], .frames = 60, .callbacks = true, .maps = maps}, 600, 20);
}

Test(replay, repeats_all_of_it_on_several_maps) {
    for (int k = 0; k < 3; k++)
        replay(&(live_options){kinds[k], .timed = true, .callbacks = true, .frames = 60, .maps = 3}, 700, 20);
}

Test(replay, begins_at_any_frame) {
    for (int k = 0; k < 3; k++)
        replay(&(live_options){.kind = kinds[k], .frames = 60, .callbacks = true, .late = true}, 1100, 40);
}

Test(replay, begins_at_any_frame_of_a_crowd) {
    for (int k = 0; k < 3; k++)
        replay(&(live_options){kinds[k], .timed = true, .callbacks = true, .past = true, .late = true, .crowds = true,
                               .frames = 60},
               1200, 40);
}

Test(replay, repeats_orders_of_crowds) {
    for (int k = 0; k < 3; k++) replay(&(live_options){.kind = kinds[k], .frames = 80, .crowds = true}, 800, 40);
}

Test(replay, repeats_orders_of_crowds_from_callbacks) {
    for (int k = 0; k < 3; k++)
        replay(&(live_options){kinds[k], .timed = true, .callbacks = true, .past = true, .crowds = true, .frames = 80},
               900, 40);
}

Test(replay, repeats_orders_of_crowds_on_several_maps) {
    for (int k = 0; k < 3; k++)
        replay(&(live_options){kinds[k], .timed = true, .callbacks = true, .crowds = true, .frames = 60, .maps = 3},
               1000, 20);
}
