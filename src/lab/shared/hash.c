/* SPDX-License-Identifier: MIT */
/* A 64-bit hash (FNV-1a) over numbers as little-endian bytes: the same on every platform. */
#include "lab/shared/hash.h"

#define PRIME UINT64_C(0x100000001B3)

static inline uint64_t take_bytes(uint64_t hash, uint64_t value, int count) {
    for (int i = 0; i < count; i++) hash = (hash ^ (value >> (8 * i) & 0xFF)) * PRIME;
    return hash;
}

uint64_t hash64_u32(uint64_t hash, uint32_t value) {
    return take_bytes(hash, value, 4);
}

uint64_t hash64_u64(uint64_t hash, uint64_t value) {
    return take_bytes(hash, value, 8);
}

uint64_t hash64_completion(uint64_t hash, const wend_completion *completion) {
    hash = hash64_u64(hash, completion->number);
    hash = hash64_u32(hash, (uint32_t)completion->status);
    hash = hash64_u64(hash, (uint64_t)completion->cost);
    hash = hash64_u64(hash, completion->cell_count);
    for (size_t i = 0; completion->cells != NULL && i < completion->cell_count; i++) {
        hash = take_bytes(hash, (uint32_t)completion->cells[i].x, 4);
        hash = take_bytes(hash, (uint32_t)completion->cells[i].y, 4);
        hash = take_bytes(hash, (uint32_t)completion->cells[i].z, 4);
    }
    return hash;
}
