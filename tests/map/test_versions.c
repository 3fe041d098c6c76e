/* SPDX-License-Identifier: MIT */
/* Versions: held versions stay the same, released ones are freed, and too many in use are retired. */
#include "map/store/sweep.h"
#include "map/version/version.h"
#include "map/map_support.h"

#include <criterion/criterion.h>

enum { SIDE = 110, HELD = 12 };

static model noise(int32_t side, uint64_t seed) {
    model m = model_create(side, side, NULL);
    for (int32_t i = 0; i < side * side; i++) m.classes[i] = (uint8_t)draw(&seed, 3);
    return m;
}

/* Publishes a batch of some single cells and a box, in the model as well. */
static void change(wend_map *map, model *m, uint64_t *seed) {
    wend_edit *edit = begin_edit(map);
    for (int i = 0; i < 20; i++) {
        int32_t x = (int32_t)draw(seed, (uint32_t)m->width), y = (int32_t)draw(seed, (uint32_t)m->height);
        uint8_t class = (uint8_t)draw(seed, 3);
        int32_t x1 = i || x + 70 >= m->width ? x : x + 70;
        cr_assert_eq(wend_edit_fill_box(edit, box_of(x, y, x1, y), class), WEND_OK);
        memset(m->classes + y * m->width + x, class, (size_t)(x1 - x) + 1);
    }
    cr_assert_eq(wend_edit_publish(edit, NULL), WEND_OK);
}

static void publish_nothing(wend_map *map) {
    wend_edit *edit = begin_edit(map);
    cr_assert_eq(wend_edit_publish(edit, NULL), WEND_OK);
}

static void set_cell(wend_map *map, int32_t x, int32_t y, uint8_t class) {
    cr_assert_eq(wend_map_set_cell(map, at(x, y), class, NULL), WEND_OK);
}

/* Holds one version after each batch, then releases them: the step-th of the rest, again and again. */
static void hold_and_let_go(uint32_t step) {
    OWNED(model_free) model now = noise(SIDE, step);
    model then[HELD];
    wend__version *held[HELD];
    uint64_t seed = step;
    wend_map *map = map_of(&now);
    for (int i = 0; i < HELD; i++) {
        held[i] = wend__map_acquire(map, i % 3 != 0);
        then[i] = model_copy(&now);
        change(map, &now, &seed);
    }
    for (uint32_t left = HELD, next = step % HELD; left; left--, next = left > 1 ? (next + step) % (left - 1) : 0) {
        for (uint32_t i = 0; i < left; i++) model_check(&then[i], held[i]);
        uint64_t before = map_bytes(map);
        bool pinned = held[next]->pins > 0;
        wend__map_release(held[next], pinned);
        cr_assert_lt(map_bytes(map), before);
        model_free(&then[next]);
        for (uint32_t i = next; i + 1 < left; i++) held[i] = held[i + 1], then[i] = then[i + 1];
    }
    model_check_map(&now, map);
    uint64_t alone = map_bytes(map);
    wend_map_release(map);
    map = map_of(&now);
    cr_assert_eq(alone, map_bytes(map)); /* as if nothing had been before */
    wend_map_release(map);
}

Test(map_versions, stay_as_they_were_while_held_whatever_is_published) {
    hold_and_let_go(HELD); /* the oldest first */
    hold_and_let_go(1);
    hold_and_let_go(5);
    hold_and_let_go(HELD - 1); /* the newest first */
}

Test(map_versions, give_their_bytes_back_when_let_go) {
    OWNED_MAP *map = map_of_size(300, 300);
    set_cell(map, 100, 100, 0);
    uint64_t one = map_bytes(map);
    wend__version *held = wend__map_acquire(map, true), *again = wend__map_acquire(map, true);
    cr_assert_eq(held, again);
    set_cell(map, 101, 100, 0);
    uint64_t two = map_bytes(map);
    cr_assert_gt(two, one);
    wend__map_release(held, true);
    cr_assert_eq(map_bytes(map), two);
    wend__map_release(again, true);
    cr_assert_eq(map_bytes(map), one);
}

Test(map_versions, between_the_held_and_the_newest_are_gone_at_once) {
    OWNED_MAP *map = map_of_size(300, 300);
    set_cell(map, 100, 100, 0);
    wend__version *held = wend__map_acquire(map, true);
    set_cell(map, 101, 100, 0);
    uint64_t two = map_ground_bytes(map);
    for (int32_t i = 0; i < 50; i++) {
        set_cell(map, 102, 100 + i % 3, i % 2 ? 1 : 0);
        cr_assert_eq(map_ground_bytes(map), two);
        cr_assert_eq(held->newer->epoch, map_epoch(map));
        cr_assert_null(held->newer->newer);
    }
    wend__map_release(held, true);
}

Test(map_versions, under_one_pin_stay_bounded_over_1000_publishes) {
    OWNED(model_free) model m = noise(256, 1), first;
    OWNED_MAP *map = map_of(&m);
    uint64_t seed = 1, one = map_bytes(map);
    wend__version *held = wend__map_acquire(map, true);
    first = model_copy(&m);
    for (int32_t i = 0; i < 1000; i++) {
        int32_t x = (int32_t)draw(&seed, 256), y = (int32_t)draw(&seed, 256);
        m.classes[y * 256 + x] = (uint8_t)((m.classes[y * 256 + x] + 1) % 3);
        set_cell(map, x, y, m.classes[y * 256 + x]);
        cr_assert_leq(map_bytes(map), 2 * one);
    }
    wend_map_info info = info_now(map);
    cr_assert_eq(info.epoch, 1001u);
    cr_assert_leq(info.bytes_peak, 3 * one); /* and the draft of the next */
    cr_assert_not(wend__version_retired(held));
    model_check(&first, held);
    model_check_map(&m, map);
    wend__map_release(held, true);
    wend__sweep_all(map->family);
    OWNED_MAP *fresh = map_of(&m);
    cr_assert_eq(map_bytes(map), map_bytes(fresh));
}

Test(map_versions, are_none_the_more_where_publishing_fails) {
    counting c = {0};
    wend_map_def def = default_map();
    def.width = def.height = 100, def.max_versions = 1, def.allocator = counting_allocator(&c);
    wend_map *map = made_map(&def);
    wend__version *held = wend__map_acquire(map, true);
    uint64_t bytes = map_bytes(map);
    size_t failures = 0;
    for (size_t n = 1;; n++, failures++) {
        wend_edit *edit;
        c.calls = 0, c.fail_at = n;
        wend_error error = wend_edit_begin(map, &edit);
        if (!error) {
            wend_edit_set_cell(edit, at(63, 63), 0);
            error = wend_edit_publish(edit, NULL);
        }
        if (!error) break;
        cr_assert_eq(error, WEND_OUT_OF_MEMORY);
        cr_assert_eq(map_bytes(map), bytes);
        cr_assert_null(held->newer);
        cr_assert_not(wend__version_retired(held));
    }
    cr_assert_gt(failures, 4u);
    cr_assert_not_null(held->newer);
    cr_assert(wend__version_retired(held));
    c.fail_at = 0;
    wend__map_release(held, true);
    wend_map_release(map);
    cr_assert_eq(c.blocks, 0u);
}

/* ---- retiring ---- */

static wend_map *limited(int32_t max_versions) {
    wend_map_def def = default_map();
    def.width = def.height = 70, def.max_versions = max_versions;
    return made_map(&def);
}

/* The newest is one of them, so `limit` - 1 older ones may be in use: at that, and one and two past it. */
static void retire_at(int32_t limit) {
    wend__version *held[WEND_MAX_VERSIONS + 2];
    OWNED_MAP *map = limited(limit);
    for (int32_t count = 1; count <= limit + 1; count++) {
        held[count - 1] = wend__map_acquire(map, true);
        cr_assert_not(wend__version_retired(held[count - 1]));
        publish_nothing(map);
        for (int32_t i = 0; i < count; i++)
            cr_assert_eq(wend__version_retired(held[i]), count - i >= limit, "limit %d: %d of %d", (int)limit, (int)i,
                         (int)count);
    }
    for (int32_t i = 0; i <= limit; i++) wend__map_release(held[i], true);
    OWNED_VERSION *newest = wend__map_acquire(map, false);
    cr_assert_null(newest->older);
}

Test(map_versions, are_retired_one_past_the_limit) {
    retire_at(1);
    retire_at(2);
    retire_at(8);
    retire_at(WEND_MAX_VERSIONS);
}

Test(map_versions, count_when_searches_use_them_only) {
    OWNED_MAP *map = limited(2);
    wend__version *held = wend__map_acquire(map, true), *looked[5];
    for (int i = 0; i < 5; i++) {
        publish_nothing(map);
        looked[i] = wend__map_acquire(map, false);
    }
    cr_assert_not(wend__version_retired(held));
    wend__version *second = wend__map_acquire(map, true), *again = wend__map_acquire(map, true);
    cr_assert_not(wend__version_retired(held)); /* the newest counts already */
    publish_nothing(map);
    cr_assert(wend__version_retired(held));
    cr_assert_not(wend__version_retired(second));
    for (int i = 0; i < 5; i++) cr_assert_not(wend__version_retired(looked[i]));
    for (int i = 0; i < 5; i++) wend__map_release(looked[i], false);
    wend__map_release(held, true);
    wend__map_release(second, true);
    publish_nothing(map);
    cr_assert_not(wend__version_retired(again));
    wend__map_release(again, true);
}

Test(map_versions, make_room_when_let_go) {
    OWNED_MAP *map = limited(3);
    wend__version *held[10];
    for (int i = 0; i < 10; i++) {
        held[i] = wend__map_acquire(map, true);
        publish_nothing(map);
        if (i >= 1) wend__map_release(held[i - 1], true);
        cr_assert_not(wend__version_retired(held[i]));
    }
    wend__map_release(held[9], true);
}

Test(map_versions, of_refused_and_discarded_batches_retire_nothing) {
    OWNED_MAP *map = limited(1);
    wend__version *held = wend__map_acquire(map, true);
    wend_edit *edit = begin_edit(map);
    wend_edit_discard(edit);
    cr_assert_eq(wend_edit_begin(map, &edit), WEND_OK);
    cr_assert_eq(wend_edit_set_cell(edit, at(70, 0), 0), WEND_OUT_OF_RANGE);
    cr_assert_eq(wend_edit_publish(edit, NULL), WEND_OUT_OF_RANGE);
    cr_assert_not(wend__version_retired(held));
    publish_nothing(map);
    cr_assert(wend__version_retired(held));
    wend__map_release(held, true);
}

/* A batch holds the version it began from, which is no search's. */
Test(map_versions, live_as_long_as_the_batch_that_began_from_them) {
    OWNED_MAP *map = limited(1);
    wend_map_rules rules = default_rules();
    wend_edit *edit = begin_edit(map);
    for (int32_t i = 0; i < 5; i++) {
        rules.factors[2] = (uint8_t)(3 + i);
        cr_assert_eq(wend_map_set_rules(map, &rules), WEND_OK);
    }
    cr_assert_eq(wend_edit_set_cell(edit, at(5, 5), 2), WEND_OK);
    cr_assert_eq(wend_edit_publish(edit, NULL), WEND_OK);
    OWNED_VERSION *v = wend__map_acquire(map, false);
    cr_assert_null(v->older);
    cr_assert_null(v->newer);
    cr_assert_eq(wend__version_factor(v, 5, 5), 7);
}

Test(map_versions, allowed_may_become_fewer_or_more) {
    OWNED_MAP *map = limited(4);
    wend__version *held[5];
    for (int i = 0; i < 3; i++) {
        held[i] = wend__map_acquire(map, true);
        publish_nothing(map);
    }
    cr_assert_not(wend__version_retired(held[0]));
    const int32_t bad[] = {INT32_MIN, -1, 0, WEND_MAX_VERSIONS + 1, INT32_MAX};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        cr_assert_eq(wend_map_set_max_versions(map, bad[i]), WEND_BAD_ARGUMENT);
    cr_assert_not(wend__version_retired(held[0]));
    cr_assert_eq(wend_map_set_max_versions(map, 2), WEND_OK);
    cr_assert(wend__version_retired(held[0]) && wend__version_retired(held[1]));
    cr_assert_not(wend__version_retired(held[2]));
    cr_assert_eq(wend_map_set_max_versions(map, WEND_MAX_VERSIONS), WEND_OK);
    cr_assert(wend__version_retired(held[0])); /* retired versions stay retired */
    for (int i = 3; i < 5; i++) {
        held[i] = wend__map_acquire(map, true);
        publish_nothing(map);
    }
    for (int i = 2; i < 5; i++) cr_assert_not(wend__version_retired(held[i]));
    cr_assert_eq(wend_map_set_max_versions(map, 1), WEND_OK);
    for (int i = 0; i < 5; i++) {
        cr_assert(wend__version_retired(held[i]));
        wend__map_release(held[i], true);
    }
}
