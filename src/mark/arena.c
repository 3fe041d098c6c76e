/* SPDX-License-Identifier: MIT */
/* An arena is an allocator: blocks of some sizes, one after the other, and a list of free ones for each size. Its
 * bookkeeping is in its own memory, so that it goes back with the blocks. */
#include "mark/arena.h"

#include "base/sized.h"

#include <inttypes.h>
#include <string.h>

enum { LINE = WEND__LINE_BYTES, DEFAULT_MARKS = 16 };

#define MIB (UINT64_C(1) << 20)
#ifdef __wasm__
#define DEFAULT_BYTES (64 * MIB) /* all of it takes memory there */
#else
#define DEFAULT_BYTES (sizeof(void *) > 4 ? 1024 * MIB : 256 * MIB)
#endif
#define LEAST_BYTES (UINT64_C(1) << 16)

/* ---- blocks ---- */

/* Returns a class of size: four to each doubling. @param lines   receives the size of the class */
static uint32_t class_of(size_t bytes, uint64_t *lines) {
    const uint64_t wanted = bytes == 0 ? 1 : ((uint64_t)bytes + LINE - 1) / LINE;
    *lines = wanted;
    if (wanted < 4) return (uint32_t)wanted;
    const uint32_t doublings = wend__top64(wanted);
    const uint64_t step = UINT64_C(1) << (doublings - 2), quarters = (wanted + step - 1) / step;
    *lines = quarters * step;
    return 4 * (doublings - 1) + (uint32_t)(quarters - 4);
}

static uint64_t *at_line(const wend_arena *arena, uint64_t line) {
    return wend__line_at(arena->pages.first, line);
}

static void *take(wend_arena *arena, size_t bytes) {
    wend__arena_blocks *heap = wend__arena_heap(arena);
    uint64_t lines;
    const uint32_t class = class_of(bytes, &lines);
    WEND__DEBUG_ASSERT(class < WEND__SIZE_CLASSES && heap->top <= arena->pages.bytes);
    uint64_t line = heap->first_free[class];
    if (line > 0) {
        heap->first_free[class] = *at_line(arena, line);
    } else {
        if (lines > (arena->pages.bytes - heap->top) / LINE) return NULL;
        line = heap->top / LINE;
        heap->top += lines * LINE;
        if (heap->top > arena->most_top) arena->most_top = heap->top;
    }
    heap->used += lines * LINE;
    heap->blocks++;
    return at_line(arena, line);
}

static void *allocate(void *context, size_t bytes, size_t alignment) {
    wend_arena *arena = context;
    WEND__ASSERT(alignment <= LINE);
    wend__mutex_lock(arena->lock);
    void *block = bytes <= arena->pages.bytes ? take(arena, bytes) : NULL;
    wend__mutex_unlock(arena->lock);
    return block;
}

static void give(void *context, void *block, size_t bytes) {
    wend_arena *arena = context;
    if (!block) return;
    uint64_t lines;
    const uint32_t class = class_of(bytes, &lines);
    wend__mutex_lock(arena->lock);
    wend__arena_blocks *heap = wend__arena_heap(arena);
    const uint64_t line = (uint64_t)((const uint8_t *)block - arena->pages.first) / LINE;
    *at_line(arena, line) = heap->first_free[class];
    heap->first_free[class] = line;
    heap->used -= lines * LINE;
    heap->blocks--;
    wend__mutex_unlock(arena->lock);
}

wend_allocator wend_arena_allocator(wend_arena *arena) {
    WEND__ALIVE(arena, "the arena");
    return (wend_allocator){arena, allocate, give};
}

/* ---- state outside of the memory ---- */

static wend_arena *arenas; /* all arenas of the process, guarded by its lock */
static _Atomic bool any;   /* whether there ever was one */

static bool has(const wend_arena *arena, const void *memory) {
    return (uintptr_t)memory - (uintptr_t)arena->pages.first < arena->pages.bytes;
}

static void enlist(wend_arena *arena) {
    wend__process_lock();
    arena->next = arenas;
    arenas = arena;
    atomic_store(&any, true);
    wend__process_unlock();
}

static void strike(const wend_arena *arena) {
    wend__process_lock();
    wend_arena **at = &arenas;
    while (*at && *at != arena) at = &(*at)->next;
    if (*at) *at = arena->next;
    wend__process_unlock();
}

wend_arena *wend__arena_of(const void *memory) {
    if (!atomic_load_explicit(&any, memory_order_relaxed)) return NULL;
    wend__process_lock();
    wend_arena *arena = arenas;
    while (arena && !has(arena, memory)) arena = arena->next;
    wend__process_unlock();
    return arena;
}

bool wend__arena_shares(const wend_arena *arena, const void *memory) {
    return arena ? has(arena, memory) : !wend__arena_of(memory);
}

wend_error wend__refuse_arenas(void) {
    return wend__refuse(WEND_BAD_ARGUMENT,
                        "an object of an arena uses only objects of that arena: give all of them its allocator");
}

void wend__arena_bar(wend_arena *arena) {
    if (!arena) return;
    wend__mutex_lock(arena->lock);
    arena->outside++;
    wend__mutex_unlock(arena->lock);
}

void wend__arena_hold(wend_arena *arena, bool begins) {
    if (!arena) return;
    wend__mutex_lock(arena->lock);
    WEND__DEBUG_ASSERT(begins || arena->held > 0);
    arena->outside++;
    arena->held += begins ? 1 : UINT32_MAX;
    wend__mutex_unlock(arena->lock);
}

void wend__arena_enter(wend_arena *arena) {
    if (arena) arena->busy++;
}

void wend__arena_leave(wend_arena *arena) {
    WEND__DEBUG_ASSERT(!arena || arena->busy > 0);
    if (arena) arena->busy--;
}

/* ---- making ---- */

void wend_arena_def_init(wend_arena_def *def, size_t bytes) {
    const wend_arena_def own = {.struct_bytes = sizeof own, .marks = DEFAULT_MARKS, .bytes = DEFAULT_BYTES};
    wend__sized_init(def, bytes, &own, sizeof own);
}

static wend_error check_def(const wend_arena_def *def) {
    wend_error error = wend__check_range("marks", def->marks, 1, WEND_MAX_MARKS);
    const uint64_t most = SIZE_MAX / 4 < WEND_MAX_ARENA_BYTES ? SIZE_MAX / 4 : WEND_MAX_ARENA_BYTES;
    if (!error) error = wend__check_size("bytes", def->bytes, LEAST_BYTES, most);
    return error ? error : wend__check_allocator(&def->allocator);
}

/// Offsets in the arena's own allocation.
typedef struct layout {
    size_t lock, slots, states, bytes;
} layout;

static size_t add(layout *l, size_t bytes) {
    const size_t at = l->bytes;
    l->bytes += (bytes + LINE - 1) / LINE * LINE;
    return at;
}

static layout layout_of(uint32_t marks) {
    layout l = {0};
    (void)add(&l, sizeof(wend_arena));
    l.lock = add(&l, wend__mutex_bytes());
    l.slots = add(&l, (size_t)marks * sizeof(uint32_t));
    l.states = add(&l, wend__tree_states(marks) * sizeof(wend__state));
    return l;
}

/* Returns the bytes of `noted`, 64 lines, and `owned`, for each page. */
static size_t notes_bytes(const wend_arena *arena) {
    return arena->pages.bytes / WEND__PAGE_BYTES * (sizeof(uint64_t) + 1);
}

static void free_arena(wend_arena *arena) {
    const wend_allocator allocator = arena->allocator;
    wend__tree_close(&arena->tree);
    strike(arena);
    wend__crews_free(arena);
    wend__space_release((uint8_t *)arena->tree.noted, notes_bytes(arena));
    wend__pages_close(&arena->pages);
    wend__mutex_destroy(arena->lock);
    allocator.free(allocator.context, arena, arena->bytes);
}

static bool open_memory(wend_arena *arena, uint64_t bytes) {
    if (!wend__pages_open(&arena->pages, (size_t)bytes)) return false;
    arena->tree.copy = arena->pages.copy;
    arena->tree.noted = (uint64_t *)(void *)wend__space_reserve(notes_bytes(arena));
    if (!arena->tree.noted) return false;
    arena->owned = (uint8_t *)(arena->tree.noted + arena->pages.bytes / WEND__PAGE_BYTES);
    arena->most_top = (sizeof(wend__arena_blocks) + LINE - 1) / LINE * LINE;
    wend__arena_heap(arena)->top = arena->most_top;
    return true;
}

wend_error wend_arena_create(const wend_arena_def *theirs, wend_arena **out) {
    wend_arena_def def;
    if (!out) return wend__refuse_null("out");
    wend_arena_def_init(&def, sizeof def);
    if (theirs && !WEND__READ_STRUCT(wend_arena_def, allocator, &def, theirs)) return WEND_BAD_ARGUMENT;
    const wend_error error = check_def(&def);
    if (error) return error;
    const wend_allocator allocator = wend__allocator_or_default(def.allocator);
    const layout l = layout_of(def.marks);
    uint8_t *memory = wend__allocate(&allocator, l.bytes, LINE);
    if (!memory) return WEND_OUT_OF_MEMORY;
    if (wend__arena_of(memory)) {
        allocator.free(allocator.context, memory, l.bytes);
        return wend__refuse(WEND_BAD_ARGUMENT,
                            "the memory for marks is in an arena, and would go back with it: give another allocator");
    }
    memset(memory, 0, l.bytes);
    wend_arena *arena = (wend_arena *)(void *)memory;
    *arena = (wend_arena){.allocator = allocator,
                          .lock = (wend__mutex *)(void *)(memory + l.lock),
                          .tree = {.allocator = allocator,
                                   .most_bytes = def.mark_bytes ? def.mark_bytes : UINT64_MAX,
                                   .slot_count = def.marks,
                                   .slots = (uint32_t *)(void *)(memory + l.slots),
                                   .states = (wend__state *)(void *)(memory + l.states)},
                          .bytes = l.bytes};
    wend__mutex_init(arena->lock);
    wend__tree_open(&arena->tree);
    if (!open_memory(arena, def.bytes)) {
        free_arena(arena);
        return wend__refuse_memory((size_t)def.bytes);
    }
    enlist(arena);
    WEND__BORN(arena, "the arena");
    *out = arena;
    return WEND_OK;
}

wend_error wend_arena_destroy(wend_arena *arena) {
    if (!arena) return WEND_OK;
    WEND__ALIVE(arena, "the arena");
    const uint64_t blocks = wend__arena_heap(arena)->blocks;
    if (blocks > 0)
        return wend__refuse(WEND_IN_USE, "objects in the arena have %" PRIu64 " blocks of it: destroy them first",
                            blocks);
    WEND__GONE(arena, "the arena");
    free_arena(arena);
    return WEND_OK;
}
