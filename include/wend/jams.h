/* SPDX-License-Identifier: MIT */
/* Growing: counts may be added, or change with manners. See docs/stability.md. */
/* Jams: where the agents of a crowd were blocked in its last updates. A crowd counts where the host wants it. */
#ifndef WEND_JAMS_H
#define WEND_JAMS_H

#include <wend/crowd.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Counts, for each cell, how many agents were BLOCKED there (wend_agent_state.state) when an update ended. An agent in
/// the way of a queue has a count next to it for each agent and update that it costs. On a graph the cells are nodes;
/// agents before a link or an edge are counted at its beginning. A ghost is never blocked.
typedef struct wend_jams wend_jams;

#define WEND_MAX_JAM_WINDOW 65536
#define WEND_MAX_JAM_PLACES 16777216

/// Limits of the counts; their memory follows from `places`: 84 to 88 bytes each, and a few hundred.
typedef struct wend_jams_def {
    uint32_t struct_bytes;
    uint32_t window;   ///< updates that are counted, 8 to WEND_MAX_JAM_WINDOW, rounded up to a multiple of 8. The
                       ///< counts are of the last ones: seven eighths of the window to all of it. Default 200
    uint32_t places;   ///< most cells with a count, 1 to WEND_MAX_JAM_PLACES. Default 4,096
    uint32_t reserved; ///< 0
    wend_allocator allocator; ///< alloc NULL: the C library's
} wend_jams_def;

/// Set the defaults of a definition.
/// @param bytes   sizeof *def
/// Threads: any. Cost: O(1).
WEND_API void wend_jams_def_init(wend_jams_def *def, size_t bytes);

/// Make counts: empty, and of no crowd. They allocate here and never again.
/// @param out   receives the counts, for wend_jams_destroy()
/// @return WEND_OK, WEND_BAD_ARGUMENT, WEND_OUT_OF_MEMORY
/// Threads: any. Cost: O(places).
WEND_API wend_error wend_jams_create(const wend_jams_def *def, wend_jams **out);

/// Take counts from their crowd, and free them. NULL is ignored.
/// Threads: owner of the crowd; without one any. Cost: O(1).
WEND_API void wend_jams_destroy(wend_jams *jams);

/// Let a crowd count from now on, in counts that begin empty, in place of those it had; they stay the caller's, and
/// keep what they have. An update then costs O(agents) more, and once in an eighth of the
/// window O(places with a count). Nothing else changes: positions, events and hashes are the same. A save has no
/// counts, and a restore leaves them: updates that run again are counted again.
/// @param jams   NULL: none. The crowd's destruction takes them from it
/// @return WEND_OK, WEND_IN_USE (another crowd has them), WEND_BAD_ARGUMENT (only one of both is in an arena: mark.h)
/// Threads: owner of the crowd. Cost: O(places with a count).
WEND_API wend_error wend_crowd_set_jams(wend_crowd *crowd, wend_jams *jams);

/// The counts as a whole.
typedef struct wend_jams_stats {
    uint32_t struct_bytes;
    uint32_t updates; ///< updates counted: at most the window
    uint32_t places;  ///< cells with a count
    uint32_t agents;  ///< blocked when the last update ended
    uint64_t waits;   ///< sum of all counts: one for each blocked agent and update
    uint64_t missed;  ///< not counted since the counts were emptied, as `places` was too small
} wend_jams_stats;

/// Get the counts as a whole.
/// @return WEND_OK, WEND_BAD_ARGUMENT (struct_bytes)
/// Threads: owner of the crowd. Cost: O(places with a count).
WEND_API wend_error wend_jams_get_stats(const wend_jams *jams, wend_jams_stats *out);

/// Get the count of a cell.
/// @return blocked agents × updates in the window; 0 also for a cell off the map
/// Threads: owner of the crowd. Cost: O(1).
WEND_API uint64_t wend_jams_get_waits(const wend_jams *jams, wend_cell cell);

/// A jam: a cell, and the counts around it.
typedef struct wend_jam {
    wend_cell cell;  ///< the one with the largest count of the jam
    uint32_t cells;  ///< with a count
    uint32_t agents; ///< blocked there when the last update ended
    uint32_t reserved;
    uint64_t peak;  ///< count of `cell`
    uint64_t waits; ///< sum of the counts: ÷ wend_jams_stats.updates, how many agents were blocked on average
} wend_jam;

/// Get the worst jams, by their peaks, the largest first; of equal ones the lowest z, then y, then x. A jam takes the
/// cells around its peak that no worse one has.
/// @param within     cells that a jam reaches from its peak along each axis, 0 to WEND_MAX_REACH. 0: each cell is a jam
///                   of its own; so it is on a graph
/// @param out        receives up to capacity jams of `bytes` bytes
/// @param bytes      sizeof *out
/// @return how many were copied; 0 for a `within` out of its range
/// Threads: owner of the crowd. Cost: with 0 O((places with a count + copied) × log), else O(places × (copied + log)).
WEND_API size_t wend_jams_get_worst(wend_jams *jams, int32_t within, wend_jam *out, size_t bytes, size_t capacity);

#ifdef __cplusplus
}
#endif
#endif
