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

/// At the beginning of an arena: it goes back with the rest.
typedef struct wend__arena_blocks {
    uint64_t top;                            ///< bytes from the beginning that were ever used
    uint64_t used;                           ///< bytes of blocks, rounded up to their classes
    uint64_t blocks;                         ///< not freed
    wend__crew_use *crews;                   ///< of objects
    uint64_t first_free[WEND__SIZE_CLASSES]; ///< by class of size: the line of a free block, which begins with the next
} wend__arena_blocks;

struct wend_arena {
    wend_allocator allocator;      ///< for what does not go back
    wend__pages pages;             ///< the objects, and how the root has them
    uint8_t *owned;                ///< by page: 1: its copy takes memory; behind tree.noted
    wend__mutex *lock;             ///< guards the heap and what follows
    uint64_t most_top;             ///< of the heap, ever
    uint64_t outside;              ///< changes of what no memory holds
    struct wend__kept_crew *crews; ///< all that there ever were
    uint32_t held;                 ///< by those that may not go back
    _Atomic uint32_t busy;         ///< frames, updates, changes of a map that run
    wend__tree tree;
    uint64_t own_pages;       ///< whose copies take memory
    uint64_t changed;         ///< lines of the last mark
    uint32_t since_protected; ///< marks since pages were protected
    bool unknown;             ///< it is not known which pages were written
    wend_arena *next;         ///< of the process
    size_t bytes;             ///< of this allocation
};

static inline wend__arena_blocks *wend__arena_heap(const wend_arena *arena) {
    return (wend__arena_blocks *)(void *)arena->pages.first;
}

/// Starts the crews that the state in the copy has. @return false: it could not, and nothing has changed
bool wend__crews_begin(wend_arena *arena);
/// Stops others.
void wend__crews_end(wend_arena *arena);
void wend__crews_free(wend_arena *arena);

#endif
