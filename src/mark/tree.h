/* SPDX-License-Identifier: MIT */
/* Internal: the states of an arena, as a tree. Its root is the state that the arena's copy has: the last one that was
 * marked or brought back. Each other state has the lines in which it differs from its parent. A state that is brought
 * back becomes the root, and the old root hangs on it, with the lines that this changed. So going back loses nothing,
 * and a state that is overwritten gives back what it alone had. */
#ifndef WEND_SRC_MARK_TREE_H
#define WEND_SRC_MARK_TREE_H

#include "base/base.h"
#include "base/system/pages.h"

enum { WEND__LINE_BYTES = 64, WEND__LINE_WORDS = 8, WEND__LINES_A_PAGE = WEND__PAGE_BYTES / WEND__LINE_BYTES };
enum { WEND__CHUNK_LINES = 252, WEND__NO_STATE = 0xFFFFFFFF };

/// Some lines of a state.
typedef struct wend__line_chunk {
    struct wend__line_chunk *next;
    uint32_t count;
    uint32_t lines[WEND__CHUNK_LINES];
    uint64_t bytes[WEND__CHUNK_LINES][WEND__LINE_WORDS];
} wend__line_chunk;

/// The lines in which two states differ, as one of them has them. No line is in it twice.
typedef struct wend__delta {
    wend__line_chunk *first;
    uint64_t lines;
} wend__delta;

typedef struct wend__state {
    uint32_t parent;     ///< nearer to the root; WEND__NO_STATE: the root. Of a free one: the next free one
    uint32_t slots;      ///< that hold it, 1; 0: others hang on it
    uint32_t neighbours; ///< states beside it in the tree
    uint64_t outside;    ///< as arena.outside was
    wend__delta delta;   ///< where it differs from its parent, as it is here
} wend__state;

typedef struct wend__tree {
    wend_allocator allocator;
    uint8_t *copy;       ///< the root's lines
    uint64_t *noted;     ///< of each page a bit for each line; 0 between calls
    uint64_t most_bytes; ///< of chunks
    uint32_t slot_count;
    uint32_t *slots;           ///< the state of each; WEND__NO_STATE: none
    wend__state *states;       ///< wend__tree_states() of them
    uint64_t bytes;            ///< of chunks; by open, as the rest is
    uint32_t root, free_state; ///< WEND__NO_STATE: nothing was marked so far
    wend__line_chunk *spare;   ///< free chunks
} wend__tree;

/// Returns the most states of a tree with as many slots.
uint32_t wend__tree_states(uint32_t slots);
/// Makes it empty. What has no comment of `by open` is set.
void wend__tree_open(wend__tree *tree);
void wend__tree_close(wend__tree *tree);

static inline uint64_t *wend__line_at(uint8_t *first, uint64_t line) {
    return (uint64_t *)(void *)(first + line * WEND__LINE_BYTES);
}

/// Adds a line to a delta. @return false: out of memory
bool wend__delta_add(wend__tree *tree, wend__delta *delta, uint64_t line, const uint64_t *bytes);
/// Empties it.
void wend__delta_drop(wend__tree *tree, wend__delta *delta);

/// Makes sure that there is a spare chunk, and at most `most`. @return false: out of memory
bool wend__tree_reserve(wend__tree *tree, uint32_t most);
/// Lets a slot hold a new root, after wend__tree_reserve(). @param before   where the last root differs from it, as it
/// is there; taken over. Where there was no root, it is empty
void wend__tree_mark(wend__tree *tree, uint32_t slot, const wend__delta *before, uint64_t outside);
/// Lets a slot hold nothing.
void wend__tree_forget(wend__tree *tree, uint32_t slot);
/// Makes the copy what the state of a slot was, and notes each line that is another one then.
/// @param before   receives those lines as they were. @return false: out of memory, and nothing has changed
bool wend__tree_go(wend__tree *tree, uint32_t slot, wend__delta *before);
/// Brings the lines that are noted from the copy to the objects, and notes none. The slot's state is the root then.
/// @param before   of wend__tree_go(); taken over
void wend__tree_arrive(wend__tree *tree, uint32_t slot, const wend__delta *before, uint8_t *objects);
/// Makes the copy again what it was before some lines of it changed, and empties the list of these.
void wend__tree_undo(wend__tree *tree, wend__delta *before);

#endif
