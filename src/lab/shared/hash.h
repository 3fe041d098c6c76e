/* SPDX-License-Identifier: MIT */
/* A 64-bit hash (FNV-1a) over numbers as little-endian bytes: the same on every platform. */
#ifndef WEND_SRC_LAB_SHARED_HASH_H
#define WEND_SRC_LAB_SHARED_HASH_H

#include <stdint.h>

#include <wend/search.h>

#define HASH64_START UINT64_C(0xCBF29CE484222325)

uint64_t hash64_u32(uint64_t hash, uint32_t value);
uint64_t hash64_u64(uint64_t hash, uint64_t value);

/// Add a completion: submission number, status, cost, number of cells, cells.
uint64_t hash64_completion(uint64_t hash, const wend_completion *completion);

#endif
