/* SPDX-License-Identifier: MIT */
/* Large files that take no room: a hole behind their beginning. */
#ifndef WEND_TESTS_SPARSE_FILE_H
#define WEND_TESTS_SPARSE_FILE_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/types.h>

/// Makes a file of that size, which ends with a new line.
/// @return false: it cannot be made, and is not there
static inline bool sparse_file_put(const char *path, const char *begin, int64_t bytes) {
    signal(SIGXFSZ, SIG_IGN);
    FILE *file = fopen(path, "wb");
    if (!file) return false;
    bool good = fputs(begin, file) >= 0 && fseeko(file, (off_t)bytes - 1, SEEK_SET) == 0 && fputc('\n', file) >= 0;
    good = fclose(file) == 0 && good;
    if (!good) remove(path);
    return good;
}

/// Returns whether a file of that size can be made, and takes no room here. Only a small one is made where holes do.
static inline bool sparse_file_can(const char *path, int64_t bytes) {
    enum { SMALL = 1 << 24, BLOCK = 512 };
    struct stat about;
    const bool holes =
        sparse_file_put(path, "", SMALL) && stat(path, &about) == 0 && about.st_blocks * BLOCK < SMALL / 4;
    const bool can = holes && (int64_t)(off_t)bytes == bytes && sparse_file_put(path, "", bytes);
    remove(path);
    return can;
}

#endif
