/* SPDX-License-Identifier: MIT */
/* Edits: the effects of a batch, its refusals, and that readers see no part of it before it is published. */
#include "map/edit/edit.h"
#include "map/version/version.h"
#include "map/map_support.h"
#include "models/few_or_many.h"

#include <criterion/criterion.h>
#include <stdlib.h>

static uint8_t class_at(const wend_map *map, int32_t x, int32_t y) {
    uint8_t class;
    cr_assert_eq(wend_map_get_terrain(map, at(x, y), &class), WEND_OK);
    return class;
}

Test(map_edit, is_private_until_published) {
    OWNED_MAP *map = map_of_size(100, 100);
    wend_edit *edit = begin_edit(map);
    cr_assert_eq(wend_edit_set_cell(edit, at(70, 5), 9), WEND_OK);
    cr_assert_eq(class_at(map, 70, 5), WEND_CLASS_OPEN);
    cr_assert_eq(map_epoch(map), 0u);
    uint64_t epoch = 77;
    cr_assert_eq(wend_edit_publish(edit, &epoch), WEND_OK);
    cr_assert_eq(epoch, 1u);
    cr_assert_eq(map_epoch(map), 1u);
    cr_assert_eq(class_at(map, 70, 5), 9);
}

Test(map_edit, leaves_older_versions_as_they_were) {
    OWNED(model_free) model before = model_create(130, 70, NULL), after = model_copy(&before);
    OWNED_MAP *map = map_of_size(130, 70);
    OWNED_VERSION *old = wend__map_acquire(map, false);
    wend_edit *edit = begin_edit(map);
    wend_edit_fill_box(edit, box_of(60, 60, 70, 69), 0);
    for (int32_t y = 60; y < 70; y++) memset(after.classes + y * 130 + 60, 0, 11);
    cr_assert_eq(wend_edit_publish(edit, NULL), WEND_OK);
    model_check(&before, old);
    model_check_map(&after, map);
    cr_assert_eq(old->epoch, 0u);
}

Test(map_edit, counts_epochs_also_of_empty_batches) {
    OWNED_MAP *map = map_of_size(3, 3);
    for (uint64_t i = 1; i <= 3; i++) {
        uint64_t epoch;
        cr_assert_eq(wend_edit_publish(begin_edit(map), &epoch), WEND_OK);
        cr_assert_eq(epoch, i);
    }
}

Test(map_edit, forgets_a_discarded_batch) {
    OWNED_MAP *map = map_of_size(100, 100);
    uint64_t bytes = map_bytes(map);
    wend_edit *edit = begin_edit(map);
    wend_edit_fill_box(edit, box_of(0, 0, 50, 50), 0);
    cr_assert_gt(map_bytes(map), bytes);
    wend_edit_discard(edit);
    cr_assert_eq(map_bytes(map), bytes);
    cr_assert_eq(map_epoch(map), 0u);
    cr_assert_eq(class_at(map, 0, 0), WEND_CLASS_OPEN);
    wend_edit_discard(begin_edit(map)); /* one may begin again */
}

Test(map_edit, keeps_one_batch_open_a_map) {
    OWNED_MAP *map = map_of_size(4, 4);
    wend_edit *edit = begin_edit(map), *other = (wend_edit *)&map;
    cr_assert_eq(wend_edit_begin(map, &other), WEND_IN_USE);
    cr_assert_eq(other, (wend_edit *)&map);
    cr_assert_eq(wend_edit_publish(edit, NULL), WEND_OK);
    cr_assert_eq(wend_edit_begin(map, &other), WEND_OK);
    wend_edit_discard(other);
}

Test(map_edit, holds_a_reference_on_its_map) {
    counting c = {0};
    wend_map_def def = default_map();
    def.width = def.height = 9, def.allocator = counting_allocator(&c);
    wend_map *map;
    for (int publish = 0; publish <= 1; publish++) {
        cr_assert_eq(wend_map_create(&def, &map), WEND_OK);
        wend_edit *edit = begin_edit(map);
        wend_map_release(map);
        cr_assert_eq(wend_edit_set_cell(edit, at(2, 2), 0), WEND_OK);
        if (publish)
            cr_assert_eq(wend_edit_publish(edit, NULL), WEND_OK);
        else
            wend_edit_discard(edit);
        cr_assert_eq(c.blocks, 0u);
    }
}

Test(map_edit, refuses_cells_off_the_map_and_keeps_its_first_error) {
    const wend_cell bad[] = {{-1, 0, 0}, {0, -1, 0},        {70, 0, 0},        {0, 66, 0},  {0, 0, 1},
                             {0, 0, -1}, {INT32_MIN, 0, 0}, {0, INT32_MAX, 0}, {127, 0, 0}, {0, 127, 0}};
    OWNED_MAP *map = map_of_size(70, 66);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        wend_edit *edit = begin_edit(map);
        cr_assert_eq(wend_edit_set_cell(edit, at(69, 65), 0), WEND_OK);
        cr_assert_eq(wend_edit_set_cell(edit, bad[i], 0), WEND_OUT_OF_RANGE);
        cr_assert_eq(wend_edit_set_cell(edit, at(0, 0), 0), WEND_OUT_OF_RANGE);
        cr_assert_eq(wend_edit_fill_box(edit, box_of(5, 5, 4, 4), 0), WEND_OUT_OF_RANGE);
        uint64_t epoch = 77;
        cr_assert_eq(wend_edit_publish(edit, &epoch), WEND_OUT_OF_RANGE);
        cr_assert_eq(epoch, 77u);
    }
    cr_assert_eq(map_epoch(map), 0u);
    cr_assert_eq(class_at(map, 69, 65), WEND_CLASS_OPEN);
}

typedef enum { FILL, WRITE, READ, WRITE_SHORT, READ_SHORT } box_call;

static wend_error call_with_box(wend_map *map, wend_box box, box_call call) {
    static uint8_t bytes[100 * 100];
    if (call == READ) return wend_map_get_terrain_box(map, box, bytes, 100);
    if (call == READ_SHORT) return wend_map_get_terrain_box(map, box, bytes, (size_t)(box.max.x - box.min.x));
    wend_edit *edit = begin_edit(map);
    wend_error error = call == FILL    ? wend_edit_fill_box(edit, box, 0)
                       : call == WRITE ? wend_edit_set_box(edit, box, bytes, 100)
                                       : wend_edit_set_box(edit, box, bytes, (size_t)(box.max.x - box.min.x));
    cr_assert_eq(wend_edit_publish(edit, NULL), error);
    return error;
}

Test(map_edit, refuses_boxes_that_are_none) {
    const wend_box backwards[] = {{{5, 5, 0}, {4, 5, 0}}, {{5, 5, 0}, {5, 4, 0}}, {{0, 0, 0}, {0, 0, -1}}};
    const wend_box outside[] = {{{-1, 0, 0}, {3, 3, 0}},
                                {{0, -1, 0}, {3, 3, 0}},
                                {{0, 0, 0}, {70, 3, 0}},
                                {{0, 0, 0}, {3, 66, 0}},
                                {{0, 0, 0}, {3, 3, 1}},
                                {{80, 80, 0}, {90, 90, 0}},
                                {{INT32_MIN, INT32_MIN, 0}, {INT32_MAX, INT32_MAX, 0}}};
    OWNED_MAP *map = map_of_size(70, 66);
    for (box_call call = FILL; call <= READ; call++) {
        for (size_t i = 0; i < sizeof backwards / sizeof *backwards; i++)
            cr_assert_eq(call_with_box(map, backwards[i], call), WEND_BAD_ARGUMENT);
        for (size_t i = 0; i < sizeof outside / sizeof *outside; i++)
            cr_assert_eq(call_with_box(map, outside[i], call), WEND_OUT_OF_RANGE);
    }
    cr_assert_eq(call_with_box(map, box_of(3, 3, 9, 9), WRITE_SHORT), WEND_BAD_ARGUMENT);
    cr_assert_eq(call_with_box(map, box_of(3, 3, 9, 9), READ_SHORT), WEND_BAD_ARGUMENT);
    cr_assert_eq(map_epoch(map), 0u);
}

Test(map_edit, writes_and_reads_boxes_with_strides) {
    enum { STRIDE = 170 };
    uint8_t in[80 * STRIDE], out[80 * STRIDE];
    uint64_t seed = 3;
    for (size_t i = 0; i < sizeof in; i++) in[i] = (uint8_t)draw(&seed, 256);
    OWNED_MAP *map = map_of_size(200, 100);
    wend_edit *edit = begin_edit(map);
    wend_box box = box_of(11, 13, 11 + 149, 13 + 79); /* across chunks both ways */
    cr_assert_eq(wend_edit_set_box(edit, box, in, STRIDE), WEND_OK);
    cr_assert_eq(wend_edit_publish(edit, NULL), WEND_OK);
    memset(out, 0xEE, sizeof out);
    cr_assert_eq(wend_map_get_terrain_box(map, box, out, STRIDE), WEND_OK);
    for (size_t i = 0; i < sizeof out; i++)
        cr_assert_eq(out[i], i % STRIDE < 150 ? in[i] : 0xEE); /* no bytes between the rows are written */
    cr_assert_eq(class_at(map, 10, 13), WEND_CLASS_OPEN);
    cr_assert_eq(class_at(map, 161, 92), WEND_CLASS_OPEN);
    cr_assert_eq(class_at(map, 160, 92), in[79 * STRIDE + 149]);
    uint8_t untouched = 5;
    cr_assert_eq(wend_map_get_terrain(map, at(200, 0), &untouched), WEND_OUT_OF_RANGE);
    cr_assert_eq(wend_map_get_terrain(map, (wend_cell){0, 0, 1}, &untouched), WEND_OUT_OF_RANGE);
    cr_assert_eq(untouched, 5);
}

Test(map_edit, reads_and_writes_one_row_whatever_the_stride) {
    uint8_t row[3] = {4, 5, 6}, out[3] = {0};
    OWNED_MAP *map = map_of_size(200, 100);
    wend_edit *edit = begin_edit(map);
    const wend_box box = box_of(63, 64, 65, 64);
    cr_assert_eq(wend_edit_set_box(edit, box, row, SIZE_MAX), WEND_OK);
    cr_assert_eq(wend_edit_publish(edit, NULL), WEND_OK);
    cr_assert_eq(wend_map_get_terrain_box(map, box, out, SIZE_MAX), WEND_OK);
    cr_assert_arr_eq(out, row, sizeof out);
}

Test(map_edit, is_published_under_a_search_that_has_the_map) {
    OWNED_MAP *map = map_of_size(50, 50);
    wend__version *pinned = wend__map_acquire(map, true);
    wend_edit *edit = begin_edit(map);
    cr_assert_eq(wend_edit_set_cell(edit, at(1, 1), 0), WEND_OK);
    uint64_t epoch = 77;
    cr_assert_eq(wend_edit_publish(edit, &epoch), WEND_OK);
    cr_assert_eq(epoch, 1u);
    cr_assert_eq(map_epoch(map), 1u);
    cr_assert_eq(class_at(map, 1, 1), 0);
    cr_assert_eq(wend__version_class(pinned, 1, 1), WEND_CLASS_OPEN); /* the pinned version keeps its contents */
    cr_assert_eq(pinned->epoch, 0u);
    cr_assert_not(wend__version_retired(pinned));
    wend__map_release(pinned, true);
}

Test(map_edit, leaves_the_epoch_at_0_for_loaders) {
    OWNED_MAP *map = map_of_size(50, 50);
    wend_edit *edit = begin_edit(map);
    cr_assert_eq(wend_edit_set_cell(edit, at(1, 1), 0), WEND_OK);
    cr_assert_eq(wend__edit_publish_first(edit), WEND_OK);
    cr_assert_eq(map_epoch(map), 0u);
    cr_assert_eq(class_at(map, 1, 1), 0);
    edit = begin_edit(map);
    cr_assert_eq(wend_edit_set_cell(edit, at(50, 1), 0), WEND_OUT_OF_RANGE);
    cr_assert_eq(wend__edit_publish_first(edit), WEND_OUT_OF_RANGE);
}

/* ---- against the model ---- */

static void random_op(uint64_t *seed, model *m, wend_edit *edit) {
    static const uint8_t classes[] = {0, 1, 1, 0, 2, 255, 254, 9};
    int32_t x0 = (int32_t)draw(seed, (uint32_t)m->width), y0 = (int32_t)draw(seed, (uint32_t)m->height);
    int32_t x1 = x0 + (int32_t)draw(seed, (uint32_t)(m->width - x0)),
            y1 = y0 + (int32_t)draw(seed, (uint32_t)(m->height - y0));
    uint8_t class = classes[draw(seed, 8)];
    uint32_t what = draw(seed, 16);
    if (what == 0) x0 = y0 = 0, x1 = m->width - 1, y1 = m->height - 1; /* all of it, and all of a chunk */
    if (what == 1) x0 &= ~63, y0 &= ~63, x1 = x0 + 63, y1 = y0 + 63;
    if (what == 1 && x1 >= m->width) x1 = m->width - 1;
    if (what == 1 && y1 >= m->height) y1 = m->height - 1;
    if (what > 5) x1 = x0, y1 = y0;
    size_t stride = (size_t)m->width;
    uint8_t *first = m->classes + (size_t)y0 * stride + (size_t)x0;
    for (int32_t y = y0; y <= y1; y++)
        for (int32_t x = x0; x <= x1; x++)
            m->classes[(size_t)y * stride + (size_t)x] = what == 2 || what == 3 ? classes[draw(seed, 8)] : class;
    wend_box box = box_of(x0, y0, x1, y1);
    wend_error error = what > 5                 ? wend_edit_set_cell(edit, box.min, class)
                       : what == 5 || what <= 1 ? wend_edit_fill_box(edit, box, class)
                                                : wend_edit_set_box(edit, box, first, stride);
    cr_assert_eq(error, WEND_OK);
}

static void random_edits(int32_t width, int32_t height, int32_t batches, uint64_t seed) {
    wend_map_rules rules = default_rules();
    rules.corners = (int32_t)(seed % 3), rules.neighbours = seed % 4 ? 8 : 4;
    OWNED(model_free) model m = model_create(width, height, &rules);
    counting c = {0};
    wend_map_def def = default_map();
    def.width = width, def.height = height, def.rules = &rules;
    def.allocator = counting_allocator(&c);
    wend_map *map = made_map(&def);
    for (int32_t i = 0; i < batches; i++) {
        OWNED(model_free) model before = model_copy(&m);
        wend__version *old = wend__map_acquire(map, false);
        IN_BATCH(map, for (uint32_t n = 1 + draw(&seed, 8); n; n--) random_op(&seed, &m, edit));
        model_check_map(&m, map);
        model_check(&before, old);
        wend__map_release(old, false);
        cr_assert_eq(map_bytes(map), c.bytes);
    }
    wend_map_release(map);
    cr_assert_eq(c.blocks, 0u);
    cr_assert_eq(c.bytes, 0u);
}

Test(map_edit, agrees_with_the_model_on_tiny_maps) {
    for (uint64_t seed = 0; seed < 12; seed++) {
        random_edits(1, 1, 50, seed);
        random_edits(1, 64, 50, seed);
        random_edits(65, 1, 50, seed);
    }
}

Test(map_edit, agrees_with_the_model_on_one_chunk) {
    for (uint64_t seed = 0; seed < 6; seed++) random_edits(64, 64, few_or_many(10, 40), seed);
}

Test(map_edit, agrees_with_the_model_on_odd_sizes) {
    const int rounds = few_or_many(8, 30);
    for (uint64_t seed = 0; seed < 6; seed++) {
        random_edits(63, 65, rounds, seed);
        random_edits(65, 129, rounds, seed);
        random_edits(200, 70, rounds, seed);
        random_edits(193, 193, rounds / 3, seed);
    }
}

Test(map_edit, agrees_with_the_model_across_blocks) {
    random_edits(1100, 70, 8, 1);
    random_edits(70, 1100, 8, 2);
    random_edits(1090, 1090, 2, 3);
}

/* ---- rare cases of random batches ---- */

Test(map_edit, of_any_cell_at_a_chunk_s_border_reaches_who_sees_it) {
    const int32_t where[] = {64, 65, 100, 126, 127};
    OWNED(model_free) model m = model_create(192, 192, NULL);
    OWNED_MAP *map = map_of_size(192, 192);
    for (int32_t i = 0; i < 25; i++)
        for (int32_t class = 0; class <= 1; class++) {
            int32_t x = where[i % 5], y = where[i / 5];
            IN_BATCH(map, cr_assert_eq(wend_edit_set_cell(edit, at(x, y), (uint8_t)class), WEND_OK));
            m.classes[y * 192 + x] = (uint8_t)class;
            model_check_map(&m, map);
        }
}

/* Only rows that were written to are scanned again, unless they held the most expensive cell. */
Test(map_edit, lowers_the_largest_factor_with_the_last_cell_that_has_it) {
    const uint8_t classes[] = {9, 5, 9, 7, 5, 1, 0, 1, 3};
    OWNED(model_free) model m = model_create(192, 192, NULL);
    OWNED_MAP *map = map_of_size(192, 192);
    for (int32_t i = 0; i < 4 * 9; i++) {
        int32_t x = 70 + i % 4,
                y = 64 + 21 * (i % 4); /* four cells of one chunk, of which one is at its southern side */
        uint8_t class = classes[i / 4 + i % 4 < 9 ? i / 4 + i % 4 : 8];
        IN_BATCH(map, cr_assert_eq(wend_edit_set_cell(edit, at(x, y), class), WEND_OK));
        m.classes[y * 192 + x] = class;
        model_check_map(&m, map);
    }
}

/* Chunks at a rim with uniform neighbours share masks, but not with chunks at the end of the map. */
static void check_rim(int32_t width, int32_t height, wend_box closed) {
    OWNED(model_free) model m = model_create(width, height, NULL);
    OWNED_MAP *map = map_of_size(width, height);
    IN_BATCH(map, wend_edit_fill_box(edit, closed, 0));
    for (int32_t y = closed.min.y; y <= closed.max.y; y++)
        for (int32_t x = closed.min.x; x <= closed.max.x; x++) m.classes[y * width + x] = 0;
    m.rules.factors[9] = 200; /* scan all chunks again, which then share equal ones */
    cr_assert_eq(wend_map_set_rules(map, &m.rules), WEND_OK);
    model_check_map(&m, map);
}

Test(map_edit, tells_a_closed_chunk_from_the_end_of_the_map) {
    check_rim(40, 500, box_of(0, 192, 39, 255));
    check_rim(500, 40, box_of(192, 0, 255, 39));
    check_rim(500, 500, box_of(192, 192, 255, 255));
    check_rim(512, 512, box_of(192, 0, 255, 511));
}

typedef struct pinner {
    wend_map *map; ///< pinned by the next allocation
    wend__version *pinned;
} pinner;

static void *pinning_alloc(void *context, size_t bytes, size_t alignment) {
    pinner *p = context;
    (void)alignment;
    if (p->map) p->pinned = wend__map_acquire(p->map, true);
    p->map = NULL;
    return malloc(bytes);
}

static void pinning_free(void *context, void *pointer, size_t bytes) {
    (void)context, (void)bytes;
    free(pointer);
}

static wend_map *pinning_map(pinner *p) {
    wend_map_def def = default_map();
    def.width = def.height = 100;
    def.allocator = (wend_allocator){.context = p, .alloc = pinning_alloc, .free = pinning_free};
    return made_map(&def);
}

Test(map_edit, is_published_where_a_search_begins_while_masks_are_derived) {
    pinner p = {0};
    OWNED_MAP *map = pinning_map(&p);
    wend_edit *edit = begin_edit(map);
    cr_assert_eq(wend_edit_set_cell(edit, at(20, 20), 0), WEND_OK);
    p.map = map;
    cr_assert_eq(wend_edit_publish(edit, NULL), WEND_OK);
    cr_assert_not_null(p.pinned);
    cr_assert_eq(class_at(map, 20, 20), 0);
    cr_assert_eq(wend__version_class(p.pinned, 20, 20), WEND_CLASS_OPEN);
    wend__map_release(p.pinned, true);
}

Test(map_edit, of_rules_is_refused_where_a_search_begins_while_masks_are_derived) {
    pinner p = {0};
    OWNED_MAP *map = pinning_map(&p);
    wend_map_rules rules = default_rules();
    rules.factors[WEND_CLASS_OPEN] = 0;
    uint64_t bytes = map_bytes(map);
    p.map = map;
    cr_assert_eq(wend_map_set_rules(map, &rules), WEND_IN_USE);
    cr_assert_not_null(p.pinned);
    cr_assert_eq(map_bytes(map), bytes);
    cr_assert_eq(wend__version_factor(p.pinned, 20, 20), 1);
    wend__map_release(p.pinned, true);
    cr_assert_eq(wend_map_set_rules(map, &rules), WEND_OK);
}
