/* SPDX-License-Identifier: MIT */
/* Reads an order from a JSON object: a loop over the fields of its row in the catalogue. */
#define _GNU_SOURCE

#include "live/message/read_order.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- memory ---- */

static bool make_room(live_reader *reader, void **items, size_t *capacity, size_t count, size_t size) {
    if (count <= *capacity) return true;
    void *more = realloc(*items, count * 2 * size);
    if (!more) {
        live_reader_fail(reader, WEND_LIVE_BUSY, "no memory for so long a message");
        return false;
    }
    *items = more;
    *capacity = count * 2;
    return true;
}

/* Room for all cells of the message at once: an order may have two lists of them. */
static bool reserve_cells(live_reader *reader, const wend__row *row, live_lists *lists) {
    size_t count = 0;
    for (uint32_t i = 0; i < row->field_count; i++)
        if (row->fields[i].kind == WEND__CELLS)
            count += json_array_size(json_object_get(reader->object, row->fields[i].name));
    void *cells = lists->cells;
    const bool room = make_room(reader, &cells, &lists->cell_capacity, count, sizeof *lists->cells);
    lists->cells = cells;
    return room;
}

void live_lists_free(live_lists *lists) {
    free(lists->names);
    free(lists->cells);
    free(lists->changes);
    *lists = (live_lists){0};
}

/* ---- numbers and words ---- */

static void fail_words(live_reader *reader, const wend__order_field *field, bool number, int64_t least, uint64_t most) {
    char list[128] = "";
    size_t used = 0;
    for (const wend__choice *word = field->words; word->text && used < sizeof list; word++)
        used += (size_t)snprintf(list + used, sizeof list - used, "%s\"%s\"", used > 0 ? ", " : "", word->text);
    if (number)
        live_reader_fail(reader, WEND_LIVE_BAD_ARGUMENT, "\"%s\" is one of %s and %lld to %llu", field->name, list,
                         (long long)least, (unsigned long long)most);
    else
        live_reader_fail(reader, WEND_LIVE_BAD_ARGUMENT, "\"%s\" is one of %s", field->name, list);
}

/* A number, a word, or either, as the field has it. Numbers have at most 63 bits. */
static void read_number(live_reader *reader, const wend__order_field *field, const json_t *value, wend__order *out) {
    const char *text = json_string_value(value);
    int64_t least;
    uint64_t most;
    wend__value_range(field, out, &least, &most);
    if (most > INT64_MAX) most = INT64_MAX;
    for (const wend__choice *word = field->words; text && word && word->text; word++)
        if (strcmp(text, word->text) == 0) {
            wend__value_set(field, out, word->value);
            return;
        }
    const bool number = field->kind == WEND__NUMBER;
    const json_int_t integer = json_integer_value(value);
    if (number && json_is_integer(value) && integer >= least && (integer < 0 || (uint64_t)integer <= most))
        wend__value_set(field, out, integer);
    else if (field->words)
        fail_words(reader, field, number, least, most);
    else
        live_reader_fail(reader, WEND_LIVE_BAD_ARGUMENT, "\"%s\" is a whole number from %lld to %llu", field->name,
                         (long long)least, (unsigned long long)most);
}

static void read_milli(live_reader *reader, const wend__order_field *field, const json_t *value, wend__order *out) {
    const double number = json_number_value(value), most = (double)field->most / 1000;
    if (json_is_number(value) && number >= (double)field->least / 1000 && number <= most)
        wend__value_set(field, out, lround(number * 1000));
    else
        live_reader_fail(reader, WEND_LIVE_BAD_ARGUMENT, "\"%s\" is a number from %g to %g", field->name,
                         (double)field->least / 1000, most);
}

static void read_switch(live_reader *reader, const wend__order_field *field, const json_t *value, wend__order *out) {
    if (json_is_boolean(value))
        wend__value_set(field, out, json_is_true(value));
    else
        live_reader_fail(reader, WEND_LIVE_BAD_ARGUMENT, "\"%s\" is true or false", field->name);
}

/* ---- names, cells, factors ---- */

static void read_name(live_reader *reader, const wend__order_field *field, const json_t *value, wend__name *out) {
    const bool id = field->kind == WEND__ID; /* messages have checked theirs */
    if (id && json_is_integer(value))
        *out = (wend__name){.number = json_integer_value(value)};
    else if ((id && json_is_string(value)) || live_check_name(reader, field->name, value))
        *out = (wend__name){.text = json_string_value(value), .length = (uint32_t)json_string_length(value)};
}

static void read_names(live_reader *reader, const wend__order_field *field, const json_t *value, live_lists *lists,
                       wend__names *out) {
    const size_t count = json_array_size(value);
    void *names = lists->names;
    if (!json_is_array(value) || count == 0)
        live_reader_fail(reader, WEND_LIVE_BAD_ARGUMENT, "\"%s\" is an array of names", field->name);
    const bool room = make_room(reader, &names, &lists->name_capacity, count, sizeof *lists->names);
    lists->names = names;
    for (size_t i = 0; room && i < count && reader->error == WEND_LIVE_OK; i++)
        read_name(reader, field, json_array_get(value, i), &lists->names[i]);
    *out = (wend__names){.items = lists->names, .count = count};
}

static void read_cells(live_reader *reader, const wend__order_field *field, const json_t *value, live_lists *lists,
                       wend__cells *out) {
    const size_t count = json_array_size(value);
    wend_cell *cells = lists->cells + lists->cell_count;
    if (!json_is_array(value) || (!field->loose && count < (uint64_t)field->least) || count > field->most) {
        const char *cells_of = field->most == 2 ? "two cells" : "an array of cells";
        live_reader_fail(reader, WEND_LIVE_BAD_ARGUMENT, field->loose ? "\"%s\" is %s, at most %u" : "\"%s\" is %s",
                         field->name, cells_of, (unsigned)field->most);
        return;
    }
    for (size_t i = 0; i < count; i++)
        if (!live_take_cell(reader, field->name, json_array_get(value, i), &cells[i])) return;
    lists->cell_count += count;
    *out = (wend__cells){cells, count};
}

static void read_factors(live_reader *reader, const wend__order_field *field, json_t *object, wend__factors *out) {
    const char *key;
    json_t *value;
    if (!json_is_object(object))
        live_reader_fail(reader, WEND_LIVE_BAD_ARGUMENT, "\"%s\" is an object: class and factor", field->name);
    json_object_foreach(object, key, value) {
        char *end;
        const unsigned long class = strtoul(key, &end, 10);
        const json_int_t factor = json_integer_value(value);
        if (key[0] < '0' || key[0] > '9' || *end != '\0' || class > 255 || !json_is_integer(value) || factor < 0 ||
            factor > 255 || (class == 0 && factor != 0)) {
            live_reader_fail(reader, WEND_LIVE_BAD_ARGUMENT,
                             "\"%s\": a class is 0 to 255, a factor 1 to 255, 0: blocked", field->name);
            return;
        }
        out->said[class / 64] |= UINT64_C(1) << class % 64;
        out->factors[class] = (uint8_t)factor;
    }
}

/* ---- fields ---- */

static void read_value(live_reader *reader, const wend__order_field *field, json_t *value, live_lists *lists,
                       wend__order *out) {
    void *at = (char *)out + field->offset;
    switch (field->kind) {
    case WEND__NUMBER:
    case WEND__CHOICE: read_number(reader, field, value, out); break;
    case WEND__MILLI: read_milli(reader, field, value, out); break;
    case WEND__FLAG:
    case WEND__SWITCH: read_switch(reader, field, value, out); break;
    case WEND__CELL: live_take_cell(reader, field->name, value, at); break;
    case WEND__CELLS: read_cells(reader, field, value, lists, at); break;
    case WEND__NAME:
    case WEND__ID: read_name(reader, field, value, at); break;
    case WEND__NAMES: read_names(reader, field, value, lists, at); break;
    case WEND__FACTORS: read_factors(reader, field, value, at); break;
    default: break;
    }
}

/* A word that is not said is the first of its list. */
static bool is_needed(const wend__order_field *field) {
    if (field->kind == WEND__CHOICE) return false;
    return field->form == WEND__PLACED || field->form == WEND__KEYED;
}

/* The changes of a kind: arrays of their placed fields. */
static void read_changes(live_reader *reader, int32_t kind, live_lists *lists) {
    const wend__row *row = &wend__order_rows[kind];
    const json_t *array = live_read_value(reader, wend__change_key(kind));
    const size_t count = json_array_size(array);
    void *changes = lists->changes;
    if (!array) return;
    if (!json_is_array(array))
        live_reader_fail(reader, WEND_LIVE_BAD_ARGUMENT, "\"%s\" is an array", wend__change_key(kind));
    const bool room =
        make_room(reader, &changes, &lists->change_capacity, lists->change_count + count, sizeof *lists->changes);
    lists->changes = changes;
    for (size_t i = 0; room && i < count && reader->error == WEND_LIVE_OK; i++) {
        const json_t *change = json_array_get(array, i);
        wend__order order = {.kind = kind};
        if (!json_is_array(change) || json_array_size(change) != row->field_count)
            live_reader_fail(reader, WEND_LIVE_BAD_ARGUMENT, "\"%s\" is an array of arrays of %u",
                             wend__change_key(kind), (unsigned)row->field_count);
        for (uint32_t k = 0; k < row->field_count && reader->error == WEND_LIVE_OK; k++)
            read_value(reader, &row->fields[k], json_array_get(change, k), lists, &order);
        if (kind == WEND__ORDER_SET) order.change.to = order.change.from;
        lists->changes[lists->change_count++] = (wend__change_item){kind, order.change};
    }
}

void live_read_order(live_reader *reader, int32_t kind, live_lists *lists, wend__order *out) {
    const wend__row *row = &wend__order_rows[kind];
    wend__order_init(out, kind);
    lists->cell_count = lists->change_count = 0;
    if (!reserve_cells(reader, row, lists)) return;
    for (int32_t i = WEND__ORDER_SET; kind == WEND__ORDER_EDIT && i <= WEND__ORDER_UNLOAD; i++)
        read_changes(reader, i, lists);
    if (kind == WEND__ORDER_EDIT) out->changes = (wend__changes){lists->changes, lists->change_count};
    for (uint32_t i = 0; i < row->field_count && reader->error == WEND_LIVE_OK; i++) {
        const wend__order_field *field = &row->fields[i];
        if (field->only == WEND__TEXT_ONLY || field->kind == WEND__CHANGES) continue;
        json_t *value = is_needed(field) ? live_read_needed(reader, field->name) : live_read_value(reader, field->name);
        if (!value) continue;
        if (field->kind != WEND__FLAG || !json_is_false(value)) out->given |= UINT64_C(1) << i;
        read_value(reader, field, value, lists, out);
    }
}
