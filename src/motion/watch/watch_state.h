/* SPDX-License-Identifier: MIT */
/* Internal: what a watcher holds: paths, their cells in strands, and an index of pieces of paths by tile.
 *
 * A tile is 64 cells: 8 x 8 of a grid, 4 x 4 x 4 voxels, or 64 nodes. A piece is a run of a path's cells in one tile,
 * none twice, with a bit for each in `places`. The pieces of a tile and mover lie in slot groups. An update visits the
 * slot groups of tiles near a change, and checks the cells of pieces near it only. */
#ifndef WEND_SRC_MOTION_WATCH_WATCH_STATE_H
#define WEND_SRC_MOTION_WATCH_WATCH_STATE_H

#include "map/store/map_layout.h"
#include <wend/watch.h>

enum { WEND__STRAND_WORDS = 15, WEND__SLOT_GROUP_PIECES = 10, WEND__SLOT_GROUP_SHIFT = 4 };
#define WEND__NO_WATCH UINT32_MAX
#define WEND__STRAND_END UINT64_MAX

/// Part of a path's strand of words: its cells, WEND__STRAND_END, then where each of its pieces is.
typedef struct wend__strand {
    uint64_t words[WEND__STRAND_WORDS];
    uint32_t next; ///< or the next free one
    uint32_t spare;
} wend__strand;

typedef struct wend__piece {
    uint64_t places;
    uint64_t trail; ///< the bit of its first cell, then the way on from each cell: a code of w->code_bits bits
    uint32_t path;
    uint32_t index; ///< of its first cell in the path
} wend__piece;

/// Pieces of one tile and mover. They do not move, so that a path can find its own.
typedef struct wend__slot_group {
    uint32_t next, previous; ///< in its bucket; the first has the last as previous; `next` also chains free ones
    uint32_t tile;
    uint16_t mover, used; ///< a bit for each piece
    wend__piece of[WEND__SLOT_GROUP_PIECES];
} wend__slot_group;

/// WATCHED; BROKEN: an update is to report it. TOLD: its event waits. DEAD: its pieces are still indexed.
enum { WEND__WATCH_FREE, WEND__WATCH_WATCHED, WEND__WATCH_BROKEN, WEND__WATCH_TOLD, WEND__WATCH_DEAD };

typedef struct wend__watched {
    uint64_t sequence; ///< of its adding
    void *context;
    uint64_t epoch; ///< TOLD: of its event. BROKEN: the serial of the version on which it was found broken
    wend_cell cell; ///< BROKEN, TOLD: the first that cannot be entered
    uint32_t generation;
    uint32_t first, last;       ///< its strands
    uint32_t count;             ///< of cells
    uint32_t pieces, pieces_at; ///< where in its strands the places of its pieces begin
    uint32_t from;              ///< earlier cells do not count
    uint32_t broken_at;         ///< the first cell that cannot be entered
    uint32_t next;              ///< free, TOLD or DEAD ones
    uint8_t state, mover;
} wend__watched;

typedef struct wend__watch_queue {
    uint32_t first, last;
} wend__watch_queue;

struct wend_watcher {
    wend_watcher_def def;
    size_t bytes;
    wend__version *version; ///< a reference: all watched paths are judged on it
    int32_t shift, shift_x;
    uint32_t code_bits; ///< of a way on: a direction, or, with all bits set, the path's end, or one less, a link
    uint32_t tiles_x, tiles_y;
    uint64_t sequence;
    uint32_t watched; ///< WATCHED and BROKEN ones
    uint32_t of_mover[WEND_MAX_MOVERS];
    bool calling;
    wend__watched *paths;
    uint32_t free_path;
    wend__watch_queue told, dead;
    wend__strand *strands;
    uint32_t free_strand;
    wend__slot_group *slot_groups;
    uint32_t free_slot_group;
    uint32_t *buckets;
    uint32_t bucket_mask;
    uint64_t *broken, *scratch; ///< sequence << 20 | path, of BROKEN ones
    uint32_t broken_count;
};

/* ---- tiles ---- */

static inline uint32_t wend__tile_number(const wend_watcher *w, int32_t x, int32_t y, int32_t z) {
    return ((uint32_t)z * w->tiles_y + (uint32_t)y) * w->tiles_x + (uint32_t)x;
}

static inline uint32_t wend__tile_of(const wend_watcher *w, wend_cell c) {
    return wend__tile_number(w, c.x >> w->shift_x, c.y >> w->shift, c.z >> w->shift);
}

static inline unsigned wend__tile_bit(const wend_watcher *w, wend_cell c) {
    if (w->shift == 3) return (unsigned)(c.y & 7) << 3 | (unsigned)(c.x & 7);
    if (w->shift == 2) return (unsigned)(c.z & 3) << 4 | (unsigned)(c.y & 3) << 2 | (unsigned)(c.x & 3);
    return (unsigned)c.x & 63;
}

/* ---- cells as words ---- */

static inline uint64_t wend__cell_pack(wend_cell c) {
    return (uint64_t)(uint32_t)c.x | (uint64_t)c.y << 32 | (uint64_t)c.z << 48;
}

static inline wend_cell wend__cell_unpack(uint64_t word) {
    return (wend_cell){(int32_t)(uint32_t)word, (int32_t)(word >> 32 & 0xFFFF), (int32_t)(word >> 48)};
}

/* ---- watch_store.c ---- */

/// Where a path's word is, and the word behind it.
static inline uint64_t wend__strand_word(const wend_watcher *w, uint32_t at) {
    return w->strands[at / WEND__STRAND_WORDS].words[at % WEND__STRAND_WORDS];
}
static inline uint32_t wend__strand_next(const wend_watcher *w, uint32_t at) {
    if (at % WEND__STRAND_WORDS + 1 < WEND__STRAND_WORDS) return at + 1;
    return w->strands[at / WEND__STRAND_WORDS].next * WEND__STRAND_WORDS;
}
/// The codes of a trail that are no directions.
static inline unsigned wend__code_end(const wend_watcher *w) {
    return (1u << w->code_bits) - 1;
}
static inline unsigned wend__code_link(const wend_watcher *w) {
    return (1u << w->code_bits) - 2;
}
static inline wend_cell wend__watched_cell(const wend_watcher *w, uint32_t path, uint32_t index) {
    uint32_t strand = w->paths[path].first;
    for (; index >= WEND__STRAND_WORDS; index -= WEND__STRAND_WORDS) strand = w->strands[strand].next;
    return wend__cell_unpack(w->strands[strand].words[index]);
}

/// Store a path's cells and index its pieces. False: no room; nothing is kept.
bool wend__watch_store(wend_watcher *w, uint32_t path, const wend_cell *cells);
/// Forget a path's cells and pieces.
void wend__watch_unstore(wend_watcher *w, uint32_t path);
uint32_t wend__watch_bucket(const wend_watcher *w, uint32_t tile, int32_t mover);

/* ---- watch_compare.c ---- */

/// Bring the watcher to the map's newest version: paths that are broken there become BROKEN.
void wend__watch_sync(wend_watcher *w);
/// The first cell of the path, from `from` on, that is closed on the watcher's version; its count: none.
uint32_t wend__watch_walk(const wend_watcher *w, const wend__watched *path);

/* ---- watcher.c ---- */

/// The path breaks at a cell, perhaps at an earlier one than known.
void wend__watch_break(wend_watcher *w, uint32_t path, uint32_t index, wend_cell cell);

#endif
