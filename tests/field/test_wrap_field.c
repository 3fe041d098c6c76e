/* SPDX-License-Identifier: MIT */
/* Flow fields on maps that wrap, also repaired after edits at the rim, compared with Dijkstra's algorithm. */
#include "models/few_or_many.h"
#include "models/torus.h"

#include <wend/field.h>

static void compare_field(const torus *t, const wend_field *field, int32_t mover, int32_t goal) {
    static int64_t distances[TORUS_CELLS];
    for (int32_t cell = 0; cell < t->width * t->height; cell += 1 + t->width * t->height / 40) {
        if (!torus_factor(t, mover, cell)) continue;
        torus_measure(t, mover, cell, distances);
        wend_cell next;
        uint64_t cost;
        const wend_status status = wend_field_next(field, torus_cell(t, cell), &next, &cost);
        const bool reached = torus_factor(t, mover, goal) && distances[goal] >= 0;
        cr_assert_eq(status == WEND_STATUS_FOUND, reached, "%d to %d: status %d", cell, goal, status);
        if (!reached) continue;
        cr_assert_eq((int64_t)cost, distances[goal], "%d x %d wrap %d, %d to %d: %d, not %d", t->width, t->height,
                     t->wrap, cell, goal, (int)cost, (int)distances[goal]);
    }
}

Test(wrap_field, costs_equal_dijkstras_before_and_after_edits_of_the_rim) {
    static torus t;
    uint64_t seed = 29;
    for (int round = 0; round < few_or_many(3, 600); round++) {
        torus_draw(&t, &seed);
        OWNED_MAP *map = torus_map(&t);
        const int32_t goal = (int32_t)draw(&seed, (uint32_t)(t.width * t.height));
        const wend_cell cell = torus_cell(&t, goal);
        wend_field_def def = default_field();
        def.map = map, def.mover = round % 2, def.goals = &cell, def.goal_count = 1;
        OWNED_FIELD *field = made_field(&def);
        for (int edits = 0; edits < 4; edits++) {
            if (edits > 0) torus_edit(&t, map, &seed);
            cr_assert_eq(wend_field_repair(field, false), WEND_OK);
            wend_field_step(field, UINT64_MAX, NULL);
            compare_field(&t, field, def.mover, goal);
        }
    }
}
