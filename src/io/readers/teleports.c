/* SPDX-License-Identifier: MIT */
/* The teleports of grid text. Sorting the ends by name brings the two of each together. */
#include "io/readers/teleports.h"
#include "base/heap.h"

#include <string.h>
#include <wend/ways.h>

enum { FIRST_ENDS = 16 };

bool wend__is_teleport(const wend__word *word) {
    if (word->end - word->begin < 2 || *word->begin < 'a' || *word->begin > 'z') return false;
    for (const unsigned char *at = word->begin + 1; at < word->end; at++)
        if (*at < '0' || *at > '9') return false;
    return true;
}

static bool grow(wend__teleports *t) {
    size_t capacity = t->capacity ? 2 * t->capacity : FIRST_ENDS;
    if (capacity > SIZE_MAX / sizeof *t->ends) return false;
    wend__teleport *ends = wend__allocate(&t->allocator, capacity * sizeof *ends, _Alignof(wend__teleport));
    if (!ends) return false;
    if (t->count) memcpy(ends, t->ends, t->count * sizeof *ends);
    wend__teleports_drop(t);
    t->ends = ends;
    t->capacity = capacity;
    return true;
}

wend_error wend__teleports_add(wend__teleports *teleports, const wend__word *name, wend_cell cell,
                               wend_file_error *error) {
    if (teleports->count == WEND_MAX_LINKS) /* a link begins at each end */
        return wend__fail(error, WEND_BAD_FORMAT, name, "more than %d teleports", WEND_MAX_LINKS / 2);
    if (teleports->count == teleports->capacity && !grow(teleports)) return WEND_OUT_OF_MEMORY;
    WEND__DEBUG_ASSERT(teleports->count < teleports->capacity);
    teleports->ends[teleports->count++] = (wend__teleport){*name, cell};
    return WEND_OK;
}

void wend__teleports_drop(wend__teleports *teleports) {
    if (teleports->ends)
        teleports->allocator.free(teleports->allocator.context, teleports->ends,
                                  teleports->capacity * sizeof *teleports->ends);
    teleports->ends = NULL;
}

static int compare_names(const wend__teleport *a, const wend__teleport *b) {
    size_t one = (size_t)(a->name.end - a->name.begin), two = (size_t)(b->name.end - b->name.begin);
    if (one != two) return one < two ? -1 : 1;
    return memcmp(a->name.begin, b->name.begin, one);
}

/* Order by name, then by place in the file. */
static bool is_before(const wend__teleport *a, const wend__teleport *b) {
    int names = compare_names(a, b);
    return names ? names < 0 : a->name.begin < b->name.begin;
}

#define IS_BEFORE(a, b) is_before(&(a), &(b))
WEND__HEAP_SORT(sort_ends, wend__teleport, IS_BEFORE)

static size_t name_count(const wend__teleports *t, size_t first) {
    WEND__DEBUG_ASSERT(first < t->count);
    size_t next = first + 1;
    while (next < t->count && compare_names(&t->ends[first], &t->ends[next]) == 0) next++;
    return next - first;
}

/* The first place in the file where a name appears once only, or for the third time. */
static const wend__teleport *first_mistake(const wend__teleports *t, size_t *same) {
    const wend__teleport *mistake = NULL;
    for (size_t i = 0, count; i < t->count; i += count) {
        count = name_count(t, i);
        const wend__teleport *wrong = count == 2 ? NULL : count == 1 ? &t->ends[i] : &t->ends[i + 2];
        if (!wrong || (mistake && mistake->name.begin < wrong->name.begin)) continue;
        mistake = wrong;
        *same = count;
    }
    return mistake;
}

static wend_error refuse(const wend__teleport *wrong, size_t same, wend_file_error *error) {
    WEND__DEBUG_ASSERT(same != 2);
    char quote[WEND__QUOTE_BYTES];
    wend__quote(&wrong->name, quote);
    if (same == 1)
        return wend__fail(error, WEND_BAD_FORMAT, &wrong->name,
                          "%s stands here only: a teleport's name marks its two ends", quote);
    return wend__fail(error, WEND_BAD_FORMAT, &wrong->name,
                      "a third %s; the first two are at line %d, column %d and line %d, column %d", quote,
                      (int)wrong[-2].name.line, (int)wrong[-2].name.column, (int)wrong[-1].name.line,
                      (int)wrong[-1].name.column);
}

wend_error wend__teleports_link(wend__teleports *teleports, int32_t cost, wend_edit *edit, wend_file_error *error) {
    size_t same = 0;
    sort_ends(teleports->ends, teleports->count);
    const wend__teleport *wrong = first_mistake(teleports, &same);
    if (wrong) return refuse(wrong, same, error);
    WEND__DEBUG_ASSERT(teleports->count % 2 == 0);
    for (size_t i = 0; i < teleports->count; i += 2) {
        wend_cell a = teleports->ends[i].cell, b = teleports->ends[i + 1].cell;
        int32_t code = wend_edit_add_link(edit, &(wend_link){a, b, cost, 0});
        if (!code) code = wend_edit_add_link(edit, &(wend_link){b, a, cost, 0});
        if (code) return code;
    }
    return WEND_OK;
}
