/* SPDX-License-Identifier: MIT */
/* Detecting a format by the first words of a file, never by its name. */
#include "io/readers/detect_format.h"
#include "io/text/number.h"

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

int32_t wend__looks_like(const void *bytes, size_t size, wend__word *first) {
    wend__reader reader;
    wend__line line;
    wend__reader_init(&reader, bytes, size);
    reader.comments = true;
    if (!wend__next_full_line(&reader, &line, first)) return WEND__LOOKS_UNKNOWN;
    reader.comments = false;
    if (wend__word_is(first, "Rows") || wend__word_is(first, "Columns") || wend__word_is(first, "Layers"))
        return WEND__LOOKS_GRID_TEXT;
    if (wend__word_is(first, "type") || wend__word_is(first, "height") || wend__word_is(first, "width"))
        return WEND__LOOKS_MOVINGAI;
    if (wend__word_is(first, "voxel")) return WEND__LOOKS_VOXEL;
    if (wend__word_is(first, "version")) return WEND__LOOKS_SCENARIO;
    if (*first->begin == '{') return WEND__LOOKS_TILED;
    if (*first->begin == '<') return WEND__LOOKS_TMX;
    return is_dimacs(reader, line, *first) ? WEND__LOOKS_DIMACS : WEND__LOOKS_UNKNOWN;
}

int32_t wend_format_detect(const void *bytes, size_t size) {
    wend__word first;
    if (!bytes) size = 0;
    int32_t looks = wend__looks_like(bytes, size, &first);
    return looks <= WEND_FORMAT_DIMACS ? looks : WEND_FORMAT_UNKNOWN;
}
