/* SPDX-License-Identifier: MIT */
/* Internal: binary heaps in arrays (Williams 1964), and sorting in place by one. Functions are made for a type of
 * items, so that comparisons are inlined. Heaps of searches in hot loops have their own forms. */
#ifndef WEND_SRC_BASE_HEAP_H
#define WEND_SRC_BASE_HEAP_H

#include <stdbool.h>
#include <stddef.h>

/// Makes NAME_up() and NAME_down(), which put an item into a heap that has a hole at `at`, above or below it.
/// @param NAME     a name that no other file has
/// @param C        the type of a context, which both are given
/// @param before   before(c, a, b): whether item a belongs above item b; an order
/// @param put      put(c, heap, at, item): stores an item; the heap may keep its place
#define WEND__HEAP(NAME, C, T, before, put)                                                                            \
    static inline void NAME##_up(C c, T *heap, size_t at, T moved) {                                                   \
        for (; at > 0 && before(c, moved, heap[(at - 1) / 2]); at = (at - 1) / 2)                                      \
            put(c, heap, at, heap[(at - 1) / 2]);                                                                      \
        put(c, heap, at, moved);                                                                                       \
    }                                                                                                                  \
    WEND__HEAP_DOWN(NAME, C, T, before, put)

/// Makes NAME_down() alone.
#define WEND__HEAP_DOWN(NAME, C, T, before, put)                                                                       \
    static inline void NAME##_down(C c, T *heap, size_t count, size_t at, T moved) {                                   \
        for (size_t child; (child = 2 * at + 1) < count; at = child) {                                                 \
            if (child + 1 < count && before(c, heap[child + 1], heap[child])) child++;                                 \
            if (!before(c, heap[child], moved)) break;                                                                 \
            put(c, heap, at, heap[child]);                                                                             \
        }                                                                                                              \
        put(c, heap, at, moved);                                                                                       \
    }

/// For heaps that keep no places.
#define WEND__HEAP_PUT(c, heap, at, item) ((void)(c), (void)((heap)[at] = (item)))

/// Makes NAME(items, count), which sorts: those for which less(a, b) holds come first. O(count log count) for any
/// items, without memory; equal ones in any order.
#define WEND__HEAP_SORT(NAME, T, less)                                                                                 \
    static inline bool NAME##_behind(int c, T a, T b) {                                                                \
        (void)c;                                                                                                       \
        return less(b, a);                                                                                             \
    }                                                                                                                  \
    WEND__HEAP_DOWN(NAME, int, T, NAME##_behind, WEND__HEAP_PUT)                                                       \
    static inline void NAME(T *items, size_t count) {                                                                  \
        for (size_t i = count / 2; i-- > 0;) NAME##_down(0, items, count, i, items[i]);                                \
        for (size_t end = count; end > 1;) {                                                                           \
            const T last = items[--end];                                                                               \
            items[end] = items[0];                                                                                     \
            NAME##_down(0, items, end, 0, last);                                                                       \
        }                                                                                                              \
    }

#endif
