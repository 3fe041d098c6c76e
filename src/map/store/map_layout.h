/* SPDX-License-Identifier: MIT */
/* Internal: the memory layout of maps: versions, blocks, chunks, and the functions that find a cell in them.
 *
 *   version -> table of blocks (16 x 16 chunks each) -> chunks (4,096 cells) -> planes (4,096 bytes), bits (512 bytes)
 *
 * A version never changes once searches can see it; versions and forks share what an edit did not touch.
 *
 * All kinds of map have this layout. A chunk is 64 x 64 cells of a grid, 16 x 16 x 16 voxels, or 4,096 nodes of a
 * graph. The table of a voxel map puts its layers of chunks below one another: row = layer * chunk_y + row in the
 * layer. The table of a graph has one row. wend__place_of() finds a cell in the table.
 *
 * A chunk of one class stores no terrain (its entry has 40 bytes). A chunk of two classes with factors 0 or 1 stores a
 * bit for each cell, any other chunk a byte. Chunks in which all cells have all neighbours open share one static plane
 * of masks, and so do chunks in which none has any. */
#ifndef WEND_SRC_MAP_STORE_MAP_LAYOUT_H
#define WEND_SRC_MAP_STORE_MAP_LAYOUT_H

#include "base/base.h"
#include <wend/acceleration.h>
#include <wend/edit.h>
#include <wend/query.h>
#include <stdatomic.h>
#include <string.h>

enum {
    WEND__CHUNK_SHIFT = 6,
    WEND__CHUNK_SIDE = 1 << WEND__CHUNK_SHIFT,
    WEND__CHUNK_CELLS = WEND__CHUNK_SIDE * WEND__CHUNK_SIDE,
    WEND__VOXEL_SHIFT = 4,
    WEND__VOXEL_SIDE = 1 << WEND__VOXEL_SHIFT,
    WEND__BLOCK_SHIFT = 4,
    WEND__BLOCK_SIDE = 1 << WEND__BLOCK_SHIFT,
    WEND__BLOCK_CHUNKS = WEND__BLOCK_SIDE * WEND__BLOCK_SIDE
};

/// The first member of objects that versions and forks share: memory.h.
typedef struct wend__shared {
    size_t bytes;        ///< size of the object; 0: all maps share it, and its references are not counted
    uint32_t references; ///< guarded by the map's mutex
    uint16_t held;       ///< words at its end that are NULL or hold a reference
    bool is_table : 1;   ///< makes searches faster: begins at a cache line, counts in wend_map_info.jump_bytes
    bool is_block : 1;   ///< a wend__block: its chunks hold references
} wend__shared;

/// A byte for each cell of a chunk, at y << 6 | x. It never changes once searches see a version that holds the plane.
typedef struct wend__plane {
    wend__shared shared;
    uint8_t bytes[WEND__CHUNK_CELLS];
} wend__plane;

/// A bit for each cell of a chunk of two classes: row y, bit x. Shared like planes.
typedef struct wend__bits {
    wend__shared shared;
    uint8_t classes[2]; ///< the classes of bits 0 and 1; they differ
    uint64_t rows[WEND__CHUNK_SIDE];
} wend__bits;

/// The closed steps out of the cells of a chunk: bit d of a cell's word is direction d, of the 8 or of the 26.
typedef struct wend__closed {
    wend__shared shared;
    uint32_t count; ///< number of set bits
    uint32_t steps[WEND__CHUNK_CELLS];
} wend__closed;

/// A version's entry of a chunk. Cells beyond the map's rim have class 0 and are blocked.
typedef struct wend__chunk {
    const wend__plane *terrain; ///< the classes, a byte each; never NULL if they differ and one has a factor above 1
    const wend__bits *bits;     ///< if terrain is NULL: the classes, a bit each; NULL: all cells are of class `uniform`
    union {                     ///< never NULL
        /// On a grid: the open neighbours of each cell, open or not. With `closed_near`: its legal steps under
        /// the rules and the closed steps. (A graph does not use it.)
        const wend__plane *masks;
        /// On voxels, row z * 4 + y / 4, bit y % 4 * 16 + x: the cell is on the map and open.
        const wend__bits *open;
    };
    const wend__closed *closed; ///< NULL: none
    uint8_t uniform;            ///< class of all cells if terrain and bits are NULL
    uint8_t max_factor;         ///< largest factor of its cells on the map; 0: all are blocked. Exact
    bool closed_near; ///< closed steps here, or on a grid next to it, change its cells' steps; true for a walker
    uint8_t land;     ///< WEND_LAND_…
    uint32_t hash;    ///< hash of a known chunk's last classes and closed steps; 0: no version had any
} wend__chunk;

typedef struct wend__block {
    wend__shared shared;
    uint8_t max_factor;                 ///< largest max_factor of its chunks
    uint16_t lacking[WEND__BLOCK_SIDE]; ///< in a version, by row: bit i: the chunk in column i is not loaded
    uint32_t jump_users;                ///< number of holds by versions with `jumps`; guarded by the mutex
    struct wend__jump_block *jumps; ///< its jump tables; only versions with `jumps` may read them. NULL without users
    wend__chunk chunks[WEND__BLOCK_CHUNKS];
} wend__block;

typedef struct wend__area wend__area;                       ///< components of a grid: components/labels.h
typedef struct wend__regions wend__regions;                 ///< components of voxels and graphs: regions/regions.h
typedef struct wend__graph wend__graph;                     ///< nodes and edges: kinds/graph.h
typedef struct wend__links wend__links;                     ///< links/links.h
typedef struct wend__link_chains wend__link_chains;         ///< chains/link_chains.h
typedef struct wend__link_components wend__link_components; ///< components that links connect: components/
typedef struct wend__views wend__views;                     ///< the views of other movers: movers/views.h

/// The counts of jump tables: runs from open cells that end at a wall, runs that end at a jump point, diagonal steps.
enum { WEND__JUMP_WALLS, WEND__JUMP_CORNERS, WEND__JUMP_DIAGONALS, WEND__JUMP_COUNTS };

/// The numbers of a walker (kinds/walkers.h), in levels; headroom 0: not a walker.
typedef struct wend__walker {
    uint8_t headroom, step_up, drop;
} wend__walker;

enum { WEND__FIRST_REVISION = 1 }; ///< 0 is the revision of no version

/// An immutable state of a map, as the default mover sees it. Its views, one for each other mover, have the same
/// layout: a cell's class is then the factor at which the mover can stand there, or 0.
typedef struct wend__version {
    wend_map *map;
    uint32_t references;                     ///< from the map, pins and short queries; guarded by the mutex
    uint32_t pins;                           ///< references that are pins of searches; guarded by the mutex
    uint64_t jumps_unpruned;                 ///< chunks with unpruned tables
    uint64_t jump_counts[WEND__JUMP_COUNTS]; ///< sums over its tables
    struct wend__stops *stops;               ///< fast/stops/stops.h; NULL: none. Only with `jumps`
    struct wend__landmarks *landmarks;       ///< fast/landmarks/landmarks.h; NULL: none
    struct wend__far *far;                   ///< fast/far/far.h; NULL: none
    uint32_t landmarks_age;                  ///< number of later publishes that changed the steps of any cell
    uint32_t landmarks_changes;              ///< cells with steps that these changed, each time; at most UINT32_MAX
    struct wend__version *older, *newer;     ///< the map's live versions, by age; guarded by the mutex
    uint64_t epoch;
    uint64_t revision; ///< increases with each newest version that may change cells, links or rules
    uint64_t serial;   ///< number in the order of newest versions
    uint64_t seal;     ///< debug builds: a hash of some of its cells when it was first seen; 0: none
    wend_map_rules rules;
    int32_t kind;                      ///< WEND_KIND_…
    int32_t width, height, depth;      ///< cells; of a graph: highest node + 1, 1, 1
    const struct wend__sheets *sheets; ///< the map's: links/sheet_table.h; NULL: none
    int32_t around_x, around_y;        ///< width, height if the map wraps along them; else 0: ground/ground.h
    int32_t chunk_columns, chunk_rows; ///< rounded up
    int32_t chunk_y;                   ///< rows of chunks in a layer of voxels; else chunk_rows
    int32_t block_columns, block_rows; ///< rounded up
    uint8_t max_factor;                ///< largest of its blocks'. Exact, as the widths of buckets depend on it
    bool jumps;                        ///< its blocks have jump tables: fast/tables/jumps.h
    bool torn;                         ///< with sheets: the result of wend__sheets_torn()
    uint32_t blocks_left;              ///< with no references: blocks, from the first, still to be released
    bool retired;             ///< more than max_versions are pinned, this among the oldest: its searches start again
    wend__walker walker;      ///< numbers of a view's walker
    uint32_t link_movers;     ///< bits of wend_link.movers that let the view's mover take a link
    uint64_t closed_steps;    ///< number of closed steps in all its chunks
    uint32_t loaded, known;   ///< numbers of such chunks of a streamed map
    wend__area *labels;       ///< labels of a grid; else NULL
    wend__regions *regions;   ///< regions of voxels or a graph; else NULL
    const wend__graph *graph; ///< a reference to a graph's nodes and edges; else NULL
    const wend__links *links; ///< NULL: none. A view has those of its version
    wend__link_chains *link_chains;         ///< NULL: no links, or no grid with 8 neighbours. A view has none
    wend__link_components *link_components; ///< NULL: no link connects two components
    wend__views *views;                     ///< NULL: there is no mover but the default one. A view has none
    uint8_t legal[256];                     ///< mask of open neighbours -> mask of the steps that the rules allow
    wend__block *blocks[];                  ///< never NULL
} wend__version;

/// Where a cell is stored: its chunk in the table, and its index in the chunk.
typedef struct wend__place {
    int32_t column, row;
    uint32_t local;
} wend__place;

static inline wend__place wend__place_in(int32_t kind, int32_t chunk_y, wend_cell c) {
    if (kind == WEND_KIND_GRID)
        return (wend__place){c.x >> 6, c.y >> 6, (uint32_t)(c.y & 63) << 6 | (uint32_t)(c.x & 63)};
    if (kind == WEND_KIND_VOXEL)
        return (wend__place){c.x >> 4, (c.z >> 4) * chunk_y + (c.y >> 4),
                             (uint32_t)(c.z & 15) << 8 | (uint32_t)(c.y & 15) << 4 | (uint32_t)(c.x & 15)};
    return (wend__place){c.x >> 12, 0, (uint32_t)c.x & 4095};
}

static inline wend__place wend__place_of(const wend__version *v, wend_cell c) {
    return wend__place_in(v->kind, v->chunk_y, c);
}

/// Returns the cell that is stored there.
static inline wend_cell wend__cell_of_place(const wend__version *v, wend__place place) {
    const int32_t local = (int32_t)place.local;
    if (v->kind == WEND_KIND_GRID)
        return (wend_cell){place.column << WEND__CHUNK_SHIFT | (local & 63),
                           place.row << WEND__CHUNK_SHIFT | local >> WEND__CHUNK_SHIFT, 0};
    if (v->kind == WEND_KIND_VOXEL)
        return (wend_cell){place.column << WEND__VOXEL_SHIFT | (local & 15),
                           (place.row % v->chunk_y) << WEND__VOXEL_SHIFT | (local >> WEND__VOXEL_SHIFT & 15),
                           (place.row / v->chunk_y) << WEND__VOXEL_SHIFT | local >> 2 * WEND__VOXEL_SHIFT};
    return (wend_cell){place.column << 2 * WEND__CHUNK_SHIFT | local, 0, 0};
}

/// Compares cells; returns a number for each cell, below 2^32, in the order z, y, x; and the cell of a number.
static inline bool wend__same_cell(wend_cell a, wend_cell b) {
    return a.x == b.x && a.y == b.y && a.z == b.z;
}

static inline uint32_t wend__cell_number(const wend__version *v, wend_cell c) {
    return (uint32_t)(((uint64_t)c.z * (uint64_t)v->height + (uint64_t)c.y) * (uint64_t)v->width + (uint64_t)c.x);
}

static inline wend_cell wend__cell_of_number(const wend__version *v, uint32_t number) {
    uint32_t width = (uint32_t)v->width, height = (uint32_t)v->height, row = number / width;
    return (wend_cell){(int32_t)(number % width), (int32_t)(row % height), (int32_t)(row / height)};
}

static inline bool wend__on_map(const wend__version *v, int32_t x, int32_t y) {
    return (uint32_t)x < (uint32_t)v->width && (uint32_t)y < (uint32_t)v->height;
}

/// Returns the block of a chunk of the table, and the chunk's index in the block.
static inline size_t wend__block_index(const wend__version *v, int32_t column, int32_t row) {
    return (size_t)(row >> WEND__BLOCK_SHIFT) * (size_t)v->block_columns + (size_t)(column >> WEND__BLOCK_SHIFT);
}

static inline unsigned wend__chunk_index(int32_t column, int32_t row) {
    return (unsigned)(row & (WEND__BLOCK_SIDE - 1)) << WEND__BLOCK_SHIFT | (unsigned)(column & (WEND__BLOCK_SIDE - 1));
}

static inline const wend__chunk *wend__version_chunk(const wend__version *v, int32_t column, int32_t row) {
    WEND__DEBUG_ASSERT(column >= 0 && column < v->chunk_columns && row >= 0 && row < v->chunk_rows);
    return &v->blocks[wend__block_index(v, column, row)]->chunks[wend__chunk_index(column, row)];
}

/// Returns the class of a cell on the map.
static inline uint8_t wend__version_class(const wend__version *v, int32_t x, int32_t y) {
    const wend__chunk *chunk = wend__version_chunk(v, x >> WEND__CHUNK_SHIFT, y >> WEND__CHUNK_SHIFT);
    if (chunk->bits) return chunk->bits->classes[chunk->bits->rows[y & 63] >> (x & 63) & 1];
    if (!chunk->terrain) return chunk->uniform;
    return chunk->terrain->bytes[(unsigned)(y & 63) << WEND__CHUNK_SHIFT | (unsigned)(x & 63)];
}

/// Returns the class of a cell of a chunk, on a map of any kind.
static inline uint8_t wend__chunk_class(const wend__chunk *chunk, uint32_t local) {
    if (chunk->bits) return chunk->bits->classes[chunk->bits->rows[local >> 6] >> (local & 63) & 1];
    return chunk->terrain ? chunk->terrain->bytes[local] : chunk->uniform;
}

/// Returns the factor of a cell on the map, of any kind; 0: blocked.
static inline uint8_t wend__cell_factor(const wend__version *v, wend_cell cell) {
    wend__place p = wend__place_of(v, cell);
    return v->rules.factors[wend__chunk_class(wend__version_chunk(v, p.column, p.row), p.local)];
}

/// Returns the factor of a cell of a grid on the map; 0: blocked.
static inline uint8_t wend__version_factor(const wend__version *v, int32_t x, int32_t y) {
    return v->rules.factors[wend__version_class(v, x, y)];
}

/// Returns true if the cells of a version are hexagons in axial coordinates.
static inline bool wend__is_hex(const wend__version *v) {
    return v->kind == WEND_KIND_GRID && v->rules.neighbours == 6;
}

/// Returns the steps out of a cell of a grid's chunk.
static inline uint8_t wend__chunk_steps(const wend__version *v, const wend__chunk *chunk, uint32_t local) {
    uint8_t mask = chunk->masks->bytes[local];
    return chunk->closed_near ? mask : v->legal[mask];
}

/// Returns the steps out of a cell of a grid on the map. Searches may apply `legal` to the mask of a `closed_near`
/// chunk, too: it removes nothing, as each diagonal step in such a mask has the straight ones of the corner rule.
static inline uint8_t wend__version_steps(const wend__version *v, int32_t x, int32_t y) {
    const wend__chunk *chunk = wend__version_chunk(v, x >> WEND__CHUNK_SHIFT, y >> WEND__CHUNK_SHIFT);
    return wend__chunk_steps(v, chunk, (uint32_t)(y & 63) << WEND__CHUNK_SHIFT | (uint32_t)(x & 63));
}

/// The state that a map and its forks share, because they share blocks and planes.
typedef struct wend__family {
    wend_allocator allocator;
    uint64_t max_bytes;
    size_t object_bytes;     ///< size of this object, with its locks
    wend__mutex *unit_maker; ///< held while marks of units are made; taken before `mutex`
    wend__mutex *mutex;      ///< guards the fields below, mutable fields of its members, and every reference count
    uint32_t members;
    uint64_t bytes, bytes_peak;
    uint64_t jump_bytes; ///< part of `bytes` for jump tables
    /// Lists of objects without references, to be freed in slices (store/sweep.h); NULL: none.
    struct wend__garbage *garbage;
    struct wend__version *gone;                                      ///< linked by `older`
    void *dying;                                                     ///< landmarks
    void (*free_strips)(struct wend__family *family, uint64_t most); ///< frees strips of landmarks
    bool (*free_left_over)(struct wend__family *family);             ///< frees all of it; false: there was nothing
    uint64_t allocated_steps; ///< steps of a sweep that frees as much as was allocated since the last one
    const void *file;         ///< bytes of a baked map with landmarks, freed with the family; NULL: none
    size_t file_bytes;
    bool file_mapped; ///< mapped from a file; else the bytes are a copy
} wend__family;

/// Derived data that a mover is to have, which is not made so far.
typedef struct wend__wanted {
    uint8_t tables : 1, landmarks : 7;
} wend__wanted;

/// States of a map's marks of units. A state is followed by later ones only.
enum {
    WEND__UNITS_NONE,   ///< no marks: the map never had jump tables
    WEND__UNITS_WANTED, ///< the next unit that comes, or search that sees units, makes them
    WEND__UNITS_KEPT,   ///< the marks are up to date
    WEND__UNITS_LOST    ///< memory was lacking: the marks are not updated any more
};

struct wend_map {
    wend__family *family;
    struct wend_arena *arena; ///< arena that contains the map; NULL: none. It never changes
    int32_t kind;
    int32_t width, height, depth;
    int32_t wrap;                      ///< WEND_WRAP_…
    const struct wend__sheets *sheets; ///< links/sheet_table.h; NULL: none. It never changes
    bool placed;                       ///< for a graph: its nodes have coordinates. It never changes
    struct wend__occupancy *occupancy; ///< units on cells; NULL: there never was one
    _Atomic(struct wend__tap *) tap;   ///< reports to a recording: recording/tap/tap.h; NULL: none
    struct wend__units *units;         ///< their marks: fast/stops/units.h; NULL: not made
    const void *unit_reader;           ///< pool with searches that get marks later; NULL: each move changes the marks
    _Atomic bool units_shared;         ///< a search of another pool saw units: the reader ends with the next move
    _Atomic int32_t unit_state;        ///< WEND__UNITS_…
    uint64_t unit_moves;               ///< times a unit came to a free cell, or the last one left one
    struct wend__tolls *tolls;         ///< costs by place: version/layers.h; NULL: the map never had layers
    _Atomic uint32_t references;
    _Atomic uint64_t unit_bytes;             ///< size of the units' counts
    _Atomic uint64_t serial, revision;       ///< those of the newest version; written under `mutex`
    uint64_t hashed, hashed_serial;          ///< hash of the newest version, and its serial then: src/save; 0: none
    _Atomic uint64_t landmark_effort;        ///< most cells that a publish relaxes to repair a landmark
    _Atomic bool no_far;                     ///< no far layer is made for land that is unloaded as known
    wend__wanted wanted[WEND_MAX_MOVERS];    ///< derived data to be made, by mover. Guarded by `mutex`
    struct wend__landmark_job *landmark_job; ///< version/version.h; NULL: not begun. Guarded by `jobs_taken`
    struct wend__table_job *table_job;       ///< the same
    struct wend__far_job *far_job;           ///< the same
    wend__mutex *mutex;                      ///< mutex of the family; guards the fields below
    wend__mutex *writer; ///< held while a new newest version is derived and installed; taken before `mutex`
    uint64_t identity;   ///< unique among the process's maps; never changes
    uint32_t max_versions;
    bool batch_open;
    bool jobs_taken;                  ///< a thread runs the jobs
    bool streamed;                    ///< chunks are loaded and unloaded: edit/edit_land.c. It never changes
    struct wend__change_log *changes; ///< version/map.h; NULL: not requested. Guarded by `mutex`
    void *spare;                      ///< version/map.h: memory between two calls; NULL: none
    size_t spare_bytes;
    wend__version *newest; ///< changes only under both locks; older live versions follow through `older`
};

static inline size_t wend__version_blocks(const wend__version *v) {
    return (size_t)v->block_columns * (size_t)v->block_rows;
}

static inline size_t wend__version_bytes(size_t blocks) {
    return sizeof(wend__version) + blocks * sizeof(wend__block *);
}

/// Returns the place of a chunk of a block in the table, perhaps beyond its end; `local` is 0.
static inline wend__place wend__chunk_place(const wend__version *v, size_t block, unsigned chunk) {
    size_t columns = (size_t)v->block_columns;
    return (wend__place){(int32_t)(block % columns * WEND__BLOCK_SIDE + chunk % WEND__BLOCK_SIDE),
                         (int32_t)(block / columns * WEND__BLOCK_SIDE + chunk / WEND__BLOCK_SIDE), 0};
}

static inline bool wend__on_table(const wend__version *v, int32_t column, int32_t row) {
    return column >= 0 && row >= 0 && column < v->chunk_columns && row < v->chunk_rows;
}

/// Returns how many columns or rows of cells of a chunk are on the map.
static inline unsigned wend__chunk_extent(int32_t cells, int32_t chunk) {
    int32_t left = cells - (chunk << WEND__CHUNK_SHIFT);
    return left < WEND__CHUNK_SIDE ? (unsigned)left : WEND__CHUNK_SIDE;
}

/// Finds how many columns and rows of a chunk's 64 x 64 cells count: on a grid those on the map; else all.
static inline void wend__chunk_extents(const wend__version *v, int32_t column, int32_t row, unsigned *width,
                                       unsigned *height) {
    bool grid = v->kind == WEND_KIND_GRID;
    *width = grid ? wend__chunk_extent(v->width, column) : WEND__CHUNK_SIDE;
    *height = grid ? wend__chunk_extent(v->height, row) : WEND__CHUNK_SIDE;
}

/// Returns a word with its lowest `count` bits set: 0 to 64.
static inline uint64_t wend__low_bits(unsigned count) {
    return count < 64 ? (UINT64_C(1) << count) - 1 : UINT64_MAX;
}

#endif
