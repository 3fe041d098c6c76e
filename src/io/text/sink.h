/* SPDX-License-Identifier: MIT */
/* Internal: bytes out through a buffer, so that a host's write function is called seldom. */
#ifndef WEND_SRC_IO_TEXT_SINK_H
#define WEND_SRC_IO_TEXT_SINK_H

#include <wend/io.h>

/// Collects small writes into few. The first error sticks, and is what flush returns.
typedef struct wend__sink {
    wend_write_fn *write;
    void *context;
    wend_error error;
    size_t used;
    char bytes[16384];
} wend__sink;

void wend__sink_init(wend__sink *sink, wend_write_fn *write, void *context);
void wend__sink_put(wend__sink *sink, const void *bytes, size_t size);
/// Formats at most 200 bytes.
void wend__sink_print(wend__sink *sink, const char *format, ...)
#if defined(__GNUC__)
    __attribute__((format(printf, 2, 3)))
#endif
    ;
wend_error wend__sink_flush(wend__sink *sink);

#endif
