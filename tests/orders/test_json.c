/* SPDX-License-Identifier: MIT */
/* The whole catalogue as JSON objects: what is written is read again, and each range ends where it says. */
#include <criterion/criterion.h>
#include <string.h>

#include "live/message/read_order.h"
#include "random_orders.h"

static order_text text;
static live_lists lists_read;

static int32_t kind_of_axes(int32_t axes) {
    return axes == 1 ? WEND_KIND_GRAPH : axes == 2 ? WEND_KIND_GRID : WEND_KIND_VOXEL;
}

/* Reads what was written. The reader's object is to be released. */
static void read_back(live_reader *reader, int32_t kind, int32_t axes, wend__order *out) {
    json_error_t error;
    *reader = (live_reader){.kind = kind_of_axes(axes)};
    reader->object = json_loadb(text.bytes, text.used, JSON_REJECT_DUPLICATES, &error);
    cr_assert(json_is_object(reader->object), "%.*s: %s", (int)text.used, text.bytes, error.text);
    cr_assert_eq(strcmp(json_string_value(json_object_get(reader->object, "op")), wend__order_rows[kind].name), 0);
    live_read_order(reader, kind, &lists_read, out);
    live_read_end(reader);
}

Test(orders_json, each_order_is_read_as_it_was_written) {
    uint64_t seed = 3;
    for (int32_t axes = 1; axes <= 3; axes++)
        for (int32_t kind = 0; kind < WEND__ORDER_KINDS; kind++)
            for (int turn = 0; turn < 200; turn++) {
                random_lists lists = {0};
                live_reader reader;
                wend__order order, again;
                random_order(&seed, kind, axes, WEND__TEXT_ONLY, INT64_MAX, &lists, &order);
                text.used = 0;
                wend__order_write_json(&order, axes, put_order_text, &text);
                read_back(&reader, kind, axes, &again);
                const char *difference = order_difference(&order, &again, WEND__TEXT_ONLY);
                cr_assert(reader.error == WEND_LIVE_OK && !difference, "%.*s: %s%s", (int)text.used, text.bytes,
                          reader.why, difference ? difference : "");
                json_decref(reader.object);
            }
    live_lists_free(&lists_read);
}

static int32_t error_with(wend__order order, const wend__order_field *field, int64_t value) {
    live_reader reader;
    wend__order again;
    wend__value_set(field, &order, value);
    order.given |= UINT64_C(1) << (field - wend__order_rows[order.kind].fields);
    text.used = 0;
    wend__order_write_json(&order, 2, put_order_text, &text);
    read_back(&reader, order.kind, 2, &again);
    json_decref(reader.object);
    return reader.error;
}

Test(orders_json, each_range_ends_where_the_table_says) {
    uint64_t seed = 4;
    for (int32_t kind = 0; kind < WEND__ORDER_KINDS; kind++) {
        const wend__row *row = &wend__order_rows[kind];
        for (uint32_t i = 0; i < row->field_count; i++) {
            const wend__order_field *field = &row->fields[i];
            random_lists lists = {0};
            wend__order order;
            int64_t least;
            uint64_t most;
            if (field->kind != WEND__NUMBER) continue;
            random_order(&seed, kind, 2, WEND__TEXT_ONLY, INT64_MAX, &lists, &order);
            wend__value_range(field, &order, &least, &most);
            cr_expect_eq(error_with(order, field, least), WEND_LIVE_OK, "%.*s", (int)text.used, text.bytes);
            if (least > 0 || (least < 0 && least > INT32_MIN && !wend__value_word(field, least - 1)))
                cr_expect_eq(error_with(order, field, least - 1), WEND_LIVE_BAD_ARGUMENT, "%.*s", (int)text.used,
                             text.bytes);
            if (most > INT64_MAX) continue;
            cr_expect_eq(error_with(order, field, (int64_t)most), WEND_LIVE_OK, "%.*s", (int)text.used, text.bytes);
            if (most < (field->size == 4 ? (uint64_t)INT32_MAX : (uint64_t)INT64_MAX))
                cr_expect_eq(error_with(order, field, (int64_t)most + 1), WEND_LIVE_BAD_ARGUMENT, "%.*s",
                             (int)text.used, text.bytes);
        }
    }
    live_lists_free(&lists_read);
}
