/* SPDX-License-Identifier: MIT */
/* Conditions that hold whatever clients and files bring. Where one does not, the program has an error of its own, and
 * ends there. */
#ifndef WEND_SERVER_LIVE_MUST_H
#define WEND_SERVER_LIVE_MUST_H

#include <stdio.h>
#include <stdlib.h>

_Noreturn static inline void must_failed(const char *condition, const char *file, int line) {
    fprintf(stderr, "wend: %s:%d: not so: %s\n", file, line, condition);
    abort();
}

#define MUST(condition) ((condition) ? (void)0 : must_failed(#condition, __FILE__, __LINE__))

#endif
