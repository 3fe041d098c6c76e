/* SPDX-License-Identifier: MIT */
/* Far requests in a service: the same answers whatever the slices, lanes and workers, delivered at once or
 * later; budgets and limits count the expansions of a route. */
#include <criterion/criterion.h>

#include "models/few_or_many.h"
#include "service/service_support.h"
#include "models/options.h"

enum { SIDE = 700, REQUESTS = 60, ROOM = 4096 };

/* Noise, and some walls with gaps. */
static wend_map *far_map(void) {
    wend_acceleration fast = default_acceleration();
    uint64_t seed = 3;
    wend_map *map = grid_map(SIDE, SIDE);
    wend_edit *edit = begin_edit(map);
    for (int32_t x = 50; x < SIDE; x += 97)
        for (int32_t y = 0; y < SIDE; y++)
            if (y % 131 > 4) wend_edit_set_cell(edit, at(x, y), WEND_CLASS_BLOCKED);
    for (int i = 0; i < 40000; i++)
        wend_edit_set_cell(edit, at((int32_t)draw(&seed, SIDE), (int32_t)draw(&seed, SIDE)), WEND_CLASS_BLOCKED);
    cr_assert_eq(wend_edit_publish(edit, NULL), WEND_OK);
    fast.far = 1;
    cr_assert_eq(wend_map_accelerate(map, &fast), WEND_OK);
    return map;
}

/* Sums of all completions, in whatever order they come; and how many have crossings. */
typedef struct answers {
    uint64_t sum, expansions;
    unsigned count, far;
} answers;

static uint64_t mix_word(uint64_t hash, uint64_t word) {
    return (hash ^ word) * UINT64_C(0x9e3779b97f4a7c15) ^ hash >> 29;
}

static void add_answer(answers *all, const wend_completion *done) {
    uint64_t hash = mix_word(done->number, (uint64_t)done->cost);
    for (size_t i = 0; i < done->cell_count; i++)
        hash = mix_word(hash, (uint64_t)done->cells[i].x << 32 | (uint32_t)done->cells[i].y);
    for (size_t i = 0; i < done->crossing_count; i++)
        hash = mix_word(hash, (uint64_t)done->crossings[i].x << 32 | (uint32_t)done->crossings[i].y);
    all->sum += mix_word(mix_word(hash, done->expansions), (uint64_t)done->status << 8 | (uint32_t)done->exact);
    all->expansions += done->expansions;
    all->count++;
    all->far += done->crossing_count > 0;
}

static void note_answer(void *context, const wend_completion *done) {
    add_answer(context, done);
}

static void submit_all(wend_service *service, wend_map *map, wend_done_fn *on_done, answers *all) {
    uint64_t seed = 17;
    for (unsigned i = 0; i < REQUESTS; i++) {
        wend_request request = default_request();
        request.map = map, request.mode = i % 5 ? WEND_MODE_FAR : WEND_MODE_EXACT;
        request.start = at((int32_t)draw(&seed, SIDE), (int32_t)draw(&seed, SIDE));
        request.goal = at((int32_t)draw(&seed, SIDE), (int32_t)draw(&seed, SIDE));
        request.urgency = (int32_t)(i % 7), request.on_done = on_done, request.context = all;
        cr_assert_eq(wend_service_submit(service, &request, NULL), WEND_OK);
    }
}

static wend_service_def far_def(void) {
    wend_service_def def = small_def();
    def.nodes = 1 << 21, def.max_path_cells = SIDE * SIDE;
    return def;
}

/* Frames until all are answered, which spend no more than their budget. */
static void run_frames(wend_service *service, const wend_budget *budget) {
    while (wend_service_get_pending(service) > 0) {
        wend_frame frame = {.struct_bytes = sizeof frame};
        cr_assert_eq(wend_service_tick(service, budget, &frame), WEND_OK);
        cr_assert_leq(frame.expansions, budget->expansions);
    }
}

static answers answers_of(const wend_service_def *def, wend_map *map, const wend_budget *budget) {
    answers all = {0};
    wend_service *service = service_of(def);
    submit_all(service, map, note_answer, &all);
    run_frames(service, budget);
    wend_service_destroy(service);
    cr_assert_eq(all.count, REQUESTS);
    return all;
}

Test(far_requests, have_the_same_answers_however_they_are_run) {
    OWNED_MAP *map = far_map();
    wend_service_def def = far_def();
    wend_budget budget = default_budget();
    budget.expansions = 1000000;
    const answers first = answers_of(&def, map, &budget);
    cr_assert_gt(first.far, REQUESTS / 3);
    for (unsigned i = 0; i < 8; i++) {
        def.workers = i % 3, tuning.lanes = 1 + i % 4, tuning.slice = UINT64_C(100) << i;
        budget.expansions = i % 2 ? 700 : 50000;
        limits_of(&budget)->deliveries =
            i > 3 ? 1 : WEND_NO_LIMIT; /* the others wait in the arena, or in their slots */
        def.path_bytes = i > 5 ? 0 : 1 << 20;
        const answers now = answers_of(&def, map, &budget);
        cr_assert_eq(now.sum, first.sum, "run %u", i);
    }
}

static void keep(void *context, const wend_completion *completion) {
    *(wend_completion *)context = *completion;
}

static wend_completion answer_with(wend_map *map, uint64_t most, uint64_t expansions) {
    wend_service_def def = far_def();
    OWNED_SERVICE *service = service_of(&def);
    wend_completion done = {.struct_bytes = sizeof done};
    wend_budget budget = default_budget();
    wend_request request = default_request();
    budget.expansions = expansions;
    request.map = map, request.start = at(1, 1), request.goal = at(SIDE - 2, SIDE - 2), request.mode = WEND_MODE_FAR;
    options_of(&request)->max_expansions = most;
    request.on_done = keep, request.context = &done;
    cr_assert_eq(wend_service_submit(service, &request, NULL), WEND_OK);
    while (wend_service_get_pending(service) > 0) cr_assert_eq(wend_service_tick(service, &budget, NULL), WEND_OK);
    return done;
}

static wend_map *far_map_with_open_corners(void) {
    wend_map *map = far_map();
    IN_BATCH(map, wend_edit_fill_box(edit, (wend_box){at(0, 0), at(3, 3)}, WEND_CLASS_OPEN),
             wend_edit_fill_box(edit, (wend_box){at(SIDE - 4, SIDE - 4), at(SIDE - 1, SIDE - 1)}, WEND_CLASS_OPEN));
    cr_assert_eq(wend_map_maintain(map, WEND_MAINTAIN_FAR, WEND_NO_LIMIT, NULL), WEND_OK);
    return map;
}

Test(far_requests, end_as_limit_with_one_expansion_less_than_they_take) {
    OWNED_MAP *map = far_map_with_open_corners();
    const wend_completion done = answer_with(map, WEND_NO_LIMIT, 100000);
    cr_assert(done.status == WEND_STATUS_FOUND && done.crossing_count > 0);
    for (uint64_t budget = 1; budget <= 1000; budget *= 10) {
        cr_assert_eq(answer_with(map, done.expansions, 7 * budget).status, WEND_STATUS_FOUND);
        cr_assert_eq(answer_with(map, done.expansions - 1, 7 * budget).status, WEND_STATUS_LIMIT);
    }
}

static wend_map *long_map(int32_t width, int32_t height) {
    wend_acceleration fast = default_acceleration();
    uint64_t seed = 5;
    wend_map *map = grid_map(width, height);
    wend_edit *edit = begin_edit(map);
    for (int32_t i = 0; i < width * 12; i++)
        wend_edit_set_cell(edit, at((int32_t)draw(&seed, (uint32_t)width), (int32_t)draw(&seed, (uint32_t)height)),
                           WEND_CLASS_BLOCKED);
    wend_edit_fill_box(edit, (wend_box){at(0, 0), at(3, 3)}, WEND_CLASS_OPEN);
    wend_edit_fill_box(edit, (wend_box){at(width - 4, 0), at(width - 1, 3)}, WEND_CLASS_OPEN);
    cr_assert_eq(wend_edit_publish(edit, NULL), WEND_OK);
    fast.far = 1, fast.landmarks = 0;
    cr_assert_eq(wend_map_accelerate(map, &fast), WEND_OK);
    return map;
}

/* A beginning has the same leg, cost, and first crossings as the whole route, for fewer expansions. */
Test(far_requests, of_which_the_beginning_alone_is_worked_out) {
    enum { WIDTH = 4000, CELLS = 4096, SAME = 30 };
    OWNED_MAP *map = long_map(WIDTH, 130);
    const wend_search_def def = default_search();
    static wend_cell cells[2][CELLS], crossings[2][CELLS];
    size_t cell_count[2], count[2];
    wend_completion done[2];
    OWNED_SEARCH *search = made_search(&def);
    for (unsigned i = 0; i < 2; i++) {
        wend_request request = default_request();
        request.map = map, request.start = at(1, 1), request.goal = at(WIDTH - 2, 1), request.mode = WEND_MODE_FAR;
        options_of(&request)->far_begin = i == 1;
        done[i] = (wend_completion){.struct_bytes = sizeof done[i]};
        cr_assert_eq(wend_search_begin(search, &request), WEND_OK);
        cr_assert_eq(wend_search_step(search, WEND_NO_LIMIT, NULL), WEND_STATUS_FOUND);
        cr_assert_eq(wend_search_get_result(search, &done[i]), WEND_OK);
        cr_assert_eq(wend_search_get_path(search, cells[i], CELLS, &cell_count[i]), WEND_OK);
        cr_assert_eq(wend_search_get_crossings(search, crossings[i], CELLS, &count[i]), WEND_OK);
    }
    cr_assert(cell_count[0] == cell_count[1] && done[0].cost == done[1].cost);
    cr_assert_arr_eq(cells[0], cells[1], cell_count[0] * sizeof cells[0][0]);
    cr_assert(count[1] < count[0] && count[1] >= SAME, "%zu of %zu", count[1], count[0]);
    cr_assert_arr_eq(crossings[0], crossings[1], SAME * sizeof crossings[0][0]);
    cr_assert_lt(done[1].expansions, done[0].expansions);
}

/* An edit closes the first leg during the search, or while the answer waits: the request is searched again on the new
 * version, whose layer is stale. */
Test(far_requests, are_searched_again_where_an_edit_closes_the_leg) {
    for (int frames = 1; frames < 40; frames += few_or_many(15, 3)) {
        OWNED_MAP *map = far_map_with_open_corners();
        wend_service_def def = far_def();
        OWNED_SERVICE *service = service_of(&def);
        answers all = {0};
        wend_budget budget = default_budget();
        wend_request request = default_request();
        budget.expansions = 300;
        request.map = map, request.start = at(1, 1), request.goal = at(SIDE - 2, SIDE - 2);
        request.mode = WEND_MODE_FAR, request.on_done = note_answer, request.context = &all;
        cr_assert_eq(wend_service_submit(service, &request, NULL), WEND_OK);
        for (int i = 0; i < frames; i++) cr_assert_eq(wend_service_tick(service, &budget, NULL), WEND_OK);
        IN_BATCH(map, for (int32_t i = 4; i < 60; i++) wend_edit_set_cell(edit, at(i, i), WEND_CLASS_BLOCKED));
        budget.expansions = 100000;
        run_frames(service, &budget);
        cr_assert_eq(all.count, 1);
    }
}

Test(far_requests, are_answered_as_exact_ones_without_memory_for_routes) {
    OWNED_MAP *map = far_map();
    wend_service_def def = far_def();
    wend_budget budget = default_budget();
    tuning.far_nodes = 0;
    cr_assert_eq(answers_of(&def, map, &budget).far, 0);
    tuning.far_nodes = WEND_MAX_FAR_NODES + 1;
    cr_assert_eq(wend_service_bytes(&def), 0);
}
