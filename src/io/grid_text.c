/* SPDX-License-Identifier: MIT */
/* Reading grid text: Rows and Columns, then a token for each cell. */
#include "io/bands.h"
#include "io/formats.h"

#include <string.h>

typedef struct grid_header {
    int32_t rows, columns, layers; /* 0: not said yet */
} grid_header;

typedef struct grid_parser {
    wend__map_source *source;
    wend__bands bands;
    wend__word start, goal; /* where A and B stand in the file */
} grid_parser;

enum { NO_TOKEN = 0xFF };

/* Class of a one-byte token that is nothing but ground, plus 1; 0: it is none. A table, as the next token is anyone's
   guess, and so would branches be. */
static const uint8_t ground_plus_1[256] = {['0'] = WEND_CLASS_OPEN + 1,
                                           ['1'] = WEND_CLASS_BLOCKED + 1,
                                           ['2'] = 3,
                                           ['3'] = 4,
                                           ['4'] = 5,
                                           ['5'] = 6,
                                           ['6'] = 7,
                                           ['7'] = 8,
                                           ['8'] = 9,
                                           ['9'] = 10};

static uint8_t ground_class(unsigned char c) {
    return (uint8_t)(ground_plus_1[c] - 1);
}

static bool is_teleport(const wend__word *word) {
    if (word->end - word->begin < 2 || *word->begin < 'a' || *word->begin > 'z') return false;
    for (const unsigned char *at = word->begin + 1; at < word->end; at++)
        if (*at < '0' || *at > '9') return false;
    return true;
}

static int32_t *header_field(grid_header *header, const wend__word *word) {
    if (wend__word_is(word, "Rows")) return &header->rows;
    if (wend__word_is(word, "Columns")) return &header->columns;
    return wend__word_is(word, "Layers") ? &header->layers : NULL;
}

static int32_t parse_header_line(wend__line *line, const grid_header *header, int32_t *field, wend_file_error *error) {
    wend__word name, number;
    wend__next_word(line, &name);
    if (*field) {
        return wend__fail(error, WEND_BAD_FORMAT, &name, "a second '%.*s' line", (int)(name.end - name.begin),
                          (const char *)name.begin);
    }
    const char *what = field == &header->rows      ? "the number of rows"
                       : field == &header->columns ? "the number of columns"
                                                   : "the number of layers";
    wend__line ahead = *line;
    wend__next_word(&ahead, &number);
    int32_t code = wend__expect_number(line, what, 1, WEND_MAX_SIDE, field, error);
    if (!code) code = wend__expect_line_end(line, error);
    if (!code && field == &header->layers && *field > 1)
        code =
            wend__fail(error, WEND_UNSUPPORTED, &number, "grids of several layers are not available in this version");
    return code;
}

/* Up to the first row, which `line` then holds. */
static int32_t parse_header(wend__reader *reader, grid_header *header, wend__line *line, wend_file_error *error) {
    wend__word word;
    while (wend__next_full_line(reader, line, &word)) {
        int32_t *field = header_field(header, &word);
        if (!field) break;
        int32_t code = parse_header_line(line, header, field, error);
        if (code) return code;
    }
    if (!header->rows) return wend__expected(error, WEND_BAD_FORMAT, &word, "a 'Rows' line before the first row");
    if (!header->columns) return wend__expected(error, WEND_BAD_FORMAT, &word, "a 'Columns' line before the first row");
    if (word.kind == WEND__WORD) return WEND_OK;
    return wend__expected(error, WEND_BAD_FORMAT, &word, "row 1 of %d", (int)header->rows);
}

static int32_t mark(grid_parser *parser, const wend__word *word, int32_t x) {
    wend_map_markers *markers = &parser->source->markers;
    bool is_start = *word->begin == 'A';
    wend__word *place = is_start ? &parser->start : &parser->goal;
    int32_t *has = is_start ? &markers->has_start : &markers->has_goal;
    if (*has) {
        return wend__fail(parser->source->error, WEND_BAD_FORMAT, word,
                          "a second '%c'; the first is at line %d, column %d", *word->begin, (int)place->line,
                          (int)place->column);
    }
    *has = 1;
    *place = *word;
    *(is_start ? &markers->start : &markers->goal) = (wend_cell){x, parser->bands.y, 0};
    return WEND_OK;
}

/* A token that is more than one digit. */
static int32_t parse_token(grid_parser *parser, const wend__word *word, int32_t x) {
    wend_file_error *error = parser->source->error;
    grid_header any;
    if (wend__word_is(word, "A") || wend__word_is(word, "B")) return mark(parser, word, x);
    if (is_teleport(word))
        return wend__fail(error, WEND_UNSUPPORTED, word, "teleports are not available in this version");
    if (header_field(&any, word)) {
        return wend__fail(error, WEND_BAD_FORMAT, word, "'%.*s' after the first row", (int)(word->end - word->begin),
                          (const char *)word->begin);
    }
    return wend__expected(error, WEND_BAD_FORMAT, word, "0 to 9, A or B");
}

/* The hot loop: most tokens are one digit and one blank. */
static int32_t parse_row(grid_parser *parser, wend__line *line) {
    int32_t width = parser->bands.width, x = 0, code;
    uint8_t *row = wend__bands_row(&parser->bands);
    wend__word word;
    for (;;) {
        const unsigned char *at = line->at, *end = line->end;
        while (x < width && end - at >= 2 && wend__is_blank(at[1]) && (row[x] = ground_class(*at)) != NO_TOKEN)
            at += 2, x++;
        line->at = at;
        if (!wend__next_word(line, &word)) break;
        if (x == width) {
            return wend__expected(parser->source->error, WEND_BAD_FORMAT, &word, "the end of row %d after %d cells",
                                  (int)parser->bands.y + 1, (int)width);
        }
        uint8_t ground = word.end - word.begin == 1 ? ground_class(*word.begin) : NO_TOKEN;
        row[x] = ground == NO_TOKEN ? WEND_CLASS_OPEN : ground;
        if (ground == NO_TOKEN && (code = parse_token(parser, &word, x)) != WEND_OK) return code;
        x++;
    }
    if (x == width) return wend__bands_push(&parser->bands);
    return wend__expected(parser->source->error, WEND_BAD_FORMAT, &word, "cell %d of %d in row %d", (int)x + 1,
                          (int)width, (int)parser->bands.y + 1);
}

static int32_t parse_rows(grid_parser *parser, wend__reader *reader, wend__line *line) {
    wend_file_error *error = parser->source->error;
    wend__word word;
    bool more;
    do {
        int32_t code = parse_row(parser, line);
        if (code) return code;
        more = wend__next_full_line(reader, line, &word);
    } while (more && parser->bands.y < parser->bands.height);
    int32_t rows = parser->bands.height, row = parser->bands.y;
    if (row < rows) return wend__expected(error, WEND_BAD_FORMAT, &word, "row %d of %d", (int)row + 1, (int)rows);
    return more ? wend__expected(error, WEND_BAD_FORMAT, &word, "the end of the file after %d rows", (int)rows)
                : WEND_OK;
}

int32_t wend__grid_text_parse(wend__map_source *source, wend_map **out) {
    grid_parser parser = {.source = source};
    grid_header header = {0, 0, 0};
    wend__reader reader;
    wend__line line;
    wend__reader_init(&reader, source->bytes, source->size);
    reader.comments = true;
    int32_t code = parse_header(&reader, &header, &line, source->error);
    if (code) return code;
    /* a byte and a blank or line end for each cell, but for the last */
    uint64_t needed = 2 * (uint64_t)header.rows * (uint64_t)header.columns - 1;
    uint64_t left = (uint64_t)(reader.end - line.begin);
    code = wend__bands_begin(&parser.bands, source->def, header.columns, header.rows, left, needed);
    if (code) return code;
    code = parse_rows(&parser, &reader, &line);
    if (code)
        wend__bands_drop(&parser.bands);
    else
        code = wend__bands_finish(&parser.bands, out);
    return code;
}
