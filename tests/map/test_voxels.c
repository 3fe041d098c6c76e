/* SPDX-License-Identifier: MIT */
/* Voxel maps: edits, legal steps, and memory. */
#include "models/voxel_model.h"
#include "models/defaults.h"

#include "map/kinds/voxels.h"
#include "map/store/directions.h"
#include "map/store/map_layout.h"
#include "map/version/version.h"
#include "models/few_or_many.h"

#include <criterion/criterion.h>
#include <stdlib.h>

static wend_map_rules rules_of(int32_t neighbours, int32_t corners) {
    wend_map_rules rules = default_rules();
    rules.neighbours = neighbours, rules.corners = corners;
    return rules;
}

/* ---- edits, in the map and in the model ---- */

static uint8_t draw_class(uint64_t *seed, uint32_t kinds) {
    static const uint8_t classes[] = {0, 1, 255, 254, 2, 7};
    return classes[draw(seed, kinds)];
}

static void fill(space *s, wend_edit *edit, wend_box box, uint8_t class) {
    for (int32_t z = box.min.z; z <= box.max.z; z++)
        for (int32_t y = box.min.y; y <= box.max.y; y++)
            memset(space_at(s, in3(box.min.x, y, z)), class, (size_t)(box.max.x - box.min.x) + 1);
    cr_assert_eq(wend_edit_fill_box(edit, box, class), WEND_OK);
}

/* Writes a box from an array with longer rows than the box. */
static void write(space *s, wend_edit *edit, wend_box box, uint64_t *seed, uint32_t kinds) {
    size_t columns = (size_t)(box.max.x - box.min.x) + 1, rows = (size_t)(box.max.y - box.min.y) + 1;
    size_t layers = (size_t)(box.max.z - box.min.z) + 1, stride = columns + draw(seed, 5);
    uint8_t *array = malloc(stride * rows * layers), *from = array;
    for (size_t i = 0; i < stride * rows * layers; i++) array[i] = draw_class(seed, kinds);
    for (int32_t z = box.min.z; z <= box.max.z; z++)
        for (int32_t y = box.min.y; y <= box.max.y; y++, from += stride)
            memcpy(space_at(s, in3(box.min.x, y, z)), from, columns);
    cr_assert_eq(wend_edit_set_box(edit, box, array, stride), WEND_OK);
    free(array);
}

static void set(space *s, wend_edit *edit, wend_cell cell, uint8_t class) {
    *space_at(s, cell) = class;
    cr_assert_eq(wend_edit_set_cell(edit, cell, class), WEND_OK);
}

static void batch(space *s, wend_map *map, uint64_t *seed, uint32_t kinds) {
    wend_edit *edit = begin_edit(map);
    for (uint32_t i = draw(seed, 6); i-- > 0;) {
        wend_box box = space_draw_box(s, seed);
        uint32_t what = draw(seed, 4);
        if (what == 0) write(s, edit, box, seed, 1 + draw(seed, kinds));
        if (what == 1) fill(s, edit, box, draw_class(seed, kinds));
        for (int n = 0; what > 1 && n < 40; n++) set(s, edit, space_draw_box(s, seed).min, draw_class(seed, kinds));
    }
    cr_assert_eq(wend_edit_publish(edit, NULL), WEND_OK);
}

/* ---- worlds of any size ---- */

static const wend_cell sizes[] = {{1, 1, 1},   {16, 16, 16}, {17, 5, 33},  {15, 47, 18}, {40, 3, 20},
                                  {33, 33, 1}, {1, 40, 17},  {48, 32, 16}, {20, 20, 20}};
enum { SIZES = sizeof sizes / sizeof *sizes };

Test(map_voxels, hold_what_batches_wrote_cell_by_cell) {
    uint64_t seed = 11;
    for (int i = 0; i < SIZES; i++)
        for (int corners = 0; corners < 3; corners++) {
            wend_map_rules rules = rules_of((const int32_t[]){6, 18, 26, 0}[draw(&seed, 4)], corners);
            OWNED(space_free) space s = space_create(sizes[i].x, sizes[i].y, sizes[i].z, &rules);
            OWNED_MAP *map = space_map(&s, NULL);
            space_check(&s, map);
            for (int n = 0; n < 6; n += few_or_many(2, 1)) {
                batch(&s, map, &seed, n < 3 ? 2 : 6);
                space_check(&s, map);
            }
        }
}

Test(map_voxels, fork_and_go_their_own_ways) {
    uint64_t seed = 12;
    OWNED(space_free) space s = space_create(35, 20, 19, NULL), other = space_create(35, 20, 19, NULL);
    wend_map *map = space_map(&s, NULL), *fork;
    batch(&s, map, &seed, 4);
    for (int n = 0; n < 5; n++) {
        cr_assert_eq(wend_map_fork(map, &fork), WEND_OK);
        memcpy(other.classes, s.classes, space_cells(&s));
        batch(&other, fork, &seed, 6);
        space_check(&s, map);
        batch(&s, map, &seed, 2);
        space_check(&other, fork);
        space_check(&s, map);
        wend_map_release(fork);
    }
    wend_map_release(map);
}

Test(map_voxels, follow_new_rules_of_what_is_open) {
    uint64_t seed = 13;
    OWNED(space_free) space s = space_create(35, 20, 19, NULL);
    OWNED_MAP *map = space_map(&s, NULL);
    for (int n = 0; n < 8; n++) {
        batch(&s, map, &seed, n & 1 ? 2 : 6);
        s.rules = rules_of(26, n % 3);
        for (int class = 0; class < 8; class++) s.rules.factors[class] = (uint8_t)draw(&seed, 3);
        cr_assert_eq(wend_map_set_rules(map, &s.rules), WEND_OK);
        space_check(&s, map);
    }
}

/* A discarded batch, which wrote in chunks that it had made its own, leaves nothing. */
Test(map_voxels, forget_a_discarded_batch) {
    uint64_t seed = 14;
    OWNED(space_free) space s = space_create(20, 20, 20, NULL);
    OWNED_MAP *map = space_map(&s, NULL);
    batch(&s, map, &seed, 6);
    uint64_t bytes = map_bytes(map);
    wend_edit *edit = begin_edit(map);
    cr_assert_eq(wend_edit_fill_box(edit, (wend_box){{3, 3, 3}, {18, 19, 16}}, 7), WEND_OK);
    wend_edit_discard(edit);
    cr_assert_eq(map_bytes(map), bytes);
    space_check(&s, map);
}

/* Blocks of chunks are shared on an empty map: the rim lies elsewhere in each. */
Test(map_voxels, end_at_their_rim_whatever_its_place_in_a_block) {
    static const wend_cell big[] = {{17, 263, 35}, {270, 33, 20}, {3, 530, 2}, {256, 256, 3}, {24, 19, 530}};
    for (size_t i = 0; i < sizeof big / sizeof *big; i++) {
        wend_map_rules rules = rules_of(26, WEND_CORNERS_ONE);
        OWNED(space_free) space s = space_create(big[i].x, big[i].y, big[i].z, &rules);
        OWNED_MAP *map = space_map(&s, NULL);
        space_check(&s, map);
    }
}

/* ---- a box's limits ---- */

Test(map_voxels, take_boxes_on_the_map_only) {
    OWNED(space_free) space s = space_create(20, 18, 17, NULL);
    OWNED_MAP *map = space_map(&s, NULL);
    wend_edit *edit;
    uint8_t class, out[64];
    const wend_box good = {{19, 17, 16}, {19, 17, 16}};
    const wend_box off[] = {{{0, 0, 0}, {0, 0, 17}}, {{0, 0, 0}, {0, 18, 0}}, {{0, 0, 0}, {20, 0, 0}},
                            {{0, 0, -1}, {0, 0, 0}}, {{0, -1, 0}, {0, 0, 0}}, {{-1, 0, 0}, {0, 0, 0}}};
    cr_assert_eq(wend_map_get_terrain_box(map, good, out, 1), WEND_OK);
    cr_assert_eq(wend_map_get_terrain(map, good.min, &class), WEND_OK);
    for (int i = 0; i < 6; i++) {
        cr_assert_eq(wend_map_get_terrain_box(map, off[i], out, 64), WEND_OUT_OF_RANGE);
        cr_assert_eq(wend_edit_begin(map, &edit), WEND_OK);
        cr_assert_eq(wend_edit_fill_box(edit, off[i], 0), WEND_OUT_OF_RANGE);
        cr_assert_eq(wend_edit_publish(edit, NULL), WEND_OUT_OF_RANGE);
    }
    cr_assert_eq(wend_map_get_terrain(map, in3(0, 0, 17), &class), WEND_OUT_OF_RANGE);
    cr_assert_eq(wend_map_get_terrain_box(map, (wend_box){{0, 0, 3}, {0, 0, 2}}, out, 64), WEND_BAD_ARGUMENT);
    cr_assert_eq(wend_map_get_terrain_box(map, (wend_box){{0, 0, 0}, {3, 0, 0}}, out, 3), WEND_BAD_ARGUMENT);
    cr_assert_eq(wend_edit_begin(map, &edit), WEND_OK);
    cr_assert_eq(wend_edit_set_box(edit, (wend_box){{0, 0, 0}, {3, 0, 0}}, out, 3), WEND_BAD_ARGUMENT);
    wend_edit_discard(edit);
}

/* ---- steps ---- */

/* All that may be around a cell, where it matters: random worlds, from nearly empty to nearly full. */
Test(map_voxels, allow_the_steps_that_the_corner_rules_say) {
    uint64_t seed = 21;
    for (int32_t corners = 0; corners < 3; corners++)
        for (int i = 0; i < 3; i++)
            for (uint32_t open = 1; open < 10; open += 2) {
                wend_map_rules rules = rules_of((const int32_t[]){6, 18, 26}[i], corners);
                OWNED(space_free) space s = space_create(19, 18, 17, &rules);
                for (size_t n = 0; n < space_cells(&s); n++) s.classes[n] = draw(&seed, 10) < open;
                OWNED_MAP *map = space_map_written(&s);
                space_check(&s, map);
            }
}

/* A step in space, by hand: from (0, 0, 0) to (1, 1, 1), with each of the 64 patterns of the six cells between. */
Test(map_voxels, s7_judge_a_step_in_space_by_all_patterns_between) {
    static const wend_cell between[6] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {1, 1, 0}, {1, 0, 1}, {0, 1, 1}};
    static const unsigned ways[6] = {1 | 8, 1 | 16, 2 | 8, 2 | 32, 4 | 16, 4 | 32}; /* x, then y; x, then z; ... */
    for (int32_t corners = 0; corners < 3; corners++)
        for (unsigned pattern = 0; pattern < 64; pattern++) {
            wend_map_rules rules = rules_of(26, corners);
            OWNED(space_free) space s = space_create(2, 2, 2, &rules);
            bool some = false;
            for (unsigned i = 0; i < 6; i++) {
                *space_at(&s, between[i]) = pattern >> i & 1;
                some = some || (pattern & ways[i]) == ways[i];
            }
            bool expected = corners == WEND_CORNERS_ALWAYS || (corners == WEND_CORNERS_ONE ? some : pattern == 63);
            OWNED_MAP *map = space_map_written(&s);
            OWNED_VERSION *v = wend__map_acquire(map, false);
            cr_assert_eq(wend__voxel_steps(v, in3(0, 0, 0)) >> 25 & 1, expected, "pattern %02x", pattern);
            cr_assert_eq(wend__voxel_steps(v, in3(1, 1, 1)) >> 18 & 1, expected, "pattern %02x, back", pattern);
        }
}

Test(map_voxels, have_directions_straight_first_then_flat_then_in_space) {
    for (int d = 0; d < 26; d++) {
        int axes = abs(wend__sx[d]) + abs(wend__sy[d]) + abs(wend__sz[d]);
        cr_assert_eq(axes, d < WEND__SPACE_FLAT ? 1 : d < WEND__SPACE_SPACE ? 2 : 3);
        for (int e = 0; e < d; e++)
            cr_assert(wend__sx[d] != wend__sx[e] || wend__sy[d] != wend__sy[e] || wend__sz[d] != wend__sz[e]);
    }
    for (uint32_t local = 0; local < 4096; local++) {
        uint32_t x = local & 15, y = local >> 4 & 15, z = local >> 8;
        bool inside = x > 0 && x < 15 && y > 0 && y < 15 && z > 0 && z < 15;
        cr_assert_eq(wend__voxel_inside(local), inside);
    }
}

/* ---- memory ---- */

static uint64_t empty_bytes(int32_t width, int32_t height, int32_t depth) {
    wend_map_def def = default_map();
    def.kind = WEND_KIND_VOXEL, def.width = width, def.height = height, def.depth = depth;
    OWNED_MAP *map = made_map(&def);
    uint64_t bytes = map_bytes(map);
    return bytes;
}

Test(map_voxels, cost_next_to_nothing_while_empty) {
    cr_assert_lt(empty_bytes(1024, 1024, 1024), 1000u * 1000);
    cr_assert_lt(empty_bytes(65536, 256, 256), 10u * 1000 * 1000);
}

/* Where the rim cuts chunks it lies elsewhere in each block, and still few are unlike. */
Test(map_voxels, share_their_blocks_while_empty) {
    wend_map_def def = default_map();
    def.kind = WEND_KIND_VOXEL, def.width = def.height = def.depth = 1000;
    OWNED_MAP *map = made_map(&def);
    OWNED_VERSION *v = wend__map_acquire(map, false);
    size_t blocks = wend__version_blocks(v), unlike = 0;
    for (size_t i = 0; i < blocks; i++) {
        bool first = true;
        for (size_t k = 0; k < i && first; k++) first = v->blocks[k] != v->blocks[i];
        unlike += first;
    }
    cr_assert(unlike > 4 && unlike < 50, "%zu blocks", unlike);
}

Test(map_voxels, cost_a_few_bytes_a_solid_chunk) {
    wend_map_def def = default_map();
    def.kind = WEND_KIND_VOXEL, def.width = def.height = def.depth = 512;
    OWNED_MAP *map = made_map(&def);
    IN_BATCH(map, cr_assert_eq(wend_edit_fill_box(edit, (wend_box){{0, 0, 0}, {511, 511, 511}}, 0), WEND_OK));
    wend__version *v = wend__map_acquire(map, false);
    cr_assert_eq(v->max_factor, 0);
    wend__map_release(v, false);
    cr_assert_lt(map_ground_bytes(map) / (32 * 32 * 32), 64u);
}

/* Chunks with open and blocked cells keep both in their terrain, in or out of the rim. */
Test(map_voxels, have_their_open_bits_and_terrain_in_one) {
    OWNED(space_free) space s = space_create(40, 40, 40, NULL);
    uint64_t seed = 32;
    for (size_t i = 0; i < space_cells(&s); i++) s.classes[i] = draw(&seed, 5) != 0;
    OWNED_MAP *map = space_map_written(&s);
    wend__version *v = wend__map_acquire(map, false);
    for (int32_t row = 0; row < v->chunk_rows; row++)
        for (int32_t column = 0; column < v->chunk_columns; column++) {
            const wend__chunk *chunk = wend__version_chunk(v, column, row);
            cr_assert(chunk->bits && chunk->open == chunk->bits);
        }
    wend__map_release(v, false);
    space_check(&s, map);
}

/* A chunk that the rim cuts, written to and then made one class again, in every way. */
Test(map_voxels, give_memory_back_when_chunks_become_uniform_again) {
    OWNED(space_free) space s = space_create(20, 20, 20, NULL);
    OWNED_MAP *map = space_map(&s, NULL);
    uint64_t seed = 31;
    for (int way = 0; way < 4; way++) {
        const wend_box all = {{0, 0, 0}, {19, 19, 19}};
        wend_edit *edit = begin_edit(map);
        write(&s, edit, all, &seed, way & 1 ? 2 : 6);
        cr_assert_eq(wend_edit_publish(edit, NULL), WEND_OK);
        cr_assert_eq(wend_edit_begin(map, &edit), WEND_OK);
        if (way < 2) fill(&s, edit, all, 0);
        for (int32_t i = 0; way >= 2 && i < 8000; i++) set(&s, edit, in3(i % 20, i / 20 % 20, i / 400), 0);
        cr_assert_eq(wend_edit_publish(edit, NULL), WEND_OK);
        space_check(&s, map); /* no planes nor bits: forms are checked */
    }
}

/* ---- running out of memory ---- */

static wend_error change(wend_map *map) {
    uint8_t noise[20 * 20 * 9];
    uint64_t seed = 5;
    wend_edit *edit;
    for (size_t i = 0; i < sizeof noise; i++) noise[i] = (uint8_t)draw(&seed, 3);
    wend_error error = wend_edit_begin(map, &edit);
    if (error) return error;
    int32_t first = wend_edit_fill_box(edit, (wend_box){{3, 3, 3}, {280, 15, 19}}, 0);
    int32_t second = wend_edit_set_box(edit, (wend_box){{270, 0, 10}, {289, 19, 18}}, noise, 20);
    int32_t third = wend_edit_set_cell(edit, in3(299, 19, 19), 1);
    if (first) cr_assert_eq(second, first);
    if (second) cr_assert_eq(third, second);
    return wend_edit_publish(edit, NULL);
}

static wend_error change_rules(wend_map *map) {
    wend_map_rules rules = default_rules();
    rules.factors[1] = 0, rules.factors[0] = 3, rules.factors[2] = 8;
    return wend_map_set_rules(map, &rules);
}

static void read_into(space *s, wend_map *map) {
    wend_map_rules info_rules = rules_now(map);
    s->rules = info_rules;
    cr_assert_eq(wend_map_get_terrain_box(map, (wend_box){{0, 0, 0}, {299, 19, 19}}, s->classes, 300), WEND_OK);
}

static size_t fail_each(int32_t (*act)(wend_map *map), bool edited_before, bool for_good) {
    counting c = {0};
    wend_allocator allocator = counting_allocator(&c);
    space s = space_create(300, 20, 20, NULL);
    wend_map *map = space_map(&s, &allocator);
    if (edited_before) cr_assert_eq(change(map), WEND_OK);
    read_into(&s, map);
    uint64_t bytes = map_bytes(map), epoch = map_epoch(map);
    size_t failures = 0;
    const size_t next = (size_t)few_or_many(15, 1);
    for (size_t n = 1;; n += next, failures += next) {
        c.calls = 0, c.fail_at = for_good ? 0 : n, c.fail_from = for_good ? n : 0;
        wend_error error = act(map);
        c.fail_at = c.fail_from = 0;
        if (!error) break;
        cr_assert_eq(error, WEND_OUT_OF_MEMORY);
        cr_assert_eq(map_bytes(map), bytes);
        cr_assert_eq(c.bytes, bytes);
        cr_assert_eq(map_epoch(map), epoch);
        if (n / next % 8 == 0) space_check(&s, map);
    }
    read_into(&s, map);
    space_check(&s, map);
    wend_map_release(map);
    cr_assert_eq(c.blocks, 0u);
    space_free(&s);
    return failures;
}

Test(map_voxels, an_edit_changes_nothing_when_any_allocation_fails) {
    cr_assert_gt(fail_each(change, false, false), 20u);
    cr_assert_gt(fail_each(change, false, true), 20u);
}

Test(map_voxels, new_rules_change_nothing_when_any_allocation_fails) {
    cr_assert_gt(fail_each(change_rules, true, false), 5u);
    cr_assert_gt(fail_each(change_rules, true, true), 5u);
}

Test(map_voxels, creation_leaves_nothing_when_any_allocation_fails) {
    for (size_t n = 1;; n++) {
        counting c = {.fail_at = n};
        wend_map_def def = default_map();
        wend_map *map = NULL;
        def.kind = WEND_KIND_VOXEL, def.width = 300, def.height = 40, def.depth = 20;
        def.allocator = counting_allocator(&c);
        wend_error error = wend_map_create(&def, &map);
        if (!error) wend_map_release(map);
        cr_assert_eq(c.blocks, 0u);
        if (!error) break;
        cr_assert_eq(error, WEND_OUT_OF_MEMORY);
    }
}
