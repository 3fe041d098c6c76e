/* SPDX-License-Identifier: MIT */
/* Errors: names and texts, the reason of the calling thread's last failed call, the log, and failed assertions. */
#include "base/base.h"
#include "base/names.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <wend/host.h>

#define STRING_(x) #x
#define STRING(x) STRING_(x)

const char *wend_error_name(wend_error error) {
    switch (error) {
#define WEND_X(constant, text)                                                                                         \
    case constant: return #constant;
        WEND__ERRORS(WEND_X)
#undef WEND_X
    default: return "unknown";
    }
}

WEND__DEFINE_TEXT(wend_error_text, WEND__ERRORS, "unknown error")
WEND__DEFINE_TEXT(wend_status_name, WEND__STATUSES, "unknown")

const char *wend_version(void) {
    return STRING(WEND_VERSION_MAJOR) "." STRING(WEND_VERSION_MINOR) "." STRING(WEND_VERSION_PATCH) WEND_VERSION_SUFFIX;
}

static void print_assert(const char *condition, const char *file, int line) {
    if (line > 0)
        fprintf(stderr, "wend: %s:%d: assertion failed: %s\n", file, line, condition);
    else
        fprintf(stderr, "wend: %s\n", condition);
}

static wend_assert_handler *assert_handler = print_assert;

void wend_set_assert_handler(wend_assert_handler *handler) {
    assert_handler = handler ? handler : print_assert;
}

void wend__assert_failed(const char *condition, const char *file, int line) {
    assert_handler(condition, file, line);
    abort();
}

enum { DETAIL_BYTES = 256 };

/* ---- the log ---- */

/* The log of the process, set while no other thread calls. */
static struct {
    wend_log_fn *log;
    void *context;
    int32_t level;
} host_log;

void wend_set_log(wend_log_fn *log, void *context, int32_t level) {
    host_log.context = context;
    host_log.level = log ? level : 0;
    host_log.log = log;
}

/* Errors of files and memory are the caller's matter, and orders that name removed objects are part of any game. */
static int32_t level_of(wend_error error) {
    switch (error) {
    case WEND_OUT_OF_MEMORY:
    case WEND_IO:
    case WEND_BAD_FORMAT: return WEND_LOG_ERROR;
    case WEND_BUSY:
    case WEND_STALE_TICKET:
    case WEND_EMPTY:
    case WEND_BLOCKED:
    case WEND_OUT_OF_RANGE: return WEND_LOG_INFO;
    default: return WEND_LOG_WARNING;
    }
}

static void log_refusal(wend_error error, const char *text) {
    const int32_t level = level_of(error);
    if (level <= host_log.level) host_log.log(host_log.context, level, error, text);
}

void wend__log(int32_t level, wend_error error, const char *format, ...) {
    char text[DETAIL_BYTES];
    va_list arguments;
    if (level > host_log.level) return;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    host_log.log(host_log.context, level, error, text);
}

/* ---- the detail ---- */

/* A thread has no error at first: WEND_OK. */
static _Thread_local struct {
    wend_error error;
    const char *text; ///< a literal, or the buffer
    char buffer[DETAIL_BYTES];
} last_refusal;

const char *wend_error_detail(wend_error error) {
    const bool noted = error != WEND_OK && error == last_refusal.error;
    return noted ? last_refusal.text : wend_error_text(error);
}

wend_error wend__refuse(wend_error error, const char *format, ...) {
    last_refusal.error = error;
    last_refusal.text = format;
    if (strchr(format, '%')) {
        va_list arguments;
        va_start(arguments, format);
        vsnprintf(last_refusal.buffer, sizeof last_refusal.buffer, format, arguments);
        va_end(arguments);
        last_refusal.text = last_refusal.buffer;
    }
    log_refusal(error, last_refusal.text);
    return error;
}

wend_error wend__refuse_null(const char *name) {
    return wend__refuse(WEND_BAD_ARGUMENT, "%s is NULL", name);
}

wend_error wend__refuse_range(const char *name, int64_t value, int64_t least, int64_t most) {
    if (least == most)
        return wend__refuse(WEND_BAD_ARGUMENT, "%s is %" PRId64 ", but must be %" PRId64, name, value, least);
    return wend__refuse(WEND_BAD_ARGUMENT, "%s is %" PRId64 ", but must be from %" PRId64 " to %" PRId64, name, value,
                        least, most);
}

wend_error wend__refuse_size(const char *name, uint64_t value, uint64_t least, uint64_t most) {
    if (least == most)
        return wend__refuse(WEND_BAD_ARGUMENT, "%s is %" PRIu64 ", but must be %" PRIu64, name, value, least);
    if (most == UINT64_MAX)
        return wend__refuse(WEND_BAD_ARGUMENT, "%s is %" PRIu64 ", but must be at least %" PRIu64, name, value, least);
    return wend__refuse(WEND_BAD_ARGUMENT, "%s is %" PRIu64 ", but must be from %" PRIu64 " to %" PRIu64, name, value,
                        least, most);
}

wend_error wend__check_ranges(const wend__range *ranges, size_t count) {
    for (size_t i = 0; i < count; i++) {
        const wend__range *r = &ranges[i];
        if (r->value < r->least || r->value > r->most) return wend__refuse_size(r->name, r->value, r->least, r->most);
    }
    return WEND_OK;
}

wend_error wend__refuse_memory(uint64_t bytes) {
    return wend__refuse(WEND_OUT_OF_MEMORY, "the allocator has no %" PRIu64 " bytes", bytes);
}

void wend__refuse_struct(const char *type, const void *theirs, size_t own_bytes) {
    const uint32_t bytes = theirs ? wend__sized_bytes(theirs) : 0;
    if (!theirs)
        wend__refuse(WEND_BAD_ARGUMENT, "the %s is NULL", type);
    else if (bytes > own_bytes && bytes <= WEND__SIZED_MAX)
        wend__refuse(WEND_BAD_ARGUMENT,
                     "%s.struct_bytes is %u, and the bytes behind the %zu that this version knows are not zero", type,
                     bytes, own_bytes);
    else
        wend__refuse(WEND_BAD_ARGUMENT,
                     "%s.struct_bytes is %u, but the struct has %zu bytes: set it to sizeof, or by the _init function",
                     type, bytes, own_bytes);
}
