/* SPDX-License-Identifier: MIT */
/* The third phase of a frame: what has finished goes to callbacks, or is put out for polling, by submission number. */
#include "service/service_internal.h"

static wend_completion completion_of(const wend_service *service, uint32_t index) {
    const wend__entry *entry = &service->entries[index];
    return (wend_completion){.struct_bytes = sizeof(wend_completion),
                             .status = entry->status,
                             .cost = entry->cost,
                             .cell_count = entry->cost >= 0 ? (size_t)entry->steps + 1 : 0,
                             .expansions = entry->spent,
                             .frames = entry->delivered_frame - entry->submitted_frame,
                             .wait_frames = entry->wait_frames,
                             .engine = entry->engine,
                             .exact = entry->exact,
                             .bound_milli = entry->bound_milli,
                             .restarts = (int32_t)entry->restarts,
                             .epoch = entry->epoch,
                             .checked = entry->checked,
                             .number = entry->number,
                             .ticket = {index, entry->generation},
                             .context = entry->request.context};
}

void wend__deliver_cells(wend_service *service, const wend__entry *entry, uint64_t steps, wend_cell *out) {
    if (entry->slot != WEND__NONE) {
        wend__search_cells(&service->slots[entry->slot].search, out, steps + 1);
    } else {
        wend__size size = wend__size_of(entry->request.map);
        *out = entry->request.start;
        wend__paths_spread(&service->paths, size, &entry->path, entry->request.start, steps, out + 1);
    }
}

/* The callback comes when nothing of the request is left, so that it can submit again at once. */
static uint64_t call_back(wend_service *service, uint32_t index) {
    const wend__entry *entry = &service->entries[index];
    wend_completion completion = completion_of(service, index);
    if (completion.cell_count > 0) {
        wend__deliver_cells(service, entry, entry->steps, service->cells);
        completion.cells = service->cells;
    }
    wend_done_fn *on_done = entry->request.on_done;
    wend_map *map = entry->request.map;
    wend__finish_drop_path(service, index);
    wend__gate_leave(service, index, true);
    on_done(completion.context, &completion);
    wend_map_release(map);
    return completion.cell_count;
}

/* A path that found no room in the arena, and finds none now, goes on holding its slot. */
static void put_out(wend_service *service, uint32_t index) {
    wend__entry *entry = &service->entries[index];
    entry->state = WEND__PUT_OUT;
    wend__finish_store(service, index);
    wend__chain_append(service, &service->put_out, index);
    service->put_out_count++;
    wend__gate_work_done(service);
}

static void leave_put_out(wend_service *service, uint32_t index) {
    wend_map *map = service->entries[index].request.map;
    wend__finish_drop_path(service, index);
    wend__chain_remove(service, &service->put_out, index);
    service->put_out_count--;
    wend__gate_leave(service, index, false);
    wend_map_release(map);
}

/* A cancel that came after the intake is for the next frame; one that cannot wait so long is told the truth at once. */
static bool held_back(wend_service *service, uint32_t index) {
    wend__entry *entry = &service->entries[index];
    bool cancelled = entry->status == WEND_STATUS_CANCELLED;
    if (wend__gate_shut(service, index, cancelled)) return false;
    if (entry->due_frame > service->frame) return true;
    wend__finish_anew_cancelled(service, index);
    wend__gate_shut(service, index, true);
    return false;
}

static void deliver(wend_service *service, wend__turn *turn, uint32_t index) {
    wend__entry *entry = &service->entries[index];
    entry->delivered_frame = service->frame;
    turn->frame->deliveries++;
    turn->frame->statuses[entry->status]++;
    wend__figures_completed(&service->figures, entry);
    if (entry->request.on_done)
        turn->frame->cells += call_back(service, index);
    else
        put_out(service, index);
}

static bool may_deliver(const wend_service *service, const wend__turn *turn) {
    const wend_frame *frame = turn->frame;
    if (frame->deliveries == 0) return true;
    return frame->deliveries < turn->budget->deliveries && frame->cells <= turn->budget->cells &&
           !wend__passed(service, turn->end_ns);
}

/* What a delivery takes, callbacks included, so that the next frame's rounds leave time for it. */
static void note_time(wend_service *service, const wend__turn *turn, uint64_t begun_ns) {
    if (turn->frame->deliveries == 0) return;
    uint64_t each = (wend__now(service) - begun_ns) / turn->frame->deliveries;
    service->delivery_ns = (service->delivery_ns * 3 + each) / 4;
}

/* What goes back to the queue counts for no limit: those behind the last delivery do so too, whatever stopped it. So a
 * timed frame can be replayed from the number of its deliveries. */
void wend__deliver(wend_service *service, wend__turn *turn) {
    bool timed = turn->end_ns != WEND_NO_LIMIT;
    uint64_t begun_ns = timed ? wend__now(service) : 0;
    wend__chain held = {WEND__NONE, WEND__NONE};
    service->undone = WEND__NONE;
    while (service->finished.count > 0) {
        uint32_t index = wend__numbers_first(&service->finished);
        wend__verdict verdict = wend__outdated_judge(service, index);
        if (!verdict.again && !may_deliver(service, turn)) break;
        wend__numbers_remove(&service->finished, service->entries[index].number, index);
        if (verdict.again) {
            wend__outdated_again(service, index, &verdict);
            continue;
        }
        wend__outdated_apply(service, index, &verdict);
        if (held_back(service, index))
            wend__chain_append(service, &held, index);
        else
            deliver(service, turn, index);
    }
    wend__finish_wait_all(service, &held);
    if (timed) note_time(service, turn, begun_ns);
}

void wend__deliver_drop(wend_service *service) {
    while (service->put_out.first != WEND__NONE) leave_put_out(service, service->put_out.first);
}

wend_error wend_service_poll(wend_service *service, wend_completion *out, wend_cell *cells, size_t capacity) {
    const size_t first = WEND__FIRST_BYTES(wend_completion, context);
    if (!out || !wend__sized_fits(out, first) || (!cells && capacity > 0)) return WEND_BAD_ARGUMENT;
    if (service->ticking) return WEND_IN_CALLBACK;
    uint32_t index = service->put_out.first;
    if (index == WEND__NONE) return WEND_EMPTY;
    wend__verdict verdict = wend__outdated_judge(service, index);
    size_t count = verdict.cost >= 0 ? (size_t)verdict.steps + 1 : 0;
    if (count > capacity) {
        out->cell_count = count;
        return WEND_BAD_ARGUMENT;
    }
    wend__outdated_apply(service, index, &verdict);
    service->figures.checks += verdict.compared; /* no frame counts it */
    wend_completion completion = completion_of(service, index);
    if (count > 0) wend__deliver_cells(service, &service->entries[index], verdict.steps, cells);
    leave_put_out(service, index);
    wend__sized_give(out, first, &completion, sizeof completion);
    return WEND_OK;
}
