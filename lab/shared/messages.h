/* SPDX-License-Identifier: MIT */
/* Messages for people: errors on standard error, and progress by functions of the program around the laboratory. */
#ifndef WEND_LAB_SHARED_MESSAGES_H
#define WEND_LAB_SHARED_MESSAGES_H

#include <stdbool.h>
#include <stdint.h>

/// Functions of the program around the laboratory, set once, before its first call. Each may be NULL.
typedef struct lab_program {
    void (*progress)(const char *what, uint64_t done, uint64_t total);
    void (*progress_end)(void); ///< called before each message, too
} lab_program;

void lab_set_program(lab_program program);
void lab_progress(const char *what, uint64_t done, uint64_t total);
void lab_progress_end(void);

/// Prints "wend: …" and a line end. @return false
bool lab_fail(const char *format, ...) __attribute__((format(printf, 1, 2)));
/// Prints "file: …"; a file of the name "-" is standard input. @return false
bool lab_fail_at(const char *file, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
