/* SPDX-License-Identifier: MIT */
/* Wavefront .obj files: vertices and faces. The first pass reads the vertices, so that a face may name later ones. */
#include "obj.h"

#include <math.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <wend/ground.h>

#include "polygon.h"

const obj_limits obj_default_limits = {WEND_MAX_GROUND_TRIANGLES, WEND_MAX_GROUND_TRIANGLES};

enum { QUOTED_BYTES = 24 }; /* most bytes of a word in messages */

/* A text with a place in it; at `line_begin` begins the line that holds `at`. */
typedef struct obj_text {
    const unsigned char *at, *end, *line_begin;
    int32_t line;
} obj_text;

typedef struct obj_word {
    const unsigned char *begin, *end; /* empty at the end of a line or of the file */
    int32_t line, column;
    bool file_ended;
} obj_word;

typedef struct obj_reader {
    obj_text text;
    const obj_limits *limits;
    level_file level;
    size_t vertex_capacity, triangle_capacity;
    size_t vertices_above; /* vertices above the current line */
    wend_file_error *error;
} obj_reader;

/* ---- errors ---- */

__attribute__((format(printf, 4, 5))) static wend_error fail_at(obj_reader *reader, wend_error code,
                                                                const obj_word *where, const char *format, ...) {
    va_list arguments;
    if (!reader->error) return code;
    reader->error->line = where ? where->line : 0;
    reader->error->column = where ? where->column : 0;
    va_start(arguments, format);
    vsnprintf(reader->error->text, sizeof reader->error->text, format, arguments);
    va_end(arguments);
    return code;
}

/* Writes a word in quotes, printable and short, or which end is there instead. */
static void quote_word(const obj_word *word, char out[4 * QUOTED_BYTES + 8]) {
    const size_t size = (size_t)(word->end - word->begin), shown = size < QUOTED_BYTES ? size : QUOTED_BYTES;
    if (size == 0) {
        strcpy(out, word->file_ended ? "the end of the file" : "the end of the line");
        return;
    }
    *out++ = '\'';
    for (size_t i = 0; i < shown; i++) {
        const unsigned char c = word->begin[i];
        if (c < 0x20 || c > 0x7E || c == '\'' || c == '\\')
            out += sprintf(out, "\\x%02x", c);
        else
            *out++ = (char)c;
    }
    strcpy(out, size > shown ? "'..." : "'");
}

static wend_error fail_expected(obj_reader *reader, const obj_word *found, const char *what) {
    char quoted[4 * QUOTED_BYTES + 8];
    quote_word(found, quoted);
    return fail_at(reader, WEND_BAD_FORMAT, found, "expected %s, found %s", what, quoted);
}

static wend_error fail_memory(obj_reader *reader) {
    return fail_at(reader, WEND_OUT_OF_MEMORY, NULL, "out of memory");
}

/* ---- words and lines ---- */

static bool is_digit(unsigned char c) {
    return c >= '0' && c <= '9';
}

/* Returns the bytes of the line end at `at`: LF, CRLF, or 0. */
static size_t line_end_bytes(const unsigned char *at, const unsigned char *end) {
    if (at < end && *at == '\n') return 1;
    return end - at >= 2 && at[0] == '\r' && at[1] == '\n' ? 2 : 0;
}

/* Returns the bytes of a backslash before a line end, which joins two lines, or 0. */
static size_t joint_bytes(const unsigned char *at, const unsigned char *end) {
    const size_t more = *at == '\\' ? line_end_bytes(at + 1, end) : 0;
    return more ? 1 + more : 0;
}

static void begin_line(obj_text *text, const unsigned char *at) {
    text->at = text->line_begin = at;
    if (text->line < INT32_MAX) text->line++;
}

static bool ends_word(const unsigned char *at, const unsigned char *end) {
    return *at <= ' ' ? *at == ' ' || *at == '\t' || line_end_bytes(at, end) : *at == '\\' && joint_bytes(at, end);
}

/* Takes the next word of the line and of those joined to it. Returns false at their end, or at a comment. */
static bool next_word(obj_text *text, obj_word *out) {
    size_t joint;
    for (; text->at < text->end; text->at++) {
        while (text->at < text->end && (joint = joint_bytes(text->at, text->end)) > 0)
            begin_line(text, text->at + joint);
        if (text->at == text->end || (*text->at != ' ' && *text->at != '\t')) break;
    }
    const unsigned char *at = text->at;
    const size_t column = (size_t)(at - text->line_begin) + 1;
    *out = (obj_word){.begin = at, .line = text->line, .file_ended = at == text->end};
    out->column = column < INT32_MAX ? (int32_t)column : INT32_MAX;
    if (at < text->end && *at != '#')
        while (at < text->end && !ends_word(at, text->end)) at++;
    out->end = text->at = at;
    return out->end > out->begin;
}

/* Goes to the line after this one and those joined to it. Returns false at the end of the file. */
static bool next_line(obj_text *text) {
    const unsigned char *feed;
    bool joined = true;
    while (joined && (feed = memchr(text->at, '\n', (size_t)(text->end - text->at)))) {
        const unsigned char *before = feed > text->at && feed[-1] == '\r' ? feed - 1 : feed;
        joined = before > text->at && before[-1] == '\\';
        begin_line(text, feed + 1);
        if (!joined) return true;
    }
    text->at = text->end;
    return false;
}

static obj_text begin_text(const void *bytes, size_t size) {
    static const unsigned char nothing[1];
    const unsigned char *begin = size ? bytes : nothing;
    obj_text text = {.at = begin, .end = begin + size, .line = 1};
    if (size >= 3 && memcmp(begin, "\xEF\xBB\xBF", 3) == 0) text.at += 3;
    text.line_begin = text.at;
    return text;
}

static bool is_keyword(const obj_word *word, char letter) {
    return word->end - word->begin == 1 && *word->begin == letter;
}

/* ---- vertices ---- */

static const unsigned char *skip_digits(const unsigned char *at, const unsigned char *end) {
    while (at < end && is_digit(*at)) at++;
    return at;
}

static const unsigned char *skip_sign(const unsigned char *at, const unsigned char *end) {
    return at < end && (*at == '+' || *at == '-') ? at + 1 : at;
}

/* [sign] digits [. digits] [e [sign] digits], with a digit before the exponent. */
static bool is_decimal(const unsigned char *at, const unsigned char *end) {
    const unsigned char *begin = skip_sign(at, end);
    at = skip_digits(begin, end);
    bool digits = at > begin;
    if (at < end && *at == '.') {
        begin = ++at;
        at = skip_digits(begin, end);
        digits = digits || at > begin;
    }
    if (!digits || at == end) return digits;
    if (*at != 'e' && *at != 'E') return false;
    at = skip_sign(at + 1, end);
    return at < end && skip_digits(at, end) == end;
}

/* The program never calls setlocale(), so that strtof() takes '.' for the point. */
static bool read_float(const obj_word *word, float *out) {
    char text[OBJ_MAX_NUMBER + 1];
    const size_t size = (size_t)(word->end - word->begin);
    if (size > OBJ_MAX_NUMBER || !is_decimal(word->begin, word->end)) return false;
    memcpy(text, word->begin, size);
    text[size] = '\0';
    *out = strtof(text, NULL);
    return isfinite(*out);
}

/* Returns an array with room for `count` triples of four bytes; NULL: out of memory, and `old` stays. */
static void *grow_array(void *old, size_t count, size_t *capacity) {
    if (count <= *capacity) return old;
    const size_t larger = count + count / 2 + 64;
    void *grown = larger <= SIZE_MAX / 12 ? realloc(old, larger * 12) : NULL;
    if (grown) *capacity = larger;
    return grown;
}

static wend_error add_vertex(obj_reader *reader, const obj_word *keyword, const float place[3]) {
    level_file *level = &reader->level;
    if (level->vertex_count >= reader->limits->vertices)
        return fail_at(reader, WEND_UNSUPPORTED, keyword, "more than %lu vertices",
                       (unsigned long)reader->limits->vertices);
    float *vertices = grow_array(level->vertices, level->vertex_count + 1, &reader->vertex_capacity);
    if (!vertices) return fail_memory(reader);
    level->vertices = vertices;
    memcpy(&vertices[3 * level->vertex_count++], place, 3 * sizeof *place);
    return WEND_OK;
}

/* x y z, a weight by which they are divided, or a colour: x y z [w], x y z r g b [a]. */
static wend_error read_vertex(obj_reader *reader, const obj_word *keyword) {
    static const char *const names[] = {"x, a number", "y, a number", "z, a number", "a number or the end of the line"};
    float numbers[7], place[3];
    obj_word word;
    int count = 0;
    while (next_word(&reader->text, &word) || count < 3) {
        if (count == 7) return fail_expected(reader, &word, "the end of the line");
        if (!read_float(&word, &numbers[count])) return fail_expected(reader, &word, names[count < 3 ? count : 3]);
        count++;
    }
    if (count == 5) return fail_expected(reader, &word, "a colour of three numbers");
    for (int k = 0; k < 3; k++) {
        place[k] = count == 4 ? numbers[k] / numbers[3] : numbers[k];
        if (!isfinite(place[k]))
            return fail_at(reader, WEND_BAD_FORMAT, keyword, "divided by its weight, %c is no number", "xyz"[k]);
    }
    return add_vertex(reader, keyword, place);
}

/* ---- faces ---- */

/* Takes [-] digits. A number beyond 32 bits gives some number beyond 32 bits. */
static bool take_index(const unsigned char **at, const unsigned char *end, int64_t *out) {
    const bool negative = *at < end && **at == '-';
    const unsigned char *begin = *at + negative;
    int64_t value = 0;
    for (*at = begin; *at < end && is_digit(**at); (*at)++)
        if (value <= UINT32_MAX) value = 10 * value + (**at - '0');
    *out = negative ? -value : value;
    return *at > begin;
}

/* v, v/vt, v//vn or v/vt/vn. The numbers of textures and normals, which may be missing, are not used. */
static wend_error read_corner(obj_reader *reader, const obj_word *word, uint32_t *out) {
    const unsigned char *at = word->begin;
    const size_t count = reader->level.vertex_count, above = reader->vertices_above;
    int64_t index, unused;
    bool good = take_index(&at, word->end, &index);
    for (int parts = 0; good && parts < 2 && at < word->end && *at == '/'; parts++) {
        at++;
        if (at < word->end && *at != '/') good = take_index(&at, word->end, &unused);
    }
    if (!good || at < word->end) return fail_expected(reader, word, "a corner: v, v/vt, v//vn or v/vt/vn");
    if (index == 0) return fail_at(reader, WEND_BAD_FORMAT, word, "vertices count from 1");
    if (index > 0 ? (uint64_t)index > count : (uint64_t)-index > above)
        return fail_at(reader, WEND_BAD_FORMAT, word, "no such vertex: there are %zu%s", index > 0 ? count : above,
                       index > 0 ? "" : " above");
    *out = (uint32_t)(index > 0 ? index - 1 : (int64_t)above + index);
    return WEND_OK;
}

static wend_error add_face(obj_reader *reader, const obj_word *keyword, const uint32_t *corners, uint32_t count) {
    level_file *level = &reader->level;
    if (level->triangle_count + count - 2 > reader->limits->triangles)
        return fail_at(reader, WEND_UNSUPPORTED, keyword, "more than %lu triangles",
                       (unsigned long)reader->limits->triangles);
    uint32_t *triangles = grow_array(level->triangles, level->triangle_count + count - 2, &reader->triangle_capacity);
    if (!triangles) return fail_memory(reader);
    level->triangles = triangles;
    polygon_cut(level->vertices, corners, count, &triangles[3 * level->triangle_count]);
    level->triangle_count += count - 2;
    return WEND_OK;
}

static wend_error read_face(obj_reader *reader, const obj_word *keyword) {
    uint32_t corners[LEVEL_MAX_CORNERS], count = 0;
    obj_word word;
    while (next_word(&reader->text, &word) || count < 3) {
        if (count == LEVEL_MAX_CORNERS)
            return fail_at(reader, WEND_UNSUPPORTED, &word, "more than %d corners of a face", LEVEL_MAX_CORNERS);
        const wend_error error = read_corner(reader, &word, &corners[count++]);
        if (error) return error;
    }
    return add_face(reader, keyword, corners, count);
}

/* ---- the file ---- */

static wend_error read_vertices(obj_reader *reader) {
    obj_word word;
    do {
        next_word(&reader->text, &word);
        const wend_error error = is_keyword(&word, 'v') ? read_vertex(reader, &word) : WEND_OK;
        if (error) return error;
    } while (next_line(&reader->text));
    return WEND_OK;
}

static wend_error read_faces(obj_reader *reader) {
    obj_word word;
    do {
        next_word(&reader->text, &word);
        reader->vertices_above += is_keyword(&word, 'v');
        const wend_error error = is_keyword(&word, 'f') ? read_face(reader, &word) : WEND_OK;
        if (error) return error;
    } while (next_line(&reader->text));
    return WEND_OK;
}

wend_error obj_parse(const void *bytes, size_t size, const obj_limits *limits, level_file *out,
                     wend_file_error *error) {
    obj_reader reader = {.text = begin_text(bytes, size), .limits = limits, .error = error};
    const obj_text begin = reader.text;
    wend_error code = read_vertices(&reader);
    reader.text = begin;
    if (!code) code = read_faces(&reader);
    if (code)
        level_free(&reader.level);
    else
        *out = reader.level;
    return code;
}
