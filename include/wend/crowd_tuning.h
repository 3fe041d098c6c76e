/* SPDX-License-Identifier: MIT */
/* Growing: settings may be added, or lose their effect with the rule that they tune. See docs/stability.md. */
/* Tuning: settings of a crowd that few hosts change, and how long an update may take. Its limits are in crowd.h. */
#ifndef WEND_CROWD_TUNING_H
#define WEND_CROWD_TUNING_H

#include <wend/crowd.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Longest head start, in cells.
#define WEND_MAX_HEAD_START 255
/// Most flow fields of a crowd.
#define WEND_MAX_CROWD_FIELDS 16

/// Settings of a crowd that few hosts change.
struct wend_crowd_tuning {
    uint32_t struct_bytes;
    uint32_t events;      ///< most events that wait for a poll or the next update, and goals that will end in one: at
                          ///< least `agents`, at most 2^24; 0: 4 for each agent
    int32_t units_within; ///< searches avoid agents, units within this many cells of their start: 0 to WEND_MAX_REACH,
                          ///< default 32. On a graph they avoid none
    uint32_t tries; ///< searches for one goal, without coming nearer, until the agent stops: 1 to 1,000. One more comes
                    ///< where the map has changed since the last. Default 6
    uint32_t retry_updates; ///< updates that an agent waits behind others until it searches again: 1 to 1,000,000. It
                            ///< doubles with each try, to 64 times as many. Default 8
    uint32_t routes;        ///< most routes: 0 to 65,536. Default 64
    uint32_t route_cells;   ///< cells of all routes together, corners and legs: 0 to 2^28. Default 65,536
    uint32_t head_start;    ///< cells that an agent may go before its search ends: 0 (it waits) to WEND_MAX_HEAD_START;
                            ///< 12 × (9 + cells) bytes an agent. A waiting agent at rest costs O(cells) for each
                            ///< tick in which its search goes on. Where the goal is more than 256 cells away and its
                            ///< mover has a far layer that is up to date, the cells are those of a far route, and the
                            ///< path begins where they end. Default 0
    uint32_t fields;        ///< flow fields for large groups, each of about 6.5 bytes a cell of the
                            ///< map. 0 (all agents search) to WEND_MAX_CROWD_FIELDS, default 1. A streamed map of more
                            ///< than 1,024 chunks has none
    uint32_t field_agents; ///< a group of this many agents of one mover goes by a field, see wend_crowd_go(). 0: 64, or
                           ///< the map's cells ÷ 1,024 where that is more
    uint32_t work;         ///< pieces of work, of some 20 ns, in an update and the orders after it: a step that a field
                           ///< gives or an edit may have closed is one, a way out for an agent in the way 4, a search
                           ///< asked for 32, the ways around an agent pushed off its path 192. What finds none left
                           ///< waits for the next update. An eighth is for agents of an urgency above 0. 0: 16 for
                           ///< each agent of wend_crowd_def.agents, at least 65,536
    uint32_t patience_updates; ///< updates that an agent on its way to a cell or on a route waits where the map leaves
                               ///< no way to go on, as a door may be closed for a moment, until its goal ends: 0 to
                               ///< 1,000,000. It waits where its path is cut, or as near as it gets, and searches
                               ///< when the map has changed. Also the time until DISPLACED. Default 0
    uint32_t far_beyond;       ///< cells: an agent with a goal farther away, along an axis, goes by a far route
        ///< (WEND_MODE_FAR), where its mover has a far layer that is up to date and the service has
        ///< far_nodes. It walks leg by leg, with some 130 cells of its path at a time; its way is not
        ///< the cheapest, but close. 72 bytes an agent where the map is larger. 0: never. Default 512
    bool link_events; ///< true: agents give LINK_AHEAD, see crowd.h. Default false
};

/// Set the defaults of a tuning.
/// @param bytes   sizeof *tuning
/// Threads: any. Cost: O(1).
WEND_API void wend_crowd_tuning_init(wend_crowd_tuning *tuning, size_t bytes);

/// Limits of an update: of agents at rest that choose their next step, and of the steps that begin. Where one stops it,
/// the others stand, as for want of wend_crowd_tuning.work, and the next update begins with them. Agents in a
/// step go on, and steered ones choose, in any case.
struct wend_update_budget {
    uint32_t struct_bytes;
    uint32_t reserved; ///< 0
    uint64_t us;       ///< microseconds of the update, callbacks apart. Agents choose, some at a time, as long as what
                       ///< they chose before, and the steps that followed, leave time for. At least 16 choose
    uint64_t choices;  ///< choices, rounded up to a multiple of 16 in each round of steps; exact
};

/// Set the defaults of a budget: no limits.
/// @param bytes   sizeof *budget
/// Threads: any. Cost: O(1).
WEND_API void wend_update_budget_init(wend_update_budget *budget, size_t bytes);

#ifdef __cplusplus
}
#endif
#endif
