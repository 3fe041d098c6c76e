/* SPDX-License-Identifier: MIT */
/* Answers after a change of the map since their searches began, or with units in the way.
 *
 * A search keeps the version it began on. At delivery its answer is compared with the newest version: a path is
 * walked step by step; "no path" and a blocked end are valid if they hold on the newest version, too. For a request
 * that units block, the next cells of its path are compared with occupancy. An invalid answer is searched again, a
 * bounded number of times. Then it comes as `stale`, with the longest prefix of its path that can be walked. */
#include "service/delivery/delivery.h"

#include "search/request/request_land.h"
#include "map/movers/views.h"
#include "service/inbox/inbox.h"
#include "service/queue/queue.h"

static bool start_stands(const wend__version *newest, const wend__request *request) {
    bool leaves = request->flags & WEND__REQUEST_LEAVES_START;
    return leaves || wend__cell_factor(wend__version_view(newest, request->mover), request->start) > 0;
}

/* A request that needs no search needs no expansions. */
static bool has_means(wend_service *service, const wend__version *newest, wend__entry *entry) {
    return entry->spent < entry->request.max_expansions ||
           wend__request_answer(newest, wend__goal_store_ready(service, entry)) != WEND_STATUS_PENDING;
}

static bool may_search_again(wend_service *service, const wend__version *newest, wend__entry *entry) {
    return entry->request.on_stale == WEND_ON_STALE_RESTART && entry->outdated < service->tuning.restarts &&
           entry->due_frame > service->frame && has_means(service, newest, entry);
}

static void lose_path(wend__verdict *verdict, wend_status status) {
    verdict->status = status;
    verdict->steps = 0;
    verdict->cost = -1;
}

/* Returns whether the map is the reason for a missing path. */
static bool is_refusal(wend_status status) {
    return status == WEND_STATUS_NO_PATH || status == WEND_STATUS_START_BLOCKED || status == WEND_STATUS_GOAL_BLOCKED;
}

/* Gives an invalid answer the status stale; decides whether to search again. */
static void fall(wend_service *service, const wend__version *newest, wend__entry *entry, wend__verdict *verdict) {
    verdict->again = entry->status != WEND_STATUS_STALE && may_search_again(service, newest, entry);
    verdict->status = WEND_STATUS_STALE;
}

/* Judges an answer without a search. "Found" (start and goal are one cell) and refusals are judged again on the newest
 * version; if that needs a search, the request is searched. A result already marked stale stays stale. */
static void judge_unsearched(wend_service *service, const wend__version *newest, uint32_t index,
                             wend__verdict *verdict) {
    wend__entry *entry = &service->entries[index];
    if (entry->status == WEND_STATUS_STALE) return;
    if (entry->status == WEND_STATUS_FOUND || is_refusal(entry->status)) {
        int32_t answer = wend__request_answer(newest, wend__goal_store_ready(service, entry));
        if (answer == WEND_STATUS_PENDING) {
            verdict->compared = true;
            fall(service, newest, entry, verdict);
            return;
        }
        if (answer != entry->status) lose_path(verdict, answer);
        if (answer == WEND_STATUS_FOUND) verdict->cost = 0; /* the start is enough */
        verdict->epoch = newest->epoch;
    }
    verdict->checked = verdict->epoch;
}

/* Judges the missing path of an older version: invalid if the newest version may have one. */
static void judge_refusal(wend_service *service, const wend__version *newest, uint32_t index, wend__verdict *verdict) {
    wend__entry *entry = &service->entries[index];
    int32_t answer = wend__request_answer(newest, wend__goal_store_ready(service, entry));
    if (!is_refusal(answer)) {
        fall(service, newest, entry, verdict);
        return;
    }
    verdict->status = answer;
    verdict->epoch = newest->epoch;
}

/* Returns whether to search again after an answer that leads to the nearest cell only, as the newest version may have a
 * way to the goal. Only once: the components do not tell that a step leads the other way, or a unit blocks it. */
static bool may_arrive_now(wend_service *service, const wend__version *newest, wend__entry *entry) {
    return entry->status == WEND_STATUS_PARTIAL && entry->outdated == 0 && may_search_again(service, newest, entry) &&
           wend__request_may_arrive(newest, wend__goal_store_ready(service, entry));
}

/* Judges the answer of a search on another version. */
static void judge_searched(wend_service *service, const wend__version *newest, uint32_t index, wend__verdict *verdict) {
    wend__entry *entry = &service->entries[index];
    bool path = entry->cost >= 0;
    if (!path && !is_refusal(entry->status)) return; /* the map is not the reason */
    verdict->compared = true;
    if (!path) {
        judge_refusal(service, newest, index, verdict);
        return;
    }
    if (!start_stands(newest, &entry->request)) {
        lose_path(verdict, WEND_STATUS_START_BLOCKED);
        return;
    }
    wend__answer_cells(service, entry, entry->steps, service->cells);
    uint64_t cost;
    verdict->steps = wend__version_walk(newest, entry->request.mover, service->cells, entry->steps, &cost);
    verdict->cost = (int64_t)cost + wend__answer_extra_cost(newest, &entry->request, service->cells, verdict->steps);
    if (verdict->steps < entry->steps)
        fall(service, newest, entry, verdict);
    else if (entry->crossings > 0)
        verdict->cost = entry->cost;
    else
        verdict->again = may_arrive_now(service, newest, entry);
}

/* Compares the next cells of a path with occupancy, for a request that units block. The map's version does not
 * matter. */
static void judge_units(wend_service *service, const wend__version *newest, wend__entry *entry,
                        wend__verdict *verdict) {
    uint64_t near = verdict->steps < service->tuning.horizon ? verdict->steps : service->tuning.horizon;
    if (verdict->cost < 0 || verdict->again || entry->request.occupied != WEND_OCCUPIED_BLOCK || near == 0) return;
    wend__answer_cells(service, entry, near, service->cells);
    uint64_t clear = wend__answer_clear_steps(newest, &entry->request, service->cells, near), cost;
    if (clear == near) return;
    wend__version_walk(newest, entry->request.mover, service->cells, clear, &cost);
    verdict->steps = clear;
    verdict->cost = (int64_t)cost + wend__answer_extra_cost(newest, &entry->request, service->cells, clear);
    fall(service, newest, entry, verdict);
}

bool wend__revalidate_stands(const wend_service *service, uint32_t index) {
    const wend__entry *entry = &service->entries[index];
    return entry->dated && entry->request.occupied != WEND_OCCUPIED_BLOCK &&
           entry->dated_revision == wend__map_revision(entry->request.map);
}

static wend__verdict judge(wend_service *service, uint32_t index) {
    wend__entry *entry = &service->entries[index];
    if (wend__revalidate_stands(service, index))
        return (wend__verdict){.status = entry->status,
                               .steps = entry->steps,
                               .cost = entry->cost,
                               .epoch = entry->epoch,
                               .checked = entry->epoch};
    wend__answer_count(service, entry);
    wend__version *newest = wend__map_acquire(entry->request.map, false);
    wend__verdict verdict = {.status = entry->status,
                             .steps = entry->steps,
                             .cost = entry->cost,
                             .epoch = entry->dated ? entry->epoch : newest->epoch,
                             .checked = newest->epoch};
    if (entry->searched && entry->revision != newest->revision)
        judge_searched(service, newest, index, &verdict);
    else if (entry->dated && !entry->searched)
        judge_unsearched(service, newest, index, &verdict);
    judge_units(service, newest, entry, &verdict);
    wend__map_release(newest, false);
    return verdict;
}

/* Returns whether to search again through what the mover shuns, as no way round it leads to a goal: components could
 * not tell. Units in the way are no reason. */
static bool must_dare(wend_service *service, const wend__version *newest, wend__entry *entry) {
    if (!entry->searched || entry->request.occupied == WEND_OCCUPIED_BLOCK) return false;
    return entry->spent < entry->request.max_expansions &&
           wend__request_may_dare(newest, wend__goal_store_ready(service, entry));
}

/* Sets the mover of a search that begins again, or lets it begin again as the bolder one. */
static void judge_mover(wend_service *service, uint32_t index, wend__verdict *verdict) {
    wend__entry *entry = &service->entries[index];
    const int32_t own = wend__inbox_mover(service, index);
    verdict->mover = own;
    if (!verdict->again && verdict->status != WEND_STATUS_NO_PATH && verdict->status != WEND_STATUS_PARTIAL) return;
    wend__version *newest = wend__map_acquire(entry->request.map, false);
    const int32_t bolder = wend__version_bolder(newest, own);
    if (bolder >= 0 && verdict->again) {
        wend__request as = *wend__goal_store_ready(service, entry);
        as.mover = own;
        verdict->mover = wend__request_mover(newest, &as);
    } else if (bolder >= 0 && entry->request.mover == own && must_dare(service, newest, entry)) {
        verdict->again = true;
        verdict->mover = bolder;
    }
    wend__map_release(newest, false);
}

static wend__verdict revalidate(wend_service *service, uint32_t index) {
    wend__verdict verdict = judge(service, index);
    wend__entry *entry = &service->entries[index];
    const bool waits = entry->request.unloaded == WEND_UNLOADED_WAIT && is_refusal(verdict.status);
    if (verdict.again || (verdict.status != WEND_STATUS_NO_PATH && !waits)) return verdict;
    wend__version *newest = wend__map_acquire(entry->request.map, false);
    if (wend__version_lacks_land(newest)) verdict.unknown = wend__land_meets(service, index, newest);
    if (waits && verdict.unknown && entry->dated_revision != newest->revision)
        verdict.again = may_search_again(service, newest, entry);
    wend__map_release(newest, false);
    return verdict;
}

wend__verdict wend__revalidate(wend_service *service, uint32_t index) {
    wend__verdict verdict = revalidate(service, index);
    judge_mover(service, index, &verdict);
    return verdict;
}
