/* SPDX-License-Identifier: MIT */
/* Searches on maps with closed steps. */
#include "map/store/directions.h"
#include "models/few_or_many.h"
#include "models/steps_model.h"
#include "models/options.h"

#include <criterion/criterion.h>
#include <wend/search.h>

static wend_search *search_of(void) {
    wend_search_def def = default_search();
    def.nodes = 64 * WEND_PAGE_NODES;
    return made_search(&def);
}

static void scatter(walled *w, wend_map *map, int steps, uint64_t *seed) {
    wend_edit *edit = begin_edit(map);
    for (int i = 0; i < steps; i++) {
        int32_t x = (int32_t)draw(seed, (uint32_t)w->m.width), y = (int32_t)draw(seed, (uint32_t)w->m.height);
        unsigned d = draw(seed, (uint32_t)w->m.rules.neighbours);
        int32_t tx = x + wend__dx[d], ty = y + wend__dy[d];
        if (tx < 0 || ty < 0 || tx >= w->m.width || ty >= w->m.height) continue;
        walled_set(w, edit, x, y, wend__dx[d], wend__dy[d], draw(seed, 10) == 0);
    }
    cr_assert_eq(wend_edit_publish(edit, NULL), WEND_OK);
}

static int32_t query(wend_search *search, const walled *w, const wend_request *request) {
    static wend_cell cells[100000];
    cr_assert_eq(wend_search_begin(search, request), WEND_OK);
    wend_status status = wend_search_step(search, WEND_NO_LIMIT, NULL);
    wend_completion answer = result_now(search);
    if (!model_open(&w->m, request->start.x, request->start.y) || !model_open(&w->m, request->goal.x, request->goal.y))
        return status;
    int64_t expected = walled_cost(w, request->start, request->goal);
    cr_assert_eq(answer.cost, expected, "(%d, %d) to (%d, %d): %d for %d", request->start.x, request->start.y,
                 request->goal.x, request->goal.y, (int)answer.cost, (int)expected);
    cr_assert_eq(status, expected < 0 ? WEND_STATUS_NO_PATH : WEND_STATUS_FOUND);
    if (expected < 0) return status;
    size_t count;
    cr_assert_eq(wend_search_get_path(search, cells, sizeof cells / sizeof *cells, &count), WEND_OK);
    cr_assert_eq(walled_walk(w, cells, count), expected);
    return status;
}

Test(map_steps_search, finds_the_cheapest_way_past_closed_steps) {
    const int queries = few_or_many(12, 60);
    int found = 0, none = 0;
    OWNED_SEARCH *search = search_of();
    for (uint64_t round = 0; round < 18; round++) {
        uint64_t seed = round;
        wend_map_rules rules = default_rules();
        rules.neighbours = round % 6 < 5 ? 8 : 4, rules.corners = (int32_t)(round % 3);
        OWNED(walled_free) walled w = walled_create(130, 70, &rules);
        for (int32_t i = 0; i < 130 * 70; i++)
            w.m.classes[i] = draw(&seed, 100) < 12 ? 0 : (uint8_t)(1 + draw(&seed, 1 + (uint32_t)round % 3));
        OWNED_MAP *map = map_of(&w.m);
        scatter(&w, map, round % 2 ? 30000 : 5000, &seed);
        for (int i = 0; i < queries; i++) {
            wend_request request = path_request(map, at((int32_t)draw(&seed, 130), (int32_t)draw(&seed, 70)),
                                                at((int32_t)draw(&seed, 130), (int32_t)draw(&seed, 70)));
            if (i % 4 == 0) options_of(&request)->heuristic = WEND_HEURISTIC_EUCLID; /* half a chunk a page */
            wend_status status = query(search, &w, &request);
            found += status == WEND_STATUS_FOUND, none += status == WEND_STATUS_NO_PATH;
        }
    }
    cr_assert(found > 9 * queries && none > queries / 12, "%d found, %d not", found, none);
}

Test(map_steps_search, s23_spends_nothing_on_a_room_behind_thin_walls) {
    OWNED(walled_free) walled w = walled_create(300, 300, NULL);
    OWNED_MAP *map = map_of(&w.m);
    OWNED_SEARCH *search = search_of();
    wend_request request = default_request();
    wend_completion answer = {.struct_bytes = sizeof answer};
    wend_edit *edit = begin_edit(map);
    for (int32_t i = 64; i < 192; i++) {
        walled_wall(&w, edit, i, 64, 0, -1); /* along rims of chunks */
        walled_wall(&w, edit, 64, i, -1, 0);
        walled_wall(&w, edit, i, 191, 0, 1);
        walled_wall(&w, edit, 191, i, 1, 0);
    }
    cr_assert_eq(wend_edit_publish(edit, NULL), WEND_OK);
    request.map = map, request.start = at(5, 5), request.goal = at(100, 100);
    cr_assert_eq(wend_search_begin(search, &request), WEND_OK);
    cr_assert_eq(wend_search_step(search, 1, NULL), WEND_STATUS_NO_PATH);
    wend_search_get_result(search, &answer);
    cr_assert_eq(answer.expansions, 0);
    cr_assert_eq(wend_edit_begin(map, &edit), WEND_OK);
    walled_set(&w, edit, 191, 191, 0, 1, true); /* a ledge that leads out only */
    cr_assert_eq(wend_edit_publish(edit, NULL), WEND_OK);
    cr_assert_eq(query(search, &w, &request), WEND_STATUS_NO_PATH);
    request.start = at(100, 100), request.goal = at(5, 5);
    cr_assert_eq(query(search, &w, &request), WEND_STATUS_FOUND);
}
