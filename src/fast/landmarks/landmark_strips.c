/* SPDX-License-Identifier: MIT */
/* Strips of landmarks' numbers: making, copying and freeing them.
 *
 * A repaired copy owns only the strips that it wrote to, shares the others with its parent, and holds a reference to
 * the parent. The next repair absorbs a parent that only that child holds: strips that the child lacks become the
 * child's own. So strips need no reference counts. Apart from the strips of live versions, memory holds those of
 * versions released since the last repair, and those of common ancestors of forks. */
#include "map/kinds/graph.h"
#include "fast/landmarks/landmark_tables.h"
#include "map/store/memory.h"

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

static size_t code_bytes(uint32_t count) {
    return (size_t)WEND__STRIP_CELLS * count * sizeof(uint16_t);
}

static size_t strip_bytes(uint32_t count, bool paged) {
    return wend__landmark_head(count, paged) * sizeof(uint32_t) + code_bytes(count);
}

bool wend__landmark_is_own(const wend__landmarks *l, size_t strip) {
    return l->own[strip / 64] >> strip % 64 & 1;
}

/* Strips without a number share this one, which has no owner. */
static const uint32_t blank_strip[2 + WEND__LANDMARK_SLOTS * (1 + WEND__STRIP_CELLS / 2)];

size_t wend__landmarks_bytes(const wend__landmarks *l) {
    return object_bytes(l->strip_count) + (l->filled - l->paged) * strip_bytes(l->count, false) +
           l->paged * strip_bytes(l->count, true);
}

/* ---- made ---- */

/* The new object owns no strip. Its other fields are still to be written. */
static wend__landmarks *alloc_object(wend_map *map, size_t strips) {
    wend__landmarks *l = wend__shared_alloc(map, object_bytes(strips), false);
    if (!l) return NULL;
    l->own = (uint64_t *)(l->strips + table_room(strips));
    memset(l->own, 0, words_of(strips) * sizeof *l->own);
    return l;
}

uint32_t wend__landmark_slots(const wend__graph *graph, uint32_t landmarks) {
    return graph && !graph->symmetric ? 2 * landmarks : landmarks;
}

wend__landmarks *wend__landmarks_create(wend_map *map, const wend__version *view, uint32_t count) {
    const size_t strips = ((size_t)view->chunk_rows * (size_t)view->chunk_columns) << 2;
    wend__landmarks *l = alloc_object(map, strips);
    if (!l) return NULL;
    *l = (wend__landmarks){.shared = l->shared,
                           .own = l->own,
                           .strip_count = strips,
                           .count = count,
                           .valid = (1u << count) - 1,
                           .directed = view->graph && !view->graph->symmetric,
                           .unpaged = view->kind == WEND_KIND_GRAPH,
                           .columns = view->chunk_columns};
    for (size_t i = 0; i < strips; i++) l->strips[i] = blank_strip;
    return l;
}

/* Returns a strip to write to, of unpublished landmarks: copied the first time. NULL: out of memory. */
static uint32_t *write_strip(wend_map *map, wend__landmarks *l, size_t strip) {
    const uint32_t *old = l->strips[strip];
    if (wend__landmark_is_own(l, strip)) return (uint32_t *)old;
    const size_t bytes = strip_bytes(l->count, old[0] != 0);
    uint32_t *copy = wend__family_alloc_aligned(map->family, bytes, 64);
    if (!copy) return NULL;
    memcpy(copy, old, bytes);
    l->filled += old == blank_strip;
    l->strips[strip] = copy;
    l->own[strip / 64] |= UINT64_C(1) << strip % 64;
    return copy;
}

/* ---- numbers ---- */

static uint16_t *codes_of(uint32_t *strip, uint32_t count) {
    return (uint16_t *)(void *)(strip + wend__landmark_head(count, strip[0] != 0));
}

/* Makes pages follow one another from a base, so that codes mean the same as in a strip that is not paged. */
static void set_pages(uint32_t *pages, uint32_t base) {
    for (uint32_t i = 0; i < WEND__LANDMARK_PAGES; i++) pages[i] = base + (i << WEND__LANDMARK_PAGE_BITS);
}

/* Makes an own strip paged. NULL: out of memory. */
static uint32_t *page_strip(wend_map *map, wend__landmarks *l, size_t at) {
    uint32_t *old = (uint32_t *)l->strips[at];
    uint32_t *strip = wend__family_alloc_aligned(map->family, strip_bytes(l->count, true), 64);
    if (!strip) return NULL;
    strip[0] = 1;
    for (uint32_t slot = 0; slot < l->count; slot++) set_pages(strip + 1 + slot * WEND__LANDMARK_PAGES, old[1 + slot]);
    memcpy(codes_of(strip, l->count), codes_of(old, l->count), code_bytes(l->count));
    wend__map_free(map, old, strip_bytes(l->count, false));
    l->strips[at] = strip;
    l->paged++;
    return strip;
}

/* Returns the code of a number on one of the pages; 0: no page contains it. */
static uint32_t code_on_page(const uint32_t *pages, uint32_t number) {
    for (uint32_t page = 0; page < WEND__LANDMARK_PAGES; page++) {
        const uint32_t above = number - pages[page];
        if (above < 1u << WEND__LANDMARK_PAGE_BITS && (page | above)) return page << WEND__LANDMARK_PAGE_BITS | above;
    }
    return WEND__LANDMARK_NONE;
}

/* Makes a page that no cell uses begin at or below a number. False: all pages are used. */
static bool open_page(uint32_t *pages, const uint16_t *codes, uint32_t count, uint32_t number) {
    uint64_t used = 1; /* the first page is never given away: its first code is none */
    for (size_t i = 0; i < WEND__STRIP_CELLS; i++)
        used |= UINT64_C(1) << (codes[i * count] >> WEND__LANDMARK_PAGE_BITS);
    if (used == UINT64_MAX) return false;
    pages[wend__ctz64(~used)] = number & ~((UINT32_C(1) << WEND__LANDMARK_PAGE_BITS) - 1);
    return true;
}

wend__landmark_fit wend__landmark_set(wend_map *map, wend__landmarks *l, size_t at, uint32_t cell, unsigned slot,
                                      uint32_t number) {
    uint32_t *strip = write_strip(map, l, at);
    if (!strip) return WEND__LANDMARK_FULL;
    const uint32_t above = number - strip[1 + slot];
    if (!strip[0] && above - 1 < WEND__LANDMARK_SPAN) {
        codes_of(strip, l->count)[(size_t)cell * l->count + slot] = (uint16_t)above;
        return WEND__LANDMARK_FITS;
    }
    if (l->unpaged) return WEND__LANDMARK_TOO_FAR;
    if (!strip[0]) strip = page_strip(map, l, at);
    if (!strip) return WEND__LANDMARK_FULL;
    uint32_t *pages = strip + 1 + slot * WEND__LANDMARK_PAGES;
    uint16_t *codes = codes_of(strip, l->count) + slot;
    uint32_t code = code_on_page(pages, number);
    if (!code && open_page(pages, codes, l->count, number)) code = code_on_page(pages, number);
    if (code) codes[(size_t)cell * l->count] = (uint16_t)code;
    return code ? WEND__LANDMARK_FITS : WEND__LANDMARK_TOO_FAR;
}

bool wend__landmark_set_base(wend_map *map, wend__landmarks *l, size_t at, unsigned slot, uint32_t base) {
    uint32_t *strip = write_strip(map, l, at);
    if (!strip) return false;
    if (strip[0])
        set_pages(strip + 1 + slot * WEND__LANDMARK_PAGES, base);
    else
        strip[1 + slot] = base;
    uint16_t *codes = codes_of(strip, l->count) + slot;
    for (size_t i = 0; i < WEND__STRIP_CELLS; i++) codes[i * l->count] = WEND__LANDMARK_NONE;
    return true;
}

/* ---- freed ---- */

static void free_strip(wend_map *map, const wend__landmarks *l, size_t at) {
    const bool paged = l->strips[at][0] != 0;
    wend__map_free(map, (void *)l->strips[at], strip_bytes(l->count, paged));
}

/* Frees the strips of `l` in the set, which have no other owner. */
static void free_strips(wend_map *map, const wend__landmarks *l, const uint64_t *set) {
    for (size_t word = 0; word < words_of(l->strip_count); word++)
        for (uint64_t left = set[word]; left; left &= left - 1) free_strip(map, l, word * 64 + wend__ctz64(left));
}

/* Frees up to `most` strips that `l` owns, and `l` with the last of them. Returns how many more may be freed. */
static uint64_t free_some(wend__family *family, wend__landmarks *l, uint64_t most) {
    size_t bytes = 0;
    for (size_t word = 0; word < words_of(l->strip_count); word++)
        for (; l->own[word]; l->own[word] &= l->own[word] - 1, most--) {
            if (most == 0) break;
            const uint32_t *strip = l->strips[word * 64 + wend__ctz64(l->own[word])];
            const size_t each = strip_bytes(l->count, strip[0] != 0);
            family->allocator.free(family->allocator.context, (void *)strip, each);
            bytes += each;
        }
    wend__family_uncount(family, bytes);
    if (most > 0) wend__family_free(family, l, l->shared.bytes);
    return most;
}

/* Takes the whole list, and puts back the rest: the allocator is never called under the lock. */
static void free_dying(wend__family *family, uint64_t most) {
    wend__mutex_lock(family->mutex);
    wend__landmarks *l = family->dying;
    family->dying = NULL;
    wend__mutex_unlock(family->mutex);
    while (l) {
        wend__landmarks *next = l->parent;
        most = free_some(family, l, most);
        if (most == 0) break;
        l = next;
    }
    if (!l) return;
    wend__landmarks *last = l;
    while (last->parent) last = last->parent;
    wend__mutex_lock(family->mutex);
    last->parent = family->dying;
    family->dying = l;
    wend__mutex_unlock(family->mutex);
}

/* Landmarks of a large map have many strips. The search that releases the last version with them does not free them
 * all: each release of a version frees some. */
void wend__landmarks_release(wend_map *map, wend__landmarks *l) {
    wend__family *family = map->family;
    while (wend__shared_drop(map, l)) {
        WEND__DEBUG_ASSERT(l);
        wend__landmarks *parent = l->parent;
        wend__mutex_lock(family->mutex);
        l->parent = family->dying;
        family->dying = l;
        family->free_strips = free_dying;
        wend__mutex_unlock(family->mutex);
        l = parent;
    }
}

/* Moves the parent's strips to the child where the child has none; `parent->own` keeps the others. The mutex is
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

/* Absorbs all ancestors that only their child holds. They stay linked by `parent`. */
static wend__landmarks *absorb_ancestors(wend_map *map, wend__landmarks *l) {
    wend__landmarks *gone = NULL;
    wend__mutex_lock(map->mutex);
    while (l->parent) {
        wend__landmarks *parent = l->parent;
        if (parent->shared.references > 1) {
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
        wend__shared_free(map, gone);
    }
    wend__landmarks *l = alloc_object(map, parent->strip_count);
    if (!l) return NULL;
    const size_t head = offsetof(wend__landmarks, count), guarded = offsetof(wend__landmarks, parent);
    memcpy((char *)l + head, (const char *)parent + head, guarded - head);
    memcpy(l->strips, parent->strips, parent->strip_count * sizeof *l->strips);
    l->parent = wend__shared_retain(map, parent);
    return l;
}

/* ---- in a file ---- */

enum { FILE_UNIT = 64 };
enum { BLANK, PLAIN, PAGED }; /* how a strip is stored */

typedef struct file_head {
    uint32_t count, valid, parts, strips;
    uint32_t age, changes;
} file_head;

static size_t rounded(size_t bytes) {
    return (bytes + FILE_UNIT - 1) / FILE_UNIT * FILE_UNIT;
}

static uint8_t storing_of(const uint32_t *strip) {
    return strip == blank_strip ? BLANK : strip[0] ? PAGED : PLAIN;
}

void wend__landmarks_put(const wend__version *version, wend__put_bytes_fn *put, void *context) {
    const wend__landmarks *l = version->landmarks;
    static const char zeros[FILE_UNIT];
    const file_head head = {.count = l->count,
                            .valid = l->valid,
                            .parts = l->scale.weights[0],
                            .strips = (uint32_t)l->strip_count,
                            .age = version->landmarks_age,
                            .changes = version->landmarks_changes};
    const size_t table = sizeof head + l->strip_count;
    put(context, &head, sizeof head);
    for (size_t i = 0; i < l->strip_count; i++) {
        const uint8_t storing = storing_of(l->strips[i]);
        put(context, &storing, 1);
    }
    put(context, zeros, rounded(table) - table);
    for (size_t i = 0; i < l->strip_count; i++)
        if (l->strips[i] != blank_strip) put(context, l->strips[i], strip_bytes(l->count, l->strips[i][0] != 0));
}

/* Numbers stay below 2^31, so that their differences fit. A base may be below 0, as no cell has its first codes. */
static bool bases_fit(const uint32_t *strip, uint32_t count) {
    const uint32_t bases = strip[0] ? count * WEND__LANDMARK_PAGES : count;
    uint32_t most = 0;
    for (uint32_t i = 1; i <= bases; i++) {
        const uint32_t above = strip[i] + WEND__LANDMARK_SPAN + 1;
        if (above > most) most = above;
    }
    return most < (UINT32_C(1) << 31) - WEND__LANDMARK_SPAN - 1;
}

static wend_error bad_file(const char *what) {
    return wend__refuse(WEND_BAD_FORMAT, "%s", what);
}

static wend_error check_head(const wend__version *view, const file_head *head, size_t size,
                             wend__landmark_scale *scale) {
    const size_t strips = ((size_t)view->chunk_rows * (size_t)view->chunk_columns) << 2;
    if (head->count < 1 || head->count > WEND_MAX_LANDMARKS) return bad_file("their number is not from 1 to 8");
    if (head->valid == 0 || head->valid >> head->count) return bad_file("a landmark is valid that there is not");
    if (head->strips != strips) return bad_file("they are of a map of another size");
    if (!wend__landmark_scale_of_parts(view, head->parts, scale)) return bad_file("their scale is none");
    return size >= rounded(sizeof *head + strips) ? WEND_OK : bad_file("they end early");
}

/* Puts the strips in their places. */
static wend_error place_strips(wend__landmarks *l, const uint8_t *storing, const unsigned char *at, size_t left) {
    for (size_t i = 0; i < l->strip_count; i++) {
        if (storing[i] == BLANK) continue;
        const size_t bytes = strip_bytes(l->count, storing[i] == PAGED);
        if (storing[i] > PAGED) return bad_file("a strip is stored in an unknown way");
        if (left < bytes) return bad_file("they end early");
        l->strips[i] = (const uint32_t *)(const void *)at;
        if (l->strips[i][0] != (storing[i] == PAGED)) return bad_file("a strip is not stored as the table says");
        if (!bases_fit(l->strips[i], l->count)) return bad_file("numbers are too large");
        l->filled++, l->paged += storing[i] == PAGED;
        at += bytes, left -= bytes;
    }
    return left == 0 ? WEND_OK : bad_file("bytes are left over");
}

wend_error wend__landmarks_restore(wend_map *map, const wend__version *view, const void *bytes, size_t size,
                                   wend__restored_landmarks *out) {
    file_head head;
    wend__landmark_scale scale;
    if (size < sizeof head) return bad_file("they end early");
    memcpy(&head, bytes, sizeof head);
    wend_error error = check_head(view, &head, size, &scale);
    if (error) return error;
    wend__landmarks *l = wend__landmarks_create(map, view, head.count);
    if (!l) return WEND_OUT_OF_MEMORY;
    l->valid = head.valid, l->scale = scale;
    const unsigned char *at = bytes;
    const size_t first = rounded(sizeof head + l->strip_count);
    error = place_strips(l, at + sizeof head, at + first, size - first);
    if (error) {
        wend__landmarks_release(map, l);
        return error;
    }
    *out = (wend__restored_landmarks){l, head.age, head.changes};
    return WEND_OK;
}
