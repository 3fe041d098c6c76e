/* SPDX-License-Identifier: MIT */
/* Internal: numbers in files, independent of the locale. */
#ifndef WEND_SRC_IO_TEXT_NUMBER_H
#define WEND_SRC_IO_TEXT_NUMBER_H

#include "io/text/text.h"

/// A whole number of digits only, from min (≥ 0) to max. False: the word is no such number.
bool wend__word_number(const wend__word *word, int32_t min, int32_t max, int32_t *out);
/// A whole number of 32 bits with an optional minus. False: the word is no such number.
bool wend__word_signed(const wend__word *word, int32_t *out);
/// A finite decimal number ≥ 0, with '.' as its point and an optional exponent. False: the word is no such number.
bool wend__word_decimal(const wend__word *word, double *out);

/// The longest word, in bytes, that can be a decimal number.
#define WEND__DECIMAL_MAX 64
#define WEND__DECIMAL_BYTES 32

/// Write a number with 15 digits, or with 17 where 15 do not read back as the same. `value` is finite and ≥ 0.
void wend__decimal_text(double value, char out[WEND__DECIMAL_BYTES]);

#endif
