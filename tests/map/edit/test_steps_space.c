/* SPDX-License-Identifier: MIT */
/* Closed steps between voxels, against the words of the rules. */
#include "models/few_or_many.h"
#include "models/voxel_model.h"

#include "map/components/components.h"
#include "map/components/labels.h"
#include "map/kinds/voxels.h"
#include "map/query/step_cost.h"
#include "map/store/directions.h"
#include "map/store/map_layout.h"
#include "map/version/version.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <wend/ways.h>

typedef struct walled {
    space s;
    uint32_t *closed; ///< bits of each cell: bit (dz + 1) * 9 + (dy + 1) * 3 + dx + 1
} walled;

static size_t number(const walled *w, wend_cell c) {
    return ((size_t)c.z * (size_t)w->s.height + (size_t)c.y) * (size_t)w->s.width + (size_t)c.x;
}

static wend_cell cell_of(const walled *w, size_t i) {
    size_t width = (size_t)w->s.width, height = (size_t)w->s.height;
    return in3((int32_t)(i % width), (int32_t)(i / width % height), (int32_t)(i / width / height));
}

static bool inside(const walled *w, wend_cell c) {
    return c.x >= 0 && c.y >= 0 && c.z >= 0 && c.x < w->s.width && c.y < w->s.height && c.z < w->s.depth;
}

static wend_cell plus(wend_cell c, wend_cell d) {
    return in3(c.x + d.x, c.y + d.y, c.z + d.z);
}

static uint32_t bit_of(wend_cell d) {
    return UINT32_C(1) << ((d.z + 1) * 9 + (d.y + 1) * 3 + d.x + 1);
}

static bool closed(const walled *w, wend_cell c, wend_cell d) {
    return (w->closed[number(w, c)] & bit_of(d)) != 0;
}

static void set(walled *w, wend_edit *edit, wend_cell c, wend_cell d, bool open) {
    uint32_t now = w->closed[number(w, c)];
    cr_assert_eq(wend_edit_set_step(edit, c, plus(c, d), open), WEND_OK);
    w->closed[number(w, c)] = open ? now & ~bit_of(d) : now | bit_of(d);
}

/* ---- the rules ---- */

static wend_cell straight(wend_cell d, int axis) {
    return in3(axis == 0 ? d.x : 0, axis == 1 ? d.y : 0, axis == 2 ? d.z : 0);
}

static wend_cell less(wend_cell d, int axis) {
    return in3(axis == 0 ? 0 : d.x, axis == 1 ? 0 : d.y, axis == 2 ? 0 : d.z);
}

static bool none(wend_cell d) {
    return !d.x && !d.y && !d.z;
}

/* Straight steps to the far corner of the box that is left: by some order of axes, or by every one. */
static bool ways(const walled *w, wend_cell c, wend_cell left, bool every) {
    if (none(left)) return true;
    for (int axis = 0; axis < 3; axis++) {
        wend_cell d = straight(left, axis);
        if (none(d)) continue;
        bool can = space_open(&w->s, plus(c, d)) && !closed(w, c, d) && ways(w, plus(c, d), less(left, axis), every);
        if (can != every) return can;
    }
    return every;
}

static bool step(const walled *w, wend_cell c, wend_cell d) {
    int32_t axes = abs(d.x) + abs(d.y) + abs(d.z), most = w->s.rules.neighbours;
    if (axes == 0 || axes > (most == 6 ? 1 : most == 18 ? 2 : 3)) return false;
    if (!space_open(&w->s, plus(c, d)) || closed(w, c, d)) return false;
    if (w->s.rules.corners == WEND_CORNERS_ALWAYS) return true;
    return ways(w, c, d, w->s.rules.corners == WEND_CORNERS_NEVER);
}

/* ---- steps of a map ---- */

static void check_steps(const walled *w, const wend__version *v) {
    uint64_t count = 0;
    for (size_t i = 0; i < space_cells(&w->s); i++) {
        wend_cell c = cell_of(w, i);
        uint32_t expected = 0, steps = wend__voxel_steps(v, c);
        for (int d = 0; d < 26; d++) expected |= (uint32_t)step(w, c, in3(wend__sx[d], wend__sy[d], wend__sz[d])) << d;
        cr_assert_eq(steps, expected, "(%d, %d, %d): %07x for %07x, %d neighbours, corners %d", c.x, c.y, c.z, steps,
                     expected, w->s.rules.neighbours, w->s.rules.corners);
        wend__place p = wend__place_of(v, c);
        const wend__chunk *chunk = wend__version_chunk(v, p.column, p.row);
        cr_assert_eq(wend__voxel_steps_at(v, chunk, p.local, c), expected);
        for (uint32_t bits = w->closed[i]; bits; bits &= bits - 1) count++;
    }
    cr_assert_eq(v->closed_steps, count);
}

static void check_list(const walled *w, wend_map *map) {
    size_t count;
    wend_map_get_closed_steps(map, NULL, 0, &count);
    wend_step *steps = malloc((count + 1) * sizeof *steps);
    uint32_t *seen = calloc(space_cells(&w->s), sizeof *seen);
    wend_map_get_closed_steps(map, steps, count, &count);
    for (size_t i = 0; i < count; i++) {
        wend_cell a = steps[i].from, b = steps[i].to, d = in3(b.x - a.x, b.y - a.y, b.z - a.z);
        cr_assert(closed(w, a, d) && !(seen[number(w, a)] & bit_of(d)));
        seen[number(w, a)] |= bit_of(d);
    }
    free(steps);
    free(seen);
}

/* Cells that weak steps join have one component, and different ones different components. */
static void check_components(const walled *w, const wend__version *v) {
    size_t cells = space_cells(&w->s), waiting;
    uint64_t count = 0, *of = malloc(cells * sizeof *of);
    size_t *stack = malloc(cells * sizeof *stack);
    bool *seen = calloc(cells, sizeof *seen);
    for (size_t seed = 0; seed < cells; seed++) {
        if (seen[seed] || !space_open(&w->s, cell_of(w, seed))) continue;
        uint64_t component = wend__component_of(v, cell_of(w, seed));
        for (uint64_t i = 0; i < count; i++) cr_assert_neq(of[i], component, "two components are one");
        of[count++] = component;
        stack[0] = seed, waiting = 1, seen[seed] = true;
        while (waiting > 0) {
            wend_cell c = cell_of(w, stack[--waiting]);
            cr_assert_eq(wend__component_of(v, c), component, "(%d, %d, %d) is apart", c.x, c.y, c.z);
            for (int i = 0; i < 26; i++) {
                wend_cell d = in3(wend__sx[i], wend__sy[i], wend__sz[i]), to = plus(c, d);
                if (!space_open(&w->s, to) || seen[number(w, to)]) continue;
                if (!step(w, c, d) && !step(w, to, in3(-d.x, -d.y, -d.z))) continue;
                seen[number(w, to)] = true;
                stack[waiting++] = number(w, to);
            }
        }
    }
    cr_assert_eq(wend__version_components(v), count);
    free(of);
    free(stack);
    free(seen);
}

static void check(const walled *w, wend_map *map) {
    OWNED_VERSION *v = wend__map_acquire(map, false);
    check_steps(w, v);
    check_components(w, v);
    check_list(w, map);
}

/* ---- random batches ---- */

static wend_cell random_cell(const walled *w, uint64_t *seed) {
    wend_cell c = cell_of(w, draw(seed, (uint32_t)space_cells(&w->s)));
    if (draw(seed, 3) == 0 && w->s.width > 16) c.x = 15 + (int32_t)draw(seed, 2);
    if (draw(seed, 3) == 0 && w->s.depth > 16) c.z = 15 + (int32_t)draw(seed, 2);
    return c;
}

static void random_batch(walled *w, wend_map *map, uint64_t *seed) {
    wend_edit *edit = begin_edit(map);
    for (uint32_t i = draw(seed, 4) ? draw(seed, 1000) : 1; i < 1000; i++) {
        wend_cell c = random_cell(w, seed);
        int d = (int)draw(seed, (uint32_t)w->s.rules.neighbours);
        wend_cell way = in3(wend__sx[d], wend__sy[d], wend__sz[d]);
        bool open = draw(seed, 8) == 0;
        if (draw(seed, 8) == 0) {
            *space_at(&w->s, c) = (uint8_t)draw(seed, 3);
            cr_assert_eq(wend_edit_set_cell(edit, c, *space_at(&w->s, c)), WEND_OK);
        }
        if (!inside(w, plus(c, way))) continue;
        set(w, edit, c, way, open);
        if (draw(seed, 4)) set(w, edit, plus(c, way), in3(-way.x, -way.y, -way.z), open);
    }
    cr_assert_eq(wend_edit_publish(edit, NULL), WEND_OK);
}

/* A cell all by itself: the steps to and from all its neighbours. */
static void shut_in(walled *w, wend_edit *edit, wend_cell c, bool open) {
    for (int i = 0; i < w->s.rules.neighbours; i++) {
        wend_cell d = in3(wend__sx[i], wend__sy[i], wend__sz[i]);
        if (!inside(w, plus(c, d))) continue;
        set(w, edit, c, d, open);
        set(w, edit, plus(c, d), in3(-d.x, -d.y, -d.z), open);
    }
}

static walled walled_create(wend_cell size, int32_t neighbours, int32_t corners) {
    wend_map_rules rules = default_rules();
    rules.neighbours = neighbours, rules.corners = corners;
    walled w = {.s = space_create(size.x, size.y, size.z, &rules)};
    w.closed = calloc(space_cells(&w.s), sizeof *w.closed);
    return w;
}

static void walled_free(walled *w) {
    space_free(&w->s);
    free(w->closed);
}

static const int32_t neighbours[3] = {6, 18, 26};

Test(map_steps_space, are_those_of_the_rules_over_many_batches) {
    const wend_cell sizes[] = {{3, 3, 3}, {20, 5, 18}, {33, 17, 2}, {18, 18, 18}};
    uint64_t seed = 1;
    const int batches = few_or_many(2, 6);
    for (int i = 0; i < 72; i += few_or_many(11, 1)) {
        OWNED(walled_free) walled w = walled_create(sizes[i % 4], neighbours[i / 4 % 3], i / 12 % 3);
        for (size_t k = 0; k < space_cells(&w.s) && i % 2; k++)
            *space_at(&w.s, cell_of(&w, k)) = draw(&seed, 100) < 20 ? 0 : 1;
        OWNED_MAP *map = space_map_written(&w.s);
        for (int k = 0; k < batches; k++) {
            random_batch(&w, map, &seed);
            check(&w, map);
            w.s.rules.corners = (int32_t)draw(&seed, 3);
            w.s.rules.neighbours = neighbours[draw(&seed, 3)];
            cr_assert_eq(wend_map_set_rules(map, &w.s.rules), WEND_OK);
            check(&w, map);
        }
    }
}

Test(map_steps_space, part_a_cell_that_they_shut_in) {
    const wend_cell cells[] = {{15, 15, 15}, {16, 16, 16}, {5, 5, 5}, {0, 0, 0}, {15, 3, 7}, {17, 17, 17}};
    for (int32_t corners = 0; corners <= 2; corners++)
        for (size_t n = 0; n < 3; n++) {
            OWNED(walled_free) walled w = walled_create(in3(18, 18, 18), neighbours[n], corners);
            OWNED_MAP *map = space_map_written(&w.s);
            for (size_t i = n; i < sizeof cells / sizeof *cells; i += (size_t)few_or_many(6, 1))
                for (int open = 0; open <= 1; open++) {
                    bool reachable;
                    IN_BATCH(map, shut_in(&w, edit, cells[i], open));
                    check(&w, map);
                    cr_assert_eq(wend_map_reachable(map, WEND_MOVER_DEFAULT, cells[i], in3(9, 10, 9), &reachable),
                                 WEND_OK);
                    cr_assert_eq(reachable, open);
                }
        }
}

Test(map_steps_space, lead_to_neighbours_only) {
    for (size_t n = 0; n < 3; n++) {
        OWNED(walled_free) walled w = walled_create(in3(20, 20, 20), neighbours[n], 0);
        OWNED_MAP *map = space_map_written(&w.s);
        for (int32_t i = 0; i < 125; i++) {
            wend_cell d = in3(i % 5 - 2, i / 5 % 5 - 2, i / 25 - 2);
            int32_t axes = abs(d.x) + abs(d.y) + abs(d.z), most = n == 0 ? 1 : n == 1 ? 2 : 3;
            bool near = axes > 0 && axes <= most && abs(d.x) < 2 && abs(d.y) < 2 && abs(d.z) < 2;
            wend_edit *edit = begin_edit(map);
            cr_assert_eq(wend_edit_set_step(edit, in3(15, 15, 15), plus(in3(15, 15, 15), d), false),
                         near ? WEND_OK : WEND_BAD_ARGUMENT);
            cr_assert_eq(wend_edit_publish(edit, NULL), near ? WEND_OK : WEND_BAD_ARGUMENT);
        }
        wend_map_info info = info_now(map);
        cr_assert_eq(info.closed_steps, (uint64_t)neighbours[n]);
    }
}

Test(map_steps_space, are_none_on_a_graph) {
    wend_graph_def def = default_graph();
    const wend_edge edge = {0, 1, 5};
    size_t count;
    def.node_count = 2, def.edges = &edge, def.edge_count = 1;
    OWNED_MAP *map = made_graph(&def);
    wend_edit *edit = begin_edit(map);
    cr_assert_eq(wend_edit_set_step(edit, at(0, 0), at(1, 0), false), WEND_BAD_ARGUMENT);
    cr_assert_eq(wend_edit_publish(edit, NULL), WEND_BAD_ARGUMENT);
    wend_map_get_closed_steps(map, NULL, 0, &count);
    cr_assert_eq(count, 0);
}
