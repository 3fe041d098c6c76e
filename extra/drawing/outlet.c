/* SPDX-License-Identifier: MIT */
/* A buffered outlet for text and bytes. */
#include "drawing/outlet.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void wend__outlet_flush(wend__outlet *outlet) {
    if (!outlet->error && outlet->used) outlet->error = outlet->write(outlet->context, outlet->buffer, outlet->used);
    outlet->used = 0;
}

void wend__outlet_put(wend__outlet *outlet, const void *bytes, size_t size) {
    if (outlet->used + size > sizeof outlet->buffer) wend__outlet_flush(outlet);
    if (size > sizeof outlet->buffer) {
        if (!outlet->error) outlet->error = outlet->write(outlet->context, bytes, size);
        return;
    }
    memcpy(outlet->buffer + outlet->used, bytes, size);
    outlet->used += size;
}

void wend__outlet_print(wend__outlet *outlet, const char *format, ...) {
    char text[512]; /* longer than every line that the formats print */
    va_list list;
    va_start(list, format);
    int length = vsnprintf(text, sizeof text, format, list);
    va_end(list);
    if (length > 0) wend__outlet_put(outlet, text, (size_t)length < sizeof text ? (size_t)length : sizeof text - 1);
}
