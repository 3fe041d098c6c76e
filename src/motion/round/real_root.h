/* SPDX-License-Identifier: MIT */
/* Internal: the square root of a real number, the same on every machine. */
#ifndef WEND_SRC_MOTION_ROUND_REAL_ROOT_H
#define WEND_SRC_MOTION_ROUND_REAL_ROOT_H

#include <stdint.h>
#include <string.h>

/// Returns the square root by Newton's method, from half the exponent: libwend does without the
/// mathematics library. No operation may be contracted to a fused one: configure passes that to the compiler.
static inline double wend__real_root(double square) {
    uint64_t bits;
    double root;
    if (!(square > 0)) return 0;
    memcpy(&bits, &square, sizeof bits);
    bits = (bits >> 1) + (UINT64_C(1023) << 51);
    memcpy(&root, &bits, sizeof root);
    for (int i = 0; i < 5; i++) root = (root + square / root) / 2;
    return root;
}

#endif
