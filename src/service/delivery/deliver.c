/* SPDX-License-Identifier: MIT */
/* The third phase of a frame: gives finished requests to callbacks, by submission number. */
#include "service/delivery/delivery.h"

#include "field/many/field_search.h"
#include "map/components/land_rim.h"
#include "service/inbox/inbox.h"
#include "service/memory/memory.h"
#include "service/queue/queue.h"
#include "recording/calls/recording.h"
#include "service/frame_log/frame_log.h"
#include "service/state/service_state.h"
#include "service/store/numbers.h"

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
                             .ticket = {entry->waiter, entry->generation},
                             .context = entry->request.context,
                             .shared = entry->shared,
                             .unknown = entry->unknown && entry->status == WEND_STATUS_NO_PATH,
                             .crossing_count = entry->crossings,
                             .mover = entry->request.mover};
}

/* Counts uncounted cells as they are written. */
static void write_cells(wend_service *service, wend__entry *entry) {
    const uint64_t most = service->def.max_path_cells - 1;
    if (entry->steps == WEND__UNCOUNTED)
        entry->steps = wend__field_walk(service->share.field, entry->request.start, most, service->cells);
    else
        wend__answer_cells(service, entry, entry->steps, service->cells);
    if (entry->crossings > 0) wend__answer_crossings(service, entry, service->cells);
}

/* Frees the request's entry before its callback is called, so that the callback can submit again. */
static uint64_t call_back(wend_service *service, uint32_t index) {
    wend__entry *entry = &service->entries[index];
    if (entry->cost >= 0) write_cells(service, entry);
    wend_completion completion = completion_of(service, index);
    if (completion.cell_count > 0) completion.cells = service->cells;
    if (completion.crossing_count > 0) completion.crossings = service->cells + completion.cell_count;
    completion.first_unloaded =
        wend__answer_unloaded(entry->request.map, completion.crossings, completion.crossing_count);
    wend_done_fn *on_done = entry->request.on_done;
    wend_map *map = entry->request.map;
    wend__complete_drop_path(service, index);
    const bool recorded = !service->inbox.backlog.waiters[entry->waiter].unrecorded;
    wend__inbox_leave(service, index); /* the entry may then belong to another request */
    if (recorded) wend__record_enter_callback(service, completion.number);
    on_done(completion.context, &completion);
    if (recorded) wend__record_leave_callback(service);
    wend_map_release(map);
    return completion.cell_count;
}

/* A cancellation after the intake waits for the next frame, except at its deadline: then the request is delivered as
 * cancelled. A replacement does the same. */
static bool is_for_next_frame(wend_service *service, uint32_t index) {
    wend__entry *entry = &service->entries[index];
    if (wend__inbox_shut(service, index, wend__is_withdrawn(entry))) return false;
    if (entry->due_frame > service->frame) return true;
    const wend__asked asked = wend__inbox_asked(service, index);
    wend__complete_withdraw(service, index, wend__change_status(asked.before | asked.during));
    wend__inbox_shut(service, index, true);
    return false;
}

static void deliver(wend_service *service, wend__tick *tick, uint32_t index) {
    WEND__DEBUG_ASSERT(service->entries[index].state == WEND__FINISHED && service->entries[index].status);
    wend__entry *entry = &service->entries[index];
    entry->delivered_frame = service->frame;
    service->withdrawn -= wend__is_withdrawn(entry);
    tick->frame->deliveries++;
    tick->frame->statuses[entry->status]++;
    tick->frame->shared += entry->shared;
    wend__figures_completed(&service->figures, entry);
    wend__frame_log_completion(service, entry);
    wend__wanted_note_end(service, index);
    tick->frame->cells += call_back(service, index);
}

static bool room_to_deliver(const wend__tick *tick) {
    const wend_frame *frame = tick->frame;
    return frame->deliveries < tick->budget->deliveries && frame->cells <= tick->budget->cells;
}

/* Records mean time and cells of an answer, callbacks included: the next frame's rounds leave time for as many as have
 * finished. */
static void note_time(wend_service *service, uint64_t handled, uint64_t cells, uint64_t begun_ns) {
    if (handled == 0) return;
    const uint64_t each = (wend__now(service) - begun_ns) / handled;
    service->delivery_ns = (service->delivery_ns * 3 + each) / 4;
    service->delivery_cells = (service->delivery_cells * 3 + cells / handled) / 4;
}

/* Applies a pending cancellation or replacement. One from before this frame takes effect now; a later one takes effect
 * in the next frame, unless the deadline is now. Returns false if the request waits for the next frame. */
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

/* Returns whether the check of land exceeded the limit of a query, and the frame has not counted it. */
static bool is_owing(const wend_service *service, const wend__tick *tick) {
    return service->land_owed >= tick->left && service->land_owed - tick->left > WEND__RIM_MOST && !service->closing;
}

/* Delivers the first finished request, returns it to the queue, or puts it into `later`. False if a limit ends the
 * frame before it. Limits count from the second request on, so every frame makes progress. */
static bool handle(wend_service *service, wend__tick *tick, uint32_t index, wend__chain *later, bool first) {
    const wend__entry *entry = &service->entries[index];
    const bool may_deliver = first || room_to_deliver(tick);
    const bool may_check = first || service->frame_checks < tick->budget->checks;
    if (service->behind || service->closing || !may_deliver || !wend__revalidate_stands(service, index)) {
        const wend__asked asked = wend__inbox_asked(service, index);
        const bool ends = service->closing || (asked.before | asked.during) & WEND__CHANGE_END;
        const bool waits = !service->closing && !(asked.before & WEND__CHANGE_END) && entry->due_frame > service->frame;
        if (!may_deliver && ends && !waits) return false; /* a frame ended by the clock does not examine it either */
        if (!apply_end(service, index, asked)) {
            wend__numbers_remove(&service->finished, entry->number, index);
            wend__chain_append(service, later, index);
            return true;
        }
        if (asked.before & WEND__CHANGE_GOAL && !wend__is_withdrawn(entry)) {
            if (may_check) move_goal_now(service, index);
            return may_check;
        }
    }
    const wend__verdict verdict = wend__revalidate(service, index);
    const bool checked = verdict.compared || verdict.again;
    if ((checked && !may_check) || (!verdict.again && !may_deliver)) return false;
    wend__numbers_remove(&service->finished, entry->number, index);
    if (verdict.again) {
        wend__complete_again(service, index, verdict.mover);
        return true;
    }
    wend__complete_revise(service, index, &verdict);
    if (is_for_next_frame(service, index))
        wend__chain_append(service, later, index);
    else
        deliver(service, tick, index);
    return true;
}

/* A request that returns to the queue counts as a check, not as a delivery; a waiting one counts as neither. So the
 * numbers of checks and deliveries show where a frame stopped, for any reason, and replay a timed frame. */
void wend__deliver(wend_service *service, wend__tick *tick) {
    const bool timed = tick->end_ns != WEND_NO_LIMIT;
    const uint64_t begun_ns = timed ? wend__now(service) : 0;
    wend__chain later = {WEND__NONE, WEND__NONE};
    uint64_t handled = 0;
    wend__choose(service, tick, begun_ns);
    while (service->finished.count > 0) {
        const bool first = tick->frame->deliveries == 0 && service->frame_checks == 0;
        if (!first && (is_owing(service, tick) || wend__passed(service, tick->end_ns))) break;
        if (!handle(service, tick, wend__numbers_first(&service->finished), &later, first)) break;
        handled++;
    }
    wend__complete_wait_all(service, &later);
    if (timed) note_time(service, handled, tick->frame->cells, begun_ns);
}
