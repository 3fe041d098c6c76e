/* SPDX-License-Identifier: MIT */
/* Internal: what objects have to do with the arena that they are in. */
#ifndef WEND_SRC_MARK_BESIDE_H
#define WEND_SRC_MARK_BESIDE_H

#include "base/base.h"
#include <wend/mark.h>

/// Returns the arena that has a piece of memory, whichever allocator gave it; NULL: none has.
wend_arena *wend__arena_of(const void *memory);
/// Returns whether the arena has a piece of memory; of NULL: whether none has.
bool wend__arena_shares(const wend_arena *arena, const void *memory);

/// Threads that an object in an arena uses: in the object, and in a list of the arena.
typedef struct wend__crew_use {
    struct wend__crew_use *next;
    struct wend__kept_crew *kept;
} wend__crew_use;

/// As wend__crew_start(), in memory apart from the arena. @return NULL: no memory, or no threads
wend__crew *wend__arena_crew_start(wend_arena *arena, wend__crew_use *use, uint32_t helpers);
void wend__arena_crew_stop(wend_arena *arena, wend__crew_use *use);

/// Notes that an object in one arena, or in none, is to use one of another. @return WEND_BAD_ARGUMENT
WEND__COLD wend_error wend__refuse_arenas(void);

/* The functions below do nothing where the arena is NULL. */

/// Note that something has begun or ended that no memory holds, as a thread, a file: there is no way back over that.
void wend__arena_bar(wend_arena *arena);
/// It may not go back at all until it is over, as a recording.
void wend__arena_hold(wend_arena *arena, bool begins);
/// A frame, an update or the like: there are no marks inside it.
void wend__arena_enter(wend_arena *arena);
void wend__arena_leave(wend_arena *arena);

#endif
