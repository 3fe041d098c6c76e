/* SPDX-License-Identifier: MIT */
/* Files beyond standard C: maps them into memory. */
#define _POSIX_C_SOURCE 200809L
#include "base/base.h"

#include <stdio.h>

/* The build without mmap() reads files. */
#if defined(_WIN32) || defined(__wasm__)

const void *wend__mapped_open(const char *path, const void *beginning, size_t beginning_bytes, size_t *bytes) {
    (void)path, (void)beginning, (void)beginning_bytes, (void)bytes;
    return NULL;
}

void wend__mapped_close(const void *mapped, size_t bytes) {
    (void)mapped, (void)bytes;
}

#else

#include <fcntl.h>
#include <stdbool.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

static bool begins_with(int file, const void *beginning, size_t count) {
    char bytes[16];
    return count <= sizeof bytes && pread(file, bytes, count, 0) == (ssize_t)count &&
           memcmp(bytes, beginning, count) == 0;
}

const void *wend__mapped_open(const char *path, const void *beginning, size_t beginning_bytes, size_t *bytes) {
    const int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK); /* a pipe without a writer would wait */
    struct stat about;
    void *mapped = MAP_FAILED;
    if (file < 0) return NULL;
    if (fstat(file, &about) == 0 && S_ISREG(about.st_mode) && about.st_size > 0 &&
        (uint64_t)about.st_size <= SIZE_MAX && begins_with(file, beginning, beginning_bytes))
        mapped = mmap(NULL, (size_t)about.st_size, PROT_READ, MAP_PRIVATE, file, 0);
    close(file);
    if (mapped == MAP_FAILED) return NULL;
    *bytes = (size_t)about.st_size;
    return mapped;
}

void wend__mapped_close(const void *mapped, size_t bytes) {
    munmap((void *)mapped, bytes);
}

#endif
