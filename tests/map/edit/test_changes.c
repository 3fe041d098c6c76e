/* SPDX-License-Identifier: MIT */
/* The log of changes: every cell that differs lies in a box, and versions beyond its reach are reported. */
#include "models/fast.h"
#include "map/map_support.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <wend/ways.h>

enum { BOXES = WEND_MAX_CHANGES };

typedef struct answer {
    size_t count;
    wend_changes about;
    wend_box boxes[BOXES];
} answer;

static const answer *ask(const wend_map *map, uint64_t since) {
    static answer a;
    a.about.struct_bytes = sizeof a.about;
    cr_assert_eq(wend_map_changes(map, since, a.boxes, BOXES, &a.count, &a.about), WEND_OK);
    cr_assert_leq(a.count, BOXES);
    return &a;
}

static bool holds(const answer *a, wend_cell c) {
    for (size_t i = 0; i < a->count; i++) {
        const wend_box *b = &a->boxes[i];
        if (c.x >= b->min.x && c.x <= b->max.x && c.y >= b->min.y && c.y <= b->max.y && c.z >= b->min.z &&
            c.z <= b->max.z)
            return true;
    }
    return false;
}

/* No box leaves the map, or (where the publish was small) its chunk. */
static void check_boxes(const wend_map *map, const answer *a, int32_t side) {
    wend_map_info info = info_now(map);
    for (size_t i = 0; i < a->count; i++) {
        const wend_box *b = &a->boxes[i];
        cr_assert(b->min.x >= 0 && b->min.y >= 0 && b->min.z >= 0 && b->min.x <= b->max.x && b->min.y <= b->max.y);
        cr_assert(b->max.x < info.width && b->max.y < info.height && b->max.z < info.depth && b->min.z <= b->max.z);
        cr_assert_eq(b->min.x / side, b->max.x / side);
    }
}

static wend_map *kind_of_map(int kind) {
    wend_map *map;
    if (kind == WEND_KIND_GRAPH) {
        wend_graph_def def = default_graph();
        def.node_count = 10000;
        cr_assert_eq(wend_graph_create(&def, &map), WEND_OK);
        return map;
    }
    wend_map_def def = default_map();
    def.kind = kind, def.width = 100, def.height = kind == WEND_KIND_GRID ? 140 : 40;
    def.depth = kind == WEND_KIND_GRID ? 1 : 35;
    cr_assert_eq(wend_map_create(&def, &map), WEND_OK);
    return map;
}

typedef struct snapshot {
    wend_box all;
    size_t cells;
    uint8_t *classes;
} snapshot;

static snapshot take(const wend_map *map) {
    wend_map_info info = info_now(map);
    snapshot s = {.all = {{0, 0, 0}, {info.width - 1, info.height - 1, info.depth - 1}}};
    s.cells = (size_t)info.width * (size_t)info.height * (size_t)info.depth;
    s.classes = malloc(s.cells);
    cr_assert_eq(wend_map_get_terrain_box(map, s.all, s.classes, (size_t)info.width), WEND_OK);
    return s;
}

static wend_cell cell_number(const snapshot *s, size_t i) {
    const size_t width = (size_t)s->all.max.x + 1, height = (size_t)s->all.max.y + 1;
    return (wend_cell){(int32_t)(i % width), (int32_t)(i / width % height), (int32_t)(i / width / height)};
}

static wend_cell any(const snapshot *s, uint64_t *seed) {
    return cell_number(s, draw(seed, (uint32_t)s->cells));
}

static void change_classes(wend_map *map, const snapshot *s, uint64_t *seed, wend_cell ends[2]) {
    wend_edit *edit = begin_edit(map);
    for (uint32_t i = draw(seed, 6); i; i--) wend_edit_set_cell(edit, any(s, seed), (uint8_t)draw(seed, 4));
    wend_box box = {any(s, seed), {0, 0, 0}};
    box.max = box.min, box.max.x = wend__least(box.max.x + (int32_t)draw(seed, 70), s->all.max.x);
    box.max.y = wend__least(box.max.y + (int32_t)draw(seed, 9), s->all.max.y);
    box.max.z = wend__least(box.max.z + (int32_t)draw(seed, 4), s->all.max.z);
    if (draw(seed, 2)) wend_edit_fill_box(edit, box, (uint8_t)draw(seed, 4));
    do ends[0] = any(s, seed), ends[1] = any(s, seed);
    while (memcmp(&ends[0], &ends[1], sizeof ends[0]) == 0);
    wend_edit_add_link(edit, &(wend_link){ends[0], ends[1], 5, 0});
    cr_assert_eq(wend_edit_publish(edit, NULL), WEND_OK);
}

Test(map_changes, hold_each_cell_whose_class_changed_and_the_ends_of_links) {
    for (int kind = WEND_KIND_GRID; kind <= WEND_KIND_GRAPH; kind++) {
        OWNED_MAP *map = kind_of_map(kind);
        uint64_t seed = (uint64_t)kind;
        cr_assert_eq(ask(map, 0)->count, 0);
        for (int i = 0; i < 60; i++) {
            const uint64_t since = map_epoch(map);
            wend_cell ends[2][2];
            snapshot before = take(map);
            change_classes(map, &before, &seed, ends[0]);
            change_classes(map, &before, &seed, ends[1]);
            snapshot after = take(map);
            const answer *a = ask(map, since);
            cr_assert(!a->about.everything && a->about.epoch == since + 2);
            check_boxes(map, a, kind == WEND_KIND_GRID ? 64 : kind == WEND_KIND_VOXEL ? 16 : 4096);
            for (size_t c = 0; c < before.cells; c++)
                if (before.classes[c] != after.classes[c]) cr_assert(holds(a, cell_number(&before, c)));
            for (int k = 0; k < 4; k++) cr_assert(holds(a, ends[k / 2][k % 2]));
            cr_assert_eq(ask(map, since + 2)->count, 0);
            free(before.classes), free(after.classes);
        }
    }
}

static void set(wend_map *map, int32_t x, int32_t y, uint8_t class) {
    cr_assert_eq(wend_map_set_cell(map, at(x, y), class, NULL), WEND_OK);
}

Test(map_changes, hold_the_rows_that_changed_only) {
    OWNED_MAP *map = map_of_size(200, 200);
    ask(map, 0);
    set(map, 100, 70, 0);
    const answer *a = ask(map, 0);
    cr_assert(a->count == 1 && a->boxes[0].min.y == 70 && a->boxes[0].max.y == 70);
    cr_assert(a->boxes[0].min.x == 64 && a->boxes[0].max.x == 127);
    IN_BATCH(map, cr_assert_eq(wend_edit_set_step(edit, at(5, 5), at(6, 5), false), WEND_OK));
    a = ask(map, 1);
    cr_assert(a->count == 1 && holds(a, at(5, 5)) && a->boxes[0].min.y == 5 && a->boxes[0].max.y == 5);
}

Test(map_changes, of_a_large_publish_are_one_box) {
    OWNED_MAP *map = map_of_size(1500, 1500);
    ask(map, 0);
    IN_BATCH(map, wend_edit_fill_box(edit, box_of(10, 20, 1400, 1300), 0));
    const answer *a = ask(map, 0);
    cr_assert(a->count == 1 && !a->about.everything && a->boxes[0].min.y == 20 && a->boxes[0].max.y == 1300);
}

Test(map_changes, say_where_the_log_does_not_reach) {
    OWNED_MAP *map = map_of_size(100, 100), *fork = NULL;
    set(map, 1, 1, 0);
    const answer *a = ask(map, 0); /* the log begins here */
    cr_assert(a->about.everything && a->count == 1 && a->boxes[0].max.x == 99 && a->boxes[0].min.y == 0);
    cr_assert(!ask(map, 1)->about.everything);
    for (int i = 0; i < BOXES; i++) set(map, 5, 5, (uint8_t)(i & 1));
    cr_assert(!ask(map, 1)->about.everything && ask(map, 1)->count == BOXES);
    set(map, 7, 7, 0);
    cr_assert(ask(map, 1)->about.everything && !ask(map, 2)->about.everything);
    cr_assert_eq(wend_map_fork(map, &fork), WEND_OK);
    const uint64_t now = map_epoch(map);
    cr_assert(ask(fork, now - 1)->about.everything && !ask(fork, now)->about.everything);
    set(map, 8, 8, 0);
    cr_assert_eq(ask(fork, now)->count, 0);
    set(fork, 9, 9, 0);
    cr_assert(ask(fork, now)->count == 1 && holds(ask(fork, now), at(9, 9)) && !holds(ask(map, now), at(9, 9)));
}

Test(map_changes, are_everything_after_other_rules_but_no_mover) {
    OWNED_MAP *map = map_of_size(100, 100);
    wend_mover mover = default_mover();
    wend_map_rules rules = rules_now(map);
    const uint64_t revision = ask(map, 0)->about.revision;
    cr_assert(!ask(map, 0)->about.everything);
    cr_assert_eq(wend_map_set_rules(map, &rules), WEND_OK);
    cr_assert(ask(map, 0)->about.everything && ask(map, 0)->about.revision > revision);
    set(map, 1, 1, 0);
    cr_assert(ask(map, 0)->about.everything && !ask(map, 1)->about.everything);
    cr_assert_eq(wend_map_add_mover(map, &mover, NULL), WEND_OK);
    cr_assert(!ask(map, 1)->about.everything);                 /* a path of another mover stays as it is */
    cr_assert_eq(wend_map_accelerate(map, NULL), ACCELERATED); /* changes nothing that a path depends on */
    set(map, 2, 2, 0);
    cr_assert_eq(wend_map_accelerate(map, NULL), ACCELERATED);
    cr_assert(!ask(map, 2)->about.everything);
}

Test(map_changes, fit_callers_of_other_sizes_and_the_map_s_memory) {
    counting counts = {0};
    wend_map_def def = default_map();
    def.width = def.height = 50, def.allocator = counting_allocator(&counts);
    size_t count = 7;
    wend_map *map = made_map(&def);
    counts.fail_from = counts.calls + 1;
    cr_assert_eq(wend_map_changes(map, 0, NULL, 0, &count, NULL), WEND_OUT_OF_MEMORY);
    cr_assert_eq(count, 7);
    counts.fail_from = 0;
    cr_assert_eq(wend_map_changes(map, 0, NULL, 0, &count, NULL), WEND_OK);
    cr_assert_eq(count, 0);
    wend_changes about = {.struct_bytes = 4};
    cr_assert_eq(wend_map_changes(map, 0, NULL, 0, &count, &about), WEND_BAD_ARGUMENT);
    wend_map_release(map);
    cr_assert_eq(counts.bytes, 0);
}
