/* SPDX-License-Identifier: MIT */
/* Units on maps with sheets: with `occupied_within` units count that stand within this number of cells on the ground,
 * over near seams, and through no floor. Costs are compared with Dijkstra's algorithm on the floors. */
#include "models/fast.h"
#include "models/few_or_many.h"
#include "models/floors.h"
#include "models/options.h"

#include <wend/units.h>

enum { UNITS = 260, FAR = 100 };

static void stand(wend_map *map, const floors *f, bool *units, int32_t cell) {
    if (!units[cell]) cr_assert_eq(wend_map_occupy(map, floors_cell(f, cell)), WEND_OK);
    units[cell] = true;
}

/* Half of the units are in three groups. */
static void place_units(wend_map *map, const floors *f, bool *units, uint64_t *seed) {
    const int32_t groups[3] = {(int32_t)draw(seed, FLOORS_CELLS), (int32_t)draw(seed, FLOORS_CELLS),
                               (int32_t)draw(seed, FLOORS_CELLS)};
    for (int i = 0; i < UNITS; i++) {
        const int32_t near = groups[i % 3] + (int32_t)draw(seed, 8) + FLOOR_WIDTH * (int32_t)draw(seed, 8);
        stand(map, f, units, i % 2 ? near % FLOORS_CELLS : (int32_t)draw(seed, FLOORS_CELLS));
    }
}

/* Which units count: by the rule; as if the start's sheet were all; and as if floors did not matter. */
typedef enum counting { BY_RULE, ONE_SHEET, THROUGH_FLOORS } counting;

static void set_tolls(floors *f, const bool *units, const wend_request *request, int32_t start, counting how) {
    static bool within[FLOORS_CELLS];
    const int32_t price = read_options(request).occupied, most = read_options(request).occupied_within;
    const int32_t reach = most < 0 ? FAR : most;
    if (most < 0)
        memset(within, 1, sizeof within);
    else
        floors_find_within(f, start, reach, within);
    for (int32_t i = 0; i < FLOORS_CELLS; i++) {
        if (how == ONE_SHEET) within[i] = f->sheets[i] == f->sheets[start] && floors_near(i, start, reach);
        if (how == THROUGH_FLOORS) within[i] = floors_near(i, start, reach);
        const bool counts = units[i] && i != start && within[i];
        f->tolls[i] = !counts ? 0 : price == WEND_OCCUPIED_BLOCK ? -1 : price;
    }
}

static int64_t cost_if(floors *f, const bool *units, const wend_request *request, int32_t start, int32_t goal,
                       counting how) {
    static int64_t distances[FLOORS_CELLS];
    set_tolls(f, units, request, start, how);
    floors_measure(f, request->mover, start, false, distances);
    return floors_factor(f, request->mover, goal) && f->tolls[goal] >= 0 ? distances[goal] : -1;
}

static wend_status status_of(const floors *f, int32_t mover, int32_t goal, int64_t cost) {
    if (cost >= 0) return WEND_STATUS_FOUND;
    return floors_factor(f, mover, goal) && f->tolls[goal] >= 0 ? WEND_STATUS_NO_PATH : WEND_STATUS_GOAL_BLOCKED;
}

/* How often counting otherwise would have given another cost. */
typedef struct tally {
    uint32_t beyond_seams, behind_floors, jumped;
} tally;

static void compare_units(floors *f, wend_map *map, wend_search *search, const bool *units, int number, uint64_t *seed,
                          tally *met) {
    static const int32_t engines[] = {WEND_ENGINE_ASTAR, WEND_ENGINE_JUMP, WEND_ENGINE_AUTO};
    const int32_t start = (int32_t)draw(seed, FLOORS_CELLS), mover = number % 2;
    const int32_t far = number % 4 ? 4 : 15;
    const int32_t x = floors_x(start) + (int32_t)draw(seed, 2 * (uint32_t)far) - far;
    const int32_t y = floors_y(start) + (int32_t)draw(seed, 2 * (uint32_t)far) - far;
    const bool on = x >= 0 && y >= 0 && x < FLOOR_WIDTH && y < FLOOR_HEIGHT;
    const int32_t goal =
        on ? (int32_t)draw(seed, 2) * FLOOR_CELLS + y * FLOOR_WIDTH + x : (int32_t)draw(seed, FLOORS_CELLS);
    if (!floors_factor(f, mover, start) || start == goal) return;
    wend_request request = path_request(map, floors_cell(f, start), floors_cell(f, goal));
    request.mover = mover;
    options_of(&request)->engine = engines[number % 3];
    options_of(&request)->occupied = draw(seed, 2) ? WEND_OCCUPIED_BLOCK : 1 + (int32_t)draw(seed, 50);
    options_of(&request)->occupied_within = draw(seed, 9) ? (int32_t)draw(seed, 18) : WEND_EVERYWHERE;
    const int64_t alone = cost_if(f, units, &request, start, goal, ONE_SHEET);
    const int64_t through = cost_if(f, units, &request, start, goal, THROUGH_FLOORS);
    const int64_t cost = cost_if(f, units, &request, start, goal, BY_RULE);
    cr_assert_eq(wend_search_begin(search, &request), WEND_OK);
    wend_search_step(search, UINT64_MAX, NULL);
    const wend_completion result = result_now(search);
    cr_assert_eq(result.status, status_of(f, mover, goal, cost), "%d to %d within %d: %s, but %d", start, goal,
                 read_options(&request).occupied_within, wend_status_name(result.status), (int)cost);
    if (cost >= 0)
        cr_assert_eq((int64_t)result.cost, cost, "engine %d, %d to %d within %d: %d, not %d", result.engine, start,
                     goal, read_options(&request).occupied_within, (int)result.cost, (int)cost);
    met->beyond_seams += alone != cost, met->behind_floors += through != cost;
    met->jumped += result.engine == WEND_ENGINE_JUMP && result.expansions > 0;
}

static void move_units(wend_map *map, const floors *f, bool *units, uint64_t *seed) {
    for (int i = 0; i < 40; i++) {
        const int32_t cell = (int32_t)draw(seed, FLOORS_CELLS);
        if (units[cell]) cr_assert_eq(wend_map_vacate(map, floors_cell(f, cell)), WEND_OK);
        units[cell] = false;
        stand(map, f, units, (int32_t)draw(seed, FLOORS_CELLS));
    }
}

Test(sheets_units, s24_units_count_over_seams_that_are_within_and_through_no_floor) {
    static floors f;
    static bool units[FLOORS_CELLS];
    wend_search_def def = default_search();
    uint64_t seed = 7;
    tally met = {0, 0, 0};
    const int queries = enough_or_many(12, 24);
    def.nodes = 1 << 17;
    OWNED_SEARCH *search = made_search(&def);
    for (int round = 0; round < 12; round++) {
        memset(units, 0, sizeof units);
        floors_draw(&f, &seed, round % 2);
        OWNED_MAP *map = floors_map(&f);
        wend_acceleration acceleration = default_acceleration();
        acceleration.landmarks = 0;
        for (acceleration.mover = 0; acceleration.mover < 2 && round % 4; acceleration.mover++)
            cr_assert_eq(wend_map_accelerate(map, &acceleration), ACCELERATED);
        place_units(map, &f, units, &seed);
        for (int i = 0; i < queries; i++) {
            compare_units(&f, map, search, units, i, &seed, &met);
            if (i % 8 == 7) move_units(map, &f, units, &seed);
        }
    }
    cr_assert(met.beyond_seams > 4 && met.behind_floors > 0 && (met.jumped > 20 || !HAS_FAST), "%u, %u, %u",
              met.beyond_seams, met.behind_floors, met.jumped);
}
