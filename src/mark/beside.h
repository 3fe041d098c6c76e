/* SPDX-License-Identifier: MIT */
/* Internal: connections of objects with their arena. */
#ifndef WEND_SRC_MARK_BESIDE_H
#define WEND_SRC_MARK_BESIDE_H

#include "base/base.h"
#include <wend/mark.h>

/// Returns the arena that contains a piece of memory, from any allocator; NULL: none does.
wend_arena *wend__arena_of(const void *memory);
/// Returns whether the arena contains a piece of memory; for NULL: whether no arena does.
bool wend__arena_shares(const wend_arena *arena, const void *memory);

/// Threads that an object in an arena uses: in the object, and in a list of the arena.
typedef struct wend__crew_use {
    struct wend__crew_use *next;
    struct wend__kept_crew *kept;
} wend__crew_use;

/// As wend__crew_start(), in memory apart from the arena. @return NULL: no memory, or no threads
wend__crew *wend__arena_crew_start(wend_arena *arena, wend__crew_use *use, uint32_t helpers);
void wend__arena_crew_stop(wend_arena *arena, wend__crew_use *use);

/// Records that an object in one arena, or in none, is to use one of another. @return WEND_BAD_ARGUMENT
WEND__COLD wend_error wend__refuse_arenas(void);

/* The functions below do nothing if the arena is NULL. */

/// Records a change outside of the memory, such as a thread or a file that begins or ends: no rewind crosses it.
void wend__arena_bar(wend_arena *arena);
/// Forbids any rewind until the end, as for a recording.
void wend__arena_hold(wend_arena *arena, bool begins);
/// Begins or ends a frame, an update or the like: there are no marks inside of these.
void wend__arena_enter(wend_arena *arena);
void wend__arena_leave(wend_arena *arena);

#endif
