/* SPDX-License-Identifier: MIT */
/* An allocator that counts. */
#include "models/counting.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_FILLED = 1 << 24 };

static void *count_alloc(void *context, size_t bytes, size_t alignment) {
    counting *c = context;
    c->calls++;
    if (alignment > c->largest_alignment) c->largest_alignment = alignment;
    if (c->calls == c->fail_at || (c->fail_from && c->calls >= c->fail_from)) return NULL;
    if (alignment < 16) alignment = 16;
    void *memory = aligned_alloc(alignment, (bytes + alignment - 1) / alignment * alignment);
    if (!memory) return NULL;
    memset(memory, 0xa5, bytes < MOST_FILLED ? bytes : MOST_FILLED);
    c->blocks++, c->bytes += bytes;
    if (c->bytes > c->peak) c->peak = c->bytes;
    return memory;
}

static void count_free(void *context, void *memory, size_t bytes) {
    counting *c = context;
    if (!memory) return;
    if (c->blocks == 0 || c->bytes < bytes) abort(); /* more is given back than was taken */
    c->blocks--, c->bytes -= bytes;
    memset(memory, 0x5a, bytes < MOST_FILLED ? bytes : MOST_FILLED);
    free(memory);
}

wend_allocator counting_allocator(counting *counts) {
    return (wend_allocator){counts, count_alloc, count_free};
}
