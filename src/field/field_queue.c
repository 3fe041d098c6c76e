/* SPDX-License-Identifier: MIT */
/* Finds the marked cells that are in no bucket, and queues the first of them in order of cost. */
#include "field/field_queue.h"

#include <string.h>

enum { ENTRIES = 31, ROOM = 32 };

void wend__field_scatter(wend_field *f) {
    wend__open_reset(&f->open, f->open.entries, 0);
    for (uint32_t page = 0; page < f->open_pages; page++) wend__open_add_page(&f->open, page);
    memset(f->marks, 0xff, ((size_t)f->chunks + 63) / 64 * sizeof *f->marks);
    f->outside = 0;
}

/* A pass over the marked cells of the marked chunks. */
typedef struct sweep {
    wend_field *field;
    uint32_t lowest; ///< key
    uint64_t count;
    uint32_t base, window;         ///< keys to queue: base to base + window - 1
    uint32_t left;                 ///< lowest key that was not queued
    uint32_t sizes[WEND__BUCKETS]; ///< cells by key, from base
} sweep;

typedef void visit_fn(sweep *s, uint32_t id, uint32_t key);

static void find_lowest(sweep *s, uint32_t id, uint32_t key) {
    (void)id;
    if (key < s->lowest) s->lowest = key;
    s->count++;
}

static void count_sizes(sweep *s, uint32_t id, uint32_t key) {
    (void)id;
    if (key - s->base < WEND__BUCKETS) s->sizes[key - s->base]++;
}

static void queue_cell(sweep *s, uint32_t id, uint32_t key) {
    wend_field *f = s->field;
    if (key - s->base < s->window && f->open.spare > ROOM)
        wend__open_push_bucket(&f->open, key & (WEND__BUCKETS - 1), id);
    else if (key < s->left)
        s->left = key;
}

static void sweep_chunk(sweep *s, uint32_t chunk, uint8_t mark, visit_fn *visit) {
    const wend_field *f = s->field;
    const uint64_t marks = mark * UINT64_C(0x0101010101010101);
    for (uint32_t at = chunk << 12, end = at + 4096; at < end; at += 8) {
        uint64_t word;
        memcpy(&word, f->ways + at, sizeof word);
        if (WEND__LIKELY(!(word & marks))) continue;
        for (uint32_t id = at; id < at + 8; id++)
            if (f->ways[id] & mark) visit(s, id, f->costs[id] >> f->shift);
    }
}

/* `forget`: a chunk of which no cell was left out loses its own mark. */
static void sweep_all(sweep *s, uint8_t mark, visit_fn *visit, bool forget) {
    wend_field *f = s->field;
    for (uint32_t word = 0; word < (f->chunks + 63) / 64; word++)
        for (uint64_t bits = f->marks[word]; bits; bits &= bits - 1) {
            const uint32_t chunk = word << 6 | wend__ctz64(bits), left = s->left;
            if (chunk >= f->chunks) break;
            s->left = UINT32_MAX;
            sweep_chunk(s, chunk, mark, visit);
            if (forget && s->left == UINT32_MAX) f->marks[word] &= ~(UINT64_C(1) << (chunk & 63));
            if (left < s->left) s->left = left;
            f->owed += 4096 / 256;
        }
}

static void measure(sweep *s, uint8_t mark) {
    s->lowest = UINT32_MAX;
    s->count = 0;
    sweep_all(s, mark, find_lowest, false);
}

/* As many keys as half of the room holds, but one at least. */
static void narrow_window(sweep *s, uint8_t mark) {
    memset(s->sizes, 0, sizeof s->sizes);
    sweep_all(s, mark, count_sizes, false);
    uint32_t blocks = 0;
    for (s->window = 0; s->window < WEND__BUCKETS; s->window++) {
        blocks += (s->sizes[s->window] + ENTRIES - 1) / ENTRIES;
        if (s->window > 0 && blocks > s->field->open.spare / 2) break;
    }
}

/* Queue the first of the marked cells that are in no bucket. Those that are may be queued twice, which does not
   matter. While cells are in doubt, marks of chunks stay: open cells may be there, too. */
static void gather(wend_field *f, uint8_t mark) {
    sweep s = {.field = f, .window = WEND__BUCKETS, .left = UINT32_MAX};
    measure(&s, mark);
    const bool fits = s.count + ROOM < f->open.spare / 2; /* a cell takes a block at most */
    if (f->open.words && s.count > 0 && (!fits || s.lowest < f->key)) {
        wend__field_scatter(f);
        measure(&s, mark);
    }
    if (s.count > 0 && f->open.words == 0) {
        f->key = s.lowest;
        f->open.current = s.lowest & (WEND__BUCKETS - 1);
    }
    s.base = f->key;
    if (s.count + ROOM >= f->open.spare / 2) narrow_window(&s, mark);
    if (s.count > 0) sweep_all(&s, mark, queue_cell, mark == WEND__FIELD_OPEN);
    f->outside = s.left;
}

bool wend__field_advance(wend_field *f, uint8_t mark) {
    for (;;) {
        const uint32_t before = f->open.current;
        const bool more = wend__open_advance(&f->open);
        const uint32_t key = more ? f->key + ((f->open.current - before) & (WEND__BUCKETS - 1)) : UINT32_MAX;
        if (f->outside >= key) {
            if (more) f->key = key;
            return more;
        }
        f->open.current = before;
        gather(f, mark);
    }
}
