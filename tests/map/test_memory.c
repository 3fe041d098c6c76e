/* SPDX-License-Identifier: MIT */
/* Memory: sharing, freeing, and that running out of it changes nothing. */
#include "map/map_support.h"
#include "models/few_or_many.h"

#include "map/edit/edit.h"
#include "map/store/map_layout.h"
#include "map/store/sweep.h"
#include "map/version/version.h"

#include <criterion/criterion.h>
#include <stdlib.h>

enum { WIDTH = 1100, HEIGHT = 130 };

static wend_map *create_counted(counting *c, uint64_t max_bytes) {
    wend_map_def def = default_map();
    def.width = WIDTH, def.height = HEIGHT, def.max_bytes = max_bytes;
    def.allocator = counting_allocator(c);
    return made_map(&def);
}

/* A batch of every sort of change; the first error of any call. */
static wend_error change(wend_map *map) {
    uint8_t noise[40 * 40];
    uint64_t seed = 5;
    wend_edit *edit;
    for (size_t i = 0; i < sizeof noise; i++) noise[i] = (uint8_t)draw(&seed, 3);
    wend_error error = wend_edit_begin(map, &edit);
    if (error) return error;
    int32_t first = wend_edit_fill_box(edit, box_of(30, 20, 300, 90), 0);
    int32_t second = wend_edit_set_box(edit, box_of(1010, 50, 1049, 89), noise, 40);
    int32_t third = wend_edit_set_cell(edit, at(1099, 129), 2);
    if (first) cr_assert_eq(second, first);
    if (second) cr_assert_eq(third, second);
    error = wend_edit_publish(edit, NULL);
    if (third) cr_assert_eq(error, third);
    return error;
}

static void read_all(wend_map *map, uint8_t *out) {
    cr_assert_eq(wend_map_get_terrain_box(map, box_of(0, 0, WIDTH - 1, HEIGHT - 1), out, WIDTH), WEND_OK);
}

/* The map as it is now, as a model. */
static model snapshot(wend_map *map) {
    wend_map_rules info_rules = rules_now(map);
    model m = model_create(WIDTH, HEIGHT, &info_rules);
    read_all(map, m.classes);
    return m;
}

/* Whatever failed: the map must be as before, and still work. */
static void check_unchanged(wend_map *map, counting *c, const model *before, uint64_t bytes, uint64_t epoch) {
    static int checks;
    c->fail_at = c->fail_from = 0;
    cr_assert_eq(map_bytes(map), bytes);
    cr_assert_eq(c->bytes, bytes);
    cr_assert_eq(map_epoch(map), epoch);
    if (++checks % few_or_many(8, 1) == 0) model_check_map(before, map); /* an error stays visible */
    wend_edit *edit = begin_edit(map);
    wend_edit_discard(edit);
    cr_assert_eq(map_bytes(map), bytes);
}

static wend_error change_rules(wend_map *map) {
    wend_map_rules rules = default_rules();
    rules.corners = WEND_CORNERS_ALWAYS;
    rules.factors[1] = 0; /* opens and closes: masks change everywhere */
    rules.factors[0] = 3, rules.factors[2] = 8;
    return wend_map_set_rules(map, &rules);
}

static size_t fail_each(int32_t (*act)(wend_map *map), bool edited_before, bool for_good) {
    counting c = {0};
    wend_map *map = create_counted(&c, WEND_NO_LIMIT);
    if (edited_before) cr_assert_eq(change(map), WEND_OK);
    model before = snapshot(map);
    uint64_t bytes = map_bytes(map), epoch = map_epoch(map);
    size_t failures = 0;
    for (size_t n = 1;; n++) {
        c.calls = 0, c.fail_at = for_good ? 0 : n, c.fail_from = for_good ? n : 0;
        wend_error error = act(map);
        if (!error) break;
        cr_assert_eq(error, WEND_OUT_OF_MEMORY);
        check_unchanged(map, &c, &before, bytes, epoch);
        failures++;
    }
    c.fail_at = c.fail_from = 0;
    model after = snapshot(map);
    model_check_map(&after, map);
    wend_map_release(map);
    cr_assert_eq(c.blocks, 0u);
    model_free(&before);
    model_free(&after);
    return failures;
}

Test(map_memory, an_edit_changes_nothing_when_any_allocation_fails) {
    cr_assert_gt(fail_each(change, false, false), 20u);
    cr_assert_gt(fail_each(change, false, true), 20u);
}

Test(map_memory, new_rules_change_nothing_when_any_allocation_fails) {
    cr_assert_gt(fail_each(change_rules, true, false), 5u);
    cr_assert_gt(fail_each(change_rules, true, true), 5u);
}

/* From no room at all to enough. Making the map itself, and editing it before, are not in question here. */
static void keep_to_limit(int32_t (*act)(wend_map *map), bool edited_before) {
    counting c = {0};
    wend_map *map = create_counted(&c, WEND_NO_LIMIT);
    if (edited_before) cr_assert_eq(change(map), WEND_OK);
    OWNED(model_free) model before = snapshot(map);
    uint64_t bytes = map_bytes(map), epoch = map_epoch(map);
    size_t refused = 0;
    for (uint64_t room = 0;; room += 2500) {
        map->family->max_bytes = bytes + room;
        map->family->bytes_peak = bytes;
        wend_error error = act(map);
        wend_map_info info = info_now(map);
        cr_assert_leq(info.bytes_peak, bytes + room);
        cr_assert_geq(info.bytes_peak, info.bytes);
        if (!error) break;
        cr_assert_eq(error, WEND_OUT_OF_MEMORY);
        map->family->max_bytes = WEND_NO_LIMIT;
        check_unchanged(map, &c, &before, bytes, epoch);
        refused++;
    }
    cr_assert_gt(refused, 5u);
    wend_map_release(map);
    cr_assert_eq(c.blocks, 0u);
}

Test(map_memory, edits_keep_to_max_bytes) {
    keep_to_limit(change, false);
}

Test(map_memory, new_rules_keep_to_max_bytes) {
    keep_to_limit(change_rules, true);
}

Test(map_memory, is_given_back_when_chunks_become_uniform_again) {
    OWNED_MAP *map = map_of_size(300, 300);
    uint64_t empty = map_ground_bytes(map);
    wend_edit *edit;
    for (int32_t i = 0; i < 3; i++) {
        cr_assert_eq(wend_edit_begin(map, &edit), WEND_OK);
        for (int32_t y = 128; y < 192; y++)
            for (int32_t x = 128; x < 192; x++)
                cr_assert_eq(wend_edit_set_cell(edit, at(x, y), (x + 1) & 2 ? 1 : 0), WEND_OK);
        cr_assert_eq(wend_edit_publish(edit, NULL), WEND_OK);
        /* bits for two classes; masks of the chunk and of all its neighbours */
        cr_assert_eq(map_ground_bytes(map), empty + sizeof(wend__bits) + 9 * sizeof(wend__plane));
        cr_assert_eq(wend_edit_begin(map, &edit), WEND_OK);
        if (i == 0) cr_assert_eq(wend_edit_fill_box(edit, box_of(128, 128, 191, 191), 1), WEND_OK);
        if (i == 1) cr_assert_eq(wend_edit_fill_box(edit, box_of(100, 100, 200, 200), 1), WEND_OK);
        for (int32_t y = 128; y < 192 && i == 2; y++)
            for (int32_t x = 128; x < 192; x++) cr_assert_eq(wend_edit_set_cell(edit, at(x, y), 1), WEND_OK);
        cr_assert_eq(wend_edit_publish(edit, NULL), WEND_OK);
        cr_assert_eq(map_ground_bytes(map), empty);
    }
}

Test(map_memory, of_one_cell_is_its_chunk_and_those_that_see_it) {
    OWNED_MAP *map = map_of_size(320, 320);
    uint64_t empty = map_ground_bytes(map);
    wend_edit *edit = begin_edit(map);
    wend_edit_set_cell(edit, at(150, 150), 0); /* in the middle of its chunk */
    cr_assert_eq(wend_edit_publish(edit, NULL), WEND_OK);
    cr_assert_eq(map_ground_bytes(map), empty + sizeof(wend__bits) + sizeof(wend__plane));
    cr_assert_eq(wend_edit_begin(map, &edit), WEND_OK);
    wend_edit_set_cell(edit, at(150, 150), 1);
    wend_edit_set_cell(edit, at(128, 150), 0); /* at its western side */
    cr_assert_eq(wend_edit_publish(edit, NULL), WEND_OK);
    cr_assert_eq(map_ground_bytes(map), empty + sizeof(wend__bits) + 2 * sizeof(wend__plane));
    cr_assert_eq(wend_edit_begin(map, &edit), WEND_OK);
    wend_edit_set_cell(edit, at(150, 150), 2); /* a third class, and a slow one */
    cr_assert_eq(wend_edit_publish(edit, NULL), WEND_OK);
    cr_assert_eq(map_ground_bytes(map), empty + 3 * sizeof(wend__plane));
    cr_assert_eq(wend_edit_begin(map, &edit), WEND_OK);
    wend_edit_set_cell(edit, at(150, 150), 1);
    cr_assert_eq(wend_edit_publish(edit, NULL), WEND_OK);
    cr_assert_eq(map_ground_bytes(map), empty + sizeof(wend__bits) + 2 * sizeof(wend__plane));
}

Test(map_memory, a_write_of_what_is_there_takes_none) {
    OWNED_MAP *map = map_of_size(WIDTH, HEIGHT);
    uint8_t *same = malloc((size_t)WIDTH * HEIGHT);
    memset(same, WEND_CLASS_OPEN, (size_t)WIDTH * HEIGHT);
    wend_edit *edit = begin_edit(map);
    uint64_t before = map_bytes(map);
    cr_assert_eq(wend_edit_set_box(edit, box_of(0, 0, WIDTH - 1, HEIGHT - 1), same, WIDTH), WEND_OK);
    cr_assert_eq(wend_edit_fill_box(edit, box_of(3, 3, 99, 99), WEND_CLASS_OPEN), WEND_OK);
    cr_assert_eq(wend_edit_set_cell(edit, at(3, 3), WEND_CLASS_OPEN), WEND_OK);
    cr_assert_eq(map_bytes(map), before);
    wend_edit_discard(edit);
    free(same);
}

Test(map_memory, rows_of_one_class_give_their_planes_back_before_publish) {
    OWNED_MAP *map = map_of_size(WIDTH, HEIGHT);
    uint8_t row[WIDTH] = {0};
    wend_edit *edit = begin_edit(map);
    uint64_t begun = map_bytes(map);
    for (int32_t y = 0; y < HEIGHT; y++)
        cr_assert_eq(wend_edit_set_box(edit, box_of(0, y, WIDTH - 1, y), row, WIDTH), WEND_OK);
    wend__sweep_all(map->family);
    cr_assert_eq(map_bytes(map), begun + 2 * (sizeof(wend__block) + sizeof(wend__dirty))); /* no plane is left */
    cr_assert_eq(wend_edit_publish(edit, NULL), WEND_OK);
}

/* Returns bytes of the map, and bytes of the ground alone. */
static double noise_bytes(uint32_t classes, double *ground) {
    OWNED(model_free) model m = model_create(1024, 1024, NULL);
    uint64_t seed = 9;
    for (size_t i = 0; i < 1024 * 1024; i++) m.classes[i] = (uint8_t)draw(&seed, classes);
    OWNED_MAP *map = map_of(&m);
    double each = (double)map_bytes(map) / (1024 * 1024);
    *ground = (double)map_ground_bytes(map) / (1024 * 1024);
    return each;
}

Test(map_memory, of_noise_is_about_one_byte_a_cell_or_two_and_its_labels_less_than_one) {
    double ground, open_or_not = noise_bytes(2, &ground);
    cr_assert(ground > 1.1 && ground < 1.15, "%f bytes a cell", ground);
    cr_assert(open_or_not - ground < 0.95, "%f bytes of labels a cell", open_or_not - ground);
    double more = noise_bytes(3, &ground);
    cr_assert(ground > 1.9 && ground < 2.02, "%f bytes a cell", ground);
    cr_assert(more - ground < 0.6, "%f bytes of labels a cell", more - ground);
}

/* ---- freed in slices ---- */

enum { SIDE = 1100, SLICE_BLOCKS = 160 }; /* a slice has 128 steps, and ends with up to 32 objects more */

/* No two chunks are equal. */
static void scatter_walls(wend_map *map) {
    uint64_t seed = 10;
    wend_edit *edit = begin_edit(map);
    for (int i = 0; i < SIDE * SIDE / 64; i++) {
        const int32_t x = (int32_t)draw(&seed, SIDE), y = (int32_t)draw(&seed, SIDE);
        cr_assert_eq(wend_edit_set_cell(edit, at(x, y), WEND_CLASS_BLOCKED), WEND_OK);
    }
    cr_assert_eq(wend_edit_publish(edit, NULL), WEND_OK);
}

static wend_map *create_large(counting *c) {
    wend_map_def def = default_map();
    wend_acceleration more = default_acceleration();
    def.width = def.height = SIDE, def.allocator = counting_allocator(c);
    wend_map *map = made_map(&def);
    scatter_walls(map);
    more.landmarks = 2, more.far = 1;
    const wend_error error = wend_map_accelerate(map, &more);
    cr_assert(error == WEND_OK || error == WEND_UNSUPPORTED); /* the core has no tables */
    return map;
}

static void edit_anywhere(wend_map *map, int count, uint64_t *seed) {
    for (int i = 0; i < count; i++) {
        wend_edit *edit = begin_edit(map);
        const int32_t x = (int32_t)draw(seed, SIDE), y = (int32_t)draw(seed, SIDE);
        cr_assert_eq(wend_edit_set_cell(edit, at(x, y), (uint8_t)draw(seed, 2)), WEND_OK);
        cr_assert_eq(wend_edit_publish(edit, NULL), WEND_OK);
        cr_assert_eq(wend_map_maintain(map, WEND_MAINTAIN_ALL, UINT64_MAX, NULL), WEND_OK);
    }
}

/* A reference to the newest version, and back. Returns how many blocks of memory that freed. */
static size_t come_and_go(wend_map *map, const counting *c) {
    const size_t before = c->blocks;
    wend__map_release(wend__map_acquire(map, true), true);
    return before - c->blocks;
}

Test(map_memory, of_an_old_version_is_freed_in_slices) {
    counting c = {0};
    uint64_t seed = 11;
    wend_map *map = create_large(&c);
    wend__version *old = wend__map_acquire(map, true);
    edit_anywhere(map, 400, &seed);
    while (come_and_go(map, &c) > 0) continue;
    const size_t before = c.blocks;
    wend__map_release(old, true);
    size_t freed = before - c.blocks, all = freed;
    cr_assert(freed > 0 && freed <= SLICE_BLOCKS, "%zu", freed);
    for (; freed > 0; all += freed) {
        freed = come_and_go(map, &c);
        cr_assert_leq(freed, SLICE_BLOCKS);
    }
    cr_assert_gt(all, 4u * SLICE_BLOCKS, "%zu: what is freed is too little for a test", all);
    wend_map_release(map);
    cr_assert_eq(c.blocks, 0u);
}

/* No search releases its version in between. */
Test(map_memory, of_old_versions_does_not_grow_with_each_edit) {
    counting c = {0};
    uint64_t seed = 12;
    const int edits = enough_or_many(40, 400);
    wend_map *map = create_large(&c);
    edit_anywhere(map, edits, &seed);
    const size_t blocks = c.blocks;
    edit_anywhere(map, 4 * edits, &seed);
    cr_assert_lt(c.blocks, blocks + blocks / 2, "%zu %zu", blocks, c.blocks);
    wend__version *old = wend__map_acquire(map, true);
    edit_anywhere(map, edits, &seed);
    const size_t most = c.blocks;
    wend__map_release(old, true);
    edit_anywhere(map, 20, &seed);
    cr_assert_lt(c.blocks, most, "edits free what a search left over");
    wend_map_release(map);
    cr_assert_eq(c.blocks, 0u);
}
