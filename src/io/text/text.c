/* SPDX-License-Identifier: MIT */
/* Splits text in memory into lines and words with their places, and reads numbers. */
#include "io/text/text.h"

#include <string.h>

/* Lines and columns have 32 bits. Errors beyond that name the largest place. */
static int32_t clamp_place(size_t n) {
    return n < INT32_MAX ? (int32_t)n : INT32_MAX;
}

void wend__reader_init(wend__reader *reader, const void *bytes, size_t size) {
    static const unsigned char nothing[1];
    const unsigned char *begin = size ? bytes : nothing;
    *reader = (wend__reader){.at = begin, .end = begin + size};
    if (size >= 3 && memcmp(begin, "\xEF\xBB\xBF", 3) == 0) reader->at += 3;
    reader->line_begin = reader->at;
}

bool wend__next_line(wend__reader *reader, wend__line *out) {
    if (reader->at == reader->end) return false;
    const unsigned char *begin = reader->at;
    const unsigned char *feed = memchr(begin, '\n', (size_t)(reader->end - begin));
    const unsigned char *end = feed ? feed : reader->end;
    reader->line_begin = begin;
    reader->at = feed ? feed + 1 : end;
    if (reader->line < INT32_MAX) reader->line++;
    if (end > begin && end[-1] == '\r') end--;
    *out = (wend__line){.begin = begin, .end = end, .at = begin, .number = reader->line, .comments = reader->comments};
    return true;
}

wend__word wend__word_at(const wend__line *line, const unsigned char *begin, const unsigned char *end) {
    WEND__DEBUG_ASSERT(begin >= line->begin && begin <= end);
    int32_t kind = begin < line->end ? WEND__WORD : WEND__LINE_END;
    return (wend__word){begin, end, kind, line->number, clamp_place((size_t)(begin - line->begin) + 1)};
}

bool wend__next_word(wend__line *line, wend__word *out) {
    const unsigned char *begin = line->at, *end;
    while (begin < line->end && wend__is_blank(*begin)) begin++;
    if (line->comments && begin < line->end && *begin == '#') line->end = begin;
    for (end = begin; end < line->end && !wend__is_blank(*end);) end++;
    line->at = end;
    *out = wend__word_at(line, begin, end);
    return begin < line->end;
}

bool wend__next_full_line(wend__reader *reader, wend__line *line, wend__word *first) {
    while (wend__next_line(reader, line)) {
        if (!wend__next_word(line, first)) continue;
        line->at = first->begin;
        return true;
    }
    *first = wend__file_end(reader);
    return false;
}

wend__word wend__file_end(const wend__reader *reader) {
    bool fresh = reader->line == 0 || (reader->end > reader->line_begin && reader->end[-1] == '\n');
    int32_t line = fresh && reader->line < INT32_MAX ? reader->line + 1 : reader->line;
    size_t column = fresh ? 1 : (size_t)(reader->end - reader->line_begin) + 1;
    return (wend__word){reader->end, reader->end, WEND__FILE_END, line, clamp_place(column)};
}

bool wend__word_is(const wend__word *word, const char *text) {
    size_t size = (size_t)(word->end - word->begin);
    return word->kind == WEND__WORD && size == strlen(text) && memcmp(word->begin, text, size) == 0;
}

static unsigned char lower(unsigned char c) {
    return (unsigned char)(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
}

bool wend__word_is_like(const wend__word *word, const char *text) {
    const size_t size = (size_t)(word->end - word->begin);
    if (word->kind != WEND__WORD || size != strlen(text)) return false;
    for (size_t i = 0; i < size; i++)
        if (lower(word->begin[i]) != lower((unsigned char)text[i])) return false;
    return true;
}

bool wend__is_bare_size(wend__line line) {
    wend__word word;
    int32_t number;
    for (int32_t i = 0; i < 2; i++)
        if (!wend__next_word(&line, &word) || !wend__word_number(&word, 0, INT32_MAX, &number)) return false;
    return !wend__next_word(&line, &word);
}

wend_error wend__expect_number(wend__line *line, const char *what, int32_t min, int32_t max, int32_t *out,
                               wend_file_error *error) {
    wend__word word;
    wend__next_word(line, &word);
    if (wend__word_number(&word, min, max, out)) return WEND_OK;
    return wend__expected(error, WEND_BAD_FORMAT, &word, "%s, a whole number from %d to %d", what, (int)min, (int)max);
}

wend_error wend__expect_line_end(wend__line *line, wend_file_error *error) {
    wend__word word;
    if (!wend__next_word(line, &word)) return WEND_OK;
    return wend__expected(error, WEND_BAD_FORMAT, &word, "the end of the line");
}

/* ---- numbers ---- */

static bool is_digit(unsigned char c) {
    return c >= '0' && c <= '9';
}

/* Digits only. A number above 32 bits gives some number above 32 bits, a word that is no number -1. */
static int64_t whole_number(const wend__word *word) {
    int64_t value = 0;
    if (word->begin == word->end) return -1;
    for (const unsigned char *at = word->begin; at < word->end; at++) {
        if (!is_digit(*at)) return -1;
        if (value <= UINT32_MAX) value = value * 10 + (*at - '0');
    }
    return value;
}

bool wend__word_number(const wend__word *word, int32_t min, int32_t max, int32_t *out) {
    int64_t value = whole_number(word);
    if (value < min || value > max) return false;
    *out = (int32_t)value;
    return true;
}

bool wend__word_signed(const wend__word *word, int32_t *out) {
    wend__word digits = *word;
    bool negative = word->begin < word->end && *word->begin == '-';
    if (negative) digits.begin++;
    int64_t value = whole_number(&digits);
    if (value < 0 || value > INT32_MAX + (int64_t)negative) return false;
    *out = (int32_t)(negative ? -value : value);
    return true;
}
