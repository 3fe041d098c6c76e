/* SPDX-License-Identifier: MIT */
/* Components of voxel maps, against flooding a plain model. */
#include "models/few_or_many.h"
#include "map/map_support.h"

#include "map/components/components.h"
#include "map/components/labels.h"
#include "map/query/step_cost.h"
#include "map/store/directions.h"
#include "map/store/map_layout.h"
#include "map/version/version.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <wend/ways.h>

typedef struct space {
    int32_t width, height, depth;
    wend_map_rules rules;
    uint8_t *classes;
    uint32_t *closed; ///< bit d: the step in direction d is
} space;

static size_t cells_of(const space *s) {
    return (size_t)s->width * (size_t)s->height * (size_t)s->depth;
}

static wend_cell cell_at(const space *s, size_t i) {
    size_t row = i / (size_t)s->width;
    return (wend_cell){(int32_t)(i % (size_t)s->width), (int32_t)(row % (size_t)s->height),
                       (int32_t)(row / (size_t)s->height)};
}

static size_t index_of(const space *s, wend_cell c) {
    return ((size_t)c.z * (size_t)s->height + (size_t)c.y) * (size_t)s->width + (size_t)c.x;
}

static space space_create(int32_t width, int32_t height, int32_t depth, int32_t neighbours, int32_t corners) {
    space s = {.width = width, .height = height, .depth = depth, .rules = default_rules()};
    s.rules.neighbours = neighbours, s.rules.corners = corners, s.classes = malloc(cells_of(&s));
    s.closed = calloc(cells_of(&s), sizeof *s.closed);
    memset(s.classes, WEND_CLASS_OPEN, cells_of(&s));
    return s;
}

static space space_copy(const space *from) {
    space s = space_create(from->width, from->height, from->depth, from->rules.neighbours, from->rules.corners);
    s.rules = from->rules;
    memcpy(s.classes, from->classes, cells_of(&s));
    memcpy(s.closed, from->closed, cells_of(&s) * sizeof *s.closed);
    return s;
}

static void space_free(space *s) {
    free(s->classes);
    free(s->closed);
}

static wend_map *map_of_space(const space *s, counting *counts) {
    wend_map_def def = default_map();
    def.kind = WEND_KIND_VOXEL, def.width = s->width, def.height = s->height, def.depth = s->depth;
    def.rules = &s->rules;
    if (counts) def.allocator = counting_allocator(counts);
    return made_map(&def);
}

static bool is_open(const space *s, size_t i) {
    return s->rules.factors[s->classes[i]] != 0;
}

static unsigned back(unsigned d) {
    unsigned e = 0;
    while (wend__sx[e] != -wend__sx[d] || wend__sy[e] != -wend__sy[d] || wend__sz[e] != -wend__sz[d]) e++;
    return e;
}

static bool inside(const space *s, wend_cell c) {
    return c.x >= 0 && c.y >= 0 && c.z >= 0 && c.x < s->width && c.y < s->height && c.z < s->depth;
}

/* A component for each open cell, from 1 on. */
static uint32_t flood(const space *s, uint32_t *of) {
    size_t *todo = malloc(cells_of(s) * sizeof *todo), count = 0;
    unsigned directions = s->rules.corners == WEND_CORNERS_ALWAYS ? (unsigned)s->rules.neighbours : 6;
    uint32_t components = 0;
    memset(of, 0, cells_of(s) * sizeof *of);
    for (size_t i = 0; i < cells_of(s); i++) {
        if (of[i] || !is_open(s, i)) continue;
        of[i] = ++components;
        todo[count++] = i;
        while (count) {
            size_t from = todo[--count];
            wend_cell c = cell_at(s, from);
            for (unsigned d = 0; d < directions; d++) {
                wend_cell n = {c.x + wend__sx[d], c.y + wend__sy[d], c.z + wend__sz[d]};
                if (!inside(s, n)) continue;
                size_t to = index_of(s, n);
                if (of[to] || !is_open(s, to)) continue;
                if (s->closed[from] >> d & 1 && s->closed[to] >> back(d) & 1) continue;
                of[to] = components;
                todo[count++] = to;
            }
        }
    }
    free(todo);
    return components;
}

static int by_value(const void *a, const void *b) {
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

/* Each component has a number of its own, the same in all its cells. */
static void check_version(const space *s, const wend__version *v) {
    uint32_t *of = malloc(cells_of(s) * sizeof *of), components = flood(s, of);
    uint64_t *numbers = malloc((components + (size_t)1) * sizeof *numbers);
    memset(numbers, 0xFF, (components + (size_t)1) * sizeof *numbers);
    cr_assert_eq(wend__version_components(v), components);
    for (size_t i = 0; i < cells_of(s); i++) {
        if (!of[i]) continue;
        uint64_t number = wend__component_of(v, cell_at(s, i));
        if (numbers[of[i]] == UINT64_MAX) numbers[of[i]] = number;
        cr_assert_eq(numbers[of[i]], number, "cell %zu of %d x %d x %d", i, s->width, s->height, s->depth);
    }
    qsort(numbers + 1, components, sizeof *numbers, by_value);
    for (uint32_t i = 1; i < components; i++) cr_assert_lt(numbers[i], numbers[i + 1]);
    free(numbers);
    free(of);
}

static void check_map(const space *s, wend_map *map) {
    OWNED_VERSION *v = wend__map_acquire(map, false);
    check_version(s, v);
}

static wend_cell any_cell(const space *s, uint64_t *seed) {
    return (wend_cell){(int32_t)draw(seed, (uint32_t)s->width), (int32_t)draw(seed, (uint32_t)s->height),
                       (int32_t)draw(seed, (uint32_t)s->depth)};
}

static void set(space *s, wend_edit *edit, wend_cell c, uint8_t class) {
    s->classes[index_of(s, c)] = class;
    wend_edit_set_cell(edit, c, class);
}

static void fill_any(space *s, wend_edit *edit, uint64_t *seed, uint8_t class) {
    wend_cell a = any_cell(s, seed), b = any_cell(s, seed), c;
    wend_box box = {{a.x < b.x ? a.x : b.x, a.y < b.y ? a.y : b.y, a.z < b.z ? a.z : b.z},
                    {a.x < b.x ? b.x : a.x, a.y < b.y ? b.y : a.y, a.z < b.z ? b.z : a.z}};
    switch (draw(seed, 3)) { /* a wall */
    case 0: box.max.x = box.min.x; break;
    case 1: box.max.y = box.min.y; break;
    default: box.max.z = box.min.z;
    }
    wend_edit_fill_box(edit, box, class);
    for (c.z = box.min.z; c.z <= box.max.z; c.z++)
        for (c.y = box.min.y; c.y <= box.max.y; c.y++)
            for (c.x = box.min.x; c.x <= box.max.x; c.x++) s->classes[index_of(s, c)] = class;
}

static void close_any(space *s, wend_edit *edit, uint64_t *seed) {
    wend_cell from = any_cell(s, seed);
    unsigned d = draw(seed, (uint32_t)s->rules.neighbours);
    wend_cell to = {from.x + wend__sx[d], from.y + wend__sy[d], from.z + wend__sz[d]};
    if (!inside(s, to)) return;
    bool open = draw(seed, 4) == 0;
    uint32_t *there = &s->closed[index_of(s, from)], *back_again = &s->closed[index_of(s, to)];
    *there = open ? *there & ~(1u << d) : *there | 1u << d;
    wend_edit_set_step(edit, from, to, open);
    if (draw(seed, 3) == 0) return;
    *back_again = open ? *back_again & ~(1u << back(d)) : *back_again | 1u << back(d);
    wend_edit_set_step(edit, to, from, open);
}

static void noise(space *s, wend_edit *edit, uint64_t *seed, uint32_t percent) {
    for (size_t i = 0; i < cells_of(s); i++) s->classes[i] = draw(seed, 100) >= percent;
    wend_box all = {{0, 0, 0}, {s->width - 1, s->height - 1, s->depth - 1}};
    cr_assert_eq(wend_edit_set_box(edit, all, s->classes, (size_t)s->width), WEND_OK);
}

/* A batch of one sort or another. */
static void change(space *s, wend_edit *edit, uint64_t *seed, bool steps) {
    switch (draw(seed, steps ? 6 : 4)) {
    case 0: set(s, edit, any_cell(s, seed), (uint8_t)draw(seed, 3)); break;
    case 1: fill_any(s, edit, seed, (uint8_t)draw(seed, 2)); break;
    case 2:
        for (int i = 0; i < 40; i++) set(s, edit, any_cell(s, seed), (uint8_t)draw(seed, 3));
        break;
    case 3: fill_any(s, edit, seed, 0), fill_any(s, edit, seed, 0), fill_any(s, edit, seed, 1); break;
    default:
        for (int i = 0; i < 300; i++) close_any(s, edit, seed);
    }
}

/* What would_disconnect says before is what reachable says after. */
static void check_questions(const space *s, wend_map *map, wend_edit *edit, uint64_t *seed) {
    enum { PAIRS = 4 };
    wend_cell a[PAIRS], b[PAIRS];
    bool before[PAIRS], parts[PAIRS], after;
    for (int i = 0; i < PAIRS; i++) {
        a[i] = any_cell(s, seed), b[i] = any_cell(s, seed);
        cr_assert_eq(wend_map_reachable(map, 0, a[i], b[i], &before[i]), WEND_OK);
        cr_assert_eq(wend_edit_would_disconnect(edit, 0, a[i], b[i], &parts[i]), WEND_OK);
    }
    cr_assert_eq(wend_edit_publish(edit, NULL), WEND_OK);
    for (int i = 0; i < PAIRS; i++) {
        cr_assert_eq(wend_map_reachable(map, 0, a[i], b[i], &after), WEND_OK);
        cr_assert_eq(parts[i], before[i] && !after);
    }
}

static void many_batches(int32_t width, int32_t height, int32_t depth, int32_t neighbours, int32_t corners,
                         uint64_t seed, bool steps) {
    counting counts = {0};
    space s = space_create(width, height, depth, neighbours, corners), forked = space_copy(&s);
    wend_map *map = map_of_space(&s, &counts), *fork = NULL;
    check_map(&s, map);
    for (int i = 0; i < 24; i++) {
        wend_edit *edit = begin_edit(map);
        if (i == 3) noise(&s, edit, &seed, 35 + draw(&seed, 40));
        if (i == 12) noise(&s, edit, &seed, 20);
        change(&s, edit, &seed, steps);
        check_questions(&s, map, edit, &seed);
        check_map(&s, map);
        if (i == 8) {
            cr_assert_eq(wend_map_fork(map, &fork), WEND_OK);
            space_free(&forked);
            forked = space_copy(&s);
        }
        if (i > 8 && i % 3 == 0) {
            edit = begin_edit(fork);
            change(&forked, edit, &seed, steps);
            cr_assert_eq(wend_edit_publish(edit, NULL), WEND_OK);
            check_map(&forked, fork);
        }
    }
    check_map(&s, map);
    wend_map_release(map);
    check_map(&forked, fork);
    wend_map_release(fork);
    cr_assert_eq(counts.blocks, 0u);
    space_free(&s);
    space_free(&forked);
}

static const int32_t rules_of[][2] = {{6, WEND_CORNERS_NEVER},   {18, WEND_CORNERS_NEVER}, {26, WEND_CORNERS_NEVER},
                                      {18, WEND_CORNERS_ONE},    {26, WEND_CORNERS_ONE},   {6, WEND_CORNERS_ALWAYS},
                                      {18, WEND_CORNERS_ALWAYS}, {26, WEND_CORNERS_ALWAYS}};

static const int32_t sizes[][3] = {{1, 1, 1},   {16, 16, 16}, {17, 15, 33}, {33, 5, 40},
                                   {50, 37, 3}, {260, 3, 2},  {3, 270, 5},  {3, 20, 290}};

/* Each size under each set of rules, with steps or without. */
static void all_sizes(bool steps) {
    const size_t next = (size_t)few_or_many(8, 2);
    for (size_t r = 0; r < sizeof rules_of / sizeof *rules_of; r++)
        for (size_t i = (r + steps) % next; i < sizeof sizes / sizeof *sizes; i += next)
            many_batches(sizes[i][0], sizes[i][1], sizes[i][2], rules_of[r][0], rules_of[r][1], 100 * r + i, steps);
}

Test(map_regions, are_those_of_a_flood_in_random_worlds_through_many_batches) {
    all_sizes(false);
}

Test(map_regions, are_parted_by_steps_closed_both_ways_only) {
    all_sizes(true);
}

/* Builds a wall, or a hole in it, at `sevenths` / 7 of the map's longest axis. */
static void wall_off(space *s, wend_edit *edit, int32_t sevenths, bool hole) {
    wend_cell at = {s->width / 2, s->height / 2, s->depth / 2}, c;
    wend_box box = {{0, 0, 0}, {s->width - 1, s->height - 1, s->depth - 1}};
    if (s->width >= s->height && s->width >= s->depth)
        at.x = box.min.x = box.max.x = s->width * sevenths / 7;
    else if (s->height >= s->depth)
        at.y = box.min.y = box.max.y = s->height * sevenths / 7;
    else
        at.z = box.min.z = box.max.z = s->depth * sevenths / 7;
    if (hole) {
        set(s, edit, at, WEND_CLASS_OPEN);
        return;
    }
    cr_assert_eq(wend_edit_fill_box(edit, box, WEND_CLASS_BLOCKED), WEND_OK);
    for (c.z = box.min.z; c.z <= box.max.z; c.z++)
        for (c.y = box.min.y; c.y <= box.max.y; c.y++)
            for (c.x = box.min.x; c.x <= box.max.x; c.x++) s->classes[index_of(s, c)] = WEND_CLASS_BLOCKED;
}

/* Layers that end with a block, inside one, right behind one, and several to a block; whole chunks and cut ones. */
Test(map_regions, of_open_blocks_are_one_in_each_layer) {
    static const int32_t worlds[][3] = {{272, 16, 40}, {20, 256, 35}, {20, 272, 50}, {33, 270, 33}, {300, 1, 300},
                                        {1, 280, 40},  {5, 272, 64},  {40, 100, 60}, {3, 3, 600},   {33, 240, 40}};
    for (size_t w = 0; w < sizeof worlds / sizeof *worlds; w += (size_t)few_or_many(5, 1)) {
        const int32_t *size = worlds[w];
        OWNED(space_free)
        space s = space_create(size[0], size[1], size[2], 26, w % 2 ? WEND_CORNERS_ALWAYS : WEND_CORNERS_NEVER);
        OWNED_MAP *map = map_of_space(&s, NULL);
        check_map(&s, map);
        uint64_t seed = w;
        for (int i = 0; i < 7; i++) {
            wend_edit *edit = begin_edit(map);
            if (i == 0 || i == 3) wall_off(&s, edit, 6, i == 3);
            if (i == 1) set(&s, edit, any_cell(&s, &seed), 0);
            if (i == 2 || i == 4) fill_any(&s, edit, &seed, i == 4);
            if (i == 5) { /* as it was in the beginning */
                memset(s.classes, WEND_CLASS_OPEN, cells_of(&s));
                wend_box all = {{0, 0, 0}, {s.width - 1, s.height - 1, s.depth - 1}};
                cr_assert_eq(wend_edit_fill_box(edit, all, WEND_CLASS_OPEN), WEND_OK);
            }
            if (i == 6) wall_off(&s, edit, 3, false);
            cr_assert_eq(wend_edit_publish(edit, NULL), WEND_OK);
            check_map(&s, map);
        }
    }
}

/* The sides of a block change with the first cells of the next one. */
Test(map_regions, end_where_a_line_is_cut_at_the_side_of_any_chunk) {
    for (int axis = 0; axis < 3; axis++) {
        OWNED(space_free)
        space s = space_create(axis == 0 ? 600 : 1, axis == 1 ? 600 : 1, axis == 2 ? 600 : 1, 26, WEND_CORNERS_ALWAYS);
        OWNED_MAP *map = map_of_space(&s, NULL);
        for (int32_t i = 15; i < 599; i += i % 16 == 15 ? 1 : 15)
            for (int open = 0; open <= 1; open++) {
                IN_BATCH(map, set(&s, edit, (wend_cell){axis == 0 ? i : 0, axis == 1 ? i : 0, axis == 2 ? i : 0},
                                  (uint8_t)open));
                check_map(&s, map);
            }
    }
}

/* Two rods to the east that end at the side of a chunk, and one behind it that goes on with the first or the second: as
 * many regions touch, as often. */
Test(map_regions, touch_others_as_often_as_before) {
    OWNED(space_free) space s = space_create(32, 16, 16, 6, WEND_CORNERS_NEVER);
    memset(s.classes, WEND_CLASS_BLOCKED, cells_of(&s));
    OWNED_MAP *map = map_of_space(&s, NULL);
    const wend_box all = {{0, 0, 0}, {31, 15, 15}};
    IN_BATCH(map, cr_assert_eq(wend_edit_fill_box(edit, all, WEND_CLASS_BLOCKED), WEND_OK));
    for (int32_t x = 0; x < 32; x++) IN_BATCH(map, set(&s, edit, (wend_cell){x, 2, 2}, WEND_CLASS_OPEN));
    for (int32_t x = 0; x < 16; x++) IN_BATCH(map, set(&s, edit, (wend_cell){x, 12, 2}, WEND_CLASS_OPEN));
    check_map(&s, map);
    for (int turn = 0; turn < 4; turn++) {
        wend_edit *edit = begin_edit(map);
        for (int32_t x = 16; x < 32; x++) {
            set(&s, edit, (wend_cell){x, 2, 2}, turn % 2 ? WEND_CLASS_OPEN : WEND_CLASS_BLOCKED);
            set(&s, edit, (wend_cell){x, 12, 2}, turn % 2 ? WEND_CLASS_BLOCKED : WEND_CLASS_OPEN);
        }
        cr_assert_eq(wend_edit_publish(edit, NULL), WEND_OK);
        check_map(&s, map);
    }
}

Test(map_regions, follow_the_rules) {
    OWNED(space_free) space s = space_create(40, 40, 20, 26, WEND_CORNERS_NEVER);
    OWNED_MAP *map = map_of_space(&s, NULL);
    uint64_t seed = 3;
    IN_BATCH(map, noise(&s, edit, &seed, 80));
    for (size_t r = 0; r < sizeof rules_of / sizeof *rules_of; r++) {
        s.rules.neighbours = rules_of[r][0], s.rules.corners = rules_of[r][1];
        s.rules.factors[0] = r == 4;
        cr_assert_eq(wend_map_set_rules(map, &s.rules), WEND_OK);
        check_map(&s, map);
    }
}

Test(map_regions, are_shared_where_a_batch_changes_none) {
    OWNED(space_free) space s = space_create(64, 64, 64, 26, WEND_CORNERS_NEVER);
    OWNED_MAP *map = map_of_space(&s, NULL);
    wend_edit *edit = begin_edit(map);
    uint64_t seed = 4;
    noise(&s, edit, &seed, 20);
    cr_assert_eq(wend_edit_publish(edit, NULL), WEND_OK);
    uint64_t bytes = map_bytes(map);
    wend_map *fork = forked(map);
    cr_assert_lt(map_bytes(map) - bytes, 3000u, "a fork has no labels of its own");
    edit = begin_edit(fork);
    cr_assert_eq(wend_edit_set_cell(edit, (wend_cell){40, 40, 40}, 0), WEND_OK);
    cr_assert_eq(wend_edit_publish(edit, NULL), WEND_OK);
    cr_assert_lt(map_bytes(map) - bytes, 50000u, "two blocks and a chunk");
    wend_map_release(fork);
    cr_assert_eq(map_bytes(map), bytes);
}

Test(map_regions, of_empty_space_cost_next_to_nothing) {
    static const int32_t worlds[][4] = {
        {1024, 1024, 1024, 120}, {1000, 1000, 1000, 1000}, {65536, 65535, 1, 3000}, {255, 255, 65536, 250}};
    for (size_t i = 0; i < sizeof worlds / sizeof *worlds; i++) {
        space s = {.width = worlds[i][0], .height = worlds[i][1], .depth = worlds[i][2]};
        wend_map_rules_init(&s.rules, sizeof s.rules);
        OWNED_MAP *map = map_of_space(&s, NULL);
        wend_map_info info = info_now(map);
        cr_assert_eq(info.components, 1u);
        cr_assert_lt(info.bytes_peak, (uint64_t)worlds[i][3] * 1000, "%llu", (unsigned long long)info.bytes_peak);
    }
}

/* ---- no memory ---- */

static wend_error act(wend_map *map, space *s) {
    wend_edit *edit;
    uint64_t seed = 11;
    wend_error error = wend_edit_begin(map, &edit);
    if (error) return error;
    fill_any(s, edit, &seed, 0);
    for (int i = 0; i < 20; i++) set(s, edit, any_cell(s, &seed), 0);
    wend_edit_set_step(edit, (wend_cell){1, 1, 1}, (wend_cell){2, 1, 1}, false);
    wend_edit_set_step(edit, (wend_cell){2, 1, 1}, (wend_cell){1, 1, 1}, false);
    s->closed[index_of(s, (wend_cell){1, 1, 1})] |= 1u << WEND__E;
    s->closed[index_of(s, (wend_cell){2, 1, 1})] |= 1u << WEND__W;
    return wend_edit_publish(edit, NULL);
}

Test(map_regions, change_nothing_when_any_allocation_fails) {
    for (int for_good = 0; for_good < 2; for_good++) {
        counting c = {0};
        OWNED(space_free) space s = space_create(40, 35, 20, 26, WEND_CORNERS_ALWAYS);
        wend_map *map = map_of_space(&s, &c);
        uint64_t bytes = map_bytes(map);
        size_t failures = 0;
        for (size_t n = 1;; n++, failures++) {
            space after = space_copy(&s);
            c.calls = 0, c.fail_at = for_good ? 0 : n, c.fail_from = for_good ? n : 0;
            wend_error error = act(map, &after);
            c.fail_at = c.fail_from = 0;
            if (!error) check_map(&after, map);
            space_free(&after);
            if (!error) break;
            cr_assert_eq(error, WEND_OUT_OF_MEMORY);
            cr_assert_eq(map_bytes(map), bytes);
            if (n % (size_t)few_or_many(5, 1) == 0) check_map(&s, map); /* what is wrong stays wrong */
        }
        cr_assert_gt(failures, 30u);
        wend_map_release(map);
        cr_assert_eq(c.blocks, 0u);
    }
}
