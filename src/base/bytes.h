/* SPDX-License-Identifier: MIT */
/* Internal: numbers as bytes, the same on every machine: the lowest byte first. Header only, for programs too. */
#ifndef WEND_SRC_BYTES_H
#define WEND_SRC_BYTES_H

#include <stdint.h>

static inline void wend__put_fixed(uint8_t *at, uint64_t value, unsigned bytes) {
    for (unsigned i = 0; i < bytes; i++) at[i] = (uint8_t)(value >> 8 * i);
}

static inline uint64_t wend__get_fixed(const uint8_t *at, unsigned bytes) {
    uint64_t value = 0;
    for (unsigned i = 0; i < bytes; i++) value |= (uint64_t)at[i] << 8 * i;
    return value;
}

/* ---- numbers of base 128, the low digits first (LEB128) ---- */

enum { WEND__LONGEST_NUMBER = 10 };

/// Writes a number, up to WEND__LONGEST_NUMBER bytes. @return behind it
static inline uint8_t *wend__write_number(uint8_t *at, uint64_t value) {
    for (; value >= 128; value >>= 7) *at++ = (uint8_t)(value | 128);
    *at++ = (uint8_t)value;
    return at;
}

/* ---- bytes, four or eight at a time, the first one lowest. Compilers make one load or store of each, but not of
 * loops. ---- */

static inline uint64_t wend__load8(const uint8_t *at) {
    return (uint64_t)at[0] | (uint64_t)at[1] << 8 | (uint64_t)at[2] << 16 | (uint64_t)at[3] << 24 |
           (uint64_t)at[4] << 32 | (uint64_t)at[5] << 40 | (uint64_t)at[6] << 48 | (uint64_t)at[7] << 56;
}

static inline uint32_t wend__load4(const uint8_t *at) {
    return (uint32_t)at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
}

static inline void wend__store4(uint8_t *at, uint32_t word) {
    at[0] = (uint8_t)word, at[1] = (uint8_t)(word >> 8), at[2] = (uint8_t)(word >> 16), at[3] = (uint8_t)(word >> 24);
}

static inline void wend__store8(uint8_t *at, uint64_t word) {
    at[0] = (uint8_t)word, at[1] = (uint8_t)(word >> 8), at[2] = (uint8_t)(word >> 16), at[3] = (uint8_t)(word >> 24);
    at[4] = (uint8_t)(word >> 32), at[5] = (uint8_t)(word >> 40), at[6] = (uint8_t)(word >> 48);
    at[7] = (uint8_t)(word >> 56);
}

#endif
