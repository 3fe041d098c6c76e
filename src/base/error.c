/* SPDX-License-Identifier: MIT */
/* Names and texts of errors and statuses, and what happens when an assertion fails. */
#include "base/base.h"

#include <stdio.h>
#include <stdlib.h>
#include <wend/host.h>

#define STRING_(x) #x
#define STRING(x) STRING_(x)

const char *wend_error_name(wend_error error) {
    switch (error) {
#define WEND_X(name, number, text)                                                                                     \
    case number: return "WEND_" #name;
        WEND_ERRORS(WEND_X)
#undef WEND_X
    default: return "unknown";
    }
}

WEND__DEFINE_TEXT(wend_error_text, WEND_ERRORS, "unknown error")
WEND__DEFINE_TEXT(wend_status_name, WEND_STATUSES, "unknown")

const char *wend_version(void) {
    return STRING(WEND_VERSION_MAJOR) "." STRING(WEND_VERSION_MINOR) "." STRING(WEND_VERSION_PATCH) WEND_VERSION_SUFFIX;
}

static void print_assert(const char *condition, const char *file, int line) {
    if (line > 0)
        fprintf(stderr, "wend: %s:%d: assertion failed: %s\n", file, line, condition);
    else
        fprintf(stderr, "wend: %s\n", condition);
}

static wend_assert_handler *assert_handler = print_assert;

void wend_set_assert_handler(wend_assert_handler *handler) {
    assert_handler = handler ? handler : print_assert;
}

void wend__assert_failed(const char *condition, const char *file, int line) {
    assert_handler(condition, file, line);
    abort();
}
