/* SPDX-License-Identifier: MIT */
/* Components: against a flood fill over random maps and edits; sharing between versions; running out of memory. */
#include "map/map_support.h"
#include "models/few_or_many.h"

#include "map/components/components.h"
#include "map/components/labels.h"
#include "map/store/map_layout.h"
#include "map/version/version.h"

#include <criterion/criterion.h>
#include <stdlib.h>

/* ---- an independent answer ---- */

/* The number of each open cell's component, from 0; -1 where it is blocked. */
static int32_t *flood(const model *m, uint64_t *count) {
    size_t cells = (size_t)m->width * (size_t)m->height;
    int32_t *numbers = malloc(cells * sizeof *numbers), *stack = malloc(cells * sizeof *stack);
    memset(numbers, -1, cells * sizeof *numbers);
    *count = 0;
    for (int32_t seed = 0; seed < (int32_t)cells; seed++) {
        if (numbers[seed] >= 0 || !model_open(m, seed % m->width, seed / m->width)) continue;
        size_t waiting = 0;
        stack[waiting++] = seed;
        numbers[seed] = (int32_t)*count;
        while (waiting > 0) {
            int32_t here = stack[--waiting], x = here % m->width, y = here / m->width;
            for (int32_t d = 0; d < 9; d++) {
                int32_t dx = d % 3 - 1, dy = d / 3 - 1, next = here + dy * m->width + dx;
                if (!model_step(m, x, y, dx, dy) || numbers[next] >= 0) continue;
                numbers[next] = (int32_t)*count;
                stack[waiting++] = next;
            }
        }
        ++*count;
    }
    free(stack);
    return numbers;
}

static int by_bytes(const void *a, const void *b) {
    return memcmp(a, b, sizeof(wend__component));
}

static bool same(wend__component a, wend__component b) {
    return a.level == b.level && a.column == b.column && a.row == b.row && a.label == b.label;
}

/* Cells have the same component in the version exactly if they have it in the flood. */
static void check_version(const model *m, const wend__version *v) {
    uint64_t count;
    int32_t *numbers = flood(m, &count);
    wend__component *of = calloc(count + 1, sizeof *of);
    bool *known = calloc(count + 1, sizeof *known);
    cr_assert_eq(wend__version_components(v), count, "%zu components of %zu in %d x %d",
                 (size_t)wend__version_components(v), (size_t)count, (int)m->width, (int)m->height);
    for (int32_t i = 0; i < m->width * m->height; i++) {
        if (numbers[i] < 0) continue;
        wend__component here = wend__version_component(v, i % m->width, i / m->width);
        if (!known[numbers[i]]) of[numbers[i]] = here;
        known[numbers[i]] = true;
        cr_assert(same(here, of[numbers[i]]), "(%d, %d) in %d x %d is apart", (int)(i % m->width), (int)(i / m->width),
                  (int)m->width, (int)m->height);
    }
    qsort(of, count, sizeof *of, by_bytes);
    for (size_t i = 1; i < count; i++) cr_assert_not(same(of[i - 1], of[i]), "two components are one");
    free(numbers);
    free(of);
    free(known);
}

static void check_map(const model *m, wend_map *map) {
    OWNED_VERSION *v = wend__map_acquire(map, false);
    check_version(m, v);
}

/* ---- random maps and edits ---- */

enum { NOISE, SPARSE, MAZE, EMPTY, FULL, KINDS };

static void fill_model(model *m, int kind, uint64_t *seed) {
    static const uint32_t percents[] = {10, 20, 35, 41, 50, 60, 80, 95};
    uint32_t percent = kind == SPARSE ? 1 : percents[draw(seed, 8)];
    for (int32_t i = 0; i < m->width * m->height; i++) {
        int32_t x = i % m->width, y = i / m->width;
        uint8_t open = draw(seed, 10) ? 1 : (uint8_t)(1 + draw(seed, 3));
        bool post = x & y & 1, wall = ((x ^ y) & 1) && draw(seed, 2);
        bool closed = kind == MAZE ? post || wall : kind == EMPTY ? false : kind == FULL || draw(seed, 100) < percent;
        m->classes[i] = closed ? 0 : open;
    }
}

static wend_map_rules random_rules(uint64_t *seed) {
    wend_map_rules rules = default_rules();
    rules.neighbours = draw(seed, 3) ? 8 : 4, rules.corners = (int32_t)draw(seed, 3);
    return rules;
}

static void edit_box(wend_edit *edit, model *m, wend_box box, uint8_t class) {
    cr_assert_eq(wend_edit_fill_box(edit, box, class), WEND_OK);
    for (int32_t y = box.min.y; y <= box.max.y; y++)
        memset(m->classes + (size_t)y * (size_t)m->width + (size_t)box.min.x, class,
               (size_t)(box.max.x - box.min.x + 1));
}

static wend_box random_box(const model *m, uint64_t *seed) {
    int32_t x0 = (int32_t)draw(seed, (uint32_t)m->width), y0 = (int32_t)draw(seed, (uint32_t)m->height);
    int32_t x1 = (int32_t)draw(seed, (uint32_t)m->width), y1 = (int32_t)draw(seed, (uint32_t)m->height);
    return x0 < x1 ? box_of(x0, y0 < y1 ? y0 : y1, x1, y0 < y1 ? y1 : y0)
                   : box_of(x1, y0 < y1 ? y0 : y1, x0, y0 < y1 ? y1 : y0);
}

static void random_edit(wend_map *map, model *m, uint64_t *seed) {
    uint32_t cells = draw(seed, 3) ? 1 + draw(seed, 2) : 1 + draw(seed, 60);
    wend_edit *edit = begin_edit(map);
    for (uint32_t i = 0; i < cells; i++) {
        wend_box box = random_box(m, seed);
        if (draw(seed, 12)) box.max = box.min;
        edit_box(edit, m, box, (uint8_t)draw(seed, 4));
    }
    cr_assert_eq(wend_edit_publish(edit, NULL), WEND_OK);
}

static void change_rules(wend_map *map, model *m, uint64_t *seed) {
    m->rules = random_rules(seed);
    if (draw(seed, 2)) m->rules.factors[draw(seed, 4)] = (uint8_t)draw(seed, 3);
    cr_assert_eq(wend_map_set_rules(map, &m->rules), WEND_OK);
}

/* Edits, changed rules, and forks that are edited at the same time. */
static void run(int32_t width, int32_t height, int kind, int steps, uint64_t *seed) {
    wend_map_rules rules = random_rules(seed);
    OWNED(model_free) model m = model_create(width, height, &rules);
    fill_model(&m, kind, seed);
    OWNED_MAP *map = map_of(&m);
    check_map(&m, map);
    for (int i = 0; i < steps; i++) {
        OWNED_MAP *fork = NULL;
        OWNED(model_free) model other = {0};
        if (draw(seed, 8) == 0) {
            cr_assert_eq(wend_map_fork(map, &fork), WEND_OK);
            other = model_copy(&m);
            random_edit(fork, &other, seed);
        }
        if (draw(seed, 6) == 0) change_rules(map, &m, seed);
        random_edit(map, &m, seed);
        check_map(&m, map);
        if (!fork) continue;
        check_map(&other, fork);
    }
}

static void run_many(int kind, int32_t most_width, int32_t most_height, int maps, int steps) {
    uint64_t seed = (uint64_t)kind * 1000 + (uint64_t)most_width;
    for (int i = 0; i < maps; i++)
        run(1 + (int32_t)draw(&seed, (uint32_t)most_width), 1 + (int32_t)draw(&seed, (uint32_t)most_height), kind,
            steps, &seed);
}

Test(map_labels, are_those_of_a_flood_fill_in_noise) {
    run_many(NOISE, 140, 140, few_or_many(4, 40), 20);
}

Test(map_labels, are_those_of_a_flood_fill_on_nearly_open_ground) {
    run_many(SPARSE, 140, 140, few_or_many(4, 30), 20);
}

Test(map_labels, are_those_of_a_flood_fill_in_mazes) {
    run_many(MAZE, 140, 140, few_or_many(4, 40), 20);
}

Test(map_labels, are_those_of_a_flood_fill_where_all_is_open_or_blocked_at_first) {
    const int maps = few_or_many(2, 20);
    run_many(EMPTY, 200, 200, maps, 20);
    run_many(FULL, 200, 200, maps, 20);
}

Test(map_labels, are_those_of_a_flood_fill_on_maps_of_few_cells) {
    run_many(NOISE, 5, 5, 300, 10);
    run_many(NOISE, 1, 300, 20, 10);
    run_many(NOISE, 300, 1, 20, 10);
}

Test(map_labels, are_those_of_a_flood_fill_over_several_levels) {
    const int maps = few_or_many(1, 4);
    const int steps = few_or_many(4, 10);
    run_many(NOISE, 600, 400, maps, steps);
    run_many(MAZE, 600, 400, maps, steps);
    run_many(EMPTY, 1100, 300, maps, steps);
}

/* Walls, doors and the rims of chunks and of larger areas: cells that matter in their joins. */
static void run_seams(int32_t width, int32_t height, uint64_t seed) {
    wend_map_rules rules = random_rules(&seed);
    OWNED(model_free) model m = model_create(width, height, &rules);
    OWNED_MAP *map = map_of(&m);
    for (int i = 0; i < few_or_many(6, 120); i++) {
        wend_edit *edit = begin_edit(map);
        for (int j = 0; j < 40; j++) {
            int32_t along = (int32_t)draw(&seed, (uint32_t)(width > height ? height : width));
            int32_t seam = (int32_t)(1 + draw(&seed, 3)) * 64 - (int32_t)draw(&seed, 2);
            int32_t x = j % 2 ? along : seam, y = j % 2 ? seam : along;
            if (x < width && y < height) edit_box(edit, &m, box_of(x, y, x, y), (uint8_t)(draw(&seed, 5) == 0));
        }
        cr_assert_eq(wend_edit_publish(edit, NULL), WEND_OK);
        check_map(&m, map);
    }
}

Test(map_labels, are_joined_along_seams_and_across_their_corners) {
    for (uint64_t seed = 1; seed <= 4; seed++) run_seams(196, 130, seed);
    run_seams(64, 64, 5);
    run_seams(65, 129, 6);
    run_seams(256, 256, 7);
}

/* ---- pictures ---- */

static uint64_t components_of(const char *const *rows, int32_t count, int32_t neighbours, int32_t corners) {
    wend_map_rules rules = default_rules();
    rules.neighbours = neighbours, rules.corners = corners;
    OWNED(model_free) model m = model_of_text(rows, count, &rules);
    OWNED_MAP *map = map_of(&m);
    wend_map_info info = info_now(map);
    return info.components;
}

Test(map_labels, count_what_the_rules_connect) {
    const char *const picture[] = {"..#..#.", //
                                   "..#.#..", //
                                   "####.##", //
                                   ".#.####", //
                                   "#.#...."};
    cr_assert_eq(components_of(picture, 5, 8, WEND_CORNERS_NEVER), 8u);
    cr_assert_eq(components_of(picture, 5, 8, WEND_CORNERS_ONE), 8u);
    cr_assert_eq(components_of(picture, 5, 4, WEND_CORNERS_ALWAYS), 8u);
    /* The upper right three by (4, 2); the lower left three, and components to their right, by their corners. */
    cr_assert_eq(components_of(picture, 5, 8, WEND_CORNERS_ALWAYS), 3u);
}

Test(map_labels, of_a_map_without_an_open_cell_are_none) {
    OWNED_MAP *map = map_of_size(200, 100);
    wend_map_info info = info_now(map);
    cr_assert_eq(info.components, 1u);
    IN_BATCH(map, cr_assert_eq(wend_edit_fill_box(edit, box_of(0, 0, 199, 99), 0), WEND_OK));
    wend_map_get_info(map, &info);
    cr_assert_eq(info.components, 0u);
}

/* The most components that an area can have on its rim: every other cell of it, cut off from within. In the largest map
 * it is a quarter; all but the cells that its southern and eastern neighbours join stay alone. */
Test(map_labels, hold_a_rim_of_as_many_components_as_fit) {
    enum { QUARTER = 32768, WHOLE = 65536 };
    wend_map_def def = default_map();
    wend_map_rules def_rules = default_rules();
    def.rules = &def_rules;
    wend_map_info info = {.struct_bytes = sizeof info};
    int32_t last = QUARTER - 1;
    bool reachable;
    def.width = def.height = WHOLE;
    def_rules.neighbours = 4;
    OWNED_MAP *map = made_map(&def);
    wend_edit *edit = begin_edit(map);
    wend_edit_fill_box(edit, box_of(1, 1, last - 1, 1), 0);
    wend_edit_fill_box(edit, box_of(1, last - 1, last - 1, last - 1), 0);
    wend_edit_fill_box(edit, box_of(1, 1, 1, last - 1), 0);
    wend_edit_fill_box(edit, box_of(last - 1, 1, last - 1, last - 1), 0);
    uint64_t alone = 0;
    for (int32_t i = 0; i < QUARTER; i += 2) { /* closed where x + y is even, on each side */
        wend_edit_set_cell(edit, at(i, 0), 0);
        wend_edit_set_cell(edit, at(0, i), 0);
        wend_edit_set_cell(edit, at(last, i + 1), 0);
        wend_edit_set_cell(edit, at(i + 1, last), 0);
        alone += 2; /* north and west; cells in the east and south touch the rest of the map */
    }
    wend_edit_set_cell(edit, at(last, last), 0);
    cr_assert_eq(wend_edit_publish(edit, NULL), WEND_OK);
    wend_map_get_info(map, &info);
    /* (last, 0) lies in the east, (0, last) in the south; then all within the ring, and all without. */
    cr_assert_eq(info.components, alone - 2 + 2);
    cr_assert_eq(wend_map_reachable(map, 0, at(last, 0), at(WHOLE - 1, WHOLE - 1), &reachable), WEND_OK);
    cr_assert_eq(reachable, 1);
    cr_assert_eq(wend_map_reachable(map, 0, at(1, 0), at(3, 0), &reachable), WEND_OK);
    cr_assert_eq(reachable, 0);
    cr_assert_eq(wend_map_reachable(map, 0, at(0, 12345), at(WHOLE - 1, 0), &reachable), WEND_OK);
    cr_assert_eq(reachable, 0);
    cr_assert_eq(wend_map_reachable(map, 0, at(2, 2), at(last - 2, last - 2), &reachable), WEND_OK);
    cr_assert_eq(reachable, 1);
}

/* ---- sharing ---- */

static void set_cell(wend_map *map, int32_t x, int32_t y, uint8_t class) {
    cr_assert_eq(wend_map_set_cell(map, at(x, y), class, NULL), WEND_OK);
}

static wend_map *rough_map(int32_t width, int32_t height) {
    uint64_t seed = 7;
    OWNED(model_free) model m = model_create(width, height, NULL);
    fill_model(&m, NOISE, &seed);
    wend_map *map = map_of(&m);
    return map;
}

Test(map_labels, stay_above_a_chunk_whose_outline_an_edit_leaves_alone) {
    OWNED_MAP *map = map_of_size(256, 256);
    set_cell(map, 10, 10, 0); /* the chunk is its own */
    OWNED_VERSION *before = wend__map_acquire(map, false);
    set_cell(map, 30, 30, 0);
    OWNED_VERSION *after = wend__map_acquire(map, false);
    const wend__area *old = before->labels, *area = after->labels;
    for (; area->parts[0]; area = area->parts[0], old = old->parts[0]) {
        cr_assert_neq(area, old);
        cr_assert_eq(area->outline, old->outline);
        cr_assert_eq(area->inside, old->inside);
        for (int part = 1; part < 4; part++) cr_assert_eq(area->parts[part], old->parts[part]);
    }
    cr_assert_eq(area->outline, old->outline);
    cr_assert_neq(area->inside, old->inside);
}

Test(map_labels, above_a_chunk_whose_outline_changes_are_made_anew_only_as_far_as_theirs_do) {
    OWNED_MAP *map = map_of_size(256, 256);
    wend__version *before = wend__map_acquire(map, false);
    set_cell(map, 63, 30, 0); /* on the chunk's rim, amid the area of two by two */
    OWNED_VERSION *after = wend__map_acquire(map, false);
    const wend__area *old = before->labels, *area = after->labels;
    cr_assert_neq(area->parts[0]->parts[0]->outline, old->parts[0]->parts[0]->outline);
    cr_assert_neq(area->parts[0], old->parts[0]);
    cr_assert_eq(area->parts[0]->inside, old->parts[0]->inside); /* joined again, with the same result */
    cr_assert_eq(area->parts[0]->outline, old->parts[0]->outline);
    cr_assert_eq(area->inside, old->inside);
    cr_assert_eq(area->parts[3], old->parts[3]);
    wend__map_release(before, false);
    before = after;
    set_cell(map, 62, 31, 0), set_cell(map, 63, 32, 0); /* (63, 31) can be left to the next chunk only */
    after = wend__map_acquire(map, false);
    old = before->labels, area = after->labels;
    cr_assert_neq(area->parts[0]->inside, old->parts[0]->inside);
    cr_assert_eq(area->parts[0]->outline, old->parts[0]->outline);
    cr_assert_eq(area->inside, old->inside);
    wend__map_release(before, false);
}

Test(map_labels, of_open_ground_are_made_once) {
    OWNED_MAP *large = map_of_size(32768, 32768);
    OWNED_VERSION *v = wend__map_acquire(large, false);
    for (const wend__area *area = v->labels; area->parts[0]; area = area->parts[0])
        for (int part = 1; part < 4; part++) cr_assert_eq(area->parts[part], area->parts[0]);
}

Test(map_labels, are_shared_by_forks_until_they_are_edited) {
    wend_map *map = rough_map(300, 300), *fork;
    cr_assert_eq(wend_map_fork(map, &fork), WEND_OK);
    wend__version *of_map = wend__map_acquire(map, false), *of_fork = wend__map_acquire(fork, false);
    cr_assert_eq(of_map->labels, of_fork->labels);
    wend__map_release(of_fork, false);
    set_cell(fork, 5, 5, 0);
    set_cell(fork, 5, 5, 1);
    of_fork = wend__map_acquire(fork, false);
    cr_assert_neq(of_map->labels, of_fork->labels);
    for (int part = 1; part < 4; part++) cr_assert_eq(of_map->labels->parts[part], of_fork->labels->parts[part]);
    wend__map_release(of_map, false);
    wend_map_release(map); /* the fork's stay */
    wend_map_info info = info_now(fork);
    cr_assert_gt(info.components, 1u);
    wend__map_release(of_fork, false);
    wend_map_release(fork);
}

Test(map_labels, are_made_anew_by_new_rules_only_where_these_connect_otherwise) {
    OWNED_MAP *map = rough_map(300, 300);
    wend_map_rules rules = default_rules();
    OWNED_VERSION *before = wend__map_acquire(map, false);
    rules.cost_diagonal = 15, rules.corners = WEND_CORNERS_ONE;
    cr_assert_eq(wend_map_set_rules(map, &rules), WEND_OK);
    wend__version *after = wend__map_acquire(map, false);
    cr_assert_eq(before->labels, after->labels);
    wend__map_release(after, false);
    rules.corners = WEND_CORNERS_ALWAYS;
    cr_assert_eq(wend_map_set_rules(map, &rules), WEND_OK);
    after = wend__map_acquire(map, false);
    cr_assert_neq(before->labels, after->labels);
    cr_assert_lt(wend__version_components(after), wend__version_components(before));
    wend__map_release(after, false);
}

/* ---- memory ---- */

typedef int32_t act_fn(wend_map *map);

static wend_error act_publish(wend_map *map) {
    wend_edit *edit;
    wend_error error = wend_edit_begin(map, &edit);
    if (error) return error;
    wend_edit_fill_box(edit, box_of(60, 60, 70, 130), 0);
    wend_edit_set_cell(edit, at(63, 100), 1);
    wend_edit_set_cell(edit, at(200, 140), 0);
    return wend_edit_publish(edit, NULL);
}

static wend_error act_fork(wend_map *map) {
    wend_map *fork;
    wend_error error = wend_map_fork(map, &fork);
    if (error) return error;
    error = act_publish(fork);
    wend_map_release(fork);
    return error;
}

static wend_error act_rules(wend_map *map) {
    wend_map_rules rules = default_rules();
    rules.corners = WEND_CORNERS_ALWAYS;
    return wend_map_set_rules(map, &rules);
}

/* From the west to the east across a wall that leaves no gap. */
static wend_error act_would_disconnect(wend_map *map) {
    wend_edit *edit;
    bool disconnects = false;
    wend_error error = wend_edit_begin(map, &edit);
    if (error) return error;
    error = wend_edit_fill_box(edit, box_of(100, 0, 100, 149), 0);
    if (!error) {
        error = wend_edit_would_disconnect(edit, 0, at(0, 0), at(210, 0), &disconnects);
        cr_assert_eq(disconnects, !error);
    }
    wend_edit_discard(edit);
    return error;
}

static void check_failing(act_fn *act, size_t least) {
    counting c = {0};
    wend_map_def def = default_map();
    uint64_t seed = 3;
    OWNED(model_free) model m = model_create(220, 150, NULL);
    for (int i = 0; i < 3000; i++) m.classes[draw(&seed, 220 * 150)] = 0;
    memset(m.classes, 1, 220); /* a way from west to east */
    def.width = m.width, def.height = m.height, def.allocator = counting_allocator(&c);
    wend_map *map = made_map(&def);
    IN_BATCH(map, cr_assert_eq(wend_edit_set_box(edit, box_of(0, 0, 219, 149), m.classes, 220), WEND_OK));
    uint64_t bytes = map_bytes(map), failures = 0;
    for (size_t n = 1;; n++, failures++) {
        c.calls = 0, c.fail_at = n;
        wend_error error = act(map);
        c.fail_at = 0;
        if (!error) break;
        cr_assert_eq(error, WEND_OUT_OF_MEMORY);
        cr_assert_eq(map_bytes(map), bytes);
        cr_assert_eq(c.bytes, bytes);
        if (n % (size_t)few_or_many(5, 1) == 0) check_map(&m, map); /* what is wrong stays wrong */
    }
    cr_assert_gt(failures, least);
    wend_map_release(map);
    cr_assert_eq(c.blocks, 0u);
}

Test(map_labels, are_as_before_when_any_allocation_of_a_publish_fails) {
    check_failing(act_publish, 20);
}

Test(map_labels, are_as_before_when_any_allocation_of_a_fork_and_its_edit_fails) {
    check_failing(act_fork, 20);
}

Test(map_labels, are_as_before_when_any_allocation_of_new_rules_fails) {
    check_failing(act_rules, 20);
}

Test(map_labels, are_as_before_when_any_allocation_of_a_question_about_a_batch_fails) {
    check_failing(act_would_disconnect, 10);
}

Test(map_labels, of_a_map_that_finds_no_room_leave_nothing_behind) {
    counting c = {0};
    wend_map_def def = default_map();
    wend_map *map;
    def.width = 1000, def.height = 700, def.allocator = counting_allocator(&c);
    size_t failures = 0;
    for (size_t n = 1;; n++, failures++) {
        c.calls = 0, c.fail_at = n;
        wend_error error = wend_map_create(&def, &map);
        if (!error) break;
        cr_assert_eq(error, WEND_OUT_OF_MEMORY);
        cr_assert_eq(c.blocks, 0u);
    }
    cr_assert_gt(failures, 10u);
    wend_map_release(map);
    cr_assert_eq(c.blocks, 0u);
}

Test(map_labels, are_given_back_when_the_ground_is_open_again) {
    OWNED_MAP *map = map_of_size(300, 300);
    wend_edit *edit;
    uint64_t empty = map_bytes(map), seed = 4;
    for (int i = 0; i < 3; i++) {
        cr_assert_eq(wend_edit_begin(map, &edit), WEND_OK);
        for (int j = 0; j < 2000; j++)
            wend_edit_set_cell(edit, at((int32_t)draw(&seed, 300), (int32_t)draw(&seed, 300)), 0);
        cr_assert_eq(wend_edit_publish(edit, NULL), WEND_OK);
        cr_assert_gt(map_bytes(map), empty);
        cr_assert_eq(wend_edit_begin(map, &edit), WEND_OK);
        cr_assert_eq(wend_edit_fill_box(edit, box_of(0, 0, 299, 299), 1), WEND_OK);
        cr_assert_eq(wend_edit_publish(edit, NULL), WEND_OK);
        cr_assert_leq(map_bytes(map), empty + 4096);
    }
}
