/* SPDX-License-Identifier: MIT */
/* Watches a service from outside, by its public headers and a copy of the terrain, and counts the promises it breaks.
 */
#ifndef WEND_SRC_CLI_CHECKER_CHECKER_H
#define WEND_SRC_CLI_CHECKER_CHECKER_H

#include <wend/wend.h>

#include "cli/checker/ground.h"

/// X(name, what is promised). Every one of them may be checked at any time without a false alarm.
#define CHECKER_PROMISES(X)                                                                                            \
    X(budget, "a frame spends no more than its budget")                                                                \
    X(spending, "a frame with work left spends all of its budget but one expansion a lane")                            \
    X(accounts, "what the completions say they cost is what the frames say they spent")                                \
    X(accepting, "a request is refused only where the queue is full")                                                  \
    X(one_completion, "each accepted request gets one completion, with its number, ticket and context")                \
    X(order, "within a frame completions come by submission number")                                                   \
    X(urgency, "the one most urgent request begins in the next frame, if it finds memory")                             \
    X(timing, "frames and wait_frames are what was seen from outside")                                                 \
    X(cancelling, "what was cancelled ends as cancelled, in the next frame, and nothing else does")                    \
    X(status, "the status is the one that the terrain calls for")                                                      \
    X(no_way, "no path is said only where none is, on the map as it is at hand-over")                                  \
    X(pieces, "a piece of a path is handed over only where the map changed, after the restarts or where asked for")    \
    X(walkable, "a delivered path leads from start to goal by steps that are allowed at hand-over")                    \
    X(cost, "a delivered path costs what the completion says, at hand-over")                                           \
    X(optimum, "no cheaper way was there on the map that was searched: a sample against plain Dijkstra")               \
    X(versions, "the map searched is not older than the request, the map checked is that of hand-over")                \
    X(editing, "a batch makes one epoch, and the map is what its edits made of it")                                    \
    X(figures, "a frame's figures are what was seen from outside")                                                     \
    X(memory, "frames allocate nothing, and the map holds no more than its versions")

enum {
#define CHECKER_X(name, text) CHECKER_##name,
    CHECKER_PROMISES(CHECKER_X)
#undef CHECKER_X
        CHECKER_PROMISE_COUNT
};

typedef struct checker_def {
    ground *land; ///< the newest terrain, between calls; must outlive the checker
    bool edits;   ///< the terrain changes
    uint32_t agents;
    uint32_t queue, lanes;
    uint64_t slice;
    uint64_t budget; ///< expansions a frame; WEND_NO_LIMIT: time decides
    uint64_t max_path_cells;
    bool nodes_suffice;     ///< the pool holds a complete search of the map for certain
    uint32_t restarts;      ///< that a request may use up because the map changed
    uint64_t sample_work;   ///< cells that Dijkstra may settle in all before the sample is closed
    uint64_t flood_work;    ///< cells that may be flooded in all to know which are connected
    uint64_t map_bytes;     ///< of the map as it begins
    uint64_t version_bytes; ///< the most that a version may take
    uint32_t versions;      ///< the most that may live after a frame
    uint32_t drafts;        ///< and for a moment so many more: a batch's, and that of a pruning after it
} checker_def;

typedef struct checker checker;

/// NULL where there is no memory.
checker *checker_create(const checker_def *def);
void checker_free(checker *watch);

/// An agent without a pending request asked; `error` is what submit returned.
void checker_submitted(checker *watch, uint32_t agent, const wend_request *request, wend_error error,
                       wend_ticket ticket);
/// An agent's pending request was cancelled; `error` is what cancel returned.
void checker_cancelled(checker *watch, uint32_t agent, wend_error error);

/// A batch was published. `before` is the epoch that the ground had; now it has the new one.
void checker_edited(checker *watch, uint64_t before);
/// The map was read: so many cells are not what the edits made of them.
void checker_compared(checker *watch, uint64_t differing);

/* A frame: before the tick; after it, with its figures; each completion in the order of the callbacks; the frame's end.
 */
void checker_frame_begins(checker *watch);
void checker_frame_ran(checker *watch, const wend_frame *frame);
/// @param agent   whose context it carries; any other number: nobody's
/// @return whether the agent had this request pending: it may ask again
bool checker_completed(checker *watch, uint32_t agent, const wend_completion *completion);
/// @param allocations   since creation, by the service and by the map; not those of edits
void checker_frame_ends(checker *watch, const wend_frame *frame, uint64_t allocations, const wend_map_info *map);

/// All is said to be answered: is it, and do the accounts balance?
void checker_finish(checker *watch, uint64_t service_pending, const wend_map_info *map);

/// Requests accepted and not completed, by the checker's own count.
uint64_t checker_pending(const checker *watch);

/// Answers that came from an older epoch than that of their hand-over: paths, and what became of others.
uint64_t checker_late(const checker *watch);

const char *checker_name(int promise);
const char *checker_text(int promise);
uint64_t checker_checked(const checker *watch, int promise);
uint64_t checker_broken(const checker *watch, int promise);
/// Of all promises.
uint64_t checker_checked_total(const checker *watch);
uint64_t checker_broken_total(const checker *watch);

#endif
