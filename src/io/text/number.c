/* SPDX-License-Identifier: MIT */
/* Numbers in files, independent of the locale. */
#include "io/text/number.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

static const unsigned char *skip_digits(const unsigned char *at, const unsigned char *end) {
    while (at < end && is_digit(*at)) at++;
    return at;
}

/* digits [. digits] [e [sign] digits], with at least one digit before the exponent. */
static bool is_decimal(const wend__word *word, const unsigned char **point) {
    const unsigned char *at = skip_digits(word->begin, word->end), *before;
    size_t digits = (size_t)(at - word->begin);
    *point = NULL;
    if (at < word->end && *at == '.') {
        *point = at++;
        before = at;
        at = skip_digits(at, word->end);
        digits += (size_t)(at - before);
    }
    if (digits == 0) return false;
    if (at == word->end) return true;
    if (*at != 'e' && *at != 'E') return false;
    at++;
    if (at < word->end && (*at == '+' || *at == '-')) at++;
    return at < word->end && skip_digits(at, word->end) == word->end;
}

/* The decimal point of the thread's locale, which strtod() and snprintf() use. */
static void locale_point(char out[16]) {
    char sample[16];
    int length = snprintf(sample, sizeof sample, "%.1f", 0.5);
    size_t point = length > 2 ? (size_t)length - 2 : 0;
    memcpy(out, sample + 1, point);
    out[point] = '\0';
}

bool wend__word_decimal(const wend__word *word, double *out) {
    const unsigned char *point;
    char text[96], locale[16];
    size_t size = (size_t)(word->end - word->begin);
    if (size > WEND__DECIMAL_MAX || !is_decimal(word, &point)) return false;
    size_t whole = point ? (size_t)(point - word->begin) : size;
    locale_point(locale);
    snprintf(text, sizeof text, "%.*s%s%.*s", (int)whole, (const char *)word->begin, point ? locale : "",
             point ? (int)(size - whole - 1) : 0, point ? (const char *)point + 1 : "");
    double value = strtod(text, NULL);
    if (!isfinite(value)) return false;
    *out = value;
    return true;
}

/* Replace the locale's decimal point by '.'. */
static void plain_point(char *text) {
    char *to = text;
    bool foreign = false;
    for (const char *from = text; *from; from++) {
        bool known = is_digit((unsigned char)*from) || *from == 'e' || *from == '+' || *from == '-';
        if (known)
            *to++ = *from;
        else if (!foreign)
            *to++ = '.';
        foreign = !known;
    }
    *to = '\0';
}

static double back(const char *text) {
    wend__word word = {.begin = (const unsigned char *)text, .end = (const unsigned char *)text + strlen(text)};
    double value = -1;
    wend__word_decimal(&word, &value);
    return value;
}

void wend__decimal_text(double value, char out[WEND__DECIMAL_BYTES]) {
    value += 0.0; /* -0 becomes 0 */
    snprintf(out, WEND__DECIMAL_BYTES, "%.15g", value);
    plain_point(out);
    if (back(out) >= value && back(out) <= value) return;
    snprintf(out, WEND__DECIMAL_BYTES, "%.17g", value);
    plain_point(out);
}
