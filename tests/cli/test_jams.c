/* SPDX-License-Identifier: MIT */
/* Where agents are blocked, over a window. An independent count keeps each update apart, and adds up when asked. */
#include "cli/world/jams.h"
#include "crowd/crowd_support.h"
#include "models/few_or_many.h"
#include "models/options.h"
#include "models/random.h"

#include <criterion/criterion.h>
#include <string.h>
#include <wend/agents.h>

enum { SPEED = 1000, SIDE = 24, AGENTS = 150, HISTORY = 512, MOST_PLACES = SIDE * SIDE };

static cli_jams *make_jams(uint32_t window) {
    cli_jams *jams = cli_jams_create(window);
    cr_assert_not_null(jams);
    return jams;
}

/* ---- the independent count ---- */

typedef struct recount {
    wend_cell cells[HISTORY][AGENTS]; ///< cells of blocked agents, by update
    uint32_t counts[HISTORY];
    uint32_t updates;
} recount;

static void recount_update(recount *r, const town *t) {
    uint32_t *count = &r->counts[r->updates % HISTORY];
    *count = 0;
    for (uint32_t i = 0; i < t->agent_count; i++) {
        const wend_agent_state state = town_state(t, i);
        if (state.state == WEND_AGENT_BLOCKED) r->cells[r->updates % HISTORY][(*count)++] = state.cell;
    }
    r->updates++;
}

static uint64_t recount_cell(const recount *r, uint32_t updates, wend_cell cell) {
    uint64_t waits = 0;
    for (uint32_t k = r->updates - updates; k < r->updates; k++)
        for (uint32_t i = 0; i < r->counts[k % HISTORY]; i++) waits += same_cell(r->cells[k % HISTORY][i], cell);
    return waits;
}

static int32_t apart_on(const town *t, int32_t a, int32_t b, int32_t axis) {
    const wend_map_info info = info_now(t->map);
    const int32_t d = a < b ? b - a : a - b;
    return info.wrap & axis && SIDE - d < d ? SIDE - d : d;
}

static bool is_near(const town *t, wend_cell a, wend_cell b, int32_t within) {
    return apart_on(t, a.x, b.x, WEND_WRAP_X) <= within && apart_on(t, a.y, b.y, WEND_WRAP_Y) <= within;
}

/* Compares the list of jams: the cell with the most waits that is in no earlier jam, the first in reading order, and
 * all cells around it. */
static void expect_worst(const town *t, cli_jams *jams, const uint64_t *waits, int32_t within, bool graph) {
    static cli_jam got[MOST_PLACES];
    static uint64_t left[MOST_PLACES];
    memcpy(left, waits, sizeof left);
    const size_t count = cli_jams_worst(jams, t->map, within, got, MOST_PLACES);
    for (size_t k = 0;; k++) {
        uint32_t peak = 0;
        for (uint32_t i = 0; i < MOST_PLACES; i++)
            if (left[i] > left[peak]) peak = i;
        if (left[peak] == 0) {
            cr_assert_eq(count, k);
            return;
        }
        const wend_cell cell =
            graph ? (wend_cell){(int32_t)peak, 0, 0} : (wend_cell){(int32_t)peak % SIDE, (int32_t)peak / SIDE, 0};
        cli_jam jam = {.peak = left[peak]};
        for (uint32_t i = 0; i < MOST_PLACES; i++) {
            const wend_cell other = {(int32_t)i % SIDE, (int32_t)i / SIDE, 0};
            if (left[i] == 0 || (graph ? i != peak : !is_near(t, cell, other, within))) continue;
            jam.cells++, jam.waits += left[i], left[i] = 0;
        }
        cr_assert(k < count && same_cell(got[k].cell, cell), "jam %zu: %d,%d", k, (int)cell.x, (int)cell.y);
        cr_assert(got[k].peak == jam.peak && got[k].cells == jam.cells && got[k].waits == jam.waits);
    }
}

static void compare(const town *t, const recount *r, cli_jams *jams, uint32_t window, bool graph) {
    static uint64_t waits[MOST_PLACES];
    const uint32_t updates = cli_jams_updates(jams), slice = (window + 7) / 8;
    cr_assert_leq(updates, 8 * slice);
    cr_assert(updates == r->updates || updates > 7 * slice);
    uint64_t sum = 0;
    for (uint32_t i = 0; i < MOST_PLACES; i++) {
        const wend_cell cell =
            graph ? (wend_cell){(int32_t)i, 0, 0} : (wend_cell){(int32_t)i % SIDE, (int32_t)i / SIDE, 0};
        waits[i] = recount_cell(r, updates, cell);
        sum += waits[i];
    }
    cr_assert_eq(cli_jams_waits(jams), sum);
    expect_worst(t, jams, waits, 0, graph);
    expect_worst(t, jams, waits, 3, graph);
}

/* ---- worlds ---- */

static wend_map *make_world(uint64_t *seed, int32_t wrap) {
    wend_map_def def = default_map();
    def.width = def.height = SIDE, def.wrap = wrap;
    wend_map *map = made_map(&def);
    wend_edit *edit = begin_edit(map);
    for (int32_t i = 0; i < SIDE; i++)
        for (int32_t k = 0; k < SIDE; k += 8) {
            if (i % 8 != 4 + (int32_t)draw(seed, 2)) wend_edit_set_cell(edit, (wend_cell){i, k, 0}, 0);
            if (i % 8 != 4) wend_edit_set_cell(edit, (wend_cell){k, i, 0}, 0);
        }
    cr_assert_eq(wend_edit_publish(edit, NULL), WEND_OK);
    return map;
}

/* A graph: rings of nodes, each joined with the next by one edge. */
static wend_map *make_graph(void) {
    enum { NODES = MOST_PLACES, RING = 48 };
    static wend_edge edges[4 * NODES];
    wend_graph_def def = default_graph();
    uint32_t count = 0;
    for (uint32_t i = 0; i < NODES; i++) {
        const uint32_t next = i % RING == RING - 1 ? i - RING + 1 : i + 1;
        edges[count++] = (wend_edge){i, next, 10};
        edges[count++] = (wend_edge){next, i, 10};
        if (i % RING != 0) continue;
        edges[count++] = (wend_edge){i, (i + RING) % NODES, 10};
        edges[count++] = (wend_edge){(i + RING) % NODES, i, 10};
    }
    def.node_count = NODES, def.edges = edges, def.edge_count = count;
    return made_graph(&def);
}

static wend_cell draw_goal(uint64_t *seed, bool graph) {
    const int32_t i = (int32_t)draw(seed, MOST_PLACES);
    return graph ? (wend_cell){i, 0, 0} : (wend_cell){i % SIDE, i / SIDE, 0};
}

static void add_agents(town *t, uint64_t *seed, bool graph, uint32_t most) {
    for (uint32_t tries = 0; t->agent_count < most && tries < 20 * most; tries++) {
        wend_agent_def def = default_agent();
        wend_agent_id id;
        def.cell = draw_goal(seed, graph), def.speed_milli = 200 + (uint32_t)draw(seed, 800);
        set_as(&def, draw(seed, 12) == 0 ? AS_GHOST : draw(seed, 20) == 0 ? AS_PARKED : 0);
        if (wend_crowd_add(t->crowd, &def, &id)) continue; /* whether an agent can stand there */
        cr_assert_eq(wend_crowd_remove(t->crowd, id), WEND_OK);
        town_add_def(t, &def);
    }
}

/* The town's own checks are about cells. */
static void run_frame(town *t, bool graph) {
    const wend_budget budget = default_budget();
    if (!graph) town_frame(t);
    if (graph) t->frame++;
    if (graph) cr_assert_eq(wend_service_tick(t->service, &budget, NULL), WEND_OK);
    if (graph) cr_assert_eq(wend_crowd_update(t->crowd, SPEED, NULL, NULL), WEND_OK);
}

/* Runs a busy world. */
static void run_world(uint64_t seed, int32_t wrap, bool graph, uint32_t window) {
    static town t;
    static recount r;
    r.updates = 0;
    town_open_on(&t, graph ? make_graph() : make_world(&seed, wrap), NULL, 0);
    cli_jams *jams = make_jams(window);
    add_agents(&t, &seed, graph, AGENTS);
    for (uint32_t frame = 0; frame < (uint32_t)enough_or_many(160, 400); frame++) {
        for (uint32_t k = 0; k < 6; k++) {
            const wend_cell goal = draw_goal(&seed, graph);
            town_go(&t, (uint32_t)draw(&seed, t.agent_count), goal.x, goal.y);
        }
        run_frame(&t, graph);
        cli_jams_count(jams, t.crowd);
        recount_update(&r, &t);
        if (frame % 37 == 5) compare(&t, &r, jams, window, graph);
    }
    cr_assert_gt(cli_jams_waits(jams), 100, "nobody was in the way");
    town_close(&t);
    cli_jams_free(jams);
}

Test(jams, counts_what_an_independent_count_has) {
    for (uint64_t seed = 1; seed <= (uint64_t)few_or_many(1, 6); seed++) {
        run_world(seed, 0, false, 8 + 50 * (uint32_t)seed);
        run_world(seed, WEND_WRAP_X | WEND_WRAP_Y, false, 83);
        run_world(seed, 0, true, 40);
    }
}

/* ---- by hand ---- */

/* One agent stands behind another for ever. */
Test(jams, counts_an_agent_behind_a_parked_one_where_it_stands) {
    static town t;
    static const char *const corridor[] = {"############", "............", "############"};
    wend_agent_def def = default_agent();
    cli_jams *jams = make_jams(80);
    cli_jam jam;
    town_open(&t, corridor, 3, NULL);
    def.cell = (wend_cell){5, 1, 0}, def.parked = true;
    town_add_def(&t, &def);
    town_go(&t, town_add(&t, 0, 1, SPEED), 10, 1);
    town_frames(&t, 8);
    for (int k = 0; k < 5; k++) town_frames(&t, 1), cli_jams_count(jams, t.crowd);
    cr_assert_eq(cli_jams_worst(jams, t.map, 2, &jam, 1), 1);
    cr_assert(jam.cell.x == 4 && jam.cells == 1 && jam.agents == 1 && jam.peak == 5 && jam.waits == 5);
    cr_assert_eq(cli_jams_worst(jams, t.map, 2, &jam, 0), 0);
    town_halt(&t, 1);
    for (int k = 0; k < 76; k++) {
        town_frames(&t, 1);
        cr_assert(!cli_jams_rest(jams));
        cli_jams_count(jams, t.crowd);
    }
    cr_assert(cli_jams_rest(jams) && cli_jams_waits(jams) == 0);
    cr_assert_eq(cli_jams_worst(jams, t.map, 2, &jam, 1), 0);
    town_close(&t);
    cli_jams_free(jams);
}
