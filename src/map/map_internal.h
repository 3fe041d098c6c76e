/* SPDX-License-Identifier: MIT */
/* Internal: how a map is laid out. Versions are immutable; they share what an edit did not touch.
 *
 *   version -> table of blocks (16 x 16 chunks each) -> chunks (64 x 64 cells) -> planes (4,096 bytes), bits (512 bytes)
 *
 * A chunk that is all one class has no terrain beside its entry (32 bytes); one of two classes that cost 1 or nothing has
 * bits, any other a plane. One whose cells all have open (or all blocked) neighbours shares a static mask plane. A block
 * whose chunks were never touched is shared too. */
#ifndef WEND_SRC_MAP_INTERNAL_H
#define WEND_SRC_MAP_INTERNAL_H

#include "base/base.h"
#include <wend/map.h>

enum {
    WEND__CHUNK_SHIFT = 6,
    WEND__CHUNK_SIDE = 1 << WEND__CHUNK_SHIFT,
    WEND__CHUNK_CELLS = WEND__CHUNK_SIDE * WEND__CHUNK_SIDE,
    WEND__BLOCK_SHIFT = 4,
    WEND__BLOCK_SIDE = 1 << WEND__BLOCK_SHIFT,
    WEND__BLOCK_CHUNKS = WEND__BLOCK_SIDE * WEND__BLOCK_SIDE
};

/* Directions, as bits of a mask and in node records: straight ones first, clockwise from north. */
enum { WEND__N, WEND__E, WEND__S, WEND__W, WEND__NE, WEND__SE, WEND__SW, WEND__NW, WEND__DIRECTIONS };
extern const int8_t wend__dx[WEND__DIRECTIONS], wend__dy[WEND__DIRECTIONS];

/// A byte for each cell of a chunk, index y << 6 | x. The map's mutex guards `references`; bytes never change once a
/// version that holds the plane is visible.
typedef struct wend__plane {
    uint32_t references;
    uint8_t bytes[WEND__CHUNK_CELLS];
} wend__plane;

/// A bit for each cell of a chunk of two classes: row y, bit x. Shared and guarded as planes are.
typedef struct wend__bits {
    uint32_t references;
    uint8_t classes[2]; ///< of 0 and 1: never the same
    uint64_t rows[WEND__CHUNK_SIDE];
} wend__bits;

/// What a version knows of a chunk. Cells beyond the map's rim are class 0 and blocked.
typedef struct wend__chunk {
    const wend__plane *terrain; ///< classes; never NULL where they differ and one has a factor above 1
    const wend__bits *bits;     ///< where terrain is NULL; NULL as well: every cell is `uniform`
    const wend__plane *masks;   ///< for each cell, open or not, which of its 8 neighbours are open; never NULL
    uint8_t uniform;            ///< class of all cells where terrain and bits are NULL
    uint8_t max_factor; ///< largest factor of its cells on the map; 0: all blocked. (Exact: publish derives it.)
} wend__chunk;

typedef struct wend__block {
    uint32_t references; ///< guarded by the map's mutex
    uint8_t max_factor;  ///< largest of its chunks'
    wend__chunk chunks[WEND__BLOCK_CHUNKS];
} wend__block;

typedef struct wend__area wend__area;

typedef struct wend__version {
    wend_map *map;
    uint32_t references; ///< guarded by the map's mutex: the map's own, pins, short questions
    uint32_t pins;       ///< of those, searches; guarded likewise
    bool retired; ///< more than max_versions are pinned, and this is among the oldest: its searches are to start again
    struct wend__version *older, *newer; ///< the map's live versions, by age; guarded likewise
    uint64_t epoch;
    uint64_t revision; ///< grows with every newest version of the map, also where only its rules changed
    wend_map_rules rules;
    int32_t width, height;             ///< cells
    int32_t chunk_columns, chunk_rows; ///< rounded up
    int32_t block_columns, block_rows; ///< rounded up
    uint8_t max_factor;    ///< largest of its blocks': exact, so that bucket widths follow from the map as it is
    wend__area *labels;    ///< components, see labels.h
    uint8_t legal[256];    ///< neighbour mask -> mask of the steps that the rules allow
    wend__block *blocks[]; ///< never NULL
} wend__version;

/// The newest version, with a reference; `pin` for as long as something depends on it between calls.
wend__version *wend__map_acquire(wend_map *map, bool pin);
void wend__map_release(wend__version *version, bool pinned);

/// Should a search on this version start again on the newest?
bool wend__version_retired(const wend__version *version);

/// Size of the map; never changes. Threads: any, without a lock.
void wend__map_size(const wend_map *map, int32_t *width, int32_t *height);

static inline bool wend__on_map(const wend__version *v, int32_t x, int32_t y) {
    return (uint32_t)x < (uint32_t)v->width && (uint32_t)y < (uint32_t)v->height;
}

static inline const wend__chunk *wend__version_chunk(const wend__version *v, int32_t column, int32_t row) {
    const wend__block *block = v->blocks[(size_t)(row >> WEND__BLOCK_SHIFT) * (size_t)v->block_columns +
                                         (size_t)(column >> WEND__BLOCK_SHIFT)];
    return &block->chunks[(row & (WEND__BLOCK_SIDE - 1)) << WEND__BLOCK_SHIFT | (column & (WEND__BLOCK_SIDE - 1))];
}

/// Class of a cell that is on the map.
static inline uint8_t wend__version_class(const wend__version *v, int32_t x, int32_t y) {
    const wend__chunk *chunk = wend__version_chunk(v, x >> WEND__CHUNK_SHIFT, y >> WEND__CHUNK_SHIFT);
    if (chunk->bits) return chunk->bits->classes[chunk->bits->rows[y & 63] >> (x & 63) & 1];
    if (!chunk->terrain) return chunk->uniform;
    return chunk->terrain->bytes[(unsigned)(y & 63) << WEND__CHUNK_SHIFT | (unsigned)(x & 63)];
}

/// Factor of a cell that is on the map; 0: blocked.
static inline uint8_t wend__version_factor(const wend__version *v, int32_t x, int32_t y) {
    return v->rules.factors[wend__version_class(v, x, y)];
}

/// Which steps lead out of a cell that is on the map.
static inline uint8_t wend__version_steps(const wend__version *v, int32_t x, int32_t y) {
    const wend__chunk *chunk = wend__version_chunk(v, x >> WEND__CHUNK_SHIFT, y >> WEND__CHUNK_SHIFT);
    return v->legal[chunk->masks->bytes[(unsigned)(y & 63) << WEND__CHUNK_SHIFT | (unsigned)(x & 63)]];
}

/// How many of these steps, from cells[0] through cells[steps], can be taken one after another, and what those cost. All
/// cells are on the map; cells[0]'s own ground is not asked about.
uint64_t wend__version_walk(const wend__version *version, const wend_cell *cells, uint64_t steps, uint64_t *cost);

/// Fill `legal` for a set of rules (S7's truth table).
void wend__legal_table(const wend_map_rules *rules, uint8_t legal[256]);

/// Are two open cells connected? Weakly: where all steps lead both ways, it is the same as reachable.
bool wend__version_connected(const wend__version *version, wend_cell a, wend_cell b);
uint64_t wend__version_components(const wend__version *version);

/// WEND_OK or WEND_BAD_ARGUMENT.
int32_t wend__rules_check(const wend_map_rules *rules);

/// Publish a loader's batch as the map's first version: the epoch stays 0.
int32_t wend__edit_publish_first(wend_edit *edit);

#endif
