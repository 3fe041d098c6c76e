/* SPDX-License-Identifier: MIT */
/* Orders with random fields, by the table; two orders compared field by field; texts in memory. */
#ifndef WEND_TESTS_ORDERS_RANDOM_ORDERS_H
#define WEND_TESTS_ORDERS_RANDOM_ORDERS_H

#include "orders/orders.h"

/// Memory of an order's lists and names.
typedef struct random_lists {
    char text[64][24];
    wend_name names[64];
    wend_cell cells[64];
    wend_change_item changes[32];
    size_t text_count, name_count, cell_count;
} random_lists;

/// Fill an order. Fields that only the other side has stay as they are.
/// @param hidden   WEND__JSON_ONLY or WEND__TEXT_ONLY
/// @param most     the largest number of 64 bits
void random_order(uint64_t *seed, int32_t kind, int32_t axes, int32_t hidden, uint64_t most, random_lists *lists,
                  wend_order *out);
/// The first field that differs; NULL: none.
const char *order_difference(const wend_order *one, const wend_order *two, int32_t hidden);

/// A text, as wend__put_fn gets it.
typedef struct order_text {
    char bytes[1 << 16];
    size_t used;
} order_text;
void put_order_text(void *context, const char *bytes, size_t size);

/// Returns whether a list has a largest count that a test can reach.
bool has_most_cells(const wend__order_field *field);
/// Give an order a list of `count` cells, at most 256. All lists share the cells.
void give_cells(wend_order *order, const wend__order_field *field, size_t count);

#endif
