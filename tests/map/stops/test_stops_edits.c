/* SPDX-License-Identifier: MIT */
/* Stops after edits: compared with those of a full build, and with the definitions. */
#include "models/few_or_many.h"
#include "models/jumps_model.h"
#include "models/stops_model.h"

#include "fast/acceleration.h"
#include "fast/stops/stop_tables.h"
#include "fast/stops/stops.h"
#include "map/store/directions.h"
#include "map/version/version.h"

#include <criterion/criterion.h>
#include <wend/ways.h>

typedef struct editor {
    stops_world o;
    wend_cell from[256], to[256]; ///< links, as far as they fit
    uint32_t links;
    uint64_t seed;
} editor;

static uint32_t dice(editor *e, uint32_t below) {
    return draw(&e->seed, below);
}

static wend_cell any_cell(editor *e) {
    const int32_t x = (int32_t)dice(e, (uint32_t)e->o.w.m.width), y = (int32_t)dice(e, (uint32_t)e->o.w.m.height);
    return at(x, y);
}

static uint8_t any_class(editor *e) {
    const uint32_t roll = dice(e, 10);
    return roll < 4 ? WEND_CLASS_OPEN : roll < 7 ? WEND_CLASS_BLOCKED : (uint8_t)(2 + dice(e, 3));
}

static void fill(editor *e, wend_edit *edit, int32_t most) {
    const model *m = &e->o.w.m;
    const wend_cell a = any_cell(e);
    const int32_t x1 = a.x + (int32_t)dice(e, (uint32_t)most), y1 = a.y + (int32_t)dice(e, (uint32_t)most);
    const wend_box box = box_of(a.x, a.y, x1 < m->width ? x1 : m->width - 1, y1 < m->height ? y1 : m->height - 1);
    const uint8_t class = any_class(e);
    for (int32_t y = box.min.y; y <= box.max.y; y++)
        for (int32_t x = box.min.x; x <= box.max.x; x++) m->classes[y * m->width + x] = class;
    cr_assert_eq(wend_edit_fill_box(edit, box, class), WEND_OK);
}

static void add_link(editor *e, wend_edit *edit) {
    const wend_cell from = any_cell(e), to = any_cell(e);
    if (e->links == 256 || (from.x == to.x && from.y == to.y)) return;
    stops_world_link(&e->o, edit, from, to);
    e->from[e->links] = from, e->to[e->links++] = to;
}

static void remove_link(editor *e, wend_edit *edit) {
    if (!e->links) return;
    const uint32_t i = dice(e, e->links);
    const wend_cell from = e->from[i];
    if (wend_edit_remove_link(edit, from, e->to[i]) == WEND_OK) e->o.links[from.y * e->o.w.m.width + from.x]--;
    e->links--;
    e->from[i] = e->from[e->links], e->to[i] = e->to[e->links];
}

static void change(editor *e, wend_edit *edit) {
    const uint32_t roll = dice(e, 100);
    if (roll < 40)
        fill(e, edit, 1);
    else if (roll < 55)
        fill(e, edit, roll < 52 ? 6 : 90);
    else if (roll < 75)
        stops_world_close(&e->o, edit, 1 + dice(e, 3), false, &e->seed);
    else if (roll < 85)
        stops_world_close(&e->o, edit, 1 + dice(e, 40), true, &e->seed);
    else if (roll < 93)
        add_link(e, edit);
    else
        remove_link(e, edit);
}

static void publish(editor *e, uint32_t changes) {
    wend_edit *edit = begin_edit(e->o.map);
    while (changes--) change(e, edit);
    cr_assert_eq(wend_edit_publish(edit, NULL), WEND_OK);
}

static void change_rules(editor *e) {
    wend_map_rules *rules = &e->o.w.m.rules;
    static const int32_t prices[][2] = {{10, 14}, {10, 10}, {10, 20}, {1000, 1414}};
    const uint32_t i = dice(e, 4);
    rules->cost_straight = prices[i][0], rules->cost_diagonal = prices[i][1];
    rules->factors[2] = (uint8_t)(1 + dice(e, 3));
    rules->corners = dice(e, 4) ? WEND_CORNERS_NEVER : WEND_CORNERS_ALWAYS;
    cr_assert_eq(wend_map_set_rules(e->o.map, rules), WEND_OK);
}

static void check_like_full_build(wend_map *map) {
    OWNED_VERSION *v = wend__map_acquire(map, false);
    wend__version *fresh = wend__version_copy(v, map, WEND__ROWS_IN_VIEWS);
    cr_assert_eq(wend__stops_make(fresh), WEND_OK);
    stops_check_alike(v, fresh);
    wend__version_free(fresh);
}

static void check_definitions(editor *e) {
    OWNED_VERSION *v = wend__map_acquire(e->o.map, false);
    if (v->rules.corners == WEND_CORNERS_NEVER)
        stops_check(&e->o.w, e->o.links, v);
    else
        cr_assert_null(v->stops);
}

static editor editor_create(const stops_mixture *mix, uint64_t seed) {
    editor e = {.o = stops_world_create(mix, seed), .seed = seed};
    cr_assert_eq(wend__map_prepare_jumps(e.o.map), WEND_OK);
    return e;
}

static void run(const stops_mixture *mix, uint64_t seed, int edits, bool rules) {
    editor e = editor_create(mix, seed);
    for (int i = 1; i <= edits; i++) {
        if (rules && dice(&e, 20) == 0)
            change_rules(&e);
        else
            publish(&e, dice(&e, 3) ? 1 : 1 + dice(&e, 30));
        check_like_full_build(e.o.map);
        if (i % (edits / 3) == 0) check_definitions(&e);
    }
    stops_world_free(&e.o);
}

Test(stops_edits, leave_what_a_full_build_makes) {
    const int edits = enough_or_many(20, 300);
    run(&(stops_mixture){140, 135, 100, 3, 1, 0, 10, 14}, 1, edits, false);
    run(&(stops_mixture){70, 200, 300, 200, 10, 0, 10, 14}, 2, edits / 2, false);
    run(&(stops_mixture){200, 70, 0, 0, 0, 0, 1000, 1414}, 3, edits, false);
    run(&(stops_mixture){64, 64, 200, 100, 30, 0, 10, 14}, 4, edits, false);
}

/* A map with open and blocked cells alone; most edits are near its rim. */
static void run_wrapped(int32_t width, int32_t height, int32_t wrap, uint64_t seed, int edits) {
    wend_map_def def = default_map();
    def.width = width, def.height = height, def.wrap = wrap;
    OWNED_MAP *map = made_map(&def);
    cr_assert_eq(wend__map_prepare_jumps(map), WEND_OK);
    for (int i = 0; i < edits; i++) {
        wend_edit *edit = begin_edit(map);
        for (uint32_t n = 1 + draw(&seed, draw(&seed, 4) ? 4 : 60); n > 0; n--) {
            int32_t x = (int32_t)draw(&seed, (uint32_t)width), y = (int32_t)draw(&seed, (uint32_t)height);
            const int32_t off = (int32_t)draw(&seed, 3), roll = (int32_t)draw(&seed, 5);
            if (roll < 2) x = roll ? off : width - 1 - off;
            if (roll == 2 || roll == 3) y = roll == 2 ? off : height - 1 - off;
            cr_assert_eq(wend_edit_set_cell(edit, at(x, y), (uint8_t)draw(&seed, 2)), WEND_OK);
        }
        cr_assert_eq(wend_edit_publish(edit, NULL), WEND_OK);
        check_like_full_build(map);
    }
}

Test(stops_edits, leave_what_a_full_build_makes_at_rims_that_wrap) {
    const int edits = enough_or_many(30, 300);
    run_wrapped(128, 128, WEND_WRAP_X | WEND_WRAP_Y, 1, edits);
    run_wrapped(64, 192, WEND_WRAP_X | WEND_WRAP_Y, 2, edits);
    run_wrapped(65, 130, WEND_WRAP_X | WEND_WRAP_Y, 3, edits);
    run_wrapped(200, 70, WEND_WRAP_X, 4, edits);
    run_wrapped(1088, 64, WEND_WRAP_X | WEND_WRAP_Y, 5, edits / 2);
    run_wrapped(40, 9, WEND_WRAP_Y, 6, edits);
}

Test(stops_edits, leave_what_a_full_build_makes_across_blocks) {
    const int edits = enough_or_many(12, 150);
    run(&(stops_mixture){1100, 40, 100, 5, 1, 0, 10, 14}, 5, edits, false);
    run(&(stops_mixture){40, 1100, 100, 5, 5, 0, 10, 14}, 6, edits, false);
}

/* ---- made in slices ---- */

static wend_error make_later(wend_map *map) {
    wend_acceleration def = default_acceleration();
    def.landmarks = 0, def.later = 1;
    return wend_map_accelerate(map, &def);
}

static bool has_tables(wend_map *map) {
    return wend__map_has_jumps(map, WEND_MOVER_DEFAULT);
}

/* Edits and maintenance take turns until there are tables. Returns the slices. */
static int make_in_slices(editor *e, uint64_t effort, bool rules) {
    int slices = 0;
    for (uint64_t left = 1; left > 0; slices++) {
        wend_edit *open = NULL;
        if (slices % 3 == 0) publish(e, 1 + dice(e, 4));
        if (rules && slices % 50 == 25 && slices < 300) change_rules(e);
        if (slices % 5 == 0) cr_assert_eq(wend_edit_begin(e->o.map, &open), WEND_OK);
        const wend_error error = wend_map_maintain(e->o.map, WEND_MAINTAIN_ALL, effort, &left);
        cr_assert(!error || (error == WEND_IN_USE && open));
        if (open) wend_edit_discard(open);
        if (error) left = 1;
        if (left == 0 && e->o.w.m.rules.corners != WEND_CORNERS_NEVER) change_rules(e), left = 1;
    }
    return slices;
}

static void check_slices(const stops_mixture *mix, uint64_t seed, uint64_t effort, bool rules) {
    editor e = {.o = stops_world_create(mix, seed), .seed = seed};
    cr_assert_eq(make_later(e.o.map), WEND_OK);
    cr_assert_not(has_tables(e.o.map));
    cr_assert_gt(make_in_slices(&e, effort, rules), 10);
    cr_assert(has_tables(e.o.map));
    check_like_full_build(e.o.map);
    check_definitions(&e);
    wend__version *v = wend__map_acquire(e.o.map, false);
    jumps_check_fresh(v);
    wend__map_release(v, false);
    stops_world_free(&e.o);
}

Test(stops_slices, make_what_a_full_build_makes_while_edits_are_published) {
    check_slices(&(stops_mixture){140, 135, 100, 3, 1, 0, 10, 14}, 11, 1500, false);
    check_slices(&(stops_mixture){70, 200, 300, 200, 10, 20, 10, 14}, 12, 1, false);
    check_slices(&(stops_mixture){1100, 70, 100, 5, 1, 0, 10, 14}, 13, 5000, false);
    check_slices(&(stops_mixture){130, 130, 100, 50, 5, 10, 10, 14}, 14, 300, true);
}

Test(stops_slices, end_where_tables_are_made_at_once_or_are_not_wanted) {
    editor e = {.o = stops_world_create(&(stops_mixture){300, 300, 100, 3, 1, 0, 10, 14}, 15), .seed = 15};
    wend_map *fork;
    const uint64_t bytes = map_ground_bytes(e.o.map);
    for (int32_t tables = 0; tables < 2; tables++) {
        uint64_t left;
        wend_acceleration def = default_acceleration();
        def.landmarks = 0, def.tables = tables;
        cr_assert_eq(make_later(e.o.map), WEND_OK);
        cr_assert_eq(wend_map_maintain(e.o.map, WEND_MAINTAIN_ALL, 20000, &left), WEND_OK);
        cr_assert_gt(left, 0u);
        cr_assert_eq(wend_map_accelerate(e.o.map, &def), WEND_OK);
        cr_assert_eq(wend_map_maintain(e.o.map, WEND_MAINTAIN_ALL, 0, &left), WEND_OK);
        cr_assert_eq(left, 0u);
        if (!tables) cr_assert_eq(map_ground_bytes(e.o.map), bytes);
    }
    check_like_full_build(e.o.map);
    cr_assert_eq(wend__map_drop_jumps(e.o.map), WEND_OK);
    cr_assert_eq(wend_map_fork(e.o.map, &fork), WEND_OK);
    for (uint64_t left = 1; left > 0;) cr_assert_eq(wend_map_maintain(fork, WEND_MAINTAIN_ALL, 20000, &left), WEND_OK);
    cr_assert(has_tables(fork) && !has_tables(e.o.map), "a fork lacks what its original lacks");
    check_like_full_build(fork);
    wend_map_release(fork);
    stops_world_free(&e.o);
}

Test(stops_edits, leave_what_a_full_build_makes_whatever_the_rules) {
    run(&(stops_mixture){130, 130, 100, 50, 5, 0, 10, 14}, 7, few_or_many(60, 150), true);
}

Test(stops_edits, leave_older_versions_and_forks_as_they_are) {
    editor e = editor_create(&(stops_mixture){150, 130, 100, 20, 5, 2, 10, 14}, 8);
    wend_map *fork = forked(e.o.map);
    wend__version *held = wend__map_acquire(e.o.map, true);
    for (int i = 0; i < 40; i++) {
        publish(&e, 3);
        cr_assert_eq(wend_map_set_cell(fork, any_cell(&e), any_class(&e), NULL), WEND_OK);
        check_like_full_build(fork);
    }
    wend__version *fresh = wend__version_copy(held, e.o.map, WEND__ROWS_IN_VIEWS);
    cr_assert_eq(wend__stops_make(fresh), WEND_OK);
    stops_check_alike(held, fresh);
    wend__version_free(fresh);
    wend__map_release(held, true);
    wend_map_release(fork);
    stops_world_free(&e.o);
}

/* A cell of another class comes and goes: so do all stops. */
static void check_goes(uint8_t ground, uint8_t other) {
    editor e = editor_create(&(stops_mixture){1100, 70, 0, 0, 0, 0, 10, 14}, 9);
    wend_map_info even = {.struct_bytes = sizeof even}, now = {.struct_bytes = sizeof now};
    IN_BATCH(e.o.map, cr_assert_eq(wend_edit_fill_box(edit, box_of(0, 0, 1099, 69), ground), WEND_OK));
    wend_map_get_info(e.o.map, &even);
    cr_assert_eq(wend_map_set_cell(e.o.map, at(63, 64), other, NULL), WEND_OK);
    cr_assert_eq(wend_map_set_cell(e.o.map, at(1050, 10), other, NULL), WEND_OK);
    wend_map_get_info(e.o.map, &now);
    cr_assert_gt(now.jump_bytes, even.jump_bytes);
    cr_assert_eq(wend_map_set_cell(e.o.map, at(1050, 10), ground, NULL), WEND_OK);
    check_like_full_build(e.o.map);
    cr_assert_eq(wend_map_set_cell(e.o.map, at(63, 64), ground, NULL), WEND_OK);
    check_like_full_build(e.o.map);
    wend_map_get_info(e.o.map, &now);
    cr_assert_eq(now.jump_bytes, even.jump_bytes);
    stops_world_free(&e.o);
}

Test(stops_edits, leave_nothing_where_all_is_even_again) {
    check_goes(WEND_CLASS_OPEN, 5);
    check_goes(5, WEND_CLASS_OPEN);
}

/* ---- memory ---- */

static wend_map *counted_map(counting *c) {
    wend_map_def def = default_map();
    def.width = 1100, def.height = 130, def.allocator = counting_allocator(c);
    wend_map *map = made_map(&def);
    IN_BATCH(map, wend_edit_fill_box(edit, box_of(50, 50, 70, 70), 3),
             wend_edit_set_step(edit, at(1023, 30), at(1024, 30), false),
             wend_edit_add_link(edit, &(wend_link){at(500, 5), at(20, 20), 40, 0}));
    return map;
}

static uint64_t stops_sum(wend_map *map) {
    wend__version *v = wend__map_acquire(map, false);
    uint64_t sum = 0;
    for (int32_t i = 0; i < v->chunk_columns * v->chunk_rows; i++) {
        const wend__stop_chunk *chunk = wend__stop_chunk_at(v, i % v->chunk_columns, i / v->chunk_columns);
        for (uint32_t n = 0; chunk && n < chunk->count; n++)
            sum = (sum ^ chunk->exits[n] ^ wend__stop_arrivals(chunk)[n]) * UINT64_C(0x100000001B3);
    }
    wend__map_release(v, false);
    return sum;
}

static int32_t change_all_kinds(wend_map *map) {
    wend_edit *edit;
    wend_error error = wend_edit_begin(map, &edit);
    if (error) return error;
    wend_edit_set_cell(edit, at(63, 63), 1);
    wend_edit_set_cell(edit, at(1030, 70), 9);
    wend_edit_fill_box(edit, box_of(200, 20, 290, 90), 2);
    wend_edit_set_step(edit, at(1023, 30), at(1024, 30), true);
    wend_edit_set_step(edit, at(1023, 64), at(1024, 64), false);
    wend_edit_add_link(edit, &(wend_link){at(700, 5), at(20, 20), 40, 0});
    wend_edit_remove_link(edit, at(500, 5), at(20, 20));
    return wend_edit_publish(edit, NULL);
}

Test(stops_memory, is_unchanged_whichever_allocation_fails) {
    counting c = {0};
    wend_map *map = counted_map(&c);
    fail_everywhere(map, &c, wend__map_prepare_jumps, stops_sum);
    check_like_full_build(map);
    fail_everywhere(map, &c, change_all_kinds, stops_sum);
    check_like_full_build(map);
    fail_everywhere(map, &c, wend__map_drop_jumps, stops_sum);
    wend_map_info info = info_now(map);
    cr_assert_eq(info.jump_bytes, 0u);
    wend_map_release(map);
    cr_assert_eq(c.bytes, 0u);
    cr_assert_eq(c.blocks, 0u);
}
