/* SPDX-License-Identifier: MIT */
/* Internal: hashes (FNV-1a) and random numbers (SplitMix64), the same on every platform. Inline functions only, for the
 * libraries and programs next to libwend too. */
#ifndef WEND_SRC_HASH_H
#define WEND_SRC_HASH_H

#include <stddef.h>
#include <stdint.h>

#include <wend/base.h>

/// The hash of nothing, with which each hash begins.
#define WEND__HASH_START UINT64_C(0xCBF29CE484222325)

/// Adds bytes to a hash (Fowler, Noll and Vo 1991: FNV-1a).
static inline uint64_t wend__hash_bytes(uint64_t hash, const void *bytes, size_t count) {
    const unsigned char *at = bytes;
    for (size_t i = 0; i < count; i++) hash = (hash ^ at[i]) * UINT64_C(0x100000001B3);
    return hash;
}

/// Adds a number as little-endian bytes.
static inline uint64_t wend__hash_u64(uint64_t hash, uint64_t value) {
    for (int i = 0; i < 8; i++) hash = (hash ^ (value >> 8 * i & 0xFF)) * UINT64_C(0x100000001B3);
    return hash;
}

static inline uint64_t wend__hash_u32(uint64_t hash, uint32_t value) {
    for (int i = 0; i < 4; i++) hash = (hash ^ (value >> 8 * i & 0xFF)) * UINT64_C(0x100000001B3);
    return hash;
}

/// Adds a completion: the hash that `wend stress` and `wend run --hash` print.
/// @param cells   may be NULL
static inline uint64_t wend__hash_answer(uint64_t hash, uint64_t number, int32_t status, int64_t cost,
                                         const wend_cell *cells, size_t cell_count) {
    hash = wend__hash_u32(wend__hash_u64(hash, number), (uint32_t)status);
    hash = wend__hash_u64(wend__hash_u64(hash, (uint64_t)cost), cell_count);
    for (size_t i = 0; cells && i < cell_count; i++) {
        hash = wend__hash_u32(hash, (uint32_t)cells[i].x);
        hash = wend__hash_u32(hash, (uint32_t)cells[i].y);
        hash = wend__hash_u32(hash, (uint32_t)cells[i].z);
    }
    return hash;
}

/// Returns the hash of a name for a table with a power of two as its size: its upper half is mixed into the lower one.
static inline uint64_t wend__hash_name(uint64_t start, const char *name, size_t length) {
    const uint64_t hash = wend__hash_bytes(start, name, length);
    return hash ^ hash >> 32;
}

/// Mixes the bits of a number, so that numbers that lie close together spread (the finalizer of SplitMix64).
static inline uint64_t wend__mix64(uint64_t number) {
    number = (number ^ number >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
    number = (number ^ number >> 27) * UINT64_C(0x94D049BB133111EB);
    return number ^ number >> 31;
}

/// Returns 64 random bits, and moves the state on; any seed will do (Steele, Lea and Flood 2014: SplitMix64).
static inline uint64_t wend__random(uint64_t *state) {
    return wend__mix64(*state += UINT64_C(0x9E3779B97F4A7C15));
}

#endif
