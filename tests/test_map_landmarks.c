/* SPDX-License-Identifier: MIT */
/* Landmarks: their numbers held against a plain search; what edits leave of them against every step that terrain and
 * closed steps allow; what they cost, who may ask for them, and edits that come while they are made. */
#define _POSIX_C_SOURCE 200809L
#include "steps_model.h"

#include "map/landmarks.h"

#include <criterion/criterion.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <time.h>

enum { WALL = WEND_CLASS_BLOCKED, OPEN = WEND_CLASS_OPEN, MUD = 7, NONE = UINT32_MAX, STEPS_KEPT = 64 };
static const int32_t step_x[8] = {0, 1, 0, -1, 1, 1, -1, -1}, step_y[8] = {-1, 0, 1, 0, -1, 1, 1, -1};

static wend_map_info info_of(const wend_map *map) {
    wend_map_info info;
    wend_map_describe(map, &info);
    return info;
}

static int32_t cells_of(const walled *w) {
    return w->m.width * w->m.height;
}

static const uint32_t *numbers_of(const walled *w, const wend__landmarks *l, int32_t cell) {
    return &l->from[wend__landmark_index(l, cell % w->m.width, cell / w->m.width)];
}

/* Landmarks are about 8 neighbours and no corner cut, whatever the rules. Shares its arrays. */
static walled strict(const walled *w) {
    walled s = *w;
    s.m.rules.neighbours = 8;
    s.m.rules.corners = WEND_CORNERS_NEVER;
    return s;
}

static bool is_open(const walled *w, int32_t cell) {
    return model_open(&w->m, cell % w->m.width, cell / w->m.width);
}

/* ---- a plain search ---- */

/* The cheapest ways from a cell to all others, in units: cells are looked at again until none becomes cheaper. */
static uint32_t *costs_from(const walled *w, const wend__landmarks *l, int32_t from) {
    const size_t cells = (size_t)cells_of(w), ring = cells + 1;
    uint32_t *costs = malloc(cells * sizeof *costs);
    int32_t *queue = malloc(ring * sizeof *queue);
    bool *waits = calloc(cells, sizeof *waits);
    size_t head = 0, tail = 1;
    memset(costs, 0xff, cells * sizeof *costs);
    costs[from] = 0, queue[0] = from;
    while (head != tail) {
        const int32_t here = queue[head], x = here % w->m.width, y = here / w->m.width;
        head = (head + 1) % ring;
        waits[here] = false;
        for (int d = 0; d < 8; d++) {
            if (!walled_step(w, x, y, step_x[d], step_y[d])) continue;
            const int32_t next = here + step_y[d] * w->m.width + step_x[d];
            const uint32_t cost = costs[here] + (d < 4 ? l->straight : l->diagonal);
            if (cost >= costs[next]) continue;
            costs[next] = cost;
            if (waits[next]) continue;
            waits[next] = true;
            queue[tail] = next, tail = (tail + 1) % ring;
        }
    }
    free(queue);
    free(waits);
    return costs;
}

/* ---- freshly made ---- */

/* The cells of a component are those that `reach` has. The landmark is the only one with the number 0. */
static int32_t landmark_of(const walled *w, const wend__landmarks *l, const uint32_t *reach, uint32_t slot) {
    int32_t found = -1;
    for (int32_t i = 0; i < cells_of(w); i++) {
        if (reach[i] == NONE || numbers_of(w, l, i)[slot] != 0) continue;
        cr_assert_eq(found, -1, "two landmarks under one number");
        found = i;
    }
    cr_assert_geq(found, 0, "no landmark %u", (unsigned)slot);
    return found;
}

static uint32_t most_of(const uint32_t *costs, int32_t cells) {
    uint32_t most = 0;
    for (int32_t i = 0; i < cells; i++)
        if (costs[i] != NONE && costs[i] > most) most = costs[i];
    return most;
}

static void check_numbers(const walled *w, const wend__landmarks *l, const uint32_t *reach, uint32_t slot,
                          const uint32_t *costs) {
    for (int32_t i = 0; i < cells_of(w); i++)
        if (reach[i] != NONE && numbers_of(w, l, i)[slot] != costs[i])
            cr_assert_fail("(%d, %d) is %u from landmark %u, not %u", (int)(i % w->m.width), (int)(i / w->m.width),
                           (unsigned)costs[i], (unsigned)slot, (unsigned)numbers_of(w, l, i)[slot]);
}

static void check_component(const walled *w, const wend__landmarks *l, const uint32_t *reach) {
    const int32_t cells = cells_of(w);
    uint32_t *least = malloc((size_t)cells * sizeof *least);
    memcpy(least, reach, (size_t)cells * sizeof *least);
    for (uint32_t slot = 0; slot < l->count; slot++) {
        const int32_t landmark = landmark_of(w, l, reach, slot);
        cr_assert_eq(least[landmark], most_of(least, cells), "landmark %u is not at the far end", (unsigned)slot);
        uint32_t *costs = costs_from(w, l, landmark);
        check_numbers(w, l, reach, slot, costs);
        for (int32_t i = 0; i < cells; i++)
            if (slot == 0 || costs[i] < least[i]) least[i] = costs[i];
        free(costs);
    }
    free(least);
}

/* Every component's numbers. No step may be closed in one direction only. */
static void check_fresh(const walled *w, const wend__version *v) {
    const walled s = strict(w);
    const int32_t cells = cells_of(w);
    bool *seen = calloc((size_t)cells, sizeof *seen);
    cr_assert(v->landmarks);
    cr_assert_eq((uint64_t)v->landmarks->straight * (uint64_t)w->m.rules.cost_diagonal,
                 (uint64_t)v->landmarks->diagonal * (uint64_t)w->m.rules.cost_straight);
    for (int32_t i = 0; i < cells; i++) {
        if (seen[i] || !is_open(w, i)) continue;
        uint32_t *reach = costs_from(&s, v->landmarks, i);
        check_component(&s, v->landmarks, reach);
        for (int32_t j = 0; j < cells; j++) seen[j] = seen[j] || reach[j] != NONE;
        free(reach);
    }
    free(seen);
}

static void check_fresh_map(const walled *w, wend_map *map, int32_t count) {
    const wend_map_info info = info_of(map);
    wend__version *v = wend__map_acquire(map, false);
    cr_assert_eq(info.landmarks, count);
    cr_assert_eq(info.landmark_age, 0u);
    cr_assert_eq(v->landmarks->count, (uint32_t)count);
    cr_assert_geq(info.landmark_bytes, (uint64_t)cells_of(w) * (uint64_t)count * 4);
    check_fresh(w, v);
    wend__map_release(v, false);
}

/* ---- what is left of them ---- */

/* Where no step is closed, a step that the rule allows. Else one that is allowed both ways, and no diagonal one under
   four neighbours: the rest is looked at when steps are opened again, and before that no jump search goes there. */
static bool counts(const walled *s, int32_t x, int32_t y, int d, bool closed, bool four) {
    const int32_t dx = step_x[d], dy = step_y[d];
    if (!walled_step(s, x, y, dx, dy)) return false;
    return !closed || (walled_step(s, x + dx, y + dy, -dx, -dy) && !(four && d >= 4));
}

/* The landmarks that some step belies, a bit each. */
static uint32_t belied(const walled *w, const wend__landmarks *l, bool closed) {
    const walled s = strict(w);
    const bool four = w->m.rules.neighbours == 4;
    uint32_t wrong = 0;
    for (int32_t cell = 0; cell < cells_of(w); cell++)
        for (int d = 0; d < 8 && is_open(w, cell); d++) {
            if (!counts(&s, cell % w->m.width, cell / w->m.width, d, closed, four)) continue;
            const uint32_t *here = numbers_of(w, l, cell);
            const uint32_t *there = numbers_of(w, l, cell + step_y[d] * w->m.width + step_x[d]);
            for (uint32_t i = 0; i < l->count; i++) {
                const uint32_t apart = here[i] > there[i] ? here[i] - there[i] : there[i] - here[i];
                wrong |= (uint32_t)(apart > (d < 4 ? l->straight : l->diagonal)) << i;
            }
        }
    return wrong;
}

static void check_left(const walled *w, wend_map *map) {
    const wend_map_info info = info_of(map);
    wend__version *v = wend__map_acquire(map, false);
    const wend__landmarks *l = v->landmarks;
    cr_assert_eq(info.landmarks, l ? (int32_t)l->count : 0);
    cr_assert_eq(info.landmark_bytes, l ? l->bytes : 0u);
    if (!l) cr_assert_eq(info.landmark_age, 0u);
    if (l) {
        cr_assert_eq((uint64_t)l->straight * (uint64_t)v->rules.cost_diagonal,
                     (uint64_t)l->diagonal * (uint64_t)v->rules.cost_straight);
        const uint32_t wrong = belied(w, l, info.closed_steps > 0);
        cr_assert_eq(wrong, 0u, "numbers from landmarks %02x are wrong", (unsigned)wrong);
    }
    wend__map_release(v, false);
}

/* ---- worlds ---- */

typedef struct world {
    walled w;
    wend_map *map;
    uint64_t seed;
    uint32_t lost, needed; ///< how often landmarks went, and how often they had to
} world;

static world world_create(int32_t width, int32_t height, uint32_t blocked, uint64_t seed, const wend_map_rules *rules) {
    world w = {.w = walled_create(width, height, rules), .seed = seed};
    for (int32_t i = 0; i < width * height; i++) {
        const uint32_t roll = draw(&w.seed, 1000);
        w.w.m.classes[i] = roll < blocked ? WALL : roll < blocked + blocked / 4 ? MUD : OPEN;
    }
    w.map = map_of(&w.w.m);
    return w;
}

/* From rows of '.' and '#', with so many landmarks. */
static world world_of_text(const char *const *rows, int32_t count, int32_t landmarks) {
    model m = model_of_text(rows, count, NULL);
    world w = {.w = walled_create(m.width, m.height, NULL), .map = map_of(&m)};
    memcpy(w.w.m.classes, m.classes, (size_t)cells_of(&w.w));
    model_free(&m);
    cr_assert_eq(wend_map_prepare_landmarks(w.map, landmarks), WEND_OK);
    check_fresh_map(&w.w, w.map, landmarks);
    return w;
}

static world world_fork(const world *from) {
    world fork = {.w = walled_copy(&from->w), .seed = from->seed + 1};
    cr_assert_eq(wend_map_fork(from->map, &fork.map), WEND_OK);
    return fork;
}

static void world_free(world *w) {
    wend_map_release(w->map);
    walled_free(&w->w);
}

static void set_class(world *w, int32_t x, int32_t y, uint8_t class) {
    w->w.m.classes[y * w->w.m.width + x] = class;
}

/* A map of its classes as they are now, in place of the one that it has. */
static wend_map *remade(world *w) {
    wend_map_release(w->map);
    return map_of(&w->w.m);
}

static wend_edit *edit_begin(wend_map *map) {
    wend_edit *edit;
    cr_assert_eq(wend_edit_begin(map, &edit), WEND_OK);
    return edit;
}

static void edit_publish(wend_edit *edit) {
    cr_assert_eq(wend_edit_publish(edit, NULL), WEND_OK);
}

static void set_cell(world *w, wend_edit *edit, int32_t x, int32_t y, uint8_t class) {
    w->w.m.classes[y * w->w.m.width + x] = class;
    cr_assert_eq(wend_edit_set(edit, at(x, y), class), WEND_OK);
}

static void publish_cell(world *w, int32_t x, int32_t y, uint8_t class) {
    wend_edit *edit = edit_begin(w->map);
    set_cell(w, edit, x, y, class);
    edit_publish(edit);
}

static void publish_step(world *w, int32_t x, int32_t y, int32_t dx, int32_t dy, bool open) {
    wend_edit *edit = edit_begin(w->map);
    walled_set(&w->w, edit, x, y, dx, dy, open);
    edit_publish(edit);
}

/* ---- numbers ---- */

static wend_map_rules costs(int32_t straight, int32_t diagonal) {
    wend_map_rules rules = wend_map_rules_default();
    rules.cost_straight = straight, rules.cost_diagonal = diagonal, rules.cost_space = diagonal;
    return rules;
}

static void make_and_check(int32_t width, int32_t height, uint32_t blocked, uint64_t seed, int32_t count) {
    static const int32_t pairs[4][2] = {{10, 14}, {1000, 1414}, {5, 7}, {3, 5}};
    const wend_map_rules rules = costs(pairs[seed % 4][0], pairs[seed % 4][1]);
    world w = world_create(width, height, blocked, seed, &rules);
    cr_assert_eq(wend_map_prepare_landmarks(w.map, count), WEND_OK);
    check_fresh_map(&w.w, w.map, count);
    check_left(&w.w, w.map);
    world_free(&w);
}

Test(landmarks, are_as_far_as_a_plain_search_says_on_small_maps) {
    static const int32_t sizes[][2] = {{1, 1}, {1, 2}, {1, 9}, {40, 1}, {2, 2}, {3, 3}, {64, 1}, {1, 65}, {9, 7}};
    for (uint64_t i = 0; i < 9; i++)
        for (uint32_t blocked = 0; blocked <= 1000; blocked += 200)
            for (uint64_t seed = 0; seed < 8; seed++)
                make_and_check(sizes[i][0], sizes[i][1], blocked, seed * 97 + seed, 1 + (int32_t)(seed % 8));
}

Test(landmarks, are_as_far_as_a_plain_search_says_at_the_rims_of_chunks) {
    for (int32_t side = 63; side <= 65; side++)
        for (uint64_t seed = 0; seed < 4; seed++) make_and_check(side, 63 + (int32_t)(seed % 3), 250, seed, 4);
}

Test(landmarks, are_as_far_as_a_plain_search_says_over_several_chunks) {
    static const uint32_t blocked[] = {0, 20, 200, 330, 380, 1000};
    for (uint64_t i = 0; i < 6; i++) make_and_check(170, 135, blocked[i], i, i % 2 ? 8 : 4);
    make_and_check(1100, 20, 150, 3, 2);
}

Test(landmarks, have_numbers_for_each_component) {
    const char *rows[] = {"..#.....#.", "..#.###.#.", "..#.#.#.##", "###.###.#.",
                          "....#...#.", "#########.", "......#..."};
    world w = world_of_text(rows, 7, 3);
    cr_assert_gt(info_of(w.map).components, 3u);
    world_free(&w);
}

Test(landmarks, are_the_same_under_other_rules_and_on_slow_ground) {
    for (int32_t corners = WEND_CORNERS_NEVER; corners <= WEND_CORNERS_ALWAYS; corners++)
        for (int32_t neighbours = 4; neighbours <= 8; neighbours += 4) {
            wend_map_rules rules = wend_map_rules_default();
            rules.corners = corners, rules.neighbours = neighbours;
            world w = world_create(90, 70, 250, 7, &rules);
            cr_assert_eq(wend_map_prepare_landmarks(w.map, 4), WEND_OK);
            check_fresh_map(&w.w, w.map, 4);
            world_free(&w);
        }
}

/* ---- walls of closed steps ---- */

/* Some thin walls, closed both ways. */
static void wall_off(world *w, uint32_t count) {
    wend_edit *edit = edit_begin(w->map);
    while (count--) {
        const int32_t x = 1 + (int32_t)draw(&w->seed, (uint32_t)w->w.m.width - 2);
        const int32_t y = 1 + (int32_t)draw(&w->seed, (uint32_t)w->w.m.height - 2), d = (int32_t)draw(&w->seed, 8);
        walled_wall(&w->w, edit, x, y, step_x[d], step_y[d]);
    }
    edit_publish(edit);
}

/* Four neighbours have no diagonal steps to open. */
static void open_all_steps(world *w) {
    const int32_t width = w->w.m.width;
    w->w.m.rules.neighbours = 8;
    cr_assert_eq(wend_map_set_rules(w->map, &w->w.m.rules), WEND_OK);
    wend_edit *edit = edit_begin(w->map);
    for (int32_t cell = 0; cell < cells_of(&w->w); cell++)
        for (int d = 0; d < 8 && w->w.closed[cell]; d++)
            if (walled_closed(&w->w, cell % width, cell / width, step_x[d], step_y[d]))
                walled_set(&w->w, edit, cell % width, cell / width, step_x[d], step_y[d], true);
    edit_publish(edit);
    cr_assert_eq(info_of(w->map).closed_steps, 0u);
}

Test(landmarks, made_where_thin_walls_are_go_round_them) {
    for (uint64_t seed = 1; seed <= 12; seed++) {
        world w = world_create(40, 30, (uint32_t)seed % 3 * 100, seed, NULL);
        wall_off(&w, 20 * (uint32_t)seed);
        cr_assert_eq(wend_map_prepare_landmarks(w.map, 4), WEND_OK);
        check_fresh_map(&w.w, w.map, 4);
        check_left(&w.w, w.map);
        open_all_steps(&w);
        check_left(&w.w, w.map);
        world_free(&w);
    }
}

/* A wall with a door at its far end: what lies behind is far, and no less so when the wall is taken down elsewhere. */
Test(landmarks, made_beside_a_thin_wall_say_nothing_wrong_when_it_opens) {
    world w = world_create(30, 9, 0, 1, NULL);
    wend_edit *edit = edit_begin(w.map);
    for (int32_t x = 0; x < 29; x++)
        for (int32_t dx = -1; dx <= 1; dx++)
            if (x + dx >= 0) walled_wall(&w.w, edit, x, 3, dx, 1);
    walled_wall(&w.w, edit, 29, 3, -1, 1);
    edit_publish(edit);
    cr_assert_eq(wend_map_prepare_landmarks(w.map, 2), WEND_OK);
    check_fresh_map(&w.w, w.map, 2);
    open_all_steps(&w);
    check_left(&w.w, w.map);
    cr_assert_eq(info_of(w.map).landmarks, 0);
    world_free(&w);
}

/* An allocator whose memory holds what it is told to hold. */
static void *filled_alloc(void *context, size_t bytes, size_t alignment) {
    void *pointer = malloc(bytes);
    (void)alignment;
    return pointer ? memset(pointer, *(const int *)context, bytes) : NULL;
}

static void filled_free(void *context, void *pointer, size_t bytes) {
    (void)context;
    (void)bytes;
    free(pointer);
}

static wend_map *map_with(const model *m, wend_allocator allocator, uint64_t max_bytes) {
    wend_map_def def = wend_map_default();
    wend_map *map;
    def.width = m->width, def.height = m->height, def.rules = m->rules;
    def.allocator = allocator, def.max_bytes = max_bytes;
    cr_assert_eq(wend_map_create(&def, &map), WEND_OK);
    wend_edit *edit = edit_begin(map);
    const wend_box all = box_of(0, 0, m->width - 1, m->height - 1);
    cr_assert_eq(wend_edit_write(edit, all, m->classes, (size_t)m->width), WEND_OK);
    edit_publish(edit);
    return map;
}

/* Ledges that one can step off but not climb: none is reached from below. */
static double us_with_ledges(int32_t ledges) {
    world w = world_create(512, 512, 0, 3, NULL);
    wend_edit *edit = edit_begin(w.map);
    for (int32_t i = 0; i < ledges; i++)
        for (int d = 0; d < 8; d++)
            walled_set(&w.w, edit, 5 * i + 3 + step_x[d], 9 + step_y[d], -step_x[d], -step_y[d], false);
    edit_publish(edit);
    struct timespec begun, ended;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &begun);
    cr_assert_eq(wend_map_prepare_landmarks(w.map, 4), WEND_OK);
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &ended);
    check_left(&w.w, w.map);
    world_free(&w);
    return (double)(ended.tv_sec - begun.tv_sec) * 1e6 + (double)(ended.tv_nsec - begun.tv_nsec) / 1e3;
}

Test(landmarks, take_no_longer_where_steps_lead_one_way) {
    const double without = us_with_ledges(0), with = us_with_ledges(100); /* it was 100 times as long */
    cr_assert_lt(with, 10 * without, "%.0f us with ledges, %.0f without", with, without);
}

/* Steps closed in any direction at random, one way or both. */
static void close_some(walled *w, wend_map *map, uint64_t seed, uint32_t count) {
    wend_edit *edit = edit_begin(map);
    while (count--) {
        const int32_t x = 1 + (int32_t)draw(&seed, (uint32_t)w->m.width - 2);
        const int32_t y = 1 + (int32_t)draw(&seed, (uint32_t)w->m.height - 2);
        const uint32_t d = draw(&seed, (uint32_t)w->m.rules.neighbours);
        walled_set(w, edit, x, y, step_x[d], step_y[d], false);
    }
    edit_publish(edit);
}

Test(landmarks, are_the_same_whatever_the_memory_held_before) {
    static int fills[2] = {0, 0xFF};
    for (uint64_t seed = 1; seed <= 20; seed++) {
        world w = world_create(40, 30, (uint32_t)seed % 4 * 100, seed, NULL);
        wend__version *made[2];
        wend_map *maps[2];
        for (int i = 0; i < 2; i++) {
            const wend_allocator a = {.context = &fills[i], .alloc = filled_alloc, .free = filled_free};
            maps[i] = map_with(&w.w.m, a, WEND_NO_LIMIT);
            close_some(&w.w, maps[i], seed, 60 * (uint32_t)seed);
            cr_assert_eq(wend_map_prepare_landmarks(maps[i], 4), WEND_OK);
            made[i] = wend__map_acquire(maps[i], false);
        }
        const size_t bytes = made[0]->landmarks->bytes - sizeof(wend__landmarks);
        cr_assert_eq(memcmp(made[0]->landmarks->from, made[1]->landmarks->from, bytes), 0, "seed %d", (int)seed);
        for (int i = 0; i < 2; i++) {
            wend__map_release(made[i], false);
            wend_map_release(maps[i]);
        }
        world_free(&w);
    }
}

/* ---- after edits ---- */

typedef enum change { OPENS, CLOSES, BOTH } change;

static wend_cell any_cell(world *w) {
    const int32_t x = (int32_t)draw(&w->seed, (uint32_t)w->w.m.width);
    return at(x, (int32_t)draw(&w->seed, (uint32_t)w->w.m.height));
}

static change fill_box(world *w, wend_edit *edit, int32_t most_x, int32_t most_y, uint8_t class) {
    const wend_cell a = any_cell(w);
    const int32_t x1 = a.x + (int32_t)draw(&w->seed, (uint32_t)most_x),
                  y1 = a.y + (int32_t)draw(&w->seed, (uint32_t)most_y);
    const int32_t width = w->w.m.width, height = w->w.m.height;
    const wend_box box = box_of(a.x, a.y, x1 < width ? x1 : width - 1, y1 < height ? y1 : height - 1);
    for (int32_t y = box.min.y; y <= box.max.y; y++)
        for (int32_t x = box.min.x; x <= box.max.x; x++) w->w.m.classes[y * width + x] = class;
    cr_assert_eq(wend_edit_fill(edit, box, class), WEND_OK);
    return class == WALL ? CLOSES : OPENS;
}

static change flip_cells(world *w, wend_edit *edit, uint32_t count) {
    change all = CLOSES;
    while (count--) {
        const wend_cell c = any_cell(w);
        const bool open = w->w.m.classes[c.y * w->w.m.width + c.x] == WALL;
        set_cell(w, edit, c.x, c.y, open ? OPEN : WALL);
        if (open) all = BOTH;
    }
    return all;
}

static change set_steps(world *w, wend_edit *edit, bool open) {
    static wend_step closed[STEPS_KEPT];
    size_t count = 0;
    if (open) wend_map_closed_steps(w->map, closed, STEPS_KEPT, &count);
    for (size_t i = 0; i < count && i < STEPS_KEPT; i++) {
        const wend_cell from = closed[i].from, to = closed[i].to;
        const int32_t dx = to.x - from.x, dy = to.y - from.y;
        if (w->w.m.rules.neighbours == 4 && dx && dy) continue;
        if (draw(&w->seed, 3)) walled_set(&w->w, edit, from.x, from.y, dx, dy, true);
    }
    for (uint32_t n = open ? 0 : 1 + draw(&w->seed, 20); n > 0; n--) {
        const wend_cell c = any_cell(w);
        const uint32_t d = draw(&w->seed, (uint32_t)w->w.m.rules.neighbours);
        if ((uint32_t)(c.x + step_x[d]) >= (uint32_t)w->w.m.width) continue;
        if ((uint32_t)(c.y + step_y[d]) >= (uint32_t)w->w.m.height) continue;
        if (draw(&w->seed, 2))
            walled_wall(&w->w, edit, c.x, c.y, step_x[d], step_y[d]);
        else
            walled_set(&w->w, edit, c.x, c.y, step_x[d], step_y[d], false);
    }
    return open ? OPENS : CLOSES;
}

static change publish_change(world *w, bool steps) {
    wend_edit *edit = edit_begin(w->map);
    const uint32_t roll = draw(&w->seed, steps ? 24 : 16);
    change did = BOTH;
    if (roll < 8)
        did = flip_cells(w, edit, roll < 6 ? 1 : 1 + draw(&w->seed, 12));
    else if (roll < 11)
        did = fill_box(w, edit, 8, 8, draw(&w->seed, 3) ? OPEN : WALL);
    else if (roll < 13)
        did = fill_box(w, edit, roll == 11 ? 30 : 1, roll == 11 ? 1 : 30, OPEN); /* dig */
    else if (roll < 15)
        did = fill_box(w, edit, roll == 13 ? 90 : 2, roll == 13 ? 2 : 90, WALL);
    else if (roll < 16)
        did = fill_box(w, edit, 100, 100, draw(&w->seed, 2) ? OPEN : WALL);
    else
        did = set_steps(w, edit, roll < 20);
    edit_publish(edit);
    return did;
}

/* Other factors, corners, neighbours. */
static change change_rules(world *w) {
    wend_map_rules *rules = &w->w.m.rules;
    const uint32_t roll = draw(&w->seed, 4);
    if (roll == 0) rules->neighbours = rules->neighbours == 8 ? 4 : 8;
    if (roll == 1) rules->corners = (rules->corners + 1) % 3;
    if (roll >= 2) rules->factors[MUD] = (uint8_t)(rules->factors[MUD] ? 0 : 7);
    cr_assert_eq(wend_map_set_rules(w->map, rules), WEND_OK);
    return roll >= 2 && !rules->factors[MUD] ? CLOSES : BOTH;
}

/* Other costs and back: none is left, and none comes back. */
static void change_costs(world *w) {
    const wend_map_rules before = w->w.m.rules, other = costs(1000, 1414);
    w->w.m.rules.cost_straight = other.cost_straight, w->w.m.rules.cost_diagonal = other.cost_diagonal;
    w->w.m.rules.cost_space = other.cost_space;
    cr_assert_eq(wend_map_set_rules(w->map, &w->w.m.rules), WEND_OK);
    cr_assert_eq(info_of(w->map).landmarks, 0);
    w->w.m.rules = before;
    cr_assert_eq(wend_map_set_rules(w->map, &w->w.m.rules), WEND_OK);
    cr_assert_eq(info_of(w->map).landmarks, 0);
}

static void any_change(world *w, bool steps) {
    wend__version *before = wend__map_acquire(w->map, false);
    const change did = draw(&w->seed, 10) || !steps ? publish_change(w, steps) : change_rules(w);
    wend__version *now = wend__map_acquire(w->map, false);
    cr_assert(!now->landmarks || now->landmarks == before->landmarks);
    cr_assert(did != CLOSES || now->landmarks == before->landmarks, "what was closed took landmarks away");
    if (now->landmarks != before->landmarks) {
        w->lost++;
        w->needed += belied(&w->w, before->landmarks, false) != 0;
    }
    wend__map_release(now, false);
    wend__map_release(before, false);
    check_left(&w->w, w->map);
}

static void prepare_again(world *w) {
    open_all_steps(w);
    check_left(&w->w, w->map);
    if (draw(&w->seed, 4) == 0) change_costs(w);
    cr_assert_eq(wend_map_prepare_landmarks(w->map, 1 + (int32_t)draw(&w->seed, 8)), WEND_OK);
    check_left(&w->w, w->map);
}

static void edit_fork(world *w, bool steps) {
    world fork = world_fork(w);
    cr_assert_eq(info_of(fork.map).landmarks, info_of(w->map).landmarks);
    for (int i = 0; i < 12; i++) any_change(i % 2 ? &fork : w, steps);
    prepare_again(&fork);
    check_left(&w->w, w->map);
    world_free(&fork);
}

static void run(int32_t width, int32_t height, uint32_t blocked, uint64_t seed, bool steps) {
    world w = world_create(width, height, blocked, seed, NULL);
    for (int i = 0; i < 300; i++) {
        if (info_of(w.map).landmarks == 0 || draw(&w.seed, 25) == 0) prepare_again(&w);
        if (draw(&w.seed, 40) == 0) edit_fork(&w, steps);
        any_change(&w, steps);
    }
    cr_assert_gt(w.needed, 0u);
    cr_log_info("%d x %d: landmarks went %u times, %u of these they had to", (int)width, (int)height, (unsigned)w.lost,
                (unsigned)w.needed);
    world_free(&w);
}

Test(landmarks, that_are_left_after_edits_are_belied_by_no_step) {
    run(130, 70, 5, 1, false);
    run(70, 66, 150, 2, false);
    run(66, 130, 330, 3, false);
}

Test(landmarks, that_are_left_after_steps_and_rules_changed_are_belied_by_no_step) {
    run(130, 70, 5, 4, true);
    run(70, 66, 150, 5, true);
    run(40, 30, 330, 6, true);
    run(20, 12, 250, 7, true);
}

/* Made while steps are closed, some one way only. */
Test(landmarks, made_while_steps_are_closed_are_belied_by_no_step_when_they_are_open) {
    for (uint64_t seed = 1; seed <= 40; seed++) {
        world w = world_create(24, 17, (uint32_t)seed % 4 * 100, seed, NULL);
        w.w.m.rules.neighbours = seed % 5 == 0 ? 4 : 8;
        w.w.m.rules.corners = (int32_t)(seed % 3);
        cr_assert_eq(wend_map_set_rules(w.map, &w.w.m.rules), WEND_OK);
        close_some(&w.w, w.map, seed, 8 * (uint32_t)seed);
        cr_assert_eq(wend_map_prepare_landmarks(w.map, 4), WEND_OK);
        check_left(&w.w, w.map);
        for (int i = 0; i < 4; i++) any_change(&w, true);
        open_all_steps(&w);
        check_left(&w.w, w.map);
        world_free(&w);
    }
}

/* A cell that opens behind closed steps is a way through the wall only when these open. */
Test(landmarks, are_looked_at_when_a_step_into_a_new_cell_opens) {
    const char *rows[] = {"..#..", "..#..", "..#..", "..#..", "..#..", "....."};
    world w = world_of_text(rows, 6, 2);
    publish_step(&w, 1, 0, 1, 0, false);
    publish_step(&w, 3, 0, -1, 0, false);
    publish_cell(&w, 2, 0, OPEN);
    check_left(&w.w, w.map);
    publish_step(&w, 1, 0, 1, 0, true);
    check_left(&w.w, w.map);
    publish_step(&w, 3, 0, -1, 0, true);
    check_left(&w.w, w.map);
    cr_assert_lt(info_of(w.map).landmarks, 2);
    world_free(&w);
}

/* ---- which edits take them ---- */

/* Doors, crowds, boxes put down and taken up again: cells that were open when the landmarks were made. */
Test(landmarks, stay_when_cells_and_steps_close_and_open_again) {
    world w = world_create(130, 70, 250, 1, NULL);
    cr_assert_eq(wend_map_prepare_landmarks(w.map, 4), WEND_OK);
    for (uint64_t round = 1; round <= 120; round++) {
        walled before = walled_copy(&w.w);
        wend_edit *edit = edit_begin(w.map);
        for (int i = 0; i < 5; i++) set_cell(&w, edit, any_cell(&w).x, any_cell(&w).y, WALL);
        if (round % 4 == 0) fill_box(&w, edit, 20, 20, WALL);
        edit_publish(edit);
        close_some(&w.w, w.map, round, 9);
        edit = edit_begin(w.map);
        for (int32_t i = 0; i < cells_of(&w.w); i++) set_cell(&w, edit, i % 130, i / 130, before.m.classes[i]);
        edit_publish(edit);
        open_all_steps(&w);
        cr_assert_eq(info_of(w.map).landmarks, 4, "gone in round %u", (unsigned)round);
        walled_free(&before);
    }
    wend__version *v = wend__map_acquire(w.map, false);
    check_fresh(&w.w, v);
    wend__map_release(v, false);
    world_free(&w);
}

/* It has no number. A short cut or not: nobody looks. */
Test(landmarks, go_when_a_cell_opens_that_was_blocked_when_they_were_made) {
    const char *rows[] = {"......", "......", "#####.", "#####.", "......", "...#.."};
    static const int32_t cells[][2] = {{1, 2}, {3, 3}, {3, 5}};
    world w = world_of_text(rows, 6, 4);
    for (int i = 0; i < 3; i++) {
        world fork = world_fork(&w);
        publish_cell(&fork, cells[i][0], cells[i][1], OPEN);
        check_left(&fork.w, fork.map);
        cr_assert_eq(info_of(fork.map).landmarks, 0);
        cr_assert_eq(info_of(w.map).landmarks, 4);
        world_free(&fork);
    }
    world_free(&w);
}

/* Not even where it is a chunk of one class again, and there are cells beyond the map's rim that look at it. */
Test(landmarks, stay_when_a_cell_at_the_rim_closes_and_opens_again) {
    world w = world_create(70, 90, 0, 1, NULL);
    cr_assert_eq(wend_map_prepare_landmarks(w.map, 4), WEND_OK);
    for (int i = 0; i < 2; i++) {
        publish_cell(&w, i ? 69 : 30, i ? 40 : 89, WALL);
        publish_cell(&w, i ? 69 : 30, i ? 40 : 89, OPEN);
        cr_assert_eq(info_of(w.map).landmarks, 4);
    }
    world_free(&w);
}

Test(landmarks, go_when_a_diagonal_step_opens_that_was_closed_when_they_were_made) {
    world w = world_create(9, 9, 0, 1, NULL);
    wend_edit *edit = edit_begin(w.map);
    for (int32_t i = 0; i < 8; i++) walled_wall(&w.w, edit, i, i, 1, 1);
    edit_publish(edit);
    cr_assert_eq(wend_map_prepare_landmarks(w.map, 2), WEND_OK);
    check_fresh_map(&w.w, w.map, 2);
    publish_step(&w, 0, 0, 1, 1, true);
    publish_step(&w, 1, 1, -1, -1, true);
    check_left(&w.w, w.map);
    cr_assert_eq(info_of(w.map).landmarks, 0);
    world_free(&w);
}

/* A cell that opens amid blocked ones has no step; two have one. */
Test(landmarks, go_when_cells_open_that_had_none_beside_them) {
    const char *rows[] = {".#####", ".#####", ".#####", ".#####", "......"};
    world w = world_of_text(rows, 5, 2);
    publish_cell(&w, 4, 1, OPEN);
    cr_assert_eq(info_of(w.map).landmarks, 2);
    world fork = world_fork(&w);
    publish_cell(&fork, 4, 2, OPEN);
    cr_assert_eq(info_of(fork.map).landmarks, 0);
    wend_edit *edit = edit_begin(w.map);
    set_cell(&w, edit, 3, 1, OPEN);
    set_cell(&w, edit, 4, 1, WALL);
    set_cell(&w, edit, 3, 2, OPEN);
    edit_publish(edit);
    cr_assert_eq(info_of(w.map).landmarks, 0);
    world_free(&fork);
    world_free(&w);
}

Test(landmarks, go_when_a_cost_changes) {
    static const int32_t pairs[2][2] = {{10, 15}, {9, 14}};
    world w = world_create(20, 20, 200, 1, NULL);
    for (int i = 0; i < 2; i++) {
        const wend_map_rules other = costs(pairs[i][0], pairs[i][1]), before = w.w.m.rules;
        cr_assert_eq(wend_map_prepare_landmarks(w.map, 2), WEND_OK);
        cr_assert_eq(wend_map_set_rules(w.map, &other), WEND_OK);
        cr_assert_eq(info_of(w.map).landmarks, 0);
        cr_assert_eq(wend_map_set_rules(w.map, &before), WEND_OK);
        cr_assert_eq(info_of(w.map).landmarks, 0);
    }
    world_free(&w);
}

enum { LONG = 200 };

/* A wall through the middle, open at its east end only. */
static world world_with_wall(int32_t landmarks) {
    world w = world_create(LONG, 101, 0, 1, NULL);
    wend_edit *edit = edit_begin(w.map);
    for (int32_t x = 0; x < LONG - 1; x++) set_cell(&w, edit, x, 50, WALL);
    edit_publish(edit);
    if (landmarks) cr_assert_eq(wend_map_prepare_landmarks(w.map, landmarks), WEND_OK);
    return w;
}

Test(landmarks, go_when_a_short_cut_is_dug_and_leave_nothing) {
    world w = world_with_wall(2), other = world_with_wall(0);
    const uint64_t bytes = info_of(w.map).landmark_bytes;
    cr_assert_eq(info_of(w.map).bytes, info_of(other.map).bytes + bytes);
    publish_cell(&w, 150, 20, WALL);
    publish_cell(&other, 150, 20, WALL);
    cr_assert_eq(info_of(w.map).landmarks, 2);
    cr_assert_eq(info_of(w.map).landmark_age, 1u);
    publish_cell(&w, 0, 50, OPEN);
    publish_cell(&other, 0, 50, OPEN);
    const wend_map_info info = info_of(w.map);
    cr_assert(info.landmarks == 0 && info.landmark_age == 0 && info.landmark_bytes == 0);
    cr_assert_eq(info.bytes, info_of(other.map).bytes);
    check_left(&w.w, w.map);
    world_free(&w);
    world_free(&other);
}

/* ---- fresh or not ---- */

static bool makes_a_version(wend_map *map, int32_t count) {
    const uint64_t serial = wend__map_serial(map), epoch = map_epoch(map);
    cr_assert_eq(wend_map_prepare_landmarks(map, count), WEND_OK);
    cr_assert_eq(map_epoch(map), epoch);
    cr_assert(wend__map_serial(map) - serial <= 1);
    return wend__map_serial(map) != serial;
}

Test(landmarks, are_made_anew_only_where_something_changed) {
    world w = world_create(130, 70, 200, 3, NULL);
    cr_assert_not(makes_a_version(w.map, 0));
    cr_assert(makes_a_version(w.map, 4));
    cr_assert_not(makes_a_version(w.map, 4));
    cr_assert(makes_a_version(w.map, 3));
    cr_assert(makes_a_version(w.map, 4));
    for (int i = 0; i < 60; i++) {
        publish_change(&w, true);
        const wend_map_info info = info_of(w.map);
        const bool fresh = info.landmarks == 4 && info.landmark_age == 0; /* nothing was written but what was there */
        cr_assert_neq(makes_a_version(w.map, 4), fresh);
        cr_assert_not(makes_a_version(w.map, 4));
    }
    change_costs(&w);
    cr_assert(makes_a_version(w.map, 4));
    cr_assert(makes_a_version(w.map, 0));
    cr_assert_eq(info_of(w.map).landmark_bytes, 0u);
    cr_assert_not(makes_a_version(w.map, 0));
    world_free(&w);
}

Test(landmarks, grow_older_with_each_publish_that_changes_a_step) {
    world w = world_create(130, 70, 0, 3, NULL);
    cr_assert_eq(wend_map_prepare_landmarks(w.map, 2), WEND_OK);
    publish_cell(&w, 64, 30, WALL);
    cr_assert_eq(info_of(w.map).landmark_age, 1u);
    publish_cell(&w, 64, 30, WALL);
    publish_cell(&w, 20, 30, MUD);
    cr_assert_eq(info_of(w.map).landmark_age, 1u);
    publish_step(&w, 80, 40, 1, 0, false);
    cr_assert_eq(info_of(w.map).landmark_age, 2u);
    cr_assert(makes_a_version(w.map, 2));
    cr_assert_eq(info_of(w.map).landmark_age, 0u);
    world_free(&w);
}

Test(landmarks, are_kept_when_jump_tables_movers_and_questions_come) {
    world w = world_create(130, 70, 100, 3, NULL);
    wend_mover mover = wend_mover_default();
    int32_t id, disconnects;
    mover.size = 2;
    cr_assert_eq(wend_map_prepare_landmarks(w.map, 3), WEND_OK);
    cr_assert_eq(wend_map_prepare_jumps(w.map), WEND_OK);
    cr_assert_eq(wend_map_add_mover(w.map, &mover, &id), WEND_OK);
    wend_edit *edit = edit_begin(w.map);
    set_cell(&w, edit, 64, 30, WALL);
    cr_assert_eq(wend_edit_would_disconnect(edit, 0, at(1, 1), at(100, 60), &disconnects), WEND_OK);
    edit_publish(edit);
    cr_assert_eq(wend_map_drop_jumps(w.map), WEND_OK);
    cr_assert_eq(info_of(w.map).landmarks, 3);
    cr_assert_eq(info_of(w.map).landmark_age, 1u);
    check_left(&w.w, w.map);
    world_free(&w);
}

/* ---- old versions and forks ---- */

static uint64_t sum_of(const wend__version *v) {
    uint64_t sum = v->landmarks_age;
    const wend__landmarks *l = v->landmarks;
    for (size_t i = 0; l && i < (l->bytes - sizeof *l) / sizeof *l->from; i++) sum = sum * 31 + l->from[i];
    return sum;
}

Test(landmarks, of_older_versions_and_forks_stay_as_they_are) {
    enum { KEPT = 8 };
    world w = world_create(130, 70, 100, 9, NULL), forks[KEPT];
    wend__version *kept[KEPT];
    uint64_t sums[KEPT];
    for (int i = 0; i < KEPT; i++) {
        cr_assert_eq(wend_map_prepare_landmarks(w.map, 1 + i), WEND_OK);
        publish_change(&w, false);
        kept[i] = wend__map_acquire(w.map, true);
        sums[i] = sum_of(kept[i]);
        forks[i] = world_fork(&w);
    }
    cr_assert_eq(wend_map_prepare_landmarks(w.map, 0), WEND_OK);
    for (int i = 0; i < KEPT; i++) {
        check_left(&forks[i].w, forks[i].map);
        any_change(&forks[i], false);
        cr_assert_eq(sum_of(kept[i]), sums[i]);
        wend__map_release(kept[i], true);
    }
    world_free(&w);
    for (int i = 0; i < KEPT; i++) {
        any_change(&forks[i], false);
        world_free(&forks[i]);
    }
}

Test(landmarks, are_freed_when_nobody_has_them_any_more) {
    counting c = {0};
    world w = world_create(130, 70, 100, 9, NULL);
    wend_map *map = map_with(&w.w.m, counting_allocator(&c), WEND_NO_LIMIT), *fork;
    const uint64_t bytes = info_of(map).bytes;
    cr_assert_eq(wend_map_prepare_landmarks(map, 4), WEND_OK);
    const uint64_t made = info_of(map).landmark_bytes;
    cr_assert_eq(info_of(map).bytes, bytes + made);
    wend__version *held = wend__map_acquire(map, true);
    cr_assert_eq(wend_map_fork(map, &fork), WEND_OK);
    cr_assert_eq(wend_map_prepare_landmarks(map, 0), WEND_OK);
    cr_assert(info_of(map).landmarks == 0 && info_of(fork).landmarks == 4);
    check_fresh(&w.w, held);
    wend__map_release(held, true);
    cr_assert_geq(info_of(map).bytes, bytes + made);
    cr_assert_eq(wend_map_prepare_landmarks(fork, 0), WEND_OK);
    wend_map_release(fork);
    cr_assert_eq(info_of(map).bytes, bytes);
    wend_map_release(map);
    cr_assert(c.bytes == 0 && c.blocks == 0);
    world_free(&w);
}

/* ---- limits ---- */

typedef int32_t act(wend_map *map);

static int32_t prepare_four(wend_map *map) {
    return wend_map_prepare_landmarks(map, 4);
}

static int32_t prepare_seven(wend_map *map) {
    return wend_map_prepare_landmarks(map, 7);
}

static int32_t prepare_none(wend_map *map) {
    return wend_map_prepare_landmarks(map, 0);
}

static int32_t open_boxes(wend_map *map) {
    wend_edit *edit;
    int32_t error = wend_edit_begin(map, &edit);
    if (error) return error;
    wend_edit_fill(edit, box_of(60, 60, 70, 66), OPEN);
    wend_edit_fill(edit, box_of(3, 5, 90, 40), OPEN);
    return wend_edit_publish(edit, NULL);
}

static uint64_t map_sum(wend_map *map) {
    wend__version *v = wend__map_acquire(map, false);
    const uint64_t sum = sum_of(v) + (uint64_t)(uintptr_t)v;
    wend__map_release(v, false);
    return sum;
}

/* Fail each allocation of an act in turn: nothing changes, and it still works afterwards. */
static void fail_everywhere(wend_map *map, counting *c, act *fn) {
    const wend_map_info before = info_of(map);
    const uint64_t sum = map_sum(map);
    int32_t error = WEND_OUT_OF_MEMORY;
    size_t failed = 0;
    for (size_t n = 1; error; n++) {
        c->calls = 0, c->fail_at = n;
        error = fn(map);
        c->fail_at = 0;
        if (!error) break;
        failed++;
        const wend_map_info now = info_of(map);
        cr_assert_eq(error, WEND_OUT_OF_MEMORY);
        cr_assert(now.bytes == before.bytes && c->bytes == now.bytes && now.epoch == before.epoch);
        cr_assert_eq(map_sum(map), sum);
    }
    cr_assert_gt(failed, 1u);
    cr_assert_eq(c->bytes, info_of(map).bytes);
}

Test(landmarks, are_unchanged_whichever_allocation_fails) {
    counting c = {0};
    world w = world_create(130, 70, 300, 5, NULL);
    wend_map *map = map_with(&w.w.m, counting_allocator(&c), WEND_NO_LIMIT);
    fail_everywhere(map, &c, prepare_four);
    check_fresh_map(&w.w, map, 4);
    fail_everywhere(map, &c, open_boxes);
    fail_everywhere(map, &c, prepare_seven);
    cr_assert_eq(info_of(map).landmarks, 7);
    fail_everywhere(map, &c, prepare_none);
    cr_assert_eq(info_of(map).landmarks, 0);
    wend_map_release(map);
    cr_assert(c.bytes == 0 && c.blocks == 0);
    world_free(&w);
}

Test(landmarks, are_refused_where_the_limit_of_bytes_is_met) {
    counting c = {0};
    world w = world_create(130, 70, 300, 5, NULL);
    wend_map *map = map_with(&w.w.m, counting_allocator(&c), WEND_NO_LIMIT);
    cr_assert_eq(prepare_four(map), WEND_OK);
    const uint64_t peak = info_of(map).bytes_peak;
    wend_map_release(map);
    for (uint64_t less = 0; less < 2; less++) {
        map = map_with(&w.w.m, counting_allocator(&c), peak - less);
        const uint64_t bytes = info_of(map).bytes;
        cr_assert_eq(prepare_four(map), less ? WEND_OUT_OF_MEMORY : WEND_OK);
        cr_assert_eq(info_of(map).landmarks, less ? 0 : 4);
        if (less) cr_assert_eq(info_of(map).bytes, bytes);
        wend_map_release(map);
    }
    cr_assert_eq(c.bytes, 0u);
    world_free(&w);
}

Test(landmarks, are_as_many_as_were_asked_for_or_none) {
    static const int32_t wrong[] = {-1, 9, INT32_MIN, INT32_MAX};
    world w = world_create(70, 30, 200, 3, NULL);
    cr_assert_eq(wend_map_prepare_landmarks(w.map, 2), WEND_OK);
    for (int i = 0; i < 4; i++) {
        cr_assert_eq(wend_map_prepare_landmarks(w.map, wrong[i]), WEND_BAD_ARGUMENT);
        check_fresh_map(&w.w, w.map, 2);
    }
    for (int32_t count = 8; count >= 1; count -= 7) {
        cr_assert_eq(wend_map_prepare_landmarks(w.map, count), WEND_OK);
        check_fresh_map(&w.w, w.map, count);
    }
    cr_assert_eq(wend_map_prepare_landmarks(w.map, 0), WEND_OK);
    cr_assert_eq(info_of(w.map).landmarks, 0);
    world_free(&w);
}

Test(landmarks, are_refused_on_voxels_and_graphs) {
    wend_map_def def = wend_map_default();
    wend_graph_def graph = wend_graph_default();
    wend_map *maps[2];
    def.kind = WEND_KIND_VOXEL, def.width = def.height = def.depth = 20;
    graph.node_count = 5;
    cr_assert_eq(wend_map_create(&def, &maps[0]), WEND_OK);
    cr_assert_eq(wend_graph_create(&graph, &maps[1]), WEND_OK);
    for (int i = 0; i < 2; i++) {
        const uint64_t serial = wend__map_serial(maps[i]);
        cr_assert_eq(wend_map_prepare_landmarks(maps[i], 4), WEND_UNSUPPORTED);
        cr_assert_eq(wend__map_serial(maps[i]), serial);
        cr_assert_eq(info_of(maps[i]).landmarks, 0);
        wend_map_release(maps[i]);
    }
}

Test(landmarks, are_made_while_a_batch_is_open) {
    world w = world_create(130, 70, 200, 3, NULL);
    set_class(&w, 7, 7, OPEN);
    set_class(&w, 9, 9, WALL);
    wend_map *map = w.map = remade(&w);
    wend_edit *edit = edit_begin(map);
    set_cell(&w, edit, 7, 7, WALL);
    cr_assert_eq(wend_map_prepare_landmarks(map, 4), WEND_OK);
    cr_assert_eq(info_of(map).landmarks, 4);
    edit_publish(edit); /* the batch began before there were any */
    cr_assert(info_of(map).landmarks == 4 && info_of(map).landmark_age == 1);
    check_left(&w.w, map);
    edit = edit_begin(map);
    cr_assert_eq(wend_map_prepare_landmarks(map, 3), WEND_OK);
    check_fresh_map(&w.w, map, 3);
    set_cell(&w, edit, 7, 7, OPEN); /* blocked when these were made */
    edit_publish(edit);
    cr_assert_eq(info_of(map).landmarks, 0);
    cr_assert_eq(wend_map_prepare_landmarks(map, 2), WEND_OK);
    edit = edit_begin(map);
    set_cell(&w, edit, 7, 7, WALL);
    cr_assert_eq(wend_map_prepare_landmarks(map, 0), WEND_OK);
    edit_publish(edit);
    cr_assert_eq(info_of(map).landmarks, 0); /* given up meanwhile */
    world_free(&w);
}

/* The rules may change while a batch is open. */
Test(landmarks, of_a_batch_go_when_costs_changed_since_it_began) {
    world w = world_create(130, 70, 200, 3, NULL);
    cr_assert_eq(wend_map_prepare_landmarks(w.map, 4), WEND_OK);
    wend_edit *edit = edit_begin(w.map);
    set_cell(&w, edit, 5, 5, WALL);
    w.w.m.rules = costs(5, 6);
    cr_assert_eq(wend_map_set_rules(w.map, &w.w.m.rules), WEND_OK);
    edit_publish(edit);
    cr_assert_eq(info_of(w.map).landmarks, 0);
    check_left(&w.w, w.map);
    world_free(&w);
}

static int32_t corridor(int32_t length, int32_t straight, int32_t diagonal) {
    const wend_map_rules rules = costs(straight, diagonal);
    world w = world_create(length, 1, 0, 1, &rules);
    const uint64_t serial = wend__map_serial(w.map), bytes = info_of(w.map).bytes;
    const int32_t error = wend_map_prepare_landmarks(w.map, 2);
    cr_assert_eq(info_of(w.map).landmarks, error ? 0 : 2);
    if (error) cr_assert(wend__map_serial(w.map) == serial && info_of(w.map).bytes == bytes);
    if (!error) check_fresh_map(&w.w, w.map, 2);
    world_free(&w);
    return error;
}

/* 2^27 is 256 steps of 2^19, and 2^27 - 1 is 511 steps of 262,657. */
Test(landmarks, are_refused_where_a_way_is_too_long) {
    cr_assert_eq(corridor(256, 1 << 19, (1 << 19) + 1), WEND_OK);
    cr_assert_eq(corridor(257, 1 << 19, (1 << 19) + 1), WEND_UNSUPPORTED);
    cr_assert_eq(corridor(512, 262657, 262658), WEND_OK);
    cr_assert_eq(corridor(513, 262657, 262658), WEND_UNSUPPORTED);
    cr_assert_eq(corridor(2000, 500000, 750000), WEND_OK); /* units of 250,000 */
}

Test(landmarks, are_refused_where_diagonal_steps_cost_as_much_as_one_or_two) {
    cr_assert_eq(corridor(10, 10, 10), WEND_UNSUPPORTED);
    cr_assert_eq(corridor(10, 10, 20), WEND_UNSUPPORTED);
    cr_assert_eq(corridor(10, 10, 11), WEND_OK);
    cr_assert_eq(corridor(10, 10, 19), WEND_OK);
}

/* The way is too long from the landmark, though not from the component's first cell. */
Test(landmarks, are_refused_where_a_way_is_too_long_from_a_landmark_only) {
    const wend_map_rules rules = costs(1 << 19, (1 << 19) + 1);
    world w = world_create(400, 2, 0, 1, &rules);
    wend_edit *edit = edit_begin(w.map);
    for (int32_t x = 0; x < 400; x++)
        if (x != 200) set_cell(&w, edit, x, 0, WALL);
    edit_publish(edit);
    cr_assert_eq(wend_map_prepare_landmarks(w.map, 1), WEND_UNSUPPORTED);
    cr_assert_eq(info_of(w.map).landmarks, 0);
    edit = edit_begin(w.map);
    set_cell(&w, edit, 201, 1, WALL);
    edit_publish(edit);
    cr_assert_eq(wend_map_prepare_landmarks(w.map, 1), WEND_OK);
    check_fresh_map(&w.w, w.map, 1);
    world_free(&w);
}

/* 1,024 blocks would do, but for the memory. */
Test(landmarks, are_refused_above_1024_blocks) {
    wend_map_def def = wend_map_default();
    wend_map *map;
    def.max_bytes = UINT64_C(64) << 20;
    def.width = 65536;
    for (int32_t blocks = 16; blocks <= 17; blocks++) {
        def.height = blocks == 16 ? 16384 : 16385;
        cr_assert_eq(wend_map_create(&def, &map), WEND_OK);
        cr_assert_eq(wend_map_prepare_landmarks(map, 1), blocks == 16 ? WEND_OUT_OF_MEMORY : WEND_UNSUPPORTED);
        cr_assert_eq(wend_map_prepare_landmarks(map, 0), WEND_OK);
        wend_map_release(map);
    }
}

/* ---- edits that come while they are made ---- */

/* An allocator that has something done, once, before it gives memory: makers of landmarks ask when they have begun. */
typedef struct meddler {
    void (*act)(void *context);
    void *context;
} meddler;

static void *meddling_alloc(void *context, size_t bytes, size_t alignment) {
    meddler *m = context;
    void (*fn)(void *) = m->act;
    (void)alignment;
    m->act = NULL;
    if (fn) fn(m->context);
    return malloc(bytes);
}

static void meddle_dig(void *context) {
    publish_cell(context, 0, 50, OPEN);
}

static void meddle_wall(void *context) {
    publish_cell(context, 150, 20, WALL);
}

static void meddle_mud(void *context) {
    publish_cell(context, 150, 20, WEND_CLASS_SWAMP);
}

static void meddle_costs(void *context) {
    world *w = context;
    w->w.m.rules = costs(5, 6);
    cr_assert_eq(wend_map_set_rules(w->map, &w->w.m.rules), WEND_OK);
}

static void meddle_twice(void *context) {
    meddle_dig(context);
    publish_cell(context, 0, 50, WALL);
}

static void check_meddled(void (*fn)(void *), int32_t left, uint64_t age) {
    world w = world_with_wall(0);
    meddler m = {0};
    const wend_allocator allocator = {.context = &m, .alloc = meddling_alloc, .free = filled_free};
    wend_map_release(w.map);
    w.map = map_with(&w.w.m, allocator, WEND_NO_LIMIT);
    m.act = fn, m.context = &w;
    cr_assert_eq(wend_map_prepare_landmarks(w.map, 2), WEND_OK);
    cr_assert_null(m.act);
    cr_assert_eq(info_of(w.map).landmarks, left);
    cr_assert_eq(info_of(w.map).landmark_age, age);
    check_left(&w.w, w.map);
    cr_assert_eq(wend_map_prepare_landmarks(w.map, 2), WEND_OK);
    check_fresh_map(&w.w, w.map, 2);
    world_free(&w);
}

Test(landmarks, are_held_against_edits_that_came_while_they_were_made) {
    check_meddled(meddle_dig, 0, 0);
    check_meddled(meddle_wall, 2, 1);
    check_meddled(meddle_mud, 2, 0);
    check_meddled(meddle_costs, 0, 0);
    check_meddled(meddle_twice, 2, 0);
}

static void meddle_open(void *context) {
    publish_cell(context, 150, 20, OPEN);
}

/* A door shuts, and opens while new ones are made, for which it is a wall: those from before are still right. */
Test(landmarks, of_before_stay_where_those_made_meanwhile_do_not_suit) {
    world w = world_with_wall(0);
    meddler m = {0};
    wend_map_release(w.map);
    w.map = map_with(&w.w.m, (wend_allocator){.context = &m, .alloc = meddling_alloc, .free = filled_free}, WEND_NO_LIMIT);
    for (int32_t had = 4; had >= 0; had -= 4) {
        cr_assert_eq(wend_map_prepare_landmarks(w.map, had), WEND_OK);
        publish_cell(&w, 150, 20, WALL);
        m = (meddler){meddle_open, &w};
        cr_assert_eq(wend_map_prepare_landmarks(w.map, 5), WEND_OK);
        cr_assert_null(m.act);
        cr_assert(info_of(w.map).landmarks == had && info_of(w.map).landmark_age == (had ? 2 : 0));
        check_left(&w.w, w.map);
    }
    world_free(&w);
}

typedef struct editing {
    wend_map *map;
    _Atomic int32_t wanted; ///< publishes still to be made; below 0: it is over
    bool failed;
} editing;

/* Boxes open and close: often more in all than there is time for while landmarks are made. */
static void publish_box(editing *e, uint64_t *seed) {
    wend_edit *edit;
    if (wend_edit_begin(e->map, &edit) == WEND_IN_USE) return;
    const int32_t x = (int32_t)draw(seed, 120), y = (int32_t)draw(seed, 60), more = draw(seed, 4) ? 0 : 9;
    wend_edit_fill(edit, box_of(x, y, x + more, y + more), draw(seed, 4) ? WALL : OPEN);
    e->failed = wend_edit_publish(edit, NULL) || e->failed;
}

static void *keep_editing(void *context) {
    editing *e = context;
    uint64_t seed = 11;
    for (int32_t wanted; (wanted = atomic_load(&e->wanted)) >= 0;) {
        if (wanted == 0) {
            sched_yield();
            continue;
        }
        publish_box(e, &seed);
        atomic_fetch_sub(&e->wanted, 1);
    }
    return NULL;
}

/* A version as it is now, by its classes alone. */
static void check_newest(wend_map *map) {
    wend__version *v = wend__map_acquire(map, false);
    walled w = walled_create(v->width, v->height, &v->rules);
    for (int32_t i = 0; i < cells_of(&w); i++) w.m.classes[i] = wend__version_class(v, i % v->width, i / v->width);
    if (v->landmarks) cr_assert_eq(belied(&w, v->landmarks, false), 0u);
    wend__map_release(v, false);
    walled_free(&w);
}

Test(landmarks, are_belied_by_no_step_where_another_thread_edits) {
    world w = world_create(130, 70, 50, 3, NULL);
    editing e = {.map = w.map};
    pthread_t thread;
    int32_t made = 0, kept = 0, meanwhile = 0;
    cr_assert_eq(pthread_create(&thread, NULL, keep_editing, &e), 0);
    for (int i = 0; i < 400; i++) {
        const uint64_t epoch = map_epoch(w.map);
        atomic_store(&e.wanted, 1 + i % 3);
        const int32_t error = wend_map_prepare_landmarks(w.map, 1 + i % 8);
        cr_assert(error == WEND_OK || error == WEND_IN_USE);
        made += error == WEND_OK, meanwhile += map_epoch(w.map) != epoch, kept += info_of(w.map).landmark_age > 0;
        check_newest(w.map);
        while (atomic_load(&e.wanted) > 0) sched_yield();
        check_newest(w.map);
    }
    atomic_store(&e.wanted, -1);
    cr_assert_eq(pthread_join(thread, NULL), 0);
    cr_log_info("%d of 400 made, %d while edits came, of these %d kept", (int)made, (int)meanwhile, (int)kept);
    cr_assert(!e.failed && made > 0);
    world_free(&w);
}
