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
/// Returns the allocator for what must stay when an arena goes back: threads, and what they wait for.
wend_allocator wend__arena_beside(const wend_arena *arena);
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
