/* SPDX-License-Identifier: MIT */
/* Internal: connected components of a grid, updated by every edit.
 *
 * A version has a tree of areas: a chunk, two by two chunks, four by four, up to the whole map. An area stores its
 * components, and its outline: where they touch its rim. A component that does not touch the rim is closed; no cell
 * outside belongs to it. Joining four areas needs only their outlines. So an edit joins again only the areas above
 * the chunks it touched, at the cost of their rims; and only as long as outlines change. Versions and forks share
 * areas.
 *
 * Two cells are connected exactly if their labels, followed up the tree, end in the same component of the same area.
 * Straight steps connect; diagonal steps connect only under the corner rule `always` (under the others a diagonal step
 * always has a straight way round it). Components are weak: a step that leads one way connects both cells. Only a thin
 * wall, which closes both steps, separates two neighbours. */
#ifndef WEND_SRC_MAP_COMPONENTS_LABELS_H
#define WEND_SRC_MAP_COMPONENTS_LABELS_H

#include "map/edit/edit.h"
#include "map/kinds/walls.h"

enum { WEND__LABEL_LEVELS = 11 }; ///< 65,536 cells are 2^10 chunks

/// Cells from `from` up to the next run's belong to one component that touches the rim, or to none (WEND__NO_LABEL). 15
/// and 17 bits suffice: the largest area with an outline is a quarter of the largest map, with sides of 32,768 cells
/// and 131,068 cells on its rim.
typedef struct wend__rim_run {
    uint32_t from : 15, label : 17;
} wend__rim_run;
#define WEND__NO_LABEL 0x1FFFFu

static inline wend__rim_run wend__rim(uint32_t from, uint32_t label) {
    return (wend__rim_run){from & 0x7FFF, label & WEND__NO_LABEL};
}

/// The components on an area's rim. Labels count from 0 in the order of the rim: north and south side from
/// west to east, then east and west side from north to south. So equal outlines have equal bytes. The outline of the
/// whole map has no runs unless the map is one chunk: all its components are closed.
typedef struct wend__outline {
    wend__shared shared;
    uint32_t open;     ///< components that touch the rim
    uint32_t sides[5]; ///< first run of the north, south, east and west side, and the number of runs
    wend__rim_run runs[];
} wend__outline;
enum { WEND__SIDE_NORTH, WEND__SIDE_SOUTH, WEND__SIDE_EAST, WEND__SIDE_WEST };

/// The labels inside an area: for a chunk, the label of each run of open cells in a row (terrain and thin walls give
/// the beginnings of runs); for a larger area, the label that each label of its parts becomes. Labels from
/// `outline->open` on are closed.
typedef struct wend__inside {
    wend__shared shared;
    uint32_t labels;                     ///< components in all
    uint32_t starts[5];                  ///< in a larger area: first of each part's labels in `to`
    uint16_t rows[WEND__CHUNK_SIDE + 1]; ///< in a chunk: first run of each row
    union {
        uint8_t narrow[1]; ///< in a chunk: labels of its runs, with up to WEND__NARROW components
        uint16_t wide[1];  ///< the same with more components
        uint32_t to[1];
    } u;
} wend__inside;
enum { WEND__NARROW = 256 };

struct wend__area {
    wend__shared shared;
    uint64_t closed; ///< closed components inside and below
    /* References of the area. */
    wend__area *parts[4]; ///< north-west, north-east, south-west, south-east; NULL in a chunk, and off the map
    wend__outline *outline;
    wend__inside *inside;
};

/// The components of a chunk. Row words: bit x is set where the cell is open.
/// @param walls   NULL: none
wend_error wend__label_chunk(wend_map *map, const uint64_t rows[WEND__CHUNK_SIDE], const wend__walls *walls,
                             unsigned contacts, wend__outline **outline, wend__inside **inside);

/// Four areas to be joined.
typedef struct wend__quarters {
    wend__area *const *parts;     ///< NULL: off the map
    uint32_t side;                ///< side of each, in cells
    int32_t x, y;                 ///< first cell
    const wend__version *version; ///< version with possible thin walls between the areas; NULL: there are none
} wend__quarters;

/// The components of four areas together.
/// @param top   the whole map
wend_error wend__label_join(wend_map *map, const wend__quarters *quarters, unsigned contacts, bool top,
                            wend__outline **outline, wend__inside **inside);

/// An outline, or the labels inside, still to be written; NULL: out of memory.
wend__outline *wend__outline_create(wend_map *map, uint32_t runs);
wend__inside *wend__inside_create(wend_map *map, size_t extra_bytes);

/// The area in which a label is closed, and its label there.
typedef struct wend__component {
    int32_t level, column, row;
    uint32_t label;
} wend__component;

/// Returns a unique number for a component, from level, area and label. There are 11 levels, at most 2^20 areas on one,
/// and fewer than 2^32 components in an area.
static inline uint64_t wend__component_number(const wend__version *version, const wend__component *c) {
    uint64_t area = (uint64_t)c->row * (uint64_t)version->chunk_columns + (uint64_t)c->column;
    return (uint64_t)c->level << 60 | area << 32 | c->label;
}

/// The level of the whole map's area.
int wend__labels_top(const wend__version *version);

uint32_t wend__chunk_label(const wend__version *version, const wend__inside *inside, int32_t x, int32_t y);

/// The component of an open cell.
wend__component wend__version_component(const wend__version *version, int32_t x, int32_t y);

void wend__area_release(wend_map *map, wend__area *area); ///< NULL is ignored
/// The labels of a version with final terrain: `old`, labelled again where the batch wrote; NULL: labelled completely.
wend_error wend__labels_rebuild(const wend__version *version, wend__area *old, wend__dirty *const *dirty,
                                wend__area **out);
/// The labels of a new map: all cells open, or blocked if it is streamed. Cost: O(levels + chunks on the rim).
wend_error wend__labels_create(const wend__version *version, wend__area **out);
/// Returns true if the labels above the chunks did not change: cells of untouched chunks keep their components.
bool wend__labels_alike(const wend__version *version, const wend__area *before);

#endif
