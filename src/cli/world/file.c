/* SPDX-License-Identifier: MIT */
/* Reads whole files, and recognises scripts and Tiled maps by their first bytes. */
#define _POSIX_C_SOURCE 200809L

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/output/messages.h"
#include "cli/world/world.h"
#include <wend/formats.h>

bool cli_looks_tiled(const char *bytes, size_t size) {
    size_t at = size >= 3 && memcmp(bytes, "\xEF\xBB\xBF", 3) == 0 ? 3 : 0;
    while (at < size && strchr(" \t\r\n", bytes[at]) && bytes[at] != '\0') at++;
    const bool wide = size >= 2 && (memcmp(bytes, "\xFF\xFE", 2) == 0 || memcmp(bytes, "\xFE\xFF", 2) == 0);
    return wide || (at < size && (bytes[at] == '{' || bytes[at] == '<'));
}

static bool is_space(char c) {
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

/* No map format begins with a command's name. */
bool cli_script_begins(const char *text, size_t size) {
    size_t at = size >= 3 && memcmp(text, "\xEF\xBB\xBF", 3) == 0 ? 3 : 0;
    while (at < size && (is_space(text[at]) || text[at] == '#')) {
        const char *end = text[at] == '#' ? memchr(text + at, '\n', size - at) : text + at;
        at = end ? (size_t)(end - text) + 1 : size;
    }
    size_t begin = at;
    while (at < size && !is_space(text[at])) at++;
    return at > begin && wend__order_find(text + begin, at - begin, WEND__SCRIPT) >= 0;
}

/* The most bytes to read of a file, by its first part: a larger script or map is a mistake, such as a device. Only a
   comment may come before the words that show a map's format; any other first part is enough to refuse the file. */
static uint64_t most_of(const char *bytes, size_t size) {
    if (cli_script_begins(bytes, size)) return CLI_MAX_SCRIPT_BYTES;
    if (cli_looks_tiled(bytes, size)) return WEND_MAX_TILED_BYTES;
    size_t blank = strspn(bytes, " \t\r\n");
    bool comment = blank < size && (bytes[blank] == '#' || bytes[blank] == 'c');
    bool known = wend_format_detect(bytes, size) != WEND_FORMAT_UNKNOWN || blank == size || comment;
    return known ? WEND_MAX_MAP_BYTES : size;
}

typedef struct reading {
    char *bytes;
    size_t used, capacity;
    uint64_t most; /* 0: the first part sets it */
} reading;

/* 0, or an errno; EFBIG: larger than `most`. */
static int read_parts(FILE *file, reading *r) {
    for (;;) {
        r->used += fread(r->bytes + r->used, 1, r->capacity - 1 - r->used, file);
        r->bytes[r->used] = '\0';
        if (r->used < r->capacity - 1) return ferror(file) ? (errno != 0 ? errno : EIO) : 0;
        if (r->most == 0) {
            r->most = most_of(r->bytes, r->used);
            if (r->most == r->used) return 0; /* no map: the parser gives the reason */
        }
        if (r->used > r->most) return EFBIG;
        size_t capacity = r->capacity > SIZE_MAX / 2 ? SIZE_MAX : r->capacity * 2;
        if (capacity - 2 > r->most) capacity = (size_t)r->most + 2;
        char *more = realloc(r->bytes, capacity);
        if (!more) return ENOMEM;
        r->bytes = more;
        r->capacity = capacity;
    }
}

/* Returns a whole file, with a zero behind it. NULL: see errno; if that is EFBIG, *most is the limit. */
static char *read_whole(const char *path, uint64_t *most, size_t *size) {
    bool standard = strcmp(path, "-") == 0;
    FILE *file = standard ? stdin : fopen(path, "rb");
    if (!file) return NULL;
    reading r = {.capacity = (size_t)1 << 15, .most = *most};
    errno = 0;
    r.bytes = malloc(r.capacity);
    int error = !r.bytes ? ENOMEM : read_parts(file, &r);
    if (!standard) fclose(file);
    *size = r.used;
    *most = r.most;
    if (error == 0) return r.bytes;
    free(r.bytes);
    errno = error;
    return NULL;
}

/* Prints why read_whole() failed. */
static const char *reason(int error, uint64_t most, char out[80]) {
    snprintf(out, 80, "larger than %" PRIu64 " bytes, the most that is read", most);
    return error == EFBIG ? out : strerror(error);
}

char *cli_read_file(const char *path, uint64_t most, size_t *size) {
    char text[80], *bytes = read_whole(path, &most, size);
    if (!bytes) cli_fail_at(path, 0, 0, "%s", reason(errno, most, text));
    return bytes;
}

char *cli_read_map(const char *path, size_t *size, char why[80]) {
    uint64_t most = 0;
    char text[80], *bytes = read_whole(path, &most, size);
    if (!bytes) snprintf(why, sizeof text, "%s", reason(errno, most, text));
    return bytes;
}

char *cli_folder_of(const char *path) {
    const char *slash = strrchr(path, '/');
    return !slash ? strdup(".") : strndup(path, slash == path ? 1 : (size_t)(slash - path));
}
