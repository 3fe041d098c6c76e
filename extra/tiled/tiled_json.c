/* SPDX-License-Identifier: MIT */
/* Parses the JSON of a Tiled file, gets values by key, and writes error texts. */
#include "base/sized.h"
#include "tiled/tiled.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool wend__tiled_error_fits(const wend_file_error *error) {
    return !error || wend__sized_fits(error, WEND__FIRST_BYTES(wend_file_error, text));
}

wend_error wend__tiled_fail(const wend__tiled *t, int32_t code, const char *format, ...) {
    if (!t->error || !wend__tiled_error_fits(t->error)) return code;
    va_list arguments;
    va_start(arguments, format);
    wend__sized_clear(t->error, sizeof *t->error);
    t->error->line = t->error->column = 0;
    vsnprintf(t->error->text, sizeof t->error->text, format, arguments);
    va_end(arguments);
    return code;
}

wend_error wend__tiled_no_memory(const wend__tiled *t) {
    return wend__tiled_fail(t, WEND_OUT_OF_MEMORY, "%s", wend_error_text(WEND_OUT_OF_MEMORY));
}

wend_error wend__tiled_fail_at(const wend__tiled *t, const char *file, int line, int column, const char *text) {
    if (file) return wend__tiled_fail(t, WEND_BAD_FORMAT, "%s, line %d, column %d: %.120s", file, line, column, text);
    wend__tiled_fail(t, WEND_BAD_FORMAT, "%.200s", text);
    if (t->error) t->error->line = line, t->error->column = column;
    return WEND_BAD_FORMAT;
}

void wend__tiled_quote(const char *text, char out[WEND__NAME_BYTES]) {
    enum { SHOWN = 25 }; /* each takes up to 4 */
    if (!text || !*text) {
        memcpy(out, "(no name)", 10);
        return;
    }
    char *at = out;
    *at++ = '\'';
    size_t i = 0;
    for (; text[i] && i < SHOWN; i++) {
        unsigned char c = (unsigned char)text[i];
        if (c < 0x20 || c > 0x7E || c == '\'' || c == '\\')
            at += snprintf(at, 5, "\\x%02x", c);
        else
            *at++ = (char)c;
    }
    memcpy(at, text[i] ? "...'" : "'", text[i] ? 5 : 2);
}

/// Copies the parser's message, which may quote some of the file.
static wend_error fail_syntax(const wend__tiled *t, const json_error_t *json, const char *file) {
    /* without memory it mostly has no text at all */
    if (!json->text[0] || json_error_code(json) == json_error_out_of_memory) return wend__tiled_no_memory(t);
    char words[JSON_ERROR_TEXT_LENGTH];
    memcpy(words, json->text, sizeof words);
    words[sizeof words - 1] = 0;
    for (char *at = words; *at; at++)
        if ((unsigned char)*at < 0x20 || (unsigned char)*at > 0x7E) *at = '?';
    const int line = json->line > 0 ? json->line : 1, column = json->column > 0 ? json->column : 1;
    char text[JSON_ERROR_TEXT_LENGTH + 16];
    snprintf(text, sizeof text, "no JSON: %s", words);
    return wend__tiled_fail_at(t, file, line, column, text);
}

/* Parses again where the syntax is wrong, as Jansson calls a token invalid that it has no memory for. If a copy of the
 * text finds no memory either, that was the reason. */
static json_t *parse(const char *text, size_t size, json_error_t *error) {
    json_t *root = json_loadb(text, size, JSON_REJECT_DUPLICATES, error);
    if (root) return root;
    void *volatile room = malloc(size + 1); /* volatile: compilers leave an unused allocation out */
    free(room);
    if (room) return json_loadb(text, size, JSON_REJECT_DUPLICATES, error);
    error->text[0] = 0;
    return NULL;
}

wend_error wend__tiled_json(const wend__tiled *t, const char *text, size_t size, const char *file, json_t **out) {
    json_error_t error;
    *out = parse(size ? text : "", size, &error);
    if (!*out) return fail_syntax(t, &error, file);
    if (json_is_object(*out)) return WEND_OK;
    json_decref(*out);
    *out = NULL;
    return wend__tiled_fail(t, WEND_BAD_FORMAT, "%s%sexpected a JSON object, found an array", file ? file : "",
                            file ? ": " : "");
}

const char *wend__tiled_string(const json_t *object, const char *key) {
    return json_string_value(json_object_get(object, key));
}

const char *wend__tiled_class(const json_t *json) {
    const char *type = wend__tiled_string(json, "type");
    return type && *type ? type : wend__tiled_string(json, "class"); /* as Tiled 1.9 writes it */
}

static void describe(const json_t *value, char out[48]) {
    static const char *const names[] = {"an object", "an array", "a string", "", "a number with a point",
                                        "true",      "false",    "null"};
    if (json_is_integer(value))
        snprintf(out, 48, "%" JSON_INTEGER_FORMAT, json_integer_value(value));
    else
        snprintf(out, 48, "%s", value ? names[json_typeof(value)] : "nothing");
}

wend_error wend__tiled_whole(const wend__tiled *t, const json_t *object, const char *what, const char *key, int64_t min,
                             int64_t max, int64_t *out) {
    const json_t *value = json_object_get(object, key);
    if (json_is_integer(value) && json_integer_value(value) >= min && json_integer_value(value) <= max) {
        *out = json_integer_value(value);
        return WEND_OK;
    }
    char found[48];
    describe(value, found);
    return wend__tiled_fail(t, WEND_BAD_FORMAT, "%s: expected '%s', a whole number from %lld to %lld, found %s", what,
                            key, (long long)min, (long long)max, found);
}

wend_error wend__tiled_property(const wend__tiled *t, const json_t *object, const char *what, const char *name,
                                json_t **out) {
    json_t *list = json_object_get(object, "properties");
    *out = NULL;
    if (!list) return WEND_OK;
    if (!json_is_array(list)) return wend__tiled_fail(t, WEND_BAD_FORMAT, "%s: 'properties' is no list", what);
    for (size_t i = 0; i < json_array_size(list); i++) {
        json_t *property = json_array_get(list, i), *value = json_object_get(property, "value");
        const char *its = wend__tiled_string(property, "name");
        if (!its) return wend__tiled_fail(t, WEND_BAD_FORMAT, "%s: a property has no name", what);
        if (strcmp(its, name) != 0) continue;
        if (!value) return wend__tiled_fail(t, WEND_BAD_FORMAT, "%s: property '%s' has no value", what, name);
        if (*out) return wend__tiled_fail(t, WEND_BAD_FORMAT, "%s: property '%s' is there twice", what, name);
        *out = value;
    }
    return WEND_OK;
}

static char lower(char c) {
    return (char)(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
}

bool wend__tiled_same_name(const char *a, const char *b) {
    while (*a && lower(*a) == lower(*b)) a++, b++;
    return !*a && !*b;
}

int32_t wend__tiled_truth(const json_t *value) {
    static const char *const yes[] = {"true", "1", "yes"}, *const no[] = {"false", "0", "no"};
    const char *text = json_string_value(value);
    for (size_t i = 0; text && i < sizeof yes / sizeof *yes; i++) {
        if (wend__tiled_same_name(text, yes[i])) return 1;
        if (wend__tiled_same_name(text, no[i])) return 0;
    }
    if (json_is_boolean(value)) return json_is_true(value);
    const int64_t number = json_integer_value(value);
    return json_is_integer(value) && (number == 0 || number == 1) ? (int32_t)number : -1;
}

wend_error wend__tiled_yes(const wend__tiled *t, const json_t *object, const char *what, const char *name, bool *given,
                           bool *out) {
    json_t *value;
    wend_error error = wend__tiled_property(t, object, what, name, &value);
    if (error) return error;
    *given = value != NULL, *out = value && wend__tiled_truth(value) == 1;
    if (!value || wend__tiled_truth(value) >= 0) return WEND_OK;
    return wend__tiled_fail(t, WEND_BAD_FORMAT, "%s: property '%s' must be true or false (type bool)", what, name);
}

bool wend__tiled_integer(const json_t *value, int64_t *out) {
    const char *text = json_string_value(value);
    *out = json_integer_value(value);
    if (!text) return json_is_integer(value);
    const bool minus = *text == '-';
    const char *at = text + minus;
    int64_t number = 0;
    for (; *at >= '0' && *at <= '9' && at - text < 12; at++) number = number * 10 + (*at - '0');
    *out = minus ? -number : number;
    return at > text + minus && !*at;
}

bool wend__tiled_number(const json_t *json, const char *key, double *out) {
    enum { LARGEST = 1 << 30 };
    const json_t *value = json_object_get(json, key);
    *out = value ? json_number_value(value) : 0;
    return (!value || json_is_number(value)) && *out >= -LARGEST && *out <= LARGEST;
}
