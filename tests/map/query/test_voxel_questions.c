/* SPDX-License-Identifier: MIT */
/* Voxel maps and graphs: line of sight, and the nearest open cell. */
#include "models/voxel_model.h"
#include "models/few_or_many.h"

#include <criterion/criterion.h>
#include <stdlib.h>

static space random_space(int32_t width, int32_t height, int32_t depth, uint32_t of_ten, const wend_map_rules *rules,
                          uint64_t *seed) {
    space s = space_create(width, height, depth, rules);
    for (size_t i = 0; i < space_cells(&s); i++) s.classes[i] = draw(seed, 10) < of_ten;
    return s;
}

static wend_map_rules draw_rules(uint64_t *seed) {
    wend_map_rules rules = default_rules();
    rules.neighbours = (const int32_t[]){6, 18, 26}[draw(seed, 3)];
    rules.corners = (int32_t)draw(seed, 3), rules.cost_straight = 1 + (int32_t)draw(seed, 20);
    rules.cost_diagonal = rules.cost_straight + (int32_t)draw(seed, (uint32_t)rules.cost_straight + 1);
    int32_t saved = rules.cost_diagonal - rules.cost_straight;
    rules.cost_space = rules.cost_diagonal + (int32_t)draw(seed, (uint32_t)saved + 1);
    return rules;
}

/* ---- line of sight: all crossings of the line with the planes between cells, sorted by when they come ---- */

typedef struct crossing {
    int64_t time; ///< time on a line of duration `whole`
    int axis;
} crossing;

static int by_time(const void *a, const void *b) {
    const crossing *one = a, *other = b;
    return (one->time > other->time) - (one->time < other->time);
}

/* Every cell of the box between two cells is open. */
static bool all_open(const space *s, wend_cell a, wend_cell b) {
    for (int32_t z = a.z < b.z ? a.z : b.z; z <= (a.z < b.z ? b.z : a.z); z++)
        for (int32_t y = a.y < b.y ? a.y : b.y; y <= (a.y < b.y ? b.y : a.y); y++)
            for (int32_t x = a.x < b.x ? a.x : b.x; x <= (a.x < b.x ? b.x : a.x); x++)
                if (!space_open(s, in3(x, y, z))) return false;
    return true;
}

static bool line_step(const space *s, wend_cell from, const int32_t step[3]) {
    wend_cell to = {from.x + step[0], from.y + step[1], from.z + step[2]};
    int axes = abs(step[0]) + abs(step[1]) + abs(step[2]);
    bool known = s->rules.neighbours == 26 || axes == 1 || (s->rules.neighbours == 18 && axes == 2);
    return known ? space_step(s, from, step[0], step[1], step[2]) : all_open(s, from, to);
}

static wend_cell last_seen(const space *s, wend_cell from, wend_cell to) {
    const int32_t way[3] = {to.x - from.x, to.y - from.y, to.z - from.z};
    const int64_t whole = 2 * 12252240; /* 1 to 18 divide half of it */
    crossing all[3 * 32];
    size_t count = 0;
    if (!space_open(s, from)) return from;
    for (int axis = 0; axis < 3; axis++)
        for (int i = 0; i < abs(way[axis]); i++)
            all[count++] = (crossing){.time = (2 * i + 1) * whole / (2 * abs(way[axis])), .axis = axis};
    qsort(all, count, sizeof *all, by_time);
    for (size_t i = 0; i < count;) {
        int32_t step[3] = {0};
        for (int64_t now = all[i].time; i < count && all[i].time == now; i++)
            step[all[i].axis] = way[all[i].axis] < 0 ? -1 : 1;
        if (!line_step(s, from, step)) return from;
        from = in3(from.x + step[0], from.y + step[1], from.z + step[2]);
    }
    return from;
}

Test(map_voxel_questions, see_as_far_as_the_line_is_open) {
    uint64_t seed = 41;
    int seen = 0, hidden = 0;
    for (int world = 0; world < 60; world++) {
        wend_map_rules rules = draw_rules(&seed);
        OWNED(space_free) space s = random_space(18, 19, 17, 8 + draw(&seed, 2), &rules, &seed);
        OWNED_MAP *map = space_map_written(&s);
        for (int i = 0; i < 400; i++) {
            wend_cell from = space_draw_box(&s, &seed).min, to = space_draw_box(&s, &seed).max, last, expected;
            bool back;
            bool visible;
            expected = last_seen(&s, from, to);
            cr_assert_eq(wend_map_line_of_sight(map, 0, from, to, &visible, &last), WEND_OK);
            cr_assert(same_cell(last, expected), "(%d, %d, %d) to (%d, %d, %d)", from.x, from.y, from.z, to.x, to.y,
                      to.z);
            cr_assert_eq(visible, space_open(&s, from) && same_cell(last, to));
            cr_assert_eq(wend_map_line_of_sight(map, 0, to, from, &back, NULL), WEND_OK);
            cr_assert_eq(back, visible, "(%d, %d, %d) to (%d, %d, %d)", from.x, from.y, from.z, to.x, to.y, to.z);
            seen += visible, hidden += !visible;
        }
    }
    cr_assert(seen > 1000 && hidden > 1000, "%d seen, %d hidden", seen, hidden);
}

Test(map_voxel_questions, see_nothing_through_one_wall_and_all_without) {
    OWNED(space_free) space s = space_create(20, 300, 40, NULL);
    OWNED_MAP *map = space_map(&s, NULL);
    wend_cell last;
    bool visible;
    cr_assert_eq(wend_map_line_of_sight(map, 0, in3(3, 0, 0), in3(17, 299, 39), &visible, NULL), WEND_OK);
    cr_assert_eq(visible, 1);
    IN_BATCH(map, cr_assert_eq(wend_edit_fill_box(edit, (wend_box){{0, 150, 0}, {19, 150, 39}}, 0), WEND_OK));
    cr_assert_eq(wend_map_line_of_sight(map, 0, in3(3, 0, 0), in3(17, 299, 39), &visible, &last), WEND_OK);
    cr_assert(visible == 0 && last.y == 149);
    cr_assert_eq(wend_map_line_of_sight(map, 0, in3(3, 0, 0), in3(17, 299, 40), &visible, &last), WEND_OUT_OF_RANGE);
    cr_assert_eq(wend_map_line_of_sight(map, 1, in3(3, 0, 0), in3(17, 299, 39), &visible, &last), WEND_BAD_ARGUMENT);
    cr_assert_eq(wend_map_line_of_sight(map, -1, in3(3, 0, 0), in3(17, 299, 39), &visible, &last), WEND_BAD_ARGUMENT);
}

/* ---- nearest: costs on empty ground from going step by step until nothing gets cheaper ---- */

enum { REACH = 20, AREA = REACH + 4 };
typedef struct costs {
    uint64_t of[AREA][AREA][AREA]; ///< z, y, x; the start is at 2, 2, 2
} costs;

static bool relax(costs *c, const wend_map_rules *rules, const int at[3]) {
    bool better = false;
    for (int d = 0; d < 27; d++) {
        int to[3] = {at[0] + d % 3 - 1, at[1] + d / 3 % 3 - 1, at[2] + d / 9 - 1};
        int axes = (d % 3 != 1) + (d / 3 % 3 != 1) + (d / 9 != 1);
        if (!axes || axes > (rules->neighbours == 6 ? 1 : rules->neighbours == 18 ? 2 : 3)) continue;
        if (to[0] < 0 || to[1] < 0 || to[2] < 0 || to[0] >= AREA || to[1] >= AREA || to[2] >= AREA) continue;
        int32_t step = axes == 1 ? rules->cost_straight : axes == 2 ? rules->cost_diagonal : rules->cost_space;
        uint64_t cost = c->of[at[2]][at[1]][at[0]] + (uint64_t)step, *old = &c->of[to[2]][to[1]][to[0]];
        if (cost < *old) *old = cost, better = true;
    }
    return better;
}

static void fill_costs(costs *c, const wend_map_rules *rules) {
    memset(c, 0x3F, sizeof *c);
    c->of[2][2][2] = 0;
    for (bool better = true; better;) {
        better = false;
        for (int i = 0; i < AREA * AREA * AREA; i++)
            if (relax(c, rules, (const int[]){i % AREA, i / AREA % AREA, i / AREA / AREA})) better = true;
    }
}

static bool expect_nearest(const space *s, const costs *c, wend_cell from, int32_t reach, wend_cell *out) {
    uint64_t best = UINT64_MAX;
    wend_cell at;
    for (at.z = 0; at.z < s->depth; at.z++)
        for (at.y = 0; at.y < s->height; at.y++)
            for (at.x = 0; at.x < s->width; at.x++) {
                int dx = abs(at.x - from.x), dy = abs(at.y - from.y), dz = abs(at.z - from.z);
                if (!space_open(s, at) || dx > reach || dy > reach || dz > reach) continue;
                if (c->of[dz + 2][dy + 2][dx + 2] >= best) continue;
                best = c->of[dz + 2][dy + 2][dx + 2];
                *out = at;
            }
    return best != UINT64_MAX;
}

Test(map_voxel_questions, find_the_nearest_open_cell) {
    uint64_t seed = 51;
    costs *c = malloc(sizeof *c);
    int hits = 0, misses = 0;
    for (int world = enough_or_many(10, 25); world > 0; world--) {
        wend_map_rules rules = draw_rules(&seed);
        OWNED(space_free) space s = space_create(19, 20, 18, &rules);
        memset(s.classes, 0, space_cells(&s));
        for (uint32_t i = draw(&seed, 25); i-- > 0;) *space_at(&s, space_draw_box(&s, &seed).min) = 1;
        OWNED_MAP *map = space_map_written(&s);
        fill_costs(c, &rules);
        for (int i = 0; i < 40; i++) {
            wend_cell from = space_draw_box(&s, &seed).max, out = {-1, -1, -1}, expected = {-1, -1, -1};
            const int32_t reach = (int32_t)draw(&seed, REACH + 1);
            bool found;
            bool any = expect_nearest(&s, c, from, reach, &expected);
            cr_assert_eq(wend_map_nearest_open(map, 0, from, reach, &found, &out), WEND_OK);
            cr_assert(found == any && same_cell(out, expected),
                      "neighbours %d, costs %d %d %d: (%d, %d, %d) for (%d, %d, %d)", rules.neighbours,
                      rules.cost_straight, rules.cost_diagonal, rules.cost_space, out.x, out.y, out.z, expected.x,
                      expected.y, expected.z);
            hits += any, misses += !any;
        }
    }
    cr_assert(hits > 100 && misses > 100, "%d found, %d not", hits, misses);
    free(c);
}

Test(map_voxel_questions, look_as_far_as_asked_and_no_farther) {
    OWNED(space_free) space s = space_create(3, 3, 1100, NULL);
    memset(s.classes, 0, space_cells(&s));
    *space_at(&s, in3(1, 1, 1024)) = 1;
    OWNED_MAP *map = space_map_written(&s);
    wend_cell out;
    bool found;
    cr_assert_eq(wend_map_nearest_open(map, 0, in3(1, 1, 0), 1023, &found, &out), WEND_OK);
    cr_assert_eq(found, 0);
    cr_assert_eq(wend_map_nearest_open(map, 0, in3(1, 1, 0), 1024, &found, &out), WEND_OK);
    cr_assert(found == 1 && same_cell(out, in3(1, 1, 1024)));
    cr_assert_eq(wend_map_nearest_open(map, 0, in3(1, 1, 0), 1025, &found, &out), WEND_BAD_ARGUMENT);
    cr_assert_eq(wend_map_nearest_open(map, 0, in3(1, 1, 0), -1, &found, &out), WEND_BAD_ARGUMENT);
    cr_assert_eq(wend_map_nearest_open(map, 1, in3(1, 1, 0), 5, &found, &out), WEND_BAD_ARGUMENT);
    cr_assert_eq(wend_map_nearest_open(map, -1, in3(1, 1, 0), 5, &found, &out), WEND_BAD_ARGUMENT);
    cr_assert_eq(wend_map_nearest_open(map, 0, in3(1, 3, 0), 5, &found, &out), WEND_OUT_OF_RANGE);
}

/* ---- graphs ---- */

enum { NODES = 9000 };

/* Some nodes are absent, mostly near the chunks' ends; coordinates span the whole range. */
static wend_map *draw_graph(uint8_t present[NODES], wend_cell at[NODES], bool coordinates, uint64_t *seed) {
    wend_graph_def def = default_graph();
    for (int i = 0; i < NODES; i++) {
        present[i] = draw(seed, 8) != 0 && !(i > 4090 && i < 4100);
        uint32_t far = draw(seed, 4);
        for (int axis = 0; axis < 3; axis++) {
            int32_t value = (int32_t)draw(seed, 50);
            if (far == 0) value = draw(seed, 2) ? INT32_MIN + value : INT32_MAX - value;
            *(axis == 0 ? &at[i].x : axis == 1 ? &at[i].y : &at[i].z) = value;
        }
    }
    present[NODES - 1] = present[0] = 1;
    def.node_count = NODES, def.present = present, def.coordinates = coordinates ? at : NULL;
    return made_graph(&def);
}

static int nearer(wend_cell a, wend_cell b, wend_cell to) {
    /* Digits of 2^32: distances squared need three of them. */
    uint64_t sums[2][3] = {{0}};
    for (int k = 0; k < 2; k++) {
        wend_cell c = k ? b : a;
        int64_t d[3] = {(int64_t)c.x - to.x, (int64_t)c.y - to.y, (int64_t)c.z - to.z};
        for (int i = 0; i < 3; i++) {
            uint64_t m = (uint64_t)(d[i] < 0 ? -d[i] : d[i]), square = m * m;
            sums[k][0] += square & UINT32_MAX;
            sums[k][1] += square >> 32;
        }
        sums[k][1] += sums[k][0] >> 32, sums[k][0] &= UINT32_MAX;
        sums[k][2] = sums[k][1] >> 32, sums[k][1] &= UINT32_MAX;
    }
    for (int i = 2; i >= 0; i--)
        if (sums[0][i] != sums[1][i]) return sums[0][i] < sums[1][i] ? -1 : 1;
    return 0;
}

Test(map_voxel_questions, find_the_nearest_node_by_coordinates) {
    static uint8_t present[NODES], classes[NODES];
    static wend_cell at[NODES];
    uint64_t seed = 61;
    OWNED_MAP *map = draw_graph(present, at, true, &seed);
    for (int i = 0; i < NODES; i++) classes[i] = draw(&seed, 5) == 0;
    IN_BATCH(map,
             cr_assert_eq(wend_edit_set_box(edit, (wend_box){{0, 0, 0}, {NODES - 1, 0, 0}}, classes, NODES), WEND_OK));
    for (int n = 0; n < 200; n++) {
        int32_t from = (int32_t)draw(&seed, NODES), best = -1;
        bool found;
        wend_cell out = {-1, -1, -1};
        wend_error error = wend_map_nearest_open(map, 0, in3(from, 0, 0), 0, &found, &out);
        cr_assert_eq(error, present[from] ? WEND_OK : WEND_OUT_OF_RANGE);
        if (error) continue;
        for (int32_t i = 0; i < NODES; i++)
            if (present[i] && classes[i] && (best < 0 || nearer(at[i], at[best], at[from]) < 0)) best = i;
        cr_assert(found == 1 && same_cell(out, in3(best, 0, 0)), "%d for %d", out.x, best);
    }
    bool visible;
    cr_assert_eq(wend_map_line_of_sight(map, 0, in3(0, 0, 0), in3(NODES - 1, 0, 0), &visible, NULL), WEND_UNSUPPORTED);
}

Test(map_voxel_questions, need_coordinates_on_graphs) {
    static uint8_t present[NODES];
    static wend_cell at[NODES];
    uint64_t seed = 62;
    OWNED_MAP *map = draw_graph(present, at, false, &seed);
    wend_cell out;
    bool found;
    cr_assert_eq(wend_map_nearest_open(map, 0, in3(0, 0, 0), 0, &found, &out), WEND_UNSUPPORTED);
}

/* Fills and writes over absent nodes leave those blocked, and the others as written. */
Test(map_voxel_questions, leave_absent_nodes_blocked_whatever_is_written) {
    static uint8_t present[NODES], classes[NODES], noise[NODES], read[NODES];
    static wend_cell at[NODES];
    uint64_t seed = 63;
    OWNED_MAP *map = draw_graph(present, at, true, &seed);
    memcpy(classes, present, NODES);
    for (int n = 0; n < 30; n++) {
        int32_t from = (int32_t)draw(&seed, NODES), to = n % 3 ? from + (int32_t)draw(&seed, 70) : NODES - 1;
        if (to >= NODES || !present[from] || !present[to]) continue;
        const wend_box box = {{from, 0, 0}, {to, 0, 0}};
        size_t count = (size_t)(to - from) + 1;
        for (size_t i = 0; i < count; i++) noise[i] = n % 4 == 3 ? (uint8_t)draw(&seed, 4) : (uint8_t)(n % 2 ? 3 : 1);
        wend_edit *edit = begin_edit(map);
        if (n % 4 < 2)
            cr_assert_eq(wend_edit_fill_box(edit, box, noise[0]), WEND_OK);
        else
            cr_assert_eq(wend_edit_set_box(edit, box, noise, count), WEND_OK);
        cr_assert_eq(wend_edit_publish(edit, NULL), WEND_OK);
        for (size_t i = 0; i < count; i++)
            if (present[(size_t)from + i]) classes[(size_t)from + i] = noise[i];
        cr_assert_eq(wend_map_get_terrain_box(map, (wend_box){{0, 0, 0}, {NODES - 1, 0, 0}}, read, NODES), WEND_OK);
        cr_assert(memcmp(read, classes, NODES) == 0, "batch %d", n);
    }
}
