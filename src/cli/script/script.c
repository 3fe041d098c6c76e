/* SPDX-License-Identifier: MIT */
/* Reads a script's lines, words, numbers and cells, and reports errors with their place. */
#include <inttypes.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/script/script.h"
#include "cli/shared/messages.h"
#include "cli/shared/options.h"

void cli_script_init(cli_script *script, const char *file, const char *text, size_t size,
                     const cli_run_options *options) {
    memset(script, 0, sizeof *script);
    script->file = file;
    script->text = text;
    script->size = size;
    script->options = options;
    wend_service_def_init(&script->built.limits.def, sizeof script->built.limits.def);
    wend_tuning_init(&script->built.limits.tuning, sizeof script->built.limits.tuning);
    if (size >= 3 && memcmp(text, "\xEF\xBB\xBF", 3) == 0) { /* byte order mark */
        script->text += 3;
        script->size -= 3;
    }
}

int cli_script_fail(cli_script *script, size_t column, const char *format, ...) {
    char text[512];
    va_list arguments;
    if (script->quiet) return CLI_BAD_INPUT;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    script->failed = true;
    if (script->options->out != NULL) fflush(script->options->out);
    return cli_fail_at(script->file, script->line, column > INT_MAX ? INT_MAX : (int)column, "%s", text);
}

int cli_script_no_memory(cli_script *script) {
    script->starved = true;
    return cli_script_fail(script, script->word_count > 0 ? script->words[0].column : 1, "out of memory");
}

static bool add_word(cli_script *script, cli_word word) {
    if (script->word_count == script->word_capacity) {
        size_t capacity = script->word_capacity == 0 ? 16 : script->word_capacity * 2;
        if (capacity > SIZE_MAX / sizeof *script->words) return false;
        cli_word *words = realloc(script->words, capacity * sizeof *words);
        if (words == NULL) return false;
        script->words = words;
        script->word_capacity = capacity;
    }
    script->words[script->word_count++] = word;
    return true;
}

static bool is_blank(char c) {
    return c == ' ' || c == '\t';
}

/* Split line[0 .. length) into words, up to a comment. */
static int split_line(cli_script *script, const char *line, size_t length) {
    const char *zero = memchr(line, '\0', length);
    if (zero != NULL) return cli_script_fail(script, (size_t)(zero - line) + 1, "a zero byte is not text");
    for (size_t at = 0; at < length;) {
        if (is_blank(line[at])) {
            at++;
            continue;
        }
        if (line[at] == '#') break;
        size_t begin = at;
        while (at < length && !is_blank(line[at])) at++;
        if (!add_word(script, (cli_word){line + begin, at - begin, begin + 1})) return cli_script_no_memory(script);
        script->end_column = at + 1;
    }
    return -1;
}

bool cli_script_next_line(cli_script *script, int *status) {
    *status = -1;
    script->word_count = 0;
    script->end_column = 1;
    if (script->next >= script->size) return false;
    if (script->line == INT_MAX) {
        *status = cli_script_fail(script, 1, "more lines than can be counted");
        return false;
    }
    script->line++;
    const char *line = script->text + script->next;
    size_t left = script->size - script->next;
    const char *end = memchr(line, '\n', left);
    size_t length = end != NULL ? (size_t)(end - line) : left;
    script->next += end != NULL ? length + 1 : length;
    if (length > 0 && line[length - 1] == '\r') length--;
    *status = split_line(script, line, length);
    return *status == -1;
}

cli_place cli_script_mark(cli_script *script) {
    cli_place place = {script->next, script->end_column, script->line};
    script->here = (size_t)(script->words[0].text - script->text) - (script->words[0].column - 1);
    script->quiet = true;
    return place;
}

bool cli_script_return(cli_script *script, cli_place place) {
    int status;
    script->next = script->here;
    script->line = place.line - 1;
    bool good = cli_script_next_line(script, &status) && !script->starved;
    script->quiet = false;
    return good;
}

bool cli_word_is(cli_word word, const char *text) {
    return strlen(text) == word.length && memcmp(word.text, text, word.length) == 0;
}

cli_quote cli_quoted(cli_word word) {
    enum { MOST = 48 };
    cli_quote quote;
    size_t length = word.length > MOST ? MOST : word.length;
    /* do not cut a UTF-8 character */
    while (length < word.length && length > 0 && ((unsigned char)word.text[length] & 0xC0) == 0x80) length--;
    for (size_t i = 0; i < length; i++) {
        unsigned char c = (unsigned char)word.text[i];
        quote.text[i] = c < 0x20 || c == 0x7F ? '?' : word.text[i];
    }
    snprintf(quote.text + length, sizeof quote.text - length, "%s", length < word.length ? "..." : "");
    return quote;
}

bool cli_word_split(cli_word word, cli_word *key, cli_word *value) {
    const char *equals = memchr(word.text, '=', word.length);
    if (equals == NULL) return false;
    size_t length = (size_t)(equals - word.text);
    *key = (cli_word){word.text, length, word.column};
    *value = (cli_word){equals + 1, word.length - length - 1, word.column};
    return true;
}

typedef enum number_is { NUMBER_IS_GOOD, NUMBER_IS_NONE, NUMBER_IS_TOO_LARGE } number_is;

static number_is scan_digits(const char *text, size_t length, uint64_t *out) {
    uint64_t value = 0;
    bool too_large = false;
    if (length == 0) return NUMBER_IS_NONE;
    for (size_t i = 0; i < length; i++) {
        if (text[i] < '0' || text[i] > '9') return NUMBER_IS_NONE;
        uint64_t digit = (uint64_t)(text[i] - '0');
        too_large = too_large || value > (UINT64_MAX - digit) / 10;
        if (!too_large) value = value * 10 + digit;
    }
    *out = value;
    return too_large ? NUMBER_IS_TOO_LARGE : NUMBER_IS_GOOD;
}

static int fail_number(cli_script *script, cli_word word, const char *what, const char *kind, number_is is) {
    if (is == NUMBER_IS_TOO_LARGE)
        return cli_script_fail(script, word.column, "%s: '%s' is too large to read", what, cli_quoted(word).text);
    return cli_script_fail(script, word.column, "%s is %s, not '%s'", what, kind, cli_quoted(word).text);
}

static number_is scan_signed(cli_word word, bool *negative, uint64_t *magnitude) {
    *negative = word.length > 0 && word.text[0] == '-';
    size_t sign = *negative ? 1 : 0;
    number_is is = scan_digits(word.text + sign, word.length - sign, magnitude);
    if (is == NUMBER_IS_GOOD && *magnitude == 0) *negative = false;
    return is;
}

int cli_read_number(cli_script *script, cli_word word, const char *what, bool *negative, uint64_t *magnitude) {
    number_is is = scan_signed(word, negative, magnitude);
    return is == NUMBER_IS_GOOD ? -1 : fail_number(script, word, what, "a whole number", is);
}

int cli_read_range(cli_script *script, cli_word word, const char *what, uint64_t min, uint64_t max, uint64_t *out) {
    char kind[80];
    bool negative;
    uint64_t value = 0;
    if (max == UINT64_MAX)
        snprintf(kind, sizeof kind, "a whole number from %" PRIu64, min);
    else
        snprintf(kind, sizeof kind, "a whole number from %" PRIu64 " to %" PRIu64, min, max);
    number_is is = scan_signed(word, &negative, &value);
    if (is != NUMBER_IS_GOOD || negative || value < min || value > max)
        return fail_number(script, word, what, kind, is);
    *out = value;
    return -1;
}

int cli_read_ranges(cli_script *script, size_t first, size_t count, const char *what, uint64_t min, uint64_t max,
                    uint64_t *out) {
    for (size_t i = 0; i < count; i++) {
        int status = cli_read_range(script, script->words[first + i], what, min, max, &out[i]);
        if (status != -1) return status;
    }
    return -1;
}

static int32_t cut_to_int(bool negative, uint64_t magnitude) {
    if (negative) return magnitude > INT32_MAX ? INT32_MIN : -(int32_t)magnitude;
    return magnitude > INT32_MAX ? INT32_MAX : (int32_t)magnitude;
}

int cli_read_int(cli_script *script, cli_word word, const char *what, int32_t *out) {
    bool negative = false;
    uint64_t magnitude = 0;
    int status = cli_read_number(script, word, what, &negative, &magnitude);
    if (status == -1) *out = cut_to_int(negative, magnitude);
    return status;
}

/* Digits after the third are dropped: the bound "cost <= W x optimum" becomes slightly stricter. */
int cli_read_milli(cli_script *script, cli_word word, const char *what, int32_t *out) {
    static const char kind[] = "a number such as 1.25";
    const char *point = memchr(word.text, '.', word.length);
    cli_word whole = word;
    if (point != NULL) whole.length = (size_t)(point - word.text);
    bool negative = false;
    uint64_t value, fraction = 0;
    number_is is = scan_signed(whole, &negative, &value);
    negative = word.length > 0 && word.text[0] == '-'; /* -0.5 too */
    if (point != NULL && is != NUMBER_IS_NONE) {
        const char *digits = point + 1;
        size_t count = word.length - whole.length - 1;
        uint64_t ignored;
        if (scan_digits(digits, count, &ignored) == NUMBER_IS_NONE) is = NUMBER_IS_NONE;
        for (size_t i = 0; is != NUMBER_IS_NONE && i < 3; i++)
            fraction = fraction * 10 + (i < count ? (uint64_t)(digits[i] - '0') : 0);
    }
    if (is != NUMBER_IS_GOOD) return fail_number(script, word, what, kind, is);
    *out = cut_to_int(negative, value > INT32_MAX ? INT32_MAX : value * 1000 + fraction);
    return -1;
}

static int fail_cell(cli_script *script, cli_word word) {
    return cli_script_fail(script, word.column, "a cell is X,Y or X,Y,Z in whole numbers, not '%s'",
                           cli_quoted(word).text);
}

/* A node's number; the node need not exist. */
static int read_node(cli_script *script, cli_word word, wend_cell *out) {
    bool negative;
    uint64_t magnitude = 0;
    number_is is = scan_signed(word, &negative, &magnitude);
    if (is != NUMBER_IS_GOOD) return fail_number(script, word, "a node", "a whole number", is);
    *out = (wend_cell){cut_to_int(negative, magnitude), 0, 0};
    return -1;
}

int cli_read_cell(cli_script *script, cli_word word, wend_cell *out) {
    int32_t parts[3] = {0, 0, 0};
    size_t count = 0;
    bool too_large = false;
    if (script->kind == WEND_KIND_GRAPH) return read_node(script, word, out);
    for (cli_word rest = word; count < 3;) {
        const char *comma = memchr(rest.text, ',', rest.length);
        cli_word part = rest;
        if (comma != NULL) part.length = (size_t)(comma - rest.text);
        bool negative;
        uint64_t magnitude = 0;
        number_is is = scan_signed(part, &negative, &magnitude);
        if (is == NUMBER_IS_NONE) return fail_cell(script, word);
        too_large = too_large || is == NUMBER_IS_TOO_LARGE;
        parts[count++] = cut_to_int(negative, magnitude);
        if (comma == NULL) break;
        if (count == 3) return fail_cell(script, word);
        rest = (cli_word){comma + 1, rest.length - part.length - 1, word.column};
    }
    if (count < 2) return fail_cell(script, word);
    if (too_large) return fail_number(script, word, "a cell", "", NUMBER_IS_TOO_LARGE);
    *out = (wend_cell){parts[0], parts[1], parts[2]};
    return -1;
}

static bool within(int32_t at, int32_t side) {
    return at >= 0 && at < side;
}

int cli_read_cell_on_map(cli_script *script, cli_word word, wend_cell *out) {
    char size[64];
    int status = cli_read_cell(script, word, out);
    if (status != -1) return status;
    if (script->kind == WEND_KIND_GRAPH) {
        if (cli_node_there(script, out->x)) return -1;
        return cli_script_fail(script, word.column, "there is no node %s", cli_quoted(word).text);
    }
    if (within(out->x, script->width) && within(out->y, script->height) && within(out->z, script->layers)) return -1;
    snprintf(size, sizeof size, "%" PRId32 " x %" PRId32, script->width, script->height);
    if (script->kind == WEND_KIND_VOXEL)
        snprintf(size, sizeof size, "%" PRId32 " x %" PRId32 " x %" PRId32, script->width, script->height,
                 script->layers);
    return cli_script_fail(script, word.column, "the cell %s is not on the map of %s", cli_quoted(word).text, size);
}
