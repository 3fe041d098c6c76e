/* SPDX-License-Identifier: MIT */
/* Boxes that orders clear. */
#include <string.h>

#include "world/rows.h"

static wend_box box_of(const wend_order *order) {
    const wend_cell *corners = order->cells.items;
    return world_box(&(wend_change_item){.kind = WEND_ORDER_FILL, .change = {.from = corners[0], .to = corners[1]}});
}

static size_t find_box(const world_boxes *boxes, const wend_box *box) {
    size_t i = 0;
    while (i < boxes->count && memcmp(&boxes->of[i], box, sizeof *box) != 0) i++;
    return i;
}

static void note_box(world_boxes *boxes, const wend_box *box, bool will) {
    const size_t found = find_box(boxes, box);
    if (will)
        boxes->orderers[boxes->count] = 0, boxes->of[boxes->count++] = *box;
    else if (found < boxes->count)
        boxes->of[found] = boxes->of[--boxes->count], boxes->orderers[found] = boxes->orderers[boxes->count];
}

static uint64_t cells_of(const wend_box *box) {
    return (uint64_t)(box->max.x - box->min.x + 1) * (uint64_t)(box->max.y - box->min.y + 1) *
           (uint64_t)(box->max.z - box->min.z + 1);
}

bool world_check_box(world_state *w, const world_client *who, const wend_order *order, world_error *error) {
    const wend_box box = box_of(order);
    const bool clears = order->kind == WEND_ORDER_CLEAR, there = find_box(&w->boxes, &box) < w->boxes.count;
    (void)who;
    if (clears == there)
        return world_refuse(error, WORLD_BAD_ARGUMENT, &order->cells,
                            there ? "the box is being cleared already" : "the box is not being cleared");
    if (clears && cells_of(&box) > WEND_MAX_CLEARED_CELLS)
        return world_refuse(error, WORLD_BAD_ARGUMENT, &order->cells, "a box has at most %d cells",
                            WEND_MAX_CLEARED_CELLS);
    if (clears && w->boxes.count == WEND_MAX_CLEARED_BOXES)
        return world_refuse(error, WORLD_BUSY, &order->cells, "%d boxes are being cleared, the most",
                            WEND_MAX_CLEARED_BOXES);
    if (clears && !w->recorded && !world_check_loaded(w, box, &order->cells, error)) return false;
    note_box(&w->boxes, &box, clears);
    return true;
}

void world_forget_box(world_state *w, const wend_order *order) {
    const wend_box box = box_of(order);
    note_box(&w->boxes, &box, order->kind == WEND_ORDER_RELEASE);
}

bool world_do_box(world_state *w, const world_client *who, const wend_order *order, world_error *error) {
    const wend_box box = box_of(order);
    const bool clears = order->kind == WEND_ORDER_CLEAR;
    const size_t place = find_box(&w->boxes, &box);
    wend_error refused = clears ? wend_crowd_clear_box(w->crowd, box) : wend_crowd_release_box(w->crowd, box);
    if (refused == WEND_BUSY && w->tells_events && !world_crowd_update(w, 0, NULL))
        refused = wend_crowd_clear_box(w->crowd, box);
    if (clears && refused) note_box(&w->boxes, &box, false);
    if (clears && !refused && place < w->boxes.count) w->boxes.orderers[place] = who->session;
    return world_refuse_error(error, refused, &order->cells);
}

uint64_t world_box_orderer(const world_state *w, wend_box box) {
    const size_t place = find_box(&w->boxes, &box);
    return place < w->boxes.count ? w->boxes.orderers[place] : 0;
}
