/* SPDX-License-Identifier: MIT */
/* The numbers of landmarks by a plain search, and what edits leave of them by a look at every step. */
#include "map/landmarks/landmark_tables.h"
#include "map/version/version.h"
#include "models/landmarks_model.h"
#include "map/acceleration.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

enum { NONE = UINT32_MAX };
const int32_t step_x[8] = {0, 1, 0, -1, 1, 1, -1, -1}, step_y[8] = {-1, 0, 1, 0, -1, 1, 1, -1};

wend_map_info info_of(const wend_map *map) {
    wend_map_info info = {.struct_bytes = sizeof info};
    wend_map_get_info(map, &info);
    return info;
}

int32_t cells_of(const walled *w) {
    return w->m.width * w->m.height;
}

static const uint32_t *numbers_of(const walled *w, const wend__landmarks *l, int32_t cell) {
    return wend__landmark_numbers(l, cell % w->m.width, cell / w->m.width);
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

/* Cells whose number may lower others', each once. */
typedef struct wave {
    int32_t *ring;
    bool *waits;
    size_t room, head, tail;
} wave;

static wave wave_create(const walled *w) {
    const size_t room = (size_t)cells_of(w) + 1;
    return (wave){.ring = malloc(room * sizeof(int32_t)), .waits = calloc(room, sizeof(bool)), .room = room};
}

static void wave_add(wave *q, int32_t cell) {
    if (q->waits[cell]) return;
    q->waits[cell] = true;
    q->ring[q->tail] = cell, q->tail = (q->tail + 1) % q->room;
}

/* Cells are looked at again until no step lowers any number, in units. The queue is freed. */
static void lower_all(const walled *w, const wend__landmarks *l, uint32_t *numbers, wave *q) {
    while (q->head != q->tail) {
        const int32_t here = q->ring[q->head], x = here % w->m.width, y = here / w->m.width;
        q->head = (q->head + 1) % q->room;
        q->waits[here] = false;
        for (int d = 0; d < 8; d++) {
            if (!walled_step(w, x, y, step_x[d], step_y[d])) continue;
            const int32_t next = here + step_y[d] * w->m.width + step_x[d];
            const uint32_t number = numbers[here] + (d < 4 ? l->straight : l->diagonal);
            if (number >= numbers[next]) continue;
            numbers[next] = number;
            wave_add(q, next);
        }
    }
    free(q->ring);
    free(q->waits);
}

/* The cheapest ways from a cell to all others. */
static uint32_t *costs_from(const walled *w, const wend__landmarks *l, int32_t from) {
    uint32_t *costs = malloc((size_t)cells_of(w) * sizeof *costs);
    wave q = wave_create(w);
    memset(costs, 0xff, (size_t)cells_of(w) * sizeof *costs);
    costs[from] = 0;
    wave_add(&q, from);
    lower_all(w, l, costs, &q);
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

void check_fresh(const walled *w, const wend__version *v) {
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

void check_fresh_map(const walled *w, wend_map *map, int32_t count) {
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

uint32_t belied(const walled *w, const wend__landmarks *l, bool closed) {
    const walled s = strict(w);
    const bool four = w->m.rules.neighbours == 4;
    uint32_t wrong = 0;
    for (int32_t cell = 0; cell < cells_of(w); cell++)
        for (int d = 0; d < 8 && is_open(w, cell); d++) {
            if (!counts(&s, cell % w->m.width, cell / w->m.width, d, closed, four)) continue;
            const uint32_t *here = numbers_of(w, l, cell);
            const uint32_t *there = numbers_of(w, l, cell + step_y[d] * w->m.width + step_x[d]);
            for (uint32_t i = 0; i < l->count; i++) {
                if (!(l->valid >> i & 1)) continue;
                const uint32_t apart = here[i] > there[i] ? here[i] - there[i] : there[i] - here[i];
                wrong |= (uint32_t)(apart > (d < 4 ? l->straight : l->diagonal)) << i;
            }
        }
    return wrong;
}

void check_mended(const walled *w, const wend__landmarks *before, const wend__landmarks *now) {
    const walled s = strict(w);
    const uint32_t resting = wend__landmarks_in_repair(now);
    uint32_t *least = malloc((size_t)cells_of(w) * sizeof *least);
    for (uint32_t i = 0; i < now->count; i++) {
        if (!((now->valid | resting) >> i & 1)) continue;
        wave q = wave_create(w);
        for (int32_t cell = 0; cell < cells_of(w); cell++) {
            least[cell] = numbers_of(w, before, cell)[i];
            if (least[cell] != NONE && is_open(w, cell)) wave_add(&q, cell);
        }
        lower_all(&s, now, least, &q);
        for (int32_t cell = 0; cell < cells_of(w); cell++) {
            const uint32_t is = numbers_of(w, now, cell)[i], was = numbers_of(w, before, cell)[i];
            const uint32_t most = resting >> i & 1 ? was : least[cell];
            cr_assert(least[cell] <= is && is <= most, "cell %d, landmark %u: %u, not %u to %u", (int)cell, (unsigned)i,
                      (unsigned)is, (unsigned)least[cell], (unsigned)most);
        }
    }
    free(least);
}

uint32_t count_lowered(const walled *w, const wend__landmarks *before, const wend__landmarks *now, uint32_t landmark) {
    uint32_t count = 0;
    for (int32_t cell = 0; cell < cells_of(w); cell++)
        count += numbers_of(w, before, cell)[landmark] != numbers_of(w, now, cell)[landmark];
    return count;
}

static void check_kept(world *w, const wend__version *before) {
    wend__version *now = wend__map_acquire(w->map, false);
    cr_assert(now->landmarks && now->landmarks != before->landmarks);
    cr_assert_eq(now->landmarks->valid, before->landmarks->valid);
    cr_assert_eq(now->landmarks_age, before->landmarks_age + 1);
    cr_assert_neq(belied(&w->w, before->landmarks, false), 0u, "there was nothing to mend");
    check_mended(&w->w, before->landmarks, now->landmarks);
    check_left(&w->w, w->map);
    wend__map_release(now, false);
}

/* Those that are belied rest. Then they are mended, a few cells at a time. */
static void check_rested(const world *w, const wend__version *before) {
    wend__version *now = wend__map_acquire(w->map, false);
    const uint32_t wrong = before->landmarks->valid & belied(&w->w, before->landmarks, false);
    cr_assert_eq(now->landmarks->valid, before->landmarks->valid & ~wrong);
    cr_assert_eq(wend__landmarks_in_repair(now->landmarks), wrong);
    cr_assert_eq(now->landmarks_age, before->landmarks_age + 1);
    check_left(&w->w, w->map);
    wend__map_release(now, false);
    for (uint64_t left = 1; left > 0; check_left(&w->w, w->map))
        cr_assert_eq(wend__map_mend_landmarks(w->map, 1000, &left), WEND_OK);
    now = wend__map_acquire(w->map, false);
    cr_assert_eq(now->landmarks->valid, before->landmarks->valid);
    cr_assert_eq(now->landmarks_age, before->landmarks_age + 1);
    check_mended(&w->w, before->landmarks, now->landmarks);
    wend__map_release(now, false);
}

void check_opening(const world *w, void (*act)(world *w, const void *what), const void *what) {
    wend__version *before = wend__map_acquire(w->map, false);
    world kept = world_fork(w);
    wend__map_set_landmark_effort(kept.map, WEND_NO_LIMIT);
    act(&kept, what);
    check_kept(&kept, before);
    world_free(&kept);
    world rested = world_fork(w);
    wend__map_set_landmark_effort(rested.map, 0);
    act(&rested, what);
    check_rested(&rested, before);
    world_free(&rested);
    wend__map_release(before, false);
}

void check_left(const walled *w, wend_map *map) {
    const wend_map_info info = info_of(map);
    wend__version *v = wend__map_acquire(map, false);
    const wend__landmarks *l = v->landmarks;
    cr_assert_eq(info.landmarks, l ? (int32_t)wend__popcount64(l->valid) : 0);
    cr_assert_eq(info.landmark_bytes, l ? wend__landmarks_bytes(l) : 0u);
    cr_assert_eq(info.landmark_unrepaired, wend__landmarks_queued(l));
    if (l) cr_assert(l->valid || wend__landmarks_in_repair(l));
    if (l) cr_assert_eq(l->valid & wend__landmarks_in_repair(l), 0u);
    if (!l) cr_assert_eq(info.landmark_age, 0u);
    if (l) {
        cr_assert_eq((uint64_t)l->straight * (uint64_t)v->rules.cost_diagonal,
                     (uint64_t)l->diagonal * (uint64_t)v->rules.cost_straight);
        const uint32_t wrong = belied(w, l, info.closed_steps > 0);
        cr_assert_eq(wrong, 0u, "numbers from landmarks %02x are wrong", (unsigned)wrong);
    }
    wend__map_release(v, false);
}

uint64_t landmarks_sum(const wend__version *v) {
    uint64_t sum = v->landmarks_age;
    const wend__landmarks *l = v->landmarks;
    for (size_t i = 0; l && i < l->strip_count; i++)
        for (size_t k = 0; k < (size_t)WEND__STRIP_CELLS * l->count; k++) sum = sum * 31 + l->strips[i][k];
    return sum;
}

/* ---- worlds ---- */

world world_create(int32_t width, int32_t height, uint32_t blocked, uint64_t seed, const wend_map_rules *rules) {
    world w = {.w = walled_create(width, height, rules), .seed = seed};
    for (int32_t i = 0; i < width * height; i++) {
        const uint32_t roll = draw(&w.seed, 1000);
        w.w.m.classes[i] = roll < blocked ? WALL : roll < blocked + blocked / 4 ? MUD : OPEN;
    }
    w.map = map_of(&w.w.m);
    return w;
}

world world_of_text(const char *const *rows, int32_t count, int32_t landmarks) {
    model m = model_of_text(rows, count, NULL);
    world w = {.w = walled_create(m.width, m.height, NULL), .map = map_of(&m)};
    memcpy(w.w.m.classes, m.classes, (size_t)cells_of(&w.w));
    model_free(&m);
    cr_assert_eq(wend__map_prepare_landmarks(w.map, landmarks), WEND_OK);
    check_fresh_map(&w.w, w.map, landmarks);
    return w;
}

enum { LONG = 200 };

world world_with_wall(int32_t landmarks) {
    world w = world_create(LONG, 101, 0, 1, NULL);
    wend_edit *edit = edit_begin(w.map);
    for (int32_t x = 0; x < LONG - 1; x++) set_cell(&w, edit, x, 50, WALL);
    edit_publish(edit);
    if (landmarks) cr_assert_eq(wend__map_prepare_landmarks(w.map, landmarks), WEND_OK);
    return w;
}

world world_fork(const world *from) {
    world fork = {.w = walled_copy(&from->w), .seed = from->seed + 1};
    cr_assert_eq(wend_map_fork(from->map, &fork.map), WEND_OK);
    return fork;
}

void world_free(world *w) {
    wend_map_release(w->map);
    walled_free(&w->w);
}

wend_map_rules rules_of_costs(int32_t straight, int32_t diagonal) {
    wend_map_rules rules;
    wend_map_rules_init(&rules, sizeof rules);
    rules.cost_straight = straight, rules.cost_diagonal = diagonal, rules.cost_space = diagonal;
    return rules;
}

wend_map *map_with(const model *m, wend_allocator allocator, uint64_t max_bytes) {
    wend_map_def def;
    wend_map_def_init(&def, sizeof def);
    wend_map *map;
    def.width = m->width, def.height = m->height, def.rules = &m->rules;
    def.allocator = allocator, def.max_bytes = max_bytes;
    cr_assert_eq(wend_map_create(&def, &map), WEND_OK);
    wend_edit *edit = edit_begin(map);
    const wend_box all = box_of(0, 0, m->width - 1, m->height - 1);
    cr_assert_eq(wend_edit_set_box(edit, all, m->classes, (size_t)m->width), WEND_OK);
    edit_publish(edit);
    return map;
}

void plain_free(void *context, void *pointer, size_t bytes) {
    (void)context;
    (void)bytes;
    free(pointer);
}

/* ---- edits ---- */

wend_edit *edit_begin(wend_map *map) {
    wend_edit *edit;
    cr_assert_eq(wend_edit_begin(map, &edit), WEND_OK);
    return edit;
}

void edit_publish(wend_edit *edit) {
    cr_assert_eq(wend_edit_publish(edit, NULL), WEND_OK);
}

void set_cell(world *w, wend_edit *edit, int32_t x, int32_t y, uint8_t class) {
    w->w.m.classes[y * w->w.m.width + x] = class;
    cr_assert_eq(wend_edit_set_cell(edit, at(x, y), class), WEND_OK);
}

void publish_cell(world *w, int32_t x, int32_t y, uint8_t class) {
    wend_edit *edit = edit_begin(w->map);
    set_cell(w, edit, x, y, class);
    edit_publish(edit);
}

void publish_step(world *w, int32_t x, int32_t y, int32_t dx, int32_t dy, bool open) {
    wend_edit *edit = edit_begin(w->map);
    walled_set(&w->w, edit, x, y, dx, dy, open);
    edit_publish(edit);
}

void close_some(walled *w, wend_map *map, uint64_t seed, uint32_t count) {
    wend_edit *edit = edit_begin(map);
    while (count--) {
        const int32_t x = 1 + (int32_t)draw(&seed, (uint32_t)w->m.width - 2);
        const int32_t y = 1 + (int32_t)draw(&seed, (uint32_t)w->m.height - 2);
        const uint32_t d = draw(&seed, (uint32_t)w->m.rules.neighbours);
        walled_set(w, edit, x, y, step_x[d], step_y[d], false);
    }
    edit_publish(edit);
}

void open_all_steps(world *w) {
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

void open_cell(world *w, const void *what) {
    const int32_t *cell = what;
    publish_cell(w, cell[0], cell[1], OPEN);
}

void open_steps(world *w, const void *what) {
    (void)what;
    open_all_steps(w);
}
