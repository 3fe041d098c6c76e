/* SPDX-License-Identifier: MIT */
/* States of an arena: their lines, the change of the root, and the removal of unneeded states. */
#include "mark/tree.h"

#include <string.h>

enum { LINE = WEND__LINE_BYTES, LINES = WEND__LINES_A_PAGE, AHEAD = 12 };

/* ---- lines ---- */

static bool add_spare(wend__tree *tree) {
    if (tree->bytes + sizeof(wend__line_chunk) > tree->most_bytes)
        return wend__refuse(WEND_OUT_OF_MEMORY, "mark_bytes of the arena has no room for more"), false;
    wend__line_chunk *chunk = wend__allocate(&tree->allocator, sizeof *chunk, LINE);
    if (!chunk) return false;
    tree->bytes += sizeof *chunk;
    chunk->next = tree->spare;
    tree->spare = chunk;
    return true;
}

bool wend__tree_reserve(wend__tree *tree, uint32_t most) {
    uint32_t count = 0;
    for (wend__line_chunk **at = &tree->spare; *at;) {
        wend__line_chunk *chunk = *at;
        if (++count <= most) {
            at = &chunk->next;
            continue;
        }
        *at = chunk->next;
        tree->bytes -= sizeof *chunk;
        tree->allocator.free(tree->allocator.context, chunk, sizeof *chunk);
    }
    return tree->spare || add_spare(tree);
}

static void keep_chunk(wend__tree *tree, wend__line_chunk *chunk) {
    chunk->next = tree->spare;
    tree->spare = chunk;
}

bool wend__delta_add(wend__tree *tree, wend__delta *delta, uint64_t line, const uint64_t *bytes) {
    WEND__DEBUG_ASSERT(line <= UINT32_MAX);
    wend__line_chunk *chunk = delta->first;
    if (!chunk || chunk->count == WEND__CHUNK_LINES) {
        if (!tree->spare && !add_spare(tree)) return false;
        chunk = tree->spare;
        tree->spare = chunk->next;
        chunk->next = delta->first;
        chunk->count = 0;
        delta->first = chunk;
    }
    chunk->lines[chunk->count] = (uint32_t)line;
    memcpy(chunk->bytes[chunk->count++], bytes, LINE);
    delta->lines++;
    return true;
}

void wend__delta_drop(wend__tree *tree, wend__delta *delta) {
    while (delta->first) {
        wend__line_chunk *chunk = delta->first;
        delta->first = chunk->next;
        keep_chunk(tree, chunk);
    }
    delta->lines = 0;
}

static bool is_noted(const wend__tree *tree, uint32_t line) {
    return tree->noted[line / LINES] >> line % LINES & 1;
}

static void forget_notes(wend__tree *tree, const wend__delta *noted) {
    for (const wend__line_chunk *chunk = noted->first; chunk; chunk = chunk->next)
        for (uint32_t i = 0; i < chunk->count; i++) tree->noted[chunk->lines[i] / LINES] = 0;
}

/* Adds to a delta the lines of another that it lacks, and empties the other. There is a spare chunk. */
static void join(wend__tree *tree, wend__delta *delta, wend__delta *other) {
    const wend__delta before = *delta;
    for (const wend__line_chunk *chunk = before.first; chunk; chunk = chunk->next)
        for (uint32_t i = 0; i < chunk->count; i++)
            tree->noted[chunk->lines[i] / LINES] |= UINT64_C(1) << chunk->lines[i] % LINES;
    while (other->first) {
        wend__line_chunk *chunk = other->first;
        other->first = chunk->next;
        for (uint32_t i = 0; i < chunk->count; i++)
            if (!is_noted(tree, chunk->lines[i]))
                WEND__ASSERT(wend__delta_add(tree, delta, chunk->lines[i], chunk->bytes[i]));
        keep_chunk(tree, chunk);
    }
    other->lines = 0;
    forget_notes(tree, delta);
}

/* ---- states ---- */

uint32_t wend__tree_states(uint32_t slots) {
    return 2 * slots + 3; /* the root, one to come, and as many without a slot, with three neighbours, as with one */
}

void wend__tree_open(wend__tree *tree) {
    const uint32_t count = wend__tree_states(tree->slot_count);
    for (uint32_t i = 0; i < tree->slot_count; i++) tree->slots[i] = WEND__NO_STATE;
    for (uint32_t i = 0; i < count; i++) tree->states[i] = (wend__state){.parent = i + 1};
    tree->states[count - 1].parent = WEND__NO_STATE;
    tree->root = WEND__NO_STATE;
    tree->free_state = 0;
    tree->bytes = 0;
    tree->spare = NULL;
}

void wend__tree_close(wend__tree *tree) {
    for (uint32_t i = 0; i < wend__tree_states(tree->slot_count); i++) wend__delta_drop(tree, &tree->states[i].delta);
    while (tree->spare) {
        wend__line_chunk *chunk = tree->spare;
        tree->spare = chunk->next;
        tree->allocator.free(tree->allocator.context, chunk, sizeof *chunk);
    }
}

static uint32_t new_state(wend__tree *tree, uint64_t outside) {
    const uint32_t state = tree->free_state;
    WEND__ASSERT(state != WEND__NO_STATE);
    tree->free_state = tree->states[state].parent;
    tree->states[state] = (wend__state){.parent = WEND__NO_STATE, .outside = outside};
    return state;
}

static void free_state(wend__tree *tree, uint32_t state) {
    WEND__DEBUG_ASSERT(state != tree->root && tree->states[state].slots == 0);
    wend__delta_drop(tree, &tree->states[state].delta);
    tree->states[state] = (wend__state){.parent = tree->free_state};
    tree->free_state = state;
}

/* Returns the only state that has this one as its parent. */
static uint32_t child_of(const wend__tree *tree, uint32_t state) {
    for (uint32_t i = 0;; i++)
        if (tree->states[i].neighbours > 0 && tree->states[i].parent == state) return i;
}

/* Removes states from the tree that no slot holds and with at most one child. */
static void prune(wend__tree *tree, uint32_t state) {
    while (state != WEND__NO_STATE && state != tree->root) {
        wend__state *own = &tree->states[state];
        const uint32_t parent = own->parent;
        WEND__DEBUG_ASSERT(parent != WEND__NO_STATE);
        if (own->slots > 0 || own->neighbours > 2) return;
        if (own->neighbours == 2) {
            wend__state *child = &tree->states[child_of(tree, state)];
            join(tree, &child->delta, &own->delta);
            child->parent = parent;
            free_state(tree, state);
            return;
        }
        WEND__DEBUG_ASSERT(own->neighbours == 1 && tree->states[parent].neighbours > 0);
        tree->states[parent].neighbours--;
        free_state(tree, state);
        state = parent;
    }
}

void wend__tree_forget(wend__tree *tree, uint32_t slot) {
    const uint32_t before = tree->slots[slot];
    tree->slots[slot] = WEND__NO_STATE;
    if (before == WEND__NO_STATE) return;
    WEND__DEBUG_ASSERT(tree->states[before].slots == 1 && tree->spare);
    tree->states[before].slots--;
    prune(tree, before);
}

void wend__tree_mark(wend__tree *tree, uint32_t slot, const wend__delta *before, uint64_t outside) {
    WEND__DEBUG_ASSERT(tree->spare && (tree->root != WEND__NO_STATE || !before->first));
    const uint32_t old = tree->root, state = new_state(tree, outside);
    tree->root = state;
    if (old != WEND__NO_STATE) {
        tree->states[old].parent = state;
        tree->states[old].delta = *before;
        tree->states[old].neighbours++;
        tree->states[state].neighbours = 1;
        prune(tree, old);
    }
    wend__tree_forget(tree, slot);
    tree->slots[slot] = state;
    tree->states[state].slots = 1;
}

/* ---- rewinding ---- */

/* Copies lines into the copy, except those noted already, and notes them. */
static bool take_lines(wend__tree *tree, const wend__delta *lines, wend__delta *before) {
    for (const wend__line_chunk *chunk = lines->first; chunk; chunk = chunk->next)
        for (uint32_t i = 0; i < chunk->count; i++) {
            const uint32_t line = chunk->lines[i];
            if (i + AHEAD < chunk->count) {
                WEND__PREFETCH(wend__line_at(tree->copy, chunk->lines[i + AHEAD]));
                WEND__PREFETCH(chunk->bytes[i + AHEAD]);
            }
            if (is_noted(tree, line)) continue;
            uint64_t *bytes = wend__line_at(tree->copy, line);
            if (!wend__delta_add(tree, before, line, bytes)) return false;
            memcpy(bytes, chunk->bytes[i], LINE);
            tree->noted[line / LINES] |= UINT64_C(1) << line % LINES;
        }
    return true;
}

bool wend__tree_go(wend__tree *tree, uint32_t slot, wend__delta *before) {
    WEND__DEBUG_ASSERT(tree->root != WEND__NO_STATE && tree->slots[slot] != WEND__NO_STATE);
    *before = (wend__delta){0};
    for (uint32_t state = tree->slots[slot]; state != tree->root; state = tree->states[state].parent) {
        if (take_lines(tree, &tree->states[state].delta, before)) continue;
        wend__tree_undo(tree, before);
        return false;
    }
    return true;
}

void wend__tree_undo(wend__tree *tree, wend__delta *before) {
    forget_notes(tree, before);
    for (const wend__line_chunk *chunk = before->first; chunk; chunk = chunk->next)
        for (uint32_t i = 0; i < chunk->count; i++)
            memcpy(wend__line_at(tree->copy, chunk->lines[i]), chunk->bytes[i], LINE);
    wend__delta_drop(tree, before);
}

/* Makes the state the root, and the old root its child. The state is no longer below its former parent. */
static void turn(wend__tree *tree, uint32_t state, const wend__delta *before) {
    const uint32_t root = tree->root, next = tree->states[state].parent;
    wend__delta_drop(tree, &tree->states[state].delta);
    tree->states[state].parent = WEND__NO_STATE;
    WEND__DEBUG_ASSERT(next != WEND__NO_STATE && tree->states[next].neighbours > 0);
    tree->states[next].neighbours--;
    tree->states[root].neighbours++;
    tree->states[root].parent = state;
    tree->states[root].delta = *before;
    tree->root = state;
    prune(tree, next);
    if (next != root) prune(tree, root);
}

void wend__tree_arrive(wend__tree *tree, uint32_t slot, const wend__delta *before, uint8_t *objects) {
    WEND__DEBUG_ASSERT(tree->spare);
    for (const wend__line_chunk *chunk = before->first; chunk; chunk = chunk->next)
        for (uint32_t i = 0; i < chunk->count; i++) {
            const uint32_t line = chunk->lines[i];
            if (is_noted(tree, line)) memcpy(wend__line_at(objects, line), wend__line_at(tree->copy, line), LINE);
        }
    forget_notes(tree, before);
    if (tree->slots[slot] != tree->root) turn(tree, tree->slots[slot], before);
}
