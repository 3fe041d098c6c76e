/* SPDX-License-Identifier: MIT */
/* How long an update of a crowd may take. */
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

/// Limits of an update: of agents at rest that choose their next step, and of the steps that begin. Where one stops it,
/// the others stand, as for want of wend_crowd_def.work, and the next update begins with them. Agents in a
/// step go on, and steered ones choose, in any case.
typedef struct wend_update_budget {
    uint32_t struct_bytes;
    uint32_t reserved; ///< 0
    uint64_t us;       ///< microseconds of the update, callbacks apart. Agents choose, some at a time, as long as what
                       ///< they chose before, and the steps that followed, leave time for. At least 16 choose
    uint64_t choices;  ///< choices, rounded up to a multiple of 16 in each round of steps; exact
} wend_update_budget;

/// Set the defaults of a budget: no limits.
/// @param bytes   sizeof *budget
/// Threads: any. Cost: O(1).
WEND_API void wend_update_budget_init(wend_update_budget *budget, size_t bytes);

/// Run one step of the crowd, as wend_crowd_update(), within a budget.
/// @param budget    NULL: no limits
/// @param choices   receives how many choices there were. As the budget of the same update they repeat it, also where
///                  time stopped it; a recording has them
/// @return as wend_crowd_update()
/// Threads: owner. Cost: the budget, and O(agents).
WEND_API wend_error wend_crowd_update_within(wend_crowd *crowd, uint32_t elapsed_milli,
                                             const wend_update_budget *budget, uint64_t *choices);

#ifdef __cplusplus
}
#endif
#endif
