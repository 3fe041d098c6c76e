/* SPDX-License-Identifier: MIT */
/* Finds a file of the page by the path in its address. */
#include "live/page/page.h"

#include <string.h>

const wend__page_file *wend__page_find(const char *path) {
    for (const wend__page_file *file = wend__page_files; file->path; file++)
        if (!strcmp(file->path, path)) return file;
    return NULL;
}
