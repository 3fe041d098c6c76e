/* SPDX-License-Identifier: MIT */
/* Watches a run of `wend stress` for the promises about load: each scenario has its own (promises.h). */
#ifndef WEND_LAB_PROMISES_LOAD_H
#define WEND_LAB_PROMISES_LOAD_H

#include "promises/checker.h"
#include "loads/scenarios.h"

/// Expansions for requests with the goal.
typedef struct horde_sums {
    uint64_t asked; ///< requests
    uint64_t lone;  ///< expansions of lone searches
    uint64_t best;  ///< lone searches, or one flood for the requests of a frame, if that takes less
    uint64_t spent; ///< expansions of the service
} horde_sums;

typedef struct load_def {
    checker *watch; ///< its counts are used, and it counts the promises
    const terrain_copy *land;
    stress_load load;
    bool edits;
    uint32_t agents;
    const wend_service_def *service; ///< with its tuning
    wend_budget budget;
    wend_cell shared_goal;
} load_def;

typedef struct load_checker load_checker;

/// @return NULL where memory ran out. `def` stays the caller's; what it points to must outlive the watch.
load_checker *load_create(const load_def *def);
void load_free(load_checker *all);

/* Calls come after those of the checker with the same facts. */

/// @return false where memory ran out
bool load_submitted(load_checker *all, uint32_t agent, bool urgent, const wend_request *request, wend_error error);
/// The goal of a pending request was moved; `error` is what the service said.
void load_moved(load_checker *all, uint32_t agent, wend_error error);
/// All pending requests were cancelled before this frame, and none came.
void load_all_cancelled(load_checker *all);
/// @return false where memory ran out
bool load_completed(load_checker *all, uint32_t agent, bool urgent, const wend_completion *completion);
/// Before checker_frame_ends(). @param bytes   that the service's allocator has handed out
void load_frame_ran(load_checker *all, const wend_frame *frame, uint64_t bytes);
/// The run is over.
void load_finish(load_checker *all);

/// Cells that one flood from the shared goal closes; 0 where none was made.
uint64_t load_flood_cells(const load_checker *all);
/// The sums of the requests for the shared goal; 0 where they are not counted.
horde_sums load_horde(const load_checker *all);

#endif
