/* SPDX-License-Identifier: MIT */
/* The whole catalogue as JSON objects: written orders are read again, and each range ends at its documented limit. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "live/message/read_order.h"
#include "random_orders.h"

static order_text text;
static live_lists lists_read;

static int32_t kind_of_axes(int32_t axes) {
    return axes == 1 ? WEND_KIND_GRAPH : axes == 2 ? WEND_KIND_GRID : WEND_KIND_VOXEL;
}

/* Reads a written order. The reader's object is to be released. */
static void read_back(live_reader *reader, int32_t kind, int32_t axes, wend_order *out) {
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
        for (int32_t kind = 0; kind < WEND_ORDER_KINDS; kind++)
            for (int turn = 0; turn < 200; turn++) {
                random_lists lists = {0};
                live_reader reader;
                wend_order order, again;
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

static int32_t error_with(wend_order order, const wend__order_field *field, int64_t value) {
    live_reader reader;
    wend_order again;
    wend__value_set(field, &order, value);
    order.given |= UINT64_C(1) << (field - wend__order_rows[order.kind].fields);
    text.used = 0;
    wend__order_write_json(&order, 2, put_order_text, &text);
    read_back(&reader, order.kind, 2, &again);
    json_decref(reader.object);
    return reader.error;
}

/* A list with as many cells as it may have, and one more. */
static void check_count(uint64_t *seed, int32_t kind, const wend__order_field *field) {
    for (size_t more = 0; more <= 1; more++) {
        random_lists lists = {0};
        live_reader reader;
        wend_order order, again;
        random_order(seed, kind, 2, WEND__TEXT_ONLY, INT64_MAX, &lists, &order);
        give_cells(&order, field, (size_t)field->most + more);
        text.used = 0;
        wend__order_write_json(&order, 2, put_order_text, &text);
        read_back(&reader, kind, 2, &again);
        cr_expect_eq(reader.error == WEND_LIVE_OK, more == 0, "%.*s", (int)text.used, text.bytes);
        json_decref(reader.object);
    }
}

Test(orders_json, each_range_ends_where_the_table_says) {
    uint64_t seed = 4;
    for (int32_t kind = 0; kind < WEND_ORDER_KINDS; kind++) {
        const wend__row *row = &wend__order_rows[kind];
        for (uint32_t i = 0; i < row->field_count; i++) {
            const wend__order_field *field = &row->fields[i];
            random_lists lists = {0};
            wend_order order;
            int64_t least;
            uint64_t most;
            if (has_most_cells(field)) check_count(&seed, kind, field);
            if (field->kind != WEND__NUMBER && field->kind != WEND__MILLI) continue;
            random_order(&seed, kind, 2, WEND__TEXT_ONLY, INT64_MAX, &lists, &order);
            wend__value_range(field, &order, &least, &most);
            cr_expect_eq(error_with(order, field, least), WEND_LIVE_OK, "%.*s", (int)text.used, text.bytes);
            if (least != 0 && least > INT32_MIN && !wend__value_word(field, least - 1))
                cr_expect_eq(error_with(order, field, least - 1), WEND_LIVE_BAD_ARGUMENT, "%.*s", (int)text.used,
                             text.bytes);
            if (most > INT64_MAX) continue;
            cr_expect_eq(error_with(order, field, (int64_t)most), WEND_LIVE_OK, "%.*s", (int)text.used, text.bytes);
            if (field->size > sizeof(bool) && most < (field->size == 4 ? (uint64_t)INT32_MAX : (uint64_t)INT64_MAX))
                cr_expect_eq(error_with(order, field, (int64_t)most + 1), WEND_LIVE_BAD_ARGUMENT, "%.*s",
                             (int)text.used, text.bytes);
        }
    }
    live_lists_free(&lists_read);
}

/* ---- docs/protocol.md ---- */

/* Returns whether a word is there in backticks, or as a key in them. */
static bool names(const char *part, const char *word) {
    char plain[64], key[64];
    snprintf(plain, sizeof plain, "`%s`", word);
    snprintf(key, sizeof key, "\"%s\"", word);
    return strstr(part, plain) != NULL || strstr(part, key) != NULL;
}

/* Returns whether this part names each field of the row. The id is that of every message. */
static bool names_fields(const char *part, const wend__row *row) {
    for (uint32_t i = 0; i < row->field_count; i++) {
        const wend__order_field *field = &row->fields[i];
        const bool hidden = field->only == WEND__TEXT_ONLY || field->kind == WEND__CHANGES;
        if (!hidden && strcmp(field->name, "id") != 0 && !names(part, field->name)) return false;
    }
    return true;
}

/* A row of a table, or a paragraph, names the order and its fields. */
static bool is_described(const char *document, const wend__row *row) {
    char *copy = strdup(document);
    bool found = false;
    for (char *at = copy; at != NULL && !found;) {
        char *end = strstr(at, *at == '|' ? "\n" : "\n\n"), *table = *at == '|' ? NULL : strstr(at, "\n|");
        if (table != NULL && (end == NULL || table < end)) end = table;
        if (end != NULL) *end = '\0';
        found = names(at, row->name) && names_fields(at, row);
        at = end != NULL ? end + 1 : NULL;
    }
    free(copy);
    return found;
}

Test(orders_json, the_protocol_describes_each_message) {
    static char document[1 << 17];
    FILE *in = fopen(TEST_DATA "/../docs/protocol.md", "r");
    cr_assert(in != NULL);
    document[fread(document, 1, sizeof document - 1, in)] = '\0';
    fclose(in);
    for (int32_t kind = 0; kind < WEND_ORDER_KINDS; kind++) {
        const wend__row *row = &wend__order_rows[kind];
        if (!(row->where & WEND__WIRE)) continue;
        cr_expect(is_described(document, row), "no part of docs/protocol.md names \"%s\" and all of its fields",
                  row->name);
    }
    for (int32_t kind = WEND_ORDER_NODE; kind <= WEND_ORDER_UNLINK; kind++)
        cr_expect(names(document, wend__change_key(kind)), "%s", wend__change_key(kind));
}
