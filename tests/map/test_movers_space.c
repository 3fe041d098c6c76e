/* SPDX-License-Identifier: MIT */
/* Movers among voxels and on graphs, compared with maps whose cells are the movers' places. */
#include "map/map_support.h"
#include "models/few_or_many.h"

#include "map/components/components.h"
#include "map/components/labels.h"
#include "map/kinds/voxels.h"
#include "map/movers/views.h"
#include "map/store/directions.h"
#include "map/store/map_layout.h"
#include "map/version/map.h"
#include "map/version/version.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>
#include <wend/ways.h>

/* ---- voxels ---- */

typedef struct space {
    int32_t width, height, depth;
    wend_map_rules rules;
    uint8_t *classes;
    uint32_t *closed;
    bool stepped; ///< some of them were closed
} space;

static size_t index_of(const space *s, int32_t x, int32_t y, int32_t z) {
    return ((size_t)z * (size_t)s->height + (size_t)y) * (size_t)s->width + (size_t)x;
}

static size_t volume(const space *s) {
    return (size_t)s->width * (size_t)s->height * (size_t)s->depth;
}

static space create_space(int32_t width, int32_t height, int32_t depth) {
    space s = {.width = width, .height = height, .depth = depth, .rules = default_rules()};
    s.rules.neighbours = 26, s.classes = malloc(volume(&s));
    memset(s.classes, WEND_CLASS_OPEN, volume(&s));
    s.closed = calloc(volume(&s), sizeof *s.closed);
    return s;
}

static void free_space(space *s) {
    free(s->classes);
    free(s->closed);
}

/* Factor and closed steps of all that the mover covers. */
static uint8_t stands(const space *s, const wend_mover *mover, int32_t x, int32_t y, int32_t z, uint32_t *closed) {
    uint8_t most = 0;
    bool blocked = false;
    *closed = 0;
    for (int32_t cz = z; cz < z + mover->size; cz++)
        for (int32_t cy = y; cy < y + mover->size; cy++)
            for (int32_t cx = x; cx < x + mover->size; cx++) {
                bool inside = cx < s->width && cy < s->height && cz < s->depth;
                size_t i = inside ? index_of(s, cx, cy, cz) : 0;
                uint8_t factor = inside ? mover->factors[s->classes[i]] : 0;
                if (inside) *closed |= s->closed[i];
                blocked = blocked || factor == 0;
                if (blocked && !s->stepped) return 0; /* the cell is blocked already */
                if (factor > most) most = factor;
            }
    return blocked ? 0 : most;
}

static space seen(const space *s, const wend_mover *mover) {
    space ground = create_space(s->width, s->height, s->depth);
    ground.rules = s->rules;
    for (unsigned class = 0; class < 256; class++) ground.rules.factors[class] = (uint8_t)class;
    for (int32_t z = 0; z < s->depth; z++)
        for (int32_t y = 0; y < s->height; y++)
            for (int32_t x = 0; x < s->width; x++) {
                size_t i = index_of(s, x, y, z);
                ground.classes[i] = stands(s, mover, x, y, z, &ground.closed[i]);
            }
    return ground;
}

static void close_all(wend_edit *edit, const space *s) {
    for (int32_t z = 0; z < s->depth; z++)
        for (int32_t y = 0; y < s->height; y++)
            for (int32_t x = 0; x < s->width; x++) {
                uint32_t steps = s->closed[index_of(s, x, y, z)];
                for (unsigned d = 0; d < 26; d++) {
                    wend_cell to = {x + wend__sx[d], y + wend__sy[d], z + wend__sz[d]};
                    if (!(steps >> d & 1) || !wend__map_has(edit->map, to)) continue;
                    cr_assert_eq(wend_edit_set_step(edit, (wend_cell){x, y, z}, to, false), WEND_OK);
                }
            }
}

static wend_map *map_of_space(const space *s) {
    wend_map_def def = default_map();
    def.kind = WEND_KIND_VOXEL;
    def.width = s->width, def.height = s->height, def.depth = s->depth, def.rules = &s->rules;
    wend_map *map = made_map(&def);
    wend_edit *edit = begin_edit(map);
    for (int32_t z = 0; z < s->depth; z++) {
        wend_box layer = {{0, 0, z}, {s->width - 1, s->height - 1, z}};
        cr_assert_eq(wend_edit_set_box(edit, layer, s->classes + index_of(s, 0, 0, z), (size_t)s->width), WEND_OK);
    }
    close_all(edit, s);
    cr_assert_eq(wend_edit_publish(edit, NULL), WEND_OK);
    return map;
}

static wend_cell any_cell(const space *s, uint64_t *seed) {
    return (wend_cell){(int32_t)draw(seed, (uint32_t)s->width), (int32_t)draw(seed, (uint32_t)s->height),
                       (int32_t)draw(seed, (uint32_t)s->depth)};
}

static void check_mover(wend_map *map, int32_t id, const space *s, const wend_mover *mover, uint64_t *seed) {
    OWNED(free_space) space expected = seen(s, mover);
    OWNED_MAP *as = map_of_space(&expected);
    wend__version *v = wend__map_acquire(map, false), *w = wend__map_acquire(as, false);
    const wend__version *ground = wend__version_view(v, id);
    for (int32_t z = 0; z < s->depth; z++)
        for (int32_t y = 0; y < s->height; y++)
            for (int32_t x = 0; x < s->width; x++) {
                wend_cell cell = {x, y, z};
                cr_assert_eq(wend__cell_factor(ground, cell), expected.classes[index_of(s, x, y, z)],
                             "size %d at (%d, %d, %d): %u for %u", mover->size, x, y, z,
                             wend__cell_factor(ground, cell), expected.classes[index_of(s, x, y, z)]);
                cr_assert_eq(wend__voxel_steps(ground, cell), wend__voxel_steps(w, cell));
            }
    cr_assert_eq(ground->max_factor, w->max_factor);
    cr_assert_eq(wend__version_components(ground), wend__version_components(w));
    for (int i = 0; i < 300; i++) {
        wend_cell a = any_cell(s, seed), b = any_cell(s, seed);
        bool other;
        bool one;
        cr_assert_eq(wend_map_reachable(map, id, a, b, &one), WEND_OK);
        cr_assert_eq(wend_map_reachable(as, WEND_MOVER_DEFAULT, a, b, &other), WEND_OK);
        cr_assert_eq(one, other);
    }
    wend__map_release(v, false);
    wend__map_release(w, false);
}

static wend_mover random_mover(uint64_t *seed, int32_t size) {
    wend_mover mover = default_mover();
    mover.size = size;
    for (int class = 2; class < 8; class++) mover.factors[class] = draw(seed, 3) ? (uint8_t)draw(seed, 256) : 0;
    mover.factors[0] = draw(seed, 4) ? 0 : 7;
    return mover;
}

static void fill_both(wend_edit *edit, space *s, int32_t most, uint64_t *seed) {
    wend_cell from = any_cell(s, seed), to = from;
    uint8_t class = (uint8_t)draw(seed, 8);
    to.x += (int32_t)draw(seed, (uint32_t)most), to.y += (int32_t)draw(seed, (uint32_t)most);
    to.z += (int32_t)draw(seed, (uint32_t)most);
    if (to.x >= s->width) to.x = s->width - 1;
    if (to.y >= s->height) to.y = s->height - 1;
    if (to.z >= s->depth) to.z = s->depth - 1;
    if (draw(seed, 2)) class = WEND_CLASS_OPEN;
    cr_assert_eq(wend_edit_fill_box(edit, (wend_box){from, to}, class), WEND_OK);
    for (int32_t z = from.z; z <= to.z; z++)
        for (int32_t y = from.y; y <= to.y; y++)
            memset(s->classes + index_of(s, from.x, y, z), class, (size_t)(to.x - from.x + 1));
}

static void close_both(wend_edit *edit, space *s, uint64_t *seed) {
    wend_cell from = any_cell(s, seed);
    unsigned d = draw(seed, 26), open = draw(seed, 4) == 0;
    wend_cell to = {from.x + wend__sx[d], from.y + wend__sy[d], from.z + wend__sz[d]};
    if (!wend__map_has(edit->map, to)) return;
    uint32_t *steps = &s->closed[index_of(s, from.x, from.y, from.z)];
    s->stepped = true;
    *steps = (*steps & ~(UINT32_C(1) << d)) | (uint32_t)!open << d;
    cr_assert_eq(wend_edit_set_step(edit, from, to, open), WEND_OK);
}

static void follow_changes(int32_t size, int32_t width, int32_t height, int32_t depth, bool steps) {
    uint64_t seed = (uint64_t)size * 104729 + (uint64_t)steps;
    OWNED(free_space) space s = create_space(width, height, depth);
    OWNED_MAP *map = map_of_space(&s);
    wend_mover movers[2] = {random_mover(&seed, size), random_mover(&seed, 1)};
    int32_t id;
    cr_assert_eq(wend_map_add_mover(map, &movers[0], &id), WEND_OK);
    for (int round = 0; round < 5; round++) {
        wend_edit *edit = begin_edit(map);
        for (int i = 0; i < 10; i++) fill_both(edit, &s, 1, &seed);
        for (int i = 0; i < 2; i++) fill_both(edit, &s, 20, &seed);
        for (int i = 0; steps && i < 20; i++) close_both(edit, &s, &seed);
        cr_assert_eq(wend_edit_publish(edit, NULL), WEND_OK);
        if (round == 2) cr_assert_eq(wend_map_add_mover(map, &movers[1], &id), WEND_OK);
        if (round == 3) {
            s.rules.corners = (int32_t)draw(&seed, 3);
            cr_assert_eq(wend_map_set_rules(map, &s.rules), WEND_OK);
        }
        check_mover(map, 1, &s, &movers[0], &seed);
        if (round >= 2) check_mover(map, 2, &s, &movers[1], &seed);
    }
}

Test(map_movers_space, of_every_size_see_every_change) {
    const bool all = few_or_many(0, 1);
    for (int32_t size = 1; size <= WEND_MAX_MOVER_SIZE - !all; size += all ? (size < 4 ? 1 : 4) : 3 * size)
        follow_changes(size, 35, all ? 32 + size : 33, all ? 50 - size : 18, false);
    follow_changes(WEND_MAX_MOVER_SIZE, all ? 33 : 20, all ? 34 : 33, all ? 35 : 19, false);
}

Test(map_movers_space, see_maps_smaller_than_a_chunk) {
    for (int32_t size = 1; size <= 5; size++) follow_changes(size, 7, 40, 3, false);
}

Test(map_movers_space, are_stopped_by_the_closed_steps_of_all_that_they_cover) {
    for (int32_t size = 1; size <= 4; size += few_or_many(3, 1)) follow_changes(size, 34, 21, 19, true);
}

/* ---- graphs ---- */

enum { NODES = 9000 };

/* A chain with some nodes left out and some edges more. */
static wend_map *create_graph(uint64_t *seed) {
    static wend_edge edges[NODES * 2];
    static uint8_t present[NODES];
    uint64_t count = 0;
    for (uint32_t i = 0; i < NODES; i++) present[i] = i % 997 != 500;
    for (uint32_t i = 0; i + 2 < NODES; i++) {
        uint32_t to = i + 1 + draw(seed, 2);
        if (present[i] && present[to]) edges[count++] = (wend_edge){i, to, 1 + (int32_t)draw(seed, 9)};
    }
    wend_graph_def def = default_graph();
    def.node_count = NODES, def.present = present, def.edges = edges, def.edge_count = count;
    return made_graph(&def);
}

static void check_nodes(wend_map *map, int32_t id, const wend_mover *mover, const uint8_t *classes, wend_map *as,
                        uint64_t *seed) {
    wend_edit *edit = begin_edit(as);
    wend__version *v = wend__map_acquire(map, false);
    for (int32_t i = 0; i < NODES; i++) {
        if (!wend__map_has(map, at(i, 0))) continue;
        uint8_t factor = mover->factors[classes[i]];
        cr_assert_eq(wend__cell_factor(wend__version_view(v, id), at(i, 0)), factor);
        cr_assert_eq(wend_edit_set_cell(edit, at(i, 0), factor), WEND_OK);
    }
    cr_assert_eq(wend_edit_publish(edit, NULL), WEND_OK);
    wend__version *w = wend__map_acquire(as, false);
    cr_assert_eq(wend__version_components(wend__version_view(v, id)), wend__version_components(w));
    for (int i = 0; i < 300; i++) {
        wend_cell a = at((int32_t)draw(seed, NODES), 0), b = at((int32_t)draw(seed, NODES), 0);
        bool one, other;
        const wend_error error = wend_map_reachable(map, id, a, b, &one);
        cr_assert_eq(error, wend_map_reachable(as, WEND_MOVER_DEFAULT, a, b, &other));
        if (!error) cr_assert_eq(one, other);
    }
    wend__map_release(v, false);
    wend__map_release(w, false);
}

Test(map_movers_space, see_graphs) {
    uint64_t seed = 71, same = 71;
    static uint8_t classes[NODES];
    OWNED_MAP *map = create_graph(&seed), *as = create_graph(&same);
    wend_map_rules info_rules = rules_now(as);
    for (unsigned class = 0; class < 256; class++) info_rules.factors[class] = (uint8_t)class;
    cr_assert_eq(wend_map_set_rules(as, &info_rules), WEND_OK);
    memset(classes, WEND_CLASS_OPEN, sizeof classes);
    wend_mover mover = random_mover(&seed, 1), large = random_mover(&seed, 2);
    mover.factors[3] = 0, mover.factors[4] = 9;
    int32_t id;
    cr_assert_eq(wend_map_add_mover(map, &large, &id), WEND_BAD_ARGUMENT);
    cr_assert_eq(wend_map_add_mover(map, &mover, &id), WEND_OK);
    for (int round = 0; round < 4; round++) {
        wend_edit *edit = begin_edit(map);
        for (int i = 0; i < 200; i++) {
            wend_cell node = at((int32_t)draw(&seed, NODES), 0);
            if (!wend__map_has(map, node)) continue;
            classes[node.x] = (uint8_t)(1 + draw(&seed, 5));
            cr_assert_eq(wend_edit_set_cell(edit, node, classes[node.x]), WEND_OK);
        }
        cr_assert_eq(wend_edit_publish(edit, NULL), WEND_OK);
        check_nodes(map, id, &mover, classes, as, &seed);
    }
}
