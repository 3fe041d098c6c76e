/* SPDX-License-Identifier: MIT */
/* What the fuzz targets share: a growing buffer to write files into, and a check that stops the fuzzer. */
#ifndef WEND_FUZZ_BYTES_H
#define WEND_FUZZ_BYTES_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FUZZ_CHECK(condition)                                                                                          \
    ((condition) ? (void)0 : (fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #condition), abort()))

typedef struct fuzz_bytes {
    char *bytes;
    size_t size, capacity;
} fuzz_bytes;

/* A wend_write_fn. */
static int32_t fuzz_append(void *context, const void *bytes, size_t size) {
    fuzz_bytes *to = context;
    if (to->capacity - to->size < size) {
        to->capacity = 2 * (to->size + size);
        to->bytes = realloc(to->bytes, to->capacity);
        FUZZ_CHECK(to->bytes);
    }
    if (size > 0) memcpy(to->bytes + to->size, bytes, size);
    to->size += size;
    return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#endif
