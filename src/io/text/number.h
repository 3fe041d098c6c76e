/* SPDX-License-Identifier: MIT */
/* Internal: numbers as files write them, whatever locale the host has set. */
#ifndef WEND_SRC_IO_TEXT_NUMBER_H
#define WEND_SRC_IO_TEXT_NUMBER_H

#include "io/text/text.h"

/// A whole number of digits only, from min (≥ 0) to max. false: it is none, or outside.
bool wend__word_number(const wend__word *word, int32_t min, int32_t max, int32_t *out);
/// A whole number of 32 bits: digits, with a minus before them or not. false: it is none, or outside.
bool wend__word_signed(const wend__word *word, int32_t *out);
/// A finite decimal number ≥ 0 with a point, whatever the locale; an exponent is allowed. false: it is none.
bool wend__word_decimal(const wend__word *word, double *out);

/// Longest word that is taken for a decimal number.
#define WEND__DECIMAL_MAX 64
#define WEND__DECIMAL_BYTES 32

/// The shorter of 15 and 17 digits that reads back as the same number. `value` is finite and ≥ 0.
void wend__decimal_text(double value, char out[WEND__DECIMAL_BYTES]);

#endif
