/* SPDX-License-Identifier: MIT */
/* Boxes that orders clear. */
#include <string.h>

#include "world/rows.h"

static wend_box box_of(const wend__order *order) {
    const wend_cell *corners = order->cells.items;
    return host_box(&(wend__change_item){.kind = WEND__ORDER_FILL, .change = {.from = corners[0], .to = corners[1]}});
}

static size_t find_box(const host_boxes *boxes, const wend_box *box) {
    size_t i = 0;
    while (i < boxes->count && memcmp(&boxes->of[i], box, sizeof *box) != 0) i++;
    return i;
}

static void note(host_boxes *boxes, const wend_box *box, bool will) {
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

bool host_check_box(host *h, const host_client *who, const wend__order *order, host_error *error) {
    const wend_box box = box_of(order);
    const bool clears = order->kind == WEND__ORDER_CLEAR, there = find_box(&h->boxes, &box) < h->boxes.count;
    (void)who;
    if (clears == there)
        return host_refuse(error, HOST_BAD_ARGUMENT, &order->cells,
                           there ? "the box is being cleared already" : "the box is not being cleared");
    if (clears && cells_of(&box) > WEND_MAX_CLEARED_CELLS)
        return host_refuse(error, HOST_BAD_ARGUMENT, &order->cells, "a box has at most %d cells",
                           WEND_MAX_CLEARED_CELLS);
    if (clears && h->boxes.count == WEND_MAX_CLEARED_BOXES)
        return host_refuse(error, HOST_BUSY, &order->cells, "%d boxes are being cleared, the most",
                           WEND_MAX_CLEARED_BOXES);
    if (clears && !h->recorded && !host_check_loaded(h, box, &order->cells, error)) return false;
    note(&h->boxes, &box, clears);
    return true;
}

void host_forget_box(host *h, const wend__order *order) {
    const wend_box box = box_of(order);
    note(&h->boxes, &box, order->kind == WEND__ORDER_RELEASE);
}

bool host_do_box(host *h, const host_client *who, const wend__order *order, host_error *error) {
    const wend_box box = box_of(order);
    const bool clears = order->kind == WEND__ORDER_CLEAR;
    const size_t place = find_box(&h->boxes, &box);
    wend_error refused = clears ? wend_crowd_clear_box(h->crowd, box) : wend_crowd_release_box(h->crowd, box);
    if (refused == WEND_BUSY && h->tells_events && !wend_crowd_update(h->crowd, 0))
        refused = wend_crowd_clear_box(h->crowd, box);
    if (clears && refused) note(&h->boxes, &box, false);
    if (clears && !refused && place < h->boxes.count) h->boxes.orderers[place] = who->session;
    return host_refuse_error(error, refused, &order->cells);
}

uint64_t host_box_orderer(const host *h, wend_box box) {
    const size_t place = find_box(&h->boxes, &box);
    return place < h->boxes.count ? h->boxes.orderers[place] : 0;
}
