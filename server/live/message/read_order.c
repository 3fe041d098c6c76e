/* SPDX-License-Identifier: MIT */
/* Reads an order from a JSON object: a loop over the fields of its row in the catalogue. */
#define _GNU_SOURCE

#include "live/message/read_order.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <ctype.h>
#include <string.h>

enum { LINK_FIELDS = 3 }; /* of a link that is for all movers */

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

static size_t count_items(const live_reader *reader, const wend__row *row, wend__order_field_kind kind) {
    size_t count = 0;
    for (uint32_t i = 0; i < row->field_count; i++)
        if (row->fields[i].kind == kind) count += json_array_size(json_object_get(reader->object, row->fields[i].name));
    return count;
}

/* The names in an edit's links: a link's fourth item is an array of them. */
static size_t count_link_names(const live_reader *reader) {
    const json_t *links = json_object_get(reader->object, wend__change_key(WEND_ORDER_LINK));
    size_t count = 0;
    for (size_t i = 0; i < json_array_size(links); i++)
        count += json_array_size(json_array_get(json_array_get(links, i), LINK_FIELDS));
    return count;
}

/* Makes room for all cells and names of the message at once: an order may have two lists of them. */
static bool reserve_lists(live_reader *reader, const wend__row *row, live_lists *lists) {
    void *cells = lists->cells, *names = lists->names;
    const size_t cell_count = count_items(reader, row, WEND__CELLS),
                 name_count = count_items(reader, row, WEND__NAMES) + count_link_names(reader);
    const bool room = make_room(reader, &cells, &lists->cell_capacity, cell_count, sizeof *lists->cells) &&
                      make_room(reader, &names, &lists->name_capacity, name_count, sizeof *lists->names);
    lists->cells = cells;
    lists->names = names;
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

/* Reads a number, a word, or either, by the kind of the field. Numbers have at most 63 bits. */
static void read_number(live_reader *reader, const wend__order_field *field, const json_t *value, wend_order *out) {
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

static void read_milli(live_reader *reader, const wend__order_field *field, const json_t *value, wend_order *out) {
    const double number = json_number_value(value), most = (double)field->most / 1000;
    if (json_is_number(value) && number >= (double)field->least / 1000 && number <= most)
        wend__value_set(field, out, lround(number * 1000));
    else
        live_reader_fail(reader, WEND_LIVE_BAD_ARGUMENT, "\"%s\" is a number from %g to %g", field->name,
                         (double)field->least / 1000, most);
}

static void read_switch(live_reader *reader, const wend__order_field *field, const json_t *value, wend_order *out) {
    if (json_is_boolean(value))
        wend__value_set(field, out, json_is_true(value));
    else
        live_reader_fail(reader, WEND_LIVE_BAD_ARGUMENT, "\"%s\" is true or false", field->name);
}

/* ---- names, cells, factors ---- */

static void read_name(live_reader *reader, const wend__order_field *field, const json_t *value, wend_name *out) {
    const bool id = field->kind == WEND__ID; /* messages have checked their ids */
    if (id && json_is_integer(value))
        *out = (wend_name){.number = json_integer_value(value)};
    else if ((id && json_is_string(value)) || live_check_name(reader, field->name, value))
        *out = (wend_name){.text = json_string_value(value), .length = (uint32_t)json_string_length(value)};
}

static void read_names(live_reader *reader, const wend__order_field *field, const json_t *value, live_lists *lists,
                       wend_names *out) {
    const size_t count = json_array_size(value);
    wend_name *names = lists->names ? lists->names + lists->name_count : NULL; /* NULL: no memory so far */
    if (!json_is_array(value) || count == 0)
        live_reader_fail(reader, WEND_LIVE_BAD_ARGUMENT, "\"%s\" is an array of names", field->name);
    if (field->most > 0 && count > field->most)
        live_reader_fail(reader, WEND_LIVE_BAD_ARGUMENT, "\"%s\" has at most %u names", field->name,
                         (unsigned)field->most);
    for (size_t i = 0; i < count && reader->error == WEND_LIVE_OK; i++)
        read_name(reader, field, json_array_get(value, i), &names[i]);
    lists->name_count += count;
    *out = (wend_names){.items = names, .count = count};
}

static void read_cells(live_reader *reader, const wend__order_field *field, const json_t *value, live_lists *lists,
                       wend_cells *out) {
    const size_t count = json_array_size(value);
    wend_cell *cells = lists->cells ? lists->cells + lists->cell_count : NULL; /* NULL: no memory so far */
    if (!json_is_array(value) || (!field->loose && count < (uint64_t)field->least) || count > field->most) {
        const char *cells_of = field->most == 2 ? "two cells" : "an array of cells";
        live_reader_fail(reader, WEND_LIVE_BAD_ARGUMENT, field->loose ? "\"%s\" is %s, at most %u" : "\"%s\" is %s",
                         field->name, cells_of, (unsigned)field->most);
        return;
    }
    for (size_t i = 0; i < count; i++)
        if (!live_take_cell(reader, field->name, json_array_get(value, i), &cells[i])) return;
    lists->cell_count += count;
    *out = (wend_cells){cells, count};
}

/* Reads a factor: a number, 0 for blocked, "avoided", "shunned" or "shunned:FACTOR". Returns false for another value. */
static bool read_factor(const json_t *value, unsigned long class, wend_factors *out) {
    const char *word = json_is_string(value) ? json_string_value(value) : "";
    const bool avoided = strcmp(word, "avoided") == 0, shunned = strncmp(word, "shunned", 7) == 0;
    json_int_t factor = json_integer_value(value);
    char *end = NULL;
    if (shunned && word[7] != '\0') {
        factor = word[7] == ':' && isdigit((unsigned char)word[8]) ? strtol(word + 8, &end, 10) : -1;
        if (factor == 0 || (end && *end != '\0')) return false;
    } else if (!shunned && !avoided && !json_is_integer(value)) {
        return false;
    }
    if (factor < 0 || factor > 255 || (class == 0 && (factor != 0 || shunned))) return false;
    out->given[class / 64] |= UINT64_C(1) << class % 64;
    out->avoided.bits[class / 64] |= (uint64_t)avoided << class % 64;
    out->shunned.bits[class / 64] |= (uint64_t)shunned << class % 64;
    out->factors[class] = (uint8_t)factor;
    return true;
}

static void read_factors(live_reader *reader, const wend__order_field *field, json_t *object, wend_factors *out) {
    const char *key;
    json_t *value;
    if (!json_is_object(object))
        live_reader_fail(reader, WEND_LIVE_BAD_ARGUMENT, "\"%s\" is an object: class and factor", field->name);
    json_object_foreach(object, key, value) {
        char *end;
        const unsigned long class = strtoul(key, &end, 10);
        if (key[0] >= '0' && key[0] <= '9' && *end == '\0' && class <= 255 && read_factor(value, class, out)) continue;
        live_reader_fail(reader, WEND_LIVE_BAD_ARGUMENT,
                         "\"%s\": a class is 0 to 255, a factor 1 to 255, 0: blocked, \"avoided\", \"shunned\" or "
                         "\"shunned:FACTOR\"",
                         field->name);
        return;
    }
}

static bool is_class(const json_t *value) {
    return json_is_integer(value) && json_integer_value(value) >= 0 && json_integer_value(value) <= 255;
}

static void read_classes(live_reader *reader, const wend__order_field *field, const json_t *value, wend_classes *out) {
    const size_t count = json_array_size(value);
    bool good = count > 0;
    for (size_t i = 0; i < count && good; i++) {
        const json_t *item = json_array_get(value, i);
        good = is_class(item);
        if (good) out->bits[json_integer_value(item) / 64] |= UINT64_C(1) << json_integer_value(item) % 64;
    }
    if (!good) live_reader_fail(reader, WEND_LIVE_BAD_ARGUMENT, "\"%s\" is an array of classes, 0 to 255", field->name);
}

static void read_weights(live_reader *reader, const wend__order_field *field, json_t *object, wend_weights *out) {
    const char *key;
    json_t *value;
    if (!json_is_object(object) || json_object_size(object) > WEND_MAX_PROFILE_LAYERS) {
        live_reader_fail(reader, WEND_LIVE_BAD_ARGUMENT, "\"%s\" is an object of at most %d: layer and weight",
                         field->name, WEND_MAX_PROFILE_LAYERS);
        return;
    }
    json_object_foreach(object, key, value) {
        const json_int_t weight = json_integer_value(value);
        if (!json_is_integer(value) || weight < 1 || weight > WEND_MAX_COST) {
            live_reader_fail(reader, WEND_LIVE_BAD_ARGUMENT, "\"%s\": a weight is 1 to %d", field->name, WEND_MAX_COST);
            return;
        }
        out->items[out->count].layer = (wend_name){.text = key, .length = (uint32_t)strlen(key)};
        out->items[out->count++].weight = (int32_t)weight;
    }
}

/* ---- fields ---- */

static void read_value(live_reader *reader, const wend__order_field *field, json_t *value, live_lists *lists,
                       wend_order *out) {
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
    case WEND__WEIGHTS: read_weights(reader, field, value, at); break;
    case WEND__CLASSES: read_classes(reader, field, value, at); break;
    default: break;
    }
}

/* A missing word is the first of its list. */
static bool is_needed(const wend__order_field *field) {
    if (field->kind == WEND__CHOICE) return false;
    return field->form == WEND__PLACED || field->form == WEND__KEYED;
}

static bool reserve_changes(live_reader *reader, live_lists *lists, size_t more) {
    void *changes = lists->changes;
    const bool room =
        make_room(reader, &changes, &lists->change_capacity, lists->change_count + more, sizeof *lists->changes);
    lists->changes = changes;
    return room;
}

static void put_change(live_lists *lists, int32_t kind, const wend_change *change) {
    lists->changes[lists->change_count++] = (wend_change_item){kind, *change};
}

/* The fields of a change in an edit's arrays: `given` if that many are enough. A node has two or three coordinates, or
 * none; a link may be for all movers. */
static uint32_t listed_fields(int32_t kind, size_t given) {
    const wend__row *row = &wend__order_rows[kind];
    uint32_t count = 0;
    while (count < row->field_count && !row->fields[count].only) count++;
    const bool fewer =
        kind == WEND_ORDER_NODE ? given == 1 || given == 3 : kind == WEND_ORDER_LINK && given == LINK_FIELDS;
    return fewer ? (uint32_t)given : count;
}

/* Reads the changes of a kind: arrays of their fields. */
static void read_changes(live_reader *reader, int32_t kind, live_lists *lists) {
    const wend__row *row = &wend__order_rows[kind];
    const json_t *array = live_read_value(reader, wend__change_key(kind));
    const size_t count = json_array_size(array);
    if (!array) return;
    if (!json_is_array(array))
        live_reader_fail(reader, WEND_LIVE_BAD_ARGUMENT, "\"%s\" is an array", wend__change_key(kind));
    const bool room = reserve_changes(reader, lists, count);
    for (size_t i = 0; room && i < count && reader->error == WEND_LIVE_OK; i++) {
        const json_t *change = json_array_get(array, i);
        const uint32_t fields = listed_fields(kind, json_array_size(change));
        wend_order order = {.kind = kind};
        if (!json_is_array(change) || json_array_size(change) != fields)
            live_reader_fail(reader, WEND_LIVE_BAD_ARGUMENT, "\"%s\" is an array of arrays of %u",
                             wend__change_key(kind), (unsigned)fields);
        for (uint32_t k = 0; k < fields && reader->error == WEND_LIVE_OK; k++)
            read_value(reader, &row->fields[k], json_array_get(change, k), lists, &order);
        if (kind == WEND_ORDER_SET) order.change.to = order.change.from;
        if (kind == WEND_ORDER_NODE) order.change.value = fields > 1;
        put_change(lists, kind, &order.change);
    }
}

/* ---- loads and unloads as messages ---- */

/* A fill for each run of cells of one class that is not blocked. */
static void read_class_row(live_reader *reader, const json_t *row, wend_cell first, live_lists *lists) {
    const size_t count = json_array_size(row);
    bool good = json_is_array(row) && count > 0 && count <= WEND_CHUNK_SIDE;
    for (size_t x = 0; x < count && good; x++) good = is_class(json_array_get(row, x));
    if (!good)
        live_reader_fail(reader, WEND_LIVE_BAD_ARGUMENT, "a row of \"classes\" is an array of 1 to %d classes",
                         WEND_CHUNK_SIDE);
    if (!good || !reserve_changes(reader, lists, count)) return;
    for (size_t x = 0, end; x < count; x = end) {
        const json_int_t class = json_integer_value(json_array_get(row, x));
        for (end = x + 1; end < count && json_integer_value(json_array_get(row, end)) == class;) end++;
        const wend_change fill = {.from = {first.x + (int32_t)x, first.y, 0},
                                  .to = {first.x + (int32_t)end - 1, first.y, 0},
                                  .value = (int32_t)class};
        if (class != WEND_CLASS_BLOCKED) put_change(lists, WEND_ORDER_FILL, &fill);
    }
}

static void read_rows(live_reader *reader, live_lists *lists, wend_order *out) {
    enum { MOST = WEND_MAX_SIDE / WEND_CHUNK_SIDE - 1 };
    const json_t *rows = live_read_value(reader, "classes");
    const size_t count = json_array_size(rows);
    const wend_cell chunk = out->load.change.from;
    if (!rows || reader->error != WEND_LIVE_OK) return;
    if (chunk.x < 0 || chunk.y < 0 || chunk.x > MOST || chunk.y > MOST)
        live_reader_fail(reader, WEND_LIVE_BAD_ARGUMENT, "\"chunk\" is two numbers from 0 to %d", MOST);
    if (!json_is_array(rows) || count == 0 || count > WEND_CHUNK_SIDE)
        live_reader_fail(reader, WEND_LIVE_BAD_ARGUMENT, "\"classes\" is an array of 1 to %d rows", WEND_CHUNK_SIDE);
    for (size_t y = 0; y < count && reader->error == WEND_LIVE_OK; y++) {
        const wend_cell first = {chunk.x * WEND_CHUNK_SIDE, chunk.y * WEND_CHUNK_SIDE + (int32_t)y, 0};
        read_class_row(reader, json_array_get(rows, y), first, lists);
    }
    out->load.change.value = WEND_CLASS_BLOCKED;
    out->load.classes = (wend_change_list){lists->changes, lists->change_count};
}

void live_become_edit(live_reader *reader, live_lists *lists, wend_order *order) {
    const wend_change_item first = {order->kind, order->change};
    if (!reserve_changes(reader, lists, 1)) return;
    memmove(lists->changes + 1, lists->changes, lists->change_count * sizeof *lists->changes);
    lists->changes[0] = first;
    lists->change_count++;
    wend__order_init(order, WEND_ORDER_EDIT);
    order->changes = (wend_change_list){lists->changes, lists->change_count};
}

void live_read_order(live_reader *reader, int32_t kind, live_lists *lists, wend_order *out) {
    const wend__row *row = &wend__order_rows[kind];
    wend__order_init(out, kind);
    lists->name_count = lists->cell_count = lists->change_count = 0;
    if (!reserve_lists(reader, row, lists)) return;
    for (int32_t i = WEND_ORDER_NODE; kind == WEND_ORDER_EDIT && i <= WEND_ORDER_UNLOAD; i++)
        read_changes(reader, i, lists);
    if (kind == WEND_ORDER_EDIT) out->changes = (wend_change_list){lists->changes, lists->change_count};
    for (uint32_t i = 0; i < row->field_count && reader->error == WEND_LIVE_OK; i++) {
        const wend__order_field *field = &row->fields[i];
        if (field->only == WEND__TEXT_ONLY || field->kind == WEND__CHANGES) continue;
        json_t *value = is_needed(field) ? live_read_needed(reader, field->name) : live_read_value(reader, field->name);
        if (!value) continue;
        if (field->kind != WEND__FLAG || !json_is_false(value)) out->given |= UINT64_C(1) << i;
        read_value(reader, field, value, lists, out);
    }
    if (kind == WEND_ORDER_LOAD) read_rows(reader, lists, out);
}
