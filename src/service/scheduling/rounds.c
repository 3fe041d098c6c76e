/* SPDX-License-Identifier: MIT */
/* The second phase of a frame: rounds of lanes, until the budget is spent or nothing can run. */
#include "service/scheduling/scheduling.h"

#include "map/version/accelerator.h"
#include "service/delivery/delivery.h"
#include "service/fields/service_fields.h"
#include "service/memory/memory.h"
#include "service/queue/queue.h"
#include "service/frame_log/frame_log.h"
#include "service/share/share.h"
#include "service/state/service_state.h"

/* Keeps the slot only if the search has something to lose: pages, or expansions spent before it needed any. */
static void let_go(wend_service *service, uint32_t index) {
    const wend__entry *entry = &service->entries[index];
    const wend__search *search = &service->slots[entry->slot].search;
    const bool holds = entry->begun && (search->expansions > 0 || search->pages.count + search->open_pages.count > 0);
    if (!holds) wend__memory_free_slot(service, index);
}

static void put_back(wend_service *service, uint32_t index) {
    WEND__DEBUG_ASSERT(service->entries[index].state == WEND__SCHEDULED);
    wend__entry *entry = &service->entries[index];
    if (entry->slot != WEND__NONE) wend__postpone_decide(service, entry);
    wend__order_push(service, index);
}

/* Ends requests at their limits; the others go on with the search. If all end, they wait for the pages that the search
 * may need to end without another expansion. Returns whether the leader ends. */
static bool end_limited(wend_service *service, wend__group *group, bool starved) {
    if (group->spent < group->least_limit || (starved && group->spent >= group->most_limit)) return false;
    const uint64_t limit = service->share.members[group->leader].limit, spent = group->spent;
    uint32_t index = wend__share_take_limited(service, group);
    while (index != WEND__NONE) {
        const uint32_t next = service->share.members[index].sibling;
        wend__complete(service, index, WEND_STATUS_LIMIT);
        index = next;
    }
    return limit <= spent;
}

/* Returns whether the limit of an entry is reached. Others that share its search may reach theirs, too. */
static bool is_limited(wend_service *service, uint32_t index, bool starved) {
    const wend__entry *entry = &service->entries[index];
    wend__group *group = wend__group_of(service, index);
    return group ? end_limited(service, group, starved) : !starved && entry->spent == entry->request.max_expansions;
}

/* Answers the starts that the field has reached. The search goes on for the others. Returns whether the leader is
 * answered. */
static bool end_many(wend_service *service, wend__group *group, bool ended) {
    if (!ended && group->spent < group->next_check) return false;
    const uint32_t leader = group->leader;
    bool known;
    uint32_t index = wend__share_take_known(service, group, &known);
    service->share.holders++; /* the field stays until all have their answer */
    while (index != WEND__NONE) {
        const uint32_t next = service->share.members[index].sibling;
        wend__complete_in_field(service, index);
        index = next;
    }
    if (known) wend__share_quit(service, leader);
    if (known) wend__complete_in_field(service, leader);
    wend__goal_group_drop_path(service);
    return known;
}

/* Takes over the results of a lane for an entry. Returns true if the request is finished. */
static bool end_slice(wend_service *service, uint32_t index) {
    WEND__DEBUG_ASSERT(service->entries[index].state == WEND__SCHEDULED && service->entries[index].slot != WEND__NONE);
    wend__entry *entry = &service->entries[index];
    const wend__search *search = &service->slots[entry->slot].search;
    if (!entry->answered_wait && entry->spent > 0) {
        entry->wait_frames = service->frame - entry->submitted_frame;
        entry->answered_wait = true;
    }
    wend__group *group = wend__group_of(service, index);
    if (group && group->first_frame == 0 && group->spent > 0) group->first_frame = service->frame;
    wend__goal_group_note(service, index);
    if (group && group->many && end_many(service, group, search->status != WEND_STATUS_PENDING)) return true;
    const wend_status status = entry->buffered != WEND__NONE ? WEND_STATUS_FOUND : search->status;
    if (status != WEND_STATUS_PENDING) {
        wend__complete(service, index, status);
        return true;
    }
    if (is_limited(service, index, search->starved)) {
        wend__complete(service, index, WEND_STATUS_LIMIT);
        return true;
    }
    entry->starved = search->starved;
    entry->wants_pages = search->wants_pages;
    entry->wants_open = search->wants_open;
    return false;
}

/* Works in lane order, so that nothing depends on threads. Returns how many finished. */
static uint32_t end_round(wend_service *service, uint64_t *used) {
    uint32_t finished = 0;
    *used = 0;
    for (uint32_t i = 0; i < service->scheduled; i++) service->paths.promised += service->lanes[i].promised;
    for (uint32_t i = 0; i < service->scheduled; i++) {
        const wend__lane *lane = &service->lanes[i];
        *used += lane->used;
        wend__postpone_learn(service, &lane->ended);
        for (uint32_t j = 0; j < lane->count; j++)
            if (j < lane->reached && end_slice(service, lane->list[j]))
                finished++;
            else
                let_go(service, lane->list[j]);
    }
    for (uint32_t i = 0; i < service->scheduled; i++)
        for (uint32_t j = 0; j < service->lanes[i].count; j++) {
            const uint32_t index = service->lanes[i].list[j];
            if (service->entries[index].state == WEND__SCHEDULED) put_back(service, index);
        }
    return finished;
}

static void note_pages(wend_service *service) {
    uint32_t held = service->pool.page_count - wend__pool_free_pages(&service->pool);
    if (held > service->figures.pages_peak) service->figures.pages_peak = held;
}

/* Short searches need long lists, or each of them would cost a round; long ones need short lists. */
static void adapt_list(wend_service *service, uint32_t finished) {
    uint64_t length = 1 + (uint64_t)finished * 2 / service->tuning.lanes;
    service->list_length = length < service->tuning.list ? (uint32_t)length : service->tuning.list;
}

/* Each lane may reserve its part of the arena, so that its buffered paths find room there. */
static void grant_buffers(wend_service *service) {
    for (uint32_t i = 0; i < service->scheduled; i++) {
        wend__lane *lane = &service->lanes[i];
        lane->buffer = i * WEND__LANE_BUFFER;
        lane->buffer_end = lane->buffer + WEND__LANE_BUFFER;
        lane->blocks = service->paths.free_count / service->scheduled;
        lane->promised = 0;
    }
}

/* Marks the units that a search sees. */
static void follow_units_of(const wend__request *request) {
    wend_map *map = request->map;
    const int32_t within = request->occupied_within;
    if (within < 0) {
        wend__accelerator.follow_units(map, wend__all_chunks(map));
    } else if (WEND__LIKELY(!map->sheets)) {
        wend__accelerator.follow_units(map, wend__chunks_marked_in(wend__box_around(request->start, within)));
    } else {
        for (uint32_t sheet = 0; sheet <= map->sheets->count; sheet++) {
            wend_box box;
            if (wend__sheet_within(map, sheet, request->start, within, &box))
                wend__accelerator.follow_units(map, wend__chunks_marked_in(box));
        }
    }
}

/* The same for all searches of this round, on maps with a crowd of this service. */
static void follow_units(wend_service *service) {
    for (uint32_t i = 0; i < service->scheduled; i++)
        for (uint32_t j = 0; j < service->lanes[i].count; j++) {
            const wend__request *request = &service->entries[service->lanes[i].list[j]].request;
            if (request->occupied == WEND_OCCUPIED_IGNORE || request->map->unit_reader != &service->pool) continue;
            follow_units_of(request);
        }
}

/* Returns false if rounds cannot go on. */
static bool run_round(wend_service *service, wend__tick *tick) {
    if (!wend__schedule(service, tick->left)) {
        tick->frame->rounds += service->discarded > 0;
        return service->discarded > 0;
    }
    wend__memory_grant(service);
    grant_buffers(service);
    follow_units(service);
    wend__workers_run(service);
    wend__frame_log_round(service, tick->frame->rounds);
    wend__memory_return(service);
    note_pages(service);
    uint64_t used;
    uint32_t finished = end_round(service, &used);
    wend__schedule_settle(service);
    adapt_list(service, finished);
    tick->left -= used;
    tick->frame->expansions += used;
    tick->frame->rounds++;
    for (uint32_t i = 0; i < service->scheduled; i++)
        for (uint32_t work = 0; work < WEND_WORK_COUNT; work++)
            wend__pace_note(service, tick, work, service->lanes[i].work[work]);
    if (used > 0 || finished > 0) {
        service->all_pages = false;
        return true;
    }
    const wend__relief relief = wend__memory_relieve(service);
    if (relief == WEND__RELIEF_TOO_LARGE) wend__complete(service, service->lanes[0].list[0], WEND_STATUS_OUT_OF_NODES);
    return relief != WEND__RELIEF_NONE;
}

/* Runs a field's round, or one of searches. The turns of both count only executed rounds, so that a frame of as many
 * rounds repeats a timed one. Returns false if nothing can go on. */
static bool next_round(wend_service *service, wend__tick *tick) {
    const uint64_t left = tick->left, rounds = tick->frame->rounds;
    bool shared, goes_on = true, fields = wend__service_fields_round(service, tick, &shared);
    if (!fields) {
        goes_on = run_round(service, tick) || wend__intake_more(service, tick);
        fields = !goes_on && tick->left > 0 && tick->frame->rounds < tick->budget->rounds &&
                 wend__service_fields_go_on(service, tick);
    }
    if (fields) wend__pace_note(service, tick, WEND_WORK_FIELD, left - tick->left);
    service->shared_rounds += shared && tick->frame->rounds > rounds;
    return goes_on || fields;
}

void wend__rounds(wend_service *service, wend__tick *tick) {
    wend__parts_begin(service, tick->budget);
    wend__schedule_begin(service, tick->budget->expansions);
    if (service->closing) return; /* all pending requests will be cancelled */
    wend__service_fields_open(service);
    if (tick->budget->us == 0) return;
    wend__pace_begin(service, tick);
    while (tick->left > 0 && tick->frame->rounds < tick->budget->rounds) {
        wend__parts_next_round(service, tick->budget, tick->frame->expansions);
        if (tick->frame->rounds > 0 && wend__pace_is_over(service, tick)) break;
        if (!next_round(service, tick)) break;
    }
    wend__pace_end(service, tick);
    if (tick->frame->rounds > 0) wend__parts_end(service, tick->frame->expansions);
    wend__service_fields_close(service);
    wend__pins_drop(service);
}
