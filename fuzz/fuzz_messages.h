/* SPDX-License-Identifier: MIT */
/* Messages of the program, counted. */
#ifndef WEND_FUZZ_MESSAGES_H
#define WEND_FUZZ_MESSAGES_H

#include <stddef.h>

/// Messages with a place so far.
extern size_t fuzz_messages;

#endif
