/* SPDX-License-Identifier: MIT */
/* The files of the page, as the program serves them. */
#ifndef WEND_SERVER_LIVE_PAGE_PAGE_H
#define WEND_SERVER_LIVE_PAGE_PAGE_H

#include <stddef.h>

typedef struct wend__page_file {
    const char *path; ///< of the URL, as "/" or "/main.js"
    const char *type; ///< for Content-Type
    const unsigned char *bytes;
    size_t length;
} wend__page_file;

/// All files; one with path NULL ends them. embed.sh makes this table.
extern const wend__page_file wend__page_files[];

/// Headers that go with each file: nothing comes from elsewhere, and no script or style stands in the page itself.
#define WEND__PAGE_POLICY                                                                                              \
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob:; connect-src 'self'; "              \
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

#endif
