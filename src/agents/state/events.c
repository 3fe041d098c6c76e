/* SPDX-License-Identifier: MIT */
/* Events on their way to the host, in the order of updates, and within an update in the order in which agents were
 * added. The array never overflows: a goal begins only if there is room for its last event. */
#include "agents/state/crowd_state.h"
#include "base/heap.h"
#include <wend/agents.h>

bool wend_agent_event_ends_goal(int32_t event) {
    return event == WEND_AGENT_EVENT_ARRIVED || event == WEND_AGENT_EVENT_PARTIAL ||
           event == WEND_AGENT_EVENT_GAVE_UP || event == WEND_AGENT_EVENT_REPLACED;
}

static uint32_t waiting_count(const wend__event_queue *queue) {
    return queue->count - queue->first;
}

bool wend__events_fit(const wend_crowd *crowd, size_t goals) {
    const wend__event_queue *queue = &crowd->events;
    return goals <= (size_t)queue->capacity - waiting_count(queue) - queue->reserved;
}

void wend__events_reserve(wend_crowd *crowd) {
    WEND__DEBUG_ASSERT(wend__events_fit(crowd, 1));
    crowd->events.reserved++;
}

void wend__events_release(wend_crowd *crowd) {
    WEND__DEBUG_ASSERT(crowd->events.reserved > 0);
    crowd->events.reserved--;
}

/// Bits of a key: the lowest are for the order in an update. Boxes come behind all agents.
enum { ORDER_BITS = 24 };
static const uint64_t most_serial = UINT64_MAX >> ORDER_BITS;

/* Returns a new event at the end of the queue. */
static wend__queued_event *new_event(wend_crowd *crowd, uint64_t serial) {
    WEND__DEBUG_ASSERT(waiting_count(&crowd->events) + crowd->events.reserved < crowd->events.capacity);
    wend__event_queue *queue = &crowd->events;
    if (queue->count == queue->capacity && queue->first > 0) {
        memmove(queue->of, queue->of + queue->first, waiting_count(queue) * sizeof *queue->of);
        queue->count -= queue->first;
        queue->fresh -= queue->first;
        queue->first = 0;
    }
    WEND__DEBUG_ASSERT(queue->count < queue->capacity);
    wend__queued_event *item = &queue->of[queue->count++];
    WEND__DEBUG_ASSERT(queue->order < UINT32_C(1) << ORDER_BITS);
    item->key = serial << ORDER_BITS | queue->order++;
    return item;
}

static void add_event(wend_crowd *crowd, uint32_t index, int32_t event, int32_t why) {
    const wend__agent *agent = &crowd->agents[index];
    wend__queued_event *item = new_event(crowd, agent->serial);
    item->event = (uint8_t)event;
    item->why = (uint8_t)why;
    item->agent = (wend_agent_id){index, agent->generation};
    item->cell = crowd->in_traffic[index].at;
    item->context = agent->context;
}

/* Sorts events of boxes behind those of all agents. */
void wend__events_add_box(wend_crowd *crowd, wend_box box) {
    WEND__DEBUG_ASSERT(crowd->events.reserved > 0);
    crowd->events.reserved--;
    wend__queued_event *item = new_event(crowd, most_serial);
    item->event = WEND_AGENT_EVENT_CLEAR;
    item->why = WEND_WHY_NONE;
    item->cell = box.min;
    item->corner = box.max;
}

void wend__events_add_end(wend_crowd *crowd, uint32_t index, int32_t event, int32_t why) {
    WEND__DEBUG_ASSERT(crowd->events.reserved > 0);
    crowd->events.reserved--;
    add_event(crowd, index, event, why);
}

void wend__events_add_reroute(wend_crowd *crowd, uint32_t index) {
    if (crowd->agents[index].rerouted || !wend__events_fit(crowd, 1)) return;
    wend__agent_touch(crowd, index)->rerouted = true;
    add_event(crowd, index, WEND_AGENT_EVENT_REROUTED, WEND_WHY_NONE);
}

bool wend__events_add_extra(wend_crowd *crowd, uint32_t index, int32_t event) {
    if (!wend__events_fit(crowd, 1)) return false;
    add_event(crowd, index, event, WEND_WHY_NONE);
    return true;
}

void wend__events_add_link(wend_crowd *crowd, uint32_t index, wend_cell from, wend_cell to, int32_t ahead) {
    const wend__path_arena *keep = &crowd->paths;
    if (!wend__events_fit(crowd, 1)) return;
    add_event(crowd, index, WEND_AGENT_EVENT_LINK_AHEAD, ahead);
    crowd->events.of[crowd->events.count - 1].cell =
        (wend_cell){(int32_t)wend__path_number(keep, from), (int32_t)wend__path_number(keep, to), 0};
}

/* ---- at the end of an update ---- */

/* Writes an event for the host. */
static wend_agent_event event_of(const wend_crowd *crowd, const wend__queued_event *item) {
    wend_agent_event event = {.struct_bytes = sizeof event,
                              .event = item->event,
                              .why = item->why,
                              .cell = item->cell,
                              .update = item->update};
    if (item->event == WEND_AGENT_EVENT_CLEAR) {
        event.box = (wend_box){item->cell, item->corner};
        return event;
    }
    event.agent = item->agent;
    event.context = item->context;
    if (item->event == WEND_AGENT_EVENT_LINK_AHEAD) {
        event.cell = wend__path_cell(&crowd->paths, (uint32_t)item->cell.x);
        event.to = wend__path_cell(&crowd->paths, (uint32_t)item->cell.y);
        event.ahead = item->why;
        event.why = WEND_WHY_NONE;
    }
    return event;
}

#define IS_EARLIER(a, b) ((a).key < (b).key)
WEND__HEAP_SORT(sort_events, wend__queued_event, IS_EARLIER)

/* Callbacks may cause events. Those belong to the next update and lie behind `end`. */
static void run_callbacks(wend_crowd *crowd, uint32_t end) {
    wend__event_queue *queue = &crowd->events;
    uint32_t count = end - queue->first;
    while (count-- > 0) {
        wend_agent_event event = event_of(crowd, &queue->of[queue->first++]); /* a copy, as the array may move */
        crowd->def.on_event(crowd->def.context, &event);
    }
}

void wend__events_deliver(wend_crowd *crowd) {
    wend__event_queue *queue = &crowd->events;
    sort_events(queue->of + queue->fresh, queue->count - queue->fresh);
    for (uint32_t i = queue->fresh; i < queue->count; i++) {
        wend__queued_event *item = &queue->of[i];
        item->update = crowd->counts.updates;
        crowd->counts.event_counts[item->event]++;
        if (item->event != WEND_AGENT_EVENT_CLEAR && crowd->agents[item->agent.index].rerouted)
            wend__agent_touch(crowd, item->agent.index)->rerouted = false;
    }
    queue->fresh = queue->count;
    queue->order = 0;
    if (crowd->def.on_event) run_callbacks(crowd, queue->count);
    if (queue->first < queue->count) return;
    queue->first = queue->count = queue->fresh = 0;
}

wend_error wend_crowd_poll(wend_crowd *crowd, wend_agent_event *out) {
    WEND__CROWD_CALL(crowd);
    wend__event_queue *queue = &crowd->events;
    if (wend__crowd_in_callback(crowd)) return wend__crowd_refuse_callback();
    if (!WEND__FITS(wend_agent_event, update, out)) return WEND_BAD_ARGUMENT;
    if (queue->first == queue->fresh) return wend__refuse(WEND_EMPTY, "no event waits for a poll");
    const wend_agent_event event = event_of(crowd, &queue->of[queue->first++]);
    (void)WEND__GIVE(wend_agent_event, update, out, &event);
    return WEND_OK;
}
