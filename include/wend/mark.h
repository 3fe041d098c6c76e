/* SPDX-License-Identifier: MIT */
/* Growing: settings of arenas may be added; what a mark takes may change. See docs/stability.md. */
/* Marks: a world goes back to an earlier frame, exactly. An arena is an allocator. Objects that are made with it, such
 * as maps, services, crowds, fields and figures, go back together, with their unfinished searches, old versions, units
 * and events: all their bytes do. Rollback, lockstep and instant replays need this; what outlives the process is a save
 * (save.h).
 *
 *     wend_arena_create(&def, &arena);
 *     map_def.allocator = service_def.allocator = crowd_def.allocator = wend_arena_allocator(arena);
 *     wend_arena_mark(arena, frame % 9);            before each frame
 *     wend_arena_rewind(arena, (frame - 8) % 9);    play the frames from there on again
 *
 * Exact is all that the objects do after a rewind, if the host makes the same calls, and budgets are in expansions:
 * those in microseconds depend on the clock. The host takes back what it keeps itself: names, positions that it read,
 * and whatever the contexts of callbacks point to.
 *
 * Objects of an arena use no object outside of it, and none outside uses one of them: each function that would connect
 * two such objects refuses it (WEND_BAD_ARGUMENT). Other libraries use objects as the host does: a wend_live gives back
 * its map before a rewind (wend_live_set_map() with NULL), and a wend_ground that changes does not go back with its
 * map. There is no way back over what no memory holds (WEND_IN_USE): the beginning or end of a recording, of a map
 * whose baked file is mapped, or of a wake function, as a libuv adapter has one. Workers of services start and end with
 * them. An arena does not survive fork(). */
#ifndef WEND_MARK_H
#define WEND_MARK_H

#include <wend/base.h>

#ifdef __cplusplus
extern "C" {
#endif

#define WEND_MAX_MARKS 4096u
#define WEND_MAX_ARENA_BYTES (UINT64_C(1) << 37)

/// An arena.
typedef struct wend_arena wend_arena;

/// How an arena is made.
typedef struct wend_arena_def {
    uint32_t struct_bytes;
    uint32_t marks;           ///< slots for marks, 1 to WEND_MAX_MARKS; default 16
    uint64_t bytes;           ///< address space for objects, and as much for marks: 64 KiB to WEND_MAX_ARENA_BYTES;
                              ///< default 1 GiB, on 32 bits 256 MiB. It takes memory where it is used; in a process
                              ///< that locks its memory, and in WebAssembly, all of it does. There the default is
                              ///< 64 MiB
    uint64_t mark_bytes;      ///< most memory of what marks differ in; default 0: no limit
    wend_allocator allocator; ///< for that memory, not another arena's; alloc NULL: the C library's
} wend_arena_def;

/// Fill a definition with the defaults. Threads: any.
WEND_API void wend_arena_def_init(wend_arena_def *def, size_t bytes);

/// Make an arena.
/// Threads: any. Cost: O(marks).
/// @return WEND_OK, WEND_BAD_ARGUMENT (also an allocator of another arena), WEND_OUT_OF_MEMORY
WEND_API wend_error wend_arena_create(const wend_arena_def *def, wend_arena **out);

/// Destroy an arena. NULL: nothing.
/// @return WEND_OK, WEND_IN_USE (an object is still in it)
/// Threads: any, one at a time. Cost: O(memory).
WEND_API wend_error wend_arena_destroy(wend_arena *arena);

/// Get the allocator of an arena, for the definitions of objects. Hosts may use it, too: what is in it goes back.
/// Threads: any, as its functions. Cost: O(1); a block is rounded up by a quarter at most.
WEND_API wend_allocator wend_arena_allocator(wend_arena *arena);

/// Keep the present state in a slot, in place of what was kept there. The first one copies the whole arena.
/// Threads: while no other thread calls any object of the arena.
/// Cost: about 0.4 us for each 4 KiB in which anything was written lately; where the system does not tell which were
/// (Linux does from 6.7 on), for each that was ever used. A frame after a mark pays about 1 us for each page that it is
/// the first to write.
/// @return WEND_OK, WEND_OUT_OF_RANGE (no such slot), WEND_OUT_OF_MEMORY (nothing has changed), WEND_IN_CALLBACK
WEND_API wend_error wend_arena_mark(wend_arena *arena, uint32_t slot);

/// Bring the state of a slot back. Objects made since are gone; those destroyed since are there again. All slots keep
/// what they have, also those marked later: so it is possible to go forth again.
/// Threads and cost: as wend_arena_mark(), for all that changed since that mark.
/// @return WEND_OK, WEND_OUT_OF_RANGE (no such slot), WEND_EMPTY (nothing was marked there), WEND_OUT_OF_MEMORY
///         (nothing has changed), WEND_IN_CALLBACK, WEND_IN_USE
WEND_API wend_error wend_arena_rewind(wend_arena *arena, uint32_t slot);

/// Let a slot hold nothing, which gives back what only its state had.
/// Threads: as wend_arena_mark(). Cost: O(lines of two states).
/// @return WEND_OK, WEND_OUT_OF_RANGE (no such slot), WEND_IN_CALLBACK
WEND_API wend_error wend_arena_forget(wend_arena *arena, uint32_t slot);

/// The bytes of an arena.
typedef struct wend_arena_info {
    uint32_t struct_bytes;
    bool watched;           ///< true: the system tells which pages were written; before the first mark false
    uint64_t used_bytes;    ///< of objects
    uint64_t top_bytes;     ///< of address space that was ever used
    uint64_t mark_bytes;    ///< bytes of marks, objects apart
    uint64_t changed_bytes; ///< bytes that the last mark found changed
    uint32_t marks;         ///< slots that hold a state
} wend_arena_info;

/// Get what an arena takes.
/// @return WEND_OK, WEND_BAD_ARGUMENT
/// Threads: as wend_arena_mark(). Cost: O(slots).
WEND_API wend_error wend_arena_get_info(const wend_arena *arena, wend_arena_info *out);

#ifdef __cplusplus
}
#endif
#endif
