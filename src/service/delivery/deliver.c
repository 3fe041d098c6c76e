/* SPDX-License-Identifier: MIT */
/* The third phase of a frame: finished requests go to callbacks or wait for a poll, by submission number. */
#include "service/delivery/delivery.h"

#include "field/many/field_search.h"
#include "search/request/leg.h"
#include "search/request/request_land.h"
#include "service/memory/memory.h"
#include "service/queue/queue.h"
#include "service/inbox/inbox.h"
#include "record/recorder/record.h"
#include "service/records/records.h"
#include "service/state/service_state.h"
#include "service/store/numbers.h"
#include "service/store/path_arena.h"

static wend_completion completion_of(const wend_service *service, uint32_t index) {
    const wend__entry *entry = &service->entries[index];
    return (wend_completion){.struct_bytes = sizeof(wend_completion),
                             .status = entry->status,
                             .cost = entry->cost,
                             .cell_count = entry->cost >= 0 ? (size_t)entry->steps + 1 : 0,
                             .expansions = entry->spent + entry->looked,
                             .frames = entry->delivered_frame - entry->submitted_frame,
                             .wait_frames = entry->wait_frames,
                             .engine = entry->engine,
                             .exact = entry->exact,
                             .bound_milli = entry->bound_milli,
                             .restarts = (int32_t)entry->restarts,
                             .epoch = entry->epoch,
                             .checked = entry->checked,
                             .number = entry->number,
                             .ticket = {entry->waiter != WEND__NONE ? entry->waiter : index, entry->generation},
                             .context = entry->request.context,
                             .shared = entry->shared,
                             .unknown = entry->unknown && entry->status == WEND_STATUS_NO_PATH,
                             .crossing_count = entry->crossings};
}

void wend__deliver_cells(wend_service *service, const wend__entry *entry, uint64_t steps, wend_cell *out) {
    if (entry->in_field) {
        wend__field_walk(service->share.field, entry->request.start, steps, out);
    } else if (entry->slot != WEND__NONE) {
        wend__search_cells(&service->slots[entry->slot].search, out, steps + 1);
    } else {
        wend__size size = wend__size_of(entry->request.map);
        *out = entry->request.start;
        wend__paths_spread(&service->paths, size, &entry->path, entry->request.start, steps, out + 1);
    }
}

/* The arena has them as further cells of the path. */
void wend__deliver_crossings(wend_service *service, const wend__entry *entry, wend_cell *out) {
    if (entry->slot != WEND__NONE)
        wend__leg_crossings(&service->slots[entry->slot].search, out + entry->steps + 1, entry->crossings);
    else
        wend__paths_spread(&service->paths, wend__size_of(entry->request.map), &entry->path, entry->request.start,
                           entry->steps + entry->crossings, out + 1);
}

size_t wend__deliver_unloaded(const wend_map *map, const wend_cell *crossings, size_t count) {
    if (count == 0 || !map->streamed) return count;
    wend__version *newest = wend__map_newest(map);
    size_t i = 0;
    while (i < count && wend__is_loaded(newest, crossings[i])) i++;
    wend__map_release(newest, false);
    return i;
}

void wend__deliver_count(wend_service *service, wend__entry *entry) {
    if (entry->steps != WEND__UNCOUNTED) return;
    entry->steps = wend__field_walk(service->share.field, entry->request.start, service->def.max_path_cells, NULL);
}

/* Cells that are not counted yet are counted as they are written. */
static void write_cells(wend_service *service, wend__entry *entry) {
    const uint64_t most = service->def.max_path_cells - 1;
    if (entry->steps == WEND__UNCOUNTED)
        entry->steps = wend__field_walk(service->share.field, entry->request.start, most, service->cells);
    else
        wend__deliver_cells(service, entry, entry->steps, service->cells);
    if (entry->crossings > 0) wend__deliver_crossings(service, entry, service->cells);
}

/* The request's entry is free before its callback is called, so that the callback can submit again. */
static uint64_t call_back(wend_service *service, uint32_t index) {
    wend__entry *entry = &service->entries[index];
    if (entry->cost >= 0) write_cells(service, entry);
    wend_completion completion = completion_of(service, index);
    if (completion.cell_count > 0) completion.cells = service->cells;
    if (completion.crossing_count > 0) completion.crossings = service->cells + completion.cell_count;
    completion.first_unloaded =
        wend__deliver_unloaded(entry->request.map, completion.crossings, completion.crossing_count);
    wend_done_fn *on_done = entry->request.on_done;
    wend_map *map = entry->request.map;
    wend__complete_drop_path(service, index);
    const bool recorded = !entry->unrecorded;
    wend__inbox_leave(service, index, true); /* the entry may be another request's from now on */
    if (recorded) wend__record_enter_callback(service, completion.number);
    on_done(completion.context, &completion);
    if (recorded) wend__record_leave_callback(service);
    wend_map_release(map);
    return completion.cell_count;
}

static void awaiting_poll(wend_service *service, uint32_t index) {
    wend__entry *entry = &service->entries[index];
    entry->state = WEND__AWAITS_POLL;
    wend__chain_append(service, &service->awaiting_poll, index);
    service->awaiting_poll_count++;
    wend__inbox_work_done(service);
}

static void leave_put_out(wend_service *service, uint32_t index) {
    wend_map *map = service->entries[index].request.map;
    wend__complete_drop_path(service, index);
    wend__chain_remove(service, &service->awaiting_poll, index);
    service->awaiting_poll_count--;
    wend__inbox_leave(service, index, false);
    wend_map_release(map);
}

/* A cancellation from after the intake is for the next frame. One whose deadline is now is delivered as cancelled. So
 * it is with a replacement. */
static bool is_postponed(wend_service *service, uint32_t index) {
    wend__entry *entry = &service->entries[index];
    if (wend__inbox_shut(service, index, wend__is_withdrawn(entry))) return false;
    if (entry->due_frame > service->frame) return true;
    const wend__asked asked = wend__inbox_asked(service, index);
    wend__complete_withdraw(service, index, wend__change_status(asked.before | asked.during));
    wend__inbox_shut(service, index, true);
    return false;
}

static void deliver(wend_service *service, wend__tick *tick, uint32_t index) {
    wend__entry *entry = &service->entries[index];
    entry->delivered_frame = service->frame;
    service->withdrawn -= wend__is_withdrawn(entry);
    tick->frame->deliveries++;
    tick->frame->statuses[entry->status]++;
    tick->frame->shared += entry->shared;
    wend__figures_completed(&service->figures, entry);
    wend__records_completion(service, entry);
    wend__wanted_note_end(service, index);
    if (entry->request.on_done)
        tick->frame->cells += call_back(service, index);
    else
        awaiting_poll(service, index);
}

static bool room_to_deliver(const wend__tick *tick) {
    const wend_frame *frame = tick->frame;
    return frame->deliveries < tick->budget->deliveries && frame->cells <= tick->budget->cells;
}

/* Mean time and cells of an answer, callbacks included: the next frame's rounds leave time for as many as have
 * finished. */
static void note_time(wend_service *service, uint64_t handled, uint64_t cells, uint64_t begun_ns) {
    if (handled == 0) return;
    const uint64_t each = (wend__now(service) - begun_ns) / handled;
    service->delivery_ns = (service->delivery_ns * 3 + each) / 4;
    service->delivery_cells = (service->delivery_cells * 3 + cells / handled) / 4;
}

/* Apply a cancellation or replacement that is not applied yet. One from before this frame takes effect now; a later
 * one takes effect in the next frame, unless the deadline is now. False where the request is postponed to the next
 * frame. */
static bool apply_end(wend_service *service, uint32_t index, wend__asked asked) {
    const bool now = asked.before & WEND__CHANGE_END || service->closing;
    const bool since = asked.during & WEND__CHANGE_END;
    if (!now && !since) return true;
    if (!now && service->entries[index].due_frame > service->frame) return false;
    if (!wend__is_withdrawn(&service->entries[index]))
        wend__complete_withdraw(service, index, wend__change_status(asked.before | asked.during));
    return true;
}

/* Apply a goal from before this frame. Callbacks may drop the map, so no version of it is kept. */
static void move_goal_now(wend_service *service, uint32_t index) {
    service->frame_checks++;
    wend__retarget(service, index, wend__inbox_take_goal(service, index));
    wend__version_unpin(service);
}

/* Returns whether looking at land took more than a question may, and the frame has not counted it. */
static bool is_owing(const wend_service *service, const wend__tick *tick) {
    return service->land_owed >= tick->left && service->land_owed - tick->left > WEND__RIM_MOST && !service->closing;
}

/* The first finished request is delivered, returns to the queue, or goes to `postponed`. False where a limit ends the
 * frame before it. Limits count from the second request on, so every frame makes progress. */
static bool handle(wend_service *service, wend__tick *tick, uint32_t index, wend__chain *postponed, bool first) {
    const wend__entry *entry = &service->entries[index];
    const bool may_deliver = first || room_to_deliver(tick);
    const bool may_check = first || service->frame_checks < tick->budget->checks;
    if (service->behind || service->closing || !may_deliver || !wend__revalidate_stands(service, index)) {
        const wend__asked asked = wend__inbox_asked(service, index);
        const bool ends = service->closing || (asked.before | asked.during) & WEND__CHANGE_END;
        const bool waits = !service->closing && !(asked.before & WEND__CHANGE_END) && entry->due_frame > service->frame;
        if (!may_deliver && ends && !waits) return false; /* where the clock ends the frame it is not examined either */
        if (!apply_end(service, index, asked)) {
            wend__numbers_remove(&service->finished, entry->number, index);
            wend__chain_append(service, postponed, index);
            return true;
        }
        if (asked.before & WEND__CHANGE_GOAL && !wend__is_withdrawn(entry)) {
            if (may_check) move_goal_now(service, index);
            return may_check;
        }
    }
    if (entry->slot != WEND__NONE && wend__is_polled(entry)) {
        if (!wend__polls_fit(service, entry)) { /* whether or not it may be delivered: the clock does not count it */
            wend__numbers_remove(&service->finished, entry->number, index);
            wend__chain_append(service, postponed, index);
            return true;
        }
        if (may_deliver) wend__complete_store(service, index);
    }
    const wend__verdict verdict = wend__revalidate(service, index);
    const bool checked = verdict.compared || verdict.again;
    if ((checked && !may_check) || (!verdict.again && !may_deliver)) return false;
    wend__numbers_remove(&service->finished, entry->number, index);
    if (verdict.again) {
        wend__revalidate_again(service, index);
        return true;
    }
    wend__revalidate_apply(service, index, &verdict);
    if (is_postponed(service, index))
        wend__chain_append(service, postponed, index);
    else
        deliver(service, tick, index);
    return true;
}

/* A request that returns to the queue counts as a check, not as a delivery; a postponed one counts as neither. So the
 * numbers of checks and deliveries say where a frame stopped, whatever stopped it, and replay a timed frame. */
void wend__deliver(wend_service *service, wend__tick *tick) {
    const bool timed = tick->end_ns != WEND_NO_LIMIT;
    const uint64_t begun_ns = timed ? wend__now(service) : 0;
    wend__chain postponed = {WEND__NONE, WEND__NONE};
    uint64_t handled = 0;
    wend__choose(service, tick, begun_ns);
    while (service->finished.count > 0) {
        const bool first = tick->frame->deliveries == 0 && service->frame_checks == 0;
        if (!first && (is_owing(service, tick) || wend__passed(service, tick->end_ns))) break;
        if (!handle(service, tick, wend__numbers_first(&service->finished), &postponed, first)) break;
        handled++;
    }
    wend__complete_wait_all(service, &postponed);
    wend__polls_free_slots(service);
    wend__polls_unshelve(service);
    if (timed) note_time(service, handled, tick->frame->cells, begun_ns);
}

void wend__deliver_drop(wend_service *service) {
    while (service->awaiting_poll.first != WEND__NONE) leave_put_out(service, service->awaiting_poll.first);
}

/* Collects the next one. Its cells, and its crossings behind them, are `*count` in number. */
static wend_error poll_next(wend_service *service, wend_completion *out, wend_cell *cells, size_t capacity,
                            size_t *count) {
    if (!WEND__FITS(wend_completion, context, out)) return WEND_BAD_ARGUMENT;
    uint32_t index = service->awaiting_poll.first;
    if (index == WEND__NONE) return wend__refuse(WEND_EMPTY, "no completion waits for a poll");
    wend__verdict verdict = wend__revalidate(service, index);
    const wend__entry *entry = &service->entries[index];
    const bool whole = verdict.cost >= 0 && verdict.steps == entry->steps;
    *count = (verdict.cost >= 0 ? (size_t)verdict.steps + 1 : 0) + (whole ? entry->crossings : 0);
    if (*count > capacity) {
        out->cell_count = *count;
        return wend__refuse(WEND_BAD_ARGUMENT, "capacity is %zu, but the path has %zu cells: see out->cell_count",
                            capacity, *count);
    }
    wend__revalidate_apply(service, index, &verdict);
    service->figures.checks += verdict.compared; /* no frame counts it */
    wend_completion completion = completion_of(service, index);
    if (*count > 0) wend__deliver_cells(service, entry, verdict.steps, cells);
    if (entry->crossings > 0) {
        wend__deliver_crossings(service, entry, cells);
        completion.crossings = cells + completion.cell_count;
        completion.first_unloaded =
            wend__deliver_unloaded(entry->request.map, completion.crossings, completion.crossing_count);
    }
    completion.cells = completion.cell_count > 0 ? cells : NULL;
    wend__record_polled(service, service->entries[index].request.map);
    leave_put_out(service, index);
    wend__inbox_wake_after(service, wend__polls_unshelve);
    (void)WEND__GIVE(wend_completion, context, out, &completion);
    return WEND_OK;
}

wend_error wend_service_poll_many(wend_service *service, wend_completion *out, size_t most, size_t *taken,
                                  wend_cell *cells, size_t capacity) {
    WEND__ALONE(service, "the service");
    wend_error error = taken ? wend__check_list("out", out, most) : wend__refuse_null("taken");
    if (!error) error = wend__check_room("cells", cells, capacity);
    if (error) return error;
    if (service->ticking) return wend__refuse_in_frame();
    *taken = 0;
    const size_t step = out->struct_bytes; /* the caller's */
    for (size_t used = 0, count = 0; *taken < most; used += count, ++*taken) {
        wend_completion *theirs = (void *)((uint8_t *)out + *taken * step);
        theirs->struct_bytes = (uint32_t)step;
        error = poll_next(service, theirs, cells ? cells + used : NULL, capacity - used, &count);
        if (error) break;
    }
    return *taken > 0 ? WEND_OK : error;
}

wend_error wend_service_poll(wend_service *service, wend_completion *out, wend_cell *cells, size_t capacity) {
    size_t taken;
    if (!WEND__FITS(wend_completion, context, out)) return WEND_BAD_ARGUMENT;
    return wend_service_poll_many(service, out, 1, &taken, cells, capacity);
}
