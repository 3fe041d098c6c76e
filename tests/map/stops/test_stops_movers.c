/* SPDX-License-Identifier: MIT */
/* Jump tables and stops of movers: compared with a full build of each view, after edits, too. */
#include "models/corridors.h"
#include "models/few_or_many.h"
#include "models/jumps_model.h"
#include "models/stops_model.h"

#include "fast/acceleration.h"
#include "map/movers/views.h"
#include "fast/stops/stop_tables.h"
#include "map/store/directions.h"
#include "map/version/version.h"

#include <criterion/criterion.h>
#include <wend/ways.h>

enum { MOVERS = 4 };
static const int32_t sizes[MOVERS] = {0, 1, 2, 5}; /* by mover; the default one has no table of its own here */

typedef struct crowd {
    stops_world o;
    wend_mover movers[MOVERS];
    uint64_t seed;
} crowd;

static wend_error accelerate(wend_map *map, int32_t mover, int32_t tables) {
    wend_acceleration def = default_acceleration();
    def.mover = mover, def.tables = tables, def.landmarks = 0;
    return wend_map_accelerate(map, &def);
}

static crowd crowd_create(const stops_mixture *mix, uint64_t seed) {
    crowd c = {.o = stops_world_create(mix, seed), .seed = seed};
    for (int32_t i = 1; i < MOVERS; i++) {
        int32_t id;
        wend_mover_init(&c.movers[i], sizeof c.movers[i]);
        c.movers[i].size = sizes[i], c.movers[i].factors[2] = (uint8_t)(i == 1 ? 0 : 3);
        c.movers[i].factors[3] = 1;
        cr_assert_eq(wend_map_add_mover(c.o.map, &c.movers[i], &id), WEND_OK);
        cr_assert_eq(accelerate(c.o.map, id, 1), WEND_OK);
    }
    return c;
}

/* ---- a mover's ground, as a model ---- */

static uint8_t stands(const model *m, const wend_mover *mover, int32_t x, int32_t y) {
    uint8_t most = 0;
    for (int32_t i = 0; i < mover->size * mover->size; i++) {
        const int32_t at_x = x + i % mover->size, at_y = y + i / mover->size;
        const bool there = at_x < m->width && at_y < m->height;
        const uint8_t factor = there ? mover->factors[m->classes[at_y * m->width + at_x]] : 0;
        if (factor == 0) return 0;
        if (factor > most) most = factor;
    }
    return most;
}

static walled seen_by(const walled *w, const wend_mover *mover) {
    wend_map_rules rules = w->m.rules;
    for (unsigned class = 0; class < 256; class++) rules.factors[class] = (uint8_t)class;
    walled seen = walled_create(w->m.width, w->m.height, &rules);
    for (int32_t y = 0; y < w->m.height; y++)
        for (int32_t x = 0; x < w->m.width; x++) {
            seen.m.classes[y * w->m.width + x] = stands(&w->m, mover, x, y);
            for (int32_t i = 0; i < mover->size * mover->size; i++) {
                const int32_t at_x = x + i % mover->size, at_y = y + i / mover->size;
                if (at_x < w->m.width && at_y < w->m.height)
                    seen.closed[y * w->m.width + x] |= w->closed[at_y * w->m.width + at_x];
            }
        }
    return seen;
}

enum { CORRIDORS = 64 * 65 };

/* Writes corridors into the first chunk, and closes them off below it. */
static wend_error publish_corridors(wend_map *map, uint8_t *classes) {
    wend_edit *edit;
    wend_error error = wend_edit_begin(map, &edit);
    if (error) return error;
    for (int32_t i = 0; i < CORRIDORS; i++) {
        classes[i] = is_corridor_wall(i % 64, i / 64, 2) ? WEND_CLASS_BLOCKED : WEND_CLASS_OPEN;
        wend_edit_set_cell(edit, at(i % 64, i / 64), classes[i]);
    }
    return wend_edit_publish(edit, NULL);
}

/* ---- checks ---- */

static void check_view(const wend__version *view, wend_map *map) {
    wend__version *fresh = wend__version_copy(view, map, WEND__ROWS_IN_VIEWS);
    jumps_check_fresh(view);
    cr_assert_eq(wend__stops_make(fresh), WEND_OK);
    stops_check_alike(view, fresh);
    wend__version_free(fresh);
}

static void check_views(crowd *c, bool definitions) {
    wend__version *v = wend__map_acquire(c->o.map, false);
    for (int32_t i = 1; i < MOVERS; i++) {
        const wend__version *view = wend__version_view(v, i);
        check_view(view, c->o.map);
        if (!definitions) continue;
        OWNED(walled_free) walled seen = seen_by(&c->o.w, &c->movers[i]);
        jumps_check(&seen.m, view);
        stops_check(&seen, c->o.links, view);
    }
    wend__map_release(v, false);
}

static wend_cell any_cell(crowd *c) {
    const int32_t x = (int32_t)draw(&c->seed, (uint32_t)c->o.w.m.width);
    return at(x, (int32_t)draw(&c->seed, (uint32_t)c->o.w.m.height));
}

static void publish_change(crowd *c) {
    wend_edit *edit = begin_edit(c->o.map);
    for (uint32_t n = 1 + draw(&c->seed, 4); n > 0; n--) {
        const wend_cell cell = any_cell(c);
        const uint8_t class = (uint8_t)draw(&c->seed, 5);
        c->o.w.m.classes[cell.y * c->o.w.m.width + cell.x] = class;
        cr_assert_eq(wend_edit_set_cell(edit, cell, class), WEND_OK);
    }
    if (draw(&c->seed, 4) == 0) stops_world_close(&c->o, edit, 2, draw(&c->seed, 2), &c->seed);
    if (draw(&c->seed, 8) == 0) stops_world_link(&c->o, edit, any_cell(c), any_cell(c));
    cr_assert_eq(wend_edit_publish(edit, NULL), WEND_OK);
}

static void run(const stops_mixture *mix, uint64_t seed, int edits) {
    crowd c = crowd_create(mix, seed);
    check_views(&c, few_or_many(0, 1));
    for (int i = 1; i <= edits; i++) {
        if (i % 7)
            publish_change(&c);
        else
            cr_assert_eq(wend_map_maintain(c.o.map, WEND_MAINTAIN_ALL, draw(&c.seed, 4) * WEND_PRUNE_EFFORT, NULL),
                         WEND_OK);
        check_views(&c, i == edits);
    }
    stops_world_free(&c.o);
}

Test(stops_movers, leave_what_a_full_build_makes_of_each_view) {
    run(&(stops_mixture){130, 100, 50, 100, 3, 1, 10, 14}, 1, few_or_many(2, 60));
    run(&(stops_mixture){100, 140, 20, 0, 0, 0, 10, 14}, 2, few_or_many(2, 60));
    run(&(stops_mixture){1060, 40, 20, 20, 1, 0, 10, 14}, 3, few_or_many(2, 25));
}

Test(stops_movers, leave_what_a_full_build_makes_in_slices) {
    crowd c = crowd_create(&(stops_mixture){130, 100, 50, 100, 3, 5, 10, 14}, 7);
    for (int32_t i = 1; i < MOVERS; i++) {
        wend_acceleration def = default_acceleration();
        def.mover = i, def.landmarks = 0, def.later = 1;
        cr_assert_eq(accelerate(c.o.map, i, 0), WEND_OK);
        cr_assert_eq(wend_map_accelerate(c.o.map, &def), WEND_OK);
    }
    uint64_t left = 1;
    for (int i = 0; left > 0; i++) {
        if (i % 4 == 0) publish_change(&c);
        cr_assert_eq(wend_map_maintain(c.o.map, WEND_MAINTAIN_ALL, 4000, &left), WEND_OK);
    }
    check_views(&c, true);
    stops_world_free(&c.o);
}

Test(stops_movers, are_pruned_and_discarded_one_by_one) {
    crowd c = crowd_create(&(stops_mixture){130, 100, 50, 50, 3, 1, 10, 14}, 4);
    wend_map *fork;
    uint8_t classes[CORRIDORS];
    for (int i = 0; i < 6; i++) publish_change(&c);
    cr_assert_eq(publish_corridors(c.o.map, classes), WEND_OK);
    for (int32_t i = 0; i < CORRIDORS; i++) c.o.w.m.classes[i / 64 * c.o.w.m.width + i % 64] = classes[i];
    wend_map_info info = info_now(c.o.map);
    cr_assert(!info.jumps && info.jump_unpruned > 1);
    for (int32_t i = 1; i < MOVERS; i++) cr_assert_eq(accelerate(c.o.map, i, 1), WEND_OK);
    wend_map_get_info(c.o.map, &info);
    cr_assert_eq(info.jump_unpruned, 0u);
    check_views(&c, true);
    cr_assert_eq(wend_map_fork(c.o.map, &fork), WEND_OK);
    for (int32_t i = 1; i < MOVERS; i++) {
        cr_assert_eq(accelerate(c.o.map, i, 0), WEND_OK);
        cr_assert(!wend__map_has_jumps(c.o.map, i) && wend__map_has_jumps(fork, i));
        cr_assert_eq(i + 1 < MOVERS, wend__map_has_jumps(c.o.map, MOVERS - 1));
    }
    wend_map_get_info(c.o.map, &info);
    cr_assert_gt(info.jump_bytes, 0u);
    wend_map_release(fork);
    wend_map_get_info(c.o.map, &info);
    cr_assert_eq(info.jump_bytes, 0u);
    stops_world_free(&c.o);
}

Test(stops_movers, are_asked_for_by_the_rules_of_acceleration) {
    crowd c = crowd_create(&(stops_mixture){70, 70, 50, 50, 0, 0, 10, 14}, 5);
    wend_acceleration def = default_acceleration();
    def.mover = MOVERS, def.landmarks = 0;
    cr_assert_eq(wend_map_accelerate(c.o.map, &def), WEND_BAD_ARGUMENT, "no such mover");
    cr_assert_eq(accelerate(c.o.map, 1, 0), WEND_OK);
    wend_acceleration_init(&def, sizeof def);
    def.mover = 1, def.landmarks = 0, def.max_bytes = 1000;
    cr_assert_eq(wend_map_accelerate(c.o.map, &def), WEND_OUT_OF_MEMORY);
    cr_assert(!wend__map_has_jumps(c.o.map, 1) && wend__map_has_jumps(c.o.map, 2));
    stops_world_free(&c.o);
}

/* ---- memory ---- */

static int32_t make_tables(wend_map *map) {
    return accelerate(map, 1, 1);
}

static int32_t change_cells(wend_map *map) {
    wend_edit *edit;
    wend_error error = wend_edit_begin(map, &edit);
    if (error) return error;
    wend_edit_set_cell(edit, at(64, 64), WEND_CLASS_BLOCKED);
    wend_edit_set_cell(edit, at(20, 10), 3);
    wend_edit_set_step(edit, at(90, 64), at(91, 64), false);
    return wend_edit_publish(edit, NULL);
}

static int32_t drop_tables(wend_map *map) {
    return accelerate(map, 1, 0);
}

static uint64_t view_sum(wend_map *map) {
    wend__version *v = wend__map_acquire(map, false);
    const wend__version *view = wend__version_view(v, 1);
    const uint64_t sum = view->jumps ? jumps_checksum(view) : 0;
    wend__map_release(v, false);
    return sum;
}

Test(stops_movers, are_unchanged_whichever_allocation_fails) {
    counting c = {0};
    wend_map_def def = default_map();
    def.width = 130, def.height = 100, def.allocator = counting_allocator(&c);
    wend_map *map = made_map(&def);
    wend_mover mover = default_mover();
    mover.size = 2, mover.factors[3] = 4;
    cr_assert_eq(wend_map_add_mover(map, &mover, NULL), WEND_OK);
    cr_assert_eq(wend_map_set_cell(map, at(63, 63), 3, NULL), WEND_OK);
    uint8_t classes[CORRIDORS];
    fail_everywhere(map, &c, make_tables, view_sum);
    fail_everywhere(map, &c, change_cells, view_sum);
    cr_assert_eq(publish_corridors(map, classes), WEND_OK);
    fail_everywhere(map, &c, make_tables, view_sum);
    fail_everywhere(map, &c, drop_tables, view_sum);
    wend_map_release(map);
    cr_assert_eq(c.bytes, 0u);
}
