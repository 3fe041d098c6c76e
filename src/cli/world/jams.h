/* SPDX-License-Identifier: MIT */
/* Where agents of a crowd were blocked in its last updates, counted from the crowd's view. */
#ifndef WEND_SRC_CLI_WORLD_JAMS_H
#define WEND_SRC_CLI_WORLD_JAMS_H

#include <wend/crowd.h>

/// Most cells with a count. Agents that are blocked on further cells are not counted.
enum { CLI_JAM_CELLS = 4096 };

typedef struct cli_jams cli_jams;

/// A jam: a cell, and the counts around it.
typedef struct cli_jam {
    wend_cell cell;  ///< the one with the largest count of the jam
    uint32_t cells;  ///< with a count
    uint32_t agents; ///< blocked there after the last update
    uint64_t peak;   ///< count of `cell`
    uint64_t waits;  ///< sum of the counts
} cli_jam;

/// Makes empty counts. Memory as cli_alloc().
/// @param window   updates that are counted, at least 8: the last ones, seven eighths of the window to all of it
/// @return NULL: no memory
cli_jams *cli_jams_create(uint32_t window);
void cli_jams_free(cli_jams *jams);

/// Counts the agents of a crowd that are BLOCKED, after an update: one for each agent and update, on its cell.
void cli_jams_count(cli_jams *jams, wend_crowd *crowd);
/// Returns how many updates the counts cover.
uint32_t cli_jams_updates(const cli_jams *jams);
/// Returns the sum of all counts.
uint64_t cli_jams_waits(const cli_jams *jams);
/// Returns whether updates without blocked agents leave the counts as they are: nothing is in a full window.
bool cli_jams_rest(const cli_jams *jams);
/// Gets the worst jams, by their peaks, the largest first; of equal ones the lowest z, then y, then x. A jam takes the
/// cells around its peak that no worse one has.
/// @param map      the crowd's
/// @param within   cells that a jam reaches from its peak along each axis. 0, or on a graph: each cell is a jam
/// @return how many were copied
size_t cli_jams_worst(cli_jams *jams, const wend_map *map, int32_t within, cli_jam *out, size_t capacity);

#endif
