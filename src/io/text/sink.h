/* SPDX-License-Identifier: MIT */
/* Internal: buffered output, so that the host's write function is called seldom. */
#ifndef WEND_SRC_IO_TEXT_SINK_H
#define WEND_SRC_IO_TEXT_SINK_H

#include <wend/io.h>

/// A buffer before a write function. The first error stays, and wend__sink_flush() returns it.
typedef struct wend__sink {
    wend_write_fn *write;
    void *context;
    wend_error error;
    size_t used;
    char bytes[16384];
} wend__sink;

void wend__sink_init(wend__sink *sink, wend_write_fn *write, void *context);
void wend__sink_put(wend__sink *sink, const void *bytes, size_t size);
/// Appends at most 200 formatted bytes.
void wend__sink_print(wend__sink *sink, const char *format, ...)
#if defined(__GNUC__)
    WEND__PRINTF(2, 3)
#endif
        ;
wend_error wend__sink_flush(wend__sink *sink);

#endif
