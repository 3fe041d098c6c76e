/* SPDX-License-Identifier: MIT */
/* The checker: it watches a service from outside, with its own copy of the terrain, and counts broken promises. */
#ifndef WEND_SRC_LAB_PROMISES_CHECKER_H
#define WEND_SRC_LAB_PROMISES_CHECKER_H

#include <wend/wend.h>

#include "lab/oracle/terrain_copy.h"

/// X(name, the promise). Each can be checked at any time without a false alarm.
#define CHECKER_PROMISES(X)                                                                                            \
    X(budget, "a frame spends no more than its budget")                                                                \
    X(spending, "a frame with work left spends its budget, except for one expansion a lane")                           \
    X(accounts, "the expansions of all completions are the expansions of all frames")                                  \
    X(accepting, "a request is refused only where the queue is full")                                                  \
    X(one_completion, "each accepted request gets one completion, with its number, ticket and context")                \
    X(order, "within a frame completions come by submission number")                                                   \
    X(urgency, "a single most urgent request begins in the next frame, if there is memory")                            \
    X(timing, "frames and wait_frames are those counted from outside")                                                 \
    X(cancelling, "a cancelled or replaced request, and no other, ends so, in the next frame")                         \
    X(status, "the status fits the terrain")                                                                           \
    X(no_way, "no_path is answered only where no path exists on the map at hand-over")                                 \
    X(pieces, "a piece of a path is handed over only where the map changed, after the restarts or where asked for")    \
    X(walkable, "a delivered path leads from start to goal by steps that are allowed at hand-over")                    \
    X(cost, "a delivered path costs what the completion says, at hand-over")                                           \
    X(optimum, "no path was cheaper on the map that was searched: a sample, compared with plain Dijkstra")             \
    X(versions, "the map searched is not older than the request, and the map checked is that of hand-over")            \
    X(editing, "a batch makes one epoch, and the map has what the edits wrote")                                        \
    X(figures, "a frame's figures are those counted from outside")                                                     \
    X(memory, "frames allocate nothing, and the map holds no more than its versions")

/// Promises about load. Each is checked in the scenarios that are made for it.
#define CHECKER_LOAD_PROMISES(X)                                                                                       \
    X(fair_wait, "nobody waits longer than all before it take at the fair lane's share of the budget")                 \
    X(burst_ends, "a burst is over one frame after its expansions fit into the budget, at the latest")                 \
    X(horde_cost, "each cost is that of one flood from the shared goal, and of a lone search")                         \
    X(horde_spent, "a horde takes a fifth more than lone searches or one flood, whichever is less, at most")           \
    X(siege_restarts, "a request is searched again at most once for each fall of walls and for each eviction")         \
    X(islands_free, "what cannot be reached is answered in the next frame, and costs no expansion")                    \
    X(islands_delay, "the others wait at most one frame longer than in a service without the impossible ones")         \
    X(clicks_stop, "when all requests are cancelled, the next frame expands nothing and ends them all")                \
    X(pursuit_moves, "the goal of a pending request can be moved")                                                     \
    X(overload_spent, "99 % of the budget of all frames are spent")                                                    \
    X(overload_memory, "the service holds the same bytes after every frame")                                           \
    X(overload_first, "of the urgent requests that fit into a frame, 99 of 100 begin in the next")                     \
    X(overload_urgent, "an urgent request takes a frame and those that it, the urgent ones beside it and a lane's "    \
                       "turn fill at 7/8 of the budget")

enum {
#define CHECKER_X(name, text) CHECKER_##name,
    CHECKER_PROMISES(CHECKER_X) CHECKER_LOAD_PROMISES(CHECKER_X)
#undef CHECKER_X
        CHECKER_PROMISE_COUNT
};
enum { CHECKER_FIRST_LOAD_PROMISE = CHECKER_fair_wait };

typedef struct checker_def {
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
    uint64_t map_bytes;     ///< of the map before the first frame
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
/// @return whether the agent had this request pending: it may ask again
bool checker_completed(checker *watch, uint32_t agent, const wend_completion *completion);
/// @param allocations   allocations of the service and the map since creation, without those of edits
void checker_frame_ends(checker *watch, const wend_frame *frame, uint64_t allocations, const wend_map_info *map);

/// The run is over: is everything answered, and do the sums agree?
void checker_finish(checker *watch, uint64_t service_pending, const wend_map_info *map);

/// Requests accepted and not completed, counted by the checker.
uint64_t checker_pending(const checker *watch);

/// Paths and stale answers that were searched at an older epoch than that of their hand-over.
uint64_t checker_late(const checker *watch);

const char *checker_name(int promise);
const char *checker_text(int promise);
/// Is this promise one of the run's: one about every run, or one about load that was checked?
bool checker_applies(const checker *watch, int promise);
uint64_t checker_checked(const checker *watch, int promise);
uint64_t checker_broken(const checker *watch, int promise);
/// Sums over all promises.
uint64_t checker_checked_total(const checker *watch);
uint64_t checker_broken_total(const checker *watch);

#endif
