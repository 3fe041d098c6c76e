/* SPDX-License-Identifier: MIT */
/* Promises of plain programs: a broken one is printed with its place, and ends the program with status 1. */
#ifndef WEND_TESTS_STRESS_PROMISE_H
#define WEND_TESTS_STRESS_PROMISE_H

#include <stdio.h>
#include <stdlib.h>

#define PROMISE(condition)                                                                                             \
    do {                                                                                                               \
        if (!(condition)) {                                                                                            \
            fprintf(stderr, "%s:%d: broken: %s\n", __FILE__, __LINE__, #condition);                                    \
            exit(1);                                                                                                   \
        }                                                                                                              \
    } while (0)

#endif
