/* SPDX-License-Identifier: MIT */
/* Buffered output, so that the host's write function is called seldom. */
#include "base/base.h"
#include "io/text/sink.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void wend__sink_init(wend__sink *sink, wend_write_fn *write, void *context) {
    sink->write = write;
    sink->context = context;
    sink->error = WEND_OK;
    sink->used = 0;
}

wend_error wend__sink_flush(wend__sink *sink) {
    if (!sink->error && sink->used) sink->error = sink->write(sink->context, sink->bytes, sink->used);
    sink->used = 0;
    return sink->error;
}

void wend__sink_put(wend__sink *sink, const void *bytes, size_t size) {
    const char *at = bytes;
    while (size > 0 && !sink->error) {
        WEND__DEBUG_ASSERT(sink->used < sizeof sink->bytes);
        size_t room = sizeof sink->bytes - sink->used, part = size < room ? size : room;
        memcpy(sink->bytes + sink->used, at, part);
        sink->used += part;
        at += part;
        size -= part;
        if (sink->used == sizeof sink->bytes) wend__sink_flush(sink);
    }
}

void wend__sink_print(wend__sink *sink, const char *format, ...) {
    char text[200];
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    WEND__ASSERT(length >= 0 && (size_t)length < sizeof text);
    wend__sink_put(sink, text, (size_t)length);
}
