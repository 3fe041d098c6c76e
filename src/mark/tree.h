/* SPDX-License-Identifier: MIT */
/* Internal: the states of an arena, as a tree. Its root is the state of the arena's copy: the last one that was
 * marked or restored. Each other state has the lines in which it differs from its parent. A restored state
 * becomes the root, and the old root becomes its child, with the lines that this changed. So a rewind loses nothing,
 * and an overwritten state frees what it alone had. */
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

/// The lines in which two states differ, with the contents of one of them. Each line occurs once.
typedef struct wend__delta {
    wend__line_chunk *first;
    uint64_t lines;
} wend__delta;

typedef struct wend__state {
    uint32_t parent;     ///< parent, nearer to the root; WEND__NO_STATE: the root. In a free state: the next free one
    uint32_t slots;      ///< 1: a slot holds the state; 0: only its children need it
    uint32_t neighbours; ///< number of adjacent states in the tree
    uint64_t outside;    ///< the state's value of arena.outside
    wend__delta delta;   ///< this state's contents of the lines that differ from its parent
} wend__state;

typedef struct wend__tree {
    wend_allocator allocator;
    uint8_t *copy;       ///< lines of the root
    uint64_t *noted;     ///< for each page a bit for each line; 0 between calls
    uint64_t most_bytes; ///< most bytes of chunks
    uint32_t slot_count;
    uint32_t *slots;           ///< state of each slot; WEND__NO_STATE: none
    wend__state *states;       ///< array of wend__tree_states() states
    uint64_t bytes;            ///< bytes of chunks; set by `open`, as the other fields
    uint32_t root, free_state; ///< WEND__NO_STATE: nothing was marked so far
    wend__line_chunk *spare;   ///< free chunks; between calls at least one if there is a root, as a join may need one
} wend__tree;

/// Returns the most states of a tree with as many slots.
uint32_t wend__tree_states(uint32_t slots);
/// Makes a tree empty. Fields without the comment `by open` are set.
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
/// Makes a slot hold a new root, after wend__tree_reserve(). @param before   lines in which the last root differs, with
/// its contents; taken over. Without a root it is empty
void wend__tree_mark(wend__tree *tree, uint32_t slot, const wend__delta *before, uint64_t outside);
/// Makes a slot hold nothing. There is a root.
void wend__tree_forget(wend__tree *tree, uint32_t slot);
/// Makes the copy equal to the state of a slot, and notes each line that changes.
/// @param before   receives the former contents of those lines. @return false: out of memory, and nothing has changed
bool wend__tree_go(wend__tree *tree, uint32_t slot, wend__delta *before);
/// Copies the noted lines from the copy to the objects, and clears the notes, after wend__tree_reserve(). The slot's
/// state is the root then.
/// @param before   of wend__tree_go(); taken over
void wend__tree_arrive(wend__tree *tree, uint32_t slot, const wend__delta *before, uint8_t *objects);
/// Restores changed lines of the copy to their former contents, and empties the list of these.
void wend__tree_undo(wend__tree *tree, wend__delta *before);

#endif
