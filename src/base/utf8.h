/* SPDX-License-Identifier: MIT */
/* Internal: valid UTF-8. JSON allows nothing else, and a browser closes a WebSocket that sends other bytes. */
#ifndef WEND_SRC_UTF8_H
#define WEND_SRC_UTF8_H

#include <stddef.h>

/// The bytes of the character at `at` (RFC 3629: no surrogates, no longer form than needed).
/// @param count   bytes from `at` on, at least 1
/// @return 0: there is no character, or it is cut
static inline size_t wend__utf8_length(const void *at, size_t count) {
    const unsigned char *bytes = at, lead = bytes[0];
    if (lead < 0x80) return 1;
    const size_t length = lead < 0xC2 || lead > 0xF4 ? 0 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
    if (length == 0 || length > count) return 0;
    const unsigned char least = lead == 0xE0 ? 0xA0 : lead == 0xF0 ? 0x90 : 0x80;
    const unsigned char most = lead == 0xED ? 0x9F : lead == 0xF4 ? 0x8F : 0xBF;
    if (bytes[1] < least || bytes[1] > most) return 0;
    for (size_t i = 2; i < length; i++)
        if ((bytes[i] & 0xC0) != 0x80) return 0;
    return length;
}

/// Returns how many bytes, from the first one on, are UTF-8.
static inline size_t wend__utf8_prefix(const char *text, size_t count) {
    size_t done = 0, length;
    while (done < count && (length = wend__utf8_length(text + done, count - done)) > 0) done += length;
    return done;
}

#endif
