/* SPDX-License-Identifier: MIT */
/* Searches among the agents of a crowd, whose marks are updated between searches. They find the same as A* on the
 * counts. Another map has no crowd, and updates its marks at each move. There they find the same path by as many
 * expansions, whatever was searched before. */
#include "models/defaults.h"
#include "models/options.h"
#include "models/random.h"

#include <criterion/criterion.h>
#include <string.h>
#include <wend/agents.h>
#include <wend/query.h>
#include <wend/units.h>
#include <wend/wend.h>

enum { SIDE = 210, AGENTS = 260, FRAMES = 80, CELLS = 2048 };

typedef struct answer {
    wend_status status;
    int64_t cost;
    uint64_t expansions;
    int32_t engine;
    size_t cell_count;
    wend_cell cells[CELLS];
} answer;

static uint64_t seed;

static wend_map *open_caves(void) {
    wend_map *map = grid_map(SIDE, SIDE);
    cr_assert_eq(wend_map_accelerate(map, NULL), WEND_OK);
    wend_edit *edit = begin_edit(map);
    for (int32_t i = 0; i < SIDE * SIDE / 24; i++) {
        const wend_cell at = {(int32_t)draw(&seed, SIDE), (int32_t)draw(&seed, SIDE), 0};
        const wend_cell to = {at.x + (int32_t)draw(&seed, 4), at.y + (int32_t)draw(&seed, 4), 0};
        for (int32_t y = at.y; y <= to.y && y < SIDE; y++)
            for (int32_t x = at.x; x <= to.x && x < SIDE; x++) wend_edit_set_cell(edit, (wend_cell){x, y, 0}, 0);
    }
    cr_assert_eq(wend_edit_publish(edit, NULL), WEND_OK);
    return map;
}

static wend_service *open_service(void) {
    wend_service_def def = default_service();
    def.nodes = 256 * WEND_PAGE_NODES;
    return made_service(&def);
}

static wend_cell any_cell(void) {
    return (wend_cell){(int32_t)draw(&seed, SIDE), (int32_t)draw(&seed, SIDE), 0};
}

static bool is_connected(const wend_map *map, wend_cell from, wend_cell to) {
    bool reachable = false;
    return wend_map_reachable(map, WEND_MOVER_DEFAULT, from, to, &reachable) == WEND_OK && reachable;
}

static void note_answer(void *context, const wend_completion *done) {
    answer *a = context;
    cr_assert_leq(done->cell_count, CELLS);
    *a = (answer){.status = done->status, .cost = done->cost, .expansions = done->expansions, .engine = done->engine};
    a->cell_count = done->cell_count;
    if (done->cell_count) memcpy(a->cells, done->cells, done->cell_count * sizeof *done->cells);
}

static void tick(wend_service *service) {
    wend_budget budget = default_budget();
    budget.expansions = 10000000;
    cr_assert_eq(wend_service_tick(service, &budget, NULL), WEND_OK);
}

/* Gives a goal to each idle agent. */
static void send_idle(wend_crowd *crowd, const wend_agent_id *ids, uint32_t count) {
    wend_crowd_view view = {.struct_bytes = sizeof view};
    static uint8_t states[AGENTS];
    cr_assert_eq(wend_crowd_get_view(crowd, &view), WEND_OK);
    memcpy(states, view.states, count);
    for (uint32_t i = 0; i < count; i++) {
        wend_crowd_goal goal = default_crowd_goal();
        goal.cell = any_cell();
        if (states[i] == WEND_AGENT_IDLE) cr_assert_eq(wend_crowd_go(crowd, &ids[i], 1, &goal), WEND_OK);
    }
}

/* Gives the other map the units of the first. */
static void copy_units(const wend_map *from, wend_map *to) {
    for (int32_t i = 0; i < SIDE * SIDE; i++) {
        const wend_cell cell = {i % SIDE, i / SIDE, 0};
        uint32_t want = 0, has = 0;
        wend_map_get_occupants(from, cell, &want);
        wend_map_get_occupants(to, cell, &has);
        for (; has < want; has++) cr_assert_eq(wend_map_occupy(to, cell), WEND_OK);
        for (; has > want; has--) cr_assert_eq(wend_map_vacate(to, cell), WEND_OK);
    }
}

static void ask(wend_service *service, wend_map *map, wend_request request, int32_t engine, answer *out) {
    request.map = map;
    options_of(&request)->engine = engine;
    request.on_done = note_answer, request.context = out;
    out->status = WEND_STATUS_PENDING;
    cr_assert_eq(wend_service_submit(service, &request, NULL), WEND_OK);
}

static void compare(const answer *jump, const answer *twin, const answer *astar) {
    cr_assert_eq(jump->status, astar->status);
    cr_assert_eq(jump->cost, astar->cost);
    cr_assert_eq(jump->status, twin->status);
    cr_assert_eq(jump->cost, twin->cost);
    cr_assert_eq(jump->engine, twin->engine);
    cr_assert_eq(jump->expansions, twin->expansions);
    cr_assert_eq(jump->cell_count, twin->cell_count);
    cr_assert_eq(memcmp(jump->cells, twin->cells, jump->cell_count * sizeof *jump->cells), 0);
}

Test(crowd_marks, show_a_search_what_is_counted_whatever_was_searched_before) {
    enum { ASKS = 3 };
    static answer jump[ASKS], twin_jump[ASKS], astar[ASKS];
    static wend_agent_id ids[AGENTS];
    uint32_t by_jump = 0, count = 0;
    seed = 9;
    OWNED_MAP *map = open_caves(), *twin = NULL;
    cr_assert_eq(wend_map_fork(map, &twin), WEND_OK);
    wend_service *service = open_service(), *other = open_service();
    wend_crowd_def def = default_crowd();
    def.agents = AGENTS, def.service = service, def.map = map;
    wend_crowd *crowd = made_crowd(&def);
    for (int32_t i = 0; i < 2 * AGENTS && count < AGENTS; i++) {
        wend_agent_def agent = default_agent();
        agent.cell = any_cell(), agent.speed_milli = 400;
        count += wend_crowd_add(crowd, &agent, &ids[count]) == WEND_OK;
    }
    for (uint32_t frame = 0; frame < FRAMES; frame++) {
        send_idle(crowd, ids, count);
        copy_units(map, twin);
        for (int i = 0; i < ASKS; i++) {
            wend_request request = default_request();
            request.start = any_cell(), request.goal = any_cell();
            options_of(&request)->occupied = draw(&seed, 2) ? WEND_OCCUPIED_BLOCK : 10 * (1 + (int32_t)draw(&seed, 9));
            options_of(&request)->occupied_within = draw(&seed, 8) ? (int32_t)draw(&seed, 70) : WEND_EVERYWHERE;
            ask(service, map, request, WEND_ENGINE_JUMP, &jump[i]);
            ask(service, map, request, WEND_ENGINE_ASTAR, &astar[i]);
            ask(other, twin, request, WEND_ENGINE_JUMP, &twin_jump[i]);
        }
        tick(service);
        tick(other);
        for (int i = 0; i < ASKS; i++) compare(&jump[i], &twin_jump[i], &astar[i]);
        for (int i = 0; i < ASKS; i++) by_jump += jump[i].engine == WEND_ENGINE_JUMP && jump[i].cell_count > 0;
        cr_assert_eq(wend_crowd_update(crowd, 1000, NULL, NULL), WEND_OK);
        for (wend_agent_event event = {.struct_bytes = sizeof event}; !wend_crowd_poll(crowd, &event);) {
        }
    }
    cr_assert_gt(by_jump, FRAMES);
    cr_assert_eq(wend_crowd_destroy(crowd), WEND_OK);
    cr_assert_eq(wend_service_destroy(service), WEND_OK);
    cr_assert_eq(wend_service_destroy(other), WEND_OK);
}

/* Another service sees all units, too: by A* until the next move, by jump search from then on. */
Test(crowd_marks, are_kept_for_all_once_another_service_sees_units) {
    static answer first, second;
    seed = 3;
    OWNED_MAP *map = open_caves();
    wend_service *service = open_service(), *other = open_service();
    wend_crowd_def def = default_crowd();
    wend_agent_id id;
    def.agents = 8, def.service = service, def.map = map;
    wend_crowd *crowd = made_crowd(&def);
    wend_agent_def agent = default_agent();
    do agent.cell = any_cell();
    while (wend_crowd_add(crowd, &agent, &id));
    wend_request request = default_request();
    do request.start = any_cell(), request.goal = any_cell();
    while (!is_connected(map, request.start, agent.cell) || !is_connected(map, request.goal, agent.cell));
    options_of(&request)->occupied = WEND_OCCUPIED_BLOCK;
    for (int round = 0; round < 3; round++) {
        ask(other, map, request, WEND_ENGINE_JUMP, &first);
        ask(other, map, request, WEND_ENGINE_ASTAR, &second);
        tick(other);
        cr_assert_eq(first.status, WEND_STATUS_FOUND);
        cr_assert_eq(first.cost, second.cost);
        cr_assert_eq(first.engine, round == 0 ? WEND_ENGINE_ASTAR : WEND_ENGINE_JUMP);
        if (round == 0) cr_assert_eq(wend_map_occupy(map, first.cells[first.cell_count / 2]), WEND_OK);
    }
    cr_assert_eq(wend_crowd_destroy(crowd), WEND_OK);
    cr_assert_eq(wend_service_destroy(service), WEND_OK);
    cr_assert_eq(wend_service_destroy(other), WEND_OK);
}
