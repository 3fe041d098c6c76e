/* SPDX-License-Identifier: MIT */
/* The allocator behind the linker's --wrap: a call returns no memory if fails() is true, a function defined before the
 * include. For one file of a program. */
#ifndef TESTS_SERVER_LIVE_WRAPPED_H
#define TESTS_SERVER_LIVE_WRAPPED_H

#include <stddef.h>

#define FOR_LINKER __attribute__((visibility("default")))

void *__real_malloc(size_t bytes);
FOR_LINKER void *__wrap_malloc(size_t bytes);
void *__wrap_malloc(size_t bytes) {
    return fails() ? NULL : __real_malloc(bytes);
}

void *__real_calloc(size_t count, size_t bytes);
FOR_LINKER void *__wrap_calloc(size_t count, size_t bytes);
void *__wrap_calloc(size_t count, size_t bytes) {
    return fails() ? NULL : __real_calloc(count, bytes);
}

void *__real_realloc(void *old, size_t bytes);
FOR_LINKER void *__wrap_realloc(void *old, size_t bytes);
void *__wrap_realloc(void *old, size_t bytes) {
    return fails() ? NULL : __real_realloc(old, bytes);
}

char *__real_strdup(const char *text);
FOR_LINKER char *__wrap_strdup(const char *text);
char *__wrap_strdup(const char *text) {
    return fails() ? NULL : __real_strdup(text);
}

#endif
