/* SPDX-License-Identifier: MIT */
/* Internal to this room: new landmarks: the ground, which is read once, the spreads over it, and the whole.
 *
 * Cells count chunk by chunk here: chunk << 12 | place in it, as in the strips. So what a spread touches at a time lies
 * together. On graphs that is the node's number. */
#ifndef WEND_SRC_FAST_LANDMARKS_LANDMARK_MAKE_H
#define WEND_SRC_FAST_LANDMARKS_LANDMARK_MAKE_H

#include "fast/landmarks/landmark_tables.h"

#define WEND__UNREACHED UINT32_MAX

/// A way between two cells that is no step to a neighbour: a link, or an edge of a graph. Both ends have it.
typedef struct wend__way {
    uint32_t to : 31;
    uint32_t entering : 1; ///< 1: the way leads from `to` here
    uint32_t cost;
} wend__way;

/// The ground of a view, as spreads read it.
typedef struct wend__ground {
    wend_map *map;
    const wend__version *view;
    uint32_t chunks, directions; ///< 8 or 26; 0: a graph
    size_t cells;
    uint8_t *flat;    ///< grids: the steps out of a cell and into it
    uint32_t *space;  ///< the same on voxels
    uint8_t *factors; ///< NULL: all are 1
    uint64_t *linked; ///< a bit for each cell with ways; NULL: there are no links, or it is a graph
    bool levels;      ///< a walker's steps to other levels are listed when needed
    uint32_t *first;  ///< beginning of the ways of a linked cell: by cell on graphs, else by `keys`; one more, and room
    uint32_t *keys;   ///< the linked cells, sorted
    uint32_t key_count;
    wend__way *ways;
    size_t way_count;
    uint8_t stage;   ///< stage of linking
    size_t at;       ///< progress of that stage
    uint32_t listed; ///< keys so far
} wend__ground;

/// Allocate. WEND_OK, WEND_OUT_OF_MEMORY (call wend__ground_free()).
wend_error wend__ground_open(wend__ground *ground, wend_map *map, const wend__version *view);
void wend__ground_free(wend__ground *ground);
/// Reads a chunk: 0 to chunks - 1. Once all are read call wend__ground_link(). Nothing to do on graphs.
void wend__ground_read(wend__ground *ground, uint32_t chunk);
/// Reads about *effort more links and edges. WEND_OK, WEND_OUT_OF_MEMORY.
/// @param effort   receives what is left: above 0 all are read
wend_error wend__ground_link(wend__ground *ground, uint64_t *effort);
const wend__way *wend__ground_ways(const wend__ground *ground, uint32_t cell, uint32_t *count);
/// Lists a walker's steps to other levels, out of a cell and into it. @return how many
uint32_t wend__ground_levels(const wend__ground *ground, uint32_t cell, wend__way out[WEND__LANDMARK_LEVELS]);
/// Returns true if a spread can begin at the cell.
bool wend__ground_has(const wend__ground *ground, uint32_t cell);

enum {
    WEND__SPREAD_BUCKETS = 16, ///< buckets of a visit; each no wider than a straight step
    WEND__SPREAD_WORDS = WEND__CHUNK_CELLS / 64
};

/// The ways that a spread over a graph follows.
typedef enum wend__spread_towards { WEND__SPREAD_BOTH, WEND__SPREAD_ALONG, WEND__SPREAD_AGAINST } wend__spread_towards;

/// A spread of numbers from some cells over all cells that they lead to.
typedef struct wend__spread {
    const wend__ground *ground;
    wend__landmark_scale scale;
    uint32_t *numbers; ///< by cell
    uint32_t *reached; ///< receives the cells, each once; NULL: not wanted
    size_t count;      ///< number of `reached` cells
    uint32_t weights[WEND__SPACE_DIRECTIONS];
    uint64_t work; ///< cells expanded, and work that takes as long

    /* Grids and voxels: chunk by chunk. */
    uint64_t *waiting;  ///< cells that became less, with neighbours still to be relaxed
    uint32_t *least;    ///< least number of the waiting cells of each chunk; WEND__UNREACHED: none
    uint32_t *active;   ///< chunks with waiting cells
    uint8_t *is_active; ///< by chunk: whether `active` contains it
    uint32_t active_count, cursor;
    bool visited;                                               ///< a chunk was visited since the cursor was 0
    uint32_t until;                                             ///< this round visits lower numbers
    uint32_t shift;                                             ///< log2 of a bucket's width
    uint64_t buckets[WEND__SPREAD_BUCKETS][WEND__SPREAD_WORDS]; ///< bits of cells by bucket; 0 between visits
    uint64_t filled[WEND__SPREAD_BUCKETS];                      ///< non-zero words of each bucket

    /* Graphs: a heap. */
    uint32_t *heap, *place; ///< nodes; and by node its position in the heap
    uint32_t heap_count;
    wend__spread_towards towards;
    uint32_t farthest; ///< the greatest number so far
} wend__spread;

/// Allocate. WEND_OK, WEND_OUT_OF_MEMORY (call wend__spread_free()). Each chunk has to be cleared then.
wend_error wend__spread_open(wend__spread *spread, const wend__ground *ground);
void wend__spread_clear(wend__spread *spread, uint32_t chunk);
void wend__spread_free(wend__spread *spread);
void wend__spread_scale(wend__spread *spread, const wend__landmark_scale *scale);
/// Begins at a cell, with number 0. Before the first one of a spread over a graph `farthest` is 0.
void wend__spread_from(wend__spread *spread, uint32_t cell);
/// Processes about `effort` cells more. @return true: it is complete
bool wend__spread_run(wend__spread *spread, uint64_t effort);

/* ---- the whole, at once or in slices ---- */

/// The cells of a component: a part of `reached`.
typedef struct wend__landmark_part {
    size_t end;        ///< behind its last cell
    uint32_t first;    ///< its first landmark
    uint32_t landmark; ///< its next one
    uint32_t offset;   ///< offset added to its numbers in storage
} wend__landmark_part;

typedef enum wend__landmark_phase {
    WEND__LANDMARK_READING,    ///< reads the ground, chunk by chunk
    WEND__LANDMARK_LINKING,    ///< lists links and edges
    WEND__LANDMARK_FINDING,    ///< finds components, and how far their cells are
    WEND__LANDMARK_CLEARING,   ///< clears these numbers
    WEND__LANDMARK_SPREADING,  ///< spreads from the landmarks of one slot
    WEND__LANDMARK_MEASURING,  ///< measures the range of each strip, and finds the farthest cells
    WEND__LANDMARK_BASING,     ///< sets the bases of strips to their least numbers
    WEND__LANDMARK_STORING,    ///< stores these numbers
    WEND__LANDMARK_DISCARDING, ///< frees the memory of the job
    WEND__LANDMARK_DONE
} wend__landmark_phase;

/// Landmarks that are being made.
typedef struct wend__landmark_build {
    wend_map *map;
    const wend__version *view; ///< not owned
    uint32_t count, slot;      ///< slots, and the current one
    wend__landmark_phase phase;
    wend__ground ground;
    wend__spread spread;
    uint32_t *reached;    ///< all cells that have numbers, component by component
    size_t reached_count; ///< number of processed cells in `reached`
    uint32_t *least;      ///< by place in `reached`: distance to the nearest landmark so far
    uint32_t *low, *high; ///< by strip: least and greatest number of the slot; WEND__UNREACHED: none
    size_t strips;
    wend__landmark_part *parts;
    size_t part_count, part_room;
    size_t next; ///< next chunk, cell, strip, or place in `reached`, by phase
    bool begun;  ///< a spread is under way
    size_t part; ///< component in which a spread begins, or that is being measured or stored
    uint32_t best, best_number;
    uint64_t range;  ///< range of costs that the scale covers
    uint32_t offset; ///< offset added to the numbers of the stored component
    wend__landmarks *landmarks;
    wend_error error;
} wend__landmark_build;

/// @return NULL: out of memory. Cost: O(chunks).
wend__landmark_build *wend__landmark_build_begin(wend_map *map, const wend__version *view, uint32_t landmarks);
/// Processes about `effort` cells more. @return true: done, or there is an error
bool wend__landmark_build_run(wend__landmark_build *build, uint64_t effort);
/// About how many cells are left.
uint64_t wend__landmark_build_left(const wend__landmark_build *build);
/// Ends it, done or not. @param out   receives the landmarks if it is done, else NULL; may be NULL
/// @return its error
wend_error wend__landmark_build_end(wend__landmark_build *build, wend__landmarks **out);

#endif
