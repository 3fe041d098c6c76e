/* SPDX-License-Identifier: MIT */
/* Threads of objects in an arena. Threads are not in the arena's memory, so a rewind starts and stops them by a list in
 * the arena, which goes back. A crew that has ended is kept, as another state may still have it; the next one with as
 * many threads takes it. */
#include "mark/arena.h"

enum { LINE = WEND__LINE_BYTES };

/// A crew; its threads' memory follows.
typedef struct wend__kept_crew {
    struct wend__kept_crew *next;
    uint32_t helpers;
    bool runs;
    bool wanted, fresh; ///< in a rewind: the crew is to run; it was started for that
} wend__kept_crew;

static void *memory_of(wend__kept_crew *kept) {
    return (uint8_t *)kept + LINE;
}

static size_t bytes_of(uint32_t helpers) {
    return LINE + wend__crew_bytes(helpers);
}

static wend__kept_crew *find(wend_arena *arena, uint32_t helpers) {
    wend__kept_crew *kept = arena->crews;
    while (kept && (kept->runs || kept->helpers != helpers)) kept = kept->next;
    if (kept) return kept;
    kept = wend__allocate(&arena->allocator, bytes_of(helpers), LINE);
    if (!kept) return NULL;
    *kept = (wend__kept_crew){.next = arena->crews, .helpers = helpers};
    arena->crews = kept;
    return kept;
}

wend__crew *wend__arena_crew_start(wend_arena *arena, wend__crew_use *use, uint32_t helpers) {
    wend__mutex_lock(arena->lock);
    wend__kept_crew *kept = find(arena, helpers);
    wend__crew *crew = kept ? wend__crew_start(memory_of(kept), helpers) : NULL;
    if (crew) {
        kept->runs = true;
        *use = (wend__crew_use){wend__arena_heap(arena)->crews, kept};
        wend__arena_heap(arena)->crews = use;
    }
    wend__mutex_unlock(arena->lock);
    return crew;
}

void wend__arena_crew_stop(wend_arena *arena, wend__crew_use *use) {
    wend__mutex_lock(arena->lock);
    wend__crew_use **at = &wend__arena_heap(arena)->crews;
    while (*at != use) at = &(*at)->next;
    *at = use->next;
    WEND__DEBUG_ASSERT(use->kept->runs);
    wend__crew_stop(memory_of(use->kept));
    use->kept->runs = false;
    wend__mutex_unlock(arena->lock);
}

/* Undoes what wend__crews_begin() started. */
static bool give_up(wend_arena *arena, uint32_t helpers) {
    for (wend__kept_crew *kept = arena->crews; kept; kept = kept->next) {
        if (kept->fresh) wend__crew_stop(memory_of(kept)), kept->runs = false;
        kept->wanted = kept->fresh = false;
    }
    return wend__refuse(WEND_OUT_OF_MEMORY, "the system cannot start %u threads", helpers), false;
}

bool wend__crews_begin(wend_arena *arena) {
    const ptrdiff_t apart = arena->pages.copy - arena->pages.first;
    const wend__arena_blocks *blocks = (const void *)arena->pages.copy;
    for (const wend__crew_use *use = blocks->crews; use; use = use->next) {
        use = (const void *)((const uint8_t *)use + apart);
        wend__kept_crew *kept = use->kept;
        WEND__DEBUG_ASSERT(!kept->wanted && !kept->fresh);
        kept->wanted = true;
        if (kept->runs) continue;
        if (!wend__crew_start(memory_of(kept), kept->helpers)) return give_up(arena, kept->helpers);
        kept->runs = kept->fresh = true;
    }
    return true;
}

void wend__crews_end(wend_arena *arena) {
    for (wend__kept_crew *kept = arena->crews; kept; kept = kept->next) {
        if (kept->runs && !kept->wanted) wend__crew_stop(memory_of(kept)), kept->runs = false;
        kept->wanted = kept->fresh = false;
    }
}

void wend__crews_free(wend_arena *arena) {
    while (arena->crews) {
        wend__kept_crew *kept = arena->crews;
        WEND__DEBUG_ASSERT(!kept->runs);
        arena->crews = kept->next;
        arena->allocator.free(arena->allocator.context, kept, bytes_of(kept->helpers));
    }
}
