/* SPDX-License-Identifier: MIT */
/* Internal: XXH64, a checksum against accidents that is as fast as memory (Collet 2012; seed 0). */
#ifndef WEND_SRC_IO_BAKED_CHECKSUM_H
#define WEND_SRC_IO_BAKED_CHECKSUM_H

#include <stddef.h>
#include <stdint.h>

/// Bytes summed up so far, in pieces of any size.
typedef struct wend__checksum {
    uint64_t lanes[4], total;
    unsigned char rest[32]; ///< bytes that fill no stripe
} wend__checksum;

void wend__checksum_begin(wend__checksum *sum);
void wend__checksum_add(wend__checksum *sum, const void *bytes, size_t size);
/// Returns the checksum of all bytes added; more may follow.
uint64_t wend__checksum_of(const wend__checksum *sum);

#endif
