/* SPDX-License-Identifier: MIT */
/* The only file that gives a request its status. */
#include "service/delivery/delivery.h"

#include "base/fault.h"
#include "field/many/field_search.h"
#include "map/store/directions.h"
#include "search/request/leg.h"
#include "service/inbox/inbox.h"
#include "service/memory/memory.h"
#include "service/queue/queue.h"
#include "service/share/share.h"
#include "service/state/service_state.h"
#include "service/store/heap.h"
#include "service/store/numbers.h"
#include "service/store/path_arena.h"

static void unlink_entry(wend_service *service, uint32_t index) {
    if (service->entries[index].request.deadline_frames != WEND_NO_LIMIT) wend__heap_remove(&service->due, index);
    wend__lists_leave(service, index);
}

/* Records the engine (without a search, the engine for it) and the bound, for the completion. */
static void note_quality(wend_service *service, wend__entry *entry) {
    const bool fault = WEND__FAULT("goals-of-ended-request");
    const wend__request *request = fault ? &entry->request : wend__goal_store_ready(service, entry);
    const bool searched = entry->slot != WEND__NONE && entry->begun;
    const bool asks = !searched || wend__request_bound_asks(request);
    const wend__version *newest = asks ? wend__version_pin(service, request->map) : NULL;
    if (!searched) {
        entry->engine = wend__request_engine(newest, request);
        entry->general = WEND_GENERAL_NONE;
    } else if (entry->buffered == WEND__NONE) { /* else its lane recorded it */
        entry->engine = service->slots[entry->slot].search.engine->name;
        entry->general = (uint8_t)wend__search_general(&service->slots[entry->slot].search);
    }
    wend__request_bound(newest, request, &entry->exact, &entry->bound_milli);
    const bool kept = searched && entry->buffered == WEND__NONE;
    if (kept && service->slots[entry->slot].search.far.aimed) entry->exact = false, entry->bound_milli = 0;
}

/* Sets number and cost of the delivered cells. The status may become too_long. */
static void measure_path(wend_service *service, wend__entry *entry, wend_status *status) {
    if (entry->buffered != WEND__NONE) return; /* its lane did this */
    const wend__search *search = &service->slots[entry->slot].search;
    entry->steps = search->steps;
    entry->cost = wend__search_cost(search);
    if (search->steps < service->def.max_path_cells) {
        const uint64_t room = service->def.max_path_cells - search->steps - 1;
        entry->crossings = search->far.count < room ? search->far.count : (uint32_t)room;
        return;
    }
    entry->steps = service->def.max_path_cells - 1;
    uint64_t cost;
    wend__search_cells(search, service->cells, entry->steps + 1);
    wend__version_walk(entry->version, entry->request.mover, service->cells, entry->steps, &cost);
    entry->cost =
        (int64_t)cost + wend__answer_extra_cost(entry->version, &entry->request, service->cells, entry->steps);
    *status = WEND_STATUS_TOO_LONG;
}

/* Returns whether the search has a path to deliver. A nearest search that was cut short may have a path to its best
 * cell. */
static bool has_way(wend_service *service, const wend__entry *entry, wend_status status) {
    if (entry->slot == WEND__NONE || !entry->begun) return false;
    if (entry->buffered != WEND__NONE) return true;
    wend__search *search = &service->slots[entry->slot].search;
    if (search->status == status) return status == WEND_STATUS_FOUND || status == WEND_STATUS_PARTIAL;
    bool cut = status == WEND_STATUS_LIMIT || status == WEND_STATUS_EXPIRED || status == WEND_STATUS_OUT_OF_NODES;
    return cut && search->status == WEND_STATUS_PENDING && entry->request.mode == WEND_MODE_NEAREST &&
           wend__search_take_nearest(search);
}

void wend__complete_wait(wend_service *service, uint32_t index) {
    WEND__DEBUG_ASSERT(service->entries[index].state == WEND__FINISHED);
    const uint64_t number = service->entries[index].number;
    const uint32_t oldest = wend__ages_oldest(service);
    wend__numbers_add(&service->finished, number, index,
                      oldest != WEND__NONE ? service->entries[oldest].number : number);
}

void wend__complete_wait_all(wend_service *service, wend__chain *chain) {
    while (chain->first != WEND__NONE) {
        uint32_t index = chain->first;
        wend__chain_remove(service, chain, index);
        wend__complete_wait(service, index);
    }
}

/* If its engine takes only steps to neighbours, its cells are written once, at hand-over. */
static bool store(wend_service *service, wend__entry *entry, const wend__search *search) {
    uint8_t *directions = (uint8_t *)service->cells; /* room for a cell each */
    if (entry->steps == search->steps && entry->crossings == 0 && wend__search_directions(search, directions))
        return wend__paths_store_directions(&service->paths, directions, entry->steps, &entry->path);
    wend__search_cells(search, service->cells, entry->steps + 1);
    wend__leg_crossings(search, service->cells + entry->steps + 1, entry->crossings);
    wend__size size = wend__size_of(entry->request.map);
    return wend__paths_store(&service->paths, size, service->cells, entry->steps + entry->crossings, &entry->path);
}

/* ---- groups ---- */

/* Returns whether the status comes from the search, not from the host, a limit or the map. */
static bool is_answer(wend_status status) {
    return status == WEND_STATUS_FOUND || status == WEND_STATUS_NO_PATH || status == WEND_STATUS_START_BLOCKED ||
           status == WEND_STATUS_GOAL_BLOCKED || status == WEND_STATUS_OUT_OF_NODES;
}

/* Gives the answer to the group's members, too. Any other request that ends leaves its group first. */
static bool answers_members(wend_service *service, uint32_t index, wend_status status) {
    const wend__group *group = wend__group_of(service, index);
    const bool answers = group && group->leader == index && !group->many && is_answer(status);
    if (!answers) wend__share_quit(service, index);
    return answers;
}

static bool copy_path(wend_service *service, const wend__entry *from, wend__entry *to) {
    if (from->buffered != WEND__NONE) {
        const uint8_t *directions = service->buffers + from->buffered;
        return wend__paths_store_directions(&service->paths, directions, to->steps, &to->path);
    }
    return wend__paths_may_fit(&service->paths, to->steps) && store(service, to, &service->slots[from->slot].search);
}

static void copy_answer(const wend__entry *from, wend__entry *to) {
    to->status = from->status;
    to->cost = from->cost;
    to->engine = from->engine;
    to->general = from->general;
    to->exact = from->exact;
    to->bound_milli = from->bound_milli;
    to->dated = from->dated;
    to->searched = from->searched;
    to->epoch = from->epoch;
    to->revision = from->revision;
    to->dated_revision = from->dated_revision;
    to->shared = true;
}

static void finish(wend_service *service, uint32_t index) {
    wend__entry *entry = &service->entries[index];
    if (!entry->answered_wait) entry->wait_frames = service->frame - entry->submitted_frame;
    entry->answered_wait = true;
    service->withdrawn += wend__is_withdrawn(entry);
    entry->state = WEND__FINISHED;
    service->went[wend__rank(entry->request.urgency)]++;
    wend__complete_wait(service, index);
}

/* Gives each member the answer of a finished leader, as long as the arena has room for its path. */
static void answer_members(wend_service *service, uint32_t leader) {
    wend__entry *from = &service->entries[leader];
    uint32_t index;
    while ((index = wend__share_next(service, leader)) != WEND__NONE) {
        wend__entry *to = &service->entries[index];
        to->steps = from->steps;
        if (from->cost >= 0 && from->steps > 0 && !copy_path(service, from, to)) break;
        wend__share_quit(service, index);
        unlink_entry(service, index);
        wend__full_count(service, to->request.urgency, -1);
        copy_answer(from, to);
        finish(service, index);
        from->shared = true;
    }
    wend__share_resign(service, leader);
}

/* Each step costs at least a straight one, so the steps of a cheap path are counted only at hand-over. */
static bool may_be_too_long(const wend_field *field, uint64_t cost, uint64_t most) {
    const wend__version *view = field->view;
    return view->kind == WEND_KIND_GRAPH || field->version->links || cost / (uint64_t)view->rules.cost_straight >= most;
}

/* Leaves the path in the field until hand-over. */
static void measure_way(wend_service *service, wend__entry *entry) {
    const wend_field *field = service->share.field;
    const uint64_t most = service->def.max_path_cells;
    uint64_t cost;
    entry->status = wend_field_next(field, entry->request.start, NULL, &cost);
    if (entry->status != WEND_STATUS_FOUND) return;
    entry->in_field = true;
    service->share.holders++;
    entry->cost = (int64_t)cost;
    entry->steps = WEND__UNCOUNTED;
    if (!may_be_too_long(field, cost, most)) return;
    wend__answer_count(service, entry);
    if (entry->steps < most) return;
    entry->steps = most - 1;
    entry->status = WEND_STATUS_TOO_LONG;
    wend__field_walk(field, entry->request.start, entry->steps, service->cells);
    wend__version_walk(field->version, entry->request.mover, service->cells, entry->steps, &cost);
    entry->cost = (int64_t)cost;
}

void wend__complete_in_field(wend_service *service, uint32_t index) {
    WEND__DEBUG_ASSERT(service->share.field && service->entries[index].slot == WEND__NONE);
    wend__entry *entry = &service->entries[index];
    const wend__version *version = service->share.version;
    unlink_entry(service, index);
    wend__full_count(service, entry->request.urgency, -1);
    entry->engine = WEND_ENGINE_ASTAR;
    entry->general = WEND_GENERAL_NONE;
    entry->exact = 1;
    entry->bound_milli = 1000;
    entry->dated = entry->searched = entry->shared = true;
    entry->epoch = version->epoch;
    entry->revision = version->revision;
    entry->dated_revision = version->revision;
    entry->cost = -1;
    entry->steps = 0;
    measure_way(service, entry);
    finish(service, index);
}

/* Stores a buffered path; its lane has reserved the room in the arena. */
static void store_buffered(wend_service *service, wend__entry *entry) {
    WEND__DEBUG_ASSERT(entry->path.first == WEND__NONE && entry->buffered != WEND__NONE);
    service->paths.promised -= (uint32_t)wend__paths_blocks(entry->steps, false);
    const uint8_t *directions = service->buffers + entry->buffered;
    const bool stored = wend__paths_store_directions(&service->paths, directions, entry->steps, &entry->path);
    WEND__ASSERT(stored);
    entry->buffered = WEND__NONE;
}

/* Moves a path from its search to the arena, if it fits; the slot is free then. */
static void store_path(wend_service *service, uint32_t index) {
    wend__entry *entry = &service->entries[index];
    if (entry->buffered != WEND__NONE) {
        store_buffered(service, entry);
        wend__memory_free_slot(service, index);
        return;
    }
    if (entry->slot == WEND__NONE || !wend__paths_may_fit(&service->paths, entry->steps)) return;
    if (!store(service, entry, &service->slots[entry->slot].search)) return;
    wend__memory_free_slot(service, index);
}

#ifdef WEND_DEBUG
/* Walks a found path on its search's version: it costs what the search reports. But moved units and painted layers may
 * have changed that, and far routes may pass land that is not loaded. */
static void validate_path(const wend_service *service, const wend__entry *entry) {
    const wend__search *search = &service->slots[entry->slot].search;
    wend_cell *cells = service->cells;
    uint64_t cost;
    if (entry->request.occupied != WEND_OCCUPIED_IGNORE || entry->request.profile != WEND_PROFILE_NONE) return;
    if (entry->request.mode == WEND_MODE_FAR || entry->request.unloaded == WEND_UNLOADED_KNOWN) return;
    if (entry->buffered == WEND__NONE && search->steps != entry->steps) return; /* part of a path */
    if (entry->buffered == WEND__NONE)
        wend__search_cells(search, cells, entry->steps + 1);
    else
        cells[0] = entry->request.start;
    for (uint64_t k = 0; entry->buffered != WEND__NONE && k < entry->steps; k++) {
        const uint8_t d = service->buffers[entry->buffered + k];
        cells[k + 1] = (wend_cell){cells[k].x + wend__dx[d], cells[k].y + wend__dy[d], 0};
    }
    WEND__ASSERT(wend__same_cell(cells[0], entry->request.start));
    WEND__ASSERT(wend__version_walk(entry->version, entry->request.mover, cells, entry->steps, &cost) == entry->steps);
    WEND__ASSERT((int64_t)cost == entry->cost);
}
#else
#define validate_path(service, entry) ((void)0)
#endif

/* A finished path needs no version. A search that keeps its slot until the path is stored does not need it either. */
static void release_version(wend_service *service, wend__entry *entry) {
    if (!entry->version) return;
    wend__slot *slot = &service->slots[entry->slot];
    if (slot->ready && !WEND__FAULT("layers-after-version")) wend__search_leave(&slot->search);
    wend__pins_return(service, entry->version);
    entry->version = NULL;
}

void wend__complete(wend_service *service, uint32_t index, wend_status status) {
    WEND__DEBUG_ASSERT(status != WEND_STATUS_PENDING && service->entries[index].state != WEND__FINISHED);
    wend__entry *entry = &service->entries[index];
    if (wend__land_awaits(service, index, status)) return;
    const bool path = has_way(service, entry, status);
    const bool answers = answers_members(service, index, status);
    unlink_entry(service, index);
    note_quality(service, entry); /* its search has the engine */
    if (path) {
        measure_path(service, entry, &status);
        validate_path(service, entry);
        service->running--; /* from now on it only holds its slot, or not even that */
        service->holding++;
    } else {
        if (entry->slot != WEND__NONE) wend__memory_free_slot(service, index);
        wend__full_count(service, entry->request.urgency, -1);
        if (status == WEND_STATUS_FOUND) entry->cost = 0; /* the start is enough */
    }
    release_version(service, entry);
    entry->status = status;
    finish(service, index);
    if (answers) answer_members(service, index);
    store_path(service, index);
}

void wend__complete_drop_path(wend_service *service, uint32_t index) {
    wend__entry *entry = &service->entries[index];
    if (entry->in_field) wend__goal_group_drop_path(service);
    entry->in_field = false;
    wend__paths_free(&service->paths, &entry->path);
    if (entry->slot != WEND__NONE) wend__memory_free_slot(service, index);
    entry->steps = entry->crossings = 0;
    entry->cost = -1;
}

void wend__complete_undo(wend_service *service, uint32_t index) {
    WEND__DEBUG_ASSERT(service->entries[index].state == WEND__FINISHED);
    wend__entry *entry = &service->entries[index];
    wend__complete_drop_path(service, index);
    entry->status = WEND_STATUS_PENDING;
    entry->again = true;
    entry->starved = entry->shared = false;
    service->went[wend__rank(entry->request.urgency)]--;
    wend__full_count(service, entry->request.urgency, 1);
    wend__ages_add(service, index);
    if (entry->request.deadline_frames != WEND_NO_LIMIT)
        wend__heap_push(&service->due, entry->due_frame, (uint32_t)entry->number, index);
    if (!service->def.share || !wend__share_enter(service, index)) wend__order_push(service, index);
    wend__version_unpin(service); /* callbacks of the delivery may drop the map */
}

void wend__complete_again(wend_service *service, uint32_t index, int32_t mover) {
    service->entries[index].outdated++;
    service->entries[index].request.mover = mover;
    service->frame_checks++;
    service->frame_outdated++;
    wend__complete_undo(service, index);
}

void wend__complete_revise(wend_service *service, uint32_t index, const wend__verdict *verdict) {
    wend__entry *entry = &service->entries[index];
    service->frame_checks += verdict->compared;
    if (verdict->cost < 0) wend__complete_drop_path(service, index);
    if (verdict->steps < entry->steps) entry->crossings = 0;
    entry->status = verdict->status;
    entry->steps = verdict->steps;
    entry->cost = verdict->cost;
    entry->epoch = verdict->epoch;
    entry->checked = verdict->checked;
    entry->unknown = verdict->unknown;
}

void wend__complete_withdraw(wend_service *service, uint32_t index, wend_status status) {
    wend__complete_drop_path(service, index);
    service->withdrawn += !wend__is_withdrawn(&service->entries[index]);
    service->entries[index].status = status;
}

/* Returns a request that is due, the first of those with entries; or WEND__NONE. */
static uint32_t next_due(wend_service *service) {
    const wend__heap *due = &service->due;
    if (due->count > 0 && due->items[0].major <= service->frame) return due->items[0].id;
    return wend__inbox_promote_due(service);
}

/* Ends at least one request, so that every frame makes progress. */
void wend__complete_due(wend_service *service, wend__tick *tick) {
    enum { CLOCK_EVERY = 8 };
    if (service->behind) return;
    for (uint64_t done = 0;; done++) {
        if (done > 0 && tick->frame->changes >= tick->budget->changes) break;
        if (done > 0 && done % CLOCK_EVERY == 0 && wend__tick_is_over(service, tick)) break;
        const uint32_t index = next_due(service);
        if (index == WEND__NONE) break;
        wend__complete(service, index, WEND_STATUS_EXPIRED);
        tick->frame->changes++;
    }
}

bool wend__complete_early(wend_service *service, uint32_t index) {
    wend__entry *entry = &service->entries[index];
    const wend__version *newest = wend__version_pin(service, entry->request.map);
    entry->request.mover = wend__inbox_mover(service, index);
    entry->request.mover = wend__request_mover(newest, wend__goal_store_ready(service, entry));
    int32_t answer = wend__request_answer(newest, wend__goal_store_ready(service, entry));
    if (answer == WEND_STATUS_PENDING && entry->spent >= entry->request.max_expansions) answer = WEND_STATUS_LIMIT;
    if (answer == WEND_STATUS_PENDING) {
        entry->asked = newest->revision;
        return false;
    }
    entry->dated = true;
    entry->searched = false;
    entry->epoch = entry->checked = newest->epoch;
    entry->dated_revision = newest->revision;
    wend__complete(service, index, answer);
    return true;
}
