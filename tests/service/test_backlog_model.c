/* SPDX-License-Identifier: MIT */
/* The backlog against a plain list under random changes, and a service with few entries against one with an entry for
 * each place under random calls. */
#include "service/backlog/backlog.h"
#include "service/service_support.h"
#include "models/options.h"
#include "models/kept.h"

#include <criterion/criterion.h>
#include <string.h>

/* ---- the backlog by itself ---- */

enum { PLACES = 200, HIGH = 5, ROOM = 60, ASKED = 4000 };

/* A place in the list: 0 is free, 1 waits, 2 has ended. */
typedef struct place {
    int state;
    int32_t urgency;
    uint64_t number, due; ///< WEND_NO_LIMIT: no deadline
    uint64_t ended;       ///< when, in calls
} place;

static uint32_t best(const place *list, bool last) {
    uint32_t found = WEND__NONE;
    for (uint32_t i = 0; i < PLACES; i++) {
        if (list[i].state != 1) continue;
        if (found == WEND__NONE) found = i;
        const bool same = list[i].urgency == list[found].urgency;
        const bool before = same ? list[i].number < list[found].number : list[i].urgency > list[found].urgency;
        if (before != last && i != found) found = i;
    }
    return found;
}

static void compare(const wend__backlog *backlog, const place *list) {
    uint32_t count = 0, oldest = WEND__NONE, ended = WEND__NONE;
    for (uint32_t i = 0; i < PLACES; i++) {
        count += list[i].state > 0;
        if (list[i].state == 1 && (oldest == WEND__NONE || list[i].number < list[oldest].number)) oldest = i;
        if (list[i].state == 2 && (ended == WEND__NONE || list[i].ended < list[ended].ended)) ended = i;
    }
    cr_assert_eq(backlog->count, count);
    cr_assert_eq(wend__lines_first(&backlog->lines), best(list, false));
    cr_assert_eq(wend__lines_last(&backlog->lines), best(list, true));
    cr_assert_eq(backlog->ages.first, oldest);
    cr_assert_eq(backlog->ended.first, ended);
}

static int32_t any_urgency(uint64_t *seed) {
    const int32_t drawn = (int32_t)draw(seed, HIGH + 2);
    return drawn == HIGH ? WEND_URGENCY_MAX : drawn > HIGH ? WEND_URGENCY_MIN : drawn - 3;
}

static uint32_t open_one(wend_service *service, wend_map *map, place *list, uint64_t call, uint64_t frame,
                         uint64_t *seed) {
    wend__backlog *backlog = &service->inbox.backlog;
    const uint32_t index = wend__backlog_open(backlog);
    cr_assert_lt(index, PLACES);
    cr_assert_eq(list[index].state, 0);
    wend_request request = request_on(service, map, at(1, 1), at(2, 2));
    request.urgency = any_urgency(seed);
    if (draw(seed, 3) == 0) request.deadline_frames = 1 + draw(seed, draw(seed, 4) ? 9 : 2 * WEND__WHEEL + 5);
    wend__backlog_write(&backlog->waiters[index], KEPT(&request));
    backlog->waiters[index].submitted = (uint32_t)frame;
    wend__backlog_add(backlog, index, call);
    const uint64_t after = request.deadline_frames;
    list[index] = (place){1, request.urgency, call, after == WEND_NO_LIMIT ? after : frame + after, 0};
    return index;
}

/* All that are due get out, so that frames may go on. */
static void check_due(wend__backlog *backlog, place *list, uint64_t frame) {
    for (;;) {
        const uint32_t due = wend__backlog_due(backlog, frame);
        uint32_t left = 0;
        for (uint32_t i = 0; i < PLACES; i++) left += list[i].state == 1 && list[i].due <= frame;
        cr_assert_eq(due != WEND__NONE, left > 0);
        if (due == WEND__NONE) return;
        cr_assert(list[due].state == 1 && list[due].due <= frame);
        wend__backlog_remove(backlog, due);
        wend__backlog_close(backlog, due);
        list[due].state = 0;
    }
}

Test(backlog_model, agrees_with_a_plain_list) {
    wend_service_def def = small_def();
    def.queue = PLACES;
    wend_service *service = service_of(&def);
    OWNED_MAP *map = open_map(9, 9);
    wend__backlog *backlog = &service->inbox.backlog;
    static place list[PLACES];
    uint64_t seed = 4, frame = UINT32_MAX - 20000; /* low halves of numbers begin again */
    uint32_t used = 0;
    backlog->expired = frame;
    for (uint64_t call = 1; call <= 60000; call++) {
        const uint32_t index = draw(&seed, PLACES), what = draw(&seed, 20);
        const bool waits = list[index].state == 1;
        if (what < 8 && used < PLACES) {
            open_one(service, map, list, call, frame, &seed);
        } else if (what < 12 && waits) {
            list[index].urgency = any_urgency(&seed);
            wend__backlog_set_urgency(backlog, index, list[index].urgency);
        } else if (what < 14 && waits) {
            list[index].state = 2, list[index].ended = call;
            wend__backlog_end(backlog, index, WEND_STATUS_CANCELLED);
        } else if (what < 18 && list[index].state > 0) {
            list[index].state = 0;
            wend__backlog_remove(backlog, index);
            wend__backlog_close(backlog, index);
        } else if (what == 19) {
            frame += draw(&seed, 5) == 0 ? draw(&seed, 3000) : 1;
            check_due(backlog, list, frame);
        }
        compare(backlog, list);
        used = backlog->count;
    }
    cr_assert_gt(frame, UINT32_MAX, "the case occurred");
    for (uint32_t i = 0; i < PLACES; i++)
        if (list[i].state > 0) wend__backlog_remove(backlog, i);
    cr_assert_eq(wend_service_destroy(service), WEND_OK);
}

/* ---- a record keeps all of a request ---- */

static void check_same(const wend__request *a, const wend__request *b) {
    cr_assert(a->map == b->map && a->on_done == b->on_done && a->context == b->context);
    cr_assert(a->start.x == b->start.x && a->start.y == b->start.y && a->goal.x == b->goal.x && a->goal.y == b->goal.y);
    cr_assert(a->flags == b->flags && a->urgency == b->urgency && a->engine == b->engine);
    cr_assert(a->heuristic == b->heuristic && a->weight_milli == b->weight_milli && a->on_stale == b->on_stale);
    cr_assert(a->mover == b->mover && a->mode == b->mode && a->reach == b->reach);
    cr_assert(a->occupied == b->occupied && a->occupied_within == b->occupied_within);
    cr_assert(a->more_goal_count == b->more_goal_count && a->max_expansions == b->max_expansions);
    cr_assert_eq(a->deadline_frames, b->deadline_frames);
}

Test(backlog_model, records_keep_all_of_a_request) {
    const uint64_t values[] = {0, 1, 77, UINT64_MAX};
    wend_service_def def = small_def();
    wend_service *service = service_of(&def);
    OWNED_MAP *map = open_map(300, 200);
    wend__waiter waiter = {.generation = 3};
    uint64_t seed = 6;
    for (int i = 0; i < 20000; i++) {
        const wend_request asked = request_on(service, map, at(0, 0), at(0, 0));
        wend__request request = kept(&asked);
        request.start.x = (int32_t)draw(&seed, 300), request.start.y = (int32_t)draw(&seed, 200);
        request.goal.x = (int32_t)draw(&seed, 300), request.goal.y = (int32_t)draw(&seed, 200);
        request.urgency = (int32_t)draw(&seed, 2001) - 1000;
        request.engine = (int32_t)draw(&seed, 3), request.heuristic = (int32_t)draw(&seed, 3);
        request.weight_milli = draw(&seed, 2) ? WEND_WEIGHT_MAX_MILLI : 1000;
        request.on_stale = (int32_t)draw(&seed, 2);
        request.mover = (int32_t)draw(&seed, WEND_MAX_MOVERS);
        request.mode = (int32_t)draw(&seed, 2);
        request.reach = (int32_t)draw(&seed, WEND_MAX_REACH + 1);
        request.occupied = draw(&seed, 2) ? WEND_OCCUPIED_BLOCK : (int32_t)draw(&seed, 1000000);
        request.occupied_within = draw(&seed, 2) ? 255 : (int32_t)draw(&seed, 256);
        request.flags = draw(&seed, 2) ? WEND__REQUEST_LEAVES_START : 0;
        request.more_goal_count = draw(&seed, WEND_MAX_GOALS);
        request.max_expansions = values[draw(&seed, 4)];
        request.deadline_frames = draw(&seed, 2) ? WEND_NO_LIMIT : 1 + draw(&seed, 100000);
        wend__backlog_write(&waiter, &request);
        const wend__request read = wend__backlog_read(&waiter);
        check_same(&read, &request);
        cr_assert_eq(waiter.generation, 3);
    }
    cr_assert_eq(wend_service_destroy(service), WEND_OK);
}

/* ---- few entries against enough ---- */

static struct {
    wend_service *service;
    wend_ticket tickets[ASKED];
    int32_t status[ASKED];
    uint64_t frame[ASKED];
    uint32_t count, completed;
} both[2];

static void done(void *context, const wend_completion *completion) {
    const unsigned which = context == (void *)&both[1];
    cr_assert_lt(completion->number, both[which].count);
    cr_assert_eq(both[which].status[completion->number], 0, "exactly once");
    both[which].status[completion->number] = completion->status;
    both[which].frame[completion->number] = both[which].service->frame;
    both[which].completed++;
}

static void submit_both(wend_map *map, uint64_t *seed) {
    wend_request request = request_on(both[0].service, map, at(0, 0), at(0, 0));
    request.start.x = (int32_t)draw(seed, 20), request.goal.x = (int32_t)draw(seed, 20), request.goal.y = 15;
    request.urgency = -(int32_t)draw(seed, 6), request.on_done = done;
    wend_error error[2];
    for (unsigned i = 0; i < 2; i++) {
        request.context = &both[i];
        error[i] = wend_service_submit(both[i].service, &request, &both[i].tickets[both[i].count]);
        both[i].count += error[i] == WEND_OK;
    }
    cr_assert_eq(error[0], error[1], "number %u: %d and %d", both[0].count, error[0], error[1]);
}

static void change_both(uint64_t *seed) {
    const uint32_t recent = both[0].count < 120 ? both[0].count : 120, number = both[0].count - 1 - draw(seed, recent);
    const int32_t urgency = -(int32_t)draw(seed, 6);
    const wend_cell goal = {(int32_t)draw(seed, 20), 3, 0};
    const uint32_t what = draw(seed, 5);
    wend_error error[2];
    for (unsigned i = 0; i < 2; i++) {
        wend_service *service = both[i].service;
        const wend_ticket ticket = both[i].tickets[number];
        error[i] = what == 0   ? wend_service_cancel(service, ticket)
                   : what == 1 ? wend_service_set_goal(service, ticket, goal)
                               : wend_service_set_urgency(service, ticket, urgency);
    }
    cr_assert_eq(error[0], error[1]);
}

static void tick_both(uint64_t expansions) {
    wend_budget budget = budget_of(expansions);
    wend_frame frame[2];
    for (unsigned i = 0; i < 2; i++) {
        frame[i].struct_bytes = sizeof frame[i];
        cr_assert_eq(wend_service_tick(both[i].service, &budget, &frame[i]), WEND_OK);
    }
    cr_assert_eq(both[0].completed, both[1].completed);
    cr_assert_eq(wend_service_get_pending(both[0].service), wend_service_get_pending(both[1].service));
    cr_assert_eq(frame[0].expansions, frame[1].expansions);
}

static void make_both(void) {
    enum { FEW = 48 };
    wend_service_def def = small_def();
    def.queue = ROOM;
    tuning.lanes = 1, tuning.searches = FEW, tuning.fair = 0, tuning.list = 1;
    memset(both, 0, sizeof both);
    for (unsigned i = 0; i < 2; i++) both[i].service = service_of(&def);
    both[1].service->inbox.backlog.entries = FEW;
    both[1].service->inbox.backlog.spare = FEW / 2;
}

static void end_both(uint64_t *statuses) {
    for (unsigned i = 0; i < 2; i++) {
        wend_service_close(both[i].service);
        cr_assert_eq(wend_service_destroy(both[i].service), WEND_OK);
        cr_assert_eq(both[i].completed, both[0].count);
    }
    for (uint32_t i = 0; i < both[0].count; i++) {
        cr_assert_eq(both[0].status[i], both[1].status[i]);
        cr_assert_eq(both[0].frame[i], both[1].frame[i]);
        statuses[both[0].status[i]]++;
    }
}

/* No frame ends more requests than the fewer entries keep ready. */
Test(backlog_model, few_entries_answer_as_many_do) {
    OWNED_MAP *map = open_map(20, 20);
    uint64_t seed = 3, statuses[WEND_STATUS_COUNT] = {0};
    make_both();
    while (both[0].count < ASKED - 50) {
        for (uint32_t i = draw(&seed, 40); i > 0; i--) submit_both(map, &seed);
        if (draw(&seed, 2)) tick_both(0);
        for (uint32_t i = draw(&seed, 8); i > 0 && both[0].count > 0; i--) change_both(&seed);
        tick_both(draw(&seed, 3) ? draw(&seed, 60) : 0);
    }
    end_both(statuses);
    cr_assert(statuses[WEND_STATUS_FOUND] > 100 && statuses[WEND_STATUS_CANCELLED] > 20);
}
