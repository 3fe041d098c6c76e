/* SPDX-License-Identifier: MIT */
/* Lines, words, numbers and quotes of the text reader. */
#define _POSIX_C_SOURCE 200809L /* mkdtemp, setenv */
#include "io/io_help.h"
#include "io/text/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static wend__word whole(const char *text) {
    const unsigned char *begin = (const unsigned char *)text;
    return (wend__word){begin, begin + strlen(text), WEND__WORD, 1, 1};
}

/* Every word as line:column=word; where lines end, "/". */
static void words_of(const char *text, bool comments, char *out, size_t room) {
    wend__reader reader;
    wend__line line;
    wend__word word;
    size_t used = 0;
    out[0] = '\0';
    wend__reader_init(&reader, text, strlen(text));
    reader.comments = comments;
    while (wend__next_line(&reader, &line)) {
        while (wend__next_word(&line, &word))
            used += (size_t)snprintf(out + used, room - used, "%d:%d=%.*s ", (int)word.line, (int)word.column,
                                     (int)(word.end - word.begin), (const char *)word.begin);
        used += (size_t)snprintf(out + used, room - used, "/");
    }
    word = wend__file_end(&reader);
    snprintf(out + used, room - used, "%d:%d", (int)word.line, (int)word.column);
}

Test(io_text, splits_lines_and_words_and_knows_their_places) {
    static const struct {
        const char *text, *words;
        bool comments;
    } cases[] = {
        {"", "1:1", false},
        {"\n", "/2:1", false},
        {"a", "1:1=a /1:2", false},
        {"a\n", "1:1=a /2:1", false},
        {" a\tbc \r\n\r\nd", "1:2=a 1:4=bc //3:1=d /3:2", false},
        {"\xEF\xBB\xBFx y\n", "1:1=x 1:3=y /2:1", false},
        {"\xEF\xBB\xBF", "1:1", false},
        {"a\rb\r\n", "1:1=a\rb /2:1", false},
        {"a #b\nc#d #\n#", "1:1=a /2:1=c#d //3:2", true},
        {"a #b", "1:1=a 1:3=#b /1:5", false},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        char words[200];
        words_of(cases[i].text, cases[i].comments, words, sizeof words);
        cr_expect_str_eq(words, cases[i].words, "case %zu: %s", i, words);
    }
}

Test(io_text, reads_whole_numbers_of_digits_only) {
    static const char *const bad[] = {
        "", "-1", "+1", "1.", "0x1", "1e3", " 1", "1 ", "2147483648", "99999999999999999999999999", "x"};
    int32_t value = 7;
    for (size_t i = 0; i < COUNT_OF(bad); i++) {
        wend__word word = whole(bad[i]);
        cr_expect_not(wend__word_number(&word, 0, INT32_MAX, &value), "'%s' was taken", bad[i]);
        cr_expect_eq(value, 7);
    }
    wend__word word = whole("2147483647");
    cr_expect(wend__word_number(&word, 0, INT32_MAX, &value) && value == INT32_MAX);
    word = whole("007");
    cr_expect(wend__word_number(&word, 7, 7, &value) && value == 7);
    cr_expect_not(wend__word_number(&word, 8, 9, &value), "one below");
    cr_expect_not(wend__word_number(&word, 1, 6, &value), "one above");
}

Test(io_text, quotes_are_printable_and_short) {
    char quote[WEND__QUOTE_BYTES];
    wend__word word = whole("a'\\\x01\xFF~");
    wend__quote(&word, quote);
    cr_expect_str_eq(quote, "'a\\x27\\x5c\\x01\\xff~'");
    word = whole("123456789012345678901234");
    wend__quote(&word, quote);
    cr_expect_str_eq(quote, "'123456789012345678901234'");
    word = whole("1234567890123456789012345");
    wend__quote(&word, quote);
    cr_expect_str_eq(quote, "'123456789012345678901234'...");
    word = whole("\1\1\1\1\1\1\1\1\1\1\1\1\1\1\1\1\1\1\1\1\1\1\1\1\1");
    wend__quote(&word, quote);
    cr_expect_eq(strlen(quote), 24 * 4 + 5, "the longest fits");
    word.kind = WEND__LINE_END;
    wend__quote(&word, quote);
    cr_expect_str_eq(quote, "the end of the line");
}
