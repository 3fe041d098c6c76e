/* SPDX-License-Identifier: MIT */
/* A library that stands in for libwend where the calls of a binding are tested: its functions, which `emit.py API.json
 * echo` writes, compare each argument with the bytes that belong to its position and size, and return such bytes. A
 * binding that declares another size, or an order that changes sizes or registers, passes other bytes. */
#ifndef WEND_ECHO_H
#define WEND_ECHO_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { ECHO_RESULT = 31 }; /* the position of what a function returns */

void echo_fill(void *to, size_t bytes, int position);
void echo_begin(const char *function);
void echo_take(int position, const void *at, size_t bytes);
/* Returns how many arguments of the last call were right; -1 if it was none of this function. */
int echo_right(const char *function);

#define ECHO_TAKE(position, argument) echo_take(position, &(argument), sizeof(argument))
#define ECHO_RETURN(type)                                                                                              \
    type result;                                                                                                       \
    echo_fill(&result, sizeof result, ECHO_RESULT);                                                                    \
    return result

#ifdef __cplusplus
}
#endif

#endif
