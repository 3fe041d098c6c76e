/* SPDX-License-Identifier: MIT */
/* Acceleration: jump tables for flat grids, and landmarks for maps of every kind.
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
 * and landmarks of its own. But the landmarks of a graph serve all movers: they heed edges and links, not the classes
 * of nodes.
 *
 * Marks of units tell searches where they have to look closely. A map with 8 neighbours that was ever to have jump
 * tables makes them when the next unit comes, or when a search begins that sees units; from then on wend_map_occupy()
 * and wend_map_vacate() keep them up. They take 7.7 KB for each chunk, and 22 KB for each block of 16 x 16 chunks, in
 * which or next to which a unit ever stood. Where memory for them runs out, the map has no marks from then on, and
 * searches that see units are general A*. A fork makes marks of its own.
 *
 * Jump tables take 8.4 to 8.8 bytes a cell in chunks of 64 x 64 cells that are neither all open nor all blocked, for
 * each mover that has them. Where factors differ, steps are closed, or links begin, a chunk takes 7 KB more, and 9
 * bytes for each such cell. A landmark takes 2 bytes a cell in each quarter of a chunk that has an open cell, and up
 * to 2 % more; twice as much on a graph with edges that have none back at the same cost. Making landmarks takes 13
 * bytes a cell besides (voxels 16; with slow terrain one more; graphs 24 a node and 16 an edge). All these bytes count
 * towards the map's max_bytes. A fork shares the tables and landmarks of its original.
 *
 * A publish keeps both correct. It leaves two kinds of work for later: pruning the jump points of changed chunks where
 * that takes long, as in mazes; and making landmarks where it had to drop some. Meanwhile searches stay exact, but
 * expand more cells. wend_map_maintain() does that work. */
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

/// Definition of the tables and landmarks to make.
struct wend_acceleration {
    uint32_t struct_bytes;
    int32_t mover;     ///< whose tables and landmarks to make: a mover of the map. Default WEND_MOVER_DEFAULT
    int32_t units;     ///< 0 or 1, which mean the same: the map keeps marks of units by itself. Default 0
    int32_t tables;    ///< 1: jump tables, where the map can have them; 0: none. Default 1
    int32_t landmarks; ///< 0 to WEND_MAX_LANDMARKS. Default 4
    uint32_t reserved; ///< 0
    /// Most bytes once they are made of the mover's landmarks and, if it is to have tables, of all tables of the map
    /// and its forks; WEND_NO_LIMIT: only the map's max_bytes counts. Marks of units do not count.
    uint64_t max_bytes;
    /// Cells that a publish relaxes for each landmark where terrain opens or becomes cheaper. A landmark that needs
    /// more is dropped; wend_map_maintain() makes new ones. Default WEND_LANDMARK_EFFORT; WEND_NO_LIMIT: none is
    /// dropped.
    uint64_t publish_effort;
    /// 1: wend_map_maintain() makes the tables and landmarks that the mover lacks, in slices; until then searches go
    /// without. max_bytes is compared now: 36 KB for tables of each chunk of 64 x 64 cells, 2 bytes for each cell and
    /// landmark. Default 0.
    int32_t later;
    int32_t reserved_later; ///< 0
};

/// Set the defaults: jump tables, 4 landmarks, no limit of bytes.
/// @param bytes   sizeof *acceleration
/// Threads: any. Cost: O(1).
WEND_API void wend_acceleration_init(wend_acceleration *acceleration, size_t bytes);

/// Make the mover's tables and landmarks of the definition, and discard its others: tables 0 and landmarks 0 discard
/// all of this mover.
/// Up-to-date tables and landmarks of the newest version stay. Makes a new version of the same epoch where anything
/// changes. Other threads may publish meanwhile.
///
/// Not supported: more than 1,024 blocks of 1,024 x 1,024 cells (or as many voxels or nodes). Tables, where no
/// landmarks are asked for: maps other than flat grids, sides above 65,535, and with 8 neighbours rules that cut
/// corners.
/// @param def   copied; NULL: the defaults
/// @return WEND_OK, WEND_BAD_ARGUMENT (struct_bytes, a number outside its range, no such mover),
///         WEND_UNSUPPORTED (see above),
///         WEND_IN_USE (a batch is open),
///         WEND_OUT_OF_MEMORY (the allocator, the map's or the definition's max_bytes; until the call returns, the map
///         has the old tables and landmarks as well as the new ones). On any error nothing changed
/// Threads: any. Cost: O(cells x (landmarks + 1)):
/// 0.1 to 0.2 s for 1,024 x 1,024 cells and 4 landmarks.
WEND_API wend_error wend_map_accelerate(wend_map *map, const wend_acceleration *def);

/// Kinds of work of wend_map_maintain(). Making four landmarks takes some hundred times as long as pruning what a
/// publish left.
enum {
    WEND_MAINTAIN_PRUNE = 1u << 0,     ///< prune jump tables that a publish left unpruned
    WEND_MAINTAIN_TABLES = 1u << 1,    ///< make tables that are lacking, as `later` asked for them
    WEND_MAINTAIN_LANDMARKS = 1u << 2, ///< make landmarks: as `later` asked, where a publish dropped some, and all
                                       ///< after 1,024 publishes that changed cells, or when one cell in 256 and
                                       ///< 1,024 at least changed since
    WEND_MAINTAIN_ALL = 7u
};

/// Do work that publishes and `later` left, up to `effort`: in idle time, or a little each frame. One call does one
/// kind of work, the first of the enumeration for which there is any. It makes a new version of the same epoch where
/// tables were pruned, or tables or landmarks completed.
/// @param work     WEND_MAINTAIN_…, one or more; what is not asked for waits
/// @param effort   cells to relax; pruning a chunk counts WEND_PRUNE_EFFORT, making its table twice that
/// @param left     receives about how much effort remains for `work`, 0: none; may be NULL
/// @return WEND_OK (also where there is nothing to do), WEND_BAD_ARGUMENT (work), WEND_IN_USE (a batch is open, and
///         chunks wait for pruning or complete tables for their version), WEND_OUT_OF_MEMORY (no new version; the next
///         call begins again)
/// Threads: any; one at a time makes tables, one landmarks; others return. Cost: O(effort), about 30 ns each; O(chunks
/// / 256) for the version. bench_slices has the longest slices.
WEND_API wend_error wend_map_maintain(wend_map *map, uint32_t work, uint64_t effort, uint64_t *left);

#ifdef __cplusplus
}
#endif
#endif
