/* SPDX-License-Identifier: MIT */
/* The store of a watcher: strands of cells, and slot groups of pieces by tile and mover. */
#include "map/store/directions.h"
#include "motion/watch/watch_state.h"

enum { TRAIL_FIRST = 6 }; ///< bits of the first cell

uint32_t wend__watch_bucket(const wend_watcher *w, uint32_t tile, int32_t mover) {
    return (tile + (uint32_t)mover * UINT32_C(0x9E3779B1)) & w->bucket_mask;
}

/* ---- strands ---- */

/* Append a word to the path's strands; WEND__NO_WATCH: no room. */
static uint32_t append(wend_watcher *w, wend__watched *path, uint32_t number, uint64_t word) {
    const uint32_t in = number % WEND__STRAND_WORDS;
    if (in == 0) {
        const uint32_t strand = w->free_strand;
        if (strand == WEND__NO_WATCH) return WEND__NO_WATCH;
        w->free_strand = w->strands[strand].next;
        w->strands[strand].next = WEND__NO_WATCH;
        if (number)
            w->strands[path->last].next = strand;
        else
            path->first = strand;
        path->last = strand;
    }
    w->strands[path->last].words[in] = word;
    return path->last * WEND__STRAND_WORDS + in;
}

static void free_strands(wend_watcher *w, const wend__watched *path) {
    if (path->first == WEND__NO_WATCH) return;
    w->strands[path->last].next = w->free_strand;
    w->free_strand = path->first;
}

/* ---- slot groups ---- */

/* A bucket's first slot group has the last one as its previous. Those with room come before the full ones. */
static void unlink_slot_group(wend_watcher *w, uint32_t number, uint32_t bucket) {
    const wend__slot_group *slot_group = &w->slot_groups[number];
    const uint32_t first = w->buckets[bucket];
    if (number == first)
        w->buckets[bucket] = slot_group->next;
    else
        w->slot_groups[slot_group->previous].next = slot_group->next;
    const uint32_t after = slot_group->next != WEND__NO_WATCH ? slot_group->next : first;
    if (after != number) w->slot_groups[after].previous = slot_group->previous;
}

static void link_slot_group(wend_watcher *w, uint32_t number, uint32_t bucket, bool in_front) {
    wend__slot_group *slot_group = &w->slot_groups[number];
    const uint32_t first = w->buckets[bucket];
    const bool alone = first == WEND__NO_WATCH;
    const uint32_t last = alone ? number : w->slot_groups[first].previous;
    slot_group->next = in_front ? first : WEND__NO_WATCH;
    slot_group->previous = last;
    if (!alone) w->slot_groups[first].previous = number;
    if (alone || in_front)
        w->buckets[bucket] = number;
    else
        w->slot_groups[last].next = number;
}

static const uint16_t full = (1u << WEND__SLOT_GROUP_PIECES) - 1;

/* A slot group of the tile with room, perhaps a new one; WEND__NO_WATCH: there is none. */
static uint32_t find_slot_group(wend_watcher *w, uint32_t tile, uint16_t mover) {
    const uint32_t bucket = wend__watch_bucket(w, tile, mover);
    uint32_t number = w->buckets[bucket];
    for (; number != WEND__NO_WATCH && w->slot_groups[number].used != full; number = w->slot_groups[number].next)
        if (w->slot_groups[number].tile == tile && w->slot_groups[number].mover == mover) return number;
    number = w->free_slot_group;
    if (number == WEND__NO_WATCH) return number;
    wend__slot_group *slot_group = &w->slot_groups[number];
    w->free_slot_group = slot_group->next;
    slot_group->tile = tile, slot_group->mover = mover, slot_group->used = 0;
    link_slot_group(w, number, bucket, true);
    return number;
}

static uint32_t add_piece(wend_watcher *w, uint32_t tile, uint16_t mover, const wend__piece *piece) {
    const uint32_t number = find_slot_group(w, tile, mover);
    if (number == WEND__NO_WATCH) return number;
    wend__slot_group *slot_group = &w->slot_groups[number];
    const unsigned slot = wend__ctz32(~(uint32_t)slot_group->used);
    slot_group->used |= (uint16_t)(1u << slot);
    slot_group->of[slot] = *piece;
    if (slot_group->used == full) {
        const uint32_t bucket = wend__watch_bucket(w, tile, mover);
        unlink_slot_group(w, number, bucket);
        link_slot_group(w, number, bucket, false);
    }
    return number << WEND__SLOT_GROUP_SHIFT | slot;
}

static void remove_piece(wend_watcher *w, uint32_t place) {
    const uint32_t number = place >> WEND__SLOT_GROUP_SHIFT, slot = place & ((1u << WEND__SLOT_GROUP_SHIFT) - 1);
    wend__slot_group *slot_group = &w->slot_groups[number];
    const uint32_t bucket = wend__watch_bucket(w, slot_group->tile, slot_group->mover);
    const bool was_full = slot_group->used == full;
    slot_group->used &= (uint16_t) ~(1u << slot);
    if (slot_group->used && !was_full) return;
    unlink_slot_group(w, number, bucket);
    if (slot_group->used) {
        link_slot_group(w, number, bucket, true);
    } else {
        slot_group->next = w->free_slot_group;
        w->free_slot_group = number;
    }
}

/* ---- paths ---- */

static bool store_cells(wend_watcher *w, wend__watched *path, const wend_cell *cells) {
    for (uint32_t i = 0; i < path->count; i++)
        if (append(w, path, i, wend__cell_pack(cells[i])) == WEND__NO_WATCH) return false;
    return append(w, path, path->count, WEND__STRAND_END) != WEND__NO_WATCH;
}

/* The code of the way from a cell to the next word of its path. */
static unsigned code_of(const wend_watcher *w, int32_t kind, wend_cell from, uint64_t next) {
    if (next == WEND__STRAND_END) return wend__code_end(w);
    const wend_cell to = wend__cell_unpack(next);
    int32_t direction = -1;
    if (kind == WEND_KIND_GRID) direction = wend__flat_direction(to.x - from.x, to.y - from.y);
    if (kind == WEND_KIND_VOXEL) direction = wend__space_direction(to.x - from.x, to.y - from.y, to.z - from.z);
    return direction < 0 ? wend__code_link(w) : (unsigned)direction;
}

/* Index the run of cells that begins at a word; its end is the next run's begin. A run that leads on through a link
   ends there, since its trail names only neighbours. */
static bool index_run(wend_watcher *w, uint32_t number, uint32_t *at, uint32_t *index) {
    wend__watched *path = &w->paths[number];
    const int32_t kind = w->version->kind;
    wend__piece piece = {.path = number, .index = *index};
    wend_cell cell = wend__cell_unpack(wend__strand_word(w, *at));
    const uint32_t tile = wend__tile_of(w, cell);
    piece.trail = wend__tile_bit(w, cell);
    for (unsigned shift = TRAIL_FIRST; shift + w->code_bits <= 64; shift += w->code_bits) {
        piece.places |= UINT64_C(1) << wend__tile_bit(w, cell);
        *at = wend__strand_next(w, *at);
        ++*index;
        const uint64_t next = wend__strand_word(w, *at);
        const unsigned code = code_of(w, kind, cell, next);
        piece.trail |= (uint64_t)code << shift;
        if (code >= wend__code_link(w)) break;
        cell = wend__cell_unpack(next);
        if (wend__tile_of(w, cell) != tile || piece.places >> wend__tile_bit(w, cell) & 1) break;
    }
    const uint32_t place = add_piece(w, tile, path->mover, &piece);
    if (place == WEND__NO_WATCH) return false;
    const uint32_t where = append(w, path, path->count + 1 + path->pieces, place);
    if (where == WEND__NO_WATCH) {
        remove_piece(w, place);
        return false;
    }
    if (path->pieces++ == 0) path->pieces_at = where;
    return true;
}

bool wend__watch_store(wend_watcher *w, uint32_t number, const wend_cell *cells) {
    wend__watched *path = &w->paths[number];
    path->first = WEND__NO_WATCH;
    path->pieces = 0;
    bool stored = store_cells(w, path, cells);
    uint32_t at = stored ? path->first * WEND__STRAND_WORDS : 0;
    uint32_t index = 0;
    while (stored && index < path->count) stored = index_run(w, number, &at, &index);
    if (!stored) wend__watch_unstore(w, number);
    return stored;
}

void wend__watch_unstore(wend_watcher *w, uint32_t number) {
    const wend__watched *path = &w->paths[number];
    uint32_t at = path->pieces_at;
    for (uint32_t i = 0; i < path->pieces; i++) {
        remove_piece(w, (uint32_t)wend__strand_word(w, at));
        if (i + 1 < path->pieces) at = wend__strand_next(w, at);
    }
    free_strands(w, path);
}
