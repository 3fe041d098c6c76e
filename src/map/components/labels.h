/* SPDX-License-Identifier: MIT */
/* Internal: connected components, kept up to date by every edit.
 *
 * A version has a tree of areas: a chunk, two by two chunks, four by four … up to the whole map. Each area knows its
 * components, and of those that touch its rim where (its outline). A component that does not is closed: nothing outside
 * can be part of it. Joining four areas needs their outlines only, so an edit renews the areas above the chunks it touched
 * at the cost of their rims; and where a chunk's outline stays as it was, as it mostly does, what is above it stays too.
 * Areas, outlines and joins are shared between versions and forks by counting.
 *
 * Two cells are connected exactly if, followed up the tree, they end in the same component of the same area.
 * Components are those of straight steps, where the corner rule is `always` also of diagonal ones (under `one` a diagonal
 * step has a straight way round it). They are weak: two neighbours are parted by a thin wall, which is both steps between
 * them closed; a ledge that leads one way connects. */
#ifndef WEND_SRC_MAP_COMPONENTS_LABELS_H
#define WEND_SRC_MAP_COMPONENTS_LABELS_H

#include "map/edit/edit.h"
#include "map/kinds/walls.h"
#include "map/store/map_layout.h"

enum { WEND__LABEL_LEVELS = 11 }; ///< 65,536 cells are 2^10 chunks

/// Cells from `from` up to the next run's belong to one component that touches the rim, or to none (WEND__NO_LABEL).
/// 15 and 17 bits hold them: the largest area with an outline is a quarter of the largest map, so its sides have 32,768
/// cells, and there are 131,068 on its rim.
typedef struct wend__rim_run {
    uint32_t from : 15, label : 17;
} wend__rim_run;
#define WEND__NO_LABEL 0x1FFFFu

static inline wend__rim_run wend__rim(uint32_t from, uint32_t label) {
    return (wend__rim_run){from & 0x7FFF, label & WEND__NO_LABEL};
}

/// Where an area's components touch its rim. Labels count from 0 in the order in which the rim meets them (north and south
/// side from west to east, then east and west from north to south), so equal outlines have equal bytes. The whole map's
/// has no runs where it is joined from others: nobody asks for them, and all its components are closed.
typedef struct wend__outline {
    uint32_t references;
    uint32_t bytes;
    uint32_t open;     ///< components that touch the rim
    uint32_t sides[5]; ///< first run of the north, south, east and west side, and how many there are
    wend__rim_run runs[];
} wend__outline;
enum { WEND__SIDE_NORTH, WEND__SIDE_SOUTH, WEND__SIDE_EAST, WEND__SIDE_WEST };

/// What a cell's (in a chunk) or a part's label (in a larger area) is in this area. Labels from `outline->open` on are
/// closed. In a chunk there is one for each run of open cells of a row: where runs begin, terrain and thin walls say.
typedef struct wend__inside {
    uint32_t references;
    uint32_t bytes;
    uint32_t labels;                     ///< components in all
    uint32_t starts[5];                  ///< of a larger area: first of each part's labels in `to`
    uint16_t rows[WEND__CHUNK_SIDE + 1]; ///< of a chunk: first run of each row
    union {
        uint8_t narrow[1]; ///< of a chunk's runs where there are up to WEND__NARROW components
        uint16_t wide[1];  ///< where there are more
        uint32_t to[1];
    } u;
} wend__inside;
enum { WEND__NARROW = 256 };

struct wend__area {
    uint32_t references;  ///< these counts are guarded by the map's mutex
    uint64_t closed;      ///< components that end in it or below
    wend__area *parts[4]; ///< north-west, north-east, south-west, south-east; NULL in a chunk, and off the map
    wend__outline *outline;
    wend__inside *inside;
};

/// label_chunk.c: components of a chunk. Row words: bit x is set where the cell is open.
/// @param walls   NULL: none
wend_error wend__label_chunk(wend_map *map, const uint64_t rows[WEND__CHUNK_SIDE], const wend__walls *walls,
                             bool diagonal, wend__outline **outline, wend__inside **inside);

/// Four areas to be joined.
typedef struct wend__quarters {
    wend__area *const *parts;     ///< NULL: off the map
    uint32_t side;                ///< of each, in cells
    int32_t x, y;                 ///< first cell
    const wend__version *version; ///< where thin walls may lie along the seams; NULL: there are none
} wend__quarters;

/// label_join.c: components of four areas.
/// @param top   the whole map
wend_error wend__label_join(wend_map *map, const wend__quarters *quarters, bool diagonal, bool top,
                            wend__outline **outline, wend__inside **inside);

/// Room for an outline or an inside; NULL where there is none.
wend__outline *wend__outline_create(wend_map *map, uint32_t runs);
wend__inside *wend__inside_create(wend_map *map, size_t extra_bytes);
void wend__outline_release(wend_map *map, wend__outline *outline);

/// Where a label ends when it is followed up the tree.
typedef struct wend__component {
    int32_t level, column, row;
    uint32_t label;
} wend__component;

/// A number for it, other than every other component's. A tree has 11 levels; an area has fewer than 2^32 components, and
/// there are fewer areas of a level than chunks: so the three make a number.
static inline uint64_t wend__component_number(const wend__version *version, const wend__component *c) {
    uint64_t area = (uint64_t)c->row * (uint64_t)version->chunk_columns + (uint64_t)c->column;
    return (uint64_t)c->level << 60 | area << 32 | c->label;
}

/// The level of the whole map's area.
int wend__labels_top(const wend__version *version);

/// The component of an open cell.
wend__component wend__version_component(const wend__version *version, int32_t x, int32_t y);

wend__area *wend__area_retain(wend_map *map, wend__area *area); ///< NULL is passed through
void wend__area_release(wend_map *map, wend__area *area);       ///< NULL is ignored
/// The labels of a version whose terrain is final: `old`, renewed where the batch touched; all anew where that is NULL.
wend_error wend__labels_renew(const wend__version *version, wend__area *old, wend__dirty *const *dirty,
                              wend__area **out);
/// Those of a new map, all of which is open. Cost: O(levels + chunks on the rim).
wend_error wend__labels_create(const wend__version *version, wend__area **out);
/// Is the labels' part above the chunks what it was? Then cells of chunks that no batch touched are of the same components.
bool wend__labels_alike(const wend__version *version, const wend__area *before);

#endif
