/* SPDX-License-Identifier: MIT */
/* Reads the fields of a JSON object. */
#define _GNU_SOURCE

#include "live/message/read_order.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void live_reader_fail(live_reader *reader, int32_t error, const char *format, ...) {
    va_list arguments;
    if (reader->error != WEND_LIVE_OK) return;
    reader->error = error;
    va_start(arguments, format);
    vsnprintf(reader->why, sizeof reader->why, format, arguments);
    va_end(arguments);
}

json_t *live_read_value(live_reader *reader, const char *name) {
    if (reader->error != WEND_LIVE_OK) return NULL;
    if (reader->known_count < LIVE_MAX_FIELDS) reader->known[reader->known_count++] = name;
    return json_object_get(reader->object, name);
}

json_t *live_read_needed(live_reader *reader, const char *name) {
    json_t *value = live_read_value(reader, name);
    if (!value) live_reader_fail(reader, WEND_LIVE_BAD_ARGUMENT, "\"%s\" is missing", name);
    return value;
}

bool live_read_number(live_reader *reader, const char *name, int64_t least, int64_t most, int64_t *out) {
    const json_t *value = live_read_value(reader, name);
    if (!value) return false;
    if (!json_is_integer(value) || json_integer_value(value) < least || json_integer_value(value) > most) {
        live_reader_fail(reader, WEND_LIVE_BAD_ARGUMENT, "\"%s\" is a whole number from %lld to %lld", name,
                         (long long)least, (long long)most);
        return false;
    }
    *out = json_integer_value(value);
    return true;
}

static int32_t clamp(json_int_t number) {
    return number < INT32_MIN ? INT32_MIN : number > INT32_MAX ? INT32_MAX : (int32_t)number;
}

void live_read_flag(live_reader *reader, const char *name, bool *out) {
    const json_t *value = live_read_value(reader, name);
    if (!value) return;
    if (json_is_boolean(value))
        *out = json_is_true(value);
    else
        live_reader_fail(reader, WEND_LIVE_BAD_ARGUMENT, "\"%s\" is true or false", name);
}

bool live_check_name(live_reader *reader, const char *field, const json_t *value) {
    const size_t length = json_string_length(value);
    bool good = json_is_string(value) && length > 0 && length <= LIVE_MAX_NAME;
    for (size_t i = 0; good && i < length; i++) good = (unsigned char)json_string_value(value)[i] >= 0x20;
    if (!good)
        live_reader_fail(reader, WEND_LIVE_BAD_ARGUMENT, "\"%s\" is a text of 1 to %d bytes", field, LIVE_MAX_NAME);
    return good;
}

const char *live_read_name(live_reader *reader, const char *name) {
    const json_t *value = live_read_value(reader, name);
    return value && live_check_name(reader, name, value) ? json_string_value(value) : NULL;
}

bool live_take_cell(live_reader *reader, const char *field, const json_t *value, wend_cell *out) {
    int32_t at[3] = {0, 0, 0};
    bool good;
    if (reader->error != WEND_LIVE_OK) return false;
    if (reader->kind == WEND_KIND_GRAPH) {
        good = json_is_integer(value);
        if (good) at[0] = clamp(json_integer_value(value));
    } else {
        const size_t count = json_array_size(value);
        good = json_is_array(value) && (count == 2 || count == 3);
        for (size_t i = 0; good && i < count; i++) {
            const json_t *number = json_array_get(value, i);
            good = json_is_integer(number);
            at[i] = clamp(json_integer_value(number));
        }
    }
    if (good)
        *out = (wend_cell){at[0], at[1], at[2]};
    else
        live_reader_fail(reader, WEND_LIVE_BAD_ARGUMENT, "\"%s\": a cell is %s", field,
                         reader->kind == WEND_KIND_GRAPH ? "the number of a node" : "[x,y] or [x,y,z]");
    return good;
}

void live_read_end(live_reader *reader) {
    const char *key;
    json_t *value;
    if (reader->error != WEND_LIVE_OK) return;
    json_object_foreach(reader->object, key, value) {
        bool known = strcmp(key, "op") == 0 || strcmp(key, "id") == 0;
        for (size_t i = 0; !known && i < reader->known_count; i++) known = strcmp(key, reader->known[i]) == 0;
        if (known) continue;
        live_reader_fail(reader, WEND_LIVE_BAD_ARGUMENT, "there is no field \"%.40s\" here", key);
        return;
    }
}
