/* SPDX-License-Identifier: MIT */
/* The queue by urgency, and how far each request is, against a plain list under random calls. */
#include "models/options.h"
#include "service/service_support.h"

#include <criterion/criterion.h>
#include <string.h>
#include <wend/figures.h>

enum { SIDE = 40, MOST = 6000, PENDING = 300 };

/// The host's record of a request.
typedef struct asked {
    wend_ticket ticket;
    wend_cell start, goal;
    int32_t urgency;
    uint64_t frame; ///< last before its submission
    bool done;
} asked;

static struct {
    asked all[MOST];
    uint32_t count, open;
    uint64_t frame;
} list;

static void done(void *context, const wend_completion *completion) {
    (void)context;
    cr_assert_lt(completion->number, list.count);
    cr_assert(!list.all[completion->number].done);
    list.all[completion->number].done = true;
    list.open--;
}

static int32_t any_urgency(uint64_t *seed) {
    static const int32_t edges[] = {-1000, -601, -600, -201, -200, 0, 200, 201, 600, 601, 1000};
    return edges[draw(seed, sizeof edges / sizeof *edges)];
}

static wend_cell any_cell(uint64_t *seed) {
    const int32_t x = (int32_t)draw(seed, SIDE);
    return at(x, (int32_t)draw(seed, SIDE));
}

static void submit_one(wend_service *service, wend_map *map, uint64_t *seed) {
    const wend_cell start = any_cell(seed), goal = draw(seed, 3) ? at(1, 1) : any_cell(seed);
    wend_request request = request_on(service, map, start, goal);
    request.urgency = any_urgency(seed), request.on_done = done;
    if (draw(seed, 8) == 0) request.deadline_frames = 1 + draw(seed, 20);
    asked *one = &list.all[list.count];
    if (wend_service_submit(service, &request, &one->ticket) != WEND_OK) return;
    *one = (asked){one->ticket, start, goal, request.urgency, list.frame, false};
    list.count++, list.open++;
}

static void change_one(wend_service *service, uint64_t *seed) {
    const uint32_t number = list.count - 1 - draw(seed, list.count < PENDING ? list.count : PENDING);
    asked *one = &list.all[number];
    const int32_t urgency = any_urgency(seed);
    const wend_cell goal = any_cell(seed);
    switch (draw(seed, 6)) {
    case 0: wend_service_cancel(service, one->ticket); break;
    case 1:
        if (wend_service_set_goal(service, one->ticket, goal) == WEND_OK) one->goal = goal;
        break;
    default:
        if (wend_service_set_urgency(service, one->ticket, urgency) == WEND_OK) one->urgency = urgency;
    }
}

static wend_frame tick(wend_service *service, uint64_t *seed) {
    wend_budget budget = default_budget();
    budget.expansions = draw(seed, 4) ? draw(seed, 1200) : draw(seed, 6);
    if (draw(seed, 3) == 0) limits_of(&budget)->intakes = draw(seed, 12);
    wend_frame frame = {.struct_bytes = sizeof frame};
    cr_assert_eq(wend_service_tick(service, &budget, &frame), WEND_OK);
    list.frame = frame.frame;
    return frame;
}

/* Requests of a band that are not done, and how long the oldest of them waits. */
static void count_band(const wend_queue_band *band, uint64_t *count, uint64_t *oldest) {
    *count = *oldest = 0;
    for (uint32_t i = 0; i < list.count; i++) {
        const asked *one = &list.all[i];
        if (one->done || one->urgency < band->least || one->urgency > band->most) continue;
        if (++*count == 1) *oldest = list.frame - one->frame;
    }
}

static wend_queue check_queue(const wend_service *service) {
    wend_queue queue = {.struct_bytes = sizeof queue};
    cr_assert_eq(wend_service_get_queue(service, &queue), WEND_OK);
    cr_assert_eq(queue.frame, list.frame);
    cr_assert_eq(queue.lanes, service->tuning.lanes);
    cr_assert_eq(queue.waiting + queue.running + queue.finished, list.open);
    if (queue.finished > 0) return queue; /* the list cannot tell which */
    uint64_t waiting = 0, running = 0;
    int32_t next = WEND_URGENCY_MIN;
    for (int band = 0; band < WEND_BAND_COUNT; band++) {
        const wend_queue_band *row = &queue.bands[band];
        uint64_t count, oldest;
        cr_assert_eq(row->least, next);
        next = row->most + 1;
        count_band(row, &count, &oldest);
        cr_assert_eq(row->waiting + row->running, count, "band %d", band);
        cr_assert_eq(row->oldest_frames, oldest, "band %d", band);
        waiting += row->waiting, running += row->running;
    }
    cr_assert_eq(next, WEND_URGENCY_MAX + 1);
    cr_assert(waiting == queue.waiting && running == queue.running);
    return queue;
}

static uint64_t running_by_progress(const wend_service *service) {
    uint64_t running = 0;
    for (uint32_t i = 0; i < list.count; i++) {
        const asked *one = &list.all[i];
        wend_progress progress = {.struct_bytes = sizeof progress};
        const wend_error error = wend_service_get_progress(service, one->ticket, &progress);
        cr_assert_eq(error, one->done ? WEND_STALE_TICKET : WEND_OK);
        if (one->done) continue;
        uint64_t ahead = 0, peers = 0;
        for (uint32_t j = 0; j < list.count; j++) {
            const asked *other = &list.all[j];
            ahead += !other->done && other->urgency > one->urgency;
            peers += !other->done && j != i && other->urgency == one->urgency;
        }
        cr_assert(progress.ahead == ahead && progress.peers == peers && progress.urgency == one->urgency);
        cr_assert_eq(progress.frames, list.frame - one->frame);
        running += progress.state == WEND_PROGRESS_RUNNING;
    }
    return running;
}

static size_t check_lanes(const wend_service *service) {
    wend_lane_record lanes[64];
    size_t count;
    cr_assert_eq(wend_service_get_lanes(service, lanes, sizeof *lanes, 64, &count), WEND_OK);
    cr_assert_leq(count, service->tuning.lanes);
    for (size_t i = 0; i < count; i++) {
        const wend_lane_record *lane = &lanes[i];
        cr_assert(lane->lane < service->tuning.lanes && (i == 0 || lane->lane > lanes[i - 1].lane));
        cr_assert_lt(lane->number, list.count);
        const asked *one = &list.all[lane->number];
        cr_assert(!one->done && lane->urgency == one->urgency && lane->agent == WEND_NO_AGENT);
        cr_assert(lane->ticket.index == one->ticket.index && lane->ticket.generation == one->ticket.generation);
        cr_assert(lane->start.x == one->start.x && lane->start.y == one->start.y);
        cr_assert(lane->goal.x == one->goal.x && lane->goal.y == one->goal.y);
        cr_assert_eq(lane->submitted_frame, one->frame);
        cr_assert(lane->since > one->frame && lane->since <= list.frame && lane->expansions > 0);
        for (size_t j = 0; j < i; j++) cr_assert_neq(lanes[j].number, lane->number);
    }
    return count;
}

static wend_service_def random_def(void) {
    wend_service_def def = small_def();
    def.queue = PENDING, tuning.lanes = 3, tuning.searches = 12;
    tuning.quantum = 300;
    return def;
}

static void run_random(const wend_service_def *def, uint64_t seed) {
    wend_service *service = service_of(def);
    OWNED_MAP *map = rough_map(SIDE, SIDE, 25, 5);
    uint64_t lanes = 0, bands = 0, settled = 0, looked = 0;
    memset(&list, 0, sizeof list);
    while (list.count < MOST - 60) {
        for (uint32_t i = draw(&seed, 8); i > 0 && list.count > 0; i--) change_one(service, &seed);
        const wend_frame frame = tick(service, &seed);
        const wend_queue queue = check_queue(service);
        cr_assert(queue.waiting == frame.waiting && queue.running == frame.running);
        cr_assert_eq(queue.finished, frame.finished);
        lanes += check_lanes(service);
        settled += queue.finished == 0;
        if (queue.finished == 0 && ++looked % 64 == 0) cr_assert_eq(running_by_progress(service), queue.running);
        for (int band = 0; band < WEND_BAND_COUNT; band++) bands += queue.bands[band].running > 0;
        const uint32_t most = list.open < PENDING ? 40 : 0;
        for (uint32_t i = most > 0 ? draw(&seed, most) : 0; i > 0; i--) submit_one(service, map, &seed);
        check_queue(service);
        check_lanes(service);
    }
    cr_assert(lanes > 100 && bands > 200 && settled > 100 && looked > 64, "the cases occurred");
    cr_assert_eq(wend_service_destroy(service), WEND_OK);
}

Test(look_model, counts_as_a_plain_list) {
    const wend_service_def def = random_def();
    run_random(&def, 11);
}

Test(look_model, counts_with_displacement) {
    wend_service_def def = random_def();
    def.queue = 100, def.displace = 1, def.reserve = 10;
    run_random(&def, 12);
}

Test(look_model, counts_with_shared_searches) {
    wend_service_def def = random_def();
    def.share = 1;
    run_random(&def, 13);
}

Test(look_model, counts_with_evictions) {
    wend_service_def def = random_def();
    def.nodes = 4 * WEND_PAGE_NODES;
    tuning.evictions = 1;
    run_random(&def, 14);
}
