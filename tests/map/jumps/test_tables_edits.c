/* SPDX-License-Identifier: MIT */
/* Jump tables after edits: always what a full build would make, and pruned again exactly what a new map has. */
#include "models/few_or_many.h"
#include "models/both.h"
#include "models/jumps_model.h"

#include "map/store/map_layout.h"
#include "map/version/version.h"
#include "fast/acceleration.h"

#include <criterion/criterion.h>
#include <wend/ways.h>

enum { WALL = WEND_CLASS_BLOCKED, OPEN = WEND_CLASS_OPEN, MUD = 7 };

typedef struct world {
    model m;
    wend_map *map;
    uint64_t seed;
} world;

static world world_create(int32_t width, int32_t height, uint32_t blocked, uint64_t seed) {
    wend_map_rules rules = default_rules();
    world w = {.m = model_create(width, height, &rules), .seed = seed};
    for (int32_t i = 0; i < width * height; i++) {
        uint32_t roll = draw(&w.seed, 1000);
        w.m.classes[i] = roll < blocked ? WALL : roll < blocked + blocked / 4 ? MUD : OPEN;
    }
    w.map = map_of(&w.m);
    cr_assert_eq(wend__map_prepare_jumps(w.map), WEND_OK);
    return w;
}

static void world_free(world *w) {
    wend_map_release(w->map);
    model_free(&w->m);
}

static wend_cell any_cell(world *w) {
    int32_t x = (int32_t)draw(&w->seed, (uint32_t)w->m.width), y = (int32_t)draw(&w->seed, (uint32_t)w->m.height);
    return at(x, y);
}

static uint8_t *class_of(world *w, int32_t x, int32_t y) {
    return &w->m.classes[y * w->m.width + x];
}

static void check_quickly(world *w) {
    OWNED_VERSION *v = wend__map_acquire(w->map, false);
    jumps_check_fresh(v);
}

/* ---- batches ---- */

static void flip_cells(world *w, wend_edit *edit, uint32_t count) {
    while (count--) {
        wend_cell c = any_cell(w);
        uint8_t *class = class_of(w, c.x, c.y);
        *class = *class == WALL ? OPEN : WALL;
        cr_assert_eq(wend_edit_set_cell(edit, c, *class), WEND_OK);
    }
}

static void fill_box(world *w, wend_edit *edit, int32_t most) {
    wend_cell a = any_cell(w);
    int32_t x1 = a.x + (int32_t)draw(&w->seed, (uint32_t)most), y1 = a.y + (int32_t)draw(&w->seed, (uint32_t)most);
    wend_box box = box_of(a.x, a.y, x1 < w->m.width ? x1 : w->m.width - 1, y1 < w->m.height ? y1 : w->m.height - 1);
    uint8_t class = draw(&w->seed, 2) ? WALL : OPEN;
    for (int32_t y = box.min.y; y <= box.max.y; y++)
        for (int32_t x = box.min.x; x <= box.max.x; x++) *class_of(w, x, y) = class;
    cr_assert_eq(wend_edit_fill_box(edit, box, class), WEND_OK);
}

static void publish_change(world *w) {
    wend_edit *edit = begin_edit(w->map);
    uint32_t roll = draw(&w->seed, 20);
    if (roll < 14)
        flip_cells(w, edit, 1);
    else if (roll < 17)
        flip_cells(w, edit, 1 + draw(&w->seed, 12));
    else
        fill_box(w, edit, roll == 19 ? 150 : 9);
    cr_assert_eq(wend_edit_publish(edit, NULL), WEND_OK);
}

static void discard_change(world *w) {
    wend_edit *edit = begin_edit(w->map);
    for (int i = 0; i < 5; i++) cr_assert_eq(wend_edit_set_cell(edit, any_cell(w), WALL), WEND_OK);
    wend_edit_discard(edit);
}

static void change_rules(world *w) {
    w->m.rules.factors[MUD] = (uint8_t)(w->m.rules.factors[MUD] ? 0 : 7);
    if (wend_map_set_rules(w->map, &w->m.rules) == WEND_OK) return;
    w->m.rules.factors[MUD] = (uint8_t)(w->m.rules.factors[MUD] ? 0 : 7); /* a version is in use */
}

/* Close a step, or open all again. */
static void change_steps(world *w) {
    static wend_step closed[64];
    size_t count = 0;
    wend_map_get_closed_steps(w->map, closed, 64, &count);
    wend_edit *edit = begin_edit(w->map);
    if (count > 40) {
        while (count--) cr_assert_eq(wend_edit_set_step(edit, closed[count].from, closed[count].to, true), WEND_OK);
    } else {
        for (uint32_t i = draw(&w->seed, 8) + 1; i > 0; i--) {
            wend_cell from = any_cell(w), to = from;
            if (draw(&w->seed, 2) && w->m.height > 1)
                to.y += to.y ? -1 : 1;
            else
                to.x += to.x ? -1 : 1;
            cr_assert_eq(wend_edit_set_step(edit, from, to, false), WEND_OK);
        }
    }
    cr_assert_eq(wend_edit_publish(edit, NULL), WEND_OK);
}

static void prune_some(world *w) {
    wend_map_info before = {.struct_bytes = sizeof before}, after = {.struct_bytes = sizeof after};
    uint32_t left, most = draw(&w->seed, 4);
    wend_map_get_info(w->map, &before);
    cr_assert_eq(wend__map_prune_jumps(w->map, most, &left), WEND_OK);
    wend_map_get_info(w->map, &after);
    cr_assert_eq(after.jump_unpruned, left);
    cr_assert_eq(before.jump_unpruned - left, before.jump_unpruned < most ? before.jump_unpruned : most);
    cr_assert_eq(after.epoch, before.epoch);
}

static void any_change(world *w, bool steps) {
    uint32_t roll = draw(&w->seed, 100);
    if (roll < 80)
        publish_change(w);
    else if (roll < 83)
        discard_change(w);
    else if (roll < 86)
        change_rules(w);
    else if (roll < 92 && steps)
        change_steps(w);
    else
        prune_some(w);
}

/* Prunes again: the map then has, byte for byte, the tables of a map that was never edited. */
static void check_like_new(world *w) {
    cr_assert_eq(wend__map_prune_jumps(w->map, UINT32_MAX, NULL), WEND_OK);
    OWNED_MAP *other = map_of(&w->m);
    cr_assert_eq(wend__map_prepare_jumps(other), WEND_OK);
    wend__version *mine = wend__map_acquire(w->map, false), *theirs = wend__map_acquire(other, false);
    cr_assert_eq(mine->jumps_unpruned, 0u);
    cr_assert_eq(jumps_checksum(mine), jumps_checksum(theirs));
    wend__map_release(mine, false);
    wend__map_release(theirs, false);
}

static void run(int32_t width, int32_t height, uint32_t blocked, uint64_t seed, int edits, int between) {
    OWNED(world_free) world w = world_create(width, height, blocked, seed);
    for (int i = 1; i <= edits; i++) {
        any_change(&w, true);
        check_quickly(&w);
        if (i % between == 0) jumps_check_map(&w.m, w.map);
    }
    check_like_new(&w);
    jumps_check_map(&w.m, w.map);
}

Test(jumps_edits, leave_what_a_full_build_makes_on_open_ground) {
    run(130, 100, 0, 1, few_or_many(100, 1500), 100);
}

Test(jumps_edits, leave_what_a_full_build_makes_on_sparse_ground) {
    run(192, 128, 15, 2, few_or_many(100, 1500), 100);
}

Test(jumps_edits, leave_what_a_full_build_makes_on_dense_ground) {
    run(100, 140, 300, 3, few_or_many(100, 1500), 100);
}

Test(jumps_edits, leave_what_a_full_build_makes_across_blocks) {
    const int edits = few_or_many(16, 300);
    run(1090, 66, 5, 4, edits, 100);
    run(70, 1100, 100, 5, edits, 100);
    run(3000, 5, 40, 6, edits, 100);
}

/* Closed steps along the border of two blocks: the masks beyond it do not change, but the tables do. */
Test(jumps_edits, are_seen_beyond_closed_steps_at_the_border_of_a_block) {
    OWNED(world_free) world w = world_create(1090, 66, 0, 8);
    wend_edit *edit = begin_edit(w.map);
    for (int32_t y = 0; y < 66; y++)
        for (int32_t to = y - 1; to <= y + 1; to++)
            if (to >= 0 && to < 66) cr_assert_eq(set_step_both(edit, at(1023, y), at(1024, to), 0), WEND_OK);
    cr_assert_eq(wend_edit_publish(edit, NULL), WEND_OK);
    for (int i = 0; i < 40; i++) {
        const wend_cell c = at(draw(&w.seed, 2) ? 1024 : 1023, (int32_t)draw(&w.seed, 66));
        *class_of(&w, c.x, c.y) ^= WALL ^ OPEN;
        cr_assert_eq(wend_map_set_cell(w.map, c, *class_of(&w, c.x, c.y), NULL), WEND_OK);
        check_quickly(&w);
    }
    jumps_check_map(&w.m, w.map);
    check_like_new(&w);
}

Test(jumps_edits, leave_older_versions_and_forks_as_they_are) {
    enum { KEPT = 6 };
    OWNED(world_free) world w = world_create(150, 130, 30, 7);
    wend__version *kept[KEPT];
    uint64_t sums[KEPT];
    for (int i = 0; i < KEPT; i++) {
        kept[i] = wend__map_acquire(w.map, true);
        sums[i] = jumps_checksum(kept[i]);
        OWNED(world_free) world fork = {.m = model_copy(&w.m), .seed = w.seed + 1};
        cr_assert_eq(wend_map_fork(w.map, &fork.map), WEND_OK);
        for (int j = 0; j < 30; j++) {
            any_change(&w, false);
            publish_change(&fork);
            prune_some(&fork);
        }
        check_quickly(&w);
        check_quickly(&fork);
        check_like_new(&fork);
    }
    for (int i = 0; i < KEPT; i++) {
        cr_assert_eq(jumps_checksum(kept[i]), sums[i]);
        wend__map_release(kept[i], true);
    }
    check_like_new(&w);
}
