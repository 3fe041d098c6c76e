/* SPDX-License-Identifier: MIT */
/* Shared by the service's tests. */
#include "models/options.h"
#include "service/service_support.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

seen *seen_log;
size_t seen_count;
void (*seen_hook)(const seen *last);
static size_t seen_capacity;
static wend_service *ticking;

static seen *note(const wend_completion *completion) {
    if (seen_count == seen_capacity) {
        seen_capacity = seen_capacity ? seen_capacity * 2 : 256;
        seen_log = realloc(seen_log, seen_capacity * sizeof *seen_log);
        cr_assert(seen_log);
    }
    seen *entry = &seen_log[seen_count++];
    *entry = (seen){.completion = *completion, .frame = ticking ? ticking->frame : 0};
    if (completion->cell_count > 0) {
        entry->cells = malloc(completion->cell_count * sizeof *entry->cells);
        if (completion->cells) memcpy(entry->cells, completion->cells, completion->cell_count * sizeof *entry->cells);
    }
    return entry;
}

static void on_done(void *context, const wend_completion *completion) {
    (void)context;
    bool path = completion->cell_count > 0;
    cr_assert_eq(completion->struct_bytes, sizeof *completion);
    cr_assert_eq(path, completion->cells != NULL, "cells exactly where there is a path");
    cr_assert_eq(path, completion->cost >= 0);
    const uint32_t with = 1u << WEND_STATUS_FOUND | 1u << WEND_STATUS_PARTIAL | 1u << WEND_STATUS_TOO_LONG;
    const uint32_t perhaps = 1u << WEND_STATUS_STALE | 1u << WEND_STATUS_LIMIT | 1u << WEND_STATUS_EXPIRED |
                             1u << WEND_STATUS_OUT_OF_NODES; /* which may have a piece of one */
    if (!(perhaps >> completion->status & 1)) cr_assert_eq(path, with >> completion->status & 1);
    cr_assert_leq(completion->epoch, completion->checked);
    const seen *last = note(completion);
    if (seen_hook) seen_hook(last);
}

void seen_clear(void) {
    for (size_t i = 0; i < seen_count; i++) free(seen_log[i].cells);
    free(seen_log);
    seen_log = NULL;
    seen_count = seen_capacity = 0;
}

const seen *seen_number(uint64_t number) {
    const seen *found = NULL;
    for (size_t i = 0; i < seen_count; i++) {
        if (seen_log[i].completion.number != number) continue;
        cr_assert_null(found, "request %zu was completed twice", (size_t)number);
        found = &seen_log[i];
    }
    return found;
}

size_t seen_status(wend_status status) {
    size_t count = 0;
    for (size_t i = 0; i < seen_count; i++) count += seen_log[i].completion.status == status;
    return count;
}

static uint64_t mix(uint64_t hash, uint64_t value) {
    for (int i = 0; i < 8; i++, value >>= 8) hash = (hash ^ (value & 255)) * UINT64_C(1099511628211);
    return hash;
}

uint64_t seen_hash(void) {
    uint64_t hash = UINT64_C(14695981039346656037);
    for (size_t i = 0; i < seen_count; i++) {
        const wend_completion *c = &seen_log[i].completion;
        const uint64_t values[] = {seen_log[i].frame,
                                   (uint64_t)c->status,
                                   (uint64_t)c->cost,
                                   c->cell_count,
                                   c->expansions,
                                   c->frames,
                                   c->wait_frames,
                                   c->epoch,
                                   c->checked,
                                   (uint64_t)c->restarts,
                                   c->number,
                                   c->ticket.index,
                                   c->ticket.generation,
                                   (uint64_t)c->exact,
                                   (uint64_t)c->bound_milli};
        for (size_t j = 0; j < sizeof values / sizeof *values; j++) hash = mix(hash, values[j]);
        for (size_t j = 0; j < c->cell_count; j++)
            hash = mix(mix(hash, (uint64_t)(uint32_t)seen_log[i].cells[j].x << 32 | (uint32_t)seen_log[i].cells[j].y),
                       (uint64_t)(uint32_t)seen_log[i].cells[j].z);
    }
    return hash;
}

wend_service_tuning tuning;

wend_service_def small_def(void) {
    wend_service_def def = default_service();
    def.queue = 64;
    def.share = 0; /* requests that are alike are searched one by one */
    wend_service_tuning_init(&tuning, sizeof tuning);
    def.tuning = &tuning;
    tuning.searches = 8, tuning.lanes = 2, tuning.slice = 50;
    tuning.quantum = 100000;
    def.nodes = 64 * WEND_PAGE_NODES, def.max_path_cells = 4096, def.path_bytes = 65536;
    return def;
}

wend__entry *entry_of(const wend_service *service, wend_ticket ticket) {
    const uint32_t index = service->inbox.backlog.waiters[ticket.index].entry;
    cr_assert_neq(index, WEND__NONE);
    return &service->entries[index];
}

uint32_t a_finished(const wend_service *service) {
    if (service->finished.count > 0) return wend__numbers_first(&service->finished);
    return service->left_over.items[0].id;
}

void end_service(wend_service *service, wend_map *map, wend_map *other) {
    seen_hook = NULL;
    cr_assert_eq(wend_service_destroy(service), WEND_OK);
    wend_map_release(map);
    wend_map_release(other);
    seen_clear();
}

wend_service *service_of(const wend_service_def *def) {
    return made_service(def);
}

void shrink_arena(wend_service *service, uint64_t cells) {
    cr_assert_eq(service->paths.fresh, 0);
    service->paths.count = service->paths.free_count = (uint32_t)wend__paths_blocks(cells - 1, false);
}

wend_request request_on(wend_service *service, wend_map *map, wend_cell start, wend_cell goal) {
    wend_request request = path_request(map, start, goal);
    request.on_done = on_done, request.context = service;
    return request;
}

wend_ticket submit(wend_service *service, const wend_request *request) {
    wend_ticket ticket = {0, 0};
    cr_assert_eq(wend_service_submit(service, request, &ticket), WEND_OK);
    cr_assert_neq(ticket.generation, 0);
    return ticket;
}

wend_ticket submit_from_to(wend_service *service, wend_map *map, wend_cell start, wend_cell goal, int32_t urgency) {
    wend_request request = request_on(service, map, start, goal);
    request.urgency = urgency;
    return submit(service, &request);
}

/* Runs a frame, and checks its budget, the order of its completions, and its counts. */
wend_frame frame_with(wend_service *service, const wend_budget *budget) {
    wend_frame frame = {.struct_bytes = sizeof frame};
    size_t before = seen_count;
    ticking = service;
    cr_assert_eq(wend_service_tick(service, budget, &frame), WEND_OK);
    ticking = NULL;
    cr_assert_leq(frame.expansions, budget->expansions);
    cr_assert_leq(frame.rounds, read_limits(budget).rounds);
    for (size_t i = before + 1; i < seen_count; i++)
        cr_assert_lt(seen_log[i - 1].completion.number, seen_log[i].completion.number, "by submission number");
    uint64_t statuses = 0;
    for (int i = 0; i < 16; i++) statuses += frame.statuses[i];
    cr_assert_eq(statuses, frame.deliveries);
    cr_assert_leq(seen_count - before, frame.deliveries);
    cr_assert_eq(frame.waiting + frame.running + frame.finished, wend_service_get_pending(service));
    cr_assert_leq(frame.running, service->tuning.searches);
    return frame;
}

wend_frame frame_of(wend_service *service, uint64_t expansions) {
    wend_budget budget = budget_of(expansions);
    return frame_with(service, &budget);
}

wend_frame frame_delivering(wend_service *service, uint64_t deliveries) {
    wend_budget budget = default_budget();
    limits_of(&budget)->deliveries = deliveries;
    return frame_with(service, &budget);
}

uint64_t drain(wend_service *service, uint64_t expansions) {
    uint64_t frames = 0;
    for (; wend_service_get_work(service) > 0; frames++) {
        cr_assert_lt(frames, 100000, "frames without end");
        frame_of(service, expansions);
    }
    return frames;
}

wend_map *open_map(int32_t width, int32_t height) {
    return grid_map(width, height);
}

wend_map *text_map(const char *const *rows, int32_t count) {
    wend_map *map = open_map((int32_t)strlen(rows[0]), count);
    wend_edit *edit = begin_edit(map);
    for (int32_t y = 0; y < count; y++)
        for (int32_t x = 0; rows[y][x]; x++)
            if (rows[y][x] == '#') wend_edit_set_cell(edit, at(x, y), WEND_CLASS_BLOCKED);
    cr_assert_eq(wend_edit_publish(edit, NULL), WEND_OK);
    return map;
}

wend_map *snake_map(int32_t width, int32_t height) {
    wend_map *map = open_map(width, height);
    wend_edit *edit = begin_edit(map);
    for (int32_t x = 1; x < width; x += 2) {
        int32_t gap = x % 4 == 1 ? height - 1 : 0;
        for (int32_t y = 0; y < height; y++)
            if (y != gap) wend_edit_set_cell(edit, at(x, y), WEND_CLASS_BLOCKED);
    }
    cr_assert_eq(wend_edit_publish(edit, NULL), WEND_OK);
    return map;
}

size_t snake_cells(int32_t width, int32_t height) {
    return (size_t)((width + 1) / 2 * height + width / 2);
}

/* Around the middle, all but the cell north of it. */
static wend_edit *wall_in(wend_map *map, int32_t side, uint8_t gate, uint8_t middle) {
    wend_edit *edit = begin_edit(map);
    for (int32_t y = -1; y <= 1; y++)
        for (int32_t x = -1; x <= 1; x++) wend_edit_set_cell(edit, at(side / 2 + x, side / 2 + y), WEND_CLASS_BLOCKED);
    wend_edit_set_cell(edit, at(side / 2, side / 2 - 1), gate);
    wend_edit_set_cell(edit, at(side / 2, side / 2), middle);
    return edit;
}

wend_map *closed_map(int32_t side) {
    wend_map *map = open_map(side, side);
    cr_assert_eq(wend_edit_publish(wall_in(map, side, WEND_CLASS_BLOCKED, WEND_CLASS_OPEN), NULL), WEND_OK);
    return map;
}

wend_cell closed_goal(int32_t side) {
    return at(side / 2, side / 2);
}

wend_map *moat_map(int32_t side) {
    wend_map *map = open_map(side, side);
    cr_assert_eq(wend_edit_publish(wall_in(map, side, 253, 253), NULL), WEND_OK);
    return map;
}

wend_cell moat_goal(int32_t side) {
    return closed_goal(side);
}

wend_map *rough_map(int32_t width, int32_t height, unsigned percent, uint64_t seed) {
    wend_map *map = open_map(width, height);
    wend_edit *edit = begin_edit(map);
    for (int32_t y = 0; y < height; y++)
        for (int32_t x = 0; x < width; x++)
            if (draw_bits(&seed) % 100 < percent) wend_edit_set_cell(edit, at(x, y), WEND_CLASS_BLOCKED);
    cr_assert_eq(wend_edit_publish(edit, NULL), WEND_OK);
    return map;
}

static uint64_t fake_now(void *context) {
    fake_clock *clock = context;
    clock->reads++;
    return clock->now += clock->step;
}

wend_clock clock_of(fake_clock *clock) {
    return (wend_clock){clock, fake_now};
}

uint64_t cost_of_flood(wend_map *moat, int32_t side) {
    wend_service_def def = small_def();
    wend_service *service = service_of(&def);
    submit_from_to(service, moat, at(0, 0), moat_goal(side), 0);
    drain(service, WEND_NO_LIMIT);
    uint64_t expansions = seen_log[0].completion.expansions;
    wend_service_destroy(service);
    seen_clear();
    return expansions;
}
