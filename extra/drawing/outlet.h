/* SPDX-License-Identifier: MIT */
/* A buffered outlet: collects small pieces into larger calls of the caller's write function. */
#ifndef WEND_EXTRA_DRAWING_OUTLET_H
#define WEND_EXTRA_DRAWING_OUTLET_H

#include <stddef.h>
#include <wend/extra.h>

/// After an error nothing more is written.
typedef struct wend__outlet {
    wend_write_fn *write;
    void *context;
    wend_error error;
    size_t used;
    char buffer[8192];
} wend__outlet;

void wend__outlet_put(wend__outlet *outlet, const void *bytes, size_t size);
void wend__outlet_flush(wend__outlet *outlet);
/// Print up to 511 bytes.
#if defined(__GNUC__)
__attribute__((format(printf, 2, 3)))
#endif
void wend__outlet_print(wend__outlet *outlet, const char *format, ...);

#endif
