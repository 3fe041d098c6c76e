/* SPDX-License-Identifier: MIT */
/* Internal: connected components of voxel maps and of graphs.
 *
 * A graph stores a label for each node, in pages that versions share, and the component of each label. Its edges
 * connect whichever way they lead. An edge that comes unites two components: their labels stand for one. Where one
 * goes, both its ends are followed until they meet, or one side is all known: that side gets a label of its own.
 *
 * Of voxels, each chunk stores its *regions*: the components of its own cells. Regions that touch the chunk's rim have
 * the first numbers, in the order of the rim; so chunks that are equal from outside have equal numbers there. Each
 * block stores its *contacts*: which regions touch across the sides of its chunks. The *rim components* follow from all
 * contacts: the component of each region that touches a rim. A region that does not touch the rim is a component.
 *
 * In a walker's view every region counts as one that touches the rim, since steps by several levels lead from inside a
 * chunk into another one; and chunks are equal from outside only where the walker can also rise as far in them.
 *
 * Chunks that are all open, or all blocked, share one set of regions; a block of open chunks counts as one region or
 * two. Blocks among equal blocks share contacts. Versions and forks share all of this. A batch computes regions of the
 * chunks that it touched. Where one differs from outside, its contacts are found again; where those differ, so are all
 * rim components. */
#ifndef WEND_SRC_REGIONS_H
#define WEND_SRC_REGIONS_H

#include "map/edit/edit.h"
#include "map/kinds/walkers.h"
#include "map/store/directions.h"

/// Makes the components of a version or view with final terrain and closed steps. Open bits are shared but not read, so
/// they may still be those before the batch.
/// @param old     those of the previous version, whose untouched blocks are shared; NULL: none
/// @param dirty   the batch's writes; NULL: everything may have changed
/// @param graph   of the previous version; NULL if there is none, or no graph
wend_error wend__regions_rebuild(const wend__version *version, const wend__regions *old, wend__dirty *const *dirty,
                                 const wend__graph *graph, wend__regions **out);
void wend__regions_release(wend_map *map, wend__regions *regions); ///< NULL is ignored
/// The component of an open cell.
uint64_t wend__regions_of(const wend__version *version, wend_cell cell);
uint64_t wend__regions_count(const wend__regions *regions);
/// Returns true if the untouched chunks of a voxel map kept their components in a batch from one version to the other.
bool wend__regions_alike(const wend__regions *a, const wend__regions *b);

/* ---- graphs ---- */

/// A page of 4,096 nodes.
typedef struct wend__node_labels {
    wend__shared shared;
    uint64_t open[WEND__CHUNK_SIDE];   ///< a bit for each node that exists and is open
    uint32_t label[WEND__CHUNK_CELLS]; ///< label of each open node
} wend__node_labels;

/// The component of each label.
typedef struct wend__label_names {
    wend__shared shared;
    uint32_t of[];
} wend__label_names;

typedef struct wend__node_regions {
    uint64_t count;
    uint32_t labels; ///< upper bound of all labels
    uint32_t pages;
    wend__label_names *names; ///< a reference; NULL: each label is a component
    wend__node_labels *page[];
} wend__node_regions;

static inline uint64_t wend__nodes_open(const wend__node_regions *nodes, size_t word) {
    return nodes->page[word >> 6]->open[word & 63];
}

/// The component of an open node.
static inline uint32_t wend__node_component(const wend__node_regions *nodes, uint32_t node) {
    const uint32_t label = nodes->page[node >> 12]->label[node & 4095];
    return nodes->names ? nodes->names->of[label] : label;
}

wend_error wend__node_regions_create(const wend__version *version, wend__node_regions **out);
/// Updates those of the previous version.
/// @param out    receives NULL if creating them is cheaper
/// @param same   receives whether nothing changed
wend_error wend__node_regions_update(const wend__version *version, const wend__node_regions *old,
                                     wend__dirty *const *dirty, const wend__graph *before, wend__node_regions **out,
                                     bool *same);
void wend__node_regions_free(wend_map *map, wend__node_regions *nodes); ///< NULL is ignored

/* ---- chunks of voxels ---- */

typedef struct wend__chunk_regions {
    wend__shared shared;
    uint32_t count;             ///< number of regions
    uint32_t rim;               ///< number of the first regions, which touch the rim
    bool full;                  ///< all its cells on the map are open, and no steps are closed
    const wend__bits *open;     ///< a reference
    const wend__closed *closed; ///< a reference; NULL: none
    const uint64_t *split;      ///< starts of runs where closed steps separate cells; NULL: by `open`
    const uint16_t *before;     ///< the number of runs before each 64 cells; NULL: there is one region at most
    const uint16_t *wide;       ///< the region of each run; NULL: there are at most 256, in `narrow`
    const uint8_t *narrow;
} wend__chunk_regions;

extern const wend__chunk_regions wend__chunk_regions_open, wend__chunk_regions_blocked;

wend_error wend__chunk_regions_create(const wend__version *version, int32_t column, int32_t row,
                                      const wend__chunk_regions *old, const wend__chunk_regions **out);
void wend__chunk_regions_release(wend_map *map, const wend__chunk_regions *in_chunk);
/// Returns true if two chunks are equal from outside.
bool wend__chunk_regions_alike(const wend__chunk_regions *a, const wend__chunk_regions *b);
uint32_t wend__chunk_region_of(const wend__chunk_regions *in_chunk, uint32_t local);

/* ---- touching regions ---- */

/// The regions of a chunk, or its runs as long as it has no regions, numbered from `base`.
typedef struct wend__side {
    const wend__chunk_regions *in_chunk;
    uint32_t base;
    bool by_run;
} wend__side;

/// Two numbers that were united. The list of all of them is enough to unite the same again.
typedef struct wend__touching {
    uint16_t a, b;
} wend__touching;
enum { WEND__TOUCHING_MOST = 2 * WEND__CHUNK_CELLS }; ///< two chunks have no more regions

/// Unite the regions of a and b that touch.
/// @param offset       of b's chunk from a's; 0, 0, 0: they are one chunk
/// @param directions   how many of the 26 directions connect
/// @param found        receives what was united; NULL: not wanted
/// @return how many pairs were united
uint32_t wend__sides_touch(uint32_t *parents, const wend__side *a, const wend__side *b, const int8_t offset[3],
                           unsigned directions, wend__touching *found);

/// The same in a walker's view, for regions with footings as open bits, or with no open cells.
uint32_t wend__sides_touch_walker(const wend__version *view, uint32_t *parents, const wend__side *a,
                                  const wend__side *b, const int8_t offset[3], wend__touching *found);

/* ---- all chunks ---- */

enum { WEND__BLOCK_WORDS = WEND__BLOCK_CHUNKS / 64 };

/// Returns whether contacts in this direction are listed, those of a chunk with the next one: of two opposite ones, one.
static inline bool wend__leads_forward(unsigned direction) {
    const int8_t x = wend__sx[direction], y = wend__sy[direction], z = wend__sz[direction];
    return z > 0 || (z == 0 && (y > 0 || (y == 0 && x > 0)));
}

typedef struct wend__block_regions {
    wend__shared shared;
    bool whole;     ///< all its chunks are full: it counts as one region, or as two in two layers
    uint32_t rim;   ///< number of regions that touch the rims of their chunks
    uint64_t inner; ///< number of the others
    const wend__chunk_regions *chunks[WEND__BLOCK_CHUNKS]; ///< NULL: off the map
    uint32_t
        first[WEND__BLOCK_CHUNKS]; ///< rim regions of the chunks before this one; with `whole`, the region of the chunk
} wend__block_regions;

/// Two regions that touch: of a chunk of the block, and of the one south, east or up. Sorted by chunk and direction.
typedef struct wend__contact {
    uint8_t chunk, direction; ///< chunk in the block; direction among the 26
    uint16_t a, b;            ///< regions
} wend__contact;

typedef struct wend__contacts {
    wend__shared shared;
    uint32_t count;
    wend__contact of[];
} wend__contacts;

typedef struct wend__rim_components {
    wend__shared shared;
    uint32_t count;            ///< components
    const uint32_t *base;      ///< number of rim regions before each block's
    const uint32_t *component; ///< component of each rim region
} wend__rim_components;

struct wend__regions {
    wend__shared shared;
    uint64_t count;
    uint64_t inner; ///< number of components that touch no chunk's rim
    size_t blocks;
    wend__node_regions *nodes;  ///< regions of a graph; else NULL
    wend__rim_components *rims; ///< rim components of voxels; else NULL
    struct {
        wend__block_regions *regions;
        wend__contacts *contacts;
    } of[]; ///< by block
};

/// Finds the contacts of a block.
/// @param old     regions from which contacts of equal chunks are taken; NULL: none
/// @param stale   a bit for each chunk: no other one's contacts can have changed since; not read without `old`
wend_error wend__contacts_create(const wend__version *version, const wend__regions *regions, const wend__regions *old,
                                 const uint64_t stale[WEND__BLOCK_WORDS], size_t block, wend__contacts **out);
/// Computes the rim components, from all contacts.
wend_error wend__rim_components_create(const wend__version *version, const wend__regions *regions,
                                       wend__rim_components **out);

#endif
