/* SPDX-License-Identifier: MIT */
/* Strips of landmarks' distances: making, copying and freeing them.
 *
 * A repaired copy owns only the strips that it wrote to, shares the others with its parent, and holds a reference to
 * the parent. The next repair absorbs a parent whose only holder is that child: strips that the child lacks become the
 * child's own. So strips need no reference counts. Besides the strips of live versions, memory holds those of versions
 * released since the last repair, and those of common ancestors of forks. */
#include "map/landmarks/landmark_tables.h"
#include "map/landmarks/landmarks.h"
#include "map/store/map_layout.h"
#include "map/store/memory.h"
#include "map/store/rules.h"

static size_t words_of(size_t strips) {
    return (strips + 63) / 64;
}

/* The set of own strips comes after the table, where a word of it may begin. */
static size_t table_room(size_t strips) {
    return strips + (strips & 1);
}

static size_t object_bytes(size_t strips) {
    return sizeof(wend__landmarks) + table_room(strips) * sizeof(uint32_t *) + words_of(strips) * sizeof(uint64_t);
}

static size_t strip_bytes(uint32_t count) {
    return (size_t)WEND__STRIP_CELLS * count * sizeof(uint32_t);
}

bool wend__landmark_is_own(const wend__landmarks *l, size_t strip) {
    return l->own[strip / 64] >> strip % 64 & 1;
}

size_t wend__landmarks_bytes(const wend__landmarks *l) {
    return object_bytes(l->strip_count) + l->strip_count * strip_bytes(l->count);
}

uint64_t wend__landmarks_queued(const wend__landmarks *l) {
    uint64_t sum = 0;
    for (uint32_t i = 0; l && i < l->count; i++) sum += l->repairs[i].count;
    return sum;
}

/* ---- made ---- */

static wend__landmarks *create_object(wend_map *map, size_t strips) {
    wend__landmarks *l = wend__map_alloc(map, object_bytes(strips));
    if (!l) return NULL;
    *l = (wend__landmarks){.references = 1, .strip_count = strips};
    l->own = (uint64_t *)(l->strips + table_room(strips));
    memset(l->own, 0, words_of(strips) * sizeof *l->own);
    return l;
}

/* An own strip; NULL: out of memory. */
static uint32_t *add_strip(wend_map *map, wend__landmarks *l, size_t strip) {
    uint32_t *numbers = wend__family_alloc_aligned(map->family, strip_bytes(l->count), 64);
    if (!numbers) return NULL;
    l->strips[strip] = numbers;
    l->own[strip / 64] |= UINT64_C(1) << strip % 64;
    return numbers;
}

wend__landmarks *wend__landmarks_create(const wend__version *v, uint32_t count) {
    const size_t rows = ((size_t)v->height + (1 << WEND__STRIP_SHIFT) - 1) >> WEND__STRIP_SHIFT;
    const uint32_t straight = (uint32_t)v->rules.cost_straight, diagonal = (uint32_t)v->rules.cost_diagonal;
    const uint32_t unit = wend__common_divisor(straight, diagonal);
    wend__landmarks *l = create_object(v->map, rows * (size_t)v->chunk_columns);
    if (!l) return NULL;
    l->count = count;
    l->valid = (1u << count) - 1;
    l->straight = straight / unit, l->diagonal = diagonal / unit;
    l->columns = v->chunk_columns;
    for (size_t i = 0; i < l->strip_count; i++) {
        uint32_t *numbers = add_strip(v->map, l, i);
        if (!numbers) {
            wend__landmarks_release(v->map, l);
            return NULL;
        }
        memset(numbers, 0xff, strip_bytes(count));
    }
    return l;
}

uint32_t *wend__landmark_write(wend_map *map, wend__landmarks *l, size_t strip) {
    const uint32_t *old = l->strips[strip];
    if (wend__landmark_is_own(l, strip)) return (uint32_t *)old;
    uint32_t *numbers = add_strip(map, l, strip);
    if (numbers) memcpy(numbers, old, strip_bytes(l->count));
    return numbers;
}

/* ---- freed ---- */

/* Free the strips of `l` that the set names; they have no other owner. */
static void free_strips(wend_map *map, const wend__landmarks *l, const uint64_t *set) {
    for (size_t word = 0; word < words_of(l->strip_count); word++)
        for (uint64_t left = set[word]; left; left &= left - 1)
            wend__map_free(map, (void *)l->strips[word * 64 + wend__ctz64(left)], strip_bytes(l->count));
}

static void free_object(wend_map *map, wend__landmarks *l) {
    for (uint32_t i = 0; i < l->count; i++)
        wend__map_free(map, l->repairs[i].cells, l->repairs[i].room * sizeof *l->repairs[i].cells);
    wend__map_free(map, l, object_bytes(l->strip_count));
}

void wend__landmarks_release(wend_map *map, wend__landmarks *l) {
    while (l) {
        wend__mutex_lock(map->mutex);
        const bool last = --l->references == 0;
        wend__landmarks *parent = l->parent;
        wend__mutex_unlock(map->mutex);
        if (!last) return;
        free_strips(map, l, l->own);
        free_object(map, l);
        l = parent;
    }
}

/* The parent's strips become the child's where the child has none; `parent->own` keeps those left over. The mutex is
   held, and only the child holds the parent. */
static void absorb(wend__landmarks *child) {
    wend__landmarks *parent = child->parent;
    for (size_t word = 0; word < words_of(child->strip_count); word++) {
        const uint64_t theirs = parent->own[word];
        parent->own[word] = theirs & child->own[word];
        child->own[word] |= theirs;
    }
    child->parent = parent->parent;
}

/* Absorb all ancestors whose only holder is their child. They stay linked by `parent`. */
static wend__landmarks *absorb_ancestors(wend_map *map, wend__landmarks *l) {
    wend__landmarks *gone = NULL;
    wend__mutex_lock(map->mutex);
    while (l->parent) {
        wend__landmarks *parent = l->parent;
        if (parent->references > 1) {
            l = parent;
            continue;
        }
        absorb(l);
        parent->parent = gone;
        gone = parent;
    }
    wend__mutex_unlock(map->mutex);
    return gone;
}

wend__landmarks *wend__landmarks_repair_begin(wend_map *map, wend__landmarks *parent) {
    for (wend__landmarks *gone = absorb_ancestors(map, parent), *next; gone; gone = next) {
        next = gone->parent;
        free_strips(map, gone, gone->own);
        free_object(map, gone);
    }
    wend__landmarks *l = create_object(map, parent->strip_count);
    if (!l) return NULL;
    l->count = parent->count;
    l->valid = parent->valid | wend__landmarks_in_repair(parent);
    l->straight = parent->straight, l->diagonal = parent->diagonal;
    l->columns = parent->columns;
    memcpy(l->strips, parent->strips, parent->strip_count * sizeof *l->strips);
    wend__reference_add(map, &parent->references);
    l->parent = parent;
    return l;
}
