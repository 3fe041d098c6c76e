/* SPDX-License-Identifier: MIT */
/* Internal: how a map is laid out. Versions are immutable; they share what an edit did not touch.
 *
 *   version -> table of blocks (16 x 16 chunks each) -> chunks (4,096 cells) -> planes (4,096 bytes), bits (512 bytes)
 *
 * All kinds of map share that: a chunk is 64 x 64 cells of a grid, 16 x 16 x 16 voxels, or 4,096 nodes of a graph. In the
 * table of a voxel map a row of chunks stands for a row of a layer: row = layer * chunk_y + row in the layer; a graph has
 * one row. wend__place_of() says where a cell lies.
 *
 * A chunk that is all one class has no terrain beside its entry (40 bytes); one of two classes that cost 1 or nothing has
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
    WEND__VOXEL_SHIFT = 4,
    WEND__VOXEL_SIDE = 1 << WEND__VOXEL_SHIFT,
    WEND__BLOCK_SHIFT = 4,
    WEND__BLOCK_SIDE = 1 << WEND__BLOCK_SHIFT,
    WEND__BLOCK_CHUNKS = WEND__BLOCK_SIDE * WEND__BLOCK_SIDE
};

/* Directions, as bits of a mask and in node records: straight ones first, clockwise from north. */
enum { WEND__N, WEND__E, WEND__S, WEND__W, WEND__NE, WEND__SE, WEND__SW, WEND__NW, WEND__DIRECTIONS };
extern const int8_t wend__dx[WEND__DIRECTIONS], wend__dy[WEND__DIRECTIONS];

/* The 26 directions of voxels: straight ones first (north, east, south, west, up, down), then the flat diagonals, then
 * those in space; within each group by z, then y, then x. */
enum { WEND__SPACE_DIRECTIONS = 26, WEND__SPACE_FLAT = 6, WEND__SPACE_SPACE = 18 };
extern const int8_t wend__sx[WEND__SPACE_DIRECTIONS], wend__sy[WEND__SPACE_DIRECTIONS],
    wend__sz[WEND__SPACE_DIRECTIONS];

/// The direction of each offset: by z, y, x from -1 to 1 each; -1: that is no step.
extern const int8_t wend__flat_directions[9], wend__space_directions[27];

static inline bool wend__is_unit(int32_t offset) {
    return (uint32_t)offset + 1 < 3;
}

/// The direction of an offset, among the 8 and among the 26; -1: it is none.
static inline int32_t wend__flat_direction(int32_t dx, int32_t dy) {
    return wend__is_unit(dx) && wend__is_unit(dy) ? wend__flat_directions[dy * 3 + dx + 4] : -1;
}

static inline int32_t wend__space_direction(int32_t dx, int32_t dy, int32_t dz) {
    bool near = wend__is_unit(dx) && wend__is_unit(dy) && wend__is_unit(dz);
    return near ? wend__space_directions[dz * 9 + dy * 3 + dx + 13] : -1;
}

/// The direction that leads back, of the 8.
static inline unsigned wend__opposite(unsigned direction) {
    return direction ^ 2;
}

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

/// Which steps out of the cells of a chunk were closed: bit d of a cell's word is direction d, of the 8 or of the 26.
typedef struct wend__closed {
    uint32_t references; ///< guarded by the map's mutex
    uint32_t count;      ///< bits set
    uint32_t steps[WEND__CHUNK_CELLS];
} wend__closed;

/// What a version knows of a chunk. Cells beyond the map's rim are class 0 and blocked.
typedef struct wend__chunk {
    const wend__plane *terrain;   ///< classes; never NULL where they differ and one has a factor above 1
    const wend__bits *bits;       ///< where terrain is NULL; NULL as well: every cell is `uniform`
    union {                       ///< never NULL
        const wend__plane *masks; ///< of a grid (and a graph, unused): for each cell, open or not, which of its 8
            ///< neighbours are open; where `settled`, which steps the rules and closed steps leave
        const wend__bits *open; ///< of voxels: row z * 4 + y / 4, bit y % 4 * 16 + x: that cell is on the map and open
    };
    const wend__closed *closed; ///< NULL: none
    uint8_t uniform;            ///< class of all cells where terrain and bits are NULL
    uint8_t max_factor; ///< largest factor of its cells on the map; 0: all blocked. (Exact: publish derives it.)
    bool settled;       ///< closed steps, in it or (on a grid) beside it, bear on the steps of its cells
} wend__chunk;

typedef struct wend__block {
    uint32_t references;            ///< guarded by the map's mutex
    uint8_t max_factor;             ///< largest of its chunks'
    uint32_t jump_users;            ///< versions with `jumps` that hold it, as often as they do; guarded likewise
    struct wend__jump_block *jumps; ///< see jumps.h; only versions with `jumps` may look at it. NULL without users
    wend__chunk chunks[WEND__BLOCK_CHUNKS];
} wend__block;

typedef struct wend__area wend__area;
typedef struct wend__regions wend__regions; ///< components of voxels and graphs, see regions.h
typedef struct wend__graph wend__graph;     ///< nodes and edges, see graph.h
typedef struct wend__links wend__links;     ///< see links.h
typedef struct wend__joined wend__joined;   ///< components that links connect, see links.h
typedef struct wend__grounds wend__grounds; ///< what other movers see, see grounds.h

/// What jump tables count of their open cells: runs that end at a wall, runs that end at a jump point, diagonal steps.
enum { WEND__JUMP_WALLS, WEND__JUMP_CORNERS, WEND__JUMP_DIAGONALS, WEND__JUMP_COUNTS };

/// A version of a map as the default mover sees it; also, as a part of such a one, what another mover sees (its ground):
/// a cell's class is then the factor at which the mover may stand there, 0 where it cannot.
typedef struct wend__version {
    wend_map *map;
    uint32_t references;                     ///< guarded by the map's mutex: the map's own, pins, short questions
    uint32_t pins;                           ///< of those, searches; guarded likewise
    bool jumps;                              ///< its blocks have jump tables, see jumps.h
    uint64_t jumps_unpruned;                 ///< chunks whose tables are not pruned
    uint64_t jump_counts[WEND__JUMP_COUNTS]; ///< of its tables together
    struct wend__landmarks *landmarks;       ///< see landmarks.h; NULL: none
    uint64_t landmarks_age;                  ///< publishes since they were made that changed where one can walk
    bool retired; ///< more than max_versions are pinned, and this is among the oldest: its searches are to start again
    struct wend__version *older, *newer; ///< the map's live versions, by age; guarded likewise
    uint64_t epoch;
    uint64_t revision; ///< grows with every newest version of the map, also where only its rules changed
    uint64_t serial;   ///< grows with every newest version of the map, also where nothing changed but its epoch
    wend_map_rules rules;
    int32_t kind;                      ///< WEND_KIND_…
    int32_t width, height, depth;      ///< cells; of a graph: highest node + 1, 1, 1
    int32_t chunk_columns, chunk_rows; ///< rounded up
    int32_t chunk_y;                   ///< rows of chunks in a layer of voxels; else chunk_rows
    int32_t block_columns, block_rows; ///< rounded up
    uint8_t max_factor;       ///< largest of its blocks': exact, so that bucket widths follow from the map as it is
    uint64_t closed_steps;    ///< in all its chunks
    wend__area *labels;       ///< components of a grid, see labels.h; else NULL
    wend__regions *regions;   ///< components of voxels or a graph; else NULL
    const wend__graph *graph; ///< of a graph; else NULL
    const wend__links *links; ///< NULL: none. A ground has its version's
    wend__joined *joined;     ///< NULL where there are no links
    wend__grounds *grounds;   ///< NULL: the default mover is the only one; also in a ground
    uint8_t legal[256];       ///< neighbour mask -> mask of the steps that the rules allow
    wend__block *blocks[];    ///< never NULL
} wend__version;

/// The newest version, with a reference; `pin` for as long as something depends on it between calls.
wend__version *wend__map_acquire(wend_map *map, bool pin);
void wend__map_release(wend__version *version, bool pinned);

/// Several pins at once.
wend__version *wend__map_pin(wend_map *map, uint32_t count);
void wend__map_unpin(wend__version *version, uint32_t count);

/// The serial of the newest version: what another version, or the same one earlier, said is out of date exactly if it
/// differs. Threads: any, without a lock.
uint64_t wend__map_serial(const wend_map *map);

/// Should a search on this version start again on the newest?
bool wend__version_retired(const wend__version *version);

/// Kind and size of the map; never change. Threads: any, without a lock.
int32_t wend__map_kind(const wend_map *map);
void wend__map_size(const wend_map *map, int32_t *width, int32_t *height, int32_t *depth);

/// Its nodes and edges; NULL where it is no graph. Threads: any, without a lock.
const wend__graph *wend__map_graph(const wend_map *map);

/// Is this a cell of the map (of a graph: a node that there is)? Threads: any, without a lock.
bool wend__map_has(const wend_map *map, wend_cell cell);

/// What a mover sees. The mover is one that the version knows (wend__version_movers() are, and it never loses any).
const wend__version *wend__version_ground(const wend__version *version, int32_t mover);
int32_t wend__version_movers(const wend__version *version);
/// Its size, in cells.
int32_t wend__version_mover_size(const wend__version *version, int32_t mover);
/// The same of the map's newest version. Threads: any.
int32_t wend__map_movers(wend_map *map);

/// The greatest, of two costs.
static inline uint32_t wend__common_divisor(uint32_t a, uint32_t b) {
    while (b != 0) {
        uint32_t rest = a % b;
        a = b, b = rest;
    }
    return a;
}

/// Where a cell lies: its chunk in the table, and its place in the chunk.
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

/// A number of its own for each cell, below 2^32, in the order z, y, x; and back.
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

/// Where a chunk of the table lies: its block, and its place in that.
static inline size_t wend__block_index(const wend__version *v, int32_t column, int32_t row) {
    return (size_t)(row >> WEND__BLOCK_SHIFT) * (size_t)v->block_columns + (size_t)(column >> WEND__BLOCK_SHIFT);
}

static inline unsigned wend__chunk_index(int32_t column, int32_t row) {
    return (unsigned)(row & (WEND__BLOCK_SIDE - 1)) << WEND__BLOCK_SHIFT | (unsigned)(column & (WEND__BLOCK_SIDE - 1));
}

static inline const wend__chunk *wend__version_chunk(const wend__version *v, int32_t column, int32_t row) {
    return &v->blocks[wend__block_index(v, column, row)]->chunks[wend__chunk_index(column, row)];
}

/// Class of a cell that is on the map.
static inline uint8_t wend__version_class(const wend__version *v, int32_t x, int32_t y) {
    const wend__chunk *chunk = wend__version_chunk(v, x >> WEND__CHUNK_SHIFT, y >> WEND__CHUNK_SHIFT);
    if (chunk->bits) return chunk->bits->classes[chunk->bits->rows[y & 63] >> (x & 63) & 1];
    if (!chunk->terrain) return chunk->uniform;
    return chunk->terrain->bytes[(unsigned)(y & 63) << WEND__CHUNK_SHIFT | (unsigned)(x & 63)];
}

/// Class at a place of a map of any kind.
static inline uint8_t wend__chunk_class(const wend__chunk *chunk, uint32_t local) {
    if (chunk->bits) return chunk->bits->classes[chunk->bits->rows[local >> 6] >> (local & 63) & 1];
    return chunk->terrain ? chunk->terrain->bytes[local] : chunk->uniform;
}

/// Factor of a cell that is on the map, of any kind; 0: blocked.
static inline uint8_t wend__cell_factor(const wend__version *v, wend_cell cell) {
    wend__place p = wend__place_of(v, cell);
    return v->rules.factors[wend__chunk_class(wend__version_chunk(v, p.column, p.row), p.local)];
}

/// Factor of a cell of a grid that is on the map; 0: blocked.
static inline uint8_t wend__version_factor(const wend__version *v, int32_t x, int32_t y) {
    return v->rules.factors[wend__version_class(v, x, y)];
}

/// Which steps lead out of a place of a grid's chunk.
static inline uint8_t wend__chunk_steps(const wend__version *v, const wend__chunk *chunk, uint32_t local) {
    uint8_t mask = chunk->masks->bytes[local];
    return chunk->settled ? mask : v->legal[mask];
}

/// Which steps lead out of a cell of a grid that is on the map. (`legal` takes nothing from a settled mask: a diagonal step
/// that closed steps leave has the straight ones that the corner rule asks for. Searches use that.)
static inline uint8_t wend__version_steps(const wend__version *v, int32_t x, int32_t y) {
    const wend__chunk *chunk = wend__version_chunk(v, x >> WEND__CHUNK_SHIFT, y >> WEND__CHUNK_SHIFT);
    return wend__chunk_steps(v, chunk, (uint32_t)(y & 63) << WEND__CHUNK_SHIFT | (uint32_t)(x & 63));
}

/// voxels.c: which of the 26 steps lead out of a voxel that is on the map (open or not).
uint32_t wend__voxel_steps(const wend__version *version, wend_cell cell);

/// walk.c: the cheapest way from a cell to another in one step, edge or link; UINT64_MAX: there is none. `a`'s own ground
/// is not asked about. Cost: O(1), O(edges of a) on a graph.
uint64_t wend__step_cost(const wend__version *version, int32_t mover, wend_cell a, wend_cell b);
/// How many of these steps, from cells[0] through cells[steps], can be taken one after another, and what those cost. All
/// cells are on the map; cells[0]'s own ground is not asked about.
uint64_t wend__version_walk(const wend__version *version, int32_t mover, const wend_cell *cells, uint64_t steps,
                            uint64_t *cost);

/// Of a grid, flat or of voxels: the cell nearest to `goal`, as wend_map_nearest_open() has it, in the component of
/// `start`, which is open; links not counted. False where it is not certain to lie within so many cells.
/// Cost: O(cells looked at x log side).
bool wend__nearest_connected(const wend__version *version, int32_t mover, wend_cell start, wend_cell goal,
                             int32_t max_cells, wend_cell *out);

/// What nearest means there: what the way costs at least, on empty ground, to a cell that far off along each axis. And on
/// graphs: the square of the distance, below 2^66.
uint64_t wend__empty_way(const wend_map_rules *rules, uint32_t a, uint32_t b, uint32_t c);
typedef struct wend__nearness {
    uint64_t high, low; ///< less is nearer
} wend__nearness;
wend__nearness wend__square_distance(wend_cell a, wend_cell b);

/// Of cells that are equally near the first by z, then y, then x is taken.
static inline bool wend__earlier(wend_cell a, wend_cell b) {
    return a.z != b.z ? a.z < b.z : a.y != b.y ? a.y < b.y : a.x < b.x;
}

static inline bool wend__nearer(wend__nearness a, wend__nearness b) {
    return a.high != b.high ? a.high < b.high : a.low < b.low;
}

/* Units that stand about, beside the versions: crowd.c. */

/// How many stand on a cell of the map.
uint32_t wend__map_occupants(const wend_map *map, wend_cell cell);
/// Does anybody stand where a mover of that size would at `cell`, but for the cells that it covers at `start`?
/// Cost: O(size^2), O(size^3) in space.
bool wend__map_crowded(const wend_map *map, wend_cell cell, int32_t size, wend_cell start);

/// Fill `legal` for a set of rules (S7's truth table).
void wend__legal_table(const wend_map_rules *rules, uint8_t legal[256]);

/// Are two cells that are open for a mover connected? Weakly: where all steps lead both ways, it is the same as reachable.
bool wend__version_connected(const wend__version *version, int32_t mover, wend_cell a, wend_cell b);
uint64_t wend__version_components(const wend__version *version);

/// The component of a cell that is open in this version (or ground), links not counted, as a number that is the same for
/// two cells of it exactly if they are connected. Any kind of map. Cost: O(log side).
uint64_t wend__component_of(const wend__version *ground, wend_cell cell);

/// WEND_OK or WEND_BAD_ARGUMENT. And the rules with what 0 neighbours mean.
wend_error wend__rules_check(const wend_map_rules *rules, int32_t kind);
wend_map_rules wend__rules_settled(const wend_map_rules *rules, int32_t kind);

/// Publish a loader's batch as the map's first version: the epoch stays 0.
wend_error wend__edit_publish_first(wend_edit *edit);

#endif
