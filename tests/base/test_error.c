/* SPDX-License-Identifier: MIT */
/* Names and texts of errors and statuses, the version, and failed assertions. */
#include "base/base.h"

#include <criterion/criterion.h>
#include <signal.h>
#include <stdlib.h>
#include <stdio.h>
#include <string.h>
#include <wend/host.h>

Test(error, every_one_has_its_name_and_a_text) {
    int32_t before = 1;
#define WEND_X(name, number, text_)                                                                                    \
    cr_assert_str_eq(wend_error_name(WEND_##name), "WEND_" #name);                                                     \
    cr_assert_str_eq(wend_error_text(WEND_##name), text_);                                                             \
    cr_assert(WEND_##name < before, "numbers fall from 0: %s", #name);                                                 \
    before = WEND_##name;
    WEND_ERRORS(WEND_X)
#undef WEND_X
    cr_assert_eq(before, -13);
}

Test(error, unknown_numbers_have_a_name_too) {
    static const int32_t none[] = {1, -14, INT32_MIN, INT32_MAX};
    for (size_t i = 0; i < sizeof none / sizeof none[0]; i++) {
        cr_assert_str_eq(wend_error_name(none[i]), "unknown");
        cr_assert_str_eq(wend_error_text(none[i]), "unknown error");
    }
}

Test(status, every_one_has_its_name) {
    static const char *const names[] = {"pending",      "found",     "partial",  "no_path",  "start_blocked",
                                        "goal_blocked", "cancelled", "expired",  "limit",    "out_of_nodes",
                                        "stale",        "too_long",  "replaced", "displaced"};
    cr_assert_eq(sizeof names / sizeof names[0], WEND_STATUS_COUNT);
    for (int32_t i = 0; i < WEND_STATUS_COUNT; i++) cr_assert_str_eq(wend_status_name(i), names[i]);
    cr_assert_str_eq(wend_status_name(-1), "unknown");
    cr_assert_str_eq(wend_status_name(WEND_STATUS_COUNT), "unknown");
}

Test(version, is_what_the_header_says) {
    char expected[64];
    snprintf(expected, sizeof expected, "%d.%d.%d%s", WEND_VERSION_MAJOR, WEND_VERSION_MINOR, WEND_VERSION_PATCH,
             WEND_VERSION_SUFFIX);
    cr_assert_str_eq(wend_version(), expected);
    cr_assert_str_eq(wend_version(), TEST_VERSION, "configure.ac and wend/base.h disagree");
}

Test(assertion, holds_quietly) {
    WEND__ASSERT(1 + 1 == 2);
}

Test(assertion, ends_the_program, .signal = SIGABRT) {
    WEND__ASSERT(1 + 1 == 3);
}

static void leave_properly(const char *condition, const char *file, int line) {
    if (strcmp(condition, "1 + 1 == 3") == 0 && strstr(file, "test_error.c") && line > 0) _Exit(42);
}

Test(assertion, tells_the_handler_first, .exit_code = 42) {
    wend_set_assert_handler(leave_properly);
    WEND__ASSERT(1 + 1 == 3);
}

static void do_nothing(const char *condition, const char *file, int line) {
    (void)condition, (void)file, (void)line;
}

Test(assertion, ends_the_program_though_the_handler_returns, .signal = SIGABRT) {
    wend_set_assert_handler(do_nothing);
    WEND__ASSERT(0);
}

Test(assertion, null_brings_the_default_back, .signal = SIGABRT) {
    wend_set_assert_handler(leave_properly);
    wend_set_assert_handler(NULL);
    WEND__ASSERT(1 + 1 == 3);
}
