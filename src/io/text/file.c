/* SPDX-License-Identifier: MIT */
/* Reads whole files into memory, also pipes of unknown size. */
#include "base/system/replace.h"
#include "io/text/file.h"
#include "io/text/text.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

enum { FIRST_BYTES = 32768 };

static bool grow(wend__file_bytes *file, size_t capacity) {
    WEND__DEBUG_ASSERT(file->size <= file->capacity);
    if (capacity <= file->capacity) return wend__refuse_memory(SIZE_MAX), false;
    unsigned char *bytes = wend__allocate(&file->allocator, capacity, 1);
    if (!bytes) return false;
    if (file->size) memcpy(bytes, file->bytes, file->size);
    wend__file_drop(file);
    file->bytes = bytes;
    file->capacity = capacity;
    return true;
}

/* After the first part the buffer grows to the size of the file, also beyond the limit. If the size is
   unknown, or was too small, the buffer doubles. One byte more lets the next read see the end of the file. */
static size_t next_capacity(FILE *stream, const wend__file_bytes *file, size_t most) {
    long here = ftell(stream), size = -1;
    if (file->capacity == 0) return most < FIRST_BYTES ? most + 1 : FIRST_BYTES;
    if (here >= 0 && fseek(stream, 0, SEEK_END) == 0) {
        size = ftell(stream);
        if (fseek(stream, here, SEEK_SET) != 0) return 0;
    }
    if (size > here && (size_t)size >= file->capacity) return (size_t)size + 1;
    return file->capacity <= most / 2 ? file->capacity * 2 : most + 1;
}

/* A file that is known to be too large is not read further; for another, one byte beyond the limit shows it. */
static wend_error read_all(FILE *stream, size_t most, wend__file_hopeless_fn *hopeless, wend__file_bytes *file) {
    do {
        if (file->size == file->capacity) {
            if (file->size > most) return WEND_UNSUPPORTED;
            const size_t capacity = next_capacity(stream, file, most);
            if (capacity > most + 1) return WEND_UNSUPPORTED;
            if (hopeless && file->size == FIRST_BYTES && hopeless(file->bytes, file->size)) return WEND_OK;
            if (!grow(file, capacity)) return WEND_OUT_OF_MEMORY;
        }
        file->size += fread(file->bytes + file->size, 1, file->capacity - file->size, stream);
        if (ferror(stream)) return WEND_IO;
    } while (!feof(stream));
    return file->size > most ? WEND_UNSUPPORTED : WEND_OK;
}

wend_error wend__file_read(const char *path, wend_allocator allocator, uint64_t most, wend__file_hopeless_fn *hopeless,
                           wend__file_bytes *out, wend_file_error *error) {
    wend__file_bytes file = {.allocator = wend__allocator_or_default(allocator)};
    if (most >= SIZE_MAX) most = SIZE_MAX - 1;
    errno = 0;
    FILE *stream = fopen(path, "rb");
    if (!stream) return wend__fail(error, WEND_IO, NULL, "cannot be opened: %s", wend__errno_text(errno));
    setvbuf(stream, NULL, _IONBF, 0); /* the parts read are large */
    wend_error code = read_all(stream, (size_t)most, hopeless, &file);
    int reason = errno;
    fclose(stream);
    if (!code) {
        *out = file;
        return WEND_OK;
    }
    wend__file_drop(&file);
    if (code == WEND_OUT_OF_MEMORY) return wend__fail_as_noted(error, code);
    if (code == WEND_UNSUPPORTED)
        return wend__fail(error, code, NULL, "larger than %llu bytes, the most that is read", (unsigned long long)most);
    return wend__fail(error, WEND_IO, NULL, "cannot be read: %s", wend__errno_text(reason));
}

void wend__file_drop(wend__file_bytes *file) {
    if (file->bytes) file->allocator.free(file->allocator.context, file->bytes, file->capacity);
    file->bytes = NULL;
}

bool wend__file_exists(const char *path) {
    errno = 0;
    FILE *stream = fopen(path, "rb");
    if (stream) return fclose(stream), true;
    return errno != ENOENT;
}

bool wend__coordinates_path(const char *path, char out[FILENAME_MAX]) {
    size_t length = strlen(path);
    if (length < 3 || length >= FILENAME_MAX || strcmp(path + length - 3, ".gr") != 0) return false;
    memcpy(out, path, length + 1);
    out[length - 2] = 'c', out[length - 1] = 'o';
    return true;
}

void wend__file_name(const char *path, char out[WEND__NAME_BYTES]) {
    const char *slash = strrchr(path, '/');
    snprintf(out, WEND__NAME_BYTES, "%s", slash ? slash + 1 : path);
    for (char *at = out; *at; at++)
        if (*at < 0x20 || *at > 0x7E) *at = '?';
}
