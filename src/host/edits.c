/* SPDX-License-Identifier: MIT */
/* Changes of the map: each edit is a batch and a version. */
#include <stdlib.h>

#include "host/rows.h"

bool host_check_cell(const host *h, const wend_cell *cell, host_error *error) {
    uint8_t terrain;
    return host_refuse_error(error, wend_map_get_terrain(h->map, *cell, &terrain), NULL);
}

static void sort(int32_t *a, int32_t *b) {
    const int32_t first = *a;
    if (first <= *b) return;
    *a = *b;
    *b = first;
}

wend_box host_box(const wend__change_item *item) {
    wend_box box = {item->change.from, item->kind == WEND__ORDER_SET ? item->change.from : item->change.to};
    sort(&box.min.x, &box.max.x);
    sort(&box.min.y, &box.max.y);
    sort(&box.min.z, &box.max.z);
    return box;
}

wend_error host_change(const wend_map *map, wend_edit *batch, const wend__change_item *item) {
    const wend__change_order *change = &item->change;
    const wend_box box = host_box(item);
    uint8_t terrain;
    wend_error error;
    switch (item->kind) {
    case WEND__ORDER_STEP: return wend_edit_set_step(batch, change->from, change->to, change->value);
    case WEND__ORDER_LINK: return wend_edit_add_link(batch, change->from, change->to, change->value);
    case WEND__ORDER_UNLINK: return wend_edit_remove_link(batch, change->from, change->to);
    default:
        error = wend_map_get_terrain(map, box.min, &terrain);
        return error ? error : wend_edit_fill_box(batch, box, (uint8_t)change->value);
    }
}

wend_error host_publish(const host *h, wend__changes changes) {
    wend_edit *batch;
    wend_error error = wend_edit_begin(h->map, &batch);
    if (error) return error;
    for (size_t i = 0; !error && i < changes.count; i++) error = host_change(h->map, batch, &changes.items[i]);
    if (!error) return wend_edit_publish(batch, NULL);
    wend_edit_discard(batch);
    return error;
}

bool host_do_edit(host *h, const host_client *who, const wend__order *order, host_error *error) {
    (void)who;
    return host_refuse_error(error, host_publish(h, order->changes), NULL);
}
