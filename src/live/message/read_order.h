/* SPDX-License-Identifier: MIT */
/* Orders from JSON, by the catalogue. */
#ifndef WEND_SRC_LIVE_MESSAGE_READ_ORDER_H
#define WEND_SRC_LIVE_MESSAGE_READ_ORDER_H

#include "live/message/reader.h"
#include "orders/orders.h"

/// Memory of the lists of an order, used again for the next one. Zero at first.
typedef struct live_lists {
    wend__name *names;
    wend_cell *cells;
    wend__change_item *changes;
    size_t name_capacity, cell_count, cell_capacity, change_count, change_capacity;
} live_lists;

/// Read the fields of an order from the reader's object. Text belongs to the object, lists to `lists`: both outlive
/// the order. `reader->error` says whether it is good.
/// @param kind   WEND__ORDER_…
void live_read_order(live_reader *reader, int32_t kind, live_lists *lists, wend__order *out);
void live_lists_free(live_lists *lists);

#endif
