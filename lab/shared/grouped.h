/* SPDX-License-Identifier: MIT */
/* Numbers for people: 1234567 as 1,234,567. */
#ifndef WEND_LAB_SHARED_GROUPED_H
#define WEND_LAB_SHARED_GROUPED_H

#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>

enum { CLI_NUMBER_BYTES = 32 };

static inline const char *cli_grouped(uint64_t number, char out[CLI_NUMBER_BYTES]) {
    char digits[CLI_NUMBER_BYTES];
    int length = snprintf(digits, sizeof digits, "%" PRIu64, number), at = 0;
    for (int i = 0; i < length; i++) {
        if (i > 0 && (length - i) % 3 == 0) out[at++] = ',';
        out[at++] = digits[i];
    }
    out[at] = '\0';
    return out;
}

/// The text of a number. Each use in an expression has its own buffer.
#define GROUPED(number) cli_grouped(number, (char[CLI_NUMBER_BYTES]){0})

enum { CLI_COUNT_BYTES = CLI_NUMBER_BYTES + 16 };

static inline const char *cli_counted(uint64_t number, const char *noun, char out[CLI_COUNT_BYTES]) {
    snprintf(out, CLI_COUNT_BYTES, "%s %s%s", GROUPED(number), noun, number == 1 ? "" : "s");
    return out;
}

/// A number with its noun, of up to 14 letters: "1 agent", "1,000 agents".
#define COUNTED(number, noun) cli_counted(number, noun, (char[CLI_COUNT_BYTES]){0})

#endif
