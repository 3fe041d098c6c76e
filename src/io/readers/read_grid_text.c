/* SPDX-License-Identifier: MIT */
/* Reading grid text: Rows, Columns and, in space, Layers; then a token for each cell. */
#include "io/readers/bands.h"
#include "io/readers/map_readers.h"
#include "io/readers/teleports.h"

#include <stdio.h>

typedef struct grid_header {
    int32_t rows, columns, layers; /* 0: not read; without layers the grid is flat */
} grid_header;

typedef struct grid_parser {
    wend__map_source *source;
    wend__bands bands;
    bool layered;
    wend__word start, goal; /* the places of A and B in the file */
    wend__teleports teleports;
    bool commas, packed; /* found between cells; a row was one word */
} grid_parser;

enum { NO_TOKEN = 0xFF };

/* Class of a one-byte token for plain ground, plus 1; 0: it is none. A table, as neither reader nor processor can
   predict the next token. */
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

static int32_t *header_field(grid_header *header, const wend__word *word) {
    if (wend__word_is_like(word, "Rows")) return &header->rows;
    if (wend__word_is_like(word, "Columns")) return &header->columns;
    return wend__word_is_like(word, "Layers") ? &header->layers : NULL;
}

/* Counts the cells of a row: its words, or the letters of its only word. */
static int32_t count_cells(wend__line line) {
    wend__word word, only = {0};
    int32_t count = 0;
    while (wend__next_word(&line, &word)) {
        only = word;
        for (const unsigned char *at = word.begin; at < word.end; at++)
            count += *at != ',' && (at == word.begin || at[-1] == ',');
    }
    return count == 1 ? (int32_t)(only.end - only.begin) : count;
}

/* A size without words, "5 7": rows and columns, or the other way round if only so the first row fits. */
static wend_error parse_bare_size(wend__map_source *source, wend__reader *reader, grid_header *header,
                                  wend__line *line) {
    char text[96];
    wend__word word;
    int32_t code = wend__expect_number(line, "the number of rows", 1, WEND_MAX_SIDE, &header->rows, source->error);
    if (!code)
        code = wend__expect_number(line, "the number of columns", 1, WEND_MAX_SIDE, &header->columns, source->error);
    if (code) return code;
    const int32_t first = header->rows, second = header->columns;
    wend__reader ahead = *reader;
    wend__line row;
    if (wend__next_full_line(&ahead, &row, &word) && count_cells(row) == first && count_cells(row) != second)
        header->rows = second, header->columns = first;
    snprintf(text, sizeof text, "'%d %d' read as %d rows of %d columns", (int)first, (int)second, (int)header->rows,
             (int)header->columns);
    wend__assume(source, text);
    return WEND_OK;
}

static wend_error parse_header_line(wend__line *line, const grid_header *header, int32_t *field,
                                    wend_file_error *error) {
    wend__word name;
    wend__next_word(line, &name);
    if (*field) {
        return wend__fail(error, WEND_BAD_FORMAT, &name, "a second '%.*s' line", (int)(name.end - name.begin),
                          (const char *)name.begin);
    }
    const char *what = field == &header->rows      ? "the number of rows"
                       : field == &header->columns ? "the number of columns"
                                                   : "the number of layers";
    int32_t code = wend__expect_number(line, what, 1, WEND_MAX_SIDE, field, error);
    return code ? code : wend__expect_line_end(line, error);
}

/* On success `line` holds the first row. */
static wend_error parse_header(wend__map_source *source, wend__reader *reader, grid_header *header, wend__line *line) {
    wend_file_error *error = source->error;
    wend__word word;
    bool bare = true;
    while (wend__next_full_line(reader, line, &word)) {
        int32_t *field = header_field(header, &word);
        if (!field && bare && wend__is_bare_size(*line)) {
            int32_t code = parse_bare_size(source, reader, header, line);
            if (code) return code;
            bare = false;
            continue;
        }
        if (!field) break;
        bare = false;
        int32_t code = parse_header_line(line, header, field, error);
        if (code) return code;
    }
    if (!header->rows) return wend__expected(error, WEND_BAD_FORMAT, &word, "a 'Rows' line before the first row");
    if (!header->columns) return wend__expected(error, WEND_BAD_FORMAT, &word, "a 'Columns' line before the first row");
    int32_t layers = header->layers ? header->layers : 1;
    if (word.kind != WEND__WORD) return wend__expected(error, WEND_BAD_FORMAT, &word, "row 1 of %d", (int)header->rows);
    if ((uint64_t)header->rows * (uint64_t)header->columns * (uint64_t)layers <= WEND_MAX_CELLS) return WEND_OK;
    return wend__fail(error, WEND_BAD_FORMAT, &word, "%d rows of %d columns in %d layers are more than %llu cells",
                      (int)header->rows, (int)header->columns, (int)layers, (unsigned long long)WEND_MAX_CELLS);
}

static wend_error mark(grid_parser *parser, const wend__word *word, int32_t x) {
    WEND__DEBUG_ASSERT(x >= 0 && x < parser->bands.width);
    wend_map_markers *markers = &parser->source->markers;
    bool is_start = *word->begin == 'A';
    wend__word *place = is_start ? &parser->start : &parser->goal;
    bool *has = is_start ? &markers->has_start : &markers->has_goal;
    if (*has) {
        return wend__fail(parser->source->error, WEND_BAD_FORMAT, word,
                          "a second '%c'; the first is at line %d, column %d", *word->begin, (int)place->line,
                          (int)place->column);
    }
    *has = 1;
    *place = *word;
    *(is_start ? &markers->start : &markers->goal) = (wend_cell){x, parser->bands.y, parser->bands.z};
    return WEND_OK;
}

/* A token that is more than one digit. */
static wend_error parse_token(grid_parser *parser, const wend__word *word, int32_t x) {
    wend_file_error *error = parser->source->error;
    grid_header any;
    if (wend__word_is(word, "A") || wend__word_is(word, "B")) return mark(parser, word, x);
    if (wend__is_teleport(word))
        return wend__teleports_add(&parser->teleports, word, (wend_cell){x, parser->bands.y, parser->bands.z}, error);
    if (header_field(&any, word)) {
        return wend__fail(error, WEND_BAD_FORMAT, word, "'%.*s' after the first row", (int)(word->end - word->begin),
                          (const char *)word->begin);
    }
    return wend__expected(error, WEND_BAD_FORMAT, word, "0 to 9, A, B or a teleport such as t1");
}

/* "row 3", or "row 3 in layer 2". */
static void name_row(const grid_parser *parser, char out[64]) {
    int row = (int)parser->bands.y + 1, layer = (int)parser->bands.z + 1;
    if (parser->layered)
        snprintf(out, 64, "row %d in layer %d", row, layer);
    else
        snprintf(out, 64, "row %d", row);
}

static wend_error refuse_row(const grid_parser *parser, const wend__word *found, int32_t cells) {
    char row[64];
    int width = (int)parser->bands.width;
    name_row(parser, row);
    if (cells == width)
        return wend__expected(parser->source->error, WEND_BAD_FORMAT, found, "the end of %s after %d cells", row,
                              width);
    return wend__expected(parser->source->error, WEND_BAD_FORMAT, found, "cell %d of %d in %s", (int)cells + 1, width,
                          row);
}

/* Takes the next cell's word; commas separate words, too. */
static bool next_cell(grid_parser *parser, wend__line *line, wend__word *out) {
    while (wend__next_word(line, out)) {
        const unsigned char *begin = out->begin, *end;
        while (begin < out->end && *begin == ',') begin++;
        for (end = begin; end < out->end && *end != ',';) end++;
        parser->commas |= begin > out->begin || end < out->end;
        line->at = end;
        if (begin == end) continue;
        *out = wend__word_at(line, begin, end);
        return true;
    }
    return false;
}

/* Returns whether the row is one word, a letter for each cell. */
static bool is_packed(const wend__line *line, int32_t width) {
    wend__line ahead = *line;
    wend__word word;
    if (width < 2 || !wend__next_word(&ahead, &word) || word.end - word.begin != width) return false;
    for (const unsigned char *at = word.begin; at < word.end; at++)
        if (ground_class(*at) == NO_TOKEN && *at != 'A' && *at != 'B') return false;
    return !wend__next_word(&ahead, &word);
}

static wend_error parse_packed(grid_parser *parser, wend__line *line) {
    uint8_t *row = wend__bands_row(&parser->bands);
    wend__word word;
    wend__next_word(line, &word);
    parser->packed = true;
    for (int32_t x = 0; x < parser->bands.width; x++) {
        const unsigned char *at = word.begin + x;
        const uint8_t ground = ground_class(*at);
        row[x] = ground == NO_TOKEN ? WEND_CLASS_OPEN : ground;
        const wend__word letter = wend__word_at(line, at, at + 1);
        wend_error error = ground == NO_TOKEN ? mark(parser, &letter, x) : WEND_OK;
        if (error) return error;
    }
    return wend__bands_push(&parser->bands);
}

/* The hot loop: most tokens are one digit and one blank. */
static wend_error parse_row(grid_parser *parser, wend__line *line) {
    int32_t width = parser->bands.width, x = 0, code;
    uint8_t *row = wend__bands_row(&parser->bands);
    wend__word word;
    if (is_packed(line, width)) return parse_packed(parser, line);
    for (;;) {
        const unsigned char *at = line->at, *end = line->end;
        while (x < width && end - at >= 2 && wend__is_blank(at[1]) && (row[x] = ground_class(*at)) != NO_TOKEN)
            at += 2, x++;
        line->at = at;
        if (!next_cell(parser, line, &word)) break;
        if (x == width) return refuse_row(parser, &word, x);
        uint8_t ground = word.end - word.begin == 1 ? ground_class(*word.begin) : NO_TOKEN;
        row[x] = ground == NO_TOKEN ? WEND_CLASS_OPEN : ground;
        if (ground == NO_TOKEN && (code = parse_token(parser, &word, x)) != WEND_OK) return code;
        x++;
    }
    return x == width ? wend__bands_push(&parser->bands) : refuse_row(parser, &word, x);
}

/* The file must end after exactly the rows that the header gave. */
static wend_error check_end(const grid_parser *parser, bool more, const wend__word *word) {
    const wend__bands *bands = &parser->bands;
    int rows = (int)bands->height, layers = (int)bands->depth;
    wend_file_error *error = parser->source->error;
    if (!wend__bands_full(bands) && parser->layered)
        return wend__expected(error, WEND_BAD_FORMAT, word, "row %d of %d in layer %d of %d", (int)bands->y + 1, rows,
                              (int)bands->z + 1, layers);
    if (!wend__bands_full(bands))
        return wend__expected(error, WEND_BAD_FORMAT, word, "row %d of %d", (int)bands->y + 1, rows);
    if (!more) return WEND_OK;
    if (parser->layered)
        return wend__expected(error, WEND_BAD_FORMAT, word, "the end of the file after %d layers of %d rows", layers,
                              rows);
    return wend__expected(error, WEND_BAD_FORMAT, word, "the end of the file after %d rows", rows);
}

static wend_error parse_rows(grid_parser *parser, wend__reader *reader, wend__line *line) {
    wend__word word;
    bool more;
    do {
        int32_t code = parse_row(parser, line);
        if (code) return code;
        more = wend__next_full_line(reader, line, &word);
    } while (more && !wend__bands_full(&parser->bands));
    return check_end(parser, more, &word);
}

/* The rows after the header; `line` is the first. */
static wend_error parse_body(grid_parser *parser, const grid_header *header, wend__reader *reader, wend__line *line,
                             wend_map **out) {
    WEND__DEBUG_ASSERT(header->rows > 0 && header->columns > 0);
    wend__map_source *source = parser->source;
    int32_t layers = header->layers ? header->layers : 1;
    wend_map_def def = wend__source_def(source, header->layers ? WEND_KIND_VOXEL : WEND_KIND_GRID, header->columns,
                                        header->rows, layers);
    uint64_t needed =
        (uint64_t)header->rows * (uint64_t)header->columns * (uint64_t)layers; /* a byte a cell, or more */
    int32_t code = wend__bands_begin(&parser->bands, &def, (uint64_t)(reader->end - line->begin), needed);
    if (code) return code;
    code = parse_rows(parser, reader, line);
    if (!code)
        code = wend__teleports_link(&parser->teleports, def.rules->cost_straight, parser->bands.edit, source->error);
    if (!code && parser->commas) wend__assume(source, "commas between cells");
    if (!code && parser->packed) wend__assume(source, "rows without blanks: a letter a cell");
    if (!code) return wend__bands_finish(&parser->bands, out);
    wend__bands_drop(&parser->bands);
    return code;
}

wend_error wend__grid_text_parse(wend__map_source *source, wend_map **out) {
    grid_parser parser = {.source = source,
                          .teleports = {.allocator = wend__allocator_or_default(source->def->allocator)}};
    grid_header header = {0, 0, 0};
    wend__reader reader;
    wend__line line;
    wend__reader_init(&reader, source->bytes, source->size);
    reader.comments = true;
    int32_t code = parse_header(source, &reader, &header, &line);
    if (code) return code;
    parser.layered = header.layers > 0;
    code = parse_body(&parser, &header, &reader, &line, out);
    wend__teleports_drop(&parser.teleports);
    return code;
}
