/* SPDX-License-Identifier: MIT */
/* Race test, a plain program: four threads make random calls of everything that any thread may call of a service, with
 * short and long queues, a reserve and displacement, while a fifth runs frames and reads. Each accepted request
 * completes exactly once. Build it with --enable-sanitizer=thread. Exits non-zero where a promise is broken.
 *
 *   stress_calls [ROUNDS [CALLS [SEED]]]     5, 4,000 and 1 by default; CALLS are those of each thread in a round */
#include "models/oracle.h"
#include "models/options.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <wend/service_tuning.h>
#include <wend/wend.h>
#include <wend/control.h>

#include "stress/promise.h"

enum { THREADS = 4, MAPS = 3, SIDE = 48, RECENT = 256, MANY = 8, AGENTS = 40 };

/* A request. */
typedef struct asked {
    atomic_int answers;
    atomic_bool accepted, cancelled; ///< cancelled: cancel returned OK
} asked;

/* A thread, and its requests. */
typedef struct caller {
    oracle_random random;
    asked *all;
    uint32_t used, capacity, calls;
    wend_ticket tickets[RECENT];
    asked *owners[RECENT]; ///< requests of the tickets; NULL: none
} caller;

static wend_service *service;
static wend_map *maps[MAPS];
static caller callers[THREADS + 1]; ///< the last is the owner: its callbacks submit too
static atomic_int callers_left;
static pthread_t owner;
static _Atomic uint64_t accepted, refused, closed, cancelled, stale;
static uint64_t completed, statuses[WEND_STATUS_COUNT];

static wend_cell any_cell(oracle_random *random) {
    const int32_t x = oracle_below(random, SIDE);
    return (wend_cell){x, oracle_below(random, SIDE), 0};
}

static void count(atomic_uint_fast64_t *total) {
    atomic_fetch_add_explicit(total, 1, memory_order_relaxed);
}

static void answered(const wend_completion *completion) {
    asked *own = completion->context;
    PROMISE(atomic_fetch_add(&own->answers, 1) == 0);
    PROMISE(completion->status > WEND_STATUS_PENDING && completion->status < WEND_STATUS_COUNT);
    if (atomic_load(&own->cancelled)) PROMISE(completion->status == WEND_STATUS_CANCELLED);
    completed++;
    statuses[completion->status]++;
}

static void call(caller *self);

static void on_done(void *context, const wend_completion *completion) {
    PROMISE(pthread_equal(owner, pthread_self()) && context == completion->context);
    answered(completion);
    caller *self = &callers[THREADS];
    if (oracle_below(&self->random, 10) == 0) call(self);
}

static wend_request any_request(caller *self, asked *own) {
    oracle_random *random = &self->random;
    wend_request request = default_request();
    request.map = maps[oracle_below(random, MAPS)], request.start = any_cell(random);
    request.goal = any_cell(random), request.urgency = oracle_below(random, 20) - 15;
    if (oracle_below(random, 50) == 0) request.urgency = oracle_below(random, 2) ? WEND_URGENCY_MAX : WEND_URGENCY_MIN;
    options_of(&request)->engine = oracle_below(random, 3);
    if (oracle_below(random, 4) == 0) request.deadline_frames = 1 + (uint64_t)oracle_below(random, 6);
    if (oracle_below(random, 8) == 0) options_of(&request)->max_expansions = 1 + (uint64_t)oracle_below(random, 300);
    if (oracle_below(random, 3) == 0) request.agent = (uint64_t)oracle_below(random, AGENTS);
    request.on_done = on_done, request.context = own;
    return request;
}

static void note_error(wend_error error) {
    PROMISE(error == WEND_OK || error == WEND_BUSY || error == WEND_CLOSED);
    if (error == WEND_BUSY) count(&refused);
    if (error == WEND_CLOSED) count(&closed);
}

static void submit_some(caller *self, uint32_t wanted) {
    static const wend_cell more[2] = {{1, 1, 0}, {9, 9, 0}};
    for (uint32_t i = 0; i < wanted && self->used < self->capacity; i++) {
        asked *own = &self->all[self->used++]; /* an answer may come before the call returns */
        wend_request request = any_request(self, own);
        wend_ticket ticket;
        if (i == 0 && oracle_below(&self->random, 6) == 0)
            options_of(&request)->more_goals = more, options_of(&request)->more_goal_count = 2;
        const wend_error error = wend_service_submit(service, &request, &ticket);
        note_error(error);
        if (error) return;
        const int place = oracle_below(&self->random, RECENT);
        self->tickets[place] = ticket, self->owners[place] = own;
        atomic_store_explicit(&own->accepted, true, memory_order_relaxed);
        count(&accepted);
    }
}

static bool took(wend_error error) {
    PROMISE(error == WEND_OK || error == WEND_STALE_TICKET);
    if (error) count(&stale);
    return error == WEND_OK;
}

static void cancel_one(caller *self, int place) {
    if (!self->owners[place] || !took(wend_service_cancel(service, self->tickets[place]))) return;
    atomic_store(&self->owners[place]->cancelled, true);
    count(&cancelled);
}

static void set_many(caller *self) {
    for (int i = 0; i < RECENT; i++)
        took(wend_service_set_urgency(service, self->tickets[i], oracle_below(&self->random, 20) - 15));
}

static void look(oracle_random *random) {
    const uint64_t wait = wend_service_get_wait(service);
    PROMISE(wait == WEND_NO_LIMIT || wait < UINT32_MAX);
    wend_service_get_pending(service);
    wend_service_get_work(service);
    wend_ticket none;
    none.index = (uint32_t)oracle_next(random);
    none.generation = UINT32_MAX - (uint32_t)oracle_below(random, 9);
    PROMISE(wend_service_cancel(service, none) == WEND_STALE_TICKET);
    PROMISE(wend_service_set_goal(service, none, (wend_cell){0, 0, 0}) == WEND_STALE_TICKET);
    PROMISE(wend_service_set_urgency(service, none, WEND_URGENCY_MAX + 1) == WEND_BAD_ARGUMENT);
}

/* Other threads may have a batch open. */
static void edit(oracle_random *random) {
    wend_edit *batch;
    wend_error error = wend_edit_begin(maps[oracle_below(random, MAPS)], &batch);
    PROMISE(error == WEND_OK || error == WEND_IN_USE);
    if (error) return;
    for (int i = 0; i < 3; i++) {
        const wend_cell at = any_cell(random);
        PROMISE(wend_edit_set_cell(batch, at, (uint8_t)(oracle_below(random, 3) > 0)) == WEND_OK);
    }
    PROMISE(wend_edit_publish(batch, NULL) == WEND_OK);
}

static void call(caller *self) {
    oracle_random *random = &self->random;
    const int what = oracle_below(random, 100), place = oracle_below(random, RECENT);
    size_t ended;
    if (what < 50)
        submit_some(self, 1);
    else if (what < 62)
        submit_some(self, 1 + (uint32_t)oracle_below(random, MANY));
    else if (what < 72)
        cancel_one(self, place);
    else if (what < 80)
        took(wend_service_set_urgency(service, self->tickets[place], oracle_below(random, 20) - 15));
    else if (what < 90)
        took(wend_service_set_goal(service, self->tickets[place], any_cell(random)));
    else if (what < 93)
        set_many(self);
    else if (what < 97)
        look(random);
    else if (what < 99)
        edit(random);
    else if (oracle_below(random, 8) == 0)
        PROMISE(wend_service_cancel_map(service, maps[oracle_below(random, MAPS)], &ended) == WEND_OK);
}

static void *make_calls(void *argument) {
    caller *self = argument;
    for (uint32_t i = 0; i < self->calls; i++) {
        call(self);
        if (i % 64 == 0) sched_yield();
    }
    atomic_fetch_sub(&callers_left, 1);
    return NULL;
}

/* ---- the owner ---- */

static wend_budget any_budget(oracle_random *random) {
    wend_budget budget = default_budget();
    budget.expansions = (uint64_t)oracle_below(random, 4000);
    switch (oracle_below(random, 10)) {
    case 0: budget.us = (uint64_t)oracle_below(random, 300); break;
    case 1: limits_of(&budget)->intakes = (uint64_t)oracle_below(random, 40); break;
    case 2: limits_of(&budget)->deliveries = (uint64_t)oracle_below(random, 40); break;
    case 3: limits_of(&budget)->changes = (uint64_t)oracle_below(random, 10); break;
    case 4: limits_of(&budget)->rounds = (uint64_t)oracle_below(random, 3); break;
    default: break;
    }
    return budget;
}

static void frame(caller *self) {
    const wend_budget budget = any_budget(&self->random);
    wend_frame done = {.struct_bytes = sizeof done};
    wend_stats stats = {.struct_bytes = sizeof stats};
    wend_cell cells[8];
    PROMISE(wend_service_tick(service, &budget, &done) == WEND_OK);
    PROMISE(done.expansions <= budget.expansions);
    PROMISE(wend_service_get_stats(service, &stats) == WEND_OK);
    PROMISE(stats.completed <= stats.submitted);
    wend_service_get_prefix(service, self->tickets[oracle_below(&self->random, RECENT)], cells, 8, NULL);
    if (oracle_below(&self->random, 4) == 0) call(self);
    if (wend_service_get_work(service) == 0) sched_yield();
}

static void make_service(uint64_t round) {
    static const uint32_t queues[] = {100, 70000, 65536, 65537, 3000};
    wend_service_def def = default_service();
    wend_service_tuning tuning = default_tuning();
    def.queue = queues[round % 5];
    def.reserve = def.queue - 90; /* so that it is full for most requests */
    def.displace = round % 7 != 6, def.tuning = &tuning, tuning.searches = 12, def.workers = 2;
    def.nodes = 24 * WEND_PAGE_NODES, def.max_path_cells = SIDE * SIDE;
    PROMISE(wend_service_create(&def, &service) == WEND_OK);
}

static void make_callers(uint32_t calls, uint64_t seed) {
    for (uint32_t i = 0; i <= THREADS; i++) {
        caller *self = &callers[i];
        memset(self, 0, sizeof *self);
        self->random.state = seed * 8 + i, self->calls = calls, self->capacity = calls * 2 + 1000;
        PROMISE((self->all = calloc(self->capacity, sizeof *self->all)) != NULL);
    }
}

static void check_answers(void) {
    for (uint32_t i = 0; i <= THREADS; i++) {
        for (uint32_t j = 0; j < callers[i].capacity; j++) {
            const asked *own = &callers[i].all[j];
            const int answers = atomic_load(&own->answers);
            if (!atomic_load(&own->accepted)) PROMISE(answers == 0);
            if (atomic_load(&own->accepted)) PROMISE(answers == 1);
        }
        free(callers[i].all);
    }
}

static void run_round(uint64_t round, uint32_t calls, uint64_t seed) {
    pthread_t threads[THREADS];
    make_service(round);
    make_callers(calls, seed);
    atomic_store(&callers_left, THREADS);
    for (int i = 0; i < THREADS; i++) PROMISE(pthread_create(&threads[i], NULL, make_calls, &callers[i]) == 0);
    caller *self = &callers[THREADS];
    const bool closes = round % 3 == 1, drains = round % 3 != 2;
    while (atomic_load(&callers_left) > (closes ? 1 : 0)) frame(self);
    if (closes) wend_service_close(service); /* with others still at it */
    for (int i = 0; i < THREADS; i++) pthread_join(threads[i], NULL);
    while (drains && wend_service_get_pending(service) > 0) frame(self);
    PROMISE(wend_service_destroy(service) == WEND_OK);
    check_answers();
}

int main(int argc, char **argv) {
    const uint64_t rounds = argc > 1 ? strtoull(argv[1], NULL, 10) : 5;
    const uint32_t calls = argc > 2 ? (uint32_t)strtoul(argv[2], NULL, 10) : 4000;
    const uint64_t seed = argc > 3 ? strtoull(argv[3], NULL, 10) : 1;
    owner = pthread_self();
    wend_map_def def = default_map();
    def.width = def.height = SIDE;
    for (int i = 0; i < MAPS; i++) PROMISE(wend_map_create(&def, &maps[i]) == WEND_OK);
    for (uint64_t round = 0; round < rounds; round++) run_round(round, calls, seed + round);
    for (int i = 0; i < MAPS; i++) wend_map_release(maps[i]);
    printf("%zu rounds: %zu accepted, %zu busy, %zu closed, %zu cancelled, %zu stale, %zu completed\n", (size_t)rounds,
           (size_t)accepted, (size_t)refused, (size_t)closed, (size_t)cancelled, (size_t)stale, (size_t)completed);
    for (int i = 0; i < WEND_STATUS_COUNT; i++)
        if (statuses[i]) printf("%zu %s, ", (size_t)statuses[i], wend_status_name(i));
    printf("\n");
    PROMISE(rounds < 5 || (refused > 0 && closed > 0 && statuses[WEND_STATUS_DISPLACED] > 0 &&
                           statuses[WEND_STATUS_REPLACED] > 0 && statuses[WEND_STATUS_EXPIRED] > 0));
    return 0;
}
