/* SPDX-License-Identifier: MIT */
/* Requests while units come and go, between the slices of a search and between the frames of a service.
 * | S24: a search sees each frame's units as they are. So a way that stays clear from beginning to end is as good as on
 * a map whose units stand still, and a way that never is clear leads nowhere. The suite floods the world twice: with
 * all units that were there at any time, and with the units that were always there. The answer must lie between the
 * two. Answers of a service are also checked on the units of that moment. */
#include "exact/exact.h"
#include "models/options.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wend/service_tuning.h>
#include <wend/units.h>

enum { BATCH = 8, WAYS = 8192 };

typedef struct question {
    wend_request request;
    wend_cell goals[WEND_MAX_GOALS];
    wend_completion got;
    wend_cell *cells;
    bool done, checked, twice;
} question;

static question questions[BATCH];
static wend_cell path[WORLD_WIDE * 2];

/* Units at any time since the requests were made, and units at all times. */
static uint8_t ever[WORLD_WIDE], always[WORLD_WIDE];
static wend_cell ways[WAYS]; /* cells of paths, where a unit matters most */
static int way_count;
static wend_cell came[WORLD_SPOTS];
static int came_count;

/* ---- units ---- */

static void note_units(const world *w, bool first) {
    for (int i = 0; i < w->cells; i++) {
        const uint8_t now = w->occupants[i];
        if (first || now > ever[i]) ever[i] = now;
        if (first || now < always[i]) always[i] = now;
    }
}

static void come(world *w, wend_map *map, wend_cell cell) {
    if (!world_has(w, cell) || came_count == WORLD_SPOTS) return;
    world_occupy_few(w, map, cell);
    came[came_count++] = cell;
}

static void leave(world *w, wend_map *map, oracle_random *random) {
    if (came_count == 0) return;
    wend_cell *cell = &came[oracle_below(random, came_count)];
    if (w->occupants[world_number(w, *cell)] > 0) world_vacate(w, map, *cell);
    *cell = came[--came_count];
}

static wend_cell any_goal(oracle_random *random, const wend_request *request) {
    const int goal = oracle_below(random, (int)read_options(request).more_goal_count + 1);
    return goal == 0 ? request->goal : read_options(request).more_goals[goal - 1];
}

/* All cells at a distance from a cell: every way there. */
static void surround(world *w, wend_map *map, wend_cell cell, int far) {
    for (int y = cell.y - far; y <= cell.y + far; y++)
        for (int x = cell.x - far; x <= cell.x + far; x++)
            if (abs(x - cell.x) == far || abs(y - cell.y) == far) come(w, map, (wend_cell){x, y, 0});
}

static void stir_once(world *w, wend_map *map, oracle_random *random, const wend_request *request) {
    const int32_t across = oracle_below(random, 5) - 2, down = oracle_below(random, 5) - 2;
    const wend_cell goal = any_goal(random, request), start = request->start;
    switch (oracle_below(random, 12)) {
    case 0:
    case 1: come(w, map, goal); break;
    case 2:
        for (uint32_t i = 0; i <= read_options(request).more_goal_count; i++)
            come(w, map, i == 0 ? request->goal : read_options(request).more_goals[i - 1]);
        break;
    case 3: come(w, map, (wend_cell){goal.x + across, goal.y + down, 0}); break;
    case 4: come(w, map, (wend_cell){start.x + across, start.y + down, 0}); break;
    case 5: surround(w, map, oracle_below(random, 4) ? goal : start, 1 + oracle_below(random, 2)); break;
    case 6: world_occupy_few(w, map, world_pick(w, random, 0)); break;
    case 7:
    case 8:
        if (way_count > 0) come(w, map, ways[oracle_below(random, way_count)]);
        break;
    case 9:
        while (came_count > 0) leave(w, map, random);
        break;
    default: leave(w, map, random);
    }
}

static void stir(world *w, wend_map *map, oracle_random *random, const wend_request *request) {
    for (int i = oracle_below(random, 4); i > 0; i--) stir_once(w, map, random, request);
    note_units(w, false);
}

/* ---- allowed answers ---- */

/* The answer where these units stood still. */
static world_answer answer_among(world *w, uint8_t *units, const wend_request *request) {
    static int64_t flood[WORLD_WIDE];
    uint8_t *now = w->occupants;
    w->occupants = units;
    world_flood(w, request, request->start, flood);
    const world_answer answer = world_ask_flooded(w, request, flood);
    w->occupants = now;
    return answer;
}

static int64_t walk_among(world *w, uint8_t *units, const wend_request *request, const wend_cell *cells, size_t count) {
    uint8_t *now = w->occupants;
    w->occupants = units;
    const int64_t cost = world_walk(w, request, cells, count);
    w->occupants = now;
    return cost;
}

static bool any_target(const world *w, const wend_request *request) {
    for (int i = 0; i < w->cells; i++)
        if (world_target(w, request, world_cell(w, i))) return true;
    return false;
}

/* @return the error; NULL: none */
static const char *path_fault(world *w, const wend_request *request, const wend_completion *got, const wend_cell *cells,
                              size_t horizon) {
    static uint8_t none[WORLD_WIDE];
    wend_request plain = *request;
    options_of(&plain)->occupied = WEND_OCCUPIED_IGNORE;
    const bool blocks = read_options(request).occupied == WEND_OCCUPIED_BLOCK;
    const wend_cell *end = &cells[got->cell_count - 1];
    if (got->cell_count == 0) return "no cells";
    if (memcmp(&cells[0], &request->start, sizeof *cells) != 0) return "another start";
    if (walk_among(w, none, &plain, cells, got->cell_count) < 0) return "a path that cannot be walked";
    if (got->status == WEND_STATUS_FOUND && !world_target(w, &plain, *end)) return "an end that is no goal";
    for (size_t i = 1; blocks && i <= horizon && i < got->cell_count; i++)
        if (world_crowded(w, request, cells[i])) return "a unit on the next cells";
    const int64_t least = walk_among(w, blocks ? none : always, request, cells, got->cell_count);
    const int64_t most = walk_among(w, blocks ? none : ever, request, cells, got->cell_count);
    if (got->cost < least || got->cost > most) return "a path of another cost than it says";
    return NULL;
}

static const char *fault_of(world *w, const wend_request *request, const wend_completion *got, const wend_cell *cells,
                            size_t horizon) {
    const world_answer worst = answer_among(w, ever, request), best = answer_among(w, always, request);
    const bool no_goal = read_options(request).occupied == WEND_OCCUPIED_BLOCK && !any_target(w, request);
    const wend_status status = got->status;
    if ((status == WEND_STATUS_START_BLOCKED) != (worst.status == WEND_STATUS_START_BLOCKED)) return "another outcome";
    if (status == WEND_STATUS_START_BLOCKED) return NULL;
    if (got->cost >= 0) {
        const char *fault = path_fault(w, request, got, cells, horizon);
        if (fault || status == WEND_STATUS_STALE) return fault;
    }
    if (status == WEND_STATUS_STALE) return NULL;
    if (status == WEND_STATUS_FOUND) {
        const double bound = exact_bound(w, request);
        if (no_goal && request->reach == 0 && request->mode == WEND_MODE_EXACT)
            return "found, and units stand on all goals";
        if (best.status != WEND_STATUS_FOUND) return "found where there never was a way";
        if (got->cost < best.cost) return "cheaper than the optimum";
        /* The cost of units is added up at the end. Jump search may have passed where a way around a unit begins. */
        if (read_options(request).occupied != WEND_OCCUPIED_BLOCK || got->engine == WEND_ENGINE_JUMP) return NULL;
        if (worst.status == WEND_STATUS_FOUND && (double)got->cost > (double)worst.cost * bound * (1 + 1e-12))
            return "dearer than a way that stayed clear";
        return NULL;
    }
    if (worst.status == WEND_STATUS_FOUND) return "no way where one stayed clear";
    if (request->mode == WEND_MODE_NEAREST) {
        if (status != WEND_STATUS_PARTIAL) return "another outcome than the nearest cell";
        static double near[WORLD_WIDE];
        world_nearness(w, request, near);
        const int end = world_number(w, cells[got->cell_count - 1]), worst_end = world_number(w, worst.end);
        return near[end] > near[worst_end] ? "not the nearest cell that stayed within reach" : NULL;
    }
    if (status == WEND_STATUS_GOAL_BLOCKED)
        return worst.status == WEND_STATUS_GOAL_BLOCKED ? NULL : "goal_blocked, and one never was";
    if (status != WEND_STATUS_NO_PATH) return "another outcome";
    return no_goal ? "no_path, and units stand on all goals" : NULL;
}

static void check_answer(world *w, const wend_request *request, const wend_completion *got, const wend_cell *cells,
                         size_t horizon, const char *by) {
    char text[WORLD_WORDS * 2];
    exact_total.queries++;
    exact_total.stirred[got->status]++;
    const char *fault = fault_of(w, request, got, cells, horizon);
    if (!fault) return;
    const world_answer worst = answer_among(w, ever, request), best = answer_among(w, always, request);
    snprintf(text, sizeof text, "%s, by %s among moving units: %s %lld by engine %d; at worst %s %lld, at best %s %lld",
             fault, by, wend_status_name(got->status), (long long)got->cost, (int)got->engine,
             wend_status_name(worst.status), (long long)worst.cost, wend_status_name(best.status),
             (long long)best.cost);
    exact_complain(w, request, text);
}

/* ---- asking ---- */

/* The path as of now, of a request that units block: cells on the only way are among them, where there is but one. */
static void note_way(wend_search *search, const wend_request *request) {
    size_t count = 0;
    REQUIRE(wend_search_begin(search, request) == WEND_OK);
    if (wend_search_step(search, WEND_NO_LIMIT, NULL) != WEND_STATUS_FOUND) return;
    REQUIRE(wend_search_get_path(search, path, WORLD_WIDE * 2, &count) == WEND_OK);
    for (size_t i = 1; i < count && way_count < WAYS; i++) ways[way_count++] = path[i];
}

static wend_request any_request(const world *w, wend_map *map, oracle_random *random, wend_cell *goals) {
    wend_request request = exact_begin(w, random);
    request.map = map;
    exact_aim(w, random, &request, goals);
    if (oracle_below(random, 3) > 0) options_of(&request)->occupied = WEND_OCCUPIED_BLOCK;
    if (read_options(&request).occupied == WEND_OCCUPIED_IGNORE)
        options_of(&request)->occupied = 1 + oracle_below(random, 3000);
    return request;
}

static wend_search *open_search(const world *w) {
    wend_search *search;
    wend_search_def def = default_search();
    def.nodes = exact_pages(w) * WEND_PAGE_NODES;
    REQUIRE(wend_search_create(&def, &search) == WEND_OK);
    return search;
}

static void begin_units(const world *w) {
    way_count = came_count = 0;
    note_units(w, true);
}

static void by_search(world *w, wend_map *map, oracle_random *random) {
    wend_cell goals[WEND_MAX_GOALS];
    OWNED_SEARCH *search = open_search(w);
    const wend_request request = any_request(w, map, random, goals);
    const int slice = 1 + oracle_below(random, oracle_below(random, 2) ? 20 : 400);
    wend_completion got = {.struct_bytes = sizeof got};
    size_t count = 0;
    begin_units(w);
    note_way(search, &request);
    REQUIRE(wend_search_begin(search, &request) == WEND_OK);
    for (int slices = 0; wend_search_step(search, slices < 200 ? (uint64_t)slice : 1000, NULL) == WEND_STATUS_PENDING;
         slices++)
        if (slices < 200) stir(w, map, random, &request), exact_layers_disturb(w, map, random);
    REQUIRE(wend_search_get_result(search, &got) == WEND_OK);
    if (got.cost >= 0) REQUIRE(wend_search_get_path(search, path, WORLD_WIDE * 2, &count) == WEND_OK);
    got.cell_count = count;
    check_answer(w, &request, &got, path, 0, "a search");
    exact_layers_derive(w);
}

static void on_done(void *context, const wend_completion *completion) {
    question *q = context;
    q->twice = q->done, q->done = true, q->got = *completion;
    free(q->cells);
    q->cells = malloc((completion->cell_count + 1) * sizeof *q->cells);
    REQUIRE(q->cells != NULL);
    if (completion->cell_count > 0) memcpy(q->cells, completion->cells, completion->cell_count * sizeof *q->cells);
}

static wend_service *open_service(const world *w, oracle_random *random, uint32_t *horizon) {
    static const uint64_t slices[] = {1, 7, 64, 1000};
    static const uint32_t horizons[] = {0, 1, 8, 65536}, restarts[] = {0, 1, 8, 8};
    wend_service *service;
    wend_service_tuning tuning = default_tuning();
    wend_service_def def = default_service();
    tuning.slice = slices[oracle_below(random, 4)];
    tuning.horizon = *horizon = horizons[oracle_below(random, 4)];
    tuning.restarts = restarts[oracle_below(random, 4)];
    def.tuning = &tuning;
    tuning.lanes = 1 + (uint32_t)oracle_below(random, 4);
    tuning.searches = tuning.lanes + (uint32_t)oracle_below(random, 8);
    def.workers = (uint32_t)oracle_below(random, (int)tuning.lanes);
    def.nodes = (exact_pages(w) + 8) * WEND_PAGE_NODES * (1 + (uint64_t)oracle_below(random, 3));
    def.max_path_cells = WORLD_WIDE * 2;
    REQUIRE(wend_service_create(&def, &service) == WEND_OK);
    return service;
}

static void submit_all(world *w, wend_map *map, wend_service *service, oracle_random *random) {
    OWNED_SEARCH *search = open_search(w);
    begin_units(w);
    for (int i = 0; i < BATCH; i++) {
        question *q = &questions[i];
        *q = (question){.done = false};
        q->request = any_request(w, map, random, q->goals);
        note_way(search, &q->request);
        q->request.on_done = on_done, q->request.context = q;
        if (oracle_below(random, 4) == 0) options_of(&q->request)->on_stale = WEND_ON_STALE_DELIVER;
        REQUIRE(wend_service_submit(service, &q->request, NULL) == WEND_OK);
    }
}

static void check_delivered(world *w, size_t horizon) {
    for (int i = 0; i < BATCH; i++) {
        question *q = &questions[i];
        if (!q->done || q->checked) continue;
        q->checked = true;
        check_answer(w, &q->request, &q->got, q->cells, horizon, "a service");
    }
}

static void by_service(world *w, wend_map *map, oracle_random *random) {
    uint32_t horizon;
    wend_service *service = open_service(w, random, &horizon);
    const int most = 1 + oracle_below(random, oracle_below(random, 2) ? 100 : 2000);
    wend_budget budget = default_budget();
    submit_all(w, map, service, random);
    for (int frames = 0; wend_service_get_pending(service) > 0; frames++) {
        budget.expansions = frames < 100 ? (uint64_t)oracle_below(random, most) : WEND_NO_LIMIT;
        REQUIRE(wend_service_tick(service, &budget, NULL) == WEND_OK);
        REQUIRE(frames < 10000);
        check_delivered(w, horizon);
        if (frames < 100) stir(w, map, random, &questions[oracle_below(random, BATCH)].request);
    }
    wend_service_destroy(service);
    for (int i = 0; i < BATCH; i++) {
        if (!questions[i].checked || questions[i].twice)
            exact_complain(w, &questions[i].request, "not exactly one completion");
        free(questions[i].cells);
    }
}

void exact_while_moving(world *w, wend_map *map, oracle_random *random) {
    by_search(w, map, random);
    if (oracle_below(random, 4) == 0) by_service(w, map, random);
}
