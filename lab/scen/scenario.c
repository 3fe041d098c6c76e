/* SPDX-License-Identifier: MIT */
/* Reading MovingAI scenarios: an optional version, then nine columns a line (.scen), or the map and eight (.3dscen). */
#include "scen/scenario.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    SHORTEST_LINE = sizeof "0 0 0 0 0 0 0 0", ///< of both kinds, with its line end
    LONGEST_DECIMAL = 64,
    QUOTED = 24 ///< bytes of a word in a message
};

/// A map's name, allocated with its text and a zero behind it.
struct scenario_name {
    struct scenario_name *next;
    size_t size;
    char text[];
};

/// Reads lines, without their ends, and words of a line. An empty word marks the end of the line or file.
typedef struct reader {
    const unsigned char *at, *line, *line_end; ///< the next byte of the line; the line
    const unsigned char *next, *end;           ///< the next line; the end of the file
    int32_t number;                            ///< of the line, from 1
    bool ended;
    wend_file_error *error;
} reader;

typedef struct word {
    const unsigned char *begin, *end;
} word;

static bool is_blank(unsigned char c) {
    return c == ' ' || c == '\t';
}

static bool next_word(reader *r, word *out) {
    while (r->at < r->line_end && is_blank(*r->at)) r->at++;
    out->begin = r->at;
    while (r->at < r->line_end && !is_blank(*r->at)) r->at++;
    out->end = r->at;
    return out->begin < out->end;
}

/* Goes to the next line that has a word, which is given and read again later. False: the file has ended. */
static bool next_full_line(reader *r, word *first) {
    while (r->next < r->end) {
        const unsigned char *feed = memchr(r->next, '\n', (size_t)(r->end - r->next));
        r->line = r->at = r->next;
        r->line_end = feed ? feed : r->end;
        r->next = feed ? feed + 1 : r->end;
        r->number++;
        if (r->line_end > r->line && r->line_end[-1] == '\r') r->line_end--;
        if (!next_word(r, first)) continue;
        r->at = first->begin;
        return true;
    }
    if (r->number == 0 || r->end[-1] == '\n') r->number++, r->line = r->end;
    *first = (word){r->end, r->end};
    r->ended = true;
    return false;
}

/* ---- errors ---- */

static void quote(const reader *r, const word *found, char out[4 * QUOTED + 8]) {
    const size_t size = (size_t)(found->end - found->begin);
    char *at = out;
    if (size == 0) {
        strcpy(out, r->ended ? "the end of the file" : "the end of the line");
        return;
    }
    *at++ = '\'';
    for (size_t i = 0; i < size && i < QUOTED; i++) {
        const unsigned char c = found->begin[i];
        const bool plain = c >= 0x20 && c <= 0x7E && c != '\'' && c != '\\';
        at += sprintf(at, plain ? "%c" : "\\x%02x", c);
    }
    strcpy(at, size > QUOTED ? "'..." : "'");
}

static wend_error expected(reader *r, wend_error code, const word *found, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
static wend_error expected(reader *r, wend_error code, const word *found, const char *format, ...) {
    char what[120], quoted[4 * QUOTED + 8];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(what, sizeof what, format, arguments);
    va_end(arguments);
    quote(r, found, quoted);
    const size_t column = (size_t)(found->begin - r->line) + 1;
    r->error->line = r->number;
    r->error->column = column < INT32_MAX ? (int32_t)column : INT32_MAX;
    snprintf(r->error->text, sizeof r->error->text, "expected %s, found %s", what, quoted);
    return code;
}

static wend_error expect_line_end(reader *r) {
    word found;
    return next_word(r, &found) ? expected(r, WEND_BAD_FORMAT, &found, "the end of the line") : WEND_OK;
}

/* ---- numbers ---- */

static const unsigned char *skip_digits(const unsigned char *at, const unsigned char *end) {
    while (at < end && *at >= '0' && *at <= '9') at++;
    return at;
}

static wend_error parse_number(reader *r, const char *what, int32_t least, int32_t most, int32_t *out) {
    int64_t value = 0;
    word found;
    const bool digits = next_word(r, &found) && skip_digits(found.begin, found.end) == found.end;
    for (const unsigned char *at = found.begin; digits && at < found.end; at++)
        if (value <= UINT32_MAX) value = value * 10 + (*at - '0');
    if (!digits || value < least || value > most)
        return expected(r, WEND_BAD_FORMAT, &found, "%s, a whole number from %d to %d", what, (int)least, (int)most);
    *out = (int32_t)value;
    return WEND_OK;
}

/* Returns whether a word is digits [. digits] [e [sign] digits], with a digit before the exponent. */
static bool is_decimal(const word *w) {
    const unsigned char *at = skip_digits(w->begin, w->end), *point = at;
    if (at < w->end && *at == '.') at = skip_digits(at + 1, w->end);
    if (point == w->begin && at <= point + 1) return false;
    if (at == w->end) return true;
    if (*at != 'e' && *at != 'E') return false;
    at++;
    if (at < w->end && (*at == '+' || *at == '-')) at++;
    return at < w->end && skip_digits(at, w->end) == w->end;
}

static wend_error parse_decimal(reader *r, const char *what, double *out) {
    char text[LONGEST_DECIMAL + 1];
    word found;
    next_word(r, &found);
    const size_t size = (size_t)(found.end - found.begin);
    if (size <= LONGEST_DECIMAL && is_decimal(&found)) {
        memcpy(text, found.begin, size);
        text[size] = '\0';
        *out = strtod(text, NULL);
        if (isfinite(*out)) return WEND_OK;
    }
    return expected(r, WEND_BAD_FORMAT, &found, "%s, a decimal number from 0 on", what);
}

/* ---- names ---- */

/* Equal names on successive lines are kept once. */
static wend_error keep_name(reader *r, scenario *s, const word *found, const char **out) {
    const size_t size = (size_t)(found->end - found->begin);
    struct scenario_name *name = s->names;
    for (const unsigned char *at = found->begin; at < found->end || size == 0; at++)
        if (size == 0 || *at < 0x20 || *at == 0x7F) return expected(r, WEND_BAD_FORMAT, found, "a map's name");
    if (!name || name->size != size || memcmp(name->text, found->begin, size) != 0) {
        name = malloc(sizeof *name + size + 1);
        if (!name) return WEND_OUT_OF_MEMORY;
        *name = (struct scenario_name){s->names, size};
        memcpy(name->text, found->begin, size);
        name->text[size] = '\0';
        s->names = name;
    }
    *out = name->text;
    return WEND_OK;
}

/* A map's name between two tabs may hold blanks; any other is one word. */
static wend_error parse_name(reader *r, scenario *s, const char **out) {
    const unsigned char *before = r->at;
    word found;
    if (next_word(r, &found) && memchr(before, '\t', (size_t)(found.begin - before))) {
        const unsigned char *tab = memchr(r->at, '\t', (size_t)(r->line_end - r->at));
        if (tab) r->at = found.end = tab;
        while (is_blank(found.end[-1])) found.end--;
    }
    return keep_name(r, s, &found, out);
}

/* A voxel scenario names its map once, on a line of its own. The name may hold blanks. */
static bool is_voxel_map(const reader *r, word *name) {
    static const char suffix[] = ".3dmap";
    const size_t suffix_size = sizeof suffix - 1;
    name->end = r->line_end;
    while (name->end > name->begin && is_blank(name->end[-1])) name->end--;
    return (size_t)(name->end - name->begin) >= suffix_size &&
           memcmp(name->end - suffix_size, suffix, suffix_size) == 0;
}

/* ---- lines ---- */

static wend_error parse_query(reader *r, scenario *s) {
    scenario_query q = {.depth = 1};
    int32_t bucket;
    wend_error error = parse_number(r, "the bucket", 0, INT32_MAX, &bucket);
    if (!error) error = parse_name(r, s, &q.map);
    if (!error) error = parse_number(r, "the map's width", 1, WEND_MAX_SIDE, &q.width);
    if (!error) error = parse_number(r, "the map's height", 1, WEND_MAX_SIDE, &q.height);
    if (!error) error = parse_number(r, "the start's x", 0, q.width - 1, &q.start.x);
    if (!error) error = parse_number(r, "the start's y", 0, q.height - 1, &q.start.y);
    if (!error) error = parse_number(r, "the goal's x", 0, q.width - 1, &q.goal.x);
    if (!error) error = parse_number(r, "the goal's y", 0, q.height - 1, &q.goal.y);
    if (!error) error = parse_decimal(r, "a path's length", &q.length);
    if (!error) error = expect_line_end(r);
    if (!error) s->queries[s->count++] = q;
    return error;
}

static wend_error parse_voxel(reader *r, const char *const what[3], wend_cell *out) {
    int32_t *const axes[3] = {&out->x, &out->y, &out->z};
    wend_error error = WEND_OK;
    for (int i = 0; i < 3 && !error; i++) error = parse_number(r, what[i], 0, WEND_MAX_SIDE - 1, axes[i]);
    return error;
}

static wend_error parse_voxel_query(reader *r, scenario *s, const char *map) {
    scenario_query q = {.map = map};
    double ratio;
    wend_error error = parse_voxel(r, (const char *[]){"the start's x", "the start's y", "the start's z"}, &q.start);
    if (!error) error = parse_voxel(r, (const char *[]){"the goal's x", "the goal's y", "the goal's z"}, &q.goal);
    if (!error) error = parse_decimal(r, "a path's length", &q.length);
    if (!error) error = parse_decimal(r, "length over distance", &ratio);
    if (!error) error = expect_line_end(r);
    if (!error) s->queries[s->count++] = q;
    return error;
}

static bool is_text(const word *w, const char *text) {
    const size_t size = (size_t)(w->end - w->begin);
    return size == strlen(text) && memcmp(w->begin, text, size) == 0;
}

static wend_error parse_version(reader *r) {
    word found;
    next_word(r, &found); /* "version" itself */
    if (!next_word(r, &found)) return expected(r, WEND_BAD_FORMAT, &found, "version 1");
    if (!is_text(&found, "1") && !is_text(&found, "1.0")) return expected(r, WEND_UNSUPPORTED, &found, "version 1");
    return expect_line_end(r);
}

static wend_error parse_lines(reader *r, scenario *s) {
    word first;
    const char *voxels = NULL;
    wend_error error = WEND_OK;
    bool more = next_full_line(r, &first);
    if (!more) return expected(r, WEND_BAD_FORMAT, &first, "a scenario ('version 1')");
    if (is_text(&first, "version")) {
        error = parse_version(r);
        more = !error && next_full_line(r, &first);
    }
    if (more && is_voxel_map(r, &first)) {
        error = keep_name(r, s, &first, &voxels);
        more = !error && next_full_line(r, &first);
    }
    while (more && !error) {
        error = voxels ? parse_voxel_query(r, s, voxels) : parse_query(r, s);
        more = !error && next_full_line(r, &first);
    }
    return error;
}

/* An upper bound: no more than there are lines, and no more than shortest lines fit. */
static size_t most_queries(const unsigned char *at, const unsigned char *end) {
    const size_t fit = (size_t)(end - at) / SHORTEST_LINE + 1;
    size_t lines = 1;
    for (; (at = memchr(at, '\n', (size_t)(end - at))); at++) lines++;
    return lines < fit ? lines : fit;
}

wend_error scenario_parse(const void *bytes, size_t size, scenario *out, wend_file_error *error) {
    const unsigned char *begin = size > 0 ? bytes : (const unsigned char *)"", *end = begin + size;
    if (size >= 3 && memcmp(begin, "\xEF\xBB\xBF", 3) == 0) begin += 3;
    reader r = {.at = begin, .line = begin, .line_end = begin, .next = begin, .end = end, .error = error};
    *out = (scenario){.capacity = most_queries(begin, end)};
    *error = (wend_file_error){.struct_bytes = sizeof *error};
    out->queries = malloc(out->capacity * sizeof *out->queries);
    const wend_error code = out->queries ? parse_lines(&r, out) : WEND_OUT_OF_MEMORY;
    if (code) scenario_free(out);
    return code;
}

void scenario_free(scenario *s) {
    while (s->names) {
        struct scenario_name *name = s->names;
        s->names = name->next;
        free(name);
    }
    free(s->queries);
    *s = (scenario){0};
}
