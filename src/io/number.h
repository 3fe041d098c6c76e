/* SPDX-License-Identifier: MIT */
/* Internal: decimal numbers as files write them, whatever locale the host has set. */
#ifndef WEND_SRC_IO_NUMBER_H
#define WEND_SRC_IO_NUMBER_H

/// Longest word that is taken for a decimal number.
#define WEND__DECIMAL_MAX 64
#define WEND__DECIMAL_BYTES 32

/// The shorter of 15 and 17 digits that reads back as the same number. `value` is finite and ≥ 0.
void wend__decimal_text(double value, char out[WEND__DECIMAL_BYTES]);

#endif
