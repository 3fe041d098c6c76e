/* SPDX-License-Identifier: MIT */
/* The files of the page, as the program serves them. */
#ifndef WEND_SERVER_LIVE_PAGE_PAGE_H
#define WEND_SERVER_LIVE_PAGE_PAGE_H

#include <stddef.h>

typedef struct wend__page_file {
    const char *path; ///< path in the URL, such as "/" or "/main.js"
    const char *type; ///< value for Content-Type
    const unsigned char *bytes;
    size_t length;
} wend__page_file;

/// All files; one with path NULL ends them. embed.sh makes this table.
extern const wend__page_file wend__page_files[];

/// Headers of each file: no content from other servers, and no script or style inside the page itself.
#define WEND__PAGE_POLICY                                                                                              \
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob:; connect-src 'self'; "              \
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

#endif
