/* SPDX-License-Identifier: MIT */
/* Names and texts of the promises, their sums, and the line that tells of a broken one. */
#include "promises/promises.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

#include "shared/messages.h"

static const struct {
    promise_keeper keeper;
    const char *name, *text;
} rows[] = {
#define PROMISE_X(who, name, text) {PROMISE_##who, #name, text},
    PROMISES(PROMISE_X)
#undef PROMISE_X
};

const char *promise_name(int promise) {
    return rows[promise].name;
}

const char *promise_text(int promise) {
    return rows[promise].text;
}

bool promise_applies(const promises *all, int promise) {
    return rows[promise].keeper == all->keeper || all->checked[promise] > 0;
}

static uint64_t sum_of(const uint64_t *counts) {
    uint64_t total = 0;
    for (int i = 0; i < PROMISE_COUNT; i++) total += counts[i];
    return total;
}

uint64_t promises_checked(const promises *all) {
    return sum_of(all->checked);
}

uint64_t promises_broken(const promises *all) {
    return sum_of(all->broken);
}

void promise_report(int promise, uint64_t frame, const char *format, ...) {
    char what[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(what, sizeof what, format, arguments);
    va_end(arguments);
    lab_fail("promise broken: %s (%s): frame %" PRIu64 ": %s", promise_name(promise), promise_text(promise), frame,
             what);
}
