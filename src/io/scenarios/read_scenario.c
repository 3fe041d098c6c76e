/* SPDX-License-Identifier: MIT */
/* Reading MovingAI scenarios: an optional version, then nine columns a line (.scen), or the map and eight (.3dscen). */
#include "io/scenarios/scenario.h"
#include "io/text/file.h"
#include "io/text/text.h"

#include <string.h>
#include <wend/host.h>

enum { SHORTEST_LINE = sizeof "0 0 0 0 0 0 0 0" }; /* the shortest line of both kinds, with its line end */

static void *allocate_bytes(const wend_scen *scen, size_t bytes) {
    return wend__allocate(&scen->allocator, bytes, 16);
}

static const char *keep_name(wend_scen *scen, const wend__word *word) {
    size_t size = (size_t)(word->end - word->begin);
    wend__scen_name *newest = scen->names;
    if (newest && newest->size == size && memcmp(newest->text, word->begin, size) == 0) return newest->text;
    wend__scen_name *name = allocate_bytes(scen, sizeof *name + size + 1);
    if (!name) return NULL;
    name->next = newest;
    name->size = size;
    memcpy(name->text, word->begin, size);
    name->text[size] = '\0';
    scen->names = name;
    return name->text;
}

/* A map name between two tabs may hold blanks; any other is one word. */
static bool next_name(wend__line *line, wend__word *out) {
    const unsigned char *before = line->at;
    if (!wend__next_word(line, out)) return false;
    if (!memchr(before, '\t', (size_t)(out->begin - before))) return true;
    const unsigned char *tab = memchr(line->at, '\t', (size_t)(line->end - line->at));
    if (!tab) return true;
    line->at = tab;
    while (wend__is_blank(tab[-1])) tab--;
    *out = wend__word_at(line, out->begin, tab);
    return true;
}

static bool has_control(const wend__word *word) {
    for (const unsigned char *at = word->begin; at < word->end; at++)
        if (*at < 0x20 || *at == 0x7F) return true;
    return false;
}

static wend_error parse_name(wend_scen *scen, wend__line *line, const char **out, wend_file_error *error) {
    wend__word word;
    bool is_name = next_name(line, &word);
    if (!is_name || has_control(&word)) return wend__expected(error, WEND_BAD_FORMAT, &word, "a map's name");
    *out = keep_name(scen, &word);
    return *out ? WEND_OK : wend__fail_as_noted(error, WEND_OUT_OF_MEMORY);
}

static wend_error parse_length(wend__line *line, double *out, wend_file_error *error) {
    wend__word word;
    wend__next_word(line, &word);
    if (wend__word_decimal(&word, out)) return WEND_OK;
    return wend__expected(error, WEND_BAD_FORMAT, &word, "a path's length, a decimal number from 0 on");
}

static wend_error keep_query(wend_scen *scen, const wend_scen_query *query) {
    WEND__ASSERT(scen->count < scen->capacity);
    scen->queries[scen->count++] = *query;
    return WEND_OK;
}

static wend_error parse_query(wend_scen *scen, wend__line *line, wend_file_error *error) {
    wend_scen_query q = {.depth = 1};
    int32_t code = wend__expect_number(line, "the bucket", 0, INT32_MAX, &q.bucket, error);
    if (!code) code = parse_name(scen, line, &q.map, error);
    if (!code) code = wend__expect_number(line, "the map's width", 1, WEND_MAX_SIDE, &q.width, error);
    if (!code) code = wend__expect_number(line, "the map's height", 1, WEND_MAX_SIDE, &q.height, error);
    if (!code) code = wend__expect_number(line, "the start's x", 0, q.width - 1, &q.start.x, error);
    if (!code) code = wend__expect_number(line, "the start's y", 0, q.height - 1, &q.start.y, error);
    if (!code) code = wend__expect_number(line, "the goal's x", 0, q.width - 1, &q.goal.x, error);
    if (!code) code = wend__expect_number(line, "the goal's y", 0, q.height - 1, &q.goal.y, error);
    if (!code) code = parse_length(line, &q.length, error);
    if (!code) code = wend__expect_line_end(line, error);
    return code ? code : keep_query(scen, &q);
}

static wend_error parse_voxel(wend__line *line, const char *x, const char *y, const char *z, wend_cell *out,
                              wend_file_error *error) {
    int32_t code = wend__expect_number(line, x, 0, WEND_MAX_SIDE - 1, &out->x, error);
    if (!code) code = wend__expect_number(line, y, 0, WEND_MAX_SIDE - 1, &out->y, error);
    return code ? code : wend__expect_number(line, z, 0, WEND_MAX_SIDE - 1, &out->z, error);
}

/* The last column is the length divided by the distance on empty ground. It follows from the others and is not kept. */
static wend_error parse_voxel_query(wend_scen *scen, const char *map, wend__line *line, wend_file_error *error) {
    wend_scen_query q = {.map = map};
    wend__word word;
    double ratio;
    int32_t code = parse_voxel(line, "the start's x", "the start's y", "the start's z", &q.start, error);
    if (!code) code = parse_voxel(line, "the goal's x", "the goal's y", "the goal's z", &q.goal, error);
    if (!code) code = parse_length(line, &q.length, error);
    if (code) return code;
    wend__next_word(line, &word);
    if (!wend__word_decimal(&word, &ratio))
        return wend__expected(error, WEND_BAD_FORMAT, &word, "length over distance, a decimal number from 0 on");
    code = wend__expect_line_end(line, error);
    return code ? code : keep_query(scen, &q);
}

static wend_error parse_version(wend__line *line, wend_file_error *error) {
    wend__word word;
    wend__next_word(line, &word); /* "version" itself */
    if (!wend__next_word(line, &word)) return wend__expected(error, WEND_BAD_FORMAT, &word, "version 1");
    if (!wend__word_is(&word, "1") && !wend__word_is(&word, "1.0"))
        return wend__expected(error, WEND_UNSUPPORTED, &word, "version 1");
    return wend__expect_line_end(line, error);
}

/* A voxel scenario names its map once, on a line of its own. The name may hold blanks. */
static bool is_voxel_map(const wend__line *line, wend__word *name) {
    const unsigned char *begin = name->begin, *end = line->end;
    while (end > begin && wend__is_blank(end[-1])) end--;
    *name = wend__word_at(line, begin, end);
    return wend__is_voxel_name((const char *)begin, (size_t)(end - begin));
}

bool wend__is_voxel_name(const char *text, size_t size) {
    static const char suffix[] = ".3dmap";
    size_t suffix_size = sizeof suffix - 1;
    return size >= suffix_size && memcmp(text + size - suffix_size, suffix, suffix_size) == 0;
}

/* Takes the line if it is the name of a voxel map. */
static wend_error parse_voxel_map(wend_scen *scen, const wend__line *line, wend__word word, const char **out,
                                  wend_file_error *error) {
    if (!is_voxel_map(line, &word)) return WEND_OK;
    if (has_control(&word)) return wend__expected(error, WEND_BAD_FORMAT, &word, "a map's name");
    *out = keep_name(scen, &word);
    return *out ? WEND_OK : wend__fail_as_noted(error, WEND_OUT_OF_MEMORY);
}

static wend_error parse_lines(wend_scen *scen, wend__reader *reader, wend_file_error *error) {
    wend__line line;
    wend__word word;
    const char *voxels = NULL;
    bool more = wend__next_full_line(reader, &line, &word);
    if (!more) return wend__expected(error, WEND_BAD_FORMAT, &word, "a scenario ('version 1')");
    if (wend__word_is(&word, "version")) {
        int32_t code = parse_version(&line, error);
        if (code) return code;
        more = wend__next_full_line(reader, &line, &word);
    }
    int32_t code = more ? parse_voxel_map(scen, &line, word, &voxels, error) : WEND_OK;
    if (code) return code;
    if (voxels) more = wend__next_full_line(reader, &line, &word);
    while (more) {
        code = voxels ? parse_voxel_query(scen, voxels, &line, error) : parse_query(scen, &line, error);
        if (code) return code;
        more = wend__next_full_line(reader, &line, &word);
    }
    return WEND_OK;
}

/* An upper bound: no more than there are lines, and no more than shortest lines fit. */
static size_t most_queries(const unsigned char *bytes, size_t size) {
    size_t lines = 1, fit = size / SHORTEST_LINE + 1;
    for (const unsigned char *at = bytes, *end = bytes + size; (at = memchr(at, '\n', (size_t)(end - at))); at++)
        lines++;
    return lines < fit ? lines : fit;
}

static wend_scen *make_scen(size_t capacity, wend_allocator allocator) {
    WEND__DEBUG_ASSERT(capacity > 0);
    wend_scen *scen = wend__allocate(&allocator, sizeof *scen, 16);
    if (!scen) return NULL;
    *scen = (wend_scen){.allocator = allocator, .capacity = capacity};
    WEND__BORN(scen, "the scenario");
    if (capacity <= SIZE_MAX / sizeof *scen->queries)
        scen->queries = allocate_bytes(scen, capacity * sizeof *scen->queries);
    if (scen->queries) return scen;
    wend_scen_free(scen);
    return NULL;
}

wend_error wend__scen_parse(const void *bytes, size_t size, wend_allocator allocator, wend_scen **out,
                            wend_file_error *error) {
    wend__reader reader;
    if (!wend__file_error_fits(error)) return WEND_BAD_ARGUMENT;
    wend_error bad = out ? wend__check_room("bytes", bytes, size) : wend__refuse_null("out");
    if (bad) return wend__fail_as_noted(error, bad);
    wend__reader_init(&reader, bytes, size);
    wend_scen *scen = make_scen(most_queries(reader.at, (size_t)(reader.end - reader.at)), allocator);
    if (!scen) return wend__fail_as_noted(error, WEND_OUT_OF_MEMORY);
    int32_t code = parse_lines(scen, &reader, error);
    if (code)
        wend_scen_free(scen);
    else
        *out = scen;
    return code;
}

wend_error wend_scen_parse(const void *bytes, size_t size, wend_scen **out, wend_file_error *error) {
    return wend__scen_parse(bytes, size, wend_allocator_default(), out, error);
}

wend_error wend_scen_load(const char *path, wend_scen **out, wend_file_error *error) {
    wend__file_bytes file;
    if (!wend__file_error_fits(error)) return WEND_BAD_ARGUMENT;
    if (!path || !out) return wend__fail_as_noted(error, wend__refuse_null(path ? "out" : "path"));
    int32_t code = wend__file_read(path, wend_allocator_default(), WEND_MAX_SCEN_BYTES, NULL, &file, error);
    if (code) return code;
    code = wend_scen_parse(file.bytes, file.size, out, error);
    wend__file_drop(&file);
    return code;
}

const wend_scen_query *wend_scen_get_queries(const wend_scen *scen, size_t *count) {
    WEND__ALIVE(scen, "the scenario");
    *count = scen->count;
    return scen->queries;
}

void wend_scen_free(wend_scen *scen) {
    if (!scen) return;
    WEND__GONE(scen, "the scenario");
    wend_allocator allocator = scen->allocator;
    while (scen->names) {
        wend__scen_name *name = scen->names;
        scen->names = name->next;
        allocator.free(allocator.context, name, sizeof *name + name->size + 1);
    }
    if (scen->queries) allocator.free(allocator.context, scen->queries, scen->capacity * sizeof *scen->queries);
    allocator.free(allocator.context, scen, sizeof *scen);
}
