/* SPDX-License-Identifier: MIT */
/* Changing how a map is walked. */
#include "map/version/version.h"
#include "map/map_support.h"

#include <criterion/criterion.h>

static model noise(int32_t width, int32_t height, uint64_t seed) {
    model m = model_create(width, height, NULL);
    for (int32_t i = 0; i < width * height; i++) m.classes[i] = (uint8_t)draw(&seed, 4);
    return m;
}

static void set_rules(wend_map *map, model *m) {
    cr_assert_eq(wend_map_set_rules(map, &m->rules), WEND_OK);
    model_check_map(m, map);
    wend_map_rules info_rules = rules_now(map);
    cr_assert_eq(memcmp(&info_rules, &m->rules, sizeof info_rules), 0);
}

Test(map_rules, take_effect_without_a_new_epoch) {
    OWNED(model_free) model m = noise(150, 100, 1);
    OWNED_MAP *map = map_of(&m);
    for (int32_t corners = 0; corners <= 2; corners++)
        for (int32_t neighbours = 4; neighbours <= 8; neighbours += 4) {
            m.rules.corners = corners, m.rules.neighbours = neighbours;
            set_rules(map, &m);
        }
    m.rules.factors[0] = 1; /* a class opens */
    set_rules(map, &m);
    m.rules.factors[2] = 0; /* a class closes */
    set_rules(map, &m);
    m.rules.factors[3] = 200; /* a class only becomes slower */
    set_rules(map, &m);
    memset(m.rules.factors, 0, sizeof m.rules.factors);
    set_rules(map, &m);
    memset(m.rules.factors, 255, sizeof m.rules.factors);
    set_rules(map, &m);
    m.rules.cost_straight = 1000, m.rules.cost_diagonal = 1414;
    set_rules(map, &m);
    cr_assert_eq(map_epoch(map), 1u);
}

Test(map_rules, change_empty_maps_of_many_blocks) {
    wend_map_rules closed = default_rules();
    wend_map_rules open = default_rules();
    closed.neighbours = open.neighbours = 8, closed.factors[WEND_CLASS_OPEN] = 0;
    OWNED(model_free) model m = model_create(2100, 1100, &open);
    OWNED_MAP *map = map_of_size(2100, 1100);
    uint64_t bytes = map_bytes(map);
    m.rules = closed;
    set_rules(map, &m);
    m.rules = open;
    set_rules(map, &m);
    cr_assert_lt(map_bytes(map), 2 * bytes); /* blocks are no longer shared, planes still are */
}

Test(map_rules, are_checked_as_at_creation) {
    OWNED_MAP *map = map_of_size(5, 5);
    wend_map_rules rules = default_rules();
    cr_assert_eq(wend_map_set_rules(map, NULL), WEND_BAD_ARGUMENT);
    rules.cost_diagonal = 21;
    cr_assert_eq(wend_map_set_rules(map, &rules), WEND_BAD_ARGUMENT);
    wend_map_rules_init(&rules, sizeof rules);
    rules.struct_bytes = 4;
    cr_assert_eq(wend_map_set_rules(map, &rules), WEND_BAD_ARGUMENT);
    wend_map_rules_init(&rules, sizeof rules);
    rules.neighbours = 18;
    cr_assert_eq(wend_map_set_rules(map, &rules), WEND_BAD_ARGUMENT);
    wend_map_rules info_rules = rules_now(map);
    wend_map_rules_init(&rules, sizeof rules);
    rules.neighbours = 8; /* the value that 0 stands for on a grid */
    cr_assert_eq(memcmp(&info_rules, &rules, sizeof rules), 0);
}

Test(map_rules, are_refused_while_a_search_has_the_map) {
    OWNED(model_free) model m = noise(70, 70, 2);
    OWNED_MAP *map = map_of(&m);
    wend__version *pinned = wend__map_acquire(map, true);
    wend_map_rules rules = m.rules;
    rules.corners = WEND_CORNERS_ALWAYS, rules.factors[0] = 1;
    uint64_t bytes = map_bytes(map);
    cr_assert_eq(wend_map_set_rules(map, &rules), WEND_IN_USE);
    cr_assert_eq(map_bytes(map), bytes);
    model_check_map(&m, map);
    wend__map_release(pinned, true);
    m.rules = rules;
    set_rules(map, &m);
}

/* Chunks of two classes are bits while neither is slow: the rules decide. */
Test(map_rules, turn_bits_into_bytes_and_back) {
    OWNED(model_free) model m = model_create(150, 100, NULL);
    uint64_t seed = 4;
    for (int32_t i = 0; i < 150 * 100; i++) m.classes[i] = draw(&seed, 3) ? 2 : 0;
    OWNED_MAP *map = map_of(&m);
    const uint8_t factors[] = {1, 2, 0, 255, 1, 0, 9};
    for (size_t i = 0; i < sizeof factors; i++) {
        m.rules.factors[2] = factors[i];
        set_rules(map, &m);
        m.rules.factors[0] = factors[sizeof factors - 1 - i];
        set_rules(map, &m);
    }
}

Test(map_rules, are_refused_while_a_search_has_an_older_version) {
    OWNED(model_free) model m = noise(70, 70, 2);
    OWNED_MAP *map = map_of(&m);
    wend__version *pinned = wend__map_acquire(map, true);
    for (int i = 0; i < 3; i++) {
        wend_edit *edit = begin_edit(map);
        cr_assert_eq(wend_edit_publish(edit, NULL), WEND_OK);
        cr_assert_eq(wend_map_set_rules(map, &m.rules), WEND_IN_USE);
    }
    cr_assert_eq(memcmp(&pinned->rules, &m.rules, sizeof m.rules), 0);
    wend__map_release(pinned, true);
    m.rules.factors[0] = 1;
    set_rules(map, &m);
    cr_assert_eq(map_epoch(map), 4u);
}

Test(map_rules, set_amid_a_batch_hold_when_it_is_published) {
    OWNED(model_free) model m = noise(150, 100, 3);
    OWNED_MAP *map = map_of(&m);
    wend_edit *edit = begin_edit(map);
    cr_assert_eq(wend_edit_set_cell(edit, at(70, 50), 3), WEND_OK);
    m.rules.factors[0] = 2, m.rules.factors[1] = 0, m.rules.factors[3] = 9;
    m.rules.corners = WEND_CORNERS_ONE;
    set_rules(map, &m);
    cr_assert_eq(wend_edit_set_cell(edit, at(20, 50), 0), WEND_OK);
    m.classes[50 * 150 + 70] = 3, m.classes[50 * 150 + 20] = 0;
    uint64_t epoch;
    cr_assert_eq(wend_edit_publish(edit, &epoch), WEND_OK);
    cr_assert_eq(epoch, 2u);
    model_check_map(&m, map);
}
