/* SPDX-License-Identifier: MIT */
/* Reading a map from memory or a file: the format is detected, and its parser called. */
#include "io/baked/baked.h"
#include "io/readers/map_readers.h"
#include "io/text/text.h"
#include "map/version/accelerator.h"
#include "map/version/map.h"
#include <wend/formats.h>

/* The formats that wend reads, and others that it can name in an error. */
enum {
    LOOKS_UNKNOWN = WEND_FORMAT_UNKNOWN,
    LOOKS_GRID_TEXT = WEND_FORMAT_GRID_TEXT,
    LOOKS_MOVINGAI = WEND_FORMAT_MOVINGAI,
    LOOKS_VOXEL = WEND_FORMAT_VOXEL,
    LOOKS_DIMACS = WEND_FORMAT_DIMACS,
    LOOKS_BAKED = WEND_FORMAT_BAKED,
    LOOKS_TILED,
    LOOKS_TMX, ///< XML, as Tiled writes it
    LOOKS_SCENARIO
};

/* ---- formats: by the first words of a file, never by its name ---- */

/* A graph begins with comment lines ("c …"), its size ("p sp …", coordinates "p aux …") or an arc ("a …"). */
static bool is_dimacs(wend__reader reader, wend__line line, wend__word word) {
    while (wend__word_is(&word, "c"))
        if (!wend__next_full_line(&reader, &line, &word)) return true;
    bool arc = wend__word_is(&word, "a"), size = wend__word_is(&word, "p");
    if (!arc && !size) return false;
    line.at = word.end;
    wend__next_word(&line, &word);
    int32_t node;
    return size ? wend__word_is(&word, "sp") || wend__word_is(&word, "aux")
                : wend__word_number(&word, 0, INT32_MAX, &node);
}

/* The format of some bytes: LOOKS_….
 * @param first   receives the first word outside comments, which decided; or the end of the file */
static int32_t looks_like(const void *bytes, size_t size, wend__word *first) {
    wend__reader reader;
    wend__line line;
    wend__reader_init(&reader, bytes, size);
    reader.comments = true;
    *first = wend__file_end(&reader);
    if (size >= sizeof WEND__BAKED_MAGIC - 1 && memcmp(bytes, WEND__BAKED_MAGIC, sizeof WEND__BAKED_MAGIC - 1) == 0)
        return LOOKS_BAKED;
    if (!wend__next_full_line(&reader, &line, first)) return LOOKS_UNKNOWN;
    reader.comments = false;
    if (wend__word_is_like(first, "Rows") || wend__word_is_like(first, "Columns") ||
        wend__word_is_like(first, "Layers") || wend__is_bare_size(line))
        return LOOKS_GRID_TEXT;
    if (wend__word_is(first, "type") || wend__word_is(first, "height") || wend__word_is(first, "width"))
        return LOOKS_MOVINGAI;
    if (wend__word_is(first, "voxel")) return LOOKS_VOXEL;
    if (wend__word_is(first, "version")) return LOOKS_SCENARIO;
    if (*first->begin == '{') return LOOKS_TILED;
    if (*first->begin == '<') return LOOKS_TMX;
    return is_dimacs(reader, line, *first) ? LOOKS_DIMACS : LOOKS_UNKNOWN;
}

int32_t wend_format_detect(const void *bytes, size_t size) {
    wend__word first;
    if (!bytes) size = 0;
    int32_t looks = looks_like(bytes, size, &first);
    return looks <= WEND_FORMAT_BAKED ? looks : WEND_FORMAT_UNKNOWN;
}

static wend_error refuse(int32_t looks, const wend__word *first, wend_file_error *error) {
    char quote[WEND__QUOTE_BYTES];
    wend__quote(first, quote);
    if (looks == LOOKS_SCENARIO) return wend__fail(error, WEND_BAD_FORMAT, first, "not a map file: a scenario");
    if (looks == LOOKS_TILED || looks == LOOKS_TMX)
        return wend__fail(error, WEND_UNSUPPORTED, first, "Tiled maps are read by libwend-extra");
    return wend__fail(error, WEND_BAD_FORMAT, first,
                      "not a map file: expected 'Rows', 'Columns', 'Layers' (grid text), 'type' (MovingAI), 'voxel' or "
                      "'p sp' (DIMACS), found %s",
                      quote);
}

static wend_error check_arguments(const wend_map_markers *markers, const wend_file_error *error, wend_map **out) {
    if (!out) return wend__refuse_null("out");
    if (markers && !WEND__FITS(wend_map_markers, goal, markers)) return WEND_BAD_ARGUMENT;
    return wend__file_error_fits(error) ? WEND_OK : WEND_BAD_ARGUMENT;
}

static wend_error accelerate(const wend__map_source *source, wend_map *map) {
    wend_error code = wend__accelerator.accelerate(map, source->def->acceleration);
    if (!code) return WEND_OK;
    wend_map_release(map);
    return wend__fail_as_noted(source->error, code);
}

/* A new format gets a row here, a line in wend_format_detect(), and a file of its own. */
typedef struct map_reader {
    int32_t looks;
    wend_error (*parse)(wend__map_source *source, wend_map **out);
} map_reader;

static const map_reader readers[] = {
    {LOOKS_GRID_TEXT, wend__grid_text_parse}, {LOOKS_MOVINGAI, wend__movingai_parse}, {LOOKS_VOXEL, wend__voxel_parse},
    {LOOKS_DIMACS, wend__dimacs_parse},       {LOOKS_BAKED, wend__baked_parse},
};

static const map_reader *find_reader(int32_t looks) {
    for (size_t i = 0; i < sizeof readers / sizeof *readers; i++)
        if (readers[i].looks == looks) return &readers[i];
    return NULL;
}

static wend_error parse(wend__map_source *source, wend_map **out, wend_map_markers *markers) {
    wend__word first;
    wend_map *map = NULL;
    int32_t looks = looks_like(source->bytes, source->size, &first);
    const map_reader *reader = find_reader(looks);
    wend_error code = reader ? reader->parse(source, &map) : refuse(looks, &first, source->error);
    /* errors of src/map have no place in the file */
    if (code && code != WEND_BAD_FORMAT && code != WEND_UNSUPPORTED) wend__fail_as_noted(source->error, code);
    if (!code && source->def->acceleration) code = accelerate(source, map);
    if (!code) *out = map;
    if (code || !markers) return code;
    source->markers.format = looks;
    (void)WEND__GIVE(wend_map_markers, goal, markers, &source->markers);
    return WEND_OK;
}

wend_error wend_map_parse(const void *bytes, size_t size, const wend_map_def *def, wend_map **out,
                          wend_map_markers *markers, wend_file_error *error) {
    wend_map_def own;
    wend_map_rules rules;
    wend__map_source source = {.bytes = bytes, .size = size, .def = &own, .error = error};
    wend_error code = check_arguments(markers, error, out);
    if (code) return wend__fail_as_noted(error, code);
    code = wend__check_room("bytes", bytes, size);
    if (!code) code = wend__map_def_read(def, &own, &rules);
    source.rules_given = !code && def && def->rules;
    return code ? wend__fail_as_noted(error, code) : parse(&source, out, markers);
}

/* ---- files; the coordinates of a graph are in a second one ---- */

/* Reads the .co file next to a .gr file. If there is none, `bytes` stays empty. */
static wend_error read_coordinates(const char *path, wend_allocator allocator, wend__file_bytes *bytes,
                                   wend__coordinates_file *out, wend_file_error *error) {
    wend_file_error inside = {.struct_bytes = sizeof inside};
    char beside[FILENAME_MAX];
    if (!wend__coordinates_path(path, beside) || !wend__file_exists(beside)) return WEND_OK;
    wend__file_name(beside, out->name);
    int32_t code = wend__file_read(beside, allocator, WEND_MAX_MAP_BYTES, NULL, bytes, &inside);
    out->bytes = bytes->bytes;
    out->size = bytes->size;
    if (code == WEND_OUT_OF_MEMORY) return wend__fail_as_noted(error, code);
    return code ? wend__fail(error, code, NULL, "%s: %s", out->name, inside.text) : WEND_OK;
}

static wend_error parse_graph(wend__map_source *source, const char *path, wend_map **out, wend_map_markers *markers) {
    wend__coordinates_file coordinates = {.bytes = NULL};
    wend__file_bytes bytes = {.bytes = NULL};
    int32_t code = read_coordinates(path, source->def->allocator, &bytes, &coordinates, source->error);
    if (code) return code;
    if (coordinates.bytes) source->coordinates = &coordinates;
    code = parse(source, out, markers);
    source->coordinates = NULL;
    wend__file_drop(&bytes);
    return code;
}

/* Reading can stop if the first part is no map. Long comments may come before the word that decides. */
static bool is_hopeless(const void *bytes, size_t size) {
    wend__word first;
    int32_t looks = looks_like(bytes, size, &first);
    bool comments = first.kind != WEND__WORD || wend__word_is(&first, "c");
    return (looks == LOOKS_UNKNOWN && !comments) || looks > (int32_t)WEND_FORMAT_BAKED;
}

/* A baked map is used where it lies: its file is mapped, not read. */
static wend_error parse_mapped(const char *path, wend__map_source *source, wend_map **out, wend_map_markers *markers,
                               bool *done) {
    WEND__DEBUG_ASSERT(!source->bytes && !source->kept);
    source->bytes = wend__mapped_open(path, WEND__BAKED_MAGIC, sizeof WEND__BAKED_MAGIC - 1, &source->size);
    source->mapped = *done = source->bytes != NULL;
    if (!*done) return WEND_OK;
    const wend_error code = parse(source, out, markers);
    if (!source->kept) wend__mapped_close(source->bytes, source->size);
    return code;
}

wend_error wend_map_load(const char *path, const wend_map_def *def, wend_map **out, wend_map_markers *markers,
                         wend_file_error *error) {
    wend_map_def own;
    wend_map_rules rules;
    wend__file_bytes file;
    wend__word first;
    bool mapped;
    wend_error code = check_arguments(markers, error, out);
    if (code) return wend__fail_as_noted(error, code);
    code = path ? wend__map_def_read(def, &own, &rules) : wend__refuse_null("path");
    if (code) return wend__fail_as_noted(error, code);
    wend__map_source source = {.def = &own, .rules_given = def && def->rules, .error = error};
    code = parse_mapped(path, &source, out, markers, &mapped);
    if (mapped) return code;
    code = wend__file_read(path, own.allocator, WEND_MAX_MAP_BYTES, is_hopeless, &file, error);
    if (code) return code;
    source.bytes = file.bytes, source.size = file.size;
    if (looks_like(file.bytes, file.size, &first) == LOOKS_DIMACS)
        code = parse_graph(&source, path, out, markers);
    else
        code = parse(&source, out, markers);
    wend__file_drop(&file);
    return code;
}
