/* SPDX-License-Identifier: MIT */
/* Numbers and texts of a script's save, its head, and the file. */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "base/hash.h"
#include "base/system/replace.h"
#include "saves/saves.h"

enum { FORMAT = 1, HEAD = 32, SUMMED_FROM = 8, SUM_AT = 24 };
static const uint8_t mark[8] = {'w', 'e', 'n', 'd', ' ', 'r', 'u', 'n'};

/* ---- errors ---- */

void saved_spoil(saved *s, const char *format, ...) {
    va_list arguments;
    if (s->bad) return;
    s->bad = true;
    va_start(arguments, format);
    vsnprintf(s->why, sizeof s->why, format, arguments);
    va_end(arguments);
}

bool saved_allows(saved *s, wend_error error) {
    if (error) saved_spoil(s, "%s", wend_error_detail(error));
    return !error;
}

static void spoil_value(saved *s) {
    saved_spoil(s, "the save has a value that it cannot have, before byte %zu", s->at);
}

/* ---- bytes ---- */

static bool grow(saved *s, size_t capacity) {
    uint8_t *more = realloc(s->bytes, capacity);
    if (!more) {
        saved_spoil(s, "no memory");
        return false;
    }
    s->bytes = more;
    s->capacity = capacity;
    return true;
}

void saved_reserve(saved *s, size_t bytes) {
    if (!s->bad && bytes > s->capacity) grow(s, bytes);
}

/* Returns room for writing bytes. NULL: no memory */
static uint8_t *room_for(saved *s, size_t count) {
    if (s->bad) return NULL;
    if (s->at == 0) s->at = HEAD;
    if (count > SIZE_MAX / 4 || s->at > SIZE_MAX / 4) {
        saved_spoil(s, "no memory");
        return NULL;
    }
    if (s->at + count > s->capacity && !grow(s, 2 * (s->at + count) + 4096)) return NULL;
    s->at += count;
    return s->bytes + s->at - count;
}

/* Returns bytes for reading. NULL: fewer are left */
static uint8_t *take(saved *s, size_t count) {
    if (s->bad) return NULL;
    if (count > s->size - s->at) {
        spoil_value(s);
        return NULL;
    }
    s->at += count;
    return s->bytes + s->at - count;
}

static void put_number(saved *s, uint64_t value) {
    uint8_t bytes[WEND__LONGEST_NUMBER];
    const size_t count = (size_t)(wend__write_number(bytes, value) - bytes);
    uint8_t *to = room_for(s, count);
    if (to) memcpy(to, bytes, count);
}

static uint64_t get_number(saved *s) {
    uint64_t value = 0;
    for (unsigned i = 0; i < WEND__LONGEST_NUMBER; i++) {
        const uint8_t *byte = take(s, 1);
        if (!byte) return 0;
        value |= (uint64_t)(*byte & 127) << 7 * i;
        if (*byte < 128) return value;
    }
    spoil_value(s);
    return 0;
}

/* ---- values ---- */

uint64_t saved_number(saved *s, uint64_t value) {
    if (s->reads) return get_number(s);
    put_number(s, value);
    return value;
}

uint64_t saved_below(saved *s, uint64_t value, uint64_t end) {
    value = saved_number(s, value);
    if (!s->reads || value < end) return value;
    spoil_value(s);
    return 0;
}

/* Small numbers of both signs are short. */
int64_t saved_signed(saved *s, int64_t value) {
    const uint64_t folded = (uint64_t)value << 1 ^ (value < 0 ? UINT64_MAX : 0);
    const uint64_t bits = saved_number(s, folded);
    return (int64_t)(bits >> 1 ^ (0 - (bits & 1)));
}

int32_t saved_int(saved *s, int32_t value) {
    const int64_t wide = saved_signed(s, value);
    if (wide >= INT32_MIN && wide <= INT32_MAX) return (int32_t)wide;
    spoil_value(s);
    return 0;
}

bool saved_flag(saved *s, bool value) {
    return saved_below(s, value, 2) != 0;
}

wend_cell saved_cell(saved *s, wend_cell cell) {
    cell.x = saved_int(s, cell.x);
    cell.y = saved_int(s, cell.y);
    cell.z = saved_int(s, cell.z);
    return cell;
}

size_t saved_count(saved *s, size_t count) {
    count = (size_t)saved_number(s, count);
    if (!s->reads || s->bad) return s->bad ? 0 : count;
    if (count <= s->size - s->at) return count;
    spoil_value(s);
    return 0;
}

uint8_t *saved_part(saved *s, size_t *bytes) {
    *bytes = (size_t)saved_number(s, *bytes);
    return s->reads ? take(s, *bytes) : room_for(s, *bytes);
}

uint8_t *saved_part_begin(saved *s, size_t *room) {
    *room = 0;
    if (!room_for(s, WEND__LONGEST_NUMBER)) return NULL;
    s->at -= WEND__LONGEST_NUMBER;
    *room = s->capacity - s->at - WEND__LONGEST_NUMBER;
    return s->bytes + s->at + WEND__LONGEST_NUMBER;
}

bool saved_part_end(saved *s, wend_error error, const size_t *length) {
    if (s->bad) return false;
    const size_t bytes = *length;
    if (error == WEND_OUT_OF_MEMORY && bytes > s->capacity - s->at - WEND__LONGEST_NUMBER) {
        if (!room_for(s, bytes) || !room_for(s, WEND__LONGEST_NUMBER)) return false;
        s->at -= bytes + WEND__LONGEST_NUMBER;
        return true;
    }
    if (!saved_allows(s, error)) return false;
    const size_t from = s->at + WEND__LONGEST_NUMBER;
    put_number(s, bytes);
    memmove(s->bytes + s->at, s->bytes + from, bytes);
    s->at += bytes;
    return false;
}

char *saved_text(saved *s, const char *text, size_t length) {
    uint8_t *at = saved_part(s, &length);
    if (!at) return NULL;
    if (!s->reads) {
        memcpy(at, text, length);
        return NULL;
    }
    char *copy = memchr(at, 0, length) ? NULL : malloc(length + 1);
    if (!copy) {
        spoil_value(s);
        return NULL;
    }
    memcpy(copy, at, length);
    copy[length] = '\0';
    return copy;
}

/* ---- the head ---- */

/* Returns the checksum of all bytes but the mark and the checksum itself. */
static uint64_t sum_of(const uint8_t *bytes, size_t count) {
    const uint64_t hash = wend__hash_bytes(WEND__HASH_START, bytes + SUMMED_FROM, SUM_AT - SUMMED_FROM);
    return wend__hash_bytes(hash, bytes + HEAD, count - HEAD);
}

void saved_sum(saved *s) {
    const size_t size = s->reads ? s->size : s->at;
    wend__put_fixed(s->bytes + SUM_AT, sum_of(s->bytes, size), 8);
}

void saved_finish(saved *s) {
    memcpy(s->bytes, mark, sizeof mark);
    wend__put_fixed(s->bytes + 8, FORMAT, 8);
    wend__put_fixed(s->bytes + 16, s->at, 8);
    saved_sum(s);
}

bool saved_is_one(const char *bytes, size_t size) {
    return size >= HEAD && memcmp(bytes, mark, sizeof mark) == 0;
}

bool saved_begin_reading(saved *s) {
    if (s->size < HEAD || memcmp(s->bytes, mark, sizeof mark) != 0) {
        saved_spoil(s, "it is no save of wend run");
        return false;
    }
    const uint64_t format = wend__get_fixed(s->bytes + 8, 4), length = wend__get_fixed(s->bytes + 16, 8);
    s->at = HEAD;
    if (format == 0 || format > FORMAT)
        saved_spoil(s, "the save has format %u, this version reads up to %d", (unsigned)format, FORMAT);
    else if (length != s->size)
        saved_spoil(s, "the save is cut: it has %zu bytes, and had %llu", s->size, (unsigned long long)length);
    else if (wend__get_fixed(s->bytes + SUM_AT, 8) != sum_of(s->bytes, s->size))
        saved_spoil(s, "the save is damaged: its checksum is wrong");
    return !s->bad;
}

bool saved_end_reading(saved *s) {
    if (!s->bad && s->at != s->size) spoil_value(s);
    return !s->bad;
}

/* ---- files ---- */

/* A save that cannot be written completely leaves the previous one. */
bool saved_write(saved *s, const char *path) {
    wend__replacement file;
    if (s->bad) return false;
    saved_finish(s);
    int reason = wend__replace_begin(&file, path);
    if (!reason) {
        fwrite(s->bytes, 1, s->at, file.stream);
        reason = wend__replace_end(&file, 0);
    }
    if (reason) saved_spoil(s, "it cannot be written: %s", wend__errno_text(reason));
    return !s->bad;
}

bool saved_read(saved *s, const char *path) {
    enum { FIRST = 1 << 15 };
    errno = 0;
    FILE *file = fopen(path, "rb");
    size_t got = 1;
    if (!file) saved_spoil(s, "it cannot be read: %s", strerror(errno));
    while (!s->bad && got > 0) {
        if (s->size == s->capacity) {
            const size_t capacity = s->capacity == 0 ? FIRST : s->capacity > SIZE_MAX / 2 ? SIZE_MAX : 2 * s->capacity;
            uint8_t *more = realloc(s->bytes, capacity);
            if (more) s->bytes = more, s->capacity = capacity;
            if (!more) saved_spoil(s, "no memory");
        }
        if (s->bad) break;
        got = fread(s->bytes + s->size, 1, s->capacity - s->size, file);
        s->size += got;
        if (got == 0 && ferror(file)) saved_spoil(s, "it cannot be read: %s", strerror(errno));
        if (s->size >= HEAD && memcmp(s->bytes, mark, sizeof mark) != 0) break; /* another file may be endless */
    }
    if (file) fclose(file);
    return !s->bad && saved_begin_reading(s);
}
