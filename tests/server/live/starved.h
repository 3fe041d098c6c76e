/* SPDX-License-Identifier: MIT */
/* Lack of memory for libwend-live alone: its allocations fail, those of other libraries do not. See test_open.c. */
#ifndef TESTS_SERVER_LIVE_STARVED_H
#define TESTS_SERVER_LIVE_STARVED_H

#include <stdbool.h>

extern int starved_left;      ///< allocations until one fails; -1: none does
extern bool starved_for_good; ///< all after it fail, too, until starved_left is set again

#endif
