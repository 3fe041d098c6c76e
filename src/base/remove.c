/* SPDX-License-Identifier: MIT */
/* Removes what was begun and could not be finished. */
#define _POSIX_C_SOURCE 200809L
#include "base/base.h"

#include <stdio.h>
#include <sys/stat.h>

void wend__remove_file(const char *path) {
    struct stat what;
    if (lstat(path, &what) == 0 && S_ISREG(what.st_mode)) remove(path);
}
