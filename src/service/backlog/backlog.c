/* SPDX-License-Identifier: MIT */
/* Requests that wait for an entry: in the order of service, by age, and by deadline. */

/* Tried: the backlog for queues of all lengths. Frames of 200 agents take 1.015 to 1.035 times the instructions, so a
 * queue up to 65,536 has an entry for each request. */
#include "service/backlog/backlog.h"

#include "map/version/layers.h"
#include "service/state/service_state.h"

/* ---- records ---- */

uint32_t wend__backlog_open(wend__backlog *backlog) {
    const uint32_t index = backlog->free_first;
    if (index != WEND__NONE) {
        backlog->free_first = backlog->waiters[index].entry;
        return index;
    }
    if (backlog->fresh == backlog->capacity) return WEND__NONE;
    backlog->waiters[backlog->fresh].generation = 1;
    return backlog->fresh++;
}

void wend__backlog_close(wend__backlog *backlog, uint32_t index) {
    backlog->waiters[index].map = NULL;
    backlog->waiters[index].entry = backlog->free_first;
    backlog->free_first = index;
}

static uint32_t number_of(wend__size size, wend_cell cell) {
    return ((uint32_t)cell.z * size.height + (uint32_t)cell.y) * size.width + (uint32_t)cell.x;
}

static wend_cell cell_of(wend__size size, uint32_t number) {
    const uint32_t row = number / size.width;
    return (wend_cell){(int32_t)(number % size.width), (int32_t)(row % size.height), (int32_t)(row / size.height)};
}

void wend__backlog_write(wend__waiter *waiter, const wend__request *request) {
    const wend__size size = wend__size_of(request->map);
    const uint64_t deadline = request->deadline_frames;
    const uint32_t generation = waiter->generation;
    *waiter = (wend__waiter){.map = request->map,
                             .on_done = request->on_done,
                             .context = request->context,
                             .max_expansions = request->max_expansions,
                             .agent = request->agent,
                             .start = number_of(size, request->start),
                             .goal = number_of(size, request->goal),
                             .deadline = deadline < UINT32_MAX ? (uint32_t)deadline : UINT32_MAX,
                             .occupied = request->occupied,
                             .generation = generation,
                             .entry = WEND__NONE,
                             .urgency = (int16_t)request->urgency,
                             .minds = (uint16_t)((request->occupied_within + 1) << 7 | request->profile),
                             .mover = (uint8_t)request->mover,
                             .reach = (uint8_t)request->reach,
                             .goal_count = (uint8_t)request->more_goal_count,
                             .weight_milli = (uint32_t)request->weight_milli & 0x1ffff,
                             .engine = (uint32_t)request->engine & 3,
                             .mode = (uint32_t)request->mode & 3,
                             .unloaded = (uint32_t)request->unloaded & 3,
                             .heuristic = (uint32_t)request->heuristic & 3,
                             .on_stale = (uint32_t)request->on_stale & 1,
                             .leaves = request->flags & WEND__REQUEST_LEAVES_START & 1,
                             .far_begin = (request->flags & WEND__REQUEST_FAR_BEGIN) != 0,
                             .open = 1};
}

wend__request wend__backlog_read(const wend__waiter *waiter) {
    const wend__size size = wend__size_of(waiter->map);
    return (wend__request){.flags = (waiter->leaves ? WEND__REQUEST_LEAVES_START : 0) |
                                    (waiter->far_begin ? WEND__REQUEST_FAR_BEGIN : 0) |
                                    (waiter->moved ? WEND__REQUEST_GOAL_MOVED : 0),
                           .map = waiter->map,
                           .start = cell_of(size, waiter->start),
                           .goal = cell_of(size, waiter->goal),
                           .urgency = waiter->urgency,
                           .engine = (int32_t)waiter->engine,
                           .heuristic = (int32_t)waiter->heuristic,
                           .weight_milli = (int32_t)waiter->weight_milli,
                           .on_stale = (int32_t)waiter->on_stale,
                           .unloaded = (int32_t)waiter->unloaded,
                           .mover = waiter->mover,
                           .mode = (int32_t)waiter->mode,
                           .reach = waiter->reach,
                           .occupied = waiter->occupied,
                           .more_goal_count = waiter->goal_count,
                           .profile = waiter->minds & WEND_MAX_PROFILES,
                           .max_expansions = waiter->max_expansions,
                           .deadline_frames = waiter->deadline < UINT32_MAX ? waiter->deadline : WEND_NO_LIMIT,
                           .on_done = waiter->on_done,
                           .context = waiter->context,
                           .occupied_within = (waiter->minds >> 7) - 1,
                           .agent = WEND_NO_AGENT};
}

/* Ignores a goal that does not move, as in wend__retarget(). */
void wend__backlog_set_goal(wend__waiter *waiter, wend_cell goal) {
    const uint32_t number = number_of(wend__size_of(waiter->map), goal);
    if (waiter->goal_count == 0 && number == waiter->goal) return;
    waiter->goal = number;
    waiter->goal_count = 0;
    waiter->moved = 1;
}

/* ---- ages and deadlines ---- */

static void join_chain(wend__backlog *backlog, wend__chain *chain, uint32_t index) {
    wend__waiter *waiters = backlog->waiters;
    waiters[index].older = chain->last;
    waiters[index].newer = WEND__NONE;
    *(chain->last != WEND__NONE ? &waiters[chain->last].newer : &chain->first) = index;
    chain->last = index;
}

static void leave_chain(wend__backlog *backlog, wend__chain *chain, uint32_t index) {
    wend__waiter *waiters = backlog->waiters;
    const uint32_t older = waiters[index].older, newer = waiters[index].newer;
    *(older != WEND__NONE ? &waiters[older].newer : &chain->first) = newer;
    *(newer != WEND__NONE ? &waiters[newer].older : &chain->last) = older;
}

/* Returns the low half of the number of the frame in which a request is due. */
static uint32_t due_of(const wend__waiter *waiter) {
    return waiter->submitted + waiter->deadline;
}

static void join_wheel(wend__backlog *backlog, uint32_t index) {
    wend__waiter *waiters = backlog->waiters, *waiter = &waiters[index];
    if (waiter->deadline == UINT32_MAX) return;
    uint32_t *first = &backlog->wheel[due_of(waiter) % WEND__WHEEL];
    waiter->due_before = WEND__NONE;
    waiter->due_behind = *first;
    if (*first != WEND__NONE) waiters[*first].due_before = index;
    *first = index;
}

static void leave_wheel(wend__backlog *backlog, uint32_t index) {
    wend__waiter *waiters = backlog->waiters;
    const wend__waiter *waiter = &waiters[index];
    if (waiter->deadline == UINT32_MAX) return;
    const uint32_t before = waiter->due_before, behind = waiter->due_behind;
    *(before != WEND__NONE ? &waiters[before].due_behind : &backlog->wheel[due_of(waiter) % WEND__WHEEL]) = behind;
    if (behind != WEND__NONE) waiters[behind].due_before = before;
}

static uint32_t due_in(const wend__backlog *backlog, uint64_t frame) {
    uint32_t index = backlog->wheel[(uint32_t)frame % WEND__WHEEL];
    while (index != WEND__NONE && due_of(&backlog->waiters[index]) != (uint32_t)frame)
        index = backlog->waiters[index].due_behind;
    return index;
}

/* Frames up to `expired` have no requests without an entry. */
uint32_t wend__backlog_due(wend__backlog *backlog, uint64_t frame) {
    while (backlog->expired < frame) {
        const uint32_t index = due_in(backlog, backlog->expired + 1);
        if (index != WEND__NONE) return index;
        if (backlog->expired + 1 == frame) break;
        backlog->expired++;
    }
    return WEND__NONE;
}

/* ---- waiting ---- */

void wend__backlog_add(wend__backlog *backlog, uint32_t index, uint64_t number) {
    WEND__DEBUG_ASSERT(index < backlog->fresh && !backlog->waiters[index].ends);
    wend__lines_add(&backlog->lines, index, wend__line_key(backlog->waiters[index].urgency, false, number));
    join_chain(backlog, &backlog->ages, index);
    join_wheel(backlog, index);
    backlog->count++;
}

void wend__backlog_remove(wend__backlog *backlog, uint32_t index) {
    WEND__DEBUG_ASSERT(backlog->count > 0 && backlog->waiters[index].entry == WEND__NONE);
    const bool ended = backlog->waiters[index].ends;
    backlog->count--;
    leave_chain(backlog, ended ? &backlog->ended : &backlog->ages, index);
    if (ended) return;
    wend__lines_remove(&backlog->lines, index);
    leave_wheel(backlog, index);
}

void wend__backlog_end(wend__backlog *backlog, uint32_t index, wend_status status) {
    WEND__DEBUG_ASSERT(status != WEND_STATUS_PENDING && !backlog->waiters[index].ends);
    wend__backlog_remove(backlog, index);
    backlog->waiters[index].ends = (uint8_t)status;
    join_chain(backlog, &backlog->ended, index);
    backlog->count++;
}

void wend__backlog_set_urgency(wend__backlog *backlog, uint32_t index, int32_t urgency) {
    const uint64_t number = wend__backlog_number(backlog, index);
    wend__lines_remove(&backlog->lines, index);
    backlog->waiters[index].urgency = (int16_t)urgency;
    wend__lines_add(&backlog->lines, index, wend__line_key(urgency, false, number));
}
