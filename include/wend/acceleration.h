/* SPDX-License-Identifier: MIT */
/* Acceleration: jump tables and a far layer for flat grids, and landmarks for maps of every kind.
 *
 * Jump tables store how far a search can run from a cell over open terrain. Landmarks are distances from a few cells,
 * which improve the heuristic (ALT: lower bounds by the triangle inequality). Path costs are the same with and without
 * them.
 *
 * Jump tables serve maps with 8 neighbours and WEND_CORNERS_NEVER. With 4 neighbours they serve even ground without
 * links and closed steps; requests that see units go to A* there, which needs no tables. Under other rules tables stay,
 * but searches do not use them.
 *
 * Landmarks serve all engines, kinds of map and rules, with slow terrain, closed steps and links. Each mover has tables
 * and landmarks of its own. But the landmarks of a graph serve all movers: they heed edges and all links, not the
 * classes of nodes.
 *
 * A far layer holds crossings between chunks of 64 x 64 cells and the costs between them, for routes across 8,192 x
 * 8,192 cells in a fraction of a millisecond. It serves flat grids with 8 neighbours and WEND_CORNERS_NEVER. Its routes
 * use the links of maps that have up to 4,096. It takes 100 to 700 bytes for each chunk. Each mover has its own.
 *
 * Marks of units tell searches where they have to look closely. A map with 8 neighbours that was ever to have jump
 * tables makes them when the next unit comes, or when a search begins that sees units; from then on wend_map_occupy()
 * and wend_map_vacate() keep them up. They take 7.7 KB for each chunk, and 22 KB for each block of 16 x 16 chunks, in
 * which or next to which a unit ever stood. Where memory for them runs out, the map has no marks from then on, and
 * searches that see units are general A*. A fork makes marks of its own.
 *
 * Jump tables take 4.9 to 5.3 bytes a cell in chunks of 64 x 64 cells that are neither all open nor all blocked, for
 * each mover that has them. Where factors differ, steps are closed, or links begin, a chunk takes 7 KB more, and 9
 * bytes for each such cell. A landmark takes 2 bytes a cell in each quarter of a chunk that has an open cell, and up
 * to 2 % more; twice as much on a graph with edges that have none back at the same cost. Making landmarks takes 13
 * bytes a cell besides (voxels 16; with slow terrain one more; graphs 24 a node and 16 an edge). All these bytes count
 * towards the map's max_bytes. A fork shares the tables and landmarks of its original.
 *
 * A publish keeps all of them correct. It leaves three kinds of work for later: pruning the jump points of changed
 * chunks where that takes long, as in mazes; making landmarks where it had to drop some; and making again what it left
 * stale in a far layer. Meanwhile searches stay exact, but expand more cells. wend_map_maintain() does that work. */
#ifndef WEND_ACCELERATION_H
#define WEND_ACCELERATION_H

#include <wend/map.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Most landmarks of a map.
#define WEND_MAX_LANDMARKS 8

/// Default of publish_effort, in cells for each landmark.
#define WEND_LANDMARK_EFFORT 4096

/// Effort that pruning one chunk costs in wend_map_maintain().
#define WEND_PRUNE_EFFORT 1024

/// Effort that one stale part of a far layer counts as in what wend_map_maintain() says is left: about what it takes.
#define WEND_FAR_EFFORT 10000

/// Value of wend_acceleration.far: a far layer where a side of the map is longer than WEND_FAR_SIDE cells, or its land
/// streams.
#define WEND_FAR_LARGE (-1)
#define WEND_FAR_SIDE 2048

/// Definition of the tables, landmarks and far layer to make.
struct wend_acceleration {
    uint32_t struct_bytes;
    int32_t mover;     ///< the one to make tables and landmarks for: a mover of the map. Default WEND_MOVER_DEFAULT
    bool units;        ///< 0 or 1, which mean the same: the map keeps marks of units by itself. Default false
    bool tables;       ///< true: jump tables, where the map can have them; false: none. Default true
    int32_t landmarks; ///< 0 to WEND_MAX_LANDMARKS. Default 4
    uint32_t reserved; ///< 0
    /// Most bytes once they are made of the mover's landmarks and far layer and, if it is to have tables, of all tables
    /// of the map and its forks; WEND_NO_LIMIT: only the map's max_bytes counts. Marks of units do not count.
    uint64_t max_bytes;
    /// Cells that a publish relaxes for each landmark where terrain opens or becomes cheaper. A landmark that needs
    /// more is dropped; wend_map_maintain() makes new ones. Default WEND_LANDMARK_EFFORT; WEND_NO_LIMIT: none is
    /// dropped.
    uint64_t publish_effort;
    /// 1: wend_map_maintain() makes the tables, landmarks and far layer that the mover lacks, in slices; until then
    /// searches go without. max_bytes is compared now: for each chunk of 64 x 64 cells 24 KB of tables and 1 KB of far
    /// layer, for each cell and landmark 2 bytes. Default 0.
    bool later;
    int32_t far; ///< 1: a far layer, where the map can have it; WEND_FAR_LARGE: the default; 0: none, of no mover by
                 ///< itself either, as land is unloaded as known
};

/// Set the defaults: jump tables, 4 landmarks, a far layer on large maps, no limit of bytes.
/// @param bytes   sizeof *acceleration
/// Threads: any. Cost: O(1).
WEND_API void wend_acceleration_init(wend_acceleration *acceleration, size_t bytes);

/// Make the mover's tables, landmarks and far layer of the definition, and discard its others: tables false, landmarks
/// 0 and far 0 discard all of this mover. The newest version keeps what is up to date. Makes a new version of the same
/// epoch where anything changes. Other threads may publish meanwhile. Not supported:
/// - anything: more than 1,024 blocks of 1,024 x 1,024 cells (or as many voxels or nodes), and walkers
/// - tables without landmarks: maps other than flat grids of squares, sides above 65,535, and with 8 neighbours rules
///   that cut corners
/// - `far` of 1: maps that wrap or have sheets. Elsewhere a far layer is left out without an error where the map cannot
///   have it: wend_request_explain() has the reason
/// @param def   copied; NULL: the defaults
/// @return WEND_OK, WEND_BAD_ARGUMENT (struct_bytes, a number outside its range, no such mover),
///         WEND_UNSUPPORTED (see above),
///         WEND_IN_USE (a batch is open),
///         WEND_OUT_OF_MEMORY (the allocator, the map's or the definition's max_bytes; until the call returns, the map
///         has the old tables and landmarks as well as the new ones). On any error nothing changed
/// Threads: any. Cost: O(cells x (landmarks + 1)):
/// 0.1 to 0.2 s for 1,024 x 1,024 cells and 4 landmarks; a far layer 0.1 to 1.2 ms for each chunk.
WEND_API wend_error wend_map_accelerate(wend_map *map, const wend_acceleration *def);

/// Kinds of work of wend_map_maintain(). Making four landmarks takes some hundred times as long as pruning what a
/// publish left.
enum {
    WEND_MAINTAIN_PRUNE = 1u << 0,     ///< prune jump tables that a publish left unpruned
    WEND_MAINTAIN_TABLES = 1u << 1,    ///< make tables that are lacking, as `later` asked for them
    WEND_MAINTAIN_LANDMARKS = 1u << 2, ///< make landmarks: as `later` asked, where a publish dropped some, and all
                                       ///< after 1,024 publishes that changed cells, or when one cell in 256 and
                                       ///< 1,024 at least changed since
    WEND_MAINTAIN_FAR = 1u << 3,       ///< make what is stale in far layers; before landmarks
    WEND_MAINTAIN_ALL = 15u
};

/// Do work that publishes and `later` left, up to `effort`: in idle time, or a little each frame. One call does one
/// kind of work, the first for which there is any: pruning, tables, far layers, landmarks. It makes a new version of
/// the same epoch where tables were pruned, or parts of far layers, tables or landmarks completed. A part of a far
/// layer that takes more than `effort` goes on in the next call, unless an edit changed what it depends on.
/// @param work     WEND_MAINTAIN_…, one or more; what is not asked for waits
/// @param effort   cells to relax, or work that takes as long; pruning a chunk counts WEND_PRUNE_EFFORT, making its
///                 table twice that
/// @param left     receives about how much effort remains for `work`, 0: none; may be NULL
/// @return WEND_OK (also where there is nothing to do), WEND_BAD_ARGUMENT (work), WEND_IN_USE (a batch is open, and
///         chunks wait for pruning, or complete tables or parts of far layers for their version),
///         WEND_OUT_OF_MEMORY (no new version; the next call begins again)
/// Threads: any; one at a time makes tables, landmarks or far layers; others return. Cost: O(effort), about 30 ns each;
/// O(chunks / 256) for the version. bench_bounds has the longest slices.
WEND_API wend_error wend_map_maintain(wend_map *map, uint32_t work, uint64_t effort, uint64_t *left);

#ifdef __cplusplus
}
#endif
#endif
