/* SPDX-License-Identifier: MIT */
/* Frees in slices what no version of a map holds any more: versions, shared objects, strips of landmarks. */
#include "map/store/memory.h"
#include "map/store/planes.h"
#include "map/store/sweep.h"

enum { BATCH = 16 };                        /* objects, or references to blocks, under one lock */
enum { BLOCK_STEPS = 64, HELD_A_STEP = 8 }; /* a block has references of 256 chunks */

/* Memory taken off the lists under one lock, and freed without it. */
typedef struct batch {
    uint32_t steps, count;
    struct {
        void *object;
        size_t bytes;
    } of[BATCH];
} batch;

static void take(batch *b, void *object, size_t bytes) {
    b->of[b->count].object = object;
    b->of[b->count++].bytes = bytes;
}

/* Requires the mutex. Objects that this one held may become garbage in turn. */
static void take_garbage(wend__family *family, batch *b) {
    while (family->garbage && b->count < BATCH) {
        wend__garbage *first = family->garbage;
        wend__shared *shared = (wend__shared *)(void *)first;
        family->garbage = first->next;
        take(b, first, first->bytes);
        b->steps += 1 + first->held / HELD_A_STEP;
        if (first->is_block) {
            wend__block_release_chunks(family, (const wend__block *)(const void *)shared);
            b->steps += BLOCK_STEPS;
            break;
        }
        const void *const *others = (const void *const *)(const void *)((const char *)shared + first->bytes);
        for (uint32_t i = first->held; i > 0; i--) wend__shared_down(family, others[-(ptrdiff_t)i]);
    }
}

/* Requires the mutex. A version's blocks are released from the last one on. */
static void take_blocks(wend__family *family, batch *b) {
    wend__version *v = family->gone;
    for (unsigned i = 0; i < BATCH && v->blocks_left > 0; i++) {
        wend__block *block = v->blocks[--v->blocks_left];
        if (block && v->jumps) wend__block_release_jumps(family, block);
        wend__shared_down(family, block);
    }
    b->steps += BATCH / HELD_A_STEP;
    if (v->blocks_left > 0) return;
    family->gone = v->older;
    take(b, v, wend__version_bytes(wend__version_blocks(v)));
}

static void free_batch(wend__family *family, const batch *b) {
    size_t bytes = 0;
    for (uint32_t i = 0; i < b->count; i++) {
        family->allocator.free(family->allocator.context, b->of[i].object, b->of[i].bytes);
        bytes += b->of[i].bytes;
    }
    if (bytes > 0) wend__family_uncount(family, bytes);
}

/* Garbage first: objects of a version are then freed before its next blocks are released. */
static bool sweep(wend__family *family, uint64_t steps) {
    bool any = false;
    void (*strips)(wend__family *, uint64_t) = NULL;
    for (uint64_t done = 0;; any = true) {
        batch b = {0};
        wend__mutex_lock(family->mutex);
        if (family->garbage)
            take_garbage(family, &b);
        else if (family->gone)
            take_blocks(family, &b);
        else if (family->dying)
            strips = family->free_strips;
        wend__mutex_unlock(family->mutex);
        free_batch(family, &b);
        done += b.steps;
        if (strips && done < steps) strips(family, steps - done);
        if (b.steps == 0 || done >= steps) return any || strips;
    }
}

void wend__sweep_version(wend__version *version) {
    wend__family *family = version->map->family;
    wend__mutex_lock(family->mutex);
    version->blocks_left = (uint32_t)wend__version_blocks(version);
    version->map = NULL; /* may be freed earlier: forks share garbage */
    version->older = family->gone;
    family->gone = version;
    wend__mutex_unlock(family->mutex);
}

void wend__sweep_slice(wend__family *family) {
    sweep(family, WEND__SLICE_STEPS);
}

void wend__sweep_as_allocated(wend__family *family) {
    wend__mutex_lock(family->mutex);
    const uint64_t steps = family->allocated_steps;
    family->allocated_steps = 0;
    wend__mutex_unlock(family->mutex);
    sweep(family, steps);
}

bool wend__sweep_all(wend__family *family) {
    return sweep(family, UINT64_MAX);
}
