/* SPDX-License-Identifier: MIT */
/* The far layer: costs against a plain search, levels against their children, repair against a layer made from
 * nothing. */
#include "map/map_support.h"
#include "models/dijkstra.h"

#include "fast/far/far_layer.h"
#include "map/movers/views.h"
#include "map/store/directions.h"
#include "map/version/version.h"
#include "models/few_or_many.h"

#include <criterion/criterion.h>
#include <wend/stream.h>
#include <wend/ways.h>

typedef enum ground { CAVES, NOISE, ROOMS, OPEN, GROUNDS } ground;

typedef struct world {
    wend_map *map;
    int32_t mover;
    int32_t width, height;
    uint64_t seed;
} world;

static uint32_t dice(world *w, uint32_t below) {
    return draw(&w->seed, below);
}

static uint8_t class_of(world *w, ground g, int32_t x, int32_t y, bool slow) {
    const bool wall = g == CAVES   ? ((x / 9 * 7 + y / 7 * 13) % 5 < 2 && (x % 9 > 1 || y % 7 > 1)) || dice(w, 60) == 0
                      : g == NOISE ? dice(w, 100) < 34
                      : g == ROOMS ? (x % 23 == 0 || y % 19 == 0) && dice(w, 12) > 0
                                   : dice(w, 4000) == 0;
    return wall ? WEND_CLASS_BLOCKED : slow && dice(w, 8) == 0 ? (uint8_t)(2 + dice(w, 3)) : WEND_CLASS_OPEN;
}

static void fill(wend_edit *edit, int32_t x0, int32_t y0, int32_t x1, int32_t y1, uint8_t class) {
    cr_assert_eq(wend_edit_fill_box(edit, box_of(x0, y0, x1, y1), class), WEND_OK);
}

static void close_steps(world *w, wend_edit *edit, uint32_t count) {
    for (; count > 0; count--) {
        const wend_cell a = at((int32_t)dice(w, (uint32_t)w->width - 1), (int32_t)dice(w, (uint32_t)w->height - 1));
        const wend_cell b = dice(w, 2) ? at(a.x + 1, a.y) : at(a.x, a.y + 1);
        if (dice(w, 2)) cr_assert_eq(wend_edit_set_step(edit, a, b, false), WEND_OK);
        cr_assert_eq(wend_edit_set_step(edit, b, a, false), WEND_OK);
    }
}

/* @param size   1: the default mover's layer; else that of a mover of this size */
static world world_create(ground g, bool slow, int32_t levels, int32_t size, uint64_t seed) {
    wend_map_def def = default_map();
    wend_map_rules rules = default_rules();
    const int32_t width = 64 * enough_or_many(4, 6) + (int32_t)seed % 50, height = 64 * enough_or_many(1, 5) + 17;
    wend_mover mover = default_mover();
    world w = {.width = width, .height = height, .seed = seed};
    rules.factors[2] = 2, rules.factors[3] = 5, rules.factors[4] = 255;
    def.width = width, def.height = height, def.rules = &rules;
    cr_assert_eq(wend_map_create(&def, &w.map), WEND_OK);
    wend_edit *edit = begin_edit(w.map);
    for (int32_t y = 0; y < height; y++)
        for (int32_t x = 0; x < width; x++) {
            const bool patch = slow && (x / 64 + y / 64) % 3 == 0;
            const uint8_t class = class_of(&w, g, x, y, patch);
            if (class != WEND_CLASS_OPEN) fill(edit, x, y, x, y, class);
        }
    if (slow) close_steps(&w, edit, 30);
    cr_assert_eq(wend_edit_publish(edit, NULL), WEND_OK);
    mover.size = size, mover.factors[2] = 3;
    if (size > 1) cr_assert_eq(wend_map_add_mover(w.map, &mover, &w.mover), WEND_OK);
    cr_assert_eq(wend__map_prepare_far(w.map, w.mover, levels), WEND_OK);
    return w;
}

/* ---- level 0 against a plain search in the chunk ---- */

static void search_chunk(const wend__version *v, const wend__far *far, wend__far_area a, wend_cell from,
                         int64_t *distances) {
    dijkstra d;
    int number;
    dijkstra_begin(&d, distances, WEND__CHUNK_CELLS);
    dijkstra_reach(&d, (from.y & 63) << 6 | (from.x & 63), 0);
    while (dijkstra_next(&d, &number)) {
        const int32_t x = a.column << 6 | (number & 63), y = a.row << 6 | number >> 6;
        for (unsigned k = 0; k < 8; k++) {
            const int32_t nx = x + wend__dx[k], ny = y + wend__dy[k];
            if (!(wend__version_steps(v, x, y) >> k & 1) || nx >> 6 != a.column || ny >> 6 != a.row) continue;
            const int64_t cost = (k < 4 ? WEND__FAR_STRAIGHT : far->diagonal) * wend__version_factor(v, nx, ny);
            dijkstra_reach(&d, (ny & 63) << 6 | (nx & 63), distances[number] + cost);
        }
    }
    dijkstra_end(&d);
}

static uint32_t rounded(const wend__far_record *r, int64_t cost) {
    if (cost < 0) return WEND__FAR_NONE;
    return (uint32_t)((cost + (INT64_C(1) << r->shift) - 1) >> r->shift << r->shift);
}

static wend_cell cell_of(const wend__far *far, wend__far_area a, uint32_t gate) {
    const wend__far_record *r = wend__far_get(far, a);
    return wend__far_cell(a, wend__far_side(r, gate), wend__far_places(r)[gate]);
}

static void check_chunk(const wend__version *v, wend__far_area a) {
    int64_t distances[WEND__CHUNK_CELLS];
    uint32_t there[WEND__FAR_GATES], back[WEND__FAR_GATES];
    const wend__far_record *r = wend__far_get(v->far, a);
    for (uint32_t i = 0; i < wend__far_count(r); i++) {
        search_chunk(v, v->far, a, cell_of(v->far, a, i), distances);
        wend__far_row(r, i, false, there);
        for (uint32_t j = 0; j < wend__far_count(r); j++) {
            const wend_cell c = cell_of(v->far, a, j);
            cr_assert_eq(there[j], rounded(r, distances[(c.y & 63) << 6 | (c.x & 63)]), "chunk %d, %d: gates %u, %u",
                         a.column, a.row, i, j);
            wend__far_row(r, j, true, back);
            cr_assert_eq(back[i], there[j]);
        }
    }
}

/* ---- higher levels against a plain search over the gates of their children ---- */

static void search_block(const wend__far *far, wend__far_area a, wend_cell from, unsigned side, int64_t *distances) {
    dijkstra d;
    int number;
    const int bits = wend__far_bits(a.level - 1);
    const wend__far_area first = wend__far_area_at(a.level - 1, from);
    const uint32_t mask = (1u << bits) - 1, place = (uint32_t)(side & 1 ? from.x : from.y) & mask;
    const uint32_t gate = wend__far_gate_at(wend__far_get(far, first), side, place);
    dijkstra_begin(&d, distances, 16 * 256);
    dijkstra_reach(&d, (int)((uint32_t)((first.row & 3) << 2 | (first.column & 3)) << 8 | gate), 0);
    while (dijkstra_next(&d, &number)) {
        uint32_t costs[WEND__FAR_GATES];
        const wend__far_area child = {a.level - 1, a.column << 2 | (number >> 8 & 3), a.row << 2 | number >> 10};
        const wend__far_record *r = wend__far_get(far, child);
        wend__far_row(r, (uint32_t)number & 255, false, costs);
        for (uint32_t j = 0; j < wend__far_count(r); j++)
            if (costs[j] != WEND__FAR_NONE) dijkstra_reach(&d, (number & ~255) | (int)j, distances[number] + costs[j]);
        const unsigned over = wend__far_side(r, (uint32_t)number & 255);
        const wend__far_area next = wend__far_beyond(child, over);
        const uint32_t factor = wend__far_crossing(r, (uint32_t)number & 255, false);
        if (!wend__far_has(far, next) || !wend__far_same(wend__far_above(next), a) || factor == 0) continue;
        const uint32_t mate = ((uint32_t)number & 255) - r->first[over] + wend__far_get(far, next)->first[over ^ 2];
        dijkstra_reach(&d, (int)((uint32_t)((next.row & 3) << 2 | (next.column & 3)) << 8 | mate),
                       distances[number] + WEND__FAR_STRAIGHT * factor);
    }
    dijkstra_end(&d);
}

static void check_block(const wend__far *far, wend__far_area a) {
    static int64_t distances[16 * 256];
    uint32_t costs[WEND__FAR_GATES];
    const wend__far_record *r = wend__far_get(far, a);
    const int bits = wend__far_bits(a.level - 1);
    for (uint32_t i = 0; i < wend__far_count(r); i++) {
        search_block(far, a, cell_of(far, a, i), wend__far_side(r, i), distances);
        wend__far_row(r, i, false, costs);
        for (uint32_t j = 0; j < wend__far_count(r); j++) {
            const wend_cell c = cell_of(far, a, j);
            const wend__far_area child = wend__far_area_at(a.level - 1, c);
            const uint32_t place = (uint32_t)(wend__far_side(r, j) & 1 ? c.x : c.y) & ((1u << bits) - 1);
            const uint32_t gate = wend__far_gate_at(wend__far_get(far, child), wend__far_side(r, j), place);
            const int64_t cost = distances[((child.row & 3) << 2 | (child.column & 3)) << 8 | (int)gate];
            cr_assert_eq(costs[j], rounded(r, cost), "level %d, %d, %d: gates %u, %u: %u, not %lld", a.level, a.column,
                         a.row, i, j, costs[j], (long long)cost);
        }
    }
}

/* ---- a layer ---- */

static void each(const wend__far *far, void (*check)(const void *context, wend__far_area a), const void *context) {
    for (wend__far_area a = {0, 0, 0}; a.level < far->levels; a.level++)
        for (a.row = 0; a.row < far->rows[a.level]; a.row++)
            for (a.column = 0; a.column < far->columns[a.level]; a.column++) check(context, a);
}

static void check_costs(const void *context, wend__far_area a) {
    const wend__version *v = context;
    if (a.level == 0)
        check_chunk(v, a);
    else
        check_block(v->far, a);
}

static const wend__far *compared;

static void check_same(const void *context, wend__far_area a) {
    const wend__far_record *x = wend__far_get(context, a), *y = wend__far_get(compared, a);
    cr_assert_eq(x->shared.bytes, y->shared.bytes, "level %d, %d, %d", a.level, a.column, a.row);
    cr_assert_arr_eq(x->first, y->first, x->shared.bytes - offsetof(wend__far_record, first));
}

/* Against a layer made from nothing, in a fork. */
static void check_like_new(const world *w) {
    OWNED_MAP *fork = forked(w->map);
    OWNED_VERSION *v = wend__map_acquire(w->map, false);
    const wend__far *far = wend__version_view(v, w->mover)->far;
    cr_assert_eq(wend__map_prepare_far(fork, w->mover, far->levels), WEND_OK);
    OWNED_VERSION *fresh = wend__map_acquire(fork, false);
    compared = wend__version_view(fresh, w->mover)->far;
    cr_assert_eq(far->stale, 0);
    each(far, check_same, far);
    cr_assert(wend__far_numbers_hold(far));
}

static void edit_some(world *w) {
    wend_edit *edit = begin_edit(w->map);
    for (uint32_t i = 1 + dice(w, 4); i > 0; i--) {
        const int32_t x = (int32_t)dice(w, (uint32_t)w->width), y = (int32_t)dice(w, (uint32_t)w->height);
        const int32_t most = dice(w, 6) ? 1 : 20, x1 = x + (int32_t)dice(w, (uint32_t)most);
        const int32_t y1 = y + (int32_t)dice(w, (uint32_t)most);
        fill(edit, x, y, x1 < w->width ? x1 : x, y1 < w->height ? y1 : y, (uint8_t)dice(w, 3));
    }
    if (dice(w, 4) == 0) close_steps(w, edit, 1 + dice(w, 3));
    cr_assert_eq(wend_edit_publish(edit, NULL), WEND_OK);
}

static void run(ground g, bool slow, int32_t levels, int edits, int32_t size, uint64_t seed) {
    world w = world_create(g, slow, levels, size, seed);
    wend__version *v = wend__map_acquire(w.map, false);
    const wend__version *view = wend__version_view(v, w.mover);
    cr_assert_eq(view->far->stale, 0);
    each(view->far, check_costs, view);
    cr_assert(wend__far_numbers_hold(view->far));
    wend__map_release(v, false);
    for (int i = 0; i < edits; i++) {
        uint64_t left = 0;
        edit_some(&w);
        if (dice(&w, 3) > 0) continue;
        do {
            cr_assert_eq(wend__map_repair_far(w.map, 1 + dice(&w, 3 * WEND_FAR_EFFORT), &left), WEND_OK);
            if (dice(&w, 20) == 0) edit_some(&w);
        } while (left > 0);
        cr_assert_eq(wend__map_repair_far(w.map, UINT64_MAX, &left), WEND_OK);
        check_like_new(&w);
    }
    wend_map_release(w.map);
}

/* ---- asked for by the public interface ---- */

static wend_map *open_map(int32_t width, const wend_map_rules *rules) {
    wend_map_def def = default_map();
    def.width = width, def.height = 64, def.rules = rules;
    return made_map(&def);
}

static void accelerate_far(wend_map *map, int32_t far, int32_t later) {
    wend_acceleration def = default_acceleration();
    def.landmarks = 0, def.far = far, def.later = later;
    cr_assert_eq(wend_map_accelerate(map, &def), WEND_OK);
}

Test(far, is_made_where_it_is_asked_for_and_by_default_on_large_maps) {
    static const struct {
        int32_t width, far, levels;
    } cases[] = {{WEND_FAR_SIDE, WEND_FAR_LARGE, 0},
                 {WEND_FAR_SIDE + 1, WEND_FAR_LARGE, 2},
                 {WEND_FAR_SIDE + 1, 0, 0},
                 {200, 1, 2},
                 {8192, 1, 2},
                 {8193, 1, 3}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        OWNED_MAP *map = open_map(cases[i].width, NULL);
        accelerate_far(map, cases[i].far, 0);
        const wend_map_info info = info_now(map);
        cr_assert_eq(info.far_levels, cases[i].levels);
        cr_assert_eq(info.far_stale, 0);
        accelerate_far(map, 0, 0);
        cr_assert_eq(info_now(map).far_levels, 0);
    }
}

Test(far, is_left_out_under_rules_that_it_does_not_serve) {
    wend_map_rules rules = default_rules();
    rules.neighbours = 4;
    wend_map *four = open_map(200, &rules);
    accelerate_far(four, 1, 0);
    cr_assert_eq(info_now(four).far_levels, 0);
    wend_map_release(four);
    OWNED_MAP *map = open_map(200, NULL);
    accelerate_far(map, 1, 0);
    cr_assert_eq(info_now(map).far_levels, 2);
    rules.neighbours = 8, rules.corners = WEND_CORNERS_ALWAYS;
    cr_assert_eq(wend_map_set_rules(map, &rules), WEND_OK);
    cr_assert_eq(info_now(map).far_levels, 0);
}

/* Made later, then repaired after edits: by maintenance alone, in slices of any size. */
Test(far, is_made_and_repaired_by_maintenance) {
    world w = world_create(CAVES, false, 2, 1, 7);
    wend_acceleration def = default_acceleration();
    uint64_t left;
    def.far = 0;
    cr_assert_eq(wend_map_accelerate(w.map, &def), WEND_OK);
    def.far = def.later = 1;
    cr_assert_eq(wend_map_accelerate(w.map, &def), WEND_OK);
    for (int i = 0; i < 4; i++) {
        const uint64_t stale = info_now(w.map).far_stale;
        cr_assert_gt(stale, 0);
        cr_assert_eq(wend_map_maintain(w.map, WEND_MAINTAIN_FAR, 0, &left), WEND_OK);
        cr_assert_eq(left, stale * WEND_FAR_EFFORT);
        cr_assert_eq(wend_map_maintain(w.map, WEND_MAINTAIN_LANDMARKS, WEND_NO_LIMIT, NULL), WEND_OK);
        cr_assert_eq(info_now(w.map).far_stale, stale);
        while (left > 0)
            cr_assert_eq(wend_map_maintain(w.map, WEND_MAINTAIN_FAR, 1 + dice(&w, 5 * WEND_FAR_EFFORT), &left),
                         WEND_OK);
        check_like_new(&w);
        edit_some(&w);
    }
    wend_edit *edit = begin_edit(w.map);
    wend_error error;
    do error = wend_map_maintain(w.map, WEND_MAINTAIN_FAR, 1, NULL);
    while (!error);
    cr_assert_eq(error, WEND_IN_USE, "what is complete waits for its version");
    wend_edit_discard(edit);
    cr_assert_eq(wend_map_maintain(w.map, WEND_MAINTAIN_FAR, WEND_NO_LIMIT, &left), WEND_OK);
    cr_assert_eq(left, 0);
    wend_map_release(w.map);
}

/* Slices too short to make an object, while others edit in between: work that does not depend on an edit goes on, the
 * rest begins again. So it ends, and equals a layer made from nothing. */
Test(far, goes_on_in_the_next_slice_with_what_is_under_way) {
    for (uint64_t seed = 1; seed <= (uint64_t)enough_or_many(4, 6); seed++) {
        world w = world_create(seed % 2 ? CAVES : NOISE, seed % 3 == 0, 2, 1, seed);
        wend_acceleration def = default_acceleration();
        def.far = 0;
        cr_assert_eq(wend_map_accelerate(w.map, &def), WEND_OK);
        def.far = 1, def.later = true, def.tables = false, def.landmarks = 0;
        cr_assert_eq(wend_map_accelerate(w.map, &def), WEND_OK);
        uint64_t left = 1, calls = 0;
        const uint64_t all = info_now(w.map).far_stale;
        for (; left > 0; calls++) {
            if (calls < 20 * all && dice(&w, 40) == 0) edit_some(&w);
            cr_assert_eq(wend_map_maintain(w.map, WEND_MAINTAIN_FAR, 1 + dice(&w, 400), &left), WEND_OK);
        }
        cr_assert_gt(calls, 4 * all, "an object takes several slices");
        check_like_new(&w);
        wend_map_release(w.map);
    }
}

/* A chunk changes, so its record is stale; its neighbour's record is made for the change; then the chunk gets back its
 * old cells: its record stays as it was, and the neighbour's is made again. */
Test(far, gates_agree_though_a_record_comes_out_as_it_was) {
    const wend__far_area above = {0, 0, 0}, below = {0, 0, 1};
    wend_map_def def = default_map();
    uint64_t left = 1;
    def.width = WEND_CHUNK_SIDE, def.height = 2 * WEND_CHUNK_SIDE, def.streamed = 1;
    OWNED_MAP *map = made_map(&def);
    wend_edit *edit = begin_edit(map);
    cr_assert_eq(wend_edit_load(edit, 0, 0, NULL, 0), WEND_OK);
    cr_assert_eq(wend_edit_publish(edit, NULL), WEND_OK);
    accelerate_far(map, 1, 0);
    edit = begin_edit(map);
    cr_assert_eq(wend_edit_load(edit, 0, 1, NULL, 0), WEND_OK);
    cr_assert_eq(wend_edit_set_cell(edit, (wend_cell){5, 5, 0}, WEND_CLASS_BLOCKED), WEND_OK);
    cr_assert_eq(wend_edit_publish(edit, NULL), WEND_OK);
    for (bool stale = true; stale;) {
        cr_assert_eq(wend_map_maintain(map, WEND_MAINTAIN_FAR, 1, NULL), WEND_OK);
        OWNED_VERSION *now = wend__map_newest(map);
        stale = wend__far_is_stale(now->far, above);
        cr_assert(wend__far_is_stale(now->far, below), "the case occurred");
    }
    edit = begin_edit(map);
    cr_assert_eq(wend_edit_unload(edit, 0, 1, WEND_LAND_ABSENT), WEND_OK);
    cr_assert_eq(wend_edit_publish(edit, NULL), WEND_OK);
    while (left > 0) cr_assert_eq(wend_map_maintain(map, WEND_MAINTAIN_FAR, 10000, &left), WEND_OK);
    wend__version *now = wend__map_newest(map);
    cr_assert_eq(wend__far_count(wend__far_get(now->far, below)), 0);
    cr_assert_eq(wend__far_count(wend__far_get(now->far, above)), 0, "no gate leads to land that is absent");
    wend__map_release(now, false);
}

/* A job is done, and waits for its version while a batch is open. The batch makes all of its layer: the job is dropped,
 * and no other mover's layer gets its record. */
Test(far, a_job_whose_layer_was_made_meanwhile_is_dropped) {
    world w = world_create(CAVES, false, 2, 1, 11);
    wend_mover mover = default_mover();
    int32_t slow;
    wend_error error = WEND_OK;
    uint64_t left = 1;
    mover.factors[WEND_CLASS_OPEN] = 3;
    cr_assert_eq(wend_map_add_mover(w.map, &mover, &slow), WEND_OK);
    wend_acceleration def = default_acceleration();
    def.tables = false, def.landmarks = 0, def.far = 1, def.later = true, def.mover = slow;
    edit_some(&w);
    cr_assert_eq(wend_map_accelerate(w.map, &def), WEND_OK);
    wend_edit *edit = begin_edit(w.map);
    while (!error) error = wend_map_maintain(w.map, WEND_MAINTAIN_FAR, 1, NULL);
    cr_assert_eq(error, WEND_IN_USE, "it is done");
    wend_edit_discard(edit);
    def.mover = WEND_MOVER_DEFAULT, def.later = 0;
    cr_assert_eq(wend_map_accelerate(w.map, &def), WEND_OK);
    while (left > 0) cr_assert_eq(wend_map_maintain(w.map, WEND_MAINTAIN_FAR, 3000, &left), WEND_OK);
    check_like_new(&w);
    wend_map_release(w.map);
}

/* A slice in which nothing was completed makes no version. */
Test(far, makes_a_version_only_of_what_is_complete) {
    world w = world_create(CAVES, false, 2, 1, 9);
    edit_some(&w);
    const uint64_t stale = info_now(w.map).far_stale, serial = wend__map_serial(w.map);
    cr_assert_gt(stale, 0);
    cr_assert_eq(wend_map_maintain(w.map, WEND_MAINTAIN_FAR, 1, NULL), WEND_OK);
    cr_assert_eq(info_now(w.map).far_stale, stale);
    cr_assert_eq(wend__map_serial(w.map), serial);
    wend_map_release(w.map); /* with the object under way */
}

Test(far, keeps_to_the_bytes_of_the_definition) {
    world w = world_create(CAVES, false, 2, 1, 8);
    wend_acceleration def = default_acceleration();
    def.tables = false, def.landmarks = 0, def.far = 1;
    wend__version *v = wend__map_acquire(w.map, false);
    def.max_bytes = wend__far_bytes(v->far);
    wend__map_release(v, false);
    cr_assert_eq(wend_map_accelerate(w.map, &def), WEND_OK);
    def.max_bytes--;
    cr_assert_eq(wend_map_accelerate(w.map, &def), WEND_OUT_OF_MEMORY);
    wend_map_release(w.map);
}

Test(far, costs_and_repairs_on_even_ground) {
    for (int g = 0; g < GROUNDS; g++) run((ground)g, false, 2, 6, 1, 10 + (uint64_t)g);
}

Test(far, costs_and_repairs_on_slow_ground_with_closed_steps) {
    for (int g = 0; g < GROUNDS; g++) run((ground)g, true, 2, 4, 1, 20 + (uint64_t)g);
}

Test(far, costs_and_repairs_at_three_levels) {
    for (int g = 0; g < GROUNDS; g++) run((ground)g, g == 1, 3, 4, 1, 33 + (uint64_t)g);
}

Test(far, costs_and_repairs_of_a_large_mover) {
    for (int g = 0; g < 2; g++) run((ground)g, g == 1, 2, 4, 2, 40 + (uint64_t)g);
}
