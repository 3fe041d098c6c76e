/* SPDX-License-Identifier: MIT */
/* Each kind of agents ends each scene nearly as fast as the better kind, without a goal that gave up. In small scenes at
 * random every goal of cells or discs has an end; among both some have none (show_scenes). */
#include "crowd/scenes.h"

#include <criterion/criterion.h>

static void check_scenes(int mix) {
    for (size_t i = 0; i < scene_count; i++) {
        const scene *s = &scene_table[i];
        const scene_result result = scene_run(s, mix);
        cr_expect(!result.fault[0], "%s, %s: %s", s->name, scene_mixes[mix], result.fault);
        const bool open = s->limit.open >> mix & 1;
        if (open && scene_is_met(s, &result))
            cr_expect_fail("%s, %s: %u updates, the limit is %u: take it off the open ones", s->name, scene_mixes[mix],
                           result.updates, scene_limit(s));
        if (!open)
            cr_expect(scene_is_met(s, &result), "%s, %s: %u updates, the limit is %u; %u of %u are there, %u gave up",
                      s->name, scene_mixes[mix], result.updates, scene_limit(s), result.there, result.awaited,
                      result.gave_up);
    }
}

Test(scenes, cells_end_in_time) {
    check_scenes(SCENE_CELLS);
}

Test(scenes, discs_end_in_time) {
    check_scenes(SCENE_DISCS);
}

Test(scenes, cells_and_discs_end_in_time_together) {
    check_scenes(SCENE_MIXED);
}

static void check_random(int mix) {
    for (uint32_t seed = 1; seed <= 60; seed++)
        cr_expect_eq(scene_random_without_end(seed, mix), 0, "scene %u of %s", seed, scene_mixes[mix]);
}

Test(scenes, goals_of_cells_at_random_have_an_end) {
    check_random(SCENE_CELLS);
}

Test(scenes, goals_of_discs_at_random_have_an_end) {
    check_random(SCENE_DISCS);
}
