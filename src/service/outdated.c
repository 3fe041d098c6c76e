/* SPDX-License-Identifier: MIT */
/* What becomes of searches and answers when the map has changed since they began.
 *
 * A search keeps the version it began on. At hand-over its answer is held against the newest: a path is walked step by
 * step; "no path" stands only on the version it was found on. What does not stand is searched again, a bounded number
 * of times, or comes as `stale` with as much of its path as can be walked. */
#include "service/service_internal.h"

static unsigned direction_between(wend_cell from, wend_cell to) {
    for (unsigned d = 0; d < WEND__DIRECTIONS; d++)
        if (to.x - from.x == wend__dx[d] && to.y - from.y == wend__dy[d]) return d;
    return WEND__DIRECTIONS;
}

/* How many steps of a path can be walked on a version, and what they cost there. */
static uint64_t walkable(const wend__version *version, const wend_cell *cells, uint64_t steps, int64_t *cost) {
    *cost = 0;
    for (uint64_t i = 0; i < steps; i++) {
        unsigned d = direction_between(cells[i], cells[i + 1]);
        if (!(wend__version_steps(version, cells[i].x, cells[i].y) >> d & 1)) return i;
        int64_t step = d < WEND__NE ? version->rules.cost_straight : version->rules.cost_diagonal;
        *cost += step * wend__version_factor(version, cells[i + 1].x, cells[i + 1].y);
    }
    return steps;
}

static bool start_stands(const wend__version *newest, const wend_request *request) {
    bool leaves = request->flags & WEND_REQUEST_LEAVE_BLOCKED_START;
    return leaves || wend__version_factor(newest, request->start.x, request->start.y) > 0;
}

static bool may_search_again(const wend_service *service, const wend__entry *entry) {
    return entry->request.on_stale == WEND_ON_STALE_RESTART && entry->outdated < service->def.restarts &&
           entry->spent < entry->request.max_expansions && entry->due_frame > service->frame;
}

/* The answer does not stand. True: it is handed over all the same, as what is left of it. */
static bool settle(wend_service *service, const wend__version *newest, uint32_t index, uint64_t steps, int64_t cost) {
    wend__entry *entry = &service->entries[index];
    bool path = entry->cost >= 0;
    if (!start_stands(newest, &entry->request)) {
        wend__finish_drop_path(service, index);
        entry->status = WEND_STATUS_START_BLOCKED;
        return true;
    }
    if (entry->status != WEND_STATUS_STALE && may_search_again(service, entry)) {
        entry->outdated++;
        service->frame_outdated++;
        wend__finish_undo(service, index);
        return false;
    }
    entry->status = WEND_STATUS_STALE;
    if (path) entry->steps = steps, entry->cost = cost;
    return true;
}

/* An answer of a search, on another version than the one it was found on. */
static bool check_searched(wend_service *service, const wend__version *newest, uint32_t index) {
    wend__entry *entry = &service->entries[index];
    service->frame_checks++;
    if (entry->cost < 0) return entry->status != WEND_STATUS_NO_PATH || settle(service, newest, index, 0, 0);
    int64_t cost;
    wend__deliver_cells(service, entry, service->cells);
    uint64_t steps = walkable(newest, service->cells, entry->steps, &cost);
    if (steps < entry->steps || !start_stands(newest, &entry->request)) return settle(service, newest, index, steps, cost);
    entry->cost = cost;
    return true;
}

bool wend__outdated_check(wend_service *service, uint32_t index) {
    wend__entry *entry = &service->entries[index];
    if (entry->dated && !entry->searched) return true; /* judged without a search: it has that version as both */
    wend__version *newest = wend__map_acquire(entry->request.map, false);
    bool stands = !entry->searched || entry->epoch == newest->epoch || check_searched(service, newest, index);
    entry->checked = newest->epoch;
    if (!entry->dated) entry->epoch = newest->epoch;
    wend__map_release(newest, false);
    return stands;
}

void wend__outdated_cut(const wend__entry *entry, wend_completion *completion, const wend_cell *cells) {
    if (completion->cell_count == 0) return;
    wend__version *newest = wend__map_acquire(entry->request.map, false);
    int64_t cost;
    uint64_t steps = start_stands(newest, &entry->request) ? walkable(newest, cells, entry->steps, &cost) : 0;
    if (!start_stands(newest, &entry->request)) {
        completion->status = WEND_STATUS_START_BLOCKED;
        completion->cell_count = 0;
        cost = -1;
    } else if (steps < entry->steps) {
        completion->status = WEND_STATUS_STALE;
        completion->cell_count = (size_t)steps + 1;
    }
    completion->cost = cost;
    completion->checked = newest->epoch;
    wend__map_release(newest, false);
}

void wend__outdated_retire(wend_service *service) {
    for (uint32_t slot = 0; slot < service->fresh_slot; slot++) {
        uint32_t index = service->slots[slot].entry;
        if (index == WEND__NONE) continue;
        wend__entry *entry = &service->entries[index];
        if (!entry->version || !wend__version_retired(entry->version)) continue;
        service->frame_outdated++;
        if (entry->outdated++ >= service->def.restarts) {
            wend__finish(service, index, WEND_STATUS_STALE);
            continue;
        }
        wend__order_remove(service, index);
        wend__memory_free_slot(service, index);
        entry->starved = false;
        entry->again = true;
        wend__order_push(service, index);
    }
}
