/* SPDX-License-Identifier: MIT */
/* Rows of limits: a call with the value before a limit, with the limit, and with the value past it. */
#ifndef WEND_TESTS_LIMITS_H
#define WEND_TESTS_LIMITS_H

#include "models/defaults.h"

#include <criterion/criterion.h>

/// Expects that `call`, which reads `value`, returns `good` up to the limit, and `past` with one more. With one less:
/// AT_LEAST. tests/repo/limits.sh looks for these names.
#define AT_MOST_GIVES(most, good, past, call) TRY_LIMIT(most, value <= (int64_t)(most) ? (good) : (past), call)
#define AT_LEAST_GIVES(least, good, past, call) TRY_LIMIT(least, value >= (int64_t)(least) ? (good) : (past), call)
#define AT_MOST(most, past, call) AT_MOST_GIVES(most, WEND_OK, past, call)
#define AT_LEAST(least, past, call) AT_LEAST_GIVES(least, WEND_OK, past, call)

#define TRY_LIMIT(limit, wanted, call)                                                                                 \
    do {                                                                                                               \
        for (int64_t value = (int64_t)(limit)-1; value <= (int64_t)(limit) + 1; value++) {                             \
            const int64_t got = (call), expected = (wanted);                                                           \
            cr_expect_eq(got, expected, #call " with %lld: %lld, not %lld", (long long)value, (long long)got,          \
                         (long long)expected);                                                                         \
        }                                                                                                              \
    } while (0)

#endif
