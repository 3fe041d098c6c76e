/* SPDX-License-Identifier: MIT */
/* Internal: an arena. */
#ifndef WEND_SRC_MARK_ARENA_H
#define WEND_SRC_MARK_ARENA_H

#include "base/base.h"
#include "base/system/pages.h"
#include "mark/beside.h"
#include "mark/tree.h"
#include <wend/mark.h>

enum { WEND__SIZE_CLASSES = 160 };

/// The heap, at the beginning of an arena: it goes back with the rest.
typedef struct wend__arena_blocks {
    uint64_t top;                            ///< bytes from the beginning up to the highest one ever used
    uint64_t used;                           ///< bytes of blocks, rounded up to their classes
    uint64_t blocks;                         ///< number of blocks not freed
    wend__crew_use *crews;                   ///< crews used by objects
    uint64_t first_free[WEND__SIZE_CLASSES]; ///< by class: line of the first free block, which starts with the next
} wend__arena_blocks;

struct wend_arena {
    wend_allocator allocator;      ///< for memory that does not go back
    wend__pages pages;             ///< pages of the objects, and their copy, which is the root's
    uint8_t *owned;                ///< by page: 1: its copy takes memory; stored behind tree.noted
    wend__mutex *lock;             ///< guards the heap and the fields below
    uint64_t most_top;             ///< highest `top` of the heap so far
    uint64_t outside;              ///< number of changes outside of the memory
    struct wend__kept_crew *crews; ///< all crews that ever existed
    uint32_t held;                 ///< number of objects that do not allow to go back
    _Atomic uint32_t busy;         ///< number of running frames, updates and changes of a map
    wend__tree tree;
    uint64_t own_pages;       ///< pages with copies that take memory
    uint64_t changed;         ///< lines of the last mark
    uint32_t since_protected; ///< marks since pages were protected
    bool unknown;             ///< the written pages are unknown
    wend_arena *next;         ///< next arena of the process
    size_t bytes;             ///< size of this allocation
};

static inline wend__arena_blocks *wend__arena_heap(const wend_arena *arena) {
    return (wend__arena_blocks *)(void *)arena->pages.first;
}

/// Starts the crews that the state in the copy has. @return false: failed, and nothing has changed
bool wend__crews_begin(wend_arena *arena);
/// Stops the other crews.
void wend__crews_end(wend_arena *arena);
void wend__crews_free(wend_arena *arena);

#endif
