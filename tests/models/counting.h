/* SPDX-License-Identifier: MIT */
/* An allocator that counts, and fails where a test wants it to. */
#ifndef WEND_TESTS_COUNTING_H
#define WEND_TESTS_COUNTING_H

#include <wend/wend.h>

typedef struct counting {
    size_t blocks, bytes, peak; ///< live, and the most bytes at a time
    size_t calls;               ///< allocations requested
    size_t fail_at;             ///< the call that gets NULL, counted from 1; 0: none
    size_t fail_from;           ///< from this call on all get NULL; 0: none
    size_t largest_alignment;
} counting;

/// New memory and memory given back is filled with rubbish, so that nothing relies on either.
wend_allocator counting_allocator(counting *counts);

#endif
