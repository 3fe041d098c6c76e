/* SPDX-License-Identifier: MIT */
/* Fields at their limits: bad input, no goals, memory, versions; the cost of a repair; large maps with small queues. */
#include "field/field_state.h"
#include "models/oracle.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <wend/ways.h>

static wend_map *open_map(int32_t width, int32_t height, int32_t depth) {
    wend_map_def def = default_map();
    def.kind = depth > 1 ? WEND_KIND_VOXEL : WEND_KIND_GRID;
    def.width = width, def.height = height, def.depth = depth;
    return made_map(&def);
}

static wend_field_def def_of(wend_map *map, const wend_cell *goals, uint32_t count) {
    wend_field_def def = default_field();
    def.map = map, def.goals = goals, def.goal_count = count;
    return def;
}

static void set_cell(wend_map *map, wend_cell cell, uint8_t class) {
    cr_assert_eq(wend_map_set_cell(map, cell, class, NULL), WEND_OK);
}

Test(field, says_where_to_go) {
    OWNED_MAP *map = open_map(8, 4, 1);
    const wend_cell goal = {6, 1, 0};
    const wend_field_def def = def_of(map, &goal, 1);
    wend_cell next;
    uint64_t cost, used;
    OWNED_FIELD *field = made_field(&def);
    cr_assert_eq(wend_field_next(field, goal, &next, &cost), WEND_STATUS_PENDING);
    cr_assert_eq(wend_field_step(field, 0, &used), 0);
    cr_assert_eq(used, 0);
    cr_assert_eq(wend_field_step(field, WEND_NO_LIMIT, &used), 1);
    cr_assert(wend__field_is_complete(field));
    cr_assert_geq(used, 32);
    cr_assert_eq(wend_field_next(field, (wend_cell){3, 1, 0}, &next, &cost), WEND_STATUS_FOUND);
    cr_assert_eq(cost, 30);
    cr_assert_eq(next.x, 4);
    cr_assert_eq(next.y, 1);
    cr_assert_eq(wend_field_next(field, goal, &next, &cost), WEND_STATUS_FOUND);
    cr_assert(cost == 0 && next.x == 6 && next.y == 1);
    cr_assert_eq(wend_field_next(field, (wend_cell){8, 0, 0}, &next, &cost), WEND_STATUS_START_BLOCKED);
    cr_assert_eq(wend_field_next(field, (wend_cell){0, 0, 1}, NULL, NULL), WEND_STATUS_START_BLOCKED);
    wend_field_destroy(NULL);
}

Test(field, refuses_bad_definitions) {
    OWNED_MAP *map = open_map(8, 4, 1);
    const wend_cell goals[2] = {{1, 1, 0}, {8, 0, 0}};
    OWNED_FIELD *field = NULL;
    wend_field_def def = def_of(map, goals, 2);
    cr_assert_eq(wend_field_create(&def, &field), WEND_OUT_OF_RANGE);
    def.goal_count = 1;
    cr_assert_gt(wend__field_bytes(&def), 8 * 4 * 5);
#define REFUSED(field_name, value)                                                                                     \
    do {                                                                                                               \
        wend_field_def bad = def;                                                                                      \
        bad.field_name = value;                                                                                        \
        cr_assert_eq(wend_field_create(&bad, &field), WEND_BAD_ARGUMENT);                                              \
        cr_assert_eq(wend__field_bytes(&bad), 0);                                                                      \
    } while (0)
    REFUSED(struct_bytes, 8);
    REFUSED(map, NULL);
    REFUSED(goals, NULL);
    REFUSED(mover, 1);
    REFUSED(mover, -1);
    REFUSED(purpose, 2);
    REFUSED(urgency, WEND_URGENCY_MAX + 1);
    REFUSED(urgency, WEND_URGENCY_MIN - 1);
    REFUSED(largest_cost, 0);
    REFUSED(largest_cost, WEND_FIELD_MAX_COST + 1u);
    REFUSED(fear_milli, WEND_FIELD_FEAR_MIN_MILLI - 1);
    REFUSED(fear_milli, WEND_FIELD_FEAR_MAX_MILLI + 1);
    REFUSED(most_goals, WEND_FIELD_MAX_GOALS + 1);
    cr_assert_eq(wend_field_create(&def, NULL), WEND_BAD_ARGUMENT);
    cr_assert_null(field);
    def.most_goals = 1;
    cr_assert_eq(wend_field_create(&def, &field), WEND_OK);
    cr_assert_eq(wend_field_set_goals(field, goals, 2), WEND_BAD_ARGUMENT);
    cr_assert_eq(wend_field_set_goals(field, goals + 1, 1), WEND_OUT_OF_RANGE);
    cr_assert_eq(wend_field_set_goals(field, NULL, 1), WEND_BAD_ARGUMENT);
    cr_assert_eq(wend_field_set_goals(field, NULL, 0), WEND_OK);
    cr_assert_eq(wend_field_step(field, WEND_NO_LIMIT, NULL), 1);
    cr_assert_eq(wend_field_next(field, goals[0], NULL, NULL), WEND_STATUS_NO_PATH);
}

typedef struct purse {
    int left, live;
    size_t bytes;
} purse;

static void *purse_alloc(void *context, size_t bytes, size_t alignment) {
    purse *p = context;
    (void)alignment;
    if (p->left-- <= 0) return NULL;
    p->live++;
    p->bytes = bytes;
    return aligned_alloc(64, (bytes + 63) / 64 * 64);
}

static void purse_free(void *context, void *pointer, size_t bytes) {
    purse *p = context;
    if (!pointer) return;
    cr_assert_eq(p->bytes, bytes);
    p->live--;
    free(pointer);
}

Test(field, allocates_once_what_it_says) {
    OWNED_MAP *map = open_map(100, 100, 1);
    const wend_cell goal = {6, 1, 0};
    wend_field_def def = def_of(map, &goal, 1);
    purse p = {.left = 0};
    wend_field *field = NULL;
    def.allocator = (wend_allocator){&p, purse_alloc, purse_free};
    cr_assert_eq(wend_field_create(&def, &field), WEND_OUT_OF_MEMORY);
    cr_assert_null(field);
    p.left = 1;
    cr_assert_eq(wend_field_create(&def, &field), WEND_OK);
    cr_assert_eq(p.bytes, wend__field_bytes(&def));
    wend_field_step(field, WEND_NO_LIMIT, NULL);
    set_cell(map, (wend_cell){50, 50, 0}, 0);
    cr_assert_eq(wend_field_repair(field, false), WEND_OK);
    wend_field_step(field, WEND_NO_LIMIT, NULL);
    wend_field_destroy(field);
    cr_assert_eq(p.live, 0);
}

/* The log of changes takes memory of the map, and its max_bytes may refuse it. */
Test(field, is_refused_where_the_map_has_no_room_for_changes) {
    wend_map_def def = default_map();
    def.width = def.height = 64;
    wend_map *map = made_map(&def);
    wend_map_info info = info_now(map);
    wend_map_release(map);
    def.max_bytes = info.bytes + 100;
    cr_assert_eq(wend_map_create(&def, &map), WEND_OK);
    const wend_field_def own = def_of(map, NULL, 0);
    wend_field *field = NULL;
    cr_assert_eq(wend_field_create(&own, &field), WEND_OUT_OF_MEMORY);
    wend_map_release(map);
}

Test(field, pins_its_version) {
    wend_map *map = open_map(20, 20, 1);
    const wend_cell goal = {3, 3, 0};
    const wend_field_def def = def_of(map, &goal, 1);
    wend_map_rules rules = default_rules();
    OWNED_FIELD *field = made_field(&def);
    cr_assert_eq(wend_map_set_rules(map, &rules), WEND_IN_USE);
    wend_map_release(map); /* the field holds it */
    wend_field_step(field, WEND_NO_LIMIT, NULL);
}

/* The longest way of a spiral, and costs far beyond a window of buckets. */
Test(field, reaches_across_long_links) {
    OWNED_MAP *map = open_map(300, 5, 1);
    wend_edit *edit = begin_edit(map);
    for (int32_t x = 1; x < 300; x += 2) wend_edit_fill_box(edit, (wend_box){{x, 0, 0}, {x, 4, 0}}, 0);
    for (int32_t x = 0; x < 298; x += 2)
        wend_edit_add_link(edit, &(wend_link){{x, 2, 0}, {x + 2, 2, 0}, 900000 + x, 0});
    cr_assert_eq(wend_edit_publish(edit, NULL), WEND_OK);
    const wend_cell goal = {298, 2, 0};
    const wend_field_def def = def_of(map, &goal, 1);
    uint64_t cost, left;
    wend_cell next;
    OWNED_FIELD *field = made_field(&def);
    cr_assert_eq(wend_field_step(field, WEND_NO_LIMIT, NULL), 1);
    for (int32_t x = 0; x < 298; x += 2) {
        cr_assert_eq(wend_field_next(field, (wend_cell){x, 2, 0}, &next, &cost), WEND_STATUS_FOUND);
        cr_assert_eq(wend_field_next(field, next, NULL, &left), WEND_STATUS_FOUND);
        cr_assert_eq(next.x, x + 2);
        cr_assert_eq(cost, left + 900000 + (uint64_t)x);
    }
}

/* Where every second cell is a goal, or all cells are open at once, the queue has no room for all. */
Test(field, keeps_order_where_the_queue_is_too_small) {
    enum { SIDE = 200 };
    static wend_cell goals[SIDE * SIDE / 2];
    OWNED_MAP *map = open_map(SIDE, SIDE, 1);
    uint32_t count = 0;
    for (int32_t i = 0; i < SIDE * SIDE; i++)
        if ((i % SIDE + i / SIDE) % 2 == 0) goals[count++] = (wend_cell){i % SIDE, i / SIDE, 0};
    for (int32_t purpose = WEND_FIELD_TOWARD; purpose <= WEND_FIELD_AWAY; purpose++) {
        wend_field_def def = def_of(map, goals, purpose == WEND_FIELD_TOWARD ? count : 1);
        uint64_t cost;
        def.purpose = purpose;
        OWNED_FIELD *field = made_field(&def);
        while (!wend_field_step(field, 1000, NULL)) continue;
        for (int32_t i = 0; i < SIDE * SIDE; i++) {
            const wend_cell cell = {i % SIDE, i / SIDE, 0};
            const uint64_t toward = (cell.x + cell.y) % 2 == 0 ? 0 : 10;
            cr_assert_eq(wend_field_next(field, cell, NULL, &cost), WEND_STATUS_FOUND);
            if (purpose == WEND_FIELD_TOWARD) cr_assert_eq(cost, toward);
        }
        if (purpose == WEND_FIELD_AWAY) { /* the far corner is the best refuge, and all cells lead there */
            const uint64_t far = 14 * (SIDE - 1);
            cr_assert_eq(wend_field_next(field, (wend_cell){SIDE - 1, SIDE - 1, 0}, NULL, &cost), WEND_STATUS_FOUND);
            cr_assert_eq(cost, 0);
            cr_assert_eq(wend_field_next(field, (wend_cell){0, 0, 0}, NULL, &cost), WEND_STATUS_FOUND);
            cr_assert_eq(cost, far);
        }
    }
}

static void step_by_one(wend_field *field) {
    while (!wend_field_step(field, 1, NULL)) {
        const uint64_t owed = field->owed + (field->distances ? field->distances->owed : 0);
        cr_assert_leq(owed, 600, "%d expansions of work that was done at once, in phase %d", (int)owed, field->phase);
    }
}

/* Work of a slice is bounded by chunks of 64 x 64 cells, also where many are open at once, and after edits. */
Test(field, works_in_short_slices) {
    OWNED_MAP *map = open_map(512, 512, 1);
    const wend_cell goal = {20, 30, 0};
    for (int32_t purpose = WEND_FIELD_TOWARD; purpose <= WEND_FIELD_AWAY; purpose++) {
        wend_field_def def = def_of(map, &goal, 1);
        def.purpose = purpose;
        OWNED_FIELD *field = made_field(&def);
        for (int round = 0; round < 2; round++) {
            wend_field_step(field, 100000, NULL); /* the first edit comes while the field is made */
            set_cell(map, (wend_cell){100, 100 + round, 0}, WEND_CLASS_BLOCKED);
            cr_assert_eq(wend_field_repair(field, false), WEND_OK);
            step_by_one(field);
        }
    }
}

/* Nodes 0 to 2: an edge leads from each to the one before, and the class of the node that it enters is its factor. */
static wend_map *open_chain(int32_t cost, uint8_t factor) {
    const wend_edge edges[] = {{1, 0, cost}, {2, 1, 1}};
    wend_graph_def def = default_graph();
    def.node_count = 3, def.edges = edges, def.edge_count = 2;
    wend_map *map = made_graph(&def);
    set_cell(map, (wend_cell){0, 0, 0}, factor);
    return map;
}

/* No worth is above WEND_FIELD_MAX_COST: node 1 is as far as a cell may be, node 2 one farther. */
Test(field, leads_away_up_to_a_worth_of_its_largest_cost) {
    static const struct {
        uint32_t fear_milli, largest_cost;
        int32_t cost;
        uint8_t factor;
    } limits[] = {
        {10000, WEND_FIELD_MAX_COST, 1000000, 200}, {10000, 199999999, 1000000, 200}, {10000, 200000001, 1000000, 200}};
    const wend_cell goal = {0, 0, 0};
    for (size_t i = 0; i < sizeof limits / sizeof *limits; i++) {
        const uint64_t most = UINT64_C(1000) * WEND_FIELD_MAX_COST / limits[i].fear_milli;
        const uint64_t far = (uint64_t)limits[i].cost * limits[i].factor;
        const uint64_t limit = most < limits[i].largest_cost ? most : limits[i].largest_cost;
        OWNED_MAP *map = open_chain(limits[i].cost, limits[i].factor);
        wend_field_def def = def_of(map, &goal, 1);
        uint64_t cost;
        def.purpose = WEND_FIELD_AWAY;
        def.fear_milli = limits[i].fear_milli, def.largest_cost = limits[i].largest_cost;
        OWNED_FIELD *field = made_field(&def);
        cr_assert_eq(wend_field_step(field, WEND_NO_LIMIT, NULL), 1);
        const wend_status at = far <= limit ? WEND_STATUS_FOUND : WEND_STATUS_NO_PATH;
        cr_assert_eq(wend_field_next(field, (wend_cell){1, 0, 0}, NULL, &cost), at);
        const wend_status beyond = far + 1 <= limit ? WEND_STATUS_FOUND : WEND_STATUS_NO_PATH;
        cr_assert_eq(wend_field_next(field, (wend_cell){2, 0, 0}, NULL, &cost), beyond);
    }
}

/* A far cell: few cells depend on it, and all nearer ones stay known. */
Test(field, repairs_what_an_edit_changed_only) {
    OWNED_MAP *map = open_map(300, 300, 1);
    const wend_cell goal = {10, 10, 0};
    const wend_field_def def = def_of(map, &goal, 1);
    uint64_t made, repaired, cost;
    OWNED_FIELD *field = made_field(&def);
    wend_field_step(field, WEND_NO_LIMIT, &made);
    for (int round = 0; round < 2; round++) {
        set_cell(map, (wend_cell){250, 200, 0}, round == 0 ? 0 : 1);
        cr_assert_eq(wend_field_repair(field, false), WEND_OK);
        cr_assert_eq(wend_field_next(field, (wend_cell){100, 100, 0}, NULL, &cost), WEND_STATUS_FOUND);
        cr_assert_eq(cost, 90 * 14);
        wend_field_step(field, WEND_NO_LIMIT, &repaired);
        cr_assert_lt(repaired, made / 100);
        const wend_status status = wend_field_next(field, (wend_cell){250, 200, 0}, NULL, &cost);
        cr_assert_eq(status, round == 0 ? WEND_STATUS_START_BLOCKED : WEND_STATUS_FOUND);
    }
    cr_assert_eq(wend_field_repair(field, false), WEND_OK);
    wend_field_step(field, WEND_NO_LIMIT, &repaired);
    cr_assert_eq(repaired, 0);
}

/* A goal under a wall counts again when the wall is removed. */
Test(field, remembers_blocked_goals) {
    OWNED_MAP *map = open_map(9, 9, 1);
    const wend_cell goal = {4, 4, 0}, from = {0, 4, 0};
    const wend_field_def def = def_of(map, &goal, 1);
    uint64_t cost = 0;
    OWNED_FIELD *field = made_field(&def);
    for (int round = 0; round < 5; round++) {
        set_cell(map, goal, round % 2 ? 1 : 0);
        cr_assert_eq(wend_field_repair(field, false), WEND_OK);
        wend_field_step(field, WEND_NO_LIMIT, NULL);
        const wend_status status = wend_field_next(field, from, NULL, &cost);
        cr_assert_eq(status, round % 2 ? WEND_STATUS_FOUND : WEND_STATUS_NO_PATH);
        if (round % 2) cr_assert_eq(cost, 40);
    }
}

/* ---- equally cheap steps ---- */

/* Returns a number for the steps of all cells. */
static uint64_t sum_steps(const wend_field *field, int32_t side) {
    uint64_t sum = 0;
    for (int32_t at = 0; at < side * side; at++) {
        wend_cell next = {0, 0, 0};
        if (wend_field_next(field, (wend_cell){at % side, at / side, 0}, &next, NULL) == WEND_STATUS_FOUND)
            sum = sum * 31 + (uint64_t)(next.y * side + next.x);
    }
    return sum;
}

static wend_field *finished_field(const wend_field_def *def) {
    wend_field *field = made_field(def);
    wend_field_step(field, WEND_NO_LIMIT, NULL);
    return field;
}

/* A field that is restored in the middle of a game has not seen its edits one by one. */
Test(field, leads_the_same_way_whichever_edits_it_was_repaired_after) {
    enum { SIDE = 40, EDITS = 60 };
    OWNED_MAP *map = open_map(SIDE, SIDE, 1);
    const wend_cell goal = {SIDE / 2, SIDE / 3, 0};
    const wend_field_def def = def_of(map, &goal, 1);
    oracle_random random = {.state = 11};
    OWNED_FIELD *field = finished_field(&def);
    int others = 0;
    for (int i = 0; i < EDITS; i++) {
        const wend_cell cell = {oracle_below(&random, SIDE), oracle_below(&random, SIDE), 0};
        OWNED_FIELD *late = finished_field(&def);
        const uint64_t made = sum_steps(late, SIDE);
        set_cell(map, cell, oracle_below(&random, 3) ? WEND_CLASS_BLOCKED : WEND_CLASS_OPEN);
        for (int k = 0; k < 2; k++) {
            wend_field *one = k ? late : field;
            cr_assert_eq(wend_field_repair(one, false), WEND_OK);
            wend_field_step(one, WEND_NO_LIMIT, NULL);
        }
        if (late->repaired) cr_assert_eq(sum_steps(field, SIDE), sum_steps(late, SIDE), "after edit %d", i);
        others += made != sum_steps(late, SIDE);
    }
    cr_assert(others > EDITS / 2);
}
