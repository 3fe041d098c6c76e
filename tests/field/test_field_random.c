/* SPDX-License-Identifier: MIT */
/* Fields on random worlds of every kind against plain relaxation: whole, in part, after edits, in slices. */
#include "field/field_worlds.h"
#include "field/field_state.h"
#include "models/few_or_many.h"

#include <criterion/criterion.h>
#include <string.h>
#include <wend/field.h>

enum { EDITS = 14 };

static uint64_t worlds(void) {
    return (uint64_t)few_or_many(3, 25);
}

static wend_field *make_field(const wend_field_def *def) {
    return made_field(def);
}

static void finish(wend_field *field) {
    cr_assert_eq(wend_field_step(field, WEND_NO_LIMIT, NULL), 1);
}

/* Step in slices of random length, and compare known cells in between. */
static void finish_in_slices(field_world *w, wend_field *field, const int64_t *costs) {
    int known = 0, before = 0;
    for (int done = 0; !done;) {
        const uint64_t slice = 1 + (uint64_t)oracle_below(&w->random, 60);
        uint64_t used = 0;
        done = wend_field_step(field, slice, &used);
        cr_assert_leq(used, slice);
        cr_assert(done || used == slice, "work left, and %d of %d spent", (int)used, (int)slice);
        if (oracle_below(&w->random, 4) == 0) known = field_world_check(w, field, costs, false);
        cr_assert_geq(known, before);
        before = known;
    }
}

static void run_toward(int kind, uint64_t seed) {
    static field_world w;
    field_world_open(&w, kind, seed);
    const wend_field_def def = field_world_def(&w);
    OWNED_FIELD *field = make_field(&def);
    field_world_measure(&w);
    finish_in_slices(&w, field, w.costs);
    field_world_check(&w, field, w.costs, true);
    for (int i = 0; i < EDITS; i++) {
        field_world_edit(&w);
        if (oracle_below(&w.random, 4) == 0) field_world_edit(&w);
        cr_assert_eq(wend_field_repair(field, false), WEND_OK);
        cr_assert_eq(wend__field_epoch(field), wend_map_get_epoch(w.map));
        field_world_measure(&w);
        field_world_check(&w, field, w.costs, false);
        if (oracle_below(&w.random, 3) == 0) { /* left in the middle of its work, for the next edit */
            wend_field_step(field, (uint64_t)oracle_below(&w.random, 40), NULL);
            field_world_check(&w, field, w.costs, false);
            continue;
        }
        if (oracle_below(&w.random, 2)) finish_in_slices(&w, field, w.costs);
        finish(field);
        field_world_check(&w, field, w.costs, true);
    }
    field_world_set_goals(&w);
    cr_assert_eq(wend_field_set_goals(field, w.goals, w.goal_count), WEND_OK);
    field_world_measure(&w);
    finish(field);
    field_world_check(&w, field, w.costs, true);
    field_world_close(&w);
}

Test(field_random, leads_to_goals_on_grids) {
    for (uint64_t seed = 1; seed <= 2 * worlds(); seed++) run_toward(WEND_KIND_GRID, seed);
}

Test(field_random, leads_to_goals_in_space) {
    for (uint64_t seed = 1; seed <= worlds(); seed++) run_toward(WEND_KIND_VOXEL, 100 + seed);
}

Test(field_random, leads_to_goals_on_graphs) {
    for (uint64_t seed = 1; seed <= worlds(); seed++) run_toward(WEND_KIND_GRAPH, 200 + seed);
}

static void run_away(int kind, uint64_t seed) {
    static field_world w;
    field_world_open(&w, kind, seed);
    wend_field_def def = field_world_def(&w);
    def.purpose = WEND_FIELD_AWAY;
    def.fear_milli = 1000 + 100 * (uint32_t)oracle_below(&w.random, 30);
    if (oracle_below(&w.random, 2)) def.largest_cost = 20 + (uint32_t)oracle_below(&w.random, 400);
    OWNED_FIELD *field = make_field(&def);
    for (int i = 0; i < EDITS; i++) {
        field_world_measure_away(&w, def.largest_cost, def.fear_milli);
        field_world_check(&w, field, w.away, false);
        if (i > 0 && oracle_below(&w.random, 3) == 0) { /* left in any phase, for the next edit */
            wend_field_step(field, (uint64_t)oracle_below(&w.random, 900), NULL);
            field_world_check(&w, field, w.away, false);
        } else {
            if (oracle_below(&w.random, 2)) finish_in_slices(&w, field, w.away);
            finish(field);
            field_world_check(&w, field, w.away, true);
        }
        field_world_edit(&w);
        if (oracle_below(&w.random, 4) == 0) field_world_edit(&w);
        cr_assert_eq(wend_field_repair(field, false), WEND_OK);
        cr_assert_eq(wend__field_epoch(field), wend_map_get_epoch(w.map));
    }
    if (oracle_below(&w.random, 2)) {
        field_world_set_goals(&w);
        cr_assert_eq(wend_field_set_goals(field, w.goals, w.goal_count), WEND_OK);
    }
    field_world_measure_away(&w, def.largest_cost, def.fear_milli);
    finish(field);
    field_world_check(&w, field, w.away, true);
    field_world_close(&w);
}

Test(field_random, leads_away_on_all_kinds) {
    const int kinds[] = {WEND_KIND_GRID, WEND_KIND_VOXEL, WEND_KIND_GRAPH};
    for (uint64_t seed = 1; seed <= 3 * worlds(); seed++) run_away(kinds[seed % 3], 300 + seed);
}

Test(field_random, ends_at_its_largest_cost) {
    static field_world w;
    for (uint64_t seed = 1; seed <= worlds(); seed++) {
        field_world_open(&w, WEND_KIND_GRID, 400 + seed);
        wend_field_def def = field_world_def(&w);
        def.largest_cost = 1 + (uint32_t)oracle_below(&w.random, 200);
        OWNED_FIELD *field = make_field(&def);
        for (int i = 0; i < 6; i++) {
            cr_assert_eq(wend_field_repair(field, false), WEND_OK);
            finish(field);
            field_world_measure(&w);
            for (int cell = 0; cell < w.now.cells; cell++)
                if (w.costs[cell] > (int64_t)def.largest_cost) w.costs[cell] = -1;
            field_world_check(&w, field, w.costs, true);
            field_world_edit(&w);
        }
        field_world_close(&w);
    }
}

/* The same calls give the same answers, however the work is sliced. */
Test(field_random, does_not_depend_on_slices) {
    static field_world w;
    for (uint64_t seed = 1; seed <= worlds(); seed++) {
        field_world_open(&w, (const int[]){WEND_KIND_GRID, WEND_KIND_VOXEL, WEND_KIND_GRAPH}[seed % 3], 500 + seed);
        const wend_field_def def = field_world_def(&w);
        OWNED_FIELD *whole = make_field(&def), *sliced = make_field(&def);
        for (int i = 0; i < 5; i++) {
            uint64_t once = 0, sum = 0, used;
            wend_field_step(whole, WEND_NO_LIMIT, &once);
            while (!wend__field_is_complete(sliced)) {
                wend_field_step(sliced, 1 + (uint64_t)oracle_below(&w.random, 30), &used);
                sum += used;
            }
            wend_field_step(sliced, WEND_NO_LIMIT, &used);
            cr_assert_eq(once, sum + used);
            for (int cell = 0; cell < w.now.cells; cell++) {
                wend_cell next[2] = {{-1, -1, -1}, {-1, -1, -1}};
                uint64_t costs[2] = {0, 0};
                const wend_cell at = world_cell(&w.now, cell);
                const wend_status one = wend_field_next(whole, at, &next[0], &costs[0]);
                cr_assert_eq(one, wend_field_next(sliced, at, &next[1], &costs[1]));
                cr_assert_eq(memcmp(&next[0], &next[1], sizeof next[0]), 0);
                cr_assert_eq(costs[0], costs[1]);
            }
            field_world_edit(&w);
            wend_field_repair(whole, false);
            wend_field_repair(sliced, false);
        }
        field_world_close(&w);
    }
}

/* Edits come while the field is made for the first time. Most grids are even, as successors are left out there. */
Test(field_random, survives_edits_while_it_is_made) {
    static field_world w;
    for (uint64_t seed = 1; seed <= 6 * worlds(); seed++) {
        field_world_open(
            &w, (const int[]){WEND_KIND_GRID, WEND_KIND_VOXEL, WEND_KIND_GRAPH}[seed % 8 < 6 ? 0 : seed % 8 - 5],
            600 + seed);
        const wend_field_def def = field_world_def(&w);
        OWNED_FIELD *field = make_field(&def);
        const int edits = 1 + oracle_below(&w.random, 3);
        for (int i = 0; i < edits; i++) {
            wend_field_step(field, 64 + (uint64_t)oracle_below(&w.random, w.now.cells), NULL);
            field_world_edit(&w);
            cr_assert_eq(wend_field_repair(field, false), WEND_OK);
            field_world_measure(&w);
            field_world_check(&w, field, w.costs, false);
        }
        finish_in_slices(&w, field, w.costs);
        field_world_check(&w, field, w.costs, true);
        field_world_close(&w);
    }
}
