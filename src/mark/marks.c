/* SPDX-License-Identifier: MIT */
/* Marks and rewinds: finds written pages, and brings their contents back. */
#include "mark/arena.h"

#include "base/sized.h"

#include <string.h>

/* A protected page costs a fault when it is written. A page once written is compared in each mark until pages are
 * protected again. Most of what a frame writes, the next one writes, too. */
enum {
    LINE = WEND__LINE_BYTES,
    WORDS = WEND__LINE_WORDS,
    LINES = WEND__LINES_A_PAGE,
    MARKS_A_ROUND = 4,
    AHEAD = 16, ///< lines whose memory is read ahead of the one that is compared
    NEAR = 3,   ///< pages that no line goes back to, between two that are made writable at once
    MOST_SPARE = 128
};

/* ---- written pages ---- */

static wend__page_range used_pages(const wend_arena *arena) {
    WEND__DEBUG_ASSERT(arena->most_top <= arena->pages.bytes);
    return (wend__page_range){0, (size_t)(arena->most_top + WEND__PAGE_BYTES - 1) / WEND__PAGE_BYTES};
}

/* Returns the lines in which two pages differ. */
static WEND__CLONED uint64_t differing(const uint64_t *a, const uint64_t *b) {
    uint64_t lines = 0;
    for (unsigned i = 0; i < LINES; i++, a += WORDS, b += WORDS) {
        uint64_t bits = 0;
        WEND__PREFETCH(a + AHEAD * WORDS);
        WEND__PREFETCH(b + AHEAD * WORDS);
        for (unsigned k = 0; k < WORDS; k++) bits |= a[k] ^ b[k];
        lines |= (uint64_t)(bits != 0) << i;
    }
    return lines;
}

/* Updates the copy of a page. @return false: out of memory */
static bool note_page(wend_arena *arena, size_t page, wend__delta *before) {
    WEND__DEBUG_ASSERT(page < arena->pages.bytes / WEND__PAGE_BYTES && arena->owned[page] <= 1);
    uint64_t lines =
        differing(wend__line_at(arena->pages.first, page * LINES), wend__line_at(arena->pages.copy, page * LINES));
    if (lines == 0) return true;
    arena->own_pages += !arena->owned[page];
    arena->owned[page] = 1;
    for (; lines > 0; lines &= lines - 1) {
        const uint64_t line = page * LINES + wend__ctz64(lines);
        uint64_t *then = wend__line_at(arena->pages.copy, line);
        if (!wend__delta_add(&arena->tree, before, line, then)) return false;
        memcpy(then, wend__line_at(arena->pages.first, line), LINE);
    }
    return true;
}

/* Protects all pages again. Each page equals its copy then. */
static void protect_all(wend_arena *arena) {
    wend__page_range rest = used_pages(arena), ranges[WEND__PAGE_RANGES];
    size_t count = WEND__PAGE_RANGES;
    for (; count == WEND__PAGE_RANGES; rest.from = ranges[count - 1].to) {
        count = wend__pages_written(&arena->pages, rest, true, ranges);
        if (count == 0) break;
    }
    arena->since_protected = 0;
}

static bool note_pages(wend_arena *arena, wend__page_range pages, wend__delta *before) {
    for (size_t page = pages.from; page < pages.to; page++)
        if (!note_page(arena, page, before)) return false;
    return true;
}

/* Updates the whole copy. @param before   receives its former lines */
static bool note_all(wend_arena *arena, wend__delta *before) {
    wend__page_range rest = used_pages(arena), ranges[WEND__PAGE_RANGES];
    const bool protect = arena->unknown || arena->since_protected >= MARKS_A_ROUND;
    size_t count;
    do {
        count = wend__pages_written(&arena->pages, rest, protect, ranges);
        for (size_t i = 0; i < count && !arena->unknown; i++)
            if (!note_pages(arena, ranges[i], before)) return false;
        rest.from = count > 0 ? ranges[count - 1].to : rest.to;
    } while (count == WEND__PAGE_RANGES);
    if (arena->unknown && !note_pages(arena, used_pages(arena), before)) return false;
    arena->since_protected = protect ? 1 : arena->since_protected + 1;
    arena->unknown = false;
    return true;
}

/* ---- marks ---- */

static wend_error check(const wend_arena *arena, uint32_t slot) {
    if (slot >= arena->tree.slot_count)
        return wend__refuse(WEND_OUT_OF_RANGE, "slot %u: the arena has %u", slot, arena->tree.slot_count);
    if (arena->busy > 0)
        return wend__refuse(WEND_IN_CALLBACK, "a frame, an update or a publish of an object in the arena runs");
    return WEND_OK;
}

wend_error wend_arena_mark(wend_arena *arena, uint32_t slot) {
    WEND__ALIVE(arena, "the arena");
    wend__delta before = {0};
    const wend_error error = check(arena, slot);
    if (error) return error;
    if (!wend__tree_reserve(&arena->tree, MOST_SPARE)) return WEND_OUT_OF_MEMORY;
    if (arena->tree.root == WEND__NO_STATE) {
        const size_t pages = used_pages(arena).to;
        wend__pages_watch(&arena->pages, (size_t)arena->most_top);
        protect_all(arena);
        const size_t shared = arena->pages.shared / WEND__PAGE_BYTES; /* more, where the system's pages are larger */
        arena->own_pages = pages > shared ? pages - shared : 0;
        memset(arena->owned + (pages - arena->own_pages), 1, arena->own_pages);
    } else if (!note_all(arena, &before) || !wend__tree_reserve(&arena->tree, MOST_SPARE)) {
        wend__tree_undo(&arena->tree, &before);
        arena->unknown = true;
        return WEND_OUT_OF_MEMORY;
    }
    arena->changed = before.lines;
    wend__tree_mark(&arena->tree, slot, &before, arena->outside);
    return WEND_OK;
}

wend_error wend_arena_forget(wend_arena *arena, uint32_t slot) {
    WEND__ALIVE(arena, "the arena");
    const wend_error error = check(arena, slot);
    if (error || arena->tree.root == WEND__NO_STATE) return error;
    wend__tree_forget(&arena->tree, slot);
    (void)wend__tree_reserve(&arena->tree, 1); /* frees the others */
    return WEND_OK;
}

/* ---- rewinding ---- */

/* Makes written pages equal to their copies. */
static void put_back(wend_arena *arena, wend__page_range pages) {
    WEND__DEBUG_ASSERT(pages.to <= arena->pages.bytes / WEND__PAGE_BYTES);
    for (size_t page = pages.from; page < pages.to; page++) {
        uint64_t lines =
            differing(wend__line_at(arena->pages.first, page * LINES), wend__line_at(arena->pages.copy, page * LINES));
        for (; lines > 0; lines &= lines - 1) {
            const uint64_t line = page * LINES + wend__ctz64(lines);
            memcpy(wend__line_at(arena->pages.first, line), wend__line_at(arena->pages.copy, line), LINE);
        }
        arena->tree.noted[page] = 0;
    }
}

static void put_all_back(wend_arena *arena) {
    wend__page_range rest = used_pages(arena), ranges[WEND__PAGE_RANGES];
    if (arena->unknown) put_back(arena, rest);
    size_t count = arena->unknown ? 0 : WEND__PAGE_RANGES;
    while (count == WEND__PAGE_RANGES) {
        count = wend__pages_written(&arena->pages, rest, false, ranges);
        for (size_t i = 0; i < count; i++) put_back(arena, ranges[i]);
        rest.from = count > 0 ? ranges[count - 1].to : rest.to;
    }
}

/* Makes the pages writable that are still noted: those that are protected. A call for some of them takes less than a
 * fault for each. */
static void open_noted(wend_arena *arena) {
    const uint64_t *noted = arena->tree.noted;
    const size_t end = used_pages(arena).to;
    for (size_t page = 0; page < end; page++) {
        if (noted[page] == 0) continue;
        wend__page_range range = {page, page + 1};
        for (size_t at = range.to; at < end && at - range.to <= NEAR; at++)
            if (noted[at] != 0) range.to = at + 1;
        wend__pages_unprotect(&arena->pages, range);
        page = range.to;
    }
}

wend_error wend_arena_rewind(wend_arena *arena, uint32_t slot) {
    WEND__ALIVE(arena, "the arena");
    wend__tree *tree = &arena->tree;
    const wend_error error = check(arena, slot);
    if (error) return error;
    if (tree->slots[slot] == WEND__NO_STATE) return wend__refuse(WEND_EMPTY, "slot %u holds no mark", slot);
    if (arena->held > 0) return wend__refuse(WEND_IN_USE, "a recording of the arena's objects is open: end it first");
    if (tree->states[tree->slots[slot]].outside != arena->outside)
        return wend__refuse(WEND_IN_USE, "a recording or a mapped file began or ended since the mark");
    wend__delta before;
    if (!wend__tree_go(tree, slot, &before)) return WEND_OUT_OF_MEMORY;
    if (!wend__tree_reserve(tree, MOST_SPARE) || !wend__crews_begin(arena)) {
        wend__tree_undo(tree, &before);
        return WEND_OUT_OF_MEMORY;
    }
    put_all_back(arena);
    if (before.lines > 0) open_noted(arena);
    wend__tree_arrive(tree, slot, &before, arena->pages.first);
    wend__crews_end(arena);
    WEND__REBORN(arena->pages.first, arena->pages.bytes);
    return WEND_OK;
}

wend_error wend_arena_get_info(const wend_arena *arena, wend_arena_info *out) {
    WEND__ALIVE(arena, "the arena");
    const wend__arena_blocks *heap = wend__arena_heap(arena);
    wend_arena_info info = {.struct_bytes = sizeof info,
                            .watched = wend__pages_are_watched(&arena->pages),
                            .used_bytes = heap->used,
                            .top_bytes = arena->most_top,
                            .mark_bytes = arena->tree.bytes + arena->own_pages * WEND__PAGE_BYTES,
                            .changed_bytes = arena->changed * LINE};
    for (uint32_t i = 0; i < arena->tree.slot_count; i++) info.marks += arena->tree.slots[i] != WEND__NO_STATE;
    return WEND__GIVE(wend_arena_info, watched, out, &info) ? WEND_OK : WEND_BAD_ARGUMENT;
}
