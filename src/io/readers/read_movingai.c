/* SPDX-License-Identifier: MIT */
/* Reading MovingAI .map files: type, height and width, then a byte for each cell. */
#include "io/readers/bands.h"
#include "io/readers/map_readers.h"
#include "io/text/text.h"

enum { NO_CELL = 7 }; /* a class without a letter */

typedef struct movingai_header {
    bool type;
    int32_t height, width; /* 0: not read */
} movingai_header;

static void fill_classes(uint8_t classes[256]) {
    for (int i = 0; i < 256; i++) classes[i] = NO_CELL;
    classes['.'] = classes['G'] = WEND_CLASS_OPEN;
    classes['@'] = classes['O'] = classes['T'] = WEND_CLASS_BLOCKED;
    classes['S'] = WEND_CLASS_SWAMP;
    classes['W'] = WEND_CLASS_WATER;
}

static wend_error parse_type(wend__line *line, movingai_header *header, const wend__word *name,
                             wend_file_error *error) {
    wend__word word;
    if (header->type) return wend__fail(error, WEND_BAD_FORMAT, name, "a second 'type' line");
    header->type = true;
    wend__next_word(line, &word);
    return wend__word_is(&word, "octile") ? WEND_OK : wend__expected(error, WEND_BAD_FORMAT, &word, "octile");
}

static wend_error parse_size(wend__line *line, int32_t *field, const wend__word *name, wend_file_error *error) {
    const char *what = *name->begin == 'h' ? "the height" : "the width";
    if (!*field) return wend__expect_number(line, what, 1, WEND_MAX_SIDE, field, error);
    return wend__fail(error, WEND_BAD_FORMAT, name, "a second '%.*s' line", (int)(name->end - name->begin),
                      (const char *)name->begin);
}

/* The `map` line ends the header and must come after the other lines. */
static wend_error check_complete(const movingai_header *header, const wend__word *word, wend_file_error *error) {
    if (!header->height) return wend__expected(error, WEND_BAD_FORMAT, word, "a 'height' line before 'map'");
    if (!header->width) return wend__expected(error, WEND_BAD_FORMAT, word, "a 'width' line before 'map'");
    return WEND_OK;
}

static wend_error parse_header(wend__reader *reader, movingai_header *header, wend_file_error *error) {
    wend__line line;
    wend__word word;
    bool done = false;
    while (!done && wend__next_full_line(reader, &line, &word)) {
        int32_t code = WEND_OK;
        line.at = word.end;
        if (wend__word_is(&word, "type"))
            code = parse_type(&line, header, &word, error);
        else if (wend__word_is(&word, "height"))
            code = parse_size(&line, &header->height, &word, error);
        else if (wend__word_is(&word, "width"))
            code = parse_size(&line, &header->width, &word, error);
        else if (wend__word_is(&word, "map"))
            code = check_complete(header, &word, error), done = true;
        else
            code = wend__expected(error, WEND_BAD_FORMAT, &word, "type, height, width or map");
        if (!code) code = wend__expect_line_end(&line, error);
        if (code) return code;
    }
    return done ? WEND_OK : wend__expected(error, WEND_BAD_FORMAT, &word, "type, height, width or map");
}

static wend_error parse_row(wend__bands *bands, const wend__line *line, const uint8_t classes[256],
                            wend_file_error *error) {
    size_t size = (size_t)(line->end - line->begin), width = (size_t)bands->width, common = size < width ? size : width;
    uint8_t *row = wend__bands_row(bands);
    for (size_t x = 0; x < common; x++) {
        row[x] = classes[line->begin[x]];
        if (row[x] != NO_CELL) continue;
        wend__word word = wend__word_at(line, line->begin + x, line->begin + x + 1);
        return wend__expected(error, WEND_BAD_FORMAT, &word, "one of . G @ O T S W");
    }
    if (size == width) return wend__bands_push(bands);
    wend__word word = wend__word_at(line, line->begin + common, line->end);
    if (size < width)
        return wend__expected(error, WEND_BAD_FORMAT, &word, "cell %zu of %zu in row %d", size + 1, width,
                              (int)bands->y + 1);
    return wend__expected(error, WEND_BAD_FORMAT, &word, "the end of row %d after %zu cells", (int)bands->y + 1, width);
}

static wend_error parse_rows(wend__bands *bands, wend__reader *reader, wend_file_error *error) {
    WEND__DEBUG_ASSERT(!wend__bands_full(bands));
    uint8_t classes[256];
    wend__line line;
    wend__word word;
    fill_classes(classes);
    while (!wend__bands_full(bands) && wend__next_line(reader, &line)) {
        int32_t code = parse_row(bands, &line, classes, error);
        if (code) return code;
    }
    bool more = wend__next_full_line(reader, &line, &word); /* blank lines at the end are fine */
    int32_t rows = bands->height;
    if (!wend__bands_full(bands))
        return wend__expected(error, WEND_BAD_FORMAT, &word, "row %d of %d", (int)bands->y + 1, (int)rows);
    return more ? wend__expected(error, WEND_BAD_FORMAT, &word, "the end of the file after %d rows", (int)rows)
                : WEND_OK;
}

wend_error wend__movingai_parse(wend__map_source *source, wend_map **out) {
    movingai_header header = {false, 0, 0};
    wend__bands bands;
    wend__reader reader;
    wend__reader_init(&reader, source->bytes, source->size);
    int32_t code = parse_header(&reader, &header, source->error);
    if (code) return code;
    /* each cell takes a byte, each row but the last a line end */
    uint64_t needed = (uint64_t)header.height * ((uint64_t)header.width + 1) - 1;
    wend_map_def def = wend__source_def(source, WEND_KIND_GRID, header.width, header.height, 1);
    code = wend__bands_begin(&bands, &def, (uint64_t)(reader.end - reader.at), needed);
    if (code) return code;
    if (!header.type) wend__assume(source, "no 'type' line: read as octile");
    code = parse_rows(&bands, &reader, source->error);
    if (code)
        wend__bands_drop(&bands);
    else
        code = wend__bands_finish(&bands, out);
    return code;
}
