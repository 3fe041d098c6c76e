/* SPDX-License-Identifier: MIT */
/* Boxes that the host clears: agents in one leave it, no other agent enters, and an event reports when it is empty. */
#include "agents/manners/boxes.h"
#include "agents/orders/goal.h"
#include "agents/plan/path.h"
#include "agents/state/crowd_state.h"
#include "map/version/map.h"
#include "recording/crowd/crowd_orders.h"

static bool is_same_box(wend_box a, wend_box b) {
    return wend__same_cell(a.min, b.min) && wend__same_cell(a.max, b.max);
}

/* Returns the index of a box; the number of boxes: it is not among them. */
static uint32_t find_box(const wend__boxes *boxes, wend_box box) {
    uint32_t number = 0;
    while (number < boxes->count && !is_same_box(boxes->of[number], box)) number++;
    return number;
}

static wend_error check_box(const wend_crowd *crowd, wend_box box) {
    const wend_error error = wend__box_check(crowd->def.map, box);
    if (error) return error;
    const uint64_t cells = (uint64_t)(box.max.x - box.min.x + 1) * (uint64_t)(box.max.y - box.min.y + 1) *
                           (uint64_t)(box.max.z - box.min.z + 1);
    return wend__check_range("the box's cells", (int64_t)cells, 1, WEND_MAX_CLEARED_CELLS);
}

/* ---- orders ---- */

static wend_error clear_box(wend_crowd *crowd, wend_box box) {
    const wend__boxes *boxes = wend__traffic_boxes(crowd->traffic);
    if (find_box(boxes, box) < boxes->count) return wend__refuse(WEND_IN_USE, "the box is being cleared already");
    if (boxes->count == WEND_MAX_CLEARED_BOXES)
        return wend__refuse(WEND_BUSY, "%d boxes are being cleared, the most: release one", WEND_MAX_CLEARED_BOXES);
    if (!wend__events_fit(crowd, 1)) return wend__crowd_refuse_events();
    const wend_error error = wend__traffic_add_box(crowd->traffic, box);
    if (!error) wend__events_reserve(crowd);
    return error;
}

wend_error wend_crowd_clear_box(wend_crowd *crowd, wend_box box) {
    WEND__CROWD_CALL(crowd);
    wend_error error = check_box(crowd, box);
    if (error) return error;
    const bool recorded = wend__crowd_record_begin(crowd);
    error = clear_box(crowd, box);
    if (recorded && !error) wend__crowd_record_box(crowd, WEND_ORDER_CLEAR, box);
    wend__crowd_record_end(crowd, recorded);
    return error;
}

static void release_box(wend_crowd *crowd, uint32_t number) {
    if (!wend__traffic_boxes(crowd->traffic)->empty[number]) wend__events_release(crowd);
    wend__traffic_remove_box(crowd->traffic, number);
}

wend_error wend_crowd_release_box(wend_crowd *crowd, wend_box box) {
    WEND__CROWD_CALL(crowd);
    const wend__boxes *boxes = wend__traffic_boxes(crowd->traffic);
    const uint32_t number = find_box(boxes, box);
    if (number == boxes->count) return wend__refuse(WEND_EMPTY, "the box is not being cleared");
    const bool recorded = wend__crowd_record_begin(crowd);
    release_box(crowd, number);
    if (recorded) wend__crowd_record_box(crowd, WEND_ORDER_RELEASE, box);
    wend__crowd_record_end(crowd, recorded);
    return WEND_OK;
}

void wend__boxes_release(wend_crowd *crowd) {
    for (uint32_t number = wend__traffic_boxes(crowd->traffic)->count; number-- > 0;) release_box(crowd, number);
}

/* ---- questions ---- */

/* Returns whether no agent is in a box, nor a part of a body. */
static bool is_clear(const wend_crowd *crowd, wend_box box) {
    return wend__traffic_is_clear(crowd->traffic, box, crowd->used) &&
           (!crowd->bodies || wend__bodies_are_clear(crowd, box.min, box.max));
}

wend_error wend_crowd_is_clear(const wend_crowd *crowd, wend_box box, bool *clear) {
    WEND__CROWD_CALL(crowd);
    const wend_error error = wend__box_check(crowd->def.map, box);
    if (!error && clear) *clear = is_clear(crowd, box);
    return error;
}

wend_error wend_crowd_get_boxes(const wend_crowd *crowd, wend_box *boxes, size_t capacity, size_t *count) {
    WEND__CROWD_CALL(crowd);
    const wend__boxes *own = wend__traffic_boxes(crowd->traffic);
    const wend_error error = wend__check_room("boxes", boxes, capacity);
    if (error) return error;
    for (uint32_t i = 0; i < own->count && i < capacity; i++) boxes[i] = own->of[i];
    if (count) *count = own->count;
    return WEND_OK;
}

/* ---- in an update ---- */

/* Returns whether an agent is asked to leave boxes: the host moves steered agents, and ghosts hold no cell. */
static bool leaves_boxes(const wend__traffic_agent *in_traffic) {
    return in_traffic->present && !in_traffic->ghost && !in_traffic->steered;
}

void wend__boxes_begin_update(wend_crowd *crowd) {
    if (wend__traffic_boxes(crowd->traffic)->clearing == 0) return;
    for (uint32_t i = 0; i < crowd->used; i++) {
        const wend__traffic_agent *in_traffic = &crowd->in_traffic[i];
        if (crowd->phase[i] != WEND__PHASE_ASLEEP || !leaves_boxes(in_traffic)) continue;
        if (wend__traffic_box_of(crowd->traffic, i, in_traffic->at) != WEND__NO_BOX)
            crowd->phase[i] = WEND__PHASE_AWAKE;
    }
}

/* Returns whether an agent walks out of the boxes by itself. */
static bool walks_out(wend_crowd *crowd, uint32_t index) {
    enum { AHEAD = 12, PATIENCE = 16 };
    const wend__traffic_agent *in_traffic = &crowd->in_traffic[index];
    wend_cell ahead[AHEAD];
    if (wend__same_cell(in_traffic->next, in_traffic->at) || in_traffic->waited >= PATIENCE) return false;
    const uint32_t count = wend__path_next_cells(crowd, index, ahead, AHEAD);
    for (uint32_t k = 0; k < count; k++)
        if (wend__traffic_box_of(crowd->traffic, index, ahead[k]) == WEND__NO_BOX) return true;
    return false;
}

/* Returns whether the middle of a body without a goal is out of the box, but the body has not come to rest there. */
static bool is_at_edge(const wend_crowd *crowd, uint32_t index) {
    return crowd->in_traffic[index].body && crowd->agents[index].goal.kind == WEND__GOAL_NONE &&
           !wend__body_rests(crowd, index);
}

void wend__agent_leave_box(wend_crowd *crowd, const wend__version *version, uint32_t index) {
    const wend__agent *agent = &crowd->agents[index];
    wend__traffic_agent *in_traffic = &crowd->in_traffic[index];
    const bool in_box =
        leaves_boxes(in_traffic) && wend__traffic_box_of(crowd->traffic, index, in_traffic->at) != WEND__NO_BOX;
    if (!in_box && !agent->leaves_box) return;
    if (!in_box && is_at_edge(crowd, index)) {
        in_traffic->next = in_traffic->at;
        crowd->phase[index] = WEND__PHASE_AWAKE;
        return;
    }
    if (!in_box) {
        wend__agent_touch(crowd, index)->leaves_box = false;
        in_traffic->urgency = agent->goal.kind == WEND__GOAL_NONE ? WEND_URGENCY_MIN : agent->urgency;
        return;
    }
    wend_cell step;
    if (walks_out(crowd, index) || !wend__crowd_work_begin(crowd, index, WEND__WORK_CHECK)) return;
    if (!wend__traffic_way_out(crowd->traffic, version, index, &crowd->work, &step)) return;
    wend__agent_touch(crowd, index)->leaves_box = true;
    in_traffic->urgency = WEND_URGENCY_MAX; /* agents that want to enter make room */
    in_traffic->next = step;
    in_traffic->ready = crowd->remaining[index] < 0;
    crowd->phase[index] = WEND__PHASE_AWAKE;
}

void wend__boxes_end_update(wend_crowd *crowd) {
    wend__boxes *boxes = wend__traffic_boxes(crowd->traffic);
    for (uint32_t k = 0; boxes->clearing > 0 && k < boxes->count; k++) {
        if (boxes->empty[k] || !is_clear(crowd, boxes->of[k])) continue;
        boxes->empty[k] = true;
        boxes->clearing--;
        wend__events_add_box(crowd, boxes->of[k]);
    }
}
