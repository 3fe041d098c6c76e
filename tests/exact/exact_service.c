/* SPDX-License-Identifier: MIT */
/* Questions to a service: many at a time, with workers or without, in small frames, and goals that move meanwhile. */
#include "exact/exact.h"
#include "models/options.h"

#include <stdlib.h>
#include <string.h>
#include <wend/service_tuning.h>
#include <wend/control.h>

typedef struct question {
    wend_request request;
    wend_cell goals[WEND_MAX_GOALS];
    world_answer expected;
    wend_ticket ticket;
    wend_completion got;
    wend_cell *cells;
    bool done, twice;
} question;

static question questions[EXACT_BATCH];
static int64_t flood[WORLD_WIDE];

static void on_done(void *context, const wend_completion *completion) {
    question *q = context;
    q->twice = q->done, q->done = true, q->got = *completion;
    if (completion->cell_count == 0) return;
    free(q->cells);
    q->cells = malloc(completion->cell_count * sizeof *q->cells);
    REQUIRE(q->cells != NULL);
    memcpy(q->cells, completion->cells, completion->cell_count * sizeof *q->cells);
}

static wend_service *open_service(const world *w, oracle_random *random) {
    static const uint64_t slices[] = {1, 7, 1000, 1000};
    wend_service *service;
    wend_service_tuning tuning = default_tuning();
    wend_service_def def = default_service();
    tuning.slice = slices[oracle_below(random, 4)];
    def.tuning = &tuning, def.queue = EXACT_BATCH * 2;
    tuning.lanes = 1 + (uint32_t)oracle_below(random, 4);
    tuning.searches = tuning.lanes + (uint32_t)oracle_below(random, 8);
    def.workers = tuning.lanes > 1 && oracle_below(random, 2) ? 2 : 0;
    def.nodes = (exact_pages(w) + 8) * WEND_PAGE_NODES * (1 + (uint64_t)oracle_below(random, 3));
    def.max_path_cells = WORLD_WIDE * 2;
    REQUIRE(wend_service_create(&def, &service) == WEND_OK);
    return service;
}

static void submit_all(const world *w, wend_map *map, wend_service *service, oracle_random *random) {
    for (int i = 0; i < EXACT_BATCH; i++) {
        question *q = &questions[i];
        *q = (question){.done = false};
        if (i % EXACT_VARIANTS == 0) {
            q->request = exact_begin(w, random);
            world_flood(w, &q->request, q->request.start, flood);
        } else {
            q->request = questions[i - 1].request;
        }
        exact_aim(w, random, &q->request, q->goals);
        q->expected = world_ask_flooded(w, &q->request, flood), q->request.map = map;
        q->request.on_done = on_done, q->request.context = q;
        q->request.urgency = oracle_below(random, 4);
        REQUIRE(wend_service_submit(service, &q->request, &q->ticket) == WEND_OK);
    }
}

/* S18 and wend_service_set_goal(): from then on the request is one to the new goal alone. */
static void move_goal(const world *w, wend_service *service, oracle_random *random) {
    question *q = &questions[oracle_below(random, EXACT_BATCH)];
    const wend_cell near = {q->request.goal.x + oracle_below(random, 3) - 1,
                            q->request.goal.y + oracle_below(random, 3) - 1, 0};
    const bool step = oracle_below(random, 2) && world_has(w, near);
    const wend_cell goal = step ? near : world_pick(w, random, q->request.mover);
    if (q->done || wend_service_set_goal(service, q->ticket, goal) != WEND_OK) return;
    q->request.goal = goal;
    options_of(&q->request)->more_goal_count = 0;
    world_flood(w, &q->request, q->request.start, flood);
    q->expected = world_ask_flooded(w, &q->request, flood);
    exact_total.moved++;
}

void exact_by_service(const world *w, wend_map *map, oracle_random *random) {
    wend_service *service = open_service(w, random);
    wend_budget budget = default_budget();
    submit_all(w, map, service, random);
    int moves = oracle_below(random, 2) * oracle_below(random, 12);
    for (uint64_t frames = 0; wend_service_get_pending(service) > 0; frames++) {
        budget.expansions = frames < 40 ? (uint64_t)oracle_below(random, 3000) : WEND_NO_LIMIT;
        wend_frame frame = {.struct_bytes = sizeof frame};
        REQUIRE(wend_service_tick(service, &budget, &frame) == WEND_OK);
        if (frame.expansions > budget.expansions) exact_complain(w, &questions[0].request, "a frame above its budget");
        REQUIRE(frames < 10000);
        if (moves-- > 0) move_goal(w, service, random);
    }
    wend_service_destroy(service);
    for (int i = 0; i < EXACT_BATCH; i++) {
        question *q = &questions[i];
        exact_total.serviced++;
        if (!q->done || q->twice) exact_complain(w, &q->request, "not exactly one completion");
        if (q->done) exact_compare(w, &q->request, &q->expected, &q->got, q->cells, "a service");
        free(q->cells);
    }
}
