/* SPDX-License-Identifier: MIT */
/* Fast parsing of the usual lines of DIMACS files. */
#include "io/readers/dimacs_lines.h"

const unsigned char *wend__numbers_line(const wend__reader *reader, unsigned char letter, int32_t out[3]) {
    const unsigned char *at = reader->at, *end = reader->end;
    if (at == end || *at++ != letter) return NULL;
    for (int i = 0; i < 3; i++) {
        if (at == end || *at++ != ' ') return NULL;
        bool negative = at < end && *at == '-';
        if (negative) at++;
        const unsigned char *last = end - at > 9 ? at + 9 : end, *first = at;
        int32_t value = 0;
        while (at < last && (unsigned char)(*at - '0') <= 9) value = value * 10 + (*at++ - '0');
        if (at == first) return NULL;
        out[i] = negative ? -value : value;
    }
    if (at < end && *at == '\r') at++;
    return at < end && *at == '\n' ? at + 1 : NULL;
}
