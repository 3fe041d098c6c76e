/* SPDX-License-Identifier: MIT */
/* Forks: maps of their own that share unchanged parts, their memory and its limit. */
#include "map/map_support.h"
#include "models/few_or_many.h"

#include "map/store/map_layout.h"
#include "map/version/version.h"

#include <criterion/criterion.h>

static model noise(int32_t width, int32_t height, uint64_t seed) {
    model m = model_create(width, height, NULL);
    for (int32_t i = 0; i < width * height; i++) m.classes[i] = (uint8_t)draw(&seed, 4);
    return m;
}

static wend_map *counted_map(const model *m, counting *c, uint64_t max_bytes) {
    wend_map_def def = default_map();
    def.width = m->width, def.height = m->height, def.rules = &m->rules;
    def.allocator = counting_allocator(c), def.max_bytes = max_bytes;
    wend_map *map = made_map(&def);
    wend_edit *edit = begin_edit(map);
    wend_box all = box_of(0, 0, m->width - 1, m->height - 1);
    cr_assert_eq(wend_edit_set_box(edit, all, m->classes, (size_t)m->width), WEND_OK);
    cr_assert_eq(wend_edit_publish(edit, NULL), WEND_OK);
    return map;
}

static wend_error set_cell(wend_map *map, int32_t x, int32_t y, uint8_t class) {
    wend_edit *edit;
    wend_error error = wend_edit_begin(map, &edit);
    if (error) return error;
    wend_edit_set_cell(edit, at(x, y), class);
    return wend_edit_publish(edit, NULL);
}

static void set_both(wend_map *map, model *m, int32_t x, int32_t y, uint8_t class) {
    cr_assert_eq(set_cell(map, x, y, class), WEND_OK);
    m->classes[y * m->width + x] = class;
}

Test(map_fork, begins_as_the_map_is_and_goes_its_own_way) {
    OWNED(model_free) model original = noise(150, 100, 1);
    OWNED_MAP *map = map_of(&original);
    set_both(map, &original, 3, 3, 9);
    OWNED_MAP *fork = forked(map);
    OWNED(model_free) model other = model_copy(&original);
    wend_map_info info = info_now(fork);
    cr_assert(info.width == 150 && info.height == 100 && info.depth == 1 && info.kind == WEND_KIND_GRID);
    cr_assert_eq(info.epoch, 2u);
    model_check_map(&other, fork);
    set_both(map, &original, 70, 63, 0);
    set_both(fork, &other, 70, 64, 0);
    set_both(fork, &other, 3, 3, 1);
    cr_assert_eq(map_epoch(map), 3u);
    cr_assert_eq(map_epoch(fork), 4u);
    model_check_map(&original, map);
    model_check_map(&other, fork);
}

Test(map_fork, has_its_own_rules_pins_and_batch) {
    OWNED(model_free) model m = noise(100, 100, 2), other = model_copy(&m);
    OWNED_MAP *map = map_of(&m), *fork = forked(map);
    wend__version *pinned = wend__map_acquire(map, true);
    other.rules.factors[0] = 2, other.rules.corners = WEND_CORNERS_ALWAYS;
    cr_assert_eq(wend_map_set_rules(map, &other.rules), WEND_IN_USE);
    cr_assert_eq(wend_map_set_rules(fork, &other.rules), WEND_OK);
    wend_edit *edit, *own;
    cr_assert_eq(wend_edit_begin(map, &edit), WEND_OK);
    cr_assert_eq(wend_edit_begin(fork, &own), WEND_OK);
    wend_edit_discard(own);
    wend_edit_discard(edit);
    model_check(&m, pinned);
    model_check_map(&other, fork);
    wend__map_release(pinned, true);
}

static void check_max_versions(int32_t limit) {
    wend_map_def def = default_map();
    def.width = def.height = 9, def.max_versions = limit;
    OWNED_MAP *map = made_map(&def);
    OWNED_MAP *fork = forked(map);
    wend__version *held[WEND_MAX_VERSIONS], *of_map = wend__map_acquire(map, true);
    for (int32_t i = 0; i < limit; i++) {
        held[i] = wend__map_acquire(fork, true);
        cr_assert_eq(set_cell(fork, 1, 1, (uint8_t)(i & 1)), WEND_OK);
        cr_assert_eq(wend__version_retired(held[0]), i + 1 == limit);
    }
    cr_assert_not(wend__version_retired(of_map)); /* another map's versions are no concern of it */
    for (int32_t i = 0; i < limit; i++) wend__map_release(held[i], true);
    wend__map_release(of_map, true);
}

Test(map_fork, keeps_to_max_versions_of_its_own) {
    check_max_versions(1);
    check_max_versions(2);
    check_max_versions(WEND_MAX_VERSIONS);
}

Test(map_fork, leaves_an_open_batch_to_the_original) {
    OWNED(model_free) model m = noise(150, 100, 3), other = model_copy(&m);
    OWNED_MAP *map = map_of(&m);
    wend_edit *edit = begin_edit(map);
    cr_assert_eq(wend_edit_fill_box(edit, box_of(10, 10, 90, 20), 0), WEND_OK);
    OWNED_MAP *fork = forked(map);
    model_check_map(&other, fork);
    cr_assert_eq(wend_edit_set_cell(edit, at(100, 70), 2), WEND_OK);
    set_both(fork, &other, 100, 70, 0);
    cr_assert_eq(wend_edit_publish(edit, NULL), WEND_OK);
    for (int32_t y = 10; y <= 20; y++) memset(m.classes + y * 150 + 10, 0, 81);
    m.classes[70 * 150 + 100] = 2;
    model_check_map(&m, map);
    model_check_map(&other, fork);
}

Test(map_fork, of_a_pinned_map_takes_the_newest) {
    OWNED(model_free) model old = noise(100, 100, 4);
    OWNED(model_free) model m = model_copy(&old);
    wend_map *map = map_of(&m);
    wend__version *pinned = wend__map_acquire(map, true);
    set_both(map, &m, 50, 50, 9);
    OWNED_MAP *fork = forked(map);
    model_check_map(&m, fork);
    wend__version *newest = wend__map_acquire(fork, false);
    cr_assert_null(newest->older);
    wend__map_release(newest, false);
    wend__map_release(pinned, true);
    wend_map_release(map);
    model_check_map(&m, fork);
}

/* ---- memory ---- */

static uint64_t bytes_of_fork(int32_t side) {
    OWNED_MAP *map = map_of_size(side, side);
    uint64_t before = map_bytes(map);
    wend_map *fork = forked(map);
    uint64_t after = map_bytes(map);
    cr_assert_eq(map_bytes(fork), after); /* the bytes of both count together */
    wend_map_release(fork);
    cr_assert_eq(map_bytes(map), before);
    return after - before;
}

Test(map_fork, takes_the_table_s_top_and_no_more) {
    const uint64_t most = 1200; /* a map and a version without their blocks */
    cr_assert_leq(bytes_of_fork(1), most);
    cr_assert_leq(bytes_of_fork(1024), most);
    cr_assert_leq(bytes_of_fork(16384), most + 8 * 1024);
}

Test(map_fork, of_noise_takes_no_more_than_of_nothing) {
    OWNED(model_free) model m = noise(1024, 1024, 5);
    wend_map *map = map_of(&m);
    uint64_t before = map_bytes(map);
    OWNED_MAP *fork = forked(map);
    cr_assert_eq(map_bytes(map) - before, bytes_of_fork(1024));
    uint64_t forked = map_bytes(map);
    set_both(fork, &m, 500, 500, 9); /* for a cell: its block, its chunk's planes, labels of its areas */
    cr_assert_leq(map_bytes(map) - forked, sizeof(wend__block) + 2 * sizeof(wend__plane) + 16384);
    wend_map_release(map);
    model_check_map(&m, fork);
}

static void release_in_order(const int *order) {
    OWNED(model_free) model m = noise(130, 130, 6);
    model models[4];
    counting c = {0};
    wend_map *maps[4] = {counted_map(&m, &c, WEND_NO_LIMIT)};
    maps[1] = forked(maps[0]);
    maps[2] = forked(maps[1]); /* a fork of a fork */
    maps[3] = forked(maps[0]);
    for (int i = 0; i < 4; i++) {
        models[i] = model_copy(&m);
        set_both(maps[i], &models[i], 60 + i, 64, 9);
        set_both(maps[i], &models[i], 10, 100, (uint8_t)(5 + i));
    }
    for (int i = 0; i < 4; i++) {
        for (int j = i; j < 4; j++) {
            model_check_map(&models[order[j]], maps[order[j]]);
            cr_assert_eq(map_bytes(maps[order[j]]), c.bytes);
        }
        wend_map_release(maps[order[i]]);
    }
    cr_assert_eq(c.blocks, 0u);
    cr_assert_eq(c.bytes, 0u);
    for (int i = 0; i < 4; i++) model_free(&models[i]);
}

Test(map_fork, and_original_may_go_in_any_order) {
    for (int n = 0; n < 4 * 4 * 4 * 4; n++) {
        int order[4] = {n & 3, n >> 2 & 3, n >> 4 & 3, n >> 6 & 3};
        unsigned all = 1u << order[0] | 1u << order[1] | 1u << order[2] | 1u << order[3];
        if (all == 15) release_in_order(order);
    }
}

Test(map_fork, lives_on_while_only_an_edit_holds_it) {
    OWNED(model_free) model m = noise(70, 70, 7);
    counting c = {0};
    wend_map *map = counted_map(&m, &c, WEND_NO_LIMIT), *fork = forked(map);
    wend_edit *edit = begin_edit(fork);
    wend_map_release(fork);
    wend_map_release(map);
    cr_assert_eq(wend_edit_set_cell(edit, at(9, 9), 7), WEND_OK);
    cr_assert_eq(wend_edit_publish(edit, NULL), WEND_OK);
    cr_assert_eq(c.blocks, 0u);
}

Test(map_fork, changes_nothing_when_any_allocation_fails) {
    OWNED(model_free) model m = noise(150, 100, 8);
    counting c = {0};
    wend_map *map = counted_map(&m, &c, WEND_NO_LIMIT), *const untouched = (wend_map *)&c, *fork = untouched;
    uint64_t bytes = map_bytes(map);
    size_t failures = 0;
    for (size_t n = 1;; n++, failures++) {
        c.calls = 0, c.fail_at = n;
        if (wend_map_fork(map, &fork) == WEND_OK) break;
        cr_assert_eq(fork, untouched);
        cr_assert_eq(map_bytes(map), bytes);
        cr_assert_eq(c.bytes, bytes);
        model_check_map(&m, map);
    }
    c.fail_at = 0;
    cr_assert_eq(failures, 2u);
    model_check_map(&m, fork);
    wend_map_release(map);
    wend_map_release(fork);
    cr_assert_eq(c.blocks, 0u);
}

Test(map_fork, s_publish_changes_nobody_when_any_allocation_fails) {
    OWNED(model_free) model m = noise(150, 100, 9), other = model_copy(&m);
    counting c = {0};
    wend_map *map = counted_map(&m, &c, WEND_NO_LIMIT);
    uint64_t alone = map_bytes(map);
    wend_map *fork = forked(map);
    uint64_t bytes = map_bytes(map);
    size_t failures = 0;
    for (size_t n = 1;; n++, failures++) {
        c.calls = 0, c.fail_at = n;
        if (set_cell(fork, 63, 63, 200) == WEND_OK) break;
        c.fail_at = 0;
        cr_assert_eq(c.bytes, bytes);
        cr_assert_eq(map_epoch(fork), 1u);
        model_check_map(&m, map);
        model_check_map(&m, fork);
    }
    c.fail_at = 0;
    cr_assert_gt(failures, 4u);
    other.classes[63 * 150 + 63] = 200;
    model_check_map(&m, map);
    model_check_map(&other, fork);
    wend_map_release(fork);
    cr_assert_eq(map_bytes(map), alone);
    wend_map_release(map);
    cr_assert_eq(c.blocks, 0u);
}

Test(map_fork, shares_max_bytes_with_its_family) {
    OWNED(model_free) model m = noise(150, 100, 10);
    counting c = {0};
    wend_map *probe = counted_map(&m, &c, WEND_NO_LIMIT);
    uint64_t alone = map_bytes(probe);
    wend_map *fork = forked(probe);
    uint64_t both = map_bytes(probe);
    wend_map_release(fork);
    for (uint64_t room = 0; room <= both - alone; room++) { /* to the byte */
        probe->family->max_bytes = alone + room;
        wend_error error = wend_map_fork(probe, &fork);
        cr_assert_eq(error, alone + room < both ? WEND_OUT_OF_MEMORY : WEND_OK);
        cr_assert_leq(map_bytes(probe), alone + room);
        if (error) cr_assert_eq(map_bytes(probe), alone);
    }
    cr_assert_eq(set_cell(probe, 9, 9, 9), WEND_OUT_OF_MEMORY); /* the fork has taken the rest */
    cr_assert_eq(set_cell(fork, 9, 9, 9), WEND_OUT_OF_MEMORY);
    cr_assert_eq(map_bytes(probe), both);
    probe->family->max_bytes = WEND_NO_LIMIT;
    cr_assert_eq(set_cell(fork, 9, 9, 9), WEND_OK);
    wend_map_release(probe);
    wend_map_release(fork);
    cr_assert_eq(c.blocks, 0u);
}

/* ---- against models ---- */

enum { FAMILY = 5 };

static void random_batch(wend_map *map, model *m, uint64_t *seed) {
    static const uint8_t classes[] = {0, 1, 0, 1, 2, 255, 254, 9};
    OWNED(model_free) model before = model_copy(m);
    wend_edit *edit = begin_edit(map);
    for (uint32_t n = draw(seed, 12); n; n--) {
        int32_t x = (int32_t)draw(seed, (uint32_t)m->width), y = (int32_t)draw(seed, (uint32_t)m->height);
        int32_t right = draw(seed, 4) ? x : x + (int32_t)draw(seed, (uint32_t)(m->width - x));
        int32_t bottom = draw(seed, 4) ? y : y + (int32_t)draw(seed, (uint32_t)(m->height - y));
        uint8_t class = classes[draw(seed, 8)];
        cr_assert_eq(wend_edit_fill_box(edit, box_of(x, y, right, bottom), class), WEND_OK);
        for (int32_t row = y; row <= bottom; row++)
            memset(m->classes + row * m->width + x, class, (size_t)(right - x) + 1);
    }
    if (draw(seed, 10)) {
        cr_assert_eq(wend_edit_publish(edit, NULL), WEND_OK);
    } else {
        wend_edit_discard(edit);
        memcpy(m->classes, before.classes, (size_t)m->width * (size_t)m->height);
    }
}

static void replace(wend_map **maps, model *models, uint64_t *seed) {
    uint32_t gone = draw(seed, FAMILY), from = draw(seed, FAMILY);
    if (gone == from) return;
    wend_map_release(maps[gone]);
    model_free(&models[gone]);
    maps[gone] = forked(maps[from]);
    models[gone] = model_copy(&models[from]);
}

static void random_family(int32_t width, int32_t height, int32_t rounds, uint64_t seed) {
    counting c = {0};
    model models[FAMILY] = {noise(width, height, seed)};
    wend_map *maps[FAMILY] = {counted_map(&models[0], &c, WEND_NO_LIMIT)};
    for (int i = 1; i < FAMILY; i++) {
        maps[i] = forked(maps[i - 1]);
        models[i] = model_copy(&models[i - 1]);
    }
    for (int32_t round = 0; round < rounds; round++) {
        uint32_t who = draw(&seed, FAMILY);
        random_batch(maps[who], &models[who], &seed);
        if (round % 7 == 0) replace(maps, models, &seed);
        cr_assert_eq(map_bytes(maps[who]), c.bytes);
        if (round % 16 == 0 || round == rounds - 1)
            for (int i = 0; i < FAMILY; i++) model_check_map(&models[i], maps[i]);
        else
            model_check_map(&models[who], maps[who]);
    }
    for (int i = 0; i < FAMILY; i++) {
        wend_map_release(maps[i]);
        model_free(&models[i]);
    }
    cr_assert_eq(c.blocks, 0u);
    cr_assert_eq(c.bytes, 0u);
}

Test(map_fork, agrees_with_its_model_over_thousands_of_edits) {
    const int edits = few_or_many(60, 300);
    random_family(1, 1, 100, 1);
    random_family(64, 64, edits, 2);
    random_family(65, 129, edits, 3);
    random_family(200, 70, edits, 4);
    random_family(1100, 70, few_or_many(10, 40), 5);
    random_family(70, 600, few_or_many(10, 40), 6);
}
