/* SPDX-License-Identifier: MIT */
/* Internal: waiting requests in the order of service: urgency, then not postponed before postponed, then number.
 *
 * Each urgency has a line. Most requests come and go at the ends of a line, which takes a few words however many wait.
 * Others, which belong inside a line or were postponed, are in a heap with two ends. */
#ifndef WEND_SRC_SERVICE_STORE_LINES_H
#define WEND_SRC_SERVICE_STORE_LINES_H

#include "search/open/bucket_queue.h"
#include "service/store/heap.h"
#include <wend/service.h>

enum { WEND__LINES = WEND_URGENCY_MAX - WEND_URGENCY_MIN + 1, WEND__LINE_WORDS = (WEND__LINES + 63) / 64 };

typedef struct wend__line_ends {
    uint32_t first, last;
} wend__line_ends;

typedef struct wend__line_place {
    uint64_t key;            ///< stays readable after the request has left
    uint32_t before, behind; ///< neighbours in its line
} wend__line_place;

typedef struct wend__lines {
    wend__line_ends *of;      ///< by urgency, the highest first; undefined if the bit in `busy` is 0
    wend__line_place *places; ///< places by id
    uint64_t busy[WEND__LINE_WORDS];
    uint32_t words; ///< number of words of `busy` that are not 0
    wend__heap heap;
} wend__lines;

/// Numbers stay below 2^52: ten million requests a second for fourteen years.
static inline uint64_t wend__line_key(int32_t urgency, bool postponed, uint64_t number) {
    return (uint64_t)(WEND_URGENCY_MAX - urgency) << 53 | (uint64_t)postponed << 52 | number;
}

/// Returns the index of the key's urgency in a list with the highest first.
static inline uint32_t wend__line_rank(uint64_t key) {
    return (uint32_t)(key >> 53);
}

static inline uint64_t wend__line_number(uint64_t key) {
    return key & ((UINT64_C(1) << 52) - 1);
}

/// Returns whether an id that waits is in the heap.
bool wend__lines_heaped(const wend__lines *lines, uint32_t id);
/// Cost of this and of remove: O(1), or O(log count) in the heap.
void wend__lines_add(wend__lines *lines, uint32_t id, uint64_t key);
void wend__lines_remove(wend__lines *lines, uint32_t id);
/// Return the first and the last; WEND__NONE: none waits. Cost: O(1).
uint32_t wend__lines_first(const wend__lines *lines);
uint32_t wend__lines_last(const wend__lines *lines);
/// Returns the last one in a line, and the one before it there or in the previous line; WEND__NONE: none. Cost: O(1).
uint32_t wend__lines_last_lined(const wend__lines *lines);
uint32_t wend__lines_before(const wend__lines *lines, uint32_t id);

#endif
