/* SPDX-License-Identifier: MIT */
/* Shared by the fuzz targets: a growing buffer to write files into, and checks that stop the fuzzer. */
#ifndef WEND_FUZZ_BYTES_H
#define WEND_FUZZ_BYTES_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <wend/wend.h>

#define FUZZ_CHECK(condition)                                                                                          \
    ((condition) ? (void)0 : (fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #condition), abort()))

/* A call that has to succeed. */
static inline void fuzz_must(wend_error error, const char *call, int line) {
    if (error == WEND_OK) return;
    fprintf(stderr, "line %d: %s: %s: %s\n", line, call, wend_error_name(error), wend_error_detail(error));
    abort();
}
#define FUZZ_MUST(call) fuzz_must(call, #call, __LINE__)

typedef struct fuzz_bytes {
    char *bytes;
    size_t size, capacity;
} fuzz_bytes;

/* A wend_write_fn. */
static inline int32_t fuzz_append(void *context, const void *bytes, size_t size) {
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

/* Printable text, and a place for errors of the file. */
static inline void fuzz_check_error(const wend_file_error *error, int in_file) {
    FUZZ_CHECK(memchr(error->text, 0, sizeof error->text) && error->text[0]);
    for (const char *at = error->text; *at; at++) FUZZ_CHECK(*at >= 0x20 && *at < 0x7F);
    FUZZ_CHECK(in_file ? error->line >= 1 && error->column >= 1 : error->line == 0 && error->column == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#endif
