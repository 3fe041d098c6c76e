/* SPDX-License-Identifier: MIT */
/* The checker: it watches a service from outside, with its own copy of the terrain, and counts broken promises. */
#ifndef WEND_LAB_PROMISES_CHECKER_H
#define WEND_LAB_PROMISES_CHECKER_H

#include <wend/wend.h>

#include "oracle/terrain_copy.h"
#include "promises/promises.h"

typedef struct checker_def {
    promises *ledger;   ///< counts what is checked; must outlive the checker
    terrain_copy *land; ///< the newest terrain between calls; must outlive the checker
    bool edits;         ///< the terrain changes
    uint32_t agents;
    uint32_t queue, lanes;
    uint64_t slice;
    uint64_t budget; ///< expansions of a frame; WEND_NO_LIMIT: the frame is limited by time
    uint64_t max_path_cells;
    bool nodes_suffice;     ///< the pool certainly holds a complete search of the map
    uint32_t restarts;      ///< times that a request is searched again because the map changed
    uint64_t sample_work;   ///< cells that Dijkstra may close in all, then no more samples are taken
    uint64_t flood_work;    ///< cells that may be flooded in all to find the connected parts
    uint64_t map_bytes;     ///< bytes of the map before the first frame
    uint64_t version_bytes; ///< most bytes that one version takes
    uint32_t versions;      ///< most versions that live after a frame
    uint32_t drafts;        ///< more versions that live for a moment: that of a batch, and that of a pruning after it
} checker_def;

typedef struct checker checker;

/// NULL where there is no memory.
checker *checker_create(const checker_def *def);
void checker_free(checker *watch);

/// An agent without a pending request asked; `error` is what submit returned. Where requests have an agent's number
/// (wend_request.agent, below `agents`), several of these agents may share one.
void checker_submitted(checker *watch, uint32_t agent, const wend_request *request, wend_error error,
                       wend_ticket ticket);
/// An agent's pending request was cancelled; `error` is what cancel returned.
void checker_cancelled(checker *watch, uint32_t agent, wend_error error);

/// The goal of an agent's pending request was moved.
void checker_moved(checker *watch, uint32_t agent, wend_cell goal);

/// A batch was published. `before` is the epoch that the terrain copy had before it.
void checker_edited(checker *watch, uint64_t before);
/// The map was compared with the edits: `differing` cells have another terrain.
void checker_compared(checker *watch, uint64_t differing);

/* A frame: before the tick; after it, with its figures; each completion in the order of the callbacks; the frame's end.
 */
void checker_frame_begins(checker *watch);
void checker_frame_ran(checker *watch, const wend_frame *frame);
/// @param agent   the agent whose context it carries; any other number: no agent's
/// @return whether the agent had this request pending: it may submit again
bool checker_completed(checker *watch, uint32_t agent, const wend_completion *completion);
/// @param allocations   allocations of the service and the map since creation, without those of edits
void checker_frame_ends(checker *watch, const wend_frame *frame, uint64_t allocations, const wend_map_info *map);

/// The run is over: is everything answered, and do the sums agree?
void checker_finish(checker *watch, uint64_t service_pending, const wend_map_info *map);

/// Paths and stale answers that were searched at an older epoch than that of their hand-over.
uint64_t checker_late(const checker *watch);

#endif
