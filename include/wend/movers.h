/* SPDX-License-Identifier: MIT */
/* Movers: who may go where, at what cost, and how large it is. */
#ifndef WEND_MOVERS_H
#define WEND_MOVERS_H

#include <wend/map.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Profile of a kind of agent.
typedef struct wend_mover {
    uint32_t struct_bytes;
    /// Side, in cells: 1 to WEND_MAX_MOVER_SIZE; 1 on graphs. The mover covers size × size cells, right and down of its
    /// own cell (× size upwards in space). It can stand where all of them are open for it; the largest factor counts.
    int32_t size;
    uint8_t factors[256]; ///< by terrain class, as in wend_map_rules: 1 to 255; 0: the mover cannot enter the class
    /// 1: a walker, of size 1 in a voxel map. It stands on an open cell with headroom − 1 open cells above, and below
    /// it a cell that it cannot enter and does not avoid; or at z = 0, or on WEND_CLASS_STAIRS. It steps to the
    /// neighbours in its plane, and straight to places up to step_up levels higher or drop lower: that costs one
    /// straight step more a level. To climb, the headroom must be open above the cell left; to drop, above the cell
    /// entered. On stairs it goes straight up and down to further stairs; their factor is factors[WEND_CLASS_STAIRS],
    /// 253 by default. 0: it needs no ground.
    int32_t walker;
    int32_t step_up;   ///< of a walker: 0 to WEND_MAX_LEVELS
    int32_t drop;      ///< of a walker: 0 to WEND_MAX_LEVELS; one way where it exceeds step_up
    int32_t headroom;  ///< of a walker: 1 to WEND_MAX_HEADROOM cells, its own counted
    int32_t like;      ///< a mover with a lower number, whose links it takes, too; default -1: none
    uint32_t reserved; ///< 0
    /// Classes that it never enters, whatever their factors: bit class % 64 of word class ÷ 64. A walker does not stand
    /// on their cells either: water that it neither wades through nor walks upon. Default: none.
    uint64_t avoided[4];
    /// Classes that it enters only where nothing else leads to a goal: fire, a marsh. Bits as above. Such a mover takes
    /// two numbers: its own, as which it goes round all of them, and the next one, which is like it and enters them.
    /// Requests and agents of its own number go round them; where no way does so, they go as the next one, which a
    /// completion names. Queries, fields and lines of sight of its number take them as blocked. Default: none.
    uint64_t shunned[4];
} wend_mover;

/// Set the defaults: size 1, the factors of wend_map_rules_init(), no walker; step_up 1, drop 1, headroom 2.
/// @param bytes   sizeof *mover
/// Threads: any. Cost: O(1).
WEND_API void wend_mover_init(wend_mover *mover, size_t bytes);

/// Add a mover. Every edit keeps its data up to date, as for the default mover. Makes no new epoch. Later
/// forks have the mover too.
/// @param mover   copied
/// @param id      receives its number: 1, 2, … in the order of adding; one that shuns classes takes two
/// @return WEND_OK, WEND_BAD_ARGUMENT (a number out of its range, a walker that is large or on no voxel map, too many
///         movers, `like` is no mover), WEND_UNSUPPORTED (larger than a cell, on hexagons), WEND_OUT_OF_MEMORY (nothing
///         changed)
/// Threads: any. Cost: O(cells × size); of a walker O(cells + chunks × (headroom + levels)).
WEND_API wend_error wend_map_add_mover(wend_map *map, const wend_mover *mover, int32_t *id);

/// Get the mover that is like another one, but avoids some classes besides: for requests and agents that never enter
/// them. The first call for them adds it; later calls give the same one. Like each mover it counts for WEND_MAX_MOVERS,
/// takes memory, and makes edits longer. It has no tables and landmarks without a wend_map_accelerate() of its own.
/// After wend_map_set_rules() it keeps its factors, and the next call may give another one.
/// @param avoided   four words: bit class % 64 of word class ÷ 64
/// @param id        receives its number; `mover` where that enters none of the classes already
/// @return as wend_map_add_mover(); WEND_BAD_ARGUMENT also where there is no such mover
/// Threads: any. Cost: O(movers); of the first call as wend_map_add_mover().
WEND_API wend_error wend_map_mover_avoiding(wend_map *map, int32_t mover, const uint64_t *avoided, int32_t *id);

/// Get the mover that is like another one, but shuns some classes besides (`shunned` above). Else as
/// wend_map_mover_avoiding(); the first call for them adds two movers.
/// @param shunned   four words: bit class % 64 of word class ÷ 64
/// @param id        receives its number; `mover` where that enters none of the classes
/// @return as wend_map_mover_avoiding()
/// Threads: any. Cost: O(movers); of the first call as wend_map_add_mover(), twice.
WEND_API wend_error wend_map_mover_shunning(wend_map *map, int32_t mover, const uint64_t *shunned, int32_t *id);

/// Get a mover of the map. WEND_MOVER_DEFAULT: size 1, the rules' factors.
/// @param out   receives the mover
/// @return WEND_OK, WEND_BAD_ARGUMENT (no such mover)
/// Threads: any. Cost: O(1).
WEND_API wend_error wend_map_get_mover(const wend_map *map, int32_t id, wend_mover *out);

#ifdef __cplusplus
}
#endif
#endif
