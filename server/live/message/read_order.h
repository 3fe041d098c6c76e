/* SPDX-License-Identifier: MIT */
/* Orders from JSON, by the catalogue. */
#ifndef WEND_SERVER_LIVE_MESSAGE_READ_ORDER_H
#define WEND_SERVER_LIVE_MESSAGE_READ_ORDER_H

#include "orders/orders.h"
#include <wend/live.h>
#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

/* ---- reader.c: Reads the fields of a JSON object, and stores the first error ---- */

enum { LIVE_MAX_FIELDS = 32, LIVE_MAX_WHY = 160, LIVE_MAX_NAME = 64, LIVE_MAX_ID = 400 };

typedef struct live_reader {
    json_t *object;
    int32_t kind;  ///< kind of the map; 0: there is none
    int32_t error; ///< WEND_LIVE_OK, or the first error; nothing is read after it
    char why[LIVE_MAX_WHY];
    const char *known[LIVE_MAX_FIELDS]; ///< fields that were read
    size_t known_count;
} live_reader;

/// Stores an error, if it is the first.
void live_reader_fail(live_reader *reader, int32_t error, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/// Returns the value of a field; NULL: it is missing.
json_t *live_read_value(live_reader *reader, const char *name);
/// As live_read_value(), with an error if it is missing.
json_t *live_read_needed(live_reader *reader, const char *name);
/// Reads a whole number from least to most; `out` is unchanged if the field is missing.
bool live_read_number(live_reader *reader, const char *name, int64_t least, int64_t most, int64_t *out);
/// Reads true or false; `out` is unchanged if the field is missing.
void live_read_flag(live_reader *reader, const char *name, bool *out);
/// Reads a name: text of 1 to LIVE_MAX_NAME bytes without control characters; NULL if the field is missing.
const char *live_read_name(live_reader *reader, const char *name);
bool live_check_name(live_reader *reader, const char *field, const json_t *value);
/// Reads [x,y], [x,y,z], on a graph a number. Numbers beyond 32 bits become cells off the map.
bool live_take_cell(live_reader *reader, const char *field, const json_t *value, wend_cell *out);
/// Reports an error if the object has fields that were not read.
void live_read_end(live_reader *reader);

/// Memory of the lists of an order, used again for the next one. Zero at first.
typedef struct live_lists {
    wend_name *names;
    wend_cell *cells;
    wend_change_item *changes;
    size_t name_count, name_capacity, cell_count, cell_capacity, change_count, change_capacity;
} live_lists;

/// Reads the fields of an order from the reader's object. Text belongs to the object, lists to `lists`: both outlive
/// the order. `reader->error` is the verdict.
/// @param kind   WEND_ORDER_…
void live_read_order(live_reader *reader, int32_t kind, live_lists *lists, wend_order *out);
/// Makes a load or an unload, with its classes, an edit of that change. Out of memory is the reader's error.
void live_become_edit(live_reader *reader, live_lists *lists, wend_order *order);
void live_lists_free(live_lists *lists);

#endif
