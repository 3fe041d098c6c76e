/* SPDX-License-Identifier: MIT */
/* Jump tables: their memory, when they are freed, when they may be made, and running out of memory. */
#include "models/corridors.h"
#include "models/jumps_model.h"

#include "map/store/map_layout.h"
#include "map/version/version.h"
#include "fast/acceleration.h"

#include <criterion/criterion.h>
#include <wend/ways.h>

enum { WIDTH = 1100, HEIGHT = 130 };

/* Rooms, so that tables have dead points, and lanes of them. */
static model rooms(int32_t width, int32_t height) {
    wend_map_rules rules = default_rules();
    model m = model_create(width, height, &rules);
    uint64_t seed = 3;
    for (int32_t y = 0; y < height; y++)
        for (int32_t x = 0; x < width; x++) {
            bool wall = (x % 13 == 0 || y % 17 == 0) && draw(&seed, 10) > 0;
            m.classes[y * width + x] = wall ? WEND_CLASS_BLOCKED : WEND_CLASS_OPEN;
        }
    return m;
}

static model corridors(int32_t width, int32_t height) {
    wend_map_rules rules = default_rules();
    model m = model_create(width, height, &rules);
    for (int32_t i = 0; i < width * height; i++)
        m.classes[i] = is_corridor_wall(i % width, i / width, 1) ? WEND_CLASS_BLOCKED : WEND_CLASS_OPEN;
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

static wend_map_info info_of(const wend_map *map) {
    wend_map_info info = info_now(map);
    return info;
}

static uint64_t checksum(wend_map *map) {
    wend__version *v = wend__map_acquire(map, false);
    uint64_t sum = v->jumps ? jumps_checksum(v) : 0;
    wend__map_release(v, false);
    return sum;
}

/* Around a corner of four chunks, and elsewhere. */
static wend_error set_cells(wend_map *map, uint8_t class) {
    wend_edit *edit;
    wend_error error = wend_edit_begin(map, &edit);
    if (error) return error;
    wend_edit_set_cell(edit, at(63, 63), class);
    for (int32_t x = 582; x < WIDTH; x += 64) wend_edit_set_cell(edit, at(x, 70), class);
    wend_edit_fill_box(edit, box_of(200, 20, 290, 90), class);
    return wend_edit_publish(edit, NULL);
}

static wend_error prune_three(wend_map *map) {
    return wend__map_prune_jumps(map, 3, NULL);
}

static wend_error block_cells(wend_map *map) {
    return set_cells(map, WEND_CLASS_BLOCKED);
}

Test(jumps_memory, is_unchanged_whichever_allocation_fails) {
    counting c = {0};
    OWNED(model_free) model m = corridors(WIDTH, HEIGHT);
    wend_map *map = counted_map(&m, &c, WEND_NO_LIMIT);
    fail_everywhere(map, &c, wend__map_prepare_jumps, checksum);
    cr_assert(info_of(map).jumps);
    fail_everywhere(map, &c, block_cells, checksum);
    cr_assert(info_of(map).jump_unpruned > 6);
    fail_everywhere(map, &c, prune_three, checksum);
    fail_everywhere(map, &c, wend__map_prepare_jumps, checksum);
    cr_assert_eq(info_of(map).jump_unpruned, 0u);
    fail_everywhere(map, &c, wend__map_drop_jumps, checksum);
    wend_map_release(map);
    cr_assert_eq(c.bytes, 0u);
    cr_assert_eq(c.blocks, 0u);
}

/* Makes tables in slices; results of earlier calls are discarded. */
static wend_error make_in_slices(wend_map *map) {
    wend_acceleration def = default_acceleration();
    def.landmarks = 0, def.later = 1;
    wend_error error = wend_map_accelerate(map, &def);
    for (uint64_t left = 1; left > 0 && !error;) error = wend_map_maintain(map, WEND_MAINTAIN_ALL, 60000, &left);
    return error;
}

Test(jumps_memory, is_unchanged_whichever_allocation_fails_in_slices) {
    counting c = {0};
    OWNED(model_free) model m = rooms(WIDTH, HEIGHT);
    wend_map *map = counted_map(&m, &c, WEND_NO_LIMIT);
    fail_everywhere(map, &c, make_in_slices, checksum);
    jumps_check_map(&m, map);
    wend_map_release(map);
    cr_assert_eq(c.blocks, 0u);
    map = counted_map(&m, &c, WEND_NO_LIMIT);
    wend_acceleration def = default_acceleration();
    def.later = 1;
    cr_assert_eq(wend_map_accelerate(map, &def), WEND_OK);
    cr_assert_eq(wend_map_maintain(map, WEND_MAINTAIN_ALL, 30000, NULL), WEND_OK);
    wend_map_release(map); /* in the middle */
    cr_assert_eq(c.blocks, 0u);
}

Test(jumps_memory, is_unchanged_where_the_limit_of_bytes_is_met) {
    counting c = {0};
    OWNED(model_free) model m = rooms(WIDTH, HEIGHT);
    wend_map *map = counted_map(&m, &c, WEND_NO_LIMIT);
    cr_assert_eq(wend__map_prepare_jumps(map), WEND_OK);
    const uint64_t peak = info_of(map).bytes_peak;
    wend_map_release(map);
    for (int i = 0; i < 2; i++) {
        map = counted_map(&m, &c, peak - (uint64_t)i);
        const uint64_t bytes = info_of(map).bytes;
        cr_assert_eq(wend__map_prepare_jumps(map), i ? WEND_OUT_OF_MEMORY : WEND_OK);
        if (i) cr_assert_eq(info_of(map).bytes, bytes);
        wend_map_release(map);
    }
    cr_assert_eq(c.bytes, 0u);
}

Test(jumps_memory, is_given_back_when_nobody_has_tables_any_more) {
    counting c = {0};
    OWNED(model_free) model m = rooms(WIDTH, HEIGHT);
    wend_map *map = counted_map(&m, &c, WEND_NO_LIMIT), *fork;
    const uint64_t bytes = info_of(map).bytes;
    cr_assert_eq(wend__map_prepare_jumps(map), WEND_OK);
    const uint64_t made = info_of(map).jump_bytes;
    cr_assert_eq(info_of(map).bytes, bytes + made);
    wend__version *held = wend__map_acquire(map, true);
    cr_assert_eq(wend_map_fork(map, &fork), WEND_OK);
    cr_assert_eq(wend__map_drop_jumps(map), WEND_OK);
    cr_assert(!info_of(map).jumps && info_of(fork).jumps);
    cr_assert_eq(wend__map_drop_jumps(fork), WEND_OK);
    cr_assert_eq(info_of(fork).jump_bytes, made);
    jumps_check(&m, held);
    wend__map_release(held, true);
    cr_assert_eq(info_of(map).jump_bytes, 0u);
    wend_map_release(fork);
    cr_assert_eq(info_of(map).bytes, bytes);
    cr_assert_eq(wend__map_drop_jumps(map), WEND_OK);
    wend_map_release(map);
    cr_assert_eq(c.bytes, 0u);
}

Test(jumps_memory, takes_no_tables_that_a_fork_left_unpruned) {
    OWNED(model_free) model m = corridors(200, 130);
    OWNED_MAP *map = map_of(&m), *fork = NULL;
    cr_assert_eq(wend__map_prepare_jumps(map), WEND_OK);
    cr_assert_eq(wend_map_fork(map, &fork), WEND_OK);
    cr_assert_eq(wend_map_set_cell(map, at(70, 70), 0, NULL), WEND_OK);
    OWNED_MAP *second = forked(map);
    cr_assert_eq(wend__map_drop_jumps(map), WEND_OK);
    cr_assert_eq(wend__map_prepare_jumps(map), WEND_OK);
    cr_assert_eq(info_of(map).jump_unpruned, 0u);
    cr_assert(info_of(second).jump_unpruned > 0);
    jumps_check_map(&m, fork);
    m.classes[70 * 200 + 70] = 0;
    jumps_check_map(&m, map);
    jumps_check_map(&m, second);
}

Test(jumps_memory, is_small_for_a_large_empty_map) {
    OWNED_MAP *map = map_of_size(16384, 16384);
    cr_assert_eq(wend__map_prepare_jumps(map), WEND_OK);
    cr_assert_lt(info_of(map).jump_bytes, UINT64_C(4) << 20);
    cr_assert_eq(wend__map_prepare_jumps(map), WEND_OK);
    cr_assert_eq(wend_map_set_cell(map, at(8030, 8030), 0, NULL), WEND_OK);
    cr_assert_eq(info_of(map).jump_unpruned, 0u); /* the publish prunes a change as small as this */
}

/* ---- refused calls ---- */

Test(jumps_memory, are_refused_where_a_side_is_too_long) {
    static const struct {
        int32_t width, height, error;
    } sizes[] = {{65535, 3, WEND_OK}, {65536, 3, WEND_UNSUPPORTED}, {3, 65535, WEND_OK}, {3, 65536, WEND_UNSUPPORTED}};
    for (int i = 0; i < 4; i++) {
        OWNED_MAP *map = map_of_size(sizes[i].width, sizes[i].height);
        cr_assert_eq(wend__map_prepare_jumps(map), sizes[i].error);
        cr_assert_eq(info_of(map).jumps, sizes[i].error == WEND_OK);
    }
}

Test(jumps_memory, are_refused_on_voxels_and_graphs) {
    wend_map_def def = default_map();
    wend_graph_def graph = default_graph();
    wend_map *maps[2];
    uint32_t left = 7;
    def.kind = WEND_KIND_VOXEL, def.width = def.height = def.depth = 20;
    graph.node_count = 5;
    cr_assert_eq(wend_map_create(&def, &maps[0]), WEND_OK);
    cr_assert_eq(wend_graph_create(&graph, &maps[1]), WEND_OK);
    for (int i = 0; i < 2; i++) {
        cr_assert_eq(wend__map_prepare_jumps(maps[i]), WEND_UNSUPPORTED);
        cr_assert_eq(wend__map_prune_jumps(maps[i], 3, &left), WEND_OK);
        cr_assert_eq(left, 0u);
        cr_assert_eq(wend__map_drop_jumps(maps[i]), WEND_OK);
        wend_map_release(maps[i]);
    }
}

Test(jumps_memory, are_refused_while_a_batch_is_open_and_allowed_while_a_version_is_in_use) {
    OWNED(model_free) model m = corridors(130, 70);
    OWNED_MAP *map = map_of(&m);
    uint32_t left = 7;
    wend__version *held = wend__map_acquire(map, true);
    wend_edit *edit = begin_edit(map);
    cr_assert_eq(wend__map_prepare_jumps(map), WEND_IN_USE);
    wend_edit_discard(edit);
    cr_assert_eq(wend__map_prepare_jumps(map), WEND_OK);
    cr_assert_not(held->jumps);
    wend__version *with = wend__map_acquire(map, true);
    cr_assert_eq(with->revision, held->revision);
    cr_assert_eq(with->epoch, held->epoch);
    wend__map_release(held, true);
    wend__map_release(with, true);
    cr_assert_eq(block_cells(map), WEND_OUT_OF_RANGE);
    cr_assert_eq(wend_edit_begin(map, &edit), WEND_OK);
    cr_assert_eq(wend_edit_set_cell(edit, at(30, 5), 0), WEND_OK);
    cr_assert_eq(wend_edit_publish(edit, NULL), WEND_OK);
    cr_assert_eq(wend_edit_begin(map, &edit), WEND_OK);
    cr_assert_eq(wend__map_prune_jumps(map, 0, &left), WEND_OK);
    cr_assert_eq(left, 1u);
    cr_assert_eq(wend__map_prune_jumps(map, 1, &left), WEND_IN_USE);
    cr_assert_eq(wend__map_drop_jumps(map), WEND_IN_USE);
    wend_edit_discard(edit);
    cr_assert_eq(wend__map_prune_jumps(map, 1, &left), WEND_OK);
    cr_assert_eq(left, 0u);
}

/* Asked of a draft with tables, which must be left as it is. */
Test(jumps_memory, are_left_alone_by_the_question_whether_a_batch_disconnects) {
    OWNED(model_free) model m = rooms(130, 70);
    OWNED_MAP *map = map_of(&m);
    bool disconnects;
    cr_assert_eq(wend__map_prepare_jumps(map), WEND_OK);
    wend_edit *edit = begin_edit(map);
    cr_assert_eq(wend_edit_add_link(edit, &(wend_link){at(1, 1), at(100, 60), 5, 0}), WEND_OK);
    cr_assert_eq(wend_edit_publish(edit, NULL), WEND_OK);
    cr_assert_eq(wend_edit_begin(map, &edit), WEND_OK);
    cr_assert_eq(wend_edit_set_cell(edit, at(64, 30), 0), WEND_OK);
    cr_assert_eq(wend_edit_would_disconnect(edit, WEND_MOVER_DEFAULT, at(1, 1), at(2, 2), &disconnects), WEND_OK);
    cr_assert_eq(wend_edit_publish(edit, NULL), WEND_OK);
    m.classes[30 * 130 + 64] = 0;
    jumps_check_map(&m, map);
}

Test(jumps_memory, are_kept_when_a_mover_is_added) {
    OWNED(model_free) model m = rooms(130, 70);
    OWNED_MAP *map = map_of(&m);
    cr_assert_eq(wend__map_prepare_jumps(map), WEND_OK);
    add_mover_of_size(map, 2);
    jumps_check_map(&m, map);
    m.classes[30 * 130 + 64] = 0;
    cr_assert_eq(wend_map_set_cell(map, at(64, 30), 0, NULL), WEND_OK);
    jumps_check_map(&m, map);
}
