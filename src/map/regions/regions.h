/* SPDX-License-Identifier: MIT */
/* Internal: connected components of voxel maps and graphs.
 *
 * Of a graph: a number for each node, found over its edges whichever way they lead.
 *
 * Of voxels: each chunk has a *tract*, its own regions: those that touch its rim are numbered first, in the order in
 * which the rim meets them, so that two tracts that look alike from outside have equal numbers there. Tracts lie in
 * blocks like the chunks'. Each block knows its *meetings*: which regions touch across the sides of its chunks. From
 * these a *seam* follows: for each region that touches a rim the component it belongs to. What does not touch the rim
 * is a component of its own. A chunk that is all open, or all blocked, has no tract of its own; a block whose
 * chunks' cells are all open counts as one region or two. Blocks amid others like theirs share what they meet. All of
 * them are immutable and shared between versions and forks by counting: a batch labels the chunks it touched; where any
 * looks different from outside, what it meets is looked at again, and the seam is made anew from all meetings. */
#ifndef WEND_SRC_REGIONS_H
#define WEND_SRC_REGIONS_H

#include "map/edit/edit.h"
#include "map/store/map_layout.h"

/// The components of a version (or view) whose terrain and closed steps are final; `old`: those of the one before, to
/// share what the batch did not touch (dirty NULL: everything may have changed). Open bits are not looked at but to be
/// shared: they may be as before the batch.
wend_error wend__regions_renew(const wend__version *version, const wend__regions *old, wend__dirty *const *dirty,
                               wend__regions **out);
wend__regions *wend__regions_retain(wend_map *map, wend__regions *regions); ///< NULL is passed through
void wend__regions_release(wend_map *map, wend__regions *regions);          ///< NULL is ignored
/// The component of an open cell.
uint64_t wend__regions_of(const wend__version *version, wend_cell cell);
uint64_t wend__regions_count(const wend__regions *regions);
/// Of voxels, the second made from the first: do cells of chunks that the batch did not touch have the same components?
bool wend__regions_alike(const wend__regions *a, const wend__regions *b);

/* ---- of a graph: region_graph.c ---- */

typedef struct wend__node_regions {
    uint64_t count;
    size_t bytes;
    const uint64_t *open;      ///< a bit for each node: there and open
    const uint32_t *component; ///< of each open node
} wend__node_regions;

wend_error wend__node_regions_create(const wend__version *version, wend__node_regions **out);
/// Are the same nodes open?
bool wend__node_regions_hold(const wend__version *version, const wend__node_regions *regions,
                             wend__dirty *const *dirty);

/* ---- of a chunk of voxels: region_chunk.c ---- */

typedef struct wend__chunk_regions {
    uint32_t references; ///< guarded by the map's mutex; of the two that all maps share nobody counts them
    uint32_t bytes;
    uint32_t count;             ///< regions
    uint32_t rim;               ///< of those, that touch the rim: the first
    bool full;                  ///< all its cells that are on the map are open, and no steps are closed
    const wend__bits *open;     ///< a reference
    const wend__closed *closed; ///< a reference; NULL: none
    const uint64_t *split; ///< where runs of cells in a row begin, where closed steps part them; else NULL: `open` says
    const uint16_t *before; ///< runs before each 64 cells; NULL: one region at most
    const uint16_t *wide;   ///< region of each run; NULL: there are 256 at most, and they are in
    const uint8_t *narrow;
} wend__chunk_regions;

extern const wend__chunk_regions wend__chunk_regions_open, wend__chunk_regions_blocked;

wend_error wend__chunk_regions_create(const wend__version *version, int32_t column, int32_t row,
                                      const wend__chunk_regions *old, const wend__chunk_regions **out);
const wend__chunk_regions *wend__chunk_regions_retain(wend_map *map, const wend__chunk_regions *tract);
void wend__chunk_regions_release(wend_map *map, const wend__chunk_regions *tract);
/// Do they look alike from outside?
bool wend__chunk_regions_alike(const wend__chunk_regions *a, const wend__chunk_regions *b);
uint32_t wend__chunk_region_of(const wend__chunk_regions *tract, uint32_t local);

/* ---- what touches: region_join.c ---- */

/// Runs (as long as a tract has no regions) or regions of a tract, counted from `base`.
typedef struct wend__side {
    const wend__chunk_regions *tract;
    uint32_t base;
    bool by_run;
} wend__side;

/// Two numbers that were united: enough of them to unite the same again.
typedef struct wend__touching {
    uint16_t a, b;
} wend__touching;
enum { WEND__TOUCHING_MOST = WEND__CHUNK_CELLS }; ///< two tracts have fewer regions at their rims

/// Unite what touches where b lies `offset` chunks from a: those of one tract where all are 0. `directions`: how many
/// of the 26 count.
/// @param found   receives what was united; NULL: that does not matter
/// @return how many
uint32_t wend__sides_touch(uint32_t *parents, const wend__side *a, const wend__side *b, const int8_t offset[3],
                           unsigned directions, wend__touching *found);

/* ---- of all chunks: regions.c, region_seam.c ---- */

typedef struct wend__block_regions {
    uint32_t references; ///< guarded by the map's mutex
    bool whole;          ///< all its chunks are full: it counts as one region, or as two that lie in two layers
    uint32_t rim;        ///< regions that touch the rims of their chunks
    uint64_t inner;      ///< and that do not
    const wend__chunk_regions *tracts[WEND__BLOCK_CHUNKS]; ///< NULL: off the map
    uint32_t first[WEND__BLOCK_CHUNKS]; ///< regions at rims before this chunk's; where whole, which it is of
} wend__block_regions;

/// What touches where chunks of a block meet those south, east and up of them: by chunk and direction.
typedef struct wend__contact {
    uint8_t chunk, direction; ///< in the block; of the 26
    uint16_t a, b;            ///< regions
} wend__contact;

typedef struct wend__contacts {
    uint32_t references; ///< guarded by the map's mutex
    uint32_t count;
    wend__contact of[];
} wend__contacts;

typedef struct wend__rim_components {
    uint32_t references; ///< guarded by the map's mutex
    size_t bytes;
    uint32_t count;            ///< components
    const uint32_t *base;      ///< regions at rims before each block's
    const uint32_t *component; ///< of each of them
} wend__rim_components;

struct wend__regions {
    uint32_t references; ///< guarded by the map's mutex
    uint64_t count;
    uint64_t inner; ///< of those, that touch no chunk's rim
    size_t blocks;
    wend__node_regions *nodes;  ///< of a graph; else NULL
    wend__rim_components *seam; ///< of voxels
    struct {
        wend__block_regions *tracts;
        wend__contacts *meetings;
    } of[]; ///< each block's
};

/// What touches in and beside a block; `old`: regions to take from what looks as it did, or NULL.
wend_error wend__contacts_create(const wend__version *version, const wend__regions *regions, const wend__regions *old,
                                 size_t block, wend__contacts **out);
void wend__contacts_release(wend_map *map, wend__contacts *meetings); ///< NULL is ignored
void wend__contacts_free(wend_map *map, wend__contacts *meetings);    ///< of nobody any more; NULL is ignored
/// Components from what meets.
wend_error wend__rim_components_create(const wend__version *version, const wend__regions *regions,
                                       wend__rim_components **out);

#endif
