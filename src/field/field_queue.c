/* SPDX-License-Identifier: MIT */
/* Finds the marked cells that are in no bucket, and queues the first of them in order of cost.
 *
 * A gather has two stages. It measures the chunks with an unknown lowest key, and then queues the cells of a window of
 * keys from the lowest on. If the queue cannot hold them, the window is halved, and the second stage begins again. */
#include "field/field_queue.h"

#include <string.h>

enum {
    ROOM = 32,
    SWEEP_EXPANSIONS = 16, ///< cost of a sweep of a chunk with few marked cells
    CELLS_AN_EXPANSION = 8 ///< marked cells processed in the time of one
};

/* ---- the queue's memory ---- */

/* Returns the number of free blocks. */
static uint32_t room_of(const wend_field *f) {
    WEND__DEBUG_ASSERT(f->added_pages <= f->open_pages);
    return f->open.spare + (f->open_pages - f->added_pages) * WEND__OPEN_PAGE_BLOCKS;
}

static uint32_t blocks_of(const wend_field *f) {
    return f->open_pages * WEND__OPEN_PAGE_BLOCKS;
}

void wend__field_scatter(wend_field *f, uint32_t key) {
    wend__open_reset(&f->open, f->open.entries, 0);
    f->added_pages = 0;
    for (uint32_t chunk = 0; chunk < f->chunks; chunk++)
        if (f->least[chunk] > key) f->least[chunk] = key;
    if (f->outside > key) f->outside = key;
    f->gather = WEND__GATHER_NONE;
}

void wend__field_recall(wend_field *f) {
    for (uint32_t chunk = 0; chunk < f->chunks; chunk++)
        if (f->least[chunk] != WEND__FIELD_FAR) f->least[chunk] = 0;
    f->outside = 0;
    f->gather = WEND__GATHER_NONE;
}

/* ---- a chunk ---- */

/* Queue a cell if its key is in the window, and the queue can hold it. False: it is left out. */
static bool queue_cell(wend_field *f, uint32_t id, uint32_t key, uint32_t reserve) {
    if (key - f->key >= f->window || room_of(f) <= reserve) return false;
    if (f->open.spare == 0) wend__field_add_page(f);
    wend__open_push_bucket(&f->open, key & (WEND__BUCKETS - 1), id);
    return true;
}

/* Sweeps the marked cells of a chunk. Returns the lowest key of the unqueued ones. */
static uint32_t sweep_chunk(wend_field *f, uint32_t chunk, bool queues, uint32_t reserve) {
    WEND__DEBUG_ASSERT(chunk < f->chunks && (f->gathered == WEND__FIELD_OPEN || f->gathered == WEND__FIELD_DOUBT));
    const uint64_t marks = f->gathered * UINT64_C(0x0101010101010101);
    uint32_t left = WEND__FIELD_FAR, cells = 0;
    for (uint32_t at = chunk << 12, end = at + 4096; at < end; at += 8) {
        uint64_t word;
        memcpy(&word, f->ways + at, sizeof word);
        if (WEND__LIKELY(!(word & marks))) continue;
        for (uint32_t id = at; id < at + 8; id++) {
            const uint32_t key = f->costs[id] >> f->shift;
            if (!(f->ways[id] & f->gathered)) continue;
            cells++;
            if (!(queues && queue_cell(f, id, key, reserve)) && key < left) left = key;
        }
    }
    f->owed += SWEEP_EXPANSIONS + cells / CELLS_AN_EXPANSION;
    return left;
}

/* While cells are in doubt, open cells may be left in a chunk. */
static void store_least(wend_field *f, uint32_t chunk, uint32_t left) {
    const bool later = left == WEND__FIELD_FAR && f->gathered != WEND__FIELD_OPEN;
    f->least[chunk] = later ? WEND__FIELD_LATER : left;
}

/* ---- a gather ---- */

static void end_gather(wend_field *f) {
    WEND__DEBUG_ASSERT(f->window > 0 && f->window <= WEND__BUCKETS);
    f->gather = WEND__GATHER_NONE;
    f->outside = f->left;
    if (f->window < WEND__BUCKETS && room_of(f) > blocks_of(f) / 4 * 3) f->window *= 2;
}

/* Cells in buckets stay if there is room and gathered ones do not precede them. Queueing one twice is harmless. */
static void begin_queueing(wend_field *f) {
    uint32_t lowest = WEND__FIELD_LATER;
    for (uint32_t chunk = 0; chunk < f->chunks; chunk++)
        if (f->least[chunk] < lowest) lowest = f->least[chunk];
    f->owed += f->chunks >> 8;
    f->left = WEND__FIELD_FAR;
    if (lowest == WEND__FIELD_LATER) {
        end_gather(f);
        return;
    }
    if (f->open.words && (lowest < f->key || room_of(f) <= blocks_of(f) / 2)) wend__field_scatter(f, f->key);
    if (!f->open.words) {
        f->key = lowest;
        f->open.current = lowest & (WEND__BUCKETS - 1);
    }
    f->gather = WEND__GATHER_QUEUES;
    f->sweep = 0;
}

static void measure_next(wend_field *f) {
    while (f->sweep < f->chunks && f->least[f->sweep] != 0) f->sweep++;
    if (f->sweep == f->chunks) {
        begin_queueing(f);
        return;
    }
    store_least(f, f->sweep, sweep_chunk(f, f->sweep, false, 0));
    f->sweep++;
}

/* Returns true if a chunk's lowest key lies beyond the window. */
static bool is_beyond(wend_field *f, uint32_t least) {
    if (least >= WEND__FIELD_LATER) return true;
    if (least >= f->key && least - f->key < f->window) return false;
    if (least < f->left) f->left = least;
    return true;
}

static void queue_next(wend_field *f) {
    while (f->sweep < f->chunks && is_beyond(f, f->least[f->sweep])) f->sweep++;
    if (f->sweep == f->chunks) {
        end_gather(f);
        return;
    }
    const uint32_t reserve = f->window > 1 ? blocks_of(f) / 2 : ROOM;
    const uint32_t left = sweep_chunk(f, f->sweep, true, reserve);
    if (f->window > 1 && room_of(f) <= reserve) {
        wend__field_scatter(f, f->key);
        f->window /= 2;
        begin_queueing(f);
        return;
    }
    store_least(f, f->sweep++, left);
    if (left < f->left) f->left = left;
}

void wend__field_gather(wend_field *f) {
    WEND__DEBUG_ASSERT(f->gather != WEND__GATHER_NONE);
    if (f->gather == WEND__GATHER_MEASURES)
        measure_next(f);
    else
        queue_next(f);
}

wend__advance wend__field_advance(wend_field *f, uint8_t mark) {
    WEND__DEBUG_ASSERT(f->gather == WEND__GATHER_NONE);
    const uint32_t before = f->open.current;
    const bool more = wend__open_advance(&f->open);
    const uint32_t key = more ? f->key + ((f->open.current - before) & (WEND__BUCKETS - 1)) : WEND__FIELD_FAR;
    if (f->outside >= key) {
        if (more) f->key = key;
        return more ? WEND__FIELD_BUCKET : WEND__FIELD_EMPTY;
    }
    f->open.current = before;
    f->gather = WEND__GATHER_MEASURES;
    f->gathered = mark;
    f->sweep = 0;
    return WEND__FIELD_GATHERS;
}
