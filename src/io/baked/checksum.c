/* SPDX-License-Identifier: MIT */
/* XXH64 (Collet 2012): four lanes of eight bytes each, which are mixed at the end. */
#include "io/baked/checksum.h"

#include <string.h>

enum { STRIPE = 32 };
#define PRIME_1 UINT64_C(0x9E3779B185EBCA87)
#define PRIME_2 UINT64_C(0xC2B2AE3D27D4EB4F)
#define PRIME_3 UINT64_C(0x165667B19E3779F9)
#define PRIME_4 UINT64_C(0x85EBCA77C2B2AE63)
#define PRIME_5 UINT64_C(0x27D4EB2F165667C5)

static inline uint64_t rotated(uint64_t word, unsigned by) {
    return word << by | word >> (64 - by);
}

/* Compilers turn this into one load, but not a loop. */
static inline uint64_t load4(const unsigned char *at) {
    return (uint64_t)at[0] | (uint64_t)at[1] << 8 | (uint64_t)at[2] << 16 | (uint64_t)at[3] << 24;
}

static inline uint64_t load8(const unsigned char *at) {
    return (uint64_t)at[0] | (uint64_t)at[1] << 8 | (uint64_t)at[2] << 16 | (uint64_t)at[3] << 24 |
           (uint64_t)at[4] << 32 | (uint64_t)at[5] << 40 | (uint64_t)at[6] << 48 | (uint64_t)at[7] << 56;
}

static inline uint64_t mixed(uint64_t lane, uint64_t word) {
    return rotated(lane + word * PRIME_2, 31) * PRIME_1;
}

static void add_stripes(uint64_t lanes[4], const unsigned char *at, size_t stripes) {
    uint64_t a = lanes[0], b = lanes[1], c = lanes[2], d = lanes[3];
    for (; stripes > 0; stripes--, at += STRIPE) {
        a = mixed(a, load8(at));
        b = mixed(b, load8(at + 8));
        c = mixed(c, load8(at + 16));
        d = mixed(d, load8(at + 24));
    }
    lanes[0] = a, lanes[1] = b, lanes[2] = c, lanes[3] = d;
}

void wend__checksum_begin(wend__checksum *sum) {
    *sum = (wend__checksum){.lanes = {PRIME_1 + PRIME_2, PRIME_2, 0, 0 - PRIME_1}};
}

void wend__checksum_add(wend__checksum *sum, const void *bytes, size_t size) {
    const unsigned char *at = bytes;
    const size_t held = (size_t)(sum->total % STRIPE);
    sum->total += size;
    if (held > 0) {
        const size_t part = size < STRIPE - held ? size : STRIPE - held;
        memcpy(sum->rest + held, at, part);
        at += part, size -= part;
        if (held + part < STRIPE) return;
        add_stripes(sum->lanes, sum->rest, 1);
    }
    add_stripes(sum->lanes, at, size / STRIPE);
    if (size % STRIPE > 0) memcpy(sum->rest, at + size / STRIPE * STRIPE, size % STRIPE);
}

/* The four lanes become one number. */
static uint64_t merged(const uint64_t lanes[4]) {
    uint64_t hash = rotated(lanes[0], 1) + rotated(lanes[1], 7) + rotated(lanes[2], 12) + rotated(lanes[3], 18);
    for (unsigned i = 0; i < 4; i++) hash = (hash ^ mixed(0, lanes[i])) * PRIME_1 + PRIME_4;
    return hash;
}

uint64_t wend__checksum_of(const wend__checksum *sum) {
    const unsigned char *at = sum->rest, *end = at + sum->total % STRIPE;
    uint64_t hash = (sum->total >= STRIPE ? merged(sum->lanes) : PRIME_5) + sum->total;
    for (; end - at >= 8; at += 8) hash = rotated(hash ^ mixed(0, load8(at)), 27) * PRIME_1 + PRIME_4;
    for (; end - at >= 4; at += 4) hash = rotated(hash ^ load4(at) * PRIME_1, 23) * PRIME_2 + PRIME_3;
    for (; at < end; at++) hash = rotated(hash ^ *at * PRIME_5, 11) * PRIME_1;
    hash = (hash ^ hash >> 33) * PRIME_2;
    hash = (hash ^ hash >> 29) * PRIME_3;
    return hash ^ hash >> 32;
}
