/* SPDX-License-Identifier: MIT */
#include "echo.h"

#include <string.h>

static const char *called = "";
static int right;

/* All bytes are below 0x40, so that a double is a number, which each machine copies as it is. A single byte may be a
 * bool: it is 0 or 1. */
void echo_fill(void *to, size_t bytes, int position) {
    unsigned char *out = to;
    const size_t most = bytes == 1 ? 1 : 0x3f;
    for (size_t i = 0; i < bytes; i++) out[i] = (unsigned char)((1 + (size_t)position * 17 + bytes * 3 + i * 5) & most);
}

void echo_begin(const char *function) {
    called = function;
    right = 0;
}

void echo_take(int position, const void *at, size_t bytes) {
    unsigned char wanted[64];
    if (bytes > sizeof wanted) return;
    echo_fill(wanted, bytes, position);
    right += memcmp(at, wanted, bytes) == 0;
}

int echo_right(const char *function) {
    const int answer = strcmp(function, called) == 0 ? right : -1;
    called = "";
    return answer;
}
